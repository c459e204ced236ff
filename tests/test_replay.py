"""Telling a playout, and finding one worth telling."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulator import registry
from simulator.errors import UserError
from simulator.play.experiment import BATCH
from simulator.play.replay import FINDS, find, tell
from simulator.play.run import make_experiment
from simulator.play.table import Table


def experiment(**options: Any) -> Any:
    """Random players at Merry Grinchmas."""
    return make_experiment("grinchmas", strategies=["uniform"], **options)


def rows_of(question: Any, games: int) -> Any:
    """The rows of its first playouts."""
    rows = np.zeros((games, len(question.metrics)), np.int32)
    Table(question.game, question.rules, question.lineup).play(question.seed, 0, rows, np.zeros(3, np.int64))
    return rows


@pytest.mark.parametrize("game", registry.game_names())
def test_every_turn_of_the_row_is_told(game: str) -> None:
    question = make_experiment(game, players=registry.game(game).players[0], strategies=["uniform"])
    told = tell(question, 3)
    headings = [heading for heading, _ in told.turns if heading != "Set up"]
    assert headings == [f"Turn {i + 1}" for i in range(told.row["turns"])]
    assert list(told.row.values()) == rows_of(question, 4)[3].tolist()


def test_the_search_goes_on_beyond_the_first_batch() -> None:
    question = experiment(players=2, seed=3)
    turns = rows_of(question, 3 * BATCH)[:, [m.name for m in question.metrics].index("turns")]
    assert find(question, "longest", 3 * BATCH) == int(np.argmax(turns))
    assert int(np.argmax(turns[:BATCH])) == find(question, "longest", BATCH)


def test_a_game_that_cannot_say_how_close_it_was_has_only_a_longest() -> None:
    question = experiment()
    mute = replace(question, game=replace(question.game, closeness=None))
    assert find(mute, "longest", 10) == find(question, "longest", 10)
    for what in FINDS[1:]:
        with pytest.raises(UserError, match="--find longest works for every game"):
            find(mute, what, 10)
