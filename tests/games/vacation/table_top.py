"""Positions of Christmas Vacation set up by hand, and reading them back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from simulator import registry
from simulator.games.vacation import GAME
from simulator.games.vacation.story import cards
from simulator.games.vacation.table import Counter, Decision
from simulator.games.vacation.turn import count_tumbler, discard_a_set, end_turn, roll_again, roll_and_draw, use_bonuses
from simulator.games.vacation.turn import turn as whole_turn
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.turns import PLAYED
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.rules import build_rules

WILD = "W"
Card = int | str


def word(held: Iterable[Card]) -> tuple[int, int]:
    """Number cards as a word of counts, and how many Wilds."""
    held = list(held)
    return sum(1 << (8 * (card - 1)) for card in held if isinstance(card, int)), held.count(WILD)


ROLL, BONUSES, ROLL_AGAIN, DISCARD = range(4)
"""Where in a turn a position is set up."""


@jit_inlined
def _go_on(table: Any, rules: Any, seat: Any, start: Any) -> None:
    """The rest of a turn that is set up, in its functions' own order; all turns after it from their beginning."""
    if table.count[Counter.ROLLS] > 0:
        whole_turn(table, rules, seat)
        return
    count_tumbler(table, rules)
    going = True
    if start == BONUSES:
        use_bonuses(table, rules, seat, table.wreaths, table.bonuses)
    elif start == DISCARD:
        discard_a_set(table, rules, seat, Decision.DISCARD)
        going = False
    if start in (BONUSES, ROLL_AGAIN):
        going = table.left[seat] > 0 and roll_again(table, rules, seat)
    while going:
        going = roll_and_draw(table, rules, seat) and roll_again(table, rules, seat)
    end_turn(table, seat)


@jit
def _from_roll(table: Any, rules: Any, seat: Any) -> None:
    _go_on(table, rules, seat, ROLL)


@jit
def _from_bonuses(table: Any, rules: Any, seat: Any) -> None:
    _go_on(table, rules, seat, BONUSES)


@jit
def _from_roll_again(table: Any, rules: Any, seat: Any) -> None:
    _go_on(table, rules, seat, ROLL_AGAIN)


@jit
def _from_discard(table: Any, rules: Any, seat: Any) -> None:
    _go_on(table, rules, seat, DISCARD)


_TURNS = (_from_roll, _from_bonuses, _from_roll_again, _from_discard)


class TableTop:
    """A game in progress, seat 0 to move."""

    def __init__(self, players: int = 2, **rules: Any) -> None:
        """Deal; `rules` are overrides with __ for the dot."""
        self.rules: Any = build_rules(GAME.rules, {key.replace("__", "."): value for key, value in rules.items()})
        self._players = players
        self._sit_down(GAME)

    def _sit_down(self, game: Any) -> None:
        uniform = registry.player(GAME, "uniform")
        self.stepper = Stepper(Table(game, self.rules, (uniform,) * self._players), seed=3)
        self.stepper.listen()
        self.stepper.deal(0)

    @property
    def state(self) -> Any:
        """The table's record."""
        return self.stepper.state

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return int(self.state.mover)

    def set_up(self, start: int, up: Sequence[Card] = (), pile: Sequence[Card] = (), seat: int = 0, turn: int = 1, **fields: int) -> None:
        """Put a seat in the middle of its turn, with these cards face up and face down and no others."""
        if self.stepper.table.game.turn is not _TURNS[start]:
            self._sit_down(replace(GAME, turn=_TURNS[start]))
        self.stepper.deal(0)
        state = self.state
        state.turn, state.following, state.roll = turn - 1, seat, 1
        state.up, state.up_wilds = word(up)
        state.pile, state.pile_wilds = word(pile)
        state.n_up, state.n_pile = len(up), len(pile)
        state.left[seat] = len(up) + len(pile)
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
        """The metrics so far, in mid-turn as well, where a turn is paused."""
        self.stepper.table.head["fault"]["status"] = PLAYED
        return {m.name: int(v) for m, v in zip(self.stepper.table.metrics, self.stepper.row(), strict=True)}


DECISION = {decision.name.lower(): int(decision) for decision in Decision}
