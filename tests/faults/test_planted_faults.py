"""Faults planted in a copy of the program are found, and by the check that is there to find them."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import programs
import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Fault:
    """A fault: in which file what is replaced by what, and which checks have to find it.

    Attributes:
        name: what is wrong.
        file: where it is planted.
        right, wrong: the text that is replaced, and what by.
        group: the group of `simulate verify` that has to fail; none means the tests that every game must pass.
        victims: words of which each must occur in the name of some check that fails.
        effort: options of `simulate verify`; --quick counts too few experiments to tell nine in ten from nineteen in twenty.
    """

    name: str
    file: str
    right: str
    wrong: str
    group: str | None
    victims: tuple[str, ...]
    effort: tuple[str, ...] = ("--quick",)


FAULTS = (
    Fault(
        "a biased bounded draw",
        "simulator/kernel/chance.py",
        "    product = word(chance, purpose, occasion) * size\n",
        "    product = ((word(chance, purpose, occasion) >> _U(24)) << _U(24)) * size\n",
        "draws",
        ("integers below 7",),
    ),
    Fault(
        "a die that never shows six",
        "simulator/games/ladders/__init__.py",
        "rules.die.sides)",
        "rules.die.sides - 1)",
        "answers",
        ("Chutes and Ladders, turns alone, mean",),
    ),
    Fault(
        "a seat counted for its neighbour",
        "simulator/games/ladders/__init__.py",
        "        kit.win(table, seat)",
        "        kit.win(table, (seat + 1) % table.seats)",
        "answers",
        ("seat 0 wins", "seat 1 wins"),
    ),
    Fault(
        "an interval at 90 percent labelled 95",
        "simulator/stats/estimate.py",
        ".proportion_ci(confidence, ",
        ".proportion_ci(1 - 2 * (1 - confidence), ",
        "intervals",
        ("Wilson's interval, p = 0.5", "Wilson's interval, p = 0.9"),
        effort=(),
    ),
    Fault(
        "a player who sees a hidden hand",
        "simulator/games/crocs/table.py",
        "    hand=per_seat(cards(HAND), seen_by=OWNER),\n",
        "    hand=per_seat(cards(HAND)),\n",
        None,
        ("test_a_view_stays_the_same_when_what_is_hidden_is_dealt_afresh[crocs-2]",),
    ),
)


def plant(fault: Fault, folder: Path) -> None:
    """Copy the program and replace the right by the wrong."""
    for part in ("simulator", "strategies", "reports", "tests/contract", "pyproject.toml"):
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    file = folder / fault.file
    text = file.read_text(encoding="utf-8")
    assert text.count(fault.right) == 1, f"the place for '{fault.name}' is not there any more"
    file.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")


def failed(fault: Fault, folder: Path) -> list[str]:
    """Names of the checks that fail in a copy with the fault."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}  # what the fault does not reach is compiled already
    if fault.group is None:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/contract", "-k", "crocs and view_stays"]
        done = programs.run(command, cwd=folder, env=environment)
        return [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    command = [sys.executable, "-m", "simulator", "verify", *fault.effort, "--json", "--group", fault.group]
    done = programs.run(command, cwd=folder, env=environment)
    document: dict[str, Any] = json.loads(done.stdout)
    found = [check["name"] for check in document["checks"] if not check["held"]]
    assert done.returncode == (1 if found else 0)
    return found


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.name)
def test_a_planted_fault_is_found(fault: Fault, tmp_path: Path) -> None:
    plant(fault, tmp_path)
    found = failed(fault, tmp_path)
    for victim in fault.victims:
        assert any(victim in name for name in found), found


def test_without_a_fault_nothing_fails(capsys: pytest.CaptureFixture[str]) -> None:
    from simulator.cli.main import run  # noqa: PLC0415  the copies above have a program of their own

    assert run(["verify", "--quick", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["held"] == document["total"] > 100
