"""What lies on the table in Christmas Vacation, and the names of its decisions, actions, events and purposes of chance.

The number cards of a deck or a hand are one word of counts, number n in lane n - 1; the Wilds are counted beside it.
"""

from __future__ import annotations

from simulator.kernel.chance import purpose_block
from simulator.kernel.multiset import KINDS
from simulator.kernel.records import MAX_SEATS, state_dtype

MAX_WILDS = 4

EDDIE_FACE, CLARK_FACE, WREATH_FACE, BONUS_FACE = range(4)
"""Faces of a die."""

# Decisions. The four that most turns have come first, so that their random numbers share a block.
ROLL_AGAIN, DISCARD, BONUS, WREATH, NEXT_BONUS = range(5)
DECISIONS = ("roll_again", "discard", "bonus", "wreath", "next_bonus")

# Actions: what an option of ROLL_AGAIN or NEXT_BONUS does.
ROLL, STOP, USE_WREATH, USE_BONUS = range(4)

# Kinds of sets that an option of DISCARD, BONUS or WREATH discards.
NO_SET, NUMBER_SET, RUN_SET, WILD_SET = range(4)

# Phases of a turn, in the rulebook's order.
(
    NEW_TURN_PHASE,
    ROLL_PHASE,
    NEXT_DIE_PHASE,
    BONUS_PHASE,
    USE_WREATH_PHASE,
    USE_BONUS_PHASE,
    ROLL_AGAIN_PHASE,
    DISCARD_PHASE,
    TURN_OVER_PHASE,
    GAME_OVER_PHASE,
) = range(10)

# Purposes of chance.
DICE_DRAW = purpose_block(0)  # three dice to a lane; the occasion is the turn and the roll
CARD_DRAW = purpose_block(1)  # one card to a lane; the occasion is the turn and a fourth of the card's number in it

ROLL_BITS = 8
MAX_ROLLS = 150
"""Rolls after which a turn has to stop, so that every turn ends even where nothing can bust. A limit of the simulation."""

CARD_BITS = 5
"""Bits for a fourth of the number of cards drawn in a turn."""

MOST_STEPS = 255

# Counters behind the metrics; those of a group follow one another.
ROLLS = 0
BUSTS = 1  # by dice on the board before the roll: 0, 1, 2, 3 or more
DRAWN = 5
TURNS_DRAWING = 6  # by cards: 0, 1-2, 3-4, 5-6, 7-8, 9 or more
TURNS_DISCARDING = 12  # by cards: 0 to 6, 7 or more
CARDS_BY_WAY = 20  # by decision: stop, bonus, wreath
SETS = 23  # by kind: number, run
CARDS_IN_SETS = 25
WILDS = 27  # by use: in a number, in a run, alone, by a wreath
BONUSES_UNUSED = 31  # wreath, bonus
DECK_RAN_OUT = 33
COUNTERS = 34

BUST_BINS, DRAWN_BINS, DISCARDED_BINS = 4, 6, 8
WILD_IN_NUMBER, WILD_IN_RUN, WILD_ALONE, WILD_BY_WREATH = range(4)

# Events, noted for the story.
(
    ROLLED,
    EDDIES,
    BUSTED,
    DREW,
    RAN_OUT,
    PICKED_BONUS,
    DISCARDED,
    KEPT,
    ROLLED_ON,
    STOPPED,
    SHUFFLED_BACK,
    WON,
    DIE_SHOWS,
) = range(13)

OPTIONS = KINDS * (MAX_WILDS + 1) + MAX_WILDS + (2**KINDS - 1) * (MAX_WILDS + 1) + 1
"""No decision has more options: a number or any set of numbers with some of the Wilds, Wilds alone, and none."""

STATE = state_dtype(
    [
        ("phase", "i4"),
        ("seat", "i4"),  # whose turn it is
        ("roll", "i4"),  # rolls made in this turn
        ("eddies", "i4"),  # dice on the board
        ("board", "i4"),  # which ones, bit by bit; the first ones where all are alike
        ("wreaths", "i4"),  # unused bonuses of this roll
        ("bonuses", "i4"),
        ("queue", "i8"),  # dice of this roll still to be looked at, four bits each, where the bonuses go die by die
        ("asked", "i8"),  # how often each decision was asked in this turn, a byte each
        ("up", "u8"),  # face-up number cards
        ("up_wilds", "i4"),
        ("pile", "u8"),  # number cards face down in the active player's deck
        ("pile_wilds", "i4"),
        ("pile_size", "i4"),
        ("drawn", "i4"),  # cards drawn in this turn
        ("discarded", "i4"),  # cards discarded in this turn
        ("deck", "u8", (MAX_SEATS,)),  # number cards that each player still has, wherever they lie
        ("wilds", "i4", (MAX_SEATS,)),
        ("left", "i4", (MAX_SEATS,)),  # cards in all that each player still has
        ("count", "i4", (COUNTERS,)),
        # the pending decision's options
        ("cards", "u8", (OPTIONS,)),
        ("with_wilds", "i1", (OPTIONS,)),
        ("kind", "i1", (OPTIONS,)),
    ]
)
