"""Settings: which rule constants could be changed, to what, and how large a change that is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from simulator.errors import RulesError, UserError
from simulator.rules import Constant, Value, brief_text, build_rules, constants, to_text, values
from simulator.rules.alternatives import alternatives, loosened
from simulator.studies.sweep import parse_axis

if TYPE_CHECKING:
    from simulator.game import Game

MOST_VALUES = 500
"""A constant that runs through more values than this is asked to take larger steps."""

LEAST_REACH = 2
"""A whole number without a plausible range goes half of itself up and down, and at least this far."""


@dataclass(frozen=True)
class Lever:
    """A rule constant that may be changed.

    Attributes:
        key: which.
        start: its value in the rules as they are.
        values: where it may go, in order; the value as it is among them, in its place, even if it was not named.
        span: what the size of a change is measured against; None where values have no distances.
    """

    key: str
    start: Value
    values: tuple[Value, ...]
    span: float | None

    @property
    def others(self) -> tuple[Value, ...]:
        """Where it may go from where it is."""
        return tuple(v for v in self.values if not _same(v, self.start))

    def size(self, value: Value) -> float:
        """How large a change is: 1 from end to end of the plausible range, and from any word or list to another.

        >>> Lever("deck.coal", 8, (4, 8, 12), 8.0).size(4), Lever("win_on_tie", True, (True, False), None).size(False)
        (0.5, 1.0)
        """
        if _same(value, self.start):
            return 0.0
        to: Any = value
        return abs(float(to) - float(self.start)) / self.span if self.span else 1.0  # type: ignore[arg-type]  # numbers have spans


STEPS = 8
"""A constant that is no whole number goes through its range in as many steps."""

Setting = tuple[tuple[str, Value], ...]
"""What is changed: keys and values in the order of the levers; nothing for the rules as they are."""


def _same(one: Value, other: Value) -> bool:
    return type(one) is type(other) and one == other


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def changes_text(setting: Setting, levers: Sequence[Lever]) -> str:
    """A setting in words, such as `wishes.goal 8 -> 10`."""
    start = {lever.key: lever.start for lever in levers}
    told = [f"{key} {brief_text(start[key])} \N{RIGHTWARDS ARROW} {brief_text(value)}" for key, value in setting]
    return ", ".join(told) or "the rules as they are"


def size_of(setting: Setting, levers: Sequence[Lever]) -> tuple[int, float]:
    """How much a setting changes, for an order: how many constants, and then by how much altogether."""
    known = {lever.key: lever for lever in levers}
    return len(setting), round(sum(known[key].size(value) for key, value in setting), 9)


def settings_of(levers: Sequence[Lever], changes: int) -> Iterator[Setting]:
    """Every setting that changes so many constants."""
    for chosen in combinations(levers, changes):
        for picked in product(*(lever.others for lever in chosen)):
            yield tuple(zip((lever.key for lever in chosen), picked, strict=True))


def how_many(levers: Sequence[Lever], changes: int) -> int:
    """How many settings change so many constants.

    >>> how_many([Lever("a", 1, (1, 2, 3), 2.0), Lever("b", 1, (1, 2), 1.0), Lever("c", 1, (1, 2), 1.0)], 2)
    5
    """
    counts = [1, *[0] * changes]
    for lever in levers:
        counts = [1, *(counts[k] + counts[k - 1] * len(lever.others) for k in range(1, changes + 1))]
    return counts[changes]


# ---------------------------------------------------------------- which constants, and where to


def levers_of(game: Game, baseline: Mapping[str, Any], texts: Sequence[str] = ()) -> tuple[Lever, ...]:
    """What may be changed: the constants that are named, or all but those that are no rules of the game or follow from others.

    Args:
        game: whose rules.
        baseline: dotted key to value, for what differs from the rules as shipped.
        texts: `key=low:high`, `key=low:high:step` or values with commas or bars between, such as `win_on_tie=true,false`.

    Raises:
        UserError: one of them does not exist, is named twice, cannot be what it is to become, or has no other value than now.
    """
    listed, baseline = constants(build_rules(game.rules, baseline)), loosened(game.rules, baseline)
    if not texts:
        found = (_usual(game, baseline, c) for c in listed if c.source != "ours" and (c.plausible or c.source != "derived"))
        return tuple(lever for lever in found if lever.others)
    known = {c.key: c for c in listed}
    levers = [_named(game, baseline, known, text) for text in texts]
    for number, lever in enumerate(levers):
        if lever.key in {other.key for other in levers[:number]}:
            message = f"--vary names '{lever.key}' twice; give all its values at once."
            raise UserError(message)
    return tuple(levers)


def _usual(game: Game, baseline: Mapping[str, Any], c: Constant) -> Lever:
    """Through its plausible range, or to each alternative; a number without a range half of itself up and down."""
    value: Any = c.value
    wanted: list[Value] = [*alternatives(c, game.rules)]
    if _is_number(value) and all(map(_is_number, c.plausible)):
        whole = isinstance(value, int)
        reach = max(LEAST_REACH, math.ceil(abs(value) / 2)) if whole else abs(value) / 2
        low, high = _ends(c) or (value - reach, value + reach)
        wanted = [*range(math.ceil(low), math.floor(high) + 1)] if whole else [low + (high - low) * i / STEPS for i in range(STEPS + 1)]
        wanted += [c.left_out] if c.left_out is not None else []
    return _lever(c, [v for v in wanted if _possible(game, baseline, c.key, v)])


def _ends(c: Constant) -> tuple[float, float] | None:
    """The ends of a plausible range of numbers."""
    numbers: list[Any] = [v for v in c.plausible if _is_number(v)]
    return (min(numbers), max(numbers)) if len(numbers) > 1 and len(numbers) == len(c.plausible) else None


def _possible(game: Game, baseline: Mapping[str, Any], key: str, value: Value) -> bool:
    try:
        build_rules(game.rules, {**baseline, key: value})
    except RulesError:
        return False
    return True


def _lever(c: Constant, wanted: Sequence[Value]) -> Lever:
    """With the value as it is among the others: by size if all are numbers, else first."""
    distinct = [v for place, v in enumerate(wanted) if not any(_same(v, w) for w in wanted[:place])]
    if not any(_same(v, c.value) for v in distinct):
        distinct.insert(0, c.value)
    if not all(map(_is_number, distinct)):
        return Lever(c.key, c.value, tuple(distinct), None)
    numbers: list[Any] = sorted(distinct)
    low, high = _ends(c) or (numbers[0], numbers[-1])
    return Lever(c.key, c.value, tuple(numbers), float(high - low) or None)


def _named(game: Game, baseline: Mapping[str, Any], known: Mapping[str, Constant], text: str) -> Lever:
    key, wanted = parse_values(text)
    if key not in known:
        build_rules(game.rules, {**baseline, key: wanted[0]})  # which refuses it, and names the nearest
    lever = _lever(known[key], [values(build_rules(game.rules, {**baseline, key: value}))[key] for value in wanted])
    if not lever.others:
        message = f"--vary '{text}' leaves '{key}' as it is, at {to_text(lever.start)}; name other values."
        raise UserError(message)
    return lever


def parse_values(text: str) -> tuple[str, list[Any]]:
    """Read a constant and its values, as in a sweep, but not as many.

    >>> parse_values("win_on_tie=true,false"), parse_values("speed=0.5:1:0.25")
    (('win_on_tie', [True, False]), ('speed', [0.5, 0.75, 1.0]))

    Raises:
        UserError: it is no such thing, or there are too many.
    """
    axis = parse_axis(text)
    found = axis.values
    count = (found[-1] - found[0]) // found.step + 1 if isinstance(found, range) else len(found)
    if count > MOST_VALUES:
        message = f"--vary '{text}' has {count:,} values, more than {MOST_VALUES}; take larger steps, as in {axis.key}=low:high:step."
        raise UserError(message)
    return axis.key, list(found)
