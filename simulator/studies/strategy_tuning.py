"""What tuning a strategy found: its values, and what they gain on playouts that nobody has seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator.document.figures import Style, with_interval
from simulator.document.language import listed
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.stats.verdicts import DIFFERS, Verdict
from simulator.studies.search import mean_of
from simulator.studies.strategy_axes import Values, every_value

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.stats.paired import Difference
    from simulator.studies.pairs import PairedRun
    from simulator.studies.tune_strategy import StrategyQuestion


@dataclass(frozen=True)
class Gained:
    """What candidates gained over the strategy as it is, at one table.

    Attributes:
        players: how many sat there.
        metric: what was counted: wins.
        run: the strategy as it is, then the candidates.
    """

    players: int
    metric: Metric
    run: PairedRun

    def difference(self, candidate: int = 0, confidence: float = CONFIDENCE) -> Difference:
        """Of the candidate in this place."""
        return self.run.part.pairs[candidate].difference(self.metric, confidence, identical=self.run.identical(candidate))

    def gain(self, candidate: int) -> float:
        """By how much more often it won."""
        sums = self.run.part.pairs[candidate][self.metric.name]
        return sums.difference / self.run.part.games


@dataclass(frozen=True)
class Gain:
    """What the tuned strategy gains with one number of players, on fresh playouts.

    Attributes:
        players: how many sit at the table.
        tables: in a game that one seat wins, one for each seat that plays it.
        verdict: judged together with those of all other numbers of players.
    """

    players: int
    tables: tuple[Gained, ...]
    verdict: Verdict = "open"

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return DIFFERS[self.verdict]

    @cached_property
    def before(self) -> Estimate:
        """How often it wins as it is."""
        return mean_of([t.difference().baseline for t in self.tables])

    @cached_property
    def after(self) -> Estimate:
        """How often it wins tuned."""
        return mean_of([t.difference().changed for t in self.tables])

    def difference(self, confidence: float = CONFIDENCE) -> Estimate:
        """Tuned less as it is, by pairs of playouts."""
        return mean_of([t.difference(0, confidence).estimate for t in self.tables])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        figures = {"before": self.before, "after": self.after, "difference": self.difference()}
        return {"players": self.players, **{name: e.as_dict() for name, e in figures.items()}, "verdict": self.word}


@dataclass(frozen=True)
class StrategyTuning:
    """The whole answer.

    Attributes:
        question: what was tuned.
        values: what the search ended with; those as they are if it found nothing that looked better.
        gains: for each number of players, on fresh playouts; empty if nothing looked better, or if it was interrupted.
        tried: how many candidates were looked at.
        exhaustive: whether those are all that there are.
        playouts: all that the search took.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before the end.
        digest: hash of all that was counted, the search included.
    """

    question: StrategyQuestion
    values: Values
    gains: tuple[Gain, ...]
    tried: int
    exhaustive: bool
    playouts: int
    elapsed_s: float
    interrupted: bool = False
    digest: str = ""

    @cached_property
    def gain(self) -> Estimate | None:
        """The mean gain over all numbers of players."""
        return mean_of([g.difference() for g in self.gains]) if self.gains else None

    @property
    def how(self) -> str:
        """How the candidates were found, in words."""
        if self.exhaustive:
            return "all of them"
        if every_value(self.question.axes) is not None:
            return "evenly spaced values"
        return "by an evolution strategy (CMA-ES) and a knock-out"

    @property
    def improved(self) -> bool:
        """Whether the tuned values are better on fresh playouts: the interval of the mean gain lies above zero."""
        return self.gain is not None and self.gain.low > 0

    @property
    def worse_with(self) -> tuple[int, ...]:
        """Numbers of players with whom the tuned values are worse all the same."""
        return tuple(g.players for g in self.gains if g.verdict == "yes" and g.difference().best < 0)

    @property
    def line(self) -> str:
        """The tuned strategy, as it is written on the command line."""
        return self.question.line(self.values)

    @property
    def finding(self) -> str:
        """The answer in a sentence."""
        line = self.line
        if self.improved and self.gain is not None:
            worse = f", though not with {listed([str(n) for n in self.worse_with], 'or')} players" if self.worse_with else ""
            return f"{line} is better{worse}: it wins {points_text(self.gain)} percentage points more often."
        if self.interrupted:
            return f"Interrupted before anything was measured again. Best so far, and not confirmed: {line}."
        if self.gain is None:
            return "No improvement was found: nothing looked better than the values as they are."
        if self.gain.high < 0:
            lost = Estimate(-self.gain.best, -self.gain.high, -self.gain.low, self.gain.n, self.gain.unit)
            return f"{line} looked better, but is worse on fresh playouts: it wins {points_text(lost)} percentage points less often."
        shown = f"is not shown to be better on fresh playouts: {points_text(self.gain)} percentage points"
        return f"{line} looked better, but {shown}; more --games may tell."

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        measured = self.gain is not None
        return {
            "game": self.question.game.name,
            "strategy": self.question.line(self.question.start),
            "before": dict(self.question.start),
            "after": dict(self.values) if measured else None,
            "improved": self.improved,
            "use": f"--strategy {self.line}" if self.improved else None,
            "gain": self.gain.as_dict() if self.gain is not None else None,
            "tables": [g.as_dict() for g in self.gains],
            "tried": self.tried,
            "exhaustive": self.exhaustive,
            "digest": self.digest,
        }


def points_text(gain: Estimate) -> str:
    """A gain and its interval in percentage points; on which side of zero an end lies is told, with further decimals if need be.

    >>> points_text(Estimate(0.0125, 0.01, 0.015, 1000, "share"))
    '1.25 (1.00 to 1.50)'
    """
    return with_interval(gain, Style(digits=2, plain=True, sided=True, once=False))
