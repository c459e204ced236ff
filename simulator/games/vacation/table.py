"""What lies on the table in Christmas Vacation, who sees it, and the names of its decisions, options, events and counters.

Number cards are one word of counts, number n in lane n - 1, for the helpers of `simulator.kit.piles`; the Wilds are
counted beside it.
"""

from __future__ import annotations

from enum import IntEnum

from simulator.games.vacation.rules import MAX_DICE, MAX_NUMBERS, MAX_WILDS
from simulator.kernel.chance import purpose_block
from simulator.kit.declare import NOBODY, cards, counters, number, numbers, of_rules, per_option, per_seat, table
from simulator.kit.piles import lanes

NUMBERS = lanes(MAX_NUMBERS, 8)
"""How number cards are packed."""

# The four decisions that most turns have come first, so that their random numbers share a block.
Decision = IntEnum("Decision", "ROLL_AGAIN DISCARD BONUS WREATH NEXT_BONUS", start=0)
RollAgain = IntEnum("RollAgain", "ROLL STOP", start=0)
NextBonus = IntEnum("NextBonus", "WREATH BONUS", start=0)
Kind = IntEnum("Kind", "NONE NUMBER RUN WILD", start=0)  # of a set that an option of DISCARD, BONUS or WREATH discards

Event = IntEnum("Event", "ROLLED EDDIES BUSTED DREW RAN_OUT DIE_SHOWS DISCARDED KEPT SHUFFLED_BACK WON", start=0)

Counter = IntEnum(
    "Counter",
    """
    ROUNDS RUNNER_UP LOSERS_1_3 LOSERS_4_6 LOSERS_7_12 LOSERS_13_UP
    ROLLS BUSTS BUSTS_ALL_DICE BUSTS_ONE_FEWER BUSTS_TWO_FEWER BUSTS_STILL_FEWER
    DRAWN DRAWING_NONE DRAWING_1_2 DRAWING_3_4 DRAWING_5_6 DRAWING_7_8 DRAWING_9_UP
    DISCARDING_NONE DISCARDING_ONE DISCARDING_TWO DISCARDING_THREE DISCARDING_FOUR DISCARDING_FIVE DISCARDING_SIX DISCARDING_MORE
    DISCARDED_STOP DISCARDED_BONUS DISCARDED_WREATH SETS_NUMBERS SETS_RUNS CARDS_NUMBERS CARDS_RUNS
    WILD_NUMBER WILD_RUN WILD_ALONE WILD_WREATH UNUSED_WREATH UNUSED_BONUS WHOLE_DECK
    """,
    start=0,
)
"""What metrics count; those of a group follow one another, by decision or by kind where they are told apart by that."""

# Purposes of chance.
DICE_DRAW = purpose_block(0)  # three dice to a lane; the occasion is the turn and the roll
CARD_DRAW = purpose_block(1)  # one card to a lane; the occasion is the turn and a fourth of the card's number in it

MAX_ROLLS = 150
"""Rolls after which a turn has to stop, so that every turn ends even where nothing can bust. A limit of the simulation."""

OPTIONS = MAX_NUMBERS * (MAX_WILDS + 1) + MAX_WILDS + (2**MAX_NUMBERS - 1) * (MAX_WILDS + 1) + 1
"""No decision has more options: a number or any set of numbers with some of the Wilds, Wilds alone, and none."""

SETS = (Decision.DISCARD, Decision.BONUS, Decision.WREATH)

TABLE = table(
    # the dice
    roll=number(),  # rolls made in this turn
    eddies=number(),  # dice on the board
    board=number(),  # which ones, bit by bit; the first ones where all are alike
    dice=number(),  # in the tumbler for another roll: how many,
    faces=number(),  # all their faces together,
    eddie_faces=number(),  # those of each kind among them,
    wreath_faces=number(),
    bonus_faces=number(),
    bust=number(kind="f8"),  # and the chance that a roll of them busts
    thrown=numbers(MAX_DICE, seen_by=NOBODY),  # faces of this roll, where each die is looked at by itself
    wreaths=number(),  # bonuses of this roll still to be used, after the one in question
    bonuses=number(),
    # the cards of the player whose turn it is
    up=cards(NUMBERS),  # number cards face up
    up_wilds=number(),
    n_up=number(),  # all of them together
    pile=cards(NUMBERS),  # number cards face down
    pile_wilds=number(),
    n_pile=number(),
    drawn=number(),  # cards drawn in this turn
    discarded=number(),  # and discarded
    # everybody's
    left=per_seat(),  # cards that each player still has, wherever they lie
    deck=per_seat(cards(NUMBERS)),  # number cards of each player's deck between turns: all have seen what was discarded
    deck_wilds=per_seat(),
    # the options
    cards=per_option(OPTIONS, SETS, cards(NUMBERS)),  # number cards discarded
    wilds=per_option(OPTIONS, SETS, number(kind="i1")),  # Wilds discarded
    discards=per_option(OPTIONS, SETS, number(kind="i1")),  # all of them together
    kind=per_option(OPTIONS, SETS, number(kind="i1")),
    # what metrics need
    count=counters(Counter),
    cards_left=per_seat(seen_by=NOBODY),
    # the rules
    numbers=of_rules(lambda rules: rules.deck.numbers),
    run_min=of_rules(lambda rules: rules.run.min_length),
    bust_at=of_rules(lambda rules: rules.dice.bust_at),
)
