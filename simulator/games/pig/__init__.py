"""Pig: roll on and risk the turn's points, or hold and keep them."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.pig import story
from simulator.games.pig.metrics import metrics, score
from simulator.games.pig.rules import PigRules, pack
from simulator.games.pig.state import DECISIONS, STATE
from simulator.games.pig.turn import advance, apply, deal, payoff, redeal
from simulator.games.pig.view import VIEW, observe

GAME = Game(
    name="pig",
    title="Pig",
    version="1",
    players=(1, 6),
    cooperative=False,
    rules=PigRules,
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
    default_strategy="hold",
    verdict=lambda players: tuple(f"wins.{seat}" for seat in range(players)),
    closeness="margin",
    breakdowns=(),
    summary="Roll on and risk the turn's points, or hold and keep them; the first to 100 wins.",
    story=story,
    file=Path(__file__),
    classic=True,
    seconds_per_turn=15,
    pace_note="assumed: a few rolls of one die and a sum",
    box_length=BoxLength(rounds=(3, 100), minutes=(1, 180), why="points that one lucky turn reaches, or no evening, are no race"),
    players_note="ours: the sources treat two, and the rules work for one to six",
)
