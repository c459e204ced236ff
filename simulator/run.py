"""Running an experiment: a plan of batches, an executor, a tally, a result."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.errors import UserError
from simulator.estimate import CONFIDENCE, Estimate, estimate_advantage, estimate_metric, simultaneous
from simulator.experiment import Experiment, plan
from simulator.rules import build_rules

if TYPE_CHECKING:
    from simulator.tally import Tally

MAX_SEED = 2**64 - 1
MAX_GAMES = 2**53

Progress = Callable[[int, "Tally | None"], None]
"""Called as the run goes on with the playouts begun or done, and the tally of those done in order."""


@dataclass(frozen=True)
class Result:
    """What a run found out.

    Attributes:
        experiment: the question.
        asked: how many playouts were asked for.
        tally: what was counted.
        elapsed_s: seconds from the first playout to the last.
        interrupted: whether it was stopped before all were played.
    """

    experiment: Experiment
    asked: int
    tally: Tally
    elapsed_s: float
    interrupted: bool = False

    @property
    def games(self) -> int:
        """Playouts counted."""
        return self.tally.games

    @property
    def digest(self) -> str:
        """Hash of all counts; the same for the same experiment on any machine and any number of workers."""
        return self.tally.digest

    @property
    def unfinished(self) -> int:
        """Playouts that the turn cap ended."""
        return self.tally["unfinished"].moments()[0]

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """Metric to estimate, in the game's order.

        Where every seat plays for itself, the outcomes' intervals hold all at once.
        """
        alone = CONFIDENCE if self.experiment.game.cooperative else simultaneous(len(self.tally.outcomes))
        return {m.name: estimate_metric(m, self.tally[m.name], alone if m.outcome else CONFIDENCE) for m in self.experiment.metrics}

    @cached_property
    def first_player_advantage(self) -> Estimate | None:
        """Seat 0's share of wins less an equal share; None where all win or lose together, or nobody else sits there."""
        game, players = self.experiment.game, self.experiment.players
        if game.cooperative or players == 1:
            return None
        wins = [self.tally[name].moments()[0] for name in game.verdict(players)]
        return estimate_advantage(wins[0], sum(wins), self.games, players)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "experiment": self.experiment.as_dict(),
            "games": self.games,
            "unfinished": self.unfinished,
            "digest": self.digest,
            "elapsed_s": self.elapsed_s,
            "games_per_s": self.games / self.elapsed_s if self.elapsed_s > 0 else None,
            "estimates": {name: e.as_dict() for name, e in self.estimates.items()},
            "distributions": {
                name: {str(v): c for v, c in h.as_dict().items()} for name, h in zip(self.tally.names, self.tally.histograms, strict=True)
            },
        }


def make_experiment(
    game: str, *, players: int = 4, strategies: Sequence[str] = (), rules: Mapping[str, Any] | None = None, seed: int = 1
) -> Experiment:
    """Freeze a question.

    Args:
        game: name of a game.
        players: how many sit at the table.
        strategies: one for everybody, or several that are seated in turn; none means the game's default.
        rules: dotted key to value, for what differs from the rules as shipped.
        seed: key of all random draws, 0 to 2**64 - 1.

    Raises:
        UserError: something of it does not exist or is not possible.
    """
    found = registry.game(game)
    low, high = found.players
    if not low <= players <= high:
        message = f"{found.title} is for {low} to {high} players, not {players}."
        raise UserError(message)
    if not 0 <= seed <= MAX_SEED:
        message = f"The seed has to be between 0 and 2**64 - 1, not {seed}."
        raise UserError(message)
    built = build_rules(found.rules, rules)
    cast = [registry.player(found, text) for text in (strategies or [found.default_strategy])]
    return Experiment(found, built, tuple(cast[seat % len(cast)] for seat in range(players)), seed)


def run_experiment(experiment: Experiment, games: int, *, workers: int | None = None, progress: Progress | None = None) -> Result:
    """Play an experiment. Ctrl-C keeps what is done.

    Args:
        experiment: the question.
        games: how many playouts, 1 to 2**53.
        workers: threads; as many as there are processors if not given. It does not change the result.
        progress: called now and then.

    Raises:
        UserError: `games` or `workers` is out of range, or a strategy is refused.
        MisbehaviourError: a strategy or the game broke its contract while playing.
        KeyboardInterrupt: interrupted before the first batch was complete.
    """
    from simulator.executors import Threads, default_workers  # noqa: PLC0415  importing Numba takes a third of a second
    from simulator.rehearsal import rehearse  # noqa: PLC0415

    if not 1 <= games <= MAX_GAMES:
        message = f"The number of games has to be between 1 and 2**53, not {games}."
        raise UserError(message)
    if workers is not None and workers < 1:
        message = f"The number of workers has to be at least 1, not {workers}."
        raise UserError(message)
    rehearse(experiment)
    batches = list(plan(games)) if games <= _SHORT else plan(games)
    wanted = workers or default_workers()
    executor = Threads(experiment, min(wanted, len(batches)) if isinstance(batches, list) else wanted)
    tally: Tally | None = None
    interrupted = False
    start = time.perf_counter()
    try:
        if progress is not None:
            progress(0, None)
        for _, part in executor.play(batches):
            tally = part if tally is None else tally + part
            if progress is not None:
                progress(tally.games, tally)
    except KeyboardInterrupt:
        interrupted = True
    if tally is None:
        raise KeyboardInterrupt
    return Result(experiment, games, tally, time.perf_counter() - start, interrupted)


_SHORT = 1_000_000


def run(
    game: str,
    *,
    players: int = 4,
    games: int = 100_000,
    strategies: Sequence[str] = (),
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play `games` playouts and count what happened; see `make_experiment` and `run_experiment` for the arguments.

    >>> run("grinchmas", players=3, games=1000, strategies=["uniform"]).games
    1000
    """
    experiment = make_experiment(game, players=players, strategies=strategies, rules=rules, seed=seed)
    return run_experiment(experiment, games, workers=workers, progress=progress)


class _CallableModule(ModuleType):
    """This module, once imported, takes the place of the function `run` as `simulator.run`; so it can be called like it."""

    def __call__(self, *arguments: Any, **options: Any) -> Result:
        return run(*arguments, **options)


sys.modules[__name__].__class__ = _CallableModule
