"""Rule constants of Christmas Vacation, each with its source."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Discriminator, Field, Tag, model_validator

from simulator.games.vacation.state import BONUS_FACE, CLARK_FACE, EDDIE_FACE, MAX_WILDS, WREATH_FACE
from simulator.kernel.multiset import KINDS
from simulator.rules import MAX_TURNS, GameRules, ImpossibleError, Named, RuleGroup, assumed, constant, derived, ours, rulebook

CARDS = 25

MAX_DICE = 12
MAX_FACES = 12
MAX_NUMBERS = KINDS
MAX_COPIES = 12

DICE_TOGETHER = 3
"""Dice that one random number rolls."""

THROWS = MAX_FACES**DICE_TOGETHER
"""The most outcomes that so many dice can have."""

FACE_CODES = {"eddie": EDDIE_FACE, "clark": CLARK_FACE, "wreath": WREATH_FACE, "bonus": BONUS_FACE}

FACES = ("clark", "clark", "clark", "wreath", "bonus", "eddie")

Face = Literal["clark", "wreath", "bonus", "eddie"]
Die = Annotated[tuple[Face, ...], Field(min_length=1, max_length=MAX_FACES)]
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
        3,
        ge=1,
        le=MAX_DICE + 1,
        unit="dice",
        left_out=MAX_DICE + 1,
        description="Eddies on the board that end a turn.",
        source=rulebook("On Your Turn, Remove Dice"),
    )

    @property
    def each(self) -> tuple[tuple[str, ...], ...]:
        """The faces of every die."""
        alike = isinstance(self.faces[0], str)
        return (self.faces,) * self.count if alike else self.faces  # type: ignore[return-value]  # told apart by the first entry


class Deck(RuleGroup):
    """Each player's deck."""

    numbers: int = constant(
        6, ge=0, le=MAX_NUMBERS, unit="numbers", description="Cards are numbered from 1 to this.", source=rulebook("Wild Card")
    )
    copies: int = constant(
        4,
        ge=0,
        le=MAX_COPIES,
        unit="cards",
        description="Cards of each number.",
        source=derived("25 cards (Setup) less one Wild, divided by six numbers"),
    )
    wilds: int = constant(1, ge=0, le=MAX_WILDS, unit="cards", description="Wild cards.", source=rulebook("Wild Card"))

    @property
    def total(self) -> int:
        """Cards in all."""
        return self.numbers * self.copies + self.wilds


class Run(RuleGroup):
    """Runs of cards."""

    min_length: int = constant(
        3,
        ge=1,
        le=MAX_NUMBERS + 2,
        unit="cards",
        left_out=MAX_NUMBERS + 2,
        description="Fewest cards that make a run.",
        source=rulebook("On Your Turn, Roll Again or Stop and Discard Cards"),
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
    turn_cap: int = constant(
        2000,
        ge=1,
        le=MAX_TURNS,
        unit="turns",
        description="Turns after which a playout counts as unfinished.",
        source=ours("no rule says that a game must end"),
    )

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


PACKED = np.dtype(
    [
        ("throw", "i8", (DICE_TOGETHER, THROWS)),  # what 1, 2 or 3 dice show: by face a byte of its count
        ("n_throws", "i4"),
        ("n_faces", "i4"),
        ("face", "i4", (MAX_DICE, MAX_FACES)),
        ("mixed", "i4"),  # whether dice differ
        # by the dice on the board, a bit each: of those left, how many faces there are of each kind, and the chance of a bust
        ("faces_left", "i4", (1 << MAX_DICE, len(FACE_CODES))),
        ("bust_chance", "f8", (1 << MAX_DICE,)),
        ("dice", "i4"),
        ("bust_at", "i4"),
        ("numbers", "i4"),
        ("deck", "u8"),
        ("wilds", "i4"),
        ("cards", "i4"),
        ("run_min", "i4"),
        ("die_by_die", "i4"),
    ],
    align=True,
)
"""The rules as compiled code reads them."""


def pack(rules: VacationRules) -> np.ndarray[Any, Any]:
    """The rules as an array of one PACKED record."""
    packed = np.zeros(1, PACKED)
    record = packed[0]
    dice = np.array([[FACE_CODES[face] for face in faces] for faces in rules.dice.each])
    n_faces = dice.shape[1]
    record["face"][: len(dice), :n_faces] = dice
    _fill_throws(record["throw"], dice[0].tolist())
    _fill_chances(record, dice, rules.dice.bust_at)
    scalars = {
        "n_throws": n_faces**DICE_TOGETHER,
        "n_faces": n_faces,
        "mixed": len(set(rules.dice.each)) > 1,
        "dice": rules.dice.count,
        "bust_at": rules.dice.bust_at,
        "numbers": rules.deck.numbers,
        "deck": sum(rules.deck.copies << (8 * number) for number in range(rules.deck.numbers)),
        "wilds": rules.deck.wilds,
        "cards": rules.deck.total,
        "run_min": rules.run.min_length,
        "die_by_die": rules.bonus.order == "die",
    }
    for name, value in scalars.items():
        record[name] = value
    return packed


def _fill_throws(throw: Any, faces: list[int]) -> None:
    """What 1, 2 or 3 dice that are alike show when a number picks their faces as its digits, the lowest digit the first die's."""
    n = len(faces)
    picked = np.arange(n**DICE_TOGETHER)
    shown = np.array([1 << (8 * face) for face in faces], np.int64)
    total = np.zeros(len(picked), np.int64)
    for die in range(DICE_TOGETHER):
        total = total + shown[picked // n**die % n]
        throw[die, : len(picked)] = total


def _fill_chances(record: Any, dice: np.ndarray[Any, Any], bust_at: int) -> None:
    """For every set of dice on the board, what the others may show together."""
    faces_of = np.array([[np.count_nonzero(faces == code) for code in range(len(FACE_CODES))] for faces in dice])
    eddie = faces_of[:, EDDIE_FACE] / dice.shape[1]
    for board in range(1 << len(dice)):
        left = [die for die in range(len(dice)) if not board >> die & 1]
        record["faces_left"][board] = faces_of[left].sum(axis=0)
        chances = np.zeros(len(dice) + 1)  # of so many Eddies
        chances[0] = 1.0
        for die in left:
            chances[1:] = chances[1:] * (1.0 - eddie[die]) + chances[:-1] * eddie[die]
            chances[0] *= 1.0 - eddie[die]
        record["bust_chance"][board] = chances[max(bust_at - (len(dice) - len(left)), 0) :].sum()
