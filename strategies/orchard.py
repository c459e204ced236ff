"""Strategies for First Orchard: which fruit to take for a basket."""

from __future__ import annotations

from typing import Any

from strategies.declare import strategy


@strategy("orchard")
def fullest(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Picks from the tree that bears most."""
    best = 0
    for i in range(1, view.n_options):
        if view.fruit[i] > view.fruit[best]:
            best = i
    return best


@strategy("orchard")
def emptiest(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Picks from the tree that bears least."""
    best = 0
    for i in range(1, view.n_options):
        if view.fruit[i] < view.fruit[best]:
            best = i
    return best
