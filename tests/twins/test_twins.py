"""Every game's kernel and its plain C twin must agree on every row, under every switch."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from cases import SEED, Cases, Seats, needs_gcc
from twin import TWINS, difference, first_difference

from simulator import registry
from simulator.rules import build_rules

MANY = 40_000
"""Playouts at each number of players; each strategy plays its share of them."""

BIG_SEED, LATE_PLAYOUT = 0xFEDC_BA98_7654_3210, 2**40 + 5
"""So that the upper halves of key and counter count too."""

MIXED = ((0, 1), (1, 0, 0), (0, 1, 1, 0), (1, 0, 1, 0, 1), (0, 0, 1, 1, 0, 1))
"""Which of the twin's strategies play, by seat."""

CASES: dict[str, Cases] = {game: import_module(f"cases_{game}").CASES for game in TWINS}


def _players(game: str) -> range:
    fewest, most = registry.game(game).players
    return range(fewest, most + 1)


def _mixed_seats(game: str) -> list[Seats]:
    return [tuple(TWINS[game].strategies[code] for code in codes) for codes in MIXED if len(codes) in _players(game)]


@cache
def _rules(game: str, name: str = "") -> Any:
    return build_rules(registry.game(game).rules, CASES[game].odd_rules[name] if name else {})


def _box() -> list[tuple[str, str, int]]:
    """Every strategy at every player count."""
    return [(game, strategy, players) for game, twin in TWINS.items() for strategy in twin.strategies for players in _players(game)]


def _id(value: str | Seats) -> str:
    return value if isinstance(value, str) else str(len(value))


@needs_gcc
@pytest.mark.parametrize(("game", "strategy", "players"), _box())
def test_default_rules(game: str, strategy: str, players: int) -> None:
    strategies = TWINS[game].strategies
    share = MANY // len(strategies)
    assert not difference(game, _rules(game), (strategy,) * players, SEED, strategies.index(strategy) * share, share)


@needs_gcc
@pytest.mark.parametrize(("game", "name"), [(game, name) for game, cases in CASES.items() for name in cases.odd_rules])
def test_odd_rules(game: str, name: str) -> None:
    """Every switch's alternative and odd numbers, with like and with mixed seats."""
    cases, rules = CASES[game], _rules(game, name)
    for seats in (*_mixed_seats(game), *cases.like_seats):
        if cases.can_be_dealt(rules, len(seats)):
            found = difference(game, rules, seats, SEED + 1, 0, cases.few)
            assert not found, f"{name}, {', '.join(seats)}: {found}"


@needs_gcc
@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in TWINS for seats in _mixed_seats(game)], ids=_id)
def test_large_seed_and_late_playouts(game: str, seats: Seats) -> None:
    """Mixed seats of the game in the box, far out in the generator's key and counter."""
    assert not difference(game, _rules(game), seats, BIG_SEED, LATE_PLAYOUT, CASES[game].few)


@needs_gcc
@pytest.mark.parametrize(("game", "name"), [(game, name) for game, cases in CASES.items() for name in cases.telling])
def test_comparison_can_fail(game: str, name: str) -> None:
    """A twin with another rule gives other rows, and the message says where."""
    cases = CASES[game]
    rules, seats = _rules(game, cases.telling[name]), cases.telling_seats
    message = difference(game, rules, seats, SEED, 7, cases.few, twin_rules=_rules(game, name))
    assert "playouts differ, first playout" in message
    assert any(f"{metric.name}: kernel" in message for metric in registry.game(game).metrics(rules, len(seats)))


def test_difference_names_playout_and_metric() -> None:
    """The report of a mismatch counts playouts from the first one."""
    kernel = np.zeros((3, 2), np.int32)
    other = kernel.copy()
    other[1, 1] = 4
    assert first_difference(kernel, other, ("turns", "margin"), 10) == "1 of 3 playouts differ, first playout 11 (margin: kernel 0, twin 4)"
    assert not first_difference(kernel, kernel, ("turns", "margin"))
