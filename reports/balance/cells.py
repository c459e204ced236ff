"""What the tables of all chapters share: an estimate in a cell, and metrics against runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reports import frames
from reports.words import Line, coarse, lines_of
from simulator.document.chapters import Cell, Table
from simulator.document.figures import CELL, known
from simulator.document.language import clean
from simulator.play.run import Result
from simulator.stats.estimate import none_seen


def estimate_cell(line: Line | None) -> Cell:
    """An estimate with one decimal more than a sentence would have, above its interval."""
    if line is None:
        return Cell.of(line)
    share = line.kind == "share"
    shown = Cell.of(line, coarse(line, replace(CELL, more=0) if share and not 0 < line.best < 1 else CELL))
    if not known(line):
        return shown
    if share and (rare := none_seen(line.best, line.high, line.n, sequential=getattr(line, "sequential", False))):
        return replace(shown, small=rare)
    return replace(shown, small="in every game") if line.low == line.high else shown


def estimates_table(results: Sequence[Result], metrics: Sequence[str], title: str, note: str, name: str) -> Table:
    """Metrics as rows, runs as columns, each estimate above its interval."""
    lines = {(line.run, line.metric): line for line in lines_of(frames.estimated(results))}
    runs = frames.run_names(results)
    declared = {m.name: m for r in results for m in r.experiment.metrics}
    rows = []
    for metric in (declared[each] for each in metrics):
        unit = "percent of games" if metric.kind == "share" else metric.unit
        about = f"{metric.description} " if metric.description else ""
        first = Cell(clean(metric.label), f"{about}Unit: {unit}. Name: {metric.name}.")
        rows.append((first, *(estimate_cell(lines.get((run, metric.name))) for run in runs)))
    return Table(title, note, ("Metric", *runs), tuple(rows), frozenset(range(1, len(runs) + 1)), ("", *runs), name=name)
