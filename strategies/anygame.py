"""Strategies that play every game, because they read only what every view has."""

from __future__ import annotations

from typing import Any

from strategies.declare import ANY_GAME, strategy


@strategy(ANY_GAME)
def uniform(view: Any, u: float) -> int:
    """Picks evenly among the options."""
    return int(u * view.n_options)
