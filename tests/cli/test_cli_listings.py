"""`simulate games`, `simulate rules GAME` and `simulate strategies GAME`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator import registry
from simulator.rules import constants

Simulate = Callable[..., Any]
GAMES = registry.game_names()


def test_games_lists_every_game_with_its_players(simulate: Simulate) -> None:
    outcome = simulate("games")
    assert outcome.code == 0
    for name in GAMES:
        low, high = registry.game(name).players
        assert f"{name} " in outcome.out
        assert f"{low} to {high}" in outcome.out


def test_games_as_json_says_the_same(simulate: Simulate) -> None:
    found = json.loads(simulate("games", "--json").out)["games"]
    assert [g["name"] for g in found] == list(GAMES)
    assert [g["players"] for g in found] == [list(registry.game(n).players) for n in GAMES]


@pytest.mark.parametrize("game", GAMES)
def test_rules_shows_every_constant_with_value_source_and_description(simulate: Simulate, game: str) -> None:
    outcome = simulate("rules", game)
    words = " ".join(outcome.out.split())
    assert outcome.code == 0
    for c in constants(registry.game(game).rules()):
        assert c.key in words
        assert c.source in words
        assert c.description in words
    assert max(len(line) for line in outcome.out.splitlines()) <= 80


def test_rules_in_a_wide_terminal_are_one_table(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert "Description" in simulate("rules", "grinchmas").out


@pytest.mark.parametrize("game", GAMES)
def test_rules_as_json_has_value_default_unit_source_and_range(simulate: Simulate, game: str) -> None:
    found = json.loads(simulate("rules", game, "--json").out)
    assert found["game"] == game
    assert [r["key"] for r in found["rules"]] == [c.key for c in constants(registry.game(game).rules())]
    assert all(
        set(r) == {"key", "value", "default", "unit", "source", "note", "plausible", "left_out", "description"}
        and r["value"] == r["default"]
        for r in found["rules"]
    )


@pytest.mark.parametrize("game", GAMES)
def test_rules_tells_every_ruling_with_its_switch_and_where_the_players_come_from(simulate: Simulate, game: str) -> None:
    words = " ".join(simulate("rules", game).out.split())
    assert registry.game(game).players_note in words
    found = json.loads(simulate("rules", game, "--json").out)
    assert (found["players"]["fewest"], found["players"]["most"]) == registry.game(game).players
    assert [r["name"] for r in found["rulings"]] == [ruling.name for ruling in registry.game(game).rulings]
    for ruling in registry.game(game).rulings:
        assert f"{ruling.name}. {f'[{ruling.switch}] ' if ruling.switch else ''}{ruling.text}" in words


def test_rules_shows_what_was_set_beside_what_was_shipped(simulate: Simulate) -> None:
    shipped = registry.game("grinchmas").rules().wishes.goal  # type: ignore[attr-defined]
    out = simulate("rules", "grinchmas", "--set", "wishes.goal=11").out
    assert f"11 (shipped: {shipped})" in out


def test_a_change_is_told_from_what_to_what(simulate: Simulate) -> None:
    outcome = simulate("rules", "crocs", "--set", "deck.coal-=2")
    assert outcome.err == "Note: deck.coal is 6 (shipped: 8).\n"
    assert "6 (shipped: 8)" in outcome.out


@pytest.mark.parametrize("game", GAMES)
def test_toml_that_rules_printed_goes_back_through_rules(simulate: Simulate, game: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(simulate("rules", game, "--toml").out, encoding="utf-8")
    found = json.loads(simulate("rules", game, "--rules", "rules.toml", "--json").out)["rules"]
    assert [r["value"] for r in found] == [r["default"] for r in found]


def test_toml_that_was_edited_changes_the_rules(simulate: Simulate, tmp_path: Path) -> None:
    text = simulate("rules", "grinchmas", "--toml").out
    edited = text.replace("\ngoal = 8\n", "\ngoal = 9\n").replace("win_on_tie = true", "win_on_tie = false")
    assert edited.count("\n") == text.count("\n") != 0
    (tmp_path / "rules.toml").write_text(edited, encoding="utf-8-sig")  # as some editors save it
    found = json.loads(simulate("rules", "grinchmas", "--rules", "rules.toml", "--json").out)["rules"]
    assert {r["key"]: r["value"] for r in found if r["value"] != r["default"]} == {"wishes.goal": 9, "win_on_tie": False}


def test_set_wins_over_the_rules_file(simulate: Simulate, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("wishes = {goal = 9, face_up = 3}\n", encoding="utf-8")
    outcome = simulate("rules", "grinchmas", "--rules", "rules.toml", "--set", "wishes.goal=10", "--json")
    found = {r["key"]: r["value"] for r in json.loads(outcome.out)["rules"]}
    assert (found["wishes.goal"], found["wishes.face_up"]) == (10, 3)


@pytest.mark.parametrize("game", GAMES)
def test_strategies_lists_them_with_parameters_and_marks_the_default(simulate: Simulate, game: str) -> None:
    outcome = simulate("strategies", game)
    assert outcome.code == 0
    assert f"{registry.game(game).default_strategy} *" in outcome.out
    found = json.loads(simulate("strategies", game, "--json").out)["strategies"]
    assert [s["name"] for s in found if s["default"]] == [registry.game(game).default_strategy]
    assert all(s["summary"] and f"{s['name']} " in outcome.out for s in found)


def test_strategies_lists_other_names_with_what_they_stand_for(simulate: Simulate) -> None:
    assert "children = blunder:share=0.4" in " ".join(simulate("strategies", "grinchmas").out.split())
    found = json.loads(simulate("strategies", "grinchmas", "--json").out)["nicknames"]
    assert [(n["name"], n["meaning"]) for n in found][:2] == [("random", "uniform"), ("beginners", "blunder:share=0.2")]
    assert "children" not in simulate("strategies", "ladders").out


def test_help_shows_examples_line_by_line_and_every_command(simulate: Simulate) -> None:
    outcome = simulate("--help")
    assert outcome.code == 0
    assert "\n  simulate grinchmas --games 1e6 " in outcome.out
    assert all(f"\n  {name} " in outcome.out for name in (*GAMES, "games", "rules", "strategies", "replay"))
    assert max(len(line) for line in outcome.out.splitlines()) <= 80


def test_without_a_command_the_help_is_shown_on_stderr(simulate: Simulate) -> None:
    outcome = simulate()
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Usage: simulate ")


@pytest.mark.parametrize("command", [*GAMES, "games", "rules", "strategies", "replay"])
def test_every_command_has_help(simulate: Simulate, command: str) -> None:
    outcome = simulate(command, "--help")
    assert outcome.code == 0
    assert "INTEGER RANGE" not in outcome.out
    assert max(len(line) for line in outcome.out.splitlines()) <= 80
