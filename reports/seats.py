"""Where one sits, as a chart: each seat's share of wins around an equal share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from reports import frames, words
from reports.charts import DASHED, Chart, legend, mark, percent_axis, target, told
from reports.style import INK, ordered
from reports.words import Words
from simulator.document.figures import in_words, percent
from simulator.studies.lineups import Results, strategy_of
from simulator.studies.seats import seats_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def frame(parts: Sequence[Results]) -> pd.DataFrame:
    """Every share, a line each: game, players, run, series (what everybody plays), seat, label, kind, unit, best, low, high, n, even."""
    return pd.DataFrame(
        [
            {
                "game": part.experiment.game.name,
                "players": part.experiment.players,
                "run": part.run,
                "series": strategy_of(result),
                "seat": seat,
                "label": f"Seat {seat} wins",
                **frames.figures(result.estimates[name]),
                "even": 1 / part.experiment.players,
            }
            for part in parts
            for result in part.results
            for seat, name in enumerate(seats_of(result))
        ]
    )


def charts(parts: Sequence[Results]) -> list[Chart]:
    """One panel for each number of players: dots for the seats, a colour for each strategy, and the equal share dashed."""
    table = frame(parts)
    return [Chart("seats", table.assign(panel=table["run"]), _words(table), draw, 2, 2.4)]


def draw(table: pd.DataFrame, ax: Axes) -> None:
    """Dots with intervals, beside each other for the strategies, around the equal share."""
    series = list(table["series"].unique())
    ax.axhline(table["even"].iloc[0], color=INK, linewidth=1.0, linestyle=DASHED, zorder=1.2)
    for place, (name, colour) in enumerate(zip(series, ordered(len(series)), strict=True)):
        part = table[table["series"] == name]
        x = part["seat"] + 0.7 * ((place + 0.5) / len(series) - 0.5)
        (dots,) = ax.plot(x, part["best"], "o", color=colour, markersize=4.5, label=name)
        for artist in (dots, ax.vlines(x, part["low"], part["high"], colors=colour, linewidth=1.4)):
            mark(artist, run=table["run"].iloc[0])
        for at, line in zip(x, words.lines_of(part), strict=True):
            target(ax, (at - 0.1, line.low, at + 0.1, line.high), told(line), line.run)
    percent_axis(ax, 5)
    ax.set_xticks(sorted(table["seat"].unique()))
    ax.set_title(table["panel"].iloc[0], loc="left", fontweight="bold")
    legend(ax)


def _words(table: pd.DataFrame) -> Words:
    """Around the chart."""
    shares = "; ".join(f"{one.run}, all play {one.series}: {one.label} {in_words(one)}" for one in words.lines_of(table))
    even = ", ".join(f"{percent(share)} with {run}" for run, share in table.groupby("run", sort=False)["even"].first().items())
    notes = (
        f"The dashed line is an equal share: {even}.",
        "The upright lines are 95% intervals of all seats at once.",
        words.playouts(table),
    )
    return Words(
        "Wins by seat", "Look for dots of one seat that stand away from the line in every colour.", f"{shares}.", notes, "seat", "wins"
    )
