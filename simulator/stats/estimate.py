"""Estimates: a figure is never bare, it comes with its interval and the number of playouts behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from simulator.game import Metric
    from simulator.stats.tally import Histogram

CONFIDENCE = 0.95

ANYWHERE = (-math.inf, math.inf)

_RARE = 10
"""One value in so many differs from the most frequent value, or fewer: only there few can carry a sum."""

_MANY = 10
"""So many values carry a sum together that the widened interval holds; found on the rows of the games, see `docs/trust.md`."""

_RULE_OF_THREE = 30
"""From so many playouts on three in them are a share that says something."""

_FIFTY = 50
"""Up to so many playouts, two successes are few, and three beyond."""


class EachEnd(float):
    """The confidence of each end of an interval by itself, where only one of them is asked about: 0.99 for either, 0.98 for both.

    A sequence takes it in place of the confidence that both hold.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Estimate:
    """A figure with its confidence interval.

    Attributes:
        best: the estimate itself.
        low, high: ends of the interval at CONFIDENCE.
        n: playouts behind it.
        unit: "share", or what one is one of.
        sequential: whether the interval of a share is a confidence sequence.
    """

    best: float
    low: float
    high: float
    n: int
    unit: str
    sequential: bool = field(default=False, compare=False)

    def as_dict(self) -> dict[str, float | int | str | None]:
        """For JSON, which knows no infinity: an end that is not known is null."""
        low, high = (end if math.isfinite(end) else None for end in (self.low, self.high))
        return {"best": self.best, "low": low, "high": high, "n": self.n, "unit": self.unit}


def none_seen(best: float, high: float, n: int, *, sequential: bool = False) -> str:
    """What to say of a share of which nothing was seen, in place of an interval; nothing where something was.

    The rule of three: at 95 percent there are fewer than 3 in n. Wherever one may stop, it is as many as the sequence says.

    Source: Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249(13), 1983.

    >>> none_seen(0.0, 0.0002, 20_000), none_seen(0.1, 0.2, 20_000)
    ('fewer than 3 in 20,000', '')
    """
    if best != 0 or n < _RULE_OF_THREE:
        return ""
    return f"fewer than {math.ceil(high * n) if sequential else 3} in {n:,}"


def estimate_share(successes: int, n: int, unit: str = "share", confidence: float = CONFIDENCE) -> Estimate:
    """A probability from `successes` in `n` playouts, n >= 1, with Wilson's interval for a fixed number of playouts.

    Where only one, two or three were seen, or not seen, the end on that side is the exact one for rare events: Wilson's
    interval holds a share of 0.17 / n in 84 percent of cases alone, and so does this in 93.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927; as in
    `scipy.stats`. Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16(2), 2001,
    section 4.1.1, the modified Wilson interval.
    """
    from scipy.stats import binomtest  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    interval = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    low = min(float(interval.low), _rare_end(successes, n, confidence))
    high = max(float(interval.high), 1 - _rare_end(n - successes, n, confidence))
    return Estimate(successes / n, low, high, n, unit)


def _rare_end(seen: int, n: int, confidence: float) -> float:
    """The lower end for a share of which so few were seen that no upper end can miss it, by Poisson's distribution; else 1."""
    from scipy.special import chdtri  # noqa: PLC0415  importing SciPy takes a while

    few = 3 if n > _FIFTY else 2
    return float(chdtri(2 * seen, confidence)) / 2 / n if 0 < seen <= few else 1.0


def estimate_mean(
    total: int,
    squares: int,
    n: int,
    unit: str,
    confidence: float = CONFIDENCE,
    *,
    step: float = 1.0,
    within: tuple[float, float] = ANYWHERE,
) -> Estimate:
    """A mean from the exact sum and sum of squares of `n` values, with Student's interval.

    The variance is taken as if t**2 values more had lain `step` away, as Agresti and Coull widen Wald's interval: that values
    did not vary does not mean that they cannot. It is without effect where many vary. With a single value nothing is known
    about the spread, and the interval is all that is possible.

    Args:
        total: sum of the values.
        squares: sum of their squares.
        n: how many values, fixed beforehand.
        unit: what one is one of.
        confidence: of the interval.
        step: how far from the others a value lies that was too rare to be seen.
        within: where the mean can lie.

    Source: Agresti and Coull, "Approximate is better than 'exact' for interval estimation of binomial proportions", American
    Statistician 52(2), 1998.
    """
    from scipy.special import stdtrit  # noqa: PLC0415  importing SciPy takes a while

    if n == 1:
        return Estimate(total / n, *within, n, unit)
    half = widened(float(stdtrit(n - 1, (1 + confidence) / 2)), variance_of(total, squares, n), n, step)
    return around(total / n, half, n, unit, within)


def around(best: float, half: float, n: int, unit: str, within: tuple[float, float] = ANYWHERE) -> Estimate:
    """An estimate with an interval of `half` to either side, as far as it lies `within`."""
    return Estimate(best, max(best - half, within[0]), min(best + half, within[1]), n, unit)


def widened(errors: float, variance: float, n: int, step: float) -> float:
    """Half the width of an interval of `errors` standard errors, as if errors**2 values more lay `step` away."""
    return errors * math.sqrt((variance + errors * errors * step * step / n) / n)


def variance_of(total: int, squares: int, n: int) -> float:
    """The unbiased variance, n >= 2, in exact integers up to the division."""
    return (n * squares - total * total) / (n * (n - 1))


def estimate_values(counts: Mapping[int, int], within: tuple[int, int], unit: str, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of whole numbers, with an interval for a number of them that was fixed beforehand.

    Student's as in `estimate_mean`; by betting where few of them carry the sum, see `few_carry`.

    Args:
        counts: value to how often it occurred.
        within: the least and the largest value that there can be.
        unit: what one is one of.
        confidence: of the interval.

    >>> found = estimate_values({0: 998, 1: 1, 80: 1}, (0, 500), "draws")
    >>> print(f"{found.low:.3f} to {found.high:.1f}")
    0.000 to 2.2
    """
    if few_carry(counts):
        return by_betting(counts, within, unit, confidence)
    total, squares = sums_of(counts)
    return estimate_mean(total, squares, sum(counts.values()), unit, confidence, step=step_of(counts), within=within)


def by_betting(counts: Mapping[int, int], within: tuple[int, int], unit: str, confidence: float) -> Estimate:
    """A mean with an interval that holds at every number of values, whatever they are; see `simulator.stats.betting`."""
    from simulator.stats.betting import mean_by_betting  # noqa: PLC0415  only where few values carry a sum

    n = sum(counts.values())
    ends = mean_by_betting(counts, within, 1 - confidence if isinstance(confidence, EachEnd) else (1 - confidence) / 2)
    return Estimate(sums_of(counts)[0] / n, *ends, n, unit)


def few_carry(counts: Mapping[int, int]) -> bool:
    """Whether most values are the same and few of the others carry the sum, so that it is far from normal.

    How many carry it is told by Kish's effective number, the squared sum of the distances from the most frequent value over
    the sum of their squares: as many as there are others if all lie equally far, and one if one lies much farther.
    Where they are few, what was not seen may outweigh what was, and only the range of what there can be bounds the mean.

    Source: Kish, "Survey Sampling", Wiley, 1965.

    >>> few_carry({0: 1000}), few_carry({0: 900, 1: 98, 80: 2}), few_carry({0: 900, 1: 100}), few_carry({5: 1, 6: 2, 7: 1})
    (True, True, False, False)
    """
    usual = max(counts, key=counts.__getitem__)
    n = sum(counts.values())
    if (n - counts[usual]) * _RARE > n:
        return False
    total, squares = sums_of({abs(value - usual): count for value, count in counts.items()})
    return total * total < _MANY * squares or not squares


def sums_of(counts: Mapping[int, int]) -> tuple[int, int]:
    """Sum and sum of squares of values that occurred so often, exact integers."""
    return sum(v * c for v, c in counts.items()), sum(v * v * c for v, c in counts.items())


def step_of(counts: Mapping[int, int]) -> float:
    """Root of the mean square distance to the most frequent value, of the others; one if there are none."""
    usual = max(counts, key=counts.__getitem__)
    others = sum(counts.values()) - counts[usual]
    return math.sqrt(sum((v - usual) ** 2 * c for v, c in counts.items()) / others) if others else 1.0


def estimate_metric(metric: Metric, histogram: Histogram, confidence: float = CONFIDENCE) -> Estimate:
    """Share or mean of one metric over all playouts, the unfinished ones included."""
    if metric.kind == "share":
        return estimate_share(histogram.moments()[0], histogram.n, metric.unit, confidence)
    return estimate_values(histogram.as_dict(), (metric.low, metric.high), metric.unit, confidence)


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
    means = "Student's for means, by betting where few games carry the sum."
    if cooperative:
        return f"95% intervals: Wilson's for shares, {means}"
    return f"95% intervals: Goodman's for the shares of wins, which hold all at once; {means}"


def estimate_advantage(first_wins: int, all_wins: int, n: int, seats: int, confidence: float = CONFIDENCE) -> Estimate:
    """By how much seat 0's share of wins exceeds an equal share of the games that somebody wins.

    Each playout counts 1 - 1/seats if seat 0 wins, -1/seats if another seat does, and 0 otherwise; this is their mean,
    with Student's interval. Where somebody won every playout it is the share of seat 0 less a constant, with Wilson's.

    Args:
        first_wins: playouts that seat 0 won.
        all_wins: playouts that any seat won.
        n: all playouts.
        seats: how many seats there are.
        confidence: of the interval.
    """
    if all_wins == n:
        return less_equal_share(estimate_share(first_wins, n, "share", confidence), seats)
    total, squares = advantage_sums(first_wins, all_wins, seats)
    return in_shares(estimate_mean(total, squares, n, "share", confidence, step=seats, within=(-1, seats - 1)), seats)


def less_equal_share(share: Estimate, seats: int) -> Estimate:
    """Seat 0's share of wins as its advantage, where somebody wins every playout."""
    equal = 1 / seats
    return Estimate(share.best - equal, share.low - equal, share.high - equal, share.n, share.unit)


def advantage_sums(first_wins: int, all_wins: int, seats: int) -> tuple[int, int]:
    """Sum and sum of squares of seat 0's advantage, in parts of 1/seats, so that they are exact integers."""
    others = all_wins - first_wins
    return first_wins * (seats - 1) - others, first_wins * (seats - 1) ** 2 + others


def in_shares(advantage: Estimate, seats: int) -> Estimate:
    """An advantage that was counted in parts of 1/seats as a share."""
    return Estimate(advantage.best / seats, advantage.low / seats, advantage.high / seats, advantage.n, "share")
