"""The page of a comparison: colour only for what differs with all judged together, and figures that add up."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from reports import compare as comparisons
from reports.charts import LEGEND
from reports.html_pages import drawn as drawn_page
from reports.style import GREY
from simulator.document.document import Document
from simulator.game import Metric
from simulator.stats.estimate import Estimate
from simulator.studies.compare import CompareStudy, differences_table, effect
from simulator.studies.comparisons import Comparison

WINS = Metric("players_win", "The players win", "share", "share", 0, 1)


def estimate(best: float, reach: float) -> Estimate:
    return Estimate(best, best - reach, best + reach, 1000, "share")


def comparison(variant: str, players: int, before: float, after: float, verdict: Any, reach: float = 0.01) -> Comparison:
    difference = estimate(after - before, reach)
    return Comparison(variant, players, WINS, estimate(before, 0.02), estimate(after, 0.02), difference, verdict, 2.0)


def drawn(*lines: Comparison) -> tuple[dict[tuple[float, str], str], Any]:
    """The points by difference and form, with their colours, and the axes."""
    table = comparisons.scaled(lines)
    ax = Figure().subplots()
    comparisons.draw_differences(table, ax)
    points = [line for line in ax.lines if line.get_marker() != "None" and len(line.get_xdata())]
    return {(round(float(p.get_ydata()[0]), 6), str(p.get_marker())): to_hex(p.get_color()) for p in points}, ax


def test_only_what_differs_with_all_judged_together_has_a_colour() -> None:
    found, ax = drawn(
        comparison("a", 2, 0.5, 0.55, "yes"),
        comparison("a", 3, 0.5, 0.52, "open"),  # though its interval misses zero
        comparison("b", 2, 0.5, 0.501, "no"),
        comparison("b", 3, 0.5, 0.44, "yes"),
    )
    grey = {key for key, colour in found.items() if colour == GREY}
    assert grey == {(2.0, "o"), (0.1, "s")}
    assert set(found) == grey | {(5.0, "o"), (-6.0, "o")}
    labels = set(ax.get_legend_handles_labels()[1])
    assert labels == {"2 players", "3 players", "undecided", "no difference that matters"}


def test_a_legend_says_what_grey_is_also_for_a_single_number_of_players() -> None:
    _, ax = drawn(comparison("a", 2, 0.5, 0.55, "yes"), comparison("b", 2, 0.5, 0.52, "open"))
    assert set(ax.get_legend_handles_labels()[1]) == {"differs", "undecided"}
    assert ax.get_label() == LEGEND
    _, ax = drawn(comparison("a", 2, 0.5, 0.55, "yes"))
    assert ax.get_label() != LEGEND


def test_the_figures_of_a_row_add_up_and_no_end_is_hidden_at_zero() -> None:
    (row,) = differences_table([comparison("a", 2, 0.8964, 0.9146, "open", reach=0.0181)]).cells
    before, after, difference = row[3].text.rstrip("%"), row[4].text.rstrip("%"), row[5]
    assert (before, after, difference.text) == ("89.64", "91.46", "1.82")
    assert difference.small == "0.01 to 3.63"
    assert "0.01 to 3.6" in effect(comparison("a", 2, 0.5, 0.5181, "yes", reach=0.018))


@pytest.fixture(scope="module")
def page() -> Document:
    finding = CompareStudy.of("pig", players=2, variants=["goal=99", "goal=50"], games=1000).play()
    return drawn_page(finding.document(), finding)


def test_the_page_says_that_verdicts_are_judged_together(page: Document) -> None:
    assert page.chapters[0].look_for.endswith("all points judged together (Holm).")
    for chart in page.every_chart:
        assert any("judged together (Holm)" in note for note in chart.words.notes)
        assert "misses zero" not in chart.words.look_for
        assert "differs" in chart.words.alt or "undecided" in chart.words.alt
