"""The usual questions: one of some things, one of the other players, yes or no.

A game that asks them has a field `options` in its table, where the deciding seat reads what its options are. A thing is a
number below 16, such as a kind of card, a player or what lies in a slot, and at most 16 of them are offered at a time.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record
from simulator.kernel.turns import choose, choose_at, neighbour
from simulator.kit.declare import Field

OPTION_BITS = 4
_OPTION = (1 << OPTION_BITS) - 1


class Answer(IntEnum):
    """The options of a question that is answered yes or no."""

    YES = 0
    NO = 1


_YES_AND_NO = Answer.YES | Answer.NO << OPTION_BITS
NOTHING = (0, 0)
"""Things to choose from before there are any: how many, and what they are, packed."""

ANYBODY = -1
"""All players, bit by bit."""


def options() -> Field:
    """The field in which the deciding seat reads its options."""
    return Field("i8")


@jit_inlined
def option(view: Record, i: Any) -> Any:
    """What option `i` of a view or table is, int64."""
    return (view.options >> (OPTION_BITS * i)) & _OPTION


@jit_inlined
def with_thing(things: Any, thing: Any, wanted: Any) -> Any:
    """Things to choose from and one more, if `wanted` is 1; as they are if it is 0."""
    n, listed = things
    return n + wanted, listed | ((wanted * thing) << (OPTION_BITS * n))


@jit
def one_of(table: Record, seat: Any, decision: Any, things: Any) -> Any:
    """The one of some things that a seat chooses, int64; if there is but one, nobody is asked.

    Args:
        table: the game's table, with a field of `options`.
        seat: who chooses.
        decision: which decision it is.
        things: NOTHING with what is to choose from, by `with_thing`.
    """
    n, listed = things
    table.options = listed
    return (listed >> (OPTION_BITS * choose(table, seat, decision, n))) & _OPTION


@jit_inlined
def one_of_players(table: Record, seat: Any, decision: Any, among: Any) -> Any:
    """The one of some other players that a seat chooses, int64; they are listed from the next one on in the present direction.

    Args:
        table: the game's table, with a field of `options`.
        seat: who chooses.
        decision: which decision it is.
        among: bit by bit the seats that can be chosen; of the choosing seat's own nothing is read.
    """
    things, other = (np.int64(0), np.int64(0)), np.int64(seat)
    for _ in range(table.seats - 1):
        other = neighbour(table, other)
        things = with_thing(things, other, (among >> other) & 1)
    return one_of(table, seat, decision, things)


@jit_inlined
def says_yes(table: Record, seat: Any, decision: Any, step: Any) -> Any:
    """Whether a seat that is asked yes or no says yes.

    Args:
        table: the game's table, with a field of `options`.
        seat: who is asked.
        decision: which decision it is.
        step: as for `choose_at`.
    """
    table.options = _YES_AND_NO
    return choose_at(table, seat, decision, step, 2) == Answer.YES
