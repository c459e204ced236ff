"""How a game declares what lies on its table, and who sees it. Nothing here is compiled.

Each field is declared once: what it is, and whether everybody sees it, its owner, or nobody. The record that compiled code
works on and the view that a strategy gets follow from that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from simulator.kernel.records import MAX_SEATS, POSITION, VIEW_HEAD, WIRING, check_names

_WORD, _NUMBER = 8, 4


class Sight(Enum):
    """Who sees a field."""

    EVERYBODY = "everybody"
    OWNER = "its owner"
    NOBODY = "nobody"


EVERYBODY, OWNER, NOBODY = Sight


@dataclass(frozen=True)
class Field:
    """One thing on the table.

    Attributes:
        kind: NumPy's name of one of its numbers.
        shape: how many of them.
        seen_by: who sees it.
        of_seats: whether its first axis is the seats.
        of_rules: for what stays as it is through all playouts, how it follows from the rules.
        members: for numbers that have names, the names; they are the last axis.
        decisions: for what has an entry for each option, the decisions that list it; the options are its first axis.
    """

    kind: str = "i4"
    shape: tuple[int, ...] = ()
    seen_by: Sight = EVERYBODY
    of_seats: bool = False
    of_rules: Callable[[Any], Any] | None = None
    members: type[IntEnum] | None = None
    decisions: tuple[int, ...] = ()


def number(*, kind: str = "i4", seen_by: Sight = EVERYBODY) -> Field:
    """A whole number, of 32 bits if nothing else is said."""
    return Field(kind, seen_by=seen_by)


def numbers(count: int, *, kind: str = "i4", seen_by: Sight = EVERYBODY) -> Field:
    """So many whole numbers in a row."""
    return Field(kind, (count,), seen_by)


def counters(members: type[IntEnum], *, seen_by: Sight = NOBODY) -> Field:
    """A whole number for each member of an enumeration; the metric `wasted.gifts` is counted under WASTED_GIFTS."""
    return Field("i4", (len(members),), seen_by, members=members)


def cards(words: int = 1, *, seen_by: Sight = EVERYBODY) -> Field:
    """A pile, bag or hand as counts by kind, packed into so many words; see `simulator.kit.piles`."""
    return Field("u8", (words,) if words > 1 else (), seen_by)


def per_seat(what: Field | None = None, *, seen_by: Sight = EVERYBODY) -> Field:
    """The same for every seat: a number, or whatever `what` is."""
    one = what or number()
    return replace(one, shape=(MAX_SEATS, *one.shape), seen_by=seen_by, of_seats=True)


def per_option(most: int, decisions: Iterable[int], what: Field | None = None) -> Field:
    """The same for every option of some decisions: a number, or whatever `what` is.

    Before a game asks with n options at one of these decisions it writes the first n entries. They stay until it writes them
    anew, and no deal, copy or turn that is played again has to carry them along; so between two questions they mean nothing.
    A strategy finds 0 in what is left of another decision.

    Args:
        most: how many options there can be.
        decisions: the numbers of those decisions that list it.
        what: what each entry is.
    """
    one = what or number()
    return replace(one, shape=(most, *one.shape), decisions=tuple(decisions))


def of_rules(value: Callable[[Any], Any], *, kind: str = "i4", shape: tuple[int, ...] = ()) -> Field:
    """Something that follows from the rules and that a strategy may look at."""
    return Field(kind, shape, of_rules=value)


class TableDeclaration:
    """What lies on a game's table.

    Attributes:
        fields: name to what it is.
        dtype: the record that compiled code works on: the kernel's head, then the fields, then what follows from the rules.
        view: what a seat may see of that record, where it lies.
        size: bytes that a playout may change and come back to, from the start of the record on.
        options: the bytes behind them that hold what each option is.
    """

    def __init__(self, fields: Mapping[str, Field]) -> None:
        """Take the fields by their names.

        Raises:
            ValueError: a field has a name that it cannot have.
        """
        check_names([*WIRING, *POSITION], _spelt(fields))
        self.fields = dict(fields)
        listed = {name: f for name, f in fields.items() if f.decisions}
        changing = {name: f for name, f in fields.items() if f.of_rules is None and name not in listed}
        own = {_shown(name): replace(f, shape=f.shape[1:]) for name, f in changing.items() if f.seen_by is OWNER}
        fixed = {name: f for name, f in fields.items() if f.of_rules is not None}
        start = [*WIRING, *POSITION, *_spelt(changing), *_spelt(own)]
        self.dtype = np.dtype([*start, *_spelt(listed), *_spelt(fixed)], align=True)
        end = min((self._place(name)[1] for name in fixed), default=self.dtype.itemsize)
        self.size = min((self._place(name)[1] for name in listed), default=end)
        self.options = slice(self.size, end)

    @cached_property
    def view(self) -> np.dtype[Any]:
        """What a seat may see: the kernel's part, what everybody sees, its own, and what follows from the rules."""
        places = {name: name for name in (*(name for name, *_ in VIEW_HEAD), "mover", "direction")}
        places |= {name: name if f.seen_by is EVERYBODY else _shown(name) for name, f in self.fields.items() if f.seen_by is not NOBODY}
        found = sorted(((name, *self._place(place)) for name, place in places.items()), key=lambda one: one[-1])
        names, formats, offsets = (list(column) for column in zip(*found, strict=True))
        return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": self.dtype.itemsize})

    @cached_property
    def owned(self) -> list[tuple[int, int, int, int]]:
        """For each field that its owner sees: where it lies, the step from seat to seat, where the owner's is shown, and its words."""
        found = []
        for name, field in self.fields.items():
            if field.seen_by is OWNER:
                kind, at = self._place(name)
                step = kind.itemsize // field.shape[0]
                found.append((at, step, self._place(_shown(name))[1], step // _WORD))
        return found

    @cached_property
    def listed(self) -> list[tuple[int, int, int, int]]:
        """For each field with an entry for each option: where it lies, bytes of an entry, how many, and the decisions bit by bit."""
        found = []
        for name, field in self.fields.items():
            if field.decisions and field.seen_by is EVERYBODY:
                kind, at = self._place(name)
                found.append((at, kind.itemsize // field.shape[0], field.shape[0], sum(1 << one for one in set(field.decisions))))
        return found

    def offset(self, metric: str) -> int:
        """Where in the record the number of a metric lies: in the field of its name, or under its name among the counters.

        `score.1` is what the field `score` holds of seat 1, `drawn.coal.1` the number COAL in its field `drawn`.

        Raises:
            KeyError: there is no such field, or it holds no 32-bit numbers.
        """
        counted = metric.replace(".", "_").upper()
        for name, field in self.fields.items():
            if field.members is not None and not field.of_seats and counted in field.members.__members__:
                return self._place(name)[1] + _NUMBER * field.members[counted]
        name, *parts = {"turns": "turn"}.get(metric, metric).split(".")
        kind, at = self._place(name)
        members = self.fields[name].members if name in self.fields else None
        index = [int(part) if members is None or part.isdigit() else members[part.upper()] for part in reversed(parts)]
        if kind.base != np.dtype("i4") or len(index) != kind.ndim:
            raise KeyError(metric)
        return at + _NUMBER * (int(np.ravel_multi_index(index, kind.shape)) if index else 0)

    def lay_out(self, memory: np.ndarray[Any, Any], rules: Any) -> None:
        """Write what follows from the rules."""
        for name, field in self.fields.items():
            if field.of_rules is not None:
                memory[name] = field.of_rules(rules)

    def _place(self, name: str) -> tuple[np.dtype[Any], int]:
        assert self.dtype.fields is not None  # noqa: S101  a record has fields
        kind, at = self.dtype.fields[name][:2]
        return kind, int(at)


def table(**fields: Field) -> TableDeclaration:
    """Declare what lies on a game's table, each thing by its name."""
    return TableDeclaration(fields)


def _shown(name: str) -> str:
    return f"{name}_shown"


def _spelt(fields: Mapping[str, Field]) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(name, f.kind, f.shape) for name, f in fields.items()]
