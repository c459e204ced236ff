"""Shares and widths: what is read, and what no share can be."""

from __future__ import annotations

import math

import pytest

from simulator.errors import UserError
from simulator.numbers import number_text, read_number, read_pace
from simulator.play.run import Precision, make_experiment
from simulator.stats.shares import EVERY_SHARE, check_ends, check_width, read_widths

PIG = make_experiment("pig", players=2)
GRINCHMAS = make_experiment("grinchmas")


@pytest.mark.parametrize(("text", "number"), [("0.6", 0.6), ("60%", 0.6), (" 60 % ", 0.6), ("-5%", -0.05), ("1e-3", 0.001)])
def test_percent_is_the_same_as_a_share(text: str, number: float) -> None:
    assert read_number(text) == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30", 30), ("30s", 30), ("7.5", 7.5), (" 2min ", 120), ("2 Minutes", 120), ("1.5m", 90), ("1h", 3600), ("45 secs", 45)],
)
def test_a_pace_is_in_seconds_or_minutes(text: str, seconds: float) -> None:
    assert read_pace(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "-3", "0.01s", "25h", "fast", "2 fortnights", "30%", "1:30", "nan"])
def test_what_is_no_time_of_a_turn_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(UserError, match="such as 45, 45s or 2min"):
        read_pace(text)


@pytest.mark.parametrize("text", ["", "%", "few", "6%%", "6:12"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert math.isnan(read_number(text))


def test_a_number_is_told_as_it_was_written() -> None:
    assert [number_text(read_number(text)) for text in ("0.05", "5%")] == ["0.05", "5%"]


def test_widths_are_for_all_shares_or_for_a_metric() -> None:
    assert read_widths(["2%", "turns=0.5"], "--within", "width") == {EVERY_SHARE: 0.02, "turns": 0.5}
    assert read_widths(["turns=0"], "--margin", "margin", least=0.0) == {"turns": 0.0}
    for text in ("0", "-1", "inf", "nan", "turns=", "x"):
        with pytest.raises(UserError, match=r"is no width; write 0\.01 or 1% for shares"):
            read_widths([text], "--within", "width")


def test_points_typed_for_a_share_are_refused_with_what_to_write() -> None:
    with pytest.raises(UserError, match=r"^--within 5 is too wide.*write 0\.05 or 5% for 5 points, or METRIC=5 for a metric"):
        read_widths(["5"], "--within", "width")
    with pytest.raises(UserError, match=r"write 0\.01 or 1% for 1 point\.$"):
        check_width(1, "--margin share=1", share=True)
    check_width(0.99, "--margin share=0.99", share=True)
    check_width(5, "--margin turns=5", share=False)


def test_percent_is_for_shares_alone() -> None:
    with pytest.raises(UserError, match="which only shares are"):
        check_width(read_number("5%"), "--margin turns=5%", share=False)


def test_a_share_lies_between_0_and_1_and_a_difference_between_minus_1_and_1() -> None:
    check_ends((0, 1), "--target 0:1", 0, 1)
    check_ends((-1, 1), "--target -1:1", -1, 1)
    with pytest.raises(UserError, match=r"a share lies between 0 and 1; write 0\.45 or 45% for 45 percent\.$"):
        check_ends((45, 60), "--target 45:60", 0, 1)
    with pytest.raises(UserError, match=r"a difference of shares lies between -1 and 1"):
        check_ends((-1.5, 1), "--target -1.5:1", -1, 1)


def test_a_precision_that_every_share_has_is_refused() -> None:
    with pytest.raises(UserError, match=r"--precision 5 is too wide.* or 5:METRIC for"):
        Precision(5).metric_of(PIG)
    with pytest.raises(UserError, match=r"--precision 5:wins\.1 is too wide"):
        Precision(5, "wins.1").metric_of(PIG)
    assert Precision(5, "turns").metric_of(PIG).name == "turns"


def test_a_precision_that_names_no_metric_is_about_the_first_outcome() -> None:
    assert [Precision(0.01).metric_of(asked).name for asked in (PIG, GRINCHMAS)] == ["wins.0", "players_win"]
