"""What is counted on estimated chances: right on average and held by the intervals, where counting at face value is not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

from simulator.stats.estimate import estimate_share
from simulator.stats.extrapolation import SAMPLES, extrapolated_mean

MARK = 0.9
SHAPE = (6.0, 2.0)
"""Of the distribution of chances that are made up: some are above the mark, and more are just below it."""


def made_up(rng: np.random.Generator, playouts: int, block: int) -> np.ndarray[Any, Any]:
    """Whether chances are above the mark, as each sample of four blocks of nested playouts says."""
    chances = rng.beta(*SHAPE, playouts)
    won = rng.binomial(block, chances, (4, playouts))
    columns = []
    for blocks in SAMPLES:
        rollouts = block * len(blocks)
        columns.append((won[list(blocks)].sum(axis=0) + rng.random(playouts) - 0.5) / rollouts >= MARK)
    return np.column_stack(columns).astype(float)


def test_the_samples_are_all_nested_playouts_their_halves_and_their_quarters() -> None:
    assert [len(blocks) for blocks in SAMPLES] == [4, 2, 2, 1, 1, 1, 1]
    assert sorted(SAMPLES[1] + SAMPLES[2]) == sorted(b for blocks in SAMPLES[3:] for b in blocks) == [0, 1, 2, 3]


def test_the_bias_is_taken_off_and_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng, rounds, playouts = np.random.default_rng(8), 300, 1500
    truth = float(beta.sf(MARK, *SHAPE))
    found, bare, held, held_bare = [], [], 0, 0
    for _ in range(rounds):
        counts = made_up(rng, playouts, 10)
        estimate = extrapolated_mean(counts, "share", 0, 1)
        face_value = estimate_share(int(counts[:, 0].sum()), playouts)
        found.append(estimate.best)
        bare.append(face_value.best)
        held += estimate.low <= truth <= estimate.high
        held_bare += face_value.low <= truth <= face_value.high
    assert np.mean(bare) - truth > 0.02
    assert abs(np.mean(found) - truth) < 0.003
    assert held_bare < 0.5 * rounds
    assert held >= 0.93 * rounds


def test_terms_in_one_over_the_nested_playouts_and_its_square_leave_no_trace() -> None:
    sizes = np.array([len(blocks) for blocks in SAMPLES]) / 4
    for a, b in ((0.3, 0.0), (0.0, -0.2), (0.5, 0.1)):
        counts = np.tile(2 + a / sizes + b / sizes**2, (50, 1))
        assert extrapolated_mean(counts, "changes", 0, 9).best == pytest.approx(2)


def test_the_more_the_extrapolation_takes_off_the_wider_is_the_interval() -> None:
    values = np.repeat([0.0, 1.0], 200)[:, None]
    widths = []
    for off in (0.0, 0.05, 0.2, 5.0):
        shift = off * np.array([1, 2, 2, 4, 4, 4, 4])
        estimate = extrapolated_mean(values + shift, "x", -math.inf, 99)
        assert estimate.best == pytest.approx(0.5)
        widths.append(estimate.high - estimate.low)
    assert widths[0] == pytest.approx(2 * 1.966 * math.sqrt(0.25 / 399 + 1.966**2 / 400**2), rel=0.01)
    assert widths == sorted(widths)
    assert widths[3] == pytest.approx(5.0 + widths[0], rel=0.02), "half of it to either side"


def test_what_was_never_seen_has_an_interval_all_the_same() -> None:
    never = np.zeros((100, len(SAMPLES)))
    share = extrapolated_mean(never, "share", 0, 1)
    assert (share.best, share.low) == (0, 0)
    assert 0.03 < share.high < 0.05
    mean = extrapolated_mean(never, "changes", 0, math.inf)
    assert (mean.best, mean.low, mean.high) == (0, -math.inf, math.inf)
    one = extrapolated_mean(never[:1], "share", 0, 1)
    assert (one.low, one.high) == (0, 1)


def test_no_share_is_below_nought() -> None:
    counts = np.zeros((50, len(SAMPLES)))
    counts[0, 1:3] = 1
    found = extrapolated_mean(counts, "share", 0, 1)
    assert (found.best, found.low) == (0, 0)
