"""`tune-strategy`: better values for a strategy's parameters.

A candidate is judged by what it gains over the strategy as it is: in a cooperative game by how much more often a table of it
wins, in the others by how much more often one seat wins that plays it, while the others play on as before. Both sides play the
same playouts, and the seat goes round the table. How it searches is in `simulator.studies.strategy_search`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar

from simulator import registry
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import SIGNED_CELL, Style, with_interval
from simulator.document.language import clean, listed
from simulator.errors import UserError
from simulator.play.experiment import Experiment
from simulator.play.rehearsal import rehearse
from simulator.registry.lineup import Player
from simulator.rules import build_rules
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.stats.verdicts import DIFFERS, Verdict, verdicts_together
from simulator.studies.options import count, option, texts
from simulator.studies.search import mean_of
from simulator.studies.strategy_axes import Values, every_value, is_whole, nearest_value, parameter_axes
from simulator.studies.strategy_search import Gained, Search
from simulator.studies.study import Setup, Study

if TYPE_CHECKING:
    from simulator.play.resources import Resources
    from simulator.studies.axes import Axis


@dataclass(frozen=True)
class TuneStrategyPlan:
    """What to tune: the strategy as it is, as it was asked for and found, its parameters that may move, and against whom."""

    setup: Setup
    asked: str
    player: Player
    axes: tuple[Axis, ...]
    against: Player
    games: int
    trials: int

    @property
    def size(self) -> int:
        """How many playouts it takes, about: the candidates of the search are played less often, the best of them again."""
        return self.trials * self.playouts(self.games)

    @property
    def start(self) -> Values:
        """The values as they are."""
        now = dict(self.player.values)
        return tuple((axis.key, now[axis.key]) for axis in self.axes)

    @cached_property
    def tables(self) -> tuple[tuple[int, int | None], ...]:
        """Numbers of players and who of them plays a candidate: a seat, or None for all, who win or lose together."""
        return tuple((n, seat) for n in self.setup.players for seat in self.seats(n))

    def seats(self, players: int) -> Sequence[int | None]:
        """Which seats play a candidate, each at a table of its own; None for all at once."""
        return (None,) if self.setup.game.cooperative else range(players)

    def share(self, players: int, games: int) -> int:
        """Playouts of a table where each number of players has so many."""
        return -(-games // len(self.seats(players)))

    def playouts(self, games: int) -> int:
        """All that a candidate plays where each number of players has so many."""
        return sum(self.share(players, games) for players, _ in self.tables)

    def with_values(self, values: Values) -> Player:
        """The strategy with other values."""
        return replace(self.player, values=tuple((dict(self.player.values) | dict(values)).items()))

    def line(self, values: Values) -> str:
        """The strategy with other values, as it is written on the command line."""
        player = self.with_values(values)
        before, file, _ = self.asked.rpartition(".py:")  # a file, and perhaps what is laid on top of its strategy
        return f"{before}{file}{Player(player.strategy, player.values).label}" if file else player.label

    def experiment(self, table: tuple[int, int | None], values: Values, seed: int) -> Experiment:
        """A table at which a candidate plays."""
        players, seat = table
        candidate = self.with_values(values)
        lineup = tuple(candidate if seat is None or seat == place else self.against for place in range(players))
        return Experiment(self.setup.game, build_rules(self.setup.game.rules, self.setup.rules), lineup, seed)

    def rehearse_ends(self) -> None:
        """Rehearse the strategy as it is, and at the ends of all axes: every candidate of a search would take too long.

        Raises:
            StrategyError: it fails.
        """
        ends = (tuple((axis.key, nearest_value(axis, axis.ends[side])) for axis in self.axes) for side in (0, 1))
        for values in (self.start, *ends):
            rehearse(self.experiment(self.tables[0], values, self.setup.seed))


@dataclass(frozen=True)
class Gain:
    """What the tuned strategy gains with one number of players, on fresh playouts.

    Attributes:
        players: how many sit at the table.
        before: how often it wins as it is.
        after: how often it wins tuned.
        difference: tuned less as it is, by pairs of playouts.
        verdict: judged together with those of all other numbers of players.
    """

    players: int
    before: Estimate
    after: Estimate
    difference: Estimate
    verdict: Verdict

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return DIFFERS[self.verdict]

    @property
    def figures(self) -> dict[str, Estimate]:
        """By name."""
        return {"before": self.before, "after": self.after, "difference": self.difference}

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"players": self.players, **{name: e.as_dict() for name, e in self.figures.items()}, "verdict": self.word}


@dataclass(frozen=True)
class StrategyTuning:
    """The whole answer.

    Attributes:
        plan: what was tuned.
        values: what the search ended with; those as they are if it found nothing that looked better.
        gains: for each number of players, on fresh playouts; empty if nothing looked better, or if it was interrupted.
        tried: how many candidates were looked at.
        playouts: all that the search took.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before the end.
        digest: hash of all that was counted, the search included.
    """

    plan: TuneStrategyPlan
    values: Values
    gains: tuple[Gain, ...]
    tried: int
    playouts: int
    elapsed_s: float
    interrupted: bool = False
    digest: str = ""

    @cached_property
    def gain(self) -> Estimate | None:
        """The mean gain over all numbers of players."""
        return mean_of([g.difference for g in self.gains]) if self.gains else None

    @property
    def exhaustive(self) -> bool:
        """Whether its candidates are all that there are."""
        return every_value(self.plan.axes) is not None and all(map(is_whole, self.plan.axes))

    @property
    def how(self) -> str:
        """How the candidates were found, in words."""
        if self.exhaustive:
            return "all of them"
        spaced = every_value(self.plan.axes) is not None
        return "evenly spaced values" if spaced else "by an evolution strategy (CMA-ES) and a knock-out"

    @property
    def improved(self) -> bool:
        """Whether the tuned values are better on fresh playouts: the interval of the mean gain lies above zero."""
        return self.gain is not None and self.gain.low > 0

    @property
    def line(self) -> str:
        """The tuned strategy, as it is written on the command line."""
        return self.plan.line(self.values)

    @property
    def finding(self) -> str:
        """The answer in a sentence."""
        line = self.line
        if self.interrupted:
            return f"Interrupted before anything was measured again. Best so far, and not confirmed: {line}."
        if self.gain is None:
            return "No improvement was found: nothing looked better than the values as they are."
        if self.improved:
            worse = [str(g.players) for g in self.gains if g.verdict == "yes" and g.difference.best < 0]
            though = f", though not with {listed(worse, 'or')} players" if worse else ""
            return f"{line} is better{though}: it wins {points_text(self.gain)} percentage points more often."
        if self.gain.high < 0:
            lost = Estimate(-self.gain.best, -self.gain.high, -self.gain.low, self.gain.n, self.gain.unit)
            return f"{line} looked better, but is worse on fresh playouts: it wins {points_text(lost)} percentage points less often."
        shown = f"is not shown to be better on fresh playouts: {points_text(self.gain)} percentage points"
        return f"{line} looked better, but {shown}; more --games may tell."

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "game": self.plan.setup.game.name,
            "strategy": self.plan.line(self.plan.start),
            "before": dict(self.plan.start),
            "after": dict(self.values) if self.gains else None,
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


@dataclass(frozen=True)
class TuneStrategyStudy(Study[TuneStrategyPlan, StrategyTuning]):
    """Find better values for a strategy's parameters.

    Looks for better values of a strategy's parameters, and measures them on playouts that had no part in finding them. In a
    cooperative game a table of it wins more often; in the others one seat does that plays it, in every seat in turn, against
    the strategy as it is. docs/tune-strategy.md says how it looks.
    """

    strategy: str = option(MISSING, "text", "The strategy as it is.", name="NAME[:k=v,...]")
    vary: tuple[str, ...] = texts(
        "A parameter and its range; unless given all of them, each from 0 to three times its value.", "NAME=LOW:HIGH", "--vary"
    )
    against: str | None = option(None, "text", "Who sits in the other seats; the strategy as it is unless given.", written="NAME[:k=v,...]")
    games: int = count(100_000, "Playouts of the final measurement, for each number of players; 100k unless given.")
    trials: int = count(300, "Candidates that the search tries, about.", shown=True)

    each_number: ClassVar[str] = "all count alike."
    strategies_are: ClassVar[str | None] = None
    anytime: ClassVar[bool] = True
    """What Ctrl-C cuts short is not shown."""

    @cached_property
    def plans(self) -> tuple[TuneStrategyPlan, ...]:
        """One search for all numbers of players.

        Raises:
            UserError: something of it does not exist or is not possible.
        """
        game = self.setup.game
        player = registry.player(game, self.strategy)
        if not player.values:
            message = f"Strategy '{player.strategy.name}' has no parameter that is a number, so there is nothing to tune."
            raise UserError(message)
        axes = parameter_axes(player, self.vary)
        if game.cooperative and self.against is not None:
            message = f"In {game.title} all win or lose together, so that there is nobody to play against; leave --against out."
            raise UserError(message)
        if not game.cooperative and 1 in self.setup.players:
            message = f"A single player of {game.title} has nobody to win against; ask for 2 players or more."
            raise UserError(message)
        for players in self.setup.players:
            self.setup.experiment(players, [self.strategy])
        against = registry.player(game, self.against) if self.against else player
        return (TuneStrategyPlan(self.setup, self.strategy, player, axes, against, self.games, self.trials),)

    def play_part(self, plan: TuneStrategyPlan, resources: Resources) -> StrategyTuning:
        """Search, let the best play a knock-out, and measure the winner on fresh playouts. Ctrl-C keeps what is done.

        Raises:
            UserError: a strategy is refused, or misbehaves.
            KeyboardInterrupt: interrupted before anything was picked.
        """
        plan.rehearse_ends()
        start = time.perf_counter()
        search = Search(plan, resources)
        gains: tuple[Gain, ...] = ()
        interrupted = False
        try:
            best, gained = search.pick()
            search.leader = best if gained > 0 else plan.start
            if search.leader != plan.start:
                gains = _gains(search.measure(search.leader))
        except KeyboardInterrupt:
            interrupted = True
        if search.leader is None:
            raise KeyboardInterrupt
        took, digest = time.perf_counter() - start, joint_digest(search.digests)
        return StrategyTuning(plan, search.leader, gains, len(search.tried), search.playouts, took, interrupted, digest)

    def document(self, parts: Sequence[StrategyTuning]) -> Document:
        """The tuned values, and what they gain."""
        return _document(parts[0])

    def as_dict(self, parts: Sequence[StrategyTuning]) -> dict[str, Any]:
        """For JSON."""
        return parts[0].as_dict()


tune_strategy = TuneStrategyStudy.ask
"""Look for better values of a strategy's parameters.

>>> part = tune_strategy("pig", strategy="hold:at=5", players=2, vary=["at=20:21"], games=4000)
>>> part.improved, part.tried
(True, 2)
"""


def _gains(tables: Sequence[Gained]) -> tuple[Gain, ...]:
    """What was gained with each number of players; in a game that one seat wins, over the tables at which each seat plays it."""
    groups = [(players, list(group)) for players, group in groupby(tables, key=lambda table: table.players)]

    def difference(group: Sequence[Gained], confidence: float) -> Estimate:
        return mean_of([table.difference(confidence).estimate for table in group])

    verdicts = verdicts_together([partial(difference, group) for _, group in groups])
    return tuple(
        Gain(
            players,
            mean_of([table.difference().baseline for table in group]),
            mean_of([table.difference().changed for table in group]),
            difference(group, CONFIDENCE),
            verdict,
        )
        for (players, group), verdict in zip(groups, verdicts, strict=True)
    )


# ---------------------------------------------------------------- what is said of it


READ_AS = (
    "Before and after: how often the players win, or the seat that plays it, on the same playouts, which had no part in the search."
    " The difference is in percentage points. 95% intervals; verdicts are judged together (Holm)."
)


def _document(part: StrategyTuning) -> Document:
    plan, game = part.plan, part.plan.setup.game
    before = clean(plan.line(plan.start))
    values = tuple((name, f"{old:g}", f"{new:g}") for (name, old), (_, new) in zip(plan.start, part.values, strict=True))
    parameters = Table("Parameters", "", ("Parameter", "Before", "After"), values, frozenset({1, 2}), printed=bool(part.gains))
    numbers = (parameters, _gains_table(part)) if part.gains else (parameters,)
    gain = Chapter("gain", "What it gains", "Look for lines above zero.", charts=("gain",))
    return Document(
        game,
        "Tuning of a strategy",
        clean(part.finding),
        (f"Play it with: --strategy {clean(part.line)}",) if part.improved else (),
        rules=build_rules(game.rules, plan.setup.rules),
        facts=(
            ("Strategy", before),
            ("Against", clean(plan.against.label)),
            ("Looked for among", ", ".join(axis.range_text for axis in plan.axes)),
            ("Candidates", f"{part.tried:,} ({part.how})"),
            ("Playouts", f"{part.playouts:,} of candidates in the search"),
        ),
        chapters=(
            *((gain,) if part.gains else ()),
            Chapter("numbers", "The numbers", "Look at the intervals of the differences.", tables=numbers),
        ),
        opening=f"{game.title}: better values for {before}",
        closing=READ_AS if part.gains else "",
    )


def _gains_table(part: StrategyTuning) -> Table:
    rows = [(str(g.players), Cell.of(g.before), Cell.of(g.after), Cell.of(g.difference, SIGNED_CELL), g.word) for g in part.gains]
    mean = [("Mean", "", "", Cell.of(part.gain, SIGNED_CELL), "")] if part.gains[1:] else []
    return Table("Before and after", "", ("Players", "Before", "After", "Difference", "Verdict"), (*rows, *mean), frozenset(range(4)))
