"""A table: the memory and the pointers that playing one game with given seats and rules needs. One per worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from simulator.kernel import playout as kernel
from simulator.kernel.chance import CHANCE
from simulator.kernel.pointers import address_of, record_type
from simulator.kernel.records import HEAD, TABLE, VIEW_START
from simulator.lineup import chooser_address

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.lineup import Player
    from simulator.rules import GameRules

DECISIONS_PER_TURN = 4096
"""A playout that asks more than this times the turn cap counts as never ending."""


class Table:
    """State, view, rules and chance of one playout at a time, wired to compiled transitions and strategies.

    Attributes:
        state, view, rules, chance: arrays of one record each.
        head, view_start: the shared beginnings of state and view, as records on the same memory.
        record: the TABLE record that the kernel takes.
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

    def _wire(self, turn_cap: int) -> None:
        for name, address in transition_addresses(self.game).items():
            self.record[name] = address
        for name in ("state", "view", "rules", "chance"):
            self.record[f"{name}_at"] = getattr(self, name).ctypes.data
        for seat, player in enumerate(self.players):
            self.record["chooser"][seat] = chooser_address(player.strategy, self.game)
            self.record["parameters"][seat] = 0 if player.record is None else player.record.ctypes.data
            self.record["uses_chance"][seat] = player.strategy.uses_chance
        self.record["seats"] = len(self.players)
        self.record["turn_cap"] = turn_cap
        self.record["decision_cap"] = DECISIONS_PER_TURN * turn_cap

    def play(self, seed: int, first: int, rows: np.ndarray[Any, Any], control: np.ndarray[Any, Any]) -> tuple[int, Any]:
        """Play playouts [first, first + len(rows)); returns how many rows are complete, and the kernel's fault record.

        Args:
            seed: below 2**64.
            first: number of the first playout.
            rows: int32, shape (playouts, metrics), written.
            control: int64, shape (3,); see the kernel's CONTROL constants.
        """
        fault = np.zeros(1, kernel.FAULT)[0]
        done = kernel.play(self.record, self.head, self.view_start, self.chance[0], np.uint64(seed), first, rows, control, fault)
        return int(done), fault


def _start_of(records: np.ndarray[Any, Any], head: np.dtype[Any]) -> Any:
    return records.view(np.uint8)[: head.itemsize].view(head)[0]


def transition_addresses(game: Game) -> dict[str, int]:
    """Addresses of a game's compiled transitions."""
    state, rules, view, chance = (record_type(d) for d in (game.state, game.pack(game.rules()).dtype, game.view, CHANCE))
    row = types.CPointer(types.int32)
    return {
        "deal": address_of(game.deal, types.none, state, rules, chance),
        "advance": address_of(game.advance, types.int64, state, rules, chance),
        "observe": address_of(game.observe, types.none, state, rules, view),
        "apply": address_of(game.apply, types.none, state, rules, chance, types.int64),
        "score": address_of(game.score, types.none, state, rules, row),
    }
