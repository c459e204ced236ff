"""Merry Grinchmas told in plain sentences."""

from __future__ import annotations

from collections import Counter
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
    SPACE_CODES,
    SPOT_C,
    TRIO,
    GrinchmasRules,
)

Event = tuple[int, int, int, int]

_SPOTS = ("A", "B", "C")
_DESIGNS = ("plain", "dotted")
_PLACES = {
    s.STOLEN_FROM_SPOT: "from the spot on the board",
    s.STOLEN_ON_MAX: "from the spots on the board",
    s.STOLEN_FROM_BAG: "from the bag",
    s.STOLEN_FROM_PLAYER: "from the player's house",
    s.STOLEN_FROM_FREE_HOUSE: "from the free house",
}


def present(rules: GrinchmasRules, kind: int) -> str:
    """A kind of Present in words; with two designs one is called plain and the other dotted."""
    if kind < 0:
        return "nothing"
    design = f"{_DESIGNS[kind // MAX_COLOURS]} " if rules.presents.designs > 1 else ""
    return f"{design}{COLOUR_NAMES[kind % MAX_COLOURS]}"


def a_present(rules: GrinchmasRules, kind: int) -> str:
    """A kind of Present with its article."""
    name = present(rules, kind)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} Present"


def presents(rules: GrinchmasRules, words: Any) -> str:
    """A multiset of Presents (two words of counts) in words."""
    held = []
    for kind in range(2 * MAX_COLOURS):
        count = int(words[kind // MAX_COLOURS]) >> (8 * (kind % MAX_COLOURS)) & 0x7F
        if count:
            held.append(present(rules, kind) if count == 1 else f"{count} {present(rules, kind)}")
    return _and(held) or "nothing"


def wish(rules: GrinchmasRules, index: int) -> str:
    """A type of Wish in words."""
    kind, tokens, _ = rules.wish_types()[index]
    if kind == TRIO:
        return f"three of one colour ({_stars(rules.stars.trio)})"
    if kind == PAIR:
        return f"two {present(rules, tokens[0]) if tokens else 'of the same'} ({_stars(rules.stars.pair)})"
    return f"{_and([COLOUR_NAMES[t] for t in tokens])} ({_stars(rules.stars.mixed)})"


def paid(rules: GrinchmasRules, packed: int) -> str:
    """The Presents paid, from a scoring event's second number."""
    kinds = []
    while packed:
        kinds.append(packed % 32 - 1)
        packed //= 32
    return _and([present(rules, k) if n == 1 else f"{n} {present(rules, k)}" for k, n in Counter(kinds).items()])


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def _space(code: int, seats: int) -> str:
    if code <= SPOT_C:
        return f"the {_SPOTS[code]} space"
    if code >= HOUSE_SPACE:
        house = code - HOUSE_SPACE
        return f"house {house + 1}, which is {f'that of seat {house}' if house < seats else 'free'}"
    return {MAX_SPACE: "Max the dog", PRESENT_SPACE: "a Present space"}.get(code, "a feet space")


def _spun(_rules: GrinchmasRules, face: int, seat: int, _c: int) -> str:
    return f"Seat {seat} spins {'the feet' if face == FEET_FACE else face}."


def _moved(_rules: GrinchmasRules, position: int, space: int, seats: int) -> str:
    return f"The Grinch moves to {_space(space, seats)} (space {position} of the path)."


def _offered(rules: GrinchmasRules, partner: int, given: int, received: int) -> str:
    return f"The offer goes to seat {partner}: {a_present(rules, given)} for {a_present(rules, received)}."


def _sat_down(rules: GrinchmasRules, seats: int, position: int, _c: int) -> str:
    owners = _and([f"seat {seat} {'owns ' * (seat == 0)}house {seat + 1}" for seat in range(seats)])
    return f"{owners[0].upper()}{owners[1:]}; the Grinch starts on {_space(SPACE_CODES[rules.board.path[position]], seats)}."


def _ended(rules: GrinchmasRules, stars: int, grinch: int, wishes: int) -> str:
    told = f"The game is over, since {'the last slot is filled' if wishes >= rules.wishes.goal else 'no Wish is left'}."
    if stars == grinch:
        winner = "the players win" if rules.win_on_tie else "the Grinch wins"
        return f"{told} Both sides have {_stars(stars)}, and with a tie {winner} (G18)."
    return f"{told} {'The players win' if stars > grinch else 'The Grinch wins'} by {_stars(max(stars, grinch))} to {min(stars, grinch)}."


def _cards(n: int) -> str:
    return "The only scored Wish is" if n == 1 else f"The {n} scored Wishes are"


def _stars(n: int) -> str:
    return f"{n} star{'' if n == 1 else 's'}"


def _took(rules: GrinchmasRules, action: int, kind: int, _c: int) -> str:
    if action == s.DRAW_FROM_BAG:
        return f"The bag gives {a_present(rules, kind)}."
    return f"The {present(rules, kind)} Present on {_SPOTS[action]} goes to the player's house."


def _refilled(rules: GrinchmasRules, place: str, kind: int) -> str:
    return f"{place} is filled with {a_present(rules, kind)}." if kind >= 0 else f"{place} stays empty."


_SENTENCES: dict[int, Callable[[GrinchmasRules, int, int, int], str]] = {
    s.SPUN: _spun,
    s.MOVED: _moved,
    s.STOLEN: lambda r, kind, place, _c: f"He steals {a_present(r, kind)} {_PLACES[place]}.",
    s.STEALS_NOTHING: lambda _r, _a, _b, _c: "He steals nothing there.",
    s.GRINCH_SCORED: lambda r, index, pay, _c: f"The Grinch scores the Wish for {wish(r, index)}, paying {paid(r, pay)}.",
    s.GRINCH_CANNOT_SCORE: lambda _r, _a, _b, _c: "",
    s.TOOK: _took,
    s.OFFERED: _offered,
    s.AGREED: lambda _r, seat, _b, _c: f"Seat {seat} agrees, and they swap.",
    s.REFUSED: lambda _r, seat, _b, _c: f"Seat {seat} refuses.",
    s.SCORED: lambda r, index, pay, _c: f"The players score the Wish for {wish(r, index)}, paying {paid(r, pay)}.",
    s.DECLINED_TO_SCORE: lambda _r, _a, _b, _c: "No Wish is scored.",
    s.CANNOT_SCORE: lambda _r, _a, _b, _c: "The player cannot score.",
    s.REFILLED_SPOT: lambda r, spot, kind, _c: _refilled(r, _SPOTS[spot], kind),
    s.REFILLED_HOUSE: lambda r, house, kind, _c: _refilled(r, f"House {house + 1}", kind),
    s.TURNED_UP: lambda r, index, _b, _c: f"A Wish is turned up: {wish(r, index)}.",
    s.RESHUFFLED: lambda _r, cards, _b, _c: f"{_cards(cards)} shuffled into a new pile.",
    s.BAG_WAS_EMPTY: lambda _r, _a, _b, _c: "The bag is empty.",
    s.GAME_ENDED: _ended,
    s.SAT_DOWN: _sat_down,
}


def sentences(rules: GrinchmasRules, events: list[Event]) -> list[str]:
    """One sentence for each event worth telling."""
    told = (_SENTENCES[code](rules, a, b, c) for code, a, b, c in events)
    return [sentence for sentence in told if sentence]


_QUESTIONS = {
    s.TAKE: "which Present to take",
    s.SCORE: "which Wish to score",
    s.OFFER: "what exchange to offer",
    s.GIVE_UP: "which Present the Grinch gets",
    s.CONSENT: "whether to agree",
}


def question(rules: GrinchmasRules, view: Any) -> str:
    """What the deciding seat is asked, and what there is to choose from."""
    if int(view.decision) == s.GRINCH_SCORES:
        return f"which Wish the Grinch scores (his hoard: {presents(rules, view.hoard)})"
    return f"{_QUESTIONS[int(view.decision)]} (holding {presents(rules, view.mine)})"


def option(rules: GrinchmasRules, view: Any, index: int) -> str:
    """What one option would do."""
    decision = int(view.decision)
    if decision == s.TAKE:
        return _take_option(rules, view, index)
    if decision == s.GIVE_UP:
        return present(rules, int(view.lose[index]))
    if decision == s.OFFER:
        return f"seat {int(view.partner[index])}: {present(rules, int(view.lose[index]))} for {present(rules, int(view.gain[index]))}"
    if decision == s.CONSENT:
        return "agree" if view.action[index] == s.AGREE else "refuse"
    return _score_option(rules, view, index)


def _take_option(rules: GrinchmasRules, view: Any, index: int) -> str:
    action = int(view.action[index])
    if action == s.EXCHANGE:
        return "ask for an exchange"
    if action == s.TAKE_NOTHING:
        return "nothing"
    return "a random one from the bag" if action == s.DRAW_FROM_BAG else f"{present(rules, int(view.gain[index]))} from {_SPOTS[action]}"


def _score_option(rules: GrinchmasRules, view: Any, index: int) -> str:
    place = int(view.wish[index])
    if place < 0:
        return "none"
    stars = (rules.stars.mixed, rules.stars.pair, rules.stars.trio)[int(view.wish_kind[place])]
    return f"{presents(rules, view.pay[index])} for {_stars(stars)}"
