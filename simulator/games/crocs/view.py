"""Names and helpers for reading the table of Christmas Crocs, or what a seat sees of it. Strategies import from here."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.crocs.rules import Kind
from simulator.games.crocs.table import HAND, PILE, SLOTS, Action, Decision, Slot
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record
from simulator.kit.piles import count, in_pile
from simulator.kit.questions import Answer, option

__all__ = ["Action", "Answer", "Decision", "Kind", "Slot", "cards", "distance", "full", "half_filled", "is_question", "is_silenced"]
__all__ += ["may_give", "option", "possible", "slots_of", "unseen", "unseen_cards"]


@jit_inlined
def slots_of(view: Record, seat: Any, content: Any) -> Any:
    """How many slots of a seat hold OPEN, PRESENT, COAL, or n canes as CANE + n - 1."""
    return count(SLOTS, view.board[seat], content)


@jit_inlined
def full(view: Record, seat: Any) -> Any:
    """How many slots a seat has filled."""
    return np.int64(view.slots[seat])


@jit
def half_filled(view: Record, seat: Any) -> Any:
    """How many slots of a seat hold canes, but not enough."""
    n = 0
    for content in range(Slot.CANE, view.full_canes):
        n += slots_of(view, seat, content)
    return n


@jit_inlined
def cards(view: Record, kind: Any) -> Any:
    """How many cards of `kind` the deciding seat holds."""
    return count(HAND, view.hand, kind)


@jit_inlined
def possible(view: Record, seat: Any, kind: Any) -> Any:
    """How many cards of another seat may be of `kind`, as far as is known to all."""
    return view.hand_sizes[seat] - count(HAND, view.known_not[seat], kind)


@jit_inlined
def is_silenced(view: Record, seat: Any) -> Any:
    """Whether a seat can neither give nor play a Heart: frozen, where that takes more than the next turn (C22)."""
    return view.silences != 0 and (view.frozen >> seat) & 1 != 0


@jit_inlined
def may_give(view: Record, seat: Any, kind: Any) -> Any:
    """How many cards of `kind` another seat may have to give when asked, as far as is known to all."""
    return np.int64(0) if is_silenced(view, seat) else possible(view, seat, kind)


@jit_inlined
def is_question(view: Record) -> Any:
    """Whether the card being played asks for a card."""
    return view.action == Action.ASK_FOR_PRESENT or view.action == Action.ASK_FOR_CANE


@jit_inlined
def distance(view: Record, seat: Any) -> Any:
    """How many seats after the deciding one a seat is, in the present direction; frozen ones count."""
    return ((seat - view.seat) * view.direction + view.seats) % view.seats


@jit
def unseen(view: Record, kind: Any) -> Any:
    """How many cards of `kind` lie in the deck and in the other hands."""
    n = in_pile(PILE, view.box, kind) - in_pile(PILE, view.discards, kind) - cards(view, kind)
    for seat in range(view.seats):
        if kind == Kind.PRESENT or kind == Kind.COAL:
            n -= slots_of(view, seat, Slot.PRESENT if kind == Kind.PRESENT else Slot.COAL)
        elif kind == Kind.CANDY_CANE:
            for content in range(Slot.CANE, view.full_canes + 1):
                n -= (content - Slot.CANE + 1) * slots_of(view, seat, content)
    return n


@jit
def unseen_cards(view: Record) -> Any:
    """How many cards lie in the deck and in the other hands."""
    n = view.deck - view.hand_sizes[view.seat]
    for seat in range(view.seats):
        n += view.hand_sizes[seat]
    return np.int64(n)
