"""Numbers and findings in plain words. A difference is claimed only where intervals do not overlap."""

from __future__ import annotations

import math
import re
from collections import namedtuple
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports.frames import FEWEST_SEATS
from simulator.document.figures import (
    MOST_DIGITS,
    TEXT,
    Style,
    between,
    decimals,
    digits_of,
    figure,
    in_words,
    interval,
    is_whole,
    known,
    number,
    percent,
)
from simulator.document.language import listed, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from simulator.stats.estimate import Estimate

Line = Any
"""A named tuple from `DataFrame.itertuples`, with run, kind, unit, best, low, high and n."""

COARSE = {"minutes": 1, "rounds": 2}
"""Units that nobody at a table tells more finely, and their decimals at most."""


@dataclass(frozen=True)
class Words:
    """What is said around a chart.

    Attributes:
        title: the finding, with numbers.
        look_for: one sentence that says what to look for.
        alt: the chart's numbers in words, for those who cannot see it.
        notes: what else has to be known, such as what the axis leaves out.
        x, y: labels of the axes.
    """

    title: str
    look_for: str
    alt: str
    notes: tuple[str, ...]
    x: str
    y: str


def coarse(line: Line, style: Style = TEXT) -> Style:
    """How an estimate of how long a game lasts is written, or of anything else that a game counts; see COARSE."""
    return style.with_digits(min(digits_of(line, style), COARSE.get(line.unit, MOST_DIGITS)))


def span(lines: Sequence[Line], insert: str = "") -> str:
    """The lowest and the highest of several runs' estimates, or their common range where their intervals overlap.

    Args:
        lines: one for each run.
        insert: what comes behind the first interval, such as " on average".
    """
    low, high = min(lines, key=lambda line: line.best), max(lines, key=lambda line: line.best)
    if len(lines) == 1:
        return f"{in_words(low)}{insert} with {low.run}"
    if low.high < high.low:
        first, second = sorted((low, high), key=lines.index)
        return _apart(first, second, insert)
    if low.low == high.high:
        return f"{in_words(low)}{insert} in every run"
    return f"{in_words(hull(lines))}{insert}; the intervals of the lowest and highest run overlap"


def _apart(first: Line, second: Line, insert: str) -> str:
    """Two intervals that do not overlap, the coarser with at most one decimal less."""
    most = max(digits_of(first), digits_of(second))
    one, other = (TEXT.with_digits(min(most, digits_of(line) + 1)) for line in (first, second))
    percents = " percent" if first.kind == "share" else ""
    return f"{in_words(first, one)}{insert} with {first.run} and {interval(second, other)}{percents} with {second.run}"


def hull(lines: Sequence[Line]) -> Line:
    """The first line with an interval that holds those of all."""
    return lines[0]._replace(low=min(line.low for line in lines), high=max(line.high for line in lines))


def lines_of(table: pd.DataFrame) -> list[Line]:
    """The rows of a frame as named tuples; `DataFrame.itertuples` does the same in several times the time."""
    line = namedtuple("line", table.columns, rename=True)  # type: ignore[misc]  # noqa: PYI024  the columns are known at run time only
    return [line(*row) for row in zip(*(table[name].tolist() for name in table.columns), strict=True)]


def inside(label: str) -> str:
    """A label as it stands inside a sentence.

    >>> inside("Seat 0 wins"), inside("The Grinch wins"), inside("VP of the leader")
    ('seat 0 wins', 'the Grinch wins', 'VP of the leader')
    """
    return label if label[1:2].isupper() else f"{label[:1].lower()}{label[1:]}"


def runs_listed(runs: Sequence[str]) -> str:
    """Runs in a row; what they all end in is said once.

    >>> runs_listed(["2 players"]), runs_listed(["2 players", "3 players", "4 players"]), runs_listed(["a", "b"])
    ('2 players', '2, 3 and 4 players', 'a and b')
    """
    end = " players" if all(re.fullmatch(r"\d+ players", run) for run in runs) else ""
    return listed([run.removesuffix(end) for run in runs]) + end


def playouts(table: pd.DataFrame) -> str:
    """How many playouts stand behind each run of a frame."""
    counts = table.drop_duplicates("run").set_index("run")["n"]
    if len(set(counts)) == 1:
        each = " in each run" if len(counts) > 1 else ""
        return f"n = {plural(int(counts.iloc[0]), 'playout')}{each}."
    return f"Playouts: {'; '.join(f'n = {n:,} with {run}' for run, n in counts.items())}."


LOOK_FOR_SEATS = "Look for a seat whose thin line misses the equal share."
LOOK_FOR_RUNS = "Look for how the bars change from run to run, and believe it where their thin lines do not overlap."
LOOK_FOR_ONE = "Look for how long the thin lines are: more playouts shorten them."
EQUAL_SHARE = "The dashed line is an equal share of the games that somebody wins."
TOGETHER = "words call a seat different only if it still is when all seats of all runs are tested together, with Bonferroni's correction."
SEATS_NOTE = f"{EQUAL_SHARE} The intervals of a run hold all at once (Goodman's); {TOGETHER}"
SEATS_NOTE_SEQUENTIAL = f"{EQUAL_SHARE} The intervals of a run hold all at once, whenever it stops; {TOGETHER}"
BARS = "Bars start at zero"
NOTHING_KNOWN = "No game finished, so nothing is known of who wins"


def whiskers(table: pd.DataFrame, drawn: str = BARS) -> str:
    """What the thin lines of a chart are: intervals, or confidence sequences where a run stopped when it liked."""
    sequential = "sequential" in table and table["sequential"].any()
    return f"{drawn}; the thin lines are 95% {'confidence sequences' if sequential else 'intervals'}."


def verdict(table: pd.DataFrame) -> Words:
    """Around the chart of the outcomes that a report opens with."""
    seats = table["equal"].notna().any()
    ended = table[table["finished"]]
    title = NOTHING_KNOWN if ended.empty else seats_finding(ended) if seats else outcome_finding(ended)
    look_for = LOOK_FOR_SEATS if seats else LOOK_FOR_RUNS if len(set(table["run"])) > 1 else LOOK_FOR_ONE
    alt = "; ".join(f"{line.run}: {line.label}, {in_words(line)}" for line in lines_of(table))
    notes = [whiskers(table, "Dots are shares of wins" if seats and table["hue"].nunique() > 1 else BARS), playouts(table)]
    if seats:
        notes.insert(1, SEATS_NOTE_SEQUENTIAL if table["sequential"].any() else SEATS_NOTE)
    return Words(title, look_for, f"{alt}.", tuple(notes), "", "percent of games")


def outcome_finding(table: pd.DataFrame) -> str:
    """How often the first of the outcomes came about."""
    opening = table[table["opens"]]
    first = lines_of(opening[opening["metric"] == opening["metric"].iloc[0]])
    return f"{first[0].label} in {span(first)}"


def seats_finding(table: pd.DataFrame) -> str:
    """The seat farthest from an equal share among those that stand out, and who moves first."""
    off, seat_0 = lines_of(table[table["stands_out"]]), table[table["equal"].notna()]["label"].iloc[0]
    opener = f"{inside(seat_0.removesuffix(' wins'))} moves first"
    if not off:
        return f"No seat stands out from an equal share of the wins; {opener}"
    farthest = max(off, key=lambda line: abs(line.best - line.equal) / line.equal)
    return f"{farthest.label} in {in_words(farthest)} with {farthest.run}; an equal share is {percent(farthest.equal)}; {opener}"


def sentence(opening: pd.DataFrame) -> str:
    """How one run ended, in plain words.

    Args:
        opening: lines of its outcomes, with `equal` and where that is a number `stands_out`.
    """
    lines = lines_of(opening)
    if len(lines) == 1:
        told = f"{inside(lines[0].label)} in {in_words(lines[0])} (best estimate {figure(lines[0])})"
    else:
        told = f"{', '.join(f'{inside(line.label)} in {interval(line)}' for line in lines)} percent of games"
    if opening["equal"].notna().any():
        told += f"; {_against_equal(lines)}"
    return f"With {lines[0].run}: {told}. {plural(lines[0].n, 'playout')}."


def advantage(estimate: Estimate | None) -> str:
    """What it is worth to go first, as a sentence to follow another; empty where nobody does."""
    if estimate is None or not math.isfinite(estimate.high):
        return ""
    low, high = 100 * estimate.low, 100 * estimate.high
    if low <= 0 <= high:
        return f" Going first makes no difference that shows: {between(low, high)} percentage points."
    worth = "more" if low > 0 else "less"
    return f" Going first wins {between(min(abs(low), abs(high)), max(abs(low), abs(high)))} percentage points {worth} than an equal share."


def _against_equal(lines: Sequence[Line]) -> str:
    above = ", ".join(inside(line.label) for line in lines if line.stands_out and line.best > line.equal)
    below = ", ".join(inside(line.label) for line in lines if line.stands_out and line.best < line.equal)
    sides = [f"more often: {above}"] * bool(above) + [f"less often: {below}"] * bool(below)
    return f"an equal share is {percent(lines[0].equal)} ({'; '.join(sides) or 'no seat stands out'})"


def unfinished(table: pd.DataFrame) -> str:
    """How many playouts the turn cap ended; empty if it ended none."""
    some = lines_of(table[(table["metric"] == "unfinished") & (table["best"] > 0)])
    if not some:
        return ""
    told = ", ".join(f"{in_words(line)} with {line.run}" for line in some)
    return f"The turn cap ended some games unfinished: {told}. They are nobody's win, and they make the mean of the turns too low."


def advantages(table: pd.DataFrame) -> Words:
    """Around the chart of what going first is worth."""
    lines = lines_of(table)
    sure = [line for line in lines if line.low > 0 or line.high < 0]
    title = "Going first makes no difference that shows"
    if sure:
        most = max(sure, key=lambda line: abs(line.best))
        more = "more" if most.best > 0 else "less"
        low, high = sorted((abs(most.low), abs(most.high)))
        title = f"Going first wins {between(low, high)} percentage points {more} than an equal share with {most.run}"
    alt = "; ".join(f"{line.run}: {in_words(line)}" for line in lines)
    notes = (whiskers(table, "The line at zero is an equal share of the games that somebody wins"), playouts(table))
    look_for = "Look for points whose thin line misses zero."
    return Words(title, look_for, f"{alt}.", notes, "", "percentage points\nabove an equal share")


def paced(table: pd.DataFrame) -> bool:
    """Whether lengths can be told in minutes."""
    return bool(table["pace"].notna().all())


def minutes(turns: float, line: Line) -> str:
    """A number of turns in minutes, without the word."""
    value = turns * line.pace / 60
    return number(value, 0 if is_whole(round(value, 9)) else 1)


def roughly(value: float) -> str:
    """A number that is not known well, with two digits or as a whole number.

    >>> roughly(13.04), roughly(2.69), roughly(9.96), roughly(123), roughly(0.0449)
    ('13', '2.7', '10', '123', '0.045')
    """
    digits = max(0, 1 - math.floor(math.log10(value))) if value > 0 else 0
    text = number(value, min(digits, MOST_DIGITS))
    return text.rstrip("0").rstrip(".") if "." in text else text


def minutes_ends(low: float, high: float, line: Line) -> str:
    """An interval of turns in minutes, with a decimal at most: nobody's watch is more exact than the pace."""
    first, last = low * line.pace / 60, high * line.pace / 60
    return between(first, last, TEXT.with_digits(min(decimals(first, last), 1)))


def turns_between(line: Line, name: str) -> str:
    """The interval of a quantile in turns, such as "40 to 41"; an end beyond all that was seen is called so."""
    low, high = getattr(line, f"{name}_low"), getattr(line, f"{name}_high")
    if not math.isfinite(low):
        return f"at most {number(high)}" if math.isfinite(high) else "interval unknown"
    return between(low, high, TEXT.with_digits(0)) if math.isfinite(high) else f"{number(low)} to beyond the longest seen"


def tail(line: Line) -> str:
    """How long the long games of a run are: "at most 1 game in 20 lasts longer than 41 turns (40 to 41), ..."."""
    told = [
        f"at most 1 game in {rare} lasts longer than {number(getattr(line, name))} turns ({turns_between(line, name)}"
        f"{f'; {minutes(getattr(line, name), line)} minutes' if math.isfinite(line.pace) else ''})"
        for rare, name in ((20, "q95"), (100, "q99"))
    ]
    return f"{line.run}: half of the games last at most {number(line.median)} turns ({turns_between(line, 'median')}), {', '.join(told)}"


def minutes_of(line: Line) -> Line:
    """A mean number of turns in minutes."""
    factor = line.pace / 60
    return line._replace(low=factor * line.low, best=factor * line.best, high=factor * line.high, unit="minutes")


def rounds_of(line: Line) -> Line:
    """The mean number of rounds of the same run."""
    return line._replace(low=line.rounds_low, best=line.rounds_best, high=line.rounds_high, unit="rounds")


def duration_sentence(line: Line) -> str:
    """How long the games of one run last, in turns, rounds and minutes, and how long the long ones are."""
    rounds = rounds_of(line)
    told = f"With {line.run}: a game lasts {in_words(line)} on average, {interval(rounds, coarse(rounds))} rounds"
    if math.isfinite(line.pace) and known(line):
        told += f", {minutes_ends(line.low, line.high, line)} minutes {line.at_pace}"
    return f"{told}; at most 1 game in 20 lasts longer than {number(line.q95)} turns ({turns_between(line, 'q95')})."


def durations(table: pd.DataFrame) -> Words:
    """Around the chart of the long tail."""
    lines = lines_of(table)
    longest = max(lines, key=lambda line: line.q95)
    title = f"At most 1 game in 20 lasts longer than {number(longest.q95)} turns with {longest.run}"
    if paced(table):
        title = f"At most 1 game in 20 lasts longer than {minutes(longest.q95, longest)} minutes {longest.at_pace} with {longest.run}"
    alt = "; ".join(f"{tail(line)}, longest seen {number(line.most)} turns" for line in lines)
    most = "; ".join(f"{number(line.most)} turns with {line.run}" for line in lines)
    drawn = "A bar holds 9 games in 10, without the shortest and the longest twentieth; the gap in it is the median."
    notes = (drawn, "The intervals stand in the table of the long tail.", f"Longest seen, not drawn: {most}.", playouts(table))
    look_for = "Look for how far the line reaches beyond the bar: those are the evenings that drag on."
    return Words(title, look_for, f"{alt}.", notes, f"minutes, {longest.at_pace}" if paced(table) else "turns", "")


def in_bin(line: Line) -> str:
    """What is told at a bin of a histogram."""
    last = line.left + line.width - 1
    values = between(line.left, last, TEXT.with_digits(0))
    share = line._replace(kind="share", low=line.bin_low, best=line.bin_share, high=line.bin_high)
    return f"{line.run}, {values} {line.unit}: {figure(share)} ({in_words(share)}), n = {int(line.n):,}"


def lengths(table: pd.DataFrame) -> Words:
    """Around the chart of how long games last."""
    runs = lines_of(table.drop_duplicates("run"))
    title = f"A game lasts {span(runs, ' on average')}"
    look_for = "Look for a long tail to the right, and for games that end before they have begun."
    notes = (*_distribution_notes(runs), playouts(table))
    return Words(title, look_for, _alt(runs), notes, f"{runs[0].unit}{_steps(runs[0])}", "percent of games")


def closeness(table: pd.DataFrame) -> Words:
    """Around the chart of how close games are."""
    runs = lines_of(table.drop_duplicates("run"))
    title = f"{runs[0].label}: {span(runs, ' on average')}"
    where = "near the dashed line at zero" if shows_zero(runs[0]) else f"at the {'left' if runs[0].first > 0 else 'right'} end"
    look_for = f"Look for how much lies {where}: the nearer to zero, the closer the game."
    nearest = min(r.nearest for r in runs)
    level = [(r, r._replace(kind="share", low=r.zero_low, best=r.zero, high=r.zero_high)) for r in runs if r.zero]
    zero = "; ".join(f"{in_words(share)} with {r.run}" for r, share in level)
    notes = (
        *[runs[0].about] * bool(runs[0].about),
        *[f"Games at exactly zero: {zero}."] * bool(zero),
        *[f"The closest game that came to an end is at {number(nearest)}."] * (0 < nearest < math.inf),
        *_distribution_notes(runs),
        playouts(table),
    )
    x = f"{runs[0].label.lower()} ({runs[0].unit}){_steps(runs[0])}"
    return Words(title, look_for, _alt(runs), notes, x, "percent of games")


def shows_zero(line: Line) -> bool:
    """Whether the axis of a distribution has zero on it."""
    return bool(line.first <= 0 <= line.last)


def _alt(runs: Sequence[Line]) -> str:
    each = [
        f"{r.run}: mean {in_words(r)}, median {number(r.median)}, half of the games between {number(r.q25)} and {number(r.q75)},"
        f" nine in ten between {number(r.q05)} and {number(r.q95)}, all between {number(r.least)} and {number(r.most)}"
        for r in runs
    ]
    return f"{'; '.join(each)}."


def _steps(line: Line) -> str:
    return "" if line.width == 1 else f", {line.width} to a step"


def _distribution_notes(runs: Sequence[Line]) -> list[str]:
    cut = [f"{percent(r.below)} with {r.run} are lower, down to {number(r.least)}" for r in runs if r.below]
    cut += [f"{percent(r.above)} with {r.run} are higher, up to {number(r.most)}" for r in runs if r.above]
    return (
        [f"The axis shows {between(runs[0].first, runs[0].last, TEXT.with_digits(0))} {runs[0].unit}; of the games, {'; '.join(cut)}."]
        if cut
        else []
    )


def breakdown(table: pd.DataFrame) -> Words:
    """Around a chart of a game's own events."""
    first = table.iloc[0]
    alt = "; ".join(f"{line.run}, {_of(line.series)}{line.bar}: {in_words(line)}" for line in lines_of(table))
    units = ", ".join(table["unit"].map(lambda unit: "percent of games" if unit == "share" else f"{unit} a game").unique())
    return Words(_leaders(table), first["look_for"], f"{alt}.", (whiskers(table), playouts(table)), "", units)


def _leaders(table: pd.DataFrame) -> str:
    """The breakdown's title, and for each series the bar that leads in every run, where there is one."""
    series = [part for _, part in table.groupby("series", sort=False)]
    found = [leading for part in series if (leading := _leading(part))]
    if len(series) == 1:
        told = [f"{found[0][0].bar} leads, {span(found[0])}"] if found else _leaders_by_run(table)
    else:
        told = [f"for {lines[0].series}, {lines[0].bar} leads with {in_words(hull(lines))}" for lines in found]
    return ": ".join(filter(None, [table["title"].iloc[0], "; ".join(told)]))


def _leaders_by_run(table: pd.DataFrame) -> list[str]:
    """The bars that lead in some of the runs, and in which; nothing if only one ever does."""
    runs: dict[str, list[str]] = {}
    for run, part in table.groupby("run", sort=False):
        if found := _leading(part):
            runs.setdefault(found[0].bar, []).append(str(run))
    return [f"{bar} leads with {runs_listed(where)}" for bar, where in runs.items()] if len(runs) > 1 else []


def _of(series: str) -> str:
    return f"{series}, " if series else ""


def _leading(table: pd.DataFrame) -> list[Line]:
    """The bar of a series that is the highest in every run, clear of the others; empty if there is none."""
    leaders = []
    for _, run in table.groupby("run", sort=False):
        *others, highest = sorted(lines_of(run), key=lambda line: line.best)
        if not others or highest.low <= max(line.high for line in others):
            return []
        leaders.append(highest)
    return leaders if len({line.bar for line in leaders}) == 1 else []


POOLED_NOTE = (
    "The seats of all playouts are pooled. Those of one game are not independent, since at most one of them wins; the"
    " intervals take them as if they were. What goes with winning need not be its cause: in a longer game there is more"
    " of everything, so the length of the game is in these lines too."
)


def influence(table: pd.DataFrame) -> Words:
    """Around the chart of how often a seat wins, given a number of its own."""
    first, pairs = table.iloc[0], usual_pairs(table)
    alt = "; ".join(f"{low.run}, {low.panel}: {won_at(low)}{f', {won_at(high)}' if low != high else ''}" for low, high in pairs)
    dashed = " The dashed line is an equal share of the games that somebody wins." if len(set(table["run"])) == 1 else ""
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
