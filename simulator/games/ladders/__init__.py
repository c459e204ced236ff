"""Chutes and Ladders: roll and move, up the ladders and down the chutes."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.ladders import story
from simulator.games.ladders.rules import LaddersRules, pack
from simulator.games.ladders.turn import STATE, VIEW, advance, apply, deal, metrics, observe, payoff, redeal, score

GAME = Game(
    name="ladders",
    title="Chutes and Ladders",
    version="1",
    players=(1, 6),
    cooperative=False,
    rules=LaddersRules,
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
    decisions=(),
    default_strategy="uniform",
    verdict=lambda players: tuple(f"wins.{seat}" for seat in range(players)),
    closeness="margin",
    breakdowns=(),
    summary="Roll and move, up the ladders and down the chutes; nobody ever decides anything.",
    story=story,
    file=Path(__file__),
    classic=True,
    seconds_per_turn=10,
    pace_note="assumed: one roll and one piece to move",
    box_length=BoxLength(rounds=(3, 200), minutes=(1, 180), why="a children's game of luck on one board"),
    players_note="ours: the rules work for any number of pawns, and one alone has a known answer",
)
