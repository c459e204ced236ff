"""What a worker of a cluster does: put a job together, once, and play batch after batch of it."""

from __future__ import annotations

import hashlib
import pickle
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from simulator.cluster.travel import UnfitError, check_versions, packed, unpacked, versions_of
from simulator.errors import MisbehaviourError, UserError, described
from simulator.play.executors import Job, Threads
from simulator.play.experiment import Batch

KEPT = 8
"""Jobs that a worker keeps ready to go on with."""


@dataclass(frozen=True)
class Answer:
    """What became of a task.

    Attributes:
        parts: of its batches in order, as far as they were played.
        seconds: how long that took.
        worker: name of the process, for whoever keeps count of who did what.
        error: what a strategy or the game did wrong in the batch after these.
        failure: what went wrong otherwise in the batch after these, in words.
        unfit: why nothing can be played there, as a clause.
    """

    parts: list[Any] = field(default_factory=list)
    seconds: float = 0.0
    worker: str = ""
    error: UserError | None = None
    failure: str = ""
    unfit: str = ""


class Task:
    """Batches of a job, to be played by whoever unpickles it.

    So a scheduler hands on bytes: it needs neither this package nor the games.
    """

    def __init__(self, wanted: dict[str, str], job: bytes, batches: tuple[Batch, ...]) -> None:
        """Take the versions that are wanted, and the packed job; without batches it is only tried out."""
        self.wanted, self.job, self.batches = wanted, job, batches

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return perform, (self.wanted, self.job, tuple((b.first, b.count) for b in self.batches))


def packed_job(job: Job[Any]) -> bytes:
    """A job as bytes, with the versions of what its worker is made of.

    Raises:
        UserError: something in it cannot travel.
    """
    return packed((versions_of(job.worker), job))


def perform(wanted: dict[str, str], job: bytes, batches: tuple[tuple[int, int], ...]) -> Answer:
    """Play some batches of a job, given as first playout and count."""
    worker = _name()
    try:
        check_versions(wanted, versions_of(perform))
        threads = _ready(job)
    except MisbehaviourError as error:
        return Answer(worker=worker, error=error)
    except UnfitError as error:
        return Answer(worker=worker, unfit=str(error))
    parts: list[Any] = []
    start = time.perf_counter()
    try:
        for _, part in threads.play(Batch(*batch) for batch in batches):
            parts.append(part)
    except MisbehaviourError as error:
        return Answer(parts, time.perf_counter() - start, worker, error=error)
    except Exception as error:  # noqa: BLE001  whatever it is, it goes back to who sent the task
        return Answer(parts, time.perf_counter() - start, worker, failure=described(error))
    _put_back(job, threads)
    return Answer(parts, time.perf_counter() - start, worker)


def _name() -> str:
    from distributed import get_worker  # noqa: PLC0415  an extra

    try:
        return str(get_worker().address)
    except ValueError:  # no worker of a cluster
        return ""


_idle: OrderedDict[str, list[Threads[Any]]] = OrderedDict()
_lock = threading.Lock()
_building = threading.Lock()


def _ready(job: bytes) -> Threads[Any]:
    """Somebody who plays a job: one who did before and has nothing to do, or a new one."""
    with _lock:
        waiting = _idle.get(_key(job))
        if waiting:
            return waiting.pop()
    with _building:
        wanted, arrived = unpacked(job)
        check_versions(wanted, versions_of(arrived.worker))
        try:
            return Threads([arrived.new_worker()])
        except MisbehaviourError:
            raise
        except UserError as error:
            reason = f"cannot play it: {str(error).rstrip('.')}"
        raise UnfitError(reason)


def _put_back(job: bytes, threads: Threads[Any]) -> None:
    with _lock:
        _idle.setdefault(_key(job), []).append(threads)
        _idle.move_to_end(_key(job))
        while len(_idle) > KEPT:
            _idle.popitem(last=False)


def _key(job: bytes) -> str:
    return hashlib.sha256(job).hexdigest()


def errand(wanted: dict[str, str], job: bytes, batches: tuple[Batch, ...] = ()) -> bytes:
    """A task as bytes; unpickling them performs it."""
    return pickle.dumps(Task(wanted, job, batches))
