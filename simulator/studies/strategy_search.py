"""The search for better values of a strategy's parameters.

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.stats.estimate import CONFIDENCE
from simulator.studies.pairs import TOGETHER, play_pairs
from simulator.studies.race import knock_out, rounds_of_halving
from simulator.studies.search import FRESH, seed_for
from simulator.studies.strategy_axes import Values, every_value, is_whole, nearest_value

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.resources import Resources
    from simulator.stats.paired import Difference
    from simulator.studies.pairs import PairedRun
    from simulator.studies.tune_strategy import TuneStrategyPlan

SIGMA = 0.15
"""The evolution strategy's first step, as a share of each range: wide enough to leave the values as they are, and to come back."""

LATE = 12
"""Generations, the last ones, whose centres enter the knock-out."""

SHARE_OF_GAMES = 16
"""A candidate in the search gets this part of the playouts of the final measurement."""


@dataclass(frozen=True)
class Gained:
    """What candidates gained over the strategy as it is, at one table.

    Attributes:
        players: how many sat there.
        metric: what was counted: wins.
        run: the strategy as it is, then the candidates.
    """

    players: int
    metric: Metric
    run: PairedRun

    def difference(self, confidence: float = CONFIDENCE) -> Difference:
        """Of the first candidate."""
        return self.run.part.pairs[0].difference(self.metric, confidence, identical=self.run.identical(0))

    def gain(self, candidate: int) -> float:
        """By how much more often the candidate in this place won."""
        return self.run.part.pairs[candidate][self.metric.name].difference / self.run.part.games


class Search:
    """A search under way.

    Attributes:
        number: how many times candidates were played, each time on playouts of their own.
        playouts: all so far, those of the strategy as it is not counted.
        digests: hashes of all that was counted so far.
        tried: candidates so far.
        leader: the best that can be told now; None before any were played.
    """

    def __init__(self, plan: TuneStrategyPlan, resources: Resources) -> None:
        """Begin with nothing."""
        self.plan, self.resources = plan, resources
        self.number = FRESH
        self.playouts = 0
        self.digests: list[str] = []
        self.tried: set[Values] = set()
        self.leader: Values | None = None

    def pick(self) -> tuple[Values, float]:
        """Search, and let the best play a knock-out: its winner, and what that gained."""
        plan = self.plan
        games = max(1, plan.games // SHARE_OF_GAMES)
        contenders = every_value(plan.axes)
        if contenders is None:
            with self.resources.in_turn("Search", plan.trials * plan.playouts(games)) as self.how:
                contenders = evolve(self, games)

        def means(left: Sequence[Values], each: int) -> list[float]:
            if len(left) < len(contenders):
                self.leader = left[0]
            return self.gains(left, each)

        playouts = sum(arms * plan.playouts(each) for arms, each in rounds_of_halving(len(contenders), games))
        with self.resources.in_turn("Knock-out", playouts) as self.how:
            return knock_out(contenders, games, means)

    def measure(self, values: Values) -> list[Gained]:
        """What values gain at every table, on playouts that nobody has seen."""
        with self.resources.in_turn("Fresh playouts", self.plan.playouts(self.plan.games)) as self.how:
            tables = list(self._tables([values], self.plan.games, FRESH))
        self.digests += [table.run.part.digest for table in tables]
        return tables

    def gains(self, candidates: Sequence[Values], games: int) -> list[float]:
        """What each candidate gains over the strategy as it is, on average over all numbers of players, on new playouts.

        Raises:
            KeyboardInterrupt: interrupted; what was played of this stage is dropped.
        """
        self.number += 1
        groups = [candidates[first : first + TOGETHER] for first in range(0, len(candidates), TOGETHER)]
        gains = [gain for group in groups for gain in self._together(group, games)]
        self.tried.update(candidates)
        return gains

    def _together(self, candidates: Sequence[Values], games: int) -> list[float]:
        totals = [0.0] * len(candidates)
        for table in self._tables(candidates, games, self.number):
            weight = 1 / (len(self.plan.seats(table.players)) * len(self.plan.setup.players))
            totals = [total + weight * table.gain(place) for place, total in enumerate(totals)]
            self.playouts += len(candidates) * table.run.part.games
            self.digests.append(table.run.part.digest)
        return totals

    def _tables(self, candidates: Sequence[Values], games: int, stage: int) -> Iterator[Gained]:
        """Every table as it is and with each candidate, on the same playouts; each table, and each stage, on others.

        Raises:
            KeyboardInterrupt: interrupted; a part of the playouts is dropped.
        """
        for table in self.plan.tables:
            players, seat = table
            seed = seed_for(self.plan.setup.seed, stage, players, seat or 0)
            experiments = [self.plan.experiment(table, values, seed) for values in (self.plan.start, *candidates)]
            # what is measured in the end is rehearsed itself
            run = play_pairs(experiments, self.plan.share(players, games), rehearsed=stage != FRESH, **self.how(len(candidates)))
            if run.interrupted:
                raise KeyboardInterrupt
            name = "players_win" if seat is None else f"wins.{seat}"
            yield Gained(players, next(m for m in experiments[0].metrics if m.name == name), run)


def evolve(search: Search, games: int) -> list[Values]:
    """Centres of the late generations of an evolution strategy that starts from the values as they are.

    Args:
        search: under way.
        games: playouts of each candidate, for each number of players.

    Source: Hamano, Saito, Nomura and Shirakawa, "CMA-ES with margin: lower-bounding marginal probability for mixed-integer
    black-box optimization", GECCO 2022; Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772.
    """
    from cmaes import CMAwM  # noqa: PLC0415  only where there is much to search

    plan = search.plan
    low, high = (np.array(side) for side in zip(*(axis.ends for axis in plan.axes), strict=True))
    width = high - low

    def values_at(place: Any) -> Values:
        return tuple((axis.key, nearest_value(axis, float(x))) for axis, x in zip(plan.axes, low + width * place, strict=True))

    steps = np.where(list(map(is_whole, plan.axes)), 1 / width, 0.0)
    start = np.clip((np.array([value for _, value in plan.start]) - low) / width, 0, 1)
    bounds = np.tile([0.0, 1.0], (len(steps), 1))
    optimizer = CMAwM(start, SIGMA, bounds, steps, seed=seed_for(plan.setup.seed, FRESH) % 2**32)
    centres: list[Values] = []
    for _ in range(max(1, plan.trials // optimizer.population_size)):
        asked = [optimizer.ask() for _ in range(optimizer.population_size)]
        gains = search.gains([values_at(place) for place, _ in asked], games)
        optimizer.tell([(sentence, -gain) for (_, sentence), gain in zip(asked, gains, strict=True)])
        search.leader = values_at(optimizer.mean)
        centres.append(search.leader)
    return list(dict.fromkeys(centres[-LATE:]))
