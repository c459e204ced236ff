"""Are a designer's promises kept? Each is played until that is decided, or up to a cap.

The interval of every promise is a confidence sequence, so that it may be looked at after each batch. The verdict is read off
it: holds if it lies within what was promised, broken if it lies outside, undecided if it does neither. So either verdict is
wrong with probability 1 - confidence at most, for each promise by itself. Where a promise has a single end, so has either
verdict, and each end of the interval holds with that confidence by itself; that takes fewer playouts.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from simulator.document.figures import Style, figure, interval, is_share, scale_of
from simulator.play.collect import Collected, Progress, collect
from simulator.play.executors import BatchPlayer, Job, Rows, Workers
from simulator.play.rehearsal import rehearse
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import EachEnd, Estimate
from simulator.stats.paired import PairedTally, pair_rows, reaches
from simulator.stats.sequences import TUNED_FOR, sequence_of, share_sequence
from simulator.stats.unfinished import UNFINISHED, Unfinished, unfinished_of
from simulator.studies.pairs import PairedPart, PairWorker
from simulator.studies.promises import Promise, Side, Target, read_promises

if TYPE_CHECKING:
    from pathlib import Path

    from simulator.game import Metric
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.stats.tally import Histogram

Verdict = Literal["holds", "broken", "undecided"]

Watch = Callable[[str, int], AbstractContextManager[Progress | None]]
"""Given a label and the most playouts, what to call as they are played."""


@dataclass(frozen=True)
class Outcome:
    """What became of a promise.

    Attributes:
        promise: what was promised.
        estimate: what was found, with a confidence sequence; None if nothing was played for it.
        verdict: holds, broken or undecided; undecided where no game finished.
        unfinished: how many of its games did not finish; None if nothing was played for it.
    """

    promise: Promise
    estimate: Estimate | None
    verdict: Verdict
    unfinished: Unfinished | None = None

    @property
    def remark(self) -> str:
        """What to say beside the verdict of games that did not finish; empty where they were few."""
        return "" if self.unfinished is None or self.promise.side.metric.name == UNFINISHED else self.unfinished.remark()

    def found(self) -> tuple[str, str]:
        """Best value and interval in words, with the digits that tell the interval's ends from those of the target."""
        if self.estimate is None:
            return "-", ""
        share, difference = is_share(self.estimate), self.promise.minus is not None
        width = scale_of(self.estimate) * (self.estimate.high - self.estimate.low)
        places = 0 if self.promise.quantile is not None else _places(width)
        style = Style(places, plain=True, signed=difference, once=False, percent="%" if share and not difference else "")
        return figure(self.estimate, style), interval(self.estimate, style)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        p = self.promise
        low, high = (end if math.isfinite(end) else None for end in (p.target.low, p.target.high))
        return {
            "promise": p.name,
            "number": p.number,
            "game": p.side.experiment.game.name,
            "players": p.side.experiment.players,
            "metric": p.side.metric.name,
            "about": p.subject,
            "promised": {"low": low, "high": high},
            "confidence": p.confidence,
            "estimate": None if self.estimate is None else self.estimate.as_dict(),
            "unfinished": None if self.unfinished is None else self.unfinished.share,
            "verdict": self.verdict,
        }


def _places(width: float) -> int:
    """How many decimals show an interval's width with two digits."""
    return min(8, max(0, 1 - math.floor(math.log10(width)))) if 0 < width < math.inf else 2


@dataclass(frozen=True)
class Checked:
    """What became of all promises.

    Attributes:
        outcomes: one for each promise, in their order.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all were played.
        digest: hash of all that was counted.
    """

    outcomes: tuple[Outcome, ...]
    elapsed_s: float
    interrupted: bool = False
    digest: str = ""

    @property
    def more_would_tell(self) -> bool:
        """Whether a promise is undecided that more playouts would decide."""
        return any(o.verdict == "undecided" and not (o.unfinished and o.unfinished.all) for o in self.outcomes)

    def count(self, verdict: Verdict) -> int:
        """How many promises ended so."""
        return sum(o.verdict == verdict for o in self.outcomes)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "promises": [o.as_dict() for o in self.outcomes],
            "holds": self.count("holds"),
            "broken": self.count("broken"),
            "undecided": self.count("undecided"),
            "digest": self.digest,
            "elapsed_s": self.elapsed_s,
        }


def check_file(path: str | Path, *, games: int | None = None, workers: Workers = None, ledger: Ledger | None = None) -> Checked:
    """Play what a file promises; see `read_promises` and `check`."""
    return check(read_promises(path, games=games), workers=workers, ledger=ledger)


def check(promises: Sequence[Promise], *, workers: Workers = None, ledger: Ledger | None = None, watch: Watch | None = None) -> Checked:
    """Play each promise until it is decided. Ctrl-C keeps what is done.

    Promises about the same experiment are played together; each ends at its own number of playouts, and neither the company
    nor the number of workers changes what becomes of it.

    Args:
        promises: what was promised.
        workers: who plays.
        ledger: where what was played is remembered; what it holds is not played again.
        watch: for showing progress.

    Raises:
        UserError: a strategy is refused, or misbehaves.
        KeyboardInterrupt: interrupted before anything was found.
    """
    start = time.perf_counter()
    for experiment in {e.id: e for p in promises for e in _experiments_of(p)}.values():
        rehearse(experiment)
    found: dict[int, Outcome] = {}
    interrupted = False
    digests: list[str] = []
    for group in _groups(promises):
        try:
            with (watch or _unwatched)(_label(promises, group), promises[group[0]].games) as progress:
                run = _play(promises, group, found, workers=workers, ledger=ledger, progress=progress)
            interrupted = run.interrupted
            digests.append(run.part.digest)
        except KeyboardInterrupt:
            interrupted = True
        if interrupted:
            break
    if interrupted and not found:
        raise KeyboardInterrupt
    outcomes = tuple(found.get(i) or Outcome(p, None, "undecided") for i, p in enumerate(promises))
    return Checked(outcomes, time.perf_counter() - start, interrupted, joint_digest(digests))


def _unwatched(_label: str, _games: int) -> AbstractContextManager[Progress | None]:
    return nullcontext()


def judged(estimate: Estimate, target: Target) -> Verdict:
    """What an interval says about a promise.

    >>> judged(Estimate(0.5, 0.48, 0.52, 1000, "share"), Target(0.45, 0.6))
    'holds'
    >>> judged(Estimate(0.5, 0.44, 0.56, 1000, "share"), Target(0.45, 0.6))
    'undecided'
    """
    if target.low <= estimate.low and estimate.high <= target.high:
        return "holds"
    return "broken" if estimate.high < target.low or estimate.low > target.high else "undecided"


def quantile_sequence(metric: Metric, histogram: Histogram, share: float, confidence: float, *, tuned_for: int = TUNED_FOR) -> Estimate:
    """A quantile, with an interval that holds at every number of playouts at once.

    A quantile is the smallest value that at least `share` of all playouts do not exceed. The interval consists of all values
    that the confidence sequences of the shares not exceeding a value allow to be it. It misses the quantile only if the
    sequence at the quantile itself, or at the value below it, misses; so each has half of the error to spend, however many
    values there are.

    Args:
        metric: whose range the interval keeps to.
        histogram: its values so far.
        share: between 0 and 1.
        confidence: probability that the interval contains the quantile at all numbers of playouts.
        tuned_for: playouts at which the sequences shall be narrowest.

    Source: Howard and Ramdas, "Sequential estimation of quantiles with applications to A/B testing and best-arm
    identification", Bernoulli 28(3), 2022, with the exact sequence for shares at the two values.
    """
    running = np.cumsum(histogram.totals)
    n = int(running[-1])

    def not_exceeding(count: int) -> Estimate:
        return share_sequence(count, n, confidence if isinstance(confidence, EachEnd) else (1 + confidence) / 2, tuned_for=tuned_for)

    lines = range(len(running))
    lowest = bisect_left(lines, share, key=lambda i: not_exceeding(int(running[i])).high)
    highest = bisect_left(lines, share, key=lambda i: not_exceeding(int(running[i])).low)
    low = metric.low if not_exceeding(0).high >= share else histogram.low + lowest
    high = histogram.low + highest if highest < len(running) else metric.high
    return Estimate(histogram.quantile(share), low, high, n, metric.unit)


@dataclass(frozen=True)
class _Columns:
    """Where in the rows a difference is found: experiment and column of what is subtracted, and column of what it is from."""

    name: str
    subtracted_from: int
    experiment: int
    subtracted: int
    reach: tuple[int, int]

    def pairs(self, rows: Sequence[Rows]) -> PairedTally:
        """Exact sums over pairs: a playout of one experiment with itself, or with the same playout of the other."""
        one, other = rows[self.experiment][:, [self.subtracted]], rows[0][:, [self.subtracted_from]]
        return pair_rows(np.ascontiguousarray(one), np.ascontiguousarray(other), (self.name,), [self.reach])


class _PromiseWorker(PairWorker):
    """Plays each batch of one experiment, or of two on the same draws."""

    kind = "promises"

    def __init__(self, players: Sequence[BatchPlayer], columns: Sequence[_Columns]) -> None:
        super().__init__(players)
        self.columns = columns

    def pairs(self, rows: Sequence[Rows]) -> tuple[PairedTally, ...]:
        """For each promise about a difference, the sums over pairs."""
        return tuple(c.pairs(rows) for c in self.columns)


def _experiments_of(promise: Promise) -> list[Experiment]:
    """The experiment of a promise, and the one that is subtracted if it is another one."""
    first = promise.side.experiment
    other = promise.minus.experiment if promise.minus is not None else first
    return [first] if other.id == first.id else [first, other]


def _groups(promises: Sequence[Promise]) -> list[list[int]]:
    """Promises that are played together, in the order of the first of each."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for i, promise in enumerate(promises):
        groups.setdefault((promise.games, *(e.id for e in _experiments_of(promise))), []).append(i)
    return list(groups.values())


def _label(promises: Sequence[Promise], group: Sequence[int]) -> str:
    more = f" and {len(group) - 1} more" if len(group) > 1 else ""
    return f"Promise {group[0] + 1}{more} of {len(promises)}"


def _play(promises: Sequence[Promise], group: Sequence[int], found: dict[int, Outcome], **how: Any) -> Collected[PairedPart]:
    """Play a group until all of it is decided, and put down what became of it."""
    experiments = _experiments_of(promises[group[0]])
    differences = [i for i in group if promises[i].minus is not None]
    undecided = list(group)

    def decided(part: PairedPart) -> bool:
        for i in undecided:
            found[i] = _outcome(promises[i], part, differences.index(i) if i in differences else None)
        undecided[:] = [i for i in undecided if found[i].verdict == "undecided"]
        return not undecided

    job = Job(_PromiseWorker, tuple(experiments), (tuple(_columns(promises[i], experiments) for i in differences),))
    run = collect(job, range(promises[group[0]].games), enough=decided, **how)
    decided(run.part)  # what came since it was asked last
    return run


def _columns(promise: Promise, experiments: Sequence[Experiment]) -> _Columns:
    def column(side: Side) -> int:
        return [m.name for m in side.experiment.metrics].index(side.metric.name)

    assert promise.minus is not None  # noqa: S101  only differences have columns
    (reach,) = reaches([promise.minus.metric], [promise.side.metric])
    return _Columns(promise.side.metric.name, column(promise.side), len(experiments) - 1, column(promise.minus), reach)


def _outcome(promise: Promise, part: PairedPart, difference: int | None) -> Outcome:
    """What the playouts so far say about a promise; for a difference, `difference` tells which of the part's pairs."""
    metric, tuned_for = promise.side.metric, min(TUNED_FOR, promise.games)
    histogram = part.tallies[0][metric.name]
    one_ended = math.isinf(promise.target.low) or math.isinf(promise.target.high)
    confidence = EachEnd(promise.confidence) if one_ended else promise.confidence
    if difference is not None:
        estimate = part.pairs[difference].difference_sequence(metric, confidence, tuned_for=tuned_for).estimate
    elif promise.quantile is not None:
        estimate = quantile_sequence(metric, histogram, promise.quantile, confidence, tuned_for=tuned_for)
    else:
        estimate = sequence_of(metric, histogram, confidence, tuned_for=tuned_for)
    unfinished = unfinished_of(*part.tallies)
    verdict = "undecided" if unfinished.hides(metric.name) else judged(estimate, promise.target)
    return Outcome(promise, estimate, verdict, unfinished)
