"""Pig, hold at 20, two players: this kernel, plain C, and OpenSpiel where it is installed, played in turn.

Plain C comes twice: with the draws of this program, and with a generator that is carried along. All have to agree with the
exact share of games that the first player wins before any rate is printed, and with the same draws on every winner.

Usage: python scripts/bench_peers.py [--json] [--pairs 5]        (OpenSpiel: pip install open_spiel)
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from simulator.play.run import make_experiment
from simulator.play.table import Table
from simulator.studies.anchors import ANCHORS

HERE = Path(__file__).resolve().parent
ANCHOR = "Pig, both hold at 20 or goal, first wins"
EXACT = next(anchor.exact for anchor in ANCHORS if anchor.name == ANCHOR)
HOLD_AT, GOAL = 20, 100
FARTHEST_Z = 5.0
SAME_DRAWS = "plain C, same draws"


@dataclass(frozen=True)
class Peer:
    """A program that plays.

    Attributes:
        name: what it is.
        playouts: how many it plays in a turn.
        play: plays that many, and returns how many the first player won.
    """

    name: str
    playouts: int
    play: Callable[[int], int]


def kernel() -> Peer:
    """This program's kernel, one thread."""
    asked = make_experiment("pig", players=2, strategies=[f"hold:at={HOLD_AT}"])
    table = Table(asked.game, asked.rules, asked.lineup)
    playouts = 400_000
    rows, control = np.zeros((playouts, len(asked.metrics)), np.int32), np.zeros(3, np.int64)
    column = [m.name for m in asked.metrics].index("wins.0")

    def play(seed: int) -> int:
        table.play(seed, 0, rows, control)
        return int(rows[:, column].sum())

    return Peer("kernel", playouts, play)


def plain_c(folder: Path, name: str, source: str, playouts: int) -> Peer | None:
    """A loop in C without functions to call; None without gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    library = folder / f"{source}.so"
    options = ["-O3", "-march=native", "-shared", "-fPIC", f"-I{HERE.parent / 'tests' / 'twins'}"]
    subprocess.run([gcc, *options, str(HERE / "peers" / f"{source}.c"), "-o", str(library)], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.first_wins.restype = ctypes.c_int64
    return Peer(name, playouts, lambda seed: int(loaded.first_wins(ctypes.c_uint64(seed), ctypes.c_int64(playouts))))


def open_spiel() -> Peer | None:
    """OpenSpiel's Pig, driven from Python as its documentation does; None where it is not installed."""
    if find_spec("pyspiel") is None:
        return None
    import pyspiel  # noqa: PLC0415  # type: ignore[import-not-found]  # only where it is installed

    game = pyspiel.load_game("pig", {"players": 2, "winscore": GOAL, "horizon": 100_000})
    playouts = 2_000

    def play(seed: int) -> int:
        return sum(_play_open_spiel(game, random.Random(f"{seed} {i}")) for i in range(playouts))  # noqa: S311  a game, no secret

    return Peer("OpenSpiel", playouts, play)


def _play_open_spiel(game: Any, chance: random.Random) -> bool:
    """One playout; whether the first player won."""
    roll, stop = 0, 1
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
            continue
        seat = state.current_player()
        numbers = [int(word) for word in str(state).replace(",", " ").replace(":", " ").split() if word.isdigit()]
        scores, total = numbers[:2], numbers[2]
        state.apply_action(stop if total >= HOLD_AT or scores[seat] + total >= GOAL else roll)
    won: bool = state.returns()[0] > 0
    return won


def measured(peers: list[Peer], pairs: int) -> dict[str, Any]:
    """Rates of all peers, played in turn, and the kernel's ratio to each."""
    seconds: dict[str, list[float]] = {peer.name: [] for peer in peers}
    wins = dict.fromkeys(seconds, 0)
    for seed in range(pairs + 1):
        for peer in peers:
            start = time.perf_counter()
            won = peer.play(seed + 1)
            if seed:
                seconds[peer.name].append(time.perf_counter() - start)
                wins[peer.name] += won
    for peer in peers:
        n = pairs * peer.playouts
        z = (wins[peer.name] / n - EXACT) / math.sqrt(EXACT * (1 - EXACT) / n)
        if abs(z) > FARTHEST_Z:
            sys.exit(
                f"{peer.name} does not play the same game: the first player wins {wins[peer.name] / n:.5f}, not {EXACT} (z = {z:+.1f})"
            )
    rates = {peer.name: peer.playouts / statistics.median(seconds[peer.name]) for peer in peers}
    first = peers[0].name
    shares = {peer.name: wins[peer.name] / (pairs * peer.playouts) for peer in peers}
    return {
        "exact": EXACT,
        "first_wins": shares,
        "playouts_per_s": rates,
        "kernel_ratio": {name: rates[first] / rate for name, rate in rates.items() if name != first},
    }


def main() -> None:
    """Play all peers there are and print what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--pairs", type=int, default=5, help="how often each plays (default 5)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours = kernel()
        same_draws = plain_c(Path(folder), SAME_DRAWS, "pig_addressed", ours.playouts)
        if same_draws is not None and same_draws.play(1) != ours.play(1):
            sys.exit(f"{SAME_DRAWS} and the kernel do not have the same winners; the figures would mean nothing")
        others = (same_draws, plain_c(Path(folder), "plain C, PCG32", "pig", 1_000_000), open_spiel())
        peers = [ours, *(peer for peer in others if peer is not None)]
        figures = measured(peers, options.pairs)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    for name, rate in figures["playouts_per_s"].items():
        ratio = figures["kernel_ratio"].get(name)
        against = f"   kernel: {ratio:,.2f} times" if ratio else ""
        print(f"{name:20s} {rate:14,.0f} playouts/s   first wins {figures['first_wins'][name]:.4f} (exact {EXACT}){against}")


if __name__ == "__main__":
    main()
