"""Numbers as people write them: shares as 0.05 or 5%, counts as 1e6 or 250k, times as 30s or 2min."""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation, Overflow

from simulator.errors import UserError

HUNDRED = 100


class Percent(float):
    """A number that was written in percent, which is a mistake where no share is wanted."""

    __slots__ = ()


def number_text(number: float) -> str:
    """A number as it was written.

    >>> number_text(5.0), number_text(read_number("5%"))
    ('5', '5%')
    """
    return f"{HUNDRED * number:g}%" if isinstance(number, Percent) else f"{number:g}"


def read_number(text: str) -> float:
    """A number, where 60% is the same as 0.6; nan if it is none.

    >>> read_number("0.6"), read_number(" 60 %"), read_number("few")
    (0.6, 0.6, nan)
    """
    written = text.strip()
    try:
        return Percent(float(written.removesuffix("%")) / HUNDRED) if written.endswith("%") else float(written)
    except ValueError:
        return math.nan


_MULTIPLES = {"k": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def read_count(text: str) -> Decimal:
    """A number that may be large; nan if it is none, and infinity if it is too large for any use.

    >>> [int(read_count(written)) for written in ("1e6", "1_000", " 250k", "2M")], read_count("few")
    ([1000000, 1000, 250000, 2000000], Decimal('NaN'))
    """
    written = text.strip()
    factor = _MULTIPLES.get(written[-1:], 1)
    try:
        return Decimal(written[:-1] if factor > 1 else written) * factor
    except InvalidOperation:
        return Decimal("nan")
    except Overflow:
        return Decimal("infinity")


_SECONDS = {"": 1, "s": 1, "sec": 1, "second": 1, "min": 60, "m": 60, "minute": 60, "h": 3_600, "hour": 3_600}
_TIME = re.compile(r"(\d+\.?\d*|\.\d+)\s*([a-z]*?)s?")
LEAST_PACE, MOST_PACE = 0.1, 86_400.0


def read_pace(text: str) -> float:
    """How long a turn takes, in seconds.

    >>> [read_pace(written) for written in ("7.5", "30s", "2min", "1.5 minutes", "45 sec")]
    [7.5, 30.0, 120.0, 90.0, 45.0]

    Raises:
        UserError: it is no time, or no turn takes so long.
    """
    match = _TIME.fullmatch(text.strip().lower())
    seconds = float(match[1]) * _SECONDS[match[2]] if match and match[2] in _SECONDS else math.nan
    if not LEAST_PACE <= seconds <= MOST_PACE:
        message = f"--pace '{text}' is no time that a turn could take; write it in seconds or minutes, such as 45, 45s or 2min."
        raise UserError(message)
    return seconds
