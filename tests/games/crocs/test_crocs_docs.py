"""The page about Christmas Crocs says what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simulator import registry
from simulator.games.crocs import GAME
from simulator.games.crocs.rules import CrocsRules
from simulator.rules import constants, plausible_text, to_text

PAGE = (Path(__file__).parents[3] / "docs" / "crocs.md").read_text(encoding="utf-8")
CONSTANTS = {c.key: c for c in constants(CrocsRules())}


def _rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, its own head left out."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("row", _rows("Constants nobody printed"), ids=lambda row: row[0])
def test_constants_and_their_ranges(row: list[str]) -> None:
    keys = re.findall(r"`([^`]+)`", row[0])
    values = [value.strip("` ") for value in row[1].split(",")]
    assert values == [to_text(CONSTANTS[key].value) for key in keys]
    ranges = dict.fromkeys(plausible_text(CONSTANTS[key]) for key in keys)
    assert row[3].replace("`", "") == ", ".join(ranges) or (row[3] == "either" and list(ranges) == ["false or true"])


def test_every_assumed_constant_is_named() -> None:
    named = {key for row in _rows("Constants nobody printed") for key in re.findall(r"`([^`]+)`", row[0])}
    assert named == {c.key for c in CONSTANTS.values() if c.source == "assumed"}


def test_constants_of_the_rulings_exist() -> None:
    for row in _rows("What the rulebook leaves open"):
        for key in re.findall(r"`(\w+\.\w+)`", row[2]):
            assert key in CONSTANTS


def test_strategies() -> None:
    assert {row[0].strip("`") for row in _rows("Strategies")} == set(registry.strategies("crocs"))


def test_metrics() -> None:
    known = {m.name for m in GAME.metrics(CrocsRules(), 2)}
    named: set[str] = set()
    for row in _rows("What is measured"):
        whole = ""
        for name in re.findall(r"`([^`]+)`", row[0]):
            whole = name if not name.startswith(".") else f"{whole.rpartition('.')[0]}{name}"
            named.add(whole)
    assert named <= known
    assert {re.sub(r"\.\d$", "", n) for n in known} - {re.sub(r"\.\d$", "", n) for n in named} <= {
        n for n in {re.sub(r"\.\d$", "", k) for k in known} if n.startswith(("drawn.", "lost."))
    }
