"""What comes of the same tables if everybody plays another strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simulator import registry
from simulator.play.run import Result, run_experiment
from simulator.registry.lineup import make_player

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.experiment import Experiment
    from simulator.play.resources import Resources


def has_alternatives(game: Game) -> bool:
    """Whether a game has more than one strategy, so that there is something to compare."""
    return len(registry.strategies(game)) > 1


def lineups(experiments: Sequence[Experiment], own: str, games: int, resources: Resources) -> dict[str, list[Result]]:
    """Strategy to what comes of each experiment if everybody plays it.

    Args:
        experiments: of one game.
        own: the strategy that everybody plays there already, if one does; it is left out.
        games: how many playouts of each.
        resources: who plays, what is remembered, and where progress shows.

    Raises:
        UserError: a strategy is refused or broke its contract.
        KeyboardInterrupt: interrupted before all was played.
    """
    offered = {name: one for name, one in registry.strategies(experiments[0].game).items() if name != own}
    found: dict[str, list[Result]] = {}
    for name, strategy in offered.items():
        for one in experiments:
            experiment = replace(one, lineup=(make_player(strategy),) * one.players)
            with resources.collecting(f"{name}, {one.players} players", games) as how:
                found.setdefault(name, []).append(run_experiment(experiment, games, **how))
            if found[name][-1].interrupted:
                raise KeyboardInterrupt
    return found
