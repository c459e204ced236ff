"""A declared table: who sees what, what is played on it, and whose turn it is, on a tiny game made for it."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator.game import Game, Metric, seat_wins, turns
from simulator.kernel.jit import jit
from simulator.kernel.records import MOST_STEPS
from simulator.kernel.turns import choose
from simulator.kit.declare import NOBODY, OWNER, cards, counters, number, numbers, of_rules, per_option, per_seat, table
from simulator.kit.dice import roll
from simulator.kit.piles import lanes
from simulator.kit.seats import lead, win
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.registry.lineup import make_player
from simulator.rules import GameRules, RuleGroup, constant, ours
from simulator.rules.packing import packer
from strategies.declare import strategy

ROUNDS, DIE, OTHER_DIE = 2, 0, 1
SUITS = lanes(10, 12)


class Dice(RuleGroup):
    """The dice."""

    sides: int = constant(6, unit="sides", description="Sides.", source=ours("a test"))
    loaded: bool = constant(True, unit="yes or no", description="Loaded.", source=ours("a test"))  # noqa: FBT003  a default
    weight: float = constant(0.5, unit="grams", description="Weight.", source=ours("a test"))


class HandRules(GameRules):
    """Rules of every kind."""

    dice: Dice = Dice()
    goal: int = constant(3, unit="points", description="Goal.", source=ours("a test"))
    path: tuple[int, ...] = constant((4, 5), unit="list", description="Path.", source=ours("a test"))


HAND = table(
    secret=per_seat(cards(SUITS), seen_by=OWNER),
    wealth=per_seat(number(), seen_by=NOBODY),
    pile=cards(SUITS, seen_by=NOBODY),
    open=numbers(3),
    taken=per_seat(),
    order=numbers(40),
    rolled=numbers(8),
    goal=of_rules(lambda rules: rules.goal),
    path=of_rules(lambda rules: rules.path, shape=(2,)),
)


@jit
def deal(table: Any, rules: Any) -> None:  # noqa: ARG001  the signature of a deal
    for seat in range(table.seats):
        table.secret[seat, 0] = 10 + seat
        table.secret[seat, 1] = 20 + seat


@jit
def turn(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    table.order[table.turn] = seat
    table.taken[seat] += choose(table, seat, 0, 3)
    if table.turn == ROUNDS * table.seats:
        win(table, seat)


@jit
def turn_that_goes_back(table: Any, rules: Any, seat: Any) -> None:
    """The second turn reverses the direction, the fourth is followed by the same seat again."""
    if table.turn == 2:
        table.direction = -1
        table.following = seat - 1
    elif table.turn == 4:
        table.following = seat
    turn(table, rules, seat)


@jit
def turn_with_dice(table: Any, rules: Any, seat: Any) -> None:
    for i in range(3):
        table.rolled[i] = roll(table, DIE, rules.dice.sides)
        table.rolled[4 + i] = roll(table, OTHER_DIE, rules.dice.sides)
    turn(table, rules, seat)


def metrics(rules: HandRules, players: int) -> tuple[Metric, ...]:
    return (*seat_wins(players), turns(rules.turn_cap), *(Metric(f"taken.{i}", "Taken", "cards", "count", 0, 20) for i in range(players)))


GAME = Game(
    name="hand",
    title="Hand",
    version="1",
    players=(1, 4),
    rules=HandRules,
    pack=packer(lambda rules: {"doubled": np.array(rules.path) * 2}),
    table=HAND,
    deal=deal,
    turn=turn,
    metrics=metrics,
    decisions=("take",),
    default_strategy="most",
    summary="Take.",
    story=None,  # type: ignore[arg-type]  # nobody tells this game
    file=Path(__file__),
)


@strategy("hand")
def most(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Takes the most."""
    return 2


@strategy("hand")
def by_the_secret(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Takes what its own secret says."""
    return int(view.secret[0] - 10 + view.secret[1] - 20) % 3


def stepper_of(game: Game = GAME, players: int = 3, chosen: Any = most) -> Stepper:
    stepper = Stepper(Table(game, HandRules(), (make_player(chosen),) * players), 1)
    stepper.deal(0)
    return stepper


def test_a_seat_sees_what_lies_open_and_what_is_its_own_and_nothing_else() -> None:
    stepper = stepper_of()
    seen = set(GAME.view.names or ())
    assert {"secret", "open", "taken", "goal", "path", "seat", "seats", "turn", "decision", "n_options"} <= seen
    assert not {"wealth", "pile", "chance", "order_shown", "secret_shown"} & seen
    for seat in range(3):
        assert stepper.advance()
        view = stepper.observe()
        assert (stepper.seat, view.seat) == (seat, seat)
        assert view.secret.tolist() == [10 + seat, 20 + seat]
        assert (view.goal, view.path.tolist()) == (3, [4, 5])
        stepper.apply(0)


def test_a_compiled_strategy_sees_its_own_too() -> None:
    stepper = stepper_of(chosen=by_the_secret)
    stepper.play_out()
    assert stepper.row().tolist() == [0, 0, 1, 0, 6, 0, 4, 2]  # seat 2 wins; 2 * (0 + 0), 2 * (1 + 1), 2 * ((2 + 2) % 3)


def test_metrics_are_the_fields_of_their_names() -> None:
    assert GAME.table is not None
    with pytest.raises(KeyError):
        GAME.table.offset("misspelt")
    with pytest.raises(KeyError):
        GAME.table.offset("pile")  # of 64 bits


def test_a_name_that_is_taken_or_that_numpy_has_is_refused() -> None:
    for name in ("turn", "seats", "sum", "view"):
        with pytest.raises(ValueError, match=f"cannot be called '{name}'"):
            table(**{name: number()})


def order_of(game: Game, players: int, upto: int) -> list[int]:
    stepper = stepper_of(game, players)
    stepper.play_out()
    return [int(seat) for seat in stepper.state.order[1 : upto + 1]]


def test_turns_go_around_and_a_game_may_turn_them_and_let_a_seat_go_again() -> None:
    assert order_of(GAME, 3, 6) == [0, 1, 2, 0, 1, 2]
    assert order_of(replace(GAME, turn=turn_that_goes_back), 3, 6) == [0, 1, 0, 2, 2, 1]


def test_uses_of_dice_have_draws_of_their_own_and_are_the_same_again() -> None:
    rolled: list[list[int]] = []
    for _ in range(2):
        stepper = stepper_of(replace(GAME, turn=turn_with_dice))
        assert stepper.advance()
        rolled.append(stepper.state.rolled.tolist())
    assert rolled[0] == rolled[1]
    assert len(set(rolled[0][:3])) + len(set(rolled[0][4:7])) > 2
    assert rolled[0][:3] != rolled[0][4:7]


def test_rules_are_packed_nested_as_they_are() -> None:
    packed = GAME.pack(HandRules(goal=7))[0]
    assert (packed["dice"]["sides"], packed["dice"]["loaded"], packed["dice"]["weight"]) == (6, 1, 0.5)
    assert (packed["goal"], packed["turn_cap"], packed["doubled"].tolist()) == (7, 1000, [8, 10])
    assert "path" not in packed.dtype.names


@jit
def turn_that_never_stops_asking(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    for _ in range(MOST_STEPS + 3):
        choose(table, seat, 0, 3)


def test_the_address_of_a_choice_stays_within_its_bounds_however_often_it_is_asked() -> None:
    stepper = stepper_of(replace(GAME, turn=turn_that_never_stops_asking), 2)
    steps = []
    for _ in range(MOST_STEPS + 3):
        assert stepper.advance()
        steps.append(int(stepper.table.head["step"]))
        stepper.apply(0)
    assert steps == [*range(MOST_STEPS + 1), MOST_STEPS, MOST_STEPS]


WHICH, WHETHER, GO_ON = 0, 1, 2
MOST = 6
OFFERING = table(
    shown=per_option(MOST, (WHICH,)),
    mark=per_option(MOST, (WHICH, WHETHER), cards(SUITS)),
    taken=per_seat(),
    goal=of_rules(lambda rules: rules.goal),
)


@jit
def turn_that_offers(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    """One option, twice, about which nobody is asked, then 6 - t in turn t, and after each a decision that lists none; then another."""
    for n in (1, 1, MOST - table.turn):
        for i in range(n):
            table.shown[i], table.mark[i, 0], table.mark[i, 1] = 10 * table.turn + i, 1, 2
        table.taken[seat] = table.shown[choose(table, seat, WHICH, n)]
        choose(table, seat, GO_ON, 2)
    table.mark[0, 0] = table.mark[1, 1] = 7
    table.mark[0, 1] = table.mark[1, 0] = 8
    choose(table, seat, WHETHER, 2)
    if table.turn == ROUNDS * table.seats:
        win(table, seat)


@jit
def deal_nothing(table: Any, rules: Any) -> None:
    pass


OFFERS = replace(GAME, table=OFFERING, deal=deal_nothing, turn=turn_that_offers, decisions=("which", "whether", "go on"))


def see_nothing(stepper: Stepper) -> None:
    assert stepper.advance()
    view = stepper.observe()
    assert not view.shown.any()
    assert not view.mark.any()
    stepper.apply(0)


@pytest.mark.parametrize("byte", [0, 0xA5])
def test_a_seat_finds_nothing_in_what_an_option_of_another_decision_was(byte: int) -> None:
    stepper = stepper_of(OFFERS, 2)
    stepper.table.forget_view(byte)
    for turn in range(1, 5):
        see_nothing(stepper)
        see_nothing(stepper)
        assert stepper.advance()
        view = stepper.observe()
        assert view.shown.tolist() == [10 * turn + i for i in range(MOST - turn)] + [0] * turn
        assert view.mark.tolist() == [[1, 2]] * (MOST - turn) + [[0, 0]] * turn
        stepper.apply(1)
        see_nothing(stepper)
        assert stepper.advance()
        view = stepper.observe()
        assert view.shown.tolist() == [0] * MOST
        assert view.mark.tolist() == [[7, 8], [8, 7]] + [[0, 0]] * (MOST - 2)
        stepper.apply(0)
    assert not stepper.advance()
    assert stepper.state.taken[:2].tolist() == [31, 41]


def test_what_the_options_are_is_neither_dealt_nor_copied() -> None:
    assert OFFERING.dtype.fields is not None
    assert OFFERING.size == OFFERING.options.start <= OFFERING.dtype.fields["shown"][1]
    assert OFFERING.dtype.fields["mark"][1] < OFFERING.options.stop == OFFERING.dtype.fields["goal"][1]
    assert len(stepper_of(OFFERS).table.start) < OFFERING.size


@strategy("hand")
def by_what_is_offered(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Takes the last option, or what is none if it finds something that no option of this decision is."""
    for i in range(MOST):
        if (view.shown[i] != 0) != (view.decision == WHICH and i < view.n_options):
            return -1
    return int(view.n_options) - 1


def test_a_compiled_strategy_finds_nothing_of_another_decision_either() -> None:
    table = Table(OFFERS, HandRules(), (replace(make_player(by_what_is_offered), rollouts=3),) * 2)
    row = np.zeros((3, len(table.metrics)), np.int32)
    table.forget_view(0xA5)
    assert table.play(1, 0, row, np.zeros(2, np.int64))[0] == 3


@pytest.mark.parametrize(("numbers_of", "ahead"), [([3, 9, 4], 5), ([9, 3, 9], 0), ([5], 5), ([0, 0], 0)])
def test_a_lead_is_over_the_second(numbers_of: list[int], ahead: int) -> None:
    assert lead(np.array(numbers_of, np.int32), len(numbers_of)) == ahead


class Thing(IntEnum):
    GIFTS = 0
    GIFTS_WASTED = 1
    COAL = 2


COUNTED = table(before=number(), count=counters(Thing), drawn=per_seat(counters(Thing)), busts=numbers(4), packed=cards(SUITS))


@pytest.mark.parametrize(
    ("metric", "field", "place"),
    [
        ("before", "before", 0),
        ("gifts", "count", 0),
        ("gifts.wasted", "count", 1),
        ("drawn.gifts.3", "drawn", 3 * len(Thing)),
        ("drawn.coal.1", "drawn", len(Thing) + 2),
        ("busts.2", "busts", 2),
        ("wins.7", "wins", 7),
        ("turns", "turn", 0),
    ],
)
def test_a_metric_is_the_number_that_the_table_has_under_its_name(metric: str, field: str, place: int) -> None:
    assert COUNTED.dtype.fields is not None
    assert COUNTED.offset(metric) == COUNTED.dtype.fields[field][1] + 4 * place


@pytest.mark.parametrize("metric", ["after", "drawn", "drawn.coal", "drawn.snow.1", "drawn.coal.1.1", "busts", "before.0", "packed"])
def test_a_metric_that_the_table_has_no_number_for_is_none(metric: str) -> None:
    with pytest.raises(KeyError):
        COUNTED.offset(metric)
