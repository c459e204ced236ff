"""Trials with addressed draws, for judging the draws themselves and the intervals made from them."""

from __future__ import annotations

from typing import Any

from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit

FIRST_PURPOSE = purpose_block(0)


@jit
def count_values(chance: Any, n: Any, draws: Any, counts: Any) -> None:
    """Draw integers below `n`, on `draws` occasions, and count them in `counts` (int64, shape (n,))."""
    for occasion in range(draws):
        counts[below(chance, FIRST_PURPOSE + (occasion & 3), occasion >> 2, n)] += 1


@jit
def count_orders(chance: Any, cards: Any, shuffles: Any, order: Any, counts: Any) -> None:
    """Shuffle a small pile again and again, turning up a random card and closing the gap with the last.

    Args:
        chance: a CHANCE record.
        cards: how many cards, at most 6.
        shuffles: how many times.
        order: int64, shape (cards,), memory to work in.
        counts: int64, shape (cards ** cards,): how often each order came up, read as a number with that many digits.
    """
    for shuffle in range(shuffles):
        for i in range(cards):
            order[i] = i
        number = 0
        for left in range(cards, 0, -1):
            i = below(chance, FIRST_PURPOSE + 4 + (left & 3), shuffle * 2 + (left >> 2), left)
            number = number * cards + order[i]
            order[i] = order[left - 1]
        counts[number] += 1


@jit
def count_successes(chance: Any, parts: Any, whole: Any, trials: Any, looks: Any, successes: Any) -> None:
    """Repeat experiments of Bernoulli trials with probability parts / whole, and note the successes at every look.

    Args:
        chance: a CHANCE record.
        parts: int64, part of `whole` that is a success.
        whole: int64, below 2**32.
        trials: int64, trials between two looks.
        looks: int64, looks in each experiment.
        successes: int64, shape (experiments, looks), written: successes up to each look.
    """
    occasion = 0
    for experiment in range(successes.shape[0]):
        total = 0
        for look in range(looks):
            for trial in range(trials):
                total += 1 if below(chance, FIRST_PURPOSE + 8 + (trial & 3), occasion + (trial >> 2), whole) < parts else 0
            occasion += (trials + 3) >> 2
            successes[experiment, look] = total
