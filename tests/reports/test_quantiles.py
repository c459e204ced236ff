"""Quantiles come with intervals that hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.quantiles import quantile_estimate
from simulator.stats.tally import Histogram

SEED = 20_240_601


def drawn(generator: np.random.Generator, n: int, mean: float = 12.0) -> Histogram:
    """A histogram of `n` Poisson numbers, which have many ties."""
    return Histogram(0, np.bincount(generator.poisson(mean, n)).astype(np.int64)[:, None])


def test_a_quantile_is_the_smallest_value_that_so_many_do_not_exceed() -> None:
    counts = Histogram(3, np.array([[50], [45], [5]], np.int64))
    assert [quantile_estimate(counts, share, "turns").best for share in (0.5, 0.95, 0.99)] == [3, 4, 5]


def test_the_ends_are_the_order_statistics_that_a_binomial_distribution_names() -> None:
    ranks = Histogram(1, np.ones((100, 1), np.int64))  # the k-th smallest value is k
    found = quantile_estimate(ranks, 0.5, "turns")
    assert (found.low, found.high, found.n, found.unit) == (40, 61, 100, "turns")  # David and Nagaraja: ranks 40 and 61


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize("share", [0.5, 0.95, 0.99])
def test_the_interval_holds_the_true_quantile_as_often_as_it_promises(share: float, *, sequential: bool) -> None:
    generator = np.random.default_rng(SEED)
    truth = quantile_estimate(drawn(generator, 4_000_000), share, "turns").best
    tries = 60 if sequential else 400
    found = [quantile_estimate(drawn(generator, 500), share, "turns", sequential=sequential) for _ in range(tries)]
    held = sum(e.low <= truth <= e.high for e in found)
    assert held / tries >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / tries)


def test_an_interval_of_values_without_ties_is_not_much_wider_than_need_be() -> None:
    generator = np.random.default_rng(SEED)
    truth, tries = 95_000, 400
    held = 0
    for _ in range(tries):
        values = np.bincount(generator.integers(1, 100_001, 300), minlength=100_001).astype(np.int64)
        found = quantile_estimate(Histogram(0, values[:, None]), 0.95, "turns")
        held += found.low <= truth <= found.high
    assert 0.92 <= held / tries <= 0.995


def test_an_end_that_nothing_was_seen_beyond_is_unknown() -> None:
    few = Histogram(1, np.ones((10, 1), np.int64))
    found = quantile_estimate(few, 0.99, "turns")
    assert found.best == 10
    assert math.isinf(found.high)
    assert math.isinf(quantile_estimate(few, 0.01, "turns").low)
    assert math.isinf(quantile_estimate(few, 0.99, "turns", sequential=True).high)


def test_a_run_that_might_stop_when_it_liked_gets_a_wider_interval() -> None:
    generator = np.random.default_rng(SEED)
    counts = drawn(generator, 20_000, mean=40_000)
    fixed, looked_at = (quantile_estimate(counts, 0.95, "turns", sequential=s) for s in (False, True))
    assert looked_at.low <= fixed.low <= fixed.best <= fixed.high <= looked_at.high
    assert looked_at.high - looked_at.low > fixed.high - fixed.low
