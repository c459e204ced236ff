"""A strategy as plain Python that computes what the compiled one computes.

Compiled helpers hand a uint64 to Python as an int, and take an int for an int64. So in plain Python a word of counts
would change its type between two helpers; here it keeps it.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.core.registry import CPUDispatcher


@cache
def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with the compiled helpers that it calls by name returning NumPy's uint64 where they return one."""
    assert isinstance(function, FunctionType)  # noqa: S101  a strategy is declared from a function
    names = {name: _typed(value) if isinstance(value, CPUDispatcher) else value for name, value in function.__globals__.items()}
    names.setdefault("__builtins__", builtins)
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _typed(helper: Any) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        result = helper(*arguments)
        kinds = tuple(helper.typeof_pyval(a) for a in arguments)
        return _as(helper.overloads[kinds].signature.return_type, result)

    return call


def _as(kind: types.Type, value: Any) -> Any:
    if isinstance(kind, types.BaseTuple):
        return tuple(_as(k, v) for k, v in zip(kind, value, strict=True))
    return np.uint64(value) if kind == types.uint64 else value
