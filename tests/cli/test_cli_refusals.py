"""What the command line refuses: one sentence that names the culprit and the way out, and nothing is played or written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Refused = Callable[..., str]
Simulate = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("nothing_is_played")

USAGE = {
    ("grinchmass",): ("'grinchmass'", "did you mean 'grinchmas'?"),
    ("strategeis", "grinchmas"): ("'strategeis'", "did you mean 'strategies'?"),
    ("x" * 300,): ("x" * 300, "there are "),
    ("rules",): ("'GAME'", "simulate rules --help"),
    ("rules", "nothing"): ("'nothing'", "grinchmas"),
    ("rules", "y" * 300): ("y" * 300, "the games are "),
    ("rules", "../games/grinchmas"): ("../games/grinchmas", "the games are "),
    ("rules", "grinchmas", "--toml", "--json"): ("--toml and --json", "one of them"),
    ("grinchmas", "more"): ("more", "simulate grinchmas --help"),
    ("grinchmas", "--plyers", "4"): ("'--plyers'", "'--players'"),
    ("grinchmas", "--set"): ("'--set'", "`simulate grinchmas --help`"),
    ("compare", "grinchmas", "--variant"): ("'--variant'", "`simulate compare --help`"),
    ("ledger", "show", "x", "--ledger"): ("'--ledger'", "`simulate ledger show --help`"),
    ("grinchmas", "--metric", "trun"): ("'trun'", "did you mean 'turns'?", "; nearest are turns, ", "`--metric all` shows every one"),
    ("grinchmas", "--precision", "0.01:trun"): ("'trun'", "did you mean 'turns'?", "; nearest are turns, "),
    ("grinchmas", "--strategy", "blunder:share=30"): ("'share'", "between 0 and 1", "write 30%"),
    ("grinchmas", "--strategy", "lookahead:rollouts=30%"): ("'rollouts'", "a whole number, not '30%'"),
    ("grinchmas", "--strategy", "childrn"): ("'childrn'", "did you mean 'children'?"),
    ("report", "pig", "--pace", "soon"): ("--pace 'soon'", "2min"),
    ("grinchmas", "--metric", "?"): ("'?'", "players_win"),
    ("grinchmas", "--players", "7"): ("7", "2 to 6 players"),
    ("grinchmas", "--players", "1-3"): ("not 1", "2 to 6 players"),
    ("grinchmas", "--players", "0"): ("not 0", "2 to 6 players"),
    ("grinchmas", "--players", "x"): ("--players", "'x'", "2-6"),
    ("grinchmas", "--players", "6-2"): ("'6-2'", "write 2-6"),
    ("grinchmas", "--games", "0"): ("--games", "'0'", "between 1 and"),
    ("grinchmas", "--games", "-5"): ("--games", "'-5'", "between 1 and"),
    ("grinchmas", "--games", "many"): ("--games", "'many'", "1e6"),
    ("grinchmas", "--games", "k"): ("--games", "'k'", "1e6"),
    ("grinchmas", "--games", ""): ("--games", "''", "1e6"),
    ("grinchmas", "--games", "nan"): ("--games", "'nan'", "1e6"),
    ("grinchmas", "--games", "1.5"): ("--games", "'1.5'", "whole", "1e6"),
    ("grinchmas", "--games", "1e99"): ("--games", "'1e99'", "between 1 and 9,007,199,254,740,992"),
    ("grinchmas", "--precision", "5"): ("--precision 5 ", "write 0.05 or 5%", "5:METRIC"),
    ("grinchmas", "--precision", "5%:turns"): ("--precision 5%:turns", "only shares"),
    ("sweep", "grinchmas", "--vary", "stars.trio=5:6", "--precision", "5"): ("--precision 5 ", "write 0.05 or 5%"),
    ("grinchmas", "--games", "1e999999999999"): ("--games", "'1e999999999999'", "between 1 and"),
    ("grinchmas", "--seed", "-1"): ("--seed", "'-1'", "between 0 and"),
    ("grinchmas", "--seed", str(2**64)): ("--seed", "between 0 and"),
    ("grinchmas", "--workers", "0"): ("--workers", "'0'", "between 1 and"),
    ("grinchmas", "--workers", "100000"): ("--workers", "between 1 and"),
    ("grinchmas", "--strategy", "greddy"): ("'greddy'", "did you mean 'greedy'?"),
    ("grinchmas", "--strategy", "?"): ("'?'", "it has greedy"),
    ("grinchmas", "--strategy", ""): ("''", "write NAME"),
    ("grinchmas", "--strategy", "patient:naer=1"): ("'naer'", "did you mean 'near'?"),
    ("grinchmas", "--strategy", "uniform:x=1"): ("'x'", "it has none"),
    ("grinchmas", "--strategy", "patient:near"): ("'near'", "write patient:key=value"),
    ("grinchmas", "--strategy", "patient:near=soon"): ("'near'", "'soon'", "whole number"),
    ("grinchmas", "--strategy", "patient:near=1.5"): ("'near'", "'1.5'", "whole number"),
    ("grinchmas", "--strategy", "patient:near=1e400"): ("'near'", "'1e400'", "whole number"),
    ("grinchmas", "--strategy", "patient:near=1,near=2"): ("'near'", "twice"),
    ("replay", "grinchmas", "--players", "2-3"): ("--players", "single number"),
    ("replay", "grinchmas", "--game", "-1"): ("--game", "'-1'", "between 0 and"),
    ("replay", "grinchmas", "--game", "1", "--find", "longest"): ("--game and --find", "one of them"),
    ("replay", "grinchmas", "--find", "nicest"): ("--find", "'nicest'", "longest"),
}

RULES = {
    "wishes.gaol=5": ("'wishes.gaol'", "did you mean 'wishes.goal'?"),
    "zzz=5": ("'zzz'", "simulate rules"),
    "wishes=5": ("'wishes'", "'wishes.mixed_copies'"),
    "wishes.goal": ("'wishes.goal'", "key=value"),
    "=5": ("'=5'", "key=value"),
    "wishes.goal=": ("'wishes.goal'", "write a number"),
    'wishes.goal="': ("'wishes.goal'", "write a number"),
    "wishes.goal=1\nwishes.face_up=2": ("'wishes.goal'", "write a number"),
    "wishes.goal=many": ("'wishes.goal'", "many", "a whole number"),
    "wishes.goal=8.5": ("'wishes.goal'", "8.5", "a whole number"),
    "wishes.goal=true": ("'wishes.goal'", "true", "a whole number"),
    "wishes.goal=inf": ("'wishes.goal'", "inf", "a whole number"),
    "wishes.goal=[8]": ("'wishes.goal'", "[8]", "a whole number"),
    "wishes.goal={a = 1}": ("'wishes.goal'", "{a = 1}", "a whole number"),
    "wishes.goal=2024-12-24": ("'wishes.goal'", "2024-12-24", "a whole number"),
    "wishes.goal=0x" + "F" * 6000: ("'wishes.goal'", "0xfff", "at most"),
    "wishes.goal=" + "9" * 6000: ("'wishes.goal'", "999...", "write a number"),
    "wishes.goal=" + "[" * 9000: ("'wishes.goal'", "[[[...", "write a number"),
    "wishes.goal=" + "[" * 50 + "]" * 50: ("'wishes.goal'", "deeply"),
    "wishes.goal=" + "8" * 20_000: ("'wishes.goal'", "write a number"),
    "win_on_tie=2": ("'win_on_tie'", "2", "true or false"),
    "wishes.goal=8,5": ("'8,5'", "'wishes.goal'", "write a number"),
    "turn_cap=1,000": ("'1,000'", "write turn_cap=1000."),
    "wishes.goal=8 // more": ("'8 // more'", "write wishes.goal=8."),
    "wishes.goal=+2": ("'wishes.goal'", "two things", "write wishes.goal=2 or wishes.goal+=2."),
    "spinner.faces+=feet": ("'spinner.faces+=feet'", "+= changes numbers"),
    "wishes.gaol+=5": ("'wishes.gaol'", "did you mean 'wishes.goal'?"),
    "wishes.goal-=8": ("'wishes.goal'", "0", "at least 1"),
    "wishes.pair=all": ("'wishes.pair'", "all", "'pictured' or 'any'"),
    "stars.mixed=-1": ("'stars.mixed'", "-1", "write stars.mixed=1 or stars.mixed-=1."),
    "turn_cap=10000000": ("'turn_cap'", "10000000", "at most 1000000"),
    "spinner.faces=[]": ("'spinner.faces'", "[]", "1 or more entries"),
    "spinner.faces=5": ("'spinner.faces'", "5", "a list"),
    "spinner.faces=[1, fete]": ("'spinner.faces'", "entry 2", "'feet' or a whole number"),
    "board.path=[max, A]": ("'board.path'", "'feet'", "add a feet space"),
    "board.path=[A, feet]": ("'board.path'", "'max'", "add one"),
    "board.path=[" + "max, " * 1500 + "]": ("'board.path'", "at most"),
    "presents.copies=26": ("'presents.copies'", "26", "at most 25"),
    "wishes.mixed_copies=250": ("'wishes.mixed_copies'", "at most 250"),
}

TOML = {
    "[wishes]\ngoal = 8\n\n[spinner\nfaces = [1]\n": ("line 4",),
    "[wishes]\ngoal = 8\ngoal = 9\n": ("line 3",),
    "[wishes]\ngoal = 8\ngaol = 9\n": ("line 3", "'wishes.gaol'", "did you mean 'wishes.goal'?"),
    "wishes.goal = 8\nwishes . gaol = 9\n": ("line 2", "'wishes.gaol'", "did you mean 'wishes.goal'?"),
    "[wishs] # typo\ngoal = 9\n": ("line 2", "'wishs.goal'", "did you mean 'wishes.goal'?"),
    "[wishes]\n'go al' = 8\n": ("line 2", "'wishes.go al'"),
    "turn_cap = 5\nwishes = {goal = 8, gaol = 9}\n": ("line 2", "'wishes.gaol'"),
    "\n[[wishes]]\ngoal = 8\n": ("line 2", "'wishes'", "a group"),
    "wishes = 8\n": ("line 1", "'wishes'", "a group"),
    "[stars]\nmixed = 4\npair = -3\n": ("line 3", "'stars.pair'", "at least 0"),
    "[spinner]\nfaces = []\n": ("line 2", "'spinner.faces'"),
    "[wishes]\ngoal = 0x" + "F" * 6000: ("line 2", "'wishes.goal'", "at most"),
    "[wishes]\ngoal = " + "9" * 6000: ("digits",),
    "a = " + "[" * 50_000: ("deeply",),
    "[" + "a." * 2000 + "a]\nb = 1\n": ("deeply",),
    "[board]\npath = [" + "'max', " * 20_000 + "]\n": ("line 2", "'board.path'", "at most"),
    "#" * 2_000_000: ("larger than 200,000 bytes",),
}


def named(cases: Any) -> list[str]:
    """Short names of cases."""
    return [" ".join(case if isinstance(case, tuple) else (case,)).replace("\n", "/")[:40] for case in cases]


@pytest.mark.parametrize(("arguments", "fragments"), USAGE.items(), ids=named(USAGE))
def test_wrong_usage_is_refused(refused: Refused, arguments: tuple[str, ...], fragments: tuple[str, ...]) -> None:
    sentence = refused(*arguments)
    assert all(fragment in sentence for fragment in fragments), sentence


@pytest.mark.parametrize("name", ["catan", "chess", "go", "risk"])
def test_what_is_no_slip_is_not_taken_for_one(refused: Refused, name: str) -> None:
    assert "did you mean" not in refused(name)
    assert "did you mean" not in refused("rules", name)


def test_a_command_that_wants_another_shows_its_help_as_the_program_does(simulate: Simulate) -> None:
    alone, ledger = simulate(), simulate("ledger")
    assert alone.code == ledger.code == 2
    assert not alone.out + ledger.out
    for outcome in (alone, ledger):
        assert outcome.err.startswith("Usage: simulate ")
        assert len(outcome.err.splitlines()) > 8, "the help has its lines"
    assert "  list    List the experiments in a ledger" in ledger.err
    assert simulate("ledger", "list", "--ledger", "none.sqlite").err.startswith("Error: There is no ledger none.sqlite;")


@pytest.mark.parametrize(("assignment", "fragments"), RULES.items(), ids=named(RULES))
def test_an_impossible_rule_is_refused(refused: Refused, assignment: str, fragments: tuple[str, ...]) -> None:
    sentence = refused("grinchmas", "--set", assignment)
    assert all(fragment in sentence for fragment in fragments), sentence
    assert len(sentence) < 250
    assert refused("rules", "grinchmas", "--set", assignment) == sentence
    assert refused("replay", "grinchmas", "--set", assignment) == sentence


@pytest.mark.parametrize(("text", "fragments"), TOML.items(), ids=named(TOML))
def test_a_wrong_rules_file_is_refused_and_the_line_is_named(
    refused: Refused, tmp_path: Path, text: str, fragments: tuple[str, ...]
) -> None:
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    sentence = refused("grinchmas", "--rules", "mine.toml")
    assert all(fragment in sentence for fragment in ("Rules file mine.toml", *fragments)), sentence
    assert len(sentence) < 300


def test_a_rules_file_in_another_encoding_is_refused(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes("turn_cap = 5\n# für alle\n".encode("latin-1"))
    sentence = refused("grinchmas", "--rules", "mine.toml")
    assert "mine.toml, line 2," in sentence
    assert "save it as UTF-8" in sentence


@pytest.mark.parametrize(("path", "reason"), [("missing.toml", "No such file"), (".", "directory"), ("z" * 300, "too long")])
def test_a_rules_file_that_cannot_be_read_is_refused(refused: Refused, path: str, reason: str) -> None:
    assert reason in refused("grinchmas", "--rules", path)


def test_a_rules_file_without_end_is_refused(refused: Refused) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is none here")
    assert "larger than" in refused("grinchmas", "--rules", "/dev/zero")


@pytest.mark.parametrize(
    ("option", "path", "reason"),
    [
        ("--report", "report.txt", "has to end in .html"),
        ("--report", "report", "has to end in .html"),
        ("--report", "folder.html", "is a folder; name a file in it"),
        ("--report", "file/report.html", "needs a folder; name another place"),
        ("--report", f"{'r' * 300}.html", "name another place"),
        ("--save", "table.xls", "has to end in .csv, .xlsx or .parquet"),
        ("--save", "folder.csv", "is a folder; name a file in it"),
        ("--save", "file/table.csv", "needs a folder; name another place"),
        ("--png", "file", "needs a folder; name another place"),
        ("--png", "file/pictures", "needs a folder; name another place"),
    ],
)
def test_what_cannot_be_written_is_found_before_the_run(refused: Refused, tmp_path: Path, option: str, path: str, reason: str) -> None:
    (tmp_path / "file").touch()
    for folder in ("folder.html", "folder.csv"):
        (tmp_path / folder).mkdir()
    sentence = refused("grinchmas", option, path)
    assert f"{option} {path}" in sentence
    assert reason in sentence


def test_a_package_that_is_missing_for_a_file_is_found_before_the_run(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.cli.options.find_spec", lambda _name: None)
    assert "ludometer[parquet]" in refused("grinchmas", "--save", "table.parquet")
    assert "ludometer[excel]" in refused("grinchmas", "--save", "table.xlsx")


def test_no_folder_is_made_for_a_run_that_is_refused(refused: Refused) -> None:
    refused("grinchmas", "--report", "new/report.html", "--png", "pictures", "--strategy", "nobody")


def test_a_name_with_line_breaks_and_control_characters_stays_one_line(refused: Refused) -> None:
    assert "no?such? rule" in refused("grinchmas", "--set", "no\x1bsuch\x07\n\nrule=1")
