"""A copy of this project as somebody gets it, and what `make run` installs into it, without a download."""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

import programs
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]


def clone(folder: Path) -> None:
    """Copy what belongs to the project, as it is now, and nothing that was made from it."""
    listed = programs.run(["git", "ls-files", "-z"], cwd=ROOT).stdout.split("\0") if (ROOT / ".git").exists() else []
    names = [name for name in listed if (ROOT / name).is_file()]
    if not names:  # this is a copy itself, without a history
        made = shutil.ignore_patterns(".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, folder, ignore=made, dirs_exist_ok=True)
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


def install(folder: Path) -> None:
    """Do what `make run` says that it will do first, with links to what is installed here instead of downloads.

    Only what it names is linked, and what that needs; so what it forgets is missing in the copy, too.
    """
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = programs.run(["make", "--dry-run", "run", f"PYTHON={sys.executable}"], cwd=folder, check=True).stdout
    (extras,) = re.findall(r" -m pip install .*--editable '?\.(?:\[([\w,]+)\])?'?\n", said)
    venv.create(folder / ".venv", symlinks=True)
    (site,) = (folder / ".venv").glob("lib/python*/site-packages")
    for installed in closure(wanted(project, extras.split(","))):
        link(installed, site)
    (site / f"{project['name']}.pth").write_text(f"{folder}\n", encoding="utf-8")
    (site / f"{project['name']}-{project['version']}.dist-info").mkdir()
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (site / f"{project['name']}-{project['version']}.dist-info" / "METADATA").write_text(about, encoding="utf-8")
    for name, place in project["scripts"].items():
        module, _, function = place.partition(":")
        program = folder / ".venv" / "bin" / name
        program.write_text(f"#!{folder}/.venv/bin/python\nfrom {module} import {function}\n{function}()\n", encoding="utf-8")
        program.chmod(0o755)
    (folder / ".venv" / "installed").touch()


def wanted(project: dict[str, Any], extras: Iterable[str]) -> Iterator[Requirement]:
    """What the project needs with these of its extras."""
    yield from map(Requirement, project["dependencies"])
    for extra in filter(None, extras):
        for requirement in map(Requirement, project["optional-dependencies"][extra]):
            if requirement.name == project["name"]:
                yield from wanted(project, requirement.extras)
            else:
                yield requirement


def closure(requirements: Iterable[Requirement]) -> list[Distribution]:
    """What is installed for these requirements, and for what they need in turn."""
    found: dict[tuple[str, str], Distribution] = {}
    todo = [(r.name, extra) for r in requirements for extra in ("", *r.extras)]
    while todo:
        name, extra = todo.pop()
        if (name, extra) in found:
            continue
        found[name, extra] = distribution(name)
        for needed in map(Requirement, found[name, extra].requires or ()):
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                todo += [(needed.name, inner) for inner in ("", *needed.extras)]
    return list(found.values())


def link(installed: Distribution, site: Path) -> None:
    """Make something that is installed here be found in another environment, too."""
    for part in {file.parts[0] for file in installed.files or () if file.parts[0] not in {"..", "__pycache__"}}:
        if not (site / part).exists():
            (site / part).symlink_to(Path(str(installed.locate_file(part))))
