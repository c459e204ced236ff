"""Loading files of strategies or games: each with the helpers that lie beside it, and afresh when any of them has changed.

A file and its helpers are modules below a package of their own, whose name carries the hash of all their contents. So two
files that import a `helper` each get their own, and what is compiled from an older version is never taken for a newer one.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib.util
import re
import sys
import traceback
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from simulator.errors import StrategyError, UserError, described, nearest
from simulator.inputs import Inputs, inputs_of
from simulator.kernel.sources import OWN_PACKAGES, fingerprint, is_library, package_root
from simulator.registry.source_text import Mistake, check_imports, tree_of

_PREFIX = "strategy_files_"
_loaded: dict[Path, tuple[str, Inputs, ModuleType]] = {}


class _FailedError(Exception):
    """A file failed while it was run; the message says where and why."""


def load(file: Path, what: str = "Strategy file", refused: type[UserError] = StrategyError) -> ModuleType:
    """Run a file as a module; the same module again as long as nothing that it was made of has changed.

    Args:
        file: it.
        what: what to call it in a sentence.
        refused: what to raise.

    Raises:
        UserError: it cannot be read, or fails; file and line are named.
    """
    try:
        place = file.resolve()
        contents = fingerprint(place)
    except OSError as error:
        message = f"{what} {file} cannot be read: {error.strerror or error}."
        raise refused(message) from None
    known = _loaded.get(place)
    if known is not None and known[0] == contents and known[1].unchanged():
        return known[2]
    name = contents if known is None or known[0] != contents else f"{contents}{known[1].now()}"
    with inputs_of() as inputs, redirect_stdout(sys.stderr):  # results alone go to the output
        try:
            module = _Family.of(place, name).load(place)
        except _FailedError as error:
            message = f"{what} {error}"
            raise refused(message) from None
    _loaded[place] = (contents, inputs, module)
    return module


def files_read(file: Path) -> frozenset[Path]:
    """What a file that was loaded has read while it ran, itself and what it imports included."""
    known = _loaded.get(file.resolve())
    return frozenset() if known is None else known[1].files()


@dataclass(frozen=True)
class _Family:
    """A strategy file and what lies beside it.

    Attributes:
        package: the name of the package that they are modules of here.
        root: the folder that holds the file, or the package that it belongs to.
        folder: the folder that holds the file.
    """

    package: str
    root: Path
    folder: Path

    @classmethod
    def of(cls, file: Path, contents: str) -> _Family:
        name = hashlib.sha256(f"{file}\0{contents}".encode()).hexdigest()[:16]
        return cls(f"{_PREFIX}{name}", package_root(file), file.parent)

    def load(self, file: Path) -> ModuleType:
        """Run the file; helpers are run as it imports them."""
        package = ModuleType(self.package)
        package.__path__ = [str(self.root)]
        sys.modules[self.package] = package
        _families[self.package] = self
        name = f"{self._name_of(self.folder)}.{file.stem}"
        loader = _Loader(name, str(file))
        spec = importlib.util.spec_from_file_location(name, file, loader=loader)
        assert spec is not None  # noqa: S101  there is none only where the loader is left to be guessed
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            loader.exec_module(module)
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a user's file raises while it is imported
            complaint = _complaint(file, error)
            self._forget()
            raise _FailedError(complaint) from None
        return module

    def _forget(self) -> None:
        for name in [name for name in sys.modules if name.partition(".")[0] == self.package]:
            del sys.modules[name]

    def _name_of(self, folder: Path) -> str:
        return ".".join([self.package, *folder.relative_to(self.root).parts])

    def home(self, name: str) -> str | None:
        """The package here of a module that lies beside the file; None where there is none."""
        parts = name.split(".")
        if parts[0] not in OWN_PACKAGES:
            for folder in (self.folder, self.root):
                for place in (folder / parts[0], folder.joinpath(*parts)):
                    if place.with_name(f"{place.name}.py").is_file() or next(place.glob("*.py"), None):
                        return self._name_of(folder)
        return None

    def bring(self, name: str, variables: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        """What an import statement in one of these files calls in place of Python's own `__import__`."""
        home = None if level else self.home(name)
        if home is None:
            return builtins.__import__(name, variables, local, wanted, level)
        module = builtins.__import__(f"{home}.{name}", variables, local, wanted or ("__name__",), 0)
        return module if wanted else sys.modules[f"{home}.{name.partition('.')[0]}"]


_families: dict[str, _Family] = {}


class _Loader(SourceFileLoader):
    """Runs a file as it stands on the disk, with imports that look beside it first."""

    def get_code(self, _fullname: str) -> CodeType:
        """Compiled from the source each time; what Python keeps is told from an edit by whole seconds alone."""
        return self.source_to_code(self.get_data(self.path), self.path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the file, unless it imports what it may not see."""
        check_imports(Path(self.path), tree_of(Path(self.path)))
        family = _families[module.__name__.partition(".")[0]]
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": family.bring}
        super().exec_module(module)


class _Finder(MetaPathFinder):
    """Finds the modules of strategy files, and of nothing else."""

    @staticmethod
    def find_spec(name: str, path: Any, _target: Any = None) -> ModuleSpec | None:
        if path is None or not name.startswith(_PREFIX):
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())


# ---------------------------------------------------------------- what is wrong with a file


def _complaint(file: Path, error: BaseException) -> str:
    """Place and reason, to stand behind what the file is."""
    from strategies.declare import DeclarationError, MisuseError  # noqa: PLC0415  the strategies come after the registry

    if isinstance(error, DeclarationError | Mistake):
        return f"{error.file}, line {error.line}: {error.reason}."
    if isinstance(error, SyntaxError):
        return f"{error.filename or file}, line {error.lineno or 1}: {error.msg}."
    place, line = _place_of(file, error)
    reason = str(error).rstrip(".") if isinstance(error, MisuseError | UserError) else re.sub(rf"{_PREFIX}\w+\.", "", described(error))
    return f"{place}, line {line}: {reason}{_hint(file, error)}."


def _place_of(file: Path, error: BaseException) -> tuple[str, int]:
    """File and line of the innermost frame in the file, or in what lies beside it."""
    root = package_root(file)
    frames = traceback.extract_tb(error.__traceback__)
    own = [(f.filename, f.lineno or 1) for f in frames if Path(f.filename).is_relative_to(root) and not is_library(Path(f.filename))]
    return own[-1] if own else (str(file), 1)


def _hint(file: Path, error: BaseException) -> str:
    """The name that somebody is likely to have meant who imported what is not there."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        known = [p.stem for p in file.parent.iterdir() if p.suffix == ".py" and p != file]
        return nearest(error.name, [*known, *sys.stdlib_module_names, *(m for m in sys.modules if not m.startswith(_PREFIX))])
    missing = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", str(error)) if isinstance(error, ImportError) else None
    return nearest(missing[1], vars(sys.modules.get(missing[2], builtins))) if missing else ""
