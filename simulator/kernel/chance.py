"""Random draws that are addressed, not carried: Philox4x32-10 with the seed as key and the use of the draw as counter.

The counter says what a draw is for (playout, purpose, occasion), never how many draws came before it. So a changed rule,
or one draw more in turn 3, leaves every other draw where it was, and any playout can be replayed alone.

A block of the generator gives four words. A purpose is a number: block * 4 + lane. Purposes that usually occur together
should be lanes of one block, since a block is computed once per occasion.

Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.pointers import record_at

CHOICE_BLOCKS, GAME_BLOCKS, BLUNDER_BLOCKS = 4, 12, 4
"""Blocks of purposes: first those of the seats' choices, then a game's own, then those of the seats' blunders."""

BLUNDER_BLOCK = CHOICE_BLOCKS + GAME_BLOCKS
BLOCKS = BLUNDER_BLOCK + BLUNDER_BLOCKS

AHEAD_BLOCK, WATCH_BLOCK = 32, 48
"""Blocks, one for each decision and a single one, that give nested playouts a key of their own; see `nested_key`."""

MOST_NOTED = 1024
"""Draws that are noted until somebody reads the notes; more are counted only."""

NOTES = np.dtype([("count", "i8"), ("draw", "i8", (MOST_NOTED, 2))], align=True)
"""Draws by purpose and occasion, in order, for whoever checks that no two have one address."""

notes_at = record_at(NOTES)
"""The notes at an address."""

CHANCE = np.dtype(
    [
        ("seed", "u8"),
        ("playout", "u8"),
        ("occasion", "i8", (BLOCKS,)),
        ("word", "u8", (BLOCKS, 4)),
        ("notes_at", "i8"),  # address of a NOTES record where every draw is noted; 0 where none is
    ],
    align=True,
)
"""Where draws come from: key, playout, and the last block computed for each block of purposes.

While draws are noted no block is kept, so that each of them is computed anew: where draws are computed is the one spot that
has to ask, and where they are not noted it costs nothing.
"""

_U = np.uint64
_LOW = _U(0xFFFFFFFF)
_HALF = _U(32)
_MULTIPLIER_0, _MULTIPLIER_1 = _U(0xD2511F53), _U(0xCD9E8D57)
_WEYL_0, _WEYL_1 = _U(0x9E3779B9), _U(0xBB67AE85)
_TO_UNIT = 2.0**-32
_ATTEMPT_SHIFT = 16


def purpose_block(index: int) -> int:
    """First purpose of a game's block `index` (0, 1, ...); the block's four lanes follow one another.

    >>> purpose_block(1) - purpose_block(0)
    4
    """
    if not 0 <= index < GAME_BLOCKS:
        message = f"a game has purpose blocks 0 to {GAME_BLOCKS - 1}, not {index}"
        raise ValueError(message)
    return 4 * (CHOICE_BLOCKS + index)


@jit
def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> Any:
    """Four 32-bit words, each in a uint64, from counter (c0, c1, c2, c3) and key (k0, k1), all uint64 below 2**32."""
    for _ in range(10):
        p0 = _MULTIPLIER_0 * c0
        p1 = _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (p1 >> _HALF) ^ c1 ^ k0, p1 & _LOW, (p0 >> _HALF) ^ c3 ^ k1, p0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


@jit
def begin_playout(chance: Any, seed: Any, playout: Any) -> None:
    """Point `chance` at a playout (int64 or uint64, up to 2**63) of a seed (uint64) and forget all computed blocks."""
    chance.seed = seed
    chance.playout = playout
    for block in range(BLOCKS):
        chance.occasion[block] = -1


@jit
def _block(chance: Any, block: Any, occasion: Any, attempt: Any) -> Any:
    counter = _U(block) | (_U(attempt) << _U(_ATTEMPT_SHIFT))
    playout, seed = chance.playout, chance.seed
    return philox(_U(occasion) & _LOW, counter, playout & _LOW, playout >> _HALF, seed & _LOW, seed >> _HALF)


@jit
def _refresh(chance: Any, purpose: Any, occasion: Any) -> None:
    block = purpose >> 2
    a, b, c, d = _block(chance, block, occasion, 0)
    _keep(chance, block, occasion, a, b, c, d)
    if chance.notes_at != 0:
        _note(chance, purpose, occasion)


@jit
def _note(chance: Any, purpose: Any, occasion: Any) -> None:
    """Write a draw down, and see to it that the next one from its block is written down too."""
    notes = notes_at(chance.notes_at)
    n = notes.count
    if n < MOST_NOTED:
        notes.draw[n, 0] = purpose
        notes.draw[n, 1] = occasion
    notes.count = n + 1
    chance.occasion[purpose >> 2] = -1


@jit_inlined
def _keep(chance: Any, block: Any, occasion: Any, a: Any, b: Any, c: Any, d: Any) -> None:
    chance.word[block, 0] = a
    chance.word[block, 1] = b
    chance.word[block, 2] = c
    chance.word[block, 3] = d
    chance.occasion[block] = occasion


@jit
def nested_key(chance: Any, block: Any, occasion: Any) -> Any:
    """A key, uint64, for playouts within this playout: their draws have nothing to do with those of any game played.

    Args:
        chance: where the playout at hand draws from.
        block: AHEAD_BLOCK plus the decision, or WATCH_BLOCK.
        occasion: int64 in [0, 2**32), as for a draw.
    """
    a, b, _, _ = _block(chance, block, occasion, 0)
    return a | (b << _HALF)


@jit
def draw_ahead(chance: Any, purpose: Any, occasion: Any) -> None:
    """Compute the block of `purpose` and the one after it together, for less than two one by one.

    Worth calling where both will be needed on `occasion`; it changes no draw.
    """
    if chance.notes_at != 0:
        return
    block, at = purpose >> 2, _U(occasion) & _LOW
    playout_low, playout_high = chance.playout & _LOW, chance.playout >> _HALF
    k0, k1 = chance.seed & _LOW, chance.seed >> _HALF
    a0, a1, a2, a3 = at, _U(block), playout_low, playout_high
    b0, b1, b2, b3 = at, _U(block + 1), playout_low, playout_high
    for _ in range(10):
        p0, q0 = _MULTIPLIER_0 * a0, _MULTIPLIER_0 * b0
        p1, q1 = _MULTIPLIER_1 * a2, _MULTIPLIER_1 * b2
        a0, a1, a2, a3 = (p1 >> _HALF) ^ a1 ^ k0, p1 & _LOW, (p0 >> _HALF) ^ a3 ^ k1, p0 & _LOW
        b0, b1, b2, b3 = (q1 >> _HALF) ^ b1 ^ k0, q1 & _LOW, (q0 >> _HALF) ^ b3 ^ k1, q0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    _keep(chance, block, occasion, a0, a1, a2, a3)
    _keep(chance, block + 1, occasion, b0, b1, b2, b3)


@jit_inlined
def word(chance: Any, purpose: Any, occasion: Any) -> Any:
    """The 32 random bits, in a uint64, of `purpose` on `occasion` (int64 in [0, 2**32))."""
    block = purpose >> 2
    if chance.occasion[block] != occasion:
        _refresh(chance, purpose, occasion)
    return chance.word[block, purpose & 3]


@jit_inlined
def unit(chance: Any, purpose: Any, occasion: Any) -> Any:
    """A float64 in [0, 1), a multiple of 2**-32."""
    return word(chance, purpose, occasion) * _TO_UNIT


@jit_inlined
def below(chance: Any, purpose: Any, occasion: Any, n: Any) -> Any:
    """An unbiased int64 in [0, n) for 1 <= n < 2**32: multiply, and reject the few words that would favour some values.

    A rejected word is replaced by the same lane of the block's next attempt, which has an address of its own.

    Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
    """
    size = _U(n)
    product = word(chance, purpose, occasion) * size
    if product & _LOW < size:
        product = _unbiased(chance, purpose, occasion, size, product)
    return np.int64(product >> _HALF)


@jit
def _unbiased(chance: Any, purpose: Any, occasion: Any, size: Any, product: Any) -> Any:
    threshold = ((_LOW + _U(1)) - size) % size
    attempt = 0
    while product & _LOW < threshold:
        attempt += 1
        a, b, c, d = _block(chance, purpose >> 2, occasion, attempt)
        lane = purpose & 3
        fresh = a if lane == 0 else b if lane == 1 else c if lane == 2 else d  # noqa: PLR2004  the block's four lanes
        product = fresh * size
    return product
