"""`tune-strategy`: better values for a strategy's parameters.

A candidate is judged by what it gains over the strategy as it is: in a cooperative game by how much more often a table of it
wins, in the others by how much more often one seat wins that plays it, while the others play on as before. Both sides play the
same playouts, and the seat goes round the table.

Why no general optimiser. How good a candidate is can only be estimated, and the estimates of two candidates differ by luck.
On the same playouts most of that luck is common to both, so that their order is far surer than either figure. So what is
wanted is a method that asks for many candidates at once and looks at nothing but their order: an evolution strategy. CMA-ES,
from the library cmaes, does that, adapts its steps to parameters of different weight, handles whole numbers (CMAwM keeps a
margin so that it does not get stuck on one), and starts from the values as they are, which are usually not bad. Every
generation plays new playouts, so that it does not learn one lot of them by heart. Optuna's samplers propose from a model of
all figures so far instead, as if those of different playouts could be compared. Where the parameters are a few whole
numbers, all their values are tried.

What the search ends with, the centres of its late generations or all values of a few whole numbers, plays a knock-out: the
better half goes on, with twice as many playouts. The winner is measured on playouts that nobody has seen.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator import registry
from simulator.errors import UserError
from simulator.play.experiment import Experiment
from simulator.play.rehearsal import rehearse
from simulator.play.resources import Resources, Stage, unseen
from simulator.play.run import make_experiment
from simulator.registry.lineup import Player
from simulator.rules import build_rules
from simulator.stats.digests import joint_digest
from simulator.stats.verdicts import verdicts_together
from simulator.studies.pairs import TOGETHER, play_pairs
from simulator.studies.race import halving, rounds_of_halving
from simulator.studies.search import FRESH, Stages, seed_for
from simulator.studies.strategy_axes import Values, every_value, is_whole, nearest_value, parameter_axes
from simulator.studies.strategy_tuning import Gain, Gained, StrategyTuning

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.ledger import Ledger
    from simulator.studies.axes import Axis


SIGMA = 0.15
"""The evolution strategy's first step, as a share of each range: wide enough to leave the values as they are, and to come back."""

LATE = 12
"""Generations, the last ones, whose centres enter the knock-out."""

SHARE_OF_GAMES = 16
"""A candidate in the search gets this part of the playouts of the final measurement."""


@dataclass(frozen=True)
class StrategyQuestion:
    """What to tune, and for which tables.

    Attributes:
        game: which game.
        asked: the strategy as it is, as it was asked for.
        player: the same, found.
        axes: the parameters that may move, and between what.
        players: numbers of players.
        against: who sits in the other seats, in a game that one seat wins.
        rules: dotted key to value, for what differs from the rules as shipped.
        games: playouts of the final measurement, for each number of players.
        trials: how many candidates the search tries, about.
        seed: key of all random draws.
        workers: passed on to who plays.
        ledger: where what was played is remembered; what it holds is not played again.
    """

    game: Game
    asked: str
    player: Player
    axes: tuple[Axis, ...]
    players: tuple[int, ...]
    against: Player
    rules: Mapping[str, Any] = field(default_factory=dict)
    games: int = 100_000
    trials: int = 300
    seed: int = 1
    workers: Any = None
    ledger: Ledger | None = None

    @property
    def start(self) -> Values:
        """The values as they are."""
        now = dict(self.player.values)
        return tuple((axis.key, now[axis.key]) for axis in self.axes)

    @cached_property
    def tables(self) -> tuple[tuple[int, int | None], ...]:
        """Numbers of players and who of them plays a candidate: a seat, or None for all, who win or lose together."""
        return tuple((n, seat) for n in self.players for seat in self.seats(n))

    def seats(self, players: int) -> Sequence[int | None]:
        """Which seats play a candidate, each at a table of its own; None for all at once."""
        return (None,) if self.game.cooperative else range(players)

    def with_values(self, values: Values) -> Player:
        """The strategy with other values."""
        return replace(self.player, values=tuple((dict(self.player.values) | dict(values)).items()))

    def line(self, values: Values) -> str:
        """The strategy with other values, as it is written on the command line."""
        player = self.with_values(values)
        before, found, _ = self.asked.rpartition(".py:")  # a file, and perhaps what is laid on top of its strategy
        return f"{before}{found}{Player(player.strategy, player.values).label}" if found else player.label

    def experiment(self, table: tuple[int, int | None], values: Values, seed: int) -> Experiment:
        """A table at which a candidate plays."""
        players, seat = table
        candidate = self.with_values(values)
        lineup = tuple(candidate if seat is None or seat == place else self.against for place in range(players))
        return Experiment(self.game, build_rules(self.game.rules, self.rules), lineup, seed)


# ---------------------------------------------------------------- the question


def ask(  # noqa: PLR0913  the keywords are the options of the command line
    game: str | Game,
    strategy: str,
    *,
    vary: Sequence[str] = (),
    players: Sequence[int] = (4,),
    against: str | None = None,
    rules: Mapping[str, Any] | None = None,
    games: int = 100_000,
    trials: int = 300,
    seed: int = 1,
    workers: Any = None,
    ledger: Ledger | None = None,
) -> StrategyQuestion:
    """Make sure of everything before anything is played.

    Args:
        game: its name.
        strategy: its name, perhaps with parameters set behind a colon.
        vary: axes as `name=low:high`; only these parameters move. None means all, each between nothing and REACH times
            its value.
        players: numbers of players; all count alike.
        against: who sits in the other seats; none means the strategy as it is.
        rules: dotted key to value, for what differs from the rules as shipped; none means nothing does.
        games: playouts of the final measurement, for each number of players.
        trials: how many candidates the search tries, about.
        seed: key of all random draws.
        workers: passed on to who plays.
        ledger: where what was played is remembered; what it holds is not played again.

    Raises:
        UserError: something of it does not exist or is not possible.
    """
    found = registry.game(game)
    player = registry.player(found, strategy)
    if not player.values:
        message = f"Strategy '{player.strategy.name}' has no parameter that is a number, so there is nothing to tune."
        raise UserError(message)
    axes = parameter_axes(player, vary)
    _check(found, players, against)
    for n in players:
        make_experiment(game, players=n, strategies=[strategy], rules=rules, seed=seed)
    others = registry.player(found, against) if against else player
    return StrategyQuestion(found, strategy, player, axes, tuple(players), others, dict(rules or {}), games, trials, seed, workers, ledger)


def _check(game: Game, players: Sequence[int], against: str | None) -> None:
    if game.cooperative and against is not None:
        message = f"In {game.title} all win or lose together, so that there is nobody to play against; leave --against out."
        raise UserError(message)
    if not game.cooperative and 1 in players:
        message = f"A single player of {game.title} has nobody to win against; ask for 2 players or more."
        raise UserError(message)


# ---------------------------------------------------------------- measuring


def rehearse_ends(question: StrategyQuestion) -> None:
    """Rehearse the strategy as it is, and at the ends of all axes: every candidate of a search would take too long.

    Raises:
        StrategyError: it fails.
    """
    sides = zip(*(axis.ends for axis in question.axes), strict=True)
    ends = [tuple((axis.key, nearest_value(axis, end)) for axis, end in zip(question.axes, side, strict=True)) for side in sides]
    for values in (question.start, *ends):
        rehearse(question.experiment(question.tables[0], values, question.seed))


def play_tables(question: StrategyQuestion, candidates: Sequence[Values], games: int, stage: int) -> Iterator[Gained]:
    """Every table as it is and with each candidate, on the same playouts; each table on others.

    Args:
        question: what to tune.
        candidates: at most TOGETHER of them.
        games: playouts for each number of players, shared among its tables.
        stage: tells the playouts from those of all other stages.

    Raises:
        KeyboardInterrupt: interrupted; a part of the playouts is dropped.
    """
    for table in question.tables:
        players, seat = table
        seed = seed_for(question.seed, stage, players, seat or 0)
        experiments = [question.experiment(table, values, seed) for values in (question.start, *candidates)]
        # what is measured in the end is rehearsed itself
        run = play_pairs(
            experiments, _share_of(question, players, games), workers=question.workers, ledger=question.ledger, rehearsed=stage != FRESH
        )
        if run.interrupted:
            raise KeyboardInterrupt
        name = "players_win" if seat is None else f"wins.{seat}"
        yield Gained(players, next(m for m in experiments[0].metrics if m.name == name), run)


def _share_of(question: StrategyQuestion, players: int, games: int) -> int:
    """Playouts of a table."""
    return games if question.game.cooperative else -(-games // players)


def stage_playouts(question: StrategyQuestion, candidates: int, games: int) -> int:
    """All that a stage plays, those of the strategy as it is not counted."""
    return candidates * sum(_share_of(question, players, games) for players, _ in question.tables)


class Search:
    """A search under way.

    Attributes:
        question: what is searched for.
        stages: where it stands; the playouts of the strategy as it is are not counted.
        number: how many times candidates were played, each time on playouts of their own.
        tried: candidates so far.
        leader: the best that can be told now; None before any were played.
    """

    def __init__(self, question: StrategyQuestion, watch: Stage = unseen) -> None:
        """Begin with nothing."""
        self.question, self.stages = question, Stages(Resources(stage=watch))
        self.number = FRESH
        self.tried: set[Values] = set()
        self.leader: Values | None = None

    def gains(self, candidates: Sequence[Values], games: int) -> list[float]:
        """What each candidate gains over the strategy as it is, on average over all numbers of players, on new playouts.

        Raises:
            KeyboardInterrupt: interrupted; what was played of this stage is dropped.
        """
        self.number += 1
        groups = [candidates[first : first + TOGETHER] for first in range(0, len(candidates), TOGETHER)]
        found = [gain for group in groups for gain in self._together(group, games)]
        self.tried.update(candidates)
        return found

    def _together(self, candidates: Sequence[Values], games: int) -> list[float]:
        totals = [0.0] * len(candidates)
        for gained in play_tables(self.question, candidates, games, self.number):
            weight = 1 / (len(self.question.seats(gained.players)) * len(self.question.players))
            totals = [total + weight * gained.gain(place) for place, total in enumerate(totals)]
            self.stages.add(len(candidates) * gained.run.part.games, gained.run.part.digest, gained)
        return totals


# ---------------------------------------------------------------- the search


def evolve(search: Search, games: int) -> list[Values]:
    """Centres of the late generations of an evolution strategy that starts from the values as they are.

    Args:
        search: under way.
        games: playouts of each candidate, for each number of players.

    Source: Hamano, Saito, Nomura and Shirakawa, "CMA-ES with margin: lower-bounding marginal probability for mixed-integer
    black-box optimization", GECCO 2022; Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772.
    """
    from cmaes import CMAwM  # noqa: PLC0415  only where there is much to search

    question = search.question
    low, high = (np.array(side) for side in zip(*(axis.ends for axis in question.axes), strict=True))
    width = high - low
    steps = np.where(list(map(is_whole, question.axes)), 1 / width, 0.0)
    start = np.clip((np.array([value for _, value in question.start]) - low) / width, 0, 1)
    bounds = np.tile([0.0, 1.0], (len(steps), 1))
    optimizer = CMAwM(start, SIGMA, bounds, steps, seed=seed_for(question.seed, FRESH) % 2**32)
    centres: list[Values] = []
    for _ in range(max(1, question.trials // optimizer.population_size)):
        asked = [optimizer.ask() for _ in range(optimizer.population_size)]
        gains = search.gains([_values_at(question, low + width * at) for at, _ in asked], games)
        optimizer.tell([(told, -gain) for (_, told), gain in zip(asked, gains, strict=True)])
        centres.append(_values_at(question, low + width * optimizer.mean))
        search.leader = centres[-1]
    return list(dict.fromkeys(centres[-LATE:]))


def _values_at(question: StrategyQuestion, place: Any) -> Values:
    return tuple((axis.key, nearest_value(axis, float(x))) for axis, x in zip(question.axes, place, strict=True))


def knock_out(search: Search, candidates: Sequence[Values], games: int) -> tuple[Values, float]:
    """The winner of a knock-out, and what it gained.

    Args:
        search: under way.
        candidates: who enters.
        games: playouts of the first round, for each number of players.
    """
    race = halving(candidates, games)
    try:
        left, each = next(race)
        while True:
            left, each = race.send(search.gains(left, each))
            search.leader = left[0]
    except StopIteration as end:
        winner: tuple[Values, float] = end.value
        return winner


def tune_strategy(question: StrategyQuestion, watch: Stage = unseen) -> StrategyTuning:
    """Search, let the best play a knock-out, and measure the winner on fresh playouts. Ctrl-C keeps what is done.

    Raises:
        UserError: a strategy is refused, or misbehaves.
        KeyboardInterrupt: interrupted before anything was picked.
    """
    rehearse_ends(question)
    start = time.perf_counter()
    search = Search(question, watch)
    gains: tuple[Gain, ...] = ()
    interrupted = False
    try:
        best, gained = _pick(search)
        search.leader = best if gained > 0 else question.start
        if search.leader != question.start:
            gains = _measured_again(question, search.leader, watch)
    except KeyboardInterrupt:
        interrupted = True
    if search.leader is None:
        raise KeyboardInterrupt
    exhaustive = every_value(question.axes) is not None and all(map(is_whole, question.axes))
    took = time.perf_counter() - start
    digest = joint_digest([*search.stages.digests, *(table.run.part.digest for gain in gains for table in gain.tables)])
    return StrategyTuning(question, search.leader, gains, len(search.tried), exhaustive, search.stages.playouts, took, interrupted, digest)


def _pick(search: Search) -> tuple[Values, float]:
    question = search.question
    games = max(1, question.games // SHARE_OF_GAMES)
    contenders = every_value(question.axes)
    if contenders is None:
        with search.stages.stage("Search", stage_playouts(question, question.trials, games)):
            contenders = evolve(search, games)
    playouts = sum(stage_playouts(question, arms, each) for arms, each in rounds_of_halving(len(contenders), games))
    with search.stages.stage("Knock-out", playouts):
        return knock_out(search, contenders, games)


def _measured_again(question: StrategyQuestion, values: Values, watch: Stage) -> tuple[Gain, ...]:
    """What was picked, on playouts that nobody has seen."""
    tables: list[Gained] = []
    stages = Stages(Resources(stage=watch))
    with stages.stage("Fresh playouts", stage_playouts(question, 1, question.games)):
        for gained in play_tables(question, [values], question.games, FRESH):
            tables.append(gained)
            stages.add(gained.run.part.games, gained.run.part.digest, gained)
    gains = [Gain(n, tuple(t for t in tables if t.players == n)) for n in question.players]
    verdicts = verdicts_together([gain.difference for gain in gains])
    return tuple(replace(gain, verdict=verdict) for gain, verdict in zip(gains, verdicts, strict=True))
