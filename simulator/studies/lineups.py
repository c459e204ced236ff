"""Tables at which everybody plays one strategy, played one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.document.language import clean, plural
from simulator.play.run import Result, run_experiment
from simulator.registry.lineup import make_player
from simulator.stats.digests import joint_digest

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.experiment import Experiment
    from simulator.play.resources import Resources


@dataclass(frozen=True)
class Tables:
    """Experiments to play one after the other, and how many playouts of each."""

    experiments: tuple[Experiment, ...]
    games: int

    @property
    def size(self) -> int:
        """How many playouts it takes."""
        return self.games * len(self.experiments)


@dataclass(frozen=True)
class Results:
    """What came of tables with one number of players, and whether Ctrl-C ended it before the last of them."""

    results: tuple[Result, ...]
    interrupted: bool

    @property
    def experiment(self) -> Experiment:
        """What was played first."""
        return self.results[0].experiment

    @property
    def run(self) -> str:
        """What tells it from those with other numbers of players."""
        return plural(self.experiment.players, "player")

    @property
    def digest(self) -> str:
        """Hash of all counts."""
        return joint_digest(result.digest for result in self.results)

    @property
    def elapsed_s(self) -> float:
        """Seconds it took."""
        return sum(result.elapsed_s for result in self.results)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"players": self.experiment.players, "results": [result.as_dict() for result in self.results], "digest": self.digest}


def strategy_of(result: Result) -> str:
    """What everybody plays at a table."""
    return clean(result.experiment.lineup[0].label)


def play_in_turn(tables: Tables, resources: Resources) -> Results:
    """Play one table after the other; one that Ctrl-C cut short does not count, as its intervals are for all of its playouts.

    Raises:
        UserError: a strategy is refused or broke its contract.
        KeyboardInterrupt: interrupted before the first table was played.
    """
    results: list[Result] = []
    for one in tables.experiments:
        try:
            with resources.collecting(f"{plural(one.players, 'player')}, all {one.lineup[0].label}", tables.games) as how:
                result = run_experiment(one, tables.games, **how)
        except KeyboardInterrupt:
            break
        if result.interrupted:
            break
        results.append(result)
    if not results:
        raise KeyboardInterrupt
    return Results(tuple(results), len(results) < len(tables.experiments))


def has_alternatives(game: Game) -> bool:
    """Whether a game has more than one strategy, so that there is something to compare."""
    return len(registry.strategies(game)) > 1


def lineups(experiments: Sequence[Experiment], own: str, games: int, resources: Resources) -> dict[str, tuple[Result, ...]]:
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
    results = {}
    for name, strategy in registry.strategies(experiments[0].game).items():
        if name != own:
            tables = Tables(tuple(replace(one, lineup=(make_player(strategy),) * one.players) for one in experiments), games)
            played = play_in_turn(tables, resources)
            if played.interrupted:
                raise KeyboardInterrupt
            results[name] = played.results
    return results
