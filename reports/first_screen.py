"""The first screen of a balance report: a line for each run, who played, and what to know before believing any of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reports import frames, words
from reports.unprinted import beyond_the_box
from simulator.document.chapters import Cell, Table
from simulator.document.figures import CELL, in_words, interval, known, number, percent
from simulator.document.language import clean, listed
from simulator.rules import constants, to_text
from simulator.stats.estimate import Estimate, estimate_share
from simulator.stats.favourites import may_be_best
from simulator.stats.sequences import share_sequence
from simulator.stats.unfinished import TOLERATED

if TYPE_CHECKING:
    import pandas as pd

    from reports.words import Line
    from simulator.play.run import Result

NOTICED = 0.02
"""A share that is surely above this is one that a table would notice."""

DRAGS = 3
"""A game that lasts so many times the median is one that drags on."""

BRIEFLY = replace(CELL, more=0)
"""No more decimals than an interval deserves."""

_FEW = 4
"""So many assumed constants are named where they are counted."""


def overview(results: Sequence[Result]) -> Table:
    """Who wins how often, and how long it takes: a row for each run."""
    opening, lengths = frames.verdict(results), words.lines_of(frames.durations(results))
    opening = opening[opening["opens"]]
    paced = any(math.isfinite(line.pace) for line in lengths)
    rows = tuple(_row(opening[opening["run"] == line.run], line, paced=paced) for line in lengths)
    cooperative = results[0].experiment.game.cooperative
    wins = clean(opening["label"].iloc[0]) if cooperative else "Who wins"
    columns = ("Run", wins, "Turns", *([f"Minutes {lengths[0].at_pace}"] if paced else []))
    runs = tuple(line.run for line in lengths)
    return Table("", "", columns, rows, frozenset(range(1 if cooperative else 2, len(columns))), rows_of=runs, name="overview")


def _row(opening: pd.DataFrame, length: Line, *, paced: bool) -> tuple[Cell, ...]:
    minutes = Cell("\N{EN DASH}")
    if math.isfinite(length.pace) and known(length):
        minutes = Cell(f"about {words.roughly(length.best * length.pace / 60)}", f"1 game in 20 beyond {words.minutes(length.q95, length)}")
    unfinished = f"; {percent(length.capped)} unfinished" if length.capped > TOLERATED else ""
    turns = Cell.of(length, BRIEFLY)
    if length.capped == 1:
        return Cell(length.run), Cell("not known", "no game finished"), Cell("not known"), *([Cell("\N{EN DASH}")] * paced)
    return Cell(length.run), _winners(words.lines_of(opening)), Cell(turns.text, f"{turns.small}{unfinished}"), *([minutes] * paced)


def _winners(lines: Sequence[Line]) -> Cell:
    """Who wins most: the outcome's share, or which seats stand out; with an equal share where there is one."""
    if len(lines) == 1 and math.isnan(lines[0].equal):
        return Cell.of(lines[0], BRIEFLY)
    even = "" if math.isnan(lines[0].equal) else f"; even is {percent(lines[0].equal)}"
    everybody = f"each {interval(words.hull(lines))} percent{even}"
    if not any(line.stands_out for line in lines):
        return Cell("no seat stands out", everybody)
    places = may_be_best([round(line.best * line.n) for line in lines], int(lines[0].n), sequential=bool(lines[0].sequential))
    best = [lines[place] for place in places]
    if len(best) == len(lines):
        return Cell("no seat is shown to win most", everybody)
    named = listed([words.inside(line.label).removesuffix(" wins") for line in best], "or")
    return Cell(f"{named[:1].upper()}{named[1:]} wins most", f"{interval(words.hull(best))} percent{even}")


def played(results: Sequence[Result]) -> list[str]:
    """Who sat at the table, and by which rules, where it is not what the game ships with."""
    game = results[0].experiment.game
    texts = dict.fromkeys(frames.seats_text(r) for r in results)
    said = [f"Every seat is played by {clean(t)}." if ", " not in t else f"Seats are played by {clean(t)}." for t in texts]
    if any(player.label != game.default_strategy for r in results for player in r.experiment.lineup):
        said.append(f"The game's default strategy is {game.default_strategy}.")
    altered = [c for r in results for c in constants(r.experiment.rules) if c.changed]
    changed = dict.fromkeys(f"{c.key} is {to_text(c.value)} (shipped: {to_text(c.default)})" for c in altered)
    said.append(f"The rules differ from those shipped: {'; '.join(changed)}." if changed else "The rules are those shipped with the game.")
    return said


# ---------------------------------------------------------------- what to know first
def warnings(results: Sequence[Result], *, measured: bool) -> list[str]:
    """What a publisher would stumble over, and what a reader must know before believing the numbers.

    Args:
        results: of one game, by number of players.
        measured: whether it was tried what the rules' constants do.
    """
    return [
        *filter(None, (words.unfinished(frames.estimated(results)), _over_early(results), _drags_on(results), _ties(results))),
        *filter(None, (beyond_the_box(results),)),
        *(
            f"The run with {run} was interrupted after {r.games:,} of {r.asked:,} playouts; what it shows rests on those."
            for run, r in zip(frames.run_names(results), results, strict=True)
            if r.interrupted
        ),
        *([] if measured else _assumed(results)),
        *dict.fromkeys(note for r in results for note in r.experiment.rules.notes()),
    ]


def _share(result: Result, count: int) -> Estimate:
    """A share of a run's playouts."""
    return (share_sequence if result.sequential else estimate_share)(count, result.games)


def _over_early(results: Sequence[Result]) -> str:
    """Games that end before everybody had a turn, where a table would notice."""
    early, first = {}, {}
    for run, r in zip(frames.run_names(results), results, strict=True):
        turns, players = r.tally["turns"], r.experiment.players
        ended = turns.counts[:, [name != "unfinished" for name in r.tally.outcomes]].sum(axis=1)
        early[run] = _share(r, int(ended[turns.values < players].sum()))
        first[run] = _share(r, int(ended[turns.values == 1].sum()) if players > 1 else 0)
    noticed = [(run, estimate) for run, estimate in early.items() if estimate.low > NOTICED]
    if not noticed:
        return ""
    said = [f"{in_words(estimate)} with {run}" for run, estimate in dict.fromkeys((noticed[0], noticed[-1]))]
    run, at_once = max(first.items(), key=lambda one: one[1].best)
    more = f"; {in_words(at_once)} on the first turn, with {run}" if at_once.low > NOTICED else ""
    return f"Some games are over before everybody had a turn: {listed(said)}{more}."


def _drags_on(results: Sequence[Result]) -> str:
    """Runs of which one game in 20 lasts several times the median."""
    long = [line for line in words.lines_of(frames.durations(results)) if line.q95_low > DRAGS * line.median and line.capped < 1]
    if not long:
        return ""
    said = []
    for line in long:
        told = f"{number(line.median)} turns in the median with {line.run}, but beyond {number(line.q95)} in one game of 20"
        if math.isfinite(line.pace):
            usual, rare = (words.minutes(length, line) for length in (line.median, line.q95))
            told = f"{usual} minutes in the median with {line.run}, but beyond {rare} in one game of 20"
        said.append(told)
    return f"Some games drag on: {'; '.join(said)}."


def _ties(results: Sequence[Result]) -> str:
    """Outcomes that are nobody's win beside the unfinished, where a table would notice."""
    said = []
    for run, r in zip(frames.run_names(results), results, strict=True):
        game = r.experiment.game
        own = {*game.verdict(r.experiment.players), "unfinished"}
        for name in () if game.cooperative else (o for o in r.tally.outcomes if o not in own):
            estimate, label = r.estimates[name], next(m.label for m in r.experiment.metrics if m.name == name)
            if estimate.low > NOTICED:
                said.append(f"{clean(label).lower()} in {in_words(estimate)} with {run}")
    return f"Some games have no winner: {'; '.join(said)}." if said else ""


def _assumed(results: Sequence[Result]) -> list[str]:
    every = constants(results[0].experiment.rules)
    assumed = [c.key for c in every if c.source == "assumed"]
    named = f" ({', '.join(assumed)})" if len(assumed) <= _FEW else ""
    sentence = (
        f"Assumed constants: {len(assumed)} of {len(every)}{named}. The rulebook does not print them; other values may turn the"
        " verdict, and this report has not tried them."
    )
    return [sentence] * bool(assumed)
