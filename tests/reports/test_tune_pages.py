"""Pages, tables and charts of tunings say what was measured, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest

from reports import tune as tunings
from reports.charts import Chart
from reports.html_pages import drawn as with_charts
from reports.html_pages import page_html
from reports.pictures import WIDE, draw, styled
from simulator.studies.study import Finding
from simulator.studies.tune import TuneStudy
from simulator.studies.tuning import Tuning


def finding(target: str, players: tuple[int, ...] = (2, 3), game: str = "orchard", **options: Any) -> Finding[Tuning]:
    asked = {"vary": ["raven.steps=4:8"], "games": 6000} | options
    return TuneStudy.of(game, targets=[target], players=players, **asked).play()  # type: ignore[no-any-return]  # of any study


def tuned(target: str, players: tuple[int, ...] = (2, 3)) -> Tuning:
    return finding(target, players).parts[0]


def page(*parts: Tuning) -> str:
    """The page of searches for First Orchard."""
    study = TuneStudy.of("orchard", targets=["players_win=0.5"])
    whole = Finding(study, parts, interrupted=False)
    return page_html(with_charts(whole.document(), whole))


@pytest.fixture(scope="module")
def met() -> Tuning:
    """Six steps meet it, five and seven do not."""
    return tuned("players_win=0.73:0.81")


@pytest.fixture(scope="module")
def missed() -> Tuning:
    """Nothing meets it."""
    return tuned("players_win=0.99", (2,))


def test_the_table_holds_every_figure_that_was_measured(met: Tuning) -> None:
    table = tunings.frame([met])
    assert list(table["part"].unique()) == ["as it is", "proposal", "around"]
    assert sorted(table.loc[table["part"] == "around", "value"].unique()) == ["5", "6", "7"]
    proposal = table[table["part"] == "proposal"]
    judged = met.proposals[0].measured.judged
    assert list(proposal["best"]) == [j.estimate.best for j in judged]
    assert list(proposal["low"]) == [j.estimate.low for j in judged]
    assert set(proposal["verdict"]) == {"met"}
    assert set(table.loc[table["value"] == "5", "verdict"]) == {"missed"}
    assert list(proposal["players"]) == [2, 3]


def test_before_and_after_stand_beside_each_other(met: Tuning) -> None:
    table = tunings.before_frame(tunings.frame([met]), together=True)
    assert list(table.groupby("series", sort=False)["x"].apply(list)) == [[2.0, 3.0], [2.0, 3.0]]
    assert list(table["series"].unique()) == ["as it is", "1. raven.steps 5 \N{RIGHTWARDS ARROW} 6"]


def test_separate_searches_share_one_chart(met: Tuning, missed: Tuning) -> None:
    del met
    table = tunings.before_frame(tunings.frame([missed, tuned("players_win=0.73:0.81", (3,))]), together=False)
    assert list(table["series"].unique()) == ["as it is", tunings.BEST_OF_EACH]
    assert sorted(table.loc[table["series"] == tunings.BEST_OF_EACH, "players"]) == [2, 3]


def test_an_advantage_is_shown_in_signed_points_and_each_value_under_its_column() -> None:
    found = finding("first_player_advantage=-0.1:-0.09", (2,), "pig", vary=["goal=90"], games=2000, changes=1)
    text = page_html(with_charts(found.document(), found))
    (cell,) = re.findall(r'data-label="Changed" class="number">([^<]+)<small>([^<]+)</small>', text)[:1]
    assert all(re.fullmatch(r"[+\N{MINUS SIGN}]\d+(\.\d+)?", figure) for figure in (cell[0], *cell[1].split(" to "))), cell
    assert 'data-label="Verdict">missed' in text


def test_values_around_a_proposal_are_drawn_along_the_constant(met: Tuning) -> None:
    part = tunings.frame([met])
    table = tunings.around_frame(part, "raven.steps")
    assert bool(table["numeric"].all())
    assert sorted(table["x"].unique()) == [5.0, 6.0, 7.0]
    assert list(table.loc[table["chosen"], "x"].unique()) == [6.0]
    assert list(table["panel"].unique()) == ["1. raven.steps 5 \N{RIGHTWARDS ARROW} 6"]


def test_proposals_of_separate_searches_are_kept_apart(met: Tuning) -> None:
    """Both are the first of their search, and are about other rules."""
    two, three = tuned("players_win=0.73:0.81", (2,)), tuned("players_win=0.81:0.91", (3,))
    table = tunings.around_frame(tunings.frame([two, three]), "raven.steps")
    assert list(table["panel"].unique()) == [
        "2 players: 1. raven.steps 5 \N{RIGHTWARDS ARROW} 6",
        "3 players: 1. raven.steps 5 \N{RIGHTWARDS ARROW} 7",
    ]
    assert sorted(table.loc[table["chosen"], ["players", "value"]].itertuples(index=False, name=None)) == [(2, "6"), (3, "7")]
    text = page(two, three)
    assert "With 3 players, raven.steps: 7 works" in text
    assert "With 2 players, raven.steps: 6 works" in text
    assert "With 2 players, 1 constant changed: all 4 such rules were tried." in text
    assert "<li>raven.steps: 6 works" in page(met) or "<p>raven.steps: 6 works" in page(met)


def test_values_that_are_no_numbers_stand_side_by_side(met: Tuning) -> None:
    part = tunings.frame([met]).replace({"value": {"5": "far", "6": "near", "7": "off"}})
    table = tunings.around_frame(part, "raven.steps")
    assert not table["numeric"].any()
    assert sorted(table["x"].unique()) == [0.0, 1.0, 2.0]
    assert table["ticks"].iloc[0] == ("far", "near", "off")
    drawn(Chart("around", table, tunings._around_words(table, "raven.steps"), tunings.draw_around, 1, 2.6))


def drawn(chart: Chart) -> list[str]:
    """The texts of a chart that was drawn."""
    with styled():
        figure = draw(chart, WIDE)
        figure.canvas.draw()
    return [text.get_text() for text in figure.findobj(match=lambda artist: hasattr(artist, "get_text"))]  # type: ignore[attr-defined]


def test_charts_show_the_target_and_each_number_of_players(met: Tuning) -> None:
    before, around = tunings.charts([met])
    assert {"target", "as it is"} <= set(drawn(before))
    assert {"target", "2 players", "3 players", "proposed"} <= set(drawn(around))
    assert "77" in around.words.alt or "76" in around.words.alt


def test_a_page_says_what_was_found_and_warns_where_nothing_was(met: Tuning, missed: Tuning) -> None:
    good, bad = page(met), page(missed)
    assert "raven.steps 5 \N{RIGHTWARDS ARROW} 6 meets the target with 2 to 3 players." in good
    assert "raven.steps: 6 works, 5 and 7 do not." in good
    assert "No rules that were allowed meet the target with 2 players." in bad
    assert "miss it by" in bad


def test_figures_of_games_that_did_not_finish_are_not_drawn() -> None:
    """Rules under which some do are drawn without those as they are."""
    none, some = (
        finding("wins.0=0.4:0.7", (2,), "pig", vary=[f"turn_cap={caps}"], games=500, rules={"turn_cap": 1}) for caps in ("2,3", "2,1000")
    )
    assert tunings.charts(none.parts) == []
    (before, _around) = tunings.charts(some.parts)
    assert list(before.frame["part"]) == ["proposal"]
    text = page_html(with_charts(some.document(), some))
    assert re.findall(r'data-label="As it is" class="number">([^<]+)<small>([^<]+)</small>', text)[:1] == [("-", "not known")]
    assert "Of the rules as they are: No game with 2 players finished" in text
