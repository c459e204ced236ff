"""The pages of studies: nothing found is lost, and what is told follows from what was found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from reports import check as checks
from reports import sensitivity as sensitivities
from reports.html_pages import MOST_ROWS, drawn, page_html, shortened, write_csv_files, write_pictures
from simulator import registry
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import MOST_SENTENCES, Document
from simulator.game import Metric
from simulator.stats.estimate import Estimate
from simulator.studies import sweep as sweeps
from simulator.studies.check import Checked, CheckStudy, Outcome
from simulator.studies.compare import CompareStudy, finding, sentence
from simulator.studies.comparisons import Comparison
from simulator.studies.interactions import DUMMY, Index, Interactions
from simulator.studies.noticed import ranked_metrics
from simulator.studies.pairs import Variant
from simulator.studies.promises import read_promises
from simulator.studies.study import Finding
from simulator.studies.sweep import SweepStudy

if TYPE_CHECKING:
    from pathlib import Path

Swept = Finding[sweeps.Sweep]

WINS = Metric("players_win", "The players win", "share", "share", 0, 1)
OUTCOME = Metric("wins.0", "Seat 0 wins", "share", "share", 0, 1, outcome=True)
TURNS = Metric("turns", "Turns", "turns", "count", 0, 99)


def page(**changes: Any) -> Document:
    """A page that says little."""
    return replace(Document(None, "Study", "Found.", (), (), (), (), None), **changes)


# ---------------------------------------------------------------- any page
def test_findings_that_do_not_fit_at_the_top_stand_in_the_first_chapter() -> None:
    told = tuple(f"Finding {n}." for n in range(MOST_SENTENCES + 2))
    for chapters in ((), (Chapter("first", "First", "Look.", ("Own.",)), Chapter("second", "Second", "Look."))):
        text = page_html(page(sentences=told, chapters=chapters))
        assert [text.count(f">{sentence}<") for sentence in told] == [1] * len(told)
        assert text.index(told[-2]) > text.index("<main>") > text.index(told[0])


def test_a_long_table_is_cut_on_the_page_and_whole_in_its_file(tmp_path: Path) -> None:
    long = Table("Long", "", ("Number",), tuple((str(n),) for n in range(MOST_ROWS + 5)), rows_of=("run",) * (MOST_ROWS + 5))
    cut = shortened(long)
    assert len(cut.rows) == len(cut.rows_of) == MOST_ROWS
    assert f"first {MOST_ROWS:,} of {MOST_ROWS + 5:,} rows" in cut.note
    (file,) = write_csv_files(tmp_path, page(tables=(long,)))
    assert len(file.read_text(encoding="utf-8").splitlines()) == MOST_ROWS + 6


def test_a_short_table_stays_as_it_is() -> None:
    short = Table("Short", "Note.", ("Number",), (("1",),))
    assert shortened(short) is short


# ---------------------------------------------------------------- comparisons
def comparison(low: float, high: float, verdict: Any, metric: Metric = WINS, players: int = 4) -> Comparison:
    """A metric that was at 0.5 and moved to between `low` and `high` more."""
    middle = (low + high) / 2
    before, after = (Estimate(x, x - 0.01, x + 0.01, 1000, metric.unit) for x in (0.5, 0.5 + middle))
    return Comparison("stars=6", players, metric, before, after, Estimate(middle, low, high, 1000, metric.unit), verdict, 2.0)


def test_the_largest_effect_is_told_with_both_values_and_its_interval() -> None:
    told = sentence([comparison(-0.06, -0.04, "yes"), comparison(0.02, 0.04, "yes", players=5)], {})
    assert told == "With stars=6: The players win: 45.0% in place of 50.0%, 4.0 to 6.0 percentage points less (4 players)."
    fivefold = [comparison(1.9, 2.1, "yes", TURNS), comparison(0.04, 0.06, "yes")]
    assert finding(fivefold, {}) == "Games last 2.5 turns in place of 0.5, 5 times as many with stars=6 (4 players)."


def test_who_wins_and_how_long_it_takes_are_ranked_before_what_changes_more() -> None:
    cards = Metric("cards", "Cards", "cards", "count", 0, 99)
    wins, cards_drawn, turns = (
        comparison(0.03, 0.05, "yes", OUTCOME),
        comparison(3.9, 4.1, "yes", cards),
        comparison(0.9, 1.1, "yes", TURNS),
    )
    small = comparison(0.001, 0.002, "yes", replace(cards, name="small"))
    assert ranked_metrics([small, cards_drawn, wins, turns], {}) == ["turns", "wins.0", "cards", "small"]


def test_what_no_table_would_notice_is_called_tiny_and_what_is_not_shown_no_difference() -> None:
    tiny, unsure = comparison(0.004, 0.006, "yes"), comparison(-0.01, 0.02, "open")
    assert sentence([tiny], {}) == "With stars=6: nothing that a table would notice. Real but tiny: The players win."
    assert "real but tiny" in finding([tiny], {})
    assert "The players win: 50.5% in place of 50.0%" in sentence([tiny], {"share": 0.001}), "a margin says what is noticed"
    assert "Undecided: The players win." in sentence([unsure], {})
    assert finding([unsure], {}) == "No variant makes a difference that shows."
    assert "No difference that matters: Turns." in sentence([comparison(-0.001, 0.001, "no", TURNS)], {})


def test_the_page_of_a_comparison_names_what_each_variant_changes() -> None:
    variants = [Variant("less", {"goal": 60}), Variant("other", {"goal": 50}, ("uniform",)), Variant("same", {})]
    made = CompareStudy.of("pig", players=2, variants=variants, games=300).play().document()
    (table,) = made.chapters[2].tables
    assert ("less", "goal", "100", "60") in table.rows
    assert ("other", "strategy", "hold", "uniform") in table.rows
    assert ("same", "nothing", "", "") in table.rows
    same = CompareStudy.of("pig", players=2, variants=variants[2:], games=50).play().document()
    assert {row[5] for row in same.chapters[1].tables[0].cells} == {Cell("0", "0 to 0")}, "the same rules differ by nothing"


# ---------------------------------------------------------------- sweeps
@pytest.fixture(scope="module")
def swept() -> Swept:
    return asked(vary=["raven.steps=4:6", "trees.fruit=3,4"], players=[2, 3], games=60)


def asked(**options: Any) -> Swept:
    """What was found about the turns."""
    finding: Swept = SweepStudy.of("orchard", metrics=["turns"], **options).play()
    return finding


def paged(found: Swept) -> Document:
    """The page about it."""
    return drawn(found.document(), found)


def test_a_slider_stops_at_every_point_and_starts_at_the_baseline(swept: Swept) -> None:
    slider = paged(swept).slider
    assert slider is not None
    assert [(dial.label, dial.values) for dial in slider.dials] == [("raven.steps", ("4", "5", "6")), ("trees.fruit", ("3", "4"))]
    assert sorted(stop.at for stop in slider.stops) == [(i, j) for i in range(3) for j in range(2)]
    assert next(stop.name for stop in slider.stops if stop.at == slider.start) == "raven.steps 5, trees.fruit 4"


def test_a_stop_shows_the_figures_of_its_point_for_each_number_of_players(swept: Swept) -> None:
    slider = paged(swept).slider
    assert slider is not None
    stop = next(stop for stop in slider.stops if stop.name == "raven.steps 6, trees.fruit 3")
    ((_, *cells),) = stop.table.cells
    for cell, n in zip(cells, (2, 3), strict=True):
        (point,) = [p for p in swept.parts[0].points if p.players == n and p.setting == {"raven.steps": 6, "trees.fruit": 3}]
        assert float(cell.text) == pytest.approx(point.result.estimates["turns"].best, abs=0.01)
        low, _, high = cell.small.partition(" to ")
        assert float(low) < float(cell.text) < float(high)


def test_there_is_no_slider_for_one_point_or_for_too_many(swept: Swept, monkeypatch: pytest.MonkeyPatch) -> None:
    assert paged(asked(vary=["raven.steps=4"], players=[2], games=20)).slider is None
    monkeypatch.setattr(sweeps, "MOST_STOPS", 5)
    assert paged(swept).slider is None


def test_charts_of_a_sweep_say_which_point_a_mark_stands_for(swept: Swept) -> None:
    text = page_html(paged(swept))
    assert text.count('data-point="raven.steps 6, trees.fruit 3"') == 1 + 2 * 2, "a stop, and a cell in two panels of two pictures"


# ---------------------------------------------------------------- sensitivity
def together() -> Interactions:
    """Two constants, one of which stands out."""
    indices = (Index("a", (1, 2), 0.3, 0.1, 0.6, 0.1), Index("b", (1, 2), -0.01, 0.05, 0.1, 0.2), Index(DUMMY, (0, 7), 0.0, 0.1, 0.05, 0.1))
    return Interactions(3, WINS, indices, 128, 10, 0.0)


def test_the_chart_of_the_indices_holds_both_shares_of_every_constant_and_the_noise() -> None:
    table = sensitivities.indices_frame([together()])
    assert table[["key", "kind", "best"]].to_numpy().tolist() == [
        ["a", "alone", 0.3],
        ["a", "with others", 0.6],
        ["b", "alone", 0.0],
        ["b", "with others", 0.1],
        [DUMMY, "alone", 0.0],
        [DUMMY, "with others", 0.05],
    ]
    assert table["low"].tolist() == pytest.approx([0.2, 0.5, 0, 0, 0, 0]), "no share is below nought"
    assert table["floor"].unique().tolist() == pytest.approx([0.15])
    assert set(table["n"]) == {1280}


def test_only_a_constant_clear_of_the_noise_is_named_in_the_title() -> None:
    assert (
        sensitivities.indices_chart([together()]).words.title
        == "The players win: 50.0 to 70.0 percent of its variance goes with a (3 players)"
    )
    noise = replace(together(), indices=together().indices[1:])
    assert "no constant stands out" in sensitivities.indices_chart([noise]).words.title


# ---------------------------------------------------------------- checks
PROMISES = """
[[promise]]
name = "Long enough"
game = "pig"
players = 2
metric = "turns"
at_least = 5
[[promise]]
name = "Fair"
game = "pig"
players = 2
metric = "wins.0"
low = 0.4
high = 0.6
"""


@pytest.fixture
def checked(tmp_path: Path) -> Checked:
    file = tmp_path / "promises.toml"
    file.write_text(PROMISES.replace("low = 0.4\nhigh = 0.6", "at_most = 0.6"), encoding="utf-8")
    long, fair = read_promises(file)
    found = (
        Outcome(long, Estimate(9.0, 8.0, 10.0, 500, "turns"), "yes"),
        Outcome(fair, Estimate(0.7, 0.65, 0.75, 500, "share"), "no"),
    )
    return Checked(found, 1.0)


def check_page(folder: Path, checked: Checked) -> Document:
    """The page of a check that came to this."""
    finding = Finding(CheckStudy(folder / "promises.toml"), (checked,), checked.interrupted)
    return drawn(finding.document(), finding)


def test_the_chart_of_promises_begins_with_those_that_do_not_hold(checked: Checked) -> None:
    table = checks.targets(checked)
    assert table["verdict"].tolist() == ["broken", "holds"]
    broken, holds = table.to_dict("records")
    assert (broken["best"], broken["low"], broken["high"], broken["promised_high"]) == pytest.approx((70, 65, 75, 60))
    assert broken["first"] < 60
    assert broken["last"] > 75
    assert holds["promised_low"] == 5
    assert holds["promised_high"] != holds["promised_high"], "there is no such end"


def test_a_promise_for_which_nothing_was_played_is_in_the_table_and_not_in_the_chart(checked: Checked, tmp_path: Path) -> None:
    outcomes = (checked.outcomes[0], replace(checked.outcomes[1], estimate=None, verdict="open"))
    made = check_page(tmp_path, Checked(outcomes, 1.0, interrupted=True))
    assert len(made.every_table[0].rows) == 2
    assert made.every_chart[0].frame["left_out"].tolist() == [1]
    assert any("interrupted" in warning for warning in made.warnings)
    assert not check_page(tmp_path, Checked(outcomes[1:], 1.0)).every_chart


def test_pictures_of_a_study_are_named_after_game_and_chart(checked: Checked, tmp_path: Path) -> None:
    (file,) = write_pictures(tmp_path / "svg", check_page(tmp_path, checked), "svg")
    assert file.name == f"{registry.game('pig').name}-promises.svg"
    assert "<svg" in file.read_text(encoding="utf-8")
