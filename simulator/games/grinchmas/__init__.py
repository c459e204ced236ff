"""Merry Grinchmas: score Wishes together before the Grinch outshines you."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.grinchmas.metrics import BREAKDOWNS, metrics
from simulator.games.grinchmas.rules import HOUSES, GrinchmasRules, derive
from simulator.games.grinchmas.rulings import RULINGS
from simulator.games.grinchmas.story import STORY
from simulator.games.grinchmas.table import TABLE, Decision
from simulator.games.grinchmas.turn import deal, score, turn
from simulator.rules.packing import packer

GAME = Game(
    name="grinchmas",
    version="2",
    players=(2, HOUSES),
    cooperative=True,
    rules=GrinchmasRules,
    pack=packer(derive),
    table=TABLE,
    deal=deal,
    turn=turn,
    score=score,
    metrics=metrics,
    decisions=tuple(decision.name.lower() for decision in Decision),
    default_strategy="team",
    verdict=lambda _players: ("grinch_wins",),
    closeness="margin",
    breakdowns=BREAKDOWNS,
    story=STORY,
    file=Path(__file__),
    seconds_per_turn=30,
    pace_note="assumed, since the rulebook prints no playing time: spin, move the Grinch, settle the theft, draw and exchange Presents",
    box_length=BoxLength(
        rounds=(3, 60), minutes=(8, 180), why="a family game of eight Wishes: everybody has some turns, and it is over in an evening"
    ),
    players_note="most: the board has six houses (Set Up, Gift Exchange); fewest: assumed, since the Whos work together",
    rulings=RULINGS,
)
