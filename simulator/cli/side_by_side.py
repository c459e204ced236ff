"""Tables with a column for each number of players, several below each other where the terminal is too narrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from simulator.cli import show
from simulator.document.figures import estimate_text

if TYPE_CHECKING:
    from rich.table import Table

    from simulator.stats.estimate import Estimate

Found = TypeVar("Found")

Line = tuple[str, list[str]]
"""What a line is about, and its cells."""


def lines(
    found: Sequence[Found], figures: Callable[[Found], dict[str, Estimate]], text: Callable[[Estimate], str] | None = None
) -> list[Line]:
    """A line for each figure that anything found has, with a cell for each thing found.

    Args:
        found: what was found, usually for one number of players each.
        figures: what is to be listed of it, by name.
        text: how a figure is written; value and below it the interval unless given.
    """
    columns = [figures(one) for one in found]
    names = dict.fromkeys(name for column in columns for name in column)
    write = text or (lambda estimate: estimate_text(estimate, "\n"))
    return [(name, [write(column[name]) if name in column else "-" for column in columns]) for name in names]


def tables(title: str, heading: str, columns: Sequence[str], listed: Sequence[Line], width: int) -> Iterator[Table]:
    """Lines as tables that are no wider than the terminal if that can be.

    Args:
        title: stands above the first of them.
        heading: of the column that says what a line is about.
        columns: headings of the others.
        listed: the lines; without any there is no table.
        width: of the terminal.
    """
    room = width - max((len(part) for text in (heading, *(name for name, _ in listed)) for part in text.split("\n")), default=0)
    first = 0
    while listed and first < len(columns):
        fitting = _how_many_fit(columns[first:], [cells[first:] for _, cells in listed], room)
        table = show.new_table(heading, *columns[first : first + fitting], title=None if first else title, right=range(1, fitting + 1))
        for name, cells in listed:
            show.add_row(table, name, *cells[first : first + fitting])
        yield table
        first += fitting


def _how_many_fit(columns: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> int:
    """How many columns stand side by side; one at least."""
    used = 0
    for place, column in enumerate(columns):
        cells: list[Any] = [column, *(row[place] for row in rows)]
        used += 2 + max(len(part) for cell in cells for part in cell.split("\n"))
        if used > room and place:
            return place
    return len(columns)
