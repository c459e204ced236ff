"""Strategies that meet: which tables a tournament plays, and what is counted at them.

In a game that one seat wins, every two strategies meet: each sits alone among copies of the other, in every seat in turn.
With two at a table that is simply one against the other from both seats. In a game that all win or lose together, each
strategy has a table of its own, and every two share tables.

The two tables that are the same but for the two strategies exchanged are played on the same draws. No others are, so the
figures of different pairings are independent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import combinations, permutations
from operator import add
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from simulator.game import Metric
from simulator.play.run import run_experiment
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_share
from simulator.stats.paired import PairedTally, PairSums
from simulator.stats.unfinished import Unfinished, unfinished_of
from simulator.studies.pairs import play_pairs
from simulator.studies.ratings import Contest

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment
    from simulator.studies.study import Setup

    How = Callable[[int], dict[str, Any]]
    """Gives the keywords of `collect` for so many tables that are played side by side; see `Resources.in_turn`."""

WINS = Metric("wins", "Wins", "share", "share", 0, 1)
"""Whether the one who sits alone won."""

TOGETHER = "players_win"
"""The metric of games that all win or lose together."""

DUEL = 2
"""So many share one table: that of the one is that of the other, from the other seat."""

FEWEST_FOR_HALVES = 4
"""With fewer players a table of which half is one strategy and half another is one of those with a single guest."""


@dataclass(frozen=True)
class Seating:
    """Tables that give one figure of a game that all win or lose together.

    Attributes:
        strategies: of the one who sits there as a guest, and of the others; the same twice for a table of its own.
        lineups: which strategy sits in each seat, for each table.
        halves: whether instead every other seat is of either.
    """

    strategies: tuple[int, int]
    lineups: tuple[tuple[int, ...], ...]
    halves: bool = False


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament at one number of players.

    Attributes:
        setup: what is asked about.
        players: how many sit at a table.
        entrants: name and text of each strategy, as the command line takes it.
        games: playouts behind each figure.
    """

    setup: Setup
    players: int
    entrants: Mapping[str, str]
    games: int

    @property
    def names(self) -> tuple[str, ...]:
        """Of the strategies."""
        return tuple(self.entrants)

    @property
    def duel(self) -> bool:
        """Whether two share one table."""
        return self.players == DUEL

    @property
    def size(self) -> int:
        """Playouts of all tables."""
        if self.setup.game.cooperative:
            return sum(self.each(len(seating.lineups)) * len(seating.lineups) for seating in self.seatings)
        return 2 * len(self.pairs) * self.each(self.players) * (1 if self.duel else self.players)

    def each(self, tables: int) -> int:
        """Playouts of each of some tables, so that together they are as many as asked for or a few more."""
        return -(-self.games // tables)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two strategies."""
        return list(combinations(range(len(self.entrants)), 2))

    @property
    def seatings(self) -> Iterator[Seating]:
        """The tables of a cooperative game: those of one strategy, and for every two with one guest and half and half."""
        seats, everybody = range(self.players), range(len(self.entrants))
        for s in everybody:
            yield Seating((s, s), ((s,) * self.players,))
        for guest, host in permutations(everybody, 2):
            if not self.duel or guest < host:  # two are guests of each other
                yield Seating((guest, host), tuple(tuple(guest if other == seat else host for other in seats) for seat in seats))
        for pair in self.pairs if self.players >= FEWEST_FOR_HALVES else ():
            yield Seating(pair, tuple(tuple(either[seat % 2] for seat in seats) for either in (pair, pair[::-1])), halves=True)

    def experiment(self, lineup: Sequence[str], draws: str) -> Experiment:
        """A table with these strategies by name; `draws` tells its draws from those of others with the same strategies."""
        about = (self.setup.seed, self.players, *sorted(set(lineup)), draws)  # whoever else takes part
        seed = int.from_bytes(hashlib.sha256(repr(about).encode()).digest()[:8], "little")
        return replace(self.setup, seed=seed).experiment(self.players, [self.entrants[name] for name in lineup])


@dataclass(frozen=True)
class Pairing:
    """Two strategies that met in a game that one seat wins.

    Attributes:
        first, second: which strategies.
        players: how many sat at a table.
        pairs: sums over pairs of tables on the same draws of the second's wins and the first's, either alone among the
            other; where two sit at a table, for the first and for the second seat, which differ only by what nobody won.
        pair_count: how many pairs.
        nobody: playouts that nobody won, at the tables where the first sat alone and where the second did.
        digests: of the tables' tallies.
        unfinished: playouts that the turn cap ended, at all tables together.
    """

    first: int
    second: int
    players: int
    pairs: tuple[PairSums, ...]
    pair_count: int
    nobody: tuple[int, int]
    digests: tuple[str, ...] = ()
    unfinished: int = 0

    def __add__(self, other: Pairing) -> Pairing:
        """The same pairing at the tables of both."""
        return replace(
            self,
            pairs=tuple(map(add, self.pairs, other.pairs)),
            pair_count=self.pair_count + other.pair_count,
            nobody=(self.nobody[0] + other.nobody[0], self.nobody[1] + other.nobody[1]),
            digests=self.digests + other.digests,
            unfinished=self.unfinished + other.unfinished,
        )

    @property
    def n(self) -> int:
        """Playouts behind each figure."""
        return self.pair_count * len(self.pairs)

    @property
    def won(self) -> tuple[int, int]:
        """Playouts won by the first and by the second, alone among the other."""
        return sum(p.changed for p in self.pairs), sum(p.baseline for p in self.pairs)

    @property
    def ended(self) -> Unfinished:
        """How many of its playouts did not finish."""
        return Unfinished(self.unfinished, 2 * self.pair_count)

    def difference(self, confidence: float = CONFIDENCE) -> Estimate:
        """The first's share of wins less the second's, by pairs of playouts, with Tango's interval.

        Where two sit at a table and some games had no winner, the two seats' intervals differ; the interval is their mean
        then, which is not too narrow, for a mean spreads no more than what it is the mean of.
        """
        counted = self.pairs if any(self.nobody) else self.pairs[:1]  # where somebody always wins, one seat tells all
        return self._mean([PairedTally((WINS.name,), self.pair_count, (p,)).difference(WINS, confidence).estimate for p in counted])

    @cached_property
    def shares(self) -> tuple[Estimate, Estimate]:
        """Shares of wins of the first among the second's, and of the second among the first's.

        Wilson's intervals; where two sit at a table and somebody always wins, the two shares add up to 1, and the interval is
        that of the difference. Where two sit at a table and some games had no winner, it is the mean of the two seats'
        intervals, which is not too narrow, for a mean spreads no more than what it is the mean of.
        """
        if self.players > DUEL or any(self.nobody):
            return self._mean_of_seats([p.changed for p in self.pairs]), self._mean_of_seats([p.baseline for p in self.pairs])
        gap = self.difference()
        down, up = (gap.best - gap.low) / 2, (gap.high - gap.best) / 2
        one, other = (won / self.n for won in self.won)
        return (
            Estimate(one, max(0.0, one - down), min(1.0, one + up), self.n, WINS.unit),
            Estimate(other, max(0.0, other - up), min(1.0, other + down), self.n, WINS.unit),
        )

    def _mean_of_seats(self, wins: Sequence[int]) -> Estimate:
        """A strategy's share of wins over what was paired apart, from its wins in each."""
        return self._mean([estimate_share(w, self.pair_count) for w in wins])

    def _mean(self, estimates: Sequence[Estimate]) -> Estimate:
        best, low, high = (sum(getattr(e, end) for e in estimates) / len(estimates) for end in ("best", "low", "high"))
        return Estimate(best, low, high, self.n, WINS.unit)

    def contest(self) -> Contest:
        """What the ratings are computed from; the variance is that of the interval of the difference."""
        gap = self.difference()
        error = (gap.high - gap.low) / 2 / NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        first, second = ((w, self.n - w - none) for w, none in zip(self.won, self.nobody, strict=True))
        return Contest(
            self.first, self.second, self.players - 1, first, second if self.players > DUEL else None, (self.pair_count * error) ** 2
        )


@dataclass(frozen=True)
class Mixed:
    """A table of a cooperative game.

    Attributes:
        strategies: of the one who sits there as a guest, and of the others; the same twice for a table of its own.
        halves: whether instead every other seat is of either.
        win: how often all won.
        digests: of the tables' tallies.
        unfinished: playouts that the turn cap ended.
    """

    strategies: tuple[int, int]
    halves: bool
    win: Estimate
    digests: tuple[str, ...]
    unfinished: int

    @property
    def ended(self) -> Unfinished:
        """How many of its playouts did not finish."""
        return Unfinished(self.unfinished, self.win.n)

    @property
    def shown(self) -> Estimate | None:
        """How often all won; nothing where no playout finished."""
        return None if self.ended.all else self.win


# ---------------------------------------------------------------- playing
def meet(plan: TournamentPlan, first: int, second: int, how: How) -> Pairing:
    """Two strategies meet in a game that one seat wins.

    Raises:
        UserError: a strategy is refused.
        KeyboardInterrupt: it was not played to its end.
    """
    return reduce(add, (_exchanged(plan, first, second, seat, how) for seat in range(1 if plan.duel else plan.players)))


def _exchanged(plan: TournamentPlan, first: int, second: int, seat: int, how: How) -> Pairing:
    """Either strategy alone in one seat, the other in all others, on the same draws."""
    one, other = plan.names[first], plan.names[second]
    lineups = [[b if s == seat else a for s in range(plan.players)] for a, b in ((one, other), (other, one))]
    games = plan.each(plan.players)
    run = play_pairs([plan.experiment(lineup, f"seat {seat}") for lineup in lineups], games, **how(2))
    if run.interrupted:
        raise KeyboardInterrupt
    seats, pairs, tallies = plan.setup.game.verdict(plan.players), run.part.pairs[0], run.part.tallies
    second_none, first_none = (games - sum(t[s].moments()[0] for s in seats) for t in tallies)
    sums: tuple[PairSums, ...] = (pairs[seats[seat]],)
    if plan.duel:
        sums = (pairs[seats[0]], _exchange(pairs[seats[1]]))
        first_none = second_none = first_none + second_none
    unfinished = sum(unfinished_of(t).count for t in tallies)
    return Pairing(first, second, plan.players, sums, games, (first_none, second_none), tuple(t.digest for t in tallies), unfinished)


def _exchange(sums: PairSums) -> PairSums:
    """The same pairs with baseline and changed exchanged."""
    return PairSums(sums.changed, sums.baseline, sums.changed_squares, sums.baseline_squares, sums.difference_squares, sums.moved)


def sit(plan: TournamentPlan, seating: Seating, how: How) -> Mixed:
    """Play the tables of one figure of a cooperative game.

    Raises:
        UserError: a strategy is refused.
        KeyboardInterrupt: they were not played to their end.
    """
    games, tallies = plan.each(len(seating.lineups)), []
    kind = "halves" if seating.halves else f"guest {plan.names[seating.strategies[0]]}"
    for number, lineup in enumerate(seating.lineups):
        result = run_experiment(plan.experiment([plan.names[s] for s in lineup], f"{kind} {number}"), games, **how(1))
        if result.interrupted:
            raise KeyboardInterrupt
        tallies.append(result.tally)
    win = estimate_share(sum(t[TOGETHER].moments()[0] for t in tallies), games * len(tallies))
    unfinished = sum(unfinished_of(t).count for t in tallies)
    return Mixed(seating.strategies, seating.halves, win, tuple(t.digest for t in tallies), unfinished)
