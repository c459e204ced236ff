"""First Orchard: harvest all fruit together before the raven arrives."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.orchard import story
from simulator.games.orchard.metrics import metrics, score
from simulator.games.orchard.rules import OrchardRules, pack
from simulator.games.orchard.state import DECISIONS, STATE, VIEW
from simulator.games.orchard.turn import advance, apply, deal, observe, payoff, redeal

GAME = Game(
    name="orchard",
    title="First Orchard",
    version="1",
    players=(1, 4),
    cooperative=True,
    rules=OrchardRules,
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
    default_strategy="fullest",
    verdict=lambda _players: ("players_win",),
    closeness="margin",
    breakdowns=(),
    summary="Harvest all fruit together before the raven arrives.",
    story=story,
    file=Path(__file__),
    classic=True,
    seconds_per_turn=10,
    pace_note="assumed: one roll and one piece to move",
    box_length=BoxLength(rounds=(3, 100), minutes=(1, 60), why="a first game for small children"),
    players_note="printed: 1 to 4 on the box",
)
