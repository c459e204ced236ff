"""The records that the kernel and every game share: the head of a state, the head of a view, the list of pointers.

A game's state and view begin with these heads, so that the loop can read them without knowing the game.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

MAX_SEATS = 8
MAX_EVENTS = 1024

FINISHED, UNFINISHED = 0, 1
"""Values of a state's `status`: how it ended, read once `advance` has returned OVER."""

OVER = -1
"""What `advance` returns in place of a seat when the game has ended."""

Record: TypeAlias = Any
"""A structured scalar inside compiled code; NumPy has no type for its attributes."""

STATE_HEAD: list[tuple[Any, ...]] = [
    ("seats", "i4"),  # players at the table; set by the kernel before `deal`
    ("turn_cap", "i4"),  # set by the kernel before `deal`
    ("turn", "i4"),  # turns begun so far by all seats together
    ("status", "i4"),
    ("decision", "i4"),  # which decision is pending, a constant of the game, 0 to 15
    ("step", "i4"),  # how often this decision was asked before in this turn, 0 to 255
    ("n_options", "i4"),
    ("telling", "i4"),  # whether events are to be noted, for telling the playout
    ("n_events", "i4"),
    ("events", "i4", (MAX_EVENTS, 4)),  # what happened since the list was last read: code, a, b, c; n_events counts on when it is full
]

VIEW_HEAD: list[tuple[Any, ...]] = [
    ("decision", "i4"),
    ("n_options", "i4"),
    ("seat", "i4"),  # who decides
    ("seats", "i4"),
    ("turn", "i4"),
]

HEAD = np.dtype(STATE_HEAD, align=True)
VIEW_START = np.dtype(VIEW_HEAD, align=True)

TABLE = np.dtype(
    [
        # addresses of the game's compiled transitions
        ("deal", "i8"),
        ("advance", "i8"),
        ("observe", "i8"),
        ("apply", "i8"),
        ("score", "i8"),
        # and of those that only nested playouts need, else 0
        ("payoff", "i8"),
        ("redeal", "i8"),
        # addresses of the records they work on
        ("state_at", "i8"),
        ("view_at", "i8"),
        ("rules_at", "i8"),
        ("chance_at", "i8"),
        # the seats' strategies; a parameters address of 0 means that the strategy has none
        ("chooser", "i8", (MAX_SEATS,)),
        ("parameters", "i8", (MAX_SEATS,)),
        ("uses_chance", "i8", (MAX_SEATS,)),
        ("blunders", "f8", (MAX_SEATS,)),  # share of decisions that are left to chance
        ("rollouts", "i8", (MAX_SEATS,)),  # nested playouts for each option before a seat decides; 0 asks its strategy at once
        ("seats", "i8"),
        ("turn_cap", "i8"),
        ("decision_cap", "i8"),  # more decisions than this in one playout mean that the game does not end
    ],
    align=True,
)
"""All that one playout needs, as addresses."""


def state_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """A game's state: the shared head, then its own `fields`.

    Raises:
        ValueError: a field has a name that it cannot have.
    """
    return _headed(STATE_HEAD, fields)


def view_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """A game's view: the shared head, then its own `fields`.

    Raises:
        ValueError: a field has a name that it cannot have.
    """
    return _headed(VIEW_HEAD, fields)


def _headed(head: list[tuple[Any, ...]], fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    taken = {name for name, *_ in head}
    for name, *_ in fields:
        if name in taken:
            message = f"a field cannot be called '{name}', since there is one of that name already; call it otherwise"
            raise ValueError(message)
        refuse_owned(name)
        taken.add(name)
    return np.dtype([*head, *fields], align=True)


def refuse_owned(name: str) -> None:
    """Refuse a name of a field that means something else where a record is read in plain Python.

    Raises:
        ValueError: NumPy's own records have an attribute called `name`.
    """
    if hasattr(np.record, name) or hasattr(np.recarray, name):
        message = f"a field cannot be called '{name}', since NumPy's records have a '{name}' of their own; call it otherwise"
        raise ValueError(message)
