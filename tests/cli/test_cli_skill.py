"""`simulate skill` as a designer uses it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simulator.stats.estimate import Estimate
from simulator.studies.ladder import BLUNDERS, LOOKAHEADS
from simulator.studies.skill import skill

Simulate = Callable[..., Any]
Refused = Callable[..., str]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "skill.md"
EXAMPLE = re.compile(r"<!-- example: simulate (.+?) -->\n```\n\$ .+?\n(.+?)```", re.DOTALL)
PIG = ("skill", "pig", "--players", "2", "--games", "300", "--lookahead", "3")


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_tables_show_random_moves_strategies_variance_and_who_goes_first(simulate: Simulate) -> None:
    outcome = simulate(*PIG)
    assert (outcome.code, outcome.errors) == (0, [])
    found = skill("pig", players=2, games=300, ahead_games=3)
    lines = squeezed(outcome.out)
    rows = {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in reversed(lines)}
    for name in (
        *(f"{100 * share:g} percent" for share in BLUNDERS),
        *(rung.strategy for rung in found.ladder),
        "strategy",
        "seat",
        "luck",
    ):
        assert rows[name].endswith("%"), name
    assert {f"lookahead:rollouts={n}" for n in LOOKAHEADS} < set(rows)
    assert {"uniform (weak)", "hold (usual)"} < set(rows)
    assert "where 50 percent would be even" in " ".join(lines)
    assert all(len(line) <= 80 for line in outcome.out.splitlines())


def test_a_cooperative_game_has_tables_of_one_strategy_and_no_seats(simulate: Simulate) -> None:
    outcome = simulate("skill", "orchard", "--players", "1-3", "--games", "200", "--lookahead", "0")
    assert outcome.code == 0
    assert "a table of each strategy" in outcome.out
    assert "The players win" in outcome.out
    assert not re.search(r"^ *seat ", outcome.out, re.MULTILINE)
    assert "lookahead" not in outcome.out
    assert outcome.out.count("1 player:") == outcome.out.count("3 players:") == 1


def test_a_terminal_of_40_columns_holds_every_figure_with_its_interval(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    outcome = simulate("skill", "pig", "--players", "2-4", "--games", "120", "--lookahead", "2")
    assert all(len(line) <= 40 for line in outcome.out.splitlines())
    assert outcome.out.count("lookahead:rollouts=64") > 1, "the table goes on below"


def test_the_json_is_one_document_of_the_documented_shape(simulate: Simulate) -> None:
    outcome = simulate(
        "skill", "pig", "--players", "2-3", "--games", "300", "--lookahead", "2", "--seed", "7", "--set", "goal=30", "--json"
    )
    results = json.loads(outcome.out)["results"]
    assert [r["experiment"]["players"] for r in results] == [2, 3]
    estimate = set(Estimate(0, 0, 0, 1, "share").as_dict())
    for result in results:
        alone = skill("pig", players=result["experiment"]["players"], games=300, ahead_games=2, seed=7, rules={"goal": 30}).as_dict()
        assert result | {"elapsed_s": 0} == alone | {"elapsed_s": 0}
        assert [b["share"] for b in result["blunders"]] == list(BLUNDERS)
        assert set(result["variance"]) == {"strategy", "seat", "luck", "strategies"}
        assert {frozenset(r["estimate"]) for r in (*result["blunders"], *result["ladder"], *result["first_player"])} == {
            frozenset(estimate)
        }
        assert sum(result["variance"][part]["best"] for part in ("strategy", "seat", "luck")) == pytest.approx(1)


def test_page_pictures_and_tables_are_written(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate(*PIG, "--report", "s.html", "--png", "pictures", "--svg", "drawings", "--csv", "tables", "--save", "s.csv")
    assert (outcome.code, outcome.errors) == (0, [])
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert "whoever moves at random" in page
    for folder, ending in (("pictures", "png"), ("drawings", "svg")):
        assert {p.name for p in (tmp_path / folder).iterdir()} == {f"pig-skill-{name}.{ending}" for name in ("moves", "strategies")}
    assert len(list((tmp_path / "tables").iterdir())) >= 4
    table = pd.read_csv(tmp_path / "s.csv")
    assert set(table["part"]) == {"blunders", "ladder", "variance", "first_player"}


@pytest.mark.usefixtures("nothing_is_played")
def test_what_is_impossible_is_refused_before_anything_is_played(refused: Refused) -> None:
    assert "did you mean 'optimal'" in refused("skill", "pig", "--strategy", "optmal", "--players", "2")
    assert "named twice" in refused("skill", "pig", "--strategy", "hold", "--strategy", "hold", "--players", "2")
    assert "players" in refused("skill", "grinchmas", "--players", "2-9")
    assert "ends in" in refused(*PIG, "--report", "s.txt") or "end in" in refused(*PIG, "--report", "s.txt")
    assert "lookahead" in refused("skill", "pig", "--lookahead", "many")
    assert "with two players or more" in refused("skill", "pig", "--players", "1")
    assert "with two players or more" in refused("skill", "pig", "--players", "1-3")
    assert "Nobody decides anything" in refused("skill", "ladders")


def test_the_example_of_the_document_is_what_is_printed(simulate: Simulate) -> None:
    examples = EXAMPLE.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert examples
    for arguments, shown in examples:
        lines = squeezed(simulate(*arguments.split()).out)
        assert lines[: len(squeezed(shown))] == squeezed(shown)
