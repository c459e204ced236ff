"""What a strategy may not read is not there, and no number is drawn twice: in every registered game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simulator import registry
from simulator.play.run import make_experiment
from simulator.play.stepper import Stepper
from simulator.play.table import Table

GAMES = registry.game_names()
PLAYOUTS = 12
POISONS = (0xA5, 0xFF, 0x01)

Seen = tuple[list[bytes], list[list[int]]]


def seen_by(name: str, before_a_step: Callable[[Table], None], before_dealing: Callable[[Table], None] = lambda _table: None) -> Seen:
    """Every view of some playouts between seats that play anyhow, byte by byte, and the playouts' rows."""
    game = registry.game(name)
    asked = make_experiment(name, players=game.players[0], strategies=["uniform"])
    table = Table(asked.game, asked.rules, asked.lineup)
    stepper = Stepper(table, asked.seed)
    views: list[bytes] = []
    rows: list[list[int]] = []
    for playout in range(PLAYOUTS):
        before_dealing(table)
        stepper.deal(playout)
        before_a_step(table)
        while stepper.advance():
            option = 0
            if stepper.asked:
                stepper.observe()
                views.append(b"".join(table.view[field].tobytes() for field in table.view.dtype.names))
                option = stepper.choose()
            stepper.apply(option)
            before_a_step(table)
        rows.append(stepper.row().tolist())
    return views, rows


def leave_alone(_table: Table) -> None:
    pass


def wipe(table: Table) -> None:
    table.forget_view()


@pytest.mark.parametrize("name", GAMES)
def test_nothing_of_one_decision_is_left_in_the_view_of_the_next(name: str) -> None:
    assert seen_by(name, leave_alone) == seen_by(name, wipe)


@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize("name", GAMES)
def test_a_view_holds_the_same_whatever_was_in_its_memory(name: str, poison: int) -> None:
    def fill(table: Table) -> None:
        table.forget_view(poison)

    assert seen_by(name, fill) == seen_by(name, leave_alone)


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_leaves_nothing_of_the_playout_before_it(name: str) -> None:
    def fill(table: Table) -> None:
        table.forget(0xA5)
        table.forget_view(0xA5)

    assert seen_by(name, leave_alone, fill) == seen_by(name, leave_alone)
