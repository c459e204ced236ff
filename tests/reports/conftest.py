"""Results made by hand, so that every number in a report is known before it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator.game import Breakdown, Game, Influence, Metric
from simulator.play.experiment import Experiment
from simulator.play.run import Result
from simulator.registry.lineup import Player
from simulator.rules import RuleGroup, assumed, constant, ours, rulebook
from simulator.stats.tally import Histogram, Tally
from strategies.declare import Strategy

HOSTILE = """<script>alert("x")</script> & 'quoted' $x_1$ \N{GAME DIE}"""
"""A name that breaks whatever pastes it unescaped."""


class Deck(RuleGroup):
    """A group of made-up rules."""

    cards: int = constant(30, ge=1, unit="cards", description="Cards <in> the deck.", source=rulebook("Set Up & Start"))
    suits: int = constant(4, unit="suits", plausible=(3, 5), description="Suits.", source=assumed("not shown"))


class Rules(RuleGroup):
    """Made-up rules."""

    deck: Deck = Deck()
    turn_cap: int = constant(100, unit="turns", description="Turns until a playout counts as unfinished.", source=ours("it may stall"))

    def notes(self) -> list[str]:
        """One note when the deck is small."""
        return ["The deck is small."] if self.deck.cards < 10 else []


def share(name: str, label: str) -> Metric:
    """An outcome metric."""
    return Metric(name, label, "share", "share", 0, 1, headline=True, outcome=True)


def count(name: str, label: str, unit: str) -> Metric:
    """A count metric."""
    return Metric(name, label, unit, "count", -1000, 1000)


def team_metrics(_rules: Any, _players: int) -> tuple[Metric, ...]:
    """Metrics of the cooperative game."""
    outcomes = (share("players_win", "Players win"), share("foe_wins", "Foe wins"), share("unfinished", "Unfinished"))
    return (*outcomes, count("turns", "Turns", "turns"), count("lead", "Lead", "points"), *(count(f"hits.{k}", k, "hits") for k in "ab"))


def seat_metrics(_rules: Any, players: int) -> tuple[Metric, ...]:
    """Metrics of the game that one seat wins."""
    wins = tuple(share(f"wins.{seat}", f"Seat {seat + 1} wins") for seat in range(players))
    return (*wins, share("unfinished", "Unfinished"), count("turns", "Turns", "turns"))


def make_game(*, cooperative: bool = True, **changes: Any) -> Game:
    """A game that nobody can play."""
    facts: dict[str, Any] = dict.fromkeys(Game.__dataclass_fields__)
    shown = Breakdown("hits", "Who hits", "Look for a side that never hits.", ("a", "b"), (("", ("hits.a", "hits.b")),))
    facts |= {"name": "toy", "title": "Toy Game", "version": "7", "players": (2, 6), "cooperative": cooperative, "rules": Rules}
    facts |= {"default_strategy": "plain", "file": Path(__file__), "breakdowns": (shown,) if cooperative else (), "influences": ()}
    facts |= {"metrics": team_metrics if cooperative else seat_metrics, "closeness": "lead" if cooperative else None}
    facts["verdict"] = (lambda _players: ("foe_wins",)) if cooperative else (lambda players: tuple(f"wins.{s}" for s in range(players)))
    return Game(**(facts | changes))


def make_player(name: str) -> Player:
    """A player whom nobody can ask."""
    return Player(Strategy("toy", name, len, {}, "Plays.", uses_chance=False, file=Path(__file__), line=1))


def histogram(counts: Mapping[int, Sequence[int]]) -> Histogram:
    """A histogram from the counts by outcome of each value."""
    low, high = min(counts), max(counts)
    width = len(next(iter(counts.values())))
    lines = [list(counts.get(value, [0] * width)) for value in range(low, high + 1)]
    return Histogram(low, np.array(lines, np.int64))


def outcome_histograms(won: Sequence[int]) -> list[Histogram]:
    """The histograms of the outcome metrics, if outcome i came about `won[i]` times."""
    lines = np.diag(won)
    return [Histogram(0, np.array([np.array(won) - line, line], np.int64)) for line in lines]


MakeResult = Callable[..., Result]

TURNS = {10: (40, 0, 0), 12: (20, 30, 0), 20: (0, 10, 0)}
LEAD = {-3: (0, 40, 0), 0: (10, 0, 0), 4: (50, 0, 0)}
HITS = {0: (30, 40, 0), 2: (30, 0, 0)}
MORE_HITS = {5: (60, 0, 0), 6: (0, 40, 0)}


def team_result(players: int = 4, names: Sequence[str] = ("plain",), rules: Rules | None = None, **changes: Any) -> Result:
    """100 playouts of the cooperative game, of which the players win 60 and the foe 40."""
    game = changes.pop("game", make_game())
    seed, tallied = changes.pop("seed", 1), changes.pop("tables", (TURNS, LEAD, HITS, MORE_HITS))
    lineup = tuple(make_player(names[seat % len(names)]) for seat in range(players))
    experiment = Experiment(game, rules or Rules(), lineup, seed)
    outcomes = ("players_win", "foe_wins", "unfinished")
    parts = (*outcome_histograms(changes.pop("won", (60, 40, 0))), *(histogram(table) for table in tallied))
    return replace(Result(experiment, 100, Tally(tuple(m.name for m in experiment.metrics), outcomes, parts), 1.5), **changes)


def seat_result(won: Sequence[int], players: int) -> Result:
    """Playouts of the game that one seat wins, seat i `won[i]` of them; the last number are the unfinished."""
    game = make_game(cooperative=False)
    experiment = Experiment(game, Rules(), tuple(make_player("plain") for _ in range(players)), 1)
    outcomes = (*game.verdict(players), "unfinished")
    parts = (*outcome_histograms(won), histogram({10: won}))
    return Result(experiment, sum(won), Tally((*outcomes, "turns"), outcomes, parts), 1.5)


DRAWN = Influence("drawn", "Cards and wins", "Look for luck.", "cards drawn", (("Ace", "drawn.ace"), ("Two", "drawn.two")))


def drawn_metrics(rules: Any, players: int) -> tuple[Metric, ...]:
    """Metrics of the game that one seat wins, with the cards that each seat draws."""
    drawn = (count(f"drawn.{kind}.{seat}", f"{kind} of {seat}", "cards") for kind in ("ace", "two") for seat in range(players))
    return (*seat_metrics(rules, players), *drawn)


def drawn_result(times: int = 1, **changes: Any) -> Result:
    """1000 playouts of two seats, `times` over; a seat with an ace wins more often."""
    game = make_game(cooperative=False, metrics=drawn_metrics, influences=(DRAWN,), **changes)
    experiment = Experiment(game, Rules(), (make_player("plain"), make_player("plain")), 1)
    outcomes = ("wins.0", "wins.1", "unfinished")
    won = (500 * times, 400 * times, 100 * times)
    aces: list[dict[int, tuple[int, ...]]] = [
        {0: (100, 300, 0), 1: (390, 0, 90), 2: (10, 100, 10)},
        {1: (90, 300, 80), 0: (400, 50, 0), 3: (10, 50, 20)},
    ]
    twos = [{4: (500, 400, 100)}, {4: (500, 400, 100)}]
    tables = [{value: tuple(times * n for n in counts) for value, counts in table.items()} for table in (*aces, *twos)]
    parts = (*outcome_histograms(won), *(histogram(table) for table in ({10: won}, *tables)))
    return Result(experiment, sum(won), Tally(tuple(m.name for m in experiment.metrics), outcomes, parts), 1.5)


@pytest.fixture(scope="session")
def drawn() -> MakeResult:
    """Makes results of the game that one seat wins, in which seats draw cards."""
    return drawn_result


@pytest.fixture(scope="session")
def team() -> MakeResult:
    """Makes results of the cooperative game."""
    return team_result


@pytest.fixture(scope="session")
def seats() -> MakeResult:
    """Makes results of the game that one seat wins."""
    return seat_result


@pytest.fixture(scope="session")
def deck() -> type[Deck]:
    """The group of made-up rules."""
    return Deck


@pytest.fixture(scope="session")
def hostile() -> str:
    """A name that breaks whatever pastes it unescaped."""
    return HOSTILE


@pytest.fixture(scope="session")
def rules_of() -> Callable[..., Rules]:
    """Makes rules with other cards and suits."""
    return lambda **values: Rules(deck=Deck(**values))


@pytest.fixture(scope="session")
def game_of() -> Callable[..., Game]:
    """Makes games with some facts changed."""
    return make_game
