"""`tournament`: all strategies against all.

In a game that one seat wins, every two strategies meet: each sits alone among copies of the other, in every seat in turn.
With two at a table that is simply one against the other from both seats. Either's share of wins is held against an equal
share. In a game that all win or lose together, each strategy has a table of its own, and every two share tables.

The two tables that are the same but for the two strategies exchanged are played on the same draws. No others are, so the
figures of different pairings are independent.
"""

from __future__ import annotations

import hashlib
import math
import re
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, permutations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.document.figures import SPELT, with_interval
from simulator.document.language import listed
from simulator.errors import UserError
from simulator.game import Metric
from simulator.play.run import make_experiment, run_experiment
from simulator.rules import values
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_share
from simulator.stats.paired import PairedTally, PairSums
from simulator.stats.unfinished import Unfinished, unfinished_of
from simulator.stats.verdicts import verdicts_together
from simulator.studies.pairs import play_pairs
from simulator.studies.ratings import Contest, Ratings, cycles, rate

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.collect import Progress
    from simulator.play.executors import Workers
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.rules import GameRules
    from simulator.stats.tally import Tally

WINS = Metric("wins", "Wins", "share", "share", 0, 1)
"""Whether the one who sits alone won."""

TOGETHER = "players_win"
"""The metric of games that all win or lose together."""

FEWEST_FOR_HALVES = 4
"""With fewer players a table of which half is one strategy and half another is one of those with a single guest."""


@dataclass(frozen=True)
class Pairing:
    """Two strategies that met in a game that one seat wins.

    Attributes:
        first, second: which strategies.
        players: how many sat at a table.
        n: playouts behind each figure.
        first_wins, second_wins: playouts won by either, alone among the other.
        nobody: playouts that nobody won, at the tables where the first sat alone and where the second did.
        pairs: sums over pairs of tables on the same draws of the second's wins and the first's; where two sit at a table,
            for the first and for the second seat, which differ only by what nobody won.
        pair_count: how many pairs.
        digests: of the tables' tallies.
        unfinished: playouts that the turn cap ended, at all tables together.
    """

    first: int
    second: int
    players: int
    n: int
    first_wins: int
    second_wins: int
    nobody: tuple[int, int]
    pairs: tuple[PairSums, ...]
    pair_count: int
    digests: tuple[str, ...]
    unfinished: int = 0

    @property
    def ended(self) -> Unfinished:
        """How many of its playouts did not finish."""
        return Unfinished(self.unfinished, 2 * self.pair_count)

    def difference(self, confidence: float = CONFIDENCE) -> Estimate:
        """The first's share of wins less the second's, by pairs of playouts, with Tango's interval.

        Where two sit at a table and some games had no winner, the two seats' intervals differ; the interval is their mean
        then, which is not too narrow, for a mean spreads no more than what it is the mean of.
        """
        told = self.pairs if any(self.nobody) else self.pairs[:1]  # where somebody always wins, one seat tells all
        return self._mean([PairedTally((WINS.name,), self.pair_count, (p,)).difference(WINS, confidence).estimate for p in told])

    @cached_property
    def shares(self) -> tuple[Estimate, Estimate]:
        """Shares of wins of the first among the second's, and of the second among the first's.

        Wilson's intervals; where two sit at a table and somebody always wins, the two shares add up to 1, and the interval is
        that of the difference. Where two sit at a table and some games had no winner, it is the mean of the two seats'
        intervals, which is not too narrow, for a mean spreads no more than what it is the mean of.
        """
        wins = (self.first_wins, self.second_wins)
        if self.players > 2:  # noqa: PLR2004  two share one table
            return estimate_share(wins[0], self.n), estimate_share(wins[1], self.n)
        if any(self.nobody):
            return self._mean_of_seats([p.changed for p in self.pairs]), self._mean_of_seats([p.baseline for p in self.pairs])
        gap = self.difference()
        down, up = (gap.best - gap.low) / 2, (gap.high - gap.best) / 2
        one, other = (w / self.n for w in wins)
        return (
            Estimate(one, max(0.0, one - down), min(1.0, one + up), self.n, WINS.unit),
            Estimate(other, max(0.0, other - up), min(1.0, other + down), self.n, WINS.unit),
        )

    def _mean_of_seats(self, wins: Sequence[int]) -> Estimate:
        """A strategy's share of wins over both seats, from its wins in each."""
        return self._mean([estimate_share(w, self.pair_count) for w in wins])

    def _mean(self, found: Sequence[Estimate]) -> Estimate:
        best, low, high = (sum(getattr(e, end) for e in found) / len(found) for end in ("best", "low", "high"))
        return Estimate(best, low, high, self.n, WINS.unit)

    def contest(self) -> Contest:
        """What the ratings are computed from; the variance is that of the interval of the difference."""
        gap = self.difference()
        error = (gap.high - gap.low) / 2 / NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        records = [(w, self.n - w - none) for w, none in zip((self.first_wins, self.second_wins), self.nobody, strict=True)]
        second = records[1] if self.players > 2 else None  # noqa: PLR2004  two share one table
        return Contest(self.first, self.second, self.players - 1, records[0], second, (self.pair_count * error) ** 2)


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


@dataclass(frozen=True)
class Tournament:
    """The whole answer for one number of players.

    Attributes:
        game: the game.
        rules: its rules.
        players: how many sat at a table.
        seed: key of all random draws.
        strategies: their names.
        asked: playouts that each figure was to rest on.
        pairings: of a game that one seat wins: every two that met.
        tables: of a cooperative game: what was played.
        zero: the strategy whose rating is to be 0; None for the mean.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all was played.
    """

    game: Game
    rules: GameRules
    players: int
    seed: int
    strategies: tuple[str, ...]
    asked: int
    pairings: tuple[Pairing, ...]
    tables: tuple[Mixed, ...]
    zero: int | None
    elapsed_s: float
    interrupted: bool = False

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
        if self.players == 2:  # noqa: PLR2004  two are guests of each other
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
        shared = self.players == 2  # noqa: PLR2004  two share one table, which is counted once
        return sum(p.nobody[0] if shared else sum(p.nobody) for p in self.pairings) + sum(t.unfinished for t in self.tables)

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


# ---------------------------------------------------------------- the plan
@dataclass(frozen=True)
class Plan:
    """A tournament that can be played.

    Attributes:
        game: the game.
        players: how many sit at a table: a tournament for each.
        entrants: name and text of each strategy, as the command line takes it.
        rules: what differs from the rules as shipped.
        seed: key of all random draws.
        games: playouts behind each figure.
    """

    game: Game
    players: tuple[int, ...]
    entrants: dict[str, str]
    rules: dict[str, Any]
    seed: int
    games: int

    @property
    def size(self) -> int:
        """Playouts of all tables at every number of players."""
        return sum(self._size(n) for n in self.players)

    def _size(self, players: int) -> int:
        pairs = len(self.entrants) * (len(self.entrants) - 1) // 2
        each = _spread(self.games, players) * players
        if not self.game.cooperative:
            return pairs * each * (2 if players > 2 else 1)  # noqa: PLR2004  two share one table
        halves = 2 * _spread(self.games, 2) if players >= FEWEST_FOR_HALVES else 0
        return len(self.entrants) * self.games + pairs * (each * (2 if players > 2 else 1) + halves)  # noqa: PLR2004  the same

    def experiment(self, lineup: Sequence[str], *, draws: str = "") -> Experiment:
        """A table with these strategies by name; `draws` tells its draws from those of others with the same strategies."""
        seed = _seed(self.seed, len(lineup), *sorted(set(lineup)), draws)
        texts = [self.entrants[name] for name in lineup]
        return make_experiment(self.game, players=len(lineup), strategies=texts, rules=self.rules, seed=seed)


def _seed(seed: int, *about: object) -> int:
    """A seed of its own for each table, whoever else takes part."""
    return int.from_bytes(hashlib.sha256(repr((seed, *about)).encode()).digest()[:8], "little")


def _spread(games: int, tables: int) -> int:
    """Playouts of each of some tables, so that together they are as many as asked for or a few more."""
    return -(-games // tables)


def plan_tournament(
    game: str | Game,
    *,
    players: Sequence[int] = (4,),
    strategies: Sequence[str] = (),
    games: int = 20_000,
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> Plan:
    """Everything that can be refused before it is played.

    Args:
        game: which.
        players: how many sit at a table: a tournament for each.
        strategies: who takes part; none means all that the game has.
        games: playouts behind each figure, spread evenly over the seats.
        rules: dotted key to value, for what differs from the rules as shipped.
        seed: key of all random draws.

    Raises:
        UserError: something of it does not exist or cannot be played, or there are too few strategies or players.
    """
    found = registry.game(game)
    plan = Plan(found, tuple(players), _entrants(found, strategies), dict(rules or {}), seed, games)
    make_experiment(found, players=min(players), strategies=list(plan.entrants.values()), rules=plan.rules, seed=seed)
    make_experiment(found, players=max(players), rules=plan.rules)
    if min(players) < 2:  # noqa: PLR2004  with nobody else there
        message = f"Nobody meets anybody with {min(players)} player; let 2 or more sit at a table."
        raise UserError(message)
    return plan


def _entrants(game: Game, strategies: Sequence[str]) -> dict[str, str]:
    """Name and text of each strategy that takes part."""
    found: dict[str, str] = {}
    players: list[Any] = []
    for text in strategies or list(registry.strategies(game)):
        player = registry.player(game, text)
        if player in players:
            message = f"Strategy '{text}' is entered twice; enter each once."
            raise UserError(message)
        players.append(player)
        found[text if player.label in found else player.label] = text
    if len(found) < 2:  # noqa: PLR2004  with nobody else there
        message = (
            f"A tournament needs two strategies at least; {game.title} would have {', '.join(found)} alone, so name others with --strategy."
        )
        raise UserError(message)
    return found


# ---------------------------------------------------------------- playing
def play_tournament(
    plan: Plan, *, workers: Workers = None, ledger: Ledger | None = None, progress: Progress | None = None
) -> tuple[Tournament, ...]:
    """Play a tournament for each number of players. Ctrl-C keeps the pairings that are done.

    Args:
        plan: what to play.
        workers: who plays; it does not change the result.
        ledger: where what was played is remembered; what it holds is not played again.
        progress: called now and then with the playouts done.

    Raises:
        UserError: a strategy is refused.
        KeyboardInterrupt: interrupted before the first pairing was complete.
    """
    found: list[Tournament] = []
    player = _Player(plan, workers, ledger, _Meter(progress))
    for players in plan.players:
        tournament = _play_one(player, players)
        if tournament is not None:
            found.append(tournament)
        if tournament is None or tournament.interrupted:
            break
    if not found:
        raise KeyboardInterrupt
    return tuple(found)


def tournament(
    game: str | Game,
    *,
    players: int = 4,
    strategies: Sequence[str] = (),
    games: int = 20_000,
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
    workers: Workers = None,
    ledger: Ledger | None = None,
) -> Tournament:
    """Let all strategies meet at one number of players; see `plan_tournament` and `play_tournament`."""
    plan = plan_tournament(game, players=(players,), strategies=strategies, games=games, rules=rules, seed=seed)
    (found,) = play_tournament(plan, workers=workers, ledger=ledger)
    return found


@dataclass
class _Meter:
    """Counts the playouts of table after table."""

    progress: Progress | None
    before: int = 0
    started: bool = False

    def watch(self, tables: int) -> Progress:
        """What to call while `tables` are played side by side."""

        def update(done: int, part: Any) -> None:
            if self.progress is not None and (done or not self.started):
                self.started = True
                self.progress(self.before + done * tables, part)

        return update


@dataclass
class _Player:
    """Plays the tables of a plan."""

    plan: Plan
    workers: Workers
    ledger: Ledger | None
    meter: _Meter
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.names = tuple(self.plan.entrants)

    def pairing(self, first: int, second: int, players: int) -> Pairing:
        """The meeting of two strategies in a game that one seat wins."""
        shared = players == 2  # noqa: PLR2004  the table of the one is the table of the other, from the other seat
        each = _spread(self.plan.games, players)
        parts = [self._exchanged(first, second, players, seat, each) for seat in range(1 if shared else players)]
        merged = parts[0]
        for part in parts[1:]:
            merged = _merged(merged, part)
        return merged

    def _exchanged(self, first: int, second: int, players: int, seat: int, games: int) -> Pairing:
        """Either strategy alone in one seat, the other in all others, on the same draws."""
        one, other = self.names[first], self.names[second]
        lineups = [[b if s == seat else a for s in range(players)] for a, b in ((one, other), (other, one))]
        run = play_pairs(
            [self.plan.experiment(lineup, draws=f"seat {seat}") for lineup in lineups],
            games,
            workers=self.workers,
            ledger=self.ledger,
            progress=self.meter.watch(2),
        )
        if run.interrupted:
            raise KeyboardInterrupt
        self.meter.before += 2 * games
        tallies, pairs, seats = run.part.tallies, run.part.pairs[0], self.plan.game.verdict(players)
        wins = [[t[s].moments()[0] for s in seats] for t in tallies]
        nobody = [t.games - sum(w) for t, w in zip(tallies, wins, strict=True)]
        digests = tuple(t.digest for t in tallies)
        unfinished = sum(unfinished_of(t).count for t in tallies)
        if players > 2:  # noqa: PLR2004  the lone seat tells it all
            alone, lacking, sums = (wins[1][seat], wins[0][seat]), (nobody[1], nobody[0]), (pairs[seats[seat]],)
            return Pairing(first, second, players, games, *alone, lacking, sums, games, digests, unfinished)
        both = (pairs[seats[0]], _exchange(pairs[seats[1]]))
        one_wins, other_wins = wins[1][0] + wins[0][1], wins[0][0] + wins[1][1]
        return Pairing(first, second, 2, 2 * games, one_wins, other_wins, (sum(nobody), sum(nobody)), both, games, digests, unfinished)

    def tables(self, players: int) -> Iterator[Mixed]:
        """The tables of a cooperative game: those of one strategy, and for every two with one guest and half and half."""
        everybody = range(len(self.names))
        for s in everybody:
            yield self._table((s, s), [[s] * players], halves=False)
        for guest, host in permutations(everybody, 2):
            seated = [[guest if place == seat else host for place in range(players)] for seat in range(players)]
            if players > 2 or guest < host:  # noqa: PLR2004  two are guests of each other
                yield self._table((guest, host), seated, halves=False)
        if players >= FEWEST_FOR_HALVES:
            for a, b in combinations(everybody, 2):
                alternating = [[pair[place % 2] for place in range(players)] for pair in ((a, b), (b, a))]
                yield self._table((a, b), alternating, halves=True)

    def _table(self, strategies: tuple[int, int], seatings: Sequence[Sequence[int]], *, halves: bool) -> Mixed:
        games = _spread(self.plan.games, len(seatings))
        kind = "halves" if halves else f"guest {self.names[strategies[0]]}"
        tallies: list[Tally] = []
        for number, seating in enumerate(seatings):
            experiment = self.plan.experiment([self.names[s] for s in seating], draws=f"{kind} {number}")
            result = run_experiment(experiment, games, workers=self.workers, ledger=self.ledger, progress=self.meter.watch(1))
            if result.interrupted:
                raise KeyboardInterrupt
            self.meter.before += games
            tallies.append(result.tally)
        wins = sum(t[TOGETHER].moments()[0] for t in tallies)
        unfinished = sum(unfinished_of(t).count for t in tallies)
        win = estimate_share(wins, games * len(seatings))
        return Mixed(strategies, halves, win, tuple(t.digest for t in tallies), unfinished)


def _exchange(sums: PairSums) -> PairSums:
    """The same pairs with baseline and changed exchanged."""
    return PairSums(sums.changed, sums.baseline, sums.changed_squares, sums.baseline_squares, sums.difference_squares, sums.moved)


def _merged(a: Pairing, b: Pairing) -> Pairing:
    """Two seats' parts of one pairing."""
    return replace(
        a,
        n=a.n + b.n,
        first_wins=a.first_wins + b.first_wins,
        second_wins=a.second_wins + b.second_wins,
        nobody=(a.nobody[0] + b.nobody[0], a.nobody[1] + b.nobody[1]),
        pairs=tuple(x + y for x, y in zip(a.pairs, b.pairs, strict=True)),
        pair_count=a.pair_count + b.pair_count,
        digests=a.digests + b.digests,
        unfinished=a.unfinished + b.unfinished,
    )


def _play_one(player: _Player, players: int) -> Tournament | None:
    """A tournament at one number of players, as far as it gets; None if nothing of it is done."""
    plan, start = player.plan, time.perf_counter()
    pairings: list[Pairing] = []
    tables: list[Mixed] = []
    interrupted = False
    try:
        if plan.game.cooperative:
            for table in player.tables(players):
                tables.append(table)  # noqa: PERF402  what is done has to survive Ctrl-C
        else:
            for first, second in combinations(range(len(player.names)), 2):
                pairings.append(player.pairing(first, second, players))
    except KeyboardInterrupt:
        interrupted = True
        if not pairings and not tables:
            return None
    rules = player.plan.experiment([player.names[0]] * players).rules
    default = plan.game.default_strategy
    zero = player.names.index(default) if default in player.names else None
    elapsed = time.perf_counter() - start
    return Tournament(
        plan.game, rules, players, plan.seed, player.names, plan.games, tuple(pairings), tuple(tables), zero, elapsed, interrupted
    )


def document(found: Sequence[Tournament]) -> dict[str, Any]:
    """For JSON: what was asked, and a tournament for each number of players."""
    first = found[0]
    about = {"game": first.game.name, "version": first.game.version, "seed": first.seed, "rules": values(first.rules)}
    return {"experiment": about, "results": [t.as_dict() for t in found]}


# ---------------------------------------------------------------- words
MOST_NAMED = 5
"""As many pairings or cycles are named in a sentence."""


def findings(found: Tournament) -> tuple[str, ...]:
    """What a tournament found, in plain sentences; how many games did not finish comes first where that is more than a few."""
    if found.ended.all:
        return tuple(remarks_of(found))
    told = _told_together(found) if found.game.cooperative else _told_against(found)
    if remarks := remarks_of(found):
        return (*remarks, *told)
    if found.without_winner:
        ended = "were ended by the turn cap" if found.game.cooperative else "had no winner and count as nobody's win"
        told.append(f"{found.without_winner:,} of {found.games:,} playouts {ended}.")
    return tuple(told)


def remarks_of(found: Tournament) -> list[str]:
    """How many games did not finish: of all together, or else of those meetings where it is more than a few."""
    if whole := found.ended.remark(f"with {found.players} players"):
        return [whole]
    names = found.strategies
    met = [(p.ended, p.first, p.second) for p in found.pairings] + [(t.ended, *t.strategies) for t in found.tables]
    told = [text for ended, a, b in met if (text := ended.remark(f"of {names[a]} and {names[b]}"))]
    return [*told[:MOST_NAMED], *[f"So it is with {len(told) - MOST_NAMED} more meetings."] * (len(told) > MOST_NAMED)]


def _told_against(found: Tournament) -> list[str]:
    names = found.strategies
    told = [f"{names[found.leader]} beats every other strategy."] if found.leader is not None else []
    if not told and not found.interrupted:
        unbeaten = [names[s] for s in found.unbeaten]
        which = f"not shown to be beaten by any: {listed(unbeaten, '', most=MOST_NAMED)}" if unbeaten else "each is beaten by another"
        told.append(f"No strategy is shown to beat every other; {which}.")
    if undecided := [p for p in found.pairings if not {(p.first, p.second), (p.second, p.first)} & found.beats]:
        pairs = [f"{names[p.first]} and {names[p.second]}" for p in undecided]
        told.append(f"Undecided: {listed(pairs, '', between='; ', most=MOST_NAMED)}.")
    told += [f"Cycle: {cycle_text(found, cycle)}." for cycle in found.cycles[:MOST_NAMED]]
    if len(found.cycles) > MOST_NAMED:
        told.append(f"There are {len(found.cycles) - MOST_NAMED} more cycles.")
    if not found.cycles and not found.interrupted:
        where = "nowhere among what is decided" if undecided else "nowhere"
        told.append(f"No cycle shows: {where} do strategies beat each other in a round.")
    return told + _told_misfit(found)


def cycle_text(found: Tournament, cycle: Sequence[int]) -> str:
    """A cycle in words: rock beats scissors beats paper beats rock."""
    return " beats ".join(found.strategies[s] for s in (*cycle, cycle[0]))


def _told_misfit(found: Tournament) -> list[str]:
    """How far to trust a single number for strength."""
    if found.ratings is None or found.ratings.misfit is None:
        return []
    worst = found.ratings.misfit
    if not worst.is_more_than_luck:
        return []
    among = "against" if found.players == 2 else "among"  # noqa: PLR2004  one other
    told = (
        f"A rating is one number and tells less than the matrix: it is off the most for {found.strategies[worst.strategy]} {among} "
        f"{found.strategies[worst.rival]}, with {100 * worst.seen.best:.1f}% of the wins where the ratings say {100 * worst.expected:.1f}%."
    )
    return [told]


def _told_together(found: Tournament) -> list[str]:
    names = found.strategies
    if not found.best_tables:
        return []
    (best, estimate), *others = found.best_tables
    highest = max(e.high for e in found.shares if e is not None)
    told = [f"The best table of one strategy is {names[best]}: all win {with_interval(estimate, SPELT)}."]
    if others:
        tables = [f"{names[s]} {with_interval(e, SPELT)}" for s, e in found.best_tables]
        told = [f"Which table of one strategy is best is open between {listed(tables, '', between='; ', most=MOST_NAMED)}."]
    better = [(t, t.win) for t in found.tables if t.strategies[0] != t.strategies[1] and t.win.low > highest]
    told += [
        f"Better still is {names[t.strategies[0]]} with {names[t.strategies[1]]}: {with_interval(e, SPELT)}."
        for t, e in better[:MOST_NAMED]
    ]
    return told + _told_guests(found)


def _told_guests(found: Tournament) -> list[str]:
    """Which single guest helps most, and which harms most."""
    moves = []
    for t in found.tables:
        for guest, host in (t.strategies, t.strategies[::-1])[: 2 if found.players == 2 else 1]:  # noqa: PLR2004  two are guests of each other
            before = found.wins[host][host]
            if not t.halves and guest != host and before is not None:
                moves.append((t.win.best - before.best, guest, host, before, t.win))
    helps = [m for m in moves if m[4].low > m[3].high]
    harms = [m for m in moves if m[4].high < m[3].low]
    chosen = [("helps", max(helps, key=lambda m: m[0]))] if helps else []
    chosen += [("harms", min(harms, key=lambda m: m[0]))] if harms else []
    return [
        f"A single guest {does} most where {found.strategies[guest]} joins {found.strategies[host]}: "
        f"{with_interval(after, SPELT)} in place of {with_interval(before, SPELT)}."
        for does, (_, guest, host, before, after) in chosen
    ]


class _Breaker(textwrap.TextWrapper):
    """Breaks names behind their punctuation."""

    wordsep_simple_re = re.compile(r"(\s+)|(?<=[_:,=/])")


def broken_name(name: str, width: int) -> list[str]:
    """The name of a strategy in lines of at most `width` letters, or as long as its longest word, for none is torn.

    >>> broken_name("lookahead:rollouts=64,base=hold", 12)
    ['lookahead:', 'rollouts=64,', 'base=hold']
    >>> broken_name("strict_hold", 1)
    ['strict_', 'hold']
    """
    return _Breaker(width, break_on_hyphens=False, break_long_words=False).wrap(name)
