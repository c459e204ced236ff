"""The page of a study: what a question made of several experiments found, as one HTML document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reports.chapters import HOW_MADE, RULES_AND_SOURCES, Cell, Chapter, Table
from reports.frames import clean
from reports.pages import environment, inline, versions
from reports.pictures import write_charts
from reports.tables import write_tables
from reports.unprinted import rulings_table
from simulator.files import write_bytes
from simulator.rules import constants, plausible_text, to_text

if TYPE_CHECKING:
    from pathlib import Path

    from reports.charts import Chart
    from simulator.game import Game
    from simulator.rules import Constant, GameRules

StudyTable = Table
"""A table of a study's page."""

MOST_SENTENCES = 8
"""As many findings stand at the top of a page; the others stand in its first chapter."""

MOST_ROWS = 2_000
"""A page shows as many rows of a table; a file has all of them."""


@dataclass(frozen=True)
class Dial:
    """A constant and the values that a slider runs through.

    Attributes:
        label: its name.
        values: in the order of the slider, as text.
    """

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Stop:
    """A computed point.

    Attributes:
        at: its place on each dial, counted from 0.
        name: what charts call it; see `reports.charts.mark`.
        table: its figures.
    """

    at: tuple[int, ...]
    name: str
    table: Table


@dataclass(frozen=True)
class Slider:
    """The computed points of a grid: with a script one at a time is shown, without it all stand below each other.

    Attributes:
        dials: the constants that vary.
        stops: the points.
        start: the place of the point that is shown first.
    """

    dials: tuple[Dial, ...]
    stops: tuple[Stop, ...]
    start: tuple[int, ...]

    @property
    def axes(self) -> list[dict[str, Any]]:
        """The dials for the page's script."""
        return [{"label": dial.label, "values": dial.values} for dial in self.dials]


@dataclass(frozen=True)
class StudyPage:
    """What the page of a study says.

    Attributes:
        game: the game; None for a study of several.
        kind: what kind of study it is, such as "Comparison of rules".
        finding: the one sentence to take away.
        sentences: more findings, in plain words with numbers.
        warnings: what a reader must know before believing them.
        charts: the pictures, where there are no chapters to hold them.
        tables: the numbers, likewise.
        rules: the rules of the baseline; None where there is no single one.
        facts: how it was made, beyond game, versions and day: name and value.
        command: the command line, if there was one.
        title: the heading; the game's title unless given.
        chapters: the questions that it answers, in order, each with a sentence that says what to look for.
        runs: what a reader can pick one of, such as the numbers of players; see `reports.charts.mark`.
        slider: the computed points of a sweep, shown in the first chapter.
    """

    game: Game | None
    kind: str
    finding: str
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]
    charts: tuple[Chart, ...]
    tables: tuple[Table, ...]
    rules: GameRules | None
    facts: tuple[tuple[str, str], ...] = ()
    command: str | None = None
    title: str = ""
    chapters: tuple[Chapter, ...] = ()
    runs: tuple[str, ...] = ()
    slider: Slider | None = None

    @property
    def heading(self) -> str:
        """What stands at the top."""
        return self.title or (self.game.title if self.game else self.kind)

    @property
    def every_chapter(self) -> tuple[Chapter, ...]:
        """All chapters but how it was made: the given ones, charts and tables that stand in none, and the rules."""
        told, given = self.sentences[MOST_SENTENCES:], self.chapters
        if told and given:
            given = (replace(given[0], sentences=told + given[0].sentences), *given[1:])
        found = (Chapter("found", "What was found", "", () if given else told, self.charts),) if self.charts or (told and not given) else ()
        loose = (Chapter("numbers", "The numbers", "", tables=self.tables),) if self.tables else ()
        rules = (rules_chapter(self.rules, self.game),) if self.rules else ()
        return (*found, *given, *loose, *rules)

    @property
    def every_chart(self) -> tuple[Chart, ...]:
        """The charts of all chapters."""
        return tuple(chart for chapter in self.every_chapter for chart in chapter.charts)

    @property
    def every_table(self) -> tuple[Table, ...]:
        """The tables of all chapters, whole."""
        return tuple(table for chapter in self.every_chapter for table in chapter.tables)

    @property
    def footer(self) -> str:
        """What stands below a picture that left the page."""
        return f"{clean(self.heading)}; {self.kind.lower()}."

    @property
    def name(self) -> str:
        """Begins the names of its pictures and tables."""
        return self.game.name if self.game else "study"


def study_html(page: StudyPage) -> str:
    """The page as a document that needs nothing but itself."""
    chapters = [(c, [inline(chart) for chart in c.charts], [shortened(table) for table in c.tables]) for c in page.every_chapter]
    shown = {
        "page": page,
        "top": page.sentences[:MOST_SENTENCES],
        "chapters": chapters,
        "links": [*((c.id, c.title) for c, _, _ in chapters), (HOW_MADE, "How this was made")],
        "facts": [*page.facts, *versions(page.game)],
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


def rules_chapter(rules: GameRules, game: Game | None = None) -> Chapter:
    """The rules of the baseline with their sources, and the rulings that none of them covers."""
    assumed = [c.key for c in constants(rules) if c.source == "assumed"]
    look_for = "Look for what is marked as assumed: the rulebook does not print it." if assumed else "Every constant has a source."
    return Chapter(
        RULES_AND_SOURCES, "Where the rules come from", look_for, tables=(rules_table(rules), *(rulings_table(game) if game else ()))
    )


def rules_table(rules: GameRules) -> Table:
    """The rules of the baseline with their sources."""
    rows = tuple(_rule(c) for c in constants(rules))
    return Table("Rules of the baseline", "", ("Constant", "Value", "Unit", "Source", "Plausible"), rows, small="note")


def _rule(c: Constant) -> tuple[str | Cell, ...]:
    changed, assumed = c.changed, c.source == "assumed"
    value = Cell(clean(to_text(c.value)), f"shipped: {clean(to_text(c.default))}" * changed, "changed" * changed)
    source = Cell("" if assumed else c.source, c.note, "assumed" * assumed)
    return Cell(c.key, c.description, code=True), value, c.unit, source, clean(plausible_text(c))


def write_study(path: str | Path, page: StudyPage) -> Path:
    """Write the page of a study, whole or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    return write_bytes(path, study_html(page).encode("utf-8", "backslashreplace"))


def write_study_pngs(folder: str | Path, page: StudyPage) -> list[Path]:
    """Write a study's pictures as PNG files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_charts(folder, page.name, page.every_chart, page.footer)


def write_study_svgs(folder: str | Path, page: StudyPage) -> list[Path]:
    """Write a study's pictures as SVG files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_charts(folder, page.name, page.every_chart, page.footer, "svg")


def write_study_csvs(folder: str | Path, page: StudyPage) -> list[Path]:
    """Write the tables of a study's page, whole, as CSV files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_tables(folder, page.name, page.every_table)
