"""`simulate sweep GAME`: what happens as rule constants run through values?"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import options, show
from simulator.cli.exits import EXIT_INTERRUPTED
from simulator.cli.outputs import Outputs, output_options
from simulator.document.figures import difference_text, estimate_text
from simulator.document.language import plural, ranged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simulator.game import Metric
    from simulator.play.run import Precision
    from simulator.studies.sweep import Plan, Point, Sweep

DEFAULT_GAMES = 50_000
MOST_CHARTED = 2
MOST_NOTES = 5


@click.command("sweep", short_help="Show what happens as rule constants run through values.")
@options.game_argument
@options.several(
    "--vary", "ranges", of="KEY=LOW:HIGH[:STEP] | KEY=A,B,C", required=True, what="A rule constant and its values; several make a grid."
)
@options.players_option("the grid for each.")
@options.games_option(DEFAULT_GAMES, "Playouts of each point, or the most of them; 50k unless given.")
@options.precision_option
@options.strategy_option
@options.asked_options
@options.metric_option("show")
@click.option("--yes", "consent", is_flag=True, help="Play a grid of over 10,000 points.")
@output_options("all points")
@options.json_option
def command(  # noqa: PLR0913, PLR0917  one argument per option
    game: Any,
    ranges: tuple[str, ...],
    players: tuple[int, ...],
    games: int,
    precision: Precision | None,
    strategies: tuple[str, ...],
    asked: options.Asked,
    metrics: tuple[str, ...],
    consent: bool,  # noqa: FBT001  click gives it by name
    outputs: Outputs,
    *,
    as_json: bool,
) -> int:
    """Play every combination of the values and the rules as they are, all on the same playouts.

    A difference is a point less the rules as they are, by pairs of playouts: its interval is usually narrower than that
    between independent runs.
    """
    from simulator.studies.axes import parse_axis  # noqa: PLC0415  needs Numba
    from simulator.studies.sweep import plan_sweep  # noqa: PLC0415

    axes = [parse_axis(text) for text in ranges]
    plan = plan_sweep(game, axes, players=players, rules=asked.rules, strategies=strategies, seed=asked.seed, consent=consent)
    chosen = _chosen(plan, metrics)
    options.tell_unseated(strategies, players)
    outputs.check()
    found = _play(plan, games, precision, workers=asked.workers, ledger=asked.open_ledger())
    _tell(found)
    _write(found, chosen, outputs)
    if as_json:
        show.print_json(found.as_dict())
    else:
        _print(found, chosen)
    return EXIT_INTERRUPTED if found.interrupted else 0


def _chosen(plan: Plan, names: Sequence[str]) -> list[Metric]:
    """The metrics to show, as they are where most sit at the table."""
    from simulator.studies.comparisons import chosen_metrics  # noqa: PLC0415  needs Numba

    baseline, _ = plan.grids[-1]
    return chosen_metrics(baseline.metrics, names, {})


def _play(plan: Plan, games: int, precision: Precision | None, **how: Any) -> Sweep:
    from simulator.studies.sweep import play_sweep  # noqa: PLC0415  needs Numba

    with show.stage(plural(plan.size, "point"), plan.size * games) as progress:
        return play_sweep(plan, games, precision=precision, progress=progress, **how)


def _tell(found: Sweep) -> None:
    """Notes on what the points have in common, and on what is missing."""
    notes = Counter(sentence for p in found.points for sentence in p.result.experiment.rules.notes())
    for sentence, points in notes.most_common(MOST_NOTES):
        show.note(sentence if points == len(found.points) else f"At {points} of {plural(len(found.points), 'point')}: {sentence}")
    if len(notes) > MOST_NOTES:
        show.note(f"There are {len(notes) - MOST_NOTES} more remarks on the rules of some points.")
    if found.imprecise and not found.interrupted:
        show.note(f"At {plural(found.imprecise, 'point')} the precision was not reached; ask for more --games.")
    if found.interrupted:
        fewer = sum(p.result.interrupted for p in found.points)
        rest = f", {fewer} of them after fewer playouts" if fewer else ""
        show.note(f"Interrupted; what was finished is shown: {len(found.points)} of {plural(found.planned, 'point')}{rest}.")


def _print(found: Sweep, metrics: Sequence[Metric]) -> None:
    first = found.baselines[0].result.experiment
    console = show.console()
    games = ranged((p.result.games for p in found.points), "playout")
    seated = f"{plural(first.players, 'player')}, " if len(found.baselines) == 1 else ""
    console.print(
        f"{first.game.title}: {seated}{plural(len(found.points), 'point')}, {games} of each on the same draws",
        markup=False,
        soft_wrap=True,
    )
    for metric in _with_unfinished(found, metrics):
        console.print(_table(found, metric))
    for remark in found.remarks:
        show.paragraph(remark)
    labels = [p.label for p in found.baselines[-1].result.experiment.lineup]
    seats = f"strategy {labels[0]}" if len(set(labels)) == 1 else f"strategies by seat {', '.join(labels)}"
    about = f"{seats}, seed {first.seed}, {found.elapsed_s:.1f} s, digest {found.digest}"
    console.print(about, markup=False, soft_wrap=True)
    kind = "confidence sequences" if found.sequential else "intervals"
    baseline = f"Difference: from the rules {found.baseline_name} ({found.baselines[0].name}), by pairs of playouts"
    console.print(f"{baseline}; 95% {kind}, each for itself.", style="dim", markup=False)


def _with_unfinished(found: Sweep, metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics to show, and the unfinished playouts where there are any."""
    every = found.points[0].metrics
    some = any(p.result.unfinished for p in found.points) and all(m.name != "unfinished" for m in metrics)
    return [*metrics, *(m for m in every if some and m.name == "unfinished")]


def _table(found: Sweep, metric: Metric) -> Any:
    """One metric at every point, and at the baseline where no point is the baseline."""
    several = len(found.baselines) > 1
    unit = "" if metric.unit == "share" or metric.unit.lower() == metric.label.lower() else f" ({metric.unit})"
    gap = "Difference (points)" if metric.unit == "share" else "Difference"
    keys = [axis.key for axis in found.axes]
    columns = [*["Players"] * several, *keys, "Estimate", gap]
    numeric = [i for i, key in enumerate(keys, several) if all(_is_number(p.setting[key]) for p in found.points)]
    right = [*range(several), *numeric, len(columns) - 2, len(columns) - 1]
    table = show.new_table(*columns, title=f"{metric.label}{unit}", right=right)
    for point in found.lines:
        if metric.name in point.result.estimates:
            show.add_row(table, *_cells(found, point, metric, several=several))
    return table


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cells(found: Sweep, point: Point, metric: Metric, *, several: bool) -> tuple[str, ...]:
    from simulator.rules import to_text  # noqa: PLC0415  needs pydantic

    values = [to_text(value) for value in point.setting.values()]
    players = [str(point.players)] * several
    estimate = estimate_text(point.result.estimates[metric.name])
    if point.is_baseline:
        return *players, *values, estimate, found.baseline_name
    return *players, *values, estimate, difference_text(point.differences[metric.name]).replace("\n", " ")


def _write(found: Sweep, metrics: Sequence[Metric], outputs: Outputs) -> None:
    if not outputs.any:
        return
    from reports import sweeps  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

    if len(found.axes) > MOST_CHARTED and (outputs.report or outputs.png or outputs.svg):
        show.note(f"There is no chart of {len(found.axes)} constants at once; vary one or two of them to have one.")
    outputs.write(lambda: sweeps.page(found, metrics, options.command_line()), lambda: sweeps.frame(found), "Points")
