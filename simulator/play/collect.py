"""Collecting: whatever is played is added up here, stopped early, cut short by Ctrl-C, and remembered, all in one way.

A job says what becomes of a batch: a part. Parts add, in the order of the plan, so that neither who plays nor a ledger leaves
a trace. What a ledger holds is taken from there; what it lacks is played, and then kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic

from simulator.play.executors import Part, executor_for
from simulator.play.experiment import Batch, plan, plan_groups

if TYPE_CHECKING:
    from simulator.play.executors import Job, Workers
    from simulator.play.ledger import Ledger

_MANY = 2**20
"""So many batches to play are not counted one by one."""

Progress = Callable[[int, Any], None]
"""Called as it goes on with the playouts done, and the sum of their parts.

Without a sum, nothing was played for those since the last call: it begins, or the ledger had them.
"""


@dataclass(frozen=True)
class Collected(Generic[Part]):
    """What a job gave.

    Attributes:
        part: the sum of all parts.
        elapsed_s: seconds it took, once everything was compiled.
        interrupted: whether it was stopped before all was played.
        enough: whether the stopping rule ended it.
    """

    part: Part
    elapsed_s: float
    interrupted: bool
    enough: bool


def collect(
    job: Job[Part],
    playouts: range | Sequence[Batch],
    *,
    enough: Callable[[Part], bool] | None = None,
    workers: Workers = None,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
) -> Collected[Part]:
    """Play a job, or remember it, and add up. Ctrl-C keeps what is done.

    Args:
        job: what is played, and what becomes of it.
        playouts: which playouts, by their numbers, or as batches that are to be played as they are.
        enough: a stopping rule, asked after each batch, in long runs after each group of batches, in the order of the plan, so
            that neither the number of workers nor a ledger matters.
        workers: who plays; it does not change the result.
        ledger: where finished batches are remembered; those it holds are not played again.
        progress: called now and then.

    Raises:
        UserError: there is nobody to play.
        MisbehaviourError: a strategy or the game broke its contract.
        KeyboardInterrupt: interrupted before the first batch was complete.
    """
    parts = _Source(job, playouts, ledger, workers).all()
    total: Any = None
    done, interrupted, satisfied = 0, False, False
    start = time.perf_counter()
    try:
        if progress is not None:
            progress(0, None)
        for came in parts:
            total = came.part if total is None else total + came.part
            done += came.count
            if progress is not None:
                progress(done, total if came.played else None)
            satisfied = came.ends_group and enough is not None and enough(total)
            if satisfied:
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        parts.close()  # so that nothing plays on
    if total is None:
        raise KeyboardInterrupt
    return Collected(total, time.perf_counter() - start, interrupted, satisfied)


@dataclass(frozen=True)
class _Came(Generic[Part]):
    """A part of so many playouts; whether a group of batches of the plan ends with it, and whether it was played now."""

    part: Part
    count: int
    ends_group: bool
    played: bool


class _Source(Generic[Part]):
    """Where the parts of a job come from. Everything is compiled once it is there."""

    def __init__(self, job: Job[Part], playouts: range | Sequence[Batch], ledger: Ledger | None, workers: Workers) -> None:
        self.job, self.playouts, self.ledger, self.workers = job, playouts, ledger, workers
        self.known = ledger.batches(job) if ledger is not None else frozenset()
        missing = self._missing()
        self.played = self._play(self.lacking(), missing) if missing else None

    def _missing(self) -> int:
        """How many batches have to be played, roughly where they are very many."""
        if isinstance(self.playouts, range) and not self.known:
            return -(-len(self.playouts) // self.job.batch)
        counted = sum(1 for _ in islice(self.lacking(), _MANY))
        if counted < _MANY:
            return counted
        return max(counted, (len(self.playouts) - sum(row.count for row in self.known)) // self.job.batch)

    def _play(self, batches: Iterator[Batch], count: int) -> Generator[tuple[Batch, Part], None, None]:
        return executor_for(self.job, count, self.workers).play(batches)

    def groups(self) -> Iterator[Batch]:
        """The groups of the plan."""
        if isinstance(self.playouts, range):
            return plan_groups(len(self.playouts), self.job.batch, self.playouts.start)
        return iter(self.playouts)

    def batches(self, group: Batch) -> Iterator[Batch]:
        """The batches of a group."""
        return plan(group.count, self.job.batch, group.first)

    def lacking(self) -> Iterator[Batch]:
        """The batches that have to be played."""
        for group in self.groups():
            if group not in self.known:
                yield from (batch for batch in self.batches(group) if batch not in self.known)

    def all(self) -> Generator[_Came[Part], None, None]:
        """All parts, in the order of the plan; nothing plays on when it ends or is closed."""
        try:
            for group in self.groups():
                yield from self.parts(group)
        finally:
            if self.played is not None:
                self.played.close()

    def parts(self, group: Batch) -> Iterator[_Came[Part]]:
        """The parts of a group: one if the ledger holds it as a whole, else those of its batches, which then become one there."""
        remembered = self._recall(group)
        if remembered is not None:
            yield _Came(remembered, group.count, ends_group=True, played=False)
            return
        gone = group in self.known
        whole: Any = None
        for batch in self.batches(group):
            part, played = self._part(batch, known=gone or batch in self.known)
            whole = part if whole is None else whole + part
            ends = batch.first + batch.count == group.first + group.count
            if ends and batch != group and self.ledger is not None:
                self.ledger.keep_group(self.job, group, whole)
            yield _Came(part, batch.count, ends, played)

    def _recall(self, batch: Batch) -> Part | None:
        return self.ledger.recall(self.job, batch) if self.ledger is not None and batch in self.known else None

    def _part(self, batch: Batch, *, known: bool) -> tuple[Part, bool]:
        """What a batch gave, and whether it was played; the ledger has it afterwards.

        What the ledger had when this began, but another process removed, is played.
        """
        part = self._recall(batch)
        if part is not None:
            return part, False
        played = self._play(iter([batch]), 1) if known else self.played
        assert played is not None  # noqa: S101  what is not known is lacking, so it is played
        _, part = next(played)
        if self.ledger is not None:
            self.ledger.keep(self.job, batch, part)
        return part, True
