"""A real scheduler and real workers on this machine, each a process of its own, and jobs that show who played what."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

import dask
import programs

from simulator.cluster import Cluster, ClusterError
from simulator.play.executors import BatchPlayer, TallyWorker
from simulator.play.experiment import Batch
from simulator.stats.tally import Tally

OURS = ("simulator", "strategies", "reports")
COMMON = ("--host", "127.0.0.1", "--no-dashboard")
WITHOUT_THE_PACKAGE = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "simulator":
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
sys.meta_path.insert(0, Missing())
"""
WITH_ANOTHER_NUMBA = "import importlib.metadata as m; v = m.version; m.version = lambda name: '0.1' if name == 'numba' else v(name)"
WITH_ANOTHER_PIG = (
    "import simulator.kernel.sources as s; f = s.fingerprint; s.fingerprint = lambda file: 'other' if 'pig' in str(file) else f(file)"
)

_NURSERY = get_context("forkserver")
_NURSERY.set_forkserver_preload(
    ["distributed.cli.dask_worker", "distributed.cli.dask_scheduler", "simulator.cluster", "simulator.play.run"]
)
"""Processes are forked from one that has imported everything: a worker costs no seconds of imports."""


@dataclass
class Processes:
    """A scheduler and its workers."""

    port: int
    scheduler: BaseProcess
    workers: list[BaseProcess] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def add_worker(self, before: str = "") -> BaseProcess:
        """Start a worker, which runs some code first."""
        options = ["--nthreads", "1", "--no-nanny", "--memory-limit", "0", *COMMON]
        self.workers.append(_started("dask_worker", [self.address, *options], before))
        return self.workers[-1]

    def kill(self, worker: int, sign: int = signal.SIGKILL) -> None:
        pid = self.workers[worker].pid
        assert pid is not None
        os.kill(pid, sign)

    def restart_scheduler(self) -> None:
        """The same place, but nothing is remembered; workers of the old one end by themselves."""
        self.stop_scheduler()
        self.scheduler = _started_scheduler(self.port)

    def stop_scheduler(self) -> None:
        self.scheduler.kill()
        self.scheduler.join()

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):  # a worker that is left alone ends by itself
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.join()


@contextlib.contextmanager
def processes(workers: Sequence[str] = ("", "", ""), **config: str) -> Iterator[Processes]:
    """A scheduler with some workers, each given as the code that it runs first; they are on their way, not there yet."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    found = Processes(port, _started_scheduler(port, **config))
    try:
        for before in workers:
            found.add_worker(before)
        yield found
    finally:
        found.end()


def wait_for(cluster: Cluster, workers: int) -> None:
    """Wait until so many workers are there."""

    def there() -> bool:
        with contextlib.suppress(ClusterError, ConnectionError):
            cluster.connect()
            return len(cluster.workers(anew=True)) >= workers
        return False

    programs.wait_until(there)


def _started_scheduler(port: int, **config: str) -> BaseProcess:
    return _started("dask_scheduler", ["--port", str(port), "--no-show", *COMMON], **config)


def _started(program: str, arguments: Sequence[str], before: str = "", **config: str) -> BaseProcess:
    process = _NURSERY.Process(target=_run, args=(program, arguments, before, config))
    process.start()
    return process


def _run(program: str, arguments: Sequence[str], before: str, config: dict[str, str]) -> None:
    """What a process does: one of Dask's own programs, as if typed."""
    log = os.open(os.environ.get("CLUSTER_LOG", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for stream in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(log, stream)
    dask.config.set(config)
    if before:
        for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
            del sys.modules[name]  # so that it meets the package as a worker does that is only starting
        exec(before, {})  # noqa: S102  it is written above
    import_module(f"distributed.cli.{program}").main(list(arguments))


@contextlib.contextmanager
def without_lost_sockets() -> Iterator[None]:
    """Dask leaves sockets to a scheduler that was killed to the garbage collector, which complains; here it does so to nobody."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


class LoggingWorker(TallyWorker):
    """Writes down which process played which batch, and takes its time."""

    def __init__(self, players: Sequence[BatchPlayer], log: str, pause_s: float = 0.0) -> None:
        super().__init__(players)
        self.log, self.pause_s = log, pause_s

    def play(self, batch: Batch) -> Tally | None:
        if batch.count > 1:  # and not the trial
            time.sleep(self.pause_s)
            self.note(batch)
        return super().play(batch)

    def note(self, batch: Batch) -> None:
        with open(self.log, "a", encoding="utf-8") as file:  # noqa: PTH123  one write: no two processes mix
            file.write(f"{batch.first} {os.getpid()}\n")


class FailingWorker(LoggingWorker):
    """Fails in the fourth batch."""

    def play(self, batch: Batch) -> Tally | None:
        part = super().play(batch)
        if batch.first == 3 * batch.count:
            message = "out of order"
            raise ValueError(message)
        return part


class DyingWorker(LoggingWorker):
    """Ends its process in the fourth batch."""

    def play(self, batch: Batch) -> Tally | None:
        part = super().play(batch)
        if batch.first == 3 * batch.count:
            os._exit(1)
        return part


def played(log: Path) -> dict[int, list[int]]:
    """First playout of each batch to the processes that played it."""
    found: dict[int, list[int]] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        first, process = map(int, line.split())
        found.setdefault(first, []).append(process)
    return found
