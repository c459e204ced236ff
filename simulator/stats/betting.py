"""Means of bounded values where few values carry most of the sum: intervals by betting, which hold whatever the values are.

A gambler bets on every value that the mean is larger than m, at odds that are fair if the mean is m. By Ville's inequality
their capital ever reaches k times what they began with, with probability 1 / k at most, if m is the truth. So all m at which
it did can be left out, at a number of values that was fixed beforehand as well as at any other. Nothing is assumed of the
values but their range, and the capital is a product over them, so that it follows from how often each of them occurred.

Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal Statistical
Society B 86(1), 2024, the hedged capital; with a mixture over the stakes, which is a martingale too and needs no order.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Floats = np.ndarray[Any, np.dtype[np.float64]]

_STAKES = 0.5 ** np.arange(50)
"""Which part of the capital is at stake, from all of it to what suits means of 1e15 values."""

_WEIGHTS = 1 / (np.arange(1, 51) * np.arange(2, 52))
"""How much of the capital is bet so: half of it at the highest stake, which is the best where all values are at an end."""

_NEAR = 1e-12


def mean_by_betting(counts: Mapping[int, int], within: tuple[int, int], error: float) -> tuple[float, float]:
    """Ends of an interval for a mean, each of which is on the wrong side of it with probability `error` at most, at any time.

    Args:
        counts: value to how often it occurred.
        within: the least and the largest value that there can be.
        error: 0 to 1.

    >>> low, high = mean_by_betting({0: 1000}, (0, 500), 0.025)
    >>> print(f"{low:.2f} to {high:.2f}")
    0.00 to 2.16
    """
    low, high = within
    if low == high:
        return float(low), float(high)
    width = high - low
    values = np.array([(value - low) / width for value in counts])
    often = np.array(list(counts.values()), float)
    mean = float(values @ often / often.sum())
    bound = -math.log(error)
    bottom = _root(lambda m: log_capital(values, often, m) - bound, mean)
    top = _root(lambda m: log_capital(1 - values, often, 1 - m, rise=m - values) - bound, mean, upwards=True)
    return low + width * bottom, low + width * top


def level_by_betting(counts: Mapping[int, int], within: tuple[int, int], mean: float) -> float:
    """The largest error at which the interval on both sides excludes a mean, twice that on one: an anytime-valid p-value."""
    low, high = within
    if not low < mean < high:
        return 1.0
    width, place = high - low, (mean - low) / (high - low)
    values = np.array([(value - low) / width for value in counts])
    often = np.array(list(counts.values()), float)
    most = max(log_capital(values, often, place), log_capital(1 - values, often, 1 - place))
    return min(1.0, 2 * math.exp(-most))


def log_capital(values: Floats, often: Floats, mean: float, *, rise: Floats | None = None) -> float:
    """Logarithm of the capital of who began with 1 and bets that the mean of `values` is larger than `mean`.

    Args:
        values: within 0 to 1.
        often: how often each occurred.
        mean: above 0 and below 1.
        rise: how far the values lie above `mean`, where that is known more exactly than by subtracting.
    """
    rise = values - mean if rise is None else rise
    with np.errstate(divide="ignore"):  # who stakes all may lose all
        growth = np.log1p(np.outer(_STAKES, np.maximum(rise / mean, -1.0))) @ often + np.log(_WEIGHTS)
    largest = float(growth.max())
    return largest + math.log(float(np.exp(growth - largest).sum()))


def _root(excess: Callable[[float], float], mean: float, *, upwards: bool = False) -> float:
    """Where the excess, below zero at the mean and rising away from it, is zero; the end of the range where it never is."""
    from scipy.optimize import brentq  # noqa: PLC0415  importing SciPy takes a while

    end = 1 - _NEAR if upwards else mean * _NEAR
    if (upwards and mean >= end) or (not upwards and mean <= 0) or excess(end) < 0:
        return float(upwards)
    near = math.nextafter(mean, end)
    return float(brentq(excess, near, end, xtol=1e-300, rtol=1e-12, maxiter=1000))
