"""The command line, called in this process or as a program of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import programs
import pytest

from simulator.cli.main import run
from simulator.play.table import Table

VISITORS = Path(__file__).parent / "visiting_strategies.py"


@dataclass(frozen=True)
class Outcome:
    """How a call of `simulate` ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        """What stands on stderr apart from notes, line by line."""
        return [line for line in self.err.splitlines() if line and not line.startswith("Note: ")]


Simulate = Callable[..., Outcome]
Refused = Callable[..., str]


@pytest.fixture
def simulate(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Simulate:
    """Calls `simulate` in this process, in an empty folder and a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str) -> Outcome:
        code = run(list(arguments))
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return call


@pytest.fixture
def refused(simulate: Simulate, tmp_path: Path) -> Refused:
    """Calls `simulate`, checks that it refuses as it should, and returns the sentence."""

    def call(*arguments: str, code: int = 2) -> str:
        before = sorted(tmp_path.rglob("*"))
        outcome = simulate(*arguments)
        assert outcome.code == code, outcome
        assert not outcome.out
        (sentence,) = outcome.errors
        assert sentence.startswith("Error: ")
        assert sentence.endswith(".")
        assert sorted(tmp_path.rglob("*")) == before, "something was written"
        return sentence

    return call


@pytest.fixture
def nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails the test as soon as a playout would be played."""

    def play(*_arguments: object, **_options: object) -> None:
        pytest.fail("something was played")

    monkeypatch.setattr(Table, "play", play)


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Outcome]:
    """Calls `simulate`, or Python code, as a program of its own; `site` is a folder of installed packages."""

    def call(*arguments: str, code: str | None = None, site: Sequence[Path] = (), **environment: str) -> Outcome:
        start = ["-c", code] if code is not None else ["-m", "simulator"]
        changed = os.environ | {"COLUMNS": "80", "PYTHONPATH": os.pathsep.join(map(str, site))} | environment
        done = programs.run([sys.executable, *start, *arguments], cwd=tmp_path, env=changed)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def visitors() -> Path:
    """A file of strategies that did not come with the program."""
    return VISITORS
