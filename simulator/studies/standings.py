"""What a tournament found: shares of wins, ratings, and who beats whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator.document.language import plural
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import Estimate
from simulator.stats.unfinished import Unfinished
from simulator.stats.verdicts import verdicts_together
from simulator.studies.meetings import WINS, Mixed, Pairing
from simulator.studies.ratings import Ratings, cycles, rate

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.rules import GameRules
    from simulator.studies.meetings import TournamentPlan


@dataclass(frozen=True)
class Tournament:
    """The whole answer for one number of players.

    Attributes:
        plan: the question.
        pairings: of a game that one seat wins: every two that met.
        tables: of a cooperative game: what was played.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all was played.
    """

    plan: TournamentPlan
    pairings: tuple[Pairing, ...] = ()
    tables: tuple[Mixed, ...] = ()
    elapsed_s: float = 0.0
    interrupted: bool = False

    @property
    def game(self) -> Game:
        """The game."""
        return self.plan.setup.game

    @cached_property
    def rules(self) -> GameRules:
        """Its rules."""
        return self.plan.setup.experiment(self.players, ()).rules

    @property
    def players(self) -> int:
        """How many sat at a table."""
        return self.plan.players

    @property
    def run(self) -> str:
        """What tells it from tournaments with other numbers of players."""
        return plural(self.players, "player")

    @property
    def strategies(self) -> tuple[str, ...]:
        """Their names."""
        return self.plan.names

    @property
    def zero(self) -> int | None:
        """The strategy whose rating is to be 0: the default one; None for the mean."""
        default = self.game.default_strategy
        return self.strategies.index(default) if default in self.strategies else None

    @property
    def equal_share(self) -> float | None:
        """The share of wins of one who is neither better nor worse than the others; None where all win together."""
        return None if self.game.cooperative else 1 / self.players

    @cached_property
    def wins(self) -> tuple[tuple[Estimate | None, ...], ...]:
        """For each strategy its share of wins, alone among each of the others; of itself nothing, it would be an equal share.

        In a cooperative game, how often all win where one of it sits among the others; of itself, where all are it. Nothing
        where no playout finished.
        """
        met = [p for p in self.pairings if not p.ended.all]
        known = {key: share for p in met for key, share in zip(((p.first, p.second), (p.second, p.first)), p.shares, strict=True)}
        seated = {t.strategies: t.win for t in self.tables if not (t.halves or t.ended.all)}
        if self.plan.duel:  # two are guests of each other
            known |= {strategies[::-1]: win for strategies, win in seated.items()}
        known |= seated
        everybody = range(len(self.strategies))
        return tuple(tuple(known.get((one, other)) for other in everybody) for one in everybody)

    @cached_property
    def halves(self) -> tuple[Mixed, ...]:
        """Tables of a cooperative game half of which are either strategy."""
        return tuple(t for t in self.tables if t.halves)

    @cached_property
    def shares(self) -> tuple[Estimate | None, ...]:
        """For each strategy the mean of its shares of wins against the others; where all win together, that of its own table."""
        if self.game.cooperative:
            return tuple(line[one] for one, line in enumerate(self.wins))
        return tuple(_mean_of([e for e in line if e is not None]) for line in self.wins)

    @cached_property
    def ratings(self) -> Ratings | None:
        """The ratings; None where all win together, or not everybody met everybody."""
        if self.game.cooperative or self.interrupted:
            return None
        return rate(len(self.strategies), [p.contest() for p in self.pairings], self.zero)

    @cached_property
    def beats(self) -> frozenset[tuple[int, int]]:
        """Pairs (winner, loser) of strategies whose shares of wins differ, all judged together by Holm's procedure."""
        verdicts = verdicts_together([p.difference for p in self.pairings])
        decided = [p for p, verdict in zip(self.pairings, verdicts, strict=True) if verdict == "yes"]
        return frozenset((p.first, p.second) if p.difference().best > 0 else (p.second, p.first) for p in decided)

    @cached_property
    def cycles(self) -> tuple[tuple[int, ...], ...]:
        """Rounds of strategies each of which beats the next; see `simulator.studies.ratings.cycles`."""
        return cycles(len(self.strategies), self.beats)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The strategies from the strongest to the weakest, as far as it is known."""
        known = self.ratings.values if self.ratings is not None else self.shares
        return tuple(sorted(range(len(self.strategies)), key=lambda s: -math.inf if (e := known[s]) is None else e.best, reverse=True))

    @property
    def undecided(self) -> tuple[Pairing, ...]:
        """The meetings of which nobody knows who beats whom."""
        return tuple(p for p in self.pairings if not {(p.first, p.second), (p.second, p.first)} & self.beats)

    @property
    def leader(self) -> int | None:
        """The strategy that beats every other, if there is one and everybody has met."""
        beaten = [sum(winner == s for winner, _ in self.beats) for s in range(len(self.strategies))]
        most = max(beaten)
        return beaten.index(most) if most == len(self.strategies) - 1 else None

    @property
    def unbeaten(self) -> tuple[int, ...]:
        """The strategies that no other is shown to beat, in order."""
        beaten = {loser for _, loser in self.beats}
        return tuple(s for s in self.order if s not in beaten)

    @property
    def best_tables(self) -> tuple[tuple[int, Estimate], ...]:
        """The strategies whose own tables may win most in a cooperative game, and how often: those not clear of the highest."""
        own = sorted(((s, e) for s, e in enumerate(self.shares) if e is not None), key=lambda one: -one[1].best)
        return tuple((s, e) for s, e in own if e.high >= own[0][1].low)

    @property
    def ended(self) -> Unfinished:
        """How many of all playouts did not finish."""
        return Unfinished(sum(p.unfinished for p in self.pairings) + sum(t.unfinished for t in self.tables), self.games)

    @property
    def games(self) -> int:
        """Playouts of all tables."""
        return sum(2 * p.pair_count for p in self.pairings) + sum(t.win.n for t in self.tables)

    @property
    def without_winner(self) -> int:
        """Playouts that nobody won; of a cooperative game those that the turn cap ended."""
        at_each = 1 if self.plan.duel else 2  # two share one table, which is counted once
        return sum(sum(p.nobody[:at_each]) for p in self.pairings) + sum(t.unfinished for t in self.tables)

    @cached_property
    def digest(self) -> str:
        """First 16 hex digits of the SHA-256 over the digests of all tables, in alphabetical order."""
        return joint_digest(sorted([d for p in self.pairings for d in p.digests] + [d for t in self.tables for d in t.digests]))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        names, ratings = self.strategies, self.ratings
        return {
            "players": self.players,
            "equal_share": self.equal_share,
            "strategies": list(names),
            "wins": [[_json(e) for e in line] for line in self.wins],
            "shares": [_json(e) for e in self.shares],
            "halves": [{"strategies": [names[s] for s in t.strategies], "win": _json(t.shown)} for t in self.halves],
            "ratings": [] if ratings is None else [{"strategy": s, "rating": _json(e)} for s, e in zip(names, ratings.values, strict=True)],
            "zero": None if ratings is None or ratings.zero is None else names[ratings.zero],
            "beats": [[names[winner], names[loser]] for winner, loser in sorted(self.beats)],
            "cycles": [[names[s] for s in cycle] for cycle in self.cycles],
            "games": self.games,
            "without_winner": self.without_winner,
            "unfinished": self.ended.count,
            "digest": self.digest,
            "elapsed_s": self.elapsed_s,
        }


def _json(estimate: Estimate | None) -> dict[str, Any] | None:
    return None if estimate is None else estimate.as_dict()


def _mean_of(estimates: Sequence[Estimate]) -> Estimate | None:
    """The mean of independent shares.

    Source of the interval: Zou and Donner, "Construction of confidence limits about effect measures: a general approach",
    Statistics in Medicine 27, 2008.
    """
    if not estimates:
        return None
    k = len(estimates)
    best = sum(e.best for e in estimates) / k
    down, up = (math.sqrt(sum((getattr(e, end) - e.best) ** 2 for e in estimates)) / k for end in ("low", "high"))
    return Estimate(best, max(0.0, best - down), min(1.0, best + up), sum(e.n for e in estimates), WINS.unit)
