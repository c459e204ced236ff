"""Records as a game or strategy meets them in plain Python: whoever reads or writes what is not there, or not so, is told at once.

Compiled code takes a fraction for a whole number without a word, and counts round at the end of 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from simulator.errors import nearest


class MisuseError(Exception):
    """Something is read or written that cannot be; the message is a clause."""


Missing = Callable[[str], str]
"""A clause about a field that is not there."""


def missing_from(known: Iterator[str] | tuple[str, ...], what: str) -> str:
    """A clause about a name that is none of the known ones."""
    return f"there is no field '{what}'{nearest(what, known)}"


class WatchedRecord:
    """A record.

    Attributes of it are its fields. Whole numbers come out as int64, as compiled code counts, and packed cards as uint64.
    """

    __slots__ = ("_frozen", "_guards", "_missing", "_record", "_seats", "_written")

    def __init__(
        self,
        record: Any,
        missing: Missing,
        *,
        frozen: str = "",
        written: set[str] | None = None,
        seats: Mapping[str, int] | None = None,
        guards: Mapping[str, int] | None = None,
    ) -> None:
        """Watch a record.

        Args:
            record: a record of NumPy's, on the memory that is played on.
            missing: what to say about a field that is not there.
            frozen: why nothing may be written, if that is so.
            written: where the names of fields that are written are collected.
            guards: for each field of packed cards, the bits that are never set.
            seats: how many sit at the table, for each field whose first place is a seat.
        """
        object.__setattr__(self, "_record", record)
        object.__setattr__(self, "_missing", missing)
        object.__setattr__(self, "_frozen", frozen)
        object.__setattr__(self, "_written", set() if written is None else written)
        object.__setattr__(self, "_seats", seats or {})
        object.__setattr__(self, "_guards", guards or {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._record[self._known(name)]
        if isinstance(value, np.ndarray):
            return WatchedArray(value, name, self)
        if isinstance(value, np.void):
            return WatchedRecord(value, self._missing, frozen=self._frozen)
        return as_counted(value)

    def __setattr__(self, name: str, value: Any) -> None:
        kind = self._record.dtype.fields[self._known(name)][0]
        self.note_writing(name)
        if kind.shape:
            message = f"'{name}' holds {kind.shape[0]} numbers; write them one by one, as in {name}[0] = 1"
            raise MisuseError(message)
        self._record[name] = self.counts(name, fitting(value, kind, name))

    def _known(self, name: str) -> str:
        if name not in self._record.dtype.fields:
            raise MisuseError(self._missing(name))
        return name

    def note_writing(self, name: str) -> None:
        """Refuse to write, or remember that a field was written."""
        if self._frozen:
            message = f"{self._frozen}, and '{name}' is written"
            raise MisuseError(message)
        self._written.add(name)

    def counts(self, name: str, value: Any) -> Any:
        """A value, once it is known to be no count below none where cards are packed."""
        if int(value) & self._guards.get(name, 0):
            message = f"'{name}' would hold fewer than none of a kind, or too many; look with piles.count before a card is taken"
            raise MisuseError(message)
        return value

    def places(self, name: str) -> int:
        """How many places of a field may be written, if these are the seats; else 0."""
        return int(self._seats.get(name, 0))


class WatchedArray:
    """Numbers of a record that lie side by side."""

    __slots__ = ("_array", "_name", "_outer", "_owner")

    def __init__(self, array: Any, name: str, owner: WatchedRecord, *, outer: bool = True) -> None:
        """Watch an array that lies in a field of a record, or a part of it."""
        self._array, self._name, self._owner, self._outer = array, name, owner, outer

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        value = self._array[index]
        return WatchedArray(value, self._name, self._owner, outer=False) if isinstance(value, np.ndarray) else as_counted(value)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        self._owner.note_writing(self._name)
        place = index[0] if isinstance(index, tuple) else index
        seats = self._owner.places(self._name) if self._outer else 0
        if seats and isinstance(place, int | np.integer) and place >= seats:
            message = f"'{self._name}' is written for seat {place}, where {seats} sit at the table, counted from 0"
            raise MisuseError(message)
        self._array[index] = (
            value if isinstance(value, np.ndarray) else self._owner.counts(self._name, fitting(value, self._array.dtype, self._name))
        )

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self._array)))

    def __array__(self, *more: Any, **named: Any) -> Any:
        return np.asarray(self._array, *more, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._array, name)

    def _check(self, index: Any) -> None:
        for one in index if isinstance(index, tuple) else (index,):
            if isinstance(one, float | np.floating):
                message = f"place {one} of '{self._name}' is read or written, and a place is a whole number; divide with //"
                raise MisuseError(message)


def as_counted(value: Any) -> Any:
    """A number of a record as compiled code counts it."""
    kind = value.dtype.kind
    return np.int64(value) if kind == "i" else Packed(value) if kind == "u" else value


class Packed(np.uint64):
    """Packed cards, which nothing but packed cards can be added to: compiled code makes a fraction of all else."""

    def __add__(self, other: Any) -> Any:
        return super().__add__(_packed(other))

    def __sub__(self, other: Any) -> Any:
        return super().__sub__(_packed(other))

    __radd__ = __add__


def _packed(other: Any) -> Any:
    """What is added to packed cards or taken from them.

    Raises:
        MisuseError: it is some other number.
    """
    if isinstance(other, int | float | np.signedinteger | np.floating):
        message = f"{other} is added to packed cards or taken from them; write piles.one(DECK, kind) for a card of a kind"
        raise MisuseError(message)
    return other


def fitting(value: Any, kind: np.dtype[Any], name: str) -> Any:
    """A value that is about to be written, once it is known to fit.

    Raises:
        MisuseError: it does not.
    """
    if value is None:
        message = f"'{name}' gets None: what is called there comes to its end without a return"
        raise MisuseError(message)
    if not isinstance(value, int | float | np.number | np.bool_):
        message = f"'{name}' gets {_a(value)}; a table holds numbers, and several of them in numbers(...) or cards(...)"
        raise MisuseError(message)
    if kind.kind == "f":
        return value
    if isinstance(value, float | np.floating):
        message = f"'{name}' gets {float(value):g}, and holds whole numbers; divide with //, or write int(...)"
        raise MisuseError(message)
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    if not low <= int(value) <= high:
        message = f"'{name}' gets {int(value)}, and holds numbers from {low} to {high}"
        raise MisuseError(message)
    return value


def _a(value: Any) -> str:
    kind = type(value).__name__
    return {"list": "a list", "dict": "a dictionary", "str": "a text", "tuple": "a tuple", "set": "a set"}.get(
        kind, f"something of type {kind}"
    )
