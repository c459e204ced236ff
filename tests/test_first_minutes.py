"""The first minutes with a copy of this project: what the README and `make run` say to type works, as it stands there."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fresh_clone
import programs
import pytest

README = (fresh_clone.ROOT / "README.md").read_text(encoding="utf-8")
FIRST_SCREEN = README.partition("## ")[0]
COMMANDS = list(dict.fromkeys(re.findall(r"`(simulate [^`]+)`", README)))

LESS = {
    "compare": "--games 2k",
    "sweep": "--games 2k",
    "tournament": "--games 100 --players 2",
    "verify": "--quick --group generator",
    "--games": "--games 20k",
    "--report": "--games 500 --players 2",
}
"""What is typed after a command or an option that would play for long: it does the same, with fewer playouts."""

STOPPED = {"sensitivity", "tune", "skill", "crocs", "tune-strategy", "drama", "report"}
"""What would compile and play for minutes, as `--across` does, and is stopped as by Ctrl-C as soon as it begins to, typed as it stands."""

PROGRAM = """
import contextlib, io, json, sys
from pathlib import Path
from simulator.cli.main import run
from simulator.play.executors import Job

def press_ctrl_c(job):
    raise KeyboardInterrupt

new_worker = Job.new_worker
for command, stopped in json.load(sys.stdin):
    Job.new_worker = press_ctrl_c if stopped else new_worker
    out, err, file = io.StringIO(), io.StringIO(), None
    if ">" in command:
        command, file = command[:-2], command[-1]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(command)
    if file:
        Path(file).write_text(out.getvalue())
    print(json.dumps([code, err.getvalue()]), flush=True)
"""
"""One process for all commands, since each would need seconds to start."""


def indented(text: str) -> list[str]:
    """Commands on lines of their own, without what is said about them."""
    return re.findall(r"^ {4}(\S.*?)(?: {2,}#.*)?$", text, re.MULTILINE)


def typed(command: str) -> tuple[list[str], bool]:
    """The words after `simulate`, with fewer playouts where it would take long, and whether it is stopped."""
    words = shlex.split(command)[1:]
    if words[0] in STOPPED or "--across" in words:
        return words, True
    if "--cluster" in words:
        return words, False
    return words + [word for name, less in LESS.items() if name in words for word in less.split()], False


def in_a_terminal(script: str, folder: Path) -> str:
    """What a script prints in a terminal in which nothing is set up."""
    make = shutil.which("make") or pytest.fail("there is no make")
    kept = {name: os.environ[name] for name in ("HOME", "LUDOMETER_CACHE", "XDG_CACHE_HOME") if name in os.environ}
    done = programs.run(["/bin/sh", "-ec", script], cwd=folder, env={**kept, "PATH": f"{Path(make).parent}:{os.defpath}", "GAMES": "2000"})
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone, in which all is there that `make run` installs before it plays."""
    folder = tmp_path_factory.mktemp("clone")
    fresh_clone.clone(folder)
    fresh_clone.install(folder)
    return folder


@pytest.fixture(scope="module")
def first_screen(copy: Path) -> str:
    """What the first lines of the README print, typed one after the other."""
    return in_a_terminal("\n".join(indented(FIRST_SCREEN)), copy)


@pytest.fixture(scope="module")
def outcomes(copy: Path, first_screen: str) -> dict[str, Any]:
    """Exit code and complaints of each command of the README, typed in its order afterwards."""
    assert first_screen
    (copy / "all.py").write_text(PROGRAM, encoding="utf-8")
    (copy / "all.json").write_text(json.dumps([typed(command) for command in COMMANDS]), encoding="utf-8")
    printed = in_a_terminal(". .venv/bin/activate\npython all.py < all.json", copy)
    return dict(zip(COMMANDS, map(json.loads, printed.splitlines()), strict=True))


def test_the_first_screen_works_and_shows_what_there_is_to_play(first_screen: str, copy: Path) -> None:
    assert [line.split()[0] for line in indented(FIRST_SCREEN)] == ["make", ".", "simulate"]
    assert "Merry Grinchmas, rules as shipped" in first_screen
    assert re.search(r"^ grinchmas\s+Merry Grinchmas", first_screen, re.MULTILINE)
    assert (copy / "build" / "grinchmas.html").exists()


def test_what_make_run_says_to_type_next_works(first_screen: str, copy: Path) -> None:
    lines = indented(first_screen.partition("To ask for more")[2].partition("--set")[0] + "--set wishes.goal=10")
    assert lines[0] == ". .venv/bin/activate"
    assert lines[0] in indented(FIRST_SCREEN)
    assert len(lines) == 4
    assert "Merry Grinchmas, rules changed: wishes.goal=10" in in_a_terminal("\n".join(lines), copy)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_readme_works_after_make_run(command: str, outcomes: dict[str, Any]) -> None:
    code, complaints = outcomes[command]
    if "HOST" in command:
        assert (code, complaints.startswith("Error: No Dask scheduler answers at tcp://HOST:8786; ")) == (2, True), complaints
    else:
        assert code == (130 if typed(command)[1] else 0), complaints


def test_all_that_the_project_imports_is_installed_by_make_run(copy: Path) -> None:
    """Also what a command imports only when it has played."""
    files = [file for room in ("simulator", "strategies", "reports") for file in (copy / room).rglob("*.py")]
    names = {name.partition(".")[0] for file in files for name in imported(file.read_text(encoding="utf-8"))} - sys.stdlib_module_names
    assert {"cmaes", "SALib", "distributed", "simulator"} <= names
    names.add("pyarrow")  # pandas imports it
    code = f"from importlib.util import find_spec; print(*(name for name in {sorted(names)} if find_spec(name) is None))"
    assert in_a_terminal(f'. .venv/bin/activate\npython -c "{code}"', copy).split() == []


def imported(source: str) -> Iterator[str]:
    """Names of the modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module)
