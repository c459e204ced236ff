"""Verdicts: what an interval says, alone and together with others, and how often it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from simulator.game import Metric
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.stats.paired import PairedTally, PairSums
from simulator.stats.verdicts import confidence_of_selected, false_discovery, holm, verdict, verdicts_together

SHARE = Metric("won", "Won", "share", "share", 0, 1)
Counts = np.ndarray[Any, np.dtype[np.int64]]


def interval(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high, 1000, "share")


@pytest.mark.parametrize(
    ("low", "high", "margin", "expected"),
    [
        (0.01, 0.03, None, "yes"),
        (-0.03, -0.01, None, "yes"),
        (-0.01, 0.03, None, "open"),
        (0.0, 0.03, None, "open"),
        (0.0, 0.0, None, "no"),
        (0.0, 0.0, 0.0, "no"),
        (-0.01, 0.02, 0.02, "no"),
        (-0.01, 0.02, 0.019, "open"),
        (0.01, 0.02, 0.03, "no"),
        (0.01, 0.04, 0.03, "yes"),
        (-float("inf"), float("inf"), 0.1, "open"),
    ],
)
def test_verdicts_are_read_off_the_interval(low: float, high: float, margin: float | None, expected: str) -> None:
    assert verdict(interval(low, high), margin) == expected
    assert verdict(interval(-high, -low), margin) == expected


def test_a_margin_is_not_negative() -> None:
    with pytest.raises(ValueError, match="negative"):
        verdict(interval(0, 1), -0.1)
    with pytest.raises(ValueError, match="negative"):
        verdicts_together([lambda _: interval(0, 1)], -0.1)


# thrombolysis against treatment of 15 outcomes, Neuhaus et al., in Benjamini and Hochberg, 1995, section 4
PUBLISHED = (
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
)  # fmt: skip


def test_adjusted_p_values_decide_as_published() -> None:
    assert sum(p <= 0.05 for p in PUBLISHED) == 9
    assert sum(p <= 0.05 for p in holm(PUBLISHED)) == 3
    assert sum(p <= 0.05 for p in false_discovery(PUBLISHED)) == 4


def test_adjusted_p_values_are_those_of_the_definitions() -> None:
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert holm([0.6, 0.01]) == pytest.approx([0.6, 0.02])
    assert false_discovery([0.02, 0.5, 0.01]) == pytest.approx([0.03, 0.5, 0.03])
    assert holm([]) == false_discovery([]) == ()


def tally(up: int, down: int, n: int) -> PairedTally:
    half = n // 2
    changed = half + up - down
    return PairedTally(("won",), n, (PairSums(half, changed, half, changed, up + down, up + down),))


@cache
def share_at(pairs: PairedTally, confidence: float) -> Estimate:
    return pairs.difference(SHARE, confidence).estimate


def at(pairs: PairedTally) -> Callable[[float], Estimate]:
    return partial(share_at, pairs)


def test_verdicts_together_are_holms() -> None:
    generator = np.random.default_rng(1)
    found = 0
    for shares in generator.uniform(0.01, 0.03, (100, 2)):
        pairs = [tally(up, down, 1000) for up, down, _ in generator.multinomial(1000, [*shares, 1 - shares.sum()], 4).tolist()]
        adjusted = holm([p.difference(SHARE).p_value for p in pairs])
        together = verdicts_together([at(p) for p in pairs])
        assert together == tuple("yes" if p <= 1 - CONFIDENCE else "open" for p in adjusted)
        alone = [verdict(p.difference(SHARE).estimate) for p in pairs]
        found += alone.count("yes") - together.count("yes")
    assert found > 5  # together, more is asked for


def test_a_single_comparison_is_judged_as_if_alone() -> None:
    for up, down in ((30, 5), (8, 7), (0, 0), (25, 12)):
        pairs = tally(up, down, 4000)
        for margin in (None, 0.002, 0.02):
            assert verdicts_together([at(pairs)], margin) == (verdict(pairs.difference(SHARE).estimate, margin),)


def test_decided_comparisons_leave_more_confidence_to_the_others() -> None:
    clear, close = tally(400, 100, 4000), tally(40, 21, 4000)
    # McNemar's z of the close one is 2.43: enough at 1 - 0.05 / 2, and not at 1 - 0.05 / 4
    assert verdicts_together([at(clear)] * 3 + [at(close)]) == ("yes",) * 4
    assert verdicts_together([at(tally(50, 50, 4000))] * 3 + [at(close)])[-1] == "open"


def simulated(generator: np.random.Generator, difference: float, runs: int, n: int = 4000) -> Counts:
    """Pairs that go up and down, shape (runs, 2); one in ten differs."""
    shares = [0.05 + difference / 2, 0.05 - difference / 2, 0.9]
    return generator.multinomial(n, shares, runs)[:, :2]


def test_of_several_equal_variants_hardly_any_is_ever_said_to_differ() -> None:
    generator = np.random.default_rng(2)
    runs, variants, wrong, wrong_alone = 250, 5, 0, 0
    for changes in simulated(generator, 0, runs * variants).reshape(runs, variants, 2).tolist():
        pairs = [tally(up, down, 4000) for up, down in changes]
        wrong += "yes" in verdicts_together([at(p) for p in pairs])
        wrong_alone += any(verdict(share_at(p, CONFIDENCE)) == "yes" for p in pairs)
    assert 0.01 < wrong / runs < 1 - CONFIDENCE + 0.03
    assert wrong_alone / runs > 0.15


def test_a_difference_as_large_as_the_margin_is_hardly_ever_called_equivalent() -> None:
    generator = np.random.default_rng(3)
    margin = 0.03
    shares = {}
    for truth, runs in ((margin, 1000), (margin / 2, 200), (0.0, 200)):
        said = [
            verdict(tally(up, down, 4000).difference(SHARE).estimate, margin) for up, down in simulated(generator, truth, runs).tolist()
        ]
        shares[truth] = said.count("no") / len(said)
    assert 0.01 < shares[margin] < 0.025 + 0.012
    assert shares[margin / 2] > 0.8
    assert shares[0.0] > 0.99


def effects(generator: np.random.Generator, nulls: int, real: int, n: int) -> list[float]:
    """P-values of changes against one baseline: some move playouts either way, some mostly upwards."""
    baseline = generator.random(n) < 0.5
    p_values = []
    for change in range(nulls + real):
        upwards = 0.5 if change < nulls else 0.65
        touched = generator.random(n) < 0.1
        changed = np.where(touched, generator.random(n) < upwards, baseline)
        pairs = tally(int((changed & ~baseline).sum()), int((baseline & ~changed).sum()), n)
        p_values.append(pairs.difference(SHARE).p_value)
    return p_values


def test_false_discoveries_stay_within_the_rate() -> None:
    generator = np.random.default_rng(4)
    rate, shares, hits, unadjusted = 0.1, [], 0, []
    for _ in range(100):
        p_values = effects(generator, 12, 4, 3000)
        for adjusted, kept in ((false_discovery(p_values), shares), (p_values, unadjusted)):
            found = [change for change, p in enumerate(adjusted) if p <= rate]
            kept.append(sum(change < 12 for change in found) / max(1, len(found)))
        hits += sum(p <= rate for p in false_discovery(p_values)[12:])
    assert 0.02 < np.mean(shares) < rate
    assert np.mean(unadjusted) > 1.5 * rate
    assert hits > 100


def test_with_nothing_to_find_hardly_any_run_finds_something() -> None:
    draw = partial(effects, np.random.default_rng(5), 6, 0, 1000)
    assert sum(min(false_discovery(draw())) <= 0.05 for _ in range(150)) <= 150 * 0.05 + 8


def test_intervals_of_what_was_selected_miss_no_more_often_than_they_say() -> None:
    """At the confidence that each of them has alone, about one in five of those that are shown misses."""
    generator, q, tests = np.random.default_rng(4), 0.05, 100
    truths = np.repeat([0.0, 2.5], [80, 20])
    alone, together, rounds = [], [], 300
    for _ in range(rounds):
        found = truths + generator.normal(size=tests)
        adjusted = np.array(false_discovery((2 * norm.sf(abs(found))).tolist()))
        selected = np.flatnonzero(adjusted <= q)
        if not len(selected):
            continue
        off = abs(found - truths)[selected]
        alone.append((off > norm.ppf(1 - q / 2)).mean())
        reach = norm.ppf((1 + confidence_of_selected(len(selected), tests, q)) / 2)
        together.append((off > reach).mean())
        assert (abs(found[selected]) > reach).all(), "what is selected excludes none"
    assert sum(alone) / rounds > 0.1
    assert sum(together) / rounds < q
