"""Sentences say what the numbers say and no more."""

from __future__ import annotations

import pandas as pd
import pytest

from reports import words
from simulator.document.figures import number


def lines(*bounds: tuple[float, float, float], kind: str = "share") -> list[words.Line]:
    """A line for each low, best and high."""
    rows = [
        {"run": f"{i} players", "kind": kind, "unit": "turns", "low": low, "best": best, "high": high, "n": 10}
        for i, (low, best, high) in enumerate(bounds, 2)
    ]
    return words.lines_of(pd.DataFrame(rows))


def test_a_single_run_is_told_by_its_interval() -> None:
    assert words.span(lines((0.1531, 0.1546, 0.1562))) == "15.3 to 15.6 percent of games with 2 players"


def test_runs_apart_are_told_by_the_lowest_and_the_highest_in_the_order_of_the_runs() -> None:
    told = words.span(lines((0.31, 0.32, 0.33), (0.21, 0.22, 0.23), (0.11, 0.12, 0.13)))
    assert told == "31 to 33 percent of games with 2 players and 11 to 13 percent with 4 players"


def test_overlapping_intervals_are_not_called_a_difference() -> None:
    told = words.span(lines((0.10, 0.12, 0.14), (0.13, 0.15, 0.17)))
    assert told == "10 to 17 percent of games; the intervals of the lowest and highest run overlap"


def test_means_carry_their_unit_once() -> None:
    told = words.span(lines((10, 11, 12), (20, 21, 22), kind="count"), " on average")
    assert told == "10 to 12 turns on average with 2 players and 20 to 22 with 3 players"


@pytest.mark.parametrize(("value", "digits", "text"), [(-1.5, 1, "\N{MINUS SIGN}1.5"), (-0.01, 1, "0.0"), (float("inf"), 1, "unknown")])
def test_numbers_are_written_as_in_print(value: float, digits: int, text: str) -> None:
    assert number(value, digits) == text
