"""On a phone nothing of a table lies outside the picture: rows are cards, each value under the name of its column."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reports_to_open import REPORTS, Opened

Built = Callable[[Opened], Path]
Look = Callable[..., Any]

PHONE, DESKTOP = 390, 1280

WIDE = """() => [...document.querySelectorAll(".scroll")].filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.getAttribute("aria-label"))"""
"""Tables that one has to push sideways."""

LABELS = """() => [...document.querySelectorAll("table.cards")].flatMap((table) => {
    const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    const said = (cell) => getComputedStyle(cell, "::before").content;
    return [...table.tBodies[0].rows].flatMap((row) => [...row.cells].map((cell, place) => [cell, names[place]]))
        .filter(([cell, name]) => cell.textContent.trim() && name && said(cell) !== JSON.stringify(name))
        .map(([cell, name]) => `${name}: ${cell.textContent.trim()}`);
})"""
"""Values without the name of their column."""


def named(name: str) -> Opened:
    """A report of the list."""
    return next(report for report in REPORTS if report.name == name)


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)
def test_every_column_of_every_table_is_in_the_picture_and_named(report: Opened, built: Built, look: Look) -> None:
    with look(built(report), width=PHONE) as view:
        assert view.page.evaluate(WIDE) == []
        assert view.page.evaluate(LABELS) == []


def test_where_there_is_room_and_on_paper_a_table_is_a_table(built: Built, look: Look) -> None:
    with look(built(named("check")), width=DESKTOP) as view:
        row = view.page.locator("table.cards tbody tr").first
        assert row.evaluate("(row) => getComputedStyle(row).display") == "table-row"
        view.page.set_viewport_size({"width": PHONE, "height": 900})
        assert row.evaluate("(row) => getComputedStyle(row).display") == "flex"
        view.page.emulate_media(media="print")
        assert row.evaluate("(row) => getComputedStyle(row).display") == "table-row"


def test_cards_are_sorted_by_the_names_above_them(built: Built, look: Look) -> None:
    with look(built(named("compare-one")), width=PHONE) as view:
        table = view.page.locator("table.cards").first
        shown = "(rows) => rows.map((row) => parseFloat(row.cells[1].textContent))"
        table.locator("thead button", has_text="Players").click()
        players = table.locator("tbody tr").evaluate_all(shown)
        assert players == sorted(players, reverse=True)
        assert set(players) == {2, 3}
        table.locator("thead button", has_text="Players").click()
        assert table.locator("tbody tr").evaluate_all(shown) == sorted(players)


def test_without_a_script_no_names_stand_idle_above_the_cards(built: Built, look: Look) -> None:
    with look(built(named("compare")), width=PHONE, script=False) as view:
        assert not view.page.locator("table.cards thead").first.is_visible()
        assert view.page.locator("table.cards tbody td").first.is_visible()
