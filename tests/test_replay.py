"""Telling a playout, and finding one worth telling."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulator import registry
from simulator.errors import UserError
from simulator.play.experiment import BATCH
from simulator.play.replay import find, tell
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


def test_an_upset_is_won_by_whoever_wins_fewest_and_as_decisively_as_can_be() -> None:
    question, games = experiment(players=2, seed=3), 3 * BATCH
    names, rows = [m.name for m in question.metrics], rows_of(question, games)
    winners = [names.index("players_win"), names.index("grinch_wins")]
    rarest = min(winners, key=lambda column: rows[:, column].sum())
    decisive = np.where(rows[:, rarest] == 1, abs(rows[:, names.index("margin")]), -1)
    assert find(question, "upset", games) == int(np.argmax(decisive))


def test_a_draw_is_no_upset_and_neither_is_what_did_not_finish() -> None:
    crocs = make_experiment("crocs", players=3, strategies=["uniform"], rules={"deck.when_empty": "end"})
    names, rows = [m.name for m in crocs.metrics], rows_of(crocs, 1000)
    draws, *wins = (rows[:, names.index(name)].sum() for name in ("tied", "wins.0", "wins.1", "wins.2"))
    assert 0 < draws < min(wins)
    assert rows[find(crocs, "upset", 1000), names.index(f"wins.{np.argmin(wins)}")] == 1
    capped = make_experiment("pig", players=2, rules={"turn_cap": 1})
    with pytest.raises(UserError, match="None of the first 10 playouts finished"):
        find(capped, "upset", 10)


def test_a_game_that_cannot_say_how_close_it_was_has_only_a_longest_a_shortest_and_an_upset() -> None:
    question = experiment()
    mute = replace(question, game=replace(question.game, closeness=None))
    turns = rows_of(question, 10)[:, [m.name for m in question.metrics].index("turns")]
    assert (find(mute, "longest", 10), find(mute, "shortest", 10)) == (int(np.argmax(turns)), int(np.argmin(turns)))
    assert find(mute, "upset", 10) in range(10)
    for what in ("closest", "biggest-win"):
        with pytest.raises(UserError, match="--find longest, shortest and upset work for every game"):
            find(mute, what, 10)
