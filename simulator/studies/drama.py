"""`drama`: how the chance of winning moves during a playout.

Before every turn of some playouts, nested playouts from the position estimate everybody's chance to win. From these curves
come the changes of the lead, how long the winner was behind, how far down it was, and how early it was decided. An estimated
chance is off by chance, and crosses marks that the chance itself does not; `simulator.stats.extrapolation` takes that off.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from simulator.document.chapters import HOW_CLOSE, Cell, Chapter, Table, by_players
from simulator.document.document import Document
from simulator.document.figures import Style, figure, interval, known, number
from simulator.document.language import clean, listed, plural, ranged
from simulator.errors import UserError
from simulator.play.nested import watch_playouts
from simulator.play.replay import replay_command
from simulator.stats.digests import array_digest
from simulator.stats.estimate import estimate_share
from simulator.stats.extrapolation import extrapolated_mean
from simulator.studies.curves import DECIDED, LEAD, LOW, POINTS, Curve, curve_of, how_dramatic, most_dramatic
from simulator.studies.options import count, option
from simulator.studies.study import Study

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment
    from simulator.play.resources import Resources
    from simulator.stats.estimate import Estimate

GAMES, ROLLOUTS = 1_000, 400
"""Playouts to watch, and nested ones before each turn: so many of the latter that what the extrapolation leaves is small beside
the error that comes from watching so few. As it falls with the third power of the nested playouts, these need to grow with
the sixth root of the others only (Gordy and Juneja, Management Science 56(10), 2010, section 4)."""

MOST_CHANGES = 4
"""Lead changes from this number on are counted together."""

PER_MILLE = 1000


@dataclass(frozen=True)
class DramaPlan:
    """The question at one number of players.

    Attributes:
        experiment: what is played.
        games: playouts to watch.
        rollouts: nested playouts before each turn.
        strategies: as they were named.
    """

    experiment: Experiment
    games: int
    rollouts: int
    strategies: tuple[str, ...]

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return self.experiment.players

    @property
    def size(self) -> int:
        """How many playouts are watched."""
        return self.games

    def replay(self, playout: int) -> str:
        """The command line that tells a playout."""
        return replay_command(self.experiment, self.strategies, playout)


@dataclass(frozen=True)
class Drama:
    """The whole answer for one number of players.

    Attributes:
        plan: the question.
        curves: of every playout that was watched.
        dramatic: the playout with most lead changes and, of those, the lowest chance of its winner; by nested playouts that
            had no part in choosing it.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all were watched.
        digest: hash of all that was counted in the watched playouts.
    """

    plan: DramaPlan
    curves: tuple[Curve, ...]
    dramatic: Curve
    elapsed_s: float
    interrupted: bool = False
    digest: str = ""

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.plan.players

    @property
    def sides(self) -> tuple[str, ...]:
        """Who can win."""
        if self.plan.experiment.game.cooperative:
            return ("The players", "The game")
        return tuple(f"Seat {seat}" for seat in range(self.players))

    @cached_property
    def won(self) -> tuple[Curve, ...]:
        """The playouts that somebody won."""
        return tuple(curve for curve in self.curves if curve.winner is not None)

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """What is said of the curves, by name; those about the winner over the playouts that somebody won.

        `lead_changes`, a mean; `led_throughout`, the share of playouts in which nobody but the winner ever led;
        `never_behind_from`, the mean of the turn from which on the winner was never behind; `below.10` and `below.25`, shares of
        the playouts whose winner was once below such a chance in percent; `decided_early`, the share of those whose winner's
        chance never was below DECIDED in the second half of the turns. All are extrapolated to endlessly many nested playouts.
        Where all playouts had the same number nothing is known about their spread, and the interval of the mean is infinite.
        """
        results = {"lead_changes": _estimate(self.curves, lambda c: c.lead_changes, "changes")}
        if not self.won:
            return results
        results["led_throughout"] = _estimate(self.won, lambda c: c.behind_until == 0)
        results["never_behind_from"] = _estimate(self.won, lambda c: c.behind_until + 1, "turns", 1)
        for mark in LOW:
            results[f"below.{100 * mark:.0f}"] = _estimate(self.won, partial(Curve.was_below, mark=mark))
        return results | {"decided_early": _estimate(self.won, lambda c: c.decided_early)}

    @cached_property
    def changes(self) -> dict[str, Estimate]:
        """How many of the playouts had no lead change, one, and so on, and MOST_CHANGES or more; extrapolated as well."""
        results = {f"{k}": _estimate(self.curves, partial(_has_changes, number=k)) for k in range(MOST_CHANGES)}
        return results | {f"{MOST_CHANGES} or more": _estimate(self.curves, lambda c: c.lead_changes >= MOST_CHANGES)}

    @cached_property
    def courses(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The winners' chances in per mille, int64, shape (playouts won, POINTS)."""
        return np.array([np.rint(PER_MILLE * curve.course) for curve in self.won], np.int64).reshape(-1, POINTS)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "experiment": self.plan.experiment.as_dict(),
            "games": len(self.curves),
            "rollouts": self.plan.rollouts,
            "estimates": {name: estimate.as_dict() for name, estimate in self.estimates.items()},
            "changes": {name: estimate.as_dict() for name, estimate in self.changes.items()},
            "most_dramatic": {
                "playout": self.dramatic.playout,
                "replay": self.plan.replay(self.dramatic.playout),
                "lead_changes": self.dramatic.lead_changes,
                "winner": None if self.dramatic.winner is None else self.sides[self.dramatic.winner],
                "lowest": None if self.dramatic.winner is None else self.dramatic.lowest.as_dict(),
                "rollouts": self.dramatic.rollouts,
                "sides": list(self.sides),
                "chances": [[round(float(chance), 6) for chance in line] for line in self.dramatic.chances],
            },
            "digest": self.digest,
            "elapsed_s": self.elapsed_s,
        }


def _estimate(curves: Sequence[Curve], what: Callable[[Curve], float], unit: str = "share", least: int = 0) -> Estimate:
    """The mean of what is counted on each curve, `least` at least; a share of the curves if no unit is given."""
    counts = np.array([curve.counted(what) for curve in curves])
    return extrapolated_mean(counts, unit, least, 1 if unit == "share" else math.inf)


def _has_changes(curve: Curve, number: int) -> bool:
    return curve.lead_changes == number


@dataclass(frozen=True)
class DramaStudy(Study[DramaPlan, Drama]):
    """Show how the chance of winning moves during a game.

    Playouts are watched turn by turn: before each turn, nested playouts estimate everybody's chance to win. Shows how often the
    lead passes, how long and how far the winner was behind, how many games are decided early, and the most dramatic playout
    with the line that replays it.
    """

    games: int = count(GAMES, "Playouts to watch; 1k unless given.")
    rollouts: int = option(
        ROLLOUTS, "whole", "Nested playouts before each turn, to estimate everybody's chance.", ends=(10, 10**6), shown=True
    )

    each_number: ClassVar[str] = "each is looked at."
    saved: ClassVar[str] = "curves"

    @cached_property
    def plans(self) -> tuple[DramaPlan, ...]:
        """What will be watched with each number of players.

        Raises:
            UserError: something of it does not exist or is not possible, or nobody is there to play against.
        """
        return tuple(map(self._plan, self.setup.players))

    def _plan(self, players: int) -> DramaPlan:
        experiment = self.setup.experiment(players)
        if players == 1 and not experiment.game.cooperative:
            message = f"Alone nobody is ahead or behind; watch {experiment.game.title} with two players or more."
            raise UserError(message)
        return DramaPlan(experiment, self.games, self.rollouts, self.setup.strategies)

    def play_part(self, plan: DramaPlan, resources: Resources) -> Drama:
        """Watch the playouts of one number of players.

        Raises:
            UserError: a strategy is refused or broke its contract.
            KeyboardInterrupt: interrupted before the first playouts were watched.
        """
        with resources.collecting(f"{plan.players} players", plan.games) as how:
            return _watch(plan, how)

    def document(self, parts: Sequence[Drama]) -> Document:
        """The lead and the winner, the lead changes, and the most dramatic playouts."""
        return _document(parts)


drama = DramaStudy.ask
"""Watch the playouts of one number of players.

>>> found = drama("pig", players=2, games=8, rollouts=20)
>>> found.estimates["lead_changes"].n, found.dramatic.rollouts
(8, 160)
"""


def _watch(plan: DramaPlan, how: Mapping[str, Any]) -> Drama:
    start = time.perf_counter()
    watched = watch_playouts(plan.experiment, plan.games, plan.rollouts, **how)
    curves = tuple(curve_of(plan.experiment, one) for one in watched)
    dramatic = max(curves, key=how_dramatic)
    interrupted = len(curves) < plan.games
    try:
        dramatic = most_dramatic(plan.experiment, plan.rollouts, watched, curves, **{**how, "progress": None})
    except KeyboardInterrupt:
        interrupted = True
    digest = array_digest(x for one in watched for x in (one.sums, one.row))
    return Drama(plan, curves, dramatic, time.perf_counter() - start, interrupted, digest)


# ---------------------------------------------------------------- what is said of it

LABELS = {
    "lead_changes": "Lead changes",
    "led_throughout": "Winner never behind",
    "never_behind_from": "Not behind from turn",
    "below.10": "Winner once below 10%",
    "below.25": "Winner once below 25%",
    "decided_early": "Decided by half-time",
}

RULE_OF_THE_LEAD = f"The lead passes to whose chance to win is {100 * LEAD:.0f} points higher than the leader's."
DECIDED_NOTE = f"A game is decided by half-time if in its second half the winner's chance stays at {100 * DECIDED:.0f} percent or more."
LOOK_FOR = "Look for games that turn, and for games that are over long before they end."


def _document(parts: Sequence[Drama]) -> Document:
    first = parts[0].plan
    game, watched = first.experiment.game, ranged((len(one.curves) for one in parts), "playout")
    return Document(
        game,
        "How the chance of winning moves",
        sentence(parts[0]),
        tuple(map(sentence, parts[1:])),
        _warnings(parts),
        rules=first.experiment.rules,
        facts=(
            ("Playouts watched", "; ".join(f"{len(one.curves):,} with {run_of(one)}" for one in parts)),
            ("Nested playouts before each turn", f"{first.rollouts:,}"),
            ("Strategies", ", ".join(dict.fromkeys(clean(p.label) for p in first.experiment.lineup))),
        ),
        chapters=tuple(_chapters(parts)),
        runs=tuple(map(run_of, parts)) if len(parts) > 1 else (),
        opening=f"{game.title}: {watched} watched, {first.rollouts:,} nested ones before each turn",
        closing=f"{RULE_OF_THE_LEAD} {DECIDED_NOTE} What the noise of the estimated chances adds is taken off; the 95% intervals, "
        "each for itself, hold what that may leave.",
    )


def _chapters(parts: Sequence[Drama]) -> Iterator[Chapter]:
    notes, charts = (DECIDED_NOTE, coarseness_note(parts[0].plan)), ("drama-lead-changes",)
    changes = _by_players("Games by lead changes", "drama-changes", parts, lambda one: one.changes)
    yield Chapter("lead", "How often the lead passes", LOOK_FOR, (), charts, (figures_table(parts), changes), notes)
    won = [one for one in parts if one.won]
    if won:
        yield Chapter("courses", "How the winner's chance moves", "Look for where the median leaves the start.", charts=("drama-courses",))
        replays = tuple((run_of(one), Cell(one.plan.replay(one.dramatic.playout), code=True)) for one in won)
        lines = Table("To read it", "", ("Players", "Command"), replays, name="drama-replay")
        told = tuple(map(dramatic_sentence, parts))
        look_for = "Look for the turns at which it tips."
        yield Chapter("most-dramatic", "The most dramatic game", look_for, told, ("drama-most",), (lines,))


def run_of(part: Drama) -> str:
    """What tells it from others: the number of players."""
    return plural(part.players, "player")


def figures_table(parts: Sequence[Drama]) -> Table:
    """The estimates: a row for each, a column for each number of players."""
    return _by_players("The lead and the winner", "drama", parts, lambda one: {LABELS[name]: e for name, e in one.estimates.items()})


def _by_players(title: str, name: str, parts: Sequence[Drama], figures: Callable[[Drama], Mapping[str, Estimate]]) -> Table:
    return by_players(title, "What was counted", [run_of(one) for one in parts], [figures(one) for one in parts], cell=_cell, name=name)


def _cell(estimate: Estimate | None) -> Cell:
    """A figure above its interval; where all playouts were alike there is none to tell."""
    if estimate is None or known(estimate) or estimate.n == 1:
        return Cell.of(estimate)
    return Cell(figure(estimate), f"in every one of {estimate.n:,}")


def sentence(part: Drama) -> str:
    """What was found at one number of players."""
    told, result = f"With {run_of(part)}: the lead passes {how_often(part)}", part.estimates
    if not part.won:
        return f"{told}; nobody won any of the games."
    return (
        f"{told}; {interval(result['led_throughout'])} percent of winners never were behind, "
        f"{interval(result['below.10'])} percent once had a chance below 10 percent, "
        f"and {interval(result['decided_early'])} percent of games are decided by half-time."
    )


def how_often(part: Drama) -> str:
    """How often the lead passes: a mean, or where all playouts were alike the share of games that may be so."""
    changes = part.estimates["lead_changes"]
    if known(changes):
        return f"{interval(changes)} times a game on average"
    times = plural(round(changes.best), "time")
    if changes.n == 1:
        return f"{times} in the only game"
    alike = f"{times} in every one" if changes.best else "in none"
    return f"{alike} of {changes.n:,} games ({interval(estimate_share(changes.n if changes.best else 0, changes.n))} percent)"


def headline(parts: Sequence[Drama]) -> str:
    """How often the lead passes, from the fewest players to the most."""
    ends = dict.fromkeys(f"{how_often(one)} with {run_of(one)}" for one in (parts[0], parts[-1]))
    return f"The lead passes {listed([*ends])}"


def dramatic_sentence(part: Drama) -> str:
    """The most dramatic playout in words."""
    curve = part.dramatic
    if curve.winner is None:
        return f"With {run_of(part)}: nobody won any of the games."
    chance = interval(curve.lowest, Style(digits=0, once=False))
    changes, winner = plural(curve.lead_changes, "lead change"), part.sides[curve.winner].lower()
    return f"With {run_of(part)}: playout {curve.playout} had {changes}, and {winner} won from a chance of {chance} percent."


def coarseness_note(plan: DramaPlan) -> str:
    """How far off so few nested playouts are, and what becomes of it."""
    points = number(100 * 0.5 / math.sqrt(plan.rollouts))
    return (
        f"A chance by {plural(plan.rollouts, 'nested playout')} is off by up to {points} points, one standard error. What that adds"
        " to the figures is estimated by halves and quarters of the nested playouts and taken off; the intervals hold what that may leave."
    )


def report_chapter(parts: Sequence[Drama]) -> Chapter:
    """What it adds to a balance report's chapter on how close games are: lead changes."""
    notes = (
        f"{plural(len(parts[0].curves), 'playout')} were watched; before each turn {parts[0].plan.rollouts:,} nested ones each.",
        RULE_OF_THE_LEAD,
        DECIDED_NOTE,
        coarseness_note(parts[0].plan),
    )
    tables = (figures_table(parts),)
    return Chapter(HOW_CLOSE, "How close it is", LOOK_FOR, tuple(map(sentence, parts)), ("drama-lead-changes",), tables, notes)


def _warnings(parts: Sequence[Drama]) -> tuple[str, ...]:
    """What has to be known first."""
    stopped = [
        f"The study with {run_of(one)} was interrupted after {len(one.curves):,} of {one.plan.games:,} playouts."
        for one in parts
        if one.interrupted
    ]
    nobody = [
        f"With {run_of(one)} nobody won {len(one.curves) - len(one.won):,} of {len(one.curves):,} games; winners are those of the others."
        for one in parts
        if len(one.won) < len(one.curves)
    ]
    return (*stopped, *nobody)
