"""What all searches share: luck that nobody has seen yet, and means of figures that were measured apart.

A figure by which something was picked is too good on average, since luck helped to pick it. So every stage of a search plays
playouts of its own, and what is picked is measured again on others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from simulator.stats.estimate import Estimate

if TYPE_CHECKING:
    from simulator.play.collect import Progress

FRESH = 0
"""The stage of a search that measures what was picked; those that pick are counted from 1."""


def counted_on(told: Progress | None, done: int, times: int) -> Progress | None:
    """Told of the whole as a part is played: `done` before it, and each of its playouts so many times."""
    return None if told is None else lambda games, part: told(done + times * games, part) if games else None


def seed_for(seed: int, *purpose: int) -> int:
    """A seed that no other purpose of the same search has.

    Args:
        seed: of the search, 0 or more.
        purpose: numbers that say what is played, 0 or more each.

    >>> seed_for(1, FRESH) != seed_for(1, 1), seed_for(1, 2, 3) == seed_for(1, 2, 3)
    (True, True)
    """
    return int(np.random.SeedSequence([seed, *purpose]).generate_state(1, np.uint64)[0])


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of figures that were measured on playouts of their own, with its interval.

    Each end of the interval lies as far from the mean as the ends of the single intervals do from their figures, added up as
    squares. So intervals that are not symmetric, near 0 and 1, remain so.

    Source: Zou and Donner, "Construction of confidence limits about effect measures: a general approach", Statistics in
    Medicine 27, 2008 (the method of variance estimates recovery).

    >>> mean_of([Estimate(0.25, 0.125, 0.5, 10, "share"), Estimate(0.75, 0.625, 1.0, 10, "share")])
    Estimate(best=0.5, low=0.41161165235168157, high=0.6767766952966369, n=20, unit='share', sequential=False)
    """
    best = sum(e.best for e in estimates) / len(estimates)
    below = math.hypot(*(e.best - e.low for e in estimates)) / len(estimates)
    above = math.hypot(*(e.high - e.best for e in estimates)) / len(estimates)
    return Estimate(best, best - below, best + above, sum(e.n for e in estimates), estimates[0].unit)
