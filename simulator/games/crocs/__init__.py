"""Christmas Crocs: fill five present slots, and keep the others from filling theirs."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.crocs.hidden import redeal
from simulator.games.crocs.metrics import BREAKDOWNS, INFLUENCES, metrics
from simulator.games.crocs.rules import MAX_PLAYERS, CrocsRules
from simulator.games.crocs.rulings import RULINGS
from simulator.games.crocs.story import STORY
from simulator.games.crocs.table import TABLE, Decision, derive
from simulator.games.crocs.turn import deal, payoff, score, turn
from simulator.rules.packing import packer

GAME = Game(
    name="crocs",
    players=(2, MAX_PLAYERS),
    rules=CrocsRules,
    pack=packer(derive),
    table=TABLE,
    deal=deal,
    turn=turn,
    score=score,
    payoff=payoff,
    redeal=redeal,
    metrics=metrics,
    decisions=tuple(decision.name.lower() for decision in Decision),
    default_strategy="opportunist",
    closeness="lead",
    breakdowns=BREAKDOWNS,
    story=STORY,
    file=Path(__file__),
    influences=INFLUENCES,
    seconds_per_turn=20,
    pace_note="assumed, since the rules print no playing time: draw a card, play one and do what it says",
    box_length=BoxLength(
        rounds=(3, 60), minutes=(8, 180), why="a family card game: five slots are not filled in a turn or two, and it is over in an evening"
    ),
    players_note="printed: 2 to 6 for each deck (No. of Players)",
    rulings=RULINGS,
)
