"""How the chance of winning moves: estimated curves against Pig's exact ones, marks that noise crosses, and the replay."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from anchors.exact_answers import pig_duel, pig_hold
from anchors.exact_drama import PigDrama

from simulator.cli.main import run as simulate
from simulator.errors import UserError
from simulator.play.experiment import BATCH
from simulator.play.nested import BATCH_WATCHED, BLOCKS, watch_playouts
from simulator.play.run import make_experiment, run_experiment
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.studies import curves
from simulator.studies.curves import CLOSER, POINTS, Curve
from simulator.studies.drama import Drama, DramaStudy, drama

EXACTLY = 10**12
"""Nested playouts that leave no noise."""

HELD_AT = 20

PIG = PigDrama(2, HELD_AT).figures
"""What is exactly so."""


@pytest.fixture(scope="module")
def pig() -> Drama:
    return drama("pig", players=2, games=500, rollouts=100, strategies=[f"hold:at={HELD_AT}"], seed=5)


@pytest.fixture(scope="module")
def exact(pig: Drama) -> list[Curve]:
    """The exact curves of the same playouts, from the scores before each turn."""
    experiment = pig.plan.experiment
    stepper = Stepper(Table(experiment.game, experiment.rules, experiment.lineup), experiment.seed)
    chance = pig_duel(pig_hold(HELD_AT), pig_hold(HELD_AT))[0]
    found = []
    for curve in pig.curves:
        scores = scores_before_turns(stepper, curve.playout, curve.turns)
        mover = np.array([chance[mine, theirs] for mine, theirs in scores])
        first = np.where(np.arange(curve.turns) % 2 == 0, mover, 1 - mover)
        found.append(Curve(curve.playout, np.column_stack([first, 1 - first]), EXACTLY, curve.winner))
    return found


def scores_before_turns(stepper: Stepper, playout: int, turns: int) -> list[tuple[int, int]]:
    """Before each turn the score of who is about to move, and of the other."""
    seen: dict[int, list[int]] = {}
    stepper.deal(playout)
    while stepper.advance():
        seen.setdefault(int(stepper.table.head["turn"]), [int(score) for score in stepper.state.score[:2]])
        stepper.observe()
        stepper.apply(stepper.choose())
    found: list[tuple[int, int]] = []
    after = seen[turns]
    for turn in range(turns, 0, -1):
        after = seen.get(turn, after)  # a turn without a choice is one that busts at once and leaves the scores alone
        found.append((after[(turn - 1) % 2], after[turn % 2]))
    return found[::-1]


def curve(*of_first: float, rollouts: int = EXACTLY, winner: int | None = 0) -> Curve:
    first = np.array(of_first)
    return Curve(0, np.column_stack([first, 1 - first]), rollouts, winner)


# ---------------------------------------------------------------- against Pig's exact chances
def test_nested_playouts_estimate_the_exact_chances_without_bias_and_with_the_noise_they_should_have(
    pig: Drama, exact: list[Curve]
) -> None:
    errors = np.concatenate([(a.chances - b.chances)[:, 0] for a, b in zip(pig.curves, exact, strict=True)])
    expected = np.concatenate([(b.chances[:, 0] * b.chances[:, 1]) / 100 for b in exact])
    assert abs(errors.mean()) < 4 * np.sqrt(expected.mean() / len(errors))
    assert (errors**2).mean() == pytest.approx(expected.mean(), rel=0.06)


FIGURES: dict[str, Callable[[Curve], float]] = {
    "lead_changes": lambda c: c.lead_changes,
    "led_throughout": lambda c: c.behind_until == 0,
    "never_behind_from": lambda c: c.behind_until + 1,
    "below.10": lambda c: c.was_below(0.1),
    "below.25": lambda c: c.was_below(0.25),
    "decided_early": lambda c: c.decided_early,
}


@pytest.mark.parametrize("name", FIGURES)
def test_what_is_counted_on_exact_curves_is_what_iteration_over_all_scores_gives(exact: list[Curve], name: str) -> None:
    counts = np.array([FIGURES[name](curve) for curve in exact], float)
    assert abs(counts.mean() - PIG[name]) < 4 * counts.std() / np.sqrt(len(counts))


@pytest.mark.parametrize("name", FIGURES)
def test_the_intervals_hold_what_is_exactly_so(pig: Drama, name: str) -> None:
    estimate = pig.estimates[name]
    assert estimate.low <= PIG[name] <= estimate.high


def test_what_noise_adds_is_taken_off(pig: Drama, exact: list[Curve]) -> None:
    """On the same playouts, so that only what nested playouts add is different."""
    for name in ("lead_changes", "led_throughout"):
        true = np.mean([FIGURES[name](c) for c in exact])
        bare = np.mean([FIGURES[name](c.samples[0]) for c in pig.curves])
        assert abs(bare - true) > 0.1 * true, name
        assert abs(pig.estimates[name].best - true) < abs(bare - true) / 2, name


# ---------------------------------------------------------------- what counts
def test_the_lead_passes_only_when_another_is_well_ahead() -> None:
    assert curve(0.5, 0.7, 0.45, 0.55, 0.42, 0.9).lead_changes == 0
    assert curve(0.5, 0.7, 0.39, 0.55, 0.42, 0.9).lead_changes == 2
    assert curve(0.5, 0.55, 0.45).leaders == [None, None, None]
    assert curve(0.5, 0.3, 0.7).leaders == [None, 1, 0]


def test_sixty_to_forty_is_ahead_and_nine_tenths_are_decided_however_they_are_rounded() -> None:
    assert curve(0.6, 0.4).lead_changes == 1
    assert curve(0.5, 0.5, 1 - 0.1).decided_early
    assert not curve(0.3 - 0.2, winner=0).was_below(0.1)


def test_with_three_at_the_table_the_lead_passes_from_the_leader_and_not_from_the_second() -> None:
    chances = np.array([[0.6, 0.3, 0.1], [0.35, 0.45, 0.2], [0.2, 0.38, 0.42], [0.2, 0.1, 0.7]])
    found = Curve(0, chances, EXACTLY, 2)
    assert found.leaders == [0, 0, 2, 2]
    assert found.lead_changes == 1
    assert found.behind_until == 2


def test_the_winner_is_behind_as_long_as_another_leads() -> None:
    assert curve(0.5, 0.3, 0.45, 0.7).behind_until == 3
    assert curve(0.5, 0.7, 0.45, 0.7).behind_until == 0
    assert curve(0.5, 0.5, 0.3).behind_until == 3


def test_a_playout_is_decided_early_if_its_second_half_is() -> None:
    assert curve(0.5, 0.6, 0.95, 0.92).decided_early
    assert not curve(0.5, 0.95, 0.95, 0.89).decided_early
    assert not curve(0.5, 0.95, 0.89, 0.95).decided_early
    assert curve(0.5, 0.5, 0.95).decided_early
    assert not curve(0.85).decided_early, "the only turn, before which it was open"
    assert curve(0.95).decided_early


def test_the_course_runs_from_the_first_turn_to_the_certain_end() -> None:
    course = curve(0.5, 0.6, 0.7, 0.8).course
    assert len(course) == POINTS
    assert course[0] == 0.5
    assert course[-2] == 0.8
    assert course[-1] == 1


# ---------------------------------------------------------------- the study
def test_the_estimates_sum_up_the_curves(pig: Drama) -> None:
    estimates = pig.estimates
    assert set(estimates) == set(FIGURES)
    assert estimates["below.10"].high < estimates["below.25"].low
    assert all(e.low < e.best < e.high and e.n == 500 for e in estimates.values())
    assert sum(e.best for e in pig.changes.values()) == pytest.approx(1, abs=0.01)
    assert sum(k * e.best for k, e in enumerate(pig.changes.values())) == pytest.approx(estimates["lead_changes"].best, abs=0.1)


def test_the_samples_of_a_curve_are_its_nested_playouts_by_halves_and_quarters(pig: Drama) -> None:
    for one in pig.curves[:20]:
        assert [sample.rollouts for sample in one.samples] == [100, 50, 50, 25, 25, 25, 25]
        steps = [sample.chances - one.chances for sample in one.samples]
        assert np.abs(steps[0]).max() <= 0.5 / 100, "a share is moved within its step"
        assert np.abs((steps[1] + steps[2]) / 2).max() <= 0.5 / 50
        assert np.abs(sum(steps[3:]) / 4).max() <= 0.5 / 25
        assert all(sample.chances.sum(axis=1) == pytest.approx(1) for sample in one.samples)


def test_the_interval_of_a_mean_has_no_false_width_and_holds_nothing_impossible(pig: Drama) -> None:
    still, once = Curve(0, np.array([[0.5, 0.5], [0.8, 0.2]]), 1000, 0), Curve(1, np.array([[0.8, 0.2], [0.2, 0.8]]), 1000, 1)
    alike = replace(pig, curves=(still,) * 20).estimates
    for name, value in (("lead_changes", 0), ("never_behind_from", 1)):
        assert (alike[name].best, alike[name].low, alike[name].high) == (value, -math.inf, math.inf)
    rare = replace(pig, curves=((still,) * 30) + (once,)).estimates
    assert rare["lead_changes"].low == 0 < rare["lead_changes"].high
    assert rare["never_behind_from"].low == 1 < rare["never_behind_from"].high


def test_the_playouts_are_those_of_a_run(pig: Drama) -> None:
    wins = run_experiment(pig.plan.experiment, 500).estimates["wins.0"]
    assert np.mean([c.winner == 0 for c in pig.curves]) == wins.best


def test_the_most_dramatic_playout_is_looked_at_with_nested_playouts_that_did_not_choose_it(pig: Drama, exact: list[Curve]) -> None:
    found, true = pig.dramatic, exact[pig.dramatic.playout]
    assert found.rollouts == CLOSER * 100
    errors = (found.chances - true.chances)[:, 0] / np.sqrt(true.chances.prod(axis=1) / found.rollouts)
    assert np.abs(errors).max() < 4.5
    assert 0.5 < np.sqrt((errors**2).mean()) < 1.5
    assert true.lead_changes >= 2
    assert not np.allclose(found.chances, pig.curves[found.playout].chances)


def test_nested_playouts_that_chose_a_playout_are_taken_off_again(pig: Drama) -> None:
    """The nested playouts of a larger number begin with those of a smaller one."""
    playout = pig.dramatic.playout
    few, many = (watch_playouts(pig.plan.experiment, playout + 1, n)[playout] for n in (100, 300))
    assert not np.allclose(few.hopes(), many.hopes())
    fresh = curves._without(many, few)
    assert fresh.rollouts == 200
    assert 300 * many.hopes() == pytest.approx(100 * few.hopes() + 200 * fresh.hopes())
    assert pig.dramatic.rollouts == CLOSER * 100


def test_the_lowest_turn_of_the_most_dramatic_playout_is_chosen_by_other_nested_playouts(pig: Drama) -> None:
    one = pig.dramatic
    assert one.lowest_at is not None
    assert one.lowest.best == pytest.approx(one.of_winner[one.lowest_at])
    assert one.lowest.best < one.of_winner.min() + 0.05


def test_blocks_hold_every_nested_playout_once() -> None:
    (one,) = watch_playouts(make_experiment("pig", players=2), 1, 10)
    assert [one.played([block]) for block in range(BLOCKS)] == [3, 3, 2, 2]
    assert one.played() == 10
    assert one.sums.sum(axis=(1, 2)) == pytest.approx(10)
    with pytest.raises(UserError, match="at least 4"):
        watch_playouts(make_experiment("pig", players=2), 1, 3)


def test_a_cooperative_game_has_the_players_and_the_game_as_sides() -> None:
    found = drama("orchard", players=2, games=40, rollouts=30)
    assert found.sides == ("The players", "The game")
    for c in found.curves:
        assert c.chances.sum(axis=1) == pytest.approx(1)
    wins = run_experiment(found.plan.experiment, 40).estimates["players_win"].best
    assert np.mean([c.winner == 0 for c in found.curves]) == wins


def test_playouts_that_nobody_wins_do_not_count_for_the_winner() -> None:
    found = drama("pig", players=2, games=30, rollouts=10, rules={"turn_cap": 14})
    assert 0 < len(found.won) < 30
    assert found.estimates["below.25"].n == len(found.won)
    assert found.estimates["lead_changes"].n == 30
    assert found.courses.shape == (len(found.won), POINTS)
    nobody = drama("pig", players=2, games=3, rollouts=5, rules={"turn_cap": 2})
    assert set(nobody.estimates) == {"lead_changes"}
    assert json.dumps(nobody.as_dict(), allow_nan=False)


def test_the_number_of_workers_does_not_matter() -> None:
    asked = {"players": 3, "games": BATCH_WATCHED + 3, "rollouts": 4}
    one, three = (drama("vacation", workers=w, **asked).as_dict() | {"elapsed_s": 0} for w in (1, 3))
    assert one == three


def test_the_replay_line_tells_the_most_dramatic_playout(capsys: pytest.CaptureFixture[str]) -> None:
    found = drama("pig", players=2, games=12, rollouts=10, strategies=["hold:at=15", "optimal"], rules={"goal": 40}, seed=9)
    words = shlex.split(found.plan.replay(found.dramatic.playout))
    assert words[:3] == ["simulate", "replay", "pig"]
    assert simulate([*words[1:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["experiment"] == found.plan.experiment.as_dict()
    assert told["playout"] == found.dramatic.playout
    assert told["row"]["turns"] == found.dramatic.turns
    assert told["row"][f"wins.{found.dramatic.winner}"] == 1


def test_an_interrupted_study_keeps_what_was_watched() -> None:
    def press(done: int, part: Any) -> None:
        if part is not None and done >= 2 * BATCH_WATCHED:
            raise KeyboardInterrupt

    found = drama("pig", players=2, games=BATCH, rollouts=5, workers=1, stage=lambda _label, _size: nullcontext(press))
    assert found.interrupted
    assert len(found.curves) == 2 * BATCH_WATCHED


def test_whoever_sits_alone_is_refused() -> None:
    with pytest.raises(UserError, match="two players"):
        DramaStudy.of("pig", players=1).plans  # noqa: B018  planned as it is asked for
    assert DramaStudy.of("orchard", players=1).plans[0].experiment == make_experiment("orchard", players=1)
