"""A table that tears no figure from its interval: where the terminal is too narrow for it, its rows are told one below the other."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column, Table
from rich.text import Text

GAP = 2
"""Columns of the terminal between two of the table, and at its left."""

_PROSE = 16
"""A column of words is not made narrower than this, unless its cells are."""


class FittingTable(Table):
    """A table whose cells are strings or Texts; what is aligned to the right is never broken."""

    def fits(self, width: int) -> bool:
        """Whether its columns stand side by side in so many columns of the terminal."""
        return sum(self._least_widths()) + GAP * len(self.columns) <= width

    def _cells(self) -> list[list[str]]:
        return [[_plain(cell) for cell in column.cells] for column in self.columns]

    def _least_widths(self) -> list[int]:
        return [_least(column, texts) for column, texts in zip(self.columns, self._cells(), strict=True)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table with its columns as wide as they have to be, or its rows one below the other."""
        cells, least = self._cells(), self._least_widths()
        most = [max(_width(_plain(c.header)), *map(_width, texts), 0) for c, texts in zip(self.columns, cells, strict=True)]
        room = options.max_width - GAP * len(self.columns)
        if not self.fits(options.max_width):
            yield from self._stacked(cells, options.max_width)
            return
        if sum(most) > room:
            for column, width in zip(self.columns, _shared(least, most, room), strict=True):
                column.width = width
        yield from super().__rich_console__(console, options)

    def _stacked(self, cells: Sequence[Sequence[str]], width: int) -> Iterator[Text]:
        """Each row below the last: its first cell as a heading, then a line for each other cell that is not empty."""
        if self.title is not None:
            yield self.title.copy() if isinstance(self.title, Text) else Text(self.title, style="bold")
            yield Text()
        headers = [" ".join(_plain(column.header).split()) for column in self.columns]
        for row in zip(*cells, strict=True):
            name = f"{headers[0]} {row[0]}" if self.columns[0].justify == "right" else row[0]
            lines = [line for part in name.split("\n") for line in _wrapped(part, width, "", "  ") if row[0]]
            for column, header, cell in zip(self.columns[1:], headers[1:], row[1:], strict=True):
                lines += _field(header, " ".join(cell.split()), width, whole=column.justify == "right")
            yield Text("\n".join(lines), no_wrap=True, overflow="ignore")
        yield Text()


def _plain(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)


def _width(text: str) -> int:
    return max(map(len, text.split("\n")))


def _least(column: Column, cells: Sequence[str]) -> int:
    """The least width that breaks no figure and no word."""
    words = max((len(word) for text in (_plain(column.header), *cells) for word in text.split()), default=0)
    longest = max(map(_width, cells), default=0)
    if column.justify == "right" or column.no_wrap:
        return max(longest, max(map(len, _plain(column.header).split()), default=0))
    return max(words, min(longest, _PROSE))


def _shared(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Widths from `least` to `most` that fill `room`: every column gets the same on top of its least, as far as it can use it.

    >>> _shared([3, 5, 5], [3, 6, 50], 30)
    [3, 6, 21]
    """
    widths = list(least)
    left = room - sum(least)
    by_want = sorted(range(len(least)), key=lambda i: most[i] - least[i])
    for place, i in enumerate(by_want):
        more = max(0, min(most[i] - least[i], left // (len(by_want) - place)))
        widths[i] += more
        left -= more
    return widths


def _field(header: str, value: str, width: int, *, whole: bool) -> list[str]:
    """The lines of one cell; a `whole` one stands on a line of its own rather than being broken."""
    if not value:
        return []
    line = f"  {header}: {value}" if header else f"  {value}"
    if whole and len(line) > width:
        return [*_wrapped(f"{header}:", width, "  ", "    "), f"    {value}"]
    return _wrapped(line.strip(), width, "  ", "    ")


def _wrapped(text: str, width: int, first: str, later: str) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False)


def new_table(*columns: str, title: str | None = None, right: Sequence[int] = ()) -> FittingTable:
    """An empty table in the one style of this program; columns in `right` are aligned to the right."""
    heading = None if title is None else Text(title, style="bold")  # brackets in it are no markup
    table = FittingTable(title=heading, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, padding=(0, 1, 0, 0), title_style="bold")
    for i, column in enumerate(columns):
        table.add_column(Text(column), justify="right" if i in right else "left", overflow="fold")
    return table


def add_row(table: Table, *cells: str) -> None:
    """Add cells as they are: square brackets in them are no markup."""
    table.add_row(*(Text(cell) for cell in cells))
