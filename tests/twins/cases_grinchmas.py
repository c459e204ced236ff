"""Odd rules of Merry Grinchmas, and what else its twin is tried with."""

from __future__ import annotations

from typing import Any

from cases import Cases

SHORT_PATH = ("max", "feet", "house 1", "A")
TWO_MAX = ("feet", "max", "house 2", "B", "present", "house 6", "max", "C", "house 3", "A")
MAX_AND_FEET = ("max", "feet", "present")

ODD_RULES: dict[str, dict[str, Any]] = {
    "designs 2": {"presents.designs": 2},
    "designs 2, pair any": {"presents.designs": 2, "wishes.pair": "any"},
    "pair any": {"wishes.pair": "any"},
    "reshuffle": {"wishes.when_exhausted": "reshuffle"},
    "reshuffle a small pile": {
        "wishes.when_exhausted": "reshuffle", "wishes.mixed_copies": 0, "wishes.pair_copies": 1, "wishes.trio_cards": 2,
        "wishes.goal": 30,
    },
    "goal above the cards": {"wishes.goal": 100},
    "goal above the cards, pair any": {"wishes.goal": 250, "wishes.pair": "any", "exchange.min_players": 2},
    "one card": {"wishes.mixed_copies": 0, "wishes.pair_copies": 0, "wishes.trio_cards": 1},
    "one face up": {"wishes.face_up": 1},
    "eight face up, equal stars": {"wishes.face_up": 8, "stars.mixed": 3, "stars.pair": 3, "stars.trio": 3},
    "worthless": {"stars.mixed": 0, "stars.pair": 0, "stars.trio": 0},
    "tie is no win": {"win_on_tie": False},
    "tie is no win, equal stars": {"win_on_tie": False, "stars.mixed": 1, "stars.pair": 1, "stars.trio": 1},
    "exchange from 2": {"exchange.min_players": 2},
    "exchange from 2, designs 2, pair any": {"exchange.min_players": 2, "presents.designs": 2, "wishes.pair": "any"},
    "no exchange": {"exchange.min_players": 7},
    "no exchange on Max": {"exchange.min_players": 2, "exchange.on_max": False},
    "tiny bag": {"presents.copies": 1, "turn_cap": 80},
    "tiny bag, exchange": {"presents.colours": 4, "presents.copies": 2, "exchange.min_players": 2, "turn_cap": 80},
    "tiny bag, exchange, two Max": {"presents.copies": 2, "exchange.min_players": 2, "board.path": TWO_MAX, "turn_cap": 80},
    "tiny bag, no exchange on Max": {
        "presents.copies": 2, "exchange.min_players": 2, "exchange.on_max": False, "board.path": TWO_MAX, "turn_cap": 80,
    },
    "empty bag": {"presents.colours": 3, "presents.copies": 1, "exchange.min_players": 2, "turn_cap": 80},
    "three colours": {"presents.colours": 3},
    "eight colours, designs 2": {"presents.colours": 8, "presents.designs": 2, "exchange.min_players": 3},
    "short path": {"board.path": SHORT_PATH},
    "one space": {"board.path": ("max",), "spinner.faces": (1,)},
    "Max, feet and present": {"board.path": MAX_AND_FEET, "exchange.min_players": 2},
    "two Max": {"board.path": TWO_MAX},
    "long spins": {"spinner.faces": (7, 30, 64, "feet", "feet", 24, 1)},
    "turn cap 5": {"turn_cap": 5},
    "turn cap 1": {"turn_cap": 1},
}  # fmt: skip

CASES = Cases(
    few=1_000,
    odd_rules=ODD_RULES,
    like_seats=(("uniform",) * 3, ("uniform",) * 6, ("greedy",) * 2, ("greedy",) * 5),
    telling={
        "tie is no win": "",
        "designs 2": "",
        "pair any": "",
        "reshuffle a small pile": "",
        "no exchange": "",
        "no exchange on Max": "exchange from 2",
        "long spins": "",
    },
    telling_seats=("greedy", "uniform") * 3,
)
