"""Experiments: what they depend on, and the plan of their batches."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import UserError
from simulator.play.experiment import ALONE, BATCH, Batch, plan, plan_groups
from simulator.play.run import make_experiment


def test_the_id_covers_everything_that_the_playouts_depend_on() -> None:
    ids = [
        make_experiment("grinchmas").id,
        make_experiment("grinchmas", players=3).id,
        make_experiment("grinchmas", seed=2).id,
        make_experiment("grinchmas", strategies=["greedy"]).id,
        make_experiment("grinchmas", strategies=["greedy", "uniform"]).id,
        make_experiment("grinchmas", strategies=["uniform", "greedy"]).id,
        make_experiment("grinchmas", strategies=["patient:near=2"]).id,
        make_experiment("grinchmas", strategies=["patient"]).id,
        make_experiment("grinchmas", rules={"wishes.goal": 9}).id,
    ]
    assert len(set(ids)) == len(ids)


def test_the_id_depends_on_nothing_else() -> None:
    assert make_experiment("grinchmas").id == make_experiment("grinchmas", rules={"wishes.goal": 8}, strategies=["team"] * 4).id


def test_strategies_are_seated_in_turn() -> None:
    experiment = make_experiment("grinchmas", players=5, strategies=["greedy", "uniform"])
    assert [p.label for p in experiment.lineup] == ["greedy", "uniform", "greedy", "uniform", "greedy"]


@given(games=st.integers(1, 10 * BATCH))
def test_the_plan_covers_every_playout_once_and_in_order(games: int) -> None:
    batches = list(plan(games))
    assert batches[0].first == 0
    assert all(a.first + a.count == b.first for a, b in pairwise(batches))
    assert sum(b.count for b in batches) == games
    assert all(b.count == BATCH for b in batches[:-1])


def test_a_longer_plan_begins_with_the_shorter_one() -> None:
    assert list(plan(5 * BATCH))[:4] == list(plan(4 * BATCH))


@given(games=st.integers(1, 40 * ALONE), first=st.integers(0, 40 * ALONE), batch=st.integers(1, 7))
def test_groups_hold_the_batches_of_the_plan(games: int, first: int, batch: int) -> None:
    groups = list(plan_groups(games, batch, first))
    assert [b for g in groups for b in plan(g.count, batch, g.first)] == list(plan(games, batch, first))


@given(games=st.integers(1, 40 * ALONE), more=st.integers(0, 40 * ALONE), first=st.integers(0, 40 * ALONE))
def test_a_group_of_several_is_a_group_of_every_plan_that_fills_it(games: int, more: int, first: int) -> None:
    short, long = set(plan_groups(games, 1, first)), set(plan_groups(first + games + more, 1))
    assert {g for g in short if g.count > 1} <= long


def test_groups_grow_so_slowly_that_little_is_played_again_and_so_fast_that_there_are_few() -> None:
    groups = list(plan_groups(10**12))
    assert groups[: ALONE + 1] == [*plan(ALONE * BATCH), Batch(ALONE * BATCH, 2 * BATCH)]
    assert all(g.count == BATCH or g.count * ALONE <= 2 * g.first for g in groups)
    assert sum(g.count > BATCH for g in groups) < 9_000
    assert len(groups) < 60_000, "of 122 million batches"


@pytest.mark.parametrize("players", [0, 1, 7, 40])
def test_players_out_of_range_are_refused(players: int) -> None:
    with pytest.raises(UserError, match="2 to 6 players"):
        make_experiment("grinchmas", players=players)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range_are_refused(seed: int) -> None:
    with pytest.raises(UserError, match="seed"):
        make_experiment("grinchmas", seed=seed)
