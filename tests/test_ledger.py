"""The ledger keeps what is finished, and mixes nothing up."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from simulator.play.executors import Job, TallyWorker
from simulator.play.experiment import Batch, Experiment
from simulator.play.ledger import Ledger, LedgerError
from simulator.play.packing import packed, unpacked
from simulator.play.run import make_experiment
from simulator.play.table import Table
from simulator.stats.tally import Tally, tally_rows


@pytest.fixture
def asked() -> Experiment:
    return make_experiment("grinchmas", players=2, strategies=["uniform"])


def job(asked: Experiment) -> Job[Tally]:
    """A run of the experiment."""
    return Job(TallyWorker, (asked,))


def played(asked: Experiment, batch: Batch) -> Tally:
    """A batch's tally, played on a table of its own."""
    rows = np.zeros((batch.count, len(asked.metrics)), np.int32)
    Table(asked.game, asked.rules, asked.lineup).play(asked.seed, batch.first, rows, np.zeros(3, np.int64))
    return tally_rows(rows, asked.metrics)


def test_a_tally_survives_as_bytes(asked: Experiment) -> None:
    tally = played(asked, Batch(0, 300))
    again = unpacked(packed(tally))
    assert again.digest == tally.digest
    assert (again + tally).games == 600
    assert again.names == tally.names


def test_what_is_kept_is_recalled_by_another_opening(asked: Experiment, tmp_path: Path) -> None:
    batch = Batch(0, 200)
    tally = played(asked, batch)
    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert ledger.batches(job(asked)) == frozenset()
        ledger.keep(job(asked), batch, tally)
    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert ledger.recall(job(asked), batch).digest == tally.digest
        assert ledger.batches(job(asked)) == {batch}


def test_keeping_twice_counts_once(asked: Experiment, tmp_path: Path) -> None:
    batch = Batch(0, 100)
    with Ledger(tmp_path / "l.sqlite") as first, Ledger(tmp_path / "l.sqlite") as second:
        for ledger in (first, second, first):
            ledger.keep(job(asked), batch, played(asked, batch))
        (entry,) = second.experiments()
    assert (entry.rows, entry.games) == (1, 100)


def test_games_are_counted_from_the_first_without_a_gap(asked: Experiment, tmp_path: Path) -> None:
    with Ledger(tmp_path / "l.sqlite") as ledger:
        for batch in (Batch(0, 100), Batch(100, 50), Batch(300, 100)):
            ledger.keep(job(asked), batch, played(asked, batch))
        (entry,) = ledger.experiments()
    assert (entry.rows, entry.games) == (3, 150)
    assert entry.question["game"] == "grinchmas"


def test_a_group_takes_the_place_of_its_batches_and_of_nothing_else(asked: Experiment, tmp_path: Path) -> None:
    parts = [Batch(0, 40), Batch(40, 20), Batch(60, 20), Batch(60, 10), Batch(80, 20)]
    with Ledger(tmp_path / "l.sqlite") as ledger:
        for batch in parts:
            ledger.keep(job(asked), batch, played(asked, batch))
        group = Batch(40, 40)
        ledger.keep_group(job(asked), group, played(asked, group))
        assert ledger.batches(job(asked)) == {Batch(0, 40), group, Batch(80, 20)}
        assert ledger.recall(job(asked), Batch(60, 20)) is None
        recalled = ledger.recall(job(asked), group)
        assert recalled is not None
        assert recalled.digest == played(asked, group).digest
        (entry,) = ledger.experiments()
    assert (entry.rows, entry.games) == (3, 100)


def test_other_questions_never_mix_in(asked: Experiment, tmp_path: Path) -> None:
    other = make_experiment("grinchmas", players=2, strategies=["uniform"], rules={"wishes.goal": 9})
    batch = Batch(0, 50)
    with Ledger(tmp_path / "l.sqlite") as ledger:
        ledger.keep(job(asked), batch, played(asked, batch))
        assert ledger.batches(job(other)) == frozenset()


def test_forgetting_removes_one_experiment(asked: Experiment, tmp_path: Path) -> None:
    with Ledger(tmp_path / "l.sqlite") as ledger:
        ledger.keep(job(asked), Batch(0, 50), played(asked, Batch(0, 50)))
        assert ledger.forget(asked.id) == 50
        assert ledger.experiments() == []
        with pytest.raises(LedgerError, match="holds no experiment"):
            ledger.forget(asked.id)


@pytest.mark.parametrize("content", [b"not a database at all, but some text\n" * 40, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_file_is_refused_by_name_and_left_untouched(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "damaged.sqlite"
    file.write_bytes(content)
    with pytest.raises(LedgerError, match=r"damaged\.sqlite"):
        Ledger(file)
    assert file.read_bytes() == content


def test_somebody_elses_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(LedgerError, match="no ledger"):
        Ledger(file)
    assert file.read_bytes() == before


def test_a_batch_that_was_tampered_with_is_noticed(asked: Experiment, tmp_path: Path) -> None:
    file = tmp_path / "l.sqlite"
    batch = Batch(0, 50)
    with Ledger(file) as ledger:
        ledger.keep(job(asked), batch, played(asked, Batch(0, 49)))
        with pytest.raises(LedgerError, match="damaged"):
            ledger.recall(job(asked), batch)


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(LedgerError):
        Ledger(tmp_path)


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LedgerError):
        Ledger(tmp_path / "file" / "l.sqlite")
