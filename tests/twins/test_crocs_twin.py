"""The kernel and the plain C twin of Christmas Crocs must agree on every row, under every switch."""

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
import strategies.crocs
from simulator.games.crocs import GAME
from simulator.games.crocs.rules import CrocsRules
from simulator.lineup import make_player
from simulator.rules import build_rules
from simulator.table import Table

PLAYERS = range(2, 7)
MANY, FEW = 100_000, 1_500
SEED = 20_241_224
BIG_SEED, LATE_PLAYOUT = 0xFEDC_BA98_7654_3210, 2**40 + 5
"""So that the upper halves of key and counter count too."""

STRATEGIES = ("uniform", "builder")
"""What a seat of the twin can play; the index is the twin's code."""

NOTHING_ELSE = {
    f"deck.{kind}": 0 for kind in ("santa", "elf", "scrooge", "grinch", "heart", "coal", "choo_choo", "snow")
}  # a deck of presents and canes

ODD_RULES: dict[str, dict[str, Any]] = {
    "the deck ends the game": {"deck.when_empty": "end"},
    "a small deck ends the game": {
        **NOTHING_ELSE, "deck.when_empty": "end", "deck.present": 18, "deck.candy_cane": 12, "deck.elf": 4, "deck.snow": 2,
    },
    "giving is voluntary": {"ask.must_give": False},
    "Hearts in the round": {"heart.window": "round"},
    "Hearts in the round, Grinches": {"heart.window": "round", "deck.grinch": 30, "deck.heart": 30, "deck.snow": 12},
    "all switches": {"deck.when_empty": "end", "ask.must_give": False, "heart.window": "round", "deck.grinch": 12, "deck.heart": 12},
    "Grinches take three": {"grinch.takes": 3, "deck.grinch": 20, "deck.heart": 20},
    "Grinches take fifteen": {"grinch.takes": 15, "deck.grinch": 20, "deck.heart": 12, "slots.count": 8, "turn_cap": 300},
    "Grinches take one": {"grinch.takes": 1, "deck.grinch": 12},
    "canes fill a slot alone": {"slots.canes": 1},
    "three canes": {"slots.canes": 3, "deck.candy_cane": 40, "deck.elf": 12},
    "four canes": {"slots.canes": 4, "deck.candy_cane": 60, "deck.present": 0, "deck.scrooge": 4},
    "one slot": {"slots.count": 1},
    "fifteen slots": {"slots.count": 15, "turn_cap": 200},
    "deal one": {"hand.deal": 1},
    "deal fifteen": {"hand.deal": 15, "decks": 2, "hand.elf_below": 15},
    "no draw by Elf": {"hand.elf_below": 0},
    "Elf always draws": {"hand.elf_below": 9, "hand.deal": 3, "deck.elf": 40, "turn_cap": 300},
    "two decks": {"decks": 2},
    "eight decks": {"decks": 8, "deck.present": 60},
    "presents and canes alone": NOTHING_ELSE,
    "scarce": {"deck.present": 6, "deck.candy_cane": 4, "turn_cap": 300},
    "all Coal": {"deck.coal": 60, "turn_cap": 300},
    "just dealt": {**NOTHING_ELSE, "deck.present": 12, "deck.candy_cane": 2, "deck.elf": 12, "deck.choo_choo": 4, "turn_cap": 100},
    "Snow": {"deck.snow": 60, "deck.choo_choo": 20, "turn_cap": 300},
    "no Heart": {"deck.heart": 0, "deck.grinch": 20},
    "turn cap 1": {"turn_cap": 1},
    "turn cap 7": {"turn_cap": 7},
}  # fmt: skip
MIXED_SEATS = (
    ("uniform", "builder"),
    ("builder", "uniform", "uniform"),
    ("uniform", "builder", "builder", "uniform"),
    ("builder", "uniform", "builder", "uniform", "builder"),
    ("uniform", "uniform", "builder", "builder", "uniform", "builder"),
)

pytestmark = pytest.mark.skipif(compiler() is None, reason="gcc, which builds the twin, is not installed")


def _settings(rules: CrocsRules) -> tuple[Argument, ...]:
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
        rules.turn_cap,
    )
    return (np.array(settings, np.int32),)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The twin, built anew."""
    twins.ARGUMENTS["crocs"] = _settings
    return twins.build("crocs", tmp_path_factory.mktemp("twin")).library


def _twin_rows(library: ctypes.CDLL, rules: CrocsRules, seats: Sequence[str], seed: int, first: int, playouts: int) -> Rows:
    rows = np.zeros((playouts, library.metric_count(ctypes.c_int(len(seats)))), np.int32)
    (settings,) = _settings(rules)
    codes = np.array([STRATEGIES.index(name) for name in seats], np.int32)
    library.play(
        _pointer(settings), ctypes.c_uint64(seed), ctypes.c_int64(first), ctypes.c_int64(playouts), len(seats), _pointer(codes),
        _pointer(rows),
    )  # fmt: skip
    return rows


def _pointer(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))


@cache
def _rules(name: str = "") -> CrocsRules:
    return build_rules(CrocsRules, ODD_RULES.get(name, {}))


def _kernel_rows(rules: CrocsRules, seats: Sequence[str], seed: int, first: int, playouts: int) -> Rows:
    known = {"uniform": strategies.anygame.uniform, "builder": strategies.crocs.builder}
    table = Table(GAME, rules, tuple(make_player(known[name]) for name in seats))
    rows = np.zeros((playouts, len(table.metrics)), np.int32)
    done, fault = table.play(seed, first, rows, np.zeros(3, np.int64))
    assert done == playouts, fault
    return rows


def _difference(library: ctypes.CDLL, rules: CrocsRules, seats: Sequence[str], seed: int, first: int, playouts: int) -> str:
    """Both play at once, which halves the time: neither holds the interpreter's lock."""
    names = [metric.name for metric in GAME.metrics(rules, len(seats))]
    with ThreadPoolExecutor(1) as worker:
        theirs = worker.submit(_twin_rows, library, rules, seats, seed, first, playouts)
        kernel = _kernel_rows(rules, seats, seed, first, playouts)
        return first_difference(kernel, theirs.result(), names, first)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_default_rules(library: ctypes.CDLL, strategy: str, players: int) -> None:
    """As in the box, every player count."""
    assert not _difference(library, _rules(), (strategy,) * players, SEED, 0, MANY)


def _can_be_dealt(rules: CrocsRules, players: int) -> bool:
    return rules.total >= players * rules.hand.deal


@pytest.mark.parametrize("name", ODD_RULES)
def test_odd_rules(library: ctypes.CDLL, name: str) -> None:
    """Every switch's alternative and odd numbers, with like and with mixed seats."""
    for seats in (*MIXED_SEATS, ("uniform",) * 3, ("builder",) * 4):
        if _can_be_dealt(_rules(name), len(seats)):
            difference = _difference(library, _rules(name), seats, SEED + 1, 0, FEW)
            assert not difference, f"{name}, {', '.join(seats)}: {difference}"


@pytest.mark.parametrize("seats", MIXED_SEATS, ids=len)
def test_large_seed_and_late_playouts(library: ctypes.CDLL, seats: Sequence[str]) -> None:
    """Mixed seats of the game in the box, far out in the generator's key and counter."""
    assert not _difference(library, _rules(), seats, BIG_SEED, LATE_PLAYOUT, FEW)


@pytest.mark.parametrize(
    "name",
    ["a small deck ends the game", "giving is voluntary", "Hearts in the round", "Grinches take one", "three canes", "no draw by Elf"],
)
def test_comparison_can_fail(library: ctypes.CDLL, name: str) -> None:
    """A twin with another rule gives other rows, and the message says where."""
    seats = ("builder", "uniform") * 2
    names = [metric.name for metric in GAME.metrics(_rules(), len(seats))]
    kernel = _kernel_rows(_rules(), seats, SEED, 7, FEW)
    message = first_difference(kernel, _twin_rows(library, _rules(name), seats, SEED, 7, FEW), names, first=7)
    assert "playouts differ, first playout" in message
