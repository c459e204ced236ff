"""Sensitivity: every rule constant moved alone, on the same playouts, and what that does to the game.

Constants that are not printed anywhere go to the ends of the range in which the truth may lie, or to each alternative; all
others move by one step. What such a move does says how much a conclusion depends on a number that nobody was sure of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any

from simulator.document.language import listed, plural
from simulator.errors import RulesError, UserError, nearest
from simulator.game import first_outcome
from simulator.rules import Constant, brief_text, build_rules, constants, values
from simulator.rules.alternatives import acts, alternatives, carried, loosened
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_metric, simultaneous, variance_of
from simulator.stats.sequences import TUNED_FOR, Width, half_width, sequence_of
from simulator.stats.shares import check_ends, number_text
from simulator.stats.verdicts import confidence_of_selected, false_discovery
from simulator.studies.conclusions import (
    HOW_OFTEN,
    Aimed,
    Open,
    Overturned,
    Standing,
    Target,
    aimed_in,
    conclusion_metrics,
    endings,
    games_to_settle,
    standings,
    target_text,
)
from simulator.studies.pairs import PairedPart, Variant, experiments_of, play_pairs

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.play.executors import Workers
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.play.run import Precision
    from simulator.rules import SourceKind, Value
    from simulator.stats.paired import Difference, PairedTally
    from simulator.stats.sequences import Tuned
    from simulator.stats.tally import Tally

    Told = Callable[[int, Any], None]

MOST_LETTERS = 40
"""A list that takes more letters is not repeated with each of its moves."""

FALSE_DISCOVERIES = 0.05
"""Of the effects that are called significant, on average at most this share is none."""

TOGETHER = 8
"""Moves that are played at once, with the rules as they are: more need more memory, fewer play those more often."""

GROWTH = 1.05
"""A stopping rule looks again when there are this many times as many playouts as when it last looked."""

NEGLIGIBLE, NEGLIGIBLE_SPREAD, NEGLIGIBLE_COUNT = 0.01, 0.1, 0.05
"""An effect does not matter that is no larger than this share of games; than this part of the standard deviation from game to
game of what is counted, or this count."""


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
        """How it is written: `key from -> to`, without where it comes from if that is a long list."""
        start = brief_text(self.start)
        return f"{self.key} {start if len(start) <= MOST_LETTERS else ''}".rstrip() + f" \N{RIGHTWARDS ARROW} {brief_text(self.to)}"

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
        inert: moves that cannot act at this number of players, and were not played.
        digests: hashes of what was counted, one for each move, so that they are the same however moves are grouped for playing.
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
    inert: tuple[Move, ...] = ()
    digests: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Hash of all counts."""
        return joint_digest(self.digests)

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.baseline.players

    def negligible(self, metric: Metric) -> float:
        """The largest effect on a metric that does not matter."""
        if metric.kind == "share":
            return NEGLIGIBLE
        total, squares = self.unmoved[metric.name].moments()
        n = self.unmoved.games
        return max(NEGLIGIBLE_SPREAD * math.sqrt(max(0, n * squares - total * total)) / n, NEGLIGIBLE_COUNT)


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
        return tuple(target_text([a for a in self.aimed if a.players == n]) for n in dict.fromkeys(a.players for a in self.aimed))

    @cached_property
    def open(self) -> tuple[Open, ...]:
        """Conclusions that are not settled: first those about the rules as they are, then those under moved constants in doubt."""
        found = [one for table in self.tables for one in _open(table, self)]
        return tuple(sorted(found, key=lambda one: (one.move is not None, one.move is not None and not one.move.doubtful)))

    @property
    def headline(self) -> str:
        """Whether a constant in doubt overturns a conclusion, how much of that is open, and what was not tried."""
        told = [self._doubted, *self.not_tried]
        as_it_is = sum(one.move is None for one in self.open)
        in_doubt = sum(one.move is not None and one.move.doubtful for one in self.open)
        if as_it_is:
            told.insert(
                1, f"{as_it_is} {_conclusions(as_it_is)} open under the rules as they are, so that nothing can overturn {_them(as_it_is)}."
            )
        if in_doubt:
            told.insert(1, f"{in_doubt} more {_conclusions(in_doubt)} open when such a constant is moved.")
        return " ".join(told)

    @property
    def _doubted(self) -> str:
        played = {e.move: e.difference.estimate.n for e in self.effects if e.move.doubtful}
        if not played:
            return "No constant that could be moved is in doubt."
        keys = list(dict.fromkeys(o.move.key for o in self.overturned if o.move.doubtful))
        if keys:
            return f"{plural(len(keys), 'constant')} that nobody is sure of could overturn a conclusion: {', '.join(keys)}."
        return (
            f"Of {len({move.key for move in played})} constants in doubt, moved to {len(played)} values, none is seen to overturn a"
            f" conclusion, by {min(played.values()):,} playouts of each."
        )

    @property
    def not_tried(self) -> tuple[str, ...]:
        """What was left out of constants in doubt, in a sentence; nothing where nothing was."""
        some = [f"{one.key} = {brief_text(one.to)}" for one in self.left_out if one.source == "assumed" and one.to is not None]
        left = [*self.unjudged, *(text for text in some if text.split(" = ")[0] not in self.unjudged)]
        return (f"Assumed, and not tried: {', '.join(left)}; a conclusion may hang on {_them(len(left))}.",) if left else ()

    @property
    def inert_texts(self) -> tuple[str, ...]:
        """Which moves cannot act; a sentence for each number of players where there are any."""
        told = []
        for table in self.tables:
            to: dict[str, list[str]] = {}
            for move in table.inert:
                to.setdefault(move.key, []).append(brief_text(move.to))
            moved = "; ".join(f"{key} to {listed(values, 'or')}" for key, values in to.items())
            told += [f"Moved nowhere, since that cannot act with {table.players} players: {moved}."] * bool(to)
        return tuple(told)

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Assumed constants that were not moved at all."""
        moved = {effect.move.key for effect in self.effects}
        return tuple(dict.fromkeys(one.key for one in self.left_out if one.source == "assumed" and one.key not in moved))

    @cached_property
    def _quiet(self) -> dict[str, int | None]:
        """Constants none of whose moves has a found effect, and how many playouts would show that none matters, about; 0: shown."""
        found: dict[str, int | None] = {}
        margins = {(t.players, m.name): t.negligible(m) for t in self.tables for m in t.metrics}
        moving = {effect.move.key for effect in self.effects if effect.significant}
        for e in self.effects:
            if e.move.key not in moving:
                needed = _to_be_sure(e.difference, margins[e.players, e.metric.name])
                before = found.get(e.move.key, 0)
                found[e.move.key] = None if needed is None or before is None else max(needed, before)
        return found

    @property
    def without_effect(self) -> tuple[str, ...]:
        """Constants of which every move is shown to have no effect that matters, with any number of players that it can act at."""
        return tuple(key for key, games in self._quiet.items() if games == 0)

    @property
    def undecided(self) -> dict[str, int | None]:
        """Constants without a found effect of which a move may have one that matters, and how many playouts would tell, about."""
        return {key: games for key, games in self._quiet.items() if games != 0}

    @property
    def quiet_texts(self) -> tuple[str, ...]:
        """Sentences on the constants without a found effect."""
        told = [*self.inert_texts]
        if self.without_effect:
            told.append(f"No effect that matters, shown for every move: {', '.join(self.without_effect)}.")
        if self.undecided:
            listed = [
                f"{key} ({f'about {n:,} playouts would tell' if n else 'hardly any number would tell'})"
                for key, n in self.undecided.items()
            ]
            told.append(f"Open, no effect found but one that matters not ruled out: {', '.join(listed)}.")
        return tuple(told)

    @cached_property
    def _significant(self) -> frozenset[tuple[Move, int, str]]:
        return frozenset((e.move, e.players, e.metric.name) for e in self.effects if e.significant)

    def worth_showing(self, metric: Metric) -> bool:
        """Whether to show the effects on a metric: always, but for one that only tells how games end, where none is found."""
        only = any(metric.name in endings(t.baseline.game, {m.name: m for m in t.metrics}, t.players) for t in self.tables)
        return metric.headline or not only or any(e.significant for e in self.effects if e.metric == metric)

    def ranked(self, metric: str, players: int) -> list[list[Effect]]:
        """For each constant its effects on a metric; the constant with the largest first."""
        by_key: dict[str, list[Effect]] = {}
        for effect in self.effects:
            if effect.metric.name == metric and effect.players == players:
                by_key.setdefault(effect.move.key, []).append(effect)
        return sorted(by_key.values(), key=lambda effects: -max(abs(e.difference.estimate.best) for e in effects))

    @property
    def confidence(self) -> float:
        """At which a conclusion is drawn."""
        return simultaneous(self.shared)

    def estimate(self, metric: Metric, tally: Tally, *, together: bool = False) -> Estimate:
        """A metric's estimate from a tally, for shares of wins with the interval that holds for all seats at once."""
        confidence = simultaneous(len(tally.outcomes) if together else 1, self.confidence)
        return (sequence_of if self.sequential else estimate_metric)(metric, tally[metric.name], confidence)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        inert = [{"key": m.key, "from": m.start, "to": m.to, "players": t.players} for t in self.tables for m in t.inert]
        return {
            "headline": self.headline,
            "effects": [effect.as_dict() for effect in self.effects],
            "overturned": [o.as_dict() for o in self.overturned],
            "open": [one.as_dict() for one in self.open],
            "without_effect": list(self.without_effect),
            "undecided": [{"key": key, "games": games} for key, games in self.undecided.items()],
            "cannot_act": inert,
            "left_out": [one.as_dict() for one in self.left_out],
            "digests": [table.digest for table in self.tables],
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
        ledger: where what was played is remembered; what it holds is not played again.
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
    ledger: Ledger | None = None

    def __post_init__(self) -> None:
        """What is tied to a constant that moves has to move with it."""
        object.__setattr__(self, "baseline", loosened(self.game.rules, self.baseline))

    def experiments(self, moves: Sequence[Move], players: int) -> list[Experiment]:
        """The rules as they are, and each move."""
        variants = [Variant(move.text, {move.key: move.to}) for move in moves]
        return experiments_of(self.game, dict(self.baseline), variants, players=players, strategies=self.strategies, seed=self.seed)

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
        rest = [*conclusion_metrics(self.game, players), *filter(None, [aimed]), *endings(self.game, known, players)]
        names = dict.fromkeys([*asked, *rest])
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
    acting, inert = _acting(question, moves, players)
    playable, left_out = comparable(question, acting, players)
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
    return replace(table, left_out=tuple(left_out), interrupted=interrupted or table.interrupted, inert=tuple(inert))


def _acting(question: Question, moves: Sequence[Move], players: int) -> tuple[list[Move], list[Move]]:
    """The moves that can act at a number of players, and those that cannot."""
    baseline, *moved = question.experiments(moves, players)
    inert = [e.id != baseline.id and not acts(baseline.rules, e.rules, players) for e in moved]
    return [m for m, still in zip(moves, inert, strict=True) if not still], [m for m, still in zip(moves, inert, strict=True) if still]


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
            run = play_pairs(pilot.experiments(group, players), pilot.games, workers=question.workers, ledger=question.ledger)
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


def _to_be_sure(found: Difference, margin: float) -> int | None:
    """About how many playouts would show whether an effect is larger than the margin, or there at all; 0 if it is shown not to matter."""
    difference = found.estimate
    if -margin <= difference.low and difference.high <= margin:
        return 0
    best = abs(difference.best)
    return games_to_settle(difference.n, half_width(difference), max(best, margin - best), 2 if found.moved else 1)


def _conclusions(n: int) -> str:
    return "conclusion is" if n == 1 else "conclusions are"


def _them(n: int) -> str:
    return "it" if n == 1 else "them"


def _shifted(told: Told | None, done: int, moves: int) -> Told | None:
    """Progress of a group as progress of all moves."""
    if told is None:
        return None
    return lambda games, part: told(done + moves * games, part) if games else None


def _play_group(question: Question, moves: Sequence[Move], players: int, metrics: tuple[Metric, ...], told: Told | None) -> Measured:
    experiments = question.experiments(moves, players)
    same = [e.id == experiments[0].id for e in experiments[1:]]
    rule = None
    if question.precision is not None:
        rule = _Precise(aimed_at(question, metrics), question.precision.half_width, same)
    run = play_pairs(experiments, question.games, enough=rule, workers=question.workers, ledger=question.ledger, progress=told)
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
        digests=tuple(joint_digest([t.digest, p.digest]) for t, p in zip(run.part.tallies[1:], run.part.pairs, strict=True)),
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
        digests=one.digests + other.digests,
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


def _kept(was: Standing, now: Standing) -> bool:
    """Whether a conclusion is shown to hold under the moved rules too."""
    return now.settled and now.state <= was.state


def _overturned(table: Measured, significant: frozenset[tuple[Move, int, str]], whole: Sensitivity) -> Iterator[Overturned]:
    size = {(e.move, e.metric.name): _size(e, table) for e in table.effects}
    turned: set[Move] = set()
    for move, was, now in _held_against(table, whole):
        shown = {name for name in {*was.rests_on, *now.rests_on} if (move, table.players, name) in significant}
        if was.contradicts(now) and shown and not (was.about == HOW_OFTEN and move in turned):  # on another side of half says more
            turned.add(move)
            yield Overturned(move, table.players, was.text, now.text, max(size[move, name] for name in shown))


def _open(table: Measured, whole: Sensitivity) -> Iterator[Open]:
    """What is not settled: under the rules as they are, or else under moved ones."""
    for standing in standings(table, table.unmoved, whole, table.unmoved):
        if not standing.settled:
            yield Open(None, table.players, standing.text, standing.games)
    for move, was, now in _held_against(table, whole):
        if was.settled and not _kept(was, now) and not was.contradicts(now):
            yield Open(move, table.players, f"{now.text}; as it is: {was.text}", now.games)


def _held_against(table: Measured, whole: Sensitivity) -> Iterator[tuple[Move, Standing, Standing]]:
    """For each move every conclusion as it is, and under the moved rules."""
    before = standings(table, table.unmoved, whole, table.unmoved)
    for move, tally in table.moved.items():
        for was, now in zip(before, standings(table, tally, whole, table.unmoved), strict=True):
            yield move, was, now


def _size(e: Effect, table: Measured) -> float:
    """An effect as a share: of all games, or of the figure as it is."""
    size = abs(e.difference.estimate.best)
    total, _ = table.unmoved[e.metric.name].moments()
    return size if e.metric.kind == "share" or not total else size * table.unmoved.games / abs(total)
