"""Rule constants of Chutes and Ladders, each with its source."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import model_validator

from simulator.rules import MAX_TURNS, GameRules, ImpossibleError, RuleGroup, constant, ours, rulebook

MAX_SPACES = 1000

LADDERS = ((1, 38), (4, 14), (9, 31), (21, 42), (28, 84), (36, 44), (51, 67), (71, 91), (80, 100))
CHUTES = ((16, 6), (47, 26), (49, 11), (56, 53), (62, 19), (64, 60), (87, 24), (93, 73), (95, 75), (98, 78))

LANDINGS = ("exact", "overshoot", "bounce")
EXACT, OVERSHOOT, BOUNCE = range(3)


class Board(RuleGroup):
    """The board."""

    spaces: int = constant(
        100, ge=2, le=MAX_SPACES, unit="spaces", description="Spaces; pawns start before the first.", source=rulebook("The board")
    )
    jumps: tuple[tuple[int, int], ...] = constant(
        LADDERS + CHUTES,
        max_length=MAX_SPACES,
        unit="list of [from, to]",
        description="Ladders, which lead up, and chutes, which lead down.",
        source=rulebook("The board"),
    )
    landing: Literal["exact", "overshoot", "bounce"] = constant(
        "exact",
        unit="choice",
        description="A roll past the last space: the pawn stays where it is, or wins, or goes back by what is too much.",
        source=rulebook("Winning the game"),
    )


class Die(RuleGroup):
    """The die; the spinner in the box is one with six sides."""

    sides: int = constant(6, ge=1, le=MAX_SPACES, unit="sides", description="Sides of the die.", source=rulebook("Contents"))


class LaddersRules(GameRules):
    """All constants of Chutes and Ladders."""

    board: Board = Board()
    die: Die = Die()
    turn_cap: int = constant(
        10_000,
        ge=1,
        le=MAX_TURNS,
        unit="turns",
        description="Turns after which a playout counts as unfinished.",
        source=ours("chutes may lead back for ever"),
    )

    @model_validator(mode="after")
    def _playable(self) -> LaddersRules:
        last, starts = self.board.spaces, [start for start, _ in self.board.jumps]
        for start, end in self.board.jumps:
            if not (1 <= start < last and 0 <= end <= last and start != end):
                reason = f"has [{start}, {end}]; a jump leads from one of the spaces 1 to {last - 1} to another one, up to {last}"
                raise ImpossibleError("board.jumps", reason)
            if starts.count(start) > 1 or end in starts:
                reason = f"has [{start}, {end}], but another jump starts there or where it ends; a pawn jumps once at most"
                raise ImpossibleError("board.jumps", reason)
        return self


PACKED = np.dtype([("landing", "i4"), ("last", "i4"), ("sides", "i4"), ("leads_to", "i4", (MAX_SPACES + 1,))], align=True)
"""The rules as compiled code reads them: for each space, where a pawn that lands on it ends up."""


def pack(rules: LaddersRules) -> np.ndarray[Any, Any]:
    """The rules as an array of one PACKED record."""
    packed = np.zeros(1, PACKED)
    packed["landing"], packed["last"], packed["sides"] = LANDINGS.index(rules.board.landing), rules.board.spaces, rules.die.sides
    packed["leads_to"] = np.arange(MAX_SPACES + 1)
    for start, end in rules.board.jumps:
        packed["leads_to"][0, start] = end
    return packed
