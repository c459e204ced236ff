"""Playouts that a person can read and check against the rulebook; every change of behaviour or of wording shows here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from golden_playouts import compare, text_of

FOLDER = Path(__file__).parent / "golden"

PLAYOUTS: dict[str, dict[str, Any]] = {
    "three_racers": {"players": 3, "strategies": ["racer"]},
    "two_cautious": {"players": 2, "strategies": ["cautious", "one_roll"]},
    "five_at_random": {"players": 5, "strategies": ["uniform"], "rules": {"turn_cap": 8}},
    "die_by_die": {"players": 2, "strategies": ["racer", "runner"], "rules": {"bonus.order": "die", "deck.wilds": 3}},
}


@pytest.mark.parametrize("name", PLAYOUTS)
def test_playout_is_told_as_before(name: str) -> None:
    compare(FOLDER / f"{name}.txt", text_of("vacation", 0, **PLAYOUTS[name]))


def test_every_golden_file_belongs_to_a_playout() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(PLAYOUTS)
