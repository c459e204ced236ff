"""`drama`: how the chance of winning moves during a playout.

Before every turn of some playouts, nested playouts from the position estimate everybody's chance to win. From these curves
come the changes of the lead, how long the winner was behind, how far down it was, and how early it was decided. An estimated
chance is off by chance, and crosses marks that the chance itself does not; `simulator.stats.extrapolation` takes that off.
"""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.errors import UserError
from simulator.play.collect import Progress, collect
from simulator.play.executors import Job
from simulator.play.experiment import Batch
from simulator.play.nested import Watched, WatchWorker, watch_playouts
from simulator.play.run import make_experiment
from simulator.rules import constants, to_text
from simulator.stats.digests import array_digest
from simulator.stats.extrapolation import extrapolated_mean
from simulator.studies.curves import LOW, POINTS, Curve, chosen_by, curve_of

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.executors import Workers
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.stats.estimate import Estimate

GAMES, ROLLOUTS = 1_000, 400
"""Playouts to watch, and nested ones before each turn: so many of the latter that what the extrapolation leaves is small beside
the error that comes from watching so few. As it falls with the third power of the nested playouts, these need to grow with
the sixth root of the others only (Gordy and Juneja, Management Science 56(10), 2010, section 4)."""

MOST_CHANGES = 4
"""Lead changes from this number on are counted together."""

CANDIDATES, CLOSER = 4, 8
"""How many of the most dramatic playouts are looked at again, and with how many times more nested playouts."""

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
        words = ["simulate", "replay", self.experiment.game.called, "--game", str(playout), "--players", str(self.players)]
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
        found = {"lead_changes": _estimate(self.curves, lambda c: c.lead_changes, "changes")}
        if not self.won:
            return found
        found["led_throughout"] = _estimate(self.won, lambda c: c.behind_until == 0)
        found["never_behind_from"] = _estimate(self.won, lambda c: c.behind_until + 1, "turns", 1)
        for mark in LOW:
            found[f"below.{100 * mark:.0f}"] = _estimate(self.won, partial(Curve.was_below, mark=mark))
        return found | {"decided_early": _estimate(self.won, lambda c: c.decided_early)}

    @cached_property
    def changes(self) -> dict[str, Estimate]:
        """How many of the playouts had no lead change, one, and so on, and MOST_CHANGES or more; extrapolated as well."""
        found = {f"{k}": _estimate(self.curves, partial(_has_changes, number=k)) for k in range(MOST_CHANGES)}
        return found | {f"{MOST_CHANGES} or more": _estimate(self.curves, lambda c: c.lead_changes >= MOST_CHANGES)}

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


def plan_drama(
    game: str | Game,
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


def drama(
    game: str | Game, *, workers: Workers = None, ledger: Ledger | None = None, progress: Progress | None = None, **question: Any
) -> Drama:
    """Plan and play a study of drama.

    Args:
        game: name of the game.
        workers: who plays; it does not change the result.
        ledger: where what was played is remembered; what it holds is not played again.
        progress: called now and then.
        **question: what else `plan_drama` takes: players, games, rollouts, strategies, rules, seed.

    Raises:
        UserError: something of it does not exist or cannot be played.

    >>> found = drama("pig", players=2, games=8, rollouts=20)
    >>> found.estimates["lead_changes"].n, found.dramatic.rollouts
    (8, 160)
    """
    return play_drama(plan_drama(game, **question), workers=workers, ledger=ledger, progress=progress)


def play_drama(plan: DramaPlan, *, workers: Workers = None, ledger: Ledger | None = None, progress: Progress | None = None) -> Drama:
    """Watch the playouts of a plan. Ctrl-C keeps what is done.

    Args:
        plan: what to watch.
        workers: who plays; it does not change the result.
        ledger: where what was played is remembered; what it holds is not played again.
        progress: called now and then.

    Raises:
        UserError: a strategy is refused or broke its contract.
        KeyboardInterrupt: interrupted before the first playouts were watched.
    """
    start = time.perf_counter()
    watched = watch_playouts(plan.experiment, plan.games, plan.rollouts, workers=workers, ledger=ledger, progress=progress)
    curves = tuple(curve_of(plan.experiment, one) for one in watched)
    dramatic = max(curves, key=_how_dramatic)
    interrupted = len(curves) < plan.games
    try:
        dramatic = _most_dramatic(plan, [watched[place] for place in _candidates(curves)], workers=workers, ledger=ledger)
    except KeyboardInterrupt:
        interrupted = True
    return Drama(
        plan, curves, dramatic, time.perf_counter() - start, interrupted, array_digest(x for one in watched for x in (one.sums, one.row))
    )


def _how_dramatic(curve: Curve) -> tuple[int, float]:
    return (curve.lead_changes, -curve.lowest.best) if curve.winner is not None else (-1, 0.0)


def _candidates(curves: Sequence[Curve]) -> list[int]:
    """Places of the most dramatic curves, the most dramatic first."""
    return sorted(range(len(curves)), key=lambda place: _how_dramatic(curves[place]), reverse=True)[:CANDIDATES]


def _most_dramatic(plan: DramaPlan, candidates: Sequence[Watched], **how: Any) -> Curve:
    """Of some playouts the one that still is the most dramatic with more nested playouts, by yet others than chose it."""
    again = _looked_at_again(plan, candidates, CLOSER * plan.rollouts, **how)
    fresh = [curve_of(plan.experiment, _without(now, then)) for now, then in zip(again, candidates, strict=True)]
    place = max(range(len(fresh)), key=lambda place: _how_dramatic(fresh[place]))
    (closest,) = _looked_at_again(plan, [again[place]], 2 * CLOSER * plan.rollouts, **how)
    return chosen_by(curve_of(plan.experiment, _without(closest, again[place])), curve_of(plan.experiment, again[place]))


def _looked_at_again(plan: DramaPlan, watched: Sequence[Watched], rollouts: int, **how: Any) -> list[Watched]:
    """The same playouts by more nested playouts; those are addressed by their number, so the first ones are those from before."""
    job = Job(WatchWorker, (plan.experiment,), (rollouts,))
    found = collect(job, [Batch(one.playout, 1) for one in watched], **how)
    if found.interrupted:
        raise KeyboardInterrupt
    return list(found.part)


def _without(now: Watched, then: Watched) -> Watched:
    """A playout by those nested playouts alone that are new."""
    return replace(now, sums=now.sums - then.sums, rollouts=now.rollouts - then.rollouts)
