"""A table: the memory and the pointers that playing one game with given seats and rules needs. One per worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from simulator.compile_errors import explained
from simulator.errors import GameError
from simulator.kernel.batches import play, watch
from simulator.kernel.chance import CHANCE
from simulator.kernel.lookahead import MAX_OPTIONS, Nested
from simulator.kernel.playout import FAULT
from simulator.kernel.pointers import address_of, record_type
from simulator.kernel.records import HEAD, TABLE, VIEW_START
from simulator.lineup import chooser_address

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.lineup import Player
    from simulator.rules import GameRules

Memory = np.ndarray[Any, Any]

DECISIONS_PER_TURN = 4096
"""A playout that asks more than this times the turn cap counts as never ending."""


class Table:
    """State, view, rules and chance of one playout at a time, wired to compiled transitions and strategies.

    Attributes:
        state, view, rules, chance: arrays of one record each.
        head, view_start: the shared beginnings of state and view, as records on the same memory.
        record: the TABLE record that the kernel takes.
        nested: memory for nested playouts.
    """

    def __init__(self, game: Game, rules: GameRules, players: tuple[Player, ...]) -> None:
        """Allocate and compile what is not compiled yet; one player per seat."""
        self.game, self.players = game, players
        self.state, self.view, self.chance = (np.zeros(1, dtype) for dtype in (game.state, game.view, CHANCE))
        self.rules = game.pack(rules)
        self.head, self.view_start = _start_of(self.state, HEAD), _start_of(self.view, VIEW_START)
        self.metrics = game.metrics(rules, len(players))
        self._table = np.zeros(1, TABLE)
        self.record = self._table[0]
        self._wire(rules.turn_cap)
        self.nested = self._nested()
        if any(p.rollouts for p in players):
            self._wire_nested()

    def _wire(self, turn_cap: int) -> None:
        for name, address in transition_addresses(self.game).items():
            self.record[name] = address
        for name in ("state", "view", "rules", "chance"):
            self.record[f"{name}_at"] = getattr(self, name).ctypes.data
        for seat, player in enumerate(self.players):
            self.record["chooser"][seat] = chooser_address(player, self.game)
            self.record["parameters"][seat] = 0 if player.record is None else player.record.ctypes.data
            self.record["uses_chance"][seat] = player.strategy.uses_chance
            self.record["blunders"][seat] = player.blunders
            self.record["rollouts"][seat] = player.rollouts
        self.record["seats"] = len(self.players)
        self.record["turn_cap"] = turn_cap
        self.record["decision_cap"] = DECISIONS_PER_TURN * turn_cap

    def _nested(self) -> Nested:
        """Memory for nested playouts; the kernel seats the players there."""
        table, state, view, chance = (np.zeros_like(array) for array in (self._table, self.state, self.view, self.chance))
        table[:] = self._table
        for name, memory in (("state", state), ("view", view), ("chance", chance)):
            table[f"{name}_at"] = memory.ctypes.data
        table["rollouts"] = 0
        self._kept = (table, state, view, chance)  # the records below are views of them, and the table holds their addresses
        head, start = _start_of(state, HEAD), _start_of(view, VIEW_START)
        position, played = self.state.view(np.uint8), state.view(np.uint8)
        sums = (np.zeros(MAX_OPTIONS), np.zeros(MAX_OPTIONS), np.zeros(MAX_OPTIONS, np.int64))
        return Nested(table[0], head, start, chance[0], position, played, *sums, np.zeros(3, np.int64))

    def _wire_nested(self) -> None:
        """Compile what only nested playouts need; it takes a while, and most tables never need it."""
        for name, address in nested_addresses(self.game).items():
            self.nested.table[name] = address

    def play(self, seed: int, first: int, rows: Memory, control: Memory) -> tuple[int, Any]:
        """Play playouts [first, first + len(rows)); returns how many rows are complete, and the kernel's fault record.

        Args:
            seed: below 2**64.
            first: number of the first playout.
            rows: int32, shape (playouts, metrics), written.
            control: int64, shape (3,); see the kernel's CONTROL constants.
        """
        fault = np.zeros(1, FAULT)[0]
        chance = self.chance[0]
        done = play(self.record, self.head, self.view_start, chance, np.uint64(seed), first, rows, control, fault, self.nested)
        return int(done), fault

    def watch(self, seed: int, playout: int, rollouts: int, *, sums: Memory, row: Memory, control: Memory) -> tuple[int, Any]:
        """Play one playout and estimate before each turn what every seat may hope for; see the kernel's `watch`.

        Args:
            seed: below 2**64.
            playout: its number.
            rollouts: nested playouts before each turn.
            sums: float64, shape (turn cap + 1, blocks, seats), zeros, written: sums of payoffs over the nested playouts of each block.
            row: int32, shape (1, metrics), written.
            control: int64, shape (3,); see the kernel's CONTROL constants.

        Returns:
            How many turns there were, and the kernel's fault record.
        """
        self._wire_nested()
        fault = np.zeros(1, FAULT)[0]
        records = (self.record, self.head, self.view_start, self.chance[0])
        turns = watch(*records, np.uint64(seed), playout, rollouts, sums, row, control, fault, self.nested)
        return int(turns), fault


def _start_of(records: np.ndarray[Any, Any], head: np.dtype[Any]) -> Any:
    return records.view(np.uint8)[: head.itemsize].view(head)[0]


def transition_addresses(game: Game) -> dict[str, int]:
    """Addresses of a game's compiled transitions.

    Raises:
        GameError: one of them does not compile; file, line and reason are named.
    """
    state, rules, view, chance = (record_type(d) for d in (game.state, game.pack(game.rules()).dtype, game.view, CHANCE))
    row = types.CPointer(types.int32)
    return {
        "deal": _transition(game, "deal", types.none, state, rules, chance),
        "advance": _transition(game, "advance", types.int64, state, rules, chance),
        "observe": _transition(game, "observe", types.none, state, rules, view),
        "apply": _transition(game, "apply", types.none, state, rules, chance, types.int64),
        "score": _transition(game, "score", types.none, state, rules, row),
    }


def nested_addresses(game: Game) -> dict[str, int]:
    """Addresses of the compiled transitions that only nested playouts need.

    Raises:
        GameError: one of them does not compile; file, line and reason are named.
    """
    state, rules, chance = (record_type(d) for d in (game.state, game.pack(game.rules()).dtype, CHANCE))
    return {
        "payoff": _transition(game, "payoff", types.float64, state, rules, types.int64),
        "redeal": _transition(game, "redeal", types.none, state, rules, chance, types.int64),
    }


def _transition(game: Game, name: str, result: types.Type, *arguments: types.Type) -> int:
    function = getattr(game, name)
    try:
        return address_of(function, result, *arguments)
    except Exception as error:  # noqa: BLE001  Numba raises many kinds for what it cannot compile
        fields = tuple(field for kind in arguments if isinstance(kind, types.Record) for field in kind.fields)
        found = explained(error, function, fields)
    message = f"Game '{game.name}' does not compile in `{name}` ({found.file}, line {found.line}): {found.reason}."
    raise GameError(message)
