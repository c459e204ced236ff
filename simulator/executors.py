"""Executors: who plays the batches. Here, threads over the kernel, which does not hold the GIL."""

from __future__ import annotations

import os
import queue
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from simulator.errors import MisbehaviourError
from simulator.experiment import Batch
from simulator.faults import explain_fault
from simulator.kernel import playout as kernel
from simulator.rehearsal import PATIENCE_S
from simulator.table import Table
from simulator.tally import OutOfRangeError, Tally, tally_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from simulator.experiment import Experiment

    Answers = queue.Queue["_Answer[Part] | int"]

Part = TypeVar("Part")
Rows = np.ndarray[Any, np.dtype[np.int32]]
Control = np.ndarray[Any, np.dtype[np.int64]]

_POLL_S = 0.2


def default_workers() -> int:
    """As many threads as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
        self._rows = np.zeros((0, 0), np.int32)

    def rows(self, batch: Batch, control: Control) -> Rows | None:
        """The rows of a batch, on memory that the next call overwrites; None if a stop was asked for.

        Raises:
            MisbehaviourError: a strategy or the game broke its contract.
        """
        if len(self._rows) < batch.count:
            self._rows = np.zeros((batch.count, len(self.experiment.metrics)), np.int32)
        rows = self._rows[: batch.count]
        _, fault = self.table.play(self.experiment.seed, batch.first, rows, control)
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
            last = batch.first + batch.count - 1
            message = f"Game '{self.experiment.game.name}' broke its promise in playouts {batch.first} to {last}: {error}."
            raise MisbehaviourError(message) from None


class Worker(ABC, Generic[Part]):
    """What one thread does: play a batch and reduce it to a part that adds.

    Attributes:
        control: int64, shape (3,); see the kernel's CONTROL constants.
        current: who is playing, for saying who is stuck.
    """

    def __init__(self, players: Sequence[BatchPlayer]) -> None:
        """Take those who play, one after the other, the same batch."""
        self.players = players
        self.current = players[0]
        self.control = np.zeros(3, np.int64)

    def rows(self, player: BatchPlayer, batch: Batch) -> Rows | None:
        """The rows of one of the players."""
        self.current = player
        return player.rows(batch, self.control)

    @abstractmethod
    def play(self, batch: Batch) -> Part | None:
        """The part that a batch gives; None if a stop was asked for."""


class TallyWorker(Worker[Tally]):
    """Counts the rows of a single experiment."""

    def play(self, batch: Batch) -> Tally | None:
        """The tally of a batch."""
        rows = self.rows(self.current, batch)
        return None if rows is None else self.current.tally(batch, rows)


@dataclass
class _Answer(Generic[Part]):
    number: int
    batch: Batch
    part: Part | None
    error: BaseException | None


class Threads(Generic[Part]):
    """Plays batches on threads and hands the parts out in the order of the plan.

    The threads are daemons: one that is stuck in a strategy cannot be stopped, and must not keep the process alive.
    """

    def __init__(self, workers: Sequence[Worker[Part]]) -> None:
        """Take the workers, and have everything compiled before the clock starts by playing a single playout."""
        self.workers = workers
        self.controls = [worker.control for worker in workers]
        workers[0].play(Batch(0, 1))

    def play(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Part]]:
        """Play `batches`; yields each with its part, in order.

        Raises:
            MisbehaviourError: a strategy or the game broke its contract.
        """
        answers: queue.Queue[_Answer[Part] | int] = queue.Queue()
        work = iter(enumerate(batches))
        lock = threading.Lock()
        threads = [
            threading.Thread(target=self._run, args=(i, work, lock, answers), daemon=True, name=f"playouts-{i}")
            for i in range(len(self.workers))
        ]
        for control in self.controls:
            control[:] = 0
        for thread in threads:
            thread.start()
        try:
            yield from self._in_order(answers)
        finally:
            for control in self.controls:
                control[kernel.CONTROL_STOP] = 1
            for thread in threads:
                thread.join(timeout=1.0)

    def _run(self, worker: int, work: Iterator[tuple[int, Batch]], lock: threading.Lock, answers: Answers[Part]) -> None:
        """A thread: answers for batch after batch, and its own number when there is nothing left to do."""
        try:
            self._work(worker, work, lock, answers)
        finally:
            answers.put(worker)

    def _work(self, worker: int, work: Iterator[tuple[int, Batch]], lock: threading.Lock, answers: Answers[Part]) -> None:
        while not self.controls[worker][kernel.CONTROL_STOP]:
            with lock:
                number, batch = next(work, (-1, None))
            if batch is None:
                return
            try:
                part = self.workers[worker].play(batch)
            except BaseException as error:  # noqa: BLE001  handed to the thread that waits for the answer
                answers.put(_Answer(number, batch, None, error))
                return
            if part is not None:
                answers.put(_Answer(number, batch, part, None))

    def _in_order(self, answers: Answers[Part]) -> Iterator[tuple[Batch, Part]]:
        waiting: dict[int, _Answer[Part]] = {}
        following = ended = 0
        watch = _Watch(self.controls)
        while ended < len(self.workers):
            self._complain_if_stuck(watch)
            try:
                answer = answers.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if isinstance(answer, int):
                ended += 1
                watch.ended.add(answer)
                continue
            waiting[answer.number] = answer
            while following in waiting:
                ready = waiting.pop(following)
                if ready.error is not None:
                    raise ready.error
                following += 1
                assert ready.part is not None  # noqa: S101  an answer has a part or an error
                yield ready.batch, ready.part

    def _complain_if_stuck(self, watch: _Watch) -> None:
        stuck = watch.stuck()
        if stuck is None:
            return
        playout = int(self.controls[stuck][kernel.CONTROL_PLAYOUT])
        experiment, table = self.workers[stuck].current.experiment, self.workers[stuck].current.table
        seat = int(table.view_start["seat"])
        name = experiment.lineup[seat].label
        message = (
            f"Strategy '{name}' has not answered for {PATIENCE_S:.0f} seconds in playout {playout} of {experiment.game.name} "
            f"(seat {seat}, turn {int(table.head['turn'])}); a strategy must end for every view."
        )
        raise MisbehaviourError(message)


class _Watch:
    """Notices when a worker makes no progress."""

    def __init__(self, controls: list[np.ndarray[Any, Any]]) -> None:
        self.controls = controls
        self.seen = [(-1, -1)] * len(controls)
        self.since = [time.monotonic()] * len(controls)
        self.ended: set[int] = set()

    def stuck(self) -> int | None:
        """A worker that has been in one decision for longer than PATIENCE_S."""
        now = time.monotonic()
        for i, control in enumerate(self.controls):
            state = (int(control[kernel.CONTROL_PLAYOUT]), int(control[kernel.CONTROL_DECISIONS]))
            if state != self.seen[i]:
                self.seen[i], self.since[i] = state, now
            elif i not in self.ended and now - self.since[i] > PATIENCE_S:
                return i
        return None
