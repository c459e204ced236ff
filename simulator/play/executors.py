"""Executors: who plays the batches of a job. Here, threads over the kernel, which does not hold the GIL.

Whatever plays, a run or a study, describes what it wants as a `Job` and says who shall do it with `workers`: a number of
threads, or a place elsewhere such as a cluster. `executor_for` is the one spot that tells the two apart.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from simulator.errors import MisbehaviourError, UserError, place_of
from simulator.kernel import turns as kernel
from simulator.play.experiment import BATCH, Batch
from simulator.play.faults import explain_fault
from simulator.play.identity import RUN, id_of
from simulator.play.packing import check_fits, packed, unpacked
from simulator.play.patience import PATIENCE_S, attended, compiling
from simulator.play.step_faults import explain_stuck
from simulator.play.table import Table
from simulator.stats.tally import OutOfRangeError, Tally, tally_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from simulator.play.experiment import Experiment

    Answers = queue.Queue["_Answer[Part] | int"]

Part = TypeVar("Part")
Part_co = TypeVar("Part_co", covariant=True)
Rows = np.ndarray[Any, np.dtype[np.int32]]
Control = np.ndarray[Any, np.dtype[np.int64]]

_POLL_S = 0.2

NO_PLAYOUT = -1
"""In the place of the playout at hand: nothing compiled is at work, and what takes long is not the playing."""

_AHEAD = 32
"""Batches that each thread may be ahead of what was handed out; so memory does not grow where the taker is slow."""


def default_workers() -> int:
    """As many threads as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Executor(Protocol[Part_co]):
    """Who plays the batches of a job; everything is compiled when it is there."""

    def play(self, batches: Iterable[Batch]) -> Generator[tuple[Batch, Part_co], None, None]:
        """Play `batches`; yields each with its part, in order. Closing the generator stops what is still at work."""
        ...


class Place(Protocol):
    """Where a job can be played other than on threads of this process."""

    def executor(self, job: Job[Part], batches: int) -> Executor[Part]:
        """Who plays a job of so many batches there."""
        ...

    def threads(self) -> int:
        """How many batches are played there at once."""
        ...


Workers = int | Place | None
"""Who plays: a number of threads, all processors, or a place elsewhere. It does not change the result."""


@dataclass(frozen=True)
class Job(Generic[Part]):
    """What is to be played, apart from the batches. It can travel: everything in it can be rebuilt elsewhere.

    Attributes:
        worker: makes a worker of players, one for each experiment, and of the arguments; a class of an importable module.
        experiments: the questions.
        arguments: whatever else the worker takes; it has to be picklable, and its `repr` is part of the job's id.
    """

    worker: type[Worker[Part]]
    experiments: tuple[Experiment, ...]
    arguments: tuple[Any, ...] = ()

    def new_worker(self) -> Worker[Part]:
        """A worker with tables of its own."""
        return self.worker([BatchPlayer(e) for e in self.experiments], *self.arguments)

    @property
    def batch(self) -> int:
        """Playouts in a batch: what the slowest of the experiments asks for, and what the worker allows."""
        return min(self.worker.most, *(e.batch for e in self.experiments))

    @cached_property
    def id(self) -> str:
        """What a ledger remembers it by; where a single experiment is tallied, the experiment's id."""
        return id_of(self.worker.kind, self.experiments, self.arguments)


def check_workers(workers: Workers) -> None:
    """Find out before anything is played whether there is somebody to play.

    Raises:
        UserError: there are less than one.
    """
    if isinstance(workers, int) and workers < 1:
        message = f"The number of workers has to be at least 1, not {workers}."
        raise UserError(message)


def executor_for(job: Job[Part], batches: int, workers: Workers = None) -> Executor[Part]:
    """Who plays a job.

    Args:
        job: what.
        batches: how many there are to play; no more threads than that are made.
        workers: who.

    Raises:
        UserError: `workers` is below one, or nobody is there who could play.
        MisbehaviourError: a strategy or the game breaks its contract at once.
    """
    check_workers(workers)
    if workers is None or isinstance(workers, int):
        return Threads([job.new_worker() for _ in range(max(1, min(workers or default_workers(), batches)))])
    return workers.executor(job, batches)


def side_by_side(workers: Workers) -> tuple[int, Workers]:
    """How many short runs to play at once so that all of `workers` are busy, and what to give each of them as its workers."""
    if workers is None or isinstance(workers, int):
        return workers or default_workers(), 1
    return 2 * workers.threads(), workers


class BatchPlayer:
    """Plays batches of one experiment on a table of its own.

    Attributes:
        experiment: the question.
        table: state, view, rules and chance, wired to the compiled parts.
    """

    def __init__(self, experiment: Experiment) -> None:
        """Allocate the table, and compile what is not compiled yet."""
        self.experiment = experiment
        self.table = Table(experiment.game, experiment.rules, experiment.lineup)
        self._rows = np.empty((0, len(experiment.metrics)), np.int32)

    def rows(self, batch: Batch, control: Control) -> Rows | None:
        """The rows of a batch, on memory that the next call overwrites; None if a stop was asked for.

        Raises:
            MisbehaviourError: a strategy or the game broke its contract.
        """
        if len(self._rows) < batch.count:
            self._rows = np.empty((batch.count, len(self.experiment.metrics)), np.int32)
        rows = self._rows[: batch.count]
        _, fault = self.table.play(self.experiment.seed, batch.first, rows, control)
        control[kernel.CONTROL_PLAYOUT] = NO_PLAYOUT
        if fault["status"] == kernel.STOPPED:
            return None
        if fault["status"] != kernel.PLAYED:
            raise MisbehaviourError(explain_fault(self.experiment, fault))
        return rows

    def tally(self, batch: Batch, rows: Rows) -> Tally:
        """What the rows of a batch count up to.

        Raises:
            MisbehaviourError: a metric left the range that its game declares.
        """
        try:
            return tally_rows(rows, self.experiment.metrics)
        except OutOfRangeError as error:
            game, last = self.experiment.game, batch.first + batch.count - 1
            place = f"`metrics` at {place_of(game.metrics)}"
            message = f"Game '{game.name}' broke its promise in playouts {batch.first} to {last} ({place}): {error}."
            raise MisbehaviourError(message) from None


class Worker(ABC, Generic[Part]):
    """What one thread does: play a batch and reduce it to a part that adds.

    Attributes:
        kind: what becomes of the playouts, in a word; a ledger tells parts apart by it. Change it whenever a part that is made
            of the same playouts changes.
        most: playouts of a batch at the most.
        control: int64, shape (2,); see the kernel's CONTROL constants.
        current: who is playing, for saying who is stuck.
    """

    kind: ClassVar[str]
    most: ClassVar[int] = BATCH

    def __init__(self, players: Sequence[BatchPlayer]) -> None:
        """Take those who play, one after the other, the same batch."""
        self.players = players
        self.current = players[0]
        self.control = np.zeros(2, np.int64)

    def rows(self, player: BatchPlayer, batch: Batch) -> Rows | None:
        """The rows of one of the players."""
        self.current = player
        return player.rows(batch, self.control)

    @abstractmethod
    def play(self, batch: Batch) -> Part | None:
        """The part that a batch gives; None if a stop was asked for."""

    @staticmethod
    @abstractmethod
    def packed(part: Part) -> bytes:
        """A part as bytes, for a ledger."""

    @staticmethod
    @abstractmethod
    def unpacked(blob: bytes, job: Job[Part], batch: Batch) -> Part:
        """The part of a batch that `packed` made the bytes of; one of `packing.DAMAGE` is raised if it is none."""


class TallyWorker(Worker[Tally]):
    """Counts the rows of a single experiment."""

    kind = RUN

    def play(self, batch: Batch) -> Tally | None:
        """The tally of a batch."""
        rows = self.rows(self.current, batch)
        return None if rows is None else self.current.tally(batch, rows)

    @staticmethod
    def packed(part: Tally) -> bytes:
        """A tally as bytes."""
        return packed(part)

    @staticmethod
    def unpacked(blob: bytes, job: Job[Tally], batch: Batch) -> Tally:
        """The tally of a batch."""
        tally = unpacked(blob)
        check_fits(tally.games == batch.count and tally.names == tuple(m.name for m in job.experiments[0].metrics))
        return tally


@dataclass
class _Answer(Generic[Part]):
    number: int
    batch: Batch
    part: Part | None
    error: BaseException | None


class Threads(Generic[Part]):
    """Plays batches on threads and hands the parts out in the order of the plan.

    They are ahead of what was handed out by some batches at most, so that memory does not grow. The threads are daemons:
    one that is stuck in a strategy cannot be stopped, and must not keep the process alive.
    """

    def __init__(self, workers: Sequence[Worker[Part]]) -> None:
        """Take the workers, and have everything compiled before the clock starts by playing a single playout."""
        self.workers = workers
        self.controls = [worker.control for worker in workers]
        self.busy = [False] * len(workers)
        for control in self.controls:
            control[:] = 0
        self.controls[0][kernel.CONTROL_PLAYOUT] = NO_PLAYOUT
        watch = _Watch(self.workers[:1], [True])
        attended(lambda: workers[0].play(Batch(0, 1)), lambda: self._complain_if_stuck(watch))

    def play(self, batches: Iterable[Batch]) -> Generator[tuple[Batch, Part], None, None]:
        """Play `batches`; yields each with its part, in order.

        Raises:
            MisbehaviourError: a strategy or the game broke its contract.
        """
        answers: queue.Queue[_Answer[Part] | int] = queue.Queue()
        work = _Work(batches, _AHEAD * len(self.workers))
        threads = [
            threading.Thread(target=self._run, args=(i, work, answers), daemon=True, name=f"playouts-{i}") for i in range(len(self.workers))
        ]
        for control in self.controls:
            control[:] = 0
        for thread in threads:
            thread.start()
        try:
            yield from self._in_order(answers, work)
        finally:
            for control in self.controls:
                control[kernel.CONTROL_STOP] = 1
            for thread in threads:
                thread.join(timeout=1.0)

    def _run(self, worker: int, work: _Work, answers: Answers[Part]) -> None:
        """A thread: answers for batch after batch, and its own number when there is nothing left to do."""
        try:
            self._work(worker, work, answers)
        finally:
            answers.put(worker)

    def _work(self, worker: int, work: _Work, answers: Answers[Part]) -> None:
        while (result := work.next(self.controls[worker])) is not None:
            number, batch = result
            self.busy[worker] = True
            try:
                part = self.workers[worker].play(batch)
            except BaseException as error:  # noqa: BLE001  handed to the thread that waits for the answer
                answers.put(_Answer(number, batch, None, error))
                return
            finally:
                self.busy[worker] = False
            if part is not None:
                answers.put(_Answer(number, batch, part, None))

    def _in_order(self, answers: Answers[Part], work: _Work) -> Iterator[tuple[Batch, Part]]:
        waiting: dict[int, _Answer[Part]] = {}
        following = ended = 0
        watch = _Watch(self.workers, self.busy)
        while ended < len(self.workers):
            self._complain_if_stuck(watch)
            try:
                answer = answers.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if isinstance(answer, int):
                ended += 1
                continue
            waiting[answer.number] = answer
            while following in waiting:
                ready = waiting.pop(following)
                if ready.error is not None:
                    raise ready.error
                following += 1
                assert ready.part is not None  # noqa: S101  an answer has a part or an error
                yield ready.batch, ready.part
                work.handed_out()

    def _complain_if_stuck(self, watch: _Watch) -> None:
        stuck = watch.stuck()
        if stuck is None:
            return
        playout = int(self.controls[stuck][kernel.CONTROL_PLAYOUT])
        raise MisbehaviourError(explain_stuck(self.workers[stuck].current.experiment, playout, PATIENCE_S))


class _Work:
    """The batches that are left, shared among threads, and how far they may go ahead of what was handed out."""

    def __init__(self, batches: Iterable[Batch], ahead: int) -> None:
        self.left = iter(enumerate(batches))
        self.lock = threading.Lock()
        self.room = threading.Semaphore(ahead)

    def next(self, control: Control) -> tuple[int, Batch] | None:
        """The next batch and its number, once there is room for what becomes of it; None at the end, or if a stop was asked for."""
        while not control[kernel.CONTROL_STOP]:
            if self.room.acquire(timeout=_POLL_S):
                with self.lock:
                    return next(self.left, None)
        return None

    def handed_out(self) -> None:
        """Make room for another batch."""
        self.room.release()


class _Watch:
    """Notices when a worker makes no progress."""

    def __init__(self, workers: Sequence[Worker[Any]], busy: list[bool]) -> None:
        self.workers, self.busy = workers, busy
        self.seen = [(-1, -1)] * len(workers)
        self.looked = time.monotonic()
        self.since = [self.looked] * len(workers)

    def stuck(self) -> int | None:
        """A worker that has been in one decision for longer than PATIENCE_S, as far as somebody has been looking."""
        now = time.monotonic()
        away = now - self.looked > PATIENCE_S / 2
        self.looked = now
        for i, worker in enumerate(self.workers):
            state = (int(worker.control[kernel.CONTROL_PLAYOUT]), int(worker.current.table.head["decisions"]))
            if away or state != self.seen[i] or not self.busy[i] or state[0] == NO_PLAYOUT or compiling():
                self.seen[i], self.since[i] = state, now
            elif now - self.since[i] > PATIENCE_S:
                return i
        return None
