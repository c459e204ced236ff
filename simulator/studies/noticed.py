"""Effects as a table would notice them: which are told first, and how one is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from simulator.document.figures import GAP, between, decimals, number, scale_of
from simulator.document.language import clean
from simulator.stats.practical import ratio_words
from simulator.stats.shares import EVERY_SHARE

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.stats.estimate import Estimate

Widths = Mapping[str, float]
"""Metric, or "share" for all shares, to the largest difference that does not matter."""

LENGTH = "turns"
"""The metric of how long a game takes."""


class Effect(Protocol):
    """One metric before and after a change."""

    @property
    def metric(self) -> Metric:
        """What was measured."""

    @property
    def baseline(self) -> Estimate:
        """As it is."""

    @property
    def changed(self) -> Estimate:
        """As it became."""

    @property
    def difference(self) -> Estimate:
        """Changed less baseline."""

    def steps(self, margin: float | None = None) -> float:
        """How large the difference is, in steps that a table notices; 0 where none is shown."""


def margin_of(metric: Metric, widths: Widths) -> float | None:
    """The largest difference of a metric that does not matter, if one was given."""
    return widths.get(metric.name, widths.get(EVERY_SHARE) if metric.kind == "share" else None)


def ranked_metrics(every: Sequence[Effect], widths: Widths) -> list[str]:
    """The metrics, those first that some variant changes most at the table; who wins and how long it takes before all others."""
    largest: dict[str, tuple[bool, float]] = {}
    for c in every:
        size = rank(c, widths)
        largest[c.metric.name] = max(size, largest.get(c.metric.name, size))
    return sorted(largest, key=lambda name: largest[name], reverse=True)


def rank(c: Effect, widths: Widths) -> tuple[bool, float]:
    """The larger, the sooner it is told: who wins and how long it takes, where a table would notice, then by size."""
    size = c.steps(margin_of(c.metric, widths))
    return size >= 1 and (c.metric.outcome or c.metric.name == LENGTH), size


def effect(c: Effect) -> str:
    """One metric before and after, and how much that is."""
    factor, sign = scale_of(c.difference), "%" if c.metric.kind == "share" else ""
    digits = max(1, decimals(factor * c.difference.low, factor * c.difference.high))
    before, after = (number(factor * e.best, digits) for e in (c.baseline, c.changed))
    how = ratio_words(c.baseline.best, c.changed.best)
    if c.metric.kind == "share":
        how = f"{size_of(c)} {unit_of(c)} {'more' if c.difference.best > 0 else 'less'}"
    about = "games last" if c.metric.name == LENGTH else f"{clean(c.metric.label)}:"
    unit = f" {c.metric.unit}" if c.metric.name == LENGTH else ""
    return f"{about} {after}{sign}{unit} in place of {before}{sign}, {how}"


def unit_of(c: Effect) -> str:
    """What a difference is in."""
    return "percentage points" if c.metric.kind == "share" else c.metric.unit


def size_of(c: Effect) -> str:
    """How large a difference is, whichever way it goes."""
    factor = scale_of(c.difference)
    return _ends(*sorted((abs(factor * c.difference.low), abs(factor * c.difference.high))))


def _ends(low: float, high: float) -> str:
    return between(low, high, GAP.with_digits(max(1, decimals(low, high))))
