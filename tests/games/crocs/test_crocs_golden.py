"""Playouts that a person can read and check against the rulebook; every change of behaviour shows here.

With UPDATE_GOLDEN=1 in the environment the files are written anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from simulator.play.replay import tell
from simulator.play.run import make_experiment

FOLDER = Path(__file__).parent / "golden"

PLAYOUTS: dict[str, dict[str, Any]] = {
    "crocs_four_opportunists": {"players": 4, "strategies": ["opportunist"]},
    "crocs_three_mixed": {"players": 3, "strategies": ["bully", "builder", "banker"]},
    "crocs_six_at_random": {"players": 6, "strategies": ["uniform"], "rules": {"turn_cap": 14}},
    "crocs_all_switches": {
        "players": 3,
        "strategies": ["uniform"],
        "rules": {"deck.when_empty": "end", "ask.must_give": False, "heart.window": "round", "slots.canes": 3, "deck.grinch": 8},
    },
}


def _text(name: str) -> str:
    told = tell(make_experiment("crocs", **PLAYOUTS[name]), 0)
    row = "\n".join(f"  {metric} {value}" for metric, value in told.row.items() if value)
    return f"{told.text()}\nMetrics that are not 0\n{row}\n"


@pytest.mark.parametrize("name", PLAYOUTS)
def test_golden_playout(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        FOLDER.mkdir(exist_ok=True)
        file.write_text(_text(name), encoding="utf-8")
    assert _text(name) == file.read_text(encoding="utf-8")
