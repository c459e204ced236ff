"""Playouts that a person can read and check against the rules; every change of behaviour or of wording shows here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from golden_playouts import compare, text_of

FOLDER = Path(__file__).parent / "golden"

PLAYOUTS: dict[str, dict[str, Any]] = {
    "two_by_the_rule_of_28": {"players": 2, "strategies": ["rule_of_28"]},
    "three_different": {"players": 3, "strategies": ["rule_of_28", "conservative", "uniform"], "rules": {"goal": 2}},
}


@pytest.mark.parametrize("name", PLAYOUTS)
def test_playout_is_told_as_before(name: str) -> None:
    compare(FOLDER / f"{name}.txt", text_of("cantstop", 0, **PLAYOUTS[name]))
