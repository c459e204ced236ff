"""A table: the memory and the pointers that playing one game with given seats and rules needs. One per worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from simulator.errors import GameError
from simulator.kernel.chance import NOTES
from simulator.kernel.pointers import address_of, record_type
from simulator.kernel.records import HEAD, NOBODY, ONLY_OPTIONS, POSITION_AT
from simulator.kernel.thinking import THOUGHTS, choose_carefully, watch
from simulator.kernel.turns import play
from simulator.play.compile_errors import explained
from simulator.registry.lineup import chooser_address

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.registry.lineup import Player
    from simulator.rules import GameRules

Memory = np.ndarray[Any, Any]


class Table:
    """What lies on the table in one playout at a time, wired to compiled functions and strategies.

    Attributes:
        memory: array of one record: the head that all games share, and the game's own fields.
        at: its address.
        head: its head, a record on the same memory.
        rules: the rules as an array of one record.
        start: memory for the position at the start of the turn at hand.
        notes: memory for the draws, where they are followed; see `note_draws`.
    """

    def __init__(self, game: Game, rules: GameRules, players: tuple[Player, ...]) -> None:
        """Allocate and compile what is not compiled yet; one player per seat."""
        self.game, self.players = game, players
        self.memory, size = np.zeros(1, game.table.dtype), game.table.size
        game.table.lay_out(self.memory, rules)
        self.at = self.memory.ctypes.data
        self.head = self.memory.view(np.uint8)[: HEAD.itemsize].view(HEAD)[0]
        self.rules = game.pack(rules)
        self.metrics = game.metrics(rules, len(players))
        self.start = np.zeros(size - POSITION_AT, np.uint8)
        self.notes = np.zeros(1, NOTES)
        self._nested: Memory | None = None
        self._wire(rules, size)
        if any(p.rollouts or p.blunders for p in players):
            self.be_careful()
        if any(p.rollouts for p in players):
            self.prepare_nested()

    def _wire(self, rules: GameRules, size: int) -> None:
        head = self.head
        for name, address in self.addresses().items():
            head[f"{name}_at"] = address
        head["rules_at"] = self.rules.ctypes.data
        head["n_bytes"] = size
        for seat, player in enumerate(self.players):
            head["chooser"][seat] = self.chooser(player)
            head["parameters"][seat] = 0 if player.record is None else player.record.ctypes.data
            head["uses_chance"][seat] = player.strategy.uses_chance
            head["blunders"][seat] = player.blunders
            head["rollouts"][seat] = player.rollouts
        head["seats_wired"] = len(self.players)
        head["cap_wired"] = rules.turn_cap
        head["onlooker"] = NOBODY
        declared = self.game.table
        head["shows"] = ONLY_OPTIONS + 1
        if self.game.show is None and not declared.owned:
            head["shows"] = ONLY_OPTIONS if declared.listed else 0
        head["n_metrics"] = len(self.metrics)
        head["metric"][: len(self.metrics)] = [declared.offset(m.name) for m in self.metrics]
        for name, names in (("owned", declared.owned), ("listed", declared.listed), ("hidden_piles", declared.hidden)):
            head[f"n_{name}"] = len(names)
            head[name][: len(names)] = names or 0
        head["listing"] = np.bitwise_or.reduce(head["listed"][:, 3])

    def addresses(self) -> dict[str, int]:
        """Where the game's functions are, by their names."""
        return addresses(self.game)

    def chooser(self, player: Player) -> int:
        """Where what chooses for a player is."""
        return chooser_address(player, self.game)

    @property
    def view(self) -> Memory:
        """What a strategy gets, an array of one record."""
        return self.memory.view(self.game.view)

    @property
    def chance(self) -> Memory:
        """Where draws come from, an array of one record."""
        return self.memory["chance"]

    def forget(self, byte: int = 0) -> None:
        """Fill all that a playout may leave behind with one byte, but for what `forget_view` fills."""
        notes_at = int(self.chance["notes_at"][0])
        self.memory.view(np.uint8)[POSITION_AT : POSITION_AT + len(self.start)] = byte
        self.chance["notes_at"] = notes_at

    def forget_view(self, byte: int = 0) -> None:
        """Fill with one byte what each option is, which no deal clears."""
        self.memory.view(np.uint8)[self.game.table.options] = byte
        self.head["written"], self.head["writers"] = self.game.table.dtype.itemsize, -1

    def be_careful(self) -> None:
        """Have choices made in the way that knows blunders, thinking ahead and choices that are given."""
        self.head["careful_at"] = address_of(choose_carefully, types.int64, types.int64)

    def note_draws(self) -> None:
        """Have every draw noted from now on."""
        self.chance["notes_at"] = self.notes.ctypes.data

    def prepare_nested(self) -> None:
        """Lay a second table for nested playouts, and compile what only those need; most tables never need it."""
        if self._nested is not None:
            return
        for name, address in nested_addresses(self.game).items():
            self.head[f"{name}_at"] = address
        self._nested, self._thoughts = self.memory.copy(), np.zeros(1, THOUGHTS)
        self._thoughts["nested_at"], self._thoughts["start_at"] = self._nested.ctypes.data, self.start.ctypes.data
        self._nested["telling"] = self._nested["pausing"] = 0
        self.head["thoughts"] = self._thoughts.ctypes.data

    def play(self, seed: int, first: int, rows: Memory, control: Memory) -> tuple[int, Any]:
        """Play playouts [first, first + len(rows)); returns how many rows are complete, and the kernel's fault record.

        Args:
            seed: below 2**64.
            first: number of the first playout.
            rows: int32, shape (playouts, metrics), written.
            control: int64, shape (2,); see the kernel's CONTROL constants.
        """
        self.head["fault"] = 0
        start_at = self.start.ctypes.data if any(p.rollouts for p in self.players) else 0
        done = play(self.at, start_at, np.uint64(seed), first, rows, control)
        return int(done), self.head["fault"]

    def watch(self, seed: int, playout: int, rollouts: int, *, sums: Memory, row: Memory, control: Memory) -> tuple[int, Any]:
        """Play one playout and estimate before each turn what every seat may hope for; see the kernel's `watch`.

        Args:
            seed: below 2**64.
            playout: its number.
            rollouts: nested playouts before each turn.
            sums: float64, shape (turn cap + 1, blocks, seats), zeros, written: sums of payoffs over the nested playouts of each block.
            row: int32, shape (1, metrics), written.
            control: int64, shape (2,); see the kernel's CONTROL constants.

        Returns:
            How many turns there were, and the kernel's fault record.
        """
        self.prepare_nested()
        self.head["fault"] = 0
        turns = watch(self.at, np.uint64(seed), playout, rollouts, sums, row, control)
        return int(turns), self.head["fault"]


def addresses(game: Game) -> dict[str, int]:
    """Addresses of a game's compiled functions, but for those that only nested playouts need.

    Raises:
        GameError: one of them does not compile; file, line and reason are named.
    """
    table, rules = record_type(game.table.dtype), record_type(game.pack(game.rules()).dtype)
    with_seat = (types.none, table, rules, types.int64)
    return _compiled(game, {"deal": with_seat[:3], "turn": with_seat, "score": with_seat[:3], "show": with_seat})


def nested_addresses(game: Game) -> dict[str, int]:
    """Addresses of the compiled functions that only nested playouts need.

    Raises:
        GameError: one of them does not compile; file, line and reason are named.
    """
    table, rules = record_type(game.table.dtype), record_type(game.pack(game.rules()).dtype)
    with_seat = (table, rules, types.int64)
    return _compiled(game, {"payoff": (types.float64, *with_seat), "redeal": (types.none, *with_seat)})


def _compiled(game: Game, wanted: dict[str, Any]) -> dict[str, int]:
    return {name: _address(game, name, *kinds) for name, kinds in wanted.items() if getattr(game, name) is not None}


def _address(game: Game, name: str, result: types.Type, *arguments: types.Type) -> int:
    function = getattr(game, name)
    try:
        return address_of(function, result, *arguments)
    except Exception as error:  # noqa: BLE001  Numba raises many kinds for what it cannot compile
        fields = tuple(field for kind in arguments if isinstance(kind, types.Record) for field in kind.fields)
        found = explained(error, function, fields)
    message = f"Game '{game.name}' does not compile in `{name}` ({found.file}, line {found.line}): {found.reason}."
    raise GameError(message)
