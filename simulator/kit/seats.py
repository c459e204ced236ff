"""How a game ends, and what that is worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.memory import head_of
from simulator.kernel.records import Record


@jit_inlined
def win(table: Record, seat: Any) -> None:
    """The game is over, and `seat` has won it."""
    head = head_of(table)
    head.wins[seat] = 1
    head.over = 1


@jit_inlined
def end_for_all(table: Record, won: Any) -> None:
    """The game is over for all, who have won it together or not."""
    head = head_of(table)
    head.players_win = 1 if won else 0
    head.players_lose = 0 if won else 1
    head.over = 1


@jit
def lead(numbers: Any, seats: Any) -> Any:
    """By how much the largest of the seats' numbers exceeds the second largest, 0 counting as one of them."""
    first = second = 0
    for seat in range(seats):
        number = numbers[seat]
        first, second = max(first, number), max(second, min(first, number))
    return first - second


@jit
def leaders(numbers: Any, seats: Any) -> Any:
    """The largest of the seats' numbers, how many seats have it, and the first of these; all int64."""
    best, many, first = np.int64(numbers[0]), np.int64(0), np.int64(0)
    for seat in range(seats):
        number = np.int64(numbers[seat])
        if number > best:
            best, many, first = number, np.int64(0), np.int64(seat)
        many += 1 if number == best else 0
    return best, many, first
