"""The page of a question put to every strategy: flips stand first, and every figure is the one that was found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from matplotlib.figure import Figure

from reports import across as pages
from reports import compare as comparisons
from reports.charts import letters
from reports.html_pages import drawn, frame_of, page_html
from simulator import registry
from simulator.document.document import Document
from simulator.stats.estimate import Estimate
from simulator.studies.across import Answer, Asked, answers_table, verdicts_table
from simulator.studies.compare import CompareStudy, compare
from simulator.studies.comparisons import ComparedAcross
from simulator.studies.moves import LeftOut, moves_of
from simulator.studies.sensitivity import SensitivityStudy
from simulator.studies.study import Finding

PIG = registry.game("pig")
WINS, TURNS = (next(m for m in PIG.metrics(PIG.rules(), 2) if m.name == name) for name in ("wins.0", "turns"))


def asked(about: str, *said: tuple[str, Any, float], metric: Any = WINS) -> Asked:
    """One question, answered by strategy, verdict and difference."""
    answers = (Answer(s, says, Estimate(d, d - 0.01, d + 0.01, 1000, metric.unit), says in {"up", "down"}) for s, says, d in said)
    return Asked(about, 2, metric, tuple(answers), len(said))


FLIP = asked("goal=21", ("bold", "up", 0.02), ("timid", "down", -0.03))
HELD = asked("goal=90", ("bold", "up", 0.2), ("timid", "up", 0.3))
OPEN = asked("goal=99", ("bold", "undecided", 0.005), ("timid", "up", 0.02))


@pytest.fixture(scope="module")
def played() -> ComparedAcross:
    found: ComparedAcross = compare("pig", variants=["goal=21"], across=("hold:at=15", "hold"), players=2, games=20_000, rules={"goal": 17})
    return found


def paged(found: ComparedAcross) -> Document:
    """The page of a comparison that came to this."""
    finding = Finding(CompareStudy.of("pig", players=2, variants=["goal=21"]), (found,), found.interrupted)
    return drawn(finding.document(), finding)


def test_the_frame_has_a_line_for_each_strategy_and_question() -> None:
    table = pages.frame([FLIP, HELD])
    assert list(table["strategy"]) == ["bold", "timid"] * 2
    assert list(table["status"]) == ["flips", "flips", "holds", "holds"]
    assert list(table["best"]) == [0.02, -0.03, 0.2, 0.3]
    assert list(table["low"]) == pytest.approx([0.01, -0.04, 0.19, 0.29])


def test_a_chart_shows_points_and_what_flips_before_what_is_large() -> None:
    many = [asked(f"k={i}", ("bold", "up", 0.5), ("timid", "up", 0.4)) for i in range(pages.MOST_PANELS)]
    table = pages.shown([*many, FLIP, OPEN], "wins.0")
    assert table["panel"].nunique() == pages.MOST_PANELS
    assert "FLIPS: goal=21, 2 players" in set(table["panel"])
    assert "open: goal=99, 2 players" not in set(table["panel"])
    assert set(table["left_out"]) == {2}
    (bold,) = table[(table["about"] == "goal=21") & (table["strategy"] == "bold")].to_dict("records")
    assert (bold["best"], bold["low"], bold["high"]) == pytest.approx((2, 1, 3))


def test_a_chart_draws_each_strategy_on_its_line_with_the_form_of_its_verdict() -> None:
    table = pages.shown([FLIP], "wins.0")
    ax = Figure().subplots()
    pages.draw_answers(table, ax)
    points = {
        (line.get_marker(), float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in ax.lines if line.get_label() in pages.HUES
    }
    assert points == {("^", 2.0, 0.0), ("v", -3.0, 1.0)}
    assert [label.get_text() for label in ax.get_yticklabels()] == ["bold", "timid"]


def test_the_title_of_a_panel_begins_with_what_becomes_of_the_verdict_and_fits() -> None:
    long = replace(FLIP, about=f"dice.faces [{'clark, ' * 20}eddie] \N{RIGHTWARDS ARROW} [{'clark, ' * 20}wreath]")
    ax = Figure(figsize=(6, 3)).subplots()
    pages.draw_answers(pages.shown([long], "wins.0"), ax)
    title = ax.get_title("left")
    assert title.startswith("FLIPS: dice.faces ")
    assert title.endswith("wreath], 2 players")
    assert len(title) <= letters(ax)


def test_titles_say_what_depends_on_who_plays_and_nothing_else() -> None:
    (flips,) = pages.charts([FLIP, HELD])
    assert flips.words.title == "Seat 0 wins: who plays decides what goal=21 does (2 players)"
    (holds,) = pages.charts([HELD, OPEN])
    assert holds.words.title == "Seat 0 wins: no strategy is seen to contradict another"
    assert "timid: 29 to 31, up" in holds.words.alt


def test_the_table_of_verdicts_puts_first_what_flips_and_then_what_is_open() -> None:
    table = verdicts_table([HELD, OPEN, FLIP])
    assert [row[0] for row in table.rows] == ["FLIPS", "open", "holds"]
    assert table.rows[0][-1] == "up under bold; down under timid"


def test_differences_stand_with_their_intervals() -> None:
    (bold, timid) = answers_table([FLIP]).cells
    assert (bold[4].text, bold[4].small) == ("2.0", "1.0 to 3.0")
    assert (timid[4].text, timid[4].small) == ("\N{MINUS SIGN}3.0", "\N{MINUS SIGN}4.0 to \N{MINUS SIGN}2.0")


def test_the_page_warns_of_every_flip_and_of_nothing_where_nothing_flips(played: ComparedAcross) -> None:
    warned = paged(played)
    assert len(warned.warnings) == sum(one.status == "flips" for one in played.asked) == 3
    assert warned.warnings[0].startswith("It depends on who plays: Seat 0 wins with goal=21, 2 players: up under hold:at=15;")
    assert warned.finding == "Of 5 verdicts, 2 hold under every strategy, 3 flip, none is open."
    calm = replace(played, asked=(HELD,))
    assert paged(calm).warnings == ()
    assert paged(calm).sentences == ("Under every strategy: Seat 0 wins with goal=90, 2 players, up.",)


def test_an_interrupted_study_says_so(played: ComparedAcross) -> None:
    assert any("interrupted" in warning for warning in paged(replace(played, interrupted=True)).warnings)


def test_hostile_names_arrive_as_text(played: ComparedAcross, hostile: str) -> None:
    turned = replace(FLIP, about=hostile, answers=tuple(replace(a, strategy=f"{hostile}{i}") for i, a in enumerate(FLIP.answers)))
    page = page_html(paged(replace(played, asked=(turned,), strategies=(hostile, "hold"))))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_the_saved_table_has_all_figures_of_all_strategies(played: ComparedAcross) -> None:
    table = comparisons.frame([played])
    assert list(table.columns[:2]) == ["strategy", "variant"]
    best = {strategy: c.comparisons[0].difference.best for strategy, c in played.found}
    told = table[table["metric"] == "wins.0"].set_index("strategy")["difference_best"].to_dict()
    assert told == best


def test_the_page_of_a_sensitivity_study_warns_of_conclusions_that_flip() -> None:
    game = registry.game("grinchmas")
    moves, left_out = moves_of(game, {})
    some = [move for move in moves if move.key in {"presents.designs", "win_on_tie"}]
    untried = LeftOut("board.path", None, "assumed", "It is a list.")
    with patch("simulator.studies.sensitivity.moves_of", return_value=(some, [*left_out, untried])):
        found = SensitivityStudy.of(game, games=1000, across=("team", "uniform")).play()
        page = found.document()
    assert page.finding == "Of 2 conclusions, 1 holds under every strategy, 1 flips, none is open."
    assert page.warnings[0].startswith("It depends on who plays: 4 players, team: The players win ")
    assert any(warning.startswith("Assumed, and not tried: board.path") for warning in page.warnings)
    assert page.chapters[0].tables[0].title == "Conclusions by strategy"
    assert set(frame_of(found)["strategy"]) == {"team", "uniform"}
