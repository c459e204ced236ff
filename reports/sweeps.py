"""Sweeps as tables, charts and a page: what happens as rule constants run through values."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from reports import words
from reports.charts import Chart, legend, mark, percent_axis, short, target, told, wrapped
from reports.frames import seats_text, strategies_text
from reports.style import INK, PAPER, SHADES, SIZE, ordered
from reports.words import Words
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Dial, Document, Slider, Stop
from simulator.document.figures import CELL, SIGNED_CELL, decimals, figure, in_words, interval, known, number, percent
from simulator.document.language import clean, plural, ranged
from simulator.rules import to_text
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.stats.verdicts import holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from simulator.game import Metric
    from simulator.studies.sweep import Point, Sweep

FRAME_COLUMNS = ("game", "players", "strategies", "seed", "baseline", "metric", "label", "unit", "kind")
FIGURE_COLUMNS = ("best", "low", "high", "n", "difference", "difference_low", "difference_high", "playouts_saved")

MOST_CELLS = 1_600
"""A heat map of more cells than this is left out: nobody could tell them apart."""

WIDE_CELL, NARROW_CELL = 0.68, 0.38
"""Inches that a cell needs to hold an interval, and to hold the number alone."""

ROW = 0.42
"""Inches: height of a row of a heat map."""

MOST_STOPS = 200
"""A slider runs through as many points; more would make the page heavy."""

MOST_LETTERS = 50
"""A constant with its value is cut to this length in a sentence."""

LABEL = 8
"""Letters of a row's label on one line, beside a heat map."""

DASHED: Any = (0, (3, 2))


# ---------------------------------------------------------------- tables
def frame(sweep: Sweep) -> pd.DataFrame:
    """Every metric at every point, a line for each, with the difference from the baseline by pairs of playouts.

    The varied constants have a column each, named by their keys. `baseline` is whether the point's rules are those of the
    baseline, which is listed even where it is no point of the grid. `playouts_saved` is how many times fewer playouts the
    pairs needed than independent runs; not a number where nothing varied.
    """
    lines = [_line(point, metric) for point in sweep.lines for metric in point.metrics]
    keys = [_column(axis.key) for axis in sweep.axes]
    table = pd.DataFrame(lines, columns=[*FRAME_COLUMNS[:5], *keys, *FRAME_COLUMNS[5:], *FIGURE_COLUMNS])
    for key in keys:  # numbers stay numbers, all else is written as it is set
        if not table[key].map(_is_number).all():
            table[key] = table[key].map(to_text)
    return table.infer_objects()


def _column(key: str) -> str:
    """The key, unless a column has that name already."""
    return f"rule {key}" if key in {*FRAME_COLUMNS, *FIGURE_COLUMNS} else key


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _line(point: Point, metric: Metric) -> dict[str, Any]:
    experiment, found = point.result.experiment, point.comparisons.get(metric.name)
    estimate, difference = point.result.estimates[metric.name], point.differences[metric.name]
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
        "best": estimate.best,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "difference": difference.best,
        "difference_low": difference.low,
        "difference_high": difference.high,
        "playouts_saved": math.nan if found is None or found.variance_ratio is None else found.variance_ratio,
    }


# ---------------------------------------------------------------- charts
def charts(sweep: Sweep, metrics: Sequence[Metric], table: pd.DataFrame) -> Iterator[Chart]:
    """A line chart for each metric where one constant varies, a heat map where two do; none for more.

    Args:
        sweep: what was found.
        metrics: which to draw.
        table: `frame(sweep)`.
    """
    for metric in metrics:
        part = table[table["metric"] == metric.name].reset_index(drop=True)
        if len(sweep.axes) == 1:
            drawn = line_frame(sweep, part)
            yield Chart(f"sweep-{metric.name}", drawn, line_words(sweep, drawn), draw_line, 1, 2.7)
        elif len(sweep.axes) == 2 and len(sweep.points) <= MOST_CELLS:  # noqa: PLR2004  a plane has two
            drawn = heat_frame(sweep, part if _has_baseline(sweep) else part[~part["baseline"]])
            rows = 1 + int(drawn["row"].max())
            columns = 2 if drawn["column"].max() < 3 else 1  # noqa: PLR2004  few cells leave room for two panels
            yield Chart(f"sweep-{metric.name}", drawn, heat_words(sweep, drawn), draw_heat, columns, max(1.0, ROW * rows))


def _has_baseline(sweep: Sweep) -> bool:
    """Whether the baseline is a point of the grid."""
    return any(point.is_baseline for point in sweep.points)


def _named(sweep: Sweep, table: pd.DataFrame) -> pd.DataFrame:
    """With `run`, the name of a point, and `seats`, the number of players in words."""
    keys = [_column(axis.key) for axis in sweep.axes]
    texts = [[f"{key} {_text(value)}" for key, value in zip(keys, line, strict=True)] for line in table[keys].itertuples(index=False)]
    points = [", ".join(short(text, MOST_LETTERS) for text in line) for line in texts]
    seats = table["players"].map(lambda n: plural(int(n), "player"))
    several = table["players"].nunique() > 1
    return table.assign(
        run=[f"{p} and {s}" if several else p for p, s in zip(points, seats, strict=True)],
        seats=seats,
        point=[", ".join(line) for line in texts],
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else to_text(value.item() if hasattr(value, "item") else value)


def line_frame(sweep: Sweep, table: pd.DataFrame) -> pd.DataFrame:
    """One metric against one constant: `x` is where a point stands, `tick` what is written there.

    `numeric` is whether x is the value itself; else x is its place in the grid.
    """
    key = _column(sweep.axes[0].key)
    numeric = bool(table[key].map(_is_number).all())
    places = {text: place for place, text in enumerate(dict.fromkeys(map(_text, table[key])))}
    x = table[key].astype(float) if numeric else table[key].map(lambda value: float(places[_text(value)]))
    ordered_table = _named(sweep, table).assign(panel="", numeric=numeric, x=x, tick=table[key].map(_text))
    return ordered_table.assign(baseline_name=sweep.baseline_name).sort_values(["players", "x"], kind="stable")


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
    keys = [_column(axis.key) for axis in sweep.axes]
    longest = [max(len(_text(value)) for value in table[key]) for key in keys]
    across, down = keys if longest[0] >= longest[1] else reversed(keys)
    texts = {key: table[key].map(_text) for key in keys}
    places = {key: {text: place for place, text in enumerate(_in_order(table[key]))} for key in keys}
    low, high = table["best"].min(), table["best"].max()
    shades = [_shade(best, low, high) for best in table["best"]]
    scale: list[Any] = [_scale(sorted(set(shades)), low, high, table["kind"].iloc[0])] * len(table)
    named = _named(sweep, table)
    return named.assign(
        panel=named["seats"] if named["players"].nunique() > 1 else "",
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
    return [_text(value) for value in (sorted(listed) if all(map(_is_number, listed)) else listed)]


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
def finding(table: pd.DataFrame) -> str:
    """Where a metric is lowest and where it is highest, of one metric's lines with `run`."""
    lines = words.lines_of(table)
    low, high = min(lines, key=lambda line: line.best), max(lines, key=lambda line: line.best)
    if low.high < high.low:
        return f"{low.label}: lowest at {low.run} with {in_words(low)}, highest at {high.run} with {interval(high)}"
    return f"{low.label}: {in_words(words.hull(lines))} at every point; the intervals of the lowest and the highest overlap"


def line_words(sweep: Sweep, table: pd.DataFrame) -> Words:
    """Around a line chart."""
    share = table["kind"].iloc[0] == "share"
    look_for = "Look for how steep it is, and for where it passes what you want."
    marked = f"The dashed line is at the rules {sweep.baseline_name}."
    notes = (f"The thin upright lines are 95% intervals, each for itself. {marked}", _playouts(table))
    return Words(finding(table), look_for, _alt(table), notes, sweep.axes[0].key, "percent of games" if share else table["unit"].iloc[0])


def heat_words(sweep: Sweep, table: pd.DataFrame) -> Words:
    """Around a heat map."""
    first = table.iloc[0]
    unit = "Percent of games" if first["kind"] == "share" else str(first["unit"]).capitalize()
    name = sweep.baseline_name
    framed = f"The framed cell is the rules {name}." if _has_baseline(sweep) else f"No cell is the rules {name}, {sweep.baselines[0].name}."
    look_for = "Look for cells of one colour: between those you can choose freely."
    notes = (
        f"{unit}; where there is room, with 95% intervals, each for itself. {framed}",
        _playouts(table),
    )
    return Words(finding(table), look_for, _alt(table), notes, first["across_key"], first["down_key"])


def _alt(table: pd.DataFrame) -> str:
    return f"{'; '.join(f'{line.run}: {in_words(line)}' for line in words.lines_of(table))}."


def _playouts(table: pd.DataFrame) -> str:
    return f"n = {ranged(table['n'], 'playout')} at each point, the same draws at all of them."


# ---------------------------------------------------------------- the page
def page(sweep: Sweep, metrics: Sequence[Metric], command: str | None = None) -> Document:
    """The page about a sweep.

    Args:
        sweep: what was found.
        metrics: which to show.
        command: the command line that made it, if one did.
    """
    every = frame(sweep)
    named = _named(sweep, every)
    findings = [finding(named[named["metric"] == m.name]) for m in metrics]
    drawn = tuple(charts(sweep, metrics, every))
    tables = tuple(table(sweep, m, every) for m in metrics)
    note = (
        f"Differences are from the rules {sweep.baseline_name}, by pairs of playouts; below each figure stands its 95% interval."
        " Playouts saved: how many times fewer the pairs needed than independent runs."
    )
    return Document(
        game=sweep.game,
        kind="Sweep over rules",
        finding=f"{findings[0]}.",
        sentences=(*_sentences(sweep, metrics, findings), *_played(sweep)),
        warnings=_warnings(sweep, charted=bool(drawn)),
        charts=(),
        tables=(),
        rules=sweep.baselines[0].result.experiment.rules,
        facts=_facts(sweep),
        command=command,
        chapters=(
            Chapter("along-the-range", "What happens along the range", LOOK_FOR, charts=drawn),
            Chapter("numbers", "The numbers", "Look at the intervals before the differences.", tables=tables, notes=(note,)),
        ),
        runs=tuple(dict.fromkeys(named["seats"])),
        slider=slider(sweep, metrics, named),
    )


LOOK_FOR = "Look for where the game passes what you want, and for how steep it is there: the steeper, the more the exact value matters."


def slider(sweep: Sweep, metrics: Sequence[Metric], named: pd.DataFrame) -> Slider | None:
    """The points, to be looked at one by one; none if there is one only, or if there are too many.

    Args:
        sweep: what was found.
        metrics: which to show.
        named: `frame(sweep)` with names.
    """
    dials = tuple(Dial(axis.key, tuple(dict.fromkeys(map(_text, axis.values)))) for axis in sweep.axes)
    shown = named[named["metric"].isin([m.name for m in metrics])]
    stops = []
    for name, part in shown.groupby("point", sort=False):
        texts = [_text(part[_column(axis.key)].iloc[0]) for axis in sweep.axes]
        if all(text in dial.values for dial, text in zip(dials, texts, strict=True)):  # the baseline need not be on the grid
            at = tuple(dial.values.index(text) for dial, text in zip(dials, texts, strict=True))
            stops.append(Stop(at, str(name), _stop_table(sweep, str(name), part)))
    if not 1 < len(stops) <= MOST_STOPS:
        return None
    base = set(named.loc[named["baseline"], "point"])
    return Slider(dials, tuple(stops), next((stop.at for stop in stops if stop.name in base), stops[0].at))


def _stop_table(sweep: Sweep, name: str, part: pd.DataFrame) -> Table:
    """The figures of a point: a row for each metric, a column for each number of players; of a single one the difference as well."""
    seats = list(dict.fromkeys(part["seats"]))
    if len(sweep.baselines) == 1:
        lines = part.to_dict("records")
        rows = tuple((_metric_cell(line), *_figure_cells(sweep, line, several=False)) for line in lines)
        return Table(name, "", ("What", "Estimate", f"Difference from {sweep.baseline_name}"), rows, frozenset({1, 2}))
    found = {(line["metric"], line["seats"]): line for line in part.to_dict("records")}
    rows = tuple(
        (_metric_cell(same.iloc[0]), *(Cell.of(found.get((metric, s)) and _estimate(found[metric, s])) for s in seats))
        for metric, same in part.groupby("metric", sort=False)
    )
    return Table(name, "", ("What", *seats), rows, frozenset(range(1, 1 + len(seats))), runs=("", *seats))


def _metric_cell(line: Any) -> Cell:
    return Cell(line["label"], str(line["unit"]) if line["kind"] != "share" else "")


def differing(sweep: Sweep, metric: Metric) -> str:
    """At how many points a metric differs from the baseline, judged together by Holm's procedure."""
    others = [p for p in sweep.points if metric.name in p.comparisons]
    if not others:
        return f"There is no point but the rules {sweep.baseline_name}."
    found = sum(p <= 1 - CONFIDENCE for p in holm([p.comparisons[metric.name].p_value for p in others]))
    points = plural(len(others), "other point")
    return f"{found} of {points} differ{'s' if len(others) == 1 else ''} from the rules {sweep.baseline_name}, all judged together (Holm)."


def _sentences(sweep: Sweep, metrics: Sequence[Metric], findings: Sequence[str]) -> list[str]:
    """A sentence or two for each metric; the page opens with the finding of the first."""
    told = [f"{clean(metrics[0].label)}: ", *(f"{found}. " for found in findings[1:])]
    return [f"{before}{differing(sweep, metric)}" for before, metric in zip(told, metrics, strict=True)]


def _played(sweep: Sweep) -> list[str]:
    seats = dict.fromkeys(clean(seats_text(p.result)) for p in sweep.baselines)
    told = [f"Every seat is played by {text}." if ", " not in text else f"Seats are played by {text}." for text in seats]
    return [*told, f"The baseline is the rules {sweep.baseline_name}: {sweep.baselines[0].name}."]


def _warnings(sweep: Sweep, *, charted: bool) -> tuple[str, ...]:
    told: list[str] = []
    if sweep.interrupted:
        told.append(f"The sweep was interrupted: {len(sweep.points):,} of {plural(sweep.planned, 'point')} are shown.")
    unfinished = [p for p in sweep.points if p.result.unfinished]
    if found := sweep.remarks:
        told += map(clean, found)
    elif unfinished:
        worst = max(unfinished, key=lambda p: p.result.unfinished / p.result.games)
        share = percent(worst.result.unfinished / worst.result.games)
        told.append(
            f"The turn cap ended some games unfinished at {plural(len(unfinished), 'point')}, at most {share} of them ({worst.name})."
        )
    if not charted:
        told.append("There are too many constants or too many values for a chart; the tables have all points.")
    return (*told, *dict.fromkeys(note for p in sweep.points for note in p.result.experiment.rules.notes()))


def table(sweep: Sweep, metric: Metric, every: pd.DataFrame) -> Table:
    """One metric at every point, from `frame(sweep)`."""
    several = len(sweep.baselines) > 1
    gap = "Difference, points" if metric.kind == "share" else f"Difference, {metric.unit}"
    keys = [axis.key for axis in sweep.axes]
    columns = (*keys, *["Players"] * several, "Estimate", gap, "Playouts saved")
    lines = every[every["metric"] == metric.name].to_dict("records")
    rows = tuple((*_settings(sweep, line), *_figure_cells(sweep, line, several=several), _saved(line)) for line in lines)
    numeric = {place for place, key in enumerate(keys) if all(_is_number(line[_column(key)]) for line in lines)}
    runs = tuple(plural(line["players"], "player") for line in lines) if several else ()
    return Table(clean(metric.label), "", columns, rows, frozenset({*numeric, *range(len(keys), len(columns))}), rows_of=runs)


def _settings(sweep: Sweep, line: dict[Any, Any]) -> list[str]:
    return [_text(line[_column(axis.key)]) for axis in sweep.axes]


def _saved(line: dict[Any, Any]) -> str:
    return "" if line["baseline"] or math.isnan(line["playouts_saved"]) else f"{line['playouts_saved']:.1f} times"


def _figure_cells(sweep: Sweep, line: dict[Any, Any], *, several: bool) -> tuple[str | Cell, ...]:
    """Players if several, estimate and difference, with their intervals."""
    players = [str(line["players"])] * several
    if line["baseline"]:
        return (*players, Cell.of(_estimate(line)), sweep.baseline_name)
    gap = _estimate(line, "difference", "difference_low", "difference_high")
    return (*players, Cell.of(_estimate(line)), Cell.of(gap, SIGNED_CELL))


def _estimate(line: dict[Any, Any], *names: str) -> Estimate:
    best, low, high = (line[name] for name in names or ("best", "low", "high"))
    return Estimate(best, low, high, line["n"], line["kind"])


def _facts(sweep: Sweep) -> tuple[tuple[str, str], ...]:
    return (
        ("Points", f"{len(sweep.points):,}"),
        ("Playouts of each", f"{sweep.asked:,}"),
        ("Strategies", "; ".join(dict.fromkeys(clean(seats_text(p.result)) for p in sweep.baselines))),
        ("Seed", str(sweep.baselines[0].result.experiment.seed)),
        ("Digest", sweep.digest),
        ("Elapsed", f"{sweep.elapsed_s:.1f} s"),
    )
