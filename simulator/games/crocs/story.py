"""Christmas Crocs told in plain sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.games.crocs import state as s
from simulator.games.crocs.rules import (
    CANDY_CANE,
    CANE_SLOT,
    ELF,
    KIND_NAMES,
    KINDS,
    OPEN_SLOT,
    PRESENT,
    PRESENT_SLOT,
    SANTA,
    CrocsRules,
)

Event = tuple[int, int, int, int]

_PLURALS = {"Elf": "Elves", "Coal": "Coal"}

_PLAYS = {
    s.ASK_FOR_PRESENT: "Santa, to ask for a Present",
    s.ASK_FOR_CANE: "Elf, to ask for a Candy Cane",
    s.REMOVE_COAL: "Santa, to take a Coal away",
    s.DRAW_CARD: "Elf, to draw a card",
}
_WAYS = {
    s.BY_PRESENT: "with a Present",
    s.BY_CANES: "with Candy Canes",
    s.BY_GRINCH: "with the Grinch Croc",
    s.BY_HEART: "with the gift",
    s.BY_MOST_SLOTS: "with the most full slots",
}


def card(kind: int) -> str:
    """A kind of card in words."""
    return KIND_NAMES[kind]


def _several(n: int, kind: int) -> str:
    """A number of cards of a kind in words."""
    return f"{n} {_PLURALS.get(card(kind), card(kind) + 's')}"


def hand(word: int) -> str:
    """A hand in words: `2 Presents and Heart`."""
    held = [(kind, word >> (s.HAND_BITS * kind) & ((1 << s.HAND_BITS) - 1)) for kind in range(KINDS)]
    return _and([card(kind) if n == 1 else _several(n, kind) for kind, n in held if n]) or "nothing"


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def _plural(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def _play(action: int) -> str:
    return _PLAYS.get(action) or card(action)


def _slot(rules: CrocsRules, content: int) -> str:
    """What a slot holds, in words."""
    if content == OPEN_SLOT:
        return "an open slot"
    if content == PRESENT_SLOT:
        return "a slot with a Present"
    canes = content - CANE_SLOT + 1
    return f"a slot {'full of' if canes == rules.slots.canes else 'with'} {_plural(canes, 'Candy Cane')}"


def _placed(rules: CrocsRules, seat: int, kind: int, content: int) -> str:
    where = _slot(rules, content if kind == CANDY_CANE else OPEN_SLOT)
    return f"The {card(kind)} goes into {where} of seat {seat}."


def _answered(_rules: CrocsRules, seat: int, kind: int, gives: int) -> str:
    return f"Seat {seat} gives a {card(kind)}." if gives else f"Seat {seat} gives none."


def _turned(_rules: CrocsRules, direction: int, _b: int, _c: int) -> str:
    return f"Choo choo! Play goes {'clockwise' if direction > 0 else 'the other way round'} now."


def _stole(_rules: CrocsRules, seat: int, presents: int, _c: int) -> str:
    return f"The Grinch Croc takes {_plural(presents, 'present')} of seat {seat}."


def _kept(_rules: CrocsRules, thief: int, presents: int, _c: int) -> str:
    return f"{_plural(presents, 'present')} {'goes' if presents == 1 else 'go'} into the slots of seat {thief}."


def _heart(_rules: CrocsRules, seat: int, thief: int, _c: int) -> str:
    return f"Seat {seat} plays a Heart: seat {thief} gives away what it stole."


def _deck_ended(_rules: CrocsRules, slots: int, seats: int, winner: int) -> str:
    who = f"seat {winner} wins" if seats == 1 else f"{seats} seats tie"
    return f"There is no card left to draw: {who} with {_plural(slots, 'full slot')}."


_SENTENCES: dict[int, Callable[[CrocsRules, int, int, int], str]] = {
    s.DEALT: lambda _r, seat, cards, _c: f"Seat {seat} is dealt {_plural(cards, 'card')}.",
    s.DREW: lambda _r, seat, kind, _c: f"Seat {seat} draws: {card(kind)}.",
    s.CANNOT_DRAW: lambda _r, seat, _b, _c: f"There is no card for seat {seat} to draw.",
    s.RESHUFFLED: lambda _r, cards, _b, _c: (
        f"{'The only discard is' if cards == 1 else f'The {cards} discards are'} shuffled into a new deck."
    ),
    s.SKIPPED_TURN: lambda _r, seat, _b, _c: f"Seat {seat} is frozen and misses its turn.",
    s.PLAYED: lambda _r, seat, action, _c: f"Seat {seat} plays {_play(action)}.",
    s.DISCARDED: lambda _r, seat, kind, _c: f"With no legal play seat {seat} discards {card(kind)}.",
    s.HAS_NO_CARD: lambda _r, seat, _b, _c: f"Seat {seat} has no card and passes.",
    s.PLACED: _placed,
    s.ASKED: lambda _r, seat, kind, _c: f"Seat {seat} is asked for a {card(kind)}.",
    s.ANSWERED_QUESTION: _answered,
    s.COAL_TAKEN_AWAY: lambda _r, seat, _b, _c: f"A Coal is gone from the slots of seat {seat}.",
    s.SCROOGED: lambda r, seat, content, _c: f"Seat {seat} gets Scrooge'd: {_slot(r, content)} is emptied.",
    s.STOLE: _stole,
    s.LOOT_KEPT: _kept,
    s.LOOT_DISCARDED: lambda _r, presents, _b, _c: f"There is no open slot for {_plural(presents, 'present')}: discarded.",
    s.HEART_PLAYED: _heart,
    s.GIFT_LOST: lambda _r, seat, _b, _c: f"Seat {seat} has no open slot; the present is discarded.",
    s.COALED: lambda _r, seat, _b, _c: f"Coal blocks a slot of seat {seat}.",
    s.TURNED: _turned,
    s.FROZE: lambda _r, seat, _b, _c: f"Seat {seat} will miss its next turn.",
    s.WON: lambda _r, seat, way, _c: f"Seat {seat} has filled its slots and wins {_WAYS[way]}.",
    s.DECK_ENDED: _deck_ended,
}


def sentences(rules: CrocsRules, events: list[Event]) -> list[str]:
    """One sentence for each event worth telling; the cards that a seat is dealt share one."""
    told: list[str] = []
    dealt: dict[int, int] = {}
    dealing = any(code == s.DEALT for code, *_ in events)
    for code, a, b, c in events:
        if dealing and code == s.DREW:
            dealt[a] = dealt.get(a, 0) + (1 << (s.HAND_BITS * b))
        elif code == s.DEALT:
            told.append(f"Seat {a} is dealt {hand(dealt.get(a, 0))}.")
        else:
            told.append(_SENTENCES[code](rules, a, b, c))
    return told


_QUESTIONS = {
    s.PLAY: "which card to play",
    s.DISCARD: "which card to discard",
    s.CANE: "where the Candy Cane goes",
    s.SLOT: "which slot to empty",
}


def question(rules: CrocsRules, view: Any) -> str:
    """What the deciding seat is asked, with the cards it holds."""
    del rules  # the question is the same under all rules
    decision = int(view.decision)
    if decision == s.TARGET:
        asked = f"whom to {'ask' if int(view.action) in {SANTA, ELF} else 'play it on'}"
    elif decision == s.GIVE:
        asked = f"whether to give seat {int(view.active)} a {card(PRESENT if int(view.action) == SANTA else CANDY_CANE)}"
    elif decision == s.ANSWER:
        asked = f"whether to answer the Grinch Croc of seat {int(view.thief)} with a Heart"
    else:
        asked = _QUESTIONS[decision]
    return f"{asked} (holding {hand(int(view.mine))})"


def option(rules: CrocsRules, view: Any, index: int) -> str:
    """What one option would do."""
    decision, chosen = int(view.decision), int(view.options) >> (s.OPTION_BITS * index) & ((1 << s.OPTION_BITS) - 1)
    if decision == s.PLAY:
        return _play(chosen)
    if decision == s.DISCARD:
        return card(chosen)
    if decision == s.TARGET:
        return f"seat {chosen}"
    if decision in {s.CANE, s.SLOT}:
        return _slot(rules, chosen)
    return "yes" if chosen == s.YES else "no"
