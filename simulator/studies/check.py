"""Are a designer's promises kept? Each is played until that is decided, or up to a cap.

The interval of every promise is a confidence sequence, so that it may be looked at after each batch. The verdict is read off
it: holds if it lies within what was promised, broken if it lies outside, undecided if it does neither. So either verdict is
wrong with probability 1 - confidence at most, for each promise by itself. Where a promise has a single end, so has either
verdict, and each end of the interval holds with that confidence by itself; that takes fewer playouts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import Style, is_share, scale_of
from simulator.document.language import clean, listed, plural
from simulator.play.collect import Collected, collect
from simulator.play.executors import BatchPlayer, Job, Rows
from simulator.play.rehearsal import rehearse
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import EachEnd, Estimate
from simulator.stats.paired import PairedTally, pair_rows, reaches
from simulator.stats.sequences import TUNED_FOR, quantile_sequence, sequence_of
from simulator.stats.unfinished import UNFINISHED, Unfinished, unfinished_of
from simulator.stats.verdicts import HOLDS, Verdict
from simulator.studies.junit import junit_xml
from simulator.studies.options import count, option
from simulator.studies.pairs import PairedPart, PairWorker
from simulator.studies.promises import Promise, Side, read_promises
from simulator.studies.study import Question, notes_of

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment
    from simulator.play.resources import Resources

UNKEPT: tuple[Verdict, ...] = ("no", "open")
"""Verdicts that a reader has to see first."""


@dataclass(frozen=True)
class Outcome:
    """What became of a promise.

    Attributes:
        promise: what was promised.
        estimate: what was found, with a confidence sequence; None if nothing was played for it.
        verdict: whether it holds; open where no game finished.
        unfinished: how many of its games did not finish; None if nothing was played for it.
    """

    promise: Promise
    estimate: Estimate | None
    verdict: Verdict
    unfinished: Unfinished | None = None

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return HOLDS[self.verdict]

    @property
    def remark(self) -> str:
        """What to say beside the verdict of games that did not finish; empty where they were few."""
        return "" if self.unfinished is None or self.promise.side.metric.name == UNFINISHED else self.unfinished.remark()

    @property
    def cell(self) -> Cell:
        """Best value and interval, with the digits that tell the interval's ends from those of the target."""
        if self.estimate is None:
            return Cell("-")
        share, difference = is_share(self.estimate), self.promise.minus is not None
        width = scale_of(self.estimate) * (self.estimate.high - self.estimate.low)
        places = 0 if self.promise.quantile is not None else _places(width)
        style = Style(places, plain=True, signed=difference, once=False, percent="%" if share and not difference else "")
        return Cell.of(self.estimate, style)

    @property
    def found(self) -> str:
        """The same in a sentence."""
        return " within ".join(filter(None, (self.cell.text, self.cell.small)))

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
            "verdict": self.word,
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
        return any(o.verdict == "open" and not (o.unfinished and o.unfinished.all) for o in self.outcomes)

    def count(self, verdict: Verdict) -> int:
        """How many promises ended so."""
        return sum(o.verdict == verdict for o in self.outcomes)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "promises": [o.as_dict() for o in self.outcomes],
            **{word: self.count(verdict) for verdict, word in HOLDS.items()},
            "digest": self.digest,
            "elapsed_s": self.elapsed_s,
        }


@dataclass(frozen=True)
class CheckPlan:
    """What a file promises."""

    promises: tuple[Promise, ...]

    @property
    def size(self) -> int:
        """How many playouts it takes, at most."""
        return sum(self.promises[group[0]].games for group in _groups(self.promises))


@dataclass(frozen=True)
class CheckStudy(Question[CheckPlan, Checked]):
    """Check the promises in a file, such as 'the players win half of the games'.

    Each promise in the file is played until it holds or is broken. Exits with 0 if all hold, with 1 if one is broken, and with 3
    if none is broken but one is undecided after --games. docs/check.md says how to write a promise.
    """

    file: str | Path = option(MISSING, "file", "What is promised.", name="FILE.toml")
    games: int | None = count(None, "Playouts for each promise at most, in place of what the file says.")
    junit: str | Path | None = option(None, "file", "Write the verdicts as JUnit XML as well.", written="FILE.xml")

    saved: ClassVar[str] = "verdicts"
    anytime: ClassVar[bool] = True

    @cached_property
    def plans(self) -> tuple[CheckPlan, ...]:
        """All promises at once, since those about the same experiment are played together.

        Raises:
            UserError: the file cannot be read, or something in it is wrong.
        """
        return (CheckPlan(tuple(read_promises(self.file, games=self.games))),)

    def play_part(self, plan: CheckPlan, resources: Resources) -> Checked:
        """Play each promise until it is decided; see `play_promises`."""
        return play_promises(plan.promises, resources)

    def document(self, parts: Sequence[Checked]) -> Document:
        """The verdicts, those that are not kept first, and a table of all promises."""
        return _document(parts[0], clean(Path(self.file).name))

    def as_dict(self, parts: Sequence[Checked]) -> dict[str, Any]:
        """For JSON."""
        return parts[0].as_dict()

    def notes(self) -> Sequence[str]:
        """What a designer should know about the rules, each once."""
        return notes_of(experiment for p in self.plans[0].promises for experiment in _experiments_of(p))

    def answer(self, parts: Sequence[Checked]) -> bool | None:
        """Whether all promises hold; None where none is broken but one is undecided."""
        return False if parts[0].count("no") else None if parts[0].count("open") else True

    def files(self, parts: Sequence[Checked]) -> Sequence[tuple[Any, bytes, str]]:
        """The verdicts as JUnit XML."""
        if self.junit is None:
            return ()
        return ((self.junit, junit_xml(parts[0], Path(self.file).name), f"Verdicts written to {self.junit}."),)


check = CheckStudy.ask
"""Play what a file promises."""


def play_promises(promises: Sequence[Promise], resources: Resources) -> Checked:
    """Play each promise until it is decided. Ctrl-C keeps what is done.

    Promises about the same experiment are played together; each ends at its own number of playouts, and neither the company
    nor the number of workers changes what becomes of it.

    Raises:
        UserError: a strategy is refused, or misbehaves.
        KeyboardInterrupt: interrupted before anything was found.
    """
    start = time.perf_counter()
    for experiment in {e.id: e for p in promises for e in _experiments_of(p)}.values():
        rehearse(experiment)
    outcomes: dict[int, Outcome] = {}
    interrupted = False
    digests: list[str] = []
    for group in _groups(promises):
        try:
            with resources.collecting(_label(promises, group), promises[group[0]].games) as how:
                run = _play(promises, group, outcomes, **how)
            interrupted = run.interrupted
            digests.append(run.part.digest)
        except KeyboardInterrupt:
            interrupted = True
        if interrupted:
            break
    if interrupted and not outcomes:
        raise KeyboardInterrupt
    every = tuple(outcomes.get(i) or Outcome(p, None, "open") for i, p in enumerate(promises))
    return Checked(every, time.perf_counter() - start, interrupted, joint_digest(digests))


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
        undecided[:] = [i for i in undecided if found[i].verdict == "open"]
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
    verdict: Verdict = "open" if unfinished.hides(metric.name) else promise.target.judge(estimate)
    return Outcome(promise, estimate, verdict, unfinished)


# ---------------------------------------------------------------- what is said of it


def _document(checked: Checked, source: str) -> Document:
    games = {o.promise.side.experiment.game.name: o.promise.side.experiment.game for o in checked.outcomes}
    total = len(checked.outcomes)
    others = "".join(f", {n} {'is' if n == 1 else 'are'} {HOLDS[v]}" for v in UNKEPT if (n := checked.count(v)))
    levels = listed([f"{100 * level:g}%" for level in sorted({o.promise.confidence for o in checked.outcomes})], "or")
    note = (
        f"Found: best estimate and {levels} confidence sequence, which holds whenever the playing stops, each promise by itself,"
        " and each end by itself where one was promised; differences on the same draws."
    )
    columns = ("Promise", "Promised", "Found", "Playouts", "Verdict")
    table = Table("All promises", "", columns, tuple(map(_row, checked.outcomes)), frozenset({2, 3}))
    look_for = "An interval within what is promised holds, one outside is broken."
    return Document(
        next(iter(games.values())) if len(games) == 1 else None,
        "Check of promises",
        f"{checked.count('yes')} of {plural(total, 'promise')} {'holds' if total == 1 else 'hold'}{others}.",
        tuple(_sentence(o) for verdict in UNKEPT for o in checked.outcomes if o.verdict == verdict),
        tuple(_warnings(checked)),
        facts=(("Promises", source),),
        title=source,
        chapters=(
            Chapter("promises", "What was promised, and what was found", "Look for thin lines that leave the band.", charts=("promises",)),
            Chapter("numbers", "The numbers", look_for, tables=(table,)),
        ),
        closing=note,
    )


def _sentence(o: Outcome) -> str:
    result = "not played" if o.estimate is None else f"found {o.found}"
    return f"{o.word.capitalize()}: {clean(o.promise.name)}. Promised {o.promise.promised}, {result}."


def _warnings(checked: Checked) -> Iterator[str]:
    if checked.interrupted:
        yield "The check was interrupted; what was found so far is shown."
    if checked.more_would_tell:
        yield "Undecided promises need more playouts: their intervals still reach across an end of what is promised."
    yield from (f"{clean(o.promise.name)}: {o.remark}" for o in checked.outcomes if o.remark)


def _row(o: Outcome) -> tuple[str | Cell, ...]:
    name, subject = clean(o.promise.name), clean(o.promise.subject)
    verdict = Cell(o.word) if o.verdict == "yes" else Cell("", mark=o.word)
    played = 0 if o.estimate is None else o.estimate.n
    return Cell(name, subject if subject != name else ""), o.promise.promised, o.cell, f"{played:,}", verdict
