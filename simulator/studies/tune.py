"""`tune`: which rules meet a target with every number of players, and how little has to be changed for it?

How it searches is in `simulator.studies.rule_search`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import CELL, SIGNED_CELL
from simulator.document.language import clean, plural, ranged
from simulator.errors import UserError
from simulator.rules import write_toml
from simulator.rules.alternatives import loosened
from simulator.stats.unfinished import unfinished_of
from simulator.stats.verdicts import MET
from simulator.studies.axes import Axis, Setting, axes_of, changes_text, how_many, size_of
from simulator.studies.options import count, flag, option, texts
from simulator.studies.race import Miss
from simulator.studies.rule_search import FEWEST, MOST_PLAYED, MOST_RANKED, SURE, Search
from simulator.studies.search import FRESH, seed_for
from simulator.studies.study import Setup, Study
from simulator.studies.targets import Judged, Target, games_needed, read_targets
from simulator.studies.tuning import Proposal, Tuning

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment
    from simulator.play.resources import Resources
    from simulator.stats.tally import Tally


@dataclass(frozen=True)
class TunePlan:
    """A search, for the numbers of players of its `setup`; what is tied to a constant that may change follows it there."""

    setup: Setup
    targets: tuple[Target, ...]
    axes: tuple[Axis, ...]
    games: int
    changes: int

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players."""
        return self.setup.players

    @property
    def seated(self) -> str:
        """The same in words."""
        return ranged(self.players, "player")

    @property
    def size(self) -> int:
        """How many playouts it would take if all rules that are tried had to go through all rounds and to be measured again."""
        tried = 1 + sum(min(how_many(self.axes, n), MOST_PLAYED if n > 1 else MOST_RANKED) for n in range(1, self.changes + 1))
        return tried * len(self.players) * (self.games + max(self.games, FEWEST[-1]))

    def experiment(self, setting: Setting, players: int, stage: int) -> Experiment:
        """Rules as changed, with playouts of their own for each stage.

        Raises:
            RulesError: they cannot be played.
        """
        rules = {**self.setup.rules, **dict(setting)}
        return replace(self.setup, rules=rules, seed=seed_for(self.setup.seed, stage, players)).experiment(players)

    def misses(self, setting: Setting, tallies: Mapping[int, Tally]) -> Miss:
        """The largest miss of any target with any number of players, by what was played."""
        results = [Miss(0.0, 0.0, 0.0)]
        for players, tally in tallies.items():
            experiment = self.experiment(setting, players, FRESH)
            for target in self.targets:
                if unfinished_of(tally).hides(target.metric):
                    results.append(Miss(0.0, math.inf, math.inf))  # for all that is known it may, and nothing speaks for it
                else:
                    results.append(Miss(*target.band.misses(target.figure(experiment, tally, SURE))))
        return Miss(*map(max, zip(*results, strict=True)))

    def text(self, setting: Setting) -> str:
        """A setting in words."""
        return changes_text(setting, self.axes)

    def changed(self, setting: Setting) -> tuple[int, float]:
        """How much a setting changes."""
        return size_of(setting, self.axes)


@dataclass(frozen=True)
class TuneStudy(Study[TunePlan, Tuning]):
    """Find rules that meet a target, with few and small changes.

    Changes as few constants as will do, and as little, until every target is met with every number of players. What is found is
    measured again on playouts that had no part in finding it. Exits with 0 if it is shown to meet every target there, with 1 if
    nothing does, and with 3 if something may, with more --games. docs/tune.md says how it looks.
    """

    targets: tuple[str, ...] = texts(
        "What you want, such as players_win=0.60 or turns=25:35; several have to be met together.",
        "METRIC=VALUE | METRIC=LOW:HIGH",
        "--target",
        required=True,
    )
    within: tuple[str, ...] = texts(
        "How near is near enough: 0.01 for shares unless given, turns=0.5 for others.", "WIDTH | METRIC=WIDTH", "--within"
    )
    separately: bool = flag("Look for other rules for each number of players, instead of the same for all.")
    vary: tuple[str, ...] = texts(
        "A constant that may be changed, and its values; all rules of the game unless given.",
        "KEY=LOW:HIGH[:STEP] | KEY=A,B,C",
        "--vary",
    )
    changes: int = option(2, "whole", "How many constants may be changed together.", ends=(1, 6), shown=True)
    games: int = count(50_000, "Playouts of every figure that is reported; 50k unless given.")
    write: str | Path | None = option(
        None,
        "file",
        "Write the best proposal as a rules file, if it meets the target.",
        written="FILE.toml",
        endings=(".toml",),
    )

    each_number: ClassVar[str] = "the target is for each."
    anytime: ClassVar[bool] = True
    """What Ctrl-C cuts short is not shown."""

    @cached_property
    def plans(self) -> tuple[TunePlan, ...]:
        """One search for all numbers of players, or one for each.

        Raises:
            UserError: something of it does not exist or is not possible.
        """
        setup = self.setup
        axes = axes_of(setup.game, setup.rules, self.vary)
        if not axes:
            message = f"No rule of {setup.game.title} can be changed by itself; name constants and values with --vary."
            raise UserError(message)
        targets = read_targets(self.targets, self.within, [setup.experiment(n) for n in setup.players])
        changes = min(self.changes, len(axes))
        if (size := how_many(axes, changes)) > MOST_RANKED:
            message = f"There are {size:,} ways to change {changes} of these constants; --vary fewer of them, or ask for fewer --changes."
            raise UserError(message)
        loose = replace(setup, rules=loosened(setup.game.rules, setup.rules))
        together = [(n,) for n in setup.players] if self.separately else [setup.players]
        return tuple(TunePlan(replace(loose, players=players), targets, axes, self.games, changes) for players in together)

    def notes(self) -> Sequence[str]:
        """Whether there are too few playouts for the targets."""
        needed = max(games_needed(plan.targets, len(plan.players)) for plan in self.plans)
        if self.games >= needed:
            return ()
        few = f"With --games {self.games:,} an interval hardly fits into the target, so that much will stay open"
        return (f"{few}; {needed:,} playouts or more would do.",)

    def play_part(self, plan: TunePlan, resources: Resources) -> Tuning:
        """Search level by level, and measure on fresh playouts what was found. Ctrl-C keeps what is done.

        Raises:
            UserError: a strategy is refused, or misbehaves.
            KeyboardInterrupt: interrupted before the rules as they are were measured.
        """
        start = time.perf_counter()
        search = Search(plan, resources)
        interrupted = False
        try:
            search.run()
        except KeyboardInterrupt:
            interrupted = True
        if () not in search.fresh:
            raise KeyboardInterrupt
        return search.result(time.perf_counter() - start, interrupted=interrupted)

    def document(self, parts: Sequence[Tuning]) -> Document:
        """What meets the target, the values around it, and what was looked at."""
        return _document(parts)

    def as_dict(self, parts: Sequence[Tuning]) -> dict[str, Any]:
        """For JSON."""
        each = [part.as_dict() for part in parts]
        return {
            **{key: [one for part in each for one in part[key]] for key in ("proposals", "baseline")},
            **{key: all(part[key] for part in each) for key in ("met", "exhaustive")},
            "digests": [part.digest for part in parts],
        }

    def answer(self, parts: Sequence[Tuning]) -> bool | None:
        """Whether every search found something; None where none failed but one is open."""
        if all(part.met for part in parts):
            return True
        return None if all(part.met or part.undecided for part in parts) else False

    def files(self, parts: Sequence[Tuning]) -> Iterator[tuple[Path, bytes | None, str]]:
        """The best proposal of each search as a rules file; nothing where none meets the target."""
        for part in parts if self.write is not None else ():
            file = Path(str(self.write))
            if len(self.plans) > 1:
                file = file.with_stem(f"{file.stem}-{part.plan.players[0]}")
            if part.met:
                content = write_toml(part.rules_of(part.proposals[0]), part.plan.setup.game.title).encode()
                yield file, content, f"Rules written to {file}; play them with --rules {file}."
            else:
                yield file, None, f"{file} is not written, since nothing is shown to meet the target."


tune = TuneStudy.ask
"""Look for rules that meet a target with one number of players, or the same with several.

>>> part = tune("orchard", targets=["players_win=0.73:0.81"], players=2, vary=["raven.steps=6"], games=2000)
>>> part.met, part.proposals[0].setting
(True, (('raven.steps', 6),))
"""


# ---------------------------------------------------------------- what is said of it

READ_AS = (
    "Every figure comes from playouts that had no part in finding these rules, with its 95% interval. Met: the interval that holds for"
    " all figures of the same rules at once (Holm) lies within the target. Missed: it lies outside. Open: neither."
)


def _document(parts: Sequence[Tuning]) -> Document:
    first = parts[0]
    game, targets = first.plan.setup.game, first.plan.targets
    wanted = "; ".join(f"{target.label} {target.text}" for target in targets)
    keys = dict.fromkeys(region.key for part in parts for proposal in part.proposals for region in proposal.regions)
    drawn = tuple(name for t in targets for name in (f"target-{t.metric}", *(f"around-{t.metric}-{key}" for key in keys)))
    tables = tuple(_table(part, proposal, number) for part in parts for number, proposal in enumerate(part.proposals, 1))
    seats = [n for part in parts for n in part.plan.players]
    experiment = first.baseline.results[0].experiment
    return Document(
        game,
        "Rules that meet a target",
        clean(first.finding),
        (*(clean(part.finding) for part in parts[1:]), *_levels(parts)),
        tuple(_warnings(parts)),
        rules=experiment.rules,
        facts=(
            ("Targets", wanted),
            ("Strategy", clean(", ".join(dict.fromkeys(player.label for player in experiment.lineup)))),
            ("Playouts", f"{sum(part.playouts for part in parts):,}"),
        ),
        chapters=(
            Chapter("before-and-after", "Before and after", "Look for what lies within the band.", tuple(_around(parts)), drawn),
            Chapter("numbers", "The proposals", "Look at the verdicts, and at how little is changed.", tables=tables),
        ),
        runs=tuple(plural(n, "player") for n in seats),
        opening=f"{game.title}, {ranged(seats, 'player')}. Wanted: {wanted}",
        closing=READ_AS,
    )


def _levels(parts: Sequence[Tuning]) -> Iterator[str]:
    """What was looked at."""
    for part in parts:
        who = f"With {part.plan.seated}, " if len(parts) > 1 else ""
        yield from (clean(f"{who}{level.text}") for level in part.levels)


def _warnings(parts: Sequence[Tuning]) -> Iterator[str]:
    for part in parts:
        if part.interrupted:
            yield f"With {part.plan.seated} it was interrupted; what was finished is shown."
        yield from part.remarks


def _around(parts: Sequence[Tuning]) -> Iterator[str]:
    """What becomes of a proposal when a constant of it goes elsewhere, and what other rules of its kind do."""
    for part in parts:
        for number, proposal in enumerate(part.proposals, 1):
            where = [f"With {part.plan.seated}"] * (len(parts) > 1) + [f"of {number}"] * (len(part.proposals) > 1)
            about = "".join(f"{one}, " for one in where).replace("of", "Of" if len(parts) == 1 else "of", 1)
            others = (f"{part.plan.text(other.setting)}: {MET[other.meets]} too" for other in proposal.others)
            yield from (clean(f"{about}{text}.") for text in (*(region.text for region in proposal.regions), *others))


def _table(part: Tuning, proposal: Proposal, number: int) -> Table:
    pairs = zip(part.baseline.judged, proposal.measured.judged, strict=True)
    rows = tuple((str(a.players), clean(a.target.label), a.target.text, _cell(b), _cell(a), a.word) for b, a in pairs)
    title = f"{part.plan.seated}: {number}. {clean(part.plan.text(proposal.setting))}"
    return Table(title, "", ("Players", "Figure", "Target", "As it is", "Changed", "Verdict"), rows, frozenset({0, 3, 4}))


def _cell(judged: Judged) -> Cell:
    return Cell("-", "not known") if judged.hidden else Cell.of(judged.estimate, SIGNED_CELL if judged.target.signed else CELL)
