"""What the tests that all twins share take from each game: one `cases_<game>.py` per twin, holding `CASES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from twin import compiler

Seats = tuple[str, ...]

SEED = 20_241_224
needs_gcc = pytest.mark.skipif(compiler() is None, reason="gcc, which builds the twins, is not installed")


@dataclass(frozen=True)
class Cases:
    """What of one game is compared beside the rules in the box.

    Attributes:
        few: how many playouts of each.
        odd_rules: rules that differ from those in the box, by a name for them.
        like_seats: seats that play alike, to go with the odd rules.
        telling: names of odd rules, each of them for the twin alone; the value names the kernel's, empty for the box.
        telling_seats: who plays then.
        can_be_dealt: whether rules have enough of everything for so many players.
    """

    few: int
    odd_rules: Mapping[str, Mapping[str, Any]]
    like_seats: tuple[Seats, ...]
    telling: Mapping[str, str]
    telling_seats: Seats
    can_be_dealt: Callable[[Any, int], bool] = lambda _rules, _players: True
