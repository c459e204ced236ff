"""Does it matter where one sits: against exact answers, and as a designer asks it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from anchors.exact_answers import pig_duel, pig_hold

from reports import seats as pages
from simulator.cli.main import run as simulate
from simulator.errors import UserError
from simulator.play.experiment import BATCH
from simulator.studies.lineups import strategy_of
from simulator.studies.seats import SeatsStudy, advantage, seats

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "seats.md"
EXAMPLE = re.compile(r"<!-- example: simulate (.+?) -->\n```\n\$ .+?\n(.+?)```", re.DOTALL)


def test_the_first_seat_of_pig_has_its_exact_advantage() -> None:
    exact = pig_duel(pig_hold(20), pig_hold(20))[0][0, 0] - 0.5
    (result,) = seats("pig", players=2, games=40_000, strategies=["hold:at=20"]).results
    first, second = advantage(result, 0), advantage(result, 1)
    assert first.low < exact < first.high
    assert second.low < -exact < second.high
    assert first.high - first.low < 0.012


@pytest.mark.parametrize(("margin", "verdict"), [(0.02, "yes"), (0.2, "no")])
def test_a_margin_says_what_does_not_matter(margin: float, verdict: str) -> None:
    study = SeatsStudy.of("pig", players=(2, 3), games=4000, strategies=["hold", "uniform"], margin=margin)
    parts = study.play().parts
    assert set(study.verdicts(parts).values()) == {verdict}
    assert len(study.verdicts(parts)) == 4


def test_too_few_playouts_leave_it_open() -> None:
    study = SeatsStudy.of("pig", players=2, games=20, strategies=["hold"])
    finding = study.play()
    assert set(study.verdicts(finding.parts).values()) == {"open"}
    assert "is not shown to matter" in finding.document().finding


def test_the_sentence_names_the_seat_and_strategy_with_the_largest_advantage() -> None:
    finding = SeatsStudy.of("pig", players=3, games=20_000).play()
    (part,) = finding.parts
    cases = {(strategy_of(r), seat): abs(advantage(r, seat).best) for r in part.results for seat in range(3)}
    strategy, seat = max(cases, key=lambda case: cases[case])
    assert f"seat {seat} wins" in finding.document().finding
    assert f"if all play {strategy}, where 33.3 percent would be even" in finding.document().finding


def test_where_nobody_plays_against_others_it_is_refused() -> None:
    with pytest.raises(UserError, match="all win or lose together"):
        SeatsStudy.of("orchard", players=2).plans  # noqa: B018  planned as it is asked for
    with pytest.raises(UserError, match="two players or more"):
        SeatsStudy.of("pig", players=(1, 2)).plans  # noqa: B018


def test_an_interruption_keeps_the_tables_that_are_done() -> None:
    tables: list[str] = []

    class Pressed:
        def __init__(self, label: str, _size: int) -> None:
            tables.append(label)

        def __enter__(self) -> Callable[[int, Any], None]:
            if len(tables) == 2:
                raise KeyboardInterrupt
            return lambda _done, _part: None

        def __exit__(self, *_error: object) -> None: ...

    finding = SeatsStudy.of("pig", players=2, games=100).play(resources_with(Pressed))
    assert finding.interrupted
    assert [strategy_of(result) for result in finding.parts[0].results] == ["hold"]


def test_a_table_that_is_cut_short_does_not_count() -> None:
    asked = SeatsStudy.of("pig", players=2, games=3 * BATCH)
    opened: list[str] = []

    def press(done: int, part: Any) -> None:
        if len(opened) == 2 and part is not None and done:
            raise KeyboardInterrupt

    @contextmanager
    def stage(label: str, _size: int) -> Iterator[Callable[[int, Any], None]]:
        opened.append(label)
        yield press

    (part,) = asked.play(resources_with(stage)).parts
    assert part.interrupted
    assert [(strategy_of(result), result.games) for result in part.results] == [("hold", 3 * BATCH)]


def resources_with(stage: Any) -> Any:
    from simulator.play.resources import Resources  # noqa: PLC0415  next to what it is for

    return Resources(stage=stage)


def test_the_frame_has_a_line_for_every_seat_and_strategy() -> None:
    parts = SeatsStudy.of("pig", players=(2, 3), games=500, strategies=["hold", "uniform"]).play().parts
    table = pages.frame(parts)
    assert len(table) == 2 * 2 + 2 * 3
    assert table.groupby(["run", "series"])["best"].sum().to_numpy() == pytest.approx(1)


def test_the_command_writes_json_page_and_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["seats", "pig", "--players", "2", "--games", "4k", "--strategy", "hold", "--json"]
    assert simulate([*asked, "--report", str(tmp_path / "s.html"), "--save", str(tmp_path / "s.csv")]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["seat_matters"] == {"hold": "yes"}
    assert result["digest"] == seats("pig", players=2, games=4000, strategies=["hold"]).digest
    assert "where one sits matters" in (tmp_path / "s.html").read_text(encoding="utf-8")
    assert len(pd.read_csv(tmp_path / "s.csv")) == 2


def test_the_example_of_the_document_is_what_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ((arguments, shown),) = EXAMPLE.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert simulate(arguments.split()) == 0
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()][: len(shown.splitlines())] == shown.splitlines()
