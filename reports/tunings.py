"""Better values for a strategy's parameters, as charts, a frame and a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from reports import words
from reports.charts import Chart, target, told
from reports.style import INK, SOLE
from reports.words import Words
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import SIGNED_CELL, figure, interval
from simulator.document.language import clean, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from simulator.stats.estimate import Estimate
    from simulator.studies.strategy_tuning import StrategyTuning


def _ends(estimate: Estimate, scale: int = 1) -> dict[str, Any]:
    return {"best": scale * estimate.best, "low": scale * estimate.low, "high": scale * estimate.high, "n": estimate.n}


def _signed_cell(line: words.Line) -> Cell:
    """A difference, in points."""
    return Cell.of(line, replace(SIGNED_CELL, more=0))


# ---------------------------------------------------------------- the page of a strategy


def strategy_frame(found: StrategyTuning) -> pd.DataFrame:
    """A line for each number of players, and one for their mean: how often the strategy wins before and after, and the difference."""
    lines = []
    for gain in found.gains:
        figures = {"before": gain.before, "after": gain.after, "difference": gain.difference()}
        lines += [{"players": str(gain.players), "figure": name, **_ends(e), "verdict": gain.word} for name, e in figures.items()]
    if found.gain is not None:
        lines.append({"players": "mean", "figure": "difference", **_ends(found.gain), "verdict": ""})
    return pd.DataFrame(lines, columns=["players", "figure", "best", "low", "high", "n", "verdict"])


def strategy_charts(found: StrategyTuning) -> list[Chart]:
    """What the tuned strategy gains with each number of players; none if nothing was measured again."""
    if not found.gains:
        return []
    table = gain_frame(found)
    alt = "; ".join(f"{line.run}: {interval(line)} percentage points" for line in words.lines_of(table))
    title = f"{clean(found.line)} gains {interval(words.lines_of(table)[-1])} percentage points"
    notes = ("Tuned less as it is, by pairs of playouts that had no part in the search; the lines are 95% intervals.",)
    said = Words(title, "Look for lines that lie above zero.", f"{alt}.", notes, "players", "percentage points")
    return [Chart("gain", table, said, draw_gain, 1, 2.4)]


def gain_frame(found: StrategyTuning) -> pd.DataFrame:
    """The differences, `x` counting the numbers of players, the mean last where there are several."""
    table = strategy_frame(found)
    shown = table[table["figure"] == "difference"]
    if len(found.gains) == 1:
        shown = shown[shown["players"] != "mean"]
    runs = ["the mean" if n == "mean" else plural(int(n), "player") for n in shown["players"]]
    return shown.assign(panel="", x=range(len(shown)), tick=shown["players"], run=runs, label="gain", kind="share", unit="share")


def draw_gain(frame: pd.DataFrame, ax: Axes) -> None:
    """Points with intervals around zero."""
    ax.axhline(0, color=INK, linewidth=1.0)
    ax.plot(frame["x"], 100 * frame["best"], "o", color=SOLE, markersize=5)
    ax.vlines(frame["x"], 100 * frame["low"], 100 * frame["high"], colors=SOLE, linewidth=1.8)
    for line in words.lines_of(frame):
        target(ax, (line.x, 100 * line.low, line.x, 100 * line.high), told(line))
    ax.set_xticks(list(frame["x"]), list(frame["tick"]))
    ax.set_xlim(-0.5, len(frame) - 0.5)
    ax.margins(y=0.15)


def strategy_page(found: StrategyTuning, command: str | None = None) -> Document:
    """What the page of a tuned strategy says."""
    question = found.question
    start = dict(question.start)
    parameters = tuple((name, f"{start[name]:g}", f"{value:g}") for name, value in found.values)
    tables = [Table("Parameters", "", ("Parameter", "Before", "After"), parameters, frozenset({1, 2}))]
    if found.gains:
        tables.append(_gains_table(found))
    facts = (
        ("Strategy", clean(question.line(question.start))),
        ("Against", clean(question.against.label)),
        ("Looked for among", ", ".join(axis.range_text for axis in question.axes)),
        ("Candidates", f"{found.tried:,} ({found.how})"),
        ("Playouts", f"{found.playouts:,} of candidates in the search"),
        ("Seed", str(question.seed)),
        ("Elapsed", f"{found.elapsed_s:.0f} s"),
    )
    use = (f"Play it with --strategy {clean(found.line)}.",) if found.improved else ()
    warnings = ("It was interrupted before anything was measured again.",) if found.interrupted else ()
    numbers = Chapter("numbers", "The numbers", "Look at the intervals of the differences.", tables=tuple(tables))
    gains = Chapter("gain", "What it gains", "Look for lines above zero.", charts=tuple(strategy_charts(found)))
    return Document(
        question.game,
        "Tuning of a strategy",
        clean(found.finding),
        use,
        warnings,
        (),
        (),
        question.experiment(question.tables[0], question.start, question.seed).rules,
        facts,
        command,
        chapters=(gains, numbers) if found.gains else (numbers,),
    )


def _gains_table(found: StrategyTuning) -> Table:
    lines = words.lines_of(strategy_frame(found).assign(kind="share", unit="share"))
    cells = {
        (line.players, line.figure): _signed_cell(line) if line.figure == "difference" else Cell(figure(line), interval(line))
        for line in lines
    }
    names = ("before", "after", "difference")
    rows: tuple[tuple[str | Cell, ...], ...] = tuple(
        (str(g.players), *(cells[str(g.players), name] for name in names), g.word) for g in found.gains
    )
    note = "How often the players win, or the seat that plays it, in percent; the difference in percentage points, by pairs of playouts."
    return Table("Before and after", note, ("Players", "Before", "After", "Difference", "Verdict"), rows, frozenset({1, 2, 3}))
