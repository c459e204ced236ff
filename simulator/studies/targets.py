"""Targets: where a designer wants a figure to lie, and whether it does."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from simulator.errors import UserError, nearest
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_advantage, estimate_metric, simultaneous
from simulator.stats.shares import EVERY_SHARE, check_ends, check_width, number_text, read_number, read_widths, refuse_percent
from simulator.stats.unfinished import unfinished_of
from simulator.stats.verdicts import verdicts_together
from simulator.studies.check import judged
from simulator.studies.promises import Target as Band

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.experiment import Experiment
    from simulator.stats.tally import Tally

ADVANTAGE = "first_player_advantage"
"""Seat 0's share of wins less an equal share: no metric of a playout, but what many a target is about."""

WITHIN = 0.01
"""A share counts as met when it lies this near to its target, unless told otherwise."""


@dataclass(frozen=True)
class Target:
    """Where a figure is to lie.

    Attributes:
        metric: name of the metric, or ADVANTAGE.
        label: how a person calls it.
        unit: "share", or what one is one of.
        low, high: the ends, with what the figure may be off by.
    """

    metric: str
    label: str
    unit: str
    low: float
    high: float

    @property
    def centre(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2

    @property
    def reach(self) -> float:
        """From the middle to either end."""
        return (self.high - self.low) / 2

    @property
    def signed(self) -> bool:
        """Whether it is a difference of shares, which is told in points and with its sign."""
        return self.metric == ADVANTAGE

    @property
    def text(self) -> str:
        """Where it is to lie, in words."""
        return Band(self.low, self.high).text(self.unit, difference=self.signed)

    def miss(self, value: float) -> float:
        """How far a value lies beyond the nearer end, in units of `reach`; 0 within.

        >>> target = Target("players_win", "Players win", "share", 0.5, 0.75)
        >>> target.miss(0.6), target.miss(0.25)
        (0.0, 2.0)
        """
        return max(self.low - value, value - self.high, 0.0) / self.reach

    def place(self, value: float) -> float:
        """Where a value lies, from -1 at the lower end to 1 at the upper one, which rounding does not move.

        >>> Target("players_win", "Players win", "share", 0.9, 1.0).place(1.0)
        1.0
        """
        place = (value - self.centre) / self.reach
        return min(max(place, -1.0), 1.0) if self.low <= value <= self.high else place

    def least_miss(self, estimate: Estimate) -> float:
        """The smallest miss that an interval allows."""
        return self.miss(min(max(estimate.low, self.centre), estimate.high))

    def most_miss(self, estimate: Estimate) -> float:
        """The largest."""
        return max(self.miss(estimate.low), self.miss(estimate.high))

    def figure(self, experiment: Experiment, tally: Tally, confidence: float = CONFIDENCE) -> Estimate:
        """What a tally says about it, with an interval for a fixed number of playouts."""
        if self.metric != ADVANTAGE:
            return estimate_metric(next(m for m in experiment.metrics if m.name == self.metric), tally[self.metric], confidence)
        wins = [tally[name].moments()[0] for name in experiment.game.verdict(experiment.players)]
        return estimate_advantage(wins[0], sum(wins), tally.games, experiment.players, confidence)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"metric": self.metric, "low": self.low, "high": self.high}


_AIM = re.compile(r"\s*([^=\s]+)\s*=\s*([^:]+?)\s*(?::\s*([^:]+?)\s*)?")


def read_targets(texts: Sequence[str], withins: Sequence[str], experiments: Sequence[Experiment]) -> tuple[Target, ...]:
    """Read targets: `metric=value` or `metric=low:high`, where 60% is the same as 0.6.

    Args:
        texts: what was asked for, at least one.
        withins: how far off a value may be: `0.01` for all shares, `turns=0.5` for a metric. A range has its own ends.
        experiments: the rules as they are, with every number of players that is asked about.

    Raises:
        UserError: one of it is no such thing, or there is no such metric with some number of players.
    """
    widths = read_widths(withins, "--within", "width")
    targets = tuple(_target(text, widths, experiments) for text in texts)
    if not targets:
        message = "There is no target; write --target metric=value, such as --target players_win=0.60."
        raise UserError(message)
    for name in widths:
        if name != EVERY_SHARE and name not in {t.metric for t in targets}:
            message = f"--within {name}={number_text(widths[name])} is about no target{nearest(name, [t.metric for t in targets])}."
            raise UserError(message)
    for number, target in enumerate(targets):
        if target.metric in {t.metric for t in targets[:number]}:
            message = f"--target names '{target.metric}' twice; give it one range."
            raise UserError(message)
    return targets


def _target(text: str, widths: Mapping[str, float], experiments: Sequence[Experiment]) -> Target:
    match = _AIM.fullmatch(text)
    ends = [read_number(end) for end in match.groups()[1:] if end is not None] if match else []
    if not match or not ends or not all(map(math.isfinite, ends)):
        message = f"--target '{text}' is no target; write metric=value or metric=low:high, such as players_win=0.60 or turns=25:35."
        raise UserError(message)
    name = match[1]
    label, unit, low, high = _known(name, experiments)
    share = unit == "share"
    if share:
        check_ends(ends, f"--target '{text}'", low, high)
    else:
        refuse_percent(ends, f"--target '{text}'")
    if len(ends) == 1:
        off = widths.get(name, widths.get(EVERY_SHARE, WITHIN) if share else 0.0)
        if not off:
            message = f"--target '{text}' says not how near is near enough; write a range, {name}=low:high, or add --within {name}=WIDTH."
            raise UserError(message)
        check_width(off, f"--within {name}={number_text(off)}", share=share)
        ends = [round(ends[0] - off, 12), round(ends[0] + off, 12)]
        if share:  # no share lies beyond
            ends = [max(low, ends[0]), min(high, ends[1])]
    if not ends[0] < ends[1]:
        message = f"--target '{text}' leaves no room; write the smaller end first, as in turns=25:35."
        raise UserError(message)
    if ends[1] < low or ends[0] > high:
        message = f"--target '{text}' cannot be met: {label} lies between {low:g} and {high:g}."
        raise UserError(message)
    return Target(name, label, unit, *ends)


def _known(name: str, experiments: Sequence[Experiment]) -> tuple[str, str, float, float]:
    """Label, unit and range of a metric that is there with every number of players.

    Raises:
        UserError: there is none.
    """
    found: Metric | None = None
    for experiment in experiments:
        if name == ADVANTAGE and not experiment.game.cooperative and experiment.players > 1:
            continue
        known = {m.name: m for m in experiment.metrics}
        if name not in known:
            more = [] if experiment.game.cooperative else [ADVANTAGE]
            listed = [*known, *more]
            hint = nearest(name, listed)
            message = f"With {experiment.players} players there is no metric '{name}'{hint}; there are {', '.join(listed)}."
            raise UserError(message)
        found = known[name]
    if found is None:
        return "First player's advantage", "share", -1.0, 1.0
    return found.label, found.unit, found.low, found.high


# ---------------------------------------------------------------- verdicts


@dataclass(frozen=True)
class Judged:
    """What was found about a target with one number of players.

    Attributes:
        players: how many sat at the table.
        target: where the figure is to lie.
        estimate: where it lies, with its 95 percent interval.
        meets: True if it is shown to lie there, False if it is shown not to, None if neither, or if no game finished; judged
            together with the others of the same rules.
    """

    players: int
    target: Target
    estimate: Estimate
    meets: bool | None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"players": self.players, **self.target.as_dict(), "estimate": self.estimate.as_dict(), "meets": self.meets}


def judge(targets: Sequence[Target], measured: Sequence[tuple[Experiment, Tally]]) -> tuple[Judged, ...]:
    """Whether some rules meet all targets with each number of players, by playouts whose number was fixed beforehand.

    'Meets' is a claim of equivalence: the interval has to lie within the target, judged together by Holm's method, so that
    with 95 percent confidence no figure is said to lie there that does not. 'Does not' is judged together too (Bonferroni).

    Args:
        targets: where figures are to lie.
        measured: what was played with each number of players, on playouts that had no part in choosing these rules.
    """
    cases = [(target, experiment, tally) for experiment, tally in measured for target in targets]

    def shifted(target: Target, experiment: Experiment, tally: Tally, confidence: float) -> Estimate:
        found = target.figure(experiment, tally, confidence)
        low, high = (target.place(end) for end in (found.low, found.high))
        return Estimate(target.place(found.best), low, high, found.n, found.unit)

    verdicts = verdicts_together([partial(shifted, *case) for case in cases], 1.0)
    together = simultaneous(len(cases))
    found = []
    for (target, experiment, tally), verdict in zip(cases, verdicts, strict=True):
        broken = judged(target.figure(experiment, tally, together), Band(target.low, target.high)) == "broken"
        hidden = unfinished_of(tally).hides(target.metric)
        meets = None if hidden else True if verdict == "equivalent" else False if broken else None
        found.append(Judged(experiment.players, target, target.figure(experiment, tally), meets))
    return tuple(found)


def all_met(judgements: Sequence[Judged]) -> bool | None:
    """True if all targets are met, False if one is not, None if that is open."""
    if all(j.meets for j in judgements):
        return True
    return False if any(j.meets is False for j in judgements) else None
