"""A tournament as charts and as a frame: who beats whom, how strong each is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from reports import frames
from reports.charts import BEHIND_DOTS, Chart, legend, letters, mark, target
from reports.style import INK, SHADES, SIZE, ordered
from reports.sweep import ROW, draw_heat
from reports.words import Words, lines_of
from simulator.document.figures import between, decimals, in_words, number
from simulator.document.language import broken, clean, ranged, short
from simulator.studies.tournament import (
    LOOK_AGAINST,
    LOOK_RATINGS,
    LOOK_TOGETHER,
    answers,
    equal_note,
    what_a_cell_says,
    zero_note,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.axes import Axes

    from reports.words import Line
    from simulator.stats.estimate import Estimate
    from simulator.studies.standings import Tournament

SMALL = SIZE - 1.5
"""Size of the names around a matrix."""

BESIDE = 12
"""Letters of that size that fit beside a matrix."""

SMALLEST = 0.65
"""Names that are too long are written in smaller letters, at least this part of the size; beyond that their middle is left out."""

SPREAD = 0.6
"""Part of a strategy's place that the points of several numbers of players take up."""

FEW = 3
"""Matrices of so few strategies stand two beside each other."""


def frame(parts: Sequence[Tournament]) -> pd.DataFrame:
    """All figures, a line each.

    Columns game, players, what, strategy, rival, unit, best, low, high, n. What is "wins" for the share of wins of a
    strategy alone among rivals (in a cooperative game, of all at that table), "halves" for that at a table half and half,
    "average" for its mean share of wins (in a cooperative game, that of its own table), and "rating"; the last two have no
    rival. An end that is not known is infinite.
    """
    return pd.DataFrame([line for part in parts for line in _lines(part)]).drop(columns="kind", errors="ignore")


def _lines(part: Tournament) -> Iterator[dict[str, Any]]:
    names, everybody = part.strategies, range(len(part.strategies))
    listed: list[tuple[str, int, int | None, Estimate | None]] = [("wins", a, b, part.wins[a][b]) for a in everybody for b in everybody]
    listed += [("halves", *table.strategies, table.shown) for table in part.halves]
    listed += [("average", s, None, part.shares[s]) for s in everybody]
    listed += [("rating", s, None, part.ratings.values[s]) for s in everybody] if part.ratings is not None else []
    for what, one, other, e in listed:
        if e is not None:
            about = {"game": part.game.name, "players": part.players, "what": what, "strategy": names[one]}
            yield {**about, "rival": "" if other is None else names[other], **frames.figures(e)}


# ---------------------------------------------------------------- the matrix
def matrix_frame(parts: Sequence[Tournament], *, halves: bool = False) -> pd.DataFrame:
    """The figures of all pairings as cells: `row` and `column` are places, the same in every panel.

    The strongest strategy of the first panel comes first. `shade` is a cell's place in the scale of colours, the middle of
    which is an equal share, and `scale` says what each shade stands for. There is a panel for each number of players.
    """
    place = {s: k for k, s in enumerate(parts[0].order)}  # the panels share their axes
    return pd.DataFrame([line for part in parts for line in _cells(part, place, several=len(parts) > 1, halves=halves)])


def _cells(part: Tournament, place: dict[int, int], *, several: bool, halves: bool) -> Iterator[dict[str, Any]]:
    middle = part.equal_share or 0.5
    seats = part.run
    figures = {k: e for table in part.halves if (e := table.shown) for k in (table.strategies, table.strategies[::-1])}
    if not halves:
        figures = {(a, b): e for a, line in enumerate(part.wins) for b, e in enumerate(line) if e is not None}
    for (one, other), e in figures.items():
        names = [clean(part.strategies[s]) for s in (one, other)]
        yield {
            "panel": seats if several else "",
            "seats": seats,
            "run": f"{names[0]} {_meets(part, halves=halves)} {names[1]}" + (f", {seats}" if several else ""),
            "point": "",
            "label": "",
            "column": place[other],
            "row": len(place) - 1 - place[one],
            "across": names[1],
            "down": names[0],
            "shade": _shade(e.best, middle),
            "scale": _scale(middle),
            "baseline": False,
            "baseline_name": "",
            **frames.figures(e),
        }


def _meets(part: Tournament, *, halves: bool) -> str:
    if halves:
        return "half and half with"
    return "against" if part.plan.duel and not part.game.cooperative else "among"


def _shade(best: float, middle: float) -> int:
    """The place in the scale of colours: half of them below `middle`, half above."""
    half = len(SHADES) // 2
    if best < middle:
        return min(half - 1, int(half * best / middle))
    return min(2 * half - 1, half + int(half * (best - middle) / (1 - middle)))


def _scale(middle: float) -> dict[int, str]:
    """What each shade stands for."""
    half = len(SHADES) // 2
    ends = [middle * k / half for k in range(half)] + [middle + (1 - middle) * k / half for k in range(half + 1)]
    return {k: f"{100 * ends[k]:.0f} to {100 * ends[k + 1]:.0f}%" for k in range(2 * half)}


def draw_matrix(frame: pd.DataFrame, ax: Axes) -> None:
    """Coloured cells with numbers and, where there is room, intervals; the strategies' names around them."""
    draw_heat(frame, ax)
    across = frame.drop_duplicates("column").sort_values("column")
    down = frame.drop_duplicates("row")
    width = max(4, int(letters(ax) * SIZE / SMALL / len(across)))
    names, size = fitted(across["across"], width)
    ax.set_xticks(list(across["column"]), names, fontsize=size)
    names, size = fitted(down["down"], BESIDE)
    ax.set_yticks(list(down["row"]), names, fontsize=size)


def fitted(names: Iterable[str], width: int) -> tuple[list[str], float]:
    """Names in lines of about `width` letters, none of them torn, and the size of the letters that this takes."""
    most = int(width / SMALLEST)
    lines = [[short(piece, most) for piece in broken(name, width)] for name in names]
    longest = max(len(piece) for pieces in lines for piece in pieces)
    return ["\n".join(pieces) for pieces in lines], SMALL * min(1.0, width / longest)


def matrix_words(parts: Sequence[Tournament], table: pd.DataFrame, *, halves: bool = False) -> Words:
    """Around the matrix."""
    together = parts[0].game.cooperative
    who = what_a_cell_says(max(part.players for part in parts), together=together)
    if halves:
        who = "how often all win where every other seat is of the row's strategy, the others of the column's"
    elif not together and len({part.plan.duel for part in parts}) > 1:
        who += "; with 2 players, one against the other"
    equal = "" if together else f" {equal_note(parts)} Darker cells are above it."
    look_for = LOOK_TOGETHER if together else LOOK_AGAINST
    alt = "; ".join(f"{line.run}: {in_words(line)}" for line in lines_of(table))
    notes = (f"In each cell stands {who}, in percent with 95% intervals, each for itself.{equal}", f"n = {_played(table)} in each cell.")
    title = "How often all win where half of the table is one strategy and half another" if halves else _title(parts)
    return Words(title, look_for, f"{alt}.", notes, "", "")


def _played(table: pd.DataFrame) -> str:
    return ranged(table["n"], "playout")


def _title(parts: Sequence[Tournament]) -> str:
    """The first answer of each number of players, said once if all are alike."""
    said = {part.run: next(iter(answers(part)), "Nothing is known").rstrip(".") for part in parts}
    if len(set(said.values())) == 1:
        return clean(said[parts[0].run])
    return clean("; ".join(f"with {run}: {text}" for run, text in said.items()).replace("with", "With", 1))


# ---------------------------------------------------------------- ratings
def rating_frame(parts: Sequence[Tournament]) -> pd.DataFrame:
    """The ratings, a line each: `place` is that of the strategy, `bound` whether it is known from below, above, both or neither."""
    rated = [part for part in parts if part.ratings is not None]
    place = {s: k for k, s in enumerate(rated[0].order)} if rated else {}
    lines = []
    for part in rated:
        for s, e in enumerate(part.ratings.values if part.ratings else ()):
            bound = {(True, True): "both", (True, False): "below", (False, True): "above", (False, False): "neither"}[
                math.isfinite(e.low), math.isfinite(e.high)
            ]
            about = {"run": part.run, "panel": "", "strategy": clean(part.strategies[s]), "place": place[s], "bound": bound}
            lines.append(about | frames.figures(e))
    return pd.DataFrame(lines)


def draw_ratings(table: pd.DataFrame, ax: Axes) -> None:
    """Points with intervals, a place for each strategy and a colour for each number of players; an arrow where one end is open."""
    runs = list(table["run"].unique())
    names = table.drop_duplicates("place").sort_values("place")
    ax.axhline(0, color=INK, linewidth=0.8)
    for i, (run, colour) in enumerate(zip(runs, ordered(len(runs)), strict=True)):
        shift, reach = SPREAD * ((i + 0.5) / len(runs) - 0.5), SPREAD / len(runs) / 2
        for line in lines_of(table[table["run"] == run]):
            _draw_rating(ax, line, line.place + shift, colour)
            low, high = (end if math.isfinite(end) else line.best for end in (line.low, line.high))
            target(ax, (line.place + shift - reach, low, line.place + shift + reach, high), rating_told(line), run)
    width = max(4, int(letters(ax) * SIZE / SMALL / len(names)))
    labels, size = fitted(names["strategy"], width)
    ax.set_xticks(list(names["place"]), labels, fontsize=size)
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.margins(y=0.1)
    if len(runs) > 1:
        legend(ax)


def _draw_rating(ax: Axes, line: Line, x: float, colour: str) -> None:
    if line.bound == "neither":
        return
    end, shape = {"above": (line.high, "v"), "below": (line.low, "^"), "both": (line.best, "o")}[line.bound]
    (point,) = ax.plot(x, end, shape, color=colour, markersize=5, label=line.run)
    mark(point, run=line.run)
    if line.bound == "both":
        mark(ax.vlines(x, line.low, line.high, colors=INK, linewidth=1.4, zorder=BEHIND_DOTS), run=line.run)


def rating_told(line: Line) -> str:
    """A rating in words."""
    return f"{line.strategy}, {line.run}: {_rating(line)}; n = {int(line.n):,}"


def _rating(line: Line) -> str:
    """Rating and interval of an estimate or of a line of the frame."""
    if not math.isfinite(line.low) and not math.isfinite(line.high):
        return "not known, for no game with those who are rated had a winner"
    if not math.isfinite(line.low):
        return f"below {number(line.high)} Elo points, for it never won against those who are rated"
    if not math.isfinite(line.high):
        return f"above {number(line.low)} Elo points, for it never lost against those who are rated"
    if line.low == line.high:
        return f"{number(line.best)} Elo points, by definition"
    return f"{number(line.best, decimals(line.low, line.high))} ({between(line.low, line.high)} Elo points)"


def rating_words(parts: Sequence[Tournament], table: pd.DataFrame) -> Words:
    """Around the chart of the ratings."""
    first = lines_of(table[table["run"] == table["run"].iloc[0]])
    best, worst = (end(first, key=lambda line: line.best).strategy for end in (max, min))
    drawn = "The thin lines are 95% intervals, each for itself, often shorter than the point; an arrow stands where one end is open."
    notes = (
        f"400 points more make a seat ten times as likely to win as another. {zero_note(parts[0])} {drawn}",
        f"n = {_played(table)} behind each rating.",
    )
    alt = "; ".join(rating_told(line) for line in lines_of(table))
    return Words(f"From {worst} to {best}: how strong each strategy is", LOOK_RATINGS, f"{alt}.", notes, "", "rating (Elo points)")


# ---------------------------------------------------------------- all of them
def charts(parts: Sequence[Tournament]) -> list[Chart]:
    """The matrix, for a cooperative game that of the tables half and half too, and the ratings; none if no game finished."""
    rows = len(parts[0].strategies)
    columns, high = (2 if rows <= FEW else 1), max(1.0, ROW * rows)
    table, halves = matrix_frame(parts), matrix_frame(parts, halves=True)
    if not len(table):
        return []
    drawn = [Chart("tournament", table, matrix_words(parts, table), draw_matrix, columns, high, same_x=False)]
    if len(halves):
        words = matrix_words(parts, halves, halves=True)
        drawn.append(Chart("tournament-halves", halves, words, draw_matrix, columns, high, same_x=False))
    rated = rating_frame(parts)
    if len(rated):
        drawn.append(Chart("ratings", rated, rating_words(parts, rated), draw_ratings, 1, 2.7))
    return drawn
