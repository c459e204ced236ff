"""Moves: every rule constant moved alone, what moves with it, and what could not be moved, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.errors import RulesError
from simulator.rules import Constant, build_rules, constants, values
from simulator.rules.alternatives import alternatives, carried, loosened
from simulator.studies.axes import MOST_LETTERS, change_text

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.rules import SourceKind, Value


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
        return change_text(self.key, self.start, self.to, MOST_LETTERS)

    @property
    def doubtful(self) -> bool:
        """Whether nobody is sure that the constant is not really `to`."""
        return self.plausible or self.source == "assumed"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"key": self.key, "from": self.start, "to": self.to, "source": self.source}


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
