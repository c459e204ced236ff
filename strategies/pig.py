"""Strategies for Pig, one of them optimal: its policy is solved once and kept in the cache folder."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from simulator.games.pig import HOLD, ROLL
from simulator.kernel.jit import cache_root, jit
from simulator.kernel.sources import fingerprint
from strategies.declare import Params, strategy

SIDES, BUST, GOAL = 6, 1, 100
"""The die for which `optimal` has a policy, and the most points that a player may lack for it."""

_EXACT = 1e-14


@strategy("pig")
def hold(view: Any, u: float, p: Any = Params(at=20)) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Holds once the turn is worth `at` points, or enough to win."""
    return HOLD if view.total >= p.at or view.score[view.seat] + view.total >= view.goal else ROLL


@strategy("pig")
def strict_hold(view: Any, u: float, p: Any = Params(at=20)) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Holds once the turn is worth `at` points and not before, though it could win."""
    return HOLD if view.total >= p.at else ROLL


# ---------------------------------------------------------------- optimal
@jit
def _turn(chance: Any, policy: Any, worth: Any, mine: Any, theirs: Any, sides: Any, bust: Any) -> Any:
    """The chance to win of a player about to begin a turn who lacks `mine` points, the other `theirs`.

    Args:
        chance: the same chance for all positions nearer to the end, float64, by points lacking.
        policy: where what this player does is written, uint8, by points lacking and points of the turn.
        worth: memory for what each total of the turn is worth, float64, shape (goal + sides + 1,).
        mine: points that this player lacks.
        theirs: points that the other lacks.
        sides: of the die.
        bust: the face that loses the turn's points.
    """
    worth[mine : mine + sides + 1] = 1.0  # hold and win
    policy[mine, theirs, mine:] = HOLD
    lost = 1.0 - chance[theirs, mine]
    for total in range(mine - 1, -1, -1):
        rolled = 0.0
        for face in range(1, sides + 1):
            rolled += (lost if face == bust else worth[total + face]) / sides
        held = 1.0 - chance[theirs, mine - total] if total > 0 else 0.0
        worth[total] = max(rolled, held)
        policy[mine, theirs, total] = HOLD if held > rolled else ROLL
    return worth[0]


@jit
def _iterate(chance: Any, policy: Any, worth: Any, sides: Any, bust: Any, exact: Any) -> None:
    """Value iteration: only two positions with the same points lacking depend on each other; those nearer the end come first."""
    goal = chance.shape[0] - 1
    for together in range(2, 2 * goal + 1):
        for mine in range(max(1, together - goal), together // 2 + 1):
            theirs = together - mine
            change = 1.0
            while change > exact:
                first = _turn(chance, policy, worth, mine, theirs, sides, bust)
                change = abs(first - chance[mine, theirs])
                chance[mine, theirs] = first
                second = _turn(chance, policy, worth, theirs, mine, sides, bust)
                change = max(change, abs(second - chance[theirs, mine]))
                chance[theirs, mine] = second


def solve(sides: int = SIDES, bust: int = BUST, goal: int = GOAL) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Optimal play of two players.

    Args:
        sides: of the die.
        bust: the face that loses the turn's points, 1 to `sides`.
        goal: the most points that a player may lack.

    Returns:
        The chance to win of the player who begins a turn, float64, by points that this player and the other lack, and the
        policy, ROLL or HOLD in uint8, by the same and the points of the turn.

    Source: Neller and Presser, "Optimal play of the dice game Pig", UMAP Journal 25(1), 2004.
    """
    chance = np.zeros((goal + 1, goal + 1))
    policy = np.full((goal + 1, goal + 1, goal + 1), HOLD, np.uint8)
    _iterate(chance, policy, np.zeros(goal + sides + 1), sides, bust, _EXACT)
    return chance, policy


def optimal_policy() -> np.ndarray[Any, Any]:
    """The policy of `solve`, from the cache folder where it is kept for this version of the program, or solved now."""
    root = cache_root()
    if root is None:
        return solve()[1]
    kept = root / f"pig-{SIDES}-{BUST}-{GOAL}-{fingerprint(Path(__file__))}.npy"
    with contextlib.suppress(OSError, ValueError, EOFError):
        policy: np.ndarray[Any, Any] = np.load(kept, allow_pickle=False)
        if policy.shape == (GOAL + 1,) * 3 and policy.dtype == np.uint8:
            return policy
    policy = solve()[1]
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=root, suffix=".npy", delete=False) as file:
        np.save(file, policy)
        file.close()
        os.replace(file.name, kept)  # noqa: PTH105  at once, so that nobody reads half a file
    return policy


@jit
def _fair_total(view: Any) -> Any:
    """Points of a turn at which another roll no longer gains on average: the sum of the faces that count."""
    return view.sides * (view.sides + 1) // 2 - view.bust


@strategy("pig")
def optimal(view: Any, u: float, p: Any = Params(policy=optimal_policy)) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Plays perfectly with two players and the usual die, to 100 points; else holds where a roll gains nothing on average."""
    mine = view.goal - view.score[view.seat]
    if view.total >= mine:
        return HOLD
    if view.seats == 2 and view.sides == SIDES and view.bust == BUST:
        theirs = view.goal - view.score[1 - view.seat]
        if mine <= GOAL and theirs <= GOAL:
            return int(p.policy[mine, theirs, view.total])
    return HOLD if view.bust > 0 and view.total >= _fair_total(view) else ROLL
