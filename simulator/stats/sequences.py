"""Confidence sequences: intervals that hold at all numbers of playouts at once, so that a run may stop when it likes its own.

A Wilson or Student interval promises its confidence for a number of playouts that was fixed beforehand. Looked at again and
again, it leaves the truth sooner or later. The intervals here contain the truth at every look together with the stated
confidence, whatever the looks and whatever the rule that stops. They are about twice as wide.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

from simulator.stats.estimate import (
    ANYWHERE,
    CONFIDENCE,
    EachEnd,
    Estimate,
    advantage_sums,
    around,
    by_betting,
    few_carry,
    in_shares,
    less_equal_share,
    step_of,
    sums_of,
    variance_of,
    widened,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from simulator.game import Metric
    from simulator.stats.tally import Histogram

TUNED_FOR = 100_000
"""Playouts at which a sequence is narrowest, compared to an interval for a fixed number, unless told otherwise.

There it reaches 3.0 standard errors; at ten times as many 3.2, at a hundred times 3.6. At a tenth it reaches 3.9, and at a
hundredth 9. Any number that does not depend on what was played will do: the most playouts allowed, if they are few.
"""

_SPREAD = -2 * math.log(1 - CONFIDENCE) + math.log(1 - 2 * math.log(1 - CONFIDENCE))
"""Playouts times the squared scale of the mixture where it is narrowest at CONFIDENCE, nearly, as in the paper."""

_SMALLEST = 1e-300
_STIRLING_FROM = 50


class Width(float):
    """Half of an interval's length at which a sequence shall be narrowest, in place of a number of playouts.

    That number is then not known beforehand, and need not be: in the unit of the values, the mixture is fixed by the width
    alone. For a share it depends on the share in question, for a mean on the variance that is plugged into the boundary anyhow.
    A run that stops at this width plays 2.4 times as many playouts as an interval for a fixed number would need.
    """

    __slots__ = ()


Tuned = float | Width
"""Playouts, or the width, at which a sequence is narrowest."""


def half_width(estimate: Estimate) -> float:
    """Half of an interval's length; infinite where nothing is known.

    >>> half_width(Estimate(0.5, 0.25, 0.75, 9, "share"))
    0.25
    """
    return (estimate.high - estimate.low) / 2


def share_sequence(
    successes: int, n: int, confidence: float = CONFIDENCE, unit: str = "share", *, tuned_for: Tuned = TUNED_FOR
) -> Estimate:
    """A probability from `successes` in `n` playouts, with an interval that holds at every n at once.

    It consists of all p whose likelihood is more than 1 - confidence times the likelihood averaged over a beta prior: their
    ratio is a martingale if p is the truth, so that by Ville's inequality it ever reaches 1 / (1 - confidence) with
    probability 1 - confidence at most. Exact for every n, no approximation.

    The prior may be another one for each p. Here its mean is p, so that no playouts are spent on telling p from what is far
    away, and its weight is what makes the interval narrowest at `tuned_for`. A beta(1/2, 1/2) prior for all p needs 1.9
    times as many playouts for the same width at a million.

    Args:
        successes: 0 to n.
        n: playouts, 1 to 2**53.
        confidence: probability that the interval contains the truth at all n; or that each of its ends does, see `EachEnd`.
        unit: what the estimate is one of.
        tuned_for: playouts, or the width, at which it shall be narrowest.

    Source: Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical Statistics
    41(5), 1970; Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences",
    Annals of Statistics 49(2), 2021, the two-sided beta-binomial mixture.

    >>> estimate = share_sequence(50_000, 100_000)
    >>> print(f"{estimate.low:.4f} to {estimate.high:.4f}")
    0.4952 to 0.5048
    """
    best = successes / n
    low = best - _reach_down(successes, n, tuned_for, confidence)
    high = min(1.0, best + _reach_down(n - successes, n, tuned_for, confidence))
    return Estimate(best, low, high, n, unit, sequential=True)


def mean_sequence(
    total: int,
    squares: int,
    n: int,
    unit: str,
    confidence: float = CONFIDENCE,
    *,
    step: float = 1.0,
    tuned_for: Tuned = TUNED_FOR,
    within: tuple[float, float] = ANYWHERE,
) -> Estimate:
    """A mean from the exact sum and sum of squares of `n` values, with an interval that holds at every n at once.

    It is the asymptotic confidence sequence with a Gaussian mixture boundary. That one would be of no width for as long as
    all values are equal, and a run would stop before it saw the first rare one. So the variance is taken as if as many
    values more as the squared boundary says had lain `step` away, as Agresti and Coull widen Wald's interval; this is
    what the exact sequence for shares amounts to near 0, and without effect where values vary.

    With a single value nothing is known about the spread, and the interval is all that is possible.

    Args:
        total: sum of the values.
        squares: sum of their squares.
        n: how many values.
        unit: what one is one of.
        confidence: probability that the interval contains the truth at all n, in the limit of many.
        step: how far from the others a value lies that was too rare to be seen.
        tuned_for: playouts, or the width, at which the interval shall be narrowest.
        within: where the mean can lie.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
    sequences", Annals of Statistics 52(6), 2024, theorem 2.2; Agresti and Coull, "Approximate is better than 'exact' for
    interval estimation of binomial proportions", American Statistician 52(2), 1998.

    >>> estimate = mean_sequence(1_300_000, 18_000_000, 100_000, "turns")
    >>> print(f"{estimate.low:.2f} to {estimate.high:.2f}")
    12.97 to 13.03
    """
    if n == 1:
        return Estimate(total / n, *within, n, unit)
    variance = variance_of(total, squares, n)
    half = widened(boundary(n, confidence, playouts_until(tuned_for, variance, step)), variance, n, step)
    return around(total / n, half, n, unit, within)


def values_sequence(
    counts: Mapping[int, int], within: tuple[int, int], unit: str, confidence: float = CONFIDENCE, *, tuned_for: Tuned = TUNED_FOR
) -> Estimate:
    """As `simulator.stats.estimate.estimate_values`, with an interval that holds at every number of values.

    Both kinds of interval are sequences, and each misses the truth as rarely as it says wherever it is looked at; so does
    whichever of them the values so far call for, but for values of which few carry the sum and that have not shown it yet.
    """
    if few_carry(counts):
        return by_betting(counts, within, unit, confidence)
    total, squares = sums_of(counts)
    n, step = sum(counts.values()), step_of(counts)
    return mean_sequence(total, squares, n, unit, confidence, step=step, tuned_for=tuned_for, within=within)


def sequence_of(metric: Metric, histogram: Histogram, confidence: float = CONFIDENCE, *, tuned_for: Tuned = TUNED_FOR) -> Estimate:
    """Share or mean of one metric over all playouts so far, with an interval that holds at every number of playouts."""
    if metric.kind == "share":
        return share_sequence(histogram.moments()[0], histogram.n, confidence, metric.unit, tuned_for=tuned_for)
    return values_sequence(histogram.as_dict(), (metric.low, metric.high), metric.unit, confidence, tuned_for=tuned_for)


def quantile_sequence(metric: Metric, histogram: Histogram, share: float, confidence: float, *, tuned_for: int = TUNED_FOR) -> Estimate:
    """A quantile, with an interval that holds at every number of playouts at once.

    A quantile is the smallest value that at least `share` of all playouts do not exceed. The interval consists of all values
    that the confidence sequences of the shares not exceeding a value allow to be it. It misses the quantile only if the
    sequence at the quantile itself, or at the value below it, misses; so each has half of the error to spend, however many
    values there are.

    Args:
        metric: whose range the interval keeps to.
        histogram: its values so far.
        share: between 0 and 1.
        confidence: probability that the interval contains the quantile at all numbers of playouts.
        tuned_for: playouts at which the sequences shall be narrowest.

    Source: Howard and Ramdas, "Sequential estimation of quantiles with applications to A/B testing and best-arm
    identification", Bernoulli 28(3), 2022, with the exact sequence for shares at the two values.
    """
    running = np.cumsum(histogram.totals)
    n = int(running[-1])

    def not_exceeding(count: int) -> Estimate:
        return share_sequence(count, n, confidence if isinstance(confidence, EachEnd) else (1 + confidence) / 2, tuned_for=tuned_for)

    lines = range(len(running))
    lowest = bisect_left(lines, share, key=lambda i: not_exceeding(int(running[i])).high)
    highest = bisect_left(lines, share, key=lambda i: not_exceeding(int(running[i])).low)
    low = metric.low if not_exceeding(0).high >= share else histogram.low + lowest
    high = histogram.low + highest if highest < len(running) else metric.high
    return Estimate(histogram.quantile(share), low, high, n, metric.unit)


def advantage_sequence(
    first_wins: int, all_wins: int, n: int, seats: int, confidence: float = CONFIDENCE, *, tuned_for: Tuned = TUNED_FOR
) -> Estimate:
    """As `simulator.stats.estimate.estimate_advantage`, with an interval that holds at every number of playouts."""
    if all_wins == n:
        return less_equal_share(share_sequence(first_wins, n, confidence, tuned_for=tuned_for), seats)
    total, squares = advantage_sums(first_wins, all_wins, seats)
    if isinstance(tuned_for, Width):
        tuned_for = Width(tuned_for * seats)
    result = mean_sequence(total, squares, n, "share", confidence, step=seats, tuned_for=tuned_for, within=(-1, seats - 1))
    return in_shares(result, seats)


def boundary(n: int, confidence: float = CONFIDENCE, tuned_for: float = TUNED_FOR) -> float:
    """How many standard errors of a mean of `n` values the sequence reaches; 1.96 for a fixed number and 95 percent.

    The mixture stays the same whatever the confidence, so that the intervals of a higher one contain those of a lower.

    >>> [round(boundary(n), 2) for n in (1000, 100_000, 10_000_000)]
    [9.08, 3.04, 3.56]
    """
    spread = n * _mixture(tuned_for)
    if isinstance(confidence, EachEnd):
        return _boundary_of_each(spread, confidence)
    return math.sqrt((1 + 1 / spread) * (math.log1p(spread) - 2 * math.log1p(-confidence)))


def _boundary_of_each(spread: float, confidence: float) -> float:
    """The same for one end by itself: the mixture is over the effects on that side alone, half of a Gaussian.

    Source: Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49(2), 2021, the one-sided normal mixture.
    """
    from scipy.optimize import brentq  # noqa: PLC0415  importing SciPy takes a while
    from scipy.special import log_ndtr  # noqa: PLC0415

    part = spread / (1 + spread)
    bound = -math.log1p(-confidence) - math.log(2) + math.log1p(spread) / 2

    def excess(errors: float) -> float:
        return errors * errors * part / 2 + float(log_ndtr(errors * math.sqrt(part))) - bound

    return float(brentq(excess, 0.0, 2 * math.sqrt((bound + 1) / part) + 1))


def boundary_level(distance: float, n: int, tuned_for: float = TUNED_FOR) -> float:
    """The largest 1 - confidence at which the sequence just reaches `distance` standard errors; an anytime-valid p-value.

    Undoes `boundary`.
    """
    spread = n * _mixture(tuned_for)
    return min(1.0, math.exp((math.log1p(spread) - distance * distance / (1 + 1 / spread)) / 2))


def _mixture(tuned_for: float) -> float:
    """The squared scale of the Gaussian mixture that is best at `tuned_for` and CONFIDENCE, nearly, as in the paper."""
    return _SPREAD / tuned_for


def playouts_until(tuned_for: Tuned, variance: float, step: float = 1.0) -> float:
    """The playouts at which a sequence of values of a variance shall be narrowest; at CONFIDENCE it has the width there."""
    if not isinstance(tuned_for, Width):
        return tuned_for
    errors = boundary(1, CONFIDENCE, 1)  # as many as where it is narrowest, for any number of playouts
    return errors * errors * (variance + step * tuned_for / 4) / (tuned_for * tuned_for)


def _reach_down(successes: int, n: int, tuned_for: Tuned, confidence: float) -> float:
    """How far the interval reaches below successes / n.

    The unknown is the logarithm of p over successes / n, so that nothing cancels when the two are close.
    """
    from scipy.optimize import brentq  # noqa: PLC0415  importing SciPy takes a while

    bound = -math.log1p(-confidence)
    best = successes / n

    def excess(log_ratio: float) -> float:
        p = best * math.exp(log_ratio)
        weight = 1 / _mixture(playouts_until(tuned_for, p * (1 - p)))
        evidence = _evidence(successes, n, p, -best * math.expm1(log_ratio), weight) - bound
        return evidence + _above(successes, n, p, weight) if isinstance(confidence, EachEnd) else evidence

    far = -1.0
    while best * math.exp(far) > _SMALLEST:
        if excess(far) > 0:
            return -best * math.expm1(float(brentq(excess, far, 0.0, xtol=_SMALLEST, maxiter=1000)))
        far *= 2
    return best


def _evidence(successes: int, n: int, p: float, above: float, weight: float) -> float:
    """Logarithm of the likelihood averaged over a beta(weight * p, weight * (1 - p)) prior, over that of p itself.

    It is a difference of logarithms of gamma functions, each of size n and with an error larger than the result when n is
    large. Written out with Stirling's formula, its leading part is a divergence in which nothing cancels.

    Args:
        successes: 0 to n.
        n: playouts.
        p: the share in question.
        above: successes / n - p.
        weight: how many playouts the prior counts for.
    """
    total = weight + n
    q = 1 - successes / n + above
    if q == 0:
        return 0.0
    sides = ((successes, p, above), (n - successes, q, -above))
    evidence = _stirling_rest(weight) - _stirling_rest(total) - math.log(total / weight) / 2
    for count, share, excess in sides:
        prior = weight * share
        change = n * excess / (total * share)
        log_ratio = math.log1p(change) if abs(change) < 1 / 2 else math.log((prior + count) / (total * share))
        evidence += (prior + count - 1 / 2) * log_ratio + _stirling_rest(prior + count) - _stirling_rest(prior)
    return evidence


def _above(successes: int, n: int, p: float, weight: float) -> float:
    """Logarithm of how many times more likely the mixture is if its prior is cut to shares above p, for the lower end by itself.

    Source: Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49(2), 2021, the one-sided beta-binomial mixture.
    """
    from scipy.special import betaincc  # noqa: PLC0415  importing SciPy takes a while

    ahead = float(betaincc(weight * p + successes, weight * (1 - p) + n - successes, p))
    return math.log(ahead / float(betaincc(weight * p, weight * (1 - p), p))) if ahead > 0 else -math.inf


def _stirling_rest(x: float) -> float:
    """What Stirling's formula leaves of the logarithm of gamma(x)."""
    if x > _STIRLING_FROM:
        return 1 / (12 * x) - 1 / (360 * x**3)
    return math.lgamma(x) - (x - 1 / 2) * math.log(x) + x - math.log(2 * math.pi) / 2
