"""Piles, bags, hands and hoards in no order: multisets as counts by kind, packed into lanes of machine words.

A lane is the count of one kind and above it a guard bit, which lets all lanes of a word be compared in one subtraction.
`lanes` says how many kinds there are and how many bits each has; a game keeps what it returns as a constant, which the
compiler folds into the code. What fits into one word is a number: it adds and subtracts with + and -, as long as no count
leaves [0, limit]. What needs several words is an array of them, a pile, that is changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from simulator.kernel.bits import bits_set, zeros_below
from simulator.kernel.chance import below, draw_ahead, purpose_block
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record

WORD_BITS = 64

_OWN_DRAWS = purpose_block(0)

_U = np.uint64
EMPTY = _U(0)


class Lanes(NamedTuple):
    """How counts lie in words.

    Attributes:
        kinds: how many.
        bits: of each kind, the guard bit included.
        per_word: kinds in a word.
        words: how many.
        limit: largest count of a kind, and largest size of what is drawn from.
        top: where the last lane of a word begins.
        ones: a one in every lane of a word.
        guard: the guard bits.
        lane: the bits of the first lane.
        gather: what moves guard bits side by side to the end of a word; 0 where one multiplication cannot do that.
    """

    kinds: int
    bits: int
    per_word: int
    words: int
    limit: int
    top: np.uint64
    ones: np.uint64
    guard: np.uint64
    lane: np.uint64
    gather: np.uint64


def lanes(kinds: int, bits: int) -> Lanes:
    """Lanes of so many bits for so many kinds, in as few words as they need.

    >>> lanes(10, 12).words, lanes(10, 12).limit
    (2, 2047)
    """
    if not (kinds >= 1 and 2 <= bits <= WORD_BITS):  # noqa: PLR2004  a bit to count with, and the guard
        message = f"there have to be kinds, and 2 to {WORD_BITS} bits for each, not {kinds} kinds of {bits} bits"
        raise ValueError(message)
    words = -(-kinds // (WORD_BITS // bits))
    per_word = -(-kinds // words)
    ones = sum(1 << (bits * i) for i in range(per_word))
    guard = ones << (bits - 1)
    limit, lane, top = (1 << (bits - 1)) - 1, (1 << bits) - 1, bits * (per_word - 1)
    gather = sum(1 << (WORD_BITS - kinds - (bits - 1) * (i + 1)) for i in range(kinds)) if words == 1 and bits >= kinds else 0
    return Lanes(kinds, bits, per_word, words, limit, _U(top), _U(ones), _U(guard), _U(lane), _U(gather))


def packed(lanes: Lanes, counts: Iterable[int]) -> Any:
    """Counts of the kinds in their order, as a uint64, or as an array of them where they need several words."""
    words = [0] * lanes.words
    for kind, n in enumerate(counts):
        words[kind // lanes.per_word] += n << (lanes.bits * (kind % lanes.per_word))
    return _U(words[0]) if lanes.words == 1 else np.array(words, _U)


def unpacked(lanes: Lanes, cards: Any) -> list[int]:
    """The counts of the kinds in their order: what `packed` has packed."""
    words = [int(word) for word in np.atleast_1d(cards)]
    return [words[kind // lanes.per_word] >> (lanes.bits * (kind % lanes.per_word)) & int(lanes.lane) for kind in range(lanes.kinds)]


# ---------------------------------------------------------------- in one word
@jit_inlined
def one(lanes: Lanes, kind: Any) -> Any:
    """The multiset of a single one of `kind`, uint64."""
    return _U(1) << (_U(lanes.bits) * _U(kind))


@jit_inlined
def some(lanes: Lanes, kind: Any, n: Any) -> Any:
    """The multiset of `n` of `kind`, uint64."""
    return _U(n) << (_U(lanes.bits) * _U(kind))


@jit_inlined
def count(lanes: Lanes, cards: Any, kind: Any) -> Any:
    """How many of `kind`, int64."""
    return np.int64((_U(cards) >> (_U(lanes.bits) * _U(kind))) & lanes.lane)


@jit_inlined
def size(lanes: Lanes, cards: Any) -> Any:
    """How many in all, int64: one multiplication adds up all lanes in the last. Exact up to twice the limit and one more."""
    return np.int64(((cards * lanes.ones) >> lanes.top) & lanes.lane)


@jit_inlined
def covers(lanes: Lanes, have: Any, need: Any) -> Any:
    """Whether `have` holds every one of `need`."""
    return ((have | lanes.guard) - need) & lanes.guard == lanes.guard


@jit_inlined
def missing(lanes: Lanes, have: Any, need: Any) -> Any:
    """How many of `need` are not in `have`, int64."""
    short = (need | lanes.guard) - have
    kinds = ((short & lanes.guard) >> _U(lanes.bits - 1)) * _U(lanes.limit)
    return size(lanes, short & kinds)


@jit_inlined
def missing_kinds(lanes: Lanes, have: Any, need: Any) -> Any:
    """The kinds of which `have` holds fewer than `need`, as a set like that of `at_least`."""
    return ((need | lanes.guard) - have - lanes.ones) & lanes.guard


@jit_inlined
def at_least(lanes: Lanes, cards: Any, n: Any) -> Any:
    """The kinds of which there are `n` or more, 1 <= n <= limit, as the set of their guard bits.

    It is walked with `first_kind` and `without_first`; `ones_of` makes it a multiset.
    """
    return ((cards | lanes.guard) - _U(n) * lanes.ones) & lanes.guard


@jit_inlined
def ones_of(lanes: Lanes, kinds: Any) -> Any:
    """One of each kind in a set like that of `at_least`."""
    return kinds >> _U(lanes.bits - 1)


@jit_inlined
def first_kind(lanes: Lanes, kinds: Any) -> Any:
    """The lowest kind in a set that is not empty, int64."""
    return np.int64(zeros_below(kinds) // _U(lanes.bits))


@jit_inlined
def without_first(kinds: Any) -> Any:
    """The set without its lowest kind."""
    return kinds & (kinds - _U(1))


@jit_inlined
def kinds_in(lanes: Lanes, cards: Any) -> Any:
    """A bit for each kind of which there are any, the lowest kind in the lowest bit, int64.

    Where lanes are as wide as there are kinds, one multiplication moves the guard bit of lane i to where `kinds` bits from
    the end of the word bit i is, and none of the others there.
    """
    found, held = np.int64(0), at_least(lanes, cards, 1)
    if lanes.gather != EMPTY:
        return np.int64((held * lanes.gather) >> _U(WORD_BITS - lanes.kinds))
    for kind in range(lanes.kinds):
        found |= count(lanes, ones_of(lanes, held), kind) << kind
    return found


@jit_inlined
def kind_at(lanes: Lanes, cards: Any, rank: Any) -> Any:
    """Kind of the one at `rank` (int64 in [0, size)) when all lie sorted by kind, int64. At most `limit` in all.

    One multiplication gives the running totals of all lanes; the lanes whose total is at most `rank` are counted.
    """
    return np.int64(bits_set((((_U(rank) * lanes.ones) | lanes.guard) - cards * lanes.ones) & lanes.guard))


@jit_inlined
def draw(lanes: Lanes, cards: Any, chance: Any, purpose: Any, occasion: Any) -> Any:
    """Kind of one drawn uniformly, int64; -1 from an empty multiset. At most `limit` in all."""
    total = size(lanes, cards)
    if total == 0:
        return np.int64(-1)
    return kind_at(lanes, cards, below(chance, purpose, occasion, total))


# ---------------------------------------------------------------- in several words
@jit_inlined
def in_pile(lanes: Lanes, pile: Any, kind: Any) -> Any:
    """How many of `kind` a pile holds, int64."""
    word = kind // lanes.per_word
    return count(lanes, pile[word], kind - lanes.per_word * word)


@jit_inlined
def add_to_pile(lanes: Lanes, pile: Any, kind: Any, n: Any) -> None:
    """Put `n` of `kind` on a pile, or take them off if `n` is negative."""
    word = kind // lanes.per_word
    pile[word] += some(lanes, kind - lanes.per_word * word, n)


@jit_inlined
def pile_size(lanes: Lanes, pile: Any) -> Any:
    """How many a pile holds, int64."""
    total = size(lanes, pile[0])
    for word in range(1, lanes.words):
        total += size(lanes, pile[word])
    return total


@jit_inlined
def pile_kind_at(lanes: Lanes, pile: Any, rank: Any) -> Any:
    """As `kind_at`, for a pile, int64. At most `limit` in each word."""
    word, before, total = np.int64(0), np.int64(0), np.int64(0)
    for following in range(1, lanes.words):
        total += size(lanes, pile[following - 1])
        if rank >= total:
            word, before = np.int64(following), total
    return word * lanes.per_word + kind_at(lanes, pile[word], rank - before)


@jit_inlined
def pour(lanes: Lanes, source: Any, target: Any) -> None:
    """All of one pile goes into another one that is empty."""
    for word in range(lanes.words):
        target[word] = source[word]
        source[word] = EMPTY


@jit_inlined
def lay_out(lanes: Lanes, pile: Any, row: Any, at: Any) -> Any:
    """Lay a pile's contents out in an array from a place on, sorted by kind; the place after the last."""
    for kind in range(lanes.kinds):
        for _ in range(in_pile(lanes, pile, kind)):
            row[at] = kind
            at += 1
    return at


# ---------------------------------------------------------------- drawing and dealing
@jit_inlined
def own_draw(table: Record, seat: Any, n: Any) -> Any:
    """A number below `n`, int64, for what a seat draws from a deck that all share, addressed by the seat's own count of draws.

    So one seat's change of play does not shift what another draws. Seats take the game's blocks of purposes from 0 on.

    Args:
        table: the game's table, with a field `draws`: how often each seat has drawn.
        seat: who draws.
        n: how many cards the deck has, at least 1.
    """
    nth = np.int64(table.draws[seat])
    table.draws[seat] = nth + 1
    purpose, occasion = _OWN_DRAWS + 4 * seat, nth >> 2
    if nth & 3 == 0 and seat & 1 == 0 and table.draws[seat + 1] == nth:
        draw_ahead(table.chance, purpose, occasion)  # the next seat is about to need its block too
    return below(table.chance, purpose + (nth & 3), occasion, n)


@jit
def shuffle(table: Record, purpose: Any, row: Any, forbidden: Any, n: Any) -> None:
    """Swap each of the first `n` of an array with one before it or itself, where both then lie as they may.

    With nothing forbidden that is a fair shuffle at once. Else every arrangement that fits stays as likely as every other,
    and a few rounds, each with a purpose of its own, leave little of the one at the start, which has to fit.

    Args:
        table: the game's table.
        purpose: of the draws; their occasions are the places.
        row: kinds below 63.
        forbidden: for each place of `row`, bit by bit, int64, the kinds that may not lie there.
        n: how many.
    """
    for i in range(n - 1, 0, -1):
        j = below(table.chance, purpose, i, i + 1)
        one, other = np.int64(row[i]), np.int64(row[j])
        if (forbidden[i] >> other | forbidden[j] >> one) & 1 == 0:
            row[i], row[j] = other, one
