"""`sensitivity`: which of the rules' numbers matter, and could one that nobody is sure of change the answer?

Every rule constant is moved alone, on the same playouts. Constants that are not printed anywhere go to the ends of the range in
which the truth may lie, or to each alternative; all others move by one step. What such a move does says how much a conclusion
depends on a number that nobody was sure of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar

from simulator.document.chapters import RULES_THAT_MATTER, Chapter
from simulator.document.document import Document
from simulator.document.figures import GAP, between, scale_of
from simulator.document.language import clean, plural, ranged
from simulator.errors import UserError
from simulator.game import first_outcome, metric_named
from simulator.numbers import number_text
from simulator.play.rehearsal import rehearse
from simulator.rules import Named, brief_text, build_rules, parse_assignment, to_text
from simulator.rules.alternatives import loosened
from simulator.stats.bands import Band, read_band
from simulator.stats.shares import check_ends
from simulator.stats.unfinished import unfinished_of
from simulator.studies import sensitive_across
from simulator.studies.across import across_option, tables_of
from simulator.studies.conclusions import by_conclusion, conclusion_metrics, endings
from simulator.studies.effect_tables import MOST_MOVES, effects_tables, indices_table, open_table, overturned_table
from simulator.studies.effects import Sensitivity
from simulator.studies.interactions import Interactions, TogetherPlan, interactions_of
from simulator.studies.measuring import MovesPlan, measure
from simulator.studies.moves import moves_of
from simulator.studies.options import count, flag, option, precision, texts
from simulator.studies.sensitive_across import SensitivityAcross, across_of
from simulator.studies.study import Study

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.resources import Resources
    from simulator.play.run import Precision
    from simulator.stats.estimate import Estimate
    from simulator.studies.conclusions import Overturned
    from simulator.studies.effects import Measured
    from simulator.studies.moves import LeftOut, Move
    from simulator.studies.study import Setup

    Plan = MovesPlan | TogetherPlan
    Result = Sensitivity | Interactions | SensitivityAcross

MOST_OPEN = 8
"""Open conclusions that are told."""


def _target(text: str) -> Band:
    """Where a share is to lie: LOW:HIGH, and the metric behind another colon, or before an equals sign."""
    metric, ends = read_band(text)
    if not ends[:1] < ends[1:]:  # nor if one of them is missing
        message = f"'{text}' is no target; write the ends of a range of shares, such as 0.45:0.60 or 45%:60%."
        raise UserError(message)
    return Band(ends[0], ends[1], metric)


@dataclass(frozen=True)
class SensitivityStudy(Study["Plan", "Result"]):
    """Show which constants of the rules matter.

    Moves every constant of the rules alone, on the same playouts, and shows what that does. A constant that is not printed
    anywhere goes to the ends of its plausible range or to each alternative, all others one step each way. Of the effects called
    significant, on average at most one in twenty is none (Benjamini-Hochberg).
    """

    games: int = count(100_000, "Playouts of each move, or the most of them; 100k unless given.")
    precision: Precision | None = precision(
        "Play until each difference in the shares, or in METRIC, is known this closely to each side; --games is the most."
    )
    metrics: tuple[str, ...] = texts("What to look at in place of the headlines; 'all' for every metric.", "NAME", "--metric")
    target: Band | None = option(
        None,
        "text",
        "Where you want the players' share of wins, every seat's, or METRIC's, such as 0.45:0.60; what leaves it is named.",
        written="LOW:HIGH[:METRIC]",
        read=_target,
    )
    also: tuple[str, ...] = texts("Move a constant to this value too; may be repeated.", "KEY=VALUE", "--also")
    interactions: bool = flag("Move the numbers together as well, and tell apart what each does alone and with others.")
    across: tuple[str, ...] = across_option()

    each_number: ClassVar[str] = "each is studied."
    saved: ClassVar[str] = "effects"
    anytime: ClassVar[bool] = True

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """Every move with each number of players, under each strategy where several are asked; then the numbers together.

        Raises:
            UserError: something of it does not exist or cannot be played.
        """
        if self.across and self.interactions:
            message = "--interactions are those under one strategy; leave out --across, and name the strategy with --strategy NAME."
            raise UserError(message)
        loose = loosened(self.setup.game.rules, self.setup.rules)  # what is tied to a constant that moves has to move with it
        alone = [self._plan(replace(setup, rules=loose)) for setup in tables_of(self.setup, self.across)]
        for plan in alone:
            baseline, *_ = plan.experiments(())
            if self.across:
                rehearse(baseline)
        return (*alone, *(TogetherPlan(plan.setup, self._divided(plan), self.games) for plan in alone if self.interactions))

    def _plan(self, setup: Setup) -> MovesPlan:
        strategy = setup.strategies[0] if self.across else ""
        return MovesPlan(setup, tuple(self._moves[0]), self._looked_at(setup), self.games, self.precision, strategy)

    def _divided(self, plan: MovesPlan) -> Metric:
        """The metric whose variance is divided up: the first that was named, or what tells who wins."""
        wins = conclusion_metrics(self.setup.game, plan.players)[0]
        return plan.metrics[0] if self.metrics else next(m for m in plan.metrics if m.name == wins)

    @cached_property
    def _moves(self) -> tuple[list[Move], list[LeftOut]]:
        return moves_of(self.setup.game, self.setup.rules, [(key, value) for key, value, _ in self._also])

    @cached_property
    def _also(self) -> list[tuple[str, Any, str]]:
        """Keys and values that are asked for, and what to say of them."""
        return [parse_assignment(text, self.setup.game.rules, self.setup.rules) for text in self.also]

    def notes(self) -> Sequence[str]:
        """What became of changes that were asked for."""
        return [note for _, _, note in self._also if note]

    def _looked_at(self, setup: Setup) -> tuple[Metric, ...]:
        """What to look at, and always what the conclusions rest on.

        Raises:
            UserError: there is no such metric, or a target or a precision is none for it.
        """
        game, (players,) = setup.game, setup.players
        known = {m.name: m for m in game.metrics(build_rules(game.rules, setup.rules), players)}
        asked = [m.name for m in known.values() if "all" in self.metrics or (not self.metrics and m.headline)]
        asked += [name for name in self.metrics if name != "all"]
        named = [one.metric for one in (self.precision, self.target) if one is not None and one.metric]
        names = dict.fromkeys([*asked, *named, *conclusion_metrics(game, players), *endings(game, known, players)])
        for name in names:
            metric_named([*known.values()], name)
        if self.target is not None:
            _check_target(self.target, known)
        if self.precision is not None:
            self.precision.check(known[self.precision.metric or first_outcome(list(known.values())).name])
        return tuple(known[name] for name in names)

    def play_part(self, plan: Plan, resources: Resources) -> Result:
        """Play one table, or its numbers together; its effects are judged with those of all tables when these are played."""
        if isinstance(plan, TogetherPlan):
            with resources.collecting(f"{plural(plan.players, 'player')}, together", plan.size) as how:
                return interactions_of(plan, how)
        with resources.collecting(plan.label, plan.size) as how:
            return self._judged([measure(plan, how)])

    def _judged(self, tables: Sequence[Measured]) -> Sensitivity:
        return judged(*self._moves, tables, self.target, precise=self.precision is not None)

    def together(self, parts: tuple[Result, ...], *, interrupted: bool) -> tuple[Result, ...]:
        """All effects judged together; where several strategies are asked, what they agree on."""
        tables = [table for part in parts if isinstance(part, Sensitivity) for table in part.tables]
        if not self.across:
            return (replace(self._judged(tables), together=tuple(part for part in parts if isinstance(part, Interactions))),)
        of: dict[str, list[Measured]] = {plan.strategy: [] for plan in self.plans if isinstance(plan, MovesPlan)}
        for plan, table in zip(self.plans, tables, strict=False):
            of[plan.setup.strategies[0]].append(table)
        alone = {strategy: self._judged(found) for strategy, found in of.items() if found}
        return (across_of(alone, tuple(of), len(self.plans), interrupted=interrupted),)

    def document(self, parts: Sequence[Result]) -> Document:
        """What moving the constants does, or what becomes of that under every strategy."""
        part = parts[0]
        if isinstance(part, SensitivityAcross):
            return sensitive_across.document(part)
        assert isinstance(part, Sensitivity)  # noqa: S101  all parts were made one
        return _document(part, asked=bool(self.metrics))

    def as_dict(self, parts: Sequence[Result]) -> dict[str, Any]:
        """For JSON."""
        part = parts[0]
        together = part.together if isinstance(part, Sensitivity) else ()
        return {**part.as_dict(), **({"interactions": [one.as_dict() for one in together]} if self.interactions else {})}


sensitivity = SensitivityStudy.ask
"""Move every constant alone.

>>> found = sensitivity("orchard", players=2, games=2000)
>>> found.ranked("players_win", 2)[0][0].move.key
'basket.fruits'
"""


def _check_target(target: Band, known: dict[str, Metric]) -> None:
    if target.metric and known[target.metric].kind != "share":
        shares = ", ".join(m.name for m in known.values() if m.kind == "share")
        message = f"A target is about a share, and '{target.metric}' is none; there are {shares}."
        raise UserError(message)
    ends = (target.low, target.high)
    check_ends(ends, f"--target {':'.join(map(number_text, ends))}", 0.0, 1.0)


def judged(
    moves: Sequence[Move], left_out: Sequence[LeftOut], tables: Sequence[Measured], target: Band | None = None, *, precise: bool = False
) -> Sensitivity:
    """All that was measured, in the order of the constants, so that it is judged together.

    Args:
        moves: which constants went where.
        left_out: constants that could not be moved.
        tables: what was measured with each number of players.
        target: where the designer wants a share to lie.
        precise: whether a precision was asked for.
    """
    order = {move: place for place, move in enumerate(moves)}
    in_order = tuple(replace(t, effects=tuple(sorted(t.effects, key=lambda e: order[e.move]))) for t in tables)
    everything = dict.fromkeys([*left_out, *(one for t in tables for one in t.left_out)])
    return Sensitivity(in_order, tuple(everything), target, precise or any(t.interrupted for t in tables))


# ---------------------------------------------------------------- what is said of it


def _document(found: Sensitivity, *, asked: bool) -> Document:
    first = found.tables[0].baseline
    seats = ", ".join(dict.fromkeys(p.label for p in first.lineup))
    main = report_chapter(found)
    return Document(
        first.game,
        "Sensitivity to the rules' constants",
        clean(found.headline),
        (*map(clean, found.target_texts), *_overturned_by_the_book(found), *(f"{moves_most(found, m)}." for m in _shown(found))),
        (*main.warnings, *_warnings(found)),
        rules=first.rules,
        facts=(("Strategy", clean(seats)), *((f"Playouts with {_seated(t)}", _played(t)) for t in found.tables)),
        chapters=(
            replace(main, tables=tuple(overturned_table(found)), warnings=()),
            *_open(found),
            *_together(found.together),
            Chapter("numbers", "The numbers", "Look at the interval before the effect.", tables=tuple(effects_tables(found, asked=asked))),
        ),
        runs=tuple(map(_seated, found.tables)),
        opening=f"{first.game.title}: every constant moved alone, on the same draws",
        closing=_how_to_read(found),
    )


def report_chapter(found: Sensitivity) -> Chapter:
    """Which rules matter: the tornados, and which conclusions a constant overturns; those in doubt are warned of."""
    look_for = "Look for long bars of constants that are assumed: of those you have to be surest."
    drawn = tuple(f"tornado-{metric.name}" for metric in _shown(found))
    tables = (*overturned_table(found), *open_table(found))
    doubtful = by_conclusion(o for o in found.overturned if o.move.doubtful)
    warned = tuple(f"It hangs on what nobody is sure of. {_overturned(moves)}" for moves in doubtful)
    return Chapter(RULES_THAT_MATTER, "Which rules matter", look_for, tuple(map(clean, found.quiet_texts)), drawn, tables, warnings=warned)


def _seated(table: Measured) -> str:
    return plural(table.players, "player")


def _played(table: Measured) -> str:
    each = ranged((tally.games for tally in table.moved.values()), "playout")
    return f"{table.playouts:,} ({plural(len(table.moved), 'move')}, {each} of each)"


def _how_to_read(found: Sensitivity) -> str:
    kind = "confidence sequences" if found.sequential else "intervals"
    return (
        f"An effect is moved less unmoved, by pairs of playouts on the same draws, with 95% {kind}, shares in percentage points. Found"
        " are those that remain when all are judged together (Benjamini-Hochberg, at most 5% false discoveries), with intervals that"
        " are wider for having been picked, so that of them at most 5% miss, on average (Benjamini-Yekutieli)."
    )


def _shown(found: Sensitivity) -> list[Metric]:
    """The metrics that are drawn: all, but those of how games end where no move does anything to that."""
    every = dict.fromkeys(m for table in found.tables for m in table.metrics)
    return [m for m in every if found.worth_showing(m)]


def moves_most(found: Sensitivity, metric: Metric) -> str:
    """Which constant moves a metric most, and by how much."""
    effects = [e for e in found.effects if e.metric.name == metric.name and e.significant]
    if not effects:
        return f"{clean(metric.label)}: no effect of a constant is found"
    most = max(effects, key=lambda e: abs(e.difference.estimate.best))
    where = f"{value_text(most.move.to)} ({plural(most.players, 'player')})"
    return f"{clean(metric.label)}: {most.move.key} moves it most, by {span(most.difference.estimate)} {unit_of(metric)} at {where}"


def span(effect: Estimate) -> str:
    """An effect's interval; of a share in percentage points."""
    factor = scale_of(effect)
    return between(factor * effect.low, factor * effect.high, GAP.with_digits(digits_of(factor * (effect.high - effect.low))))


def digits_of(width: float) -> int:
    """As many decimals as tell the ends of an interval apart."""
    half = width / 2
    return 1 if half >= 0.1 else 2 if half >= 0.01 else 3  # noqa: PLR2004  a decimal more for each power of ten


def unit_of(metric: Metric) -> str:
    """What an effect is in."""
    return "percentage points" if metric.kind == "share" else metric.unit


def value_text(value: Any) -> str:
    """A value in short: in a list, what stands there several times in a row is counted, and lists in it are told by letters.

    >>> value_text(("clark", "clark", "clark", "wreath")), value_text(False)
    ('3 \N{MULTIPLICATION SIGN} clark, wreath', 'false')
    >>> value_text((("clark", "wreath"), ("clark", "wreath"), ("eddie", "clark")))
    '2 \N{MULTIPLICATION SIGN} c w, e c'
    """
    if not isinstance(value, list | tuple) or isinstance(value, Named):
        return clean(brief_text(value))
    runs = [(_entry_text(entry), len(list(same))) for entry, same in groupby(value)]
    return clean(", ".join(f"{count} \N{MULTIPLICATION SIGN} {entry}" if count > 1 else entry for entry, count in runs))


def _entry_text(entry: Any) -> str:
    return " ".join(to_text(part)[:1] for part in entry) if isinstance(entry, list | tuple) else to_text(entry)


def _overturned_by_the_book(found: Sensitivity) -> Iterator[str]:
    for moves in by_conclusion(o for o in found.overturned if not o.move.doubtful):
        yield f"Constants of the rulebook overturn a conclusion, moved by one step or left out. {_overturned(moves)}"


def _overturned(moves: Sequence[Overturned]) -> str:
    """A conclusion, and the first few moves that overturn it; the table has all."""
    said = [f"{o.move.key} moved to {clean(brief_text(o.move.to))}: {clean(o.instead)}" for o in moves[:MOST_MOVES]]
    said += [f"and {len(moves) - MOST_MOVES} more below"] * (len(moves) > MOST_MOVES)
    return f"As it is with {plural(moves[0].players, 'player')}: {clean(moves[0].conclusion)}. But with {'; '.join(said)}."


def _open(found: Sensitivity) -> Iterator[Chapter]:
    """The first conclusions that are open in sentences; the table has all."""
    said = [f"Open: {clean(one.text)}" for one in found.open[:MOST_OPEN]]
    if len(found.open) > MOST_OPEN:
        said.append(f"{len(found.open) - MOST_OPEN} more conclusions are open; --report and --json have them all.")
    if said:
        yield Chapter("open", "What is open", "Look for what more playouts would settle.", tuple(said), tables=tuple(open_table(found)))


def _warnings(found: Sensitivity) -> Iterator[str]:
    yield from (f"The run with {_seated(t)} was interrupted." for t in found.tables if t.interrupted)
    for table in found.tables:
        if table.precise is False:
            yield f"With {_seated(table)} not every difference is as precise as was asked for; ask for more --games."
    yield from filter(None, (unfinished_of(t.unmoved).remark(f"as it is with {_seated(t)}") for t in found.tables))


def _together(together: Sequence[Interactions]) -> tuple[Chapter, ...]:
    """Numbers moved together; nothing if that was not asked for."""
    look_for = "Look for constants whose dark bar is much longer than the light one: what they do depends on the others."
    said = tuple(f"With {plural(one.players, 'player')}: {one.finding}" for one in together)
    tables_of_each = tuple(map(indices_table, together))
    return (Chapter("together", "What the numbers do together", look_for, said, ("sobol",), tables_of_each),) if together else ()
