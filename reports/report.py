"""The balance report: one HTML document that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from reports import balance, frames
from reports.balance.how_long import at_pace
from reports.first_screen import overview, played, warnings
from reports.html_pages import environment, inline, page_html, versions, write_csv_files, write_html, write_pictures
from simulator.document.chapters import RULES_THAT_MATTER, Chapter
from simulator.document.document import Document
from simulator.document.language import clean
from simulator.files import write_bytes
from simulator.play.run import Result
from simulator.stats.estimate import intervals_named


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
    listed = at_pace(frames.of_one_game(results), pace)
    game, runs, drawn = listed[0].experiment.game, frames.run_names(listed), list(balance.charts(listed))
    chapters = balance.chapters(listed, drawn, more)
    measured = any(c.id == RULES_THAT_MATTER for c in more)
    return Document(
        game,
        "Balance report",
        f"{drawn[0].words.title}.",
        (),
        (*warnings(listed, measured=measured), *(w for c in chapters for w in c.warnings)),
        command=command,
        chapters=chapters,
        runs=tuple(runs),
        headline=drawn[0],
        overview=overview(listed),
        asked=tuple(played(listed)),
        closing=intervals_named(cooperative=game.cooperative, sequential=any(r.sequential for r in listed)),
        footnote="; ".join(dict.fromkeys(clean(frames.seats_text(r)) for r in listed)),
    )


def page(results: frames.Results, command: str | None = None, chapters: Sequence[Chapter] = (), pace: float | None = None) -> str:
    """The balance report as one HTML document; see `document` and `html_pages.page_html`.

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


def index(reports: Mapping[str, Sequence[Result]], command: str | None = None, pace: float | None = None) -> str:
    """A page over several reports: of each game the verdicts, the headline chart and a link.

    Args:
        reports: address of a report to the results that it is about.
        command: the command line that made them, if one did.
        pace: seconds a turn, in place of each game's own.

    Raises:
        UserError: the results of one report are of several games.
    """
    games = []
    for address, results in reports.items():
        listed = at_pace(frames.of_one_game(results), pace)
        drawn = next(iter(balance.charts(listed)))
        games.append(
            {
                "address": address,
                "game": listed[0].experiment.game,
                "finding": drawn.words.title,
                "overview": overview(listed),
                "playouts": sum(r.games for r in listed),
                "headline": inline(replace(drawn, name=f"{listed[0].experiment.game.name}-{drawn.name}")),
            }
        )
    return environment().get_template("index.html").render(games=games, command=command, facts=versions(None))


def write_index(path: str | Path, reports: Mapping[str, Sequence[Result]], command: str | None = None, pace: float | None = None) -> Path:
    """Write `index(...)` to a file, whole or not at all.

    Raises:
        UserError: as `index`, or the file cannot be written.
    """
    return write_bytes(path, index(reports, command, pace).encode("utf-8", "backslashreplace"))
