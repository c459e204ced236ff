"""No game draws twice from one address, and a game that does is found out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulator import registry
from simulator.draws import check_draws, follow_draws
from simulator.errors import MisbehaviourError
from simulator.experiment import Experiment
from simulator.games.pig import GAME as PIG
from simulator.games.pig.state import DIE
from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit
from simulator.run import make_experiment
from simulator.table import Table

CASES = [(name, players) for name in registry.game_names() for players in registry.game(name).players]
AGAIN = purpose_block(1)


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
            table.chance["noting"] = noting
            table.play(asked.seed, 0, memory, np.zeros(3, np.int64))
            rows.append(memory.tolist())
            assert (table.chance["n_noted"][0] > 0) == (noting == 1)
        assert rows[0] == rows[1]


@jit
def throwing_twice(state: Any, rules: Any, chance: Any, option: Any) -> None:  # noqa: ARG001  the signature of a transition
    """Draws what the first roll of the turn was drawn from, for something else."""
    state.busts += below(chance, DIE + (state.turn & 3), (state.turn >> 2) << 8, 2)
    state.n_options = 0
    if option != 0:
        state.phase = 0


@jit
def drawing_for_the_seats(state: Any, rules: Any, chance: Any, option: Any) -> None:  # noqa: ARG001  the signature of a transition
    state.busts += below(chance, 2, 5, 2)
    state.n_options = 0
    state.phase = 0


@jit
def redealing_in_pairs(state: Any, rules: Any, chance: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a transition
    for _ in range(2):
        state.unseen = 0 * below(chance, AGAIN, 7, 10)


def asked_of(**changed: Any) -> Experiment:
    return replace(make_experiment("pig", players=2, strategies=["uniform"]), game=replace(PIG, **changed))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"apply": throwing_twice}, r"line \d+\) draws purpose_block\(0\) \+ \d on occasion \d+ twice, in `advance` \(turn 1\) and in `a"),
        ({"apply": drawing_for_the_seats}, r"draws for purpose 2 in `apply`, which is none of a game's"),
        ({"redeal": redealing_in_pairs}, r"draws purpose_block\(1\) \+ 0 on occasion 7 twice, in `redeal` \(turn 1\) and in `redeal`"),
    ],
    ids=["twice", "not-its-own", "in-a-redeal"],
)
def test_a_game_that_draws_twice_from_one_address_is_named_with_the_place(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MisbehaviourError, match=sentence) as caught:
        check_draws(asked_of(**changed))
    assert __file__ in str(caught.value)
    assert "playout 0 of seed 1, 2 at the table" in str(caught.value)
