"""Metrics that many games have."""

from __future__ import annotations

from simulator.game import Metric

UNFINISHED = Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True, description="The turn cap ended the playout.")


def seat_wins(players: int) -> tuple[Metric, ...]:
    """For every seat, that it wins; then, that the playout is unfinished: the outcomes of a game that one seat wins."""
    wins = (Metric(f"wins.{i}", f"Seat {i} wins", "share", "share", 0, 1, headline=True, outcome=True) for i in range(players))
    return (*wins, UNFINISHED)


def turns(most: int) -> Metric:
    """How many turns all seats took together, at most `most`."""
    return Metric("turns", "Turns", "turns", "count", 0, most, headline=True, description="Turns of all seats together.")
