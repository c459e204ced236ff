"""Estimates: a figure is never bare, it comes with its interval and the number of playouts behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.tally import Histogram

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A figure with its confidence interval.

    Attributes:
        best: the estimate itself.
        low, high: ends of the interval at CONFIDENCE.
        n: playouts behind it.
        unit: "share", or what one is one of.
    """

    best: float
    low: float
    high: float
    n: int
    unit: str

    def as_dict(self) -> dict[str, float | int | str | None]:
        """For JSON, which knows no infinity: an end that is not known is null."""
        low, high = (end if math.isfinite(end) else None for end in (self.low, self.high))
        return {"best": self.best, "low": low, "high": high, "n": self.n, "unit": self.unit}


def estimate_share(successes: int, n: int, unit: str = "share", confidence: float = CONFIDENCE) -> Estimate:
    """A probability from `successes` in `n` playouts, n >= 1, with Wilson's interval for a fixed number of playouts.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927; as in
    `scipy.stats`.
    """
    from scipy.stats import binomtest  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    interval = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return Estimate(successes / n, float(interval.low), float(interval.high), n, unit)


def estimate_mean(total: int, squares: int, n: int, unit: str, confidence: float = CONFIDENCE) -> Estimate:
    """A mean from the exact sum and sum of squares of `n` values, with Student's interval.

    With a single value nothing is known about the spread, and the interval is infinite.
    """
    from scipy.stats import t  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    mean = total / n
    if n == 1:
        return Estimate(mean, -math.inf, math.inf, n, unit)
    variance = (n * squares - total * total) / (n * (n - 1))  # exact integers up to the division
    half = float(t.ppf((1 + confidence) / 2, n - 1)) * math.sqrt(variance / n)
    return Estimate(mean, mean - half, mean + half, n, unit)


def estimate_metric(metric: Metric, histogram: Histogram, confidence: float = CONFIDENCE) -> Estimate:
    """Share or mean of one metric over all playouts, the unfinished ones included."""
    total, squares = histogram.moments()
    if metric.kind == "share":
        return estimate_share(total, histogram.n, metric.unit, confidence)
    return in_range(estimate_mean(total, squares, histogram.n, metric.unit, confidence), metric)


def in_range(estimate: Estimate, metric: Metric) -> Estimate:
    """The estimate of a mean, without what lies outside the values that the metric can have, where the mean cannot be.

    Unknown ends stay unknown.
    """
    low = max(estimate.low, metric.low) if math.isfinite(estimate.low) else estimate.low
    high = min(estimate.high, metric.high) if math.isfinite(estimate.high) else estimate.high
    return replace(estimate, low=low, high=high)


def simultaneous(shares: int, confidence: float = CONFIDENCE) -> float:
    """The confidence at which Wilson's intervals of `shares` shares that sum to one hold all at once, as Goodman's do.

    Source: Goodman, "On simultaneous confidence intervals for multinomial proportions", Technometrics 7(2), 1965; with
    the adjusted quantile his interval is Wilson's.
    """
    return 1 - (1 - confidence) / shares


def intervals_named(*, cooperative: bool, sequential: bool = False) -> str:
    """Which intervals the estimates of a game have, in words."""
    if sequential:
        at_once = "" if cooperative else ", for the shares of wins all at once"
        return f"95% confidence sequences, which hold whenever a run stops{at_once}."
    if cooperative:
        return "95% intervals: Wilson's for shares, Student's for means."
    return "95% intervals: Goodman's for the shares of wins, which hold all at once; Student's for means."


def estimate_advantage(first_wins: int, all_wins: int, n: int, seats: int, confidence: float = CONFIDENCE) -> Estimate:
    """By how much seat 0's share of wins exceeds an equal share of the games that somebody wins.

    Each playout counts 1 - 1/seats if seat 0 wins, -1/seats if another seat does, and 0 otherwise; this is their mean,
    with Student's interval.

    Args:
        first_wins: playouts that seat 0 won.
        all_wins: playouts that any seat won.
        n: all playouts.
        seats: how many seats there are.
        confidence: of the interval.
    """
    total, squares = advantage_sums(first_wins, all_wins, seats)
    return in_shares(estimate_mean(total, squares, n, "share", confidence), seats)


def advantage_sums(first_wins: int, all_wins: int, seats: int) -> tuple[int, int]:
    """Sum and sum of squares of seat 0's advantage, in parts of 1/seats, so that they are exact integers."""
    others = all_wins - first_wins
    return first_wins * (seats - 1) - others, first_wins * (seats - 1) ** 2 + others


def in_shares(advantage: Estimate, seats: int) -> Estimate:
    """An advantage that was counted in parts of 1/seats as a share."""
    return Estimate(advantage.best / seats, advantage.low / seats, advantage.high / seats, advantage.n, "share")
