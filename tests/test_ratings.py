"""Ratings: those of an independent library, intervals that hold the truth as often as they say, and honest about who never won."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import choix
import numpy as np
import pytest
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from simulator.studies import ratings
from simulator.studies.ratings import ELO, Contest, chance, cycles, rate

WORTH = (0.0, 0.4, -0.3, 0.9)
"""Logarithms of what four strategies are worth."""

PAIRS = list(combinations(range(len(WORTH)), 2))


def met(a: int, b: int, rivals: int, first: tuple[int, int], second: tuple[int, int]) -> Contest:
    """Two that met at independent tables; with a single rival all games are the first's."""
    (won, lost), (other_won, other_lost) = first, second
    n = max(1, won + lost)
    apart = n * (won / n) * (lost / n)
    if rivals == 1:
        return Contest(a, b, 1, (won, lost), None, apart)
    return Contest(a, b, rivals, first, second, apart + n * (other_won / n) * (other_lost / n))


def played(rng: Any, worth: Sequence[float], rivals: int, n: int, bend: float = 0.0) -> list[Contest]:
    """Games at random; `bend` moves the chances away from what any ratings say."""
    found = []
    for k, (a, b) in enumerate(combinations(range(len(worth)), 2)):
        wins = [int(rng.binomial(n, p)) for p in bent(worth[a], worth[b], rivals, bend * (-1) ** k)]
        found.append(met(a, b, rivals, (wins[0], n - wins[0]), (wins[1], n - wins[1])))
    return found


def bent(a: float, b: float, rivals: int, by: float) -> tuple[float, float]:
    return chance(a + by, b, rivals), chance(b - by, a, rivals)


def penalised(contests: Sequence[Contest], values: Sequence[float]) -> list[tuple[int, int, int, float, float]]:
    """The records with Firth's penalty as games: rivals, who sat alone, among whom, won and lost, half of the leverage added."""
    rows = [(c.rivals, *row) for c in contests for row in c.rows()]
    design = np.zeros((len(rows), len(values)))
    weights = np.zeros(len(rows))
    for k, (rivals, alone, rival, won, lost) in enumerate(rows):
        design[k, alone], design[k, rival] = 1, -1
        p = chance(values[alone], values[rival], rivals)
        weights[k] = (won + lost) * p * (1 - p)
    inverse = np.linalg.pinv(design.T @ (weights[:, None] * design))
    leverage = weights * np.einsum("ki,ij,kj->k", design, inverse, design)
    assert leverage.sum() == pytest.approx(len(values) - 1)
    return [(r, a, b, won + h / 2, lost + h / 2) for (r, a, b, won, lost), h in zip(rows, leverage, strict=True)]


def test_ratings_of_two_at_a_table_are_those_of_an_independent_library() -> None:
    contests = played(np.random.default_rng(1), WORTH, 1, 200)
    ours = [e.best for e in rate(4, contests, zero=2).values]
    won = np.zeros((4, 4))
    for _, alone, rival, wins, losses in penalised(contests, [w / ELO for w in ours]):
        won[alone, rival], won[rival, alone] = wins, losses
    theirs = choix.ilsr_pairwise_dense(won, tol=1e-12)
    assert ours == pytest.approx([ELO * (w - theirs[2]) for w in theirs], abs=1e-5)


@pytest.mark.parametrize("rivals", [1, 3])
def test_ratings_are_those_of_a_logistic_regression_on_the_penalised_records(rivals: int) -> None:
    contests = [  # of two records with as many games each it would cancel that one sits among several
        replace(c, first_record=(4 * c.first_record[0], 4 * c.first_record[1])) for c in played(np.random.default_rng(2), WORTH, rivals, 30)
    ]
    ours = [e.best / ELO for e in rate(4, contests, zero=0).values]
    rows = penalised(contests, ours)
    design = np.array([[(s == alone) - (s == rival) for s in (1, 2, 3)] for _, alone, rival, _, _ in rows], float)
    counts = np.array([row[3:] for row in rows])
    theirs = GLM(counts, design, family=Binomial(), offset=np.full(len(rows), -math.log(rivals))).fit(tol=1e-12)
    assert ours[1:] == pytest.approx(list(theirs.params), abs=1e-6)


def test_two_that_met_are_as_far_apart_as_half_a_game_more_won_by_each_says() -> None:
    for won, lost in ((7, 3), (1, 12), (400, 399)):
        (_, other) = rate(2, [met(0, 1, 1, (won, lost), (0, 0))], zero=0).values
        assert other.best == pytest.approx(ELO * math.log((lost + 0.5) / (won + 0.5)))


@pytest.mark.parametrize("rivals", [1, 3])
def test_few_games_do_not_put_ratings_too_far_apart(rivals: int) -> None:
    rng, worth, rounds = np.random.default_rng(12), (0.0, 1.0, -1.5, 2.0), 1200
    found = np.array([ratings._fitted(range(4), played(rng, worth, rivals, {1: 12, 3: 5}[rivals]), 0)[0] for _ in range(rounds)])
    error = found.std(axis=0) / math.sqrt(rounds)
    assert (np.abs(found.mean(axis=0) - worth) < 0.025 + 2 * error).all()


@pytest.mark.parametrize("rivals", [1, 3])
def test_intervals_hold_a_known_truth_as_often_as_they_say(rivals: int) -> None:
    rng = np.random.default_rng(3)
    held = np.zeros(4)
    for _ in range(250):
        values = rate(4, played(rng, WORTH, rivals, 500), zero=0).values
        held += [e.low <= ELO * w <= e.high for e, w in zip(values, WORTH, strict=True)]
    assert held[0] == 250
    assert (held[1:] >= 0.91 * 250).all()
    assert 0.93 <= held[1:].sum() / 750 <= 0.97


def test_intervals_hold_the_best_fitting_ratings_where_none_fits_well() -> None:
    n = 10**7
    exact = [
        met(a, b, 3, (round(n * p), n - round(n * p)), (round(n * q), n - round(n * q)))
        for k, (a, b) in enumerate(PAIRS)
        for p, q in [bent(WORTH[a], WORTH[b], 3, 0.5 * (-1) ** k)]
    ]
    truth = [e.best for e in rate(4, exact).values]
    rng = np.random.default_rng(4)
    found = [rate(4, played(rng, WORTH, 3, 500, bend=0.5)).values for _ in range(250)]
    held = sum(e.low <= t <= e.high for values in found for e, t in zip(values, truth, strict=True))
    assert 0.92 <= held / 1000 <= 0.98


def test_the_variance_is_that_of_the_games_and_not_of_the_model() -> None:
    contests = played(np.random.default_rng(5), WORTH, 1, 1000)
    steadier = [Contest(c.first, c.second, 1, c.first_record, None, c.variance / 4) for c in contests]
    widths = [[e.high - e.low for e in rate(4, some, zero=0).values] for some in (contests, steadier)]
    assert widths[1] == pytest.approx([w / 2 for w in widths[0]])


def test_ten_times_the_worth_is_four_hundred_points() -> None:
    (zero, other) = rate(2, [met(0, 1, 1, (1000, 10_000), (0, 0))], zero=0).values
    assert (zero.best, zero.low, zero.high) == (0, 0, 0)
    assert other.best == pytest.approx(400, abs=0.1)


def test_one_among_three_equals_wins_a_quarter_of_the_games_and_is_rated_the_same() -> None:
    values = rate(2, [met(0, 1, 3, (250, 750), (250, 750))]).values
    assert [e.best for e in values] == pytest.approx([0, 0], abs=1e-6)


def test_without_a_strategy_at_zero_the_mean_is_zero() -> None:
    found = rate(4, played(np.random.default_rng(6), WORTH, 1, 300))
    assert found.zero is None
    assert sum(e.best for e in found.values) == pytest.approx(0, abs=1e-6)
    assert all(e.low < e.best < e.high for e in found.values)


def test_who_never_won_has_no_lower_end_and_leaves_the_others_alone() -> None:
    three = played(np.random.default_rng(7), WORTH[:3], 1, 300)
    lost = [met(s, 3, 1, (400, 0), (0, 0)) for s in range(3)]
    found = rate(4, [*three, *lost], zero=0).values
    assert found[:3] == tuple(replace(e, n=found[k].n) for k, e in enumerate(rate(3, three, zero=0).values))
    assert found[3].low == -math.inf
    assert found[3].best < found[3].high < min(e.low for e in found[:3])


@pytest.mark.parametrize("rivals", [1, 3])
def test_the_end_of_who_never_won_is_where_that_had_a_chance_of_one_in_forty(rivals: int) -> None:
    (_, other) = rate(2, [met(0, 1, rivals, (200, 0), (0, 200))], zero=0).values
    worth = other.high / ELO
    lost_all = (1 - chance(worth, 0, rivals)) ** 200 * (chance(0, worth, rivals) ** 200 if rivals > 1 else 1)
    assert math.sqrt(lost_all) == pytest.approx(0.025)  # half of the games count


def test_who_never_lost_has_no_upper_end() -> None:
    (_, other) = rate(2, [met(0, 1, 1, (0, 300), (0, 0))], zero=0).values
    assert other.high == math.inf
    assert 0 < other.low < other.best


@pytest.mark.parametrize("rivals", [1, 3])
def test_where_no_game_had_a_winner_nothing_is_known(rivals: int) -> None:
    (zero, other) = rate(2, [met(0, 1, rivals, (0, 0), (0, 0))], zero=0).values
    assert (zero.low, zero.high) == (0, 0)
    assert (other.low, other.high) == (-math.inf, math.inf)


def test_where_one_never_had_a_winner_the_others_are_rated_all_the_same() -> None:
    three = played(np.random.default_rng(7), WORTH[:3], 1, 300)
    found = rate(4, [*three, *(met(s, 3, 1, (0, 0), (0, 0)) for s in range(3))], zero=0).values
    assert [e.best for e in found[:3]] == [e.best for e in rate(3, three, zero=0).values]
    assert (found[3].low, found[3].high) == (-math.inf, math.inf)


@pytest.mark.parametrize("bend", [0.0, 0.5])
def test_a_misfit_is_more_than_luck_only_where_there_is_one(bend: float) -> None:
    """Among the many records of eight strategies as seldom as promised."""
    rng = np.random.default_rng(11)
    named = 0
    for _ in range(30):
        misfit = rate(8, played(rng, np.linspace(-0.6, 0.6, 8), 1, 400, bend)).misfit
        assert misfit is not None
        named += misfit.is_more_than_luck
    assert named <= 6 if bend == 0 else named == 30


def test_the_worst_fit_is_named() -> None:
    rock_paper_scissors = [met(a, b, 1, (90, 10) if (a, b) != (0, 2) else (10, 90), (0, 0)) for a, b in combinations(range(3), 2)]
    found = rate(3, rock_paper_scissors)
    assert [e.best for e in found.values] == pytest.approx([0, 0, 0], abs=1e-6)
    assert found.misfit is not None
    assert abs(found.misfit.seen.best - 0.5) == pytest.approx(0.4)
    assert found.misfit.expected == pytest.approx(0.5)


# ---------------------------------------------------------------- order
def test_an_order_without_contradictions_has_no_cycle() -> None:
    assert cycles(5, set(combinations(range(5), 2))) == ()
    assert cycles(3, {(0, 1), (1, 2)}) == ()


def test_every_round_of_three_is_found_once() -> None:
    everybody = {(0, 1), (1, 2), (2, 0), (3, 0), (1, 3), (3, 2)}
    assert set(cycles(4, everybody)) == {(0, 1, 2), (0, 1, 3)}


def test_a_longer_round_is_found_where_it_holds_none_of_three() -> None:
    assert cycles(5, {(1, 3), (3, 2), (2, 4), (4, 1), (0, 1)}) == ((1, 3, 2, 4),)
