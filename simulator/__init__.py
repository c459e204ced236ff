"""Ludometer: Monte Carlo measurement of the balance of tabletop games.

>>> import simulator
>>> simulator.run("grinchmas", players=3, games=1000, strategies=["uniform"]).games
1000
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.play.run import Result, make_experiment, run, run_experiment

__all__ = ["Result", "make_experiment", "run", "run_experiment"]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the command line has to answer before NumPy is loaded."""
    if name not in __all__:
        message = f"module 'simulator' has no attribute '{name}'"
        raise AttributeError(message)
    return getattr(importlib.import_module("simulator.play.run"), name)
