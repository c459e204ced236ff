"""The tables of a sensitivity study: what moves do, which conclusions they overturn, and what stays open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.document.chapters import Cell, Table
from simulator.document.figures import CELL, GAP_CELL, estimate_text
from simulator.document.language import clean, plural
from simulator.rules import brief_text, to_text
from simulator.studies.conclusions import by_conclusion

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.studies.effects import Effect, Measured, Sensitivity
    from simulator.studies.interactions import Interactions
    from simulator.studies.moves import Move

MOST_ROWS = 8
"""Constants that a table shows unless its metric was asked for by name."""

MOST_MOVES = 3
"""A sentence names as many moves that overturn a conclusion, those with the largest effects."""

INDEX = replace(CELL, digits=1, once=False)
"""How a share of the variance is written."""


def _moved(move: Move) -> tuple[Cell, str, str, Cell]:
    source = Cell("" if move.source == "assumed" else move.source, "", "assumed" * (move.source == "assumed"))
    return Cell(move.key, code=True), clean(to_text(move.start)), clean(to_text(move.to)), source


def effects_tables(found: Sensitivity, *, asked: bool) -> Iterator[Table]:
    """The effects that are found, metric by metric; all effects; and what could not be moved."""
    for table in found.tables:
        for metric in table.metrics:
            ranked = [[e for e in effects if e.significant] for effects in found.ranked(metric.name, table.players)]
            if any(ranked):
                yield _found_table(found, table, metric, [effects for effects in ranked if effects], asked=asked)
    rows = tuple(
        (*_moved(e.move), clean(e.metric.label), str(e.players), _effect_cell(e), "yes" if e.significant else "no") for e in found.effects
    )
    columns = ("Constant", "From", "To", "Source", "Metric", "Players", "Effect", "Found")
    runs = tuple(plural(e.players, "player") for e in found.effects)
    yield Table("All effects", "", columns, rows, frozenset({5, 6}), rows_of=runs, printed=False)
    left = tuple((one.key, "" if one.to is None else clean(brief_text(one.to)), one.source, clean(one.reason)) for one in found.left_out)
    if left:
        yield Table("Left out", "", ("Constant", "Value", "Source", "Why"), left)


def _found_table(found: Sensitivity, table: Measured, metric: Metric, ranked: Sequence[Sequence[Effect]], *, asked: bool) -> Table:
    """The effects on one metric that are found, those of the constant with the largest first."""
    shown = ranked if asked else ranked[:MOST_ROWS]
    rest = len(ranked) - len(shown)
    more = f"; {rest} more constants, --metric {metric.name} shows all" * (rest > 0)
    base = estimate_text(found.estimate(metric, table.unmoved))
    rows = tuple((*_brief(e.move), _effect_cell(e)) for effects in shown for e in effects)
    return Table(
        f"{clean(metric.label)}, {plural(table.players, 'player')}, as it is {base}{more}",
        "",
        ("Constant", "From", "To", "Source", "Effect"),
        rows,
        frozenset({4}),
        rows_of=(plural(table.players, "player"),) * len(rows),
        name=f"found-{metric.name}-{table.players}",
        flat=True,
    )


def _brief(move: Move) -> tuple[Cell, str, str, Cell]:
    key, _, _, source = _moved(move)
    return key, clean(brief_text(move.start)), clean(brief_text(move.to)), source


def _effect_cell(e: Effect) -> Cell:
    return Cell.of(None if e.hidden else e.difference.estimate, GAP_CELL)


def overturned_table(found: Sensitivity) -> Iterator[Table]:
    """What overturns a conclusion; printed where the sentences do not say all of it."""
    sets = by_conclusion(found.overturned)
    every = [o for moves in sets for o in moves]
    rows = tuple((*_brief(o.move), str(o.players), clean(o.conclusion), clean(o.instead)) for o in every)
    if rows:
        yield Table(
            "Conclusions that a constant overturns",
            "",
            ("Constant", "From", "To", "Source", "Players", "As it is", "Then"),
            rows,
            frozenset({4}),
            rows_of=tuple(plural(o.players, "player") for o in every),
            printed=any(len(moves) > MOST_MOVES for moves in sets),
            grouped=(4, 5),
        )


def open_table(found: Sensitivity) -> Iterator[Table]:
    """What is not settled, and how many playouts would settle it."""
    rows = tuple(
        (
            Cell("as it is") if o.move is None else Cell(o.move.key, code=True),
            str(o.players),
            "" if o.move is None else clean(brief_text(o.move.to)),
            clean(o.conclusion),
            f"about {o.games:,}" if o.games else "hardly any number",
        )
        for o in found.open
    )
    if rows:
        columns = ("Constant", "Players", "To", "What is known", "Playouts that would settle it")
        note = "Nothing is said to be overturned where it is not settled both as it is and when moved."
        rows_of = tuple(plural(o.players, "player") for o in found.open)
        yield Table("Conclusions that are open", note, columns, rows, frozenset({1}), rows_of=rows_of, printed=False)


def indices_table(one: Interactions) -> Table:
    """How much of the variance goes with each constant."""
    rows: list[tuple[str | Cell, ...]] = [
        (i.key, i.range_text, *(Cell.of(i.shares[kind], INDEX) for kind in ("first", "total"))) for i in one.indices
    ]
    luck = "" if one.every else " The dummy changes nothing but the luck, so that its share is what noise alone looks like."
    return Table(
        f"Numbers moved together, {plural(one.players, 'player')}",
        f"Sobol's indices: which share of the variance in '{clean(one.metric.label)}' goes with a constant alone, and which with it and"
        f" its interactions, each with its 95% interval.{luck}",
        ("Constant", "Range", "Alone", "With others"),
        tuple(rows),
        frozenset({2, 3}),
        flat=True,
    )
