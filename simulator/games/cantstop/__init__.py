"""Can't Stop: climb the columns that four dice name, and stop before a roll names none."""

from __future__ import annotations

from typing import Any

from simulator import kit
from simulator.game import BoxLength, Game
from simulator.games.cantstop.turn import COLUMNS, FIRST, GO, GO_OR_STOP, STOP, TABLE, WHICH_PAIRS, CantStopRules, Event, turn

__all__ = ["COLUMNS", "FIRST", "GAME", "GO", "GO_OR_STOP", "STOP", "WHICH_PAIRS"]


def offered(_rules: Any, view: Any, option: int) -> str:
    """What an option would do."""
    if view.decision == GO_OR_STOP:
        return "stop" if option == STOP else "roll on"
    one, other = view.one[option], view.other[option]
    return f"column {one}" + (" alone" if other == 0 else " twice" if one == other else f" and column {other}")


STORY = kit.Sentences(
    {
        Event.ROLLED: lambda _, a, b, c: f"Seat {a} rolls {b // 10}, {b % 10}, {c // 10} and {c % 10}.",
        Event.CLIMBED: "A runner climbs to space {c} of column {b}.",
        Event.BUSTED: "Seat {a} can take no pair and loses what this turn has climbed.",
        Event.KEPT: "Seat {a} stops and keeps it.",
        Event.CLOSED: "Column {b} is won and closed; seat {a} has {c}.",
        Event.WON: "Seat {a} wins.",
    },
    opening="The first to win {rules.goal} columns wins.",
    asks=lambda _, view: "which pairs to take" if view.decision == WHICH_PAIRS else "whether to roll on",
    offers=offered,
)

GAME = Game(
    name="cantstop",
    title="Can't Stop",
    version="1",
    players=(2, 4),
    rules=CantStopRules,
    table=TABLE,
    turn=turn,
    decisions=("pairs", "go_or_stop"),
    default_strategy="rule_of_28",
    closeness="margin",
    summary="Climb the columns that four dice name, and stop before a roll names none.",
    story=STORY,
    classic=True,
    seconds_per_turn=40,
    pace_note="assumed: some rolls of four dice, pairs to look for and runners to move",
    box_length=BoxLength(rounds=(3, 40), minutes=(5, 120), why="a column takes more than a turn, and the box promises half an hour"),
    players_note="printed: 2 to 4 on the box",
)
