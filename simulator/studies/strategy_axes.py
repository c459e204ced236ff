"""The parameters of a strategy as axes: between which values each lies, and what these are rounded to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from simulator.errors import UserError, nearest
from simulator.studies.axes import Axis, every_combination, grid_size, refuse_twice

if TYPE_CHECKING:
    from simulator.registry.lineup import Player

REACH = 3
"""Unless told otherwise a parameter is looked for between nothing and this many times its value."""

MOST_COMBINATIONS = 200
"""As many combinations of whole numbers are all tried; more are searched."""

GRID = 33
"""Values that are tried of a single parameter that is no whole number."""

DIGITS = 300
"""A parameter that is no whole number is rounded to a power of ten that divides its range into this many steps or more."""

Values = tuple[tuple[str, "int | float"], ...]
"""Values of those parameters that may move, by name."""


def parameter_axes(player: Player, texts: Sequence[str]) -> tuple[Axis, ...]:
    """The parameters that may move, and between what.

    Args:
        player: the strategy as it is.
        texts: ranges as `name=low:high`; none means all parameters, each between nothing and REACH times its value.

    Raises:
        UserError: there is no such parameter, or it is named twice, or cannot lie there.
    """
    axes = tuple(_parsed(player, text) for text in texts) or tuple(_usual(player, name) for name, _ in player.values)
    refuse_twice(axes, "give it one range")
    return axes


def _parsed(player: Player, text: str) -> Axis:
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
    return axis_between(name, low, high, whole=whole)


def _usual(player: Player, name: str) -> Axis:
    """From nothing to REACH times the value; for a value of nothing, to the largest of the strategy's."""
    value = dict(player.values)[name]
    far = REACH * value if value else max(1, *(abs(v) for _, v in player.values))
    return axis_between(name, min(0, far), max(0, far), whole=isinstance(value, int))


def axis_between(name: str, low: float, high: float, *, whole: bool) -> Axis:
    """A parameter between two values: whole numbers, or those that are written in few digits.

    >>> axis_between("at", 3, 5, whole=True).values, len(axis_between("share", 0.0, 1.0, whole=False).values)
    (range(3, 6), 1001)
    """
    if whole:
        return Axis(name, range(math.floor(low), math.ceil(high) + 1))
    step = _step(low, high)
    between = (round(i * step, 12) for i in range(math.ceil(low / step), math.floor(high / step) + 1))
    return Axis(name, (low, *(value for value in between if low < value < high), high))


def _step(low: float, high: float) -> float:
    """What values of a parameter that is no whole number are rounded to."""
    return 10.0 ** math.floor(math.log10((high - low) / DIGITS))


def is_whole(axis: Axis) -> bool:
    """Whether its values are whole numbers, one after the other."""
    return isinstance(axis.values, range)


def nearest_value(axis: Axis, value: float) -> int | float:
    """The value of an axis that lies nearest."""
    low, high = axis.ends
    kept: float = min(max(value, low), high)
    if is_whole(axis):
        return round(kept)
    step = _step(low, high)
    rounded = round(round(kept / step) * step, 12)
    return float(min(max(rounded, low), high))


def every_value(axes: Sequence[Axis]) -> list[Values] | None:
    """All candidates where they are few, evenly spaced values of a single parameter that is no whole number; else None."""
    if len(axes) == 1 and not is_whole(axes[0]):
        (axis,) = axes
        low, high = axis.ends
        axes = [Axis(axis.key, [nearest_value(axis, low + (high - low) * i / (GRID - 1)) for i in range(GRID)])]
    elif not all(map(is_whole, axes)) or grid_size(axes) > MOST_COMBINATIONS:
        return None
    return [tuple(values.items()) for values in every_combination(axes)]
