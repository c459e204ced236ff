"""Chutes and Ladders told in plain sentences."""

from __future__ import annotations

from typing import Any

from simulator.games.ladders.rules import LaddersRules
from simulator.games.ladders.turn import CLIMBED, DEALT, MOVED, SLID, STAYED, WON


def sentences(rules: LaddersRules, events: list[tuple[int, int, int, int]]) -> list[str]:
    """One sentence for each event."""
    return [_sentence(rules, *event) for event in events]


def _sentence(rules: LaddersRules, code: int, a: int, b: int, c: int) -> str:
    return {
        DEALT: f"The first pawn on space {rules.board.spaces} wins.",
        MOVED: f"Seat {a} rolls {b} and moves to {c}.",
        CLIMBED: f"A ladder leads up to {b}.",
        SLID: f"A chute leads down to {b}.",
        STAYED: f"Seat {a} rolls {b}, which is too much, and stays on {c}.",
        WON: f"Seat {a} wins.",
    }[code]


def question(*_: Any) -> str:
    """Never asked for, with nothing to decide."""
    return ""


def option(*_: Any) -> str:
    """Never asked for, with nothing to decide."""
    return ""
