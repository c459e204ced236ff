"""Odd rules of Christmas Crocs, and what else its twin is tried with."""

from __future__ import annotations

from typing import Any

from cases import Cases

NOTHING_ELSE = {
    f"deck.{kind}": 0 for kind in ("santa", "elf", "scrooge", "grinch", "heart", "coal", "choo_choo", "snow")
}  # a deck of presents and canes

ODD_RULES: dict[str, dict[str, Any]] = {
    "the deck ends the game": {"deck.when_empty": "end"},
    "a small deck ends the game": {
        **NOTHING_ELSE, "deck.when_empty": "end", "deck.present": 18, "deck.candy_cane": 12, "deck.elf": 4, "deck.snow": 2,
    },
    "giving is voluntary": {"ask.must_give": False},
    "the frozen are silent": {"snow.silences": True, "deck.snow": 12, "deck.grinch": 12, "deck.heart": 12},
    "the frozen are silent, giving is voluntary": {"snow.silences": True, "ask.must_give": False, "deck.snow": 30, "deck.santa": 20},
    "Hearts in the round": {"heart.window": "round"},
    "Hearts in the round, Grinches": {"heart.window": "round", "deck.grinch": 30, "deck.heart": 30, "deck.snow": 12},
    "all switches": {
        "deck.when_empty": "end", "ask.must_give": False, "heart.window": "round", "deck.grinch": 12, "deck.heart": 12,
        "snow.silences": True,
    },
    "Grinches take three": {"grinch.takes": 3, "deck.grinch": 20, "deck.heart": 20},
    "Grinches take fifteen": {"grinch.takes": 15, "deck.grinch": 20, "deck.heart": 12, "slots.count": 8, "turn_cap": 300},
    "Grinches take one": {"grinch.takes": 1, "deck.grinch": 12},
    "canes fill a slot alone": {"slots.canes": 1},
    "three canes": {"slots.canes": 3, "deck.candy_cane": 40, "deck.elf": 12},
    "four canes": {"slots.canes": 4, "deck.candy_cane": 60, "deck.present": 0, "deck.scrooge": 4},
    "one slot": {"slots.count": 1},
    "fifteen slots": {"slots.count": 15, "turn_cap": 200},
    "deal one": {"hand.deal": 1},
    "deal fifteen": {"hand.deal": 15, "decks": 2, "hand.elf_below": 15},
    "no draw by Elf": {"hand.elf_below": 0},
    "Elf always draws": {"hand.elf_below": 9, "hand.deal": 3, "deck.elf": 40, "turn_cap": 300},
    "two decks": {"decks": 2},
    "eight decks": {"decks": 8, "deck.present": 60},
    "presents and canes alone": NOTHING_ELSE,
    "scarce": {"deck.present": 6, "deck.candy_cane": 4, "turn_cap": 300},
    "all Coal": {"deck.coal": 60, "turn_cap": 300},
    "just dealt": {**NOTHING_ELSE, "deck.present": 12, "deck.candy_cane": 2, "deck.elf": 12, "deck.choo_choo": 4, "turn_cap": 100},
    "Snow": {"deck.snow": 60, "deck.choo_choo": 20, "turn_cap": 300},
    "no Heart": {"deck.heart": 0, "deck.grinch": 20},
    "turn cap 1": {"turn_cap": 1},
    "turn cap 7": {"turn_cap": 7},
}  # fmt: skip

CASES = Cases(
    few=1_000,
    odd_rules=ODD_RULES,
    like_seats=(("uniform",) * 3, ("builder",) * 4),
    telling=dict.fromkeys(
        (
            "a small deck ends the game",
            "giving is voluntary",
            "the frozen are silent",
            "Hearts in the round",
            "Grinches take one",
            "three canes",
            "no draw by Elf",
        ),
        "",
    ),
    telling_seats=("builder", "uniform") * 2,
    can_be_dealt=lambda rules, players: rules.total >= players * rules.hand.deal,
)
