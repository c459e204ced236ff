"""What each playout of Christmas Vacation leaves behind."""

from __future__ import annotations

import numpy as np

from simulator.game import UNFINISHED, Breakdown, Metric, turns
from simulator.games.vacation.rules import VacationRules
from simulator.games.vacation.table import MAX_ROLLS, Counter
from simulator.kernel.jit import jit
from simulator.kernel.records import Record


def _group(group: str, names: str, labels: str) -> dict[str, str]:
    """Metrics and their labels, of which the latter are separated by semicolons."""
    return {f"{group}.{name}": label for name, label in zip(names.split(), labels.split("; "), strict=True)}


_DRAWING = _group(
    "drawing", "none 1_2 3_4 5_6 7_8 9_up", "no card; 1 or 2 cards; 3 or 4 cards; 5 or 6 cards; 7 or 8 cards; 9 cards or more"
)
_DISCARDING = _group(
    "discarding",
    "none one two three four five six more",
    "no card; 1 card; 2 cards; 3 cards; 4 cards; 5 cards; 6 cards; 7 cards or more",
)
_BUSTS = _group("busts", "all_dice one_fewer two_fewer still_fewer", "all dice; one die fewer; two dice fewer; three or more dice fewer")
_LOSERS = _group("losers", "1_3 4_6 7_12 13_up", "1 to 3 cards; 4 to 6 cards; 7 to 12 cards; 13 cards or more")
_WILDS = _group("wild", "number run alone wreath", "with a number; in a run; alone; by the Wreath Bonus")
_WAYS = _group("discarded", "stop bonus wreath", "at the stop; by Clark's Christmas Bonus; by the Wreath Bonus")


def _each(names: dict[str, str], label: str, unit: str, high: int) -> list[Metric]:
    return [Metric(name, f"{label} {what}", unit, "count", 0, high) for name, what in names.items()]


def _headline(name: str, label: str, unit: str, high: int, description: str) -> Metric:
    return Metric(name, label, unit, "count", 0, high, headline=True, description=description)


def metrics(rules: VacationRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row."""
    cap, deck, seats = rules.turn_cap, rules.deck.total, range(players)
    first = "Has discarded its whole deck before the others."
    closest = f"The fewest that a loser has left; {deck} is a whole deck, of which nothing was discarded."
    return (
        *(Metric(f"wins.{i}", f"Seat {i} wins", "share", "share", 0, 1, headline=True, description=first, outcome=True) for i in seats),
        UNFINISHED,
        turns(cap),
        _headline("rounds", "Rounds", "rounds", cap, "Turns divided by players, rounded up."),
        _headline("busts", "Busts", "turns", cap, "Turns that Cousin Eddie ended."),
        _headline("runner_up", "Cards left of the runner-up", "cards", deck, closest),
        *(Metric(f"cards_left.{i}", f"Cards left of seat {i}", "cards", "count", 0, deck) for i in seats),
        *_each(_LOSERS, "Losers left with", "seats", players),
        _headline("rolls", "Rolls", "rolls", cap * MAX_ROLLS, "Rolls of all turns together."),
        *_each(_BUSTS, "Busts with", "turns", cap),
        _headline("drawn", "Cards drawn", "cards", cap * deck, "Cards of all turns together."),
        *_each(_DRAWING, "Turns that draw", "turns", cap),
        *_each(_DISCARDING, "Turns that discard", "turns", cap),
        *_discard_metrics(rules, players * deck),
    )


def _discard_metrics(rules: VacationRules, cards: int) -> tuple[Metric, ...]:
    unused, lapsed = rules.turn_cap * MAX_ROLLS * rules.dice.count, "Declined, or with no card face up."
    no_wreath = "At the stop or by Clark's Christmas Bonus; the Wild alone counts as one."
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


def _bars(name: str, title: str, look_for: str, shown: dict[str, str]) -> Breakdown:
    return Breakdown(name, title, look_for, tuple(shown.values()), (("", tuple(shown)),))


_RISK = "Look at whether a bust is a risk that was taken, with few dice left, or bad luck with all of them."
BREAKDOWNS = (
    _bars("busts", "Busts by how many dice were rolled", _RISK, _BUSTS),
    _bars("drawn", "Cards drawn in a turn", "Look for turns that draw next to nothing, or so much that no choice is left.", _DRAWING),
    _bars("discarded", "Cards discarded in a turn", "Look at how many turns go by with nothing done.", _DISCARDING),
    _bars(
        "ways",
        "How cards get to the board",
        "Look at how much comes from the dice, by bonuses, and how much from the player's stop.",
        _WAYS,
    ),
    _bars("losers", "How close the losers were", "Look for losers who were never in the race.", _LOSERS),
    Breakdown(
        "sets",
        "Runs against numbers",
        "Look for a kind of set that hardly pays.",
        ("numbers", "runs"),
        (("sets", ("sets.numbers", "sets.runs")), ("cards", ("cards.numbers", "cards.runs"))),
    ),
    _bars("wild", "What the Wild is used for", "Look for a use that crowds out the others.", _WILDS),
)


@jit
def score(table: Record, rules: Record) -> None:  # noqa: ARG001  the table has it all
    """How many rounds there were, and how close the losers came."""
    seats = table.seats
    table.count[Counter.ROUNDS] = (table.turn + seats - 1) // seats
    table.count[Counter.LOSERS_1_3 : Counter.LOSERS_13_UP + 1] = 0
    first = second = np.int64(1 << 30)
    for seat in range(seats):
        left = np.int64(table.left[seat])
        table.cards_left[seat] = left
        if left > 0:
            table.count[Counter.LOSERS_1_3 + (left > 3) + (left > 6) + (left > 12)] += 1
        first, second = min(first, left), max(first, min(second, left))
    table.count[Counter.RUNNER_UP] = second
