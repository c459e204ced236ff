"""Interactions: the numbers of the rules moved together, and how much of what varies each brings about, alone and with others.

Sobol's indices say which share of the variance of an outcome goes with one constant alone (first order), and which share
would be gone if it were fixed (total, with all its interactions). What a playout's luck adds is in there too. So a dummy is
moved like the constants, which changes nothing but the luck: its total index is what noise alone looks like.

Where there are few combinations all of them are played, several times on the same draws; the indices then follow exactly but
for the luck, and that is taken off, since it is another one each time.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from simulator.errors import RulesError
from simulator.play.executors import side_by_side
from simulator.play.experiment import BATCH
from simulator.play.run import MAX_SEED, make_experiment, run_experiment
from simulator.rules import build_rules
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.studies.axes import Axis, grid_size, usual_values
from simulator.studies.conclusions import conclusion_metrics

if TYPE_CHECKING:
    import numpy as np

    from simulator.game import Metric
    from simulator.play.collect import Progress
    from simulator.rules import Constant
    from simulator.studies.sensitivity import Question

    Levels = tuple[int, ...]

DUMMY = "(luck alone)"
"""The dummy: it chooses between seeds."""

SEEDS = 8
"""As many seeds the dummy chooses between."""

SAMPLES = 128
"""Base points of Sobol's sequence, a power of 2; each is played once, and once more for every constant."""

TIMES = 16
"""How often every combination is played, if there are few, each time on draws of its own."""

RESAMPLES = 200
"""Bootstrap samples behind an index's interval."""


@dataclass(frozen=True)
class Index:
    """The share of the variance that goes with a constant.

    Attributes:
        key: which.
        values: those it took.
        first: what it brings about alone.
        first_reach: half of that one's 95% interval.
        total: what it brings about alone and together with others.
        total_reach: half of that one's 95% interval.
    """

    key: str
    values: Sequence[int]
    first: float
    first_reach: float
    total: float
    total_reach: float

    @property
    def range_text(self) -> str:
        """The values in words."""
        return f"{SEEDS} seeds" if self.key == DUMMY else f"{self.values[0]} to {self.values[-1]}"

    @property
    def shares(self) -> dict[str, Estimate]:
        """Both shares with their intervals, without what no share can be: below nought, or above one."""
        around = {"first": (self.first, self.first_reach), "total": (self.total, self.total_reach)}
        return {
            name: Estimate(min(max(best, 0.0), 1.0), max(best - reach, 0.0), min(best + reach, 1.0), 0, "share")
            for name, (best, reach) in around.items()
        }

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        shares = {name: {"best": e.best, "low": e.low, "high": e.high} for name, e in self.shares.items()}
        return {"key": self.key, "values": [self.values[0], self.values[-1]], **shares}


@dataclass(frozen=True)
class Interactions:
    """What moving the numbers together gave, with one number of players.

    Attributes:
        players: how many sat at the table.
        metric: whose variance is divided up.
        indices: of each constant, the largest total first; the dummy is among them, unless every combination was played.
        points: combinations of values that the indices rest on.
        games: playouts of each.
        mended: share of them of which some constant had to keep its value, since the rules do not allow the combination.
    """

    players: int
    metric: Metric
    indices: tuple[Index, ...]
    points: int
    games: int
    mended: float

    @property
    def floor(self) -> float:
        """What noise alone may look like: the upper end of the dummy's total index; nothing where every combination was played."""
        return max((index.total + index.total_reach for index in self.indices if index.key == DUMMY), default=0.0)

    @property
    def every(self) -> bool:
        """Whether every combination was played."""
        return all(index.key != DUMMY for index in self.indices)

    @property
    def finding(self) -> str:
        """What stands out, in a sentence or two."""
        clear = [i.key for i in self.indices if i.key != DUMMY and i.total - i.total_reach > self.floor]
        lost = [i.key for i in self.indices if i.key != DUMMY and i.key not in clear]
        told = f"Clear of the noise: {', '.join(clear)}." if clear else "Nothing is clear of the noise."
        told += f" Not told apart from nothing: {', '.join(lost)}." if lost else ""
        made = f" {'All ' * self.every}{self.points:,} combinations, {self.games:,} playouts of each."
        mended = f" In {100 * self.mended:.1f}% of them a constant kept its value, since the rules do not allow the combination."
        return told + made + mended * bool(self.mended)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        indices = [index.as_dict() for index in self.indices]
        return {"players": self.players, "metric": self.metric.name, "points": self.points, "games": self.games, "indices": indices}


def axes_together(question: Question) -> list[Axis]:
    """The numbers that are moved: in their plausible range, or one step each way."""
    usual = usual_values(question.game, question.baseline, _wanted)
    return [Axis(c.key, tuple(possible)) for c, possible in usual if len(possible) > 1]


def _wanted(c: Constant) -> Sequence[int]:
    if type(c.value) is not int:
        return ()
    ends = [to for to in c.plausible if type(to) is int] or [c.value - 1, c.value + 1]
    return range(min(ends), max(ends) + 1)


def games_of(question: Question) -> int:
    """Playouts of each combination: few, since there are many."""
    return max(1, min(BATCH, question.games // 50))


def playouts_of(question: Question) -> int:
    """Playouts in all, with one number of players."""
    return SAMPLES * (len(axes_together(question)) + 3) * games_of(question)


def all_fit(question: Question) -> bool:
    """Whether every combination of the numbers can be played, each by as many playouts as one that Sobol's indices need."""
    axes = axes_together(question)
    return grid_size(axes) <= SAMPLES * (len(axes) + 3)


def interactions_of(question: Question, players: int, told: Progress | None = None) -> Interactions:
    """Divide the variance of the first of a question's metrics up among the numbers of the rules.

    Args:
        question: what to measure; its `games` are divided by 50.
        players: how many sit at the table.
        told: called now and then with the playouts done and what they gave.

    Raises:
        UserError: a combination cannot be played whatever stays as it is.

    Source: Saltelli, Annoni, Azzini, Campolongo, Ratto and Tarantola, "Variance based sensitivity analysis of model output",
    Computer Physics Communications 181, 2010; for the dummy Khorashadi Zadeh and others, "Comparison of variance-based and
    moment-independent global sensitivity analysis approaches by application to the SWAT model", Environmental Modelling &
    Software 91, 2017; for the jackknife Efron and Stein, "The jackknife estimate of variance", Annals of Statistics 9, 1981.
    """
    metric = question.chosen(players)[0] if question.metrics else _first(question, players)
    if all_fit(question):
        return _of_every_combination(question, players, metric, told)
    from SALib.sample import sobol  # noqa: PLC0415  slow to import

    axes = [*axes_together(question), Axis(DUMMY, tuple(range(SEEDS)))]
    problem = {"num_vars": len(axes), "names": [axis.key for axis in axes], "bounds": [[0.0, 1.0]] * len(axes)}
    samples = sobol.sample(problem, SAMPLES, calc_second_order=False, seed=question.seed % 2**32)
    points = [tuple(min(int(x * len(axis.values)), len(axis.values) - 1) for x, axis in zip(row, axes, strict=True)) for row in samples]
    games = games_of(question)
    results, mended = _played(question, players, metric, axes, points, games, told)
    return Interactions(players, metric, _indices(problem, results, axes), len(points), games, mended / len(points))


def _of_every_combination(question: Question, players: int, metric: Metric, told: Progress | None) -> Interactions:
    axes = axes_together(question)
    shape = tuple(len(axis.values) for axis in axes)
    games = max(1, min(BATCH, playouts_of(question) // (math.prod(shape) * TIMES)))
    points = list(product(*map(range, shape), range(TIMES)))
    seeds = Axis(DUMMY, tuple(range(TIMES)))
    results, mended = _played(question, players, metric, [*axes, seeds], points, games, told)
    indices = indices_of_all(results.reshape(*shape, TIMES), axes)
    return Interactions(players, metric, indices, math.prod(shape), games * TIMES, mended / len(points))


def indices_of_all(results: np.ndarray[Any, Any], axes: Sequence[Axis]) -> tuple[Index, ...]:
    """The indices from the means of every combination, played several times.

    A variance of means is too large by that of their luck; products of means of different times are not. The interval is the
    jackknife's over the times. Where nothing is seen to vary at all, nothing is known about shares of it.

    Args:
        results: float64, an axis for each of `axes`, and the last for the times.
        axes: as many as there are, but for the last.
    """
    import numpy as np  # noqa: PLC0415  with what is played
    from scipy.special import stdtrit  # noqa: PLC0415  importing SciPy takes a while

    times = results.shape[-1]
    forms = np.array([_variances(results[..., k]) for k in range(times)])

    def without(left_out: int | None) -> np.ndarray[Any, Any]:
        kept = [k for k in range(times) if k != left_out]
        n = len(kept)
        return np.asarray((n * n * _variances(results[..., kept].mean(axis=-1)) - forms[kept].sum(axis=0)) / (n * (n - 1)))

    def shares(parts: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.asarray(parts[:-1] / parts[-1]) if parts[-1] > 0 else np.zeros(len(parts) - 1)

    reach = float(stdtrit(times - 1, (1 + CONFIDENCE) / 2))
    whole, fewer = without(None), np.array([without(k) for k in range(times)])
    best, spread = shares(whole), (times - 1) * np.array([shares(parts) for parts in fewer])
    half = reach * spread.std(axis=0, ddof=1) / math.sqrt(times)
    if whole[-1] <= reach * float(((times - 1) * fewer[:, -1]).std(ddof=1)) / math.sqrt(times):
        best, half = np.zeros_like(best), np.ones_like(best)
    lines = zip(axes, best, half, best[len(axes) :], half[len(axes) :], strict=False)
    return tuple(sorted((Index(axis.key, axis.values, *map(float, figures)) for axis, *figures in lines), key=lambda index: -index.total))


def _variances(means: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For each axis the variance that goes with it alone, then for each that with its interactions, then the whole."""
    import numpy as np  # noqa: PLC0415  with what is played

    axes = range(means.ndim)
    alone = [means.mean(axis=tuple(other for other in axes if other != axis)).var() for axis in axes]
    return np.array([*alone, *(means.var(axis=axis).mean() for axis in axes), means.var()])


def _first(question: Question, players: int) -> Metric:
    name = conclusion_metrics(question.game, players)[0]
    return next(m for m in question.chosen(players) if m.name == name)


def _played(
    question: Question, players: int, metric: Metric, axes: Sequence[Axis], points: Sequence[Levels], games: int, told: Progress | None
) -> tuple[np.ndarray[Any, Any], int]:
    """The metric's mean at each point, and how many points had to be mended; equal points are played once."""
    import numpy as np  # noqa: PLC0415  with what follows

    distinct = list(dict.fromkeys(points))

    def mean(point: Levels) -> tuple[float, bool]:
        moved = {axis.key: axis.values[place] for axis, place in zip(axes, point, strict=True)}
        seed = (question.seed + moved.pop(DUMMY)) % (MAX_SEED + 1)
        mended = mend(question, moved)
        rules = {**question.baseline, **mended}
        experiment = make_experiment(question.game, players=players, strategies=question.strategies, rules=rules, seed=seed)
        tally = run_experiment(experiment, games, workers=each, ledger=question.ledger).tally
        return tally[metric.name].moments()[0] / games, len(mended) < len(moved)

    at_once, each = side_by_side(question.workers)
    known = {distinct[0]: mean(distinct[0])}  # everything is compiled by now, on one thread
    pool = ThreadPoolExecutor(at_once)
    try:
        for point, found in zip(distinct[1:], pool.map(mean, distinct[1:]), strict=True):
            known[point] = found
            if told is not None:
                told(len(known) * games, found)
    finally:
        pool.shutdown(cancel_futures=True)
    return np.array([known[point][0] for point in points]), sum(known[point][1] for point in points)


def mend(question: Question, moved: dict[str, int]) -> dict[str, int]:
    """The moves, without those that cannot be played together with the others.

    Raises:
        RulesError: the culprit is not among them.
    """
    left = dict(moved)
    while True:
        try:
            build_rules(question.game.rules, {**question.baseline, **left})
        except RulesError as error:
            if error.key not in left:
                raise
            del left[error.key]
        else:
            return left


def _indices(problem: dict[str, Any], results: np.ndarray[Any, Any], axes: Sequence[Axis]) -> tuple[Index, ...]:
    from SALib.analyze import sobol  # noqa: PLC0415  slow to import

    if results.min() == results.max():
        return tuple(Index(axis.key, axis.values, 0.0, 0.0, 0.0, 0.0) for axis in axes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = sobol.analyze(problem, results, calc_second_order=False, num_resamples=RESAMPLES, conf_level=CONFIDENCE, seed=1)
    lines = zip(axes, found["S1"], found["S1_conf"], found["ST"], found["ST_conf"], strict=True)
    indices = [Index(axis.key, axis.values, *(float(x) for x in figures)) for axis, *figures in lines]
    return tuple(sorted(indices, key=lambda index: -index.total))
