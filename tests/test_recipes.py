"""The recipes are played as they stand in the document."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import simulator as ludometer
from simulator.registry.neighbours import StrangerWarning

TEXT = (Path(__file__).resolve().parents[1] / "docs" / "recipes.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"<!-- (?:recipe: )?(\w+) -->\n```python\n(.+?)```", TEXT, re.DOTALL))
HEAD, FOOT = BLOCKS.pop("head"), BLOCKS.pop("foot")


def written(recipe: str) -> str:
    """The file of a recipe: between head and foot, and what it has beside `turn` given to the game."""
    code = BLOCKS[recipe]
    more = "".join(f"{name}={name}, " for name in ("deal", "redeal", "payoff") if f"def {name}(" in code)
    more += "cooperative=True, " if "end_for_all(" in code else ""
    foot = FOOT.replace("turn=turn,", f"turn=turn, {more}".strip())
    if "DECISIONS = " in code:
        foot = foot.replace('decisions=("choice",)', "decisions=DECISIONS")
    return f"{HEAD}\n\n{code}\n\n{foot}"


@pytest.mark.parametrize("recipe", BLOCKS)
def test_a_recipe_is_a_game_without_a_complaint(recipe: str, tmp_path: Path) -> None:
    file = tmp_path / "recipe.py"
    file.write_text(written(recipe), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StrangerWarning)
        found = ludometer.try_game(str(file))
    assert [complaint.sentence for complaint in found.complaints] == []
    assert found.notes == ()


def test_the_recipes_are_those_that_designers_ask_for() -> None:
    assert len(BLOCKS) == len(re.findall(r"^## ", TEXT, re.MULTILINE)) == 13
    assert all(len(code.strip().splitlines()) <= 45 for code in BLOCKS.values())
