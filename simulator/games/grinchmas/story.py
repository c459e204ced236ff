"""Merry Grinchmas told in plain sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.games.grinchmas import state as s
from simulator.games.grinchmas.rules import (
    COLOUR_NAMES,
    FEET_FACE,
    HOUSE_SPACE,
    MAX_COLOURS,
    MAX_SPACE,
    PAIR,
    PRESENT_SPACE,
    SPOT_C,
    TRIO,
    GrinchmasRules,
)

Event = tuple[int, int, int, int]

_SPOTS = ("A", "B", "C")
_DESIGNS = ("", "dotted ")
_PLACES = {
    s.STOLEN_FROM_SPOT: "from the spot on the board",
    s.STOLEN_ON_MAX: "from the spots on the board",
    s.STOLEN_FROM_BAG: "from the bag",
    s.STOLEN_FROM_PLAYER: "from the player's house",
    s.STOLEN_FROM_FREE_HOUSE: "from the free house",
}


def present(kind: int) -> str:
    """A kind of Present in words; with two designs the second is called dotted."""
    return "nothing" if kind < 0 else f"{_DESIGNS[kind // MAX_COLOURS]}{COLOUR_NAMES[kind % MAX_COLOURS]}"


def presents(words: Any) -> str:
    """A multiset of Presents (two words of counts) in words."""
    held = []
    for kind in range(2 * MAX_COLOURS):
        count = int(words[kind // MAX_COLOURS]) >> (8 * (kind % MAX_COLOURS)) & 0x7F
        if count:
            held.append(present(kind) if count == 1 else f"{count} {present(kind)}")
    return _and(held) or "nothing"


def wish(rules: GrinchmasRules, index: int) -> str:
    """A type of Wish in words."""
    kind, tokens, _ = rules.wish_types()[index]
    if kind == TRIO:
        return f"three of one colour ({rules.stars.trio} stars)"
    if kind == PAIR:
        return f"two {present(tokens[0]) if tokens else 'of the same'} ({rules.stars.pair} stars)"
    return f"{_and([present(t) for t in tokens])} ({rules.stars.mixed} stars)"


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def _space(code: int) -> str:
    if code <= SPOT_C:
        return f"the {_SPOTS[code]} space"
    named = {MAX_SPACE: "Max the dog", PRESENT_SPACE: "a Present space"}
    return named.get(code, f"house {code - HOUSE_SPACE + 1}" if code >= HOUSE_SPACE else "a feet space")


def _spun(_rules: GrinchmasRules, face: int, seat: int, _c: int) -> str:
    return f"Seat {seat} spins {'the feet' if face == FEET_FACE else face}."


def _moved(_rules: GrinchmasRules, position: int, space: int, _c: int) -> str:
    return f"The Grinch moves to {_space(space)} (space {position} of the path)."


def _offered(_rules: GrinchmasRules, partner: int, given: int, received: int) -> str:
    return f"The offer goes to seat {partner}: a {present(given)} Present for a {present(received)} one."


def _ended(_rules: GrinchmasRules, stars: int, grinch: int, _c: int) -> str:
    return f"The game is over: the players have {stars} stars, the Grinch {grinch}."


def _took(_rules: GrinchmasRules, action: int, kind: int, _c: int) -> str:
    if action == s.DRAW_FROM_BAG:
        return f"The bag gives a {present(kind)} Present."
    return f"The {present(kind)} Present on {_SPOTS[action]} goes to the player's house."


_SENTENCES: dict[int, Callable[[GrinchmasRules, int, int, int], str]] = {
    s.SPUN: _spun,
    s.MOVED: _moved,
    s.STOLEN: lambda _r, kind, place, _c: f"He steals a {present(kind)} Present {_PLACES[place]}.",
    s.STEALS_NOTHING: lambda _r, _a, _b, _c: "He steals nothing there.",
    s.GRINCH_SCORED: lambda r, index, _b, _c: f"The Grinch scores the Wish for {wish(r, index)}.",
    s.GRINCH_CANNOT_SCORE: lambda _r, _a, _b, _c: "",
    s.TOOK: _took,
    s.OFFERED: _offered,
    s.AGREED: lambda _r, seat, _b, _c: f"Seat {seat} agrees, and they swap.",
    s.REFUSED: lambda _r, seat, _b, _c: f"Seat {seat} refuses.",
    s.SCORED: lambda r, index, _b, _c: f"The players score the Wish for {wish(r, index)}.",
    s.DECLINED_TO_SCORE: lambda _r, _a, _b, _c: "No Wish is scored.",
    s.CANNOT_SCORE: lambda _r, _a, _b, _c: "The player cannot score.",
    s.REFILLED_SPOT: lambda _r, spot, kind, _c: f"{_SPOTS[spot]} is filled with {present(kind)}.",
    s.REFILLED_HOUSE: lambda _r, house, kind, _c: f"House {house + 1} is filled with {present(kind)}.",
    s.TURNED_UP: lambda r, index, _b, _c: f"A Wish is turned up: {wish(r, index)}.",
    s.RESHUFFLED: lambda _r, cards, _b, _c: f"The {cards} scored Wishes are shuffled into a new pile.",
    s.BAG_WAS_EMPTY: lambda _r, _a, _b, _c: "The bag is empty.",
    s.GAME_ENDED: _ended,
}


def sentences(rules: GrinchmasRules, events: list[Event]) -> list[str]:
    """One sentence for each event worth telling."""
    told = (_SENTENCES[code](rules, a, b, c) for code, a, b, c in events)
    return [sentence for sentence in told if sentence]


_QUESTIONS = {
    s.TAKE: "which Present to take",
    s.SCORE: "which Wish to score",
    s.OFFER: "what exchange to offer",
    s.GRINCH_SCORES: "which Wish the Grinch scores",
    s.GIVE_UP: "which Present the Grinch gets",
    s.CONSENT: "whether to agree",
}


def question(rules: GrinchmasRules, view: Any) -> str:
    """What the deciding seat is asked, with the Presents it holds."""
    del rules  # the question is the same under all rules
    return f"{_QUESTIONS[int(view.decision)]} (holding {presents(view.mine)})"


def option(rules: GrinchmasRules, view: Any, index: int) -> str:
    """What one option would do."""
    decision = int(view.decision)
    if decision == s.TAKE:
        return _take_option(view, index)
    if decision == s.GIVE_UP:
        return present(int(view.lose[index]))
    if decision == s.OFFER:
        return f"seat {int(view.partner[index])}: {present(int(view.lose[index]))} for {present(int(view.gain[index]))}"
    if decision == s.CONSENT:
        return "agree" if view.action[index] == s.AGREE else "refuse"
    return _score_option(rules, view, index)


def _take_option(view: Any, index: int) -> str:
    action = int(view.action[index])
    if action == s.EXCHANGE:
        return "ask for an exchange"
    return "a random one from the bag" if action == s.DRAW_FROM_BAG else f"{present(int(view.gain[index]))} from {_SPOTS[action]}"


def _score_option(rules: GrinchmasRules, view: Any, index: int) -> str:
    place = int(view.wish[index])
    if place < 0:
        return "none"
    stars = (rules.stars.mixed, rules.stars.pair, rules.stars.trio)[int(view.wish_kind[place])]
    return f"{presents(view.pay[index])} for {stars} stars"
