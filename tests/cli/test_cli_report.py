"""`simulate report`: several games at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports import beside
from simulator import registry
from simulator.cli.commands.report import DEFAULT_GAMES
from simulator.play.run import run

Simulate = Callable[..., Any]


def test_each_game_gets_a_report_and_the_index_leads_to_all_of_them(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate("report", "orchard", "ladders", "--games", "300", "--players", "1-2", "--to", "new/folder")
    assert outcome.code == 0
    assert outcome.out == ""
    folder = tmp_path / "new" / "folder"
    assert sorted(p.name for p in folder.iterdir()) == ["index.html", "ladders.html", "orchard.html"]
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<h2><a href="([^"]+)">([^<]+)</a></h2>', index) == [
        (f"{name}.html", registry.game(name).title) for name in ("orchard", "ladders")
    ]
    digest = run("orchard", players=2, games=300).digest
    assert digest in (folder / "orchard.html").read_text(encoding="utf-8")
    for name in ("orchard", "ladders"):
        assert f"Note: Report written to new/folder/{name}.html." in outcome.err
    assert "simulate" in index


def test_all_reports_on_every_game_at_the_players_that_it_is_for(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.beside.chapters", lambda *_arguments: [])
    monkeypatch.setattr("simulator.registry.game_names", lambda: ("orchard", "pig"))  # all of them take a minute
    assert simulate("report", "--all", "--games", "20", "--players", "4-5").code == 0
    for name in ("orchard", "pig"):
        low, high = registry.game(name).players
        page = (tmp_path / "reports" / f"{name}.html").read_text(encoding="utf-8")
        found = {int(n) for n in re.findall(r"With (\d) players?:", page)}
        assert found == {n for n in (4, 5) if low <= n <= high}


def test_without_a_number_every_table_that_the_game_is_for_is_played(simulate: Simulate, tmp_path: Path) -> None:
    assert simulate("report", "ladders", "--games", "20").code == 0
    low, high = registry.game("ladders").players
    page = (tmp_path / "reports" / "ladders.html").read_text(encoding="utf-8")
    assert {int(n) for n in re.findall(r"With (\d) players?:", page)} == set(range(low, high + 1))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Name the games to report on, or say --all"),
        (("--all", "pig"), "Name the games to report on, or say --all"),
        (("pgi",), "pig"),
        (("orchard", "vacation", "--players", "6"), "So many players do not fit First Orchard, Christmas Vacation"),
        (("pig", "--pace", "0"), "pace"),
    ],
)
@pytest.mark.usefixtures("nothing_is_played")
def test_what_cannot_be_reported_on_is_refused_before_anything_is_played(
    refused: Callable[..., str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in refused("report", *arguments)


@pytest.mark.usefixtures("nothing_is_played")
def test_a_folder_that_cannot_be_written_to_is_found_before_the_run(refused: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "--to file/folder cannot be written" in refused("report", "pig", "--to", "file/folder")


def test_an_interruption_keeps_the_reports_that_are_done_and_an_index_of_them(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simulator.play.run import run_experiment  # noqa: PLC0415

    def interrupted(experiment: Any, games: int, **chosen: Any) -> Any:
        if experiment.game.name == "ladders":
            raise KeyboardInterrupt
        return run_experiment(experiment, games, **chosen)

    monkeypatch.setattr("simulator.studies.run.run_experiment", interrupted)
    outcome = simulate("report", "orchard", "ladders", "cherry", "--games", "50", "--players", "2")
    assert outcome.code == 130
    assert sorted(p.name for p in (tmp_path / "reports").iterdir()) == ["index.html", "orchard.html"]


def test_every_game_says_how_long_a_turn_takes_and_where_that_comes_from() -> None:
    for name in registry.game_names():
        game = registry.game(name)
        assert game.seconds_per_turn is not None
        assert game.seconds_per_turn > 0
        assert re.match(r"assumed|printed", game.pace_note), name


def test_the_document_states_the_numbers_that_the_program_plays() -> None:
    text = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    for number, said in (
        (beside.LINEUP_GAMES, "{:,} playouts for each other strategy"),
        (beside.SKILL_GAMES, "{:,} playouts of each table"),
        (beside.MOVE_GAMES, "{:,} playouts of each move"),
        (beside.FEWEST_WATCHED, "fewer than {} playouts would fit"),
        (beside.FULL_WATCHED, "with `--full` {} are at least"),
        (DEFAULT_GAMES, "{:,} times"),
    ):
        assert said.format(number) in text.replace("\n", " ")


def test_the_python_of_the_document_runs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.+?)```", text, re.DOTALL)
    exec(code, {})  # noqa: S102  it is our own
