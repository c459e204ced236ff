"""`simulate sensitivity GAME`: which of the rules' numbers matter, and could one that nobody is sure of change the answer?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import across as spreads
from simulator.cli import options, show
from simulator.cli.exits import EXIT_INTERRUPTED
from simulator.cli.in_turn import play_in_turn
from simulator.cli.outputs import Outputs, output_options
from simulator.document.figures import BRIEF, difference_text, estimate_text, figure, interval
from simulator.document.language import plural, ranged
from simulator.errors import UserError
from simulator.stats.bands import Band, read_band

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.play.run import Precision
    from simulator.studies.conclusions import Overturned
    from simulator.studies.effects import Effect, Measured, Sensitivity
    from simulator.studies.interactions import Interactions
    from simulator.studies.moves import LeftOut, Move
    from simulator.studies.sensitive_across import SensitivityAcross
    from simulator.studies.sensitivity import Question

DEFAULT_GAMES = 100_000
MOST_ROWS = 8
"""Constants that a table shows unless its metric was asked for by name, and open conclusions that are listed."""


class TargetBand(click.ParamType[Any]):
    """Where a share is to lie: LOW:HIGH, and the metric behind another colon, or before an equals sign."""

    name = "target"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a target; 0.45:0.6 is the same as 45%:60%."""
        metric, ends = read_band(str(value))
        if not ends[:1] < ends[1:]:  # nor if one of them is missing
            self.fail(f"'{value}' is no target; write the ends of a range of shares, such as 0.45:0.60 or 45%:60%", param, ctx)
        return Band(ends[0], ends[1], metric)


@click.command("sensitivity", short_help="Show which constants of the rules matter.")
@options.table_options("each is studied.", DEFAULT_GAMES, "Playouts of each move, or the most of them; 100k unless given.")
@click.option(
    "--precision",
    type=options.HalfWidth(),
    metavar="WIDTH[:METRIC]",
    help="Play until each difference in the shares, or in METRIC, is known this closely to each side; --games is the most.",
)
@options.metric_option("look at")
@click.option(
    "--target",
    type=TargetBand(),
    metavar="LOW:HIGH[:METRIC]",
    help="Where you want the players' share of wins, every seat's, or METRIC's, such as 0.45:0.60; what leaves it is named.",
)
@options.several("--also", "also", of="KEY=VALUE", what="Move a constant to this value too; may be repeated.")
@click.option(
    "--interactions", is_flag=True, help="Move the numbers together as well, and tell apart what each does alone and with others."
)
@options.strategy_option
@spreads.across_option
@options.asked_options
@output_options("the effects")
@options.json_option
def command(  # noqa: PLR0913, PLR0917  one argument per option
    game: Any,
    players: tuple[int, ...],
    games: int,
    precision: Precision | None,
    metrics: tuple[str, ...],
    target: Band | None,
    also: tuple[str, ...],
    interactions: bool,  # noqa: FBT001  click gives it by name
    strategies: tuple[str, ...],
    across: tuple[str, ...],
    asked: options.Asked,
    outputs: Outputs,
    *,
    as_json: bool,
) -> int:
    """Move every constant of the rules alone, on the same playouts, and show what that does.

    A constant that is not printed anywhere goes to the ends of its plausible range or to each alternative, all others one
    step each way. Of the effects called significant, on average at most one in twenty is none (Benjamini-Hochberg).
    """
    from simulator.rules import parse_assignment  # noqa: PLC0415  what follows needs NumPy
    from simulator.studies.moves import moves_of  # noqa: PLC0415
    from simulator.studies.sensitivity import Question, study  # noqa: PLC0415

    outputs.check()
    question = Question(game, asked.rules, strategies, asked.seed, games, metrics, precision, target, asked.workers)
    assignments = [parse_assignment(text, game.rules, asked.rules) for text in also]
    for _, _, note in assignments:
        options.tell_change(note)
    moves, left_out = moves_of(game, asked.rules, [(key, value) for key, value, _ in assignments])
    if across:
        _refuse_interactions(asked=interactions)
        question = replace(question, ledger=asked.open_ledger())
        found_across = _measure_across(question, spreads.spread(game, across, strategies), moves, left_out, players)
        return spreads.finish(found_across, outputs, as_json=as_json)
    options.tell_unseated(strategies, players)
    for n in players:
        question.chosen(n)
        question.experiments([], n)
    question = replace(question, ledger=asked.open_ledger())
    measured = _measure_all(question, moves, players)
    if not measured:
        raise KeyboardInterrupt
    found = study(question, moves, left_out, measured)
    complete = len(measured) == len(players) and not measured[-1].interrupted
    together = _interactions(question, players) if interactions and complete else []
    complete = complete and (not interactions or len(together) == len(players))
    if not complete:
        show.interrupted()
    _write(found, together, outputs)
    if as_json:
        more = {"interactions": [i.as_dict() for i in together]} if interactions else {}
        show.print_json({**found.as_dict(), **more})
    else:
        _print(found, together, asked=bool(metrics))
    return 0 if complete else EXIT_INTERRUPTED


def _measure_all(question: Question, moves: Sequence[Move], players: Sequence[int]) -> list[Measured]:
    """One number of players after the other; what is done when Ctrl-C comes is kept."""
    from simulator.studies.sensitivity import measure  # noqa: PLC0415  needs Numba

    def play(n: int) -> Measured:
        with show.stage(plural(n, "player"), len(moves) * question.games) as told:
            return measure(question, moves, n, told)

    return play_in_turn(players, play, lambda measured: measured.interrupted)


def _refuse_interactions(*, asked: bool) -> None:
    if asked:
        message = "--interactions are those under one strategy; leave out --across, and name the strategy with --strategy NAME."
        raise UserError(message)


def _measure_across(
    question: Question, strategies: Sequence[str], moves: Sequence[Move], left_out: Sequence[LeftOut], players: Sequence[int]
) -> SensitivityAcross:
    from simulator.studies.sensitive_across import sensitivity_across  # noqa: PLC0415  needs Numba

    with show.compiling_note():
        return sensitivity_across(question, strategies, moves, left_out, players, show.stage)


def _interactions(question: Question, players: Sequence[int]) -> list[Interactions]:
    from simulator.studies.interactions import interactions_of, playouts_of  # noqa: PLC0415  only where it is asked for

    def play(n: int) -> Interactions:
        with show.stage(f"{plural(n, 'player')}, together", playouts_of(question)) as told:
            return interactions_of(question, n, told)

    return play_in_turn(players, play, lambda _: False)


# ---------------------------------------------------------------- what the terminal shows


def _print(found: Sensitivity, together: Sequence[Interactions], *, asked: bool) -> None:
    from simulator.rules import brief_text  # noqa: PLC0415  needs pydantic

    console = show.console()
    first = found.tables[0].baseline
    console.print(f"{first.game.title}: every constant moved alone, on the same draws", style="bold", markup=False)
    for sentence in found.target_texts:
        show.paragraph(sentence)
    _print_overturned(found)
    for measured in found.tables:
        _print_measured(found, measured, asked=asked)
    for one in together:
        _print_interactions(one)
    for sentence in found.quiet_texts:
        show.paragraph(sentence)
    for left in found.left_out:
        show.paragraph(f"Left out: {left.key}{'' if left.to is None else f' = {brief_text(left.to)}'}. {left.reason}")
    kind = "confidence sequences" if found.sequential else "intervals"
    show.paragraph(
        f"Differences: moved less unmoved, with 95% {kind}, shares in percentage points. Shown are those that remain when all"
        " effects are judged together (Benjamini-Hochberg, at most 5% false discoveries), with intervals that are wider for having"
        " been picked: of those that are shown at most 5% miss, on average (Benjamini-Yekutieli).",
        style="dim",
    )


def _print_overturned(found: Sensitivity) -> None:
    doubtful = [o for o in found.overturned if o.move.doubtful]
    sure = [o for o in found.overturned if not o.move.doubtful]
    show.paragraph(found.headline)
    _print_moves(doubtful)
    if found.open:
        show.paragraph("Open:")
        for one in found.open[:MOST_ROWS]:
            show.paragraph(one.text, indent="  ")
        if len(found.open) > MOST_ROWS:
            show.paragraph(f"and {len(found.open) - MOST_ROWS} more; --report and --json have them all.", indent="  ")
    if sure:
        show.paragraph("Constants of the rulebook that overturn one, moved by one step or left out:")
        _print_moves(sure)


def _print_moves(overturned: Sequence[Overturned]) -> None:
    """Each conclusion once, and below it what overturns it."""
    from simulator.studies.conclusions import by_conclusion  # noqa: PLC0415  needs Numba

    for moves in by_conclusion(overturned):
        show.paragraph(f"As it is with {plural(moves[0].players, 'player')}: {moves[0].conclusion}. Moved:", indent="  ")
        for o in moves:
            show.paragraph(f"{o.move.text} ({o.move.source}){', left out' * o.move.leaves_out}: {o.instead}.", indent="    ")


def _print_measured(found: Sensitivity, measured: Measured, *, asked: bool) -> None:
    moves = len(measured.moved)
    each = ranged((tally.games for tally in measured.moved.values()), "playout")
    took = f"{measured.elapsed_s:.0f} s ({measured.playouts / max(measured.elapsed_s, 1e-9):,.0f} playouts/s), digest {measured.digest}"
    show.paragraph(f"{plural(measured.players, 'player')}: {plural(moves, 'move')}, {each} of each, {took}")
    if measured.precise is False:
        show.paragraph("Not every difference became as precise as was asked for; ask for more --games.")
    for metric in measured.metrics:
        ranked = found.ranked(metric.name, measured.players)
        rows = [[e for e in effects if e.significant] for effects in ranked if any(e.significant for e in effects)]
        base = estimate_text(found.estimate(metric, measured.unmoved))
        if not rows:
            if found.worth_showing(metric):
                show.paragraph(f"{metric.label}, as it is {base}: no effect of a constant is found.")
            continue
        shown = rows if asked else rows[:MOST_ROWS]
        show.console().print(_table(f"{metric.label}, as it is {base}", [e for effects in shown for e in effects]))
        if len(shown) < len(rows):
            show.paragraph(f"and {len(rows) - len(shown)} more constants; --metric {metric.name} shows all.")


def _table(title: str, effects: Sequence[Effect]) -> Any:
    from rich.text import Text  # noqa: PLC0415  only where a table is shown

    from simulator.rules import brief_text  # noqa: PLC0415  needs pydantic

    table = show.new_table("Constant", "From", "To", "Source", "Effect", "Interval", right=(4,))
    table.title = Text(title, style="bold")  # brackets in it are no markup
    last = None
    for e in effects:
        best, _, interval = difference_text(e.difference.estimate).partition("\n")
        key, start = ("", "") if e.move.key == last else (e.move.key, brief_text(e.move.start))
        show.add_row(table, key, start, brief_text(e.move.to), e.move.source if key else "", best, interval)
        last = e.move.key
    return table


def _print_interactions(one: Interactions) -> None:
    table = show.new_table("Constant", "Range", "Alone", "With others", right=(2, 3))
    table.title = f"Of the variance in {one.metric.label}, {plural(one.players, 'player')}: all numbers moved together"
    for index in one.indices:
        show.add_row(
            table, index.key, index.range_text, *(f"{figure(share, BRIEF)} {interval(share, BRIEF)}" for share in index.shares.values())
        )
    show.console().print(table)
    show.paragraph(f"{one.finding}")


def _write(found: Sensitivity, together: Sequence[Interactions], outputs: Outputs) -> None:
    if outputs.any:
        from reports import sensitivities  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        made = sensitivities.page
        outputs.write(lambda: made(found, together, options.command_line()), lambda: sensitivities.frame(found.effects), "Effects")
