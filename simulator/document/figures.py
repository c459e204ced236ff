"""Figures and their intervals as text.

An estimate is all that has best, low, high, n and a unit: an `Estimate`, or a line of a frame, whose `kind` says whether it
is a share. Shares are written in percent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from simulator.stats.rounding import sided

MOST_DIGITS = 8
"""Decimals at most; they are enough for a hundred million playouts."""

SHARE = "share"
"""The unit, or the kind, of what is written in percent."""

ONE_PLAYOUT = "(one playout)"
"""Stands in place of an interval that a single playout does not have."""


@dataclass(frozen=True)
class Style:
    """How a figure and its interval are written.

    Attributes:
        digits: decimals; where it is None, as many as the interval deserves.
        more: so many decimals more than it deserves.
        plain: as in programs, with a hyphen for a minus and no commas between thousands.
        signed: with a plus where there is no minus.
        sided: on which side of zero an end of the interval lies is told, with further decimals if need be.
        percent: what stands behind a figure that is a share.
        dash: whether a dash stands between the ends, where none of them is below zero.
        once: whether an interval whose ends read alike is one number.
        unknown: what stands in place of an interval without ends; "{}" is the figure.
        counted: whether shares are counts of playouts, so that none of them says how few there may be.
    """

    digits: int | None = None
    more: int = 0
    plain: bool = False
    signed: bool = False
    sided: bool = False
    percent: str = ""
    dash: bool = False
    once: bool = True
    unknown: str = "{} (interval unknown)"
    counted: bool = True

    def with_digits(self, digits: int | None) -> Style:
        """The same with so many decimals."""
        return replace(self, digits=digits)


TEXT = Style()
"""A sentence of a page, which says itself what its figures are in."""

CELL = Style(more=1, percent="%", unknown="interval unknown")
"""A cell of a table, with one decimal more than a sentence would have."""

PART_CELL = replace(CELL, counted=False)
"""A part of something that is no count of playouts."""

GAP = Style(sided=True)
"""A difference in a sentence of a page."""

GAP_CELL = Style(more=1, sided=True, once=False, unknown="unknown")
"""A difference in a cell of a table."""

SIGNED_CELL = replace(GAP_CELL, signed=True)
"""The same with a plus where there is no minus."""

TERMINAL = Style(plain=True, once=False, percent="%", dash=True, unknown=ONE_PLAYOUT)
"""What is printed."""

PRINTED_GAP = Style(plain=True, once=False, signed=True, sided=True, unknown=ONE_PLAYOUT)
"""A difference that is printed; between shares in percentage points."""

BRIEF = replace(TERMINAL, digits=1)
"""In the sentences of a study, and where figures stand close together."""

SPELT = replace(BRIEF, dash=False)
"""The same without a dash."""


def is_share(estimate: Any) -> bool:
    """Whether an estimate, or a line of a frame, is a share."""
    return bool(getattr(estimate, "kind", estimate.unit) == SHARE)


def scale_of(estimate: Any) -> int:
    """Shares are told in percent."""
    return 100 if is_share(estimate) else 1


def known(estimate: Any) -> bool:
    """Whether the interval has ends; with a single playout the interval of a mean has none."""
    return math.isfinite(estimate.high - estimate.low)


def decimals(low: float, high: float, more: int = 0) -> int:
    """As many decimals as make half an interval at least one unit of the last place, and `more`.

    >>> decimals(15.31, 15.62), decimals(15, 17), decimals(3, 3)
    (1, 0, 0)
    """
    half = (high - low) / 2
    if not 0 < half < math.inf:
        return 0 if is_whole(low) else 2
    return min(max(0, math.ceil(-math.log10(half)) + more), MOST_DIGITS)


def is_whole(value: float) -> bool:
    """Whether a number needs no decimals."""
    return not math.isfinite(value) or value == round(value)


def number(value: float, digits: int = 0, style: Style = TEXT) -> str:
    """With `digits` decimals; unless the style is plain thousands are separated, and the minus is a real one. Zero has none.

    >>> number(1234.56, 1), number(-0.001, 1), number(-2, style=PRINTED_GAP), number(0.04, 1, PRINTED_GAP)
    ('1,234.6', '0.0', '-2', '+0.0')
    """
    if not math.isfinite(value):
        return "unknown"
    text = f"{value:{'+' * style.signed}z{',' * (not style.plain)}.{digits}f}"
    return text if style.plain else text.replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    """A share without an interval of its own, such as 0.25, in percent.

    >>> percent(0.25), percent(1 / 3), percent(0.00004)
    ('25 percent', '33.3 percent', '0.004 percent')
    """
    value = 100 * share
    digits = 0 if is_whole(round(value, 9)) else 1 if value >= 1 else min(MOST_DIGITS, math.ceil(-math.log10(value)))
    return f"{number(value, digits)} percent"


def digits_of(estimate: Any, style: Style = TEXT) -> int:
    """Decimals for the figures of an estimate."""
    if style.digits is not None:
        return style.digits
    scale = scale_of(estimate)
    low, high = (estimate.low, estimate.high) if known(estimate) else (estimate.best, estimate.best)
    return decimals(scale * low, scale * high, style.more)


def figure(estimate: Any, style: Style = TEXT) -> str:
    """The best value; where its interval is wide, what was seen is not shown as none.

    >>> from simulator.stats.estimate import Estimate
    >>> figure(Estimate(0.157, 0.151, 0.162, 1000, "share"), CELL), figure(Estimate(0.007, 0.0, 11.0, 400, "turns"))
    ('15.70%', '0.007')
    """
    scale, digits = scale_of(estimate), digits_of(estimate, style)
    best = scale * estimate.best
    if style.digits is None and estimate.low >= 0 and 0 < best < 0.5 * 10**-digits:
        digits = max(digits, decimals(0, 2 * best))
    return number(best, digits, style) + (style.percent if scale > 1 else "")


def interval(estimate: Any, style: Style = TEXT) -> str:
    """The interval without what it is in.

    >>> from simulator.stats.estimate import Estimate
    >>> share, gap = Estimate(0.157, 0.151, 0.162, 1000, "share"), Estimate(1.5, 0.04, 3.0, 1000, "turns")
    >>> interval(share), interval(share, BRIEF), interval(gap, PRINTED_GAP)
    ('15.1 to 16.2', '15.1\N{EN DASH}16.2', '+0.04 to +3')
    """
    if not known(estimate):
        return style.unknown.format(figure(estimate, style))
    scale = scale_of(estimate)
    return between(scale * estimate.low, scale * estimate.high, style.with_digits(digits_of(estimate, style)))


def between(low: float, high: float, style: Style = TEXT) -> str:
    """From one number to another as they are, without scale and unit.

    >>> between(0.04, 3.1, GAP), between(3, 3), between(0, 3.1, GAP.with_digits(1))
    ('0.04 to 3', '3', '0.0 to 3.1')
    """
    digits = decimals(low, high, style.more) if style.digits is None else style.digits
    first, last = (number(end, sided(end, digits) if style.sided else digits, style) for end in (low, high))
    if first == last and style.once:
        return first
    return f"{first}\N{EN DASH}{last}" if style.dash and round(low, digits) >= 0 else f"{first} to {last}"


def with_interval(estimate: Any, style: Style = BRIEF) -> str:
    """The best value, and the interval in brackets.

    >>> from simulator.stats.estimate import Estimate
    >>> with_interval(Estimate(0.157, 0.151, 0.162, 1000, "share"))
    '15.7% (15.1\N{EN DASH}16.2)'
    """
    return f"{figure(estimate, style)} ({interval(estimate, style)})"


def in_words(estimate: Any, style: Style = TEXT) -> str:
    """The interval and what it is in: "14.9 to 15.9 percent of games", "31.2 to 31.3 turns"."""
    return f"{interval(estimate, style)} {unit_of(estimate)}"


def unit_of(estimate: Any) -> str:
    """What the figures of an estimate are in."""
    return "percent of games" if is_share(estimate) else str(estimate.unit)


# ---------------------------------------------------------------- as the terminal has them


def estimate_text(estimate: Any, separator: str = " ") -> str:
    r"""Best value and interval; shares as percent, and as a count where nothing was seen.

    >>> from simulator.stats.estimate import Estimate
    >>> estimate_text(Estimate(0.0, 0.0, 0.0002, 20_000, "share"), "\n")
    'fewer than 3\nin 20,000'

    What was seen is not shown as none where its interval is wide:

    >>> estimate_text(Estimate(0.007, 0.0, 11.0, 400, "turns"), "|").partition("|")[0]
    '0.007'
    """
    from simulator.stats.estimate import none_seen  # noqa: PLC0415  needs NumPy

    if estimate.unit == "share" and (rare := none_seen(estimate.best, estimate.high, estimate.n, sequential=estimate.sequential)):
        return rare.replace(" in ", f"{separator}in ")
    return interval_text(estimate, separator)


def interval_text(estimate: Any, separator: str = " ") -> str:
    """Best value and interval; also of a share that is no count of playouts, of which 0 does not mean that nothing was seen."""
    ends = interval(estimate, TERMINAL) if estimate.n > 1 or is_share(estimate) else ONE_PLAYOUT
    return f"{figure(estimate, TERMINAL)}{separator}{ends}"


def difference_text(difference: Any, places: int | None = None) -> str:
    r"""A difference and its interval; between shares in percentage points.

    >>> from simulator.stats.estimate import Estimate
    >>> difference_text(Estimate(1.5, 0.04, 3.0, 1000, "turns"))
    '+2\n+0.04 to +3'
    """
    if difference.low == difference.high == 0:
        return "none"
    style = PRINTED_GAP.with_digits(places)
    return f"{figure(difference, style)}\n{interval(difference, style)}"


def advantage_text(estimate: Any) -> str:
    """What it is worth to go first, in percentage points.

    >>> from simulator.stats.estimate import Estimate
    >>> advantage_text(Estimate(-0.03, -0.04, -0.02, 1000, "share"))
    'seat 0 wins 3 points less than an equal share (-4 to -2)'
    """
    best, ends = figure(estimate, PRINTED_GAP), interval(estimate, PRINTED_GAP)
    more = "less" if best.startswith("-") else "more"
    return f"seat 0 wins {best.lstrip('+-')} points {more} than an equal share ({ends.strip('()')})"
