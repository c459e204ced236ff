"""What skill is worth: shares and parts of the variance near their exact values, and the same for any number of workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest
from anchors.exact_answers import Array, emptiest, fullest, orchard, pig_first, pig_hold

from simulator import registry
from simulator.document.figures import interval, interval_text
from simulator.errors import StrategyError, UserError
from simulator.play.resources import Resources
from simulator.play.run import make_experiment, run
from simulator.rules import values
from simulator.studies.crossed import TOGETHER, Cell, Wins, play_crossed
from simulator.studies.ladder import BLUNDERS, Rung, ladder
from simulator.studies.skill import Skill, SkillStudy, sentence, skill
from simulator.studies.variance import split_variance, squared_length

RULES = values(registry.game("orchard").rules())
TREES = (RULES["trees.fruit"], RULES["raven.steps"], RULES["basket.fruits"])
"""First Orchard as the exact answers take it."""

HOLDS = (8, 20, 60)
"""Points at which some players of Pig hold: too early, about right, too late."""


@pytest.fixture(scope="module")
def orchard_found() -> Skill:
    return skill("orchard", players=2, games=15_000, ahead_games=0, seed=4)


def inside(estimate: Any, exact: float) -> bool:
    return bool(estimate.low <= exact <= estimate.high)


def exact_split(chances: Array) -> tuple[float, float, float]:
    """Strategy, seat and luck from chances to win by strategy and seat, straight from the definition."""
    mean = chances.mean()
    whole = mean * (1 - mean)
    by_strategy, by_seat = chances.mean(axis=1).var(), chances.mean(axis=0).var()
    both = chances.var() - by_strategy - by_seat
    return (by_strategy + both / 2) / whole, (by_seat + both / 2) / whole, float((chances * (1 - chances)).mean()) / whole


# ---------------------------------------------------------------- the ladder
def test_every_strategy_of_first_orchard_comes_near_its_exact_chance(orchard_found: Skill) -> None:
    exact = {"fullest": orchard(*TREES, fullest), "emptiest": orchard(*TREES, emptiest)}
    exact["uniform"] = orchard(*TREES, None)
    found = {rung.strategy: rung for rung in orchard_found.ladder}
    assert set(found) == set(exact)
    assert all(inside(found[name].estimate, chance) for name, chance in exact.items())
    assert {rung.even for rung in found.values()} == {None}
    assert {rung.metric for rung in found.values()} == {"players_win"}


def test_a_player_of_pig_wins_as_often_as_the_exact_chances_over_both_seats_say() -> None:
    rungs = ladder("pig", 2, strategies=[f"hold:at={at}" for at in HOLDS], games=20_000)
    usual = pig_hold(20)
    for at, rung in zip(HOLDS, rungs, strict=True):
        exact = (pig_first(pig_hold(at), usual) + 1 - pig_first(usual, pig_hold(at))) / 2
        assert inside(rung.estimate, exact), at
        assert (rung.even, rung.metric, rung.players) == (0.5, "wins", 2)
    assert rungs[0].estimate.high < 0.5 - 0.02


def test_whoever_plays_as_all_others_wins_an_equal_share() -> None:
    (rung,) = ladder("vacation", 3, strategies=["racer"], games=600)
    assert rung.estimate.best == pytest.approx(1 / 3)
    assert rung.estimate.low < 1 / 3 < rung.estimate.high


def test_shared_playouts_make_the_interval_narrower_than_independent_ones() -> None:
    (rung,) = ladder("pig", 2, strategies=["strict_hold"], games=4000)
    independent = 1.96 * (rung.estimate.best * (1 - rung.estimate.best) / 8000) ** 0.5
    assert (rung.estimate.high - rung.estimate.low) / 2 < 0.6 * independent


def test_the_interval_of_a_mean_over_seats_holds_the_truth_as_often_as_it_says() -> None:
    rng, rounds = np.random.default_rng(5), 1500
    chances = np.array([[0.2, 0.5, 0.35]])
    held = sum(inside(made_up_wins(chances, 300, rng).mean_share([0, 1, 2]), chances.mean()) for _ in range(rounds))
    assert 0.935 < held / rounds < 0.965


# ---------------------------------------------------------------- blunders
def test_random_moves_cost_more_the_more_there_are_and_all_are_as_uniform() -> None:
    found = skill("grinchmas", players=3, games=1500, ahead_games=0, strategies=["uniform"])
    assert [share for share, _ in found.blunders] == list(BLUNDERS)
    best = [rung.estimate.best for _, rung in found.blunders]
    assert best[0] == run("grinchmas", players=3, games=1500).estimates["players_win"].best
    assert best[0] > best[3] > best[5] > best[7]
    everything, uniform = found.blunders[-1][1].estimate, found.ladder[0].estimate
    assert max(everything.low, uniform.low) < min(everything.high, uniform.high)


# ---------------------------------------------------------------- the variance
def test_luck_on_first_orchard_is_what_the_exact_chances_imply(orchard_found: Skill) -> None:
    chances = np.array([[orchard(*TREES, choose)] for choose in (fullest, emptiest, None)])
    strategy, _, luck = exact_split(chances)
    split = orchard_found.variance
    assert split is not None
    assert inside(split.luck, luck)
    assert inside(split.strategy, strategy)
    assert split.luck.high < 1 - strategy / 2, "so that nothing but luck is told apart"
    assert (split.seat.low, split.seat.best, split.seat.high) == (0, 0, 0)


def test_strategy_seat_and_luck_in_pig_are_what_the_exact_chances_imply() -> None:
    found = skill("pig", players=2, games=12_000, ahead_games=0, strategies=[f"hold:at={at}" for at in HOLDS])
    usual = pig_hold(20)
    chances = np.array([[pig_first(pig_hold(at), usual), 1 - pig_first(usual, pig_hold(at))] for at in HOLDS])
    split = found.variance
    assert split is not None
    for estimate, exact in zip((split.strategy, split.seat, split.luck), exact_split(chances), strict=True):
        assert inside(estimate, exact)
    assert split.strategy.low > 2 * split.seat.high > 0
    assert split.strategy.best + split.seat.best + split.luck.best == pytest.approx(1)


def made_up_wins(chances: Array, n: int, rng: np.random.Generator) -> Wins:
    """Counts of playouts with given chances by strategy and seat, half of the luck the same for all."""
    flat = chances.ravel()
    shared = rng.random((n, 1)) < 0.5
    luck = np.where(shared, rng.random((n, 1)), rng.random((n, flat.size)))
    won = (luck < flat).astype(float)
    return Wins(n, (won.T @ won).astype(np.int64), np.zeros(flat.size, np.int64))


@pytest.mark.parametrize(
    "chances",
    [[[0.3, 0.3], [0.3, 0.3], [0.3, 0.3]], [[0.25, 0.3], [0.3, 0.3], [0.3, 0.35]], [[0.0, 0.02], [0.4, 0.5], [0.6, 0.5]]],
    ids=["nothing but luck", "a little of all", "mostly strategy"],
)
def test_the_parts_hold_the_truth_as_often_as_they_say_and_are_right_on_average(
    chances: list[list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simulator.studies.variance.DRAWS", 1000)
    rng, rounds = np.random.default_rng(11), 250
    truth = np.array(chances)
    exact = np.array(exact_split(truth))
    held, best = np.zeros(3), np.zeros(3)
    for seed in range(rounds):
        split = split_variance(made_up_wins(truth, 800, rng), ("a", "b", "c"), 2, seed=seed)
        assert split is not None
        parts = (split.strategy, split.seat, split.luck)
        held += [inside(part, x) for part, x in zip(parts, exact, strict=True)]
        best += [part.best for part in parts]
    assert (held / rounds > 0.9).all(), held / rounds
    assert np.abs(best / rounds - exact).max() < 0.006


def test_a_part_that_is_nothing_is_nothing_on_average_and_is_not_printed_below_nought(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few playouts, where it would otherwise come out as a tenth of a percent."""
    monkeypatch.setattr("simulator.studies.variance.DRAWS", 500)
    rng, truth = np.random.default_rng(13), np.array([[0.2] * 4, [0.3] * 4, [0.4] * 4])
    splits = [split_variance(made_up_wins(truth, 60, rng), ("a", "b", "c"), 4, seed=seed) for seed in range(200)]
    seats = np.array([split.seat.best for split in splits if split is not None])
    assert len(seats) == 200
    assert abs(seats.mean()) < 3.5 * seats.std() / np.sqrt(len(seats))
    assert (seats < 0).mean() > 0.3
    for split in splits:
        assert split is not None
        assert all(max(part.low, 0) <= part.best <= part.high for part in split.shown.values())
    nothing = next(split.shown["seat"] for split in splits if split is not None and split.seat.best < 0)
    assert interval_text(nothing).startswith("0"), "and not that it was seen in fewer than 3 playouts"
    assert sum(split.seat.low == 0 for split in splits if split is not None) > 0.93 * 200


def test_an_interval_of_a_length_is_no_wider_than_it_has_to_be() -> None:
    best, low, high = squared_length(np.array([3.0, 4.0]), np.diag([0.01, 0.01]), seed=1)
    assert best == pytest.approx(25 - 0.02)
    assert np.sqrt([low, high]) == pytest.approx([5 - 0.196, 5 + 0.196], abs=0.02)


def test_where_nothing_varies_there_are_no_parts() -> None:
    assert split_variance(Wins(50, np.full((2, 2), 50), np.zeros(2, np.int64)), ("a", "b"), 1, seed=1) is None


def test_where_there_is_no_skill_to_measure_it_is_refused_but_a_report_has_its_column() -> None:
    for players in (1, 2):
        with pytest.raises(UserError, match=r"^Nobody decides anything in .+, so that nobody plays it well or badly; ask about .+\.$"):
            SkillStudy.of("ladders", players=players).plans  # noqa: B018  they are what refuses
    with pytest.raises(UserError, match=r"^Alone nobody plays better or worse than others; measure Pig with two players or more\.$"):
        SkillStudy.of("pig", players=1).plans  # noqa: B018
    assert SkillStudy.of("orchard", players=1).plans[0].players == 1  # the table wins or loses, whoever sits there
    assert {rung.even for rung in ladder("pig", 1, strategies=["hold", "uniform"], games=50)} == {1.0}


# ---------------------------------------------------------------- going first
def test_the_first_players_advantage_is_that_of_a_run_and_near_the_exact_one() -> None:
    found = skill("pig", players=2, games=8000, ahead_games=0, strategies=["hold", "optimal"])
    by_play = {a.play: a for a in found.advantages}
    assert {play: a.strategy for play, a in by_play.items()} == {"weak": "uniform", "usual": "hold", "strong": "optimal"}
    assert inside(by_play["usual"].estimate, pig_first(pig_hold(20), pig_hold(20)) - 0.5)
    alone = run("pig", players=2, games=16_000, strategies=["uniform"]).first_player_advantage
    assert by_play["weak"].estimate == alone


def test_where_all_win_together_nobody_has_an_advantage(orchard_found: Skill) -> None:
    assert orchard_found.advantages == ()


# ---------------------------------------------------------------- how it is played
def test_the_number_of_workers_does_not_matter() -> None:
    asked: dict[str, Any] = {"players": 2, "games": 2 * TOGETHER + 7, "ahead_games": 3}
    named = ["racer", "uniform", "lookahead:rollouts=2"]
    one, three = (skill("vacation", strategies=named, workers=w, **asked).as_dict() | {"elapsed_s": 0} for w in (1, 3))
    assert one == three


def test_the_ladder_is_that_of_the_study() -> None:
    found = skill("pig", players=2, games=400, ahead_games=5, strategies=["optimal", "lookahead:rollouts=2", "uniform"])
    assert ladder("pig", 2, games=400, ahead_games=5, strategies=["optimal", "lookahead:rollouts=2", "uniform"]) == found.ladder
    assert [rung.strategy for rung in found.ladder] == ["optimal", "uniform", "lookahead:rollouts=2"]
    assert [rung.estimate.n for rung in found.ladder] == [400, 400, 5]


def test_lookahead_is_left_out_where_no_playouts_are_given_for_it() -> None:
    assert [r.strategy for r in ladder("orchard", 2, games=50)] == ["fullest", "emptiest", "uniform"]
    assert len(ladder("orchard", 2, games=50, ahead_games=2)) == 6


@contextmanager
def pressed(ends: Callable[[int, Any], bool], _label: str, _size: int) -> Iterator[Callable[[int, Any], None]]:
    """A stage at which Ctrl-C is pressed as soon as `ends` says so, of playouts done and what came of them."""

    def progress(done: int, part: Any) -> None:
        if ends(done, part):
            raise KeyboardInterrupt

    yield progress


def test_an_interrupted_study_keeps_what_is_done() -> None:
    study = SkillStudy.of("pig", players=2, games=4 * TOGETHER, ahead_games=4)
    (plan,) = study.plans
    tables = 2 * len((*plan.blunders, *plan.strategies))
    early = study.play(Resources(stage=partial(pressed, lambda done, part: part is not None and done >= tables * TOGETHER)))
    assert early.interrupted
    assert {r.estimate.n for r in early.parts[0].ladder} == {TOGETHER}
    assert early.parts[0].ladder == skill("pig", players=2, games=TOGETHER, ahead_games=0).ladder
    late = study.play(Resources(stage=lambda label, size: pressed(lambda done, _: done > 0 and "all" in label, label, size)))
    assert late.interrupted
    assert len(late.parts[0].ladder) == 7
    assert late.parts[0].advantages == (), "whose intervals are for all of the playouts"


def test_cells_count_what_runs_of_their_own_count() -> None:
    experiments = [make_experiment("pig", players=2, strategies=[a, "hold"]) for a in ("hold", "optimal")]
    cells = [Cell(e, f"wins.{seat}") for e in experiments for seat in (0, 1)]
    wins = play_crossed(cells, 700, workers=2).part
    alone = [run("pig", players=2, games=700, strategies=[a, "hold"]).estimates for a in ("hold", "optimal")]
    assert list(wins.shares) == [e[f"wins.{seat}"].best for e in alone for seat in (0, 1)]
    assert wins.together[0, 1] == 0, "only one seat wins"
    assert wins.together[0, 2] > 0.8 * wins.together[0, 0], "the same dice"


def test_the_progress_of_all_stages_ends_at_the_size_of_the_plan() -> None:
    for game, tables in (("orchard", 0), ("pig", 1)):
        study = SkillStudy.of(game, players=2, games=300, ahead_games=2)
        seen: list[tuple[int, list[int]]] = []

        @contextmanager
        def stage(_label: str, size: int, seen: list[tuple[int, list[int]]] = seen) -> Iterator[Callable[[int, Any], None]]:
            seen.append((size, []))
            yield lambda done, _part: seen[-1][1].append(done)

        study.play(Resources(stage=stage))
        assert all(counted == sorted(counted) and counted[-1] == size for size, counted in seen)
        assert len(seen) >= 2 + 2 * tables, "one for each pace, and for each table at which the first player is watched"
        (plan,) = study.plans
        assert plan.size - 300 * 2 <= sum(size for size, _ in seen) <= plan.size


# ---------------------------------------------------------------- words and refusals
def test_the_sentence_says_what_was_found(orchard_found: Skill) -> None:
    told = sentence(orchard_found)
    random = interval(orchard_found.blunders[-1][1].estimate)
    assert told.startswith(f"With 2 players: a table that moves at random wins {random} percent of games, one that plays fullest ")
    assert "seat" not in told
    rung = Rung("uniform", 4, "wins", orchard_found.ladder[0].estimate, 0.25)
    assert "where 25 percent would be even" in sentence(Skill(orchard_found.plan, ((0.0, rung), (1.0, rung)), (), None, (), 0.0, 0.0))


def test_what_does_not_exist_is_refused_before_anything_is_played() -> None:
    with pytest.raises(StrategyError, match="unifrm"):
        skill("pig", players=2, strategies=["unifrm"])
    with pytest.raises(UserError, match="named twice"):
        skill("pig", players=2, strategies=["hold", "hold"])
    with pytest.raises(UserError, match="players"):
        skill("pig", players=99)
