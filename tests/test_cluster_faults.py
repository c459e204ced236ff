"""What a cluster does when something breaks: a real scheduler and real workers, killed, frozen and started again in the middle.

Each run ends with the digest that threads give, or with a sentence and a ledger from which the next call goes on.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from functools import partial, reduce
from pathlib import Path
from typing import Any

import programs
import pytest
from cluster_processes import (
    WITHOUT_THE_PACKAGE,
    DyingWorker,
    FailingWorker,
    LoggingWorker,
    Processes,
    played,
    processes,
    wait_for,
    without_lost_sockets,
)

from simulator.cluster import Cluster, ClusterError
from simulator.play.executors import Job, TallyWorker, executor_for
from simulator.play.experiment import BATCH, Experiment, plan
from simulator.play.ledger import Ledger
from simulator.play.run import make_experiment, run_experiment

pytest.importorskip("distributed")

BATCHES = 40
patient = partial(Cluster, patience_s=programs.PATIENCE_S)


@pytest.fixture(autouse=True)
def no_lost_sockets() -> Iterator[None]:
    """What a test leaves behind is no matter of the next one."""
    with without_lost_sockets():
        yield


@pytest.fixture(scope="module")
def question() -> Experiment:
    return make_experiment("pig", players=2, strategies=["hold"], seed=7)


@pytest.fixture(scope="module")
def right(question: Experiment) -> str:
    """The digest that threads give."""
    return run_experiment(question, BATCHES * BATCH).digest


def at(*events: tuple[int, Callable[[], Any]]) -> Callable[[int, Any], None]:
    """Progress that makes things happen, each once so many batches are counted."""
    left = list(events)

    def progress(done: int, _tally: Any) -> None:
        while left and done >= left[0][0] * BATCH:
            left.pop(0)[1]()

    return progress


def test_two_killed_workers_and_a_new_one_leave_no_trace(question: Experiment, right: str) -> None:
    with processes() as there, patient(there.address) as cluster:
        wait_for(cluster, 3)
        happens = at((5, lambda: there.kill(0)), (15, lambda: there.kill(1)), (20, there.add_worker))
        result = run_experiment(question, BATCHES * BATCH, workers=cluster, progress=happens)
        wait_for(cluster, 2)
    assert [w.exitcode for w in there.workers] == [-signal.SIGKILL] * 4, "the first two were killed in the run, the others after it"
    assert (result.games, result.digest) == (BATCHES * BATCH, right)


def test_a_scheduler_that_comes_back_is_given_what_was_under_way(question: Experiment, right: str, tmp_path: Path) -> None:
    def comes_back(there: Processes) -> None:
        there.restart_scheduler()
        there.add_worker()

    told: list[str] = []
    with (
        processes(["", ""]) as there,
        patient(there.address, tell=told.append) as cluster,
        Ledger(tmp_path / "l.sqlite") as ledger,
    ):
        wait_for(cluster, 2)
        happens = at((10, lambda: comes_back(there)))
        result = run_experiment(question, BATCHES * BATCH, workers=cluster, ledger=ledger, progress=happens)
        assert ledger.batches(Job(TallyWorker, (question,))) == frozenset(plan(BATCHES * BATCH))
    assert result.digest == right
    assert ["is gone; waiting" in sentence for sentence in told] == [True]


def test_after_a_scheduler_that_stays_away_the_next_call_goes_on(question: Experiment, right: str, tmp_path: Path) -> None:
    with Ledger(tmp_path / "l.sqlite") as ledger:
        with processes(["", ""]) as there, Cluster(there.address, patience_s=2.0) as cluster:
            wait_for(cluster, 2)
            with pytest.raises(ClusterError, match="is gone and did not come back within 2 seconds; start it again and repeat"):
                run_experiment(question, BATCHES * BATCH, workers=cluster, ledger=ledger, progress=at((10, there.stop_scheduler)))
        kept = ledger.batches(Job(TallyWorker, (question,)))
        assert 10 <= len(kept) < BATCHES
        with processes(["", ""]) as there, patient(there.address) as cluster:
            wait_for(cluster, 2)
            assert run_experiment(question, BATCHES * BATCH, workers=cluster, ledger=ledger).digest == right
        assert ledger.batches(Job(TallyWorker, (question,))) > kept


def test_when_all_workers_are_gone_a_sentence_says_so(question: Experiment, tmp_path: Path) -> None:
    with processes([""]) as there, Cluster(there.address, patience_s=2.0) as cluster, Ledger(tmp_path / "l.sqlite") as ledger:
        cluster.patience_s = programs.PATIENCE_S
        wait_for(cluster, 1)
        cluster.patience_s = 2.0
        with pytest.raises(ClusterError, match="has had no worker for 2 seconds; start some with `dask worker tcp://"):
            run_experiment(question, BATCHES * BATCH, workers=cluster, ledger=ledger, progress=at((5, lambda: there.kill(0))))
        assert len(ledger.batches(Job(TallyWorker, (question,)))) >= 5


def test_a_batch_that_two_workers_played_is_counted_once(question: Experiment, tmp_path: Path) -> None:
    """A frozen worker is given up for lost, and its tasks are played by the other; then it thaws and goes on with them."""
    log = tmp_path / "log"
    job = Job(LoggingWorker, (question,), (str(log), 0.1))
    with (
        processes(["", ""], **{"distributed.scheduler.worker-ttl": "10s"}) as there,
        patient(there.address) as cluster,
    ):
        wait_for(cluster, 2)
        parts = []
        for batch, part in executor_for(job, 24, cluster).play(plan(24 * BATCH)):
            parts.append((batch, part))
            if len(parts) == 6:
                there.kill(0, signal.SIGSTOP)
            if len(parts) == 16:
                there.kill(0, signal.SIGCONT)
    assert [batch for batch, _ in parts] == list(plan(24 * BATCH))
    assert reduce(lambda a, b: a + b, (part for _, part in parts)).digest == run_experiment(question, 24 * BATCH).digest
    twice = [first for first, who in played(log).items() if len(set(who)) == 2]
    assert twice, "no batch was played by both, so this test shows nothing"


def test_a_batch_that_fails_three_times_is_named(question: Experiment, tmp_path: Path) -> None:
    log = tmp_path / "log"
    job = Job(FailingWorker, (question,), (str(log),))
    with processes(["", ""]) as there, patient(there.address) as cluster:
        wait_for(cluster, 2)
        done = []
        sentence = f"Playouts {3 * BATCH} to {4 * BATCH - 1} of pig failed 3 times on the cluster: ValueError: out of order"
        with pytest.raises(ClusterError, match=sentence):
            done.extend(batch for batch, _ in executor_for(job, 40, cluster).play(plan(40 * BATCH)))
    assert done == list(plan(3 * BATCH)), "what comes before it was handed out"
    assert len(played(log)[3 * BATCH]) == 3


def test_a_batch_that_kills_three_workers_is_named(question: Experiment, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with patient("local:2") as cluster:
        executor = executor_for(Job(DyingWorker, (question,), (str(log),)), 6, cluster)
        sentence = f"Playouts {3 * BATCH} to {4 * BATCH - 1} of pig failed 3 times on the cluster: the workers that tried it died"
        with pytest.raises(ClusterError, match=sentence):
            list(executor.play(plan(6 * BATCH)))
    assert len(set(played(log)[3 * BATCH])) == 3


def test_a_worker_that_joins_later_and_cannot_play_is_given_nothing(question: Experiment, right: str) -> None:
    told: list[str] = []
    with processes(["", ""]) as there, patient(there.address, tell=told.append) as cluster:
        wait_for(cluster, 2)
        cluster.executor(Job(LoggingWorker, (question,), ("",)), 1)
        there.add_worker(WITHOUT_THE_PACKAGE)
        wait_for(cluster, 3)
        monkey = cluster.examine
        cluster.examine = lambda *_: None  # type: ignore[method-assign]  # as if it had joined after the examination
        result = run_experiment(question, BATCHES * BATCH, workers=cluster)
        cluster.examine = monkey  # type: ignore[method-assign]  # as it was
    assert result.digest == right
    assert [sentence.endswith("lacks the package ludometer; it is given nothing to play.") for sentence in told] == [True]
