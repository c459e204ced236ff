"""`skill`: what playing well is worth.

One strategy after the other is measured against the default strategy: where all win or lose together by a table of it, else
by one player of it among players of the default strategy, in every seat in turn. So is the default strategy with a growing
share of random moves. From the same playouts comes how much of who wins is strategy, seat and luck; and whoever goes first
is watched at tables that play badly and at tables that play well.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.document.figures import interval
from simulator.document.language import listed, plural
from simulator.errors import UserError
from simulator.play.run import make_experiment, run_experiment
from simulator.stats.digests import joint_digest
from simulator.stats.unfinished import Unfinished
from simulator.studies.crossed import Cell, play_crossed
from simulator.studies.variance import Split, split_variance

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.collect import Progress
    from simulator.play.executors import Workers
    from simulator.play.experiment import Experiment
    from simulator.play.ledger import Ledger
    from simulator.stats.estimate import Estimate
    from simulator.studies.crossed import CrossedRun

BLUNDERS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Shares of moves that are left to chance: close together where a slip now and then would show."""

LOOKAHEADS = (4, 16, 64)
"""Budgets of nested playouts for each option, from a glance to a long thought."""

WEAKEST = "uniform"
"""The strategy that stands for weak play; every game has it."""

GAMES = 4_000
LOOKAHEAD_GAMES = 100

PLAYERS_WIN, WINS = "players_win", "wins"


@dataclass(frozen=True)
class Rung:
    """How often one strategy wins.

    Attributes:
        strategy: as it is written on the command line.
        players: how many sat at the table.
        metric: "players_win" of a table of this strategy, or "wins" of one player of it among players of the default
            strategy, on average over all seats.
        estimate: the share of playouts won; its n counts the playouts of each table.
        even: what everybody would win if all were as good; None where all win or lose together.
    """

    strategy: str
    players: int
    metric: str
    estimate: Estimate
    even: float | None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "strategy": self.strategy,
            "players": self.players,
            "metric": self.metric,
            "estimate": self.estimate.as_dict(),
            "even": self.even,
        }


@dataclass(frozen=True)
class Advantage:
    """What it is worth to go first where everybody plays one strategy.

    Attributes:
        play: "weak", "usual" or "strong".
        strategy: what everybody plays.
        estimate: seat 0's share of wins less an equal share.
    """

    play: str
    strategy: str
    estimate: Estimate

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"play": self.play, "strategy": self.strategy, "estimate": self.estimate.as_dict()}


@dataclass(frozen=True)
class SkillPlan:
    """The question at one number of players.

    Attributes:
        baseline: everybody plays the default strategy.
        blunders: the default strategy with a growing share of random moves, one for each of BLUNDERS.
        strategies: those to compare.
        ahead: those of them that think ahead, which are slow.
        games: playouts of each table.
        ahead_games: playouts of each table with somebody who thinks ahead.
    """

    baseline: Experiment
    blunders: tuple[str, ...]
    strategies: tuple[str, ...]
    ahead: tuple[str, ...]
    games: int
    ahead_games: int

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return self.baseline.players

    @property
    def game(self) -> Game:
        """The game."""
        return self.baseline.game

    @property
    def size(self) -> int:
        """Playouts, over all tables."""
        seats = 1 if self.game.cooperative else self.players
        crossed = seats * (self.games * len((*self.blunders, *self.strategies)) + self.ahead_games * len(self.ahead))
        return crossed + (0 if seats == 1 else len(PLAYS) * self.advantage_games)

    @property
    def advantage_games(self) -> int:
        """Playouts of a table at which the first player is watched: as many as those in which a strategy is tried."""
        return self.games * self.players

    def cells(self, strategy: str) -> tuple[Cell, ...]:
        """The tables at which a strategy is tried: one where all win or lose together, else one for each seat.

        Raises:
            UserError: there is no such strategy.
        """
        make = partial(self._table, self.players)
        if self.game.cooperative:
            return (Cell(make([strategy]), PLAYERS_WIN),)
        usual = self.game.default_strategy
        seats = range(self.players)
        return tuple(Cell(make([strategy if other == seat else usual for other in seats]), f"{WINS}.{seat}") for seat in seats)

    def table(self, strategy: str) -> Experiment:
        """A table where everybody plays one strategy."""
        return self._table(self.players, [strategy])

    def _table(self, players: int, strategies: Sequence[str]) -> Experiment:
        made = make_experiment(self.game, players=players, strategies=strategies, seed=self.baseline.seed)
        return replace(made, rules=self.baseline.rules)


PLAYS = ("weak", "usual", "strong")
"""Kinds of play under which the first player's advantage is measured."""


@dataclass(frozen=True)
class Skill:
    """The whole answer for one number of players.

    Attributes:
        plan: the question.
        blunders: share of random moves, and how often the default strategy wins with it.
        ladder: the strategies, in the order of the plan, those that think ahead last.
        variance: how much of who wins is strategy, seat and luck, over the strategies of the ladder that do not think
            ahead; None where nothing varied.
        advantages: of going first; none where all win or lose together or nobody else sits there.
        unfinished: share of all playouts that the turn cap ended; they count as won by nobody.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all was played.
        digests: hashes of all that was counted, one for each part of the study.
    """

    plan: SkillPlan
    blunders: tuple[tuple[float, Rung], ...]
    ladder: tuple[Rung, ...]
    variance: Split | None
    advantages: tuple[Advantage, ...]
    unfinished: float
    elapsed_s: float
    interrupted: bool = False
    digests: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Hash of all counts."""
        return joint_digest(self.digests)

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.plan.players

    @property
    def ended(self) -> Unfinished:
        """How many playouts did not finish, of those without look-ahead."""
        rungs = [rung for _, rung in self.blunders] + [rung for rung in self.ladder if rung.strategy in self.plan.strategies]
        games = sum(rung.estimate.n for rung in rungs) * (1 if self.plan.game.cooperative else self.players)
        return Unfinished(round(self.unfinished * games), games)

    @property
    def remark(self) -> str:
        """What to say of playouts that did not finish; empty where they were few."""
        return self.ended.remark(f"with {plural(self.players, 'player')}")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "experiment": self.plan.baseline.as_dict(),
            "games": self.plan.games,
            "lookahead_games": self.plan.ahead_games if self.plan.ahead else 0,
            "blunders": [{"share": share} | rung.as_dict() for share, rung in self.blunders],
            "ladder": [rung.as_dict() for rung in self.ladder],
            "variance": None if self.variance is None else self.variance.as_dict(),
            "first_player": [advantage.as_dict() for advantage in self.advantages],
            "unfinished": self.unfinished,
            "digest": self.digest,
            "elapsed_s": self.elapsed_s,
        }


def plan_skill(
    game: str | Game,
    *,
    players: int = 4,
    games: int = GAMES,
    ahead_games: int = LOOKAHEAD_GAMES,
    strategies: Sequence[str] = (),
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> SkillPlan:
    """Make the question, so that what is impossible is found before anything is played.

    Args:
        game: name of the game.
        players: how many sit at the table.
        games: playouts of each table.
        ahead_games: playouts of each table with somebody who thinks ahead; 0 leaves look-ahead out.
        strategies: those to compare; none means all that the game has, and look-ahead with each of LOOKAHEADS.
        rules: dotted key to value, for what differs from the rules as shipped.
        seed: key of all random draws.

    Raises:
        UserError: something of it does not exist or is not possible, nobody is there to play against, or nobody decides anything.
    """
    plan = _plan(game, players, games, ahead_games, strategies, rules, seed)
    if not plan.game.decisions:
        message = f"Nobody decides anything in {plan.game.title}, so that nobody plays it well or badly; ask about another game."
        raise UserError(message)
    if players == 1 and not plan.game.cooperative:
        message = f"Alone nobody plays better or worse than others; measure {plan.game.title} with two players or more."
        raise UserError(message)
    return plan


def _plan(
    game: str | Game, players: int, games: int, ahead_games: int, strategies: Sequence[str], rules: Mapping[str, Any] | None, seed: int
) -> SkillPlan:
    """The question, be there something to measure or not."""
    baseline = make_experiment(game, players=players, rules=rules, seed=seed)
    found = baseline.game
    named = tuple(strategies) or (*registry.strategies(found), *(f"lookahead:rollouts={n}" for n in LOOKAHEADS))
    for place, text in enumerate(named):
        if text in named[:place]:
            message = f"The strategy '{text}' is named twice; name it once."
            raise UserError(message)
    slow = {text for text in named if registry.player(found, text).rollouts}
    return SkillPlan(
        baseline,
        tuple(f"blunder:share={share:g}" for share in BLUNDERS),
        tuple(text for text in named if text not in slow),
        tuple(text for text in named if text in slow) if ahead_games else (),
        games,
        ahead_games,
    )


def skill(
    game: str | Game, *, workers: Workers = None, ledger: Ledger | None = None, progress: Progress | None = None, **question: Any
) -> Skill:
    """Plan and play a study of skill.

    Args:
        game: name of the game.
        workers: who plays; it does not change the result.
        ledger: where what was played is remembered; what it holds is not played again.
        progress: called now and then.
        **question: what else `plan_skill` takes: players, games, ahead_games, strategies, rules, seed.

    Raises:
        UserError: something of it does not exist or cannot be played.

    >>> found = skill("orchard", players=2, games=500, ahead_games=0)
    >>> [rung.strategy for rung in found.ladder]
    ['fullest', 'emptiest', 'uniform']
    """
    return play_skill(plan_skill(game, **question), workers=workers, ledger=ledger, progress=progress)


def ladder(  # noqa: PLR0913  the keywords are those of every study
    game: str | Game,
    players: int,
    *,
    strategies: Sequence[str] = (),
    games: int = GAMES,
    ahead_games: int = 0,
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
    workers: Workers = None,
    progress: Progress | None = None,
) -> tuple[Rung, ...]:
    """How often each strategy wins, and nothing else of the study; see `plan_skill` for the arguments.

    One who plays alone is not refused: a report for several numbers of players has a column for that too.

    Raises:
        UserError: something of it does not exist or cannot be played.
        KeyboardInterrupt: interrupted before the first batch was complete.

    >>> weak, strong = ladder("pig", 2, strategies=["uniform", "optimal"], games=2000)
    >>> weak.estimate.high < weak.even <= strong.estimate.high
    True
    """
    plan = _plan(game, players, games, ahead_games, strategies, rules, seed)
    rungs: list[Rung] = []
    for texts, count in ((plan.strategies, games), (plan.ahead, ahead_games)):
        if texts:
            rungs += _rungs(plan, texts, _play(plan, texts, count, workers=workers, progress=progress))
    return tuple(rungs)


def play_skill(plan: SkillPlan, *, workers: Workers = None, ledger: Ledger | None = None, progress: Progress | None = None) -> Skill:
    """Play a plan. Ctrl-C keeps what is done.

    Args:
        plan: what to play.
        workers: who plays; it does not change the result.
        ledger: where what was played is remembered; what it holds is not played again.
        progress: called now and then.

    Raises:
        UserError: a strategy is refused or broke its contract.
        KeyboardInterrupt: interrupted before the first batch was complete.
    """
    start = time.perf_counter()
    quick = (*plan.blunders, *plan.strategies)
    how: dict[str, Any] = {"workers": workers, "ledger": ledger}
    run = _play(plan, quick, plan.games, progress=progress, **how)
    rungs = _rungs(plan, quick, run)
    found = Skill(
        plan,
        tuple(zip(BLUNDERS, rungs, strict=False)),
        tuple(rungs[len(BLUNDERS) :]),
        _variance(plan, run),
        (),
        float(run.wins.unfinished.sum()) / (run.wins.n * len(run.cells)),
        0.0,
        run.interrupted,
        (run.wins.digest,),
    )
    for step in (_with_lookahead, _with_advantages):
        found = step(found, progress, **how)
    return replace(found, elapsed_s=time.perf_counter() - start)


def _play(plan: SkillPlan, strategies: Sequence[str], games: int, **how: Any) -> CrossedRun:
    cells = [cell for text in strategies for cell in plan.cells(text)]
    return play_crossed(cells, games, **how)


def _rungs(plan: SkillPlan, strategies: Sequence[str], run: CrossedRun) -> list[Rung]:
    together = plan.game.cooperative
    seats = 1 if together else plan.players
    metric, even = (PLAYERS_WIN, None) if together else (WINS, 1 / seats)
    estimates = [run.wins.mean_share(range(first, first + seats)) for first in range(0, len(run.cells), seats)]
    return [Rung(text, plan.players, metric, estimate, even) for text, estimate in zip(strategies, estimates, strict=True)]


def _variance(plan: SkillPlan, run: CrossedRun) -> Split | None:
    seats = 1 if plan.game.cooperative else plan.players
    if not plan.strategies:
        return None
    places = range(seats * len(plan.blunders), len(run.cells))
    return split_variance(run.wins.of(places), plan.strategies, seats, seed=plan.baseline.seed)


def _with_lookahead(found: Skill, progress: Progress | None, **how: Any) -> Skill:
    plan = found.plan
    if found.interrupted or not plan.ahead:
        return found
    before = plan.games * len((*plan.blunders, *plan.strategies)) * (1 if plan.game.cooperative else plan.players)
    try:
        run = _play(plan, plan.ahead, plan.ahead_games, progress=_counted(progress, before), **how)
    except KeyboardInterrupt:
        return replace(found, interrupted=True)
    rungs = (*found.ladder, *_rungs(plan, plan.ahead, run))
    return replace(found, ladder=rungs, interrupted=run.interrupted, digests=(*found.digests, run.wins.digest))


def _with_advantages(found: Skill, progress: Progress | None, **how: Any) -> Skill:
    plan = found.plan
    if found.interrupted or plan.game.cooperative or plan.players == 1:
        return found
    strongest = max((r for r in found.ladder if r.strategy in plan.strategies), key=lambda r: r.estimate.best, default=None)
    played = {WEAKEST: "weak", plan.game.default_strategy: "usual"}
    if strongest is not None and strongest.strategy not in played:
        played[strongest.strategy] = "strong"
    advantages: list[Advantage] = []
    digests = [*found.digests]
    for strategy, play in played.items():
        before = plan.size - plan.advantage_games * (len(PLAYS) - len(advantages))
        try:
            result = run_experiment(plan.table(strategy), plan.advantage_games, progress=_counted(progress, before), **how)
        except KeyboardInterrupt:
            return replace(found, advantages=tuple(advantages), interrupted=True, digests=tuple(digests))
        digests.append(result.digest)
        if result.first_player_advantage is not None:
            advantages.append(Advantage(play, strategy, result.first_player_advantage))
        if result.interrupted:
            break
    return replace(found, advantages=tuple(advantages), interrupted=result.interrupted, digests=tuple(digests))


def _counted(progress: Progress | None, before: int) -> Progress | None:
    """The progress of one part, told as that of the whole."""
    if progress is None:
        return None
    tell = progress
    return lambda done, part: tell(before + done, part) if done else None


def sentence(found: Skill) -> str:
    """The one sentence to take away, of the answer for one number of players."""
    if found.ended.all:
        return found.remark
    (_, usual), (_, random) = found.blunders[0], found.blunders[-1]
    name = found.plan.game.default_strategy
    seats = f"With {plural(found.players, 'player')}"
    if usual.even is None:
        told = (
            f"{seats}: a table that moves at random wins {interval(random.estimate)} percent of games, "
            f"one that plays {name} {interval(usual.estimate)} percent"
        )
    else:
        told = (
            f"{seats}: whoever moves at random among those who play {name} wins {interval(random.estimate)} percent of games, "
            f"where {100 * usual.even:.3g} percent would be even"
        )
    split = found.variance
    if split is None:
        return f"{told}."
    parts = [f"{part} {interval(estimate)} percent" for part, estimate in split.shown.items() if part != "seat" or usual.even is not None]
    count = len(split.strategies)
    over = f"{count} strategies, each as likely" if count > 1 else "one strategy"
    return f"{told}. Of the variance in who wins, {listed(parts)} ({over})."
