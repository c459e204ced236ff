"""The page of a study: what a question made of several experiments found, as one HTML document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from reports.pages import environment, inline, versions
from reports.pictures import write_charts
from reports.style import css_variables
from simulator.files import write_bytes
from simulator.rules import constants, plausible_text, to_text

if TYPE_CHECKING:
    from pathlib import Path

    from reports.charts import Chart
    from simulator.game import Game
    from simulator.rules import GameRules


@dataclass(frozen=True)
class StudyTable:
    """A table of a study's page.

    Attributes:
        title: its heading.
        note: a sentence above it; may be empty.
        columns: headings of the columns.
        rows: cells as text, one for each column.
        numeric: which columns, counted from 0, are aligned to the right.
    """

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()


@dataclass(frozen=True)
class StudyPage:
    """What the page of a study says.

    Attributes:
        game: the game; None for a study of several.
        kind: what kind of study it is, such as "Comparison of rules".
        finding: the one sentence to take away.
        sentences: more findings, in plain words with numbers.
        warnings: what a reader must know before believing them.
        charts: the pictures.
        tables: the numbers.
        rules: the rules of the baseline; None where there is no single one.
        facts: how it was made, beyond game, versions and day: name and value.
        command: the command line, if there was one.
        title: the heading; the game's title unless given.
    """

    game: Game | None
    kind: str
    finding: str
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]
    charts: tuple[Chart, ...]
    tables: tuple[StudyTable, ...]
    rules: GameRules | None
    facts: tuple[tuple[str, str], ...] = ()
    command: str | None = None
    title: str = ""

    @property
    def heading(self) -> str:
        """What stands at the top."""
        return self.title or (self.game.title if self.game else self.kind)


def study_html(page: StudyPage) -> str:
    """The page as a document that needs nothing but itself, and runs no script."""
    return (
        environment()
        .get_template("study.html")
        .render(
            page=page,
            figures=[inline(chart) for chart in page.charts],
            tables=[*page.tables, *([rules_table(page.rules)] if page.rules else [])],
            facts=[*page.facts, *versions(page.game)],
            light=Markup(css_variables(dark=False)),  # noqa: S704  our own colours
            dark=Markup(css_variables(dark=True)),  # noqa: S704  our own colours
        )
    )


def rules_table(rules: GameRules) -> StudyTable:
    """The rules of the baseline with their sources."""
    rows = tuple(
        (
            c.key,
            to_text(c.value) + (f" (shipped: {to_text(c.default)})" if c.changed else ""),
            c.unit,
            c.source,
            plausible_text(c),
            f"{c.description} {c.source.capitalize()}: {c.note}.",
        )
        for c in constants(rules)
    )
    return StudyTable("Rules of the baseline", "", ("Constant", "Value", "Unit", "Source", "Plausible", "What it is"), rows)


def write_study(path: str | Path, page: StudyPage) -> Path:
    """Write the page of a study, whole or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    return write_bytes(path, study_html(page).encode())


def write_study_pngs(folder: str | Path, page: StudyPage) -> list[Path]:
    """Write a study's pictures as PNG files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_charts(folder, page.game.name if page.game else "study", page.charts)
