"""The rooms of the house: who may import whom, and what the project's texts may say."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import programs
import pytest

from simulator import registry

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("simulator", "strategies", "reports")
FILES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))

FOUNDATION = {
    "simulator.errors",
    "simulator.game",
    "simulator.rules",
    "simulator.packing",
    "simulator.registry",
    "simulator.experiment",
    "simulator.betting",
    "simulator.estimate",
    "simulator.extrapolation",
    "simulator.tally",
    "simulator.lineup",
    "simulator.sequences",
    "simulator.paired",
    "simulator.verdicts",
    "simulator.ledger",
    "simulator.files",
    "simulator.shares",
    "simulator.rounding",
    "simulator.alternatives",
    "simulator.unfinished",
    "simulator.inputs",
    "simulator.source_text",
    "simulator.strategy_files",
    "simulator.favourites",
    "simulator.neighbours",
    "simulator.game_checks",
    "simulator.compile_errors",
}
PLAYING = {
    "simulator.table",
    "simulator.stepper",
    "simulator.run",
    "simulator.stream",
    "simulator.executors",
    "simulator.cluster",
    "simulator.rehearsal",
    "simulator.plain_python",
    "simulator.purity",
    "simulator.aliases",
    "simulator.repeating",
    "simulator.faults",
    "simulator.replay",
    "simulator.digests",
    "simulator.nested",
    "simulator.patience",
    "simulator.rows",
    "simulator.step_faults",
    "simulator.draws",
    "simulator.game_rehearsal",
}
ARROWS = {
    "simulator.kernel": {"simulator.kernel"},
    "simulator.kit": {"simulator.kit", "simulator.kernel", "simulator.game"},
    "simulator.games": {
        "simulator.games",
        "simulator.kit",
        "simulator.kernel",
        "simulator.game",
        "simulator.rules",
        "simulator.packing",
        "simulator.errors",
    },
    "simulator.foundation": {"simulator.kernel", "simulator.kit", "strategies.declare", *FOUNDATION},
    "simulator.playing": {"simulator.kernel", "strategies.declare", *FOUNDATION, *PLAYING},
    "simulator.studies": {"simulator.studies", "simulator.kernel", *FOUNDATION, *PLAYING},
    "simulator.cli": {"simulator", "strategies", "reports"},
    "strategies": {"strategies", "simulator.kernel", "simulator.games"},
    "reports": {"reports", *FOUNDATION, "simulator.run", "simulator.studies"},
}
HEAVY = {
    "pandas": ("reports", "simulator.cli"),
    "matplotlib": ("reports", "simulator.cli"),
    "jinja2": ("reports",),
    "rich": ("simulator.cli",),
}


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    for room in ("simulator.kernel", "simulator.kit", "simulator.games", "simulator.studies", "simulator.cli", "strategies", "reports"):
        if module == room or module.startswith(f"{room}."):
            return room
    if module == "simulator.__main__":
        return "simulator.cli"
    return "simulator.foundation" if module in FOUNDATION else "simulator.playing"


def imports_of(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
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
    return any(target == prefix or target.startswith(f"{prefix}.") for prefix in ARROWS[room])


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_imports_follow_the_arrows(file: Path) -> None:
    module = module_of(file)
    if module == "simulator":
        return  # the front door hands on what is asked for
    wrong = {t for t in imports_of(file) if t.split(".")[0] in PACKAGES and not allowed(t, room_of(module))}
    assert not wrong, f"{module} must not import {wrong}"


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_a_particular_game_is_imported_only_by_its_own_files(file: Path) -> None:
    module = module_of(file)
    for target in imports_of(file):
        match = re.match(r"simulator\.games\.(\w+)", target)
        if match:
            own = module.startswith(f"simulator.games.{match[1]}") or module == f"strategies.{match[1]}"
            assert own, f"{module} must not import {target}"


@pytest.mark.parametrize(
    "file", [f for f in FILES if room_of(module_of(f)) in {"simulator.kernel", "simulator.foundation", "reports"}], ids=str
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
