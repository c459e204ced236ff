"""How everything is compiled: the options, once, and a cache on disk that notices every edit.

Numba's own cache looks only at the file of the function itself; after an edit in another file it goes on returning the
old machine code. So the cache folder carries a hash of all sources that go into a function. Where nothing can be kept,
because there is no folder or its disk is full, everything is compiled in memory.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numba
from numba import config, types
from numba.core.caching import FunctionCache, NullCache
from platformdirs import user_cache_path

from simulator.kernel.sources import fingerprint

F = TypeVar("F", bound=Callable[..., Any])

# No fast-math anywhere: the same digest on any processor is the aim. The NumPy error model makes a division by zero
# give infinity instead of an exception, so that the compiled code carries no paths for raising.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
CACHE_VARIABLE = "LUDOMETER_CACHE"

_A_LITTLE = bytes(16_384)
"""What has to fit into a cache folder for it to be of any use."""


@cache
def cache_root() -> Path | None:
    """Folder for compiled code, or None where none can be written and code is compiled in memory.

    `LUDOMETER_CACHE` names it; else it is the user's cache folder.
    """
    named = os.environ.get(CACHE_VARIABLE)
    try:
        root = Path(named).resolve() if named else user_cache_path("ludometer")
        if not root.is_absolute():  # there is no home, and some versions of platformdirs do not say so
            return None
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root, buffering=0) as file:
            return root if file.write(_A_LITTLE) == len(_A_LITTLE) else None
    except (OSError, RuntimeError):  # the latter where there is no home, or a loop of links
        return None


class _Kept(FunctionCache):  # type: ignore[misc]  # Numba has no types
    """Numba's cache of one function, except that a disk that fails it costs time and nothing else."""

    failure: ClassVar[OSError | None] = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Machine code from the disk; None where there is none, or it is damaged."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  damaged files fail in any way; what they held is compiled and written again
            with contextlib.suppress(OSError):
                self.flush()  # saving would stumble over a damaged index as well
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, as long as there is room."""
        if _Kept.failure is None:
            try:
                super().save_overload(sig, data)
            except OSError as error:
                _Kept.failure = error


def cache_failure() -> OSError | None:
    """Why compiled code could not be kept, though there is a folder for it; None as long as it can."""
    return _Kept.failure


def jit(function: F) -> F:
    """Compile `function` when it is first called, without the GIL, and keep the machine code on disk."""
    return _compile(function, {})


def jit_inlined(function: F) -> F:
    """As `jit`, for a small function in an innermost loop, where the call itself would cost more than what it does."""
    return _compile(function, {"forceinline": True})


def _compile(function: F, deviations: dict[str, Any]) -> F:
    compiled = numba.njit(**OPTIONS, **deviations)(function)
    compiled._cache = _cache_of(function)  # noqa: SLF001  what Numba's enable_caching() does, with a cache of its own
    _widen_calls(compiled)
    return cast("F", compiled)


def _cache_of(function: Callable[..., Any]) -> Any:
    """A cache below our own folder, or none; Numba itself would fall back to folders whose names carry no hash."""
    with _cache_folder(Path(function.__code__.co_filename), function.__module__) as folder:
        if folder is None:
            return NullCache()
        try:
            kept = _Kept(function)
        except (OSError, RuntimeError):  # Numba found no folder that it can write to
            return NullCache()
    return kept if Path(kept.cache_path).is_relative_to(folder) else NullCache()


def _widen_calls(compiled: Any) -> None:
    """Let calls from other compiled functions pass every integer as int64.

    Numba would compile a function anew for each literal and each width that it is called with, and the first start on a
    machine is all compiling.
    """
    resolve = compiled.get_call_template

    def resolve_widened(args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        return resolve(tuple(_widest(a) for a in args), {name: _widest(a) for name, a in kws.items()})

    compiled.get_call_template = resolve_widened


def _widest(kind: types.Type) -> types.Type:
    plain = types.unliteral(kind)
    if isinstance(plain, types.Integer) and plain != types.uint64:
        return types.int64
    return plain


@contextlib.contextmanager
def _cache_folder(file: Path, module: str) -> Iterator[Path | None]:
    """Point Numba at the folder for `file` while it sets up a function's cache; yields it, or None where there is none.

    What Numba keeps refers to the module by its name, and a user's file may be loaded under several.
    """
    root = cache_root()
    if root is None or not file.is_file():
        yield None
        return
    before = config.CACHE_DIR
    folder = root / f"numba-{numba.__version__}-{fingerprint(file)}-{module}"
    config.CACHE_DIR = str(folder)
    try:
        yield folder
    finally:
        config.CACHE_DIR = before
