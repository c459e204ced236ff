"""Second implementations of the games in plain C: how they are built and run.

A twin is one C file, `<game>.c`, written from the rulebook and the rulings and not from the kernel; what the twins share
are the random draws in `chance.h`. Its `play` takes the rules as int32 arrays and scalars, then seed, first playout,
number of playouts, players, strategies by seat, and the rows to write; `metric_count` says how wide these are. Building
takes gcc; nothing is kept but the library in the folder given.
"""

from __future__ import annotations

import ctypes
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import programs

from simulator import registry
from simulator.games.crocs.rules import CrocsRules
from simulator.games.grinchmas.rules import GrinchmasRules
from simulator.games.vacation.rules import VacationRules
from simulator.play.table import Table

Rows = npt.NDArray[np.int32]
Argument = npt.NDArray[np.int32] | int

HERE = Path(__file__).resolve().parent
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-std=c11", "-Wall", "-Wextra", "-Werror")


@dataclass(frozen=True)
class TwinOf:
    """What a game's twin takes.

    Attributes:
        arguments: the first arguments of its `play`, from the game's rules.
        strategies: what its seats can play; the index is the twin's code.
    """

    arguments: Callable[[Any], tuple[Argument, ...]]
    strategies: tuple[str, ...]


@dataclass(frozen=True)
class Twin:
    """A built twin.

    Attributes:
        library: what gcc made.
        takes: what to call it with.
    """

    library: ctypes.CDLL
    takes: TwinOf

    def metric_count(self, players: int) -> int:
        """How many numbers a row has."""
        return int(self.library.metric_count(ctypes.c_int(players)))

    def play(self, rules: Any, strategies: Sequence[str], seed: int, first: int, rows: Rows) -> None:
        """Play playouts [first, first + len(rows)), one strategy per seat, and write the rows."""
        metrics = self.metric_count(len(strategies))
        if rows.shape != (len(rows), metrics) or rows.dtype != np.int32 or not rows.flags.c_contiguous:
            message = f"rows must be int32 with {metrics} columns in C order, not {rows.dtype} of shape {rows.shape}"
            raise ValueError(message)
        # The arrays have to live until the call returns, so they are kept in a tuple of their own.
        given = self.takes.arguments(rules)
        codes = np.array([self.takes.strategies.index(name) for name in strategies], np.int32)
        self.library.play(
            *(_as_c(argument) for argument in given),
            ctypes.c_uint64(seed),
            ctypes.c_int64(first),
            ctypes.c_int64(len(rows)),
            ctypes.c_int32(len(strategies)),
            _as_c(codes),
            _as_c(rows),
        )

    def rows(self, rules: Any, strategies: Sequence[str], seed: int, first: int, playouts: int) -> Rows:
        """The rows of playouts [first, first + playouts)."""
        rows = np.zeros((playouts, self.metric_count(len(strategies))), np.int32)
        self.play(rules, strategies, seed, first, rows)
        return rows


def compiler() -> str | None:
    """Where gcc is, or None."""
    return shutil.which("gcc")


def build(game: str, folder: Path) -> Twin:
    """Compile the twin of a game into a folder and load it.

    Raises:
        FileNotFoundError: there is no gcc.
        RuntimeError: gcc refused; its messages are in the text.
    """
    gcc = compiler()
    if gcc is None:
        message = "a twin needs gcc, which is not installed"
        raise FileNotFoundError(message)
    library = folder / f"{game}.so"
    command = [gcc, *FLAGS, str(HERE / f"{game}.c"), "-o", str(library)]
    result = programs.run(command)
    if result.returncode:
        message = f"gcc did not build the twin of {game}:\n{result.stderr}"
        raise RuntimeError(message)
    loaded = ctypes.CDLL(str(library))
    loaded.play.restype = None
    loaded.metric_count.restype = ctypes.c_int
    return Twin(loaded, TWINS[game])


@cache
def built(game: str) -> Twin:
    """The twin of a game, built anew in each process; once loaded it needs its file no more."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return build(game, Path(folder))


def kernel_rows(game: str, rules: Any, strategies: Sequence[str], seed: int, first: int, playouts: int) -> Rows:
    """The kernel's rows of playouts [first, first + playouts).

    Raises:
        RuntimeError: the kernel stopped before the last of them.
    """
    found = registry.game(game)
    table = Table(found, rules, tuple(registry.player(found, name) for name in strategies))
    rows = np.zeros((playouts, len(table.metrics)), np.int32)
    done, fault = table.play(seed, first, rows, np.zeros(3, np.int64))
    if done != playouts:
        message = f"the kernel played {done} of {playouts} playouts of {game} from {first}: {fault}"
        raise RuntimeError(message)
    return rows


def difference(game: str, rules: Any, strategies: Sequence[str], seed: int, first: int, playouts: int, *, twin_rules: Any = None) -> str:
    """Where kernel and twin first differ, in words; empty if they agree.

    Both play at once, which halves the time: neither holds the interpreter's lock.

    Args:
        game: its name.
        rules: what is played.
        strategies: one per seat.
        seed, first, playouts: which playouts.
        twin_rules: what the twin plays instead, to see that it shows.
    """
    twin = built(game)
    names = [metric.name for metric in registry.game(game).metrics(rules, len(strategies))]
    with ThreadPoolExecutor(1) as worker:
        theirs = worker.submit(twin.rows, rules if twin_rules is None else twin_rules, strategies, seed, first, playouts)
        kernel = kernel_rows(game, rules, strategies, seed, first, playouts)
        return first_difference(kernel, theirs.result(), names, first)


def first_difference(kernel: Rows, twin: Rows, metrics: Sequence[str], first: int = 0) -> str:
    """Where the rows first differ, in words; empty if they are equal.

    Args:
        kernel, twin: rows of the same playouts.
        metrics: names of the columns.
        first: number of the first playout.
    """
    if kernel.shape != twin.shape:
        return f"the kernel's rows have shape {kernel.shape}, the twin's {twin.shape}"
    differs = kernel != twin
    bad = np.flatnonzero(differs.any(axis=1))
    if not len(bad):
        return ""
    row = int(bad[0])
    columns = [f"{name}: kernel {k}, twin {t}" for name, k, t, d in zip(metrics, kernel[row], twin[row], differs[row], strict=True) if d]
    return f"{len(bad)} of {len(kernel)} playouts differ, first playout {first + row} ({'; '.join(columns)})"


def _as_c(argument: Argument) -> Any:
    if isinstance(argument, int):
        return ctypes.c_int32(argument)
    return argument.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))


_SPACES = ("A", "B", "C", "max", "present", "feet", "house 1", "house 2", "house 3", "house 4", "house 5", "house 6")
_FEET_FACE = 0


def _grinchmas(rules: GrinchmasRules) -> tuple[Argument, ...]:
    """Settings, path, its length, faces, their number; the C makes the Wishes itself."""
    settings = (
        rules.presents.colours,
        rules.presents.designs,
        rules.presents.copies,
        rules.wishes.mixed_copies,
        rules.wishes.pair_copies,
        rules.wishes.trio_cards,
        rules.wishes.face_up,
        rules.wishes.goal,
        rules.wishes.pair == "pictured",
        rules.wishes.when_exhausted == "reshuffle",
        rules.stars.mixed,
        rules.stars.pair,
        rules.stars.trio,
        rules.exchange.min_players,
        rules.exchange.on_max,
        rules.win_on_tie,
        rules.turn_cap,
    )
    path = np.array([_SPACES.index(space) for space in rules.board.path], np.int32)
    faces = np.array([_FEET_FACE if face == "feet" else face for face in rules.spinner.faces], np.int32)
    return np.array(settings, np.int32), path, len(path), faces, len(faces)


_FACES = ("eddie", "clark", "wreath", "bonus")


def _vacation(rules: VacationRules) -> tuple[Argument, ...]:
    """Settings, the faces of every die, and how many a die has."""
    settings = (
        rules.dice.count,
        rules.dice.bust_at,
        rules.deck.numbers,
        rules.deck.copies,
        rules.deck.wilds,
        rules.run.min_length,
        rules.bonus.order == "die",
        rules.turn_cap,
    )
    faces = np.array([_FACES.index(face) for die in rules.dice.each for face in die], np.int32)
    return np.array(settings, np.int32), faces, len(rules.dice.each[0])


def _crocs(rules: CrocsRules) -> tuple[Argument, ...]:
    """The ten counts of cards, then the rest in the order of the twin."""
    settings = (
        *rules.deck.counts,
        rules.decks,
        rules.hand.deal,
        rules.hand.elf_below,
        rules.slots.count,
        rules.slots.canes,
        rules.grinch.takes,
        rules.deck.when_empty == "end",
        rules.ask.must_give,
        rules.heart.window == "round",
        rules.snow.silences,
        rules.turn_cap,
    )
    return (np.array(settings, np.int32),)


TWINS: dict[str, TwinOf] = {
    "grinchmas": TwinOf(_grinchmas, ("uniform", "greedy")),
    "vacation": TwinOf(_vacation, ("uniform", "cautious")),
    "crocs": TwinOf(_crocs, ("uniform", "builder")),
}
"""For each game that has a twin: what it takes."""
