"""Trying a game out: all that is wrong with it, each in a sentence with its line, first in plain Python and then compiled."""

from __future__ import annotations

import linecache
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator import registry
from simulator.errors import RulesError, UserError, described
from simulator.game import Game
from simulator.play.experiment import Experiment
from simulator.play.game_source import mistakes_in
from simulator.play.plain_faults import StoryError, located
from simulator.play.plain_games import PlainTable
from simulator.play.rehearsal import rehearse
from simulator.play.table import Table
from simulator.registry.game_checks import declared_at, line_of_constant
from simulator.registry.lineup import Player, make_player
from simulator.rules import GameRules, build_rules, constants
from simulator.rules.alternatives import acts, alternatives
from simulator.rules.tables import Column

if TYPE_CHECKING:
    from simulator.rules import Constant

SEED = 1
PLAYOUTS = 10
"""Playouts of each strategy and number of players in plain Python."""

TURNS = 300
"""Turns that these have together at most."""

COMPILED = 400
"""Playouts that are compared to see whether a constant does anything."""

_REDEALS = 60
_PLACE = re.compile(r"(?P<file>[^\s(]\S*\.py), line (?P<line>\d+)")


@dataclass(frozen=True)
class Complaint:
    """What is wrong: file, line, and a clause that says why and what to write instead."""

    file: str
    line: int
    reason: str

    @property
    def code(self) -> str:
        """What stands in that line."""
        return linecache.getline(self.file, self.line).strip()

    @property
    def sentence(self) -> str:
        """In one sentence."""
        return f"{Path(self.file).name}, line {self.line}: {self.reason.rstrip('.')}."


@dataclass(frozen=True)
class Trial:
    """What became of trying a game out.

    Attributes:
        path: what was tried.
        complaints: what is wrong, in the order in which it was seen.
        notes: what one should know, though nothing is wrong.
        game: the game, if it could be loaded.
        playouts: how many were played in plain Python.
        compiled: whether it came as far as being compiled.
        elapsed_s: how long it took.
    """

    path: str
    complaints: tuple[Complaint, ...]
    notes: tuple[str, ...] = ()
    game: Game | None = None
    playouts: int = 0
    compiled: bool = False
    elapsed_s: float = 0.0


def try_game(game: str | Game) -> Trial:
    """Find out what is wrong with a game.

    Args:
        game: a game, its name, or the path of its file.

    Raises:
        UserError: there is no such file or game.
    """
    began, path = time.perf_counter(), game.called if isinstance(game, Game) else game
    linecache.checkcache()
    try:
        loaded = registry.game(game)
    except UserError as error:
        complaint = _complaint_of(str(error))
        if complaint is None:
            raise
        return Trial(path, (complaint,))
    trying = _Trying(loaded)
    complaints = trying.complaints()
    return Trial(
        path, tuple(complaints), tuple(trying.notes), loaded, trying.playouts, trying.compiled, elapsed_s=time.perf_counter() - began
    )


def _complaint_of(sentence: str) -> Complaint | None:
    """An error's sentence as a complaint, if it names a line."""
    place = _PLACE.search(sentence)
    if place is None:
        return None
    _, cut, reason = sentence.partition(f"line {place['line']}): ")
    if not cut:
        _, _, reason = sentence.partition(f"line {place['line']}: ")
    return Complaint(place["file"], int(place["line"]), reason or sentence)


def _at(place: str, reason: str) -> Complaint:
    file, _, line = place.partition(", line ")
    return Complaint(file, int(line or 1), reason)


@dataclass
class _Trying:
    """Looks at a game from the plainest on; what comes later rests on what was looked at before."""

    game: Game
    notes: list[str] = field(default_factory=list)
    playouts: int = 0
    compiled: bool = False
    written: set[str] = field(default_factory=set)
    asked: dict[int, int] = field(default_factory=dict)
    taken: dict[int, set[int]] = field(default_factory=dict)
    rows: dict[tuple[str, int], list[Any]] = field(default_factory=dict)
    finished: int = 0
    redeals: int = 0
    never_redealt: set[str] | None = None

    def complaints(self) -> list[Complaint]:
        """All complaints of the first look that has any."""
        for look in (self._source, self._strangers, self._plain, self._left_out, self._compiled, self._constants):
            complaints = list(dict.fromkeys(look()))
            if complaints:
                return complaints
        return []

    @property
    def players(self) -> list[Player]:
        """One of each strategy."""
        return [make_player(strategy) for strategy in registry.strategies(self.game).values()]

    @property
    def tables(self) -> list[int]:
        """The fewest and the most players."""
        return sorted(set(self.game.players))

    # ------------------------------------------------------------ what is written
    def _source(self) -> Iterator[Complaint]:
        for mistake in mistakes_in(self.game):
            yield Complaint(str(mistake.file), mistake.line, mistake.reason)

    def _strangers(self) -> Iterator[Complaint]:
        for name, thing in vars(registry.home_of(self.game)).items():
            if getattr(thing, "game", self.game.name) not in {self.game.name, "*"}:
                text = f"strategy '{name}' is declared for '{thing.game}'; write @strategy(\"{self.game.name}\") to play it here"
                yield Complaint(str(thing.file), thing.decorated, text)

    # ------------------------------------------------------------ in plain Python
    def _plain(self) -> Iterator[Complaint]:
        for seats in self.tables:
            for player in self.players:
                table = PlainTable(self.game, self.game.rules(), (player,) * seats)
                try:
                    yield from self._played(table, player, seats)
                except Exception as error:  # noqa: BLE001  whatever somebody's game raises
                    mistake = located(error, table)
                    yield Complaint(str(mistake.file), mistake.line, mistake.reason)
                    return
                finally:
                    self.written |= table.written
                    for decision, n in table.asked.items():
                        self.asked[decision] = max(n, self.asked.get(decision, 0))
                    for decision, options in table.taken.items():
                        self.taken.setdefault(decision, set()).update(options)

    def _played(self, table: PlainTable, player: Player, seats: int) -> Iterator[Complaint]:
        turns, rows = 0, self.rows.setdefault((player.label, seats), [])
        table.onlooker = lambda: self._ask(table)
        for playout in range(PLAYOUTS):
            table.deal(SEED, playout)
            self._tell(table)
            while turns < TURNS and table.begin():
                turns += 1
                table.take_turn()
                self._tell(table)
                yield from self._hidden(table, seats)
            if turns >= TURNS and not table.head.over:
                return
            rows.append(table.row())
            self.playouts += 1
            self.finished += 1 - int(table.head.unfinished)
            yield from self._ending(table, rows[-1], seats)

    def _tell(self, table: PlainTable) -> None:
        told = table.heard()
        events = [event for event in told if event[0] >= 0]
        try:
            self.game.story.sentences(self.game.rules(), events)
        except KeyError as error:
            message = f"event {error} has no sentence in the story; add one, such as {{a}} for its first number"
            raise StoryError(message) from None
        except Exception as error:
            message = f"the story fails with {described(error)}"
            raise StoryError(message) from error

    def _ask(self, table: PlainTable) -> None:
        rules, view, story = self.game.rules(), table.view_record(), self.game.story
        try:
            story.question(rules, view)
            for option in range(int(view.n_options)):
                story.option(rules, view, option)
        except Exception as error:
            message = f"the story fails with {described(error)}"
            raise StoryError(message) from error

    def _hidden(self, table: PlainTable, seats: int) -> Iterator[Complaint]:
        """What a seat sees stays as it is when all is dealt afresh that it cannot see."""
        if self.redeals >= _REDEALS or table.head.over:
            return
        seat, kept, before = self.redeals % seats, table.memory.copy(), table.looks(self.redeals % seats)
        unseen = {n for n, f in self.game.table.fields.items() if f.seen_by.name != "EVERYBODY" and f.of_rules is None}
        hidden = {n: table.memory[n].tobytes() for n in unseen}
        self.redeals += 1
        table.deal_afresh(seat, self.redeals)
        after = table.looks(seat)
        changed = [name for name, seen in before.items() if after[name] != seen]
        alike = {n for n in unseen if table.memory[n].tobytes() == hidden[n]}
        self.never_redealt = alike & (unseen if self.never_redealt is None else self.never_redealt)
        table.memory[:] = kept
        if changed:
            where = "show" if self.game.show is not None else "redeal"
            reason = f"seat {seat} sees another '{changed[0]}' once all that it cannot see is dealt afresh; its view tells what is hidden"
            yield _at(self._place(where), reason)

    def _ending(self, table: PlainTable, row: Any, seats: int) -> Iterator[Complaint]:
        outcomes = {m.name: int(v) for m, v in zip(table.metrics, row, strict=True) if m.outcome}
        if sum(outcomes.values()) != 1:
            shown = ", ".join(f"{name}={value}" for name, value in outcomes.items())
            yield _at(self._place("turn"), f"a playout ended with {shown}, and exactly one of these has to be 1; end it once, with kit.win")
        for m, value in zip(table.metrics, row, strict=True):
            if not m.low <= value <= m.high:
                name = m.name.partition(".")[0]
                reason = f"the metric '{m.name}' was {value}, and is declared to lie between {m.low} and {m.high}"
                yield _at(declared_at(self.game, name), reason)
        if self.game.payoff is not None:
            yield from self._payoffs(table, seats)

    def _payoffs(self, table: PlainTable, seats: int) -> Iterator[Complaint]:
        worth = [table.call("payoff", seat) for seat in range(seats)]
        place = self._place("payoff")
        for seat, value in enumerate(worth):
            if value is None:
                yield _at(place, f"`payoff` gives seat {seat} nothing; return a number, such as table.wins[seat]")
                return
        won = [seat for seat in range(seats) if table.head.wins[seat]]
        others = [seat for seat in range(seats) if seat not in won]
        if won and others and (min(worth[s] for s in won) < max(worth[s] for s in others) or len(set(worth)) == 1):
            shown = ", ".join(f"{w:g}" for w in worth)
            yield _at(place, f"`payoff` does not agree with who won: seat {won[0]} did, and the seats get {shown}")

    def _left_out(self) -> Iterator[Complaint]:
        """What never happened in all that was played."""
        declared = self.game.table.fields
        for name, what in declared.items():
            if what.metric is not None and name not in self.written:
                yield _at(declared_at(self.game, name), f"'{name}' is counted and never written; write table.{name} += 1 where it happens")
        for number, name in enumerate(self.game.decisions):
            if self.asked.get(number, 0) <= 1:
                yield _at(declared_at(self.game, "decisions"), f"the decision '{name}' never left a choice; is it asked?")
            else:
                left = set(range(self.asked[number])) - self.taken.get(number, set())
                if left:
                    self.notes.append(f"Nobody ever took option {min(left)} of {self.asked[number]} at the decision '{name}'.")
        if not self.finished:
            yield _at(self._place("turn"), "no playout came to an end before the turn cap; end it with kit.win(table, seat)")
        for name in sorted(self.never_redealt or ()):
            what = declared[name]
            if not (what.lanes or what.metric or what.members or name == "draws") and name in self.written:
                self.notes.append(f"'{name}' is hidden and not dealt afresh, so that `lookahead` knows it; keep cards in kit.cards(...).")

    # ------------------------------------------------------------ compiled
    def _compiled(self) -> Iterator[Complaint]:
        self.compiled = True
        for seats in self.tables:
            for player in self.players:
                asked = Experiment(self.game, self.game.rules(), (player,) * seats, SEED)
                try:
                    rehearse(asked)
                except UserError as error:
                    yield _complaint_of(str(error)) or _at(self._place("turn"), str(error))
                    return
                yield from self._compared(asked, self.rows.get((player.label, seats), []))

    def _compared(self, asked: Experiment, plain: list[Any]) -> Iterator[Complaint]:
        rows: Any = _rows(asked, len(plain)) if plain else []
        for playout, (one, other) in enumerate(zip(plain, rows, strict=True)):
            for m, a, b in zip(asked.metrics, one, other, strict=True):
                if a != b:
                    reason = (
                        f"compiled, '{m.name}' of playout {playout} is {b}, and {a} in plain Python; packed cards and "
                        "other numbers must not be mixed, as in table.deck + 1"
                    )
                    yield _at(self._place("turn"), reason)
                    return

    def _constants(self) -> Iterator[Complaint]:
        """Whether each constant does anything."""
        rules = self.game.rules()
        for key, same in groupby(constants(rules), self._read_as):
            first, *others = same
            if key != "turn_cap" and all(self._is_idle(c, rules) for c in (first, *others)):
                moved = f"with {first.value} and with other values {COMPILED} playouts came out the same"
                yield _at(self._line_of(first), f"the constant '{key}' does nothing: {moved}; read it as rules.{key}")

    def _read_as(self, c: Constant) -> str:
        """How compiled code reads a constant: by its key, but a column of a table as a whole."""
        group, _, _ = c.key.rpartition(".")
        return group if group and isinstance(attrgetter(group)(self.game.rules()), Column) else c.key

    def _is_idle(self, c: Constant, rules: GameRules) -> bool:
        moved = []
        for to in alternatives(c, self.game.rules):
            try:
                moved.append(build_rules(self.game.rules, {c.key: to}))
            except RulesError:
                continue
        lineups = [tuple((self.players * 8)[first : first + n]) for n in reversed(self.tables) for first in range(len(self.players))]
        compared = 0
        for lineup in lineups:
            usual = _rows(Experiment(self.game, rules, lineup, SEED), COMPILED)
            for other in moved:
                if acts(rules, other, len(lineup)):
                    compared += 1
                    if not np.array_equal(usual, _rows(Experiment(self.game, other, lineup, SEED), COMPILED)):
                        return False
        return compared > 0

    # ------------------------------------------------------------ where it stands
    def _line_of(self, c: Constant) -> str:
        model: Any = self.game.rules
        *groups, name = c.key.split(".")
        for group in groups:
            model = model.model_fields[group].annotation
        return line_of_constant(model, name)

    def _place(self, name: str) -> str:
        function = getattr(self.game, name)
        code = getattr(function, "py_func", function).__code__
        return f"{code.co_filename}, line {code.co_firstlineno}"


def _rows(asked: Experiment, playouts: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """What compiled playouts leave behind, int32, shape (playouts, metrics)."""
    table = Table(asked.game, asked.rules, asked.lineup)
    rows = np.zeros((playouts, len(table.metrics)), np.int32)
    table.play(asked.seed, 0, rows, np.zeros(2, np.int64))
    return rows
