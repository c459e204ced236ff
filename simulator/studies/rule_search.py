"""The search for rules that meet a target: which are tried, in which order, and what is measured again.

Few changes come first, so the search goes level by level: all rules that differ from those as they are in one constant, then
in two, and so on, and it ends with the level at which some are shown to meet every target. Values of rules are few and mostly
whole numbers, so a level is a finite list, and short levels are played whole: then 'no single change will do' is a finding
and no failure of a sampler. Of a long level the most promising part is played, by what its constants did alone: effects add
up on the scale of log odds for shares, and as they are for the rest. That is a guess, and used for nothing but the order.

Rules are told apart by a race; see `simulator.studies.race`. If none meets the targets in the end, those that look closest play
on until they have as many playouts, before they are put into an order.

What is proposed is then played on draws that had no part in it, and is said to meet the targets only if the intervals found
there lie within them. Nothing is ever reported that it was picked by. The values around a proposal are tested the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.document.language import plural
from simulator.errors import RulesError
from simulator.play.run import run_experiment
from simulator.stats.digests import joint_digest
from simulator.studies.axes import Axis, Setting, how_many, kind_of, settings_of
from simulator.studies.race import Race
from simulator.studies.search import FRESH
from simulator.studies.targets import judge
from simulator.studies.tuning import Level, Measured, Proposal, Region, Tuning

if TYPE_CHECKING:
    from simulator.play.resources import Resources
    from simulator.play.run import Result
    from simulator.rules import Value
    from simulator.stats.tally import Tally
    from simulator.studies.targets import Target
    from simulator.studies.tune import TunePlan

ROUNDS = (64, 8, 1)
"""The race's rounds: up to which part of the playouts each goes."""

FEWEST = (750, 1500, 3000)
"""Playouts up to which each round goes at the least: what is predicted or dropped after a handful goes by luck."""

SURE = 1 - 1e-4
"""Confidence at which the race drops rules; it looks as often as there are rounds, so a good one is lost once in thousands."""

KEPT = (48, 12)
"""Rules that enter the second and the third round at the most, the smallest changes of each kind first."""

MOST_PLAYED = 400
"""Rules of a level that are played at the most, where more than one constant is changed."""

MOST_RANKED = 1_000_000
"""A level of more rules than this cannot even be put into an order."""

MOST_PROPOSED = 4
MOST_CLOSEST = 3
MOST_OPEN = 48
"""Rules that the race left although they may meet the targets: so many are played to the end before none is said to."""

MOST_OTHERS = 3
"""Other rules that change the same constants and look good: so many are measured as well."""

FARTHEST = 10
"""Values on each side of a proposal that are tested."""


class Search:
    """A search under way: plays what the race asks for, and measures what it ends with."""

    def __init__(self, plan: TunePlan, resources: Resources) -> None:
        """Begin with nothing."""
        self.plan, self.resources = plan, resources
        self.digests: list[str] = []
        self.playouts = 0
        middle = (plan.players[0] + plan.players[-1]) / 2
        order = sorted(plan.players, key=lambda n: -abs(n - middle))  # the ends are the hardest to please at once
        totals = [max(least, plan.games // part) for least, part in zip(FEWEST, ROUNDS, strict=True)]
        self.race: Race[Setting] = Race(order, totals, KEPT, plan.misses, plan.changed, kind_of, self._heat)
        self.fresh: dict[Setting, Measured] = {}
        self.proposals: list[Proposal] = []
        self.levels: list[Level] = []

    def run(self) -> None:
        """The whole search."""
        if self.measure(()).meets == "yes":
            self.proposals.append(Proposal(self.measure(()), (0, 0.0)))
            return
        self._rounds([()], "The rules as they are", whole=True)
        for changes in range(1, self.plan.changes + 1):
            left = self._level(changes)
            for setting in self.race.picked(left)[:MOST_PROPOSED]:
                self.proposals.append(self._proposal(setting, left))  # one by one, for Ctrl-C keeps those that are done
            if any(p.meets == "yes" for p in self.proposals):
                return
        self._play_open()
        for setting in self._closest():
            if all(self.race.kind(p.setting) != self.race.kind(setting) for p in self.proposals):
                self.proposals.append(Proposal(self.measure(setting), self.plan.changed(setting)))

    def result(self, elapsed_s: float, *, interrupted: bool) -> Tuning:
        """What it comes to."""
        to_the_end = sum(map(self.race.finished, self.race.rounds))
        known = (s for s, tallies in self.race.tallies.items() if s and len(tallies) == len(self.plan.players))
        closest = min(known, key=lambda s: (self.race.misses(s).best, self.plan.changed(s)), default=None)
        return Tuning(
            self.plan,
            self.fresh[()],
            self.in_order(),
            tuple(self.levels),
            to_the_end,
            len(self.open()),
            self.playouts,
            elapsed_s,
            interrupted,
            joint_digest(self.digests),
            closest,
        )

    def in_order(self) -> tuple[Proposal, ...]:
        """Those that meet the targets first, then those that may; if there are none, those that miss, the closest in the search first."""
        kept = [p for p in self.proposals if p.meets != "no"]
        if not kept:
            return tuple(sorted(self.proposals, key=lambda p: (self.race.misses(p.setting)[1:], p.size)))
        return tuple(sorted(kept, key=lambda p: (p.meets == "open", p.measured.hidden, p.size)))

    def open(self) -> list[Setting]:
        """Rules that are not shown to miss and were not measured on fresh playouts, the likeliest first."""
        return [setting for setting in self.race.open() if setting and setting not in self.fresh]

    # ------------------------------------------------ playing

    def _play(self, setting: Setting, players: int, games: int, stage: int) -> Result:
        experiment = self.plan.experiment(setting, players, stage)
        result = run_experiment(experiment, games, **self.how(1))
        if result.interrupted:
            raise KeyboardInterrupt
        self.playouts += result.games
        self.digests.append(result.digest)
        return result

    def _heat(self, setting: Setting, players: int, games: int, number: int) -> Tally:
        """What the race asks for, each round on playouts of its own."""
        return self._play(setting, players, games, 1 + number).tally

    def measure(self, setting: Setting) -> Measured:
        """Rules on fresh playouts, once."""
        if setting not in self.fresh:
            plan = self.plan
            with self.resources.in_turn(f"Fresh playouts: {plan.text(setting)}", len(plan.players) * plan.games) as self.how:
                results = tuple(self._play(setting, n, plan.games, FRESH) for n in plan.players)
            self.fresh[setting] = Measured(setting, results, judge(plan.targets, [(r.experiment, r.tally) for r in results]))
        return self.fresh[setting]

    # ------------------------------------------------ the race

    def _level(self, changes: int) -> list[Setting]:
        """The rules of a level that may meet the targets or come nearest, after the race; put down what was looked at."""
        there_are = how_many(self.plan.axes, changes)
        settings = list(self._listed(changes, there_are))
        last = changes == self.plan.changes
        before = len(self.race.impossible)
        left = self._rounds(settings, f"{plural(changes, 'constant')} changed", whole=changes == 1 and not last)
        reasons = list(self.race.impossible.values())[before:]
        self.levels.append(Level(changes, there_are, len(settings), len(reasons), reasons[0] if reasons else ""))
        return left

    def _listed(self, changes: int, there_are: int) -> Iterable[Setting]:
        everything = settings_of(self.plan.axes, changes)
        if changes == 1 or there_are <= MOST_PLAYED:
            return everything
        miss = prediction(self.plan, self.race.tallies)
        return nsmallest(MOST_PLAYED, everything, key=lambda s: (miss(s), self.plan.changed(s)))

    def _rounds(self, settings: Sequence[Setting], name: str, *, whole: bool) -> list[Setting]:
        """Who is left after all rounds; with `whole`, everybody plays the first round with every number of players."""
        left = list(settings)
        for number in range(len(ROUNDS)):
            with self.resources.in_turn(f"{name}: {len(left)} to compare", len(left) * self.race.most_playouts(number)) as self.how:
                left = self.race.round(left, number, whole=whole and number == 0)
        return left

    def _play_on(self, setting: Setting) -> None:
        """Have a setting play its next round."""
        number = self.race.rounds.get(setting, -1) + 1
        playouts = len(self.race.players) * self.race.totals[number]
        with self.resources.in_turn(f"The closest: {self.plan.text(setting)}", playouts) as self.how:
            self.race.run(setting, number)

    def _play_open(self) -> None:
        """Play those to the end that the race left although they may meet the targets, and propose what still may."""
        for setting in self.open()[:MOST_OPEN]:
            while setting in self.race.tallies and not self.race.finished(setting) and self.race.misses(setting).low == 0:
                self._play_on(setting)
        for setting in self.open()[:MOST_PROPOSED]:
            self.proposals.append(self._proposal(setting, self.open()))

    def _closest(self) -> list[Setting]:
        """The nearest misses of different kinds: whoever looks nearest plays on, until those that do have gone through all rounds."""
        while True:
            nearest = self.race.closest()[:MOST_CLOSEST]
            left = [setting for setting in nearest if not self.race.finished(setting)]
            if not left:
                return nearest
            for setting in left:
                self._play_on(setting)

    # ------------------------------------------------ what to propose

    def _proposal(self, setting: Setting, left: Sequence[Setting]) -> Proposal:
        measured, size = self.measure(setting), self.plan.changed(setting)
        if measured.meets != "yes":
            return Proposal(measured, size)
        regions = tuple(self._region(setting, key) for key, _ in setting)
        seen = {m.setting for region in regions for _, m in region.tested}
        others = [s for s in self.race.good(left) if self.race.kind(s) == self.race.kind(setting) and s not in seen]
        return Proposal(measured, size, regions, tuple(self.measure(s) for s in others[:MOST_OTHERS]))

    def _region(self, setting: Setting, key: str) -> Region:
        """Values of one constant around the proposed one, tested outwards up to the first that does not do."""
        axis = next(axis for axis in self.plan.axes if axis.key == key)
        proposed = dict(setting)[key]
        here = axis.values.index(proposed)
        results = {here: self.measure(setting)}
        below, above = range(here)[::-1], range(here + 1, len(axis.values))
        ways = [below[:FARTHEST], above[:FARTHEST]] if axis.span else [[place] for place in sorted([*below, *above])][:FARTHEST]
        for way in ways:
            for place in way:
                try:
                    results[place] = self.measure(_moved(setting, axis, axis.values[place]))
                except RulesError:
                    break
                if results[place].meets != "yes":
                    break
        return Region(key, proposed, tuple((axis.values[place], results[place]) for place in sorted(results)))


def _moved(setting: Setting, axis: Axis, value: Value) -> Setting:
    """A setting with another value for one of its constants."""
    moved = tuple((key, value if key == axis.key else as_set) for key, as_set in setting)
    return tuple((key, to) for key, to in moved if key != axis.key or to in axis.others)


# ---------------------------------------------------------------- what is tried first


def prediction(plan: TunePlan, tallies: Mapping[Setting, Mapping[int, Tally]]) -> Callable[[Setting], float]:
    """The largest miss of any target with any number of players, if each of several changes did together what it did alone.

    Args:
        plan: what is wanted.
        tallies: what was played of the rules as they are, with every number of players, and of single changes.
    """
    cases = [(players, target) for players in plan.players for target in plan.targets]

    def figures(setting: Setting) -> np.ndarray[Any, np.dtype[np.float64]]:
        """On the scale on which effects add up."""
        estimates = [target.figure(plan.experiment(setting, n, FRESH), tallies[setting][n]) for n, target in cases]
        return np.array([_stretched(e.best, target, e.n) for e, (_, target) in zip(estimates, cases, strict=True)])

    base = figures(())
    effects = {s[0]: figures(s) - base for s in settings_of(plan.axes, 1) if len(tallies.get(s, {})) == len(plan.players)}

    def miss(setting: Setting) -> float:
        together = sum((effects[change] for change in setting if change in effects), base)
        return max(target.band.miss(_shrunk(x, target)) for x, (_, target) in zip(together, cases, strict=True))

    return miss


def _stretched(best: float, target: Target, n: int) -> float:
    """A share as log odds, kept away from 0 and 1 by half a playout; anything else as it is."""
    if not target.adds_as_odds:
        return best
    kept = min(max(best, 0.5 / n), 1 - 0.5 / n)
    return math.log(kept / (1 - kept))


def _shrunk(x: float, target: Target) -> float:
    return 1 / (1 + math.exp(-x)) if target.adds_as_odds else x
