"""Christmas Vacation: roll, draw and be the first to discard your deck."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.vacation import story
from simulator.games.vacation.metrics import BREAKDOWNS, metrics, score
from simulator.games.vacation.rules import VacationRules, pack
from simulator.games.vacation.rulings import RULINGS
from simulator.games.vacation.state import DECISIONS, STATE
from simulator.games.vacation.turn import advance, apply, deal, payoff, redeal
from simulator.games.vacation.view import VIEW, observe

GAME = Game(
    name="vacation",
    title="Christmas Vacation",
    version="1",
    players=(2, 5),
    cooperative=False,
    rules=VacationRules,
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
    default_strategy="racer",
    verdict=lambda players: tuple(f"wins.{seat}" for seat in range(players)),
    closeness="runner_up",
    breakdowns=BREAKDOWNS,
    summary="Roll for cards, push your luck, and be the first to discard your whole deck.",
    story=story,
    file=Path(__file__),
    seconds_per_turn=40,
    pace_note="assumed, since the rulebook prints no playing time: some rolls, drawing and discarding cards, shuffling the rest back",
    box_length=BoxLength(
        rounds=(3, 60),
        minutes=(8, 180),
        why="no family game is over after a turn or two, or takes more than an evening",
    ),
    players_note="most: 125 cards (Contents) are five decks of 25 (Setup); fewest: assumed, since a race takes two",
    rulings=RULINGS,
)
