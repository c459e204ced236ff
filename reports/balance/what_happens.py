"""What happens: the game's own events, what goes with winning, and every number that was counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from reports import frames
from reports.balance.cells import estimates_table
from reports.charts import DASHED, Chart, chart, grouped_bars, legend, letters, mark, target, value_axis
from reports.style import INK, categories, ordered
from reports.words import EQUAL_SHARE, Line, Words, hull, lines_of, playouts, runs_listed, span, whiskers
from simulator.document.chapters import WHAT_HAPPENS, Chapter
from simulator.document.figures import in_words, interval, number, percent
from simulator.document.language import clean, plural, short
from simulator.game import Breakdown, Influence
from simulator.play.run import Result
from simulator.stats.estimate import estimate_share
from simulator.stats.tally import Histogram

FEWEST_SEATS = 200
"""A share of wins among fewer seats than this is not shown."""

USUAL = (0.1, 0.9)
"""Between these quantiles lie the numbers that most seats have."""

POOLED_NOTE = (
    "The seats of all playouts are pooled. Those of one game are not independent, since at most one of them wins; the"
    " intervals take them as if they were. What goes with winning need not be its cause: in a longer game there is more"
    " of everything, so the length of the game is in these lines too."
)


def chapter(results: Sequence[Result], charts: tuple[Chart, ...]) -> Chapter:
    """The game's own events, and every metric."""
    widest = sorted(results, key=lambda r: -len(r.experiment.metrics))
    every = tuple(dict.fromkeys(m.name for r in widest for m in r.experiment.metrics))
    table = estimates_table(results, every, "Everything that was counted", "Below each estimate stands its interval.", "estimates")
    look_for = "Look for cards and events that hardly ever come up, or that decide too much."
    none = [shown.title for shown in results[0].experiment.game.breakdowns if breakdown_frame(results, shown).empty]
    games = plural(sum(r.games for r in results), "game")
    sentences = tuple(f"{title}: nothing of it came about in {games}, so there is no picture of it." for title in none)
    return Chapter(WHAT_HAPPENS, "What happens", look_for, sentences, charts, (table,))


# ---------------------------------------------------------------- the game's own events
def breakdown_frame(results: Sequence[Result], shown: Breakdown) -> pd.DataFrame:
    """Metrics side by side, for a chart of bars: as `frames.estimated`, and with `title`, `look_for`, `series` and `bar`.

    `panel`, `group` and `hue` say where a bar stands: a single run has its series side by side, several runs have a panel
    for each series. Where nothing of it ever came about there are no lines.
    """
    places = [(series, bar, metric) for series, metrics in shown.series for bar, metric in zip(shown.bars, metrics, strict=True)]
    wanted = pd.DataFrame(places, columns=["series", "bar", "metric"])
    runs = pd.DataFrame({"run": frames.run_names(results)})
    table = runs.merge(wanted, how="cross").merge(frames.estimated(results), on=["run", "metric"], validate="many_to_one")
    if not table["best"].any():
        return table[:0]
    alone = len(results) == 1
    return table.assign(
        title=shown.title,
        look_for=shown.look_for,
        panel="" if alone else table["series"],
        group=table["bar"],
        hue=table["series"] if alone else table["run"],
    )


def breakdown_words(table: pd.DataFrame) -> Words:
    """Around a chart of a game's own events."""
    each = [(", ".join(filter(None, (line.run, line.series))), line) for line in lines_of(table)]
    alt = "; ".join(f"{whose}, {line.bar}: {in_words(line)}" for whose, line in each)
    units = ", ".join(table["unit"].map(lambda unit: "percent of games" if unit == "share" else f"{unit} a game").unique())
    return Words(_leaders(table), table["look_for"].iloc[0], f"{alt}.", (whiskers(table), playouts(table)), "", units)


def _leaders(table: pd.DataFrame) -> str:
    """The breakdown's title, and for each series the bar that leads in every run, where there is one."""
    series = [part for _, part in table.groupby("series", sort=False)]
    leading = [leaders for part in series if (leaders := _leading(part))]
    if len(series) == 1:
        said = [f"{leading[0][0].bar} leads, {span(leading[0])}"] if leading else _leaders_by_run(table)
    else:
        said = [f"for {lines[0].series}, {lines[0].bar} leads with {in_words(hull(lines))}" for lines in leading]
    return ": ".join(filter(None, [table["title"].iloc[0], "; ".join(said)]))


def _leaders_by_run(table: pd.DataFrame) -> list[str]:
    """The bars that lead in some of the runs, and in which; nothing if only one ever does."""
    runs: dict[str, list[str]] = {}
    for run, part in table.groupby("run", sort=False):
        if leaders := _leading(part):
            runs.setdefault(leaders[0].bar, []).append(str(run))
    return [f"{bar} leads with {runs_listed(where)}" for bar, where in runs.items()] if len(runs) > 1 else []


def _leading(table: pd.DataFrame) -> list[Line]:
    """The bar of a series that is the highest in every run, clear of the others; empty if there is none."""
    leaders = []
    for _, run in table.groupby("run", sort=False):
        *others, highest = sorted(lines_of(run), key=lambda line: line.best)
        if not others or highest.low <= max(line.high for line in others):
            return []
        leaders.append(highest)
    return leaders if len({line.bar for line in leaders}) == 1 else []


@chart(
    chapter=WHAT_HAPPENS,
    subjects=lambda game: {shown.name: shown for shown in game.breakdowns},
    frame=breakdown_frame,
    words=breakdown_words,
    columns=2,
)
def draw_breakdown(frame: pd.DataFrame, ax: Axes) -> None:
    """A game's own events: bars from zero with intervals, side by side."""
    grouped_bars(frame, ax, ordered if frame["run"].nunique() > 1 else categories)
    ax.set_title(frame["panel"].iloc[0], loc="left", fontweight="bold")


# ---------------------------------------------------------------- what goes with winning
def influence_frame(results: Sequence[Result], shown: Influence) -> pd.DataFrame:
    """How often a seat wins, given a number of its own; all seats of a run are pooled.

    One line for each run, member and number that at least `FEWEST_SEATS` seats had: `value` (the number), `n` (seats of
    all playouts that had it), `wins` (those of them that won), the share of wins (best, low, high) with Wilson's interval
    for independent seats, and `usual` (whether the number lies between the quantiles `USUAL` of the seats). On every
    line: `games` (playouts of the run), `equal` (a seat's share if all seats won equally often), `cut` (the largest share
    of a run's seats that some member leaves out), `top` (the highest end of an interval), `title`, `look_for` and `unit`.
    A line's `panel` is its member.
    """
    pooled = [(label, run, r, *pool(r, prefix)) for label, prefix in shown.members for run, r in frames.named(results)]
    table = pd.DataFrame([line for one in pooled for line in _influence_lines(*one)])
    cut = max((int(seats.totals[seats.totals < FEWEST_SEATS].sum()) / seats.n for _, _, _, seats, _ in pooled), default=0)
    about = {"title": shown.title, "look_for": shown.look_for, "unit": shown.unit, "cut": cut}
    return table.assign(**about, top=table["high"].max()) if len(table) else table


def pool(result: Result, prefix: str) -> tuple[Histogram, list[int]]:
    """The histogram of `prefix.SEAT` over the seats of all playouts, and for each of its values how many of them won."""
    every = [result.tally[f"{prefix}.{seat}"] for seat in range(result.experiment.players)]
    total = sum(every[1:], every[0])
    wins = np.zeros(len(total.counts), np.int64)
    for seat, histogram in enumerate(every):
        first = histogram.low - total.low
        wins[first : first + len(histogram.counts)] += histogram.counts[:, result.tally.outcomes.index(f"wins.{seat}")]
    return total, wins.tolist()


def _influence_lines(label: str, run: str, result: Result, seats: Histogram, wins: Sequence[int]) -> Iterator[dict[str, Any]]:
    low, high = (seats.quantile(share) for share in USUAL)
    about = {"panel": clean(label), "run": run, "games": result.games, "equal": sum(wins) / seats.n}
    for value, n, won in zip(seats.values.tolist(), seats.totals.tolist(), wins, strict=True):
        if n >= FEWEST_SEATS:
            yield {**about, "value": value, "wins": won, "usual": low <= value <= high, **frames.figures(estimate_share(won, n))}


def influence_words(table: pd.DataFrame) -> Words:
    """Around the chart of how often a seat wins, given a number of its own."""
    first, pairs = table.iloc[0], usual_pairs(table)
    alt = "; ".join(f"{low.run}, {low.panel}: {won_at(low)}{f', {won_at(high)}' if low != high else ''}" for low, high in pairs)
    dashed = f" {EQUAL_SHARE}" if table["run"].nunique() == 1 else ""
    drawn = f"The thicker part of a line is where at least eight in ten seats are; the thin upright lines are 95% intervals.{dashed}"
    left_out = f"Numbers that fewer than {FEWEST_SEATS} seats had are left out, at most {percent(first['cut'])} of the seats in a line."
    notes = (drawn, *[left_out] * bool(first["cut"]), POOLED_NOTE, playouts(table.assign(n=table["games"])))
    return Words(f"{first['title']}: {_steepest(pairs)}", first["look_for"], f"{alt}.", notes, first["unit"], "percent of seats that win")


def usual_pairs(table: pd.DataFrame) -> list[tuple[Line, Line]]:
    """For each member and run the lines of the lowest and of the highest number that is usual."""
    parts = [lines_of(part) for _, part in table[table["usual"]].groupby(["panel", "run"], sort=False)]
    return [(part[0], part[-1]) for part in parts]


def _steepest(pairs: Sequence[tuple[Line, Line]]) -> str:
    """Where the share of wins differs most between the usual numbers, of those whose intervals do not overlap."""
    apart = [pair for pair in pairs if pair[0].high < pair[1].low or pair[1].high < pair[0].low]
    if not apart:
        return "between the usual numbers no difference shows"
    low, high = max(apart, key=lambda pair: abs(pair[1].best - pair[0].best))
    return (
        f"{low.panel} goes with the largest difference; with {low.run}, {won_at(low)},"
        f" those with {number(high.value)} win {interval(high)} percent"
    )


def won_at(line: Line) -> str:
    """The share of wins at a number: "seats with 3 cards drawn win 7 to 8 percent of games"."""
    return f"seats with {number(line.value)} {line.unit} win {interval(line)} percent of games"


@chart(
    chapter=WHAT_HAPPENS,
    subjects=lambda game: {shown.name: shown for shown in game.influences},
    frame=influence_frame,
    words=influence_words,
    columns=4,
    height=1.5,
    same_x=False,
)
def draw_influence(frame: pd.DataFrame, ax: Axes) -> None:
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
            target(ax, (line.value, line.low, line.value, line.high), won_at(line), run)
    if len(runs) == 1:
        ax.axhline(frame["equal"].iloc[0], color=INK, linewidth=1.0, linestyle=DASHED, label="equal share", zorder=1.2)
    value_axis(frame, ax)
    ax.set_ylim(0, 1.05 * frame["top"].iloc[0])
    ax.margins(x=0.07)
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    ax.set_title(short(frame["panel"].iloc[0], letters(ax)), loc="left", fontweight="bold")
    legend(ax)
