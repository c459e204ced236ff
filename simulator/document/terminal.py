"""A document for the terminal: what was found first, then its tables, and how it was made."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from simulator.document.chapters import Table
from simulator.document.figures import CELL, PART_CELL, difference_text, estimate_text, interval_text
from simulator.document.fitting_table import GAP, FittingTable, add_row, new_table
from simulator.document.language import broken

if TYPE_CHECKING:
    from rich.console import Console

    from simulator.document.chapters import Cell
    from simulator.document.document import Document

NARROW_HEADING = 12
"""A heading is broken to this width, or to that of its cells, where the tables would be too wide else."""

INDENT = "  "
"""Stands before the further lines of a sentence."""


def print_document(document: Document, console: Console) -> None:
    """Print what a study found, each table as wide as it may be."""
    if document.opening:
        paragraph(document.opening, console, style="bold")
    for sentence in dict.fromkeys(filter(None, (document.finding, *document.sentences, *document.warnings))):
        paragraph(sentence, console)
    spaced = False
    for sentences, tables in (*((c.sentences if c.printed else (), c.tables) for c in document.chapters), ((), document.tables)):
        spaced = _print_part(sentences, tables, console, spaced=spaced)
    if document.closing:
        paragraph(document.closing, console, style="dim")
    for facts in filter(None, (document.facts, document.made)):
        paragraph(", ".join(f"{name[:1].lower()}{name[1:]} {value}" for name, value in facts), console, style="dim")


def _print_part(sentences: Iterable[str], tables: Iterable[Table], console: Console, *, spaced: bool) -> bool:
    """Sentences, then tables; whether a space stands below what was printed last, and stood above."""
    for sentence in sentences:
        paragraph(sentence, console)
        spaced = False
    for table in tables:
        if not table.printed or not table.rows:
            continue
        for part in _by_group(table):
            if part.title and not spaced:
                console.print()
            if part.title:
                paragraph(part.title, console, style="bold")
            for one in fitting(part, console.width):
                console.print(one)
                spaced = True
        for cell in (cell for row in table.cells for cell in row if cell.code and " " in cell.text):
            console.print(cell.text, markup=False, emoji=False, soft_wrap=True)  # a command has to be copied in one piece
            spaced = False
    return spaced


def paragraph(text: str, console: Console, style: str = "") -> None:
    """Text broken at the terminal's width, its further lines standing in."""
    for line in textwrap.wrap(text, console.width, subsequent_indent=INDENT, break_long_words=False, break_on_hyphens=False):
        console.print(Text(line, style=style), soft_wrap=True)


def _by_group(table: Table) -> Iterator[Table]:
    """A table for all rows in a row that are alike in the columns it is grouped by, which are in its title; or the table."""
    if not table.grouped:
        yield table
        return
    kept = [place for place in range(len(table.columns)) if place not in table.grouped]
    numeric = frozenset(i for i, place in enumerate(kept) if place in table.numeric)
    for about, rows in groupby(table.cells, key=lambda row: [(place, row[place].text) for place in table.grouped]):
        title = ", ".join(_counted(text, table.columns[place]) if place in table.numeric else text for place, text in about)
        cells = tuple(tuple(row[place] for place in kept) for row in rows)
        yield Table(title, "", tuple(table.columns[place] for place in kept), cells, numeric)


def _counted(number: str, heading: str) -> str:
    """A number and what it counts, such as "4 players"."""
    thing = heading.lower()
    return f"{number} {thing.removesuffix('s') if number == '1' else thing}"


def fitting(table: Table, width: int) -> Iterator[FittingTable]:
    """A table for so many columns of the terminal: several below each other where all but its first column are figures.

    Args:
        table: what to show.
        width: of the terminal.
    """
    if table.flat:
        columns = _columns(table, " ")
        beside = _made(table, columns, range(len(columns)))
        if beside.fits(width):
            yield beside
            return
    columns = _columns(table)
    if len(table.columns) == 1 or not set(range(1, len(columns))) <= table.numeric:
        yield _made(table, columns, range(len(columns)))
        return
    room = width - _width(columns[0]) - GAP
    if _how_many_fit(columns[1:], room) < len(columns) - 1:
        columns = [columns[0], *(_narrowed(column) for column in columns[1:])]
    start = 1
    while start < len(columns):
        n = _how_many_fit(columns[start:], room)
        yield _made(table, columns, (0, *range(start, start + n)))
        start += n


def _columns(table: Table, between: str = "\n") -> list[Sequence[str]]:
    """Each column's heading and cells, but those of commands; `between` stands between a figure and its interval."""
    cells = [[_written(cell).replace("\n", between) for cell in row if not (cell.code and " " in cell.text)] for row in table.cells]
    return [(heading, *(row[place] for row in cells)) for place, heading in enumerate(table.columns) if place < len(cells[0])]


def _made(table: Table, columns: Sequence[Sequence[str]], places: Sequence[int]) -> FittingTable:
    right = [i for i, place in enumerate(places) if place in table.numeric]
    made = new_table(*(columns[place][0] for place in places), right=right)
    for row in zip(*(columns[place][1:] for place in places), strict=True):
        add_row(made, *row)
    return made


def _written(cell: Cell) -> str:
    """A cell as the terminal has it: a figure above its interval, or a text above its small print."""
    if cell.estimate is not None and cell.style.sided:
        return difference_text(cell.estimate, cell.style.digits)
    if cell.estimate is not None and cell.style in (CELL, PART_CELL):
        return (estimate_text if cell.style.counted else interval_text)(cell.estimate, "\n")
    text = f"{cell.text} ({cell.mark})" if cell.text and cell.mark else cell.text or cell.mark.upper()
    return f"{text}\n{cell.small}" if cell.small else text.replace("\N{EN DASH}", "-") if len(text) == 1 else text


def _narrowed(column: Sequence[str]) -> Sequence[str]:
    """The column with its heading broken where that is wider than its cells."""
    room = max(NARROW_HEADING, *map(_width, ([cell] for cell in column[1:])))
    return ("\n".join(broken(column[0], room)), *column[1:])


def _width(column: Sequence[str]) -> int:
    return max(len(line) for cell in column for line in cell.split("\n"))


def _how_many_fit(columns: Sequence[Sequence[str]], room: int) -> int:
    """How many of the columns stand side by side; one at least."""
    used = 0
    for place, column in enumerate(columns):
        used += GAP + _width(column)
        if used > room and place:
            return place
    return len(columns)
