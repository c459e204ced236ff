"""Christmas Vacation told in plain sentences."""

from __future__ import annotations

from typing import Any

from simulator.games.vacation.rules import Face
from simulator.games.vacation.table import NUMBERS, Decision, Event, Kind, NextBonus, RollAgain
from simulator.kit import Sentences, listed, plural

_FACES = ("Eddie", "Clark", "wreath", "bonus")
_WAYS = {Decision.DISCARD: "", Decision.BONUS: "Clark's Christmas Bonus: ", Decision.WREATH: "The Wreath Bonus: "}
_ASKED = {
    Decision.DISCARD: "what to discard at the stop",
    Decision.BONUS: "what Clark's Christmas Bonus discards",
    Decision.WREATH: "which card the Wreath Bonus discards",
    Decision.NEXT_BONUS: "which bonus to use first",
}


def cards(word: int, wilds: int) -> str:
    """A hand, as a word of counts and a number of Wilds, in words: `2, 3, 3 and the Wild`."""
    names = [str(number + 1) for number in range(NUMBERS.kinds) for _ in range(word >> (8 * number) & 0x7F)]
    return listed(names + (["the Wild"] if wilds == 1 else [plural(wilds, "Wild")] if wilds else [])) or "nothing"


def _rolled(_rules: Any, seat: int, shown: int, _roll: int) -> str:
    faces = [plural(n, _FACES[face]) for face in Face if (n := shown >> (8 * face) & 0xFF)]
    return f"Seat {seat} rolls {listed(faces)}."


def _drawn(_rules: Any, events: list[tuple[int, int, int]]) -> str:
    return f"Cards drawn: {listed(['the Wild' if kind == NUMBERS.kinds else str(kind + 1) for kind, *_ in events])}."


def _discarded(_rules: Any, decision: int, numbers: int, wilds: int) -> str:
    word = sum((numbers >> 8) << (8 * number) for number in range(NUMBERS.kinds) if numbers >> number & 1)
    return f"{_WAYS[Decision(decision)]}{cards(word, wilds)} discarded."


def _question(_rules: Any, view: Any) -> str:
    """What the deciding seat is asked, with the cards that lie face up."""
    rolls = f"whether to roll {view.dice} {'die' if view.dice == 1 else 'dice'} again"
    return f"{_ASKED.get(view.decision, rolls)} (face up: {cards(int(view.up), int(view.up_wilds))})"


def _option(_rules: Any, view: Any, index: int) -> str:
    if view.decision == Decision.ROLL_AGAIN:
        return "roll" if index == RollAgain.ROLL else "stop"
    if view.decision == Decision.NEXT_BONUS:
        return "the Wreath Bonus" if index == NextBonus.WREATH else "Clark's Christmas Bonus"
    return "none" if view.kind[index] == Kind.NONE else cards(int(view.cards[index]), int(view.wilds[index]))


STORY = Sentences(
    {
        Event.ROLLED: _rolled,
        Event.EDDIES: lambda _, a, b, __: f"{'Cousin Eddie goes' if b == 1 else f'{b} Eddies go'} to the board, which holds {a} now.",
        Event.BUSTED: "That ends the turn at once: nothing is drawn or discarded.",
        Event.RAN_OUT: lambda _, a, *__: f"The deck has run out: {plural(a, 'draw')} skipped.",
        Event.DIE_SHOWS: lambda _, a, *__: f"The next die: {_FACES[a]}.",
        Event.DISCARDED: _discarded,
        Event.KEPT: lambda _, a, *__: f"{_WAYS[Decision(a)]}Nothing is discarded.",
        Event.SHUFFLED_BACK: lambda _, a, *__: f"{plural(a, 'card')} shuffled back into the deck.",
        Event.WON: "Seat {a} has discarded its whole deck and wins.",
    },
    together={Event.DREW: _drawn},
    asks=_question,
    offers=_option,
)
