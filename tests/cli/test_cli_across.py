"""`--across` of compare and sensitivity as a designer uses it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator.studies import compare, measuring

Simulate = Callable[..., Any]
Refused = Callable[..., str]

SPREAD = ("--across", "hold:at=15", "--across", "hold")
COMPARE = ("compare", "pig", "--players", "2", "--set", "goal=17", "--variant", "goal=21", "--games", "30k")
SENSITIVITY = ("sensitivity", "pig", "--players", "2", "--set", "goal=17", "--also", "goal=21", "--games", "20k")


def test_the_terminal_shows_what_flips_strategy_by_strategy_and_begins_with_one_sentence(simulate: Simulate) -> None:
    outcome = simulate(*COMPARE, *SPREAD)
    assert outcome.code == 0
    words = " ".join(outcome.out.split())
    assert words.index("Of 5 verdicts, 2 hold under every strategy, 3 flip, none is open.") < words.index("hold:at=15 +1")
    assert "It depends on who plays: Seat 0 wins with goal=21, 2 players: up under hold:at=15; down under hold." in words
    assert re.search(r"Seat 0 wins hold:at=15 \+1\.\d up FLIPS \+", words)
    assert re.search(r"Seat 0 wins hold -\d\.\d down FLIPS -", words)
    assert re.search(r"Turns hold \+0\.\d+ up holds \+", words)
    assert max(len(line.rstrip()) for line in outcome.out.splitlines()) <= 80


def test_a_narrow_terminal_keeps_every_interval_in_one_piece(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    outcome = simulate("compare", "grinchmas", "--variant", "stars.trio=6", "--games", "2000", "--across", "spoiler", "--across", "uniform")
    lines = [line.rstrip() for line in outcome.out.splitlines()]
    assert max(map(len, lines)) <= 40
    assert sum(bool(re.search(r"Difference: \S+ \S+ to \S+$", line)) for line in lines) == 8


def test_json_of_a_comparison_has_the_documented_shape(simulate: Simulate) -> None:
    document = json.loads(simulate(*COMPARE, *SPREAD, "--json").out)
    assert set(document) == {"comparisons", "digests", "across"}
    assert {c["strategy"] for c in document["comparisons"]} == {"hold:at=15", "hold"}
    across = document["across"]
    assert set(across) == {"strategies", "verdicts", "holds", "flips", "open"}
    assert (across["holds"], across["flips"], across["open"]) == (2, 3, 0)
    for verdict in across["verdicts"]:
        assert set(verdict) == {"variant", "players", "metric", "status", "answers"}
        assert [a["strategy"] for a in verdict["answers"]] == across["strategies"]
        assert all(set(a) == {"strategy", "says", "difference"} for a in verdict["answers"])


def test_json_of_a_sensitivity_study_has_the_documented_shape(simulate: Simulate) -> None:
    document = json.loads(simulate(*SENSITIVITY, *SPREAD, "--json").out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert set(document) == {"effects", "overturned", "open", "without_effect", "left_out", "digests", "across"}
    assert {e["strategy"] for e in document["effects"]} == {"hold:at=15", "hold"}
    across = document["across"]
    assert set(across) == {"strategies", "conclusions", "verdicts", "overturned", "holds", "flips", "open"}
    (flipped,) = [v for v in across["verdicts"] if v["to"] == 21 and v["metric"] == "wins.0"]
    assert set(flipped) == {"key", "from", "to", "source", "players", "metric", "status", "answers"}
    assert flipped["status"] == "flips"
    assert [c["about"] for c in across["conclusions"]] == ["the favourite", "unfinished"]
    for conclusion in across["conclusions"]:
        assert set(conclusion) == {"about", "players", "status", "answers"}
        assert all(set(a) == {"strategy", "says"} for a in conclusion["answers"])


def test_the_terminal_tells_the_conclusions_of_every_strategy_and_the_effects_that_flip(simulate: Simulate) -> None:
    outcome = simulate("sensitivity", "grinchmas", "--games", "500", "--across", "team", "--across", "uniform")
    assert outcome.code == 0
    words = " ".join(outcome.out.split())
    assert "It depends on who plays: 4 players, team: The players win" in words
    assert re.search(r"Of 2 conclusions, (none|1) holds under every strategy, 1 flips, (none|1) is open\.", words)
    assert "Moved nowhere, since that cannot act with 4 players: exchange.min_players to 6 or 7; exchange.on_max to false." in words
    assert max(len(line.rstrip()) for line in outcome.out.splitlines()) <= 80


@pytest.mark.parametrize("arguments", [COMPARE, SENSITIVITY], ids=["compare", "sensitivity"])
def test_page_pictures_and_table_are_written_and_the_page_warns(simulate: Simulate, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    outcome = simulate(*arguments, *SPREAD, "--report", "a.html", "--png", "pictures", "--save", "a.csv")
    assert outcome.code == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "It depends on who plays: Seat 0 wins with goal" in page
    assert page.index("It depends on who plays") < page.index("<figure")
    assert len(list((tmp_path / "pictures").glob("pig-across-*.png"))) == 5
    with (tmp_path / "a.csv").open(encoding="utf-8") as file:
        assert {line["strategy"] for line in csv.DictReader(file)} == {"hold:at=15", "hold"}


@pytest.mark.usefixtures("nothing_is_played")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((*COMPARE, "--across", "hold"), "under one strategy only, hold"),
        ((*COMPARE, "--across", "hold", "--across", "optimum"), "did you mean 'optimal'?"),
        ((*COMPARE, *SPREAD, "--strategy", "hold"), "leave out --strategy"),
        ((*COMPARE, *SPREAD, "--variant", "goal=30@uniform"), "'goal=30@uniform' names who plays it"),
        ((*COMPARE, *SPREAD, "--metric", "trns"), "did you mean 'turns'?"),
        ((*COMPARE, *SPREAD, "--report", "a.txt"), "--report a.txt"),
        ((*SENSITIVITY, *SPREAD, "--interactions"), "leave out --across"),
        ((*SENSITIVITY, *SPREAD, "--strategy", "hold"), "leave out --strategy"),
        (("compare", "ladders", "--variant", "turn_cap=500", "--across", "strategies"), "under one strategy only, uniform"),
    ],
)
def test_bad_input_is_refused_before_anything_is_played(refused: Refused, arguments: tuple[str, ...], named: str) -> None:
    assert named in refused(*arguments)


@pytest.mark.parametrize(("study", "arguments"), [(compare, COMPARE), (measuring, SENSITIVITY)], ids=["compare", "sensitivity"])
def test_an_interrupt_keeps_the_strategies_that_are_done(
    simulate: Simulate, monkeypatch: pytest.MonkeyPatch, study: Any, arguments: tuple[str, ...]
) -> None:
    played, seen = study.play_pairs, []

    def interrupted(experiments: Any, *more: Any, **how: Any) -> Any:
        seen.append(experiments[0].lineup[0].label)
        if seen[-1] == "hold":
            raise KeyboardInterrupt
        return played(experiments, *more, **how)

    monkeypatch.setattr(study, "play_pairs", interrupted)
    outcome = simulate(*arguments, *SPREAD, "--json")
    assert outcome.code == 130
    assert "Interrupted; what was finished is shown." in outcome.err
    across = json.loads(outcome.out)["across"]
    assert across["holds"] == across["flips"] == 0
    assert across["open"] > 0


def test_verdicts_for_several_numbers_of_players_are_judged_together(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[int] = []
    together = compare.judged_together

    def watched(found: Any, margins: Any) -> Any:
        judged.append(len(found))
        return together(found, margins)

    monkeypatch.setattr(compare, "judged_together", watched)
    assert simulate("compare", "pig", "--players", "2-3", "--variant", "goal=90", "--games", "500").code == 0
    assert judged == [2]
