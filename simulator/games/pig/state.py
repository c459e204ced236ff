"""What lies on the table in Pig, and the names of its decision, phases, events and purpose of chance."""

from __future__ import annotations

from simulator.kernel.chance import purpose_block
from simulator.kernel.records import MAX_SEATS, state_dtype

ROLL_OR_HOLD = 0
DECISIONS = ("roll_or_hold",)

ROLL, HOLD = range(2)
"""The options."""

NEW_TURN, ROLLING, GAME_OVER = range(3)
"""Phases."""

DIE = purpose_block(0)
"""Purpose of the dice: the first throws of four turns that follow one another share a block."""

MAX_ROLLS = 256
"""Rolls after which a turn has to hold, so that every turn ends whoever plays. A limit of the simulation."""

ROLL_BITS = 8
"""Bits for a roll's number in its turn."""

DEALT, ROLLED, BUSTED, HELD, WON = range(5)
"""Events, noted for the story."""

STATE = state_dtype(
    [
        ("phase", "i4"),
        ("seat", "i4"),  # whose turn it is
        ("total", "i4"),  # points of this turn, not yet held
        ("roll", "i4"),  # rolls made in this turn
        ("throw", "i8"),  # dice already thrown and not yet looked at
        ("unseen", "i4"),  # how many they are
        ("score", "i4", (MAX_SEATS,)),
        ("rolls", "i4"),  # of all turns together
        ("busts", "i4"),
    ]
)
