"""A game as plain Python that plays what the compiled one plays, so that every mistake has a line before anything is compiled.

It is the same source: kernel, kit, game and strategies run as they are written. What compiled code does with addresses and
with bits is done here by `ctypes` and `int`, and nothing else is written twice.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.kernel import bits, chance, memory, pointers, turns
from simulator.kernel.chance import begin_playout
from simulator.kernel.records import HEAD
from simulator.play.plain_python import Plainly, Run, files_of
from simulator.play.table import Table
from simulator.play.watched_records import MisuseError, WatchedRecord, missing_from

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.registry.lineup import Player
    from simulator.rules import GameRules

FUNCTIONS = ("deal", "turn", "score", "show", "payoff", "redeal")
"""A game's functions; their places here stand for their addresses."""

_NEVER_WRITTEN = "a strategy reads its view, and changes nothing"
_RULES_STAY = "rules stay as they are while a game is played; keep what changes on the table"

_OF_KINDS = {"one": 0, "some": 0, "count": 1, "in_pile": 1, "add_to_pile": 1}
"""Functions of the kit that are given a kind of cards, and where among their arguments behind the lanes."""

LINES = 50_000
"""A turn that runs more lines than this never ends."""

_ALL_BITS = 2**64 - 1

Place = tuple[str, int]


class PlainTable(Table):
    """A table on which everything is played in plain Python.

    Attributes:
        draws: for each address that was drawn from in this playout, where.
        written: names of the table's fields that were ever written.
        asked: for each decision, the most options that it was asked with.
        taken: for each decision, the options that were taken.
        onlooker: called before a strategy is asked.
    """

    def __init__(self, game: Game, rules: GameRules, players: tuple[Player, ...]) -> None:
        """Lay the table; nothing is compiled."""
        self.draws: dict[tuple[int, int], Place] = {}
        self.written: set[str] = set()
        self.asked: dict[int, int] = {}
        self.taken: dict[int, set[int]] = {}
        self.own_files = files_of(game.file)
        self.onlooker: Callable[[], None] = lambda: None
        super().__init__(game, rules, players)
        self.plainly = _Uncompiled(self)
        self.head = self.memory.view(np.uint8)[: HEAD.itemsize].view(HEAD).view(np.recarray)[0]
        self.table = WatchedRecord(
            self.memory.view(np.recarray)[0], self._lacks, written=self.written, seats=self._seats(), guards=self._guards()
        )
        self.read_rules = WatchedRecord(self.rules.view(np.recarray)[0], self._lacks_rule, frozen=_RULES_STAY)
        self.seen = WatchedRecord(self.view_record(), self._lacks_in_view, frozen=_NEVER_WRITTEN)
        self.head["telling"] = 1

    def addresses(self) -> dict[str, int]:
        """A number for each function that the game has; `_Uncompiled` calls it by that."""
        return {name: number for number, name in enumerate(FUNCTIONS[:4], 1) if getattr(self.game, name) is not None}

    def chooser(self, player: Player) -> int:
        """Players are called by their seats."""
        del player
        return 1

    def view_record(self) -> Any:
        """The view, a record on the table itself."""
        return self.view.view(np.recarray)[0]

    def _seats(self) -> dict[str, int]:
        return {name: len(self.players) for name, field in self.game.table.fields.items() if field.of_seats} | {"wins": len(self.players)}

    def _guards(self) -> dict[str, int]:
        """For each field of packed cards the bits that no counts have: the guard bits, and those beyond the last kind."""
        packed = {name: field.lanes for name, field in self.game.table.fields.items() if field.lanes is not None}
        return {name: _ALL_BITS ^ (int(lanes.guard) - int(lanes.ones)) for name, lanes in packed.items()}

    # ------------------------------------------------------------ what is not there
    def _lacks(self, name: str) -> str:
        return f"{missing_from(tuple(self.game.table.dtype.names or ()), name)}, which kit.table(...) has to declare"

    def _lacks_rule(self, name: str) -> str:
        return f"{missing_from(tuple(self.rules.dtype.names or ()), name)} among the rules; lists have to be derived, with packer(...)"

    def _lacks_in_view(self, name: str) -> str:
        if name in self.game.table.fields:
            return f"'{name}' is seen by nobody, so that no strategy can read it"
        return f"{missing_from(tuple(self.game.view.names or ()), name)} in the view"

    # ------------------------------------------------------------ playing
    def kernel(self, function: Any, *arguments: Any) -> Any:
        """What one of the kernel's own functions returns, in plain Python."""
        with np.errstate(divide="raise", invalid="raise", over="ignore", under="ignore"):
            return self.plainly.function(function)(*arguments)

    def call(self, name: str, *seat: int) -> Any:
        """What one of the game's functions returns."""
        function = getattr(self.game, name).py_func
        run = Run(function.__code__, self.own_files, LINES)
        with np.errstate(divide="raise", invalid="raise", over="ignore", under="ignore"):
            return run.call(self.plainly.function(function), [self.table, self.read_rules, *seat])

    def decide(self, u: float) -> Any:
        """What the strategy of the deciding seat returns."""
        head = self.head
        player = self.players[int(head.seat)]
        parameters = [] if player.record is None else [player.record.view(np.recarray)[0]]
        self.onlooker()
        option = self.plainly.function(player.strategy.function)(self.seen, u, *parameters)
        if option is None:
            message = f"strategy '{player.strategy.name}' comes to its end without a return"
            raise MisuseError(message)
        if isinstance(option, bool | np.bool_ | float | np.floating) or not isinstance(option, int | np.integer):
            message = f"strategy '{player.strategy.name}' returns {option!r}, which is no whole number"
            raise MisuseError(message)
        if not 0 <= option < head.n_options:
            last, name = head.n_options - 1, self.game.decisions[head.decision]
            message = f"strategy '{player.strategy.name}' returns option {option} at the decision '{name}', where it has to be 0 to {last}"
            raise MisuseError(message)
        self.taken.setdefault(int(head.decision), set()).add(int(option))
        return option

    def deal(self, seed: int, playout: int) -> None:
        """Set a playout up."""
        self.draws.clear()
        self.kernel(turns.deal_playout, self.at, np.uint64(seed), np.uint64(playout))

    def begin(self) -> bool:
        """Whether another turn begins."""
        return not self.head.over and bool(self.kernel(turns.begin_turn, self.at))

    def take_turn(self) -> None:
        """Play the turn that has begun."""
        self.kernel(turns.play_turn, self.at)

    def row(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The finished playout's metrics, int32, shape (metrics,)."""
        row = np.empty(len(self.metrics), np.int32)
        self.kernel(turns.score_playout, self.at, row.ctypes.data)
        return row

    def heard(self) -> list[tuple[int, int, int, int]]:
        """The events since this was last asked."""
        n = min(int(self.head.n_events), len(self.head.events))
        self.head.n_events = 0
        return [(int(code), int(a), int(b), int(c)) for code, a, b, c in self.head.events[:n]]

    def looks(self, seat: int) -> dict[str, bytes]:
        """All that a seat would see of the table, by field."""
        asked = int(self.head.seat)
        self.head.seat = seat
        self.kernel(turns.show, self.at)
        self.head.seat = asked
        return {name: self.view[name].tobytes() for name in self.view.dtype.names or () if name != "seat"}

    def deal_afresh(self, seat: int, number: int) -> None:
        """Deal afresh what a seat cannot see."""
        drawn, self.draws = self.draws, {}
        self.kernel(begin_playout, self.head.chance, np.uint64(_ALL_BITS), np.uint64(number))
        if self.game.redeal is not None:
            self.call("redeal", seat)
        self.draws = drawn


class _Uncompiled(Plainly):
    """All functions in plain Python, those of the kernel and the kit too."""

    def __init__(self, table: PlainTable) -> None:
        super().__init__()
        self.table = table
        self.instead = {id(what): stand_in for what, stand_in in self._stand_ins()}

    def value(self, value: Any) -> Any:
        """What stands for something that a function names."""
        if value is np.uint64:
            return _word
        return self.instead.get(id(value)) or super().value(value)

    def own(self, helper: Any) -> Callable[..., Any]:
        """As any other function; one of the kit's that is given a kind of cards looks whether there is such a kind."""
        function = helper.py_func
        if function.__module__.endswith(".piles") and function.__name__ in _OF_KINDS:
            return self._of_a_kind(helper, _OF_KINDS[function.__name__])
        return self.called(helper)

    def _of_a_kind(self, helper: Any, place: int) -> Callable[..., Any]:
        def checked(lanes: Any, *arguments: Any) -> Any:
            kind = arguments[place] if place < len(arguments) else 0
            if isinstance(kind, float | np.floating) or not 0 <= kind < lanes.kinds:
                message = f"it asks for cards of kind {kind}, where the kinds are 0 to {lanes.kinds - 1}"
                raise MisuseError(message)
            return self.function(helper)(lanes, *arguments)

        return checked

    def _stand_ins(self) -> list[tuple[Any, Callable[..., Any]]]:
        """What works on addresses, and what is looked at on the way."""
        t = self.table
        return [
            (memory.address, lambda _record: t.at),
            (memory.head_at, lambda _at: t.head),
            (memory.head_of, lambda _table: t.head),
            (memory.word_at, lambda at: np.int64(ctypes.c_int64.from_address(int(at)).value)),
            (memory.put_word, lambda at, value: _put(ctypes.c_int64, at, value)),
            (memory.copy_number, lambda at, source: ctypes.memmove(int(at), int(source), 4)),
            (memory.copy_bytes, lambda at, source, n: ctypes.memmove(int(at), int(source), int(n))),
            (memory.clear_bytes, lambda at, n: ctypes.memset(int(at), 0, int(n))),
            (bits.bits_set, lambda x: np.uint64(int(x).bit_count())),
            (bits.zeros_below, lambda x: np.uint64((int(x) & -int(x)).bit_length() - 1 if x else 64)),
            (pointers.call_two, self._call),
            (pointers.call_two_and_integer, self._call),
            (pointers.call_chooser, lambda _address, _view, u: t.decide(u)),
            (pointers.call_chooser_with_parameters, lambda _address, _view, u, _parameters: t.decide(u)),
            (turns.answer, self._answer),
            (chance.word, self._word),
            (chance.below, self._below),
        ]

    def _call(self, address: int, _table: int, _rules: int, *seat: int) -> int:
        self.table.call(FUNCTIONS[int(address) - 1], *seat)
        return pointers.DONE

    def _answer(self, head: Any, seat: Any, decision: Any, step: Any, n: Any) -> Any:
        table = self.table
        named = len(table.game.decisions)
        if not 0 <= decision < named:
            message = f"it asks for decision {decision}, and the game names {named} in decisions=(...)"
            raise MisuseError(message)
        if isinstance(n, float | np.floating) or n < 1:
            message = f"it asks for one of {n} options at the decision '{table.game.decisions[decision]}'; there has to be at least one"
            raise MisuseError(message)
        table.asked[int(decision)] = max(int(n), table.asked.get(int(decision), 0))
        return self.function(turns.answer)(head, seat, decision, step, n)

    def _word(self, source: Any, purpose: Any, occasion: Any) -> Any:
        address, place = (int(purpose), int(occasion)), self._line()
        earlier = self.table.draws.setdefault(address, place)
        if earlier is not place:
            where = "there" if earlier == place else f"in line {earlier[1]}"
            message = f"it draws what was drawn {where} before; each die needs a number of its own, and kit.spin is for one use in a turn"
            raise MisuseError(message)
        return self.function(chance.word)(source, purpose, occasion)

    def _below(self, source: Any, purpose: Any, occasion: Any, n: Any) -> Any:
        if isinstance(n, float | np.floating) or n < 1:
            message = f"it draws one of {n} numbers; there has to be a whole number of them, and at least one"
            raise MisuseError(message)
        return self.function(chance.below)(source, purpose, occasion, n)

    def _line(self) -> Place:
        """The line of the game that runs."""
        import sys  # noqa: PLC0415

        frame = sys._getframe(1)  # noqa: SLF001  the cheapest way to look up
        while frame is not None and frame.f_code.co_filename not in self.table.own_files:
            frame = frame.f_back  # type: ignore[assignment]
        return ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def _word(number: Any) -> Any:
    """A number as a machine word, in which those below zero come round."""
    return np.uint64(int(number) & _ALL_BITS)


def _put(kind: Any, at: Any, value: Any) -> None:
    with suppress(OverflowError):
        kind.from_address(int(at)).value = int(value)
