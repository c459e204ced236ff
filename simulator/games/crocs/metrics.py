"""What each playout of Christmas Crocs leaves behind."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.errors import RulesError
from simulator.game import Breakdown, Influence, Metric
from simulator.games.crocs.rules import KIND_KEYS, KIND_NAMES, KINDS, CrocsRules, too_small_to_deal
from simulator.games.crocs.state import COUNTERS, LOST_TO_COAL, LOST_TO_GRINCH, LOST_TO_SCROOGE, NOBODY, STANDINGS, WAYS
from simulator.games.crocs.turn import full_slots
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import UNFINISHED, Record

_WON_BY = {
    "won_by.present": ("Won by a Present", "The last slot was filled with a Present from the hand or from a question."),
    "won_by.canes": ("Won by Candy Canes", "The last slot was filled with a Candy Cane from the hand or from a question."),
    "won_by.grinch": ("Won by a Grinch Croc", "A theft filled the last slot, and the next player did not answer it with a Heart."),
    "won_by.heart": ("Won by a Heart's gift", "The last slot was filled with a present that a Heart made a thief give away."),
    "won_by.most_slots": ("Won by most slots", "The deck ran out, where that ends the game, and one player had the most full slots."),
}
_STANDINGS = {"alone": "of the leader", "level": "of one of several leaders", "behind": "of a player who is behind"}


def metrics(rules: CrocsRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row.

    Raises:
        RulesError: the deck is too small to deal to so many players.
    """
    if reason := too_small_to_deal(rules, players):
        message = f"Rule 'hand.deal' {reason}."
        raise RulesError(message)
    slots, seats = rules.slots.count, range(players)
    ends = int(rules.deck.when_empty == "end")
    return (
        *(_outcome(f"wins.{i}", f"Seat {i} wins", "Has filled its slots first.", headline=True) for i in seats),
        _outcome("tied", "Tied", "The deck ran out, where that ends the game, with several players ahead; nobody's win.", high=ends),
        _outcome("unfinished", "Unfinished", "The turn cap ended the playout."),
        *_length_metrics(rules, players),
        Metric(
            "lead", "Lead of the winner", "slots", "count", 0, slots, headline=True, description="Full slots that the runner-up lacked."
        ),
        *(Metric(name, label, "share", "share", 0, 1, description=text) for name, (label, text) in _WON_BY.items()),
        *(Metric(f"slots.{i}", f"Full slots of seat {i}", "slots", "count", 0, slots) for i in seats),
        *_attack_metrics(rules),
        *_other_metrics(rules.turn_cap),
        *(_drawn_metric(rules, kind, i) for i in seats for kind in range(KINDS)),
    )


def _outcome(name: str, label: str, description: str, *, headline: bool = False, high: int = 1) -> Metric:
    return Metric(name, label, "share", "share", 0, high, headline=headline, description=description, outcome=True)


def _count(name: str, label: str, unit: str, high: int, description: str = "") -> Metric:
    return Metric(name, label, unit, "count", 0, high, description=description)


def _length_metrics(rules: CrocsRules, players: int) -> tuple[Metric, ...]:
    cap, rounds = rules.turn_cap, -(-rules.turn_cap // players)
    return (
        Metric("turns", "Turns", "turns", "count", 0, cap, headline=True, description="Turns of all seats together, skipped ones apart."),
        Metric("rounds", "Rounds", "rounds", "count", 0, rounds, headline=True, description="Turns divided by players, rounded up."),
    )


def _attack_metrics(rules: CrocsRules) -> tuple[Metric, ...]:
    cap, most = rules.turn_cap, rules.turn_cap * rules.grinch.takes
    thefts, presents = "Grinch Crocs", "presents"
    lost = (("scrooge", "Slots emptied by Scrooge", cap), ("grinch", "Presents stolen", most), ("coal", "Slots blocked by Coal", cap))
    return (
        Metric("grinch.played", "Grinch Crocs played", thefts, "count", 0, cap, headline=True),
        _count("grinch.to_win", "Grinch Crocs that fill the last slot", thefts, cap),
        _count(
            "grinch.answered", "Grinch Crocs answered", thefts, cap, "With a Heart, by anybody, of those that did not fill the last slot."
        ),
        _count("grinch.answered_to_win", "Winning Grinch Crocs answered", thefts, cap, "With a Heart, by the next player."),
        _count("grinch.wasted", "Stolen presents discarded", presents, most, "The thief had no open slot for them."),
        _count("gifts", "Presents given away", presents, most, "Because of a Heart."),
        _count("gifts.wasted", "Gifts discarded", presents, most, "Who should get them had no open slot."),
        *(
            _count(f"lost.{attack}.{name}", f"{label} {of}", "slots", high)
            for attack, label, high in lost
            for name, of in _STANDINGS.items()
        ),
        *(_count(f"lost.{attack}", label, "slots", high) for attack, label, high in lost),
    )


def _other_metrics(cap: int) -> tuple[Metric, ...]:
    questions, turns = "questions", "turns"
    return (
        _count("coal.removed", "Coal removed", "Coal cards", cap, "With a Santa."),
        _count("questions", "Questions", questions, cap, "With a Santa or an Elf."),
        _count("questions.failed", "Questions that got nothing", questions, cap),
        _count("questions.refused", "Questions refused", questions, cap, "Where giving is voluntary."),
        _count("no_play", "Turns without a legal play", turns, cap, "A card was discarded to no effect."),
        _count("passed", "Turns with no card in hand", turns, cap),
        _count("not_drawn", "Turns without a draw", turns, cap, "There was no card to draw."),
        Metric("skipped", "Turns skipped", turns, "count", 0, cap, headline=True, description="Because of a Snow Croc."),
        _count("reversed", "Choo Choos", "Choo Choo cards", cap),
        _count("reshuffles", "Reshuffles", "reshuffles", 2 * cap),
    )


def _drawn_metric(rules: CrocsRules, kind: int, seat: int) -> Metric:
    name, label = f"drawn.{KIND_KEYS[kind]}.{seat}", f"{KIND_NAMES[kind]} cards drawn by seat {seat}"
    high = rules.hand.deal + 2 * rules.turn_cap
    return Metric(name, label, "cards", "count", 0, high, description="Those of the first hand included; by question is not drawn.")


BREAKDOWNS = (
    Breakdown(
        "won_by",
        "How games are won",
        "Look for a way that decides too many games, or hardly any.",
        ("a Present", "Candy Canes", "a Grinch Croc", "a Heart's gift", "most slots"),
        (("", tuple(_WON_BY)),),
    ),
    Breakdown(
        "lost",
        "Who is attacked",
        "Look at whether attacks hold the leader back, or hit those who are behind already.",
        ("the leader", "one of several leaders", "somebody behind"),
        tuple(
            (label, tuple(f"lost.{attack}.{name}" for name in _STANDINGS))
            for label, attack in (("Scrooge", "scrooge"), ("Grinch Croc", "grinch"), ("Coal", "coal"))
        ),
    ),
    Breakdown(
        "grinch",
        "Grinch Crocs and Hearts",
        "Look at how often a Heart undoes a theft, and whether a winning one can be stopped.",
        ("played", "answered with a Heart"),
        (("all", ("grinch.played", "grinch.answered")), ("filling the last slot", ("grinch.to_win", "grinch.answered_to_win"))),
    ),
    Breakdown(
        "questions",
        "What Santa and Elf ask for",
        "Look for questions that are mostly wasted.",
        ("asked", "got nothing", "refused"),
        (("", ("questions", "questions.failed", "questions.refused")),),
    ),
    Breakdown(
        "idle",
        "Turns in which nothing happens",
        "Look at how much of the game players only watch.",
        ("skipped", "no legal play", "no card in hand", "no card to draw"),
        (("", ("skipped", "no_play", "passed", "not_drawn")),),
    ),
    Breakdown(
        "no_winner",
        "Games that nobody wins",
        "Look for games that stall, or that the rules leave undecided.",
        ("tied", "unfinished"),
        (("", ("tied", "unfinished")),),
    ),
)

INFLUENCES = (
    Influence(
        "drawn",
        "Cards drawn and games won",
        "Look for a thick line that climbs or falls far: there the luck of the draw goes with winning or losing.",
        "cards drawn",
        tuple((name, f"drawn.{key}") for key, name in zip(KIND_KEYS, KIND_NAMES, strict=True)),
    ),
)


@jit
def score(state: Record, rules: Record, row: Any) -> None:
    """Write the row, int32, in the order of `metrics`."""
    seats = state.seats
    for seat in range(seats):
        row[seat] = 1 if state.winner == seat else 0
    unfinished = state.status == UNFINISHED
    row[seats] = 1 if state.winner == NOBODY and not unfinished else 0
    row[seats + 1] = 1 if unfinished else 0
    row[seats + 2] = state.turn
    row[seats + 3] = (state.turn + seats - 1) // seats
    row[seats + 4] = _lead(state, rules)
    at = seats + 5
    for way in range(WAYS):
        row[at + way] = 1 if state.way == way and state.winner != NOBODY else 0
    at += WAYS
    for seat in range(seats):
        row[at + seat] = full_slots(state.slots[seat], rules.full_canes)
    _score_counters(state, row, at + seats)


@jit_inlined
def _score_counters(state: Record, row: Any, at: Any) -> None:
    """The counters in their order, with the totals of the slots lost behind those by standing; then the cards drawn."""
    split = LOST_TO_COAL + STANDINGS
    for i in range(split):
        row[at + i] = state.count[i]
    at += split
    for i, first in enumerate((LOST_TO_SCROOGE, LOST_TO_GRINCH, LOST_TO_COAL)):
        row[at + i] = state.count[first] + state.count[first + 1] + state.count[first + 2]
    at += 3
    for i in range(split, COUNTERS):
        row[at + i - split] = state.count[i]
    at += COUNTERS - split
    for seat in range(state.seats):
        for kind in range(KINDS):
            row[at + seat * KINDS + kind] = state.drawn[seat, kind]


@jit
def _lead(state: Record, rules: Record) -> Any:
    """The most full slots less the second most."""
    first = second = np.int64(0)
    for seat in range(state.seats):
        full = full_slots(state.slots[seat], rules.full_canes)
        if full > first:
            first, second = full, first
        elif full > second:
            second = full
    return first - second
