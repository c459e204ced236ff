"""The page of checked promises: which hold, which are broken, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.charts import Chart, legend, letters, target, without_middle
from reports.style import CATEGORIES, FAINT, GREY, INK
from reports.words import Words, lines_of
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import number
from simulator.document.language import clean, listed, plural, ranged

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from simulator.stats.estimate import Estimate
    from simulator.studies.check import Checked, Outcome

ORDER = ("broken", "undecided", "holds")
"""In which order promises are drawn."""

COLOURS = {"broken": CATEGORIES[1], "undecided": GREY, "holds": CATEGORIES[0]}
MARKERS = {"broken": "X", "undecided": "D", "holds": "o"}
"""How a verdict looks, also to those who see no colours."""

MOST_PANELS = 30
"""A chart shows as many promises."""

EDGE = 0.08
"""Share of an axis at either end that stays without a number, which would leave the picture."""

PANEL = 0.34
"""Inches: height of a promise's panel."""


def frame(checked: Checked) -> pd.DataFrame:
    """A line for each promise: what was promised, the estimate with its ends, n, and the verdict."""
    return pd.DataFrame([_line(o) for o in checked.outcomes])


def _line(outcome: Outcome) -> dict[str, Any]:
    told = outcome.as_dict()
    estimate = told.pop("estimate") or dict.fromkeys(("best", "low", "high", "n", "unit"))
    promised = told.pop("promised")
    return told | {"promised_low": promised["low"], "promised_high": promised["high"]} | estimate


def targets(checked: Checked) -> pd.DataFrame:
    """What the chart draws: a panel for each promise of which something was found, those that do not hold first.

    Columns panel, run (the promise), verdict, best, low, high, promised_low and promised_high (not a number where there is no
    such end), first and last (ends of the axis), unit, told, n and left_out. Shares are in percent, their differences in
    percentage points.
    """
    played = [o for o in checked.outcomes if o.estimate is not None and math.isfinite(o.estimate.high - o.estimate.low)]
    shown = sorted(played, key=lambda o: ORDER.index(o.verdict))[:MOST_PANELS]
    return pd.DataFrame([_panel(o) | {"left_out": len(checked.outcomes) - len(shown)} for o in shown])


def _panel(o: Outcome) -> dict[str, Any]:
    estimate = cast("Estimate", o.estimate)
    share, p = estimate.unit == "share", o.promise
    factor = 100 if share else 1
    best, low, high = (factor * end for end in (estimate.best, estimate.low, estimate.high))
    ends = [factor * end if math.isfinite(end) else math.nan for end in (p.target.low, p.target.high)]
    near = [x for x in (low, high, *ends) if not math.isnan(x)]
    room = 0.35 * ((max(near) - min(near)) or 1.0)
    unit = ("points" if p.minus else "percent of games") if share else estimate.unit
    return {
        "panel": f"{o.promise.number}",
        "run": f"{clean(p.name)}: {o.verdict}",
        "verdict": o.verdict,
        "best": best,
        "low": low,
        "high": high,
        "promised_low": ends[0],
        "promised_high": ends[1],
        "first": min(near) - room,
        "last": max(near) + room,
        "unit": unit,
        "told": f"{clean(p.name)}: found {' within '.join(o.found())}, promised {p.promised}; {o.verdict}; n = {estimate.n:,}",
        "n": estimate.n,
    }


def charts(checked: Checked) -> tuple[Chart, ...]:
    """One chart of all promises; none if nothing was found for any."""
    table = targets(checked)
    if not len(table):
        return ()
    table = table.assign(panel=[f"{place}" for place in range(len(table))])
    return (Chart("promises", table, _words(table), draw_promise, 2, PANEL, same_x=False),)


def draw_promise(table: pd.DataFrame, ax: Axes) -> None:
    """What was promised as a band, what was found as a point with its interval."""
    line = lines_of(table)[0]
    ends = [end if not math.isnan(end) else edge for end, edge in ((line.promised_low, line.first), (line.promised_high, line.last))]
    ax.axvspan(*ends, color=FAINT, linewidth=0, label="promised")
    for end in (line.promised_low, line.promised_high):
        if not math.isnan(end):
            ax.axvline(end, color=INK, linewidth=1.2)
    ax.hlines(0, line.low, line.high, colors=INK, linewidth=1.6)
    ax.plot(line.best, 0, MARKERS[line.verdict], color=COLOURS[line.verdict], markersize=8, label=line.verdict)
    target(ax, (line.low, -0.6, line.high, 0.6), line.told)
    ax.set_xlim(line.first, line.last)
    ax.set_ylim(-1, 1)
    ax.set_yticks([])
    ax.grid(visible=False)
    room = EDGE * (line.last - line.first)
    ticks = MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(line.first, line.last)
    ax.set_xticks([tick for tick in ticks if line.first + room <= tick <= line.last - room])
    sign = "%" if line.unit == "percent of games" else ""
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _place: f"{number(x, 2).rstrip('0').rstrip('.') if x % 1 else number(x)}{sign}"))
    unit = "" if sign else str(line.unit)
    ax.set_title(without_middle(line.run, letters(ax) - len(unit) - 2), loc="left", fontweight="bold")
    ax.set_title(unit, loc="right")
    legend(ax)


def _words(table: pd.DataFrame) -> Words:
    counts = table["verdict"].value_counts()
    title = ", ".join(f"{counts[v]} {'hold' if v == 'holds' and counts[v] > 1 else v}" for v in ORDER if v in counts)
    notes = [
        "The band is what was promised, the point what was found, and the thin line its confidence sequence.",
        *[f"{plural(int(table['left_out'].iloc[0]), 'promise')} not shown."] * bool(table["left_out"].iloc[0]),
        f"n = {ranged(table['n'], 'playout')}.",
    ]
    alt = "; ".join(line.told for line in lines_of(table))
    return Words(f"Promises: {title}", "Look for thin lines that leave the band.", f"{alt}.", tuple(notes), "", "")


def page(checked: Checked, source: str, command: str | None = None) -> Document:
    """What the page of a promises file says."""
    held, total = checked.count("holds"), len(checked.outcomes)
    others = "".join(f", {n} {'is' if n == 1 else 'are'} {v}" for v in ("broken", "undecided") if (n := checked.count(v)))
    games = {side.experiment.game.name: side.experiment.game for side in (o.promise.side for o in checked.outcomes)}
    return Document(
        next(iter(games.values())) if len(games) == 1 else None,
        "Check of promises",
        f"{held} of {plural(total, 'promise')} hold{others}.",
        tuple(_sentence(o) for verdict in ("broken", "undecided") for o in checked.outcomes if o.verdict == verdict),
        _warnings(checked),
        (),
        (),
        None,
        (("Promises", clean(source)), ("Elapsed", f"{checked.elapsed_s:.1f} s")),
        command,
        clean(source),
        (
            Chapter(
                "promises", "What was promised, and what was found", "Look for thin lines that leave the band.", charts=charts(checked)
            ),
            Chapter(
                "numbers", "The numbers", "An interval within what is promised holds, one outside is broken.", tables=(_table(checked),)
            ),
        ),
    )


def _sentence(o: Outcome) -> str:
    return f"{o.verdict.capitalize()}: {clean(o.promise.name)}. Promised {o.promise.promised}, found {' within '.join(o.found())}."


def _warnings(checked: Checked) -> tuple[str, ...]:
    told = ["The check was interrupted; what was found so far is shown."] if checked.interrupted else []
    if checked.more_would_tell:
        told.append("Undecided promises need more playouts: their intervals still reach across an end of what is promised.")
    told += [f"{clean(o.promise.name)}: {o.remark}" for o in checked.outcomes if o.remark]
    sides = [side for o in checked.outcomes for side in (o.promise.side, o.promise.minus) if side is not None]
    return (*told, *dict.fromkeys(clean(note) for side in sides for note in side.experiment.rules.notes()))


def _table(checked: Checked) -> Table:
    levels = listed([f"{100 * level:g}%" for level in sorted({o.promise.confidence for o in checked.outcomes})], "or")
    return Table(
        "All promises",
        f"Found: best estimate and {levels} confidence sequence, which holds whenever the playing stops, each promise by itself,"
        " and each end by itself where one was promised.",
        ("Promise", "Promised", "Found", "Playouts", "Verdict"),
        tuple(_row(o) for o in checked.outcomes),
        frozenset({2, 3}),
    )


def _row(outcome: Outcome) -> tuple[str | Cell, ...]:
    p, played = outcome.promise, "0" if outcome.estimate is None else f"{outcome.estimate.n:,}"
    name, subject = clean(p.name), clean(p.subject)
    wrong = outcome.verdict != "holds"
    verdict = Cell("" if wrong else outcome.verdict, "", outcome.verdict if wrong else "")
    return Cell(name, subject if subject != name else ""), p.promised, Cell(*outcome.found()), played, verdict
