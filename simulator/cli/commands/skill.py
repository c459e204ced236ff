"""`simulate skill GAME`: what playing well is worth."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import options, show
from simulator.cli.in_turn import answer
from simulator.cli.outputs import Outputs, output_options
from simulator.cli.side_by_side import lines, tables
from simulator.document.figures import difference_text, interval_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.cli.side_by_side import Line
    from simulator.stats.estimate import Estimate
    from simulator.studies.skill import Skill

DEFAULT_GAMES, DEFAULT_LOOKAHEAD = 4_000, 100


@click.command("skill", short_help="Show what playing well is worth.")
@options.table_options("each is looked at.", DEFAULT_GAMES, "Playouts of each table; 4k unless given.")
@click.option(
    "--lookahead",
    "ahead_games",
    type=options.Whole(0, 2**53),
    default=DEFAULT_LOOKAHEAD,
    help="Playouts of each table with somebody who thinks ahead, which are slow; 100 unless given, 0 for none.",
)
@options.entrants_option("What to compare, once for each; all strategies of the game and look-ahead unless given.")
@options.asked_options
@output_options("all figures")
@options.json_option
def command(
    game: Any,
    players: tuple[int, ...],
    games: int,
    ahead_games: int,
    strategies: tuple[str, ...],
    asked: options.Asked,
    *,
    outputs: Outputs,
    as_json: bool,
) -> int:
    """Measure one strategy after the other against the default strategy, and the default with ever more random moves.

    Where all win or lose together, a whole table plays each strategy. Else one player does among players of the default
    strategy, in every seat in turn.
    """
    from simulator.studies.skill import plan_skill, play_skill  # noqa: PLC0415  needs Numba

    question: dict[str, Any] = {"games": games, "ahead_games": ahead_games, "strategies": strategies, **asked.same_draws}
    plans = [plan_skill(game, players=n, **question) for n in players]
    outputs.check()
    play = partial(play_skill, workers=asked.workers, ledger=asked.open_ledger())
    return answer(plans, play, partial(_write, outputs=outputs), None if as_json else _print)


def _print(found: Sequence[Skill]) -> None:
    from simulator.studies.skill import sentence  # noqa: PLC0415  needs Numba

    first, console = found[0].plan, show.console()
    together = first.game.cooperative
    who = "a table of each strategy" if together else f"one player of each strategy among players of {first.baseline.lineup[0].label}"
    playouts = f"{first.games:,} playouts of each table on the same draws"
    console.print(f"{first.game.title}: {who}; {playouts}.", markup=False)
    if not together:
        even = ", ".join(f"{100 / f.players:.3g}% with {f.players}" for f in found)
        console.print(f"Every seat in turn; to win is, if all are as good: {even} players.", markup=False)
    for title, heading, listed in _tables(found):
        for table in tables(title, heading, [f"{f.players} players" for f in found], listed, console.width):
            console.print(table)
    for f in found:
        console.print(sentence(f), markup=False)
    lookahead = f"; {first.ahead_games:,} playouts where somebody thinks ahead" if first.ahead else ""
    elapsed = sum(f.elapsed_s for f in found)
    console.print(f"seed {first.baseline.seed}, {elapsed:.1f} s{lookahead}, digest {', '.join(f.digest for f in found)}", markup=False)
    for remark in filter(None, (f.remark for f in found)):
        show.paragraph(remark)
    if any(f.unfinished for f in found) and not any(f.remark for f in found):
        console.print("Playouts that the turn cap ended count as won by nobody.", markup=False)
    console.print("95% intervals, each for itself.", style="dim")


def _tables(found: Sequence[Skill]) -> list[tuple[str, str, list[Line]]]:
    """Titles, headings of the first column, and lines with a cell for each number of players."""
    wins = "The players win" if found[0].plan.game.cooperative else "Wins"
    return [
        (
            f"{wins}, with a share of moves left to chance",
            "At random",
            lines(found, lambda f: {f"{100 * s:g}%": r.estimate for s, r in f.blunders}),
        ),
        (f"{wins}, by strategy", "Strategy", lines(found, lambda f: {r.strategy: r.estimate for r in f.ladder})),
        ("What decides who wins (parts of the variance)", "Part", lines(found, _parts, lambda e: interval_text(e, "\n"))),
        ("Seat 0 wins more than an equal share, in points", "Everybody plays", lines(found, _advantages, difference_text)),
    ]


def _parts(found: Skill) -> dict[str, Estimate]:
    split = found.variance
    if split is None:
        return {}
    return {part: estimate for part, estimate in split.shown.items() if part != "seat" or not found.plan.game.cooperative}


def _advantages(found: Skill) -> dict[str, Estimate]:
    return {f"{a.strategy} ({a.play})": a.estimate for a in found.advantages}


def _write(found: Sequence[Skill], outputs: Outputs) -> None:
    if outputs.any:
        from reports import skills  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: skills.page(found, options.command_line()), lambda: skills.frame(found), "Figures")
