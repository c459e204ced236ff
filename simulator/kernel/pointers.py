"""Calling compiled functions by their address: the one place that knows how.

The playout loop receives a game's transitions and the seats' strategies as plain integers, so it is compiled once for
all games and all pairings. The calls follow Numba's own calling convention rather than C's: its status word tells
whether the callee raised, where a C callback would swallow the exception and return 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic

RAISED = -(1 << 62)
"""What a call returns when the callee raised."""

DONE = 0
"""What a call returns from a callee that returns nothing."""

POINTER = types.voidptr


def record_type(dtype: np.dtype[Any]) -> types.Type:
    """Numba's type of one record of `dtype`, which compiled functions take by reference."""
    return from_dtype(dtype)


def record_at(dtype: np.dtype[Any]) -> Any:
    """An intrinsic `at(address) -> record` that takes the bytes at an address (int64) for a record of `dtype`."""
    kind = record_type(dtype)

    @intrinsic
    def at(_typing: Any, place: Any) -> Any:  # noqa: ARG001  Numba reads the names
        def codegen(context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(kind))

        return kind(types.int64), codegen

    return at


def address_of(function: Any, result: types.Type, *arguments: types.Type) -> int:
    """Address of the machine code of the jitted `function` for these argument types, compiled if need be.

    Args:
        function: what `jit` returned; it has to stay alive as long as the address is used.
        result: the type it returns, `types.none` or `types.int64` or `types.float64`; other numbers are converted.
        arguments: types of its arguments.

    Raises:
        numba.core.errors.NumbaError: it does not compile, or returns what cannot be converted.
    """
    function.compile(result(*arguments))
    compiled = function.overloads[arguments]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def _caller(result: types.Type, *kinds: types.Type) -> tuple[types.Type, Callable[..., Any]]:
    """Signature and code of an intrinsic `f(address, *arguments) -> int64 or float64`, pointers passed as integers."""

    def codegen(context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        address, *operands = values
        byte_pointer = ir.IntType(8).as_pointer()
        passed = [builder.inttoptr(v, byte_pointer) if kind is POINTER else v for v, kind in zip(operands, kinds, strict=True)]
        callee_type = context.call_conv.get_function_type(result, kinds)
        callee = builder.inttoptr(address, callee_type.as_pointer())
        status, value = context.call_conv.call_function(builder, callee, result, kinds, passed)
        if result == types.float64:
            return builder.select(status.is_ok, value, ir.Constant(ir.DoubleType(), float("nan")))
        answer = value if result == types.int64 else ir.Constant(ir.IntType(64), DONE)
        return builder.select(status.is_ok, answer, ir.Constant(ir.IntType(64), RAISED))

    returned = types.float64 if result == types.float64 else types.int64
    return returned(types.int64, *(types.int64 if kind is POINTER else kind for kind in kinds)), codegen


# Intrinsics need their arity spelled out, hence one short function per shape of callee.
@intrinsic
def call_two(_typing: Any, address: Any, a: Any, b: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """DONE or RAISED from a callee that takes two pointers and returns nothing."""
    return _caller(types.none, POINTER, POINTER)


@intrinsic
def call_two_and_integer(_typing: Any, address: Any, a: Any, b: Any, number: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """DONE or RAISED from a callee that takes two pointers and an integer and returns nothing."""
    return _caller(types.none, POINTER, POINTER, types.int64)


@intrinsic
def call_for_payoff(_typing: Any, address: Any, a: Any, b: Any, number: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """The float64 of a callee that takes two pointers and an integer, or NaN where it raised."""
    return _caller(types.float64, POINTER, POINTER, types.int64)


@intrinsic
def call_for_choice(_typing: Any, address: Any, number: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """What a callee returns that takes an integer, or RAISED."""
    return _caller(types.int64, types.int64)


@intrinsic
def call_chooser(_typing: Any, address: Any, view: Any, u: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """The option that a strategy without parameters takes, or RAISED."""
    return _caller(types.int64, POINTER, types.float64)


@intrinsic
def call_chooser_with_parameters(_typing: Any, address: Any, view: Any, u: Any, parameters: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """The option that a strategy with parameters takes, or RAISED."""
    return _caller(types.int64, POINTER, types.float64, POINTER)
