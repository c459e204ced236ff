"""Waiting for compiled code: Ctrl-C is heeded meanwhile, and what does not end is noticed.

Python heeds a signal between two of its own steps, and compiled code has none. So it runs on a thread of its own, which dies
with the process, while the main thread waits in short naps.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from numba.core.compiler_lock import global_compiler_lock

Result = TypeVar("Result")

PATIENCE_S = 20.0
"""A single step of a playout that takes longer than this never ends."""

NAP_S = 0.1


def compiling() -> bool:
    """Whether something is being compiled in this process; that takes its time, and is nobody's fault."""
    return bool(global_compiler_lock.is_locked())


def attended(work: Callable[[], Result], complain: Callable[[], None] | None = None) -> Result:
    """What `work` returns or raises; it is done on a thread of its own.

    Args:
        work: runs compiled code.
        complain: called again and again meanwhile; it raises where it has waited for too long.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  raised again below, in the thread that asked
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True, name="attended")
    thread.start()
    while thread.is_alive():
        thread.join(NAP_S)
        if complain is not None and thread.is_alive():
            complain()
    if errors:
        raise errors[0]
    return results[0]


class OverdueError(Exception):
    """A step takes too long; `step` is its name."""

    def __init__(self, step: str) -> None:
        """Name it."""
        super().__init__(step)
        self.step = step


class Clock:
    """How long the step under way has taken; compiling does not count."""

    def __init__(self) -> None:
        """No step is under way."""
        self._step: str | None = None
        self._since = 0.0

    @property
    def step(self) -> str | None:
        """Name of the step under way."""
        return self._step

    def begin(self, step: str) -> None:
        """A step begins."""
        self._since = time.monotonic()
        self._step = step

    def end(self) -> None:
        """It is over."""
        self._step = None

    def complaint(self, seconds: float) -> Callable[[], None]:
        """To be called again and again; it raises where the step under way takes longer than so many seconds.

        Raises:
            OverdueError: it does.
        """

        def complain() -> None:
            step = self._step
            if step is None or compiling():
                self._since = time.monotonic()
            elif time.monotonic() - self._since > seconds:
                raise OverdueError(step)

        return complain
