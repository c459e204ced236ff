"""Rule constants of First Orchard, each with its source; its big sister differs in three of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.rules import GameRules, RuleGroup, constant, rulebook

MAX_TREES = 8
MAX_FRUIT = 100
MAX_STEPS = 100
MAX_PICKS = 10


class Trees(RuleGroup):
    """The trees; the die has a colour for each, a basket and the raven."""

    count: int = constant(4, ge=1, le=MAX_TREES, unit="trees", description="Trees, each of its colour.", source=rulebook("Contents"))
    fruit: int = constant(
        4, ge=1, le=MAX_FRUIT, unit="fruits", description="Fruits on each tree; 10 in the big sister.", source=rulebook("Contents")
    )


class Raven(RuleGroup):
    """The raven."""

    steps: int = constant(
        5,
        ge=1,
        le=MAX_STEPS,
        unit="steps",
        description="Steps that bring it to the orchard; 9 in the big sister.",
        source=rulebook("Contents"),
    )


class Basket(RuleGroup):
    """The basket on the die."""

    fruits: int = constant(
        1,
        ge=0,
        le=MAX_PICKS,
        unit="fruits",
        left_out=0,
        description="Fruits of choice that it brings; 2 in the big sister.",
        source=rulebook("How to play"),
    )


class OrchardRules(GameRules):
    """All constants of First Orchard."""

    trees: Trees = Trees()
    raven: Raven = Raven()
    basket: Basket = Basket()


PACKED = np.dtype([("trees", "i4"), ("fruit", "i4"), ("steps", "i4"), ("picks", "i4")], align=True)
"""The rules as compiled code reads them."""


def pack(rules: OrchardRules) -> np.ndarray[Any, Any]:
    """The rules as an array of one PACKED record."""
    return np.array([(rules.trees.count, rules.trees.fruit, rules.raven.steps, rules.basket.fruits)], PACKED)
