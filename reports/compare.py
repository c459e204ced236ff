"""The charts and the frame of a comparison: what each variant changes, with intervals and verdicts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from reports import across
from reports.charts import BEHIND_DOTS, Chart, legend, mark, target, wrapped
from reports.style import GREY, INK, ordered
from reports.words import Words, lines_of
from simulator.document.figures import GAP, TEXT, between, decimals, number, scale_of
from simulator.document.language import clean, plural, ranged
from simulator.studies.compare import VERDICTS, finding
from simulator.studies.comparisons import Compared, ComparedAcross

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from reports.words import Line
    from simulator.studies.compare import Result
    from simulator.studies.comparisons import Comparison

SPREAD = 0.7
"""Part of a variant's place that its points take up."""

MARKERS = {"differs": "o", "equivalent": "s", "undecided": "o"}
"""A point's form; only those that differ have a colour."""


def frame(parts: Sequence[Result]) -> pd.DataFrame:
    """All comparisons, a line each: variant, players, metric, label, unit, then for baseline, changed and difference best, low and high.

    Where several strategies were asked, each stands in front.
    """
    first = parts[0]
    if isinstance(first, ComparedAcross):
        return across.with_strategies((strategy, frame([compared])) for strategy, compared in first.found)
    return _frame([c for part in parts if isinstance(part, Compared) for c in part.comparisons])


def _frame(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    return pd.DataFrame([_line(c) for c in comparisons])


def _line(c: Comparison) -> dict[str, Any]:
    parts = {"baseline": (c.baseline, c.hidden[0]), "changed": (c.changed, c.hidden[1]), "difference": (c.difference, any(c.hidden))}
    ends = {
        f"{name}_{end}": math.nan if hidden else getattr(e, end) for name, (e, hidden) in parts.items() for end in ("best", "low", "high")
    }
    line = {"variant": c.variant, "players": c.players, "metric": c.metric.name, "label": c.metric.label, "unit": c.metric.unit}
    return line | ends | {"n": c.difference.n, "verdict": c.word, "playouts_saved": None if any(c.hidden) else c.playouts_saved}


def charts(parts: Sequence[Result]) -> list[Chart]:
    """One chart for each metric: the differences that the variants make, or those under every strategy."""
    first = parts[0]
    if isinstance(first, ComparedAcross):
        return across.charts(first.asked, sequential=first.found[0][1].sequential)
    every = [c for part in parts if isinstance(part, Compared) for c in part.comparisons if not any(c.hidden)]
    names = dict.fromkeys(c.metric.name for c in every)
    return [_chart([c for c in every if c.metric.name == name], sequential=first.sequential) for name in names]


def _chart(same: Sequence[Comparison], *, sequential: bool) -> Chart:
    table = scaled(same)
    return Chart(f"difference-{same[0].metric.name}", table, _words(same, table, sequential=sequential), draw_differences, 1, 2.7)


def scaled(same: Sequence[Comparison]) -> pd.DataFrame:
    """The comparisons of one metric as they are drawn: shares in percentage points."""
    table = _frame(same)
    runs = [plural(n, "player") for n in table["players"]]
    table = table.assign(panel="", run=runs, variant=table["variant"].map(clean), label=table["label"].map(clean))
    for end in ("best", "low", "high"):
        table[end] = table[f"difference_{end}"] * scale_of(same[0].difference)
    return table


def draw_differences(table: pd.DataFrame, ax: Axes) -> None:
    """Points with intervals, a place for each variant and a colour for each number of players; grey if none differs."""
    variants, runs = list(table["variant"].unique()), list(table["run"].unique())
    ax.axhline(0, color=INK, linewidth=0.8)
    for i, (run, colour) in enumerate(zip(runs, ordered(len(runs)), strict=True)):
        ax.plot([], [], "o", color=colour, markersize=6, label=run if len(runs) > 1 else "differs")
        shift = SPREAD * ((i + 0.5) / len(runs) - 0.5)
        reach = SPREAD / len(runs) / 2
        for line in lines_of(table[table["run"] == run]):
            x = variants.index(line.variant) + shift
            shade, label = (colour, "_differs") if line.verdict == "differs" else (GREY, VERDICTS[line.verdict])
            (point,) = ax.plot(x, line.best, MARKERS[line.verdict], color=shade, markersize=6, label=label)
            for drawn in (point, ax.vlines(x, line.low, line.high, colors=INK, linewidth=1.4, zorder=BEHIND_DOTS)):
                mark(drawn, run=run)
            target(ax, (x - reach, line.low, x + reach, line.high), _told(line), run)
    ax.set_xticks(range(len(variants)), [wrapped(v, ax, len(variants)) for v in variants])
    ax.set_xlim(-0.6, len(variants) - 0.4)
    ax.margins(y=0.15)
    if len(runs) > 1 or set(table["verdict"]) != {"differs"}:
        legend(ax)


def _words(same: Sequence[Comparison], table: pd.DataFrame, *, sequential: bool) -> Words:
    unit = "percentage points" if table["unit"].iloc[0] == "share" else table["unit"].iloc[0]
    alt = "; ".join(f"{r.variant}, {r.run}: {between(r.low, r.high, TEXT.with_digits(3))}, {r.verdict}" for r in lines_of(table))
    kind = "confidence sequences" if sequential else "intervals"
    notes = (
        f"The line at zero is the rules as they are; the thin lines are 95% {kind}, each for itself.",
        "Points in colour differ, grey ones are undecided or make no difference that matters, all judged together (Holm).",
        f"n = {ranged(table['n'], 'playout')} of each.",
    )
    return Words(finding(same, {}).rstrip("."), "Look for points in colour.", f"{alt}.", notes, "", f"difference in {unit}")


def _told(line: Line) -> str:
    """What is told where a difference is pointed at."""
    unit = "percentage points" if line.unit == "share" else line.unit
    result = f"{number(line.best, decimals(line.low, line.high))} ({between(line.low, line.high, GAP)} {unit})"
    return f"{line.variant}, {line.run}, {line.label}: {result}, {line.verdict}; n = {int(line.n):,}"
