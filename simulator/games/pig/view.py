"""What a seat sees when it decides in Pig: everything. The options are ROLL and HOLD. Strategies import from here."""

from __future__ import annotations

from simulator.games.pig.state import HOLD, ROLL
from simulator.kernel.jit import jit
from simulator.kernel.records import MAX_SEATS, Record, view_dtype

__all__ = ["HOLD", "ROLL", "VIEW", "observe"]

VIEW = view_dtype(
    [
        ("goal", "i4"),  # points that win
        ("sides", "i4"),  # of the die
        ("bust", "i4"),  # the face that loses the turn's points; 0 for none
        ("total", "i4"),  # points of this turn, not yet held
        ("score", "i4", (MAX_SEATS,)),  # points that each player holds
    ]
)


@jit
def observe(state: Record, rules: Record, view: Record) -> None:
    """Copy what the deciding seat may see."""
    if view.sides != rules.sides:  # in memory that this table has not filled before
        view.score[:] = 0
    view.goal = rules.goal
    view.sides = rules.sides
    view.bust = rules.bust
    view.total = state.total
    for seat in range(state.seats):
        view.score[seat] = state.score[seat]
