"""The charts of a question that was put to every strategy: which verdicts survive a change of players, and which flip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from reports.charts import Chart, legend, letters, target, without_middle
from reports.style import CATEGORIES, GREY, INK, SOLE
from reports.words import Words, lines_of
from simulator.document.figures import GAP, between, decimals, number
from simulator.document.language import clean, plural, ranged, short
from simulator.studies.across import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

    from simulator.studies.across import Asked

HUES = {"down": CATEGORIES[0], "up": CATEGORIES[1], "equivalent": SOLE, "undecided": GREY}
"""What a point's colour says."""

MARKERS = {"down": "v", "up": "^", "equivalent": "s", "undecided": "o"}
"""And its form, for those who see no colours."""

MOST_PANELS = 8
"""Questions that a chart shows; those that flip come first."""

MOST_LETTERS = 22
"""A strategy's name is cut to this length beside a chart."""

REACH = 0.4
"""Half the height of a strategy's line that can be pointed at."""

LINE = 0.26
"""Inches of a strategy's line in a chart."""


def frame(asked: Sequence[Asked]) -> pd.DataFrame:
    """All answers, a line each: what is asked, whether it holds, the strategy, what it says, and the difference's best, low and high."""
    return pd.DataFrame([_line(one, i) for one in asked for i in range(len(one.answers))])


def _line(one: Asked, place: int) -> dict[str, Any]:
    answer = one.answers[place]
    estimate, metric = answer.difference, one.metric
    about = {"about": clean(one.about), "players": one.players, "metric": metric.name, "label": clean(metric.label), "unit": metric.unit}
    figures = {"best": estimate.best, "low": estimate.low, "high": estimate.high, "n": estimate.n}
    return {**about, "status": one.status, "strategy": clean(answer.strategy), "says": answer.says, **figures}


def shown(asked: Sequence[Asked], metric: str) -> pd.DataFrame:
    """What the chart of a metric draws: the questions about it, at most MOST_PANELS, those that flip first, then the largest.

    Besides the columns of `frame`: `panel`, `place` (the strategy's line, counted from the top) and `left_out`. Shares are in
    percentage points.
    """
    about = [one for one in asked if one.metric.name == metric]
    ranked = sorted(about, key=lambda one: (one.status != "flips", -max(abs(a.difference.best) for a in one.answers)))[:MOST_PANELS]
    table = frame([one for one in about if one in ranked])
    places = {strategy: place for place, strategy in enumerate(table["strategy"].unique())}
    panels = [f"{MARKS[status]}: {about}, {plural(n, 'player')}" for about, n, status in _columns(table, "about", "players", "status")]
    scale = 100 if table["unit"].iloc[0] == "share" else 1
    table[["best", "low", "high"]] *= scale
    return table.assign(panel=panels, place=[places[s] for s in table["strategy"]], left_out=len(about) - len(ranked))


def _columns(table: pd.DataFrame, *names: str) -> list[tuple[Any, ...]]:
    return list(table[list(names)].itertuples(index=False, name=None))


def charts(asked: Sequence[Asked], *, sequential: bool = False) -> list[Chart]:
    """One chart for each metric: the differences under every strategy."""
    drawn = []
    for metric in dict.fromkeys(one.metric.name for one in asked):
        table = shown(asked, metric)
        drawn.append(
            Chart(f"across-{metric}", table, _words(table, sequential=sequential), draw_answers, 1, LINE * (int(table["place"].max()) + 3))
        )
    return drawn


def draw_answers(table: pd.DataFrame, ax: Axes) -> None:
    """A line for each strategy: the difference with its interval, marked by what it says; no difference as a line."""
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    ax.hlines(table["place"], table["low"], table["high"], colors=INK, linewidth=1.4)
    for says, colour in HUES.items():
        part = table[table["says"] == says]
        if len(part):
            ax.plot(part["best"], part["place"], MARKERS[says], color=colour, markersize=7, label=says)
    for line in lines_of(table):
        target(ax, (line.low, line.place - REACH, line.high, line.place + REACH), _told(line))
    lines = table.drop_duplicates("place")
    ax.set_yticks(list(lines["place"]), [short(s, MOST_LETTERS) for s in lines["strategy"]])
    ax.set_ylim(lines["place"].max() + 0.6, -0.6)
    ax.margins(x=0.1)
    ax.set_title(without_middle(table["panel"].iloc[0], letters(ax)), loc="left", fontweight="bold")
    legend(ax)


def _ends(line: Any) -> str:
    """A difference's interval."""
    return between(line.low, line.high, GAP)


def _told(line: Any) -> str:
    """What is told where a difference is pointed at."""
    unit = "percentage points" if line.unit == "share" else line.unit
    best = number(line.best, decimals(line.low, line.high))
    return (
        f"{line.strategy}, {line.about}, {plural(line.players, 'player')}: {best} ({_ends(line)} {unit}), {line.says}; n = {int(line.n):,}"
    )


def _words(table: pd.DataFrame, *, sequential: bool) -> Words:
    first = table.iloc[0]
    unit = "percentage points" if first["unit"] == "share" else first["unit"]
    flips = table[table["status"] == "flips"].drop_duplicates("panel")
    title = f"{first['label']}: no strategy is seen to contradict another"
    if len(flips):
        one = flips.iloc[0]
        rest = f", and {plural(len(flips) - 1, 'other')}" if len(flips) > 1 else ""
        title = f"{first['label']}: who plays decides what {one['about']} does ({plural(one['players'], 'player')}){rest}"
    alt = "; ".join(f"{r.panel}, {r.strategy}: {_ends(r)}, {r.says}" for r in lines_of(table))
    notes = (
        f"The line at zero is the rules as they are; the thin lines are 95% {'confidence sequences' if sequential else 'intervals'}.",
        "Up, down, equivalent and undecided are judged together over all strategies.",
        *[f"{plural(int(first['left_out']), 'question')} with smaller differences left out."] * bool(first["left_out"]),
        f"n = {ranged(table['n'], 'playout')} of each.",
    )
    return Words(title, "Look for strategies on either side of zero.", f"{alt}.", notes, f"difference in {unit}", "")


def with_strategies(parts: Iterable[tuple[str, pd.DataFrame]]) -> pd.DataFrame:
    """Frames of several strategies as one, with the strategy in front."""
    whole = pd.concat([part.assign(strategy=strategy) for strategy, part in parts], ignore_index=True)
    whole.insert(0, "strategy", whole.pop("strategy"))
    return whole
