"""Who plays the batches: in order, not too far ahead, and with sums that cannot overflow."""

from __future__ import annotations

import ast
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import programs
import pytest

from simulator.errors import MisbehaviourError, UserError
from simulator.kernel import turns as kernel
from simulator.play import executors
from simulator.play.executors import BatchPlayer, Job, TallyWorker, Threads, executor_for, side_by_side
from simulator.play.experiment import BATCH, Batch, Experiment, plan
from simulator.play.run import MAX_GAMES, make_experiment, run_experiment
from simulator.stats.estimate import estimate_mean
from simulator.stats.tally import Histogram, Tally


@pytest.fixture(scope="module")
def question() -> Experiment:
    return make_experiment("orchard", players=2)


class SlowWorker(TallyWorker):
    """The batches with even numbers take longer than those with odd ones."""

    def play(self, batch: Batch) -> Tally | None:
        time.sleep(0.02 if batch.first // 10 % 2 == 0 else 0.0)
        return super().play(batch)


class StuckWorker(TallyWorker):
    """Does not come back from the second batch until it is told to."""

    released = threading.Event()

    def play(self, batch: Batch) -> Tally | None:
        if batch.first:
            self.control[kernel.CONTROL_PLAYOUT] = 9
            self.released.wait(programs.PATIENCE_S)
        return super().play(batch)


class Clock:
    """Stands still, or goes on a step whenever somebody looks at it: so no test rests on how busy the machine is."""

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step = 0.0, step

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


def test_parts_come_in_the_order_of_the_plan(question: Experiment) -> None:
    batches = list(plan(200, 10))
    threads = Threads([SlowWorker([BatchPlayer(question)]) for _ in range(3)])
    assert [batch for batch, _ in threads.play(batches)] == batches


@pytest.mark.parametrize("workers", [1, 3])
def test_threads_do_not_run_far_ahead_of_who_takes_what_they_play(question: Experiment, workers: int) -> None:
    begun = 0

    def batches() -> Iterator[Batch]:
        nonlocal begun
        for batch in plan(100_000, 10):
            begun += 1
            yield batch

    taken = executor_for(Job(TallyWorker, (question,)), 10_000, workers).play(batches())
    for _ in range(5):
        next(taken)
    time.sleep(0.3)
    ahead = begun
    taken.close()
    assert 5 <= ahead <= 5 + 32 * workers


def test_who_comes_back_after_a_long_time_is_not_told_that_a_strategy_is_stuck(
    question: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(executors, "time", clock)
    taken = executor_for(Job(TallyWorker, (question,)), 1000, 2).play(plan(10_000, 10))
    for _ in range(3):
        next(taken)
        clock.now += 2 * executors.PATIENCE_S
    assert sum(part.games for _, part in taken) == 10_000 - 30


def test_how_long_a_worker_is_stuck_counts_from_when_somebody_looks(question: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, worker = Clock(), TallyWorker([BatchPlayer(question)])
    worker.control[kernel.CONTROL_PLAYOUT] = 9
    monkeypatch.setattr(executors, "time", clock)
    watch, found = executors._Watch([worker], [True]), []
    for naps in (0.1, 2.0, 0.4, 0.4, 0.4):
        clock.now += naps * executors.PATIENCE_S
        found.append(watch.stuck())
    assert found == [None, None, None, None, 0]


def test_a_worker_that_is_stuck_is_noticed(question: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "time", Clock(step=1.0))
    try:
        with pytest.raises(MisbehaviourError, match="Playout 9 of orchard has not ended for 20 seconds"):
            list(Threads([StuckWorker([BatchPlayer(question)])]).play(plan(30, 10)))
    finally:
        StuckWorker.released.set()


@pytest.mark.parametrize("going_on", ["decisions", "compiling"])
def test_a_long_playout_that_goes_on_is_not_stuck(question: Experiment, monkeypatch: pytest.MonkeyPatch, going_on: str) -> None:
    class LongWorker(StuckWorker):
        released = threading.Event()

    worker = LongWorker([BatchPlayer(question)])

    class Deciding(Clock):
        def monotonic(self) -> float:
            worker.current.table.head["decisions"] += going_on == "decisions"
            if self.now > 5 * executors.PATIENCE_S:
                worker.released.set()
            return super().monotonic()

    monkeypatch.setattr(executors, "_POLL_S", 0.001)
    monkeypatch.setattr(executors, "compiling", lambda: going_on == "compiling")
    monkeypatch.setattr(executors, "time", Deciding(step=1.0))
    try:
        assert sum(part.games for _, part in Threads([worker]).play(plan(30, 10))) == 30
    finally:
        worker.released.set()


def test_no_more_threads_are_made_than_there_are_batches(question: Experiment) -> None:
    made = executor_for(Job(TallyWorker, (question,)), 2, 7)
    assert isinstance(made, Threads)
    assert len(made.workers) == 2


def test_short_runs_share_the_threads() -> None:
    assert side_by_side(3) == (3, 1)
    assert side_by_side(None) == (executors.default_workers(), 1)


def test_a_plan_may_begin_anywhere() -> None:
    assert list(plan(25, 10, 2**53 - 25)) == [Batch(2**53 - 25, 10), Batch(2**53 - 15, 10), Batch(2**53 - 5, 5)]


@pytest.mark.parametrize(("first", "games"), [(-1, 1), (MAX_GAMES, 1), (MAX_GAMES - 4, 5 * BATCH)])
def test_playouts_beyond_what_can_be_numbered_are_refused(question: Experiment, first: int, games: int) -> None:
    with pytest.raises(UserError, match=f"The first playout has to be .*, not {first:,}"):
        run_experiment(question, games, first=first)


def test_sums_of_the_largest_values_over_the_most_playouts_are_exact() -> None:
    """Squares of such values over so many playouts are far beyond int64."""
    most, large = 2**53, 2**31 - 1
    ends = Histogram(-large, np.zeros((1, 1), np.int64)), Histogram(large, np.zeros((1, 1), np.int64))
    ends[0].counts[:], ends[1].counts[:] = most // 4, 3 * (most // 4)
    moments = [end.moments() for end in ends]
    total, squares = (sum(column) for column in zip(*moments, strict=True))
    assert (total, squares) == (large * (most // 2), large**2 * most)
    assert squares > 2**63
    mean = estimate_mean(total, squares, most, "cards")
    assert Fraction(mean.best) == pytest.approx(Fraction(total, most))
    assert mean.low < mean.best < mean.high


@pytest.mark.parametrize("file", sorted((Path(executors.__file__).parents[1] / "studies").glob("*.py")), ids=lambda f: f.stem)
def test_no_study_decides_by_itself_who_plays(file: Path) -> None:
    """So that every study can be played on a cluster."""
    names = {node.id for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}
    assert not names & {"Threads", "default_workers"}
