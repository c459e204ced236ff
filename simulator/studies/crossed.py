"""Several experiments on the same playouts: how often each is won, and each two of them together.

From these counts follow the variance of every sum of the shares and the covariance of any two of them. Playouts of
different numbers are independent of one another; those of one number share their draws, and that is what is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.play.collect import Collected, collect
from simulator.play.executors import BatchPlayer, Job, Worker
from simulator.play.packing import check_fits, pack, unpack
from simulator.play.rehearsal import rehearse
from simulator.stats.digests import array_digest
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_share, variance_of, widened

if TYPE_CHECKING:
    from simulator.play.collect import Progress
    from simulator.play.experiment import Batch, Experiment

Counts = np.ndarray[Any, np.dtype[np.int64]]
Matrix = np.ndarray[Any, np.dtype[np.float64]]

TOGETHER = 256
"""Playouts of each experiment in a batch: few, since many experiments are played and some of them are slow."""


@dataclass(frozen=True)
class Cell:
    """An experiment, and the outcome that counts as won.

    Attributes:
        experiment: the question.
        metric: one of its outcomes, 0 or 1 in each playout.
    """

    experiment: Experiment
    metric: str

    def columns(self, places: Mapping[str, int]) -> tuple[int, int, int]:
        """The place of its experiment, by id, and where a row holds the outcome and whether it is unfinished."""
        names = [m.name for m in self.experiment.metrics]
        return places[self.experiment.id], names.index(self.metric), names.index("unfinished")


@dataclass(frozen=True)
class Wins:
    """What was counted. Counts add, so the order of the batches leaves no trace.

    Attributes:
        n: playouts, the same ones in every cell.
        together: int64, shape (cells, cells): playouts that both cells won; on the diagonal, that the cell won.
        unfinished: int64, shape (cells,): playouts that the turn cap ended.
    """

    n: int
    together: Counts
    unfinished: Counts

    def __add__(self, other: Wins) -> Wins:
        return Wins(self.n + other.n, self.together + other.together, self.unfinished + other.unfinished)

    @property
    def digest(self) -> str:
        """Hash of all counts."""
        return array_digest([np.array([self.n]), self.together, self.unfinished])

    @property
    def shares(self) -> Matrix:
        """Share of the playouts that each cell won, float64, shape (cells,)."""
        return np.diagonal(self.together) / self.n

    @property
    def covariance(self) -> Matrix:
        """Covariance of the shares, float64, shape (cells, cells); needs two playouts."""
        shares = self.shares
        return np.asarray((self.together / self.n - np.outer(shares, shares)) / (self.n - 1))

    def of(self, places: Sequence[int]) -> Wins:
        """The counts of some cells alone."""
        return Wins(self.n, self.together[np.ix_(places, places)], self.unfinished[list(places)])

    def mean_share(self, places: Sequence[int], confidence: float = CONFIDENCE) -> Estimate:
        """The mean of the shares of some cells.

        Wilson's interval for one cell. For several, Student's over the playouts, each of which counts how many of the
        cells it won; where these counts hardly ever differ, the variance is taken as if t**2 playouts more had differed by
        one, as for paired differences.

        Args:
            places: the cells, counted from 0.
            confidence: of the interval.
        """
        block = self.together[np.ix_(places, places)]
        total, squares, cells = int(np.trace(block)), int(block.sum()), len(places)
        if cells == 1:
            return estimate_share(total, self.n, "share", confidence)
        best = total / (self.n * cells)
        if self.n == 1:
            return Estimate(best, 0.0, 1.0, 1, "share")
        half = widened(_quantile(confidence, self.n - 1), variance_of(total, squares, self.n), self.n, 1.0) / cells
        return Estimate(best, max(0.0, best - half), min(1.0, best + half), self.n, "share")


def _quantile(confidence: float, freedom: int) -> float:
    from scipy.stats import t  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    return float(t.ppf((1 + confidence) / 2, freedom))


class CrossedWorker(Worker[Wins]):
    """Plays each batch in every experiment, and counts the rows together."""

    kind = "crossed wins"
    most = TOGETHER

    def __init__(self, players: Sequence[BatchPlayer], columns: Sequence[tuple[int, int, int]]) -> None:
        """Take who plays and, for each cell, the place of its experiment and of two metrics: the outcome, and unfinished."""
        super().__init__(players)
        self.columns = columns

    def play(self, batch: Batch) -> Wins | None:
        """The counts of a batch."""
        won = np.zeros((batch.count, len(self.columns)))
        unfinished = np.zeros(len(self.columns), np.int64)
        for place, player in enumerate(self.players):
            rows = self.rows(player, batch)
            if rows is None:
                return None
            player.tally(batch, rows)  # which complains about a metric that leaves its range
            for cell, (experiment, outcome, capped) in enumerate(self.columns):
                if experiment == place:
                    won[:, cell] = rows[:, outcome]
                    unfinished[cell] = rows[:, capped].sum()
        # zeros and ones in float64: the sums are exact, and the product is fast
        return Wins(batch.count, (won.T @ won).astype(np.int64), unfinished)

    @staticmethod
    def packed(part: Wins) -> bytes:
        """Counts as bytes."""
        return pack(part.n, [part.together, part.unfinished])

    @staticmethod
    def unpacked(blob: bytes, job: Job[Wins], batch: Batch) -> Wins:
        """The counts of a batch."""
        n, (together, unfinished) = unpack(blob)
        cells = len(job.arguments[0])
        check_fits(n == batch.count and together.shape == (cells, cells) and unfinished.shape == (cells,))
        return Wins(n, together, unfinished)


def play_crossed(cells: Sequence[Cell], games: int, *, progress: Progress | None = None, **how: Any) -> Collected[Wins]:
    """Play some cells on the same playouts. Cells of one experiment are played once. Ctrl-C keeps what is done.

    Args:
        cells: what to play.
        games: how many playouts of each.
        progress: called now and then with the playouts done, over all cells.
        **how: what else `collect` takes: workers, ledger.

    Raises:
        UserError: a strategy is refused or broke its contract.
        KeyboardInterrupt: interrupted before the first batch was complete.
    """
    experiments = {cell.experiment.id: cell.experiment for cell in cells}
    for experiment in experiments.values():
        rehearse(experiment)
    places = {name: place for place, name in enumerate(experiments)}
    job = Job(CrossedWorker, tuple(experiments.values()), (tuple(cell.columns(places) for cell in cells),))
    counted = None if progress is None else lambda done, wins: progress(done * len(cells), wins)
    return collect(job, range(games), progress=counted, **how)
