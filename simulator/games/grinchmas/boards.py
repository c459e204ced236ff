"""Boards and spinners of Merry Grinchmas that a publisher might print, the assumed ones first."""

from __future__ import annotations

from simulator.rules import Named

_SPACES = {"M": "max", "f": "feet", "p": "present"} | {f"{n}": f"house {n}" for n in range(1, 7)}


def _board(name: str, spaces: str) -> Named:
    """A board from its spaces clockwise: M for Max, f for feet, p for a Present, a number for a house, A, B and C for the spots."""
    return Named(name, [_SPACES.get(space, space) for space in spaces.split()])


BOARDS = (
    _board("as shipped", "M 1 A f p 2 B f p 3 C f p 4 A f p 5 B f p 6 C f"),
    _board("20 spaces with two feet", "M 1 A f p 2 B p 3 C p 4 A f p 5 B p 6 C"),
    _board("two feet and nine Presents", "M 1 A f p 2 B p p 3 C p p 4 A f p 5 B p p 6 C p"),
    _board("21 spaces with three feet", "M 1 A f p 2 B p 3 C f p 4 A p 5 B f p 6 C"),
    _board("four feet and seven Presents", "M 1 A f p 2 B p p 3 C f p 4 A f p 5 B p p 6 C f"),
    _board("six feet and eight Presents", "M p 1 A f p 2 B f p 3 p C f p 4 A f p 5 B f p 6 p C f"),
    _board("houses side by side", "M f 1 A 2 B 3 C f p f p p f 4 A 5 B 6 C f p f p"),
    _board("18 spaces with three feet", "M 1 A 2 f B 3 p C 4 f A 5 p B 6 f C"),
    _board("30 spaces with seven feet", "M 1 A f p 2 B f p C 3 A f p B 4 C f p A 5 B f p C 6 p f p f"),
)

SPINNERS: tuple[tuple[int | str, ...], ...] = (
    (1, 2, 3, 4, 5, "feet"),
    (1, 2, 3, "feet"),
    (1, 2, 3, 4, "feet", "feet"),
    (1, 1, 2, 2, 3, "feet"),
    (1, 2, 3, 4, 5, 6, 7, 8, "feet"),
    (1, 2, 3, 4, 5, 6, "feet", "feet"),
)
