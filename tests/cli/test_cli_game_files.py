"""A game named by the path of its file: every command takes it, and what is wrong with the file is one sentence."""

from __future__ import annotations

import json
import os
import re
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from installed import TINY

import simulator as ludometer
from simulator import registry
from simulator.cluster.travel import packed, unpacked
from simulator.errors import GameError
from simulator.kernel import jit
from simulator.play.ledger import Ledger
from simulator.registry.neighbours import StrangerWarning

Simulate = Callable[..., Any]

GREEDY = '''
from strategies import strategy


@strategy("tiny")
def greedy(view, u):
    """Always adds."""
    return 1
'''
TWO = ("--players", "2", "--workers", "1")
PLAY = (*TWO, "--games", "300")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game of one's own, where it has been named before."""
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "tiny.py").write_text(TINY + GREEDY, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StrangerWarning)
        registry.game(str(folder / "tiny.py"))
    return folder


@pytest.fixture
def quiet() -> Any:
    """Files may be named for the first time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StrangerWarning)
        yield


def played(file: Path, **question: Any) -> Any:
    return ludometer.run(str(file), players=2, games=300, workers=1, **question)


COMMANDS = {
    "run": (["{}", "--strategy", "greedy", *PLAY, "--json"], 0),
    "compare": (["compare", "{}", *PLAY, "--variant", "goal=5", "--json"], 0),
    "across": (["compare", "{}", *PLAY, "--variant", "goal=5", "--across", "strategies", "--json"], 0),
    "sweep": (["sweep", "{}", *PLAY, "--vary", "goal=3:4", "--json"], 0),
    "sensitivity": (["sensitivity", "{}", *PLAY, "--json"], 0),
    "tune": (
        ["tune", "{}", *TWO, "--target", "turns=3:9", "--vary", "goal=2:5", "--games", "300", "--json"],
        0,
    ),
    "tournament": (["tournament", "{}", *TWO, "--games", "50", "--json"], 0),
    "skill": (
        ["skill", "{}", *TWO, "--games", "100", "--strategy", "greedy", "--strategy", "uniform", "--json"],
        0,
    ),
    "drama": (["drama", "{}", *TWO, "--games", "20", "--rollouts", "10", "--json"], 0),
    "replay": (["replay", "{}", "--players", "2", "--strategy", "greedy", "--json"], 0),
    "rules": (["rules", "{}", "--json"], 0),
    "strategies": (["strategies", "{}", "--json"], 0),
    "report": (["report", "{}", *TWO, "--games", "200", "--to", "pages"], 0),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_a_path_where_it_takes_a_name(simulate: Simulate, shelf: Path, command: str) -> None:
    arguments, code = COMMANDS[command]
    outcome = simulate(*(a.format(shelf / "tiny.py") for a in arguments))
    assert outcome.code == code, outcome.err
    assert not outcome.errors
    if "--json" in arguments:
        assert json.loads(outcome.out)
    if "--to" in arguments:
        assert (Path.cwd() / "pages" / "tiny.html").exists()


def test_a_check_finds_the_game_beside_its_file_of_promises(simulate: Simulate, shelf: Path) -> None:
    promise = '[[promise]]\ngame = "tiny.py"\nplayers = 2\nmetric = "players_win"\nat_least = 0.5\n'
    (shelf / "tiny.toml").write_text(promise, encoding="utf-8")
    outcome = simulate("check", str(shelf / "tiny.toml"), "--games", "2000")
    assert outcome.code == 0, outcome.err
    assert "1 of 1 promise holds" in outcome.out


def test_a_line_to_replay_names_the_path(simulate: Simulate, shelf: Path) -> None:
    path = str(shelf / "tiny.py")
    outcome = simulate("drama", path, "--players", "2", "--games", "20", "--rollouts", "10", "--json")
    line = re.search(r'"(simulate replay [^"]+)"', outcome.out)
    assert line
    assert line[1].startswith(f"simulate replay {path} --game ")
    assert simulate(*line[1].split()[1:]).code == 0


def test_strategies_of_the_same_file_play_by_their_names(shelf: Path) -> None:
    always, evenly = (played(shelf / "tiny.py", strategies=[name]) for name in ("greedy", "uniform"))
    assert always.estimates["turns"].best < evenly.estimates["turns"].best - 1
    assert list(registry.strategies(always.experiment.game))[:1] == ["greedy"]


def test_neither_digest_nor_ledger_depends_on_where_the_file_lies_or_what_it_is_called(shelf: Path, tmp_path: Path, quiet: None) -> None:
    del quiet
    elsewhere = tmp_path / "moved.py"
    shutil.copy(shelf / "tiny.py", elsewhere)
    question: dict[str, Any] = {"strategies": ["greedy"]}
    with Ledger(tmp_path / "ledger") as ledger:
        one = played(shelf / "tiny.py", ledger=ledger, **question)
        other = played(elsewhere, ledger=ledger, **question)
    assert (one.experiment.id, one.digest) == (other.experiment.id, other.digest)
    assert other.elapsed_s < 1
    assert one.experiment.as_dict()["game"] == "tiny"


def test_an_edit_is_noticed_and_is_another_experiment(tmp_path: Path, quiet: None) -> None:
    del quiet
    file = tmp_path / "tiny.py"
    file.write_text(TINY, encoding="utf-8")
    before = played(file)
    file.write_text(TINY.replace("table.total += choose", "table.total += 1 + choose"), encoding="utf-8")
    after = played(file)
    assert after.experiment.id != before.experiment.id
    assert after.estimates["turns"].best < before.estimates["turns"].best - 1


def test_two_files_of_one_name_are_two_games(tmp_path: Path, quiet: None) -> None:
    del quiet
    files = []
    for folder, text in (("a", TINY + GREEDY), ("b", TINY.replace("table.total += choose", "table.total += 1 + choose"))):
        (tmp_path / folder).mkdir()
        files.append(tmp_path / folder / "tiny.py")
        files[-1].write_text(text, encoding="utf-8")
    first, second, again = (played(file) for file in (*files, files[0]))
    assert first.digest == again.digest != second.digest
    assert "greedy" in registry.strategies(registry.game(str(files[0])))
    assert "greedy" not in registry.strategies(registry.game(str(files[1])))


def test_two_games_of_one_name_cannot_share_a_report(simulate: Simulate, shelf: Path, quiet: None) -> None:
    del quiet
    shutil.copy(shelf / "tiny.py", "other.py")
    outcome = simulate("report", str(shelf / "tiny.py"), "other.py", "--to", "pages")
    assert (outcome.code, len(outcome.errors)) == (2, 1)
    assert "Two of the games are called 'tiny'" in outcome.err


def test_a_game_from_a_file_travels_with_its_file(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: None) -> None:
    del quiet
    away = tmp_path / "tiny.py"
    shutil.copy(shelf / "tiny.py", away)
    asked = ludometer.make_experiment(str(away), players=2, strategies=["greedy"])
    parcel = packed(asked)
    away.unlink()
    monkeypatch.chdir(tmp_path)
    arrived = unpacked(parcel)
    assert arrived.id == asked.id
    assert arrived.game.file != asked.game.file


def test_a_file_is_said_to_be_a_program_when_it_is_first_named_and_before_it_runs(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path)
    Path("loud.py").write_text("import sys\nprint('it runs', file=sys.stderr)\n" + TINY, encoding="utf-8")
    first, second = (simulate("rules", "loud.py").err.splitlines() for _ in range(2))
    assert first[0] == "Note: loud.py is a program and runs with your rights; read it before you play a stranger's."
    assert first[1] == "it runs"
    assert not any("your rights" in line for line in second)


WRONG = {
    "missing": (None, "Game file {} cannot be read: No such file or directory."),
    "no Python": ("what = (\n", "Game file {}, line 1: '(' was never closed."),
    "not even text": ("\0", "line 1: source code string cannot contain null bytes."),
    "no game": ("GAMES = 5\n", "Game file {} has no GAME; end it with GAME = Game(name=..., ...) (did you mean 'GAMES'?)."),
    "another name": (TINY.replace("GAME = ", "TINY_GAME = "), "; 'TINY_GAME' is one, call it GAME."),
    "something else": ("GAME = 5\n", "Game file {} is no game but of type int; it has to be a simulator.game.Game."),
    "an error": ("import math\nx = math.sqrt(-1)\n", "Game file {}, line 2: ValueError: "),
    "a shipped game's name": (
        TINY.replace('name="tiny"', 'name="pig"'),
        "Game file {} calls its game 'pig', as a game of Ludometer is called; give it another name.",
    ),
    "a command's name": (
        TINY.replace('name="tiny"', 'name="sweep"'),
        "Game file {} calls its game 'sweep', as a command of Ludometer is called; give it another name.",
    ),
    "a path for a name": (TINY.replace('name="tiny"', 'name="../tiny"'), "its name '../tiny' has to be one word of letters"),
    "no such strategy": (
        TINY.replace('default_strategy="uniform"', 'default_strategy="clever"'),
        "its default strategy 'clever' does not exist; declare it with @strategy(\"tiny\") in this file, or name 'uniform'.",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_file_is_one_sentence(simulate: Simulate, case: str) -> None:
    text, sentence = WRONG[case]
    path = Path.cwd() / "wrong.py"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    for arguments in ([str(path), *PLAY], ["rules", str(path)]):
        outcome = simulate(*arguments)
        assert (outcome.code, outcome.out, len(outcome.errors)) == (2, "", 1), outcome
        assert sentence.format(path) in outcome.errors[0]


def test_a_path_without_the_ending_is_told_what_a_path_is(simulate: Simulate) -> None:
    for arguments in (["./tiny"], ["rules", "./tiny"]):
        outcome = simulate(*arguments)
        assert outcome.code == 2
        assert outcome.errors[0].endswith("; a game of your own is named by its file, which ends in .py.")


def test_a_strategy_that_is_declared_for_another_game_is_told(simulate: Simulate, quiet: None) -> None:
    del quiet
    Path("tiny.py").write_text(TINY + GREEDY.replace('"tiny"', '"tinny"'), encoding="utf-8")
    (sentence,) = simulate("tiny.py", "--strategy", "greedy", *PLAY).errors
    assert "is declared for 'tinny', which is no game" in sentence
    assert 'write @strategy("tiny") to play it here' in sentence


def test_the_help_of_a_path_runs_nothing(simulate: Simulate) -> None:
    Path("tiny.py").write_text('"""A game of mine."""\nraise SystemExit(3)\n', encoding="utf-8")
    outcome = simulate("tiny.py", "--help")
    assert outcome.code == 0
    assert "A game of mine." in outcome.out


def test_a_game_is_given_as_it_is(shelf: Path) -> None:
    game = registry.game(str(shelf / "tiny.py"))
    assert registry.game(game) is game
    assert game.called == os.fspath(shelf / "tiny.py")
    with pytest.raises(GameError, match=r"Game file nowhere\.py cannot be read"):
        registry.game("nowhere.py")
