"""Instructions of the processor that work on the bits of a word."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def bits_set(_typing: Any, x: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """Number of set bits of a uint64."""

    def codegen(_context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        return builder.ctpop(values[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def zeros_below(_typing: Any, x: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """Number of zero bits below the lowest set bit of a uint64."""

    def codegen(_context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen
