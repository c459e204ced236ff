"""How long games last is told in turns, rounds and minutes, with the long tail."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from reports import words
from reports.balance import histograms, how_long, what_happens
from simulator.document.chapters import Cell
from simulator.game import Game, Metric
from simulator.play.run import Result, run

Make = Callable[..., Result]


LONG = {**dict.fromkeys(range(10, 20), (900, 0, 0)), 40: (700, 0, 0), 90: (200, 0, 0), 300: (100, 0, 0)}


@pytest.fixture
def long_result(team: Make, game_of: Callable[..., Game]) -> Result:
    """10,000 playouts, of which 10 in 100 last 40 turns or more, 3 in 100 90 or more, and 1 in 100 300."""
    return team(won=(10_000, 0, 0), tables=(LONG,) * 4, game=game_of(seconds_per_turn=20, pace_note="assumed"))


def test_the_long_tail_is_told_in_turns_and_minutes_with_intervals(long_result: Result) -> None:
    chapter = how_long.chapter([long_result], ())
    ((run, half, twentieth, hundredth, longest),) = chapter.tables[-1].cells
    assert all(column.endswith(", turns") for column in chapter.tables[-1].columns[1:])
    assert (run.text, half.text, twentieth.text, hundredth.text, longest.text) == ("4 players", "15", "40", "90", "300")
    assert twentieth.small == "40; 13.3 minutes"
    assert hundredth.small == "90 to 300; 30 minutes"
    (sentence,) = chapter.sentences
    assert "at most 1 game in 20 lasts longer than 40 turns (40)" in sentence


def test_means_are_told_in_turns_rounds_and_minutes(long_result: Result) -> None:
    (row,) = how_long.chapter([long_result], ()).tables[0].cells
    mean = sum(value * sum(counts) for value, counts in LONG.items()) / 10_000
    for cell, factor, off in zip(row[1:], (1, 1 / 4, 20 / 60), (0.01, 0.01, 0.05), strict=True):
        assert float(cell.text) == pytest.approx(mean * factor, abs=off)
        low, high = map(float, cell.small.split(" to "))
        assert low < mean * factor < high


def test_a_turn_cap_that_ended_games_is_told_with_the_lengths(team: Make) -> None:
    capped = team(won=(50, 40, 10), tables=({1: (50, 40, 10)},) * 4)
    assert "With 4 players the turn cap ended 10 percent of games" in " ".join(how_long.chapter([capped], ()).notes)
    assert "turn cap" not in " ".join(how_long.chapter([team()], ()).notes)


def test_rounds_are_those_that_the_game_counts_and_else_turns_by_players(team: Make, game_of: Callable[..., Game]) -> None:
    def metrics(rules: object, players: int) -> tuple[Metric, ...]:
        return (*game_of().metrics(rules, players), Metric("rounds", "Rounds", "rounds", "count", 0, 99, description="Deals."))

    turns = {10: (40, 0, 0), 12: (20, 30, 0), 20: (0, 10, 0)}
    tables = (turns, *[{0: (60, 40, 0)}] * 3, {2: (60, 0, 0), 7: (0, 40, 0)})
    counted = how_long.chapter([team(tables=tables, game=game_of(metrics=metrics))], ())
    assert counted.tables[0].cells[0][2] == Cell("4.00", "3.47 to 4.53"), "the mean of 2 and 7, and no quarter of the turns"
    assert "3.5 to 4.5 rounds" in counted.sentences[0]
    assert counted.notes[0].endswith("Rounds are as the game counts them: deals.")
    plain = how_long.chapter([team()], ())
    assert plain.tables[0].cells[0][2].text == "3.00"
    assert plain.notes[0].endswith("Rounds are turns divided by players.")


@pytest.mark.parametrize("name", ["vacation", "crocs"])
def test_every_figure_of_rounds_on_a_page_is_that_of_the_terminal(name: str) -> None:
    result = run(name, players=3, games=60, workers=1)
    mean = result.estimates["rounds"]
    (line,) = words.lines_of(how_long.durations_frame([result]))
    assert (line.rounds_best, line.rounds_low, line.rounds_high) == (mean.best, mean.low, mean.high)
    row = next(row for row in what_happens.chapter([result], ()).tables[0].cells if row[0].text == "Rounds")
    assert how_long.chapter([result], ()).tables[0].cells[0][2] == row[1]
    assert mean.best == pytest.approx(sum(-(-turns // 3) * n for turns, n in result.tally["turns"].as_dict().items()) / 60), "rounded up"


def test_minutes_have_one_decimal_at_most_and_rounds_two(team: Make, game_of: Callable[..., Game]) -> None:
    many = {10: (500_000, 0, 0), 12: (200_000, 300_000, 0)}
    result = team(won=(700_000, 300_000, 0), tables=(many,) * 4, game=game_of(seconds_per_turn=31, pace_note="assumed"))
    chapter = how_long.chapter([result], ())
    ((_, turns, rounds, minutes),) = chapter.tables[0].cells
    assert (turns.text, rounds.text, minutes.text) == ("11.0000", "2.75", "5.7")
    assert (rounds.small, minutes.small) == ("2.75", "5.7"), "both ends round to the same, which is told once"
    assert "2.75 rounds, 5.7 minutes" in chapter.sentences[0]


def test_a_game_without_a_pace_has_lengths_in_turns_only(team: Make) -> None:
    table = how_long.durations_frame([team()])
    assert math.isnan(table["pace"][0])
    assert how_long.chapter([team()], ()).tables[0].columns == ("Run", "Turns", "Rounds")


def test_the_alternative_text_gives_the_numbers(team: Make) -> None:
    told = how_long.lengths_words(histograms.distribution([team(players=2), team(players=3)], "turns")).alt
    assert told.count("median 12, half of the games between 10 and 12, nine in ten between 10 and 20, all between 10 and 20") == 2


def test_what_an_axis_leaves_out_is_said(team: Make) -> None:
    turns = {**dict.fromkeys(range(20), (100, 0, 0)), 1000: (1, 0, 0)}
    told = how_long.lengths_words(histograms.distribution([team(won=(2001, 0, 0), tables=(turns,) * 4)], "turns")).notes
    assert told[0] == "The axis shows 0 to 19 turns; of the games, 0.05 percent with 4 players are higher, up to 1,000."
