"""What the box and the rulebook leave open: a length that a publisher would laugh at, and rulings that nobody can switch."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import reports
from reports.balance import how_made
from reports.balance.how_long import at_pace
from reports.first_screen import beyond_the_box
from simulator import registry
from simulator.document.document import rules_chapter, rulings_table
from simulator.play.run import Result, run


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


@pytest.mark.parametrize("name", ["grinchmas", "vacation", "crocs"])
def test_rulings_that_no_switch_covers_stand_beside_the_constants(name: str) -> None:
    game = registry.game(name)
    (table,) = rulings_table(game)
    assert [row[0] for row in table.rows] == [ruling.name for ruling in game.rulings if not ruling.switch]
    assert 0 < len(table.rows) < len(game.rulings), "those with a switch are among the constants"
    result = run(name, players=4, games=20)
    assert table in how_made.rules_chapter([result]).tables
    assert table in rules_chapter(game.rules(), game).tables
