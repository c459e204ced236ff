"""A game of one's own: begun, tried out, and looked at."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import programs
import pytest

from simulator.cli.commands.new import STARTS

Simulate = Callable[..., Any]
FILES = {"dragons.py", "dragons_test.py", "dragons.toml", "README.md"}


def test_new_writes_a_game_its_tests_its_promises_and_what_to_edit_first(simulate: Simulate) -> None:
    outcome = simulate("new", "dragons")
    assert (outcome.code, outcome.out, outcome.errors) == (0, "", [])
    assert {p.name for p in Path.cwd().iterdir()} == FILES
    assert "Go on with: simulate try dragons.py" in outcome.err
    for file in FILES:
        text = Path(file).read_text(encoding="utf-8")
        assert "dragons" in text
        assert "NAME" not in text
        assert "TITLE" not in text


@pytest.mark.parametrize("there", sorted(FILES - {"README.md"}))
def test_nothing_is_overwritten(refused: Callable[..., str], there: str) -> None:
    Path(there).write_text("mine", encoding="utf-8")
    assert refused("new", "dragons").startswith(f"Error: {there} is there already, and nothing is overwritten")
    assert Path(there).read_text(encoding="utf-8") == "mine"


def test_a_readme_that_is_there_stays_and_hinders_nobody(simulate: Simulate) -> None:
    Path("README.md").write_text("mine", encoding="utf-8")
    outcome = simulate("new", "dragons")
    assert (outcome.code, Path("README.md").read_text(encoding="utf-8")) == (0, "mine")
    assert "Note: README.md is there already and stays as it is." in outcome.err
    assert Path("dragons.py").exists()


NAMES = {
    "my game": "cannot be the name of a Python file",
    "class": "cannot be the name of a Python file",
    "3d": "cannot be the name of a Python file",
    "../x": "cannot be the name of a Python file",
    "pig": "There is a game or command 'pig' already",
    "sweep": "There is a game or command 'sweep' already",
    "random": "is the name of a Python module",
    "numpy": "is the name of a Python module",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_a_game_cannot_have_is_refused(refused: Callable[..., str], name: str) -> None:
    assert NAMES[name] in refused("new", name)


@pytest.mark.parametrize("start", STARTS)
def test_the_tests_and_the_promises_of_every_start_hold(simulate: Simulate, start: str, tmp_path: Path) -> None:
    assert simulate("new", "dragons", "--from", start).code == 0
    outcome = simulate("check", "dragons.toml", "--games", "20k")
    assert outcome.code == 0, outcome.out
    known_chance = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not game", "dragons_test.py"]
    done = programs.run(known_chance, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_try_prints_what_it_played_and_how_to_go_on(simulate: Simulate) -> None:
    simulate("new", "dragons", "--from", "dice")
    outcome = simulate("try", "dragons.py")
    assert outcome.code == 0, outcome
    assert re.search(
        r"Dragons is a game for 2 to 4 players: \d+ playouts in plain Python, and the same compiled, without a complaint", outcome.out
    )
    assert "Go on with: simulate dragons.py --players 2" in outcome.out


def test_try_prints_each_complaint_with_its_code_and_exits_with_1(simulate: Simulate) -> None:
    simulate("new", "dragons")
    file = Path("dragons.py")
    text = file.read_text(encoding="utf-8").replace("table.missed += 0", "table.mised += 0")
    file.write_text(text, encoding="utf-8")
    line = text.splitlines().index("    table.mised += 0 if beats else 1") + 1
    outcome = simulate("try", "dragons.py")
    assert outcome.code == 1
    assert outcome.out == (
        f"dragons.py, line {line}: there is no field 'mised' (did you mean 'missed'?), which kit.table(...) has to declare.\n"
        "    table.mised += 0 if beats else 1\n\n1 complaint. What comes later was not looked at yet.\n"
    )


def test_try_tells_a_program_in_json(simulate: Simulate) -> None:
    simulate("new", "dragons")
    text = Path("dragons.py").read_text(encoding="utf-8")
    Path("dragons.py").write_text(text.replace("kit.roll(table, DIE, KINDS)", "kit.roll(table, DIE)"), encoding="utf-8")
    outcome = simulate("try", "dragons.py", "--json")
    assert outcome.code == 1
    (complaint,) = json.loads(outcome.out)["complaints"]
    assert complaint["code"] == "table.die, n = kit.roll(table, DIE), 0"
    assert set(complaint) == {"file", "line", "code", "reason"}


def test_try_complains_of_a_file_that_cannot_be_loaded_with_its_line(simulate: Simulate) -> None:
    Path("dragons.py").write_text("x = 1\ny = (\n", encoding="utf-8")
    outcome = simulate("try", "dragons.py")
    assert outcome.code == 1
    assert outcome.out.startswith("dragons.py, line 2: '(' was never closed.\n    y = (\n")


def test_try_refuses_what_is_not_there(refused: Callable[..., str]) -> None:
    assert refused("try", "nowhere.py") == "Error: Game file nowhere.py cannot be read: No such file or directory."
    assert "There is no game 'tiny'" in refused("try", "tiny")
