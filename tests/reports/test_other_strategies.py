"""Other strategies are played to see who is favoured then, and a warning stands where they disagree."""

from __future__ import annotations

from collections.abc import Callable

from reports.balance import other_strategies
from simulator.play.run import Result
from simulator.stats.estimate import estimate_share
from simulator.studies.ladder import Rung, report_chapter

Make = Callable[..., Result]


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
