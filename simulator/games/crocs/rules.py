"""Rule constants of Christmas Crocs, each with its source."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Literal

from pydantic import model_validator

from simulator.rules import GameRules, ImpossibleError, RuleGroup, assumed, constant, rulebook

MAX_PLAYERS = 6
MAX_OF_A_KIND = 200
MAX_DECKS = 8
MAX_CARDS = 2000
MAX_HAND = 15
MAX_SLOTS = 15
MAX_CANES = 4

Kind = IntEnum("Kind", "PRESENT CANDY_CANE SANTA ELF SCROOGE GRINCH HEART COAL CHOO_CHOO SNOW", start=0)
"""Kinds of cards; in lower case their names in `deck` and in the metrics."""

KINDS = len(Kind)
KIND_KEYS = tuple(kind.name.lower() for kind in Kind)
RESHUFFLE, END = range(2)  # what deck.when_empty can be
REACTION, ROUND = range(2)  # what heart.window can be
KIND_NAMES = ("Present", "Candy Cane", "Santa", "Elf", "Scrooge", "Grinch Croc", "Heart", "Coal", "Choo Choo", "Snow Croc")

WHEN_EMPTY_TEXT = "With no card left to draw the discards are shuffled into a new deck, or the game ends and most full slots win."
ELF_TEXT = "An Elf may draw a card if fewer cards than this are in hand after it is played."
ELF_SOURCE = rulebook("Elf, second type of gameplay, which says five; that the Elf itself no longer counts is ruling C8")
GIVE_TEXT = "Whether a player who is asked for a card and holds it must give it."
HEART_TEXT = "A Heart answers a Grinch Croc right away, or at the start of one's own turn until the play returns to the thief."
SNOW_TEXT = "Whether a frozen player also gives no card and plays no Heart until the turn missed is over."
TAKES_TEXT = "Presents that a Grinch Croc takes, if they are there."


def _cards(default: int, plausible: tuple[int, int], name: str) -> Any:
    text, source = f"{name} cards in a deck.", assumed("the rulebook shows no list of cards")
    return constant(default, ge=0, le=MAX_OF_A_KIND, unit="cards", plausible=plausible, description=text, source=source)


def _switch(values: tuple[Any, Any], text: str, why: str, default: Any = None) -> Any:
    unit, default = "choice" if isinstance(values[0], str) else "yes or no", values[0] if default is None else default
    return constant(default, unit=unit, plausible=values, description=text, source=assumed(why))


class Deck(RuleGroup):
    """The cards of one deck."""

    present: int = _cards(24, (18, 30), "Present")
    candy_cane: int = _cards(16, (10, 24), "Candy Cane")
    santa: int = _cards(6, (4, 10), "Santa")
    elf: int = _cards(6, (4, 10), "Elf")
    scrooge: int = _cards(8, (4, 12), "Scrooge")
    grinch: int = _cards(4, (2, 8), "Grinch Croc")
    heart: int = _cards(6, (2, 10), "Heart")
    coal: int = _cards(8, (4, 12), "Coal")
    choo_choo: int = _cards(6, (2, 10), "Choo Choo")
    snow: int = _cards(6, (2, 10), "Snow Croc")
    when_empty: Literal["reshuffle", "end"] = _switch(("reshuffle", "end"), WHEN_EMPTY_TEXT, "the rulebook does not say")

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards of each kind, in the order of the kinds."""
        return tuple(getattr(self, key) for key in KIND_KEYS)


class Hand(RuleGroup):
    """The cards in hand."""

    deal: int = constant(5, ge=1, le=MAX_HAND, unit="cards", description="Cards dealt to each player.", source=rulebook("Instructions"))
    elf_below: int = constant(5, ge=0, le=MAX_HAND, unit="cards", plausible=(4, 5), left_out=0, description=ELF_TEXT, source=ELF_SOURCE)


class Slots(RuleGroup):
    """The present slots in front of a player."""

    count: int = constant(
        5, ge=1, le=MAX_SLOTS, unit="slots", description="Slots of a player; filling all of them wins.", source=rulebook("How to win")
    )
    canes: int = constant(
        2, ge=1, le=MAX_CANES, unit="cards", description="Candy Canes that fill a slot.", source=rulebook("How to win; Candy Cane")
    )


class Grinch(RuleGroup):
    """The Grinch Croc."""

    takes: int = constant(2, ge=1, le=MAX_SLOTS, unit="presents", description=TAKES_TEXT, source=rulebook("Grinch Croc"))


class Ask(RuleGroup):
    """Questions by Santa and Elf."""

    must_give: bool = _switch((False, True), GIVE_TEXT, "the rulebook says 'if a present is given'", default=True)


class Heart(RuleGroup):
    """The Heart."""

    window: Literal["reaction", "round"] = _switch(("reaction", "round"), HEART_TEXT, "the rulebook says 'in the same round'")


class Snow(RuleGroup):
    """The Snow Croc."""

    silences: bool = _switch((False, True), SNOW_TEXT, "the rulebook says that it freezes or skips a player in that round")


class CrocsRules(GameRules):
    """All constants of Christmas Crocs."""

    deck: Deck = Deck()
    decks: int = constant(
        1, ge=1, le=MAX_DECKS, unit="decks", description="Decks shuffled together.", source=rulebook("No. of Players: 2 to 6 for each deck")
    )
    hand: Hand = Hand()
    slots: Slots = Slots()
    grinch: Grinch = Grinch()
    ask: Ask = Ask()
    heart: Heart = Heart()
    snow: Snow = Snow()

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards of each kind in all decks together."""
        return tuple(self.decks * n for n in self.deck.counts)

    @property
    def total(self) -> int:
        """Cards in all."""
        return sum(self.counts)

    @model_validator(mode="after")
    def _playable(self) -> CrocsRules:
        if self.deck.present == 0 and self.deck.candy_cane == 0:
            reason = "cannot be 0 when deck.candy_cane is 0 too: no slot could ever be filled; add cards of either"
            raise ImpossibleError("deck.present", reason)
        if self.total > MAX_CARDS:
            made = f"cannot be {self.decks}: that makes {self.total} cards"
            raise ImpossibleError("decks", f"{made}, and at most {MAX_CARDS} can be dealt; use fewer decks or cards")
        if too_small_to_deal(self, 2):
            raise ImpossibleError("hand.deal", too_small_to_deal(self, 2))
        return self

    def notes(self) -> list[str]:
        """Allowed, but odd."""
        found = []
        presents, canes = self.counts[Kind.PRESENT], self.counts[Kind.CANDY_CANE]
        if presents + canes // self.slots.canes < self.slots.count:
            found.append(
                f"{presents} Presents and {canes} Candy Canes cannot fill {self.slots.count} slots; "
                + ("nobody ever wins before the deck is empty." if self.deck.when_empty == "end" else "every playout stays unfinished.")
            )
        if self.deck.coal > 0 and self.deck.santa == 0:
            found.append("There is no Santa; a slot with Coal stays blocked for good.")
        if self.deck.grinch > 0 and self.deck.heart == 0:
            found.append("There is no Heart; no Grinch Croc can be answered.")
        return found


def too_small_to_deal(rules: CrocsRules, players: int) -> str:
    """Why the deck cannot be dealt to so many players, in a clause; empty if it can."""
    need = players * rules.hand.deal
    if rules.total >= need:
        return ""
    most = rules.total // players
    way_out = f"deal at most {most} or add cards or decks" if most else "add cards or decks"
    return f"cannot be {rules.hand.deal}: {players} players need {need} cards, and the deck has {rules.total}; {way_out}"
