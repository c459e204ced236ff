"""Intervals: known values, and the coverage that they promise, found by simulation."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, chi2

from simulator.estimate import CONFIDENCE, estimate_advantage, estimate_mean, estimate_metric, estimate_share, simultaneous
from simulator.game import Metric
from simulator.tally import Histogram


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_shares_have_wilsons_interval(successes: int, n: int, low: float, high: float) -> None:
    estimate = estimate_share(successes, n)
    assert estimate.best == successes / n
    assert estimate.low == pytest.approx(low, abs=5e-5)
    assert estimate.high == pytest.approx(high, abs=5e-5)
    assert estimate.n == n


def test_means_have_students_interval() -> None:
    values = [12.0, 14.0, 11.0, 13.0, 15.0]
    estimate = estimate_mean(65, sum(int(v * v) for v in values), 5, "turns")
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
    half = 1.984217 * np.std(values, ddof=1) / 10  # Student's 97.5 percent point with 99 degrees of freedom
    assert found.high - found.best == pytest.approx(half, rel=1e-5)
    assert estimate_advantage(25, 100, 100, 4).best == 0


def test_a_mean_is_not_said_to_lie_where_no_value_can() -> None:
    """One draw in a hundred thousand playouts: Student's interval alone would reach below none at all."""
    rare = Metric("rare", "Rare", "draws", "count", 0, 50)
    histogram = Histogram(0, np.array([[99_999], [1]], np.int64))
    assert estimate_mean(1, 1, 100_000, "draws").low < 0
    found = estimate_metric(rare, histogram)
    assert found.low == 0
    assert found.high == estimate_mean(1, 1, 100_000, "draws").high
    assert estimate_metric(replace(rare, low=-1), histogram).low == estimate_mean(1, 1, 100_000, "draws").low
