"""Strategies: pure functions that choose an option from a view. One file per game, and one for any game."""

from __future__ import annotations

from strategies.declare import Params, Strategy, strategy

__all__ = ["Params", "Strategy", "strategy"]
