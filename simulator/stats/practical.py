"""How large a difference is at the table: in steps that people just notice, and in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.stats.estimate import Estimate

NOTICED_SHARE = 0.02
"""Two points of a share of games: one game in fifty ends otherwise."""

NOTICED_PART = 0.10
"""A tenth of anything that is counted, such as the length of a game."""

FRACTIONS = ((1 / 2, "half as many"), (1 / 3, "a third as many"), (1 / 4, "a quarter as many"))
"""Parts that have a name."""

NAMED_WITHIN = 0.04
"""A ratio so near to one of FRACTIONS is called by its name."""

MULTIPLE = 1.5
"""From this ratio on it is said how many times as many there are, and below its inverse how much is left."""


def noticeable(metric: Metric, baseline: Estimate, margin: float | None = None) -> float:
    """The smallest difference of a metric that a table would notice.

    Args:
        metric: what is counted; a game may declare its own step.
        baseline: the metric as it is.
        margin: the difference that does not matter, where it was said.
    """
    if margin is not None:
        return margin
    if metric.noticeable is not None:
        return metric.noticeable
    return NOTICED_SHARE if metric.kind == "share" else NOTICED_PART * abs(baseline.best)


def steps(difference: Estimate, step: float) -> float:
    """A difference in steps of what is noticed; endless where there is nothing to compare it with."""
    return abs(difference.best) / step if step > 0 else math.inf * (difference.best != 0)


def ratio_words(before: float, after: float) -> str:
    """How a count changed, in words that can be read aloud.

    >>> ratio_words(63, 266), ratio_words(19.8, 9.7), ratio_words(30, 33.1), ratio_words(30, 6), ratio_words(0, 3)
    ('4.2 times as many', 'half as many', '10 percent more', '20 percent of it', 'where there were none')
    """
    if before == 0:
        return "where there were none"
    ratio = after / before
    if ratio >= MULTIPLE:
        return f"{ratio:.2g} times as many"
    for part, words in FRACTIONS:
        if abs(ratio - part) < NAMED_WITHIN:
            return words
    if 0 <= ratio <= 1 / MULTIPLE:
        return f"{100 * ratio:.0f} percent of it"
    return f"{abs(100 * (ratio - 1)):.2g} percent {'more' if ratio > 1 else 'less'}"
