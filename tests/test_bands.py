"""Bands: what is written is read, told in the units of its metric, and holds an estimate, does not, or leaves it open."""

from __future__ import annotations

import math

import pytest

from simulator.stats.bands import Band, read_band
from simulator.stats.estimate import Estimate


@pytest.mark.parametrize(
    ("text", "metric", "ends"),
    [
        ("players_win=0.60", "players_win", (0.6,)),
        (" turns = 25 : 35 ", "turns", (25.0, 35.0)),
        ("45%:60%", None, (0.45, 0.6)),
        ("0.45:0.6:wins.0", "wins.0", (0.45, 0.6)),
        ("wins.0=-1%:1%", "wins.0", (-0.01, 0.01)),
        ("wins.0=0.45:0.6:turns", "wins.0", ()),
        ("turns", None, (math.nan,)),
        ("turns=", None, ()),
        ("a=b=1:2", None, ()),
        ("1:2:3:4", None, ()),
        ("two words=1:2", None, ()),
    ],
)
def test_a_band_is_read_with_its_metric_before_or_behind(text: str, metric: str | None, ends: tuple[float, ...]) -> None:
    assert read_band(text) == (metric, pytest.approx(ends, nan_ok=True))


def test_a_band_is_told_in_the_units_of_its_metric() -> None:
    assert Band(0.45, 0.6).text("share") == "45% to 60%"
    assert Band(-0.02, 0.02).text("share", difference=True) == "-2 to +2 points"
    assert Band(0.3, math.inf).text("share", difference=True) == "at least +30 points"
    assert Band(-math.inf, 12.5).text("turns") == "at most 12.5 turns"
    assert Band(1, math.inf).text("turns", difference=True) == "at least +1 turn"
    assert Band(-math.inf, -0.01).text("share", difference=True) == "at most -1 point"
    assert [Band(-math.inf, 1).text(unit) for unit in ("bonuses", "steps or fruits", "dice")] == [
        "at most 1 bonus",
        "at most 1 step or fruit",
        "at most 1 dice",
    ]


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.5, 0.6, "yes"),
        (0.51, 0.59, "yes"),
        (0.49, 0.55, "open"),
        (0.3, 0.7, "open"),
        (0.3, 0.49, "no"),
        (0.3, 0.5, "open"),  # the end belongs to the band
        (0.61, 0.7, "no"),
    ],
)
def test_whether_a_figure_lies_within_is_read_off_the_interval(low: float, high: float, verdict: str) -> None:
    assert Band(0.5, 0.6).judge(Estimate((low + high) / 2, low, high, 9, "share")) == verdict


@pytest.mark.parametrize(("value", "miss"), [(0.25, 2.0), (0.5, 0.0), (0.7, 0.0), (1.0, 2.0)])
def test_a_miss_is_counted_in_half_widths_from_the_nearer_end(value: float, miss: float) -> None:
    band = Band(0.5, 0.75)
    assert band.miss(value) == miss
    assert band.misses(Estimate(value, value, value, 9, "share")) == (miss, miss, miss)
    assert (abs(band.place(value)) <= 1) == (miss == 0)


def test_an_interval_across_the_band_may_miss_nothing_and_misses_as_much_as_its_farther_end() -> None:
    assert Band(0.5, 0.75).misses(Estimate(0.25, 0.125, 0.875, 9, "share")) == (0.0, 2.0, 3.0)


@pytest.mark.parametrize("low", [0.9, 0.91, 0.97, 0.985])  # rounding moves an end of some of them, when it is seen from the middle
def test_rounding_moves_nothing_beyond_an_end(low: float) -> None:
    band = Band(low, 1.0)
    assert -1.0 <= band.place(low) < band.place(1.0) <= 1.0
    assert (band.place(low), band.place(1.0)) == pytest.approx((-1.0, 1.0))
