"""Choices that are not simply the strategy's: given beforehand, left to chance, or made by thinking ahead.

Nested playouts run on a table of their own, with draws under a key of their own. They play the turn at hand again from its
start with the choices made so far, and where those run out they deal afresh what the seat that thinks cannot see, so that
nothing hidden can be used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.chance import AHEAD_BLOCK, BLUNDER_BLOCK, WATCH_BLOCK, begin_playout, nested_key, unit
from simulator.kernel.jit import jit
from simulator.kernel.memory import copy_bytes, head_at
from simulator.kernel.pointers import DONE, RAISED, call_for_payoff, call_two_and_integer, record_at
from simulator.kernel.records import NOBODY, POSITION_AT, Record
from simulator.kernel.transitions import payoff_transitions, redeal_transitions
from simulator.kernel.turns import (
    CONTROL_PLAYOUT,
    CONTROL_STOP,
    GAME_RAISED,
    PAUSED,
    PLAYED,
    STOPPED,
    ask,
    choice_occasion,
    deal_playout,
    fail,
    play_on,
    play_turn,
    score_playout,
)

ROUND = 16
"""Rollouts after which the options that are clearly behind drop out."""

SURELY, CLEARLY = 2.0, 1.0
"""In standard errors: how far behind the best an option is out of the race, and how large a gain over the strategy's own has
to be in the end; a smaller one is as often noise as not, and the strategy had its reasons."""

MAX_OPTIONS = 1024
"""Where a decision has more options, only the first so many are thought about."""

BLUNDERS = 4 * BLUNDER_BLOCK
"""First purpose of the draws that decide on blunders; one for each decision."""

NO_BLUNDER = -1

THOUGHTS = np.dtype(
    [
        ("nested_at", "i8"),  # address of the table for nested playouts
        ("start_at", "i8"),  # address of the position at the start of the turn at hand
        ("gains", "f8", (MAX_OPTIONS,)),  # sums of what each option gained over the strategy's own
        ("squares", "f8", (MAX_OPTIONS,)),  # and of their squares
        ("out", "i8", (MAX_OPTIONS,)),  # whether an option is out of the race
    ],
    align=True,
)
"""Memory for thinking ahead."""

thoughts_at = record_at(THOUGHTS)
"""The memory for thinking ahead at an address."""


@jit
def choose_carefully(at: Any) -> Any:
    """The option taken where somebody blunders, thinks ahead, or choices are given beforehand; RAISED where that fails or pauses."""
    head = head_at(at)
    k = head.nth - 1
    if k < head.n_given:
        if k + 1 == head.n_given and head.onlooker != NOBODY:
            head.careful_at = 0  # from here on nobody thinks or blunders
            if deal_afresh(at, head.key, head.rollout, head.onlooker) != PLAYED:
                return np.int64(RAISED)
        return np.int64(head.choices[k])
    if head.pausing != 0:
        head.fault.status = PAUSED
        return np.int64(RAISED)
    option = decide(at)
    head.choices[k] = min(option, np.int64(2**15 - 1))
    return option


@jit
def decide(at: Any) -> Any:
    """The option that the deciding seat takes, by a blunder, its strategy or thinking ahead; RAISED where that fails."""
    head = head_at(at)
    seat = head.seat
    if head.blunders[seat] > 0.0:
        blundered = _blunder_or_not(at)
        if blundered != NO_BLUNDER:
            return blundered
    return look_ahead(at) if head.rollouts[seat] > 0 else ask(at)


@jit
def _blunder_or_not(at: Any) -> Any:
    """An option taken at random, or NO_BLUNDER.

    One draw tells both: below the share it is a blunder, and then it lies evenly between 0 and the share.
    """
    head = head_at(at)
    u = unit(head.chance, BLUNDERS + head.decision, choice_occasion(head.turn, head.seat, head.step))
    share = head.blunders[head.seat]
    if u >= share:
        return np.int64(NO_BLUNDER)
    return min(np.int64(u / share * head.n_options), np.int64(head.n_options - 1))


@jit
def deal_afresh(at: Any, key: Any, rollout: Any, seat: Any) -> Any:
    """Deal afresh what `seat` cannot see, and play on with other luck; PLAYED or why not.

    Args:
        at: address of the table.
        key: uint64, of the draws.
        rollout: number of the nested playout, int64; dealing and playing draw under numbers of their own.
        seat: who thinks, or looks on.
    """
    head = head_at(at)
    begin_playout(head.chance, key, np.uint64(2 * rollout))
    answer = np.int64(DONE)
    if head.advance_at != 0:
        answer = redeal_transitions(at, np.int64(seat))
    elif head.redeal_at != 0:
        answer = call_two_and_integer(head.redeal_at, at, head.rules_at, np.int64(seat))
    if answer != DONE:
        return fail(at, GAME_RAISED)
    begin_playout(head.chance, key, np.uint64(2 * rollout + 1))
    return PLAYED


@jit
def payoff_of(at: Any, seat: Any) -> Any:
    """What the finished playout is worth to `seat`, float64; NaN where the game fails."""
    head = head_at(at)
    if head.advance_at != 0:
        return payoff_transitions(at, np.int64(seat))
    return call_for_payoff(head.payoff_at, at, head.rules_at, np.int64(seat))


@jit
def _seat_like(nested: Record, head: Record, model: Any, rollouts: Any) -> None:
    """Have every seat of nested playouts play as the strategy of seat `model`; the table's own seating where that is NOBODY."""
    for seat in range(head.seats):
        other = seat if model == NOBODY else np.int64(model)
        nested.chooser[seat] = head.chooser[other]
        nested.parameters[seat] = head.parameters[other]
        nested.uses_chance[seat] = head.uses_chance[other]
        nested.blunders[seat] = head.blunders[seat] if model == NOBODY else 0.0
        nested.rollouts[seat] = rollouts


@jit
def _tell_fault(head: Record, nested: Record) -> None:
    """A fault of a nested playout is one of the playout at hand."""
    playout = head.fault.playout
    head.fault = nested.fault
    head.fault.playout = playout
    head.fault.nested = 1


@jit
def _try_once(at: Any, rollout: Any, option: Any) -> Any:
    """What an option turns out to be worth to the deciding seat in one nested playout, float64; NaN where it fails.

    Every option meets the same deals and draws, so that options are told apart by what they do and not by their luck.
    """
    head = head_at(at)
    thoughts = thoughts_at(head.thoughts)
    nested_at = thoughts.nested_at
    nested = head_at(nested_at)
    copy_bytes(nested_at + POSITION_AT, thoughts.start_at, head.size - POSITION_AT)
    nested.chance.notes_at = 0
    nested.choices[nested.n_given - 1] = option
    nested.careful_at = head.careful_at
    nested.rollout = rollout
    nested.fault.status = PLAYED
    if play_turn(nested_at) != PLAYED or play_on(nested_at, 0) != PLAYED:
        _tell_fault(head, nested)
        return np.nan
    worth = payoff_of(nested_at, head.seat)
    if np.isnan(worth):
        fail(at, GAME_RAISED)
    return worth


@jit
def _try_all_once(at: Any, rollout: Any, own: Any, n_options: Any) -> Any:
    """Add to the sums what every option that is still in the race gains over the seat's own one; how many were tried, or RAISED."""
    head = head_at(at)
    thoughts = thoughts_at(head.thoughts)
    reference, tried = _try_once(at, rollout, own), np.int64(1)
    for option in range(n_options):
        if option == own or thoughts.out[option] != 0:
            continue
        gain = _try_once(at, rollout, option) - reference
        if np.isnan(gain):
            return np.int64(RAISED)
        thoughts.gains[option] += gain
        thoughts.squares[option] += gain * gain
        tried += 1
    return tried


@jit
def _error(thoughts: Record, option: Any, rollouts: Any) -> Any:
    """Standard error, float64, of an option's mean gain over so many rollouts."""
    mean = thoughts.gains[option] / rollouts
    return np.sqrt(max(thoughts.squares[option] / rollouts - mean * mean, 0.0) / rollouts)


@jit
def _best(thoughts: Record, rollouts: Any, own: Any, n_options: Any, errors: Any) -> Any:
    """The option still in the race with the largest gain, if that is more than so many of its standard errors; else the own one."""
    best, most = own, 0.0
    for option in range(n_options):
        gain = thoughts.gains[option] / rollouts
        if thoughts.out[option] == 0 and gain > most and gain > errors * _error(thoughts, option, rollouts):
            best, most = np.int64(option), gain
    return best


@jit
def _drop_the_worse(thoughts: Record, rollouts: Any, own: Any, n_options: Any) -> Any:
    """Take those out of the race that are clearly behind the best; how many are left besides the own one."""
    left = np.int64(0)
    most = thoughts.gains[_best(thoughts, rollouts, own, n_options, 0.0)] / rollouts
    for option in range(n_options):
        if option != own and thoughts.out[option] == 0:
            if thoughts.gains[option] / rollouts + SURELY * _error(thoughts, option, rollouts) < most:
                thoughts.out[option] = 1
            else:
                left += 1
    return left


@jit
def _set_out(at: Any, n_options: Any) -> None:
    """Prepare the nested table for playing this turn again up to the choice at hand, by the deciding seat's strategy for all."""
    head = head_at(at)
    thoughts = thoughts_at(head.thoughts)
    nested = head_at(thoughts.nested_at)
    _seat_like(nested, head, np.int64(head.seat), 0)
    for i in range(head.nth - 1):
        nested.choices[i] = head.choices[i]
    nested.n_given = head.nth
    nested.onlooker = head.seat
    nested.key = nested_key(head.chance, AHEAD_BLOCK + head.decision, choice_occasion(head.turn, head.seat, head.step))
    for option in range(n_options):
        thoughts.gains[option] = thoughts.squares[option] = 0.0
        thoughts.out[option] = 0


@jit
def look_ahead(at: Any) -> Any:
    """The option with the best mean payoff over nested playouts, or the strategy's own where none is clearly better.

    The budget is the seat's rollouts for every option. All options meet the same nested playouts, and in rounds those that
    are clearly behind drop out, so that what is left of the budget goes to telling the good ones apart. In its thoughts
    everybody plays as the strategy does that it is laid on: it does not know how the others really play.

    Returns:
        The option, int64, or RAISED.
    """
    head = head_at(at)
    own = ask(at)
    n_options = min(np.int64(head.n_options), np.int64(MAX_OPTIONS))
    if own < 0 or own >= n_options:
        return own
    thoughts = thoughts_at(head.thoughts)
    _set_out(at, n_options)
    budget, rollout = head.rollouts[head.seat] * n_options, np.int64(0)
    while budget > 0:
        tried = _try_all_once(at, rollout, own, n_options)
        if tried == RAISED:
            return np.int64(RAISED)
        budget -= tried
        rollout += 1
        if rollout % ROUND == 0 and _drop_the_worse(thoughts, rollout, own, n_options) == 0:
            return own
    return _best(thoughts, rollout, own, n_options, CLEARLY)


@jit
def _estimate_chances(at: Any, rollouts: Any, sums: Any) -> Any:
    """Sums of every seat's payoff over nested playouts from the position at hand; PLAYED or why not.

    The nested playouts are dealt out to the lines of `sums`, so that each line is an estimate of its own.
    One seat looks on: what it cannot see is dealt afresh. Playout after playout, the seats take turns at that.
    """
    head = head_at(at)
    nested_at = thoughts_at(head.thoughts).nested_at
    nested = head_at(nested_at)
    onlooker = np.int64(head.chance.playout % np.uint64(head.seats))
    key = nested_key(head.chance, WATCH_BLOCK, head.turn)
    _seat_like(nested, head, np.int64(NOBODY), 0)
    nested.n_given = 0
    nested.careful_at = head.careful_at  # they blunder as at the table, but nobody thinks ahead
    for rollout in range(rollouts):
        copy_bytes(nested_at + POSITION_AT, at + POSITION_AT, head.size - POSITION_AT)
        nested.chance.notes_at = nested.over = nested.unfinished = 0
        nested.fault.status = PLAYED
        if deal_afresh(nested_at, key, rollout, onlooker) != PLAYED or play_on(nested_at, 0) != PLAYED:
            _tell_fault(head, nested)
            return head.fault.status
        for seat in range(head.seats):
            sums[rollout % sums.shape[0], seat] += payoff_of(nested_at, seat)
    return PLAYED


@jit
def watch(at: Any, seed: Any, playout: Any, rollouts: Any, sums: Any, row: Any, control: Any) -> Any:
    """Play one playout, and before each of its turns estimate what every seat may hope for.

    Args:
        at: address of the table.
        seed: uint64, the key of every draw.
        playout: int64, its number.
        rollouts: nested playouts before each turn, int64.
        sums: float64, shape (turn cap + 1, blocks, seats), zeros, added to: at t stand sums of payoffs before turn t + 1, nested
            playout k in block k % blocks.
        row: int32, shape (1, metrics), C-contiguous, written.
        control: int64, shape (2,); see the CONTROL constants.

    Returns:
        How many turns of `sums` hold something, int64: one for each turn that was begun; the fault record says whether it is PLAYED.
    """
    head = head_at(at)
    control[CONTROL_PLAYOUT] = playout
    if deal_playout(at, seed, np.uint64(playout)) != PLAYED:
        return 0
    start_at, cap = thoughts_at(head.thoughts).start_at, np.int64(head.turn_cap)
    for turn in range(cap + 1):
        if control[CONTROL_STOP] != 0:
            head.fault.status = STOPPED
            return turn
        if head.unfinished != 0:
            head.over = head.unfinished = 0
        head.turn_cap = turn  # stopped before the next turn, and then taken up again
        if play_on(at, start_at) != PLAYED:
            return turn
        if turn == cap or head.unfinished == 0 or head.turn < turn:
            break
        head.turn_cap = cap
        if _estimate_chances(at, rollouts, sums[turn]) != PLAYED:
            return turn
    score_playout(at, np.int64(row.ctypes.data))
    return np.int64(head.turn)


@jit
def play_again(at: Any, start_at: Any, given: Any) -> Any:
    """Play the turn at hand again from its start, with so many choices given; PLAYED, PAUSED where they run out, or why not."""
    head = head_at(at)
    copy_bytes(at + POSITION_AT, start_at, head.size - POSITION_AT)
    head.n_given, head.onlooker = given, NOBODY
    head.fault.status = PLAYED
    return play_turn(at)
