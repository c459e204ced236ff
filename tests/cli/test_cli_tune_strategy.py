"""`simulate tune-strategy`: what is printed, written and refused, and how it exits."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator.studies import strategy_axes, strategy_search

Simulate = Callable[..., Any]
Refused = Callable[..., str]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "tune-strategy.md"
EXAMPLE = re.compile(r"<!-- example: simulate (.+?) -->\n```\n(.+?)```", re.DOTALL)
PIG = ("tune-strategy", "pig", "hold", "--players", "2", "--games", "16k", "--vary", "at=18:26")


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_line_that_it_prints_plays_the_tuned_strategy(simulate: Simulate) -> None:
    outcome = simulate(*PIG)
    assert outcome.code == 0
    (line,) = re.findall(r"^Play it with: (.+)$", outcome.out, re.MULTILINE)
    assert line == "--strategy hold:at=25"
    (result,) = json.loads(simulate("pig", "--players", "2", "--games", "100", "--json", *line.split()).out)["results"]
    assert result["experiment"]["strategies"] == ["hold:at=25"] * 2


def test_json_holds_before_and_after_and_their_difference(simulate: Simulate) -> None:
    document = json.loads(simulate(*PIG, "--json").out)
    assert (document["before"], document["after"], document["improved"]) == ({"at": 20}, {"at": 25}, True)
    (with_two,) = document["tables"]
    assert with_two["players"] == 2
    estimates = [with_two[name] for name in ("before", "after", "difference")]
    assert all(set(e) == {"best", "low", "high", "n", "unit"} for e in estimates)
    assert with_two["difference"]["best"] == pytest.approx(with_two["after"]["best"] - with_two["before"]["best"])


def test_every_field_of_the_json_is_documented(simulate: Simulate) -> None:
    text = (DOCUMENT.parent / "json.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("| `simulate tune-strategy GAME NAME --json`")]
    document = json.loads(simulate(*PIG, "--json").out)
    assert not {field for field in {*document, *document["tables"][0]} if f'"{field}"' not in line and f"`{field}`" not in line}


def test_it_says_so_where_no_improvement_was_found(simulate: Simulate) -> None:
    outcome = simulate("tune-strategy", "pig", "hold:at=25", "--players", "2", "--games", "16k", "--vary", "at=24:26")
    assert outcome.code == 0
    assert "No improvement was found" in outcome.out
    assert "Play it with" not in outcome.out


def test_page_and_table_are_written(simulate: Simulate, tmp_path: Path) -> None:
    assert simulate(*PIG, "--report", "page.html", "--save", "figures.csv", "--png", "pictures").code == 0
    assert "hold:at=25 is better: it wins" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with (tmp_path / "figures.csv").open(encoding="utf-8") as file:
        assert [row["figure"] for row in csv.DictReader(file)] == ["before", "after", "difference", "difference"]
    assert [p.name for p in (tmp_path / "pictures").iterdir()] == ["pig-gain.png"]


def test_an_interrupted_search_is_shown_and_called_not_confirmed(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    play, left = strategy_search.play_pairs, [5]

    def stopped(*arguments: object, **more: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return play(*arguments, **more)  # type: ignore[arg-type]  # whatever it was called with

    monkeypatch.setattr(strategy_search, "play_pairs", stopped)
    outcome = simulate(*PIG)
    assert outcome.code == 130
    assert "not confirmed" in " ".join(outcome.out.split())


@pytest.mark.parametrize("columns", ["40", "80"])
def test_the_tables_fit_the_terminal(simulate: Simulate, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    outcome = simulate(*PIG, "--games", "4000")
    assert max(len(line.rstrip()) for line in outcome.out.splitlines()) <= int(columns)


REFUSED = {
    ("grinchmas", "greedy"): ("'greedy'", "nothing to tune"),
    ("pig", "holt", "--players", "2"): ("did you mean 'hold'?",),
    ("pig", "hold", "--players", "2", "--vary", "att=1:2"): ("did you mean 'at'?",),
    ("pig", "hold", "--players", "1"): ("nobody to win against",),
    ("pig", "hold", "--players", "2", "--report", "page.txt"): ("--report page.txt",),
    ("grinchmas", "team", "--against", "uniform"): ("--against",),
}


@pytest.mark.usefixtures("nothing_is_played")
@pytest.mark.parametrize(("arguments", "fragments"), REFUSED.items(), ids=[" ".join(a)[:50] for a in REFUSED])
def test_what_cannot_be_tuned_is_refused(refused: Refused, arguments: tuple[str, ...], fragments: tuple[str, ...]) -> None:
    sentence = refused("tune-strategy", *arguments)
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
    assert capsys.readouterr().out.startswith("True hold:at=25 Estimate(")


def test_the_document_names_the_limits_that_hold() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert f"Up to {strategy_axes.MOST_COMBINATIONS} combinations" in text
    assert f"and {strategy_axes.GRID} values" in text
    assert strategy_axes.REACH == 3
    assert "three times its value" in text
