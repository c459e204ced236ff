"""Bands: where a figure is wanted, and whether an estimate lies there."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.numbers import read_number

if TYPE_CHECKING:
    from simulator.stats.estimate import Estimate
    from simulator.stats.verdicts import Verdict


@dataclass(frozen=True)
class Band:
    """An interval of wanted values, the ends included; one of them may be infinite.

    Attributes:
        low, high: the ends.
        metric: whose values; None where that is said elsewhere.
    """

    low: float
    high: float
    metric: str | None = None

    def judge(self, estimate: Estimate) -> Verdict:
        """Whether a figure lies within: yes or no if its whole interval does or does not, or else open.

        >>> from simulator.stats.estimate import Estimate
        >>> Band(0.45, 0.6).judge(Estimate(0.5, 0.48, 0.52, 1000, "share"))
        'yes'
        >>> Band(0.45, 0.6).judge(Estimate(0.5, 0.44, 0.56, 1000, "share"))
        'open'
        """
        if self.low <= estimate.low and estimate.high <= self.high:
            return "yes"
        return "no" if estimate.high < self.low or estimate.low > self.high else "open"

    def text(self, unit: str, *, difference: bool = False) -> str:
        """In words, shares as percent and differences of shares as percentage points.

        >>> Band(0.45, 0.6).text("share"), Band(-math.inf, 40).text("turns")
        ('45% to 60%', 'at most 40 turns')
        """
        factor, sign = (100 if unit == "share" else 1), "+" if difference else ""
        percent = "%" if unit == "share" and not difference else ""
        low, high = (f"{factor * end:{sign}z.6g}{percent}" for end in (self.low, self.high))
        behind = "" if percent else f" {'points' if unit == 'share' else unit}"
        if math.isinf(self.high):
            return f"at least {low}{_counted(behind, factor * self.low)}"
        return f"at most {high}{_counted(behind, factor * self.high)}" if math.isinf(self.low) else f"{low} to {high}{behind}"

    # how far a figure is off, which needs two ends that are no infinity

    @property
    def centre(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2

    @property
    def reach(self) -> float:
        """From the middle to either end."""
        return (self.high - self.low) / 2

    def miss(self, value: float) -> float:
        """How far a value lies beyond the nearer end, in units of `reach`; 0 within.

        >>> Band(0.5, 0.75).miss(0.6), Band(0.5, 0.75).miss(0.25)
        (0.0, 2.0)
        """
        return max(self.low - value, value - self.high, 0.0) / self.reach

    def place(self, value: float) -> float:
        """Where a value lies, from -1 at the lower end to 1 at the upper one, which rounding does not move.

        >>> Band(0.9, 1.0).place(1.0)
        1.0
        """
        place = (value - self.centre) / self.reach
        return min(max(place, -1.0), 1.0) if self.low <= value <= self.high else place

    def misses(self, estimate: Estimate) -> tuple[float, float, float]:
        """The smallest miss that an interval allows, that of the estimate itself, and the largest.

        >>> from simulator.stats.estimate import Estimate
        >>> Band(0.5, 0.75).misses(Estimate(0.25, 0.125, 0.625, 1000, "share"))
        (0.0, 2.0, 3.0)
        """
        least = self.miss(min(max(estimate.low, self.centre), estimate.high))
        return least, self.miss(estimate.best), max(self.miss(estimate.low), self.miss(estimate.high))


_PLURAL = re.compile(r"(?<=[cs]h|[su]s)es\b|s\b")


def _counted(unit: str, number: float) -> str:
    """The unit as it stands behind a number, which is in the singular behind one.

    >>> _counted("turns", 1), _counted("Wishes", -1), _counted("turns", 2)
    ('turn', 'Wish', 'turns')
    """
    return _PLURAL.sub("", unit) if abs(number) == 1 else unit


_WRITTEN = re.compile(r"\s*(?:([^=\s]*)\s*=)?([^:=]+)(?::([^:=]+))?(?::([^:=]*))?")


def read_band(text: str) -> tuple[str | None, tuple[float, ...]]:
    """The metric and the ends of `metric=low:high` or `low:high:metric`, or of what of it is there: none if it is neither.

    >>> read_band("turns=25:35"), read_band("45%:60%"), read_band("0.4:0.6:wins.0"), read_band("turns=0.4:0.6:wins.0")
    (('turns', (25.0, 35.0)), (None, (0.45, 0.6)), ('wins.0', (0.4, 0.6)), ('turns', ()))
    """
    match = _WRITTEN.fullmatch(text)
    named, *ends, behind = match.groups() if match else (None, None, None, None)
    if named and behind and behind.strip():
        return named, ()
    metric = named or (behind or "").strip() or None
    return metric, tuple(read_number(end) for end in ends if end is not None)
