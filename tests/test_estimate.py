"""Intervals: known values, and the coverage that they promise, found by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import binom, chi2

from simulator.game import Metric
from simulator.stats.betting import level_by_betting, mean_by_betting
from simulator.stats.estimate import (
    CONFIDENCE,
    EachEnd,
    Estimate,
    by_betting,
    estimate_advantage,
    estimate_mean,
    estimate_metric,
    estimate_share,
    estimate_values,
    few_carry,
    simultaneous,
    sums_of,
)
from simulator.stats.sequences import advantage_sequence, values_sequence
from simulator.stats.tally import Histogram


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I, method 3
    # and for one of 29 the modified end, half of chi-square's 5 percent point with two degrees of freedom over n
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0018, 0.1718)],
)
def test_shares_have_wilsons_interval(successes: int, n: int, low: float, high: float) -> None:
    estimate = estimate_share(successes, n)
    assert estimate.best == successes / n
    assert estimate.low == pytest.approx(low, abs=5e-5)
    assert estimate.high == pytest.approx(high, abs=5e-5)
    assert estimate.n == n


def test_means_have_students_interval() -> None:
    values = [12.0, 14.0, 11.0, 13.0, 15.0]
    estimate = estimate_mean(65, sum(int(v * v) for v in values), 5, "turns", step=0)
    assert estimate.best == 13
    # 2.776445 is the 97.5 percent point of Student's distribution with 4 degrees of freedom
    assert estimate.high - 13 == pytest.approx(2.776445 * math.sqrt(2.5 / 5), rel=1e-6)
    assert estimate.low + estimate.high == pytest.approx(26)


def test_the_variance_does_not_cancel_away() -> None:
    big = 10**9
    total, squares = 2 * big + 1, big**2 + (big + 1) ** 2
    assert estimate_mean(total, squares, 2, "x").high > big + 0.5 + 6


def test_one_value_says_nothing_about_the_spread() -> None:
    estimate = estimate_mean(7, 49, 1, "turns")
    assert (estimate.best, estimate.low, estimate.high) == (7, -math.inf, math.inf)
    assert estimate.as_dict() == {"best": 7, "low": None, "high": None, "n": 1, "unit": "turns"}


@pytest.mark.parametrize("p", [0.02, 0.5, 0.9])
@pytest.mark.parametrize("n", [200, 2000])
def test_wilsons_interval_covers_as_often_as_it_says(p: float, n: int) -> None:
    """The share of all possible counts, weighed by their probability, whose interval holds the truth."""
    counts = np.arange(n + 1)
    weights = binom.pmf(counts, n, p)
    kept = counts[weights > 1e-9]
    covered = sum(weights[k] for k in kept if estimate_share(int(k), n).low <= p <= estimate_share(int(k), n).high)
    assert covered == pytest.approx(CONFIDENCE, abs=0.02)


def test_students_interval_covers_as_often_as_it_says() -> None:
    generator = np.random.default_rng(7)
    hits = 0
    for _ in range(2000):
        values = generator.integers(0, 7, 40)
        estimate = estimate_mean(int(values.sum()), int((values**2).sum()), 40, "x")
        hits += estimate.low <= 3 <= estimate.high
    assert hits / 2000 == pytest.approx(CONFIDENCE, abs=0.02)


def test_a_metric_is_estimated_by_its_kind() -> None:
    histogram = Histogram(0, np.array([[6, 0], [0, 4]], np.int64))
    share = estimate_metric(Metric("w", "W", "share", "share", 0, 1), histogram)
    mean = estimate_metric(Metric("m", "M", "stars", "count", 0, 1), histogram)
    assert share == estimate_share(4, 10)
    assert mean.unit == "stars"
    assert mean.best == share.best
    assert mean.low != share.low


def test_goodmans_intervals_are_those_of_statsmodels_definition() -> None:
    """Goodman's formula, written out from his paper, against Wilson's at the adjusted confidence."""
    counts, k = [30, 50, 20], 3
    n = sum(counts)
    b = chi2.ppf(1 - (1 - CONFIDENCE) / k, 1)
    for count in counts:
        root = math.sqrt(b * (b + 4 * count * (n - count) / n))
        found = estimate_share(count, n, confidence=simultaneous(k))
        assert found.low == pytest.approx((b + 2 * count - root) / (2 * (n + b)))
        assert found.high == pytest.approx((b + 2 * count + root) / (2 * (n + b)))


def test_goodmans_intervals_hold_all_at_once_as_often_as_they_say() -> None:
    generator = np.random.default_rng(11)
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    hits = 0
    for counts in generator.multinomial(500, shares, 1500):
        found = [estimate_share(int(c), 500, confidence=simultaneous(4)) for c in counts]
        hits += all(e.low <= p <= e.high for e, p in zip(found, shares, strict=True))
    assert hits / 1500 >= CONFIDENCE - 0.015


def test_the_advantage_of_going_first_is_a_mean_over_playouts() -> None:
    values = [1 - 1 / 4] * 30 + [-1 / 4] * 60 + [0.0] * 10
    found = estimate_advantage(30, 90, 100, 4)
    assert found.best == pytest.approx(np.mean(values))
    t = 1.984217  # Student's 97.5 percent point with 99 degrees of freedom
    half = t * math.sqrt((np.var(values, ddof=1) + t**2 / 100) / 100)
    assert found.high - found.best == pytest.approx(half, rel=1e-5)
    assert estimate_advantage(25, 100, 100, 4).best == 0


def coverage_of_counts(interval: Callable[[int, int], Estimate], n: int, p: float, truth: float) -> float:
    """The share of all possible numbers of successes, weighed by their probability, whose interval holds the truth."""
    weights = binom.pmf(np.arange(n + 1), n, p)
    found = {k: interval(k, n) for k in np.flatnonzero(weights > 1e-9).tolist()}
    return float(sum(weights[k] for k, e in found.items() if e.low <= truth <= e.high))


RARE = [0.17, 0.5, 1.0, 2.0, 5.0]


@pytest.mark.parametrize("expected", RARE)
@pytest.mark.parametrize("n", [60, 5000])
def test_a_rare_share_is_covered_nearly_as_often_as_a_frequent_one(expected: float, n: int) -> None:
    """Wilson's interval as it stands holds a share of 0.17 / n in 84 percent of cases."""
    for p in (expected / n, 1 - expected / n):
        assert coverage_of_counts(estimate_share, n, p, p) > 0.93


@pytest.mark.parametrize("expected", RARE)
@pytest.mark.parametrize("n", [50, 5000])
def test_a_mean_of_rare_values_is_covered_as_often_as_it_says(expected: float, n: int) -> None:
    p = expected / n
    assert coverage_of_counts(lambda k, n: estimate_mean(k, k, n, "x"), n, p, p) > 0.94
    assert coverage_of_counts(lambda k, n: estimate_values({0: n - k, 1: k} if k else {0: n}, (0, 9), "x"), n, p, p) > 0.94


@pytest.mark.parametrize("seats", [2, 4])
def test_an_advantage_is_covered_also_where_a_seat_hardly_ever_loses(seats: int) -> None:
    n = 50
    for p in (0.99, 0.97, 0.9):
        without_draws = coverage_of_counts(lambda k, n: estimate_advantage(k, n, n, seats), n, p, p - 1 / seats)
        with_draws = coverage_of_counts(lambda k, n: estimate_advantage(k, n, n + 1, seats), n, p, (p * n - n / seats) / (n + 1))
        assert without_draws > 0.92
        assert with_draws > 0.92


def test_no_interval_reaches_beyond_what_is_possible() -> None:
    for first, wins, n, seats in [(1, 2, 2, 2), (3, 3, 3, 2), (30, 40, 40, 2), (1, 1, 2, 3), (0, 0, 1, 4), (2, 2, 2, 5)]:
        for found in (estimate_advantage(first, wins, n, seats), advantage_sequence(first, wins, n, seats)):
            assert -1 / seats <= found.low <= found.best <= found.high <= 1 - 1 / seats
    for counts in ({3: 1}, {0: 1, 7: 1}, {0: 4, 7: 1}, {7: 3}):
        for mean in (estimate_values(counts, (0, 7), "x"), values_sequence(counts, (0, 7), "x")):
            assert 0 <= mean.low <= mean.best <= mean.high <= 7


def test_that_nothing_varied_is_no_certainty() -> None:
    won_all = estimate_advantage(3, 3, 3, 2)
    assert won_all.low < 0.1 < won_all.best == won_all.high == 0.5
    none_seen = estimate_mean(0, 0, 1000, "x")
    assert 3 / 1000 < none_seen.high == -none_seen.low < 4 / 1000
    assert 3 * 50 / 1000 < estimate_values({0: 1000}, (0, 50), "x").high < 5 * 50 / 1000
    fixed = estimate_values({5: 1000}, (5, 5), "x")
    assert (fixed.low, fixed.high) == (5, 5), "what can have one value alone is known"


def test_few_games_that_carry_a_sum_are_known_by_their_share_of_it() -> None:
    assert few_carry({0: 299_996, 1: 1, 80: 1, 233: 1, 409: 1})
    assert few_carry({0: 10_000, 1: 200, 501: 1}), "one of them outweighs 200"
    assert not few_carry({0: 10_000, 1: 200})
    assert not few_carry({1: 30, 2: 30, 900: 1}), "most values differ"


def test_a_mean_that_few_values_carry_is_covered_by_betting() -> None:
    """Nine in ten samples hold none of the values that make the mean; Student's interval, widened or not, misses it then."""
    generator, n = np.random.default_rng(5), 1000
    values, shares = [0, 1, 501], [0.9989, 0.001, 0.0001]
    truth = float(np.dot(values, shares))
    hits = widened_hits = 0
    for counts in generator.multinomial(n, shares, 400).tolist():
        seen = {v: c for v, c in zip(values, counts, strict=True) if c}
        found = estimate_values(seen, (0, 501), "draws")
        student = estimate_mean(*sums_of(seen), n, "draws")
        hits += found.low <= truth <= found.high
        widened_hits += student.low <= truth <= student.high
    assert hits / 400 >= CONFIDENCE
    assert widened_hits / 400 < 0.2


def test_a_mean_is_not_said_to_lie_where_no_value_can() -> None:
    """One draw in a hundred thousand playouts: Student's interval alone would reach below none at all."""
    often = Metric("often", "Often", "draws", "count", 0, 50)
    histogram = Histogram(0, np.array([[50], [1], [1]], np.int64))
    assert estimate_mean(3, 5, 52, "draws").low < 0
    found = estimate_metric(often, histogram)
    assert 0 <= found.low < found.best < found.high <= 50
    assert estimate_metric(replace(often, high=2), Histogram(0, np.array([[1], [0], [1]], np.int64))).high == 2


@pytest.mark.parametrize("counts", [{0: 900, 1: 60, 80: 40}, {0: 990, 80: 10}, {500: 997, 499: 3}])
def test_ends_by_betting_are_where_the_bets_against_them_have_won_what_the_error_asks(counts: dict[int, int]) -> None:
    """The mixture of stakes written out, in twice as many digits as it is computed with."""

    def capital(sign: int, mean: Decimal) -> Decimal:
        worst = mean if sign > 0 else 500 - mean
        bets = [(Decimal(1) / 2**k, Decimal(1) / ((k + 1) * (k + 2))) for k in range(50)]
        return sum(
            (share * math.prod((1 + stake * sign * (v - mean) / worst) ** n for v, n in counts.items()) for stake, share in bets), Decimal()
        )

    low, high = mean_by_betting(counts, (0, 500), 0.01)
    for end, sign in ((low, 1), (high, -1)):
        if 0 < end < 500:
            assert float(capital(sign, Decimal(end))) == pytest.approx(100, rel=1e-6)
            assert level_by_betting(counts, (0, 500), end) == pytest.approx(0.02)
    assert 0 < low < sum(v * n for v, n in counts.items()) / 1000 < high < 500
    for confidence in (0.98, EachEnd(0.99)):
        found = by_betting(counts, (0, 500), "x", confidence)
        assert (found.low, found.high) == pytest.approx((low, high))
