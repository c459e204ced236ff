"""Rising Tide: all pawns run from the sea together; cards move them, and the waves are in the deck."""

from enum import IntEnum

from simulator import kit
from simulator.game import Game
from simulator.kit import piles
from simulator.rules import GameRules, assumed, constant, rulebook
from strategies import strategy

WHICH_CARD = 0  # the only decision: which card to play, and whether for oneself or for the pawn that is last
STEPS, WAVE = 4, 4  # cards of 1 to 4 steps are the kinds 0 to 3, a wave is kind 4
DECK = piles.lanes(STEPS + 1, 10)
MOST_OPTIONS = 2 * STEPS
Event = IntEnum("Event", "MOVED WAVE WON DROWNED", start=0)


class Rules(GameRules):
    spaces: int = constant(14, ge=3, le=99, unit="spaces", description="Spaces to the lighthouse.", source=rulebook("The board"))
    start: int = constant(2, ge=1, le=20, unit="spaces", description="Spaces between the sea and the pawns.", source=rulebook("Setup"))
    copies: int = constant(5, ge=2, le=20, unit="cards", description="Cards of each number of steps.", source=rulebook("Contents"))
    waves: int = constant(5, ge=0, le=50, unit="cards", description="Waves in the deck.", source=assumed("a guess"), plausible=(3, 8))
    rise: int = constant(1, ge=1, le=9, unit="spaces", description="How far a wave comes.", source=rulebook("Waves"))
    hand: int = constant(2, ge=1, le=4, unit="cards", description="Cards in each hand.", source=rulebook("Setup"))


TABLE = kit.table(
    deck=kit.cards(DECK, seen_by=kit.NOBODY),
    discards=kit.cards(DECK),
    hand=kit.per_seat(kit.cards(DECK), seen_by=kit.OWNER),
    draws=kit.per_seat(seen_by=kit.NOBODY),
    pawn=kit.per_seat(),  # spaces beyond the start
    sea=kit.number(),  # spaces that the sea has come, 0 at its first shore
    steps=kit.per_option(MOST_OPTIONS, [WHICH_CARD]),  # of the card of each option
    whose=kit.per_option(MOST_OPTIONS, [WHICH_CARD]),  # and the seat whose pawn it moves
    surges=kit.counted("Waves", "waves", lambda rules: rules.turn_cap, headline=True),
)


@kit.jit
def deal(table, rules):
    """Hands are dealt before the waves are shuffled in."""
    for kind in range(STEPS):
        table.deck += piles.some(DECK, kind, rules.copies)
    for card in range(table.seats * rules.hand):
        table.hand[card % table.seats] += piles.one(DECK, draw(table, card % table.seats))
    table.deck += piles.some(DECK, WAVE, rules.waves)


@kit.jit
def draw(table, seat):
    """The kind of a card off the deck; an empty deck is made of the discards."""
    if table.deck == piles.EMPTY:
        table.deck, table.discards = table.discards, piles.EMPTY
    kind = piles.kind_at(DECK, table.deck, piles.own_draw(table, seat, piles.size(DECK, table.deck)))
    table.deck -= piles.one(DECK, kind)
    return kind


@kit.jit
def last_of(seats, pawn):
    """The seat whose pawn is last, the first of them."""
    last = 0
    for seat in range(seats):
        last = seat if pawn[seat] < pawn[last] else last
    return last


@kit.jit
def turn(table, rules, seat):
    """Play a card for your own pawn or the last one, then draw; a wave brings the sea nearer, and another card."""
    n = 0
    for kind in range(STEPS):
        if piles.count(DECK, table.hand[seat], kind) > 0:
            table.steps[n], table.whose[n] = kind + 1, seat
            n += 1
            if last_of(table.seats, table.pawn) != seat:
                table.steps[n], table.whose[n] = kind + 1, last_of(table.seats, table.pawn)
                n += 1
    option = kit.choose(table, seat, WHICH_CARD, n)
    steps, whose = table.steps[option], table.whose[option]
    table.hand[seat] -= piles.one(DECK, steps - 1)
    table.discards += piles.one(DECK, steps - 1)
    table.pawn[whose] = min(table.pawn[whose] + steps, rules.spaces)
    kit.note(table, Event.MOVED, whose, steps, table.pawn[whose])
    kind = draw(table, seat)
    while kind == WAVE:
        table.sea += rules.rise
        table.surges += 1
        table.discards += piles.one(DECK, WAVE)
        kit.note(table, Event.WAVE, table.sea, 0, 0)
        kind = draw(table, seat)
    table.hand[seat] += piles.one(DECK, kind)
    last = table.pawn[last_of(table.seats, table.pawn)]
    if last < rules.spaces and table.sea >= last + rules.start:
        kit.note(table, Event.DROWNED, 0, 0, 0)
        kit.end_for_all(table, False)
    elif last == rules.spaces:
        kit.note(table, Event.WON, 0, 0, 0)
        kit.end_for_all(table, True)


@strategy("rising_tide")
def helpful(view, u):
    """Plays its longest card for the pawn that is last."""
    best = 0
    for i in range(view.n_options):
        ahead = view.pawn[view.whose[i]] - view.pawn[view.whose[best]]
        if ahead < 0 or (ahead == 0 and view.steps[i] > view.steps[best]):
            best = i
    return best


@strategy("rising_tide")
def selfish(view, u):
    """Plays its longest card for its own pawn, as long as that is not home."""
    return max(0, view.n_options - 2) if view.whose[0] == view.seat else 0


WORDS = {
    Event.MOVED: "The pawn of seat {a} moves {b} to {c}.",
    Event.WAVE: "A wave: the sea has come {a} spaces.",
    Event.WON: "All pawns are at the lighthouse: the players win.",
    Event.DROWNED: "The sea has the last pawn: the players lose.",
}
STORY = kit.Sentences(
    WORDS,
    asks=lambda _, view: f"a card to play (the sea has come {view.sea})",
    offers=lambda _, view, i: f"{view.steps[i]} steps for seat {view.whose[i]}",
)
GAME = Game(name="rising_tide", players=(2, 4), cooperative=True, rules=Rules, table=TABLE, deal=deal, turn=turn,
            decisions=("card",), default_strategy="helpful", story=STORY)  # fmt: skip
