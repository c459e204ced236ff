"""First Orchard, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.orchard.rules import MAX_TREES
from simulator.games.orchard.state import BARE, BASKET, DEALT, DIE, LOST, PICKED, RAVEN, TREE, WON
from simulator.kernel.chance import below
from simulator.kernel.jit import jit
from simulator.kernel.playout import begin_turn, note
from simulator.kernel.records import OVER, Record


@jit
def deal(state: Record, rules: Record, chance: Record) -> None:  # noqa: ARG001  nothing is dealt by chance
    """All fruit hangs on the trees, and the raven is at the far end of its path."""
    for tree in range(rules.trees):
        state.fruit[tree] = rules.fruit
    state.left = rules.trees * rules.fruit
    state.raven = rules.steps
    state.picks = state.baskets = state.bare = 0
    note(state, DEALT, 0, 0, 0)


@jit
def advance(state: Record, rules: Record, chance: Record) -> Any:
    """Roll up to the next fruit of choice; the seat that picks it, or OVER."""
    while state.left > 0 and state.raven > 0:
        if state.picks > 0:
            _list_trees(state, rules)
            return np.int64(_seat(state))
        if not begin_turn(state):
            return np.int64(OVER)
        _roll(state, rules, chance)
    note(state, WON if state.left == 0 else LOST, 0, 0, 0)
    return np.int64(OVER)


@jit
def _seat(state: Record) -> Any:
    """Whose turn it is."""
    return (state.turn - 1) % state.seats


@jit
def _roll(state: Record, rules: Record, chance: Record) -> None:
    """A colour: one fruit of it, if there is one. The basket: fruit of choice. The raven: a step nearer."""
    # the rolls of four turns that follow one another are the four words of one block
    face = below(chance, DIE + (state.turn & 3), state.turn >> 2, rules.trees + 2)
    if face < rules.trees:
        _pick(state, face)
    elif face == rules.trees:
        state.baskets += 1
        state.picks = rules.picks
        note(state, BASKET, _seat(state), 0, 0)
    else:
        state.raven -= 1
        note(state, RAVEN, _seat(state), state.raven, 0)


@jit
def _pick(state: Record, tree: Any) -> None:
    """One fruit of a tree."""
    if state.fruit[tree] == 0:
        state.bare += 1
        note(state, BARE, _seat(state), tree, 0)
        return
    state.fruit[tree] -= 1
    state.left -= 1
    note(state, PICKED, _seat(state), tree, state.fruit[tree])


@jit
def _list_trees(state: Record, rules: Record) -> None:
    """Every tree that has fruit."""
    n = 0
    for tree in range(rules.trees):
        if state.fruit[tree] > 0:
            state.tree[n] = tree
            n += 1
    state.decision = TREE
    state.step = rules.picks - state.picks
    state.n_options = n


@jit
def observe(state: Record, rules: Record, view: Record) -> None:  # noqa: ARG001  the rules do not matter here
    """Copy what the deciding seat may see."""
    for i in range(MAX_TREES):
        view.fruit[i] = state.fruit[state.tree[i]] if i < state.n_options else 0
    view.raven = state.raven
    view.picks = state.picks


@jit
def apply(state: Record, rules: Record, chance: Record, option: Any) -> None:  # noqa: ARG001  no choice draws
    """Pick the fruit of choice."""
    state.n_options = 0
    state.picks -= 1
    _pick(state, state.tree[option])


@jit
def payoff(state: Record, rules: Record, seat: Any) -> Any:  # noqa: ARG001  all win or lose together
    """1.0 for everybody once all fruit is harvested, else 0.0."""
    return 1.0 if state.left == 0 else 0.0


@jit
def redeal(state: Record, rules: Record, chance: Record, seat: Any) -> None:
    """Nothing to do: nothing is hidden."""
