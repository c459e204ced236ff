"""Rounded figures neither contradict each other nor hide on which side of zero they lie."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.document.figures import advantage_text, difference_text
from simulator.stats.estimate import Estimate
from simulator.stats.rounding import agreeing, sided


def read(value: float, places: int) -> float:
    return float(f"{value:.{places}f}")


@pytest.mark.parametrize("places", [0, 1])
def test_a_difference_agrees_with_its_figures_as_they_are_read(places: int) -> None:
    more = 0
    for before, after in np.random.default_rng(3).integers(0, 1001, (2000, 2)) / 10 ** (places + 1):  # told exactly by one more decimal
        enough = agreeing(before, after, places)
        assert read(after, enough) - read(before, enough) == pytest.approx(read(after - before, enough), abs=1e-9)
        more += enough > places
    assert 300 < more < 700, "decimals are added where they are needed only"


def test_figures_that_no_number_of_decimals_makes_agree_get_one_more_and_no_further_ones() -> None:
    before, after = 158 / 3, 157 / 3
    assert [read(x, 2) for x in (before, after, after - before)] == [52.67, 52.33, -0.33]
    assert agreeing(before, after, 0) == 1


def test_an_end_of_an_interval_is_told_as_zero_only_where_it_is_zero() -> None:
    for end, places in ((0.3, 0), (-0.3, 0), (0.0004, 2), (0.0, 0), (7.0, 0), (1e-12, 0)):
        assert (read(end, sided(end, places)) == 0) == (abs(end) < 1e-9)
    assert sided(7.0, 0) == 0


def test_a_difference_in_the_terminal_says_on_which_side_of_zero_its_ends_lie() -> None:
    assert difference_text(Estimate(0.0148, 0.0004, 0.03, 500, "share")) == "+1\n+0.04 to +3"
    assert difference_text(Estimate(0.0148, -0.003, 0.03, 500, "share")) == "+1\n-0.3 to +3"
    assert difference_text(Estimate(0.0148, 0.0, 0.03, 500, "share")) == "+1\n+0 to +3"
    assert "(+0.2 to +5)" in advantage_text(Estimate(0.026, 0.002, 0.05, 500, "share"))
