"""Watching playouts turn by turn: how everybody's chances move, by nested playouts from the position before each turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.errors import MisbehaviourError, UserError
from simulator.kernel import turns as kernel
from simulator.play.collect import Progress, collect
from simulator.play.executors import NO_PLAYOUT, BatchPlayer, Job, Worker, Workers
from simulator.play.faults import explain_fault
from simulator.play.packing import check_fits, pack, unpack
from simulator.play.rehearsal import rehearse

if TYPE_CHECKING:
    from simulator.play.experiment import Batch, Experiment
    from simulator.play.ledger import Ledger

BATCH_WATCHED = 8
"""Playouts in a batch of watched ones, each of which takes thousands of nested ones."""

BLOCKS = 4
"""Blocks into which nested playouts are dealt out, so that it can be seen what fewer of them would have told."""


@dataclass(frozen=True)
class Watched:
    """A playout and what every seat could hope for before each of its turns.

    Attributes:
        playout: its number; `simulate replay` tells the same one.
        sums: payoffs of every seat, summed over the nested playouts of each block, float64, shape (turns, BLOCKS, seats): line t
            is before turn t + 1. One seat looks on and knows what it sees, the others' secrets and the future being dealt
            afresh; playout after playout the seats take turns at that. In a cooperative game all seats' payoffs are the same.
        rollouts: nested playouts before each turn, over all blocks.
        row: its metrics, int32, shape (metrics,), in the order of the experiment's metrics.
    """

    playout: int
    sums: np.ndarray[Any, np.dtype[np.float64]]
    rollouts: int
    row: np.ndarray[Any, np.dtype[np.int32]]

    def played(self, blocks: Sequence[int] = range(BLOCKS)) -> int:
        """How many nested playouts some blocks hold."""
        return sum(len(range(block, self.rollouts, BLOCKS)) for block in blocks)

    def hopes(self, blocks: Sequence[int] = range(BLOCKS)) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Mean payoff of every seat over the nested playouts of some blocks, float64, shape (turns, seats)."""
        return np.asarray(self.sums[:, list(blocks)].sum(axis=1) / self.played(blocks))


class WatchWorker(Worker[tuple[Watched, ...]]):
    """Watches the playouts of a batch."""

    kind = "watched turns"
    most = BATCH_WATCHED

    def __init__(self, players: Sequence[BatchPlayer], rollouts: int) -> None:
        """Take the player, and how many nested playouts to play before each turn."""
        super().__init__(players)
        self.rollouts = rollouts
        table = self.current.table
        self._sums = np.zeros((int(table.head["cap_wired"]) + 1, BLOCKS, len(table.players)))

    def play(self, batch: Batch) -> tuple[Watched, ...] | None:
        """The watched playouts of a batch; None if a stop was asked for."""
        results = []
        for playout in range(batch.first, batch.first + batch.count):
            watched = self._watch(playout)
            if watched is None:
                return None
            results.append(watched)
        return tuple(results)

    @staticmethod
    def packed(part: tuple[Watched, ...]) -> bytes:
        """Watched playouts as bytes."""
        return pack([one.playout for one in part], [array for one in part for array in (one.sums, one.row)])

    @staticmethod
    def unpacked(blob: bytes, job: Job[tuple[Watched, ...]], batch: Batch) -> tuple[Watched, ...]:
        """The watched playouts of a batch."""
        playouts, arrays = unpack(blob)
        (experiment,), (rollouts,) = job.experiments, job.arguments
        result = tuple(Watched(n, sums, rollouts, row) for n, sums, row in zip(playouts, arrays[::2], arrays[1::2], strict=True))
        check_fits(playouts == [*range(batch.first, batch.first + batch.count)])
        check_fits(all(one.sums.shape[1:] == (BLOCKS, experiment.players) for one in result))
        check_fits(all(one.row.shape == (len(experiment.metrics),) for one in result))
        return result

    def _watch(self, playout: int) -> Watched | None:
        experiment, table = self.current.experiment, self.current.table
        row = np.empty((1, len(experiment.metrics)), np.int32)
        self._sums[:] = 0.0
        turns, fault = table.watch(experiment.seed, playout, self.rollouts, sums=self._sums, row=row, control=self.control)
        self.control[kernel.CONTROL_PLAYOUT] = NO_PLAYOUT
        if fault["status"] == kernel.STOPPED:
            return None
        if fault["status"] != kernel.PLAYED:
            raise MisbehaviourError(explain_fault(experiment, fault))
        return Watched(playout, self._sums[:turns].copy(), self.rollouts, row[0])


def watch_playouts(
    experiment: Experiment,
    games: int,
    rollouts: int,
    *,
    workers: Workers = None,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
) -> tuple[Watched, ...]:
    """Play playouts 0 to `games` - 1 of an experiment and watch them. Ctrl-C keeps what is done.

    Args:
        experiment: the question; the row of each playout is the one that a run gives.
        games: how many playouts to watch.
        rollouts: nested playouts before each turn, BLOCKS or more, by the strategies as they are seated, but without thinking
            ahead.
        workers: who plays; it does not change the result.
        ledger: where what was watched is remembered; what it holds is not played again.
        progress: called as it goes on.

    Raises:
        UserError: `games` is below one, `rollouts` below BLOCKS, or a strategy is refused.
        MisbehaviourError: a strategy or the game broke its contract while playing.
        KeyboardInterrupt: interrupted before the first playouts were watched.
    """
    for what, number, least in (("games", games, 1), ("nested playouts", rollouts, BLOCKS)):
        if number < least:
            message = f"The number of {what} has to be at least {least}, not {number}."
            raise UserError(message)
    rehearse(experiment)
    job = Job(WatchWorker, (experiment,), (rollouts,))
    return collect(job, range(games), workers=workers, ledger=ledger, progress=progress).part
