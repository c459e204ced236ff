"""Christmas Crocs as its rulebook reads. Rulings are cited by their names, C1 to C22."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.games.crocs import cards
from simulator.games.crocs.rules import END, KINDS, ROUND, Kind
from simulator.games.crocs.table import COALS, HAND, OPEN, PILE, PRESENTS, ROBBABLE, SLOTS, Action, Counter, Decision, Event, Slot
from simulator.games.crocs.view import is_question
from simulator.kernel.events import note
from simulator.kernel.jit import jit, jit_inlined
from simulator.kernel.records import NOBODY, Record
from simulator.kernel.turns import neighbour
from simulator.kit.piles import EMPTY, add_to_pile, at_least, count, one, ones_of, own_draw, packed, pile_kind_at, pile_size, pour, some
from simulator.kit.questions import NOTHING, one_of, with_thing
from simulator.kit.seats import lead, leaders, win

_WITH_OPEN_SLOT = packed(HAND, (kind in {Kind.PRESENT, Kind.CANDY_CANE, Kind.SANTA, Kind.ELF} for kind in Kind))
_WITH_HALF_SLOT = packed(HAND, (kind in {Kind.CANDY_CANE, Kind.ELF} for kind in Kind))


# ---------------------------------------------------------------- Deal 5 cards face down to each player
@jit
def deal(table: Record, rules: Record) -> None:
    """Shuffle the decks and deal; the order of the deck shows only as cards are drawn."""
    table.thief = NOBODY
    for word in range(PILE.words):
        table.pile[word] = table.box[word]
    table.deck = pile_size(PILE, table.pile)
    for seat in range(table.seats):
        table.board[seat] = some(SLOTS, Slot.OPEN, rules.slots.count)
    for _ in range(rules.hand.deal):
        for seat in range(table.seats):
            take_card(table, seat)
    for seat in range(table.seats):
        note(table, Event.DEALT, seat, np.int64(table.hand[seat]) & 0xFFFFFFFF, np.int64(table.hand[seat]) >> 32)
    end_with_deck(table, rules)


# ---------------------------------------------------------------- All turns begin by drawing 1 card, playing a card, ...
@jit
def turn(table: Record, rules: Record, seat: int) -> None:
    """Draw 1 card, if there is one (C1), play a card and follow its action."""
    if rules.heart.window == ROUND:
        cards.answer_thefts_of_the_round(table, rules, seat)
    if table.over == 0:
        if can_draw(table, rules):
            draw(table, seat)
        else:
            table.count[Counter.NOT_DRAWN] += 1
            note(table, Event.CANNOT_DRAW, seat, 0, 0)
        play_a_card(table, rules, seat)
    if table.over == 0:
        pass_the_turn(table, rules)


@jit_inlined
def can_draw(table: Record, rules: Record) -> Any:
    """Whether there is a card to draw, after reshuffling if that is the rule (C1)."""
    return table.deck > 0 or (rules.deck.when_empty != END and pile_size(PILE, table.discards) > 0)


@jit_inlined
def draw(table: Record, seat: Any) -> None:
    """Draw a card; there must be one, if only among the discards, which are then shuffled into a new deck (C1)."""
    if table.deck == 0:
        pour(PILE, table.discards, table.pile)
        table.deck = pile_size(PILE, table.pile)
        table.count[Counter.RESHUFFLES] += 1
        note(table, Event.RESHUFFLED, table.deck, 0, 0)
    note(table, Event.DREW, seat, take_card(table, seat), 0)


@jit_inlined
def take_card(table: Record, seat: Any) -> Any:
    """Take a card from the deck, each alike; its kind."""
    kind = pile_kind_at(PILE, table.pile, own_draw(table, seat, table.deck))
    add_to_pile(PILE, table.pile, kind, -1)
    table.deck -= 1
    table.drawn[seat, kind] += 1
    table.hand[seat] += one(HAND, kind)
    table.hand_sizes[seat] += 1
    return kind


@jit_inlined
def play_a_card(table: Record, rules: Record, seat: Any) -> None:
    """Play a card if any legal play exists (C2), else discard one of choice, to no effect (C3)."""
    held = ones_of(HAND, at_least(HAND, table.hand[seat], 1))
    may, may_second = legal_plays(table, rules, seat)
    if held & (may | may_second) != EMPTY:
        play(table, rules, seat, one_of(table, seat, Decision.PLAY, uses(held & may, held & may_second)))
    elif held != EMPTY:
        table.count[Counter.NO_PLAY] += 1
        discard(table, seat, one_of(table, seat, Decision.DISCARD, uses(held, EMPTY)), may | may_second)
    else:
        table.count[Counter.PASSED] += 1
        note(table, Event.HAS_NO_CARD, seat, 0, 0)


@jit_inlined
def legal_plays(table: Record, rules: Record, seat: Any) -> Any:
    """One of each kind that may be played, and of each of which the second use may. A Heart is none at any time of one's own (C16)."""
    mine, may, may_second = table.board[seat], one(HAND, Kind.CHOO_CHOO), EMPTY
    others = EMPTY - mine
    for other in range(table.seats):
        others += table.board[other]  # no count of all together reaches 8 bits
    if mine & OPEN != EMPTY:
        may |= _WITH_OPEN_SLOT  # C7, C17
        if others & PRESENTS != EMPTY:
            may |= one(HAND, Kind.GRINCH)  # C11
    elif mine & rules.half_full != EMPTY:
        may |= _WITH_HALF_SLOT  # C7, C17
    may |= one(HAND, Kind.SCROOGE) if others & ROBBABLE != EMPTY else EMPTY  # C10
    may |= one(HAND, Kind.COAL) if others & OPEN != EMPTY else EMPTY  # C9
    may |= one(HAND, Kind.SNOW) if cards.unfrozen(table) & ~(1 << seat) != 0 else EMPTY  # C20
    may_second |= one(HAND, Kind.SANTA) if mine & COALS != EMPTY else EMPTY  # C9
    if table.hand_sizes[seat] <= rules.hand.elf_below and can_draw(table, rules):  # one less once the Elf is played (C8, C21)
        may_second |= one(HAND, Kind.ELF)
    return may, may_second


@jit_inlined
def uses(first: Any, second: Any) -> Any:
    """What is to choose from: kinds, then Santa's and Elf's second uses."""
    things = NOTHING
    for kind in range(KINDS):
        things = with_thing(things, kind, count(HAND, first, kind))
    things = with_thing(things, Action.REMOVE_COAL, count(HAND, second, Kind.SANTA))
    return with_thing(things, Action.DRAW_CARD, count(HAND, second, Kind.ELF))


@jit_inlined
def discard(table: Record, seat: Any, kind: Any, legal: Any) -> None:
    """Discard a card for want of a legal play (C3); everybody sees by that what the hand does not hold."""
    cards.lay_down(table, seat, kind)
    add_to_pile(PILE, table.discards, kind, 1)
    cards.rule_out(table, seat, legal)
    note(table, Event.DISCARDED, seat, kind, 0)


@jit_inlined
def play(table: Record, rules: Record, seat: Any, action: Any) -> None:
    """Play a card. Every one but a present lies with the discards until it is put into a slot."""
    card = action if action < KINDS else action - KINDS + Kind.SANTA
    table.action = action
    note(table, Event.PLAYED, seat, action, 0)
    cards.lay_down(table, seat, card)
    if action == Action.PRESENT:
        cards.put_present(table, rules, seat, Counter.WON_BY_PRESENT)
        return
    if action == Action.DRAW_CARD and can_draw(table, rules):
        draw(table, seat)  # it is kept (C8), and the Elf itself is not shuffled in
    add_to_pile(PILE, table.discards, card, 1)
    follow(table, rules, seat, action)


@jit_inlined
def follow(table: Record, rules: Record, seat: Any, action: Any) -> None:
    """Follow the action of a card that lies with the discards."""
    if action == Action.CANDY_CANE:
        cards.put_cane(table, rules, seat)
    elif is_question(table):
        cards.ask_for(table, rules, seat, Kind.PRESENT if action == Action.ASK_FOR_PRESENT else Kind.CANDY_CANE)
    elif action == Action.REMOVE_COAL:
        cards.remove_coal(table, seat)
    elif action == Action.SCROOGE:
        cards.scrooge(table, seat)
    elif action == Action.GRINCH:
        cards.grinch_croc(table, rules, seat)
    elif action == Action.COAL:
        cards.coal(table, seat)
    elif action == Action.CHOO_CHOO:
        cards.choo_choo(table)
    elif action == Action.SNOW:
        cards.snow_croc(table, seat)


@jit
def pass_the_turn(table: Record, rules: Record) -> None:
    """Pass the turn on, past frozen seats (C18). Play has returned to a seat that is passed over too (C12)."""
    seat = neighbour(table, table.mover)
    while (table.frozen >> seat) & 1 != 0:
        table.frozen -= 1 << seat
        table.stolen[seat] = 0
        table.count[Counter.SKIPPED] += 1
        note(table, Event.SKIPPED_TURN, seat, 0, 0)
        seat = neighbour(table, seat)
    table.stolen[seat] = 0
    table.following = seat
    end_with_deck(table, rules)


# ---------------------------------------------------------------- the end
@jit
def end_with_deck(table: Record, rules: Record) -> None:
    """With no card left to draw, where that ends the game, most full slots win, unless several have as many (C1)."""
    if rules.deck.when_empty != END or table.deck > 0:
        return
    best, many, first = leaders(table.slots, table.seats)
    if many == 1:
        win(table, first)
        table.count[Counter.WON_BY_MOST_SLOTS] = 1
    table.over = 1
    table.count[Counter.TIED] = 1 if many > 1 else 0
    note(table, Event.DECK_ENDED, best, many, first)


@jit
def score(table: Record, rules: Record) -> None:  # noqa: ARG001  the table has it all
    """Rounds, and how far the first is ahead."""
    table.count[Counter.ROUNDS] = (table.turn + table.seats - 1) // table.seats
    table.count[Counter.LEAD] = lead(table.slots, table.seats)


@jit
def payoff(table: Record, rules: Record, seat: Any) -> Any:  # noqa: ARG001  the table has it all
    """1.0 for the winner and 0.0 for the others; a tie is shared. 0.0 for all if the playout is unfinished."""
    best, many, _ = leaders(table.slots, table.seats)
    if table.count[Counter.TIED] != 0:
        return 1.0 / many if table.slots[seat] == best else 0.0
    return 1.0 if table.wins[seat] != 0 else 0.0
