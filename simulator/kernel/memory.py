"""Records and words at addresses: what compiled code needs to play every game by one loop."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simulator.kernel.pointers import record_at, record_type
from simulator.kernel.records import HEAD

_HEAD = record_type(HEAD)
_WORD = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


@intrinsic
def address(_typing: Any, record: Any) -> Any:
    """Address of a record, int64."""

    def codegen(_context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        return builder.ptrtoint(values[0], _WORD)

    return types.int64(record), codegen


head_at = record_at(HEAD)
"""The head of the table at an address."""


@intrinsic
def head_of(_typing: Any, table: Any) -> Any:
    """The head of a game's table: what works on it is compiled once for all games."""

    def codegen(context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        return builder.bitcast(values[0], context.get_value_type(_HEAD))

    return _HEAD(table), codegen


@intrinsic
def word_at(_typing: Any, place: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """The int64 at an address."""

    def codegen(_context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        return builder.load(builder.inttoptr(values[0], _WORD.as_pointer()))

    return types.int64(types.int64), codegen


@intrinsic
def put_word(_typing: Any, place: Any, value: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """Write an int64 to an address."""

    def codegen(context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        builder.store(values[1], builder.inttoptr(values[0], _WORD.as_pointer()))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), codegen


@intrinsic
def copy_number(_typing: Any, target: Any, source: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """Copy the int32 at one address to another."""

    def codegen(context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        pointer = ir.IntType(32).as_pointer()
        builder.store(builder.load(builder.inttoptr(values[1], pointer)), builder.inttoptr(values[0], pointer))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), codegen


@intrinsic
def copy_bytes(_typing: Any, target: Any, source: Any, count: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """Copy so many bytes from one address to another."""

    def codegen(context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        target, source, count = values
        cgutils.raw_memcpy(builder, builder.inttoptr(target, _BYTES), builder.inttoptr(source, _BYTES), count, 1)
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64), codegen


@intrinsic
def clear_bytes(_typing: Any, place: Any, count: Any) -> Any:  # noqa: ARG001  Numba reads the names
    """Set so many bytes from an address on to 0."""

    def codegen(context: Any, builder: Any, _signature: Any, values: list[Any]) -> Any:
        cgutils.memset(builder, builder.inttoptr(values[0], _BYTES), values[1], 0)
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), codegen
