"""Which source files a piece of code depends on, and one hash over all of them.

Both the cache of compiled code and the identity of an experiment need this: an edit anywhere below a
function must be noticed, and Numba itself looks only at the function's own file.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sysconfig
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
OWN_PACKAGES = ("simulator", "strategies")

_CHECKED_ELSEWHERE = ("numpy", "numba")  # the recorded digests prove them on every machine
_LIBRARIES = tuple({Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_LIBRARY_FOLDERS = {"site-packages", "dist-packages"}

_Name = tuple[int, str]
"""What an import names: how many folders up it begins, 0 for an absolute name, and the name."""


def package_root(file: Path) -> Path:
    """Folder that holds the top-level package (or the lone module) which `file` belongs to."""
    folder = file.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


@cache
def is_own(file: Path) -> bool:
    """Whether a file belongs to this project."""
    return any(file.resolve().is_relative_to(PROJECT / package) for package in OWN_PACKAGES)


def closure(file: Path) -> tuple[Path, ...]:
    """`file` and every file that it imports, directly or not, sorted; libraries that are installed as such are left out.

    Files count that lie in this project, beside `file`, in the package of whoever imports them, or anywhere else from which
    Python imports sources that may be edited: a package installed in editable form, a folder on the path. Names are
    followed, nothing is imported. A package above an imported module runs too, but the module does not depend on it.
    """
    return tuple(sorted(_followed(file.resolve())[0]))


def fingerprint(file: Path) -> str:
    """First 16 hex digits of the SHA-256 over all that `file` depends on, wherever it lies, as it is on the disk now.

    It covers the contents of `closure(file)`, their names taken relative to their package, and the versions of the installed
    libraries that files from elsewhere import. What a file from elsewhere is itself called does not matter.
    """
    file = file.resolve()
    files, libraries = _followed(file)
    digest = hashlib.sha256()
    for name, content in sorted((_name_of(source, file), _read(source)[0]) for source in files):
        digest.update(f"{name}\0{content}\0".encode())
    for library in sorted(libraries):
        digest.update(f"{library} {_version(library)}\0".encode())
    return digest.hexdigest()[:16]


def _name_of(source: Path, of: Path) -> str:
    return "" if source == of and not is_own(of) else source.relative_to(package_root(source)).as_posix()


def _followed(file: Path) -> tuple[set[Path], set[str]]:
    """The files of a closure, and the libraries that files from elsewhere import."""
    beside = tuple(dict.fromkeys((file.parent, package_root(file))))
    files: set[Path] = set()
    libraries: set[str] = set()
    todo = [file]
    while todo:
        current = todo.pop()
        if current in files:
            continue
        files.add(current)
        for name in _read(current)[1]:
            found = _files_of(name, current, beside)
            todo.extend(found)
            if not found and not name[0] and not is_own(current):
                libraries |= _libraries_of(name[1].partition(".")[0])
    return files, libraries


def _read(file: Path) -> tuple[str, tuple[_Name, ...]]:
    """Hash of a file's contents, and what it imports."""
    status = file.stat()
    return _read_as_it_is(file, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


@cache
def _read_as_it_is(file: Path, *_stamp: int) -> tuple[str, tuple[_Name, ...]]:
    content = file.read_bytes()
    try:
        tree = ast.parse(content, filename=str(file))
    except (SyntaxError, ValueError):
        tree = ast.Module([], [])  # whoever imports it will say so
    return hashlib.sha256(content).hexdigest(), tuple(dict.fromkeys(name for node in ast.walk(tree) for name in _named(node)))


def _named(node: ast.AST) -> list[_Name]:
    if isinstance(node, ast.Import):
        names = [alias.name.split(".") for alias in node.names]
        return [
            (0, ".".join(parts[:n])) for parts in names for n in range(1 if parts[0] not in OWN_PACKAGES else len(parts), len(parts) + 1)
        ]
    if isinstance(node, ast.ImportFrom):
        base = [node.module] if node.module else []
        return [(node.level, ".".join([*base, *more])) for more in ([], *([alias.name] for alias in node.names))]
    return []


def _files_of(name: _Name, importer: Path, beside: tuple[Path, ...]) -> list[Path]:
    level, parts = name[0], tuple(name[1].split(".")) if name[1] else ()
    if level:
        return _below(importer.parents[level - 1], parts) if level <= len(importer.parents) else []
    if parts[0] in OWN_PACKAGES:
        return _own(parts)
    if is_own(importer):
        return []
    own = package_root(importer)
    if importer.relative_to(own).with_suffix("").parts[0] == parts[0]:
        return _below(own, parts)
    for root in beside:
        found = [] if is_library(root) else _below(root, parts)
        if found:
            return found
    root_elsewhere = _root_of(parts[0])
    return [] if root_elsewhere is None else _below(root_elsewhere, parts)


@cache
def _own(parts: tuple[str, ...]) -> list[Path]:
    return _below(PROJECT, parts)


def _below(folder: Path, parts: tuple[str, ...]) -> list[Path]:
    """The file of a module or package below a folder, if it is there."""
    place = folder.joinpath(*parts)
    candidates = [place / "__init__.py", *([place.with_name(f"{place.name}.py")] if parts else [])]
    return [p.resolve() for p in candidates if p.is_file()]


def _root_of(top: str) -> Path | None:
    """The folder from which Python imports a package whose sources may be edited; None for a library and for what is not there."""
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or (not spec.has_location and not spec.submodule_search_locations):
        return None
    place = Path(next(iter(spec.submodule_search_locations or ()), spec.origin or "")).resolve()
    return None if is_library(place) else place.parent


def is_library(place: Path) -> bool:
    """Whether a file or folder belongs to what is installed and edited by nobody."""
    return not _LIBRARY_FOLDERS.isdisjoint(place.parts) or any(place.is_relative_to(folder) for folder in _LIBRARIES)


def _libraries_of(top: str) -> set[str]:
    return set() if top in _CHECKED_ELSEWHERE else set(_distributions().get(top, ()))


@cache
def _distributions() -> dict[str, list[str]]:
    from importlib.metadata import packages_distributions  # noqa: PLC0415  only for libraries that few import

    return dict(packages_distributions())


@cache
def _version(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  as above

    try:
        return version(library)
    except PackageNotFoundError:
        return ""
