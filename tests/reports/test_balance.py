"""The chapters answer a designer's questions from the numbers, and warn where strategies disagree."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from reports import balance, frames
from reports.chapters import ORDER, Cell, Chapter, arranged

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.game import Game
    from simulator.run import Result

    Make = Callable[..., Result]

LONG = {**dict.fromkeys(range(10, 20), (900, 0, 0)), 40: (700, 0, 0), 90: (200, 0, 0), 300: (100, 0, 0)}


@pytest.fixture
def long_result(team: Make, game_of: Callable[..., Game]) -> Result:
    """10,000 playouts, of which 10 in 100 last 40 turns or more, 3 in 100 90 or more, and 1 in 100 300."""
    return team(won=(10_000, 0, 0), tables=(LONG,) * 4, game=game_of(seconds_per_turn=20, pace_note="assumed"))


def texts(chapter: Chapter) -> list[tuple[str, ...]]:
    """The texts of the cells of a chapter's last table, row by row."""
    return [tuple(cell.text for cell in row) for row in chapter.tables[-1].cells]


def test_chapters_of_one_id_become_one_and_others_stand_before_the_rules() -> None:
    chapters = [Chapter(name, name, "") for name in (*reversed(ORDER), "odd", "who-wins")]
    assert [c.id for c in arranged(tuple(chapters))] == [*ORDER[:-2], "odd", *ORDER[-2:]]


def test_the_long_tail_is_told_in_turns_and_minutes_with_intervals(long_result: Result) -> None:
    chapter = balance.how_long([long_result], ())
    ((run, half, twentieth, hundredth, longest),) = chapter.tables[-1].cells
    assert (run.text, half.text, twentieth.text, hundredth.text, longest.text) == ("4 players", "15", "40", "90", "300")
    assert twentieth.small == "40; 13.3 minutes"
    assert hundredth.small == "90 to 300; 30 minutes"
    (sentence,) = chapter.sentences
    assert "at most 1 game in 20 lasts longer than 40 turns (40)" in sentence


def test_means_are_told_in_turns_rounds_and_minutes(long_result: Result) -> None:
    (row,) = balance.how_long([long_result], ()).tables[0].cells
    mean = sum(value * sum(counts) for value, counts in LONG.items()) / 10_000
    for cell, factor in zip(row[1:], (1, 1 / 4, 20 / 60), strict=True):
        assert float(cell.text) == pytest.approx(mean * factor, abs=0.01)
        low, high = map(float, cell.small.split(" to "))
        assert low < mean * factor < high


def test_a_turn_cap_that_ended_games_is_told_with_the_lengths(team: Make) -> None:
    capped = team(won=(50, 40, 10), tables=({1: (50, 40, 10)},) * 4)
    assert "With 4 players the turn cap ended 10 percent of games" in " ".join(balance.how_long([capped], ()).notes)
    assert "turn cap" not in " ".join(balance.how_long([team()], ()).notes)


def test_the_shares_of_the_outcomes_of_a_run_sum_to_all_games(team: Make) -> None:
    rows = balance.outcomes([team(won=(50, 40, 10), tables=({1: (50, 40, 10)},) * 4)]).cells
    assert [cells[0].text for cells in rows] == ["Players win", "Foe wins", "Unfinished"]
    assert sum(float(cells[1].text.removesuffix("%")) for cells in rows) == 100


def test_an_outcome_that_never_came_about_has_an_interval_too(team: Make) -> None:
    (unfinished,) = [cells for cells in balance.outcomes([team()]).cells if cells[0].text == "Unfinished"]
    assert unfinished[1] == Cell("0%", "0 to 4")


def test_strategies_at_one_table_are_set_against_their_equal_share(seats: Make) -> None:
    result = seats((600, 100, 200, 100), 3)
    mixed = tuple(
        replace(p, strategy=replace(p.strategy, name=n)) for p, n in zip(result.experiment.lineup, ("sly", "plain", "plain"), strict=True)
    )
    found = frames.by_strategy([replace(result, experiment=replace(result.experiment, lineup=mixed))])
    assert list(zip(found["strategy"], found["seats"], found["best"], found["equal"], strict=True)) == [
        ("sly", 1, 0.6, pytest.approx(0.3)),
        ("plain", 2, 0.3, pytest.approx(0.6)),
    ]
    rows = texts(Chapter("", "", "", tables=(balance.strategies_at_one_table(found),)))
    assert [row[-1] for row in rows] == ["more often", "less often"]
    assert len(frames.by_strategy([result])) == 0, "where all play the same there is nothing to set against each other"


def test_strategies_that_disagree_about_who_is_favoured_are_warned_of(team: Make) -> None:
    won, lost, open_ = ((90, 10, 0), (10, 90, 0), (50, 50, 0))
    made = {name: [team(players=n, won=w) for n in (2, 3)] for name, w in (("weak", won), ("strong", lost), ("odd", open_))}
    chapter = balance.by_lineup(made)
    (warning,) = chapter.warnings
    assert warning == (
        "Who is favoured depends on who plays. With 2 and 3 players: Foe wins in less than half of the games with weak;"
        " Foe wins in more than half of the games with strong."
    )
    assert ("2 players", "odd", "Foe wins", "50.0%", "not sure") in texts(chapter)


def test_strategies_that_agree_or_are_not_sure_give_no_warning(team: Make, seats: Make) -> None:
    assert balance.by_lineup({"a": [team(won=(90, 10, 0))], "b": [team(won=(50, 50, 0))]}).warnings == ()
    assert balance.by_lineup({"a": [seats((500, 500, 0), 2)], "b": [seats((900, 100, 0), 2)]}).warnings == ()
    assert len(balance.by_lineup({"a": [seats((100, 900, 0), 2)], "b": [seats((900, 100, 0), 2)]}).warnings) == 1


def test_two_favoured_seats_that_chance_may_have_swapped_are_no_disagreement(seats: Make) -> None:
    one, other = seats((420, 400, 180, 0), 3), seats((400, 420, 180, 0), 3)
    assert balance.by_lineup({"a": [one], "b": [other]}).warnings == ()


def test_strategies_are_judged_together(team: Make) -> None:
    near = {"a": [team(won=(61, 39, 0))], "b": [team(won=(39, 61, 0))]}
    assert len(balance.by_lineup({"a": [team(won=(70, 30, 0))], "b": [team(won=(30, 70, 0))]}).warnings) == 1
    low = near["a"][0].estimates["players_win"].low
    assert low > 0.5, "alone it would be told"
    assert balance.by_lineup(near | {str(i): [team(won=(50, 50, 0))] for i in range(8)}).warnings == ()


def test_going_first_is_in_percentage_points_with_an_interval(seats: Make) -> None:
    table = frames.advantage([seats((600, 400, 0), 2), seats((500, 500, 0), 2)])
    assert list(table["best"]) == pytest.approx([10.0, 0.0])
    assert table["low"][0] > 0 > table["low"][1]
    assert len(frames.advantage([seats((10, 0), 1)])) == 0


def test_a_game_without_a_pace_has_lengths_in_turns_only(team: Make) -> None:
    table = frames.durations([team()])
    assert math.isnan(table["pace"][0])
    assert balance.how_long([team()], ()).tables[0].columns == ("Run", "Turns", "Rounds")


def test_assumed_and_changed_constants_are_marked(team: Make, rules_of: Callable[..., object]) -> None:
    rows = balance.rules_and_sources([team(rules=rules_of(cards=7))]).tables[0].cells
    marks = {cells[0].text: (cells[1].mark, cells[2].mark) for cells in rows}
    assert marks == {"deck.cards": ("changed", ""), "deck.suits": ("", "assumed"), "turn_cap": ("", "")}
    assert rows[1][2].small == "not shown; plausible: 3 to 5"
