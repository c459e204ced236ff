"""`tune`: which rules meet a target with every number of players, and how little has to be changed for it?

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
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, TypeVar

from simulator import registry
from simulator.document.language import plural
from simulator.errors import RulesError, UserError
from simulator.play.resources import Stage, unseen
from simulator.play.run import make_experiment, run_experiment
from simulator.rules.alternatives import loosened
from simulator.stats.digests import joint_digest
from simulator.stats.unfinished import unfinished_of
from simulator.studies.axes import Axis, Setting, axes_of, changes_text, how_many, settings_of, size_of
from simulator.studies.prediction import Prediction
from simulator.studies.race import Heat, Miss, Race
from simulator.studies.search import FRESH, Stages, seed_for
from simulator.studies.targets import Target, games_needed, judge, read_targets
from simulator.studies.tuning import Level, Measured, Proposal, Region, Tuning

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.play.run import Result
    from simulator.rules import Value
    from simulator.stats.tally import Tally

Ended = TypeVar("Ended")

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


@dataclass(frozen=True)
class TuningQuestion:
    """What is wanted.

    Attributes:
        game: which game.
        targets: where figures are to lie, with every number of players.
        axes: the constants that may be changed.
        players: numbers of players.
        baseline: dotted key to value, for what differs from the rules as shipped.
        strategies: who plays.
        games: playouts of every figure that is reported.
        changes: how many constants may be changed together.
        seed: key of all random draws.
        workers: passed on to who plays.
        ledger: where what was played is remembered; what it holds is not played again.
    """

    game: Game
    targets: tuple[Target, ...]
    axes: tuple[Axis, ...]
    players: tuple[int, ...]
    baseline: Mapping[str, Any] = field(default_factory=dict)
    strategies: tuple[str, ...] = ()
    games: int = 50_000
    changes: int = 2
    seed: int = 1
    workers: Any = None
    ledger: Ledger | None = None

    def __post_init__(self) -> None:
        """What is tied to a constant that is changed has to follow it."""
        object.__setattr__(self, "baseline", loosened(self.game.rules, self.baseline))

    def experiment(self, setting: Setting, players: int, stage: int) -> Experiment:
        """Rules as changed, with playouts of their own for each stage.

        Raises:
            RulesError: they cannot be played.
        """
        rules = {**self.baseline, **dict(setting)}
        seed = seed_for(self.seed, stage, players)
        return make_experiment(self.game, players=players, strategies=self.strategies, rules=rules, seed=seed)

    @property
    def games_needed(self) -> int:
        """Playouts with which a share in the middle third of its target is shown to lie within it, about."""
        return games_needed(self.targets, len(self.players))

    def misses(self, setting: Setting, tallies: Mapping[int, Tally]) -> Miss:
        """The largest miss of any target with any number of players, by what was played."""
        found = [Miss(0.0, 0.0, 0.0)]
        for players, tally in tallies.items():
            experiment = self.experiment(setting, players, FRESH)
            for target in self.targets:
                if unfinished_of(tally).hides(target.metric):
                    found.append(Miss(0.0, math.inf, math.inf))  # for all that is known it may, and nothing speaks for it
                else:
                    found.append(Miss(*target.band.misses(target.figure(experiment, tally, SURE))))
        return Miss(*map(max, zip(*found, strict=True)))

    def told(self, setting: Setting) -> str:
        """A setting in words."""
        return changes_text(setting, self.axes)

    def size(self, setting: Setting) -> tuple[int, float]:
        """How much it changes."""
        return size_of(setting, self.axes)


def ask(  # noqa: PLR0913  the keywords are the options of the command line
    game: str | Game,
    targets: Sequence[str],
    *,
    within: Sequence[str] = (),
    vary: Sequence[str] = (),
    players: Sequence[int] = (4,),
    rules: Mapping[str, Any] | None = None,
    strategies: Sequence[str] = (),
    games: int = 50_000,
    changes: int = 2,
    seed: int = 1,
    workers: Any = None,
    ledger: Ledger | None = None,
) -> TuningQuestion:
    """Make sure of everything before anything is played.

    Args:
        game: its name.
        targets: `metric=value` or `metric=low:high`.
        within: how far off a value may be: `0.01` for all shares, `turns=0.5` for a metric.
        vary: constants and their values; none means all rules of the game. See `axes_of`.
        players: numbers of players.
        rules: overrides that make the rules as they are.
        strategies: who plays; none means the game's default.
        games: playouts of every figure that is reported.
        changes: how many constants may be changed together.
        seed: key of all random draws.
        workers: passed on to who plays.
        ledger: where what was played is remembered; what it holds is not played again.

    Raises:
        UserError: something of it does not exist or is not possible.
    """
    found = registry.game(game)
    axes = axes_of(found, rules or {}, vary)
    if not axes:
        message = f"No rule of {found.title} can be changed by itself; name constants and values with --vary."
        raise UserError(message)
    experiments = [make_experiment(game, players=n, strategies=strategies, rules=rules, seed=seed) for n in players]
    aims = read_targets(targets, within, experiments)
    most = min(changes, len(axes))
    size = how_many(axes, most)
    if size > MOST_RANKED:
        message = f"There are {size:,} ways to change {most} of these constants; --vary fewer of them, or ask for fewer --changes."
        raise UserError(message)
    return TuningQuestion(found, aims, axes, tuple(players), dict(rules or {}), tuple(strategies), games, most, seed, workers, ledger)


def tune(question: TuningQuestion, watch: Stage = unseen) -> Tuning:
    """Search level by level, and measure on fresh playouts what was found. Ctrl-C keeps what is done.

    Raises:
        UserError: a strategy is refused, or misbehaves.
        KeyboardInterrupt: interrupted before the rules as they are were measured.
    """
    start = time.perf_counter()
    work = _Work(question, watch)
    interrupted = False
    try:
        work.run()
    except KeyboardInterrupt:
        interrupted = True
    baseline = work.fresh.get(())
    if baseline is None:
        raise KeyboardInterrupt
    took = time.perf_counter() - start
    to_the_end = sum(map(work.race.finished, work.race.rounds))
    levels, still_open, digest = tuple(work.levels), len(work.open()), joint_digest(work.stages.digests)
    return Tuning(question, baseline, work.in_order(), levels, to_the_end, still_open, work.stages.playouts, took, interrupted, digest)


class _Work:
    """A search under way: plays what the race asks for, and measures what it ends with."""

    def __init__(self, question: TuningQuestion, watch: Stage) -> None:
        self.question, self.stages = question, Stages(watch)
        middle = (question.players[0] + question.players[-1]) / 2
        order = sorted(question.players, key=lambda n: -abs(n - middle))  # the ends are the hardest to please at once
        totals = [max(least, question.games // part) for least, part in zip(FEWEST, ROUNDS, strict=True)]
        self.race: Race[Setting] = Race(
            order, totals, KEPT, question.misses, question.size, lambda setting: tuple(key for key, _ in setting)
        )
        self.fresh: dict[Setting, Measured] = {}
        self.proposals: list[Proposal] = []
        self.levels: list[Level] = []

    def run(self) -> None:
        """The whole search."""
        if self.measure(()).meets == "yes":
            self.proposals.append(Proposal(self.measure(()), (0, 0.0)))
            return
        self._rounds([()], "The rules as they are", whole=True)
        for changes in range(1, self.question.changes + 1):
            left = self._level(changes)
            for setting in self.race.picked(left)[:MOST_PROPOSED]:
                self.proposals.append(self._proposal(setting, left))  # one by one, for Ctrl-C keeps those that are done
            if any(p.meets == "yes" for p in self.proposals):
                return
        self._play_open()
        for setting in self._closest():
            if all(self.race.kind(p.setting) != self.race.kind(setting) for p in self.proposals):
                self.proposals.append(Proposal(self.measure(setting), self.question.size(setting)))

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
        experiment = self.question.experiment(setting, players, stage)
        result = run_experiment(experiment, games, workers=self.question.workers, ledger=self.question.ledger)
        if result.interrupted:
            raise KeyboardInterrupt
        self.stages.add(result.games, result.digest, result)
        return result

    def _play_all(self, heats: Generator[Heat[Setting], None, Ended]) -> Ended:
        """Play whatever the race asks for, each round on playouts of its own; returns what it ends with."""
        try:
            while True:
                heat = next(heats)
                try:
                    tally = self._play(heat.arm, heat.players, heat.games, 1 + heat.number).tally
                except RulesError as error:
                    self.race.refuse(heat.arm, str(error))
                else:
                    self.race.add(heat, tally)
        except StopIteration as end:
            ended: Ended = end.value
            return ended

    def measure(self, setting: Setting) -> Measured:
        """Rules on fresh playouts, once."""
        if setting not in self.fresh:
            q = self.question
            with self.stages.stage(f"Fresh playouts: {q.told(setting)}", len(q.players) * q.games):
                results = tuple(self._play(setting, n, q.games, FRESH) for n in q.players)
            self.fresh[setting] = Measured(setting, results, judge(q.targets, [(r.experiment, r.tally) for r in results]))
        return self.fresh[setting]

    # ------------------------------------------------ the race

    def _level(self, changes: int) -> list[Setting]:
        """The rules of a level that may meet the targets or come nearest, after the race; put down what was looked at."""
        there_are = how_many(self.question.axes, changes)
        settings = list(self._listed(changes, there_are))
        last = changes == self.question.changes
        before = len(self.race.impossible)
        left = self._rounds(settings, f"{plural(changes, 'constant')} changed", whole=changes == 1 and not last)
        reasons = list(self.race.impossible.values())[before:]
        self.levels.append(Level(changes, there_are, len(settings), len(reasons), reasons[0] if reasons else ""))
        return left

    def _listed(self, changes: int, there_are: int) -> Iterable[Setting]:
        everything = settings_of(self.question.axes, changes)
        if changes == 1 or there_are <= MOST_PLAYED:
            return everything
        predict = Prediction(self.question, self.race.tallies)
        return nsmallest(MOST_PLAYED, everything, key=lambda s: (predict.miss(s), self.question.size(s)))

    def _rounds(self, settings: Sequence[Setting], name: str, *, whole: bool) -> list[Setting]:
        """Who is left after all rounds; with `whole`, everybody plays the first round with every number of players."""
        left = list(settings)
        for number in range(len(ROUNDS)):
            with self.stages.stage(f"{name}: {len(left)} to compare", len(left) * self.race.most_playouts(number)):
                left = self._play_all(self.race.round(left, number, whole=whole and number == 0))
        return left

    def _play_on(self, setting: Setting) -> None:
        """Have a setting play its next round."""
        number = self.race.rounds.get(setting, -1) + 1
        with self.stages.stage(f"The closest: {self.question.told(setting)}", len(self.race.players) * self.race.totals[number]):
            self._play_all(self.race.heats(setting, number))

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
        measured, size = self.measure(setting), self.question.size(setting)
        if measured.meets != "yes":
            return Proposal(measured, size)
        regions = tuple(self._region(setting, key) for key, _ in setting)
        seen = {m.setting for region in regions for _, m in region.tested}
        others = [s for s in self.race.good(left) if self.race.kind(s) == self.race.kind(setting) and s not in seen]
        return Proposal(measured, size, regions, tuple(self.measure(s) for s in others[:MOST_OTHERS]))

    def _region(self, setting: Setting, key: str) -> Region:
        """Values of one constant around the proposed one, tested outwards up to the first that does not do."""
        axis = next(axis for axis in self.question.axes if axis.key == key)
        proposed = dict(setting)[key]
        here = axis.values.index(proposed)
        found = {here: self.measure(setting)}
        below, above = range(here)[::-1], range(here + 1, len(axis.values))
        ways = [below[:FARTHEST], above[:FARTHEST]] if axis.span else [[place] for place in sorted([*below, *above])][:FARTHEST]
        for way in ways:
            for place in way:
                try:
                    found[place] = self.measure(_moved(setting, axis, axis.values[place]))
                except RulesError:
                    break
                if found[place].meets != "yes":
                    break
        return Region(key, proposed, tuple((axis.values[place], found[place]) for place in sorted(found)))


def _moved(setting: Setting, axis: Axis, value: Value) -> Setting:
    """A setting with another value for one of its constants."""
    moved = tuple((key, value if key == axis.key else as_set) for key, as_set in setting)
    return tuple((key, to) for key, to in moved if key != axis.key or to in axis.others)
