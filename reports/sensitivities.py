"""The page of a sensitivity study: a tornado for each metric, and which constants could overturn a conclusion."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import pandas as pd

from reports.charts import Chart, legend, letters, short
from reports.frames import clean
from reports.study import StudyPage, StudyTable, write_study, write_study_pngs
from reports.style import CATEGORIES, GREY, INK, SIZE, SOLE
from reports.tables import save_frame
from reports.words import Line, Words, lines_of, number, plural
from simulator.rules import to_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from simulator.studies.interactions import Interactions
    from simulator.studies.sensitivity import Effect, Move, Overturned, Sensitivity

MOST_CONSTANTS = 10
"""A tornado shows as many constants, those with the largest effects."""

LINE = 0.2
"""Inches of a line in a tornado: a constant's name, or one of its moves."""

HUES = {"lowered": CATEGORIES[0], "raised": CATEGORIES[1], "another choice": SOLE, "not significant": GREY}
"""What a bar's colour says."""


def frame(effects: Sequence[Effect]) -> pd.DataFrame:
    """A line for each effect: the move, the metric, the difference with its interval, and how it was judged."""
    return pd.DataFrame([_line(e) for e in effects])


def _line(e: Effect) -> dict[str, Any]:
    move, metric, difference = e.move, e.metric, e.difference
    estimate = difference.estimate
    about = {"key": move.key, "from": to_text(move.start), "to": to_text(move.to), "source": move.source, "players": e.players}
    figures = {"best": estimate.best, "low": estimate.low, "high": estimate.high, "n": estimate.n}
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
    effects = [e for e in found.effects if e.metric.name == metric]
    size: dict[str, float] = {}
    for e in effects:
        size[e.move.key] = max(size.get(e.move.key, 0.0), abs(e.difference.estimate.best))
    shown = sorted(size, key=lambda key: -size[key])[:MOST_CONSTANTS]
    places, lines = _places(effects, shown)
    kept = [e for e in effects if e.move.key in shown]
    table = frame(kept).assign(
        panel=[f"{e.players} players" for e in kept],
        run=[f"{e.players} players" for e in kept],
        place=[places[e.move] for e in kept],
        heading=[f"{e.move.key} (now {mark(e.move.start)}; {e.move.source})" for e in kept],
        hue=[_hue(e) for e in kept],
        mark=[mark(e.move.to) for e in kept],
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


def mark(value: Any) -> str:
    """A value in short: in a list, what stands there several times in a row is counted.

    >>> mark(("clark", "clark", "clark", "wreath")), mark(False)
    ('3 \N{MULTIPLICATION SIGN} clark, wreath', 'false')
    """
    if not isinstance(value, list | tuple):
        return clean(to_text(value))
    runs = [(to_text(entry), len(list(same))) for entry, same in groupby(value)]
    return clean(", ".join(f"{count} \N{MULTIPLICATION SIGN} {entry}" if count > 1 else entry for entry, count in runs))


def _hue(e: Effect) -> str:
    start, to = e.move.start, e.move.to
    if not e.significant:
        return "not significant"
    if isinstance(start, bool) or not isinstance(start, int | float) or not isinstance(to, int | float):
        return "another choice"
    return "raised" if to > start else "lowered"


def charts(found: Sensitivity) -> list[Chart]:
    """A tornado for each metric."""
    drawn = []
    for metric in dict.fromkeys(e.metric.name for e in found.effects):
        table = tornado(found, metric)
        drawn.append(Chart(f"tornado-{metric}", table, _words(table), draw_tornado, 1, LINE * (int(table["lines"].iloc[0]) + 1)))
    return drawn


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
            ax.hlines(part["place"], part["low"], part["high"], colors=INK, linewidth=1.2)
    most = letters(ax)
    for line in lines_of(table):
        long = len(line.mark) > most // 8  # it stands on the other side of zero, where there is room
        right = (line.best >= 0) != long
        edge = 0.0 if long else max(line.high, 0.0) if right else min(line.low, 0.0)
        told: dict[str, Any] = {"textcoords": "offset points", "size": SIZE - 1.5, "va": "center"}
        ax.annotate(short(line.mark, int(0.6 * most)), (edge, line.place), (4 if right else -4, 0), ha="left" if right else "right", **told)
    for heading, place in table.groupby("heading", sort=False)["place"].min().items():
        ax.annotate(
            short(str(heading), most), (0, place - 1), xycoords=("axes fraction", "data"), va="center", size=SIZE, fontweight="bold"
        )
    ax.set_yticks([])
    ax.set_ylim(float(first["lines"]), -0.8)
    ax.set_xlim(-1.3 * reach, 1.3 * reach)
    ax.set_title(first["panel"], loc="left", fontweight="bold")
    legend(ax)


def _words(table: pd.DataFrame) -> Words:
    first, lines = table.iloc[0], lines_of(table)
    unit = unit_of(first)
    found = [line for line in lines if line.significant]
    title = f"{first['label']}: no constant moves it measurably"
    if found:
        most = max(found, key=lambda line: abs(line.best))
        title = f"{first['label']}: {most.key} moves it most, by {span(most)} {unit} at {most.mark} ({most.run})"
    alt = "; ".join(f"{line.run}, {line.key} to {line.to}: {span(line)}" for line in lines)
    least, top = int(table["n"].min()), int(table["n"].max())
    notes = [
        "The number or word at a bar is the value that the constant was moved to; the thin lines are 95% intervals of the difference.",
        "Grey: not told from nothing when all effects are judged together (Benjamini-Hochberg).",
        *[f"{plural(int(first['left_out']), 'constant')} with smaller effects left out."] * bool(first["left_out"]),
        f"n = {plural(least, 'playout')} of each." if least == top else f"n = {least:,} to {top:,} playouts of each.",
    ]
    return Words(title, "Look for the longest bars at the top.", f"{alt}.", tuple(notes), f"difference in {unit}", "")


def unit_of(line: Any) -> str:
    """What a difference is in."""
    return "percentage points" if line["kind"] == "share" else str(line["unit"])


def span(line: Line) -> str:
    """A difference's interval."""
    half = (line.high - line.low) / 2
    digits = 1 if half >= 0.1 else 2 if half >= 0.01 else 3  # noqa: PLR2004  as many as tell the ends apart
    return f"{number(line.low, digits)} to {number(line.high, digits)}"


# ---------------------------------------------------------------- the page


def page(found: Sensitivity, together: Sequence[Interactions] = (), command: str | None = None) -> StudyPage:
    """What the page of a sensitivity study says."""
    first = found.tables[0].baseline
    doubtful = [o for o in found.overturned if o.move.doubtful]
    sure = [o for o in found.overturned if not o.move.doubtful]
    finding = found.nothing_overturned
    drawn = charts(found)
    if doubtful:
        keys = list(dict.fromkeys(o.move.key for o in doubtful))
        finding = f"{plural(len(keys), 'constant')} that nobody is sure of could overturn a conclusion: {', '.join(keys)}."
    sentences = [f"In doubt: {_overturned(o)}" for o in doubtful] + [f"Of the rulebook, moved by one step: {_overturned(o)}" for o in sure]
    sentences += [f"{chart.words.title}." for chart in drawn]
    if found.without_effect:
        sentences.append(f"Nothing measurable, whichever way it was moved: {', '.join(found.without_effect)}.")
    sentences += [f"Numbers moved together, {one.players} players. {one.finding}" for one in together]
    seats = ", ".join(dict.fromkeys(p.label for p in first.lineup))
    facts = [("Strategy", seats), ("Seed", str(first.seed))]
    facts += [(f"Playouts, {t.players} players", f"{t.playouts:,}") for t in found.tables]
    tables = (_effects_table(found), *(_indices_table(one) for one in together), *_left_out_table(found))
    return StudyPage(
        first.game,
        "Sensitivity to the rules' constants",
        finding,
        tuple(sentences),
        _warnings(found),
        tuple(drawn),
        tables,
        first.rules,
        tuple(facts),
        command,
    )


def _overturned(o: Overturned) -> str:
    move = f"{o.move.key} from {clean(to_text(o.move.start))} to {clean(to_text(o.move.to))}"
    return f"{move}, {o.players} players: {o.instead}; as it is, {o.conclusion}."


def _warnings(found: Sensitivity) -> tuple[str, ...]:
    told = [f"The run with {t.players} players was interrupted." for t in found.tables if t.interrupted]
    told += [f"With {t.players} players not every difference is as precise as was asked for." for t in found.tables if t.precise is False]
    if found.unjudged:
        told.append(f"Assumed, and not moved, since there is no range: {', '.join(found.unjudged)}. A conclusion may hang on them.")
    return tuple(told)


def _effects_table(found: Sensitivity) -> StudyTable:
    kind = "confidence sequences" if found.sequential else "intervals"
    return StudyTable(
        "All effects",
        f"An effect is moved less unmoved, by pairs of playouts on the same draws, with 95% {kind}; shares in percentage points."
        " Found: whether it remains when all are judged together (Benjamini-Hochberg, at most 5% false discoveries).",
        ("Metric", "Players", "Constant", "From", "To", "Source", "Effect", "Interval", "Found"),
        tuple(_row(line) for line in frame(found.effects).to_dict("records")),
        frozenset({1, 6, 7}),
    )


def _row(line: dict[Any, Any]) -> tuple[str, ...]:
    factor, digits = (100, 2) if line["kind"] == "share" else (1, 3)
    best, low, high = (number(factor * line[end], digits) for end in ("best", "low", "high"))
    about = (line["label"], str(line["players"]), line["key"], line["from"], line["to"], line["source"])
    return (*about, best, f"{low} to {high}", "yes" if line["significant"] else "no")


def _indices_table(one: Interactions) -> StudyTable:
    rows = tuple(
        (i.key, i.range_text, *(f"{number(100 * x, 1)}%" for x in (i.first, i.first_reach, i.total, i.total_reach))) for i in one.indices
    )
    return StudyTable(
        f"Numbers moved together, {one.players} players",
        f"Sobol's indices: which share of the variance in '{one.metric.label}' goes with a constant alone, and which with it and"
        " its interactions. The dummy changes nothing but the luck, so that its share is what noise alone looks like.",
        ("Constant", "Range", "Alone", "+/-", "With others", "+/-"),
        rows,
        frozenset({2, 3, 4, 5}),
    )


def _left_out_table(found: Sensitivity) -> list[StudyTable]:
    rows = tuple((one.key, "" if one.to is None else to_text(one.to), one.source, one.reason) for one in found.left_out)
    return [StudyTable("Left out", "", ("Constant", "Value", "Source", "Why"), rows)] if rows else []


def write_page(path: str | Path, found: Sensitivity, together: Sequence[Interactions] = (), command: str | None = None) -> Path:
    """Write the page of a sensitivity study, whole or not at all.

    Raises:
        UserError: the file cannot be written.
    """
    return write_study(path, page(found, together, command))


def write_pngs(folder: str | Path, found: Sensitivity, together: Sequence[Interactions] = ()) -> list[Path]:
    """Write the tornados as PNG files.

    Raises:
        UserError: a file cannot be written.
    """
    return write_study_pngs(folder, page(found, together))


def save_table(path: str | Path, found: Sensitivity) -> Path:
    """Save all effects as .csv or .parquet.

    Raises:
        UserError: the ending is another, pyarrow is missing, or the file cannot be written.
    """
    return save_frame(path, frame(found.effects))
