"""Christmas Crocs told in plain sentences."""

from __future__ import annotations

from typing import Any

from simulator.games.crocs.rules import KIND_NAMES, CrocsRules
from simulator.games.crocs.table import HAND, Action, Counter, Decision, Event, Slot
from simulator.kit import Sentences, listed, plural
from simulator.kit.piles import unpacked
from simulator.kit.questions import Answer, option

_PLURALS = {"Elf": "Elves", "Coal": "Coal"}

_PLAYS: dict[int, str] = {
    Action.ASK_FOR_PRESENT: "Santa, to ask for a Present",
    Action.ASK_FOR_CANE: "Elf, to ask for a Candy Cane",
    Action.REMOVE_COAL: "Santa, to take a Coal away",
    Action.DRAW_CARD: "Elf, to draw a card",
}
_WAYS = {
    Counter.WON_BY_PRESENT: "with a Present",
    Counter.WON_BY_CANES: "with Candy Canes",
    Counter.WON_BY_GRINCH: "with the Grinch Croc",
    Counter.WON_BY_HEART: "with the gift",
}


def hand(word: int) -> str:
    """A hand in words: `2 Presents and Heart`."""
    held = [(KIND_NAMES[kind], n) for kind, n in enumerate(unpacked(HAND, word)) if n]
    return listed([name if n == 1 else f"{n} {_PLURALS.get(name, name + 's')}" for name, n in held]) or "nothing"


def _play(action: int) -> str:
    return _PLAYS.get(action) or KIND_NAMES[action]


def _slot(rules: CrocsRules, content: int) -> str:
    """What a slot holds, in words."""
    if content < Slot.CANE:
        return "an open slot" if content == Slot.OPEN else "a slot with a Present"
    canes = content - Slot.CANE + 1
    return f"a slot {'full of' if canes == rules.slots.canes else 'with'} {plural(canes, 'Candy Cane')}"


def _asks(_rules: CrocsRules, view: Any) -> str:
    """What the deciding seat is asked, with the cards it holds."""
    asks_for = {int(Action.ASK_FOR_PRESENT): "Present", int(Action.ASK_FOR_CANE): "Candy Cane"}.get(int(view.action))
    asked = {
        Decision.PLAY: "which card to play",
        Decision.DISCARD: "which card to discard",
        Decision.CANE: "where the Candy Cane goes",
        Decision.SLOT: "which slot to empty",
        Decision.TARGET: f"whom to {'ask' if asks_for else 'play it on'}",
        Decision.GIVE: f"whether to give seat {view.mover} a {asks_for}",
        Decision.ANSWER: f"whether to answer the Grinch Croc of seat {view.thief} with a Heart",
    }[Decision(view.decision)]
    return f"{asked} (holding {hand(int(view.hand))})"


def _offers(rules: CrocsRules, view: Any, index: int) -> str:
    """What one option would do."""
    decision, chosen = view.decision, int(option(view, index))
    if decision in {Decision.PLAY, Decision.DISCARD}:
        return _play(chosen) if decision == Decision.PLAY else KIND_NAMES[chosen]
    if decision in {Decision.CANE, Decision.SLOT}:
        return _slot(rules, chosen)
    return f"seat {chosen}" if decision == Decision.TARGET else "yes" if chosen == Answer.YES else "no"


STORY = Sentences(
    {
        Event.DEALT: lambda _, a, b, c: f"Seat {a} is dealt {hand((b & 0xFFFFFFFF) | c << 32)}.",
        Event.DREW: lambda _, a, b, __: f"Seat {a} draws: {KIND_NAMES[b]}.",
        Event.CANNOT_DRAW: "There is no card for seat {a} to draw.",
        Event.RESHUFFLED: lambda _, a, __, ___: f"{'The only discard is' if a == 1 else f'The {a} discards are'} shuffled into a new deck.",
        Event.SKIPPED_TURN: "Seat {a} is frozen and misses its turn.",
        Event.PLAYED: lambda _, a, b, __: f"Seat {a} plays {_play(b)}.",
        Event.DISCARDED: lambda _, a, b, __: f"With no legal play seat {a} discards {KIND_NAMES[b]}.",
        Event.HAS_NO_CARD: "Seat {a} has no card and passes.",
        Event.PLACED: lambda rules, a, b, c: f"The {KIND_NAMES[b]} goes into {_slot(rules, c)} of seat {a}.",
        Event.ASKED: lambda _, a, b, __: f"Seat {a} is asked for a {KIND_NAMES[b]}.",
        Event.ANSWERED_QUESTION: lambda _, a, b, c: f"Seat {a} gives a {KIND_NAMES[b]}." if c else f"Seat {a} gives none.",
        Event.COAL_TAKEN_AWAY: "A Coal is gone from the slots of seat {a}.",
        Event.SCROOGED: lambda rules, a, b, _: f"Seat {a} gets Scrooge'd: {_slot(rules, b)} is emptied.",
        Event.STOLE: lambda _, a, b, __: f"The Grinch Croc takes {plural(b, 'present')} of seat {a}.",
        Event.LOOT_KEPT: lambda _, a, b, __: f"{plural(b, 'present')} {'goes' if b == 1 else 'go'} into the slots of seat {a}.",
        Event.LOOT_DISCARDED: lambda _, a, __, ___: f"There is no open slot for {plural(a, 'present')}: discarded.",
        Event.HEART_PLAYED: "Seat {a} plays a Heart: seat {b} gives away what it stole.",
        Event.GIFT_LOST: "Seat {a} has no open slot; the present is discarded.",
        Event.COALED: "Coal blocks a slot of seat {a}.",
        Event.TURNED: lambda _, a, __, ___: f"Choo choo! Play goes {'clockwise' if a > 0 else 'the other way round'} now.",
        Event.FROZE: "Seat {a} will miss its next turn.",
        Event.WON: lambda _, a, b, __: f"Seat {a} has filled its slots and wins {_WAYS[Counter(b)]}.",
        Event.DECK_ENDED: lambda _, a, b, c: (
            f"There is no card left to draw: {f'seat {c} wins' if b == 1 else f'{b} seats tie'} with {plural(a, 'full slot')}."
        ),
    },
    asks=_asks,
    offers=_offers,
)
