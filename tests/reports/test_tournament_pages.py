"""The page, the pictures and the table of a tournament."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest
from matplotlib.figure import Figure

from reports import tournament as drawing
from reports.html_pages import drawn, page_html
from reports.pictures import LINE, WIDE, draw, styled
from simulator.document.document import Document
from simulator.stats.estimate import Estimate
from simulator.studies.ratings import Ratings
from simulator.studies.standings import Tournament
from simulator.studies.study import Finding
from simulator.studies.tournament import TournamentStudy, matrix_tables, rating_cell, share_cell, tournament

HOSTILE = """<script>alert("x")</script> & $x_1$"""
BELL = "\N{BELL}\x07"


@cache
def pig(players: int) -> Tournament:
    return tournament("pig", players=players, games=1200)


@cache
def orchard() -> Tournament:
    return tournament("orchard", players=4, games=600)


def paged(*parts: Tournament) -> Document:
    """The page of a study that found these."""
    finding = Finding(TournamentStudy.of("pig", players=2), parts, interrupted=False)
    return drawn(finding.document(), finding)


def named(part: Tournament, *names: str) -> Tournament:
    """The same with other names of the strategies."""
    return replace(part, plan=replace(part.plan, entrants={name: name for name in names}))


def test_the_frame_has_every_figure_as_it_was_found() -> None:
    found = pig(2)
    table = drawing.frame([found])
    wins = table[table["what"] == "wins"].set_index(["strategy", "rival"])
    assert len(wins) == 4 * 3
    for a, one in enumerate(found.strategies):
        for b, other in enumerate(found.strategies):
            e = found.wins[a][b]
            if e is not None:
                assert tuple(wins.loc[(one, other), ["best", "low", "high", "n"]]) == (e.best, e.low, e.high, e.n)
    assert list(table["what"].value_counts()[["average", "rating"]]) == [4, 4]


def test_every_cell_of_the_matrix_stands_where_its_names_are() -> None:
    first, second = pig(2), pig(3)
    second.__dict__["order"] = first.order[::-1]  # the panels share their axes whatever the order of the second
    table = drawing.matrix_frame([first, second])
    assert set(table["panel"]) == {"2 players", "3 players"}
    assert len(table.drop_duplicates(["row", "down"])) == len(table.drop_duplicates(["column", "across"])) == 4
    top = table[table["row"] == table["row"].max()]
    assert set(top["down"]) == {first.strategies[first.order[0]]}
    for line in table.itertuples():
        t = first if line.panel == "2 players" else second
        e = t.wins[t.strategies.index(str(line.down))][t.strategies.index(str(line.across))]
        assert e is not None
        assert (line.best, line.low, line.high) == (e.best, e.low, e.high)


def test_the_middle_of_the_colours_is_an_equal_share() -> None:
    four, eight = len(drawing.SHADES) // 2, len(drawing.SHADES)
    assert [drawing._shade(x, 0.25) for x in (0, 0.2499, 0.25, 1)] == [0, four - 1, four, eight - 1]
    assert drawing._scale(0.25)[four] == "25 to 44%"


def test_the_drawn_matrix_shows_its_numbers_and_its_names() -> None:
    table = drawing.matrix_frame([pig(2)])
    ax = Figure(figsize=(8, 4)).add_axes((0.1, 0.1, 0.85, 0.85))
    drawing.draw_matrix(table, ax)
    written = {text.get_text() for text in ax.texts}
    assert f"{100 * table['best'].max():.1f}%" in written or f"{100 * table['best'].max():.0f}%" in written
    rows = {tick: label.get_text() for tick, label in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)}
    assert rows == {line.row: line.down for line in table.itertuples()}


def test_an_open_end_is_drawn_as_an_arrow_and_told() -> None:
    found = replace(pig(2))
    values = (*(Estimate(0, -1, 1, 9, "Elo points") for _ in range(3)), Estimate(-900, -math.inf, -700, 9, "Elo points"))
    found.__dict__["ratings"] = Ratings(values, None, None)
    table = drawing.rating_frame([found])
    assert list(table["bound"]) == ["both", "both", "both", "above"]
    ax = Figure(figsize=(8, 4)).add_axes((0.1, 0.1, 0.85, 0.85))
    drawing.draw_ratings(table, ax)
    assert [line.get_marker() for line in ax.lines if line.get_marker() != "None"].count("v") == 1
    words = drawing.rating_words([found], table)
    assert "below \N{MINUS SIGN}700 Elo points, for it never won" in words.alt
    assert rating_cell(values[3]).text == "below \N{MINUS SIGN}700"
    assert "the mean is 0." in words.notes[0]
    assert rating_cell(Estimate(0, -math.inf, math.inf, 9, "Elo points")).text == "not known"


def test_the_page_says_who_beats_whom_and_holds_no_markup_of_names() -> None:
    found = pig(2)
    hostile = named(found, HOSTILE + BELL, *found.strategies[1:])
    page = page_html(paged(hostile))
    assert HOSTILE not in page
    assert "\x07" not in page
    assert "&lt;script&gt;alert" in page
    text = page_html(paged(found))
    assert "optimal beats every other strategy" in text
    assert "Elo points" in text


def test_the_page_of_a_cooperative_game_shows_tables_and_no_ratings() -> None:
    page = paged(orchard())
    assert [chart.name for chart in page.every_chart] == ["tournament", "tournament-halves"]
    assert [table.name for table in page.every_table if table.name] == ["Matrix", "Halves"]
    own = drawing.matrix_frame([orchard()])
    assert len(own) == 9
    halves = drawing.matrix_frame([orchard()], halves=True)
    assert len(halves) == 6
    assert page.finding.startswith("Which table of one strategy is best is open between fullest ")
    assert page.chapters[0].notes == ("All seats of a table win or lose together in a cooperative game.",)
    assert "Elo" not in page_html(page)


def test_the_headline_names_all_tables_that_may_be_best_as_the_findings_do() -> None:
    for second, clear in ((0.62, False), (0.4, True)):
        found = replace(orchard())
        found.__dict__["shares"] = tuple(Estimate(best, best - 0.02, best + 0.02, 600, "share") for best in (0.65, second, 0.2))
        page = paged(found)
        for told in (page.finding, page.every_chart[0].words.title):
            assert f"{found.strategies[0]}{': all win' * clear} 65.0% (63.0 to 67.0)" in told
            assert ("is open" in told) == (found.strategies[1] in told) == (not clear)
            assert found.strategies[2] not in told


def test_a_finding_begins_with_a_capital_unless_it_begins_with_a_name() -> None:
    assert paged(pig(2)).finding.startswith("optimal beats")
    even = replace(pig(2))
    even.__dict__["beats"] = frozenset[tuple[int, int]]()
    unbeaten = "not shown to be beaten by any: optimal, hold, strict_hold, uniform"
    assert paged(even).finding == f"No strategy is shown to beat every other; {unbeaten}."
    stopped = replace(even, interrupted=True)
    stopped.__dict__["beats"] = frozenset[tuple[int, int]]()
    assert paged(stopped).finding == "Not all strategies have met."
    both = paged(pig(2), replace(pig(3)))
    assert both.finding == "With 2 players: optimal beats every other strategy."
    assert any(sentence.startswith("With 3 players: No strategy is shown to beat every other;") for sentence in both.sentences)


def test_every_matrix_has_the_names_of_its_columns_below_it() -> None:
    (chart, *_) = drawing.charts([pig(2), pig(3)])
    with styled():
        figure = draw(chart, WIDE)
    assert len(figure.axes) == 2
    assert all(ax.xaxis.get_tick_params()["labelbottom"] for ax in figure.axes)
    boxes = [ax.get_position() for ax in figure.axes]
    assert (boxes[0].y0 - boxes[1].y1) * figure.get_figheight() > 2 * LINE, "there is room for a line of names and a title"


def test_no_name_around_a_matrix_is_torn() -> None:
    names, size = drawing.fitted(["opportunist", "strict_hold", "bully"], 8)
    assert names == ["opportunist", "strict_\nhold", "bully"]
    assert size == pytest.approx(drawing.SMALL * 8 / 11)
    assert drawing.fitted(["bully"], 8) == (["bully"], drawing.SMALL)
    (long,), size = drawing.fitted(["x" * 60], 12)
    assert len(long) < 20, "what nobody could read does not leave the picture"
    assert size > 5


def test_an_interrupted_tournament_says_so_and_leaves_gaps() -> None:
    found = replace(pig(2), pairings=pig(2).pairings[:2], interrupted=True)
    page = paged(found)
    assert any("interrupted" in warning for warning in page.warnings)
    assert [chart.name for chart in page.every_chart] == ["tournament"]
    (matrix,) = matrix_tables(found, several=False)
    assert sum(not cell.text for row in matrix.cells for cell in row) == 12


def test_a_share_is_told_with_its_interval() -> None:
    cell = share_cell(Estimate(0.5, 0.4, 0.6, 10, "share"))
    assert (cell.text, cell.small) == ("50%", "40 to 60")
    assert not share_cell(None).text
