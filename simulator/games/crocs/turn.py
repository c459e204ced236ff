"""The transitions of Christmas Crocs, in the rulebook's order. Rulings are cited by their names, C1 to C22."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.crocs.rules import (
    CANDY_CANE,
    CANE_SLOT,
    CHOO_CHOO,
    COAL,
    COAL_SLOT,
    ELF,
    GRINCH,
    HEART,
    KINDS,
    MAX_PLAYERS,
    OPEN_SLOT,
    PILE_KINDS,
    PRESENT,
    PRESENT_SLOT,
    SANTA,
    SCROOGE,
    SLOT_BITS,
    SLOT_CONTENTS,
    SNOW,
)
from simulator.games.crocs.state import (
    ALONE_IN_FRONT,
    ANSWER,
    ANSWERED,
    ANSWERED_QUESTION,
    ANSWERED_TO_WIN,
    ASK_FOR_CANE,
    ASK_FOR_PRESENT,
    ASKED,
    BEHIND,
    BY_CANES,
    BY_GRINCH,
    BY_HEART,
    BY_MOST_SLOTS,
    BY_PRESENT,
    CANE,
    CANE_PHASE,
    CANNOT_DRAW,
    COAL_REMOVED,
    COAL_TAKEN_AWAY,
    COALED,
    COUNTERS,
    DEALT,
    DECK_ENDED,
    DISCARD,
    DISCARDED,
    DRAW_CARD,
    DRAW_CHANCE,
    DRAW_PHASE,
    DREW,
    FAILED,
    FROZE,
    GAME_OVER_PHASE,
    GIFT_LOST,
    GIFTS,
    GIFTS_WASTED,
    GIVE,
    GIVE_PHASE,
    GRINCHES,
    GRINCHES_TO_WIN,
    HAND_BITS,
    HAS_NO_CARD,
    HEART_PHASE,
    HEART_PLAYED,
    IN_FRONT,
    LOOT_DISCARDED,
    LOOT_KEPT,
    LOOT_WASTED,
    LOST_TO_COAL,
    LOST_TO_GRINCH,
    LOST_TO_SCROOGE,
    MAX_HELD,
    NEW_TURN_PHASE,
    NEXT_SEAT_PHASE,
    NO,
    NO_PLAY,
    NOBODY,
    NOT_DRAWN,
    OPTION_BITS,
    PASSED,
    PLACED,
    PLAY,
    PLAYED,
    QUESTIONS,
    REDEAL_CHANCE,
    REFUSED,
    REMOVE_COAL,
    RESHUFFLED,
    RESHUFFLES,
    REVERSED,
    ROUND_HEART_PHASE,
    SCROOGED,
    SKIPPED,
    SKIPPED_TURN,
    SLOT,
    SLOT_PHASE,
    STOLE,
    TARGET,
    TARGET_PHASE,
    TURNED,
    WON,
    YES,
)
from simulator.games.crocs.words import (
    HAND_MASK,
    HELD_SHIFT,
    ONE_OF_EACH,
    add_to_pile,
    card_at,
    hand_size,
    in_hand,
    in_pile,
    last_total,
    more_than,
    one_card,
    one_slot,
    option_at,
    pile_size,
    slots_with,
    totals,
    with_option,
)
from simulator.kernel.chance import below, draw_ahead
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.playout import begin_turn, note
from simulator.kernel.records import OVER, UNFINISHED, Record

_LANE_BITS, _LANE_MASK = 2, 3
_YES_AND_NO = YES | (NO << OPTION_BITS)


def _use(kind: int) -> int:
    """The bit of a card's first use in a word of legal plays."""
    return 1 << (HAND_BITS * kind + HELD_SHIFT)


# A word of legal plays has the highest bit of a card's kind for its first use, and the bit below for its second.
_SECOND_USES = (_use(SANTA) | _use(ELF)) >> 1
_WITH_OPEN_SLOT = _use(PRESENT) | _use(CANDY_CANE) | _use(SANTA) | _use(ELF)
_WITH_HALF_SLOT = _use(CANDY_CANE) | _use(ELF)
_WITH_COAL = _use(SANTA) >> 1
_WITH_SHORT_HAND = _use(ELF) >> 1
_ALWAYS = _use(CHOO_CHOO)
_USE_SCROOGE, _USE_GRINCH, _USE_COAL, _USE_SNOW = _use(SCROOGE), _use(GRINCH), _use(COAL), _use(SNOW)
_SANTA_BIT, _ELF_BIT = HAND_BITS * SANTA + HELD_SHIFT - 1, HAND_BITS * ELF + HELD_SHIFT - 1

# Masks over a word of slots.
_OPEN = 0xFF << (SLOT_BITS * OPEN_SLOT)
_PRESENTS = 0xFF << (SLOT_BITS * PRESENT_SLOT)
_COALS = 0xFF << (SLOT_BITS * COAL_SLOT)
_CANES = sum(0xFF << (SLOT_BITS * content) for content in range(CANE_SLOT, SLOT_CONTENTS))

# Moves within a word of slots.
_FILL = (1 << (SLOT_BITS * PRESENT_SLOT)) - (1 << (SLOT_BITS * OPEN_SLOT))
_BLOCK = (1 << (SLOT_BITS * COAL_SLOT)) - (1 << (SLOT_BITS * OPEN_SLOT))


# ---------------------------------------------------------------- seats, hands and the deck
@jit_inlined
def _after(state: Record, seat: Any) -> Any:
    """The next seat in the present direction, whether frozen or not."""
    following = seat + state.direction
    if following >= state.seats:
        return np.int64(0)
    return np.int64(state.seats - 1) if following < 0 else np.int64(following)


@jit_inlined
def _is_silenced(state: Record, rules: Record, seat: Any) -> Any:
    """Whether a seat can neither give nor play a Heart: frozen, where that takes more than the next turn (C22)."""
    return rules.snow_silences != 0 and (state.frozen >> seat) & 1 != 0


@jit_inlined
def full_slots(slots: Any, full_canes: Any) -> Any:
    """Presents and full sets of canes among a seat's slots."""
    return slots_with(slots, PRESENT_SLOT) + slots_with(slots, full_canes)


@jit_inlined
def _draw(state: Record, chance: Record, seat: Any) -> None:
    """Draw a card, each remaining one alike; there must be one. Addressed by the seat's own count of draws."""
    first, second = totals(state.deck[0]), totals(state.deck[1])
    in_first, nth = last_total(first), np.int64(state.draws[seat])
    if nth & _LANE_MASK == 0 and seat & 1 == 0 and state.draws[seat + 1] == nth:
        draw_ahead(chance, DRAW_CHANCE + 4 * seat, nth >> _LANE_BITS)  # the next seat is about to need it too
    rank = below(chance, DRAW_CHANCE + 4 * seat + (nth & _LANE_MASK), nth >> _LANE_BITS, in_first + last_total(second))
    word = 1 if rank >= in_first else 0
    kind = PILE_KINDS * word + card_at(second if word == 1 else first, rank - in_first * word)
    add_to_pile(state.deck, kind, -1)
    state.draws[seat] = nth + 1
    state.hand[seat] += one_card(kind)
    state.drawn[seat, kind] += 1
    note(state, DREW, seat, kind, 0)


@jit_inlined
def _is_empty(pile: Any) -> Any:
    return (pile[0] | pile[1]) == 0


@jit_inlined
def _lay_down(state: Record, seat: Any, kind: Any) -> None:
    """Take a card out of a hand, for all to see.

    Everybody knows that none of the seat's oldest `known_not` cards are of some kind. At the least the oldest card that
    can be of `kind` has left; so a kind that is ruled out for more cards than `kind` is now ruled out for one less.
    """
    known = state.known_not[seat]
    if known != 0:
        state.known_not[seat] = known - (more_than(known, in_hand(known, kind)) >> HELD_SHIFT)
    state.hand[seat] -= one_card(kind)


@jit_inlined
def _rule_out(state: Record, seat: Any, kinds: Any) -> None:
    """Make known that a seat holds no card of `kinds` now, each given by one bit as in a hand."""
    known = state.known_not[seat] & ~(kinds * HAND_MASK)
    state.known_not[seat] = known | (kinds * hand_size(state.hand[seat]))


@jit_inlined
def _ask(state: Record, seat: Any, decision: Any, step: Any, n_options: Any, options: Any) -> None:
    state.options = options
    state.decider = seat
    state.decision = decision
    state.step = step
    state.n_options = n_options


@jit_inlined
def _ask_yes_or_no(state: Record, seat: Any, decision: Any, step: Any) -> None:
    _ask(state, seat, decision, step, 2, _YES_AND_NO)


# ---------------------------------------------------------------- Deal 5 cards face down to each player
@jit
def deal(state: Record, rules: Record, chance: Record) -> None:
    """Shuffle the decks and deal; the order of the deck shows only as cards are drawn."""
    state.phase = NEW_TURN_PHASE
    state.seat = state.seats - 1
    state.direction = 1
    state.frozen = state.action = state.target = state.to_win = state.answers = 0
    state.winner = NOBODY
    state.way = NOBODY
    for i in range(2):
        state.deck[i] = rules.cards[i]
        state.discards[i] = 0
    for seat in range(MAX_PLAYERS):
        state.hand[seat] = state.known_not[seat] = 0
        state.slots[seat] = rules.slots * one_slot(OPEN_SLOT)
        state.draws[seat] = state.loot[seat] = 0
        for kind in range(KINDS):
            state.drawn[seat, kind] = 0
    for i in range(COUNTERS):
        state.count[i] = 0
    for _ in range(rules.deal):
        for seat in range(state.seats):
            if not _is_empty(state.deck):
                _draw(state, chance, seat)
    for seat in range(state.seats):
        note(state, DEALT, seat, hand_size(state.hand[seat]), 0)


# ---------------------------------------------------------------- All turns begin by drawing 1 card, playing a card, ...
@jit
def advance(state: Record, rules: Record, chance: Record) -> Any:
    """Play on through the steps of the turn up to the next decision; its seat, or OVER."""
    while state.phase != GAME_OVER_PHASE:
        if state.phase == NEW_TURN_PHASE:
            _pass_the_turn(state, rules)
        elif state.phase == NEXT_SEAT_PHASE:
            if not _begin_turn(state, rules):
                return np.int64(OVER)
        elif state.phase == DRAW_PHASE:
            _draw_and_list_plays(state, rules, chance)
        else:
            _go_on(state, rules)
        if state.n_options > 1:
            return np.int64(state.decider)
        if state.n_options == 1:
            apply(state, rules, chance, 0)
    return np.int64(OVER)


@jit_inlined
def _go_on(state: Record, rules: Record) -> None:
    """Ask for what a card that is being played needs, or for a Heart."""
    phase = state.phase
    if phase == TARGET_PHASE:
        _list_targets(state)
    elif phase == CANE_PHASE:
        _list_cane_slots(state, rules)
    elif phase == SLOT_PHASE:
        _list_slots(state)
    elif phase == HEART_PHASE:
        _next_to_answer(state, rules)
    elif phase == ROUND_HEART_PHASE:
        _next_thief_to_answer(state)
    else:
        _ask_yes_or_no(state, np.int64(state.target), GIVE, 0)


@jit
def apply(state: Record, rules: Record, chance: Record, option: Any) -> None:
    """Carry out the pending decision's `option`."""
    state.n_options = 0
    chosen = option_at(state.options, option)
    if state.decision == PLAY:
        _play(state, rules, chance, chosen)
    elif state.decision == TARGET:
        _act_on(state, rules, chosen)
    elif state.decision == CANE:
        _put_cane(state, rules, chosen)
    elif state.decision == SLOT:
        _scrooge(state, rules, chosen)
    elif state.decision == DISCARD:
        _discard(state, rules, chosen)
    elif state.decision == ANSWER:
        _answer(state, rules, option)
    else:
        _give_or_not(state, rules, option)


@jit_inlined
def _pass_the_turn(state: Record, rules: Record) -> None:
    """Pass the turn on, past frozen seats. Play has returned to a seat that is passed over too."""
    seat = _after(state, state.seat)
    while (state.frozen >> seat) & 1 != 0:
        state.frozen -= 1 << seat
        state.loot[seat] = 0
        state.count[SKIPPED] += 1
        note(state, SKIPPED_TURN, seat, 0, 0)
        seat = _after(state, seat)
    state.seat = seat
    state.loot[seat] = 0
    if rules.ends_when_empty != 0 and _is_empty(state.deck):
        _end_with_deck(state, rules)
        return
    state.phase = NEXT_SEAT_PHASE


@jit_inlined
def _begin_turn(state: Record, rules: Record) -> Any:
    """The seat that is next begins; False at the turn cap."""
    if not begin_turn(state):
        return False
    state.answers = 0
    state.phase = ROUND_HEART_PHASE if rules.round_window != 0 else DRAW_PHASE
    return True


@jit_inlined
def _replenish(state: Record, rules: Record) -> Any:
    """Shuffle the discards into a new deck if there is no card left to draw (C1); whether there is a card now."""
    if not _is_empty(state.deck):
        return True
    if rules.ends_when_empty != 0 or _is_empty(state.discards):
        return False
    for i in range(2):
        state.deck[i] = state.discards[i]
        state.discards[i] = 0
    state.count[RESHUFFLES] += 1
    note(state, RESHUFFLED, pile_size(state.deck), 0, 0)
    return True


@jit_inlined
def _draw_and_list_plays(state: Record, rules: Record, chance: Record) -> None:
    """Draw 1 card, if there is one (C1). Then play one if any legal play exists (C2), else discard one (C3)."""
    seat = np.int64(state.seat)
    if _replenish(state, rules):
        _draw(state, chance, seat)
    else:
        state.count[NOT_DRAWN] += 1
        note(state, CANNOT_DRAW, seat, 0, 0)
    held = more_than(state.hand[seat], 0)
    playable = _legal_plays(state, rules, seat) & (held | (held >> 1))
    if playable != 0:
        n, options = _list_kinds(playable)
        _ask(state, seat, PLAY, 0, n, options)
    elif held != 0:
        state.count[NO_PLAY] += 1
        n, options = _list_kinds(held)
        _ask(state, seat, DISCARD, 0, n, options)
    else:
        state.count[PASSED] += 1
        note(state, HAS_NO_CARD, seat, 0, 0)
        state.phase = NEW_TURN_PHASE


@jit_inlined
def _list_kinds(uses: Any) -> Any:
    """The kinds whose bits are set, in order, then the second uses of Santa and Elf: how many, and the list."""
    n, options = np.int64(0), np.int64(0)
    for kind in range(KINDS):
        wanted = (uses >> (HAND_BITS * kind + HELD_SHIFT)) & 1
        options = with_option(options, n, kind, wanted)
        n += wanted
    wanted = (uses >> _SANTA_BIT) & 1
    options = with_option(options, n, REMOVE_COAL, wanted)
    n += wanted
    wanted = (uses >> _ELF_BIT) & 1
    return n + wanted, with_option(options, n, DRAW_CARD, wanted)


@jit_inlined
def _legal_plays(state: Record, rules: Record, seat: Any) -> Any:
    """The plays that are legal for who holds the cards. A Heart is none at any time of one's own (C16)."""
    mine = state.slots[seat]
    others = -mine
    for other in range(state.seats):
        others += state.slots[other]  # no count of all together reaches 8 bits
    everybody_else = ((1 << state.seats) - 1) & ~(1 << seat)
    may = np.int64(_ALWAYS)
    may |= _WITH_OPEN_SLOT if mine & _OPEN != 0 else _WITH_HALF_SLOT if mine & rules.half_full != 0 else 0  # C7, C17
    may |= _WITH_COAL if mine & _COALS != 0 else 0
    may |= _USE_SCROOGE if others & (_PRESENTS | _CANES) != 0 else 0  # C10
    may |= _USE_GRINCH if mine & _OPEN != 0 and others & _PRESENTS != 0 else 0  # C11
    may |= _USE_COAL if others & _OPEN != 0 else 0  # C9
    may |= _USE_SNOW if everybody_else & ~state.frozen != 0 else 0  # C20
    if hand_size(state.hand[seat]) <= rules.elf_below:  # one less once the Elf is played (C8)
        can_draw = not _is_empty(state.deck) or (rules.ends_when_empty == 0 and not _is_empty(state.discards))
        may |= _WITH_SHORT_HAND if can_draw else 0  # C21
    return may


@jit_inlined
def _play(state: Record, rules: Record, chance: Record, action: Any) -> None:
    """Play a card, following its action; those that need a target or a slot go on there.

    Every card but a present lies with the discards until it is put into a slot.
    """
    seat = np.int64(state.seat)
    card = action if action < KINDS else action - KINDS + SANTA
    state.action = action
    note(state, PLAYED, seat, action, 0)
    _lay_down(state, seat, card)
    state.phase = NEW_TURN_PHASE
    if action == PRESENT:
        _put_present(state, rules, seat, BY_PRESENT)
        return
    if action == DRAW_CARD:
        if _replenish(state, rules):  # the Elf itself is not shuffled in
            _draw(state, chance, seat)
    elif action == CHOO_CHOO:
        _choo_choo(state)
    elif action == REMOVE_COAL:
        _remove_coal(state, seat)
    else:
        state.phase = CANE_PHASE if action == CANDY_CANE else TARGET_PHASE
    add_to_pile(state.discards, card, 1)


@jit_inlined
def _discard(state: Record, rules: Record, kind: Any) -> None:
    """Discard a card, to no effect, for want of a legal play (C3); everybody sees by that what the hand does not hold."""
    seat = np.int64(state.seat)
    may = _legal_plays(state, rules, seat)
    _lay_down(state, seat, kind)
    add_to_pile(state.discards, kind, 1)
    _rule_out(state, seat, ((may >> HELD_SHIFT) | ((may & _SECOND_USES) >> (HELD_SHIFT - 1))) & ONE_OF_EACH)
    note(state, DISCARDED, seat, kind, 0)
    state.phase = NEW_TURN_PHASE


@jit_inlined
def _list_targets(state: Record) -> None:
    """Everybody whom the card can be played on, the next player first. A question goes to any one (C5)."""
    action, need, frozen = state.action, np.int64(-1), np.int64(0)
    if action == SCROOGE:
        need = np.int64(_PRESENTS | _CANES)
    elif action == GRINCH:
        need = np.int64(_PRESENTS)
    elif action == COAL:
        need = np.int64(_OPEN)
    elif action == SNOW:
        frozen = np.int64(state.frozen)
    n, options, other = np.int64(0), np.int64(0), np.int64(state.seat)
    for _ in range(state.seats - 1):
        other = _after(state, other)
        wanted = 1 if state.slots[other] & need != 0 and (frozen >> other) & 1 == 0 else 0
        options = with_option(options, n, other, wanted)
        n += wanted
    _ask(state, state.seat, TARGET, 0, n, options)


@jit_inlined
def _act_on(state: Record, rules: Record, target: Any) -> None:
    state.target = target
    action = state.action
    state.phase = NEW_TURN_PHASE
    if state.action == ASK_FOR_PRESENT or state.action == ASK_FOR_CANE:
        _question(state, rules)
    elif action == SCROOGE:
        state.phase = SLOT_PHASE
    elif action == GRINCH:
        _grinch_croc(state, rules)
    elif action == COAL:
        _coal(state, rules)
    else:
        _snow_croc(state)


# ---------------------------------------------------------------- How to win
@jit
def _win(state: Record, seat: Any, way: Any) -> None:
    """Win at once, on anyone's turn (C19)."""
    state.winner = seat
    state.way = way
    state.phase = GAME_OVER_PHASE
    note(state, WON, seat, way, 0)


@jit
def _put_present(state: Record, rules: Record, seat: Any, way: Any) -> None:
    """Put a present into an open slot; the last slot filled wins."""
    state.slots[seat] += _FILL
    note(state, PLACED, seat, PRESENT, 0)
    if full_slots(state.slots[seat], rules.full_canes) == rules.slots:
        _win(state, seat, way)


@jit
def _end_with_deck(state: Record, rules: Record) -> None:
    """No card left to draw, where that ends the game: most full slots win, unless several have as many (C1)."""
    state.phase = GAME_OVER_PHASE
    best, many = np.int64(-1), np.int64(0)
    for seat in range(state.seats):
        full = full_slots(state.slots[seat], rules.full_canes)
        if full > best:
            best, many = full, np.int64(0)
            state.winner = seat
        if full == best:
            many += 1
    state.way = BY_MOST_SLOTS
    if many > 1:
        state.winner = NOBODY
    note(state, DECK_ENDED, best, many, state.winner)


# ---------------------------------------------------------------- Santa, Elf
@jit
def _question(state: Record, rules: Record) -> None:
    """Ask one player for a present or a cane (C5), who must give it or may (C6); it may fail (C4).

    Where giving is voluntary a refusal sounds like a lack, so nothing is learnt from it; nor from a silenced player (C22).
    """
    kind = PRESENT if state.action == ASK_FOR_PRESENT else CANDY_CANE
    target = np.int64(state.target)
    state.count[QUESTIONS] += 1
    note(state, ASKED, target, kind, 0)
    silenced = _is_silenced(state, rules, target)
    if in_hand(state.hand[target], kind) > 0 and not silenced:
        if rules.must_give != 0:
            _give(state, rules, kind)
        else:
            state.phase = GIVE_PHASE
        return
    state.count[FAILED] += 1
    if rules.must_give != 0 and not silenced:
        _rule_out(state, target, one_card(kind))
    note(state, ANSWERED_QUESTION, target, kind, 0)


@jit_inlined
def _give_or_not(state: Record, rules: Record, option: Any) -> None:
    kind = PRESENT if state.action == ASK_FOR_PRESENT else CANDY_CANE
    state.phase = NEW_TURN_PHASE
    if option == YES:
        _give(state, rules, kind)
        return
    state.count[FAILED] += 1
    state.count[REFUSED] += 1
    note(state, ANSWERED_QUESTION, state.target, kind, 0)


@jit
def _give(state: Record, rules: Record, kind: Any) -> None:
    """The card given is played immediately."""
    note(state, ANSWERED_QUESTION, state.target, kind, 1)
    _lay_down(state, np.int64(state.target), kind)
    if kind == PRESENT:
        _put_present(state, rules, np.int64(state.seat), BY_PRESENT)
    else:
        add_to_pile(state.discards, CANDY_CANE, 1)
        state.phase = CANE_PHASE


@jit_inlined
def _remove_coal(state: Record, seat: Any) -> None:
    """Santa's second use: a Coal of one's own goes to the discards, and Santa with it (C9)."""
    state.slots[seat] -= _BLOCK
    add_to_pile(state.discards, COAL, 1)
    state.count[COAL_REMOVED] += 1
    note(state, COAL_TAKEN_AWAY, seat, 0, 0)


# ---------------------------------------------------------------- Scrooge
@jit_inlined
def _list_slots(state: Record) -> None:
    """What the target's slots hold, Coal apart (C10): a present, then canes, the most first."""
    slots = state.slots[state.target]
    n = np.int64(1 if slots & _PRESENTS != 0 else 0)
    options = n * PRESENT_SLOT
    for content in range(SLOT_CONTENTS - 1, CANE_SLOT - 1, -1):
        wanted = 1 if slots_with(slots, content) > 0 else 0
        options = with_option(options, n, content, wanted)
        n += wanted
    _ask(state, state.seat, SLOT, 0, n, options)


@jit_inlined
def _scrooge(state: Record, rules: Record, content: Any) -> None:
    """Empty one slot of another player into the discards (C10)."""
    target = np.int64(state.target)
    state.count[LOST_TO_SCROOGE + _standing(state, rules, target)] += 1
    state.slots[target] += one_slot(OPEN_SLOT) - one_slot(content)
    if content == PRESENT_SLOT:
        add_to_pile(state.discards, PRESENT, 1)
    else:
        add_to_pile(state.discards, CANDY_CANE, content - CANE_SLOT + 1)
    note(state, SCROOGED, target, content, 0)
    state.phase = NEW_TURN_PHASE


@jit
def _standing(state: Record, rules: Record, target: Any) -> Any:
    """How a seat stands before it is attacked, by full slots."""
    best = np.int64(-1)
    for seat in range(state.seats):
        if seat != target:
            best = max(best, full_slots(state.slots[seat], rules.full_canes))
    full = full_slots(state.slots[target], rules.full_canes)
    return np.int64(ALONE_IN_FRONT) if full > best else np.int64(IN_FRONT) if full == best else np.int64(BEHIND)


# ---------------------------------------------------------------- Grinch Croc
@jit_inlined
def _grinch_croc(state: Record, rules: Record) -> None:
    """Take up to two presents of one player into one's own open slots; what finds no slot is discarded (C11)."""
    thief, target = np.int64(state.seat), np.int64(state.target)
    taken = min(np.int64(rules.takes), slots_with(state.slots[target], PRESENT_SLOT))
    kept = min(taken, slots_with(state.slots[thief], OPEN_SLOT))
    state.count[LOST_TO_GRINCH + _standing(state, rules, target)] += taken
    state.count[LOOT_WASTED] += taken - kept
    state.count[GRINCHES] += 1
    state.slots[target] -= taken * _FILL
    state.slots[thief] += kept * _FILL
    add_to_pile(state.discards, PRESENT, taken - kept)
    note(state, STOLE, target, taken, 0)
    note(state, LOOT_KEPT, thief, kept, 0)
    if taken > kept:
        note(state, LOOT_DISCARDED, taken - kept, 0, 0)
    state.loot[thief] = kept
    state.answers = 0
    state.to_win = 1 if full_slots(state.slots[thief], rules.full_canes) == rules.slots else 0
    state.count[GRINCHES_TO_WIN] += state.to_win
    if state.to_win != 0 or rules.round_window == 0:
        state.phase = HEART_PHASE


# ---------------------------------------------------------------- Heart
@jit
def _next_to_answer(state: Record, rules: Record) -> None:
    """Right after a Grinch Croc: every other player in turn order may answer (C12), only the next one if it wins (C15).

    Frozen players too, unless silenced (C22).
    """
    thief = np.int64(state.seat)
    others = 1 if state.to_win != 0 else state.seats - 1
    seat = thief
    for _ in range(state.answers):
        seat = _after(state, seat)
    while state.answers < others:
        seat = _after(state, seat)
        state.answers += 1
        if in_hand(state.hand[seat], HEART) > 0 and not _is_silenced(state, rules, seat):
            _ask_yes_or_no(state, seat, ANSWER, state.answers - 1)
            return
    state.loot[thief] = 0
    state.phase = NEW_TURN_PHASE
    if state.to_win != 0:
        _win(state, thief, BY_GRINCH)


@jit
def _next_thief_to_answer(state: Record) -> None:
    """At the start of a turn, where that is the rule: any theft since whose thief has not come to move again (C12)."""
    seat = np.int64(state.seat)
    if in_hand(state.hand[seat], HEART) > 0:
        thief = seat
        for _ in range(state.answers):
            thief = _after(state, thief)
        while state.answers < state.seats - 1:
            thief = _after(state, thief)
            state.answers += 1
            if state.loot[thief] > 0 and state.slots[thief] & _PRESENTS != 0:
                state.target = thief
                state.to_win = 0
                _ask_yes_or_no(state, seat, ANSWER, state.answers - 1)
                return
    state.phase = DRAW_PHASE


@jit
def _answer(state: Record, rules: Record, option: Any) -> None:
    """One Heart is enough (C12); it costs no turn and is not replaced (C13)."""
    if option != YES:
        return
    seat, right_away = np.int64(state.decider), state.phase == HEART_PHASE
    thief = np.int64(state.seat if right_away else state.target)
    state.count[ANSWERED_TO_WIN if right_away and state.to_win != 0 else ANSWERED] += 1
    note(state, HEART_PLAYED, seat, thief, 0)
    _lay_down(state, seat, HEART)
    add_to_pile(state.discards, HEART, 1)
    if right_away:
        state.phase = NEW_TURN_PHASE
    _give_away(state, rules, thief)


@jit_inlined
def _give_away(state: Record, rules: Record, thief: Any) -> None:
    """The loot goes to the players after the thief, one each, round again if there are fewer (C14)."""
    presents = min(np.int64(state.loot[thief]), slots_with(state.slots[thief], PRESENT_SLOT))
    state.loot[thief] = 0
    to = thief
    for _ in range(presents):
        to = _after(state, to)
        if to == thief:
            to = _after(state, to)
        state.slots[thief] -= _FILL
        if state.slots[to] & _OPEN == 0:
            add_to_pile(state.discards, PRESENT, 1)
            state.count[GIFTS_WASTED] += 1
            note(state, GIFT_LOST, to, 0, 0)
        else:
            state.count[GIFTS] += 1
            _put_present(state, rules, to, BY_HEART)
            if state.phase == GAME_OVER_PHASE:
                return


# ---------------------------------------------------------------- Coal
@jit_inlined
def _coal(state: Record, rules: Record) -> None:
    """Block an empty slot of another player (C9)."""
    target = np.int64(state.target)
    state.count[LOST_TO_COAL + _standing(state, rules, target)] += 1
    state.slots[target] += _BLOCK
    add_to_pile(state.discards, COAL, -1)
    note(state, COALED, target, 0, 0)


# ---------------------------------------------------------------- Candy Cane
@jit_inlined
def _list_cane_slots(state: Record, rules: Record) -> None:
    """An open slot or a half-filled one, the one with fewest canes first (C17)."""
    slots = state.slots[state.seat]
    n = np.int64(1 if slots & _OPEN != 0 else 0)
    options = n * OPEN_SLOT
    for content in range(CANE_SLOT, rules.full_canes):
        wanted = 1 if slots_with(slots, content) > 0 else 0
        options = with_option(options, n, content, wanted)
        n += wanted
    _ask(state, state.seat, CANE, 0, n, options)


@jit_inlined
def _put_cane(state: Record, rules: Record, content: Any) -> None:
    seat = np.int64(state.seat)
    filled = CANE_SLOT if content == OPEN_SLOT else content + 1
    state.slots[seat] += one_slot(filled) - one_slot(content)
    add_to_pile(state.discards, CANDY_CANE, -1)
    note(state, PLACED, seat, CANDY_CANE, content)
    state.phase = NEW_TURN_PHASE
    if filled == rules.full_canes and full_slots(state.slots[seat], rules.full_canes) == rules.slots:
        _win(state, seat, BY_CANES)


# ---------------------------------------------------------------- Choo Choo, Snow Croc
@jit_inlined
def _choo_choo(state: Record) -> None:
    """Turn the direction; with two players that does nothing (C18)."""
    state.direction = -state.direction
    state.count[REVERSED] += 1
    note(state, TURNED, state.direction, 0, 0)


@jit_inlined
def _snow_croc(state: Record) -> None:
    """The target misses its next turn (C18), and nothing else (C22)."""
    state.frozen |= 1 << state.target
    note(state, FROZE, state.target, 0, 0)


# ---------------------------------------------------------------- the end, and what cannot be seen
@jit
def payoff(state: Record, rules: Record, seat: Any) -> Any:
    """1.0 for the winner and 0.0 for the others; a tie is shared. 0.0 for all if the playout is unfinished."""
    if state.status == UNFINISHED:
        return 0.0
    if state.winner != NOBODY:
        return 1.0 if state.winner == seat else 0.0
    best, many = np.int64(-1), np.int64(0)
    for other in range(state.seats):
        full = full_slots(state.slots[other], rules.full_canes)
        if full > best:
            best, many = full, np.int64(0)
        many += 1 if full == best else 0
    return 1.0 / many if full_slots(state.slots[seat], rules.full_canes) == best else 0.0


@jit
def redeal(state: Record, rules: Record, chance: Record, seat: Any) -> None:  # noqa: ARG001  what is hidden is in the state
    """Deal afresh what `seat` cannot see, the deck and the other hands, as everything that is known to all allows.

    That is the hands' sizes, and for each kind of card how many of a seat's oldest cards are not of it: no present when
    it had none to give, nothing that could have been played when it had no legal play. A seat is not taken to remember
    what went into the deck when the discards were last shuffled, nor to guess from what others chose to play.
    """
    held, known = _line_up(state, seat), np.int64(0)
    for other in range(state.seats):
        known |= state.known_not[other] if other != seat else 0
    cards = held
    for kind in range(KINDS):
        for _ in range(in_pile(state.deck, kind)):
            state.unseen[cards] = kind
            cards += 1
    for nth in range(1 if known == 0 else 4):
        _shuffle(state, chance, nth, held, cards)
    _take_up(state, seat, held, cards)


@jit
def _line_up(state: Record, seat: Any) -> Any:
    """Lay out the other hands, each oldest card first, in an order that fits what is known; how many cards."""
    held = np.int64(0)
    for other in range(state.seats):
        if other == seat:
            continue
        size = hand_size(state.hand[other])
        for i in range(size):
            state.holder[held + i] = other
            state.place[held + i] = i
        # a kind that is ruled out for more of the oldest cards takes its place among the newest first
        last = held + size
        for ruled_out in range(MAX_HELD, -1, -1):
            for kind in range(KINDS):
                if in_hand(state.known_not[other], kind) == ruled_out:
                    for _ in range(in_hand(state.hand[other], kind)):
                        last -= 1
                        state.unseen[last] = kind
        held += size
    return held


@jit_inlined
def _fits(state: Record, at: Any, held: Any, kind: Any) -> Any:
    """Whether a card of `kind` may lie at a place; anything may lie in the deck."""
    return at >= held or state.place[at] >= in_hand(state.known_not[state.holder[at]], kind)


@jit
def _shuffle(state: Record, chance: Record, nth: Any, held: Any, cards: Any) -> None:
    """Swap each card with one before it or itself, where both then lie as they may.

    With nothing ruled out that is a fair shuffle at once. Else every arrangement that fits stays as likely as every
    other, and a few rounds leave little of the one at the start.
    """
    for i in range(cards - 1, 0, -1):
        j = below(chance, REDEAL_CHANCE + nth, i, i + 1)
        one, other = state.unseen[i], state.unseen[j]
        if _fits(state, i, held, other) and _fits(state, j, held, one):
            state.unseen[i] = other
            state.unseen[j] = one


@jit
def _take_up(state: Record, seat: Any, held: Any, cards: Any) -> None:
    """Gather the cards laid out into hands and deck."""
    for other in range(state.seats):
        if other != seat:
            state.hand[other] = 0
    state.deck[0] = state.deck[1] = 0
    for i in range(held):
        state.hand[state.holder[i]] += one_card(np.int64(state.unseen[i]))
    for i in range(held, cards):
        add_to_pile(state.deck, np.int64(state.unseen[i]), 1)
