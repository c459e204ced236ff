"""Can't Stop, rule by rule, and the chances that are known of it."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

from simulator import kit, registry
from simulator.games.cantstop.turn import CantStopRules, can_climb, climb, keep, list_pairs
from simulator.play.run import run
from simulator.play.table import Table
from strategies.cantstop import progress

ROLLS = tuple(product(range(1, 7), repeat=4))


def table(players: int = 2, rules: CantStopRules | None = None) -> Table:
    game = registry.game("cantstop")
    laid = Table(game, rules or CantStopRules(), (registry.player(game, "uniform"),) * players)
    laid.head["seats"] = players
    return laid


def place(laid: Table, runners: dict[int, int], free: int) -> Any:
    """Runners in columns, and how many are free; the table."""
    record = laid.memory[0]
    record["free"] = free
    for column, space in runners.items():
        record["runner"][column] = space
    return record


def options(record: Any, *dice: int) -> list[tuple[int, int]]:
    n = list_pairs(record, 0, dice)
    return [(int(one), int(other)) for one, other in zip(record["one"][:n], record["other"][:n], strict=True)]


def sums(dice: tuple[int, ...]) -> set[int]:
    """All sums of two of four dice."""
    return {dice[i] + dice[j] for i, j in combinations(range(4), 2)}


@kit.jit
def good_rolls(record: Any) -> Any:
    """How many of the 1,296 rolls leave something to take."""
    good = 0
    for roll in range(1296):
        dice = (1 + roll % 6, 1 + roll // 6 % 6, 1 + roll // 36 % 6, 1 + roll // 216)
        good += 1 if list_pairs(record, 0, dice) > 0 else 0
    return good


@pytest.mark.parametrize(("columns", "good"), [((6, 7, 8), 1192), ((2, 3, 12), 568), ((4, 6, 8), 1181)])
def test_with_all_runners_placed_a_roll_is_no_bust_as_often_as_it_is_known_to_be(columns: tuple[int, ...], good: int) -> None:
    counted = sum(not sums(dice).isdisjoint(columns) for dice in ROLLS)
    assert counted == good
    assert good_rolls(place(table(), dict.fromkeys(columns, 1), 0)) == counted


def test_every_three_columns_bust_as_often_as_counting_all_rolls_says() -> None:
    for columns in combinations(range(2, 13), 3):
        counted = sum(not sums(dice).isdisjoint(columns) for dice in ROLLS)
        assert good_rolls(place(table(), dict.fromkeys(columns, 1), 0)) == counted, columns


def test_the_columns_are_as_long_as_the_board_says() -> None:
    assert table().memory[0]["length"].tolist() == [0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]


def test_four_dice_are_paired_in_three_ways_each_offered_once() -> None:
    record = place(table(), {}, 3)
    assert options(record, 1, 2, 3, 4) == [(3, 7), (4, 6), (5, 5)]
    assert options(record, 2, 2, 2, 2) == [(4, 4)]


def test_both_pairs_are_taken_where_both_can_be() -> None:
    assert options(place(table(), {3: 1, 9: 1}, 1), 1, 2, 6, 6)[0] == (3, 12)
    assert options(place(table(), {3: 1, 12: 1, 9: 1}, 0), 1, 2, 6, 6) == [(3, 12)]


def test_one_free_runner_for_two_new_columns_is_a_choice() -> None:
    assert options(place(table(), {2: 1, 9: 1}, 1), 1, 2, 6, 6) == [(3, 0), (12, 0), (7, 0), (8, 0)]


def test_one_free_runner_may_take_the_same_column_twice() -> None:
    assert (7, 7) in options(place(table(), {2: 1, 9: 1}, 1), 1, 6, 2, 5)


def test_a_pair_that_cannot_be_taken_is_left_out() -> None:
    assert options(place(table(), {2: 1, 3: 1, 4: 1}, 0), 1, 2, 6, 6) == [(3, 0)]
    assert options(place(table(), {9: 1, 10: 1, 11: 1}, 0), 1, 1, 1, 1) == []


def test_a_closed_column_and_one_climbed_to_its_end_cannot_be_taken() -> None:
    record = place(table(), {7: 13}, 2)
    record["closed"][6] = 1
    assert not can_climb(record, 0, 7)
    assert not can_climb(record, 0, 6)
    assert can_climb(record, 0, 8)


def test_a_runner_begins_above_where_the_seat_has_come() -> None:
    record = place(table(), {}, 3)
    record["space"][0][8] = 4
    climb(record, 0, 8)
    climb(record, 0, 8)
    assert (record["runner"][8], record["free"]) == (6, 2)


def test_two_spaces_of_a_column_with_one_left_take_the_one() -> None:
    record = place(table(), {2: 2}, 2)
    climb(record, 0, 2)
    climb(record, 0, 2)
    assert record["runner"][2] == 3


def test_stopping_keeps_what_was_climbed_and_closes_a_column_that_is_won() -> None:
    laid = table()
    record = place(laid, {12: 3, 7: 5}, 1)
    keep(record, laid.rules[0], 1)
    assert (record["space"][1][12], record["space"][1][7], record["closed"][12], record["closed"][7]) == (3, 5, 1, 0)
    assert (record["won"][1], record["over"]) == (1, 0)


def test_three_columns_win_the_game() -> None:
    laid = table()
    record = place(laid, {2: 3, 12: 3}, 1)
    record["won"][0] = 1
    keep(record, laid.rules[0], 0)
    assert (record["won"][0], record["wins"][0], record["over"]) == (3, 1, 1)


def test_with_a_free_runner_nobody_busts() -> None:
    first_turns = run("cantstop", players=2, games=20_000, strategies=["conservative"], rules={"turn_cap": 2})
    assert first_turns.tally["busts"].moments()[0] == 0


KELLER = {
    "three columns in the middle": ({6: 1, 7: 1, 8: 1}, 2 * 2 + 1 * 2 + 2 * 2),
    "all even": ({4: 1, 6: 1, 8: 1}, 4 * 2 + 2 * 2 + 2 * 2 - 2),
    "all odd": ({5: 1, 7: 2, 9: 1}, 3 * 2 + 1 * 3 + 3 * 2 + 2),
    "all low": ({2: 1, 5: 1, 6: 3}, 6 * 2 + 3 * 2 + 2 * 4 + 4),
    "all high and even": ({8: 1, 10: 1, 12: 2}, 2 * 2 + 4 * 2 + 6 * 3 + 4 - 2),
    "a runner is free": ({2: 1, 12: 1}, 6 * 2 + 6 * 2),
}


@pytest.mark.parametrize("case", KELLER)
def test_progress_is_counted_as_the_rule_of_28_says(case: str) -> None:
    runners, marks = KELLER[case]
    laid = table()
    place(laid, runners, 3 - len(runners))
    assert progress(laid.view[0]) == marks


def test_the_rule_of_28_beats_caution() -> None:
    rules_first = run("cantstop", players=2, games=20_000, strategies=["rule_of_28", "conservative"])
    caution_first = run("cantstop", players=2, games=20_000, strategies=["conservative", "rule_of_28"])
    assert rules_first.estimates["wins.0"].low > 0.6
    assert caution_first.estimates["wins.1"].low > 0.6


def test_a_column_without_spaces_has_one_so_that_no_game_has_more_rolls_than_declared() -> None:
    played = run("cantstop", players=2, games=1000, strategies=["uniform"], rules={"columns": [0] * 11, "turn_cap": 1})
    assert played.estimates["rolls"].best > 1
