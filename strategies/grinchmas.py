"""Strategies for Merry Grinchmas."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.grinchmas.view import (
    AGREE,
    CONSENT,
    DRAW_FROM_BAG,
    EXCHANGE,
    GIVE_UP,
    GRINCH_SCORES,
    NOTHING,
    OFFER,
    SCORE,
    TAKE,
    TAKE_NOTHING,
    brought_nearer,
    count,
    lacking,
    lacks_at,
    survey,
    with_token,
    without_token,
)
from simulator.kernel.jit import jit, jit_inlined
from strategies.declare import Params, strategy

_BAG_BONUS = 1 / 64
_BEST_WEIGHT = 16.0
_HALVES = np.array([1.0, 0.5, 0.25, 0.125])
_LOWEST_BIT = np.uint64(1)

_INFINITE = 1e9
_BYTE = 0xFF
_ALL_FAR = 0x0303030303030303  # three Presents to go for every Wish

# Weights of team, in stars or shares of them. Measured with four and six players, halving or doubling one moved its share
# of wins by half a point at most, except that _AT_ONCE doubled cost nearly two.
_SLOT_WORTH = 3.0  # filling a slot shortens the game, which is worth about as much as the Grinch scores meanwhile
_HOPE_SHARE = 16.0  # the best Wish counts most, the others a sixteenth of what they are worth
_THREAT_SHARE = 4.0  # the Grinch does not choose what he gathers, so all that he is near to matters more
_AT_ONCE = 2.0  # a Wish that the Grinch can pay counts twice
_BAG_VALUE = 0.2  # a draw leaves the mates the spots
_NEAR_WISH = 0.3  # what a Wish is worth less for each Present that even the nearest player lacks
_PARTNER_GAIN_LIMIT = 12.0  # no swap adds more than this to the partner's hope


@jit
def promise(view: Any, hand: Any) -> Any:
    """What a hand (two words) promises: the stars of each face-up Wish, halved for each Present it lacks.

    The best Wish counts most, the others break ties.
    """
    best = total = 0.0
    for place in range(view.n_wishes):
        if view.wish_kind[place] >= 0:
            worth = view.wish_stars[place] / (1 << lacking(view, place, hand))
            total += worth
            best = max(best, worth)
    return _BEST_WEIGHT * best + total


@jit
def _swapped(view: Any, hand: Any, option: Any) -> Any:
    return with_token(without_token(hand, view.lose[option]), view.gain[option])


@jit_inlined
def _most_stars(view: Any) -> Any:
    """The option that scores the most stars, the first of equals; declining only where nothing else is left."""
    best, most = 0, -1
    for i in range(view.n_options):
        if view.wish[i] >= 0 and view.scores[i] > most:
            best, most = i, view.scores[i]
    return best


@jit
def _keep_best(view: Any) -> Any:
    """The Present whose loss leaves the most promising hand."""
    best, most = 0, -1.0
    for i in range(view.n_options):
        value = promise(view, without_token((view.mine[0], view.mine[1]), view.lose[i]))
        if value > most:
            best, most = i, value
    return best


@jit
def _best_swap(view: Any) -> Any:
    best, most = 0, -1.0
    for i in range(view.n_options):
        value = promise(view, _swapped(view, (view.mine[0], view.mine[1]), i))
        if value > most:
            best, most = i, value
    return best


@jit
def _agree_unless_worse(view: Any) -> Any:
    mine = (view.mine[0], view.mine[1])
    wanted = promise(view, _swapped(view, mine, 0)) >= promise(view, mine)
    return 0 if (view.action[0] == AGREE) == wanted else 1


@jit_inlined
def _promise_with(view: Any, lacks: Any, nearer: Any) -> Any:
    """`promise` of a surveyed hand and one more Present that brings the Wishes at the places `nearer` nearer."""
    best = total = 0.0
    for place in range(view.n_wishes):
        bit = np.int64((nearer >> np.uint64(place)) & _LOWEST_BIT)
        worth = view.wish_stars[place] * _HALVES[lacks_at(lacks, place) - bit]
        total += worth
        best = max(best, worth)
    return _BEST_WEIGHT * best + total


@jit_inlined
def _take_most_promising(view: Any) -> Any:
    """The spot that makes the hand most promising; the bag where no spot helps."""
    lacks, nearer_first, nearer_second = survey(view, (view.mine[0], view.mine[1]))
    best, most = 0, -1.0
    for i in range(view.n_options):
        if view.action[i] != EXCHANGE:
            value = _promise_with(view, lacks, brought_nearer(nearer_first, nearer_second, view.gain[i]))
            if view.action[i] == DRAW_FROM_BAG:
                value += _BAG_BONUS
            if value > most:
                best, most = i, value
    return best


@strategy("grinchmas")
def greedy(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Takes what brings the best face-up Wish nearest, scores the most stars at once, and never asks for an exchange."""
    if view.decision == TAKE:
        return _take_most_promising(view)
    if view.decision == SCORE:
        return _most_stars(view)
    if view.decision == GIVE_UP:
        return _keep_best(view)
    if view.decision == OFFER:
        return _best_swap(view)
    if view.decision == CONSENT:
        return _agree_unless_worse(view)
    return 0


# ---------------------------------------------------------------- read by the strategies below, not by greedy
@jit
def _mine(view: Any) -> Any:
    return view.mine[0], view.mine[1]


@jit
def _hoard(view: Any) -> Any:
    return view.hoard[0], view.hoard[1]


@jit
def _hand_of(view: Any, seat: Any) -> Any:
    return view.house[seat, 0], view.house[seat, 1]


@jit
def _paid(view: Any, hand: Any, option: Any) -> Any:
    """What a hand keeps after paying for an option's Wish."""
    return hand[0] - view.pay[option, 0], hand[1] - view.pay[option, 1]


@jit
def _decline(view: Any) -> Any:
    """The option of scoring nothing; it comes last."""
    return view.n_options - 1


@jit
def _loses_the_game(view: Any, stars: Any) -> Any:
    """Whether a Wish of so many stars would fill the last slot with the Grinch still ahead."""
    return view.wishes_to_go == 1 and view.stars + stars < view.grinch_stars + view.lead_needed


@jit
def _threat(view: Any, hoard: Any, gone: Any) -> Any:
    """What a hoard (two words) promises the Grinch, a Wish he can score at once most of all; `gone` is a place left out."""
    best = total = 0.0
    for place in range(view.n_wishes):
        if view.wish_kind[place] >= 0 and place != gone:
            lacks = lacking(view, place, hoard)
            worth = view.wish_stars[place] * (8 >> lacks) / 8 if lacks > 0 else _AT_ONCE * view.wish_stars[place]
            total += worth
            best = max(best, worth)
    return best + total / _THREAT_SHARE


# ---------------------------------------------------------------- patient
@jit
def _worth_waiting_for(view: Any, option: Any, near: Any, more: Any) -> Any:
    """Whether scoring this option's Wish would cost the Presents of a better one that is nearly paid."""
    mine, rest = _mine(view), _paid(view, _mine(view), option)
    for place in range(view.n_wishes):
        if view.wish_kind[place] >= 0 and view.wish_stars[place] >= view.scores[option] + more:
            lacks = lacking(view, place, mine)
            if lacks <= near and lacking(view, place, rest) > lacks:
                return True
    return False


@jit
def _score_unless_better_is_near(view: Any, near: Any, more: Any) -> Any:
    """As greedy, or nothing for the sake of a better Wish; a last slot that wins the game is filled at once."""
    best = _most_stars(view)
    wins = view.wishes_to_go == 1 and not _loses_the_game(view, view.scores[best])
    return _decline(view) if not wins and _worth_waiting_for(view, best, near, more) else best


@strategy("grinchmas")
def patient(view: Any, u: float, p: Any = Params(near=1, more=2)) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Like greedy, but keeps its Presents while a Wish with `more` stars or more than this one lacks only `near` Presents."""
    if view.decision == TAKE:
        return _take_most_promising(view)
    if view.decision == SCORE:
        return _score_unless_better_is_near(view, p.near, p.more)
    if view.decision == GIVE_UP:
        return _keep_best(view)
    if view.decision == OFFER:
        return _best_swap(view)
    if view.decision == CONSENT:
        return _agree_unless_worse(view)
    return 0


# ---------------------------------------------------------------- team
@jit
def _nearest(view: Any, left_out: Any) -> Any:
    """How many Presents the nearest seat but one lacks for each face-up Wish: a byte for each place."""
    nearest = _ALL_FAR
    for seat in range(view.seats):
        if seat != left_out:
            hand = _hand_of(view, seat)
            for place in range(view.n_wishes):
                closer = ((nearest >> (8 * place)) & _BYTE) - lacking(view, place, hand)
                if closer > 0:
                    nearest -= closer << (8 * place)
    return nearest


@jit
def _hope(view: Any, hand: Any, mates: Any, rival: Any, gone: Any) -> Any:
    """What a hand promises the team: the worth of each face-up Wish, halved for each Present it lacks.

    A Wish that some mate is as near to (`mates`, from `_nearest`) counts only `rival` times as much.
    """
    best = total = 0.0
    for place in range(view.n_wishes):
        if view.wish_kind[place] >= 0 and place != gone and not _loses_the_game(view, view.wish_stars[place]):
            lacks = lacking(view, place, hand)
            worth = (_SLOT_WORTH + view.wish_stars[place]) * (8 >> lacks) / 8
            if lacks > 0 and ((mates >> (8 * place)) & _BYTE) <= lacks:
                worth *= rival
            total += worth
            best = max(best, worth)
    return best + total / _HOPE_SHARE


@jit
def _give_up_for_team(view: Any, rival: Any) -> Any:
    """The Present that helps the Grinch and costs the team the least."""
    mates = _nearest(view, view.seat)
    best, most = 0, -_INFINITE
    for i in range(view.n_options):
        value = _hope(view, without_token(_mine(view), view.lose[i]), mates, rival, NOTHING)
        value -= _threat(view, with_token(_hoard(view), view.lose[i]), NOTHING)
        if value > most:
            best, most = i, value
    return best


@jit
def _let_grinch_score(view: Any) -> Any:
    """The payment that leaves the Grinch the weakest hoard and the players the Wishes they are near to."""
    players = _nearest(view, NOTHING)
    best, most = 0, -_INFINITE
    for i in range(view.n_options):
        far = (players >> (8 * view.wish[i])) & _BYTE
        value = _NEAR_WISH * far - _threat(view, _paid(view, _hoard(view), i), view.wish[i])
        if value > most:
            best, most = i, value
    return best


@jit
def _can_be_saved(view: Any) -> Any:
    """Whether some face-up Wish in the last slot would still win the game."""
    for place in range(view.n_wishes):
        if view.wish_kind[place] >= 0 and not _loses_the_game(view, view.wish_stars[place]):
            return True
    return False


@jit
def _score_for_team(view: Any, rival: Any) -> Any:
    """The most stars, then the better rest of the hand; a last slot that would lose the game waits while it can be saved."""
    if _loses_the_game(view, view.scores[_most_stars(view)]) and _can_be_saved(view):
        return _decline(view)
    mates = _nearest(view, view.seat)
    best, most = 0, -1.0
    for i in range(view.n_options):
        if view.wish[i] >= 0:
            rest = _hope(view, _paid(view, _mine(view), i), mates, rival, view.wish[i])
            value = view.scores[i] + rest / _HOPE_SHARE
            if value > most:
                best, most = i, value
    return best


@jit
def _all_kinds(view: Any) -> Any:
    """One more than the highest kind there is."""
    return 8 * (view.designs - 1) + view.colours


@jit
def _hope_of_bag(view: Any, mates: Any, rival: Any) -> Any:
    """What the hand promises on average after a draw from the bag."""
    total, tokens = 0.0, 0
    for kind in range(_all_kinds(view)):
        n = count(view.bag, kind)
        if n > 0:
            total += n * _hope(view, with_token(_mine(view), kind), mates, rival, NOTHING)
            tokens += n
    return total / max(tokens, 1)


@jit
def _somebody_else_holds(view: Any, kind: Any) -> Any:
    for seat in range(view.seats):
        if seat != view.seat and count(_hand_of(view, seat), kind) > 0:
            return True
    return False


@jit
def _some_swap_promises(view: Any, mates: Any, rival: Any, wanted: Any) -> Any:
    """Whether some exchange would leave a hand that promises more than `wanted`."""
    for gain in range(_all_kinds(view)):
        if _somebody_else_holds(view, gain):
            more = with_token(_mine(view), gain)
            # giving a Present away never adds to the hope, so most kinds need no closer look
            if _hope(view, more, mates, rival, NOTHING) > wanted:
                for lose in range(_all_kinds(view)):
                    held = lose != gain and count(view.mine, lose) > 0
                    if held and _hope(view, without_token(more, lose), mates, rival, NOTHING) > wanted:
                        return True
    return False


@jit
def _hope_of_take(view: Any, option: Any, mates: Any, rival: Any, deny: Any) -> Any:
    """What the hand promises with the Present, and what it would have brought the Grinch."""
    if view.action[option] == DRAW_FROM_BAG:
        return _BAG_VALUE + _hope_of_bag(view, mates, rival)
    gain = view.gain[option]
    denied = _threat(view, with_token(_hoard(view), gain), NOTHING) - _threat(view, _hoard(view), NOTHING)
    return _hope(view, with_token(_mine(view), gain), mates, rival, NOTHING) + deny * denied


@jit
def _take_for_team(view: Any, rival: Any, deny: Any, swap_cost: Any) -> Any:
    """The Present that promises most; an exchange only if it promises that much more, for it adds no Present to the hands."""
    mates = _nearest(view, view.seat)
    best, most, exchange = 0, -1.0, NOTHING
    for i in range(view.n_options):
        if view.action[i] == EXCHANGE:
            exchange = i
        else:
            value = _hope_of_take(view, i, mates, rival, deny)
            if view.action[i] == TAKE_NOTHING:
                value -= swap_cost  # an exchange takes the place of no Present
            if value > most:
                best, most = i, value
    if exchange >= 0 and _some_swap_promises(view, mates, rival, most + swap_cost):
        return exchange
    return best


@jit
def _hope_of_partner(view: Any, partner: Any, gain: Any, lose: Any, rival: Any) -> Any:
    """What a swap adds to the hope of the partner, who gains and loses these kinds."""
    hand = _hand_of(view, partner)
    after = with_token(without_token(hand, lose), gain)
    return _hope(view, after, _ALL_FAR, rival, NOTHING) - _hope(view, hand, _ALL_FAR, rival, NOTHING)


@jit
def _offer_for_team(view: Any, rival: Any) -> Any:
    """The exchange after which both hands promise the most together; the own counts double, for it can score at once."""
    mates = _nearest(view, view.seat)
    best, most = 0, -_INFINITE
    for i in range(view.n_options):
        value = 2 * _hope(view, _swapped(view, _mine(view), i), mates, rival, NOTHING)
        if value + _PARTNER_GAIN_LIMIT > most:
            value += _hope_of_partner(view, view.partner[i], view.lose[i], view.gain[i], rival)
            if value > most:
                best, most = i, value
    return best


@jit
def _agree_for_team(view: Any, rival: Any) -> Any:
    """Agrees if both hands together, weighed as by `_offer_for_team`, promise more."""
    asker = view.active
    mates, hand = _nearest(view, asker), _hand_of(view, asker)
    after = with_token(without_token(hand, view.gain[0]), view.lose[0])
    gained = 2 * (_hope(view, after, mates, rival, NOTHING) - _hope(view, hand, mates, rival, NOTHING))
    gained += _hope_of_partner(view, view.seat, view.gain[0], view.lose[0], rival)
    return 0 if (view.action[0] == AGREE) == (gained > 0) else 1


@strategy("grinchmas")
def team(view: Any, u: float, p: Any = Params(rival=0.6, deny=0.1, swap_cost=2.0)) -> int:  # noqa: ARG001  as above
    """Gathers for Wishes that no mate is nearer to, keeps from the Grinch what he needs, and swaps where both gain together."""
    if view.decision == TAKE:
        return _take_for_team(view, p.rival, p.deny, p.swap_cost)
    if view.decision == SCORE:
        return _score_for_team(view, p.rival)
    if view.decision == GIVE_UP:
        return _give_up_for_team(view, p.rival)
    if view.decision == GRINCH_SCORES:
        return _let_grinch_score(view)
    if view.decision == OFFER:
        return _offer_for_team(view, p.rival)
    return _agree_for_team(view, p.rival)


# ---------------------------------------------------------------- spoiler
@jit
def _feed_grinch(view: Any) -> Any:
    """The Present that helps the Grinch the most."""
    best, most = 0, -1.0
    for i in range(view.n_options):
        value = _threat(view, with_token(_hoard(view), view.lose[i]), NOTHING)
        if value > most:
            best, most = i, value
    return best


@jit
def _keep_grinch_strong(view: Any) -> Any:
    """The payment that leaves the Grinch the strongest hoard."""
    best, most = 0, -1.0
    for i in range(view.n_options):
        value = _threat(view, _paid(view, _hoard(view), i), view.wish[i])
        if value > most:
            best, most = i, value
    return best


@jit
def _take_least_useful(view: Any) -> Any:
    """The Present that helps the Grinch the least where it lies, so that he finds the others; the bag only if need be."""
    best, least = 0, _INFINITE
    for i in range(view.n_options):
        if view.action[i] != EXCHANGE and view.action[i] != DRAW_FROM_BAG:
            value = _threat(view, with_token(_hoard(view), view.gain[i]), NOTHING)
            if value < least:
                best, least = i, value
    return best


@jit
def _score_to_lose(view: Any, lead: Any) -> Any:
    """The fewest stars, and only while the Grinch stays far enough ahead for the slots that are left."""
    best, fewest = _decline(view), _INFINITE
    for i in range(view.n_options):
        ahead = view.grinch_stars + view.lead_needed - view.stars - view.scores[i]
        if view.wish[i] >= 0 and view.scores[i] < fewest and ahead > lead * (view.wishes_to_go - 1):
            best, fewest = i, view.scores[i]
    return best


@strategy("grinchmas")
def spoiler(view: Any, u: float, p: Any = Params(lead=1.0)) -> int:  # noqa: ARG001  as above
    """Plays to lose: feeds the Grinch, and scores the fewest stars only once he leads by `lead` stars for each slot left."""
    if view.decision == TAKE:
        return _take_least_useful(view)
    if view.decision == SCORE:
        return _score_to_lose(view, p.lead)
    if view.decision == GIVE_UP:
        return _feed_grinch(view)
    if view.decision == GRINCH_SCORES:
        return _keep_grinch_strong(view)
    if view.decision == CONSENT:
        return 0 if view.action[0] != AGREE else 1
    return 0
