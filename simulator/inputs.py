"""Which files somebody else's code reads while it runs, so that what it computed is computed again when they change."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

_Stamp = tuple[int, int, int] | None

_COMPILED = (".nbi", ".nbc", ".pyc")  # kept by Numba and Python for what else was read


class Inputs:
    """Files that were read, as they were then."""

    def __init__(self) -> None:
        """None so far."""
        self._stamps: dict[str, _Stamp] = {}

    def add(self, path: Any) -> None:
        """Note that a file was read."""
        place = os.path.abspath(os.fsdecode(path))  # noqa: PTH100  a file may have been opened by any kind of name
        if not place.endswith(_COMPILED):
            self._stamps.setdefault(place, _stamp(place))

    def unchanged(self) -> bool:
        """Whether all of them are as they were."""
        return all(_stamp(place) == stamp for place, stamp in self._stamps.items())

    def files(self) -> frozenset[Path]:
        """Those that are there still."""
        return frozenset(Path(place) for place in self._stamps if Path(place).is_file())

    def now(self) -> str:
        """A name for what they hold now."""
        digest = hashlib.sha256()
        for place in sorted(self._stamps):
            digest.update(Path(place).read_bytes() if Path(place).is_file() else b"")
        return digest.hexdigest()[:16]


def _stamp(place: str) -> _Stamp:
    try:
        status = os.stat(place)  # noqa: PTH116  as above
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size


class _Watched(threading.local):
    inputs: tuple[Inputs, ...] = ()


_watched = _Watched()


@contextmanager
def inputs_of() -> Iterator[Inputs]:
    """Collect the files that are opened for reading within this block, by this thread."""
    _listen()
    inputs, before = Inputs(), _watched.inputs
    _watched.inputs = (*before, inputs)
    try:
        yield inputs
    finally:
        _watched.inputs = before


@cache
def _listen() -> None:
    sys.addaudithook(_hear)  # from now on; there is no way to take it back


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _watched.inputs:
        path, _mode, flags = arguments
        if isinstance(path, str | bytes | os.PathLike) and not flags & (os.O_WRONLY | os.O_RDWR):
            for inputs in _watched.inputs:
                inputs.add(path)
