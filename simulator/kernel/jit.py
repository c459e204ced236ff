"""How everything is compiled: the options, once, and a cache on disk that notices every edit.

Numba's own cache looks only at the file of the function itself; after an edit in another file it goes on returning the
old machine code. So the cache folder carries a hash of all sources that go into a function, wherever they lie: what one copy
of this project has compiled, another with the same sources need not. Where nothing can be kept, because there is no folder
or its disk is full, everything is compiled in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numba
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, NullCache, UserProvidedCacheLocator
from numba.core.compiler import compile_result
from platformdirs import user_cache_path

from simulator.kernel.constants import constants
from simulator.kernel.parts import CompilePart, CompileWhole, Part
from simulator.kernel.sources import fingerprint, is_own

F = TypeVar("F", bound=Callable[..., Any])

# No fast-math anywhere: the same digest on any processor is the aim. The NumPy error model makes a division by zero
# give infinity instead of an exception, so that the compiled code carries no paths for raising.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

# What was written elsewhere is not proved by our tests: there a division by zero and a place beyond the end of an array
# raise, where they would give infinity and garbage.
WATCHFUL: dict[str, Any] = OPTIONS | {"error_model": "python", "boundscheck": True}

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


@cache
def _fingerprint_of(_module: str, file: Path, _modified: int) -> str:
    """A file's fingerprint, looked up once for all functions of a module; changed sources are loaded as a module of another name."""
    return fingerprint(file)


class _Place(UserProvidedCacheLocator):  # type: ignore[misc]  # Numba has no types
    """Where one function is kept: below a hash of its sources.

    What Numba keeps refers to the module by its name, and a user's file may be loaded under several. A user's file may
    also build constants from what lies beside it, so it is told apart by its folder as well.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        sources = _fingerprint_of(function.__module__, Path(file), Path(file).stat().st_mtime_ns)
        folder = f"numba-{numba.__version__}-{sources}-{function.__module__}"
        place = () if is_own(Path(file)) else (self.get_suitable_cache_subpath(file),)
        self._cache_path = str(Path(cache_root() or "", folder, *place))

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Place | None:
        """None where there is no folder, or no file."""
        place: _Place | None = None if cache_root() is None else super(UserProvidedCacheLocator, cls).from_function(function, file)
        return place


class _Implementation(CompileResultCacheImpl):  # type: ignore[misc]  # Numba has no types
    """Numba itself would fall back to folders whose names carry no hash."""

    _locator_classes: ClassVar[list[type]] = [_Place]


class _PartImplementation(_Implementation):
    """As for whole functions, of which Numba would make machine code when it reads them."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """The part that was written."""
        written, descriptor, environment, signature, *_, reload, environments = payload
        for initialize in reload:
            initialize()
        part = Part.read(target_context.codegen(), written)
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=part,
            environment=environment,
            entry_point=target_context.get_executable(part, descriptor, environment),
            fndesc=descriptor,
            signature=signature,
            objectmode=False,
            reload_init=reload,
            referenced_envs=environments,
        )


class _Files(IndexDataCacheFile):  # type: ignore[misc]  # Numba has no types
    """The files of one function, named after what they hold.

    Numba numbers them, and two processes that compile at the same time would write under the same number; then one finds
    the other's machine code.
    """

    def save(self, key: Any, data: Any) -> None:
        """Keep machine code under its signature and processor."""
        name = f"{Path(self._index_name).stem}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
        self._save_data(name, data)
        self._save_index(self._load_index() | {key: name})


class _Kept(FunctionCache):  # type: ignore[misc]  # Numba has no types
    """Numba's cache of one function, except that a disk that fails it costs time and nothing else."""

    _impl_class = _Implementation
    failure: ClassVar[OSError | None] = None

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        place = self._impl.locator
        self._cache_file = _Files(place.get_cache_path(), self._impl.filename_base, place.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Machine code from the disk; None where there is none, or it is damaged."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  damaged files fail in any way; what they held is compiled and written again
            with contextlib.suppress(OSError):
                self.flush()  # saving would stumble over a damaged index as well
            return None

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """What tells one machine code of the function from another; the values that were built into it are part of that."""
        return super()._index_key(sig, codegen), constants(self._py_func)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, as long as there is room."""
        if _Kept.failure is None:
            try:
                super().save_overload(sig, data)
            except OSError as error:
                _Kept.failure = error


class _KeptPart(_Kept):
    """The cache of one function as it is called from others."""

    _impl_class = _PartImplementation

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return "part", *super()._index_key(sig, codegen)


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
    options = deviations | (OPTIONS if is_own(Path(function.__code__.co_filename)) else WATCHFUL)
    whole = numba.njit(pipeline_class=CompileWhole, **options)(function)
    whole._cache = _cache_of(function, _Kept)  # noqa: SLF001  what Numba's enable_caching() does, with a cache of its own

    @cache
    def part() -> Any:
        made = numba.njit(pipeline_class=CompilePart, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)
        made._cache = _cache_of(function, _KeptPart)  # noqa: SLF001  as above
        made._compiling_counter = whole._compiling_counter  # noqa: SLF001  by which Numba knows that a function calls itself
        return made

    _call_as_part(whole, part)
    return cast("F", whole)


def _cache_of(function: Callable[..., Any], kind: type[_Kept]) -> Any:
    """A cache below our own folder, or none."""
    try:
        return kind(function)
    except (OSError, RuntimeError):  # there is no folder that can be written to
        return NullCache()


def _call_as_part(whole: Any, part: Callable[[], Any]) -> None:
    """Let other compiled functions call the part, and pass every integer as int64, members of an IntEnum too.

    Numba would compile a function anew for each literal and each width that it is called with, and the first start on a
    machine is all compiling.
    """

    def resolve(args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        return part().get_call_template(tuple(_widest(a) for a in args), {name: _widest(a) for name, a in kws.items()})

    whole.get_call_template = resolve
    whole.get_overload = lambda signature: part().get_overload(signature)


def _widest(kind: types.Type) -> types.Type:
    plain = types.unliteral(kind)
    if isinstance(plain, types.IntEnumMember):
        plain = plain.dtype
    if isinstance(plain, types.Integer) and plain != types.uint64:
        return types.int64
    return plain
