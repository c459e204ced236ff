"""The chart and the frame of checked promises: which hold, which are broken, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.charts import Chart, legend, letters, target, without_middle
from reports.style import CATEGORIES, FAINT, GREY, INK
from reports.words import Words, lines_of
from simulator.document.figures import number
from simulator.document.language import clean, plural, ranged
from simulator.stats.verdicts import HOLDS
from simulator.studies.check import UNKEPT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from simulator.stats.estimate import Estimate
    from simulator.studies.check import Checked, Outcome

ORDER = tuple(HOLDS[verdict] for verdict in (*UNKEPT, "yes"))
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


def frame(parts: Sequence[Checked]) -> pd.DataFrame:
    """A line for each promise: what was promised, the estimate with its ends, n, and the verdict."""
    return pd.DataFrame([_line(o) for checked in parts for o in checked.outcomes])


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
    shown = sorted(played, key=lambda o: ORDER.index(o.word))[:MOST_PANELS]
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
        "run": f"{clean(p.name)}: {o.word}",
        "verdict": o.word,
        "best": best,
        "low": low,
        "high": high,
        "promised_low": ends[0],
        "promised_high": ends[1],
        "first": min(near) - room,
        "last": max(near) + room,
        "unit": unit,
        "told": f"{clean(p.name)}: found {o.found}, promised {p.promised}; {o.word}; n = {estimate.n:,}",
        "n": estimate.n,
    }


def charts(parts: Sequence[Checked]) -> list[Chart]:
    """One chart of all promises; none if nothing was found for any."""
    table = targets(parts[0])
    if not len(table):
        return []
    table = table.assign(panel=[f"{place}" for place in range(len(table))])
    return [Chart("promises", table, _words(table), draw_promise, 2, PANEL, same_x=False)]


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
