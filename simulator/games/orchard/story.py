"""First Orchard told in plain sentences."""

from __future__ import annotations

from typing import Any

from simulator.games.orchard.rules import OrchardRules
from simulator.games.orchard.state import BARE, BASKET, DEALT, LOST, PICKED, RAVEN, WON

_COLOURS = ("green", "red", "yellow", "blue", "purple", "orange", "white", "black")


def sentences(rules: OrchardRules, events: list[tuple[int, int, int, int]]) -> list[str]:
    """One sentence for each event."""
    return [_sentence(rules, *event) for event in events]


def _sentence(rules: OrchardRules, code: int, a: int, b: int, c: int) -> str:
    return {
        DEALT: f"Each of {rules.trees.count} trees bears {rules.trees.fruit}; the raven is {rules.raven.steps} steps away.",
        PICKED: f"Seat {a} picks {_COLOURS[b]} and leaves {c}.",
        BARE: f"Seat {a} rolls {_COLOURS[b]}, of which none is left.",
        BASKET: f"Seat {a} rolls the basket.",
        RAVEN: f"Seat {a} rolls the raven, which is {b} steps away now.",
        WON: "All fruit is harvested: the players win.",
        LOST: "The raven has arrived: the players lose.",
    }[code]


def question(rules: OrchardRules, view: Any) -> str:
    """What the deciding seat is asked."""
    del rules  # the view has what is needed
    return f"a tree to pick from (the raven is {view.raven} steps away)"


def option(rules: OrchardRules, view: Any, index: int) -> str:
    """What one option would do."""
    del rules  # the view has what is needed
    return f"one that bears {view.fruit[index]}"
