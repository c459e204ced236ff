"""Merry Grinchmas: score Wishes together before the Grinch outshines you."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.grinchmas import story
from simulator.games.grinchmas.metrics import BREAKDOWNS, metrics, score
from simulator.games.grinchmas.rules import HOUSES, GrinchmasRules, pack
from simulator.games.grinchmas.rulings import RULINGS
from simulator.games.grinchmas.state import DECISIONS, STATE
from simulator.games.grinchmas.turn import advance, apply, deal, payoff, redeal
from simulator.games.grinchmas.view import VIEW, observe

GAME = Game(
    name="grinchmas",
    title="Merry Grinchmas",
    version="2",
    players=(2, HOUSES),
    cooperative=True,
    rules=GrinchmasRules,
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
    default_strategy="team",
    verdict=lambda _players: ("grinch_wins",),
    closeness="margin",
    breakdowns=BREAKDOWNS,
    summary="Score Wishes together before the Grinch outshines you.",
    story=story,
    file=Path(__file__),
    seconds_per_turn=30,
    pace_note="assumed, since the rulebook prints no playing time: spin, move the Grinch, settle the theft, draw and exchange Presents",
    box_length=BoxLength(
        rounds=(3, 60), minutes=(8, 180), why="a family game of eight Wishes: everybody has some turns, and it is over in an evening"
    ),
    players_note="most: the board has six houses (Set Up, Gift Exchange); fewest: assumed, since the Whos work together",
    rulings=RULINGS,
)
