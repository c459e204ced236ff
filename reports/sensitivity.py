"""What moving a rule's constants does, as charts and as a frame: a tornado for each metric, and Sobol's indices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import across
from reports.charts import DASHED, Chart, legend, letters, target
from reports.style import CATEGORIES, GREY, INK, ORDERED, PAPER, SIZE, SOLE
from reports.words import Line, Words, lines_of
from simulator.document.figures import GAP, TEXT, between, number
from simulator.document.language import plural, ranged, short
from simulator.rules import to_text
from simulator.studies.effect_tables import INDEX
from simulator.studies.effects import Sensitivity
from simulator.studies.interactions import DUMMY
from simulator.studies.sensitive_across import SensitivityAcross
from simulator.studies.sensitivity import digits_of, moves_most, unit_of, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from simulator.game import Metric
    from simulator.studies.effects import Effect
    from simulator.studies.interactions import Interactions
    from simulator.studies.moves import Move
    from simulator.studies.sensitivity import Result

MOST_CONSTANTS = 10
"""A tornado shows as many constants, those with the largest effects."""

BAR = 0.56
"""Inches of a constant's name and two bars in the chart of Sobol's indices."""

LINE = 0.2
"""Inches of a line in a tornado: a constant's name, or one of its moves."""

HUES = {"constant lowered": CATEGORIES[0], "constant raised": CATEGORIES[1], "another choice": SOLE, "not significant": GREY}
"""What a bar's colour says."""


def frame(parts: Sequence[Result]) -> pd.DataFrame:
    """A line for each effect: the move, the metric, the difference with its interval, and how it was judged.

    Where several strategies were asked, each stands in front.
    """
    part = parts[0]
    if isinstance(part, SensitivityAcross):
        return across.with_strategies((strategy, _frame(one.effects)) for strategy, one in part.found)
    return _frame(part.effects) if isinstance(part, Sensitivity) else pd.DataFrame()


def _frame(effects: Sequence[Effect]) -> pd.DataFrame:
    return pd.DataFrame([_line(e) for e in effects])


def _line(e: Effect) -> dict[str, Any]:
    move, metric, difference = e.move, e.metric, e.difference
    estimate = difference.estimate
    about = {"key": move.key, "from": to_text(move.start), "to": to_text(move.to), "source": move.source, "players": e.players}
    figures = {end: math.nan if e.hidden else getattr(estimate, end) for end in ("best", "low", "high")} | {"n": estimate.n}
    told = {"metric": metric.name, "label": metric.label, "unit": metric.unit, "kind": metric.kind}
    judged = {
        "p_value": difference.p_value,
        "adjusted": e.adjusted,
        "significant": e.significant,
        "playouts_saved": difference.variance_ratio,
    }
    return {**about, **told, **figures, **judged}


def tornado(found: Sensitivity, metric: str) -> pd.DataFrame:
    """What a tornado draws: a line for each move of the constants with the largest effects on a metric, and a panel for each table.

    Besides the columns of `frame`: `panel`, `place` (the line's height, counted from the top), `heading` (the constant, above
    the first of its moves), `hue` (one of HUES), `mark` (the value moved to, in short), `reach` (the largest end of an
    interval in the chart) and `lines` (all lines).
    Shares are in percentage points.
    """
    effects = [e for e in found.effects if e.metric.name == metric and not e.hidden]
    size: dict[str, float] = {}
    for e in effects:
        size[e.move.key] = max(size.get(e.move.key, 0.0), abs(e.difference.estimate.best))
    shown = sorted(size, key=lambda key: -size[key])[:MOST_CONSTANTS]
    places, lines = _places(effects, shown)
    kept = [e for e in effects if e.move.key in shown]
    table = _frame(kept).assign(
        panel=[plural(e.players, "player") for e in kept],
        run=[plural(e.players, "player") for e in kept],
        place=[places[e.move] for e in kept],
        heading=[f"{e.move.key} (now {value_text(e.move.start)}; {e.move.source})" for e in kept],
        hue=[_hue(e) for e in kept],
        mark=[value_text(e.move.to) for e in kept],
        left_out=len(size) - len(shown),
    )
    scale = 100 if kept and kept[0].metric.kind == "share" else 1
    for end in ("best", "low", "high"):
        table[end] *= scale
    return table.assign(reach=float(table[["low", "high"]].abs().to_numpy().max()), lines=lines)


def _places(effects: Sequence[Effect], shown: Sequence[str]) -> tuple[dict[Move, int], int]:
    """The line of each move, below a line with its constant's name, and how many lines there are."""
    places: dict[Move, int] = {}
    line = 0
    for key in shown:
        line += 1
        for move in dict.fromkeys(e.move for e in effects if e.move.key == key):
            places[move] = line
            line += 1
    return places, line


def _hue(e: Effect) -> str:
    start, to = e.move.start, e.move.to
    if not e.significant:
        return "not significant"
    if isinstance(start, bool) or not isinstance(start, int | float) or not isinstance(to, int | float):
        return "another choice"
    return "constant raised" if to > start else "constant lowered"


def charts(parts: Sequence[Result]) -> list[Chart]:
    """A tornado for each metric, and the indices of numbers that were moved together; or the differences under every strategy."""
    part = parts[0]
    if isinstance(part, SensitivityAcross):
        return across.charts(part.asked, sequential=part.found[0][1].sequential)
    if not isinstance(part, Sensitivity):
        return []
    drawn = [tornado_chart(part, metric) for metric in dict.fromkeys(e.metric for e in part.effects if not e.hidden)]
    return [*drawn, indices_chart(part.together)] if part.together else drawn


def tornado_chart(found: Sensitivity, metric: Metric) -> Chart:
    """The effects on a metric."""
    table = tornado(found, metric.name)
    words = _words(table, moves_most(found, metric), unit_of(metric))
    return Chart(f"tornado-{metric.name}", table, words, draw_tornado, 1, LINE * (int(table["lines"].iloc[0]) + 1))


def draw_tornado(table: pd.DataFrame, ax: Axes) -> None:
    """Bars from zero with intervals as thin lines; above them the constant, at their ends the value it was moved to."""
    first, reach = table.iloc[0], float(table["reach"].iloc[0]) or 1.0
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    for hue, colour in HUES.items():
        part = table[table["hue"] == hue]
        if len(part):
            ax.barh(part["place"], part["best"], 0.72, color=colour, label=hue)
            _intervals(ax, part["place"], part)
    for line in lines_of(table):
        ends = sorted((0.0, line.best, line.low, line.high))
        target(ax, (ends[0], line.place - 0.4, ends[-1], line.place + 0.4), _told(line), line.run)
    most = letters(ax)
    for line in lines_of(table):
        long = len(line.mark) > most // 8  # it stands on the other side of zero, where there is room
        right = (line.best >= 0) != long
        edge = 0.0 if long else max(line.high, 0.0) if right else min(line.low, 0.0)
        told: dict[str, Any] = {"textcoords": "offset points", "size": SIZE - 1.5, "va": "center"}
        ax.annotate(short(line.mark, int(0.6 * most)), (edge, line.place), (4 if right else -4, 0), ha="left" if right else "right", **told)
    for heading, place in table.groupby("heading", sort=False)["place"].min().items():
        _heading(ax, str(heading), place - 1)
    ax.set_yticks([])
    ax.set_ylim(float(first["lines"]), -0.8)
    ax.set_xlim(-1.3 * reach, 1.3 * reach)
    ax.set_title(first["panel"], loc="left", fontweight="bold")
    legend(ax)


def _heading(ax: Axes, text: str, place: float) -> None:
    """Whose bars stand below; no line of the chart crosses it."""
    ground = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}
    told: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "va": "center", "size": SIZE, "fontweight": "bold", "bbox": ground}
    ax.annotate(short(text, letters(ax)), (0, place), **told)


def _intervals(ax: Axes, places: pd.Series[Any], table: pd.DataFrame) -> None:
    """Thin lines over bars, with a rim that tells them from the bars on any ground."""
    ax.hlines(places, table["low"], table["high"], colors=PAPER, linewidth=3, zorder=1.5)
    ax.hlines(places, table["low"], table["high"], colors=INK, linewidth=1.2, zorder=1.6)


def _told(line: Line) -> str:
    """What is told where an effect is pointed at."""
    judged = "" if line.significant else ", not told from nothing"
    unit = "percentage points" if line.kind == "share" else line.unit
    best = number(line.best, digits_of(line.high - line.low))
    return f"{line.key} to {line.mark}, {line.run}: {best} ({_span(line)} {unit}){judged}; n = {int(line.n):,}"


def _span(line: Line) -> str:
    """An effect's interval, whose ends are in percentage points already."""
    return between(line.low, line.high, GAP.with_digits(digits_of(line.high - line.low)))


def _words(table: pd.DataFrame, title: str, unit: str) -> Words:
    first = table.iloc[0]
    alt = "; ".join(f"{line.run}, {line.key} to {line.to}: {_span(line)}" for line in lines_of(table))
    notes = [
        "The number or word at a bar is the value that the constant was moved to; the thin lines are 95% intervals of the difference.",
        "Grey: not told from nothing when all effects are judged together (Benjamini-Hochberg).",
        *[f"{plural(int(first['left_out']), 'constant')} with smaller effects left out."] * bool(first["left_out"]),
        f"n = {ranged(table['n'], 'playout')} of each.",
    ]
    return Words(title, "Look for the longest bars at the top.", f"{alt}.", tuple(notes), f"difference in {unit}", "")


# ---------------------------------------------------------------- numbers moved together


def indices_frame(together: Sequence[Interactions]) -> pd.DataFrame:
    """Sobol's indices of the constants with the largest totals and of the dummy, a line for each of either kind.

    Columns panel, run, key, kind ("alone", "with others"), best, low, high, place (counted from the top), floor (what noise
    alone may look like), n (playouts behind them) and left_out.
    """
    return pd.DataFrame([line for one in together for line in _index_lines(one)])


def _index_lines(one: Interactions) -> Iterator[dict[str, Any]]:
    dummy = [index for index in one.indices if index.key == DUMMY]
    shown = [index for index in one.indices if index.key != DUMMY][:MOST_CONSTANTS]
    about = {"panel": plural(one.players, "player"), "run": plural(one.players, "player"), "floor": one.floor, "n": one.points * one.games}
    left_out = len(one.indices) - len(shown) - len(dummy)
    for place, index in enumerate((*shown, *dummy)):
        for kind, share in zip(("alone", "with others"), index.shares.values(), strict=True):
            figures = {"best": share.best, "low": share.low, "high": share.high}
            yield {**about, "key": index.key, "kind": kind, **figures, "place": place, "label": one.metric.label, "left_out": left_out}


def indices_chart(together: Sequence[Interactions]) -> Chart:
    """The chart of Sobol's indices, a panel for each number of players."""
    table = indices_frame(together)
    return Chart("sobol", table, _indices_words(table), draw_indices, 1, BAR * (int(table["place"].max()) + 1) + 0.1)


def draw_indices(table: pd.DataFrame, ax: Axes) -> None:
    """Two bars from zero for each constant, with intervals as thin lines; what noise alone may look like as a dashed line."""
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    for kind, shift, colour in (("alone", 0.02, ORDERED[1]), ("with others", 0.3, ORDERED[5])):
        part = table[table["kind"] == kind]
        ax.barh(part["place"] + shift, part["best"], 0.27, color=colour, label=kind)
        _intervals(ax, part["place"] + shift, part)
        for line in lines_of(part):
            ends = sorted((0.0, line.low, line.high))
            target(ax, (ends[0], line.place + shift - 0.13, ends[-1], line.place + shift + 0.13), _index_told(line), line.run)
    ax.axvline(0, color=INK, linewidth=0.8)
    if table["floor"].iloc[0] > 0:
        ax.axvline(table["floor"].iloc[0], color=INK, linewidth=1.0, linestyle=DASHED, label="luck alone may reach this")
    for line in lines_of(table.drop_duplicates("place")):
        _heading(ax, line.key, line.place - 0.3)
    ax.set_yticks([])
    ax.set_ylim(float(table["place"].max()) + 0.6, -0.6)
    ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda share, _position: f"{100 * share:.6g}%"))
    ax.set_title(table["panel"].iloc[0], loc="left", fontweight="bold")
    legend(ax)


def _index_told(line: Line) -> str:
    ends = between(100 * line.low, 100 * line.high, INDEX)
    return f"{line.key}, {line.kind}, {line.run}: {number(100 * line.best, 1)}% of the variance ({ends})"


def _indices_words(table: pd.DataFrame) -> Words:
    first, lines = table.iloc[0], [line for line in lines_of(table) if line.kind == "with others" and line.key != DUMMY]
    clear = [line for line in lines if line.low > line.floor]
    title = f"{first['label']}: no constant stands out of the noise when all are moved together"
    if clear:
        most = max(clear, key=lambda line: line.best)
        share = f"{between(100 * most.low, 100 * most.high, TEXT.with_digits(1))} percent"
        title = f"{first['label']}: {share} of its variance goes with {most.key} ({most.run})"
    notes = [
        "The thin lines are 95% intervals. What constants do together counts for each, so that dark bars may sum to more than one.",
        *[f"{plural(int(first['left_out']), 'constant')} with smaller shares left out."] * bool(first["left_out"]),
        f"n = {plural(int(first['n']), 'playout')}.",
    ]
    look_for = "Look for dark bars that end to the right of the dashed line, thin line and all."
    return Words(title, look_for, f"{'; '.join(map(_index_told, lines_of(table)))}.", tuple(notes), "share of the variance", "")
