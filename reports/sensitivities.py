"""The page of a sensitivity study: a tornado for each metric, and which constants could overturn a conclusion."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.charts import Chart, legend, letters, target
from reports.style import CATEGORIES, GREY, INK, ORDERED, PAPER, SIZE, SOLE
from reports.words import Line, Words, lines_of
from simulator.document.chapters import RULES_THAT_MATTER, Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import CELL, GAP, GAP_CELL, TEXT, between, number
from simulator.document.language import clean, plural, ranged, short
from simulator.rules import Named, brief_text, to_text
from simulator.stats.estimate import Estimate
from simulator.stats.unfinished import unfinished_of
from simulator.studies.conclusions import by_conclusion
from simulator.studies.interactions import DUMMY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from simulator.studies.conclusions import Overturned
    from simulator.studies.effects import Effect, Sensitivity
    from simulator.studies.interactions import Interactions
    from simulator.studies.moves import Move

INDEX = replace(CELL, digits=1, once=False)
"""How a share of the variance is written."""

MOST_CONSTANTS = 10
"""A tornado shows as many constants, those with the largest effects."""

MOST_MOVES = 3
"""A sentence names as many moves that overturn a conclusion, those with the largest effects."""

BAR = 0.56
"""Inches of a constant's name and two bars in the chart of Sobol's indices."""

LINE = 0.2
"""Inches of a line in a tornado: a constant's name, or one of its moves."""

HUES = {"constant lowered": CATEGORIES[0], "constant raised": CATEGORIES[1], "another choice": SOLE, "not significant": GREY}
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


def value_text(value: Any) -> str:
    """A value in short: in a list, what stands there several times in a row is counted, and lists in it are told by letters.

    >>> value_text(("clark", "clark", "clark", "wreath")), value_text(False)
    ('3 \N{MULTIPLICATION SIGN} clark, wreath', 'false')
    >>> value_text((("clark", "wreath"), ("clark", "wreath"), ("eddie", "clark")))
    '2 \N{MULTIPLICATION SIGN} c w, e c'
    """
    if not isinstance(value, list | tuple) or isinstance(value, Named):
        return clean(brief_text(value))
    runs = [(_entry_text(entry), len(list(same))) for entry, same in groupby(value)]
    return clean(", ".join(f"{count} \N{MULTIPLICATION SIGN} {entry}" if count > 1 else entry for entry, count in runs))


def _entry_text(entry: Any) -> str:
    return " ".join(to_text(part)[:1] for part in entry) if isinstance(entry, list | tuple) else to_text(entry)


def _hue(e: Effect) -> str:
    start, to = e.move.start, e.move.to
    if not e.significant:
        return "not significant"
    if isinstance(start, bool) or not isinstance(start, int | float) or not isinstance(to, int | float):
        return "another choice"
    return "constant raised" if to > start else "constant lowered"


def charts(found: Sensitivity) -> list[Chart]:
    """A tornado for each metric, but for how games end where no move does anything to that."""
    drawn = []
    for metric in dict.fromkeys(e.metric.name for e in found.effects if found.worth_showing(e.metric)):
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
            _intervals(ax, part["place"], part)
    for line in lines_of(table):
        ends = sorted((0.0, line.best, line.low, line.high))
        target(ax, (ends[0], line.place - 0.4, ends[-1], line.place + 0.4), _told(line, unit_of(first)), line.run)
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


def _told(line: Line, unit: str) -> str:
    """What is told where an effect is pointed at."""
    judged = "" if line.significant else ", not told from nothing"
    return f"{line.key} to {line.mark}, {line.run}: {number(line.best, _digits(line))} ({span(line)} {unit}){judged}; n = {int(line.n):,}"


def _digits(line: Line) -> int:
    half = (line.high - line.low) / 2
    return 1 if half >= 0.1 else 2 if half >= 0.01 else 3  # noqa: PLR2004  as many as tell the ends apart


def _words(table: pd.DataFrame) -> Words:
    first, lines = table.iloc[0], lines_of(table)
    unit = unit_of(first)
    found = [line for line in lines if line.significant]
    title = f"{first['label']}: no effect of a constant is found"
    if found:
        most = max(found, key=lambda line: abs(line.best))
        title = f"{first['label']}: {most.key} moves it most, by {span(most)} {unit} at {most.mark} ({most.run})"
    alt = "; ".join(f"{line.run}, {line.key} to {line.to}: {span(line)}" for line in lines)
    notes = [
        "The number or word at a bar is the value that the constant was moved to; the thin lines are 95% intervals of the difference.",
        "Grey: not told from nothing when all effects are judged together (Benjamini-Hochberg).",
        *[f"{plural(int(first['left_out']), 'constant')} with smaller effects left out."] * bool(first["left_out"]),
        f"n = {ranged(table['n'], 'playout')} of each.",
    ]
    return Words(title, "Look for the longest bars at the top.", f"{alt}.", tuple(notes), f"difference in {unit}", "")


def unit_of(line: Any) -> str:
    """What a difference is in."""
    return "percentage points" if line["kind"] == "share" else str(line["unit"])


def span(line: Line) -> str:
    """A difference's interval."""
    return between(line.low, line.high, GAP.with_digits(_digits(line)))


# ---------------------------------------------------------------- the page


def page(found: Sensitivity, together: Sequence[Interactions] = (), command: str | None = None) -> Document:
    """What the page of a sensitivity study says."""
    first = found.tables[0].baseline
    sure = [o for o in found.overturned if not o.move.doubtful]
    main = chapter(found)
    about = [*map(clean, found.target_texts), *(f"{chart.words.title}." for chart in main.charts)]
    about += [
        f"Constants of the rulebook overturn a conclusion, moved by one step or left out. {_overturned(moves)}"
        for moves in by_conclusion(sure)
    ]
    seats = ", ".join(dict.fromkeys(p.label for p in first.lineup))
    facts = [("Strategy", clean(seats)), ("Seed", str(first.seed))]
    facts += [(f"Playouts, {plural(t.players, 'player')}", f"{t.playouts:,}") for t in found.tables]
    return Document(
        first.game,
        "Sensitivity to the rules' constants",
        clean(found.headline),
        tuple(about),
        (*main.warnings, *_warnings(found)),
        (),
        (),
        first.rules,
        tuple(facts),
        command,
        chapters=(main, *_together(together), _numbers(found)),
        runs=tuple(plural(t.players, "player") for t in found.tables),
    )


def chapter(found: Sensitivity) -> Chapter:
    """Which rules matter: the tornados, and which conclusions a constant overturns; those in doubt are warned of."""
    told = tuple(map(clean, found.quiet_texts))
    look_for = "Look for long bars of constants that are assumed: of those you have to be surest."
    tables = (*[_overturned_table(found)] * bool(found.overturned), *[_open_table(found)] * bool(found.open))
    doubtful = by_conclusion(o for o in found.overturned if o.move.doubtful)
    warned = tuple(f"It hangs on what nobody is sure of. {_overturned(moves)}" for moves in doubtful)
    return Chapter(RULES_THAT_MATTER, "Which rules matter", look_for, told, tuple(charts(found)), tables, warnings=warned)


def _overturned_table(found: Sensitivity) -> Table:
    rows = tuple(
        (
            Cell(o.move.key, code=True),
            str(o.players),
            clean(brief_text(o.move.start)),
            clean(brief_text(o.move.to)),
            Cell("" if o.move.doubtful else o.move.source, "", o.move.source if o.move.doubtful else ""),
            clean(o.conclusion),
            clean(o.instead),
        )
        for o in found.overturned
    )
    columns = ("Constant", "Players", "From", "To", "Source", "As it is", "Then")
    return Table(
        "Conclusions that a constant overturns",
        "",
        columns,
        rows,
        frozenset({1}),
        rows_of=tuple(plural(o.players, "player") for o in found.overturned),
    )


def _open_table(found: Sensitivity) -> Table:
    """What is not settled, and how many playouts would settle it."""
    rows = tuple(
        (
            Cell("as it is") if o.move is None else Cell(o.move.key, code=True),
            str(o.players),
            "" if o.move is None else clean(brief_text(o.move.to)),
            clean(o.conclusion),
            f"about {o.games:,}" if o.games else "hardly any number",
        )
        for o in found.open
    )
    columns = ("Constant", "Players", "To", "What is known", "Playouts that would settle it")
    note = "Nothing is said to be overturned where it is not settled both as it is and when moved."
    rows_of = tuple(plural(o.players, "player") for o in found.open)
    return Table("Conclusions that are open", note, columns, rows, frozenset({1}), rows_of=rows_of)


def _together(together: Sequence[Interactions]) -> tuple[Chapter, ...]:
    """Numbers moved together; nothing if that was not asked for."""
    if not together:
        return ()
    told = tuple(f"With {plural(one.players, 'player')}: {one.finding}" for one in together)
    look_for = "Look for constants whose dark bar is much longer than the light one: what they do depends on the others."
    drawn = (indices_chart(together),)
    return (Chapter("together", "What the numbers do together", look_for, told, drawn, tuple(map(_indices_table, together))),)


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
        ax.axvline(table["floor"].iloc[0], color=INK, linewidth=1.0, linestyle=(0, (3, 2)), label="luck alone may reach this")
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


def _numbers(found: Sensitivity) -> Chapter:
    tables = (_effects_table(found), *_left_out_table(found))
    return Chapter("numbers", "The numbers", "Look at the interval before the effect.", tables=tables)


def _overturned(moves: Sequence[Overturned]) -> str:
    """A conclusion, and the first few moves that overturn it; the table has all."""
    told = [f"{o.move.key} moved to {clean(brief_text(o.move.to))}: {o.instead}" for o in moves[:MOST_MOVES]]
    told += [f"and {len(moves) - MOST_MOVES} more below"] * (len(moves) > MOST_MOVES)
    return f"As it is with {plural(moves[0].players, 'player')}: {moves[0].conclusion}. But with {'; '.join(told)}."


def _warnings(found: Sensitivity) -> tuple[str, ...]:
    told = [f"The run with {plural(t.players, 'player')} was interrupted." for t in found.tables if t.interrupted]
    told += [
        f"With {plural(t.players, 'player')} not every difference is as precise as was asked for."
        for t in found.tables
        if t.precise is False
    ]
    remarks = [unfinished_of(t.unmoved).remark(f"as it is with {plural(t.players, 'player')}") for t in found.tables]
    return (*told, *filter(None, remarks))


def _effects_table(found: Sensitivity) -> Table:
    kind = "confidence sequences" if found.sequential else "intervals"
    lines = frame(found.effects).to_dict("records")
    return Table(
        "All effects",
        f"An effect is moved less unmoved, by pairs of playouts on the same draws, shares in percentage points; below it its 95% {kind}."
        " Found: whether it remains when all are judged together (Benjamini-Hochberg, at most 5% false discoveries); the intervals of"
        " those that do are wider, so that of them at most 5% miss, on average (Benjamini-Yekutieli).",
        ("Constant", "From", "To", "Source", "Metric", "Players", "Effect", "Found"),
        tuple(_row(line) for line in lines),
        frozenset({5, 6}),
        rows_of=tuple(plural(line["players"], "player") for line in lines),
    )


def _row(line: dict[Any, Any]) -> tuple[str | Cell, ...]:
    effect = Estimate(*(line[name] for name in ("best", "low", "high", "n", "kind")))
    assumed = line["source"] == "assumed"
    source = Cell("" if assumed else line["source"], "", "assumed" * assumed)
    moved = (Cell(line["key"], code=True), clean(line["from"]), clean(line["to"]), source)
    return (*moved, clean(line["label"]), str(line["players"]), Cell.of(effect, GAP_CELL), "yes" if line["significant"] else "no")


def _indices_table(one: Interactions) -> Table:
    rows: list[tuple[str | Cell, ...]] = [
        (i.key, i.range_text, *(Cell.of(i.shares[kind], INDEX) for kind in ("first", "total"))) for i in one.indices
    ]
    luck = "" if one.every else " The dummy changes nothing but the luck, so that its share is what noise alone looks like."
    return Table(
        f"Numbers moved together, {plural(one.players, 'player')}",
        f"Sobol's indices: which share of the variance in '{clean(one.metric.label)}' goes with a constant alone, and which with it and"
        f" its interactions, each with its 95% interval.{luck}",
        ("Constant", "Range", "Alone", "With others"),
        tuple(rows),
        frozenset({2, 3}),
    )


def _left_out_table(found: Sensitivity) -> list[Table]:
    rows = tuple((one.key, "" if one.to is None else clean(brief_text(one.to)), one.source, clean(one.reason)) for one in found.left_out)
    return [Table("Left out", "", ("Constant", "Value", "Source", "Why"), rows)] if rows else []
