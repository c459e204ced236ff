"""`simulate sensitivity` as a designer uses it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator.studies import measuring

Simulate = Callable[..., Any]
Refused = Callable[..., str]

ORCHARD = ("sensitivity", "orchard", "--players", "2", "--strategy", "fullest", "--games", "8000")
UNIFORM = ("--games", "300", "--strategy", "uniform")


def test_the_terminal_names_first_what_could_overturn_a_conclusion(simulate: Simulate) -> None:
    outcome = simulate(*ORCHARD, "--target", "60%:70%")
    assert outcome.code == 0
    words = " ".join(outcome.out.split())
    order = ("No constant that could be moved is in doubt.", "As it is with 2 players: ", "raven.steps moved to 4: ", "Source Effect")
    assert sorted(order, key=words.index) == list(order), "a conclusion once, and then what overturns it"
    assert words.count("As it is with 2 players: Players win 60% to 70%") <= 1
    assert "outside the target of 60% to 70%" in words
    assert words.index("Target, 2 players: Players win 60% to 70%; as it is 6") < words.index("raven.steps moved")
    assert simulate(*ORCHARD, "--target", "players_win=0.6:0.7").out.splitlines()[:3] == outcome.out.splitlines()[:3]
    assert "No effect that matters, shown for every move: turn_cap." in words or "turn_cap (about " in words
    assert "Benjamini-Hochberg" in words
    assert max(len(line.rstrip()) for line in outcome.out.splitlines()) <= 80


def test_a_value_named_with_also_is_played(simulate: Simulate) -> None:
    outcome = simulate(
        "sensitivity", "grinchmas", "--also", "spinner.faces=[1, 2, 3, feet]", "--also", "wishes.goal-=3", "--json", *UNIFORM
    )
    effects = json.loads(outcome.out)["effects"]
    assert "Note: wishes.goal is 5 (shipped: 8).\n" in outcome.err
    assert 5 in [e["to"] for e in effects if e["key"] == "wishes.goal"]
    assert [1, 2, 3, "feet"] in [e["to"] for e in effects if e["key"] == "spinner.faces"]


@pytest.mark.parametrize("game", ["grinchmas", "vacation", "crocs"])
def test_json_is_one_document_of_the_promised_shape(simulate: Simulate, game: str) -> None:
    outcome = simulate("sensitivity", game, "--players", "2-3", "--json", *UNIFORM)
    document = json.loads(outcome.out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert set(document) == {
        *("headline", "effects", "overturned", "open", "without_effect", "undecided", "cannot_act", "left_out", "digests"),
    }
    assert all(set(one) == {"key", "from", "to", "source", "players", "conclusion", "games"} for one in document["open"])
    assert {e["players"] for e in document["effects"]} == {2, 3}
    for e in document["effects"]:
        assert set(e) == {"key", "from", "to", "source", "players", "metric", "difference", "significant"}
        assert set(e["difference"]) == {"best", "low", "high", "n", "unit"}
        assert e["from"] != e["to"]
    for o in document["overturned"]:
        assert set(o) == {"key", "from", "to", "source", "players", "conclusion", "instead"}


def test_a_named_metric_is_looked_at_beside_what_the_conclusions_rest_on(simulate: Simulate) -> None:
    outcome = simulate(*ORCHARD, "--metric", "turns", "--json")
    assert {e["metric"] for e in json.loads(outcome.out)["effects"]} == {"turns", "players_win", "unfinished"}


def test_a_precision_that_is_not_reached_is_said(simulate: Simulate) -> None:
    assert "ask for more --games" in " ".join(simulate(*ORCHARD, "--precision", "0.001").out.split())
    done = simulate(*ORCHARD[:-1], "200k", "--precision", "0.02")
    assert "ask for more --games" not in done.out
    assert "confidence sequences" in done.out


def test_page_pictures_and_table_are_written(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate(*ORCHARD, "--report", "s.html", "--png", "pictures", "--save", "s.csv")
    assert outcome.code == 0
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert "raven.steps" in page
    assert page.count("<script") == 1, "the page's own"
    assert len(list((tmp_path / "pictures").glob("*tornado*.png"))) == 4
    with (tmp_path / "s.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 5 * 10, "four headlines, and whether games end"
    assert {"key", "from", "to", "low", "high", "significant"} <= set(lines[0])


@pytest.mark.usefixtures("nothing_is_played")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--target", "0.6:0.5"), "'0.6:0.5' is no target"),
        (("--target", "few:many"), "'few:many' is no target"),
        (("--target", "players_win=0.4:0.5:players_win"), "is no target"),
        (("--target", "85:95"), "write 0.85 or 85%"),
        (("--precision", "5"), "write 0.05 or 5%"),
        (("--precision", "5%:turns"), "which only shares are"),
        (("--target", "0.4:0.5:turns"), "'turns' is none"),
        (("--metric", "turn"), "did you mean 'turns'?"),
        (("--precision", "0.1:turn"), "did you mean 'turns'?"),
        (("--also", "raven.step=7"), "did you mean 'raven.steps'?"),
        (("--also", "raven.steps=-1"), "write raven.steps=1 or raven.steps-=1."),
        (("--also", "raven.steps"), "sets nothing"),
        (("--players", "9"), "not 9"),
        (("--save", "effects.txt"), "--save effects.txt"),
        (("--report", "page.txt"), "--report page.txt"),
    ],
)
def test_bad_input_is_refused_before_anything_is_played(refused: Refused, arguments: tuple[str, ...], named: str) -> None:
    assert named in refused(*ORCHARD, *arguments)


def test_interactions_of_few_numbers_hold_no_negative_share(simulate: Simulate) -> None:
    outcome = simulate("sensitivity", "orchard", "--players", "2", "--games", "5000", "--interactions", "--json")
    (found,) = json.loads(outcome.out)["interactions"]
    assert {i["key"] for i in found["indices"]} == {"trees.count", "trees.fruit", "raven.steps", "basket.fruits"}
    assert all(set(i) == {"key", "values", "first", "total"} for i in found["indices"])
    assert all(0 <= i["total"]["low"] <= i["total"]["best"] <= i["total"]["high"] <= 1 for i in found["indices"])


def test_numbers_moved_together_are_in_the_digest(simulate: Simulate) -> None:
    asked = ("sensitivity", "orchard", "--players", "2", "--games", "500", "--json", "--interactions")
    moves, together = json.loads(simulate(*asked).out)["digests"]
    assert json.loads(simulate(*asked[:-1]).out)["digests"] == [moves]
    twice, fewer = (json.loads(simulate(*asked, *more).out)["digests"] for more in ((), ("--games", "100")))
    assert twice == [moves, together]
    assert together not in fewer


def test_an_interrupt_keeps_the_moves_that_are_done(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    played, calls = measuring.play_pairs, []

    def interrupted(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return played(*arguments, **options)

    monkeypatch.setattr(measuring, "play_pairs", interrupted)
    outcome = simulate(*ORCHARD, "--json")
    assert outcome.code == 130
    assert 0 < len(json.loads(outcome.out)["effects"]) < 40
    assert "Interrupted" in outcome.err


def test_an_interrupt_before_anything_is_done_says_so(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: Any, **_options: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "play_pairs", interrupted)
    assert "nothing was finished" in refused(*ORCHARD, code=130)
