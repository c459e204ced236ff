"""`simulate tournament` as a designer uses it."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator import registry
from simulator.document.chapters import Cell
from simulator.document.figures import estimate_text
from simulator.stats.estimate import Estimate
from simulator.studies import meetings
from simulator.studies.pairs import play_pairs
from simulator.studies.tournament import rating_cell, tournament

Simulate = Callable[..., Any]

DOCUMENT = Path(__file__).parents[2] / "docs" / "tournament.md"
TRIO = Path(__file__).parents[1] / "intransitive_strategies.py"

SMALL = ("--players", "2", "--games", "1000")


def test_the_tables_show_ratings_shares_and_the_leader(simulate: Simulate) -> None:
    outcome = simulate("tournament", "pig", "--players", "2", "--games", "8000")
    assert outcome.code == 0
    assert "optimal beats every other strategy." in outcome.out
    assert outcome.out.splitlines()[1] == "optimal beats every other strategy."
    assert "An equal share is 50 percent" in " ".join(outcome.out.split())
    assert "hold, the default strategy, is 0" in " ".join(outcome.out.split())
    assert all(len(line) <= 80 for line in outcome.out.splitlines())


def test_json_is_one_document_of_the_documented_shape(simulate: Simulate) -> None:
    outcome = simulate("tournament", "pig", "--players", "2-3", "--games", "600", "--json")
    document = json.loads(outcome.out)
    assert document["experiment"]["game"] == "pig"
    assert [r["players"] for r in document["results"]] == [2, 3]
    for result in document["results"]:
        names = result["strategies"]
        assert names == ["hold", "strict_hold", "optimal", "uniform"]
        assert [[cell is None for cell in line] for line in result["wins"]] == [[a == b for b in names] for a in names]
        assert set(result["wins"][0][1]) == {"best", "low", "high", "n", "unit"}
        assert [r["strategy"] for r in result["ratings"]] == names
        assert result["cycles"] == []
        assert result["zero"] == "hold"
        assert result["equal_share"] == 1 / result["players"]


def test_a_cycle_is_named_in_the_terminal_and_in_the_document(simulate: Simulate) -> None:
    named = [part for name in ("rock", "paper", "scissors") for part in ("--strategy", f"{TRIO}:{name}")]
    outcome = simulate("tournament", "pig", *SMALL, *named)
    assert "Cycle: rock beats scissors beats paper beats rock." in outcome.out
    outcome = simulate("tournament", "pig", *SMALL, *named, "--json")
    (result,) = json.loads(outcome.out)["results"]
    assert result["cycles"] == [["rock", "scissors", "paper"]]
    assert result["zero"] is None


def test_a_cooperative_game_has_tables_and_no_ratings(simulate: Simulate) -> None:
    outcome = simulate("tournament", "orchard", "--games", "600")
    assert outcome.code == 0
    assert "Which table of one strategy is best is open between fullest 65.7% (61.8 to 69.4); uniform" in " ".join(outcome.out.split())
    assert "every other seat of either strategy" in " ".join(outcome.out.split())
    outcome = simulate("tournament", "orchard", "--games", "600", "--json")
    (result,) = json.loads(outcome.out)["results"]
    assert result["ratings"] == result["cycles"] == result["beats"] == []
    assert result["equal_share"] is None
    assert len(result["halves"]) == 3
    assert all(cell is not None for line in result["wins"] for cell in line)


def test_that_many_games_did_not_finish_is_the_first_thing_said_and_is_said_once_for_each_number_of_players(simulate: Simulate) -> None:
    outcome = simulate("tournament", "pig", "--players", "2-3", "--games", "100", "--set", "turn_cap=14")
    lines = outcome.out.splitlines()
    assert lines[1].startswith("The turn cap ended ")
    assert outcome.out.count("The turn cap ended ") == 2


def test_page_pictures_and_table_are_written(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate("tournament", "pig", *SMALL, "--report", "t.html", "--png", "pictures", "--save", "t.csv")
    assert outcome.code == 0
    assert "Tournament of strategies" in (tmp_path / "t.html").read_text(encoding="utf-8")
    assert {p.name for p in (tmp_path / "pictures").glob("*.png")} == {"pig-tournament.png", "pig-ratings.png"}
    with (tmp_path / "t.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 4 * 3 + 4 + 4


def test_what_is_done_when_it_is_interrupted_is_shown(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter(range(100))

    def interrupted(*given: Any, **more: Any) -> Any:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return play_pairs(*given, **more)

    monkeypatch.setattr(meetings, "play_pairs", interrupted)
    outcome = simulate("tournament", "pig", *SMALL)
    assert outcome.code == 130
    assert "Interrupted; what was finished is shown." in outcome.err
    assert "the finished pairings are shown, and nobody is rated." in " ".join(outcome.out.split())
    assert "Rating" not in outcome.out
    assert outcome.out.count("%") > 4


@pytest.mark.parametrize("columns", ["40", "100"])
def test_it_fits_narrow_and_wide_terminals(simulate: Simulate, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    outcome = simulate("tournament", "pig", "--players", "2", "--games", "8000")
    assert outcome.code == 0
    figures = [estimate_text(e, "\n") for line in tournament("pig", players=2, games=8000).wins for e in line if e is not None]
    assert all(part in outcome.out for figure in figures for part in figure.split("\n")), "a figure is torn"
    tables = [line for line in outcome.out.splitlines() if not line.startswith("seed ")]
    assert all(len(line) <= int(columns) for line in tables)


@pytest.mark.parametrize(("game", "columns"), [("vacation", 60), ("crocs", 80), ("crocs", 40), ("vacation", 16), ("pig", 16)])
def test_no_name_is_torn(simulate: Simulate, monkeypatch: pytest.MonkeyPatch, game: str, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = simulate("tournament", game, "--games", "40").out.splitlines()
    names = set(registry.strategies(game))
    headings = [lines[i - 1] for i, line in enumerate(lines) if line.strip().startswith("\N{BOX DRAWINGS LIGHT HORIZONTAL}")]
    headings = [heading.split() for heading in headings if not heading.strip().startswith("Strategy")]
    if columns > 20:
        assert headings
        assert sorted(name for heading in headings for name in heading) == sorted(names)
    else:
        assert not headings, "no column would fit"
        labels = {line.strip().partition(":")[0] for line in lines if re.match(r"  \w+: ?", line)}
        assert names < labels


def test_an_open_end_is_said_and_not_printed_as_a_number() -> None:
    open_ended = {(-900.0, -math.inf, -700.4): "below \N{MINUS SIGN}700", (900.0, 700.4, math.inf): "above 700"}
    for ends, text in open_ended.items():
        assert rating_cell(Estimate(*ends, 9, "Elo points")) == Cell(text, "one end is open")
    assert rating_cell(Estimate(0.0, 0.0, 0.0, 9, "Elo points")) == Cell("0", "by definition")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ladders",), "uniform alone"),
        (("pig", "--players", "1"), "2 or more"),
        (("pig", "--players", "2-9"), "1 to 6 players, not 9"),
        (("pig", "--strategy", "hold"), "hold alone"),
        (("pig", "--strategy", "hold", "--strategy", "hold:at=20"), "entered twice"),
        (("pig", "--strategy", "hodl", "--strategy", "optimal"), "did you mean 'hold'"),
        (("pig", "--save", "x.txt"), ".csv"),
        (("pig", "--set", "gaol=3"), "goal"),
    ],
)
@pytest.mark.usefixtures("nothing_is_played")
def test_what_is_no_tournament_is_refused_in_one_sentence(refused: Callable[..., str], arguments: tuple[str, ...], words: str) -> None:
    assert words in refused("tournament", *arguments)


def test_the_document_shows_what_is_printed(simulate: Simulate) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    ((arguments, shown),) = re.findall(r"<!-- example: simulate (.+?) -->\n```\n\$ .+?\n(.+?)```", text, re.DOTALL)
    printed = [" ".join(line.split()) for line in simulate(*arguments.split()).out.splitlines() if line.strip()]
    documented = [" ".join(line.split()) for line in shown.splitlines() if line.strip()]
    assert len(documented) > 20
    assert printed[: len(documented)] == documented
