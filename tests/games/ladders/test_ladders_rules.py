"""Chutes and Ladders keeps its rules."""

from __future__ import annotations

from typing import Any

import pytest

from simulator import registry
from simulator.errors import RulesError
from simulator.games.ladders import GAME, move
from simulator.play.replay import tell
from simulator.play.run import make_experiment, run
from simulator.play.table import Table
from simulator.rules import build_rules


def moved(start: int, roll: int, **rules: Any) -> tuple[int, int, int]:
    """Where a pawn ends up, and the ladders and chutes it took."""
    built = build_rules(GAME.rules, {f"board.{key}": value for key, value in rules.items()})
    table = Table(GAME, built, (registry.player(GAME, "uniform"),))
    state = table.memory[0]
    state["space"][0] = start
    move(state, table.rules[0], 0, roll)
    return int(state["space"][0]), int(state["ladders"]), int(state["chutes"])


@pytest.mark.parametrize(
    ("start", "roll", "end"),
    [
        (10, 3, (13, 0, 0)),
        (0, 1, (38, 1, 0)),
        (79, 1, (100, 1, 0)),
        (45, 2, (26, 0, 1)),
        (97, 1, (78, 0, 1)),
        (96, 4, (100, 0, 0)),
        (97, 4, (97, 0, 0)),
    ],
)
def test_a_pawn_moves_by_its_roll_then_up_a_ladder_or_down_a_chute(start: int, roll: int, end: tuple[int, int, int]) -> None:
    assert moved(start, roll) == end


@pytest.mark.parametrize(("landing", "end"), [("exact", (96, 0, 0)), ("overshoot", (100, 0, 0)), ("bounce", (78, 0, 1))])
def test_a_roll_past_the_last_space(landing: str, end: tuple[int, int, int]) -> None:
    """Bouncing back by two lands on the chute at 98."""
    assert moved(96, 6, landing=landing) == end


def test_a_bounce_of_more_than_the_board_ends_at_the_start() -> None:
    assert moved(4, 6, spaces=4, jumps=[], landing="bounce") == (0, 0, 0)


def test_a_die_with_one_side_walks_along() -> None:
    told = tell(make_experiment("ladders", players=3, rules={"die.sides": 1, "board.jumps": [[1, 38], [40, 2]], "turn_cap": 9}), 0)
    assert (told.row["turns"], told.row["ladders"], told.row["chutes"], told.row["unfinished"]) == (9, 3, 3, 1)
    assert run("ladders", players=1, rules={"die.sides": 1, "board.jumps": [[1, 38]]}, games=10).tally["turns"].as_dict() == {63: 10}


def test_the_first_pawn_on_the_last_space_wins_at_once() -> None:
    result = run("ladders", players=4, rules={"die.sides": 1, "board.jumps": []}, games=10)
    assert result.tally["wins.0"].as_dict() == {1: 10}
    assert result.tally["turns"].as_dict() == {397: 10}
    assert result.tally["margin"].as_dict() == {1: 10}


def test_shipped_are_nine_ladders_and_ten_chutes() -> None:
    jumps: Any = GAME.rules().board.jumps  # type: ignore[attr-defined]  # the rules of this game
    assert (sum(end > start for start, end in jumps), sum(end < start for start, end in jumps)) == (9, 10)


@pytest.mark.parametrize(
    ("jumps", "reason"),
    [
        ([[0, 5]], "leads from one of the spaces"),
        ([[100, 5]], "leads from one of the spaces"),
        ([[5, 101]], "leads from one of the spaces"),
        ([[5, 5]], "leads from one of the spaces"),
        ([[5, 9], [5, 2]], "another jump starts there"),
        ([[5, 9], [9, 12]], "another jump starts there or where it ends"),
    ],
)
def test_a_jump_that_makes_no_sense_is_refused(jumps: list[list[int]], reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        build_rules(GAME.rules, {"board.jumps": jumps})


def test_a_playout_is_told_in_full() -> None:
    told = tell(make_experiment("ladders", players=2), 0).text()
    assert "Seat 0 rolls 5 and moves to 16.\n  A chute leads down to 6." in told
    assert "A ladder leads up to" in told
    assert told.rstrip().endswith("wins.")
