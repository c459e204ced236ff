"""What lies on the table in First Orchard, and what a seat sees of it: everything. Strategies import from here."""

from __future__ import annotations

from simulator.games.orchard.rules import MAX_TREES
from simulator.kernel.chance import purpose_block
from simulator.kernel.records import state_dtype, view_dtype

TREE = 0
DECISIONS = ("tree",)

DIE = purpose_block(0)
"""Purpose of the rolls."""

DEALT, PICKED, BARE, BASKET, RAVEN, WON, LOST = range(7)
"""Events, noted for the story."""

STATE = state_dtype(
    [
        ("fruit", "i4", (MAX_TREES,)),  # left on each tree
        ("left", "i4"),  # fruits left on all trees
        ("raven", "i4"),  # steps that it still has to go
        ("picks", "i4"),  # fruits of choice still to be picked in this turn
        ("tree", "i4", (MAX_TREES,)),  # the pending decision's options
        ("baskets", "i4"),
        ("bare", "i4"),  # rolls of a colour with no fruit left
    ]
)

VIEW = view_dtype(
    [
        ("fruit", "i4", (MAX_TREES,)),  # left on the tree of each option
        ("raven", "i4"),  # steps that it still has to go
        ("picks", "i4"),  # fruits of choice still to be picked in this turn, this one included
    ]
)
