"""Christmas Vacation told in plain sentences."""

from __future__ import annotations

from typing import Any

from simulator.games.vacation import state as s
from simulator.games.vacation.rules import VacationRules
from simulator.kernel.multiset import KINDS

Event = tuple[int, int, int, int]

_FACES = {s.EDDIE_FACE: "Eddie", s.CLARK_FACE: "Clark", s.WREATH_FACE: "wreath", s.BONUS_FACE: "bonus"}
_WAYS = {s.DISCARD: "", s.BONUS: "Clark's Christmas Bonus: ", s.WREATH: "The Wreath Bonus: "}


def _plural(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}es" if word.endswith("s") else f"{n} {word}s"


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"


def _cards(counts: dict[int, int], wilds: int) -> str:
    """Number cards, by number, and Wilds in words: `2, 3, 3 and the Wild`."""
    names = [str(number) for number, n in sorted(counts.items()) for _ in range(n)]
    return _and(names + (["the Wild"] if wilds == 1 else [_plural(wilds, "Wild")] if wilds else []))


def cards(word: int, wilds: int) -> str:
    """A hand, as a word of counts and a number of Wilds, in words."""
    return _cards({number + 1: word >> (8 * number) & 0x7F for number in range(KINDS)}, wilds)


def sentences(rules: VacationRules, events: list[Event]) -> list[str]:
    """One sentence for each event worth telling; the cards of one draw share one."""
    del rules  # the events say it all
    told: list[str] = []
    drawn: list[int] = []
    for code, a, b, c in events:
        if code == s.DREW:
            drawn.append(a)
            continue
        told += _drawn(drawn)
        drawn = []
        told += _sentence(code, a, b, c)
    return told + _drawn(drawn)


def _drawn(kinds: list[int]) -> list[str]:
    if not kinds:
        return []
    return [f"Cards drawn: {_and(['the Wild' if kind == KINDS else str(kind + 1) for kind in kinds])}."]


def _sentence(code: int, a: int, b: int, c: int) -> list[str]:
    if code == s.ROLLED:
        shown = [_plural(n, _FACES[face]) for face in _FACES if (n := b >> (8 * face) & 0xFF)]
        return [f"Seat {a} rolls {_and(shown)}."]
    if code == s.DISCARDED:
        return [_WAYS[a] + _discarded(b, c)]
    simple = {
        s.EDDIES: f"{'Cousin Eddie goes' if b == 1 else f'{b} Eddies go'} to the board, which holds {a} now.",
        s.BUSTED: "That ends the turn at once: nothing is drawn or discarded.",
        s.RAN_OUT: f"The deck has run out: {_plural(a, 'draw')} skipped.",
        s.KEPT: f"{_WAYS.get(a, '')}Nothing is discarded.",
        s.SHUFFLED_BACK: f"{_plural(a, 'card')} shuffled back into the deck.",
        s.WON: f"Seat {a} has discarded its whole deck and wins.",
        s.DIE_SHOWS: f"The next die: {_FACES.get(a, '')}.",
    }
    return [simple[code]] if code in simple else []


def _discarded(numbers: int, wilds: int) -> str:
    count = numbers >> 8
    return f"{_cards({number + 1: count for number in range(KINDS) if numbers >> number & 1}, wilds)} discarded."


def question(rules: VacationRules, view: Any) -> str:
    """What the deciding seat is asked, with the cards that lie face up."""
    del rules  # the question is the same under all rules
    asked = {
        s.ROLL_AGAIN: f"whether to roll {_plural(int(view.dice), 'die').replace('dies', 'dice')} again",
        s.DISCARD: "what to discard at the stop",
        s.BONUS: "what Clark's Christmas Bonus discards",
        s.WREATH: "which card the Wreath Bonus discards",
        s.NEXT_BONUS: "which bonus to use first",
    }
    return f"{asked[int(view.decision)]} (face up: {cards(int(view.up), int(view.up_wilds))})"


def option(rules: VacationRules, view: Any, index: int) -> str:
    """What one option would do."""
    del rules  # the options are told alike under all rules
    decision = int(view.decision)
    if decision == s.ROLL_AGAIN:
        return "roll" if index == s.ROLL else "stop"
    if decision == s.NEXT_BONUS:
        return "the Wreath Bonus" if index == 0 else "Clark's Christmas Bonus"
    if view.kind[index] == s.NO_SET:
        return "none"
    return cards(int(view.cards[index]), int(view.wilds[index]))
