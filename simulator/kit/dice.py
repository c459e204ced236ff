"""Dice and spinners. Each has a number in its game; the address of a throw says which it is, in which turn, and its use there."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit_inlined
from simulator.kernel.memory import head_of
from simulator.kernel.records import Record

_FIRST = purpose_block(0)
_USE_BITS = 12


@jit_inlined
def roll(table: Record, die: Any, sides: Any) -> Any:
    """The face that a die with so many sides shows, int64, 1 to `sides`; it may be rolled up to 16,384 times in a turn.

    Args:
        table: the game's table.
        die: its number in the game, 0 to 11.
        sides: how many, below 2**32.
    """
    head = head_of(table)
    use = np.int64(head.uses[die])
    head.uses[die] = use + 1
    head.used = 1
    return 1 + below(head.chance, _FIRST + 4 * die + (use & 3), (head.turn << _USE_BITS) | (use >> 2), sides)


@jit_inlined
def spin(table: Record, spinner: Any, faces: Any) -> Any:
    """The face of a spinner or die that is used once in each turn, int64, 0 to `faces` - 1.

    Four turns that follow one another are the four words of one block.

    Args:
        table: the game's table.
        spinner: its number in the game, 0 to 11.
        faces: how many equally likely ones, below 2**32.
    """
    head = head_of(table)
    return below(head.chance, _FIRST + 4 * spinner + (head.turn & 3), head.turn >> 2, faces)
