"""The playout loop: the one loop that plays every game, through the addresses in a TABLE record."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.chance import begin_playout, unit
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.pointers import (
    DONE,
    RAISED,
    call_chooser,
    call_chooser_with_parameters,
    call_three,
    call_three_and_integer,
    call_three_for_integer,
)
from simulator.kernel.records import FINISHED, MAX_EVENTS, OVER, UNFINISHED, Record

PLAYED, ILLEGAL_OPTION, STRATEGY_RAISED, TRANSITION_RAISED, NEVER_ENDS, STOPPED = range(6)
"""How a playout went; all but the first are errors, or the wish of the caller to stop."""

CONTROL_STOP, CONTROL_PLAYOUT, CONTROL_DECISIONS = range(3)
"""Places in the control array: a request to stop, and how far the loop is, for whoever watches it."""

FAULT = np.dtype(
    [("status", "i8"), ("playout", "i8"), ("seat", "i8"), ("decision", "i8"), ("option", "i8"), ("n_options", "i8"), ("nth", "i8")]
)
"""Where a playout failed: `nth` counts the decisions that were asked before."""

TURN_BEGINS = -1
"""Code of the one event that every game shares; its first number is the turn. A game's own codes are 0 and up."""

_SEAT_SHIFT, _TURN_SHIFT = 8, 12


@jit_inlined
def choice_occasion(turn: Any, seat: Any, step: Any) -> Any:
    """Address, int64, of a seat's choices: `turn` below 2**20, `seat` below 16, `step` below 256."""
    return (np.int64(turn) << _TURN_SHIFT) | (np.int64(seat) << _SEAT_SHIFT) | np.int64(step)


@jit_inlined
def note(state: Record, event: Any, a: Any, b: Any, c: Any) -> None:
    """Write down what happened, for telling the playout later; costs a test when nobody listens."""
    if state.telling != 0:
        n = state.n_events
        if n < MAX_EVENTS:
            state.events[n, 0] = event
            state.events[n, 1] = a
            state.events[n, 2] = b
            state.events[n, 3] = c
        state.n_events = n + 1


@jit_inlined
def begin_turn(state: Record) -> Any:
    """Count a new turn of any game; False, and the playout ends unfinished, when the turn cap is reached."""
    if state.turn >= state.turn_cap:
        state.status = UNFINISHED
        return False
    state.turn += 1
    note(state, TURN_BEGINS, state.turn, 0, 0)
    return True


@jit
def deal_playout(table: Record, head: Record, chance: Record, seed: Any, playout: Any) -> Any:
    """Set up playout number `playout`; DONE or RAISED."""
    begin_playout(chance, seed, playout)
    head.seats = table.seats
    head.turn_cap = table.turn_cap
    head.turn = 0
    head.status = FINISHED
    head.decision = 0
    head.step = 0
    head.n_options = 0
    head.n_events = 0
    return call_three(table.deal, table.state_at, table.rules_at, table.chance_at)


@jit_inlined
def advance_playout(table: Record) -> Any:
    """Play forced and chance moves up to the next decision; its seat, OVER, or RAISED."""
    return call_three_for_integer(table.advance, table.state_at, table.rules_at, table.chance_at)


@jit_inlined
def observe_playout(table: Record, head: Record, view: Record, seat: Any) -> Any:
    """Fill the deciding seat's view; DONE or RAISED."""
    view.decision = head.decision
    view.n_options = head.n_options
    view.seat = seat
    view.seats = head.seats
    view.turn = head.turn
    return call_three(table.observe, table.state_at, table.rules_at, table.view_at)


@jit_inlined
def choose_option(table: Record, head: Record, chance: Record, seat: Any) -> Any:
    """The option that the seat's strategy takes, or RAISED. A strategy that ignores its random number gets none drawn."""
    u = 0.0
    if table.uses_chance[seat] != 0:
        u = unit(chance, head.decision, choice_occasion(head.turn, seat, head.step))
    if table.parameters[seat] != 0:
        return call_chooser_with_parameters(table.chooser[seat], table.view_at, u, table.parameters[seat])
    return call_chooser(table.chooser[seat], table.view_at, u)


@jit_inlined
def apply_option(table: Record, option: Any) -> Any:
    """Carry the choice out; DONE or RAISED."""
    return call_three_and_integer(table.apply, table.state_at, table.rules_at, table.chance_at, option)


@jit
def score_playout(table: Record, row: Any) -> Any:
    """Write the finished playout's metrics to the int32 at address `row`; DONE or RAISED."""
    return call_three(table.score, table.state_at, table.rules_at, row)


@jit
def _fail(fault: Record, status: Any, head: Record, seat: Any, option: Any, nth: Any) -> Any:
    fault.status = status
    fault.seat = seat
    fault.decision = head.decision
    fault.option = option
    fault.n_options = head.n_options
    fault.nth = nth
    return status


@jit_inlined
def _play_one(table: Record, head: Record, view: Record, chance: Record, control: Any, fault: Record) -> Any:
    """Play a dealt playout to its end; the reason it stopped."""
    nth = 0
    while True:
        seat = advance_playout(table)
        if seat == OVER:
            return PLAYED
        if seat == RAISED:
            return _fail(fault, TRANSITION_RAISED, head, seat, 0, nth)
        option = np.int64(0)
        if head.n_options > 1:
            if observe_playout(table, head, view, seat) != DONE:
                return _fail(fault, TRANSITION_RAISED, head, seat, 0, nth)
            option = choose_option(table, head, chance, seat)
            if option < 0 or option >= head.n_options:
                return _fail(fault, STRATEGY_RAISED if option == RAISED else ILLEGAL_OPTION, head, seat, option, nth)
            control[CONTROL_DECISIONS] += 1
        nth += 1
        if nth > table.decision_cap:
            return _fail(fault, NEVER_ENDS, head, seat, option, nth)
        if apply_option(table, option) != DONE:
            return _fail(fault, TRANSITION_RAISED, head, seat, option, nth)


@jit
def play(  # noqa: PLR0913, PLR0917  each argument is memory of another type
    table: Record, head: Record, view: Record, chance: Record, seed: Any, first: Any, rows: Any, control: Any, fault: Record
) -> Any:
    """Play playouts [first, first + len(rows)) of a seed and write a row of metrics for each.

    Args:
        table: a TABLE record.
        head: the state again, as a HEAD record on the same memory.
        view: the view again, as a VIEW_START record on the same memory.
        chance: the CHANCE record.
        seed: uint64, the key of every draw.
        first: int64, number of the first playout.
        rows: int32, shape (playouts, metrics), C-contiguous, written.
        control: int64, shape (3,); see the CONTROL constants.
        fault: a FAULT record, written where a playout fails.

    Returns:
        How many rows are complete, int64: all of them, unless `fault.status` says why not.
    """
    address, width = rows.ctypes.data, rows.shape[1] * rows.itemsize
    for k in range(rows.shape[0]):
        if control[CONTROL_STOP] != 0:
            fault.status = STOPPED
            return k
        control[CONTROL_PLAYOUT] = first + k
        fault.playout = first + k
        if deal_playout(table, head, chance, seed, np.uint64(first + k)) != DONE:
            _fail(fault, TRANSITION_RAISED, head, 0, 0, 0)
            return k
        if _play_one(table, head, view, chance, control, fault) != PLAYED:
            return k
        if score_playout(table, np.int64(address) + k * width) != DONE:
            _fail(fault, TRANSITION_RAISED, head, 0, 0, 0)
            return k
    fault.status = PLAYED
    return rows.shape[0]
