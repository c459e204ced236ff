"""`simulate replay GAME`: tell one playout turn by turn."""

from __future__ import annotations

from typing import Any

import click

from simulator.cli import options, show
from simulator.document.language import plural
from simulator.errors import UserError

FINDS = ("longest", "shortest", "closest", "biggest-win", "upset")
DEFAULT_SEARCH = 10_000


@click.command("replay", short_help="Tell one playout turn by turn.")
@options.game_argument
@click.option("--game", "number", type=options.Whole(0, 2**53), help="Which playout, counted from 0; the first unless given.")
@click.option(
    "--find", "what", type=click.Choice(FINDS), help="Look one up among the first --games playouts; an upset is won by whoever wins fewest."
)
@click.option("--games", type=options.count(), default=DEFAULT_SEARCH, help="How many playouts --find looks at; 10k unless given.")
@click.option("--players", type=options.Players(), default="4", metavar="N", show_default=True, help="How many sit at the table.")
@options.strategy_option
@options.set_option
@options.rules_option
@options.seed_option
@options.json_option
def command(
    game: Any,
    number: int | None,
    what: Any,
    games: int,
    players: tuple[int, ...],
    strategies: tuple[str, ...],
    *,
    as_json: bool,
    **asked: Any,
) -> None:
    """Tell one playout of a run turn by turn, with every choice and its alternatives.

    Playout 17 is the eighteenth of the run with the same seed, players, strategies and rules.
    """
    from simulator.play.rehearsal import rehearse  # noqa: PLC0415  needs Numba
    from simulator.play.replay import find, tell  # noqa: PLC0415
    from simulator.play.run import make_experiment  # noqa: PLC0415

    if len(players) != 1:
        message = "A replay has one table; give --players a single number."
        raise UserError(message)
    if number is not None and what is not None:
        message = "--game and --find exclude each other; give one of them."
        raise UserError(message)
    overrides = options.gather_rules(game, asked["rules_file"], asked["assignments"])
    experiment = make_experiment(game, players=players[0], strategies=strategies, rules=overrides, seed=asked["seed"])
    options.tell_unseated(strategies, players)
    with show.compiling_note():
        rehearse(experiment)
        playout = find(experiment, what, games) if what is not None else number or 0
        told = tell(experiment, playout)
    if as_json:
        turns = [{"heading": heading, "lines": list(lines)} for heading, lines in told.turns]
        show.print_json({"experiment": experiment.as_dict(), "playout": told.playout, "turns": turns, "row": told.row})
        return
    seats = ", ".join(f"seat {i} {p.label}" for i, p in enumerate(experiment.lineup))
    show.lines(f"{game.title}, {plural(experiment.players, 'player')}, seed {experiment.seed}, playout {playout}\n{seats}")
    show.lines(f"{_ending(experiment, told.row)}\n")
    show.lines(told.text().removesuffix("\n"))


def _ending(experiment: Any, row: dict[str, int]) -> str:
    """How a playout ends, in a sentence."""
    after = f"after {plural(row['turns'], 'turn')}"
    if row["unfinished"]:
        return f"Nobody wins: the turn cap ends it {after}."
    return f"{next(m.label for m in experiment.metrics if m.outcome and row[m.name])} {after}."
