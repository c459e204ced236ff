"""Better values for a strategy's parameters, as a chart and as a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from reports import words
from reports.charts import Chart, target, told
from reports.style import INK, SOLE
from reports.words import Words
from simulator.document.figures import interval
from simulator.document.language import clean, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from simulator.studies.tune_strategy import StrategyTuning

COLUMNS = ["players", "figure", "best", "low", "high", "n", "verdict"]


def frame(parts: Sequence[StrategyTuning]) -> pd.DataFrame:
    """A line for each number of players, and one for their mean: how often the strategy wins before and after, and the difference."""
    (part,) = parts
    figures = [(str(g.players), name, e, g.word) for g in part.gains for name, e in g.figures.items()]
    if part.gain is not None:
        figures.append(("mean", "difference", part.gain, ""))
    return pd.DataFrame([(players, name, e.best, e.low, e.high, e.n, word) for players, name, e, word in figures], columns=COLUMNS)


def charts(parts: Sequence[StrategyTuning]) -> list[Chart]:
    """What the tuned strategy gains with each number of players; none if nothing was measured again."""
    (part,) = parts
    if not part.gains:
        return []
    table = gain_frame(part)
    alt = "; ".join(f"{line.run}: {interval(line)} percentage points" for line in words.lines_of(table))
    title = f"{clean(part.line)} gains {interval(words.lines_of(table)[-1])} percentage points"
    notes = ("Tuned less as it is, by pairs of playouts that had no part in the search; the lines are 95% intervals.",)
    said = Words(title, "Look for lines that lie above zero.", f"{alt}.", notes, "players", "percentage points")
    return [Chart("gain", table, said, draw_gain, 1, 2.4)]


def gain_frame(part: StrategyTuning) -> pd.DataFrame:
    """The differences, `x` counting the numbers of players, the mean last where there are several."""
    table = frame([part])
    shown = table[(table["figure"] == "difference") & ((table["players"] != "mean") | (len(part.gains) > 1))]
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
