"""Figures counted on estimated chances, without what the noise of the estimates adds to them.

What is counted on chances that nested playouts estimate, such as how often one falls below a mark, is off on average: noise
crosses marks of its own. With R nested playouts it is off by nearly a / R + b / R**2. So it is counted by all of them, by halves
and by quarters of them, and extrapolated to endlessly many. What the extrapolation may miss goes into the interval.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.stats.estimate import CONFIDENCE, Estimate, widened

if TYPE_CHECKING:
    Counts = np.ndarray[Any, np.dtype[np.float64]]

SAMPLES: tuple[tuple[int, ...], ...] = ((0, 1, 2, 3), (0, 1), (2, 3), (0,), (1,), (2,), (3,))
"""Which of four equal blocks of nested playouts are counted by: all, then each half, then each quarter."""

_WHOLE, _HALVES, _QUARTERS = slice(0, 1), slice(1, 3), slice(3, 7)


def extrapolated_mean(counts: Counts, unit: str, low: float, high: float, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of what was counted on some playouts, extrapolated to endlessly many nested ones.

    The terms in 1 / R and 1 / R**2 are taken off playout by playout, as the jackknife does. Half of what that took off, and what
    the second of the two terms changed, is taken for the most that is left; the interval is that of a mean which may be off
    by so much, and its variance is widened as for paired differences.

    Args:
        counts: what was counted, float64, shape (playouts, SAMPLES): a column for each of the samples of its nested playouts.
        unit: what one is one of.
        low: below which the mean does not lie.
        high: above which it does not; if infinite and all values are alike, nothing is known of what they may be else, and so
            the interval is infinite.
        confidence: of the interval.

    Source: Gordy and Juneja, "Nested simulation in portfolio risk measurement", Management Science 56(10), 2010, sections 3
    and 4, for the bias and the jackknife; Armstrong and Kolesar, "Optimal inference in a class of regression models",
    Econometrica 86(2), 2018, for the interval.

    >>> counts = np.array([[1, 1, 1, 1, 2, 1, 2]] * 40 + [[0, 0, 0, 0, 1, 0, 0]] * 60)
    >>> found = extrapolated_mean(counts, "changes", 0, np.inf)
    >>> print(f"{found.best:.2f}, {found.low:.2f} to {found.high:.2f}")
    0.52, 0.25 to 0.79
    """
    whole, halves, quarters = (counts[:, part].mean(axis=1) for part in (_WHOLE, _HALVES, _QUARTERS))
    twice = 2 * whole - halves
    values = (8 * whole - 6 * halves + quarters) / 3
    n, best = len(values), float(values.mean())
    if n == 1 or (high == math.inf and (values == values[0]).all()):
        ends = (low, high) if high < math.inf else (-math.inf, math.inf)
    else:
        left = abs(best - float(whole.mean())) / 2 + abs(best - float(twice.mean()))
        half = _reach(left, float(values.var(ddof=1)), n, confidence)
        ends = (max(best - half, low), min(best + half, high))
    return Estimate(min(max(best, low), high), *ends, n, unit)


def _reach(left: float, variance: float, n: int, confidence: float) -> float:
    """Half the width of the interval of a mean that may be off by `left`."""
    from scipy.special import chndtrix, stdtrit  # noqa: PLC0415  importing SciPy takes a while

    quantile = float(stdtrit(n - 1, (1 + confidence) / 2))
    error = widened(quantile, variance, n, 1.0) / quantile
    bias = min(left / error, _FARTHEST)
    normal = math.sqrt(chndtrix(confidence, 1, 0))
    return error * (math.sqrt(chndtrix(confidence, 1, bias * bias)) + quantile - normal) + max(0.0, left - bias * error)


_FARTHEST = 20.0
"""Standard errors of a bias from which on the interval is that of a mean at its one end."""
