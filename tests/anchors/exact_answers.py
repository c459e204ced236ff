"""The classics' answers computed exactly from their rules, by dynamic programming and linear systems, without the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# ---------------------------------------------------------------- Pig
GOAL, BUST, COUNTING = 100, 1, (2, 3, 4, 5, 6)
MOST = GOAL + max(COUNTING)
"""More points than any turn has that stops at the goal or at a hundred."""

Stops = Array
"""Whether a player stops: bool, by points of the turn, its score and the other's, shape (MOST, GOAL, GOAL)."""


def _points() -> tuple[Array, Array]:
    total, mine, _ = np.ogrid[:MOST, :GOAL, :GOAL]
    return total + 0 * mine, total + mine


def pig_hold(at: int, *, strict: bool = False) -> Stops:
    """Stop at `at` points; unless strict, also with enough to win."""
    total, together = _points()
    stops = (total >= at) | (not strict and together >= GOAL)
    return np.array(np.broadcast_to(stops, (MOST, GOAL, GOAL)))


def pig_by_lacking(policy: Array, hold: int) -> Stops:
    """Stop as a policy says that is indexed by the points that both lack and those of the turn."""
    total, mine, theirs = np.indices((MOST, GOAL, GOAL))
    stops: Stops = policy[GOAL - mine, GOAL - theirs, np.minimum(total, policy.shape[2] - 1)] == hold
    either: Stops = stops | (mine + total >= GOAL)
    return either


def pig_turns(stops: Stops) -> tuple[Array, Array]:
    """Chances of how a turn ends: bust, by both scores, and held points, by points and both scores."""
    reached = np.zeros((MOST + max(COUNTING), GOAL, GOAL))
    reached[0] = 1.0
    held = np.zeros((MOST, GOAL, GOAL))
    bust = np.zeros((GOAL, GOAL))
    for total in range(MOST):
        stop = stops[total] if total else np.zeros((GOAL, GOAL), bool)  # everybody rolls once
        held[total] = np.where(stop, reached[total], 0.0)
        rolls = np.where(stop, 0.0, reached[total]) / 6
        bust += rolls
        for face in COUNTING:
            reached[total + face] += rolls
    assert not reached[MOST:].any()
    return bust, held


def pig_duel(first: Stops, second: Stops) -> tuple[Array, Array]:
    """Chances to win of either player about to begin a turn, by its score and the other's; `first` begins the game."""
    ends = [pig_turns(first), pig_turns(second)]
    chance = [np.zeros((GOAL, GOAL)), np.zeros((GOAL, GOAL))]
    for together in range(2 * GOAL - 2, -1, -1):
        for mine in range(max(0, together - GOAL + 1), min(GOAL, together + 1)):
            theirs = together - mine
            (bust, gain), (other_bust, other_gain) = (
                (end[0][place], _win_by_holding(end[1][:, place[0], place[1]], chance[1 - who], *place))
                for who, (end, place) in enumerate(zip(ends, ((mine, theirs), (theirs, mine)), strict=True))
            )
            # x = gain + bust (1 - y) and y = other_gain + other_bust (1 - x)
            x = (gain + bust * (1 - other_gain - other_bust)) / (1 - bust * other_bust)
            chance[0][mine, theirs], chance[1][theirs, mine] = x, other_gain + other_bust * (1 - x)
    return chance[0], chance[1]


def _win_by_holding(held: Array, others_chance: Array, mine: int, theirs: int) -> float:
    room = GOAL - mine  # with so many points or more the turn wins
    later = held[1:room] @ (1 - others_chance[theirs, mine + 1 : GOAL])
    return float(later + held[room:].sum())


def pig_first(first: Stops, second: Stops) -> float:
    """The chance that who begins wins."""
    return float(pig_duel(first, second)[0][0, 0])


def pig_choices(stops: Stops) -> Iterator[tuple[int, Array, Array, Array]]:
    """What holding and rolling on are worth, both playing by `stops` afterwards: points of the turn, both worths, by both scores,
    and where there is a choice."""
    chance = pig_duel(stops, stops)[0]
    _, together = _points()
    worth = np.ones((MOST + max(COUNTING), GOAL, GOAL))
    for total in range(MOST - 1, 0, -1):
        held = np.ones((GOAL, GOAL))
        held[: max(GOAL - total, 0)] = 1 - chance.T[total:]
        rolled = (1 - chance.T + sum(worth[total + face] for face in COUNTING)) / 6
        worth[total] = np.where(stops[total], held, rolled)
        yield total, held, rolled, np.broadcast_to(together[total] < GOAL, (GOAL, GOAL))


def pig_regret(stops: Stops) -> float:
    """The most that a player gains by once deciding otherwise, both playing by `stops`; 0 if that is optimal."""
    return max(
        float((np.maximum(held, rolled) - np.where(stops[total], held, rolled))[open_].max(initial=0.0))
        for total, held, rolled, open_ in pig_choices(stops)
    )


def pig_ahead(stops: Stops) -> Stops:
    """Decide by what either is worth if both play by `stops` afterwards: what look-ahead comes to with endless nested playouts."""
    found = stops.copy()
    for total, held, rolled, open_ in pig_choices(stops):
        found[total] = np.where(open_ & (held != rolled), held > rolled, stops[total])
    return found


def pig_alone(stops: Stops) -> float:
    """Mean number of turns that a player alone needs."""
    bust, held = pig_turns(stops)
    turns = np.zeros(GOAL)
    for mine in range(GOAL - 1, -1, -1):
        turns[mine] = (1 + held[1 : GOAL - mine, mine, 0] @ turns[mine + 1 :]) / (1 - bust[mine, 0])
    return float(turns[0])


def pig_turn(at: int) -> Array:
    """Chances of the points that one turn brings, by points."""
    bust, held = pig_turns(pig_hold(at))
    chances = held[:, 0, 0].copy()
    chances[0] = bust[0, 0]
    return chances


# ---------------------------------------------------------------- races: who needs how many turns
def first_passage(step: Array, goal: int) -> Array:
    """Chances of the number of turns, by turns from 0, that a chain with the transition matrix `step` needs from 0 to `goal`."""
    place = np.zeros(len(step))
    place[0] = 1.0
    there = [0.0]
    while place[goal] < 1 - 1e-14 and len(there) < 20_000:
        place = place @ step
        there.append(place[goal])
    return np.diff(there, prepend=0.0)


def mean(chances: Array) -> float:
    return float(np.arange(len(chances)) @ chances)


def variance(chances: Array) -> float:
    return float((np.arange(len(chances)) - mean(chances)) ** 2 @ chances)


def sd(chances: Array) -> float:
    return float(np.sqrt(variance(chances)))


def median(chances: Array) -> int:
    return int(np.searchsorted(np.cumsum(chances), 0.5))


def race(chances: Array, players: int) -> list[float]:
    """Each seat's chance to be the first, seats before it winning ties."""
    later = 1 - np.cumsum(chances)
    no_sooner = later + chances
    return [float(chances @ (later**seat * no_sooner ** (players - 1 - seat))) for seat in range(players)]


_BOARD = "1-38 4-14 9-31 16-6 21-42 28-84 36-44 47-26 49-11 51-67 56-53 62-19 64-60 71-91 80-100 87-24 93-73 95-75 98-78"
JUMPS = {int(start): int(end) for start, end in (jump.split("-") for jump in _BOARD.split())}


def ladders(landing: str = "exact", jumps: dict[int, int] | None = None, sides: int = 6) -> Array:
    """Chances of the number of turns that a player of Chutes and Ladders needs alone."""
    leads = JUMPS if jumps is None else jumps
    step = np.zeros((101, 101))
    step[100, 100] = 1.0
    for space in range(100):
        for roll in range(1, sides + 1):
            to = space + roll
            if to > 100:
                to = {"exact": space, "overshoot": 100, "bounce": 200 - to}[landing]
            step[space, leads.get(to, to)] += 1 / sides
    return first_passage(step, 100)


def cherry(faces: Sequence[int] = (1, 2, 3, 4, -2, -2, -10)) -> Array:
    """Chances of the number of turns that a player of Hi Ho! Cherry-O needs alone; a spill is -10."""
    step = np.zeros((11, 11))
    step[10, 10] = 1.0
    for bucket in range(10):
        for face in faces:
            step[bucket, min(max(bucket + face, 0), 10)] += 1 / len(faces)
    return first_passage(step, 10)


# ---------------------------------------------------------------- First Orchard
Choose = Callable[[dict[int, float]], float]


def best_of(worth: dict[int, float]) -> float:
    """The best of what picking from a tree, named by what it bears, is worth."""
    return max(worth.values())


def fullest(worth: dict[int, float]) -> float:
    return worth[max(worth)]


def emptiest(worth: dict[int, float]) -> float:
    return worth[min(worth)]


def orchard(fruit: int, steps: int, picks: int, choose: Choose | None) -> float:
    """The chance to win First Orchard with four trees; without `choose`, every tree with fruit is picked from alike."""

    def picked(trees: tuple[int, ...], tree: int) -> tuple[int, ...]:
        return tuple(sorted((*trees[:tree], trees[tree] - 1, *trees[tree + 1 :])))

    @cache
    def basket(trees: tuple[int, ...], raven: int, left: int) -> float:
        if left == 0 or not any(trees):
            return roll(trees, raven)
        worth = [basket(picked(trees, tree), raven, left - 1) for tree in range(4) if trees[tree]]
        if choose is None:
            return sum(worth) / len(worth)
        return choose(dict(zip([n for n in trees if n], worth, strict=True)))

    @cache
    def roll(trees: tuple[int, ...], raven: int) -> float:
        if not any(trees):
            return 1.0
        if raven == 0:
            return 0.0
        colours = [roll(picked(trees, tree), raven) for tree in range(4) if trees[tree]]
        # a colour without fruit changes nothing, so what is left of the die decides
        return (sum(colours) + basket(trees, raven, picks) + roll(trees, raven - 1)) / (len(colours) + 2)

    return roll((fruit,) * 4, steps)


# ---------------------------------------------------------------- Can't Stop
FOUR_DICE = tuple(product(range(1, 7), repeat=4))


def pairings(a: int, b: int, c: int, d: int) -> tuple[tuple[int, int], ...]:
    """The sums that four dice make in two pairs."""
    return (a + b, c + d), (a + c, b + d), (a + d, b + c)


def one_runner(spaces: int) -> float:
    """Rolls of a turn with one runner that never stops, in columns of so many spaces.

    It takes the column farthest from 7, which counts twice where both pairs name it; of those alike the first, as dice are paired
    and sums ascend.
    """
    chances = {c: [sum(named(c, roll) >= n for roll in FOUR_DICE) / len(FOUR_DICE) for n in (1, 2)] for c in range(2, 13)}

    @cache
    def rest(column: int, reached: int) -> float:
        if reached >= spaces:
            return 1.0
        once, twice = chances[column]
        return 1.0 + (once - twice) * rest(column, reached + 1) + twice * rest(column, reached + 2)

    total = 0.0
    for roll in FOUR_DICE:
        offers = [
            ((1 + abs(c - 7)) * (1 + (one == other)), c, 1 + (one == other)) for one, other in pairings(*roll) for c in sorted({one, other})
        ]
        _, column, climbed = max(offers, key=lambda offer: offer[0])
        total += (1.0 + rest(column, climbed)) / len(FOUR_DICE)
    return total


def named(column: int, roll: tuple[int, ...]) -> int:
    """How often the pairs of a roll can name a column at once."""
    return max((one == column) + (other == column) for one, other in pairings(*roll))
