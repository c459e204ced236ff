"""What cannot be seen in Christmas Crocs, the deck and the other hands, dealt afresh as everything that is known to all allows."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.crocs.rules import KINDS, MAX_CARDS, MAX_HAND
from simulator.games.crocs.table import HAND, PILE, REDEAL_CHANCE
from simulator.kernel.jit import jit
from simulator.kernel.records import Record
from simulator.kit.piles import EMPTY, add_to_pile, count, lay_out, one, shuffle

MAX_HELD = MAX_HAND + 1  # the dealt cards and the one drawn
ROUNDS = 4


@jit
def redeal(table: Record, rules: Record, seat: Any) -> None:  # noqa: ARG001  what is hidden lies on the table
    """Deal afresh what `seat` cannot see.

    Known are the hands' sizes, and for each kind of card how many of a seat's oldest cards are not of it: no present when
    it had none to give, nothing that could have been played when it had no legal play. A seat is not taken to remember
    what went into the deck when the discards were last shuffled, nor to guess from what others chose to play.
    """
    unseen, forbidden = np.empty(MAX_CARDS, np.int8), np.zeros(MAX_CARDS, np.int64)  # for each card the kinds it cannot be, bit by bit
    held, known = np.int64(0), EMPTY
    for other in range(table.seats):
        if other != seat:
            held = _line_up(table, other, unseen, forbidden, held)
            known |= table.known_not[other]
    cards = lay_out(PILE, table.pile, unseen, held)
    for nth in range(1 if known == EMPTY else ROUNDS):
        shuffle(table, REDEAL_CHANCE + nth, unseen, forbidden, cards)
    _take_up(table, seat, unseen, held, cards)


@jit
def _line_up(table: Record, seat: Any, unseen: Any, forbidden: Any, at: Any) -> Any:
    """Lay out a hand from a place on, its oldest card first, in an order that fits what is known; the place after it.

    A kind that is ruled out for more of the oldest cards takes its place among the newest first.
    """
    end = at + table.hand_sizes[seat]
    last = end
    for ruled_out in range(MAX_HELD, -1, -1):
        for kind in range(KINDS):
            if count(HAND, table.known_not[seat], kind) == ruled_out:
                for i in range(min(ruled_out, table.hand_sizes[seat])):
                    forbidden[at + i] |= 1 << kind
                for _ in range(count(HAND, table.hand[seat], kind)):
                    last -= 1
                    unseen[last] = kind
    return end


@jit
def _take_up(table: Record, seat: Any, unseen: Any, held: Any, cards: Any) -> None:
    """Gather the cards laid out into hands and deck."""
    at = 0
    for other in range(table.seats):
        if other != seat:
            table.hand[other] = EMPTY
            for _ in range(table.hand_sizes[other]):
                table.hand[other] += one(HAND, unseen[at])
                at += 1
    table.pile[:] = EMPTY
    for i in range(held, cards):
        add_to_pile(PILE, table.pile, np.int64(unseen[i]), 1)
