"""Two experiments on the same playouts: exact sums over pairs, and what they say about the difference.

A difference is always the changed experiment less the baseline: positive means that the change raised the metric.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.stats.estimate import ANYWHERE, CONFIDENCE, Estimate, by_betting, estimate_mean, estimate_share, few_carry, variance_of
from simulator.stats.sequences import TUNED_FOR, Tuned, boundary_level, mean_sequence, playouts_until, share_sequence

if TYPE_CHECKING:
    from simulator.game import Metric

Rows = np.ndarray[Any, np.dtype[np.int32]]

LARGEST = 2**30
"""Values up to this size are summed exactly."""

MOST_APART = 64
"""So many differences of a metric are counted one by one; where there are more, many pairs differ."""


@dataclass(frozen=True)
class PairSums:
    """Sums of one metric over pairs of playouts, exact integers.

    Attributes:
        baseline, changed: sums of the values.
        baseline_squares, changed_squares: sums of their squares.
        difference_squares: sum of the squared differences.
        moved: how many pairs differ.
        reach: the least and the largest difference that there can be; None where nobody knows.
        apart: difference to how many pairs differ so; None where there are more than MOST_APART differences, or nobody counted.
    """

    baseline: int
    changed: int
    baseline_squares: int
    changed_squares: int
    difference_squares: int
    moved: int
    reach: tuple[int, int] | None = field(default=None, compare=False)
    apart: Mapping[int, int] | None = field(default=None, compare=False)

    def __add__(self, other: PairSums) -> PairSums:
        apart = None if self.apart is None or other.apart is None else dict(Counter(self.apart) + Counter(other.apart))
        kept = None if apart is None or len(apart) > MOST_APART else apart
        return _sums([a + b for a, b in zip(self.integers, other.integers, strict=True)], self.reach, kept)

    @property
    def integers(self) -> tuple[int, ...]:
        """The sums, in their order."""
        return self.baseline, self.changed, self.baseline_squares, self.changed_squares, self.difference_squares, self.moved

    @property
    def difference(self) -> int:
        """Sum of the differences."""
        return self.changed - self.baseline

    def carried_by_few(self, n: int) -> dict[int, int] | None:
        """How often each difference occurred among `n` pairs, if few pairs carry the sum of the differences."""
        if self.apart is None or self.reach is None:
            return None
        counts = {0: n - self.moved, **self.apart} if n > self.moved else dict(self.apart)
        return counts if few_carry(counts) else None


@dataclass(frozen=True)
class Difference:
    """What a change did to one metric.

    Attributes:
        estimate: the mean of changed less baseline over pairs, with its interval.
        baseline, changed: the metric in each of the two experiments.
        variance_ratio: how many times fewer playouts the pairs needed than independent runs would for as narrow an
            interval; None when the differences do not vary.
        p_value: two-sided, of no difference; at most 1 - confidence exactly when the interval excludes 0.
        moved: how many pairs differ.
    """

    estimate: Estimate
    baseline: Estimate
    changed: Estimate
    variance_ratio: float | None
    p_value: float
    moved: int


@dataclass(frozen=True)
class PairedTally:
    """Sums of all metrics over pairs of playouts of two experiments. They add, so the order leaves no trace.

    Attributes:
        names: the metrics' names.
        n: how many pairs.
        sums: one for each metric.
    """

    names: tuple[str, ...]
    n: int
    sums: tuple[PairSums, ...]

    def __add__(self, other: PairedTally) -> PairedTally:
        if self.names != other.names:
            message = "paired tallies of different metrics do not add"
            raise ValueError(message)
        return PairedTally(self.names, self.n + other.n, tuple(a + b for a, b in zip(self.sums, other.sums, strict=True)))

    def __getitem__(self, name: str) -> PairSums:
        return self.sums[self.names.index(name)]

    @cached_property
    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 over all names and sums, in order."""
        digest = hashlib.sha256(f"{self.n}\n".encode())
        for name, sums in zip(self.names, self.sums, strict=True):
            digest.update(f"{name} {' '.join(map(str, sums.integers))}\n".encode())
        return digest.hexdigest()[:16]

    def difference(self, metric: Metric, confidence: float = CONFIDENCE, *, identical: bool = False) -> Difference:
        """What the change did to a metric, for a number of pairs that was fixed beforehand.

        Shares have Tango's interval, means Student's. A change that moved none of n playouts may still move the next one,
        so that either is about [-4/n, 4/n] then, and not [0, 0].

        Args:
            metric: one of those counted.
            confidence: of the intervals.
            identical: the two experiments are the same question; the difference is exactly 0 then.
        """
        sums = self[metric.name]
        pair = (_fixed(metric, total, squares, self.n, confidence, ends) for total, squares, ends in _sides(sums, metric))
        if identical:
            return self._judged(sums, _nothing(self.n, metric.unit), 1.0, *pair)
        if metric.kind == "share":
            result, p_value = _share_difference(sums, self.n, metric.unit, confidence)
        else:
            result, p_value = _by_few(sums, self.n, metric.unit, confidence) or _mean_difference(sums, self.n, metric.unit, confidence)
        return self._judged(sums, result, p_value, *pair)

    def difference_sequence(
        self, metric: Metric, confidence: float = CONFIDENCE, *, identical: bool = False, tuned_for: Tuned = TUNED_FOR
    ) -> Difference:
        """As `difference`, with intervals and a p-value that hold at every number of pairs at once.

        See `simulator.stats.sequences.mean_sequence`, which also says what becomes of changes that move few playouts.
        """
        sums = self[metric.name]
        pair = (_anytime(metric, total, squares, self.n, confidence, tuned_for, ends) for total, squares, ends in _sides(sums, metric))
        if identical:
            return self._judged(sums, _nothing(self.n, metric.unit), 1.0, *pair)
        few = _by_few(sums, self.n, metric.unit, confidence) if metric.kind != "share" else None
        result, p_value = few or _mean_sequence(sums, self.n, metric, confidence, tuned_for)
        return self._judged(sums, result, p_value, *pair)

    def _judged(self, sums: PairSums, found: Estimate, p_value: float, baseline: Estimate, changed: Estimate) -> Difference:
        return Difference(found, baseline, changed, variance_ratio(sums, self.n), p_value, sums.moved)


def reaches(baseline: Sequence[Metric], changed: Sequence[Metric]) -> list[tuple[int, int]]:
    """The least and the largest difference that each metric can have."""
    return [(b.low - a.high, b.high - a.low) for a, b in zip(baseline, changed, strict=True)]


def pair_rows(rows_a: Rows, rows_b: Rows, names: Sequence[str], reach: Sequence[tuple[int, int]] = ()) -> PairedTally:
    """Sum up the rows that two experiments left behind on the same playouts.

    Args:
        rows_a: int32, shape (playouts, metrics), of the baseline, at least one row.
        rows_b: int32, the same shape, of the changed experiment: row k is the same playout as row k of `rows_a`.
        names: of the metrics, the columns of both.
        reach: for each metric, the least and the largest difference that it can have, if they are known.

    Raises:
        ValueError: the shapes do not fit each other, or a value is larger than LARGEST.
    """
    if rows_a.shape != rows_b.shape or rows_a.shape[1:] != (len(names),):
        message = f"rows of shapes {rows_a.shape} and {rows_b.shape} are no pairs of {len(names)} metrics"
        raise ValueError(message)
    length = _safe_length(rows_a, rows_b)
    parts = [_sums_of(rows_a[k : k + length], rows_b[k : k + length]) for k in range(0, len(rows_a), length)]
    merged = parts[0]
    for part in parts[1:]:
        merged = [a + b for a, b in zip(merged, part, strict=True)]
    if reach:
        merged = [replace(sums, reach=reach[m], apart=_apart(rows_b[:, m], rows_a[:, m])) for m, sums in enumerate(merged)]
    return PairedTally(tuple(names), len(rows_a), tuple(merged))


def _apart(changed: Rows, baseline: Rows) -> dict[int, int] | None:
    """How often each difference but zero occurs; None if there are very many."""
    differences = changed.astype(np.int64) - baseline
    values, counts = np.unique(differences[differences != 0], return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True)) if len(values) <= MOST_APART else None


def variance_ratio(sums: PairSums, n: int) -> float | None:
    """Variance of a difference of independent runs over that of the pairs: how many times fewer playouts they needed."""
    apart = [n * squares - total * total for total, squares in _moments(sums)]
    together = n * sums.difference_squares - sums.difference**2
    return sum(apart) / together if together else None


def tango_interval(up: int, down: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Ends of the interval for a difference of paired shares, (up - down) / n.

    It consists of all differences that the score test does not reject. It excludes 0 exactly when McNemar's test rejects,
    ends where Wilson's interval does if all pairs that differ do so in that direction, and is [-c, c] with
    c = z**2 / (n + z**2) if none differs. Newcombe's method 10, built from the intervals of the two shares, is as short as
    [0, 0] then when half of the playouts are successes: its coverage breaks down for changes that move few playouts.

    Args:
        up: pairs that are 0 in the baseline and 1 in the changed experiment.
        down: pairs that are 1 in the baseline and 0 in the changed experiment.
        n: all pairs, those that do not differ included.
        confidence: of the interval.

    Source: Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design", Statistics in Medicine 17, 1998; recommended by Fagerland, Lydersen and Laake, Statistics in Medicine 33, 2014.

    >>> low, high = tango_interval(1, 7, 21)
    >>> print(f"{low:.3f} to {high:.3f}")
    -0.517 to -0.026
    """
    z_squared = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    return -_tango_end(down, up, n, z_squared), _tango_end(up, down, n, z_squared)


def _tango_end(up: int, down: int, n: int, z_squared: float) -> float:
    """The upper end of Tango's interval."""
    from scipy.optimize import brentq  # noqa: PLC0415  importing SciPy takes a while

    best = (up - down) / n
    if up == n:
        return 1.0

    def excess(difference: float) -> float:
        return (best - difference) ** 2 * n - z_squared * _constrained_variance(difference, up / n, down / n)

    # where no difference varies, the estimate itself is a root, and the end is another one at least twice this far away
    first_step = z_squared / (n + z_squared) / 2 if up + down == 0 or down == n else 0.0
    return float(brentq(excess, best + first_step, 1.0, xtol=1e-300, maxiter=1000))


def _constrained_variance(difference: float, up: float, down: float) -> float:
    """Variance of one pair's difference at its most likely, given the mean difference.

    `up` and `down` are the observed shares of pairs that differ.
    """
    if difference < 0:  # the same with the directions exchanged
        difference, up, down = -difference, down, up
    half = difference * (2 - up + down) - up - down
    root = math.sqrt(half * half + 8 * down * difference * (1 - difference))
    # the share of pairs that go down, the larger root of a quadratic equation, written so that nothing cancels
    downwards = 2 * down * difference * (1 - difference) / (root + half) if half > 0 else (root - half) / 4
    return 2 * downwards + difference * (1 - difference)


def _share_difference(sums: PairSums, n: int, unit: str, confidence: float) -> tuple[Estimate, float]:
    """Tango's interval and McNemar's p-value."""
    up, down = (sums.moved + sums.difference) // 2, (sums.moved - sums.difference) // 2
    low, high = tango_interval(up, down, n, confidence)
    errors = abs(up - down) / math.sqrt(sums.moved) if sums.moved else 0.0
    return Estimate(sums.difference / n, low, high, n, unit), math.erfc(errors / math.sqrt(2))


def _mean_difference(sums: PairSums, n: int, unit: str, confidence: float) -> tuple[Estimate, float]:
    """Student's interval and p-value, with the variance taken as if t**2 pairs more differed.

    This is what Tango's interval amounts to for pairs that hardly ever differ; Student's would be far too narrow for
    them, and without effect where many pairs differ.
    """
    from scipy.stats import t  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    step, within = _step(sums, n), sums.reach or ANYWHERE
    result = estimate_mean(sums.difference, sums.difference_squares, n, unit, confidence, step=step, within=within)
    return result, 2 * float(t.sf(_errors(sums, n, step), n - 1)) if n > 1 else 1.0


def _mean_sequence(sums: PairSums, n: int, metric: Metric, confidence: float, tuned_for: Tuned) -> tuple[Estimate, float]:
    step, within = _step(sums, n), (-1, 1) if metric.kind == "share" else sums.reach or ANYWHERE
    total, squares = sums.difference, sums.difference_squares
    most = playouts_until(tuned_for, variance_of(total, squares, n) if n > 1 else 0.0, step)
    result = mean_sequence(total, squares, n, metric.unit, confidence, step=step, tuned_for=most, within=within)
    return result, boundary_level(_errors(sums, n, step), n, most)


def _by_few(sums: PairSums, n: int, unit: str, confidence: float) -> tuple[Estimate, float] | None:
    """Interval and p-value by betting, if few pairs carry the sum of the differences; they hold at every number of pairs."""
    counts = sums.carried_by_few(n)
    if counts is None or sums.reach is None:
        return None
    from simulator.stats.betting import level_by_betting  # noqa: PLC0415  only where few pairs carry a sum

    return by_betting(counts, sums.reach, unit, confidence), level_by_betting(counts, sums.reach, 0)


def _errors(sums: PairSums, n: int, step: float) -> float:
    """How many standard errors the widened interval has to reach to end at 0; undoes `widened`."""
    if n == 1 or sums.difference == 0:
        return 0.0
    variance = variance_of(sums.difference, sums.difference_squares, n)
    best = sums.difference / n
    return math.sqrt(2 * n * best * best / (variance + math.hypot(variance, 2 * step * best)))


def _step(sums: PairSums, n: int) -> float:
    """By how much a pair differs if it does: root mean square of those that do.

    Where none does, as two independent playouts would, and by one at least.
    """
    if sums.moved:
        return math.sqrt(sums.difference_squares / sums.moved)
    apart = sum(variance_of(total, squares, n) for total, squares in _moments(sums)) if n > 1 else 0.0
    return max(1.0, math.sqrt(apart))


def _moments(sums: PairSums) -> tuple[tuple[int, int], tuple[int, int]]:
    """Sum and sum of squares of the baseline, and of the changed experiment."""
    return (sums.baseline, sums.baseline_squares), (sums.changed, sums.changed_squares)


def _sides(sums: PairSums, metric: Metric) -> Iterator[tuple[int, int, tuple[float, float]]]:
    """Sum, sum of squares and range of the baseline, and of the changed experiment, of which the reach tells it."""
    ends: list[tuple[float, float]] = [ANYWHERE, ANYWHERE]
    if sums.reach is not None:
        ends = [(metric.low, metric.high), (sums.reach[0] + metric.high, sums.reach[1] + metric.low)]
    for (total, squares), end in zip(_moments(sums), ends, strict=True):
        yield total, squares, end


def _fixed(metric: Metric, total: int, squares: int, n: int, confidence: float, ends: tuple[float, float]) -> Estimate:
    if metric.kind == "share":
        return estimate_share(total, n, metric.unit, confidence)
    return estimate_mean(total, squares, n, metric.unit, confidence, within=ends)


def _anytime(metric: Metric, total: int, squares: int, n: int, confidence: float, tuned_for: Tuned, ends: tuple[float, float]) -> Estimate:
    if metric.kind == "share":
        return share_sequence(total, n, confidence, metric.unit, tuned_for=tuned_for)
    return mean_sequence(total, squares, n, metric.unit, confidence, tuned_for=tuned_for, within=ends)


def _nothing(n: int, unit: str) -> Estimate:
    return Estimate(0.0, 0.0, 0.0, n, unit)


def _safe_length(rows_a: Rows, rows_b: Rows) -> int:
    """How many pairs can be added up before a sum of squared differences might leave int64."""
    reach = max(max(abs(int(end)) for end in (rows.min(), rows.max())) for rows in (rows_a, rows_b))
    if reach > LARGEST:
        message = f"values of size {reach} are too large to add up"
        raise ValueError(message)
    return int((2**63 - 1) // max(1, (2 * reach) ** 2))


def _sums_of(rows_a: Rows, rows_b: Rows) -> list[PairSums]:
    from simulator.kernel.pair import SUMS, add_pairs  # noqa: PLC0415  importing Numba takes a third of a second

    sums = np.zeros((rows_a.shape[1], SUMS), np.int64)
    add_pairs(rows_a, rows_b, sums)
    return [_sums(line.tolist()) for line in sums]


def _sums(integers: Sequence[int], reach: tuple[int, int] | None = None, apart: Mapping[int, int] | None = None) -> PairSums:
    baseline, changed, baseline_squares, changed_squares, difference_squares, moved = integers
    return PairSums(baseline, changed, baseline_squares, changed_squares, difference_squares, moved, reach, apart)
