"""`simulate drama` as a designer uses it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simulator.studies.drama import drama

Simulate = Callable[..., Any]
Refused = Callable[..., str]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "drama.md"
EXAMPLE = re.compile(r"<!-- example: simulate (.+?) -->\n```\n\$ .+?\n(.+?)```", re.DOTALL)
PIG = ("drama", "pig", "--players", "2", "--games", "40", "--rollouts", "20")


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_tables_show_the_lead_the_winner_and_the_most_dramatic_playout(simulate: Simulate) -> None:
    outcome = simulate(*PIG)
    assert (outcome.code, outcome.errors) == (0, [])
    found = drama("pig", players=2, games=40, rollouts=20)
    lines = squeezed(outcome.out)
    rows = {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in lines}
    assert float(rows["Lead changes"]) == pytest.approx(found.estimates["lead_changes"].best, abs=0.5)  # as wide as its interval is
    assert rows["Winner once below 25%"] == f"{100 * found.estimates['below.25'].best:.0f}%"
    shares = [float(rows[group].rstrip("%")) for group in ("0", "1", "2", "3", "4 or more")]
    assert sum(shares) == pytest.approx(100, abs=10)  # extrapolated, and none is below nought
    assert f"simulate replay pig --game {found.dramatic.playout} --players 2 --seed 1" in lines
    assert all(len(line) <= 80 for line in outcome.out.splitlines())


def test_where_all_games_are_alike_the_mean_has_no_interval(simulate: Simulate) -> None:
    asked = ("drama", "pig", "--players", "2", "--games", "9", "--rollouts", "10", "--set", "turn_cap=1")
    rows = squeezed(simulate(*asked).out)
    place = rows.index("Lead changes 0")
    assert rows[place + 1] == "in every one of 9"
    (result,) = json.loads(simulate(*asked, "--json").out)["results"]
    assert result["estimates"]["lead_changes"] == {"best": 0, "low": None, "high": None, "n": 9, "unit": "changes"}
    assert "(one playout)" in simulate(*asked[:5], "1", *asked[6:]).out


def test_the_replay_line_stands_on_a_line_of_its_own_in_a_narrow_terminal(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    outcome = simulate("drama", "orchard", "--players", "2-3", "--games", "12", "--rollouts", "10", "--strategy", "uniform")
    replays = [line for line in outcome.out.splitlines() if line.startswith("simulate replay")]
    assert len(replays) == 2
    assert all(line.endswith("--seed 1 --strategy uniform") for line in replays)
    assert all(len(line) <= 40 for line in outcome.out.splitlines() if line not in replays)


def test_the_json_is_one_document_of_the_documented_shape(simulate: Simulate) -> None:
    document = json.loads(simulate(*PIG[:-1], "12", "--seed", "3", "--set", "goal=30", "--json").out)
    (result,) = document["results"]
    alone = drama("pig", players=2, games=40, rollouts=12, seed=3, rules={"goal": 30}).as_dict()
    assert result | {"elapsed_s": 0} == alone | {"elapsed_s": 0}
    assert set(result["estimates"]) == {"lead_changes", "led_throughout", "never_behind_from", "below.10", "below.25", "decided_early"}
    assert result["games"] == 40
    assert set(result["changes"]) == {"0", "1", "2", "3", "4 or more"}
    dramatic = result["most_dramatic"]
    assert {len(line) for line in dramatic["chances"]} == {len(dramatic["sides"])}
    assert dramatic["replay"].endswith("--set goal=30")


def test_page_pictures_and_table_are_written(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate(*PIG, "--report", "d.html", "--png", "pictures", "--save", "d.csv")
    assert (outcome.code, outcome.errors) == (0, [])
    page = (tmp_path / "d.html").read_text(encoding="utf-8")
    assert "simulate replay pig --game" in page
    names = ("lead-changes", "courses", "most")
    assert {p.name for p in (tmp_path / "pictures").iterdir()} == {f"pig-drama-{name}.png" for name in names}
    table = pd.read_csv(tmp_path / "d.csv")
    assert table["playout"].nunique() == 40
    assert table.groupby(["playout", "turn"])["chance"].sum().to_numpy() == pytest.approx(1)


@pytest.mark.usefixtures("nothing_is_played")
def test_what_is_impossible_is_refused_before_anything_is_played(refused: Refused) -> None:
    assert "two players" in refused("drama", "pig", "--players", "1")
    assert "10 and 1,000,000" in refused(*PIG[:-1], "5")
    assert "players" in refused("drama", "grinchmas", "--players", "2-9")
    assert "did you mean" in refused("drama", "pig", "--strategy", "optmal", "--players", "2")


def test_the_example_of_the_document_is_what_is_printed(simulate: Simulate) -> None:
    examples = EXAMPLE.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert examples
    for arguments, shown in examples:
        lines = squeezed(simulate(*arguments.split()).out)
        assert lines[: len(squeezed(shown))] == squeezed(shown)
