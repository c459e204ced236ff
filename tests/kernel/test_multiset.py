"""Packed multisets do what Python's Counter does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from simulator.kernel import chance as c
from simulator.kernel import multiset as m
from simulator.kernel.jit import jit

U = np.uint64
hands = st.dictionaries(st.integers(0, 7), st.integers(1, 15)).map(Counter)
property_test = settings(max_examples=150)


def packed(counter: Counter[int]) -> Any:
    return U(sum(n << (8 * kind) for kind, n in counter.items()))


def kinds(lanes: Any) -> set[int]:
    found = set()
    lanes = U(lanes)
    while lanes != m.EMPTY:
        found.add(int(m.first_kind(lanes)))
        lanes = U(m.without_first(lanes))
    return found


@property_test
@given(hand=hands)
def test_counts_and_size(hand: Counter[int]) -> None:
    assert [int(m.count(packed(hand), kind)) for kind in range(8)] == [hand[kind] for kind in range(8)]
    assert int(m.size(packed(hand))) == hand.total()


@property_test
@given(hand=hands, more=hands)
def test_adding_and_taking_away(hand: Counter[int], more: Counter[int]) -> None:
    both = packed(hand) + packed(more)
    assert both == packed(hand + more)
    assert both - packed(more) == packed(hand)
    assert packed(hand) + m.one(3) == packed(hand + Counter([3]))


@property_test
@given(have=hands, need=hands)
def test_covering_and_missing(have: Counter[int], need: Counter[int]) -> None:
    short = need - have
    assert bool(m.covers(packed(have), packed(need))) == (not short)
    assert int(m.missing(packed(have), packed(need))) == short.total()
    assert kinds(m.missing_kinds(packed(have), packed(need))) == set(short)


@property_test
@given(hand=hands, n=st.integers(1, 16))
def test_kinds_held_often_enough(hand: Counter[int], n: int) -> None:
    assert kinds(m.at_least(packed(hand), n)) == {kind for kind, held in hand.items() if held >= n}


@property_test
@given(hand=hands)
def test_kinds_held_bit_by_bit(hand: Counter[int]) -> None:
    assert int(m.kinds_in(packed(hand))) == sum(1 << kind for kind, held in hand.items() if held)


@property_test
@given(hand=hands.filter(bool))
def test_ranks_run_through_the_tokens_sorted_by_kind(hand: Counter[int]) -> None:
    assert [int(m.kind_at(packed(hand), rank)) for rank in range(hand.total())] == sorted(hand.elements())


@jit
def draw_often(hand: Any, record: Any, counts: Any, draws: Any) -> None:
    for occasion in range(draws):
        counts[m.draw(hand, record, 16, occasion)] += 1


def test_draws_are_uniform_over_the_tokens() -> None:
    record = np.zeros(1, c.CHANCE)[0]
    c.begin_playout(record, U(7), U(1))
    counts = np.zeros(8, np.int64)
    draw_often(packed(Counter({0: 1, 2: 4, 3: 10, 7: 5})), record, counts, 200_000)
    assert counts[[1, 4, 5, 6]].sum() == 0
    assert chisquare(counts[[0, 2, 3, 7]], 200_000 * np.array([1, 4, 10, 5]) / 20).pvalue > 1e-4


def test_an_empty_multiset_gives_nothing() -> None:
    record = np.zeros(1, c.CHANCE)[0]
    assert m.draw(m.EMPTY, record, 16, 0) == -1


def test_the_limit_is_the_limit() -> None:
    full = packed(Counter({7: m.LANE_LIMIT}))
    assert int(m.size(full)) == m.LANE_LIMIT
    assert int(m.kind_at(full, m.LANE_LIMIT - 1)) == 7
    assert kinds(m.at_least(full, m.LANE_LIMIT)) == {7}
