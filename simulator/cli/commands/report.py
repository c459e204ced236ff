"""`simulate report`: a balance report of each of several games, and an index page over them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator import registry
from simulator.cli import options, show
from simulator.cli.exits import EXIT_INTERRUPTED
from simulator.cli.report_studies import Beside, chapters
from simulator.cli.run_game import full_option, pace_option, play
from simulator.errors import GameError, MisbehaviourError, UserError
from simulator.registry.neighbours import leave_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.game import Game
    from simulator.play.experiment import Experiment
    from simulator.play.run import Result

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
@click.option(
    "--games",
    type=options.count(),
    default=DEFAULT_GAMES,
    help=f"Playouts of each game for each number of players; {DEFAULT_GAMES // 1000}k unless given.",
)
@options.seed_option
@options.ledger_option
@options.workers_option
@full_option
@pace_option
def command(  # noqa: PLR0913, PLR0917  one argument per option
    games_named: tuple[Any, ...],
    every: bool,  # noqa: FBT001  click gives it by name
    folder: Path,
    players: tuple[int, ...] | None,
    games: int,
    seed: int,
    ledger_file: Path | None,
    workers: Any,
    full: bool,  # noqa: FBT001  click gives it by name
    pace: float | None,
) -> int:
    """Play games and write a balance report of each as FOLDER/GAME.html, and FOLDER/index.html with all their verdicts.

    The rules are those that the games ship with, and everybody plays a game's default strategy.
    """
    chosen = _chosen(games_named, every=every)
    experiments = {game.name: _experiments(game, players, seed) for game in chosen}
    missing = [game.title for game in chosen if not experiments[game.name]]
    if missing:
        message = f"So many players do not fit {', '.join(missing)}; name another number, or leave those games out."
        raise UserError(message)
    options.check_folder(folder, f"--to {folder}")
    with options.opened_ledger(ledger_file) as ledger:
        found: dict[str, list[Result]] = {}
        broken: list[Game] = []
        for game in chosen:
            show.note(f"{game.title}: {games:,} playouts for each number of players.")
            try:
                results = play(experiments[game.name], games, None, ledger, workers)
                if not results:
                    break
                _write(folder, results, Beside(full=full, workers=workers), pace)
            except (GameError, MisbehaviourError) as error:
                if not every or registry.is_shipped(game.name):
                    raise
                leave_out(error)
                broken.append(game)
                continue
            found[game.name] = results
            if results[-1].interrupted or len(results) < len(experiments[game.name]):
                break
    if not found:
        raise KeyboardInterrupt
    _write_index(folder, found, pace)
    complete = all(not r[-1].interrupted and len(r) == len(experiments[name]) for name, r in found.items())
    return 0 if complete and len(found) + len(broken) == len(chosen) else EXIT_INTERRUPTED


def _chosen(named: Sequence[Game], *, every: bool) -> list[Game]:
    if every == bool(named):
        message = "Name the games to report on, or say --all for every one; `simulate games` lists them."
        raise UserError(message)
    chosen = list(registry.games()) if every else list(dict.fromkeys(named))
    names = [game.name for game in chosen]
    for twice in {name for name in names if names.count(name) > 1}:
        message = f"Two of the games are called '{twice}', and a report is named after its game; report on one of them at a time."
        raise UserError(message)
    return chosen


def _experiments(game: Game, players: tuple[int, ...] | None, seed: int) -> list[Experiment]:
    """One for each number of players that was asked for and that the game is for."""
    from simulator.play.run import make_experiment  # noqa: PLC0415  needs NumPy

    low, high = game.players
    return [make_experiment(game, players=n, seed=seed) for n in range(low, high + 1) if players is None or n in players]


def _write(folder: Path, results: Sequence[Result], beside: Beside, pace: float | None) -> None:
    import reports  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

    path = folder / f"{results[0].experiment.game.name}.html"
    reports.write_page(path, results, options.command_line(), chapters(results, beside), pace)
    show.note(f"Report written to {path}.")


def _write_index(folder: Path, found: dict[str, list[Result]], pace: float | None) -> None:
    from reports.report import write_index  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

    path = write_index(folder / "index.html", {f"{name}.html": results for name, results in found.items()}, options.command_line(), pace)
    show.note(f"Index written to {path}.")
