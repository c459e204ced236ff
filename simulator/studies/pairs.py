"""Several experiments on the same playouts: what every comparison of rules stands on.

Draws are addressed by purpose and occasion, so under another rule everything that the rule does not touch stays as it was.
Playing the baseline and its variants on the same playouts and looking at the differences takes fewer playouts than
comparing independent runs: common random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.document.chapters import Table
from simulator.document.language import clean
from simulator.errors import UserError
from simulator.play.collect import collect
from simulator.play.executors import Job, Rows, Worker
from simulator.play.packing import check_fits, pack, tally_counts, tally_head, tally_of, unpack
from simulator.play.rehearsal import rehearse
from simulator.rules import build_rules, constants, parse_assignments, read_toml, to_text
from simulator.stats.digests import joint_digest
from simulator.stats.paired import PairedTally, PairSums, pair_rows, reaches
from simulator.stats.tally import Tally

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.experiment import Batch, Experiment
    from simulator.studies.study import Setup


TOGETHER = 8
"""Variants that are played side by side with the baseline: many, so that it costs little; few, so that some are soon finished."""


@dataclass(frozen=True)
class PairedPart:
    """What some playouts gave under the baseline and each variant.

    Attributes:
        tallies: of the baseline, then of each variant.
        pairs: of each variant with the baseline.
    """

    tallies: tuple[Tally, ...]
    pairs: tuple[PairedTally, ...]

    def __add__(self, other: PairedPart) -> PairedPart:
        tallies = tuple(a + b for a, b in zip(self.tallies, other.tallies, strict=True))
        return PairedPart(tallies, tuple(a + b for a, b in zip(self.pairs, other.pairs, strict=True)))

    @property
    def digest(self) -> str:
        """Hash of all counts."""
        return joint_digest([*(t.digest for t in self.tallies), *(p.digest for p in self.pairs)])

    @property
    def games(self) -> int:
        """How many playouts each was played on."""
        return self.tallies[0].games


class PairWorker(Worker[PairedPart]):
    """Plays each batch under the baseline and every variant, and reduces the rows together."""

    kind = "pairs"

    def play(self, batch: Batch) -> PairedPart | None:
        """The part of a batch."""
        rows = []
        for player in self.players:
            played = self.rows(player, batch)
            if played is None:
                return None
            rows.append(played)
        tallies = tuple(player.tally(batch, r) for player, r in zip(self.players, rows, strict=True))
        return PairedPart(tallies, self.pairs(rows))

    def pairs(self, rows: Sequence[Rows]) -> tuple[PairedTally, ...]:
        """What is summed up over pairs of the experiments' rows: all metrics, of each variant with the baseline."""
        baseline, *changed = (player.experiment.metrics for player in self.players)
        names = tuple(m.name for m in baseline)
        return tuple(pair_rows(rows[0], r, names, reaches(baseline, m)) for r, m in zip(rows[1:], changed, strict=True))

    @staticmethod
    def packed(part: PairedPart) -> bytes:
        """A part as bytes."""
        about = {"tallies": [tally_head(t) for t in part.tallies], "pairs": [_head(p) for p in part.pairs]}
        return pack(about, [tally_counts(t) for t in part.tallies])

    @staticmethod
    def unpacked(blob: bytes, job: Job[PairedPart], batch: Batch) -> PairedPart:
        """The part of a batch."""
        about, counts = unpack(blob)
        tallies = tuple(tally_of(head, lines) for head, lines in zip(about["tallies"], counts, strict=True))
        part = PairedPart(tallies, tuple(_pairs_of(head) for head in about["pairs"]))
        check_fits([t.names for t in tallies] == [tuple(m.name for m in e.metrics) for e in job.experiments])
        check_fits({t.games for t in tallies} | {p.n for p in part.pairs} == {batch.count})
        check_fits(len(part.pairs) == (len(job.arguments[0]) if job.arguments else len(tallies) - 1))
        return part


def _head(pairs: PairedTally) -> list[Any]:
    """Sums over pairs for JSON, which has whole numbers of any size."""
    sums = [[s.integers, s.reach, None if s.apart is None else [*s.apart.items()]] for s in pairs.sums]
    return [pairs.names, pairs.n, sums]


def _pairs_of(head: Any) -> PairedTally:
    names, n, listed = head
    sums = []
    for integers, reach, apart in listed:
        baseline, changed, *squares, moved = (int(x) for x in integers)
        baseline_squares, changed_squares, difference_squares = squares
        ends = None if reach is None else (reach[0], reach[1])
        often = None if apart is None else {int(by): int(count) for by, count in apart}
        sums.append(PairSums(baseline, changed, baseline_squares, changed_squares, difference_squares, moved, ends, often))
    check_fits(len(names) == len(sums))
    return PairedTally(tuple(names), int(n), tuple(sums))


@dataclass(frozen=True)
class PairedRun:
    """What playing several experiments on the same playouts gave.

    Attributes:
        experiments: the baseline, then its variants.
        part: what was counted.
        asked: playouts that were asked for.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all were played.
        decided: whether the stopping rule ended it.
    """

    experiments: tuple[Experiment, ...]
    part: PairedPart
    asked: int
    elapsed_s: float
    interrupted: bool = False
    decided: bool = False

    def identical(self, variant: int) -> bool:
        """Whether a variant, counted from 0, asks the very same question as the baseline."""
        return self.experiments[variant + 1].id == self.experiments[0].id


def play_pairs(
    experiments: Sequence[Experiment],
    games: int,
    *,
    enough: Callable[[PairedPart], bool] | None = None,
    rehearsed: bool = False,
    **how: Any,
) -> PairedRun:
    """Play a baseline and its variants on the same playouts. Ctrl-C keeps what is done.

    Args:
        experiments: the baseline first; all of one game and one number of players.
        games: how many playouts, at most.
        enough: a stopping rule, asked after each batch in the order of the plan; see `collect`.
        rehearsed: whether the strategies have been rehearsed, or some of the same with other parameters that stand for them.
        **how: what else `collect` takes: workers, ledger, progress.

    Raises:
        UserError: a variant has other metrics than the baseline, or a strategy is refused.
        KeyboardInterrupt: interrupted before the first batch was complete.
    """
    names = [m.name for m in experiments[0].metrics]
    if any([m.name for m in e.metrics] != names for e in experiments):
        message = "A variant counts other things than the baseline, so the two cannot be compared playout by playout."
        raise UserError(message)
    for experiment in () if rehearsed else experiments:
        rehearse(experiment)
    result = collect(Job(PairWorker, tuple(experiments)), range(games), enough=enough, **how)
    return PairedRun(tuple(experiments), result.part, games, result.elapsed_s, result.interrupted, result.enough)


@dataclass(frozen=True)
class Variant:
    """A named set of overrides on the rules, and perhaps other strategies.

    Attributes:
        name: how it is shown.
        overrides: dotted key to value, on top of the baseline's.
        strategies: who plays it; empty means those of the baseline.
        notes: what changes such as `key-=2` come to.
    """

    name: str
    overrides: dict[str, Any]
    strategies: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def parse_variant(game: Game, text: str, baseline: Mapping[str, Any]) -> Variant:
    """A variant from `key=value` or `key+=2`, several with semicolons between, or the name of a rules file; `@NAME` says who plays.

    Raises:
        RulesError: it is no such thing, or cannot be played.
    """
    rules, at, strategy = text.partition("@")
    file = rules.endswith(".toml")
    parts = () if file else tuple(parse_assignments((part for part in rules.split(";") if part.strip()), game.rules, baseline))
    overrides = read_toml(Path(rules), game.rules, baseline) if file else {part.key: part.value for part in parts}
    build_rules(game.rules, {**baseline, **overrides})
    name, notes = Path(text).stem if file and not at else text.strip(), tuple(part.note for part in parts if part.note)
    return Variant(name, overrides, (strategy.strip(),) if at else (), notes)


def experiments_of(setup: Setup, variants: Sequence[Variant]) -> tuple[Experiment, ...]:
    """The baseline and its variants as experiments, with the first number of players of the setup.

    Raises:
        UserError: something of it does not exist or cannot be played.
    """
    changed = (replace(setup, strategies=v.strategies or setup.strategies, rules={**setup.rules, **v.overrides}) for v in variants)
    return tuple(one.experiment(setup.players[0]) for one in (setup, *changed))


def variants_table(variants: Sequence[Variant], experiments: Sequence[Experiment]) -> Table:
    """What each variant changes: constants and strategies."""
    rows: list[tuple[str, ...]] = []
    base, *others = experiments
    for variant, changed in zip(variants, others, strict=True):
        pairs = zip(constants(base.rules), constants(changed.rules), strict=True)
        moved: list[tuple[str, ...]] = [(c.key, to_text(before.value), to_text(c.value)) for before, c in pairs if before.value != c.value]
        labels = [", ".join(dict.fromkeys(p.label for p in e.lineup)) for e in (base, changed)]
        if labels[0] != labels[1]:
            moved.append(("strategy", *labels))
        rows += [(clean(variant.name), *map(clean, line)) for line in moved or [("nothing", "", "")]]
    return Table("Variants", "", ("Variant", "What", "As it is", "Changed"), tuple(rows), printed=False)
