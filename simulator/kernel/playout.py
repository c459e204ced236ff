"""The playout loop: the one loop that plays every game, through the addresses in a TABLE record, and its single steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.chance import BLUNDER_BLOCK, begin_playout, unit
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

FAULT = np.dtype([(name, "i8") for name in ("status", "playout", "seat", "decision", "option", "n_options", "nth", "nested")])
"""Where a playout failed: `nth` counts the decisions that were asked before, `nested` is 1 where a strategy was thinking ahead."""

MOST_COUNTED = 2**31 - 1
"""Events are counted no further, as one more would be below zero."""

TURN_BEGINS = -1
"""Code of the one event that every game shares; its first number is the turn. A game's own codes are 0 and up."""

BLUNDERS = 4 * BLUNDER_BLOCK
"""First purpose of the draws that decide on blunders; one for each decision."""

NO_BLUNDER = -1

FAILED = RAISED + 1
"""What stands for an option where asking for it failed and the fault record says how."""

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
        if n == MOST_COUNTED:
            return
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
    """Fill the deciding seat's view; DONE or RAISED.

    While `observe` is at work, `decision` and `n_options` of the view are still those of the decision that it showed before,
    so that a game can clear the options of that one and of no more: nothing of it may be left for a strategy to read.
    """
    view.seat = seat
    view.seats = head.seats
    view.turn = head.turn
    status = call_three(table.observe, table.state_at, table.rules_at, table.view_at)
    view.decision = head.decision
    view.n_options = head.n_options
    return status


@jit_inlined
def choose_by_strategy(table: Record, head: Record, chance: Record, seat: Any) -> Any:
    """The option that the seat's strategy takes, or RAISED. A strategy that ignores its random number gets none drawn."""
    u = 0.0
    if table.uses_chance[seat] != 0:
        u = unit(chance, head.decision, choice_occasion(head.turn, seat, head.step))
    if table.parameters[seat] != 0:
        return call_chooser_with_parameters(table.chooser[seat], table.view_at, u, table.parameters[seat])
    return call_chooser(table.chooser[seat], table.view_at, u)


@jit_inlined
def blunder(table: Record, head: Record, chance: Record, seat: Any) -> Any:
    """An option taken at random, with the seat's share of blunders as its chance; else NO_BLUNDER."""
    if table.blunders[seat] > 0.0:
        return _blunder_or_not(table, head, chance, seat)
    return NO_BLUNDER


@jit
def _blunder_or_not(table: Record, head: Record, chance: Record, seat: Any) -> Any:
    """One draw tells both: below the share it is a blunder, and then it lies evenly between 0 and the share."""
    u = unit(chance, BLUNDERS + head.decision, choice_occasion(head.turn, seat, head.step))
    share = table.blunders[seat]
    if u >= share:
        return NO_BLUNDER
    return min(np.int64(u / share * head.n_options), np.int64(head.n_options - 1))


@jit_inlined
def apply_option(table: Record, option: Any) -> Any:
    """Carry the choice out; DONE or RAISED."""
    return call_three_and_integer(table.apply, table.state_at, table.rules_at, table.chance_at, option)


@jit
def score_playout(table: Record, row: Any) -> Any:
    """Write the finished playout's metrics to the int32 at address `row`; DONE or RAISED."""
    return call_three(table.score, table.state_at, table.rules_at, row)


@jit
def fail(fault: Record, status: Any, head: Record, seat: Any, option: Any, nth: Any) -> Any:
    """Write down where a playout failed; its status again."""
    fault.status = status
    fault.seat = seat
    fault.decision = head.decision
    fault.option = option
    fault.n_options = head.n_options
    fault.nth = nth
    fault.nested = 0
    return status


def loop_with(choose: Any) -> Any:  # noqa: C901  two functions in one
    """The playout loop, compiled, for seats that choose by the compiled `choose(table, head, chance, seat, fault, nested) -> option`.

    The loop plays a dealt playout to its end and returns PLAYED, or the reason why it stopped before. It takes the TABLE
    record, the state's HEAD, the view's VIEW_START and the CHANCE record, the control array, a FAULT record, written where
    a playout fails, and what `choose` needs beyond that.
    """

    @jit_inlined
    def ask(table: Record, head: Record, view: Record, chance: Record, seat: Any, fault: Record, nth: Any, nested: Any) -> Any:
        if observe_playout(table, head, view, seat) != DONE:
            fail(fault, TRANSITION_RAISED, head, seat, 0, nth)
            return FAILED
        option = choose(table, head, chance, seat, fault, nested)
        if option == FAILED or 0 <= option < head.n_options:
            return option
        fail(fault, STRATEGY_RAISED if option == RAISED else ILLEGAL_OPTION, head, seat, option, nth)
        return FAILED

    @jit_inlined
    def play_on(table: Record, head: Record, view: Record, chance: Record, control: Any, fault: Record, nested: Any) -> Any:
        nth = 0
        while True:
            seat = advance_playout(table)
            if seat == OVER:
                return PLAYED
            if seat == RAISED:
                return fail(fault, TRANSITION_RAISED, head, seat, 0, nth)
            option = np.int64(0)
            if head.n_options > 1:
                option = ask(table, head, view, chance, seat, fault, nth, nested)
                if option == FAILED:
                    return fault.status
                control[CONTROL_DECISIONS] += 1
            nth += 1
            if nth > table.decision_cap:
                return fail(fault, NEVER_ENDS, head, seat, option, nth)
            if apply_option(table, option) != DONE:
                return fail(fault, TRANSITION_RAISED, head, seat, option, nth)

    return play_on
