"""Ratings: one number for the strength of each strategy, from how often each beat each.

The model is Bradley and Terry's, and where more than two sit at a table Plackett and Luce's for who comes first: a seat
wins with a chance in proportion to the worth of its strategy. A rating is the logarithm of that worth in Elo points, 400
of which make it ten times as large.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_share, simultaneous

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[np.float64]]

ELO = 400 / math.log(10)
"""Points of a rating by which the worth is e times as large."""

UNIT = "Elo points"

_FARTHEST = 100.0
"""Logarithm of a worth that no number of playouts can tell from any larger one."""

_SETTLED, _FARTHEST_STEP = 1e-11, 2.0
"""A step after which the fit is done, and the longest that is taken at once, as from afar Newton's method may run away."""


@dataclass(frozen=True)
class Contest:
    """What became of two strategies that met.

    Attributes:
        first, second: which strategies.
        rivals: how many of the other sat at a table where one of the two sat alone.
        first_record: games that the first won and lost where it sat alone.
        second_record: the same for the second; None where only two sit at a table, for that is the first's told from the
            other side.
        variance: of the first's wins less the second's where they sat alone; with two at a table, of the first's wins.
    """

    first: int
    second: int
    rivals: int
    first_record: tuple[int, int]
    second_record: tuple[int, int] | None
    variance: float

    def rows(self) -> list[tuple[int, int, int, int]]:
        """For each record: who sat alone, among whom, games won, games lost."""
        results = [(self.first, self.second, *self.first_record)]
        return results if self.second_record is None else [*results, (self.second, self.first, *self.second_record)]


@dataclass(frozen=True)
class Misfit:
    """Where the ratings reproduce what was seen the worst.

    Attributes:
        strategy, rival: which two.
        seen: share of the games that somebody won, alone among the other, with an interval that holds for all records at once.
        expected: what the ratings say it should be.
    """

    strategy: int
    rival: int
    seen: Estimate
    expected: float

    @property
    def gap(self) -> float:
        """How far what was seen is from what the ratings say."""
        return abs(self.seen.best - self.expected)

    @property
    def is_more_than_luck(self) -> bool:
        """Whether that is more than luck makes, among as many records."""
        return not self.seen.low <= self.expected <= self.seen.high


@dataclass(frozen=True)
class Ratings:
    """The ratings of all strategies.

    Attributes:
        values: a rating for each, in Elo points. An end that no number of wins gives is infinite: a strategy that never won
            against those it is measured by has no lower end; where no game with them had a winner, there is neither end.
        zero: the strategy whose rating is 0 by definition; None where the mean is 0.
        misfit: where they reproduce what was seen the worst; None where nothing was fitted.
    """

    values: tuple[Estimate, ...]
    zero: int | None
    misfit: Misfit | None


def rate(strategies: int, contests: Sequence[Contest], zero: int | None = None) -> Ratings:
    """Rate strategies by what became of them.

    Those who beat each other, directly or by way of others, are fitted by a logistic regression with Firth's penalty: maximum
    likelihood alone puts ratings too far apart, the more so the fewer games there are. The intervals take the variance from
    the games as they were played and not from the model, so that they hold for the best fitting ratings also where no
    ratings fit well. Who never won against any of the others, or never lost, has no finite rating: the best is then the one
    at which that had a chance of one half, and the end of the interval the one at which it had 2.5 percent.

    Args:
        strategies: how many there are.
        contests: at least one for every two of them.
        zero: the strategy to rate 0; without one the mean is 0.

    Source: Bradley and Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952; Luce, "Individual choice
    behavior", 1959; Firth, "Bias reduction of maximum likelihood estimates", Biometrika 80, 1993; White, "Maximum likelihood
    estimation of misspecified models", Econometrica 50, 1982.
    """
    members = _comparable(strategies, contests, zero)
    inside = [c for c in contests if c.first in members and c.second in members]
    worth, covariance = _fitted(members, inside, zero)
    played = [sum(won + lost for c in contests for a, b, won, lost in c.rows() if s in (a, b)) for s in range(strategies)]
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    results = {}
    for place, s in enumerate(members):
        error = half * math.sqrt(max(covariance[place, place], 0.0))
        best = float(worth[place])
        results[s] = Estimate(ELO * best, ELO * (best - error), ELO * (best + error), played[s], UNIT)
    known = dict(zip(members, (float(w) for w in worth), strict=True))
    for s in set(range(strategies)) - set(members):
        results[s] = _one_sided(s, contests, known, played[s])
    return Ratings(tuple(results[s] for s in range(strategies)), zero, _misfit(inside, known))


def _comparable(strategies: int, contests: Sequence[Contest], zero: int | None) -> list[int]:
    """The strategies whose distances are finite: that of `zero`, or the most, who won against each other by some way round."""
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  importing SciPy takes a while

    won = np.zeros((strategies, strategies))
    for contest in contests:
        for alone, rival, wins, losses in contest.rows():
            won[alone, rival] += wins
            won[rival, alone] += losses
    _, component = connected_components(won, connection="strong")
    chosen = component[zero] if zero is not None else np.argmax(np.bincount(component))
    return [int(s) for s in np.flatnonzero(component == chosen)]


def _fitted(members: Sequence[int], contests: Sequence[Contest], zero: int | None) -> tuple[Array, Array]:
    """Logarithms of the worths, and their covariance; that of `zero`, or the mean, is 0."""
    if len(members) == 1:
        return np.zeros(1), np.zeros((1, 1))
    rows = [row for c in contests for row in c.rows()]
    design = np.array([_direction(members, alone, rival) for alone, rival, _, _ in rows])[:, 1:]  # the first is 0 for now
    model = _regression(design, np.array([row[2:] for row in rows]), contests)
    spread = sum(c.variance * np.outer(d, d) for c in contests for d in [_direction(members, c.first, c.second)[1:]])
    inverse = np.linalg.inv(model[1])
    worth = np.concatenate([[0.0], model[0]])
    covariance = np.pad(inverse @ spread @ inverse, ((1, 0), (1, 0)))
    shift = np.eye(len(members))
    if zero is None:
        shift -= 1 / len(members)
    else:
        shift[:, list(members).index(zero)] -= 1
    return shift @ worth, shift @ covariance @ shift.T


def _direction(members: Sequence[int], alone: int, rival: int) -> Array:
    result = np.zeros(len(members))
    result[list(members).index(alone)], result[list(members).index(rival)] = 1.0, -1.0
    return result


def _regression(design: Array, counts: Array, contests: Sequence[Contest]) -> tuple[Array, Array]:
    """Coefficients of a logistic regression by Firth's penalised likelihood, and their Fisher information; by Newton's method.

    One among k rivals wins with the odds worth / (k * rival's worth), so that -log(k) is added to what is fitted. The penalty
    is as if each record had as many games more as its leverage says, half of them won.
    """
    offset = np.array([-math.log(c.rivals) for c in contests for _ in c.rows()])
    won, games = counts[:, 0], counts.sum(axis=1)
    worth, step = np.zeros(design.shape[1]), np.ones(1)
    while np.abs(step).max() > _SETTLED:
        expected = 1 / (1 + np.exp(-(design @ worth + offset)))
        weights = games * expected * (1 - expected)
        information = design.T @ (weights[:, None] * design)
        leverage = weights * ((design @ np.linalg.inv(information)) * design).sum(axis=1)
        step = np.linalg.solve(information, design.T @ (won - games * expected + leverage * (0.5 - expected)))
        worth = worth + np.clip(step, -_FARTHEST_STEP, _FARTHEST_STEP)
    return worth, information


def chance(worth: float, rival: float, rivals: int) -> float:
    """The chance that one among `rivals` others wins, given the logarithms of the worths.

    >>> chance(0.0, 0.0, 3)
    0.25
    """
    return 1 / (1 + rivals * math.exp(min(rival - worth, 700.0)))


def _misfit(contests: Sequence[Contest], worth: dict[int, float]) -> Misfit | None:
    """The record that the ratings reproduce the worst; one that is more than luck, if there is any."""
    records = [(c.rivals, *row) for c in contests for row in c.rows() if row[2] + row[3]]
    confidence = simultaneous(max(1, len(records)))
    results = [
        Misfit(alone, rival, estimate_share(won, won + lost, confidence=confidence), chance(worth[alone], worth[rival], rivals))
        for rivals, alone, rival, won, lost in records
    ]
    return max(results, key=lambda m: (m.is_more_than_luck, m.gap), default=None)


def _one_sided(strategy: int, contests: Sequence[Contest], worth: dict[int, float], played: int) -> Estimate:
    """The rating of one who lost, or won, every game against those of known worth; without ends if nobody won any."""
    met = [(c.rivals, *row) for c in contests for row in c.rows() if {row[0], row[1]} - {strategy} <= worth.keys() and strategy in row[:2]]
    never_won = not any((won if alone == strategy else lost) for _, alone, _, won, lost in met)
    if not any(won + lost for *_, won, lost in met):
        return Estimate(0.0, -math.inf, math.inf, played, UNIT)
    best, end = (ELO * _worth_at(strategy, met, worth, level) for level in (0.5, (1 - CONFIDENCE) / 2))
    return Estimate(best, -math.inf, end, played, UNIT) if never_won else Estimate(best, end, math.inf, played, UNIT)


def _worth_at(strategy: int, met: Sequence[tuple[int, int, int, int, int]], worth: dict[int, float], level: float) -> float:
    """The logarithm of the worth at which a clean record has the chance `level`.

    Half of the games count: two tables share their draws, and may for that reason go the same way.
    """
    from scipy.optimize import brentq  # noqa: PLC0415  importing SciPy takes a while

    def excess(own: float) -> float:
        total = 0.0
        for rivals, alone, rival, won, lost in met:
            sides = (own, worth[rival]) if alone == strategy else (worth[alone], own)
            p = chance(*sides, rivals)
            total += (won * math.log(max(p, 1e-300)) if won else 0.0) + (lost * math.log1p(-min(p, 1 - 1e-16)) if lost else 0.0)
        return total / 2 - math.log(level)

    return float(brentq(excess, -_FARTHEST, _FARTHEST))


# ---------------------------------------------------------------- order
def cycles(strategies: int, beats: Collection[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Rounds of strategies each of which beats the next, and the last the first.

    All rounds of three. Where some order is undecided there may be longer rounds that hold none of three; of such a knot
    the shortest round is given.

    Args:
        strategies: how many there are.
        beats: pairs (winner, loser).

    >>> cycles(4, {(0, 1), (1, 2), (2, 0), (0, 3)})
    ((0, 1, 2),)
    """
    trios = [t for t in permutations(range(strategies), 3) if t[0] == min(t) and {(t[0], t[1]), (t[1], t[2]), (t[2], t[0])} <= set(beats)]
    return tuple(trios + [_shortest(knot, beats) for knot in _knots(strategies, beats) if not any(set(t) <= knot for t in trios)])


def _knots(strategies: int, beats: Collection[tuple[int, int]]) -> list[set[int]]:
    """Sets of several strategies each of which leads to each."""
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  importing SciPy takes a while

    graph = np.zeros((strategies, strategies))
    for winner, loser in beats:
        graph[winner, loser] = 1
    count, component = connected_components(graph, connection="strong")
    results = [{int(s) for s in np.flatnonzero(component == c)} for c in range(count)]
    return [knot for knot in results if len(knot) > 1]


def _shortest(knot: set[int], beats: Collection[tuple[int, int]]) -> tuple[int, ...]:
    """The shortest round within a knot, beginning with its lowest number."""
    rounds = [path for start in sorted(knot) if (path := _way_back(start, beats))]
    best = min(rounds, key=len)
    lowest = best.index(min(best))
    return (*best[lowest:], *best[:lowest])


def _way_back(start: int, beats: Collection[tuple[int, int]]) -> tuple[int, ...]:
    """The shortest round that begins at `start`; empty if there is none."""
    ways: list[tuple[int, ...]] = [(start,)]
    seen = {start}
    while ways:
        longer: list[tuple[int, ...]] = []
        for way in ways:
            for winner, loser in sorted(beats):
                if winner == way[-1] and loser == start:
                    return way
                if winner == way[-1] and loser not in seen:
                    seen.add(loser)
                    longer.append((*way, loser))
        ways = longer
    return ()
