"""Chutes and Ladders: roll and move, up the ladders and down the chutes; nobody ever decides anything."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal

import numpy as np
from pydantic import model_validator

from simulator import kit
from simulator.game import BoxLength, Game
from simulator.rules import GameRules, ImpossibleError, RuleGroup, constant, rulebook, turn_cap
from simulator.rules.packing import packer

DIE = 0
BEHIND = "Spaces between the first and the second at the end; alone, all of them."
Event = IntEnum("Event", "MOVED CLIMBED SLID STAYED WON", start=0)

MAX_SPACES = 1000

LADDERS = ((1, 38), (4, 14), (9, 31), (21, 42), (28, 84), (36, 44), (51, 67), (71, 91), (80, 100))
CHUTES = ((16, 6), (47, 26), (49, 11), (56, 53), (62, 19), (64, 60), (87, 24), (93, 73), (95, 75), (98, 78))

EXACT, OVERSHOOT, BOUNCE = range(3)


class Board(RuleGroup):
    """The board."""

    spaces: int = constant(
        100, ge=2, le=MAX_SPACES, unit="spaces", description="Spaces; pawns start before the first.", source=rulebook("The board")
    )
    jumps: tuple[tuple[int, int], ...] = constant(
        LADDERS + CHUTES,
        max_length=MAX_SPACES,
        unit="list of [from, to]",
        description="Ladders, which lead up, and chutes, which lead down.",
        source=rulebook("The board"),
    )
    landing: Literal["exact", "overshoot", "bounce"] = constant(
        "exact",
        unit="choice",
        description="A roll past the last space: the pawn stays where it is, or wins, or goes back by what is too much.",
        source=rulebook("Winning the game"),
    )


class Die(RuleGroup):
    """The die; the spinner in the box is one with six sides."""

    sides: int = constant(6, ge=1, le=MAX_SPACES, unit="sides", description="Sides of the die.", source=rulebook("Contents"))


class LaddersRules(GameRules):
    """All constants of Chutes and Ladders."""

    board: Board = Board()
    die: Die = Die()
    turn_cap: int = turn_cap(10_000, "chutes may lead back for ever")

    @model_validator(mode="after")
    def _playable(self) -> LaddersRules:
        last, starts = self.board.spaces, [start for start, _ in self.board.jumps]
        for start, end in self.board.jumps:
            if not (1 <= start < last and 0 <= end <= last and start != end):
                reason = f"has [{start}, {end}]; a jump leads from one of the spaces 1 to {last - 1} to another one, up to {last}"
                raise ImpossibleError("board.jumps", reason)
            if starts.count(start) > 1 or end in starts:
                reason = f"has [{start}, {end}], but another jump starts there or where it ends; a pawn jumps once at most"
                raise ImpossibleError("board.jumps", reason)
        return self


def leads_to(rules: LaddersRules) -> dict[str, Any]:
    """For each space, where a pawn that lands on it ends up."""
    ends = np.arange(MAX_SPACES + 1)
    for start, end in rules.board.jumps:
        ends[start] = end
    return {"leads_to": ends}


TABLE = kit.table(
    space=kit.per_seat(),
    ladders=kit.counted("Ladders climbed", "ladders", lambda rules: rules.turn_cap, headline=True),
    chutes=kit.counted("Chutes slid down", "chutes", lambda rules: rules.turn_cap, headline=True),
    margin=kit.counted("Lead at the end", "spaces", lambda rules: rules.board.spaces, headline=True, description=BEHIND),
)


@kit.jit
def turn(table: Any, rules: Any, seat: Any) -> None:
    """Roll and move; the last space wins."""
    move(table, rules, seat, 1 + kit.spin(table, DIE, rules.die.sides))
    if table.space[seat] == rules.board.spaces:
        kit.note(table, Event.WON, seat, 0, 0)
        kit.win(table, seat)


@kit.jit
def move(table: Any, rules: Any, seat: Any, rolled: Any) -> None:
    """Move the pawn, then up the ladder or down the chute that starts where it lands."""
    last, space = rules.board.spaces, table.space[seat] + rolled
    if space > last:
        if rules.board.landing == EXACT:
            kit.note(table, Event.STAYED, seat, rolled, table.space[seat])
            return
        space = max(2 * last - space, 0) if rules.board.landing == BOUNCE else last
    kit.note(table, Event.MOVED, seat, rolled, space)
    table.space[seat] = rules.leads_to[space]
    if table.space[seat] > space:
        table.ladders += 1
        kit.note(table, Event.CLIMBED, seat, table.space[seat], 0)
    elif table.space[seat] < space:
        table.chutes += 1
        kit.note(table, Event.SLID, seat, table.space[seat], 0)


@kit.jit
def score(table: Any, rules: Any) -> None:  # noqa: ARG001  the table has it all
    """How far the first is ahead at the end."""
    table.margin = kit.lead(table.space, table.seats)


STORY = kit.Sentences(
    {
        Event.MOVED: "Seat {a} rolls {b} and moves to {c}.",
        Event.CLIMBED: "A ladder leads up to {b}.",
        Event.SLID: "A chute leads down to {b}.",
        Event.STAYED: "Seat {a} rolls {b}, which is too much, and stays on {c}.",
        Event.WON: "Seat {a} wins.",
    },
    opening="The first pawn on space {rules.board.spaces} wins.",
)

GAME = Game(
    name="ladders",
    players=(1, 6),
    rules=LaddersRules,
    pack=packer(leads_to),
    table=TABLE,
    turn=turn,
    score=score,
    closeness="margin",
    story=STORY,
    classic=True,
    seconds_per_turn=10,
    pace_note="assumed: one roll and one piece to move",
    box_length=BoxLength(rounds=(3, 200), minutes=(1, 180), why="a children's game of luck on one board"),
    players_note="ours: the rules work for any number of pawns, and one alone has a known answer",
)
