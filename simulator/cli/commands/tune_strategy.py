"""`simulate tune-strategy GAME NAME`: better values for a strategy's parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import options, show
from simulator.cli.exits import EXIT_DONE, EXIT_INTERRUPTED
from simulator.cli.outputs import Outputs, output_options
from simulator.document.figures import difference_text, estimate_text

if TYPE_CHECKING:
    from simulator.studies.strategy_tuning import Gain, StrategyTuning

DEFAULT_GAMES = 100_000
DEFAULT_TRIALS = 300


@click.command("tune-strategy", short_help="Find better values for a strategy's parameters.")
@options.game_argument
@click.argument("strategy", metavar="NAME[:k=v,...]")
@options.several(
    "--vary", of="NAME=LOW:HIGH", what="A parameter and its range; unless given all of them, each from 0 to three times its value."
)
@options.players_option("all count alike.")
@click.option("--against", metavar="NAME[:k=v,...]", help="Who sits in the other seats; the strategy as it is unless given.")
@click.option(
    "--games",
    type=options.count(),
    default=DEFAULT_GAMES,
    help="Playouts of the final measurement, for each number of players; 100k unless given.",
)
@click.option("--trials", type=options.count(), default=DEFAULT_TRIALS, show_default=True, help="Candidates that the search tries, about.")
@options.asked_options
@output_options("all figures")
@options.json_option
def command(
    game: Any,
    strategy: str,
    asked: options.Asked,
    outputs: Outputs,
    *,
    as_json: bool,
    **more: Any,
) -> int:
    """Look for better values of a strategy's parameters, and measure them on playouts that had no part in finding them.

    In a cooperative game a table of it wins more often; in the others one seat does that plays it, in every seat in turn,
    against the strategy as it is. docs/tune-strategy.md says how it looks.
    """
    from simulator.studies.tune_strategy import ask, tune_strategy  # noqa: PLC0415  needs Numba

    question = ask(game, strategy, rules=asked.rules, seed=asked.seed, workers=asked.workers, **more)
    outputs.check()
    question = replace(question, ledger=asked.open_ledger())
    with show.compiling_note():
        found = tune_strategy(question, watch=show.stage)
    if outputs.any:
        from reports import tunings  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: tunings.strategy_page(found, options.command_line()), lambda: tunings.strategy_frame(found), "Figures")
    if as_json:
        show.print_json(found.as_dict())
    else:
        _print(found)
    return EXIT_INTERRUPTED if found.interrupted else EXIT_DONE


def _print(found: StrategyTuning) -> None:
    question = found.question
    among = ", ".join(axis.range_text for axis in question.axes)
    show.paragraph(f"{question.game.title}: {question.line(question.start)}, looked for among {among}", style="bold")
    show.paragraph(found.finding)
    if found.gains:
        _print_parameters(found)
        _print_gains(found)
    if found.improved:
        show.console().print(f"Play it with: --strategy {found.line}", markup=False, soft_wrap=True)
    took = f"{found.playouts:,} playouts of them, {found.elapsed_s:.0f} s, seed {question.seed}, digest {found.digest}"
    show.paragraph(f"{found.tried:,} candidates ({found.how}), {took}")
    show.paragraph(
        "Before and after: how often the players win, or the seat that plays it, on the same playouts, which had no part in the search."
        " 95% intervals; verdicts are judged together (Holm).",
        style="dim",
    )


def _print_parameters(found: StrategyTuning) -> None:
    table = show.new_table("Parameter", "Before", "After", right=(1, 2))
    for (name, before), (_, after) in zip(found.question.start, found.values, strict=True):
        show.add_row(table, name, f"{before:g}", f"{after:g}")
    show.console().print(table)


def _print_gains(found: StrategyTuning) -> None:
    table = show.new_table("Players", "Before", "After", "Difference", "Interval", "Verdict", right=(0, 1, 2, 3))
    for gain in found.gains:
        show.add_row(table, *_cells(gain))
    if found.gain is not None and len(found.gains) > 1:
        best, _, interval = difference_text(found.gain).partition("\n")
        show.add_row(table, "Mean", "", "", best, interval, "")
    show.console().print(table)


def _cells(gain: Gain) -> tuple[str, ...]:
    best, _, interval = difference_text(gain.difference()).partition("\n")
    figures = [estimate_text(e, "\n") for e in (gain.before, gain.after)]
    return str(gain.players), *figures, best, interval, gain.word
