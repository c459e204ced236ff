"""`tune-strategy`: better values for a strategy's parameters.

A candidate is judged by what it gains over the strategy as it is: in a cooperative game by how much more often a table of it
wins, in the others by how much more often one seat wins that plays it, while the others play on as before. Both sides play the
same playouts, and the seat goes round the table.

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

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator import registry
from simulator.document.figures import Style, with_interval
from simulator.document.language import listed
from simulator.errors import UserError, nearest
from simulator.play.experiment import Experiment
from simulator.play.rehearsal import rehearse
from simulator.play.run import make_experiment
from simulator.registry.lineup import Player
from simulator.rules import build_rules
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.stats.verdicts import Verdict, verdicts_together
from simulator.studies.pairs import PairedRun, play_pairs
from simulator.studies.search import FRESH, Told, Watch, mean_of, seed_for, unwatched

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.play.ledger import Ledger
    from simulator.stats.paired import Difference

REACH = 3
"""Unless told otherwise a parameter is looked for between nothing and this many times its value."""

MOST_COMBINATIONS = 200
"""As many combinations of whole numbers are all tried; more are searched."""

GRID = 33
"""Values that are tried of a single parameter that is no whole number."""

DIGITS = 300
"""A parameter that is no whole number is rounded to a power of ten that divides its range into this many steps or more."""

SIGMA = 0.15
"""The evolution strategy's first step, as a share of each range: wide enough to leave the values as they are, and to come back."""

LATE = 12
"""Generations, the last ones, whose centres enter the knock-out."""

TOGETHER = 8
"""Candidates that are played side by side with the strategy as it is: more need more memory, fewer play it more often."""

SHARE_OF_GAMES = 16
"""A candidate in the search gets this part of the playouts of the final measurement."""

Values = tuple[tuple[str, "int | float"], ...]
"""Values of those parameters that may move, by name."""


@dataclass(frozen=True)
class Range:
    """Where a parameter may lie.

    Attributes:
        name: which.
        low, high: the ends.
        step: 1 for whole numbers, else what values are rounded to.
        whole: whether it is a whole number.
    """

    name: str
    low: float
    high: float
    step: float
    whole: bool

    def rounded(self, value: float) -> int | float:
        """The nearest value within the range that is written in few digits."""
        kept = min(max(value, self.low), self.high)
        return round(kept) if self.whole else round(round(kept / self.step) * self.step, 12)

    @property
    def text(self) -> str:
        """How it is written after `--vary`."""
        return f"{self.name}={self.low:g}:{self.high:g}"


@dataclass(frozen=True)
class StrategyQuestion:
    """What to tune, and for which tables.

    Attributes:
        game: which game.
        asked: the strategy as it is, as it was asked for.
        player: the same, found.
        ranges: the parameters that may move.
        players: numbers of players.
        against: who sits in the other seats, in a game that one seat wins.
        rules: dotted key to value, for what differs from the rules as shipped.
        games: playouts of the final measurement, for each number of players.
        trials: how many candidates the search tries, about.
        seed: key of all random draws.
        workers: passed on to who plays.
        ledger: where what was played is remembered; what it holds is not played again.
    """

    game: Game
    asked: str
    player: Player
    ranges: tuple[Range, ...]
    players: tuple[int, ...]
    against: Player
    rules: Mapping[str, Any] = field(default_factory=dict)
    games: int = 100_000
    trials: int = 300
    seed: int = 1
    workers: Any = None
    ledger: Ledger | None = None

    @property
    def start(self) -> Values:
        """The values as they are."""
        now = dict(self.player.values)
        return tuple((r.name, now[r.name]) for r in self.ranges)

    @cached_property
    def tables(self) -> tuple[tuple[int, int | None], ...]:
        """Numbers of players and who of them plays a candidate: a seat, or None for all, who win or lose together."""
        return tuple((n, seat) for n in self.players for seat in self.seats(n))

    def seats(self, players: int) -> Sequence[int | None]:
        """Which seats play a candidate, each at a table of its own; None for all at once."""
        return (None,) if self.game.cooperative else range(players)

    def with_values(self, values: Values) -> Player:
        """The strategy with other values."""
        return replace(self.player, values=tuple((dict(self.player.values) | dict(values)).items()))

    def line(self, values: Values) -> str:
        """The strategy with other values, as it is written on the command line."""
        player = self.with_values(values)
        before, found, _ = self.asked.rpartition(".py:")  # a file, and perhaps what is laid on top of its strategy
        return f"{before}{found}{Player(player.strategy, player.values).label}" if found else player.label

    def experiment(self, table: tuple[int, int | None], values: Values, seed: int) -> Experiment:
        """A table at which a candidate plays."""
        players, seat = table
        candidate = self.with_values(values)
        lineup = tuple(candidate if seat is None or seat == place else self.against for place in range(players))
        return Experiment(self.game, build_rules(self.game.rules, self.rules), lineup, seed)


# ---------------------------------------------------------------- the question


def ask(  # noqa: PLR0913  the keywords are the options of the command line
    game: str | Game,
    strategy: str,
    *,
    vary: Sequence[str] = (),
    players: Sequence[int] = (4,),
    against: str | None = None,
    rules: Mapping[str, Any] | None = None,
    games: int = 100_000,
    trials: int = 300,
    seed: int = 1,
    workers: Any = None,
    ledger: Ledger | None = None,
) -> StrategyQuestion:
    """Make sure of everything before anything is played.

    Args:
        game: its name.
        strategy: its name, perhaps with parameters set behind a colon.
        vary: ranges as `name=low:high`; only these parameters move. None means all, each between nothing and REACH times
            its value.
        players: numbers of players; all count alike.
        against: who sits in the other seats; none means the strategy as it is.
        rules: dotted key to value, for what differs from the rules as shipped; none means nothing does.
        games: playouts of the final measurement, for each number of players.
        trials: how many candidates the search tries, about.
        seed: key of all random draws.
        workers: passed on to who plays.
        ledger: where what was played is remembered; what it holds is not played again.

    Raises:
        UserError: something of it does not exist or is not possible.
    """
    found = registry.game(game)
    player = registry.player(found, strategy)
    if not player.values:
        message = f"Strategy '{player.strategy.name}' has no parameter that is a number, so there is nothing to tune."
        raise UserError(message)
    ranges = tuple(_parsed(player, text) for text in vary) or tuple(_usual(player, name) for name, _ in player.values)
    _check(found, players, ranges, against)
    for n in players:
        make_experiment(game, players=n, strategies=[strategy], rules=rules, seed=seed)
    others = registry.player(found, against) if against else player
    return StrategyQuestion(
        found, strategy, player, ranges, tuple(players), others, dict(rules or {}), games, trials, seed, workers, ledger
    )


def _check(game: Game, players: Sequence[int], ranges: Sequence[Range], against: str | None) -> None:
    names = [r.name for r in ranges]
    for name in names:
        if names.count(name) > 1:
            message = f"--vary names '{name}' twice; give it one range."
            raise UserError(message)
    if game.cooperative and against is not None:
        message = f"In {game.title} all win or lose together, so that there is nobody to play against; leave --against out."
        raise UserError(message)
    if not game.cooperative and 1 in players:
        message = f"A single player of {game.title} has nobody to win against; ask for 2 players or more."
        raise UserError(message)


def _parsed(player: Player, text: str) -> Range:
    name, _, listed = (part.strip() for part in text.partition("="))
    known = dict(player.values)
    if name not in known:
        message = f"Strategy '{player.strategy.name}' has no parameter '{name}'{nearest(name, known)}; it has {', '.join(known)}."
        raise UserError(message)
    try:
        low, high = (float(end) for end in listed.split(":"))
    except ValueError:
        low = high = math.nan
    if not -math.inf < low < high < math.inf:
        message = f"--vary '{text}' is no range; write it as {name}=low:high, such as {name}=0:10."
        raise UserError(message)
    whole = isinstance(known[name], int)
    if whole and (low != int(low) or high != int(high)):
        message = f"Parameter '{name}' of strategy '{player.strategy.name}' is a whole number, and so are the ends of its range."
        raise UserError(message)
    return _range(name, low, high, whole=whole)


def _usual(player: Player, name: str) -> Range:
    """From nothing to REACH times the value; for a value of nothing, to the largest of the strategy's."""
    value = dict(player.values)[name]
    far = REACH * value if value else max(1, *(abs(v) for _, v in player.values))
    return _range(name, min(0, far), max(0, far), whole=isinstance(value, int))


def _range(name: str, low: float, high: float, *, whole: bool) -> Range:
    if whole:
        return Range(name, math.floor(low), math.ceil(high), 1, whole)
    return Range(name, low, high, 10.0 ** math.floor(math.log10((high - low) / DIGITS)), whole)


def every_value(question: StrategyQuestion) -> list[Values] | None:
    """All candidates where they are few, evenly spaced values of a single parameter that is no whole number; else None."""
    if len(question.ranges) == 1 and not question.ranges[0].whole:
        (r,) = question.ranges
        listed = [[r.rounded(r.low + (r.high - r.low) * i / (GRID - 1)) for i in range(GRID)]]
    elif all(r.whole for r in question.ranges) and math.prod(r.high - r.low + 1 for r in question.ranges) <= MOST_COMBINATIONS:
        listed = [[*range(int(r.low), int(r.high) + 1)] for r in question.ranges]
    else:
        return None
    names = [r.name for r in question.ranges]
    return [tuple(zip(names, chosen, strict=True)) for chosen in product(*listed)]


# ---------------------------------------------------------------- measuring


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

    def difference(self, candidate: int = 0, confidence: float = CONFIDENCE) -> Difference:
        """Of the candidate in this place."""
        return self.run.part.pairs[candidate].difference(self.metric, confidence, identical=self.run.identical(candidate))

    def gain(self, candidate: int) -> float:
        """By how much more often it won."""
        sums = self.run.part.pairs[candidate][self.metric.name]
        return sums.difference / self.run.part.games


def rehearse_ends(question: StrategyQuestion) -> None:
    """Rehearse the strategy as it is, and at the ends of all ranges: every candidate of a search would take too long.

    Raises:
        StrategyError: it fails.
    """
    ends = [tuple((r.name, r.rounded(end)) for r, end in zip(question.ranges, side, strict=True)) for side in _sides(question)]
    for values in (question.start, *ends):
        rehearse(question.experiment(question.tables[0], values, question.seed))


def _sides(question: StrategyQuestion) -> tuple[list[float], list[float]]:
    return [r.low for r in question.ranges], [r.high for r in question.ranges]


def play_tables(question: StrategyQuestion, candidates: Sequence[Values], games: int, stage: int) -> Iterator[Gained]:
    """Every table as it is and with each candidate, on the same playouts; each table on others.

    Args:
        question: what to tune.
        candidates: at most TOGETHER of them.
        games: playouts for each number of players, shared among its tables.
        stage: tells the playouts from those of all other stages.

    Raises:
        KeyboardInterrupt: interrupted; a part of the playouts is dropped.
    """
    for table in question.tables:
        players, seat = table
        seed = seed_for(question.seed, stage, players, seat or 0)
        experiments = [question.experiment(table, values, seed) for values in (question.start, *candidates)]
        # what is measured in the end is rehearsed itself
        run = play_pairs(
            experiments, _share_of(question, players, games), workers=question.workers, ledger=question.ledger, rehearsed=stage != FRESH
        )
        if run.interrupted:
            raise KeyboardInterrupt
        name = "players_win" if seat is None else f"wins.{seat}"
        yield Gained(players, next(m for m in experiments[0].metrics if m.name == name), run)


def _share_of(question: StrategyQuestion, players: int, games: int) -> int:
    """Playouts of a table."""
    return games if question.game.cooperative else -(-games // players)


def stage_playouts(question: StrategyQuestion, candidates: int, games: int) -> int:
    """All that a stage plays, those of the strategy as it is not counted."""
    return candidates * sum(_share_of(question, players, games) for players, _ in question.tables)


class Search:
    """A search under way.

    Attributes:
        question: what is searched for.
        told: called as playouts are done.
        stage: how many stages there were, each with playouts of its own.
        done: playouts of the present part, and of all parts.
        tried: candidates so far.
        digests: hashes of all that was counted so far.
        leader: the best that can be told now; None before the first stage was done.
    """

    def __init__(self, question: StrategyQuestion) -> None:
        """Begin with nothing."""
        self.question = question
        self.told: Told | None = None
        self.stage = FRESH
        self.done = self.done_before = 0
        self.tried: set[Values] = set()
        self.digests: list[str] = []
        self.leader: Values | None = None

    @property
    def playouts(self) -> int:
        """All so far, those of the strategy as it is not counted."""
        return self.done_before + self.done

    def begin(self, told: Told | None) -> None:
        """A new part of the search, with a progress bar of its own."""
        self.told, self.done_before, self.done = told, self.playouts, 0
        if told is not None:
            told(0, None)

    def gains(self, candidates: Sequence[Values], games: int) -> list[float]:
        """What each candidate gains over the strategy as it is, on average over all numbers of players, on new playouts.

        Raises:
            KeyboardInterrupt: interrupted; what was played of this stage is dropped.
        """
        self.stage += 1
        groups = [candidates[first : first + TOGETHER] for first in range(0, len(candidates), TOGETHER)]
        found = [gain for group in groups for gain in self._together(group, games)]
        self.tried.update(candidates)
        return found

    def _together(self, candidates: Sequence[Values], games: int) -> list[float]:
        totals = [0.0] * len(candidates)
        for gained in play_tables(self.question, candidates, games, self.stage):
            weight = 1 / (len(self.question.seats(gained.players)) * len(self.question.players))
            totals = [total + weight * gained.gain(place) for place, total in enumerate(totals)]
            self.digests.append(gained.run.part.digest)
            self.done += len(candidates) * gained.run.part.games
            if self.told is not None:
                self.told(self.done, gained)
        return totals


# ---------------------------------------------------------------- the search


def evolve(search: Search, games: int) -> list[Values]:
    """Centres of the late generations of an evolution strategy that starts from the values as they are.

    Args:
        search: under way.
        games: playouts of each candidate, for each number of players.

    Source: Hamano, Saito, Nomura and Shirakawa, "CMA-ES with margin: lower-bounding marginal probability for mixed-integer
    black-box optimization", GECCO 2022; Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772.
    """
    from cmaes import CMAwM  # noqa: PLC0415  only where there is much to search

    question = search.question
    low, width = (np.array(x) for x in zip(*((r.low, r.high - r.low) for r in question.ranges), strict=True))
    steps = np.array([1 / (r.high - r.low) if r.whole else 0.0 for r in question.ranges])
    start = np.clip((np.array([value for _, value in question.start]) - low) / width, 0, 1)
    bounds = np.tile([0.0, 1.0], (len(steps), 1))
    optimizer = CMAwM(start, SIGMA, bounds, steps, seed=seed_for(question.seed, FRESH) % 2**32)
    centres: list[Values] = []
    for _ in range(max(1, question.trials // optimizer.population_size)):
        asked = [optimizer.ask() for _ in range(optimizer.population_size)]
        gains = search.gains([_values_at(question, low + width * at) for at, _ in asked], games)
        optimizer.tell([(told, -gain) for (_, told), gain in zip(asked, gains, strict=True)])
        centres.append(_values_at(question, low + width * optimizer.mean))
        search.leader = centres[-1]
    return list(dict.fromkeys(centres[-LATE:]))


def _values_at(question: StrategyQuestion, place: Any) -> Values:
    return tuple((r.name, r.rounded(float(x))) for r, x in zip(question.ranges, place, strict=True))


def knock_out(search: Search, candidates: Sequence[Values], games: int) -> tuple[Values, float]:
    """The winner of several rounds, and what it gained: after each the better half goes on, with twice as many playouts.

    All playouts so far count.

    Args:
        search: under way.
        candidates: who enters.
        games: playouts of the first round, for each number of players.

    Source: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013 (sequential halving).
    """
    left = list(candidates)
    total = dict.fromkeys(left, 0.0)
    played = 0
    while True:
        for values, gain in zip(left, search.gains(left, games), strict=True):
            total[values] += games * gain
        played, games = played + games, 2 * games
        left = sorted(left, key=lambda values: -total[values])[: -(-len(left) // 2)]
        search.leader = left[0]
        if len(left) == 1:
            return left[0], total[left[0]] / played


def knock_out_playouts(question: StrategyQuestion, candidates: int, games: int) -> int:
    """How many playouts all rounds of a knock-out have."""
    total = 0
    while True:
        total += stage_playouts(question, candidates, games)
        candidates, games = -(-candidates // 2), 2 * games
        if candidates == 1:
            return total


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class Gain:
    """What the tuned strategy gains with one number of players, on fresh playouts.

    Attributes:
        players: how many sit at the table.
        tables: in a game that one seat wins, one for each seat that plays it.
        verdict: judged together with those of all other numbers of players.
    """

    players: int
    tables: tuple[Gained, ...]
    verdict: Verdict = "undecided"

    @cached_property
    def before(self) -> Estimate:
        """How often it wins as it is."""
        return mean_of([t.difference().baseline for t in self.tables])

    @cached_property
    def after(self) -> Estimate:
        """How often it wins tuned."""
        return mean_of([t.difference().changed for t in self.tables])

    def difference(self, confidence: float = CONFIDENCE) -> Estimate:
        """Tuned less as it is, by pairs of playouts."""
        return mean_of([t.difference(0, confidence).estimate for t in self.tables])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        figures = {"before": self.before, "after": self.after, "difference": self.difference()}
        return {"players": self.players, **{name: e.as_dict() for name, e in figures.items()}, "verdict": self.verdict}


@dataclass(frozen=True)
class StrategyTuning:
    """The whole answer.

    Attributes:
        question: what was tuned.
        values: what the search ended with; those as they are if it found nothing that looked better.
        gains: for each number of players, on fresh playouts; empty if nothing looked better, or if it was interrupted.
        tried: how many candidates were looked at.
        exhaustive: whether those are all that there are.
        playouts: all that the search took.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before the end.
        digest: hash of all that was counted, the search included.
    """

    question: StrategyQuestion
    values: Values
    gains: tuple[Gain, ...]
    tried: int
    exhaustive: bool
    playouts: int
    elapsed_s: float
    interrupted: bool = False
    digest: str = ""

    @cached_property
    def gain(self) -> Estimate | None:
        """The mean gain over all numbers of players."""
        return mean_of([g.difference() for g in self.gains]) if self.gains else None

    @property
    def how(self) -> str:
        """How the candidates were found, in words."""
        if self.exhaustive:
            return "all of them"
        if every_value(self.question) is not None:
            return "evenly spaced values"
        return "by an evolution strategy (CMA-ES) and a knock-out"

    @property
    def improved(self) -> bool:
        """Whether the tuned values are better on fresh playouts: the interval of the mean gain lies above zero."""
        return self.gain is not None and self.gain.low > 0

    @property
    def worse_with(self) -> tuple[int, ...]:
        """Numbers of players with whom the tuned values are worse all the same."""
        return tuple(g.players for g in self.gains if g.verdict == "differs" and g.difference().best < 0)

    @property
    def line(self) -> str:
        """The tuned strategy, as it is written on the command line."""
        return self.question.line(self.values)

    @property
    def finding(self) -> str:
        """The answer in a sentence."""
        line = self.line
        if self.improved and self.gain is not None:
            worse = f", though not with {listed([str(n) for n in self.worse_with], 'or')} players" if self.worse_with else ""
            return f"{line} is better{worse}: it wins {points_text(self.gain)} percentage points more often."
        if self.interrupted:
            return f"Interrupted before anything was measured again. Best so far, and not confirmed: {line}."
        if self.gain is None:
            return "No improvement was found: nothing looked better than the values as they are."
        if self.gain.high < 0:
            lost = Estimate(-self.gain.best, -self.gain.high, -self.gain.low, self.gain.n, self.gain.unit)
            return f"{line} looked better, but is worse on fresh playouts: it wins {points_text(lost)} percentage points less often."
        shown = f"is not shown to be better on fresh playouts: {points_text(self.gain)} percentage points"
        return f"{line} looked better, but {shown}; more --games may tell."

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        measured = self.gain is not None
        return {
            "game": self.question.game.name,
            "strategy": self.question.line(self.question.start),
            "before": dict(self.question.start),
            "after": dict(self.values) if measured else None,
            "improved": self.improved,
            "use": f"--strategy {self.line}" if self.improved else None,
            "gain": self.gain.as_dict() if self.gain is not None else None,
            "tables": [g.as_dict() for g in self.gains],
            "tried": self.tried,
            "exhaustive": self.exhaustive,
            "digest": self.digest,
        }


def points_text(gain: Estimate) -> str:
    """A gain and its interval in percentage points; on which side of zero an end lies is told, with further decimals if need be.

    >>> points_text(Estimate(0.0125, 0.01, 0.015, 1000, "share"))
    '1.25 (1.00 to 1.50)'
    """
    return with_interval(gain, Style(digits=2, plain=True, sided=True, once=False))


def tune_strategy(question: StrategyQuestion, watch: Watch = unwatched) -> StrategyTuning:
    """Search, let the best play a knock-out, and measure the winner on fresh playouts. Ctrl-C keeps what is done.

    Raises:
        UserError: a strategy is refused, or misbehaves.
        KeyboardInterrupt: interrupted before anything was picked.
    """
    rehearse_ends(question)
    start = time.perf_counter()
    search = Search(question)
    gains: tuple[Gain, ...] = ()
    interrupted = False
    try:
        best, gained = _pick(search, watch)
        search.leader = best if gained > 0 else question.start
        if search.leader != question.start:
            gains = _measured_again(question, search.leader, watch)
    except KeyboardInterrupt:
        interrupted = True
    if search.leader is None:
        raise KeyboardInterrupt
    exhaustive = every_value(question) is not None and all(r.whole for r in question.ranges)
    took = time.perf_counter() - start
    digest = joint_digest([*search.digests, *(table.run.part.digest for gain in gains for table in gain.tables)])
    return StrategyTuning(question, search.leader, gains, len(search.tried), exhaustive, search.playouts, took, interrupted, digest)


def _pick(search: Search, watch: Watch) -> tuple[Values, float]:
    question = search.question
    games = max(1, question.games // SHARE_OF_GAMES)
    contenders = every_value(question)
    if contenders is None:
        with watch("Search", stage_playouts(question, question.trials, games)) as told:
            search.begin(told)
            contenders = evolve(search, games)
    with watch("Knock-out", knock_out_playouts(question, len(contenders), games)) as told:
        search.begin(told)
        return knock_out(search, contenders, games)


def _measured_again(question: StrategyQuestion, values: Values, watch: Watch) -> tuple[Gain, ...]:
    """What was picked, on playouts that nobody has seen."""
    tables: list[Gained] = []
    done = 0
    with watch("Fresh playouts", stage_playouts(question, 1, question.games)) as told:
        for gained in play_tables(question, [values], question.games, FRESH):
            tables.append(gained)
            done += gained.run.part.games
            if told is not None:
                told(done, gained)
    gains = [Gain(n, tuple(t for t in tables if t.players == n)) for n in question.players]
    verdicts = verdicts_together([gain.difference for gain in gains])
    return tuple(replace(gain, verdict=verdict) for gain, verdict in zip(gains, verdicts, strict=True))
