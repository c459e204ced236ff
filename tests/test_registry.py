"""What there is to play, and who plays it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from simulator import registry
from simulator.errors import StrategyError, UserError
from simulator.registry.lineup import NICKNAMES

STRATEGIES = (Path(__file__).parents[1] / "docs" / "strategies.md").read_text(encoding="utf-8")
GAME = registry.game("grinchmas")
FILE = """from strategies import Params, strategy

@strategy("grinchmas")
def play(view, u, p=Params(first=0, share=0.5)):
    "{}"
    return 0
"""


def written(file: Path, summary: str = "Plays.") -> Path:
    """A strategy file."""
    file.write_text(FILE.format(summary), encoding="utf-8")
    return file


@pytest.mark.parametrize("name", registry.game_names())
def test_every_game_is_called_what_its_folder_is_called(name: str) -> None:
    game = registry.game(name)
    assert game.name == name
    assert registry.game_summary(name).startswith(game.title)
    assert game.default_strategy in registry.strategies(name)


@pytest.mark.parametrize(
    ("docstring", "title", "summary"),
    [
        ('"""Snap: be the first to shout.\n\nNot on Sundays."""', "Snap", "Be the first to shout."),
        ('"""A game of shouting."""', "pig", "A game of shouting."),
        ("", "pig", "pig"),
    ],
)
def test_a_game_introduces_itself_in_the_docstring_of_its_file(tmp_path: Path, docstring: str, title: str, summary: str) -> None:
    file = tmp_path / "snap.py"
    file.write_text(docstring)
    game = replace(registry.game("pig"), title="", summary="", file=file)
    assert (game.title, game.summary) == (title, summary)
    assert replace(game, title="Pig", summary="Roll.").title == "Pig", "unless it is said"


@pytest.mark.parametrize("name", ["", "x" * 500, "../games/grinchmas", "grinchmas/", "a\0b", "__init__"])
def test_a_name_that_is_no_game_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="There is no game"):
        registry.game(name)


def test_a_strategy_is_found_by_name_and_by_file(tmp_path: Path) -> None:
    assert registry.player(GAME, "uniform").label == "uniform"
    found = registry.player(GAME, f"{written(tmp_path / 'mine.py')}:play")
    assert (found.label, found.values) == ("play", (("first", 0), ("share", 0.5)))


def test_parameters_are_set_by_name_in_any_order(tmp_path: Path) -> None:
    file = written(tmp_path / "mine.py")
    found = registry.player(GAME, f"{file}:play: share = 0.25 ,first=3")
    assert (found.label, found.values) == ("play:first=3,share=0.25", (("first", 3), ("share", 0.25)))


def test_a_label_is_read_back_as_the_same_player() -> None:
    player = registry.player(GAME, "patient:near=2")
    assert registry.player(GAME, player.label) == player


@pytest.mark.parametrize("text", ["blunder:share=30%", "blunder:share=0.3", "blunder: share = 30 % "])
def test_a_share_is_written_in_percent_too(text: str, tmp_path: Path) -> None:
    assert registry.player(GAME, text).label == f"blunder:share=0.3,base={GAME.default_strategy}"
    file = written(tmp_path / "mine.py")
    assert registry.player(GAME, f"{file}:play:share=25%").values == registry.player(GAME, f"{file}:play:share=0.25").values
    with pytest.raises(StrategyError, match="needs a whole number, not '100%'"):
        registry.player(GAME, f"{file}:play:first=100%")


@pytest.mark.parametrize("name", registry.game_names())
def test_names_that_people_try_are_named_as_what_they_are(name: str) -> None:
    game = registry.game(name)
    found = {nickname: registry.player(game, nickname).label for nickname in NICKNAMES}
    base = game.default_strategy
    assert found == {"random": "uniform", "beginners": f"blunder:share=0.2,base={base}", "children": f"blunder:share=0.4,base={base}"}
    assert all(f"`{nickname}`" in STRATEGIES for nickname in NICKNAMES)
    assert all(f"`{nickname.meaning}`" in STRATEGIES for nickname in NICKNAMES.values())


def test_a_nickname_takes_what_it_stands_for_takes() -> None:
    assert registry.player(GAME, "children:base=team").label == "blunder:share=0.4,base=team"
    assert registry.player(GAME, "lookahead:rollouts=2,base=random").label == "lookahead:rollouts=2,base=uniform"
    with pytest.raises(StrategyError, match="'uniform' has no parameter 'share'"):
        registry.player(GAME, "random:share=1")


def test_a_strategy_that_is_called_like_a_nickname_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {**registry.strategies(GAME), "random": registry.strategies(GAME)["greedy"]}
    monkeypatch.setattr(registry, "strategies", lambda _game: own)
    assert registry.player(GAME, "random").label == "greedy"


def test_a_folder_name_may_end_as_a_file_does(tmp_path: Path) -> None:
    (tmp_path / "odd.py:dir").mkdir()
    assert registry.player(GAME, f"{written(tmp_path / 'odd.py:dir' / 'mine.py')}:play").strategy.name == "play"


def test_files_of_the_same_name_do_not_mix(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    first, second = (registry.player(GAME, f"{written(tmp_path / f / 'mine.py', f)}:play") for f in "ab")
    assert (first.strategy.summary, second.strategy.summary) == ("a", "b")


def test_a_file_that_was_edited_is_read_again(tmp_path: Path) -> None:
    file = written(tmp_path / "mine.py", "Before.")
    assert registry.player(GAME, f"{file}:play").strategy.summary == "Before."
    written(file, "After.")
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
    assert registry.player(GAME, f"{file}:play").strategy.summary == "After."


def test_a_file_imports_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "lying_beside.py").write_text("NUMBER = 5\n", encoding="utf-8")
    file = written(tmp_path / "mine.py")
    file.write_text(f"from lying_beside import NUMBER\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    assert registry.player(GAME, f"{file}:play").strategy.name == "play"


@pytest.mark.parametrize("text", ["", ":", ":near=1", "mine.py:", "patient:near", "patient:=1", "patient:near=1,", "patient:near=1,near=1"])
def test_a_text_that_describes_no_player_is_refused(text: str) -> None:
    with pytest.raises(StrategyError, match=r"\.$"):
        registry.player(GAME, text)
