"""How often the intervals that reports show hold the truth, counted over real playouts: `python scripts/coverage.py`.

Many playouts of a game stand for all there are: their mean is the truth. Out of them runs of n games are drawn, with
replacement, and the intervals that such a run would show are counted. `--write docs/trust.md` puts the table where the
document has it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.play.executors import BatchPlayer
from simulator.play.experiment import Batch
from simulator.play.nested import watch_playouts
from simulator.play.run import make_experiment
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_advantage, estimate_metric
from simulator.stats.paired import pair_rows, reaches
from simulator.stats.tally import Histogram
from simulator.studies.anchors import DRAMA_ANCHORS
from simulator.studies.curves import curve_of
from simulator.studies.drama import Drama, DramaStudy

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.experiment import Experiment

Rows = np.ndarray[Any, np.dtype[np.int32]]
Picked = np.ndarray[Any, np.dtype[np.int64]]

BEGIN, END = "<!-- coverage: python scripts/coverage.py --write docs/trust.md -->", "<!-- end of coverage -->"
PLAYOUTS, RUNS, SEED = 400_000, 1000, 1
SIZES = (50, 200, 2000, 20_000)

WATCHED, FEWEST_RUNS, DRAMA_RUNS = 2_000, 10, 300
"""Playouts that are watched for `drama`; the least number of runs that they have to be enough for; and runs of each size."""


@dataclass(frozen=True)
class Line:
    """How often the intervals of one figure held the truth.

    Attributes:
        game, players: what was played.
        what: the figure.
        truth: its mean over all playouts.
        held: games in a run to the share of such runs whose interval held the truth.
    """

    game: str
    players: int
    what: str
    truth: float
    held: dict[int, float]

    def text(self, sizes: Sequence[int]) -> str:
        """A line of the table in Markdown, with a dash for sizes of which no runs were drawn."""
        shares = " | ".join(f"{100 * self.held[games]:.1f}%" if games in self.held else "\N{EN DASH}" for games in sizes)
        return f"| {self.game} | {self.players} | {self.what} | {self.truth:.4g} | {CONFIDENCE:.0%} | {shares} |"


@dataclass(frozen=True)
class Effort:
    """How much is counted.

    Attributes:
        playouts: those that stand for all there are.
        sizes: games in a run.
        runs: runs of each size.
    """

    playouts: int = PLAYOUTS
    sizes: tuple[int, ...] = SIZES
    runs: int = RUNS


def rows_of(experiment: Experiment, playouts: int) -> Rows:
    """The rows of many playouts, int32, shape (playouts, metrics)."""
    rows = BatchPlayer(experiment).rows(Batch(0, playouts), np.zeros(3, np.int64))
    assert rows is not None  # noqa: S101  nobody asked it to stop
    return rows


def counted(what: str, experiment: Experiment, truth: float, effort: Effort, interval: Callable[[Picked], Estimate]) -> Line:
    """How often the interval that `interval` makes of the playouts of a run holds the truth."""
    draw = np.random.default_rng(SEED)
    held = {}
    for games in effort.sizes:
        shown = [interval(draw.integers(0, effort.playouts, games)) for _ in range(effort.runs)]
        held[games] = sum(estimate.low <= truth <= estimate.high for estimate in shown) / effort.runs
    return Line(experiment.game.name, experiment.players, what, truth, held)


def histogram_of(values: Rows) -> Histogram:
    """How often each value occurs."""
    low = int(values.min())
    return Histogram(low, np.bincount(values - low)[:, np.newaxis].astype(np.int64))


def metrics(experiment: Experiment, rows: Rows, names: Sequence[str], effort: Effort) -> Iterator[Line]:
    """Shares and means, as `simulate GAME` shows them."""
    for m, metric in enumerate(experiment.metrics):
        if metric.name in names:
            values = np.ascontiguousarray(rows[:, m])

            def interval(picked: Picked, values: Rows = values, metric: Metric = metric) -> Estimate:
                return estimate_metric(metric, histogram_of(values[picked]))

            yield counted(f"`{metric.name}`", experiment, float(values.mean()), effort, interval)


def advantage(experiment: Experiment, rows: Rows, effort: Effort) -> Line:
    """By how much the first seat is ahead."""
    seats = experiment.players
    wins = rows[:, [m for m, metric in enumerate(experiment.metrics) if metric.name.startswith("wins.")]].astype(np.int64)
    first, won = np.ascontiguousarray(wins[:, 0]), wins.sum(axis=1)
    truth = float(first.mean() - won.mean() / seats)

    def interval(picked: Picked) -> Estimate:
        return estimate_advantage(int(first[picked].sum()), int(won[picked].sum()), len(picked), seats)

    return counted("first player's advantage", experiment, truth, effort, interval)


def differences(pair: Sequence[Experiment], rows: Sequence[Rows], change: str, names: Sequence[str], effort: Effort) -> Iterator[Line]:
    """What a change does, as `simulate compare` shows it."""
    reach = reaches(pair[0].metrics, pair[1].metrics)
    for m, metric in enumerate(pair[0].metrics):
        if metric.name in names:
            before, after = (np.ascontiguousarray(r[:, [m]]) for r in rows)

            def interval(picked: Picked, m: int = m, before: Rows = before, after: Rows = after, metric: Metric = metric) -> Estimate:
                return pair_rows(before[picked], after[picked], (metric.name,), [reach[m]]).difference(metric).estimate

            yield counted(f"`{metric.name}`, {change}", pair[0], float(after.mean() - before.mean()), effort, interval)


def grinchmas(effort: Effort) -> Iterator[Line]:
    """Merry Grinchmas: frequent and rare events, and a change that moves few playouts."""
    asked = make_experiment("grinchmas", players=4)
    changed = make_experiment("grinchmas", players=4, rules={"presents.copies": 9})
    rows = [rows_of(e, effort.playouts) for e in (asked, changed)]
    yield from metrics(asked, rows[0], ("grinch_wins", "turns", "declined", "empty_bag"), effort)
    yield from differences((asked, changed), rows, "`presents.copies` = 9", ("turns", "declined", "empty_bag"), effort)


def vacation(effort: Effort) -> Iterator[Line]:
    """Christmas Vacation."""
    asked = make_experiment("vacation", players=4)
    rows = rows_of(asked, effort.playouts)
    yield from metrics(asked, rows, ("wins.3", "turns", "losers.1_3", "drawing.1_2"), effort)
    yield advantage(asked, rows, effort)


def crocs(effort: Effort) -> Iterator[Line]:
    """Christmas Crocs."""
    asked = make_experiment("crocs", players=2)
    rows = rows_of(asked, effort.playouts)
    yield from metrics(asked, rows, ("won_by.grinch", "turns", "no_play", "reshuffles"), effort)
    yield advantage(asked, rows, effort)


def one_sided(effort: Effort) -> Iterator[Line]:
    """Pig, where a seat hardly ever wins."""
    asked = make_experiment("pig", players=2, strategies=["hold", "hold:at=1"])
    rows = rows_of(asked, effort.playouts)
    yield from metrics(asked, rows, ("wins.1",), effort)
    yield advantage(asked, rows, effort)


def drama(effort: Effort) -> Iterator[Line]:
    """How chances move in Pig, as `simulate drama` shows it; the truth is exact, and few playouts are watched, since it takes long."""
    (asked,) = DramaStudy.of("pig", players=2, strategies=["hold:at=20"], seed=SEED).plans
    pool = min(effort.playouts, WATCHED)
    curves = [curve_of(asked.experiment, one) for one in watch_playouts(asked.experiment, pool, asked.rollouts)]
    draw = np.random.default_rng(SEED)
    exact = {a.name: float(a.printed) for a in DRAMA_ANCHORS if a.players == asked.players}
    held: dict[str, dict[int, float]] = {name: {} for name in exact}
    for games in (n for n in effort.sizes if n * FEWEST_RUNS <= pool):
        picked = [tuple(curves[k] for k in draw.integers(0, pool, games)) for _ in range(min(effort.runs, DRAMA_RUNS))]
        shown = [Drama(asked, run, run[0], 0.0).estimates for run in picked]
        for name, truth in exact.items():
            held[name][games] = sum(e[name].low <= truth <= e[name].high for e in shown) / len(shown)
    for name, truth in exact.items():
        yield Line("pig", asked.players, f"`drama`, `{name}`", truth, held[name])


PARTS: tuple[Callable[[Effort], Iterator[Line]], ...] = (grinchmas, vacation, crocs, one_sided, drama)
"""What is counted; a study whose figures are to be counted as well is another one."""


def table(lines: Sequence[Line]) -> list[str]:
    """The lines as a table in Markdown."""
    sizes = lines[0].held
    head = "| game | players | figure | mean | nominal | " + " | ".join(f"{n:,} games" for n in sizes) + " |"
    return [head, "|---|---:|---|---:|---:|" + "---:|" * len(sizes), *(line.text(tuple(sizes)) for line in lines)]


def write(document: Path, lines: Sequence[str]) -> None:
    """Put the table between the markers of a document."""
    before, rest = document.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    document.write_text(f"{before}{BEGIN}\n{chr(10).join(lines)}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Play, count and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--playouts", type=float, default=PLAYOUTS, help=f"those that stand for all there are (default: {PLAYOUTS:,})")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs of each size (default: {RUNS:,})")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--write", type=Path, metavar="DOCUMENT", help="put the table into a document")
    options = parser.parse_args()
    effort = Effort(int(options.playouts), runs=options.runs)
    lines = [line for part in PARTS for line in part(effort)]
    if options.write is not None:
        write(options.write, table(lines))
    print(json.dumps([asdict(line) for line in lines], indent=2) if options.json else "\n".join(table(lines)))


if __name__ == "__main__":
    main()
