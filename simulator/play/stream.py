"""The tallies of a run as they come: from the ledger what it holds, played and then kept what it lacks."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from simulator.play.executors import Job, TallyWorker, executor_for
from simulator.play.experiment import Batch, Experiment, plan, plan_groups

if TYPE_CHECKING:
    from simulator.play.executors import Workers
    from simulator.play.ledger import Ledger
    from simulator.stats.tally import Tally

_MANY = 2**20
"""So many batches to play are not counted one by one."""


@dataclass(frozen=True)
class Streamed:
    """A tally of some playouts.

    Attributes:
        tally: what was counted.
        ends_group: whether a group of batches of the plan ends with it.
        played: whether it was played now; else the ledger had it.
    """

    tally: Tally
    ends_group: bool
    played: bool


def stream(experiment: Experiment, playouts: range, ledger: Ledger | None, workers: Workers) -> Generator[Streamed, None, None]:
    """Tallies in the order of the plan that add up to all `playouts`.

    Before it returns, everything is compiled. Closing the generator stops what is still playing.

    Raises:
        UserError: there is nobody to play.
        MisbehaviourError: a strategy or the game broke its contract.
    """
    return _Source(experiment, playouts, ledger, workers).all()


class _Source:
    """Where the tallies of a run come from."""

    def __init__(self, experiment: Experiment, playouts: range, ledger: Ledger | None, workers: Workers) -> None:
        self.experiment, self.playouts, self.ledger, self.workers = experiment, playouts, ledger, workers
        self.known = ledger.batches(experiment) if ledger is not None else frozenset()
        missing = self._missing()
        self.played = self._play(self.lacking(), missing) if missing else None

    def _missing(self) -> int:
        """How many batches have to be played, roughly where they are very many."""
        if not self.known:
            return -(-len(self.playouts) // self.experiment.batch)
        counted = sum(1 for _ in islice(self.lacking(), _MANY))
        if counted < _MANY:
            return counted
        return max(counted, (len(self.playouts) - sum(row.count for row in self.known)) // self.experiment.batch)

    def _play(self, batches: Iterator[Batch], count: int) -> Generator[tuple[Batch, Tally], None, None]:
        return executor_for(Job(TallyWorker, (self.experiment,)), count, self.workers).play(batches)

    def groups(self) -> Iterator[Batch]:
        """The groups of the plan."""
        return plan_groups(len(self.playouts), self.experiment.batch, self.playouts.start)

    def batches(self, group: Batch) -> Iterator[Batch]:
        """The batches of a group."""
        return plan(group.count, self.experiment.batch, group.first)

    def lacking(self) -> Iterator[Batch]:
        """The batches that have to be played."""
        for group in self.groups():
            if group not in self.known:
                yield from (batch for batch in self.batches(group) if batch not in self.known)

    def all(self) -> Generator[Streamed, None, None]:
        """All tallies; nothing plays on when it ends or is closed."""
        try:
            for group in self.groups():
                yield from self.tallies(group)
        finally:
            if self.played is not None:
                self.played.close()

    def tallies(self, group: Batch) -> Iterator[Streamed]:
        """The tallies of a group: one if the ledger holds it as a whole, else those of its batches, which then become one there."""
        remembered = self._recall(group)
        if remembered is not None:
            yield Streamed(remembered, ends_group=True, played=False)
            return
        gone = group in self.known
        whole: Tally | None = None
        for batch in self.batches(group):
            tally, played = self._tally(batch, known=gone or batch in self.known)
            whole = tally if whole is None else whole + tally
            ends = batch.first + batch.count == group.first + group.count
            if ends and batch != group and self.ledger is not None:
                self.ledger.keep_group(self.experiment, group, whole)
            yield Streamed(tally, ends, played)

    def _recall(self, batch: Batch) -> Tally | None:
        return self.ledger.recall(self.experiment, batch) if self.ledger is not None and batch in self.known else None

    def _tally(self, batch: Batch, *, known: bool) -> tuple[Tally, bool]:
        """A batch's tally, and whether it was played; the ledger has it afterwards.

        What the ledger had when this began, but another process removed, is played.
        """
        tally = self._recall(batch)
        if tally is not None:
            return tally, False
        played = self._play(iter([batch]), 1) if known else self.played
        assert played is not None  # noqa: S101  what is not known is lacking, so it is played
        _, tally = next(played)
        if self.ledger is not None:
            self.ledger.keep(self.experiment, batch, tally)
        return tally, True
