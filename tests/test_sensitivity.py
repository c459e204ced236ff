"""Sensitivity: which moves there are, what they do, and what a conclusion hangs on."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from anchors.exact_answers import fullest
from anchors.exact_answers import orchard as orchard_exactly
from scipy.stats import binom

from reports import sensitivity as pages
from reports.html_pages import drawn
from reports.tables import save_frame
from simulator import registry
from simulator.document.document import Document
from simulator.errors import RulesError, UserError
from simulator.game import Metric
from simulator.play.experiment import BATCH
from simulator.play.resources import Resources
from simulator.play.run import Precision
from simulator.rules import constants, values
from simulator.rules.alternatives import alternatives
from simulator.stats.bands import Band
from simulator.stats.estimate import Estimate, estimate_share
from simulator.stats.favourites import leads, may_be_best
from simulator.stats.sequences import half_width
from simulator.studies import interactions, measuring
from simulator.studies.axes import Axis
from simulator.studies.conclusions import Aimed, Standing, _aim, _favourite, _length, _rare, _side, games_to_settle, standings
from simulator.studies.effects import Measured, Sensitivity
from simulator.studies.measuring import MovesPlan
from simulator.studies.moves import LeftOut, Move, moves_of
from simulator.studies.pairs import TOGETHER
from simulator.studies.sensitivity import SensitivityStudy, judged, value_text
from simulator.studies.study import Finding

ORCHARD = registry.game("orchard")
GRINCHMAS = registry.game("grinchmas")


def asked(game: Any, rules: dict[str, Any] | None = None, **options: Any) -> SensitivityStudy:
    question: SensitivityStudy = SensitivityStudy.of(game, rules=rules, **options)
    return question


FULLEST = asked(ORCHARD, strategies=("fullest",), games=20_000)
PLANTED = 0.137140
"""What a sixth step of the raven is worth to the best play, exactly; see tests/anchors."""


def seated(question: SensitivityStudy, *players: int) -> SensitivityStudy:
    return replace(question, setup=replace(question.setup, players=players))


def plan_of(question: SensitivityStudy, moves: list[Move], players: int = 4) -> MovesPlan:
    """What is played of some moves."""
    plan = seated(question, players).plans[0]
    assert isinstance(plan, MovesPlan)
    return replace(plan, moves=tuple(moves))


def measure(question: SensitivityStudy, moves: list[Move], players: int) -> Measured:
    return measuring.measure(plan_of(question, moves, players), {})


def study(question: SensitivityStudy, moves: list[Move], left_out: list[LeftOut], tables: list[Measured]) -> Sensitivity:
    return judged(moves, left_out, tables, question.target, precise=question.precision is not None)


def sensitivity(question: SensitivityStudy, players: Any = (4,), workers: int | None = None) -> Sensitivity:
    part = seated(question, *players).play(Resources(workers)).parts[0]
    assert isinstance(part, Sensitivity)
    return part


def moved_together(question: SensitivityStudy, players: int) -> interactions.Interactions:
    plan = seated(replace(question, interactions=True), players).plans[-1]
    assert isinstance(plan, interactions.TogetherPlan)
    return interactions.interactions_of(plan, {})


def moved(game: str, key: str, **baseline: Any) -> list[Any]:
    moves, _ = moves_of(registry.game(game), {k.replace("__", "."): v for k, v in baseline.items()})
    return [m.to for m in moves if m.key == key]


@pytest.fixture(scope="module")
def orchard() -> Sensitivity:
    return sensitivity(FULLEST, [2])


# ---------------------------------------------------------------- what is moved


def test_assumed_ranges_are_moved_to_their_ends_and_other_numbers_by_one_step() -> None:
    assert moved("grinchmas", "wishes.pair_copies") == [1, 3]
    assert moved("grinchmas", "wishes.goal") == [7, 9]
    assert moved("grinchmas", "presents.designs") == [2], "the shipped value is the other end"


def test_choices_and_booleans_are_moved_to_each_alternative() -> None:
    assert moved("grinchmas", "win_on_tie") == [False]
    assert moved("grinchmas", "wishes.pair") == ["any"]
    landing = next(c for c in constants(registry.game("ladders").rules()) if c.key == "board.landing")
    assert {landing.value, *moved("ladders", "board.landing")} == {"exact", "bounce", "overshoot"}, "without a plausible range"


def test_plausible_lists_are_all_played_and_other_lists_left_out_with_the_reason() -> None:
    assert len(moved("vacation", "dice.faces")) >= 4
    assert len(moved("grinchmas", "board.path")) == 8
    moves, left_out = moves_of(registry.game("cherry"), {})
    (spinner,) = [one for one in left_out if one.key == "spinner"]
    assert "without plausible values" in spinner.reason
    assert not [m for m in moves if m.key == "spinner"]


def test_what_is_derived_is_left_out_and_moves_with_what_it_is_derived_from() -> None:
    moves, left_out = moves_of(GRINCHMAS, values(GRINCHMAS.rules()))
    assert {one.key for one in left_out} == {"presents.copies", "wishes.trio_cards"}
    (more,) = [m for m in moves if m.key == "wishes.pair_copies" and m.to == 3]
    assert more.carries == (("wishes.trio_cards", 6, 1),)
    _, played = plan_of(asked(GRINCHMAS, values(GRINCHMAS.rules())), [more]).experiments([more])
    assert (played.rules.wishes.pair_copies, played.rules.wishes.trio_cards) == (3, 1)
    assert played.id == plan_of(asked(GRINCHMAS), [more]).experiments([more])[1].id


def test_a_number_that_was_set_by_hand_stays_where_it_was_set() -> None:
    (more,) = [m for m in moves_of(GRINCHMAS, {"wishes.trio_cards": 9})[0] if m.key == "wishes.pair_copies" and m.to == 3]
    assert more.carries == ()


def test_a_rule_that_can_be_left_out_is_moved_out_and_nobody_doubts_it() -> None:
    (out,) = [m for m in moves_of(GRINCHMAS, {})[0] if m.leaves_out]
    assert (out.key, out.to, out.doubtful) == ("exchange.min_players", 7, False)


def test_every_constant_is_moved_or_left_out() -> None:
    for name in registry.game_names():
        game = registry.game(name)
        moves, left_out = moves_of(game, {})
        assert {c.key for c in constants(game.rules())} == {m.key for m in moves} | {one.key for one in left_out}


def test_a_set_value_is_where_the_moves_start() -> None:
    assert moved("orchard", "raven.steps", raven__steps=8) == [7, 9]
    assert moved("grinchmas", "wishes.pair_copies", wishes__pair_copies=3) == [1]


def test_a_value_that_the_rules_do_not_allow_is_left_out_with_their_reason() -> None:
    moves, left_out = moves_of(ORCHARD, {"basket.fruits": 0})
    assert [m.to for m in moves if m.key == "basket.fruits"] == [1]
    (impossible,) = [one for one in left_out if one.key == "basket.fruits"]
    assert impossible.to == -1
    assert "at least 0" in impossible.reason


def test_numbers_with_a_fraction_move_by_a_tenth() -> None:
    chance = replace(constants(ORCHARD.rules())[0], value=0.5, default=0.5)
    assert alternatives(chance, ORCHARD.rules) == [pytest.approx(0.45), pytest.approx(0.55)]


def test_values_asked_for_are_moved_to_as_well() -> None:
    faces = (6, "feet")
    moves, left_out = moves_of(GRINCHMAS, {}, [("spinner.faces", faces)])
    assert [m.to for m in moves if m.key == "spinner.faces"][-1] == faces
    assert "spinner.faces" not in {one.key for one in left_out}
    with pytest.raises(RulesError, match=r"spinner\.faces"):
        moves_of(GRINCHMAS, {}, [("spinner.faces", ())])


# ---------------------------------------------------------------- what a move does


def test_a_planted_effect_is_found_with_the_right_size() -> None:
    question = replace(FULLEST, games=200_000)
    moves = [m for m in moves_of(ORCHARD, {})[0] if m.key == "raven.steps"]
    found = study(question, moves, [], [measure(question, moves, 2)])
    (effect,) = [e for e in found.effects if (e.move.to, e.metric.name) == (6, "players_win")]
    assert effect.significant
    assert half_width(effect.difference.estimate) < 0.002
    assert abs(effect.difference.estimate.best - PLANTED) < 2 * half_width(effect.difference.estimate), "four standard errors"


def test_a_constant_that_cannot_matter_does_nothing_measurable(orchard: Sensitivity) -> None:
    assert orchard.without_effect == ("turn_cap",)
    assert orchard.undecided == {}
    assert all(e.difference.moved == 0 for e in orchard.effects if e.move.key == "turn_cap")


def test_the_ranking_puts_the_largest_effect_first(orchard: Sensitivity) -> None:
    ranked = orchard.ranked("players_win", 2)
    sizes = [max(abs(e.difference.estimate.best) for e in effects) for effects in ranked]
    assert sizes == sorted(sizes, reverse=True)
    assert ranked[0][0].move.key == "basket.fruits"
    assert ranked[-1][0].move.key == "turn_cap"


def test_a_move_to_where_it_starts_is_exactly_nothing() -> None:
    moves, _ = moves_of(ORCHARD, {}, [("turn_cap", 1000)])
    same = [m for m in moves if m.to == m.start]
    found = study(FULLEST, same, [], [measure(FULLEST, same, 2)])
    assert {(e.difference.estimate.low, e.difference.estimate.high, e.significant) for e in found.effects} == {(0.0, 0.0, False)}


def test_the_result_is_the_same_for_any_number_of_workers_and_any_grouping(monkeypatch: pytest.MonkeyPatch) -> None:
    question = replace(FULLEST, precision=Precision(0.01), games=100_000)
    one = sensitivity(question, [2], workers=1)
    two = sensitivity(question, [2], workers=2)
    assert one.as_dict() == two.as_dict()
    fixed = replace(FULLEST, games=BATCH)
    together = sensitivity(fixed, [2]).as_dict()
    monkeypatch.setattr("simulator.studies.measuring.TOGETHER", 3)
    assert sensitivity(fixed, [2]).as_dict() == together


def test_few_experiments_are_in_memory_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    played = measuring.play_pairs

    def counted(experiments: Any, *arguments: Any, **options: Any) -> Any:
        sizes.append(len(experiments))
        return played(experiments, *arguments, **options)

    monkeypatch.setattr(measuring, "play_pairs", counted)
    sensitivity(asked(GRINCHMAS, strategies=("uniform",), games=100))
    assert len(sizes) > 1
    assert max(sizes) <= TOGETHER + 1


def test_with_a_precision_every_difference_in_shares_becomes_that_narrow() -> None:
    found = sensitivity(replace(FULLEST, precision=Precision(0.01), games=200_000), [2])
    assert found.tables[0].precise
    assert all(half_width(e.difference.estimate) <= 0.01 for e in found.tables[0].effects if e.metric.kind == "share")
    games = {e.move.key: e.difference.estimate.n for e in found.effects}
    assert len(set(games.values())) > 1, "what varies little is done earlier"
    assert max(games.values()) < 200_000
    short = sensitivity(replace(FULLEST, precision=Precision(0.001), games=BATCH), [2])
    assert short.tables[0].precise is False


def test_where_nothing_has_an_effect_false_discoveries_stay_within_their_promise() -> None:
    """The faces of a spinner in another order change every playout, and nothing else."""
    orders = [(2, 1, 3, 4, -2, -2, "spill"), (1, 2, 3, 4, -2, "spill", -2), (-2, 1, 2, 3, 4, -2, "spill"), ("spill", 1, -2, 2, 3, -2, 4)]
    game = registry.game("cherry")
    moves = [m for m in moves_of(game, {}, [("spinner", order) for order in orders])[0] if m.key == "spinner"]
    runs, wrong = 200, 0  # with fewer a breach might go unseen
    for seed in range(runs):
        question = asked(game, seed=seed, games=400)
        found = study(question, moves, [], [measure(question, moves, 2)])
        assert any(e.difference.moved for e in found.effects), "the moves do change the playouts"
        wrong += any(e.significant for e in found.effects)
    assert wrong <= binom.ppf(0.999, runs, 0.05)


def test_moves_that_count_other_things_are_left_out_and_not_refused() -> None:
    moves, _ = moves_of(GRINCHMAS, {})
    found = sensitivity(asked(GRINCHMAS, strategies=("uniform",), games=100))
    left_out = {m for m in moves if any(one.key == m.key and one.to == m.to for one in found.left_out)}
    assert {e.move for e in found.effects} | left_out | set(found.tables[0].inert) == set(moves)


def test_an_unknown_metric_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'turns'"):
        sensitivity(replace(FULLEST, metrics=("turn",)), [2])
    with pytest.raises(UserError, match="is about a share"):
        sensitivity(replace(FULLEST, target=Band(0.1, 0.2, "turns")), [2])


# ---------------------------------------------------------------- conclusions


def share(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high, 1000, "share")


SEATS = [Metric(f"wins.{seat}", f"Seat {seat} wins", "share", "share", 0, 1, outcome=True) for seat in range(2)]


@pytest.mark.parametrize(
    ("low", "high", "state"), [(0.51, 0.6, "more than half"), (0.3, 0.49, "less than half"), (0.45, 0.51, "about half")]
)
def test_a_share_lies_on_one_side_of_half_if_its_interval_does(low: float, high: float, state: str) -> None:
    assert _side(SEATS[0], share(low, high)).state == {state}


def favourite(wins: list[int], n: int) -> Standing:
    seats = [Metric(f"wins.{seat}", f"Seat {seat} wins", "share", "share", 0, 1, outcome=True) for seat in range(len(wins))]
    return _favourite(seats, {m.name: estimate_share(w, n) for m, w in zip(seats, wins, strict=True)}, leads(wins, n))


def test_the_favourites_are_all_seats_that_are_not_shown_to_be_below_the_best() -> None:
    ahead, turned = favourite([530, 470], 1000), favourite([470, 530], 1000)
    assert not ahead.settled
    assert not turned.settled
    assert ahead.games
    assert ahead.games > 1000
    assert favourite([550, 450], 1000).state == {"wins.0"}
    assert favourite([450, 550], 1000).contradicts(favourite([550, 450], 1000))
    pair = favourite([400, 395, 205], 1000)
    assert (pair.settled, pair.state) == (True, {"wins.0", "wins.1"})
    assert pair.contradicts(favourite([200, 200, 600], 1000))
    assert not pair.contradicts(favourite([600, 200, 200], 1000)), "seat 0 may be the best under either"


def test_that_no_seat_leads_is_a_conclusion_that_a_clear_favourite_overturns() -> None:
    level = favourite([50_000, 50_000], 100_000)
    assert level.settled
    assert "no seat leads" in level.text
    assert level.contradicts(favourite([55_000, 45_000], 100_000))
    assert not level.contradicts(favourite([50_800, 49_200], 100_000)), "by less than what matters"


def test_a_target_is_met_missed_or_at_its_edge() -> None:
    found = [Aimed(Band(0.4, 0.6), 2, SEATS[0], share(*ends)) for ends in ((0.45, 0.55), (0.2, 0.3), (0.35, 0.45))]
    assert [aimed.where for aimed in found] == ["inside", "outside", "open"]
    assert [next(iter(_aim(aimed).state)).split()[0] for aimed in found] == ["within", "outside", "on"]


def test_where_no_metric_is_named_the_target_is_for_how_often_the_players_win() -> None:
    """In Merry Grinchmas the Grinch's share is the rest, so the wrong one would lie outside."""
    found = sensitivity(asked(GRINCHMAS, games=2000, target=Band(0.85, 0.95)), [4])
    (aimed,) = found.aimed
    assert (aimed.metric.name, aimed.where) == ("players_win", "inside")
    (text,) = found.target_texts
    best = f"{100 * aimed.estimate.best:.1f}%"
    assert re.fullmatch(rf"Target, 4 players: The players win 85% to 95%; as it is {best} \([\d.]+\N{{EN DASH}}[\d.]+\), inside\.", text)
    assert [o.metric.name for o in found.aimed] == [one["metric"] for one in found.as_dict()["target"]]
    assert {o.conclusion.split(" (")[0] for o in found.overturned if "target" in o.conclusion} <= {f"The players win {best}"}


def test_where_seats_win_the_target_is_for_every_seat_and_its_intervals_hold_at_once() -> None:
    question = asked(registry.game("pig"), games=500, target=Band(0.4, 0.6))
    moves = [m for m in moves_of(question.setup.game, {})[0] if m.key == "goal"]
    found = study(question, moves, [], [measure(question, moves, n) for n in (2, 3)])
    assert [(a.players, a.metric.name) for a in found.aimed] == [(2, "wins.0"), (2, "wins.1"), (3, "wins.0"), (3, "wins.1"), (3, "wins.2")]
    first = found.aimed[0]
    alone = found.estimate(first.metric, found.tables[0].unmoved)
    assert first.estimate.low < alone.low < alone.high < first.estimate.high
    two, three = found.target_texts
    assert two.startswith("Target, 2 players: every seat's share of wins 40% to 60%; as it is Seat 0 wins ")
    assert three.count(" wins 3") + three.count(" wins 2") == 3
    assert replace(found, target=None).target_texts == ()


def test_a_target_or_a_precision_that_no_share_can_have_is_refused() -> None:
    for target in (Band(85, 95), Band(-0.1, 0.5)):
        with pytest.raises(UserError, match="a share lies between 0 and 1"):
            sensitivity(replace(FULLEST, target=target), [2])
    with pytest.raises(UserError, match="--precision 2 is too wide"):
        sensitivity(replace(FULLEST, precision=Precision(2)), [2])


def test_a_move_across_one_half_overturns_and_one_that_stays_does_not(orchard: Sensitivity) -> None:
    overturning = {(o.move.key, o.move.to) for o in orchard.overturned if "half" in o.instead}
    assert ("raven.steps", 4) in overturning
    assert ("raven.steps", 6) not in overturning
    first = next(o for o in orchard.overturned if o.move.key == "raven.steps")
    assert "more than half" in first.conclusion
    assert "less than half" in first.instead


def test_leaving_the_target_overturns(orchard: Sensitivity) -> None:
    aimed = replace(orchard, target=Band(0.6, 0.7))
    found = {(o.move.key, o.move.to) for o in aimed.overturned if "target" in o.instead}
    assert {("raven.steps", 4), ("raven.steps", 6)} <= found


def test_that_nothing_is_overturned_is_said_with_the_playouts_of_each_move_and_not_of_all() -> None:
    """By few playouts nothing is seen; `playouts` of the table counts those of all moves."""
    question = asked(GRINCHMAS, games=300)
    every, left_out = moves_of(question.setup.game, {})
    moves = [m for m in every if m.key != "board.path"]
    found = study(question, moves, left_out, [measure(question, moves, 4)])
    assert found.tables[0].playouts > 300 * len(found.tables[0].moved)
    assert "none is seen to overturn a conclusion, by 300 playouts of each" in found.headline


def moves_to(game: Any, **to: Any) -> list[Move]:
    wanted = {(key.replace("__", "."), value) for key, value in to.items()}
    return [m for m in moves_of(game, {})[0] if (m.key, m.to) in wanted]


def test_what_is_not_known_yet_is_open_and_not_overturned() -> None:
    """As it is 49.5 percent, with a step of the raven less 36.7: both are below half."""
    rules = {"trees.fruit": 8, "raven.steps": 8}
    step = [m for m in moves_of(ORCHARD, rules)[0] if m.key == "raven.steps" and m.to == 7]
    seeds, wrong, opened = 60, 0, 0
    for seed in range(seeds):
        question = asked(ORCHARD, rules, strategies=("uniform",), seed=seed, games=5000)
        found = study(question, step, [], [measure(question, step, 2)])
        wrong += any("half" in o.instead for o in found.overturned)
        (as_it_is, *_) = [one for one in found.open if "half" in one.conclusion] or [None]
        opened += as_it_is is not None and as_it_is.move is None and as_it_is.games is not None and as_it_is.games > 5000
    assert wrong <= binom.ppf(0.999, seeds, 0.025)
    assert opened >= 0.6 * seeds, "49.5 is told from 50 in a tenth of the seeds or so"


def test_a_game_that_lasts_much_longer_and_may_not_end_overturns() -> None:
    crocs = registry.game("crocs")
    question = asked(crocs, games=1500)
    moves = moves_to(crocs, deck__coal=12, deck__when_empty="end", deck__snow=10)
    found = study(question, moves, [], [measure(question, moves, 4)])
    told = {(o.move.key, o.instead.split(" ")[0]) for o in found.overturned}
    assert told == {("deck.coal", "a"), ("deck.coal", "Unfinished"), ("deck.when_empty", "Tied")}
    (longer,) = [o for o in found.overturned if o.instead.startswith("a game lasts")]
    assert "longer by more than 25%" in longer.instead
    assert "2 constants that nobody is sure of could overturn a conclusion: deck.coal, deck.when_empty." in found.headline


@pytest.mark.parametrize(("cap", "told"), [(20, "or more"), (1000, "\N{EN DASH}")])
def test_games_that_were_cut_short_would_have_lasted_longer(cap: int, told: str) -> None:
    question = asked(registry.game("pig"), {"turn_cap": cap}, games=500)
    table = measure(question, moves_to(question.setup.game, goal=99), 2)
    (said,) = [s.text for s in standings(table, table.unmoved, study(question, [], [], []), table.unmoved) if s.about == "the length"]
    assert re.fullmatch(rf"a game lasts [\d.]+ turns \([\d.]+ ?{told}[\d.]*\) on average", said)


def length(low: float, high: float) -> Estimate:
    return Estimate((low + min(high, 2 * low)) / 2, low, high, 1000, "turns")


@pytest.mark.parametrize(
    ("low", "high", "state"),
    [
        (95, 105, "within 25% of it"),
        (76, 123, "within 25% of it"),
        (110, 120, "within 25% of it"),
        (110, 130, "open"),
        (70, 90, "open"),
        (126, 127, "open"),  # 101 as it is would make it less than a quarter
        (128, 140, "longer"),
        (60, 73, "shorter"),
        (74, 74.5, "open"),
        (95, math.inf, "open"),
        (128, math.inf, "longer"),
    ],
)
def test_a_game_lasts_longer_or_shorter_only_where_that_is_shown_for_a_quarter_of_it(low: float, high: float, state: str) -> None:
    found = _length(length(low, high), Estimate(100, 99, 101, 1000, "turns"))
    assert found.state == {state}
    assert found.settled == (state != "open")
    assert (found.games is None) == (found.settled or math.isinf(found.games or math.inf))
    assert (state in found.text) == (state in {"longer", "shorter"})


@pytest.mark.parametrize(("name", "most"), [("unfinished", 0.01), ("tied", 0.05)])
def test_unfinished_games_are_many_from_a_hundredth_on_and_ties_from_a_twentieth(name: str, most: float) -> None:
    metric = Metric(name, name, "share", "share", 0, 1, outcome=True)
    few, many, open_ = (_rare(metric, share(*ends)) for ends in ((0, most), (most + 0.001, 0.2), (most - 0.001, most + 0.001)))
    assert [s.state for s in (few, many)] == [{f"at most {100 * most:g}%"}, {f"more than {100 * most:g}%"}]
    assert few.contradicts(many)
    assert (few.settled, many.settled, open_.settled) == (True, True, False)


def test_that_the_players_win_much_less_often_overturns_though_it_stays_above_half() -> None:
    """With two feet on the board they win six games in ten, in place of nine."""
    moves = [m for m in moves_of(GRINCHMAS, {})[0] if m.key == "board.path" and m.to.count("feet") == 2]
    question = asked(GRINCHMAS, games=1500)
    found = study(question, moves, [], [measure(question, moves, 4)])
    assert {o.move for o in found.overturned} == set(moves)
    assert all("less often by more than 10 percentage points" in o.instead for o in found.overturned)
    six = study(question, moves, [], [measure(question, moves, 6)])
    assert all("less than half" in o.instead for o in six.overturned), "which is said in place of the other, and once"
    assert len(six.overturned) == len(moves)


def test_a_move_that_cannot_act_at_a_number_of_players_is_none() -> None:
    question = asked(GRINCHMAS, games=200)
    moves = [m for m in moves_of(GRINCHMAS, {})[0] if m.key == "exchange.min_players"]
    found = study(question, moves, [], [measure(question, moves, n) for n in (4, 6)])
    inert = {(t.players, m.to) for t in found.tables for m in t.inert}
    assert inert == {(4, 6), (4, 7), (6, 4), (6, 6)}
    assert {(e.players, e.move.to) for e in found.effects} == {(4, 4), (6, 7)}, "the Exchange opened to four, and left out for six"
    assert found.inert_texts == tuple(
        f"Moved nowhere, since that cannot act with {n} players: exchange.min_players to {to}." for n, to in ((4, "6 or 7"), (6, "4 or 6"))
    )
    assert set(found.inert_texts) <= set(found.quiet_texts), "beside what has no effect, not among what a conclusion hangs on"
    assert "exchange" not in found.headline


def test_that_nothing_matters_is_said_only_where_every_move_is_shown_to_stay_within_a_margin() -> None:
    cap = moves_to(ORCHARD, turn_cap=999) + moves_to(ORCHARD, turn_cap=1001)
    few, many = (replace(FULLEST, games=games) for games in (2000, 120_000))
    short = study(few, cap, [], [measure(few, cap, 2)])
    assert short.without_effect == ()
    (games,) = short.undecided.values()
    assert games
    assert 2000 < games <= 120_000
    assert "Open, no effect found but one that matters not ruled out: turn_cap (about " in short.quiet_texts[0]
    assert study(many, cap, [], [measure(many, cap, 2)]).without_effect == ("turn_cap",)


def test_the_headline_names_assumed_constants_that_were_not_tried(orchard: Sensitivity) -> None:
    left = (LeftOut("board.path", None, "assumed", "It is a list."), LeftOut("trees.count", 99, "assumed", "Too many."))
    told = replace(orchard, left_out=(*left, LeftOut("dice.size", None, "derived", "It follows."))).headline
    assert "Assumed, and not tried: board.path, trees.count = 99; a conclusion may hang on them." in told
    assert "dice.size" not in told
    assert "Assumed, and not tried" not in orchard.headline


def test_where_no_game_finishes_every_conclusion_but_that_is_open() -> None:
    question = asked(registry.game("pig"), {"turn_cap": 1}, games=500, target=Band(0.0, 0.1))
    moves = [m for m in moves_of(question.setup.game, question.setup.rules)[0] if m.key == "goal"]
    found = study(question, moves, [], [measure(question, moves, 2)])
    assert not found.overturned
    assert {one.conclusion for one in found.open if one.move is None} == {"no game finished"}
    assert {a.lies for a in found.aimed} == {"open"}
    table = found.tables[0]
    assert {s.about for s in standings(table, table.unmoved, found, table.unmoved) if s.settled} == {"unfinished"}
    assert any("No game as it is with 2 players finished" in warning for warning in page_of(question, found).warnings)


def test_the_best_seat_is_left_out_of_the_favourites_no_oftener_than_promised() -> None:
    rng = np.random.default_rng(7)
    runs, missed, alone = 400, 0, 0
    for wins in rng.multinomial(800, (0.3, 0.3, 0.25, 0.15), runs).tolist():
        named = may_be_best(wins, 800)
        missed += 0 not in named
        alone += len(named) == 1
    assert missed <= binom.ppf(0.999, runs, 0.05)
    assert alone <= binom.ppf(0.999, runs, 0.05), "two are level, so that one alone is wrong"
    assert may_be_best([600, 100, 100], 800) == (0,)
    assert may_be_best([0, 0], 10) == (0, 1)
    assert may_be_best([7], 10) == (0,)


def test_the_games_that_would_settle_grow_with_the_square_of_the_interval_over_the_distance() -> None:
    assert games_to_settle(1000, 0.03, 0.01) == 9000
    assert games_to_settle(1000, 0.03, 0.0) is None
    assert games_to_settle(10, 0.5, 1e-9) is None, "more than anybody plays"


def test_a_move_without_a_significant_effect_overturns_nothing(orchard: Sensitivity) -> None:
    edge = orchard.estimate(orchard.tables[0].metrics[0], orchard.tables[0].unmoved)
    aimed = replace(orchard, target=Band(edge.best - 1e-6, 0.99))
    assert "turn_cap" not in {o.move.key for o in aimed.overturned}
    (table,) = orchard.tables
    nothing = tuple(replace(e, difference=replace(e.difference, p_value=1.0)) for e in table.effects)
    assert orchard.overturned
    assert replace(orchard, tables=(replace(table, effects=nothing),)).overturned == ()


def test_constants_in_doubt_are_named_before_the_others(orchard: Sensitivity) -> None:
    (table,) = orchard.tables
    doubt = {m: replace(m, source="assumed", plausible=True) if m.key == "trees.fruit" else m for m in table.moved}
    effects = tuple(replace(e, move=doubt[e.move]) for e in table.effects)
    changed = replace(orchard, tables=(replace(table, effects=effects, moved={doubt[m]: t for m, t in table.moved.items()}),))
    assert changed.overturned[0].move.key == "trees.fruit"
    assert orchard.overturned[0].move.key != "trees.fruit"


# ---------------------------------------------------------------- numbers moved together


def test_sobol_indices_single_out_what_matters_from_the_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interactions, "all_fit", lambda _question: False)
    found = moved_together(replace(FULLEST, games=10_000), 2)
    by_key = {index.key: index for index in found.indices}
    assert found.indices[0].key == "basket.fruits"
    assert by_key["basket.fruits"].total > found.floor
    assert 0.7 < sum(index.first for index in found.indices) < 1.2
    assert abs(by_key[interactions.DUMMY].first) < 0.1
    assert "basket.fruits" in found.finding


def test_where_there_are_few_combinations_all_are_played_and_the_shares_are_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    varied = (("trees.fruit", (3, 4, 5)), ("raven.steps", (4, 5, 6)), ("basket.fruits", (1, 2)))
    factors = [Axis(key, levels) for key, levels in varied]
    monkeypatch.setattr(interactions, "axes_together", lambda _question: factors)
    found = moved_together(replace(FULLEST, games=5_000), 2)
    assert found.every
    assert found.points == 18
    chances = np.empty([len(f.values) for f in factors])
    for place in np.ndindex(chances.shape):
        moved = {f.key: f.values[k] for f, k in zip(factors, place, strict=True)}
        chances[place] = orchard_exactly(moved["trees.fruit"], moved["raven.steps"], moved["basket.fruits"], fullest)
    exact = dict(zip((f.key for f in factors), chances_shares(chances), strict=True))
    for index in found.indices:
        for share, truth in zip(index.shares.values(), exact[index.key], strict=True):
            assert share.low <= truth <= share.high, index.key
            assert share.high - share.low < 0.2


def chances_shares(chances: np.ndarray[Any, Any]) -> list[tuple[float, float]]:
    """Of each axis what it brings about alone, and with its interactions, straight from the definition."""
    axes, found = range(chances.ndim), []
    for axis in axes:
        others = tuple(other for other in axes if other != axis)
        found.append((chances.mean(axis=others).var() / chances.var(), 1 - chances.mean(axis=axis).var() / chances.var()))
    return found


@pytest.mark.parametrize("noise", [0.01, 0.1])
def test_shares_of_every_combination_are_right_on_average_and_their_intervals_hold_them(noise: float) -> None:
    """Also that of a number which does nothing, and whatever the luck."""
    rng, factors = np.random.default_rng(4), [Axis(key, (0, 1, 2)) for key in "abc"]
    means = 0.1 * np.arange(3)[:, None, None] * (1 + 0.3 * np.arange(3)[:, None]) + np.zeros((3, 3, 3))
    truth, rounds = dict(zip("abc", chances_shares(means), strict=True)), 60
    held, best = 0, []
    for _ in range(rounds):
        luck = rng.normal(0, noise, (1, 1, 1, interactions.TIMES)) + rng.normal(0, noise, (3, 3, 3, interactions.TIMES))
        found = {index.key: index for index in interactions.indices_of_all(means[..., None] + luck, factors)}
        best.append(found["c"].total)
        held += sum(e.low <= x <= e.high for key in "abc" for e, x in zip(found[key].shares.values(), truth[key], strict=True))
    assert abs(np.mean(best)) < 4 * np.std(best) / math.sqrt(rounds)
    assert min(best) < 0, "before it is printed"
    assert held >= 0.93 * 6 * rounds


def test_where_nothing_varies_beyond_luck_nothing_is_known_about_shares() -> None:
    rng, factors = np.random.default_rng(5), [Axis(key, (0, 1)) for key in "ab"]
    for index in interactions.indices_of_all(rng.normal(0, 1, (2, 2, interactions.TIMES)), factors):
        assert [(e.best, e.low, e.high) for e in index.shares.values()] == [(0, 0, 1)] * 2


def test_combinations_that_the_rules_do_not_allow_are_mended_by_the_culprit() -> None:
    pig = registry.game("pig")
    assert interactions.mend(asked(pig).setup, {"die.sides": 6, "die.bust": 7}) == {"die.sides": 6}
    assert interactions.mend(asked(pig).setup, {"die.sides": 8, "die.bust": 7}) == {"die.sides": 8, "die.bust": 7}


def test_numbers_that_follow_from_others_and_limits_are_not_moved_together() -> None:
    keys = {f.key for f in interactions.axes_together(asked(GRINCHMAS).setup)}
    assert "presents.colours" in keys
    assert not keys & {"presents.copies", "turn_cap", "win_on_tie"}


# ---------------------------------------------------------------- the page


def page_of(question: SensitivityStudy, found: Sensitivity) -> Document:
    finding = Finding(question, (found,), interrupted=False)
    return drawn(finding.document(), finding)


def test_a_tornado_has_the_largest_constant_at_the_top_and_colours_by_direction(orchard: Sensitivity) -> None:
    table = pages.tornado(orchard, "players_win")
    top = table[table["place"] == 1].iloc[0]
    assert (top["key"], top["hue"]) == ("basket.fruits", "constant lowered")
    assert top["best"] == pytest.approx(-30, abs=3), "percentage points"
    assert set(table[table["key"] == "turn_cap"]["hue"]) == {"not significant"}
    assert not table.duplicated("place").any()
    assert table["lines"].iloc[0] == table["place"].max() + 1


def test_long_lists_can_be_told_apart_at_their_bars() -> None:
    marks = [value_text(to) for to in moved("vacation", "dice.faces")]
    assert len(set(marks)) == len(marks)
    assert max(map(len, marks)) < 40, "half of a narrow chart"


def test_the_page_names_what_could_be_overturned_and_every_effect(orchard: Sensitivity) -> None:
    page = page_of(FULLEST, replace(orchard, target=Band(0.6, 0.7)))
    matter, _, numbers = page.chapters
    told = [*page.sentences, *page.warnings]
    assert any("outside the target of 60% to 70%" in sentence for sentence in told)
    assert any(sentence.startswith("Target, 2 players: Players win 60% to 70%; as it is ") for sentence in page.sentences)
    (every,) = [table for table in numbers.tables if table.title == "All effects"]
    assert len(every.rows) == len(orchard.effects)
    assert {m.name for m in orchard.tables[0].metrics} - {c.name.removeprefix("tornado-") for c in matter.charts} == {"unfinished"}


def test_the_saved_table_holds_every_effect(orchard: Sensitivity, tmp_path: Any) -> None:
    save_frame(tmp_path / "effects.csv", pages.frame([orchard]))
    table = pd.read_csv(tmp_path / "effects.csv")
    assert len(table) == len(orchard.effects)
    (line,) = table[(table["key"] == "raven.steps") & (table["to"] == 6) & (table["metric"] == "players_win")].to_dict("records")
    assert line["low"] < line["best"] < line["high"]
    assert math.isclose(line["best"], PLANTED, abs_tol=0.02)


def test_moves_are_told_as_key_and_arrow() -> None:
    assert Move("a.b", (1, "feet"), "reshuffle", "ours", plausible=False).text == "a.b [1, feet] \N{RIGHTWARDS ARROW} reshuffle"


def test_what_is_found_has_intervals_that_allow_for_having_been_picked() -> None:
    found = sensitivity(replace(FULLEST, games=BATCH), [2])
    picked = [e for e in found.effects if e.significant]
    assert 0 < len(picked) < len(found.effects)
    confidence = 1 - 0.05 * len(picked) / len(found.effects)
    for effect, alone in zip(found.effects, found.tables[0].effects, strict=True):
        assert effect.at is not None
        assert effect.difference.estimate == (effect.at(confidence) if effect.significant else alone.difference).estimate
        if effect.significant:
            assert half_width(effect.difference.estimate) > half_width(alone.difference.estimate)
            assert not effect.difference.estimate.low <= 0 <= effect.difference.estimate.high
