"""Sentences say what the numbers say and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from reports import words
from reports.balance import histograms, how_close, how_long, what_happens, who_wins
from reports.first_screen import overview, unfinished
from simulator.document.figures import number

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.game import Game
    from simulator.play.run import Result

    Make = Callable[..., Result]


def lines(*bounds: tuple[float, float, float], kind: str = "share") -> list[words.Line]:
    """A line for each low, best and high."""
    rows = [
        {"run": f"{i} players", "kind": kind, "unit": "turns", "low": low, "best": best, "high": high, "n": 10}
        for i, (low, best, high) in enumerate(bounds, 2)
    ]
    return words.lines_of(pd.DataFrame(rows))


def test_a_single_run_is_told_by_its_interval() -> None:
    assert words.span(lines((0.1531, 0.1546, 0.1562))) == "15.3 to 15.6 percent of games with 2 players"


def test_runs_apart_are_told_by_the_lowest_and_the_highest_in_the_order_of_the_runs() -> None:
    told = words.span(lines((0.31, 0.32, 0.33), (0.21, 0.22, 0.23), (0.11, 0.12, 0.13)))
    assert told == "31 to 33 percent of games with 2 players and 11 to 13 percent with 4 players"


def test_overlapping_intervals_are_not_called_a_difference() -> None:
    told = words.span(lines((0.10, 0.12, 0.14), (0.13, 0.15, 0.17)))
    assert told == "10 to 17 percent of games; the intervals of the lowest and highest run overlap"


def test_means_carry_their_unit_once() -> None:
    told = words.span(lines((10, 11, 12), (20, 21, 22), kind="count"), " on average")
    assert told == "10 to 12 turns on average with 2 players and 20 to 22 with 3 players"


@pytest.mark.parametrize(("value", "digits", "text"), [(-1.5, 1, "\N{MINUS SIGN}1.5"), (-0.01, 1, "0.0"), (float("inf"), 1, "unknown")])
def test_numbers_are_written_as_in_print(value: float, digits: int, text: str) -> None:
    assert number(value, digits) == text


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


def test_the_alternative_text_gives_the_numbers(team: Make) -> None:
    told = how_long.lengths_words(histograms.distribution([team(players=2), team(players=3)], "turns")).alt
    assert told.count("median 12, half of the games between 10 and 12, nine in ten between 10 and 20, all between 10 and 20") == 2


def test_what_an_axis_leaves_out_is_said(team: Make) -> None:
    turns = {**dict.fromkeys(range(20), (100, 0, 0)), 1000: (1, 0, 0)}
    told = how_long.lengths_words(histograms.distribution([team(won=(2001, 0, 0), tables=(turns,) * 4)], "turns")).notes
    assert told[0] == "The axis shows 0 to 19 turns; of the games, 0.05 percent with 4 players are higher, up to 1,000."


def test_a_bar_leads_only_if_its_interval_is_clear_of_the_others(team: Make) -> None:
    result = team()
    shown = result.experiment.game.breakdowns[0]
    assert what_happens.breakdown_words(what_happens.breakdown_frame([result], shown)).title.startswith("Who hits: b leads, 5.3")
    same = {0: (60, 0, 0), 1: (0, 40, 0)}
    even = team(tables=(same, same, same, same))
    assert what_happens.breakdown_words(what_happens.breakdown_frame([even], shown)).title == "Who hits"


def test_unfinished_games_are_told(team: Make) -> None:
    table = {1: (50, 40, 10)}
    assert "4 players" in unfinished([team(won=(50, 40, 10), tables=(table,) * 4)])
    assert unfinished([team()]) == ""


def test_an_influence_names_the_number_that_goes_with_the_largest_difference(drawn: Make) -> None:
    result = drawn()
    told = what_happens.influence_words(what_happens.influence_frame([result], result.experiment.game.influences[0]))
    assert told.title == (
        "Cards and wins: Ace goes with the largest difference; with 2 players, seats with 0 cards drawn win 15 to 20 percent of games,"
        " those with 1 win 70 to 75 percent"
    )
    assert "2 players, Two: seats with 4 cards drawn win 43 to 47 percent of games." in told.alt
    notes = " ".join(told.notes)
    assert "fewer than 200 seats had are left out, at most 10 percent" in notes
    for said in ("pooled", "not independent", "need not be its cause", "longer game", "n = 1,000 playouts"):
        assert said in notes


def test_a_breakdown_without_one_leader_names_the_leader_of_each_run(team: Make) -> None:
    few, many = ({k: (30, 20, 0), k + 1: (30, 20, 0)} for k in (0, 5))
    runs = [team(players=n, tables=(few, few, *hits)) for n, hits in ((2, (many, few)), (3, (many, few)), (4, (few, many)))]
    shown = runs[0].experiment.game.breakdowns[0]
    assert (
        what_happens.breakdown_words(what_happens.breakdown_frame(runs, shown)).title
        == "Who hits: a leads with 2 and 3 players; b leads with 4 players"
    )


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


def test_how_close_games_are_is_told_as_a_mean_under_the_metrics_name(team: Make) -> None:
    told = how_close.closeness_words(histograms.distribution([team()], "lead"))
    assert told.title == "Lead: 0.1 to 1.5 points on average with 4 players"


def test_the_caption_speaks_of_the_line_at_zero_only_where_the_axis_has_zero(team: Make) -> None:
    told = how_close.closeness_words(histograms.distribution([team()], "lead"))
    assert told.look_for == "Look for how much lies near the dashed line at zero: the nearer to zero, the closer the game."
    ahead = team(tables=({1: (60, 40, 0)}, {2: (60, 0, 0), 5: (0, 40, 0)}, *[{0: (60, 40, 0)}] * 2))
    assert "at the left end" in how_close.closeness_words(histograms.distribution([ahead], "lead")).look_for
    behind = team(tables=({1: (60, 40, 0)}, {-2: (60, 0, 0), -5: (0, 40, 0)}, *[{0: (60, 40, 0)}] * 2))
    assert "at the right end" in how_close.closeness_words(histograms.distribution([behind], "lead")).look_for


def test_the_closest_game_is_the_closest_of_those_that_came_to_an_end(team: Make) -> None:
    lead = {0: (0, 0, 10), 2: (60, 0, 0), 5: (0, 30, 0)}
    result = team(won=(60, 30, 10), tables=({1: (60, 30, 10)}, lead, *[{0: (60, 30, 10)}] * 2))
    notes = how_close.closeness_words(histograms.distribution([result], "lead")).notes
    assert "The closest game that came to an end is at 2." in notes
    assert "closest" not in " ".join(how_close.closeness_words(histograms.distribution([team()], "lead")).notes), "some are at zero"


def test_what_tells_a_close_game_is_said_below_its_picture(team: Make, game_of: Callable[..., Game]) -> None:
    metrics = game_of().metrics
    described = game_of(metrics=lambda *asked: tuple(replace(m, description=f"About {m.name}.") for m in metrics(*asked)))
    assert how_close.closeness_words(histograms.distribution([team(game=described)], "lead")).notes[0] == "About lead."


def test_games_at_exactly_zero_are_told_with_an_interval_where_there_are_any(team: Make) -> None:
    told = how_close.closeness_words(histograms.distribution([team()], "lead")).notes[0]
    assert told == "Games at exactly zero: 5 to 18 percent of games with 4 players."
    apart = team(tables=({10: (60, 40, 0)}, {5: (60, 40, 0)}, {0: (60, 40, 0)}, {0: (60, 40, 0)}))
    assert not [note for note in how_close.closeness_words(histograms.distribution([apart], "lead")).notes if "zero" in note]


def test_all_seats_that_may_win_most_are_named_and_not_only_the_one_that_did(seats: Make) -> None:
    (row,) = overview([seats((450, 440, 110, 0), 3)]).cells
    assert (row[1].text, row[1].small) == ("Seat 1 or seat 2 wins most", "40 to 49 percent; even is 33.3 percent")
    (level,) = overview([seats((500, 500, 0), 2)]).cells
    assert level[1].text == "no seat stands out"
