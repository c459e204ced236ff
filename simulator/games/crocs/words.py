"""Counts packed into int64 words: hands, piles and slots, as `state` lays them out."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.crocs.rules import KINDS, PILE_BITS, PILE_KINDS, SLOT_BITS
from simulator.games.crocs.state import HAND_BITS, OPTION_BITS
from simulator.kernel.jit import jit_inlined

ONE_OF_EACH = sum(1 << (HAND_BITS * kind) for kind in range(KINDS))
"""The hand with one card of each kind."""

HELD_SHIFT = HAND_BITS - 1
HELD = ONE_OF_EACH << HELD_SHIFT
"""The highest bit of every kind, which no count reaches."""

HAND_MASK = (1 << HAND_BITS) - 1
_HAND_TOP = HAND_BITS * (KINDS - 1)
_PILE_ONES = sum(1 << (PILE_BITS * i) for i in range(PILE_KINDS))
_PILE_GUARD_SHIFT = PILE_BITS - 1
_PILE_GUARD = _PILE_ONES << _PILE_GUARD_SHIFT
_PILE_MASK = (1 << PILE_BITS) - 1
_PILE_TOP = PILE_BITS * (PILE_KINDS - 1)
_WORD_MASK = (1 << (PILE_BITS * PILE_KINDS)) - 1
_SLOT_MASK = (1 << SLOT_BITS) - 1
_OPTION_MASK = (1 << OPTION_BITS) - 1


# ---------------------------------------------------------------- hands
@jit_inlined
def in_hand(hand: Any, kind: Any) -> Any:
    """How many cards of `kind` a hand holds, int64."""
    return (hand >> (HAND_BITS * kind)) & HAND_MASK


@jit_inlined
def one_card(kind: Any) -> Any:
    """The hand of a single card of `kind`."""
    return np.int64(1) << (HAND_BITS * kind)


@jit_inlined
def hand_size(hand: Any) -> Any:
    """How many cards a hand holds, int64: one multiplication adds up all kinds in the topmost."""
    return ((hand * ONE_OF_EACH) >> _HAND_TOP) & HAND_MASK


@jit_inlined
def more_than(hand: Any, n: Any) -> Any:
    """The highest bits of the kinds of which a hand holds more than `n`, 0 <= n < 31."""
    return ((hand | HELD) - (n + 1) * ONE_OF_EACH) & HELD


# ---------------------------------------------------------------- piles
@jit_inlined
def totals(word: Any) -> Any:
    """Running totals of a word of a pile: of each kind and those before it."""
    return (word * _PILE_ONES) & _WORD_MASK


@jit_inlined
def last_total(running: Any) -> Any:
    """How many cards a word holds, from its running totals, int64."""
    return running >> _PILE_TOP


@jit_inlined
def card_at(running: Any, rank: Any) -> Any:
    """Place of the kind of the card at `rank` when a word's cards lie sorted by kind: the running totals up to it are counted."""
    passed = (((rank * _PILE_ONES) | _PILE_GUARD) - running) & _PILE_GUARD
    return ((passed >> _PILE_GUARD_SHIFT) * _PILE_ONES >> _PILE_TOP) & _PILE_MASK


@jit_inlined
def in_pile(pile: Any, kind: Any) -> Any:
    """How many cards of `kind` a pile (two words) holds, int64."""
    if kind < PILE_KINDS:
        return (pile[0] >> (PILE_BITS * kind)) & _PILE_MASK
    return (pile[1] >> (PILE_BITS * (kind - PILE_KINDS))) & _PILE_MASK


@jit_inlined
def add_to_pile(pile: Any, kind: Any, n: Any) -> None:
    """Put `n` cards of `kind` on a pile, or take them off if `n` is negative."""
    word = 1 if kind >= PILE_KINDS else 0
    pile[word] += n << (PILE_BITS * (kind - PILE_KINDS * word))


@jit_inlined
def pile_size(pile: Any) -> Any:
    """How many cards a pile holds, int64."""
    return last_total(totals(pile[0])) + last_total(totals(pile[1]))


# ---------------------------------------------------------------- slots
@jit_inlined
def slots_with(slots: Any, content: Any) -> Any:
    """How many of a seat's slots hold `content`, int64."""
    return (slots >> (SLOT_BITS * content)) & _SLOT_MASK


@jit_inlined
def one_slot(content: Any) -> Any:
    """A word of a single slot that holds `content`."""
    return np.int64(1) << (SLOT_BITS * content)


# ---------------------------------------------------------------- options
@jit_inlined
def option_at(options: Any, i: Any) -> Any:
    """Option `i` of a list, int64."""
    return (options >> (OPTION_BITS * i)) & _OPTION_MASK


@jit_inlined
def with_option(options: Any, n: Any, option: Any, wanted: Any) -> Any:
    """A list of `n` options with one more if `wanted` is 1, and as it is if it is 0."""
    return options + ((wanted * option) << (OPTION_BITS * n))
