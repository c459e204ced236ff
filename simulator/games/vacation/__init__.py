"""Christmas Vacation: roll for cards, push your luck, and be the first to discard your whole deck."""

from __future__ import annotations

from pathlib import Path

from simulator.game import BoxLength, Game
from simulator.games.vacation.metrics import BREAKDOWNS, metrics, score
from simulator.games.vacation.rules import VacationRules, pack
from simulator.games.vacation.rulings import RULINGS
from simulator.games.vacation.story import STORY
from simulator.games.vacation.table import TABLE, Decision
from simulator.games.vacation.turn import deal, turn

GAME = Game(
    name="vacation",
    players=(2, 5),
    rules=VacationRules,
    pack=pack,
    table=TABLE,
    deal=deal,
    turn=turn,
    score=score,
    metrics=metrics,
    decisions=tuple(decision.name.lower() for decision in Decision),
    default_strategy="racer",
    closeness="runner_up",
    breakdowns=BREAKDOWNS,
    story=STORY,
    file=Path(__file__),
    seconds_per_turn=40,
    pace_note="assumed, since the rulebook prints no playing time: some rolls, drawing and discarding cards, shuffling the rest back",
    box_length=BoxLength(rounds=(3, 60), minutes=(8, 180), why="no family game is over after a turn or two, or takes more than an evening"),
    players_note="most: 125 cards (Contents) are five decks of 25 (Setup); fewest: assumed, since a race takes two",
    rulings=RULINGS,
)
