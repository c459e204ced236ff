"""Rule constants of Pig, each with its source."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import model_validator

from simulator.rules import MAX_TURNS, GameRules, ImpossibleError, RuleGroup, constant, ours, rulebook

_RULES = rulebook("Neller and Presser, Optimal Play of the Dice Game Pig, 2004, section 1")


class Die(RuleGroup):
    """The die."""

    sides: int = constant(6, ge=2, le=100, unit="sides", description="Sides of the die, numbered from 1.", source=_RULES)
    bust: int = constant(
        1, ge=0, le=100, unit="face", left_out=0, description="The face that ends a turn and loses its points; 0 for none.", source=_RULES
    )


class PigRules(GameRules):
    """All constants of Pig."""

    die: Die = Die()
    goal: int = constant(100, ge=1, le=10_000, unit="points", description="Points that win.", source=_RULES)
    turn_cap: int = constant(
        10_000,
        ge=1,
        le=MAX_TURNS,
        unit="turns",
        description="Turns after which a playout counts as unfinished.",
        source=ours("who always rolls on never holds a point"),
    )

    @model_validator(mode="after")
    def _playable(self) -> PigRules:
        if self.die.bust > self.die.sides:
            raise ImpossibleError("die.bust", f"is no face of a die with {self.die.sides} sides; name one of its faces, or 0 for none")
        return self


PACKED = np.dtype(
    [("sides", "i4"), ("bust", "i4"), ("goal", "i4"), ("together", "i4"), ("throws", "i8"), ("throw_size", "i8")],
    align=True,
)
"""The rules as compiled code reads them; for the last three see `pack`."""

THROW_BITS = 56
MOST_THROWS = 1 << 24


def pack(rules: PigRules) -> np.ndarray[Any, Any]:
    """The rules as an array of one PACKED record.

    A random number throws as many dice `together` as its 32 bits have room for. Throw number t of all `throws` is kept as
    the fraction t / throws, of THROW_BITS bits; multiplied by `sides`, it shows a die above those bits and the rest of the
    throw in them. The digits are exact because throws**2 is below 2**THROW_BITS.
    """
    sides = rules.die.sides
    together = next(n for n in range(1, MOST_THROWS) if sides ** (n + 1) > MOST_THROWS)
    throws = sides**together
    return np.array([(sides, rules.die.bust, rules.goal, together, throws, (1 << THROW_BITS) // throws + 1)], PACKED)
