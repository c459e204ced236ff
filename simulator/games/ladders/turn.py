"""Chutes and Ladders, step by step, and what a playout leaves behind."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.game import Metric
from simulator.games.ladders.rules import BOUNCE, EXACT, LaddersRules
from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit
from simulator.kernel.playout import begin_turn, note
from simulator.kernel.records import MAX_SEATS, OVER, UNFINISHED, Record, state_dtype, view_dtype

DIE = purpose_block(0)
DEALT, MOVED, CLIMBED, SLID, STAYED, WON = range(6)
"""Events, noted for the story."""

STATE = state_dtype([("space", "i4", (MAX_SEATS,)), ("ladders", "i4"), ("chutes", "i4")])
VIEW = view_dtype([])
"""Only the head: nobody ever decides anything."""


@jit
def deal(state: Record, rules: Record, chance: Record) -> None:  # noqa: ARG001  nothing is dealt by chance
    """All pawns start before the first space."""
    state.space[:] = 0
    state.ladders = state.chutes = 0
    note(state, DEALT, 0, 0, 0)


@jit
def advance(state: Record, rules: Record, chance: Record) -> Any:
    """Everybody moves in turn until one is on the last space; always OVER, since nobody ever decides anything."""
    while begin_turn(state):
        seat = (state.turn - 1) % state.seats
        # the rolls of four turns that follow one another are the four words of one block
        roll = 1 + below(chance, DIE + (state.turn & 3), state.turn >> 2, rules.sides)
        _move(state, rules, seat, roll)
        if state.space[seat] == rules.last:
            note(state, WON, seat, 0, 0)
            break
    return np.int64(OVER)


@jit
def _move(state: Record, rules: Record, seat: Any, roll: Any) -> None:
    """Move the pawn, then up the ladder or down the chute that starts where it lands."""
    space = state.space[seat] + roll
    if space > rules.last:
        if rules.landing == EXACT:
            note(state, STAYED, seat, roll, state.space[seat])
            return
        space = max(2 * rules.last - space, 0) if rules.landing == BOUNCE else rules.last
    note(state, MOVED, seat, roll, space)
    state.space[seat] = rules.leads_to[space]
    if state.space[seat] > space:
        state.ladders += 1
        note(state, CLIMBED, seat, state.space[seat], 0)
    elif state.space[seat] < space:
        state.chutes += 1
        note(state, SLID, seat, state.space[seat], 0)


@jit
def observe(state: Record, rules: Record, view: Record) -> None:
    """Never asked for, with nobody to decide."""


@jit
def apply(state: Record, rules: Record, chance: Record, option: Any) -> None:
    """Never asked for, with nothing to decide."""


@jit
def redeal(state: Record, rules: Record, chance: Record, seat: Any) -> None:
    """Nothing to do: nothing is hidden."""


@jit
def payoff(state: Record, rules: Record, seat: Any) -> Any:
    """1.0 for the seat on the last space, else 0.0."""
    return 1.0 if state.space[seat] == rules.last else 0.0


def metrics(rules: LaddersRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row."""
    cap, behind = rules.turn_cap, "Spaces between the first and the second at the end; alone, all of them."
    return (
        *(Metric(f"wins.{i}", f"Seat {i} wins", "share", "share", 0, 1, headline=True, outcome=True) for i in range(players)),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True, description="The turn cap ended the playout."),
        Metric("turns", "Turns", "turns", "count", 0, cap, headline=True, description="Turns of all seats together."),
        Metric("ladders", "Ladders climbed", "ladders", "count", 0, cap, headline=True),
        Metric("chutes", "Chutes slid down", "chutes", "count", 0, cap, headline=True),
        Metric("margin", "Lead at the end", "spaces", "count", 0, rules.board.spaces, headline=True, description=behind),
    )


@jit
def score(state: Record, rules: Record, row: Any) -> None:
    """Write the row, int32, in the order of `metrics`."""
    seats = state.seats
    first = second = 0
    for seat in range(seats):
        space = state.space[seat]
        row[seat] = 1 if space == rules.last else 0
        first, second = max(first, space), max(second, min(first, space))
    row[seats] = 1 if state.status == UNFINISHED else 0
    row[seats + 1] = state.turn
    row[seats + 2] = state.ladders
    row[seats + 3] = state.chutes
    row[seats + 4] = first - second
