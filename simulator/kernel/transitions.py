"""Games that are written as transitions, `advance` and `apply`, played by the one loop that plays every game.

Their state and view lie in the table as records of their own. What the loop takes for a turn is one step, from a choice to
the next: it may be played again from its start like any turn. Such a game counts its real turns itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.events import note_in
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.memory import head_at
from simulator.kernel.pointers import call_for_payoff, call_three, call_three_and_integer, call_three_for_integer, record_at
from simulator.kernel.records import CHANCE_FROM, EVENT, EVENT_BYTES, FINISHED, MAX_EVENTS, OVER, STATE_START, UNFINISHED, VIEW_START

state_at = record_at(STATE_START)
"""The start of a game's state at an address."""

view_at = record_at(VIEW_START)
"""The start of a game's view at an address."""

event_at = record_at(EVENT)
"""An event at an address."""


@jit
def _pass_events_on(at: Any) -> None:
    """What the game has noted goes into the table's own list."""
    head = head_at(at)
    state = state_at(at + head.state_from)
    if head.telling != 0:
        for i in range(min(np.int64(state.n_events), np.int64(MAX_EVENTS))):
            event = event_at(at + head.state_from + head.events_from + EVENT_BYTES * i)
            note_in(head, event.code, event.a, event.b, event.c)
        head.n_events += max(np.int64(state.n_events) - MAX_EVENTS, 0)
    state.n_events = 0


@jit
def deal_transitions(at: Any) -> Any:
    """Have the game deal; DONE or RAISED."""
    head = head_at(at)
    state = state_at(at + head.state_from)
    state.seats = head.seats
    state.turn_cap = head.turn_cap
    state.telling = head.telling
    state.n_events = 0
    answer = call_three(head.deal_at, at + head.state_from, head.rules_at, at + CHANCE_FROM)
    _pass_events_on(at)
    return answer


@jit_inlined
def advance_transitions(at: Any) -> Any:
    """Play up to the next decision; its seat, OVER, or RAISED."""
    head = head_at(at)
    state = state_at(at + head.state_from)
    state.turn_cap = head.turn_cap
    state.status = FINISHED
    seat = call_three_for_integer(head.advance_at, at + head.state_from, head.rules_at, at + CHANCE_FROM)
    _pass_events_on(at)
    head.turn = state.turn
    if seat == OVER:
        head.over = 1
        head.unfinished = 1 if state.status == UNFINISHED else 0
    return seat


@jit_inlined
def apply_transitions(at: Any, option: Any) -> Any:
    """Carry the choice out; DONE or RAISED."""
    head = head_at(at)
    answer = call_three_and_integer(head.apply_at, at + head.state_from, head.rules_at, at + CHANCE_FROM, option)
    _pass_events_on(at)
    return answer


@jit_inlined
def observe_transitions(at: Any) -> Any:
    """Fill the view of the deciding seat; DONE or RAISED.

    While `observe` is at work, `decision` and `n_options` of the view are still those of the decision that it showed before,
    so that a game can clear the options of that one and of no more: nothing of it may be left for a strategy to read.
    """
    head = head_at(at)
    view = view_at(at + head.view_from)
    view.seat = head.seat
    view.seats = head.seats
    view.turn = head.turn
    answer = call_three(head.observe_at, at + head.state_from, head.rules_at, at + head.view_from)
    view.decision = head.decision
    view.n_options = head.n_options
    return answer


@jit_inlined
def score_transitions(at: Any, row: Any) -> Any:
    """Write the row to the int32 at an address; DONE or RAISED."""
    head = head_at(at)
    return call_three(head.score_at, at + head.state_from, head.rules_at, row)


@jit_inlined
def payoff_transitions(at: Any, seat: Any) -> Any:
    """What the playout is worth to a seat, float64; NaN where the game fails."""
    head = head_at(at)
    return call_for_payoff(head.payoff_at, at + head.state_from, head.rules_at, seat)


@jit_inlined
def redeal_transitions(at: Any, seat: Any) -> Any:
    """Deal afresh what a seat cannot see; DONE or RAISED."""
    head = head_at(at)
    return call_three_and_integer(head.redeal_at, at + head.state_from, head.rules_at, at + CHANCE_FROM, seat)
