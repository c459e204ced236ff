"""`simulate tune`: what is printed, written and refused, and how it exits."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simulator.cli import show
from simulator.document.terminal import print_document
from simulator.studies import rule_search
from simulator.studies.options import options_of
from simulator.studies.study import Finding
from simulator.studies.tune import TuneStudy

Simulate = Callable[..., Any]
Refused = Callable[..., str]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "tune.md"
EXAMPLE = re.compile(r"<!-- example: simulate (.+?) -->\n```\n(.+?)```", re.DOTALL)
ORCHARD = ("tune", "orchard", "--players", "2", "--games", "8000", "--vary", "raven.steps=4:8")
SIX_STEPS = ("--target", "players_win=0.74:0.80")
NEVER = ("--target", "players_win=0.99")


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_json_holds_the_proposals_with_estimates_as_in_a_run(simulate: Simulate) -> None:
    outcome = simulate(*ORCHARD, *SIX_STEPS, "--json")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    assert document["met"] is True
    (proposal,) = document["proposals"]
    assert proposal["set"] == {"raven.steps": 6}
    assert proposal["changes"] == [{"key": "raven.steps", "from": 5, "to": 6, "size": 0.25}]
    assert proposal["meets"] is True
    (with_two,) = proposal["estimates"]
    assert with_two["players"] == 2
    assert set(with_two["estimates"]["players_win"]) == {"best", "low", "high", "n", "unit"}
    assert 0.74 < with_two["estimates"]["players_win"]["low"] < 0.7685 < with_two["estimates"]["players_win"]["high"] < 0.80


def test_every_field_of_the_json_is_documented(simulate: Simulate) -> None:
    text = (DOCUMENT.parent / "json.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("| `simulate tune GAME --json`")]
    document = json.loads(simulate(*ORCHARD, *SIX_STEPS, "--json").out)
    (proposal,) = document["proposals"]
    fields = {
        *document,
        *proposal,
        *proposal["changes"][0],
        *proposal["region"][0],
        *proposal["region"][0]["tested"][0],
        *proposal["targets"][0],
    }
    assert not {field for field in fields if f'"{field}"' not in line and f"`{field}`" not in line}


def test_it_exits_with_1_where_nothing_meets_the_target_and_says_what_comes_closest(simulate: Simulate) -> None:
    outcome = simulate(*ORCHARD, *NEVER)
    assert outcome.code == 1
    assert (
        "No rules that were allowed meet the target with 2 players. "
        "The closest of the 2 that were measured to the end, raven.steps 5 \N{RIGHTWARDS ARROW} 8, miss it by"
        in " ".join(outcome.out.split())
    )
    assert "missed" in outcome.out


def test_it_exits_with_3_where_that_is_open(simulate: Simulate) -> None:
    outcome = simulate("tune", "orchard", "--players", "2", "--games", "600", "--vary", "raven.steps=6", "--target", "players_win=0.7685")
    assert outcome.code == 3
    assert "but this may, with more --games" in " ".join(outcome.out.split())
    assert re.search(r"With --games 600 an interval hardly fits into the target.*\d\d,\d{3} playouts or more", outcome.err)


def test_what_is_not_known_is_not_shown_as_none_and_what_was_not_seen_is_counted(simulate: Simulate) -> None:
    asked = ("--target", "wins.0=0:0.1", "--vary", "goal=50:51", "--set", "turn_cap=1", "--games", "200")
    outcome = simulate("tune", "pig", "--players", "2", *asked)
    assert outcome.code == 3
    assert "2 Seat 0 wins 0% to 10% - - open" in squeezed(outcome.out)
    assert "not known not known" in squeezed(outcome.out)
    assert "0.0%" not in outcome.out
    sure = simulate("tune", "pig", "--players", "2", "--target", "unfinished=0:0.1", "--vary", "goal=90", "--games", "200")
    assert "2 Unfinished 0% to 10% fewer than 3 fewer than 3 met" in squeezed(sure.out)
    assert "in 200 in 200" in squeezed(sure.out)


def test_that_no_game_finished_is_said_once_and_not_below_each_proposal(simulate: Simulate) -> None:
    asked = ("--target", "wins.0=0:0.1", "--vary", "goal=50:51", "--set", "turn_cap=1", "--games", "200")
    outcome = simulate("tune", "pig", "--players", "2", *asked)
    assert "2. goal 100" in outcome.out
    assert " ".join(outcome.out.split()).count("No game with 2 players finished") == 1


def test_what_is_to_be_said_of_some_proposals_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    asked: dict[str, Any] = {"targets": ["wins.0=0:0.1"], "vary": ["goal=50:51"], "players": 2, "games": 200}
    studies = [TuneStudy.of("pig", **asked, rules={"turn_cap": cap}) for cap in (1000, 1)]
    (finished,), (none,) = (study.play().parts for study in studies)
    assert [w for w in Finding(studies[1], (none,), interrupted=False).document().warnings if "No game" in w] == list(none.remarks)
    assert none.remarks[0].startswith("No game with 2 players finished"), "it is about all of them"
    for more, about in ((none.proposals[1:3], "2 and 3"), (none.proposals[1:2], "2")):
        some = replace(finished, proposals=(finished.proposals[0], *more))
        print_document(Finding(studies[0], (some,), interrupted=False).document(), show.console())
        assert capsys.readouterr().out.count(f"Of {about}: No game with 2 players finished") == 1


def test_the_written_rules_can_be_played_and_win_as_often(simulate: Simulate, tmp_path: Path) -> None:
    assert simulate(*ORCHARD, *SIX_STEPS, "--write", "tuned.toml").code == 0
    assert "steps = 6" in (tmp_path / "tuned.toml").read_text(encoding="utf-8")
    (result,) = json.loads(simulate("orchard", "--players", "2", "--games", "8000", "--rules", "tuned.toml", "--json").out)["results"]
    assert result["experiment"]["rules"]["raven.steps"] == 6
    assert 0.74 < result["estimates"]["players_win"]["best"] < 0.80


def test_an_advantage_is_told_in_points_with_its_sign_as_its_target_is(simulate: Simulate, tmp_path: Path) -> None:
    arguments = ("tune", "pig", "--players", "2", "--games", "2000", "--vary", "goal=90", "--target", "first_player_advantage=-0.1:0.1")
    outcome = simulate(*arguments, "--report", "page.html")
    (line,) = [line for line in squeezed(outcome.out) if "-10 to +10 points" in line and line.startswith("2 ")]
    assert re.fullmatch(r"2 First player's -10 to \+10 points [+-]\d+ [+-]\d+ met", line)
    assert any(re.fullmatch(r"advantage [+-]\d+ to [+-]\d+ [+-]\d+ to [+-]\d+", line) for line in squeezed(outcome.out))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "-10 to +10 points" in page
    assert re.search(
        r"First player&#39;s advantage.{1,60}: -?\d+ to \d+ percentage points with 2 players", page.replace("\N{MINUS SIGN}", "-")
    )


def test_nothing_is_written_where_nothing_meets_the_target(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate(*ORCHARD, *NEVER, "--write", "tuned.toml")
    assert "tuned.toml is not written" in outcome.err
    assert not (tmp_path / "tuned.toml").exists()


def test_separately_other_rules_are_found_for_each_number_of_players(simulate: Simulate, tmp_path: Path) -> None:
    """In Chutes and Ladders the first of three arrives sooner than the first of two, so a die of fewer sides makes up for it."""
    arguments = ("tune", "ladders", "--players", "2-3", "--games", "8000", "--vary", "die.sides=4:8", "--target", "turns=48:53")
    together, apart = simulate(*arguments, "--json"), simulate(*arguments, "--separately", "--json", "--write", "mine.toml")
    separate = json.loads(apart.out)
    assert {tuple(p["players"]) for p in separate["proposals"]} == {(2,), (3,)}
    assert {tuple(p["players"]) for p in json.loads(together.out)["proposals"]} == {(2, 3)}
    for players in (2, 3):
        met = any(p["meets"] for p in separate["proposals"] if p["players"] == [players])
        assert (tmp_path / f"mine-{players}.toml").exists() == met


def test_what_is_done_is_shown_after_ctrl_c(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    run, left = rule_search.run_experiment, [1]

    def stopped(*arguments: object, **more: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return run(*arguments, **more)  # type: ignore[arg-type]  # whatever it was called with

    monkeypatch.setattr(rule_search, "run_experiment", stopped)
    outcome = simulate(*ORCHARD, *SIX_STEPS)
    assert outcome.code == 130
    assert "Interrupted" in outcome.err
    left[0] = 0
    outcome = simulate(*ORCHARD, *SIX_STEPS)
    assert (outcome.code, outcome.out) == (130, "")


def test_page_and_table_are_written(simulate: Simulate, tmp_path: Path) -> None:
    assert simulate(*ORCHARD, *SIX_STEPS, "--report", "page.html", "--save", "figures.csv", "--png", "pictures").code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "raven.steps 5 \N{RIGHTWARDS ARROW} 6 meets the target with 2 players." in page
    with (tmp_path / "figures.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["part"] for row in rows} == {"as it is", "proposal", "around"}
    assert sorted(p.suffix for p in (tmp_path / "pictures").iterdir()) == [".png", ".png"]


@pytest.mark.parametrize("columns", ["40", "80"])
def test_the_tables_fit_the_terminal(simulate: Simulate, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    outcome = simulate(*ORCHARD, *SIX_STEPS)
    assert max(len(line.rstrip()) for line in outcome.out.splitlines()) <= int(columns)
    assert "raven.steps: 6 works, 5 and 7 do not." in outcome.out


REFUSED = {
    (): ("Missing option '--target'",),
    ("--target", "players_wins=0.5"): ("did you mean 'players_win'?",),
    ("--target", "players_win=0.5", "--vary", "raven.stepz=1:2"): ("did you mean 'raven.steps'?",),
    ("--target", "players_win=0.5", "--changes", "0"): ("'0'",),
    ("--target", "players_win=0.5", "--within", "5"): ("--within 5 ", "write 0.05 or 5%", "METRIC=5"),
    ("--target", "players_win=0.5", "--vary", "raven.steps=4-6"): ("write raven.steps=4:6",),
    ("--target", "players_win=0.5", "--write", "rules.txt"): ("--write rules.txt", ".toml"),
    ("--target", "players_win=0.5", "--report", "page.txt"): ("--report page.txt",),
    ("--target", "players_win=0.5", "--strategy", "fulest"): ("did you mean 'fullest'?",),
    ("--target", "turns=20", "--report", "new/page.html"): ("--within turns=WIDTH",),
}


@pytest.mark.usefixtures("nothing_is_played")
@pytest.mark.parametrize(("arguments", "fragments"), REFUSED.items(), ids=[" ".join(a)[:50] or "nothing" for a in REFUSED])
def test_what_cannot_be_tuned_is_refused(refused: Refused, arguments: tuple[str, ...], fragments: tuple[str, ...]) -> None:
    sentence = refused("tune", "orchard", "--players", "2", *arguments)
    assert all(fragment in sentence for fragment in fragments), sentence


def test_the_example_of_the_document_prints_what_it_shows(simulate: Simulate) -> None:
    ((arguments, shown),) = EXAMPLE.findall(DOCUMENT.read_text(encoding="utf-8"))
    outcome = simulate(*arguments.split())
    assert outcome.code == 0
    expected = squeezed(shown)
    assert expected[0] == f"$ simulate {arguments}"
    assert squeezed(outcome.out)[: len(expected) - 1] == expected[1:]


def test_the_python_of_the_document_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (source,) = re.findall(r"```python\n(.+?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    exec(source, {})  # noqa: S102  the document's own example
    assert "{'raven.steps': 6} yes" in capsys.readouterr().out


def test_the_help_and_the_document_name_the_limits_that_hold() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert f"if they are at most {rule_search.MOST_PLAYED}" in text
    assert f"more than {rule_search.KEPT[0]} are left" in text
    (games,) = [(default, option.help) for name, default, option in options_of(TuneStudy) if name == "games"]
    assert f"{games[0] // 1000}k unless given" in games[1]
