"""A game's own events, and what goes with winning, are told as far as the intervals bear it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reports.balance import what_happens
from simulator.play.run import Result
from simulator.stats.estimate import estimate_share

Make = Callable[..., Result]


def test_a_bar_leads_only_if_its_interval_is_clear_of_the_others(team: Make) -> None:
    result = team()
    shown = result.experiment.game.breakdowns[0]
    assert what_happens.breakdown_words(what_happens.breakdown_frame([result], shown)).title.startswith("Who hits: b leads, 5.3")
    same = {0: (60, 0, 0), 1: (0, 40, 0)}
    even = team(tables=(same, same, same, same))
    assert what_happens.breakdown_words(what_happens.breakdown_frame([even], shown)).title == "Who hits"


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
