"""Charts draw what their frames say."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from reports import balance, charts, style
from reports.balance import how_close, what_happens, who_wins
from reports.pictures import FINGERTIP, NARROW, WIDE, draw, styled, target_elements
from simulator.document.chapters import WHAT_HAPPENS
from simulator.play.run import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.play.run import Result

    Make = Callable[..., Result]


def names(result: Result) -> list[str]:
    """Names of the charts of a result."""
    return [chart.name for chart in balance.charts([result])]


def test_a_game_has_the_charts_that_it_declares(team: Make, seats: Make) -> None:
    assert names(team()) == ["verdict", "lengths", "durations", "closeness", "hits"]
    assert names(seats((50, 30, 20), 2)) == ["verdict", "advantage", "lengths", "durations"]


def test_a_chart_is_one_decorated_function(team: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = list(charts.KINDS)
    for module in (charts, balance):
        monkeypatch.setattr(module, "KINDS", kinds)

    @charts.chart(chapter=WHAT_HAPPENS, subjects=lambda _game: {"new": 1}, frame=who_wins.verdict_frame, words=who_wins.verdict_words)
    def new(frame: object, ax: object) -> None:
        """Draw nothing."""

    assert names(team())[-1] == "new"
    assert callable(new)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_shares_start_at_zero_and_nothing_is_clipped(team: Make, width: float) -> None:
    verdict = next(iter(balance.charts([team(players=2), team(players=3)])))
    with styled():
        figure = draw(verdict, width)
        (ax,) = figure.axes
        assert ax.get_ylim()[0] == 0
        heights = [bar.get_height() for bar in ax.patches]  # type: ignore[attr-defined]
        assert heights == list(verdict.frame["best"])
        box = figure.get_tightbbox()
    assert box.x0 >= 0
    assert box.y0 >= 0
    assert box.x1 <= figure.get_figwidth()
    assert box.y1 <= figure.get_figheight()


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_no_chart_leaves_its_sheet(team: Make, seats: Make, drawn: Make, hostile: str, width: float) -> None:
    groups = [
        [drawn()],
        [drawn(), drawn(2)],
        [team(names=(hostile, "x")), team(names=("y",))],
        [seats((40, 30, 20, 10), 3), seats((50, 30, 20), 2)],
        [team()],
    ]
    with styled():
        for chart in (c for results in groups for c in balance.charts(results)):
            figure = draw(chart, width)
            box = figure.get_tightbbox()
            assert box.x0 >= 0, chart.name
            assert box.y0 >= 0, chart.name
            assert box.x1 <= width + 0.05, chart.name
            assert box.y1 <= figure.get_figheight() + 0.01, chart.name


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_an_influence_has_a_panel_for_each_member_and_shows_every_interval_whole(drawn: Make, width: float) -> None:
    chart = list(balance.charts([drawn(), drawn(2)]))[-1]
    with styled():
        panels = draw(chart, width).axes
    assert [ax.get_title("left") for ax in panels] == ["Ace", "Two"]
    for ax in panels:
        low, high = ax.get_ylim()
        assert low == 0
        assert high > chart.frame["high"].max()


def test_an_outcome_has_the_same_colour_in_every_panel(team: Make) -> None:
    won, lost = {10: (100, 0, 0)}, {10: (0, 100, 0)}
    runs = [team(players=2, won=(100, 0, 0), tables=(won,) * 4), team(players=3, won=(0, 100, 0), tables=(lost,) * 4)]
    frame = next(c for c in balance.charts(runs) if c.name == "closeness").frame
    first, second = (how_close.outcome_colours(panel) for _, panel in frame.groupby("panel"))
    assert first == {"Players win": style.CATEGORIES[0]}
    assert second == {"Foe wins": style.CATEGORIES[1]}


def test_a_seat_has_its_own_colour_in_every_panel_and_a_tie_none_of_theirs() -> None:
    runs = [run("crocs", players=n, games=400, rules={"deck.when_empty": "end"}) for n in (2, 4)]
    frame = next(c for c in balance.charts(runs) if c.name == "closeness").frame
    for players, panel in zip((2, 4), (panel for _, panel in frame.groupby("panel")), strict=True):
        colours = how_close.outcome_colours(panel)
        labels = dict(zip(panel["outcome"], panel["outcome_label"], strict=True))
        assert [colours[labels[f"wins.{seat}"]] for seat in range(players)] == style.seats(4)[:players]
        assert colours[labels["tied"]] == style.CATEGORIES[1]


def test_events_of_which_none_came_about_have_no_picture_and_the_chapter_says_so(team: Make) -> None:
    none = {0: (60, 40, 0)}
    result = team(tables=({10: (60, 40, 0)}, {1: (60, 40, 0)}, none, none))
    assert "hits" not in names(result)
    assert what_happens.chapter([result], ()).sentences == (
        "Who hits: nothing of it came about in 100 games, so there is no picture of it.",
    )
    assert what_happens.chapter([team()], ()).sentences == ()


def luminance(colour: str) -> float:
    """Relative luminance of a colour, 0 to 1; source: WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_ordered_colours_keep_their_order_in_grey_on_light_and_dark_pages() -> None:
    for colours in (style.ORDERED, style.SEATS, style.SHADES):
        light = [luminance(c) for c in colours]
        dark = [luminance(style.DARK[c]) for c in colours]
        assert light == sorted(light, reverse=True)
        assert dark == sorted(dark)


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21; source: WCAG 2.2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [style.SOLE, style.GREY, *style.CATEGORIES, *style.ORDERED, *style.SEATS])
def test_every_mark_is_seen_on_both_pages(colour: str) -> None:
    assert contrast(colour, style.PAPER) >= 3
    assert contrast(style.DARK[colour], style.DARK[style.PAPER]) >= 3


EYES = {
    "most": np.eye(3),
    "without red": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "without green": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "without blue": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}
"""What eyes make of linear red, green and blue; source: Machado, Oliveira and Fernandes, IEEE TVCG 15, 2009, severity 1."""

CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]]
)
OPPONENTS = np.array(
    [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]]
)
"""From linear red, green and blue to OKLab; source: Ottosson, "A perceptual color space for image processing", 2020."""


def seen(colour: str, eyes: str) -> np.ndarray[Any, Any]:
    """Where a colour lies in OKLab, for such eyes, black to white being 100."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    found: np.ndarray[Any, Any] = 100 * OPPONENTS @ np.cbrt(CONES @ np.clip(EYES[eyes] @ linear, 0, 1))
    return found


@pytest.mark.parametrize("eyes", list(EYES))
@pytest.mark.parametrize(
    "colours", [make(count) for make in (style.ordered, style.seats) for count in range(2, 9)] + [list(style.CATEGORIES)], ids=str
)
def test_colours_of_one_chart_are_told_apart_by_all_eyes(colours: list[str], eyes: str) -> None:
    for palette in (colours, [style.DARK[c] for c in colours]):
        places = [seen(colour, eyes) for colour in palette]
        assert min(np.linalg.norm(one - other) for one, other in combinations(places, 2)) >= 6


def test_dots_lie_above_the_lines_of_their_intervals(seats: Make) -> None:
    chart = next(c for c in balance.charts([seats((50, 30, 20), 2)]) if c.name == "advantage")
    with styled():
        (ax,) = draw(chart, WIDE).axes
    (dot,) = [line for line in ax.lines if line.get_marker() == "o"]
    assert all(line.get_zorder() < dot.get_zorder() for line in ax.collections)


def test_the_line_at_zero_is_drawn_only_where_the_axis_has_zero(team: Make) -> None:
    def lines(**changes: Any) -> int:
        chart = next(c for c in balance.charts([team(**changes)]) if c.name == "closeness")
        with styled():
            return len(draw(chart, WIDE).axes[0].lines)

    assert lines() == 1
    assert lines(tables=({1: (60, 40, 0)}, {2: (60, 0, 0), 5: (0, 40, 0)}, {0: (60, 40, 0)}, {0: (60, 40, 0)})) == 0


def test_text_is_readable_on_both_pages() -> None:
    for ink, paper in ((style.INK, style.PAPER), (style.DARK[style.INK], style.DARK[style.PAPER])):
        assert contrast(ink, paper) > 7


def test_the_equal_share_is_in_the_legend_where_the_first_run_has_none(seats: Make) -> None:
    chart = next(iter(balance.charts([seats((90, 10), 1), seats((50, 30, 20), 2)])))
    with styled():
        (legend,) = draw(chart, WIDE).legends
    assert "equal share" in [text.get_text() for text in legend.get_texts()]


def test_a_panel_fades_with_its_run_but_for_the_axis_that_all_panels_share(team: Make) -> None:
    chart = next(c for c in balance.charts([team(players=2), team(players=3)]) if c.name == "lengths")
    with styled():
        panels = draw(chart, WIDE).axes
    for ax, name in zip(panels, ("2 players", "3 players"), strict=True):
        assert not ax.get_gid()
        assert not ax.xaxis.get_gid()
        marked = [artist for artist in ax.get_children() if (artist.get_gid() or "").startswith(charts.MARK)]
        assert len(marked) == len(ax.get_children()) - 1
        assert all(f'"run": "{name}"' in (artist.get_gid() or "") for artist in marked)


def test_targets_lie_where_their_bars_are_and_are_no_smaller_than_a_fingertip(team: Make) -> None:
    chart = next(iter(balance.charts([team(won=(99, 1, 0)), team(players=3)])))
    with styled():
        figure = draw(chart, WIDE)
        elements = target_elements(figure)
        height = 72 * figure.get_figheight()
        boxes = [bar.get_window_extent() for bar in figure.axes[0].patches]
    for element, bar in zip(elements, boxes, strict=True):
        (path,) = [child for child in element if child.tag == "path"]
        left, bottom, right, top = map(float, re.findall(r"[\d.]+", path.attrib["d"])[:4])
        assert left <= bar.x0 * 72 / figure.dpi < bar.x1 * 72 / figure.dpi <= right
        assert height - bottom <= bar.y0 * 72 / figure.dpi + 0.1
        assert bottom - top >= FINGERTIP - 0.1
