"""Playouts that a person can read and check against the rulebook; every change of behaviour or of wording shows here.

With the environment variable UPDATE_GOLDEN=1 the files are written anew instead of compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from golden_playouts import compare, text_of

FOLDER = Path(__file__).parent / "golden"

SMALL_PILE = {
    "wishes.when_exhausted": "reshuffle",
    "wishes.mixed_copies": 0,
    "wishes.pair_copies": 1,
    "wishes.trio_cards": 2,
    "wishes.goal": 5,
}
FEW_PRESENTS = {"presents.copies": 2, "presents.colours": 3, "turn_cap": 10}
PLAYOUTS: dict[str, tuple[int, dict[str, Any]]] = {
    "four_greedy": (17, {"players": 4, "strategies": ["greedy"]}),
    "five_in_a_team": (0, {"players": 5, "strategies": ["team"]}),
    "six_at_random": (1, {"players": 6, "strategies": ["uniform"], "rules": {"turn_cap": 20}}),
    "two_designs_any_pair": (1, {"players": 3, "strategies": ["greedy"], "rules": {"presents.designs": 2, "wishes.pair": "any"}}),
    "reshuffle": (4, {"players": 2, "strategies": ["greedy", "uniform"], "rules": SMALL_PILE}),
    "scarce": (0, {"players": 3, "strategies": ["uniform"], "rules": {"presents.copies": 2, "presents.colours": 3, "turn_cap": 12}}),
    "nothing_to_take": (8, {"players": 5, "strategies": ["uniform"], "rules": FEW_PRESENTS}),
}
"""File to playout number and experiment."""


def _text(name: str) -> str:
    playout, experiment = PLAYOUTS[name]
    return text_of("grinchmas", playout, **experiment)


@pytest.mark.parametrize("name", PLAYOUTS)
def test_playout_is_told_as_before(name: str) -> None:
    compare(FOLDER / f"{name}.txt", _text(name))


def test_every_golden_file_belongs_to_a_playout() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(PLAYOUTS)


@pytest.mark.parametrize(
    "words",
    [
        "agrees, and they swap",
        "refuses",
        "No Wish is scored",
        "which Wish the Grinch scores",
        "which Present the Grinch gets",
        "Max the dog",
        "the feet",
        "from the bag",
        "free house",
        "dotted",
        "two of the same",
        "shuffled into a new pile",
        "The bag is empty",
        "The game is over",
        "The turn cap ends",
        "ask for an exchange. [not: nothing]",
        "nothing. [not: ask for an exchange]",
    ],
)
def test_golden_files_show_every_kind_of_event(words: str) -> None:
    assert any(words in _text(name) for name in PLAYOUTS)
