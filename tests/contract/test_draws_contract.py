"""No game draws twice from one address, and a game that does is found out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulator import registry
from simulator.errors import MisbehaviourError
from simulator.games.pig import DIE, turn
from simulator.games.pig import GAME as PIG
from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit
from simulator.play.draws import check_draws, follow_draws
from simulator.play.experiment import Experiment
from simulator.play.run import make_experiment
from simulator.play.table import Table

CASES = [(name, players) for name in registry.game_names() for players in registry.game(name).players]
FIRST, AGAIN = purpose_block(DIE), purpose_block(1)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_no_two_draws_of_a_playout_have_one_address(name: str, players: int) -> None:
    followed = follow_draws(make_experiment(name, players=players, strategies=["uniform"]), 15)
    assert followed.fault is None
    assert followed.draws > 100


def test_playouts_are_the_same_while_draws_are_noted() -> None:
    for name in registry.game_names():
        asked = make_experiment(name, players=registry.game(name).players[1], strategies=["uniform"])
        rows = []
        for noting in (0, 1):
            table, memory = Table(asked.game, asked.rules, asked.lineup), np.zeros((20, len(asked.metrics)), np.int32)
            if noting:
                table.note_draws()
            table.play(asked.seed, 0, memory, np.zeros(2, np.int64))
            rows.append(memory.tolist())
            assert (table.notes["count"][0] > 0) == (noting == 1)
        assert rows[0] == rows[1]


@jit
def throwing_twice(table: Any, rules: Any, seat: Any) -> None:
    """Draws what the first roll of the turn was drawn from, for something else."""
    table.busts += below(table.chance, FIRST, table.turn << 12, 2)
    turn(table, rules, seat)


@jit
def drawing_for_the_seats(table: Any, rules: Any, seat: Any) -> None:
    table.busts += below(table.chance, 2, 5, 2)
    turn(table, rules, seat)


@jit
def redealing_in_pairs(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a redeal
    for _ in range(2):
        table.total = 0 * below(table.chance, AGAIN, 7, 10)


def asked_of(**changed: Any) -> Experiment:
    return replace(make_experiment("pig", players=2, strategies=["uniform"]), game=replace(PIG, **changed))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"turn": throwing_twice}, r"line \d+\) draws purpose_block\(0\) \+ 0 on occasion \d+ twice, in `turn` \(turn 1\) and in `turn`"),
        ({"turn": drawing_for_the_seats}, r"draws for purpose 2 in `turn`, which is none of a game's"),
        ({"redeal": redealing_in_pairs}, r"draws purpose_block\(1\) \+ 0 on occasion 7 twice, in `redeal` \(turn 1\) and in `redeal`"),
    ],
    ids=["twice", "not-its-own", "in-a-redeal"],
)
def test_a_game_that_draws_twice_from_one_address_is_named_with_the_place(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MisbehaviourError, match=sentence) as caught:
        check_draws(asked_of(**changed))
    assert __file__ in str(caught.value)
    assert "playout 0 of seed 1, 2 at the table" in str(caught.value)
