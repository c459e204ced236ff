"""Programs that tests start, and what tests wait for: nothing here rests on how fast or how busy the machine is."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from subprocess import PIPE
from typing import Any

PATIENCE_S = 600.0
"""After so long a program hangs, also where eight others want the same processor."""

POLL_S = 0.1


def run(command: Sequence[str], *, check: bool = False, said: str | None = None, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end and catch what it prints, as text, where nothing else is said; `said` is what it is told."""
    with started(command, **{"text": True, "stdin": PIPE if said else None, **options}) as process:
        out, err = process.communicate(said, timeout=PATIENCE_S)
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


@contextlib.contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a program that is dealt with while it runs, and does not outlive a test that fails, nor does what it started.

    It heeds Ctrl-C, also where the tests themselves run in the background and ignore it.
    """
    with _heeding_ctrl_c():
        process = subprocess.Popen(command, start_new_session=True, **{"stdout": PIPE, "stderr": PIPE, **options})
    with process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def _heeding_ctrl_c() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # the only one that may say so
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def ended(process: subprocess.Popen[Any]) -> tuple[Any, Any]:
    """Wait until a program ends by itself; what it printed and what it complained about."""
    return process.communicate(timeout=PATIENCE_S)


def shown(terminal: int) -> bytes:
    """What a terminal has still to show, until nobody is there any more who would write to it."""
    found = b""
    with contextlib.suppress(OSError):  # which is how a terminal says so
        while piece := os.read(terminal, 65536):
            found += piece
    return found


def wait_until(happened: Callable[[], bool], process: subprocess.Popen[Any] | None = None) -> None:
    """Wait until something happens, or fail because the program that it depends on has ended."""
    end = time.monotonic() + PATIENCE_S
    while not happened():
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < end, "it does not happen"
        time.sleep(POLL_S)
