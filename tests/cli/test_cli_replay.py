"""`simulate replay GAME`: one playout, told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulator import registry
from simulator.cli.commands import replay as command
from simulator.play.replay import FINDS
from simulator.play.run import make_experiment
from simulator.play.table import Table

Simulate = Callable[..., Any]
SEARCHED = 300


@pytest.fixture(scope="module")
def rows() -> dict[str, Any]:
    """The first rows of the run that is replayed here, metric by metric."""
    experiment = make_experiment("grinchmas", players=3, strategies=["uniform"], seed=5)
    found = np.zeros((SEARCHED, len(experiment.metrics)), np.int32)
    Table(experiment.game, experiment.rules, experiment.lineup).play(5, 0, found, np.zeros(3, np.int64))
    return {m.name: found[:, i].astype(int) for i, m in enumerate(experiment.metrics)}


def ask(simulate: Simulate, *arguments: str) -> Any:
    """A replay of the run above."""
    return simulate("replay", "grinchmas", "--players", "3", "--strategy", "uniform", "--seed", "5", *arguments)


@pytest.mark.parametrize("number", [0, 17, SEARCHED - 1])
def test_the_row_of_a_replay_is_the_row_of_the_run(simulate: Simulate, rows: dict[str, Any], number: int) -> None:
    told = json.loads(ask(simulate, "--game", str(number), "--json").out)
    assert told["playout"] == number
    assert told["row"] == {name: column[number] for name, column in rows.items()}


def test_a_replay_tells_every_turn_with_its_choices(simulate: Simulate, rows: dict[str, Any]) -> None:
    outcome = ask(simulate, "--game", "17")
    assert outcome.code == 0
    assert outcome.out.startswith("Merry Grinchmas, 3 players, seed 5, playout 17\nseat 0 uniform, seat 1 uniform, seat 2 uniform\n")
    headings = [line for line in outcome.out.splitlines() if line.startswith("Turn ")]
    assert headings == [f"Turn {i + 1}" for i in range(rows["turns"][17])]
    assert "Set up\n" in outcome.out
    assert "Seat 0 chooses " in outcome.out
    assert "[not: " in outcome.out


@pytest.mark.parametrize(("number", "metric", "winner"), [(0, "players_win", "The players win"), (1, "grinch_wins", "The Grinch wins")])
def test_a_replay_begins_with_how_it_ends(simulate: Simulate, rows: dict[str, Any], number: int, metric: str, winner: str) -> None:
    assert rows[metric][number] == 1
    assert ask(simulate, "--game", str(number)).out.splitlines()[2] == f"{winner} after {rows['turns'][number]} turns."


def test_json_and_text_tell_the_same(simulate: Simulate) -> None:
    told = json.loads(ask(simulate, "--json").out)
    text = ask(simulate).out
    assert all(f"  {line}\n" in text for turn in told["turns"] for line in turn["lines"])


@pytest.mark.parametrize(
    ("what", "worth"),
    [
        ("longest", lambda r: r["turns"]),
        ("shortest", lambda r: -r["turns"]),
        ("closest", lambda r: -abs(r["margin"])),
        ("biggest-win", lambda r: r["margin"]),
    ],
)
def test_find_names_the_first_playout_with_the_extreme(
    simulate: Simulate, rows: dict[str, Any], what: str, worth: Callable[[dict[str, Any]], Any]
) -> None:
    told = json.loads(ask(simulate, "--find", what, "--games", str(SEARCHED), "--json").out)
    assert told["playout"] == int(np.argmax(worth(rows)))


def test_all_that_can_be_found_can_be_asked_for() -> None:
    assert command.FINDS == FINDS


def test_a_playout_that_the_turn_cap_ends_says_so(simulate: Simulate) -> None:
    assert "\nNobody wins: the turn cap ends it after 5 turns.\n" in ask(simulate, "--set", "turn_cap=5").out
    assert ask(simulate, "--set", "turn_cap=5").out.endswith("The turn cap ends the playout here; it counts as unfinished.\n")


@pytest.mark.parametrize("game", registry.game_names())
def test_every_game_can_be_told(simulate: Simulate, game: str) -> None:
    outcome = simulate("replay", game, "--strategy", "uniform")
    assert outcome.code == 0
    assert "\nTurn 1\n" in outcome.out
