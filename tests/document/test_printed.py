"""Documents as the terminal and Markdown show them."""

from __future__ import annotations

import io

from rich.console import Console

from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import SIGNED_CELL
from simulator.document.markdown import markdown
from simulator.document.terminal import print_document
from simulator.stats.estimate import Estimate

ROWS = (("fast", "1", "Turns"), ("fast", "1", "Wins"), ("fast", "2", "Turns"), ("slow", "2", "Turns"))
GROUPED = Table("All", "", ("Variant", "Players", "Metric"), ROWS, frozenset({1}), grouped=(0, 1))


def document(*tables: Table, chapter: Chapter | None = None) -> Document:
    return Document(None, "Study", "Found.", chapters=(chapter or Chapter("numbers", "The numbers", "", tables=tables),))


def printed(found: Document, width: int = 80) -> list[str]:
    """Its lines, without spaces at their ends and without those that are empty."""
    out = io.StringIO()
    print_document(found, Console(file=out, width=width))
    return [line.strip() for line in out.getvalue().splitlines() if line.strip(" \N{BOX DRAWINGS LIGHT HORIZONTAL}")]


def test_columns_that_rows_share_stand_above_them_and_not_in_them() -> None:
    assert printed(document(GROUPED)) == [
        *("Found.", "fast, 1 player", "Metric", "Turns", "Wins"),
        *("fast, 2 players", "Metric", "Turns"),
        *("slow, 2 players", "Metric", "Turns"),
    ]
    assert "| fast | 1 | Wins |" in markdown(document(GROUPED))


def test_a_mark_that_stands_alone_is_in_capitals_and_a_difference_has_its_sign() -> None:
    moved = Cell.of(Estimate(0.02, 0.01, 0.03, 900, "share"), SIGNED_CELL.with_digits(1))
    table = Table("", "", ("What", "Verdict", "Moved"), (("one", Cell("", mark="broken"), moved), ("two", Cell("3", mark="assumed"), "-")))
    lines = [line.split() for line in printed(document(table))]
    assert lines[2:] == [["one", "BROKEN", "+2.0"], ["+1.0", "to", "+3.0"], ["two", "3", "(assumed)", "-"]]


def test_what_is_for_the_page_alone_is_not_printed_and_markdown_has_no_empty_chapter() -> None:
    hidden = Chapter("one", "One", "", ("A sentence.",), tables=(Table("Long", "", ("Row",), (("row",),), printed=False),), printed=False)
    assert printed(document(chapter=hidden)) == ["Found."]
    assert "A sentence." in markdown(document(chapter=hidden))
    assert "| row |" in markdown(document(chapter=hidden))
    assert "## Two" not in markdown(document(chapter=Chapter("two", "Two", "Look.", charts=("chart",))))
