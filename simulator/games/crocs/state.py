"""What lies on the table in Christmas Crocs, and the names of its decisions, actions, events and purposes of chance.

Three kinds of counts are packed into int64 words. A hand has 6 bits for each of the ten kinds of cards. A pile (deck or
discards) is two words with 12 bits for each of five kinds. The slots in front of a seat have 8 bits for each thing that a
slot can hold: nothing, a present, Coal, or 1, 2, ... Candy Canes; slots are alike, so only their numbers count.
"""

from __future__ import annotations

from simulator.games.crocs.rules import KINDS, MAX_CARDS, MAX_HAND, MAX_PLAYERS
from simulator.kernel.chance import purpose_block
from simulator.kernel.records import state_dtype

NOBODY = -1

# Decisions. The first four are the frequent ones; their random numbers share a block.
PLAY, TARGET, CANE, SLOT, DISCARD, ANSWER, GIVE = range(7)
DECISIONS = ("play", "target", "cane", "slot", "discard", "answer", "give")

# Actions: a card's kind, with Santa and Elf for their question; then the second uses of Santa and Elf. HEART is never one.
ASK_FOR_PRESENT, ASK_FOR_CANE = 2, 3
REMOVE_COAL, DRAW_CARD = KINDS, KINDS + 1
ACTIONS = KINDS + 2

# Options of ANSWER and GIVE.
YES, NO = range(2)

HAND_BITS = 6

# Where a turn stands.
(
    NEW_TURN_PHASE,
    NEXT_SEAT_PHASE,
    ROUND_HEART_PHASE,
    DRAW_PHASE,
    PLAY_PHASE,
    TARGET_PHASE,
    SLOT_PHASE,
    CANE_PHASE,
    GIVE_PHASE,
    HEART_PHASE,
    GAME_OVER_PHASE,
) = range(11)

# Purposes of chance. Each seat has a block of its own for its draws, four draws to a block.
DRAW_CHANCE = purpose_block(0)
REDEAL_CHANCE = purpose_block(MAX_PLAYERS)

# How a game was won.
BY_PRESENT, BY_CANES, BY_GRINCH, BY_HEART, BY_MOST_SLOTS, WAYS = range(6)

# Standing of who is attacked, by full slots: alone in front, in front with others, behind somebody.
ALONE_IN_FRONT, IN_FRONT, BEHIND, STANDINGS = range(4)

# Counters behind the metrics, in the order of a row.
(
    GRINCHES,
    GRINCHES_TO_WIN,
    ANSWERED,
    ANSWERED_TO_WIN,
    LOOT_WASTED,
    GIFTS,
    GIFTS_WASTED,
    LOST_TO_SCROOGE,  # three: by standing
    _,
    _,
    LOST_TO_GRINCH,  # three
    _,
    _,
    LOST_TO_COAL,  # three
    _,
    _,
    COAL_REMOVED,
    QUESTIONS,
    FAILED,
    REFUSED,
    NO_PLAY,
    PASSED,
    NOT_DRAWN,
    SKIPPED,
    REVERSED,
    RESHUFFLES,
    COUNTERS,
) = range(27)

# Events, noted for the story.
(
    DEALT,
    DREW,
    CANNOT_DRAW,
    RESHUFFLED,
    SKIPPED_TURN,
    PLAYED,
    DISCARDED,
    HAS_NO_CARD,
    PLACED,
    ASKED,
    ANSWERED_QUESTION,
    COAL_TAKEN_AWAY,
    SCROOGED,
    STOLE,
    LOOT_DISCARDED,
    HEART_PLAYED,
    GIFT_LOST,
    COALED,
    TURNED,
    FROZE,
    WON,
    DECK_ENDED,
    LOOT_KEPT,
) = range(23)

OPTION_BITS = 4
"""An option is an action, a kind, a seat, what a slot holds, or YES or NO; all of them are below 16."""

MAX_HELD = MAX_HAND + 1
"""The most cards in a hand: the dealt ones and the one drawn."""

STATE = state_dtype(
    [
        ("phase", "i4"),
        ("seat", "i4"),  # whose turn it is
        ("decider", "i4"),
        ("direction", "i4"),  # 1 clockwise, -1 the other way
        ("frozen", "i4"),  # bit by bit the seats that miss their next turn
        ("deck", "i8", (2,)),
        ("discards", "i8", (2,)),
        ("hand", "i8", (MAX_PLAYERS,)),
        # by kind how many of a seat's cards, those held longest, are known to everybody not to be of it
        ("known_not", "i8", (MAX_PLAYERS,)),
        ("slots", "i8", (MAX_PLAYERS,)),
        ("draws", "i4", (MAX_PLAYERS,)),  # how many cards each seat has drawn: the address of its next draw
        ("loot", "i4", (MAX_PLAYERS,)),  # presents of a seat's Grinch Croc that a Heart can still give away
        # the play at hand
        ("action", "i4"),
        ("target", "i4"),
        ("to_win", "i4"),  # whether a Grinch Croc has just filled the last slot
        ("answers", "i4"),  # how many were in a position to answer with a Heart so far
        # the end
        ("winner", "i4"),  # NOBODY for none, or for a tie
        ("way", "i4"),  # how it was won
        ("count", "i4", (COUNTERS,)),
        ("drawn", "i4", (MAX_PLAYERS, KINDS)),  # cards dealt to and drawn by each seat
        ("options", "i8"),  # what the pending decision's options are, 4 bits each
        # room for dealing the unseen cards afresh
        ("unseen", "i1", (MAX_CARDS,)),
        ("holder", "i1", (MAX_PLAYERS * MAX_HELD,)),
        ("place", "i1", (MAX_PLAYERS * MAX_HELD,)),
    ]
)
