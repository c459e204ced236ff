"""The cache of compiled code: it survives a process, and notices an edit in any file that went into a function."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from simulator.kernel.sources import closure, fingerprint

ROOT = Path(__file__).resolve().parents[2]

HELPER = """
from simulator.kernel.jit import jit
@jit
def amount(x):
    return x + {number}
"""

USER = """
from helper import amount
from simulator.kernel.jit import jit
@jit
def doubled(x):
    return 2 * amount(x)
"""

PROGRAM = """
import user
compiled = []
from numba.core import event
class Listener(event.Listener):
    def on_start(self, event): compiled.append(1)
    def on_end(self, event): pass
with event.install_listener("numba:compile", Listener()):
    print(user.doubled(10), bool(compiled))
"""


def answer(folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "LUDOMETER_CACHE": str(folder / "cache")}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment, cwd=folder)
    return done.stdout.strip()


def test_compiled_code_comes_back_from_disk_and_an_edit_in_another_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER.format(number=1))
    (tmp_path / "user.py").write_text(USER)
    assert answer(tmp_path) == "22 True"
    assert answer(tmp_path) == "22 False"
    (tmp_path / "helper.py").write_text(HELPER.format(number=5))
    assert answer(tmp_path) == "30 True"


def test_a_closure_follows_imports_within_the_project_and_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("from numpy import zeros\n")
    (tmp_path / "mine.py").write_text("import helper\nfrom simulator.games.grinchmas.view import TAKE\n")
    names = {p.relative_to(ROOT).as_posix() if p.is_relative_to(ROOT) else p.name for p in closure(tmp_path / "mine.py")}
    assert {"mine.py", "helper.py", "simulator/games/grinchmas/view.py", "simulator/kernel/multiset.py"} <= names
    assert "simulator/games/grinchmas/turn.py" not in names
    assert "simulator/run.py" not in names


def test_a_fingerprint_changes_with_an_imported_file(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("A = 1\n")
    (tmp_path / "mine.py").write_text("import helper\n")
    before = fingerprint(tmp_path / "mine.py")
    other = tmp_path / "other"
    other.mkdir()
    (other / "helper.py").write_text("A = 2\n")
    (other / "mine.py").write_text("import helper\n")
    assert fingerprint(other / "mine.py") != before
    (other / "helper.py").write_text("A = 1\n")
    (tmp_path / "third").mkdir()
    for name in ("helper.py", "mine.py"):
        (tmp_path / "third" / name).write_text((tmp_path / name).read_text())
    assert fingerprint(tmp_path / "third" / "mine.py") == before


def test_the_kernel_depends_on_no_game() -> None:
    for file in (ROOT / "simulator" / "kernel").glob("*.py"):
        assert all("games" not in p.parts and "strategies" not in p.parts for p in closure(file)), file
