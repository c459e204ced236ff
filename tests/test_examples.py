"""The games in `examples/`: each is one, in a file as short as the documents promise, and plays as it is known to."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import simulator as ludometer
from simulator.registry.neighbours import StrangerWarning

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LINES = {"blackjack": 60, "liars_dice": 150, "rising_tide": 150}


@pytest.fixture(autouse=True)
def _named_for_the_first_time() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StrangerWarning)
        yield


@pytest.mark.parametrize("name", LINES)
def test_an_example_is_a_game_without_a_complaint(name: str) -> None:
    file = EXAMPLES / f"{name}.py"
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LINES[name]
    found = ludometer.try_game(str(file))
    assert [complaint.sentence for complaint in found.complaints] == []
    assert found.notes == ()


def test_all_examples_are_tested() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.py")} == set(LINES)


@cache
def over(points: int, soft: int) -> float:
    """The chance that a dealer with these points, so many aces of them at 11, draws beyond 21; every rank is as likely as another."""
    if points >= 17:
        return float(points > 21)
    chance = 0.0
    for rank in range(1, 14):
        total, aces = points + (11 if rank == 1 else min(rank, 10)), soft + (rank == 1)
        if total > 21 and aces:
            total, aces = total - 10, aces - 1
        chance += over(total, aces) / 13
    return chance


def options_of(game: str, option: int, folder: Path) -> str:
    """A strategy that always takes one option, as it is named on the command line."""
    text = f'from strategies import strategy\n\n\n@strategy("{game}")\ndef fixed(view, u):\n    """Always."""\n    return {option}\n'
    (folder / "fixed.py").write_text(text, encoding="utf-8")
    return f"{folder / 'fixed.py'}:fixed"


def test_the_dealer_of_blackjack_is_over_as_often_as_is_known(tmp_path: Path) -> None:
    """Who stands on any two cards is never over, so that the dealer always plays."""
    stand = options_of("blackjack", 1, tmp_path)
    played = ludometer.run(str(EXAMPLES / "blackjack.py"), players=1, games=400_000, strategies=[stand])
    assert over(0, 0) == pytest.approx(0.282, abs=0.001)
    assert played.estimates["busts"].best == pytest.approx(over(0, 0), abs=0.003)


def test_a_bid_on_ones_is_too_high_as_often_as_two_dice_say(tmp_path: Path) -> None:
    """With a die each, the first bids a one and the second doubts it."""
    doubt = options_of("liars_dice", 0, tmp_path)
    played = ludometer.run(str(EXAMPLES / "liars_dice.py"), players=2, games=100_000, strategies=[doubt], rules={"dice": 1})
    assert played.estimates["caught"].best == pytest.approx(25 / 36, abs=0.006)
    assert played.estimates["wins.1"].best == pytest.approx(25 / 36, abs=0.006)


def test_the_tide_is_harder_the_more_there_are() -> None:
    won = [ludometer.run(str(EXAMPLES / "rising_tide.py"), players=n, games=20_000).estimates["players_win"].best for n in (2, 3, 4)]
    assert 0.99 > won[0] > won[1] > won[2] > 0.3
