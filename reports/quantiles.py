"""Quantiles of what a tally counted, with intervals; for the long tail of a game's length."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.stats.sequences import share_sequence
from simulator.stats.tally import Histogram


def quantile_estimate(histogram: Histogram, share: float, unit: str, *, sequential: bool = False) -> Estimate:
    """The smallest value that at least `share` of all games do not exceed, with an interval free of any distribution.

    For a fixed number of playouts the ends are order statistics, whose ranks a binomial distribution gives; under a
    stopping rule they are the values at which a confidence sequence for the share of games up to there first reaches
    `share`. An end beyond every value that was seen is infinite.

    Args:
        histogram: what was counted.
        share: between 0 and 1.
        unit: what the values are.
        sequential: whether the run might stop when it liked.

    Source: David and Nagaraja, "Order Statistics", 3rd edition, 2003, section 7.1; with ties the interval is wider than need be.
    """
    ends = _sequential_ends(histogram, share) if sequential else _ranked_ends(histogram, share)
    return Estimate(histogram.quantile(share), *ends, histogram.n, unit)


def _ranked_ends(histogram: Histogram, share: float) -> tuple[float, float]:
    from scipy.stats import binom  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    tail, n = (1 - CONFIDENCE) / 2, histogram.n
    first, last = int(binom.ppf(tail, n, share)), int(binom.ppf(1 - tail, n, share)) + 1
    running = np.cumsum(histogram.totals)
    low = float(histogram.values[int(np.searchsorted(running, first))]) if first > 0 else -np.inf
    high = float(histogram.values[int(np.searchsorted(running, last))]) if last <= n else np.inf
    return low, high


def _sequential_ends(histogram: Histogram, share: float) -> tuple[float, float]:
    """Both ends at half the remaining risk, so that they hold together."""
    running, n = np.cumsum(histogram.totals).tolist(), histogram.n
    confidence = (1 + CONFIDENCE) / 2

    def first(reached: Callable[[Estimate], bool]) -> float:
        place = bisect_left(running, True, key=lambda count: reached(share_sequence(count, n, confidence)))  # noqa: FBT003  what is sought
        return float(histogram.values[place]) if place < len(running) else np.inf

    return first(lambda e: e.high >= share), first(lambda e: e.low >= share)
