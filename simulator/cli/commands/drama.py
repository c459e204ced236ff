"""`simulate drama GAME`: how the chance of winning moves during a playout."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import options, show
from simulator.cli.in_turn import answer
from simulator.cli.outputs import Outputs, output_options
from simulator.cli.side_by_side import lines, tables
from simulator.document.language import plural, ranged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.stats.estimate import Estimate
    from simulator.studies.drama import Drama

DEFAULT_GAMES, DEFAULT_ROLLOUTS = 1_000, 400


@click.command("drama", short_help="Show how the chance of winning moves during a game.")
@options.table_options("each is looked at.", DEFAULT_GAMES, "Playouts to watch; 1k unless given.")
@click.option(
    "--rollouts",
    type=options.Whole(10, 10**6, "1000000"),
    default=DEFAULT_ROLLOUTS,
    show_default=True,
    help="Nested playouts before each turn, to estimate everybody's chance.",
)
@options.strategy_option
@options.asked_options
@output_options("all curves")
@options.json_option
def command(
    game: Any,
    players: tuple[int, ...],
    games: int,
    rollouts: int,
    strategies: tuple[str, ...],
    asked: options.Asked,
    *,
    outputs: Outputs,
    as_json: bool,
) -> int:
    """Watch playouts turn by turn: before each turn, nested playouts estimate everybody's chance to win.

    Shows how often the lead passes, how long and how far the winner was behind, how many games are decided early, and the
    most dramatic playout with the line that replays it.
    """
    from simulator.studies.drama import plan_drama, play_drama  # noqa: PLC0415  needs Numba

    question: dict[str, Any] = {"games": games, "rollouts": rollouts, "strategies": strategies, **asked.same_draws}
    plans = [plan_drama(game, players=n, **question) for n in players]
    options.tell_unseated(strategies, players)
    outputs.check()
    play = partial(play_drama, workers=asked.workers, ledger=asked.open_ledger())
    return answer(plans, play, partial(_write, outputs=outputs), None if as_json else _print)


def _print(found: Sequence[Drama]) -> None:
    from simulator.studies.curves import DECIDED, LEAD  # noqa: PLC0415  needs Numba

    first, console = found[0].plan, show.console()
    watched = ranged((len(f.curves) for f in found), "playout")
    console.print(f"{first.experiment.game.title}: {watched} watched, {first.rollouts:,} nested ones before each turn", markup=False)
    columns = [f"{f.players} players" for f in found]
    for title, listed in (
        ("The lead and the winner", lines(found, _figures, _text)),
        ("Games by lead changes", lines(found, lambda f: f.changes, _text)),
    ):
        for table in tables(title, "", columns, listed, console.width):
            console.print(table)
    rule = (
        f"The lead passes to whose chance to win is {100 * LEAD:.0f} points higher than the leader's. A game is decided by half-time if in "
        f"its second half the winner's chance stays at {100 * DECIDED:.0f}% or more. What the noise of the estimated chances adds is "
        "taken off; the intervals hold what that may leave."
    )
    console.print(rule, markup=False)
    for f in found:
        _print_dramatic(f)
    labels = list(dict.fromkeys(p.label for p in first.experiment.lineup))
    elapsed = sum(f.elapsed_s for f in found)
    console.print(f"strategy {', '.join(labels)}, seed {first.experiment.seed}, {elapsed:.1f} s", markup=False, soft_wrap=True)
    console.print(f"digest {', '.join(f.digest for f in found)}", markup=False)
    console.print("95% intervals, each for itself.", style="dim")


NAMES = {
    "lead_changes": "Lead changes",
    "led_throughout": "Winner never behind",
    "never_behind_from": "Not behind from turn",
    "below.10": "Winner once below 10%",
    "below.25": "Winner once below 25%",
    "decided_early": "Decided by half-time",
}


def _figures(found: Drama) -> dict[str, Estimate]:
    return {NAMES[name]: estimate for name, estimate in found.estimates.items()}


def _text(estimate: Estimate) -> str:
    """Value and below it the interval; where all playouts were alike there is none to tell."""
    if estimate.n == 1 or math.isfinite(estimate.high - estimate.low):
        return show.interval_text(estimate, "\n")
    return f"{estimate.best:.0f}\nin every one of {estimate.n:,}"


def _print_dramatic(found: Drama) -> None:
    """The most dramatic playout, and on a line of its own the command that tells it."""
    one, console = found.dramatic, show.console()
    changes = plural(one.lead_changes, "lead change")
    ending = "nobody wins"
    if one.winner is not None:
        side = found.sides[one.winner]
        verb = "win" if found.plan.experiment.game.cooperative and one.winner == 0 else "wins"
        ending = f"{side[0].lower()}{side[1:]} {verb} after a chance of {show.estimate_text(one.lowest)}"
    console.print(f"Most dramatic with {found.players} players: playout {one.playout} with {changes}; {ending}. To read it:", markup=False)
    click.echo(found.plan.replay(one.playout))


def _write(found: Sequence[Drama], outputs: Outputs) -> None:
    if outputs.any:
        from reports import dramas  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: dramas.page(found, options.command_line()), lambda: dramas.frame(found), "Curves")
