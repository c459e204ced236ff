"""The values that compiled code takes from outside itself.

Numba builds the globals and closures of a function into its machine code as they are when it is compiled. Where such a value
is not written in a source file but computed there, the sources alone do not say what is played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from simulator.kernel.sources import is_own

_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)


def constants(function: Callable[..., Any]) -> str:
    """First 16 hex digits of the SHA-256 over the names and values that `function` and all that it calls takes from outside.

    Counted are numbers, strings, tuples of them, and arrays; functions of the program itself are not looked into.
    """
    digest = hashlib.sha256()
    for line in sorted(set(_constants(function, set()))):
        digest.update(line.encode() + b"\0")
    return digest.hexdigest()[:16]


def _constants(function: Any, seen: set[Any]) -> Iterator[str]:
    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType) or function in seen or _is_ours(function):
        return
    seen.add(function)
    names = set(_names(function.__code__))
    for name, value in _outside(function, names):
        if is_constant(value):
            yield f"{function.__qualname__} {name} {_written(value)}"
        elif isinstance(value, ModuleType):
            members = {m: vars(value)[m] for m in names & vars(value).keys()}
            yield from (f"{function.__qualname__} {name}.{m} {_written(v)}" for m, v in members.items() if is_constant(v))
            for member in members.values():
                yield from _constants(member, seen)
        else:
            yield from _constants(value, seen)


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a string, nothing, or a tuple of these, so that nobody can change it."""
    return all(map(is_plain, value)) if isinstance(value, tuple) else isinstance(value, _PLAIN)


def is_constant(value: Any) -> bool:
    """Whether compiled code takes a value as it is and cannot change it: also an array of numbers, which it finds read-only."""
    return (isinstance(value, np.ndarray) and value.dtype.kind in "biufc") or is_plain(value)


def _written(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    return repr(value)


def _outside(function: FunctionType, names: set[str]) -> Iterator[tuple[str, Any]]:
    """Names and values of a function's globals and closure, as far as it uses them."""
    yield from ((name, function.__globals__[name]) for name in sorted(names & function.__globals__.keys()))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # it was never given a value
            continue


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_ours(function: FunctionType) -> bool:
    return is_own(Path(function.__code__.co_filename))
