"""Long runs through a ledger in bounded memory, and what follows from their figures for 1e12 playouts.

Usage: python scripts/endurance.py [pig=1e9 grinchmas=2e8 ...] [--workers N] [--folder DIR] [--json] [--write docs/scale.md]

Each game is played in a process of its own, with a ledger in a temporary folder. Its memory is looked at after every tenth of
the run; then the same run is taken up again, so that everything comes from the ledger. With --write, the figures replace what
stands between the markers in a document. Nothing is asserted: machines differ.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any

from simulator.play.executors import Job, TallyWorker
from simulator.play.experiment import plan, plan_groups
from simulator.play.ledger import Ledger
from simulator.play.run import make_experiment, run_experiment

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = ("pig=1e9", "grinchmas=2e8")
PLAYERS = {"pig": 2}
STRATEGIES = {"grinchmas": "greedy"}
GOAL = 10**12
TRIALS = 500
MEGABYTE, GIGABYTE = 1e6, 1e9
HOUR_S = 3600.0
BEGIN, END = "<!-- figures: python scripts/endurance.py --write docs/scale.md -->", "<!-- end of figures -->"


def peak_mb() -> float:
    """Most memory this process has held so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def seconds_each(function: Any) -> float:
    """Mean time of a call."""
    start = time.perf_counter()
    for _ in range(TRIALS):
        function()
    return (time.perf_counter() - start) / TRIALS


def endure(game: str, games: int, workers: int | None, folder: Path) -> dict[str, Any]:
    """Play a game through a ledger and measure it."""
    strategies = [STRATEGIES[game]] if game in STRATEGIES else []
    asked = make_experiment(game, players=PLAYERS.get(game, 4), strategies=strategies)
    run_experiment(asked, asked.batch, workers=workers)  # compiles, and loads all there is to load
    job = Job(TallyWorker, (asked,))
    peaks: list[float] = []

    def progress(done: int, _tally: Any) -> None:
        if done * 10 >= games * (len(peaks) + 1):
            peaks.append(peak_mb())

    with Ledger(folder / f"{game}.sqlite") as ledger:
        result = run_experiment(asked, games, ledger=ledger, workers=workers, progress=progress)
        again = run_experiment(asked, games, ledger=ledger, workers=workers)
        rows = len(ledger.batches(job))
        part = ledger.recall(job, next(plan(games, asked.batch)))
    assert again.digest == result.digest  # noqa: S101  or the figures would mean nothing
    assert part is not None  # noqa: S101  the first batch is never part of a group
    with Ledger(folder / "kept.sqlite") as ledger:
        some = plan((TRIALS + 1) * asked.batch, asked.batch)
        keep_s = seconds_each(lambda: ledger.keep(job, next(some), part))
    size = sum(file.stat().st_size for file in folder.glob(f"{game}.sqlite*"))
    return {
        "players": asked.players,
        "strategy": asked.lineup[0].label,
        "playouts": games,
        "digest": result.digest,
        "batches": -(-games // asked.batch),
        "rows": rows,
        "playouts_per_s": games / result.elapsed_s,
        "peak_mb_after_tenths": peaks,
        "ledger_bytes": size,
        "bytes_per_row": size / rows,
        "playouts_per_gigabyte": games / size * GIGABYTE,
        "merge_s_per_batch": seconds_each(lambda: result.tally + part),
        "keep_s_per_batch": keep_s,
        "recall_s_per_row": again.elapsed_s / rows,
        "bytes_known_per_row": bytes_known(asked.batch),
        "batch": asked.batch,
    }


def bytes_known(batch: int) -> float:
    """Memory for knowing of a row that a ledger holds it."""
    count = 100_000
    tracemalloc.start()
    known = frozenset(plan(count * batch, batch))
    held = tracemalloc.get_traced_memory()[0] / len(known)
    tracemalloc.stop()
    return held


def extrapolated(figures: dict[str, Any]) -> dict[str, float]:
    """What 1e12 playouts would take, if everything goes on as it was measured."""
    batches = GOAL / figures["batch"]
    rows = sum(1 for _ in plan_groups(GOAL, figures["batch"]))
    collect_s = figures["merge_s_per_batch"] + figures["keep_s_per_batch"]
    return {
        "batches": batches,
        "rows": rows,
        "hours_here": GOAL / figures["playouts_per_s"] / HOUR_S,
        "hours_of_collecting": batches * collect_s / HOUR_S,
        "playouts_per_s_collected_at_most": figures["batch"] / collect_s,
        "machines_until_collecting_is_the_limit": figures["batch"] / collect_s / figures["playouts_per_s"],
        "ledger_megabytes": rows * figures["bytes_per_row"] / MEGABYTE,
        "megabytes_of_memory_to_go_on": rows * figures["bytes_known_per_row"] / MEGABYTE,
        "seconds_to_read_it_again": rows * figures["recall_s_per_row"],
    }


def in_a_process(game: str, games: int, workers: int | None, parent: Path | None) -> dict[str, Any]:
    """The figures of a game, measured in a process of its own."""
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        command = [sys.executable, __file__, f"{game}={games}", "--alone", folder, *(["--workers", str(workers)] if workers else [])]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    figures: dict[str, Any] = json.loads(done.stdout)
    return {**figures, "for_1e12": extrapolated(figures)}


def table(found: dict[str, dict[str, Any]]) -> list[str]:
    """The figures as a table in Markdown, one column per game."""
    lines = {
        "players": lambda f: f"{f['players']}",
        "strategy": lambda f: f"`{f['strategy']}`",
        "playouts": lambda f: f"{f['playouts']:,}",
        "batches": lambda f: f"{f['batches']:,}",
        "rows in the ledger": lambda f: f"{f['rows']:,}",
        "playouts per second": lambda f: f"{f['playouts_per_s']:,.0f}",
        "digest": lambda f: f"`{f['digest']}`",
        "peak memory after a tenth of them, MB": lambda f: f"{f['peak_mb_after_tenths'][0]:.0f}",
        "peak memory after all of them, MB": lambda f: f"{f['peak_mb_after_tenths'][-1]:.0f}",
        "to play one, microseconds": lambda f: f"{1e6 / f['playouts_per_s']:.3f}",
        "to add a batch to the others, ms": lambda f: f"{1e3 * f['merge_s_per_batch']:.3f}",
        "to keep a batch in the ledger, ms": lambda f: f"{1e3 * f['keep_s_per_batch']:.3f}",
        "to read a row of the ledger, ms": lambda f: f"{1e3 * f['recall_s_per_row']:.3f}",
        "a row of the ledger, bytes": lambda f: f"{f['bytes_per_row']:,.0f}",
        "playouts per gigabyte of ledger": lambda f: f"{f['playouts_per_gigabyte']:.2g}",
        "memory to know of a row, bytes": lambda f: f"{f['bytes_known_per_row']:.0f}",
        "**1e12:** batches": lambda f: f"{f['for_1e12']['batches']:,.0f}",
        "**1e12:** hours to play on this machine": lambda f: f"{f['for_1e12']['hours_here']:,.0f}",
        "**1e12:** hours to collect, with any number of machines": lambda f: f"{f['for_1e12']['hours_of_collecting']:,.1f}",
        "playouts per second that one process collects at most": lambda f: f"{f['for_1e12']['playouts_per_s_collected_at_most']:,.0f}",
        "machines like this one that it can keep up with": lambda f: f"{f['for_1e12']['machines_until_collecting_is_the_limit']:,.0f}",
        "**1e12:** rows in the ledger": lambda f: f"{f['for_1e12']['rows']:,.0f}",
        "**1e12:** ledger, MB": lambda f: f"{f['for_1e12']['ledger_megabytes']:,.0f}",
        "**1e12:** memory to take it up again, MB": lambda f: f"{f['for_1e12']['megabytes_of_memory_to_go_on']:,.0f}",
        "**1e12:** seconds to read it again": lambda f: f"{f['for_1e12']['seconds_to_read_it_again']:,.0f}",
    }
    head = ["| | " + " | ".join(found) + " |", "|---|" + "---:|" * len(found)]
    return [*head, *(f"| {name} | " + " | ".join(show(f) for f in found.values()) + " |" for name, show in lines.items())]


def write(document: Path, lines: list[str]) -> None:
    """Put the table between the markers of a document."""
    before, rest = document.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    document.write_text(f"{before}{BEGIN}\n{chr(10).join(lines)}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Play the games asked for and print what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME=PLAYOUTS", help=f"default: {' '.join(DEFAULT)}")
    parser.add_argument("--workers", type=int, help="threads (default: all processors)")
    parser.add_argument("--folder", type=Path, help="where the ledgers are put while they are needed (default: the temporary folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--write", type=Path, metavar="DOCUMENT", help="put the table into a document")
    parser.add_argument("--alone", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    asked = {game: int(float(games)) for game, _, games in (text.partition("=") for text in options.games or DEFAULT)}
    if options.alone is not None:
        ((game, games),) = asked.items()
        print(json.dumps(endure(game, games, options.workers, options.alone)))
        return
    found = {game: in_a_process(game, games, options.workers, options.folder) for game, games in asked.items()}
    lines = [*table(found), "", f"Measured with {options.workers or os.cpu_count()} threads on {os.cpu_count()} processors."]
    if options.write is not None:
        write(options.write, lines)
    print(json.dumps(found, indent=2) if options.json else "\n".join(lines))


if __name__ == "__main__":
    main()
