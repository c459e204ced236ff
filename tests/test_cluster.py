"""Playing on a cluster gives what threads give, for runs and studies; who cannot play is found out before."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import re
import signal
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import programs
import pytest
from cluster_processes import (
    WITH_ANOTHER_NUMBA,
    WITH_ANOTHER_PIG,
    WITHOUT_THE_PACKAGE,
    LoggingWorker,
    played,
    processes,
    wait_for,
    without_lost_sockets,
)

from simulator.cli.main import run as simulate
from simulator.cluster import Cluster, ClusterError, flight
from simulator.cluster import connection as connections
from simulator.cluster.travel import UnfitError, packed, unpacked
from simulator.errors import MisbehaviourError, UserError
from simulator.kernel import sources
from simulator.play.executors import Job, TallyWorker, side_by_side
from simulator.play.experiment import BATCH, Batch, Experiment, plan
from simulator.play.ledger import Ledger
from simulator.play.resources import Resources
from simulator.play.run import Precision, make_experiment, run_experiment
from simulator.studies.check import play_promises
from simulator.studies.compare import compare
from simulator.studies.promises import read_promises

pytest.importorskip("distributed")

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "grinchmas.toml"

HELPER = f"""
# {uuid.uuid4()}: so that nothing of it is compiled yet, wherever it comes to
from simulator.kernel.jit import jit

@jit
def last(n):
    return {{option}}
"""

VISITOR = """
import numpy as np
from strategies import Params, strategy
import helping

def weights():
    return np.arange(4.0)

@strategy("pig")
def visitor(view, u, p=Params(turns=3, weights=weights)):
    \"\"\"Asks somebody else.\"\"\"
    return helping.last(view.n_options) if view.turn > p.turns + p.weights[0] else 0

@strategy("pig")
def late(view, u):
    \"\"\"Goes wrong now and then, but not at once.\"\"\"
    return 77 if view.turn > 12 and u > 0.999 else 0
"""


@pytest.fixture(autouse=True)
def no_lost_sockets() -> Iterator[None]:
    """What a test leaves behind is no matter of the next one."""
    with without_lost_sockets():
        yield


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two processes on this machine."""
    with Cluster("local:2", patience_s=programs.PATIENCE_S) as opened:
        yield opened


@pytest.fixture
def visitor(tmp_path: Path) -> Path:
    """A strategy file that leans on another one beside it."""
    (tmp_path / "helping.py").write_text(HELPER.format(option="n - 1"), encoding="utf-8")
    file = tmp_path / "visiting.py"
    file.write_text(VISITOR, encoding="utf-8")
    return file


def question(**changes: Any) -> Experiment:
    return make_experiment("grinchmas", **{"players": 3, "strategies": ["team"], **changes})


# ---------------------------------------------------------------- the same result


def test_a_run_counts_what_threads_count(cluster: Cluster) -> None:
    asked = question(rules={"wishes.goal": 9}, seed=2**64 - 1)
    games = 6 * BATCH + 5
    assert run_experiment(asked, games, workers=cluster).digest == run_experiment(asked, games).digest


def test_it_can_be_used_where_an_event_loop_runs_already(cluster: Cluster) -> None:
    """As in a notebook."""
    assert cluster._local is not None
    address = cluster._local.address

    async def cell() -> int:
        with Cluster(address) as again:
            return again.threads()

    with ThreadPoolExecutor(1) as thread:  # on this one a loop may run already, left by other tests
        assert thread.submit(lambda: asyncio.run(cell())).result() == cluster.threads()


def test_a_run_stops_at_the_same_playout_when_it_is_precise(cluster: Cluster) -> None:
    results = [run_experiment(question(), 40 * BATCH, precision=Precision(0.003), workers=w) for w in (1, cluster)]
    assert results[0].precise
    assert results[0].games < 40 * BATCH
    assert results[0].digest == results[1].digest


def test_a_ledger_is_filled_and_used(cluster: Cluster, tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        run_experiment(question(), 3 * BATCH, ledger=ledger)
        whole = run_experiment(question(), 6 * BATCH, ledger=ledger, workers=cluster)
        assert ledger.batches(Job(TallyWorker, (question(),))) == frozenset(plan(6 * BATCH))
    assert whole.digest == run_experiment(question(), 6 * BATCH).digest


def test_players_who_think_ahead_or_blunder_travel(cluster: Cluster) -> None:
    asked = make_experiment("pig", players=2, strategies=["lookahead:rollouts=3,base=hold:at=15", "blunder:share=0.3"])
    assert run_experiment(asked, 200, workers=cluster).digest == run_experiment(asked, 200).digest


def test_a_comparison_finds_the_same(cluster: Cluster) -> None:
    found = [compare("pig", variants=["goal=80"], games=3 * BATCH, players=2, workers=w) for w in (2, cluster)]
    assert found[0].comparisons == found[1].comparisons


def test_promises_are_judged_the_same(cluster: Cluster) -> None:
    promises = read_promises(EXAMPLE, games=BATCH)
    assert play_promises(promises, Resources(cluster)).outcomes == play_promises(promises, Resources()).outcomes


def test_short_runs_share_the_cluster(cluster: Cluster) -> None:
    assert side_by_side(cluster) == (4, cluster)


# ---------------------------------------------------------------- what travels


def test_a_strategy_file_travels_with_what_it_imports(cluster: Cluster, visitor: Path) -> None:
    asked = make_experiment("pig", players=2, strategies=[f"{visitor}:visitor:turns=5", "hold"])
    there = run_experiment(asked, 2 * BATCH, workers=cluster)
    assert there.digest == run_experiment(asked, 2 * BATCH).digest


def test_a_strategy_whose_helper_was_changed_is_played_as_it_is_now(cluster: Cluster, visitor: Path) -> None:
    """The workers have played another version of it, and Python remembers modules by name."""
    digests = []
    for option in ("n - 1", "0"):
        (visitor.parent / "helping.py").write_text(HELPER.format(option=option), encoding="utf-8")
        digests.append(here_and_there(visitor, cluster))
    assert digests[0][0] == digests[0][1]
    assert digests[1][0] == digests[1][1]
    assert digests[0] != digests[1]


def here_and_there(visitor: Path, cluster: Cluster) -> list[str]:
    """The digests from threads and from a cluster, asked by a process that knows the strategy as it is now."""
    cluster.connect()
    code = (
        "import sys\nfrom simulator.cluster import Cluster\nfrom simulator import run\n"
        f"with Cluster({cluster.client().scheduler.address!r}) as c:\n"
        "    for workers in (1, c):\n"
        f"        print(run('pig', players=2, games=2000, strategies=[{f'{visitor}:visitor'!r}, 'hold'], workers=workers).digest)"
    )
    return str(programs.run([sys.executable, "-c", code], check=True).stdout).split()


def test_what_a_strategy_does_wrong_arrives_as_the_same_sentence(cluster: Cluster, visitor: Path) -> None:
    asked = make_experiment("pig", players=2, strategies=[f"{visitor}:late"])
    sentences = []
    for workers in (2, cluster):
        with pytest.raises(UserError) as refused:
            run_experiment(asked, 10 * BATCH, workers=workers)
        sentences.append(str(refused.value))
    assert sentences[0] == sentences[1]


class Unsteady(TallyWorker):
    """Takes long over the first batch, and breaks its contract in the third."""

    def play(self, batch: Batch) -> Any:
        time.sleep(1.0 if batch.first == 0 and batch.count > 1 else 0.0)
        if batch.first == 2 * batch.count:
            message = "Strategy 'x' went wrong."
            raise MisbehaviourError(message)
        return super().play(batch)


def test_nothing_compiled_and_nothing_remembered_travels() -> None:
    asked = question()
    run_experiment(asked, 10)
    parcel = packed(asked)
    assert asked.game.file.name.encode() not in parcel
    assert b"_dispatcher" not in parcel
    assert len(parcel) < 10_000
    assert unpacked(parcel).id == asked.id


def test_other_code_is_told_apart() -> None:
    """As if this process had another version of the game than the one that packed."""
    asked = question()
    parcel = packed(asked)
    before = asked.game.fingerprint
    assert parcel.count(before.encode()) == 1
    with pytest.raises(UnfitError, match="has other source files of the game 'grinchmas'"):
        unpacked(parcel.replace(before.encode(), b"0" * len(before)))


def test_a_game_that_is_not_there_is_named() -> None:
    parcel = packed(question())
    with pytest.raises(UnfitError, match="lacks the game 'grinchmos'"):
        unpacked(parcel.replace(b"\x8c\tgrinchmas", b"\x8c\tgrinchmos"))


def test_the_hash_of_the_sources_does_not_depend_on_where_they_lie(visitor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, libraries = sources._followed(visitor.resolve())
    found = set()
    for order in (sorted(files), sorted(files, reverse=True)):
        monkeypatch.setattr(sources, "_followed", lambda _file, order=order: (order, libraries))
        found.add(sources.fingerprint(visitor))
    assert len(found) == 1


# ---------------------------------------------------------------- who cannot play


@pytest.mark.parametrize(
    ("before", "difference"),
    [
        (WITHOUT_THE_PACKAGE, "lacks the package ludometer"),
        (WITH_ANOTHER_NUMBA, "has numba 0.1 where "),
        (WITH_ANOTHER_PIG, "has other source files of the game 'pig'"),
    ],
)
def test_a_worker_that_cannot_play_is_found_out_before_the_run(before: str, difference: str) -> None:
    asked = make_experiment("pig", players=2)
    with processes(["", before]) as those, Cluster(those.address, patience_s=programs.PATIENCE_S) as cluster:
        wait_for(cluster, 2)
        with pytest.raises(ClusterError) as refused:
            run_experiment(asked, 100, workers=cluster, progress=lambda *_: pytest.fail("something was played"))
    sentence = str(refused.value)
    assert sentence.startswith("Worker tcp://127.0.0.1:")
    assert f" {difference}" in sentence
    assert sentence.endswith("; set it up as this machine is, or stop it.")


@pytest.mark.parametrize("address", ["local:0", "local:1025", "local:many", "local"])
def test_an_impossible_number_of_processes_is_refused(address: str) -> None:
    with pytest.raises(ClusterError, match=f"'{address}' is no cluster; write local:N"):
        Cluster(address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "no://where", "nowhere.invalid:8786"])
def test_where_no_scheduler_answers_a_sentence_says_so(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert simulate(["pig", "--games", "10", "--players", "2", "--cluster", address]) == 2
    printed = capfd.readouterr()
    assert not printed.out
    assert printed.err.startswith(f"Error: No Dask scheduler answers at {address}; start one with `dask scheduler`, or see whether ")
    assert printed.err.count("\n") == 1


def test_without_dask_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(connections, "find_spec", lambda _name: None)
    assert simulate(["pig", "--games", "10", "--cluster", "local:2"]) == 2
    assert "pip install 'ludometer[cluster]'" in capfd.readouterr().err


def test_threads_and_a_cluster_at_once_are_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert simulate(["pig", "--workers", "2", "--cluster", "local:2"]) == 2
    assert "give one of them" in capfd.readouterr().err


# ---------------------------------------------------------------- how it is played


def test_tasks_take_about_a_second_and_few_go_out_that_nobody_takes(cluster: Cluster, tmp_path: Path) -> None:
    """Each of the two processes has three tasks of ten batches at most."""
    log = tmp_path / "log"
    executor = cluster.executor(Job(LoggingWorker, (question(),), (str(log), 0.1)), 400)
    begun: list[Batch] = []

    def batches() -> Iterator[Batch]:
        for batch in plan(400 * 10, 10):
            begun.append(batch)
            yield batch

    taken = executor.play(batches())
    done = [next(taken)[0] for _ in range(30)]
    assert 30 + 6 <= len(begun) <= 30 + 2 * 3 * 10
    programs.wait_until(lambda: len({processes[0] for processes in played(log).values()}) == 2)  # both play
    taken.close()
    assert done == list(plan(300, 10))
    who = played(log)
    assert all(len(who[batch.first]) == 1 for batch in done)


@pytest.mark.parametrize(
    ("batch_s", "remaining", "expected"), [(None, 1000, 1), (0.1, 1000, 10), (0.1, 20, 5), (5.0, 1000, 1), (1e-9, 10**9, 1000), (0.1, 1, 1)]
)
def test_how_many_batches_make_a_task(batch_s: float | None, remaining: int, expected: int) -> None:
    flying: Any = flight._Flight.__new__(flight._Flight)
    flying.batch_s, flying.remaining = batch_s, remaining
    assert flying._how_many(2) == expected


def test_an_error_waits_for_its_turn(cluster: Cluster) -> None:
    """So where a run stops does not depend on which worker is faster."""
    job = Job(Unsteady, (question(),))
    done = []
    with pytest.raises(MisbehaviourError, match="Strategy 'x' went wrong"):
        done.extend(batch for batch, _ in cluster.executor(job, 50).play(plan(50 * 100, 100)))
    assert done == list(plan(200, 100))


def test_a_task_is_only_bytes_to_a_scheduler() -> None:
    """So a scheduler needs nothing but Dask."""
    from simulator.cluster.tasks import errand, packed_job  # noqa: PLC0415  only here

    task = errand({}, packed_job(Job(TallyWorker, (question(),))), (Batch(0, 5),))
    assert isinstance(task, bytes)
    answer = pickle.loads(task)  # noqa: S301  our own
    assert [part.games for part in answer.parts] == [5]


# ---------------------------------------------------------------- the command


def started(*arguments: str) -> AbstractContextManager[Any]:
    """A long run on processes of its own."""
    command = [sys.executable, "-m", "simulator", "grinchmas", "--games", "1e9", "--json", "--cluster", "local:2", *arguments]
    return programs.started(command)


def wait_until_kept(file: Path, process: Any) -> None:
    """Wait until a run has finished some batches."""

    def kept() -> bool:
        if not file.exists():
            return False
        with Ledger(file) as ledger:
            return any(entry.rows >= 2 for entry in ledger.experiments())

    programs.wait_until(kept, process)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_however_a_run_ends_its_processes_end_too(tmp_path: Path, sign: int) -> None:
    import psutil  # noqa: PLC0415  comes with Dask

    with started("--ledger", str(tmp_path / "l.sqlite")) as process:
        wait_until_kept(tmp_path / "l.sqlite", process)
        children = psutil.Process(process.pid).children(recursive=True)
        assert sum("distributed.cli.dask_worker" in child.cmdline() for child in children) == 2
        os.killpg(process.pid, sign)  # as Ctrl-C in a terminal reaches all processes of a group
        out, err = programs.ended(process)
        if sign == signal.SIGINT:
            assert process.returncode == 130, err
            (result,) = json.loads(out)["results"]
            assert result["games"] >= 2 * BATCH
            assert err.decode().startswith("Note: Interrupted; what was finished is shown. It rests on ")
            assert err.count(b"\n") == 1
        _, left = psutil.wait_procs(children, timeout=programs.PATIENCE_S)
        assert not left


def test_the_example_in_the_document_runs() -> None:
    (code,) = re.findall(r"```python\n(.+?)```", (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8"), re.DOTALL)
    there = programs.run([sys.executable, "-c", code], check=True).stdout.strip()
    assert there == run_experiment(make_experiment("pig", players=2), 100_000).digest
