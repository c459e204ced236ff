"""Tracks around a board. Nothing here is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def next_ahead(path: Sequence[Any], kind: Any) -> list[int]:
    """For each space of a track that goes around the index of the next one of a kind, a whole lap away if it is the only one.

    It lies strictly ahead: the space itself does not count. Without any of that kind it is 0.

    >>> next_ahead(["start", "feet", "shop", "feet"], "feet")
    [1, 3, 3, 1]
    """
    length = len(path)
    ahead = [[(i + step) % length for step in range(1, length + 1)] for i in range(length)]
    return [next((j for j in places if path[j] == kind), 0) for places in ahead]
