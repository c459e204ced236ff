"""Draws of Merry Grinchmas that almost never happen."""

from __future__ import annotations

import pytest
from cases import SEED, needs_gcc
from twin import difference

from simulator.games.grinchmas import GAME

REJECTED = ((7_186_605, 1, 49), (43_469_356, 0, 50))
"""Playouts of SEED with a spot whose first word would favour some tokens and is replaced: playout, spot, tokens in the bag."""

pytestmark = needs_gcc


@pytest.mark.parametrize(("playout", "spot", "tokens"), REJECTED)
def test_rejected_word(playout: int, spot: int, tokens: int) -> None:
    """One draw in 10**8 has its word rejected; here are two of them."""
    word = _philox((0, 5, playout, 0), (SEED, 0))[spot]
    assert word * tokens % 2**32 < 2**32 % tokens
    for players in range(2, 7):
        assert not difference("grinchmas", GAME.rules(), ("uniform",) * players, SEED, playout, 1)


def _philox(counter: tuple[int, ...], key: tuple[int, int]) -> tuple[int, ...]:
    """Philox4x32-10 in whole numbers."""
    c0, c1, c2, c3 = counter
    for i in range(10):
        k0, k1 = (key[0] + i * 0x9E3779B9) % 2**32, (key[1] + i * 0xBB67AE85) % 2**32
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 % 2**32, (p0 >> 32) ^ c3 ^ k1, p0 % 2**32
    return c0, c1, c2, c3
