"""Names and helpers for reading what a seat sees of the table in Christmas Vacation. Strategies import from here."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.vacation.table import NUMBERS, Decision, Kind, NextBonus, RollAgain
from simulator.kernel.jit import jit
from simulator.kit.piles import EMPTY, at_least, count, first_kind, without_first

__all__ = ["Decision", "Kind", "NextBonus", "RollAgain", "largest_number", "longest_run"]


@jit
def largest_number(cards: Any) -> Any:
    """How many cards of its most frequent number a word of number cards holds, int64."""
    most = np.int64(0)
    held = at_least(NUMBERS, cards, 1)
    while held != EMPTY:
        most = max(most, count(NUMBERS, cards, first_kind(NUMBERS, held)))
        held = without_first(held)
    return most


@jit
def longest_run(view: Any, cards: Any, wilds: Any) -> Any:
    """How many cards the longest run of number cards (a word) and Wilds has, int64; 0 if they make none."""
    longest = np.int64(0)
    for low in range(view.numbers):
        if longest >= view.numbers - low + wilds:  # as long as any from here on can be
            break
        if count(NUMBERS, cards, low) == 0:
            continue
        gaps = 0
        for high in range(low, view.numbers):
            if count(NUMBERS, cards, high) == 0:
                gaps += 1
                if gaps > wilds:
                    break
            else:
                outside = low + view.numbers - high
                longest = max(longest, np.int64(high - low + 1 + min(wilds - gaps, outside)))
    return longest if longest >= view.run_min else np.int64(0)
