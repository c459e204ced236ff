"""How the chance of winning moves, as charts, tables and a page, and as a chapter of a balance report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from reports import frames, words
from reports.charts import Chart, grouped_bars, legend, mark, percent_axis, target, told
from reports.quantiles import quantile_estimate
from reports.style import GREY, INK, SOLE, ordered, seats
from reports.words import Words
from simulator.document.figures import in_words, interval
from simulator.document.language import plural
from simulator.stats.estimate import Estimate, estimate_share
from simulator.stats.tally import Histogram
from simulator.studies.curves import POINTS
from simulator.studies.drama import PER_MILLE, RULE_OF_THE_LEAD, dramatic_sentence, headline, run_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from simulator.studies.curves import Curve
    from simulator.studies.drama import Drama

BANDS = ((0.1, 0.9), (0.25, 0.75))
"""Between these quantiles lie the chances of most winners, and of half of them."""

TYPICAL = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Playouts that are so dramatic among all, to be drawn."""


# ---------------------------------------------------------------- tables
def frame(found: Sequence[Drama]) -> pd.DataFrame:
    """Every curve: a line for each playout, turn and side with game, players, playout, turn, side, chance, rollouts and won.

    `chance` is what the side had before the turn; `won` is whether it won in the end.
    """
    parts = [_long(one, curve) for one in found for curve in one.curves]
    return pd.concat(parts, ignore_index=True)


def _long(found: Drama, curve: Curve) -> pd.DataFrame:
    turns, sides = curve.chances.shape
    return pd.DataFrame(
        {
            "game": found.plan.experiment.game.name,
            "players": found.players,
            "playout": curve.playout,
            "turn": np.repeat(np.arange(1, turns + 1), sides),
            "side": np.tile(np.array(found.sides), turns),
            "chance": curve.chances.ravel(),
            "rollouts": curve.rollouts,
            "won": np.tile(np.arange(sides) == (-1 if curve.winner is None else curve.winner), turns),
        }
    )


def _line(found: Drama, label: str, estimate: Estimate) -> dict[str, Any]:
    return {"run": run_of(found), "label": label, **frames.figures(estimate)}


# ---------------------------------------------------------------- charts
def charts(found: Sequence[Drama]) -> list[Chart]:
    """How often the lead passes, how the winner's chance moves, and the most dramatic playout."""
    drawn = [changes_chart(found)]
    won = [one for one in found if one.won]
    if won:
        courses = pd.concat([course_frame(one) for one in won], ignore_index=True)
        columns = 2 if len(won) > 1 else 1
        drawn.append(Chart("drama-courses", courses, course_words(won, courses), draw_course, columns, 2.6))
        dramatic = pd.concat([dramatic_frame(one) for one in won], ignore_index=True)
        coloured = dramatic.assign(sides=max(len(one.sides) for one in won))
        drawn.append(Chart("drama-most", coloured, dramatic_words(won), draw_dramatic, 1, 2.3))
    return drawn


def changes_chart(found: Sequence[Drama]) -> Chart:
    """How many playouts had how many lead changes."""
    table = changes_frame(found)
    return Chart("drama-lead-changes", table, changes_words(found, table), draw_changes, 1, 2.5)


def changes_frame(found: Sequence[Drama]) -> pd.DataFrame:
    """Share of playouts by lead changes: a line for each number of changes and of players."""
    lines = [_line(one, f"{k} lead changes", e) | {"group": k, "hue": run_of(one)} for one in found for k, e in one.changes.items()]
    return pd.DataFrame(lines).assign(panel="")


def draw_changes(table: pd.DataFrame, ax: Axes) -> None:
    """Bars from zero with intervals: a group for each number of lead changes, a colour for each number of players."""
    grouped_bars(table, ax, ordered)


def changes_words(found: Sequence[Drama], table: pd.DataFrame) -> Words:
    """Around the chart of lead changes."""
    alt = "; ".join(f"{one.run}, {one.label}: {in_words(one)}" for one in words.lines_of(table))
    notes = (words.whiskers(table), RULE_OF_THE_LEAD, words.playouts(table))
    return Words(headline(found), "Look for games in which the lead never passes.", f"{alt}.", notes, "lead changes", "percent of games")


def course_frame(found: Drama) -> pd.DataFrame:
    """How the winner's chance moves from the first turn to the end of one number of players' playouts.

    Lines with `what` "winners" hold at each point x the median over playouts (best, low, high) and the ends of BANDS (q0 to q3).
    The others are curves of single playouts: their chance is `best`.
    """
    n, points = len(found.won), np.linspace(0, 1, POINTS)
    lines = []
    for x, column in zip(points, found.courses.T, strict=True):
        counted = Histogram(0, np.bincount(column, minlength=PER_MILLE + 1)[:, None])
        median = quantile_estimate(counted, 0.5, "share")
        ends = {f"q{i}": counted.quantile(q) / PER_MILLE for i, q in enumerate(q for band in BANDS for q in band)}
        parts = {
            "best": median.best / PER_MILLE,
            "low": max(0.0, median.low / PER_MILLE),
            "high": min(1.0, median.high / PER_MILLE),
        }
        lines.append({"what": "winners", "x": x, "n": n} | parts | ends)
    for what, curve in singled_out(found):
        places = np.append(np.arange(curve.turns) / curve.turns, 1.0)
        lines += [{"what": what, "x": x, "best": chance, "n": n} for x, chance in zip(places, [*curve.of_winner, 1.0], strict=True)]
    run = run_of(found)
    return pd.DataFrame(lines).assign(panel=run, run=run, label="the winner's chance, median", kind="share", unit="share")


def singled_out(found: Drama) -> list[tuple[str, Curve]]:
    """Playouts to draw: some between the calmest and the most dramatic, and the most dramatic."""
    ranked = sorted(found.won, key=lambda curve: (curve.lead_changes, -curve.lowest.best))
    typical = [(f"typical {i}", ranked[int(q * (len(ranked) - 1))]) for i, q in enumerate(TYPICAL)]
    return [*typical, *([("dramatic", found.dramatic)] if found.dramatic.winner is not None else [])]


def draw_course(table: pd.DataFrame, ax: Axes) -> None:
    """Bands and the median of all winners, thin lines of single playouts, and the most dramatic one."""
    all_winners, single = table[table["what"] == "winners"], table[table["what"] != "winners"]
    for i, (label, alpha) in enumerate((("8 of 10 winners", 0.2), ("half of the winners", 0.4))):
        ends = (all_winners[f"q{2 * i}"], all_winners[f"q{2 * i + 1}"])
        ax.fill_between(all_winners["x"], *ends, color=SOLE, alpha=alpha, linewidth=0, label=label)
    for what, part in single.groupby("what", sort=False):
        dramatic = what == "dramatic"
        label = "the most dramatic game" if dramatic else "single games" if what == "typical 0" else "_more"
        style: dict[str, Any] = {"color": INK, "linewidth": 1.6} if dramatic else {"color": GREY, "linewidth": 0.7}
        ax.plot(part["x"], part["best"], label=label, **style)
    ax.plot(all_winners["x"], all_winners["best"], color=SOLE, linewidth=2.4, label="median")
    ax.vlines(all_winners["x"], all_winners["low"], all_winners["high"], colors=SOLE, linewidth=1.2)
    for line in words.lines_of(all_winners):
        target(ax, (line.x - 0.02, 0, line.x + 0.02, 1), told(line), line.run)
    ax.set_ylim(0, 1.02)
    percent_axis(ax, 5)
    percent_axis(ax, 5, along=True)
    ax.set_title(table["panel"].iloc[0], loc="left", fontweight="bold")
    legend(ax)


def course_words(found: Sequence[Drama], table: pd.DataFrame) -> Words:
    """Around the chart of the winners' chances."""
    middle = table[(table["what"] == "winners") & np.isclose(table["x"], 0.5)]
    lines = words.lines_of(middle)
    first = lines[0]
    title = f"Half-way through, the winner's chance is {interval(first)} percent in the median with {first.run}"
    alt = "; ".join(
        f"{line.run}, half-way: median {interval(line)} percent, half of them {100 * line.q2:.0f} to {100 * line.q3:.0f} percent"
        for line in lines
    )
    n = "; ".join(f"n = {plural(len(one.won), 'playout')} with {run_of(one)}" for one in found)
    notes = (
        f"The eventual winner's chance before each turn, by {found[0].plan.rollouts:,} nested playouts.",
        "Their noise widens the bands a little.",
        "The upright lines are 95% intervals of the median. Thin grey lines are games between the calmest and the most dramatic.",
        f"{n}.",
    )
    look_for = "Look for a median that climbs late: then games stay open."
    return Words(title, look_for, f"{alt}.", notes, "part of the game that is over", "the winner's chance to win")


def dramatic_frame(found: Drama) -> pd.DataFrame:
    """The most dramatic playout: a line for each turn and side with x, best, low and high."""
    curve, lines = found.dramatic, []
    run = f"{run_of(found)}: playout {curve.playout}"
    for side, name in enumerate(found.sides):
        for turn, chance in enumerate(curve.chances[:, side], 1):
            estimate = estimate_share(round(float(chance) * curve.rollouts), curve.rollouts)
            lines.append(_line(found, f"before turn {turn}", estimate) | {"x": turn, "side": name, "series": name})
    return pd.DataFrame(lines).assign(panel=run)


def draw_dramatic(table: pd.DataFrame, ax: Axes) -> None:
    """Everybody's chance before each turn, with intervals as bands."""
    sides = list(table["side"].unique())
    for side, colour in zip(sides, seats(int(table["sides"].iloc[0])), strict=False):  # the same in all panels
        part = table[table["side"] == side]
        run = part["run"].iloc[0]
        ax.fill_between(part["x"], part["low"], part["high"], color=colour, alpha=0.25, linewidth=0)
        (line,) = ax.plot(part["x"], part["best"], "o-", color=colour, linewidth=1.6, markersize=2.5, label=side)
        mark(line, run=run)
        for one in words.lines_of(part):
            target(ax, (one.x - 0.4, one.low, one.x + 0.4, one.high), told(one), run)
    ax.set_ylim(0, 1.02)
    percent_axis(ax, 5)
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    ax.set_title(table["panel"].iloc[0], loc="left", fontweight="bold")
    legend(ax)


def dramatic_words(found: Sequence[Drama]) -> Words:
    """Around the chart of the most dramatic playouts."""
    first = found[0]
    title = f"The most dramatic game with {run_of(first)}: {plural(first.dramatic.lead_changes, 'lead change')}"
    alt = "; ".join(dramatic_sentence(one) for one in found)
    notes = (
        f"Before each turn by {first.dramatic.rollouts:,} nested playouts that had no part in choosing the game.",
        "The bands are their 95% intervals.",
    )
    return Words(title, "Look for the turns at which it tips.", alt, notes, "turn", "chance to win")
