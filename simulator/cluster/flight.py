"""Batches under way on a cluster.

They go out as tasks of about a second and come back as one part per batch, which are handed out in the order of the plan.
So whatever looks at them, digest, stopping rule and ledger, sees the same as with threads. A task may be played twice, when
a worker is lost and then turns out to be alive; only one answer to it is ever taken.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from simulator.cluster.limits import ATTEMPTS, LOOK_S, POLL_S, ClusterError
from simulator.cluster.tasks import Answer, errand, packed_job, perform
from simulator.cluster.travel import versions_of
from simulator.errors import described

if TYPE_CHECKING:
    from distributed import Future

    from simulator.cluster.connection import Cluster
    from simulator.play.executors import Job
    from simulator.play.experiment import Batch

Part = TypeVar("Part")

TASK_S = 1.0
"""What a task shall take: long against the time it takes to send it, short against the patience of whoever stops it."""

AHEAD = 3
"""Tasks per thread that are not handed out yet: one is being played, one waits for that, and one for its turn."""

MOST_BATCHES = 1000
"""A task has no more of them than this, however fast they are: their parts have to come back."""


class ClusterExecutor(Generic[Part]):
    """Plays the batches of one job on a cluster."""

    def __init__(self, cluster: Cluster, job: Job[Part], batches: int) -> None:
        """Connect, and have every worker try the job out, which also compiles it there."""
        self.cluster, self.batches = cluster, batches
        self.game = job.experiments[0].game.name
        self.parcel = packed_job(job)
        cluster.connect()
        cluster.examine(job, self.parcel)

    def play(self, batches: Iterable[Batch]) -> Generator[tuple[Batch, Part], None, None]:
        """Play `batches`; yields each with its part, in order.

        Raises:
            MisbehaviourError: a strategy or the game broke its contract.
            ClusterError: the cluster is gone, or a batch fails again and again.
        """
        flight: _Flight[Part] = _Flight(self, batches)
        try:
            yield from flight.parts()
        finally:
            flight.call_off()


@dataclass(eq=False)
class _Sent(Generic[Part]):
    """A task that was sent, and what became of it: parts of its batches, and what went wrong in the one after these."""

    number: int
    batches: tuple[Batch, ...]
    future: Future | None = None
    workers: frozenset[str] = frozenset()  # who alone may play it; none for anybody
    failures: int = 0
    parts: list[Part] | None = None
    error: BaseException | None = None


class _Flight(Generic[Part]):
    """The tasks of one plan that are under way, or are back and wait for their turn."""

    def __init__(self, executor: ClusterExecutor[Part], batches: Iterable[Batch]) -> None:
        self.executor, self.cluster = executor, executor.cluster
        self.left, self.remaining = iter(batches), executor.batches
        self.wanted = versions_of(perform)
        self.sent: dict[int, _Sent[Part]] = {}
        self.begun = self.following = 0
        self.answers: queue.Queue[tuple[int, Future]] = queue.Queue()
        self.batch_s: float | None = None
        self.generation = self.cluster.connect()
        self.looked = self.seen = time.monotonic()

    def parts(self) -> Iterator[tuple[Batch, Part]]:
        """All parts in the order of the plan."""
        self._fill()
        while self.sent:
            task = self.sent[self.following]
            if task.parts is None:
                self._await()
                continue
            del self.sent[self.following]
            self.following += 1
            self._fill()
            yield from zip(task.batches, task.parts, strict=task.error is None)
            if task.error is not None:
                raise task.error

    def call_off(self) -> None:
        """What is not needed any more is not begun."""
        futures = [task.future for task in self.sent.values() if task.future is not None]
        if futures:
            with contextlib.suppress(Exception):  # whatever Dask raises: this need not succeed
                self.cluster.client().cancel(futures)

    # ------------------------------------------------------------ there

    def _fill(self) -> None:
        """Send tasks, but only so many as are soon handed out: memory does not grow with the plan."""
        try:
            threads = max(1, sum(self.cluster.workers().values()))
        except ConnectionError:
            self._recover()
            return
        while len(self.sent) < AHEAD * threads:
            batches = tuple(islice(self.left, self._how_many(threads)))
            if not batches:
                return
            self.remaining -= len(batches)
            task: _Sent[Part] = _Sent(self.begun, batches)
            self.sent[task.number] = task
            self.begun += 1
            self._send(task)

    def _how_many(self, threads: int) -> int:
        """As many batches as take about a second; towards the end fewer, so that everybody has something to do."""
        if self.batch_s is None:
            return 1
        return max(1, min(int(TASK_S / max(self.batch_s, 1e-6)), MOST_BATCHES, self.remaining // (2 * threads)))

    def _send(self, task: _Sent[Part]) -> None:
        try:
            task.workers = self.cluster.fit_only()
            future = self.cluster.send(errand(self.wanted, self.executor.parcel, task.batches), -task.number, task.workers)
        except ConnectionError:
            self._recover()
            return
        task.future = future
        future.add_done_callback(lambda done: self.answers.put((task.number, done)))

    def _recover(self) -> None:
        """The connection is lost, and with it all that was under way: connect anew and send that again."""
        self.generation = self.cluster.reconnect(self.generation)
        self.looked = self.seen = time.monotonic()
        for task in list(self.sent.values()):
            if task.parts is None:
                self._send(task)

    # ------------------------------------------------------------ and back

    def _await(self) -> None:
        """Take an answer if there is one soon; now and then look after the cluster."""
        if time.monotonic() - self.looked > LOOK_S:
            self.looked = time.monotonic()
            self._look_after()
        try:
            number, future = self.answers.get(timeout=POLL_S)
        except queue.Empty:
            return
        task = self.sent.get(number)
        if task is not None and task.future is future:  # and not a second answer to a task that was sent again
            task.future = None  # so that it need not be kept over there
            self._take(task, future)

    def _look_after(self) -> None:
        try:
            workers = self.cluster.workers()
        except ConnectionError:
            self._recover()
            return
        if workers:
            self.seen = time.monotonic()
            self._send_stranded(workers)
        elif time.monotonic() - self.seen > self.cluster.patience_s:
            raise ClusterError(self.cluster.workerless())

    def _send_stranded(self, workers: Iterable[str]) -> None:
        """Send again what only workers may play that are all gone."""
        for task in list(self.sent.values()):
            if task.future is not None and task.workers and task.workers.isdisjoint(workers):
                self._send(task)

    def _take(self, task: _Sent[Part], future: Future) -> None:
        if future.status == "finished":
            try:
                answer: Answer = future.result(timeout=self.cluster.patience_s)
            except (OSError, TimeoutError, CancelledError):  # lost with the worker that kept it
                self._send(task)
            else:
                self._take_answer(task, answer)
        elif future.status == "error":
            self._take_error(task, future.exception())
        else:
            self._send(task)

    def _take_answer(self, task: _Sent[Part], answer: Answer) -> None:
        if answer.unfit:
            self.cluster.refuse(answer.worker, answer.unfit)
            self._send(task)
        elif answer.failure:
            self._try_again(task, answer.failure, answer.parts, task.batches[len(answer.parts)])
        else:
            task.parts, task.error = answer.parts, answer.error
            if answer.parts:
                latest = answer.seconds / len(answer.parts)
                self.batch_s = latest if self.batch_s is None else (self.batch_s + latest) / 2

    def _take_error(self, task: _Sent[Part], error: BaseException | None) -> None:
        """The worker did not get as far as answering: it died, or can play nothing at all."""
        from distributed.scheduler import KilledWorker  # noqa: PLC0415  an extra

        if isinstance(error, KilledWorker):
            task.failures = ATTEMPTS - 1
            self._try_again(task, "the workers that tried it died of it")
            return
        unfit = self.cluster.unfit_for(self.executor.parcel, self._present())
        for worker, reason in unfit.items():
            self.cluster.refuse(worker, reason)
        if unfit or self._others_may_play(task):
            self._send(task)
        else:
            self._try_again(task, described(error) if error is not None else "it failed")

    def _others_may_play(self, task: _Sent[Part]) -> bool:
        """Whether the workers that may play are others than when a task was sent: one of those may have been unfit."""
        with contextlib.suppress(ConnectionError):
            return task.workers != self.cluster.fit_only()
        return True

    def _present(self) -> list[str]:
        with contextlib.suppress(ConnectionError):
            return list(self.cluster.workers(anew=True))
        return []

    def _try_again(self, task: _Sent[Part], reason: str, parts: Sequence[Part] = (), failed: Batch | None = None) -> None:
        """Try a task once more, or give up, in its turn, with a sentence that names the batch; all of them if it is not known which."""
        task.failures += 1
        if task.failures < ATTEMPTS:
            self._send(task)
            return
        first, last = failed or task.batches[0], failed or task.batches[-1]
        message = (
            f"Playouts {first.first} to {last.first + last.count - 1} of {self.executor.game} failed {ATTEMPTS} times on the cluster: "
            f"{reason}; what a ledger holds is not played again."
        )
        task.parts, task.error = list(parts), ClusterError(message)
