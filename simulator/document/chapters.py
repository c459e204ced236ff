"""The parts that documents are made of: chapters, tables and their cells. Nothing here knows what they say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from simulator.document.figures import CELL, Style, figure, interval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

WHO_WINS = "who-wins"
HOW_LONG = "how-long"
HOW_CLOSE = "how-close"
WHAT_HAPPENS = "what-happens"
SKILL = "skill"
RULES_THAT_MATTER = "rules-that-matter"
RULES_AND_SOURCES = "rules-and-sources"
HOW_MADE = "how-made"

SKILL_TITLE = "What skill is worth"
"""The heading of that chapter, which others point to."""

ORDER = (WHO_WINS, HOW_LONG, HOW_CLOSE, WHAT_HAPPENS, SKILL, RULES_THAT_MATTER, RULES_AND_SOURCES, HOW_MADE)
"""The chapters of a balance report, in the order in which a designer asks."""


@dataclass(frozen=True)
class Cell:
    """A cell that says more than one thing.

    Attributes:
        text: what it says.
        small: what stands below it in small letters, such as the interval of an estimate.
        mark: a word in a frame beside it, such as "assumed".
        code: whether it is a name or a digest, to be set in letters of one width.
        run: the run that it is about, if there are several; whoever picks another run does not see it.
        estimate: the number behind the text, with best, low, high, n and unit, if there is one.
        style: how that is written on a page.
    """

    text: str
    small: str = ""
    mark: str = ""
    code: bool = False
    run: str = ""
    estimate: Any = field(default=None, compare=False)
    style: Style = field(default=CELL, compare=False)

    @classmethod
    def of(cls, estimate: Any, style: Style = CELL) -> Cell:
        """An estimate, or a line of a frame, above its interval; a dash where there is none."""
        if estimate is None:
            return cls("\N{EN DASH}")
        return cls(figure(estimate, style), interval(estimate, style), estimate=estimate, style=style)


@dataclass(frozen=True)
class Table:
    """A table of a page; its reader can sort it by any column.

    Attributes:
        title: its heading.
        note: a sentence above it; may be empty.
        columns: headings of the columns; the first column names the rows.
        rows: cells, one for each column.
        numeric: which columns, counted from 0, hold numbers: they are aligned to the right and sorted as numbers.
        runs: for each column the run that it is about, or nothing; empty if no column is about one run.
        rows_of: for each row the run that it is about, or nothing; empty if no row is about one run.
        small: what stands small in its cells, to name the columns of a file that hold it.
        name: identifier, for file names; made from the title unless given.
        printed: whether the terminal shows it as well.
        grouped: columns, counted from 0, that the terminal puts above the rows: a table for all rows in a row that are alike in them.
        flat: whether the terminal writes what is small in a cell beside its text instead of below it, where there is room.
    """

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    numeric: frozenset[int] = frozenset()
    runs: tuple[str, ...] = ()
    rows_of: tuple[str, ...] = ()
    small: str = "interval"
    name: str = ""
    printed: bool = True
    grouped: tuple[int, ...] = ()
    flat: bool = False

    @property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows, every cell as a Cell."""
        return tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in self.rows)

    def run_of(self, column: int) -> str:
        """The run that a column is about; empty if it is about all."""
        return self.runs[column] if self.runs else ""

    def run_of_row(self, row: int) -> str:
        """The run that a row is about; empty if it is about all."""
        return self.rows_of[row] if self.rows_of else ""


def by_players(
    title: str,
    heading: str,
    runs: Sequence[str],
    figures: Sequence[Mapping[str, Any]],
    *,
    cell: Callable[[Any], Cell] = Cell.of,
    name: str = "",
) -> Table:
    """A row for each figure that any number of players has, and a column for each number of players.

    Args:
        title: of the table.
        heading: of the column that names the figures.
        runs: the numbers of players, as text.
        figures: for each of them name and estimate.
        cell: makes a cell of an estimate, or of None where there is none.
        name: identifier of the table, for file names.
    """
    names = dict.fromkeys(name for column in figures for name in column)
    rows = tuple((Cell(row), *(cell(column.get(row)) for column in figures)) for row in names)
    return Table(title, "", (heading, *runs), rows, frozenset(range(1, len(runs) + 1)), runs=("", *runs), name=name)


@dataclass(frozen=True)
class Chapter:
    """One question of a designer's, answered.

    Attributes:
        id: identifier; those in ORDER stand in that order.
        title: its heading.
        look_for: what to look for, a sentence for each part.
        sentences: the answer in plain words, with intervals.
        charts: the pictures, or their names where they are still to be drawn.
        tables: the numbers.
        notes: what has to be known of how it was found, such as how many playouts it rests on.
        warnings: what belongs on the first screen of the page.
        printed: whether the terminal shows the sentences as well; tables say so themselves.
    """

    id: str
    title: str
    look_for: str
    sentences: tuple[str, ...] = ()
    charts: tuple[Any, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    printed: bool = True

    def with_more(self, more: Chapter) -> Chapter:
        """This chapter, and behind its own what another has to add; the heading stays."""
        return replace(
            self,
            look_for=" ".join(dict.fromkeys(filter(None, (self.look_for, more.look_for)))),
            sentences=self.sentences + more.sentences,
            charts=self.charts + more.charts,
            tables=self.tables + more.tables,
            notes=self.notes + more.notes,
            warnings=self.warnings + more.warnings,
        )


def arranged(chapters: tuple[Chapter, ...]) -> tuple[Chapter, ...]:
    """Chapters in the order of a report, those of one id made one; others stand before the rules and their sources.

    >>> [c.id for c in arranged((Chapter("how-made", "", ""), Chapter("odd", "", ""), Chapter("skill", "", "")))]
    ['skill', 'odd', 'how-made']
    """
    merged: dict[str, Chapter] = {}
    for chapter in chapters:
        merged[chapter.id] = merged[chapter.id].with_more(chapter) if chapter.id in merged else chapter
    middle = ORDER.index(RULES_AND_SOURCES) - 0.5
    return tuple(sorted(merged.values(), key=lambda c: ORDER.index(c.id) if c.id in ORDER else middle))
