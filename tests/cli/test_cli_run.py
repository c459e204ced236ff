"""`simulate GAME`: what a designer asks and gets."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from reports.beside import (
    FEWEST_WATCHED,
    FULL_WATCHED,
    LINEUP_GAMES,
    MOST_WATCHED,
    MOVE_GAMES,
    SKILL_GAMES,
    WATCH_ROLLOUTS,
    WATCH_TURNS,
)
from simulator import registry
from simulator.document.figures import estimate_text
from simulator.errors import UserError
from simulator.play.run import run
from simulator.stats.estimate import Estimate

Simulate = Callable[..., Any]

UNIFORM = ("--strategy", "uniform")
HEADLINES = [m for m in registry.game("grinchmas").metrics(registry.game("grinchmas").rules(), 4) if m.headline]


def results_of(text: str) -> list[dict[str, Any]]:
    """What --json printed, which has to be strict JSON."""

    def refuse(name: str) -> None:
        pytest.fail(f"{name} is no JSON")

    found: list[dict[str, Any]] = json.loads(text, parse_constant=refuse)["results"]
    return found


def lines_of_players(text: str) -> list[str]:
    """The lines of the tables that tell the number of players."""
    return [line for line in text.splitlines() if re.match(r" +\d ", line)]


def test_the_table_has_every_headline_metric_with_its_interval(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--games", "2000", *UNIFORM)
    assert outcome.code == 0
    words = " ".join(outcome.out.split())
    assert all(word in words for m in HEADLINES for word in m.label.split())
    (line,) = lines_of_players(outcome.out)
    intervals = outcome.out.splitlines()[outcome.out.splitlines().index(line) + 1]
    assert len(line.split()) == 1 + len(HEADLINES)
    assert len(re.findall(r"-?[\d.]+(?:\N{EN DASH}| to )-?[\d.]+", intervals)) == len(HEADLINES)


def test_the_table_says_what_was_played_and_with_which_digest(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--games", "1_000", "--seed", "7", *UNIFORM)
    digest = run("grinchmas", games=1000, seed=7, strategies=["uniform"]).digest
    assert re.search(r"^played 1,000 playouts \(.+ a second\), strategy uniform$", outcome.out, re.MULTILINE)
    assert re.search(rf"^seed 7, elapsed .+ s, digest {digest}$", outcome.out, re.MULTILINE)
    assert "rules as shipped" in outcome.out


def test_a_range_of_players_makes_one_table_with_a_line_for_each(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--players", "2-6", "--games", "500", *UNIFORM)
    assert outcome.code == 0
    assert [line.split()[0] for line in lines_of_players(outcome.out)] == ["2", "3", "4", "5", "6"]
    assert outcome.out.count("Players") == 1


@pytest.mark.parametrize(("cap", "shown"), [("1000", False), ("20", True)])
def test_unfinished_playouts_get_a_column_where_there_are_any(simulate: Simulate, cap: str, shown: bool) -> None:
    outcome = simulate("grinchmas", "--games", "500", "--set", f"turn_cap={cap}", *UNIFORM)
    assert ("Unfinished" in outcome.out) is shown


def test_seats_that_only_the_larger_tables_have_stand_beside_the_others(simulate: Simulate) -> None:
    outcome = simulate("vacation", "--players", "2-3", "--games", "500", *UNIFORM)
    heading = next(line for line in outcome.out.splitlines() if "Seat 0 wins" in line)
    assert "Seat 1 wins  Seat 2 wins" in heading
    assert " - " in lines_of_players(outcome.out)[0]


def test_no_line_is_wider_than_the_terminal(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--games", "5000", "--metric", "all", *UNIFORM)
    table = [line for line in outcome.out.splitlines() if line.startswith(" ")]
    assert max(len(line.rstrip()) for line in table) <= 80
    assert len(lines_of_players(outcome.out)) > 1, "the metrics take several tables"


def test_metric_prints_the_named_ones_only(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--games", "500", "--metric", "stolen.bag", "--metric", "turns", *UNIFORM)
    (line,) = lines_of_players(outcome.out)
    assert len(line.split()) == 3
    assert "The Grinch" not in outcome.out


@pytest.mark.parametrize(
    ("written", "games"), [("1", 1), ("2e3", 2000), ("1_500", 1500), ("2k", 2000), ("0.002M", 2000), (" 12 ", 12), ("1.2e1", 12)]
)
def test_counts_are_read_as_people_write_them(simulate: Simulate, written: str, games: int) -> None:
    (result,) = results_of(simulate("grinchmas", "--games", written, "--json", *UNIFORM).out)
    assert result["games"] == games


@pytest.mark.parametrize("games", ["1", "300"])
def test_json_is_one_document_of_the_promised_shape(simulate: Simulate, games: str) -> None:
    outcome = simulate("grinchmas", "--players", "2-3", "--games", games, "--json", *UNIFORM)
    results = results_of(outcome.out)
    assert [r["experiment"]["players"] for r in results] == [2, 3]
    for result in results:
        assert list(result)[:6] == ["experiment", "games", "unfinished", "digest", "elapsed_s", "games_per_s"]
        assert set(result["experiment"]) == {"id", "game", "version", "players", "strategies", "seed", "rules"}
        assert all(set(e) == {"best", "low", "high", "n", "unit"} for e in result["estimates"].values())
        assert set(result["estimates"]) == set(result["distributions"])
        assert all(sum(d.values()) == int(games) for d in result["distributions"].values())
        share = result["distributions"]["players_win"].get("1", 0) / int(games)
        assert math.isclose(result["estimates"]["players_win"]["best"], share)
        assert result["experiment"]["strategies"] == ["uniform"] * result["experiment"]["players"]


def test_the_digest_does_not_depend_on_the_number_of_workers(simulate: Simulate) -> None:
    digests = {results_of(simulate("grinchmas", "--games", "40k", "--workers", n, "--json", *UNIFORM).out)[0]["digest"] for n in "127"}
    assert len(digests) == 1


def test_another_seed_gives_another_digest_and_the_same_seed_the_same(simulate: Simulate) -> None:
    first, again, other = (
        results_of(simulate("grinchmas", "--games", "500", "--seed", s, "--json", *UNIFORM).out)[0]["digest"] for s in ("5", "5", "6")
    )
    assert first == again != other


def test_set_takes_numbers_words_switches_and_lists(simulate: Simulate) -> None:
    changes = (
        "wishes.goal=10",
        "wishes.when_exhausted=reshuffle",
        "win_on_tie=false",
        "spinner.faces=[1, 2, feet]",
        "board.path=[max, feet]",
    )
    outcome = simulate("grinchmas", "--games", "10", "--json", *UNIFORM, *(x for change in changes for x in ("--set", change)))
    rules = results_of(outcome.out)[0]["experiment"]["rules"]
    assert (rules["wishes.goal"], rules["wishes.when_exhausted"], rules["win_on_tie"]) == (10, "reshuffle", False)
    assert (rules["spinner.faces"], rules["board.path"]) == ([1, 2, "feet"], ["max", "feet"])


def test_the_table_names_the_rules_that_were_changed(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--games", "10", "--set", "wishes.goal=10", "--set", "stars.pair=3", *UNIFORM)
    assert "rules changed: wishes.goal=10\n" in outcome.out


def test_what_is_odd_about_the_rules_is_noted_on_stderr(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--games", "10", "--set", "presents.copies=4", "--json", *UNIFORM)
    assert "Note: The bag holds 20 Present tokens; the box has 50." in outcome.err
    results_of(outcome.out)


def test_several_strategies_are_seated_in_turn_and_named_by_seat(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--players", "3", "--games", "10", "--strategy", "uniform", "--strategy", "patient:near=2")
    assert "strategies by seat uniform, patient:near=2, uniform" in " ".join(outcome.out.split())


def test_a_strategy_from_a_file_plays_with_its_parameters(simulate: Simulate, visitors: Path) -> None:
    ask = ("grinchmas", "--games", "500", "--json", "--strategy")
    plain, changed = (results_of(simulate(*ask, f"{visitors}:settled{p}").out)[0] for p in ("", ":share=0.5"))
    assert plain["experiment"]["strategies"][0] == "settled"
    assert changed["experiment"]["strategies"][0] == "settled:share=0.5"
    assert plain["digest"] != changed["digest"]


def test_save_writes_counts_that_add_up_to_the_playouts(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate("grinchmas", "--players", "2-3", "--games", "500", "--save", "new/table.csv", *UNIFORM)
    assert outcome.code == 0
    assert "Note: Distributions written to new/table.csv." in outcome.err
    table = pd.read_csv(tmp_path / "new/table.csv")
    sums = table.groupby(["players", "metric"])["count"].sum()
    assert len(sums) > 2
    assert (sums == 500).all()


def test_report_and_pictures_are_written_and_named(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate("grinchmas", "--games", "200", "--report", "out/report.html", "--png", "pictures", *UNIFORM)
    assert outcome.code == 0
    assert (tmp_path / "out/report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    pictures = sorted((tmp_path / "pictures").glob("*.png"))
    assert pictures
    assert sorted(p for p in tmp_path.rglob("*") if p.is_file()) == sorted([tmp_path / "out/report.html", *pictures])
    assert all(f"Picture written to pictures/{p.name}." in outcome.err for p in pictures)


def test_pictures_as_svg_and_tables_as_csv_are_written_and_named(simulate: Simulate, tmp_path: Path) -> None:
    outcome = simulate("ladders", "--players", "2", "--games", "200", "--svg", "s", "--csv", "c")
    assert outcome.code == 0
    pictures, tables = sorted((tmp_path / "s").iterdir()), sorted((tmp_path / "c").iterdir())
    assert {p.suffix for p in pictures} == {".svg"}
    assert {p.suffix for p in tables} == {".csv"}
    assert sorted(p for p in tmp_path.rglob("*") if p.is_file()) == sorted([*pictures, *tables])
    assert all(f"Picture written to s/{p.name}." in outcome.err for p in pictures)
    assert all(f"Table written to c/{p.name}." in outcome.err for p in tables)


def test_a_report_says_how_other_strategies_would_do_and_what_skill_is_worth(simulate: Simulate, tmp_path: Path) -> None:
    assert simulate("orchard", "--players", "2", "--games", "500", "--report", "r.html", "--csv", "c").code == 0
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "If everybody played another strategy: see What skill is worth" in text
    assert f"{LINEUP_GAMES:,} playouts of each table" in text
    assert not (tmp_path / "c" / "orchard-lineups.csv").exists(), "all win together, and the other table says it"
    tables = pd.read_csv(tmp_path / "c" / "orchard-skill-ladder.csv").set_index("Strategy")
    for name in registry.strategies("orchard"):
        found = run("orchard", players=2, games=LINEUP_GAMES, strategies=[name]).estimates["players_win"]
        assert tables.loc[name, "2 players"] == pytest.approx(found.best, abs=0.0006)
    assert "Not measured for this report" in text
    assert "simulate sensitivity orchard" in text


def test_where_one_seat_wins_a_table_says_what_it_would_if_everybody_played_otherwise(simulate: Simulate, tmp_path: Path) -> None:
    assert simulate("pig", "--players", "2-3", "--games", "3000", "--report", "r.html", "--csv", "c").code == 0
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "If everybody played otherwise" in text
    assert f"{LINEUP_GAMES:,} playouts of each" in text
    assert f"{SKILL_GAMES:,} playouts of each table" in text
    table = pd.read_csv(tmp_path / "c" / "pig-lineups.csv").set_index("Strategy")
    others = [name for name in registry.strategies("pig") if name != registry.game("pig").default_strategy]
    assert list(table.index) == ["as in this run", *others], "what everybody plays in the run stands there once"
    for name in others:
        for players in (2, 3):
            found = run("pig", players=players, games=LINEUP_GAMES, strategies=[name]).estimates["wins.0"]
            assert table.loc[name, f"{players} players"] == pytest.approx(found.best, abs=0.0006)


def test_as_many_playouts_are_watched_for_lead_changes_as_a_fixed_budget_allows(simulate: Simulate, tmp_path: Path) -> None:
    assert simulate("orchard", "--players", "2", "--games", "500", "--report", "r.html").code == 0
    turns = run("orchard", players=2, games=500).tally["turns"]
    fit = int(WATCH_TURNS // (WATCH_ROLLOUTS / 2 * turns.moments()[1] / turns.n))
    assert min(fit, MOST_WATCHED) > FEWEST_WATCHED
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert f"{min(fit, MOST_WATCHED)} playouts were watched" in text
    assert "the lead passes" in text


def test_where_too_few_fit_none_is_watched_and_the_page_says_how_to_get_it(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.beside.WATCH_TURNS", 1000)
    assert simulate("orchard", "--players", "2", "--games", "500", "--report", "r.html").code == 0
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "simulate drama orchard" in text
    assert "the lead passes" not in text


def test_full_adds_which_rules_matter_and_warns_of_what_hangs_on_an_assumption(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.beside.WATCH_TURNS", 1000)
    assert simulate("orchard", "--players", "2", "--games", "500", "--report", "r.html", "--full").code == 0
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert 'id="chart-tornado-players_win"' in text
    assert f"{MOVE_GAMES:,} playouts of each move" in text
    assert f"{FULL_WATCHED} playouts were watched" in text
    assert "Not measured for this report" not in text
    assert "this report has not tried them" not in text


def test_a_pace_tells_the_length_in_minutes(simulate: Simulate, tmp_path: Path) -> None:
    assert simulate("ladders", "--players", "2", "--games", "200", "--report", "r.html", "--pace", "0.125min").code == 0
    assert "Minutes are turns at 7.5 seconds each (stated for this report)" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_same_command_writes_the_same_page(simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    pages = []
    for workers in "12":
        simulate("orchard", "--players", "2", "--games", "9000", "--report", "r.html", "--workers", workers)
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        pages.append(re.sub(r"\d+\.\d+ s<", "s<", page))  # but for how long it took
    assert pages[0] == pages[1]


def test_a_study_that_cannot_be_played_leaves_its_chapter_out_and_says_so(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: Any, **_options: Any) -> None:
        message = "There is nothing to climb."
        raise UserError(message)

    monkeypatch.setattr("reports.beside.ladder", refuse)
    outcome = simulate("orchard", "--players", "2", "--games", "200", "--report", "r.html")
    assert outcome.code == 0
    assert "Note: A chapter of the report is missing: There is nothing to climb." in outcome.err
    assert "simulate skill orchard" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_interrupted_studies_leave_the_report_of_the_run(simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: Any, **_options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reports.beside.watch_playouts", interrupt)
    outcome = simulate("orchard", "--players", "2", "--games", "200", "--report", "r.html", "--json")
    assert outcome.code == 0
    assert "the report is written without the studies that were not finished" in outcome.err
    assert "If everybody played another strategy" in (tmp_path / "r.html").read_text(encoding="utf-8")
    results_of(outcome.out)


def test_a_run_without_a_report_plays_nothing_beside_it(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any) -> None:
        pytest.fail("a study was played")

    monkeypatch.setattr("reports.beside.chapters", fail)
    assert simulate("orchard", "--players", "2", "--games", "200", "--save", "table.csv").code == 0


@pytest.mark.parametrize("asked", [("--full",), ("--pace", "10")])
@pytest.mark.usefixtures("nothing_is_played")
def test_what_is_about_the_report_is_refused_without_one(refused: Callable[..., str], asked: tuple[str, ...]) -> None:
    assert f"{asked[0]} is about the report" in refused("orchard", "--games", "10", "--save", "t.csv", *asked)


def test_a_strategy_that_finds_no_seat_is_named_once(simulate: Simulate) -> None:
    three = ("--games", "20", "--strategy", "team", "--strategy", "uniform", "--strategy", "spoiler")
    assert (
        "Note: Strategies are seated in turn; with 2 players there is no seat for spoiler."
        in simulate("grinchmas", "--players", "2", *three).err
    )
    several = simulate("grinchmas", "--players", "2-4", *three).err
    assert several.count("Strategies are seated in turn; with fewer than 3 players there is no seat for all of them.") == 1
    assert "seated in turn" not in simulate("grinchmas", "--players", "3-4", *three).err


def test_a_single_player_is_one_player(simulate: Simulate) -> None:
    outcome = simulate("pig", "--players", "1", "--games", "20")
    assert "played 20 playouts" in outcome.out
    assert "1 players" not in outcome.out


def test_a_precision_may_be_in_percent_and_is_about_the_first_figure(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--games", "50k", "--precision", "3%", "--json")
    share = results_of(outcome.out)[0]["estimates"]["players_win"]
    assert share["high"] - share["low"] <= 0.06
    assert share["n"] < 50_000
    text = " ".join(simulate("grinchmas", "--games", "50k", "--precision", "3%").out.split())
    assert f"precise enough (every outcome to 3% either way) after {share['n']:,} playouts" in text


@pytest.mark.parametrize(("best", "shown"), [(-0.001, "0% -2 to 3"), (0.001, "0% -2 to 3"), (-0.02, "-2% -2 to 3")])
def test_a_figure_that_is_rounded_to_zero_has_no_minus_sign(best: float, shown: str) -> None:
    assert estimate_text(Estimate(best, -0.02, 0.03, 100, "share")) == shown
    assert estimate_text(Estimate(0.01, -0.001, 0.03, 100, "share")) == "1% 0\N{EN DASH}3"


def test_one_playout_is_told_apart_from_many(simulate: Simulate) -> None:
    outcome = simulate("grinchmas", "--games", "1", *UNIFORM)
    assert "played 1 playout (" in outcome.out
    assert "(one playout)" in outcome.out
    assert "inf" not in outcome.out
    assert "nan" not in outcome.out


def test_interrupted_playouts_are_kept_shown_and_written(simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from simulator.play.run import run_experiment  # noqa: PLC0415

    def interrupted(experiment: Any, games: int, **chosen: Any) -> Any:
        def press(done: int, _tally: Any) -> None:
            if done and experiment.players == 3:
                raise KeyboardInterrupt

        return run_experiment(experiment, games, **chosen | {"progress": press})

    monkeypatch.setattr("simulator.studies.run.run_experiment", interrupted)
    outcome = simulate("grinchmas", "--players", "2-4", "--games", "20k", "--json", "--save", "table.csv", *UNIFORM)
    assert outcome.code == 130
    kept = results_of(outcome.out)
    assert [(r["experiment"]["players"], r["games"]) for r in kept] == [(2, 20_000), (3, 8192)]
    assert "Note: Interrupted; what was finished is shown. It rests on 28,192 playouts." in outcome.err
    assert (tmp_path / "table.csv").exists()


def test_an_interruption_before_the_first_result_says_so(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: Any, **_options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("simulator.studies.run.run_experiment", interrupted)
    outcome = simulate("grinchmas", "--games", "10", *UNIFORM)
    assert (outcome.code, outcome.out, outcome.errors) == (130, "", ["Error: Interrupted; nothing was finished."])
