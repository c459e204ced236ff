"""`compare`: what does a change of the rules do?

The rules as they are and each variant are played on the same playouts. For each metric the difference between the two is
estimated with its interval, and all differences are judged together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import (
    CELL,
    GAP_CELL,
    SIGNED_CELL,
    digits_of,
    figure,
    interval,
    percent,
    scale_of,
)
from simulator.document.language import clean, listed, plural, ranged
from simulator.errors import UserError
from simulator.play.rehearsal import rehearse
from simulator.stats.estimate import simultaneous
from simulator.stats.rounding import agreeing
from simulator.stats.shares import read_widths
from simulator.stats.unfinished import unfinished_of
from simulator.studies.across import across_option, by_strategy, how_to_read, survey, tables_of, warnings
from simulator.studies.comparisons import (
    Compared,
    ComparedAcross,
    Comparison,
    asked_of,
    chosen_metrics,
    compared_of,
    judged_together,
    verdicts_on,
)
from simulator.studies.noticed import Widths, effect, margin_of, rank, ranked_metrics
from simulator.studies.options import count, flag, texts
from simulator.studies.pairs import PairedRun, Variant, experiments_of, parse_variant, play_pairs, variants_table
from simulator.studies.study import Study, notes_of

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.experiment import Experiment
    from simulator.play.resources import Resources
    from simulator.studies.pairs import PairedPart
    from simulator.studies.study import Setup

GAMES = 200_000

Result = Compared | ComparedAcross


@dataclass(frozen=True)
class ComparePlan:
    """One table: a number of players, and where several strategies are asked one of them.

    Attributes:
        experiments: the rules as they are, then each variant.
        metrics: what to compare.
        games: how many playouts, at most.
        strategy: who plays, where several strategies are asked.
        confidence: at which it is played until it is decided, since all tables are judged together.
    """

    experiments: tuple[Experiment, ...]
    metrics: tuple[Metric, ...]
    games: int
    strategy: str
    confidence: float

    @property
    def size(self) -> int:
        """How many playouts of each, at most."""
        return self.games

    @property
    def label(self) -> str:
        """Names the table."""
        return ", ".join(filter(None, (self.strategy, plural(self.experiments[0].players, "player"))))


@dataclass(frozen=True)
class CompareStudy(Study[ComparePlan, Result]):
    """Show what a change of the rules does.

    Plays the rules as they are and variants of them on the same playouts, and judges the differences. A difference is the
    variant less the rules as they are. All differences are judged together, so that with 95 percent confidence none is called
    one that is none.
    """

    variants: tuple[str | Variant, ...] = texts(
        "Rules to compare with: key=value, several with semicolons between, or a rules file. Append @NAME for another strategy.",
        "KEY=VALUE | FILE.toml",
        "--variant",
        required=True,
    )
    games: int = count(GAMES, "Playouts, or the most of them; 200k unless given.")
    margins: tuple[str, ...] = texts(
        "A difference that does not matter: 0.01 for all shares, turns=0.5 for another metric.", "WIDTH | METRIC=WIDTH", "--margin"
    )
    until_decided: bool = flag("Play until no verdict is open, or --games is reached.")
    metrics: tuple[str, ...] = texts("What to compare in place of the headlines; 'all' for every metric.", "NAME", "--metric")
    across: tuple[str, ...] = across_option()

    each_number: ClassVar[str] = "each is compared."
    saved: ClassVar[str] = "comparisons"
    anytime: ClassVar[bool] = True

    @cached_property
    def plans(self) -> tuple[ComparePlan, ...]:
        """What will be played with each number of players, under each strategy where several are asked.

        Raises:
            UserError: something of it does not exist or cannot be played.
        """
        tables, variants = tables_of(self.setup, self.across), self._variants
        if not variants:
            message = "There is nothing to compare the rules with; name a variant, such as KEY=VALUE for one of the rules' constants."
            raise UserError(message)
        own = next((v.name for v in variants if v.strategies), None)
        if self.across and own is not None:
            message = f"'{own}' names who plays it, and --across seats each strategy on both sides; leave out what stands behind the @."
            raise UserError(message)
        plans = tuple(self._plan(setup, simultaneous(len(tables))) for setup in tables)
        for plan in plans if self.across else ():
            rehearse(plan.experiments[0])
        return plans

    def _plan(self, setup: Setup, confidence: float) -> ComparePlan:
        experiments = experiments_of(setup, self._variants)
        metrics = tuple(chosen_metrics(experiments[0].metrics, self.metrics, self._widths))
        return ComparePlan(experiments, metrics, self.games, setup.strategies[0] if self.across else "", confidence)

    @cached_property
    def _variants(self) -> tuple[Variant, ...]:
        game, rules = self.setup.game, self.setup.rules
        return tuple(v if isinstance(v, Variant) else parse_variant(game, v, rules) for v in self.variants)

    @cached_property
    def _widths(self) -> dict[str, float]:
        return read_widths(self.margins, "--margin", "margin", least=0.0)

    def play_part(self, plan: ComparePlan, resources: Resources) -> Compared:
        """Play one table; its verdicts are open until all tables are played, since they are judged together."""

        def decided(part: PairedPart) -> bool:
            so_far = compared_of(PairedRun(plan.experiments, part, plan.games, 0.0), self._variants, plan.metrics, sequential=True)
            return "open" not in verdicts_on([so_far], self._widths, plan.confidence)

        with resources.collecting(plan.label, plan.games) as how:
            run = play_pairs(plan.experiments, plan.games, enough=decided if self.until_decided else None, **how)
        return compared_of(run, self._variants, plan.metrics, sequential=self.until_decided or run.interrupted)

    def together(self, parts: tuple[Result, ...], *, interrupted: bool) -> tuple[Result, ...]:
        """The tables judged together; where several strategies are asked, one part says what they agree on."""
        judged = judged_together(_alone(parts), self._widths)
        if not self.across:
            return judged
        strategies = tuple(dict.fromkeys(plan.strategy for plan in self.plans))
        result = tuple((plan.strategy, part) for plan, part in zip(self.plans, judged, strict=False))
        return (ComparedAcross(strategies, result, asked_of(result, len(strategies), self._widths), interrupted),)

    def document(self, parts: Sequence[Result]) -> Document:
        """The differences that the variants make, or what becomes of them under every strategy."""
        first = parts[0]
        if isinstance(first, ComparedAcross):
            return _document_across(first)
        return _document(_alone(parts), self._widths)

    def as_dict(self, parts: Sequence[Result]) -> dict[str, Any]:
        """For JSON."""
        each = [part.as_dict() for part in parts]
        return {**each[0], **{key: [one for part in each for one in part[key]] for key in ("comparisons", "digests")}}

    def notes(self) -> Sequence[str]:
        """What to know about the rules that are compared."""
        changes = (note for variant in self._variants for note in variant.notes)
        return (*changes, *notes_of(experiment for plan in self.plans for experiment in plan.experiments))


def _alone(parts: Sequence[Result]) -> list[Compared]:
    return [part for part in parts if isinstance(part, Compared)]


compare = CompareStudy.ask
"""Compare the rules with variants of them at one number of players.

>>> compare("pig", players=2, variants=["goal=90"], games=500, metrics=["turns"]).comparisons[0].word
'differs'
"""


# ---------------------------------------------------------------- what is said of it

VERDICTS = {"differs": "differs", "equivalent": "no difference that matters", "undecided": "undecided"}
"""What a verdict comes to."""

LOOK_FIRST = "Look at the interval before the difference."

MOST_EFFECTS = 3
"""So many of the largest effects of a variant are told in sentences; the tables have all."""


def _document(parts: Sequence[Compared], widths: Widths) -> Document:
    first, game = parts[0].run.experiments[0], parts[0].run.experiments[0].game
    every = [c for part in parts for c in part.comparisons]
    ranked = ranked_metrics(every, widths)
    by_size = sorted(every, key=lambda c: ranked.index(c.metric.name))
    several = len(parts[0].variants) > 1
    look_for = "Look for points in colour: there the variant does something that luck does not explain, all points judged together (Holm)."
    kind = "confidence sequence" if any(part.sequential for part in parts) else "interval"
    seats = ", ".join(dict.fromkeys(p.label for p in first.lineup))
    side_by_side = tuple(_side_by_side(part, ranked, widths) for part in parts) if several else ()
    return Document(
        game,
        "Comparison of rules",
        finding(every, widths),
        tuple(sentence([c for c in every if c.variant == v.name], widths) for v in parts[0].variants),
        tuple(_warnings(parts)),
        rules=first.rules,
        facts=(("Strategy", clean(seats)), *((f"Playouts of each with {_seated(part)}", _played(part)) for part in parts)),
        chapters=(
            Chapter("what-changes", "What the variants change", look_for, charts=_drawn(every, ranked, widths), tables=side_by_side),
            Chapter("numbers", "The numbers", LOOK_FIRST, tables=(differences_table(by_size, printed=not several),)),
            Chapter("variants", "What was compared", "", tables=(variants_table(parts[0].variants, parts[0].run.experiments),)),
        ),
        runs=tuple(map(_seated, parts)),
        opening=f"{game.title}: {ranged((part.run.part.games for part in parts), 'playout')} of each, on the same draws",
        closing="A difference is the variant less the rules as they are, by pairs of playouts on the same draws, shares in percentage"
        f" points; below it stands its 95% {kind}. Verdicts are judged together (Holm); tiny is what a table would not notice, below two"
        " points or a tenth unless --margin says otherwise. Saved: how many times fewer playouts than independent runs would have needed.",
    )


def _drawn(every: Sequence[Comparison], ranked: Sequence[str], widths: Widths) -> tuple[str, ...]:
    """The charts: of the metrics that a table would notice, or of the first where there are none."""
    noticed = {c.metric.name for c in every if c.steps(margin_of(c.metric, widths)) >= 1}
    return tuple(f"difference-{name}" for name in [n for n in ranked if n in noticed] or ranked[:1])


def _seated(part: Compared) -> str:
    return plural(part.players, "player")


def _played(part: Compared) -> str:
    """How many playouts, and where it was to be played until all is decided, whether it is."""
    games = f"{part.run.part.games:,}"
    if not part.sequential or part.interrupted:
        return games
    undecided = any(c.verdict == "open" for c in part.comparisons)
    return f"{games} (not everything was decided within them)" if undecided else f"{games} (every verdict is in)"


def finding(every: Sequence[Comparison], widths: Widths) -> str:
    """The largest effect of all, as a table would notice it."""
    most = max(every, key=lambda c: rank(c, widths))
    _, size = rank(most, widths)
    if size >= 1:
        told = effect(most)
        return f"{told[:1].upper()}{told[1:]} with {clean(most.variant)} ({plural(most.players, 'player')})."
    if size > 0:
        told = f"{effect(most)} with {clean(most.variant)} ({plural(most.players, 'player')})"
        return f"No variant changes what a table would notice; the largest effect is real but tiny: {told}."
    if any(any(c.hidden) for c in every):
        return "Nothing is known of what the variants do, for no game finished."
    shown = "that shows" if any(c.verdict == "open" for c in every) else "that matters"
    return f"No variant makes a difference {shown}."


def sentence(of_variant: Sequence[Comparison], widths: Widths) -> str:
    """What one variant does, the largest effect first, and what is not noticed or not shown."""
    ranked, told, seen = ranked_metrics(of_variant, widths), [], set()
    kinds: dict[str, list[str]] = {"real but tiny": [], "no difference that matters": [], "undecided": [], "not known": []}
    for name in ranked:
        same = [c for c in of_variant if c.metric.name == name]
        noticed = [c for c in same if c.steps(margin_of(c.metric, widths)) >= 1]
        about = "who wins" if same[0].metric.outcome else name
        if noticed and about not in seen:
            seen.add(about)
            most = max(noticed, key=lambda c: c.steps(margin_of(c.metric, widths)))
            told.append(f"{effect(most)} ({plural(most.players, 'player')})")
        elif not noticed:
            kinds[_kind(same)].append(clean(same[0].metric.label))
    effects = "; ".join(told[:MOST_EFFECTS]) or "nothing that a table would notice"
    rest = "".join(f" {kind[:1].upper()}{kind[1:]}: {listed(labels)}." for kind, labels in kinds.items() if labels)
    return f"With {clean(of_variant[0].variant)}: {effects}.{rest}"


def _kind(same: Sequence[Comparison]) -> str:
    """What becomes of a metric that no table would notice."""
    if any(any(c.hidden) for c in same):
        return "not known"
    if any(c.verdict == "yes" for c in same):
        return "real but tiny"
    return "undecided" if any(c.verdict == "open" for c in same) else "no difference that matters"


def _side_by_side(part: Compared, ranked: Sequence[str], widths: Widths) -> Table:
    """A row for each metric, a column for the rules as they are and for each variant: its figure above its difference."""
    by_name = {(c.metric.name, c.variant): c for c in part.comparisons}
    variants = [v.name for v in part.variants]
    rows = []
    for name in (n for n in ranked if (n, variants[0]) in by_name):
        cells = [by_name[name, variant] for variant in variants]
        first = cells[0]
        baseline = Cell("-") if first.hidden[0] else Cell(figure(first.baseline, CELL))
        rows.append((Cell(clean(first.metric.label)), baseline, *(_changed(c, margin_of(c.metric, widths)) for c in cells)))
    columns = ("Metric", "As it is", *map(clean, variants))
    seated = _seated(part)
    return Table(
        f"Side by side, {seated}",
        "",
        columns,
        tuple(rows),
        frozenset(range(1, len(columns))),
        rows_of=(seated,) * len(rows),
        small="difference",
    )


def _changed(c: Comparison, margin: float | None) -> Cell:
    """A variant's figure, and below it the ends of its difference, or why there is none to tell."""
    if any(c.hidden):
        return Cell("-", "not known")
    gap = interval(c.difference, SIGNED_CELL) if c.difference.low < c.difference.high else "no difference"
    mark = {"yes": "" if c.steps(margin) >= 1 else "tiny", "open": "open", "no": "same"}[c.verdict]
    return Cell(figure(c.changed, CELL), gap, mark)


def _warnings(parts: Sequence[Compared]) -> Iterator[str]:
    for part in parts:
        if part.interrupted:
            yield f"The run with {_seated(part)} was interrupted after {part.run.part.games:,} of {part.run.asked:,} playouts."
    remarks = [clean(text) for part in parts for text in part.remarks]
    unfinished = max(unfinished_of(*part.run.part.tallies).share for part in parts)
    if unfinished and not remarks:
        yield f"The turn cap ended up to {percent(unfinished)} of the games unfinished; they count in every figure."
    yield from remarks


def differences_table(every: Sequence[Comparison], *, printed: bool = True) -> Table:
    """All comparisons, a row each."""
    return Table(
        "All comparisons",
        "",
        ("Variant", "Players", "Metric", "As it is", "Changed", "Difference", "Verdict", "Saved"),
        tuple(_row(c) for c in every),
        frozenset({1, 3, 4, 5, 7}),
        rows_of=tuple(plural(c.players, "player") for c in every),
        grouped=(0, 1),
        printed=printed,
    )


def _row(c: Comparison) -> tuple[str | Cell, ...]:
    factor = scale_of(c.difference)
    digits = agreeing(factor * c.baseline.best, factor * c.changed.best, digits_of(c.difference, GAP_CELL))
    both = zip((c.baseline, c.changed), c.hidden, strict=True)
    shown = ["-" if hidden else figure(e, CELL.with_digits(digits)) for e, hidden in both]
    unknown = any(c.hidden)
    saved = "-" if c.playouts_saved is None or unknown else f"{c.playouts_saved:.1f} times"
    difference = Cell("-", "not known") if unknown else Cell.of(c.difference, GAP_CELL.with_digits(digits))
    return (clean(c.variant), str(c.players), clean(c.metric.label), *shown, difference, c.word, saved)


def _document_across(found: ComparedAcross) -> Document:
    """What becomes of each verdict, and the differences under every strategy."""
    _, first = found.found[0]
    experiment = first.run.experiments[0]
    played = [(f"Playouts of each with {_seated(c)} under {clean(s)}", f"{c.run.part.games:,}") for s, c in found.found]
    flips = [one.text for one in found.asked if one.verdict == "no"]
    games = ranged((compared.run.part.games for _, compared in found.found), "playout")
    return Document(
        experiment.game,
        "Comparison of rules across strategies",
        found.closing,
        survey(found.asked),
        (*warnings(flips, interrupted=found.interrupted), *map(clean, found.remarks)),
        rules=experiment.rules,
        facts=(("Strategies", clean(", ".join(found.strategies))), *played),
        chapters=(by_strategy(found.asked, printed=True),),
        opening=f"{experiment.game.title} under {len(found.strategies)} strategies, {games} of each, on the same draws",
        closing=how_to_read("the variant less the rules as they are", sequential=first.sequential),
    )
