"""Multisets as machine words: bags, hands and hoards as counts by kind, eight kinds to a uint64.

Each kind has one byte: seven bits of count and a guard bit above them, which lets all lanes be compared in one
subtraction. Two multisets add and subtract with + and -, as long as no count leaves [0, LANE_LIMIT].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.kernel.bits import bits_set, zeros_below
from simulator.kernel.chance import below
from simulator.kernel.jit import jit

KINDS = 8
"""Kinds per word."""

LANE_LIMIT = 127
"""Largest count of a kind, and largest size of a multiset that `draw` is used on."""

_U = np.uint64
EMPTY = _U(0)
_ONES = _U(0x0101010101010101)
_GUARD = _U(0x8080808080808080)
_GATHER = _U(0x0002040810204081)
_COUNT = _U(0x7F)
_TOP = _U(56)
_LANE_SHIFT = _U(3)


@jit
def one(kind: Any) -> Any:
    """The multiset of a single token of `kind`."""
    return _U(1) << (_U(kind) << _LANE_SHIFT)


@jit
def count(multiset: Any, kind: Any) -> Any:
    """How many tokens of `kind`, int64."""
    return np.int64((multiset >> (_U(kind) << _LANE_SHIFT)) & _COUNT)


@jit
def size(multiset: Any) -> Any:
    """How many tokens in all, int64; exact up to 255."""
    return np.int64((multiset * _ONES) >> _TOP)


@jit
def covers(have: Any, need: Any) -> Any:
    """Whether `have` holds every token of `need`."""
    return ((have | _GUARD) - need) & _GUARD == _GUARD


@jit
def missing(have: Any, need: Any) -> Any:
    """How many tokens of `need` are not in `have`, int64."""
    short = (need | _GUARD) - have
    lanes = ((short & _GUARD) >> _U(7)) * _COUNT
    return np.int64(((short & lanes) * _ONES) >> _TOP)


@jit
def missing_kinds(have: Any, need: Any) -> Any:
    """The kinds of which `have` holds fewer than `need`, as a set like that of `at_least`."""
    return ((need | _GUARD) - have - _ONES) & _GUARD


@jit
def at_least(multiset: Any, n: Any) -> Any:
    """The kinds with `n` tokens or more, 1 <= n <= 127, as a set to be walked with `first_kind` and `without_first`."""
    return ((multiset | _GUARD) - _U(n) * _ONES) & _GUARD


@jit
def first_kind(kinds: Any) -> Any:
    """The lowest kind in a set that is not empty, int64."""
    return np.int64(zeros_below(kinds) >> _LANE_SHIFT)


@jit
def without_first(kinds: Any) -> Any:
    """The set without its lowest kind."""
    return kinds & (kinds - _U(1))


@jit
def kinds_in(multiset: Any) -> Any:
    """A bit for each kind of which there are tokens, the lowest kind in the lowest bit, int64.

    The multiplication moves the guard bit of lane i, which is bit 8 i + 7, to bit 56 + i, and none of the others there.
    """
    return np.int64((at_least(multiset, 1) * _GATHER) >> _TOP)


@jit
def kind_at(multiset: Any, rank: Any) -> Any:
    """Kind of the token at `rank` (int64 in [0, size)) when the tokens lie sorted by kind, int64.

    One multiplication gives the running totals of all lanes; the lanes whose total is at most `rank` are counted.
    """
    totals = multiset * _ONES
    return np.int64(bits_set((((_U(rank) * _ONES) | _GUARD) - totals) & _GUARD))


@jit
def draw(multiset: Any, chance: Any, purpose: Any, occasion: Any) -> Any:
    """Kind of one uniformly drawn token, int64; -1 from an empty multiset. At most LANE_LIMIT tokens in all."""
    total = size(multiset)
    if total == 0:
        return np.int64(-1)
    return kind_at(multiset, below(chance, purpose, occasion, total))
