"""`simulate sweep`: what it prints, writes and refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simulator.cli import show
from simulator.play.experiment import BATCH
from simulator.play.run import run
from simulator.studies import grid
from simulator.studies.axes import parse_axis
from simulator.studies.sweep import SweepStudy

Simulate = Callable[..., Any]
Refused = Callable[..., str]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "sweep.md"
EXAMPLE = re.compile(r"<!-- example: simulate (.+?) -->\n```\n\$ .+?\n(.+?)```", re.DOTALL)
ORCHARD = ("sweep", "orchard", "--players", "2", "--games", "400")


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_a_table_for_each_headline_metric_shows_every_point_and_its_difference(simulate: Simulate) -> None:
    outcome = simulate(*ORCHARD, "--vary", "raven.steps=4:6")
    assert (outcome.code, outcome.errors) == (0, [])
    lines = squeezed(outcome.out)
    assert lines[0] == "First Orchard: 2 players, 3 points, 400 playouts of each on the same draws"
    headlines = [m for m in run("orchard", players=2, games=1).experiment.metrics if m.headline]
    for metric in headlines:
        start = next(i for i, line in enumerate(lines) if re.sub(r" \(.*\)$", "", line) == metric.label)
        rows = lines[start + 3 : start + 6]
        assert [row.split()[0] for row in rows] == ["4", "5", "6"]
        assert rows[1].endswith("as shipped")
        assert all(re.search(r"[+-][\d.]+ [+-][\d.]+ to [+-][\d.]+ [\d.]+x$", row) for row in rows[::2]), rows
    assert "Difference: from the rules as shipped (raven.steps=5)" in " ".join(lines[-6:])
    assert all(len(line) <= 80 for line in outcome.out.splitlines())


def test_long_lists_two_constants_and_several_players_fit_80_columns(simulate: Simulate) -> None:
    faces = ("[1,2,3,4,5,6,7,8,9,10,feet]", "[1,1,1,1,1,1,1,1,1,1,1,1,1,feet]")
    varied = ("--vary", f"spinner.faces={'|'.join(faces)}", "--vary", "wishes.pair=any|pictured")
    outcome = simulate("sweep", "grinchmas", *varied, "--players", "2-3", "--games", "40", "--metric", "turns")
    assert outcome.code == 0
    assert all(len(line) <= 80 for line in outcome.out.splitlines())
    assert outcome.out.count("Difference") == 2, "one table, and the line below it"


def test_the_json_is_one_document_with_every_point(simulate: Simulate) -> None:
    asked = ("--vary", "raven.steps=4:5", "--vary", "basket.fruits=1|2", "--set", "trees.fruit=6", "--seed", "7", "--json")
    document = json.loads(simulate("sweep", "orchard", "--players", "2-3", "--games", "300", *asked).out)
    assert set(document) == {"points", "baseline", "digest"}
    settings = [{"raven.steps": r, "basket.fruits": b} for r in (4, 5) for b in (1, 2)]
    assert [(p["players"], p["set"]) for p in document["points"]] == [(n, s) for n in (2, 3) for s in settings]
    for point in document["points"]:
        alone = run("orchard", players=point["players"], games=300, seed=7, rules={"trees.fruit": 6, **point["set"]})
        assert point["estimates"] == {name: e.as_dict() for name, e in alone.estimates.items()}
        assert point["digest"] == alone.digest
        assert set(point["difference"]) == set(point["estimates"])


def test_the_baseline_that_is_no_point_is_listed_first_and_named(simulate: Simulate) -> None:
    outcome = simulate(*ORCHARD, "--vary", "raven.steps=4:5", "--set", "raven.steps=8", "--metric", "turns")
    rows = [line for line in squeezed(outcome.out) if re.match(r"\d ", line)]
    assert [row.split()[0] for row in rows] == ["8", "4", "5"]
    assert rows[0].endswith("as set")
    assert "from the rules as set (raven.steps=8)" in " ".join(squeezed(outcome.out))


def test_report_pictures_and_table_are_written(simulate: Simulate, tmp_path: Path) -> None:
    files = ("--report", "new/sweep.html", "--png", "pictures", "--save", "table.csv")
    outcome = simulate(*ORCHARD, "--vary", "raven.steps=4:6", "--vary", "trees.fruit=3:4", "--metric", "turns", *files)
    assert (outcome.code, outcome.errors) == (0, [])
    page = (tmp_path / "new" / "sweep.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2, "for wide and for narrow screens"
    assert "raven.steps" in page
    assert [p.name for p in (tmp_path / "pictures").iterdir()] == ["orchard-sweep-turns.png"]
    table = pd.read_csv(tmp_path / "table.csv")
    assert len(table) == 6 * len(run("orchard", players=2, games=1).experiment.metrics)
    assert set(table["raven.steps"]) == {4, 5, 6}
    assert table["baseline"].sum() * 6 == len(table)


def test_three_constants_are_told_to_make_no_chart(simulate: Simulate, tmp_path: Path) -> None:
    varied = ("--vary", "raven.steps=4:5", "--vary", "trees.fruit=3:4", "--vary", "basket.fruits=1:2")
    outcome = simulate("sweep", "orchard", *varied, "--games", "30", "--players", "2", "--metric", "turns", "--report", "three.html")
    assert "no chart of 3 constants" in outcome.err
    page = (tmp_path / "three.html").read_text(encoding="utf-8")
    assert "<svg" not in page
    assert outcome.code == 0


def test_unfinished_playouts_are_shown_where_there_are_any(simulate: Simulate) -> None:
    assert "Unfinished" not in simulate(*ORCHARD, "--vary", "raven.steps=4:5", "--metric", "turns").out
    outcome = simulate(*ORCHARD, "--vary", "turn_cap=3|1000", "--metric", "turns")
    assert "Unfinished" in outcome.out


def test_remarks_on_the_rules_are_told_once_with_their_number_of_points(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = type(run("orchard", players=2, games=1).experiment.rules)
    monkeypatch.setattr(rules, "notes", lambda self: ["Near."] if self.raven.steps < 6 else [])
    assert "Note: At 2 of 3 points: Near." in simulate(*ORCHARD, "--vary", "raven.steps=4:6").err
    assert "Note: Near." in simulate(*ORCHARD, "--vary", "raven.steps=4:5").err


def test_an_interrupted_sweep_shows_and_writes_what_is_finished(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grid, "TOGETHER", 1)

    @contextmanager
    def stage(_label: str, _size: int) -> Iterator[Callable[[int, Any], None]]:
        def press(done: int, _part: Any) -> None:
            if done >= 3 * BATCH:
                raise KeyboardInterrupt

        yield press

    monkeypatch.setattr(show, "stage", stage)
    outcome = simulate(
        "sweep", "orchard", "--players", "2", "--vary", "raven.steps=4:7", "--games", str(2 * BATCH), "--json", "--save", "table.csv"
    )
    assert outcome.code == 130
    points = json.loads(outcome.out)["points"]
    assert [(p["set"]["raven.steps"], p["estimates"]["turns"]["n"]) for p in points] == [(4, 2 * BATCH), (5, BATCH)]
    assert "Interrupted; what was finished is shown. That is 2 of 4 points, 1 of them after fewer playouts." in outcome.err
    assert set(pd.read_csv(tmp_path / "table.csv")["raven.steps"]) == {4, 5}


def test_an_interruption_before_the_first_point_says_so(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*_arguments: Any, **_options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(grid, "play_pairs", pressed)
    outcome = simulate(*ORCHARD, "--vary", "raven.steps=4:7")
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.errors == ["Error: Interrupted; nothing was finished."]


REFUSED = {
    (): ("'--vary'", "--help"),
    ("--vary", "raven.stepz=4:5"): ("'raven.stepz'", "did you mean 'raven.steps'?"),
    ("--vary", "raven=4:5"): ("'raven' is a group",),
    ("--vary", "raven.steps"): ("'raven.steps'", "key=low:high"),
    ("--vary", "raven.steps=9:4"): ("write 4:9",),
    ("--vary", "raven.steps=4:x"): ("no range", "a,b,c"),
    ("--vary", "raven.steps=4-6"): ("no range", "write raven.steps=4:6"),
    ("--vary", "raven.steps=0:5"): ("The point raven.steps=0 ", "at least 1"),
    ("--vary", "raven.steps=4:5", "--vary", "trees.fruit=1|many"): ("raven.steps=4, trees.fruit=many", "a whole number"),
    ("--vary", "raven.steps=4|4"): ("value 4", "twice"),
    ("--vary", "raven.steps=4:5", "--vary", "raven.steps=6"): ("'raven.steps' twice",),
    ("--vary", "turn_cap=1:10001"): ("10,001 points", "--yes"),
    ("--vary", "turn_cap=1:5000", "--players", "2-4"): ("15,000 points", "--yes"),
    ("--vary", "turn_cap=0:10001", "--yes"): ("The point turn_cap=0 ",),
    ("--vary", "raven.steps=4:5", "--metric", "trun"): ("'trun'", "did you mean 'turns'?"),
    ("--vary", "raven.steps=4:5", "--players", "99"): ("99",),
    ("--vary", "raven.steps=4:5", "--strategy", "fulest"): ("'fulest'", "did you mean 'fullest'?"),
    ("--vary", "raven.steps=4:5", "--set", "trees.friut=2"): ("'trees.friut'", "did you mean 'trees.fruit'?"),
    ("--vary", "raven.steps=4:5", "--report", "page.txt"): ("--report page.txt", ".html"),
    ("--vary", "raven.steps=4:5", "--save", "table.xls"): ("--save table.xls", ".csv"),
    ("--vary", "raven.steps=4:0", "--png", "new/pictures", "--report", "new/page.html"): ("write 0:4",),
    ("--vary", "raven.steps=0:4", "--png", "new/pictures", "--report", "new/page.html"): ("The point raven.steps=0 ",),
}


@pytest.mark.usefixtures("nothing_is_played")
@pytest.mark.parametrize(("arguments", "fragments"), REFUSED.items(), ids=[" ".join(arguments)[:50] or "nothing" for arguments in REFUSED])
def test_what_cannot_be_swept_is_refused(refused: Refused, arguments: tuple[str, ...], fragments: tuple[str, ...]) -> None:
    sentence = refused("sweep", "orchard", *arguments)
    assert all(fragment in sentence for fragment in fragments), sentence
    assert len(sentence) < 300


def test_a_game_that_does_not_exist_is_refused(refused: Refused) -> None:
    assert "the games are" in refused("sweep", "orchid?", "--vary", "raven.steps=4:5")


def test_consent_plays_a_large_grid(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "MOST_POINTS", 2)
    assert simulate(*ORCHARD, "--vary", "raven.steps=4:6").code == 2
    assert simulate(*ORCHARD, "--vary", "raven.steps=4:6", "--yes", "--metric", "turns").code == 0


def test_the_example_of_the_document_prints_what_it_shows(simulate: Simulate) -> None:
    ((arguments, shown),) = EXAMPLE.findall(DOCUMENT.read_text(encoding="utf-8"))
    outcome = simulate(*arguments.split())
    assert outcome.code == 0
    assert squeezed(outcome.out)[: len(squeezed(shown))] == squeezed(shown)


def test_every_way_to_vary_in_the_document_can_be_planned() -> None:
    text = DOCUMENT.read_text(encoding="utf-8").replace("\\|", "|")
    listed = [parse_axis(written) for written in re.findall(r"`--vary '?(.+?)'?`", text) if "=" in written]
    assert [len(axis.values) for axis in listed] == [7, 4, 2, 2]
    for axis in listed:
        assert SweepStudy.of("grinchmas", vary=[axis]).plans[0].points == len(axis.values)


def test_the_python_of_the_document_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (source,) = re.findall(r"```python\n(.+?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    exec(source.replace("games=5000", "games=50"), {})  # noqa: S102  the document's own example
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_the_help_names_what_a_grid_may_have(simulate: Simulate) -> None:
    assert f"{grid.MOST_POINTS:,} points" in " ".join(simulate("sweep", "--help").out.split())
