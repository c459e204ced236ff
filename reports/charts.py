"""The charts. They draw what a frame says and compute nothing; to add one is to add a function with `@chart`."""

from __future__ import annotations

import json
import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import frames, words
from reports.style import GREY, INK, PAPER, SIZE, SOLE, categories, ordered, seats
from reports.words import lines_of
from simulator.document.chapters import HOW_CLOSE, HOW_LONG, WHAT_HAPPENS, WHO_WINS
from simulator.document.figures import figure, in_words, known, number
from simulator.document.language import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pandas as pd
    from matplotlib.artist import Artist

    from reports.words import Words
    from simulator.game import Game
    from simulator.play.run import Result

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
        chapter: id of the chapter of a balance report that it belongs to.
    """

    name: str
    frame: pd.DataFrame
    words: Words
    draw: Draw
    columns: int
    height: float
    same_x: bool = True
    chapter: str = ""


@dataclass(frozen=True)
class Kind:
    """How to make the charts of one kind: one for each subject that a game has; see `chart`."""

    subjects: Callable[[Game], Sequence[Any]]
    name: Callable[[Any], str]
    frame: Callable[[Sequence[Result], Any], pd.DataFrame]
    words: Callable[[pd.DataFrame], Words]
    draw: Draw
    columns: int
    height: float | Callable[[pd.DataFrame], float]
    same_x: bool
    chapter: str


KINDS: list[Kind] = []
"""All kinds of charts, in the order of a report."""


def chart(
    *,
    subjects: Callable[[Game], Sequence[Any]],
    name: Callable[[Any], str],
    frame: Callable[[Sequence[Result], Any], pd.DataFrame],
    words: Callable[[pd.DataFrame], Words],
    chapter: str = WHAT_HAPPENS,
    columns: int = 1,
    height: float | Callable[[pd.DataFrame], float] = 2.7,
    same_x: bool = True,
) -> Callable[[Draw], Draw]:
    """Register the decorated `draw(frame, ax)` as a kind of chart.

    Args:
        subjects: what of a game there is to draw; a chart for each.
        name: a subject's identifier, for file names.
        frame: what to draw, from results of one game and a subject.
        words: title and the like, from the frame.
        chapter: id of the report's chapter that shows it.
        columns: panels beside each other where there is room; half as many where there is little.
        height: of a panel, in inches; may depend on the frame.
        same_x: whether all panels have the same x axis.
    """

    def register(draw: Draw) -> Draw:
        KINDS.append(Kind(subjects, name, frame, words, draw, columns, height, same_x, chapter))
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
                high = kind.height(table) if callable(kind.height) else kind.height
                yield Chart(kind.name(subject), table, kind.words(table), kind.draw, kind.columns, high, kind.same_x, kind.chapter)


@chart(subjects=lambda _game: ["verdict"], name=str, frame=frames.verdict, words=words.verdict, chapter=WHO_WINS)
def verdict(frame: pd.DataFrame, ax: Axes) -> None:
    """How the games end: of seats dots around the equal share, a group for each run; else bars from zero."""
    if frame["hue"].nunique() > 1 and frame["equal"].notna().any():
        seat_dots(frame, ax)
        return
    grouped_bars(frame, ax, categories)
    equal_shares(frame, ax)
    if len(frame) <= MOST_NUMBERS:
        numbers_on_bars(frame, ax)


def seat_dots(frame: pd.DataFrame, ax: Axes) -> None:
    """Each seat's share of wins as a dot with its interval, around the equal share of its run."""
    groups, hues = list(frame["group"].unique()), list(frame["hue"].unique())
    places, width = bar_places(frame)
    colours = dict(zip(hues, seats(len(hues)), strict=True))
    for line in lines_of(frame):
        at = places[line.group, line.hue]
        (dot,) = ax.plot(at, line.best, "o", color=colours[line.hue], markersize=5, label=line.hue)
        for artist in (dot, ax.vlines(at, line.low, line.high, colors=colours[line.hue], linewidth=1.4, zorder=BEHIND_DOTS)):
            mark(artist, run=line.run)
        target(ax, (at - width / 2, line.low, at + width / 2, line.high), told(line), line.run)
    equal_shares(frame, ax)
    ax.set_xticks(range(len(groups)), [wrapped(group, ax, len(groups)) for group in groups])
    ax.set_xlim(-0.6, max(len(groups), FEWEST_GROUPS) - 0.4)
    ax.margins(y=0.1)
    percent_axis(ax, 6)


def equal_shares(frame: pd.DataFrame, ax: Axes) -> None:
    """A dashed line at the equal share of each group that has one."""
    label = "equal share"
    for position, equal in enumerate(frame.groupby("group", sort=False)["equal"].first()):
        if not math.isnan(equal):
            ax.hlines(equal, position - 0.48, position + 0.48, colors=PAPER, linewidth=2.4, zorder=1.2)
            line = ax.hlines(equal, position - 0.48, position + 0.48, colors=INK, linestyles=(0, (3, 2)), linewidth=1.2, zorder=1.3)
            line.set_label(label)
            label = "_equal"
    if frame["equal"].notna().any():
        legend(ax)


@chart(subjects=lambda _game: ["advantage"], name=str, frame=frames.advantage, words=words.advantages, chapter=WHO_WINS, height=1.9)
def advantage(frame: pd.DataFrame, ax: Axes) -> None:
    """What going first is worth: points with intervals around zero."""
    ax.axhline(0, color=INK, linewidth=0.8)
    for place, line in enumerate(lines_of(frame)):
        mark(ax.vlines(place, line.low, line.high, colors=INK, linewidth=1.4, zorder=BEHIND_DOTS), run=line.run)
        (point,) = ax.plot(place, line.best, "o", color=SOLE, markersize=7)
        mark(point, run=line.run)
        target(ax, (place - 0.25, line.low, place + 0.25, line.high), told(line), line.run)
    ax.set_xticks(range(len(frame)), [wrapped(run, ax, len(frame)) for run in frame["run"]])
    room = max(len(frame), FEWEST_GROUPS) / 2
    ax.set_xlim((len(frame) - 1) / 2 - room, (len(frame) - 1) / 2 + room)
    ax.spines["bottom"].set_visible(False)
    ax.margins(y=0.2)
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))


@chart(
    subjects=lambda _game: ["turns"],
    name=lambda _metric: "lengths",
    frame=frames.distribution,
    words=words.lengths,
    chapter=HOW_LONG,
    height=0.72,
)
def lengths(frame: pd.DataFrame, ax: Axes) -> None:
    """How long games last: a histogram with the median as a line."""
    bins = frame.drop_duplicates("left").sort_values("left")
    ax.stairs(bins["bin_share"], edges(bins), fill=True, color=SOLE)
    ax.axvline(frame["median"].iloc[0], color=INK, linewidth=1.2)
    histogram_axes(frame, ax)
    bin_targets(frame, ax)


@chart(
    subjects=lambda _game: ["durations"],
    name=str,
    frame=frames.durations,
    words=words.durations,
    chapter=HOW_LONG,
    height=lambda frame: 0.42 * len(frame) + 0.1,
)
def durations(frame: pd.DataFrame, ax: Axes) -> None:
    """The long tail: for each run a bar over nine games in ten, the median in it, and the lengths that few games exceed."""
    scale = float(frame["pace"].iloc[0]) / 60 if frame["pace"].notna().all() else 1.0
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    for place, line in enumerate(lines_of(frame)):
        bar = ax.barh(place + 0.12, scale * (line.q95 - line.q05), 0.34, scale * line.q05, color=SOLE, label="9 games in 10")
        parts = [*bar, ax.hlines(place + 0.12, scale * line.q95, scale * line.q99, colors=INK, linewidth=1.2)]
        drawn: dict[str, Any] = {"linestyle": "none", "color": INK, "markersize": 9}
        parts += ax.plot(scale * line.median, place + 0.12, "|", markeredgewidth=2.6, **drawn | {"color": PAPER, "markersize": 11})
        parts += ax.plot(scale * line.q99, place + 0.12, "|", markeredgewidth=1.6, label="at most 1 game in 100 lasts longer", **drawn)
        for part in parts:
            mark(part, run=line.run)
        name = short(line.run, letters(ax) - 2)
        heading = ax.annotate(name, (0.004, place - 0.3), xycoords=("axes fraction", "data"), va="center", size=SIZE, fontweight="bold")
        mark(heading, run=line.run)
        target(ax, (scale * line.q05, place - 0.05, scale * line.q99, place + 0.29), words.tail(line), line.run)
    ax.set_yticks([])
    ax.set_ylim(len(frame) - 0.45, -0.6)
    ax.set_xlim(0, 1.06 * scale * max(1, frame["q99"].max()))
    ax.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 2.5, 5, 10]))
    legend(ax)


@chart(
    subjects=lambda game: [game.closeness] if game.closeness else [],
    name=lambda _metric: "closeness",
    frame=frames.closeness,
    words=words.closeness,
    chapter=HOW_CLOSE,
    height=0.72,
)
def closeness(frame: pd.DataFrame, ax: Axes) -> None:
    """How close games are: a histogram coloured by outcome, zero marked where the axis has it."""
    bottom = np.zeros(frame["left"].nunique())
    for outcome, colour in outcome_colours(frame).items():
        part = frame[frame["outcome_label"] == outcome]
        top = bottom + part["share"].to_numpy()
        ax.stairs(top, edges(part), baseline=bottom, fill=True, color=colour, label=outcome)
        bottom = top
    if words.shows_zero(lines_of(frame)[0]):
        ax.axvline(0, color=INK, linewidth=1.2, linestyle=(0, (3, 2)))
    histogram_axes(frame, ax)
    legend(ax)
    bin_targets(frame, ax)


@chart(
    subjects=lambda game: game.breakdowns,
    name=lambda shown: str(shown.name),
    frame=frames.breakdown,
    words=words.breakdown,
    chapter=WHAT_HAPPENS,
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
    chapter=WHAT_HAPPENS,
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
        drawn = ax.plot(part["value"], part["best"], "o-", color=colour, linewidth=1, markersize=2.8)
        drawn += ax.plot(usual["value"], usual["best"], color=colour, linewidth=2.6, label=run if len(runs) > 1 else "_run")
        for artist in (*drawn, ax.vlines(part["value"], part["low"], part["high"], colors=colour, linewidth=1)):
            mark(artist, run=run)
        for line in lines_of(part):
            target(ax, (line.value, line.low, line.value, line.high), words.won_at(line), run)
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

BEHIND_DOTS = 1.9
"""Where the thin lines of intervals are drawn, so that the dots on them keep their colour; Matplotlib draws dots at 2."""

FEWEST_GROUPS = 3
"""Fewer groups leave the rest of the axis empty, so that no bar is as wide as a chart."""


def grouped_bars(frame: pd.DataFrame, ax: Axes, palette: Callable[[int], list[str]]) -> None:
    """Bars of `best` with `low` to `high` as thin lines: a group for each `group`, a colour for each `hue`."""
    groups, hues = list(frame["group"].unique()), list(frame["hue"].unique())
    places, width = bar_places(frame)
    colours = dict(zip(hues, palette(len(hues)), strict=True))
    several = frame["run"].nunique() > 1
    for run, part in frame.groupby("run", sort=False):
        lines = lines_of(part)
        x = [places[line.group, line.hue] for line in lines]
        drawn: list[Artist] = []
        for hue in part["hue"].unique():
            own = [place for place, line in zip(x, lines, strict=True) if line.hue == hue]
            heights = [line.best for line in lines if line.hue == hue]
            drawn += ax.bar(own, heights, 0.92 * width, color=colours[hue], label=hue)
        ends = [(place, line.low, line.high) for place, line in zip(x, lines, strict=True) if known(line)]
        if ends:
            where, low, high = (list(column) for column in zip(*ends, strict=True))
            drawn.append(ax.vlines(where, low, high, colors=PAPER, linewidth=3, zorder=1.5))
            drawn.append(ax.vlines(where, low, high, colors=INK, linewidth=1.2, zorder=1.6))
        for artist in drawn if several else []:
            mark(artist, run=str(run))
        for place, line in zip(x, lines, strict=True):
            top = line.high if known(line) else line.best
            target(ax, (place - width / 2, 0, place + width / 2, top), told(line), line.run if several else "")
    ax.set_xticks(range(len(groups)), [wrapped(group, ax, len(groups)) for group in groups])
    room = max(len(groups), FEWEST_GROUPS) / 2
    ax.set_xlim((len(groups) - 1) / 2 - room, (len(groups) - 1) / 2 + room)
    value_axis(frame, ax)
    if len(hues) > 1:
        legend(ax)


def bar_places(frame: pd.DataFrame) -> tuple[dict[tuple[str, str], float], float]:
    """Where the bar of each group and hue stands, and how wide it is: the bars of a group are centred on the group's tick."""
    beside: dict[str, list[str]] = {}
    for group, hue in zip(frame["group"], frame["hue"], strict=True):
        beside.setdefault(group, []).append(hue)
    width = 0.8 / max(len(set(hues)) for hues in beside.values())
    places = {
        (group, hue): place + (hues.index(hue) - (len(hues) - 1) / 2) * width
        for place, (group, hues) in enumerate(beside.items())
        for hue in hues
    }
    return places, width


def value_axis(frame: pd.DataFrame, ax: Axes) -> None:
    """From zero with room above; shares in percent."""
    ax.margins(y=0.14)
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.spines["bottom"].set_visible(False)
    if not frame[["best", "high"]].replace(math.inf, 0).to_numpy().any():
        ax.set_ylim(0, 1)
    if (frame["kind"] == "share").all():
        percent_axis(ax, 6)


def percent_axis(ax: Axes, most: int, *, along: bool = False) -> None:
    """Label shares in percent, with at most `most` steps: up the y axis, or along the x axis."""
    axis = ax.xaxis if along else ax.yaxis
    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda share, _position: f"{100 * share:.6g}%" if share <= 1 else ""))


def numbers_on_bars(frame: pd.DataFrame, ax: Axes) -> None:
    """Write each bar's number above its interval."""
    places, _ = bar_places(frame)
    for line in lines_of(frame):
        top = line.high if math.isfinite(line.high) else line.best
        place = (places[line.group, line.hue], top)
        text = f"{figure(line)}%"
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
    ax.set_title(f"median {number(first['median'])}", loc="right")


def outcome_colours(frame: pd.DataFrame) -> dict[str, str]:
    """A colour for each outcome of a panel, the same in all panels; grey for the unfinished."""
    colours = categories(int(frame["endings"].iloc[0]))
    lines = lines_of(frame.drop_duplicates("outcome"))
    return {line.outcome_label: colours[line.ending] if line.ending >= 0 else GREY for line in lines}


def legend(ax: Axes) -> None:
    """Hand the labels on to the figure, which shows each once; see `pictures`."""
    ax.set_label(LEGEND)


LEGEND = "legend"
"""Label of axes whose labels the figure shows."""

MARK = "mark:"
"""So begins the id of what a page can point at; see `mark`."""


def mark(artist: Artist, text: str = "", run: str = "", point: str = "") -> None:
    """Let a page tell a value at this part of a chart, fade it when another run is picked, or stress it at a slider's point.

    Args:
        artist: a bar, a line of markers, or whole axes.
        text: what is told: whose value, the value and its interval; nothing if nothing is to be told.
        run: the run that it is about; nothing if it is about all.
        point: the computed point of a sweep that it is about.
    """
    artist.set_gid(MARK + json.dumps({"text": text, "run": run, "point": point}))


@dataclass(frozen=True)
class Target:
    """Where a chart can be pointed at; see `target`."""

    box: tuple[float, float, float, float]
    text: str
    run: str


TARGETS: WeakKeyDictionary[Axes, list[Target]] = WeakKeyDictionary()
"""The targets of axes, for `pictures` to write into a page."""


def target(ax: Axes, box: tuple[float, float, float, float], text: str, run: str = "") -> None:
    """Let a page tell a value where nothing of its own is drawn for it.

    Args:
        ax: the axes.
        box: left, bottom, right and top in the data's units; what is narrower than a fingertip is widened on the page.
        text: what is told.
        run: the run that it is about; nothing if it is about all.
    """
    TARGETS.setdefault(ax, []).append(Target(box, text, run))


def bin_targets(frame: pd.DataFrame, ax: Axes) -> None:
    """A target for each bin of a histogram that holds a playout, as high as the highest bin."""
    bins = frame.drop_duplicates("left").sort_values("left")
    top = float(bins["bin_share"].max())
    for line in lines_of(bins[bins["bin_share"] > 0]):
        target(ax, (line.left - 0.5, 0, line.left + line.width - 0.5, top), words.in_bin(line), line.run)


def told(line: Any) -> str:
    """What is told at the mark of an estimate: whose it is, the value, its interval and n."""
    names = [name for name in (line.run, getattr(line, "series", ""), getattr(line, "bar", "") or line.label) if name]
    best = figure(line)
    return f"{', '.join(dict.fromkeys(names))}: {best} ({in_words(line)}), n = {int(line.n):,}"


def wrapped(text: str, ax: Axes, count: int) -> str:
    """A label of one of `count` groups, broken into lines that do not touch their neighbours."""
    return textwrap.fill(short(text, MOST_LETTERS), max(5, int(letters(ax) / count)), break_long_words=False)


MOST_LETTERS = 60
"""The middle of a longer label is left out."""


def letters(ax: Axes) -> int:
    """How many letters fit beside each other on axes."""
    figure = ax.get_figure(root=True)
    return int(ax.get_position().width * figure.get_figwidth() * 72 / (0.62 * SIZE)) if figure else MOST_LETTERS


def without_middle(text: str, most: int) -> str:
    """The text with whole words of its middle left out if it has more than `most` letters; see `short` where none would remain.

    >>> without_middle("The players win about every second game (2 players)", 36)
    'The players win \N{HORIZONTAL ELLIPSIS} game (2 players)'
    """
    words, left, right = text.split(" "), "", ""
    while words and len(text) > most:
        if len(left) <= len(right):
            more, rest = (f"{left}{words[0]} ", right), words[1:]
        else:
            more, rest = (left, f" {words[-1]}{right}"), words[:-1]
        if sum(map(len, more)) >= most:
            return f"{left}\N{HORIZONTAL ELLIPSIS}{right}" if left and right else short(text, most)
        (left, right), words = more, rest
    return text
