"""`skill`: what playing well is worth.

One strategy after the other is measured against the default strategy: where all win or lose together by a table of it, else
by one player of it among players of the default strategy, in every seat in turn. So is the default strategy with a growing
share of random moves. From the same playouts comes how much of who wins is strategy, seat and luck; and whoever goes first
is watched at tables that play badly and at tables that play well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from simulator.document.chapters import SKILL_TITLE, Cell, Chapter, Table, by_players
from simulator.document.document import Document
from simulator.document.figures import CELL, GAP_CELL, PART_CELL, Style, interval, percent
from simulator.document.language import clean, listed, plural
from simulator.errors import UserError
from simulator.play.resources import Resources
from simulator.stats.digests import joint_digest
from simulator.stats.unfinished import Unfinished
from simulator.studies.ladder import (
    BLUNDERS,
    GAMES,
    LOOK_FOR,
    PLAYS,
    WEAKEST,
    Rung,
    SkillPlan,
    label_of,
    ladder_table,
    plan_ladder,
    play_tables,
    rungs_of,
)
from simulator.studies.lineups import Tables, play_in_turn
from simulator.studies.options import count, option
from simulator.studies.study import Study
from simulator.studies.variance import Split, split_variance

if TYPE_CHECKING:
    from simulator.stats.estimate import Estimate
    from simulator.studies.crossed import Wins

LOOKAHEAD_GAMES = 100


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
        return vars(self) | {"estimate": self.estimate.as_dict()}


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
    def run(self) -> str:
        """What tells it from those with other numbers of players."""
        return plural(self.players, "player")

    @property
    def ended(self) -> Unfinished:
        """How many playouts did not finish, of those without look-ahead."""
        rungs = [rung for _, rung in self.blunders] + [rung for rung in self.ladder if rung.strategy in self.plan.strategies]
        games = sum(rung.estimate.n for rung in rungs) * (1 if self.plan.game.cooperative else self.players)
        return Unfinished(round(self.unfinished * games), games)

    @property
    def remark(self) -> str:
        """What to say of playouts that did not finish; empty where they were few."""
        return self.ended.remark(f"with {self.run}")

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


@dataclass(frozen=True)
class SkillStudy(Study[SkillPlan, Skill]):
    """Show what playing well is worth.

    Measures one strategy after the other against the default strategy, and the default with ever more random moves. Where all
    win or lose together, a whole table plays each strategy. Else one player does among players of the default strategy, in
    every seat in turn.
    """

    games: int = count(GAMES, "Playouts of each table; 4k unless given.")
    ahead_games: int = option(
        LOOKAHEAD_GAMES,
        "whole",
        "Playouts of each table with somebody who thinks ahead, which are slow; 100 unless given, 0 for none.",
        name="--lookahead",
        ends=(0, 2**53),
    )

    each_number: ClassVar[str] = "each is looked at."
    strategies_are: ClassVar[str] = "What to compare, once for each; all strategies of the game and look-ahead unless given."

    @cached_property
    def plans(self) -> tuple[SkillPlan, ...]:
        """What will be played with each number of players.

        Raises:
            UserError: something of it does not exist or is not possible, nobody is there to play against, or nobody decides anything.
        """
        return tuple(map(self._plan, self.setup.players))

    def _plan(self, players: int) -> SkillPlan:
        plan, title = plan_ladder(self.setup, players, self.games, self.ahead_games), self.setup.game.title
        if not plan.game.decisions:
            message = f"Nobody decides anything in {title}, so that nobody plays it well or badly; ask about another game."
            raise UserError(message)
        if players == 1 and not plan.game.cooperative:
            message = f"Alone nobody plays better or worse than others; measure {title} with two players or more."
            raise UserError(message)
        return plan

    def play_part(self, plan: SkillPlan, resources: Resources) -> Skill:
        """Play all tables of one number of players. Ctrl-C keeps what is done.

        Raises:
            UserError: a strategy is refused or broke its contract.
            KeyboardInterrupt: interrupted before the first batch was complete.
        """
        start = time.perf_counter()
        reached: Skill | None = None
        try:
            for reached in _growing(plan, resources):
                if reached.interrupted:
                    break
        except KeyboardInterrupt:
            if reached is None:
                raise
            reached = replace(reached, interrupted=True)
        assert reached is not None  # noqa: S101  the first tables are always played
        return replace(reached, elapsed_s=time.perf_counter() - start)

    def document(self, parts: Sequence[Skill]) -> Document:
        """What a slip costs, the strategies, what decides who wins, and who goes first."""
        return _document(parts)


skill = SkillStudy.ask
"""Measure what skill is worth with one number of players.

>>> part = skill("orchard", players=2, games=500, ahead_games=0)
>>> [rung.strategy for rung in part.ladder]
['fullest', 'emptiest', 'uniform']
"""


# ---------------------------------------------------------------- playing
def _growing(plan: SkillPlan, resources: Resources) -> Iterator[Skill]:
    """The answer as far as it is known, each time that more of it is."""
    quick = (*plan.blunders, *plan.strategies)
    run = play_tables(plan, quick, plan.games, resources)
    wins, rungs = run.part, rungs_of(plan, quick, run.part)
    blunders, steps = tuple(zip(BLUNDERS, rungs, strict=False)), tuple(rungs[len(BLUNDERS) :])
    unfinished = float(wins.unfinished.sum()) / (wins.n * len(wins.unfinished))
    part = Skill(plan, blunders, steps, _variance(plan, wins), (), unfinished, 0.0, run.interrupted, (wins.digest,))
    yield part
    if plan.ahead:
        run = play_tables(plan, plan.ahead, plan.ahead_games, resources, ", thinking ahead")
        digests = (*part.digests, run.part.digest)
        part = replace(part, ladder=(*part.ladder, *rungs_of(plan, plan.ahead, run.part)), interrupted=run.interrupted, digests=digests)
        yield part
    if plays := _played_by_all(part):
        tables = Tables(tuple(plan.setup.experiment(plan.players, [strategy]) for strategy in plays), plan.advantage_games)
        played = play_in_turn(tables, resources)
        won = ((*told, result.first_player_advantage) for told, result in zip(plays.items(), played.results, strict=False))
        advantages = tuple(Advantage(play, strategy, estimate) for strategy, play, estimate in won if estimate is not None)
        digests = (*part.digests, *(result.digest for result in played.results))
        yield replace(part, advantages=advantages, interrupted=played.interrupted, digests=digests)


def _variance(plan: SkillPlan, wins: Wins) -> Split | None:
    if not plan.strategies:
        return None
    places = range(plan.seats * len(plan.blunders), len(wins.unfinished))
    return split_variance(wins.of(places), plan.strategies, plan.seats, seed=plan.setup.seed)


def _played_by_all(part: Skill) -> dict[str, str]:
    """What everybody plays while the first player is watched, and what kind of play that is; nothing where nobody goes against others."""
    plan = part.plan
    if plan.seats == 1:
        return {}
    played = {WEAKEST: PLAYS[0], plan.game.default_strategy: PLAYS[1]}
    strongest = max((r for r in part.ladder if r.strategy in plan.strategies), key=lambda r: r.estimate.best, default=None)
    return played if strongest is None or strongest.strategy in played else {**played, strongest.strategy: PLAYS[2]}


# ---------------------------------------------------------------- what is said of it
def _document(parts: Sequence[Skill]) -> Document:
    first = parts[0].plan
    game, default = first.game, clean(first.baseline.lineup[0].label)
    who = "a table of each strategy" if game.cooperative else f"one player of each strategy among players of {default}, in every seat"
    ahead = (("Playouts where somebody thinks ahead", f"{first.ahead_games:,}"),) if first.ahead else ()
    return Document(
        game,
        SKILL_TITLE,
        sentence(parts[0]),
        tuple(map(sentence, parts[1:])),
        _warnings(parts),
        rules=first.baseline.rules,
        facts=(("Playouts of each table", f"{first.games:,}"), *ahead, ("Default strategy", default)),
        chapters=tuple(_chapters(parts)),
        runs=tuple(part.run for part in parts) if len(parts) > 1 else (),
        opening=f"{game.title}: {who}; {first.games:,} playouts of each table, on the same draws",
        closing="95% intervals, each for itself.",
    )


def _chapters(parts: Sequence[Skill]) -> Iterator[Chapter]:
    first = parts[0]
    wins = label_of(first.blunders[0][1])
    moves = _table(parts, f"{wins}, with random moves", "Moves at random", lambda p: {percent(s): r.estimate for s, r in p.blunders})
    yield Chapter("moves", "What a slip costs", "Look for how fast it falls.", charts=("skill-moves",), tables=(moves,))
    tables = (ladder_table([part.ladder for part in parts], f"{wins}, by strategy"),)
    yield Chapter("strategies", "The strategies", LOOK_FOR, charts=("skill-strategies",), tables=tables)
    if any(part.variance for part in parts):
        title = "What decides who wins"
        look_for = "Look for how much is left to luck: what the same strategy in the same seat wins once and loses once."
        notes = ("The parts of the variance add up to 100%, but that a part below nothing is shown as 0.", _variance_note(first))
        table = _table(parts, title, "Part", _parts_of_variance, "variance", PART_CELL)
        yield Chapter("variance", "Strategy, seat or luck", look_for, tables=(table,), notes=notes)
    if any(part.advantages for part in parts):
        title = "Seat 0 above an equal share, in points"
        played = {a.strategy: a.play for part in parts for a in part.advantages}
        table = _table(parts, title, "Everybody plays", lambda p: {a.strategy: a.estimate for a in p.advantages}, "first-player", GAP_CELL)
        table = replace(table, rows=tuple((replace(row[0], mark=played[row[0].text]), *row[1:]) for row in table.cells))
        look_for = "Look for an advantage that comes or goes with how well people play."
        yield Chapter("first-player", "Who goes first", look_for, tables=(table,))


def _table(
    parts: Sequence[Skill],
    title: str,
    heading: str,
    figures: Callable[[Skill], Mapping[str, Estimate]],
    name: str = "blunders",
    style: Style = CELL,
) -> Table:
    columns = [figures(part) for part in parts]
    return by_players(title, heading, [part.run for part in parts], columns, cell=lambda e: Cell.of(e, style), name=f"skill-{name}")


def _parts_of_variance(part: Skill) -> dict[str, Estimate]:
    """The parts by name; the seat is none where all win or lose together."""
    shown = {} if part.variance is None else part.variance.shown
    return {name: estimate for name, estimate in shown.items() if name != "seat" or not part.plan.game.cooperative}


def _variance_note(part: Skill) -> str:
    """Over what the variance was taken."""
    names = ", ".join(map(clean, part.variance.strategies)) if part.variance is not None else ""
    where = "" if part.plan.game.cooperative else ", and each seat as likely"
    return f"Over these strategies, each as likely{where}: {names}. Another selection gives other parts."


def sentence(part: Skill) -> str:
    """The one sentence to take away, of the answer for one number of players."""
    if part.ended.all:
        return part.remark
    (_, usual), (_, random) = part.blunders[0], part.blunders[-1]
    name, wins = part.plan.game.default_strategy, f"wins {interval(random.estimate)} percent of games"
    if usual.even is None:
        text = f"a table that moves at random {wins}, one that plays {name} {interval(usual.estimate)} percent"
    else:
        text = f"whoever moves at random among those who play {name} {wins}, where {100 * usual.even:.3g} percent would be even"
    text = f"With {part.run}: {text}."
    if part.variance is None:
        return text
    parts = [f"{name} {interval(estimate)} percent" for name, estimate in _parts_of_variance(part).items()]
    strategies = len(part.variance.strategies)
    over = f"{strategies} strategies, each as likely" if strategies > 1 else "one strategy"
    return f"{text} Of the variance in who wins, {listed(parts)} ({over})."


def _warnings(parts: Sequence[Skill]) -> tuple[str, ...]:
    """What has to be known first."""
    stopped = [f"The study with {one.run} was interrupted; it shows what was played until then." for one in parts if one.interrupted]
    remarks = [one.remark for one in parts if one.remark]
    capped = [f"{percent(one.unfinished)} with {one.run}" for one in parts if one.unfinished and not one.remark]
    some = [f"The turn cap ended some playouts ({', '.join(capped)}); they count as won by nobody."] if capped else []
    return (*stopped, *remarks, *some)
