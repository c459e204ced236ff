"""Speed and memory, measured side by side: these figures are never asserted in a test.

Machines are noisy, so what is compared is run in turn, A B A B, and medians and their ratio are given.

Usage: python scripts/bench.py [--json] [--pairs 7] [--only kernel|lookahead|workers|cluster|command|memory ...]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "twins"))

from simulator.play.ledger import Ledger  # noqa: E402
from simulator.play.run import make_experiment, run_experiment  # noqa: E402  the path above is for the twins
from simulator.play.table import Table  # noqa: E402

CASES = (("grinchmas", "greedy", 4), ("vacation", "cautious", 4), ("crocs", "builder", 4))
AHEAD = (
    ("grinchmas", ["lookahead"], 4),
    ("vacation", ["lookahead", *["racer"] * 3], 4),
    ("crocs", ["lookahead", *["opportunist"] * 3], 4),
    ("pig", ["lookahead", "hold"], 2),
    ("orchard", ["lookahead"], 2),
)
AHEAD_PLAYOUTS = 8
PLAYOUTS = 60_000
WORKER_PLAYOUTS = 300_000
CLUSTER_PLAYOUTS = 3_000_000
SEED = 1
SIMULATE = (sys.executable, "-m", "simulator")


def in_turn(first: Callable[[], Any], second: Callable[[], Any], pairs: int) -> tuple[list[float], list[float]]:
    """Seconds of each call, run in turn; one call of each beforehand is not counted."""
    times: tuple[list[float], list[float]] = ([], [])
    for count in range(pairs + 1):
        for function, seconds in zip((first, second), times, strict=True):
            start = time.perf_counter()
            function()
            if count:
                seconds.append(time.perf_counter() - start)
    return times


def compared(names: tuple[str, str], seconds: tuple[list[float], list[float]], playouts: int) -> dict[str, Any]:
    """Median rates, and the median of the ratios of neighbours."""
    ratios = [b / a for a, b in zip(*seconds, strict=True)]
    rates = {f"{name}_per_s": playouts / statistics.median(s) for name, s in zip(names, seconds, strict=True)}
    return {**rates, "ratio": statistics.median(ratios), "ratio_range": [min(ratios), max(ratios)], "pairs": len(ratios)}


def bench_kernel(pairs: int) -> dict[str, Any]:
    """The kernel against the plain C twin, one thread each; their rows are compared first."""
    from twin import build, compiler  # noqa: PLC0415  stands beside the twins

    if compiler() is None:
        return {"skipped": "there is no gcc to build the twins with"}
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for game, strategy, players in CASES:
            asked = make_experiment(game, players=players, strategies=[strategy])
            table, twin = Table(asked.game, asked.rules, asked.lineup), build(game, Path(folder))
            rows, twin_rows = (np.zeros((PLAYOUTS, len(asked.metrics)), np.int32) for _ in range(2))
            control, seats = np.zeros(3, np.int64), [strategy] * players
            seconds = in_turn(
                lambda table=table, rows=rows, control=control: table.play(SEED, 0, rows, control),
                lambda twin=twin, asked=asked, seats=seats, rows=twin_rows: twin.play(asked.rules, seats, SEED, 0, rows),
                pairs,
            )
            if not (rows == twin_rows).all():
                sys.exit(f"{game}: kernel and twin do not agree; the figures would mean nothing")
            found[f"{game}, {strategy}, {players} players"] = compared(("kernel", "twin"), seconds, PLAYOUTS)
    return found


def bench_lookahead(pairs: int) -> dict[str, Any]:
    """Milliseconds of a playout in which one seat, or a cooperative game's whole table, thinks ahead with 64 rollouts; one thread."""
    found = {}
    for game, strategy, players in AHEAD:
        asked = make_experiment(game, players=players, strategies=strategy)
        table, control = Table(asked.game, asked.rules, asked.lineup), np.zeros(3, np.int64)
        rows = np.zeros((AHEAD_PLAYOUTS, len(asked.metrics)), np.int32)
        table.play(SEED, 0, rows[:1], control)
        seconds = []
        for turn in range(pairs):
            start = time.perf_counter()
            table.play(SEED, turn * AHEAD_PLAYOUTS, rows, control)
            seconds.append(time.perf_counter() - start)
        milliseconds = [1000 * s / AHEAD_PLAYOUTS for s in seconds]
        median, ends = statistics.median(milliseconds), [min(milliseconds), max(milliseconds)]
        found[f"{game}, {players} players, {' and '.join(strategy)}"] = {"ms_per_playout": median, "range": ends}
    return found


def bench_workers(pairs: int) -> dict[str, Any]:
    """Two workers against one, as they are used: with a ledger that is filled, and told how far they are."""
    asked = make_experiment("grinchmas", strategies=["greedy"])

    def play(workers: int) -> None:
        with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "ledger.sqlite") as ledger:
            run_experiment(asked, WORKER_PLAYOUTS, workers=workers, ledger=ledger, progress=lambda _done, _tally: None)

    seconds = in_turn(lambda: play(2), lambda: play(1), pairs)
    return {"grinchmas, greedy, 4 players": compared(("two_workers", "one_worker"), seconds, WORKER_PLAYOUTS)}


def bench_cluster(pairs: int) -> dict[str, Any]:
    """Two threads against two processes of a cluster, on enough playouts for tasks of a second; what the ratio lacks is overhead."""
    from simulator.cluster import Cluster, silence  # noqa: PLC0415  needs Dask

    asked = make_experiment("grinchmas", strategies=["greedy"])
    with Cluster("local:2") as cluster:
        silence()
        seconds = in_turn(
            lambda: run_experiment(asked, CLUSTER_PLAYOUTS, workers=cluster),
            lambda: run_experiment(asked, CLUSTER_PLAYOUTS, workers=2),
            pairs,
        )
    return {"grinchmas, greedy, 4 players": compared(("two_processes", "two_threads"), seconds, CLUSTER_PLAYOUTS)}


def seconds_of(arguments: list[str], **environment: str) -> float:
    """Wall time of one command."""
    start = time.perf_counter()
    subprocess.run([*SIMULATE, *arguments], check=True, capture_output=True, env={**os.environ, **environment}, cwd=ROOT)
    return time.perf_counter() - start


def bench_command(pairs: int) -> dict[str, Any]:
    """How soon the command answers: the help, a warm short run, and the first run ever."""
    warm = ["grinchmas", "--games", "1e4"]
    seconds_of(warm)
    with tempfile.TemporaryDirectory() as folder:
        first = seconds_of(warm, LUDOMETER_CACHE=folder)
    return {
        "help_s": statistics.median(seconds_of(["--help"]) for _ in range(pairs)),
        "warm_1e4_games_s": statistics.median(seconds_of(warm) for _ in range(pairs)),
        "first_run_s": first,
    }


_PEAK = """
import resource, sys
from simulator import run
run("grinchmas", games=int(float(sys.argv[1])), strategies=["uniform"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def bench_memory(_pairs: int) -> dict[str, Any]:
    """Peak memory of a process that plays 1e6 and 2e7 playouts, in MB."""
    peaks = {}
    for games in ("1e6", "2e7"):
        done = subprocess.run([sys.executable, "-c", _PEAK, games], check=True, capture_output=True, text=True, cwd=ROOT)
        peaks[f"peak_mb_{games}"] = float(done.stdout)
    return peaks


BENCHES: dict[str, Callable[[int], dict[str, Any]]] = {
    "kernel": bench_kernel,
    "lookahead": bench_lookahead,
    "workers": bench_workers,
    "cluster": bench_cluster,
    "command": bench_command,
    "memory": bench_memory,
}


def shown(value: Any) -> str:
    """A figure with as many digits as it deserves."""
    if isinstance(value, list):
        return " to ".join(shown(v) for v in value)
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"  # noqa: PLR2004  rates against ratios and seconds
    return str(value)


def print_figures(figures: dict[str, Any], indent: str = "") -> None:
    """Names and figures, nested ones below their heading."""
    for name, value in figures.items():
        if isinstance(value, dict):
            print(f"{indent}{name}")
            print_figures(value, indent + "  ")
        else:
            print(f"{indent}{name:24s} {shown(value)}")


def main() -> None:
    """Run the benches asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--pairs", type=int, default=7, help="how often each pair is run (default 7)")
    parser.add_argument("--only", nargs="+", choices=BENCHES, default=list(BENCHES), help="which benches")
    options = parser.parse_args()
    figures = {name: BENCHES[name](options.pairs) for name in options.only}
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        print_figures(figures)


if __name__ == "__main__":
    main()
