"""Interactions: the numbers of the rules moved together, and how much of what varies each brings about, alone and with others.

Sobol's indices say which share of the variance of an outcome goes with one constant alone (first order), and which share
would be gone if it were fixed (total, with all its interactions). What a playout's luck adds is in there too. So a dummy is
moved like the constants, which changes nothing but the luck: its total index is what noise alone looks like.

Where there are few combinations all of them are played, several times on the same draws; the indices then follow exactly but
for the luck, and that is taken off, since it is another one each time.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from simulator.errors import RulesError
from simulator.play.executors import side_by_side
from simulator.play.experiment import BATCH
from simulator.play.run import MAX_SEED, run_experiment
from simulator.rules import build_rules
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.studies.axes import Axis, grid_size, usual_values

if TYPE_CHECKING:
    import numpy as np

    from simulator.game import Metric
    from simulator.rules import Constant
    from simulator.studies.study import Setup

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
        digest: hash of all that was counted.
        elapsed_s: seconds it took.
        interrupted: never, since what is not finished gives no shares.
    """

    players: int
    metric: Metric
    indices: tuple[Index, ...]
    points: int
    games: int
    mended: float
    digest: str = ""
    elapsed_s: float = 0.0
    interrupted: bool = False

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
        text = f"Clear of the noise: {', '.join(clear)}." if clear else "Nothing is clear of the noise."
        text += f" Not told apart from nothing: {', '.join(lost)}." if lost else ""
        made = f" {'All ' * self.every}{self.points:,} combinations, {self.games:,} playouts of each."
        mended = f" In {100 * self.mended:.1f}% of them a constant kept its value, since the rules do not allow the combination."
        return text + made + mended * bool(self.mended)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        indices = [index.as_dict() for index in self.indices]
        return {"players": self.players, "metric": self.metric.name, "points": self.points, "games": self.games, "indices": indices}


@dataclass(frozen=True)
class TogetherPlan:
    """What is played to divide the variance of a metric up among the numbers of the rules.

    Attributes:
        setup: the rules as they are, without what is tied to others; one number of players.
        metric: whose variance is divided up.
        games: playouts of a single move, of which a combination gets few.
    """

    setup: Setup
    metric: Metric
    games: int

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return self.setup.players[0]

    @property
    def size(self) -> int:
        """How many playouts it takes."""
        return SAMPLES * (len(axes_together(self.setup)) + 3) * self.each

    @property
    def each(self) -> int:
        """Playouts of each combination: few, since there are many."""
        return max(1, min(BATCH, self.games // 50))


def axes_together(setup: Setup) -> list[Axis]:
    """The numbers that are moved: in their plausible range, or one step each way."""
    usual = usual_values(setup.game, setup.rules, _wanted)
    return [Axis(c.key, tuple(possible)) for c, possible in usual if len(possible) > 1]


def _wanted(c: Constant) -> Sequence[int]:
    if type(c.value) is not int:
        return ()
    ends = [to for to in c.plausible if type(to) is int] or [c.value - 1, c.value + 1]
    return range(min(ends), max(ends) + 1)


def all_fit(setup: Setup) -> bool:
    """Whether every combination of the numbers can be played, each by as many playouts as one that Sobol's indices need."""
    axes = axes_together(setup)
    return grid_size(axes) <= SAMPLES * (len(axes) + 3)


def interactions_of(plan: TogetherPlan, how: Mapping[str, Any]) -> Interactions:
    """Divide the variance of a metric up among the numbers of the rules.

    Args:
        plan: what to play.
        how: the keywords of `collect`.

    Raises:
        UserError: a combination cannot be played whatever stays as it is.

    Source: Saltelli, Annoni, Azzini, Campolongo, Ratto and Tarantola, "Variance based sensitivity analysis of model output",
    Computer Physics Communications 181, 2010; for the dummy Khorashadi Zadeh and others, "Comparison of variance-based and
    moment-independent global sensitivity analysis approaches by application to the SWAT model", Environmental Modelling &
    Software 91, 2017; for the jackknife Efron and Stein, "The jackknife estimate of variance", Annals of Statistics 9, 1981.
    """
    start = time.perf_counter()
    result = (_of_every_combination if all_fit(plan.setup) else _of_samples)(plan, how)
    return replace(result, elapsed_s=time.perf_counter() - start)


def _of_samples(plan: TogetherPlan, how: Mapping[str, Any]) -> Interactions:
    from SALib.sample import sobol  # noqa: PLC0415  slow to import

    axes = [*axes_together(plan.setup), Axis(DUMMY, tuple(range(SEEDS)))]
    problem = {"num_vars": len(axes), "names": [axis.key for axis in axes], "bounds": [[0.0, 1.0]] * len(axes)}
    samples = sobol.sample(problem, SAMPLES, calc_second_order=False, seed=plan.setup.seed % 2**32)
    points = [tuple(min(int(x * len(axis.values)), len(axis.values) - 1) for x, axis in zip(row, axes, strict=True)) for row in samples]
    results, mended, digest = _played(plan, axes, points, plan.each, how)
    return Interactions(plan.players, plan.metric, _indices(problem, results, axes), len(points), plan.each, mended / len(points), digest)


def _of_every_combination(plan: TogetherPlan, how: Mapping[str, Any]) -> Interactions:
    axes = axes_together(plan.setup)
    shape = tuple(len(axis.values) for axis in axes)
    games = max(1, min(BATCH, plan.size // (math.prod(shape) * TIMES)))
    points = list(product(*map(range, shape), range(TIMES)))
    seeds = Axis(DUMMY, tuple(range(TIMES)))
    results, mended, digest = _played(plan, [*axes, seeds], points, games, how)
    indices = indices_of_all(results.reshape(*shape, TIMES), axes)
    return Interactions(plan.players, plan.metric, indices, math.prod(shape), games * TIMES, mended / len(points), digest)


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


def _played(
    plan: TogetherPlan, axes: Sequence[Axis], points: Sequence[Levels], games: int, how: Mapping[str, Any]
) -> tuple[np.ndarray[Any, Any], int, str]:
    """The metric's mean at each point, how many points had to be mended, and the digest; equal points are played once."""
    import numpy as np  # noqa: PLC0415  with what follows

    distinct, setup, progress = list(dict.fromkeys(points)), plan.setup, how.get("progress")

    def play(point: Levels) -> tuple[float, bool, str]:
        moved = {axis.key: axis.values[place] for axis, place in zip(axes, point, strict=True)}
        seed = (setup.seed + moved.pop(DUMMY)) % (MAX_SEED + 1)
        mended = mend(setup, moved)
        experiment = replace(setup, rules={**setup.rules, **mended}, seed=seed).experiment(plan.players)
        tally = run_experiment(experiment, games, workers=each, ledger=how.get("ledger")).tally
        return tally[plan.metric.name].moments()[0] / games, len(mended) < len(moved), tally.digest

    at_once, each = side_by_side(how.get("workers"))
    known = {distinct[0]: play(distinct[0])}  # everything is compiled by now, on one thread
    pool = ThreadPoolExecutor(at_once)
    try:
        for point, result in zip(distinct[1:], pool.map(play, distinct[1:]), strict=True):
            known[point] = result
            if progress is not None:
                progress(len(known) * games, result)
    finally:
        pool.shutdown(cancel_futures=True)
    means, mended = np.array([known[point][0] for point in points]), sum(known[point][1] for point in points)
    return means, mended, joint_digest(digest for _, _, digest in known.values())


def mend(setup: Setup, moved: dict[str, int]) -> dict[str, int]:
    """The moves, without those that cannot be played together with the others.

    Raises:
        RulesError: the culprit is not among them.
    """
    left = dict(moved)
    while True:
        try:
            build_rules(setup.game.rules, {**setup.rules, **left})
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
        result = sobol.analyze(problem, results, calc_second_order=False, num_resamples=RESAMPLES, conf_level=CONFIDENCE, seed=1)
    lines = zip(axes, result["S1"], result["S1_conf"], result["ST"], result["ST_conf"], strict=True)
    indices = [Index(axis.key, axis.values, *(float(x) for x in figures)) for axis, *figures in lines]
    return tuple(sorted(indices, key=lambda index: -index.total))
