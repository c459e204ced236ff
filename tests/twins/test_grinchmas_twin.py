"""The kernel and the plain C twin of Merry Grinchmas must agree on every row, under every switch."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest
from twin import Rows, Twin, build, compiler, first_difference

import strategies.anygame
import strategies.grinchmas
from simulator.games.grinchmas import GAME
from simulator.games.grinchmas.rules import GrinchmasRules
from simulator.lineup import make_player
from simulator.rules import build_rules
from simulator.table import Table

PLAYERS = range(2, 7)
MANY, FEW = 100_000, 3_000
SEED = 20_241_224
REJECTED = ((7_186_605, 1, 49), (43_469_356, 0, 50))
"""Playouts of SEED with a spot whose first word would favour some tokens and is replaced: playout, spot, tokens in the bag."""

BIG_SEED, LATE_PLAYOUT = 0xFEDC_BA98_7654_3210, 2**40 + 5
"""So that the upper halves of key and counter count too."""

SHORT_PATH = ("max", "feet", "house 1", "A")
TWO_MAX = ("feet", "max", "house 2", "B", "present", "house 6", "max", "C", "house 3", "A")
MAX_AND_FEET = ("max", "feet", "present")

ODD_RULES: dict[str, dict[str, Any]] = {
    "designs 2": {"presents.designs": 2},
    "designs 2, pair any": {"presents.designs": 2, "wishes.pair": "any"},
    "pair any": {"wishes.pair": "any"},
    "reshuffle": {"wishes.when_exhausted": "reshuffle"},
    "reshuffle a small pile": {
        "wishes.when_exhausted": "reshuffle", "wishes.mixed_copies": 0, "wishes.pair_copies": 1, "wishes.trio_cards": 2,
        "wishes.goal": 30,
    },
    "goal above the cards": {"wishes.goal": 100},
    "goal above the cards, pair any": {"wishes.goal": 250, "wishes.pair": "any", "exchange.min_players": 2},
    "one card": {"wishes.mixed_copies": 0, "wishes.pair_copies": 0, "wishes.trio_cards": 1},
    "one face up": {"wishes.face_up": 1},
    "eight face up, equal stars": {"wishes.face_up": 8, "stars.mixed": 3, "stars.pair": 3, "stars.trio": 3},
    "worthless": {"stars.mixed": 0, "stars.pair": 0, "stars.trio": 0},
    "tie is no win": {"win_on_tie": False},
    "tie is no win, equal stars": {"win_on_tie": False, "stars.mixed": 1, "stars.pair": 1, "stars.trio": 1},
    "exchange from 2": {"exchange.min_players": 2},
    "exchange from 2, designs 2, pair any": {"exchange.min_players": 2, "presents.designs": 2, "wishes.pair": "any"},
    "no exchange": {"exchange.min_players": 7},
    "no exchange on Max": {"exchange.min_players": 2, "exchange.on_max": False},
    "tiny bag": {"presents.copies": 1, "turn_cap": 80},
    "tiny bag, exchange": {"presents.colours": 4, "presents.copies": 2, "exchange.min_players": 2, "turn_cap": 80},
    "tiny bag, exchange, two Max": {"presents.copies": 2, "exchange.min_players": 2, "board.path": TWO_MAX, "turn_cap": 80},
    "tiny bag, no exchange on Max": {
        "presents.copies": 2, "exchange.min_players": 2, "exchange.on_max": False, "board.path": TWO_MAX, "turn_cap": 80,
    },
    "empty bag": {"presents.colours": 3, "presents.copies": 1, "exchange.min_players": 2, "turn_cap": 80},
    "three colours": {"presents.colours": 3},
    "eight colours, designs 2": {"presents.colours": 8, "presents.designs": 2, "exchange.min_players": 3},
    "short path": {"board.path": SHORT_PATH},
    "one space": {"board.path": ("max",), "spinner.faces": (1,)},
    "Max, feet and present": {"board.path": MAX_AND_FEET, "exchange.min_players": 2},
    "two Max": {"board.path": TWO_MAX},
    "long spins": {"spinner.faces": (7, 30, 64, "feet", "feet", 24, 1)},
    "turn cap 5": {"turn_cap": 5},
    "turn cap 1": {"turn_cap": 1},
}  # fmt: skip
MIXED_SEATS = (
    ("uniform", "greedy"),
    ("greedy", "uniform", "uniform"),
    ("uniform", "greedy", "greedy", "uniform"),
    ("greedy", "uniform", "greedy", "uniform", "greedy"),
    ("uniform", "uniform", "greedy", "greedy", "uniform", "greedy"),
)

pytestmark = pytest.mark.skipif(compiler() is None, reason="gcc, which builds the twin, is not installed")


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Twin:
    """The twin, built anew."""
    return build("grinchmas", tmp_path_factory.mktemp("twin"))


@cache
def _rules(name: str = "") -> GrinchmasRules:
    rules = build_rules(GrinchmasRules, ODD_RULES.get(name, {}))
    assert isinstance(rules, GrinchmasRules)
    return rules


def _kernel_rows(rules: GrinchmasRules, seats: Sequence[str], seed: int, first: int, playouts: int) -> Rows:
    known = {"uniform": strategies.anygame.uniform, "greedy": strategies.grinchmas.greedy}
    table = Table(GAME, rules, tuple(make_player(known[name]) for name in seats))
    rows = np.zeros((playouts, len(table.metrics)), np.int32)
    done, _ = table.play(seed, first, rows, np.zeros(3, np.int64))
    assert done == playouts
    return rows


def _difference(twin: Twin, rules: GrinchmasRules, seats: Sequence[str], seed: int, first: int, playouts: int) -> str:
    """Both play at once, which halves the time: neither holds the interpreter's lock."""
    names = [metric.name for metric in GAME.metrics(rules, len(seats))]
    with ThreadPoolExecutor(1) as worker:
        theirs = worker.submit(twin.rows, rules, seats, seed, first, playouts)
        kernel = _kernel_rows(rules, seats, seed, first, playouts)
        return first_difference(kernel, theirs.result(), names, first)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("strategy", ["uniform", "greedy"])
def test_default_rules(twin: Twin, strategy: str, players: int) -> None:
    """As in the box, every player count."""
    assert not _difference(twin, _rules(), (strategy,) * players, SEED, 0, MANY)


@pytest.mark.parametrize("name", ODD_RULES)
def test_odd_rules(twin: Twin, name: str) -> None:
    """Every switch's alternative and odd numbers, with like and with mixed seats."""
    for seats in (*MIXED_SEATS, *(("uniform",) * n for n in (3, 6)), *(("greedy",) * n for n in (2, 5))):
        difference = _difference(twin, _rules(name), seats, SEED + 1, 0, FEW)
        assert not difference, f"{name}, {', '.join(seats)}: {difference}"


@pytest.mark.parametrize("seats", MIXED_SEATS, ids=len)
def test_large_seed_and_late_playouts(twin: Twin, seats: Sequence[str]) -> None:
    """Mixed seats of the game in the box, far out in the generator's key and counter."""
    assert not _difference(twin, _rules(), seats, BIG_SEED, LATE_PLAYOUT, FEW)


@pytest.mark.parametrize(("playout", "spot", "tokens"), REJECTED)
def test_rejected_word(twin: Twin, playout: int, spot: int, tokens: int) -> None:
    """One draw in 10**8 has its word rejected; here are two of them."""
    word = _philox((0, 5, playout, 0), (SEED, 0))[spot]
    assert word * tokens % 2**32 < 2**32 % tokens
    for players in PLAYERS:
        assert not _difference(twin, _rules(), ("uniform",) * players, SEED, playout, 1)


def _philox(counter: tuple[int, ...], key: tuple[int, int]) -> tuple[int, ...]:
    """Philox4x32-10 in whole numbers."""
    c0, c1, c2, c3 = counter
    for i in range(10):
        k0, k1 = (key[0] + i * 0x9E3779B9) % 2**32, (key[1] + i * 0xBB67AE85) % 2**32
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 % 2**32, (p0 >> 32) ^ c3 ^ k1, p0 % 2**32
    return c0, c1, c2, c3


@pytest.mark.parametrize(
    "name", ["win", "designs 2", "pair any", "reshuffle a small pile", "no exchange", "no exchange on Max", "long spins"]
)
def test_comparison_can_fail(twin: Twin, name: str) -> None:
    """A twin with another rule gives other rows, and the message says where."""
    seats = ("greedy", "uniform") * 3
    kernel_rules = _rules("exchange from 2" if name == "no exchange on Max" else "")
    twin_rules = build_rules(GrinchmasRules, {"win_on_tie": False}) if name == "win" else _rules(name)
    names = [metric.name for metric in GAME.metrics(kernel_rules, len(seats))]
    kernel = _kernel_rows(kernel_rules, seats, SEED, 7, FEW)
    message = first_difference(kernel, twin.rows(twin_rules, seats, SEED, 7, FEW), names, first=7)
    assert "playouts differ, first playout" in message
    assert any(f"{metric}: kernel" in message for metric in names)


def test_difference_names_playout_and_metric() -> None:
    """The report of a mismatch counts playouts from the first one."""
    kernel = np.zeros((3, 2), np.int32)
    other = kernel.copy()
    other[1, 1] = 4
    assert first_difference(kernel, other, ("turns", "margin"), 10) == "1 of 3 playouts differ, first playout 11 (margin: kernel 0, twin 4)"
    assert not first_difference(kernel, kernel, ("turns", "margin"))
