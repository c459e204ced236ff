"""Strategies for Merry Grinchmas."""

from __future__ import annotations

from typing import Any

from simulator.games.grinchmas.view import (
    AGREE,
    CONSENT,
    DRAW_FROM_BAG,
    EXCHANGE,
    GIVE_UP,
    GRINCH_SCORES,
    OFFER,
    SCORE,
    TAKE,
    lacking,
    with_token,
    without_token,
)
from simulator.kernel.jit import jit
from strategies.declare import Params, strategy

_BAG_BONUS = 1 / 64
_BEST_WEIGHT = 16.0


@jit
def promise(view: Any, hand: Any) -> Any:
    """What a hand (two words) promises: the stars of each face-up Wish, halved for each Present it lacks.

    The best Wish counts most, the others break ties.
    """
    best = total = 0.0
    for place in range(view.n_wishes):
        if view.wish_kind[place] >= 0:
            worth = view.wish_stars[place] / (1 << lacking(view, place, hand))
            total += worth
            best = max(best, worth)
    return _BEST_WEIGHT * best + total


@jit
def _swapped(view: Any, hand: Any, option: Any) -> Any:
    return with_token(without_token(hand, view.lose[option]), view.gain[option])


@jit
def _most_stars(view: Any) -> Any:
    """The option that scores the most stars, the first of equals; declining only where nothing else is left."""
    best, most = 0, -1
    for i in range(view.n_options):
        if view.wish[i] >= 0 and view.scores[i] > most:
            best, most = i, view.scores[i]
    return best


@jit
def _keep_best(view: Any) -> Any:
    """The Present whose loss leaves the most promising hand."""
    best, most = 0, -1.0
    for i in range(view.n_options):
        value = promise(view, without_token((view.mine[0], view.mine[1]), view.lose[i]))
        if value > most:
            best, most = i, value
    return best


@jit
def _best_swap(view: Any) -> Any:
    best, most = 0, -1.0
    for i in range(view.n_options):
        value = promise(view, _swapped(view, (view.mine[0], view.mine[1]), i))
        if value > most:
            best, most = i, value
    return best


@jit
def _agree_unless_worse(view: Any) -> Any:
    mine = (view.mine[0], view.mine[1])
    wanted = promise(view, _swapped(view, mine, 0)) >= promise(view, mine)
    return 0 if (view.action[0] == AGREE) == wanted else 1


@jit
def _take_most_promising(view: Any) -> Any:
    """The spot that makes the hand most promising; the bag where no spot helps."""
    mine = (view.mine[0], view.mine[1])
    best, most = 0, -1.0
    for i in range(view.n_options):
        if view.action[i] != EXCHANGE:
            value = promise(view, with_token(mine, view.gain[i]))
            if view.action[i] == DRAW_FROM_BAG:
                value += _BAG_BONUS
            if value > most:
                best, most = i, value
    return best


@strategy("grinchmas")
def greedy(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Takes what brings the best face-up Wish nearest, scores the most stars at once, and never asks for an exchange."""
    if view.decision == TAKE:
        return _take_most_promising(view)
    if view.decision == SCORE:
        return _most_stars(view)
    if view.decision == GIVE_UP:
        return _keep_best(view)
    if view.decision == OFFER:
        return _best_swap(view)
    if view.decision == CONSENT:
        return _agree_unless_worse(view)
    return 0
