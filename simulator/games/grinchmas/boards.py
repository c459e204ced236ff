"""Boards and spinners of Merry Grinchmas that a publisher might print, the assumed ones first."""

from __future__ import annotations

from simulator.rules import Named


def _board(name: str, spaces: str) -> Named:
    """A board from its spaces clockwise."""
    return Named(name, spaces.split(", "))


BOARDS = (
    _board(
        "as shipped",
        "max, house 1, A, feet, present, house 2, B, feet, present, house 3, C, feet, present, house 4, A, feet, present, house "
        "5, B, feet, present, house 6, C, feet",
    ),
    _board(
        "20 spaces with two feet",
        "max, house 1, A, feet, present, house 2, B, present, house 3, C, present, house 4, A, feet, present, house 5, B, "
        "present, house 6, C",
    ),
    _board(
        "two feet and nine Presents",
        "max, house 1, A, feet, present, house 2, B, present, present, house 3, C, present, present, house 4, A, feet, present, "
        "house 5, B, present, present, house 6, C, present",
    ),
    _board(
        "21 spaces with three feet",
        "max, house 1, A, feet, present, house 2, B, present, house 3, C, feet, present, house 4, A, present, house 5, B, feet, "
        "present, house 6, C",
    ),
    _board(
        "four feet and seven Presents",
        "max, house 1, A, feet, present, house 2, B, present, present, house 3, C, feet, present, house 4, A, feet, present, "
        "house 5, B, present, present, house 6, C, feet",
    ),
    _board(
        "six feet and eight Presents",
        "max, present, house 1, A, feet, present, house 2, B, feet, present, house 3, present, C, feet, present, house 4, A, "
        "feet, present, house 5, B, feet, present, house 6, present, C, feet",
    ),
    _board(
        "houses side by side",
        "max, feet, house 1, A, house 2, B, house 3, C, feet, present, feet, present, present, feet, house 4, A, house 5, B, "
        "house 6, C, feet, present, feet, present",
    ),
    _board(
        "18 spaces with three feet",
        "max, house 1, A, house 2, feet, B, house 3, present, C, house 4, feet, A, house 5, present, B, house 6, feet, C",
    ),
    _board(
        "30 spaces with seven feet",
        "max, house 1, A, feet, present, house 2, B, feet, present, C, house 3, A, feet, present, B, house 4, C, feet, present, "
        "A, house 5, B, feet, present, C, house 6, present, feet, present, feet",
    ),
)

SPINNERS: tuple[tuple[int | str, ...], ...] = (
    (1, 2, 3, 4, 5, "feet"),
    (1, 2, 3, "feet"),
    (1, 2, 3, 4, "feet", "feet"),
    (1, 1, 2, 2, 3, "feet"),
    (1, 2, 3, 4, 5, 6, 7, 8, "feet"),
    (1, 2, 3, 4, 5, 6, "feet", "feet"),
)
