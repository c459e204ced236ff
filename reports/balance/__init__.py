"""The balance report: a designer's questions in the order in which they are asked, a file for each chapter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reports.balance import how_close, how_long, how_made, what_happens, who_wins
from reports.charts import KINDS, Chart
from simulator.document.chapters import (
    HOW_CLOSE,
    HOW_LONG,
    ORDER,
    RULES_THAT_MATTER,
    SKILL,
    SKILL_TITLE,
    WHAT_HAPPENS,
    WHO_WINS,
    Chapter,
    arranged,
)
from simulator.play.run import Result

HEADLINE = "verdict"
"""Name of the chart that stands on the first screen."""


def charts(results: Sequence[Result]) -> Iterator[Chart]:
    """The charts of results of one game, in the order of a report."""
    for _, make in sorted(KINDS, key=lambda kind: ORDER.index(kind[0])):
        yield from make(results)


def chapters(results: Sequence[Result], drawn: Sequence[Chart], more: Sequence[Chapter] = ()) -> tuple[Chapter, ...]:
    """All chapters of a report, with what studies add to them.

    Args:
        results: of one game, by number of players.
        drawn: the charts of the results.
        more: chapters made by studies; one of an id that is known is added to the chapter of that id.
    """
    parts = {WHO_WINS: who_wins, HOW_LONG: how_long, HOW_CLOSE: how_close, WHAT_HAPPENS: what_happens}
    shown = {name: tuple(c for c in drawn if c.chapter == name and c.name != HEADLINE) for name in parts}
    charted = [part.chapter(results, shown[name]) for name, part in parts.items()]
    known = {c.id for c in more}
    missing = [c for c in unanswered(results[0].experiment.game.name) if c.id not in known]
    return arranged((*charted, how_made.rules_chapter(results), how_made.chapter(results), *missing, *more))


def unanswered(game: str) -> list[Chapter]:
    """The chapters that need a study of their own, saying how to get it."""
    skill = f"Not measured for this report: simulate skill {game} does it."
    rules = f"Not measured for this report: simulate {game} --report FILE.html --full plays it, and simulate sensitivity {game} tells more."
    return [
        Chapter(SKILL, SKILL_TITLE, "", (skill,)),
        Chapter(RULES_THAT_MATTER, "Which rules matter", "", (rules,)),
    ]
