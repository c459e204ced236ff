"""What the rulebook of Merry Grinchmas leaves open, and how it is settled; the constants' own gaps are in `rules`."""

from __future__ import annotations

from simulator.game import Ruling

RULINGS = (
    Ruling(
        "G1",
        'A token is its colour. Or it has one of two designs as well: "the same Present" then means colour and design, '
        '"the same color" the colour alone.',
        "presents.designs",
    ),
    Ruling("G2", "A pair Wish shows which Present it wants twice. Or any two equal Presents pay it.", "wishes.pair"),
    Ruling(
        "G3",
        "Mixed Wishes differ, as the rulebook's two examples show (pink, green and purple; yellow, green and purple): "
        "there is one for every set of three different colours. Three of any one colour pay a trio.",
    ),
    Ruling(
        "G4",
        "The feet take the Grinch to the next feet space ahead, never to the one he stands on unless it is the only one; "
        "he steals nothing there.",
    ),
    Ruling("G5", "Only the space he stops on counts, not those he passes. Standing on Max when the game begins is no landing."),
    Ruling("G6", "Presents paid for a Wish are in the bag at once and can be drawn in the same turn."),
    Ruling("G7", "Nothing is refilled before the end of the turn; then A, B and C, then the houses nobody chose, then the Wishes."),
    Ruling("G8", "An empty bag gives nothing and cannot be chosen; what it could not fill stays empty until the end of a later turn."),
    Ruling("G9", "After Max the player has to draw from the bag, and gets nothing if it is empty."),
    Ruling(
        "G10",
        "When the pile of Wishes has run out, play goes on with those face up; when none is left the turn is finished, the game "
        "ends and stars are compared. Or the scored Wishes of both sides are shuffled into a new pile.",
        "wishes.when_exhausted",
    ),
    Ruling(
        "G11",
        "The Grinch never declines. He takes the Wish with the most stars; the player whose turn it is decides between equals, "
        "and with which Presents he pays where there is a choice.",
    ),
    Ruling("G12", "On a player's house its owner decides what goes, whoever's turn it is; an empty house gives nothing."),
    Ruling("G13", "Presents on houses nobody chose are for the Grinch alone."),
    Ruling(
        "G14",
        "A gift may be exchanged after Max too, in place of the draw; or it may not. Both need a Present, of different kinds, "
        "and the partner may refuse.",
        "exchange.on_max",
    ),
    Ruling(
        "G15", "With fewer players than the rulebook names for it nobody exchanges. Or more or fewer of them may.", "exchange.min_players"
    ),
    Ruling("G16", "The game ends the moment the last slot is filled; nothing is refilled after it."),
    Ruling("G17", "The Grinch's scoring pile lies face down, but everybody saw what he scored, so his stars are known."),
    Ruling("G18", "Equal stars are a win, as the rulebook has it; or they are not.", "win_on_tie"),
    Ruling("G19", "A refused exchange costs nothing: you take a Present as usual, but may not ask again this turn."),
    Ruling("G20", "A game can stall so that nobody ever scores; after the turn cap it counts as unfinished, and as nobody's win."),
    Ruling(
        "G21",
        "Who finds nothing to take, the bag and the spots being empty, may ask for an exchange and need not: then the turn brings "
        "nothing, and counts as one draw that an empty bag did not give.",
    ),
    Ruling("G22", "The first seat has house 1, the next one house 2, and so on, where the rulebook lets everybody choose a house."),
)
