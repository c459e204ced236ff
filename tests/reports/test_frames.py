"""Frames say exactly what the tallies say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import reports
import simulator
from reports import frames, words
from reports.balance import histograms, how_close, what_happens, who_wins
from simulator.errors import UserError
from simulator.play.run import Precision
from simulator.stats.estimate import estimate_share

if TYPE_CHECKING:
    from collections.abc import Callable

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


def test_a_team_opens_with_its_verdict_and_alone_with_all_outcomes(team: Make) -> None:
    several = who_wins.verdict_frame([team(players=2), team(players=3)])
    assert list(several["metric"]) == ["foe_wins", "foe_wins"]
    assert list(several["group"]) == ["2 players", "3 players"]
    alone = who_wins.verdict_frame([team()])
    assert list(alone["metric"]) == ["players_win", "foe_wins", "unfinished"]
    assert list(alone["opens"]) == [False, True, False]
    assert alone["equal"].isna().all()


def test_seats_are_held_against_an_equal_share_of_what_somebody_won(seats: Make) -> None:
    table = who_wins.verdict_frame([seats((50, 30, 20), 2), seats((40, 30, 20, 10), 3)])
    assert list(table["metric"]) == ["wins.0", "wins.1", "wins.0", "wins.1", "wins.2"]
    assert list(table["equal"]) == pytest.approx([0.4, 0.4, 0.3, 0.3, 0.3])


def test_a_seat_alone_has_no_equal_share_and_no_close_games(seats: Make) -> None:
    alone, two = seats((90, 10), 1), seats((50, 30, 20), 2)
    assert who_wins.verdict_frame([alone, two])["equal"].isna().tolist() == [True, False, False]
    assert set(how_close.closeness_frame([alone, two], "turns")["run"]) == {"2 players"}
    assert how_close.closeness_frame([alone], "turns").empty


def test_a_seat_stands_out_only_if_it_does_among_all_that_are_tested(seats: Make) -> None:
    alone = who_wins.verdict_frame([seats((535, 465, 0), 2)])
    assert list(alone["opens"]) == [True, True, False]
    assert list(alone["stands_out"]) == [False, False, False]
    clear = who_wins.verdict_frame([seats((560, 440, 0), 2)])
    assert list(clear["stands_out"]) == [True, True, False]
    many = [seats((560, 440, 0), 2), *(seats((100,) * 6 + (0,), 6) for _ in range(100))]
    assert not who_wins.verdict_frame(many)["stands_out"].any()


def test_a_distribution_counts_by_outcome_and_bin(team: Make) -> None:
    table = histograms.distribution([team()], "turns")
    seen = table[table["count"] > 0]
    assert list(zip(seen["outcome"], seen["left"], seen["count"], strict=True)) == [
        ("players_win", 10, 40),
        ("players_win", 12, 20),
        ("foe_wins", 12, 30),
        ("foe_wins", 20, 10),
    ]
    assert table["share"].sum() == pytest.approx(1)
    first = table.iloc[0]
    assert (first["q05"], first["q25"], first["median"], first["q75"], first["q95"]) == (10, 10, 12, 12, 20)
    assert (first["least"], first["most"], first["below"], first["above"]) == (10, 20, 0, 0)


def test_an_outcome_keeps_its_place_in_every_run(team: Make) -> None:
    won, lost = {10: (100, 0, 0)}, {10: (0, 100, 0)}
    runs = [team(players=2, won=(100, 0, 0), tables=(won,) * 4), team(players=3, won=(0, 100, 0), tables=(lost,) * 4)]
    table = histograms.distribution(runs, "lead")
    assert dict(zip(table["outcome"], table["ending"], strict=True)) == {"players_win": 0, "foe_wins": 1}
    assert set(table["endings"]) == {2}


def test_a_long_tail_is_left_out_and_its_share_told(team: Make) -> None:
    turns = {**dict.fromkeys(range(20), (100, 0, 0)), 1000: (1, 0, 0)}
    table = histograms.distribution([team(won=(2001, 0, 0), tables=(turns,) * 4)], "turns")
    first = table.iloc[0]
    assert (first["first"], first["last"], first["most"]) == (0, 19, 1000)
    assert first["above"] == pytest.approx(1 / 2001)
    assert table["share"].sum() + first["above"] == pytest.approx(1)


def test_wide_ranges_are_binned_with_zero_at_the_beginning_of_a_bin(team: Make) -> None:
    lead = dict.fromkeys(range(-105, 95), (1, 0, 0))
    table = histograms.distribution([team(won=(200, 0, 0), tables=(lead,) * 4)], "lead")
    assert set(table["width"]) == {5}
    assert 0 in set(table["left"])
    assert table["count"].sum() == 200


def test_a_breakdown_has_a_bar_for_each_run_series_and_metric(team: Make) -> None:
    runs = [team(players=2), team(players=3)]
    shown = runs[0].experiment.game.breakdowns[0]
    table = what_happens.breakdown_frame(runs, shown)
    assert list(zip(table["run"], table["bar"], table["metric"], strict=True)) == [
        ("2 players", "a", "hits.a"),
        ("2 players", "b", "hits.b"),
        ("3 players", "a", "hits.a"),
        ("3 players", "b", "hits.b"),
    ]
    assert list(table["best"]) == pytest.approx([0.6, 5.4] * 2)
    assert table["low"].iloc[0] == runs[0].estimates["hits.a"].low


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


def test_an_influence_pools_the_seats_and_counts_each_seats_own_wins(drawn: Make) -> None:
    result = drawn()
    table = what_happens.influence_frame([result], result.experiment.game.influences[0])
    assert list(zip(table["panel"], table["value"], table["n"], table["wins"], table["usual"], strict=True)) == [
        ("Ace", 0, 400 + 450, 100 + 50, True),
        ("Ace", 1, 480 + 470, 390 + 300, True),
        ("Two", 4, 2000, 900, True),
    ]
    assert set(table["equal"]) == {0.45}
    assert set(table["games"]) == {1000}
    assert set(table["cut"]) == {(120 + 80) / 2000}
    first = table.iloc[0]
    known = estimate_share(150, 850)
    assert (first["best"], first["low"], first["high"]) == (known.best, known.low, known.high)
    assert first["top"] == table["high"].max()


def test_numbers_in_the_tails_are_shown_and_not_called_usual(drawn: Make) -> None:
    result = drawn(10)
    table = what_happens.influence_frame([result], result.experiment.game.influences[0])
    aces = table[table["panel"] == "Ace"]
    assert list(zip(aces["value"], aces["n"], aces["usual"], strict=True)) == [
        (0, 8500, True),
        (1, 9500, True),
        (2, 1200, False),
        (3, 800, False),
    ]
    assert set(table["cut"]) == {0}


def test_where_a_run_stopped_when_it_liked_everything_beside_its_estimates_is_a_sequence_too() -> None:
    """Verdicts on seats, what going first is worth and the strategies' shares."""
    asked: dict[str, Any] = {"players": 2, "games": 20_000, "strategies": ["hold", "hold:at=15"]}
    stopped, fixed = simulator.run("pig", precision=Precision(1e-6), **asked), simulator.run("pig", **asked)
    assert stopped.digest == fixed.digest
    for table in (who_wins.advantage_frame, who_wins.by_strategy):
        wide, narrow = (table([result]) for result in (stopped, fixed))
        assert ((wide["high"] - wide["low"]) > 1.5 * (narrow["high"] - narrow["low"])).all()
    wide, narrow = (who_wins.widened(who_wins.verdict_frame([result])) for result in (stopped, fixed))
    assert ((wide["wide_high"] - wide["wide_low"]) > 1.2 * (narrow["wide_high"] - narrow["wide_low"])).all()
    assert "confidence sequences" in words.whiskers(wide)
    assert "intervals" in words.whiskers(narrow)
