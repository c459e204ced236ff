"""Thinking ahead, blundering and watching, on a tiny game made for it: what is hidden or still to come is never used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulator.errors import StrategyError
from simulator.game import Game, Metric
from simulator.kernel import turns as kernel
from simulator.kernel.chance import below, purpose_block
from simulator.kernel.jit import jit
from simulator.kernel.turns import choose
from simulator.kit.declare import NOBODY, number, table
from simulator.kit.seats import end_for_all
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.registry.lineup import BLUNDER, LOOKAHEAD, Player, lay, make_player
from simulator.rules import GameRules
from simulator.rules.packing import packer
from strategies.declare import Strategy, strategy

KINDS = 4
CARD, COIN, AMOUNT = range(3)  # what is decided, in this order, a turn each
CARD_DRAW = purpose_block(0)
COIN_DRAW = CARD_DRAW + 1
PLAYOUTS = 1500


@jit
def deal(table: Any, rules: Any) -> None:  # noqa: ARG001  the signature of a deal
    """A card is dealt face down."""
    table.hidden = below(table.chance, CARD_DRAW, 0, KINDS)


@jit
def turn(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    """Guess the card, call a coin that is thrown afterwards, name an amount: a turn each, all by seat 0."""
    if table.turn == 1:
        table.right_card = 1 if choose(table, 0, CARD, KINDS) == table.hidden else 0
    elif table.turn == 2:
        table.right_coin = 1 if choose(table, 0, COIN, 2) == below(table.chance, COIN_DRAW, table.turn, 2) else 0
    else:
        table.amount = choose(table, 0, AMOUNT, KINDS)
        end_for_all(table, won=True)


@jit
def turn_in_one(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a turn
    """The same, all in one turn."""
    table.right_card = 1 if choose(table, 0, CARD, KINDS) == table.hidden else 0
    table.right_coin = 1 if choose(table, 0, COIN, 2) == below(table.chance, COIN_DRAW, table.turn, 2) else 0
    table.amount = choose(table, 0, AMOUNT, KINDS)
    end_for_all(table, won=True)


@jit
def turn_raising_on_the_last_option(table: Any, rules: Any, seat: Any) -> None:
    turn(table, rules, seat)
    if table.amount == KINDS - 1:
        raise ValueError


@jit
def payoff(table: Any, rules: Any, seat: Any) -> Any:  # noqa: ARG001  the signature of a payoff
    return (table.right_card + table.right_coin + table.amount / (KINDS - 1)) / 3.0


@jit
def redeal(table: Any, rules: Any, seat: Any) -> None:  # noqa: ARG001  the signature of a redeal
    table.hidden = below(table.chance, CARD_DRAW, 0, KINDS)


@jit
def redeal_that_leaves_a_tell(table: Any, rules: Any, seat: Any) -> None:
    """Forgets to deal the card afresh."""


def metrics(rules: GameRules, players: int) -> tuple[Metric, ...]:
    del players
    return (
        Metric("players_win", "End", "share", "share", 0, 1, outcome=True),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True),
        Metric("turns", "Turns", "turns", "count", 0, rules.turn_cap, headline=True),
        Metric("right_card", "Right card", "share", "share", 0, 1),
        Metric("right_coin", "Right coin", "share", "share", 0, 1),
        Metric("amount", "Amount", "points", "count", 0, KINDS - 1),
    )


FORTUNE = Game(
    name="fortune",
    title="Fortune",
    version="1",
    players=(1, 2),
    cooperative=True,
    rules=GameRules,
    pack=packer(),
    table=table(hidden=number(seen_by=NOBODY), right_card=number(), right_coin=number(), amount=number()),
    deal=deal,
    turn=turn,
    payoff=payoff,
    redeal=redeal,
    metrics=metrics,
    decisions=("card", "coin", "amount"),
    default_strategy="first",
    verdict=lambda _players: ("players_win",),
    summary="Guess, call and name.",
    story=None,  # type: ignore[arg-type]  # nobody tells this game
    file=Path(__file__),
)
IN_ONE_TURN = replace(FORTUNE, turn=turn_in_one)


@strategy("fortune")
def first(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Takes the first option."""
    return 0


@strategy("fortune")
def evenly(view: Any, u: float) -> int:
    """Takes any option."""
    return int(u * view.n_options)


@strategy("fortune")
def failing_at_the_coin(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Raises when it has to call the coin."""
    if view.decision == COIN:
        raise ValueError
    return 0


def ahead(base: Strategy, rollouts: int = 32) -> Player:
    return lay(LOOKAHEAD, make_player(base), {"rollouts": str(rollouts)})


def blundering(base: Player, share: float) -> Player:
    return lay(BLUNDER, base, {"share": str(share)})


def play(player: Player, game: Game = FORTUNE, playouts: int = PLAYOUTS) -> np.ndarray[Any, Any]:
    rows = np.zeros((playouts, 6), np.int32)
    done, fault = Table(game, GameRules(turn_cap=10), (player,)).play(1, 0, rows, np.zeros(2, np.int64))
    assert (done, fault["status"]) == (playouts, kernel.PLAYED)
    return rows


def near(share: float, expected: float, playouts: int = PLAYOUTS) -> bool:
    return bool(abs(share - expected) < 4.5 * (expected * (1 - expected) / playouts) ** 0.5)


@pytest.mark.parametrize("game", [FORTUNE, IN_ONE_TURN])
def test_a_hidden_card_is_not_used(game: Game) -> None:
    assert near(play(ahead(evenly), game)[:, 3].mean(), 1 / KINDS)


def test_the_same_look_ahead_would_find_a_card_that_is_not_dealt_afresh() -> None:
    """Shows that the test above could fail: the tell is there to be used."""
    cheating = replace(FORTUNE, redeal=redeal_that_leaves_a_tell)
    assert play(ahead(first), cheating)[:, 3].mean() == 1.0


@pytest.mark.parametrize("game", [FORTUNE, IN_ONE_TURN])
def test_draws_that_are_still_to_come_are_not_known(game: Game) -> None:
    assert near(play(ahead(first), game)[:, 4].mean(), 1 / 2)


@pytest.mark.parametrize("game", [FORTUNE, IN_ONE_TURN])
def test_what_an_option_is_worth_is_found_out(game: Game) -> None:
    assert (play(first_player := make_player(first), game, playouts=5)[:, 5] == 0).all()
    assert (play(lay(LOOKAHEAD, first_player, {}), game, playouts=200)[:, 5] == KINDS - 1).all()


def test_one_rollout_is_enough_where_nothing_is_left_to_chance() -> None:
    assert (play(ahead(first, rollouts=1), playouts=100)[:, 5] == KINDS - 1).all()


def test_thinking_ahead_leaves_the_draws_of_the_game_where_they_were() -> None:
    """The coin falls as it does without look-ahead: called the same way, it is right in the same playouts."""
    plain, thinking = play(make_player(first)), play(ahead(first, rollouts=7))
    coins = [stepped_coin(player) for player in (make_player(first), ahead(first, rollouts=7))]
    assert coins[0] == coins[1]
    assert plain[:, 4].mean() != thinking[:, 4].mean()  # though called in another way now and then


def stepped_coin(player: Player) -> list[int]:
    """How the coin falls in the first playouts, told from the call and from whether it was right."""
    stepper = Stepper(Table(FORTUNE, GameRules(turn_cap=10), (player,)), 1)
    fallen = []
    for playout in range(60):
        stepper.deal(playout)
        call = 0
        while stepper.advance():
            stepper.observe()
            option = stepper.choose()
            if stepper.table.head["decision"] == COIN:
                call = option
            stepper.apply(option)
        fallen.append(call if stepper.row()[4] else 1 - call)
    return fallen


def test_stepping_goes_the_way_of_the_loop() -> None:
    player = blundering(ahead(evenly, rollouts=5), 0.3)
    rows = play(player, playouts=40)
    stepper = Stepper(Table(FORTUNE, GameRules(turn_cap=10), (player,)), 1)
    for playout in range(40):
        stepper.deal(playout)
        stepper.play_out()
        assert stepper.row().tolist() == rows[playout].tolist()


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_share_of_the_decisions_is_left_to_chance(share: float) -> None:
    amounts = play(blundering(make_player(first), share))[:, 5]
    for amount in range(1, KINDS):
        assert near(float((amounts == amount).mean()), share / KINDS) if share else (amounts == 0).all()


def test_without_a_share_of_blunders_everything_stays_as_it_was() -> None:
    assert (play(blundering(make_player(evenly), 0.0)) == play(make_player(evenly))).all()


def test_blunders_come_on_top_of_thinking_ahead() -> None:
    amounts = play(blundering(ahead(first, rollouts=2), 0.4))[:, 5]
    assert near(float((amounts == KINDS - 1).mean()), 0.6 + 0.4 / KINDS)


def test_blunders_of_different_decisions_have_nothing_to_do_with_each_other() -> None:
    rows = play(blundering(make_player(first), 0.5), playouts=4000)
    odd_amount, called_tails = rows[:, 5] > 0, stepped_calls(4000)
    assert abs(np.corrcoef(odd_amount, called_tails)[0, 1]) < 4.5 / 4000**0.5


def stepped_calls(playouts: int) -> np.ndarray[Any, Any]:
    """Whether the coin was called tails, told from the coin without blunders and from being right."""
    plain, blundered = play(make_player(first), playouts=playouts)[:, 4], play(blundering(make_player(first), 0.5), playouts=playouts)[:, 4]
    return np.asarray(plain != blundered)


def test_a_strategy_that_fails_in_its_thoughts_is_reported_as_such() -> None:
    table = Table(FORTUNE, GameRules(turn_cap=10), (ahead(failing_at_the_coin),))
    done, fault = table.play(1, 0, np.zeros((3, 6), np.int32), np.zeros(2, np.int64))
    assert (done, fault["status"], fault["nested"], fault["decision"]) == (0, kernel.STRATEGY_RAISED, 1, COIN)


def test_a_game_that_fails_in_somebodys_thoughts_is_reported_as_such() -> None:
    table = Table(replace(FORTUNE, turn=turn_raising_on_the_last_option), GameRules(turn_cap=10), (ahead(first),))
    done, fault = table.play(1, 0, np.zeros((3, 6), np.int32), np.zeros(2, np.int64))
    assert (done, fault["status"]) == (0, kernel.GAME_RAISED)


@pytest.mark.parametrize(
    ("layer", "base", "settings", "said"),
    [
        (LOOKAHEAD, make_player(first), {"depth": "3"}, "has no parameter 'depth'"),
        (LOOKAHEAD, make_player(first), {"rollouts": "0"}, "between 1 and 10000, not 0"),
        (LOOKAHEAD, make_player(first), {"rollouts": "1.5"}, "needs a whole number"),
        (BLUNDER, make_player(first), {"share": "1.01"}, "between 0 and 1, not 1.01"),
        (BLUNDER, make_player(first), {"share": "nan"}, "needs a number"),
        (LOOKAHEAD, ahead(first), {}, "cannot be laid on top of 'lookahead:rollouts=32,base=first'"),
        (LOOKAHEAD, blundering(make_player(first), 0.5), {}, "cannot be laid on top of 'blunder:share=0.5,base=first'"),
        (BLUNDER, blundering(make_player(first), 0.5), {}, "cannot be laid on top"),
    ],
)
def test_a_layer_that_makes_no_sense_is_refused(layer: Any, base: Player, settings: dict[str, str], said: str) -> None:
    with pytest.raises(StrategyError, match=said.replace("(", r"\(")):
        lay(layer, base, settings)


# ---------------------------------------------------------------- watching
def watched(player: Player, playout: int, rollouts: int = 200, game: Game = FORTUNE) -> tuple[np.ndarray[Any, Any], list[int]]:
    table = Table(game, GameRules(turn_cap=10), (player, player))
    sums, row = np.zeros((11, 1, 2)), np.zeros((1, 6), np.int32)
    turns, fault = table.watch(1, playout, rollouts, sums=sums, row=row, control=np.zeros(2, np.int64))
    assert fault["status"] == kernel.PLAYED
    assert (sums[turns:] == 0).all()
    return sums[:turns, 0] / rollouts, row[0].tolist()


def test_a_watched_playout_is_the_one_that_is_played() -> None:
    player = make_player(evenly)
    rows = np.zeros((40, 6), np.int32)
    Table(FORTUNE, GameRules(turn_cap=10), (player, player)).play(1, 0, rows, np.zeros(2, np.int64))
    assert [watched(player, k, rollouts=1)[1] for k in range(40)] == rows.tolist()


def test_hopes_before_each_turn_are_those_of_the_position() -> None:
    """Before turn 2 the card is settled, before turn 3 the coin too; the amount is nought."""
    for playout in range(20):
        hopes, row = watched(make_player(first), playout)
        assert len(hopes) == row[2] == 3
        assert (hopes[:, 0] == hopes[:, 1]).all()
        assert abs(hopes[0, 0] - (1 / KINDS + 1 / 2) / 3) < 0.14
        assert abs(hopes[1, 0] - (row[3] + 1 / 2) / 3) < 0.06
        assert hopes[2, 0] == pytest.approx((row[3] + row[4]) / 3)


def test_a_watched_playout_ends_at_the_turn_cap_as_any_other() -> None:
    table = Table(FORTUNE, GameRules(turn_cap=2), (make_player(first),))
    sums, row = np.zeros((3, 1, 1)), np.zeros((1, 6), np.int32)
    turns, _ = table.watch(1, 0, 5, sums=sums, row=row, control=np.zeros(2, np.int64))
    assert (turns, row[0, 1], row[0, 2]) == (2, 1, 2)


def test_a_stop_is_followed_before_the_next_turn() -> None:
    control = np.zeros(2, np.int64)
    control[kernel.CONTROL_STOP] = 1
    table = Table(FORTUNE, GameRules(turn_cap=10), (make_player(first),))
    turns, fault = table.watch(1, 0, 5, sums=np.zeros((11, 1, 1)), row=np.zeros((1, 6), np.int32), control=control)
    assert (turns, fault["status"]) == (0, kernel.STOPPED)
