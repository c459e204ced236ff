"""Which rule constants Christmas Vacation allows, notes and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator.errors import RulesError
from simulator.games.vacation import GAME
from simulator.games.vacation.rules import MAX_COPIES, MAX_NUMBERS, MAX_WILDS, VacationRules, pack
from simulator.games.vacation.table import MAX_ROLLS, NUMBERS
from simulator.play.run import run
from simulator.registry import strategies
from simulator.rules import build_rules, constants

PAGE = Path(__file__).resolve().parents[3] / "docs" / "vacation.md"


def _rules(**overrides: Any) -> VacationRules:
    built = build_rules(VacationRules, {key.replace("__", "."): value for key, value in overrides.items()})
    assert isinstance(built, VacationRules)
    return built


def test_box_has_no_notes() -> None:
    assert _rules().notes() == []


def test_deck_in_the_box_has_25_cards() -> None:
    assert _rules().deck.total == 25


def test_every_constant_says_where_it_comes_from() -> None:
    for constant in constants(_rules()):
        assert constant.note
        assert constant.description.endswith(".")
        assert constant.plausible or constant.source != "assumed"


@pytest.mark.parametrize("value", [pytest.param(c.plausible, id=c.key) for c in constants(VacationRules()) if c.source == "assumed"])
def test_plausible_values_can_be_played(value: tuple[Any, ...]) -> None:
    key = next(c.key for c in constants(_rules()) if c.plausible == value)
    for each in value:
        build_rules(VacationRules, {key: each})


@pytest.mark.parametrize(
    ("overrides", "key", "reason"),
    [
        ({"dice__faces": ("eddie", "eddie")}, "dice.faces", "no card could ever be drawn"),
        ({"deck__copies": 0, "deck__wilds": 0}, "deck.copies", "a deck of no cards"),
        ({"deck__numbers": 0, "deck__wilds": 0}, "deck.copies", "a deck of no cards"),
        ({"dice__faces": ()}, "dice.faces", "1 or more"),
        ({"dice__faces": ("clark", "moose")}, "dice.faces", "moose"),
        ({"dice__faces": (("clark", "eddie"),) * 5}, "dice.faces", "lists 5 dice, but dice.count is 6"),
        ({"dice__faces": (("clark", "eddie"),) * 6, "dice__count": 7}, "dice.faces", "list as many"),
        ({"dice__faces": (*(("clark", "eddie"),) * 5, ("clark",))}, "dice.faces", "to make them equal"),
        ({"dice__faces": (("eddie",),) * 6}, "dice.faces", "no card could ever be drawn"),
        ({"dice__faces": (*(("clark",),) * 5, ())}, "dice.faces", "entry 6"),
        ({"dice__faces": (*(("clark",),) * 5, ("moose",))}, "dice.faces", "entry 6"),
        ({"dice__faces": ("clark", ("eddie", "clark"))}, "dice.faces", "entry"),
        ({"dice__faces": (("clark",) * 13,) * 6}, "dice.faces", "12"),
        ({"dice__count": 0}, "dice.count", "at least 1"),
        ({"dice__count": 13}, "dice.count", "at most 12"),
        ({"deck__numbers": MAX_NUMBERS + 1}, "deck.numbers", "at most"),
        ({"deck__copies": -1}, "deck.copies", "at least 0"),
        ({"deck__wilds": MAX_WILDS + 1}, "deck.wilds", "at most"),
        ({"deck__copies": 3.5}, "deck.copies", "whole number"),
        ({"run__min_length": 0}, "run.min_length", "at least 1"),
        ({"bonus__order": "dealer"}, "bonus.order", "'player' or 'die'"),
        ({"dice__bust_at": 0}, "dice.bust_at", "at least 1"),
        ({"turn_cap": 0}, "turn_cap", "at least 1"),
        ({"deck__nubmers": 6}, "deck.nubmers", "did you mean 'deck.numbers'?"),
    ],
)
def test_impossible_rules_are_refused(overrides: dict[str, Any], key: str, reason: str) -> None:
    with pytest.raises(RulesError) as refused:
        _rules(**overrides)
    assert key in str(refused.value)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("overrides", "note"),
    [
        ({"dice__faces": ("clark", "wreath")}, "no turn can bust"),
        ({"dice__faces": (*(("clark",),) * 4, ("eddie",), ("eddie",))}, "only 2 of the dice have one"),
        ({"dice__bust_at": 7}, "only 6 dice; no turn can bust"),
        ({"deck__copies": 5}, "A deck has 31 cards"),
        ({"run__min_length": 8}, "there are no runs"),
        ({"run__min_length": 1, "deck__numbers": 0}, "there are no runs"),
    ],
)
def test_odd_rules_are_allowed_and_noted(overrides: dict[str, Any], note: str) -> None:
    assert any(note in found for found in _rules(**overrides).notes())


def test_runs_are_noted_as_impossible_only_where_they_are() -> None:
    assert _rules(run__min_length=7).notes() == []


def test_largest_deck_fits_into_a_word() -> None:
    assert _rules(deck__numbers=MAX_NUMBERS, deck__copies=MAX_COPIES, deck__wilds=MAX_WILDS).deck.total <= NUMBERS.limit


def test_without_eddies_every_strategy_finishes() -> None:
    for name in ("uniform", "one_roll", "cautious", "runner", "racer", "reckless"):
        result = run("vacation", players=2, games=200, strategies=[name], rules={"dice.faces": ("clark", "clark", "wreath")})
        assert result.unfinished == 0
        assert result.tally["busts"].moments()[0] == 0


@pytest.mark.parametrize(
    "overrides",
    [
        {
            "dice__count": 12,
            "dice__faces": ("clark", "wreath", "bonus", "eddie") * 3,
            "deck__numbers": 8,
            "deck__copies": 12,
            "deck__wilds": 4,
        },
        {"deck__numbers": 0},
        {"deck__numbers": 1, "deck__copies": 1, "deck__wilds": 0, "run__min_length": 1},
        {"dice__count": 1, "dice__bust_at": 1},
        {"dice__count": 2, "dice__bust_at": 13, "bonus__order": "die"},
        {"dice__faces": ("eddie", "eddie", "wreath"), "turn_cap": 20},
    ],
)
def test_extreme_rules_can_be_played(overrides: dict[str, Any]) -> None:
    for strategy in ("uniform", "racer", "runner"):
        rules = {key.replace("__", "."): value for key, value in overrides.items()}
        assert run("vacation", players=5, games=300, strategies=[strategy], rules=rules).games == 300


def test_packed_throws_show_the_faces_of_their_digits() -> None:
    packed = pack(_rules(dice__faces=("eddie", "bonus", "wreath", "clark")))[0]
    throw = 1 + 4 * 3 + 16 * 1  # bonus, clark, bonus
    assert [int(packed["throw"][n, throw]) for n in range(3)] == [1 << 24, (1 << 24) + (1 << 8), (2 << 24) + (1 << 8)]


@pytest.mark.parametrize("players", range(2, 6))
def test_metrics_are_well_formed(players: int) -> None:
    metrics = GAME.metrics(_rules(), players)
    names = [m.name for m in metrics]
    assert len(set(names)) == len(names)
    assert [m.name for m in metrics if m.outcome] == [*GAME.verdict(players), "unfinished"]
    assert GAME.closeness in names
    assert {"turns", "rounds", "busts", *(f"cards_left.{i}" for i in range(players))} <= set(names)
    for breakdown in GAME.breakdowns:
        for _, shown in breakdown.series:
            assert len(shown) == len(breakdown.bars)
            assert set(shown) <= set(names)


@pytest.mark.parametrize("strategy", ["uniform", "racer"])
def test_metrics_add_up(strategy: str) -> None:
    result = run("vacation", players=3, games=3000, strategies=[strategy])
    total = {name: result.tally[name].moments()[0] for name in result.tally.names}

    def of(prefix: str) -> int:
        return sum(value for name, value in total.items() if name.startswith(prefix))

    discarded = of("discarded.")
    assert of("wins.") + total["unfinished"] == result.games
    assert of("busts.") == total["busts"]
    assert of("drawing.") == of("discarding.") == total["turns"]
    assert discarded + of("cards_left.") == 3 * 25 * result.games
    assert total["cards.numbers"] + total["cards.runs"] == discarded - total["discarded.wreath"]
    assert of("losers.") == 2 * result.games
    assert total["wild.number"] + total["wild.run"] + total["wild.alone"] + total["wild.wreath"] <= 3 * result.games
    assert total["drawing.none"] <= total["busts"]
    assert np.isclose(total["rounds"] * 3, total["turns"], atol=3 * result.games)


def test_page_for_designers_names_every_ruling_constant_and_strategy() -> None:
    text = PAGE.read_text(encoding="utf-8")
    wanted = [f"| N{n} |" for n in range(1, 16)] + [f"`{c.key}`" for c in constants(_rules())] + [f"`{s}`" for s in strategies("vacation")]
    assert [name for name in wanted if name not in text] == []
    assert f"after {MAX_ROLLS} rolls" in text
