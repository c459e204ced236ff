"""The page, the pictures and the table of a tournament."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest
from matplotlib.figure import Figure

from reports import tournaments
from reports.html_pages import page_html
from reports.pictures import LINE, WIDE, draw, styled
from simulator.stats.estimate import Estimate
from simulator.studies.ratings import Ratings
from simulator.studies.tournament import Tournament, tournament

HOSTILE = """<script>alert("x")</script> & $x_1$"""
BELL = "\N{BELL}\x07"


@cache
def pig(players: int) -> Tournament:
    return tournament("pig", players=players, games=1200)


@cache
def orchard() -> Tournament:
    return tournament("orchard", players=4, games=600)


def test_the_frame_has_every_figure_as_it_was_found() -> None:
    found = pig(2)
    table = tournaments.frame([found])
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
    table = tournaments.matrix_frame([first, second])
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
    four, eight = len(tournaments.SHADES) // 2, len(tournaments.SHADES)
    assert [tournaments._shade(x, 0.25) for x in (0, 0.2499, 0.25, 1)] == [0, four - 1, four, eight - 1]
    assert tournaments._scale(0.25)[four] == "25 to 44%"


def test_the_drawn_matrix_shows_its_numbers_and_its_names() -> None:
    table = tournaments.matrix_frame([pig(2)])
    ax = Figure(figsize=(8, 4)).add_axes((0.1, 0.1, 0.85, 0.85))
    tournaments.draw_matrix(table, ax)
    written = {text.get_text() for text in ax.texts}
    assert f"{100 * table['best'].max():.1f}%" in written or f"{100 * table['best'].max():.0f}%" in written
    rows = {tick: label.get_text() for tick, label in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)}
    assert rows == {line.row: line.down for line in table.itertuples()}


def test_an_open_end_is_drawn_as_an_arrow_and_told() -> None:
    found = replace(pig(2))
    values = (*(Estimate(0, -1, 1, 9, "Elo points") for _ in range(3)), Estimate(-900, -math.inf, -700, 9, "Elo points"))
    found.__dict__["ratings"] = Ratings(values, None, None)
    table = tournaments.rating_frame([found])
    assert list(table["bound"]) == ["both", "both", "both", "above"]
    ax = Figure(figsize=(8, 4)).add_axes((0.1, 0.1, 0.85, 0.85))
    tournaments.draw_ratings(table, ax)
    assert [line.get_marker() for line in ax.lines if line.get_marker() != "None"].count("v") == 1
    words = tournaments.rating_words([found], table)
    assert "below \N{MINUS SIGN}700 Elo points, for it never won" in words.alt
    assert tournaments.rating_cell(values[3]).text == "below \N{MINUS SIGN}700"
    assert "The mean is 0." in words.notes[0]
    assert tournaments.rating_cell(Estimate(0, -math.inf, math.inf, 9, "Elo points")).text == "not known"


def test_the_page_says_who_beats_whom_and_holds_no_markup_of_names() -> None:
    found = pig(2)
    hostile = replace(found, strategies=(HOSTILE + BELL, *found.strategies[1:]))
    page = page_html(tournaments.page([hostile], "simulate tournament pig"))
    assert HOSTILE not in page
    assert "\x07" not in page
    assert "&lt;script&gt;alert" in page
    text = page_html(tournaments.page([found]))
    assert "optimal beats every other strategy" in text
    assert "Elo points" in text


def test_the_page_of_a_cooperative_game_shows_tables_and_no_ratings() -> None:
    page = tournaments.page([orchard()])
    assert [chart.name for chart in page.every_chart] == ["tournament", "tournament-halves"]
    own = tournaments.matrix_frame([orchard()])
    assert len(own) == 9
    halves = tournaments.matrix_frame([orchard()], halves=True)
    assert len(halves) == 6
    assert "of fullest wins " in page.finding
    assert page.chapters[0].notes == ("All seats of a table win or lose together in a cooperative game.",)
    assert "Elo" not in page_html(page)


def test_the_headline_names_all_tables_that_may_be_best_as_the_findings_do() -> None:
    for second, clear in ((0.62, False), (0.4, True)):
        found = replace(orchard())
        found.__dict__["shares"] = tuple(Estimate(best, best - 0.02, best + 0.02, 600, "share") for best in (0.65, second, 0.2))
        page = tournaments.page([found])
        assert f"of {found.strategies[0]} wins 63.0 to 67.0 percent of games" in page.finding
        for told in (page.finding, page.chapters[0].sentences[0]):
            assert ("is open" in told) == (found.strategies[1] in told) == (not clear)
            assert found.strategies[2] not in told


def test_a_finding_begins_with_a_capital_unless_it_begins_with_a_name() -> None:
    assert tournaments.page([pig(2)]).finding.startswith("optimal beats")
    even = replace(pig(2))
    even.__dict__["beats"] = frozenset[tuple[int, int]]()
    assert tournaments.page([even]).finding == "No strategy is shown to beat every other."
    stopped = replace(even, interrupted=True)
    stopped.__dict__["beats"] = frozenset[tuple[int, int]]()
    assert tournaments.page([stopped]).finding == "Not all strategies have met."
    assert tournaments.page([pig(2), even]).finding.startswith("With 2 players optimal beats every other strategy; with 2 players no ")


def test_every_matrix_has_the_names_of_its_columns_below_it() -> None:
    (chart, *_) = tournaments.charts([pig(2), pig(3)])
    with styled():
        figure = draw(chart, WIDE)
    assert len(figure.axes) == 2
    assert all(ax.xaxis.get_tick_params()["labelbottom"] for ax in figure.axes)
    boxes = [ax.get_position() for ax in figure.axes]
    assert (boxes[0].y0 - boxes[1].y1) * figure.get_figheight() > 2 * LINE, "there is room for a line of names and a title"


def test_no_name_around_a_matrix_is_torn() -> None:
    names, size = tournaments.fitted(["opportunist", "strict_hold", "bully"], 8)
    assert names == ["opportunist", "strict_\nhold", "bully"]
    assert size == pytest.approx(tournaments.SMALL * 8 / 11)
    assert tournaments.fitted(["bully"], 8) == (["bully"], tournaments.SMALL)
    (long,), size = tournaments.fitted(["x" * 60], 12)
    assert len(long) < 20, "what nobody could read does not leave the picture"
    assert size > 5


def test_an_interrupted_tournament_says_so_and_leaves_gaps() -> None:
    found = replace(pig(2), pairings=pig(2).pairings[:2], interrupted=True)
    page = tournaments.page([found])
    assert any("interrupted" in warning for warning in page.warnings)
    assert [chart.name for chart in page.every_chart] == ["tournament"]
    assert sum(not cell.text for row in tournaments.matrix_table(found, several=False).cells for cell in row) == 12


def test_a_share_is_told_with_its_interval() -> None:
    cell = tournaments.share_cell(Estimate(0.5, 0.4, 0.6, 10, "share"))
    assert (cell.text, cell.small) == ("50%", "40 to 60")
    assert not tournaments.share_cell(None).text
