"""Tallies: integer counts over the rows of playouts. Tallies add, so the order and the number of workers leave no trace."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.game import Metric

Counts = np.ndarray[Any, np.dtype[np.int64]]


class OutOfRangeError(Exception):
    """A metric left the range its game declares, or a playout ended in no outcome or in several."""


@dataclass(frozen=True)
class Histogram:
    """How often each value occurred, by the outcome of the playout.

    Attributes:
        low: the value of the first line.
        counts: int64, shape (values, outcomes).
    """

    low: int
    counts: Counts

    def __add__(self, other: Histogram) -> Histogram:
        low = min(self.low, other.low)
        high = max(self.low + len(self.counts), other.low + len(other.counts))
        total = np.zeros((high - low, self.counts.shape[1]), np.int64)
        for part in (self, other):
            total[part.low - low : part.low - low + len(part.counts)] += part.counts
        return Histogram(low, total)

    @cached_property
    def values(self) -> Counts:
        """The values, int64, shape (values,)."""
        return np.arange(self.low, self.low + len(self.counts), dtype=np.int64)

    @cached_property
    def totals(self) -> Counts:
        """How often each value occurred, whatever the outcome, int64, shape (values,)."""
        total: Counts = self.counts.sum(axis=1)
        return total

    @property
    def n(self) -> int:
        """How many playouts are counted."""
        return int(self.totals.sum())

    def moments(self) -> tuple[int, int]:
        """Sum and sum of squares of the values over all playouts, exact integers."""
        pairs = [(int(v), int(c)) for v, c in zip(self.values, self.totals, strict=True) if c]
        return sum(v * c for v, c in pairs), sum(v * v * c for v, c in pairs)

    def quantile(self, share: float) -> int:
        """The smallest value that at least `share` of the playouts do not exceed, with the share as it is written in decimals.

        >>> Histogram(0, np.array([[55], [45]])).quantile(0.55)
        0
        """
        running = np.cumsum(self.totals)
        needed = math.ceil(Fraction(repr(float(share))) * int(running[-1]))
        return int(self.values[int(np.searchsorted(running, needed))])

    def as_dict(self) -> dict[int, int]:
        """Value to count, without zeros."""
        return {int(v): int(c) for v, c in zip(self.values, self.totals, strict=True) if c}


@dataclass(frozen=True)
class Tally:
    """Histograms of all metrics over some playouts of one experiment.

    Attributes:
        names: the metrics' names.
        outcomes: names of the metrics that tell how a playout ended, in the order of the histograms' columns.
        histograms: one for each metric.
    """

    names: tuple[str, ...]
    outcomes: tuple[str, ...]
    histograms: tuple[Histogram, ...]

    def __add__(self, other: Tally) -> Tally:
        if self.names != other.names:
            message = "tallies of different metrics do not add"
            raise ValueError(message)
        merged = tuple(a + b for a, b in zip(self.histograms, other.histograms, strict=True))
        return Tally(self.names, self.outcomes, merged)

    def __getitem__(self, name: str) -> Histogram:
        return self.histograms[self.names.index(name)]

    @property
    def games(self) -> int:
        """How many playouts are counted."""
        return self.histograms[0].n

    @cached_property
    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 over every (metric, value, outcome, count) that is not zero, in order."""
        digest = hashlib.sha256()
        for name, histogram in zip(self.names, self.histograms, strict=True):
            for line, outcome in np.argwhere(histogram.counts):
                count = histogram.counts[line, outcome]
                digest.update(f"{name} {histogram.low + line} {self.outcomes[outcome]} {count}\n".encode())
        return digest.hexdigest()[:16]


def tally_rows(rows: np.ndarray[Any, np.dtype[np.int32]], metrics: Sequence[Metric]) -> Tally:
    """Count the rows of some playouts.

    Args:
        rows: int32, shape (playouts, metrics), at least one row.
        metrics: what the columns are.

    Raises:
        OutOfRangeError: a value lies outside of its metric's declared range, or a row has not exactly one outcome.
    """
    from simulator.kernel.reduce import ALL_COUNTED, column_ranges, count_rows  # noqa: PLC0415  importing Numba takes a third of a second

    lows, highs = np.zeros(len(metrics), np.int64), np.zeros(len(metrics), np.int64)
    column_ranges(rows, lows, highs)
    for metric, low, high in zip(metrics, lows, highs, strict=True):
        if low < metric.low or high > metric.high:
            message = f"metric '{metric.name}' ran from {low} to {high}, declared is {metric.low} to {metric.high}"
            raise OutOfRangeError(message)
    widths = highs - lows + 1
    starts = np.cumsum(widths) - widths
    outcomes = np.array([i for i, metric in enumerate(metrics) if metric.outcome], np.int64)
    counts = np.zeros((int(widths.sum()), len(outcomes)), np.int64)
    bad = count_rows(rows, starts - lows, outcomes, counts)
    if bad != ALL_COUNTED:
        message = f"row {bad} of a batch has not exactly one outcome"
        raise OutOfRangeError(message)
    parts = np.split(counts, starts[1:])
    return Tally(
        tuple(m.name for m in metrics),
        tuple(m.name for m in metrics if m.outcome),
        tuple(Histogram(int(low), part) for low, part in zip(lows, parts, strict=True)),
    )
