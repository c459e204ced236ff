"""What each playout of Christmas Vacation leaves behind."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.game import Breakdown, Metric
from simulator.games.vacation.rules import VacationRules
from simulator.games.vacation.state import COUNTERS, MAX_ROLLS
from simulator.kernel.jit import jit
from simulator.kernel.records import UNFINISHED, Record

_DRAWING = {
    "drawing.none": "no card",
    "drawing.1_2": "1 or 2 cards",
    "drawing.3_4": "3 or 4 cards",
    "drawing.5_6": "5 or 6 cards",
    "drawing.7_8": "7 or 8 cards",
    "drawing.9_up": "9 cards or more",
}
_DISCARDING = {
    "discarding.none": "no card",
    "discarding.one": "1 card",
    "discarding.two": "2 cards",
    "discarding.three": "3 cards",
    "discarding.four": "4 cards",
    "discarding.five": "5 cards",
    "discarding.six": "6 cards",
    "discarding.more": "7 cards or more",
}
_BUSTS = {
    "busts.all_dice": "all dice",
    "busts.one_fewer": "one die fewer",
    "busts.two_fewer": "two dice fewer",
    "busts.still_fewer": "three or more dice fewer",
}
_LOSERS = {
    "losers.1_3": "1 to 3 cards",
    "losers.4_6": "4 to 6 cards",
    "losers.7_12": "7 to 12 cards",
    "losers.13_up": "13 cards or more",
}
_LOSER_BINS = (3, 6, 12)
_WILDS = {
    "wild.number": "with a number",
    "wild.run": "in a run",
    "wild.alone": "alone",
    "wild.wreath": "by the Wreath Bonus",
}
_WAYS = {
    "discarded.stop": "at the stop",
    "discarded.bonus": "by Clark's Christmas Bonus",
    "discarded.wreath": "by the Wreath Bonus",
}


def _each(names: dict[str, str], label: str, unit: str, high: int) -> list[Metric]:
    return [Metric(name, f"{label} {what}", unit, "count", 0, high) for name, what in names.items()]


def _headline(name: str, label: str, unit: str, high: int, description: str) -> Metric:
    share = unit == "share"
    return Metric(name, label, unit, "share" if share else "count", 0, high, headline=True, description=description, outcome=share)


def metrics(rules: VacationRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row: those that `score` computes, then the state's counters in their own order."""
    cap, deck = rules.turn_cap, rules.deck.total
    seats = range(players)
    closest = f"The fewest that a loser has left; {deck} is a whole deck, of which nothing was discarded."
    return (
        *(_headline(f"wins.{i}", f"Seat {i} wins", "share", 1, "Has discarded its whole deck before the others.") for i in seats),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True, description="The turn cap ended the playout."),
        _headline("turns", "Turns", "turns", cap, "Turns of all seats together."),
        _headline("rounds", "Rounds", "rounds", cap, "Turns divided by players, rounded up."),
        _headline("busts", "Busts", "turns", cap, "Turns that Cousin Eddie ended."),
        _headline("runner_up", "Cards left of the runner-up", "cards", deck, closest),
        *(Metric(f"cards_left.{i}", f"Cards left of seat {i}", "cards", "count", 0, deck) for i in seats),
        *_each(_LOSERS, "Losers left with", "seats", players),
        *_turn_metrics(cap, deck),
        *_discard_metrics(rules, players * deck),
    )


def _turn_metrics(cap: int, deck: int) -> tuple[Metric, ...]:
    return (
        _headline("rolls", "Rolls", "rolls", cap * MAX_ROLLS, "Rolls of all turns together."),
        *_each(_BUSTS, "Busts with", "turns", cap),
        _headline("drawn", "Cards drawn", "cards", cap * deck, "Cards of all turns together."),
        *_each(_DRAWING, "Turns that draw", "turns", cap),
        *_each(_DISCARDING, "Turns that discard", "turns", cap),
    )


def _discard_metrics(rules: VacationRules, cards: int) -> tuple[Metric, ...]:
    unused = rules.turn_cap * MAX_ROLLS * rules.dice.count
    no_wreath = "At the stop or by Clark's Christmas Bonus; the Wild alone counts as one."
    lapsed = "Declined, or with no card face up."
    return (
        *_each(_WAYS, "Discarded", "cards", cards),
        Metric("sets.numbers", "Numbers discarded", "sets", "count", 0, cards, description=no_wreath),
        Metric("sets.runs", "Runs discarded", "sets", "count", 0, cards),
        Metric("cards.numbers", "Cards discarded in numbers", "cards", "count", 0, cards),
        Metric("cards.runs", "Cards discarded in runs", "cards", "count", 0, cards),
        *_each(_WILDS, "Wild", "Wild cards", cards),
        Metric("unused.wreath", "Wreath Bonuses not used", "bonuses", "count", 0, unused, description=lapsed),
        Metric("unused.bonus", "Clark's Christmas Bonuses not used", "bonuses", "count", 0, unused, description=lapsed),
        Metric("whole_deck", "Turns that draw the whole deck", "turns", "count", 0, rules.turn_cap),
    )


BREAKDOWNS = (
    Breakdown(
        "busts",
        "Busts by how many dice were rolled",
        "Look at whether a bust is a risk that was taken, with few dice left, or bad luck with all of them.",
        tuple(_BUSTS.values()),
        (("", tuple(_BUSTS)),),
    ),
    Breakdown(
        "drawn",
        "Cards drawn in a turn",
        "Look for turns that draw next to nothing, or so much that no choice is left.",
        tuple(_DRAWING.values()),
        (("", tuple(_DRAWING)),),
    ),
    Breakdown(
        "discarded",
        "Cards discarded in a turn",
        "Look at how many turns go by with nothing done.",
        tuple(_DISCARDING.values()),
        (("", tuple(_DISCARDING)),),
    ),
    Breakdown(
        "ways",
        "How cards get to the board",
        "Look at how much comes from the dice, by bonuses, and how much from the player's stop.",
        tuple(_WAYS.values()),
        (("", tuple(_WAYS)),),
    ),
    Breakdown(
        "losers",
        "How close the losers were",
        "Look for losers who were never in the race.",
        tuple(_LOSERS.values()),
        (("", tuple(_LOSERS)),),
    ),
    Breakdown(
        "sets",
        "Runs against numbers",
        "Look for a kind of set that hardly pays.",
        ("numbers", "runs"),
        (("sets", ("sets.numbers", "sets.runs")), ("cards", ("cards.numbers", "cards.runs"))),
    ),
    Breakdown(
        "wild",
        "What the Wild is used for",
        "Look for a use that crowds out the others.",
        tuple(_WILDS.values()),
        (("", tuple(_WILDS)),),
    ),
)


@jit
def score(state: Record, rules: Record, row: Any) -> None:  # noqa: ARG001  every metric is counted in the state
    """Write the row, int32, in the order of `metrics`."""
    seats = state.seats
    finished = state.status != UNFINISHED
    for seat in range(seats):
        row[seat] = 1 if state.left[seat] == 0 else 0
    row[seats] = 0 if finished else 1
    row[seats + 1] = state.turn
    row[seats + 2] = (state.turn + seats - 1) // seats
    row[seats + 3] = state.count[1] + state.count[2] + state.count[3] + state.count[4]
    row[seats + 4] = _runner_up(state)
    at = seats + 5
    for seat in range(seats):
        row[at + seat] = state.left[seat]
    at += seats
    for i in range(4):
        row[at + i] = 0
    for seat in range(seats):
        if state.left[seat] > 0:
            row[at + _loser_bin(state.left[seat])] += 1
    at += 4
    for i in range(COUNTERS):
        row[at + i] = state.count[i]


@jit
def _runner_up(state: Record) -> Any:
    """The second fewest cards left."""
    first = second = np.int64(1 << 30)
    for seat in range(state.seats):
        left = state.left[seat]
        if left < first:
            first, second = np.int64(left), first
        elif left < second:
            second = np.int64(left)
    return second


@jit
def _loser_bin(left: Any) -> Any:
    for i in range(len(_LOSER_BINS)):
        if left <= _LOSER_BINS[i]:
            return i
    return len(_LOSER_BINS)
