"""What tells one experiment from another: every file that went into its strategies, and each strategy its own helpers."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator import registry
from simulator.errors import StrategyError
from simulator.kernel import sources
from simulator.kernel.sources import closure, fingerprint
from simulator.play.experiment import Experiment
from simulator.play.plain_python import decide_in_python
from simulator.play.run import make_experiment

GAME = registry.game("pig")
STRATEGY = """{imports}
from simulator.kernel.jit import jit
from strategies import Params, strategy


@strategy("pig")
def play(view, u, p=Params(at=1)):
    "Plays."
    return {result}
"""


def written(folder: Path, imports: str = "import helper", result: str = "helper.number(view)", name: str = "mine.py") -> Path:
    """A strategy file in a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(STRATEGY.format(imports=imports, result=result), encoding="utf-8")
    return folder / name


def helper(folder: Path, number: int, name: str = "helper.py", more: str = "") -> None:
    """A file with a compiled helper that returns a number."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(
        f"{more}from simulator.kernel.jit import jit\n\n\n@jit\ndef number(view):\n    return {number}\n", encoding="utf-8"
    )


def question(file: Path) -> Experiment:
    return make_experiment("pig", players=2, strategies=[f"{file}:play"])


def chosen(experiment: Experiment) -> Any:
    """What the strategy returns."""
    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    option, _, mistake = decide_in_python(experiment.lineup[0], view, 0.5)
    assert mistake is None, mistake.reason
    return option


def test_two_files_that_import_a_helper_of_one_name_have_each_their_own(tmp_path: Path) -> None:
    for folder, number in (("a", 5), ("b", 6)):
        helper(written(tmp_path / folder).parent, number)
    first, second = question(tmp_path / "a" / "mine.py"), question(tmp_path / "b" / "mine.py")
    assert (chosen(first), chosen(second), chosen(first)) == (5, 6, 5)
    assert first.id != second.id


def test_a_helper_that_was_edited_is_loaded_afresh_and_makes_another_experiment(tmp_path: Path) -> None:
    file = written(tmp_path)
    helper(tmp_path, 5)
    before = question(file)
    assert before.id == question(file).id
    helper(tmp_path, 7)
    after = question(file)
    assert (chosen(before), chosen(after)) == (5, 7), "who asked before goes on with what was loaded then"
    assert before.id != after.id
    helper(tmp_path, 5)
    assert (chosen(question(file)), question(file).id) == (5, before.id)


@pytest.mark.parametrize(
    ("imports", "result", "place"),
    [
        ("from helper import number", "number(view)", "helper.py"),
        ("import helper as other", "other.number(view)", "helper.py"),
        ("from . import helper", "helper.number(view)", "helper.py"),
        ("from .helper import number", "number(view)", "helper.py"),
        ("import lib.helper", "lib.helper.number(view)", "lib/helper.py"),
        ("from lib import helper", "helper.number(view)", "lib/helper.py"),
        ("from lib.helper import number", "number(view)", "lib/helper.py"),
        ("import first", "first.number(view)", "helper.py"),
        ("def number(view):\n    import helper\n    return helper.number(view)", "number(view)", "helper.py"),
    ],
)
@pytest.mark.parametrize("package", [False, True])
def test_a_helper_is_found_and_counted_however_it_is_imported(tmp_path: Path, imports: str, result: str, place: str, package: bool) -> None:
    file = written(tmp_path / "folder", imports, result)
    (tmp_path / "folder" / "first.py").write_text("from helper import number\n", encoding="utf-8")
    if package:
        (tmp_path / "folder" / "__init__.py").touch()
    found = []
    for number in (3, 4):
        helper(tmp_path / "folder", number, place)
        found.append((chosen(question(file)), question(file).id))
    assert [option for option, _ in found] == [3, 4]
    assert found[0][1] != found[1][1]
    assert (tmp_path / "folder" / place) in closure(file)


def test_a_helper_is_not_left_where_others_would_import_it(tmp_path: Path) -> None:
    helper(tmp_path, 5, "lying_beside_it.py")
    question(written(tmp_path, "import lying_beside_it", "lying_beside_it.number(view)"))
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("lying_beside_it")


def test_a_helper_called_like_a_module_of_python_is_the_helper(tmp_path: Path) -> None:
    helper(tmp_path, 5, "random.py")
    assert chosen(question(written(tmp_path, "import random", "random.number(view)"))) == 5


def test_a_helper_with_a_mistake_is_named_with_its_line(tmp_path: Path) -> None:
    file = written(tmp_path)
    (tmp_path / "helper.py").write_text("\nx = 1 // 0\n", encoding="utf-8")
    with pytest.raises(StrategyError, match=r"helper\.py, line 2: ZeroDivisionError"):
        question(file)
    (tmp_path / "helper.py").write_text("\n\ndef number(view:\n", encoding="utf-8")
    with pytest.raises(StrategyError, match=r"helper\.py, line 3: .*never closed"):
        question(file)
    helper(tmp_path, 5)
    assert chosen(question(file)) == 5


def test_a_misspelt_helper_is_told_the_nearest(tmp_path: Path) -> None:
    helper(tmp_path, 5)
    with pytest.raises(StrategyError, match=r"mine\.py, line 1: .*No module named 'helpr' \(did you mean 'helper'\?\)"):
        question(written(tmp_path, "import helpr"))
    with pytest.raises(StrategyError, match=r"line 1: .*cannot import name 'numbr' .*\(did you mean 'number'\?\)"):
        question(written(tmp_path, "from helper import numbr"))


# ---------------------------------------------------------------- what is no source
def test_what_a_table_holds_makes_another_experiment(tmp_path: Path) -> None:
    np.save(tmp_path / "table.npy", np.array([4, 5]))
    table = f"import numpy as np\nTABLE = lambda: np.load({str(tmp_path / 'table.npy')!r})"
    file = written(tmp_path, table, "p.table[1]")
    file.write_text(file.read_text(encoding="utf-8").replace("at=1", "table=TABLE"), encoding="utf-8")
    before = question(file)
    assert (chosen(before), question(file).id) == (5, before.id)
    np.save(tmp_path / "table.npy", np.array([4, 6, 7]))
    after = question(file)
    assert chosen(after) == 6
    assert after.id != before.id


def test_what_a_file_reads_when_it_is_loaded_makes_another_experiment(tmp_path: Path) -> None:
    data = tmp_path / "data.txt"
    file = written(tmp_path, f"from pathlib import Path\nNUMBER = int(Path({str(data)!r}).read_text())\nROW = (NUMBER, 2)", "ROW[0]")
    found = []
    for text in ("11", "12"):
        data.write_text(text, encoding="utf-8")
        found.append((chosen(question(file)), question(file).id))
    assert [option for option, _ in found] == [11, 12]
    assert found[0][1] != found[1][1]


def test_what_a_file_takes_from_its_surroundings_makes_another_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = set()
    for folder, number in (("a", "3"), ("b", "4")):
        monkeypatch.setenv("NUMBER", number)
        ids.add(question(written(tmp_path / folder, 'import os\nNUMBER = int(os.environ["NUMBER"])', "NUMBER")).id)
    assert len(ids) == 2


def test_an_array_beside_the_strategy_counts_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = set()
    for folder, number in (("a", "3"), ("b", "4")):
        monkeypatch.setenv("NUMBER", number)
        imports = 'import os\nimport numpy as np\nNUMBERS = np.full(3, int(os.environ["NUMBER"]))'
        ids.add(question(written(tmp_path / folder, imports, "NUMBERS[0]")).id)
    assert len(ids) == 2


def test_what_a_game_from_elsewhere_takes_from_its_surroundings_counts_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'import os\nfrom simulator.kernel.jit import jit\nNUMBER = int(os.environ["NUMBER"])\n\n\n'
    text += "@jit\ndef redeal(state):\n    state.turn = NUMBER\n"
    (tmp_path / "game_for_tests.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("NUMBER", "0")
    found = set()
    for number in (3, 4):
        monkeypatch.setenv("NUMBER", str(number))
        module = importlib.reload(importlib.import_module("game_for_tests"))
        found.add(replace(GAME, file=tmp_path / "game_for_tests.py", redeal=module.redeal).fingerprint)
    assert len(found) == 2


# ---------------------------------------------------------------- packages
def test_a_package_whose_sources_lie_elsewhere_is_followed_and_an_installed_one_counts_by_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited, installed = tmp_path / "project" / "src", tmp_path / "lib" / "site-packages"
    for root, package in ((edited, "edited_for_tests"), (installed, "installed_for_tests")):
        (root / package).mkdir(parents=True)
        (root / package / "__init__.py").touch()
        helper(root / package, 5)
        monkeypatch.syspath_prepend(root)
    information = installed / "installed_for_tests-1.0.dist-info"
    information.mkdir()
    (information / "top_level.txt").write_text("installed_for_tests\n", encoding="utf-8")
    imports = "from edited_for_tests import helper\nfrom installed_for_tests import helper as more"
    file = written(tmp_path / "strategies", imports, "helper.number(view) + more.number(view)")

    def now(version: str = "1.0") -> str:
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: installed-for-tests\nVersion: {version}\n", encoding="utf-8")
        for kept in (sources._distributions, sources._version):
            kept.cache_clear()
        return fingerprint(file)

    assert {p for p in closure(file) if p.is_relative_to(tmp_path)} == {
        file,
        edited / "edited_for_tests" / "helper.py",
        edited / "edited_for_tests" / "__init__.py",
    }
    before = now()
    helper(installed / "installed_for_tests", 6)
    assert now() == before
    assert now("1.1") != before
    helper(edited / "edited_for_tests", 6)
    assert now() != before


def test_a_strategy_of_an_installed_package_depends_on_its_own_package_and_not_on_its_neighbours(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    file = written(site / "theirs", "import numpy as np\nimport neighbour\nfrom theirs import helper", "helper.number(view)")
    (site / "theirs" / "__init__.py").touch()
    helper(site / "theirs", 5)
    helper(site / "neighbour", 5, "__init__.py")
    assert {p.name for p in closure(file) if p.is_relative_to(tmp_path)} == {"mine.py", "helper.py", "__init__.py"}
    assert all("neighbour" not in p.parts for p in closure(file))
