"""Christmas Vacation, step by step. The functions carry the rulebook's headings and stand in its order.

"N" and a number refer to a ruling on a point that the rulebook leaves open; `docs/vacation.md` lists them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.vacation.rules import DICE_TOGETHER
from simulator.games.vacation.state import (
    BONUS,
    BONUS_FACE,
    BONUS_PHASE,
    BONUSES_UNUSED,
    BUST_BINS,
    BUSTED,
    BUSTS,
    CARD_BITS,
    CARD_DRAW,
    CARDS_BY_WAY,
    CARDS_IN_SETS,
    CLARK_FACE,
    COUNTERS,
    DECK_RAN_OUT,
    DICE_DRAW,
    DIE_SHOWS,
    DISCARD,
    DISCARD_PHASE,
    DISCARDED,
    DISCARDED_BINS,
    DRAWN,
    DRAWN_BINS,
    DREW,
    EDDIE_FACE,
    EDDIES,
    GAME_OVER_PHASE,
    KEPT,
    MAX_ROLLS,
    MOST_STEPS,
    NEW_TURN_PHASE,
    NEXT_BONUS,
    NEXT_DIE_PHASE,
    NO_SET,
    NUMBER_SET,
    PICKED_BONUS,
    RAN_OUT,
    ROLL,
    ROLL_AGAIN,
    ROLL_AGAIN_PHASE,
    ROLL_BITS,
    ROLL_PHASE,
    ROLLED,
    ROLLED_ON,
    ROLLS,
    RUN_SET,
    SETS,
    SHUFFLED_BACK,
    STOP,
    STOPPED,
    TURN_OVER_PHASE,
    TURNS_DISCARDING,
    TURNS_DRAWING,
    USE_BONUS_PHASE,
    USE_WREATH,
    USE_WREATH_PHASE,
    WILD_BY_WREATH,
    WILD_SET,
    WILDS,
    WON,
    WREATH,
    WREATH_FACE,
)
from simulator.kernel.chance import below
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.multiset import EMPTY, KINDS, at_least, count, first_kind, kind_at, one, size, without_first
from simulator.kernel.playout import begin_turn, note
from simulator.kernel.records import OVER, Record

_BYTE = 8
_BYTE_MASK = 255
_DIE_BITS = 4
_DIE_MASK = 15
_DIE_WAITS = 8  # set in a die's four bits, so that a queue of dice is 0 only when none waits
_FACE_MASK = 3
_LANE_BITS = 2
_LANE_MASK = 3


# ---------------------------------------------------------------- Setup
@jit
def deal(state: Record, rules: Record, chance: Record) -> None:  # noqa: ARG001  what lies in a deck is drawn when it is drawn
    """Setup: everybody takes a deck; its order shows only as cards are drawn."""
    state.phase = NEW_TURN_PHASE
    state.seat = state.seats - 1
    for seat in range(state.seats):
        state.deck[seat] = rules.deck
        state.wilds[seat] = rules.wilds
        state.left[seat] = rules.cards
    for i in range(COUNTERS):
        state.count[i] = 0


# ---------------------------------------------------------------- On Your Turn
@jit
def advance(state: Record, rules: Record, chance: Record) -> Any:  # noqa: C901  one branch per phase of a turn
    """Play on through the steps of the turn up to the next decision; its seat, or OVER."""
    while state.phase != GAME_OVER_PHASE:
        phase = state.phase
        if phase == NEW_TURN_PHASE:
            if not _take_dice(state):
                return np.int64(OVER)
        elif phase == ROLL_PHASE:
            _roll(state, rules, chance)
        elif phase == NEXT_DIE_PHASE:
            _look_at_next_die(state, chance)
        elif phase == ROLL_AGAIN_PHASE:
            _list_roll_again(state, rules)
        elif phase == TURN_OVER_PHASE:
            _end_turn(state)
        elif phase == BONUS_PHASE:
            _next_bonus(state)
        elif phase == USE_WREATH_PHASE:
            _list_wreath(state)
        else:
            _list_sets(state, rules)
        if state.n_options > 1:
            return np.int64(state.seat)
    return np.int64(OVER)


@jit
def apply(state: Record, rules: Record, chance: Record, option: Any) -> None:  # noqa: ARG001  no choice draws
    """Carry out the pending decision's `option`."""
    state.n_options = 0
    if state.decision == ROLL_AGAIN:
        _roll_or_stop(state, option)
    elif state.decision == NEXT_BONUS:
        _pick_bonus(state, option)
    else:
        _discard(state, option)


@jit
def _ask(state: Record, decision: Any, n_options: Any) -> None:
    """Ask the active player, and count how often this decision was asked in this turn."""
    shift = decision * _BYTE
    step = (state.asked >> shift) & _BYTE_MASK
    if step < MOST_STEPS:
        state.asked += 1 << shift
    state.decision = decision
    state.step = step
    state.n_options = n_options


@jit
def _take_dice(state: Record) -> Any:
    """Pass the tumbler to the player on the left, with all the dice; False at the turn cap, where nobody takes it."""
    if not begin_turn(state):
        return False
    seat = state.seat + 1
    if seat >= state.seats:
        seat = 0
    state.seat = seat
    state.roll = state.eddies = state.board = state.drawn = state.discarded = 0
    state.queue = state.asked = 0
    state.up = EMPTY
    state.up_wilds = 0
    state.pile = state.deck[seat]
    state.pile_wilds = state.wilds[seat]
    state.pile_size = state.left[seat]
    state.phase = ROLL_PHASE
    return True


# ---------------------------------------------------------------- 1. Roll
@jit
def _roll(state: Record, rules: Record, chance: Record) -> None:
    """Every die that is not on the board (N1); a random number rolls three of them. By face a byte of its count."""
    occasion = (state.turn << ROLL_BITS) | state.roll
    shown = _throw_each(state, rules, chance, occasion) if rules.mixed != 0 else _throw_alike(state, rules, chance, occasion)
    state.roll += 1
    note(state, ROLLED, state.seat, shown, state.roll)
    _remove_dice(state, rules, chance, shown)


@jit_inlined
def _throw_alike(state: Record, rules: Record, chance: Record, occasion: Any) -> Any:
    """Dice of one kind, three at a time from a table."""
    dice = rules.dice - state.eddies
    shown = queue = np.int64(0)
    lane = 0
    while lane * DICE_TOGETHER < dice:
        together = min(dice - lane * DICE_TOGETHER, DICE_TOGETHER)
        throw = below(chance, DICE_DRAW + lane, occasion, rules.n_throws)
        shown += rules.throw[together - 1, throw]
        if rules.die_by_die != 0:
            queue |= _line_up(rules, throw, together) << (lane * DICE_TOGETHER * _DIE_BITS)
        lane += 1
    state.queue = queue
    return shown


@jit
def _line_up(rules: Record, throw: Any, dice: Any) -> Any:
    """The faces of up to three dice, four bits each, the first die lowest."""
    queue = np.int64(0)
    for die in range(dice):
        queue |= np.int64(_DIE_WAITS | rules.face[0, throw % rules.n_faces]) << (die * _DIE_BITS)
        throw //= rules.n_faces
    return queue


@jit
def _throw_each(state: Record, rules: Record, chance: Record, occasion: Any) -> Any:
    """Dice that differ, each in its turn: the digits of a random number pick the faces of three, as for dice that are alike."""
    shown = queue = throw = thrown = np.int64(0)
    for die in range(rules.dice):
        if (state.board >> die) & 1 != 0:
            continue
        if thrown % DICE_TOGETHER == 0:
            throw = below(chance, DICE_DRAW + thrown // DICE_TOGETHER, occasion, rules.n_throws)
        face = np.int64(rules.face[die, throw % rules.n_faces])
        throw //= rules.n_faces
        shown += np.int64(1) << (face * _BYTE)
        queue |= (_DIE_WAITS | face) << (thrown * _DIE_BITS)
        if face == EDDIE_FACE:
            state.board |= 1 << die
        thrown += 1
    state.queue = queue if rules.die_by_die != 0 else 0
    return shown


# ---------------------------------------------------------------- 2. Remove Dice
@jit
def _remove_dice(state: Record, rules: Record, chance: Record, shown: Any) -> None:
    """Eddies go to the board first (N3); with three there the turn is over, nothing of this roll is drawn (N2)."""
    before = state.eddies
    state.eddies = before + ((shown >> (EDDIE_FACE * _BYTE)) & _BYTE_MASK)
    if rules.mixed == 0:
        state.board = (1 << state.eddies) - 1
    if state.eddies > before:
        note(state, EDDIES, state.eddies, state.eddies - before, 0)
    if state.eddies >= rules.bust_at:
        state.count[BUSTS + min(before, BUST_BINS - 1)] += 1
        note(state, BUSTED, state.seat, 0, 0)
        state.phase = TURN_OVER_PHASE
    elif rules.die_by_die != 0:
        state.phase = NEXT_DIE_PHASE
    else:
        wreaths, bonuses = (shown >> (WREATH_FACE * _BYTE)) & _BYTE_MASK, (shown >> (BONUS_FACE * _BYTE)) & _BYTE_MASK
        _draw_cards(state, chance, ((shown >> (CLARK_FACE * _BYTE)) & _BYTE_MASK) + wreaths + bonuses)
        state.wreaths = wreaths
        state.bonuses = bonuses
        state.phase = BONUS_PHASE if wreaths + bonuses > 0 else ROLL_AGAIN_PHASE


# ---------------------------------------------------------------- 3. Draw Cards
@jit
def _draw_cards(state: Record, chance: Record, cards: Any) -> None:
    """Turn up cards, whether wanted or not (N15); when the deck runs out the rest is skipped (N13)."""
    left = np.int64(state.pile_size)
    if cards >= left:
        _draw_all(state, cards)
        return
    up, up_wilds, drawn = state.up, state.up_wilds, np.int64(state.drawn)
    pile, pile_wilds = state.pile, state.pile_wilds
    for _ in range(cards):
        occasion = (state.turn << CARD_BITS) | (drawn >> _LANE_BITS)
        kind = kind_at(pile, below(chance, CARD_DRAW + (drawn & _LANE_MASK), occasion, left))
        if kind < KINDS:
            card = one(kind)
            pile -= card
            up += card
        else:  # the Wilds lie behind the numbers
            pile_wilds -= 1
            up_wilds += 1
        note(state, DREW, kind, 0, 0)
        left -= 1
        drawn += 1
    state.up, state.up_wilds, state.drawn = up, up_wilds, drawn
    state.pile, state.pile_wilds, state.pile_size = pile, pile_wilds, left


@jit
def _draw_all(state: Record, cards: Any) -> None:
    """The whole deck comes up, in whatever order."""
    if state.telling != 0:
        for rank in range(state.pile_size):
            note(state, DREW, kind_at(state.pile, rank), 0, 0)
    if cards > state.pile_size:
        note(state, RAN_OUT, cards - state.pile_size, 0, 0)
    if state.pile_size > 0:
        state.count[DECK_RAN_OUT] += 1
    state.up += state.pile
    state.up_wilds += state.pile_wilds
    state.drawn += state.pile_size
    state.pile = EMPTY
    state.pile_wilds = state.pile_size = 0


@jit
def _look_at_next_die(state: Record, chance: Record) -> None:
    """Where the bonuses go die by die (N6): draw for the next die, and use its bonus before the next."""
    queue = state.queue
    if queue == 0:
        state.phase = ROLL_AGAIN_PHASE
        return
    face = queue & _FACE_MASK
    state.queue = queue >> _DIE_BITS
    if face == EDDIE_FACE:
        return
    note(state, DIE_SHOWS, face, 0, 0)
    _draw_cards(state, chance, 1)
    if face != CLARK_FACE:
        state.wreaths = 1 if face == WREATH_FACE else 0
        state.bonuses = 1 - state.wreaths
        state.phase = BONUS_PHASE


# ---------------------------------------------------------------- Bonuses
@jit
def _next_bonus(state: Record) -> None:
    """Every bonus die counts by itself (N5), in the order the player likes (N6); with nothing face up the rest lapse."""
    if state.up == EMPTY and state.up_wilds == 0:
        state.count[BONUSES_UNUSED] += state.wreaths
        state.count[BONUSES_UNUSED + 1] += state.bonuses
        state.wreaths = state.bonuses = 0
    if state.wreaths > 0 and state.bonuses > 0:
        _ask(state, NEXT_BONUS, 2)
    elif state.wreaths > 0:
        state.phase = USE_WREATH_PHASE
    elif state.bonuses > 0:
        state.phase = USE_BONUS_PHASE
    else:
        state.phase = NEXT_DIE_PHASE if state.queue != 0 else ROLL_AGAIN_PHASE


@jit
def _pick_bonus(state: Record, option: Any) -> None:
    note(state, PICKED_BONUS, USE_WREATH + option, 0, 0)
    state.phase = USE_WREATH_PHASE if option == 0 else USE_BONUS_PHASE


# ---------------------------------------------------------------- Wreath Bonus
@jit
def _list_wreath(state: Record) -> None:
    """Any one face-up card, by number and the Wild last; or none (N7)."""
    n = 0
    held = at_least(state.up, 1)
    while held != EMPTY:
        n = _add_option(state, n, one(first_kind(held)), 0, NUMBER_SET)
        held = without_first(held)
    if state.up_wilds > 0:
        n = _add_option(state, n, EMPTY, 1, WILD_SET)
    n = _add_option(state, n, EMPTY, 0, NO_SET)
    state.wreaths -= 1
    state.phase = BONUS_PHASE
    _ask(state, WREATH, n)


@jit_inlined
def _add_option(state: Record, n: Any, cards: Any, wilds: Any, kind: Any) -> Any:
    state.cards[n] = cards
    state.with_wilds[n] = wilds
    state.kind[n] = kind
    return n + 1


# ---------------------------------------------------------------- Clark's Christmas Bonus; Stop and Discard Cards
@jit
def _list_sets(state: Record, rules: Record) -> None:
    """Every set that may be discarded, and none (N7, N9).

    The order: each number, lowest first, without a Wild and with; Wilds alone; runs; none.
    """
    if state.phase == USE_BONUS_PHASE:
        state.bonuses -= 1
        state.phase = BONUS_PHASE
        decision = BONUS
    else:
        state.phase = TURN_OVER_PHASE
        decision = DISCARD
    n = _list_runs(state, rules, _list_numbers(state))
    n = _add_option(state, n, EMPTY, 0, NO_SET)
    _ask(state, decision, n)


@jit
def _list_numbers(state: Record) -> Any:
    """All face-up cards of one number (N12), with a Wild if wanted; or Wilds alone (N10)."""
    n = np.int64(0)
    held = at_least(state.up, 1)
    while held != EMPTY:
        number = first_kind(held)
        held = without_first(held)
        cards = one(number) * np.uint64(count(state.up, number))
        for wilds in range(state.up_wilds + 1):
            n = _add_option(state, n, cards, wilds, NUMBER_SET)
    for wilds in range(1, state.up_wilds + 1):
        n = _add_option(state, n, EMPTY, wilds, WILD_SET)
    return n


@jit
def _list_runs(state: Record, rules: Record, n: Any) -> Any:
    """Runs (N10, N11): by lowest number card, then by highest."""
    wilds, present = np.int64(state.up_wilds), _numbers_in(state.up)
    for low in range(rules.numbers):
        if (present >> low) & 1 == 0:
            continue
        span, gaps = EMPTY, np.int64(0)
        for high in range(low, rules.numbers):
            span += one(high)
            if (present >> high) & 1 == 0:
                gaps += 1
                if gaps > wilds:
                    break
            elif wilds > 0:
                n = _list_wild_runs(state, rules, present, span, low, high, n)
            elif high - low + 1 >= rules.run_min and (high > low or count(state.up, low) > 1):
                n = _add_option(state, n, span, 0, RUN_SET)
    return n


@jit
def _numbers_in(cards: Any) -> Any:
    """A bit for each number among the cards, the lowest number in the lowest bit."""
    numbers = np.int64(0)
    held = at_least(cards, 1)
    while held != EMPTY:
        numbers |= 1 << first_kind(held)
        held = without_first(held)
    return numbers


@jit
def _list_wild_runs(state: Record, rules: Record, present: Any, span: Any, low: Any, high: Any, n: Any) -> Any:
    """Runs whose lowest and highest number cards are given, with Wilds face up.

    A Wild stands for a number that is missing or held back, below the lowest, or above the highest up to one past the
    last number. The order: by the numbers left out (as a binary number, the lowest number its lowest bit), then by
    Wilds. Where two ways discard the same cards only one is listed: a single number is no run if that is all of it.
    """
    wilds, outside = np.int64(state.up_wilds), low + rules.numbers - high
    between = ((1 << high) - 1) & ~((2 << low) - 1)
    held_back = np.int64(0)
    while True:
        left_out = (between & ~present) | held_back
        cards, gaps = span, np.int64(0)
        for number in range(low + 1, high):
            if (left_out >> number) & 1 != 0:
                cards -= one(number)
                gaps += 1
        numbers = high - low + 1 - gaps
        if numbers > 1 or count(state.up, low) > 1:
            for with_wilds in range(gaps, min(wilds, gaps + outside) + 1):
                if numbers + with_wilds >= rules.run_min:
                    n = _add_option(state, n, cards, with_wilds, RUN_SET)
        held_back = (held_back - (between & present)) & between & present
        if held_back == 0:
            return n


@jit
def _discard(state: Record, option: Any) -> None:
    """Put the chosen cards on the game board; whoever has none left wins at once, even in mid-turn (N14)."""
    kind, wilds, cards, seat = np.int64(state.kind[option]), np.int64(state.with_wilds[option]), state.cards[option], state.seat
    decision = state.decision
    if kind == NO_SET:
        if decision != DISCARD:
            state.count[BONUSES_UNUSED + (0 if decision == WREATH else 1)] += 1
        note(state, KEPT, decision, 0, 0)
        return
    n = size(cards) + wilds
    state.up -= cards
    state.up_wilds -= wilds
    state.deck[seat] -= cards
    state.wilds[seat] -= wilds
    state.left[seat] -= n
    state.discarded += n
    _count_discard(state, decision, kind, n, wilds)
    _note_discard(state, decision, cards, wilds)
    if state.left[seat] == 0:
        _end_turn(state)
        state.phase = GAME_OVER_PHASE
        note(state, WON, seat, 0, 0)


@jit
def _count_discard(state: Record, decision: Any, kind: Any, n: Any, wilds: Any) -> None:
    """A Wild alone counts as a number."""
    state.count[CARDS_BY_WAY + decision - DISCARD] += n
    if decision == WREATH:
        state.count[WILDS + WILD_BY_WREATH] += wilds
        return
    run = 1 if kind == RUN_SET else 0
    state.count[SETS + run] += 1
    state.count[CARDS_IN_SETS + run] += n
    state.count[WILDS + kind - NUMBER_SET] += wilds


@jit
def _note_discard(state: Record, decision: Any, cards: Any, wilds: Any) -> None:
    """As the decision, the numbers as bits with the count of the lowest above them, and the Wilds."""
    if state.telling != 0:
        copies = np.int64(0) if cards == EMPTY else count(cards, first_kind(at_least(cards, 1)))
        note(state, DISCARDED, decision, _numbers_in(cards) | (copies << _BYTE), wilds)


# ---------------------------------------------------------------- 4. Roll Again or Stop
@jit
def _list_roll_again(state: Record, rules: Record) -> None:
    """Roll again or stop; with no die left in the tumbler there is nothing to roll."""
    if state.eddies < rules.dice and state.roll < MAX_ROLLS:
        _ask(state, ROLL_AGAIN, 2)
    else:
        _roll_or_stop(state, STOP)


@jit
def _roll_or_stop(state: Record, action: Any) -> None:
    """A stop lets the player discard on top of the bonuses (N8)."""
    if action == ROLL:
        note(state, ROLLED_ON, state.seat, 0, 0)
        state.phase = ROLL_PHASE
        return
    note(state, STOPPED, state.seat, 0, 0)
    state.phase = DISCARD_PHASE if state.up != EMPTY or state.up_wilds > 0 else TURN_OVER_PHASE


@jit
def _end_turn(state: Record) -> None:
    """Shuffle the cards in front of you back into your deck, bust or not (N4)."""
    drawn, discarded = state.drawn, state.discarded
    state.count[ROLLS] += state.roll
    state.count[DRAWN] += drawn
    state.count[TURNS_DRAWING + min((drawn + 1) >> 1, DRAWN_BINS - 1)] += 1
    state.count[TURNS_DISCARDING + min(discarded, DISCARDED_BINS - 1)] += 1
    if state.up != EMPTY or state.up_wilds > 0:
        note(state, SHUFFLED_BACK, size(state.up) + state.up_wilds, 0, 0)
    state.phase = NEW_TURN_PHASE


# ---------------------------------------------------------------- Ending the Game
@jit
def payoff(state: Record, rules: Record, seat: Any) -> Any:  # noqa: ARG001  no rule matters once a deck is gone
    """1.0 for the seat that discarded its whole deck, else 0.0."""
    return 1.0 if state.left[seat] == 0 else 0.0


@jit
def redeal(state: Record, rules: Record, chance: Record, seat: Any) -> None:
    """Nothing to do: the order of a deck, the only thing that nobody can see, is not laid down before a card is drawn."""
