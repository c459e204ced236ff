"""Rule constants of Christmas Vacation, each with its source."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Discriminator, Field, Tag, model_validator

from simulator.rules import MAX_TURNS, GameRules, ImpossibleError, Named, RuleGroup, assumed, constant, derived, ours, rulebook
from simulator.rules.packing import packer

CARDS = 25

MAX_DICE = 12
MAX_FACES = 12
MAX_NUMBERS = 8
MAX_COPIES = 12
MAX_WILDS = 4
NO_BUST, NO_RUN = MAX_DICE + 1, MAX_NUMBERS + 2

REMOVE_DICE = rulebook("On Your Turn, Remove Dice")
DISCARD_CARDS = rulebook("On Your Turn, Roll Again or Stop and Discard Cards")
WILD_CARD = rulebook("Wild Card")
SIX_NUMBERS = derived("25 cards (Setup) less one Wild, divided by six numbers")
CAP_TEXT = "Turns after which a playout counts as unfinished."

DICE_TOGETHER = 3
"""Dice that one random number rolls."""

THROWS = MAX_FACES**DICE_TOGETHER
"""The most outcomes that so many dice can have."""

PLAYERS_ORDER, DIE_BY_DIE = range(2)
"""How the bonuses of a roll may be ordered, as compiled code reads it."""

Face = IntEnum("Face", "EDDIE CLARK WREATH BONUS", start=0)

FACES = ("clark", "clark", "clark", "wreath", "bonus", "eddie")

FaceName = Literal["clark", "wreath", "bonus", "eddie"]
Die = Annotated[tuple[FaceName, ...], Field(min_length=1, max_length=MAX_FACES)]
Each = Annotated[tuple[Die, ...], Field(min_length=1, max_length=MAX_DICE)]


def _listed(value: Any) -> str:
    """Whether a list has the faces of one die or those of each, so that what is wrong with it is told of one of the two."""
    return "each" if isinstance(value, list | tuple) and any(isinstance(entry, list | tuple) for entry in value) else "alike"


Faces = Annotated[Annotated[Die, Tag("alike")] | Annotated[Each, Tag("each")], Discriminator(_listed)]

DICE = (
    Named("as shipped", FACES),
    Named("two Eddies", ("clark", "clark", "wreath", "bonus", "eddie", "eddie")),
    Named("two wreaths", ("clark", "clark", "wreath", "wreath", "bonus", "eddie")),
    Named("two bonuses", ("clark", "clark", "wreath", "bonus", "bonus", "eddie")),
    Named("two Eddies and two wreaths", ("clark", "wreath", "wreath", "bonus", "eddie", "eddie")),
    Named(
        "bonuses on half of the dice",
        (*(("clark", "clark", "clark", "wreath", "eddie", "eddie"),) * 3, *(("clark", "clark", "clark", "bonus", "eddie", "eddie"),) * 3),
    ),
    Named(
        "bonuses on one die",
        (*(("clark", "clark", "clark", "wreath", "wreath", "eddie"),) * 5, ("clark", "clark", "clark", "bonus", "bonus", "eddie")),
    ),
)
"""Dice that a publisher might make, the assumed ones first: all alike, or each by itself."""


class Dice(RuleGroup):
    """The dice in the tumbler."""

    count: int = constant(6, ge=1, le=MAX_DICE, unit="dice", description="Dice in the tumbler.", source=rulebook("Contents"))
    faces: Faces = constant(
        FACES,
        unit="list of faces",
        plausible=DICE,
        description="Equally likely faces of every die, or, where dice differ, a list of faces for each of them.",
        source=assumed(
            "no die is shown; one or two faces each of Eddie, wreath and bonus are likely, since the rulebook rolls all of them"
        ),
    )
    bust_at: int = constant(
        3, ge=1, le=NO_BUST, unit="dice", left_out=NO_BUST, description="Eddies on the board that end a turn.", source=REMOVE_DICE
    )

    @property
    def each(self) -> tuple[tuple[str, ...], ...]:
        """The faces of every die."""
        alike = isinstance(self.faces[0], str)
        return (self.faces,) * self.count if alike else self.faces  # type: ignore[return-value]  # told apart by the first entry


class Deck(RuleGroup):
    """Each player's deck."""

    numbers: int = constant(6, ge=0, le=MAX_NUMBERS, unit="numbers", description="Cards are numbered from 1 to this.", source=WILD_CARD)
    copies: int = constant(4, ge=0, le=MAX_COPIES, unit="cards", description="Cards of each number.", source=SIX_NUMBERS)
    wilds: int = constant(1, ge=0, le=MAX_WILDS, unit="cards", description="Wild cards.", source=WILD_CARD)

    @property
    def total(self) -> int:
        """Cards in all."""
        return self.numbers * self.copies + self.wilds


class Run(RuleGroup):
    """Runs of cards."""

    min_length: int = constant(
        3, ge=1, le=NO_RUN, unit="cards", left_out=NO_RUN, description="Fewest cards that make a run.", source=DISCARD_CARDS
    )


class Bonus(RuleGroup):
    """The bonuses of one roll."""

    order: Literal["player", "die"] = constant(
        "player",
        unit="choice",
        plausible=("player", "die"),
        description="All cards are drawn first and bonuses used in the player's order, or each die is drawn for and used by itself.",
        source=assumed("the rulebook describes one die at a time and does not say"),
    )


class VacationRules(GameRules):
    """All constants of Christmas Vacation."""

    dice: Dice = Dice()
    deck: Deck = Deck()
    run: Run = Run()
    bonus: Bonus = Bonus()
    turn_cap: int = constant(2000, ge=1, le=MAX_TURNS, unit="turns", description=CAP_TEXT, source=ours("no rule says that a game must end"))

    @model_validator(mode="after")
    def _playable(self) -> VacationRules:
        if self.deck.total == 0:
            raise ImpossibleError("deck.copies", "and deck.wilds leave a deck of no cards; add copies of at least one number, or a Wild")
        dice = self.dice.each
        if len(dice) != self.dice.count:
            reason = f"lists {len(dice)} dice, but dice.count is {self.dice.count}; list as many, or the faces of one if all are alike"
            raise ImpossibleError("dice.faces", reason)
        if len({len(faces) for faces in dice}) > 1:
            raise ImpossibleError("dice.faces", "lists dice with different numbers of faces; write faces more than once to make them equal")
        if {face for faces in dice for face in faces} == {"eddie"}:
            raise ImpossibleError("dice.faces", "has no clark, wreath or bonus, so no card could ever be drawn; add one of them")
        return self

    def notes(self) -> list[str]:
        """Allowed, but not the game in the box."""
        found = []
        eddies = sum("eddie" in faces for faces in self.dice.each)
        if not eddies:
            found.append("No die has Cousin Eddie, so no turn can bust.")
        elif self.dice.bust_at > eddies:
            dice = f"there are only {eddies} dice" if eddies == self.dice.count else f"only {eddies} of the dice have one"
            found.append(f"A bust takes {self.dice.bust_at} Eddies, but {dice}; no turn can bust.")
        if self.deck.total != CARDS:
            found.append(f"A deck has {self.deck.total} cards; one in the box has {CARDS}.")
        longest = self.longest_run()
        if self.run.min_length > longest:
            found.append(f"A run takes {self.run.min_length} cards, but the longest that a deck can make has {longest}; there are no runs.")
        return found

    def longest_run(self) -> int:
        """Cards of the longest run: every number, and a Wild as one past the highest (N11)."""
        return self.deck.numbers + min(self.deck.wilds, 1) if self.deck.numbers and self.deck.copies else 0


def derive(rules: VacationRules) -> dict[str, Any]:
    """What compiled code reads of lists, and sums."""
    dice = np.array([[Face[face.upper()] for face in faces] for faces in rules.dice.each])
    face = np.zeros((MAX_DICE, MAX_FACES), np.int64)
    face[: len(dice), : dice.shape[1]] = dice
    faces_left, bust_chance = _tumblers(dice, rules.dice.bust_at)
    return {
        "throw": _throws(dice[0]),
        "n_throws": dice.shape[1] ** DICE_TOGETHER,
        "n_faces": dice.shape[1],
        "face": face,
        "one_by_one": len(set(rules.dice.each)) > 1 or rules.bonus.order == "die",  # whether each die is looked at by itself
        "faces_left": faces_left,
        "bust_chance": bust_chance,
        "number_cards": np.uint64(sum(rules.deck.copies << (8 * number) for number in range(rules.deck.numbers))),
        "cards": rules.deck.total,
    }


def _throws(faces: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What 1, 2 or 3 dice that are alike show when a number picks their faces as its digits, the lowest the first die's.

    By face a byte of its count, int64, shape (DICE_TOGETHER, THROWS).
    """
    n = len(faces)
    picked = np.arange(n**DICE_TOGETHER)
    throw = np.zeros((DICE_TOGETHER, THROWS), np.int64)
    for die in range(DICE_TOGETHER):
        throw[die:, : len(picked)] += 1 << 8 * faces[picked // n**die % n]
    return throw


def _tumblers(dice: np.ndarray[Any, Any], bust_at: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """For every set of dice on the board, bit by bit: of those left, the faces of each kind, and the chance that a roll busts."""
    faces_left, bust_chance = np.zeros((1 << MAX_DICE, len(Face)), np.int32), np.zeros(1 << MAX_DICE)
    faces_of = np.array([[np.count_nonzero(faces == face) for face in Face] for faces in dice])
    eddie = faces_of[:, Face.EDDIE] / dice.shape[1]
    for board in range(1 << len(dice)):
        left = [die for die in range(len(dice)) if not board >> die & 1]
        faces_left[board] = faces_of[left].sum(axis=0)
        chances = np.zeros(len(dice) + 1)  # of so many Eddies
        chances[0] = 1.0
        for die in left:
            chances[1:] = chances[1:] * (1.0 - eddie[die]) + chances[:-1] * eddie[die]
            chances[0] *= 1.0 - eddie[die]
        bust_chance[board] = chances[max(bust_at - (len(dice) - len(left)), 0) :].sum()
    return faces_left, bust_chance


pack = packer(derive)
"""The rules as compiled code reads them."""
