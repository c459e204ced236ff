"""Sweeps: every point is the run it would be alone, differences go by pairs, and what is impossible is found before the play."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from reports import sweep as pictured
from reports.charts import Chart
from reports.html_pages import drawn
from reports.pictures import WIDE, draw, styled
from reports.style import SIZE
from simulator.document.document import Document
from simulator.errors import RulesError, UserError
from simulator.game import chosen_metrics
from simulator.play.experiment import BATCH
from simulator.play.run import Precision, run
from simulator.stats.sequences import half_width
from simulator.studies import grid
from simulator.studies.axes import Axis, grid_size, parse_axis
from simulator.studies.compare import compare
from simulator.studies.pairs import Variant
from simulator.studies.study import Finding
from simulator.studies.sweep import Sweep, SweepPlan, SweepStudy, differing, sweep

EXACT = {5: 0.631357, 6: 0.768497}
"""First Orchard, best play: how often the players win, by the raven's steps."""


def axes_of(vary: dict[str, Any]) -> list[Axis]:
    return [Axis(key, listed) for key, listed in vary.items()]


def orchard(games: int = 300, vary: dict[str, Any] | None = None, **question: Any) -> Sweep:
    varied = axes_of(vary or {"raven.steps": range(4, 8)})
    found: Sweep = sweep("orchard", vary=varied, **({"players": [2], "games": games} | question))
    return found


def planned(*axes: Axis, **question: Any) -> SweepPlan:
    plan: SweepPlan = SweepStudy.of("orchard", vary=axes, **({"players": [2]} | question)).plans[0]
    return plan


def digests(found: Sweep) -> list[str]:
    return [p.result.digest for p in found.points]


# ---------------------------------------------------------------- the grid
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wishes.goal=6:9", [6, 7, 8, 9]),
        (" wishes.goal = 6 : 9 : 2 ", [6, 8]),
        ("wishes.goal=-2:1", [-2, -1, 0, 1]),
        ("wishes.goal=7", [7]),
        ("wishes.goal=7:7", [7]),
        ("wishes.goal=9|3", [9, 3]),
        ("wishes.goal=6,8, 10", [6, 8, 10]),
        ("wishes.goal=[1,2],[3]", [[1, 2], [3]]),
        ("wishes.goal=0.5:1:0.25", [0.5, 0.75, 1.0]),
        ("wishes.goal=true,false", [True, False]),
        ("wishes.goal=[1,2,feet],[1,2,3,feet]", [[1, 2, "feet"], [1, 2, 3, "feet"]]),
        ("wishes.goal=a | true|[1,2, feet]|'b:c'", ["a", True, [1, 2, "feet"], "b:c"]),
    ],
)
def test_the_values_of_a_constant_are_read(text: str, expected: list[Any]) -> None:
    axis = parse_axis(text)
    assert axis.key == "wishes.goal"
    assert list(axis.values) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("wishes.goal", "varies nothing"),
        ("=6:7", "varies nothing"),
        ("wishes.goal=", "varies nothing"),
        ("wishes.goal=9:6", "write 6:9"),
        ("wishes.goal=6:9:0", "at least 1"),
        ("wishes.goal=6:9:-1", "at least 1"),
        ("wishes.goal=6:9.5", "no range"),
        ("wishes.goal=6:", "no range"),
        ("wishes.goal=6-12", "write wishes.goal=6:12"),
        ("wishes.goal=6..12", "write wishes.goal=6:12"),
        ("wishes.goal=0.5:1", "low:high:step"),
        ("wishes.goal=0.5:1:0", "low:high:step"),
        ("wishes.goal=0:1:0.000001", "1,000,001 values"),
        ("wishes.goal=6:9:1:1", "no range"),
        ("wishes.goal=6:" + "9" * 5000, "no range"),
        ("wishes.goal=6||7", "'' is no value"),
        ("wishes.goal=[6|7]", "'[6' is no value"),
    ],
)
def test_what_is_no_range_is_refused_in_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(UserError) as refusal:
        parse_axis(text)
    sentence = str(refusal.value)
    assert reason in sentence
    assert len(sentence) < 200


def test_the_grid_is_every_combination_with_the_last_axis_running_fastest() -> None:
    found = orchard(20, {"raven.steps": (6, 4), "basket.fruits": range(1, 4)})
    assert [tuple(p.setting.values()) for p in found.points] == [(6, 1), (6, 2), (6, 3), (4, 1), (4, 2), (4, 3)]
    assert [tuple(p.setting) for p in found.points] == [("raven.steps", "basket.fruits")] * 6


def test_the_size_of_a_grid_is_known_without_making_it() -> None:
    assert grid_size([Axis("a", range(10**18)), Axis("b", range(0, 10**18, 3)), Axis("c", (1, 2))]) == 10**18 * (10**18 // 3 + 1) * 2


def test_a_large_grid_needs_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"999,999,999,999,999 points.*--yes"):
        planned(Axis("raven.steps", range(1, 10**15)))
    monkeypatch.setattr(grid, "MOST_POINTS", 5)
    axis = Axis("raven.steps", (3, 4, 5))
    assert (planned(axis).points, planned(axis, games=10).size) == (3, 30)
    with pytest.raises(UserError, match="6 points"):
        planned(axis, players=[2, 3])
    assert planned(axis, players=[2, 3], consent=True).points == 6


@pytest.mark.parametrize(
    ("vary", "fragments"),
    [
        ({"raven.stepz": [4]}, ["'raven.stepz'", "did you mean 'raven.steps'?"]),
        ({"raven": [4]}, ["'raven' is a group"]),
        ({"raven.steps": [4, 5, 4]}, ["value 4 of 'raven.steps' twice"]),
        ({"raven.steps": [4, "far"]}, ["The point raven.steps=far", "a whole number"]),
        ({"raven.steps": [4], "basket.fruits": [1, -1]}, ["The point raven.steps=4, basket.fruits=-1", "'basket.fruits'", "at least"]),
        ({}, ["needs a constant"]),
    ],
)
def test_an_impossible_grid_is_refused_and_the_point_is_named(vary: dict[str, Any], fragments: list[str]) -> None:
    with pytest.raises(UserError) as refusal:
        planned(*axes_of(vary))
    assert all(fragment in str(refusal.value) for fragment in fragments), str(refusal.value)


def test_a_constant_is_varied_once_and_true_is_not_one() -> None:
    with pytest.raises(UserError, match=r"'raven\.steps' twice"):
        planned(Axis("raven.steps", [4]), Axis("raven.steps", [5]))
    with pytest.raises(RulesError, match=r"The point raven\.steps=true"):
        planned(Axis("raven.steps", [1, True]))


# ---------------------------------------------------------------- the numbers
def test_every_point_is_the_run_it_would_be_alone() -> None:
    found = orchard(players=[2, 3], strategies=["uniform"], seed=9)
    assert len(found.points) == 8
    for point in found.points:
        alone = run("orchard", players=point.players, games=300, strategies=["uniform"], seed=9, rules=point.setting)
        assert point.result.digest == alone.digest
        assert point.result.estimates == alone.estimates
    assert len(set(digests(found))) == 8


def test_differences_are_those_of_a_comparison() -> None:
    found = orchard(2000)
    for point in found.points:
        if not point.is_baseline:
            compared = compare("orchard", variants=[Variant("v", point.setting)], players=2, games=2000, metrics=["all"])
            assert {c.metric.name: c.difference for c in compared.comparisons} == point.differences


def test_the_baseline_differs_from_itself_by_exactly_nothing() -> None:
    found = orchard()
    (same,) = [p for p in found.points if p.is_baseline]
    assert same.setting == {"raven.steps": 5}
    assert all((d.best, d.low, d.high, d.n) == (0, 0, 0, 300) for d in same.differences.values())
    assert found.as_shipped
    assert found.lines == found.points


def test_an_effect_of_known_size_is_found_with_the_right_size() -> None:
    found = orchard(200_000, {"raven.steps": (5, 6)}, strategies=["fullest"])
    for point in found.points:
        steps = point.setting["raven.steps"]
        assert point.result.estimates["players_win"].low < EXACT[steps] < point.result.estimates["players_win"].high
    gap = found.points[1].differences["players_win"]
    assert gap.low < EXACT[6] - EXACT[5] < gap.high
    apart = [p.result.estimates["players_win"] for p in found.points]
    assert gap.high - gap.low < sum((e.high - e.low) ** 2 for e in apart) ** 0.5, "pairs are narrower than independent runs"


def test_other_rules_make_another_baseline() -> None:
    found = orchard(rules={"raven.steps": 9, "basket.fruits": 2})
    assert not found.as_shipped
    assert not any(p.is_baseline for p in found.points)
    (baseline,) = found.baselines
    assert baseline.setting == {"raven.steps": 9}
    assert found.lines == (baseline, *found.points)
    assert {p.result.experiment.rules.model_dump()["basket"]["fruits"] for p in found.points} == {2}
    alone = run("orchard", players=2, games=300, rules={"raven.steps": 9, "basket.fruits": 2})
    assert baseline.result.digest == alone.digest
    gap = found.points[0].differences["players_win"].best
    assert gap == pytest.approx(found.points[0].result.estimates["players_win"].best - alone.estimates["players_win"].best)


def test_neither_workers_nor_groups_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = orchard(BATCH + 10, workers=1)
    monkeypatch.setattr(grid, "TOGETHER", 3)
    parts = orchard(BATCH + 10, workers=3)
    assert (whole.digest, digests(whole)) == (parts.digest, digests(parts))
    assert [p.differences for p in whole.points] == [p.differences for p in parts.points]


def test_another_point_or_another_baseline_is_another_digest() -> None:
    found = {orchard(50, {"raven.steps": s}).digest for s in ((5, 6), (6, 5), (5,), (6,))} | {orchard(50, seed=2).digest}
    assert len(found) == 5


def staged(progress: Callable[[int, Any], None], expected: int = 0) -> Any:
    """A stage that calls `progress`, of so many playouts."""

    @contextmanager
    def stage(_label: str, size: int) -> Iterator[Callable[[int, Any], None]]:
        assert size == (expected or size)
        yield progress

    return stage


def test_progress_counts_the_playouts_of_all_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "TOGETHER", 2)
    seen: list[tuple[int, bool]] = []
    orchard(BATCH * 2, workers=1, stage=staged(lambda done, part: seen.append((done, part is None)), 8 * BATCH))
    assert seen == [(0, True), (2 * BATCH, False), (4 * BATCH, False), (6 * BATCH, False), (8 * BATCH, False)]


def press_after(playouts: int) -> Any:
    def press(done: int, _part: Any) -> None:
        if done >= playouts:
            raise KeyboardInterrupt

    return staged(press)


def test_an_interrupted_sweep_keeps_the_finished_points_and_those_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "TOGETHER", 2)
    whole = orchard(2 * BATCH)
    found = orchard(2 * BATCH, vary={"raven.steps": range(4, 10)}, stage=press_after(6 * BATCH))
    assert found.interrupted
    assert (len(found.points), found.plan.points) == (4, 6)
    assert [p.result.games for p in found.points] == [2 * BATCH, 2 * BATCH, BATCH, BATCH]
    assert [p.result.interrupted for p in found.points] == [False, False, True, True]
    assert digests(found)[:2] == digests(whole)[:2]
    assert digests(found)[2] == run("orchard", players=2, games=BATCH, rules={"raven.steps": 6}).digest
    assert not whole.interrupted


def test_an_interruption_before_anything_is_done_is_passed_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        orchard(stage=press_after(0))


def test_the_document_holds_every_point_metric_and_difference() -> None:
    found = orchard(1, rules={"raven.steps": 9})
    document = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert [p["set"] for p in document["points"]] == [{"raven.steps": steps} for steps in range(4, 8)]
    names = {m.name for m in found.points[0].metrics}
    assert all(p["players"] == 2 and set(p["estimates"]) == set(p["difference"]) == names for p in document["points"])
    assert {tuple(e) for p in document["points"] for k in ("estimates", "difference") for e in p[k].values()} == {
        ("best", "low", "high", "n", "unit")
    }
    (baseline,) = document["baseline"]
    assert baseline["set"] == {"raven.steps": 9}
    assert set(baseline["estimates"]) == names


def test_nothing_is_known_of_a_point_at_which_no_game_finished() -> None:
    found = sweep("pig", vary=["turn_cap=1,1000"], players=[2], games=60, metrics=["turns", "unfinished"])
    none, whole = json.loads(json.dumps(found.as_dict(), allow_nan=False))["points"]
    assert (none["estimates"]["turns"], none["difference"]["turns"]) == (None, None)
    assert none["estimates"]["unfinished"]["best"] == none["difference"]["unfinished"]["best"] == 1
    assert whole["estimates"]["turns"]["n"] == 60
    figures = pictured.frame([found]).set_index(["turn_cap", "metric"])[["best", "high", "difference"]]
    assert figures.loc[1, "turns"].isna().all()
    assert figures.loc[1, "unfinished"].notna().all()
    assert differing(found, found.plan.metrics[0]).startswith("0 of 1 other point "), "the other is not among those judged"
    turns, unfinished = pictured.charts([found])
    assert turns.frame["x"].tolist() == [1000, 10_000], "the rules as shipped are drawn too"
    assert unfinished.frame["x"].tolist() == [1, 1000, 10_000]


def test_nothing_is_known_of_a_difference_from_rules_under_which_no_game_finishes() -> None:
    found = sweep("pig", vary=["turn_cap=1000"], players=[2], games=60, rules={"turn_cap": 1}, metrics=["turns"])
    (point,) = found.points
    assert point.estimates["turns"] is not None
    assert (point.differences["turns"], point.comparisons.get("turns")) == (None, None)
    assert point.differences["unfinished"] is not None


# ---------------------------------------------------------------- tables and charts
def showing(found: Sweep, *names: str) -> Sweep:
    """The same with other metrics shown."""
    return replace(found, plan=replace(found.plan, metrics=tuple(chosen_metrics(found.points[0].metrics, names))))


def charted(found: Sweep, *names: str) -> list[Chart]:
    return pictured.charts([showing(found, *names)])


def page_of(found: Sweep, *names: str) -> Document:
    shown = showing(found, *names)
    study = SweepStudy.of(shown.game.name, players=shown.points[0].players, vary=shown.plan.axes)
    finding = Finding(study, (shown,), interrupted=False)
    return drawn(finding.document(), finding)


def test_the_table_has_a_line_for_each_metric_at_each_point_and_the_baseline() -> None:
    found = orchard(rules={"raven.steps": 9})
    table = pictured.frame([found])
    assert len(table) == 5 * len(found.points[0].metrics)
    assert table.loc[table["baseline"], "raven.steps"].unique().tolist() == [9]
    for point in found.points:
        (line,) = table[(table["raven.steps"] == point.setting["raven.steps"]) & (table["metric"] == "turns")].itertuples()
        estimate, difference = point.result.estimates["turns"], point.differences["turns"]
        assert (line.best, line.low, line.high, line.n) == (estimate.best, estimate.low, estimate.high, estimate.n)
        assert (line.difference, line.difference_low, line.difference_high) == (difference.best, difference.low, difference.high)
        assert line.playouts_saved == point.comparisons["turns"].variance_ratio


def test_one_number_makes_a_line_chart_with_intervals_and_the_baseline_marked() -> None:
    chart = charted(orchard(players=[2, 3]), "players_win")[0]
    assert chart.frame["x"].tolist() == [4, 5, 6, 7] * 2
    with styled():
        (ax,) = draw(chart, WIDE).axes
    curves = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    assert curves["2 players"] == curves["3 players"] == [4, 5, 6, 7]
    assert curves["as shipped"] == [5, 5]
    assert sum(len(c.get_paths()) for c in ax.collections) == 8, "an interval for each point"


def test_words_make_points_that_no_line_joins() -> None:
    found = sweep("grinchmas", vary=["wishes.pair=any,pictured"], players=[3], games=30)
    (chart,) = charted(found, "turns")
    with styled():
        (ax,) = draw(chart, WIDE).axes
    assert [t.get_text() for t in ax.get_xticklabels()] == ["any", "pictured"]
    assert {line.get_linestyle() for line in ax.lines if line.get_label() != "as shipped"} == {"None"}
    assert [list(line.get_xdata()) for line in ax.lines if line.get_label() == "as shipped"] == [[1, 1]]


def test_two_constants_make_a_heat_map_with_every_number_and_interval() -> None:
    found = sweep("grinchmas", vary=["wishes.goal=7:9", "spinner.faces=[1,feet],[1,2,feet]"], players=[3], games=60)
    (chart,) = charted(found, "turns")
    frame = chart.frame
    assert (frame["across_key"].iloc[0], frame["down_key"].iloc[0]) == ("spinner.faces", "wishes.goal"), "long labels run across"
    assert sorted(zip(frame["column"], frame["row"], strict=True)) == [(c, r) for c in range(2) for r in range(3)]
    assert frame.loc[frame["best"].idxmax(), "shade"] > frame.loc[frame["best"].idxmin(), "shade"] == 0
    with styled():
        (ax,) = draw(chart, WIDE).axes
    assert len(ax.texts) == 12, "a number and an interval in each cell"
    assert not [p for p in ax.patches if p.get_label() == "as shipped"], "the shipped spinner is no point of this grid"
    assert "No cell is the rules as shipped" in " ".join(chart.words.notes)


def test_the_baseline_is_framed_where_it_stands() -> None:
    (chart,) = charted(orchard(vary={"raven.steps": range(4, 7), "trees.fruit": (3, 4)}), "turns")
    with styled():
        (ax,) = draw(chart, WIDE).axes
    (frame,) = [p for p in ax.patches if p.get_label() == "as shipped"]
    (cell,) = chart.frame[chart.frame["baseline"]].itertuples()
    left, bottom, right, top = frame.get_extents().transformed(ax.transData.inverted()).extents
    assert left < cell.column < right
    assert bottom < cell.row < top
    assert (cell.across, cell.down) in {("5", "4"), ("4", "5")}


def test_a_heat_map_without_room_for_numbers_has_a_scale() -> None:
    (chart,) = charted(orchard(20, {"raven.steps": range(2, 32), "trees.fruit": (3, 4)}), "turns")
    with styled():
        (ax,) = draw(chart, WIDE).axes
    assert not ax.texts
    shades = [p.get_label() for p in ax.patches if " to " in str(p.get_label())]
    assert len(shades) == chart.frame["shade"].nunique() > 3
    assert all(t.get_fontsize() <= SIZE for t in ax.get_xticklabels())
    assert len(ax.get_xticks()) < 30


def test_three_constants_make_no_chart() -> None:
    found = orchard(20, {"raven.steps": (5,), "trees.fruit": (3, 4), "basket.fruits": (1, 2)})
    assert not charted(found, "turns")
    page = page_of(found, "turns")
    assert any("too many" in warning for warning in page.chapters[0].warnings)
    assert [len(t.rows) for t in page.chapters[1].tables] == [4]


def test_the_page_tells_where_a_metric_is_lowest_and_highest_and_what_differs() -> None:
    found = orchard(3000)
    page = page_of(found, "players_win", "turns")
    assert re.fullmatch(
        r"Players win: lowest at raven\.steps 4 with .+ percent of games, highest at raven\.steps 7 with .+\.", page.finding
    )
    assert page.sentences[0].startswith("Players win: 3 of 3 other points differ from the rules as shipped")
    assert page.sentences[1].startswith("Turns: lowest at raven.steps ")
    tables = page.chapters[1].tables
    assert [len(t.rows) for t in tables] == [4, 4]
    assert next(row for row in tables[0].rows if "as shipped" in row)[0] == "5"
    assert dict(page.made)["Digest"] == found.digest


def test_points_that_do_nothing_are_not_said_to_differ() -> None:
    found = orchard(500, {"turn_cap": range(990, 1010)})
    (metric,) = chosen_metrics(found.points[0].metrics, ["players_win"])
    assert "0 of 19 other points differ" in differing(found, metric)
    assert "at every point" in page_of(found, "players_win").finding


def test_points_are_judged_together() -> None:
    metric = orchard(1).points[0].metrics[0]
    points = [SimpleNamespace(comparisons={metric.name: SimpleNamespace(p_value=p)}) for p in (0.001, 0.02, 0.03, 0.5)]
    baseline = SimpleNamespace(comparisons={})
    found: Any = SimpleNamespace(points=[baseline, *points], baseline_name="as shipped")
    assert differing(found, metric).startswith("1 of 4 other points differ from the rules as shipped"), "each for itself, three would"


# ---------------------------------------------------------------- as precise as asked for
def test_a_precision_stops_early_with_confidence_sequences_that_hold_the_truth() -> None:
    found = orchard(1_000_000, {"raven.steps": [5, 6]}, strategies=["fullest"], precision=Precision(0.01, "players_win"))
    assert found.sequential
    assert found.imprecise == 0
    for point in found.points:
        estimate = point.result.estimates["players_win"]
        assert half_width(estimate) <= 0.01
        assert estimate.n < 200_000
        assert estimate.low < EXACT[point.setting["raven.steps"]] < estimate.high
    pairs = found.points[1].pairs
    assert pairs is not None
    metric = next(m for m in found.points[1].metrics if m.name == "players_win")
    assert found.points[1].differences["players_win"] == pairs.difference_sequence(metric).estimate


def test_a_precision_that_is_not_reached_is_counted() -> None:
    found = orchard(500, precision=Precision(0.0001, "players_win"))
    assert found.imprecise == len(found.points) == 4
    assert not orchard(500).sequential


def test_a_precision_of_an_unknown_metric_is_refused_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "play_pairs", lambda *_arguments, **_how: pytest.fail("something was played"))
    with pytest.raises(UserError, match="did you mean 'turns'"):
        orchard(500, precision=Precision(0.1, "trns"))
