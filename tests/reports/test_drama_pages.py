"""How the chance of winning moves as frames, charts, a chapter and a page; the pictures are looked at by people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reports import drama as drawing
from reports.html_pages import drawn, page_html
from reports.pictures import NARROW, WIDE, draw, styled
from simulator.document.chapters import HOW_CLOSE, Cell
from simulator.document.document import Document
from simulator.studies.curves import POINTS, Curve
from simulator.studies.drama import Drama, DramaStudy, drama, how_often, report_chapter
from simulator.studies.study import Finding


@pytest.fixture(scope="module")
def found() -> list[Drama]:
    return [drama("pig", players=n, games=40, rollouts=20) for n in (2, 3)]


def test_the_frame_holds_every_chance_of_every_playout(found: list[Drama]) -> None:
    table = drawing.frame(found)
    assert len(table) == sum(curve.chances.size for one in found for curve in one.curves)
    seven = table[(table["players"] == 3) & (table["playout"] == 7)]
    assert list(seven["chance"]) == list(found[1].curves[7].chances.ravel())
    assert set(seven[seven["won"]]["side"]) == {f"Seat {found[1].curves[7].winner}"}


def test_the_shares_of_playouts_by_lead_changes_sum_to_one_but_for_what_would_be_below_nought(found: list[Drama]) -> None:
    table = drawing.changes_frame(found)
    assert list(table["group"].unique()) == ["0", "1", "2", "3", "4 or more"]
    assert table["best"].between(0, 1).all()
    assert table.groupby("run")["best"].sum().between(0.99, 1.2).all()


def test_the_course_holds_the_quantiles_of_the_winners_and_ends_in_certainty(found: list[Drama]) -> None:
    table = drawing.course_frame(found[0])
    winners = table[table["what"] == "winners"]
    assert len(winners) == POINTS
    assert (winners[["q0", "q2", "best", "q3", "q1"]].diff(axis=1).iloc[:, 1:] >= 0).all(axis=None)
    assert ((winners["low"] <= winners["best"]) & (winners["best"] <= winners["high"])).all()
    middle = np.median(found[0].courses[:, POINTS // 2]) / 1000
    assert winners["best"].iloc[POINTS // 2] == pytest.approx(middle, abs=0.06)
    assert table.groupby("what")["best"].last().eq(1).all()
    dramatic = table[table["what"] == "dramatic"]
    assert list(dramatic["best"][:-1]) == list(found[0].dramatic.of_winner)


def test_the_charts_draw_bands_bars_and_the_same_colour_for_a_seat_everywhere(found: list[Drama]) -> None:
    changes, courses, most = drawing.charts(found)
    with styled():
        for width in (WIDE, NARROW):
            (ax,) = draw(changes, width).axes
            assert len(ax.patches) == 10
            assert len(draw(courses, width).axes) == 2
            both = [{line.get_label(): line.get_color() for line in ax.lines} for ax in draw(most, width).axes]
            assert [len(colours) for colours in both] == [2, 3]
            assert len(set(both[1].values())) == 3
            assert both[0].items() <= both[1].items()


def test_the_chapter_goes_with_how_close_a_game_is(found: list[Drama]) -> None:
    chapter = report_chapter(found)
    assert chapter.id == HOW_CLOSE
    assert [s.partition(":")[0] for s in chapter.sentences] == ["With 2 players", "With 3 players"]
    assert chapter.charts == ("drama-lead-changes",)
    assert any("off by up to 11 points" in note for note in chapter.notes)
    assert any("40 playouts" in note and "20 nested" in note for note in chapter.notes)


def paged(parts: Sequence[Drama]) -> Document:
    """The page of a study that found these."""
    finding = Finding(DramaStudy.of("pig", players=2), tuple(parts), interrupted=False)
    return drawn(finding.document(), finding)


def alike(found: Drama, games: int, *leaders: float) -> Drama:
    """Playouts that all went the same way: what the first of two sides hoped for before each turn."""
    chances = np.array([[hope, 1 - hope] for hope in leaders])
    curves = tuple(Curve(playout, chances, 1000, 0) for playout in range(games))
    return replace(found, curves=curves, dramatic=curves[0])


def test_where_all_games_are_alike_their_share_is_told_and_the_mean_has_no_interval(found: list[Drama]) -> None:
    never, once = alike(found[0], 21, 0.5, 0.8, 0.9), alike(found[0], 21, 0.8, 0.2, 0.9)
    assert how_often(never) == "in none of 21 games (0 to 15 percent)"
    assert how_often(once) == "2 times in every one of 21 games (85 to 100 percent)"
    assert how_often(alike(found[0], 1, 0.5, 0.8)) == "0 times in the only game"
    for one, mean in ((never, "0"), (once, "2")):
        made = report_chapter([one])
        assert made.tables[0].cells[0][1] == Cell(mean, "in every one of 21")
        assert drawing.changes_chart([one]).words.title == f"The lead passes {how_often(one)} with 2 players"
        assert made.sentences[0].startswith(f"With 2 players: the lead passes {how_often(one)};")
        assert one.as_dict()["estimates"]["lead_changes"] == {"best": int(mean), "low": None, "high": None, "n": 21, "unit": "changes"}
    mixed = replace(never, curves=(*never.curves, *once.curves))
    assert how_often(mixed) == "0.7 to 1.3 times a game on average"
    assert "in none of 21 games (0 to 15 percent) with 2 players and" in drawing.charts([never, found[1]])[0].words.title


def test_the_page_names_the_replay_and_warns_of_what_is_missing(found: list[Drama]) -> None:
    curves = (replace(found[1].curves[0], winner=None), *found[1].curves[1:])
    made = paged([found[0], replace(found[1], curves=curves, interrupted=True)])
    html = page_html(made)
    assert found[0].plan.replay(found[0].dramatic.playout) in html
    assert any("interrupted" in warning for warning in made.warnings)
    assert any("nobody won 1 of 40 games" in warning for warning in made.warnings)


def test_a_study_without_a_winner_has_a_page_too() -> None:
    made = paged([drama("pig", players=2, games=3, rollouts=10, rules={"turn_cap": 2})])
    assert "nobody won any" in made.finding
    assert "nobody won 3 of 3 games" in page_html(made)


def test_hostile_names_arrive_as_text(found: list[Drama]) -> None:
    hostile = replace(found[0], plan=replace(found[0].plan, strategies=("<script>alert(1)</script>",)))
    html = page_html(paged([hostile]))
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html
