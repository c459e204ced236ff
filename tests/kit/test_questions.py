"""The usual questions list what there is to choose from, and give back what was chosen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator.game import Game, seat_wins, turns
from simulator.kernel.jit import jit
from simulator.kit.declare import number, numbers, table
from simulator.kit.questions import ANYBODY, NOTHING, Answer, one_of, one_of_players, option, options, says_yes, with_thing
from simulator.kit.seats import leaders, win
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.registry.lineup import make_player
from simulator.rules import GameRules
from simulator.rules.packing import packer
from strategies.declare import strategy

THING, PLAYER, YES_OR_NO = range(3)


@jit
def deal(table: Any, rules: Any) -> None:  # noqa: ARG001  the signature of a deal
    table.around = table.seats


@jit
def asks_for_a_thing(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    things = NOTHING
    for thing in range(15, 9, -1):
        things = with_thing(things, thing, thing % 2)
    table.chosen[0] = one_of(table, seat, THING, things)
    table.chosen[1] = one_of(table, seat, THING, with_thing(NOTHING, 7, 1))
    win(table, seat)


@jit
def asks_for_a_player(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    table.chosen[0] = one_of_players(table, seat, PLAYER, ANYBODY)
    table.direction = -1
    table.chosen[1] = one_of_players(table, seat, PLAYER, ANYBODY)
    table.chosen[2] = one_of_players(table, seat, PLAYER, 0b1011)
    table.chosen[3] = one_of_players(table, seat, PLAYER, 0b0100)
    win(table, seat)


@jit
def asks_yes_or_no(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    for step in range(4):
        table.chosen[step] = 1 if says_yes(table, (seat + step) % table.seats, YES_OR_NO, step) else 0
    win(table, seat)


@strategy("asking")
def first(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Takes the first."""
    return 0


GAME = Game(
    name="asking",
    title="Asking",
    version="1",
    players=(2, 4),
    rules=GameRules,
    pack=packer(),
    table=table(around=number(), chosen=numbers(4), options=options()),
    deal=deal,
    turn=asks_for_a_thing,
    metrics=lambda rules, players: (*seat_wins(players), turns(rules.turn_cap)),
    decisions=("thing", "player", "yes_or_no"),
    default_strategy="first",
    summary="Ask.",
    story=None,  # type: ignore[arg-type]  # nobody tells this game
    file=Path(__file__),
)


def asked(turn: Any, choices: list[int]) -> tuple[list[tuple[int, int, list[int]]], list[int]]:
    """Who was asked what with which options, and what came of it when these options were taken."""
    stepper = Stepper(Table(replace(GAME, turn=turn), GameRules(), (make_player(first),) * 4), 1)
    stepper.deal(0)
    found = []
    for choice in choices:
        assert stepper.advance()
        view = stepper.observe()
        found.append((stepper.seat, int(view.decision), [int(option(view, i)) for i in range(stepper.n_options)]))
        assert int(view.options) >> 4 * stepper.n_options == 0  # nothing is left of an earlier question
        stepper.apply(choice)
    assert not stepper.advance()
    return found, stepper.state.chosen.tolist()


def test_one_of_some_things() -> None:
    found, chosen = asked(asks_for_a_thing, [1])
    assert found == [(0, THING, [15, 13, 11])]
    assert chosen[:2] == [13, 7]  # of one thing nobody is asked


def test_one_of_the_other_players_from_the_next_one_on_in_the_present_direction() -> None:
    found, chosen = asked(asks_for_a_player, [2, 0, 1])
    assert [options for _, _, options in found] == [[1, 2, 3], [3, 2, 1], [3, 1]]
    assert chosen == [3, 3, 1, 2]


def test_yes_or_no() -> None:
    found, chosen = asked(asks_yes_or_no, [0, 1, 1, 0])
    assert found == [(seat, YES_OR_NO, [Answer.YES, Answer.NO]) for seat in range(4)]
    assert chosen == [1, 0, 0, 1]


@pytest.mark.parametrize(("numbers_of", "found"), [([3, 9, 4], (9, 1, 1)), ([9, 3, 9], (9, 2, 0)), ([0, 0], (0, 2, 0)), ([-5], (-5, 1, 0))])
def test_leaders_are_those_with_the_largest_number(numbers_of: list[int], found: tuple[int, ...]) -> None:
    assert leaders(np.array(numbers_of, np.int32), len(numbers_of)) == found
