"""Executors: who plays the batches. Here, threads over the kernel, which does not hold the GIL."""

from __future__ import annotations

import os
import queue
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.errors import MisbehaviourError
from simulator.experiment import Batch
from simulator.faults import explain_fault
from simulator.kernel import playout as kernel
from simulator.rehearsal import PATIENCE_S
from simulator.table import Table
from simulator.tally import OutOfRangeError, Tally, tally_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from simulator.experiment import Experiment

_POLL_S = 0.2


def default_workers() -> int:
    """As many threads as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class _Answer:
    number: int
    batch: Batch
    tally: Tally | None
    error: BaseException | None


class Threads:
    """Plays batches on threads and hands the tallies out in the order of the plan.

    The threads are daemons: one that is stuck in a strategy cannot be stopped, and must not keep the process alive.
    """

    def __init__(self, experiment: Experiment, workers: int) -> None:
        """Allocate a table per worker, and compile what is not compiled yet."""
        self.experiment = experiment
        self.tables = [Table(experiment.game, experiment.rules, experiment.lineup) for _ in range(workers)]
        self.controls = [np.zeros(3, np.int64) for _ in range(workers)]
        self._warm_up()

    def _warm_up(self) -> None:
        """Have everything compiled before the clock starts: play and count a single playout."""
        self._play_batch(0, Batch(0, 1), np.zeros((1, len(self.experiment.metrics)), np.int32))

    @property
    def started(self) -> int:
        """Rough number of the playout furthest on, for a progress display."""
        return max(int(control[kernel.CONTROL_PLAYOUT]) for control in self.controls)

    def play(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Tally]]:
        """Play `batches`; yields each with its tally, in order.

        Raises:
            MisbehaviourError: a strategy or the game broke its contract.
        """
        answers: queue.Queue[_Answer | int] = queue.Queue()
        work = iter(enumerate(batches))
        lock = threading.Lock()
        threads = [
            threading.Thread(target=self._run, args=(i, work, lock, answers), daemon=True, name=f"playouts-{i}")
            for i in range(len(self.tables))
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

    def _run(self, worker: int, work: Iterator[tuple[int, Batch]], lock: threading.Lock, answers: queue.Queue[_Answer | int]) -> None:
        """A thread: answers for batch after batch, and its own number when there is nothing left to do."""
        try:
            self._work(worker, work, lock, answers)
        finally:
            answers.put(worker)

    def _work(self, worker: int, work: Iterator[tuple[int, Batch]], lock: threading.Lock, answers: queue.Queue[_Answer | int]) -> None:
        rows = np.zeros((0, 0), np.int32)
        while not self.controls[worker][kernel.CONTROL_STOP]:
            with lock:
                number, batch = next(work, (-1, None))
            if batch is None:
                return
            if len(rows) < batch.count:
                rows = np.zeros((batch.count, len(self.experiment.metrics)), np.int32)
            try:
                tally = self._play_batch(worker, batch, rows[: batch.count])
            except BaseException as error:  # noqa: BLE001  handed to the thread that waits for the answer
                answers.put(_Answer(number, batch, None, error))
                return
            if tally is not None:
                answers.put(_Answer(number, batch, tally, None))

    def _play_batch(self, worker: int, batch: Batch, rows: np.ndarray[Any, np.dtype[np.int32]]) -> Tally | None:
        table = self.tables[worker]
        _, fault = table.play(self.experiment.seed, batch.first, rows, self.controls[worker])
        if fault["status"] == kernel.STOPPED:
            return None
        if fault["status"] != kernel.PLAYED:
            raise MisbehaviourError(explain_fault(self.experiment, fault))
        try:
            return tally_rows(rows, self.experiment.metrics)
        except OutOfRangeError as error:
            last = batch.first + batch.count - 1
            message = f"Game '{self.experiment.game.name}' broke its promise in playouts {batch.first} to {last}: {error}."
            raise MisbehaviourError(message) from None

    def _in_order(self, answers: queue.Queue[_Answer | int]) -> Iterator[tuple[Batch, Tally]]:
        waiting: dict[int, _Answer] = {}
        following = ended = 0
        watch = _Watch(self.controls)
        while ended < len(self.tables):
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
                assert ready.tally is not None  # noqa: S101  an answer has a tally or an error
                yield ready.batch, ready.tally

    def _complain_if_stuck(self, watch: _Watch) -> None:
        stuck = watch.stuck()
        if stuck is None:
            return
        playout = int(self.controls[stuck][kernel.CONTROL_PLAYOUT])
        table = self.tables[stuck]
        seat = int(table.view_start["seat"])
        name = self.experiment.lineup[seat].label
        message = (
            f"Strategy '{name}' has not answered for {PATIENCE_S:.0f} seconds in playout {playout} of {self.experiment.game.name} "
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
