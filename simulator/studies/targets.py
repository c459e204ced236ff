"""Targets: where a designer wants a figure to lie, and whether it does."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from simulator.errors import UserError, nearest
from simulator.numbers import number_text
from simulator.stats.bands import Band, read_band
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_advantage, estimate_metric, simultaneous
from simulator.stats.shares import EVERY_SHARE, check_ends, check_width, read_widths, refuse_percent
from simulator.stats.unfinished import unfinished_of
from simulator.stats.verdicts import AS_JSON, MET, Verdict, verdicts_together

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
        band: where it is to lie, with what it may be off by.
    """

    metric: str
    label: str
    unit: str
    band: Band

    @property
    def signed(self) -> bool:
        """Whether it is a difference of shares, which is told in points and with its sign."""
        return self.metric == ADVANTAGE

    @property
    def adds_as_odds(self) -> bool:
        """Whether it is a share, of which effects add up on the scale of log odds."""
        return self.unit == "share" and self.band.low >= 0 and self.band.high <= 1

    @property
    def most_variance(self) -> float:
        """The largest variance that a share within can have; of a difference from an equal share, the largest there is."""
        share = min(max(0.5, self.band.low), self.band.high) if self.adds_as_odds else 0.5
        return share * (1 - share)

    @property
    def text(self) -> str:
        """Where it is to lie, in words."""
        return self.band.text(self.unit, difference=self.signed)

    def figure(self, experiment: Experiment, tally: Tally, confidence: float = CONFIDENCE) -> Estimate:
        """What a tally says about it, with an interval for a fixed number of playouts."""
        if self.metric != ADVANTAGE:
            return estimate_metric(next(m for m in experiment.metrics if m.name == self.metric), tally[self.metric], confidence)
        wins = [tally[name].moments()[0] for name in experiment.game.verdict(experiment.players)]
        return estimate_advantage(wins[0], sum(wins), tally.games, experiment.players, confidence)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"metric": self.metric, "low": self.band.low, "high": self.band.high}


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
    name, ends = read_band(text)
    if name is None or not ends or not all(map(math.isfinite, ends)):
        message = f"--target '{text}' is no target; write metric=value or metric=low:high, such as players_win=0.60 or turns=25:35."
        raise UserError(message)
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
        ends = round(ends[0] - off, 12), round(ends[0] + off, 12)
        if share:  # no share lies beyond
            ends = max(low, ends[0]), min(high, ends[1])
    if not ends[0] < ends[1]:
        message = f"--target '{text}' leaves no room; write the smaller end first, as in turns=25:35."
        raise UserError(message)
    if ends[1] < low or ends[0] > high:
        message = f"--target '{text}' cannot be met: {label} lies between {low:g} and {high:g}."
        raise UserError(message)
    return Target(name, label, unit, Band(ends[0], ends[1]))


def _known(name: str, experiments: Sequence[Experiment]) -> tuple[str, str, float, float]:
    """Label, unit and range of a metric that is there with every number of players.

    Raises:
        UserError: there is none.
    """
    result: Metric | None = None
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
        result = known[name]
    if result is None:
        return "First player's advantage", "share", -1.0, 1.0
    return result.label, result.unit, result.low, result.high


def games_needed(targets: Sequence[Target], tables: int) -> int:
    """Playouts with which a share in the middle third of its target is shown to lie within it, about.

    By the normal approximation, for all figures of the same rules at once; 0 if no target is about a share.

    Args:
        targets: where figures are to lie.
        tables: with how many numbers of players.
    """
    errors = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / (len(targets) * tables))
    shares = [t for t in targets if t.unit == "share"]
    return max((math.ceil((errors / (t.band.reach * 2 / 3)) ** 2 * t.most_variance) for t in shares), default=0)


# ---------------------------------------------------------------- verdicts


@dataclass(frozen=True)
class Judged:
    """What was found about a target with one number of players.

    Attributes:
        players: how many sat at the table.
        target: where the figure is to lie.
        estimate: where it lies, with its 95 percent interval.
        meets: whether it lies there; open too if no game finished; judged together with the others of the same rules.
        hidden: whether nothing is known of it, since no game finished.
    """

    players: int
    target: Target
    estimate: Estimate
    meets: Verdict
    hidden: bool = False

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return MET[self.meets]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"players": self.players, **self.target.as_dict(), "estimate": self.estimate.as_dict(), "meets": AS_JSON[self.meets]}


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
        result = target.figure(experiment, tally, confidence)
        low, high = (target.band.place(end) for end in (result.low, result.high))
        return Estimate(target.band.place(result.best), low, high, result.n, result.unit)

    verdicts = verdicts_together([partial(shifted, *case) for case in cases], 1.0)
    together = simultaneous(len(cases))
    result = []
    for (target, experiment, tally), verdict in zip(cases, verdicts, strict=True):
        misses = target.band.judge(target.figure(experiment, tally, together)) == "no"
        hidden = unfinished_of(tally).hides(target.metric)
        meets: Verdict = "open" if hidden else "yes" if verdict == "no" else "no" if misses else "open"
        result.append(Judged(experiment.players, target, target.figure(experiment, tally), meets, hidden))
    return tuple(result)
