"""The page of a tournament: who beats whom, how strong each is, and where strength is no single number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from reports.charts import BEHIND_DOTS, Chart, legend, letters, mark, short, target
from reports.style import INK, SHADES, SIZE, ordered
from reports.sweeps import ROW, draw_heat
from reports.words import Words, lines_of
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import CELL, TEXT, between, decimals, in_words, interval, number, percent
from simulator.document.language import clean, plural, ranged
from simulator.studies.tournament import broken_name, cycle_text, findings, remarks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.axes import Axes

    from reports.words import Line
    from simulator.stats.estimate import Estimate
    from simulator.studies.tournament import Tournament

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


# ---------------------------------------------------------------- tables
def frame(found: Sequence[Tournament]) -> pd.DataFrame:
    """All figures, a line each.

    Columns game, players, what, strategy, rival, unit, best, low, high, n. What is "wins" for the share of wins of a
    strategy alone among rivals (in a cooperative game, of all at that table), "halves" for that at a table half and half,
    "average" for its mean share of wins (in a cooperative game, that of its own table), and "rating"; the last two have no
    rival. An end that is not known is infinite.
    """
    return pd.DataFrame([line for t in found for line in _lines(t)])


def _lines(t: Tournament) -> Iterator[dict[str, Any]]:
    names, everybody = t.strategies, range(len(t.strategies))
    listed: list[tuple[str, int, int | None, Estimate | None]] = [("wins", a, b, t.wins[a][b]) for a in everybody for b in everybody]
    listed += [("halves", *table.strategies, table.shown) for table in t.halves]
    listed += [("average", s, None, t.shares[s]) for s in everybody]
    listed += [("rating", s, None, t.ratings.values[s]) for s in everybody] if t.ratings is not None else []
    for what, one, other, e in listed:
        if e is not None:
            about = {"game": t.game.name, "players": t.players, "what": what, "strategy": names[one]}
            rival = "" if other is None else names[other]
            yield {**about, "rival": rival, "unit": e.unit, "best": e.best, "low": e.low, "high": e.high, "n": e.n}


# ---------------------------------------------------------------- the matrix
def matrix_frame(found: Sequence[Tournament], *, halves: bool = False) -> pd.DataFrame:
    """The figures of all pairings as cells: `row` and `column` are places, the same in every panel.

    The strongest strategy of the first panel comes first. `shade` is a cell's place in the scale of colours, the middle of
    which is an equal share, and `scale` says what each shade stands for. There is a panel for each number of players.
    """
    place = {s: k for k, s in enumerate(found[0].order)}  # the panels share their axes
    return pd.DataFrame([line for t in found for line in _cells(t, place, several=len(found) > 1, halves=halves)])


def _cells(t: Tournament, place: dict[int, int], *, several: bool, halves: bool) -> Iterator[dict[str, Any]]:
    middle = t.equal_share or 0.5
    seats = plural(t.players, "player")
    figures = {k: e for table in t.halves if (e := table.shown) for k in (table.strategies, table.strategies[::-1])}
    if not halves:
        figures = {(a, b): e for a, line in enumerate(t.wins) for b, e in enumerate(line) if e is not None}
    for (one, other), e in figures.items():
        names = [clean(t.strategies[s]) for s in (one, other)]
        yield {
            "panel": seats if several else "",
            "seats": seats,
            "run": f"{names[0]} {_meets(t, halves=halves)} {names[1]}" + (f", {seats}" if several else ""),
            "point": "",
            "label": "",
            "kind": "share",
            "unit": "share",
            "column": place[other],
            "row": len(place) - 1 - place[one],
            "across": names[1],
            "down": names[0],
            "shade": _shade(e.best, middle),
            "scale": _scale(middle),
            "baseline": False,
            "baseline_name": "",
            "best": e.best,
            "low": e.low,
            "high": e.high,
            "n": e.n,
        }


def _meets(t: Tournament, *, halves: bool) -> str:
    if halves:
        return "half and half with"
    return "against" if t.players == 2 and not t.game.cooperative else "among"  # noqa: PLR2004  one other


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
    broken = [[short(piece, most) for piece in broken_name(name, width)] for name in names]
    longest = max(len(piece) for pieces in broken for piece in pieces)
    return ["\n".join(pieces) for pieces in broken], SMALL * min(1.0, width / longest)


def matrix_words(found: Sequence[Tournament], table: pd.DataFrame, *, halves: bool = False) -> Words:
    """Around the matrix."""
    together = found[0].game.cooperative
    who = (
        "every other seat is of the row's strategy, the others of the column's"
        if halves
        else _seated(max(t.players for t in found), together)
    )
    if not together and len({t.players == 2 for t in found}) > 1:  # noqa: PLR2004  one other
        who += ", with 2 players one against the other"
    equal = f" An equal share is {_equal(found)}; darker cells are above it." * (not together)
    look_for = "Look for rows that are dark throughout, and for a dark cell in a row that is light." if not together else LOOK_TOGETHER
    alt = "; ".join(f"{line.run}: {in_words(line)}" for line in lines_of(table))
    notes = (f"In each cell {who}. Percent of games with 95% intervals, each for itself.{equal}", f"n = {_played(table)} in each cell.")
    return Words(_title(found, halves=halves), look_for, f"{alt}.", notes, "", "")


LOOK_TOGETHER = "Look down a column: how much depends on whom a table takes in."


def _seated(players: int, together: bool) -> str:  # noqa: FBT001  it is one of two kinds of games
    wins = "all win" if together else "the row's strategy wins"
    if players == 2 and not together:  # noqa: PLR2004  one other
        return f"{wins} so often against the column's, from both seats"
    return f"{wins} so often where one of the row's sits among the column's, in every seat in turn"


def _equal(found: Sequence[Tournament]) -> str:
    return ", ".join(f"{percent(1 / t.players)} with {plural(t.players, 'player')}" for t in found)


def _played(table: pd.DataFrame) -> str:
    return ranged(table["n"], "playout")


def _title(found: Sequence[Tournament], *, halves: bool = False) -> str:
    if halves:
        return "How often all win where half of the table is one strategy and half another"
    told = [headline(t) for t in found]
    alike = len(set(told)) == 1
    text = told[0] if alike else "; ".join(f"with {plural(t.players, 'player')} {text}" for t, text in zip(found, told, strict=True))
    named = alike and found[0].leader is not None  # a strategy's name stays as it is written
    return clean(text if named else text[:1].upper() + text[1:])


def headline(t: Tournament) -> str:
    """The finding in few words."""
    if t.ended.all:
        return "nothing is known, for no game finished"
    if t.game.cooperative and t.best_tables:
        tables = [f"{t.strategies[s]} wins {interval(e, CELL)} percent of games" for s, e in t.best_tables]
        return f"a table of {tables[0]}" if len(tables) == 1 else f"which table is best is open: one of {', one of '.join(tables)}"
    none = "not all strategies have met" if t.interrupted else "no strategy is shown to beat every other"
    told = [f"{t.strategies[t.leader]} beats every other strategy" if t.leader is not None else none]
    return "; ".join([*told, *(cycle_text(t, cycle) for cycle in t.cycles[:1])])


# ---------------------------------------------------------------- ratings
def rating_frame(found: Sequence[Tournament]) -> pd.DataFrame:
    """The ratings, a line each: `place` is that of the strategy, `bound` whether it is known from below, above, both or neither."""
    rated = [t for t in found if t.ratings is not None]
    place = {s: k for k, s in enumerate(rated[0].order)} if rated else {}
    lines = []
    for t in rated:
        for s, e in enumerate(t.ratings.values if t.ratings else ()):
            bound = {(True, True): "both", (True, False): "below", (False, True): "above", (False, False): "neither"}[
                math.isfinite(e.low), math.isfinite(e.high)
            ]
            about = {"run": plural(t.players, "player"), "panel": "", "strategy": clean(t.strategies[s]), "place": place[s], "bound": bound}
            lines.append({**about, "kind": "count", "unit": e.unit, "best": e.best, "low": e.low, "high": e.high, "n": e.n})
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


def rating_words(found: Sequence[Tournament], table: pd.DataFrame) -> Words:
    """Around the chart of the ratings."""
    zero = _zero(found[0])
    first = lines_of(table[table["run"] == table["run"].iloc[0]])
    best, worst = (end(first, key=lambda line: line.best).strategy for end in (max, min))
    scale = f"Elo points: 400 more make a seat ten times as likely to win as another. {zero}"
    drawn = "The thin lines are 95% intervals, each for itself, often shorter than the point; an arrow stands where one end is open."
    notes = (f"{scale} {drawn}", f"n = {_played(table)} behind each rating.")
    alt = "; ".join(rating_told(line) for line in lines_of(table))
    return Words(f"From {worst} to {best}: how strong each strategy is", LOOK_RATINGS, f"{alt}.", notes, "", "rating (Elo points)")


LOOK_RATINGS = "Look for gaps: between strategies at one height it hardly matters which is played."


def _zero(t: Tournament) -> str:
    if t.ratings is None or t.ratings.zero is None:
        return "The mean is 0."
    return f"{clean(t.strategies[t.ratings.zero])}, the default strategy, is 0."


# ---------------------------------------------------------------- the page
def charts(found: Sequence[Tournament]) -> list[Chart]:
    """The matrix, for a cooperative game that of the tables half and half too, and the ratings; none if no game finished."""
    rows = len(found[0].strategies)
    columns, high = (2 if rows <= FEW else 1), max(1.0, ROW * rows)
    table, halves = matrix_frame(found), matrix_frame(found, halves=True)
    if not len(table):
        return []
    drawn = [Chart("tournament", table, matrix_words(found, table), draw_matrix, columns, high, same_x=False)]
    if len(halves):
        words = matrix_words(found, halves, halves=True)
        drawn.append(Chart("tournament-halves", halves, words, draw_matrix, columns, high, same_x=False))
    rated = rating_frame(found)
    if len(rated):
        drawn.append(Chart("ratings", rated, rating_words(found, rated), draw_ratings, 1, 2.7))
    return drawn


def page(found: Sequence[Tournament], command: str | None = None) -> Document:
    """What the page of a tournament says."""
    first, drawn = found[0], charts(found)
    together = first.game.cooperative
    several = len(found) > 1
    told = [f"With {plural(t.players, 'player')}: {text}" if several else text for t in found for text in findings(t)]
    title = "Who wins with whom" if together else "Who beats whom"
    note = (
        "All seats of a table win or lose together in a cooperative game."
        if together
        else "Who beats whom is judged over all pairings together (Holm)."
    )
    matrices = tuple(matrix_table(t, several=several) for t in found)
    strengths = Chapter(
        "strength",
        "How strong each is",
        LOOK_RATINGS if not together else LOOK_TOGETHER,
        charts=tuple(drawn[1:]),
        tables=(strength_table(found),),
    )
    look_for = drawn[0].words.look_for if drawn else ""
    chapters = (
        Chapter("who-beats-whom", title, look_for, tuple(map(clean, told)), tuple(drawn[:1]), notes=(note,)),
        strengths,
        Chapter("numbers", "The numbers", "Look at the interval before the figure.", tables=matrices),
    )
    facts = (
        ("Strategies", ", ".join(map(clean, first.strategies))),
        ("Playouts behind each figure", f"{first.asked:,}"),
        ("Playouts", f"{sum(t.games for t in found):,}"),
        ("Seed", str(first.seed)),
        ("Digest", ", ".join(t.digest for t in found)),
        ("Elapsed", f"{sum(t.elapsed_s for t in found):.1f} s"),
    )
    runs = tuple(plural(t.players, "player") for t in found)
    title = _title(found)
    return Document(
        first.game,
        "Tournament of strategies",
        f"{title}.",
        (),
        _warnings(found),
        (),
        (),
        first.rules,
        facts,
        command,
        chapters=chapters,
        runs=runs if several else (),
    )


def _warnings(found: Sequence[Tournament]) -> tuple[str, ...]:
    told = [
        f"The tournament with {plural(t.players, 'player')} was interrupted; the finished pairings are shown, and nobody is rated."
        for t in found
        if t.interrupted
    ]
    remarks = [text for t in found for text in remarks_of(t)]
    worst = max(t.without_winner / t.games for t in found)
    if worst and not remarks:
        what = "The turn cap ended" if found[0].game.cooperative else "Nobody won"
        told.append(f"{what} up to {percent(worst)} of the games; they count in every figure, as nobody's win.")
    told += map(clean, dict.fromkeys(remarks))
    return (*told, *map(clean, found[0].rules.notes()))


def strength_table(found: Sequence[Tournament]) -> Table:
    """Every strategy at every number of players."""
    together = found[0].game.cooperative
    columns = ("Strategy", "Players", "Its own table wins") if together else ("Strategy", "Players", "Rating", "Wins on average", "Beats")
    rows = [_strength(t, s) for t in found for s in t.order]
    note = (
        "" if together else f"Ratings in Elo points. {_zero(found[0])} Wins on average: the mean over all others, whoever is met as often."
    )
    runs = tuple(plural(t.players, "player") for t in found for _ in t.order)
    return Table("Strategies", note, columns, tuple(rows), frozenset(range(1, len(columns))), rows_of=runs if len(found) > 1 else ())


def _strength(t: Tournament, s: int) -> tuple[str | Cell, ...]:
    name, share = clean(t.strategies[s]), share_cell(t.shares[s])
    if t.game.cooperative:
        return name, str(t.players), share
    rating = Cell("") if t.ratings is None else rating_cell(t.ratings.values[s])
    beaten = sum(winner == s for winner, _ in t.beats)
    return name, str(t.players), rating, share, f"{beaten} of {len(t.strategies) - 1}"


def rating_cell(e: Estimate) -> Cell:
    """A rating with its interval below it."""
    if not math.isfinite(e.low) and not math.isfinite(e.high):
        return Cell("not known", "no game with those who are rated had a winner")
    if not math.isfinite(e.high - e.low):
        return Cell(f"below {number(e.high)}" if math.isfinite(e.high) else f"above {number(e.low)}", "one end is open")
    if e.low == e.high:
        return Cell(number(e.best), "by definition")
    return Cell.of(e, TEXT)


def share_cell(e: Estimate | None) -> Cell:
    """A share with its interval below it; nothing where there is none."""
    return Cell("") if e is None else Cell.of(e)


def matrix_table(t: Tournament, *, several: bool) -> Table:
    """The matrix of one number of players."""
    seats = plural(t.players, "player")
    who = _seated(t.players, t.game.cooperative)
    equal = "" if t.equal_share is None else f" An equal share is {percent(t.equal_share)}."
    rows: list[tuple[str | Cell, ...]] = [(clean(t.strategies[a]), *(share_cell(t.wins[a][b]) for b in t.order)) for a in t.order]
    title = f"Matrix, {seats}" if several else "Matrix"
    note = f"{who[:1].upper()}{who[1:]}.{equal} Below each figure stands its 95% interval."
    columns = ("", *(clean(t.strategies[s]) for s in t.order))
    return Table(title, note, columns, tuple(rows), frozenset(range(1, len(columns))), rows_of=(seats,) * len(rows) if several else ())
