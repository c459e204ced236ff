"""Sensitivity: every rule constant moved alone, on the same playouts, and what that does to the game.

Constants that are not printed anywhere go to the ends of the range in which the truth may lie, or to each alternative; all
others move by one step. What such a move does says how much a conclusion depends on a number that nobody was sure of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from simulator.alternatives import alternatives, carried, loosened
from simulator.errors import RulesError, UserError, nearest
from simulator.estimate import CONFIDENCE, Estimate, estimate_metric, simultaneous, variance_of
from simulator.game import first_outcome
from simulator.rules import Constant, build_rules, constants, to_text, values
from simulator.sequences import TUNED_FOR, Width, half_width, sequence_of
from simulator.shares import check_ends, number_text
from simulator.studies.pairs import PairedPart, Variant, experiments_of, play_pairs
from simulator.verdicts import confidence_of_selected, false_discovery

if TYPE_CHECKING:
    from simulator.executors import Workers
    from simulator.experiment import Experiment
    from simulator.game import Game, Metric
    from simulator.paired import Difference, PairedTally
    from simulator.rules import SourceKind, Value
    from simulator.run import Precision
    from simulator.sequences import Tuned
    from simulator.tally import Tally

    Told = Callable[[int, Any], None]

FALSE_DISCOVERIES = 0.05
"""Of the effects that are called significant, on average at most this share is none."""

TOGETHER = 8
"""Moves that are played at once, with the rules as they are: more need more memory, fewer play those more often."""

GROWTH = 1.05
"""A stopping rule looks again when there are this many times as many playouts as when it last looked."""

EVEN = 0.5


@dataclass(frozen=True)
class Move:
    """One constant, moved alone.

    Attributes:
        key: which.
        start: its value in the rules as they are.
        to: where it goes.
        source: where the shipped value comes from.
        plausible: whether `to` is one of the values, or ends, between which the truth may lie.
        leaves_out: whether `to` leaves the rule out of the game.
        carries: what is tied to the constant and moves with it: key, from, to.
    """

    key: str
    start: Value
    to: Value
    source: SourceKind
    plausible: bool
    leaves_out: bool = False
    carries: tuple[tuple[str, Value, Value], ...] = ()

    @property
    def text(self) -> str:
        """How it is written: `key from -> to`."""
        return f"{self.key} {to_text(self.start)} \N{RIGHTWARDS ARROW} {to_text(self.to)}"

    @property
    def doubtful(self) -> bool:
        """Whether nobody is sure that the constant is not really `to`."""
        return self.plausible or self.source == "assumed"


@dataclass(frozen=True)
class LeftOut:
    """A constant, or one value of it, that could not be played, and why."""

    key: str
    to: Value | None
    source: SourceKind
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"key": self.key, "to": self.to, "source": self.source, "reason": self.reason}


@dataclass(frozen=True)
class Effect:
    """What a move did to one metric.

    Attributes:
        move: the constant and where it went.
        players: how many sat at the table.
        metric: what was looked at.
        difference: moved less unmoved.
        adjusted: the p-value, adjusted for all effects of the study.
        at: the difference with an interval of another confidence; None where that is not known.
    """

    move: Move
    players: int
    metric: Metric
    difference: Difference
    adjusted: float = 1.0
    at: Callable[[float], Difference] | None = field(default=None, compare=False, repr=False)

    @property
    def significant(self) -> bool:
        """Whether it counts as found."""
        return self.adjusted <= FALSE_DISCOVERIES

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        move = self.move
        return {
            "key": move.key,
            "from": move.start,
            "to": move.to,
            "source": move.source,
            "players": self.players,
            "metric": self.metric.name,
            "difference": self.difference.estimate.as_dict(),
            "significant": self.significant,
        }


@dataclass(frozen=True)
class Target:
    """Where a designer wants a share to lie.

    Attributes:
        low, high: ends, as shares.
        metric: whose; none means that of what conclusions rest on: how often the players win, or every seat does.
    """

    low: float
    high: float
    metric: str | None = None

    @property
    def text(self) -> str:
        """In percent."""
        return f"{100 * self.low:g}% to {100 * self.high:g}%"


Lies = Literal["inside", "outside", "open"]


@dataclass(frozen=True)
class Aimed:
    """A share under the rules as they are, and the target it was held against.

    Attributes:
        target: where the designer wants it to lie.
        players: how many sat at the table.
        metric: whose share it is.
        estimate: where it lies.
    """

    target: Target
    players: int
    metric: Metric
    estimate: Estimate

    @property
    def lies(self) -> Lies:
        """Whether the interval lies in the target, beyond it, or neither."""
        if self.target.low <= self.estimate.low and self.estimate.high <= self.target.high:
            return "inside"
        return "outside" if self.estimate.high < self.target.low or self.estimate.low > self.target.high else "open"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        aimed = {"players": self.players, "metric": self.metric.name, "low": self.target.low, "high": self.target.high}
        return {**aimed, "estimate": self.estimate.as_dict(), "lies": self.lies}


@dataclass(frozen=True)
class Overturned:
    """A conclusion that a move changes.

    Attributes:
        move: the constant and where it went.
        players: how many sat at the table.
        conclusion: what holds under the rules as they are.
        instead: what holds under the moved ones.
        size: of the effect, for an order.
    """

    move: Move
    players: int
    conclusion: str
    instead: str
    size: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        move = self.move
        about = {"key": move.key, "from": move.start, "to": move.to, "source": move.source, "players": self.players}
        return {**about, "conclusion": self.conclusion, "instead": self.instead}


@dataclass(frozen=True)
class Measured:
    """What was measured with one number of players.

    Attributes:
        baseline: the rules as they are.
        metrics: what was looked at.
        effects: of each move that was played, on each metric.
        unmoved: what the rules as they are gave, in the longest of the runs.
        moved: for each move what it gave.
        left_out: moves that cannot be compared with the baseline.
        playouts: all that were played.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all moves were played as often as asked.
        precise: whether all differences became as precise as was asked for; None where nothing was asked.
    """

    baseline: Experiment
    metrics: tuple[Metric, ...]
    effects: tuple[Effect, ...]
    unmoved: Tally
    moved: Mapping[Move, Tally]
    left_out: tuple[LeftOut, ...]
    playouts: int
    elapsed_s: float
    interrupted: bool = False
    precise: bool | None = None

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.baseline.players


@dataclass(frozen=True)
class Sensitivity:
    """A whole study.

    Attributes:
        tables: one for each number of players, their effects not judged.
        left_out: constants and values that were not played, with the reasons.
        target: where the designer wants a share to lie.
        sequential: whether a stopping rule ended the runs, so that all intervals are confidence sequences.
        beside: p-values of effects found elsewhere that are judged together with these.
        shared: among how many sets of conclusions the confidence is shared, so that all hold at once.
    """

    tables: tuple[Measured, ...]
    left_out: tuple[LeftOut, ...]
    target: Target | None = None
    sequential: bool = False
    beside: tuple[float, ...] = ()
    shared: int = 1

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """All effects, judged together. The intervals of those that count as found are wide enough for having been picked."""
        found = [effect for table in self.tables for effect in table.effects]
        adjusted = false_discovery([*(effect.difference.p_value for effect in found), *self.beside])
        picked = sum(p <= FALSE_DISCOVERIES for p in adjusted)
        confidence = confidence_of_selected(picked, len(adjusted), FALSE_DISCOVERIES) if picked else CONFIDENCE
        judged = (replace(effect, adjusted=p) for effect, p in zip(found, adjusted[: len(found)], strict=True))
        return tuple(replace(e, difference=e.at(confidence)) if e.significant and e.at is not None else e for e in judged)

    @cached_property
    def overturned(self) -> tuple[Overturned, ...]:
        """Conclusions that a move changes: those by constants in doubt first, and of these the largest effects first.

        A move that has no significant effect on what a conclusion rests on overturns nothing.
        """
        found = [o for table in self.tables for o in _overturned(table, self._significant, self)]
        return tuple(sorted(found, key=lambda o: (not o.move.doubtful, -o.size)))

    @cached_property
    def aimed(self) -> tuple[Aimed, ...]:
        """What the target was held against, under the rules as they are; nothing where there is no target."""
        return tuple(aimed for table in self.tables for aimed in aimed_in(table, table.unmoved, self))

    @property
    def target_texts(self) -> tuple[str, ...]:
        """A sentence for each number of players: whose share was to lie where, and where it lies."""
        return tuple(_target_text([a for a in self.aimed if a.players == n]) for n in dict.fromkeys(a.players for a in self.aimed))

    @property
    def nothing_overturned(self) -> str:
        """What to say where no constant in doubt overturns a conclusion."""
        played = [effect.difference.estimate.n for effect in self.effects if effect.move.doubtful]
        if not played:
            return "No constant that could be moved is in doubt."
        return (
            "Of the constants in doubt that could be moved, none is seen to overturn a conclusion, "
            f"at the values that were tried and by {min(played):,} playouts of each."
        )

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Assumed constants that were not moved at all."""
        moved = {effect.move.key for effect in self.effects}
        return tuple(dict.fromkeys(one.key for one in self.left_out if one.source == "assumed" and one.key not in moved))

    @cached_property
    def without_effect(self) -> tuple[str, ...]:
        """Constants none of whose moves did anything measurable, with any number of players."""
        moving = {effect.move.key for effect in self.effects if effect.significant}
        return tuple(key for key in dict.fromkeys(effect.move.key for effect in self.effects) if key not in moving)

    @cached_property
    def _significant(self) -> frozenset[tuple[Move, int, str]]:
        return frozenset((e.move, e.players, e.metric.name) for e in self.effects if e.significant)

    def ranked(self, metric: str, players: int) -> list[list[Effect]]:
        """For each constant its effects on a metric; the constant with the largest first."""
        by_key: dict[str, list[Effect]] = {}
        for effect in self.effects:
            if effect.metric.name == metric and effect.players == players:
                by_key.setdefault(effect.move.key, []).append(effect)
        return sorted(by_key.values(), key=lambda effects: -max(abs(e.difference.estimate.best) for e in effects))

    def estimate(self, metric: Metric, tally: Tally, *, together: bool = False) -> Estimate:
        """A metric's estimate from a tally, for shares of wins with the interval that holds for all seats at once."""
        confidence = simultaneous(self.shared * (len(tally.outcomes) if together else 1))
        return (sequence_of if self.sequential else estimate_metric)(metric, tally[metric.name], confidence)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "effects": [effect.as_dict() for effect in self.effects],
            "overturned": [o.as_dict() for o in self.overturned],
            "without_effect": list(self.without_effect),
            "left_out": [one.as_dict() for one in self.left_out],
            **({"target": [aimed.as_dict() for aimed in self.aimed]} if self.target is not None else {}),
        }


# ---------------------------------------------------------------- what can be moved, and where to


def moves_of(game: Game, baseline: Mapping[str, Any], also: Iterable[tuple[str, Any]] = ()) -> tuple[list[Move], list[LeftOut]]:
    """Every move of every constant, and those that the rules do not allow.

    Args:
        game: whose constants.
        baseline: dotted key to value, for what differs from the rules as shipped.
        also: more moves, as key and value.

    Raises:
        RulesError: one of the moves asked for does not exist or cannot be played.
    """
    rules, baseline = build_rules(game.rules, baseline), loosened(game.rules, baseline)
    moves: list[Move] = []
    left_out: list[LeftOut] = []
    extra = [_asked_for(game, baseline, key, value) for key, value in also]
    for c in constants(rules):
        wanted = alternatives(c, game.rules)
        if not wanted and all(move.key != c.key for move in extra):
            left_out.append(LeftOut(c.key, None, c.source, _unmovable(c)))
        for to in wanted:
            try:
                moves.append(_move(game, baseline, c, to, plausible=to in c.plausible))
            except RulesError as error:
                left_out.append(LeftOut(c.key, to, c.source, str(error)))
        moves += [move for move in extra if move.key == c.key and move not in moves]
    return moves, left_out


def _asked_for(game: Game, baseline: Mapping[str, Any], key: str, value: Any) -> Move:
    built = values(build_rules(game.rules, {**baseline, key: value}))
    constant = next(c for c in constants(build_rules(game.rules, baseline)) if c.key == key)
    return _move(game, baseline, constant, built[key], plausible=bool(constant.plausible))


def _move(game: Game, baseline: Mapping[str, Any], c: Constant, to: Value, *, plausible: bool) -> Move:
    carries = tuple((key, start, end) for key, (start, end) in carried(game.rules, baseline, c.key, to).items())
    return Move(c.key, c.value, to, c.source, plausible, to == c.left_out, carries)


def _unmovable(c: Constant) -> str:
    if c.source == "derived":
        return f"It goes with what it is derived from: {c.note}."
    kind = "a list" if isinstance(c.value, tuple) else "a word"
    return f"It is {kind} without plausible values, so that there is no step; name other values with --also '{c.key}=...'."


# ---------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Question:
    """What to measure.

    Attributes:
        game: which game.
        baseline: dotted key to value, for what differs from the rules as shipped.
        strategies: one for everybody, or several seated in turn; none means the game's default.
        seed: key of all random draws.
        games: playouts for each move; with a precision the most of them.
        metrics: names of what to look at; empty means the headlines, "all" everything.
        precision: play until the differences are this narrow: those of its metric, or of all shares looked at.
        target: where the designer wants a share to lie.
        workers: who plays; it does not change the result.
    """

    game: Game
    baseline: Mapping[str, Any] = field(default_factory=dict)
    strategies: tuple[str, ...] = ()
    seed: int = 1
    games: int = 100_000
    metrics: tuple[str, ...] = ()
    precision: Precision | None = None
    target: Target | None = None
    workers: Workers = None

    def __post_init__(self) -> None:
        """What is tied to a constant that moves has to move with it."""
        object.__setattr__(self, "baseline", loosened(self.game.rules, self.baseline))

    def experiments(self, moves: Sequence[Move], players: int) -> list[Experiment]:
        """The rules as they are, and each move."""
        variants = [Variant(move.text, {move.key: move.to}) for move in moves]
        return experiments_of(self.game.name, dict(self.baseline), variants, players=players, strategies=self.strategies, seed=self.seed)

    def chosen(self, players: int) -> tuple[Metric, ...]:
        """What to look at, and always what the conclusions rest on.

        Raises:
            UserError: there is no such metric, or a target or a precision is none for it.
        """
        known = {m.name: m for m in self.game.metrics(build_rules(self.game.rules, self.baseline), players)}
        asked = [m.name for m in known.values() if "all" in self.metrics or (not self.metrics and m.headline)]
        asked += [name for name in self.metrics if name != "all"]
        if self.precision is not None and self.precision.metric is not None:
            asked.append(self.precision.metric)
        aimed = self.target.metric if self.target is not None else None
        names = dict.fromkeys([*asked, *conclusion_metrics(self.game, players), *filter(None, [aimed])])
        for name in names:
            if name not in known:
                message = f"There is no metric '{name}'{nearest(name, known)}; there are {', '.join(known)}."
                raise UserError(message)
        if aimed and known[aimed].kind != "share":
            shares = ", ".join(m.name for m in known.values() if m.kind == "share")
            message = f"A target is about a share, and '{aimed}' is none; there are {shares}."
            raise UserError(message)
        if self.target is not None:
            ends = (self.target.low, self.target.high)
            check_ends(ends, f"--target {':'.join(map(number_text, ends))}", 0.0, 1.0)
        if self.precision is not None:
            self.precision.check(known[self.precision.metric or first_outcome(list(known.values())).name])
        return tuple(known[name] for name in names)


def conclusion_metrics(game: Game, players: int) -> tuple[str, ...]:
    """What conclusions rest on: how often the players win together, or every seat's share of wins."""
    return (first_outcome(game.metrics(game.rules(), players)).name,) if game.cooperative else game.verdict(players)


def measure(question: Question, moves: Sequence[Move], players: int, told: Told | None = None) -> Measured:
    """Play every move with one number of players. Ctrl-C keeps what is done.

    Args:
        question: what to measure.
        moves: which constants go where.
        players: how many sit at the table.
        told: called now and then with the playouts of moves done and what they gave.

    Raises:
        UserError: something does not exist, or a strategy is refused.
        KeyboardInterrupt: interrupted before anything was finished.
    """
    metrics = question.chosen(players)
    playable, left_out = comparable(question, moves, players)
    table: Measured | None = None
    done = 0
    interrupted = False
    try:
        for group in grouped(question, playable, players, metrics):
            part = _play_group(question, group, players, metrics, _shifted(told, done, len(group)))
            table = part if table is None else _joined(table, part)
            done += len(group) * question.games
            if part.interrupted:
                break
    except KeyboardInterrupt:
        interrupted = True
    if table is None:
        if not playable:
            message = f"No rule of {question.game.title} could be moved; name values with --also KEY=VALUE."
            raise UserError(message)
        raise KeyboardInterrupt
    return replace(table, left_out=tuple(left_out), interrupted=interrupted or table.interrupted)


def comparable(question: Question, moves: Sequence[Move], players: int) -> tuple[list[Move], list[LeftOut]]:
    """The moves that count the same things as the baseline, so that they can be paired, and those that do not."""
    baseline, *moved = question.experiments(moves, players)
    names = [m.name for m in baseline.metrics]
    playable: list[Move] = []
    left_out: list[LeftOut] = []
    for move, experiment in zip(moves, moved, strict=True):
        if [m.name for m in experiment.metrics] == names:
            playable.append(move)
        else:
            left_out.append(LeftOut(move.key, move.to, move.source, "With it other things are counted, so playouts cannot be paired."))
    return playable, left_out


def grouped(question: Question, moves: Sequence[Move], players: int, metrics: Sequence[Metric]) -> list[list[Move]]:
    """The moves in groups to be played at once; with a stopping rule those that need about as many playouts together."""
    listed = list(moves)
    if question.precision is not None:
        batch = question.experiments((), players)[0].batch
        pilot = replace(question, precision=None, games=min(question.games, batch))
        wanted = aimed_at(question, metrics)
        spread = {}
        for group in _chunks(listed):
            run = play_pairs(pilot.experiments(group, players), pilot.games, workers=question.workers)
            for move, pair in zip(group, run.part.pairs, strict=True):
                spread[move] = max((_variance(pair, m.name) for m in wanted), default=0.0)
        listed.sort(key=spread.__getitem__)
    return _chunks(listed)


def _variance(pair: PairedTally, metric: str) -> float:
    sums = pair[metric]
    return variance_of(sums.difference, sums.difference_squares, pair.n) if pair.n > 1 else 0.0


def _chunks(moves: Sequence[Move]) -> list[list[Move]]:
    """As few groups of at most TOGETHER as there can be, about equally large."""
    count = -(-len(moves) // TOGETHER)
    return [list(moves[len(moves) * i // count : len(moves) * (i + 1) // count]) for i in range(count)]


def aimed_at(question: Question, metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics whose differences have to become precise: the named one, or all shares."""
    named = question.precision.metric if question.precision is not None else None
    return [m for m in metrics if (m.name == named if named else m.kind == "share")]


class _Precise:
    """A stopping rule: all differences are narrow enough. When it looks depends on nothing but the number of playouts."""

    def __init__(self, metrics: Sequence[Metric], reach: float, same: Sequence[bool]) -> None:
        self.metrics, self.reach, self.same = metrics, reach, same
        self.looked = 0

    def __call__(self, part: PairedPart) -> bool:
        if part.games < GROWTH * self.looked:
            return False
        self.looked = part.games
        return self.holds(part)

    def holds(self, part: PairedPart) -> bool:
        return all(
            half_width(pair.difference_sequence(m, identical=same, tuned_for=Width(self.reach)).estimate) <= self.reach
            for (pair, same), m in product(zip(part.pairs, self.same, strict=True), self.metrics)
        )


def _shifted(told: Told | None, done: int, moves: int) -> Told | None:
    """Progress of a group as progress of all moves."""
    if told is None:
        return None
    return lambda games, part: told(done + moves * games, part)


def _play_group(question: Question, moves: Sequence[Move], players: int, metrics: tuple[Metric, ...], told: Told | None) -> Measured:
    experiments = question.experiments(moves, players)
    same = [e.id == experiments[0].id for e in experiments[1:]]
    rule = None
    if question.precision is not None:
        rule = _Precise(aimed_at(question, metrics), question.precision.half_width, same)
    run = play_pairs(experiments, question.games, enough=rule, workers=question.workers, progress=told)
    sequential = rule is not None or run.interrupted
    effects = [
        Effect(move, players, m, at(CONFIDENCE), at=at)
        for move, pair, identical in zip(moves, run.part.pairs, same, strict=True)
        for m in metrics
        for at in [partial(_difference, pair, m, same=identical, tuned_for=_tuned(question, rule, m) if sequential else None)]
    ]
    return Measured(
        experiments[0],
        metrics,
        tuple(effects),
        run.part.tallies[0],
        dict(zip(moves, run.part.tallies[1:], strict=True)),
        (),
        run.part.games * len(experiments),
        run.elapsed_s,
        run.interrupted,
        rule.holds(run.part) if rule is not None else None,
    )


def _tuned(question: Question, rule: _Precise | None, metric: Metric) -> Tuned:
    """Where the sequence of a difference is narrowest: at the width that was asked for, if this metric is to be so precise."""
    return Width(rule.reach) if rule is not None and metric in rule.metrics else min(question.games, TUNED_FOR)


def _difference(pair: PairedTally, metric: Metric, confidence: float, *, same: bool, tuned_for: Tuned | None) -> Difference:
    if tuned_for is None:
        return pair.difference(metric, confidence, identical=same)
    return pair.difference_sequence(metric, confidence, identical=same, tuned_for=tuned_for)


def _joined(one: Measured, other: Measured) -> Measured:
    """Two groups of moves of the same baseline."""
    return replace(
        one,
        effects=(*one.effects, *other.effects),
        unmoved=max(one.unmoved, other.unmoved, key=lambda tally: tally.games),
        moved={**one.moved, **other.moved},
        playouts=one.playouts + other.playouts,
        elapsed_s=one.elapsed_s + other.elapsed_s,
        interrupted=one.interrupted or other.interrupted,
        precise=None if one.precise is None else one.precise and bool(other.precise),
    )


def study(question: Question, moves: Sequence[Move], left_out: Sequence[LeftOut], tables: Sequence[Measured]) -> Sensitivity:
    """Judge all that was measured together, in the order of the constants."""
    order = {move: place for place, move in enumerate(moves)}
    sorted_tables = [replace(t, effects=tuple(sorted(t.effects, key=lambda e: order[e.move]))) for t in tables]
    everything = dict.fromkeys([*left_out, *(one for t in tables for one in t.left_out)])
    return Sensitivity(
        tuple(sorted_tables), tuple(everything), question.target, question.precision is not None or any(t.interrupted for t in tables)
    )


def sensitivity(
    question: Question, players: Sequence[int] = (4,), also: Iterable[tuple[str, Any]] = (), told: Told | None = None
) -> Sensitivity:
    """Move every constant, with each number of players; see `Question`, `moves_of` and `measure`."""
    moves, left_out = moves_of(question.game, question.baseline, also)
    return study(question, moves, left_out, [measure(question, moves, n, told) for n in players])


# ---------------------------------------------------------------- conclusions


@dataclass(frozen=True)
class Standing:
    """A conclusion.

    Attributes:
        state: what tells it from others.
        rests_on: the metrics it rests on.
        text: how it is said.
        rules_out: the states that cannot be true if the intervals hold.
        settled: whether it says something; otherwise the intervals leave it open.
    """

    state: Any
    rests_on: tuple[str, ...]
    text: str
    rules_out: frozenset[Any] = frozenset()
    settled: bool = True


def standings(table: Measured, tally: Tally, whole: Sensitivity) -> list[Standing]:
    """What a tally says: who is ahead, and whether a share lies where the designer wants it."""
    known = {m.name: m for m in table.metrics}
    game = table.baseline.game
    rest = conclusion_metrics(game, table.players)
    about = [known[name] for name in rest]
    together = not game.cooperative
    estimates = {m.name: whole.estimate(m, tally, together=together) for m in about}
    first = _side(about[0], estimates[rest[0]]) if game.cooperative else _favourite(about, estimates)
    return [first, *map(_aim, aimed_in(table, tally, whole))]


def aimed_in(table: Measured, tally: Tally, whole: Sensitivity) -> list[Aimed]:
    """The shares that the target is about, as a tally has them; nothing where there is no target."""
    if whole.target is None:
        return []
    rest = conclusion_metrics(table.baseline.game, table.players)
    names = [whole.target.metric] if whole.target.metric else rest
    together = not table.baseline.game.cooperative
    known = {m.name: m for m in table.metrics}
    return [
        Aimed(whole.target, table.players, known[name], whole.estimate(known[name], tally, together=together and name in rest))
        for name in names
    ]


def _target_text(aimed: Sequence[Aimed]) -> str:
    first, n = aimed[0], aimed[0].players
    found = [f"{share_text(a.estimate)}, {a.lies}" for a in aimed]
    whose = first.metric.label
    if len(aimed) > 1:
        whose = "every seat's share of wins"
        found = [f"{a.metric.label} {text}" for a, text in zip(aimed, found, strict=True)]
    return f"Target, {n} player{'' if n == 1 else 's'}: {whose} {first.target.text}; as it is {'; '.join(found)}."


def _side(metric: Metric, estimate: Estimate) -> Standing:
    """On which side of one half a share lies."""
    more, less = "more than half", "less than half"
    state = more if estimate.low > EVEN else less if estimate.high < EVEN else "about half"
    text = f"{metric.label} {share_text(estimate)}, {state}"
    return Standing(state, (metric.name,), text, frozenset({more, less} - {state}), settled=state in {more, less})


def _favourite(metrics: Sequence[Metric], estimates: Mapping[str, Estimate]) -> Standing:
    """The seat that wins most, if it wins more than an equal share."""
    equal = sum(e.best for e in estimates.values()) / len(estimates)
    best = max(metrics, key=lambda m: estimates[m.name].best)
    found = estimates[best.name]
    if found.low <= equal:
        text = f"no seat is seen to win more than its share (at most: {best.label} {share_text(found)})"
        return Standing(None, (), text, settled=False)
    behind = frozenset(name for name, e in estimates.items() if e.high < found.low)
    return Standing(best.name, (best.name,), f"{best.label} {share_text(found)}, the most and more than its share", behind)


def _aim(aimed: Aimed) -> Standing:
    """Whether a share lies within the target."""
    states = {"inside": "within the target", "outside": "outside the target", "open": "on the edge of the target"}
    state, firm = states[aimed.lies], {states["inside"], states["outside"]}
    text = f"{aimed.metric.label} {share_text(aimed.estimate)}, {state} of {aimed.target.text}"
    return Standing(state, (aimed.metric.name,), text, frozenset(firm - {state}), settled=state in firm)


def _overturned(table: Measured, significant: frozenset[tuple[Move, int, str]], whole: Sensitivity) -> Iterator[Overturned]:
    before = standings(table, table.unmoved, whole)
    size = {(e.move, e.metric.name): abs(e.difference.estimate.best) for e in table.effects}
    for move, tally in table.moved.items():
        for was, now in zip(before, standings(table, tally, whole), strict=True):
            rests_on = {*was.rests_on, *now.rests_on}
            shown = {name for name in rests_on if (move, table.players, name) in significant}
            if was.state != now.state and shown:
                yield Overturned(move, table.players, was.text, now.text, max(size[move, name] for name in shown))


def share_text(estimate: Estimate) -> str:
    """A share and its interval in percent."""
    low, high = 100 * estimate.low, 100 * estimate.high
    return f"{100 * estimate.best:.1f}% ({low:.1f}\N{EN DASH}{high:.1f})"
