"""Thinking ahead makes play better: clearly so on top of a weak strategy, and where a good one leaves room."""

from __future__ import annotations

import pytest
from anchors.exact_answers import pig_ahead, pig_first, pig_hold

from simulator import registry
from simulator.play.run import make_experiment, run_experiment
from simulator.stats.paired import Difference
from simulator.studies.pairs import play_pairs

FIRST_ORCHARD = 0.631357
"""Exact chance to win of perfect play, which picks from the tree that bears most."""


def gain(game: str, players: int, base: str, rollouts: int, games: int) -> Difference:
    """What look-ahead wins over its base on the same playouts, by the whole table or by seat 0 alone."""
    cooperative = registry.game(game).cooperative
    ahead = f"lookahead:rollouts={rollouts},base={base}"
    lineup = [ahead] if cooperative else [ahead, *[base] * (players - 1)]
    experiments = [make_experiment(game, players=players, strategies=s, seed=3) for s in ([base], lineup)]
    metric = next(m for m in experiments[0].metrics if m.name == ("players_win" if cooperative else "wins.0"))
    return play_pairs(experiments, games).part.pairs[0].difference(metric, 0.95, identical=False)


@pytest.mark.parametrize(("game", "players"), [("grinchmas", 4), ("vacation", 3), ("crocs", 3), ("pig", 2)])
def test_on_top_of_chance_it_is_much_better(game: str, players: int) -> None:
    assert gain(game, players, "uniform", rollouts=16, games=160).estimate.low > 0


def test_it_comes_near_perfect_play_of_first_orchard_from_nothing() -> None:
    found = run_experiment(make_experiment("orchard", players=2, strategies=["lookahead:rollouts=512,base=uniform"], seed=3), 1500)
    assert found.estimates["players_win"].low < FIRST_ORCHARD < found.estimates["players_win"].high
    assert gain("orchard", 2, "uniform", rollouts=512, games=500).estimate.low > 0


def test_it_is_better_than_a_good_strategy_that_leaves_room() -> None:
    assert gain("crocs", 4, "opportunist", rollouts=64, games=400).estimate.low > 0


def test_in_pig_there_is_next_to_no_room_above_holding_at_20() -> None:
    """So that it is no wonder that look-ahead gains nothing there which could be seen."""
    hold = pig_hold(20)
    ahead = pig_ahead(hold)
    assert (pig_first(ahead, hold) + 1 - pig_first(hold, ahead)) / 2 == pytest.approx(0.5065, abs=5e-5)
