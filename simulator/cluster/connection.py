"""The connection to a cluster: its scheduler, and which of its workers are there and can play."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import re
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Self, TypeVar

from simulator.cluster import local
from simulator.cluster.flight import ClusterExecutor
from simulator.cluster.limits import ATTEMPTS, LOOK_S, POLL_S, ClusterError
from simulator.cluster.tasks import Answer, errand, perform
from simulator.cluster.travel import versions_of
from simulator.errors import described, install_line

if TYPE_CHECKING:
    from distributed import Client, Future

    from simulator.play.executors import Job

Part = TypeVar("Part")

CONNECT_S = 5.0
"""How long to wait for a scheduler to answer."""

PATIENCE_S = 30.0
"""How long to wait for a scheduler, or for workers, to come back."""

EXAMINE_S = 300.0
"""How long a worker may take to try a job out; it may have to compile the game first."""

_LOCAL = re.compile(r"local:(\d{1,9})")
_WAY_OUT = "set it up as this machine is, or stop it"
_LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application")


def _say_nothing(_sentence: str) -> None:
    pass


class Cluster:
    """A Dask scheduler and its workers; connected to when it is first needed, and to be closed. Several threads may use it.

    Attributes:
        address: as it was given.
        patience_s: how long to wait for a scheduler or workers to come back.
    """

    def __init__(self, address: str, *, patience_s: float = PATIENCE_S, tell: Callable[[str], None] = _say_nothing) -> None:
        """Take an address, without connecting.

        Args:
            address: of a scheduler, such as `tcp://host:8786`, or `local:4` for four processes on this machine.
            patience_s: how long to wait for a scheduler or workers to come back.
            tell: called with a sentence when something happens that does not end the run.

        Raises:
            ClusterError: Dask is not installed, or there is no such address.
        """
        if find_spec("distributed") is None:
            message = f"--cluster needs Dask; install it with {install_line('cluster')}, and likewise for the workers."
            raise ClusterError(message)
        self.address, self.patience_s, self.tell = address, patience_s, tell
        self._processes = _processes_in(address)
        self._local: local.LocalWorkers | None = None
        self._client: Client | None = None
        self._generation = 0
        self._lock = threading.RLock()
        self._unfit: dict[str, str] = {}
        self._examined: set[Any] = set()
        self._present: dict[str, int] = {}
        self._looked = -LOOK_S

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the scheduler, and end what was started here."""
        with self._lock:
            client, self._client = self._client, None
            processes, self._local = self._local, None
        if client is not None:
            _close(client)
        if processes is not None:
            processes.close()

    def executor(self, job: Job[Part], batches: int) -> ClusterExecutor[Part]:
        """Who plays a job of so many batches here.

        Raises:
            ClusterError: the cluster cannot be reached, or one of its workers cannot play the job.
            MisbehaviourError: a strategy or the game breaks its contract at once.
        """
        return ClusterExecutor(self, job, batches)

    def threads(self) -> int:
        """How many batches are played here at once.

        Raises:
            ClusterError: the cluster cannot be reached, or has no workers.
        """
        self.connect()
        return sum(self.wait_for_workers().values())

    # ------------------------------------------------------------ the scheduler

    def connect(self) -> int:
        """Connect if there is no connection yet; returns how often there had to be a new one.

        Raises:
            ClusterError: nobody answers.
        """
        with self._lock:
            if self._client is None:
                self._client = self._new_client()
            return self._generation

    def reconnect(self, generation: int) -> int:
        """Connect anew, unless another thread did so since; returns how often there had to be a new connection.

        Raises:
            ClusterError: nobody answers for as long as the patience lasts.
        """
        with self._lock:
            if generation == self._generation:
                self.tell(f"The scheduler at {self.address} is gone; waiting {self.patience_s:.0f} seconds for it to come back.")
                if self._client is not None:
                    _close(self._client)
                self._client = self._come_back()
                self._generation += 1
                self._unfit.clear()
                self._looked = -LOOK_S
            return self._generation

    def client(self) -> Client:
        """The connection there is.

        Raises:
            ConnectionError: there is none at the moment.
        """
        client = self._client
        if client is None or client.status != "running":
            raise ConnectionError
        return client

    def _new_client(self) -> Client:
        if self._processes and self._local is None:
            self._local = local.LocalWorkers(self._processes, ATTEMPTS - 1)
        return _client_at(self.address if self._local is None else self._local.address, self.address)

    def _come_back(self) -> Client:
        deadline = time.monotonic() + self.patience_s
        while time.monotonic() < deadline:
            with contextlib.suppress(ClusterError):
                return self._new_client()
            time.sleep(POLL_S)
        message = (
            f"The scheduler at {self.address} is gone and did not come back within {self.patience_s:.0f} seconds; "
            "start it again and repeat the command: what a ledger holds is not played again."
        )
        raise ClusterError(message)

    # ------------------------------------------------------------ the workers

    def workers(self, *, anew: bool = False) -> dict[str, int]:
        """Address and number of threads of the workers that are there and can play; looked up once a second.

        Raises:
            ConnectionError: there is no connection at the moment.
        """
        if anew or time.monotonic() - self._looked >= LOOK_S:
            processes, client = self._local, self.client()
            if processes is not None:
                processes.replace_ended()
            try:
                self._present = dict(client.sync(client.scheduler.ncores, callback_timeout=CONNECT_S))
            except Exception as error:  # whatever Dask raises when its scheduler does not answer
                raise ConnectionError from error
            self._looked = time.monotonic()
        return {worker: threads for worker, threads in self._present.items() if worker not in self._unfit}

    def wait_for_workers(self) -> dict[str, int]:
        """The workers, as soon as there is one; on this machine, as soon as all are there.

        Raises:
            ClusterError: they do not come for as long as the patience lasts.
        """
        deadline = time.monotonic() + (EXAMINE_S if self._processes else self.patience_s)  # a busy machine starts processes slowly
        while time.monotonic() < deadline:
            with contextlib.suppress(ConnectionError):
                present = self.workers(anew=True)
                if present and len(present) >= self._processes:
                    return present
            time.sleep(POLL_S)
        raise ClusterError(self.workerless())

    def workerless(self) -> str:
        """What to say when nobody is there who could play."""
        for worker, reason in self._unfit.items():
            return f"No worker of {self.address} can play: {worker} {reason}; {_WAY_OUT}."
        if self._processes:
            return f"The processes of {self.address} do not stay alive; see whether this machine has the memory for so many."
        return (
            f"The scheduler at {self.address} has had no worker for {self.patience_s:.0f} seconds; start some with "
            f"`dask worker {self.address}` and repeat the command: what a ledger holds is not played again."
        )

    def refuse(self, worker: str, reason: str) -> None:
        """Send nothing to a worker any more.

        Raises:
            ClusterError: there is no other.
        """
        with self._lock:
            if worker not in self._unfit:
                self._unfit[worker] = reason
                self.tell(f"Worker {worker} {reason}; it is given nothing to play.")
        with contextlib.suppress(ConnectionError):
            if not self.workers():
                raise ClusterError(self.workerless())

    def examine(self, job: Job[Any], parcel: bytes) -> None:
        """Have every worker try a job out, unless one like it was tried before.

        Raises:
            ClusterError: a worker cannot play it.
            MisbehaviourError: a strategy or the game breaks its contract at once.
        """
        like = (job.worker, *((e.game.name, e.game.fingerprint, *(p.strategy for p in e.lineup)) for e in job.experiments))
        if like in self._examined:
            return
        unfit = self.unfit_for(parcel, self.wait_for_workers())
        for worker, reason in unfit.items():
            others = f" (and {len(unfit) - 1} more)" if len(unfit) > 1 else ""
            message = f"Worker {worker}{others} {reason}; {_WAY_OUT}."
            raise ClusterError(message)
        self._examined.add(like)

    def unfit_for(self, parcel: bytes, workers: Iterable[str]) -> dict[str, str]:
        """Those of some workers that cannot play a job, each with a clause that says why.

        Raises:
            ClusterError: the connection is lost.
            MisbehaviourError: a strategy or the game breaks its contract at once.
        """
        task = errand(versions_of(perform), parcel)
        try:
            futures = {worker: self._submit(task, 0, [worker]) for worker in workers}
            self._wait_for_answers(futures)
        except ConnectionError:
            message = f"The scheduler at {self.address} is gone; start it again and repeat the command."
            raise ClusterError(message) from None
        return {worker: reason for worker, future in futures.items() if (reason := _why_unfit(future))}

    def _wait_for_answers(self, futures: dict[str, Future]) -> None:
        """Wait until all have answered, but not for a worker that is gone."""
        deadline = time.monotonic() + EXAMINE_S
        while time.monotonic() < deadline:
            waiting = [worker for worker, future in futures.items() if not future.done()]
            if not waiting:
                return
            present = self.workers()
            for worker in waiting:
                if worker not in present:
                    futures.pop(worker).cancel()
            time.sleep(POLL_S / 10)

    def fit_only(self) -> frozenset[str]:
        """The workers that may be given something, if there are others that must not; else none, and anybody may.

        Raises:
            ConnectionError: there is no connection at the moment.
        """
        return frozenset(self.workers()) if self._unfit else frozenset()

    def send(self, task: bytes, priority: int, workers: Iterable[str]) -> Future:
        """Have a task performed, those of higher priority first, by one of some workers, or by anybody if none is named.

        Raises:
            ConnectionError: there is no connection at the moment.
        """
        return self._submit(task, priority, list(workers))

    def _submit(self, task: bytes, priority: int, workers: list[str]) -> Future:
        # a worker that fails at once is always idle, so that it would be the first to be given what others may play too
        where = {"workers": workers, "allow_other_workers": False} if workers else {}
        return self.client().submit(pickle.loads, task, key=f"playouts-{uuid.uuid4().hex}", pure=False, priority=priority, **where)


def _why_unfit(future: Future) -> str:
    """Why a worker that was to try a job out cannot play it; empty if it can."""
    if future.status == "error":
        error = future.exception()
        if isinstance(error, ModuleNotFoundError) and "'simulator'" in str(error):
            return "lacks the package ludometer"
        return f"cannot play: {described(error)}"
    if future.status != "finished":
        return f"has not answered for {EXAMINE_S:.0f} seconds" if future.status == "pending" else ""
    answer: Answer = future.result(timeout=CONNECT_S)
    if answer.error is not None:
        raise answer.error
    return answer.unfit


def _processes_in(address: str) -> int:
    """How many processes an address asks for on this machine; 0 for one of a scheduler."""
    if not address.startswith("local"):
        return 0
    match = _LOCAL.fullmatch(address)
    if match and 1 <= int(match[1]) <= local.MOST:
        return int(match[1])
    message = f"'{address}' is no cluster; write local:N for N processes on this machine, 1 to {local.MOST}, or a scheduler's address."
    raise ClusterError(message)


def _client_at(address: str, shown: str) -> Client:
    from distributed import Client  # noqa: PLC0415  an extra
    from distributed.versions import VersionMismatchWarning  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VersionMismatchWarning)  # what matters of it is examined
        try:
            _see_whether_somebody_answers(address)  # since a client that finds nobody leaves threads behind
            return Client(address, timeout=CONNECT_S, set_as_default=False)
        except Exception:  # noqa: BLE001  whatever Dask raises for an address where it finds no scheduler
            message = f"No Dask scheduler answers at {shown}; start one with `dask scheduler`, or see whether the address is right."
    raise ClusterError(message)


def _see_whether_somebody_answers(address: str) -> None:
    """Ask the scheduler who it is, on a thread of its own: in a notebook, say, an event loop runs on this one already."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(_ask(address))).result()


async def _ask(address: str) -> None:
    """Have a scheduler say who it is."""
    async with asyncio.timeout(CONNECT_S):
        await _identity(address)


async def _identity(address: str) -> None:
    from distributed import Security, rpc  # noqa: PLC0415  an extra

    async with rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
        await scheduler.identity()


def _close(client: Client) -> None:
    with contextlib.suppress(Exception):  # whatever Dask raises: there may be nobody left to say goodbye to
        client.close(timeout=CONNECT_S)


def silence() -> None:
    """Have Dask write no log to stderr; what matters is said in sentences."""
    from distributed import Client  # noqa: F401, PLC0415  which sets its logs up when it is imported

    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = False
