"""A strategy as plain Python that computes what the compiled one computes.

Compiled helpers hand a uint64 to Python as an int, and take an int for an int64. So in plain Python a word of counts
would change its type between two helpers; here it keeps it. Helpers that came with the strategy run in plain Python too, so
that their mistakes have lines.
"""

from __future__ import annotations

import builtins
import re
import sys
import traceback
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from types import CellType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types
from numba.core.registry import CPUDispatcher

from simulator.errors import described
from simulator.kernel.sources import closure, is_own
from simulator.registry.source_text import Mistake

if TYPE_CHECKING:
    from simulator.registry.lineup import Player

LINES = 200_000
"""A decision that runs more lines than this never ends."""


class Plainly:
    """Functions with the compiled ones that they call in plain Python; those of the program itself stay compiled."""

    def __init__(self) -> None:
        """None so far."""
        self._made: dict[Any, Any] = {}

    def function(self, function: Any) -> Callable[..., Any]:
        """A function, plain or compiled, in plain Python, calling others in plain Python."""
        function = getattr(function, "py_func", function)
        assert isinstance(function, FunctionType)  # noqa: S101  a strategy is declared from a function
        if function not in self._made:
            names = {name: self.value(value) for name, value in function.__globals__.items()}
            names["__builtins__"] = builtins
            cells = tuple(CellType(self.value(cell.cell_contents)) for cell in function.__closure__ or ())
            copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
            copy.__kwdefaults__ = function.__kwdefaults__
            self._made[function] = copy
        made: Callable[..., Any] = self._made[function]
        return made

    def value(self, value: Any) -> Any:
        """What stands for something that a function names."""
        if isinstance(value, ModuleType):
            return self._module(value)
        if not isinstance(value, CPUDispatcher):
            return value
        return self.own(value) if is_own(Path(value.py_func.__code__.co_filename)) else self.called(value)

    def own(self, helper: Any) -> Callable[..., Any]:
        """What stands for a compiled function of the program itself."""
        return _typed(helper)

    def called(self, function: Any) -> Callable[..., Any]:
        """A function that is made plain when it is called, since functions may call each other."""

        @wraps(function)
        def helper(*arguments: Any, **named: Any) -> Any:
            return self.function(function)(*arguments, **named)

        return helper

    def _module(self, module: ModuleType) -> ModuleType:
        """A module whose compiled functions are plain as well; the module itself where it has none."""
        if not any(isinstance(value, CPUDispatcher) for value in vars(module).values()):
            return module
        if module not in self._made:
            self._made[module] = copy = ModuleType(module.__name__)
            vars(copy).update({name: self.value(value) for name, value in vars(module).items()})
        made: ModuleType = self._made[module]
        return made


plain = Plainly().function
"""A strategy with the compiled helpers that it calls in plain Python, or returning NumPy's uint64 where they return one."""


def _typed(helper: Any) -> Callable[..., Any]:
    kinds: dict[Any, types.Type] = {}  # asking Numba for the type of a record takes milliseconds

    def call(*arguments: Any) -> Any:
        result = helper(*arguments)
        key = _key(arguments)
        if key not in kinds:
            kinds[key] = helper.overloads[tuple(helper.typeof_pyval(a) for a in arguments)].signature.return_type
        return _as(kinds[key], result)

    return call


def _key(value: Any) -> Any:
    """What the type of a helper's result depends on."""
    if isinstance(value, tuple):
        return tuple(_key(one) for one in value)
    return type(value), getattr(value, "dtype", None), getattr(value, "ndim", None)


def _as(kind: types.Type, value: Any) -> Any:
    if isinstance(kind, types.BaseTuple):
        return tuple(_as(k, v) for k, v in zip(kind, value, strict=True))
    return np.uint64(value) if kind == types.uint64 else value


# ---------------------------------------------------------------- deciding


class NeverEndsError(Exception):
    """Something ran too many lines."""


def decide_in_python(player: Player, view: Any, u: float) -> tuple[Any, int, Mistake | None]:
    """What a strategy returns as plain Python, in which line of its file, and where and why it failed.

    The view and the parameters are given to it so that a store to them fails. A division by zero fails as well.
    """
    strategy = player.strategy
    arguments = [_read_only(view), u]
    if player.record is not None:
        arguments.append(player.record.view(np.recarray)[0])
    run = Run(strategy.function.__code__, files_of(strategy.file))
    try:
        with np.errstate(divide="raise", invalid="raise", over="ignore", under="ignore"):
            return run.call(plain(strategy.function), arguments), run.line, None
    except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a user's strategy raises
        places = [(Path(f.filename), f.lineno or 0) for f in traceback.extract_tb(error.__traceback__) if f.filename in run.files]
        file, line = places[-1] if places else (strategy.file, strategy.line)
        return None, line, Mistake(file, line, reason_of(error))


def _read_only(record: Any) -> Any:
    copy = np.empty(1, record.dtype)
    copy[0] = record
    copy.flags.writeable = False
    return copy.view(np.recarray)[0]


@cache
def files_of(file: Path) -> frozenset[str]:
    """The files that a strategy or game consists of."""
    return frozenset({str(file), *(str(p) for p in closure(file) if not is_own(p))})


class Run:
    """Calls a function, and gives up when it has run too many lines of its own files."""

    def __init__(self, code: Any, files: frozenset[str], lines: int = LINES) -> None:
        """For a function of that code, in those files, that may run so many lines."""
        self.files, self.line = files, code.co_firstlineno
        self._code, self._left = code, lines

    def call(self, function: Any, arguments: list[Any]) -> Any:
        """What the function returns.

        Raises:
            NeverEndsError: it ran too many lines.
        """
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            return function(*arguments)
        finally:
            sys.settrace(before)

    def _trace(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename not in self.files:
            return None
        if event == "line":
            self._left -= 1
            if self._left < 0:
                raise NeverEndsError
        elif event == "return" and frame.f_code is self._code:
            self.line = frame.f_lineno
        return self._trace


def reason_of(error: BaseException) -> str:
    """What went wrong, and what to write instead where that is known."""
    text = str(error)
    if isinstance(error, NeverEndsError):
        return f"a decision ran more than {LINES:,} lines; it has to end for every view"
    if isinstance(error, ZeroDivisionError) or (isinstance(error, FloatingPointError) and "divide" in text):
        return "it divides by zero there; ask first, or divide by max(..., 1)"
    if isinstance(error, FloatingPointError):
        return f"it calculates what has no value there ({text}); ask first"
    if isinstance(error, ValueError) and "read-only" in text:
        return "it changes its view or its parameters, and that is there to be read alone; change a copy"
    beyond = re.match(r"index (-?\d+) is out of bounds for axis \d+ with size (\d+)", text)
    if isinstance(error, IndexError) and beyond:
        return f"it reads place {beyond[1]} of an array that has {beyond[2]}, counted from 0; ask first"
    return described(error)
