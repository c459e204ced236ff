"""The race and the knock-out, without anything being played: what is asked for, who is left, and when it ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from simulator.errors import RulesError
from simulator.studies.race import Miss, Race, knock_out, rounds_of_halving

WORTH = {"a": 0.9, "b": 0.6, "c": 0.5, "d": 0.0}
"""By how much each arm misses, in truth."""


@dataclass(frozen=True)
class Played:
    """A tally that holds nothing but its number of playouts."""

    games: int

    def __add__(self, other: Played) -> Played:
        return Played(self.games + other.games)


def judged(arm: str, tallies: Mapping[int, Any]) -> Miss:
    """The truth, within what so many playouts leave open."""
    reach = max(4 / math.sqrt(t.games) for t in tallies.values())
    return Miss(max(WORTH[arm] - reach, 0.0), WORTH[arm], WORTH[arm] + reach)


class Heat(NamedTuple):
    """What a race asked for."""

    arm: str
    players: int
    games: int
    number: int


def race(asked: list[Heat] | None = None, refused: str = "", **more: Any) -> Race[str]:
    """A race in which all is played but who is refused; what it asks for is put down in `asked`."""
    heats = [] if asked is None else asked

    def play(arm: str, players: int, games: int, number: int) -> Any:
        heats.append(Heat(arm, players, games, number))
        if arm in refused:
            raise RulesError(refused)
        return Played(games)  # all that a race knows of a tally is its games

    chosen: dict[str, Any] = {"players": [2, 4], "totals": [100, 1000, 10_000], "kept": [], "judge": judged, "size": ord, "kind": str}
    return Race(**chosen | {"play": play} | more)


def test_nobody_leaves_who_may_be_the_best_and_in_the_end_only_the_best_is_left() -> None:
    at = race(totals=[60, 1000, 10_000])
    left, sizes = list("abcd"), []
    for number in range(3):
        left = at.round(left, number, whole=False)
        sizes.append("".join(sorted(left)))
    assert sizes == ["abcd", "d", "d"], "after 60 playouts any may be the best, after 1000 only one"
    assert at.finished("d")
    assert not at.finished("a")


def test_who_is_seen_to_be_out_plays_no_further_unless_all_are_to() -> None:
    for whole, players in ((False, [2]), (True, [2, 4])):
        asked: list[Heat] = []
        left = race(asked, totals=[10_000]).round("da", 0, whole=whole)
        assert [h.players for h in asked if h.arm == "a"] == players
        assert left == ["d"]


def test_later_rounds_ask_for_no_more_than_is_missing_and_begin_with_those_that_look_best() -> None:
    asked: list[Heat] = []
    at = race(asked, totals=[100, 150])
    at.round("abcd", 0, whole=True)
    asked.clear()
    at.round("abcd", 1, whole=False)
    assert asked[:2] == [("d", 2, 50, 1), ("d", 4, 50, 1)]
    assert [h.arm for h in asked][::2] == ["d", "c", "b", "a"]
    assert at.most_playouts(0) == 2 * 100
    assert at.most_playouts(1) == 2 * 50


def test_who_left_in_the_midst_of_a_round_goes_on_from_there() -> None:
    asked: list[Heat] = []
    at = race(asked, totals=[100])
    assert not at.run("a", 0, ceiling=0.1)
    assert at.run("a", 0)
    assert [(h.players, h.games) for h in asked] == [(2, 100), (4, 100)]
    assert at.finished("a")


def test_who_cannot_be_played_is_out_with_a_reason() -> None:
    asked: list[Heat] = []
    at = race(asked, refused="b", totals=[60])
    left = at.round("abd", 0, whole=True)
    assert [h.arm for h in asked] == list("aabdd")
    assert sorted(left) == ["a", "d"]
    assert at.impossible == {"b": "b"}
    assert "b" not in at.tallies


@pytest.mark.parametrize(("kind", "entering"), [(str, "bc"), (lambda arm: arm in "bc", "bd")])
def test_of_those_that_may_miss_nothing_the_smallest_of_each_kind_enter_the_next_round(kind: Callable[[str], Any], entering: str) -> None:
    at = race(totals=[60, 600], kept=[2], kind=kind, judge=lambda arm, tallies: Miss(float(arm == "a"), judged(arm, tallies).best, 9.0))
    left = at.round("dcba", 0, whole=True)
    assert "".join(left) == entering


def test_whoever_stands_for_others_is_the_best_of_its_kind() -> None:
    at = race(totals=[100], kind=lambda arm: arm in "ab")
    at.round("abcd", 0, whole=True)
    assert at.closest() == ["d", "b"]
    assert at.picked("abcd") == ["d"]
    assert at.open() == ["d"]


# ---------------------------------------------------------------- a knock-out
def knocked_out(arms: str, gains: Callable[[list[str]], list[float]]) -> tuple[list[tuple[list[str], int]], tuple[str, float]]:
    """Every round, and the winner."""
    rounds: list[tuple[list[str], int]] = []

    def means(left: list[str], games: int) -> list[float]:
        rounds.append((left, games))
        return gains(left)

    return rounds, knock_out(arms, 10, means)


def test_the_better_half_goes_on_with_twice_as_many_playouts() -> None:
    gained = {"a": 0.0, "b": 1.0, "c": 4.0, "d": 3.0, "e": 2.0}
    rounds, winner = knocked_out("abcde", lambda left: [gained[arm] for arm in left])
    assert rounds == [(["a", "b", "c", "d", "e"], 10), (["c", "d", "e"], 20), (["c", "d"], 40)]
    assert [(len(left), games) for left, games in rounds] == list(rounds_of_halving(5, 10))
    assert winner == ("c", 4.0)


def test_all_playouts_so_far_count() -> None:
    later = {"b": 0.0, "c": 1.0}  # b, that was ahead by 30, falls behind by 20
    _, winner = knocked_out("abc", lambda left: [later[arm] for arm in left] if len(left) == 2 else [0.0, 9.0, 6.0])
    assert winner == ("b", (90.0 + 0.0) / 30)
