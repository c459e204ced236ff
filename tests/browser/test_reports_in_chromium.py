"""Every report, opened in a browser: nothing is cut off, nothing leaves the page, and everybody can use it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reports_to_open import REPORTS, Opened

Built = Callable[[Opened], Path]
Look = Callable[..., Any]

DESKTOP, PHONE = 1280, 390

SMALLEST = 8.5
"""Pixels: letters in a picture are at least this high."""

VIEWS = [(DESKTOP, "light"), (PHONE, "dark"), (DESKTOP, "dark"), (PHONE, "light")]

COLOURS_AND_WIDTH = ("color-contrast", "target-size", "scrollable-region-focusable")
"""What can be wrong in another scheme or on a narrower page alone."""

AXE_VIEWS = [(*VIEWS[0], ()), (*VIEWS[1], COLOURS_AND_WIDTH)]
"""Each width and each scheme once; what does not depend on them is looked for in one."""

every_report = pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)


@every_report
def test_a_report_is_whole_readable_and_alone(report: Opened, built: Built, look: Look) -> None:
    with look(built(report)) as view:
        for width, scheme in VIEWS:
            view.page.set_viewport_size({"width": width, "height": 900})
            view.page.emulate_media(color_scheme=scheme)
            found = [*view.measured("sideways"), *view.measured("clipped"), *view.measured("overlapping"), *view.measured("tiny", SMALLEST)]
            assert not [*found, *view.measured("figuresWithoutPicture"), *view.complaints], f"{width} pixels wide, {scheme}"


@every_report
@pytest.mark.parametrize(("width", "scheme", "rules"), AXE_VIEWS, ids=["desktop-light", "phone-dark"])
def test_axe_finds_no_grave_fault(
    report: Opened, width: int, scheme: str, rules: tuple[str, ...], built: Built, look: Look, axe: Any
) -> None:
    with look(built(report), width=width, scheme=scheme) as view:
        assert axe(view.page, rules) == []


@every_report
def test_without_a_script_everything_is_shown(report: Opened, built: Built, look: Look) -> None:
    with look(built(report), script=False) as view:
        assert view.measured("unseen") == []
        assert view.measured("figuresWithoutPicture") == []
        assert view.measured("sideways") == []
        assert view.complaints == []


@every_report
def test_a_report_is_one_file_below_three_megabytes(report: Opened, built: Built) -> None:
    assert built(report).stat().st_size < 3_000_000


# ---------------------------------------------------------------- what the script adds
def column(view: Any, place: int) -> list[str]:
    """The texts of a column of the first table that can be sorted, without their small print."""
    script = """(place) => [...document.querySelector("main section:not([hidden]) table[data-sortable]").tBodies[0].rows].map((row) => {
        const cell = row.cells[place].cloneNode(true);
        cell.querySelectorAll("small, .mark").forEach((more) => more.remove());
        return cell.textContent.trim();
    })"""
    texts: list[str] = view.page.evaluate(script, place)
    return texts


def numbers(texts: list[str]) -> list[float]:
    return [float(text.replace("\N{MINUS SIGN}", "-").replace(",", "").rstrip("%").split()[0]) for text in texts]


@pytest.fixture
def compared(built: Built) -> Path:
    """The page of a comparison."""
    return built(next(report for report in REPORTS if report.name == "compare-one"))


def test_a_click_on_a_heading_sorts_the_table_and_another_turns_it_around(compared: Path, look: Look) -> None:
    with look(compared) as view:
        heading = view.page.locator("table[data-sortable] thead th").nth(5)
        assert heading.get_attribute("aria-sort") is None
        before = numbers(column(view, 5))
        heading.locator("button").click()
        assert numbers(column(view, 5)) == sorted(before, reverse=True)
        assert heading.get_attribute("aria-sort") == "descending"
        heading.locator("button").click()
        assert numbers(column(view, 5)) == sorted(before)
        assert heading.get_attribute("aria-sort") == "ascending"


def test_the_keyboard_sorts_a_table(compared: Path, look: Look) -> None:
    with look(compared) as view:
        button = view.page.locator("table[data-sortable] thead th button").first
        button.focus()
        view.page.keyboard.press("Enter")
        names = column(view, 0)
        assert names == sorted(names)
        view.page.keyboard.press("Space")
        assert column(view, 0) == sorted(names, reverse=True)


def test_the_select_leaves_one_number_of_players(compared: Path, look: Look) -> None:
    with look(compared) as view:
        everything = column(view, 1)
        assert set(everything) == {"2", "3"}
        view.page.locator("[data-picker] select").select_option("3 players")
        rows = view.page.locator("table[data-sortable]").first.locator("tbody tr:visible")
        assert rows.count() == everything.count("3") > 0
        assert view.page.locator("figure svg:visible [data-run='2 players'].faded").count() > 0
        assert view.page.locator("figure svg:visible [data-run='3 players'].faded").count() == 0
        view.page.locator("[data-picker] select").select_option("")
        assert view.page.locator("table[data-sortable]").first.locator("tbody tr:visible").count() == len(everything)


def test_pointing_at_a_mark_tells_its_value_and_so_do_the_arrow_keys(compared: Path, look: Look) -> None:
    with look(compared) as view:
        drawing = view.page.locator("figure svg:visible").first
        view.page.evaluate("window.scrollTo(0, 0)")
        drawing.locator("path[fill=transparent]").first.hover()
        told = view.page.locator(".tip").text_content()
        assert "players" in told
        assert "n = 1,000" in told
        view.page.mouse.move(2, 2)
        drawing.focus()
        view.page.keyboard.press("End")
        assert view.page.locator(".tip").text_content() not in {"", told}
        view.page.keyboard.press("Escape")
        assert view.page.locator(".tip").text_content() == ""


@pytest.mark.parametrize(("name", "dials"), [("sweep-one", 1), ("sweep-two", 2)])
def test_the_sliders_of_a_sweep_walk_through_its_points(name: str, dials: int, built: Built, look: Look) -> None:
    with look(built(next(report for report in REPORTS if report.name == name))) as view:
        points, sliders = view.page.locator("div[data-point]"), view.page.locator(".slider input")
        assert sliders.count() == dials
        seen = set()
        for place in range(dials):
            slider = sliders.nth(place)
            slider.focus()
            view.page.keyboard.press("Home")
            for _ in range(int(slider.get_attribute("max") or 0) + 1):
                (shown,) = [point for point in points.all() if point.is_visible()]
                seen.add(shown.get_attribute("data-point"))
                here = view.page.locator("figure svg:visible .here").first
                assert here.get_attribute("data-point") == shown.get_attribute("data-point")
                assert slider.get_attribute("aria-valuetext") in (shown.get_attribute("data-point") or "")
                view.page.keyboard.press("ArrowRight")
        assert len(seen) >= points.count() if dials == 1 else len(seen) > dials


def test_without_a_script_every_point_of_a_sweep_is_readable(built: Built, look: Look) -> None:
    with look(built(next(report for report in REPORTS if report.name == "sweep-two")), script=False) as view:
        points = view.page.locator("div[data-point]")
        assert points.count() == 12
        assert all(point.is_visible() for point in points.all())


# ---------------------------------------------------------------- the tests themselves
BROKEN = """<!DOCTYPE html><html lang="en"><head><title>Broken</title></head><body style="margin:0">
<section id="a"><figure><svg viewBox="0 0 100 50" width="100">
<text x="10" y="20">first words</text><text x="14" y="22">second words</text><text x="80" y="45">beyond the edge</text>
</svg></figure></section>
<p style="width:3000px">wide</p><p hidden>unseen</p><p style="width:20px;white-space:nowrap">longer than its place</p>
<p style="color:#ccc;background:#ddd">pale</p><img src="http://127.0.0.1:9/none.png"><script>console.error("oh")</script></body></html>"""


def test_a_broken_page_is_found_out(tmp_path: Path, look: Look, axe: Any) -> None:
    (tmp_path / "broken.html").write_text(BROKEN, encoding="utf-8")
    with look(tmp_path / "broken.html") as view:
        assert view.measured("sideways")
        assert any("beyond the edge" in fault for fault in view.measured("clipped"))
        assert any("longer than its place" in fault for fault in view.measured("clipped"))
        assert any("second words" in fault for fault in view.measured("overlapping"))
        assert any("unseen" in fault for fault in view.measured("unseen"))
        assert view.measured("tiny", 30)
        assert {kind.partition(":")[0] for kind in view.complaints} >= {"console", "request"}
        faults = " ".join(axe(view.page))
        assert "color contrast" in faults
        assert "alternative text" in faults
