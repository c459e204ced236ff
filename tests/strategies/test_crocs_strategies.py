"""What the strategies for Christmas Crocs do at the table, and in which order they stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from simulator import registry
from simulator.games.crocs import GAME
from simulator.games.crocs.rules import PILE_BITS, PILE_KINDS, SLOT_BITS, CrocsRules, pack
from simulator.games.crocs.state import HAND_BITS, OPTION_BITS
from simulator.games.crocs.view import (
    ANSWER,
    ASK_FOR_CANE,
    ASK_FOR_PRESENT,
    CANDY_CANE,
    CANE,
    CANE_SLOT,
    CHOO_CHOO,
    COAL,
    COAL_SLOT,
    DISCARD,
    DRAW_CARD,
    GIVE,
    GRINCH,
    HEART,
    KINDS,
    NO,
    OPEN_SLOT,
    PLAY,
    PRESENT,
    PRESENT_SLOT,
    REMOVE_COAL,
    SANTA,
    SCROOGE,
    SLOT,
    SNOW,
    TARGET,
    VIEW,
    YES,
    distance,
    full,
    half_filled,
    option,
    possible,
    slots_of,
)
from simulator.table import Table

NAMES = ("opportunist", "bully", "banker", "builder", "uniform", "pushover")
PLAYOUTS = 12_000
SEED = 5
RULES = CrocsRules()
FULL = CANE_SLOT + RULES.slots.canes - 1


# ---------------------------------------------------------------- the order, over whole games
@cache
def _wins(one: str, others: str, players: int) -> tuple[int, int]:
    """Playouts won by the one seat of a strategy among others, every seat in turn, and by the others on average."""
    mine = theirs = 0
    for seat in range(players):
        names = [one if i == seat else others for i in range(players)]
        table = Table(GAME, RULES, tuple(registry.player(GAME, name) for name in names))
        rows = np.zeros((PLAYOUTS // players, len(table.metrics)), np.int32)
        done, fault = table.play(SEED, 0, rows, np.zeros(3, np.int64))
        assert done == len(rows), fault
        mine += int(rows[:, seat].sum())
        theirs += int(rows[:, :players].sum()) - int(rows[:, seat].sum())
    return mine, theirs // (players - 1)


def _intervals(one: str, others: str, players: int) -> tuple[Any, Any]:
    mine, theirs = _wins(one, others, players)
    return tuple(binomtest(wins, PLAYOUTS).proportion_ci(0.99, "wilson") for wins in (mine, theirs))  # type: ignore[return-value]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("other", NAMES[1:])
def test_default_beats_every_other(other: str, players: int) -> None:
    assert GAME.default_strategy == NAMES[0]
    mine, theirs = _intervals("opportunist", other, players)
    assert mine.low > theirs.high


@pytest.mark.parametrize(("better", "worse"), [("builder", "uniform"), ("banker", "builder"), ("banker", "uniform"), ("bully", "uniform")])
def test_order_of_strength(better: str, worse: str) -> None:
    mine, theirs = _intervals(better, worse, 4)
    assert mine.low > theirs.high


@pytest.mark.parametrize("other", NAMES[:-1])
def test_pushover_plays_badly(other: str) -> None:
    mine, theirs = _intervals("pushover", other, 4)
    assert mine.high < theirs.low


# ---------------------------------------------------------------- single decisions
def _view(decision: int, *options: int, seat: int = 0, players: int = 4, hand: Sequence[int] = (), **fields: int) -> Any:
    """A view with empty slots and five cards in every other hand."""
    view = np.zeros(1, VIEW).view(np.recarray)[0]
    view.decision, view.n_options, view.seat, view.seats = decision, len(options), seat, players
    view.options = sum(value << (OPTION_BITS * i) for i, value in enumerate(options))
    view.active, view.direction, view.goal, view.full_canes, view.takes = seat, 1, RULES.slots.count, FULL, RULES.grinch.takes
    view.box[:] = pack(RULES)[0]["cards"]
    view.mine = sum(1 << (HAND_BITS * kind) for kind in hand)
    view.hand_sizes[:players] = 5
    view.hand_sizes[seat] = len(hand)
    view.deck = RULES.total - len(hand) - 5 * (players - 1)
    view.slots[:players] = RULES.slots.count
    for name, value in fields.items():
        setattr(view, name, value)
    return view


def _fill(view: Any, seat: int, *contents: int) -> Any:
    view.slots[seat] = (RULES.slots.count - len(contents)) + sum(1 << (SLOT_BITS * content) for content in contents)
    return view


def _rule_out(view: Any, seat: int, kind: int, cards: int) -> Any:
    view.known_not[seat] += cards << (HAND_BITS * kind)
    return view


def _choice(text: str, view: Any) -> int:
    """The value of the option that a strategy takes."""
    player = registry.player(GAME, text)
    arguments = [view, 0.5]
    if player.record is not None:
        arguments.append(player.record.view(np.recarray)[0])
    return int(option(view, player.strategy.function(*arguments)))


@pytest.mark.parametrize(
    ("name", "first", "then"),
    [
        ("builder", PRESENT, CANDY_CANE),
        ("builder", CANDY_CANE, ASK_FOR_PRESENT),
        ("builder", REMOVE_COAL, ASK_FOR_PRESENT),
        ("builder", CHOO_CHOO, GRINCH),
        ("bully", GRINCH, PRESENT),
        ("bully", SCROOGE, PRESENT),
        ("bully", PRESENT, CHOO_CHOO),
        ("banker", REMOVE_COAL, ASK_FOR_PRESENT),
        ("banker", PRESENT, GRINCH),
        ("banker", CHOO_CHOO, ASK_FOR_PRESENT),
        ("pushover", CHOO_CHOO, PRESENT),
        ("pushover", PRESENT, GRINCH),
        ("pushover", CANDY_CANE, PRESENT),
    ],
)
def test_what_is_played_first(name: str, first: int, then: int) -> None:
    assert _choice(name, _view(PLAY, first, then, hand=[PRESENT, SANTA])) == first
    assert _choice(name, _view(PLAY, then, first, hand=[PRESENT, SANTA])) == first


def test_banker_asks_with_a_second_santa() -> None:
    assert _choice("banker", _view(PLAY, ASK_FOR_PRESENT, CHOO_CHOO, hand=[SANTA, SANTA])) == ASK_FOR_PRESENT


def test_banker_keeps_heart_and_santa() -> None:
    assert _choice("banker", _view(DISCARD, SANTA, GRINCH, HEART)) == GRINCH
    assert _choice("banker", _view(DISCARD, SANTA, HEART)) == SANTA


@pytest.mark.parametrize("name", ["builder", "bully", "banker"])
def test_questions_go_to_who_may_hold_the_card(name: str) -> None:
    view = _rule_out(_rule_out(_view(TARGET, 1, 2, 3, action=ASK_FOR_PRESENT), 1, PRESENT, 3), 3, PRESENT, 1)
    assert _choice(name, view) == 2
    assert _choice("pushover", view) == 1


@pytest.mark.parametrize("name", ["bully", "banker"])
def test_attacks_go_to_the_leader(name: str) -> None:
    view = _fill(_fill(_view(TARGET, 1, 2, 3, action=SCROOGE), 2, PRESENT_SLOT, FULL), 3, PRESENT_SLOT)
    assert _choice(name, view) == 2
    assert _choice("pushover", view) == 1


@pytest.mark.parametrize("name", ["builder", "bully", "banker", "opportunist"])
def test_half_filled_slots_are_completed(name: str) -> None:
    assert _choice(name, _view(CANE, OPEN_SLOT, CANE_SLOT)) == CANE_SLOT
    assert _choice("pushover", _view(CANE, OPEN_SLOT, CANE_SLOT)) == OPEN_SLOT


def test_scrooge_takes_the_dearest_slot() -> None:
    options = (PRESENT_SLOT, FULL, CANE_SLOT)
    assert _choice("opportunist", _view(SLOT, *options)) == FULL
    assert _choice("opportunist", _view(SLOT, PRESENT_SLOT, CANE_SLOT)) == PRESENT_SLOT
    assert _choice("bully", _view(SLOT, *options)) == PRESENT_SLOT
    assert _choice("pushover", _view(SLOT, *options)) == CANE_SLOT


@pytest.mark.parametrize(("name", "gives"), [("builder", NO), ("bully", NO), ("banker", NO), ("opportunist", NO), ("pushover", YES)])
def test_giving(name: str, gives: int) -> None:
    assert _choice(name, _view(GIVE, YES, NO)) == gives


@pytest.mark.parametrize(("name", "answer"), [("builder", YES), ("bully", YES), ("banker", YES), ("opportunist", YES), ("pushover", NO)])
def test_a_winning_grinch_is_answered(name: str, answer: int) -> None:
    assert _choice(name, _view(ANSWER, YES, NO, thief=1, loot=2, to_win=1)) == answer


def _theft(thief: int, *others: tuple[int, ...]) -> Any:
    """Seat 0 may answer a thief who has just filled two of three slots."""
    view = _fill(_view(ANSWER, YES, NO, thief=thief, loot=2, hand=[HEART]), thief, *[PRESENT_SLOT] * 3)
    for seat, contents in enumerate(others):
        _fill(view, seat, *contents)
    return view


def test_opportunist_answers_when_it_gets_a_present() -> None:
    assert _choice("opportunist", _theft(3)) == YES


def test_opportunist_does_not_make_another_player_win() -> None:
    assert _choice("opportunist", _theft(1, (), (PRESENT_SLOT,) * 3, (PRESENT_SLOT,) * 4)) == NO


def test_opportunist_wins_when_it_can() -> None:
    view = _fill(_view(PLAY, PRESENT, CANDY_CANE, SCROOGE, GRINCH, hand=[PRESENT, CANDY_CANE]), 0, *[PRESENT_SLOT] * 4)
    _fill(view, 1, *[PRESENT_SLOT] * 4)
    assert _choice("opportunist", view) == PRESENT


def test_opportunist_stops_who_is_about_to_win() -> None:
    view = _fill(_view(TARGET, 1, 2, 3, action=COAL, hand=[COAL]), 2, *[PRESENT_SLOT] * 4)
    assert _choice("opportunist:rate=0.5", view) == 2


def test_opportunist_builds_when_nobody_is_ahead() -> None:
    assert _choice("opportunist", _view(PLAY, PRESENT, CHOO_CHOO, SNOW, hand=[PRESENT])) == PRESENT


def test_opportunist_asks_the_larger_hand() -> None:
    view = _view(TARGET, 1, 2, 3, action=ASK_FOR_CANE)
    view.hand_sizes[:] = (4, 3, 5, 2, 0, 0)
    assert _choice("opportunist", view) == 2


def test_opportunist_values_a_draw_in_its_parameters() -> None:
    view = _view(PLAY, CHOO_CHOO, DRAW_CARD)
    assert _choice("opportunist:card=3,keep_elf=0", view) == DRAW_CARD
    assert _choice("opportunist:card=0,keep_elf=3", view) == CHOO_CHOO


# ---------------------------------------------------------------- helpers for strategies
def test_helpers_read_slots() -> None:
    view = _fill(_view(PLAY, PRESENT), 1, PRESENT_SLOT, FULL, CANE_SLOT, COAL_SLOT)
    assert (full(view, 1), half_filled(view, 1), slots_of(view, 1, COAL_SLOT), slots_of(view, 1, OPEN_SLOT)) == (2, 1, 1, 1)


def test_helpers_read_seats() -> None:
    view = _rule_out(_view(PLAY, PRESENT, seat=3), 1, PRESENT, 2)
    assert possible(view, 1, PRESENT) == 3
    assert [distance(view, seat) for seat in range(4)] == [1, 2, 3, 0]
    view.direction = -1
    assert [distance(view, seat) for seat in range(4)] == [3, 2, 1, 0]


def test_views_of_the_tests_hold_the_whole_deck() -> None:
    words = [int(word) for word in _view(PLAY, PRESENT).box]
    assert sum(words[kind // PILE_KINDS] >> (PILE_BITS * (kind % PILE_KINDS)) & 0xFFF for kind in range(KINDS)) == RULES.total
