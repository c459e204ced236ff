"""What a seat sees when it decides in Merry Grinchmas, and helpers for reading it. Strategies import from here.

A kind of Present is a number: colour + 8 * design. A hand is two words of counts, one per design; `count`, `missing` and
the other helpers read them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.grinchmas.rules import HOUSES, MAX_FACE_UP, MIXED, PAIR, TRIO
from simulator.games.grinchmas.state import (
    AGREE,
    CONSENT,
    DRAW_FROM_BAG,
    EXCHANGE,
    GIVE_UP,
    GRINCH_SCORES,
    NOTHING,
    OFFER,
    OPTIONS,
    REFUSE,
    SCORE,
    SCORE_OPTIONS,
    SPOTS,
    TAKE,
    TAKE_NOTHING,
)
from simulator.kernel import multiset
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record, view_dtype

__all__ = [
    "AGREE",
    "CONSENT",
    "DRAW_FROM_BAG",
    "EXCHANGE",
    "FAR",
    "GIVE_UP",
    "GRINCH_SCORES",
    "MIXED",
    "NOTHING",
    "OFFER",
    "PAIR",
    "REFUSE",
    "SCORE",
    "TAKE",
    "TAKE_NOTHING",
    "TRIO",
    "VIEW",
    "brought_nearer",
    "count",
    "lacking",
    "lacks_at",
    "observe",
    "survey",
    "with_token",
    "without_token",
]

FAR = 7
"""More Presents than any Wish asks for."""

_GUARD_BIT = np.uint64(7)

_FEW = 8
"""Hardly any decision has more options; to clear a fixed number of them takes a few stores and no loop."""

VIEW = view_dtype(
    [
        ("colours", "i4"),
        ("designs", "i4"),
        ("active", "i4"),  # whose turn it is
        ("mine", "u8", (2,)),  # the deciding seat's Presents
        ("house", "u8", (HOUSES, 2)),  # every house's Presents, those of free houses too
        ("hoard", "u8", (2,)),  # the Grinch's Presents
        ("bag", "u8", (2,)),  # what is in the bag follows from what is not
        ("spot", "i4", (SPOTS,)),  # kinds on A, B and C; NOTHING where empty
        ("position", "i4"),  # of the Grinch on the path
        ("stars", "i4"),
        ("grinch_stars", "i4"),
        ("lead_needed", "i4"),  # stars by which the players have to be ahead in the end: 0 where a tie is a win, else 1
        ("wishes_to_go", "i4"),  # how many the players still have to score
        ("n_wishes", "i4"),  # places for Wishes face up
        ("wish_kind", "i4", (MAX_FACE_UP,)),  # MIXED, PAIR or TRIO; NOTHING where there is no Wish
        ("wish_design", "i4", (MAX_FACE_UP,)),
        ("wish_need", "u8", (MAX_FACE_UP,)),
        ("wish_stars", "i4", (MAX_FACE_UP,)),
        # the options: TAKE has action and gain, OFFER partner, gain and lose, CONSENT action, gain and lose,
        # GIVE_UP lose; GRINCH_SCORES and SCORE have wish (NOTHING for none), scores and pay
        ("action", "i1", (OPTIONS,)),
        ("gain", "i1", (OPTIONS,)),
        ("lose", "i1", (OPTIONS,)),
        ("partner", "i1", (OPTIONS,)),
        ("wish", "i1", (SCORE_OPTIONS,)),
        ("scores", "i4", (SCORE_OPTIONS,)),
        ("pay", "u8", (SCORE_OPTIONS, 2)),
    ]
)


@jit
def observe(state: Record, rules: Record, view: Record) -> None:
    """Copy what the deciding seat may see: all of the table but the order of the pile."""
    if view.colours != rules.colours:  # in memory that this table has not filled before
        _clear(view)
    else:
        _forget_options(view)
    _observe_table(state, rules, view)
    n = state.n_options
    if state.decision == SCORE or state.decision == GRINCH_SCORES:
        for i in range(n):
            place = state.choice_wish[i]
            view.wish[i] = place
            view.scores[i] = view.wish_stars[place] if place >= 0 else 0
            view.pay[i, 0] = state.pay[i, 0]
            view.pay[i, 1] = state.pay[i, 1]
    elif state.decision == TAKE:
        for i in range(n):
            view.action[i] = state.action[i]
            view.gain[i] = state.gain[i]
    elif state.decision == GIVE_UP:
        for i in range(n):
            view.lose[i] = state.lose[i]
    else:
        for i in range(n):
            view.action[i] = state.action[i]
            view.gain[i] = state.gain[i]
            view.lose[i] = state.lose[i]
            view.partner[i] = state.partner[i]


@jit
def _clear(view: Record) -> None:
    """Make a view of what may be any memory, as far as not every decision fills it."""
    _forget_scores(view, SCORE_OPTIONS)
    _forget_others(view, OPTIONS)
    view.wish_need[:] = multiset.EMPTY
    view.wish_stars[:] = 0
    for place in range(MAX_FACE_UP):
        view.wish_kind[place] = view.wish_design[place] = NOTHING


@jit_inlined
def _forget_options(view: Record) -> None:
    """Clear the options of the decision that the view showed before."""
    if view.decision == SCORE or view.decision == GRINCH_SCORES:
        _forget_scores(view, view.n_options)
    else:
        _forget_others(view, view.n_options)


@jit
def _forget_scores(view: Record, n: Any) -> None:
    for i in range(_FEW):
        _forget_score(view, i)
    for i in range(_FEW, n):
        _forget_score(view, i)


@jit_inlined
def _forget_score(view: Record, i: Any) -> None:
    view.wish[i] = view.scores[i] = 0
    view.pay[i, 0] = view.pay[i, 1] = multiset.EMPTY


@jit_inlined
def _forget_others(view: Record, n: Any) -> None:
    for i in range(_FEW):
        _forget_other(view, i)
    for i in range(_FEW, n):
        _forget_other(view, i)


@jit_inlined
def _forget_other(view: Record, i: Any) -> None:
    view.action[i] = view.gain[i] = view.lose[i] = view.partner[i] = 0


@jit_inlined
def _observe_table(state: Record, rules: Record, view: Record) -> None:
    view.colours = rules.colours
    view.designs = rules.designs
    view.active = state.seat
    view.position = state.position
    view.stars = state.stars
    view.grinch_stars = state.grinch_stars
    view.lead_needed = 0 if rules.win_on_tie != 0 else 1
    view.wishes_to_go = rules.goal - state.wishes_scored
    for d in range(2):
        view.mine[d] = state.house[state.decider, d]
        view.hoard[d] = state.hoard[d]
        view.bag[d] = state.bag[d]
        for house in range(HOUSES):
            view.house[house, d] = state.house[house, d]
    for spot in range(SPOTS):
        view.spot[spot] = state.spot[spot]
    view.n_wishes = rules.face_up
    for place in range(rules.face_up):
        wish = state.wish[place]
        view.wish_kind[place] = rules.wish_kind[wish] if wish >= 0 else NOTHING
        view.wish_design[place] = rules.wish_design[wish] if wish >= 0 else NOTHING
        view.wish_need[place] = rules.wish_need[wish] if wish >= 0 else multiset.EMPTY
        view.wish_stars[place] = rules.wish_stars[wish] if wish >= 0 else 0


@jit
def count(hand: Any, kind: Any) -> Any:
    """How many Presents of `kind` a hand (two words) holds, int64."""
    return multiset.count(hand[kind >> 3], kind & 7)


@jit
def with_token(hand: Any, kind: Any) -> Any:
    """The two words of a hand with one Present of `kind` more; the same hand for NOTHING."""
    first, second = hand[0], hand[1]
    if kind < 0:
        return first, second
    if kind < multiset.KINDS:
        return first + multiset.one(kind), second
    return first, second + multiset.one(kind & 7)


@jit
def without_token(hand: Any, kind: Any) -> Any:
    """The two words of a hand with one Present of `kind` fewer; it must hold one."""
    first, second = hand[0], hand[1]
    if kind < multiset.KINDS:
        return first - multiset.one(kind), second
    return first, second - multiset.one(kind & 7)


@jit
def lacking(view: Record, place: Any, hand: Any) -> Any:
    """How many Presents a hand (two words) still lacks to pay the Wish at `place` of the view, int64; FAR if there is none."""
    kind, need = view.wish_kind[place], view.wish_need[place]
    if kind < 0:
        return np.int64(FAR)
    first, second = hand[0], hand[1]
    if kind == TRIO:
        return 3 - min(_most(first + second), 3)
    if kind == PAIR and need == multiset.EMPTY:
        return 2 - min(max(_most(first), _most(second)), 2)
    if kind == PAIR:
        return multiset.missing(second if view.wish_design[place] == 1 else first, need)
    return multiset.missing(first + second, need)


@jit_inlined
def survey(view: Record, hand: Any) -> Any:
    """What a hand (two words) lacks for every face-up Wish, and which Presents would bring it nearer, in three words.

    The first has a byte per place of a Wish: how many Presents are lacking. The other two, one per design, have a byte
    per colour: bit `place` is set if one more Present of that kind would bring the Wish at `place` nearer.
    `lacks_at` and `brought_nearer` read them.
    """
    first, second = hand[0], hand[1]
    lacks = nearer_first = nearer_second = multiset.EMPTY
    for place in range(view.n_wishes):
        kind, need = view.wish_kind[place], view.wish_need[place]
        if kind < 0:
            continue
        if kind == MIXED:
            n = multiset.missing(first + second, need)
            kinds_first = kinds_second = multiset.missing_kinds(first + second, need)
        elif need != multiset.EMPTY:
            n, kinds_first, kinds_second = _survey_pictured_pair(first, second, need, view.wish_design[place])
        else:
            n, kinds_first, kinds_second = _survey_equals(first, second, kind)
        lacks |= np.uint64(n) << np.uint64(8 * place)
        nearer_first |= (kinds_first >> _GUARD_BIT) << np.uint64(place)
        nearer_second |= (kinds_second >> _GUARD_BIT) << np.uint64(place)
    return lacks, nearer_first, nearer_second


@jit_inlined
def _survey_pictured_pair(first: Any, second: Any, need: Any, design: Any) -> Any:
    if design == 1:
        return multiset.missing(second, need), multiset.EMPTY, multiset.missing_kinds(second, need)
    return multiset.missing(first, need), multiset.missing_kinds(first, need), multiset.EMPTY


@jit_inlined
def _survey_equals(first: Any, second: Any, kind: Any) -> Any:
    """A trio counts a colour over both designs, a free pair each kind by itself."""
    wanted = np.int64(2)
    if kind == TRIO:
        wanted, first, second = np.int64(3), first + second, first + second
    most = min(max(_most(first), _most(second)), wanted)
    if most == wanted:
        return np.int64(0), multiset.EMPTY, multiset.EMPTY
    return wanted - most, multiset.at_least(first, most), multiset.at_least(second, most)


@jit_inlined
def lacks_at(lacks: Any, place: Any) -> Any:
    """Presents lacking for the Wish at `place`, int64, from the first word of `survey`."""
    return np.int64((lacks >> np.uint64(8 * place)) & np.uint64(7))


@jit_inlined
def brought_nearer(nearer_first: Any, nearer_second: Any, kind: Any) -> Any:
    """The places, bit by bit in a uint64, of the Wishes that a Present of `kind` brings nearer; none for NOTHING."""
    if kind < 0:
        return multiset.EMPTY
    word = nearer_first if kind < multiset.KINDS else nearer_second
    return (word >> np.uint64(8 * (kind & 7))) & np.uint64(255)


@jit_inlined
def _most(colours: Any) -> Any:
    """The largest count of any lane, up to 3, which is the most that a Wish asks for."""
    most = np.int64(0)
    for n in range(1, 4):
        most += multiset.at_least(colours, n) != multiset.EMPTY
    return most
