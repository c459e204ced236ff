"""Memory for rows: a game's `score` writes wherever it likes, so that what lies around the rows is watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.errors import MisbehaviourError, place_of

if TYPE_CHECKING:
    from simulator.game import Game, Metric

Rows = np.ndarray[Any, np.dtype[np.int32]]

UNWRITTEN = np.iinfo(np.int32).min
"""What a cell holds as long as nobody has written to it; no metric has so small a value."""

_GUARD = 256
"""Cells before and behind the rows that nobody may write to."""


class RowMemory:
    """Memory for the rows of one game with so many metrics."""

    def __init__(self, game: Game, metrics: Sequence[Metric]) -> None:
        """No row yet."""
        self._game, self._metrics = game, metrics
        self._memory = np.zeros(0, np.int32)

    def take(self, count: int) -> Rows:
        """So many rows to be written, int32, shape (count, metrics); the next call takes the same memory."""
        cells = count * len(self._metrics)
        if len(self._memory) < cells + 2 * _GUARD:
            self._memory = np.empty(cells + 2 * _GUARD, np.int32)
        self._taken = self._memory[: cells + 2 * _GUARD]
        self._taken.fill(UNWRITTEN)
        return self._taken[_GUARD:-_GUARD].reshape(count, len(self._metrics))

    def check(self, rows: Rows) -> None:
        """Look whether `score` wrote to what it was given and to nothing else; it takes no time to speak of.

        Raises:
            MisbehaviourError: it did not.
        """
        declared = f"it declares {len(self._metrics)} metrics, and a row holds one number for each"
        if (self._taken[:_GUARD] != UNWRITTEN).any() or (self._taken[-_GUARD:] != UNWRITTEN).any():
            raise MisbehaviourError(self._sentence(f"writes outside of its row; {declared}"))
        empty = np.flatnonzero((rows[[0, -1]] == UNWRITTEN).any(axis=0))
        if len(empty):
            raise MisbehaviourError(self._sentence(f"leaves '{self._metrics[empty[0]].name}' unwritten; {declared}"))

    def _sentence(self, reason: str) -> str:
        return f"Game '{self._game.name}' breaks its promise in `score` ({place_of(self._game.score)}): it {reason}."
