"""The rules as they are against variants of them: for each metric the difference with its interval, all judged together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from simulator import game
from simulator.document.language import plural
from simulator.numbers import number_text
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, Estimate, simultaneous
from simulator.stats.practical import noticeable, steps
from simulator.stats.sequences import TUNED_FOR
from simulator.stats.shares import EVERY_SHARE, check_width
from simulator.stats.unfinished import unfinished_of
from simulator.stats.verdicts import DIFFERS, Verdict, verdicts_together
from simulator.studies.across import Answer, Asked, Says, closing, counts
from simulator.studies.noticed import margin_of

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.stats.paired import Difference
    from simulator.stats.verdicts import IntervalAt
    from simulator.studies.pairs import PairedRun, Variant


@dataclass(frozen=True)
class Comparison:
    """One metric under the baseline and under one variant.

    Attributes:
        variant: name of the variant.
        players: how many sat at the table.
        metric: what was compared.
        baseline, changed: the metric under either.
        difference: changed less baseline, by pairs of playouts.
        verdict: whether it differs, or does not matter, judged together with all others of the comparison.
        playouts_saved: how many times fewer playouts the pairing needed than independent runs; None where nothing differed.
        hidden: whether nothing is known of the metric as it is, and of the changed one, since no game finished.
    """

    variant: str
    players: int
    metric: Metric
    baseline: Estimate
    changed: Estimate
    difference: Estimate
    verdict: Verdict
    playouts_saved: float | None
    hidden: tuple[bool, bool] = (False, False)

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return DIFFERS[self.verdict]

    def steps(self, margin: float | None = None) -> float:
        """How large the difference is, in steps that a table notices; 0 where none is shown."""
        if self.verdict != "yes" or any(self.hidden):
            return 0.0
        return steps(self.difference, noticeable(self.metric, self.baseline, margin))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "variant": self.variant,
            "players": self.players,
            "metric": self.metric.name,
            "baseline": None if self.hidden[0] else self.baseline.as_dict(),
            "changed": None if self.hidden[1] else self.changed.as_dict(),
            "difference": None if any(self.hidden) else self.difference.as_dict(),
            "verdict": self.word,
            "playouts_saved": None if any(self.hidden) else self.playouts_saved,
        }


@dataclass(frozen=True)
class Compared:
    """The whole answer for one number of players.

    Attributes:
        run: what was played.
        variants: what was compared with the baseline.
        comparisons: for each variant in turn, one for each metric.
        sequential: whether the intervals are confidence sequences, since when the run ended was not fixed beforehand.
    """

    run: PairedRun
    variants: tuple[Variant, ...]
    comparisons: tuple[Comparison, ...]
    sequential: bool

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.run.experiments[0].players

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before all were played."""
        return self.run.interrupted

    @property
    def elapsed_s(self) -> float:
        """Seconds it took."""
        return self.run.elapsed_s

    @property
    def digest(self) -> str:
        """Hash of all counts."""
        return self.run.part.digest

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many games did not finish, where that is more than a few: as it is, and with each variant."""
        names = ("as it is", *(f"with {v.name}" for v in self.variants))
        seated = plural(self.players, "player")
        told = (unfinished_of(t).remark(f"({name}, {seated})") for name, t in zip(names, self.run.part.tallies, strict=True))
        return tuple(filter(None, told))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"comparisons": [c.as_dict() for c in self.comparisons], "digests": [self.digest]}


def chosen_metrics(metrics: Sequence[Metric], names: Sequence[str], margins: Mapping[str, float]) -> list[Metric]:
    """The metrics to compare.

    Raises:
        UserError: one that was named does not exist, or a margin is as wide as a share can be.
    """
    chosen = game.chosen_metrics(metrics, names)
    for name, margin in margins.items():
        share = name == EVERY_SHARE or game.metric_named(metrics, name).kind == "share"
        check_width(margin, f"--margin {name}={number_text(margin)}", share=share)
    return chosen


def compared_of(run: PairedRun, variants: Sequence[Variant], chosen: Sequence[Metric], *, sequential: bool) -> Compared:
    """What a run says about some metrics; all of it is open until it is judged, see `judged_together`."""
    places = range(len(variants))
    comparisons = (_comparison(run, v, variants[v].name, metric, sequential=sequential) for v in places for metric in chosen)
    return Compared(run, tuple(variants), tuple(comparisons), sequential)


def _difference(run: PairedRun, variant: int, metric: Metric, confidence: float, *, sequential: bool) -> Difference:
    """The difference of one variant, by an interval for a fixed number of playouts or by a confidence sequence."""
    pairs, identical = run.part.pairs[variant], run.identical(variant)
    if not sequential:
        return pairs.difference(metric, confidence, identical=identical)
    return pairs.difference_sequence(metric, confidence, identical=identical, tuned_for=min(run.asked, TUNED_FOR))


def _comparison(run: PairedRun, variant: int, name: str, metric: Metric, *, sequential: bool) -> Comparison:
    result, tallies = _difference(run, variant, metric, CONFIDENCE, sequential=sequential), run.part.tallies
    players, hidden = run.experiments[0].players, [unfinished_of(tallies[place]).hides(metric.name) for place in (0, variant + 1)]
    measured = (result.baseline, result.changed, result.estimate)
    return Comparison(name, players, metric, *measured, "open", result.variance_ratio, (hidden[0], hidden[1]))


def intervals_of(compared: Compared) -> list[IntervalAt]:
    """For each of the comparisons the difference's interval at any confidence; without end if no game finished."""
    run, each = compared.run, len(compared.comparisons) // len(compared.variants)

    def at(variant: int, metric: Metric, confidence: float) -> Estimate:
        result = _difference(run, variant, metric, confidence, sequential=compared.sequential).estimate
        hidden = unfinished_of(run.part.tallies[0], run.part.tallies[variant + 1]).hides(metric.name)
        return replace(result, low=-math.inf, high=math.inf) if hidden else result

    return [partial(at, place // each, c.metric) for place, c in enumerate(compared.comparisons)]


def verdicts_on(found: Sequence[Compared], margins: Mapping[str, float], confidence: float = CONFIDENCE) -> tuple[Verdict, ...]:
    """The verdicts on all comparisons of several runs, one after the other, judged as one family.

    Args:
        found: runs of other numbers of players or other strategies.
        margins: metric, or "share" for all shares, to the largest difference that does not matter.
        confidence: that none calls a difference what is none.
    """
    intervals = [at for compared in found for at in intervals_of(compared)]
    return verdicts_together(intervals, [margin_of(c.metric, margins) for compared in found for c in compared.comparisons], confidence)


def judged_together(found: Sequence[Compared], margins: Mapping[str, float]) -> tuple[Compared, ...]:
    """Several runs with their verdicts; see `verdicts_on`."""
    verdicts = iter(verdicts_on(found, margins))
    return tuple(
        replace(compared, comparisons=tuple(replace(c, verdict=next(verdicts)) for c in compared.comparisons)) for compared in found
    )


@dataclass(frozen=True)
class ComparedAcross:
    """A comparison of rules under every strategy.

    Attributes:
        strategies: those that were to be asked.
        found: strategy and what it gave, for each number of players in turn; the verdicts are judged together.
        asked: for each number of players, variant and metric what the strategies say.
        interrupted: whether it was stopped before all was played.
    """

    strategies: tuple[str, ...]
    found: tuple[tuple[str, Compared], ...]
    asked: tuple[Asked, ...]
    interrupted: bool

    @property
    def digest(self) -> str:
        """Hash of all that was counted."""
        return joint_digest(compared.digest for _, compared in self.found)

    @property
    def elapsed_s(self) -> float:
        """Seconds it took."""
        return sum(compared.elapsed_s for _, compared in self.found)

    @property
    def closing(self) -> str:
        """One sentence on how many verdicts survive a change of players."""
        return closing(self.asked, "verdict")

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many games did not finish, where that is more than a few, and under which strategies."""
        told: dict[str, list[str]] = {}
        for strategy, compared in self.found:
            for remark in compared.remarks:
                told.setdefault(remark, []).append(strategy)
        return tuple(f"Under {', '.join(strategies)}: {remark}" for remark, strategies in told.items())

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        comparisons = [{"strategy": s, **c.as_dict()} for s, compared in self.found for c in compared.comparisons]
        verdicts = [a.as_dict() for a in self.asked]
        digests = [compared.digest for _, compared in self.found]
        return {
            "comparisons": comparisons,
            "digests": digests,
            "across": {"strategies": list(self.strategies), "verdicts": verdicts, **counts(self.asked)},
        }


def asked_of(found: Sequence[tuple[str, Compared]], planned: int, margins: Mapping[str, float]) -> tuple[Asked, ...]:
    """The comparisons of all strategies, by what they are about."""
    level = simultaneous(sum(len(compared.comparisons) for _, compared in found))
    asked: dict[tuple[Any, ...], list[tuple[Comparison, Answer]]] = {}
    for strategy, compared in found:
        for c, interval in zip(compared.comparisons, intervals_of(compared), strict=True):
            answer = Answer(strategy, _says(c), c.difference, _beyond(interval(level), margin_of(c.metric, margins)), any(c.hidden))
            asked.setdefault((c.players, c.variant, c.metric.name), []).append((c, answer))
    listed = asked.items()
    return tuple(Asked(variant, n, answers[0][0].metric, tuple(a for _, a in answers), planned) for (n, variant, _), answers in listed)


def _says(c: Comparison) -> Says:
    if c.verdict == "yes":
        return "up" if c.difference.best > 0 else "down"
    return "equivalent" if c.verdict == "no" else "undecided"


def _beyond(difference: Estimate, margin: float | None) -> bool:
    reach = margin or 0.0
    return difference.low > reach or difference.high < -reach
