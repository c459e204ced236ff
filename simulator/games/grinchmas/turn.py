"""Merry Grinchmas as its rulebook reads: the functions carry its headings and stand in its order.

"G" and a number refer to a ruling on a point that the rulebook leaves open; `docs/grinchmas.md` lists them.
A hand is two words of counts, one per design, with one lane per colour; a kind of Present is colour + 8 * design.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.grinchmas.rules import FEET_FACE, HOUSES, NOTHING, RESHUFFLE, SPOTS, SpaceCode
from simulator.games.grinchmas.scoring import keep_the_most_stars, lay_payment, list_payments, score_one, show_wish
from simulator.games.grinchmas.table import COLOURS, Action, Counter, Decision, Draw, Event
from simulator.games.grinchmas.view import count
from simulator.kernel.chance import below, draw_ahead
from simulator.kernel.events import note
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record
from simulator.kernel.turns import choose
from simulator.kit.piles import EMPTY, at_least, kind_at, one, size, without_first
from simulator.kit.seats import end_for_all


# ---------------------------------------------------------------- Presents
@jit_inlined
def put(hand: Any, kind: Any) -> None:
    """Add a Present to a hand."""
    hand[kind // COLOURS.kinds] += one(COLOURS, kind % COLOURS.kinds)


@jit_inlined
def take(hand: Any, kind: Any) -> None:
    """Take a Present out of a hand that holds one."""
    hand[kind // COLOURS.kinds] -= one(COLOURS, kind % COLOURS.kinds)


@jit_inlined
def draw_from_bag(table: Record, draw: Any) -> Any:
    """Kind of a random Present, out of the bag, int64; NOTHING from an empty bag (G8), which is counted."""
    first = size(COLOURS, table.bag[0])
    total = first + size(COLOURS, table.bag[1])
    if total == 0:
        find_bag_empty(table)
        return np.int64(NOTHING)
    rank = below(table.chance, draw, table.turn, total)
    kind = kind_at(COLOURS, table.bag[0], rank) if rank < first else COLOURS.kinds + kind_at(COLOURS, table.bag[1], rank - first)
    take(table.bag, kind)
    return kind


@jit
def find_bag_empty(table: Record) -> None:
    """Count a draw that the rules call for and an empty bag does not give."""
    table.count[Counter.EMPTY_BAG] += 1
    note(table, Event.BAG_WAS_EMPTY, 0, 0, 0)


@jit_inlined
def ask(table: Record, seat: Any, decision: Any, n: Any) -> Any:
    """As `choose`, with the seat's own Presents laid before it."""
    table.mine[0], table.mine[1] = table.house[seat, 0], table.house[seat, 1]
    return choose(table, seat, decision, n)


# ---------------------------------------------------------------- Set Up
@jit
def deal(table: Record, rules: Record) -> None:
    """Wishes turned up, Presents on the spots and on every house that nobody chose; seats have the houses of their order (G22)."""
    table.position = rules.start
    table.wishes_to_go = rules.wishes.goal
    table.bag[0], table.bag[1] = rules.bag[0], rules.bag[1]
    for i in range(rules.pile_size):
        table.pile[i] = rules.pile[i]
    table.pile_size = rules.pile_size
    for spot in range(SPOTS):
        table.spot[spot] = NOTHING
    for place in range(table.wish_kind.size):
        show_wish(table, rules, place, NOTHING)
    note(table, Event.SAT_DOWN, table.seats, table.position, 0)
    refill_wishes(table, rules)
    refill_presents(table)


# ---------------------------------------------------------------- On Your Turn
@jit
def turn(table: Record, rules: Record, seat: int) -> None:
    """First you move and play as the Grinch, then you take your turn as a Who."""
    table.active = seat
    spin_and_move(table, rules, seat)
    steal_presents(table, rules)
    let_the_grinch_score(table, rules, seat)
    take_a_present(table, rules, seat)
    score_a_wish(table, rules, seat)
    if table.over == 0:
        refill_presents(table)
        if refill_wishes(table, rules) == 0:
            end_the_game(table, rules)


# ---------------------------------------------------------------- 1. Spin the Spinner, 2. Move the Grinch
@jit_inlined
def spin_and_move(table: Record, rules: Record, seat: Any) -> None:
    """Clockwise by the number spun, or to the next feet space strictly ahead (G4). Only where he stops counts (G5)."""
    draw_ahead(table.chance, Draw.SPIN, table.turn)
    face = rules.faces[below(table.chance, Draw.SPIN, table.turn, rules.n_faces)]
    note(table, Event.SPUN, face, seat, 0)
    table.position = rules.next_feet[table.position] if face == FEET_FACE else (table.position + face) % rules.path_length
    note(table, Event.MOVED, table.position, rules.path[table.position], table.seats)


# ---------------------------------------------------------------- 3. The Grinch Steals Presents
@jit_inlined
def steal_presents(table: Record, rules: Record) -> None:
    """From the spot or the house of the space, from all three spots on Max, from the bag on a Present space."""
    space = np.int64(rules.path[table.position])
    if space <= SpaceCode.C:
        steal_from_spots(table, space, space, Counter.STOLEN_SPOT)
    elif space == SpaceCode.MAX:
        steal_from_spots(table, 0, SPOTS - 1, Counter.STOLEN_MAX)
    elif space == SpaceCode.PRESENT:
        kind = draw_from_bag(table, Draw.STEAL)
        if kind >= 0:
            steal(table, kind, Counter.STOLEN_BAG)
    elif space >= SpaceCode.HOUSE_1:
        steal_from_house(table, rules, space - SpaceCode.HOUSE_1)
    else:
        note(table, Event.STEALS_NOTHING, 0, 0, 0)


@jit_inlined
def steal(table: Record, kind: Any, counter: Any) -> None:
    """Place a stolen Present near Mt. Crumpit."""
    put(table.hoard, kind)
    table.count[counter] += 1
    note(table, Event.STOLEN, kind, counter, 0)


@jit
def steal_from_spots(table: Record, first: Any, last: Any, counter: Any) -> None:
    """What lies on these spots; they stay empty until step 7 (G7)."""
    n = 0
    for spot in range(first, last + 1):
        if table.spot[spot] >= 0:
            steal(table, np.int64(table.spot[spot]), counter)
            table.spot[spot] = NOTHING
            n += 1
    if n == 0:
        note(table, Event.STEALS_NOTHING, 0, 0, 0)


@jit
def steal_from_house(table: Record, rules: Record, house: Any) -> None:
    """From a player's house its owner chooses what is given up; an empty house gives nothing (G12)."""
    n = 0
    for kind in range(rules.kinds):
        if count(table.house[house], kind) > 0:
            table.lose[n] = kind
            n += 1
    if n == 0:
        note(table, Event.STEALS_NOTHING, 0, 0, 0)
        return
    given = np.int64(table.lose[ask(table, house, Decision.GIVE_UP, n)])
    take(table.house[house], given)
    steal(table, given, Counter.STOLEN_PLAYER if house < table.seats else Counter.STOLEN_FREE_HOUSE)


# ---------------------------------------------------------------- 4. The Grinch Scores a Wish
@jit_inlined
def let_the_grinch_score(table: Record, rules: Record, seat: Any) -> None:
    """He must score if he can, the most stars first; the active player breaks ties and chooses the Presents (G11)."""
    n = list_payments(table, rules, table.hoard[:])
    if n > 0:
        n = keep_the_most_stars(table, n)
        option = ask(table, seat, Decision.GRINCH_SCORES, n)
        table.grinch_stars += score_one(table, rules, table.hoard[:], option, Event.GRINCH_SCORED, Counter.WISHES_GRINCH_MIXED)


# ---------------------------------------------------------------- 5. You Take a Present
@jit_inlined
def take_a_present(table: Record, rules: Record, seat: Any) -> None:
    """From a spot or the bag, or exchange a gift; a refusal costs nothing, but one may not ask again this turn (G19)."""
    on_max = rules.path[table.position] == SpaceCode.MAX
    action = choose_a_take(table, seat, on_max, may_exchange(table, rules, seat, on_max))
    if action == Action.EXCHANGE:
        if exchange_gifts(table, rules, seat):
            return
        action = choose_a_take(table, seat, on_max, exchange=False)
    if action <= Action.DRAW_FROM_BAG:
        if action == Action.DRAW_FROM_BAG:
            kind = draw_from_bag(table, Draw.TAKE)
        else:
            kind, table.spot[action] = np.int64(table.spot[action]), NOTHING
        put(table.house[seat], kind)
        note(table, Event.TOOK, action, kind, 0)
    elif action == Action.TAKE_NOTHING:
        find_bag_empty(table)


@jit
def choose_a_take(table: Record, seat: Any, on_max: Any, exchange: Any) -> Any:
    """A, B, C or the bag; only the bag after Max (G9), and no empty one (G8); an exchange in place of it where that is open.

    With nothing to take one may offer an exchange, and need not (G21). The action, int64; NO_ACTION where there is none.
    """
    n = 0
    for spot in range(SPOTS):  # after Max they are empty
        if table.spot[spot] >= 0:
            n = lay_take(table, n, Action.TAKE_A + spot, table.spot[spot])
    if table.bag[0] != EMPTY or table.bag[1] != EMPTY:
        n = lay_take(table, n, Action.DRAW_FROM_BAG, NOTHING)
    if exchange:
        n = lay_take(table, n, Action.EXCHANGE, NOTHING)
        n = lay_take(table, n, Action.TAKE_NOTHING, NOTHING) if n == 1 else n
    if n == 0:
        return np.int64(Action.TAKE_NOTHING if on_max else Action.NO_ACTION)
    return np.int64(table.action[ask(table, seat, Decision.TAKE, n)])


@jit_inlined
def lay_take(table: Record, n: Any, action: Any, gain: Any) -> Any:
    """Lay out option `n` of a take; the number of the next one."""
    table.action[n], table.gain[n] = action, gain
    return n + 1


# ---------------------------------------------------------------- Gift Exchange (5 or 6 Players)
@jit_inlined
def may_exchange(table: Record, rules: Record, seat: Any, on_max: Any) -> Any:
    """With enough players (G15), not on Max unless allowed, and only with somebody who holds another kind (G14)."""
    if table.seats < rules.exchange.min_players or (on_max and rules.exchange.on_max == 0):
        return False
    for partner in range(table.seats):
        if partner != seat and can_swap(table.house[seat], table.house[partner]):
            return True
    return False


@jit_inlined
def can_swap(hand: Any, other: Any) -> Any:
    """Whether both hold a Present and some kind of one differs from some kind of the other."""
    mine, theirs = kinds_of(hand), kinds_of(other)
    return mine != EMPTY and theirs != EMPTY and (mine != theirs or without_first(mine) != EMPTY)


@jit_inlined
def kinds_of(hand: Any) -> Any:
    """The kinds that a hand holds, as a word with a bit for each."""
    return at_least(COLOURS, hand[0], 1) | at_least(COLOURS, hand[1], 1) >> np.uint64(1)


@jit
def list_offers(table: Record, rules: Record, seat: Any) -> Any:
    """Lay out partner, kind given, kind received: one option each, in that order; how many there are."""
    n = 0
    for partner in range(table.seats):
        for given in range(rules.kinds if partner != seat else 0):
            for received in range(rules.kinds if count(table.house[seat], given) > 0 else 0):
                if received != given and count(table.house[partner], received) > 0:
                    table.partner[n], table.lose[n], table.gain[n] = partner, given, received
                    n += 1
    return n


@jit
def exchange_gifts(table: Record, rules: Record, seat: Any) -> Any:
    """Ask a partner to swap one Present; whether they did."""
    n = list_offers(table, rules, seat)
    option = ask(table, seat, Decision.OFFER, n)
    partner, given, received = np.int64(table.partner[option]), np.int64(table.lose[option]), np.int64(table.gain[option])
    note(table, Event.OFFERED, partner, given, received)
    if not agrees(table, partner, seat, given, received):
        table.count[Counter.REFUSALS] += 1
        note(table, Event.REFUSED, partner, 0, 0)
        return False
    for giver, taker, kind in ((partner, seat, received), (seat, partner, given)):
        take(table.house[giver], kind)
        put(table.house[taker], kind)
    table.count[Counter.EXCHANGES] += 1
    note(table, Event.AGREED, partner, given, received)
    return True


@jit
def agrees(table: Record, partner: Any, seat: Any, gain: Any, lose: Any) -> Any:
    """Whether the partner agrees, which is the partner's decision (G14); to them gain and loss are the other way round."""
    for answer in range(2):
        table.action[answer], table.partner[answer] = Action.AGREE + answer, seat
        table.gain[answer], table.lose[answer] = gain, lose
    return ask(table, partner, Decision.CONSENT, 2) == 0


# ---------------------------------------------------------------- 6. You Score a Wish
@jit_inlined
def score_a_wish(table: Record, rules: Record, seat: Any) -> None:
    """One Wish, if the player can and wants to. The game ends the moment the last slot is filled (G16)."""
    n = list_payments(table, rules, table.house[seat])
    if n == 0:
        note(table, Event.CANNOT_SCORE, 0, 0, 0)
        return
    n = lay_payment(table, n, NOTHING, EMPTY, EMPTY)
    option = ask(table, seat, Decision.SCORE, n)
    if option == n - 1:
        table.count[Counter.DECLINED] += 1
        note(table, Event.DECLINED_TO_SCORE, 0, 0, 0)
    else:
        table.stars += score_one(table, rules, table.house[seat], option, Event.SCORED, Counter.WISHES_PLAYERS_MIXED)
        table.wishes_to_go -= 1
        if table.wishes_to_go == 0:
            end_the_game(table, rules)


# ---------------------------------------------------------------- 7. Refill Presents and Wishes (G7)
@jit_inlined
def refill_presents(table: Record) -> None:
    """First A, B, C, then the houses that do not belong to a player."""
    for spot in range(SPOTS):
        if table.spot[spot] < 0:
            table.spot[spot] = draw_from_bag(table, Draw.SPOT + spot)
            note(table, Event.REFILLED_SPOT, spot, table.spot[spot], 0)
    for house in range(table.seats, HOUSES):
        if table.house[house, 0] == EMPTY and table.house[house, 1] == EMPTY:
            kind = draw_from_bag(table, Draw.HOUSE + house)
            if kind >= 0:
                put(table.house[house], kind)
            note(table, Event.REFILLED_HOUSE, house, kind, 0)


@jit_inlined
def refill_wishes(table: Record, rules: Record) -> Any:
    """Then Wishes, as long as there are any; the scored ones of both sides may be a new pile (G10). How many lie face up."""
    up = 0
    for place in range(rules.wishes.face_up):
        if table.wish_kind[place] < 0:
            if table.pile_size == 0 and table.n_scored > 0 and rules.wishes.when_exhausted == RESHUFFLE:
                reshuffle(table)
            if table.pile_size > 0:
                turn_up(table, rules, place)
        up += table.wish_kind[place] >= 0
    return up


@jit_inlined
def turn_up(table: Record, rules: Record, place: Any) -> None:
    """The next card of the pile. Its draw is addressed by its position, four positions to a block."""
    i = below(table.chance, Draw.WISH + (table.turned_up & 3), table.turned_up >> 2, table.pile_size)
    wish = np.int64(table.pile[i])
    table.turned_up += 1
    table.pile_size -= 1
    table.pile[i] = table.pile[table.pile_size]
    show_wish(table, rules, place, wish)
    note(table, Event.TURNED_UP, wish, place, 0)


@jit
def reshuffle(table: Record) -> None:
    """The scored cards are the pile."""
    for i in range(table.n_scored):
        table.pile[i] = table.scored[i]
    table.pile_size, table.n_scored = table.n_scored, 0
    note(table, Event.RESHUFFLED, table.pile_size, 0, 0)


# ---------------------------------------------------------------- End of the Game
@jit
def end_the_game(table: Record, rules: Record) -> None:
    """The players have won if they have as many stars as the Grinch, or more (G18)."""
    note(table, Event.GAME_ENDED, table.stars, table.grinch_stars, rules.wishes.goal - table.wishes_to_go)
    end_for_all(table, table.stars >= table.grinch_stars + table.lead_needed)


@jit
def score(table: Record, rules: Record) -> None:  # noqa: ARG001  the table has it all
    """The stars of both sides, and whether the Grinch has won; neither side has where the turn cap ended the playout."""
    table.count[Counter.STARS_PLAYERS], table.count[Counter.STARS_GRINCH] = table.stars, table.grinch_stars
    table.count[Counter.MARGIN] = table.stars - table.grinch_stars
    table.count[Counter.GRINCH_WINS] = 1 - table.players_win - table.unfinished
