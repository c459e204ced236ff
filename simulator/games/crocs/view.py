"""What a seat sees when it decides in Christmas Crocs, and helpers for reading it. Strategies import from here."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.crocs.rules import (
    CANDY_CANE,
    CANE_SLOT,
    CHOO_CHOO,
    COAL,
    COAL_SLOT,
    ELF,
    GRINCH,
    HEART,
    KINDS,
    MAX_PLAYERS,
    OPEN_SLOT,
    PRESENT,
    PRESENT_SLOT,
    SANTA,
    SCROOGE,
    SNOW,
)
from simulator.games.crocs.state import (
    ANSWER,
    ASK_FOR_CANE,
    ASK_FOR_PRESENT,
    CANE,
    DISCARD,
    DRAW_CARD,
    GIVE,
    HEART_PHASE,
    NO,
    NOBODY,
    PLAY,
    REMOVE_COAL,
    SLOT,
    TARGET,
    YES,
)
from simulator.games.crocs.words import hand_size, in_hand, in_pile, option_at, pile_size, slots_with
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record, view_dtype

__all__ = [
    "ANSWER",
    "ASK_FOR_CANE",
    "ASK_FOR_PRESENT",
    "CANDY_CANE",
    "CANE",
    "CANE_SLOT",
    "CHOO_CHOO",
    "COAL",
    "COAL_SLOT",
    "DISCARD",
    "DRAW_CARD",
    "ELF",
    "GIVE",
    "GRINCH",
    "HEART",
    "KINDS",
    "NO",
    "NOBODY",
    "OPEN_SLOT",
    "PLAY",
    "PRESENT",
    "PRESENT_SLOT",
    "REMOVE_COAL",
    "SANTA",
    "SCROOGE",
    "SLOT",
    "SNOW",
    "TARGET",
    "VIEW",
    "YES",
    "cards",
    "distance",
    "full",
    "half_filled",
    "in_hand",
    "in_pile",
    "is_question",
    "may_give",
    "observe",
    "option",
    "possible",
    "slots_of",
    "unseen",
    "unseen_cards",
]

VIEW = view_dtype(
    [
        ("active", "i4"),  # whose turn it is
        ("direction", "i4"),  # 1 clockwise, -1 the other way
        ("frozen", "i4"),  # bit by bit the seats that miss their next turn
        ("silenced", "i4"),  # bit by bit the seats that give no card and play no Heart until then, where that is the rule
        ("goal", "i4"),  # slots to fill
        ("full_canes", "i4"),  # what a slot full of Candy Canes counts as
        ("takes", "i4"),  # presents that a Grinch Croc takes
        ("deck", "i4"),  # how many cards it has
        ("box", "i8", (2,)),  # all cards there are, as a pile
        ("mine", "i8"),  # the deciding seat's hand
        ("discards", "i8", (2,)),  # a card being played lies there until it is put into a slot
        ("hand_sizes", "i4", (MAX_PLAYERS,)),  # cards in each hand
        ("slots", "i8", (MAX_PLAYERS,)),
        ("known_not", "i8", (MAX_PLAYERS,)),  # by kind how many cards of a hand are known not to be of it
        ("action", "i4"),  # the play at hand, for every decision but PLAY, DISCARD and a Heart's at the start of a turn
        ("target", "i4"),  # whom it is played on; for SLOT, GIVE and ANSWER
        ("thief", "i4"),  # for ANSWER: whose Grinch Croc may be answered, else NOBODY;
        ("loot", "i4"),  # how many presents it would give away,
        ("to_win", "i4"),  # and whether it wins otherwise
        # the options: PLAY has actions, TARGET seats, CANE and SLOT contents of slots, DISCARD kinds, ANSWER and GIVE YES and NO
        ("options", "i8"),  # read them with `option`
    ]
)


@jit
def observe(state: Record, rules: Record, view: Record) -> None:
    """Copy what the deciding seat may see: its hand, the table, and what is known to all of the other hands."""
    if view.goal != rules.slots:  # in memory that this table has not filled before
        view.hand_sizes[:] = 0
        view.slots[:] = 0
        view.known_not[:] = 0
    view.active = state.seat
    view.direction = state.direction
    view.frozen = state.frozen
    view.silenced = state.frozen if rules.snow_silences != 0 else 0
    view.goal = rules.slots
    view.full_canes = rules.full_canes
    view.takes = rules.takes
    view.deck = pile_size(state.deck)
    view.box[0] = rules.cards[0]
    view.box[1] = rules.cards[1]
    view.mine = state.hand[state.decider]
    view.discards[0] = state.discards[0]
    view.discards[1] = state.discards[1]
    for seat in range(state.seats):
        view.hand_sizes[seat] = hand_size(state.hand[seat])
        view.slots[seat] = state.slots[seat]
        view.known_not[seat] = state.known_not[seat]
    view.action = state.action
    view.target = state.target
    view.options = state.options
    view.thief = NOBODY
    view.loot = view.to_win = 0
    if state.decision == ANSWER:
        _observe_theft(state, view)


@jit_inlined
def _observe_theft(state: Record, view: Record) -> None:
    thief = state.seat if state.phase == HEART_PHASE else state.target
    view.thief = thief
    view.loot = min(state.loot[thief], slots_with(state.slots[thief], PRESENT_SLOT))
    view.to_win = state.to_win


@jit_inlined
def option(view: Record, i: Any) -> Any:
    """What option `i` is, int64: an action, a kind, a seat, what a slot holds, or YES or NO."""
    return option_at(view.options, i)


@jit_inlined
def slots_of(view: Record, seat: Any, content: Any) -> Any:
    """How many slots of a seat hold OPEN_SLOT, PRESENT_SLOT, COAL_SLOT, or n canes as CANE_SLOT + n - 1."""
    return slots_with(view.slots[seat], content)


@jit_inlined
def full(view: Record, seat: Any) -> Any:
    """How many slots a seat has filled."""
    return slots_with(view.slots[seat], PRESENT_SLOT) + slots_with(view.slots[seat], view.full_canes)


@jit
def half_filled(view: Record, seat: Any) -> Any:
    """How many slots of a seat hold canes, but not enough."""
    n = 0
    for content in range(CANE_SLOT, view.full_canes):
        n += slots_with(view.slots[seat], content)
    return n


@jit_inlined
def cards(view: Record, kind: Any) -> Any:
    """How many cards of `kind` the deciding seat holds."""
    return in_hand(view.mine, kind)


@jit_inlined
def possible(view: Record, seat: Any, kind: Any) -> Any:
    """How many cards of another seat may be of `kind`, as far as is known to all."""
    return view.hand_sizes[seat] - in_hand(view.known_not[seat], kind)


@jit_inlined
def may_give(view: Record, seat: Any, kind: Any) -> Any:
    """How many cards of `kind` another seat may have to give when asked, as far as is known to all."""
    return possible(view, seat, kind) if (view.silenced >> seat) & 1 == 0 else np.int64(0)


@jit_inlined
def is_question(view: Record) -> Any:
    """Whether the card being played asks for a card."""
    return view.action == ASK_FOR_PRESENT or view.action == ASK_FOR_CANE


@jit_inlined
def distance(view: Record, seat: Any) -> Any:
    """How many seats after the deciding one a seat is, in the present direction; frozen ones count."""
    return ((seat - view.seat) * view.direction + view.seats) % view.seats


@jit
def unseen(view: Record, kind: Any) -> Any:
    """How many cards of `kind` lie in the deck and in the other hands."""
    n = in_pile(view.box, kind) - in_pile(view.discards, kind) - in_hand(view.mine, kind)
    if kind == PRESENT:
        return n - _on_table(view, PRESENT_SLOT)
    if kind == COAL:
        return n - _on_table(view, COAL_SLOT)
    if kind == CANDY_CANE:
        for content in range(CANE_SLOT, view.full_canes + 1):
            n -= (content - CANE_SLOT + 1) * _on_table(view, content)
    return n


@jit
def _on_table(view: Record, content: Any) -> Any:
    """How many slots of all seats together hold `content`."""
    n = np.int64(0)
    for seat in range(view.seats):
        n += slots_with(view.slots[seat], content)
    return n


@jit
def unseen_cards(view: Record) -> Any:
    """How many cards lie in the deck and in the other hands."""
    n = view.deck - view.hand_sizes[view.seat]
    for seat in range(view.seats):
        n += view.hand_sizes[seat]
    return np.int64(n)
