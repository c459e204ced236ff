"""Strategies from files: what is wrong with one is said with its line, before the run where it can be, else in the run."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator import registry

Refused = Callable[..., str]
Simulate = Callable[..., Any]

HEAD = 'from strategies import Params, strategy\n\n@strategy("grinchmas")\n'

FILES = {
    "syntax error": (f"{HEAD}def play(view, u:\n    return 0\n", 4, "was never closed"),
    "import error": ("import no_such_module\n", 1, "no_such_module"),
    "raises at import": ("\nx = 1\nprint(x / 0)\n", 3, "ZeroDivisionError"),
    "exits at import": ("import sys\nsys.exit('bye')\n", 2, "SystemExit: bye"),
    "undecorated": ("def play(view, u):\n    return 0\n", 1, 'put @strategy("grinchmas") above it'),
    "no number of arguments": (f'{HEAD}def play(view):\n    """Plays."""\n    return 0\n', 4, "takes 1 argument;"),
    "third argument": (f'{HEAD}def play(view, u, p=3):\n    """Plays."""\n    return 0\n', 4, "write p=Params(p=3) and read p.p"),
    "parameter that is no number": (f'{HEAD}def play(view, u, p=Params(x="a")):\n    """Plays."""\n    return 0\n', 4, "finite number"),
    "no docstring": (f"{HEAD}def play(view, u):\n    return 0\n", 4, "no docstring"),
    "decorator without game": (
        'from strategies import strategy\n@strategy\ndef play(view, u):\n    """Plays."""\n',
        2,
        '@strategy("grinchmas")',
    ),
    "a game that there is not": (
        f'{HEAD.replace("grinchmas", "grinchmass")}def play(view, u):\n    """Plays."""\n    return 0\n',
        3,
        "no game (did you mean 'grinchmas'?)",
    ),
    "above a class": (f"{HEAD}class Play:\n    pass\n", 3, "belongs above a function"),
    "another game": (f'{HEAD.replace("grinchmas", "vacation")}def play(view, u):\n    """Plays."""\n    return 0\n', 3, "'vacation'"),
    "none": (
        f'{HEAD}def play(view, u):\n    """Plays."""\n    if view.turn > 1:\n        return 0\n',
        6,
        "comes to its end without a return",
    ),
    "float": (f'{HEAD}def play(view, u):\n    """Plays."""\n    return 0.5\n', 6, "returns 0.5, which is no whole number"),
    "truth": (f'{HEAD}def play(view, u):\n    """Plays."""\n    return u > 2\n', 6, "returns False, which is no whole number"),
    "too large": (f'{HEAD}def play(view, u):\n    """Plays."""\n    return view.n_options\n', 6, "return the index of an option, 0 to"),
    "negative": (f'{HEAD}def play(view, u):\n    """Plays."""\n    return -1\n', 6, "return the index of an option, 0 to"),
    "raises": (f'{HEAD}def play(view, u):\n    """Plays."""\n    return [0][view.n_options]\n', 6, "IndexError"),
    "exits": (f'{HEAD}def play(view, u):\n    """Plays."""\n    raise SystemExit\n', 6, "SystemExit."),
    "unknown field": (f'{HEAD}def play(view, u):\n    """Plays."""\n    return view.scorse\n', 6, "no 'scorse' (did you mean 'scores'?)"),
    "endless": (f'{HEAD}def play(view, u):\n    """Plays."""\n    while view.n_options:\n        pass\n', 5, "has to end"),
}


@pytest.mark.usefixtures("nothing_is_played")
@pytest.mark.parametrize("case", FILES)
def test_a_faulty_file_is_refused_and_its_line_named(refused: Refused, tmp_path: Path, case: str) -> None:
    text, line, reason = FILES[case]
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    sentence = refused("grinchmas", "--strategy", "mine.py:play", "--games", "10")
    assert "mine.py" in sentence
    assert f"line {line}" in sentence or case == "endless", sentence
    assert reason in sentence, sentence


@pytest.mark.usefixtures("nothing_is_played")
@pytest.mark.parametrize(
    ("strategy", "reason"),
    [
        ("missing.py:play", "missing.py cannot be read: No such file"),
        (".:play", "'.'"),
        ("folder.py:play", "folder.py"),
        (f"{'x' * 300}.py:play", "File name too long"),
        ("empty.py:play", 'put @strategy("grinchmas") above a function'),
        ("empty.py", "empty.py:NAME"),
        ("empty.py:", "write NAME"),
        ("binary.py:play", "binary.py"),
        ("latin.py:play", "latin.py"),
    ],
)
def test_a_file_that_is_none_is_refused(refused: Refused, tmp_path: Path, strategy: str, reason: str) -> None:
    (tmp_path / "empty.py").touch()
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "binary.py").write_bytes(b"\0\1\2")
    (tmp_path / "latin.py").write_bytes("# für alle\n".encode("latin-1"))
    assert reason in refused("grinchmas", "--strategy", strategy)


@pytest.mark.usefixtures("nothing_is_played")
def test_a_misspelt_or_undeclared_strategy_of_a_file_is_refused(refused: Refused, visitors: Path) -> None:
    assert "did you mean 'settled'?" in refused("grinchmas", "--strategy", f"{visitors}:setled")
    assert 'put @strategy("grinchmas") above it' in refused("grinchmas", "--strategy", f"{visitors}:undeclared")
    assert "did you mean 'share'?" in refused("grinchmas", "--strategy", f"{visitors}:settled:shar=1")


PRINTING = """print("loaded")
import numpy as np
from strategies import Params, strategy

def numbers():
    print("computed")
    return np.array([0, 1])

@strategy("pig")
def play(view, u, p=Params(numbers=numbers)):
    "Plays."
    return p.numbers[1]
"""


def test_what_a_file_prints_while_it_is_loaded_is_no_result(simulate: Simulate, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PRINTING, encoding="utf-8")
    outcome = simulate("pig", "--players", "2", "--games", "10", "--set", "turn_cap=3", "--strategy", "mine.py:play", "--json")
    assert json.loads(outcome.out)["results"]
    assert {"loaded", "computed"} <= set(outcome.err.splitlines())


@pytest.mark.usefixtures("nothing_is_played")
def test_a_strategy_of_an_installed_package_is_held_to_the_same(refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "offered_here.py").write_text(f'{HEAD}def offered(view, u):\n    "Plays."\n    print(u)\n    return 0\n', encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    offered = importlib.import_module("offered_here").offered
    known = registry.strategies("grinchmas")
    monkeypatch.setattr(registry, "strategies", lambda _game: {**known, "offered": offered})
    sentence = refused("grinchmas", "--strategy", "offered", "--games", "10")
    assert "offered_here.py, line 6): print is not for strategies" in sentence


def line_in(file: Path, text: str) -> int:
    """The number of the first line that contains `text`."""
    return next(i for i, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if text in line)


@pytest.mark.usefixtures("nothing_is_played")
def test_a_strategy_that_does_not_compile_is_refused_and_the_line_named(refused: Refused, visitors: Path) -> None:
    sentence = refused("grinchmas", "--games", "10", "--strategy", f"{visitors}:uncompilable")
    assert "'uncompilable' does not compile" in sentence
    assert f"{visitors}, line {line_in(visitors, 'np.lexsort')})" in sentence
    assert "numpy.lexsort, which compiled code does not know; write it out as a loop" in sentence


@pytest.mark.parametrize(
    ("name", "at", "reason"),
    [("late_illegal", "def late_illegal", "returned option 99"), ("late_raising", "raise ValueError", "ValueError: tired")],
)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_fails_late_in_the_run_is_explained_and_exits_with_1(
    refused: Refused, simulate: Simulate, visitors: Path, name: str, at: str, reason: str, workers: str
) -> None:
    asked = ("grinchmas", "--workers", workers, "--strategy", "uniform", "--strategy", f"{visitors}:{name}")
    sentence = refused(*asked, "--games", "20k", "--report", "report.html", code=1)
    assert f"Strategy '{name}' ({visitors.name}, line {line_in(visitors, at)})" in sentence
    told = re.search(r"in playout (\d+) of grinchmas, decision '\w+'", sentence)
    assert told, sentence
    assert reason in sentence
    if workers == "1":
        assert simulate(*asked, "--games", told[1]).code == 0, "all playouts before it come to an end"
        assert refused(*asked, "--games", str(int(told[1]) + 1), code=1) == sentence
