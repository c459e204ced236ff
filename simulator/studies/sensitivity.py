"""Sensitivity: every rule constant moved alone, on the same playouts, and what that does to the game.

Constants that are not printed anywhere go to the ends of the range in which the truth may lie, or to each alternative; all
others move by one step. What such a move does says how much a conclusion depends on a number that nobody was sure of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from simulator.errors import UserError
from simulator.game import first_outcome, metric_named
from simulator.numbers import number_text
from simulator.rules import build_rules
from simulator.rules.alternatives import acts, loosened
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, variance_of
from simulator.stats.sequences import TUNED_FOR, Width, half_width
from simulator.stats.shares import check_ends
from simulator.studies.conclusions import conclusion_metrics, endings
from simulator.studies.effects import Effect, Measured, Sensitivity
from simulator.studies.moves import LeftOut, Move, moves_of
from simulator.studies.pairs import PairedPart, Variant, experiments_of, play_pairs
from simulator.studies.search import counted_on
from simulator.studies.study import Setup

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.play.collect import Progress
    from simulator.play.executors import Workers
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.play.run import Precision
    from simulator.stats.bands import Band
    from simulator.stats.paired import Difference, PairedTally
    from simulator.stats.sequences import Tuned


TOGETHER = 8
"""Moves that are played at once, with the rules as they are: more need more memory, fewer play those more often."""

GROWTH = 1.05
"""A stopping rule looks again when there are this many times as many playouts as when it last looked."""


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
    target: Band | None = None
    workers: Workers = None
    ledger: Ledger | None = None

    def __post_init__(self) -> None:
        """What is tied to a constant that moves has to move with it."""
        object.__setattr__(self, "baseline", loosened(self.game.rules, self.baseline))

    def experiments(self, moves: Sequence[Move], players: int) -> list[Experiment]:
        """The rules as they are, and each move."""
        variants = [Variant(move.text, {move.key: move.to}) for move in moves]
        return list(experiments_of(Setup(self.game, (players,), self.strategies, self.baseline, self.seed), variants))

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
            metric_named([*known.values()], name)
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


def measure(question: Question, moves: Sequence[Move], players: int, told: Progress | None = None) -> Measured:
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
            part = _play_group(question, group, players, metrics, counted_on(told, done, len(group)))
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


def _play_group(question: Question, moves: Sequence[Move], players: int, metrics: tuple[Metric, ...], told: Progress | None) -> Measured:
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
    question: Question, players: Sequence[int] = (4,), also: Iterable[tuple[str, Any]] = (), told: Progress | None = None
) -> Sensitivity:
    """Move every constant, with each number of players; see `Question`, `moves_of` and `measure`."""
    moves, left_out = moves_of(question.game, question.baseline, also)
    return study(question, moves, left_out, [measure(question, moves, n, told) for n in players])
