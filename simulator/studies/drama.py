"""`drama`: how the chance of winning moves during a playout.

Before every turn of some thousand playouts, nested playouts from the position estimate everybody's chance to win. From these
curves come the changes of the lead, how long the winner was behind, how far down it was, and how early it was decided.

An estimated chance is off by chance. Counted at face value it would cross any mark more often than the chance itself does.
So it counts as beyond a mark once it is so by half of its own standard error: crossings that noise makes and those that the
rule misses then about cancel, if there are some hundred nested playouts. With few of them noise wins, the more so the more turns
and seats there are. The tests set this against Pig, whose chances are known exactly; see docs/drama.md.
"""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.errors import UserError
from simulator.estimate import Estimate, estimate_mean, estimate_share
from simulator.executors import Job, executor_for
from simulator.experiment import Batch
from simulator.nested import Watched, WatchWorker, watch_playouts
from simulator.rules import constants, to_text
from simulator.run import make_experiment

if TYPE_CHECKING:
    from simulator.executors import Workers
    from simulator.experiment import Experiment

Matrix = np.ndarray[Any, np.dtype[np.float64]]

LEAD = 0.2
"""The lead passes to whose chance is so much higher than the leader's: with two sides, at 60 to 40."""

LOW = (0.10, 0.25)
"""Chances below which a winner had little hope."""

DECIDED = 0.9
"""A chance from which on a playout counts as decided, if the winner's does not fall below it any more."""

GUARD = 0.5
"""Standard errors by which an estimated chance has to be beyond a mark, so that noise does not count."""

GAMES, ROLLOUTS = 2_000, 200

CANDIDATES, CLOSER = 4, 8
"""How many of the most dramatic playouts are looked at again, and with how many times more nested playouts."""

POINTS = 21
"""Points of a playout at which its curve is kept, from the first turn to the end."""

PER_MILLE = 1000


@dataclass(frozen=True)
class Curve:
    """How the chances moved in one playout.

    Attributes:
        playout: its number.
        chances: float64, shape (turns, sides): line t is before turn t + 1.
        rollouts: nested playouts behind each line.
        winner: the side that won; None where none did.
    """

    playout: int
    chances: Matrix
    rollouts: int
    winner: int | None

    @property
    def turns(self) -> int:
        """How many turns it took."""
        return len(self.chances)

    @cached_property
    def leaders(self) -> list[int | None]:
        """Who is in the lead before each turn; None before anybody is.

        The first lead is taken from whoever comes second, each later one from the leader.
        """
        found: list[int | None] = []
        leader: int | None = None
        for chances in self.chances:
            first, second = np.argsort(-chances, kind="stable")[:2]
            rival = second if leader is None else leader
            if first != rival and self._ahead(chances[first], chances[rival]):
                leader = int(first)
            found.append(leader)
        return found

    def _ahead(self, one: float, other: float) -> bool:
        """Whether a chance is higher than another by LEAD, and by the guard for the noise of their difference."""
        gap = one - other
        return bool(gap - GUARD * np.sqrt(max(0.0, one + other - gap * gap) / self.rollouts) >= LEAD)

    @property
    def lead_changes(self) -> int:
        """How often the lead passed from one to another."""
        led = [leader for leader in self.leaders if leader is not None]
        return sum(a != b for a, b in pairwise(led))

    @property
    def behind_until(self) -> int:
        """The last turn before which another than the winner led; 0 if none ever did."""
        behind = [turn for turn, leader in enumerate(self.leaders, 1) if leader not in {None, self.winner}]
        return behind[-1] if behind else 0

    @cached_property
    def of_winner(self) -> Matrix:
        """The winner's chance before each turn."""
        return np.asarray(self.chances[:, self.winner])

    @property
    def lowest(self) -> Estimate:
        """The lowest chance that the winner had before a turn, with Wilson's interval for that turn."""
        return estimate_share(round(float(self.of_winner.min()) * self.rollouts), self.rollouts)

    def was_below(self, mark: float, first: int = 0) -> bool:
        """Whether the winner's chance was below a mark, and by the guard, before any turn from `first` on, counted from 0.

        The standard error is that of one more win and one more loss, as it would be none where nothing was won.
        """
        chance = self.of_winner[first:]
        likely = (chance * self.rollouts + 1) / (self.rollouts + 2)
        return bool((chance + GUARD * np.sqrt(likely * (1 - likely) / self.rollouts) < mark).any())

    @property
    def decided_early(self) -> bool:
        """Whether the winner's chance never was below DECIDED in the second half of the turns; of a single turn, before it."""
        return not self.was_below(DECIDED, min(-(-self.turns // 2), self.turns - 1))

    @property
    def course(self) -> Matrix:
        """The winner's chance at POINTS points from the first turn to the end, where it is 1."""
        places = np.linspace(0, self.turns, POINTS).astype(int)
        return np.asarray(np.append(self.of_winner, 1.0)[places])


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

    def replay(self, playout: int) -> str:
        """The command line that tells a playout."""
        words = ["simulate", "replay", self.experiment.game.name, "--game", str(playout), "--players", str(self.players)]
        words += ["--seed", str(self.experiment.seed)]
        for strategy in self.strategies:
            words += ["--strategy", strategy]
        for constant in constants(self.experiment.rules):
            if constant.changed:
                words += ["--set", f"{constant.key}={to_text(constant.value)}"]
        return shlex.join(words)


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
    """

    plan: DramaPlan
    curves: tuple[Curve, ...]
    dramatic: Curve
    elapsed_s: float
    interrupted: bool = False

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
        chance never was below DECIDED in the second half of the turns. Shares have Wilson's interval, means Student's; where all
        playouts were alike nothing is known about their spread, and the interval of the mean is infinite.
        """
        found = {"lead_changes": _mean([curve.lead_changes for curve in self.curves], "changes", 0)}
        if not self.won:
            return found
        behind = [curve.behind_until for curve in self.won]
        found["led_throughout"] = _share([turn == 0 for turn in behind])
        found["never_behind_from"] = _mean([turn + 1 for turn in behind], "turns", 1)
        found |= {f"below.{100 * mark:.0f}": _share([curve.was_below(mark) for curve in self.won]) for mark in LOW}
        return found | {"decided_early": _share([curve.decided_early for curve in self.won])}

    @property
    def change_counts(self) -> dict[int, int]:
        """Number of lead changes to how many playouts had so many."""
        values, counts = np.unique([curve.lead_changes for curve in self.curves], return_counts=True)
        return {int(value): int(count) for value, count in zip(values, counts, strict=True)}

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
            "change_counts": {str(changes): count for changes, count in self.change_counts.items()},
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
            "elapsed_s": self.elapsed_s,
        }


def _mean(numbers: Sequence[int], unit: str, least: int) -> Estimate:
    """The mean of numbers that are `least` at least, and so is the mean's interval."""
    found = estimate_mean(sum(numbers), sum(x * x for x in numbers), len(numbers), unit)
    if not found.low < found.high < math.inf:
        return replace(found, low=-math.inf, high=math.inf)
    return replace(found, low=max(found.low, least))


def _share(marks: Sequence[bool]) -> Estimate:
    return estimate_share(sum(marks), len(marks), "share")


def plan_drama(
    game: str,
    *,
    players: int = 4,
    games: int = GAMES,
    rollouts: int = ROLLOUTS,
    strategies: Sequence[str] = (),
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> DramaPlan:
    """Make the question, so that what is impossible is found before anything is played.

    Args:
        game: name of the game.
        players: how many sit at the table.
        games: playouts to watch.
        rollouts: nested playouts before each turn.
        strategies: who plays; none means the game's default.
        rules: dotted key to value, for what differs from the rules as shipped.
        seed: key of all random draws.

    Raises:
        UserError: something of it does not exist or is not possible, or nobody is there to play against.
    """
    experiment = make_experiment(game, players=players, strategies=strategies, rules=rules, seed=seed)
    if players == 1 and not experiment.game.cooperative:
        message = f"Alone nobody is ahead or behind; watch {experiment.game.title} with two players or more."
        raise UserError(message)
    return DramaPlan(experiment, games, rollouts, tuple(strategies))


Progress = Callable[[int, Any], None]
"""Called now and then with the playouts watched so far."""


def drama(game: str, *, workers: Workers = None, progress: Progress | None = None, **question: Any) -> Drama:
    """Plan and play a study of drama.

    Args:
        game: name of the game.
        workers: who plays; it does not change the result.
        progress: called now and then.
        **question: what else `plan_drama` takes: players, games, rollouts, strategies, rules, seed.

    Raises:
        UserError: something of it does not exist or cannot be played.

    >>> found = drama("pig", players=2, games=8, rollouts=20)
    >>> found.estimates["lead_changes"].n, found.dramatic.rollouts
    (8, 160)
    """
    return play_drama(plan_drama(game, **question), workers=workers, progress=progress)


def play_drama(plan: DramaPlan, *, workers: Workers = None, progress: Progress | None = None) -> Drama:
    """Watch the playouts of a plan. Ctrl-C keeps what is done.

    Args:
        plan: what to watch.
        workers: who plays; it does not change the result.
        progress: called now and then.

    Raises:
        UserError: a strategy is refused or broke its contract.
        KeyboardInterrupt: interrupted before the first playouts were watched.
    """
    start = time.perf_counter()
    if progress is not None:
        progress(0, None)
    told = None if progress is None else lambda done: progress(done, done)
    watched = watch_playouts(plan.experiment, plan.games, plan.rollouts, workers=workers, progress=told)
    curves = tuple(curve_of(plan.experiment, one, plan.rollouts) for one in watched)
    dramatic = max(curves, key=_how_dramatic)
    interrupted = len(curves) < plan.games
    try:
        dramatic = _most_dramatic(plan, [watched[place] for place in _candidates(curves)], workers)
    except KeyboardInterrupt:
        interrupted = True
    return Drama(plan, curves, dramatic, time.perf_counter() - start, interrupted)


def curve_of(experiment: Experiment, watched: Watched, rollouts: int) -> Curve:
    """The curve of a watched playout. Where all win or lose together, the sides are the players and the game."""
    names = [m.name for m in experiment.metrics]
    row = dict(zip(names, watched.row.tolist(), strict=True))
    if experiment.game.cooperative:
        together = watched.hopes[:, :1]
        winner = 0 if row["players_win"] else None if row["unfinished"] else 1
        return Curve(watched.playout, np.hstack([together, 1 - together]), rollouts, winner)
    winners = [seat for seat in range(experiment.players) if row[f"wins.{seat}"]]
    return Curve(watched.playout, watched.hopes, rollouts, winners[0] if winners else None)


def _how_dramatic(curve: Curve) -> tuple[int, float]:
    return (curve.lead_changes, -curve.lowest.best) if curve.winner is not None else (-1, 0.0)


def _candidates(curves: Sequence[Curve]) -> list[int]:
    """Places of the most dramatic curves, the most dramatic first."""
    return sorted(range(len(curves)), key=lambda place: _how_dramatic(curves[place]), reverse=True)[:CANDIDATES]


def _most_dramatic(plan: DramaPlan, candidates: Sequence[Watched], workers: Workers) -> Curve:
    """Of some playouts the one that still is the most dramatic with more nested playouts, by yet others than chose it."""
    closer, closest = CLOSER * plan.rollouts, 2 * CLOSER * plan.rollouts
    again = _looked_at_again(plan, candidates, plan.rollouts, closer, workers)
    chosen = max(again, key=lambda one: _how_dramatic(curve_of(plan.experiment, one[1], closer - plan.rollouts)))
    ((_, fresh),) = _looked_at_again(plan, [chosen[0]], closer, closest, workers)
    return curve_of(plan.experiment, fresh, closest - closer)


def _looked_at_again(
    plan: DramaPlan, watched: Sequence[Watched], before: int, rollouts: int, workers: Workers
) -> list[tuple[Watched, Watched]]:
    """Playouts by more nested playouts: by all of them, and by those alone that are new.

    Nested playouts are addressed by their number, so the first ones are those from before.

    Args:
        plan: what is watched.
        watched: the playouts, by `before` nested ones.
        before: how many those were.
        rollouts: how many there shall be.
        workers: who plays.
    """
    job = Job(WatchWorker, (plan.experiment,), (rollouts,))
    parts = executor_for(job, len(watched), workers).play([Batch(one.playout, 1) for one in watched])
    try:
        more = [one for _, (one,) in parts]
    finally:
        parts.close()
    fresh = [
        np.clip((rollouts * now.hopes - before * then.hopes) / (rollouts - before), 0, 1) for now, then in zip(more, watched, strict=True)
    ]
    return [(now, Watched(now.playout, hopes, now.row)) for now, hopes in zip(more, fresh, strict=True)]
