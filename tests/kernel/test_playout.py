"""The playout loop on a tiny game made for it: it knows no game, and reports every broken promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator.game import Game, Metric
from simulator.kernel import turns as kernel
from simulator.kernel.jit import jit
from simulator.kernel.turns import choose
from simulator.kit.declare import number, table
from simulator.kit.seats import end_for_all
from simulator.play.experiment import Experiment
from simulator.play.table import Table
from simulator.registry.lineup import make_player
from simulator.rules import GameRules
from simulator.rules.packing import packer
from strategies.declare import Params, Strategy, strategy

GOAL = 10


@jit
def deal(table: Any, rules: Any) -> None:  # noqa: ARG001  the signature of a deal
    table.taken = 0


@jit
def turn(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    """In turn the seats add 0, 1 or 2; ten or more ends the game."""
    table.taken += choose(table, seat, 0, 3)
    if table.taken >= GOAL:
        end_for_all(table, won=True)


@jit
def turn_raising(table: Any, rules: Any, seat: Any) -> None:
    if table.turn == 3:
        raise ValueError
    turn(table, rules, seat)


@jit
def turn_without_end(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    """Asks again and again."""
    while table.taken < GOAL:
        choose(table, seat, 0, 3)


def metrics(rules: GameRules, players: int) -> tuple[Metric, ...]:
    del players
    return (
        Metric("players_win", "Win", "share", "share", 0, 1, outcome=True),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True),
        Metric("turns", "Turns", "turns", "count", 0, rules.turn_cap, headline=True),
        Metric("taken", "Taken", "points", "count", 0, 11),
    )


COUNTING = Game(
    name="counting",
    title="Counting",
    version="1",
    players=(1, 8),
    cooperative=True,
    rules=GameRules,
    pack=packer(),
    table=table(taken=number()),  # a name with which no other table begins: Numba would take the one for a kind of the other
    deal=deal,
    turn=turn,
    metrics=metrics,
    decisions=("add",),
    default_strategy="two",
    verdict=lambda _players: ("players_win",),
    summary="Count to ten.",
    story=None,  # type: ignore[arg-type]  # nobody tells this game
    file=Path(__file__),
)


@strategy("counting")
def two(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Adds two."""
    return 2


@strategy("counting")
def zero(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Adds nothing."""
    return 0


@strategy("counting")
def even(view: Any, u: float) -> int:
    """Adds anything."""
    return int(u * view.n_options)


@strategy("counting")
def set_amount(view: Any, u: float, p: Any = Params(amount=1, unused=0.5)) -> int:  # noqa: ARG001, B008  how parameters are declared
    """Adds `amount`."""
    return int(p.amount)


@strategy("counting")
def too_much_after_six(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Returns an option that does not exist once the total is above six."""
    return 3 if view.taken > 6 else 2


@strategy("counting")
def below_zero(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Returns an option below zero."""
    return -1


@strategy("counting")
def raising_after_six(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Raises once the total is above six."""
    if view.taken > 6:
        raise ValueError
    return 2


@strategy("counting")
def a_small_number(view: Any, u: float) -> Any:  # noqa: ARG001  it leaves nothing to chance
    """Returns an integer of another width."""
    return view.decision + np.int8(1)


def play(game: Game, *cast: Strategy, games: int = 3, turn_cap: int = 100, first: int = 0) -> tuple[np.ndarray[Any, Any], int, Any]:
    table = Table(game, GameRules(turn_cap=turn_cap), tuple(make_player(s) for s in cast))
    rows = np.full((games, 4), -7, np.int32)
    done, fault = table.play(1, first, rows, np.zeros(2, np.int64))
    return rows, done, fault


def test_a_playout_runs_to_its_end_and_leaves_a_row() -> None:
    rows, done, fault = play(COUNTING, two, zero)
    assert done == 3
    assert fault["status"] == kernel.PLAYED
    assert rows.tolist() == [[1, 0, 9, 10]] * 3  # two adds 2 on turns 1, 3, 5, 7 and 9


def test_the_turn_cap_ends_a_playout_as_unfinished_with_exactly_that_many_turns() -> None:
    rows, _, _ = play(COUNTING, zero, turn_cap=7)
    assert rows.tolist() == [[0, 1, 7, 0]] * 3


def test_a_playout_that_ends_on_the_last_turn_is_finished() -> None:
    rows, _, _ = play(COUNTING, two, turn_cap=5)
    assert rows.tolist() == [[1, 0, 5, 10]] * 3


@pytest.mark.parametrize("players", range(1, 9))
def test_any_number_of_seats_up_to_eight_plays(players: int) -> None:
    rows, _, _ = play(COUNTING, *[two] * players)
    assert rows[:, 2].tolist() == [5, 5, 5]


def test_seats_play_their_own_strategies_with_their_own_parameters() -> None:
    rules = GameRules()
    cast = (make_player(set_amount), make_player(set_amount, {"amount": "0"}), make_player(set_amount, {"amount": "2"}))
    rows = np.zeros((1, 4), np.int32)
    Table(COUNTING, rules, cast).play(1, 0, rows, np.zeros(2, np.int64))
    assert rows.tolist() == [[1, 0, 10, 10]]  # 1 + 0 + 2 a round: nine after nine turns, ten after ten


def test_a_result_of_another_width_is_taken_as_a_whole_number() -> None:
    rows, _, _ = play(COUNTING, a_small_number)
    assert rows[:, 2].tolist() == [10, 10, 10]


def test_an_illegal_option_is_reported_with_its_place() -> None:
    rows, done, fault = play(COUNTING, zero, too_much_after_six, first=40)
    assert done == 0
    assert (fault["status"], fault["playout"], fault["seat"], fault["option"], fault["n_options"]) == (kernel.ILLEGAL_OPTION, 40, 1, 3, 3)
    assert fault["nth"] == 9  # the ninth decision after the first found eight on the table
    assert (rows == -7).all()


def test_an_option_below_zero_is_illegal_too() -> None:
    _, _, fault = play(COUNTING, below_zero)
    assert (fault["status"], fault["option"]) == (kernel.ILLEGAL_OPTION, -1)


def test_a_strategy_that_raises_is_reported_and_not_taken_for_option_zero() -> None:
    _, done, fault = play(COUNTING, raising_after_six)
    assert done == 0
    assert (fault["status"], fault["seat"]) == (kernel.STRATEGY_RAISED, 0)


def test_a_turn_that_raises_is_reported() -> None:
    _, done, fault = play(replace(COUNTING, turn=turn_raising), two)
    assert done == 0
    assert fault["status"] == kernel.GAME_RAISED


def test_decisions_without_end_are_reported() -> None:
    _, done, fault = play(replace(COUNTING, turn=turn_without_end), zero, turn_cap=1)
    assert done == 0
    assert fault["status"] == kernel.NEVER_ENDS


def test_a_request_to_stop_is_followed_before_the_next_playout() -> None:
    table = Table(COUNTING, GameRules(), (make_player(two),))
    control = np.zeros(2, np.int64)
    control[kernel.CONTROL_STOP] = 1
    done, fault = table.play(1, 0, np.zeros((3, 4), np.int32), control)
    assert (done, fault["status"]) == (0, kernel.STOPPED)


def test_how_far_the_loop_is_can_be_watched() -> None:
    table = Table(COUNTING, GameRules(), (make_player(two),))
    control = np.zeros(2, np.int64)
    table.play(1, 100, np.zeros((3, 4), np.int32), control)
    assert control[kernel.CONTROL_PLAYOUT] == 102
    assert table.head["decisions"] == 5


@pytest.mark.parametrize("first", [0, 2**31, 2**32 - 1, 2**53 - 3])
def test_playouts_are_numbered_far_beyond_32_bits(first: int) -> None:
    rows, done, _ = play(COUNTING, even, games=3, first=first)
    assert done == 3
    alone = [play(COUNTING, even, games=1, first=first + k)[0].tolist()[0] for k in range(3)]
    assert rows.tolist() == alone


def test_neighbours_far_out_are_different_playouts() -> None:
    near, _, _ = play(COUNTING, even, games=200, first=0)
    far, _, _ = play(COUNTING, even, games=200, first=2**32)
    assert near.tolist() != far.tolist()


Compile = Callable[[], Any]


def test_one_compilation_of_the_loop_serves_every_game_and_pairing() -> None:
    play(COUNTING, two)
    before = len(kernel.play.signatures)
    play(COUNTING, zero, even, set_amount, turn_cap=5)
    assert len(kernel.play.signatures) == before
    assert before == 1


def test_experiments_of_this_game_tell_strategies_apart() -> None:
    seats = [(make_player(two),), (make_player(set_amount),), (make_player(set_amount, {"amount": "2"}),)]
    assert len({Experiment(COUNTING, GameRules(), seat, 1).id for seat in seats}) == 3
