"""Widths and ends of shares and of metrics, and the refusal of what no share can be."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simulator.errors import UserError
from simulator.numbers import HUNDRED, Percent, read_number

EVERY_SHARE = "share"
"""The name under which a width for all shares is given."""


def read_widths(texts: Sequence[str], option: str, thing: str, *, least: float = math.ulp(0.0)) -> dict[str, float]:
    """Read widths: `0.01` for all shares, `turns=0.5` for a metric.

    Args:
        texts: as they were written.
        option: where, for a sentence.
        thing: what such a width is called there.
        least: the smallest that is one.

    Raises:
        UserError: one of them is no width.
    """
    results: dict[str, float] = {}
    for text in texts:
        metric, separator, written = text.rpartition("=")
        name, width = metric.strip() if separator else EVERY_SHARE, read_number(written)
        if not least <= width < math.inf:
            message = f"{option} '{text}' is no {thing}; write 0.01 or 1% for shares, or turns=0.5 for a metric."
            raise UserError(message)
        if name == EVERY_SHARE:
            check_width(width, f"{option} {text}", share=True, more=f", or METRIC={written.strip()} for a metric that is no share")
        results[name] = width
    return results


def check_width(width: float, written: str, *, share: bool, more: str = "") -> None:
    """Refuse a width that says nothing, since it is as wide as a share can be, and percent where there is no share.

    Args:
        width: to one side.
        written: how it was written, to begin the sentence with.
        share: whether it is about a share.
        more: what else could have been meant.

    Raises:
        UserError: it is such a width.
    """
    if share and not width < 1:
        points = width if width < HUNDRED else 5.0
        message = f"{written} is too wide: a share is at most 1; write {points / HUNDRED:g} or {points:g}% for {_points(points)}{more}."
        raise UserError(message)
    if not share:
        refuse_percent([width], written)


def check_ends(ends: Sequence[float], written: str, low: float, high: float) -> None:
    """Refuse ends of a range in which no share can lie.

    Args:
        ends: of the range.
        written: how it was written, to begin the sentence with.
        low: the least that the share can be, 0, or -1 for a difference of shares.
        high: the most.

    Raises:
        UserError: one of them is beyond.
    """
    beyond = [end for end in ends if not low <= end <= high]
    if beyond:
        percent = beyond[0] if 1 < beyond[0] <= HUNDRED else 60.0
        kind = "share" if low >= 0 else "difference of shares"
        way_out = f"write {percent / HUNDRED:g} or {percent:g}% for {percent:g} percent"
        message = f"{written} cannot be: a {kind} lies between {low:g} and {high:g}; {way_out}."
        raise UserError(message)


def refuse_percent(numbers: Sequence[float], written: str) -> None:
    """Refuse percent where there is no share.

    Raises:
        UserError: one of the numbers was written in percent.
    """
    if any(isinstance(number, Percent) for number in numbers):
        message = f"{written} is in percent, which only shares are; write it without %, in what the metric counts."
        raise UserError(message)


def _points(points: float) -> str:
    return f"{points:g} point{'' if points == 1 else 's'}"
