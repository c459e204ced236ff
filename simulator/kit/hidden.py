"""Dealing afresh what a seat cannot see, as it follows from the declaration of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit
from simulator.kernel.memory import address, head_at, put_word, word_at
from simulator.kernel.records import MAX_HIDDEN, MAX_SEATS, Record

_DRAW = purpose_block(0)  # under the key of a nested playout, which has no other draws yet
_WORD = 8
PLACE, STEP, SEATS, OWNED, WORDS, BITS, PER_WORD, KINDS = range(8)
"""Columns of the head's list of hidden piles; `TableDeclaration.hidden` fills it."""


@jit
def redeal(table: Record, rules: Record, seat: Any) -> None:  # noqa: ARG001  the signature of a game's own
    """All cards that lie where `seat` cannot see them go into one pool and are dealt out again, to each place as many as before."""
    _deal_afresh(address(table), np.int64(seat))


@jit
def _deal_afresh(at: Any, seat: Any) -> None:
    head = head_at(at)
    kinds, left = np.int64(0), np.int64(0)
    for i in range(head.n_hidden_piles):
        kinds = max(kinds, head.hidden_piles[i, KINDS])
    pool, sizes = np.zeros(kinds, np.int64), np.zeros((MAX_HIDDEN, MAX_SEATS), np.int64)
    for i in range(head.n_hidden_piles):
        for owner in range(head.hidden_piles[i, SEATS]):
            if head.hidden_piles[i, OWNED] == 0 or owner != seat:
                sizes[i, owner] = _take_up(
                    at + head.hidden_piles[i, PLACE] + owner * head.hidden_piles[i, STEP], head.hidden_piles[i], pool
                )
                left += sizes[i, owner]
    for i in range(head.n_hidden_piles):
        for owner in range(head.hidden_piles[i, SEATS]):
            place = at + head.hidden_piles[i, PLACE] + owner * head.hidden_piles[i, STEP]
            for _ in range(sizes[i, owner]):
                _put_down(place, head.hidden_piles[i], _drawn(head.chance, pool, left))
                left -= 1


@jit
def _take_up(place: Any, pile: Any, pool: Any) -> Any:
    """Put the pile at an address into the pool, which is counts by kind; how many cards it had."""
    n, lane = np.int64(0), (np.int64(1) << pile[BITS]) - 1
    for word in range(pile[WORDS]):
        held = word_at(place + _WORD * word)
        put_word(place + _WORD * word, np.int64(0))
        for i in range(min(pile[PER_WORD], len(pool) - word * pile[PER_WORD])):
            found = (held >> (pile[BITS] * i)) & lane
            pool[word * pile[PER_WORD] + i] += found
            n += found
    return n


@jit
def _drawn(chance: Record, pool: Any, left: Any) -> Any:
    """The kind of a card drawn from the pool, in which so many are left; the number of those left is the draw's occasion."""
    rank, kind = below(chance, _DRAW, left, left), np.int64(0)
    while rank >= pool[kind]:
        rank -= pool[kind]
        kind += 1
    pool[kind] -= 1
    return kind


@jit
def _put_down(place: Any, pile: Any, kind: Any) -> None:
    """Put a card of a kind on the pile at an address."""
    word = place + _WORD * (kind // pile[PER_WORD])
    put_word(word, word_at(word) + (np.int64(1) << (pile[BITS] * (kind % pile[PER_WORD]))))
