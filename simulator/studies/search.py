"""What all searches share: luck that nobody has seen yet, and means of figures that were measured apart.

A figure by which something was picked is too good on average, since luck helped to pick it. So every stage of a search plays
playouts of its own, and what is picked is measured again on others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.stats.estimate import Estimate

if TYPE_CHECKING:
    from simulator.play.collect import Progress
    from simulator.play.resources import Resources

FRESH = 0
"""The stage of a search that measures what was picked; those that pick are counted from 1."""


class Stages:
    """Where a search stands.

    Attributes:
        playouts: all so far.
        digests: hashes of all that was counted so far.
    """

    def __init__(self, resources: Resources) -> None:
        """Begin with nothing; the resources show each stage."""
        self.resources = resources
        self.playouts = self._done = 0
        self.digests: list[str] = []
        self._progress: Progress | None = None

    @property
    def how(self) -> dict[str, Any]:
        """The keywords of what plays, but for the progress, which is that of the stage."""
        return {"workers": self.resources.workers, "ledger": self.resources.ledger}

    @contextmanager
    def stage(self, label: str, playouts: int) -> Iterator[None]:
        """A stage with a progress bar of its own, of so many playouts at most."""
        with self.resources.stage(label, playouts) as self._progress:
            self._done = 0
            if self._progress is not None:
                self._progress(0, None)
            yield
        self._progress = None

    def add(self, playouts: int, digest: str, part: Any) -> None:
        """Count what was played, and show the stage what it gave."""
        self.digests.append(digest)
        self.playouts += playouts
        self._done += playouts
        if self._progress is not None:
            self._progress(self._done, part)


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
