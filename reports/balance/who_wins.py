"""Who wins, by number of players, seat and strategy, and what going first is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from reports import charts, frames
from reports.balance.cells import estimate_cell, estimates_table
from reports.charts import Chart, chart
from reports.style import INK, PAPER, SIZE, SOLE, categories, seats
from reports.words import BARS, EQUAL_SHARE, Line, Words, inside, lines_of, playouts, span, whiskers
from simulator.document.chapters import WHO_WINS, Chapter, Table
from simulator.document.figures import between, figure, in_words, interval, percent
from simulator.document.language import clean, plural
from simulator.play.run import Result
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.stats.unfinished import unfinished_of

NOTHING_KNOWN = "No game finished, so nothing is known of who wins"

MOST_NUMBERS = 8
"""More bars than this are not numbered."""


def chapter(results: Sequence[Result], drawn: tuple[Chart, ...]) -> Chapter:
    """Who wins, by number of players, seat and strategy."""
    alone = results[0].experiment.game.cooperative
    look_for = "Look for a number of players at which the answer is another." if alone else "Look for a seat that stands out."
    seated = by_strategy(results)
    tables = (outcomes_table(results), *([strategies_table(seated)] if len(seated) else []))
    return Chapter(WHO_WINS, "Who wins", look_for, tuple(sentences(results)), drawn, tables)


def sentences(results: Sequence[Result]) -> list[str]:
    """How every run ended, in plain words."""
    seats, table = opening(results), frames.estimated(results)
    said = []
    for run, r in frames.named(results):
        ended = unfinished_of(r.tally)
        if ended.all:
            said.append(f"With {run}: {inside(NOTHING_KNOWN)}. {plural(r.games, 'playout')}.")
            continue
        lines = seats[seats["run"] == run]
        if r.experiment.game.cooperative:
            lines = table[(table["run"] == run) & table["metric"].isin(r.tally.outcomes) & (table["best"] > 0)].assign(equal=math.nan)
        said.append(" ".join(filter(None, (sentence(lines_of(lines)), advantage_sentence(r.first_player_advantage), ended.remark()))))
    return said


def outcomes_table(results: Sequence[Result]) -> Table:
    """How playouts ended: the outcomes of every run, which sum to all of them."""
    outcomes = max((r.tally.outcomes for r in results), key=len)
    note = "In percent of games; the shares of a run sum to 100."
    return estimates_table(results, outcomes, "How the games end", note, "outcomes")


def strategies_table(seated: pd.DataFrame) -> Table:
    """The wins of strategies that sit at one table."""
    rows = []
    for line in lines_of(seated):
        sign = "more often" if line.low > line.equal else "less often" if line.high < line.equal else "no difference shows"
        rows.append((line.run, line.strategy, str(line.seats), estimate_cell(line), percent(line.equal), sign))
    note = (
        "All seats of a strategy together, against an equal share of the games that somebody wins. The intervals of a run hold all at once."
    )
    columns = ("Run", "Strategy", "Seats", "Wins", "Equal share", "Wins")
    return Table("By strategy", note, columns, tuple(rows), frozenset({2, 3, 4}), rows_of=tuple(seated["run"]), name="strategies")


# ---------------------------------------------------------------- frames
def verdict_frame(results: Sequence[Result], _subject: object = None) -> pd.DataFrame:
    """The outcomes that a report opens with, for a chart of bars; of a single run all outcomes.

    Columns run, kind, metric, label, unit, best, low, high, n; `panel`, `group` and `hue` say where a bar stands;
    `opens` is whether the game names it as a verdict; `equal` is a seat's equal share of the wins, and not a number
    where there is none; `stands_out` is whether a seat differs from it when all seats of all runs are tested at once;
    `finished` is whether any game of the run did.
    """
    table = frames.estimated(results)
    table["finished"] = [not unfinished_of(r.tally).all for r in results for _ in r.experiment.metrics]
    alone = len(results) == 1
    game = results[0].experiment.game
    table["opens"] = [metric in game.verdict(players) for metric, players in zip(table["metric"], table["players"], strict=True)]
    table = table[table["opens"] | (alone & table["metric"].isin(results[0].tally.outcomes))].reset_index(drop=True)
    shares = table["best"].where(table["opens"]).groupby(table["run"], sort=False).transform("mean")
    table["equal"] = math.nan if game.cooperative else shares.where(table["opens"] & (table["players"] > 1))
    tested = widened(table[table["equal"].notna()])
    outside = (tested["equal"] < tested["wide_low"]) | (tested["wide_high"] < tested["equal"])
    table["stands_out"] = outside.reindex(table.index, fill_value=False).tolist()
    return table.assign(panel="", group=table["label"] if alone else table["run"], hue="" if alone else table["label"])


def opening(results: Sequence[Result]) -> pd.DataFrame:
    """Of `verdict_frame` what the game names as a verdict."""
    table = verdict_frame(results)
    return table[table["opens"]]


def widened(table: pd.DataFrame) -> pd.DataFrame:
    """The table of shares with `wide_low` and `wide_high`, intervals that hold for all its lines at once.

    They are confidence sequences for lines that are marked as `sequential`, for their runs stopped when they liked, else Wilson's.

    Source: Dunn, "Multiple comparisons among means", JASA 56, 1961 (Bonferroni's correction).
    """
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(table))
    sequential = table["sequential"].eq(other=True) if "sequential" in table else [False] * len(table)
    wide = [
        frames.share_of(round(b * n), int(n), confidence, sequential=any_time)
        for b, n, any_time in zip(table["best"], table["n"], sequential, strict=True)
    ]
    return table.assign(wide_low=[e.low for e in wide], wide_high=[e.high for e in wide])


def by_strategy(results: Sequence[Result]) -> pd.DataFrame:
    """The wins of each strategy, where several sit at one table: its seats' share together, against an equal share.

    Columns run, strategy, seats (how many it has), kind, unit, best, low, high, n, and `equal`.
    """
    lines = []
    for run, r in frames.named(results):
        labels = [p.label for p in r.experiment.lineup]
        if r.experiment.game.cooperative or len(set(labels)) == 1:
            continue
        wins = [r.tally[name].moments()[0] for name in r.experiment.game.verdict(len(labels))]
        confidence = 1 - (1 - CONFIDENCE) / len(set(labels))
        for label in dict.fromkeys(labels):
            own = [n for n, other in zip(wins, labels, strict=True) if other == label]
            figures = frames.figures(frames.share_of(sum(own), r.games, confidence, sequential=r.sequential))
            equal = sum(wins) / r.games * len(own) / len(labels)
            lines.append({"run": run, "strategy": clean(label), "seats": len(own), **figures, "equal": equal})
    return pd.DataFrame(lines)


def advantage_frame(results: Sequence[Result], _subject: object = None) -> pd.DataFrame:
    """What going first is worth in each run, in percentage points above an equal share; no lines where nobody goes first."""
    worth = [(run, r.first_player_advantage, r.sequential) for run, r in frames.named(results)]
    lines = [
        {"run": run, "panel": "", "label": "Going first", "kind": "count", "unit": "percentage points"}
        | {name: 100 * getattr(e, name) for name in ("best", "low", "high")}
        | {"n": e.n, "sequential": sequential}
        for run, e, sequential in worth
        if e is not None and math.isfinite(e.high)
    ]
    return pd.DataFrame(lines)


# ---------------------------------------------------------------- sentences
def sentence(lines: Sequence[Line]) -> str:
    """How one run ended, in plain words.

    Args:
        lines: its outcomes, with `equal` and where that is a number `stands_out`.
    """
    if len(lines) == 1:
        shares = f"{inside(lines[0].label)} in {in_words(lines[0])} (best estimate {figure(lines[0])})"
    else:
        shares = f"{', '.join(f'{inside(line.label)} in {interval(line)}' for line in lines)} percent of games"
    even = "" if all(math.isnan(line.equal) for line in lines) else f"; {_against_equal(lines)}"
    return f"With {lines[0].run}: {shares}{even}. {plural(lines[0].n, 'playout')}."


def _against_equal(lines: Sequence[Line]) -> str:
    above = ", ".join(inside(line.label) for line in lines if line.stands_out and line.best > line.equal)
    below = ", ".join(inside(line.label) for line in lines if line.stands_out and line.best < line.equal)
    sides = [f"more often: {above}"] * bool(above) + [f"less often: {below}"] * bool(below)
    return f"an equal share is {percent(lines[0].equal)} ({'; '.join(sides) or 'no seat stands out'})"


def advantage_sentence(estimate: Estimate | None) -> str:
    """What it is worth to go first; empty where nobody does."""
    if estimate is None or not math.isfinite(estimate.high):
        return ""
    low, high = 100 * estimate.low, 100 * estimate.high
    return f"{going_first(low, high)}{f': {between(low, high)} percentage points' if low <= 0 <= high else ''}."


def going_first(low: float, high: float) -> str:
    """What it is worth to go first, in percentage points above an equal share, as far as the interval misses zero."""
    if low <= 0 <= high:
        return "Going first makes no difference that shows"
    more, (least, most) = "more" if low > 0 else "less", sorted((abs(low), abs(high)))
    return f"Going first wins {between(least, most)} percentage points {more} than an equal share"


# ---------------------------------------------------------------- charts
def verdict_words(table: pd.DataFrame) -> Words:
    """Around the chart of the outcomes that a report opens with."""
    seats, sequential = table["equal"].notna().any(), table["sequential"].any()
    look_for = "Look for how long the thin lines are: more playouts shorten them."
    if table["run"].nunique() > 1:
        look_for = "Look for how the bars change from run to run, and believe it where their thin lines do not overlap."
    notes = [whiskers(table, "Dots are shares of wins" if seats and table["hue"].nunique() > 1 else BARS), playouts(table)]
    if seats:
        look_for = "Look for a seat whose thin line misses the equal share."
        at_once = "hold all at once, whenever it stops" if sequential else "hold all at once (Goodman's)"
        together = "all seats of all runs are tested together, with Bonferroni's correction"
        notes.insert(1, f"{EQUAL_SHARE} The intervals of a run {at_once}; words call a seat different only if it still is when {together}.")
    alt = "; ".join(f"{line.run}: {line.label}, {in_words(line)}" for line in lines_of(table))
    return Words(verdict_title(table[table["finished"]]), look_for, f"{alt}.", tuple(notes), "", "percent of games")


def verdict_title(ended: pd.DataFrame) -> str:
    """How often the first outcome came about, or the seat farthest from an equal share among those that stand out."""
    if ended.empty:
        return NOTHING_KNOWN
    lines = lines_of(ended)
    seat_0 = next((line.label for line in lines if not math.isnan(line.equal)), None)
    if seat_0 is None:
        opens = [line for line in lines if line.opens]
        return f"{opens[0].label} in {span([line for line in opens if line.metric == opens[0].metric])}"
    first = f"{inside(seat_0.removesuffix(' wins'))} moves first"
    off = [line for line in lines if line.stands_out]
    if not off:
        return f"No seat stands out from an equal share of the wins; {first}"
    farthest = max(off, key=lambda line: abs(line.best - line.equal) / line.equal)
    return f"{farthest.label} in {in_words(farthest)} with {farthest.run}; an equal share is {percent(farthest.equal)}; {first}"


@chart(chapter=WHO_WINS, subjects=lambda _game: {"verdict": None}, frame=verdict_frame, words=verdict_words)
def draw_verdict(frame: pd.DataFrame, ax: Axes) -> None:
    """How the games end: of seats dots around the equal share, a group for each run; else bars from zero."""
    if frame["hue"].nunique() > 1 and frame["equal"].notna().any():
        seat_dots(frame, ax)
        return
    charts.grouped_bars(frame, ax, categories)
    equal_shares(frame, ax)
    if len(frame) <= MOST_NUMBERS:
        numbers_on_bars(frame, ax)


def seat_dots(frame: pd.DataFrame, ax: Axes) -> None:
    """Each seat's share of wins as a dot with its interval, around the equal share of its run."""
    groups, hues = list(frame["group"].unique()), list(frame["hue"].unique())
    places, width = charts.bar_places(frame)
    colours = dict(zip(hues, seats(len(hues)), strict=True))
    for line in lines_of(frame):
        charts.dot(ax, places[line.group, line.hue], line, width / 2, (colours[line.hue],) * 2, markersize=5, label=line.hue)
    equal_shares(frame, ax)
    charts.group_axis(ax, groups)
    ax.set_xlim(-0.6, max(len(groups), charts.FEWEST_GROUPS) - 0.4)
    ax.margins(y=0.1)
    charts.percent_axis(ax, 6)


def equal_shares(frame: pd.DataFrame, ax: Axes) -> None:
    """A dashed line at the equal share of each group that has one."""
    label = "equal share"
    for position, equal in enumerate(frame.groupby("group", sort=False)["equal"].first()):
        if not math.isnan(equal):
            ends = (equal, position - 0.48, position + 0.48)
            ax.hlines(*ends, colors=PAPER, linewidth=2.4, zorder=1.2)
            ax.hlines(*ends, colors=INK, linestyles=charts.DASHED, linewidth=1.2, zorder=1.3, label=label)
            label = "_equal"
    if frame["equal"].notna().any():
        charts.legend(ax)


def numbers_on_bars(frame: pd.DataFrame, ax: Axes) -> None:
    """Write each bar's number above its interval."""
    places, _ = charts.bar_places(frame)
    ground = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}  # the line of the equal share does not cross the number
    for line in lines_of(frame):
        place = (places[line.group, line.hue], line.high if math.isfinite(line.high) else line.best)
        text = f"{figure(line)}%"
        ax.annotate(text, place, (0, 4), textcoords="offset points", ha="center", va="bottom", size=SIZE, bbox=ground)


def advantage_words(table: pd.DataFrame) -> Words:
    """Around the chart of what going first is worth."""
    lines = lines_of(table)
    sure = [line for line in lines if line.low > 0 or line.high < 0]
    most = max(sure or lines, key=lambda line: abs(line.best))
    title = f"{going_first(most.low, most.high)}{f' with {most.run}' if sure else ''}"
    alt = "; ".join(f"{line.run}: {in_words(line)}" for line in lines)
    notes = (whiskers(table, "The line at zero is an equal share of the games that somebody wins"), playouts(table))
    return Words(title, "Look for points whose thin line misses zero.", f"{alt}.", notes, "", "percentage points\nabove an equal share")


@chart(chapter=WHO_WINS, subjects=lambda _game: {"advantage": None}, frame=advantage_frame, words=advantage_words, height=1.9)
def draw_advantage(frame: pd.DataFrame, ax: Axes) -> None:
    """What going first is worth: points with intervals around zero."""
    ax.axhline(0, color=INK, linewidth=0.8)
    for place, line in enumerate(lines_of(frame)):
        charts.dot(ax, place, line, 0.25, (SOLE, INK), markersize=7)
    charts.group_axis(ax, list(frame["run"]))
    ax.spines["bottom"].set_visible(False)
    ax.margins(y=0.2)
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
