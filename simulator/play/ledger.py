"""The ledger: an SQLite file that remembers finished batches, so that nothing is played twice and nothing finished is lost.

A batch is a row, keyed by job, first playout and count. In long runs a group of batches becomes one row as soon as all of it is
there, so that a ledger stays small however long it was played; see `plan_groups`. A job's id is that of its experiment where a
single one is tallied. Else it covers what becomes of the playouts, and the experiments. Their ids cover rules, strategies,
their source code and the game's version, so what other code has played never mixes in.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from simulator.errors import UserError
from simulator.play.experiment import Batch
from simulator.play.identity import question_of
from simulator.play.packing import DAMAGE

if TYPE_CHECKING:
    from simulator.play.executors import Job, Part

APPLICATION_ID = 0x4C756431
"""Marks an SQLite file as one of ours ("Lud1")."""

BUSY_S = 60.0
"""How long to wait for another process that is writing."""

_RETRY_S = 0.05

_TABLES = (
    """
    CREATE TABLE experiment (
        id TEXT PRIMARY KEY,
        question TEXT NOT NULL,
        since REAL NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE batch (
        experiment TEXT NOT NULL REFERENCES experiment (id),
        first INTEGER NOT NULL,
        count INTEGER NOT NULL,
        tally BLOB NOT NULL,
        PRIMARY KEY (experiment, first, count)
    )
    """,
)


class LedgerError(UserError):
    """A ledger cannot be opened, read or written."""


@dataclass(frozen=True)
class Remembered:
    """What a ledger holds of one experiment, or of several that were played together.

    Attributes:
        id: the experiment's id, or that of the job.
        question: game, version, players, strategies, seed and rules, as in the JSON of a run; see `identity.question_of`.
        rows: how many batches or groups of batches.
        games: how many playouts from the first on without a gap.
        since: when the experiment was first asked, seconds since 1970.
    """

    id: str
    question: dict[str, Any]
    rows: int
    games: int
    since: float


class Ledger:
    """A ledger file, made if it does not exist. Threads and processes may share it."""

    def __init__(self, path: Path) -> None:
        """Open or make the file.

        Raises:
            LedgerError: it cannot be opened, is damaged, or is no ledger; it is left untouched.
        """
        self.path = path
        self._in_turn = threading.RLock()
        with self._explained():
            self._connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
            with self._transaction():  # so that of two processes only one makes the tables
                self._make_tables()
            self._let_others_read()

    def _make_tables(self) -> None:
        if self._pragma("application_id") == APPLICATION_ID:
            return
        if self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            message = f"{self.path} is no ledger of this program; name another file."
            raise LedgerError(message)
        self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for table in _TABLES:
            self._connection.execute(table)

    def _let_others_read(self) -> None:
        """Switch to a journal beside the file. SQLite does not wait for others here, so this does."""
        deadline = time.monotonic() + BUSY_S
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = NORMAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY_S)
            else:
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def batches(self, job: Job[Any]) -> frozenset[Batch]:
        """The batches of a job that are finished, and the groups of batches that became one row."""
        query = "SELECT first, count FROM batch WHERE experiment = ?"
        with self._explained():
            return frozenset(Batch(*row) for row in self._connection.execute(query, (job.id,)))

    def recall(self, job: Job[Part], batch: Batch) -> Part | None:
        """The part of a batch or group that is finished; None where it is not there any more, part of a group meanwhile.

        Raises:
            LedgerError: the file is damaged.
        """
        query = "SELECT tally FROM batch WHERE experiment = ? AND first = ? AND count = ?"
        with self._explained():
            row = self._connection.execute(query, (job.id, batch.first, batch.count)).fetchone()
        if row is None:
            return None
        try:
            return job.worker.unpacked(row[0], job, batch)
        except DAMAGE as error:
            raise self._damaged(str(error)) from None

    def keep(self, job: Job[Part], batch: Batch, part: Part) -> None:
        """Remember a finished batch; once this returns, it survives the end of the process.

        Raises:
            LedgerError: it cannot be written, for example because the disk is full.
        """
        with self._explained(), self._transaction():
            self._insert(job, batch, part)

    def keep_group(self, job: Job[Part], group: Batch, part: Part) -> None:
        """Remember a group of batches in one row, instead of the rows of its batches; all of them, or nothing changes.

        Raises:
            LedgerError: it cannot be written, for example because the disk is full.
        """
        parts = "DELETE FROM batch WHERE experiment = ? AND first >= ? AND first + count <= ? AND count < ?"
        with self._explained(), self._transaction():
            self._insert(job, group, part)
            self._connection.execute(parts, (job.id, group.first, group.first + group.count, group.count))

    def _insert(self, job: Job[Part], batch: Batch, part: Part) -> None:
        if self._connection.execute("SELECT 1 FROM experiment WHERE id = ?", (job.id,)).fetchone() is None:
            question = question_of(job.worker.kind, job.experiments, job.arguments)
            row = (job.id, json.dumps(question, sort_keys=True), time.time())
            self._connection.execute("INSERT INTO experiment VALUES (?, ?, ?)", row)
        self._connection.execute(
            "INSERT OR IGNORE INTO batch VALUES (?, ?, ?, ?)", (job.id, batch.first, batch.count, job.worker.packed(part))
        )

    def experiments(self) -> list[Remembered]:
        """All experiments, the oldest first."""
        with self._explained():
            rows = self._connection.execute("SELECT id, question, since FROM experiment ORDER BY since").fetchall()
            return [Remembered(i, json.loads(q), *self._extent(i), since) for i, q, since in rows]

    def forget(self, experiment_id: str) -> int:
        """Remove an experiment and all that was played of it; how many playouts from the first on that were.

        Raises:
            LedgerError: it is not in the ledger.
        """
        with self._explained(), self._transaction():
            _, gone = self._extent(experiment_id)
            self._connection.execute("DELETE FROM batch WHERE experiment = ?", (experiment_id,))
            known = self._connection.execute("DELETE FROM experiment WHERE id = ?", (experiment_id,)).rowcount
        if not known:
            message = f"{self.path} holds no experiment '{experiment_id}'; `simulate ledger list` shows what it holds."
            raise LedgerError(message)
        return gone

    def _extent(self, experiment_id: str) -> tuple[int, int]:
        query = "SELECT first, count FROM batch WHERE experiment = ? ORDER BY first, count"
        rows = self._connection.execute(query, (experiment_id,)).fetchall()
        reached = 0
        for first, count in rows:
            if first <= reached:
                reached = max(reached, first + count)
        return len(rows), reached

    def _pragma(self, name: str) -> int:
        value: int = self._connection.execute(f"PRAGMA {name}").fetchone()[0]
        return value

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Let one thread after the other in, and turn SQLite's errors into sentences."""
        try:
            with self._in_turn:
                yield
        except sqlite3.OperationalError as error:
            message = f"Ledger {self.path} cannot be used: {error}; make room, or name another file. What it holds is kept."
            raise LedgerError(message) from None
        except (sqlite3.DatabaseError, ValueError) as error:
            raise self._damaged(str(error)) from None
        except OSError as error:
            message = f"Ledger {self.path} cannot be opened: {error.strerror or error}; name another file."
            raise LedgerError(message) from None

    def _damaged(self, reason: str) -> LedgerError:
        return LedgerError(f"Ledger {self.path} is damaged ({reason}); it is left as it is, name another file.")
