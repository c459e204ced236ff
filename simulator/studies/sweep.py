"""`sweep`: what happens as rule constants run through values?

Every combination of the values is a point of a grid. All points and the rules as they are, the baseline, are played on the
same playouts, so that the difference of a point from the baseline is estimated by pairs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.document.language import plural
from simulator.errors import RulesError, UserError
from simulator.play.run import Result, make_experiment
from simulator.rules import constants, values
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import Estimate
from simulator.stats.unfinished import unfinished_of
from simulator.studies.axes import Axis, every_combination, grid_size, known_key, point_name, refuse_equal_values, refuse_twice
from simulator.studies.pairs import play_pairs
from simulator.studies.search import counted_on

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.play.collect import Progress
    from simulator.play.executors import Workers
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.play.run import Precision
    from simulator.stats.paired import Difference, PairedTally
    from simulator.studies.pairs import PairedPart, PairedRun

MOST_POINTS = 10_000
"""A grid of more points than this asks for consent."""

TOGETHER = 8
"""Points that are played side by side with the baseline: many, so that it costs little; few, so that some are soon finished."""

MOST_REMARKS = 3
"""Points of which it is said that more than a few games did not finish."""


@dataclass(frozen=True)
class Point:
    """One combination of values, at one number of players.

    Attributes:
        setting: dotted key to value, for the varied constants.
        result: what its playouts gave.
        pairs: of these with the baseline's; None for a point that is the baseline.
    """

    setting: dict[str, Any]
    result: Result
    pairs: PairedTally | None

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return self.result.experiment.players

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What was counted."""
        return self.result.experiment.metrics

    @property
    def is_baseline(self) -> bool:
        """Whether its rules are those of the baseline."""
        return self.pairs is None

    @cached_property
    def name(self) -> str:
        """The point in words, such as `wishes.goal=8`."""
        return point_name(self.setting)

    @cached_property
    def comparisons(self) -> dict[str, Difference]:
        """Metric to what differs from the baseline; empty for the baseline itself."""
        if self.pairs is None:
            return {}
        difference = self.pairs.difference_sequence if self.result.sequential else self.pairs.difference
        return {m.name: difference(m) for m in self.metrics}

    @cached_property
    def differences(self) -> dict[str, Estimate]:
        """Metric to this point less the baseline, by pairs of playouts; exactly 0 for the baseline itself."""
        if self.pairs is None:
            return {m.name: Estimate(0.0, 0.0, 0.0, self.result.games, m.unit) for m in self.metrics}
        return {name: found.estimate for name, found in self.comparisons.items()}

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "set": self.setting,
            "players": self.players,
            "estimates": {name: e.as_dict() for name, e in self.result.estimates.items()},
            "difference": {name: e.as_dict() for name, e in self.differences.items()},
            "digest": self.result.digest,
        }


@dataclass(frozen=True)
class Sweep:
    """The whole answer.

    Attributes:
        axes: the varied constants.
        points: those played, for each number of players in the order of the grid, the last axis running fastest.
        baselines: the rules as they are, once for each number of players that was played.
        asked: playouts that each point was to be given.
        planned: how many points were asked for.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all was played; the points under way then rest on fewer playouts.
    """

    axes: tuple[Axis, ...]
    points: tuple[Point, ...]
    baselines: tuple[Point, ...]
    asked: int
    planned: int
    elapsed_s: float
    interrupted: bool = False

    @property
    def game(self) -> Game:
        """The game."""
        return self.baselines[0].result.experiment.game

    @property
    def sequential(self) -> bool:
        """Whether a precision ended the runs, so that all intervals are confidence sequences."""
        return any(p.result.sequential for p in (*self.baselines, *self.points))

    @property
    def imprecise(self) -> int:
        """At how many points the precision that was asked for was not reached."""
        return sum(p.result.precision is not None and not p.result.precise for p in self.points)

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many games did not finish, where that is more than a few: at the worst of the points, and at how many it is so."""
        ended = [(unfinished_of(p.result.tally), p) for p in self.lines]
        told = [(found.share, found.remark(f"at {p.name} with {plural(p.players, 'player')}")) for found, p in ended]
        worse = [text for _, text in sorted(told, key=lambda one: -one[0]) if text]
        rest = len(worse) - MOST_REMARKS
        more = f"So it is at {plural(rest, 'more point')}."
        return (*worse[:MOST_REMARKS], *[more] * (rest > 0))

    @cached_property
    def as_shipped(self) -> bool:
        """Whether the baseline is the rules as the game ships with them."""
        return not any(c.changed for c in constants(self.baselines[0].result.experiment.rules))

    @property
    def baseline_name(self) -> str:
        """What the baseline is called."""
        return "as shipped" if self.as_shipped else "as set"

    @cached_property
    def lines(self) -> tuple[Point, ...]:
        """What to list: the points and, in front of those of a number of players, the baseline where it is none of them."""
        listed: list[Point] = []
        for baseline in self.baselines:
            points = [p for p in self.points if p.players == baseline.players]
            listed += points if any(p.is_baseline for p in points) else [baseline, *points]
        return tuple(listed)

    @cached_property
    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 over the digests of the baselines and of all points, in order."""
        return joint_digest(p.result.digest for p in (*self.baselines, *self.points))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        baselines = [{k: v for k, v in p.as_dict().items() if k != "difference"} for p in self.baselines]
        return {"points": [p.as_dict() for p in self.points], "baseline": baselines, "digest": self.digest}


Grid = tuple[tuple[dict[str, Any], "Experiment"], ...]


@dataclass(frozen=True)
class Plan:
    """A sweep that can be played.

    Attributes:
        axes: the varied constants.
        grids: for each number of players the baseline, and the points with their settings.
    """

    axes: tuple[Axis, ...]
    grids: tuple[tuple[Experiment, Grid], ...]

    @property
    def size(self) -> int:
        """How many points there are."""
        return sum(len(grid) for _, grid in self.grids)


def plan_sweep(
    game: Game,
    axes: Sequence[Axis],
    *,
    players: Sequence[int] = (4,),
    rules: Mapping[str, Any] | None = None,
    strategies: Sequence[str] = (),
    seed: int = 1,
    consent: bool = False,
) -> Plan:
    """Make every point of a grid, so that an impossible one is found before anything is played.

    Args:
        game: the game.
        axes: the constants to vary, each once.
        players: numbers of players; the grid is played for each.
        rules: overrides that make the baseline.
        strategies: who plays.
        seed: key of all random draws.
        consent: whether a grid of more than MOST_POINTS points shall be played.

    Raises:
        UserError: something of it does not exist or cannot be played.
    """
    _check_axes(game, axes, rules or {})
    _check_size(axes, len(players), consent=consent)
    question = {"strategies": strategies, "seed": seed}
    tables = [make_experiment(game, players=n, rules=rules, strategies=strategies, seed=seed) for n in players]
    return Plan(tuple(axes), tuple((baseline, _grid(baseline, axes, rules or {}, question)) for baseline in tables))


def _check_axes(game: Game, axes: Sequence[Axis], rules: Mapping[str, Any]) -> None:
    """Refuse an unknown key, or one that is varied twice."""
    if not axes:
        message = "A sweep needs a constant to vary, such as --vary wishes.goal=6:12."
        raise UserError(message)
    for axis in axes:
        known_key(game, rules, axis)
        refuse_equal_values(axis)
    refuse_twice(axes, "give all its values at once")


def _check_size(axes: Sequence[Axis], tables: int, *, consent: bool) -> None:
    size = grid_size(axes) * tables
    if size > MOST_POINTS and not consent:
        message = f"That is a grid of {size:,} points, more than {MOST_POINTS:,}; vary less, or add --yes if you mean it."
        raise UserError(message)


def _grid(baseline: Experiment, axes: Sequence[Axis], rules: Mapping[str, Any], question: Mapping[str, Any]) -> Grid:
    """The points of a grid at the baseline's table, each with its setting.

    Raises:
        UserError: a point is impossible, or counts other things than the baseline.
    """
    return tuple(_experiment(baseline, setting, rules, question) for setting in every_combination(axes))


def _experiment(
    baseline: Experiment, setting: dict[str, Any], rules: Mapping[str, Any], question: Mapping[str, Any]
) -> tuple[dict[str, Any], Experiment]:
    name, players = point_name(setting), baseline.players
    try:
        experiment = make_experiment(baseline.game, players=players, rules={**rules, **setting}, **question)
    except RulesError as error:
        message = f"The point {name} cannot be played: {error}"
        raise RulesError(message, error.key) from None
    if [m.name for m in experiment.metrics] != [m.name for m in baseline.metrics]:
        message = f"The point {name} counts other things than the rules as they are, so the two cannot be compared; leave it out."
        raise UserError(message)
    built = values(experiment.rules)
    return {key: built[key] for key in setting}, experiment


def sweep(
    game: str | Game,
    vary: Mapping[str, Sequence[Any]],
    *,
    games: int = 100_000,
    precision: Precision | None = None,
    workers: Workers = None,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
    **question: Any,
) -> Sweep:
    """Plan and play a sweep.

    Args:
        game: name of the game.
        vary: dotted key to the values that it runs through.
        games: how many playouts of each point; with a precision, how many at most.
        precision: see `play_sweep`.
        workers: who plays; it does not change the result.
        ledger: where what was played is remembered; what it holds is not played again.
        progress: called now and then.
        **question: what else `plan_sweep` takes: players, rules, strategies, seed, consent.

    Raises:
        UserError: something of it does not exist or cannot be played; nothing has been played then.

    >>> found = sweep("orchard", {"raven.steps": range(5, 8)}, players=[2], games=1000)
    >>> [point.name for point in found.points]
    ['raven.steps=5', 'raven.steps=6', 'raven.steps=7']
    """
    axes = [Axis(key, listed) for key, listed in vary.items()]
    plan = plan_sweep(registry.game(game), axes, **question)
    return play_sweep(plan, games, precision=precision, workers=workers, ledger=ledger, progress=progress)


def play_sweep(
    plan: Plan,
    games: int,
    *,
    precision: Precision | None = None,
    workers: Workers = None,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Play every point of a plan and the rules as they are, all on the same playouts. Ctrl-C keeps what is done.

    Args:
        plan: what to play.
        games: how many playouts of each point; with a precision, how many at most.
        precision: stop as soon as this is reached at every point of those that are played side by side.
        workers: who plays; it does not change the result.
        ledger: where what was played is remembered; what it holds is not played again.
        progress: called now and then.

    Raises:
        UserError: a strategy is refused or broke its contract, or there is no metric that is to become precise.
        KeyboardInterrupt: interrupted before the first batch was complete.
    """
    for baseline_asked, _ in plan.grids:
        if precision is not None:
            precision.metric_of(baseline_asked)
    points: list[Point] = []
    baselines: dict[int, Point] = {}
    interrupted = False
    start = time.perf_counter()
    try:
        for baseline, found in _groups(plan, games, precision, progress, workers=workers, ledger=ledger):
            points += found
            baselines.setdefault(baseline.players, baseline)
            interrupted = baseline.result.interrupted
            if interrupted:
                break
    except KeyboardInterrupt:
        interrupted = True
    if not points:
        raise KeyboardInterrupt
    return Sweep(plan.axes, tuple(points), tuple(baselines.values()), games, plan.size, time.perf_counter() - start, interrupted)


def _groups(
    plan: Plan, games: int, precision: Precision | None, progress: Progress | None, **how: Any
) -> Iterator[tuple[Point, list[Point]]]:
    """The baseline and the points of each group, as they are played."""
    done = 0
    if progress is not None:
        progress(0, None)
    for baseline, grid in plan.grids:
        now = values(baseline.rules)
        setting = {axis.key: now[axis.key] for axis in plan.axes}
        for first in range(0, len(grid), TOGETHER):
            group = grid[first : first + TOGETHER]
            experiments = [baseline, *_others(baseline, group)]
            told = counted_on(progress, done, len(group))
            run = play_pairs(experiments, games, enough=_rule(precision, experiments, games), progress=told, **how)
            done += games * len(group)
            yield _point(setting, run, 0, precision), _points(baseline, group, run, precision)


def _rule(precision: Precision | None, experiments: Sequence[Experiment], games: int) -> Callable[[PairedPart], bool] | None:
    """A stopping rule: every experiment is precise enough."""
    if precision is None:
        return None
    return lambda part: all(precision.reached(e, tally, games) for e, tally in zip(experiments, part.tallies, strict=True))


def _others(baseline: Experiment, group: Grid) -> list[Experiment]:
    """The experiments of a group that are not the baseline, which is played anyway."""
    return [experiment for _, experiment in group if experiment.rules != baseline.rules]


def _points(baseline: Experiment, group: Grid, run: PairedRun, precision: Precision | None) -> list[Point]:
    others = _others(baseline, group)
    places = {id(experiment): place for place, experiment in enumerate(others, 1)}
    return [_point(setting, run, places.get(id(experiment), 0), precision) for setting, experiment in group]


def _point(setting: dict[str, Any], run: PairedRun, place: int, precision: Precision | None) -> Point:
    """A point from its place in a run, where 0 is the baseline."""
    tally = run.part.tallies[place]
    result = Result(run.experiments[place], run.asked, tally, run.elapsed_s, run.interrupted, precision, run.decided)
    return Point(setting, result, run.part.pairs[place - 1] if place else None)
