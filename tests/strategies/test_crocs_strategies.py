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
from simulator.games.crocs.rules import KINDS, CrocsRules, Kind
from simulator.games.crocs.table import HAND, PILE, SLOTS, TABLE, Action, Decision, Slot
from simulator.games.crocs.view import distance, full, half_filled, possible, slots_of
from simulator.kit.piles import packed, unpacked
from simulator.kit.questions import OPTION_BITS, Answer, option
from simulator.play.table import Table

NAMES = ("opportunist", "bully", "banker", "builder", "uniform", "pushover")
PLAYOUTS = 12_000
SEED = 5
RULES = CrocsRules()
FULL = Slot.CANE + RULES.slots.canes - 1


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
    memory = np.zeros(1, TABLE.dtype)
    TABLE.lay_out(memory, RULES)
    view = memory.view(GAME.view).view(np.recarray)[0]
    view.decision, view.n_options, view.seat, view.seats = decision, len(options), seat, players
    view.options = sum(value << (OPTION_BITS * i) for i, value in enumerate(options))
    view.mover, view.direction = seat, 1
    view.hand = packed(HAND, (hand.count(kind) for kind in range(KINDS)))
    view.hand_sizes[:players] = 5
    view.hand_sizes[seat] = len(hand)
    view.deck = RULES.total - len(hand) - 5 * (players - 1)
    for other in range(players):
        _fill(view, other)
    for name, value in fields.items():
        setattr(view, name, value)
    return view


def _fill(view: Any, seat: int, *contents: int) -> Any:
    held = [contents.count(content) for content in range(SLOTS.kinds)]
    held[Slot.OPEN] = RULES.slots.count - len(contents)
    view.board[seat], view.slots[seat] = packed(SLOTS, held), held[Slot.PRESENT] + held[FULL]
    return view


def _rule_out(view: Any, seat: int, kind: int, cards: int) -> Any:
    view.known_not[seat] += packed(HAND, (cards if one == kind else 0 for one in range(KINDS)))
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
        ("builder", Kind.PRESENT, Kind.CANDY_CANE),
        ("builder", Kind.CANDY_CANE, Action.ASK_FOR_PRESENT),
        ("builder", Action.REMOVE_COAL, Action.ASK_FOR_PRESENT),
        ("builder", Kind.CHOO_CHOO, Kind.GRINCH),
        ("bully", Kind.GRINCH, Kind.PRESENT),
        ("bully", Kind.SCROOGE, Kind.PRESENT),
        ("bully", Kind.PRESENT, Kind.CHOO_CHOO),
        ("banker", Action.REMOVE_COAL, Action.ASK_FOR_PRESENT),
        ("banker", Kind.PRESENT, Kind.GRINCH),
        ("banker", Kind.CHOO_CHOO, Action.ASK_FOR_PRESENT),
        ("pushover", Kind.CHOO_CHOO, Kind.PRESENT),
        ("pushover", Kind.PRESENT, Kind.GRINCH),
        ("pushover", Kind.CANDY_CANE, Kind.PRESENT),
    ],
)
def test_what_is_played_first(name: str, first: int, then: int) -> None:
    assert _choice(name, _view(Decision.PLAY, first, then, hand=[Kind.PRESENT, Kind.SANTA])) == first
    assert _choice(name, _view(Decision.PLAY, then, first, hand=[Kind.PRESENT, Kind.SANTA])) == first


def test_banker_asks_with_a_second_santa() -> None:
    assert (
        _choice("banker", _view(Decision.PLAY, Action.ASK_FOR_PRESENT, Kind.CHOO_CHOO, hand=[Kind.SANTA, Kind.SANTA]))
        == Action.ASK_FOR_PRESENT
    )


def test_banker_keeps_heart_and_santa() -> None:
    assert _choice("banker", _view(Decision.DISCARD, Kind.SANTA, Kind.GRINCH, Kind.HEART)) == Kind.GRINCH
    assert _choice("banker", _view(Decision.DISCARD, Kind.SANTA, Kind.HEART)) == Kind.SANTA


@pytest.mark.parametrize("name", ["builder", "bully", "banker"])
def test_questions_go_to_who_may_hold_the_card(name: str) -> None:
    view = _rule_out(_rule_out(_view(Decision.TARGET, 1, 2, 3, action=Action.ASK_FOR_PRESENT), 1, Kind.PRESENT, 3), 3, Kind.PRESENT, 1)
    assert _choice(name, view) == 2
    assert _choice("pushover", view) == 1


@pytest.mark.parametrize("name", ["bully", "banker"])
def test_attacks_go_to_the_leader(name: str) -> None:
    view = _fill(_fill(_view(Decision.TARGET, 1, 2, 3, action=Kind.SCROOGE), 2, Slot.PRESENT, FULL), 3, Slot.PRESENT)
    assert _choice(name, view) == 2
    assert _choice("pushover", view) == 1


@pytest.mark.parametrize("name", ["builder", "bully", "banker", "opportunist"])
def test_half_filled_slots_are_completed(name: str) -> None:
    assert _choice(name, _view(Decision.CANE, Slot.OPEN, Slot.CANE)) == Slot.CANE
    assert _choice("pushover", _view(Decision.CANE, Slot.OPEN, Slot.CANE)) == Slot.OPEN


def test_scrooge_takes_the_dearest_slot() -> None:
    options = (Slot.PRESENT, FULL, Slot.CANE)
    assert _choice("opportunist", _view(Decision.SLOT, *options)) == FULL
    assert _choice("opportunist", _view(Decision.SLOT, Slot.PRESENT, Slot.CANE)) == Slot.PRESENT
    assert _choice("bully", _view(Decision.SLOT, *options)) == Slot.PRESENT
    assert _choice("pushover", _view(Decision.SLOT, *options)) == Slot.CANE


@pytest.mark.parametrize(
    ("name", "gives"),
    [("builder", Answer.NO), ("bully", Answer.NO), ("banker", Answer.NO), ("opportunist", Answer.NO), ("pushover", Answer.YES)],
)
def test_giving(name: str, gives: int) -> None:
    assert _choice(name, _view(Decision.GIVE, Answer.YES, Answer.NO)) == gives


@pytest.mark.parametrize(
    ("name", "answer"),
    [("builder", Answer.YES), ("bully", Answer.YES), ("banker", Answer.YES), ("opportunist", Answer.YES), ("pushover", Answer.NO)],
)
def test_a_winning_grinch_is_answered(name: str, answer: int) -> None:
    assert _choice(name, _view(Decision.ANSWER, Answer.YES, Answer.NO, thief=1, loot=2, to_win=1)) == answer


def _theft(thief: int, *others: tuple[int, ...]) -> Any:
    """Seat 0 may answer a thief who has just filled two of three slots."""
    view = _fill(_view(Decision.ANSWER, Answer.YES, Answer.NO, thief=thief, loot=2, hand=[Kind.HEART]), thief, *[Slot.PRESENT] * 3)
    for seat, contents in enumerate(others):
        _fill(view, seat, *contents)
    return view


def test_opportunist_answers_when_it_gets_a_present() -> None:
    assert _choice("opportunist", _theft(3)) == Answer.YES


def test_opportunist_does_not_make_another_player_win() -> None:
    assert _choice("opportunist", _theft(1, (), (Slot.PRESENT,) * 3, (Slot.PRESENT,) * 4)) == Answer.NO


def test_opportunist_wins_when_it_can() -> None:
    view = _fill(
        _view(Decision.PLAY, Kind.PRESENT, Kind.CANDY_CANE, Kind.SCROOGE, Kind.GRINCH, hand=[Kind.PRESENT, Kind.CANDY_CANE]),
        0,
        *[Slot.PRESENT] * 4,
    )
    _fill(view, 1, *[Slot.PRESENT] * 4)
    assert _choice("opportunist", view) == Kind.PRESENT


def test_opportunist_stops_who_is_about_to_win() -> None:
    view = _fill(_view(Decision.TARGET, 1, 2, 3, action=Kind.COAL, hand=[Kind.COAL]), 2, *[Slot.PRESENT] * 4)
    assert _choice("opportunist:rate=0.5", view) == 2


def test_opportunist_builds_when_nobody_is_ahead() -> None:
    assert _choice("opportunist", _view(Decision.PLAY, Kind.PRESENT, Kind.CHOO_CHOO, Kind.SNOW, hand=[Kind.PRESENT])) == Kind.PRESENT


def test_opportunist_asks_the_larger_hand() -> None:
    view = _view(Decision.TARGET, 1, 2, 3, action=Action.ASK_FOR_CANE)
    view.hand_sizes[:4] = (4, 3, 5, 2)
    assert _choice("opportunist", view) == 2


def test_opportunist_values_a_draw_in_its_parameters() -> None:
    view = _view(Decision.PLAY, Kind.CHOO_CHOO, Action.DRAW_CARD)
    assert _choice("opportunist:card=3,keep_elf=0", view) == Action.DRAW_CARD
    assert _choice("opportunist:card=0,keep_elf=3", view) == Kind.CHOO_CHOO


# ---------------------------------------------------------------- helpers for strategies
def test_helpers_read_slots() -> None:
    view = _fill(_view(Decision.PLAY, Kind.PRESENT), 1, Slot.PRESENT, FULL, Slot.CANE, Slot.COAL)
    assert (full(view, 1), half_filled(view, 1), slots_of(view, 1, Slot.COAL), slots_of(view, 1, Slot.OPEN)) == (2, 1, 1, 1)


def test_helpers_read_seats() -> None:
    view = _rule_out(_view(Decision.PLAY, Kind.PRESENT, seat=3), 1, Kind.PRESENT, 2)
    assert possible(view, 1, Kind.PRESENT) == 3
    assert [distance(view, seat) for seat in range(4)] == [1, 2, 3, 0]
    view.direction = -1
    assert [distance(view, seat) for seat in range(4)] == [3, 2, 1, 0]


def test_views_of_the_tests_hold_the_whole_deck() -> None:
    assert sum(unpacked(PILE, _view(Decision.PLAY, Kind.PRESENT).box)) == RULES.total
