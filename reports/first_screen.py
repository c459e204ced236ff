"""The first screen of a balance report: a line for each run, who played, and what to know before believing any of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from reports import frames
from reports.balance.how_long import durations_frame, minutes, minutes_ends, minutes_of, roughly, rounds_of
from reports.balance.who_wins import opening
from reports.words import Line, coarse, hull, inside, lines_of
from simulator.document.chapters import Cell, Table
from simulator.document.figures import CELL, in_words, interval, known, number, percent
from simulator.document.language import clean, listed
from simulator.game import BoxLength
from simulator.play.run import Result
from simulator.rules import constants, to_text
from simulator.stats.favourites import may_be_best
from simulator.stats.unfinished import TOLERATED, UNFINISHED

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
    shares, lengths = lines_of(opening(results)), lines_of(durations_frame(results))
    paced = any(math.isfinite(line.pace) for line in lengths)
    rows = tuple(_row([share for share in shares if share.run == line.run], line, paced=paced) for line in lengths)
    cooperative = results[0].experiment.game.cooperative
    wins = shares[0].label if cooperative else "Who wins"
    columns = ("Run", wins, "Turns", *([f"Minutes {lengths[0].at_pace}"] if paced else []))
    runs = tuple(line.run for line in lengths)
    return Table("", "", columns, rows, frozenset(range(1 if cooperative else 2, len(columns))), rows_of=runs, name="overview")


def _row(shares: Sequence[Line], length: Line, *, paced: bool) -> tuple[Cell, ...]:
    if length.capped == 1:
        return Cell(length.run), Cell("not known", "no game finished"), Cell("not known"), *([Cell.of(None)] * paced)
    lasts = Cell.of(None)
    if math.isfinite(length.pace) and known(length):
        lasts = Cell(f"about {roughly(minutes_of(length).best)}", f"1 game in 20 beyond {minutes(length.q95, length)}")
    unfinished = f"; {percent(length.capped)} unfinished" if length.capped > TOLERATED else ""
    turns = Cell.of(length, BRIEFLY)
    return Cell(length.run), _winners(shares), Cell(turns.text, f"{turns.small}{unfinished}"), *([lasts] * paced)


def _winners(lines: Sequence[Line]) -> Cell:
    """Who wins most: the outcome's share, or which seats stand out; with an equal share where there is one."""
    if len(lines) == 1 and math.isnan(lines[0].equal):
        return Cell.of(lines[0], BRIEFLY)
    even = "" if math.isnan(lines[0].equal) else f"; even is {percent(lines[0].equal)}"
    everybody = f"each {interval(hull(lines))} percent{even}"
    if not any(line.stands_out for line in lines):
        return Cell("no seat stands out", everybody)
    places = may_be_best([round(line.best * line.n) for line in lines], int(lines[0].n), sequential=bool(lines[0].sequential))
    best = [lines[place] for place in places]
    if len(best) == len(lines):
        return Cell("no seat is shown to win most", everybody)
    named = listed([inside(line.label).removesuffix(" wins") for line in best], "or")
    return Cell(f"{named[:1].upper()}{named[1:]} wins most", f"{interval(hull(best))} percent{even}")


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
        *filter(None, (tell(results) for tell in (unfinished, _over_early, _drags_on, _ties, beyond_the_box))),
        *(
            f"The run with {run} was interrupted after {r.games:,} of {r.asked:,} playouts; what it shows rests on those."
            for run, r in frames.named(results)
            if r.interrupted
        ),
        *([] if measured else _assumed(results)),
        *dict.fromkeys(note for r in results for note in r.experiment.rules.notes()),
    ]


def unfinished(results: Sequence[Result]) -> str:
    """How many playouts the turn cap ended; empty if it ended none."""
    table = frames.estimated(results)
    some = lines_of(table[(table["metric"] == UNFINISHED) & (table["best"] > 0)])
    ended = ", ".join(f"{in_words(line)} with {line.run}" for line in some)
    more = "They are nobody's win, and they make the mean of the turns too low."
    return f"The turn cap ended some games unfinished: {ended}. {more}" if some else ""


def _over_early(results: Sequence[Result]) -> str:
    """Games that end before everybody had a turn, where a table would notice."""
    early, first = {}, {}
    for run, r in frames.named(results):
        turns, players = r.tally["turns"], r.experiment.players
        ended = turns.counts[:, [name != UNFINISHED for name in r.tally.outcomes]].sum(axis=1)
        counts = int(ended[turns.values < players].sum()), int(ended[turns.values == 1].sum()) if players > 1 else 0
        early[run], first[run] = (frames.share_of(count, r.games, sequential=r.sequential) for count in counts)
    noticed = [(run, estimate) for run, estimate in early.items() if estimate.low > NOTICED]
    if not noticed:
        return ""
    said = [f"{in_words(estimate)} with {run}" for run, estimate in dict.fromkeys((noticed[0], noticed[-1]))]
    run, at_once = max(first.items(), key=lambda one: one[1].best)
    more = f"; {in_words(at_once)} on the first turn, with {run}" if at_once.low > NOTICED else ""
    return f"Some games are over before everybody had a turn: {listed(said)}{more}."


def _drags_on(results: Sequence[Result]) -> str:
    """Runs of which one game in 20 lasts several times the median."""
    said = []
    for line in lines_of(durations_frame(results)):
        if line.q95_low > DRAGS * line.median and line.capped < 1:
            paced = math.isfinite(line.pace)
            usual, rare = (minutes(length, line) if paced else number(length) for length in (line.median, line.q95))
            unit = "minutes" if paced else "turns"
            said.append(f"{usual} {unit} in the median with {line.run}, but beyond {rare} in one game of 20")
    return f"Some games drag on: {'; '.join(said)}." if said else ""


def _ties(results: Sequence[Result]) -> str:
    """Outcomes that are nobody's win beside the unfinished, where a table would notice."""
    said = []
    for run, r in frames.named(results):
        game = r.experiment.game
        own = {*game.verdict(r.experiment.players), UNFINISHED}
        for name in () if game.cooperative else (o for o in r.tally.outcomes if o not in own):
            estimate, label = r.estimates[name], next(m.label for m in r.experiment.metrics if m.name == name)
            if estimate.low > NOTICED:
                said.append(f"{clean(label).lower()} in {in_words(estimate)} with {run}")
    return f"Some games have no winner: {'; '.join(said)}." if said else ""


def beyond_the_box(results: Sequence[Result]) -> str:
    """A warning where games surely last longer, or shorter, than what is sold could mean, with what it hangs on; else nothing."""
    box = results[0].experiment.game.box_length
    lines = lines_of(durations_frame(results))
    beyond = "; ".join(text for line in lines if box is not None and (text := _beyond(line, box)))
    if box is None or not beyond:
        return ""
    assumed = ", ".join(frames.assumed_keys(results[0]))
    pace = lines[0].at_pace.removeprefix("at ") if "minutes" in beyond else ""
    on = " and on ".join(filter(None, (f"constants that nobody printed ({assumed})" * bool(assumed), pace)))
    rounds, lasts = (f"{number(low)} to {number(high)}" for low, high in (box.rounds, box.minutes))
    return (
        f"From what is in the box a game should take {rounds} rounds and {lasts} minutes ({clean(box.why)})."
        f" It averages {beyond}.{f' It hangs on {on}.' * bool(on)}"
    )


def _beyond(line: Line, box: BoxLength) -> str:
    """How long the games of a run last, if that is surely beyond the box; in minutes only where a pace is known."""
    out = []
    rounds = rounds_of(line)
    if not box.rounds[0] <= rounds.high or not rounds.low <= box.rounds[1]:
        out.append(f"{interval(rounds, coarse(rounds))} rounds")
    if math.isfinite(line.pace) and known(line):
        lasts = minutes_of(line)
        if not box.minutes[0] <= lasts.high or not lasts.low <= box.minutes[1]:
            out.append(f"{minutes_ends(line)} minutes")
    return f"{listed(out, 'or')} with {line.run}" if out else ""


def _assumed(results: Sequence[Result]) -> list[str]:
    every, assumed = constants(results[0].experiment.rules), frames.assumed_keys(results[0])
    named = f" ({', '.join(assumed)})" if len(assumed) <= _FEW else ""
    warning = (
        f"Assumed constants: {len(assumed)} of {len(every)}{named}. The rulebook does not print them; other values may turn the"
        " verdict, and this report has not tried them."
    )
    return [warning] * bool(assumed)
