"""Grids: every combination of values of rule constants is a point, played on the same playouts as the rules as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator.document.language import short
from simulator.errors import RulesError, UserError
from simulator.play.run import Result
from simulator.rules import to_text, values
from simulator.stats.estimate import Estimate
from simulator.stats.unfinished import Unfinished, unfinished_of
from simulator.studies.axes import Axis, every_combination, grid_size, known_key, point_name, refuse_equal_values, refuse_twice
from simulator.studies.pairs import TOGETHER, play_pairs
from simulator.studies.search import counted_on

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.experiment import Experiment
    from simulator.play.run import Precision
    from simulator.stats.paired import Difference, PairedTally
    from simulator.studies.pairs import PairedPart, PairedRun
    from simulator.studies.study import Setup

MOST_POINTS = 10_000
"""A grid of more points than this asks for consent."""

MOST_LETTERS = 50
"""The middle of a constant with its value is left out in a sentence where that has more letters."""

Grid = tuple[tuple[dict[str, Any], "Experiment"], ...]
"""Points that are to be played: the values of the varied constants, and what is played there."""


@dataclass(frozen=True)
class SweepPlan:
    """What is played.

    Attributes:
        axes: the varied constants.
        grids: for each number of players the baseline, and the points.
        games: playouts of each point, at most.
        precision: when to stop at each of them, if not after so many.
        metrics: what to show.
    """

    axes: tuple[Axis, ...]
    grids: tuple[tuple[Experiment, Grid], ...]
    games: int
    precision: Precision | None
    metrics: tuple[Metric, ...]

    @property
    def points(self) -> int:
        """How many points there are."""
        return sum(len(grid) for _, grid in self.grids)

    @property
    def size(self) -> int:
        """How many playouts of points it takes, at most."""
        return self.points * self.games


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
        """The point as its constants are set, such as `wishes.goal=8`."""
        return point_name(self.setting)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The values in words."""
        return tuple(map(to_text, self.setting.values()))

    @cached_property
    def title(self) -> str:
        """The point in words, such as `wishes.goal 8`."""
        return ", ".join(map(" ".join, zip(self.setting, self.texts, strict=True)))

    @cached_property
    def brief(self) -> str:
        """The same without the middle of what is long."""
        return ", ".join(short(" ".join(pair), MOST_LETTERS) for pair in zip(self.setting, self.texts, strict=True))

    @cached_property
    def estimates(self) -> dict[str, Estimate | None]:
        """Metric to estimate; None where no game finished, so that nothing is known of it."""
        ended = unfinished_of(self.result.tally)
        return {name: None if ended.hides(name) else estimate for name, estimate in self.result.estimates.items()}

    @cached_property
    def comparisons(self) -> dict[str, Difference]:
        """Metric to what differs from the baseline, where that is known; empty for the baseline itself."""
        if self.pairs is None:
            return {}
        difference = self.pairs.difference_sequence if self.result.sequential else self.pairs.difference
        before = Unfinished(self.pairs["unfinished"].baseline, self.pairs.n)
        return {m.name: difference(m) for m in self.metrics if self.estimates[m.name] and not before.hides(m.name)}

    @cached_property
    def differences(self) -> dict[str, Estimate | None]:
        """Metric to this point less the baseline, by pairs of playouts; exactly 0 for the baseline itself, None where nothing is known."""
        if self.pairs is None:
            return {m.name: Estimate(0.0, 0.0, 0.0, self.result.games, m.unit) if self.estimates[m.name] else None for m in self.metrics}
        return {m.name: self.comparisons[m.name].estimate if m.name in self.comparisons else None for m in self.metrics}

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "set": self.setting,
            "players": self.players,
            "estimates": _as_dicts(self.estimates),
            "difference": _as_dicts(self.differences),
            "digest": self.result.digest,
        }


def _as_dicts(estimates: Mapping[str, Estimate | None]) -> dict[str, Any]:
    return {name: None if estimate is None else estimate.as_dict() for name, estimate in estimates.items()}


# ---------------------------------------------------------------- planning
def grids_of(setup: Setup, axes: Sequence[Axis], *, consent: bool) -> tuple[tuple[Experiment, Grid], ...]:
    """Every point for each number of players, so that an impossible one is found before anything is played.

    Args:
        setup: the rules as they are, and who plays.
        axes: the constants to vary, each once.
        consent: whether more than MOST_POINTS points shall be played.

    Raises:
        UserError: something of it does not exist or cannot be played.
    """
    if not axes:
        message = "A sweep needs a constant to vary, such as --vary wishes.goal=6:12."
        raise UserError(message)
    for axis in axes:
        known_key(setup.game, setup.rules, axis)
        refuse_equal_values(axis)
    refuse_twice(axes, "give all its values at once")
    size = grid_size(axes) * len(setup.players)
    if size > MOST_POINTS and not consent:
        message = f"That is a grid of {size:,} points, more than {MOST_POINTS:,}; vary less, or add --yes if you mean it."
        raise UserError(message)
    baselines = [setup.experiment(players) for players in setup.players]
    return tuple((baseline, tuple(_point_at(setup, baseline, setting) for setting in every_combination(axes))) for baseline in baselines)


def _point_at(setup: Setup, baseline: Experiment, setting: dict[str, Any]) -> tuple[dict[str, Any], Experiment]:
    name = point_name(setting)
    try:
        experiment = replace(setup, rules={**setup.rules, **setting}).experiment(baseline.players)
    except RulesError as error:
        message = f"The point {name} cannot be played: {error}"
        raise RulesError(message, error.key) from None
    if [m.name for m in experiment.metrics] != [m.name for m in baseline.metrics]:
        message = f"The point {name} counts other things than the rules as they are, so the two cannot be compared; leave it out."
        raise UserError(message)
    built = values(experiment.rules)
    return {key: built[key] for key in setting}, experiment


# ---------------------------------------------------------------- playing
def play_groups(plan: SweepPlan, how: Mapping[str, Any]) -> Iterator[tuple[Point, list[Point]]]:
    """The baseline and the points of each group, as they are played.

    Args:
        plan: what to play.
        how: the keywords of `collect`.
    """
    done, progress = 0, how["progress"]
    if progress is not None:
        progress(0, None)
    for baseline, grid in plan.grids:
        now = values(baseline.rules)
        setting = {axis.key: now[axis.key] for axis in plan.axes}
        for first in range(0, len(grid), TOGETHER):
            group = grid[first : first + TOGETHER]
            others = [experiment for _, experiment in group if experiment.rules != baseline.rules]
            counted = {**how, "progress": counted_on(progress, done, len(group))}
            run = play_pairs([baseline, *others], plan.games, enough=_rule(plan, [baseline, *others]), **counted)
            done += plan.games * len(group)
            places = {id(experiment): place for place, experiment in enumerate(others, 1)}
            points = [_point(each, run, places.get(id(experiment), 0), plan.precision) for each, experiment in group]
            yield _point(setting, run, 0, plan.precision), points


def _rule(plan: SweepPlan, experiments: Sequence[Experiment]) -> Callable[[PairedPart], bool] | None:
    """A stopping rule: every experiment is precise enough."""
    precision = plan.precision
    if precision is None:
        return None
    return lambda part: all(precision.reached(e, tally, plan.games) for e, tally in zip(experiments, part.tallies, strict=True))


def _point(setting: dict[str, Any], run: PairedRun, place: int, precision: Precision | None) -> Point:
    """A point from its place in a run, where 0 is the baseline."""
    tally = run.part.tallies[place]
    result = Result(run.experiments[place], run.asked, tally, run.elapsed_s, run.interrupted, precision, run.decided)
    return Point(setting, result, run.part.pairs[place - 1] if place else None)
