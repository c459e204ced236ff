"""What games that are written as transitions use: counting their turns, and noting what happens."""

from __future__ import annotations

from typing import Any

from simulator.kernel.events import TURN_BEGINS
from simulator.kernel.events import note_in as note
from simulator.kernel.jit import jit_inlined
from simulator.kernel.records import UNFINISHED, Record

__all__ = ["begin_turn", "note"]


@jit_inlined
def begin_turn(state: Record) -> Any:
    """Count a new turn of any game; False, and the playout ends unfinished, when the turn cap is reached."""
    if state.turn >= state.turn_cap:
        state.status = UNFINISHED
        return False
    state.turn += 1
    note(state, TURN_BEGINS, state.turn, 0, 0)
    return True
