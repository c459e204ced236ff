"""The classics against what is known exactly: estimates come near it, mutations do not, and the exact values are right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from exact_answers import (
    JUMPS as LEADS,
)
from exact_answers import (
    Array,
    best_of,
    cherry,
    emptiest,
    fullest,
    ladders,
    mean,
    median,
    one_runner,
    orchard,
    pig_alone,
    pig_by_lacking,
    pig_first,
    pig_hold,
    pig_regret,
    pig_turn,
    race,
    sd,
    variance,
)
from exact_drama import PigDrama
from scipy.stats import norm

from simulator import registry
from simulator.games.pig import HOLD, ROLL
from simulator.play.run import run
from simulator.rules import values
from simulator.stats.tally import Histogram, Tally
from simulator.studies import curves, verify
from simulator.studies.anchors import ANCHORS, DRAMA_ANCHORS, JUMPS, Anchor, Answer, DramaAnchor, Question
from simulator.studies.verify import QUICK, check_drama, judged
from strategies.pig import optimal_policy, solve

FAMILY_ERROR = 1e-4
TOLD_APART = 6.0
ANSWERS: tuple[Answer, ...] = (*ANCHORS, *(m for anchor in ANCHORS for m in anchor.mutations))

_played: dict[str, Tally] = {}


def histogram_of(question: Question) -> Histogram:
    """What was counted; an experiment is played once however many anchors read it."""
    key = f"{question.experiment} {question.games}"
    if key not in _played:
        _played[key] = run(**question.experiment, games=question.games, seed=20_04).tally
    return _played[key][question.metric]


def rejected(z: Iterable[float], family_error: float = FAMILY_ERROR) -> list[int]:
    """Which of several estimates differ from their exact value, by Holm's procedure."""
    p = 2 * norm.sf(np.abs(np.array(list(z))))
    found: list[int] = []
    for step, i in enumerate(np.argsort(p)):
        if p[i] > family_error / (len(p) - step):
            break
        found.append(int(i))
    return found


def test_every_estimate_comes_near_its_exact_value() -> None:
    z = [answer.z(histogram_of(answer.question)) for answer in ANSWERS]
    wrong = {ANSWERS[i].name: z[i] for i in rejected(z)}
    assert not wrong
    assert 0.7 < np.std([x for x, answer in zip(z, ANSWERS, strict=True) if answer.exact > 0]) < 1.3  # nor too near


def test_holm_finds_one_wrong_value_among_many_right_ones() -> None:
    assert rejected([0.3, -1.2, 6.0, 2.5, -0.7]) == [2]
    assert rejected([0.3, -1.2, 2.0, 2.5, -0.7]) == []


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda a: a.name)
def test_a_mutation_is_told_apart(anchor: Anchor) -> None:
    assert anchor.mutations
    for mutation in anchor.mutations:
        assert abs(mutation.exact - anchor.exact) > 1e-3
        assert abs(anchor.z(histogram_of(mutation.question))) > TOLD_APART, mutation.name


def test_every_classic_is_anchored_and_says_so() -> None:
    classics = {name for name in registry.game_names() if registry.game(name).classic}
    assert {anchor.question.game for anchor in ANCHORS} == classics
    assert len({answer.name for answer in ANSWERS}) == len(ANSWERS)
    assert all(anchor.source for anchor in ANCHORS)


# ---------------------------------------------------------------- the exact values themselves
LANDINGS: dict[str, dict[str, Any]] = {
    "{}": {},
    "{'board.landing': 'overshoot'}": {"landing": "overshoot"},
    "{'board.landing': 'bounce'}": {"landing": "bounce"},
    "{'die.sides': 12}": {"sides": 12},
}


def stops(text: str) -> Array:
    name, _, at = text.partition(":at=")
    return pig_by_lacking(optimal_policy(), HOLD) if name == "optimal" else pig_hold(int(at), strict=name == "strict_hold")


def of_chances(question: Question, chances: Array) -> float:
    """A question's statistic of an exact distribution."""
    if question.statistic == "share":
        return float(chances[question.values[0] : question.values[1] + 1].sum())
    return {"mean": mean, "sd": sd, "variance": variance}[question.statistic](chances)


def pig_exactly(question: Question) -> float:
    if question.metric == "score.0":
        return of_chances(question, pig_turn(int(question.strategies[0].partition("=")[2])))
    policies = [stops(text) for text in question.strategies]
    if question.metric == "turns":
        return pig_alone(policies[0])
    first = pig_first(*policies)
    return first if question.metric == "wins.0" else 1 - first


def of_turns(question: Question, chances: Array) -> float:
    if question.metric == "turns":
        return of_chances(question, chances)
    return race(chances, question.players)[int(question.metric.partition(".")[2])]


def ladders_exactly(question: Question) -> float:
    changed = question.rules.get("board.jumps")
    chances = ladders(jumps=dict(changed)) if changed else ladders(**LANDINGS[str(dict(question.rules))])
    return of_turns(question, chances)


def cherry_exactly(question: Question) -> float:
    faces = question.rules.get("spinner", (1, 2, 3, 4, -2, -2, "spill"))
    return of_turns(question, cherry([-10 if face == "spill" else face for face in faces]))


def orchard_exactly(question: Question) -> float:
    choose = {"fullest": fullest, "uniform": None, "emptiest": emptiest}[question.strategies[0]]
    rules = question.rules
    return orchard(rules["trees.fruit"], rules["raven.steps"], rules["basket.fruits"], choose)


def cantstop_exactly(question: Question) -> float:
    return one_runner(question.rules["columns"][0])


EXACTLY = {
    "pig": pig_exactly,
    "ladders": ladders_exactly,
    "cherry": cherry_exactly,
    "orchard": orchard_exactly,
    "cantstop": cantstop_exactly,
}


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: a.name)
def test_the_exact_value_follows_from_the_rules_to_the_last_printed_digit(answer: Answer) -> None:
    computed = EXACTLY[answer.question.game](answer.question)
    assert computed == pytest.approx(answer.exact, abs=answer.rounding + 1e-12, rel=0)


def test_no_player_gains_by_leaving_the_optimal_policy_once_and_one_does_by_leaving_another() -> None:
    assert pig_regret(stops("optimal")) < 1e-12
    assert pig_regret(pig_hold(20)) > 0.01


def test_the_solver_finds_the_chance_that_the_policy_has() -> None:
    assert solve()[0][100, 100] == pytest.approx(pig_first(stops("optimal"), stops("optimal")), abs=1e-12)


def test_the_solver_follows_the_goal_and_the_die() -> None:
    """A coin that busts on 1 and counts 2. Lacking 1 each: x = 1/2 + (1 - x) / 2.

    Who lacks 3 against 1 has to flip twice, since holding leaves 1/3: x = 1/4 + 3/4 (1 - y), where y = 1/2 + (1 - x) / 2.
    """
    chance, policy = solve(sides=2, bust=1, goal=3)
    assert chance[1, 1] == pytest.approx(2 / 3)
    assert (chance[3, 1], chance[1, 3]) == pytest.approx((0.4, 0.8))
    assert (policy[3, 1, 2], policy[1, 3, 1]) == (ROLL, HOLD)


def test_a_turn_of_hold_at_20_busts_with_the_chance_known_as_a_fraction() -> None:
    assert pig_turn(20)[0] == pytest.approx(9_440_899 / 15_116_544, abs=1e-15)


def test_the_median_and_the_mode_of_chutes_and_ladders() -> None:
    alone = ladders()
    assert (median(alone), int(alone.argmax())) == (32, 22)
    assert histogram_of(next(a for a in ANCHORS if a.question.game == "ladders").question).quantile(0.5) in {32, 33}


def test_the_board_of_the_anchors_is_the_one_that_ships() -> None:
    shipped = values(registry.game("ladders").rules())["board.jumps"]
    assert dict(shipped) == dict(JUMPS) == LEADS  # type: ignore[arg-type]  # pairs


@pytest.mark.parametrize(("fruit", "steps", "picks"), [(4, 5, 1), (4, 6, 1), (10, 9, 2)])
def test_the_fullest_tree_is_the_best_choice(fruit: int, steps: int, picks: int) -> None:
    assert orchard(fruit, steps, picks, best_of) == pytest.approx(orchard(fruit, steps, picks, fullest), abs=1e-14)


# ---------------------------------------------------------------- how chances move
_MARK = re.compile(r"a mark at (\d+) percent")


def drama_exactly(anchor: DramaAnchor, *, mutated: bool) -> float:
    plain = PigDrama(anchor.players, goal=anchor.goal)
    if not mutated:
        return plain.figures[anchor.name]
    others = {"the last turn in its place": "turns", "games that nobody led": "nobody_led"}
    if anchor.mutation in others:
        return float(getattr(plain, others[anchor.mutation]))
    mark = _MARK.fullmatch(anchor.mutation)
    if mark is None:
        return PigDrama(anchor.players, int(anchor.mutation.removeprefix("a hold at ")), anchor.goal).figures[anchor.name]
    return (plain.decided_early if anchor.name == "decided_early" else plain.below)(int(mark[1]) / 100)


def test_how_chances_move_follows_from_the_rules_to_the_last_printed_digit() -> None:
    for anchor in DRAMA_ANCHORS:
        assert drama_exactly(anchor, mutated=False) == pytest.approx(float(anchor.printed), abs=5.1e-8, rel=0), anchor.title
        assert drama_exactly(anchor, mutated=True) == pytest.approx(float(anchor.other), abs=5.1e-8, rel=0), anchor.title


@pytest.mark.parametrize("players", [2, 3])
def test_the_chances_by_iteration_are_those_of_the_other_computation(players: int) -> None:
    start = PigDrama(players, goal=100 if players == 2 else 60).chances[0][(slice(None), *(0,) * players)]
    assert start.sum() == pytest.approx(1)
    if players == 2:
        assert start[0] == pytest.approx(pig_first(pig_hold(20), pig_hold(20)), abs=1e-12)


def test_the_checks_of_how_chances_move_hold_and_fail_where_noise_is_counted_at_face_value(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(check.held for check in judged(list(check_drama(QUICK, 1))))
    monkeypatch.setattr(verify, "DRAMA_ANCHORS", DRAMA_ANCHORS[:2])
    monkeypatch.setattr(verify, "DRAMA_ROLLOUTS", 20)
    monkeypatch.setattr(curves, "SAMPLES", (tuple(range(4)),) * 7)
    assert not all(check.held for check in judged(list(check_drama(QUICK, 1))))
