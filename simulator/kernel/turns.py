"""How every game is played: turn after turn by the game's own function, which asks where a seat has to choose.

Between turns everything stands in the table. A turn is played by one call, and within it a choice is asked for in the line
that needs it, by `choose`. The loop knows a game only by the addresses in the head of its table, so it is compiled once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.chance import begin_playout, unit
from simulator.kernel.events import TURN_BEGINS, note_in
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.memory import address, clear_bytes, copy_bytes, copy_number, head_at, head_of, put_word, word_at
from simulator.kernel.pointers import (
    DONE,
    RAISED,
    call_chooser,
    call_chooser_with_parameters,
    call_for_choice,
    call_two,
    call_two_and_integer,
)
from simulator.kernel.records import (
    CHANCE_AT,
    CHANCE_END,
    MAX_CHOICES,
    MAX_DECISIONS,
    MAX_DICE,
    MOST_STEPS,
    ONLY_OPTIONS,
    POSITION_AT,
    Record,
)

PLAYED, ILLEGAL_OPTION, STRATEGY_RAISED, GAME_RAISED, NEVER_ENDS, STOPPED, PAUSED = range(7)
"""How a playout went; all but the first are errors, or the wish of the caller to stop or to pause."""

CONTROL_STOP, CONTROL_PLAYOUT = range(2)
"""Places in the control array: a request to stop, and how far the loop is, for whoever watches it."""

_SEAT_SHIFT, _TURN_SHIFT = 8, 12
_WORD, _NUMBER = 8, 4


class Unanswered(Exception):  # noqa: N818  it ends a turn early, which need not be an error
    """Raised in the middle of a turn that cannot go on: the fault record of the table says why."""


@jit_inlined
def choice_occasion(turn: Any, seat: Any, step: Any) -> Any:
    """Address, int64, of a seat's choices: `turn` below 2**20, `seat` below 16, `step` below 256."""
    return (np.int64(turn) << _TURN_SHIFT) | (np.int64(seat) << _SEAT_SHIFT) | np.int64(step)


@jit
def _after(head: Record, seat: Any) -> Any:
    following = np.int64(seat + head.direction)
    return np.int64(0) if following == head.seats else np.int64(head.seats - 1) if following < 0 else following


@jit_inlined
def neighbour(table: Record, seat: Any) -> Any:
    """The seat whose turn comes after that of `seat`, int64, in the direction in which the turn goes around."""
    return _after(head_of(table), seat)


# ---------------------------------------------------------------- asking
@jit
def fail(at: Any, status: Any) -> Any:
    """Write down where a playout failed; the status again."""
    head = head_at(at)
    head.fault.status = status
    head.fault.seat = head.seat
    head.fault.decision = head.decision
    head.fault.n_options = head.n_options
    head.fault.option = 0
    head.fault.nth = head.decisions - 1
    head.fault.nested = 0
    return status


@jit
def _forget_options(at: Any) -> None:
    """Clear what is left of earlier decisions in the fields that have an entry for each option."""
    head = head_at(at)
    here = np.int64(1) << np.int64(head.decision)
    for i in range(head.n_listed):
        if head.listed[i, 3] & head.writers == 0:
            continue
        first = np.int64(head.n_options) if head.listed[i, 3] & here != 0 else np.int64(0)
        beyond = min(head.written, head.listed[i, 2])
        if first < beyond:
            clear_bytes(at + head.listed[i, 0] + first * head.listed[i, 1], (beyond - first) * head.listed[i, 1])
    head.written = head.n_options if head.listing & here != 0 else 0
    head.writers = head.listing & here


@jit_inlined
def _forget_what_is_left(head: Record) -> None:
    """Clear what earlier decisions have left where there may be anything: others have written, or this one had more options."""
    here = np.int64(1) << np.int64(head.decision)
    if head.written > head.n_options or head.writers | here != here:
        _forget_options(address(head))


@jit
def show(at: Any) -> Any:
    """Let the deciding seat of the table at an address see what is its own, and what the game lays out for it; DONE or RAISED."""
    head = head_at(at)
    _forget_what_is_left(head)
    for i in range(head.n_owned):
        source = at + head.owned[i, 0] + head.seat * head.owned[i, 1]
        target = at + head.owned[i, 2]
        for word in range(head.owned[i, 3]):
            put_word(target + _WORD * word, word_at(source + _WORD * word))
    if head.show_at != 0:
        return call_two_and_integer(head.show_at, at, head.rules_at, np.int64(head.seat))
    return np.int64(DONE)


@jit_inlined
def ask(at: Any) -> Any:
    """The option that the deciding seat's strategy takes, or RAISED. A strategy that ignores its random number gets none drawn."""
    head = head_at(at)
    if head.shows != 0:
        _forget_what_is_left(head)
        if head.shows != ONLY_OPTIONS and show(at) != DONE:
            fail(at, GAME_RAISED)
            return np.int64(RAISED)
    seat = head.seat
    u = 0.0
    if head.uses_chance[seat] != 0:
        u = unit(head.chance, head.decision, choice_occasion(head.turn, seat, head.step))
    if head.parameters[seat] != 0:
        return call_chooser_with_parameters(head.chooser[seat], at + head.view_from, u, head.parameters[seat])
    return call_chooser(head.chooser[seat], at + head.view_from, u)


@jit
def refuse(at: Any, option: Any) -> None:
    """Write down why a choice cannot be carried out, unless that has been done."""
    head = head_at(at)
    if head.fault.status == PLAYED:
        status = STRATEGY_RAISED if option == RAISED else ILLEGAL_OPTION
        fail(at, NEVER_ENDS if head.nth > MAX_CHOICES else status)
        head.fault.option = option


@jit_inlined
def answer(head: Record, seat: Any, decision: Any, step: Any, n: Any) -> Any:
    """As `choose_at`, for the head of a table; RAISED where that raises."""
    if (head.listing >> decision) & 1 != 0:
        head.written = max(head.written, np.int64(n))
        head.writers |= np.int64(1) << np.int64(decision)
    if n <= 1:
        return np.int64(0)
    head.decision = decision
    head.n_options = n
    head.seat = seat
    head.step = step
    head.nth += 1
    head.used = 1
    head.decisions += 1
    at = address(head)
    option = np.int64(RAISED)
    if head.nth <= MAX_CHOICES:
        option = call_for_choice(head.careful_at, at) if head.careful_at != 0 else ask(at)
    if option < 0 or option >= n:
        refuse(at, option)
        return np.int64(RAISED)
    return option


@jit_inlined
def choose_at(table: Record, seat: Any, decision: Any, step: Any, n: Any) -> Any:
    """As `choose`, for a game that gives the choice's random number an address of its own.

    Args:
        table: the game's table.
        seat: who chooses.
        decision: which decision it is, a constant of the game, 0 to 15.
        step: 0 to 255, a number that no other choice of this decision and seat has in this turn.
        n: how many options there are; where there is one, nobody is asked.
    """
    option = answer(head_of(table), seat, decision, step, n)
    if option < 0:
        raise Unanswered
    return option


@jit_inlined
def choose(table: Record, seat: Any, decision: Any, n: Any) -> Any:
    """Which of `n` options the seat takes, int64 in [0, n).

    Args:
        table: the game's table.
        seat: who chooses.
        decision: which decision it is, a constant of the game, 0 to 15.
        n: how many options there are; where there is one, nobody is asked.
    """
    head = head_of(table)
    step = np.int64(head.asked[decision])
    head.asked[decision] = min(step + 1, MOST_STEPS)
    head.used = 1
    return choose_at(table, seat, decision, step, n)


# ---------------------------------------------------------------- playing
@jit_inlined
def went(at: Any, answer: Any) -> Any:
    """PLAYED, or why a call of one of the game's functions did not come to its end."""
    if answer == DONE:
        return np.int64(PLAYED)
    head = head_at(at)
    return fail(at, GAME_RAISED) if head.fault.status == PLAYED else head.fault.status


@jit
def deal_playout(at: Any, seed: Any, playout: Any) -> Any:
    """Set up playout number `playout` (uint64) of a seed (uint64) at the table at an address; PLAYED or why not."""
    head = head_at(at)
    clear_bytes(at + POSITION_AT, CHANCE_AT - POSITION_AT)
    clear_bytes(at + CHANCE_END, head.n_bytes - CHANCE_END)
    begin_playout(head.chance, seed, playout)
    head.seats = head.seats_wired
    head.turn_cap = head.cap_wired
    head.direction = 1
    head.mover = head.seats - 1
    head.n_events = head.n_given = head.decisions = 0
    head.fault.status = PLAYED
    head.fault.playout = playout
    return went(at, call_two(head.deal_at, at, head.rules_at)) if head.deal_at != 0 else PLAYED


@jit_inlined
def begin_turn(at: Any) -> Any:
    """It is the next seat's turn; False, and the playout ends unfinished, when the turn cap is reached."""
    head = head_at(at)
    if head.turn >= head.turn_cap:
        head.unfinished = 1
        return False
    head.turn += 1
    head.mover = head.following
    head.following = _after(head, head.mover)
    if head.used != 0:
        head.nth = head.used = 0
        for i in range(MAX_DECISIONS):
            head.asked[i] = 0
        for i in range(MAX_DICE):
            head.uses[i] = 0
    note_in(head, TURN_BEGINS, head.turn, 0, 0)
    return True


@jit_inlined
def play_turn(at: Any) -> Any:
    """Play the turn that has begun; PLAYED or why not."""
    head = head_at(at)
    return went(at, call_two_and_integer(head.turn_at, at, head.rules_at, np.int64(head.mover)))


@jit
def play_on(at: Any, start_at: Any) -> Any:
    """Play turn after turn to the end; PLAYED, or why it stopped before.

    Args:
        at: address of the table.
        start_at: address of memory where the position at the start of each turn is kept for those who think ahead; 0 if nobody does.
    """
    head = head_at(at)
    while head.over == 0 and begin_turn(at):
        if start_at != 0:
            copy_bytes(start_at, at + POSITION_AT, head.n_bytes - POSITION_AT)
        if play_turn(at) != PLAYED:
            return head.fault.status
    return PLAYED


@jit
def begin(at: Any, start_at: Any) -> Any:
    """Begin the next turn and keep the position at its start at an address; False at the end of the playout."""
    head = head_at(at)
    if head.over != 0 or not begin_turn(at):
        return False
    copy_bytes(start_at, at + POSITION_AT, head.n_bytes - POSITION_AT)
    return True


@jit
def score_playout(at: Any, row: Any) -> Any:
    """Write the finished playout's metrics to the int32 at address `row`; PLAYED or why not."""
    head = head_at(at)
    if head.score_at != 0 and went(at, call_two(head.score_at, at, head.rules_at)) != PLAYED:
        return head.fault.status
    for i in range(head.n_metrics):
        copy_number(row + _NUMBER * i, at + head.metric[i])
    return PLAYED


@jit
def play(at: Any, start_at: Any, seed: Any, first: Any, rows: Any, control: Any) -> Any:
    """Play playouts [first, first + len(rows)) of a seed and write a row of metrics for each.

    Args:
        at: address of the table.
        start_at: as for `play_on`.
        seed: uint64, the key of every draw.
        first: int64, number of the first playout.
        rows: int32, shape (playouts, metrics), C-contiguous, written.
        control: int64, shape (2,); see the CONTROL constants.

    Returns:
        How many rows are complete, int64: all of them, unless the table's fault record says why not.
    """
    head = head_at(at)
    place, width = np.int64(rows.ctypes.data), rows.shape[1] * rows.itemsize
    for k in range(rows.shape[0]):
        if control[CONTROL_STOP] != 0:
            head.fault.status = STOPPED
            return k
        control[CONTROL_PLAYOUT] = first + k
        status = deal_playout(at, seed, np.uint64(first + k))
        if status == PLAYED:
            status = play_on(at, start_at)
        if status == PLAYED:
            status = score_playout(at, place + k * width)
        if status != PLAYED:
            return k
    return rows.shape[0]
