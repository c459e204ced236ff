"""Axes: which constants take which values in a question, how these are written, and how large a change is."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from simulator.errors import RulesError, UserError
from simulator.rules import Constant, Value, brief_text, build_rules, constants, parse_value, to_text, values
from simulator.rules.alternatives import alternatives, loosened

if TYPE_CHECKING:
    from simulator.game import Game

MOST_VALUES = 10_000
"""A range of fractions has no more values than this."""

MOST_SEARCHED = 500
"""A constant that runs through more values than this in a search is asked to take larger steps."""

LEAST_REACH = 2
"""A whole number without a plausible range goes half of itself up and down, and at least this far."""

STEPS = 8
"""A constant that is no whole number goes through its range in as many steps."""

MOST_LETTERS = 40
"""A value is cut to this length where a sentence names it, and a longer one is not repeated with each of its changes."""

Setting = tuple[tuple[str, Value], ...]
"""What is changed: keys and values in the order of the axes; nothing for what is as it is."""


@dataclass(frozen=True)
class Axis:
    """A constant of the rules, or a parameter of a strategy, and the values that it takes.

    Attributes:
        key: its dotted key, or the parameter's name.
        values: in order.
        start: its value as it is; None where that does not matter.
        span: what the size of a change is measured against; None where values have no distances.
    """

    key: str
    values: Sequence[Any]
    start: Value | None = None
    span: float | None = None

    @property
    def count(self) -> int:
        """How many values there are, which for a range may exceed what len() can tell."""
        result = self.values
        return (result[-1] - result[0]) // result.step + 1 if isinstance(result, range) else len(result)

    @property
    def ends(self) -> tuple[Any, Any]:
        """The first value and the last."""
        return self.values[0], self.values[-1]

    @property
    def others(self) -> tuple[Value, ...]:
        """Where it may go from where it is."""
        return tuple(v for v in self.values if not _same(v, self.start))

    @property
    def range_text(self) -> str:
        """Its ends, as they are written after `--vary`."""
        low, high = self.ends
        return f"{self.key}={low:g}:{high:g}"

    def size(self, value: Value) -> float:
        """How large a change is: 1 from end to end of the plausible range, and from any word or list to another.

        >>> Axis("deck.coal", (4, 8, 12), 8, 8.0).size(4), Axis("win_on_tie", (True, False), True).size(False)
        (0.5, 1.0)
        """
        if _same(value, self.start):
            return 0.0
        to: Any = value
        return abs(float(to) - float(self.start)) / self.span if self.span else 1.0  # type: ignore[arg-type]  # numbers have spans


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def is_number(value: Any) -> bool:
    """Whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


# ---------------------------------------------------------------- how they are written

_WHOLE = r"[+-]?\d{1,18}"
_RANGE = re.compile(rf"({_WHOLE})\s*:\s*({_WHOLE})(?:\s*:\s*({_WHOLE}))?")
_PLAIN = r"[^:\[\]{}\"'|,]+"
_FRACTIONS = re.compile(rf"({_PLAIN}):({_PLAIN}):({_PLAIN})")
_LIKE_A_RANGE = re.compile(r"[^\[\]{}\"'|]*:[^\[\]{}\"'|]*")
_NEARLY_A_RANGE = re.compile(rf"({_WHOLE})\s*(?:-|\N{{EN DASH}}|\.\.\.?|to)\s*({_WHOLE})")
_BETWEEN_VALUES = re.compile(r"\||,(?![^\[]*\])")


def parse_axis(text: str) -> Axis:
    """Read `key=low:high`, `key=low:high:step`, or values with commas or bars between, `key=a,b,c`.

    >>> parse_axis("wishes.goal=6:12:2").values, parse_axis("win_on_tie=true,false").values, parse_axis("speed=0.5:1:0.25").values
    (range(6, 13, 2), (True, False), (0.5, 0.75, 1.0))

    Raises:
        UserError: it is no such thing.
    """
    key, separator, listed = (part.strip() for part in text.partition("="))
    if not separator or not key or not listed:
        raise _refusal(text, "varies nothing; write it as key=low:high or key=a,b,c, such as wishes.goal=6:12.")
    if match := _RANGE.fullmatch(listed):
        return Axis(key, _whole_numbers(text, *(int(part) for part in match.groups("1"))))
    if (match := _FRACTIONS.fullmatch(listed)) and "." in listed:
        return Axis(key, _fractions(text, cut(key), match))
    if _LIKE_A_RANGE.fullmatch(listed):
        raise _refusal(text, "is no range; write low:high in whole numbers, low:high:step, or the values as a,b,c.")
    if match := _NEARLY_A_RANGE.fullmatch(listed):
        raise _refusal(text, f"is no range; write {cut(key)}={match[1]}:{match[2]}.")
    return Axis(key, tuple(_value(key, part.strip()) for part in _BETWEEN_VALUES.split(listed)))


def _refusal(text: str, reason: str) -> UserError:
    return UserError(f"--vary '{cut(text)}' {reason}")


def _whole_numbers(text: str, low: int, high: int, step: int) -> range:
    if low > high:
        raise _refusal(text, f"runs backwards; write {high}:{low}.")
    if step < 1:
        raise _refusal(text, "does not get on; its step has to be at least 1.")
    return range(low, high + 1, step)


def _fractions(text: str, key: str, match: re.Match[str]) -> tuple[float, ...]:
    try:
        low, high, step = (float(part) for part in match.groups())
    except ValueError:
        low = high = step = math.nan
    if not (math.isfinite(high - low) and low <= high and step > 0):
        raise _refusal(text, f"is no range; write {key}=low:high:step, such as {key}=0.5:1:0.25.")
    count = math.floor((high - low) / step + 1e-9) + 1  # rounding must not cost the upper end
    if count > MOST_VALUES:
        raise _refusal(text, f"has {count:,} values, more than {MOST_VALUES:,}; take larger steps.")
    return tuple(round(low + step * i, 12) for i in range(count))


def _value(key: str, text: str) -> Any:
    try:
        return parse_value(text)
    except ValueError:
        message = f"--vary {cut(key)}: '{cut(text)}' is no value; write numbers, words or lists with commas between, such as 1,2,3."
        raise UserError(message) from None


def cut(text: str) -> str:
    """A text as it can stand in a sentence."""
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 3]}..."


def refuse_twice(axes: Iterable[Axis], way_out: str) -> None:
    """Refuse a key that is named twice.

    Raises:
        UserError: one is.
    """
    keys = [axis.key for axis in axes]
    for key in keys:
        if keys.count(key) > 1:
            message = f"--vary names '{key}' twice; {way_out}."
            raise UserError(message)


def refuse_equal_values(axis: Axis) -> None:
    """Refuse a value that is named twice.

    Raises:
        UserError: one is.
    """
    texts = [] if isinstance(axis.values, range) else [(type(value), to_text(value)) for value in axis.values]
    for text in texts:
        if texts.count(text) > 1:
            message = f"--vary names the value {cut(text[1])} of '{axis.key}' twice; leave one out."
            raise UserError(message)


def known_key(game: Game, baseline: Mapping[str, Any], axis: Axis) -> None:
    """Refuse a key that is no constant's, and name the nearest.

    Raises:
        RulesError: it is none.
    """
    if axis.key not in values(game.rules()):
        build_rules(game.rules, {**baseline, axis.key: axis.values[0]})


# ---------------------------------------------------------------- which constants, and where to


def usual_values(
    game: Game, baseline: Mapping[str, Any], wanted: Callable[[Constant], Iterable[Value]]
) -> Iterator[tuple[Constant, list[Value]]]:
    """The constants but those that are no rules of the game or follow from others, each with those of the wanted values that it can be.

    Args:
        game: whose rules.
        baseline: dotted key to value, for what differs from the rules as shipped.
        wanted: where a constant is to go.
    """
    loose = loosened(game.rules, baseline)
    for c in constants(build_rules(game.rules, baseline)):
        if c.source != "ours" and (c.plausible or c.source != "derived"):
            yield c, [value for value in wanted(c) if _possible(game, {**loose, c.key: value})]


def _possible(game: Game, rules: Mapping[str, Any]) -> bool:
    try:
        build_rules(game.rules, rules)
    except RulesError:
        return False
    return True


def axes_of(game: Game, baseline: Mapping[str, Any], texts: Sequence[str] = ()) -> tuple[Axis, ...]:
    """What may be changed: the constants that are named, or else all through their plausible range, or to each alternative.

    Args:
        game: whose rules.
        baseline: dotted key to value, for what differs from the rules as shipped.
        texts: as in `parse_axis`, at most MOST_SEARCHED values each.

    Raises:
        UserError: one of them does not exist, is named twice, cannot be what it is to become, or has no other value than now.
    """
    if not texts:
        results = (_through(c, possible) for c, possible in usual_values(game, baseline, lambda c: _usual(game, c)))
        return tuple(axis for axis in results if axis.others)
    known, loose = {c.key: c for c in constants(build_rules(game.rules, baseline))}, loosened(game.rules, baseline)
    axes = tuple(_named(game, loose, known, text) for text in texts)
    refuse_twice(axes, "give all its values at once")
    return axes


def _usual(game: Game, c: Constant) -> list[Value]:
    """The plausible range, or each alternative; of a number without a range what is up to half of itself above or below."""
    value: Any = c.value
    if not is_number(value) or not all(map(is_number, c.plausible)):
        return alternatives(c, game.rules)
    whole = isinstance(value, int)
    reach = max(LEAST_REACH, math.ceil(abs(value) / 2)) if whole else abs(value) / 2
    low, high = _ends(c) or (value - reach, value + reach)
    between = range(math.ceil(low), math.floor(high) + 1) if whole else (low + (high - low) * i / STEPS for i in range(STEPS + 1))
    return [*between, *([c.left_out] if c.left_out is not None else [])]


def _ends(c: Constant) -> tuple[float, float] | None:
    """The ends of a plausible range of numbers."""
    numbers: list[Any] = [v for v in c.plausible if is_number(v)]
    return (min(numbers), max(numbers)) if len(numbers) > 1 and len(numbers) == len(c.plausible) else None


def _through(c: Constant, wanted: Sequence[Value]) -> Axis:
    """With the value as it is among the others: by size if all are numbers, else first."""
    distinct = [v for place, v in enumerate(wanted) if not any(_same(v, w) for w in wanted[:place])]
    if not any(_same(v, c.value) for v in distinct):
        distinct.insert(0, c.value)
    if not all(map(is_number, distinct)):
        return Axis(c.key, tuple(distinct), c.value)
    numbers: list[Any] = sorted(distinct)
    low, high = _ends(c) or (numbers[0], numbers[-1])
    return Axis(c.key, tuple(numbers), c.value, float(high - low) or None)


def _named(game: Game, baseline: Mapping[str, Any], known: Mapping[str, Constant], text: str) -> Axis:
    read = parse_axis(text)
    if read.count > MOST_SEARCHED:
        message = (
            f"--vary '{text}' has {read.count:,} values, more than {MOST_SEARCHED}; take larger steps, as in {read.key}=low:high:step."
        )
        raise UserError(message)
    known_key(game, baseline, read)
    axis = _through(known[read.key], [values(build_rules(game.rules, {**baseline, read.key: value}))[read.key] for value in read.values])
    if not axis.others:
        message = f"--vary '{text}' leaves '{axis.key}' as it is, at {to_text(axis.start)}; name other values."
        raise UserError(message)
    return axis


# ---------------------------------------------------------------- changes


def change_text(key: str, start: Value, to: Value, most: float = math.inf) -> str:
    """A change in words, such as `wishes.goal 8 -> 10`; without where it comes from if that takes more letters than `most`."""
    before = brief_text(start)
    return f"{key} {before if len(before) <= most else ''}".rstrip() + f" \N{RIGHTWARDS ARROW} {brief_text(to)}"


def changes_text(setting: Setting, axes: Sequence[Axis]) -> str:
    """A setting in words."""
    start: dict[str, Any] = {axis.key: axis.start for axis in axes}
    return ", ".join(change_text(key, start[key], value) for key, value in setting) or "the rules as they are"


def point_name(values_at: Mapping[str, Any]) -> str:
    """Values of several axes in words.

    >>> point_name({"wishes.goal": 8, "spinner.faces": (1, 2, "feet")})
    'wishes.goal=8, spinner.faces=[1, 2, feet]'
    """
    return ", ".join(f"{key}={cut(to_text(value))}" for key, value in values_at.items())


def every_combination(axes: Sequence[Axis]) -> Iterator[dict[str, Any]]:
    """A value of each axis by its key, in every combination; the last axis runs fastest."""
    keys = [axis.key for axis in axes]
    return (dict(zip(keys, chosen, strict=True)) for chosen in product(*(axis.values for axis in axes)))


def grid_size(axes: Sequence[Axis]) -> int:
    """How many combinations of values there are."""
    return math.prod(axis.count for axis in axes)


def kind_of(setting: Setting) -> tuple[str, ...]:
    """Which constants a setting changes."""
    return tuple(key for key, _ in setting)


def size_of(setting: Setting, axes: Sequence[Axis]) -> tuple[int, float]:
    """How much a setting changes, for an order: how many constants, and then by how much altogether."""
    known = {axis.key: axis for axis in axes}
    return len(setting), round(sum(known[key].size(value) for key, value in setting), 9)


def settings_of(axes: Sequence[Axis], changes: int) -> Iterator[Setting]:
    """Every setting that changes so many constants."""
    for chosen in combinations(axes, changes):
        for picked in product(*(axis.others for axis in chosen)):
            yield tuple(zip((axis.key for axis in chosen), picked, strict=True))


def how_many(axes: Sequence[Axis], changes: int) -> int:
    """How many settings change so many constants.

    >>> how_many([Axis("a", (1, 2, 3), 1), Axis("b", (1, 2), 1), Axis("c", (1, 2), 1)], 2)
    5
    """
    counts = [1, *[0] * changes]
    for axis in axes:
        counts = [1, *(counts[k] + counts[k - 1] * len(axis.others) for k in range(1, changes + 1))]
    return counts[changes]
