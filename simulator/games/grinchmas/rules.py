"""Rule constants of Merry Grinchmas, each with its source."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from itertools import combinations
from math import comb
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import Field, ValidationError, model_validator

from simulator.games.grinchmas.boards import BOARDS, SPINNERS
from simulator.kit.tracks import next_ahead
from simulator.rules import GameRules, ImpossibleError, RuleGroup, assumed, constant, derived, rulebook

HOUSES = 6
SPOTS = 3
TOKENS = 50
WISH_CARDS = 36

MAX_COLOURS = 8
MAX_FACE_UP = 8
MAX_PATH = 64
MAX_FACES = 32
MAX_PILE = 250
MAX_TOKENS_OF_A_DESIGN = 127
MAX_WISH_TYPES = 128

Space = Literal["A", "B", "C", "max", "present", "feet", "house 1", "house 2", "house 3", "house 4", "house 5", "house 6"]
SPACE_CODES = {space: code for code, space in enumerate(get_args(Space))}
SpaceCode = IntEnum("SpaceCode", "A B C MAX PRESENT FEET HOUSE_1", start=0)
"""Codes of the spaces; the other houses follow. Those of A, B and C are the spots' numbers as well."""

Face = Literal["feet"] | Annotated[int, Field(ge=1, le=MAX_PATH)]
FEET_FACE = 0
"""Code of the feet on the spinner; the other faces are numbers from 1."""

WishKind = IntEnum("WishKind", "MIXED PAIR TRIO", start=0)
MIXED, PAIR, TRIO = WishKind

CONTINUE, RESHUFFLE = range(2)
"""What happens when the Wishes are exhausted, in the order of the switch."""

NOTHING = -1
"""In a place for a Present or a Wish: it is empty. Of a gain: not known, it comes from the bag."""

COLOUR_NAMES = ("pink", "green", "purple", "yellow", "blue", "red", "orange", "white")

PATH = tuple(BOARDS[0])

MIXED_CARDS, PAIR_CARDS = 20, 10
"""How the Wish cards split in the assumed box: about so many mixed ones and pairs, and trios for the rest."""

DESIGNS_TEXT = "Designs in each colour: with 1 a token is its colour, with 2 the same Present also has the same design."
COPIES_TEXT = "Tokens of each colour and design; unless set, as many as make 50 tokens or just fewer."
TRIOS_TEXT = "Cards that ask for three Presents of one colour; unless set, what the others leave of 36 cards."
GOAL_TEXT = "Wishes the players score before the game ends (slots around the Town Center)."
PAIR_TEXT = "Whether a pair Wish names its Present, or is paid by any two equal ones."
EXHAUSTED_TEXT = "With the draw pile empty, play goes on with the Wishes face up, or the scored ones are shuffled into a new pile."
PATH_TEXT = "The spaces clockwise; the Grinch starts on the first Max space."
FACES_TEXT = "Equally likely faces: spaces to move, or feet."
MIN_PLAYERS_TEXT = "Fewest players who may exchange gifts."
ON_MAX_TEXT = "Whether a gift may be exchanged in place of the draw after the Grinch landed on Max."

COLOURS_WHY = assumed("pink, green, purple and yellow are named; a fifth makes 50 tokens even")
DESIGNS_WHY = assumed("the rulebook says both 'the same Present' and 'the same color' and shows no token")
COPIES_WHY = derived("50 tokens (Components) divided by colours and designs")
MIXED_WHY = assumed("about 20 of the 36 cards (Components); it follows the colours unless set")
PAIRS_WHY = assumed("about 10 of the 36 cards (Components); it follows the colours and designs unless set")
TRIOS_WHY = derived("36 cards (Components) less the mixed ones and the pairs")
PAIR_WHY = assumed("the rulebook says 'two of the same Present' and shows no card")
EXHAUSTED_WHY = assumed("the rulebook does not say")
PATH_WHY = assumed("the board is not shown: 24 spaces, one Max, six houses, A, B and C twice each, six feet, five presents")
FACES_WHY = assumed("the spinner is not shown; numbers and feet are named")
TIE_SOURCE = rulebook("Object; End of the Game")
ON_MAX_WHY = assumed("an exchange is instead of taking, and the note on Max speaks of taking")


def _stars(default: int, what: str) -> Any:
    return constant(default, ge=0, le=100, unit="stars", description=f"Stars of a Wish for {what}.", source=rulebook("Scoring a Wish"))


class Presents(RuleGroup):
    """The tokens in the bag."""

    colours: int = constant(
        5, ge=3, le=MAX_COLOURS, unit="colours", plausible=(4, 6), description="Colours of Present tokens.", source=COLOURS_WHY
    )
    designs: Literal[1, 2] = constant(1, unit="designs", plausible=(1, 2), description=DESIGNS_TEXT, source=DESIGNS_WHY)
    copies: int = constant(10, ge=1, le=MAX_TOKENS_OF_A_DESIGN, unit="tokens", description=COPIES_TEXT, source=COPIES_WHY)

    @model_validator(mode="before")
    @classmethod
    def _derive_copies(cls, data: Any) -> Any:
        """Split the 50 tokens evenly when only the number of colours or designs is given."""
        if isinstance(data, dict) and "copies" not in data:
            colours, designs = data.get("colours", 5), data.get("designs", 1)
            if isinstance(colours, int) and isinstance(designs, int) and colours > 0 and designs > 0:
                return {**data, "copies": max(1, TOKENS // (colours * designs))}
        return data

    @property
    def total(self) -> int:
        """Tokens in all."""
        return self.colours * self.designs * self.copies


class Wishes(RuleGroup):
    """The Wish cards."""

    mixed_copies: int = constant(
        2, ge=0, le=MAX_PILE, unit="cards", plausible=(1, 3), description="Copies of each set of three different colours.", source=MIXED_WHY
    )
    pair_copies: int = constant(
        2, ge=0, le=MAX_PILE, unit="cards", plausible=(1, 3), description="Copies of each pair of the same Present.", source=PAIRS_WHY
    )
    trio_cards: int = constant(6, ge=0, le=MAX_PILE, unit="cards", description=TRIOS_TEXT, source=TRIOS_WHY)
    face_up: int = constant(
        4, ge=1, le=MAX_FACE_UP, unit="cards", description="Wishes that lie face up.", source=rulebook("Set Up, step 2")
    )
    goal: int = constant(8, ge=1, le=MAX_PILE, unit="Wishes", description=GOAL_TEXT, source=rulebook("End of the Game"))
    pair: Literal["pictured", "any"] = constant(
        "pictured", unit="choice", plausible=("pictured", "any"), description=PAIR_TEXT, source=PAIR_WHY
    )
    when_exhausted: Literal["continue", "reshuffle"] = constant(
        "continue", unit="choice", plausible=("continue", "reshuffle"), description=EXHAUSTED_TEXT, source=EXHAUSTED_WHY
    )


class Stars(RuleGroup):
    """What a Wish is worth."""

    mixed: int = _stars(4, "three different colours")
    pair: int = _stars(3, "two of the same Present")
    trio: int = _stars(5, "three of one colour")


class Board(RuleGroup):
    """The path around Who-ville."""

    path: tuple[Space, ...] = constant(
        PATH, min_length=1, max_length=MAX_PATH, unit="list of spaces", plausible=BOARDS, description=PATH_TEXT, source=PATH_WHY
    )


class Spinner(RuleGroup):
    """The spinner."""

    faces: tuple[Face, ...] = constant(
        SPINNERS[0], min_length=1, max_length=MAX_FACES, unit="list of faces", plausible=SPINNERS, description=FACES_TEXT, source=FACES_WHY
    )


class Exchange(RuleGroup):
    """Gift Exchange."""

    min_players: int = constant(
        5, ge=2, le=HOUSES + 1, unit="players", left_out=HOUSES + 1, description=MIN_PLAYERS_TEXT, source=rulebook("Gift Exchange")
    )
    on_max: bool = constant(default=True, unit="yes or no", plausible=(False, True), description=ON_MAX_TEXT, source=ON_MAX_WHY)


def _wish_copies(tokens: Presents, given: Mapping[str, Any]) -> dict[str, int]:
    """Copies of each kind of Wish that make 36 cards or come nearest, at least one of each mixed Wish and pair."""
    sets, pairs = comb(tokens.colours, 3), tokens.colours * tokens.designs
    fitting = min(round(MIXED_CARDS / sets), (WISH_CARDS - given.get("pair_copies", 0) * pairs) // sets)
    mixed = given.get("mixed_copies", max(1, fitting))
    pair = given.get("pair_copies", max(1, min(round(PAIR_CARDS / pairs), (WISH_CARDS - mixed * sets) // pairs)))
    return {"mixed_copies": mixed, "pair_copies": pair, "trio_cards": max(0, WISH_CARDS - mixed * sets - pair * pairs)}


class GrinchmasRules(GameRules):
    """All constants of Merry Grinchmas."""

    presents: Presents = Presents()
    wishes: Wishes = Wishes()
    stars: Stars = Stars()
    board: Board = Board()
    spinner: Spinner = Spinner()
    exchange: Exchange = Exchange()
    win_on_tie: bool = constant(
        default=True, unit="yes or no", description="Whether equal stars are a win for the players.", source=TIE_SOURCE
    )

    @model_validator(mode="before")
    @classmethod
    def _derive_wishes(cls, data: Any) -> Any:
        """Keep the 36 Wish cards: what some kinds of them do not take is left to the kinds that are not set."""
        given = data.get("wishes", {}) if isinstance(data, dict) else None
        if not isinstance(given, dict):
            return data
        try:
            tokens, _ = Presents.model_validate(data.get("presents", {})), Wishes.model_validate(given)
        except ValidationError:
            return data  # refused below, with the key
        return {**data, "wishes": {**_wish_copies(tokens, given), **given}}

    def acting(self, players: int) -> GrinchmasRules:
        """A Gift Exchange acts where there are enough players for it, and how many more than enough is all the same (G15)."""
        open_ = players >= self.exchange.min_players
        exchange = self.exchange.model_copy(update={"min_players": 2} if open_ else {"min_players": HOUSES + 1, "on_max": True})
        return self.model_copy(update={"exchange": exchange})

    @model_validator(mode="after")
    def _playable(self) -> GrinchmasRules:
        of_a_design = self.presents.colours * self.presents.copies
        if of_a_design > MAX_TOKENS_OF_A_DESIGN:
            reason = (
                f"cannot be {self.presents.copies}: {self.presents.colours} colours make {of_a_design} tokens of a design, "
                f"and the bag holds at most {MAX_TOKENS_OF_A_DESIGN}; use at most {MAX_TOKENS_OF_A_DESIGN // self.presents.colours}"
            )
            raise ImpossibleError("presents.copies", reason)
        if "max" not in self.board.path:
            raise ImpossibleError("board.path", "has no 'max' space, where the Grinch starts; add one")
        if "feet" in self.spinner.faces and "feet" not in self.board.path:
            raise ImpossibleError(
                "board.path", "has no 'feet' space, but spinner.faces has 'feet'; add a feet space or take that face away"
            )
        if not self.pile():
            raise ImpossibleError("wishes.trio_cards", "cannot be 0 when there is no other Wish either; add Wish cards of some kind")
        if len(self.pile()) > MAX_PILE:
            raise self._too_many_wishes()
        return self

    def _too_many_wishes(self) -> ImpossibleError:
        """Name the constant that adds most cards, and how far it would have to come down."""
        kinds = ("wishes.mixed_copies", "wishes.pair_copies", "wishes.trio_cards")
        copies = (self.wishes.mixed_copies, self.wishes.pair_copies, self.wishes.trio_cards)
        cards = [sum(n for kind, _, n in self.wish_types() if kind == wanted) for wanted in (MIXED, PAIR, TRIO)]
        worst = cards.index(max(cards))
        others = sum(cards) - cards[worst]
        most = max(0, MAX_PILE - others) * copies[worst] // cards[worst]
        reason = (
            f"cannot be {copies[worst]}: there would be {sum(cards)} Wish cards, and at most {MAX_PILE} can be dealt; use at most {most}"
        )
        return ImpossibleError(kinds[worst], reason)

    def notes(self) -> list[str]:
        """Allowed, but not the game in the box."""
        found = []
        if self.presents.total != TOKENS:
            found.append(f"The bag holds {self.presents.total} Present tokens; the box has {TOKENS}.")
        cards = len(self.pile())
        if cards != WISH_CARDS:
            found.append(f"There are {cards} Wish cards; the box has {WISH_CARDS}.")
        if self.wishes.goal > cards and self.wishes.when_exhausted == "continue":
            found.append(f"The players need {self.wishes.goal} Wishes, but there are only {cards}; games end when the Wishes run out.")
        return found

    def wish_types(self) -> list[tuple[int, tuple[int, ...], int]]:
        """Every different Wish as (kind, tokens it names as colour + 8 * design, copies); a trio names none, nor does a free pair."""
        colours, designs = self.presents.colours, self.presents.designs
        kinds = [colour + MAX_COLOURS * design for design in range(designs) for colour in range(colours)]
        types: list[tuple[int, tuple[int, ...], int]] = [(MIXED, c, self.wishes.mixed_copies) for c in combinations(range(colours), 3)]
        if self.wishes.pair == "any":
            types.append((PAIR, (), self.wishes.pair_copies * len(kinds)))
        else:
            types += [(PAIR, (kind, kind), self.wishes.pair_copies) for kind in kinds]
        return [*types, (TRIO, (), self.wishes.trio_cards)]

    def pile(self) -> list[int]:
        """The Wish cards before shuffling, each as its index in `wish_types`."""
        return [index for index, (_, _, copies) in enumerate(self.wish_types()) for _ in range(copies)]


def derive(rules: GrinchmasRules) -> dict[str, Any]:
    """What compiled code reads of lists: path, spinner, bag, pile and the different Wishes, after which comes one that is none."""
    path, faces, types, pile = rules.board.path, rules.spinner.faces, rules.wish_types(), rules.pile()
    of_a_design = sum(rules.presents.copies << (8 * colour) for colour in range(rules.presents.colours))
    stars = (rules.stars.mixed, rules.stars.pair, rules.stars.trio)
    designs = [tokens[0] // MAX_COLOURS if kind == PAIR and tokens else NOTHING for kind, tokens, _ in types]
    needs = [sum(1 << (8 * (token % MAX_COLOURS)) for token in tokens) for _, tokens, _ in types]
    return {
        "path": _filled(MAX_PATH, [SPACE_CODES[space] for space in path]),
        "next_feet": _filled(MAX_PATH, next_ahead(path, "feet")),  # strictly ahead (G4)
        "path_length": len(path),
        "start": path.index("max"),
        "faces": _filled(MAX_FACES, [FEET_FACE if face == "feet" else face for face in faces]),
        "n_faces": len(faces),
        "kinds": MAX_COLOURS * (rules.presents.designs - 1) + rules.presents.colours,  # one more than the highest kind there is
        "bag": np.array([of_a_design, of_a_design * (rules.presents.designs - 1)], np.uint64),
        "pile": _filled(MAX_PILE, pile),
        "pile_size": len(pile),
        "wish_kind": _filled(MAX_WISH_TYPES, [kind for kind, _, _ in types]),
        "wish_design": _filled(MAX_WISH_TYPES, designs),  # of a pictured pair
        "wish_stars": _filled(MAX_WISH_TYPES, [stars[kind] for kind, _, _ in types], last=0),
        "wish_need": _filled(MAX_WISH_TYPES, needs, last=0).astype(np.uint64),  # Presents by colour; none where any will do
    }


def _filled(size: int, values: list[int], last: int = NOTHING) -> np.ndarray[Any, Any]:
    """So many numbers: first these, at the very end what stands for nothing."""
    return np.array([*values, *[last] * (size - len(values))], np.int64)
