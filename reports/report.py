"""The balance report: one HTML document that needs nothing but itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reports import balance, frames, words
from reports.charts import charts
from reports.html_pages import environment, inline, page_html, versions, write_csv_files, write_html, write_pictures
from reports.unprinted import beyond_the_box
from simulator.document.chapters import RULES_THAT_MATTER
from simulator.document.document import Document
from simulator.document.language import clean
from simulator.files import write_bytes
from simulator.rules import constants, to_text
from simulator.stats.estimate import intervals_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from simulator.document.chapters import Chapter
    from simulator.play.run import Result

_FEW = 4
"""So many assumed constants are named where they are counted."""


def document(results: frames.Results, command: str | None = None, more: Sequence[Chapter] = (), pace: float | None = None) -> Document:
    """What is said of results of one game, usually one for each number of players.

    Args:
        results: one result or several.
        command: the command line that made them, if one did.
        more: chapters that studies add, such as what skill is worth.
        pace: seconds a turn, in place of the game's own.

    Raises:
        UserError: there is no result, or they are of several games.
    """
    listed = frames.at_pace(frames.of_one_game(results), pace)
    game, runs, drawn = listed[0].experiment.game, frames.run_names(listed), list(charts(listed))
    chapters = balance.chapters(listed, drawn, more)
    measured = any(c.id == RULES_THAT_MATTER for c in more)
    return Document(
        game,
        "Balance report",
        f"{drawn[0].words.title}.",
        tuple(headlines(listed)),
        (*warnings(listed, measured=measured), *(w for c in chapters for w in c.warnings)),
        command=command,
        chapters=chapters,
        runs=tuple(runs),
        headline=drawn[0],
        asked=tuple(played(listed)),
        closing=intervals_named(cooperative=game.cooperative, sequential=any(r.sequential for r in listed)),
        footnote="; ".join(dict.fromkeys(clean(frames.seats_text(r)) for r in listed)),
    )


def page(results: frames.Results, command: str | None = None, chapters: Sequence[Chapter] = (), pace: float | None = None) -> str:
    """The balance report as one HTML document; see `document` and `reports.page.html`.

    Raises:
        UserError: there is no result, or they are of several games.
    """
    return page_html(document(results, command, chapters, pace))


def write_page(
    path: str | Path, results: frames.Results, command: str | None = None, chapters: Sequence[Chapter] = (), pace: float | None = None
) -> Path:
    """Write `page(...)` to a file, whole or not at all.

    Raises:
        UserError: as `page`, or the file cannot be written.
    """
    return write_html(path, document(results, command, chapters, pace))


def write_csvs(folder: str | Path, results: frames.Results, chapters: Sequence[Chapter] = (), pace: float | None = None) -> list[Path]:
    """Write each table of `page(...)` into `folder`, which is made if need be, as GAME-TABLE.csv.

    Raises:
        UserError: the results are of several games, or the folder cannot be written to.
    """
    return write_csv_files(folder, document(results, None, chapters, pace))


def write_pngs(folder: str | Path, results: frames.Results, chapters: Sequence[Chapter] = (), pace: float | None = None) -> list[Path]:
    """Write each chart of `page(...)` into `folder`, which is made if need be, as GAME-CHART.png.

    Raises:
        UserError: the results are of several games, or the folder cannot be written to.
    """
    return write_pictures(folder, document(results, None, chapters, pace))


def write_svgs(folder: str | Path, results: frames.Results, chapters: Sequence[Chapter] = (), pace: float | None = None) -> list[Path]:
    """As `write_pngs`, as GAME-CHART.svg.

    Raises:
        UserError: as `write_pngs`.
    """
    return write_pictures(folder, document(results, None, chapters, pace), "svg")


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


def headlines(results: Sequence[Result]) -> list[str]:
    """The verdict of each run in one sentence."""
    opening, lengths = frames.verdict(results), words.lines_of(frames.durations(results))
    opening = opening[opening["opens"]]
    return [words.headline(opening[opening["run"] == length.run], length) for length in lengths]


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
