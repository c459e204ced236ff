"""A small Christmas Crocs whose seat shares are computed exactly, by enumeration and without the kernel.

Presents and canes alone, two players, two cards dealt, two slots. A turn: draw, then play a present or a cane as the
strategy says, or discard for want of a legal play; discards are reshuffled when the deck is empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from simulator import run
from simulator.stats.estimate import Estimate, estimate_mean, estimate_share

PRESENTS, CANES, DEAL, SLOTS, TURN_CAP = 5, 5, 2, 2, 25
GAMES = 1_000_000
CONFIDENCE = 0.9999
NOTHING_ELSE = {f"deck.{kind}": 0 for kind in ("santa", "elf", "scrooge", "grinch", "heart", "coal", "choo_choo", "snow")}
RULES = {
    **NOTHING_ELSE,
    "deck.present": PRESENTS,
    "deck.candy_cane": CANES,
    "hand.deal": DEAL,
    "slots.count": SLOTS,
    "turn_cap": TURN_CAP,
}

Cards = tuple[int, int]
"""Presents and canes."""


class Seat(NamedTuple):
    """A hand, and slots that are open, half-filled and full."""

    hand: Cards
    free: int
    half: int
    full: int


class Position(NamedTuple):
    """The table before a turn; the mover comes first."""

    mover: Seat
    other: Seat
    deck: Cards
    discards: Cards


def _plus(cards: Cards, kind: int, n: int = 1) -> Cards:
    return (cards[0] + n, cards[1]) if kind == 0 else (cards[0], cards[1] + n)


def _draw(deck: Cards) -> Iterator[tuple[int, float]]:
    """Kinds that can be drawn, with their chances."""
    for kind in range(2):
        if deck[kind]:
            yield kind, deck[kind] / sum(deck)


def _after_draw(position: Position) -> Iterator[tuple[Position, float]]:
    deck, discards = position.deck, position.discards
    if sum(deck) == 0:
        deck, discards = discards, (0, 0)
    if sum(deck) == 0:
        yield position, 1.0
        return
    for kind, chance in _draw(deck):
        mover = position.mover._replace(hand=_plus(position.mover.hand, kind))
        yield Position(mover, position.other, _plus(deck, kind, -1), discards), chance


def _plays(seat: Seat) -> list[tuple[str, list[Seat]]]:
    """What the mover can play: for each card the ways to put it down."""
    plays = []
    without = (_plus(seat.hand, 0, -1), _plus(seat.hand, 1, -1))
    if seat.hand[0] and seat.free:
        plays.append(("present", [Seat(without[0], seat.free - 1, seat.half, seat.full + 1)]))
    ways = []
    if seat.free:
        ways.append(Seat(without[1], seat.free - 1, seat.half + 1, seat.full))
    if seat.half:
        ways.append(Seat(without[1], seat.free, seat.half - 1, seat.full + 1))
    if seat.hand[1] and ways:
        plays.append(("cane", ways))
    return plays


def _after_play(position: Position, strategy: str) -> Iterator[tuple[Position, float]]:
    """`uniform` picks evenly a card and then a way; `builder` takes the first card and the last way."""
    mover = position.mover
    plays = _plays(mover)
    if plays:
        chosen = plays[:1] if strategy == "builder" else plays
        for _, ways in chosen:
            taken = ways[-1:] if strategy == "builder" else ways
            for seat in taken:
                yield position._replace(mover=seat), 1 / len(chosen) / len(taken)
        return
    held = [kind for kind in range(2) if mover.hand[kind]]
    if strategy == "builder":
        held = held[-1:]  # it would rather discard a cane
    if not held:
        yield position, 1.0
    for kind in held:
        after = mover._replace(hand=_plus(mover.hand, kind, -1))
        yield position._replace(mover=after, discards=_plus(position.discards, kind)), 1 / len(held)


def _deals() -> dict[Position, float]:
    empty = Seat((0, 0), SLOTS, 0, 0)
    now: dict[Position, float] = {Position(empty, empty, (PRESENTS, CANES), (0, 0)): 1.0}
    for nth in range(2 * DEAL):
        then: defaultdict[Position, float] = defaultdict(float)
        for position, chance in now.items():
            for kind, likely in _draw(position.deck):
                seats = [position.mover, position.other]
                seats[nth % 2] = seats[nth % 2]._replace(hand=_plus(seats[nth % 2].hand, kind))
                then[Position(seats[0], seats[1], _plus(position.deck, kind, -1), (0, 0))] += chance * likely
        now = dict(then)
    return now


@cache
def _exact(strategy: str) -> tuple[float, float, float, float]:
    """Shares of seat 0, of seat 1 and of unfinished playouts, and the expected turns."""
    now, wins, turns = _deals(), [0.0, 0.0], 0.0
    for turn in range(TURN_CAP):
        turns += sum(now.values())
        then: defaultdict[Position, float] = defaultdict(float)
        for position, chance in now.items():
            for drawn, likely in _after_draw(position):
                for played, share in _after_play(drawn, strategy):
                    if played.mover.full == SLOTS:
                        wins[turn % 2] += chance * likely * share
                    else:
                        then[Position(played.other, played.mover, played.deck, played.discards)] += chance * likely * share
        now = dict(then)
    return wins[0], wins[1], sum(now.values()), turns


@cache
def _measured(strategy: str, canes: int) -> tuple[Estimate, ...]:
    result = run("crocs", players=2, games=GAMES, strategies=[strategy], rules={**RULES, "slots.canes": canes})
    shares = (result.tally[name].moments()[0] for name in ("wins.0", "wins.1", "unfinished"))
    turns = estimate_mean(*result.tally["turns"].moments(), GAMES, "turns", CONFIDENCE)
    return (*(estimate_share(n, GAMES, confidence=CONFIDENCE) for n in shares), turns)


@pytest.mark.parametrize("strategy", ["uniform", "builder"])
def test_enumeration_accounts_for_every_playout(strategy: str) -> None:
    assert sum(_exact(strategy)[:3]) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("strategy", ["uniform", "builder"])
def test_seat_shares_and_turns_agree_with_enumeration(strategy: str) -> None:
    for measured, exact in zip(_measured(strategy, 2), _exact(strategy), strict=True):
        assert measured.low <= exact <= measured.high


def test_a_third_cane_to_a_slot_is_told_apart() -> None:
    for measured, exact in zip(_measured("uniform", 3), _exact("uniform"), strict=True):
        assert not measured.low <= exact <= measured.high
