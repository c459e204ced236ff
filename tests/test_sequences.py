"""Confidence sequences: exact against their definition, and they hold however often one looks."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betaln
from scipy.stats import beta, binom, norm

from simulator.game import Metric
from simulator.stats.estimate import CONFIDENCE, EachEnd, Estimate, estimate_share, sums_of, widened
from simulator.stats.sequences import (
    TUNED_FOR,
    Width,
    boundary,
    boundary_level,
    half_width,
    mean_sequence,
    sequence_of,
    share_sequence,
    values_sequence,
)
from simulator.stats.tally import Histogram

Floats = np.ndarray[Any, np.dtype[np.float64]]
IntervalOf = Callable[[int, int], Estimate]

LOOKS = 100
BETWEEN = 200


@pytest.mark.parametrize(("successes", "n"), [(0, 50), (50, 50), (3, 1000), (20, 1000), (500, 1000), (100, 199), (900, 100_000)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_at_the_ends_the_mixture_is_as_many_times_more_likely_as_promised(successes: int, n: int, confidence: float) -> None:
    estimate = share_sequence(successes, n, confidence, tuned_for=500)
    weight = 500 / (2 * math.log(20) + math.log(1 + 2 * math.log(20)))
    for p in (estimate.low, estimate.high):
        if 0 < p < 1:
            prior = weight * p, weight * (1 - p)
            mixture = betaln(prior[0] + successes, prior[1] + n - successes) - betaln(*prior)
            likelihood = successes * math.log(p) + (n - successes) * math.log1p(-p)
            assert math.exp(mixture - likelihood) == pytest.approx(1 / (1 - confidence), rel=1e-7)
    assert (estimate.low == 0) == (successes == 0)
    assert (estimate.high == 1) == (successes == n)


@pytest.mark.parametrize(("successes", "n"), [(0, 60), (1, 60), (2, 60), (30, 60), (59, 60), (3, 10**5), (5000, 10**5)])
def test_what_the_mixture_does_not_refute_is_an_interval(successes: int, n: int) -> None:
    """The prior changes with p, so that this does not go without saying."""
    estimate = share_sequence(successes, n, tuned_for=5000)
    weight = 5000 / (2 * math.log(20) + math.log(1 + 2 * math.log(20)))
    p = np.concatenate([np.geomspace(1e-12, 0.5, 3000), 1 - np.geomspace(1e-12, 0.5, 3000)])
    mixture = betaln(weight * p + successes, weight * (1 - p) + n - successes) - betaln(weight * p, weight * (1 - p))
    inside = mixture - successes * np.log(p) - (n - successes) * np.log1p(-p) < math.log(20)
    assert np.array_equal(inside, (estimate.low < p) & (p < estimate.high))


def test_the_largest_numbers_of_playouts_lose_no_precision() -> None:
    n = 2**53
    for share in (2, 4, 1024):
        p = 1 / share
        # so many playouts are normal to many digits
        assert half_width(share_sequence(n // share, n)) == pytest.approx(boundary(n) * math.sqrt(p * (1 - p) / n), rel=1e-3)
    assert share_sequence(0, n).high == pytest.approx(-math.log1p(-CONFIDENCE) / n, rel=0.01)
    assert share_sequence(n, n).low == pytest.approx(1, abs=1e-14)
    assert 0 < share_sequence(2, n).low < 2 / n < share_sequence(2, n).high < 1e-14


@pytest.mark.parametrize("n", [1, 2, 7, 300])
def test_more_successes_lower_no_end_and_the_estimate_lies_between(n: int) -> None:
    found = [share_sequence(k, n, tuned_for=100) for k in range(n + 1)]
    for less, more in itertools.pairwise(found):
        assert less.low <= more.low
        assert less.high <= more.high
    assert all(e.low <= e.best <= e.high for e in found)
    assert all(e.low == pytest.approx(1 - f.high) for e, f in zip(found, reversed(found), strict=True))


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_the_sequence_narrows_but_stays_wider_than_an_interval_for_a_fixed_number(share: float) -> None:
    widths = [half_width(share_sequence(round(share * n), n)) for n in (100, 1000, 10**4, 10**6, 10**8, 10**12)]
    assert widths == sorted(widths, reverse=True)
    fixed = half_width(estimate_share(round(share * 10**6), 10**6))
    assert 0.8 * fixed < widths[3] < 2 * fixed


@pytest.mark.parametrize("n", [1000, TUNED_FOR, 10**7])
def test_it_is_narrowest_where_it_is_tuned_and_there_three_standard_errors_wide(n: int) -> None:
    widths = [half_width(share_sequence(n // 2, n, tuned_for=tuned)) for tuned in (n // 10, n, n * 10)]
    assert min(widths) == widths[1]
    assert widths[1] == pytest.approx(3.035 * math.sqrt(0.25 / n), rel=0.02)


def looks(p: float) -> Iterator[tuple[int, Floats]]:
    """How probable each number of successes is, look after look; whoever stops zeroes what has stopped."""
    step = binom.pmf(np.arange(BETWEEN + 1), BETWEEN, p)
    likely: Floats = np.ones(1)
    for look in range(1, LOOKS + 1):
        likely = np.convolve(likely, step)
        yield look * BETWEEN, likely
        likely[likely < 1e-15] = 0


def accepted(interval: IntervalOf, p: float, n: int) -> tuple[int, int]:
    """Numbers of successes from and up to which the interval contains p; both ends rise with the successes."""
    first = bisect_left(range(n + 1), True, key=lambda k: interval(k, n).high >= p)  # noqa: FBT003  that is how it bisects
    last = bisect_left(range(n + 1), True, key=lambda k: interval(k, n).low > p)  # noqa: FBT003
    return first, last


def chance_of_ever_leaving(interval: IntervalOf, p: float) -> float:
    """The exact probability that an interval misses the truth at one of the looks."""
    for n, likely in looks(p):
        first, last = accepted(interval, p, n)
        likely[:first] = 0
        likely[last:] = 0
        inside = float(likely.sum())
    return 1 - inside


def tuned_sequence(successes: int, n: int) -> Estimate:
    """With which most playouts are saved, and most of the error is spent, on these looks."""
    return share_sequence(successes, n, tuned_for=2000)


@pytest.mark.parametrize("p", [0.02, 0.5, 0.9])
def test_a_share_hardly_ever_leaves_its_sequence(p: float) -> None:
    assert 0 < chance_of_ever_leaving(share_sequence, p) < 1 - CONFIDENCE
    assert 0.01 < chance_of_ever_leaving(tuned_sequence, p) < 1 - CONFIDENCE


def test_the_same_looks_defeat_an_interval_for_a_fixed_number() -> None:
    assert chance_of_ever_leaving(lru_cache(None)(estimate_share), 0.02) > 0.25


@pytest.mark.parametrize("confidence", [0.5, 0.8])
def test_other_confidences_are_kept_and_not_exceeded_without_end(confidence: float) -> None:
    missed = chance_of_ever_leaving(lambda k, n: share_sequence(k, n, confidence, tuned_for=2000), 0.3)
    assert (1 - confidence) / 8 < missed < 1 - confidence


def test_stopping_at_a_precision_keeps_the_coverage() -> None:
    p, target, missed, stopped = 0.02, 0.006, 0.0, 0.0
    for n, likely in looks(p):
        # fewer successes make it narrower, so that luck decides who stops early
        narrow = bisect_left(range(n // 2), True, key=lambda k: half_width(tuned_sequence(k, n)) > target)  # noqa: FBT003
        first, last = accepted(tuned_sequence, p, n)
        stopped += likely[:narrow].sum()
        missed += likely[: min(first, narrow)].sum() + likely[last:narrow].sum()
        likely[:narrow] = 0
    assert stopped == pytest.approx(1, abs=1e-6)
    assert missed < 1 - CONFIDENCE


def chance_of_ever_being_above(interval: IntervalOf, p: float) -> float:
    """The exact probability that the lower end lies above the truth at one of the looks."""
    for n, likely in looks(p):
        likely[bisect_left(range(n + 1), True, key=lambda k: interval(k, n).low > p) :] = 0  # noqa: FBT003  that is how it bisects
        inside = float(likely.sum())
    return 1 - inside


@pytest.mark.parametrize("p", [0.02, 0.5, 0.9])
def test_each_end_by_itself_holds_as_often_as_it_says(p: float) -> None:
    each, both = EachEnd(0.9), 0.9
    missed = chance_of_ever_being_above(lambda k, n: share_sequence(k, n, each, tuned_for=2000), p)
    assert (1 - both) / 8 < missed < 1 - both
    narrower, wider = (share_sequence(200, 2000, c, tuned_for=2000) for c in (each, both))
    assert wider.low < narrower.low < 0.1 < narrower.high < wider.high


def test_the_end_of_a_share_by_itself_is_where_the_cut_mixture_is_as_many_times_more_likely_as_promised() -> None:
    successes, n, tuned_for = 20, 1000, 500
    p = share_sequence(successes, n, EachEnd(0.99), tuned_for=tuned_for).low
    weight = tuned_for / (2 * math.log(20) + math.log(1 + 2 * math.log(20)))
    prior = beta(weight * p, weight * (1 - p))
    likelihood = binom(n, p).pmf(successes)
    mixture = quad(lambda q: prior.pdf(q) * binom.pmf(successes, n, q), p, 0.2, limit=500)[0] / prior.sf(p)
    assert mixture / likelihood == pytest.approx(100, rel=1e-4)


@pytest.mark.parametrize("n", [100, TUNED_FOR, 10**7])
def test_the_end_of_a_mean_by_itself_is_where_half_a_gaussian_mixture_is(n: int) -> None:
    errors, scale = boundary(n, EachEnd(0.99)), math.sqrt((2 * math.log(20) + math.log(1 + 2 * math.log(20))) / TUNED_FOR)

    def capital(effect: float) -> float:
        return math.exp(effect * errors * math.sqrt(n) - effect * effect * n / 2) * 2 * norm.pdf(effect, scale=scale)

    best = errors / math.sqrt(n)
    assert quad(capital, 0, best + 10 / math.sqrt(n), points=[best], limit=500)[0] == pytest.approx(100, rel=1e-4)
    assert boundary(n, 0.98) < errors < boundary(n, 0.99)


@pytest.mark.parametrize("p", [0.01, 0.3])
@pytest.mark.parametrize("width", [0.003, 0.02])
def test_a_sequence_that_is_tuned_to_a_width_holds_as_well(p: float, width: float) -> None:
    assert chance_of_ever_leaving(lambda k, n: share_sequence(k, n, tuned_for=Width(width)), p) < 1 - CONFIDENCE


@pytest.mark.parametrize(("successes", "n"), [(0, 60), (1, 60), (30, 60), (59, 60), (3, 10**5), (5000, 10**5)])
@pytest.mark.parametrize("width", [0.2, 0.01, 1e-4])
def test_what_the_mixture_for_a_width_does_not_refute_is_an_interval(successes: int, n: int, width: float) -> None:
    found = share_sequence(successes, n, tuned_for=Width(width))
    p = np.concatenate([np.geomspace(1e-12, 0.5, 2000), 1 - np.geomspace(1e-12, 0.5, 2000)])
    weight = boundary(1, CONFIDENCE, 1) ** 2 * (p * (1 - p) + width / 4) / width**2 / (2 * math.log(20) + math.log(1 + 2 * math.log(20)))
    mixture = betaln(weight * p + successes, weight * (1 - p) + n - successes) - betaln(weight * p, weight * (1 - p))
    inside = mixture - successes * np.log(p) - (n - successes) * np.log1p(-p) < math.log(20)
    assert np.array_equal(inside, (found.low < p) & (p < found.high))


@pytest.mark.parametrize("p", [0.5, 0.1])
@pytest.mark.parametrize("width", [0.02, 0.001, 0.0001])
def test_a_width_takes_two_and_a_half_times_the_least_number_of_playouts_whatever_it_is(p: float, width: float) -> None:
    def least(interval: Callable[[int, int], Estimate]) -> int:
        return bisect_left(range(1, 10**10), True, key=lambda n: half_width(interval(round(p * n), n)) <= width)  # noqa: FBT003

    fixed = least(estimate_share)
    assert least(lambda k, n: share_sequence(k, n, tuned_for=Width(width))) < 2.5 * fixed
    mean = least(lambda k, n: mean_sequence(k, k, n, "x", tuned_for=Width(width)))
    assert mean < 2.6 * fixed, "the widening costs a little where hardly any are played"
    if width != 0.001:
        assert least(share_sequence) > 2.5 * fixed, "one that is tuned to a number of playouts is good at one width alone"


def test_the_boundary_is_the_papers_and_nearly_the_lowest_where_it_is_tuned() -> None:
    def of_the_paper(n: int, scale: float) -> float:
        spread = n * scale**2
        return math.sqrt(n) * math.sqrt(2 * (spread + 1) / (n * spread) * math.log(math.sqrt(spread + 1) / (1 - CONFIDENCE)))

    best = min(of_the_paper(TUNED_FOR, scale) for scale in np.geomspace(1e-4, 1, 2000))
    assert best <= boundary(TUNED_FOR) < 1.001 * best
    assert boundary(100 * TUNED_FOR) < 1.2 * best


@pytest.mark.parametrize("n", [2, 1000, 10**6, 2**53])
def test_levels_undo_boundaries(n: int) -> None:
    for confidence in (0.5, 0.95, 0.9999):
        assert boundary_level(boundary(n, confidence), n) == pytest.approx(1 - confidence)
    assert boundary_level(0, n) == 1


def sums(generator: np.random.Generator, shares: Floats, runs: int) -> Iterator[tuple[int, list[int], list[int]]]:
    """Sums and sums of squares of values 0, 1, ... with given probabilities, run by run, look after look."""
    values = np.arange(len(shares))
    counts = np.zeros((runs, len(shares)), np.int64)
    for look in range(1, LOOKS + 1):
        counts += generator.multinomial(BETWEEN, shares, runs)
        yield look * BETWEEN, (counts @ values).tolist(), (counts @ values**2).tolist()


MEANS = {
    "die": np.full(6, 1 / 6),
    "skewed": 0.2 * 0.8 ** np.arange(60) / (0.2 * 0.8 ** np.arange(60)).sum(),
    "rare": np.array([0.999, 0.001]),
}


@pytest.mark.parametrize("name", MEANS)
def test_a_mean_hardly_ever_leaves_its_sequence(name: str) -> None:
    shares, runs = MEANS[name], 400
    truth = float(shares @ np.arange(len(shares)))
    left, left_fixed = np.zeros(runs, bool), np.zeros(runs, bool)
    for n, totals, squares in sums(np.random.default_rng(3), shares, runs):
        found = [mean_sequence(a, b, n, "x") for a, b in zip(totals, squares, strict=True)]
        left |= [not e.low <= truth <= e.high for e in found]
        left_fixed |= [abs(e.best - truth) > 1.96 * math.sqrt((b / n - e.best**2) / n) for e, b in zip(found, squares, strict=True)]
    assert left.mean() < 1 - CONFIDENCE
    assert left_fixed.mean() > 0.25


def test_without_the_widening_rare_values_would_be_missed() -> None:
    """The sequence as it stands in the paper is [0, 0] until the first rare value."""
    shares, runs = MEANS["rare"], 400
    left = np.zeros(runs, bool)
    for n, totals, squares in sums(np.random.default_rng(3), shares, runs):
        means = np.array(totals) / n
        left |= abs(means - 0.001) > boundary(n) * np.sqrt((np.array(squares) / n - means**2) / n)
    assert left.mean() > 0.5


def test_a_mean_is_exact_and_in_the_middle() -> None:
    big = 10**9
    found = mean_sequence(2 * big + 1, big**2 + (big + 1) ** 2, 2, "stars")
    half = boundary(2) * math.sqrt((0.5 + boundary(2) ** 2 / 2) / 2)
    assert found.best == big + 0.5
    assert found.high - found.best == pytest.approx(half, rel=1e-6)
    assert found.best - found.low == pytest.approx(half, rel=1e-6)
    assert (found.n, found.unit) == (2, "stars")


def test_one_value_says_nothing_about_the_spread() -> None:
    found = mean_sequence(7, 49, 1, "turns")
    assert (found.best, found.low, found.high) == (7, -math.inf, math.inf)
    assert half_width(found) == math.inf


def test_values_that_never_varied_may_yet_vary() -> None:
    n = 10**5
    found = mean_sequence(0, 0, n, "stars")
    assert share_sequence(0, n).high < found.high < 10 / n
    assert mean_sequence(0, 0, n, "stars", step=30).high == pytest.approx(30 * found.high)


def test_a_metric_is_judged_by_its_kind() -> None:
    histogram = Histogram(0, np.array([[60, 0], [0, 40]], np.int64))
    assert sequence_of(Metric("w", "W", "share", "share", 0, 1), histogram, 0.9) == share_sequence(40, 100, 0.9)
    many = Histogram(0, histogram.counts * 1000)
    mean = sequence_of(Metric("m", "M", "stars", "count", 0, 1), many, 0.9)
    assert mean == mean_sequence(40_000, 40_000, 100_000, "stars", 0.9)


def test_a_mean_stays_within_its_range_which_is_all_that_is_known_before_it_varies() -> None:
    metric, n = Metric("m", "M", "stars", "count", -5, 90), 10**5
    still = sequence_of(metric, Histogram(-5, np.array([[n]], np.int64)))
    assert (still.best, still.low) == (-5, -5)
    assert 3 * 95 / n < still.high + 5 < 5 * 95 / n, "the rule of three, over the whole range"
    moved = sequence_of(metric, Histogram(-5, np.array([[n - 50], [0], [50]], np.int64)))
    assert moved.high + 5 - 100 / n == pytest.approx(widened(boundary(n), 200 / n, n, 2), rel=1e-3)
    settled = sequence_of(Metric("m", "M", "stars", "count", 3, 3), Histogram(3, np.array([[n]], np.int64)))
    assert (settled.low, settled.high) == (3, 3)


def test_a_mean_that_few_values_carry_hardly_ever_leaves_its_sequence() -> None:
    values, shares = [0, 1, 501], np.array([0.9989, 0.001, 0.0001])
    truth = float(shares @ values)
    generator, left, left_moments = np.random.default_rng(8), 0, 0
    for _ in range(60):
        running = generator.multinomial(BETWEEN, shares, LOOKS).cumsum(axis=0)
        missed = missed_moments = False
        for look, counts in enumerate(running[:30].tolist(), 1):
            seen = {v: c for v, c in zip(values, counts, strict=True) if c}
            found = values_sequence(seen, (0, 501), "draws", tuned_for=5000)
            plain = mean_sequence(*sums_of(seen), look * BETWEEN, "draws", tuned_for=5000)
            missed |= not found.low <= truth <= found.high
            missed_moments |= not plain.low <= truth <= plain.high
        left += missed
        left_moments += missed_moments
    assert left <= 3
    assert left_moments > 30
