"""How often each of several strategies wins: the ladder of a study of skill, which a balance report has a chapter on as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.document.chapters import SKILL, SKILL_TITLE, Chapter, Table, by_players
from simulator.document.figures import in_words, interval, percent
from simulator.document.language import clean, plural, ranged
from simulator.errors import UserError
from simulator.play.resources import Resources
from simulator.studies.crossed import Cell, play_crossed
from simulator.studies.study import Setup

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.collect import Collected
    from simulator.play.experiment import Experiment
    from simulator.stats.estimate import Estimate
    from simulator.studies.crossed import Wins

BLUNDERS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Shares of moves that are left to chance: close together where a slip now and then would show."""

LOOKAHEADS = (4, 16, 64)
"""Budgets of nested playouts for each option, from a glance to a long thought."""

WEAKEST = "uniform"
"""The strategy that stands for weak play; every game has it."""

PLAYS = ("weak", "usual", "strong")
"""Kinds of play under which the first player's advantage is measured."""

GAMES = 4_000

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
        return vars(self) | {"estimate": self.estimate.as_dict()}

    @property
    def run(self) -> str:
        """What tells it from those with other numbers of players."""
        return plural(self.players, "player")


def label_of(rung: Rung) -> str:
    """What its estimate is a share of."""
    return "The players win" if rung.metric == PLAYERS_WIN else "Wins"


@dataclass(frozen=True)
class SkillPlan:
    """The question at one number of players.

    Attributes:
        setup: what is asked about.
        players: how many sit at the table.
        strategies: those to compare.
        ahead: those of them that think ahead, which are slow.
        games: playouts of each table.
        ahead_games: playouts of each table with somebody who thinks ahead.
    """

    setup: Setup
    players: int
    strategies: tuple[str, ...]
    ahead: tuple[str, ...]
    games: int
    ahead_games: int

    @cached_property
    def baseline(self) -> Experiment:
        """Everybody plays the default strategy."""
        return self.setup.experiment(self.players, ())

    @property
    def game(self) -> Game:
        """The game."""
        return self.setup.game

    @property
    def blunders(self) -> tuple[str, ...]:
        """The default strategy with a growing share of random moves, one for each of BLUNDERS."""
        return tuple(f"blunder:share={share:g}" for share in BLUNDERS)

    @property
    def seats(self) -> int:
        """In how many seats a strategy is tried: one stands for all where all win or lose together."""
        return 1 if self.game.cooperative else self.players

    @property
    def size(self) -> int:
        """Playouts, over all tables, at most."""
        crossed = self.seats * (self.games * len((*self.blunders, *self.strategies)) + self.ahead_games * len(self.ahead))
        return crossed + (0 if self.seats == 1 else len(PLAYS) * self.advantage_games)

    @property
    def advantage_games(self) -> int:
        """Playouts of a table at which the first player is watched: as many as those in which a strategy is tried."""
        return self.games * self.players

    def cells(self, strategy: str) -> tuple[Cell, ...]:
        """The tables at which a strategy is tried: one where all win or lose together, else one for each seat.

        Raises:
            UserError: there is no such strategy.
        """
        if self.game.cooperative:
            return (Cell(self.setup.experiment(self.players, [strategy]), PLAYERS_WIN),)
        usual, seats = self.game.default_strategy, range(self.players)
        lineups = [[strategy if other == seat else usual for other in seats] for seat in seats]
        return tuple(Cell(self.setup.experiment(self.players, lineup), f"{WINS}.{seat}") for seat, lineup in enumerate(lineups))


def plan_ladder(setup: Setup, players: int, games: int = GAMES, ahead_games: int = 0) -> SkillPlan:
    """The tables at which each strategy is tried with one number of players, be there something to measure or not.

    Args:
        setup: what is asked about; its strategies are those to compare, or all that the game has and look-ahead.
        players: how many sit at the table.
        games: playouts of each table.
        ahead_games: playouts of each table with somebody who thinks ahead; 0 leaves look-ahead out.

    Raises:
        UserError: something of it does not exist or is not possible.
    """
    setup.experiment(players, ())
    named = setup.strategies or (*registry.strategies(setup.game), *(f"lookahead:rollouts={n}" for n in LOOKAHEADS))
    for place, text in enumerate(named):
        if text in named[:place]:
            message = f"The strategy '{text}' is named twice; name it once."
            raise UserError(message)
    slow = {text for text in named if registry.player(setup.game, text).rollouts}
    quick = tuple(text for text in named if text not in slow)
    ahead = tuple(text for text in named if text in slow) if ahead_games else ()
    return SkillPlan(setup, players, quick, ahead, games, ahead_games)


def play_tables(plan: SkillPlan, strategies: Sequence[str], games: int, resources: Resources, what: str = "") -> Collected[Wins]:
    """Play the tables of some strategies on the same playouts; `what` tells them from others where progress shows.

    Raises:
        UserError: a strategy is refused or broke its contract.
        KeyboardInterrupt: interrupted before the first batch was complete.
    """
    cells = [cell for text in strategies for cell in plan.cells(text)]
    with resources.collecting(f"{plan.players} players{what}", games * len(cells)) as how:
        return play_crossed(cells, games, **how)


def rungs_of(plan: SkillPlan, strategies: Sequence[str], wins: Wins) -> list[Rung]:
    """How often each of some strategies won at its tables."""
    metric, even = (PLAYERS_WIN, None) if plan.game.cooperative else (WINS, 1 / plan.seats)
    shares = [wins.mean_share(range(first, first + plan.seats)) for first in range(0, len(wins.unfinished), plan.seats)]
    return [Rung(text, plan.players, metric, share, even) for text, share in zip(strategies, shares, strict=True)]


def ladder(
    game: str | Game,
    players: int,
    *,
    strategies: Sequence[str] = (),
    games: int = GAMES,
    ahead_games: int = 0,
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
    resources: Resources | None = None,
) -> tuple[Rung, ...]:
    """How often each strategy wins, and nothing else of the study; see `plan_ladder` for the arguments.

    One who plays alone is not refused: a report for several numbers of players has a column for that too.

    Raises:
        UserError: something of it does not exist or cannot be played.
        KeyboardInterrupt: interrupted before the first batch was complete.

    >>> weak, strong = ladder("pig", 2, strategies=["uniform", "optimal"], games=2000)
    >>> weak.estimate.high < weak.even <= strong.estimate.high
    True
    """
    setup = Setup(registry.game(game), (players,), tuple(strategies), rules or {}, seed)
    plan = plan_ladder(setup, players, games, ahead_games)
    tried = ((plan.strategies, games), (plan.ahead, ahead_games))
    with_what = resources or Resources()
    return tuple(r for texts, n in tried if texts for r in rungs_of(plan, texts, play_tables(plan, texts, n, with_what).part))


# ---------------------------------------------------------------- what is said of it
LOOK_FOR = "Look for how much is lost by playing badly, and how little there may be to gain by playing well."


def ladder_table(ladders: Sequence[Sequence[Rung]], title: str) -> Table:
    """How often each strategy wins: a row for each, a column for each number of players."""
    runs, columns = [rungs[0].run for rungs in ladders], [{clean(r.strategy): r.estimate for r in rungs} for rungs in ladders]
    return by_players(title, "Strategy", runs, columns, name="skill-ladder")


def who_played(*, together: bool, several: bool = False) -> str:
    """What was measured: whole tables, or one among others; `several` is whether a chart shows several numbers of players."""
    if together:
        return "A whole table plays the strategy."
    dashed = "The dashed lines are" if several else "The dashed line is"
    return f"One player has the strategy, in every seat in turn, and the others play the default. {dashed} what would be even."


def report_chapter(ladders: Sequence[Sequence[Rung]], marks: Mapping[tuple[str, str], str] | None = None) -> Chapter:
    """The chapter of a balance report on what skill is worth.

    Args:
        ladders: for each number of players the strategies that were measured, as `ladder` gives them.
        marks: strategy and run to what a table of it is sure of and the run does not say; see `reports.balance.other_strategies.by_table`.
    """
    note = "Below each share stands its 95% interval."
    if marks is not None:
        note += (
            " A mark stands where it is sure to be more or less than half, with all of them tested at once, and the run does not say so."
        )
    table = _marked(replace(ladder_table(ladders, "Strategies"), note=note), marks or {})
    counts = {rung.estimate.n for rungs in ladders for rung in rungs}
    notes = (
        who_played(together=ladders[0][0].even is None, several=len(ladders) > 1),
        f"{ranged(counts, 'playout')} of each table, the same ones for every strategy.",
    )
    sentences = tuple(_ladder_sentence(rungs) for rungs in ladders if rungs[0].even != 1)  # not of one alone
    return Chapter(SKILL, SKILL_TITLE, LOOK_FOR, sentences, ("skill-strategies",), (table,), notes)


def _marked(table: Table, marks: Mapping[tuple[str, str], str]) -> Table:
    """The table with marks in its cells, by the name of the row and the run of the column."""
    by_place = {(clean(name), run): mark for (name, run), mark in marks.items()}
    rows = tuple(
        tuple(replace(cell, mark=by_place.get((row[0].text, table.run_of(place)), "")) for place, cell in enumerate(row))
        for row in table.cells
    )
    return replace(table, rows=rows)


def _ladder_sentence(rungs: Sequence[Rung]) -> str:
    """Who wins least and who wins most at one number of players."""
    low, high = (end(rungs, key=lambda rung: rung.estimate.best) for end in (min, max))
    even = "" if low.even is None else f", where {percent(low.even)} would be even"
    opening = f"With {low.run}:"
    if low.estimate.high >= high.estimate.low:
        hull = replace(low.estimate, low=min(r.estimate.low for r in rungs), high=max(r.estimate.high for r in rungs))
        return f"{opening} no difference between strategies shows; each wins within {in_words(hull)}{even}."
    who = "a table of " if low.even is None else ""
    least, most = f"{who}{clean(low.strategy)} wins least", f"{who}{clean(high.strategy)} most"
    return f"{opening} {least}, {in_words(low.estimate)}, and {most}, {interval(high.estimate)}{even}."
