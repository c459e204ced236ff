"""Positions of Christmas Crocs set up by hand, and reading them back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from simulator import registry
from simulator.games.crocs import GAME
from simulator.games.crocs import rules as r
from simulator.games.crocs import state as s
from simulator.games.crocs.rules import CrocsRules
from simulator.games.crocs.view import option
from simulator.rules import build_rules
from simulator.stepper import Stepper
from simulator.table import Table

Cards = Iterable[int]
Asked = tuple[str, int, tuple[int, ...]]
"""Name of the decision, who decides, and the options."""

PLENTY = 30
"""Cards in the deck of a position, unless it says otherwise: Choo Choos, which do little with two players."""


def hand_word(cards: Cards) -> int:
    """Cards as a word of counts."""
    return sum(1 << (s.HAND_BITS * kind) for kind in cards)


def pile_words(cards: Cards) -> tuple[int, int]:
    """Cards as the two words of a pile."""
    words = [0, 0]
    for kind in cards:
        words[kind // r.PILE_KINDS] += 1 << (r.PILE_BITS * (kind % r.PILE_KINDS))
    return words[0], words[1]


def slot_word(text: str, count: int) -> int:
    """Slots as a word: `P` a present, `X` Coal, `C` a cane, `CC` two of them, the others open."""
    held = text.split()
    contents = [r.PRESENT_SLOT if h == "P" else r.COAL_SLOT if h == "X" else r.CANE_SLOT + len(h) - 1 for h in held]
    contents += [r.OPEN_SLOT] * (count - len(held))
    return sum(1 << (r.SLOT_BITS * content) for content in contents)


def hand_counts(word: int) -> Counter[int]:
    """Kind to count of a hand."""
    mask = (1 << s.HAND_BITS) - 1
    return +Counter({kind: int(word) >> (s.HAND_BITS * kind) & mask for kind in range(r.KINDS)})


def pile_counts(words: Any) -> Counter[int]:
    """Kind to count of a pile."""
    mask = (1 << r.PILE_BITS) - 1
    return +Counter({kind: int(words[kind // r.PILE_KINDS]) >> (r.PILE_BITS * (kind % r.PILE_KINDS)) & mask for kind in range(r.KINDS)})


def slot_cards(word: int) -> Counter[int]:
    """Kind to count of the cards in a seat's slots."""
    held = [int(word) >> (r.SLOT_BITS * content) & 0xFF for content in range(r.SLOT_CONTENTS)]
    canes = sum(n * held[r.CANE_SLOT + n - 1] for n in range(1, r.MAX_CANES + 1))
    return +Counter({r.PRESENT: held[r.PRESENT_SLOT], r.COAL: held[r.COAL_SLOT], r.CANDY_CANE: canes})


class CrocsTable:
    """A game in progress."""

    def __init__(self, players: int = 3, **rules: Any) -> None:
        """Deal; `rules` are overrides with __ for the dot."""
        built = build_rules(CrocsRules, {key.replace("__", "."): value for key, value in rules.items()})
        self.rules, self.players = built, players
        uniform = registry.player(GAME, "uniform")
        self.stepper = Stepper(Table(GAME, built, (uniform,) * players), seed=3)
        self.stepper.listen()
        self.stepper.deal(0)
        self.stepper.events()

    @property
    def state(self) -> Any:
        """The state's record."""
        return self.stepper.state

    def set_up(
        self,
        hands: Sequence[Cards] = (),
        slots: Sequence[str] = (),
        deck: Cards = (r.CHOO_CHOO,) * PLENTY,
        discards: Cards = (),
        direction: int = 1,
        frozen: Sequence[int] = (),
    ) -> CrocsTable:
        """Put these cards on the table and no others; seat 0 is about to begin its turn."""
        state = self.state
        state.phase, state.direction = s.NEW_TURN_PHASE, direction
        state.seat = (-direction) % self.players
        state.frozen = sum(1 << seat for seat in frozen)
        state.deck[:], state.discards[:] = pile_words(deck), pile_words(discards)
        for seat in range(self.players):
            state.hand[seat] = hand_word(hands[seat]) if seat < len(hands) else 0
            state.slots[seat] = slot_word(slots[seat] if seat < len(slots) else "", self.rules.slots.count)
            state.known_not[seat] = state.loot[seat] = 0
        return self

    def take(self, turns: int = 1, choices: Mapping[str, int] | Callable[[str, int, tuple[int, ...]], int] | None = None) -> list[Asked]:
        """Play some turns and return what was asked.

        A choice is looked up under `decision.seat`, then under `decision`; without one the first option is taken.
        """
        state, asked = self.state, []
        state.turn_cap = state.turn + turns
        while self.stepper.advance():
            question = (s.DECISIONS[int(state.decision)], self.stepper.seat, self.options())
            asked.append(question)
            self.stepper.apply(question[2].index(self._choice(choices, question)))
        return asked

    @staticmethod
    def _choice(choices: Any, question: Asked) -> int:
        name, seat, options = question
        if callable(choices):
            return int(choices(name, seat, options))
        choices = choices or {}
        return int(choices.get(f"{name}.{seat}", choices.get(name, options[0])))

    def options(self) -> tuple[int, ...]:
        """The options of the decision at hand."""
        view = self.stepper.observe()
        return tuple(int(option(view, i)) for i in range(self.stepper.n_options))

    def slots(self, seat: int) -> str:
        """What a seat's slots hold, in the words of `set_up`, sorted."""
        word = int(self.state.slots[seat])
        names = {r.PRESENT_SLOT: "P", r.COAL_SLOT: "X"} | {r.CANE_SLOT + n: "C" * (n + 1) for n in range(r.MAX_CANES)}
        return " ".join(sorted(name for content, name in names.items() for _ in range(word >> (r.SLOT_BITS * content) & 0xFF)))

    def hand(self, seat: int) -> Counter[int]:
        """A seat's hand."""
        return hand_counts(self.state.hand[seat])

    @property
    def deck(self) -> Counter[int]:
        """The cards left to draw."""
        return pile_counts(self.state.deck)

    @property
    def discards(self) -> Counter[int]:
        """The discards."""
        return pile_counts(self.state.discards)

    def all_cards(self) -> Counter[int]:
        """Every card wherever it is."""
        total = self.deck + self.discards
        for seat in range(self.players):
            total += self.hand(seat) + slot_cards(self.state.slots[seat])
        return total

    def known_not(self, seat: int) -> Counter[int]:
        """By kind how many of a seat's cards are known not to be of it."""
        return hand_counts(self.state.known_not[seat])

    def events(self, code: int) -> list[tuple[int, ...]]:
        """The events of one kind since the last call."""
        return [event[1:] for event in self.stepper.events() if event[0] == code]

    def row(self) -> dict[str, int]:
        """The metrics so far."""
        return {m.name: int(v) for m, v in zip(self.stepper.table.metrics, self.stepper.row(), strict=True)}

    @property
    def winner(self) -> int:
        """The winning seat, or NOBODY."""
        return int(self.state.winner)
