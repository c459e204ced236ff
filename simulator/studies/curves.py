"""Curves: how everybody's chance of winning moved in one playout, and what is counted on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.play.collect import collect
from simulator.play.executors import Job
from simulator.play.experiment import Batch
from simulator.play.nested import Watched, WatchWorker
from simulator.stats.estimate import Estimate, estimate_share
from simulator.stats.extrapolation import SAMPLES

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment

Matrix = np.ndarray[Any, np.dtype[np.float64]]

LEAD = 0.2
"""The lead passes to whose chance is so much higher than the leader's: with two sides, at 60 to 40."""

LOW = (0.10, 0.25)
"""Chances below which a winner had little hope."""

DECIDED = 0.9
"""A chance from which on a playout counts as decided, if the winner's does not fall below it any more."""

POINTS = 21
"""Points of a playout at which its curve is kept, from the first turn to the end."""

_ROUNDING = 1e-9
"""So close to a mark a chance is on it: 0.6 - 0.4 is less than 0.2 in floating point."""


@dataclass(frozen=True)
class Curve:
    """How the chances moved in one playout.

    Attributes:
        playout: its number.
        chances: float64, shape (turns, sides): line t is before turn t + 1.
        rollouts: nested playouts behind each line.
        winner: the side that won; None where none did.
        samples: the curve by each of SAMPLES of its nested playouts; none where the chances are exact.
        lowest_at: the line at which the winner's chance is lowest by nested playouts that are not these; None means by these.
    """

    playout: int
    chances: Matrix
    rollouts: int
    winner: int | None
    samples: tuple[Curve, ...] = ()
    lowest_at: int | None = None

    @property
    def turns(self) -> int:
        """How many turns it took."""
        return len(self.chances)

    @cached_property
    def leaders(self) -> list[int | None]:
        """Who is in the lead before each turn; None before anybody is.

        The first lead is taken from whoever comes second, each later one from the leader.
        """
        results: list[int | None] = []
        leader: int | None = None
        for chances in self.chances.tolist():
            first = max(range(len(chances)), key=chances.__getitem__)
            rival = max(chances[:first] + chances[first + 1 :]) if leader is None else chances[leader]
            if chances[first] - rival >= LEAD - _ROUNDING:
                leader = first
            results.append(leader)
        return results

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
        chance = self.of_winner.min() if self.lowest_at is None else self.of_winner[self.lowest_at]
        return estimate_share(round(float(chance) * self.rollouts), self.rollouts)

    def was_below(self, mark: float, first: int = 0) -> bool:
        """Whether the winner's chance was below a mark before any turn from `first` on, counted from 0."""
        return bool((self.of_winner[first:] < mark - _ROUNDING).any())

    @property
    def decided_early(self) -> bool:
        """Whether the winner's chance never was below DECIDED in the second half of the turns; of a single turn, before it."""
        return not self.was_below(DECIDED, min(-(-self.turns // 2), self.turns - 1))

    @property
    def course(self) -> Matrix:
        """The winner's chance at POINTS points from the first turn to the end, where it is 1."""
        places = np.linspace(0, self.turns, POINTS).astype(int)
        return np.asarray(np.append(self.of_winner, 1.0)[places])

    def counted(self, what: Callable[[Curve], float]) -> list[float]:
        """What is counted on it, by each of SAMPLES."""
        return [float(what(sample)) for sample in self.samples or (self,) * len(SAMPLES)]


def curve_of(experiment: Experiment, watched: Watched) -> Curve:
    """The curve of a watched playout. Where all win or lose together, the sides are the players and the game."""
    names = [m.name for m in experiment.metrics]
    row = dict(zip(names, watched.row.tolist(), strict=True))
    if experiment.game.cooperative:
        winner = 0 if row["players_win"] else None if row["unfinished"] else 1
    else:
        winner = next((seat for seat in range(experiment.players) if row[f"wins.{seat}"]), None)
    dice = np.random.default_rng((experiment.seed, watched.playout))
    samples = []
    for blocks in SAMPLES:
        rollouts = watched.played(blocks)
        chances = _sides(experiment, watched.hopes(blocks))
        samples.append(Curve(watched.playout, _off_the_steps(chances, rollouts, dice), rollouts, winner))
    return Curve(watched.playout, _sides(experiment, watched.hopes()), watched.rollouts, winner, tuple(samples))


def _sides(experiment: Experiment, hopes: Matrix) -> Matrix:
    return np.hstack([hopes[:, :1], 1 - hopes[:, :1]]) if experiment.game.cooperative else hopes


def _off_the_steps(chances: Matrix, rollouts: int, dice: np.random.Generator) -> Matrix:
    """Shares of some playouts, each moved at random within the step by which such shares differ.

    So a mark that happens to be a possible share, with some numbers of playouts and not with others, is a mark like any other.
    """
    by = np.asarray((dice.random(chances.shape) - 0.5) / rollouts)
    if chances.shape[1] == 2:  # noqa: PLR2004  two sides: what one gains the other loses
        by[:, 1] = -by[:, 0]
    return np.asarray(chances + by)


def chosen_by(curve: Curve, other: Curve) -> Curve:
    """A curve whose lowest turn is that of another curve of the same playout."""
    return curve if other.winner is None else replace(curve, lowest_at=int(other.of_winner.argmin()))


# ---------------------------------------------------------------- the most dramatic of them

CANDIDATES, CLOSER = 4, 8
"""How many of the most dramatic playouts are looked at again, and with how many times more nested playouts."""


def how_dramatic(curve: Curve) -> tuple[int, float]:
    """For an order: the lead changes and, among equals, how low the winner's chance was."""
    return (curve.lead_changes, -curve.lowest.best) if curve.winner is not None else (-1, 0.0)


def most_dramatic(experiment: Experiment, rollouts: int, watched: Sequence[Watched], curves: Sequence[Curve], **how: Any) -> Curve:
    """Of some playouts the one that still is the most dramatic with more nested playouts, by yet others than chose it.

    Args:
        experiment: what was played.
        rollouts: nested playouts before each turn, of those that were watched.
        watched: the playouts, and `curves` theirs, in the same order.
        curves: see there.
        **how: as for `collect`.

    Raises:
        KeyboardInterrupt: interrupted.
    """
    first = sorted(range(len(curves)), key=lambda place: how_dramatic(curves[place]), reverse=True)[:CANDIDATES]
    candidates = [watched[place] for place in first]
    again = _looked_at_again(experiment, candidates, CLOSER * rollouts, **how)
    fresh = [curve_of(experiment, _without(now, then)) for now, then in zip(again, candidates, strict=True)]
    place = max(range(len(fresh)), key=lambda place: how_dramatic(fresh[place]))
    (closest,) = _looked_at_again(experiment, [again[place]], 2 * CLOSER * rollouts, **how)
    return chosen_by(curve_of(experiment, _without(closest, again[place])), curve_of(experiment, again[place]))


def _looked_at_again(experiment: Experiment, watched: Sequence[Watched], rollouts: int, **how: Any) -> list[Watched]:
    """The same playouts by more nested playouts; those are addressed by their number, so the first ones are those from before."""
    job = Job(WatchWorker, (experiment,), (rollouts,))
    collected = collect(job, [Batch(one.playout, 1) for one in watched], **how)
    if collected.interrupted:
        raise KeyboardInterrupt
    return list(collected.part)


def _without(now: Watched, then: Watched) -> Watched:
    """A playout by those nested playouts alone that are new."""
    return replace(now, sums=now.sums - then.sums, rollouts=now.rollouts - then.rollouts)
