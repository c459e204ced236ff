"""Which rule constants Christmas Crocs allows, notes and refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulator import run
from simulator.errors import RulesError
from simulator.games.crocs import GAME
from simulator.games.crocs.rules import KIND_KEYS, KIND_NAMES, KINDS, MAX_CANES, MAX_CARDS, MAX_HAND, MAX_PLAYERS, MAX_SLOTS, CrocsRules
from simulator.games.crocs.table import HAND, PILE, SLOTS, TABLE, Action, Counter, Slot
from simulator.kit.piles import unpacked
from simulator.kit.questions import OPTION_BITS
from simulator.rules import build_rules, constants


def _rules(**overrides: Any) -> CrocsRules:
    return build_rules(CrocsRules, {key.replace("__", "."): value for key, value in overrides.items()})


def test_box_has_no_notes() -> None:
    assert _rules().notes() == []


def test_every_constant_says_where_it_comes_from() -> None:
    for constant in constants(_rules()):
        assert constant.note
        assert constant.description.endswith(".")
        assert constant.plausible or constant.source != "assumed"


@pytest.mark.parametrize("constant", [pytest.param(c, id=c.key) for c in constants(CrocsRules()) if c.source == "assumed"])
def test_plausible_values_can_be_played(constant: Any) -> None:
    for value in constant.plausible:
        build_rules(CrocsRules, {constant.key: value})


@pytest.mark.parametrize(
    ("overrides", "key", "reason"),
    [
        ({"deck__present": 0, "deck__candy_cane": 0}, "deck.present", "no slot could ever be filled"),
        ({"deck__present": 201}, "deck.present", ""),
        ({"deck__coal": -1}, "deck.coal", ""),
        ({"deck__heart": 2.5}, "deck.heart", ""),
        ({"decks": 0}, "decks", ""),
        ({"decks": 8, "deck__present": 200}, "decks", "at most 2000 can be dealt"),
        ({"hand__deal": 0}, "hand.deal", ""),
        ({"hand__deal": 16}, "hand.deal", ""),
        ({"slots__count": 0}, "slots.count", ""),
        ({"slots__canes": 5}, "slots.canes", ""),
        ({"grinch__takes": 0}, "grinch.takes", ""),
        ({"heart__window": "later"}, "heart.window", "'reaction' or 'round'"),
        ({"deck__when_empty": "stop"}, "deck.when_empty", "'reshuffle' or 'end'"),
        ({"ask__must_give": 1}, "ask.must_give", ""),
        ({"turn_cap": 0}, "turn_cap", ""),
        ({"deck__snwo": 6}, "deck.snwo", "did you mean 'deck.snow'?"),
    ],
)
def test_impossible_rules_are_refused(overrides: dict[str, Any], key: str, reason: str) -> None:
    with pytest.raises(RulesError) as refused:
        _rules(**overrides)
    assert key in str(refused.value)
    assert reason in str(refused.value)


def _small(presents: int) -> dict[str, int]:
    return {f"deck.{kind}": 0 for kind in KIND_KEYS} | {"deck.present": presents}


def test_a_deck_too_small_to_deal_is_refused() -> None:
    with pytest.raises(RulesError, match=r"Rule 'hand.deal' cannot be 5: 2 players need 10 cards, and the deck has 9; deal at most 4"):
        build_rules(CrocsRules, _small(9))


def test_a_deck_too_small_for_so_many_players_is_refused() -> None:
    assert run("crocs", players=2, games=10, rules=_small(12)).games == 10
    with pytest.raises(RulesError, match="3 players need 15 cards, and the deck has 12; deal at most 4 or add cards or decks"):
        run("crocs", players=3, games=10, rules=_small(12))


@pytest.mark.parametrize(
    ("overrides", "note"),
    [
        ({"deck__present": 3, "deck__candy_cane": 2}, "cannot fill 5 slots; every playout stays unfinished"),
        ({"deck__present": 3, "deck__candy_cane": 2, "deck__when_empty": "end"}, "nobody ever wins before the deck is empty"),
        ({"deck__santa": 0}, "no Santa"),
        ({"deck__heart": 0}, "no Heart"),
    ],
)
def test_odd_rules_are_noted(overrides: dict[str, Any], note: str) -> None:
    assert any(note in found for found in _rules(**overrides).notes())


def test_three_hands_of_coal_are_allowed_and_the_unfinished_playouts_shown() -> None:
    rules = _small(3) | {"deck.coal": 15}
    result = run("crocs", players=2, games=500, rules=rules)
    assert (result.games, result.unfinished) == (500, 500)


def test_every_card_counts_once_in_the_packed_rules() -> None:
    rules = _rules(decks=2)
    memory = np.zeros(1, TABLE.dtype)
    TABLE.lay_out(memory, rules)
    assert unpacked(PILE, memory["box"][0]) == [2 * n for n in rules.deck.counts]
    assert memory["full_canes"][0] == Slot.CANE + 1


@pytest.mark.parametrize("players", range(2, 7))
def test_metrics_are_told_apart_and_have_a_range(players: int) -> None:
    metrics = GAME.metrics(_rules(), players)
    names = [m.name for m in metrics]
    assert len(set(names)) == len(names)
    assert [m.name for m in metrics if m.outcome] == [*(f"wins.{i}" for i in range(players)), "tied", "unfinished"]
    assert all(m.low <= m.high for m in metrics)
    assert set(GAME.verdict(players)) <= set(names)
    assert {name for b in GAME.breakdowns for _, bars in b.series for name in bars} <= set(names)
    assert GAME.closeness in names


def test_sizes_fit() -> None:
    assert len(KIND_NAMES) == len(KIND_KEYS) == KINDS
    assert max(len(Action), KINDS, SLOTS.kinds, MAX_PLAYERS) <= 1 << OPTION_BITS
    assert len(Action) * OPTION_BITS < 64
    assert PILE.limit >= MAX_CARDS
    assert HAND.limit >= MAX_HAND + 1
    assert SLOTS.limit >= MAX_PLAYERS * MAX_SLOTS
    assert (HAND.words, SLOTS.words, SLOTS.kinds) == (1, 1, Slot.CANE + MAX_CANES)
    counted = len(Counter) - len(["TIED", "ROUNDS", "LEAD"]) - len(["PRESENT", "CANES", "GRINCH", "HEART", "MOST_SLOTS"])
    assert len(GAME.metrics(_rules(), 2)) == 2 + 2 + 3 + 5 + 2 + counted + 2 * KINDS
