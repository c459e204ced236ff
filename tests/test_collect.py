"""Long runs through a ledger, whose batches become groups: nothing is counted twice, nothing is lost, nothing differs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simulator.play.executors import Job, TallyWorker
from simulator.play.experiment import BATCH, Batch, Experiment, plan, plan_groups
from simulator.play.ledger import Ledger
from simulator.play.nested import WatchWorker
from simulator.play.run import Precision, Result, make_experiment, run_experiment
from simulator.studies.crossed import CrossedWorker
from simulator.studies.pairs import PairWorker

ALONE = 8
LENGTH = 70
GAMES = LENGTH * BATCH - 5


@pytest.fixture(autouse=True)
def early_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups begin after a few batches instead of a thousand."""
    monkeypatch.setattr("simulator.play.experiment.ALONE", ALONE)


@pytest.fixture(scope="module")
def asked() -> Experiment:
    return make_experiment("ladders", players=1)


@pytest.fixture(scope="module")
def digests(asked: Experiment) -> dict[int, str]:
    """Batches to the digest of so many, played without a ledger."""
    return {n: run_experiment(asked, n * BATCH).digest for n in (LENGTH // 2, LENGTH)} | {0: run_experiment(asked, GAMES).digest}


def count_played(monkeypatch: pytest.MonkeyPatch) -> list[Batch]:
    """A list that every batch played from now on is put into."""
    played: list[Batch] = []
    play = TallyWorker.play

    def counted(worker: TallyWorker, batch: Batch) -> Any:
        if batch.count > 1:  # not the single playout that makes sure that all is compiled
            played.append(batch)
        return play(worker, batch)

    monkeypatch.setattr(TallyWorker, "play", counted)
    return played


def test_a_long_run_leaves_few_rows_and_is_taken_up_without_playing(
    asked: Experiment, digests: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert run_experiment(asked, GAMES, ledger=ledger).digest == digests[0]
        assert ledger.batches(Job(TallyWorker, (asked,))) == frozenset(plan_groups(GAMES))
        assert len(ledger.batches(Job(TallyWorker, (asked,)))) < LENGTH // 2
        monkeypatch.setattr("simulator.play.executors.Threads", None)
        assert run_experiment(asked, GAMES, ledger=ledger).digest == digests[0]
        (entry,) = ledger.experiments()
    assert entry.games == GAMES


def test_a_job_is_known_by_all_that_its_parts_depend_on(asked: Experiment) -> None:
    other = make_experiment("ladders", players=1, seed=2)
    columns = ((0, 0, 1),)
    jobs: list[Job[Any]] = [
        Job(PairWorker, (asked, other)),
        Job(PairWorker, (other, asked)),
        Job(PairWorker, (asked, other, other)),
        Job(CrossedWorker, (asked, other)),
        Job(CrossedWorker, (asked, other), (columns,)),
        Job(CrossedWorker, (asked, other), (columns[::-1] * 2,)),
        Job(WatchWorker, (asked,), (4,)),
        Job(WatchWorker, (asked,), (8,)),
    ]
    assert Job(TallyWorker, (asked,)).id == asked.id, "so that ledgers of runs stay what they are"
    assert len({asked.id, *(job.id for job in jobs)}) == 1 + len(jobs)


def test_a_longer_run_plays_only_what_is_missing(
    asked: Experiment, digests: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger(tmp_path / "l.sqlite") as ledger:
        run_experiment(asked, LENGTH // 2 * BATCH, ledger=ledger)
        played = count_played(monkeypatch)
        assert run_experiment(asked, LENGTH * BATCH, ledger=ledger).digest == digests[LENGTH]
    assert sorted(b.first // BATCH for b in played) == list(range(LENGTH // 2, LENGTH))


def test_a_shorter_run_plays_only_the_group_that_it_ends_in(
    asked: Experiment, digests: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger(tmp_path / "l.sqlite") as ledger:
        run_experiment(asked, LENGTH * BATCH, ledger=ledger)
        played = count_played(monkeypatch)
        assert run_experiment(asked, LENGTH // 2 * BATCH, ledger=ledger).digest == digests[LENGTH // 2]
        assert [b.first // BATCH for b in played] == [32, 33, 34]
        assert run_experiment(asked, LENGTH * BATCH, ledger=ledger).digest == digests[LENGTH], "what it left changes nothing"


@pytest.mark.parametrize("when", [1, ALONE, ALONE + 1, ALONE + 2, 33, 35, 69])
def test_a_run_that_was_interrupted_anywhere_goes_on(asked: Experiment, digests: dict[int, str], tmp_path: Path, when: int) -> None:
    def press(done: int, _tally: Any) -> None:
        if done >= when * BATCH:
            raise KeyboardInterrupt

    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert run_experiment(asked, GAMES, ledger=ledger, progress=press, workers=1).interrupted
        (entry,) = ledger.experiments()
        assert entry.games == when * BATCH
        assert run_experiment(asked, GAMES, ledger=ledger).digest == digests[0]


def test_rows_of_single_batches_become_groups(asked: Experiment, digests: dict[int, str], tmp_path: Path) -> None:
    with Ledger(tmp_path / "single.sqlite") as single, Ledger(tmp_path / "l.sqlite") as ledger:
        for batch in plan(GAMES):
            ledger.keep(Job(TallyWorker, (asked,)), batch, run_experiment(asked, batch.count, first=batch.first).tally)
        assert single.batches(Job(TallyWorker, (asked,))) == frozenset()
        assert run_experiment(asked, GAMES, ledger=ledger).digest == digests[0]
        assert ledger.batches(Job(TallyWorker, (asked,))) == frozenset(plan_groups(GAMES))


def run_meddled_with(asked: Experiment, file: Path, when: int, meddle: Any) -> Result:
    """A run through a ledger with half of it, while another process meddles after so many batches."""
    with Ledger(file) as ledger:
        run_experiment(asked, LENGTH // 2 * BATCH, ledger=ledger)

        def progress(done: int, _tally: Any) -> None:
            if done == when * BATCH:
                with Ledger(file) as other:
                    meddle(other)

        return run_experiment(asked, GAMES, ledger=ledger, progress=progress)


@pytest.mark.parametrize("when", [2, 33, 34, 40, 41])
def test_another_process_may_be_faster(asked: Experiment, digests: dict[int, str], tmp_path: Path, when: int) -> None:
    """It makes groups of rows that the slower one still counts on."""
    file = tmp_path / "l.sqlite"
    result = run_meddled_with(asked, file, when, lambda other: run_experiment(asked, GAMES, ledger=other))
    assert result.digest == digests[0]
    with Ledger(file) as ledger:
        assert ledger.batches(Job(TallyWorker, (asked,))) == frozenset(plan_groups(GAMES))


@pytest.mark.parametrize("when", [2, 33, 40])
def test_another_process_may_forget_everything(asked: Experiment, digests: dict[int, str], tmp_path: Path, when: int) -> None:
    result = run_meddled_with(asked, tmp_path / "l.sqlite", when, lambda other: other.forget(asked.id))
    assert result.digest == digests[0]


def test_a_stopping_rule_looks_where_it_looks_without_a_ledger(tmp_path: Path) -> None:
    """Also where the ledger holds groups, and where it holds batches of a longer run."""
    asked = make_experiment("pig", players=2)
    wanted = Precision(0.003)
    plain = run_experiment(asked, GAMES, precision=wanted)
    assert plain.precise
    assert plain.games > 2 * ALONE * BATCH, "within the groups"
    with Ledger(tmp_path / "l.sqlite") as ledger:
        for _ in range(2):
            assert run_experiment(asked, GAMES, precision=wanted, ledger=ledger).digest == plain.digest
        run_experiment(asked, GAMES, ledger=ledger)
        again = run_experiment(asked, GAMES, precision=wanted, ledger=ledger)
    assert (again.games, again.digest) == (plain.games, plain.digest)
    assert any(plain.games == group.first + group.count for group in plan_groups(GAMES))
