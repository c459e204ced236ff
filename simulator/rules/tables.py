"""Cards from a table: a file whose every number becomes a rule constant, named after its column and its card.

The file is what a spreadsheet saves as CSV: a line of headings, among them `name` and `copies`, and a line for each kind of card.
Columns of numbers become constants, `cards.copies.Dragon`; columns of words are for people. A change of the file is a change
of the rules, and says where it comes from: file and line.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, create_model

from simulator.errors import RulesError, nearest
from simulator.files import read_text
from simulator.rules import RuleGroup, Source, constant, rulebook

NAME, COPIES = "name", "copies"
MOST_COPIES = 10_000
MOST_KINDS = 500
"""A table with more lines is refused."""

_WHAT = "Card table"


class Column(RuleGroup):
    """A number for each kind of card; compiled code finds an array, in the order of the table: `rules.cards.copies[kind]`."""

    def listed(self) -> tuple[int | float, ...]:
        """The numbers in the order of the table, such as for `kit.of_rules`."""
        return tuple(getattr(self, name) for name in type(self).model_fields)


class Cards(RuleGroup):
    """A table of cards.

    Attributes:
        names: the kinds in their order; a card's number is its place here.
    """

    names: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def kind(cls, name: str) -> int:
        """The number of the card called so.

        Raises:
            RulesError: there is none.
        """
        key = _key(name)
        if key not in cls.names:
            message = f"There is no card '{name}' in the table{nearest(key, cls.names) or '; there are ' + ', '.join(cls.names)}."
            raise RulesError(message)
        return cls.names.index(key)


def cards_from(file: str | Path, source: Callable[[str], Source] = rulebook) -> type[Cards]:
    """The group of rules that a table of cards is; it stands in a game's rules as `cards: Cards = Cards()`.

    Args:
        file: a CSV file, separated by commas or semicolons; a relative path begins at the file that calls.
        source: what kind of source the numbers have; it is given file and line.

    Raises:
        RulesError: the file cannot be read, or is no such table; the line is named.
    """
    place = Path(sys._getframe(1).f_globals.get("__file__", "")).parent / file  # noqa: SLF001  beside whoever calls
    table = _Table(place)
    columns: dict[str, Any] = {heading: _column(table, heading, source) for heading in table.numbers}
    columns = {heading: (column, column()) for heading, column in columns.items()}
    made = create_model("Cards", __base__=Cards, __doc__=f"The cards of {place.name}.", **columns)
    made.names = tuple(table.lines)
    return made


def _column(table: _Table, heading: str, source: Callable[[str], Source]) -> type[Column]:
    bounds: dict[str, Any] = {"ge": 0, "le": MOST_COPIES} if heading == COPIES else {}
    values = {name: _number(cells[heading]) for name, (_, cells) in table.lines.items()}
    kind = int if all(isinstance(value, int) for value in values.values()) else float
    fields: dict[str, Any] = {}
    for name, (line, _) in table.lines.items():
        text = "Copies of the card" if heading == COPIES else heading.replace("_", " ").capitalize()
        where = source(f"{table.file.name}, line {line}")
        unit = "cards" if heading == COPIES else heading.replace("_", " ")
        fields[name] = (kind, constant(kind(values[name] or 0), description=f"{text} {name}.", unit=unit, source=where, **bounds))
    return create_model("Column", __base__=Column, __doc__=f"{heading} of each card.", **fields)


class _Table:
    """A table as it was read.

    Attributes:
        file: where it stands.
        lines: name of each card to its line in the file, and its cells by heading.
        numbers: headings of the columns of numbers.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        text = read_text(file, _WHAT, RulesError)
        first = text.partition("\n")[0]
        rows = csv.reader(StringIO(text), delimiter=";" if first.count(";") > first.count(",") else ",")
        headings = [_key(heading).lower() for heading in next(rows, [])]
        for needed in (NAME, COPIES):
            if needed not in headings:
                shown = nearest(needed, headings) or (f"; it has {', '.join(headings)}" if headings else "")
                raise self._wrong(1, f"has no column '{needed}'{shown}")
        self._check_names(1, headings)
        self.lines = self._read(headings, rows)
        self.numbers = [h for h in headings if h != NAME and self._is_numbers(h)]

    def _read(self, headings: list[str], rows: Any) -> dict[str, tuple[int, dict[str, str]]]:
        lines: dict[str, tuple[int, dict[str, str]]] = {}
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if len(cells) != len(headings):
                raise self._wrong(rows.line_num, f"has {len(cells)} cells, where the first line has {len(headings)} headings")
            result = dict(zip(headings, cells, strict=True))
            name = _key(result[NAME])
            if name in lines:
                raise self._wrong(rows.line_num, f"has '{result[NAME]}' a second time, after line {lines[name][0]}; give it another name")
            self._check_names(rows.line_num, [name])
            lines[name] = rows.line_num, result
        if not 1 <= len(lines) <= MOST_KINDS:
            raise self._wrong(1, f"has {len(lines)} cards, and there can be 1 to {MOST_KINDS}")
        return lines

    def _is_numbers(self, heading: str) -> bool:
        """Whether a column holds numbers; one that holds both is refused."""
        read = {line: _number(cells[heading]) for line, cells in self.lines.values()}
        if heading != COPIES and all(value is None for value in read.values()):
            return False
        for line, value in read.items():
            if value is None:
                raise self._wrong(line, f"has no number in the column '{heading}', where other lines have one")
            if heading == COPIES and not (isinstance(value, int) and 0 <= value <= MOST_COPIES):
                raise self._wrong(line, f"has {value} copies; write a whole number from 0 to {MOST_COPIES:,}")
        return True

    def _check_names(self, line: int, names: list[str]) -> None:
        for name in names:
            if not name.isidentifier() or name.startswith("_") or hasattr(BaseModel, name) or hasattr(RuleGroup, name):
                raise self._wrong(line, f"has the name '{name}', which no constant can have; call it otherwise, such as Dragon")

    def _wrong(self, line: int, reason: str) -> RulesError:
        return RulesError(f"{_WHAT} {self.file.name}, line {line}, {reason}.")


def _key(name: str) -> str:
    """A name as it stands in a dotted key.

    >>> _key(" Fire Dragon ")
    'Fire_Dragon'
    """
    return re.sub(r"[^\w]+", "_", name.strip()).strip("_")


def _number(cell: str) -> int | float | None:
    try:
        return int(cell)
    except ValueError:
        pass
    try:
        return float(cell)
    except ValueError:
        return None
