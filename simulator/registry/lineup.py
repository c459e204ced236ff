"""Seats and who plays them: strategies with their parameters, checked and compiled."""

from __future__ import annotations

import hashlib
import re
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.errors import StrategyError, nearest
from simulator.inputs import Inputs, inputs_of
from simulator.kernel.constants import constants
from simulator.numbers import HUNDRED, Percent, read_number

if TYPE_CHECKING:
    from simulator.game import Game
    from strategies.declare import Strategy, TableFunction


@dataclass(frozen=True)
class Layer:
    """A way of playing that is laid on top of any strategy of any game, its base, and carried out by the kernel.

    It is written `NAME:parameter=value,base=STRATEGY`; the base comes last, and is the game's default strategy if not named.

    Attributes:
        name: how the command line calls it.
        parameter: its one parameter.
        default: of the parameter; an integer makes an integer parameter.
        low, high: the ends of the parameter's range.
        summary: what it does at the table.
    """

    name: str
    parameter: str
    default: float
    low: float
    high: float
    summary: str


_AHEAD = "Deals afresh what it cannot see, tries every option in `rollouts` playouts by its base, and takes the best."
_AT_RANDOM = "Leaves a `share` of its decisions to chance, and plays the others as its base does."

LOOKAHEAD = Layer("lookahead", "rollouts", 64, 1, 10_000, _AHEAD)
BLUNDER = Layer("blunder", "share", 0.1, 0.0, 1.0, _AT_RANDOM)
LAYERS = {layer.name: layer for layer in (LOOKAHEAD, BLUNDER)}


@dataclass(frozen=True)
class Nickname:
    """Another name for a way of playing, which its label does not hide.

    Attributes:
        meaning: what it stands for, as it is written.
        summary: what that is at the table.
    """

    meaning: str
    summary: str


_BEGINNERS = "Know the game and slip in one decision of five: a guess, not measured at any table."
_CHILDREN = "Leave two decisions of five to chance, and play the others well: a guess, not measured at any table."

NICKNAMES = {
    "random": Nickname("uniform", "Takes any option, each as likely as the others."),
    "beginners": Nickname(f"{BLUNDER.name}:{BLUNDER.parameter}=0.2", _BEGINNERS),
    "children": Nickname(f"{BLUNDER.name}:{BLUNDER.parameter}=0.4", _CHILDREN),
}
"""Names that people try, for what there is; a strategy that is called so comes first."""


@dataclass(frozen=True)
class Player:
    """A strategy together with the values of its parameters, and what is laid on top of it.

    Attributes:
        strategy: what plays.
        values: its parameters.
        rollouts: nested playouts by the strategy for each option before every decision, of which the best is taken; 0 for none.
        blunders: share of decisions that are left to chance, 0 to 1.
    """

    strategy: Strategy
    values: tuple[tuple[str, int | float], ...] = ()
    rollouts: int = 0
    blunders: float = 0.0

    @cached_property
    def label(self) -> str:
        """As it is written on the command line: `name` or `name:key=value,...`, with what differs from the defaults."""
        changed = [f"{k}={v:.12g}" for k, v in self.values if self.strategy.parameters[k] != v]
        label = f"{self.strategy.name}:{','.join(changed)}" if changed else self.strategy.name
        if self.rollouts:
            label = f"{LOOKAHEAD.name}:rollouts={self.rollouts},base={label}"
        return f"{BLUNDER.name}:share={self.blunders:.12g},base={label}" if self.blunders else label

    @property
    def question(self) -> list[Any]:
        """All that its choices depend on, for the identity of an experiment.

        Beside the sources these are the values that they take from elsewhere: what the tables hold, and globals that were computed.
        """
        on_top = [self.rollouts, self.blunders] if self.rollouts or self.blunders else []
        tables = [[name, str(a.dtype), a.shape, hashlib.sha256(a.tobytes()).hexdigest()] for name, a in self.tables.items()]
        return [self.strategy.name, list(self.values), self.fingerprint, constants(self.strategy.function), tables, *on_top]

    @property
    def fingerprint(self) -> str:
        """Hash of all sources that the strategy is made of."""
        return self.strategy.fingerprint

    @cached_property
    def tables(self) -> dict[str, np.ndarray[Any, Any]]:
        """The strategy's tables as they are now.

        Raises:
            StrategyError: a table cannot be computed.
        """
        return {name: _table(self.strategy, name, function) for name, function in self.strategy.tables.items()}

    @property
    def dtype(self) -> np.dtype[Any]:
        """Record of the parameters: int64 for whole numbers, float64 for the others, then the tables as they are."""
        numbers = [(name, "i8" if isinstance(value, int) else "f8") for name, value in self.strategy.parameters.items()]
        return np.dtype([*numbers, *((name, array.dtype, array.shape) for name, array in self.tables.items())], align=True)

    @cached_property
    def record(self) -> np.ndarray[Any, Any] | None:
        """The parameters as an array of one record, which nobody changes, or None if the strategy has none.

        Raises:
            StrategyError: a table cannot be computed.
        """
        if not self.values and not self.strategy.tables:
            return None
        packed = np.zeros(1, self.dtype)
        for name, value in (*self.values, *self.tables.items()):
            packed[name] = value
        packed.flags.writeable = False
        return packed


def make_player(strategy: Strategy, settings: dict[str, str] | None = None) -> Player:
    """A player with some parameters changed.

    Args:
        strategy: what plays.
        settings: parameter name to value, as text.

    Raises:
        StrategyError: a parameter is unknown or a table, or its value is no number of the right type.
    """
    values: dict[str, int | float] = dict(strategy.parameters)
    for name, text in (settings or {}).items():
        if name in strategy.tables:
            message = f"Parameter '{name}' of strategy '{strategy.name}' is a table that the strategy computes itself; it cannot be set."
            raise StrategyError(message)
        if name not in values:
            known = f"; it has {', '.join(values)}" if values else "; it has none"
            message = f"Strategy '{strategy.name}' has no parameter '{name}'{nearest(name, values) or known}."
            raise StrategyError(message)
        values[name] = _number(strategy.name, name, text, whole=isinstance(values[name], int))
    return Player(strategy, tuple(values.items()))


def lay(layer: Layer, base: Player, settings: dict[str, str]) -> Player:
    """The player that lays `layer` on top of `base`.

    Args:
        layer: LOOKAHEAD or BLUNDER.
        base: who plays below it.
        settings: the layer's parameter to its value, as text; empty for the default.

    Raises:
        StrategyError: a parameter is unknown or out of range, or the base already has such a layer.
    """
    for name in settings:
        if name != layer.parameter:
            message = f"Strategy '{layer.name}' has no parameter '{name}'; it has {layer.parameter} and, at the end, base."
            raise StrategyError(message)
    text = settings.get(layer.parameter, str(layer.default))
    value = _number(layer.name, layer.parameter, text, whole=isinstance(layer.default, int))
    if not layer.low <= value <= layer.high:
        ends = f"between {layer.low:g} and {layer.high:g}"
        meant = f"; write {value:g}%" if layer is BLUNDER and layer.high < value <= HUNDRED else ""
        message = f"Parameter '{layer.parameter}' of strategy '{layer.name}' has to be {ends}, not {text}{meant}."
        raise StrategyError(message)
    if base.blunders or (layer is LOOKAHEAD and base.rollouts):
        message = f"'{layer.name}' cannot be laid on top of '{base.label}'; its base has to be a strategy, or for blunder a lookahead."
        raise StrategyError(message)
    return replace(base, rollouts=int(value)) if layer is LOOKAHEAD else replace(base, blunders=float(value))


def _number(strategy: str, name: str, text: str, *, whole: bool) -> int | float:
    wanted = "a whole number" if whole else "a number"
    value = read_number(text)
    if not np.isfinite(value) or (whole and (isinstance(value, Percent) or value != int(value) or abs(value) >= 2**53)):
        message = f"Parameter '{name}' of strategy '{strategy}' needs {wanted}, not '{text}'."
        raise StrategyError(message)
    return int(value) if whole else float(value)


_computed: dict[tuple[Strategy, str], tuple[Inputs, np.ndarray[Any, Any]]] = {}


def _table(strategy: Strategy, name: str, function: TableFunction) -> np.ndarray[Any, Any]:
    """A strategy's table, computed once, and again when a file that it was computed from has changed.

    Raises:
        StrategyError: its function fails, or returns what is no array of numbers.
    """
    known = _computed.get((strategy, name))
    if known is not None and known[0].unchanged():
        return known[1]
    try:
        with inputs_of() as inputs, redirect_stdout(sys.stderr):  # results alone go to the output
            array = function()
    except Exception as error:  # noqa: BLE001  whatever a user's function raises
        reason = f"its function fails with {type(error).__name__}: {error}"
    else:
        if isinstance(array, np.ndarray) and array.dtype.kind in "biuf" and array.size and array.ndim:
            _computed[strategy, name] = inputs, array
            return array
        reason = "its function has to return a NumPy array of numbers"
    message = f"Table '{name}' of strategy '{strategy.name}' cannot be used ({strategy.file}, line {strategy.line}): {reason}."
    raise StrategyError(message)


def chooser_address(player: Player, game: Game) -> int:
    """Address of the compiled strategy for the views of `game`.

    Raises:
        StrategyError: it does not compile; file, line and reason are named.
    """
    return _address(player.strategy, None if player.record is None else player.dtype, game)


@cache
def _address(strategy: Strategy, parameters: np.dtype[Any] | None, game: Game) -> int:
    from numba import types  # noqa: PLC0415  importing Numba takes a third of a second

    from simulator.kernel.jit import jit  # noqa: PLC0415
    from simulator.kernel.pointers import address_of, record_type  # noqa: PLC0415

    arguments = [record_type(game.view), types.float64]
    if parameters is not None:
        arguments.append(record_type(parameters))
    compiled = _KEPT.setdefault((strategy, game.name), jit(strategy.function))
    try:
        return address_of(compiled, types.int64, *arguments)
    except Exception as error:  # noqa: BLE001  Numba raises many kinds for what it cannot compile
        reason, line = _reason(error), _line(error, strategy.line)
    message = f"Strategy '{strategy.name}' does not compile ({strategy.file}, line {line}): {reason}."
    raise StrategyError(message)


_KEPT: dict[Any, Any] = {}  # compiled functions have to live as long as their addresses are in use


def _line(error: Any, default: int) -> int:
    place = getattr(error, "loc", None)
    if place is not None:
        return int(place.line)
    named = re.search(r"\((\d+)\)$", str(error)) or re.search(r'", line (\d+)', str(error))
    return int(named[1]) if named else default


def _reason(error: Exception) -> str:
    """The first telling line of Numba's long message."""
    text = getattr(error, "msg", None) or str(error)
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:", "File ", "[1] During", "-", "<"))]
    reason = (telling or lines or ["unknown reason"])[0].partition(". Raised from")[0].rstrip(".")
    unknown = re.match(r"Use of unsupported NumPy function '([\w.]+)'", reason)
    if unknown:
        return f"it uses {unknown[1]}, which compiled code does not know; write it out as a loop over the options"
    return f"{reason}; it has to keep to numbers, arrays, loops and the helpers of the view"
