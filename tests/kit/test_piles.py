"""Packed piles, bags and hands do what Python's Counter does, for any number of kinds and bits."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from simulator.kernel import chance as c
from simulator.kernel.jit import jit
from simulator.kit import piles as p

U = np.uint64
ONE_WORD = [p.lanes(*size) for size in ((8, 8), (10, 6), (7, 8), (5, 12), (3, 4), (1, 2), (1, 64), (16, 4), (21, 3))]
SEVERAL = [p.lanes(*size) for size in ((10, 12), (9, 8), (13, 20), (20, 8), (3, 32), (17, 6), (4, 64))]
property_test = settings(max_examples=150)


def hands(lanes: p.Lanes, most: int | None = None) -> Any:
    """Multisets that fit, in a Counter; all together no more than can be drawn from."""
    limit = min(lanes.limit if most is None else most, 40)
    return st.lists(st.integers(0, lanes.kinds - 1), max_size=limit).map(Counter)


def packed(lanes: p.Lanes, counter: Counter[int]) -> Any:
    return p.packed(lanes, (counter[kind] for kind in range(lanes.kinds)))


def kinds(lanes: p.Lanes, found: Any) -> list[int]:
    """The kinds of a set, walked as a game would."""
    walked, found = [], U(found)
    while found != p.EMPTY:
        walked.append(int(p.first_kind(lanes, found)))
        found = U(p.without_first(found))
    return walked


one_word = st.sampled_from(ONE_WORD)
with_hand = one_word.flatmap(lambda lanes: st.tuples(st.just(lanes), hands(lanes)))
with_two_hands = one_word.flatmap(lambda lanes: st.tuples(st.just(lanes), hands(lanes), hands(lanes)))
with_pile = st.sampled_from(SEVERAL).flatmap(lambda lanes: st.tuples(st.just(lanes), hands(lanes)))


@pytest.mark.parametrize("lanes", ONE_WORD + SEVERAL, ids=lambda lanes: f"{lanes.kinds} of {lanes.bits} bits")
def test_lanes_hold_all_kinds_in_as_few_words_as_they_need(lanes: p.Lanes) -> None:
    assert (lanes.words == 1) == (lanes in ONE_WORD)
    assert lanes.kinds <= lanes.words * lanes.per_word
    assert lanes.per_word * lanes.bits <= 64
    assert (lanes.words - 1) * (64 // lanes.bits) < lanes.kinds
    assert lanes.limit == 2 ** (lanes.bits - 1) - 1


@pytest.mark.parametrize("size", [(0, 8), (3, 1), (3, 65)])
def test_lanes_that_cannot_be_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="there have to be kinds"):
        p.lanes(*size)


@property_test
@given(with_hand)
def test_counts_and_size(given_hand: tuple[p.Lanes, Counter[int]]) -> None:
    lanes, hand = given_hand
    word = packed(lanes, hand)
    assert [int(p.count(lanes, word, kind)) for kind in range(lanes.kinds)] == [hand[kind] for kind in range(lanes.kinds)]
    assert p.unpacked(lanes, word) == [hand[kind] for kind in range(lanes.kinds)]
    assert int(p.size(lanes, word)) == hand.total()


@property_test
@given(with_two_hands)
def test_adding_and_taking_away(given_hands: tuple[p.Lanes, Counter[int], Counter[int]]) -> None:
    lanes, hand, more = given_hands
    if max((hand + more).values(), default=0) <= lanes.limit:
        both = packed(lanes, hand) + packed(lanes, more)
        assert both == packed(lanes, hand + more)
        assert both - packed(lanes, more) == packed(lanes, hand)
    kind = lanes.kinds // 2
    if hand[kind] < lanes.limit:
        assert packed(lanes, hand) + U(p.one(lanes, kind)) == packed(lanes, hand + Counter([kind]))
    assert U(p.some(lanes, kind, lanes.limit)) == packed(lanes, Counter({kind: lanes.limit}))


@property_test
@given(with_two_hands)
def test_covering_and_missing(given_hands: tuple[p.Lanes, Counter[int], Counter[int]]) -> None:
    lanes, have, need = given_hands
    short = need - have
    assert bool(p.covers(lanes, packed(lanes, have), packed(lanes, need))) == (not short)
    assert int(p.missing(lanes, packed(lanes, have), packed(lanes, need))) == short.total()
    assert kinds(lanes, p.missing_kinds(lanes, packed(lanes, have), packed(lanes, need))) == sorted(short)


@property_test
@given(with_hand, st.integers(1, 16))
def test_kinds_held_often_enough(given_hand: tuple[p.Lanes, Counter[int]], n: int) -> None:
    lanes, hand = given_hand
    n = min(n, lanes.limit)
    found = U(p.at_least(lanes, packed(lanes, hand), n))
    assert kinds(lanes, found) == sorted(kind for kind, held in hand.items() if held >= n)
    assert int(p.kinds_in(lanes, packed(lanes, hand))) == sum(1 << kind for kind, held in hand.items() if held)
    assert U(p.ones_of(lanes, found)) == packed(lanes, Counter(kinds(lanes, found)))


@property_test
@given(with_hand)
def test_ranks_run_through_the_tokens_sorted_by_kind(given_hand: tuple[p.Lanes, Counter[int]]) -> None:
    lanes, hand = given_hand
    assert [int(p.kind_at(lanes, packed(lanes, hand), rank)) for rank in range(hand.total())] == sorted(hand.elements())


@pytest.mark.parametrize("lanes", [lanes for lanes in ONE_WORD if lanes.limit < 2**20], ids=str)
def test_the_limit_is_the_limit(lanes: p.Lanes) -> None:
    full = packed(lanes, Counter({lanes.kinds - 1: lanes.limit}))
    assert int(p.size(lanes, full)) == lanes.limit
    assert int(p.kind_at(lanes, full, lanes.limit - 1)) == lanes.kinds - 1
    assert kinds(lanes, p.at_least(lanes, full, lanes.limit)) == [lanes.kinds - 1]
    assert bool(p.covers(lanes, full, full))


EIGHT = p.lanes(8, 8)


@jit
def draw_often(hand: Any, record: Any, counts: Any, draws: Any) -> None:
    for occasion in range(draws):
        counts[p.draw(EIGHT, hand, record, 16, occasion)] += 1


def test_draws_are_uniform_over_the_tokens() -> None:
    record = np.zeros(1, c.CHANCE)[0]
    c.begin_playout(record, U(7), U(1))
    counts = np.zeros(8, np.int64)
    draw_often(packed(EIGHT, Counter({0: 1, 2: 4, 3: 10, 7: 5})), record, counts, 200_000)
    assert counts[[1, 4, 5, 6]].sum() == 0
    assert chisquare(counts[[0, 2, 3, 7]], 200_000 * np.array([1, 4, 10, 5]) / 20).pvalue > 1e-4


def test_an_empty_multiset_gives_nothing() -> None:
    record = np.zeros(1, c.CHANCE)[0]
    assert p.draw(EIGHT, p.EMPTY, record, 16, 0) == -1


# ---------------------------------------------------------------- in several words
@property_test
@given(with_pile)
def test_a_pile_counts_as_a_counter_does(given_pile: tuple[p.Lanes, Counter[int]]) -> None:
    lanes, held = given_pile
    pile = packed(lanes, held)
    assert [int(p.in_pile(lanes, pile, kind)) for kind in range(lanes.kinds)] == [held[kind] for kind in range(lanes.kinds)]
    assert int(p.pile_size(lanes, pile)) == held.total()
    assert [int(p.pile_kind_at(lanes, pile, rank)) for rank in range(held.total())] == sorted(held.elements())
    row = np.full(held.total() + 2, -1)
    assert p.lay_out(lanes, pile, row, 1) == held.total() + 1
    assert row.tolist() == [-1, *sorted(held.elements()), -1]


@property_test
@given(with_pile, st.data())
def test_putting_on_a_pile_and_taking_off(given_pile: tuple[p.Lanes, Counter[int]], data: Any) -> None:
    lanes, held = given_pile
    pile = packed(lanes, held)
    kind, n = data.draw(st.integers(0, lanes.kinds - 1)), data.draw(st.integers(0, 5))
    p.add_to_pile(lanes, pile, kind, n)
    assert p.unpacked(lanes, pile) == [held[one] + n * (one == kind) for one in range(lanes.kinds)]
    p.add_to_pile(lanes, pile, kind, -n)
    assert p.unpacked(lanes, pile) == [held[one] for one in range(lanes.kinds)]


@property_test
@given(with_pile)
def test_pouring_leaves_nothing_behind(given_pile: tuple[p.Lanes, Counter[int]]) -> None:
    lanes, held = given_pile
    source, target = packed(lanes, held), packed(lanes, Counter())
    p.pour(lanes, source, target)
    assert p.unpacked(lanes, target) == [held[kind] for kind in range(lanes.kinds)]
    assert not source.any()


# ---------------------------------------------------------------- drawing and dealing
TABLE = np.dtype([("draws", "i4", (8,)), ("chance", c.CHANCE)], align=True)


def _table(playout: int) -> Any:
    table = np.zeros(1, TABLE)[0]
    c.begin_playout(table["chance"], U(7), U(playout))
    return table


def test_a_seats_draws_do_not_depend_on_the_others() -> None:
    alone, together = _table(1), _table(1)
    mine = [int(p.own_draw(alone, 0, 1000)) for _ in range(9)]
    drawn = [[int(p.own_draw(together, seat, 1000)) for seat in range(3)] for _ in range(9)]
    assert [of_all[0] for of_all in drawn] == mine
    assert len({tuple(of_all[seat] for of_all in drawn) for seat in range(3)}) == 3
    assert together["draws"].tolist() == [9, 9, 9, 0, 0, 0, 0, 0]


def test_a_shuffle_is_fair_and_keeps_to_what_is_forbidden() -> None:
    free, bound = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for playout in range(3000):
        row = np.array([0, 1, 2, 9], np.int8)
        p.shuffle(_table(playout), 16, row, np.zeros(4, np.int64), 3)
        free[tuple(row.tolist())] += 1
        row = np.array([0, 1, 2, 9], np.int8)
        for nth in range(4):
            p.shuffle(_table(playout), 16 + nth, row, np.array([1 << 1, 0, 0, 0]), 3)
        bound[tuple(row.tolist())] += 1
    assert {row[3] for row in free + bound} == {9}
    assert len(free) == 6
    assert chisquare(list(free.values())).pvalue > 1e-4
    assert {row[0] for row in bound} == {0, 2}
    assert len(bound) == 4
    assert min(bound.values()) / 3000 > 0.2
