"""The report stands alone, shows everything and is taken in by nobody."""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import programs
import pytest

import reports
from reports import html_pages, report
from reports.balance.how_long import at_pace
from reports.first_screen import overview
from simulator.document.chapters import ORDER, SKILL, Cell, Chapter, Table
from simulator.errors import UserError
from simulator.game import Influence
from simulator.rules import constants

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.game import Game
    from simulator.play.run import Result
    from simulator.rules import RuleGroup

    Make = Callable[..., Result]

VOID = {"meta", "link", "img", "br", "hr", "input"}


class Reader(HTMLParser):
    """Collects tags, attributes and text, and checks that tags close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an opening tag."""
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        """Check a closing tag."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note text that a reader sees."""
        if self.open[-1:] not in (["style"], ["script"]):
            self.text.append(data)


def read(document: str) -> Reader:
    """A document, taken apart."""
    reader = Reader()
    reader.feed(document)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def five(team: Make) -> list[Result]:
    """Results for several numbers of players."""
    return [team(players=players) for players in (2, 3, 4)]


@pytest.fixture(scope="module")
def document(five: list[Result]) -> str:
    """A report on several results."""
    return reports.page(five, "simulate toy --players 2-4")


def test_the_page_loads_nothing(document: str) -> None:
    reader = read(document)
    loads = [value for name, value in reader.attributes if name in {"src", "href", "xlink:href", "data", "action", "srcset"}]
    assert loads
    assert all(value.startswith("#") for value in loads)
    assert not {"link", "img", "iframe", "object"} & set(reader.tags)
    assert not re.search(r"https?:|@import|url\((?!#)", document)


def test_the_only_script_is_the_pages_own_and_no_other_may_run(document: str) -> None:
    (script,) = re.findall(r"<script[^>]*>(.*?)</script>", document, re.DOTALL)
    assert script == Path(html_pages.__file__).with_name("templates").joinpath("report.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = [value for name, value in read(document).attributes if name == "content" and "default-src" in value]
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def test_ids_are_unique_and_every_reference_has_its_target(document: str) -> None:
    ids = re.findall(r'\sid="([^"]+)"', document)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', document)) <= set(ids)


def test_every_metric_and_every_rule_is_on_the_page(document: str, five: list[Result]) -> None:
    text = "".join(read(document).text)
    experiment = five[0].experiment
    for metric in experiment.metrics:
        assert metric.name in text
        assert metric.label in text
    for constant in constants(experiment.rules):
        assert constant.key in text
        assert constant.description in text
        assert constant.note in text
    assert "3 to 5" in text


def test_the_page_says_how_it_was_made(document: str, five: list[Result]) -> None:
    text = "".join(read(document).text)
    for result in five:
        assert result.digest in text
        assert result.experiment.id in text
    for name in ("simulate toy --players 2-4", "numba", "numpy", "python", "ludometer", "1.50 s", "Wilson", "Student"):
        assert name in text


def test_every_chart_says_its_numbers_to_those_who_cannot_see_it(document: str) -> None:
    labels = [value for name, value in read(document).attributes if name == "aria-label" and "players" in value]
    assert len(labels) == 2 * 5
    assert any("2 players: Foe wins, 31 to 50 percent of games" in value for value in labels)


def test_the_same_results_give_the_same_page(five: list[Result], document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    first, second = (reports.page(five, "simulate toy --players 2-4") for _ in range(2))
    assert first == second
    assert "2001-09-09" in first
    assert len(first.encode()) < 3_000_000
    assert abs(len(first) - len(document)) < 10


def test_hostile_names_are_shown_and_not_obeyed(team: Make, hostile: str, rules_of: Callable[..., RuleGroup]) -> None:
    runs = [team(names=(hostile, "plain")), team(names=("plain\x00\n\x1b[31m",), rules=rules_of(cards=7))]
    reader = read(reports.page(runs, f"simulate toy --strategy {hostile} \udcff"))
    assert reader.tags.count("script") == 1
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    assert hostile in "".join(reader.text)
    assert "Cards <in> the deck." in "".join(reader.text)


def test_a_page_with_undecodable_text_can_be_written(team: Make, tmp_path: Path) -> None:
    written = reports.write_page(tmp_path / "x.html", team(), "simulate \udcff")
    assert "simulate \\udcff" in written.read_text(encoding="utf-8")


def test_what_a_reader_must_know_comes_first(team: Make, rules_of: Callable[..., RuleGroup]) -> None:
    table = {1: (50, 40, 10)}
    run = team(won=(50, 40, 10), tables=(table,) * 4, asked=500, interrupted=True, rules=rules_of(cards=7), names=("sly",))
    text = "".join(read(reports.page(run)).text)
    top = text[: text.index("How this was made")]
    for said in (
        "interrupted after 100 of 500",
        "unfinished",
        "deck.cards is 7 (shipped: 30)",
        "played by sly",
        "default strategy is plain",
    ):
        assert said in top
    assert "Assumed constants: 1 of 3 (deck.suits)" in top
    assert "The deck is small." in top


def test_a_run_by_the_shipped_rules_says_so(document: str) -> None:
    text = "".join(read(document).text)
    assert "The rules are those shipped with the game." in text
    assert "interrupted" not in text
    assert "changed" not in text


def test_rules_that_differ_between_runs_are_told_for_each(team: Make, rules_of: Callable[..., RuleGroup]) -> None:
    text = "".join(read(reports.page([team(players=2), team(players=3, rules=rules_of(cards=7))])).text)
    assert "30 with 2 players; 7 with 3 players" in text


def test_seats_have_a_row_each_and_a_dash_where_there_is_no_such_seat(seats: Make) -> None:
    text = "".join(read(reports.page([seats((50, 30, 20), 2), seats((40, 30, 20, 10), 3)])).text)
    assert "wins.2" in text
    assert "\N{EN DASH}" in text


def test_a_single_playout_makes_a_page(team: Make) -> None:
    one = {0: (1, 0, 0)}
    text = "".join(read(reports.page(team(won=(1, 0, 0), tables=(one,) * 4))).text)
    assert "interval unknown" in text


def test_a_page_is_about_one_game(team: Make) -> None:
    with pytest.raises(UserError, match="no result"):
        reports.page([])
    assert read(reports.page(team()))


def test_importing_reports_imports_neither_pandas_nor_matplotlib() -> None:
    code = "import sys, reports; sys.exit(bool({'pandas', 'matplotlib', 'jinja2', 'numba'} & set(sys.modules)))"
    assert programs.run([sys.executable, "-c", code]).returncode == 0


def test_the_names_of_the_package_survive_the_import_of_its_rooms() -> None:
    import reports.report  # noqa: PLC0415  the order is what is tested

    assert callable(reports.page)
    assert set(reports.__all__) <= set(dir(reports))
    with pytest.raises(AttributeError, match="pie"):
        reports.pie  # noqa: B018


def test_the_page_holds_what_goes_with_winning(drawn: Make) -> None:
    reader = read(reports.page([drawn(), drawn(2)]))
    text = "".join(reader.text)
    assert "Cards and wins: Ace goes with the largest difference" in text
    assert "Look for luck." in text
    assert ("id", "chart-drawn") in reader.attributes
    assert any("Ace: seats with 0 cards drawn win" in value for name, value in reader.attributes if name == "aria-label")


def test_a_chart_with_nothing_to_show_is_left_out(team: Make, game_of: Callable[..., Game]) -> None:
    nothing = Influence("none", "Nothing", "Look.", "cards", ())
    assert "chart-none" not in reports.page(team(game=game_of(influences=(nothing,))))


def ids_of_sections(document: str) -> list[str]:
    """The chapters of a page, in order."""
    return re.findall(r'<section id="([\w-]+)"', document)


def test_the_chapters_stand_in_the_order_of_a_designers_questions(document: str) -> None:
    assert ids_of_sections(document) == list(ORDER)
    assert re.findall(r'<a href="#([\w-]+)"', document) == list(ORDER)


def test_a_chapter_of_a_study_takes_the_place_of_the_hint_how_to_get_it(team: Make, hostile: str) -> None:
    table = Table("Rungs", "", ("Strategy", "Wins"), ((Cell(hostile, mark=hostile), Cell("5", hostile)),), frozenset({1}))
    told = Chapter(SKILL, "What skill is worth", hostile, (hostile,), (), (table,), (hostile,), (f"Beware of {hostile}.",))
    document = reports.page(team(), chapters=[told])
    assert ids_of_sections(document) == list(ORDER)
    text = "".join(read(document).text)
    assert text.count(hostile) == 8 - 1
    assert "simulate skill toy" not in text
    assert "simulate skill toy" in "".join(read(reports.page(team())).text)
    assert text.index(f"Beware of {hostile}") < text.index("Who wins")


def test_a_chapter_of_a_known_question_is_added_to_it(team: Make) -> None:
    more = Chapter("how-close", "", "Look at the lead.", ("It changes hands 2 to 3 times.",), notes=("A note.",))
    document = reports.page(team(), chapters=[more])
    part = document[document.index('<section id="how-close"') : document.index('<section id="what-happens"')]
    assert "How close it is" in part
    assert part.index("Look for how many games") < part.index("Look at the lead.") < part.index("It changes hands") < part.index("A note.")
    assert "<li>Look" not in part, "what to look for is no finding"


def test_a_reader_can_pick_a_run_where_there_are_several(team: Make, hostile: str) -> None:
    runs = [team(players=2, names=(hostile,)), team(players=3)]
    reader = read(reports.page(runs))
    offered = [value for name, value in reader.attributes if name == "value" and value]
    assert offered == ["2 players", "3 players"]
    assert {value for name, value in reader.attributes if name == "data-run"} == set(offered)
    assert "select" not in read(reports.page(team())).tags


def test_minutes_come_from_the_games_pace_or_the_stated_one_and_the_page_says_which(team: Make, game_of: Callable[..., Game]) -> None:
    paced = team(game=game_of(seconds_per_turn=30, pace_note="assumed: a slow game"))
    shown = overview([paced])
    assert shown.columns == ("Run", "Foe wins", "Turns", "Minutes at an assumed 30 s a turn")
    assert [cell.text for cell in shown.cells[0]] == ["4 players", "40%", "12.0", "about 6"]
    assert overview(at_pace([paced], 45)).columns[-1] == "Minutes at your 45 s a turn"
    assert overview(at_pace([paced], 45)).cells[0][-1].text == "about 9"
    printed = team(game=game_of(seconds_per_turn=30, pace_note="rulebook: Playing time"))
    assert overview([printed]).columns[-1] == "Minutes at 30 s a turn"
    text = "".join(read(reports.page(paced)).text)
    assert "Minutes are turns at 30 seconds each (assumed: a slow game)" in text
    assert "5.7 to 6.3 minutes at an assumed 30 s a turn" in text
    first = next(place.start() for place in re.finditer("[Mm]inutes", text))
    assert text[first:].startswith("Minutes at an assumed 30 s a turn"), "wherever minutes are told first"
    stated = "".join(read(reports.page(paced, pace=60)).text)
    assert "Minutes are turns at 60 seconds each (stated for this report)" in stated
    assert "11.4 to 12.6 minutes at your 60 s a turn" in stated
    unknown = "".join(read(reports.page(team())).text)
    assert "No pace is known" in unknown
    assert overview([team()]).columns[-1] == "Turns"
    assert "Minutes at your 60 s a turn" in report.index({"toy.html": [paced]}, pace=60)


def test_every_mark_of_a_chart_tells_value_interval_and_n(document: str) -> None:
    titles = re.findall(r"<title>([^<]*)</title></?", document)
    told = [title for title in titles if title.startswith("2 players, Foe wins")]
    assert set(told) == {"2 players, Foe wins: 40 (31 to 50 percent of games), n = 100"}
    assert "2 players, 12 turns: 50 (40 to 60 percent of games), n = 100" in titles


def test_the_index_shows_each_games_verdict_and_leads_to_its_report(team: Make, seats: Make, hostile: str) -> None:
    one, other = team(), seats((500, 300, 200), 2)
    titled = replace(one, experiment=replace(one.experiment, game=replace(one.experiment.game, title=hostile, summary=hostile)))
    named = replace(other, experiment=replace(other.experiment, game=replace(other.experiment.game, name="other", summary="S.")))
    document = report.index({"toy.html": [titled], "other.html": [named]}, "simulate report")
    reader = read(document)
    assert [value for name, value in reader.attributes if name == "href" and not value.startswith("#")] == ["toy.html"] * 2 + [
        "other.html"
    ] * 2
    text = "".join(reader.text)
    assert "Foe wins in 31 to 50 percent of games with 4 players" in text
    assert "Seat 1 wins most" in text
    assert "46 to 54 percent; even is" in text
    assert hostile in text
    ids = re.findall(r'\sid="([^"]+)"', document)
    assert len(ids) == len(set(ids))
