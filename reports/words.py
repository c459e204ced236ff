"""What all sentences of a report share. A difference is claimed only where intervals do not overlap."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from simulator.document.figures import MOST_DIGITS, TEXT, Style, digits_of, in_words, interval
from simulator.document.language import listed, plural

Line = Any
"""A named tuple from `lines_of`, with run, kind, unit, best, low, high and n."""

COARSE = {"minutes": 1, "rounds": 2}
"""Units that nobody at a table tells more finely, and their decimals at most."""

BARS = "Bars start at zero"
EQUAL_SHARE = "The dashed line is an equal share of the games that somebody wins."


@dataclass(frozen=True)
class Words:
    """What is said around a chart.

    Attributes:
        title: what it shows, with numbers.
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


def lines_of(table: pd.DataFrame) -> list[Line]:
    """The rows of a frame as named tuples; `DataFrame.itertuples` does the same in several times the time."""
    line = namedtuple("line", table.columns, rename=True)  # type: ignore[misc]  # noqa: PYI024  the columns are known at run time only
    return [line(*row) for row in zip(*(table[name].tolist() for name in table.columns), strict=True)]


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


def whiskers(table: pd.DataFrame, drawn: str = BARS) -> str:
    """What the thin lines of a chart are: intervals, or confidence sequences where a run stopped when it liked."""
    sequential = "sequential" in table and table["sequential"].any()
    return f"{drawn}; the thin lines are 95% {'confidence sequences' if sequential else 'intervals'}."
