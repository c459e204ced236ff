"""Playouts that a person can read and check against the rulebook; every change of behaviour or of wording shows in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from simulator.play.replay import tell
from simulator.play.run import make_experiment


def text_of(game: str, playout: int, **experiment: Any) -> str:
    """A playout and the metrics it left behind."""
    told = tell(make_experiment(game, **experiment), playout)
    row = "\n".join(f"  {metric} {value}" for metric, value in told.row.items() if value)
    return f"{told.text()}\nMetrics that are not 0\n{row}\n"


def compare(file: Path, text: str) -> None:
    """Compare with the golden file, or write it anew with the environment variable UPDATE_GOLDEN=1."""
    if os.environ.get("UPDATE_GOLDEN") == "1":
        file.write_text(text, encoding="utf-8")
        pytest.skip(f"{file.name} was written anew")
    assert text == file.read_text(encoding="utf-8")
