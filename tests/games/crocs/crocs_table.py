"""Positions of Christmas Crocs set up by hand, and reading them back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from simulator import registry
from simulator.game import Game
from simulator.games.crocs import GAME
from simulator.games.crocs.rules import KINDS, MAX_CANES, CrocsRules, Kind
from simulator.games.crocs.table import HAND, PILE, SLOTS, Decision, Slot
from simulator.kernel.records import NOBODY
from simulator.kit.piles import packed, unpacked
from simulator.kit.questions import option
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.rules import build_rules

Cards = Iterable[int]
Asked = tuple[str, int, tuple[int, ...]]
"""Name of the decision, who decides, and the options."""

PLENTY = 30
"""Cards in the deck of a position, unless it says otherwise: Choo Choos, which do little with two players."""


def counts_of(cards: Cards) -> list[int]:
    """How many cards of each kind."""
    held = Counter(cards)
    return [held[kind] for kind in range(KINDS)]


def hand_word(cards: Cards) -> Any:
    """Cards as a word of counts."""
    return packed(HAND, counts_of(cards))


def pile_words(cards: Cards) -> Any:
    """Cards as the words of a pile."""
    return packed(PILE, counts_of(cards))


def slot_word(text: str, count: int) -> Any:
    """Slots as a word: `P` a present, `X` Coal, `C` a cane, `CC` two of them, the others open."""
    held = text.split()
    contents = Counter(Slot.PRESENT if h == "P" else Slot.COAL if h == "X" else Slot.CANE + len(h) - 1 for h in held)
    contents[Slot.OPEN] += count - len(held)
    return packed(SLOTS, (contents[content] for content in range(SLOTS.kinds)))


def hand_counts(word: Any) -> Counter[int]:
    """Kind to count of a hand."""
    return +Counter(dict(enumerate(unpacked(HAND, word))))


def pile_counts(words: Any) -> Counter[int]:
    """Kind to count of a pile."""
    return +Counter(dict(enumerate(unpacked(PILE, words))))


def slot_cards(word: Any) -> Counter[int]:
    """Kind to count of the cards in a seat's slots."""
    held = unpacked(SLOTS, word)
    canes = sum(n * held[Slot.CANE + n - 1] for n in range(1, MAX_CANES + 1))
    return +Counter({Kind.PRESENT: held[Slot.PRESENT], Kind.COAL: held[Slot.COAL], Kind.CANDY_CANE: canes})


class CrocsTable:
    """A game in progress."""

    def __init__(self, players: int = 3, game: Game = GAME, seat_0: str = "uniform", **rules: Any) -> None:
        """Deal; seat 0 has a strategy of its own if it is to choose, and `rules` are overrides with __ for the dot."""
        built = build_rules(CrocsRules, {key.replace("__", "."): value for key, value in rules.items()})
        self.rules, self.players = built, players
        seated = [registry.player(game, name) for name in (seat_0, *["uniform"] * (players - 1))]
        self.stepper = Stepper(Table(game, built, tuple(seated)), seed=3)
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
        deck: Cards = (Kind.CHOO_CHOO,) * PLENTY,
        discards: Cards = (),
        direction: int = 1,
        frozen: Sequence[int] = (),
    ) -> CrocsTable:
        """Put these cards on the table and no others; seat 0 is about to begin its turn."""
        state = self.state
        state.following, state.direction = 0, direction
        state.frozen = sum(1 << seat for seat in frozen)
        self.put_deck(deck)
        state.discards[:] = pile_words(discards)
        for seat in range(self.players):
            self.put_hand(seat, hands[seat] if seat < len(hands) else ())
            state.board[seat] = slot_word(slots[seat] if seat < len(slots) else "", self.rules.slots.count)
            held = unpacked(SLOTS, state.board[seat])
            state.slots[seat] = held[Slot.PRESENT] + held[int(state.full_canes)]
            state.known_not[seat] = state.stolen[seat] = 0
        return self

    def put_hand(self, seat: int, cards: Cards) -> None:
        """Give a seat these cards and no others."""
        held = list(cards)
        self.state.hand[seat], self.state.hand_sizes[seat] = hand_word(held), len(held)

    def put_deck(self, cards: Cards) -> None:
        """Have these cards and no others in the deck."""
        held = list(cards)
        self.state.pile[:], self.state.deck = pile_words(held), len(held)

    def rule_out(self, seat: int, kind: int, cards: int) -> None:
        """Make known that so many of a seat's oldest cards are not of a kind."""
        self.state.known_not[seat] = packed(HAND, (cards if one == kind else 0 for one in range(KINDS)))

    def take(self, turns: int = 1, choices: Mapping[str, int] | Callable[[str, int, tuple[int, ...]], int] | None = None) -> list[Asked]:
        """Play some turns and return what was asked.

        A choice is looked up under `decision.seat`, then under `decision`; without one the first option is taken.
        """
        state, asked = self.state, []
        state.turn_cap, state.unfinished = state.turn + turns, 0
        while self.stepper.advance():
            question = (Decision(state.decision).name.lower(), self.stepper.seat, self.options())
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
        names = {Slot.PRESENT: "P", Slot.COAL: "X"} | {Slot.CANE + n: "C" * (n + 1) for n in range(MAX_CANES)}
        held = unpacked(SLOTS, self.state.board[seat])
        return " ".join(sorted(name for content, name in names.items() for _ in range(held[content])))

    def hand(self, seat: int) -> Counter[int]:
        """A seat's hand."""
        return hand_counts(self.state.hand[seat])

    @property
    def deck(self) -> Counter[int]:
        """The cards left to draw."""
        return pile_counts(self.state.pile)

    @property
    def discards(self) -> Counter[int]:
        """The discards."""
        return pile_counts(self.state.discards)

    def all_cards(self) -> Counter[int]:
        """Every card wherever it is."""
        total = self.deck + self.discards
        for seat in range(self.players):
            total += self.hand(seat) + slot_cards(self.state.board[seat])
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
        return next((seat for seat in range(self.players) if self.state.wins[seat]), NOBODY)
