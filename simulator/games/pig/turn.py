"""Pig, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.pig.rules import THROW_BITS
from simulator.games.pig.state import (
    BUSTED,
    DEALT,
    DIE,
    GAME_OVER,
    HELD,
    MAX_ROLLS,
    NEW_TURN,
    ROLL,
    ROLL_BITS,
    ROLL_OR_HOLD,
    ROLLED,
    ROLLING,
    WON,
)
from simulator.kernel.chance import below
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.playout import begin_turn, note
from simulator.kernel.records import OVER, Record

_THROW_MASK = (1 << THROW_BITS) - 1


@jit
def deal(state: Record, rules: Record, chance: Record) -> None:  # noqa: ARG001  nothing is dealt by chance
    """Everybody starts with nothing."""
    state.phase = NEW_TURN
    state.seat = state.seats - 1
    state.rolls = state.busts = 0
    for seat in range(state.seats):
        state.score[seat] = 0
    note(state, DEALT, 0, 0, 0)


@jit
def advance(state: Record, rules: Record, chance: Record) -> Any:
    """Roll the die up to the next choice between rolling and holding; its seat, or OVER."""
    while state.phase != GAME_OVER:
        if state.phase == NEW_TURN and not _take_the_die(state):
            return np.int64(OVER)
        _roll(state, rules, chance)
        if state.n_options > 1:
            return np.int64(state.seat)
    return np.int64(OVER)


@jit_inlined
def _take_the_die(state: Record) -> Any:
    """The player on the left is next; False at the turn cap, where nobody is."""
    if not begin_turn(state):
        return False
    state.seat = state.seat + 1 if state.seat + 1 < state.seats else 0
    state.total = state.roll = state.unseen = 0
    state.phase = ROLLING
    return True


@jit_inlined
def _roll(state: Record, rules: Record, chance: Record) -> None:
    """The bust face ends the turn; any other counts, and the player may roll again or hold."""
    face = _next_die(state, rules, chance)
    state.roll += 1
    state.rolls += 1
    if face == rules.bust:
        state.busts += 1
        note(state, BUSTED, state.seat, face, state.total)
        state.phase = NEW_TURN
        return
    state.total += face
    note(state, ROLLED, state.seat, face, state.total)
    if state.roll == MAX_ROLLS:
        _hold(state, rules)
        return
    state.decision = ROLL_OR_HOLD
    state.step = state.roll - 1
    state.n_options = 2


@jit_inlined
def _next_die(state: Record, rules: Record, chance: Record) -> Any:
    """The face of the next die, 1 to `rules.sides`; a random number throws several, which are looked at one by one."""
    if state.unseen == 0:
        occasion = (state.turn >> 2) << ROLL_BITS | state.roll
        state.throw = below(chance, DIE + (state.turn & 3), occasion, rules.throws) * rules.throw_size
        state.unseen = rules.together
    state.unseen -= 1
    shown = state.throw * rules.sides
    state.throw = shown & _THROW_MASK
    return 1 + (shown >> THROW_BITS)


@jit
def apply(state: Record, rules: Record, chance: Record, option: Any) -> None:  # noqa: ARG001  no choice draws
    """Roll again, or hold."""
    state.n_options = 0
    if option != ROLL:
        _hold(state, rules)


@jit
def _hold(state: Record, rules: Record) -> None:
    """Score the turn's points; whoever reaches the goal wins."""
    seat = state.seat
    state.score[seat] += state.total
    note(state, HELD, seat, state.total, state.score[seat])
    state.phase = NEW_TURN
    if state.score[seat] >= rules.goal:
        note(state, WON, seat, 0, 0)
        state.phase = GAME_OVER


@jit
def payoff(state: Record, rules: Record, seat: Any) -> Any:
    """1.0 for the seat that reached the goal, else 0.0."""
    return 1.0 if state.score[seat] >= rules.goal else 0.0


@jit
def redeal(state: Record, rules: Record, chance: Record, seat: Any) -> None:  # noqa: ARG001  nobody sees more than another
    """Forget the dice that were thrown ahead and not looked at yet: they are thrown afresh."""
    state.unseen = 0
