"""What lies on the table in Christmas Crocs, who sees it, and the names of its decisions, events and counters.

Slots are alike, so only the numbers of those that hold the same thing count. These numbers, hands, deck and discards are
counts packed into lanes.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from simulator.games.crocs.rules import KINDS, MAX_CANES, MAX_PLAYERS, CrocsRules, Kind
from simulator.kernel.chance import purpose_block
from simulator.kit.declare import NOBODY, OWNER, cards, counters, number, of_rules, per_seat, table
from simulator.kit.piles import lanes, packed
from simulator.kit.questions import options

Decision = IntEnum("Decision", "PLAY TARGET CANE SLOT DISCARD ANSWER GIVE", start=0)
"""The first four are the frequent ones; their random numbers share a block."""

Action = IntEnum(
    "Action",
    "PRESENT CANDY_CANE ASK_FOR_PRESENT ASK_FOR_CANE SCROOGE GRINCH HEART COAL CHOO_CHOO SNOW REMOVE_COAL DRAW_CARD",
    start=0,
)
"""What can be played: each kind of card, Santa and Elf for their question, then the second uses of these. A Heart never is."""

Slot = IntEnum("Slot", "OPEN PRESENT COAL CANE", start=0)
"""What a slot can hold; n Candy Canes are CANE + n - 1."""

Event = IntEnum(
    "Event",
    "DEALT DREW CANNOT_DRAW RESHUFFLED SKIPPED_TURN PLAYED DISCARDED HAS_NO_CARD PLACED ASKED ANSWERED_QUESTION COAL_TAKEN_AWAY "
    "SCROOGED STOLE LOOT_DISCARDED HEART_PLAYED GIFT_LOST COALED TURNED FROZE WON DECK_ENDED LOOT_KEPT",
    start=0,
)

Counter = IntEnum(
    "Counter",
    "TIED ROUNDS LEAD WON_BY_PRESENT WON_BY_CANES WON_BY_GRINCH WON_BY_HEART WON_BY_MOST_SLOTS "
    "GRINCH_PLAYED GRINCH_TO_WIN GRINCH_ANSWERED GRINCH_ANSWERED_TO_WIN GRINCH_WASTED GIFTS GIFTS_WASTED "
    "LOST_SCROOGE LOST_SCROOGE_ALONE LOST_SCROOGE_LEVEL LOST_SCROOGE_BEHIND "
    "LOST_GRINCH LOST_GRINCH_ALONE LOST_GRINCH_LEVEL LOST_GRINCH_BEHIND LOST_COAL LOST_COAL_ALONE LOST_COAL_LEVEL LOST_COAL_BEHIND "
    "COAL_REMOVED QUESTIONS QUESTIONS_FAILED QUESTIONS_REFUSED NO_PLAY PASSED NOT_DRAWN SKIPPED REVERSED RESHUFFLES",
    start=0,
)
"""What is lost is counted in all, and behind that by standing; a way to win has its counter for a name."""

REDEAL_CHANCE = purpose_block(MAX_PLAYERS)  # purposes before that are the seats' own draws

HAND, PILE, SLOTS = lanes(KINDS, 6), lanes(KINDS, 12), lanes(Slot.CANE + MAX_CANES, 8)


def among_slots(*contents: int) -> np.uint64:
    """The bits that tell in a seat's packed slots whether one holds any of `contents`."""
    return np.uint64(sum(int(SLOTS.lane) << (SLOTS.bits * content) for content in contents))


OPEN, COALS, PRESENTS = among_slots(Slot.OPEN), among_slots(Slot.COAL), among_slots(Slot.PRESENT)
ROBBABLE = among_slots(Slot.PRESENT, *range(Slot.CANE, SLOTS.kinds))


def full_canes(rules: CrocsRules) -> int:
    """What a slot full of Candy Canes holds."""
    return Slot.CANE + rules.slots.canes - 1


def derive(rules: CrocsRules) -> dict[str, Any]:
    """The bits that tell whether slots are half filled."""
    return {"half_full": among_slots(*range(Slot.CANE, full_canes(rules)))}


TABLE = table(
    hand=per_seat(cards(), seen_by=OWNER),
    hand_sizes=per_seat(),  # cards in each hand
    known_not=per_seat(cards()),  # by kind how many of a seat's cards, those held longest, are known to all not to be of it
    board=per_seat(cards()),  # what each seat's slots hold
    slots=per_seat(),  # full ones
    stolen=per_seat(),  # presents of a seat's Grinch Croc that a Heart can still give away
    frozen=number(),  # bit by bit the seats that miss their next turn
    deck=number(),  # how many cards it has
    pile=cards(PILE.words, seen_by=NOBODY),  # and which
    discards=cards(PILE.words),  # a card being played lies there until it is put into a slot
    draws=per_seat(seen_by=NOBODY),  # how many cards each seat has drawn: the address of its next draw
    action=number(),  # the last card played, one at hand included
    target=number(),  # whom it was played on
    thief=number(),  # for ANSWER: whose Grinch Croc may be answered, else nobody;
    loot=number(),  # how many presents it would give away,
    to_win=number(),  # and whether it wins otherwise
    options=options(),  # actions for PLAY, seats for TARGET, what slots hold for CANE and SLOT, kinds for DISCARD, else YES and NO
    count=counters(Counter),
    drawn=per_seat(counters(Kind), seen_by=NOBODY),  # cards dealt to and drawn by each seat
    goal=of_rules(lambda rules: rules.slots.count),
    full_canes=of_rules(full_canes),
    takes=of_rules(lambda rules: rules.grinch.takes),  # presents that a Grinch Croc takes
    silences=of_rules(lambda rules: rules.snow.silences),  # whether who is frozen gives no card and plays no Heart
    box=of_rules(lambda rules: packed(PILE, rules.counts), kind="u8", shape=(PILE.words,)),  # all cards there are
)
