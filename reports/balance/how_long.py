"""How long it lasts: turns, rounds and minutes, and the long tail."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from reports import frames
from reports.balance import histograms
from reports.balance.cells import estimate_cell
from reports.charts import Chart, chart, legend, letters, mark, target
from reports.quantiles import quantile_estimate
from reports.style import INK, PAPER, SIZE, SOLE
from reports.words import Line, Words, coarse, inside, lines_of, playouts, span
from simulator.document.chapters import HOW_LONG, Cell, Chapter, Table
from simulator.document.figures import MOST_DIGITS, TEXT, between, decimals, in_words, interval, is_whole, known, number, percent
from simulator.document.language import clean, short
from simulator.play.run import Result

TAILS = {"median": 0.5, "q95": 0.95, "q99": 0.99}
"""Columns of the quantiles that tell how long the long games are."""

STATED = "stated for this report"
"""Where a pace comes from that the reader has given."""

ROUNDS = "rounds"
"""The metric of a game that counts its own rounds."""


def chapter(results: Sequence[Result], charts: tuple[Chart, ...]) -> Chapter:
    """How long games last, with the long tail."""
    lines = lines_of(durations_frame(results))
    game = results[0].experiment.game
    pace = "No pace is known: --pace SECONDS tells how long a turn takes, and the report then speaks of minutes."
    if game.seconds_per_turn is not None:
        pace = f"Minutes are turns at {game.seconds_per_turn:g} seconds each ({game.pace_note}); --pace SECONDS states another pace."
    capped = [
        f"With {line.run} the turn cap ended {percent(line.capped)} of games; they count with the turns they had."
        for line in lines
        if line.capped
    ]
    ends = "confidence sequences" if any(r.sequential for r in results) else "order statistics"
    quantiles = f"The intervals of lengths that few games exceed are {ends}, free of any distribution."
    return Chapter(
        HOW_LONG,
        "How long it lasts",
        "Look for the games that nobody would finish: what 1 table in 20 sits through.",
        tuple(duration_sentence(line) for line in lines),
        charts,
        (means_table(lines), tail_table(lines)),
        (f"{pace} {round_note(results)}", *capped, quantiles),
    )


def round_note(results: Sequence[Result]) -> str:
    """What a round is: what the game counts as one, or else as many turns as there are players."""
    counted = [m.description for m in results[0].experiment.metrics if m.name == ROUNDS]
    if not counted:
        return "Rounds are turns divided by players."
    return ": ".join(filter(None, ["Rounds are as the game counts them", inside(clean(counted[0]))])).rstrip(".") + "."


def means_table(lines: Sequence[Line]) -> Table:
    """Mean lengths in turns, rounds and, where a pace is known, minutes."""
    units = {"Turns": lambda line: line, "Rounds": rounds_of} | ({"Minutes": minutes_of} if paced(lines) else {})
    rows = tuple((line.run, *(estimate_cell(unit(line)) for unit in units.values())) for line in lines)
    runs = tuple(line.run for line in lines)
    return Table("On average", pace_note(lines), ("Run", *units), rows, frozenset(range(1, 1 + len(units))), rows_of=runs, name="lengths")


def pace_note(lines: Sequence[Line]) -> str:
    """At which pace minutes are told; empty where no pace is known."""
    return f"Minutes are {lines[0].at_pace}." if lines[0].at_pace else ""


def tail_table(lines: Sequence[Line]) -> Table:
    """The lengths that half of the games, 1 in 20 and 1 in 100 exceed at most."""
    rows = []
    for line in lines:
        cells = [Cell(number(getattr(line, name)), "; ".join([turns_between(line, name), *in_minutes(line, name)])) for name in TAILS]
        rows.append((line.run, *cells, Cell(number(line.most), "".join(in_minutes(line, "most")))))
    columns = ("Run", *(f"{which}, turns" for which in ("Half of the games", "1 game in 20", "1 game in 100", "Longest seen")))
    note = f"At most so many games last longer. {pace_note(lines)}".strip()
    runs = tuple(line.run for line in lines)
    return Table("The long tail", note, columns, tuple(rows), frozenset({1, 2, 3, 4}), rows_of=runs, name="long-tail")


# ---------------------------------------------------------------- frame
def at_pace(results: Sequence[Result], seconds: float | None) -> list[Result]:
    """The results, as if a turn took so many seconds; as they are if that is None."""
    if seconds is None:
        return list(results)
    stated: dict[str, Any] = {"seconds_per_turn": seconds, "pace_note": STATED}
    return [replace(r, experiment=replace(r.experiment, game=replace(r.experiment.game, **stated))) for r in results]


def durations_frame(results: Sequence[Result], _subject: object = None) -> pd.DataFrame:
    """How long games last and how long the long ones are, a line for each run.

    Columns: as `frames.estimated` for the mean number of turns; TAILS with their ends (`q95_low`, `q95_high`); `q05`, the
    length that 19 in 20 games exceed; `most`, the longest seen; `capped`, the share of playouts
    that the turn cap ended; the mean number of rounds (`rounds_best`, `rounds_low`, `rounds_high`); `pace` (seconds a turn,
    not a number where nobody says) and `at_pace`, its name ("at an assumed 30 s a turn"). All other lengths are in turns.
    """
    table = frames.estimated(results)
    table = table[table["metric"] == "turns"].assign(panel="").reset_index(drop=True)
    return table.join(pd.DataFrame([_lengths(r) for r in results]))


def _lengths(result: Result) -> dict[str, Any]:
    turns, game, line = result.tally["turns"], result.experiment.game, dict[str, Any]()
    for name, share in TAILS.items():
        quantile = quantile_estimate(turns, share, "turns", sequential=result.sequential)
        line |= {name: quantile.best, f"{name}_low": quantile.low, f"{name}_high": quantile.high}
    line |= {"q05": turns.quantile(0.05), "most": max(turns.as_dict()), "capped": result.unfinished / result.games}
    estimate, each = result.estimates.get(ROUNDS), 1
    if estimate is None:
        estimate, each = result.estimates["turns"], result.experiment.players
    line |= {f"rounds_{end}": getattr(estimate, end) / each for end in ("best", "low", "high")}
    if game.seconds_per_turn is None:
        return line | {"pace": math.nan, "at_pace": ""}
    whose = "your " if game.pace_note == STATED else "an assumed " if game.pace_note.startswith("assumed") else ""
    return line | {"pace": game.seconds_per_turn, "at_pace": f"at {whose}{game.seconds_per_turn:g} s a turn"}


# ---------------------------------------------------------------- sentences
def duration_sentence(line: Line) -> str:
    """How long the games of one run last, in turns, rounds and minutes, and how long the long ones are."""
    rounds = rounds_of(line)
    lasts = f"With {line.run}: a game lasts {in_words(line)} on average, {interval(rounds, coarse(rounds))} rounds"
    if math.isfinite(line.pace) and known(line):
        lasts += f", {minutes_ends(line)} minutes {line.at_pace}"
    return f"{lasts}; at most 1 game in 20 lasts longer than {number(line.q95)} turns ({turns_between(line, 'q95')})."


def paced(lines: Sequence[Line]) -> bool:
    """Whether lengths can be told in minutes."""
    return all(math.isfinite(line.pace) for line in lines)


def minutes(turns: float, line: Line) -> str:
    """A number of turns in minutes, without the word."""
    value = turns * line.pace / 60
    return number(value, 0 if is_whole(round(value, 9)) else 1)


def in_minutes(line: Line, name: str) -> list[str]:
    """A length in minutes to stand behind one in turns; nothing where no pace is known."""
    return [f"{minutes(getattr(line, name), line)} minutes"] if math.isfinite(line.pace) else []


def roughly(value: float) -> str:
    """A number that is not known well, with two digits or as a whole number.

    >>> roughly(13.04), roughly(2.69), roughly(9.96), roughly(123), roughly(0.0449)
    ('13', '2.7', '10', '123', '0.045')
    """
    digits = max(0, 1 - math.floor(math.log10(value))) if value > 0 else 0
    text = number(value, min(digits, MOST_DIGITS))
    return text.rstrip("0").rstrip(".") if "." in text else text


def minutes_ends(line: Line) -> str:
    """The interval of the mean in minutes, with a decimal at most: nobody's watch is more exact than the pace."""
    first, last = line.low * line.pace / 60, line.high * line.pace / 60
    return between(first, last, TEXT.with_digits(min(decimals(first, last), 1)))


def turns_between(line: Line, name: str) -> str:
    """The interval of a quantile in turns, such as "40 to 41"; an end beyond all that was seen is called so."""
    low, high = getattr(line, f"{name}_low"), getattr(line, f"{name}_high")
    if not math.isfinite(low):
        return f"at most {number(high)}" if math.isfinite(high) else "interval unknown"
    return between(low, high, TEXT.with_digits(0)) if math.isfinite(high) else f"{number(low)} to beyond the longest seen"


def tail(line: Line) -> str:
    """How long the long games of a run are: "at most 1 game in 20 lasts longer than 41 turns (40 to 41), ..."."""
    longer = [
        f"at most 1 game in {rare} lasts longer than {number(getattr(line, name))} turns"
        f" ({'; '.join([turns_between(line, name), *in_minutes(line, name)])})"
        for rare, name in ((20, "q95"), (100, "q99"))
    ]
    return f"{line.run}: half of the games last at most {number(line.median)} turns ({turns_between(line, 'median')}), {', '.join(longer)}"


def minutes_of(line: Line) -> Line:
    """A mean number of turns in minutes."""
    factor = line.pace / 60
    return line._replace(low=factor * line.low, best=factor * line.best, high=factor * line.high, unit="minutes")


def rounds_of(line: Line) -> Line:
    """The mean number of rounds of the same run."""
    return line._replace(low=line.rounds_low, best=line.rounds_best, high=line.rounds_high, unit="rounds")


# ---------------------------------------------------------------- charts
def lengths_words(table: pd.DataFrame) -> Words:
    """Around the chart of how long games last."""
    runs = lines_of(table.drop_duplicates("run"))
    look_for = "Look for a long tail to the right, and for games that end before they have begun."
    notes = (*histograms.left_out(runs), playouts(table))
    x = f"{runs[0].unit}{histograms.steps(runs[0])}"
    return Words(f"A game lasts {span(runs, ' on average')}", look_for, histograms.alt(runs), notes, x, "percent of games")


@chart(
    chapter=HOW_LONG,
    subjects=lambda _game: {"lengths": "turns"},
    frame=histograms.distribution,
    words=lengths_words,
    height=0.72,
)
def draw_lengths(frame: pd.DataFrame, ax: Axes) -> None:
    """How long games last: a histogram with the median as a line."""
    bins = frame.drop_duplicates("left").sort_values("left")
    ax.stairs(bins["bin_share"], histograms.edges(bins), fill=True, color=SOLE)
    ax.axvline(frame["median"].iloc[0], color=INK, linewidth=1.2)
    histograms.finish(frame, ax)


def durations_words(table: pd.DataFrame) -> Words:
    """Around the chart of the long tail."""
    lines = lines_of(table)
    longest = max(lines, key=lambda line: line.q95)
    far = f"{minutes(longest.q95, longest)} minutes {longest.at_pace}" if paced(lines) else f"{number(longest.q95)} turns"
    alt = "; ".join(f"{tail(line)}, longest seen {number(line.most)} turns" for line in lines)
    most = "; ".join(f"{number(line.most)} turns with {line.run}" for line in lines)
    drawn = "A bar holds 9 games in 10, without the shortest and the longest twentieth; the gap in it is the median."
    return Words(
        f"At most 1 game in 20 lasts longer than {far} with {longest.run}",
        "Look for how far the line reaches beyond the bar: those are the evenings that drag on.",
        f"{alt}.",
        (drawn, "The intervals stand in the table of the long tail.", f"Longest seen, not drawn: {most}.", playouts(table)),
        f"minutes, {longest.at_pace}" if paced(lines) else "turns",
        "",
    )


@chart(
    chapter=HOW_LONG,
    subjects=lambda _game: {"durations": None},
    frame=durations_frame,
    words=durations_words,
    height=lambda frame: 0.42 * len(frame) + 0.1,
)
def draw_durations(frame: pd.DataFrame, ax: Axes) -> None:
    """The long tail: for each run a bar over nine games in ten, the median in it, and the lengths that few games exceed."""
    lines = lines_of(frame)
    scale = lines[0].pace / 60 if paced(lines) else 1.0
    ax.grid(visible=True, axis="x")
    ax.grid(visible=False, axis="y")
    for place, line in enumerate(lines):
        _draw_tail(ax, place, line, scale)
    ax.set_yticks([])
    ax.set_ylim(len(frame) - 0.45, -0.6)
    ax.set_xlim(0, 1.06 * scale * max(1, frame["q99"].max()))
    ax.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 2.5, 5, 10]))
    legend(ax)


def _draw_tail(ax: Axes, place: int, line: Line, scale: float) -> None:
    drawn: dict[str, Any] = {"linestyle": "none", "color": INK, "markersize": 9}
    y = place + 0.12
    parts: list[Any] = [*ax.barh(y, scale * (line.q95 - line.q05), 0.34, scale * line.q05, color=SOLE, label="9 games in 10")]
    parts.append(ax.hlines(y, scale * line.q95, scale * line.q99, colors=INK, linewidth=1.2))
    parts += ax.plot(scale * line.median, y, "|", markeredgewidth=2.6, **drawn | {"color": PAPER, "markersize": 11})
    parts += ax.plot(scale * line.q99, y, "|", markeredgewidth=1.6, label="at most 1 game in 100 lasts longer", **drawn)
    name, corner = short(line.run, letters(ax) - 2), (0.004, place - 0.3)
    parts.append(ax.annotate(name, corner, xycoords=("axes fraction", "data"), va="center", size=SIZE, fontweight="bold"))
    for part in parts:
        mark(part, run=line.run)
    target(ax, (scale * line.q05, place - 0.05, scale * line.q99, place + 0.29), tail(line), line.run)
