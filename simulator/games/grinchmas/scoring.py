"""Scoring a Wish: how a hand can pay the Wishes that lie face up, laid out as options, and what happens with the one scored."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.grinchmas.rules import NOTHING, WishKind
from simulator.games.grinchmas.table import COLOURS, PRESENTS
from simulator.games.grinchmas.view import count, with_token
from simulator.kernel.events import note
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record
from simulator.kit.piles import EMPTY, at_least, covers, first_kind, one, without_first


@jit_inlined
def show_wish(table: Record, rules: Record, place: Any, wish: Any) -> None:
    """Lay a type of Wish face up, or with NOTHING take the one away that lies there."""
    table.wish_type[place] = wish
    table.wish_kind[place] = rules.wish_kind[wish]
    table.wish_design[place] = rules.wish_design[wish]
    table.wish_stars[place] = rules.wish_stars[wish]
    table.wish_need[place] = rules.wish_need[wish]


@jit_inlined
def lay_payment(table: Record, n: Any, place: Any, pay_first: Any, pay_second: Any) -> Any:
    """Lay out option `n` of a decision on a Wish: that at a place, NOTHING for none, paid so; the number of the next one."""
    table.wish[n], table.scores[n] = place, table.wish_stars[place] if place >= 0 else 0
    table.pay[n, 0], table.pay[n, 1] = pay_first, pay_second
    return n + 1


@jit
def list_payments(table: Record, rules: Record, hand: Any) -> Any:
    """Lay out every way in which a hand can pay a face-up Wish; how many there are.

    Two Wishes of one type are one option (the first). The order: by place, then by Presents in order of kind.
    """
    both, n = hand[0] + hand[1], 0
    any_pair, any_trio = at_least(COLOURS, both, 2), at_least(COLOURS, both, 3)
    for place in range(rules.wishes.face_up):
        kind, need = table.wish_kind[place], table.wish_need[place]
        # most Wishes cannot be paid, and most of those fail here, whatever their kind
        hopeless = not covers(COLOURS, both, need) if need != EMPTY else (any_trio if kind == WishKind.TRIO else any_pair) == EMPTY
        if kind < 0 or hopeless or lies_before(table, place):
            continue
        if kind == WishKind.MIXED:
            n = list_mixed(table, hand, place, n)
        elif kind == WishKind.TRIO:
            n = list_trios(table, hand, place, n)
        else:
            n = list_pairs(table, rules, hand, place, n)
    return n


@jit_inlined
def lies_before(table: Record, place: Any) -> Any:
    """Whether a Wish of the same type lies at an earlier place."""
    for earlier in range(place):
        if table.wish_type[earlier] == table.wish_type[place]:
            return True
    return False


@jit_inlined
def lay_if_held(table: Record, n: Any, place: Any, hand: Any, pay_first: Any, pay_second: Any) -> Any:
    """Lay out a payment if the hand holds it; the number of the next option."""
    held = covers(COLOURS, hand[0], pay_first) and covers(COLOURS, hand[1], pay_second)
    return lay_payment(table, n, place, pay_first, pay_second) if held else n


@jit
def list_mixed(table: Record, hand: Any, place: Any, n: Any) -> Any:
    """With two designs, each of the three colours may be paid in either that is held (G1)."""
    need = table.wish_need[place]
    for dotted in range(8 if hand[1] != EMPTY else 1):  # a bit for each colour, the highest for the first
        pay_second, colours = EMPTY, need
        for i in range(3):
            if dotted & (4 >> i):
                pay_second += one(COLOURS, first_kind(COLOURS, colours))
            colours = without_first(colours)
        n = lay_if_held(table, n, place, hand, need - pay_second, pay_second)
    return n


@jit
def list_pairs(table: Record, rules: Record, hand: Any, place: Any, n: Any) -> Any:
    """A pair Wish names its Present, or is paid by any two equal ones (G2)."""
    need = table.wish_need[place]
    if need != EMPTY:
        dotted = table.wish_design[place] == 1
        return lay_if_held(table, n, place, hand, EMPTY if dotted else need, need if dotted else EMPTY)
    for kind in range(rules.kinds):
        first, second = with_token(with_token((EMPTY, EMPTY), kind), kind)
        n = lay_if_held(table, n, place, hand, first, second)
    return n


@jit
def list_trios(table: Record, hand: Any, place: Any, n: Any) -> Any:
    """Any three of one colour (G3), of either design."""
    colours = at_least(COLOURS, hand[0] + hand[1], 3)
    while colours != EMPTY:
        token = one(COLOURS, first_kind(COLOURS, colours))
        for dotted in range(4):
            n = lay_if_held(table, n, place, hand, token * np.uint64(3 - dotted), token * np.uint64(dotted))
        colours = without_first(colours)
    return n


@jit
def score_one(table: Record, rules: Record, hand: Any, option: Any, event: Any, counter: Any) -> Any:
    """Presents for the Wish go back into the bag at once (G6), the card to a scored pile; its stars."""
    place, stars = np.int64(table.wish[option]), table.scores[option]
    note_payment(table, event, option)
    for design in range(2):
        hand[design] -= table.pay[option, design]
        table.bag[design] += table.pay[option, design]
    table.count[counter + table.wish_kind[place]] += 1
    table.scored[table.n_scored] = table.wish_type[place]
    table.n_scored += 1
    show_wish(table, rules, place, NOTHING)
    return stars


@jit
def note_payment(table: Record, event: Any, option: Any) -> None:
    """Write down Wish and payment: the kinds paid, each plus one, in five bits."""
    if table.telling != 0:
        packed = shift = np.int64(0)
        for kind in range(PRESENTS.kinds):
            for _ in range(count(table.pay[option], kind)):
                packed |= (kind + 1) << shift
                shift += 5
        note(table, event, table.wish_type[table.wish[option]], packed, 0)


@jit
def keep_the_most_stars(table: Record, n: Any) -> Any:
    """Of `n` options leave those that score the most; how many these are."""
    most, kept = np.int64(table.scores[0]), 0
    for i in range(n):
        most = max(most, np.int64(table.scores[i]))
    for i in range(n):
        if table.scores[i] == most:
            kept = lay_payment(table, kept, table.wish[i], table.pay[i, 0], table.pay[i, 1])
    for i in range(kept, n):  # which nobody is asked about, so nobody else clears them
        lay_payment(table, i, 0, EMPTY, EMPTY)
        table.scores[i] = 0
    return kept
