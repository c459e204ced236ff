"""Strategies for Can't Stop: which pairs to take, and when to stop."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.cantstop import COLUMNS, FIRST, GO, STOP, WHICH_PAIRS
from simulator.kernel.jit import jit
from strategies.declare import Params, strategy

MIDDLE = 7
"""The column that is named most often."""


@jit
def weight(column: Any) -> Any:
    """What a space of a column counts: 1 in the middle, 6 in the outermost."""
    return 1 + abs(column - MIDDLE)


@jit
def progress(view: Any) -> Any:
    """What the turn has climbed, as Keller's Rule of 28 counts it."""
    total, odd, even, low, high = np.int64(0), True, True, True, True
    for column in range(FIRST, COLUMNS):
        if view.runner[column] > 0:
            total += weight(column) * (view.runner[column] - view.space[view.seat, column] + 1)  # a runner's first space counts twice
            odd, even = odd and column % 2 == 1, even and column % 2 == 0
            low, high = low and column <= MIDDLE, high and column >= MIDDLE
    if view.free > 0:
        return total
    return total + (2 if odd else 0) - (2 if even else 0) + (4 if low or high else 0)


@jit
def takes(view: Any, i: Any) -> Any:
    """What option `i` climbs, by weight, and how many free runners that takes."""
    gain, new = np.int64(0), np.int64(0)
    for column in (np.int64(view.one[i]), np.int64(view.other[i])):
        if column > 0:
            gain += weight(column)
            new += 1 if view.runner[column] == 0 else 0
    return gain, (1 if view.one[i] == view.other[i] and new > 0 else new)


@jit
def wins(view: Any) -> Any:
    """Whether who stops now has won."""
    won = view.won[view.seat]
    for column in range(FIRST, COLUMNS):
        won += 1 if view.runner[column] > 0 and view.runner[column] == view.length[column] else 0
    return won >= view.goal


@jit
def sparing(view: Any, price: Any) -> Any:
    """The option that climbs most, where a free runner costs `price`."""
    best, most = 0, -1000.0
    for i in range(view.n_options):
        gain, new = takes(view, i)
        worth = gain - price * new
        if worth > most:
            best, most = i, worth
    return best


@strategy("cantstop")
def rule_of_28(view: Any, u: float, p: Any = Params(stop_at=28, runner=6.0)) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Stops once its progress counts `stop_at` or it has won; takes what climbs most, less `runner` for each free runner."""
    if view.decision == WHICH_PAIRS:
        return int(sparing(view, p.runner))
    return STOP if wins(view) or progress(view) >= p.stop_at else GO


@strategy("cantstop")
def conservative(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Stops as soon as no runner is free, when a roll could lose all; takes what leaves most runners free."""
    if view.decision == WHICH_PAIRS:
        return int(sparing(view, 100.0))
    return STOP if view.free == 0 or wins(view) else GO
