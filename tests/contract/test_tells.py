"""A tell planted in every hidden pile of every game: thinking ahead, which could read it, does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulator import kit, registry
from simulator.game import Game
from simulator.kernel.bits import bits_set
from simulator.kernel.memory import address, word_at
from simulator.kit.declare import EVERYBODY
from simulator.play.table import Table

PLAYOUTS, ROLLOUTS = 300, 24
HIDDEN = [
    (name, field)
    for name in registry.game_names()
    for field, declared in registry.game(name).table.fields.items()
    if declared.lanes is not None and declared.seen_by is not EVERYBODY
]


@kit.jit
def leave(table: Any, rules: Any, seat: Any) -> None:
    """Deals nothing afresh: whoever thinks ahead knows all."""


def telling(name: str, field: str) -> Game:
    """The game, but its only turn asks whether a number in a hidden pile is odd, and who guesses right has won."""
    game = registry.game(name)
    (place, step, *_) = game.table.hidden[[f for n, f in HIDDEN if n == name].index(field)]
    place += step  # of the next seat, where seats have one each; else a later word of the pile

    @kit.jit
    def turn(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
        guessed = kit.choose(table, seat, 0, 2)
        number = np.int64(bits_set(np.uint64(word_at(address(table) + place)))) & 1
        kit.win(table, seat if guessed == number else seat + 1)

    if not game.table.fields[field].of_seats:
        place -= step
    return replace(game, turn=turn)


def right(game: Game) -> float:
    """Share of the guesses of a seat that thinks ahead which are right."""
    uniform = registry.player(game, "uniform")
    players = (replace(uniform, rollouts=ROLLOUTS), *(uniform,) * (game.players[0] - 1))
    table = Table(game, game.rules(), players)
    rows = np.zeros((PLAYOUTS, len(table.metrics)), np.int32)
    done, fault = table.play(5, 0, rows, np.zeros(2, np.int64))
    assert done == PLAYOUTS, fault
    return float(rows[:, 0].mean())


@pytest.mark.parametrize(("name", "field"), HIDDEN)
def test_a_tell_in_a_hidden_pile_is_not_read(name: str, field: str) -> None:
    assert right(telling(name, field)) < 0.65


@pytest.mark.parametrize(("name", "field"), HIDDEN)
def test_it_would_be_noticed_if_it_were(name: str, field: str) -> None:
    assert right(replace(telling(name, field), redeal=leave)) > 0.95


def test_there_is_a_game_with_hidden_piles() -> None:
    assert HIDDEN
