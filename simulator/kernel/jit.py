"""How everything is compiled: the options, once, and a cache on disk that notices every edit.

Numba's own cache looks only at the file of the function itself; after an edit in another file it goes on returning the
old machine code. So the cache folder carries a hash of all sources that go into a function.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import config, types
from platformdirs import user_cache_path

from simulator.kernel.sources import fingerprint

F = TypeVar("F", bound=Callable[..., Any])

# No fast-math anywhere: the same digest on any processor is the aim. The NumPy error model makes a division by zero
# give infinity instead of an exception, so that the compiled code carries no paths for raising.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
CACHE_VARIABLE = "LUDOMETER_CACHE"


@cache
def cache_root() -> Path | None:
    """Folder for compiled code, or None where none can be written and code is compiled in memory.

    `LUDOMETER_CACHE` names it; else it is the user's cache folder.
    """
    named = os.environ.get(CACHE_VARIABLE)
    root = Path(named) if named else user_cache_path("ludometer")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return None


def jit(function: F) -> F:
    """Compile `function` when it is first called, without the GIL, and keep the machine code on disk."""
    return _compile(function, {})


def jit_inlined(function: F) -> F:
    """As `jit`, for a small function in an innermost loop, where the call itself would cost more than what it does."""
    return _compile(function, {"forceinline": True})


def _compile(function: F, deviations: dict[str, Any]) -> F:
    with _cache_folder(Path(function.__code__.co_filename), function.__module__) as cached:
        compiled = numba.njit(cache=cached, **OPTIONS, **deviations)(function)
    _widen_calls(compiled)
    return cast("F", compiled)


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
def _cache_folder(file: Path, module: str) -> Iterator[bool]:
    """Point Numba at the folder for `file` while it sets up a function's cache; yields whether there is one.

    What Numba keeps refers to the module by its name, and a user's file may be loaded under several.
    """
    root = cache_root()
    if root is None or not file.is_file():
        yield False
        return
    before = config.CACHE_DIR
    config.CACHE_DIR = str(root / f"numba-{numba.__version__}-{fingerprint(file)}-{module}")
    try:
        yield True
    finally:
        config.CACHE_DIR = before
