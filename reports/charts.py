"""What all charts share. They draw what a frame says and compute nothing; to add one is to add a function with `@chart`."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.style import INK, PAPER, SIZE
from reports.words import Line, Words, lines_of
from simulator.document.figures import figure, in_words, known
from simulator.document.language import short
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


KINDS: list[tuple[str, Callable[[Sequence[Result]], Iterator[Chart]]]] = []
"""The id of a chapter, and what makes its charts of one kind from results of one game; filled by `chart`."""


def chart(
    *,
    chapter: str,
    subjects: Callable[[Game], Mapping[str, Any]],
    frame: Callable[[Sequence[Result], Any], pd.DataFrame],
    words: Callable[[pd.DataFrame], Words],
    columns: int = 1,
    height: float | Callable[[pd.DataFrame], float] = 2.7,
    same_x: bool = True,
) -> Callable[[Draw], Draw]:
    """Register the decorated `draw(frame, ax)` as a kind of chart.

    `subjects` is what of a game there is to draw, a chart for each, under the charts' names; `frame` what to draw, from
    results of one game and a subject; `words` what is said around it. The others are attributes of `Chart`; the height may
    depend on the frame.
    """

    def register(draw: Draw) -> Draw:
        def make(results: Sequence[Result]) -> Iterator[Chart]:
            for name, subject in subjects(results[0].experiment.game).items():
                table = frame(results, subject)
                if len(table):  # too few playouts leave some charts with nothing to show
                    high = height(table) if callable(height) else height
                    yield Chart(name, table, words(table), draw, columns, high, same_x, chapter)

        KINDS.append((chapter, make))
        return draw

    return register


DASHED: Any = (0, (3, 2))
"""How the line of an equal share is drawn."""


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
    group_axis(ax, groups)
    value_axis(frame, ax)
    if len(hues) > 1:
        legend(ax)


def dot(ax: Axes, x: float, line: Line, half: float, colours: tuple[str, str], **drawn: Any) -> None:
    """An estimate as a dot above its interval.

    Args:
        ax: the axes.
        x: where it stands.
        line: the estimate.
        half: how far its target reaches to either side.
        colours: of the dot and of the interval.
        drawn: further properties of the dot.
    """
    (point,) = ax.plot(x, line.best, "o", color=colours[0], **drawn)
    for artist in (point, ax.vlines(x, line.low, line.high, colors=colours[1], linewidth=1.4, zorder=BEHIND_DOTS)):
        mark(artist, run=line.run)
    target(ax, (x - half, line.low, x + half, line.high), told(line), line.run)


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


def group_axis(ax: Axes, groups: Sequence[str]) -> None:
    """A tick for each group, with its name."""
    ax.set_xticks(range(len(groups)), [wrapped(group, ax, len(groups)) for group in groups])
    room = max(len(groups), FEWEST_GROUPS) / 2
    ax.set_xlim((len(groups) - 1) / 2 - room, (len(groups) - 1) / 2 + room)


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


LEGEND = "legend"
"""Label of axes whose labels the figure shows."""


def legend(ax: Axes) -> None:
    """Hand the labels on to the figure, which shows each once; see `pictures`."""
    ax.set_label(LEGEND)


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
