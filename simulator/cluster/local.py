"""Worker processes on this machine, and a scheduler for them in this process."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import subprocess
import sys

MOST = 1024
"""As many processes can be started."""

_END_S = 2.0

_OPTIONS = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0", "--death-timeout", "60")


class LocalWorkers:
    """Worker processes that are there until they are closed; they end by themselves when this process is gone, however it went.

    They stand in sessions of their own, so that Ctrl-C in a terminal reaches this process alone.

    Attributes:
        address: of the scheduler.
    """

    def __init__(self, count: int, allowed_failures: int) -> None:
        """Start a scheduler and `count` processes; it gives a task up when it has killed more than `allowed_failures` of them."""
        import dask  # noqa: PLC0415  an extra
        from distributed import LocalCluster  # noqa: PLC0415

        with dask.config.set({"distributed.scheduler.allowed-failures": allowed_failures}):
            self._scheduler = LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL)
        self.address = str(self._scheduler.scheduler_address)
        self._processes = [self._start() for _ in range(count)]
        atexit.register(self.close)

    def _start(self) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(place or os.getcwd() for place in sys.path)  # noqa: PTH109  what an empty place stands for
        return subprocess.Popen(  # noqa: S603  this Python, with what stands here
            [sys.executable, "-P", "-m", "distributed.cli.dask_worker", self.address, *_OPTIONS],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def replace_ended(self) -> None:
        """Start a process for each that has ended."""
        self._processes = [self._start() if process.poll() is not None else process for process in self._processes]

    def close(self) -> None:
        """End the processes and the scheduler."""
        atexit.unregister(self.close)
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
            process.kill()
            process.wait()
        with contextlib.suppress(Exception):  # whatever Dask raises: this is the end of it anyway
            self._scheduler.close()
