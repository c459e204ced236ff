"""Batches of playouts: played into rows of metrics, or watched turn by turn for how the chances move."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.chance import WATCH_BLOCK, nested_key
from simulator.kernel.jit import jit
from simulator.kernel.lookahead import Nested, deal_nested, payoff_nested, play_at_once, play_on, play_out_nested, seat_as_they_are
from simulator.kernel.playout import (
    CONTROL_PLAYOUT,
    CONTROL_STOP,
    PLAYED,
    STOPPED,
    TRANSITION_RAISED,
    deal_playout,
    fail,
    score_playout,
)
from simulator.kernel.pointers import DONE
from simulator.kernel.records import FINISHED, UNFINISHED, Record


@jit
def play(  # noqa: PLR0913, PLR0917  each argument is memory of another type
    table: Record, head: Record, view: Record, chance: Record, seed: Any, first: Any, rows: Any, control: Any, fault: Record, nested: Nested
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
        nested: memory for seats that think ahead.

    Returns:
        How many rows are complete, int64: all of them, unless `fault.status` says why not.
    """
    ahead = False
    for seat in range(table.seats):
        ahead = ahead or table.rollouts[seat] > 0
    address, width = rows.ctypes.data, rows.shape[1] * rows.itemsize
    for k in range(rows.shape[0]):
        if control[CONTROL_STOP] != 0:
            fault.status = STOPPED
            return k
        control[CONTROL_PLAYOUT] = first + k
        fault.playout = first + k
        if deal_playout(table, head, chance, seed, np.uint64(first + k)) != DONE:
            fail(fault, TRANSITION_RAISED, head, 0, 0, 0)
            return k
        if ahead:
            status = play_on(table, head, view, chance, control, fault, nested)
        else:
            status = play_at_once(table, head, view, chance, control, fault, 0)
        if status != PLAYED:
            return k
        if score_playout(table, np.int64(address) + k * width) != DONE:
            fail(fault, TRANSITION_RAISED, head, 0, 0, 0)
            return k
    fault.status = PLAYED
    return rows.shape[0]


@jit
def _estimate_chances(table: Record, head: Record, chance: Record, rollouts: Any, sums: Any, fault: Record, nested: Nested) -> Any:
    """Sums of every seat's payoff over nested playouts from the position at hand; PLAYED or the fault.

    The nested playouts are dealt out to the lines of `sums`, so that each line is an estimate of its own.
    One seat looks on: what it cannot see is dealt afresh. Playout after playout, the seats take turns at that.
    """
    onlooker = np.int64(chance.playout % np.uint64(table.seats))
    key = nested_key(chance, WATCH_BLOCK, head.turn)
    seat_as_they_are(nested, table)
    for rollout in range(rollouts):
        if deal_nested(nested, key, rollout, onlooker, table.turn_cap) != DONE:
            return fail(fault, TRANSITION_RAISED, nested.head, onlooker, 0, 0)
        nested.head.status = FINISHED
        status = play_out_nested(nested, fault)
        if status != PLAYED:
            return status
        for seat in range(table.seats):
            sums[rollout % sums.shape[0], seat] += payoff_nested(nested, seat)
    return PLAYED


@jit
def watch(  # noqa: PLR0913, PLR0917  each argument is memory of another type
    table: Record,
    head: Record,
    view: Record,
    chance: Record,
    seed: Any,
    playout: Any,
    rollouts: Any,
    sums: Any,
    row: Any,
    control: Any,
    fault: Record,
    nested: Nested,
) -> Any:
    """Play one playout, and before each of its turns estimate what every seat may hope for.

    The playout is stopped before a turn by the turn cap, and then taken up again.

    Args:
        table: a TABLE record.
        head: the state again, as a HEAD record on the same memory.
        view: the view again, as a VIEW_START record on the same memory.
        chance: the CHANCE record.
        seed: uint64, the key of every draw.
        playout: int64, its number.
        rollouts: nested playouts before each turn, int64.
        sums: float64, shape (turn cap + 1, blocks, seats), zeros, added to: at t stand sums of payoffs before turn t + 1, nested
            playout k in block k % blocks.
        row: int32, shape (1, metrics), C-contiguous, written.
        control: int64, shape (3,); see the CONTROL constants.
        fault: a FAULT record, written where the playout fails.
        nested: memory for nested playouts.

    Returns:
        How many turns of `sums` hold something, int64: one for each turn that was begun; `fault.status` says whether it is PLAYED.
    """
    fault.playout = playout
    control[CONTROL_PLAYOUT] = playout
    if deal_playout(table, head, chance, seed, np.uint64(playout)) != DONE:
        fail(fault, TRANSITION_RAISED, head, 0, 0, 0)
        return 0
    turns = 0
    for turn in range(table.turn_cap + 1):
        if control[CONTROL_STOP] != 0:
            fault.status = STOPPED
            return turns
        head.status = FINISHED
        head.turn_cap = turn
        if play_on(table, head, view, chance, control, fault, nested) != PLAYED:
            return turns
        paused = head.status == UNFINISHED and head.turn == turn and turn < table.turn_cap
        if not paused:
            break
        if _estimate_chances(table, head, chance, rollouts, sums[turn], fault, nested) != PLAYED:
            return turns
        turns = turn + 1
    fault.status = PLAYED
    if score_playout(table, np.int64(row.ctypes.data)) != DONE:
        fail(fault, TRANSITION_RAISED, head, 0, 0, 0)
    return min(turns, np.int64(head.turn))
