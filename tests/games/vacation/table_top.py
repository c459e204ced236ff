"""Positions of Christmas Vacation set up by hand, and reading them back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from simulator import registry
from simulator.games.vacation import GAME
from simulator.games.vacation import state as s
from simulator.games.vacation.story import cards
from simulator.rules import build_rules
from simulator.stepper import Stepper
from simulator.table import Table

WILD = "W"
Card = int | str


def word(held: Iterable[Card]) -> tuple[int, int]:
    """Number cards as a word of counts, and how many Wilds."""
    held = list(held)
    return sum(1 << (8 * (card - 1)) for card in held if isinstance(card, int)), held.count(WILD)


class TableTop:
    """A game in progress, seat 0 to move."""

    def __init__(self, players: int = 2, **rules: Any) -> None:
        """Deal; `rules` are overrides with __ for the dot."""
        built = build_rules(GAME.rules, {key.replace("__", "."): value for key, value in rules.items()})
        uniform = registry.player(GAME, "uniform")
        self.rules: Any = built
        self.stepper = Stepper(Table(GAME, built, (uniform,) * players), seed=3)
        self.stepper.listen()
        self.stepper.deal(0)

    @property
    def state(self) -> Any:
        """The state's record."""
        return self.stepper.state

    def set_up(self, phase: int, up: Sequence[Card] = (), pile: Sequence[Card] = (), **fields: int) -> None:
        """Put seat 0 in the middle of its turn, with these cards face up and face down and no others."""
        state = self.state
        state.turn, state.seat, state.phase, state.roll = 1, 0, phase, 1
        state.queue = state.asked = state.drawn = state.discarded = state.eddies = state.wreaths = state.bonuses = 0
        state.up, state.up_wilds = word(up)
        state.pile, state.pile_wilds = word(pile)
        state.pile_size = len(pile)
        state.deck[0], state.wilds[0] = word([*up, *pile])
        state.left[0] = len(up) + len(pile)
        for name, value in fields.items():
            setattr(state, name, value)
        state.board = fields.get("board", (1 << state.eddies) - 1)
        self.stepper.events()

    def advance(self) -> int:
        """Play on to the next decision and say which; -1 at the end."""
        return int(self.state.decision) if self.stepper.advance() else -1

    def options(self) -> list[str]:
        """What the options of a discard would discard, in order; `nothing` for none."""
        view = self.stepper.observe()
        return [cards(int(view.cards[i]), int(view.wilds[i])) for i in range(self.stepper.n_options)]

    def choose(self, option: int | str) -> None:
        """Take an option by its number, or by what it discards."""
        self.stepper.apply(option if isinstance(option, int) else self.options().index(option))

    def up(self) -> str:
        """The face-up cards in words."""
        return cards(int(self.state.up), int(self.state.up_wilds))

    def events(self, code: int) -> list[tuple[int, ...]]:
        """The events of one kind since the last call."""
        return [event[1:] for event in self.stepper.events() if event[0] == code]

    def row(self) -> dict[str, int]:
        """The metrics so far."""
        return {m.name: int(v) for m, v in zip(self.stepper.table.metrics, self.stepper.row(), strict=True)}


DECISION = {name: number for number, name in enumerate(s.DECISIONS)}
