"""Christmas Crocs: fill five present slots, and keep the others from filling theirs."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.crocs import story
from simulator.games.crocs.metrics import BREAKDOWNS, INFLUENCES, metrics, score
from simulator.games.crocs.rules import MAX_PLAYERS, CrocsRules, pack
from simulator.games.crocs.rulings import RULINGS
from simulator.games.crocs.state import DECISIONS, STATE
from simulator.games.crocs.turn import advance, apply, deal, payoff, redeal
from simulator.games.crocs.view import VIEW, observe

GAME = Game(
    name="crocs",
    title="Christmas Crocs",
    version="1",
    players=(2, MAX_PLAYERS),
    cooperative=False,
    rules=CrocsRules,
    pack=pack,
    state=STATE,
    view=VIEW,
    deal=deal,
    advance=advance,
    observe=observe,
    apply=apply,
    score=score,
    payoff=payoff,
    redeal=redeal,
    metrics=metrics,
    decisions=DECISIONS,
    default_strategy="opportunist",
    verdict=lambda players: tuple(f"wins.{seat}" for seat in range(players)),
    closeness="lead",
    breakdowns=BREAKDOWNS,
    summary="Fill five present slots, and keep the others from filling theirs.",
    story=story,
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
