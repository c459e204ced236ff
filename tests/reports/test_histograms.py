"""Histograms say exactly what the tallies say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reports.balance import histograms
from simulator.play.run import Result

Make = Callable[..., Result]


def test_a_distribution_counts_by_outcome_and_bin(team: Make) -> None:
    table = histograms.distribution([team()], "turns")
    seen = table[table["count"] > 0]
    assert list(zip(seen["outcome"], seen["left"], seen["count"], strict=True)) == [
        ("players_win", 10, 40),
        ("players_win", 12, 20),
        ("foe_wins", 12, 30),
        ("foe_wins", 20, 10),
    ]
    assert table["share"].sum() == pytest.approx(1)
    first = table.iloc[0]
    assert (first["q05"], first["q25"], first["median"], first["q75"], first["q95"]) == (10, 10, 12, 12, 20)
    assert (first["least"], first["most"], first["below"], first["above"]) == (10, 20, 0, 0)


def test_an_outcome_keeps_its_place_in_every_run(team: Make) -> None:
    won, lost = {10: (100, 0, 0)}, {10: (0, 100, 0)}
    runs = [team(players=2, won=(100, 0, 0), tables=(won,) * 4), team(players=3, won=(0, 100, 0), tables=(lost,) * 4)]
    table = histograms.distribution(runs, "lead")
    assert dict(zip(table["outcome"], table["ending"], strict=True)) == {"players_win": 0, "foe_wins": 1}
    assert set(table["endings"]) == {2}


def test_a_long_tail_is_left_out_and_its_share_told(team: Make) -> None:
    turns = {**dict.fromkeys(range(20), (100, 0, 0)), 1000: (1, 0, 0)}
    table = histograms.distribution([team(won=(2001, 0, 0), tables=(turns,) * 4)], "turns")
    first = table.iloc[0]
    assert (first["first"], first["last"], first["most"]) == (0, 19, 1000)
    assert first["above"] == pytest.approx(1 / 2001)
    assert table["share"].sum() + first["above"] == pytest.approx(1)


def test_wide_ranges_are_binned_with_zero_at_the_beginning_of_a_bin(team: Make) -> None:
    lead = dict.fromkeys(range(-105, 95), (1, 0, 0))
    table = histograms.distribution([team(won=(200, 0, 0), tables=(lead,) * 4)], "lead")
    assert set(table["width"]) == {5}
    assert 0 in set(table["left"])
    assert table["count"].sum() == 200
