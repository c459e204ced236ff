"""The record that the kernel and every game share: the head of a table, and the start of a view.

A table is one record. Its head is the kernel's: first the wiring, which is set once, then the position, which is all that a
playout changes. A game's own fields follow. A view is no copy: it names those fields of the table that the seat may see, at
the places where they lie.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from simulator.kernel.chance import CHANCE

MAX_SEATS = 8
MAX_EVENTS = 1024
MAX_METRICS = 512
MAX_OWNED = MAX_HIDDEN = 16

MAX_LISTED = 16
"""Fields of one game that have an entry for each option."""

MOST_STEPS = 255
"""The largest number of a choice among those of its decision in a turn; all later ones have it too."""

ONLY_OPTIONS = 1
"""Value of `shows` where nothing has to be done before a seat sees what it may but to forget the options of other decisions."""

MAX_DECISIONS = 16
"""Kinds of decisions of one game."""

MAX_DICE = 16
"""Dice, spinners and other sources of chance of one game whose uses within a turn are counted."""

MAX_CHOICES = 4096
"""A turn that asks for more choices than this counts as never ending."""

Record: TypeAlias = Any
"""A structured scalar inside compiled code; NumPy has no type for its attributes."""

FAULT = np.dtype([(name, "i8") for name in ("status", "playout", "seat", "decision", "option", "n_options", "nth", "nested")])
"""Where a playout failed: `nth` counts the choices before it, `nested` is 1 where a strategy was thinking ahead."""

WIRING: list[tuple[Any, ...]] = [
    # addresses of the game's compiled functions; 0 where there is none, or nobody needs it
    ("deal_at", "i8"),
    ("turn_at", "i8"),
    ("score_at", "i8"),
    ("show_at", "i8"),
    ("payoff_at", "i8"),
    ("redeal_at", "i8"),
    ("rules_at", "i8"),
    ("shows", "i8"),  # whether anything has to be done before a seat sees what it may: 0, ONLY_OPTIONS, or more
    ("view_from", "i8"),  # where in the table begins what a strategy gets
    # the seats' strategies; a parameters address of 0 means that the strategy has none
    ("chooser", "i8", (MAX_SEATS,)),
    ("parameters", "i8", (MAX_SEATS,)),
    ("uses_chance", "i8", (MAX_SEATS,)),
    ("blunders", "f8", (MAX_SEATS,)),  # share of decisions that are left to chance
    ("rollouts", "i8", (MAX_SEATS,)),  # nested playouts for each option before a seat decides; 0 asks its strategy at once
    ("seats_wired", "i8"),
    ("cap_wired", "i8"),
    # which bytes a view has of the deciding seat's own: from, step from seat to seat, to, and how many words of eight bytes
    ("n_owned", "i8"),
    ("owned", "i8", (MAX_OWNED, 4)),
    # fields with an entry for each option: where they begin, bytes of an entry, how many there are, and bit by bit the decisions
    # that list them; then the decisions that list any, how many entries may hold something, and the decisions that may have filled them
    ("n_listed", "i8"),
    ("listed", "i8", (MAX_LISTED, 4)),
    ("listing", "i8"),
    ("written", "i8"),
    ("writers", "i8"),
    ("n_hidden_piles", "i8"),  # and the piles that not everybody sees
    ("hidden_piles", "i8", (MAX_HIDDEN, 8)),
    # where the int32 of each metric lies in the table
    ("n_metrics", "i8"),
    ("metric", "i8", (MAX_METRICS,)),
    ("n_bytes", "i8"),  # bytes of the table, up to the end of what a playout changes and comes back to
    # seats that do not simply ask their strategy, and turns that are played again with choices given
    ("careful_at", "i8"),  # address of how such a choice is made; 0 where nobody needs it
    ("pausing", "i8"),  # whether a turn stops where the choices given run out
    ("onlooker", "i8"),  # the seat for whom all is dealt afresh there, with other luck from then on; NOBODY for no such thing
    ("key", "u8"),  # of that luck
    ("rollout", "i8"),  # its number
    ("n_given", "i8"),
    ("choices", "i2", (MAX_CHOICES,)),  # those given, and after them those that were made, in this turn
    ("thoughts", "i8"),  # address of the memory for thinking ahead
    ("decisions", "i8"),  # asked so far in this playout, for whoever watches
    ("fault", FAULT),
    ("telling", "i8"),  # whether events are to be noted, for telling the playout
    ("n_events", "i8"),
    ("events", "i4", (MAX_EVENTS, 4)),  # what happened since the list was last read: code, a, b, c; n_events counts on when it is full
]
"""What a playout does not change, or nobody needs to go back to."""

VIEW_HEAD: list[tuple[Any, ...]] = [
    ("decision", "i4"),  # which decision it is, a constant of the game, 0 to 15
    ("n_options", "i4"),
    ("seat", "i4"),  # who decides
    ("seats", "i4"),  # players at the table; set by the kernel before `deal`
    ("turn", "i4"),  # turns begun so far by all seats together
]
"""What every view begins with."""

POSITION: list[tuple[Any, ...]] = [
    *VIEW_HEAD,
    ("step", "i4"),  # part of the address of the decision's random number
    ("turn_cap", "i4"),
    ("mover", "i4"),  # whose turn it is
    ("following", "i4"),  # whose turn is next; a game may change it
    ("direction", "i4"),  # 1 or -1: in which direction the turn goes around; a game may change it
    ("over", "i4"),  # whether the game has ended
    ("unfinished", "i4"),  # whether the turn cap ended it
    ("players_win", "i4"),
    ("players_lose", "i4"),
    ("wins", "i4", (MAX_SEATS,)),
    ("nth", "i4"),  # choices made so far in this turn
    ("asked", "i2", (MAX_DECISIONS,)),  # how often each decision was asked in this turn
    ("used", "i4"),  # whether any die was used or any decision asked in this turn
    ("uses", "i2", (MAX_DICE,)),  # how often each die was used in this turn
    ("chance", CHANCE),
]
"""What a playout changes, whatever the game."""

HEAD = np.dtype([*WIRING, *POSITION], align=True)
POSITION_AT = int(HEAD.fields["decision"][1])  # type: ignore[index]  # HEAD has fields
"""From this byte on a table is what a playout changes."""

CHANCE_AT = int(HEAD.fields["chance"][1])  # type: ignore[index]  # HEAD has fields
CHANCE_END = CHANCE_AT + CHANCE.itemsize
"""Between these bytes of a table lies the record that draws come from; what it remembers of a playout it forgets by itself."""

NOBODY = -1


def check_names(head: list[tuple[Any, ...]], fields: list[tuple[Any, ...]]) -> None:
    """Refuse fields whose names are taken, or mean something else where a record is read in plain Python.

    Args:
        head: the fields that are there already.
        fields: those that are to follow.

    Raises:
        ValueError: one of them has such a name.
    """
    taken = {name for name, *_ in head}
    for name, *_ in fields:
        if name in taken:
            message = f"a field cannot be called '{name}', since there is one of that name already; call it otherwise"
            raise ValueError(message)
        refuse_owned(name)
        taken.add(name)


def refuse_owned(name: str) -> None:
    """Refuse a name of a field that means something else where a record is read in plain Python.

    Raises:
        ValueError: NumPy's own records have an attribute called `name`.
    """
    if hasattr(np.record, name) or hasattr(np.recarray, name):
        message = f"a field cannot be called '{name}', since NumPy's records have a '{name}' of their own; call it otherwise"
        raise ValueError(message)
