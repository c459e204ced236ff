"""What playing well is worth, as charts and as a frame."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from reports import frames, words
from reports.charts import BEHIND_DOTS, DASHED, Chart, legend, mark, percent_axis, target, told
from reports.style import INK, PAPER, SIZE, ordered
from reports.words import Words
from simulator.document.figures import in_words, interval, percent
from simulator.document.language import clean, plural
from simulator.studies.ladder import LOOK_FOR, label_of, who_played

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from simulator.stats.estimate import Estimate
    from simulator.studies.ladder import Rung
    from simulator.studies.skill import Skill

NAME_HEIGHT, DOT_HEIGHT = 0.24, 0.13
"""Inches of a strategy's row: for its name, and for the dot of each number of players."""


def frame(parts: Sequence[Skill]) -> pd.DataFrame:
    """Every figure, a line each.

    Columns: game, players, run, part ("blunders", "ladder", "variance" or "first_player"), name (of the strategy, or of what
    the variance is due to), random (share of moves left to chance, of blunders only), label, kind, unit, best, low, high, n,
    and even, what would be even for a share of wins.
    """
    return pd.DataFrame([{"game": one.plan.game.name} | line for one in parts for line in _lines(one)])


def _lines(part: Skill) -> Iterator[dict[str, Any]]:
    yield from (_rung_line("blunders", rung) | {"random": share} for share, rung in part.blunders)
    yield from (_rung_line("ladder", rung) for rung in part.ladder)
    for name, estimate in part.variance.shown.items() if part.variance is not None else ():
        yield _line(part, "variance", name, "of the variance in who wins", estimate)
    yield from (_line(part, "first_player", a.strategy, "Seat 0 above an equal share", a.estimate) for a in part.advantages)


def _rung_line(part: str, rung: Rung) -> dict[str, Any]:
    """A strategy's share of wins as a line of a frame."""
    even = {"even": math.nan if rung.even is None else rung.even}
    return _line(rung, part, rung.strategy, label_of(rung), rung.estimate) | even


def _line(of: Skill | Rung, part: str, name: str, label: str, estimate: Estimate) -> dict[str, Any]:
    about = {"players": of.players, "run": of.run, "part": part, "name": clean(name), "random": math.nan, "label": label}
    return {**about, **frames.figures(estimate), "even": math.nan}


# ---------------------------------------------------------------- charts
def charts(parts: Sequence[Skill]) -> list[Chart]:
    """How wins fall with random moves, and how often each strategy wins."""
    table = frame(parts)
    moves = table[table["part"] == "blunders"]
    moves = moves.assign(panel="", series=[f"{percent(share)} of moves at random" for share in moves["random"]])
    drawn = [Chart("skill-moves", moves, moves_words(moves), draw_moves, 1, 2.7)]
    return drawn + ([ladder_chart([one.ladder for one in parts])] if any(one.ladder for one in parts) else [])


def ladder_chart(ladders: Sequence[Sequence[Rung]]) -> Chart:
    """How often each strategy wins, for each number of players."""
    table = pd.DataFrame([_rung_line("ladder", rung) for rungs in ladders for rung in rungs])
    table = table.assign(panel="", series=table["name"])
    height = table["name"].nunique() * (NAME_HEIGHT + DOT_HEIGHT * table["run"].nunique())
    return Chart("skill-strategies", table, strategies_words(table), draw_strategies, 1, max(1.0, height))


def draw_moves(table: pd.DataFrame, ax: Axes) -> None:
    """A falling line with intervals for each number of players, and what would be even, dashed."""
    runs = list(table["run"].unique())
    for run, colour in zip(runs, ordered(len(runs)), strict=True):
        part = table[table["run"] == run]
        label = run if len(runs) > 1 else "_alone"
        (line,) = ax.plot(part["random"], part["best"], "o-", color=colour, linewidth=1.6, markersize=4, label=label)
        drawn = [line, ax.vlines(part["random"], part["low"], part["high"], colors=colour, linewidth=1.4)]
        even = part["even"].iloc[0]
        if not math.isnan(even):
            drawn.append(ax.axhline(even, color=colour if len(runs) > 1 else INK, linewidth=1.0, linestyle=DASHED, zorder=1.2))
        for artist in drawn:
            mark(artist, run=run)
        for one in words.lines_of(part):
            target(ax, (one.random - 0.02, one.low, one.random + 0.02, one.high), told(one), run)
    ax.set_ylim(0, 1.08 * max(table["high"].max(), table["even"].max()) if table["even"].notna().any() else 1.08 * table["high"].max())
    percent_axis(ax, 6)
    percent_axis(ax, 5, along=True)
    legend(ax)


def draw_strategies(table: pd.DataFrame, ax: Axes) -> None:
    """A row for each strategy with its name and, below, a dot with its interval for each number of players."""
    runs, names = list(table["run"].unique()), list(table["name"].unique())
    pitch = NAME_HEIGHT + DOT_HEIGHT * len(runs)
    right = float(table[["high", "even"]].max().max())
    ground = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}  # a dashed line does not cross a name
    for row, name in enumerate(names):
        ax.text(0, -row * pitch - 0.03, name, va="top", size=SIZE, bbox=ground)
    for place, (run, colour) in enumerate(zip(runs, ordered(len(runs)), strict=True)):
        part = table[table["run"] == run]
        for line in words.lines_of(part):
            y = -names.index(line.name) * pitch - NAME_HEIGHT - DOT_HEIGHT * (place + 0.1)
            (dot,) = ax.plot(line.best, y, "o", color=colour, markersize=5, clip_on=False, label=run if len(runs) > 1 else "_alone")
            for artist in (dot, ax.hlines(y, line.low, line.high, colors=INK, linewidth=1.3, zorder=BEHIND_DOTS)):
                mark(artist, run=run)
            target(ax, (line.low, y - DOT_HEIGHT / 2, line.high, y + DOT_HEIGHT / 2), told(line), run)
        even = part["even"].iloc[0]
        if not math.isnan(even):
            mark(ax.axvline(even, color=colour if len(runs) > 1 else INK, linewidth=1.0, linestyle=DASHED, zorder=1.2), run=run)
    ax.set_ylim(-len(names) * pitch, 0)
    ax.set_xlim(0, 1.06 * right if right > 0 else 1)
    ax.set_yticks([])
    ax.grid(visible=False, axis="y")
    ax.grid(visible=True, axis="x")
    percent_axis(ax, 6, along=True)
    legend(ax)


# ---------------------------------------------------------------- words
def moves_words(table: pd.DataFrame) -> Words:
    """Around the chart of random moves."""
    run = table["run"].iloc[0]
    lines = words.lines_of(table[table["run"] == run])
    first, last = lines[0], lines[-1]
    title = f"{first.label}: random moves make no difference that shows with {run}"
    if last.high < first.low:
        title = f"{first.label}: {in_words(last)} if all moves are random, {interval(first)} if none is ({run})"
    alt = "; ".join(f"{line.run}, {line.series}: {in_words(line)}" for line in words.lines_of(table))
    notes = (_who_played(table), "The thin upright lines are 95% intervals, each for itself.", words.playouts(table))
    return Words(title, "Look for how fast it falls: that is what a slip costs.", f"{alt}.", notes, "moves left to chance", "games won")


def strategies_words(table: pd.DataFrame) -> Words:
    """Around the chart of strategies."""
    run = table["run"].iloc[0]
    lines = words.lines_of(table[table["run"] == run])
    low, high = min(lines, key=lambda line: line.best), max(lines, key=lambda line: line.best)
    title = f"{low.label}: no difference between strategies shows with {run}"
    if low.high < high.low:
        title = f"{low.label}: {interval(low)} percent with {low.name}, {in_words(high)} with {high.name} ({run})"
    alt = "; ".join(f"{line.run}, {line.name}: {in_words(line)}" for line in words.lines_of(table))
    counts = sorted(set(table["n"]))
    n = f"n = {plural(int(counts[-1]), 'playout')} of each table"
    fewer = f"; {counts[0]:,} where somebody thinks ahead" if len(counts) > 1 else ""
    notes = (_who_played(table), "The thin lines are 95% intervals, each for itself.", f"{n}{fewer}.")
    return Words(title, LOOK_FOR, f"{alt}.", notes, "games won", "")


def _who_played(table: pd.DataFrame) -> str:
    return who_played(together=bool(table["even"].isna().all()), several=table["run"].nunique() > 1)
