"""The chapters answer a designer's questions from the numbers, and warn where strategies disagree."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from reports import words
from reports.balance import how_long, how_made, other_strategies, what_happens, who_wins
from simulator.document.chapters import ORDER, Cell, Chapter, arranged
from simulator.game import Metric
from simulator.play.run import run
from simulator.stats.estimate import estimate_share
from simulator.studies.ladder import Rung, report_chapter

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.game import Game
    from simulator.play.run import Result

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


Rungs = dict[int, tuple[Rung, ...]]


def rungs_of(shares: dict[str, int], players: tuple[int, ...] = (4,), n: int = 100) -> Rungs:
    """How well strategies play, the same with each number of players: strategy to how many of `n` playouts it won."""
    return {p: tuple(Rung(name, p, "players_win", estimate_share(won, n), None) for name, won in shares.items()) for p in players}


GOOD: Rungs = rungs_of({"a": 900, "b": 900, "uniform": 100}, (2, 3), 1000)
"""Two strategies that play better than at random."""


def seat_tables(**found: Result) -> dict[str, list[Result]]:
    """What comes of tables of each strategy, for one number of players."""
    return {name: [result] for name, result in found.items()}


def test_strategies_that_disagree_about_who_is_favoured_are_warned_of_in_one_sentence(team: Make) -> None:
    shares = {"weak": 30, "strong": 90, "odd": 50, "uniform": 2}
    chapter, _ = other_strategies.by_table([team(players=n) for n in (2, 3)], rungs_of(shares, (2, 3)))
    assert chapter.warnings == (
        (
            "Who is favoured depends on who plays. With 2 and 3 players: players win in less than half of games with weak;"
            " players win in more than half of games with strong."
        ),
    )


def test_disagreements_that_differ_from_run_to_run_are_one_sentence_that_points_to_the_chapter(team: Make) -> None:
    rungs = rungs_of({"a": 90, "b": 30, "uniform": 2}, (2,)) | rungs_of({"a": 30, "b": 90, "uniform": 2}, (3,))
    chapter, _ = other_strategies.by_table([team(players=n) for n in (2, 3)], rungs)
    (warning,) = chapter.warnings
    opening = "Who is favoured depends on who plays: strategies that play better than at random disagree"
    assert warning == f"{opening} with 2 and 3 players; see What skill is worth."


def test_strategies_no_better_than_random_play_are_not_asked_and_the_chapter_says_so(team: Make) -> None:
    results = [team(players=n, won=(90, 10, 0)) for n in (2, 3)]
    rungs = rungs_of({"good": 95, "spoiler": 1, "lucky": 22, "uniform": 20}, (2,)) | rungs_of(
        {"good": 95, "spoiler": 1, "lucky": 40, "uniform": 5}, (3,)
    )
    chapter, _ = other_strategies.by_table(results, rungs)
    assert chapter.notes == (
        (
            "Whether strategies disagree about who is favoured was asked of those that win more often than random play (uniform), their"
            " intervals apart; left out: spoiler, lucky with 2 players, uniform."
        ),
    )
    assert "3 players: Players win in less than half of games with lucky" not in " ".join(chapter.warnings), "not sure by a hair"
    alone, _ = other_strategies.by_table(results, rungs_of({"good": 95, "spoiler": 1, "uniform": 20}, (2, 3)))
    assert alone.warnings == ()


def test_a_strategy_is_better_than_random_play_only_if_their_intervals_lie_apart() -> None:
    assert other_strategies.better_than_random(rungs_of({"a": 40, "b": 34, "uniform": 25})) == set()
    assert other_strategies.better_than_random(rungs_of({"a": 45, "b": 34, "uniform": 25})) == {("a", 4)}


def test_where_all_win_together_the_shares_stand_in_one_chapter_and_the_other_points_to_it(team: Make) -> None:
    rungs = rungs_of({"good": 90, "odd": 50, "spoiler": 1, "uniform": 30})
    chapter, marks = other_strategies.by_table([team(won=(90, 10, 0))], rungs)
    assert chapter.tables == ()
    assert "What skill is worth" in chapter.sentences[0]
    rows = report_chapter([*rungs.values()], marks).tables[0].cells
    assert [(row[0].text, row[1].mark) for row in rows] == [
        ("good", ""),
        ("odd", ""),
        ("spoiler", "< half"),
        ("uniform", "< half"),
    ]


def test_the_table_has_a_row_for_each_strategy_and_a_column_for_each_run(seats: Make) -> None:
    won, other = (600, 400, 0), (300, 700, 0)
    results = [seats(won, 2), seats((500, 250, 250, 0), 3)]
    found = {"a": [seats(won, 2), seats((500, 250, 250, 0), 3)], "b": [seats(other, 2), seats((200, 200, 600, 0), 3)]}
    (table,) = other_strategies.by_lineup(results, found, GOOD).tables
    assert table.columns == ("Strategy", "2 players", "3 players")
    assert table.runs == ("", "2 players", "3 players")
    assert [tuple(cell.text for cell in row) for row in table.cells] == [
        ("as in this run", "60.0%", "50.0%"),
        ("a", "60.0%", "50.0%"),
        ("b", "30.0%", "20.0%"),
    ]
    assert [tuple(cell.mark for cell in row) for row in table.cells] == [
        ("", "", ""),
        ("", "", ""),
        ("", "Seat 2 wins most often", "Seat 3 wins most often"),
    ]
    low, high = map(float, table.cells[1][1].small.split(" to "))
    assert low < 60 < high
    assert "(seat 1 wins)" in table.note


def test_the_strategy_that_everybody_plays_in_the_run_is_shown_once_and_counts_with_the_runs_own_playouts(seats: Make) -> None:
    run, other = seats((9000, 1000, 0), 2), seats((100, 900, 0), 2)
    rungs = rungs_of({"plain": 900, "b": 900, "uniform": 100}, (2,), 1000)
    chapter = other_strategies.by_lineup([run], {"b": [other]}, rungs)
    (table,) = chapter.tables
    assert [(row[0].text, row[0].small) for row in table.cells] == [("as in this run", "plain"), ("b", "")]
    assert "1,000 playouts of each; the first row is the run itself" in table.note
    assert chapter.warnings == (
        "Who is favoured depends on who plays. With 2 players: seat 2 wins most often with b; seat 1 wins most often with plain.",
    )


def test_a_run_of_several_strategies_is_a_row_of_its_own(team: Make, seats: Make) -> None:
    assert other_strategies.strategy_of([seats((50, 50, 0), 2), seats((40, 30, 30, 0), 3)]) == "plain"
    assert other_strategies.strategy_of([team(names=("plain", "sly"))]) == ""
    assert other_strategies.strategy_of([team(names=("plain",)), team(names=("sly",))]) == ""


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


def test_a_column_shows_the_seat_that_its_run_favours(seats: Make) -> None:
    results = [seats((300, 700, 0), 2), seats((340, 330, 330, 0), 3)]
    (table,) = other_strategies.by_lineup(results, {"a": results, "b": results}, GOOD).tables
    assert table.columns == ("Strategy", "Seat 2 wins, 2 players", "Seat 1 wins, 3 players")
    assert [cell.text for cell in table.cells[1]] == ["a", "70.0%", "34.0%"]


def test_somebody_who_plays_alone_is_favoured_by_nothing(seats: Make) -> None:
    alone = seats((900, 100), 1)
    chapter = other_strategies.by_lineup([alone], seat_tables(a=alone, b=seats((300, 700), 1)), {1: GOOD[2]})
    assert chapter.warnings == ()
    assert [row[1].mark for row in chapter.tables[0].cells] == ["", "", ""]


def test_strategies_that_agree_or_are_not_sure_give_no_warning(team: Make, seats: Make) -> None:
    assert other_strategies.by_table([team()], rungs_of({"a": 90, "b": 50, "uniform": 5}))[0].warnings == ()
    rungs, even, first, second = {2: GOOD[2]}, seats((500, 500, 0), 2), seats((900, 100, 0), 2), seats((100, 900, 0), 2)
    assert other_strategies.by_lineup([first], seat_tables(a=even, b=first), rungs).warnings == ()
    assert len(other_strategies.by_lineup([first], seat_tables(a=second, b=first), rungs).warnings) == 1


def test_two_favoured_seats_that_chance_may_have_swapped_are_no_disagreement(seats: Make) -> None:
    one, other = seats((420, 400, 180, 0), 3), seats((400, 420, 180, 0), 3)
    assert other_strategies.by_lineup([one], seat_tables(a=one, b=other), {3: GOOD[3]}).warnings == ()


def test_strategies_are_judged_together(team: Make) -> None:
    near = {"a": 61, "b": 39, "uniform": 10}
    far = {"a": 70, "b": 30, "uniform": 5}
    assert len(other_strategies.by_table([team()], rungs_of(far))[0].warnings) == 1
    assert estimate_share(61, 100).low > 0.5, "alone it would be told"
    assert other_strategies.by_table([team()], rungs_of(near))[0].warnings == ()


def test_minutes_have_one_decimal_at_most_and_rounds_two(team: Make, game_of: Callable[..., Game]) -> None:
    many = {10: (500_000, 0, 0), 12: (200_000, 300_000, 0)}
    result = team(won=(700_000, 300_000, 0), tables=(many,) * 4, game=game_of(seconds_per_turn=31, pace_note="assumed"))
    chapter = how_long.chapter([result], ())
    ((_, turns, rounds, minutes),) = chapter.tables[0].cells
    assert (turns.text, rounds.text, minutes.text) == ("11.0000", "2.75", "5.7")
    assert (rounds.small, minutes.small) == ("2.75", "5.7"), "both ends round to the same, which is told once"
    assert "2.75 rounds, 5.7 minutes" in chapter.sentences[0]


def test_going_first_is_in_percentage_points_with_an_interval(seats: Make) -> None:
    table = who_wins.advantage_frame([seats((600, 400, 0), 2), seats((500, 500, 0), 2)])
    assert list(table["best"]) == pytest.approx([10.0, 0.0])
    assert table["low"][0] > 0 > table["low"][1]
    assert len(who_wins.advantage_frame([seats((10, 0), 1)])) == 0


def test_a_game_without_a_pace_has_lengths_in_turns_only(team: Make) -> None:
    table = how_long.durations_frame([team()])
    assert math.isnan(table["pace"][0])
    assert how_long.chapter([team()], ()).tables[0].columns == ("Run", "Turns", "Rounds")


def test_assumed_and_changed_constants_are_marked(team: Make, rules_of: Callable[..., object]) -> None:
    rows = how_made.rules_chapter([team(rules=rules_of(cards=7))]).tables[0].cells
    marks = {cells[0].text: (cells[1].mark, cells[2].mark) for cells in rows}
    assert marks == {"deck.cards": ("changed", ""), "deck.suits": ("", "assumed"), "turn_cap": ("", "")}
    assert rows[1][2].small == "not shown; plausible: 3 to 5"
