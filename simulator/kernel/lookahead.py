"""Thinking ahead: nested playouts from a position, and the seats that choose by them.

Nested playouts run on memory of their own, with draws under a key of their own. They begin by dealing afresh what the
seat that thinks cannot see, so that nothing hidden can be used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simulator.kernel.chance import AHEAD_BLOCK, begin_playout, nested_key
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.playout import (
    FAILED,
    NO_BLUNDER,
    PLAYED,
    TRANSITION_RAISED,
    apply_option,
    blunder,
    choice_occasion,
    choose_by_strategy,
    fail,
    loop_with,
)
from simulator.kernel.pointers import DONE, call_for_payoff, call_three_and_integer
from simulator.kernel.records import HEAD, Record

_EVENTS_BEGIN, _EVENTS_END = HEAD.fields["events"][1], HEAD.itemsize  # type: ignore[index]  # HEAD has fields


ROUND = 16
"""Rollouts after which the options that are clearly behind drop out."""

SURELY, CLEARLY = 2.0, 1.0
"""In standard errors: how far behind the best an option is out of the race, and how large a gain over the strategy's own has
to be in the end; a smaller one is as often noise as not, and the strategy had its reasons."""

MAX_OPTIONS = 1024
"""Where a decision has more options, only the first so many are thought about."""


class Nested(NamedTuple):
    """Memory for nested playouts.

    Attributes:
        table, head, view_start, chance: records as those of the playout itself; nobody at this table thinks ahead.
        position: uint8, the bytes of the state that nested playouts start from.
        state: uint8, the bytes of the state that they are played on.
        gains, squares: float64, shape (MAX_OPTIONS,), sums of what each option gained over the strategy's own, and of squares.
        out: int64, shape (MAX_OPTIONS,), whether an option is out of the race.
        control: int64, shape (3,), as the loop needs it.
    """

    table: Any
    head: Any
    view_start: Any
    chance: Any
    position: Any
    state: Any
    gains: Any
    squares: Any
    out: Any
    control: Any


@jit_inlined
def copy_state(source: Any, target: Any) -> None:
    """Copy the bytes of a state without the long list of events, which nobody reads here."""
    target[:_EVENTS_BEGIN] = source[:_EVENTS_BEGIN]
    target[_EVENTS_END:] = source[_EVENTS_END:]


@jit_inlined
def choose_at_once(table: Record, head: Record, chance: Record, seat: Any, fault: Record, nested: Any) -> Any:  # noqa: ARG001  the signature of a choice
    """How seats choose in nested playouts: by their strategies at once, but for their blunders."""
    blundered = blunder(table, head, chance, seat)
    if blundered != NO_BLUNDER:
        return blundered
    return choose_by_strategy(table, head, chance, seat)


play_at_once = loop_with(choose_at_once)
"""The loop for tables where nobody thinks ahead, which needs no memory for it and is much faster without; see `loop_with`."""


@jit
def seat_like(nested: Nested, table: Record, model: Any) -> None:
    """Have every seat of nested playouts play as seat `model` of the table does when it does not think ahead or blunder."""
    for seat in range(table.seats):
        nested.table.chooser[seat] = table.chooser[model]
        nested.table.parameters[seat] = table.parameters[model]
        nested.table.uses_chance[seat] = table.uses_chance[model]
        nested.table.blunders[seat] = 0.0


@jit
def seat_as_they_are(nested: Nested, table: Record) -> None:
    """Have every seat of nested playouts play as it does at the table, blunders included, but without thinking ahead."""
    for seat in range(table.seats):
        nested.table.chooser[seat] = table.chooser[seat]
        nested.table.parameters[seat] = table.parameters[seat]
        nested.table.uses_chance[seat] = table.uses_chance[seat]
        nested.table.blunders[seat] = table.blunders[seat]


@jit
def deal_nested(nested: Nested, key: Any, rollout: Any, seat: Any, turn_cap: Any) -> Any:
    """Take up the position, dealt afresh as far as `seat` cannot see it; DONE or RAISED.

    Args:
        nested: the memory.
        key: uint64, of the draws.
        rollout: number of the nested playout, int64; dealing and playing draw under numbers of their own.
        seat: who thinks.
        turn_cap: of the nested playout.
    """
    copy_state(nested.position, nested.state)
    nested.head.telling = 0
    nested.head.turn_cap = turn_cap
    begin_playout(nested.chance, key, np.uint64(2 * rollout))
    table = nested.table
    dealt = call_three_and_integer(table.redeal, table.state_at, table.rules_at, table.chance_at, seat)
    begin_playout(nested.chance, key, np.uint64(2 * rollout + 1))
    return dealt


@jit
def play_out_nested(nested: Nested, fault: Record) -> Any:
    """Play the nested state to its end; PLAYED, or what the fault record says."""
    status = play_at_once(nested.table, nested.head, nested.view_start, nested.chance, nested.control, fault, 0)
    if status != PLAYED:
        fault.nested = 1
    return status


@jit
def payoff_nested(nested: Nested, seat: Any) -> Any:
    """What the finished nested playout is worth to `seat`, float64; NaN where the game fails."""
    return call_for_payoff(nested.table.payoff, nested.table.state_at, nested.table.rules_at, seat)


@jit
def _try_once(nested: Nested, key: Any, rollout: Any, seat: Any, option: Any, fault: Record) -> Any:
    """What an option turns out to be worth to `seat` in one nested playout, float64; NaN where it fails.

    Every option meets the same deals and draws, so that options are told apart by what they do and not by their luck.
    """
    dealt = deal_nested(nested, key, rollout, seat, nested.table.turn_cap)
    if dealt != DONE or apply_option(nested.table, option) != DONE:
        fail(fault, TRANSITION_RAISED, nested.head, seat, option, 0)
        return np.nan
    if play_out_nested(nested, fault) != PLAYED:
        return np.nan
    return payoff_nested(nested, seat)


@jit
def _try_all_once(nested: Nested, key: Any, rollout: Any, seat: Any, own: Any, n_options: Any, fault: Record) -> Any:
    """Add to the sums what every option that is still in the race gains over the seat's own one; how many were tried, or FAILED."""
    reference, tried = _try_once(nested, key, rollout, seat, own, fault), np.int64(1)
    for option in range(n_options):
        if option == own or nested.out[option] != 0:
            continue
        gain = _try_once(nested, key, rollout, seat, option, fault) - reference
        if np.isnan(gain):
            return np.int64(FAILED)
        nested.gains[option] += gain
        nested.squares[option] += gain * gain
        tried += 1
    return tried


@jit
def _error(nested: Nested, option: Any, rollouts: Any) -> Any:
    """Standard error, float64, of an option's mean gain over so many rollouts."""
    mean = nested.gains[option] / rollouts
    return np.sqrt(max(nested.squares[option] / rollouts - mean * mean, 0.0) / rollouts)


@jit
def _best(nested: Nested, rollouts: Any, own: Any, n_options: Any, errors: Any) -> Any:
    """The option still in the race with the largest gain, if that is more than so many of its standard errors; else the own one."""
    best, most = own, 0.0
    for option in range(n_options):
        gain = nested.gains[option] / rollouts
        if nested.out[option] == 0 and gain > most and gain > errors * _error(nested, option, rollouts):
            best, most = np.int64(option), gain
    return best


@jit
def _drop_the_worse(nested: Nested, rollouts: Any, own: Any, n_options: Any) -> Any:
    """Take those out of the race that are clearly behind the best; how many are left besides the own one."""
    left = np.int64(0)
    most = nested.gains[_best(nested, rollouts, own, n_options, 0.0)] / rollouts
    for option in range(n_options):
        if option != own and nested.out[option] == 0:
            if nested.gains[option] / rollouts + SURELY * _error(nested, option, rollouts) < most:
                nested.out[option] = 1
            else:
                left += 1
    return left


@jit
def look_ahead(table: Record, head: Record, chance: Record, seat: Any, fault: Record, nested: Nested) -> Any:
    """The option with the best mean payoff over nested playouts, or the strategy's own where none is clearly better.

    The budget is the seat's rollouts for every option. All options meet the same nested playouts, and in rounds those that
    are clearly behind drop out, so that what is left of the budget goes to telling the good ones apart. In its thoughts
    everybody plays as the strategy does that it is laid on: it does not know how the others really play.

    Returns:
        The option, int64, or RAISED, or FAILED.
    """
    own = choose_by_strategy(table, head, chance, seat)
    n_options = min(np.int64(head.n_options), np.int64(MAX_OPTIONS))
    if own < 0 or own >= n_options:
        return own
    key = nested_key(chance, AHEAD_BLOCK + head.decision, choice_occasion(head.turn, seat, head.step))
    seat_like(nested, table, seat)
    for option in range(n_options):
        nested.gains[option] = nested.squares[option] = 0.0
        nested.out[option] = 0
    budget, rollout = table.rollouts[seat] * n_options, np.int64(0)
    while budget > 0:
        tried = _try_all_once(nested, key, rollout, seat, own, n_options, fault)
        if tried == FAILED:
            return FAILED
        budget -= tried
        rollout += 1
        if rollout % ROUND == 0 and _drop_the_worse(nested, rollout, own, n_options) == 0:
            return own
    return _best(nested, rollout, own, n_options, CLEARLY)


@jit_inlined
def choose_option(table: Record, head: Record, chance: Record, seat: Any, fault: Record, nested: Nested) -> Any:
    """The option that the seat takes, by a blunder, its strategy or thinking ahead; RAISED or FAILED where that fails."""
    blundered = blunder(table, head, chance, seat)
    if blundered != NO_BLUNDER:
        return blundered
    if table.rollouts[seat] > 0:
        return look_ahead(table, head, chance, seat, fault, nested)
    return choose_by_strategy(table, head, chance, seat)


play_on = loop_with(choose_option)
"""The loop that plays a dealt playout to its end; see `loop_with`."""
