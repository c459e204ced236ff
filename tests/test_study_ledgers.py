"""Every study through a ledger: stopped anywhere and asked again, it finds the same, and nothing that was finished is played again."""

from __future__ import annotations

import json
import pickle
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from simulator import registry
from simulator.play import collect
from simulator.play.executors import Executor, Job, Workers
from simulator.play.experiment import Batch
from simulator.play.ledger import Ledger, LedgerError, Remembered
from simulator.play.run import Precision, run
from simulator.studies.check import check
from simulator.studies.compare import compare
from simulator.studies.drama import drama
from simulator.studies.sensitivity import sensitivity
from simulator.studies.skill import skill
from simulator.studies.sweep import sweep
from simulator.studies.tournament import tournament
from simulator.studies.tune import tune
from simulator.studies.tune_strategy import tune_strategy

BATCH = 256
PIG = registry.game("pig")
ABOUT = "game = 'pig'\nplayers = 2\ngames = 2000"
PROMISES = (
    "metric = 'wins.0'\nbetween = [0.46, 0.6]",
    "metric = 'turns'\nat_most = 90",
    "metric = 'turns'\nminus.rules = {goal = 50}\nat_least = 1",
)

Ask = Callable[["Ledger | None", Path], Any]


class Killed(BaseException):
    """The process ends: nobody tidies up."""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that there are several in few playouts."""
    monkeypatch.setattr("simulator.play.experiment.BATCH", BATCH)


def _compare(ledger: Ledger | None, games: int, **more: Any) -> Any:
    found = compare("pig", variants=["goal=98", "die.sides=8"], players=2, games=games, ledger=ledger, **more)
    return [found.run.part.games, *(c.as_dict() for c in found.comparisons)]


def _check(ledger: Ledger | None, folder: Path) -> Any:
    file = folder / "promises.toml"
    file.write_text("".join(f"[[promise]]\n{ABOUT}\n{text}\n" for text in PROMISES))
    return check(file, ledger=ledger).as_dict()


def _tune(ledger: Ledger | None, _: Path) -> Any:
    asked = {"targets": ["players_win=0.6"], "within": ["0.05"], "vary": ["raven.steps=4:7"], "players": 2, "games": 900}
    return tune("orchard", **asked, ledger=ledger).as_dict()


def _tune_strategy(strategy: str, ranges: list[str], ledger: Ledger | None, **more: Any) -> Any:
    return tune_strategy("pig", strategy=strategy, vary=ranges, players=2, ledger=ledger, **more).as_dict()


STUDIES: dict[str, Ask] = {
    "run": lambda ledger, _: run("pig", players=2, games=5 * BATCH - 7, ledger=ledger).as_dict(),
    "compare": lambda ledger, _: _compare(ledger, 5 * BATCH - 7),
    "compare until decided": lambda ledger, _: _compare(ledger, 20 * BATCH, metrics=["wins.0"], margins=["0.03"], until_decided=True),
    "sweep": lambda ledger, _: sweep("pig", vary=["goal=40:130:10"], players=[2], games=2 * BATCH + 5, ledger=ledger).as_dict(),
    "sweep to a precision": lambda ledger, _: sweep(
        "pig", vary=["goal=50,100"], players=[2], games=9 * BATCH, precision=Precision(0.05), ledger=ledger
    ).as_dict(),
    "sensitivity": lambda ledger, _: sensitivity("pig", players=2, games=4 * BATCH, ledger=ledger).as_dict(),
    "sensitivity to a precision": lambda ledger, _: sensitivity(
        "pig", players=2, games=4 * BATCH, precision=Precision(0.05), ledger=ledger
    ).as_dict(),
    "check": _check,
    "tournament": lambda ledger, _: tournament(
        "pig", players=3, strategies=["hold", "uniform", "hold:at=10"], games=4 * BATCH, ledger=ledger
    ).as_dict(),
    "tournament together": lambda ledger, _: tournament("orchard", players=2, games=3 * BATCH, ledger=ledger).as_dict(),
    "skill": lambda ledger, _: skill("pig", players=2, games=3 * BATCH, ahead_games=3, ledger=ledger).as_dict(),
    "drama": lambda ledger, _: drama("pig", players=2, games=20, rollouts=8, ledger=ledger).as_dict(),
    "tune": _tune,
    "tune-strategy": lambda ledger, _: _tune_strategy("hold", ["at=18:22"], ledger, games=5000),
}


def untimed(found: Any) -> Any:
    """What was found, without how long it took."""
    if isinstance(found, dict):
        return {key: untimed(value) for key, value in found.items() if key not in {"elapsed_s", "games_per_s"}}
    return [untimed(value) for value in found] if isinstance(found, list | tuple) else found


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Batch]]:
    """Every batch of every job that was played from now on and handed out."""
    done: list[tuple[str, Batch]] = []
    real = collect.executor_for

    class Noting:
        def __init__(self, job: Job[Any], executor: Executor[Any]) -> None:
            self.job, self.executor = job, executor

        def play(self, batches: Any) -> Iterator[tuple[Batch, Any]]:
            for batch, part in self.executor.play(batches):
                done.append((self.job.id, batch))
                yield batch, part

    def noting(job: Job[Any], batches: int, workers: Workers = None) -> Any:
        return Noting(job, real(job, batches, workers))

    monkeypatch.setattr(collect, "executor_for", noting)
    return done


def stopping(monkeypatch: pytest.MonkeyPatch, after: int, how: type[BaseException]) -> None:
    """End everything as soon as so many batches are kept."""
    keep, left = Ledger.keep, [after]

    def kept(ledger: Ledger, *about: Any) -> None:
        keep(ledger, *about)
        left[0] -= 1
        if not left[0]:
            raise how

    monkeypatch.setattr(Ledger, "keep", kept)


def taken(done: list[tuple[str, Batch]]) -> list[tuple[str, Batch]]:
    """What was noted so far; nothing is noted any more then."""
    noted = [*done]
    done.clear()
    return noted


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_that_was_stopped_anywhere_finds_the_same_and_plays_nothing_twice(
    name: str, played: list[tuple[str, Batch]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = STUDIES[name]
    right = untimed(ask(None, tmp_path))
    needed = set(taken(played))
    assert len(needed) >= 4, "or there is nowhere to stop"
    for after in (1, len(needed) // 2, len(needed) - 1):
        with Ledger(tmp_path / f"{after}.sqlite") as ledger:
            with monkeypatch.context() as patched:
                stopping(patched, after, Killed)
                with pytest.raises(Killed):
                    ask(ledger, tmp_path)
            assert untimed(ask(ledger, tmp_path)) == right
            assert len(played) == len(set(played)), "something was played twice"
            assert set(taken(played)) == needed
            assert untimed(ask(ledger, tmp_path)) == right, "all of it remembered"
            assert played == []


@pytest.mark.parametrize("name", STUDIES)
def test_ctrl_c_in_a_study_costs_nothing_that_was_finished(
    name: str, played: list[tuple[str, Batch]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = STUDIES[name]
    right = untimed(ask(None, tmp_path))
    needed = set(taken(played))
    with Ledger(tmp_path / "l.sqlite") as ledger:
        with monkeypatch.context() as patched:
            stopping(patched, len(needed) // 2, KeyboardInterrupt)
            with suppress(KeyboardInterrupt):
                ask(ledger, tmp_path)
        assert untimed(ask(ledger, tmp_path)) == right
    assert len(played) == len(set(played))
    assert set(played) == needed


KINDS = {"run": "run", "pairs": "compare", "promises": "check", "crossed wins": "skill", "watched turns": "drama"}
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut short": lambda blob: blob[:-9],
    "nothing": lambda _: b"",
    "something else": lambda _: pickle.dumps({"names": []}),
    "no JSON": lambda _: zlib.compress(b"\x80\x04\n"),
    "other JSON": lambda _: zlib.compress(b"[1, 2]\n"),
    "objects": lambda _: zlib.compress(json.dumps({"about": None, "arrays": [["|O", [1]]]}).encode() + b"\n" + bytes(8)),
    "numbers missing": lambda blob: zlib.compress(zlib.decompress(blob)[:-8]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_damaged_in_a_ledger_is_refused_in_a_sentence(kind: str, tmp_path: Path) -> None:
    file, ask = tmp_path / "l.sqlite", STUDIES[KINDS[kind]]
    with Ledger(file) as ledger:
        ask(ledger, tmp_path)
        assert kind in {entry.question.get("kind", "run") for entry in ledger.experiments()}
    jobs = [entry.id for entry in ledgers_entries(file) if entry.question.get("kind", "run") == kind]
    with sqlite3.connect(file) as connection:
        (whole,) = connection.execute("SELECT tally FROM batch WHERE experiment = ? AND first = 0", jobs[:1]).fetchone()
        for damage in DAMAGE.values():
            connection.execute("UPDATE batch SET tally = ? WHERE experiment = ?", (damage(whole), jobs[0]))
            connection.commit()
            with (
                Ledger(file) as ledger,
                pytest.raises(LedgerError, match=r"l\.sqlite is damaged \(.*\); it is left as it is"),
            ):
                ask(ledger, tmp_path)
    connection.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_a_study_that_holds_another_is_noticed(kind: str, tmp_path: Path) -> None:
    file, ask = tmp_path / "l.sqlite", STUDIES[KINDS[kind]]
    with Ledger(file) as ledger:
        ask(ledger, tmp_path)
    jobs = [entry.id for entry in ledgers_entries(file) if entry.question.get("kind", "run") == kind]
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE batch SET count = count - 1 WHERE experiment = ? AND first = 0", jobs[:1])
        connection.execute("UPDATE batch SET count = count + 1, first = first - 1 WHERE experiment = ? AND first > 0", jobs[:1])
        (first, count) = connection.execute("SELECT first, count FROM batch WHERE experiment = ?", jobs[:1]).fetchone()
    connection.close()
    job = next(job for job in jobs_of(ask, tmp_path) if job.id == jobs[0])
    with Ledger(file) as ledger, pytest.raises(LedgerError, match="does not hold what it says"):
        ledger.recall(job, Batch(first, count))


def ledgers_entries(file: Path) -> list[Remembered]:
    """What a ledger lists."""
    with Ledger(file) as ledger:
        return ledger.experiments()


def jobs_of(ask: Ask, folder: Path) -> list[Job[Any]]:
    """The jobs that a study plays."""
    jobs: list[Job[Any]] = []
    with pytest.MonkeyPatch.context() as patched:
        real = collect.executor_for
        patched.setattr(collect, "executor_for", lambda job, *rest: jobs.append(job) or real(job, *rest))
        ask(None, folder)
    return jobs
