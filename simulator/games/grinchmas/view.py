"""What a seat sees when it decides in Merry Grinchmas: names of what is asked, and helpers. Strategies import from here.

The view's fields are those of the table (`simulator/games/grinchmas/table.py`) that everybody sees. A kind of Present is a number:
colour + 8 * design. A hand is two words of counts, one per design; `count`, `lacking` and the other helpers read them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.grinchmas.rules import NOTHING as _NOTHING
from simulator.games.grinchmas.rules import WishKind
from simulator.games.grinchmas.table import COLOURS, Action, Decision
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record
from simulator.kit import piles

TAKE, SCORE, OFFER, GRINCH_SCORES, GIVE_UP, CONSENT = Decision
TAKE_A, TAKE_B, TAKE_C, DRAW_FROM_BAG, EXCHANGE, AGREE, REFUSE, NO_ACTION, TAKE_NOTHING = Action
MIXED, PAIR, TRIO = WishKind
NOTHING = _NOTHING

FAR = 7
"""More Presents than any Wish asks for."""

_GUARD_BIT = np.uint64(7)


@jit
def count(hand: Any, kind: Any) -> Any:
    """How many Presents of `kind` a hand (two words) holds, int64."""
    return piles.count(COLOURS, hand[kind >> 3], kind & 7)


@jit
def with_token(hand: Any, kind: Any) -> Any:
    """The two words of a hand with one Present of `kind` more; the same hand for NOTHING."""
    first, second = hand[0], hand[1]
    if kind < 0:
        return first, second
    if kind < COLOURS.kinds:
        return first + piles.one(COLOURS, kind), second
    return first, second + piles.one(COLOURS, kind & 7)


@jit
def without_token(hand: Any, kind: Any) -> Any:
    """The two words of a hand with one Present of `kind` fewer; it must hold one."""
    first, second = hand[0], hand[1]
    if kind < COLOURS.kinds:
        return first - piles.one(COLOURS, kind), second
    return first, second - piles.one(COLOURS, kind & 7)


@jit_inlined
def lacking(view: Record, place: Any, hand: Any) -> Any:
    """How many Presents a hand (two words) still lacks to pay the Wish at `place` of the view, int64; FAR if there is none."""
    kind, need = view.wish_kind[place], view.wish_need[place]
    if kind < 0:
        return np.int64(FAR)
    first, second = hand[0], hand[1]
    if kind == TRIO:
        return 3 - min(_most(first + second), 3)
    if kind == PAIR and need == piles.EMPTY:
        return 2 - min(max(_most(first), _most(second)), 2)
    if kind == PAIR:
        return piles.missing(COLOURS, second if view.wish_design[place] == 1 else first, need)
    return piles.missing(COLOURS, first + second, need)


@jit_inlined
def survey(view: Record, hand: Any) -> Any:
    """What a hand (two words) lacks for every face-up Wish, and which Presents would bring it nearer, in three words.

    The first has a byte per place of a Wish: how many Presents are lacking. The other two, one per design, have a byte
    per colour: bit `place` is set if one more Present of that kind would bring the Wish at `place` nearer.
    `lacks_at` and `brought_nearer` read them.
    """
    first, second = hand[0], hand[1]
    lacks = nearer_first = nearer_second = piles.EMPTY
    for place in range(view.n_wishes):
        kind, need = view.wish_kind[place], view.wish_need[place]
        if kind < 0:
            continue
        if kind == MIXED:
            n = piles.missing(COLOURS, first + second, need)
            kinds_first = kinds_second = piles.missing_kinds(COLOURS, first + second, need)
        elif need != piles.EMPTY:
            need_first, need_second = (piles.EMPTY, need) if view.wish_design[place] == 1 else (need, piles.EMPTY)
            n = piles.missing(COLOURS, first, need_first) + piles.missing(COLOURS, second, need_second)
            kinds_first, kinds_second = piles.missing_kinds(COLOURS, first, need_first), piles.missing_kinds(COLOURS, second, need_second)
        else:
            n, kinds_first, kinds_second = _survey_equals(first, second, kind)
        lacks |= np.uint64(n) << np.uint64(8 * place)
        nearer_first |= (kinds_first >> _GUARD_BIT) << np.uint64(place)
        nearer_second |= (kinds_second >> _GUARD_BIT) << np.uint64(place)
    return lacks, nearer_first, nearer_second


@jit_inlined
def _survey_equals(first: Any, second: Any, kind: Any) -> Any:
    """A trio counts a colour over both designs, a free pair each kind by itself."""
    wanted = np.int64(2)
    if kind == TRIO:
        wanted, first, second = np.int64(3), first + second, first + second
    most = min(max(_most(first), _most(second)), wanted)
    if most == wanted:
        return np.int64(0), piles.EMPTY, piles.EMPTY
    return wanted - most, piles.at_least(COLOURS, first, most), piles.at_least(COLOURS, second, most)


@jit_inlined
def lacks_at(lacks: Any, place: Any) -> Any:
    """Presents lacking for the Wish at `place`, int64, from the first word of `survey`."""
    return np.int64((lacks >> np.uint64(8 * place)) & np.uint64(7))


@jit_inlined
def brought_nearer(nearer_first: Any, nearer_second: Any, kind: Any) -> Any:
    """The places, bit by bit in a uint64, of the Wishes that a Present of `kind` brings nearer; none for NOTHING."""
    if kind < 0:
        return piles.EMPTY
    word = nearer_first if kind < COLOURS.kinds else nearer_second
    return (word >> np.uint64(8 * (kind & 7))) & np.uint64(255)


@jit_inlined
def _most(colours: Any) -> Any:
    """The largest count of any lane, up to 3, which is the most that a Wish asks for."""
    most = np.int64(0)
    for n in range(1, 4):
        most += piles.at_least(COLOURS, colours, n) != piles.EMPTY
    return most
