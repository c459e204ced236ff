"""How close it is: the margin at the end of the games."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports import frames
from reports.balance import histograms
from reports.charts import DASHED, Chart, chart, legend
from reports.style import CATEGORIES, GREY, INK, categories, seats
from reports.words import Line, Words, inside, lines_of, playouts, span
from simulator.document.chapters import HOW_CLOSE, Chapter
from simulator.document.figures import in_words, number
from simulator.play.run import Result
from simulator.stats.unfinished import UNFINISHED


def chapter(results: Sequence[Result], charts: tuple[Chart, ...]) -> Chapter:
    """How close games are at their end."""
    game = results[0].experiment.game
    if game.closeness is None:
        return Chapter(HOW_CLOSE, "How close it is", "", (f"{game.title} counts nothing that tells a close game from a clear one.",))
    table = frames.estimated(results)
    lines = lines_of(table[table["metric"] == game.closeness])
    sentences = tuple(f"With {line.run}: {inside(line.label)}, {in_words(line)} on average." for line in lines)
    return Chapter(HOW_CLOSE, "How close it is", "Look for how many games are decided by little.", sentences, charts)


def closeness_frame(results: Sequence[Result], metric: str) -> pd.DataFrame:
    """As `histograms.distribution`, without the runs in which a seat has nobody to be close to.

    `seats` is how many the largest run has, and 0 where they win together.
    """
    contested = [r for r in results if r.experiment.game.cooperative or r.experiment.players > 1]
    if not contested:
        return pd.DataFrame()
    alone = [r.experiment.players for r in contested if not r.experiment.game.cooperative]
    return histograms.distribution(contested, metric).assign(seats=max(alone, default=0))


def closeness_words(table: pd.DataFrame) -> Words:
    """Around the chart of how close games are."""
    runs = lines_of(table.drop_duplicates("run"))
    first = runs[0]
    where = "near the dashed line at zero" if shows_zero(first) else f"at the {'left' if first.first > 0 else 'right'} end"
    nearest = min(r.nearest for r in runs)
    level = [(r.run, r._replace(kind="share", low=r.zero_low, best=r.zero, high=r.zero_high)) for r in runs if r.zero]
    zero = "; ".join(f"{in_words(share)} with {run}" for run, share in level)
    notes = (
        *[first.about] * bool(first.about),
        *[f"Games at exactly zero: {zero}."] * bool(zero),
        *[f"The closest game that came to an end is at {number(nearest)}."] * (0 < nearest < math.inf),
        *histograms.left_out(runs),
        playouts(table),
    )
    return Words(
        f"{first.label}: {span(runs, ' on average')}",
        f"Look for how much lies {where}: the nearer to zero, the closer the game.",
        histograms.alt(runs),
        notes,
        f"{first.label.lower()} ({first.unit}){histograms.steps(first)}",
        "percent of games",
    )


def shows_zero(line: Line) -> bool:
    """Whether the axis of a distribution has zero on it."""
    return bool(line.first <= 0 <= line.last)


@chart(
    chapter=HOW_CLOSE,
    subjects=lambda game: {"closeness": game.closeness} if game.closeness else {},
    frame=closeness_frame,
    words=closeness_words,
    height=0.72,
)
def draw_closeness(frame: pd.DataFrame, ax: Axes) -> None:
    """How close games are: a histogram coloured by outcome, zero marked where the axis has it."""
    bottom = np.zeros(frame["left"].nunique())
    for outcome, colour in outcome_colours(frame).items():
        part = frame[frame["outcome_label"] == outcome]
        top = bottom + part["share"].to_numpy()
        ax.stairs(top, histograms.edges(part), baseline=bottom, fill=True, color=colour, label=outcome)
        bottom = top
    if shows_zero(lines_of(frame)[0]):
        ax.axvline(0, color=INK, linewidth=1.2, linestyle=DASHED)
    legend(ax)
    histograms.finish(frame, ax)


def outcome_colours(frame: pd.DataFrame) -> dict[str, str]:
    """A colour for each outcome of a panel, the same in all panels: a seat's own where it wins, grey for the unfinished."""
    own, endings = seats(int(frame["seats"].iloc[0])), int(frame["endings"].iloc[0])
    known = {f"wins.{seat}": colour for seat, colour in enumerate(own)} | {UNFINISHED: GREY}
    others = [CATEGORIES[1]] * endings if own else categories(endings)  # a tie is nobody's
    lines = lines_of(frame.drop_duplicates("outcome"))
    return {line.outcome_label: known.get(line.outcome, others[line.ending]) for line in lines}
