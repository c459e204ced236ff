"""`sweep`: what happens as rule constants run through values?

Every combination of the values is a point of a grid. All points and the rules as they are, the baseline, are played on the
same playouts, so that the difference of a point from the baseline is estimated by pairs.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Dial, Document, Slider, Stop
from simulator.document.figures import SIGNED_CELL, in_words, interval, percent
from simulator.document.language import clean, plural, ranged
from simulator.game import chosen_metrics
from simulator.rules import constants
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE
from simulator.stats.unfinished import UNFINISHED, unfinished_of
from simulator.stats.verdicts import holm
from simulator.studies.axes import Axis, is_number, parse_axis
from simulator.studies.grid import MOST_POINTS, Point, SweepPlan, grids_of, play_groups
from simulator.studies.options import count, flag, precision, texts
from simulator.studies.study import Study

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.play.resources import Resources
    from simulator.play.run import Precision

MOST_REMARKS = 3
"""Points of which it is said that more than a few games did not finish."""

MOST_NOTES = 5
"""Remarks on the rules of points that are told."""

MOST_CHARTED = 2
"""Constants that a chart can show."""

MOST_STOPS = 200
"""A slider runs through as many points; more would make the page heavy."""


@dataclass(frozen=True)
class Sweep:
    """The whole answer.

    Attributes:
        plan: the question.
        points: those played, for each number of players in the order of the grid, the last axis running fastest.
        baselines: the rules as they are, once for each number of players that was played.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all was played; the points under way then rest on fewer playouts.
    """

    plan: SweepPlan
    points: tuple[Point, ...]
    baselines: tuple[Point, ...]
    elapsed_s: float
    interrupted: bool = False

    @property
    def game(self) -> Game:
        """The game."""
        return self.baselines[0].result.experiment.game

    @property
    def sequential(self) -> bool:
        """Whether a precision ended the runs, so that all intervals are confidence sequences."""
        return any(p.result.sequential for p in (*self.baselines, *self.points))

    @property
    def several(self) -> bool:
        """Whether there are several numbers of players."""
        return len(self.baselines) > 1

    @property
    def imprecise(self) -> int:
        """At how many points the precision that was asked for was not reached."""
        return sum(p.result.precision is not None and not p.result.precise for p in self.points)

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many games did not finish, where that is more than a few: at the worst of the points, and at how many it is so."""
        ended = [(unfinished_of(p.result.tally), p) for p in self.lines]
        said = [(one.share, one.remark(f"at {p.name} with {plural(p.players, 'player')}")) for one, p in ended]
        worse = [text for _, text in sorted(said, key=lambda one: -one[0]) if text]
        rest = len(worse) - MOST_REMARKS
        more = f"So it is at {plural(rest, 'more point')}."
        return (*worse[:MOST_REMARKS], *[more] * (rest > 0))

    @cached_property
    def as_shipped(self) -> bool:
        """Whether the baseline is the rules as the game ships with them."""
        return not any(c.changed for c in constants(self.baselines[0].result.experiment.rules))

    @property
    def baseline_name(self) -> str:
        """What the baseline is called."""
        return "as shipped" if self.as_shipped else "as set"

    @cached_property
    def lines(self) -> tuple[Point, ...]:
        """What to list: the points and, in front of those of a number of players, the baseline where it is none of them."""
        listed: list[Point] = []
        for baseline in self.baselines:
            points = [p for p in self.points if p.players == baseline.players]
            listed += points if any(p.is_baseline for p in points) else [baseline, *points]
        return tuple(listed)

    def run_of(self, point: Point) -> str:
        """What tells a point from all others."""
        return f"{point.brief} and {seated(point)}" if self.several else point.brief

    @cached_property
    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 over the digests of the baselines and of all points, in order."""
        return joint_digest(p.result.digest for p in (*self.baselines, *self.points))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        baselines = [{k: v for k, v in p.as_dict().items() if k != "difference"} for p in self.baselines]
        return {"points": [p.as_dict() for p in self.points], "baseline": baselines, "digest": self.digest}


@dataclass(frozen=True)
class SweepStudy(Study[SweepPlan, Sweep]):
    """Show what happens as rule constants run through values.

    Plays every combination of the values and the rules as they are, all on the same playouts. A difference is a point less the
    rules as they are, by pairs of playouts: its interval is usually narrower than that between independent runs.
    """

    vary: tuple[str | Axis, ...] = texts(
        "A rule constant and its values; several make a grid.", "KEY=LOW:HIGH[:STEP] | KEY=A,B,C", "--vary", required=True
    )
    games: int = count(50_000, "Playouts of each point, or the most of them; 50k unless given.")
    precision: Precision | None = precision(
        "Stop as soon as the interval is this narrow to each side, such as 0.001, 0.1% or 0.05:turns; --games is the most."
    )
    metrics: tuple[str, ...] = texts("What to show in place of the headlines; 'all' for every metric.", "NAME", "--metric")
    consent: bool = flag(f"Play a grid of over {MOST_POINTS:,} points.", name="--yes")

    each_number: ClassVar[str] = "the grid for each."
    saved: ClassVar[str] = "all points"

    @cached_property
    def plans(self) -> tuple[SweepPlan, ...]:
        """The whole grid.

        Raises:
            UserError: something of it does not exist or cannot be played.
        """
        axes = tuple(axis if isinstance(axis, Axis) else parse_axis(axis) for axis in self.vary)
        grids = grids_of(self.setup, axes, consent=self.consent)
        for baseline, _ in grids if self.precision is not None else ():
            self.precision.metric_of(baseline)  # type: ignore[union-attr]  # it is none where nothing is looked at
        metrics = chosen_metrics(grids[-1][0].metrics, self.metrics)  # as they are where most sit at the table
        return (SweepPlan(axes, grids, self.games, self.precision, tuple(metrics)),)

    def notes(self) -> Sequence[str]:
        """What to know about the rules of points, and at how many of them."""
        (plan,) = self.plans
        remarks = Counter(text for _, grid in plan.grids for _, experiment in grid for text in experiment.rules.notes())
        often = remarks.most_common(MOST_NOTES)
        said = [text if n == plan.points else f"At {n} of {plural(plan.points, 'point')}: {text}" for text, n in often]
        more = len(remarks) - MOST_NOTES
        return (*said, *[f"There are {more} more remarks on the rules of some points."] * (more > 0))

    def play_part(self, plan: SweepPlan, resources: Resources) -> Sweep:
        """Play every point and the rules as they are, all on the same playouts. Ctrl-C keeps what is done.

        Raises:
            UserError: a strategy is refused or broke its contract.
            KeyboardInterrupt: interrupted before the first batch was complete.
        """
        points: list[Point] = []
        baselines: dict[int, Point] = {}
        interrupted, start = False, time.perf_counter()
        try:
            with resources.collecting(plural(plan.points, "point"), plan.size) as how:
                for baseline, group in play_groups(plan, how):
                    points += group
                    baselines.setdefault(baseline.players, baseline)
                    interrupted = baseline.result.interrupted
                    if interrupted:
                        break
        except KeyboardInterrupt:
            interrupted = True
        if not points:
            raise KeyboardInterrupt
        return Sweep(plan, tuple(points), tuple(baselines.values()), time.perf_counter() - start, interrupted)

    def document(self, parts: Sequence[Sweep]) -> Document:
        """What happens along the range, and the figures of all points."""
        return _document(parts[0])

    def as_dict(self, parts: Sequence[Sweep]) -> dict[str, Any]:
        """For JSON."""
        return parts[0].as_dict()

    def interruption(self, parts: Sequence[Sweep]) -> str:
        """How many of the points there are, and how many of these rest on fewer playouts, by confidence sequences."""
        fewer = sum(p.result.interrupted for p in parts[0].points)
        rest = f", {fewer} of them after fewer playouts" if fewer else ""
        return f"That is {len(parts[0].points)} of {plural(parts[0].plan.points, 'point')}{rest}."


sweep = SweepStudy.ask
"""Let rule constants run through values.

>>> swept = sweep("orchard", vary=["raven.steps=5:7"], players=[2], games=1000)
>>> [point.name for point in swept.points]
['raven.steps=5', 'raven.steps=6', 'raven.steps=7']
"""


# ---------------------------------------------------------------- what is said of it
LOOK_FOR = "Look for where the game passes what you want, and for how steep it is there: the steeper, the more the exact value matters."


def seated(point: Point) -> str:
    """How many sit at the table, in words."""
    return plural(point.players, "player")


def _document(found: Sweep) -> Document:
    first, plan = found.baselines[0], found.plan
    findings = [finding(found, metric) for metric in plan.metrics]
    drawn = tuple(f"sweep-{metric.name}" for metric in plan.metrics)
    uncharted = "There are too many constants or too many values for a chart; the tables have all points."
    games = ranged((p.result.games for p in found.points), "playout")
    at_table = "" if found.several else f"{seated(first)}, "
    kind = "confidence sequences" if found.sequential else "intervals"
    return Document(
        found.game,
        "Sweep over rules",
        f"{findings[0]}.",
        (*_sentences(found, findings), *_played(found)),
        tuple(_warnings(found)),
        rules=first.result.experiment.rules,
        facts=(
            ("Points", f"{len(found.points):,}"),
            ("Playouts of each", f"{plan.games:,}"),
            ("Strategies", "; ".join(_seats(found))),
        ),
        chapters=(
            Chapter(
                "along-the-range",
                "What happens along the range",
                LOOK_FOR,
                charts=drawn,
                warnings=() if len(plan.axes) <= MOST_CHARTED else (uncharted,),
            ),
            Chapter(
                "numbers",
                "The numbers",
                "Look at the intervals before the differences.",
                tables=tuple(_table(found, metric) for metric in _with_unfinished(found)),
            ),
        ),
        runs=tuple(dict.fromkeys(map(seated, found.lines))),
        slider=_slider(found),
        opening=f"{found.game.title}: {at_table}{plural(len(found.points), 'point')}, {games} of each on the same draws",
        closing=f"Difference: from the rules {found.baseline_name} ({first.name}), by pairs of playouts; 95% {kind}, each for itself."
        " Saved: how many times fewer playouts the pairs needed than independent runs.",
    )


def _with_unfinished(found: Sweep) -> list[Metric]:
    """The metrics to show, and the unfinished playouts where there are any."""
    shown, every = found.plan.metrics, found.points[0].metrics
    some = any(p.result.unfinished for p in found.points)
    return [*shown, *(m for m in every if some and m.name == UNFINISHED and m not in shown)]


def finding(found: Sweep, metric: Metric) -> str:
    """Where a metric is lowest and where it is highest."""
    known = [(estimate, point) for point in found.lines if (estimate := point.estimates.get(metric.name)) is not None]
    if not known:
        return f"{clean(metric.label)}: nothing is known, since no game finished"
    (low, at_low), (high, at_high) = (end(known, key=lambda one: one[0].best) for end in (min, max))
    if low.high < high.low:
        lowest = f"lowest at {found.run_of(at_low)} with {in_words(low)}"
        return f"{clean(metric.label)}: {lowest}, highest at {found.run_of(at_high)} with {interval(high)}"
    estimates = [estimate for estimate, _ in known]
    hull = replace(estimates[0], low=min(e.low for e in estimates), high=max(e.high for e in estimates))
    return f"{clean(metric.label)}: {in_words(hull)} at every point; the intervals of the lowest and the highest overlap"


def differing(found: Sweep, metric: Metric) -> str:
    """At how many points a metric differs from the baseline, judged together by Holm's procedure; nothing where none is known."""
    others = [p for p in found.points if metric.name in p.comparisons]
    if not others:
        return f"There is no point but the rules {found.baseline_name}." if all(p.is_baseline for p in found.points) else ""
    shown = sum(p <= 1 - CONFIDENCE for p in holm([p.comparisons[metric.name].p_value for p in others]))
    points = plural(len(others), "other point")
    return f"{shown} of {points} differ{'s' if len(others) == 1 else ''} from the rules {found.baseline_name}, all judged together (Holm)."


def _sentences(found: Sweep, findings: Sequence[str]) -> Iterator[str]:
    """A sentence or two for each metric; that of the first stands before them all."""
    metrics = found.plan.metrics
    for place, (metric, text) in enumerate(zip(metrics, findings, strict=True)):
        differ = differing(found, metric)
        if place:
            yield f"{text}. {differ}".strip()
        elif differ:
            yield f"{clean(metric.label)}: {differ}"


def _seats(found: Sweep) -> list[str]:
    """Who plays, at the tables of each number of players."""
    lineups = ([player.label for player in p.result.experiment.lineup] for p in found.baselines)
    return list(dict.fromkeys(clean(labels[0] if len(set(labels)) == 1 else ", ".join(labels)) for labels in lineups))


def _played(found: Sweep) -> Iterator[str]:
    for text in _seats(found):
        yield f"Every seat is played by {text}." if ", " not in text else f"Seats are played by {text}."
    yield f"The baseline is the rules {found.baseline_name}: {found.baselines[0].name}."


def _warnings(found: Sweep) -> Iterator[str]:
    if found.interrupted:
        yield f"The sweep was interrupted: {len(found.points):,} of {plural(found.plan.points, 'point')} are shown."
    elif found.imprecise:
        yield f"At {plural(found.imprecise, 'point')} the precision was not reached; ask for more --games."
    unfinished = [p for p in found.points if p.result.unfinished]
    yield from map(clean, found.remarks)
    if unfinished and not found.remarks:
        worst = max(unfinished, key=lambda p: p.result.unfinished / p.result.games)
        share, points = percent(worst.result.unfinished / worst.result.games), plural(len(unfinished), "point")
        yield f"The turn cap ended some games unfinished at {points}, at most {share} of them ({worst.name})."


# ---------------------------------------------------------------- tables
def _table(found: Sweep, metric: Metric) -> Table:
    """One metric at every point, and at the baseline where no point is the baseline."""
    points = [p for p in found.lines if metric.name in p.estimates]
    keys = [axis.key for axis in found.plan.axes]
    columns = (*keys, *["Players"] * found.several, "Estimate", _gap_heading(metric), "Saved")
    rows = tuple((*p.texts, *[str(p.players)] * found.several, *_figures(found, p, metric), _saved(p, metric)) for p in points)
    numeric = {place for place, key in enumerate(keys) if all(is_number(p.setting[key]) for p in points)}
    runs = tuple(map(seated, points)) if found.several else ()
    return Table(clean(metric.label), "", columns, rows, frozenset({*numeric, *range(len(keys), len(columns))}), rows_of=runs, flat=True)


def _gap_heading(metric: Metric) -> str:
    return f"Difference, {'points' if metric.kind == 'share' else metric.unit}"


def _figures(found: Sweep, point: Point, metric: Metric) -> tuple[str | Cell, str | Cell]:
    """Estimate and difference."""
    gap = found.baseline_name if point.is_baseline else Cell.of(point.differences[metric.name], SIGNED_CELL)
    return Cell.of(point.estimates[metric.name]), gap


def _saved(point: Point, metric: Metric) -> str:
    compared = point.comparisons.get(metric.name)
    return "" if compared is None or compared.variance_ratio is None else f"{compared.variance_ratio:.1f}x"


def _slider(found: Sweep) -> Slider | None:
    """The points of the grid, to be looked at one by one; none if there is one only, or if there are too many."""
    places: dict[tuple[str, ...], list[Point]] = {}
    for point in found.points:
        places.setdefault(point.texts, []).append(point)
    if not 1 < len(places) <= MOST_STOPS:
        return None
    values = [list(dict.fromkeys(listed)) for listed in zip(*places, strict=True)]
    dials = tuple(Dial(axis.key, tuple(listed)) for axis, listed in zip(found.plan.axes, values, strict=True))
    stops = [Stop(tuple(map(list.index, values, texts)), points[0].title, _stop_table(found, points)) for texts, points in places.items()]
    start = next((stop for stop, points in zip(stops, places.values(), strict=True) if points[0].is_baseline), stops[0])
    return Slider(dials, tuple(stops), start.at)


def _stop_table(found: Sweep, points: Sequence[Point]) -> Table:
    """The figures of a point: a row for each metric, a column for each number of players; of a single one the difference as well."""
    name, metrics = points[0].title, found.plan.metrics
    about = [(metric, Cell(clean(metric.label), metric.unit * (metric.kind != "share"))) for metric in metrics]
    if not found.several:
        rows = tuple((what, *_figures(found, points[0], metric)) for metric, what in about)
        return Table(name, "", ("What", "Estimate", f"Difference from {found.baseline_name}"), rows, frozenset({1, 2}))
    runs = tuple(map(seated, points))
    each = tuple((what, *(Cell.of(p.estimates.get(metric.name)) for p in points)) for metric, what in about)
    return Table(name, "", ("What", *runs), each, frozenset(range(1, 1 + len(runs))), runs=("", *runs))
