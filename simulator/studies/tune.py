"""`tune`: which rules meet a target with every number of players, and how little has to be changed for it?

Few changes come first, so the search goes level by level: all rules that differ from those as they are in one constant, then
in two, and so on, and it ends with the level at which some are shown to meet every target. Values of rules are few and mostly
whole numbers, so a level is a finite list, and short levels are played whole: then 'no single change will do' is a finding
and no failure of a sampler. Of a long level the most promising part is played, by what its constants did alone: effects add
up on the scale of log odds for shares, and as they are for the rest. That is a guess, and used for nothing but the order.

Rules are told apart by a race. Everybody gets few playouts, all on the same draws, and whoever is surely out leaves: whoever
misses a target by more than somebody else does at the most, if every interval is as unkind as it can be. Rules that may meet
all targets never leave that way. Those that are left get more playouts. If none meets the targets in the end, those that look
closest play on until they have as many, before they are put into an order.

What is proposed is then played on draws that had no part in it, and is said to meet the targets only if the intervals found
there lie within them. Nothing is ever reported that it was picked by. The values around a proposal are tested the same way.

Source: Even-Dar, Mannor and Mansour, "Action elimination and stopping conditions for the multi-armed bandit and reinforcement
learning problems", Journal of Machine Learning Research 7, 2006 (the race).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.document.language import listed, plural, ranged
from simulator.errors import RulesError, UserError
from simulator.play.run import Result, make_experiment, run_experiment
from simulator.rules import build_rules, to_text
from simulator.rules.alternatives import loosened
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE
from simulator.stats.unfinished import unfinished_of
from simulator.studies.search import FRESH, Told, Watch, seed_for, unwatched
from simulator.studies.settings import Lever, Setting, changes_text, how_many, levers_of, settings_of, size_of
from simulator.studies.targets import Judged, Target, all_met, judge, read_targets

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.rules import Value
    from simulator.stats.tally import Tally

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
        levers: the constants that may be changed.
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
    levers: tuple[Lever, ...]
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
        """Playouts with which a share in the middle third of its target is shown to lie within it, about.

        By the normal approximation, for all figures of the same rules at once; 0 if no target is about a share.
        """
        errors = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / (len(self.targets) * len(self.players)))
        shares = [t for t in self.targets if t.unit == "share"]
        return max((math.ceil((errors / (t.reach * 2 / 3)) ** 2 * _most_variance(t)) for t in shares), default=0)

    def told(self, setting: Setting) -> str:
        """A setting in words."""
        return changes_text(setting, self.levers)

    def size(self, setting: Setting) -> tuple[int, float]:
        """How much it changes."""
        return size_of(setting, self.levers)


def _most_variance(target: Target) -> float:
    """The largest variance that a share within a target can have; of a difference from an equal share, the largest there is."""
    share = min(max(0.5, target.low), target.high) if _adds_as_odds(target) else 0.5
    return share * (1 - share)


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
        vary: constants and their values; none means all rules of the game. See `levers_of`.
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
    levers = levers_of(found, rules or {}, vary)
    if not levers:
        message = f"No rule of {found.title} can be changed by itself; name constants and values with --vary."
        raise UserError(message)
    experiments = [make_experiment(game, players=n, strategies=strategies, rules=rules, seed=seed) for n in players]
    aims = read_targets(targets, within, experiments)
    most = min(changes, len(levers))
    size = how_many(levers, most)
    if size > MOST_RANKED:
        message = f"There are {size:,} ways to change {most} of these constants; --vary fewer of them, or ask for fewer --changes."
        raise UserError(message)
    return TuningQuestion(found, aims, levers, tuple(players), dict(rules or {}), tuple(strategies), games, most, seed, workers, ledger)


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class Measured:
    """Rules, and what playouts said about them that had no part in choosing them.

    Attributes:
        setting: what is changed.
        results: one for each number of players.
        judged: every target with every number of players.
    """

    setting: Setting
    results: tuple[Result, ...]
    judged: tuple[Judged, ...]

    @cached_property
    def meets(self) -> bool | None:
        """Whether it is shown to meet all targets (True), to miss one (False), or neither (None)."""
        return all_met(self.judged)

    @property
    def hidden(self) -> bool:
        """Whether no game finished with some number of players, so that more of them would not tell whether it does."""
        return any(
            unfinished_of(r.tally).hides(j.target.metric) for r in self.results for j in self.judged if j.players == r.experiment.players
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many games did not finish, where that is more than a few; a sentence for each number of players."""
        told = (unfinished_of(r.tally).remark(f"with {plural(r.experiment.players, 'player')}") for r in self.results)
        return tuple(filter(None, told))

    @property
    def worst(self) -> str:
        """The largest miss, in words."""
        judged = max(self.judged, key=lambda j: j.target.miss(j.estimate.best))
        low, high, best = judged.target.low, judged.target.high, judged.estimate.best
        off = max(low - best, best - high, 0.0)
        share = judged.target.unit == "share"
        return f"{100 * off if share else off:.3g} {'points' if share else judged.target.unit} with {plural(judged.players, 'player')}"

    def estimates(self) -> list[dict[str, Any]]:
        """For JSON, as in a run."""
        return [
            {
                "players": r.experiment.players,
                "games": r.games,
                "digest": r.digest,
                "estimates": {name: e.as_dict() for name, e in r.estimates.items()},
            }
            for r in self.results
        ]


@dataclass(frozen=True)
class Region:
    """What becomes of a proposal when one of its constants goes elsewhere, the others staying as proposed.

    Attributes:
        key: the constant.
        proposed: its value in the proposal.
        tested: values in the order of the lever, each measured; the proposed one among them.
    """

    key: str
    proposed: Value
    tested: tuple[tuple[Value, Measured], ...]

    @property
    def working(self) -> tuple[Value, ...]:
        """Values that are shown to meet all targets."""
        return tuple(value for value, measured in self.tested if measured.meets)

    @property
    def text(self) -> str:
        """Which values work, in words."""
        told = []
        for meets, word in ((True, "works"), (None, "is open"), (False, "does not")):
            values = [to_text(value) for value, measured in self.tested if measured.meets is meets]
            verb = {"works": "work", "is open": "are open", "does not": "do not"}[word] if len(values) > 1 else word
            told += [f"{listed(values)} {verb}"] * bool(values)
        return f"{self.key}: {', '.join(told)}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        tested = [{"value": value, "meets": m.meets, "estimates": m.estimates()} for value, m in self.tested]
        return {"key": self.key, "working": list(self.working), "tested": tested}


@dataclass(frozen=True)
class Proposal:
    """Rules that meet the targets, or come near.

    Attributes:
        measured: the rules and their figures.
        size: how many constants are changed, and by how much.
        regions: for each of them, what other values would do; empty where the proposal is not shown to meet the targets.
        others: rules that change the same constants otherwise, and looked good too.
    """

    measured: Measured
    size: tuple[int, float]
    regions: tuple[Region, ...] = ()
    others: tuple[Measured, ...] = ()

    @property
    def setting(self) -> Setting:
        """What is changed."""
        return self.measured.setting

    @property
    def meets(self) -> bool | None:
        """Whether it is shown to meet all targets."""
        return self.measured.meets

    @cached_property
    def working(self) -> tuple[Setting, ...]:
        """All rules of this kind that are shown to meet the targets, the proposal first."""
        around = (m for region in self.regions for _, m in region.tested)
        return tuple(dict.fromkeys(m.setting for m in (self.measured, *around, *self.others) if m.meets))


@dataclass(frozen=True)
class Level:
    """All rules that change a number of constants.

    Attributes:
        changes: how many.
        there_are: how many such rules there are.
        played: how many of them were played.
        impossible: how many of those cannot be played.
        why: the reason for the first of these.
    """

    changes: int
    there_are: int
    played: int
    impossible: int
    why: str = ""

    @property
    def text(self) -> str:
        """What was looked at, in words."""
        what = f"{plural(self.changes, 'constant')} changed"
        if self.played == self.there_are:
            played = f"all {self.there_are:,} such rules were tried" if self.there_are > 1 else "the only such rules were tried"
        else:
            played = f"of {self.there_are:,} such rules the {self.played:,} were tried that promise most, going by each change alone"
        fault = f"; {self.impossible:,} cannot be played (such as: {self.why.rstrip('.')})" if self.impossible else ""
        return f"{what}: {played}{fault}."


@dataclass(frozen=True)
class Tuning:
    """The whole answer.

    Attributes:
        question: what was wanted.
        baseline: the rules as they are.
        proposals: those that meet the targets first, and of these the smallest changes; if none does, the closest first, by
            the search's figures.
        levels: what was looked at.
        to_the_end: how many rules went through all rounds of the search.
        open: how many more rules may meet the targets, by what was played of them.
        playouts: all that it took.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before the end.
        digest: hash of all that was counted, the search included.
    """

    question: TuningQuestion
    baseline: Measured
    proposals: tuple[Proposal, ...]
    levels: tuple[Level, ...]
    to_the_end: int
    open: int
    playouts: int
    elapsed_s: float
    interrupted: bool = False
    digest: str = ""

    @property
    def met(self) -> bool:
        """Whether a proposal is shown to meet all targets."""
        return any(p.meets for p in self.proposals)

    @property
    def undecided(self) -> bool:
        """Whether none is, but one may, with more playouts."""
        return not self.met and (self.open > 0 or any(p.meets is None for p in self.proposals))

    @property
    def remarks(self) -> dict[str, tuple[int, ...]]:
        """What has to be said of games that did not finish, each sentence once, to the numbers of the proposals that it is about."""
        told: dict[str, tuple[int, ...]] = {}
        for number, proposal in enumerate(self.proposals, 1):
            for remark in proposal.measured.remarks:
                told[remark] = (*told.get(remark, ()), number)
        return told

    @property
    def exhaustive(self) -> bool:
        """Whether every allowed rule was played, and none was left that may meet the targets after all."""
        return not self.interrupted and not self.open and all(level.played == level.there_are for level in self.levels)

    @property
    def finding(self) -> str:
        """The answer in a sentence."""
        seats = f"with {ranged(self.question.players, 'player')}"
        if self.met:
            return self._found(seats)
        if not self.proposals:
            return f"Nothing was found {seats} before it was interrupted."
        best = self.proposals[0]
        if best.meets is None:
            if best.measured.hidden:
                return f"Whether anything meets the target {seats} is open. {best.measured.remarks[0]}"
            return f"Nothing is shown to meet the target {seats}, but this may, with more --games: {self.question.told(best.setting)}."
        if self.open:
            some = "1 of the rules" if self.open == 1 else f"{self.open:,} of the rules"
            return f"Nothing is shown to meet the target {seats}, but {some} that were tried may, with more --games."
        tried = "No rules that were allowed meet" if self.exhaustive else "No rules that were tried meet"
        among = "when it was interrupted" if self.interrupted else f"of the {self.to_the_end:,} that were measured to the end"
        return f"{tried} the target {seats}. The closest {among}, {self.question.told(best.setting)}, miss it by {best.measured.worst}."

    def _found(self, seats: str) -> str:
        """The proposal that meets the target, and what has to be known of its games."""
        best = self.proposals[0]
        remark = "".join(f" {text}" for text in best.measured.remarks)
        if not best.setting:
            return f"The rules as they are meet the target {seats}.{remark}"
        others = sum(bool(p.meets) for p in self.proposals) - 1
        more = f" {'Another change does' if others == 1 else f'{others} other changes do'} too." if others else ""
        return f"{self.question.told(best.setting)} meets the target {seats}.{remark}{more}"

    def changes(self, setting: Setting) -> list[dict[str, Any]]:
        """For JSON: from where to where, and how far."""
        levers = {lever.key: lever for lever in self.question.levers}
        return [{"key": key, "from": levers[key].start, "to": to, "size": levers[key].size(to)} for key, to in setting]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        proposals = [
            {
                "players": list(self.question.players),
                "set": dict(p.setting),
                "changes": self.changes(p.setting),
                "estimates": p.measured.estimates(),
                "targets": [j.as_dict() for j in p.measured.judged],
                "meets": p.meets,
                "unfinished": {str(r.experiment.players): r.unfinished / r.games for r in p.measured.results},
                "region": [region.as_dict() for region in p.regions],
                "working": [dict(setting) for setting in p.working],
            }
            for p in self.proposals
        ]
        told = {"proposals": proposals, "met": self.met, "baseline": self.baseline.estimates(), "exhaustive": self.exhaustive}
        return {**told, "digest": self.digest}


# ---------------------------------------------------------------- the work


def tune(question: TuningQuestion, watch: Watch = unwatched) -> Tuning:
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
    to_the_end = sum(map(work.finished, work.rounds))
    levels, still_open, digest = tuple(work.levels), len(work.open()), joint_digest(work.digests)
    return Tuning(question, baseline, work.in_order(), levels, to_the_end, still_open, work.playouts, took, interrupted, digest)


def _kind(setting: Setting) -> tuple[str, ...]:
    """Which constants it changes."""
    return tuple(key for key, _ in setting)


class _Work:
    """A search under way."""

    def __init__(self, question: TuningQuestion, watch: Watch) -> None:
        self.question, self.watch = question, watch
        self.tallies: dict[Setting, dict[int, Tally]] = {}
        self.rounds: dict[Setting, int] = {}
        self.impossible: dict[Setting, str] = {}
        self.fresh: dict[Setting, Measured] = {}
        self.proposals: list[Proposal] = []
        self.levels: list[Level] = []
        self.digests: list[str] = []
        self.playouts = self.done = 0
        self.told: Told | None = None
        middle = (question.players[0] + question.players[-1]) / 2
        self.order = sorted(question.players, key=lambda n: -abs(n - middle))  # the ends are the hardest to please at once

    def run(self) -> None:
        """The whole search."""
        if self.measure(()).meets:
            self.proposals.append(Proposal(self.measure(()), (0, 0.0)))
            return
        self._race([()], "The rules as they are", whole=True)
        for changes in range(1, self.question.changes + 1):
            left = self._level(changes)
            for setting in self._picked(left)[:MOST_PROPOSED]:
                self.proposals.append(self._proposal(setting, left))
            if any(p.meets for p in self.proposals):
                return
        self._play_open()
        for setting in self._closest():
            if all(_kind(p.setting) != _kind(setting) for p in self.proposals):
                self.proposals.append(Proposal(self.measure(setting), self.question.size(setting)))

    def in_order(self) -> tuple[Proposal, ...]:
        """Those that meet the targets first, then those that may; if there are none, those that miss, the closest in the search first."""
        kept = [p for p in self.proposals if p.meets is not False]
        if not kept:
            return tuple(sorted(self.proposals, key=lambda p: (self.misses(p.setting)[1:], p.size)))
        return tuple(sorted(kept, key=lambda p: (p.meets is None, p.measured.hidden, p.size)))

    # ------------------------------------------------ playing

    def _play(self, setting: Setting, players: int, games: int, stage: int) -> Result:
        result = run_experiment(
            self.question.experiment(setting, players, stage), games, workers=self.question.workers, ledger=self.question.ledger
        )
        if result.interrupted:
            raise KeyboardInterrupt
        self.digests.append(result.digest)
        self.playouts += result.games
        self.done += result.games
        if self.told is not None:
            self.told(self.done, result)
        return result

    def measure(self, setting: Setting) -> Measured:
        """Rules on fresh playouts, once."""
        if setting not in self.fresh:
            q = self.question
            with self._watched(f"Fresh playouts: {q.told(setting)}", len(q.players) * q.games):
                results = tuple(self._play(setting, n, q.games, FRESH) for n in q.players)
            self.fresh[setting] = Measured(setting, results, judge(q.targets, [(r.experiment, r.tally) for r in results]))
        return self.fresh[setting]

    @contextmanager
    def _watched(self, label: str, playouts: int) -> Iterator[None]:
        """A stage with a progress bar of its own."""
        with self.watch(label, playouts) as self.told:
            self.done = 0
            if self.told is not None:
                self.told(0, None)
            yield
        self.told = None

    # ------------------------------------------------ what was found so far

    def misses(self, setting: Setting) -> tuple[float, float, float]:
        """The largest miss of any target with any number of players so far: at the least, as it looks, at the most."""
        low = best = high = 0.0
        for players, tally in self.tallies[setting].items():
            experiment = self.question.experiment(setting, players, FRESH)
            for target in self.question.targets:
                if unfinished_of(tally).hides(target.metric):
                    best = high = math.inf  # for all that is known it may, and nothing speaks for it
                    continue
                found = target.figure(experiment, tally, SURE)
                low, best, high = max(low, target.least_miss(found)), max(best, target.miss(found.best)), max(high, target.most_miss(found))
        return low, best, high

    def finished(self, setting: Setting) -> bool:
        """Whether it went through all rounds."""
        return self.rounds.get(setting) == len(ROUNDS) - 1

    def open(self) -> list[Setting]:
        """Rules that are not shown to miss and were not measured on fresh playouts, the likeliest first."""
        found = {s: self.misses(s) for s in self.tallies if s and s not in self.fresh}
        return sorted((s for s, miss in found.items() if miss[0] == 0), key=lambda s: (found[s][1], self.question.size(s)))

    # ------------------------------------------------ the race

    def _level(self, changes: int) -> list[Setting]:
        """The rules of a level that may meet the targets or come nearest, after the race; put down what was looked at."""
        there_are = how_many(self.question.levers, changes)
        settings = list(self._listed(changes))
        last = changes == self.question.changes
        before = len(self.impossible)
        left = self._race(settings, f"{plural(changes, 'constant')} changed", whole=changes == 1 and not last)
        reasons = list(self.impossible.values())[before:]
        self.levels.append(Level(changes, there_are, len(settings), len(reasons), reasons[0] if reasons else ""))
        return left

    def _listed(self, changes: int) -> Iterable[Setting]:
        everything = settings_of(self.question.levers, changes)
        if changes == 1 or how_many(self.question.levers, changes) <= MOST_PLAYED:
            return everything
        predict = _Prediction(self)
        return nsmallest(MOST_PLAYED, everything, key=lambda s: (predict.miss(s), self.question.size(s)))

    def _race(self, settings: Sequence[Setting], name: str, *, whole: bool) -> list[Setting]:
        """Who is left after all rounds; with `whole`, everybody plays the first round with every number of players."""
        left = list(settings)
        before = 0
        for number in range(len(ROUNDS)):
            total = self._up_to(number)
            with self._watched(f"{name}: {len(left)} to compare", len(left) * len(self.order) * (total - before)):
                left = self._round(left, total, number, whole=whole and number == 0)
            before = total
            if number < len(KEPT):
                left = self._preferred(left)[: KEPT[number]]
        return left

    def _up_to(self, number: int) -> int:
        """How many playouts a setting has after a round."""
        return max(FEWEST[number], self.question.games // ROUNDS[number])

    def _round(self, settings: Sequence[Setting], total: int, number: int, *, whole: bool) -> list[Setting]:
        ceiling = math.inf
        played = []
        for setting in sorted(settings, key=lambda s: self.misses(s)[1]) if number else settings:
            if self._play_round(setting, total, number, math.inf if whole else ceiling):
                played.append(setting)
                ceiling = min(ceiling, self.misses(setting)[2])
        return [setting for setting in played if self.misses(setting)[0] <= ceiling]

    def _play_round(self, setting: Setting, total: int, number: int, ceiling: float) -> bool:
        """Whether a setting still can be as good as the best one, `ceiling`; it plays no further than that is seen."""
        known = self.tallies.setdefault(setting, {})
        for players in self.order:
            games = total - (known[players].games if players in known else 0)
            if not games:  # played before it left the race in the midst of this round
                continue
            try:
                result = self._play(setting, players, games, 1 + number)
            except RulesError as error:
                self.impossible[setting] = str(error)
                del self.tallies[setting]
                return False
            known[players] = known[players] + result.tally if players in known else result.tally
            if self.misses(setting)[0] > ceiling:
                return False
        self.rounds[setting] = number
        return True

    def _preferred(self, settings: Sequence[Setting]) -> list[Setting]:
        """Those that may meet the targets first; of these the smallest change of each kind, then the second smallest, and so on."""
        place: dict[tuple[str, ...], int] = {}
        ranked = []
        for setting in sorted(settings, key=lambda s: (self.misses(s)[0] > 0, self.question.size(s), self.misses(s)[1])):
            kind = _kind(setting)
            place[kind] = place.get(kind, 0) + 1
            low, best, _ = self.misses(setting)
            ranked.append((low > 0, best if low > 0 else 0.0, place[kind], self.question.size(setting), setting))
        return [line[-1] for line in sorted(ranked, key=lambda line: line[:-1])]

    # ------------------------------------------------ what to propose

    def _looks_good(self, left: Sequence[Setting]) -> list[Setting]:
        """Those whose figures lie within all targets, the smallest change first."""
        return sorted((s for s in left if self.misses(s)[1] == 0), key=lambda s: (self.question.size(s), self.misses(s)[2]))

    def _picked(self, left: Sequence[Setting]) -> list[Setting]:
        """The smallest change of each kind that looks good; one whose intervals lie within the targets if there is one."""
        good = self._looks_good(left)
        return sorted(self._first_of_each_kind([*(s for s in good if self.misses(s)[2] == 0), *good]), key=self.question.size)

    @staticmethod
    def _first_of_each_kind(settings: Iterable[Setting]) -> list[Setting]:
        """Of those that change the same constants the first one."""
        found: dict[tuple[str, ...], Setting] = {}
        for setting in settings:
            found.setdefault(_kind(setting), setting)
        return list(found.values())

    def _play_open(self) -> None:
        """Play those to the end that the race left although they may meet the targets, and propose what still may."""
        for setting in self.open()[:MOST_OPEN]:
            while setting in self.tallies and not self.finished(setting) and self.misses(setting)[0] == 0:
                self._play_on(setting)
        for setting in self.open()[:MOST_PROPOSED]:
            self.proposals.append(self._proposal(setting, self.open()))

    def _play_on(self, setting: Setting) -> bool:
        """Have a setting play its next round; whether it can be played."""
        number = self.rounds.get(setting, -1) + 1
        with self._watched(f"The closest: {self.question.told(setting)}", len(self.order) * self._up_to(number)):
            return self._play_round(setting, self._up_to(number), number, math.inf)

    def _closest(self) -> list[Setting]:
        """The nearest misses of different kinds: whoever looks nearest plays on, until those that do have gone through all rounds."""
        miss = {setting: self.misses(setting)[1] for setting in self.tallies}
        while True:
            possible = [setting for setting in miss if setting in self.tallies]
            nearest = self._first_of_each_kind(sorted(possible, key=lambda s: (miss[s], self.question.size(s))))[:MOST_CLOSEST]
            left = [setting for setting in nearest if not self.finished(setting)]
            if not left:
                return nearest
            for setting in left:
                if self._play_on(setting):
                    miss[setting] = self.misses(setting)[1]

    def _proposal(self, setting: Setting, left: Sequence[Setting]) -> Proposal:
        measured, size = self.measure(setting), self.question.size(setting)
        if not measured.meets:
            return Proposal(measured, size)
        regions = tuple(self._region(setting, key) for key, _ in setting)
        seen = {m.setting for region in regions for _, m in region.tested}
        others = [s for s in self._looks_good(left) if _kind(s) == _kind(setting) and s not in seen]
        return Proposal(measured, size, regions, tuple(self.measure(s) for s in others[:MOST_OTHERS]))

    def _region(self, setting: Setting, key: str) -> Region:
        """Values of one constant around the proposed one, tested outwards up to the first that does not do."""
        lever = next(lever for lever in self.question.levers if lever.key == key)
        proposed = dict(setting)[key]
        here = lever.values.index(proposed)
        found = {here: self.measure(setting)}
        if lever.span is None:
            ways = [[place] for place in range(len(lever.values)) if place != here][:FARTHEST]
        else:
            ways = [list(range(here - 1, -1, -1))[:FARTHEST], list(range(here + 1, len(lever.values)))[:FARTHEST]]
        for way in ways:
            for place in way:
                try:
                    found[place] = self.measure(self._moved(setting, key, lever.values[place]))
                except RulesError:
                    break
                if not found[place].meets:
                    break
        return Region(key, proposed, tuple((lever.values[place], found[place]) for place in sorted(found)))

    def _moved(self, setting: Setting, key: str, value: Value) -> Setting:
        """A setting with another value for one of its constants."""
        lever = next(lever for lever in self.question.levers if lever.key == key)
        moved = tuple((k, value if k == key else v) for k, v in setting)
        return tuple((k, v) for k, v in moved if k != key or v in lever.others)


class _Prediction:
    """What several changes would do together if each did what it did alone."""

    def __init__(self, work: _Work) -> None:
        self.question = work.question
        self.cases = [(n, target) for n in self.question.players for target in self.question.targets]
        self.base = self._figures(work, ())
        assert self.base is not None  # noqa: S101  the rules as they are have been played
        self.effects: dict[tuple[str, Value], list[float]] = {}
        for setting in settings_of(self.question.levers, 1):
            figures = self._figures(work, setting)
            if figures is not None:
                self.effects[setting[0]] = [a - b for a, b in zip(figures, self.base, strict=True)]

    def _figures(self, work: _Work, setting: Setting) -> list[float] | None:
        """Every target's figure with every number of players, on the scale on which effects add up."""
        tallies = work.tallies.get(setting, {})
        if len(tallies) < len(self.question.players):
            return None
        found = []
        for players, target in self.cases:
            estimate = target.figure(self.question.experiment(setting, players, FRESH), tallies[players])
            found.append(_stretched(estimate.best, target, estimate.n))
        return found

    def miss(self, setting: Setting) -> float:
        """The largest miss of any target with any number of players."""
        assert self.base is not None  # noqa: S101  see above
        together = list(self.base)
        for change in setting:
            for place, effect in enumerate(self.effects.get(change, ())):
                together[place] += effect
        return max(target.miss(_shrunk(x, target)) for x, (_, target) in zip(together, self.cases, strict=True))


def _adds_as_odds(target: Target) -> bool:
    return target.unit == "share" and target.low >= 0 and target.high <= 1


def _stretched(best: float, target: Target, n: int) -> float:
    """A share as log odds, kept away from 0 and 1 by half a playout; anything else as it is."""
    if not _adds_as_odds(target):
        return best
    kept = min(max(best, 0.5 / n), 1 - 0.5 / n)
    return math.log(kept / (1 - kept))


def _shrunk(x: float, target: Target) -> float:
    return 1 / (1 + math.exp(-x)) if _adds_as_odds(target) else x


def rules_of(tuning: Tuning, proposal: Proposal) -> Any:
    """The rules of a proposal."""
    return build_rules(tuning.question.game.rules, {**tuning.question.baseline, **dict(proposal.setting)})
