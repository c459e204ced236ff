"""Which source files a piece of code depends on, and one hash over all of them.

Both the cache of compiled code and the identity of an experiment need this: an edit anywhere below a
function must be noticed, and Numba itself looks only at the function's own file.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
OWN_PACKAGES = ("simulator", "strategies")


def package_root(file: Path) -> Path:
    """Folder that holds the top-level package (or the lone module) which `file` belongs to."""
    folder = file.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def is_own(file: Path) -> bool:
    """Whether a file belongs to this project."""
    return any(file.resolve().is_relative_to(PROJECT / package) for package in OWN_PACKAGES)


def closure(file: Path) -> tuple[Path, ...]:
    """`file` and every file of this project or of its own package that it imports, directly or not, sorted.

    Only files count: what comes from installed libraries is told apart by their versions. Paths are followed by
    name, nothing is imported. A package above an imported module runs too, but the module does not depend on it.
    """
    seen: set[Path] = set()
    todo = [file.resolve()]
    while todo:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            todo.extend(_imported_files(current))
    return tuple(sorted(seen))


def fingerprint(file: Path) -> str:
    """First 16 hex digits of the SHA-256 over the contents of `closure(file)`, the names taken relative to their package."""
    return _fingerprint(file, file.stat().st_mtime_ns)


@cache
def _fingerprint(file: Path, _modified: int) -> str:
    digest = hashlib.sha256()
    for name, source in sorted((source.relative_to(package_root(source)), source) for source in closure(file)):  # wherever they lie
        digest.update(name.as_posix().encode())
        digest.update(b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def _imported_files(file: Path) -> tuple[Path, ...]:
    root = package_root(file)
    found: list[Path] = []
    for node in ast.walk(ast.parse(file.read_bytes(), filename=str(file))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, file, root)
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            found += _file_of(name, root)
    return tuple(found)


def _absolute(node: ast.ImportFrom, file: Path, root: Path) -> str:
    if not node.level:
        return node.module or ""
    package = file.parent.relative_to(root).parts
    kept = package[: len(package) - node.level + 1]
    return ".".join([*kept, *([node.module] if node.module else [])])


def _file_of(name: str, root: Path) -> list[Path]:
    """The file of the module or package called `name`, if it lies in this project or below `root`."""
    parts = name.split(".")
    place = (PROJECT if parts[0] in OWN_PACKAGES else root).joinpath(*parts)
    return [p for p in (place.with_suffix(".py"), place / "__init__.py") if p.is_file()]
