"""Measuring moves: what moving every rule constant alone does, on the same playouts as the rules as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from simulator.document.language import plural
from simulator.errors import UserError
from simulator.rules.alternatives import acts
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, variance_of
from simulator.stats.sequences import TUNED_FOR, Width, half_width
from simulator.stats.unfinished import unfinished_of
from simulator.studies.effects import Effect, Measured
from simulator.studies.moves import LeftOut, Move
from simulator.studies.pairs import TOGETHER, PairedPart, Variant, experiments_of, play_pairs
from simulator.studies.search import counted_on

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.experiment import Experiment
    from simulator.play.run import Precision
    from simulator.stats.paired import Difference, PairedTally
    from simulator.stats.sequences import Tuned
    from simulator.studies.study import Setup


GROWTH = 1.05
"""A stopping rule looks again when there are this many times as many playouts as when it last looked."""


@dataclass(frozen=True)
class MovesPlan:
    """What is played with one number of players, and under one strategy where several are asked.

    Attributes:
        setup: the rules as they are, without what is tied to others, so that it moves with them; one number of players.
        moves: which constants go where.
        metrics: what to look at.
        games: playouts of each move; with a precision the most of them.
        precision: play until the differences are this narrow: those of its metric, or of all shares looked at.
        strategy: who plays, where several strategies are asked.
    """

    setup: Setup
    moves: tuple[Move, ...]
    metrics: tuple[Metric, ...]
    games: int
    precision: Precision | None = None
    strategy: str = ""

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return self.setup.players[0]

    @property
    def size(self) -> int:
        """How many playouts of moves it takes, at most."""
        return len(self.moves) * self.games

    @property
    def label(self) -> str:
        """Names the table."""
        return ", ".join(filter(None, (self.strategy, plural(self.players, "player"))))

    @property
    def aimed_at(self) -> list[Metric]:
        """The metrics whose differences have to become precise: the named one, or all shares."""
        named = self.precision.metric if self.precision is not None else None
        return [m for m in self.metrics if (m.name == named if named else m.kind == "share")]

    def experiments(self, moves: Sequence[Move]) -> tuple[Experiment, ...]:
        """The rules as they are, and each move."""
        return experiments_of(self.setup, [Variant(move.text, {move.key: move.to}) for move in moves])


def measure(plan: MovesPlan, how: Mapping[str, Any]) -> Measured:
    """Play every move. Ctrl-C keeps what is done.

    Args:
        plan: what to play.
        how: the keywords of `collect`; its progress is told the playouts of moves done.

    Raises:
        UserError: a strategy is refused, or no rule can be moved.
        KeyboardInterrupt: interrupted before anything was finished.
    """
    acting, inert = _acting(plan)
    playable, left_out = _comparable(plan, acting)
    table: Measured | None = None
    done, interrupted = 0, False
    try:
        for group in _grouped(plan, playable, how):
            part = _play_group(plan, group, {**how, "progress": counted_on(how.get("progress"), done, len(group))})
            table = part if table is None else _joined(table, part)
            done += len(group) * plan.games
            if part.interrupted:
                break
    except KeyboardInterrupt:
        interrupted = True
    if table is None:
        if not playable:
            message = f"No rule of {plan.setup.game.title} could be moved; name values with --also KEY=VALUE."
            raise UserError(message)
        raise KeyboardInterrupt
    return replace(table, left_out=tuple(left_out), interrupted=interrupted or table.interrupted, inert=tuple(inert))


def _acting(plan: MovesPlan) -> tuple[list[Move], list[Move]]:
    """The moves that can act at a number of players, and those that cannot."""
    baseline, *moved = plan.experiments(plan.moves)
    inert = [m for m, e in zip(plan.moves, moved, strict=True) if e.id != baseline.id and not acts(baseline.rules, e.rules, plan.players)]
    return [m for m in plan.moves if m not in inert], inert


def _comparable(plan: MovesPlan, moves: Sequence[Move]) -> tuple[list[Move], list[LeftOut]]:
    """The moves that count the same things as the baseline, so that they can be paired, and those that do not."""
    baseline, *moved = plan.experiments(moves)
    names = [m.name for m in baseline.metrics]
    same = [[m.name for m in e.metrics] == names for e in moved]
    reason = "With it other things are counted, so playouts cannot be paired."
    left_out = [LeftOut(m.key, m.to, m.source, reason) for m, alike in zip(moves, same, strict=True) if not alike]
    return [m for m, alike in zip(moves, same, strict=True) if alike], left_out


def _grouped(plan: MovesPlan, moves: Sequence[Move], how: Mapping[str, Any]) -> list[list[Move]]:
    """The moves in groups to be played at once; with a stopping rule those that need about as many playouts together."""
    listed = list(moves)
    if plan.precision is not None:
        games, spread = min(plan.games, plan.experiments(())[0].batch), {}
        for group in _chunks(listed):
            run = play_pairs(plan.experiments(group), games, **{**how, "progress": None})
            for move, pair in zip(group, run.part.pairs, strict=True):
                spread[move] = max((_variance(pair, m.name) for m in plan.aimed_at), default=0.0)
        listed.sort(key=spread.__getitem__)
    return _chunks(listed)


def _variance(pair: PairedTally, metric: str) -> float:
    sums = pair[metric]
    return variance_of(sums.difference, sums.difference_squares, pair.n) if pair.n > 1 else 0.0


def _chunks(moves: Sequence[Move]) -> list[list[Move]]:
    """As few groups of at most TOGETHER as there can be, about equally large."""
    count = -(-len(moves) // TOGETHER)
    return [list(moves[len(moves) * i // count : len(moves) * (i + 1) // count]) for i in range(count)]


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


def _play_group(plan: MovesPlan, moves: Sequence[Move], how: Mapping[str, Any]) -> Measured:
    experiments = plan.experiments(moves)
    same = [e.id == experiments[0].id for e in experiments[1:]]
    rule = None if plan.precision is None else _Precise(plan.aimed_at, plan.precision.half_width, same)
    run = play_pairs(experiments, plan.games, enough=rule, **how)
    sequential, (unmoved, *moved) = rule is not None or run.interrupted, run.part.tallies
    effects = [
        Effect(move, plan.players, m, at(CONFIDENCE), at=at, hidden=unfinished_of(unmoved, tally).hides(m.name))
        for move, pair, identical, tally in zip(moves, run.part.pairs, same, moved, strict=True)
        for m in plan.metrics
        for at in [partial(_difference, pair, m, same=identical, tuned_for=_tuned(plan, rule, m) if sequential else None)]
    ]
    return Measured(
        experiments[0],
        plan.metrics,
        tuple(effects),
        unmoved,
        dict(zip(moves, moved, strict=True)),
        (),
        run.part.games * len(experiments),
        run.elapsed_s,
        run.interrupted,
        rule.holds(run.part) if rule is not None else None,
        digests=tuple(joint_digest([t.digest, p.digest]) for t, p in zip(moved, run.part.pairs, strict=True)),
    )


def _tuned(plan: MovesPlan, rule: _Precise | None, metric: Metric) -> Tuned:
    """Where the sequence of a difference is narrowest: at the width that was asked for, if this metric is to be so precise."""
    return Width(rule.reach) if rule is not None and metric in rule.metrics else min(plan.games, TUNED_FOR)


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
