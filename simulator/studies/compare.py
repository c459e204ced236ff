"""`compare`: what does a change of the rules do?

The rules as they are and each variant are played on the same playouts. For each metric the difference between the two is
estimated with its interval, and all differences are judged together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from simulator.document.language import plural
from simulator.errors import UserError, nearest
from simulator.stats.estimate import CONFIDENCE, Estimate, simultaneous
from simulator.stats.sequences import TUNED_FOR
from simulator.stats.shares import EVERY_SHARE, check_width, number_text
from simulator.stats.unfinished import unfinished_of
from simulator.stats.verdicts import DIFFERS, Verdict, verdicts_together
from simulator.studies.pairs import PairedPart, PairedRun, Variant, experiments_of, play_pairs

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.play.collect import Progress
    from simulator.play.executors import Workers
    from simulator.play.ledger import Ledger
    from simulator.stats.paired import Difference
    from simulator.stats.verdicts import IntervalAt


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

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "variant": self.variant,
            "players": self.players,
            "metric": self.metric.name,
            "baseline": self.baseline.as_dict(),
            "changed": self.changed.as_dict(),
            "difference": self.difference.as_dict(),
            "verdict": self.word,
            "playouts_saved": self.playouts_saved,
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
    def digest(self) -> str:
        """Hash of all counts."""
        return self.run.part.digest

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many games did not finish, where that is more than a few: as it is, and with each variant."""
        names = ("as it is", *(f"with {v.name}" for v in self.variants))
        players = self.run.experiments[0].players
        seated = plural(players, "player")
        told = (unfinished_of(t).remark(f"({name}, {seated})") for name, t in zip(names, self.run.part.tallies, strict=True))
        return tuple(filter(None, told))


def compare(  # noqa: PLR0913  the keywords are the options of the command line
    game: str | Game,
    variants: Sequence[Variant],
    *,
    players: int = 4,
    games: int = 100_000,
    rules: Mapping[str, Any] | None = None,
    strategies: Sequence[str] = (),
    metrics: Sequence[str] = (),
    margins: Mapping[str, float] | None = None,
    until_decided: bool = False,
    together: int = 1,
    seed: int = 1,
    workers: Workers = None,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
) -> Compared:
    """Play the rules as they are against variants of them.

    Args:
        game: name of the game.
        variants: what to compare with the baseline.
        players: how many sit at the table.
        games: how many playouts; with `until_decided`, how many at most.
        rules: overrides that make the baseline.
        strategies: who plays, where a variant does not say otherwise.
        metrics: what to compare; none means the game's headlines.
        margins: metric, or "share" for all shares, to the largest difference that does not matter.
        until_decided: play until no verdict is open any more.
        together: how many such runs will be judged together, see `judged_together`; each is then played until it is decided at
            the confidence that this needs.
        seed: key of all random draws.
        workers: who plays; it does not change the result.
        ledger: where what was played is remembered; what it holds is not played again.
        progress: called now and then.

    Raises:
        UserError: something of it does not exist or cannot be played.
    """
    experiments = experiments_of(game, dict(rules or {}), variants, players=players, strategies=strategies, seed=seed)
    chosen = chosen_metrics(experiments[0].metrics, metrics, margins or {})
    judge = partial(_judged, chosen=chosen, margins=margins or {}, identical=[e.id == experiments[0].id for e in experiments[1:]])
    tuned_for = min(games, TUNED_FOR)

    def enough(part: PairedPart) -> bool:
        return all(v != "open" for v in judge(part, tuned_for=tuned_for, confidence=simultaneous(together)))

    run = play_pairs(experiments, games, enough=enough if until_decided else None, workers=workers, ledger=ledger, progress=progress)
    sequential = until_decided or run.interrupted
    sequence = tuned_for if sequential else None
    verdicts = judge(run.part, tuned_for=sequence)
    cases = [(v, metric) for v in range(len(variants)) for metric in chosen]
    comparisons = [
        _comparison(run, v, variants[v].name, metric, verdict, sequence) for (v, metric), verdict in zip(cases, verdicts, strict=True)
    ]
    return Compared(run, tuple(variants), tuple(comparisons), sequential)


def chosen_metrics(metrics: Sequence[Metric], names: Sequence[str], margins: Mapping[str, float]) -> list[Metric]:
    """The metrics to compare.

    Raises:
        UserError: one that was named does not exist, or a margin is as wide as a share can be.
    """
    known = {m.name: m for m in metrics}
    aimed = [name for name in margins if name != EVERY_SHARE]
    for name in (*(name for name in names if name != "all"), *aimed):
        if name not in known:
            message = f"There is no metric '{name}'{nearest(name, known)}; there are {', '.join(known)}."
            raise UserError(message)
    for name, margin in margins.items():
        share = name == EVERY_SHARE or known[name].kind == "share"
        check_width(margin, f"--margin {name}={number_text(margin)}", share=share)
    if "all" in names:
        return list(metrics)
    return [known[name] for name in names] if names else [m for m in metrics if m.headline]


def _difference(part: PairedPart, variant: int, metric: Metric, confidence: float, *, identical: bool, tuned_for: int | None) -> Difference:
    """The difference of one variant, by an interval for a fixed number of playouts or by a confidence sequence."""
    pairs = part.pairs[variant]
    if tuned_for is None:
        return pairs.difference(metric, confidence, identical=identical)
    return pairs.difference_sequence(metric, confidence, identical=identical, tuned_for=tuned_for)


def _judged(
    part: PairedPart,
    *,
    chosen: Sequence[Metric],
    margins: Mapping[str, float],
    identical: Sequence[bool],
    tuned_for: int | None,
    confidence: float = CONFIDENCE,
) -> tuple[Verdict, ...]:
    """The verdicts on all variants and metrics, judged together; for each variant in turn, one for each metric."""
    intervals = _intervals(part, chosen, identical, tuned_for)
    return verdicts_together(intervals, [margin_of(m, margins) for _ in part.pairs for m in chosen], confidence)


def _intervals(part: PairedPart, chosen: Sequence[Metric], identical: Sequence[bool], tuned_for: int | None) -> list[IntervalAt]:
    """For each variant in turn, for each metric, the difference's interval at any confidence; without end if no game finished."""

    def at(variant: int, metric: Metric, confidence: float) -> Estimate:
        found = _difference(part, variant, metric, confidence, identical=identical[variant], tuned_for=tuned_for).estimate
        hidden = unfinished_of(part.tallies[0], part.tallies[variant + 1]).hides(metric.name)
        return replace(found, low=-math.inf, high=math.inf) if hidden else found

    return [partial(at, v, m) for v in range(len(part.pairs)) for m in chosen]


def intervals_of(compared: Compared) -> list[IntervalAt]:
    """For each of the comparisons the difference's interval at any confidence."""
    run = compared.run
    chosen = [c.metric for c in compared.comparisons[: len(compared.comparisons) // len(compared.variants)]]
    identical = [run.identical(v) for v in range(len(compared.variants))]
    return _intervals(run.part, chosen, identical, min(run.asked, TUNED_FOR) if compared.sequential else None)


def judged_together(found: Sequence[Compared], margins: Mapping[str, float]) -> tuple[Compared, ...]:
    """Several runs, their verdicts judged anew as one family: with 95 percent confidence none calls a difference what is none.

    Args:
        found: runs of other numbers of players or other strategies.
        margins: as in `compare`.
    """
    cases = [c for compared in found for c in compared.comparisons]
    intervals = [at for compared in found for at in intervals_of(compared)]
    verdicts = iter(verdicts_together(intervals, [margin_of(c.metric, margins) for c in cases]))
    return tuple(
        replace(compared, comparisons=tuple(replace(c, verdict=next(verdicts)) for c in compared.comparisons)) for compared in found
    )


def margin_of(metric: Metric, margins: Mapping[str, float]) -> float | None:
    """The largest difference of a metric that does not matter, if one was given."""
    return margins.get(metric.name, margins.get(EVERY_SHARE) if metric.kind == "share" else None)


def _comparison(run: PairedRun, variant: int, name: str, metric: Metric, verdict: Verdict, tuned_for: int | None) -> Comparison:
    found = _difference(run.part, variant, metric, CONFIDENCE, identical=run.identical(variant), tuned_for=tuned_for)
    players, tallies = run.experiments[0].players, run.part.tallies
    hidden = unfinished_of(tallies[0]).hides(metric.name), unfinished_of(tallies[variant + 1]).hides(metric.name)
    return Comparison(name, players, metric, found.baseline, found.changed, found.estimate, verdict, found.variance_ratio, hidden)
