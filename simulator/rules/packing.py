"""The kernel's record of a game's rules, derived from their model: nested as it is, so that compiled code says `rules.die.sides`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args, get_origin

import numpy as np
from pydantic import BaseModel

from simulator.rules.tables import Column

Derived = Mapping[str, np.ndarray[Any, Any] | int | float]


def packer(derive: Callable[[Any], Derived] | None = None) -> Callable[[Any], np.ndarray[Any, Any]]:
    """The function that packs a game's rules into an array of one record.

    Whole numbers and yes or no become int64, other numbers float64, a choice its place among the choices. A column of a
    table of cards becomes an array. Lists stay out; what compiled code needs of them a game derives.

    Args:
        derive: name to the numbers or arrays that a game computes from its rules; their shapes are the same for all rules.
    """

    def pack(rules: Any) -> np.ndarray[Any, Any]:
        extra = {name: np.asarray(value) for name, value in (derive(rules) if derive else {}).items()}
        more = [(name, "i8" if a.dtype.kind in "bi" and not a.ndim else a.dtype, a.shape) for name, a in extra.items()]
        packed = np.zeros(1, np.dtype([*_fields(type(rules)), *more], align=True))
        _fill(packed, rules)
        for name, value in extra.items():
            packed[name] = value
        return packed

    return pack


def _fields(model: type[BaseModel]) -> list[tuple[Any, ...]]:
    results: list[tuple[Any, ...]] = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Column):
            results.append((name, _number_kind(kind), (len(kind.model_fields),)))
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            inner = _fields(kind)
            results += [(name, np.dtype(inner, align=True))] if inner else []
        elif kind in (int, bool) or get_origin(kind) is Literal:
            results.append((name, "i8"))
        elif kind is float:
            results.append((name, "f8"))
    return results


def _number_kind(column: type[Column]) -> str:
    return "i8" if all(field.annotation is int for field in column.model_fields.values()) else "f8"


def _fill(packed: np.ndarray[Any, Any], model: BaseModel) -> None:
    assert packed.dtype.names is not None  # noqa: S101  it is a record
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if name not in packed.dtype.names:
            continue
        if isinstance(value, Column):
            packed[name] = value.listed()
        elif isinstance(value, BaseModel):
            _fill(packed[name], value)
        elif get_origin(field.annotation) is Literal:
            packed[name] = get_args(field.annotation).index(value)
        else:
            packed[name] = value
