"""What a seat sees when it decides in Christmas Vacation, and helpers for reading it. Strategies import from here.

Number cards are a word of counts, number n in lane n - 1, for the helpers of `simulator.kernel.multiset`; Wilds are
counted beside them. The decisions are ROLL_AGAIN (option ROLL or STOP), NEXT_BONUS (option 0 the wreath, 1 the
Christmas Bonus), WREATH, BONUS and DISCARD (the options that the view lists).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.vacation.state import (
    BONUS,
    BONUS_FACE,
    DISCARD,
    EDDIE_FACE,
    NEXT_BONUS,
    NO_SET,
    NUMBER_SET,
    OPTIONS,
    ROLL,
    ROLL_AGAIN,
    RUN_SET,
    STOP,
    USE_BONUS,
    USE_WREATH,
    WILD_SET,
    WREATH,
    WREATH_FACE,
)
from simulator.kernel.jit import jit
from simulator.kernel.multiset import EMPTY, at_least, count, first_kind, size, without_first
from simulator.kernel.records import MAX_SEATS, Record, view_dtype

__all__ = [
    "BONUS",
    "DISCARD",
    "NEXT_BONUS",
    "NO_SET",
    "NUMBER_SET",
    "ROLL",
    "ROLL_AGAIN",
    "RUN_SET",
    "STOP",
    "TAKE_BONUS",
    "TAKE_WREATH",
    "VIEW",
    "WILD_SET",
    "WREATH",
    "bust_chance",
    "largest_number",
    "longest_run",
    "observe",
]

TAKE_WREATH, TAKE_BONUS = 0, USE_BONUS - USE_WREATH
"""Options of NEXT_BONUS."""

VIEW = view_dtype(
    [
        # the rules
        ("numbers", "i4"),
        ("run_min", "i4"),
        ("bust_at", "i4"),
        # the dice in the tumbler: all their faces together, those of each kind among them, and the chance that a roll busts
        ("faces", "i4"),
        ("eddie_faces", "i4"),
        ("wreath_faces", "i4"),
        ("bonus_faces", "i4"),
        ("bust", "f8"),
        # the turn
        ("roll", "i4"),  # rolls made
        ("dice", "i4"),  # in the tumbler for another roll
        ("eddies", "i4"),  # on the board
        ("wreaths", "i4"),  # bonuses of this roll still to be used, after the one in question
        ("bonuses", "i4"),
        # the cards
        ("up", "u8"),  # my number cards face up
        ("up_wilds", "i4"),
        ("n_up", "i4"),  # all of them together
        ("pile", "u8"),  # my number cards still face down
        ("pile_wilds", "i4"),
        ("n_pile", "i4"),
        ("left", "i4", (MAX_SEATS,)),  # cards that each player still has
        # the options of WREATH, BONUS and DISCARD
        ("cards", "u8", (OPTIONS,)),  # number cards discarded
        ("wilds", "i1", (OPTIONS,)),  # Wilds discarded
        ("discards", "i1", (OPTIONS,)),  # all of them together
        ("kind", "i1", (OPTIONS,)),  # NUMBER_SET, RUN_SET, WILD_SET, or NO_SET for none
    ]
)


@jit
def observe(state: Record, rules: Record, view: Record) -> None:
    """Copy what the deciding seat may see: all but the order of the decks."""
    if view.numbers != rules.numbers:  # in memory that this table has not filled before
        view.left[:] = 0
        _forget_options(view, OPTIONS)
    elif view.decision != ROLL_AGAIN and view.decision != NEXT_BONUS:
        _forget_options(view, view.n_options)
    view.numbers = rules.numbers
    view.run_min = rules.run_min
    view.bust_at = rules.bust_at
    board = state.board
    view.faces = max(rules.dice - state.eddies, 1) * rules.n_faces  # with no die left it divides by no 0
    view.eddie_faces = rules.faces_left[board, EDDIE_FACE]
    view.wreath_faces = rules.faces_left[board, WREATH_FACE]
    view.bonus_faces = rules.faces_left[board, BONUS_FACE]
    view.bust = rules.bust_chance[board]
    view.roll = state.roll
    view.dice = rules.dice - state.eddies
    view.eddies = state.eddies
    view.wreaths = state.wreaths
    view.bonuses = state.bonuses
    view.up = state.up
    view.up_wilds = state.up_wilds
    view.pile = state.pile
    view.pile_wilds = state.pile_wilds
    view.n_pile = state.pile_size
    view.n_up = state.left[state.seat] - state.pile_size
    for seat in range(state.seats):
        view.left[seat] = state.left[seat]
    if state.decision != ROLL_AGAIN:
        _observe_options(state, view)


@jit
def _forget_options(view: Record, n: Any) -> None:
    """Clear the options of the decision that the view showed before."""
    for i in range(n):
        view.cards[i] = EMPTY
        view.wilds[i] = view.discards[i] = view.kind[i] = 0


@jit
def _observe_options(state: Record, view: Record) -> None:
    if state.decision == NEXT_BONUS:
        return
    for i in range(state.n_options):
        cards, wilds = state.cards[i], state.with_wilds[i]
        view.cards[i] = cards
        view.wilds[i] = wilds
        view.discards[i] = size(cards) + wilds
        view.kind[i] = state.kind[i]


@jit
def bust_chance(view: Any) -> Any:
    """The chance, float64, that a roll of the dice in the tumbler ends the turn: too many of them show an Eddie."""
    return view.bust


@jit
def largest_number(cards: Any) -> Any:
    """How many cards of its most frequent number a word of number cards holds, int64."""
    most = np.int64(0)
    held = at_least(cards, 1)
    while held != EMPTY:
        most = max(most, count(cards, first_kind(held)))
        held = without_first(held)
    return most


@jit
def longest_run(view: Any, cards: Any, wilds: Any) -> Any:
    """How many cards the longest run of number cards (a word) and Wilds has, int64; 0 if they make none."""
    longest = np.int64(0)
    for low in range(view.numbers):
        if count(cards, low) == 0:
            continue
        gaps = 0
        for high in range(low, view.numbers):
            if count(cards, high) == 0:
                gaps += 1
                if gaps > wilds:
                    break
            else:
                outside = low + view.numbers - high
                longest = max(longest, np.int64(high - low + 1 + min(wilds - gaps, outside)))
    return longest if longest >= view.run_min else np.int64(0)
