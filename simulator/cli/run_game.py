"""`simulate GAME`: play a game and print what happened."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator import registry
from simulator.cli import options, show
from simulator.cli.exits import EXIT_INTERRUPTED
from simulator.cli.in_turn import play_in_turn
from simulator.cli.outputs import Outputs, output_options
from simulator.cli.report_studies import Beside, chapters
from simulator.document.figures import advantage_text, estimate_text
from simulator.document.language import plural
from simulator.errors import UserError, nearest
from simulator.game import first_outcome
from simulator.stats.shares import number_text

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.play.run import Precision, Result
    from simulator.stats.tally import Tally

DEFAULT_GAMES = 100_000


pace_option = click.option(
    "--pace",
    type=click.FloatRange(0.1, 86_400),
    metavar="SECONDS",
    help="How long a turn takes at the table, for the report's minutes; the game's own guess unless given.",
)
full_option = click.option("--full", is_flag=True, help="Find out for the report which rules matter as well; takes longer.")


def game_command(name: str) -> click.Command:
    """The command that runs the game `name`."""

    @click.command(name, help=f"{registry.game_summary(name)}\n\nPlay it and print what happened.", short_help=registry.game_summary(name))
    @options.add(
        click.option(
            "--players", type=options.Players(), default="4", show_default=True, help="How many, or a range: each of them is played."
        ),
        click.option(
            "--games",
            type=options.count(),
            default=DEFAULT_GAMES,
            help="Playouts for each number of players: 1e6, 250k, 2M; 100k unless given.",
        ),
        options.strategy_option,
        options.set_option,
        options.rules_option,
        options.seed_option,
        options.precision_option,
        options.ledger_option,
        options.workers_option,
        click.option(
            "--metric", "metrics", multiple=True, metavar="NAME", help="Metric to print in place of the headlines; 'all' for every one."
        ),
        output_options("the distributions"),
        full_option,
        pace_option,
        options.json_option,
    )
    def command(**chosen: Any) -> int:
        return _run(name, **chosen)

    return command


def _run(  # noqa: PLR0913, PLR0917  one argument per option
    name: str,
    players: tuple[int, ...],
    games: int,
    strategies: tuple[str, ...],
    assignments: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    precision: Precision | None,
    ledger_file: Path | None,
    workers: Any,
    metrics: tuple[str, ...],
    outputs: Outputs,
    pace: float | None,
    *,
    full: bool,
    as_json: bool,
) -> int:
    from simulator.play.run import make_experiment  # noqa: PLC0415  what follows needs NumPy

    game = registry.game(name)
    overrides = options.gather_rules(game, rules_file, assignments)
    experiments = [make_experiment(game, players=n, strategies=strategies, rules=overrides, seed=seed) for n in players]
    chosen = _chosen_metrics(experiments, metrics)
    options.tell_unseated(strategies, players)
    _check_asked(outputs, full=full, pace=pace)
    outputs.check()
    for sentence in experiments[0].rules.notes():
        show.note(sentence)
    with options.opened_ledger(ledger_file) as ledger:
        results = play(experiments, games, precision, ledger, workers)
    if not results:
        raise KeyboardInterrupt
    write_report(results, outputs, Beside(strategies, overrides, full, workers), pace)  # before anything is printed: see there
    if as_json:
        show.print_json({"results": [result.as_dict() for result in results]})
    else:
        _print(results, chosen)
    return EXIT_INTERRUPTED if len(results) < len(players) or results[-1].interrupted else 0


def _check_asked(outputs: Outputs, *, full: bool, pace: float | None) -> None:
    """Refuse what would have no effect."""
    paged = outputs.report or outputs.png or outputs.svg or outputs.csv
    for option, given in (("--full", full), ("--pace", pace is not None)):
        if given and not paged:
            message = f"{option} is about the report, and none is asked for; add --report FILE.html."
            raise UserError(message)


def _chosen_metrics(experiments: Sequence[Experiment], asked: tuple[str, ...]) -> list[str]:
    """Names of the metrics to print, in the game's order where none is named."""
    widest_first = sorted(experiments, key=lambda e: -len(e.metrics))  # what there is for each seat stays together
    metrics = {m.name: m for e in widest_first for m in e.metrics}
    known = list(metrics)
    if not asked:
        return [name for name, m in metrics.items() if m.headline]
    if "all" in asked:
        return known
    for name in asked:
        if name not in known:
            message = f"There is no metric '{name}'{nearest(name, known)}; there are {', '.join(known)}."
            raise UserError(message)
    return list(asked)


def play(experiments: Sequence[Experiment], games: int, precision: Precision | None, ledger: Ledger | None, workers: Any) -> list[Result]:
    """Run one experiment after the other; what is done when Ctrl-C comes is kept."""
    from simulator.play.run import run_experiment  # noqa: PLC0415  needs Numba

    def play(experiment: Experiment) -> Result:
        with (
            show.compiling_note(),
            show.progress_bar(_seated(experiment), games, partial(_so_far, experiment, games, precision)) as progress,
        ):
            return run_experiment(experiment, games, precision=precision, ledger=ledger, workers=workers, progress=progress)

    results = play_in_turn(experiments, play, lambda result: result.interrupted)
    if results and (len(results) < len(experiments) or results[-1].interrupted):
        cut = " The intervals of what was cut short hold whenever one stops, and are wider." if results[-1].interrupted else ""
        show.note(f"Interrupted; what was finished is shown: {_playouts(sum(r.games for r in results))}.{cut}")
    return results


def _so_far(experiment: Experiment, games: int, precision: Precision | None, tally: Tally) -> tuple[str, int]:
    """What is known, with an interval that holds however often one looks, and about how many playouts there will be."""
    from simulator.play.run import estimate_so_far  # noqa: PLC0415  needs NumPy

    metric = first_outcome(experiment.metrics)
    told = f"{metric.label} {estimate_text(estimate_so_far(experiment, metric, tally, games, precision))}"
    return told, games if precision is None else precision.playouts_needed(experiment, tally, games)


def _print(results: Sequence[Result], metrics: list[str]) -> None:
    from simulator.stats.estimate import intervals_named  # noqa: PLC0415  only where a table is shown
    from simulator.stats.unfinished import unfinished_of  # noqa: PLC0415

    first = results[0].experiment
    if any(r.unfinished for r in results) and "unfinished" not in metrics:
        metrics = [*metrics, "unfinished"]
    console = show.console()
    changed = _changed(first)
    console.print(f"{first.game.title}, rules {f'changed: {changed}' if changed else 'as shipped'}", markup=False, soft_wrap=True)
    for table in show.results_tables(results, metrics, console.width):
        console.print(table)
    labels = [p.label for p in max(results, key=lambda r: r.experiment.players).experiment.lineup]
    seats = f"strategy {labels[0]}" if len(set(labels)) == 1 else f"strategies by seat {', '.join(labels)}"
    elapsed = sum(r.elapsed_s for r in results)
    games = sum(r.games for r in results)
    console.print(
        f"{_playouts(games)}, {seats}, seed {first.seed}, {elapsed:.1f} s ({games / elapsed:,.0f} playouts/s)",
        markup=False,
        soft_wrap=True,
    )
    for r in results:
        console.print(f"{_seated(r.experiment)}: {_playouts(r.games)}, digest {r.digest}", markup=False)
    for r in results:
        if remark := unfinished_of(r.tally).remark(f"with {_seated(r.experiment)}"):
            show.paragraph(remark)
    for r in results:
        if r.first_player_advantage is not None and not unfinished_of(r.tally).all:
            console.print(f"{_seated(r.experiment)}: {advantage_text(r.first_player_advantage)}", markup=False)
    for r in results:
        if r.precision is not None:
            console.print(f"{_seated(r.experiment)}: {_how_it_ended(r, r.precision)}", markup=False)
    console.print(intervals_named(cooperative=first.game.cooperative, sequential=any(r.sequential for r in results)), style="dim")


def _how_it_ended(result: Result, precision: Precision) -> str:
    """Which of the two ended a run that was to become precise."""
    metrics = precision.metrics_of(result.experiment)
    wanted = f"{'every outcome' if metrics[1:] else metrics[0].label} to {number_text(precision.half_width)} either way"
    if result.precise:
        return f"precise enough ({wanted}) after {_playouts(result.games)}"
    if result.interrupted:
        return f"interrupted before it was precise enough ({wanted}), after {_playouts(result.games)}"
    return f"not precise enough ({wanted}) within {_playouts(result.asked)}; ask for more --games"


def _playouts(n: int) -> str:
    return plural(n, "playout")


def _seated(experiment: Experiment) -> str:
    return plural(experiment.players, "player")


def _changed(experiment: Experiment) -> str:
    from simulator.rules import constants, to_text  # noqa: PLC0415  needs pydantic

    return ", ".join(f"{c.key}={to_text(c.value)}" for c in constants(experiment.rules) if c.changed)


@show.told_at_the_end()
def write_report(results: Sequence[Result], outputs: Outputs, beside: Beside, pace: float | None) -> None:
    """Play what the report needs beside the run, and write what was asked for.

    That has to come before anything is printed: a closed pipe must not cost the report.

    Raises:
        UserError: a file cannot be written.
    """
    if not outputs.any:
        return
    import reports  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

    paged = outputs.report or outputs.png or outputs.svg or outputs.csv
    more = chapters(results, beside) if paged else []
    if outputs.report is not None:
        reports.write_page(outputs.report, results, options.command_line(), more, pace)
        show.note(f"Report written to {outputs.report}.")
    for folder, write, thing in (
        (outputs.png, reports.write_pngs, "Picture"),
        (outputs.svg, reports.write_svgs, "Picture"),
        (outputs.csv, reports.write_csvs, "Table"),
    ):
        for path in write(folder, results, more, pace) if folder is not None else ():
            show.note(f"{thing} written to {path}.")
    if outputs.save is not None:
        reports.save_table(outputs.save, results)
        show.note(f"Distributions written to {outputs.save}.")
