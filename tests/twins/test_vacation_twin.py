"""The kernel and the plain C twin of Christmas Vacation must agree on every row, under every switch."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest
import twin as twins
from twin import Argument, Rows, compiler, first_difference

import strategies.anygame
import strategies.vacation
from simulator.games.vacation import GAME
from simulator.games.vacation.rules import VacationRules
from simulator.lineup import make_player
from simulator.rules import build_rules
from simulator.table import Table

PLAYERS = range(2, 6)
MANY, FEW = 100_000, 2_000
SEED = 20_241_224
BIG_SEED, LATE_PLAYOUT = 0xFEDC_BA98_7654_3210, 2**40 + 5
"""So that the upper halves of key and counter count too."""

STRATEGIES = ("uniform", "cautious")
"""What a seat of the twin can play; the index is the twin's code."""

FACES = ("eddie", "clark", "wreath", "bonus")
"""The twin's codes of the faces."""

ODD_RULES: dict[str, dict[str, Any]] = {
    "die by die": {"bonus.order": "die"},
    "die by die, three Wilds, bonuses": {"bonus.order": "die", "deck.wilds": 3, "dice.faces": ("bonus", "wreath", "clark", "eddie")},
    "no Wild": {"deck.wilds": 0},
    "four Wilds": {"deck.wilds": 4},
    "only Wilds": {"deck.numbers": 0, "deck.wilds": 4},
    "one card": {"deck.numbers": 1, "deck.copies": 1, "deck.wilds": 0},
    "small deck": {"deck.numbers": 2, "deck.copies": 2, "deck.wilds": 0, "dice.count": 3},
    "widest deck": {"deck.numbers": 8, "deck.copies": 12, "deck.wilds": 4},
    "many numbers": {"deck.numbers": 8, "deck.copies": 2, "deck.wilds": 3},
    "runs of one": {"run.min_length": 1, "deck.wilds": 2},
    "runs of two": {"run.min_length": 2},
    "runs of five": {"run.min_length": 5},
    "no runs": {"run.min_length": 9},
    "one die": {"dice.count": 1, "dice.bust_at": 1},
    "five dice": {"dice.count": 5},
    "twelve dice": {"dice.count": 12, "dice.bust_at": 5},
    "bust at one": {"dice.bust_at": 1},
    "bust at two": {"dice.bust_at": 2},
    "no bust, every die may go": {"dice.count": 2, "dice.bust_at": 3},
    "two Eddies": {"dice.faces": ("clark", "clark", "wreath", "bonus", "eddie", "eddie")},
    "no bonus": {"dice.faces": ("clark", "wreath", "wreath", "eddie")},
    "no Eddie": {"dice.faces": ("clark", "clark", "wreath", "bonus")},
    "nothing but Clarks": {"dice.faces": ("clark",)},
    "nothing but bonuses, die by die": {"dice.faces": ("bonus", "eddie"), "bonus.order": "die"},
    "twelve faces": {"dice.faces": ("clark", "eddie", "wreath", "bonus") * 3, "dice.count": 8},
    "turn cap 1": {"turn_cap": 1},
    "turn cap 5": {"turn_cap": 5},
}
MIXED_SEATS = (
    ("uniform", "cautious"),
    ("cautious", "uniform", "uniform"),
    ("uniform", "cautious", "cautious", "uniform"),
    ("cautious", "uniform", "cautious", "uniform", "cautious"),
)

pytestmark = pytest.mark.skipif(compiler() is None, reason="gcc, which builds the twin, is not installed")


def _settings(rules: VacationRules) -> tuple[Argument, ...]:
    """Settings, faces and their number."""
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
    faces = np.array([FACES.index(face) for face in rules.dice.faces], np.int32)
    return np.array(settings, np.int32), faces, len(faces)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The twin, built anew."""
    folder = tmp_path_factory.mktemp("twin")
    twins.ARGUMENTS["vacation"] = _settings
    return twins.build("vacation", folder).library


def _twin_rows(library: ctypes.CDLL, rules: VacationRules, seats: Sequence[str], seed: int, first: int, playouts: int) -> Rows:
    rows = np.zeros((playouts, library.metric_count(ctypes.c_int(len(seats)))), np.int32)
    settings, faces, n_faces = _settings(rules)
    codes = np.array([STRATEGIES.index(name) for name in seats], np.int32)
    library.play(
        _pointer(settings), _pointer(faces), n_faces, ctypes.c_uint64(seed), ctypes.c_int64(first), ctypes.c_int64(playouts), len(seats),
        _pointer(codes), _pointer(rows),
    )  # fmt: skip
    return rows


def _pointer(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))


@cache
def _rules(name: str = "") -> VacationRules:
    rules = build_rules(VacationRules, ODD_RULES.get(name, {}))
    assert isinstance(rules, VacationRules)
    return rules


def _kernel_rows(rules: VacationRules, seats: Sequence[str], seed: int, first: int, playouts: int) -> Rows:
    known = {"uniform": strategies.anygame.uniform, "cautious": strategies.vacation.cautious}
    table = Table(GAME, rules, tuple(make_player(known[name]) for name in seats))
    rows = np.zeros((playouts, len(table.metrics)), np.int32)
    done, fault = table.play(seed, first, rows, np.zeros(3, np.int64))
    assert done == playouts, fault
    return rows


def _difference(library: ctypes.CDLL, rules: VacationRules, seats: Sequence[str], seed: int, first: int, playouts: int) -> str:
    """Both play at once, which halves the time: neither holds the interpreter's lock."""
    names = [metric.name for metric in GAME.metrics(rules, len(seats))]
    with ThreadPoolExecutor(1) as worker:
        theirs = worker.submit(_twin_rows, library, rules, seats, seed, first, playouts)
        kernel = _kernel_rows(rules, seats, seed, first, playouts)
        return first_difference(kernel, theirs.result(), names, first)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_default_rules(library: ctypes.CDLL, strategy: str, players: int) -> None:
    assert not _difference(library, _rules(), (strategy,) * players, SEED, 0, MANY)


@pytest.mark.parametrize("name", ODD_RULES)
def test_odd_rules(library: ctypes.CDLL, name: str) -> None:
    for seats in (*MIXED_SEATS, ("uniform",) * 3, ("cautious",) * 4):
        difference = _difference(library, _rules(name), seats, SEED + 1, 0, FEW)
        assert not difference, f"{name}, {', '.join(seats)}: {difference}"


@pytest.mark.parametrize("seats", MIXED_SEATS, ids=len)
def test_large_seed_and_late_playouts(library: ctypes.CDLL, seats: Sequence[str]) -> None:
    assert not _difference(library, _rules(), seats, BIG_SEED, LATE_PLAYOUT, FEW)


@pytest.mark.parametrize("name", ["die by die", "no Wild", "runs of two", "bust at two", "five dice", "two Eddies"])
def test_comparison_can_fail(library: ctypes.CDLL, name: str) -> None:
    """A twin with another rule gives other rows, and the message says where."""
    seats = ("cautious", "uniform") * 2
    names = [metric.name for metric in GAME.metrics(_rules(), len(seats))]
    kernel = _kernel_rows(_rules(), seats, SEED, 7, FEW)
    message = first_difference(kernel, _twin_rows(library, _rules(name), seats, SEED, 7, FEW), names, first=7)
    assert "playouts differ, first playout" in message
