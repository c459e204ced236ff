"""The page of a study: what a question made of several experiments found, as one HTML document."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from reports.pages import environment, inline, versions
from reports.pictures import write_charts
from reports.tables import tables_frame, write_tables
from simulator.document.chapters import HOW_MADE
from simulator.document.document import MOST_SENTENCES
from simulator.files import write_bytes

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    import pandas as pd

    from simulator.document.chapters import Table
    from simulator.document.document import Document
    from simulator.studies.study import Finding

MOST_ROWS = 2_000
"""A page shows as many rows of a table; a file has all of them."""


def drawn(document: Document, finding: Finding[Any]) -> Document:
    """The document with its charts, which are in the file of this folder that has the name of the study's own file."""
    module = _reports_of(finding)
    return document.with_charts({chart.name: chart for chart in module.charts(finding.parts)}) if module else document


def frame_of(finding: Finding[Any]) -> pd.DataFrame:
    """All figures that were found, unrounded."""
    module = _reports_of(finding)
    if module is None or not hasattr(module, "frame"):
        return tables_frame(finding.document().every_table)
    found: pd.DataFrame = module.frame(finding.parts)
    return found


def _reports_of(finding: Finding[Any]) -> ModuleType | None:
    name = f"reports.{type(finding.study).__module__.rpartition('.')[2]}"
    return import_module(name) if find_spec(name) else None


def study_html(page: Document) -> str:
    """The page as a document that needs nothing but itself."""
    chapters = [(c, [inline(chart) for chart in c.charts], [shortened(table) for table in c.tables]) for c in page.every_chapter]
    shown = {
        "page": page,
        "top": page.sentences[:MOST_SENTENCES],
        "chapters": chapters,
        "links": [*((c.id, c.title) for c, _, _ in chapters), (HOW_MADE, "How this was made")],
        "facts": [*page.facts, *page.made, *versions(page.game)],
        "how_made": HOW_MADE,
        "run_of": lambda sentence: next((run for run in page.runs if sentence.startswith((f"With {run}:", f"{run}, "))), ""),
    }
    return environment().get_template("study.html").render(shown)


def shortened(table: Table) -> Table:
    """The table with as many rows as a page can bear, and a word on those that are left out."""
    left = len(table.rows) - MOST_ROWS
    if left <= 0:
        return table
    note = f"{table.note} These are the first {MOST_ROWS:,} of {len(table.rows):,} rows; --csv and --save write all of them.".strip()
    return replace(table, note=note, rows=table.rows[:MOST_ROWS], rows_of=table.rows_of[:MOST_ROWS])


def write_study(path: str | Path, page: Document) -> Path:
    """Write the page of a study, whole or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    return write_bytes(path, study_html(page).encode("utf-8", "backslashreplace"))


def write_study_pngs(folder: str | Path, page: Document) -> list[Path]:
    """Write a study's pictures as PNG files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_charts(folder, page.name, page.every_chart, page.footer)


def write_study_svgs(folder: str | Path, page: Document) -> list[Path]:
    """Write a study's pictures as SVG files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_charts(folder, page.name, page.every_chart, page.footer, "svg")


def write_study_csvs(folder: str | Path, page: Document) -> list[Path]:
    """Write the tables of a study's page, whole, as CSV files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_tables(folder, page.name, page.every_table)
