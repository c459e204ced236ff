"""What skill is worth as a frame, charts, a chapter and a page; the pictures are looked at by people."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from reports import skill as drawing
from reports.html_pages import drawn, page_html
from reports.pictures import NARROW, WIDE, draw, styled
from simulator.document.chapters import SKILL
from simulator.document.document import Document
from simulator.stats.estimate import Estimate
from simulator.studies.ladder import BLUNDERS, Rung, report_chapter
from simulator.studies.skill import Skill, SkillStudy, skill
from simulator.studies.study import Finding


@pytest.fixture(scope="module")
def found() -> list[Skill]:
    return [skill("pig", players=n, games=200, ahead_games=2, strategies=["hold", "uniform", "lookahead:rollouts=2"]) for n in (2, 3)]


def rung(strategy: str, low: float, high: float, even: float | None = 0.25) -> Rung:
    return Rung(strategy, 4, "wins" if even else "players_win", Estimate((low + high) / 2, low, high, 1000, "share"), even)


def test_the_frame_holds_every_figure_of_the_study(found: list[Skill]) -> None:
    table = drawing.frame(found)
    for one in found:
        part = table[table["players"] == one.players]
        ladder = part[part["part"] == "ladder"].set_index("name")
        assert {r.strategy: r.estimate.best for r in one.ladder} == ladder["best"].to_dict()
        assert set(ladder["even"]) == {1 / one.players}
        assert list(part[part["part"] == "blunders"]["random"]) == list(BLUNDERS)
        assert part[part["part"] == "variance"]["best"].sum() == pytest.approx(1, abs=0.01)  # what is below nothing is shown as 0
        assert list(part[part["part"] == "first_player"]["best"]) == [a.estimate.best for a in one.advantages]


def test_the_charts_draw_a_mark_and_an_interval_for_each_figure(found: list[Skill]) -> None:
    moves, strategies = drawing.charts(found)
    with styled():
        for width in (WIDE, NARROW):
            (ax,) = draw(moves, width).axes
            assert sorted(len(line.get_xdata()) for line in ax.lines if line.get_marker() == "o") == [len(BLUNDERS)] * 2
            (ax,) = draw(strategies, width).axes
            dots = [line for line in ax.lines if line.get_marker() == "o"]
            assert len(dots) == len(ax.collections) == len(strategies.frame) == 6
            assert max(line.get_zorder() for line in ax.collections) < min(dot.get_zorder() for dot in dots), "no line covers a dot"
            assert {text.get_text() for text in ax.texts} == {"hold", "uniform", "lookahead:rollouts=2"}
            assert ax.get_xlim()[0] == 0


def test_titles_claim_a_difference_only_where_intervals_do_not_overlap() -> None:
    def title(*rungs: Rung) -> str:
        return drawing.ladder_chart([rungs]).words.title

    apart = title(rung("poor", 0.10, 0.12), rung("good", 0.3, 0.32))
    assert "poor" in apart
    assert "good" in apart
    assert "no difference" in title(rung("poor", 0.10, 0.22), rung("good", 0.2, 0.32))


def test_the_chapter_says_who_wins_least_and_most_at_each_number_of_players() -> None:
    rungs = [(replace(rung("poor", 0.1, 0.12), players=n), replace(rung("good", 0.3, 0.32), players=n)) for n in (4, 5)]
    chapter = report_chapter(rungs)
    assert chapter.id == SKILL
    assert [s.partition(":")[0] for s in chapter.sentences] == ["With 4 players", "With 5 players"]
    assert "poor wins least, 10 to 12 percent of games, and good most, 30 to 32, where 25 percent would be even" in chapter.sentences[0]
    assert chapter.tables[0].runs == ("", "4 players", "5 players")
    together = report_chapter([(rung("poor", 0.1, 0.12, None), rung("good", 0.3, 0.32, None))])
    assert "a table of poor wins least" in together.sentences[0]
    assert "even" not in together.sentences[0]


def test_nothing_is_said_about_one_who_plays_alone() -> None:
    chapter = report_chapter([(replace(rung("only", 0.99, 1, 1.0), players=1),), (rung("poor", 0.1, 0.12), rung("good", 0.3, 0.32))])
    assert [s.partition(":")[0] for s in chapter.sentences] == ["With 4 players"]
    assert chapter.tables[0].runs == ("", "1 player", "4 players")


def test_a_game_without_anything_to_decide_has_a_chapter_too() -> None:
    chapter = report_chapter([(rung("only", 0.24, 0.26),)])
    assert "no difference" in chapter.sentences[0]


def paged(*parts: Skill) -> Document:
    """The page of a study that found these."""
    finding = Finding(SkillStudy.of("pig", players=2), parts, interrupted=False)
    return drawn(finding.document(), finding)


def test_the_page_says_what_was_found_and_warns_of_what_is_missing(found: list[Skill]) -> None:
    made = replace(paged(found[0], replace(found[1], interrupted=True, unfinished=0.25)), command="simulate skill <pig>")
    html = page_html(made)
    assert made.finding.startswith("With 2 players: whoever moves at random")
    assert any("interrupted" in warning for warning in made.warnings)
    assert any("(25%)" in warning for warning in made.warnings)
    assert "&lt;pig&gt;" in html
    assert "<pig>" not in html
    assert {chapter.id for chapter in made.chapters} == {"moves", "strategies", "variance", "first-player"}


def test_hostile_names_arrive_as_text(found: list[Skill]) -> None:
    hostile = replace(found[0], ladder=tuple(replace(r, strategy="<script>alert(1)</script>") for r in found[0].ladder[:1]))
    html = page_html(paged(hostile))
    assert "<script>alert" not in html
    assert not math.isnan(drawing.frame([hostile])["best"].iloc[0])
