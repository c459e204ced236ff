"""What playing well is worth, as charts, tables and a page, and as a chapter of a balance report."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports import words
from reports.charts import BEHIND_DOTS, Chart, legend, mark, percent_axis, target, told
from reports.style import INK, PAPER, SIZE, ordered
from reports.words import Words
from simulator.document.chapters import SKILL, SKILL_TITLE, Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import CELL, in_words, interval, percent
from simulator.document.language import clean, plural, ranged
from simulator.studies.skill import PLAYERS_WIN, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from simulator.stats.estimate import Estimate
    from simulator.studies.skill import Rung, Skill

BLUNDERS, LADDER, VARIANCE, FIRST_PLAYER = "blunders", "ladder", "variance", "first_player"

NAME_HEIGHT, DOT_HEIGHT = 0.24, 0.13
"""Inches of a strategy's row: for its name, and for the dot of each number of players."""

DASHED: Any = (0, (3, 2))

LOOK_FOR = "Look for how much is lost by playing badly, and how little there may be to gain by playing well."


# ---------------------------------------------------------------- tables
def frame(found: Sequence[Skill]) -> pd.DataFrame:
    """Every figure, a line each.

    Columns: game, players, run, part ("blunders", "ladder", "variance" or "first_player"), name (of the strategy, or of what
    the variance is due to), random (share of moves left to chance, of blunders only), label, kind, unit, best, low, high, n,
    and even, what would be even for a share of wins.
    """
    return pd.DataFrame([line for one in found for line in _lines(one)])


def _lines(found: Skill) -> list[dict[str, Any]]:
    lines = [rung_line(BLUNDERS, rung) | {"random": share} for share, rung in found.blunders]
    lines += [rung_line(LADDER, rung) for rung in found.ladder]
    if found.variance is not None:
        parts = found.variance.shown.items()
        lines += [_line(VARIANCE, found.players, name, "of the variance in who wins", estimate) for name, estimate in parts]
    lines += [_line(FIRST_PLAYER, found.players, a.strategy, "Seat 0 above an equal share", a.estimate) for a in found.advantages]
    return [{"game": found.plan.game.name} | line for line in lines]


def rung_line(part: str, rung: Rung) -> dict[str, Any]:
    """A strategy's share of wins as a line of a frame."""
    label = "The players win" if rung.metric == PLAYERS_WIN else "Wins"
    return _line(part, rung.players, rung.strategy, label, rung.estimate, math.nan if rung.even is None else rung.even)


def _line(part: str, players: int, name: str, label: str, estimate: Estimate, even: float = math.nan) -> dict[str, Any]:
    return {
        "players": players,
        "run": plural(players, "player"),
        "part": part,
        "name": clean(name),
        "random": math.nan,
        "label": label,
        "kind": "share",
        "unit": estimate.unit,
        "best": estimate.best,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "even": even,
    }


# ---------------------------------------------------------------- charts
def charts(table: pd.DataFrame) -> list[Chart]:
    """How wins fall with random moves, and how often each strategy wins, of a frame's lines as far as it has them."""
    drawn = []
    moves, strategies = (table[table["part"] == part].assign(panel="", series=lambda part: part["name"]) for part in (BLUNDERS, LADDER))
    if len(moves):
        named = moves.assign(series=[f"{percent(share)} of moves at random" for share in moves["random"]])
        drawn.append(Chart("skill-moves", named, moves_words(named), draw_moves, 1, 2.7))
    if len(strategies):
        height = strategies["name"].nunique() * (NAME_HEIGHT + DOT_HEIGHT * strategies["run"].nunique())
        drawn.append(Chart("skill-strategies", strategies, strategies_words(strategies), draw_strategies, 1, max(1.0, height)))
    return drawn


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
    ax.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda share, _position: f"{100 * share:.6g}%"))
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
    ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda share, _position: f"{100 * share:.6g}%"))
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
    notes = (*_even_note(table), "The thin upright lines are 95% intervals, each for itself.", words.playouts(table))
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
    notes = (*_even_note(table), "The thin lines are 95% intervals, each for itself.", f"{n}{fewer}.")
    return Words(title, LOOK_FOR, f"{alt}.", notes, "games won", "")


def _even_note(table: pd.DataFrame) -> tuple[str, ...]:
    """What was measured."""
    if table["even"].isna().all():
        return ("A whole table plays the strategy.",)
    dashed = "The dashed line is" if table["run"].nunique() == 1 else "The dashed lines are"
    return (f"One player has the strategy, in every seat in turn, and the others play the default. {dashed} what would be even.",)


def figures_table(table: pd.DataFrame, part: str, title: str, heading: str, note: str) -> Table:
    """One part of a frame as a table: a row for each name, a column for each number of players."""
    lines = {(line.name, line.run): line for line in words.lines_of(table[table["part"] == part])}
    names, runs = (tuple(dict.fromkeys(key[place] for key in lines)) for place in (0, 1))
    style = replace(CELL, percent="") if part == FIRST_PLAYER else CELL
    rows = tuple((name, *(Cell.of(lines.get((name, run)), style) for run in runs)) for name in names)
    return Table(
        title, note, (heading, *runs), rows, frozenset(range(1, 1 + len(runs))), runs=("", *runs), name=f"skill-{part}".replace("_", "-")
    )


# ---------------------------------------------------------------- pages
def chapter(rungs_by_players: Mapping[int, Sequence[Rung]], marks: Mapping[tuple[str, str], str] | None = None) -> Chapter:
    """The chapter of a balance report on what skill is worth.

    Args:
        rungs_by_players: number of players to the strategies that were measured, as `simulator.studies.skill.ladder` gives them.
        marks: strategy and run to what a table of it is sure of and the run does not say; see `reports.balance.by_table`.
    """
    table = pd.DataFrame([rung_line(LADDER, rung) for rungs in rungs_by_players.values() for rung in rungs])
    sentences = tuple(_ladder_sentence(part) for _, part in table[table["even"] != 1].groupby("run", sort=False))  # not of one alone
    note = "Below each share stands its 95% interval."
    if marks is not None:
        note += (
            " A mark stands where it is sure to be more or less than half, with all of them tested at once, and the run does not say so."
        )
    listed = marked(figures_table(table, LADDER, "Strategies", "Strategy", note), marks or {})
    counts = sorted(set(table["n"]))
    notes = (*_even_note(table), f"{ranged(counts, 'playout')} of each table, the same ones for every strategy.")
    return Chapter(SKILL, SKILL_TITLE, LOOK_FOR, sentences, tuple(charts(table)), (listed,), notes)


def marked(table: Table, marks: Mapping[tuple[str, str], str]) -> Table:
    """The table with marks in its cells, by the name of the row and the run of the column."""
    by_place = {(clean(name), run): mark for (name, run), mark in marks.items()}
    rows = tuple(
        tuple(replace(cell, mark=by_place.get((row[0].text, table.run_of(place)), "")) for place, cell in enumerate(row))
        for row in table.cells
    )
    return replace(table, rows=rows)


def _ladder_sentence(table: pd.DataFrame) -> str:
    """Who wins least and who wins most at one number of players."""
    lines = words.lines_of(table)
    low, high = min(lines, key=lambda line: line.best), max(lines, key=lambda line: line.best)
    even = "" if math.isnan(low.even) else f", where {percent(low.even)} would be even"
    who = "a table of " if math.isnan(low.even) else ""
    if low.high >= high.low:
        return f"With {low.run}: no difference between strategies shows; each wins within {in_words(words.hull(lines))}{even}."
    return f"With {low.run}: {who}{low.name} wins least, {in_words(low)}, and {who}{high.name} most, {interval(high)}{even}."


def page(found: Sequence[Skill], command: str | None = None) -> Document:
    """What the page of the study says."""
    first, table = found[0].plan, frame(found)
    drawn = charts(table)
    together = first.game.cooperative
    moves = figures_table(
        table.assign(
            name=[percent(r) if p == BLUNDERS else n for r, p, n in zip(table["random"], table["part"], table["name"], strict=True)]
        ),
        BLUNDERS,
        "The default strategy with random moves",
        "Moves at random",
        "",
    )
    variance = table[(table["part"] == VARIANCE) & ((table["name"] != "seat") | (not together))]
    chapters = [
        Chapter("moves", "What a slip costs", "Look for how fast it falls.", charts=tuple(drawn[:1]), tables=(moves,)),
        Chapter(
            "strategies",
            "The strategies",
            LOOK_FOR,
            charts=tuple(drawn[1:]),
            tables=(figures_table(table, LADDER, "Strategies", "Strategy", ""),),
        ),
    ]
    if len(variance):
        listed = figures_table(
            variance,
            VARIANCE,
            "Parts of the variance in who wins",
            "Part",
            "They add up to 100%, but that a part below nothing is shown as 0.",
        )
        look_for = "Look for how much is left to luck: what the same strategy in the same seat wins once and loses once."
        chapters.append(Chapter("variance", "Strategy, seat or luck", look_for, tables=(listed,), notes=(variance_note(found[0]),)))
    if any(one.advantages for one in found):
        note = "Percentage points that seat 0 wins above an equal share, where everybody plays the strategy."
        listed = figures_table(table, FIRST_PLAYER, "First player's advantage", "Everybody plays", note)
        chapters.append(
            Chapter(
                "first-player", "Who goes first", "Look for an advantage that comes or goes with how well people play.", tables=(listed,)
            )
        )
    return Document(
        first.game,
        SKILL_TITLE,
        sentence(found[0]),
        tuple(sentence(one) for one in found[1:]),
        warnings(found),
        (),
        (),
        first.baseline.rules,
        _facts(found),
        command,
        chapters=tuple(chapters),
        runs=tuple(dict.fromkeys(table["run"])) if len(found) > 1 else (),
    )


def variance_note(found: Skill) -> str:
    """Over what the variance was taken."""
    names = ", ".join(map(clean, found.variance.strategies)) if found.variance is not None else ""
    where = "" if found.plan.game.cooperative else ", and each seat as likely"
    return f"Over these strategies, each as likely{where}: {names}. Another selection gives other parts."


def warnings(found: Sequence[Skill]) -> tuple[str, ...]:
    """What has to be known first."""
    told_first = [
        f"The study with {plural(one.players, 'player')} was interrupted; it shows what was played until then."
        for one in found
        if one.interrupted
    ]
    told_first += [one.remark for one in found if one.remark]
    capped = [one for one in found if one.unfinished and not one.remark]
    if capped:
        each = ", ".join(f"{percent(one.unfinished)} with {plural(one.players, 'player')}" for one in capped)
        told_first.append(f"The turn cap ended some playouts ({each}); they count as won by nobody.")
    return tuple(told_first)


def _facts(found: Sequence[Skill]) -> tuple[tuple[str, str], ...]:
    first = found[0].plan
    ahead = (("Playouts where somebody thinks ahead", f"{first.ahead_games:,}"),) if first.ahead else ()
    return (
        ("Playouts of each table", f"{first.games:,}"),
        *ahead,
        ("Default strategy", clean(first.baseline.lineup[0].label)),
        ("Seed", str(first.baseline.seed)),
        ("Elapsed", f"{sum(one.elapsed_s for one in found):.1f} s"),
    )
