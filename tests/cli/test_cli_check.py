"""`simulate check` on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

Call = Callable[..., Any]

ROOT = Path(__file__).resolve().parents[2]
COMMON = '[[promise]]\ngame = "grinchmas"\nplayers = 4\nstrategies = ["uniform"]\n'
HOLDS = f'{COMMON}metric = "turns"\nat_least = 5\nname = "It takes a while"\n'
BROKEN = f'{COMMON}metric = "players_win"\nat_least = 0.9\nname = "[bold]All win[/bold] <&>"\n'
UNDECIDED = f'{COMMON}metric = "turns"\nbetween = [41.9, 41.91]\ngames = 9000\n'


@pytest.fixture
def promises(tmp_path: Path) -> Callable[..., str]:
    def write(*tables: str) -> str:
        (tmp_path / "balance.toml").write_text("\n".join(tables), encoding="utf-8")
        return "balance.toml"

    return write


@pytest.mark.parametrize(
    ("tables", "code", "counts"),
    [
        ((HOLDS,), 0, "1 of 1 promise holds."),
        ((HOLDS, BROKEN, UNDECIDED), 1, "1 of 3 promises hold, 1 is broken, 1 is undecided."),
        ((HOLDS, UNDECIDED), 3, "1 of 2 promises hold, 1 is undecided."),
    ],
)
def test_the_exit_code_tells_whether_promises_hold(simulate: Call, promises: Call, tables: tuple[str, ...], code: int, counts: str) -> None:
    outcome = simulate("check", promises(*tables))
    assert outcome.code == code
    assert counts in outcome.out
    assert not outcome.errors
    assert max(len(line) for line in outcome.out.splitlines()) <= 80


def test_the_table_shows_promise_estimate_and_verdict_and_names_are_no_markup(simulate: Call, promises: Call) -> None:
    out = simulate("check", promises(HOLDS, BROKEN)).out
    assert "It takes a while" in out
    assert "[bold]All win[/bold] <&>" in out
    assert re.search(r"at least 90% +28\.\d% +8,192 +BROKEN", out)
    assert re.search(r"2\d\.\d to 3\d\.\d", out)


def test_the_json_is_one_document(simulate: Call, promises: Call) -> None:
    outcome = simulate("check", promises(HOLDS, BROKEN, UNDECIDED), "--json")
    document = json.loads(outcome.out)
    assert outcome.code == 1
    assert [p["verdict"] for p in document["promises"]] == ["holds", "broken", "undecided"]
    assert [document[k] for k in ("holds", "broken", "undecided")] == [1, 1, 1]
    first = document["promises"][0]
    assert first["promise"] == "It takes a while"
    assert first["promised"] == {"low": 5, "high": None}
    assert set(first["estimate"]) == {"best", "low", "high", "n", "unit"}
    assert document["promises"][2]["estimate"]["n"] == 9000


def test_every_field_of_the_json_is_in_the_document(simulate: Call, promises: Call) -> None:
    text = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    document = json.loads(simulate("check", promises(HOLDS), "--json").out)
    fields = {*document, *document["promises"][0], *document["promises"][0]["estimate"], *document["promises"][0]["promised"]}
    assert not {field for field in fields if not re.search(rf"[`\"]{field}[`\"]", text)}


def test_junit_is_written_beside_the_table(simulate: Call, promises: Call, tmp_path: Path) -> None:
    outcome = simulate("check", promises(HOLDS, BROKEN, UNDECIDED), "--junit", "out/balance.xml")
    assert outcome.code == 1
    assert "Verdicts written to out/balance.xml." in outcome.err
    (suite,) = ET.fromstring((tmp_path / "out" / "balance.xml").read_bytes())  # noqa: S314  written by this very test
    assert suite.get("name") == "balance.toml"
    assert [case[0].tag for case in suite] == ["system-out", "failure", "error"]
    assert (suite[1].get("name") or "").startswith("[bold]All win[/bold] <&>: at least 90%")


def test_games_on_the_command_line_are_the_most(simulate: Call, promises: Call) -> None:
    document = json.loads(simulate("check", promises(UNDECIDED), "--games", "1k", "--workers", "1", "--json").out)
    assert document["promises"][0]["estimate"]["n"] == 1000


@pytest.mark.usefixtures("nothing_is_played")
def test_everything_is_refused_before_anything_is_played(refused: Call, promises: Call, tmp_path: Path) -> None:
    name = promises(HOLDS, BROKEN.replace("players_win", "player_wins"))
    assert "line 13, promise 2: at 4 players there is no metric 'player_wins' (did you mean 'players_win'?)" in refused("check", name)
    assert "no key" in refused("check", promises(HOLDS, "oops = 1"))
    assert "cannot be read" in refused("check", "missing.toml")
    assert "--junit" in refused("check", promises(HOLDS), "--junit", str(tmp_path))
    assert "--games" in refused("check", promises(HOLDS), "--games", "0")


def test_the_file_is_an_argument_and_has_to_be_given(simulate: Call, refused: Call) -> None:
    usage, _, options = simulate("check", "--help").out.partition("Options:")
    assert usage.startswith("Usage: simulate check [OPTIONS] FILE.toml\n")
    assert "FILE.toml" not in options
    assert "FILE.toml" in refused("check")


def test_what_a_hostile_file_says_is_shown_as_one_line_of_text(refused: Call, promises: Call) -> None:
    sentence = refused("check", promises(HOLDS.replace("turns", "\\u001b[31m\\n<b>")))
    assert "there is no metric '?[31m?<b>'" in sentence


def test_the_promise_in_the_document_can_be_read(tmp_path: Path) -> None:
    from simulator.studies.promises import read_promises  # noqa: PLC0415  needs Numba

    (text,) = re.findall(r"```toml\n(.+?)```", (ROOT / "docs" / "check.md").read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "balance.toml").write_text(text, encoding="utf-8")
    (promise,) = read_promises(tmp_path / "balance.toml")
    assert promise.promised == "45% to 60%"
