"""The first screen of a balance report: what a publisher would stumble over is said before anything else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

import reports
from reports.balance.how_long import at_pace
from reports.first_screen import beyond_the_box, overview, unfinished, warnings
from simulator.play.run import Result, run

Make = Callable[..., Result]


def said(results: list[Result], word: str) -> list[str]:
    return [sentence for sentence in warnings(results, measured=True) if word in sentence]


def test_games_that_are_over_before_everybody_had_a_turn_are_told_with_their_share() -> None:
    results = [run("vacation", players=n, games=4000) for n in (2, 4)]
    (sentence,) = said(results, "before everybody had a turn")
    early = sum(n for turns, n in results[1].tally["turns"].as_dict().items() if turns < 4) / 4000
    low, high = (float(end) for end in sentence.split(" percent of games with 4 players")[0].split(" and ")[-1].split(" to "))
    assert low < 100 * early < high
    assert "on the first turn, with" in sentence
    assert said([run("grinchmas", players=4, games=2000)], "before everybody had a turn") == []


def test_games_of_which_some_drag_on_are_told_with_their_median_and_their_tail() -> None:
    (sentence,) = said([run("crocs", players=6, games=4000)], "drag on")
    assert "minutes in the median with 6 players, but beyond" in sentence
    assert said([run("crocs", players=2, games=4000)], "drag on") == []


def test_ties_are_told_where_a_table_would_notice() -> None:
    ending = run("crocs", players=4, games=2000, rules={"deck.when_empty": "end"})
    assert ending.estimates["tied"].low > 0.02
    (sentence,) = said([ending], "no winner")
    assert "with 4 players" in sentence
    assert said([run("crocs", players=4, games=2000)], "no winner") == []


def test_the_table_has_a_row_for_each_run_and_the_share_of_a_cooperative_game() -> None:
    results = [run("orchard", players=n, games=2000) for n in (1, 2)]
    shown = overview(results)
    assert [row[0].text for row in shown.cells] == ["1 player", "2 players"]
    assert [row[1].estimate.best for row in shown.cells] == [
        r.estimates[r.experiment.game.verdict(r.experiment.players)[0]].best for r in results
    ]


@pytest.fixture(scope="module")
def vacation() -> Result:
    return run("vacation", players=4, games=2000)


def test_a_length_beyond_the_box_is_a_warning_on_the_first_screen_that_names_what_it_hangs_on(vacation: Result) -> None:
    told = beyond_the_box([vacation])
    assert re.search(r"It averages 1\.\d+ to 1\.\d+ rounds or 3\.\d to 3\.\d minutes with 4 players\.", told)
    assert told.startswith("From what is in the box a game should take 3 to 60 rounds and 8 to 180 minutes (")
    assert "It hangs on constants that nobody printed (dice.faces, " in told
    assert told.endswith(") and on an assumed 40 s a turn.")
    page = reports.page(vacation)
    assert page.index("It averages 1.") < page.index("<figure")


def test_the_pace_is_said_once_for_all_numbers_of_players(vacation: Result) -> None:
    told = beyond_the_box([vacation, run("vacation", players=2, games=2000)])
    assert told.count("minutes with") == 2
    assert told.count("40 s a turn") == 1


def test_a_length_that_the_box_could_mean_is_none(vacation: Result) -> None:
    assert not beyond_the_box([run("grinchmas", players=4, games=500)])
    experiment = vacation.experiment
    unbound = replace(vacation, experiment=replace(experiment, game=replace(experiment.game, box_length=None)))
    assert not beyond_the_box([unbound])


def test_a_pace_that_the_reader_states_is_held_against_the_box_too(vacation: Result) -> None:
    slow = beyond_the_box(at_pace([vacation], 200.0))
    assert "rounds with 4 players" in slow, "the minutes are as expected at that pace"
    assert "a turn" not in slow.partition("It averages")[2], "so that it does not hang on the pace"


def test_few_games_that_may_last_as_long_as_the_box_says_are_no_warning() -> None:
    assert not beyond_the_box([run("vacation", players=4, games=1)])


def test_unfinished_games_are_told(team: Make) -> None:
    table = {1: (50, 40, 10)}
    assert "4 players" in unfinished([team(won=(50, 40, 10), tables=(table,) * 4)])
    assert unfinished([team()]) == ""


def test_all_seats_that_may_win_most_are_named_and_not_only_the_one_that_did(seats: Make) -> None:
    (row,) = overview([seats((450, 440, 110, 0), 3)]).cells
    assert (row[1].text, row[1].small) == ("Seat 1 or seat 2 wins most", "40 to 49 percent; even is 33.3 percent")
    (level,) = overview([seats((500, 500, 0), 2)]).cells
    assert level[1].text == "no seat stands out"
