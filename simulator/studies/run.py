"""`simulate GAME`: play a game and say what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from simulator.document.chapters import Cell, Table
from simulator.document.document import Document
from simulator.document.figures import advantage_text, estimate_text
from simulator.document.language import plural
from simulator.game import chosen_metrics, first_outcome
from simulator.numbers import number_text, read_pace
from simulator.play.run import Result, estimate_so_far, run_experiment
from simulator.rules import constants, to_text
from simulator.stats.estimate import intervals_named
from simulator.stats.unfinished import unfinished_of
from simulator.studies.options import count, flag, option, precision, texts
from simulator.studies.study import Study

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.experiment import Experiment
    from simulator.play.resources import Resources
    from simulator.play.run import Precision
    from simulator.stats.tally import Tally


@dataclass(frozen=True)
class RunPlan:
    """What is played with one number of players: the experiment, and how many playouts of it, at most."""

    experiment: Experiment
    size: int


@dataclass(frozen=True)
class Run(Study[RunPlan, Result]):
    """Play it and print what happened."""

    games: int = count(100_000, "Playouts for each number of players: 1e6, 250k, 2M; 100k unless given.")
    precision: Precision | None = precision(
        "Stop as soon as the interval is this narrow to each side, such as 0.001, 0.1% or 0.05:turns; --games is the most."
    )
    metrics: tuple[str, ...] = texts("Metric to print in place of the headlines; 'all' for every one.", "NAME", "--metric")
    full: bool = flag("Find out for the report which rules matter as well; takes longer.", page_only=True)
    pace: float | None = option(
        None,
        "text",
        "How long a turn takes at the table, for the report's minutes, such as 30s or 2min; the game's own guess unless given.",
        written="SECONDS | 2min",
        read=read_pace,
        page_only=True,
    )

    each_number: ClassVar[str] = "each of them is played."
    saved: ClassVar[str] = "distributions"

    @cached_property
    def plans(self) -> tuple[RunPlan, ...]:
        """An experiment for each number of players.

        Raises:
            UserError: something of it does not exist or is not possible.
        """
        experiments = [self.setup.experiment(n) for n in self.setup.players]
        self._shown(experiments)
        if self.precision is not None:
            for experiment in experiments:
                self.precision.metric_of(experiment)
        return tuple(RunPlan(experiment, self.games) for experiment in experiments)

    def _shown(self, experiments: Sequence[Experiment]) -> list[Metric]:
        """The metrics to print: what there is for each seat stays together."""
        widest_first = sorted(experiments, key=lambda e: -len(e.metrics))
        return chosen_metrics([*{m.name: m for e in widest_first for m in e.metrics}.values()], self.metrics)

    def notes(self) -> Sequence[str]:
        """What a designer should know about the rules."""
        return self.plans[0].experiment.rules.notes()

    def play_part(self, plan: RunPlan, resources: Resources) -> Result:
        """Play one number of players.

        Raises:
            UserError: a strategy is refused or broke its contract.
            KeyboardInterrupt: interrupted before the first batch was complete.
        """
        so_far = partial(_so_far, plan.experiment, self.games, self.precision)
        with resources.collecting(_seated(plan.experiment), plan.size, so_far) as how:
            return run_experiment(plan.experiment, self.games, precision=self.precision, **how)

    def interruption(self, parts: Sequence[Result]) -> str:
        """What was played until Ctrl-C, and what its intervals are."""
        cut = " The intervals of what was cut short hold whenever one stops, and are wider." if parts[-1].interrupted else ""
        return f"It rests on {_playouts(sum(part.games for part in parts))}.{cut}"

    def document(self, parts: Sequence[Result]) -> Document:
        """The figures of each number of players, and what is to be said of them; a page has the whole balance report instead."""
        first, shown = parts[0].experiment, self._shown([part.experiment for part in parts])
        if any(part.unfinished for part in parts):
            shown += [m for m in first.metrics if m.name == "unfinished" and m not in shown]
        games, elapsed = sum(part.games for part in parts), sum(part.elapsed_s for part in parts)
        labels = [player.label for player in max(parts, key=lambda part: part.experiment.players).experiment.lineup]
        changed = ", ".join(f"{c.key}={to_text(c.value)}" for c in constants(first.rules) if c.changed)
        return Document(
            first.game,
            "What happened",
            "",
            tuple(self._sentences(parts)),
            tables=(_table(parts, shown),),
            facts=(
                ("Played", f"{_playouts(games)} ({games / elapsed:,.0f} a second)"),
                ("Strategy", labels[0]) if len(set(labels)) == 1 else ("Strategies", f"by seat {', '.join(labels)}"),
            ),
            opening=f"{first.game.title}, rules {f'changed: {changed}' if changed else 'as shipped'}",
            closing=intervals_named(cooperative=first.game.cooperative, sequential=any(part.sequential for part in parts)),
        )

    def _sentences(self, parts: Sequence[Result]) -> Sequence[str]:
        sentences = []
        for part in parts:
            seated, unfinished = _seated(part.experiment), unfinished_of(part.tally)
            sentences.append(unfinished.remark(f"with {seated}"))
            if part.first_player_advantage is not None and not unfinished.all:
                sentences.append(f"{seated}: {advantage_text(part.first_player_advantage)}")
            if part.precision is not None:
                sentences.append(f"{seated}: {_how_it_ended(part, part.precision)}")
        return list(filter(None, sentences))


def _table(parts: Sequence[Result], metrics: Sequence[Metric]) -> Table:
    """A line for each number of players, a column for each metric."""
    columns = (
        "Players",
        *(m.label if m.unit == "share" or m.unit.lower() == m.label.lower() else f"{m.label} ({m.unit})" for m in metrics),
    )
    rows = tuple((Cell(str(part.experiment.players)), *(Cell.of(part.estimates.get(m.name)) for m in metrics)) for part in parts)
    return Table("", "", columns, rows, frozenset(range(len(columns))), name="run")


def _heading(metric: Metric) -> str:
    """What a metric is called, and its unit where that says more."""
    return metric.label if metric.unit == "share" or metric.unit.lower() == metric.label.lower() else f"{metric.label} ({metric.unit})"


def _so_far(experiment: Experiment, games: int, precision: Precision | None, tally: Tally) -> tuple[str, int]:
    """What is known, with an interval that holds however often one looks, and about how many playouts there will be."""
    metric = first_outcome(experiment.metrics)
    known = f"{metric.label} {estimate_text(estimate_so_far(experiment, metric, tally, games, precision))}"
    return known, games if precision is None else precision.playouts_needed(experiment, tally, games)


def _how_it_ended(part: Result, precision: Precision) -> str:
    """Which of the two ended a run that was to become precise."""
    metrics = precision.metrics_of(part.experiment)
    wanted = f"{'every outcome' if metrics[1:] else metrics[0].label} to {number_text(precision.half_width)} either way"
    if part.precise:
        return f"precise enough ({wanted}) after {_playouts(part.games)}"
    if part.interrupted:
        return f"interrupted before it was precise enough ({wanted}), after {_playouts(part.games)}"
    return f"not precise enough ({wanted}) within {_playouts(part.asked)}; ask for more --games"


def _playouts(n: int) -> str:
    return plural(n, "playout")


def _seated(experiment: Experiment) -> str:
    return plural(experiment.players, "player")
