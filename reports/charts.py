"""The charts. They draw what a frame says and compute nothing; to add one is to add a function with `@chart`."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import frames, words
from reports.style import GREY, INK, PAPER, SIZE, SOLE, categories, ordered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pandas as pd
    from matplotlib.axes import Axes

    from reports.words import Words
    from simulator.game import Game
    from simulator.run import Result

    Draw = Callable[[pd.DataFrame, Axes], None]


@dataclass(frozen=True)
class Chart:
    """A chart with everything it needs.

    Attributes:
        name: identifier, for file names.
        frame: what it shows; its column `panel` says in which panel.
        words: what is said around it.
        draw: draws one panel's part of the frame.
        columns: panels beside each other where there is room; half as many where there is little.
        height: of a panel, in inches.
        same_x: whether all panels have the same x axis.
    """

    name: str
    frame: pd.DataFrame
    words: Words
    draw: Draw
    columns: int
    height: float
    same_x: bool = True


@dataclass(frozen=True)
class Kind:
    """How to make the charts of one kind: one for each subject that a game has; see `chart`."""

    subjects: Callable[[Game], Sequence[Any]]
    name: Callable[[Any], str]
    frame: Callable[[Sequence[Result], Any], pd.DataFrame]
    words: Callable[[pd.DataFrame], Words]
    draw: Draw
    columns: int
    height: float
    same_x: bool


KINDS: list[Kind] = []
"""All kinds of charts, in the order of a report."""


def chart(
    *,
    subjects: Callable[[Game], Sequence[Any]],
    name: Callable[[Any], str],
    frame: Callable[[Sequence[Result], Any], pd.DataFrame],
    words: Callable[[pd.DataFrame], Words],
    columns: int = 1,
    height: float = 2.7,
    same_x: bool = True,
) -> Callable[[Draw], Draw]:
    """Register the decorated `draw(frame, ax)` as a kind of chart.

    Args:
        subjects: what of a game there is to draw; a chart for each.
        name: a subject's identifier, for file names.
        frame: what to draw, from results of one game and a subject.
        words: title and the like, from the frame.
        columns: panels beside each other where there is room; half as many where there is little.
        height: of a panel, in inches.
        same_x: whether all panels have the same x axis.
    """

    def register(draw: Draw) -> Draw:
        KINDS.append(Kind(subjects, name, frame, words, draw, columns, height, same_x))
        return draw

    return register


def charts(results: frames.Results) -> Iterator[Chart]:
    """The charts of results of one game, in the order of a report."""
    listed = frames.of_one_game(results)
    game = listed[0].experiment.game
    for kind in KINDS:
        for subject in kind.subjects(game):
            table = kind.frame(listed, subject)
            if len(table):  # too few playouts leave some charts with nothing to show
                yield Chart(kind.name(subject), table, kind.words(table), kind.draw, kind.columns, kind.height, kind.same_x)


@chart(subjects=lambda _game: ["verdict"], name=str, frame=frames.verdict, words=words.verdict)
def verdict(frame: pd.DataFrame, ax: Axes) -> None:
    """How the games end: bars from zero with intervals, and for seats the equal share as a line."""
    grouped_bars(frame, ax, ordered if frame["equal"].notna().any() else categories)
    label = "equal share"
    for position, equal in enumerate(frame.groupby("group", sort=False)["equal"].first()):
        if not math.isnan(equal):
            ax.hlines(equal, position - 0.48, position + 0.48, colors=PAPER, linewidth=2.4, zorder=1.2)
            line = ax.hlines(equal, position - 0.48, position + 0.48, colors=INK, linestyles=(0, (3, 2)), linewidth=1.2, zorder=1.3)
            line.set_label(label)
            label = "_equal"
    if frame["equal"].notna().any():
        legend(ax)
    if len(frame) <= MOST_NUMBERS:
        numbers_on_bars(frame, ax)


@chart(subjects=lambda _game: ["turns"], name=lambda _metric: "lengths", frame=frames.distribution, words=words.lengths, height=0.72)
def lengths(frame: pd.DataFrame, ax: Axes) -> None:
    """How long games last: a histogram with the median as a line."""
    bins = frame.groupby("left", as_index=False).agg(width=("width", "first"), share=("share", "sum"))
    ax.stairs(bins["share"], edges(bins), fill=True, color=SOLE)
    ax.axvline(frame["median"].iloc[0], color=INK, linewidth=1.2)
    histogram_axes(frame, ax)


@chart(
    subjects=lambda game: [game.closeness] if game.closeness else [],
    name=lambda _metric: "closeness",
    frame=frames.closeness,
    words=words.closeness,
    height=0.72,
)
def closeness(frame: pd.DataFrame, ax: Axes) -> None:
    """How close games are: a histogram coloured by outcome, zero marked."""
    bottom = np.zeros(frame["left"].nunique())
    for outcome, colour in outcome_colours(frame).items():
        part = frame[frame["outcome_label"] == outcome]
        top = bottom + part["share"].to_numpy()
        ax.stairs(top, edges(part), baseline=bottom, fill=True, color=colour, label=outcome)
        bottom = top
    ax.axvline(0, color=INK, linewidth=1.2, linestyle=(0, (3, 2)))
    histogram_axes(frame, ax)
    legend(ax)


@chart(
    subjects=lambda game: game.breakdowns,
    name=lambda shown: str(shown.name),
    frame=frames.breakdown,
    words=words.breakdown,
    columns=2,
)
def breakdown(frame: pd.DataFrame, ax: Axes) -> None:
    """A game's own events: bars from zero with intervals, side by side."""
    grouped_bars(frame, ax, ordered if len(frame["run"].unique()) > 1 else categories)
    ax.set_title(frame["panel"].iloc[0], loc="left", fontweight="bold")


@chart(
    subjects=lambda game: game.influences,
    name=lambda shown: str(shown.name),
    frame=frames.influence,
    words=words.influence,
    columns=4,
    height=1.5,
    same_x=False,
)
def influence(frame: pd.DataFrame, ax: Axes) -> None:
    """How often a seat wins, given a number of its own: points with intervals, joined by lines."""
    runs = list(frame["run"].unique())
    for run, colour in zip(runs, ordered(len(runs)), strict=True):
        part = frame[frame["run"] == run]
        usual = part[part["usual"]]
        ax.plot(part["value"], part["best"], "o-", color=colour, linewidth=1, markersize=2.8)
        ax.plot(usual["value"], usual["best"], color=colour, linewidth=2.6, label=run if len(runs) > 1 else "_run")
        ax.vlines(part["value"], part["low"], part["high"], colors=colour, linewidth=1)
    if len(runs) == 1:
        ax.axhline(frame["equal"].iloc[0], color=INK, linewidth=1.0, linestyle=(0, (3, 2)), label="equal share", zorder=1.2)
    value_axis(frame, ax)
    ax.set_ylim(0, 1.05 * frame["top"].iloc[0])
    ax.margins(x=0.07)
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    ax.set_title(short(frame["panel"].iloc[0], letters(ax)), loc="left", fontweight="bold")
    legend(ax)


MOST_NUMBERS = 8
"""More bars than this are not numbered."""

FEWEST_GROUPS = 3
"""Fewer groups leave the rest of the axis empty, so that no bar is as wide as a chart."""


def grouped_bars(frame: pd.DataFrame, ax: Axes, palette: Callable[[int], list[str]]) -> None:
    """Bars of `best` with `low` to `high` as thin lines: a group for each `group`, a colour for each `hue`."""
    groups, hues = list(frame["group"].unique()), list(frame["hue"].unique())
    present = frame.groupby("group", sort=False)["hue"].nunique()
    width = 0.8 / int(present.max())
    for hue, colour in zip(hues, palette(len(hues)), strict=True):
        part = frame[frame["hue"] == hue]
        x = [position_of(line, frame, groups, width) for line in words.lines_of(part)]
        ax.bar(x, part["best"], 0.92 * width, color=colour, label=hue)
        drawn = part.assign(x=x)[part["high"] - part["low"] < math.inf]
        ax.vlines(drawn["x"], drawn["low"], drawn["high"], colors=PAPER, linewidth=3, zorder=1.5)
        ax.vlines(drawn["x"], drawn["low"], drawn["high"], colors=INK, linewidth=1.2, zorder=1.6)
    ax.set_xticks(range(len(groups)), [wrapped(group, ax, len(groups)) for group in groups])
    room = max(len(groups), FEWEST_GROUPS) / 2
    ax.set_xlim((len(groups) - 1) / 2 - room, (len(groups) - 1) / 2 + room)
    value_axis(frame, ax)
    if len(hues) > 1:
        legend(ax)


def position_of(line: Any, frame: pd.DataFrame, groups: list[str], width: float) -> float:
    """Where a bar stands: the bars of a group are centred on the group's tick."""
    beside = list(frame.loc[frame["group"] == line.group, "hue"])
    return groups.index(line.group) + (beside.index(line.hue) - (len(beside) - 1) / 2) * width


def value_axis(frame: pd.DataFrame, ax: Axes) -> None:
    """From zero with room above; shares in percent."""
    ax.margins(y=0.14)
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.spines["bottom"].set_visible(False)
    if not frame[["best", "high"]].replace(math.inf, 0).to_numpy().any():
        ax.set_ylim(0, 1)
    if (frame["kind"] == "share").all():
        percent_axis(ax, 6)


def percent_axis(ax: Axes, most: int) -> None:
    """Label shares in percent, with at most `most` steps."""
    ax.yaxis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda share, _position: f"{100 * share:.6g}%" if share <= 1 else ""))


def numbers_on_bars(frame: pd.DataFrame, ax: Axes) -> None:
    """Write each bar's number above its interval."""
    groups = list(frame["group"].unique())
    width = 0.8 / int(frame.groupby("group", sort=False)["hue"].nunique().max())
    for line in words.lines_of(frame):
        top = line.high if math.isfinite(line.high) else line.best
        place = (position_of(line, frame, groups, width), top)
        text = f"{words.figures(line)[0]}%"
        ground = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}  # the line of the equal share does not cross the number
        ax.annotate(text, place, (0, 4), textcoords="offset points", ha="center", va="bottom", size=SIZE, bbox=ground)


def edges(bins: pd.DataFrame) -> list[float]:
    """Where bins begin and the last one ends; a whole number stands in the middle of its bin."""
    lefts = [left - 0.5 for left in bins["left"]]
    return [*lefts, lefts[-1] + bins["width"].iloc[-1]]


def histogram_axes(frame: pd.DataFrame, ax: Axes) -> None:
    """Axes of one run's histogram, with the run and its median above."""
    first = frame.iloc[0]
    ax.set_xlim(first["first"] - 0.75, first["last"] + 0.75)
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    ax.margins(y=0.08)
    percent_axis(ax, 3)
    ax.set_title(short(first["run"], letters(ax) - 16), loc="left", fontweight="bold")
    ax.set_title(f"median {words.number(first['median'])}", loc="right")


def outcome_colours(frame: pd.DataFrame) -> dict[str, str]:
    """A colour for each outcome of a panel, the same in all panels; grey for the unfinished."""
    colours = categories(int(frame["endings"].iloc[0]))
    lines = words.lines_of(frame.drop_duplicates("outcome"))
    return {line.outcome_label: colours[line.ending] if line.ending >= 0 else GREY for line in lines}


def legend(ax: Axes) -> None:
    """Hand the labels on to the figure, which shows each once; see `pictures`."""
    ax.set_gid("legend")


def wrapped(text: str, ax: Axes, count: int) -> str:
    """A label of one of `count` groups, broken into lines that do not touch their neighbours."""
    return textwrap.fill(short(text, MOST_LETTERS), max(5, int(letters(ax) / count)), break_long_words=False)


MOST_LETTERS = 60
"""The middle of a longer label is left out."""


def letters(ax: Axes) -> int:
    """How many letters fit beside each other on axes."""
    figure = ax.get_figure(root=True)
    return int(ax.get_position().width * figure.get_figwidth() * 72 / (0.62 * SIZE)) if figure else MOST_LETTERS


def short(text: str, most: int) -> str:
    """The text with its middle left out if it has more than `most` letters.

    >>> short("4 players, greedy", 11)
    '4 pla…reedy'
    """
    half = max(2, (most - 1) // 2)
    return text if len(text) <= max(most, 5) else f"{text[:half]}\N{HORIZONTAL ELLIPSIS}{text[-half:]}"
