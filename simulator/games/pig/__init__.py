"""Pig: roll on and risk the turn's points, or hold and keep them."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from pydantic import model_validator

from simulator.game import BoxLength, Game, Metric
from simulator.kernel.events import note
from simulator.kernel.jit import jit
from simulator.kernel.records import Record
from simulator.kernel.turns import choose
from simulator.kit.declare import number, of_rules, per_seat, table
from simulator.kit.dice import roll
from simulator.kit.metrics import seat_wins, turns
from simulator.kit.seats import lead, win, worth_winning
from simulator.kit.story import Sentences
from simulator.packing import packer
from simulator.rules import MAX_TURNS, GameRules, ImpossibleError, RuleGroup, constant, ours, rulebook

SECTION_1 = rulebook("Neller and Presser, Optimal Play of the Dice Game Pig, 2004, section 1")
BUST_TEXT = "The face that ends a turn and loses its points; 0 for none."
CAP_TEXT = "Turns after which a playout counts as unfinished."

ROLL_OR_HOLD, DIE = 0, 0
ROLL, HOLD = range(2)  # the options
MAX_ROLLS = 256  # after so many a turn has to hold, so that every turn ends whoever plays; a limit of the simulation
Event = IntEnum("Event", "DEALT ROLLED BUSTED HELD WON", start=0)


class Die(RuleGroup):
    """The die."""

    sides: int = constant(6, ge=2, le=100, unit="sides", description="Sides of the die, numbered from 1.", source=SECTION_1)
    bust: int = constant(1, ge=0, le=100, unit="face", left_out=0, description=BUST_TEXT, source=SECTION_1)


class PigRules(GameRules):
    """All constants of Pig."""

    die: Die = Die()
    goal: int = constant(100, ge=1, le=10_000, unit="points", description="Points that win.", source=SECTION_1)
    turn_cap: int = constant(
        10_000, ge=1, le=MAX_TURNS, unit="turns", description=CAP_TEXT, source=ours("who always rolls on never holds a point")
    )

    @model_validator(mode="after")
    def _playable(self) -> PigRules:
        if self.die.bust > self.die.sides:
            raise ImpossibleError("die.bust", f"is no face of a die with {self.die.sides} sides; name one of its faces, or 0 for none")
        return self


TABLE = table(
    total=number(),  # points of this turn, not yet held
    score=per_seat(),
    rolls=number(),
    busts=number(),
    margin=number(),
    goal=of_rules(lambda rules: rules.goal),
    sides=of_rules(lambda rules: rules.die.sides),
    bust=of_rules(lambda rules: rules.die.bust),
)


@jit
def deal(table: Record, rules: Record) -> None:  # noqa: ARG001  everybody starts with nothing
    """Nobody has a point."""
    note(table, Event.DEALT, 0, 0, 0)


@jit
def turn(table: Record, rules: Record, seat: int) -> None:
    """Roll until the bust face shows, which loses the turn's points, or hold and keep them; whoever reaches the goal wins."""
    table.total = 0
    for rolled in range(1, MAX_ROLLS + 1):
        face = roll(table, DIE, rules.die.sides)
        table.rolls += 1
        if face == rules.die.bust:
            table.busts += 1
            note(table, Event.BUSTED, seat, face, table.total)
            return
        table.total += face
        note(table, Event.ROLLED, seat, face, table.total)
        if rolled < MAX_ROLLS and choose(table, seat, ROLL_OR_HOLD, 2) == HOLD:
            break
    table.score[seat] += table.total
    note(table, Event.HELD, seat, table.total, table.score[seat])
    if table.score[seat] >= rules.goal:
        note(table, Event.WON, seat, 0, 0)
        win(table, seat)


@jit
def score(table: Record, rules: Record) -> None:  # noqa: ARG001  the table has it all
    """How far the first is ahead at the end."""
    table.margin = lead(table.score, table.seats)


def metrics(rules: PigRules, players: int) -> tuple[Metric, ...]:
    """What each playout leaves behind."""
    cap, most = rules.turn_cap, rules.goal + MAX_ROLLS * rules.die.sides
    ahead = "Points of the first above those of the second at the end; alone, all of them."
    return (
        *seat_wins(players),
        turns(cap),
        Metric("rolls", "Rolls", "rolls", "count", 0, cap * MAX_ROLLS),
        Metric("busts", "Busts", "turns", "count", 0, cap, headline=True, description="Turns that lost their points."),
        Metric("margin", "Lead at the end", "points", "count", 0, most, headline=True, description=ahead),
        *(Metric(f"score.{i}", f"Points of seat {i}", "points", "count", 0, most) for i in range(players)),
    )


STORY = Sentences(
    {
        Event.DEALT: "The first to hold {rules.goal} points wins.",
        Event.ROLLED: "Seat {a} rolls {b}; the turn is worth {c}.",
        Event.BUSTED: "Seat {a} rolls {b} and loses the {c} points of this turn.",
        Event.HELD: "Seat {a} holds {b} points and has {c} now.",
        Event.WON: "Seat {a} wins.",
    },
    asks=lambda _, view: f"whether to hold {view.total} on top of {view.score[view.seat]}",
    offers=lambda _, __, option: "hold" if option == HOLD else "roll",
)

GAME = Game(
    name="pig",
    title="Pig",
    version="2",
    players=(1, 6),
    rules=PigRules,
    pack=packer(),
    table=TABLE,
    deal=deal,
    turn=turn,
    score=score,
    payoff=worth_winning,
    metrics=metrics,
    decisions=("roll_or_hold",),
    default_strategy="hold",
    closeness="margin",
    summary="Roll on and risk the turn's points, or hold and keep them; the first to 100 wins.",
    story=STORY,
    file=Path(__file__),
    classic=True,
    seconds_per_turn=15,
    pace_note="assumed: a few rolls of one die and a sum",
    box_length=BoxLength(rounds=(3, 100), minutes=(1, 180), why="points that one lucky turn reaches, or no evening, are no race"),
    players_note="ours: the sources treat two, and the rules work for one to six",
)
