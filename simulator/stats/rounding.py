"""How many decimals figures need so that, rounded, they do not contradict each other or hide what they say."""

from __future__ import annotations

_MOST = 8
"""An end closer to zero than that lies at zero for whoever reads it."""


def agreeing(before: float, after: float, places: int) -> int:
    """Decimals with which two figures and their difference add up as they are read: `places`, or one more where they would not.

    >>> agreeing(90.4, 92.4, 0), agreeing(89.6, 91.4, 0)
    (0, 1)
    """
    first, second, difference = (float(f"{value:.{places}f}") for value in (before, after, after - before))
    return places if abs(second - first - difference) < 0.5 * 10**-places else places + 1


def sided(end: float, places: int) -> int:
    """Decimals, `places` or more, with which an end of an interval is not told as zero unless it is.

    >>> sided(0.2, 0), sided(-0.004, 1), sided(0.0, 1), sided(3.2, 0)
    (1, 3, 1, 0)
    """
    return next((enough for enough in range(places, _MOST) if float(f"{end:.{enough}f}")), places)
