"""The balance report: one HTML document that needs nothing but itself."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports import frames, words
from reports.charts import Chart, charts
from reports.pictures import NARROW, WIDE, slug, svg
from reports.style import css_variables
from simulator.estimate import intervals_named
from simulator.files import write_bytes
from simulator.rules import constants, plausible_text, to_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from simulator.game import Game
    from simulator.run import Result


@dataclass(frozen=True)
class Cell:
    """An estimate in the table: `best`, and the interval below it; both empty where a run has no such metric."""

    best: str = ""
    interval: str = ""


@dataclass(frozen=True)
class Row:
    """A metric in the table, with a cell for each run."""

    label: str
    unit: str
    name: str
    description: str
    headline: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Rule:
    """A rule constant in the table; `shipped` is empty unless some run changed it."""

    key: str
    value: str
    shipped: str
    unit: str
    source: str
    note: str
    plausible: str
    description: str


def page(results: frames.Results, command: str | None = None) -> str:
    """The balance report on results of one game, usually one for each number of players.

    The document carries its style and its charts in itself and runs no script. It is the same for the same results and
    the same day; the environment variable SOURCE_DATE_EPOCH sets the day.

    Args:
        results: one result or several.
        command: the command line that made them, if one did.

    Raises:
        UserError: there is no result, or they are of several games.
    """
    listed = frames.of_one_game(results)
    return environment().get_template("report.html").render(content(listed), command=command)


def write_page(path: str | Path, results: frames.Results, command: str | None = None) -> Path:
    """Write `page(results, command)` to a file, whole or not at all.

    Raises:
        UserError: as `page`, or the file cannot be written.
    """
    return write_bytes(path, page(results, command).encode("utf-8", "backslashreplace"))


@cache
def environment() -> Environment:
    """Jinja with everything escaped that is not known to be safe, and an error for every name that is missing."""
    loader = PackageLoader("reports", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def content(results: Sequence[Result]) -> dict[str, Any]:
    """What the template shows."""
    game = results[0].experiment.game
    drawn = list(charts(results))
    return {
        "game": game,
        "finding": drawn[0].words.title,
        "sentences": sentences(results),
        "played": played(results),
        "warnings": warnings(results),
        "figures": [inline(chart) for chart in drawn],
        "runs": frames.run_names(results),
        "rows": rows(results),
        "rules": rules(results),
        "assumed": [c.key for c in constants(results[0].experiment.rules) if c.source == "assumed"],
        "made": made(results),
        "facts": facts(results),
        "intervals": intervals_named(cooperative=game.cooperative, sequential=any(r.precision is not None for r in results)),
        "light": Markup(css_variables(dark=False)),  # noqa: S704  our own colours
        "dark": Markup(css_variables(dark=True)),  # noqa: S704
    }


def inline(chart: Chart) -> dict[str, Any]:
    """A chart as the template shows it: twice, for wide and for narrow screens."""
    name = slug(chart.name)
    return {
        "name": name,
        "words": chart.words,
        "wide": Markup(svg(chart, WIDE, f"{name}-wide")),  # noqa: S704  Matplotlib and ElementTree have escaped the text in it
        "narrow": Markup(svg(chart, NARROW, f"{name}-narrow")),  # noqa: S704
    }


def sentences(results: Sequence[Result]) -> list[str]:
    """The verdict of each run in plain words."""
    table, opening = frames.estimated(results), frames.verdict(results)
    opening = opening[opening["opens"]]
    return [
        words.sentence(table[table["run"] == run], opening[opening["run"] == run]) + words.advantage(result.first_player_advantage)
        for run, result in zip(frames.run_names(results), results, strict=True)
    ]


def played(results: Sequence[Result]) -> list[str]:
    """Who sat at the table, and by which rules, where it is not what the game ships with."""
    game = results[0].experiment.game
    texts = dict.fromkeys(frames.seats_text(r) for r in results)
    told = [f"Every seat is played by {frames.clean(t)}." if ", " not in t else f"Seats are played by {frames.clean(t)}." for t in texts]
    if any(player.label != game.default_strategy for r in results for player in r.experiment.lineup):
        told.append(f"The game's default strategy is {game.default_strategy}.")
    altered = [c for r in results for c in constants(r.experiment.rules) if c.changed]
    changed = dict.fromkeys(f"{c.key} is {to_text(c.value)} (shipped: {to_text(c.default)})" for c in altered)
    told.append(f"The rules differ from those shipped: {'; '.join(changed)}." if changed else "The rules are those shipped with the game.")
    return told


def warnings(results: Sequence[Result]) -> list[str]:
    """What a reader must know before believing the numbers."""
    told = [words.unfinished(frames.estimated(results))]
    told += [
        f"The run with {run} was interrupted after {r.games:,} of {r.asked:,} playouts; what it shows rests on those."
        for run, r in zip(frames.run_names(results), results, strict=True)
        if r.interrupted
    ]
    every = constants(results[0].experiment.rules)
    assumed = sum(c.source == "assumed" for c in every)
    if assumed:
        told.append(f"Assumed constants: {assumed} of {len(every)}. The rulebook does not print them; other values may turn the verdict.")
    return [text for text in told if text] + list(dict.fromkeys(note for r in results for note in r.experiment.rules.notes()))


def rows(results: Sequence[Result]) -> list[Row]:
    """The table of estimates: every metric of any run, in the order of the game."""
    table = frames.estimated(results)
    found = {(line.run, line.metric): line for line in words.lines_of(table)}
    runs = frames.run_names(results)
    most = sorted(results, key=lambda r: -len(r.experiment.metrics))
    metrics = {m.name: m for r in most for m in r.experiment.metrics}
    return [
        Row(
            metric.label,
            "percent of games" if metric.kind == "share" else metric.unit,
            name,
            metric.description,
            metric.headline,
            tuple(cell(found.get((run, name))) for run in runs),
        )
        for name, metric in metrics.items()
    ]


def cell(line: words.Line | None) -> Cell:
    """An estimate with one decimal more than a sentence would have."""
    if line is None:
        return Cell("\N{EN DASH}")
    digits = words.digits_of(line, 1)
    sign = "%" if line.kind == "share" else ""
    best = f"{words.figures(line, digits)[0]}{sign}"
    if not words.known(line):
        return Cell(best, "interval unknown")
    return Cell(best, "in every game" if line.low == line.high else words.ends(line, digits))


def rules(results: Sequence[Result]) -> list[Rule]:
    """The table of rule constants; where runs differ, the value of each."""
    runs = frames.run_names(results)
    lists = [constants(r.experiment.rules) for r in results]
    table = []
    for same in zip(*lists, strict=True):
        first, values = same[0], [to_text(c.value) for c in same]
        value = values[0] if len(set(values)) == 1 else "; ".join(f"{v} with {run}" for v, run in zip(values, runs, strict=True))
        shipped = to_text(first.default) if any(c.changed for c in same) else ""
        table.append(Rule(first.key, value, shipped, first.unit, first.source, first.note, plausible_text(first), first.description))
    return table


def made(results: Sequence[Result]) -> list[dict[str, str]]:
    """How each run was made."""
    return [
        {
            "run": run,
            "strategies": frames.clean(frames.strategies_text(r)),
            "seed": str(r.experiment.seed),
            "playouts": f"{r.games:,}",
            "unfinished": f"{r.unfinished:,}",
            "digest": r.digest,
            "experiment": r.experiment.id,
            "elapsed": f"{r.elapsed_s:.2f} s",
        }
        for run, r in zip(frames.run_names(results), results, strict=True)
    ]


def facts(results: Sequence[Result]) -> list[tuple[str, str]]:
    """What else made the numbers: game, versions, processor and day."""
    return versions(results[0].experiment.game)


def versions(game: Game | None) -> list[tuple[str, str]]:
    """Game, if there is one, versions and day."""
    return [
        *([("Game", f"{game.title} ({game.name}), version {game.version}")] if game else []),
        *((name, installed(name)) for name in ("ludometer", "numba", "numpy")),
        ("python", platform.python_version()),
        ("Date", day().strftime("%Y-%m-%d")),
    ]


def installed(name: str) -> str:
    """Version of an installed distribution."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def day() -> datetime:
    """Today, or the day that SOURCE_DATE_EPOCH names; see reproducible-builds.org."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
