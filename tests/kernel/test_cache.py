"""The cache of compiled code: it survives a process, and notices an edit in any file that went into a function."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import programs
import pytest

from simulator.kernel.jit import _Files
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
compiled = []
from numba.core import event
class Listener(event.Listener):
    def on_start(self, event): compiled.append(1)
    def on_end(self, event): pass
with event.install_listener("numba:compile", Listener()):
    print({asked}, bool(compiled))
"""


def answer(folder: Path, *places: Path, asked: str = "__import__('user').doubled(10)", cache: Path | None = None, **variables: str) -> str:
    """What is asked, by a process that finds modules in these places, and whether anything was compiled for it."""
    path = os.pathsep.join(map(str, places or (folder, ROOT)))
    environment = {**os.environ, **variables, "PYTHONPATH": path, "LUDOMETER_CACHE": str(cache or folder / "cache")}
    done = programs.run([sys.executable, "-c", PROGRAM.format(asked=asked)], check=True, env=environment, cwd=folder)
    return str(done.stdout.strip())


def test_compiled_code_comes_back_from_disk_and_an_edit_in_another_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER.format(number=1))
    (tmp_path / "user.py").write_text(USER)
    assert answer(tmp_path) == "22 True"
    assert answer(tmp_path) == "22 False"
    (tmp_path / "helper.py").write_text(HELPER.format(number=5))
    assert answer(tmp_path) == "30 True"


def test_what_one_copy_of_the_project_compiled_another_need_not(tmp_path: Path) -> None:
    answers = []
    for name in ("here", "there"):
        shutil.copytree(ROOT / "simulator" / "kernel", tmp_path / name / "simulator" / "kernel")
        for front_door in ("__init__.py", "__init__.pyi"):
            shutil.copy(ROOT / "simulator" / front_door, tmp_path / name / "simulator")
        asked = "int(__import__('simulator.kernel.chance').kernel.chance.philox(1, 2, 3, 4, 5, 6)[0] >= 0)"
        answers.append(answer(tmp_path / name, tmp_path / name, asked=asked, cache=tmp_path / "cache"))
    assert answers == ["1 True", "1 False"]


def test_what_only_compiled_code_calls_becomes_no_machine_code_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER.format(number=1))
    (tmp_path / "user.py").write_text(USER)
    asked = "[__import__('user').doubled(10), *(len(f.overloads) for f in (__import__('user').doubled, __import__('helper').amount))]"
    assert answer(tmp_path, asked=asked) == "[22, 1, 0] True"
    assert answer(tmp_path, asked="__import__('helper').amount(10)") == "11 True", "Python calls it as well"


def test_what_a_function_prints_is_printed_where_it_is_called_from_compiled_code(tmp_path: Path) -> None:
    """Its words lie in an environment, which the code that calls it has to know, compiled now or by another process."""
    (tmp_path / "helper.py").write_text(HELPER.format(number=1).replace("return", "print('the amount is', x, 'and')\n    return"))
    (tmp_path / "user.py").write_text(USER)
    assert answer(tmp_path) == "the amount is 10 and\n22 True"
    assert answer(tmp_path) == "the amount is 10 and\n22 False"
    (tmp_path / "user.py").write_text(USER.replace("2 *", "3 *"))
    assert answer(tmp_path) == "the amount is 10 and\n33 True", "the part comes from the disk"


def test_a_function_may_call_itself(tmp_path: Path) -> None:
    recursive = "    return 1 if x == 0 else x * amount(x - 1)"
    (tmp_path / "helper.py").write_text(HELPER.format(number=1).replace("    return x + 1", recursive))
    (tmp_path / "user.py").write_text(USER)
    asked = "[__import__('user').doubled(5), __import__('helper').amount(5)]"
    assert answer(tmp_path, asked=asked) == "[240, 120] True"
    assert answer(tmp_path, asked=asked) == "[240, 120] False"


def test_two_processes_that_compile_at_once_do_not_find_each_others_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have seen an empty folder before either writes."""
    ours, theirs = (_Files(str(tmp_path), "function-1.py311", "stamp") for _ in range(2))
    write = ours._save_data
    monkeypatch.setattr(theirs, "_load_index", dict)

    def write_late(name: str, data: Any) -> None:
        theirs.save("their signature", "their code")
        write(name, data)

    monkeypatch.setattr(ours, "_save_data", write_late)
    ours.save("our signature", "our code")
    found = _Files(str(tmp_path), "function-1.py311", "stamp")
    assert found.load("their signature") == "their code"
    assert found.load("our signature") in {"our code", None}, "what is not found is compiled again"


def test_a_constant_that_was_computed_is_noticed_when_it_changes(tmp_path: Path) -> None:
    """The sources are the same; the value was built into the machine code of another function."""
    constant = 'import os\nNUMBER = int(os.environ["NUMBER"])\n'
    (tmp_path / "helper.py").write_text(constant + HELPER.format(number="NUMBER"))
    (tmp_path / "user.py").write_text(USER)
    assert answer(tmp_path, NUMBER="1") == "22 True"
    assert answer(tmp_path, NUMBER="5") == "30 True"
    assert answer(tmp_path, NUMBER="1") == "22 False"


def test_a_closure_follows_imports_within_the_project_and_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("from numpy import zeros\n")
    (tmp_path / "mine.py").write_text("import helper\nfrom simulator.games.grinchmas.view import Action\n")
    names = {p.relative_to(ROOT).as_posix() if p.is_relative_to(ROOT) else p.name for p in closure(tmp_path / "mine.py")}
    assert {"mine.py", "helper.py", "simulator/games/grinchmas/view.py", "simulator/kit/piles.py"} <= names
    assert "simulator/games/grinchmas/turn.py" not in names
    assert "simulator/play/run.py" not in names


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
