"""The balance report: one HTML document that needs nothing but itself."""

from __future__ import annotations

import os
import platform
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports import balance, frames, words
from reports.charts import Chart, charts
from reports.pictures import NARROW, WIDE, svg
from reports.style import css_variables
from reports.tables import slug, write_tables
from reports.unprinted import beyond_the_box
from simulator.document.chapters import RULES_THAT_MATTER
from simulator.document.language import clean
from simulator.files import write_bytes
from simulator.rules import constants, to_text
from simulator.stats.estimate import intervals_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from simulator.document.chapters import Chapter
    from simulator.game import Game
    from simulator.play.run import Result


_FEW = 4
"""So many assumed constants are named where they are counted."""


def page(results: frames.Results, command: str | None = None, chapters: Sequence[Chapter] = (), pace: float | None = None) -> str:
    """The balance report on results of one game, usually one for each number of players.

    The document carries its style, its charts and its one script in itself and loads nothing. Without the script all of it
    can be read. It is the same for the same results and the same day; the environment variable SOURCE_DATE_EPOCH sets the
    day.

    Args:
        results: one result or several.
        command: the command line that made them, if one did.
        chapters: what studies add, such as what skill is worth.
        pace: seconds a turn, in place of the game's own.

    Raises:
        UserError: there is no result, or they are of several games.
    """
    listed = frames.at_pace(frames.of_one_game(results), pace)
    return environment().get_template("report.html").render(content(listed, chapters), command=command)


def write_page(
    path: str | Path, results: frames.Results, command: str | None = None, chapters: Sequence[Chapter] = (), pace: float | None = None
) -> Path:
    """Write `page(...)` to a file, whole or not at all.

    Raises:
        UserError: as `page`, or the file cannot be written.
    """
    return write_bytes(path, page(results, command, chapters, pace).encode("utf-8", "backslashreplace"))


def write_csvs(folder: str | Path, results: frames.Results, chapters: Sequence[Chapter] = (), pace: float | None = None) -> list[Path]:
    """Write each table of `page(...)` into `folder`, which is made if need be, as GAME-TABLE.csv.

    Raises:
        UserError: the results are of several games, or the folder cannot be written to.
    """
    listed = frames.at_pace(frames.of_one_game(results), pace)
    told = balance.chapters(listed, (), chapters)
    return write_tables(folder, listed[0].experiment.game.name, [table for chapter in told for table in chapter.tables])


def index(found: Mapping[str, Sequence[Result]], command: str | None = None, pace: float | None = None) -> str:
    """A page over several reports: of each game the verdicts, the headline chart and a link.

    Args:
        found: address of a report to the results that it is about.
        command: the command line that made them, if one did.
        pace: seconds a turn, in place of each game's own.

    Raises:
        UserError: the results of one report are of several games.
    """
    games = []
    for address, results in found.items():
        listed = frames.at_pace(frames.of_one_game(results), pace)
        drawn = next(iter(charts(listed)))
        games.append(
            {
                "address": address,
                "game": listed[0].experiment.game,
                "finding": drawn.words.title,
                "headlines": headlines(listed),
                "playouts": sum(r.games for r in listed),
                "headline": inline(replace(drawn, name=f"{listed[0].experiment.game.name}-{drawn.name}")),
            }
        )
    return environment().get_template("index.html").render(games=games, command=command, facts=versions(None))


def write_index(path: str | Path, found: Mapping[str, Sequence[Result]], command: str | None = None, pace: float | None = None) -> Path:
    """Write `index(...)` to a file, whole or not at all.

    Raises:
        UserError: as `index`, or the file cannot be written.
    """
    return write_bytes(path, index(found, command, pace).encode("utf-8", "backslashreplace"))


@cache
def environment() -> Environment:
    """Jinja with everything escaped that is not known to be safe, and an error for every name that is missing."""
    loader = PackageLoader("reports", "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    script = files("reports").joinpath("templates", "report.js").read_text(encoding="utf-8")
    made.globals |= {
        "script": Markup(script),  # noqa: S704  our own script
        "script_hash": f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        "light": Markup(css_variables(dark=False)),  # noqa: S704  our own colours
        "dark": Markup(css_variables(dark=True)),  # noqa: S704
    }
    return made


def content(results: Sequence[Result], more: Sequence[Chapter] = ()) -> dict[str, Any]:
    """What the template shows."""
    game = results[0].experiment.game
    drawn = list(charts(results))
    told = balance.chapters(results, drawn, more)
    runs = frames.run_names(results)
    return {
        "game": game,
        "finding": drawn[0].words.title,
        "headlines": list(zip(runs, headlines(results), strict=True)),
        "played": played(results),
        "warnings": [*warnings(results, measured=any(c.id == RULES_THAT_MATTER for c in more)), *(w for c in told for w in c.warnings)],
        "headline": inline(drawn[0]),
        "runs": runs,
        "chapters": [(chapter, [inline(chart) for chart in chapter.charts]) for chapter in told],
        "run_of": lambda sentence: next((run for run in runs if sentence.startswith(f"With {run}:")), ""),
        "facts": versions(game),
        "intervals": intervals_named(cooperative=game.cooperative, sequential=any(r.sequential for r in results)),
    }


def headlines(results: Sequence[Result]) -> list[str]:
    """The verdict of each run in one sentence."""
    opening, lengths = frames.verdict(results), words.lines_of(frames.durations(results))
    opening = opening[opening["opens"]]
    return [words.headline(opening[opening["run"] == length.run], length) for length in lengths]


def inline(chart: Chart) -> dict[str, Any]:
    """A chart as the template shows it: twice, for wide and for narrow screens."""
    name = slug(chart.name)
    return {
        "name": name,
        "words": chart.words,
        "wide": Markup(svg(chart, WIDE, f"{name}-wide")),  # noqa: S704  Matplotlib and ElementTree have escaped the text in it
        "narrow": Markup(svg(chart, NARROW, f"{name}-narrow")),  # noqa: S704
    }


def played(results: Sequence[Result]) -> list[str]:
    """Who sat at the table, and by which rules, where it is not what the game ships with."""
    game = results[0].experiment.game
    texts = dict.fromkeys(frames.seats_text(r) for r in results)
    told = [f"Every seat is played by {clean(t)}." if ", " not in t else f"Seats are played by {clean(t)}." for t in texts]
    if any(player.label != game.default_strategy for r in results for player in r.experiment.lineup):
        told.append(f"The game's default strategy is {game.default_strategy}.")
    altered = [c for r in results for c in constants(r.experiment.rules) if c.changed]
    changed = dict.fromkeys(f"{c.key} is {to_text(c.value)} (shipped: {to_text(c.default)})" for c in altered)
    told.append(f"The rules differ from those shipped: {'; '.join(changed)}." if changed else "The rules are those shipped with the game.")
    return told


def warnings(results: Sequence[Result], *, measured: bool) -> list[str]:
    """What a reader must know before believing the numbers; `measured` is whether it was tried what the rules' constants do."""
    told = [words.unfinished(frames.estimated(results)), beyond_the_box(results)]
    told += [
        f"The run with {run} was interrupted after {r.games:,} of {r.asked:,} playouts; what it shows rests on those."
        for run, r in zip(frames.run_names(results), results, strict=True)
        if r.interrupted
    ]
    every = constants(results[0].experiment.rules)
    assumed = [c.key for c in every if c.source == "assumed"]
    if assumed and not measured:
        named = f" ({', '.join(assumed)})" if len(assumed) <= _FEW else ""
        told.append(
            f"Assumed constants: {len(assumed)} of {len(every)}{named}. The rulebook does not print them; other values may turn the"
            " verdict, and this report has not tried them."
        )
    return [text for text in told if text] + list(dict.fromkeys(note for r in results for note in r.experiment.rules.notes()))


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
