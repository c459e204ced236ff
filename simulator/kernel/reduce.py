"""Rows to counts: the compiled half of a tally."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.jit import jit

ALL_COUNTED = -1


@jit
def column_ranges(rows: Any, lows: Any, highs: Any) -> None:
    """Smallest and largest value of each column.

    Args:
        rows: int32, shape (playouts, metrics), at least one row.
        lows: int64, shape (metrics,), written.
        highs: int64, shape (metrics,), written.
    """
    for m in range(rows.shape[1]):
        lows[m] = rows[0, m]
        highs[m] = rows[0, m]
    for k in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            value = np.int64(rows[k, m])
            lows[m] = min(lows[m], value)
            highs[m] = max(highs[m], value)


@jit
def count_rows(rows: Any, shifts: Any, outcomes: Any, counts: Any) -> Any:
    """Count every value of every metric by the outcome of its playout.

    Args:
        rows: int32, shape (playouts, metrics).
        shifts: int64, shape (metrics,): value v of metric m is counted in line v + shifts[m].
        outcomes: int64, shape (outcomes,): the columns of which exactly one is 1 in each row.
        counts: int64, shape (lines, outcomes), added to.

    Returns:
        ALL_COUNTED, or the first row of which not exactly one outcome is 1, int64.
    """
    for k in range(rows.shape[0]):
        outcome = 0
        total = np.int64(0)
        for o in range(outcomes.shape[0]):
            value = np.int64(rows[k, outcomes[o]])
            total += abs(value)
            if value == 1:
                outcome = o
        if total != 1:
            return k
        for m in range(rows.shape[1]):
            counts[np.int64(rows[k, m]) + shifts[m], outcome] += 1
    return ALL_COUNTED
