"""The ledger through the death of a process, two processes at once, and a disk that is full."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import programs
import pytest

from simulator.play.executors import Job, TallyWorker
from simulator.play.experiment import BATCH
from simulator.play.ledger import Ledger
from simulator.play.run import make_experiment, run

ROOT = Path(__file__).resolve().parents[1]
GAMES = 60 * BATCH
PLAY = ("grinchmas", "--players", "2", "--strategy", "uniform", "--workers", "1", "--json")


@pytest.fixture(scope="module")
def whole() -> str:
    """The digest of an uninterrupted run."""
    return run("grinchmas", players=2, strategies=["uniform"], games=GAMES).digest


def started(ledger: Path, *wrapper: str, games: int = GAMES) -> AbstractContextManager[Any]:
    """The run as a program of its own."""
    command = [*wrapper, sys.executable, "-m", "simulator", *PLAY, "--games", str(games), "--ledger", str(ledger)]
    return programs.started(command, text=True, cwd=ROOT)


def kept(ledger: Path) -> int:
    """How many batches are remembered."""
    if not ledger.exists():
        return 0
    with Ledger(ledger) as opened:
        asked = make_experiment("grinchmas", players=2, strategies=["uniform"])
        return len(opened.batches(Job(TallyWorker, (asked,))))


def digest_of(process: Any) -> str:
    """What a run finds that ends well."""
    out, err = programs.ended(process)
    assert process.returncode == 0, err
    digest: str = json.loads(out)["results"][0]["digest"]
    return digest


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path: Path, whole: str) -> None:
    file = tmp_path / "l.sqlite"
    with started(file, games=10**12) as process:
        programs.wait_until(lambda: kept(file) >= 3, process)
        process.send_signal(signal.SIGKILL)
        programs.ended(process)
    before = kept(file)
    assert before >= 3
    with started(file) as again:
        assert digest_of(again) == whole
    assert kept(file) == max(before, GAMES // BATCH)


def test_two_processes_on_one_ledger_count_nothing_twice(tmp_path: Path, whole: str) -> None:
    file = tmp_path / "l.sqlite"
    with started(file) as one, started(file) as other:
        assert [digest_of(one), digest_of(other)] == [whole, whole]
    assert kept(file) == GAMES // BATCH


def test_a_full_disk_is_said_and_what_was_kept_is_still_good(tmp_path: Path, whole: str) -> None:
    """A limit on the size of files stands for the full disk."""
    file = tmp_path / "l.sqlite"
    with started(file, "sh", "-c", 'ulimit -f 128; exec "$@"', "sh") as process:
        out, err = programs.ended(process)
    assert process.returncode == 2
    assert out == ""
    errors = [line for line in err.splitlines() if line and not line.startswith("Note: ")]
    assert len(errors) == 1
    assert errors[0].startswith("Error: Ledger ")
    with started(file) as again:
        assert digest_of(again) == whole


OPEN_OFTEN = """
import sys
from pathlib import Path
from simulator.play.ledger import Ledger
for _ in range(15):
    with Ledger(Path(sys.argv[1])) as ledger:
        ledger.experiments()
"""


def test_processes_that_open_a_new_ledger_at_once_wait_for_one_another(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPEN_OFTEN, str(tmp_path / "l.sqlite")]
    with ExitStack() as stack:
        processes = [stack.enter_context(programs.started(command, text=True, cwd=ROOT)) for _ in range(4)]
        errors = [programs.ended(process)[1] for process in processes]
    assert errors == [""] * 4


STUDIES = {
    "compare": (("compare", "grinchmas", "--variant", "wishes.goal=9", "--players", "2", "--strategy", "uniform"), 30 * BATCH),
    "tournament": (("tournament", "vacation", "--players", "2", "--strategy", "racer", "--strategy", "uniform"), 60 * BATCH),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_that_was_killed_goes_on_where_it_was(name: str, tmp_path: Path) -> None:
    file = tmp_path / "l.sqlite"
    words, games = STUDIES[name]
    command = [sys.executable, "-m", "simulator", *words, "--workers", "1", "--json", "--games"]
    with programs.started([*command, str(games)], text=True, cwd=ROOT) as process:
        right = found_by(process)
    with programs.started([*command, str(10**12), "--ledger", str(file)], text=True, cwd=ROOT) as process:
        programs.wait_until(lambda: rows(file) >= 3, process)
        process.send_signal(signal.SIGKILL)
        programs.ended(process)
    before = rows(file)
    assert before >= 3
    with programs.started([*command, str(games), "--ledger", str(file)], text=True, cwd=ROOT) as again:
        assert found_by(again) == right
    assert rows(file) == max(before, 30), "nothing was played twice"


def rows(ledger: Path) -> int:
    """How many batches of whatever job are remembered."""
    if not ledger.exists():
        return 0
    with Ledger(ledger) as opened:
        return sum(entry.rows for entry in opened.experiments())


def found_by(process: Any) -> Any:
    """What a study finds that ends well, without how long it took."""
    out, err = programs.ended(process)
    assert process.returncode == 0, err
    return json.loads(out, object_hook=lambda found: {key: value for key, value in found.items() if key != "elapsed_s"})
