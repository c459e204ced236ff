"""`simulate compare` as a designer uses it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Simulate = Callable[..., Any]

SMALL = ("--games", "4000", "--strategy", "uniform")


def test_the_table_shows_difference_interval_and_verdict(simulate: Simulate) -> None:
    outcome = simulate("compare", "grinchmas", "--variant", "stars.trio=9", *SMALL)
    assert outcome.code == 0
    assert "stars.trio=9" in outcome.out
    assert "differs" in outcome.out
    assert "Grinch" in outcome.out


def test_where_no_game_finished_that_nothing_is_known_stands_in_place_of_figures(simulate: Simulate, tmp_path: Path) -> None:
    asked = ("--variant", "turn_cap=1", "--metric", "wins.0", "--metric", "unfinished", "--games", "200", "--report", "page.html")
    outcome = simulate("compare", "pig", "--players", "2", *asked)
    said = " ".join(outcome.out.split())
    assert re.search(r"Seat 0 wins \d\d\.\d% - - undecided - not known ", said)
    assert re.search(r"Unfinished 0\.0% 100\.0% \+100\.0 differs - \+\d+\.\d to \+100\.0 ", said), "that is what is known"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Not known: Seat 0 wins." in page
    assert page.count("not known") == 1
    both = simulate("compare", "pig", "--players", "2", *asked[:4], "--set", "turn_cap=2", "--games", "200").out
    assert "Seat 0 wins - - - undecided - not known " in " ".join(both.split())
    told = " ".join(
        simulate("compare", "pig", "--players", "2", *asked[:6], "--across", "hold", "--across", "uniform", "--games", "200").out.split()
    )
    assert len(re.findall(r"Seat 0 wins \w+ - undecided open not known ", told)) == told.count("not known") == 2, (
        "how many do not finish is known"
    )
    assert "Under hold, uniform: No game (with turn_cap=1, 2 players) finished" in told


def test_json_is_one_document_of_the_documented_shape(simulate: Simulate) -> None:
    outcome = simulate(
        "compare", "vacation", "--players", "2-3", "--variant", "dice.bust_at=2", "--variant", "deck.copies=3", "--json", *SMALL
    )
    comparisons = json.loads(outcome.out)["comparisons"]
    assert {(c["variant"], c["players"]) for c in comparisons} == {(v, n) for v in ("dice.bust_at=2", "deck.copies=3") for n in (2, 3)}
    for c in comparisons:
        assert set(c) == {"variant", "players", "metric", "baseline", "changed", "difference", "verdict", "playouts_saved"}
        assert set(c["difference"]) == {"best", "low", "high", "n", "unit"}


def test_page_pictures_and_table_are_written(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate(
        "compare",
        "grinchmas",
        "--variant",
        "board.path=[max, feet, A]",
        "--report",
        "c.html",
        "--png",
        "pictures",
        "--svg",
        "pictures",
        "--csv",
        "tables",
        "--save",
        "c.csv",
        *SMALL,
    )
    assert outcome.code == 0
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    assert "board.path=[max, feet, A]" in page
    assert page.count("<script") == 1, "the page's own"
    assert [len(list((tmp_path / "pictures").glob(f"*.{kind}"))) for kind in ("png", "svg")] == [3, 3], (
        "the margin moves less than a table would notice"
    )
    assert {p.name for p in (tmp_path / "tables").iterdir()} == {
        "grinchmas-All-comparisons.csv",
        "grinchmas-Rules-of-the-baseline.csv",
        "grinchmas-Variants.csv",
        "grinchmas-rulings.csv",
    }
    with (tmp_path / "c.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 4


def test_what_is_odd_about_the_rules_is_a_note_and_on_the_page_and_not_twice_in_the_terminal(simulate: Simulate, tmp_path: Path) -> None:
    asked = ("compare", "grinchmas", "--variant", "presents.copies=9", *SMALL, "--report", "n.html")
    outcome = simulate(*asked)
    odd = re.search(r"Note: (The bag holds \d+ Present tokens; the box has \d+\.)", outcome.err)
    assert odd is not None
    assert odd[1] not in " ".join(outcome.out.split())
    assert odd[1] in (tmp_path / "n.html").read_text(encoding="utf-8")
    assert odd[1] in simulate(*asked, "--markdown").out


def test_a_variant_with_a_strategy_of_its_own(simulate: Simulate) -> None:
    outcome = simulate("compare", "grinchmas", "--variant", "wishes.goal=8@greedy", "--json", *SMALL)
    (first, *_) = json.loads(outcome.out)["comparisons"]
    assert first["difference"]["low"] > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--variant"),
        (("--variant", "wishes.gaol=3"), "wishes.goal"),
        (("--variant", "board.path=[A]"), "max"),
        (("--variant", "missing.toml"), "missing.toml"),
        (("--variant", "stars.trio=6", "--margin", "x"), "margin"),
        (("--variant", "stars.trio=6", "--margin", "trns=1"), "turns"),
        (("--variant", "stars.trio=6", "--margin", "5"), "write 0.05 or 5% for 5 points"),
        (("--variant", "stars.trio=6", "--margin", "players_win=5", "--across", "strategies"), "--margin players_win=5 is too wide"),
        (("--variant", "stars.trio=6", "--margin", "turns=5%"), "which only shares are"),
        (("--variant", "stars.trio=6", "--margin", "all=0.1"), "There is no metric 'all'"),
        (("--variant", "stars.trio=6", "--metric", "trns"), "turns"),
        (("--variant", "stars.trio=6@gredy"), "greedy"),
        (("--variant", "stars.trio=6", "--save", "x.txt"), ".csv"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(simulate: Simulate, arguments: tuple[str, ...], words: str) -> None:
    outcome = simulate("compare", "grinchmas", *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Error: ")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err
