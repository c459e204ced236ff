"""What the terminal shows: tables on stdout, notes and progress on stderr."""

from __future__ import annotations

import contextlib
import json
import math
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from simulator.estimate import Estimate
    from simulator.game import Metric
    from simulator.run import Progress, Result

_REFRESH_S = 0.5


def note(sentence: str) -> None:
    """A remark on stderr."""
    click.echo(f"Note: {sentence}", err=True)


def print_json(document: Any) -> None:
    """Exactly one JSON document on stdout."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def console() -> Console:
    """Where tables go."""
    from rich.console import Console  # noqa: PLC0415  only where a table is shown

    return Console(highlight=False)


def new_table(*columns: str, title: str | None = None, right: Sequence[int] = ()) -> Table:
    """An empty table in the one style of this program; columns in `right` are aligned to the right."""
    from rich import box  # noqa: PLC0415  only where a table is shown
    from rich.table import Table  # noqa: PLC0415

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, padding=(0, 1, 0, 0), title_style="bold")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i in right else "left", overflow="fold")
    return table


def add_row(table: Table, *cells: str) -> None:
    """Add cells as they are: square brackets in them are no markup."""
    from rich.text import Text  # noqa: PLC0415  only where a table is shown

    table.add_row(*(Text(cell) for cell in cells))


def decimals(half_width: float) -> int:
    """How many decimals an interval of this half-width deserves: the first digit in which its ends differ.

    >>> decimals(0.07), decimals(3.0), decimals(0.0)
    (2, 0, 2)
    """
    if not math.isfinite(half_width) or half_width <= 0:
        return 2
    return min(8, max(0, math.ceil(-math.log10(half_width))))


def estimate_text(estimate: Estimate, separator: str = " ") -> str:
    """Best value and interval; shares as percent."""
    factor = 100 if estimate.unit == "share" else 1
    best, low, high = (x * factor for x in (estimate.best, estimate.low, estimate.high))
    percent = "%" if factor > 1 else ""
    if not math.isfinite(high - low):
        return f"{best:.2f}{percent}{separator}(one playout)"
    places = decimals((high - low) / 2)
    to = "\N{EN DASH}" if low >= 0 else " to "
    return f"{best:.{places}f}{percent}{separator}{low:.{places}f}{to}{high:.{places}f}"


def results_tables(results: Sequence[Result], metrics: Sequence[str], width: int) -> Iterator[Table]:
    """One line per number of players, one column per metric, each with its interval; several tables where the width asks for it."""
    known = {m.name: m for r in results for m in r.experiment.metrics}
    first = ("Players", *(str(r.experiment.players) for r in results))
    room = width - len(first[0]) - 2
    columns = [_column(known[name], results, room) for name in metrics]
    if _how_many_fit(columns, room) < len(columns):
        columns = [_column(known[name], results, _NARROW_HEADING) for name in metrics]
    while columns:
        n = _how_many_fit(columns, room)
        shown, columns = [first, *columns[:n]], columns[n:]
        table = new_table(*(column[0] for column in shown), right=range(len(shown)))
        for cells in zip(*(column[1:] for column in shown), strict=True):
            add_row(table, *cells)
        yield table


def _column(metric: Metric, results: Sequence[Result], heading_width: int) -> tuple[str, ...]:
    """Heading and cells of one metric; the heading is broken where it is wider than `heading_width` and than the cells."""
    cells = [estimate_text(r.estimates[metric.name], "\n") if metric.name in r.estimates else "-" for r in results]
    room = max(heading_width, *(_width(cell) for cell in cells))
    heading = textwrap.wrap(metric.label, room)
    if metric.unit != "share" and metric.unit.lower() != metric.label.lower():
        heading += textwrap.wrap(f"({metric.unit})", room)
    return "\n".join(heading), *cells


def _width(cell: str) -> int:
    return max(len(line) for line in cell.split("\n"))


def _how_many_fit(columns: Sequence[tuple[str, ...]], width: int) -> int:
    """How many of the columns stand side by side; one at least."""
    needed = accumulate(2 + max(_width(cell) for cell in column) for column in columns)
    return max(1, sum(end <= width for end in needed))


_NARROW_HEADING = 12


def best_text(estimate: Estimate, difference: Estimate) -> str:
    """A best value with as many decimals as the difference that goes with it."""
    factor = 100 if estimate.unit == "share" else 1
    places = decimals(factor * (difference.high - difference.low) / 2)
    return f"{factor * estimate.best:.{places}f}{'%' if factor > 1 else ''}"


def difference_text(difference: Estimate) -> str:
    """A difference and its interval; between shares in percentage points."""
    factor = 100 if difference.unit == "share" else 1
    best, low, high = (factor * x for x in (difference.best, difference.low, difference.high))
    if low == high == 0:
        return "none"
    places = decimals((high - low) / 2)
    best, low, high = (round(x, places) + 0.0 for x in (best, low, high))  # a zero has no minus sign
    return f"{best:+.{places}f}\n{low:+.{places}f} to {high:+.{places}f}"


def advantage_text(estimate: Estimate) -> str:
    """What it is worth to go first, in percentage points."""
    best, low, high = (100 * x for x in (estimate.best, estimate.low, estimate.high))
    if not math.isfinite(high - low):
        return f"seat 0 wins {best:+.2f} points more than an equal share (one playout)"
    places = decimals((high - low) / 2)
    return f"seat 0 wins {best:+.{places}f} points more than an equal share ({low:+.{places}f} to {high:+.{places}f})"


@contextlib.contextmanager
def compiling_note() -> Iterator[None]:
    """Say on stderr that the game is being compiled, should that turn out to be necessary."""
    from numba.core import event  # noqa: PLC0415  importing Numba takes a third of a second

    from simulator.kernel.jit import cache_root  # noqa: PLC0415

    class Announce(event.Listener):  # type: ignore[misc]  # Numba has no types
        said = False

        def on_start(self, event: Any) -> None:
            del event
            if not self.said:
                self.said = True
                kept = "once" if cache_root() is not None else "anew each time, since no folder for it can be written; set LUDOMETER_CACHE"
                note(f"Compiling for this machine; this happens {kept}.")

        def on_end(self, event: Any) -> None:
            del event

    with event.install_listener("numba:compile", Announce()):
        yield


@contextlib.contextmanager
def progress_bar(label: str, games: int, metric: Metric) -> Iterator[Progress | None]:
    """A bar with rate, time left and the interval so far; nothing when stderr is no terminal."""

    def interval_so_far(done: int, tally: Any) -> str:
        from simulator.estimate import estimate_share  # noqa: PLC0415  only where a bar is shown

        return f"{metric.label} {estimate_text(estimate_share(tally[metric.name].moments()[0], done))}"

    with _bar(label, games, interval_so_far) as update:
        yield update


@contextlib.contextmanager
def counting_bar(label: str, total: int) -> Iterator[Callable[[int, Any], None] | None]:
    """A bar with rate and time left; nothing when stderr is no terminal."""
    with _bar(label, total, lambda _done, _part: "") as update:
        yield update


@contextlib.contextmanager
def _bar(label: str, total: int, state: Callable[[int, Any], str]) -> Iterator[Callable[[int, Any], None] | None]:
    """A bar to be told what is done, and what came of it; None at the start, when the clock begins."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415  only where a bar is shown
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[state]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total, state="")
        start = shown = time.monotonic()

        def update(done: int, part: Any) -> None:
            nonlocal start, shown
            now = time.monotonic()
            if part is None:
                start = shown = now
                return
            if now - shown < _REFRESH_S and done < total:
                return
            shown = now
            bar.update(task, completed=done, state=f"{done / max(now - start, 1e-9):,.0f}/s  {state(done, part)}")

        yield update
