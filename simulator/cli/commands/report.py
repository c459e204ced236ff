"""`simulate report`: a balance report of each of several games, and an index page over them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator import registry
from simulator.cli import options, show
from simulator.cli.exits import EXIT_DONE, EXIT_INTERRUPTED
from simulator.errors import GameError, MisbehaviourError, UserError
from simulator.numbers import read_pace
from simulator.registry.neighbours import leave_out

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.resources import Resources
    from simulator.play.run import Result
    from simulator.studies.run import Run
    from simulator.studies.study import Finding

DEFAULT_GAMES = 20_000


@click.command("report", short_help="Write balance reports of several games, with an index.")
@click.argument("games_named", nargs=-1, metavar="[GAME]...", type=options.GameName())
@click.option("--all", "every", is_flag=True, help="Report on every game there is.")
@click.option(
    "--to", "folder", type=click.Path(path_type=Path), metavar="FOLDER", default="reports", show_default=True, help="Where to write them."
)
@click.option(
    "--players",
    type=options.Players(),
    help="How many, or a range; a game leaves out what it is not for. All that a game is for unless given.",
)
@options.games_option(DEFAULT_GAMES, f"Playouts of each game for each number of players; {DEFAULT_GAMES // 1000}k unless given.")
@options.seed_option
@options.ledger_option
@options.workers_option
@click.option("--full", is_flag=True, help="Find out for the reports which rules matter as well; takes longer.")
@click.option("--pace", type=options.Read(read_pace), metavar="SECONDS | 2min", help="How long a turn takes; each game's own guess else.")
def command(
    games_named: tuple[Any, ...],
    folder: Path,
    players: tuple[int, ...] | None,
    seed: int,
    ledger_file: Path | None,
    workers: Any,
    *,
    every: bool,
    **asked: Any,
) -> int:
    """Play games and write a balance report of each as FOLDER/GAME.html, and FOLDER/index.html with all their verdicts.

    The rules are those that the games ship with, and everybody plays a game's default strategy.
    """
    from simulator.play.resources import Resources  # noqa: PLC0415  what follows needs NumPy

    runs = [_run(game, players, seed, asked) for game in _chosen(games_named, every=every)]
    missing = [run.setup.game.title for run in runs if not run.setup.players]
    if missing:
        message = f"So many players do not fit {', '.join(missing)}; name another number, or leave those games out."
        raise UserError(message)
    options.check_folder(folder, f"--to {folder}")
    results, complete = _play(runs, folder, Resources(workers, options.open_ledger(ledger_file), show.stage), every=every)
    if not results:
        raise KeyboardInterrupt
    _write_index(folder, results, asked["pace"])
    return EXIT_DONE if complete else EXIT_INTERRUPTED


def _chosen(named: tuple[Game, ...], *, every: bool) -> list[Game]:
    if every == bool(named):
        message = "Name the games to report on, or say --all for every one; `simulate games` lists them."
        raise UserError(message)
    chosen = list(registry.games()) if every else list(dict.fromkeys(named))
    names = [game.name for game in chosen]
    for twice in {name for name in names if names.count(name) > 1}:
        message = f"Two of the games are called '{twice}', and a report is named after its game; report on one of them at a time."
        raise UserError(message)
    return chosen


def _run(game: Game, players: tuple[int, ...] | None, seed: int, asked: dict[str, Any]) -> Run:
    """The run of a game with each number of players that was asked for and that it is for."""
    from simulator.studies.run import Run  # noqa: PLC0415  needs Numba
    from simulator.studies.study import Setup  # noqa: PLC0415

    low, high = game.players
    return Run(Setup(game, tuple(n for n in range(low, high + 1) if players is None or n in players), seed=seed), **asked)


def _play(runs: list[Run], folder: Path, resources: Resources, *, every: bool) -> tuple[dict[str, tuple[Result, ...]], bool]:
    """Play and report on one game after the other: what was found of each, and whether that is all."""
    results: dict[str, tuple[Result, ...]] = {}
    for run in runs:
        game = run.setup.game
        show.note(f"{game.title}: {run.games:,} playouts for each number of players.")
        try:
            finding = run.play(resources)
            _write(folder, finding, resources)
        except KeyboardInterrupt:
            return results, False
        except (GameError, MisbehaviourError) as error:
            if not every or registry.is_shipped(game.name):
                raise
            leave_out(error)
            continue
        results[game.name] = finding.parts
        if finding.interrupted:
            show.interrupted(run.interruption(finding.parts))
            return results, False
    return results, True


def _write(folder: Path, finding: Finding[Result], resources: Resources) -> None:
    from reports.html_pages import page_of, write_html  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

    document = replace(finding.document(), command=options.command_line())
    path = write_html(folder / f"{finding.parts[0].experiment.game.name}.html", page_of(document, finding, resources, show.note))
    show.note(f"Report written to {path}.")


def _write_index(folder: Path, found: dict[str, tuple[Result, ...]], pace: float | None) -> None:
    from reports.report import write_index  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

    path = write_index(folder / "index.html", {f"{name}.html": results for name, results in found.items()}, options.command_line(), pace)
    show.note(f"Index written to {path}.")
