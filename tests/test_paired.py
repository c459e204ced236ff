"""Paired differences: exact sums, and intervals that cover also when hardly any pair differs."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import chi2, norm, ttest_rel

from simulator.game import Metric
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_mean, estimate_share
from simulator.stats.paired import LARGEST, MOST_APART, PairedTally, PairSums, pair_rows, reaches, tango_interval

SHARE = Metric("won", "Won", "share", "share", 0, 1)
COUNT = Metric("stars", "Stars", "stars", "count", -10, 90)
NAMES = ("won", "stars")
Z = float(norm.ppf((1 + CONFIDENCE) / 2))


def rows(generator: np.random.Generator, playouts: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.column_stack([generator.integers(0, 2, playouts), generator.integers(-10, 91, playouts)]).astype(np.int32)


def moved(up: int, down: int, n: int, jump: int = 1) -> PairedTally:
    """Pairs of which some go up, some go down by `jump`; half of the baseline's values are one jump above 0."""
    half = n // 2
    change = up - down
    sums = PairSums(half * jump, (half + change) * jump, half * jump**2, (half + change) * jump**2, (up + down) * jump**2, up + down)
    return PairedTally(NAMES, n, (sums, sums))


def test_sums_over_pairs_are_exact() -> None:
    generator = np.random.default_rng(1)
    a, b = rows(generator, 500), rows(generator, 500)
    tally = pair_rows(a, b, NAMES)
    assert tally.n == 500
    for m, name in enumerate(NAMES):
        x, y = a[:, m].astype(int), b[:, m].astype(int)
        expected = (x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), ((y - x) ** 2).sum(), (x != y).sum())
        assert tally[name] == PairSums(*expected)
        assert tally[name].difference == (y - x).sum()


def test_sums_of_large_values_do_not_overflow() -> None:
    a, b = np.full((1001, 1), -LARGEST, np.int32), np.full((1001, 1), LARGEST, np.int32)
    sums = pair_rows(a, b, ("x",))["x"]
    assert sums == PairSums(-1001 * 2**30, 1001 * 2**30, 1001 * 2**60, 1001 * 2**60, 1001 * 2**62, 1001)
    with pytest.raises(ValueError, match="too large"):
        pair_rows(a - 1, b, ("x",))


def test_rows_that_are_no_pairs_are_refused() -> None:
    a = rows(np.random.default_rng(1), 5)
    for b, names in ((a[:4], NAMES), (a[:, :1], NAMES), (a, NAMES[:1])):
        with pytest.raises(ValueError, match="no pairs"):
            pair_rows(a, b, names)


def test_paired_tallies_add_without_a_trace_of_the_order() -> None:
    generator = np.random.default_rng(2)
    a, b = rows(generator, 900), rows(generator, 900)
    whole = pair_rows(a, b, NAMES)
    x, y, z = (pair_rows(a[part], b[part], NAMES) for part in (slice(100), slice(100, 500), slice(500, 900)))
    assert (x + y) + z == z + (y + x) == whole
    assert (x + y + z).digest == whole.digest
    assert all(type(v) is int for s in whole.sums for v in (s.baseline, s.difference_squares, s.moved, s.difference))
    with pytest.raises(ValueError, match="different metrics"):
        x + pair_rows(a[:, :1], b[:, :1], NAMES[:1])


def test_the_digest_sees_every_sum() -> None:
    found = {moved(3, 2, 100).digest, moved(2, 3, 100).digest, moved(3, 2, 102).digest, moved(3, 3, 100).digest, moved(3, 2, 100, 2).digest}
    assert len(found) == 5


def test_tangos_interval_has_the_published_value() -> None:
    # airway hyper-responsiveness before and after a transplantation, in Fagerland, Lydersen and Laake, 2014
    low, high = tango_interval(1, 7, 21)
    assert (round(low, 3), round(high, 3)) == (-0.517, -0.026)


def largest_likelihood_variance(difference: float, up: int, down: int, n: int) -> float:
    def unlikely(share_down: float) -> float:
        share_up = share_down + difference
        counted = ((up, share_up), (down, share_down), (n - up - down, 1 - share_up - share_down))
        return -sum(count * math.log(share) for count, share in counted if count)

    found = minimize_scalar(unlikely, bounds=(max(0.0, -difference), (1 - difference) / 2), method="bounded", options={"xatol": 1e-12})
    return 2 * float(found.x) + difference - difference**2


@pytest.mark.parametrize(("up", "down", "n"), [(1, 7, 21), (40, 20, 160), (5, 1, 2000), (300, 310, 900)])
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_tangos_ends_are_where_the_score_test_begins_to_reject(up: int, down: int, n: int, confidence: float) -> None:
    z = norm.ppf((1 + confidence) / 2)
    for end in tango_interval(up, down, n, confidence):
        score = (up - down - n * end) / math.sqrt(n * largest_likelihood_variance(end, up, down, n))
        assert abs(score) == pytest.approx(z, rel=1e-4)


@pytest.mark.parametrize("n", [1, 10, 2000, 2**53])
def test_pairs_that_never_differed_may_yet_differ(n: int) -> None:
    low, high = tango_interval(0, 0, n)
    assert high == pytest.approx(Z**2 / (n + Z**2), rel=1e-9)
    assert low == -high


@pytest.mark.parametrize(("up", "down", "n"), [(3, 0, 10), (10, 0, 10), (1, 0, 1), (7, 2, 50), (7, 2, 2**53), (2**52, 2**51, 2**53)])
def test_exchanging_the_experiments_exchanges_the_signs(up: int, down: int, n: int) -> None:
    low, high = tango_interval(up, down, n)
    assert tango_interval(down, up, n) == (-high, -low)
    assert -1 <= low <= (up - down) / n <= high <= 1
    assert low < high


def test_the_far_end_is_wilsons_where_all_pairs_that_differ_do_so_in_one_direction() -> None:
    assert tango_interval(4, 0, 300)[1] == pytest.approx(estimate_share(4, 300).high)


@pytest.mark.parametrize(("up", "down"), list(itertools.product(range(0, 25, 3), range(0, 25, 4))))
@pytest.mark.parametrize("metric", [SHARE, COUNT], ids=lambda m: m.kind)
def test_p_values_and_intervals_agree(up: int, down: int, metric: Metric) -> None:
    tally = moved(up, down, 500)
    for found in (tally.difference(metric), tally.difference_sequence(metric, tuned_for=500)):
        assert (found.p_value <= 1 - CONFIDENCE) == (not found.estimate.low <= 0 <= found.estimate.high)
        assert found.estimate.best == (up - down) / 500
        assert found.estimate.unit == metric.unit
        assert found.moved == up + down


def test_shares_have_mcnemars_p_value() -> None:
    assert moved(25, 9, 400).difference(SHARE).p_value == pytest.approx(chi2.sf((25 - 9) ** 2 / 34, 1))


def test_where_many_pairs_differ_means_have_students_interval() -> None:
    generator = np.random.default_rng(5)
    a, b = rows(generator, 4000), rows(generator, 4000)
    b[:, 1] = (a[:, 1] + b[:, 1]) // 2 + 1
    found = pair_rows(a, b, NAMES).difference(COUNT)
    by_scipy = ttest_rel(b[:, 1], a[:, 1])
    interval = by_scipy.confidence_interval(CONFIDENCE)
    assert found.estimate.low == pytest.approx(interval.low, abs=0.002 * (interval.high - interval.low))
    assert found.estimate.high == pytest.approx(interval.high, abs=0.002 * (interval.high - interval.low))
    assert found.p_value == pytest.approx(by_scipy.pvalue, rel=0.03)
    assert found.baseline == estimate_mean(int(a[:, 1].sum()), int((a[:, 1].astype(int) ** 2).sum()), 4000, "stars")
    assert found.changed.best == b[:, 1].mean()


@pytest.mark.parametrize("metric", [SHARE, COUNT], ids=lambda m: m.kind)
def test_identical_experiments_differ_by_exactly_nothing(metric: Metric) -> None:
    a = rows(np.random.default_rng(6), 100)
    tally = pair_rows(a, a, NAMES)
    for found in (tally.difference(metric, identical=True), tally.difference_sequence(metric, identical=True)):
        assert found.estimate == Estimate(0, 0, 0, 100, metric.unit)
        assert (found.p_value, found.moved, found.variance_ratio) == (1, 0, None)
        assert found.baseline == found.changed


@pytest.mark.parametrize("metric", [SHARE, COUNT], ids=lambda m: m.kind)
def test_a_change_that_moved_no_pair_is_not_shown_to_do_nothing(metric: Metric) -> None:
    tally = moved(0, 0, 10**5)
    for found in (tally.difference(metric), tally.difference_sequence(metric)):
        assert found.estimate.best == 0
        assert found.estimate.high == -found.estimate.low
        assert 3 / 10**5 < found.estimate.high < 10 / 10**5
        assert found.p_value == 1


def test_unseen_differences_are_taken_to_be_as_large_as_between_independent_playouts() -> None:
    found = moved(0, 0, 10**5, jump=40).difference(COUNT).estimate
    assert found.high == pytest.approx(math.sqrt(2 * 20**2) * Z**2 / 10**5, rel=1e-3)


def test_one_pair_tells_nothing_about_a_mean() -> None:
    tally = pair_rows(np.array([[0, 3]], np.int32), np.array([[1, 5]], np.int32), NAMES)
    for found in (tally.difference(COUNT), tally.difference_sequence(COUNT)):
        assert (found.estimate.best, found.estimate.low, found.estimate.high) == (2, -math.inf, math.inf)
        assert found.p_value == 1
    share = tally.difference_sequence(SHARE).estimate
    assert (share.low, share.high) == (-1, 1)


def test_the_variance_ratio_says_how_many_playouts_the_pairs_saved() -> None:
    generator = np.random.default_rng(8)
    common, own = generator.integers(0, 30, (2, 20_000, 1)), generator.integers(0, 10, (2, 20_000, 1))
    a, b = (common[0] + own[0]).astype(np.int32), (common[0] + own[1]).astype(np.int32)
    apart = (common[1] + own[1]).astype(np.int32)
    metric = Metric("x", "X", "x", "count", 0, 40)
    expected = ((900 - 1) / 12 + (100 - 1) / 12) / ((100 - 1) / 12)
    assert pair_rows(a, b, ("x",)).difference(metric).variance_ratio == pytest.approx(expected, rel=0.03)
    assert pair_rows(a, apart, ("x",)).difference(metric).variance_ratio == pytest.approx(1, rel=0.03)


@pytest.mark.parametrize("shift", [0, 7])
def test_differences_that_do_not_vary_have_no_variance_ratio(shift: int) -> None:
    a = rows(np.random.default_rng(9), 200)
    b = a.copy()
    b[:, 1] += shift
    found = pair_rows(a, b, NAMES).difference(COUNT)
    assert found.variance_ratio is None
    assert found.estimate.best == shift
    assert found.estimate.low < shift < found.estimate.high


@lru_cache(None)
def interval_of(kind: str, up: int, down: int, n: int) -> tuple[float, float]:
    if kind == "student":
        plain = estimate_mean(up - down, up + down, n, "x", step=0)
        return plain.low, plain.high
    found = moved(up, down, n).difference(SHARE if kind == "share" else COUNT).estimate
    return found.low, found.high


def coverage(kind: str, discordant: float, upwards: float, n: int, runs: int = 2000) -> float:
    generator = np.random.default_rng(10)
    shares = [discordant * upwards, discordant * (1 - upwards), 1 - discordant]
    truth = shares[0] - shares[1]
    ends = [interval_of(kind, int(up), int(down), n) for up, down, _ in generator.multinomial(n, shares, runs)]
    return sum(low <= truth <= high for low, high in ends) / runs


@pytest.mark.parametrize("upwards", [0.5, 0.75, 1.0])
@pytest.mark.parametrize("discordant", [0.001, 0.01, 0.2])
@pytest.mark.parametrize("kind", ["share", "count"])
def test_paired_intervals_cover_as_often_as_they_say(kind: str, discordant: float, upwards: float) -> None:
    assert coverage(kind, discordant, upwards, 2000) > CONFIDENCE - 0.015


def test_intervals_of_moderate_discordance_do_not_cover_too_often() -> None:
    for kind in ("share", "count"):
        assert coverage(kind, 0.2, 0.6, 2000) == pytest.approx(CONFIDENCE, abs=0.012)


def test_students_interval_as_it_stands_would_not_cover_few_differences() -> None:
    assert coverage("student", 0.001, 1.0, 2000) < 0.88


def ever_left(discordant: float, upwards: float, *, sequence: bool, runs: int = 200) -> float:
    """In which share of runs the interval misses the truth at one of 60 looks."""
    generator = np.random.default_rng(12)
    shares = [discordant * upwards, discordant * (1 - upwards), 1 - discordant]
    between, left = 500, 0
    for _ in range(runs):
        counts = np.cumsum(generator.multinomial(between, shares, 60), axis=0)
        for look, (up, down, _) in enumerate(counts.tolist(), 1):
            tally = moved(up, down, look * between)
            found = (tally.difference_sequence(COUNT, tuned_for=5000) if sequence else tally.difference(COUNT)).estimate
            if not found.low <= shares[0] - shares[1] <= found.high:
                left += 1
                break
    return left / runs


@pytest.mark.parametrize("discordant", [0.001, 0.01, 0.2])
def test_a_difference_hardly_ever_leaves_its_sequence(discordant: float) -> None:
    assert ever_left(discordant, 0.9, sequence=True) < 1 - CONFIDENCE


def test_the_same_looks_defeat_an_interval_for_a_fixed_number_of_pairs() -> None:
    assert ever_left(0.2, 0.9, sequence=False, runs=80) > 0.2


def test_the_sequence_is_wider_and_shrinks() -> None:
    widths = []
    for n in (10**3, 10**5, 10**7):
        tally = moved(n // 20, n // 25, n)
        fixed, anytime = tally.difference(SHARE).estimate, tally.difference_sequence(SHARE).estimate
        assert anytime.low < fixed.low < fixed.best < fixed.high < anytime.high
        widths.append(anytime.high - anytime.low)
    assert widths[0] > 5 * widths[1] > 25 * widths[2]


def test_common_random_numbers_find_an_effect_of_known_size() -> None:
    """One draw decides both: won below 0.50 before the change, below 0.52 after it."""
    draws = np.random.default_rng(14).random((50_000, 1))
    a, b = (draws < 0.5).astype(np.int32), (draws < 0.52).astype(np.int32)
    found = pair_rows(a, b, ("won",)).difference(SHARE)
    assert found.estimate.low < 0.02 < found.estimate.high
    assert found.estimate.high - found.estimate.low < 0.003
    assert found.variance_ratio == pytest.approx((0.25 + 0.52 * 0.48) / (0.02 * 0.98), rel=0.1)


RARE = Metric("rare", "Rare", "draws", "count", 0, 501)
REACH = reaches([RARE], [RARE])


def rare_pairs(differences: list[int], n: int) -> PairedTally:
    """Pairs of which the first ones differ so."""
    a = np.zeros((n, 1), np.int32)
    b = a.copy()
    b[: len(differences), 0] = differences
    return pair_rows(a, b, ("rare",), REACH)


def test_a_difference_that_few_pairs_carry_is_covered_by_betting() -> None:
    """In most samples none of the pairs is there that make the difference."""
    generator, n = np.random.default_rng(5), 1000
    values, shares = np.array([0, 1, 501]), [0.9989, 0.001, 0.0001]
    truth = float(values @ shares)
    hits = moment_hits = anytime_hits = 0
    for counts in generator.multinomial(n, shares, 300):
        differences = np.repeat(values[1:], counts[1:]).tolist()
        pairs = rare_pairs(differences, n)
        found = pairs.difference(RARE).estimate
        anytime = pairs.difference_sequence(RARE).estimate
        moments = replace(pairs, sums=(replace(pairs["rare"], apart=None),)).difference(RARE).estimate
        hits += found.low <= truth <= found.high
        anytime_hits += anytime.low <= truth <= anytime.high
        moment_hits += moments.low <= truth <= moments.high
    assert min(hits, anytime_hits) / 300 >= CONFIDENCE
    assert moment_hits / 300 < 0.2


@pytest.mark.parametrize("differences", [[], [1], [1, 501], [3] * 9, [501] * 9, [1] * 400])
def test_also_by_betting_the_p_value_says_whether_the_interval_excludes_no_difference(differences: list[int]) -> None:
    pairs = rare_pairs(differences, 2000)
    for confidence in (0.5, 0.9, 0.95, 0.99, 1 - 1e-9):
        for found in (pairs.difference(RARE, confidence), pairs.difference_sequence(RARE, confidence)):
            assert (found.p_value <= 1 - confidence) == (found.estimate.low > 0)
            assert -501 <= found.estimate.low <= found.estimate.best <= found.estimate.high <= 501


def test_pairs_that_differ_are_counted_one_by_one_whatever_the_order() -> None:
    one, other, third = rare_pairs([1, 1, 7], 10), rare_pairs([1, 501], 20), rare_pairs([], 5)
    for whole in ((one + other) + third, third + (other + one)):
        assert whole["rare"].apart == {1: 3, 7: 1, 501: 1}
        assert whole["rare"].reach == (-501, 501)
    many = rare_pairs(list(range(1, MOST_APART + 1)), 1000)
    assert many["rare"].apart is not None
    assert (many + other)["rare"].apart is None
    assert ((many + other) + other)["rare"].apart is None


def test_what_was_counted_one_by_one_leaves_the_digest_alone() -> None:
    pairs = rare_pairs([1, 7], 10)
    assert pairs.digest == replace(pairs, sums=(replace(pairs["rare"], apart=None, reach=None),)).digest


def test_the_reach_of_a_difference_knows_both_ranges() -> None:
    longer = replace(RARE, low=-3, high=1000)
    assert reaches([RARE], [longer]) == [(-504, 1000)]
    tally = pair_rows(np.array([[0]], np.int32), np.array([[900]], np.int32), ("rare",), reaches([RARE], [longer]))
    found = tally.difference(RARE)
    assert -504 < found.estimate.low < found.estimate.best < found.estimate.high == pytest.approx(1000, abs=10)
    assert (found.baseline.low, found.baseline.high) == (0, 501)
    assert (found.changed.low, found.changed.high) == (-3, 1000)
