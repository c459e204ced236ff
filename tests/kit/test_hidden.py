"""What a seat cannot see is dealt afresh as the table declares it: the same numbers from one pool, and nothing of it tells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulator import kit
from simulator.game import Game
from simulator.kit.piles import count, lanes, one, packed, unpacked
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.registry.lineup import make_player
from simulator.rules import GameRules
from strategies.declare import strategy

KINDS, SEATS = 10, 3
HAND, DECK = lanes(KINDS, 6), lanes(KINDS, 12)
HANDS = [[0, 1, 2, 0, 0, 0, 0, 0, 0, 3], [2, 0, 0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 4, 0, 0, 0, 1, 0, 0]]
LEFT, OPEN = [5, 4, 3, 2, 1, 0, 1, 2, 3, 40], [1] * KINDS


@kit.jit
def guess(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    """Seat 0 guesses which of two kinds the next seat's only card is, and wins if it is right."""
    guessed = kit.choose(table, seat, 0, 2)
    kit.win(table, 0 if count(HAND, table.hand[1], guessed) == 1 else 1)


@kit.jit
def deal_one_each(table: Any, rules: Any) -> None:  # noqa: ARG001  the signature of a deal
    """One card of each of two kinds: to seat 1, and the other to seat 2."""
    first = kit.spin(table, 1, 2)
    table.hand[1], table.hand[2] = one(HAND, first), one(HAND, 1 - first)


GUESSING = Game(
    name="guessing",
    title="Guessing",
    version="1",
    players=(SEATS, SEATS),
    rules=GameRules,
    table=kit.table(
        hand=kit.per_seat(kit.cards(HAND), seen_by=kit.OWNER),
        deck=kit.cards(DECK, seen_by=kit.NOBODY),
        discards=kit.cards(DECK),
    ),
    deal=deal_one_each,
    turn=guess,
    decisions=("which",),
    summary="Guess.",
    story=kit.Sentences({}),
)


@strategy("guessing")
def first(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Takes the first."""
    return 0


@pytest.fixture
def laid() -> Any:
    """A table on which the cards above lie."""
    table = Table(GUESSING, GUESSING.rules(), (make_player(first),) * SEATS)
    record = table.memory[0]
    for seat, hand in enumerate(HANDS):
        record["hand"][seat] = packed(HAND, hand)
    record["deck"], record["discards"] = packed(DECK, LEFT), packed(DECK, OPEN)
    record["chance"]["occasion"] = -1
    return table


def dealt_afresh(table: Any, seat: int, playout: int) -> tuple[list[list[int]], list[int], list[int]]:
    """The hands, the deck and what lies open, after dealing afresh what a seat cannot see."""
    table.memory["chance"]["playout"], table.memory["chance"]["occasion"] = playout, -1
    Stepper(table, 1).redeal(seat)
    record = table.memory[0]
    return [unpacked(HAND, hand) for hand in record["hand"][:SEATS]], unpacked(DECK, record["deck"]), unpacked(DECK, record["discards"])


@pytest.mark.parametrize("seat", range(SEATS))
def test_all_that_a_seat_cannot_see_is_one_pool_and_comes_back_in_the_same_numbers(laid: Any, seat: int) -> None:
    seen = []
    for playout in range(20):
        hands, deck, discards = dealt_afresh(laid, seat, playout)
        assert hands[seat] == HANDS[seat]
        assert discards == OPEN
        assert [sum(hand) for hand in hands] == [sum(hand) for hand in HANDS]
        assert np.array([*hands, deck]).sum(axis=0).tolist() == np.array([*HANDS, LEFT]).sum(axis=0).tolist()
        seen.append(hands)
    assert len({str(hands) for hands in seen}) > 10


def test_every_card_of_the_pool_is_as_likely_to_come_to_a_hand(laid: Any) -> None:
    pool = np.array([*HANDS[1:], LEFT]).sum(axis=0)
    found = np.zeros(KINDS)
    playouts = 4_000
    for playout in range(playouts):
        found += dealt_afresh(laid, 0, playout)[0][1]
    expected = playouts * sum(HANDS[1]) * pool / pool.sum()
    assert ((found - expected) ** 2 / expected)[expected > 0].sum() < 40  # nine degrees of freedom: one in a hundred thousand


def test_thinking_ahead_does_not_use_what_is_hidden() -> None:
    """Where a look at the other hand would win every time, half are won."""
    ahead = replace(make_player(first), rollouts=64)
    table = Table(GUESSING, GUESSING.rules(), (ahead, *(make_player(first),) * (SEATS - 1)))
    rows = np.zeros((400, len(table.metrics)), np.int32)
    done, fault = table.play(3, 0, rows, np.zeros(2, np.int64))
    assert done == len(rows), fault
    assert 150 < rows[:, 0].sum() < 250
