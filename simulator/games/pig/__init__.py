"""Pig: roll on and risk the turn's points, or hold and keep them; the first to 100 wins."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from simulator import kit
from simulator.game import BoxLength, Game
from simulator.rules import GameRules, RuleGroup, constant, rulebook, turn_cap

PAPER = rulebook("Neller and Presser, Optimal Play of the Dice Game Pig, 2004, section 1")
BUST = "The face that ends a turn and loses its points; 0 for none."
AHEAD = "Points of the first above those of the second at the end; alone, all of them."
ROLL_OR_HOLD, DIE = 0, 0
ROLL, HOLD = range(2)  # the options
MAX_ROLLS = 256  # after so many a turn has to hold, so that every turn ends whoever plays; a limit of the simulation
Event = IntEnum("Event", "ROLLED BUSTED HELD WON", start=0)


class Die(RuleGroup):
    """The die."""

    sides: int = constant(6, ge=2, le=100, unit="sides", description="Sides of the die, numbered from 1.", source=PAPER)
    bust: int = constant(1, ge=0, le=100, at_most="sides", unit="face", left_out=0, description=BUST, source=PAPER)


class PigRules(GameRules):
    """All constants of Pig."""

    die: Die = Die()
    goal: int = constant(100, ge=1, le=10_000, unit="points", description="Points that win.", source=PAPER)
    turn_cap: int = turn_cap(10_000, "who always rolls on never holds a point")


def most_points(rules: PigRules) -> int:
    """No seat can have more."""
    return rules.goal + MAX_ROLLS * rules.die.sides


TABLE = kit.table(
    total=kit.number(),  # points of this turn, not yet held
    rolls=kit.counted("Rolls", "rolls", lambda rules: rules.turn_cap * MAX_ROLLS),
    busts=kit.counted("Busts", "turns", lambda rules: rules.turn_cap, headline=True, description="Turns that lost their points."),
    margin=kit.counted("Lead at the end", "points", most_points, headline=True, description=AHEAD),
    score=kit.per_seat(kit.counted("Points of seat {seat}", "points", most_points)),
    goal=kit.of_rules("goal"),
    sides=kit.of_rules("die.sides"),
    bust=kit.of_rules("die.bust"),
)


@kit.jit
def turn(table: Any, rules: Any, seat: Any) -> None:
    """Roll until the bust face shows, which loses the turn's points, or hold and keep them; whoever reaches the goal wins."""
    table.total = 0
    for rolled in range(1, MAX_ROLLS + 1):
        face = kit.roll(table, DIE, rules.die.sides)
        table.rolls += 1
        if face == rules.die.bust:
            table.busts += 1
            kit.note(table, Event.BUSTED, seat, face, table.total)
            return
        table.total += face
        kit.note(table, Event.ROLLED, seat, face, table.total)
        if rolled < MAX_ROLLS and kit.choose(table, seat, ROLL_OR_HOLD, 2) == HOLD:
            break
    table.score[seat] += table.total
    kit.note(table, Event.HELD, seat, table.total, table.score[seat])
    if table.score[seat] >= rules.goal:
        kit.note(table, Event.WON, seat, 0, 0)
        kit.win(table, seat)


@kit.jit
def score(table: Any, rules: Any) -> None:  # noqa: ARG001  the table has it all
    """How far the first is ahead at the end."""
    table.margin = kit.lead(table.score, table.seats)


STORY = kit.Sentences(
    {
        Event.ROLLED: "Seat {a} rolls {b}; the turn is worth {c}.",
        Event.BUSTED: "Seat {a} rolls {b} and loses the {c} points of this turn.",
        Event.HELD: "Seat {a} holds {b} points and has {c} now.",
        Event.WON: "Seat {a} wins.",
    },
    opening="The first to hold {rules.goal} points wins.",
    asks=lambda _, view: f"whether to hold {view.total} on top of {view.score[view.seat]}",
    offers=lambda _, __, option: "hold" if option == HOLD else "roll",
)

GAME = Game(
    name="pig",
    version="2",
    players=(1, 6),
    rules=PigRules,
    table=TABLE,
    turn=turn,
    score=score,
    decisions=("roll_or_hold",),
    default_strategy="hold",
    closeness="margin",
    story=STORY,
    classic=True,
    seconds_per_turn=15,
    pace_note="assumed: a few rolls of one die and a sum",
    box_length=BoxLength(rounds=(3, 100), minutes=(1, 180), why="points that one lucky turn reaches, or no evening, are no race"),
    players_note="ours: the sources treat two, and the rules work for one to six",
)
