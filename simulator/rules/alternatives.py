"""Alternatives: where a rule constant may go, what goes with it, and whether that can act at a table at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from simulator.errors import RulesError
from simulator.rules.constants import Constant, GameRules, Value, field_of, values
from simulator.rules.overrides import build_rules

if TYPE_CHECKING:
    from simulator.rules.constants import Rules

FLOAT_STEP = 0.1
"""One step of a constant that is no whole number, as a share of its value."""


def alternatives(c: Constant, model: type[GameRules]) -> list[Value]:
    """Where a constant goes: to the ends of its plausible range, to each alternative, or one step each way, and out of the game.

    What is derived from others goes nowhere by itself, unless it says where.
    """
    wanted = list(c.plausible) or ([] if c.source == "derived" else _steps(c, model))
    if c.left_out is not None:
        wanted.append(c.left_out)
    frozen = [tuple(to) if isinstance(to, list) else to for to in wanted]
    return [to for place, to in enumerate(frozen) if to != c.value and to not in frozen[:place]]


def _steps(c: Constant, model: type[GameRules]) -> list[Value]:
    if isinstance(c.value, bool):
        return [not c.value]
    if isinstance(c.value, int):
        return [c.value - 1, c.value + 1]
    if isinstance(c.value, float):
        step = FLOAT_STEP * abs(c.value) or FLOAT_STEP
        return [c.value - step, c.value + step]
    return list(_choices(model, c.key))


def _choices(model: Any, key: str) -> tuple[Any, ...]:
    """The words that a constant may be, if it is a choice."""
    annotation = field_of(model, key).annotation
    return get_args(annotation) if get_origin(annotation) is Literal else ()


def loosened(model: type[GameRules], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """The overrides without those that say what holds anyway, so that what is tied to another constant follows it when it moves.

    A file with all constants of a game says a number of cards that is derived from a printed total; where another constant
    is moved from there, the number has to move too. A number that differs from what would be derived was set by hand and stays.
    """
    kept, meant = dict(overrides), build_rules(model, overrides)
    for key in overrides:
        rest = {k: v for k, v in kept.items() if k != key}
        try:
            kept = rest if build_rules(model, rest) == meant else kept
        except RulesError:
            continue  # without it the others cannot be played
    return kept


def carried(model: type[GameRules], baseline: Mapping[str, Any], key: str, to: Any) -> dict[str, tuple[Value, Value]]:
    """What else moves when one constant does: from where to where, by dotted key.

    Raises:
        RulesError: the constant cannot go there.
    """
    loose = loosened(model, baseline)
    before, after = values(build_rules(model, loose)), values(build_rules(model, {**loose, key: to}))
    return {k: (before[k], after[k]) for k in after if k != key and after[k] != before[k]}


def acts(before: Rules, after: Rules, players: int) -> bool:
    """Whether so many players could tell one set of rules from the other."""
    return before.acting(players) != after.acting(players)
