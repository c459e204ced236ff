"""Odd rules of Christmas Vacation, and what else its twin is tried with."""

from __future__ import annotations

from typing import Any

from cases import Cases

WREATHS_AND_BONUSES = (
    *(("clark", "clark", "clark", "wreath", "wreath", "eddie"),) * 4,
    ("clark", "clark", "bonus", "bonus", "eddie", "eddie"),
    ("eddie", "clark", "bonus", "clark", "clark", "clark"),
)

ODD_RULES: dict[str, dict[str, Any]] = {
    "die by die": {"bonus.order": "die"},
    "die by die, three Wilds, bonuses": {"bonus.order": "die", "deck.wilds": 3, "dice.faces": ("bonus", "wreath", "clark", "eddie")},
    "no Wild": {"deck.wilds": 0},
    "four Wilds": {"deck.wilds": 4},
    "only Wilds": {"deck.numbers": 0, "deck.wilds": 4},
    "one card": {"deck.numbers": 1, "deck.copies": 1, "deck.wilds": 0},
    "small deck": {"deck.numbers": 2, "deck.copies": 2, "deck.wilds": 0, "dice.count": 3},
    "widest deck": {"deck.numbers": 8, "deck.copies": 12, "deck.wilds": 4},
    "many numbers": {"deck.numbers": 8, "deck.copies": 2, "deck.wilds": 3},
    "runs of one": {"run.min_length": 1, "deck.wilds": 2},
    "runs of two": {"run.min_length": 2},
    "runs of five": {"run.min_length": 5},
    "no runs": {"run.min_length": 9},
    "one die": {"dice.count": 1, "dice.bust_at": 1},
    "five dice": {"dice.count": 5},
    "twelve dice": {"dice.count": 12, "dice.bust_at": 5},
    "bust at one": {"dice.bust_at": 1},
    "bust at two": {"dice.bust_at": 2},
    "no bust, every die may go": {"dice.count": 2, "dice.bust_at": 3},
    "two Eddies": {"dice.faces": ("clark", "clark", "wreath", "bonus", "eddie", "eddie")},
    "dice that differ": {"dice.faces": WREATHS_AND_BONUSES},
    "dice that differ, die by die": {"dice.faces": WREATHS_AND_BONUSES, "bonus.order": "die", "dice.bust_at": 4},
    "a single bonus": {"dice.faces": (("clark", "eddie"), ("bonus", "clark"), ("wreath", "eddie"), ("clark", "clark")), "dice.count": 4},
    "no bonus": {"dice.faces": ("clark", "wreath", "wreath", "eddie")},
    "no Eddie": {"dice.faces": ("clark", "clark", "wreath", "bonus")},
    "nothing but Clarks": {"dice.faces": ("clark",)},
    "nothing but bonuses, die by die": {"dice.faces": ("bonus", "eddie"), "bonus.order": "die"},
    "twelve faces": {"dice.faces": ("clark", "eddie", "wreath", "bonus") * 3, "dice.count": 8},
    "turn cap 1": {"turn_cap": 1},
    "turn cap 5": {"turn_cap": 5},
}

CASES = Cases(
    few=1_000,
    odd_rules=ODD_RULES,
    like_seats=(("uniform",) * 3, ("cautious",) * 4),
    telling=dict.fromkeys(("die by die", "no Wild", "runs of two", "bust at two", "five dice", "two Eddies", "dice that differ"), ""),
    telling_seats=("cautious", "uniform") * 2,
)
