"""What happened in a playout, noted for telling it later."""

from __future__ import annotations

from typing import Any

from simulator.kernel.jit import jit_inlined
from simulator.kernel.memory import head_of
from simulator.kernel.records import MAX_EVENTS, Record

MOST_COUNTED = 2**31 - 1
"""Events are counted no further, as one more would be below zero."""

TURN_BEGINS = -1
"""Code of the one event that every game shares; its first number is the turn. A game's own codes are 0 and up."""


@jit_inlined
def note_in(head: Record, event: Any, a: Any, b: Any, c: Any) -> None:
    """As `note`, for the head of a table, which is a kind of record of its own."""
    if head.telling != 0 and head.n_events < MOST_COUNTED:
        n = head.n_events
        if n < MAX_EVENTS:
            head.events[n, 0] = event
            head.events[n, 1] = a
            head.events[n, 2] = b
            head.events[n, 3] = c
        head.n_events = n + 1


@jit_inlined
def note(table: Record, event: Any, a: Any, b: Any, c: Any) -> None:
    """Write down what happened, for telling the playout later; costs a test when nobody listens.

    Args:
        table: the game's table.
        event: what, a constant of the game, 0 or more.
        a: a number that tells more of it.
        b: another.
        c: another.
    """
    note_in(head_of(table), event, a, b, c)
