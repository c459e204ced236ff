"""Merry Grinchmas told in plain sentences."""

from __future__ import annotations

from collections import Counter
from typing import Any

from simulator.games.grinchmas import table as t
from simulator.games.grinchmas.rules import COLOUR_NAMES, FEET_FACE, MAX_COLOURS, PAIR, SPACE_CODES, TRIO, GrinchmasRules, SpaceCode
from simulator.kit import Sentences, listed, plural

_SPOTS = ("A", "B", "C")
_DESIGNS = ("plain", "dotted")
_ACTIONS = {
    t.Action.DRAW_FROM_BAG: "a random one from the bag",
    t.Action.EXCHANGE: "ask for an exchange",
    t.Action.TAKE_NOTHING: "nothing",
}
_QUESTIONS = {
    t.Decision.TAKE: "which Present to take",
    t.Decision.SCORE: "which Wish to score",
    t.Decision.OFFER: "what exchange to offer",
    t.Decision.GRINCH_SCORES: "which Wish the Grinch scores",
    t.Decision.GIVE_UP: "which Present the Grinch gets",
    t.Decision.CONSENT: "whether to agree",
}
_PLACES = {
    t.Counter.STOLEN_SPOT: "from the spot on the board",
    t.Counter.STOLEN_MAX: "from the spots on the board",
    t.Counter.STOLEN_BAG: "from the bag",
    t.Counter.STOLEN_PLAYER: "from the player's house",
    t.Counter.STOLEN_FREE_HOUSE: "from the free house",
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
    return listed(held) or "nothing"


def wish(rules: GrinchmasRules, index: int) -> str:
    """A type of Wish in words."""
    kind, tokens, _ = rules.wish_types()[index]
    if kind == TRIO:
        return f"three of one colour ({plural(rules.stars.trio, 'star')})"
    if kind == PAIR:
        return f"two {present(rules, tokens[0]) if tokens else 'of the same'} ({plural(rules.stars.pair, 'star')})"
    return f"{listed([COLOUR_NAMES[t] for t in tokens])} ({plural(rules.stars.mixed, 'star')})"


def paid(rules: GrinchmasRules, packed: int) -> str:
    """The Presents paid, from a scoring event's second number."""
    kinds = []
    while packed:
        kinds.append(packed % 32 - 1)
        packed //= 32
    return listed([present(rules, k) if n == 1 else f"{n} {present(rules, k)}" for k, n in Counter(kinds).items()])


def _space(code: int, seats: int) -> str:
    if code <= SpaceCode.C:
        return f"the {_SPOTS[code]} space"
    if code >= SpaceCode.HOUSE_1:
        house = code - SpaceCode.HOUSE_1
        return f"house {house + 1}, which is {f'that of seat {house}' if house < seats else 'free'}"
    return {SpaceCode.MAX: "Max the dog", SpaceCode.PRESENT: "a Present space", SpaceCode.FEET: "a feet space"}[SpaceCode(code)]


def _sat_down(rules: GrinchmasRules, seats: int, position: int, _c: int) -> str:
    owners = listed([f"seat {seat} {'owns ' * (seat == 0)}house {seat + 1}" for seat in range(seats)])
    return f"{owners[0].upper()}{owners[1:]}; the Grinch starts on {_space(SPACE_CODES[rules.board.path[position]], seats)}."


def _ended(rules: GrinchmasRules, stars: int, grinch: int, wishes: int) -> str:
    why = "the last slot is filled" if wishes >= rules.wishes.goal else "no Wish is left"
    if stars == grinch:
        winner = "the players win" if rules.win_on_tie else "the Grinch wins"
        return f"The game is over, since {why}. Both sides have {plural(stars, 'star')}, and with a tie {winner} (G18)."
    winner, most = ("The players win", stars) if stars > grinch else ("The Grinch wins", grinch)
    return f"The game is over, since {why}. {winner} by {plural(most, 'star')} to {min(stars, grinch)}."


def _took(rules: GrinchmasRules, action: int, kind: int, _c: int) -> str:
    if action == t.Action.DRAW_FROM_BAG:
        return f"The bag gives {a_present(rules, kind)}."
    return f"The {present(rules, kind)} Present on {_SPOTS[action]} goes to the player's house."


def _refilled(rules: GrinchmasRules, place: str, kind: int) -> str:
    return f"{place} is filled with {a_present(rules, kind)}." if kind >= 0 else f"{place} stays empty."


def question(rules: GrinchmasRules, view: Any) -> str:
    """What the deciding seat is asked, and what there is to choose from."""
    grinch = view.decision == t.Decision.GRINCH_SCORES
    whose = f"his hoard: {presents(rules, view.hoard)}" if grinch else f"holding {presents(rules, view.mine)}"
    return f"{_QUESTIONS[t.Decision(view.decision)]} ({whose})"


def option(rules: GrinchmasRules, view: Any, index: int) -> str:
    """What one option would do."""
    decision, action = int(view.decision), int(view.action[index])
    gain, lose = present(rules, int(view.gain[index])), present(rules, int(view.lose[index]))
    if decision == t.Decision.TAKE:
        return _ACTIONS.get(t.Action(action)) or f"{gain} from {_SPOTS[action]}"
    if decision == t.Decision.GIVE_UP:
        return lose
    if decision == t.Decision.OFFER:
        return f"seat {int(view.partner[index])}: {lose} for {gain}"
    if decision == t.Decision.CONSENT:
        return "agree" if action == t.Action.AGREE else "refuse"
    if view.wish[index] < 0:
        return "none"
    return f"{presents(rules, view.pay[index])} for {plural(int(view.scores[index]), 'star')}"


STORY = Sentences(
    {
        t.Event.SAT_DOWN: _sat_down,
        t.Event.SPUN: lambda _, face, seat, __: f"Seat {seat} spins {'the feet' if face == FEET_FACE else face}.",
        t.Event.MOVED: lambda _, at, space, seats: f"The Grinch moves to {_space(space, seats)} (space {at} of the path).",
        t.Event.STOLEN: lambda rules, kind, place, _: f"He steals {a_present(rules, kind)} {_PLACES[t.Counter(place)]}.",
        t.Event.STEALS_NOTHING: "He steals nothing there.",
        t.Event.GRINCH_SCORED: lambda r, index, pay, _: f"The Grinch scores the Wish for {wish(r, index)}, paying {paid(r, pay)}.",
        t.Event.TOOK: _took,
        t.Event.OFFERED: lambda r, seat, give, get: f"The offer goes to seat {seat}: {a_present(r, give)} for {a_present(r, get)}.",
        t.Event.AGREED: "Seat {a} agrees, and they swap.",
        t.Event.REFUSED: "Seat {a} refuses.",
        t.Event.SCORED: lambda r, index, pay, _: f"The players score the Wish for {wish(r, index)}, paying {paid(r, pay)}.",
        t.Event.DECLINED_TO_SCORE: "No Wish is scored.",
        t.Event.CANNOT_SCORE: "The player cannot score.",
        t.Event.REFILLED_SPOT: lambda rules, spot, kind, _: _refilled(rules, _SPOTS[spot], kind),
        t.Event.REFILLED_HOUSE: lambda rules, house, kind, _: _refilled(rules, f"House {house + 1}", kind),
        t.Event.TURNED_UP: lambda rules, index, _, __: f"A Wish is turned up: {wish(rules, index)}.",
        t.Event.RESHUFFLED: lambda _, n, __, ___: (
            f"The {'only scored Wish is' if n == 1 else f'{n} scored Wishes are'} shuffled into a new pile."
        ),
        t.Event.BAG_WAS_EMPTY: "The bag is empty.",
        t.Event.GAME_ENDED: _ended,
    },
    asks=question,
    offers=option,
)
