"""A document as a page: one HTML file that needs nothing but itself; and its pictures and tables as files of their own."""

from __future__ import annotations

import os
import platform
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports.pictures import NARROW, WIDE, svg, write_charts
from reports.style import css_variables
from reports.tables import slug, tables_frame, write_tables
from simulator.document.chapters import HOW_MADE, Chapter
from simulator.document.document import MOST_SENTENCES
from simulator.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    import pandas as pd

    from reports.charts import Chart
    from simulator.document.chapters import Table
    from simulator.document.document import Document
    from simulator.game import Game
    from simulator.play.resources import Resources
    from simulator.studies.study import Finding

MOST_ROWS = 2_000
"""A page shows as many rows of a table; a file has all of them."""


def page_of(document: Document, finding: Finding[Any], resources: Resources, note: Callable[[str], None]) -> Document:
    """The document as a page has it: with its charts, or all that the study's file in this folder makes of it.

    Args:
        document: what is said of the finding.
        finding: what was found.
        resources: with what more may be played for the page.
        note: tells what is missing on the page.
    """
    module = _reports_of(finding)
    if module is not None and hasattr(module, "page"):
        made: Document = module.page(document, finding, resources, note)
        return made
    return drawn(document, finding)


def drawn(document: Document, finding: Finding[Any]) -> Document:
    """The document with its charts, which are in the file of this folder that has the name of the study's own file."""
    module = _reports_of(finding)
    return document.with_charts({chart.name: chart for chart in module.charts(finding.parts)}) if module else document


def frame_of(finding: Finding[Any]) -> pd.DataFrame:
    """All figures of a finding, unrounded."""
    module = _reports_of(finding)
    if module is None or not hasattr(module, "frame"):
        return tables_frame(finding.document().every_table)
    frame: pd.DataFrame = module.frame(finding.parts)
    return frame


def _reports_of(finding: Finding[Any]) -> ModuleType | None:
    name = f"reports.{type(finding.study).__module__.rpartition('.')[2]}"
    return import_module(name) if find_spec(name) else None


def page_html(document: Document) -> str:
    """The page. It carries its style, its charts and its one script in itself and loads nothing; without the script all can be read.

    It is the same for the same document and the same day; the environment variable SOURCE_DATE_EPOCH sets the day.
    """
    chapters = list(document.every_chapter)
    if all(c.id != HOW_MADE for c in chapters):
        chapters.append(Chapter(HOW_MADE, "How this was made", ""))
    shown = {
        "document": document,
        "top": document.sentences[:MOST_SENTENCES],
        "headline": inline(document.headline) if document.headline else None,
        "chapters": [(c, [inline(chart) for chart in c.charts], [shortened(table) for table in c.tables]) for c in chapters],
        "facts": [*document.facts, *document.made, *versions(document.game)],
        "how_made": HOW_MADE,
        "run_of": lambda sentence: next((run for run in document.runs if sentence.startswith((f"With {run}:", f"{run}, "))), ""),
    }
    return environment().get_template("page.html").render(shown)


def shortened(table: Table) -> Table:
    """The table with as many rows as a page can bear, and a word on those that are left out."""
    left = len(table.rows) - MOST_ROWS
    if left <= 0:
        return table
    note = f"{table.note} These are the first {MOST_ROWS:,} of {len(table.rows):,} rows; --csv and --save write all of them.".strip()
    return replace(table, note=note, rows=table.rows[:MOST_ROWS], rows_of=table.rows_of[:MOST_ROWS])


def write_html(path: str | Path, document: Document) -> Path:
    """Write the page of a document, whole or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    return write_bytes(path, page_html(document).encode("utf-8", "backslashreplace"))


def write_pictures(folder: str | Path, document: Document, kind: str = "png") -> list[Path]:
    """Write each chart of a document into `folder`, which is made if need be, as GAME-CHART.png, or .svg if that is the kind.

    Raises:
        UserError: the folder cannot be written to.
    """
    return write_charts(folder, document.name, document.every_chart, document.footer, kind)


def write_csv_files(folder: str | Path, document: Document, decimal: str = ".") -> list[Path]:
    """Write each table of a document, whole, into `folder`, which is made if need be, as GAME-TABLE.csv.

    Raises:
        UserError: the folder cannot be written to.
    """
    return write_tables(folder, document.name, document.every_table, decimal)


@cache
def environment() -> Environment:
    """Jinja with everything escaped that is not known to be safe, and an error for every name that is missing."""
    loader = PackageLoader("reports", "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    script = files("reports").joinpath("templates", "report.js").read_text(encoding="utf-8")
    made.globals |= {
        "script": Markup(script),  # noqa: S704  our own script
        "script_hash": f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        "light": Markup(css_variables(dark=False)),  # noqa: S704  our own colours
        "dark": Markup(css_variables(dark=True)),  # noqa: S704
    }
    return made


def inline(chart: Chart) -> dict[str, Any]:
    """A chart as the template shows it: twice, for wide and for narrow screens."""
    name = slug(chart.name)
    return {
        "name": name,
        "words": chart.words,
        "wide": Markup(svg(chart, WIDE, f"{name}-wide")),  # noqa: S704  Matplotlib and ElementTree have escaped the text in it
        "narrow": Markup(svg(chart, NARROW, f"{name}-narrow")),  # noqa: S704
    }


def versions(game: Game | None) -> list[tuple[str, str]]:
    """Game, if there is one, versions and day."""
    return [
        *([("Game", f"{game.title} ({game.name}), version {game.version}")] if game else []),
        *((name, installed(name)) for name in ("ludometer", "numba", "numpy")),
        ("python", platform.python_version()),
        ("Date", day().strftime("%Y-%m-%d")),
    ]


def installed(name: str) -> str:
    """Version of an installed distribution."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def day() -> datetime:
    """Today, or the day that SOURCE_DATE_EPOCH names; see reproducible-builds.org."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
