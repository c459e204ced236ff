"""What each playout of Pig leaves behind."""

from __future__ import annotations

from typing import Any

from simulator.game import Metric
from simulator.games.pig.rules import PigRules
from simulator.games.pig.state import MAX_ROLLS
from simulator.kernel.jit import jit
from simulator.kernel.records import UNFINISHED, Record


def metrics(rules: PigRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row."""
    cap, most, seats = rules.turn_cap, rules.goal + MAX_ROLLS * rules.die.sides, range(players)
    lead = "Points of the first above those of the second at the end; alone, all of them."
    return (
        *(Metric(f"wins.{i}", f"Seat {i} wins", "share", "share", 0, 1, headline=True, outcome=True) for i in seats),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True, description="The turn cap ended the playout."),
        Metric("turns", "Turns", "turns", "count", 0, cap, headline=True, description="Turns of all seats together."),
        Metric("rolls", "Rolls", "rolls", "count", 0, cap * MAX_ROLLS),
        Metric("busts", "Busts", "turns", "count", 0, cap, headline=True, description="Turns that lost their points."),
        Metric("margin", "Lead at the end", "points", "count", 0, most, headline=True, description=lead),
        *(Metric(f"score.{i}", f"Points of seat {i}", "points", "count", 0, most) for i in seats),
    )


@jit
def score(state: Record, rules: Record, row: Any) -> None:
    """Write the row, int32, in the order of `metrics`."""
    seats = state.seats
    first = second = 0
    for seat in range(seats):
        points = state.score[seat]
        row[seat] = 1 if points >= rules.goal else 0
        row[seats + 5 + seat] = points
        if points > first:
            first, second = points, first
        elif points > second:
            second = points
    row[seats] = 1 if state.status == UNFINISHED else 0
    row[seats + 1] = state.turn
    row[seats + 2] = state.rolls
    row[seats + 3] = state.busts
    row[seats + 4] = first - second
