"""Rows of two experiments to sums over pairs: the compiled half of a comparison on the same playouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.jit import jit

SUMS = 6
"""Sums per metric, in the order in which `add_pairs` writes them."""


@jit
def add_pairs(rows_a: Any, rows_b: Any, sums: Any) -> None:
    """Add up values, squares and squared differences of every metric over pairs of playouts.

    The caller sees to it that no sum can leave int64.

    Args:
        rows_a: int32, shape (playouts, metrics), of the baseline.
        rows_b: int32, the same shape, of the same playouts under the change.
        sums: int64, shape (metrics, SUMS), added to: sum of a, sum of b, of a squared, of b squared, of (b - a) squared,
            and how many pairs differ.
    """
    for k in range(rows_a.shape[0]):
        for m in range(rows_a.shape[1]):
            a, b = np.int64(rows_a[k, m]), np.int64(rows_b[k, m])
            d = b - a
            sums[m, 0] += a
            sums[m, 1] += b
            sums[m, 2] += a * a
            sums[m, 3] += b * b
            sums[m, 4] += d * d
            if d != 0:
                sums[m, 5] += 1
