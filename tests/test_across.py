"""Across strategies: a planted flip is found and proved from exact values, and no flip is found where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from anchors import exact_answers as exact
from scipy.stats import binom

from simulator import registry
from simulator.errors import StrategyError, UserError
from simulator.play.resources import Resources
from simulator.stats.bands import Band
from simulator.stats.estimate import Estimate, simultaneous
from simulator.stats.favourites import leads
from simulator.stats.paired import Difference, PairedTally, PairSums
from simulator.studies.across import Answer, Asked, closing, counts, spread_of
from simulator.studies.compare import CompareStudy, compare
from simulator.studies.comparisons import Compared, ComparedAcross, asked_of, judged_together
from simulator.studies.conclusions import Standing, _favourite
from simulator.studies.effects import Effect, Sensitivity
from simulator.studies.moves import Move, moves_of
from simulator.studies.pairs import Variant
from simulator.studies.sensitive_across import Conclusion, SensitivityAcross, _directions
from simulator.studies.sensitivity import SensitivityStudy

PIG, GRINCHMAS = registry.game("pig"), registry.game("grinchmas")
SHORT, LONGER = 17, 21
"""Goals of Pig between which who begins gains if both hold at 15, and loses if both hold at 20."""

BOTH = {"hold:at=15": 15, "hold": 20}
LONGER_GAME = Variant("longer", {"goal": LONGER})


def first_wins(monkeypatch: pytest.MonkeyPatch, goal: int, at: int) -> float:
    """The exact chance of who begins, both holding at `at`."""
    monkeypatch.setattr(exact, "GOAL", goal)
    monkeypatch.setattr(exact, "MOST", goal + max(exact.COUNTING))
    return exact.pig_first(exact.pig_hold(at), exact.pig_hold(at))


def pig_across(**changes: Any) -> Any:
    asked: dict[str, Any] = {"players": 2, "games": 60_000, "seed": 2, "rules": {"goal": SHORT}, "metrics": ["wins.0", "turns"]}
    return compare("pig", **({"variants": [LONGER_GAME], "across": tuple(BOTH)} | asked | changes))


def about(found: ComparedAcross | SensitivityAcross, metric: str) -> Asked:
    (one,) = [a for a in found.asked if a.metric.name == metric]
    return one


# ---------------------------------------------------------------- a planted flip


def test_a_change_that_helps_one_kind_of_players_and_hurts_another_flips_as_the_exact_values_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    effects = {name: first_wins(monkeypatch, LONGER, at) - first_wins(monkeypatch, SHORT, at) for name, at in BOTH.items()}
    assert effects["hold:at=15"] > 0.01
    assert effects["hold"] < -0.04
    one = about(pig_across(), "wins.0")
    assert one.status == "flips"
    assert {a.strategy: a.says for a in one.answers} == {"hold:at=15": "up", "hold": "down"}
    for answer in one.answers:
        assert answer.difference.low < effects[answer.strategy] < answer.difference.high
    assert "up under hold:at=15; down under hold" in one.text


def test_what_all_strategies_say_holds() -> None:
    found = pig_across(games=10_000)
    assert about(found, "turns").status == "holds"
    assert found.closing == "Of 2 verdicts, 1 holds under every strategy, 1 flips, none is open."


def test_each_strategy_gets_the_figures_that_it_gets_alone() -> None:
    alone = compare("pig", variants=[LONGER_GAME], players=2, games=5000, rules={"goal": SHORT}, seed=2, strategies=["hold:at=15"])
    strategy, together = pig_across(games=5000, metrics=()).found[0]
    assert strategy == "hold:at=15"
    assert [c.difference for c in together.comparisons] == [c.difference for c in alone.comparisons]


def test_playing_until_decided_goes_on_until_all_is_decided_together() -> None:
    found = pig_across(games=1_000_000, metrics=["wins.0"], until_decided=True)
    assert counts(found.asked) == {"holds": 0, "flips": 1, "open": 0}
    games = [compared.run.part.games for _, compared in found.found]
    assert games[1] < games[0] < 200_000, "the larger effect is decided sooner"


def test_a_run_that_is_judged_with_many_others_plays_on_until_it_is_decided_among_them() -> None:
    asked: dict[str, Any] = {"rules": {"goal": SHORT}, "strategies": ["hold:at=15"], "metrics": ["wins.0"], "until_decided": True}
    study = CompareStudy.of("pig", players=2, variants=[LONGER_GAME], games=1_000_000, **asked)

    def played(together: int) -> int:
        found: Compared = study.play_part(replace(study.plans[0], confidence=simultaneous(together)), Resources())
        return found.run.part.games

    assert played(1) < played(1_000_000)


# ---------------------------------------------------------------- no flip where nothing changes


def test_the_same_rules_are_equivalent_under_every_strategy() -> None:
    found = compare("grinchmas", variants=["wishes.goal=8"], across=("team", "uniform"), players=3, games=500)
    assert {a.status for a in found.asked} == {"holds"}
    assert {answer.says for a in found.asked for answer in a.answers} == {"equivalent"}


def test_rules_that_cannot_matter_flip_nothing_and_leave_all_open() -> None:
    found = compare("grinchmas", variants=["exchange.min_players=6"], across=("team", "uniform"), players=3, games=500)
    assert {a.status for a in found.asked} == {"open"}


def chance_pairs(generator: np.random.Generator, names: tuple[str, ...]) -> PairedTally:
    """1000 pairs of a change that does nothing: those that differ go either way with the same chance."""
    n, moved = 1000, 400
    sums = []
    for up in generator.binomial(moved, 0.5, len(names)):
        baseline = 500 - int(up) + moved // 2
        changed = baseline + 2 * int(up) - moved
        sums.append(PairSums(baseline, changed, baseline, changed, moved, moved))
    return PairedTally(names, n, tuple(sums))


def test_where_nothing_changes_wrong_verdicts_and_flips_stay_within_what_was_promised() -> None:
    generator = np.random.default_rng(20)
    found = pig_across(games=100, metrics=["wins.0", "wins.1"]).found[0][1]
    names = tuple(m.name for m in PIG.metrics(PIG.rules(), 2))

    def by_chance() -> Compared:
        return replace(found, run=replace(found.run, part=replace(found.run.part, pairs=(chance_pairs(generator, names),))))

    wrong = flips = 0
    repeats = 60
    for _ in range(repeats):
        judged = judged_together([by_chance() for _ in range(5)], {})
        asked = asked_of([(f"strategy {i}", one) for i, one in enumerate(judged)], 5, {})
        wrong += any(one.verdict == "differs" for compared in judged for one in compared.comparisons)
        flips += any(one.status == "flips" for one in asked)
    assert binom.sf(wrong - 1, repeats, 0.05) > 1e-4, f"{wrong} of {repeats} found something; judged one by one some twenty-five would"
    assert flips <= 1


def test_several_runs_judged_together_are_not_judged_one_by_one() -> None:
    found = compare("pig", variants=[LONGER_GAME], players=2, games=4096, rules={"goal": SHORT}, metrics=["wins.0"])
    n, up, down = 4096, 230, 184  # McNemar: p = 0.024
    sums = PairSums(2000, 2000 + up - down, 2000, 2000 + up - down, up + down, up + down)
    pairs = PairedTally(("wins.0",), n, (sums,))
    doubtful = replace(found, run=replace(found.run, part=replace(found.run.part, pairs=(pairs,))))
    (alone,) = judged_together([doubtful], {})
    assert alone.comparisons[0].word == "differs"
    idle = replace(pairs, sums=(PairSums(2000, 2000, 2000, 2000, up + down, up + down),))
    quiet = replace(doubtful, run=replace(doubtful.run, part=replace(doubtful.run.part, pairs=(idle,))))
    together = judged_together([doubtful, quiet, quiet], {})
    assert {one.comparisons[0].word for one in together} == {"undecided"}


# ---------------------------------------------------------------- what flips and what does not

WINS = next(m for m in PIG.metrics(PIG.rules(), 2) if m.name == "wins.0")


def answer(says: Any, *, beyond: bool = False) -> Answer:
    return Answer("somebody", says, Estimate(0.0, -1.0, 1.0, 100, "share"), beyond)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ((("up", True), ("down", True)), "flips"),
        ((("up", True), ("undecided", False)), "open"),
        ((("undecided", False), ("undecided", False)), "open"),
        ((("up", True), ("up", False)), "holds"),
        ((("equivalent", False), ("equivalent", False)), "holds"),
        ((("equivalent", False), ("down", True)), "flips"),
        ((("equivalent", False), ("down", False)), "open"),
        ((("up", True), ("down", True), ("undecided", False)), "flips"),
    ],
)
def test_only_verdicts_that_contradict_each_other_flip(said: tuple[tuple[str, bool], ...], status: str) -> None:
    asked = Asked("a change", 2, WINS, tuple(answer(says, beyond=beyond) for says, beyond in said), len(said))
    assert asked.status == status


def test_a_strategy_that_was_not_played_leaves_open_what_the_others_agree_on() -> None:
    assert Asked("a change", 2, WINS, (answer("up"), answer("up")), 3).status == "open"


def test_with_a_margin_an_effect_flips_only_if_it_is_larger_than_that_elsewhere() -> None:
    wide = pig_across(games=40_000, metrics=["wins.0"], margins=["0.025"])
    assert {a.strategy: a.says for a in wide.asked[0].answers} == {"hold:at=15": "equivalent", "hold": "down"}
    assert wide.asked[0].status == "flips", "4 points down are more than 2.5"
    edge = pig_across(games=40_000, metrics=["wins.0"], margins=["0.041"])
    assert edge.asked[0].status == "open", "4.1 points may be up to the margin"


def standing(state: Any, *others: Any, settled: bool = True) -> Standing:
    return Standing("it", frozenset({state}), ("wins.0",), str(state), frozenset(others), settled=settled)


def test_conclusions_flip_only_if_each_rules_out_the_other() -> None:
    def status(*said: Standing) -> str:
        return Conclusion("it", 2, tuple(("somebody", s) for s in said), len(said)).status

    more, less = standing("more", "less"), standing("less", "more")
    assert status(more, less) == "flips"
    assert status(more, more) == "holds"
    assert status(more, standing("about", "more", "less", settled=False)) == "open"
    assert status(standing("a", "b"), standing("b")) == "open", "under the other, a may be the favourite as well"


def test_two_favourites_that_are_about_equal_contradict_nobody() -> None:
    seats = [replace(WINS, name=f"wins.{i}") for i in range(3)]

    def drawn(*shares: float) -> Standing:
        estimates = {m.name: Estimate(s, s - 0.01, s + 0.01, 9000, "share") for m, s in zip(seats, shares, strict=True)}
        return _favourite(seats, estimates, leads([round(9000 * s) for s in shares], 9000))

    level, turned = drawn(0.401, 0.399, 0.2), drawn(0.399, 0.401, 0.2)
    assert level.state == turned.state == {"wins.0", "wins.1"}
    assert Conclusion("the favourite", 3, (("a", level), ("b", turned)), 2).status == "holds", "one of the two, under either"
    assert Conclusion("the favourite", 3, (("a", drawn(0.5, 0.3, 0.2)), ("b", drawn(0.3, 0.5, 0.2))), 2).status == "flips"


def test_the_closing_sentence_counts_in_words() -> None:
    held = Asked("a change", 2, WINS, (answer("up"), answer("up")), 2)
    turned = Asked("a change", 1, WINS, (answer("up"), answer("down")), 2)
    assert closing([held], "verdict") == "Of 1 verdict, 1 holds under every strategy, none flips, none is open."
    assert closing([held, held, turned], "verdict") == "Of 3 verdicts, 2 hold under every strategy, 1 flips, none is open."
    assert closing([turned, turned], "effect") == "Of 2 effects, none holds under every strategy, 2 flip, none is open."


# ---------------------------------------------------------------- the spread


def test_the_spread_is_all_strategies_of_a_game_its_default_first_or_those_named() -> None:
    every = spread_of(GRINCHMAS, ["strategies"])
    assert every[0] == GRINCHMAS.default_strategy
    assert set(every) == set(registry.strategies("grinchmas"))
    assert spread_of(PIG, ["hold:at=15", "optimal"]) == ("hold:at=15", "optimal")
    assert spread_of(PIG, ["strategies", "hold:at=15"])[-1] == "hold:at=15"


def test_a_strategy_that_is_named_twice_is_asked_once() -> None:
    assert spread_of(PIG, ["hold:at=20", "uniform", "hold"]) == ("hold:at=20", "uniform")


def test_a_spread_of_one_and_unknown_strategies_are_refused() -> None:
    with pytest.raises(UserError, match="under one strategy only, hold"):
        spread_of(PIG, ["hold", "hold:at=20"])
    with pytest.raises(UserError, match="under one strategy only, uniform"):
        spread_of(registry.game("ladders"), ["strategies"])
    with pytest.raises(StrategyError, match="hold"):
        spread_of(PIG, ["hold", "hodl"])


def test_what_cannot_be_asked_is_refused_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.studies.compare.play_pairs", lambda *_arguments, **_how: pytest.fail("something was played"))
    with pytest.raises(UserError, match="names who plays it"):
        pig_across(variants=[replace(LONGER_GAME, strategies=("hold",))])
    with pytest.raises(UserError, match="did you mean 'turns'"):
        pig_across(metrics=["trns"])
    with pytest.raises(UserError, match="not 7"):
        pig_across(players=[2, 7])


def test_an_interrupt_keeps_the_strategies_that_are_done_and_holds_nothing() -> None:
    begun: list[str] = []

    @contextmanager
    def watch(label: str, _games: int) -> Iterator[None]:
        begun.append(label)
        if len(begun) == 2:
            raise KeyboardInterrupt
        yield

    found = pig_across(games=5000, stage=watch)
    assert begun == ["hold:at=15, 2 players", "hold, 2 players"]
    assert found.interrupted
    assert [strategy for strategy, _ in found.found] == ["hold:at=15"]
    assert {a.status for a in found.asked} == {"open"}


# ---------------------------------------------------------------- sensitivity


def sensitive(game: Any, strategies: tuple[str, ...], keys: dict[str, Any], players: int = 2, **options: Any) -> SensitivityAcross:
    """The study of a few moves."""
    question: SensitivityStudy = SensitivityStudy.of(game, players=players, across=strategies, **options)
    moves, _ = moves_of(game, question.setup.rules, keys.items())
    wanted = [m for m in moves if m.key in keys and m.to == keys[m.key]]
    with patch("simulator.studies.sensitivity.moves_of", return_value=(wanted, [])):
        part = question.play().parts[0]
    assert isinstance(part, SensitivityAcross)
    return part


@pytest.fixture(scope="module")
def pig() -> SensitivityAcross:
    return sensitive(PIG, tuple(BOTH), {"goal": LONGER}, rules={"goal": SHORT}, games=60_000, metrics=("wins.0", "turns"))


def test_an_effect_that_changes_its_direction_flips(pig: SensitivityAcross) -> None:
    assert {a.strategy: a.says for a in about(pig, "wins.0").answers} == {"hold:at=15": "up", "hold": "down"}
    assert about(pig, "wins.0").status == "flips"
    assert about(pig, "turns").status == "holds"


def test_a_favourite_that_all_strategies_see_holds(pig: SensitivityAcross) -> None:
    assert [(c.about, c.status) for c in pig.conclusions] == [("the favourite", "holds"), ("unfinished", "holds")]


def test_a_conclusion_that_depends_on_who_plays_flips() -> None:
    found = sensitive(GRINCHMAS, ("team", "uniform"), {"win_on_tie": False}, players=4, games=2000)
    (conclusion, ending) = found.conclusions
    assert (conclusion.status, ending.status) == ("flips", "holds")
    assert "less than half" in conclusion.text
    assert "more than half" in conclusion.text


def test_a_doubtful_constant_is_named_with_the_strategies_under_which_it_overturns() -> None:
    asked: dict[str, Any] = {"games": 4000, "target": Band(0.87, 1.0, "players_win")}
    found = sensitive(GRINCHMAS, ("team", "uniform"), {"presents.designs": 2}, players=4, **asked)
    (one,) = found.overturned
    assert [strategy for strategy, _ in one.found] == ["team"]
    assert one.spared == ("uniform",)
    assert "not seen under uniform" in one.text


def test_effects_of_all_strategies_are_judged_together(pig: SensitivityAcross) -> None:
    for _, one in pig.found:
        others = sum(len(other.effects) for _, other in pig.found if other is not one)
        assert len(one.beside) == others
    weak = replace(pig.found[0][1], beside=(1.0,) * 10_000)
    strong = pig.found[0][1]
    assert all(a.adjusted >= b.adjusted for a, b in zip(weak.effects, strong.effects, strict=True))
    assert any(a.adjusted > b.adjusted for a, b in zip(weak.effects, strong.effects, strict=True))


def test_conclusions_of_many_strategies_have_wider_intervals(pig: SensitivityAcross) -> None:
    _, one = pig.found[0]
    table = one.tables[0]
    shared, alone = (s.estimate(WINS, table.unmoved, together=True) for s in (one, replace(one, shared=1)))
    assert one.shared == 2
    assert shared.low < alone.low < alone.high < shared.high


def test_directions_of_effects_that_are_none_do_not_flip(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(5)

    def effect(number: int) -> Effect:
        p, sign = generator.random(), generator.choice([-1.0, 1.0])
        nothing = Estimate(sign, -2.0, 2.0, 100, "share")
        return Effect(Move(f"k{number}", 1, 2, "assumed", plausible=True), 2, WINS, Difference(nothing, nothing, nothing, None, p, 10))

    def told() -> list[Asked]:
        studies: dict[str, Any] = {
            s: SimpleNamespace(effects=[effect(k) for k in range(100)], worth_showing=lambda _metric: True) for s in "abcde"
        }
        return _directions(studies, len(studies))

    repeats = 100
    wrong = sum(any(a.says != "undecided" for one in told() for a in one.answers) for _ in range(repeats))
    assert binom.sf(wrong - 1, repeats, 0.05) > 1e-4
    monkeypatch.setattr("simulator.studies.sensitive_across.holm", tuple)
    assert sum(one.status == "flips" for _ in range(10) for one in told()) > 0, "judged one by one, some would"


def test_constants_without_effect_are_those_without_effect_under_every_strategy() -> None:
    def study(*keys: str) -> Any:
        return SimpleNamespace(without_effect=keys)

    found = SensitivityAcross(("a", "b"), (("a", study("x", "y")), ("b", study("y", "z"))), (), (), (), interrupted=False)
    assert found.without_effect == ("y",)


def test_the_studies_of_single_strategies_are_not_changed_by_the_others(pig: SensitivityAcross) -> None:
    (_, one), *_ = pig.found
    assert isinstance(one, Sensitivity)
    assert one.tables[0].baseline.lineup[0].label == "hold:at=15"
