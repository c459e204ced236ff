"""Tuning a strategy: the best value is found where it is known exactly, and nothing is reported that it was picked by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from anchors.exact_answers import pig_duel, pig_hold

from simulator.errors import UserError
from simulator.stats.estimate import Estimate, estimate_share
from simulator.studies import strategy_axes, strategy_search
from simulator.studies.pairs import PairedRun
from simulator.studies.search import FRESH, mean_of, seed_for
from simulator.studies.strategy_axes import every_value, nearest_value
from simulator.studies.tune_strategy import StrategyTuning, TuneStrategyPlan, TuneStrategyStudy, points_text, tune_strategy

TWO_PARAMETERS = '''
from simulator.games.pig import HOLD, ROLL
from strategies import Params, strategy


@strategy("pig")
def split(view, u, p=Params(tens=1.0, ones=2.0)):
    """Holds once the turn is worth ten times `tens` and `ones` points, or enough to win."""
    return HOLD if view.total >= 10 * p.tens + p.ones or view.score[view.seat] + view.total >= view.goal else ROLL
'''


@pytest.fixture(scope="module")
def exact() -> dict[int, float]:
    """How often each hold-at wins against hold-at-20, seated first and second alike, exactly."""
    classic = pig_hold(20)
    duels = {at: pig_duel(pig_hold(at), classic) for at in range(1, 61)}
    return {at: float(begins[0, 0] + 1 - follows[0, 0]) / 2 for at, (begins, follows) in duels.items()}


def pig(strategy: str = "hold", **question: Any) -> StrategyTuning:
    part: StrategyTuning = tune_strategy("pig", strategy=strategy, **({"players": [2], "games": 32_000, "trials": 60} | question))
    return part


def planned(game: str, strategy: str, **question: Any) -> TuneStrategyPlan:
    (plan,) = TuneStrategyStudy.of(game, strategy=strategy, **question).plans
    assert isinstance(plan, TuneStrategyPlan)
    return plan


@pytest.fixture(scope="module")
def tuned() -> StrategyTuning:
    return pig()


# ---------------------------------------------------------------- the answer is known
def test_tuning_hold_finds_the_value_that_is_best_of_all_by_exact_value(tuned: StrategyTuning, exact: dict[int, float]) -> None:
    best, second = sorted(exact, key=exact.__getitem__, reverse=True)[:2]
    assert tuned.values == (("at", best),)
    assert exact[best] - exact[second] > 0.003, "there is one best"
    assert (best, tuned.line) == (25, "hold:at=25")
    assert tuned.exhaustive
    assert tuned.tried == 61
    assert tuned.improved


def test_the_gain_on_fresh_playouts_holds_the_exact_one(tuned: StrategyTuning, exact: dict[int, float]) -> None:
    gain = exact[25] - 0.5
    (with_two,) = tuned.gains
    assert with_two.difference.low < gain < with_two.difference.high
    assert with_two.before.low < 0.5 < with_two.before.high
    assert with_two.word == "differs"
    assert tuned.gain == with_two.difference
    assert with_two.difference.high - with_two.difference.low < 0.009


def test_the_best_value_is_not_improved_upon() -> None:
    """Holding at 25 beats its neighbours, exactly; so whatever looked better is not."""
    found = pig("hold:at=25", vary=["at=24:26"], games=20_000)
    assert not found.improved
    assert found.values == (("at", 25),)
    assert found.gains == ()
    assert found.as_dict()["use"] is None
    assert "No improvement was found" in found.finding


def test_what_looked_better_and_is_not_is_no_improvement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_search, "knock_out", lambda *_: ((("at", 24),), 0.1))
    found = pig("hold:at=25", vary=["at=24:26"], games=20_000)
    assert found.gain is not None
    assert found.gain.high < 0
    assert not found.improved
    assert "looked better, but is worse on fresh playouts: it wins" in found.finding
    assert f"wins {-100 * found.gain.best:.2f} ({-100 * found.gain.high:.2f} to {-100 * found.gain.low:.2f}) percentage" in found.finding


def test_what_is_open_on_fresh_playouts_is_not_said_to_be_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Holding at 25 is better than at 20, exactly; few playouts do not show it."""
    monkeypatch.setattr(strategy_search, "knock_out", lambda *_: ((("at", 25),), 0.1))
    found = pig(games=2000)
    assert found.gain is not None
    assert found.gain.low < 0 < found.gain.high
    assert not found.improved
    told = points_text(found.gain)
    assert found.finding == (
        f"hold:at=25 looked better, but is not shown to be better on fresh playouts: {told} percentage points; more --games may tell."
    )


def test_an_end_of_a_gain_tells_on_which_side_of_zero_it_lies() -> None:
    assert points_text(Estimate(-0.00001, -0.004, 0.00002, 9, "share")) == "0.00 (-0.40 to 0.002)"


def test_evenly_spaced_values_of_a_fraction_are_not_all_that_there_are(tmp_path: Path, tuned: StrategyTuning) -> None:
    (tmp_path / "mine.py").write_text(TWO_PARAMETERS, encoding="utf-8")
    found = pig(f"{tmp_path / 'mine.py'}:split", vary=["tens=0:3"], against="hold", games=1_600)
    assert (found.exhaustive, found.how) == (False, "evenly spaced values")
    assert (tuned.exhaustive, tuned.how) == (True, "all of them")


def test_the_evolution_strategy_comes_near_the_best_of_parameters_that_are_no_whole_numbers(
    tmp_path: Path, exact: dict[int, float]
) -> None:
    """Two parameters that together mean hold-at-12 at first; holding at 20 and at 25 are the two peaks of the landscape."""
    (tmp_path / "mine.py").write_text(TWO_PARAMETERS, encoding="utf-8")
    found = pig(f"{tmp_path / 'mine.py'}:split", vary=["tens=0:3", "ones=0:9"], against="hold", trials=60, games=24_000)
    assert not found.exhaustive
    assert found.improved
    values = dict(found.values)
    reached = math.ceil(10 * values["tens"] + values["ones"])
    assert exact[12] < max(exact.values()) - 0.05
    assert exact[reached] > max(exact.values()) - 0.016
    assert found.line == f"{tmp_path / 'mine.py'}:split:tens={values['tens']:.12g},ones={values['ones']:.12g}"
    assert all(round(100 * v, 6) == round(100 * v) for v in values.values()), "rounded to few digits"


def test_the_shipped_runner_plays_with_what_tuning_found() -> None:
    found = tune_strategy("vacation", strategy="runner:long=5,eddies=2", vary=["long=5:6", "eddies=2:3"], players=[2], games=8000)
    assert found.improved
    assert dict(found.values) == found.plan.player.strategy.parameters
    assert found.line == "runner"


# ---------------------------------------------------------------- fresh, paired, reproducible
def test_what_is_reported_was_played_on_draws_that_had_no_part_in_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[tuple[int, int]] = []
    runs: list[PairedRun] = []
    play = strategy_search.play_pairs

    def noted(experiments: Sequence[Any], games: int, **more: Any) -> Any:
        assert len({e.seed for e in experiments}) == 1, "all candidates play the same draws"
        seeds.append((experiments[0].seed, len(experiments)))
        runs.append(play(experiments, games, **more))
        return runs[-1]

    monkeypatch.setattr(strategy_search, "play_pairs", noted)
    found = pig(vary=["at=18:26"], games=8000)
    last, search = seeds[-2:], seeds[:-2]
    assert [n for _, n in last] == [2, 2]
    assert {s for s, _ in last} == {seed_for(1, FRESH, 2, 0), seed_for(1, FRESH, 2, 1)}
    shares = [run.part.pairs[0][f"wins.{seat}"].difference / run.part.games for seat, run in enumerate(runs[-2:])]
    assert found.gains[0].difference.best == pytest.approx(np.mean(shares), abs=1e-12)
    assert not {s for s, _ in last} & {s for s, _ in search}


def test_the_number_of_workers_does_not_change_the_answer() -> None:
    """Several batches in the final measurement, or a second worker had nothing to do."""
    one, two = (pig("hold:at=12", vary=["at=24:25"], games=40_000, workers=n) for n in (1, 2))
    assert one.gains
    assert one.as_dict() == two.as_dict()
    assert one.as_dict() != pig("hold:at=12", vary=["at=24:25"], games=40_000, seed=2).as_dict()


def test_every_seat_plays_the_candidate_in_turn_against_the_named_one() -> None:
    plan = planned("pig", "hold:at=22", players=[3], against="strict_hold")
    lineups = [[p.label for p in plan.experiment(table, (("at", 25),), 1).lineup] for table in plan.tables]
    assert lineups == [["hold:at=25" if seat == own else "strict_hold" for seat in range(3)] for own in range(3)]


def test_in_a_cooperative_game_everybody_plays_the_candidate() -> None:
    plan = planned("grinchmas", "team", players=[2, 3], vary=["rival=0:1"])
    assert plan.tables == ((2, None), (3, None))
    assert {p.label for p in plan.experiment((3, None), (("rival", 0.5),), 1).lineup} == {"team:rival=0.5"}


def test_parameters_that_do_not_move_stay_as_they_were_asked_for() -> None:
    plan = planned("vacation", "racer:wild=2", vary=["near=1:9"], players=[2])
    assert plan.start == (("near", 5.0),)
    assert plan.line((("near", 7.0),)) == "racer:near=7,wild=2"


# ---------------------------------------------------------------- ranges
def test_unless_told_otherwise_a_parameter_lies_between_nothing_and_three_times_its_value() -> None:
    (at,) = planned("pig", "hold", players=[2]).axes
    assert at.values == range(61)
    axes = {axis.key: axis for axis in planned("crocs", "opportunist", players=[2]).axes}
    assert axes["coal"].ends == (0, 3 * 6.5)
    assert axes["coal"].values[1:3] == (0.01, 0.02)
    assert axes["keep_present"].ends == (0, 7.0), "nothing has no size, so the strategy's largest counts"


def test_a_value_is_rounded_to_the_nearest_of_its_axis() -> None:
    (odd,) = planned("grinchmas", "team", vary=["rival=0.12345:0.5"]).axes
    assert [nearest_value(odd, value) for value in (0.0, 0.1236, 0.4321, 9.0)] == [0.12345, 0.124, 0.432, 0.5]
    assert {nearest_value(odd, 0.1 + i / 1000) for i in range(500)} == set(odd.values)


def test_few_values_are_all_tried_and_many_are_not() -> None:
    assert every_value(planned("pig", "hold", players=[2], vary=["at=3:5"]).axes) == [(("at", 3),), (("at", 4),), (("at", 5),)]
    patient = planned("grinchmas", "patient", vary=["near=0:1", "more=1:2"])
    assert every_value(patient.axes) == [(("near", a), ("more", b)) for a in (0, 1) for b in (1, 2)]
    assert len(every_value(planned("grinchmas", "team", vary=["rival=0:1"]).axes) or ()) == strategy_axes.GRID
    assert every_value(planned("grinchmas", "team").axes) is None
    assert every_value(planned("pig", "hold", players=[2], vary=["at=0:1000"]).axes) is None


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no parameters": ({"game": "grinchmas", "strategy": "greedy"}, "nothing to tune"),
    "no such parameter": ({"vary": ["att=1:2"]}, "did you mean 'at'?"),
    "no range": ({"vary": ["at=1"]}, "write it as at=low:high"),
    "backwards": ({"vary": ["at=5:2"]}, "is no range"),
    "no whole number": ({"vary": ["at=1.5:2"]}, "whole number"),
    "twice": ({"vary": ["at=1:2", "at=3:4"]}, "twice"),
    "alone": ({"players": [1]}, "nobody to win against"),
    "nobody against": ({"game": "grinchmas", "strategy": "team", "against": "uniform"}, "leave --against out"),
    "no such strategy": ({"strategy": "holt"}, "did you mean 'hold'?"),
    "no such opponent": ({"against": "holt"}, "did you mean 'hold'?"),
    "too many players": ({"players": [9]}, "not 9"),
    "impossible rules": ({"rules": {"goal": -1}}, "goal"),
}


@pytest.mark.parametrize(("question", "reason"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_tuned_is_refused_in_a_sentence(question: dict[str, Any], reason: str) -> None:
    with pytest.raises(UserError) as refusal:
        planned(**({"game": "pig", "strategy": "hold", "players": [2]} | question))
    assert reason in str(refusal.value)


# ---------------------------------------------------------------- Ctrl-C
def interrupted_after(calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play = strategy_search.play_pairs
    left = [calls]

    def stopped(*arguments: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return play(*arguments, **more)

    monkeypatch.setattr(strategy_search, "play_pairs", stopped)


def test_an_interrupted_search_names_its_best_and_calls_it_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_after(5, monkeypatch)
    found = pig(vary=["at=18:27"], games=8000)
    assert found.interrupted
    assert found.gains == ()
    assert not found.improved
    assert "not confirmed" in found.finding
    assert found.as_dict()["after"] is None


def test_a_search_interrupted_before_anything_was_picked_is_just_that(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_after(1, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        pig(vary=["at=18:27"], games=8000)


# ---------------------------------------------------------------- means of figures measured apart
def test_the_mean_of_several_figures_is_within_its_interval_as_often_as_promised() -> None:
    rng = np.random.default_rng(7)
    shares, n, times = np.array([0.02, 0.1, 0.5]), 400, 2000
    counts = rng.binomial(n, shares, (times, len(shares)))
    known = {int(k): estimate_share(int(k), n) for k in np.unique(counts)}
    held = sum(e.low < shares.mean() < e.high for e in (mean_of([known[int(k)] for k in line]) for line in counts))
    assert 0.935 < held / times < 0.97


def test_the_mean_of_one_figure_is_that_figure() -> None:
    one = Estimate(0.25, 0.125, 0.5, 9, "share")
    assert mean_of([one]) == one
