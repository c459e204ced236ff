"""What decides a game: the variance of its outcome split into strategy, seat and luck.

Somebody with one of several strategies, each as likely, takes one of the seats, each as likely, among players of the
default strategy. Whether this player wins is 0 or 1, and how much that varies splits up: into how far the chance to win
depends on the strategy, how far on the seat, and what is left, which is luck: that the same strategy in the same seat wins
one playout and loses another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.stats.estimate import CONFIDENCE, Estimate

if TYPE_CHECKING:
    from simulator.studies.crossed import Wins

Matrix = np.ndarray[Any, np.dtype[np.float64]]

DRAWS = 20_000
"""Simulated errors behind an interval."""


@dataclass(frozen=True)
class Split:
    """Parts of the variance of who wins; they add up to 1.

    Each is right on average, and so a part that is nothing comes out a little below nought as often as above.

    Attributes:
        strategy: how far the chance to win depends on the strategy.
        seat: how far it depends on the seat; exactly 0 where all win or lose together.
        luck: the rest.
        strategies: the strategies that were set against each other, each as likely.
    """

    strategy: Estimate
    seat: Estimate
    luck: Estimate
    strategies: tuple[str, ...]

    @property
    def shown(self) -> dict[str, Estimate]:
        """The parts by name as they are printed: none is below nought, or otherwise outside its interval."""
        parts = {"strategy": self.strategy, "seat": self.seat, "luck": self.luck}
        return {name: replace(part, best=min(max(part.best, part.low), part.high)) for name, part in parts.items()}

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "strategy": self.strategy.as_dict(),
            "seat": self.seat.as_dict(),
            "luck": self.luck.as_dict(),
            "strategies": list(self.strategies),
        }


def split_variance(wins: Wins, strategies: tuple[str, ...], seats: int, *, seed: int) -> Split | None:
    """Split the variance of who wins; None where there is none, or only one playout.

    With p the chance to win by strategy and seat, the whole is q(1 - q), q being the mean of p. The strategy's part is the
    variance of p's means over the seats, the seat's part that of its means over the strategies, and what both do together
    goes to them in halves: the Shapley effects of the two. Luck is the mean of p(1 - p). All three over the whole.

    The shares of wins overstate every difference, as they vary by luck themselves; their variance, which is counted
    exactly, is taken off. Intervals are by `squared_length`.

    Args:
        wins: counts of cells, all seats of the first strategy first.
        strategies: their names.
        seats: how many seats were tried; 1 where all win or lose together.
        seed: of the simulated errors behind the intervals.

    Source: Searle, Casella and McCulloch, "Variance components", Wiley 1992, chapter 4, for the crossed design; Owen,
    "Sobol' indices and Shapley value", SIAM/ASA Journal on Uncertainty Quantification 2, 2014, for the halves.
    """
    shares, n = wins.shares, wins.n
    mean = float(shares.mean())
    whole = mean * (1 - mean)
    if n == 1 or whole == 0:
        return None
    by_strategy, by_seat, by_both = _contrasts(len(strategies), seats)
    parts = [_part_of(np.vstack([own, by_both / math.sqrt(2)]), wins, whole, mean, seed) for own in (by_strategy, by_seat)]
    if seats == 1:
        parts[1] = Estimate(0.0, 0.0, 0.0, n, "share")
    strategy, seat = parts
    together = _part_of(np.vstack([by_strategy, by_seat, by_both]), wins, whole, mean, seed)
    best = 1 - strategy.best - seat.best
    luck = Estimate(best, min(best, 1 - together.high), max(best, 1 - together.low), n, "share")
    return Split(strategy, seat, luck, strategies)


def _contrasts(strategies: int, seats: int) -> tuple[Matrix, Matrix, Matrix]:
    """Matrices that make vectors of the chances to win whose squared lengths are the parts of their variance."""
    means = [np.full((1, k), 1 / k) for k in (strategies, seats)]
    deviations = [np.eye(k) - 1 / k for k in (strategies, seats)]
    by_strategy = np.kron(deviations[0], means[1]) / math.sqrt(strategies)
    by_seat = np.kron(means[0], deviations[1]) / math.sqrt(seats)
    by_both = np.kron(deviations[0], deviations[1]) / math.sqrt(strategies * seats)
    return by_strategy, by_seat, np.asarray(by_both, np.float64)


def _part_of(contrast: Matrix, wins: Wins, whole: float, mean: float, seed: int) -> Estimate:
    """One part over the whole; that the whole is estimated too is taken into account to first order."""
    shares = wins.shares
    vector = contrast @ shares
    slope = (contrast - np.outer(vector, np.full(len(shares), (1 - 2 * mean) / (2 * whole * len(shares))))) / math.sqrt(whole)
    best, low, high = squared_length(vector / math.sqrt(whole), slope @ wins.covariance @ slope.T, seed=seed)
    return Estimate(min(best, 1.0), min(low, 1.0), min(high, 1.0), wins.n, "share")


def squared_length(vector: Matrix, covariance: Matrix, *, seed: int, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """The squared length of a mean vector from an estimate of the vector: best, low and high.

    An estimate is longer than what it estimates, on average by its own variance, which the best value is without: right on
    average, and below nought about half the time where the length is nothing. The interval holds the lengths for which the
    observed one is neither too long nor too short to be believed: with errors of equal size in all directions that is the
    inversion of the noncentral chi-squared distribution, usual for effects in an analysis of variance. For others it is done
    with simulated errors, along the least certain of the directions that the vector may have. It is never shorter than the
    error that is to be expected of a length of nothing.

    Args:
        vector: the estimate, normally distributed.
        covariance: of its errors.
        seed: of the simulated errors.
        confidence: of the interval.

    Source: Steiger, "Beyond the F test: effect size confidence intervals and tests of close fit in the analysis of variance
    and contrast analysis", Psychological Methods 9(2), 2004.

    >>> best, low, high = squared_length(np.array([0.3, 0.4]), np.eye(2) / 1e6, seed=1)
    >>> print(f"{best:.3f}, {low:.3f} to {high:.3f}")
    0.250, 0.248 to 0.252
    """
    observed, expected = float(vector @ vector), float(np.trace(covariance))
    if expected <= 0:
        return observed, observed, observed
    values, axes = np.linalg.eigh(covariance)
    errors = np.random.default_rng(seed).standard_normal((DRAWS, len(values))) * np.sqrt(np.maximum(values, 0)) @ axes.T
    tail = (1 - confidence) / 2
    along, around = errors @ _loosest(vector + errors, covariance, 1 - tail), (errors**2).sum(axis=1)
    low, high = (_length_where(along, around, quantile, observed) ** 2 for quantile in (1 - tail, tail))
    high = max(high, expected)
    return observed - expected, low, high


def _loosest(vectors: Matrix, covariance: Matrix, quantile: float) -> Matrix:
    """Of the directions of some vectors one in which the errors are as large as in most of them."""
    directions = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    order = np.argsort(np.einsum("ki,ij,kj->k", directions, covariance, directions))
    return np.asarray(directions[order[int(quantile * (len(order) - 1))]])


def _length_where(along: Matrix, around: Matrix, quantile: float, observed: float) -> float:
    """The length for which a quantile of the squared length of an estimate is the observed one; 0 if it is beyond for all."""
    from scipy.optimize import brentq  # noqa: PLC0415  importing SciPy takes a while

    def excess(length: float) -> float:
        return float(np.quantile(length * length + 2 * length * along + around, quantile)) - observed

    if excess(0.0) >= 0:
        return 0.0
    furthest = math.sqrt(observed) + math.sqrt(float(around.max()))
    return float(brentq(excess, 0.0, furthest, xtol=1e-9))
