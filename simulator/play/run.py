"""Running an experiment: a plan of batches, an executor, a tally, a result."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from simulator import registry
from simulator.errors import UserError
from simulator.game import first_outcome, metric_named
from simulator.numbers import number_text, read_number
from simulator.play.experiment import Experiment
from simulator.rules import build_rules
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_advantage, estimate_metric, simultaneous, variance_of
from simulator.stats.sequences import TUNED_FOR, Width, advantage_sequence, boundary, half_width, sequence_of
from simulator.stats.shares import check_width

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.play.executors import Workers
    from simulator.play.ledger import Ledger
    from simulator.stats.sequences import Tuned
    from simulator.stats.tally import Tally

MAX_SEED = 2**64 - 1
MAX_GAMES = 2**53

Progress = Callable[[int, "Tally | None"], None]
"""Called as the run goes on with the playouts begun or done, and the tally of those done in order.

Without a tally, nothing was played for those since the last call: the run begins, or the ledger had them.
"""


@dataclass(frozen=True)
class Result:
    """What a run found out.

    Attributes:
        experiment: the question.
        asked: how many playouts were asked for.
        tally: what was counted.
        elapsed_s: seconds from the first playout to the last.
        interrupted: whether it was stopped before all were played.
        precision: the stopping rule, if there was one.
        precise: whether that rule ended the run.
    """

    experiment: Experiment
    asked: int
    tally: Tally
    elapsed_s: float
    interrupted: bool = False
    precision: Precision | None = None
    precise: bool = False

    @property
    def games(self) -> int:
        """Playouts counted."""
        return self.tally.games

    @property
    def digest(self) -> str:
        """Hash of all counts; the same for the same experiment on any machine and any number of workers."""
        return self.tally.digest

    @property
    def unfinished(self) -> int:
        """Playouts that the turn cap ended."""
        return self.tally["unfinished"].moments()[0]

    @property
    def sequential(self) -> bool:
        """Whether all intervals are confidence sequences: when it ended was not fixed beforehand."""
        return self.precision is not None or self.interrupted

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """Metric to estimate, in the game's order.

        Where every seat plays for itself, the outcomes' intervals hold all at once. Where a precision was asked for, or the
        run was interrupted, the intervals are confidence sequences, which hold whenever a run stops.
        """
        metrics = self.experiment.metrics
        if self.sequential:
            return {m.name: estimate_so_far(self.experiment, m, self.tally, self.asked, self.precision) for m in metrics}
        return {m.name: estimate_metric(m, self.tally[m.name], confidence_of(self.experiment, m)) for m in metrics}

    @cached_property
    def first_player_advantage(self) -> Estimate | None:
        """Seat 0's share of wins less an equal share; None where all win or lose together, or nobody else sits there.

        As for the estimates, the interval is a confidence sequence where the number of playouts was not fixed beforehand.
        """
        game, players = self.experiment.game, self.experiment.players
        if game.cooperative or players == 1:
            return None
        wins = [self.tally[name].moments()[0] for name in game.verdict(players)]
        if not self.sequential:
            return estimate_advantage(wins[0], sum(wins), self.games, players)
        tuned_for = _tuned(self.experiment, first_outcome(self.experiment.metrics), self.asked, self.precision)
        return advantage_sequence(wins[0], sum(wins), self.games, players, tuned_for=tuned_for)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "experiment": self.experiment.as_dict(),
            "games": self.games,
            "unfinished": self.unfinished,
            "digest": self.digest,
            "elapsed_s": self.elapsed_s,
            "games_per_s": self.games / self.elapsed_s if self.elapsed_s > 0 else None,
            "estimates": {name: e.as_dict() for name, e in self.estimates.items()},
            "distributions": {
                name: {str(v): c for v, c in h.as_dict().items()} for name, h in zip(self.tally.names, self.tally.histograms, strict=True)
            },
        }


def confidence_of(experiment: Experiment, metric: Metric) -> float:
    """Where every seat plays for itself the outcomes are shown at once, and their intervals hold at once."""
    outcomes = sum(m.outcome for m in experiment.metrics)
    return simultaneous(outcomes) if metric.outcome and not experiment.game.cooperative else CONFIDENCE


def estimate_so_far(experiment: Experiment, metric: Metric, tally: Tally, asked: int, precision: Precision | None = None) -> Estimate:
    """What a run says about a metric wherever it stands: with a confidence sequence, which holds however often one looks.

    Args:
        experiment: the question.
        metric: one of its metrics.
        tally: what was counted so far.
        asked: the most playouts that there may be.
        precision: the stopping rule, if there is one.
    """
    tuned_for = _tuned(experiment, metric, asked, precision)
    return sequence_of(metric, tally[metric.name], confidence_of(experiment, metric), tuned_for=tuned_for)


def _tuned(experiment: Experiment, metric: Metric, asked: int, precision: Precision | None) -> Tuned:
    """Where the sequence of a metric is narrowest: at the width asked for, which the outcomes have alike."""
    if precision is not None:
        aimed = precision.metric_of(experiment)
        if metric.name == aimed.name or (metric.outcome and aimed.outcome):
            return Width(precision.half_width)
    return min(asked, TUNED_FOR)


def make_experiment(
    game: str | Game, *, players: int = 4, strategies: Sequence[str] = (), rules: Mapping[str, Any] | None = None, seed: int = 1
) -> Experiment:
    """Freeze a question.

    Args:
        game: a game, its name, or the path of its file.
        players: how many sit at the table.
        strategies: one for everybody, or several that are seated in turn; none means the game's default.
        rules: dotted key to value, for what differs from the rules as shipped.
        seed: key of all random draws, 0 to 2**64 - 1.

    Raises:
        UserError: something of it does not exist or is not possible.
    """
    known = registry.game(game)
    low, high = known.players
    if not low <= players <= high:
        message = f"{known.title} is for {low} to {high} players, not {players}."
        raise UserError(message)
    if not 0 <= seed <= MAX_SEED:
        message = f"The seed has to be between 0 and 2**64 - 1, not {seed}."
        raise UserError(message)
    built = build_rules(known.rules, rules)
    cast = [registry.player(known, text) for text in (strategies or [known.default_strategy])]
    return Experiment(known, built, tuple(cast[seat % len(cast)] for seat in range(players)), seed)


@dataclass(frozen=True)
class Precision:
    """A stopping rule: play until the interval of one metric, or of every outcome, is narrow enough.

    Attributes:
        half_width: in the metric's unit; for a share 0.001 is a tenth of a percentage point.
        metric: name of the metric; none means all outcomes.
    """

    half_width: float
    metric: str | None = None

    @classmethod
    def read(cls, text: str) -> Precision:
        """Read a half-width and, behind a colon, its metric.

        >>> Precision.read("0.1%"), Precision.read("0.05:turns")
        (Precision(half_width=0.001, metric=None), Precision(half_width=0.05, metric='turns'))

        Raises:
            UserError: it is no such thing.
        """
        width, _, metric = text.partition(":")
        half = read_number(width)
        if not 0 < half < math.inf:
            message = f"'{text}' is no precision; write a positive number such as 0.001, or 0.05:turns."
            raise UserError(message)
        return cls(half, metric.strip() or None)

    def metric_of(self, experiment: Experiment) -> Metric:
        """The metric that has to become precise; the game's first outcome where none is named.

        Raises:
            UserError: the experiment has no such metric, or no interval of it is as wide as that.
        """
        metric = metric_named(experiment.metrics, self.metric) if self.metric else first_outcome(experiment.metrics)
        self.check(metric)
        return metric

    def check(self, metric: Metric) -> None:
        """Refuse a width that says nothing about a metric.

        Raises:
            UserError: it is as wide as a share can be, or was written in percent where there is no share.
        """
        width = number_text(self.half_width)
        behind, more = (f":{self.metric}", "") if self.metric else ("", f", or {width}:METRIC for a metric that is no share")
        check_width(self.half_width, f"--precision {width}{behind}", share=metric.kind == "share", more=more)

    def metrics_of(self, experiment: Experiment) -> tuple[Metric, ...]:
        """All metrics that have to become precise: the named one, or every outcome, which are shown side by side.

        Raises:
            UserError: as `metric_of`.
        """
        named = self.metric_of(experiment)
        return (named,) if self.metric else tuple(m for m in experiment.metrics if m.outcome)

    def reached(self, experiment: Experiment, tally: Tally, asked: int) -> bool:
        """Whether what was counted so far is precise enough, by the intervals that are shown."""
        so_far = (estimate_so_far(experiment, m, tally, asked, self) for m in self.metrics_of(experiment))
        return all(half_width(estimate) <= self.half_width for estimate in so_far)

    def playouts_needed(self, experiment: Experiment, tally: Tally, asked: int) -> int:
        """About how many playouts it will take in all, as far as can be told; `asked` at most."""
        n, most = tally.games, 0.0
        for metric in self.metrics_of(experiment):
            variance = variance_of(*tally[metric.name].moments(), n) if n > 1 else math.inf
            reach = boundary(1, confidence_of(experiment, metric), 1) / self.half_width
            most = max(most, reach * reach * variance)
        return int(min(asked, max(n, most)))


def run_experiment(
    experiment: Experiment,
    games: int,
    *,
    first: int = 0,
    precision: Precision | None = None,
    ledger: Ledger | None = None,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Result:
    """Play an experiment. Ctrl-C keeps what is done.

    Args:
        experiment: the question.
        games: how many playouts, 1 to 2**53; with a precision, how many at most.
        first: number of the first playout; the last one has to stay below 2**53.
        precision: stop as soon as this is reached; looked at after each batch, in long runs after each group of batches,
            in the order of the plan, so that neither the number of workers nor a ledger matters.
        ledger: where finished batches are remembered; those it holds are not played again.
        workers: how many threads, or a cluster; as many threads as there are processors if not given. It does not change
            the result.
        progress: called now and then.

    Raises:
        UserError: `games` or `workers` is out of range, or a strategy is refused.
        MisbehaviourError: a strategy or the game broke its contract while playing.
        KeyboardInterrupt: interrupted before the first batch was complete.
    """
    from simulator.play.collect import collect  # noqa: PLC0415  importing Numba takes a third of a second
    from simulator.play.executors import Job, TallyWorker, check_workers  # noqa: PLC0415
    from simulator.play.rehearsal import rehearse  # noqa: PLC0415

    _check_range(games, first)
    check_workers(workers)
    if precision is not None:
        precision.metric_of(experiment)
    rehearse(experiment)
    enough = None if precision is None else lambda tally: precision.reached(experiment, tally, games)
    job = Job(TallyWorker, (experiment,))
    result = collect(job, range(first, first + games), enough=enough, workers=workers, ledger=ledger, progress=progress)
    return Result(experiment, games, result.part, result.elapsed_s, result.interrupted, precision, result.enough)


def _check_range(games: int, first: int) -> None:
    if not 1 <= games <= MAX_GAMES:
        message = f"The number of games has to be between 1 and {MAX_GAMES:,}, not {games:,}."
        raise UserError(message)
    if not 0 <= first <= MAX_GAMES - games:
        message = f"The first playout has to be between 0 and {MAX_GAMES - games:,} for that number of games, not {first:,}."
        raise UserError(message)


class Table(TypedDict, total=False):
    """Who sits at a table and by which rules: the keywords of `make_experiment` beside the game."""

    players: int
    strategies: Sequence[str]
    rules: Mapping[str, Any] | None
    seed: int


def run(
    game: str | Game,
    *,
    games: int = 100_000,
    precision: Precision | None = None,
    ledger: Ledger | None = None,
    workers: Workers = None,
    progress: Progress | None = None,
    **table: Unpack[Table],
) -> Result:
    """Play `games` playouts and count what happened.

    Args:
        game: a game, its name or the path of its file.
        games: as the others up to `progress` for `run_experiment`.
        precision: see there.
        ledger: see there.
        workers: see there.
        progress: see there.
        **table: players, strategies, rules and seed, as for `make_experiment`.

    Raises:
        UserError: something of it does not exist or is not possible.

    >>> run("grinchmas", players=3, games=1000, strategies=["uniform"]).games
    1000
    """
    experiment = make_experiment(game, **table)
    return run_experiment(experiment, games, precision=precision, ledger=ledger, workers=workers, progress=progress)
