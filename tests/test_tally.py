"""Tallies count exactly, and add without a trace of the order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.game import Metric
from simulator.stats.tally import Histogram, OutOfRangeError, tally_rows

METRICS = (
    Metric("won", "Won", "share", "share", 0, 1, outcome=True),
    Metric("lost", "Lost", "share", "share", 0, 1, outcome=True),
    Metric("margin", "Margin", "stars", "count", -30, 30),
)
rows_strategy = st.lists(st.tuples(st.booleans(), st.integers(-30, 30)), min_size=1, max_size=60)


def rows_of(playouts: list[tuple[bool, int]]) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array([(won, not won, margin) for won, margin in playouts], np.int32)


@settings(max_examples=80)
@given(playouts=rows_strategy)
def test_every_value_is_counted_by_outcome(playouts: list[tuple[bool, int]]) -> None:
    tally = tally_rows(rows_of(playouts), METRICS)
    assert tally.games == len(playouts)
    histogram = tally["margin"]
    for value, (won, lost) in zip(histogram.values, histogram.counts, strict=True):
        assert won == sum(w and m == value for w, m in playouts)
        assert lost == sum(not w and m == value for w, m in playouts)
    assert histogram.moments() == (sum(m for _, m in playouts), sum(m * m for _, m in playouts))
    assert histogram.as_dict() == {v: [m for _, m in playouts].count(v) for v in sorted({m for _, m in playouts})}


@settings(max_examples=80)
@given(first=rows_strategy, second=rows_strategy, third=rows_strategy)
def test_addition_is_associative_and_commutative(first: Any, second: Any, third: Any) -> None:
    a, b, c = (tally_rows(rows_of(x), METRICS) for x in (first, second, third))
    whole = tally_rows(rows_of(first + second + third), METRICS)
    assert ((a + b) + c).digest == (a + (b + c)).digest == (c + a + b).digest == whole.digest


def test_the_digest_sees_a_single_count() -> None:
    one = tally_rows(rows_of([(True, 3), (False, 3)]), METRICS)
    other = tally_rows(rows_of([(True, 3), (True, 3)]), METRICS)
    third = tally_rows(rows_of([(True, 3), (False, 4)]), METRICS)
    assert len({one.digest, other.digest, third.digest}) == 3


def test_a_value_out_of_its_declared_range_is_an_error() -> None:
    with pytest.raises(OutOfRangeError, match=r"margin.*31.*declared is -30 to 30"):
        tally_rows(rows_of([(True, 31)]), METRICS)
    with pytest.raises(OutOfRangeError, match="margin"):
        tally_rows(rows_of([(True, 0), (True, -31)]), METRICS)


@pytest.mark.parametrize("outcome", [(0, 0), (1, 1)])
def test_a_playout_has_exactly_one_outcome(outcome: tuple[int, int]) -> None:
    rows = np.array([(1, 0, 5), (*outcome, 5)], np.int32)
    with pytest.raises(OutOfRangeError, match=r"row 1 .* exactly one outcome"):
        tally_rows(rows, METRICS)


def test_tallies_of_different_metrics_do_not_add() -> None:
    tally = tally_rows(rows_of([(True, 1)]), METRICS)
    fewer = tally_rows(rows_of([(True, 1)])[:, :2].copy(), METRICS[:2])
    with pytest.raises(ValueError, match="different metrics"):
        tally + fewer


def test_quantiles_are_the_smallest_values_that_enough_playouts_do_not_exceed() -> None:
    histogram = Histogram(10, np.array([[1], [0], [2], [1]], np.int64))
    halves = Histogram(0, np.array([[55], [45]], np.int64))
    assert [halves.quantile(q) for q in (0.55, 0.5500001, np.float64(0.55))] == [0, 1, 0], "0.55 as it is written"
    assert [histogram.quantile(q) for q in (0.25, 0.26, 0.5, 0.75, 0.76, 1.0)] == [10, 12, 12, 12, 13, 13]


def test_counts_beyond_32_bits_are_exact() -> None:
    huge = Histogram(0, np.array([[2**40], [2**41]], np.int64))
    assert huge.moments() == (2**41, 2**41)
    assert (huge + huge).n == 2 * (2**40 + 2**41)
