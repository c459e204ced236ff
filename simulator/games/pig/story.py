"""Pig told in plain sentences."""

from __future__ import annotations

from typing import Any

from simulator.games.pig.rules import PigRules
from simulator.games.pig.state import BUSTED, DEALT, HELD, HOLD, ROLLED, WON


def sentences(rules: PigRules, events: list[tuple[int, int, int, int]]) -> list[str]:
    """One sentence for each event."""
    return [_sentence(rules, *event) for event in events]


def _sentence(rules: PigRules, code: int, a: int, b: int, c: int) -> str:
    return {
        DEALT: f"The first to hold {rules.goal} points wins.",
        ROLLED: f"Seat {a} rolls {b}; the turn is worth {c}.",
        BUSTED: f"Seat {a} rolls {b} and loses the {c} points of this turn.",
        HELD: f"Seat {a} holds {b} points and has {c} now.",
        WON: f"Seat {a} wins.",
    }[code]


def question(rules: PigRules, view: Any) -> str:
    """What the deciding seat is asked."""
    del rules  # the view has what is needed
    return f"whether to hold {view.total} on top of {view.score[view.seat]}"


def option(rules: PigRules, view: Any, index: int) -> str:
    """What one option would do."""
    del rules, view  # the options are the same everywhere
    return "hold" if index == HOLD else "roll"
