"""Who wins is told with intervals, and a seat is called different only where it surely is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import simulator
from reports import words
from reports.balance import who_wins
from reports.first_screen import overview
from simulator.document.chapters import Cell, Chapter
from simulator.play.run import Precision, Result

Make = Callable[..., Result]


def texts(chapter: Chapter) -> list[tuple[str, ...]]:
    """The texts of the cells of a chapter's last table, row by row."""
    return [tuple(cell.text for cell in row) for row in chapter.tables[-1].cells]


def test_the_shares_of_the_outcomes_of_a_run_sum_to_all_games(team: Make) -> None:
    rows = who_wins.outcomes_table([team(won=(50, 40, 10), tables=({1: (50, 40, 10)},) * 4)]).cells
    assert [cells[0].text for cells in rows] == ["Players win", "Foe wins", "Unfinished"]
    assert sum(float(cells[1].text.removesuffix("%")) for cells in rows) == 100


def test_of_an_outcome_that_never_came_about_there_are_fewer_than_three_in_as_many(team: Make) -> None:
    (unfinished,) = [cells for cells in who_wins.outcomes_table([team()]).cells if cells[0].text == "Unfinished"]
    assert unfinished[1] == Cell("0%", "fewer than 3 in 100")


def test_strategies_at_one_table_are_set_against_their_equal_share(seats: Make) -> None:
    result = seats((600, 100, 200, 100), 3)
    mixed = tuple(
        replace(p, strategy=replace(p.strategy, name=n)) for p, n in zip(result.experiment.lineup, ("sly", "plain", "plain"), strict=True)
    )
    found = who_wins.by_strategy([replace(result, experiment=replace(result.experiment, lineup=mixed))])
    assert list(zip(found["strategy"], found["seats"], found["best"], found["equal"], strict=True)) == [
        ("sly", 1, 0.6, pytest.approx(0.3)),
        ("plain", 2, 0.3, pytest.approx(0.6)),
    ]
    rows = texts(Chapter("", "", "", tables=(who_wins.strategies_table(found),)))
    assert [row[-1] for row in rows] == ["more often", "less often"]
    assert len(who_wins.by_strategy([result])) == 0, "where all play the same there is nothing to set against each other"


def test_going_first_is_in_percentage_points_with_an_interval(seats: Make) -> None:
    table = who_wins.advantage_frame([seats((600, 400, 0), 2), seats((500, 500, 0), 2)])
    assert list(table["best"]) == pytest.approx([10.0, 0.0])
    assert table["low"][0] > 0 > table["low"][1]
    assert len(who_wins.advantage_frame([seats((10, 0), 1)])) == 0


def test_a_seat_is_named_only_if_its_interval_misses_the_equal_share(seats: Make) -> None:
    fair = who_wins.verdict_words(who_wins.verdict_frame([seats((50, 50, 0), 2)]))
    assert fair.title == "No seat stands out from an equal share of the wins; seat 1 moves first"
    unfair = who_wins.verdict_words(who_wins.verdict_frame([seats((500, 500, 0), 2), seats((700, 100, 200, 0), 3)]))
    assert unfair.title.startswith("Seat 1 wins in 66 to 73 percent of games with 3 players")
    assert unfair.title.endswith("an equal share is 33.3 percent; seat 1 moves first")


def test_a_seat_game_says_for_each_run_which_seats_win_more_and_less_often(seats: Make) -> None:
    result = seats((700, 100, 200, 0), 3)
    told = who_wins.sentence(words.lines_of(who_wins.opening([result])))
    assert "(more often: seat 1 wins; less often: seat 2 wins, seat 3 wins)" in told
    assert "With 3 players" in told
    assert "1,000 playouts" in told


def test_going_first_is_told_as_a_difference_only_where_the_interval_misses_zero(seats: Make) -> None:
    fair = who_wins.advantage_words(who_wins.advantage_frame([seats((50, 50, 0), 2)]))
    assert fair.title == "Going first makes no difference that shows"
    unfair = who_wins.advantage_words(who_wins.advantage_frame([seats((500, 500, 0), 2), seats((700, 100, 200, 0), 3)]))
    assert unfair.title == "Going first wins 34 to 39 percentage points more than an equal share with 3 players"
    assert "2 players: \N{MINUS SIGN}3 to 3 percentage points" in unfair.alt


def test_a_label_inside_a_sentence_has_no_capital_letter(seats: Make) -> None:
    results = [seats((700, 100, 200, 0), 3)]
    (told,), (row,) = who_wins.sentences(results), overview(results).cells
    assert told.startswith("With 3 players: seat 1 wins in 66 to 73, seat 2 wins in")
    assert (row[1].text, row[1].small) == ("Seat 1 wins most", "66 to 73 percent; even is 33.3 percent")


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


def test_a_seat_stands_out_only_if_it_does_among_all_that_are_tested(seats: Make) -> None:
    alone = who_wins.verdict_frame([seats((535, 465, 0), 2)])
    assert list(alone["opens"]) == [True, True, False]
    assert list(alone["stands_out"]) == [False, False, False]
    clear = who_wins.verdict_frame([seats((560, 440, 0), 2)])
    assert list(clear["stands_out"]) == [True, True, False]
    many = [seats((560, 440, 0), 2), *(seats((100,) * 6 + (0,), 6) for _ in range(100))]
    assert not who_wins.verdict_frame(many)["stands_out"].any()


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
