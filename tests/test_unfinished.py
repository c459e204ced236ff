"""Games that do not finish: no verdict rests on them in silence, and none at all where no game finished."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import reports
from reports.html_pages import drawn, frame_of, page_html
from simulator.play.run import run
from simulator.stats.unfinished import TOLERATED, Unfinished, unfinished_of
from simulator.studies.check import CheckStudy, check
from simulator.studies.compare import CompareStudy, compare
from simulator.studies.sensitivity import SensitivityStudy
from simulator.studies.skill import SkillStudy, sentence, skill
from simulator.studies.sweep import SweepStudy
from simulator.studies.tournament import TournamentStudy, findings, tournament
from simulator.studies.tune import TuneStudy, tune

NONE, SOME, FEW = {"turn_cap": 1}, {"turn_cap": 20}, {"turn_cap": 1000}
"""Rules of Pig under which none, about half and all of the games finish."""

GAMES = 500
CAPPED = r"The turn cap ended (\d|some games|up to)"


def of_tune(rules: dict[str, Any]) -> Iterator[str]:
    asked = TuneStudy.of("pig", targets=["wins.0=0:0.7"], vary=["goal=100"], players=2, rules={**rules, "goal": 99}, games=GAMES)
    finding = asked.play()
    yield " ".join(finding.parts[0].remarks)
    yield page_html(drawn(finding.document(), finding))


def of_tournament(rules: dict[str, Any]) -> Iterator[str]:
    found = TournamentStudy.of("pig", players=2, strategies=["hold", "optimal"], games=GAMES, rules=rules).play()
    yield " ".join(findings(found.parts[0]))
    yield page_html(drawn(found.document(), found))


def of_check(rules: dict[str, Any]) -> Iterator[str]:
    file = Path("promises.toml")
    asked = f'game = "pig"\nplayers = 2\nmetric = "wins.0"\nat_most = 0.7\nrules = {{turn_cap = {rules["turn_cap"]}}}'
    file.write_text(f"games = {GAMES}\n[[promise]]\n{asked}\n", encoding="utf-8")
    finding = CheckStudy(file).play()
    yield finding.parts[0].outcomes[0].remark
    yield page_html(drawn(finding.document(), finding))


def of_compare(rules: dict[str, Any]) -> Iterator[str]:
    return _compared(rules)


def of_compare_across(rules: dict[str, Any]) -> Iterator[str]:
    return _compared(rules, across=["hold", "uniform"])


def _compared(rules: dict[str, Any], **more: Any) -> Iterator[str]:
    finding = CompareStudy.of("pig", players=2, variants=["goal=99"], games=GAMES, rules=rules, **more).play()
    yield " ".join(finding.parts[0].remarks)
    yield page_html(drawn(finding.document(), finding))


def of_sweep(rules: dict[str, Any]) -> Iterator[str]:
    found = SweepStudy.of("pig", vary=["goal=99,100"], players=2, games=GAMES, rules=rules).play()
    yield " ".join(found.parts[0].remarks)
    yield page_html(drawn(found.document(), found))


def of_skill(rules: dict[str, Any]) -> Iterator[str]:
    found = SkillStudy.of("pig", players=2, games=GAMES, ahead_games=0, strategies=["hold", "optimal"], rules=rules).play()
    yield found.parts[0].remark
    yield page_html(drawn(found.document(), found))


def of_report(rules: dict[str, Any]) -> Iterator[str]:
    yield reports.page(run("pig", players=2, games=GAMES, rules=rules))


def of_sensitivity(rules: dict[str, Any]) -> Iterator[str]:
    found = SensitivityStudy.of("pig", players=2, games=GAMES, rules=rules, metrics=["turns"]).play()
    yield page_html(drawn(found.document(), found))


STUDIES = [of_sensitivity, of_tune, of_tournament, of_check, of_compare, of_compare_across, of_sweep, of_skill, of_report]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("study", STUDIES)
def test_that_no_game_finished_is_said_beside_every_verdict(study: Callable[..., Iterator[str]]) -> None:
    assert all("No game" in told for told in study(NONE))


@pytest.mark.parametrize("study", STUDIES)
def test_that_many_games_did_not_finish_is_said_beside_every_verdict(study: Callable[..., Iterator[str]]) -> None:
    for told in study(SOME):
        assert re.search(CAPPED, told)
        assert "No game" not in told


@pytest.mark.parametrize("study", STUDIES)
def test_where_all_games_finish_nothing_is_said(study: Callable[..., Iterator[str]]) -> None:
    assert not any(re.search(CAPPED, told) for told in study(FEW))


def test_a_hundredth_is_tolerated_and_more_is_not() -> None:
    most = round(1000 * TOLERATED)
    assert not Unfinished(most, 1000).remark()
    assert "11 of 1,000 games (1.1%)" in Unfinished(most + 1, 1000).remark()
    assert Unfinished(1000, 1000).hides("turns")
    assert not Unfinished(1000, 1000).hides("unfinished"), "that is what is known"
    assert not Unfinished(999, 1000).hides("turns")


def test_a_target_that_is_met_by_nothing_is_open() -> None:
    found = tune("pig", targets=["wins.0=0:0.1"], vary=["goal=50:52"], players=2, rules=NONE, games=GAMES)
    assert not found.met
    assert found.undecided
    assert "is open" in found.finding
    assert "more --games" not in found.finding, "they would not help"
    known = tune("pig", targets=["unfinished=0:0.1"], vary=["goal=50:52"], players=2, rules=NONE, games=GAMES)
    assert [p.meets for p in known.proposals[:1]] == ["no"]


def test_rules_under_which_games_finish_are_found_among_those_under_which_none_does() -> None:
    found = tune("pig", targets=["wins.0=0.4:0.7"], vary=["turn_cap=1,2,3,1000"], players=2, rules=NONE, games=2000)
    assert found.met
    assert dict(found.proposals[0].setting) == {"turn_cap": 1000}


def test_strategies_whose_games_do_not_finish_have_no_shares() -> None:
    found = tournament("pig", players=2, strategies=["hold", "optimal"], games=GAMES, rules=NONE)
    assert {e for line in found.wins for e in line} == set(found.shares) == {None}
    assert not any("rated" in told or "beats" in told for told in findings(found))
    together = tournament("orchard", players=4, games=100, rules={"turn_cap": 1})
    assert together.ended.all
    assert {e for line in together.wins for e in line} == {None}
    assert {t.shown for t in together.halves} == {None}


def test_promises_are_undecided_where_no_game_finished_unless_they_are_about_that(tmp_path: Path) -> None:
    file = tmp_path / "both.toml"
    about = 'game = "pig"\nplayers = 2\nrules = {turn_cap = 1}\nat_most = 0.1\n'
    file.write_text("".join(f'[[promise]]\n{about}metric = "{metric}"\n' for metric in ("wins.0", "unfinished")), encoding="utf-8")
    assert [o.word for o in check(file, games=GAMES).outcomes] == ["undecided", "broken"]


def test_a_difference_from_games_that_did_not_finish_is_undecided() -> None:
    found = compare("pig", variants=["turn_cap=1"], players=2, games=GAMES, metrics=["turns", "unfinished"])
    assert [c.word for c in found.comparisons] == ["undecided", "differs"]
    same = compare("pig", variants=["goal=99"], players=2, games=GAMES, rules=NONE, margins=["0.5", "turns=9"])
    assert {c.word for c in same.comparisons} == {"undecided"}


def test_figures_of_games_that_did_not_finish_are_none_in_what_programs_read() -> None:
    finding = CompareStudy.of("pig", variants=["goal=99"], players=2, games=60, rules=NONE, metrics=["turns", "unfinished"]).play()
    turns, unfinished = finding.as_dict()["comparisons"]
    assert (turns["baseline"], turns["changed"], turns["difference"], turns["playouts_saved"]) == (None, None, None, None)
    assert unfinished["baseline"]["best"] == 1
    assert frame_of(finding)["difference_best"].isna().tolist() == [True, False]
    moved = SensitivityStudy.of("pig", players=2, games=60, rules=NONE, metrics=["turns", "unfinished"]).play()
    effects = moved.as_dict()["effects"]
    hidden = [e["difference"] is None for e in effects if e["key"] != "turn_cap"]
    assert hidden == [e["metric"] != "unfinished" for e in effects if e["key"] != "turn_cap"]
    assert frame_of(moved)["best"].isna().sum() == sum(e["difference"] is None for e in effects)
    assert moved.as_dict()["without_effect"] == []
    assert not any(e["significant"] for e in effects if e["difference"] is None)


def test_skill_is_worth_nothing_that_is_known_where_no_game_finished() -> None:
    found = skill("pig", players=2, games=100, ahead_games=0, strategies=["hold"], rules=NONE)
    assert sentence(found) == found.remark


def test_a_report_does_not_call_seats_equal_where_nobody_wins() -> None:
    none = run("pig", players=2, games=GAMES, rules=NONE)
    assert unfinished_of(none.tally).all
    page = reports.page(none)
    assert "no seat stands out;" not in page
    assert "No game finished, so nothing is known of who wins" in page
    assert "percent unfinished" in reports.page(run("pig", players=2, games=GAMES, rules=SOME))
