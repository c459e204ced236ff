"""What the strategies for Christmas Vacation do at the table, and in which order they stand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from simulator import registry
from simulator.games.vacation import GAME
from simulator.games.vacation.rules import VacationRules, pack
from simulator.games.vacation.view import Decision, Kind, NextBonus, RollAgain, largest_number, longest_run
from simulator.play.table import Table
from simulator.rules import build_rules

NAMES = ("racer", "reckless", "runner", "cautious", "one_roll", "uniform")
PLAYOUTS = 20_000
SEED = 5
RULES = VacationRules()


# ---------------------------------------------------------------- the order, over whole games
@cache
def _wins(first: str, second: str) -> tuple[int, int]:
    """How many of PLAYOUTS playouts, half of them from each side of the table, each of two strategies wins."""
    wins = [0, 0]
    for swapped, names in enumerate(((first, second), (second, first))):
        table = Table(GAME, RULES, tuple(registry.player(GAME, name) for name in names))
        rows = np.zeros((PLAYOUTS // 2, len(table.metrics)), np.int32)
        done, fault = table.play(SEED, 0, rows, np.zeros(3, np.int64))
        assert done == len(rows), fault
        wins[0] += int(rows[:, swapped].sum())
        wins[1] += int(rows[:, 1 - swapped].sum())
    return wins[0], wins[1]


@pytest.mark.parametrize("other", [name for name in NAMES if name != "racer"])
def test_default_beats_every_other_head_to_head(other: str) -> None:
    assert GAME.default_strategy == "racer"
    mine, theirs = (binomtest(wins, PLAYOUTS).proportion_ci(method="wilson") for wins in _wins("racer", other))
    assert mine.low > theirs.high


@pytest.mark.parametrize(
    ("better", "worse"), [("reckless", "cautious"), ("cautious", "uniform"), ("runner", "uniform"), ("one_roll", "uniform")]
)
def test_order_of_strength(better: str, worse: str) -> None:
    ours, theirs = (binomtest(wins, PLAYOUTS).proportion_ci(method="wilson") for wins in _wins(better, worse))
    assert ours.low > theirs.high


def test_every_strategy_is_declared() -> None:
    assert set(registry.strategies("vacation")) >= set(NAMES)


# ---------------------------------------------------------------- single decisions, on views made by hand
def _word(*numbers: int) -> Any:
    return np.uint64(sum(1 << (8 * (number - 1)) for number in numbers))


def _packed(dice: int, **rules: Any) -> Any:
    """The rules in the box with so many dice."""
    return pack(build_rules(VacationRules, {"dice.count": max(dice, 1), **rules}))[0]


def _view(decision: int, up: tuple[int, ...] = (), pile: tuple[int, ...] = (), wilds: int = 0, **fields: Any) -> Any:
    """A view of seat 0 in a game of two under the rules in the box."""
    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    eddies = fields.get("eddies", 0)
    packed, board = _packed(fields.get("dice", 6) + eddies), (1 << eddies) - 1
    view.decision, view.n_options, view.seats = decision, 2, 2
    view.numbers, view.run_min, view.bust_at = packed["deck"]["numbers"], packed["run"]["min_length"], packed["dice"]["bust_at"]
    view.eddie_faces, _, view.wreath_faces, view.bonus_faces = packed["faces_left"][board]
    view.faces, view.bust = 6 * max(int(packed["dice"]["count"]) - eddies, 1), packed["bust_chance"][board]
    view.dice = packed["dice"]["count"]
    view.up, view.up_wilds, view.n_up = _word(*up), wilds, len(up) + wilds
    view.pile, view.n_pile = _word(*pile), len(pile)
    view.left[:2] = len(up) + wilds + len(pile), 25
    for name, value in fields.items():
        view[name] = value
    return view


def _offer(view: Any, *sets: tuple[tuple[int, ...], int]) -> Any:
    """Write the sets (numbers, Wilds) into the view as its options."""
    view.n_options = len(sets)
    for i, (numbers, wilds) in enumerate(sets):
        view.cards[i], view.wilds[i], view.discards[i] = _word(*numbers), wilds, len(numbers) + wilds
        kind = Kind.WILD if not numbers else Kind.RUN if len(set(numbers)) > 1 else Kind.NUMBER
        view.kind[i] = kind if view.discards[i] else Kind.NONE
    return view


def _choice(text: str, view: Any) -> int:
    """The option that the plain Python function takes."""
    player = registry.player(GAME, text)
    parameters = () if player.record is None else (player.record.view(np.recarray)[0],)
    return int(player.strategy.function(view, 0.5, *parameters))


def test_one_roll_stops() -> None:
    assert _choice("one_roll", _view(Decision.ROLL_AGAIN, pile=(1, 2))) == RollAgain.STOP


@pytest.mark.parametrize(
    ("text", "up", "eddies", "action"),
    [
        ("cautious", (1, 2, 3, 4, 5), 1, RollAgain.ROLL),
        ("cautious", (1, 2, 3, 4, 5, 6), 0, RollAgain.STOP),
        ("cautious", (1,), 2, RollAgain.STOP),
        ("cautious:stop_at=2", (1, 2), 0, RollAgain.STOP),
        ("cautious:eddies=1", (1,), 1, RollAgain.STOP),
        ("cautious:eddies=3", (1,), 2, RollAgain.ROLL),
    ],
)
def test_cautious_stops_at_cards_or_eddies(text: str, up: tuple[int, ...], eddies: int, action: int) -> None:
    assert _choice(text, _view(Decision.ROLL_AGAIN, up=up, pile=(6,), eddies=eddies)) == action


def test_reckless_rolls_until_it_holds_the_whole_deck() -> None:
    assert _choice("reckless", _view(Decision.ROLL_AGAIN, up=(1, 2), pile=(6,), eddies=2)) == RollAgain.ROLL
    assert _choice("reckless", _view(Decision.ROLL_AGAIN, up=(1, 2))) == RollAgain.STOP


def test_runner_rolls_until_it_has_a_long_run() -> None:
    assert _choice("runner:long=5,eddies=2", _view(Decision.ROLL_AGAIN, up=(1, 2, 3, 4), pile=(6,))) == RollAgain.ROLL
    assert _choice("runner:long=5,eddies=2", _view(Decision.ROLL_AGAIN, up=(1, 2, 3, 4), wilds=1, pile=(6,))) == RollAgain.STOP
    assert _choice("runner:long=5,eddies=2", _view(Decision.ROLL_AGAIN, up=(1,), pile=(6,), eddies=2)) == RollAgain.STOP


def test_runner_spends_the_wild_on_long_runs_only() -> None:
    sets: tuple[tuple[tuple[int, ...], int], ...] = (((4, 4), 0), ((4, 4), 1), ((), 1), ((2, 3), 1), ((), 0))
    assert _choice("runner:long=5,eddies=2", _offer(_view(Decision.DISCARD, up=(2, 3, 4, 4), wilds=1, pile=(1,)), *sets)) == 0
    long = (*sets[:3], ((1, 2, 3, 4), 1), ((), 0))
    assert _choice("runner:long=5,eddies=2", _offer(_view(Decision.DISCARD, up=(1, 2, 3, 4, 4), wilds=1, pile=(1,)), *long)) == 3


def test_runner_prefers_a_run_to_a_number_of_the_same_size() -> None:
    assert (
        _choice(
            "runner:long=5,eddies=2",
            _offer(_view(Decision.DISCARD, up=(1, 1, 1, 2, 3), pile=(1,)), ((1, 1, 1), 0), ((1, 2, 3), 0), ((), 0)),
        )
        == 1
    )


def test_racer_stops_when_the_stop_wins() -> None:
    assert _choice("racer", _view(Decision.ROLL_AGAIN, up=(3, 3))) == RollAgain.STOP
    assert _choice("racer", _view(Decision.ROLL_AGAIN, up=(1, 2, 3), wilds=1, eddies=2, dice=4)) == RollAgain.STOP


def test_racer_rolls_while_the_risk_is_small() -> None:
    assert _choice("racer", _view(Decision.ROLL_AGAIN, up=(1, 2, 3, 4, 5, 6), pile=(1,) * 9)) == RollAgain.ROLL


def test_racer_keeps_a_good_set_when_a_bust_is_likely() -> None:
    view = _view(Decision.ROLL_AGAIN, up=(1, 2, 3, 4, 5, 6), wilds=1, pile=(1,) * 9, eddies=2, dice=4)
    view.left[1] = 25
    assert _choice("racer:bonus=3", view) == RollAgain.STOP


def test_racer_takes_more_risk_when_another_is_about_to_finish() -> None:
    view = _view(Decision.ROLL_AGAIN, up=(1, 2, 3, 4, 5, 6), wilds=1, pile=(1,) * 9, eddies=2, dice=4)
    view.left[1] = 1
    assert _choice("racer:bonus=3", view) == RollAgain.ROLL


def test_racer_saves_the_wild_unless_it_ends_the_game() -> None:
    options: tuple[tuple[tuple[int, ...], int], ...] = (((5, 5), 0), ((5, 5), 1), ((), 1), ((), 0))
    assert _choice("racer", _offer(_view(Decision.DISCARD, up=(5, 5), wilds=1, pile=(1,)), *options)) == 0
    assert _choice("racer", _offer(_view(Decision.DISCARD, up=(5, 5), wilds=1), *options)) == 1


def test_racer_gives_the_wreath_a_card_that_no_set_needs() -> None:
    options: tuple[tuple[tuple[int, ...], int], ...] = (((1,), 0), ((2,), 0), ((3,), 0), ((6,), 0), ((), 0))
    assert _choice("racer", _offer(_view(Decision.WREATH, up=(1, 2, 3, 6), pile=(4,)), *options)) == 3


@pytest.mark.parametrize("name", ["one_roll", "cautious", "reckless"])
def test_plain_strategies_discard_the_most_cards(name: str) -> None:
    view = _offer(_view(Decision.BONUS, up=(1, 1, 1, 2, 3, 4)), ((1, 1, 1), 0), ((1, 2, 3, 4), 0), ((), 0))
    assert _choice(name, view) == 1


@pytest.mark.parametrize("name", ["one_roll", "cautious", "runner", "racer", "reckless"])
def test_the_larger_bonus_comes_first(name: str) -> None:
    assert _choice(name, _view(Decision.NEXT_BONUS, up=(1, 2))) == NextBonus.BONUS


# ---------------------------------------------------------------- helpers for strategies
@pytest.mark.parametrize(
    ("dice", "eddies", "chance"),
    [
        (6, 0, 1 - (5**6 + 6 * 5**5 + 15 * 5**4) / 6**6),
        (5, 1, 1 - (5**5 + 5 * 5**4) / 6**5),
        (4, 2, 1 - (5 / 6) ** 4),
        (2, 0, 0.0),
        (0, 2, 0.0),
    ],
)
def test_bust_chance(dice: int, eddies: int, chance: float) -> None:
    assert _view(Decision.ROLL_AGAIN, dice=dice, eddies=eddies).bust == pytest.approx(chance, abs=1e-12)


def test_bust_chance_without_eddies() -> None:
    chances = _packed(6, **{"dice.faces": ("clark", "wreath")})["bust_chance"]
    assert chances[0b000000] == chances[0b100100] == 0.0


def test_bust_chance_of_dice_that_differ() -> None:
    """One die shows an Eddie by half, two by a third, one never; two of them bust."""
    dice = (("eddie", "clark") * 3, ("eddie", "clark", "clark") * 2, ("eddie", "bonus", "clark") * 2, ("clark",) * 6)
    packed = _packed(4, **{"dice.faces": dice, "dice.bust_at": 2})
    none, one = 1 / 2 * 2 / 3 * 2 / 3, 1 / 2 * 2 / 3 * 2 / 3 + 2 * (1 / 2 * 1 / 3 * 2 / 3)
    assert packed["bust_chance"][0b0000] == pytest.approx(1 - none - one)
    assert packed["bust_chance"][0b0001] == pytest.approx(1 - 2 / 3 * 2 / 3), "the first die is on the board"
    assert packed["bust_chance"][0b0010] == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert packed["faces_left"][0b0101].tolist() == [2, 10, 0, 0]


@pytest.mark.parametrize(
    ("up", "wilds", "longest"),
    [
        ((1, 2), 0, 0), ((1, 2), 1, 3), ((1, 2, 3), 0, 3), ((1, 3), 1, 3), ((1, 4), 1, 0), ((1, 2, 4, 5), 1, 5),
        ((1, 2, 3, 4, 5, 6), 1, 7), ((1, 2, 3, 4, 5, 6), 2, 7), ((), 2, 0),
    ],
)  # fmt: skip
def test_longest_run(up: tuple[int, ...], wilds: int, longest: int) -> None:
    view = _view(Decision.DISCARD)
    assert longest_run(view, _word(*up), wilds) == longest


def test_largest_number() -> None:
    assert largest_number(_word(1, 2, 2, 5)) == 2
    assert largest_number(_word()) == 0
