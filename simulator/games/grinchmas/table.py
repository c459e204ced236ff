"""What lies on the table in Merry Grinchmas, and the names of its decisions, actions, events, counters and draws."""

from __future__ import annotations

from enum import IntEnum

from simulator.games.grinchmas.rules import HOUSES, MAX_FACE_UP, MAX_PILE, SPOTS
from simulator.kernel.chance import purpose_block
from simulator.kit.declare import NOBODY, Field, cards, counters, number, numbers, of_rules, per_option, table
from simulator.kit.piles import lanes

COLOURS = lanes(8, 8)
"""How Presents are packed: a word for each design, a lane for each colour."""

PRESENTS = lanes(16, 8)
"""The same for both designs together."""

Decision = IntEnum("Decision", "TAKE SCORE OFFER GRINCH_SCORES GIVE_UP CONSENT", start=0)
"""The two that every turn has come first, so that their random numbers share a block."""

Action = IntEnum("Action", "TAKE_A TAKE_B TAKE_C DRAW_FROM_BAG EXCHANGE AGREE REFUSE NO_ACTION TAKE_NOTHING", start=0)
"""What an option of TAKE or CONSENT does. The first three are the spots A, B and C."""

Event = IntEnum(
    "Event",
    "SAT_DOWN SPUN MOVED STOLEN STEALS_NOTHING GRINCH_SCORED TOOK OFFERED AGREED REFUSED SCORED DECLINED_TO_SCORE CANNOT_SCORE "
    "REFILLED_SPOT REFILLED_HOUSE TURNED_UP RESHUFFLED BAG_WAS_EMPTY GAME_ENDED",
    start=0,
)

Counter = IntEnum(
    "Counter",
    "GRINCH_WINS MARGIN STARS_PLAYERS STARS_GRINCH WISHES_PLAYERS_MIXED WISHES_PLAYERS_PAIR WISHES_PLAYERS_TRIO WISHES_GRINCH_MIXED "
    "WISHES_GRINCH_PAIR WISHES_GRINCH_TRIO STOLEN_SPOT STOLEN_MAX STOLEN_BAG STOLEN_PLAYER STOLEN_FREE_HOUSE EXCHANGES REFUSALS "
    "DECLINED EMPTY_BAG",
    start=0,
)


class Draw(IntEnum):
    """Purposes of chance. A turn's usual draws share two blocks; their occasion is the turn."""

    SPIN = purpose_block(0)
    STEAL = SPIN + 1
    TAKE = SPIN + 2
    SPOT = purpose_block(1)  # one each for A, B and C
    HOUSE = purpose_block(2)  # one for each of the six houses
    WISH = purpose_block(4)  # four positions of the pile to a block


PAYMENTS = 8 * 8 + 4 * 8 + 16 + 1
"""The most options of a score: mixed Wishes paid in eight ways each, a trio in four ways by colour, a free pair in sixteen, and none."""

OFFERS = (HOUSES - 1) * 16 * 15
"""The most options of an offer, and of any decision: every partner, kind given and kind received."""

_SMALL = number(kind="i1")

TABLE = table(
    active=number(),  # whose turn it is
    position=number(),  # of the Grinch on the path
    stars=number(),
    grinch_stars=number(),
    wishes_to_go=number(),  # how many the players still have to score
    spot=numbers(SPOTS),  # kinds on A, B and C; NOTHING where empty
    mine=cards(PRESENTS),  # the deciding seat's Presents
    hoard=cards(PRESENTS),  # the Grinch's Presents near Mt. Crumpit
    bag=cards(PRESENTS),  # what is in the bag follows from what is not
    house=Field("u8", (HOUSES, 2)),  # every house's Presents, those of free houses too
    # the Wishes face up
    wish_kind=numbers(MAX_FACE_UP),  # MIXED, PAIR or TRIO; NOTHING where there is no Wish
    wish_design=numbers(MAX_FACE_UP),  # of a pictured pair
    wish_stars=numbers(MAX_FACE_UP),
    wish_need=numbers(MAX_FACE_UP, kind="u8"),  # Presents by colour; none where any will do
    wish_type=numbers(MAX_FACE_UP, seen_by=NOBODY),  # its place among the different Wishes of the rules
    # the other Wishes
    pile_size=number(seen_by=NOBODY),
    turned_up=number(seen_by=NOBODY),  # so far: the position of the next card
    n_scored=number(seen_by=NOBODY),  # by both sides
    count=counters(Counter),
    pile=numbers(MAX_PILE, kind="i2", seen_by=NOBODY),  # in no order: whatever is turned up is drawn from all of it
    scored=numbers(MAX_PILE, kind="i2", seen_by=NOBODY),
    # what the options are; which decision has which of these
    action=per_option(OFFERS, (Decision.TAKE, Decision.CONSENT), _SMALL),
    gain=per_option(OFFERS, (Decision.TAKE, Decision.OFFER, Decision.CONSENT), _SMALL),
    lose=per_option(OFFERS, (Decision.OFFER, Decision.CONSENT, Decision.GIVE_UP), _SMALL),
    partner=per_option(OFFERS, (Decision.OFFER, Decision.CONSENT), _SMALL),
    wish=per_option(PAYMENTS, (Decision.SCORE, Decision.GRINCH_SCORES), _SMALL),  # its place; NOTHING for none
    scores=per_option(PAYMENTS, (Decision.SCORE, Decision.GRINCH_SCORES)),
    pay=per_option(PAYMENTS, (Decision.SCORE, Decision.GRINCH_SCORES), cards(PRESENTS)),
    # what follows from the rules
    colours=of_rules(lambda rules: rules.presents.colours),
    designs=of_rules(lambda rules: rules.presents.designs),
    lead_needed=of_rules(lambda rules: 0 if rules.win_on_tie else 1),  # stars by which the players have to be ahead in the end
    n_wishes=of_rules(lambda rules: rules.wishes.face_up),  # places for Wishes face up
)
