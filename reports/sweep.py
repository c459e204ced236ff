"""What happens as rule constants run through values, as charts and as a frame."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from reports import words
from reports.charts import DASHED, Chart, legend, mark, percent_axis, target, told, wrapped
from reports.frames import strategies_text
from reports.html_pages import drawn
from reports.style import INK, PAPER, SHADES, SIZE, ordered
from reports.words import Words
from simulator.document.figures import CELL, decimals, figure, in_words, interval, known, number
from simulator.document.language import clean, ranged, short
from simulator.rules import to_text
from simulator.studies.axes import is_number
from simulator.studies.sweep import MOST_CHARTED, finding, seated

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from simulator.document.document import Document
    from simulator.game import Metric
    from simulator.play.resources import Resources
    from simulator.stats.estimate import Estimate
    from simulator.studies.grid import Point
    from simulator.studies.study import Finding
    from simulator.studies.sweep import Sweep

FRAME_COLUMNS = ("game", "players", "strategies", "seed", "baseline", "metric", "label", "unit", "kind")
FIGURE_COLUMNS = ("best", "low", "high", "n", "difference", "difference_low", "difference_high", "playouts_saved")

MOST_CELLS = 1_600
"""A heat map of more cells than this is left out: nobody could tell them apart."""

WIDE_CELL, NARROW_CELL = 0.68, 0.38
"""Inches that a cell needs to hold an interval, and to hold the number alone."""

ROW = 0.42
"""Inches: height of a row of a heat map."""

LABEL = 8
"""Letters of a row's label on one line, beside a heat map."""


def page(document: Document, found: Finding[Any], _resources: Resources, note: Callable[[str], None]) -> Document:
    """The document with its charts, and a word on those that there cannot be; see `reports.html_pages.page_of`."""
    varied = len(found.parts[0].plan.axes)
    if varied > MOST_CHARTED:
        note(f"There is no chart of {varied} constants at once; vary one or two of them to have one.")
    return drawn(document, found)


# ---------------------------------------------------------------- frames
def frame(parts: Sequence[Sweep]) -> pd.DataFrame:
    """Every metric at every point, a line for each, with the difference from the baseline by pairs of playouts.

    The varied constants have a column each, named by their keys. `baseline` is whether the point's rules are those of the
    baseline, which is listed even where it is no point of the grid. `playouts_saved` is how many times fewer playouts the
    pairs needed than independent runs; not a number where nothing varied. No figure is a number where no game finished.
    """
    keys = _columns(parts[0])
    table = _named(parts[0])[[*FRAME_COLUMNS[:5], *keys, *FRAME_COLUMNS[5:], *FIGURE_COLUMNS]]
    for key in keys:  # numbers stay numbers, all else is written as it is set
        if not table[key].map(is_number).all():
            table[key] = table[key].map(to_text)
    return table.infer_objects()


def _columns(sweep: Sweep) -> list[str]:
    """The keys of the varied constants, but where a column has that name already."""
    return [_column(axis.key) for axis in sweep.plan.axes]


def _column(key: str) -> str:
    return f"rule {key}" if key in {*FRAME_COLUMNS, *FIGURE_COLUMNS} else key


def _named(sweep: Sweep) -> pd.DataFrame:
    """The frame, and in words `run`, `point` (the same without the players) and `seats`, the number of players."""
    return pd.DataFrame([_line(sweep, point, metric) for point in sweep.lines for metric in point.metrics])


def _line(sweep: Sweep, point: Point, metric: Metric) -> dict[str, Any]:
    experiment, compared = point.result.experiment, point.comparisons.get(metric.name)
    difference = _ends(point.differences[metric.name])
    return {
        "game": experiment.game.name,
        "players": experiment.players,
        "strategies": strategies_text(point.result),
        "seed": experiment.seed,
        "baseline": point.is_baseline,
        **{_column(key): value for key, value in point.setting.items()},
        "metric": metric.name,
        "label": clean(metric.label),
        "unit": metric.unit,
        "kind": metric.kind,
        **_ends(point.estimates[metric.name]),
        "n": point.result.games,
        **{"difference" if end == "best" else f"difference_{end}": value for end, value in difference.items()},
        "playouts_saved": math.nan if compared is None or compared.variance_ratio is None else compared.variance_ratio,
        "run": sweep.run_of(point),
        "point": point.title,
        "seats": seated(point),
    }


def _ends(estimate: Estimate | None) -> dict[str, float]:
    ends = ("best", "low", "high")
    return dict.fromkeys(ends, math.nan) if estimate is None else {end: getattr(estimate, end) for end in ends}


# ---------------------------------------------------------------- charts
def charts(parts: Sequence[Sweep]) -> list[Chart]:
    """A line chart for each metric where one constant varies, a heat map where two do; none for more, or of what is not known."""
    (sweep,) = parts
    table, varied = _named(sweep), len(sweep.plan.axes)
    if varied > MOST_CHARTED or (varied == MOST_CHARTED and len(sweep.points) > MOST_CELLS):
        return []
    tables = ((metric, table[(table["metric"] == metric.name) & table["best"].notna()]) for metric in sweep.plan.metrics)
    return [(_line_chart if varied == 1 else _heat_map)(sweep, metric, part) for metric, part in tables if len(part)]


def _line_chart(sweep: Sweep, metric: Metric, part: pd.DataFrame) -> Chart:
    table = line_frame(sweep, part)
    return Chart(f"sweep-{metric.name}", table, line_words(sweep, metric, table), draw_line, 1, 2.7)


def _heat_map(sweep: Sweep, metric: Metric, part: pd.DataFrame) -> Chart:
    table = heat_frame(sweep, part if _has_baseline(sweep) else part[~part["baseline"]])
    rows = 1 + int(table["row"].max())
    columns = 2 if table["column"].max() < 3 else 1  # noqa: PLR2004  few cells leave room for two panels
    return Chart(f"sweep-{metric.name}", table, heat_words(sweep, metric, table), draw_heat, columns, max(1.0, ROW * rows))


def _has_baseline(sweep: Sweep) -> bool:
    """Whether the baseline is a point of the grid."""
    return any(point.is_baseline for point in sweep.points)


def _text(value: Any) -> str:
    return to_text(value.item() if hasattr(value, "item") else value)


def line_frame(sweep: Sweep, table: pd.DataFrame) -> pd.DataFrame:
    """One metric against one constant: `x` is where a point stands, `tick` what is written there.

    `numeric` is whether x is the value itself; else x is its place in the grid.
    """
    (key,) = _columns(sweep)
    numeric = bool(table[key].map(is_number).all())
    places = {text: place for place, text in enumerate(dict.fromkeys(map(_text, table[key])))}
    x = table[key].astype(float) if numeric else table[key].map(lambda value: float(places[_text(value)]))
    drawn_table = table.assign(panel="", numeric=numeric, x=x, tick=table[key].map(_text), baseline_name=sweep.baseline_name)
    return drawn_table.sort_values(["players", "x"], kind="stable")


def draw_line(frame: pd.DataFrame, ax: Axes) -> None:
    """Points with intervals for each number of players, joined where the constant is a number; the baseline marked."""
    numeric = bool(frame["numeric"].iloc[0])
    tables = list(frame["seats"].unique())
    step = 0.0 if numeric else 0.09
    for place, (seats, colour) in enumerate(zip(tables, ordered(len(tables)), strict=True)):
        part = frame[frame["seats"] == seats]
        shift = step * (place - (len(tables) - 1) / 2)
        drawn: dict[str, Any] = {"linestyle": "-" if numeric else "none", "color": colour, "linewidth": 1.6, "markersize": 4}
        (joined,) = ax.plot(part["x"] + shift, part["best"], marker="o", label=seats, **drawn)
        mark(joined, run=seats)
        for line in words.lines_of(part):
            _draw_point(ax, line, line.x + shift, colour)
    for place, x_baseline in enumerate(frame.loc[frame["baseline"], "x"].unique()):
        label = "_again" if place else str(frame["baseline_name"].iloc[0])
        ax.axvline(x_baseline, color=INK, linewidth=1.0, linestyle=DASHED, zorder=1.2, label=label)
    _x_axis(frame, ax, numeric=numeric)
    ax.margins(y=0.12)
    if (frame["kind"] == "share").all():
        percent_axis(ax, 6)
    handles, labels = ax.get_legend_handles_labels()
    if len(tables) == 1 and handles:
        handles[labels.index(tables[0])].set_label("_alone")
    legend(ax)


def _draw_point(ax: Axes, line: words.Line, x: float, colour: str) -> None:
    (point,) = ax.plot(x, line.best, "o", color=colour, markersize=4, label="_point")
    mark(point, run=line.seats, point=line.point)
    ends = (line.low, line.high) if known(line) else (line.best, line.best)
    if known(line):
        mark(ax.vlines(x, *ends, colors=colour, linewidth=1.4), run=line.seats)
    target(ax, (x, ends[0], x, ends[1]), told(line), line.seats)


def _x_axis(frame: pd.DataFrame, ax: Axes, *, numeric: bool) -> None:
    if numeric:
        whole = bool((frame["x"] == frame["x"].round()).all())
        ax.xaxis.set_major_locator(MaxNLocator(12, integer=whole, min_n_ticks=1, steps=[1, 2, 5, 10]))
        ax.margins(x=0.05)
        return
    ticks = frame.drop_duplicates("x")
    ax.set_xticks(ticks["x"], [wrapped(tick, ax, len(ticks)) for tick in ticks["tick"]])
    ax.set_xlim(ticks["x"].min() - 0.5, ticks["x"].max() + 0.5)


def heat_frame(sweep: Sweep, table: pd.DataFrame) -> pd.DataFrame:
    """One metric against two constants: `column` and `row` are a cell's place, `across` and `down` what is written there.

    The constant with the longer labels runs across. `shade` is the cell's place in the scale of colours, and `scale` says
    what each shade of the whole chart stands for. There is a panel for each number of players.
    """
    keys = _columns(sweep)
    longest = [max(len(_text(value)) for value in table[key]) for key in keys]
    across, down = keys if longest[0] >= longest[1] else reversed(keys)
    texts = {key: table[key].map(_text) for key in keys}
    places = {key: {text: place for place, text in enumerate(_in_order(table[key]))} for key in keys}
    low, high = table["best"].min(), table["best"].max()
    shades = [_shade(best, low, high) for best in table["best"]]
    scale: list[Any] = [_scale(sorted(set(shades)), low, high, table["kind"].iloc[0])] * len(table)
    return table.assign(
        panel=table["seats"] if table["players"].nunique() > 1 else "",
        across_key=across,
        down_key=down,
        across=texts[across],
        down=texts[down],
        column=texts[across].map(places[across]),
        row=texts[down].map(places[down]),
        shade=shades,
        scale=scale,
        baseline_name=sweep.baseline_name,
    )


def _in_order(values: pd.Series[Any]) -> list[str]:
    """The values as text, each once: numbers by size, others as the grid has them."""
    listed = list(dict.fromkeys(values.tolist()))
    return [_text(value) for value in (sorted(listed) if all(map(is_number, listed)) else listed)]


def _shade(best: float, low: float, high: float) -> int:
    return min(len(SHADES) - 1, int(len(SHADES) * (best - low) / (high - low))) if high > low else 0


def _scale(shades: Sequence[int], low: float, high: float, kind: str) -> dict[int, str]:
    """From where to where each shade reaches."""
    factor = 100 if kind == "share" else 1
    step = factor * (high - low) / len(SHADES)
    digits = decimals(0, 2 * step) if step else 2
    ends = [number(factor * low + step * place, digits) for place in range(len(SHADES) + 1)]
    return {shade: f"{ends[shade]} to {ends[shade + 1]}{'%' if kind == 'share' else ''}" for shade in shades}


def draw_heat(frame: pd.DataFrame, ax: Axes) -> None:
    """Coloured cells with their numbers and, where there is room, their intervals; the baseline framed."""
    columns, rows = 1 + int(frame["column"].max()), 1 + int(frame["row"].max())
    room = _inches(ax) / columns
    if room < NARROW_CELL:
        for shade, label in frame["scale"].iloc[0].items():
            ax.add_patch(Rectangle((0, 0), 0, 0, facecolor=SHADES[shade], label=label))
    for cell in words.lines_of(frame):
        corner = (cell.column - 0.5, cell.row - 0.5)
        patch = ax.add_patch(Rectangle(corner, 1, 1, facecolor=SHADES[cell.shade], edgecolor=PAPER, linewidth=0.8))
        mark(patch, point=cell.point)
        target(ax, (*corner, corner[0] + 1, corner[1] + 1), told(cell), cell.seats if frame["panel"].iloc[0] else "")
        _cell_text(cell, ax, room)
    _frame_baseline(frame, ax)
    if frame["panel"].iloc[0]:
        mark(ax, run=frame["seats"].iloc[0])
    ax.set_xlim(-0.5, columns - 0.5)
    ax.set_ylim(-0.5, rows - 0.5)
    across, down = (frame.drop_duplicates(place).sort_values(place) for place in ("column", "row"))
    ax.set_xticks(_some(across["column"], columns, room), [wrapped(t, ax, columns) for t in _some(across["across"], columns, room)])
    ax.set_yticks(list(down["row"]), [textwrap.fill(short(t, 3 * LABEL), LABEL) for t in down["down"]])
    ax.grid(visible=False)
    ax.spines["bottom"].set_visible(False)
    ax.set_title(frame["panel"].iloc[0], loc="left", fontweight="bold")
    legend(ax)


def _inches(ax: Axes) -> float:
    figure = ax.get_figure(root=True)
    return float(ax.get_position().width * figure.get_figwidth()) if figure else 0.0


def _some(values: pd.Series[Any], columns: int, room: float) -> list[Any]:
    """As many of the labels below the columns as do not touch each other, evenly spread."""
    every = max(1, math.ceil(NARROW_CELL / room)) if columns * room else 1
    return list(values)[::every]


def _cell_text(cell: words.Line, ax: Axes, room: float) -> None:
    if room < NARROW_CELL:
        return
    colour = INK if cell.shade < len(SHADES) // 2 else PAPER
    style = replace(CELL, more=0, dash=True)
    with_interval = room >= WIDE_CELL and known(cell)
    size = SIZE if room >= WIDE_CELL else SIZE - 2
    ax.text(cell.column, cell.row + (0.15 if with_interval else 0), figure(cell, style), ha="center", va="center", color=colour, size=size)
    if with_interval:
        ax.text(cell.column, cell.row - 0.22, interval(cell, style), ha="center", va="center", color=colour, size=SIZE - 2)


def _frame_baseline(frame: pd.DataFrame, ax: Axes) -> None:
    for cell in words.lines_of(frame[frame["baseline"]]):
        corner = (cell.column - 0.46, cell.row - 0.42)
        ax.add_patch(Rectangle(corner, 0.92, 0.84, facecolor="none", edgecolor=PAPER, linewidth=3.2))
        ax.add_patch(Rectangle(corner, 0.92, 0.84, facecolor="none", edgecolor=INK, linewidth=1.6, label=cell.baseline_name))


# ---------------------------------------------------------------- words
def line_words(sweep: Sweep, metric: Metric, table: pd.DataFrame) -> Words:
    """Around a line chart."""
    look_for = "Look for how steep it is, and for where it passes what you want."
    marked = f"The dashed line is at the rules {sweep.baseline_name}."
    notes = (f"The thin upright lines are 95% intervals, each for itself. {marked}", _playouts(table))
    unit = "percent of games" if metric.kind == "share" else metric.unit
    return Words(finding(sweep, metric), look_for, _alt(table), notes, sweep.plan.axes[0].key, unit)


def heat_words(sweep: Sweep, metric: Metric, table: pd.DataFrame) -> Words:
    """Around a heat map."""
    first, name = table.iloc[0], sweep.baseline_name
    unit = "Percent of games" if metric.kind == "share" else metric.unit.capitalize()
    framed = f"The framed cell is the rules {name}." if _has_baseline(sweep) else f"No cell is the rules {name}, {sweep.baselines[0].name}."
    look_for = "Look for cells of one colour: between those you can choose freely."
    notes = (f"{unit}; where there is room, with 95% intervals, each for itself. {framed}", _playouts(table))
    return Words(finding(sweep, metric), look_for, _alt(table), notes, first["across_key"], first["down_key"])


def _alt(table: pd.DataFrame) -> str:
    return f"{'; '.join(f'{line.run}: {in_words(line)}' for line in words.lines_of(table))}."


def _playouts(table: pd.DataFrame) -> str:
    return f"n = {ranged(table['n'], 'playout')} at each point, the same draws at all of them."
