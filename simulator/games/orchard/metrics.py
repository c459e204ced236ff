"""What each playout of First Orchard leaves behind."""

from __future__ import annotations

from typing import Any

from simulator.game import Metric
from simulator.games.orchard.rules import OrchardRules
from simulator.kernel.jit import jit
from simulator.kernel.records import UNFINISHED, Record


def metrics(rules: OrchardRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row."""
    del players  # who picks does not matter
    cap, fruit, steps = rules.turn_cap, rules.trees.count * rules.trees.fruit, rules.raven.steps
    margin = "The raven's steps left after a win; after a loss, the fruit left on the trees, negative."
    return (
        Metric("players_win", "Players win", "share", "share", 0, 1, headline=True, outcome=True),
        Metric("raven_wins", "Raven wins", "share", "share", 0, 1, outcome=True),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True, description="The turn cap ended the playout."),
        Metric("turns", "Turns", "turns", "count", 0, cap, headline=True, description="Turns of all seats together."),
        Metric("margin", "Margin", "steps or fruits", "count", -fruit, steps, headline=True, description=margin),
        Metric("baskets", "Baskets rolled", "turns", "count", 0, cap),
        Metric("bare", "Colours rolled in vain", "turns", "count", 0, cap, headline=True, description="No fruit of it was left."),
    )


@jit
def score(state: Record, rules: Record, row: Any) -> None:  # noqa: ARG001  the state has it all
    """Write the row, int32, in the order of `metrics`."""
    won = state.left == 0
    row[0] = 1 if won else 0
    row[2] = 1 if state.status == UNFINISHED else 0
    row[1] = 1 - row[0] - row[2]
    row[3] = state.turn
    row[4] = state.raven if won else -state.left
    row[5] = state.baskets
    row[6] = state.bare
