"""What the cards of Christmas Crocs do, heading by heading as in the rulebook. Rulings are cited by their names, C1 to C22."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.crocs.rules import REACTION, Kind
from simulator.games.crocs.table import HAND, OPEN, PILE, PRESENTS, ROBBABLE, SLOTS, Counter, Decision, Event, Slot
from simulator.games.crocs.view import is_silenced, slots_of
from simulator.kernel.events import note
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import NOBODY, Record
from simulator.kernel.turns import neighbour
from simulator.kit.piles import EMPTY, add_to_pile, at_least, count, one, ones_of, some
from simulator.kit.questions import ANYBODY, NOTHING, one_of, one_of_players, says_yes, with_thing
from simulator.kit.seats import leaders, win


# ---------------------------------------------------------------- hands, and whom a card is played on
@jit_inlined
def lay_down(table: Record, seat: Any, kind: Any) -> None:
    """Take a card out of a hand, for all to see.

    Everybody knows that none of the seat's oldest `known_not` cards are of some kind. At the least the oldest card that
    can be of `kind` has left; so a kind that is ruled out for more cards than `kind` is now ruled out for one less.
    """
    known = table.known_not[seat]
    if known != EMPTY:
        table.known_not[seat] = known - ones_of(HAND, at_least(HAND, known, count(HAND, known, kind) + 1))
    table.hand[seat] -= one(HAND, kind)
    table.hand_sizes[seat] -= 1


@jit_inlined
def rule_out(table: Record, seat: Any, kinds: Any) -> None:
    """Make known that a seat holds no card of `kinds` now, one of each."""
    table.known_not[seat] = (table.known_not[seat] & ~(kinds * HAND.lane)) | (kinds * np.uint64(table.hand_sizes[seat]))


@jit_inlined
def whom(table: Record, seat: Any, among: Any) -> Any:
    """Choose whom the card is played on, among seats given bit by bit."""
    table.target = one_of_players(table, seat, Decision.TARGET, among)
    return np.int64(table.target)


@jit_inlined
def players_with(table: Record, contents: Any) -> Any:
    """The seats, bit by bit, of which a slot holds something of `contents`."""
    found = np.int64(0)
    for seat in range(table.seats):
        found |= (1 if table.board[seat] & contents != EMPTY else 0) << seat
    return found


@jit_inlined
def unfrozen(table: Record) -> Any:
    """The seats, bit by bit, that do not miss their next turn."""
    return ((1 << table.seats) - 1) & ~table.frozen


# ---------------------------------------------------------------- How to win
@jit
def win_by(table: Record, seat: Any, way: Any) -> None:
    """Win at once, on anyone's turn (C19)."""
    table.count[way] = 1
    note(table, Event.WON, seat, way, 0)
    win(table, seat)


@jit_inlined
def is_full(table: Record, content: Any) -> Any:
    """Whether what a slot holds fills it, 1 or 0: a present or enough canes; Coal never counts (C9)."""
    return 1 if content == Slot.PRESENT or content == table.full_canes else 0


@jit_inlined
def refill(table: Record, seat: Any, n: Any, before: Any, after: Any) -> None:
    """So many slots of a seat that held one thing hold another now."""
    table.board[seat] += some(SLOTS, after, n) - some(SLOTS, before, n)
    table.slots[seat] += n * (is_full(table, after) - is_full(table, before))


# ---------------------------------------------------------------- Santa, Elf
@jit
def ask_for(table: Record, rules: Record, seat: Any, kind: Any) -> None:
    """Ask any one player (C5) for a present or a cane, who must give it or may (C6); what is given is played immediately.

    It may fail (C4). Where giving is voluntary a refusal sounds like a lack, so nothing is learnt; nor from the silenced (C22).
    """
    target = whom(table, seat, ANYBODY)
    table.count[Counter.QUESTIONS] += 1
    note(table, Event.ASKED, target, kind, 0)
    gives = gives_or_not(table, rules, target, kind)
    note(table, Event.ANSWERED_QUESTION, target, kind, 1 if gives else 0)
    if not gives:
        table.count[Counter.QUESTIONS_FAILED] += 1
        return
    lay_down(table, target, kind)
    if kind == Kind.PRESENT:
        put_present(table, rules, seat, Counter.WON_BY_PRESENT)
    else:
        add_to_pile(PILE, table.discards, Kind.CANDY_CANE, 1)
        put_cane(table, rules, seat)


@jit_inlined
def gives_or_not(table: Record, rules: Record, seat: Any, kind: Any) -> Any:
    """Whether a seat that is asked for a card gives it."""
    if is_silenced(table, seat):
        return False
    holds = count(HAND, table.hand[seat], kind) > 0
    if rules.ask.must_give != 0:
        if not holds:
            rule_out(table, seat, one(HAND, kind))
        return holds
    gives = holds and says_yes(table, seat, Decision.GIVE, 0)
    table.count[Counter.QUESTIONS_REFUSED] += 1 if holds and not gives else 0
    return gives


@jit_inlined
def remove_coal(table: Record, seat: Any) -> None:
    """Santa's second use: a Coal of one's own goes to the discards, and Santa with it (C9)."""
    refill(table, seat, 1, Slot.COAL, Slot.OPEN)
    add_to_pile(PILE, table.discards, Kind.COAL, 1)
    table.count[Counter.COAL_REMOVED] += 1
    note(table, Event.COAL_TAKEN_AWAY, seat, 0, 0)


# ---------------------------------------------------------------- Scrooge
@jit_inlined
def scrooge(table: Record, seat: Any) -> None:
    """Empty one slot of another player into the discards, Coal apart: a present, or canes, the most first (C10)."""
    target = whom(table, seat, players_with(table, ROBBABLE))
    things = with_thing(NOTHING, Slot.PRESENT, slots_of(table, target, Slot.PRESENT) > 0)
    for content in range(SLOTS.kinds - 1, Slot.CANE - 1, -1):
        things = with_thing(things, content, slots_of(table, target, content) > 0)
    content = one_of(table, seat, Decision.SLOT, things)
    count_lost(table, target, Counter.LOST_SCROOGE, 1)
    refill(table, target, 1, content, Slot.OPEN)
    if content == Slot.PRESENT:
        add_to_pile(PILE, table.discards, Kind.PRESENT, 1)
    else:
        add_to_pile(PILE, table.discards, Kind.CANDY_CANE, content - Slot.CANE + 1)
    note(table, Event.SCROOGED, target, content, 0)


@jit
def count_lost(table: Record, target: Any, counter: Any, n: Any) -> None:
    """Count slots that a seat is about to lose, in all and by how it stands by full slots: alone in front, level, behind."""
    best, many, _ = leaders(table.slots, table.seats)
    table.count[counter] += n
    table.count[counter + (3 if table.slots[target] < best else 2 if many > 1 else 1)] += n


# ---------------------------------------------------------------- Grinch Croc
@jit
def grinch_croc(table: Record, rules: Record, thief: Any) -> None:
    """Take up to two presents of one player into one's own open slots; what finds no slot is discarded (C11)."""
    target = whom(table, thief, players_with(table, PRESENTS))
    taken = min(rules.grinch.takes, slots_of(table, target, Slot.PRESENT))
    kept = min(taken, slots_of(table, thief, Slot.OPEN))
    count_lost(table, target, Counter.LOST_GRINCH, taken)
    table.count[Counter.GRINCH_WASTED] += taken - kept
    table.count[Counter.GRINCH_PLAYED] += 1
    refill(table, target, taken, Slot.PRESENT, Slot.OPEN)
    refill(table, thief, kept, Slot.OPEN, Slot.PRESENT)
    add_to_pile(PILE, table.discards, Kind.PRESENT, taken - kept)
    note(table, Event.STOLE, target, taken, 0)
    note(table, Event.LOOT_KEPT, thief, kept, 0)
    if taken > kept:
        note(table, Event.LOOT_DISCARDED, taken - kept, 0, 0)
    table.stolen[thief] = kept
    to_win = table.slots[thief] == rules.slots.count
    if to_win:
        table.count[Counter.GRINCH_TO_WIN] += 1
    if to_win or rules.heart.window == REACTION:
        answer_right_away(table, rules, thief, to_win)


# ---------------------------------------------------------------- Heart
@jit_inlined
def answer_right_away(table: Record, rules: Record, thief: Any, to_win: Any) -> None:
    """Every other player in turn order may answer (C12), only the next one if the thief wins (C15).

    Frozen players too, unless silenced (C22).
    """
    seat, answered, table.to_win = thief, False, 1 if to_win else 0
    for nth in range(1 if to_win else table.seats - 1):
        seat = neighbour(table, seat)
        answered = answered or (not is_silenced(table, seat) and plays_heart(table, rules, seat, thief, nth))
    table.stolen[thief] = table.to_win = 0
    if to_win and not answered:
        win_by(table, thief, Counter.WON_BY_GRINCH)


@jit
def answer_thefts_of_the_round(table: Record, rules: Record, seat: Any) -> None:
    """At the start of a turn, where that is the rule: any theft since whose thief has not come to move again (C12)."""
    thief = np.int64(seat)
    for nth in range(table.seats - 1):
        thief = neighbour(table, thief)
        if table.over == 0 and table.stolen[thief] > 0 and slots_of(table, thief, Slot.PRESENT) > 0:
            plays_heart(table, rules, seat, thief, nth)


@jit
def plays_heart(table: Record, rules: Record, seat: Any, thief: Any, nth: Any) -> Any:
    """Whether a seat has a Heart and answers with it. One is enough (C12); it costs no turn and is not replaced (C13)."""
    if count(HAND, table.hand[seat], Kind.HEART) == 0:
        return False
    table.thief, table.loot = thief, min(np.int64(table.stolen[thief]), slots_of(table, thief, Slot.PRESENT))
    plays = says_yes(table, seat, Decision.ANSWER, nth)
    if plays:
        table.count[Counter.GRINCH_ANSWERED_TO_WIN if table.to_win != 0 else Counter.GRINCH_ANSWERED] += 1
        note(table, Event.HEART_PLAYED, seat, thief, 0)
        lay_down(table, seat, Kind.HEART)
        add_to_pile(PILE, table.discards, Kind.HEART, 1)
        give_away(table, rules, thief, table.loot)
    table.thief, table.loot = NOBODY, 0
    return plays


@jit_inlined
def give_away(table: Record, rules: Record, thief: Any, presents: Any) -> None:
    """The loot goes to the players after the thief, one each, round again if there are fewer (C14)."""
    table.stolen[thief] = 0
    to = np.int64(thief)
    for _ in range(presents):
        to = neighbour(table, to)
        if to == thief:
            to = neighbour(table, to)
        refill(table, thief, 1, Slot.PRESENT, Slot.OPEN)
        if slots_of(table, to, Slot.OPEN) == 0:
            add_to_pile(PILE, table.discards, Kind.PRESENT, 1)
            table.count[Counter.GIFTS_WASTED] += 1
            note(table, Event.GIFT_LOST, to, 0, 0)
        else:
            table.count[Counter.GIFTS] += 1
            put_present(table, rules, to, Counter.WON_BY_HEART)
            if table.over != 0:
                return


# ---------------------------------------------------------------- Coal
@jit_inlined
def coal(table: Record, seat: Any) -> None:
    """Block an empty slot of another player (C9)."""
    target = whom(table, seat, players_with(table, OPEN))
    count_lost(table, target, Counter.LOST_COAL, 1)
    refill(table, target, 1, Slot.OPEN, Slot.COAL)
    add_to_pile(PILE, table.discards, Kind.COAL, -1)
    note(table, Event.COALED, target, 0, 0)


# ---------------------------------------------------------------- Present, Candy Cane
@jit
def put_present(table: Record, rules: Record, seat: Any, way: Any) -> None:
    """Place in an open slot; the last slot filled wins."""
    refill(table, seat, 1, Slot.OPEN, Slot.PRESENT)
    note(table, Event.PLACED, seat, Kind.PRESENT, 0)
    if table.slots[seat] == rules.slots.count:
        win_by(table, seat, way)


@jit
def put_cane(table: Record, rules: Record, seat: Any) -> None:
    """Place in an open slot or in a half-filled one (C17); the one with fewest canes is listed first."""
    things = with_thing(NOTHING, Slot.OPEN, slots_of(table, seat, Slot.OPEN) > 0)
    for content in range(Slot.CANE, table.full_canes):
        things = with_thing(things, content, slots_of(table, seat, content) > 0)
    content = one_of(table, seat, Decision.CANE, things)
    filled = np.int64(Slot.CANE) if content == Slot.OPEN else content + 1
    refill(table, seat, 1, content, filled)
    add_to_pile(PILE, table.discards, Kind.CANDY_CANE, -1)
    note(table, Event.PLACED, seat, Kind.CANDY_CANE, content)
    if filled == table.full_canes and table.slots[seat] == rules.slots.count:
        win_by(table, seat, Counter.WON_BY_CANES)


# ---------------------------------------------------------------- Choo Choo, Snow Croc
@jit_inlined
def choo_choo(table: Record) -> None:
    """Turn the direction; with two players that does nothing (C18)."""
    table.direction = -table.direction
    table.count[Counter.REVERSED] += 1
    note(table, Event.TURNED, table.direction, 0, 0)


@jit_inlined
def snow_croc(table: Record, seat: Any) -> None:
    """Who is not frozen already (C20) misses the next turn (C18), and nothing else (C22)."""
    target = whom(table, seat, unfrozen(table))
    table.frozen |= 1 << target
    note(table, Event.FROZE, target, 0, 0)
