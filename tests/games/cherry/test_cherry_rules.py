"""Hi Ho! Cherry-O keeps its rules, and stays a game that is read in one sitting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simulator.errors import RulesError
from simulator.games.cherry import GAME
from simulator.play.replay import tell
from simulator.play.run import make_experiment, run
from simulator.rules import build_rules


def played(*faces: Any, players: int = 1, **rules: Any) -> dict[str, dict[int, int]]:
    """What ten playouts with these faces on the spinner leave behind."""
    tally = run("cherry", players=players, rules={"spinner": faces, **rules}, games=10).tally
    return {name: tally[name].as_dict() for name in tally.names}


def test_all_cherries_of_the_tree_win_and_there_are_no_more() -> None:
    assert played(4)["turns"] == {3: 10}
    assert played(5)["turns"] == {2: 10}
    assert played(10**9)["turns"] == {1: 10}


def test_who_moves_first_is_first_where_all_spin_alike() -> None:
    found = played(4, players=3)
    assert (found["turns"], found["wins.0"]) == ({7: 10}, {1: 10})


@pytest.mark.parametrize("face", [-2, "spill", 0, -(10**9)])
def test_a_bucket_never_holds_less_than_nothing(face: Any) -> None:
    found = played(face, turn_cap=20)
    assert (found["turns"], found["unfinished"]) == ({20: 10}, {1: 10})


def test_every_spin_follows_the_spinner() -> None:
    for playout in range(20):
        told = tell(make_experiment("cherry", players=2), playout)
        bucket = [0, 0]
        for heading, lines in told.turns[1:]:
            _, seat, _, face, _, _, now, *_ = lines[0].split()
            step = -bucket[int(seat)] if face == "spill" else int(face)
            bucket[int(seat)] = min(max(bucket[int(seat)] + step, 0), 10)
            assert bucket[int(seat)] == int(now)
            assert int(seat) == (int(heading.split()[1]) - 1) % 2
        assert [told.row["wins.0"], told.row["wins.1"]] == [int(n == 10) for n in bucket]


@pytest.mark.parametrize("spinner", [[], ["bird"], [1.5], 3])
def test_a_spinner_that_makes_no_sense_is_refused(spinner: Any) -> None:
    with pytest.raises(RulesError, match="'spinner'"):
        build_rules(GAME.rules, {"spinner": spinner})


def test_the_whole_game_has_fewer_than_150_lines() -> None:
    files = Path(str(GAME.file)).parent.rglob("*.py")
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) < 150
