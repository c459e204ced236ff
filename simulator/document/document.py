"""A document: what a study found, in sentences, chapters and tables, for whatever shows it.

The terminal, the page, the CSV files and the Markdown are made from it. It names its charts; the reports draw them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from simulator.document.chapters import RULES_AND_SOURCES, Cell, Chapter, Table
from simulator.document.language import clean
from simulator.rules import constants, plausible_text, to_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from simulator.game import Game
    from simulator.rules import Constant, GameRules

MOST_SENTENCES = 8
"""As many sentences stand at the top; the others stand in the first chapter."""


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
class Document:
    """What is said of what a study found.

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
        opening: what was asked, in a line; the terminal's first.
        closing: how to read the figures, below all of them.
        overview: a small table that says it first, in place of the sentences.
        headline: the chart beside what is said first.
        asked: who played and by which rules, where the page says it first.
        footnote: what stands below a picture that left the page; the kind of study unless given.
        made: seed, seconds and digest, which every study has: name and value.
    """

    game: Game | None
    kind: str
    finding: str
    sentences: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    charts: tuple[Any, ...] = ()
    tables: tuple[Table, ...] = ()
    rules: GameRules | None = None
    facts: tuple[tuple[str, str], ...] = ()
    command: str | None = None
    title: str = ""
    chapters: tuple[Chapter, ...] = ()
    runs: tuple[str, ...] = ()
    slider: Slider | None = None
    opening: str = ""
    closing: str = ""
    overview: Table | None = None
    headline: Any = None
    asked: tuple[str, ...] = ()
    footnote: str = ""
    made: tuple[tuple[str, str], ...] = ()

    @property
    def heading(self) -> str:
        """What stands at the top."""
        return self.title or (self.game.title if self.game else self.kind)

    @property
    def every_chapter(self) -> tuple[Chapter, ...]:
        """All chapters but how it was made: the given ones, charts and tables that stand in none, and the rules."""
        more, given = self.sentences[MOST_SENTENCES:], self.chapters
        if more and given:
            given = (replace(given[0], sentences=more + given[0].sentences), *given[1:])
        loose_sentences = () if given else more
        first = (Chapter("found", "What was found", "", loose_sentences, self.charts),) if self.charts or loose_sentences else ()
        loose = (Chapter("numbers", "The numbers", "", tables=self.tables),) if self.tables else ()
        rules = (rules_chapter(self.rules, self.game),) if self.rules else ()
        return (*first, *given, *loose, *rules)

    @property
    def every_chart(self) -> tuple[Any, ...]:
        """The charts of all chapters."""
        return (*((self.headline,) if self.headline else ()), *(chart for chapter in self.every_chapter for chart in chapter.charts))

    @property
    def every_table(self) -> tuple[Table, ...]:
        """The tables of all chapters, whole."""
        return tuple(table for chapter in self.every_chapter for table in chapter.tables)

    @property
    def footer(self) -> str:
        """What stands below a picture that left the page."""
        return f"{clean(self.heading)}; {self.footnote or self.kind.lower()}."

    @property
    def name(self) -> str:
        """Begins the names of its pictures and tables."""
        return self.game.name if self.game else "study"

    def without_warnings(self, said: Collection[str]) -> Document:
        """The same without what was said elsewhere."""
        return replace(self, warnings=tuple(warning for warning in self.warnings if warning not in said))

    def with_charts(self, charts: Mapping[str, Any]) -> Document:
        """The same with each chart in place of its name; one that there is nothing to draw for is left out."""
        drawn = tuple(
            replace(chapter, charts=tuple(charts[name] for name in chapter.charts if name in charts)) for chapter in self.chapters
        )
        return replace(self, chapters=drawn)


def rules_chapter(rules: GameRules, game: Game | None = None) -> Chapter:
    """The rules of the baseline with their sources, and the rulings that none of them covers."""
    assumed = [c.key for c in constants(rules) if c.source == "assumed"]
    look_for = "Look for what is marked as assumed: the rulebook does not print it." if assumed else "Every constant has a source."
    tables = (rules_table(rules), *(rulings_table(game) if game else ()))
    return Chapter(RULES_AND_SOURCES, "Where the rules come from", look_for, tables=tables)


def rules_table(rules: GameRules) -> Table:
    """The rules of the baseline with their sources."""
    rows = tuple(_rule(c) for c in constants(rules))
    columns = ("Constant", "Value", "Unit", "Source", "Plausible")
    return Table("Rules of the baseline", "", columns, rows, small="note", printed=False)


def _rule(c: Constant) -> tuple[str | Cell, ...]:
    changed, assumed = c.changed, c.source == "assumed"
    value = Cell(clean(to_text(c.value)), f"shipped: {clean(to_text(c.default))}" * changed, "changed" * changed)
    source = Cell("" if assumed else c.source, c.note, "assumed" * assumed)
    return Cell(c.key, c.description, code=True), value, c.unit, source, clean(plausible_text(c))


def rulings_table(game: Game) -> tuple[Table, ...]:
    """The rulings that no constant can be set against; nothing if there are none."""
    rows = tuple((one.name, clean(one.text)) for one in game.rulings or () if not one.switch)
    note = "Points that the rulebook leaves open, settled here. No constant tries them otherwise, so nobody knows what hangs on them."
    return (Table("Rulings", note, ("Ruling", "What holds"), rows, name="rulings", printed=False),) if rows else ()
