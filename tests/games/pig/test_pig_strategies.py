"""Strategies of Pig, and parameters that are tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strategies.pig as pig_strategies
from simulator import registry
from simulator.cli.main import run as run_command
from simulator.errors import StrategyError
from simulator.games.pig import GAME, HOLD, ROLL
from simulator.play.plain_python import decide_in_python
from simulator.play.run import run
from simulator.registry.lineup import Player, make_player
from strategies.declare import Params, strategy
from strategies.pig import GOAL, optimal_policy


def view_of(total: int, *score: int, **fields: int) -> Any:
    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    view.n_options, view.seats, view.total = 2, len(score), total
    view.goal, view.sides, view.bust = 100, 6, 1
    view.score[: len(score)] = score
    for name, value in fields.items():
        setattr(view, name, value)
    return view


def chosen(text: str, view: Any) -> int:
    option, _, failure = decide_in_python(registry.player(GAME, text), view, 0.5)
    assert failure is None
    return int(option)


def test_hold_stops_at_its_points_or_with_enough_to_win() -> None:
    assert [chosen("hold", view_of(total, 0, 0)) for total in (19, 20)] == [ROLL, HOLD]
    assert [chosen("hold:at=7", view_of(total, 0, 0)) for total in (6, 7)] == [ROLL, HOLD]
    assert [chosen("hold", view_of(total, 90, 0)) for total in (9, 10)] == [ROLL, HOLD]


def test_strict_hold_rolls_on_past_the_goal() -> None:
    assert [chosen("strict_hold", view_of(total, 90, 0)) for total in (10, 19, 20)] == [ROLL, ROLL, HOLD]


@pytest.mark.parametrize(
    ("total", "mine", "theirs", "option"),
    [
        (19, 0, 0, ROLL),
        (21, 0, 0, HOLD),  # Neller and Presser: at the start hold from 21 on
        (20, 0, 0, ROLL),
        (25, 0, 99, ROLL),  # the other is about to win
        (99, 0, 99, ROLL),
        (100, 0, 99, HOLD),
        (12, 88, 0, HOLD),
        (11, 88, 0, ROLL),
    ],
)
def test_optimal_play_at_well_known_places(total: int, mine: int, theirs: int, option: int) -> None:
    assert chosen("optimal", view_of(total, mine, theirs)) == option


@pytest.mark.parametrize(
    "view",
    [
        {"sides": 8},  # fair at 35
        {"bust": 6},  # at 15
        {"goal": 300},  # at 20
    ],
)
def test_without_a_policy_optimal_holds_where_a_roll_gains_nothing(view: dict[str, int]) -> None:
    fair = {"sides": 35, "bust": 15, "goal": 20}[next(iter(view))]
    assert [chosen("optimal", view_of(total, 0, 0, **view)) for total in (fair - 1, fair)] == [ROLL, HOLD]


def test_optimal_holds_at_20_among_three_and_never_where_nothing_busts() -> None:
    assert [chosen("optimal", view_of(total, 0, 0, 0)) for total in (19, 20)] == [ROLL, HOLD]
    assert [chosen("optimal", view_of(total, 0, 0, bust=0)) for total in (99, 100)] == [ROLL, HOLD]


def test_the_policy_serves_every_goal_up_to_its_own() -> None:
    """What matters is how many points are lacking, so that a shorter game is the end of a longer one."""
    shorter = pig_strategies.solve(goal=40)[1]
    assert (shorter == optimal_policy()[:41, :41, :41]).all()
    result = run("pig", players=2, strategies=["optimal", "hold"], rules={"goal": 40}, games=100_000)
    other = run("pig", players=2, strategies=["hold"], rules={"goal": 40}, games=100_000)
    assert result.estimates["wins.0"].low > other.estimates["wins.0"].high


# ---------------------------------------------------------------- where the policy is kept
def test_the_policy_is_solved_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = optimal_policy()
    monkeypatch.setattr(pig_strategies, "cache_root", lambda: tmp_path)
    assert (optimal_policy() == known).all()
    (kept,) = tmp_path.iterdir()
    monkeypatch.setattr(pig_strategies, "solve", lambda: pytest.fail("solved again"))
    assert (optimal_policy() == known).all()
    assert known.shape == (GOAL + 1,) * 3
    assert kept.suffix == ".npy"


@pytest.mark.parametrize("content", [b"", b"no array", b"\x93NUMPY\x01\x00"])
def test_a_damaged_file_is_solved_anew(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = optimal_policy()
    monkeypatch.setattr(pig_strategies, "cache_root", lambda: tmp_path)
    optimal_policy()
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(content)
    assert (optimal_policy() == known).all()
    assert kept.stat().st_size > len(content)
    assert list(tmp_path.iterdir()) == [kept]


def test_without_a_cache_folder_the_policy_is_solved_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    known = optimal_policy()
    monkeypatch.setattr(pig_strategies, "cache_root", lambda: None)
    assert (optimal_policy() == known).all()


# ---------------------------------------------------------------- parameters that are tables
def a_table() -> Any:
    return np.array([[1, 0], [0, 1]], np.uint8)


@strategy("pig")
def by_table(view: Any, u: float, p: Any = Params(at=5, choice=a_table)) -> int:  # noqa: ARG001, B008  how parameters are declared
    """Looks its choice up."""
    return int(p.choice[1, 1 if view.total >= p.at else 0])


def test_a_table_is_a_field_of_the_parameters_and_no_number() -> None:
    assert by_table.parameters == {"at": 5}
    assert by_table.tables == {"choice": a_table}
    record = make_player(by_table, {"at": "9"}).record
    assert record is not None
    assert record["at"][0] == 9
    assert (record["choice"][0] == a_table()).all()
    assert make_player(by_table, {"at": "9"}).label == "by_table:at=9"


def test_a_compiled_strategy_reads_its_table() -> None:
    asked = pig_strategies.hold
    from simulator.play.experiment import Experiment  # noqa: PLC0415  only here
    from simulator.play.run import run_experiment  # noqa: PLC0415

    digests = {
        run_experiment(Experiment(GAME, GAME.rules(), (player,) * 2, 1), 3000).digest
        for player in (make_player(by_table), make_player(by_table, {"at": "5"}))
    }
    strict = Experiment(GAME, GAME.rules(), (make_player(pig_strategies.strict_hold, {"at": "5"}),) * 2, 1)
    assert digests == {run_experiment(strict, 3000).digest}
    assert asked.tables == {}


def test_a_table_cannot_be_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["pig", "--players", "2", "--strategy", "optimal:policy=1"]) == 2
    assert (
        capsys.readouterr().err
        == "Error: Parameter 'policy' of strategy 'optimal' is a table that the strategy computes itself; it cannot be set.\n"
    )
    assert run_command(["strategies", "pig", "--json"]) == 0
    json.loads(capsys.readouterr().out)


def fails() -> Any:
    message = "no luck"
    raise ValueError(message)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (fails, "its function fails with ValueError: no luck"),
        (lambda: [1], "has to return a NumPy array"),
        (lambda: np.array("x"), "of numbers"),
    ],
)
def test_a_table_that_cannot_be_computed_is_explained(function: Any, reason: str) -> None:
    @strategy("pig")
    def broken(view: Any, u: float, p: Any = Params(choice=function)) -> int:  # noqa: ARG001, B008  how parameters are declared
        """Has no table."""
        return int(p.choice[0])

    with pytest.raises(StrategyError, match=reason):
        _ = Player(broken).record


@pytest.mark.parametrize("default", ["text", None, True, float("nan"), int])
def test_a_default_is_a_number_or_a_function(default: Any) -> None:
    with pytest.raises(TypeError, match="parameter at must have"):
        Params(at=default)
