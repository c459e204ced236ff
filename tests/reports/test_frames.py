"""Frames say exactly what the tallies say."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

import reports
from reports import frames
from simulator.errors import UserError
from simulator.game import Game
from simulator.play.run import Result
from simulator.rules import RuleGroup

Make = Callable[..., Result]


def test_a_frame_has_a_line_for_each_value_and_outcome_that_occurred(team: Make) -> None:
    table = reports.frame(team())
    assert tuple(table.columns) == frames.FRAME_COLUMNS
    lead = table[table["metric"] == "lead"]
    assert list(zip(lead["outcome"], lead["value"], lead["count"], lead["share"], strict=True)) == [
        ("foe_wins", -3, 40, 0.40),
        ("players_win", 0, 10, 0.10),
        ("players_win", 4, 50, 0.50),
    ]
    assert set(lead["unit"]) == {"points"}
    assert set(lead["label"]) == {"Lead"}


def test_the_shares_of_each_metric_add_up_to_one_in_each_run(team: Make) -> None:
    table = reports.frame([team(players=2), team(players=3)])
    sums = table.groupby(["players", "metric"])["share"].sum()
    assert len(sums) == 2 * 7
    assert sums.to_numpy() == pytest.approx(1)


def test_strategies_are_named_seat_by_seat(team: Make) -> None:
    table = reports.frame(team(players=3, names=("a:x=1,y=2", "b")))
    assert set(table["strategies"]) == {"a:x=1,y=2, b, a:x=1,y=2"}


def test_the_largest_seed_survives(team: Make) -> None:
    assert set(reports.frame(team(seed=2**64 - 1))["seed"]) == {2**64 - 1}


def test_no_results_make_an_empty_frame() -> None:
    assert tuple(reports.frame([]).columns) == frames.FRAME_COLUMNS
    assert tuple(reports.estimates([]).columns) == frames.ESTIMATE_COLUMNS


def test_estimates_are_those_of_the_result(team: Make) -> None:
    result = team()
    table = reports.estimates(result).set_index("metric")
    assert list(table.index) == list(result.estimates)
    for name, estimate in result.estimates.items():
        line = table.loc[name]
        assert (line["best"], line["low"], line["high"], line["n"]) == (estimate.best, estimate.low, estimate.high, 100)


def test_runs_are_named_by_what_tells_them_apart(team: Make, rules_of: Callable[..., RuleGroup]) -> None:
    assert frames.run_names([team(players=2), team(players=3)]) == ["2 players", "3 players"]
    assert frames.run_names([team(), team(names=("sly",))]) == ["4 players, plain", "4 players, sly"]
    assert frames.run_names([team(), team(rules=rules_of(cards=5))]) == ["4 players, rules as shipped", "4 players, deck.cards=5"]
    assert frames.run_names([team(), team(seed=2)]) == ["4 players, seed 1", "4 players, seed 2"]
    assert frames.run_names([team(), team()]) == ["4 players, run 1", "4 players, run 2"]


def test_results_of_several_games_or_none_are_refused(team: Make, game_of: Callable[..., Game]) -> None:
    with pytest.raises(UserError, match="no result"):
        frames.of_one_game([])
    with pytest.raises(UserError, match="one report for each"):
        frames.of_one_game([team(), team(game=game_of(name="other"))])
    assert [r.experiment.players for r in frames.of_one_game([team(players=5), team(players=2)])] == [2, 5]


def test_a_single_playout_leaves_nearly_everything_possible(team: Make) -> None:
    one = {0: (1, 0, 0)}
    result = team(won=(1, 0, 0), tables=(one,) * 4)
    most = next(m.high for m in result.experiment.metrics if m.name == "turns")
    table = reports.estimates(result).set_index("metric")
    assert 0.98 * most < table["high"].to_dict()["turns"] <= most


def test_frames_hold_plain_numbers(team: Make) -> None:
    table = reports.frame(team())
    assert [str(table[c].dtype) for c in ("players", "seed", "value", "count", "share")] == ["int64", "uint64", "int64", "int64", "float64"]
    assert isinstance(table, pd.DataFrame)
