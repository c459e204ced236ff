"""What the rulebook of Christmas Vacation leaves open, and how it is settled; the constants' own gaps are in `rules`."""

from __future__ import annotations

from simulator.game import Ruling

RULINGS = (
    Ruling("N1", "Every roll uses all dice that are not on the board."),
    Ruling(
        "N2",
        "A bust ends the turn: this roll draws nothing and nothing more is discarded. What a bonus discarded before stays discarded.",
    ),
    Ruling("N3", "Eddies are set aside first, so bonuses on the busting roll are lost."),
    Ruling("N4", "At the end of every turn, bust or not, the face-up cards are shuffled back."),
    Ruling("N5", "Every bonus die counts by itself."),
    Ruling(
        "N6",
        "All cards of a roll are drawn first, then you use the bonuses in the order you like; or die by die, draw then bonus.",
        "bonus.order",
    ),
    Ruling("N7", "Using a bonus is optional."),
    Ruling("N8", "The final discard comes on top of the bonuses."),
    Ruling("N9", "You may stop and discard nothing."),
    Ruling("N10", "The Wild may join a number, may go as a set of its own, and may stand anywhere in a run."),
    Ruling(
        "N11",
        "A run is of consecutive numbers and does not wrap; the Wild may be one past the highest number, so the longest run is all "
        "numbers and the Wild.",
    ),
    Ruling("N12", "Discarding a number takes all face-up cards of it, the Wild only if you want."),
    Ruling("N13", "When the deck runs out the rest of the draws are skipped; you may roll on for bonuses."),
    Ruling("N14", "The game ends at once when a player has no card left, even in mid-turn; all draws of the roll are made first."),
    Ruling("N15", "Drawing is not optional."),
)
