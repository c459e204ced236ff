"""What lies on the table in Merry Grinchmas, and the names of its decisions, actions, events and purposes of chance."""

from __future__ import annotations

from simulator.games.grinchmas.rules import HOUSES, MAX_FACE_UP, MAX_PILE
from simulator.kernel.chance import purpose_block
from simulator.kernel.records import state_dtype

SPOTS = 3
NOTHING = -1
"""In a place for a Present or a Wish: it is empty. Of a gain: not known, it comes from the bag."""

# Decisions. The two that every turn has come first, so that their random numbers share a block.
TAKE, SCORE, OFFER, GRINCH_SCORES, GIVE_UP, CONSENT = range(6)
DECISIONS = ("take", "score", "offer", "grinch_scores", "give_up", "consent")

# Actions: what an option of TAKE or CONSENT does. The first three are the spots A, B and C.
TAKE_A, TAKE_B, TAKE_C, DRAW_FROM_BAG, EXCHANGE, AGREE, REFUSE, NO_ACTION, TAKE_NOTHING = range(9)

# Phases of a turn, in the rulebook's order.
SPIN_PHASE, GIVE_UP_PHASE, GRINCH_SCORES_PHASE, TAKE_PHASE, OFFER_PHASE, CONSENT_PHASE, SCORE_PHASE, REFILL_PHASE, GAME_OVER_PHASE = range(
    9
)

# Purposes of chance. A turn's usual draws share two blocks; their occasion is the turn.
SPIN_DRAW = purpose_block(0)
STEAL_DRAW, TAKE_DRAW = SPIN_DRAW + 1, SPIN_DRAW + 2
SPOT_DRAW = purpose_block(1)  # one each for A, B and C
HOUSE_DRAW = purpose_block(2)  # one for each of the six houses
WISH_DRAW = purpose_block(4)  # four positions of the pile to a block
REDEAL_DRAW = purpose_block(5)

# Counters behind the metrics.
(
    MIXED_BY_PLAYERS,
    PAIR_BY_PLAYERS,
    TRIO_BY_PLAYERS,
    MIXED_BY_GRINCH,
    PAIR_BY_GRINCH,
    TRIO_BY_GRINCH,
    STOLEN_FROM_SPOT,
    STOLEN_ON_MAX,
    STOLEN_FROM_BAG,
    STOLEN_FROM_PLAYER,
    STOLEN_FROM_FREE_HOUSE,
    EXCHANGES,
    REFUSALS,
    DECLINED,
    EMPTY_BAG,
    COUNTERS,
) = range(16)

# Events, noted for the story.
(
    SPUN,
    MOVED,
    STOLEN,
    STEALS_NOTHING,
    GRINCH_SCORED,
    GRINCH_CANNOT_SCORE,
    TOOK,
    OFFERED,
    AGREED,
    REFUSED,
    SCORED,
    DECLINED_TO_SCORE,
    CANNOT_SCORE,
    REFILLED_SPOT,
    REFILLED_HOUSE,
    TURNED_UP,
    RESHUFFLED,
    BAG_WAS_EMPTY,
    GAME_ENDED,
    SAT_DOWN,
) = range(20)

KINDS_AT_MOST = 16
SCORE_OPTIONS = 8 * 8 + 4 * 8 + 16 + 1
"""Mixed Wishes paid in eight ways each, a trio in four ways by colour, a free pair in sixteen, and none."""
OPTIONS = (HOUSES - 1) * KINDS_AT_MOST * (KINDS_AT_MOST - 1)
"""The most options that any decision can have: every partner, kind given and kind received."""

STATE = state_dtype(
    [
        ("phase", "i4"),
        ("seat", "i4"),  # whose turn it is
        ("decider", "i4"),
        ("position", "i4"),
        ("space", "i4"),
        ("asked", "i4"),  # whether this turn's exchange was asked for already
        ("bag", "u8", (2,)),  # tokens: one word per design, one lane per colour
        ("hoard", "u8", (2,)),  # the Presents near Mt. Crumpit
        ("house", "u8", (HOUSES, 2)),
        ("spot", "i4", (SPOTS,)),
        ("wish", "i4", (MAX_FACE_UP,)),
        ("pile", "i2", (MAX_PILE,)),
        ("pile_size", "i4"),
        ("turned_up", "i4"),  # Wishes turned up so far: the position of the next card
        ("scored", "i2", (MAX_PILE,)),
        ("n_scored", "i4"),
        ("wishes_scored", "i4"),  # by the players
        ("stars", "i4"),
        ("grinch_stars", "i4"),
        ("count", "i4", (COUNTERS,)),
        # the pending decision's options
        ("action", "i1", (OPTIONS,)),
        ("gain", "i1", (OPTIONS,)),
        ("lose", "i1", (OPTIONS,)),
        ("partner", "i1", (OPTIONS,)),
        ("choice_wish", "i1", (SCORE_OPTIONS,)),
        ("pay", "u8", (SCORE_OPTIONS, 2)),
    ]
)
