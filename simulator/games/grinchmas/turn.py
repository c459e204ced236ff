"""Merry Grinchmas, step by step. The functions carry the rulebook's headings and stand in its order.

"G" and a number refer to a ruling on a point that the rulebook leaves open; `docs/grinchmas.md` lists them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.grinchmas.rules import FEET_FACE, HOUSE_SPACE, HOUSES, MAX_SPACE, PAIR, PRESENT_SPACE, SPOT_A, SPOT_C, TRIO
from simulator.games.grinchmas.state import (
    AGREE,
    AGREED,
    BAG_WAS_EMPTY,
    CANNOT_SCORE,
    CONSENT,
    CONSENT_PHASE,
    COUNTERS,
    DECLINED,
    DECLINED_TO_SCORE,
    DRAW_FROM_BAG,
    EMPTY_BAG,
    EXCHANGE,
    EXCHANGES,
    GAME_ENDED,
    GAME_OVER_PHASE,
    GIVE_UP,
    GIVE_UP_PHASE,
    GRINCH_CANNOT_SCORE,
    GRINCH_SCORED,
    GRINCH_SCORES,
    GRINCH_SCORES_PHASE,
    HOUSE_DRAW,
    MIXED_BY_GRINCH,
    MIXED_BY_PLAYERS,
    MOVED,
    NO_ACTION,
    NOTHING,
    OFFER,
    OFFER_PHASE,
    OFFERED,
    REDEAL_DRAW,
    REFILL_PHASE,
    REFILLED_HOUSE,
    REFILLED_SPOT,
    REFUSALS,
    REFUSED,
    RESHUFFLED,
    SAT_DOWN,
    SCORE,
    SCORE_PHASE,
    SCORED,
    SPIN_DRAW,
    SPIN_PHASE,
    SPOT_DRAW,
    SPOTS,
    SPUN,
    STEAL_DRAW,
    STEALS_NOTHING,
    STOLEN,
    STOLEN_FROM_BAG,
    STOLEN_FROM_FREE_HOUSE,
    STOLEN_FROM_PLAYER,
    STOLEN_FROM_SPOT,
    STOLEN_ON_MAX,
    TAKE,
    TAKE_A,
    TAKE_DRAW,
    TAKE_NOTHING,
    TAKE_PHASE,
    TOOK,
    TURNED_UP,
    WISH_DRAW,
)
from simulator.kernel.chance import below, draw_ahead
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.multiset import (
    EMPTY,
    KINDS,
    at_least,
    count,
    covers,
    first_kind,
    kind_at,
    one,
    size,
    without_first,
)
from simulator.kernel.playout import begin_turn, note
from simulator.kernel.records import OVER, Record

_DESIGN_SHIFT = 3
_COLOUR_MASK = 7
_TRIO_SIZE = 3
_PAIR_SIZE = 2
_BLOCK_SHIFT = 2
_LANE_MASK = 3


# ---------------------------------------------------------------- tokens: one word per design, one lane per colour
@jit_inlined
def _give_house(state: Record, house: Any, kind: Any) -> None:
    state.house[house, kind >> _DESIGN_SHIFT] += one(kind & _COLOUR_MASK)


@jit_inlined
def _take_from_house(state: Record, house: Any, kind: Any) -> None:
    state.house[house, kind >> _DESIGN_SHIFT] -= one(kind & _COLOUR_MASK)


@jit_inlined
def _draw_from_bag(state: Record, chance: Record, purpose: Any) -> Any:
    """Kind of a random Present, out of the bag; NOTHING from an empty bag (G8), which is counted."""
    first = size(state.bag[0])
    total = first + size(state.bag[1])
    if total == 0:
        state.count[EMPTY_BAG] += 1
        note(state, BAG_WAS_EMPTY, 0, 0, 0)
        return np.int64(NOTHING)
    rank = below(chance, purpose, state.turn, total)
    kind = kind_at(state.bag[0], rank) if rank < first else KINDS + kind_at(state.bag[1], rank - first)
    state.bag[kind >> _DESIGN_SHIFT] -= one(kind & _COLOUR_MASK)
    return kind


# ---------------------------------------------------------------- Set Up
@jit
def deal(state: Record, rules: Record, chance: Record) -> None:
    """Set Up: Wishes shuffled and turned up, Presents on the spots and on every house that nobody chose.

    Seats have the houses of their order (G22).
    """
    state.phase = SPIN_PHASE
    state.seat = state.decider = 0
    state.position = rules.start
    state.space = MAX_SPACE
    state.asked = 0
    for d in range(2):
        state.bag[d] = rules.bag[d]
        state.hoard[d] = EMPTY
        for house in range(HOUSES):
            state.house[house, d] = EMPTY
    for i in range(rules.pile_size):
        state.pile[i] = rules.pile[i]
    state.pile_size = rules.pile_size
    state.turned_up = state.n_scored = state.wishes_scored = state.stars = state.grinch_stars = 0
    for i in range(COUNTERS):
        state.count[i] = 0
    for spot in range(SPOTS):
        state.spot[spot] = NOTHING
    for place in range(rules.face_up):
        state.wish[place] = NOTHING
    note(state, SAT_DOWN, state.seats, state.position, 0)
    _refill_wishes(state, rules, chance)
    _refill_presents(state, chance)


# ---------------------------------------------------------------- On Your Turn
@jit
def advance(state: Record, rules: Record, chance: Record) -> Any:  # noqa: C901  one branch per phase of a turn
    """Play on through the steps of the turn up to the next decision; its seat, or OVER."""
    while state.phase != GAME_OVER_PHASE:
        if state.phase == SPIN_PHASE:
            if not begin_turn(state):
                return np.int64(OVER)
            _spin_and_move(state, rules, chance)
            _steal(state, chance)
        elif state.phase == GRINCH_SCORES_PHASE:
            _list_grinch_scores(state, rules)
        elif state.phase == TAKE_PHASE:
            _list_takes(state, rules)
        elif state.phase == OFFER_PHASE:
            _list_offers(state)
        elif state.phase == SCORE_PHASE:
            _list_scores(state, rules)
        elif state.phase == REFILL_PHASE:
            _refill(state, rules, chance)
        if state.n_options > 1:
            return np.int64(state.decider)
        if state.n_options == 1:
            apply(state, rules, chance, 0)
    return np.int64(OVER)


@jit
def apply(state: Record, rules: Record, chance: Record, option: Any) -> None:
    """Carry out the pending decision's `option`."""
    state.n_options = 0
    if state.decision == TAKE:
        _take(state, chance, option)
    elif state.decision == SCORE:
        _score(state, rules, option)
    elif state.decision == GRINCH_SCORES:
        _grinch_scores(state, rules, option)
    elif state.decision == GIVE_UP:
        _give_up(state, option)
    elif state.decision == OFFER:
        _offer(state, option)
    else:
        _answer(state, option)


@jit_inlined
def _ask(state: Record, seat: Any, decision: Any, step: Any, n_options: Any) -> None:
    state.decider = seat
    state.decision = decision
    state.step = step
    state.n_options = n_options


# ---------------------------------------------------------------- 1. Spin the Spinner, 2. Move the Grinch
@jit_inlined
def _spin_and_move(state: Record, rules: Record, chance: Record) -> None:
    """Clockwise by the number spun, or to the next feet space strictly ahead (G4). Only where he stops counts (G5)."""
    draw_ahead(chance, SPIN_DRAW, state.turn)
    face = rules.faces[below(chance, SPIN_DRAW, state.turn, rules.n_faces)]
    note(state, SPUN, face, state.seat, 0)
    if face == FEET_FACE:
        state.position = rules.next_feet[state.position]
    else:
        state.position = (state.position + face) % rules.path_length
    state.space = rules.path[state.position]
    note(state, MOVED, state.position, state.space, state.seats)


# ---------------------------------------------------------------- 3. The Grinch Steals Presents
@jit_inlined
def _steal(state: Record, chance: Record) -> None:
    state.asked = 0
    state.phase = GRINCH_SCORES_PHASE
    space = state.space
    if space <= SPOT_C:
        _steal_from_spot(state, space - SPOT_A, STOLEN_FROM_SPOT)
    elif space == MAX_SPACE:
        if state.spot[0] < 0 and state.spot[1] < 0 and state.spot[2] < 0:
            note(state, STEALS_NOTHING, 0, 0, 0)
        for spot in range(SPOTS):
            if state.spot[spot] >= 0:
                _steal_from_spot(state, spot, STOLEN_ON_MAX)
    elif space == PRESENT_SPACE:
        kind = _draw_from_bag(state, chance, STEAL_DRAW)
        if kind >= 0:
            _steal_token(state, kind, STOLEN_FROM_BAG)
    elif space >= HOUSE_SPACE:
        _steal_from_house(state, space - HOUSE_SPACE)
    else:
        note(state, STEALS_NOTHING, 0, 0, 0)


@jit_inlined
def _steal_token(state: Record, kind: Any, counter: Any) -> None:
    state.hoard[kind >> _DESIGN_SHIFT] += one(kind & _COLOUR_MASK)
    state.count[counter] += 1
    note(state, STOLEN, kind, counter, 0)


@jit
def _steal_from_spot(state: Record, spot: Any, counter: Any) -> None:
    kind = state.spot[spot]
    if kind >= 0:
        state.spot[spot] = NOTHING
        _steal_token(state, kind, counter)
    else:
        note(state, STEALS_NOTHING, 0, 0, 0)


@jit
def _steal_from_house(state: Record, house: Any) -> None:
    """From a player's house its owner chooses what is given up; an empty house gives nothing (G12)."""
    n = 0
    for design in range(2):
        held = at_least(state.house[house, design], 1)
        while held != EMPTY:
            state.lose[n] = KINDS * design + first_kind(held)
            held = without_first(held)
            n += 1
    if n == 0:
        note(state, STEALS_NOTHING, 0, 0, 0)
        return
    state.phase = GIVE_UP_PHASE
    _ask(state, house, GIVE_UP, 0, n)


@jit
def _give_up(state: Record, option: Any) -> None:
    kind, house = np.int64(state.lose[option]), state.decider
    _take_from_house(state, house, kind)
    _steal_token(state, kind, STOLEN_FROM_PLAYER if house < state.seats else STOLEN_FROM_FREE_HOUSE)
    state.phase = GRINCH_SCORES_PHASE


# ---------------------------------------------------------------- Scoring a Wish
@jit_inlined
def _add_payment(state: Record, n: Any, place: Any, first: Any, second: Any) -> Any:
    state.choice_wish[n] = place
    state.pay[n, 0] = first
    state.pay[n, 1] = second
    return n + 1


@jit
def _list_payments(state: Record, rules: Record, first: Any, second: Any) -> Any:
    """List every way in which a hand, given as its two words, can pay a face-up Wish; how many there are.

    Two Wishes of one type are one option (the first). The order: by place, then by tokens in order of kind.
    """
    both = first + second
    any_pair, any_trio = at_least(both, _PAIR_SIZE), at_least(both, _TRIO_SIZE)
    n = 0
    for place in range(rules.face_up):
        wish = state.wish[place]
        if wish < 0:
            continue
        need, kind = rules.wish_need[wish], rules.wish_kind[wish]
        # most Wishes cannot be paid, and most of those fail here, whatever their kind
        hopeless = not covers(both, need) if need != EMPTY else (any_trio if kind == TRIO else any_pair) == EMPTY
        if hopeless or _seen_before(state, place):
            continue
        if kind == TRIO:
            n = _list_trios(state, first, second, place, n)
        elif kind == PAIR:
            n = _list_pairs(state, rules, first, second, place, n)
        elif second == EMPTY:
            n = _add_payment(state, n, place, need, EMPTY)
        else:
            n = _list_mixed(state, rules, first, second, place, n)
    return n


@jit_inlined
def _seen_before(state: Record, place: Any) -> Any:
    for earlier in range(place):
        if state.wish[earlier] == state.wish[place]:
            return True
    return False


@jit
def _list_mixed(state: Record, rules: Record, first: Any, second: Any, place: Any, n: Any) -> Any:
    """With two designs, each of the three colours may be paid in either that is held."""
    need = rules.wish_need[state.wish[place]]
    one_colour = first_kind(need)
    need = without_first(need)
    two_colour = first_kind(need)
    three_colour = first_kind(without_first(need))
    for i in range(2):
        for j in range(2):
            for k in range(2):
                pay_first = pay_second = EMPTY
                for colour, design in ((one_colour, i), (two_colour, j), (three_colour, k)):
                    if design == 0:
                        pay_first += one(colour)
                    else:
                        pay_second += one(colour)
                if covers(first, pay_first) and covers(second, pay_second):
                    n = _add_payment(state, n, place, pay_first, pay_second)
    return n


@jit
def _list_pairs(state: Record, rules: Record, first: Any, second: Any, place: Any, n: Any) -> Any:
    """A pair Wish names its Present, or is paid by any two equal ones (G2)."""
    wish = state.wish[place]
    need = rules.wish_need[wish]
    if need != EMPTY:
        if rules.wish_design[wish] == 0:
            return _add_payment(state, n, place, need, EMPTY) if covers(first, need) else n
        return _add_payment(state, n, place, EMPTY, need) if covers(second, need) else n
    held = at_least(first, _PAIR_SIZE)
    while held != EMPTY:
        token = one(first_kind(held))
        n = _add_payment(state, n, place, token + token, EMPTY)
        held = without_first(held)
    held = at_least(second, _PAIR_SIZE)
    while held != EMPTY:
        token = one(first_kind(held))
        n = _add_payment(state, n, place, EMPTY, token + token)
        held = without_first(held)
    return n


@jit
def _list_trios(state: Record, first: Any, second: Any, place: Any, n: Any) -> Any:
    """Any three of one colour (G3), of either design."""
    held = at_least(first + second, _TRIO_SIZE)
    while held != EMPTY:
        token = one(first_kind(held))
        pay_first, pay_second = token + token + token, EMPTY
        for _ in range(4):
            if covers(first, pay_first) and covers(second, pay_second):
                n = _add_payment(state, n, place, pay_first, pay_second)
            pay_first, pay_second = pay_first - token, pay_second + token
        held = without_first(held)
    return n


@jit
def _note_score(state: Record, event: Any, option: Any) -> None:
    """Write down Wish and payment: the kinds paid, each plus one, in five bits."""
    if state.telling == 0:
        return
    packed = shift = np.int64(0)
    for d in range(2):
        paid = state.pay[option, d]
        for colour in range(KINDS):
            for _ in range(count(paid, colour)):
                packed |= (KINDS * d + colour + 1) << shift
                shift += 5
    note(state, event, state.wish[state.choice_wish[option]], packed, 0)


@jit
def _put_back(state: Record, option: Any) -> Any:
    """Presents for the Wish go back into the bag at once (G6), the card to a scored pile; its type."""
    for d in range(2):
        state.bag[d] += state.pay[option, d]
    place = state.choice_wish[option]
    wish = np.int64(state.wish[place])
    state.wish[place] = NOTHING
    state.scored[state.n_scored] = wish
    state.n_scored += 1
    return wish


# ---------------------------------------------------------------- 4. The Grinch Scores a Wish
@jit_inlined
def _list_grinch_scores(state: Record, rules: Record) -> None:
    """He must score if he can, the most stars first; the active player breaks ties and chooses the tokens (G11)."""
    state.phase = TAKE_PHASE
    n = _list_payments(state, rules, state.hoard[0], state.hoard[1])
    if n == 0:
        note(state, GRINCH_CANNOT_SCORE, 0, 0, 0)
        return
    most = 0
    for i in range(n):
        most = max(most, rules.wish_stars[state.wish[state.choice_wish[i]]])
    kept = 0
    for i in range(n):
        if rules.wish_stars[state.wish[state.choice_wish[i]]] == most:
            kept = _add_payment(state, kept, state.choice_wish[i], state.pay[i, 0], state.pay[i, 1])
    _ask(state, state.seat, GRINCH_SCORES, 0, kept)


@jit
def _grinch_scores(state: Record, rules: Record, option: Any) -> None:
    _note_score(state, GRINCH_SCORED, option)
    for d in range(2):
        state.hoard[d] -= state.pay[option, d]
    wish = _put_back(state, option)
    state.grinch_stars += rules.wish_stars[wish]
    state.count[MIXED_BY_GRINCH + rules.wish_kind[wish]] += 1


# ---------------------------------------------------------------- 5. You Take a Present
@jit_inlined
def _list_takes(state: Record, rules: Record) -> None:
    """A, B, C or the bag; only the bag after Max (G9); an exchange in place of it where allowed (G14, G15, G19).

    With nothing to take one may offer an exchange, and need not (G21).
    """
    n = 0
    if state.space != MAX_SPACE:
        for spot in range(SPOTS):
            if state.spot[spot] >= 0:
                state.action[n] = TAKE_A + spot
                state.gain[n] = state.spot[spot]
                n += 1
    if state.bag[0] != EMPTY or state.bag[1] != EMPTY:
        state.action[n] = DRAW_FROM_BAG
        state.gain[n] = NOTHING
        n += 1
    if state.seats >= rules.exchange_min_players and _may_exchange(state, rules):
        state.action[n] = EXCHANGE
        state.gain[n] = NOTHING
        if n == 0:
            n += 1
            state.action[n] = TAKE_NOTHING
            state.gain[n] = NOTHING
        n += 1
    if n == 0 and state.space == MAX_SPACE:
        state.count[EMPTY_BAG] += 1
        note(state, BAG_WAS_EMPTY, 0, 0, 0)
    state.phase = SCORE_PHASE
    _ask(state, state.seat, TAKE, state.asked, n)


@jit_inlined
def _take(state: Record, chance: Record, option: Any) -> None:
    action = state.action[option]
    if action == EXCHANGE:
        state.phase = OFFER_PHASE
        return
    if action == TAKE_NOTHING:
        state.count[EMPTY_BAG] += 1
        note(state, BAG_WAS_EMPTY, 0, 0, 0)
        return
    if action == DRAW_FROM_BAG:
        kind = _draw_from_bag(state, chance, TAKE_DRAW)
    else:
        spot = action - TAKE_A
        kind = np.int64(state.spot[spot])
        state.spot[spot] = NOTHING
    _give_house(state, state.seat, kind)
    note(state, TOOK, action, kind, 0)


# ---------------------------------------------------------------- Gift Exchange (5 or 6 Players)
@jit
def _may_exchange(state: Record, rules: Record) -> Any:
    """Once a turn (G19), not on Max unless allowed (G14), and only with somebody who holds a different kind."""
    if state.asked != 0 or (state.space == MAX_SPACE and rules.exchange_on_max == 0):
        return False
    for partner in range(state.seats):
        if partner != state.seat and _can_swap(state, state.seat, partner):
            return True
    return False


@jit
def _can_swap(state: Record, seat: Any, partner: Any) -> Any:
    """Whether both hold a Present and some kind of one differs from some kind of the other."""
    m0, m1 = at_least(state.house[seat, 0], 1), at_least(state.house[seat, 1], 1)
    t0, t1 = at_least(state.house[partner, 0], 1), at_least(state.house[partner, 1], 1)
    if (m0 | m1) == EMPTY or (t0 | t1) == EMPTY:
        return False
    single = without_first(m0) == EMPTY and without_first(m1) == EMPTY and (m0 == EMPTY or m1 == EMPTY)
    return not (single and m0 == t0 and m1 == t1)


@jit
def _list_offers(state: Record) -> None:
    """Partner, kind given, kind received: one option each, in that order."""
    n = 0
    for partner in range(state.seats):
        if partner == state.seat:
            continue
        for give_design in range(2):
            given = at_least(state.house[state.seat, give_design], 1)
            while given != EMPTY:
                give = KINDS * give_design + first_kind(given)
                given = without_first(given)
                n = _list_received(state, partner, give, n)
    _ask(state, state.seat, OFFER, 0, n)


@jit
def _list_received(state: Record, partner: Any, give: Any, n: Any) -> Any:
    for design in range(2):
        received = at_least(state.house[partner, design], 1)
        while received != EMPTY:
            kind = KINDS * design + first_kind(received)
            received = without_first(received)
            if kind != give:
                state.partner[n] = partner
                state.lose[n] = give
                state.gain[n] = kind
                state.action[n] = NO_ACTION
                n += 1
    return n


@jit
def _offer(state: Record, option: Any) -> None:
    """The partner's consent is the partner's decision; to them gain and loss are the other way round."""
    partner, given, received = np.int64(state.partner[option]), state.lose[option], state.gain[option]
    note(state, OFFERED, partner, given, received)
    state.asked = 1
    state.phase = CONSENT_PHASE
    for answer in range(2):
        state.action[answer] = AGREE + answer
        state.partner[answer] = state.seat
        state.gain[answer] = given
        state.lose[answer] = received
    _ask(state, partner, CONSENT, 0, 2)


@jit
def _answer(state: Record, option: Any) -> None:
    """Swap one Present each; a refusal costs nothing, and the player takes a Present as usual (G19)."""
    if state.action[option] == AGREE:
        gain, lose = np.int64(state.gain[option]), np.int64(state.lose[option])
        _take_from_house(state, state.decider, lose)
        _give_house(state, state.seat, lose)
        _take_from_house(state, state.seat, gain)
        _give_house(state, state.decider, gain)
        state.count[EXCHANGES] += 1
        note(state, AGREED, state.decider, gain, lose)
        state.phase = SCORE_PHASE
    else:
        state.count[REFUSALS] += 1
        note(state, REFUSED, state.decider, 0, 0)
        state.phase = TAKE_PHASE


# ---------------------------------------------------------------- 6. You Score a Wish
@jit_inlined
def _list_scores(state: Record, rules: Record) -> None:
    """One Wish, if the player can and wants to."""
    state.phase = REFILL_PHASE
    n = _list_payments(state, rules, state.house[state.seat, 0], state.house[state.seat, 1])
    if n == 0:
        note(state, CANNOT_SCORE, 0, 0, 0)
        return
    n = _add_payment(state, n, NOTHING, EMPTY, EMPTY)
    _ask(state, state.seat, SCORE, 0, n)


@jit_inlined
def _score(state: Record, rules: Record, option: Any) -> None:
    """The game ends the moment the last slot is filled (G16)."""
    if state.choice_wish[option] < 0:
        state.count[DECLINED] += 1
        note(state, DECLINED_TO_SCORE, 0, 0, 0)
        return
    _note_score(state, SCORED, option)
    for d in range(2):
        state.house[state.seat, d] -= state.pay[option, d]
    wish = _put_back(state, option)
    state.stars += rules.wish_stars[wish]
    state.wishes_scored += 1
    state.count[MIXED_BY_PLAYERS + rules.wish_kind[wish]] += 1
    if state.wishes_scored >= rules.goal:
        _end_game(state)


# ---------------------------------------------------------------- 7. Refill Presents and Wishes
@jit_inlined
def _refill(state: Record, rules: Record, chance: Record) -> None:
    """First A, B, C, then the houses that do not belong to a player, then Wishes (G7); then the next player's turn."""
    _refill_presents(state, chance)
    _refill_wishes(state, rules, chance)
    state.seat += 1
    if state.seat == state.seats:
        state.seat = 0
    state.phase = SPIN_PHASE
    if not _any_wish(state, rules):
        _end_game(state)


@jit_inlined
def _refill_presents(state: Record, chance: Record) -> None:
    for spot in range(SPOTS):
        if state.spot[spot] < 0:
            state.spot[spot] = _draw_from_bag(state, chance, SPOT_DRAW + spot)
            note(state, REFILLED_SPOT, spot, state.spot[spot], 0)
    for house in range(state.seats, HOUSES):
        if state.house[house, 0] == EMPTY and state.house[house, 1] == EMPTY:
            kind = _draw_from_bag(state, chance, HOUSE_DRAW + house)
            if kind >= 0:
                _give_house(state, house, kind)
            note(state, REFILLED_HOUSE, house, kind, 0)


@jit_inlined
def _refill_wishes(state: Record, rules: Record, chance: Record) -> None:
    for place in range(rules.face_up):
        if state.wish[place] < 0:
            if state.pile_size == 0 and rules.reshuffle != 0:
                _reshuffle(state)
            if state.pile_size == 0:
                return
            state.wish[place] = _turn_up(state, chance)
            note(state, TURNED_UP, state.wish[place], place, 0)


@jit_inlined
def _turn_up(state: Record, chance: Record) -> Any:
    """The next card of the pile. Its draw is addressed by its position, four positions to a block."""
    position, n = state.turned_up, state.pile_size
    i = below(chance, WISH_DRAW + (position & _LANE_MASK), position >> _BLOCK_SHIFT, n)
    wish = state.pile[i]
    state.pile[i] = state.pile[n - 1]
    state.pile_size = n - 1
    state.turned_up = position + 1
    return np.int64(wish)


@jit
def _reshuffle(state: Record) -> None:
    """The scored Wishes of both sides return as a fresh pile (G10)."""
    for i in range(state.n_scored):
        state.pile[i] = state.scored[i]
    state.pile_size = state.n_scored
    state.n_scored = 0
    note(state, RESHUFFLED, state.pile_size, 0, 0)


@jit
def _any_wish(state: Record, rules: Record) -> Any:
    for place in range(rules.face_up):
        if state.wish[place] >= 0:
            return True
    return False


# ---------------------------------------------------------------- End of the Game
@jit
def _end_game(state: Record) -> None:
    state.phase = GAME_OVER_PHASE
    note(state, GAME_ENDED, state.stars, state.grinch_stars, state.wishes_scored)


@jit
def players_have_won(state: Record, rules: Record) -> Any:
    """As many stars as the Grinch, or more (G18)."""
    return state.phase == GAME_OVER_PHASE and (
        state.stars > state.grinch_stars or (state.stars == state.grinch_stars and rules.win_on_tie != 0)
    )


@jit
def payoff(state: Record, rules: Record, seat: Any) -> Any:  # noqa: ARG001  all seats win or lose together
    """1.0 for a win of the players, else 0.0, the same for every seat."""
    return 1.0 if players_have_won(state, rules) else 0.0


@jit
def redeal(state: Record, rules: Record, chance: Record, seat: Any) -> None:  # noqa: ARG001  no seat knows more than another
    """Shuffle what nobody can see: the order of the pile."""
    for i in range(state.pile_size - 1, 0, -1):
        j = below(chance, REDEAL_DRAW, i, i + 1)
        card = state.pile[i]
        state.pile[i] = state.pile[j]
        state.pile[j] = card
