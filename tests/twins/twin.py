"""Second implementations of the games in plain C: how they are built and run.

A twin is one C file, `<game>.c`, written from the rulebook and the rulings and not from the kernel. Its `play` takes the
rules as int32 arrays and scalars, then seed, first playout, number of playouts, players, strategies by seat, and the
rows to write. Building takes gcc; nothing is kept but the library in the folder given.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.games.grinchmas.rules import GrinchmasRules

Rows = npt.NDArray[np.int32]
Argument = npt.NDArray[np.int32] | int

HERE = Path(__file__).resolve().parent
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-std=c11", "-Wall", "-Wextra", "-Werror")
STRATEGIES = ("uniform", "greedy")
"""What a seat of a twin can play; the index is the twin's code."""

_SPACES = ("A", "B", "C", "max", "present", "feet", "house 1", "house 2", "house 3", "house 4", "house 5", "house 6")
_FEET_FACE = 0


@dataclass(frozen=True)
class Twin:
    """A built twin.

    Attributes:
        library: what gcc made.
        arguments: the first arguments of its `play`, from a game's rules.
    """

    library: ctypes.CDLL
    arguments: Callable[[Any], tuple[Argument, ...]]

    def play(self, rules: Any, strategies: Sequence[str], seed: int, first: int, rows: Rows) -> None:
        """Play playouts [first, first + len(rows)), one strategy per seat, and write the rows."""
        metrics = int(self.library.metric_count())
        if rows.shape != (len(rows), metrics) or rows.dtype != np.int32 or not rows.flags.c_contiguous:
            message = f"rows must be int32 with {metrics} columns in C order, not {rows.dtype} of shape {rows.shape}"
            raise ValueError(message)
        # The arrays have to live until the call returns, so they are kept in a tuple of their own.
        given = self.arguments(rules)
        codes = np.array([STRATEGIES.index(name) for name in strategies], np.int32)
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
        rows = np.zeros((playouts, int(self.library.metric_count())), np.int32)
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
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        message = f"gcc did not build the twin of {game}:\n{result.stderr}"
        raise RuntimeError(message)
    loaded = ctypes.CDLL(str(library))
    loaded.play.restype = None
    loaded.metric_count.restype = ctypes.c_int
    return Twin(loaded, ARGUMENTS[game])


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


ARGUMENTS: dict[str, Callable[[Any], tuple[Argument, ...]]] = {"grinchmas": _grinchmas}
"""For each game that has a twin: the first arguments of its `play`, from the game's rules."""
