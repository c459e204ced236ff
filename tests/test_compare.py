"""Comparisons on common random numbers: the right size, exactly zero where nothing differs, the same for any number of workers."""

from __future__ import annotations

from typing import Any

import pytest

from simulator import registry
from simulator.errors import RulesError, UserError
from simulator.play.experiment import BATCH
from simulator.play.run import run
from simulator.stats.estimate import estimate_share
from simulator.stats.sequences import half_width
from simulator.studies.compare import CompareStudy, compare
from simulator.studies.comparisons import Compared, Comparison
from simulator.studies.pairs import Variant, experiments_of, parse_variant, play_pairs
from simulator.studies.study import Setup

GRINCHMAS = registry.game("grinchmas")

EXACT_EFFECT = 0.768497 - 0.631357
"""First Orchard, best play: six raven steps in place of five."""


def variant(**overrides: Any) -> Variant:
    return Variant("changed", {key.replace("__", "."): value for key, value in overrides.items()})


def only(found: Compared, metric: str) -> Comparison:
    (one,) = [c for c in found.comparisons if c.metric.name == metric]
    return one


def test_an_effect_of_known_size_is_found_with_the_right_size() -> None:
    found = compare("orchard", variants=[variant(raven__steps=6)], players=2, games=200_000, strategies=["fullest"])
    one = only(found, "players_win")
    assert one.difference.low < EXACT_EFFECT < one.difference.high
    assert one.word == "differs"
    assert one.difference.best == pytest.approx(one.changed.best - one.baseline.best)


def test_identical_variants_differ_by_exactly_nothing() -> None:
    found = compare("grinchmas", variants=[variant(wishes__goal=8)], games=3000, metrics=["all"])
    assert {(c.difference.best, c.difference.low, c.difference.high, c.word) for c in found.comparisons} == {(0, 0, 0, "equivalent")}


def test_rules_that_cannot_matter_give_no_difference_but_no_certainty_either() -> None:
    found = compare("grinchmas", variants=[variant(exchange__min_players=6)], games=3000)
    one = only(found, "players_win")
    assert one.difference.best == 0
    assert one.difference.low < 0 < one.difference.high


def test_both_sides_are_what_runs_of_their_own_count() -> None:
    found = compare("grinchmas", variants=[variant(stars__trio=6)], games=10_000, strategies=["greedy"])
    one = only(found, "grinch_wins")
    assert one.baseline.best == run("grinchmas", games=10_000, strategies=["greedy"]).estimates["grinch_wins"].best
    assert one.changed.best == run("grinchmas", games=10_000, strategies=["greedy"], rules={"stars.trio": 6}).estimates["grinch_wins"].best


def test_pairing_needs_at_least_twice_fewer_playouts_than_independent_runs() -> None:
    found = compare("grinchmas", variants=[variant(stars__trio=6)], games=40_000, strategies=["greedy"])
    one = only(found, "players_win")
    assert one.playouts_saved is not None
    assert one.playouts_saved > 2
    independent = sum(half_width(estimate_share(round(e.best * e.n), e.n)) ** 2 for e in (one.baseline, one.changed))
    assert half_width(one.difference) ** 2 < independent / 2


def test_the_number_of_workers_does_not_matter() -> None:
    experiments = experiments_of(Setup(GRINCHMAS, (3,), ("uniform",), seed=4), [variant(stars__trio=6)])
    runs = [play_pairs(experiments, 3 * BATCH + 5, workers=w) for w in (1, 3)]
    assert runs[0].part.pairs[0].digest == runs[1].part.pairs[0].digest
    assert [t.digest for t in runs[0].part.tallies] == [t.digest for t in runs[1].part.tallies]


def test_playing_until_decided_stops_early_and_says_so() -> None:
    found = compare(
        "orchard", variants=[variant(raven__steps=6)], games=1_000_000, strategies=["fullest"], metrics=["players_win"], until_decided=True
    )
    assert found.run.decided
    assert found.run.part.games < 50_000
    assert found.sequential


def test_what_is_not_decided_in_time_stays_undecided() -> None:
    found = compare("grinchmas", variants=[variant(win_on_tie=False)], games=300, metrics=["turns"], until_decided=True)
    assert not found.run.decided
    assert only(found, "turns").word == "undecided"


def test_a_margin_makes_small_differences_equivalent() -> None:
    narrow = compare("grinchmas", variants=[variant(stars__trio=6)], games=60_000, strategies=["greedy"], margins=["turns=0"])
    wide = compare("grinchmas", variants=[variant(stars__trio=6)], games=60_000, strategies=["greedy"], margins=["turns=0.5", "0.001"])
    assert only(narrow, "turns").word == "differs"
    assert only(wide, "turns").word == "equivalent"
    assert only(wide, "players_win").word == "differs"


def test_a_variant_may_have_strategies_of_its_own() -> None:
    found = compare("grinchmas", variants=[Variant("greedy", {}, ("greedy",))], games=20_000)
    assert only(found, "players_win").difference.high < 0


def test_variants_are_read_from_text_and_from_files(tmp_path: Any) -> None:
    two = parse_variant(GRINCHMAS, "wishes.goal=10; spinner.faces=[1,2,feet]", {})
    assert two.overrides == {"wishes.goal": 10, "spinner.faces": [1, 2, "feet"]}
    file = tmp_path / "short.toml"
    file.write_text("[wishes]\ngoal = 5\n")
    assert parse_variant(GRINCHMAS, str(file), {}) == Variant("short", {"wishes.goal": 5})
    assert parse_variant(GRINCHMAS, "wishes.goal=5 @ greedy", {}) == Variant("wishes.goal=5 @ greedy", {"wishes.goal": 5}, ("greedy",))


def test_a_variant_may_change_what_the_baseline_has_and_says_to_what() -> None:
    asked = CompareStudy.of("grinchmas", variants=["wishes.goal-=2; stars.trio+=1"], rules={"wishes.goal": 10}, games=10)
    ((_, variant),) = (plan.experiments for plan in asked.plans)
    assert (variant.rules.wishes.goal, variant.rules.stars.trio) == (8, 6)  # type: ignore[attr-defined]
    assert asked.notes()[:2] == ("wishes.goal is 8 (before: 10; shipped: 8).", "stars.trio is 6 (shipped: 5).")


def test_what_is_compared_with_nothing_is_refused() -> None:
    with pytest.raises(UserError, match="nothing to compare the rules with"):
        CompareStudy.of("pig").plans  # noqa: B018  planned as it is asked for


def test_impossible_variants_and_unknown_metrics_are_refused_before_anything_is_played() -> None:
    with pytest.raises(RulesError, match="feet"):
        parse_variant(GRINCHMAS, "board.path=[max]", {})
    with pytest.raises(UserError, match="did you mean 'turns'"):
        compare("grinchmas", variants=[variant(stars__trio=6)], games=10, metrics=["trns"])
    with pytest.raises(UserError, match="did you mean 'turns'"):
        compare("grinchmas", variants=[variant(stars__trio=6)], games=10, margins=["trns=1"])


def test_an_interrupted_comparison_keeps_what_is_done() -> None:
    experiments = experiments_of(Setup(GRINCHMAS, (3,), ("uniform",), seed=4), [variant(stars__trio=6)])

    def press(done: int, _part: Any) -> None:
        if done >= BATCH:
            raise KeyboardInterrupt

    interrupted = play_pairs(experiments, 4 * BATCH, progress=press)
    assert interrupted.interrupted
    assert interrupted.part.pairs[0].digest == play_pairs(experiments, interrupted.part.games).part.pairs[0].digest
