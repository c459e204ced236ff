"""Christmas Vacation, step by step. The functions carry the rulebook's headings and stand in its order.

"N" and a number refer to a ruling on a point that the rulebook leaves open; `docs/vacation.md` lists them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.vacation.rules import DICE_TOGETHER, DIE_BY_DIE, Face
from simulator.games.vacation.table import CARD_DRAW, DICE_DRAW, MAX_ROLLS, NUMBERS, Counter, Decision, Event, Kind, NextBonus, RollAgain
from simulator.kernel.chance import below
from simulator.kernel.events import note
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import Record
from simulator.kernel.turns import choose
from simulator.kit.piles import EMPTY, at_least, count, first_kind, kind_at, kinds_in, one, size, without_first
from simulator.kit.seats import win

_ROLL_BITS, _CARD_BITS, _LANE_BITS, _LANE = 8, 5, 2, 3  # of addresses: rolls of a turn, blocks of cards in it, cards of a block
_BYTE_BITS, _BYTE = 8, 255


# ---------------------------------------------------------------- Setup
@jit
def deal(table: Record, rules: Record) -> None:
    """Everybody takes a deck; its order shows only as cards are drawn."""
    for seat in range(table.seats):
        table.deck[seat] = rules.number_cards
        table.deck_wilds[seat] = rules.deck.wilds
        table.left[seat] = rules.cards


# ---------------------------------------------------------------- On Your Turn
@jit
def turn(table: Record, rules: Record, seat: int) -> None:
    """Take the tumbler, and repeat steps 1 to 4 as long as you want, and may."""
    take_tumbler_and_deck(table, rules, seat)
    while roll_and_draw(table, rules, seat) and roll_again(table, rules, seat):
        pass
    end_turn(table, seat)


@jit
def roll_and_draw(table: Record, rules: Record, seat: Any) -> Any:
    """Steps 1 to 3. Whether the turn goes on: not after a bust (N2), nor with no card left, which wins at once (N14)."""
    shown = roll(table, rules, seat)
    if remove_dice(table, rules, seat, shown):
        return False
    draw_cards(table, rules, seat, shown)
    return table.left[seat] > 0


@jit
def take_tumbler_and_deck(table: Record, rules: Record, seat: Any) -> None:
    """All dice are in the tumbler, and no card is face up."""
    table.roll = table.eddies = table.board = table.drawn = table.discarded = 0
    count_tumbler(table, rules)
    table.up = EMPTY
    table.up_wilds = table.n_up = 0
    table.pile, table.pile_wilds, table.n_pile = table.deck[seat], table.deck_wilds[seat], table.left[seat]


@jit
def count_tumbler(table: Record, rules: Record) -> None:
    """What the dice may show that are not on the board."""
    board = table.board
    table.dice = rules.dice.count - table.eddies
    table.faces = max(table.dice, 1) * rules.n_faces  # with no die left it divides by no 0
    table.eddie_faces = rules.faces_left[board, Face.EDDIE]
    table.wreath_faces = rules.faces_left[board, Face.WREATH]
    table.bonus_faces = rules.faces_left[board, Face.BONUS]
    table.bust = rules.bust_chance[board]


# ---------------------------------------------------------------- 1. Roll
@jit
def roll(table: Record, rules: Record, seat: Any) -> Any:
    """Every die that is not on the board (N1). By face a byte of its count, int64."""
    occasion = (table.turn << _ROLL_BITS) | table.roll
    shown = throw_each(table, rules, occasion) if rules.one_by_one != 0 else throw_together(table, rules, occasion)
    table.roll += 1
    note(table, Event.ROLLED, seat, shown, table.roll)
    return shown


@jit_inlined
def throw_together(table: Record, rules: Record, occasion: Any) -> Any:
    """Dice that are alike: a random number looks up what three of them show."""
    shown = np.int64(0)
    for lane in range((table.dice + DICE_TOGETHER - 1) // DICE_TOGETHER):
        together = min(table.dice - lane * DICE_TOGETHER, DICE_TOGETHER)
        shown += rules.throw[together - 1, below(table.chance, DICE_DRAW + lane, occasion, rules.n_throws)]
    return shown


@jit
def throw_each(table: Record, rules: Record, occasion: Any) -> Any:
    """Dice that differ or are looked at one by one: the digits of a random number pick the faces of three, the lowest the first's."""
    shown = throw = thrown = np.int64(0)
    for die in range(rules.dice.count):
        if (table.board >> die) & 1 != 0:
            continue
        if thrown % DICE_TOGETHER == 0:
            throw = below(table.chance, DICE_DRAW + thrown // DICE_TOGETHER, occasion, rules.n_throws)
        face = rules.face[die, throw % rules.n_faces]
        throw //= rules.n_faces
        shown += np.int64(1) << (face * _BYTE_BITS)
        table.thrown[thrown] = face
        if face == Face.EDDIE:
            table.board |= 1 << die
        thrown += 1
    return shown


@jit_inlined
def showing(shown: Any, face: Any) -> Any:
    """How many dice of a roll show a face."""
    return (shown >> (face * _BYTE_BITS)) & _BYTE


# ---------------------------------------------------------------- 2. Remove Dice
@jit
def remove_dice(table: Record, rules: Record, seat: Any, shown: Any) -> Any:
    """Eddies go to the board first (N3); True where there are three, and nothing of this roll is drawn (N2)."""
    before, eddies = np.int64(table.eddies), showing(shown, Face.EDDIE)
    if eddies > 0:
        table.eddies = before + eddies
        if rules.one_by_one == 0:
            table.board = (1 << table.eddies) - 1
        count_tumbler(table, rules)
        note(table, Event.EDDIES, table.eddies, eddies, 0)
    if table.eddies < rules.dice.bust_at:
        return False
    table.count[Counter.BUSTS] += 1
    count_bin(table, Counter.BUSTS_ALL_DICE, Counter.BUSTS_STILL_FEWER, before)
    note(table, Event.BUSTED, seat, 0, 0)
    return True


@jit_inlined
def count_bin(table: Record, first: Any, last: Any, number: Any) -> None:
    """Count a number in its bin among those that follow one another from `first` for 0 to `last` for so many or more."""
    table.count[first + min(number, last - first)] += 1


# ---------------------------------------------------------------- 3. Draw Cards
@jit
def draw_cards(table: Record, rules: Record, seat: Any, shown: Any) -> None:
    """A card for each Clark and each bonus, and the bonuses once all are drawn, or die by die (N6)."""
    if rules.bonus.order == DIE_BY_DIE:
        look_at_each_die(table, rules, seat, table.dice + showing(shown, Face.EDDIE))
        return
    wreaths, bonuses = showing(shown, Face.WREATH), showing(shown, Face.BONUS)
    draw(table, showing(shown, Face.CLARK) + wreaths + bonuses)
    use_bonuses(table, rules, seat, wreaths, bonuses)


@jit
def look_at_each_die(table: Record, rules: Record, seat: Any, thrown: Any) -> None:
    """Draw for a die, and use its bonus before the next."""
    for die in range(thrown):
        face = table.thrown[die]
        if face != Face.EDDIE and table.left[seat] > 0:
            note(table, Event.DIE_SHOWS, face, 0, 0)
            draw(table, 1)
            use_bonuses(table, rules, seat, 1 if face == Face.WREATH else 0, 1 if face == Face.BONUS else 0)


@jit
def draw(table: Record, cards: Any) -> None:
    """Turn up cards, whether wanted or not (N15); when the deck runs out the rest is skipped (N13)."""
    if cards >= table.n_pile:
        draw_all(table, cards)
        return
    for _ in range(cards):
        occasion = (table.turn << _CARD_BITS) | (table.drawn >> _LANE_BITS)
        kind = kind_at(NUMBERS, table.pile, below(table.chance, CARD_DRAW + (table.drawn & _LANE), occasion, table.n_pile))
        if kind < NUMBERS.kinds:
            table.pile -= one(NUMBERS, kind)
            table.up += one(NUMBERS, kind)
        else:  # the Wilds lie behind the numbers
            table.pile_wilds -= 1
            table.up_wilds += 1
        table.n_pile -= 1
        table.n_up += 1
        table.drawn += 1
        note(table, Event.DREW, kind, 0, 0)


@jit
def draw_all(table: Record, cards: Any) -> None:
    """The whole deck comes up, in whatever order."""
    n = table.n_pile
    if table.telling != 0:
        for rank in range(n):
            note(table, Event.DREW, kind_at(NUMBERS, table.pile, rank), 0, 0)
    if cards > n:
        note(table, Event.RAN_OUT, cards - n, 0, 0)
    if n > 0:
        table.count[Counter.WHOLE_DECK] += 1
    table.up += table.pile
    table.up_wilds += table.pile_wilds
    table.n_up += n
    table.drawn += n
    table.pile = EMPTY
    table.pile_wilds = table.n_pile = 0


# ---------------------------------------------------------------- 4. Roll Again or Stop and Discard Cards
@jit
def roll_again(table: Record, rules: Record, seat: Any) -> Any:
    """Whether you roll again; a stop lets you discard on top of the bonuses (N8). With no die in the tumbler you have to stop."""
    if table.dice > 0 and table.roll < MAX_ROLLS and choose(table, seat, Decision.ROLL_AGAIN, 2) == RollAgain.ROLL:
        return True
    if table.n_up > 0:
        discard_a_set(table, rules, seat, Decision.DISCARD)
    return False


@jit
def discard_a_set(table: Record, rules: Record, seat: Any, decision: Any) -> None:
    """Any number or run, or none (N7, N9). The order: each number, lowest first, without a Wild and with; Wilds alone; runs; none."""
    n = list_runs(table, rules, list_numbers(table))
    discard(table, seat, decision, list_option(table, n, EMPTY, 0, Kind.NONE))


@jit_inlined
def list_option(table: Record, n: Any, cards: Any, wilds: Any, kind: Any) -> Any:
    """Add an option to the `n` that there are; how many there are then."""
    table.cards[n] = cards
    table.wilds[n] = wilds
    table.discards[n] = size(NUMBERS, cards) + wilds
    table.kind[n] = kind
    return n + 1


@jit
def list_numbers(table: Record) -> Any:
    """Number: all face-up cards of one (N12), with a Wild if wanted; or Wilds alone (N10)."""
    n = np.int64(0)
    held = at_least(NUMBERS, table.up, 1)
    while held != EMPTY:
        number = first_kind(NUMBERS, held)
        held = without_first(held)
        cards = one(NUMBERS, number) * np.uint64(count(NUMBERS, table.up, number))
        for wilds in range(table.up_wilds + 1):
            n = list_option(table, n, cards, wilds, Kind.NUMBER)
    for wilds in range(1, table.up_wilds + 1):
        n = list_option(table, n, EMPTY, wilds, Kind.WILD)
    return n


@jit
def list_runs(table: Record, rules: Record, n: Any) -> Any:
    """Run: consecutive numbers and Wilds (N10, N11); by lowest number card, then by highest."""
    wilds, present = np.int64(table.up_wilds), kinds_in(NUMBERS, table.up)
    for low in range(rules.deck.numbers):
        if (present >> low) & 1 == 0:
            continue
        span, gaps = EMPTY, np.int64(0)
        for high in range(low, rules.deck.numbers):
            span += one(NUMBERS, high)
            if (present >> high) & 1 == 0:
                gaps += 1
                if gaps > wilds:
                    break
            elif wilds > 0:
                n = list_wild_runs(table, rules, present, span, low, high, n)
            elif high - low + 1 >= rules.run.min_length and (high > low or count(NUMBERS, table.up, low) > 1):
                n = list_option(table, n, span, 0, Kind.RUN)
    return n


@jit
def list_wild_runs(table: Record, rules: Record, present: Any, span: Any, low: Any, high: Any, n: Any) -> Any:
    """Runs whose lowest and highest number cards are given, with Wilds face up.

    A Wild stands for a number that is missing or held back, below the lowest, or above the highest up to one past the
    last number. The order: by the numbers left out (as a binary number, the lowest number its lowest bit), then by
    Wilds. Where two ways discard the same cards only one is listed: a single number is no run if that is all of it.
    """
    wilds, outside = np.int64(table.up_wilds), low + rules.deck.numbers - high
    between = ((1 << high) - 1) & ~((2 << low) - 1)
    held_back = np.int64(0)
    while True:
        left_out = (between & ~present) | held_back
        cards, gaps = span, np.int64(0)
        for number in range(low + 1, high):
            if (left_out >> number) & 1 != 0:
                cards -= one(NUMBERS, number)
                gaps += 1
        numbers = high - low + 1 - gaps
        if numbers > 1 or count(NUMBERS, table.up, low) > 1:
            for with_wilds in range(gaps, min(wilds, gaps + outside) + 1):
                if numbers + with_wilds >= rules.run.min_length:
                    n = list_option(table, n, cards, with_wilds, Kind.RUN)
        held_back = (held_back - (between & present)) & between & present
        if held_back == 0:
            return n


@jit
def discard(table: Record, seat: Any, decision: Any, n: Any) -> None:
    """Put the cards of one of `n` options on the game board."""
    option = choose(table, seat, decision, n)
    kind, cards, wilds, all_cards = table.kind[option], table.cards[option], table.wilds[option], table.discards[option]
    if kind == Kind.NONE:
        if decision != Decision.DISCARD:
            table.count[Counter.UNUSED_WREATH if decision == Decision.WREATH else Counter.UNUSED_BONUS] += 1
        note(table, Event.KEPT, decision, 0, 0)
        return
    table.up -= cards
    table.up_wilds -= wilds
    table.n_up -= all_cards
    table.left[seat] -= all_cards
    table.discarded += all_cards
    count_discard(table, decision, kind, all_cards, wilds)
    if table.telling != 0:  # the numbers as bits with the count of the lowest above them
        copies = np.int64(0) if cards == EMPTY else count(NUMBERS, cards, first_kind(NUMBERS, at_least(NUMBERS, cards, 1)))
        note(table, Event.DISCARDED, decision, kinds_in(NUMBERS, cards) | (copies << _BYTE_BITS), wilds)


@jit
def count_discard(table: Record, decision: Any, kind: Any, cards: Any, wilds: Any) -> None:
    """A Wild alone counts as a number."""
    table.count[Counter.DISCARDED_STOP + decision - Decision.DISCARD] += cards
    if decision == Decision.WREATH:
        table.count[Counter.WILD_WREATH] += wilds
        return
    run = 1 if kind == Kind.RUN else 0
    table.count[Counter.SETS_NUMBERS + run] += 1
    table.count[Counter.CARDS_NUMBERS + run] += cards
    table.count[Counter.WILD_NUMBER + kind - Kind.NUMBER] += wilds


@jit
def end_turn(table: Record, seat: Any) -> None:
    """Shuffle the cards in front of you back into your deck, bust or not (N4); whoever has no card left wins."""
    if table.n_up > 0:
        note(table, Event.SHUFFLED_BACK, table.n_up, 0, 0)
    table.deck[seat] = table.pile + table.up
    table.deck_wilds[seat] = table.pile_wilds + table.up_wilds
    table.count[Counter.ROLLS] += table.roll
    table.count[Counter.DRAWN] += table.drawn
    count_bin(table, Counter.DRAWING_NONE, Counter.DRAWING_9_UP, (table.drawn + 1) >> 1)
    count_bin(table, Counter.DISCARDING_NONE, Counter.DISCARDING_MORE, table.discarded)
    if table.left[seat] == 0:
        note(table, Event.WON, seat, 0, 0)
        win(table, seat)


# ---------------------------------------------------------------- Bonuses
@jit
def use_bonuses(table: Record, rules: Record, seat: Any, wreaths: Any, bonuses: Any) -> None:
    """Every bonus die counts by itself (N5), in the order you like (N6); with nothing face up the rest lapse."""
    table.wreaths, table.bonuses = wreaths, bonuses
    while table.wreaths + table.bonuses > 0 and table.n_up > 0:
        both = table.wreaths > 0 and table.bonuses > 0
        if choose(table, seat, Decision.NEXT_BONUS, 2) == NextBonus.WREATH if both else table.wreaths > 0:
            wreath_bonus(table, seat)
        else:
            christmas_bonus(table, rules, seat)
    if table.left[seat] > 0:
        table.count[Counter.UNUSED_WREATH] += table.wreaths
        table.count[Counter.UNUSED_BONUS] += table.bonuses
    table.wreaths = table.bonuses = 0


@jit
def wreath_bonus(table: Record, seat: Any) -> None:
    """Discard any one face-up card, by number and the Wild last, or none (N7)."""
    table.wreaths -= 1
    n = np.int64(0)
    held = at_least(NUMBERS, table.up, 1)
    while held != EMPTY:
        n = list_option(table, n, one(NUMBERS, first_kind(NUMBERS, held)), 0, Kind.NUMBER)
        held = without_first(held)
    if table.up_wilds > 0:
        n = list_option(table, n, EMPTY, 1, Kind.WILD)
    discard(table, seat, Decision.WREATH, list_option(table, n, EMPTY, 0, Kind.NONE))


@jit
def christmas_bonus(table: Record, rules: Record, seat: Any) -> None:
    """Clark's Christmas Bonus: discard a run or a number, or none."""
    table.bonuses -= 1
    discard_a_set(table, rules, seat, Decision.BONUS)
