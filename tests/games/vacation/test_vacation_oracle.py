"""A small Christmas Vacation whose answers are computed exactly, by enumeration and without the kernel.

Two numbers, two copies, no Wild, three dice with the usual faces; no run is possible. Everybody plays `cautious` with
`stop_at` 3: roll until three cards lie face up or two Eddies on the board, use Christmas Bonuses before wreaths, and
discard as many cards as possible, of equals the lower number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest

from simulator.play.run import run
from simulator.stats.estimate import Estimate, estimate_mean, estimate_share

FACES = ("clark", "clark", "clark", "wreath", "bonus", "eddie")
DICE, STOP_AT, STOP_AT_EDDIES = 3, 3, 2
DECK = (2, 2)
GAMES = 1_000_000
CONFIDENCE = 0.9999

Cards = tuple[int, int]
"""How many cards of each number."""

RULES = {"deck.numbers": 2, "deck.copies": 2, "deck.wilds": 0, "dice.count": DICE}


def _take(cards: Cards, number: int, n: int) -> Cards:
    return (cards[0] - n, cards[1]) if number == 0 else (cards[0], cards[1] - n)


def _use_bonuses(up: Cards, bonuses: int, wreaths: int) -> Cards:
    """Face-up cards after the bonuses: each takes the larger number, each wreath one card of the lower number."""
    for _ in range(bonuses):
        number = 0 if up[0] >= up[1] else 1
        up = _take(up, number, up[number])
    for _ in range(wreaths):
        if up != (0, 0):
            up = _take(up, 0 if up[0] else 1, 1)
    return up


def _draws(pile: Cards, n: int) -> list[tuple[Cards, Fraction]]:
    """What `n` cards from the pile may be, with their chances."""
    n = min(n, sum(pile))
    ways = comb(sum(pile), n)
    taken = [(k, n - k) for k in range(n + 1) if k <= pile[0] and n - k <= pile[1]]
    return [((a, b), Fraction(comb(pile[0], a) * comb(pile[1], b), ways)) for a, b in taken]


@cache
def _throws(dice: int) -> tuple[tuple[Fraction, int, int, int, int], ...]:
    """Chance, Eddies, Clarks, bonuses and wreaths of every different throw."""
    thrown = Counter(tuple(sorted(faces)) for faces in product(FACES, repeat=dice))
    return tuple(
        (Fraction(ways, 6**dice), *(faces.count(face) for face in ("eddie", "clark", "bonus", "wreath")))  # type: ignore[misc]
        for faces, ways in thrown.items()
    )


@cache
def _after_roll(pile: Cards, up: Cards, eddies: int, bust_at: int) -> tuple[tuple[Cards, Fraction], ...]:
    """What the player has left at the end of the turn, when about to roll; `pile` lies face down, `up` face up."""
    left: defaultdict[Cards, Fraction] = defaultdict(Fraction)
    again = Fraction(0)
    for chance, thrown_eddies, clarks, bonuses, wreaths in _throws(DICE - eddies):
        board = eddies + thrown_eddies
        if board >= bust_at:
            left[pile[0] + up[0], pile[1] + up[1]] += chance
            continue
        for drawn, likely in _draws(pile, clarks + bonuses + wreaths):
            face_down = (pile[0] - drawn[0], pile[1] - drawn[1])
            face_up = _use_bonuses((up[0] + drawn[0], up[1] + drawn[1]), bonuses, wreaths)
            if sum(face_up) >= STOP_AT or board >= STOP_AT_EDDIES or (sum(face_up) + sum(face_down) == 0):
                kept = _use_bonuses(face_up, 1, 0)
                left[face_down[0] + kept[0], face_down[1] + kept[1]] += chance * likely
            elif (face_down, face_up, board) == (pile, up, eddies):
                again += chance * likely  # nothing changed, so the same roll once more
            else:
                for cards, share in _after_roll(face_down, face_up, board, bust_at):
                    left[cards] += chance * likely * share
    return tuple((cards, share / (1 - again)) for cards, share in left.items())


def _unfinished_after(bust_at: int, turns: int) -> list[float]:
    """Chances that a player alone still has cards after 0, 1, ... turns."""
    now: dict[Cards, float] = {DECK: 1.0}
    found = [1.0]
    for _ in range(turns):
        then: defaultdict[Cards, float] = defaultdict(float)
        for cards, chance in now.items():
            for left, share in _after_roll(cards, (0, 0), 0, bust_at):
                if left != (0, 0):
                    then[left] += chance * float(share)
        now = dict(then)
        found.append(sum(now.values()))
    return found


@cache
def _exact(bust_at: int) -> tuple[float, float]:
    """Expected turns of both players together, and the share of playouts that seat 0 wins."""
    still = np.array(_unfinished_after(bust_at, 900))
    assert still[-1] < 1e-15
    turns = still[:-1] ** 2 + still[1:] * still[:-1]  # neither has finished after 2k turns, after 2k + 1 turns
    return float(turns.sum()), float(((still[:-1] - still[1:]) * still[:-1]).sum())


@cache
def _measured(bust_at: int) -> tuple[Estimate, Estimate]:
    rules = {**RULES, "dice.bust_at": bust_at}
    result = run("vacation", players=2, games=GAMES, strategies=[f"cautious:stop_at={STOP_AT},eddies={STOP_AT_EDDIES}"], rules=rules)
    assert result.unfinished == 0
    turns, wins = result.tally["turns"].moments(), result.tally["wins.0"].moments()[0]
    return estimate_mean(*turns, GAMES, "turns", CONFIDENCE), estimate_share(wins, GAMES, confidence=CONFIDENCE)


def test_chances_of_a_turn_add_up() -> None:
    for cards in product(range(3), repeat=2):
        if cards != (0, 0):
            assert sum(share for _, share in _after_roll(cards, (0, 0), 0, 3)) == 1


@pytest.mark.parametrize("bust_at", [3, 2])
def test_turns_and_win_share_agree_with_enumeration(bust_at: int) -> None:
    for measured, exact in zip(_measured(bust_at), _exact(bust_at), strict=True):
        assert measured.low < exact < measured.high


def test_a_bust_at_two_eddies_is_told_apart() -> None:
    for measured, exact in zip(_measured(2), _exact(3), strict=True):
        assert not measured.low < exact < measured.high
