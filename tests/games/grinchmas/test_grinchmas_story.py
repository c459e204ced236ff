"""The story of Merry Grinchmas says what a reader needs to know who did not see the table."""

from __future__ import annotations

from typing import Any

import pytest
from grinchmas_positions import OVER, TableTop, hand

from simulator.games.grinchmas import story
from simulator.games.grinchmas.table import Event


def told_of(table: TableTop) -> list[str]:
    """All that happened since the last time, turns' beginnings left out."""
    return [line for line in story.STORY.sentences(table.rules, [e for e in table.stepper.events() if e[0] >= 0]) if line]


def end_of(stars: int, grinch: int, **rules: Any) -> str:
    """What is said last when seat 0 fills the last slot with a pair of 3 stars."""
    table = TableTop(2, spinner__faces=("feet",), **rules).lay(
        spots=("green",) * 3,
        houses={1: hand(pink=2)},
        bag=hand(blue=9),
        wishes=["pink pink"],
        wishes_scored=7,
        stars=stars - 3,
        grinch_stars=grinch,
    )
    assert table.play("A", "pink pink") == OVER
    return told_of(table)[-1]


@pytest.mark.parametrize(
    ("stars", "grinch", "rules", "told"),
    [
        (25, 24, {}, "The players win by 25 stars to 24."),
        (20, 27, {}, "The Grinch wins by 27 stars to 20."),
        (24, 24, {}, "Both sides have 24 stars, and with a tie the players win (G18)."),
        (24, 24, {"win_on_tie": False}, "Both sides have 24 stars, and with a tie the Grinch wins (G18)."),
    ],
)
def test_the_end_names_the_winner_and_why(stars: int, grinch: int, rules: dict[str, Any], told: str) -> None:
    assert end_of(stars, grinch, **rules) == f"The game is over, since the last slot is filled. {told}"


def test_the_end_says_that_no_wish_is_left() -> None:
    table = TableTop(2, spinner__faces=("feet",)).lay(houses={1: hand(pink=2)}, wishes=["pink pink"], bag=hand(blue=9), grinch_stars=1)
    assert table.play("pink pink") == OVER
    assert told_of(table)[-1] == "The game is over, since no Wish is left. The players win by 3 stars to 1."


def test_the_set_up_says_who_owns_which_house_and_where_the_grinch_starts() -> None:
    table = TableTop(3)
    table.stepper.deal(1)
    assert "Seat 0 owns house 1, seat 1 house 2 and seat 2 house 3; the Grinch starts on Max the dog." in told_of(table)


def test_one_star_and_one_card_are_told_in_the_singular() -> None:
    rules = TableTop(2, stars__pair=1).rules
    pair = next(index for index, (kind, _, _) in enumerate(rules.wish_types()) if kind == 1)
    assert story.wish(rules, pair).endswith("(1 star)")
    assert story.STORY.sentences(rules, [(Event.RESHUFFLED, 1, 0, 0)]) == ["The only scored Wish is shuffled into a new pile."]
