"""Can't Stop: its constants, what lies on the table, and a turn."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from simulator import kit
from simulator.rules import GameRules, constant, rulebook

WHICH_PAIRS, GO_OR_STOP = range(2)
GO, STOP = range(2)  # the options of the latter
DIE, SIDES, FIRST, COLUMNS = 0, 6, 2, 13  # a column is called after the sum of two dice that names it, 2 to 12
MOST_STEPS, MOST_PAIRS = 50, 6  # three ways to pair four dice, and either pair of each where a runner is free for one alone
LENGTHS = (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
RUNNERS = "Runners: in how many columns one climbs in a turn."
Event = IntEnum("Event", "ROLLED CLIMBED BUSTED KEPT CLOSED WON", start=0)


class CantStopRules(GameRules):
    """All constants of Can't Stop."""

    columns: tuple[int, ...] = constant(
        LENGTHS, min_length=11, max_length=11, unit="list of spaces", description="Spaces of columns 2 to 12.", source=rulebook("The board")
    )
    runners: int = constant(3, ge=1, le=8, unit="runners", description=RUNNERS, source=rulebook("Contents"))
    goal: int = constant(3, ge=1, le=5, unit="columns", description="Columns that win.", source=rulebook("Winning the game"))


def lengths(rules: CantStopRules) -> np.ndarray[Any, Any]:
    """Spaces of each column, by the sum that names it."""
    return np.array([0, 0, *(min(max(length, 1), MOST_STEPS) for length in rules.columns)], np.int32)


TABLE = kit.table(
    space=kit.per_seat(kit.numbers(COLUMNS)),  # how far each seat has come in each column, 0 for not at all
    closed=kit.numbers(COLUMNS),  # whether a column has been won
    runner=kit.numbers(COLUMNS),  # how far the runners have come, 0 where there is none
    free=kit.number(),  # runners that stand in no column
    one=kit.per_option(MOST_PAIRS, [WHICH_PAIRS]),  # the column of the first pair of each option
    other=kit.per_option(MOST_PAIRS, [WHICH_PAIRS]),  # and of the second, 0 where one pair alone can be taken
    won=kit.per_seat(kit.counted("Columns of seat {seat}", "columns", lambda rules: rules.goal + rules.runners)),
    rolls=kit.counted("Rolls", "rolls", lambda rules: rules.turn_cap * (1 + int(lengths(rules).sum())), headline=True),
    busts=kit.counted("Busts", "turns", lambda rules: rules.turn_cap, headline=True, description="Turns that lost what they climbed."),
    margin=kit.counted("Lead at the end", "columns", lambda rules: rules.goal + rules.runners),
    length=kit.of_rules(lengths, shape=(COLUMNS,)),
    goal=kit.of_rules("goal"),
)


@kit.jit
def turn(table: Any, rules: Any, seat: Any) -> None:
    """Roll and climb until one stops and keeps it, or until no pair can be taken, which loses what the turn has climbed."""
    table.free = rules.runners
    for column in range(COLUMNS):
        table.runner[column] = 0
    going = True
    while going:
        a, b, c, d = roll(table), roll(table), roll(table), roll(table)
        table.rolls += 1
        kit.note(table, Event.ROLLED, seat, 10 * a + b, 10 * c + d)
        n = list_pairs(table, seat, (a, b, c, d))
        if n == 0:
            table.busts += 1
            kit.note(table, Event.BUSTED, seat, 0, 0)
            return
        option = kit.choose(table, seat, WHICH_PAIRS, n)
        climb(table, seat, table.one[option])
        climb(table, seat, table.other[option])
        going = kit.choose(table, seat, GO_OR_STOP, 2) == GO
    keep(table, rules, seat)


@kit.jit
def roll(table: Any) -> Any:
    """One die."""
    return kit.roll(table, DIE, SIDES)


@kit.jit
def list_pairs(table: Any, seat: Any, dice: Any) -> Any:
    """Each way to take both pairs of four dice, or the one of them that can be taken; how many ways there are."""
    a, b, c, d = dice
    n = np.int64(0)
    for one, other in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
        low, high = min(one, other), max(one, other)
        first, second = can_climb(table, seat, low), can_climb(table, seat, high)
        last = table.free == 1 and low != high and table.runner[low] == 0 and table.runner[high] == 0  # one runner for two columns
        if first and second and not last:
            n = offer(table, n, low, high)
        else:
            n = offer(table, n, low, 0) if first else n
            n = offer(table, n, high, 0) if second else n
    return n


@kit.jit
def can_climb(table: Any, seat: Any, column: Any) -> Any:
    """Whether a column is open, its end is not reached, and a runner is in it or free."""
    reached = max(table.runner[column], table.space[seat, column])
    return table.closed[column] == 0 and reached < table.length[column] and (table.runner[column] > 0 or table.free > 0)


@kit.jit
def offer(table: Any, n: Any, one: Any, other: Any) -> Any:
    """One more option, unless it is there; how many there are then."""
    for i in range(n):
        if table.one[i] == one and table.other[i] == other:
            return n
    table.one[n], table.other[n] = one, other
    return n + 1


@kit.jit
def climb(table: Any, seat: Any, column: Any) -> None:
    """A runner goes up a space of a column, if it can; a free one begins above where the seat has come."""
    if can_climb(table, seat, column):
        table.free -= 1 if table.runner[column] == 0 else 0
        table.runner[column] = max(table.runner[column], table.space[seat, column]) + 1
        kit.note(table, Event.CLIMBED, seat, column, table.runner[column])


@kit.jit
def keep(table: Any, rules: Any, seat: Any) -> None:
    """What was climbed is kept; a column climbed to its end is won and closed, and enough of them win the game."""
    kit.note(table, Event.KEPT, seat, 0, 0)
    for column in range(FIRST, COLUMNS):
        table.space[seat, column] = max(table.space[seat, column], table.runner[column])
        if table.runner[column] == table.length[column]:
            table.closed[column] = 1
            table.won[seat] += 1
            kit.note(table, Event.CLOSED, seat, column, table.won[seat])
    table.margin = kit.lead(table.won, table.seats)
    if table.won[seat] >= rules.goal:
        kit.note(table, Event.WON, seat, 0, 0)
        kit.win(table, seat)
