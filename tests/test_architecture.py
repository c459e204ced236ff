"""The rooms of the house: who may import whom, and what the project's texts may say."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import programs
import pytest

from simulator import registry

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("simulator", "strategies", "reports")
FILES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))

BASE = {"simulator.errors", "simulator.files", "simulator.inputs", "simulator.numbers"}
GAMES = {"simulator.game", *BASE}
ARROWS = {
    "simulator.errors": set[str](),
    "simulator.files": BASE,
    "simulator.inputs": BASE,
    "simulator.numbers": BASE,
    "simulator.kernel": BASE,
    "simulator.rules": BASE,
    "simulator.game": {"simulator.kernel", "simulator.rules", *BASE},
    "simulator.kit": {"simulator.kernel", "simulator.document.language", *GAMES},
    "simulator.games": {"simulator.kit", "simulator.kernel", "simulator.rules", *GAMES},
    "strategies": {"simulator.games", "simulator.kernel", *BASE},
    "simulator.stats": {"simulator.kernel", *GAMES},
    "simulator.document": {"simulator.stats", "simulator.rules", *GAMES},
    "simulator.registry": {"simulator.kit", "simulator.kernel", "simulator.rules", "strategies.declare", *GAMES},
    "simulator.play": {"simulator.kernel", "simulator.rules", "simulator.stats", "simulator.registry", "strategies.declare", *GAMES},
    "simulator.cluster": {"simulator.play", "simulator.registry", "simulator.rules", "simulator.kernel", "strategies.declare", *GAMES},
    "simulator.studies": {
        "simulator.play",
        "simulator.stats",
        "simulator.document",
        "simulator.registry",
        "simulator.rules",
        "simulator.kernel",
        *GAMES,
    },
    "reports": {"simulator.studies", "simulator.document", "simulator.stats", "simulator.play", "simulator.rules", *GAMES},
    "simulator.cli": {"simulator", "reports", "strategies"},
    "simulator.__main__": {"simulator.cli"},
}
"""Each folder, and each file beside the folders, with what it may import; what is only named in types is no import."""

SERVE_ALL_GAMES = {f"simulator.{room}" for room in ("kernel", "kit", "rules", "stats", "document", "registry")} | {"reports"}
HEAVY = {
    "pandas": ("reports", "simulator.cli"),
    "matplotlib": ("reports", "simulator.cli"),
    "jinja2": ("reports",),
    "rich": ("simulator.cli", "simulator.document"),
}


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    return next((room for room in ARROWS if module == room or module.startswith(f"{room}.")), module)


def without_types(tree: ast.AST) -> Iterator[ast.AST]:
    """What is run, whenever: all but what stands below `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        yield from without_types(node)


def imports_of(file: Path) -> set[str]:
    found: set[str] = set()
    for node in without_types(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            submodules = {f"{node.module}.{a.name}" for a in node.names}
            files = {
                m for m in submodules if ROOT.joinpath(*m.split(".")).with_suffix(".py").exists() or ROOT.joinpath(*m.split(".")).is_dir()
            }
            found |= files or {node.module}
    return found


def allowed(target: str, room: str) -> bool:
    return any(target == prefix or target.startswith(f"{prefix}.") for prefix in (room, *ARROWS[room]))


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_imports_follow_the_arrows(file: Path) -> None:
    module = module_of(file)
    if module == "simulator":
        return  # the front door hands on what is asked for
    wrong = {t for t in imports_of(file) if t.split(".")[0] in PACKAGES and not allowed(t, room_of(module))}
    assert not wrong, f"{module} must not import {wrong}"


def circle_in(arrows: Mapping[str, set[str]]) -> list[str]:
    """Files that import each other in turn, the first of them again at the end; none if there is no circle."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_files_import_each_other_in_a_circle_not_even_inside_functions() -> None:
    modules = {module_of(file): file for file in FILES}
    del modules["simulator"]  # the front door hands on what is asked for
    assert not circle_in({module: imports_of(file) & set(modules) - {module} for module, file in modules.items()})


def test_a_circle_through_an_import_inside_a_function_is_seen(tmp_path: Path) -> None:
    sources = {
        "reports.a": "import reports.b",
        "reports.b": "def late():\n    from reports.c import thing",
        "reports.c": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import reports.a",
    }
    files = {module: tmp_path / module for module in sources}
    for module, source in sources.items():
        files[module].write_text(source, encoding="utf-8")
    assert not circle_in({module: imports_of(file) for module, file in files.items()})
    files["reports.c"].write_text("def later():\n    import reports.a", encoding="utf-8")
    assert set(circle_in({module: imports_of(file) for module, file in files.items()})) == set(sources)


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_a_particular_game_is_imported_only_by_its_own_files(file: Path) -> None:
    module = module_of(file)
    for target in imports_of(file):
        match = re.match(r"simulator\.games\.(\w+)", target)
        if match:
            own = module.startswith(f"simulator.games.{match[1]}") or module == f"strategies.{match[1]}"
            assert own, f"{module} must not import {target}"


@pytest.mark.parametrize(
    "file",
    [f for f in FILES if room_of(module_of(f)) in SERVE_ALL_GAMES],
    ids=str,
)
def test_no_game_is_named_where_all_games_are_served(file: Path) -> None:
    names = set(registry.game_names())
    code = ast.parse(file.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(code)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(code):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            assert not names & set(re.findall(r"\w+", node.value)), f"{file.name}, line {node.lineno}"


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_heavy_libraries_stay_in_their_rooms(file: Path) -> None:
    room = room_of(module_of(file))
    for target in imports_of(file):
        rooms = HEAVY.get(target.split(".")[0])
        assert rooms is None or room in rooms, f"{module_of(file)} imports {target}"


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    done = programs.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    return set(done.stdout.split("\n")[-2].split())


def test_the_help_loads_nothing_heavy() -> None:
    loaded = loaded_by("from simulator.cli.main import run\nrun(['--help'])")
    assert "click" in loaded
    assert not loaded & {"numpy", "numba", "pandas", "matplotlib", "scipy", "pydantic", "rich", "jinja2"}


def test_a_run_without_a_report_loads_no_charts_and_no_frames() -> None:
    loaded = loaded_by("from simulator.cli.main import run\nrun(['grinchmas', '--games', '10', '--strategy', 'uniform'])")
    assert "numba" in loaded
    assert not loaded & {"pandas", "matplotlib", "jinja2"}


TEXTS = sorted(p for p in [*FILES, *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "scripts").rglob("*.py")] if p.is_file())


@pytest.mark.parametrize("file", TEXTS, ids=lambda f: str(f.relative_to(ROOT)))
def test_texts_hold_no_unfinished_work_and_no_path_of_one_machine(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"\b(TODO|FIXME|XXX)\b|NotImplementedError|(?<![\w.])/(root|home|work|tmp)/", text)


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


MOST_LINES_OF_A_FILE, MOST_LINES_OF_A_BODY, MOST_PARAMETERS = 400, 40, 8


def functions_of(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first, *rest = function.body
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    body = rest if documented else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return len([name for name in names if name not in {"self", "cls"}])


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_files_functions_and_parameters_are_few_enough_to_be_read(file: Path) -> None:
    if room_of(module_of(file)) != "strategies":  # a file has all strategies of its game
        assert len(file.read_text(encoding="utf-8").splitlines()) <= MOST_LINES_OF_A_FILE
    for function in functions_of(file):
        assert body_lines(function) <= MOST_LINES_OF_A_BODY, function.name
        assert parameters(function) <= MOST_PARAMETERS, function.name


def test_a_long_body_and_many_parameters_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    names = ", ".join(f"p{n}" for n in range(9))
    file.write_text(f"def long({names}):\n    '''Documented.'''\n" + "    pass\n" * 41, encoding="utf-8")
    (function,) = functions_of(file)
    assert (body_lines(function), parameters(function)) == (41, 9)
