"""What the page on the classics shows and promises is run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from simulator import registry
from simulator.cli.main import run
from simulator.studies.anchors import ANCHORS

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "classics.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    simulate (.+?)(?: +#.*)?$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_runs(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    extra = [] if command.startswith(("rules", "replay")) else ["--games", "2000"]
    assert run([*shlex.split(command), *extra]) == 0
    assert capsys.readouterr().out


def test_the_page_lists_every_classic_and_every_strategy() -> None:
    for name in registry.game_names():
        game = registry.game(name)
        if game.classic:
            (line,) = re.findall(rf"^\| `{name}`.*$", TEXT, re.MULTILINE)
            assert f"{game.players[0]} to {game.players[1]}" in line
            assert set(re.findall(r"`(\w+)[:`]", line)) == {name, *registry.strategies(name)}


def test_every_anchor_stands_on_the_page() -> None:
    """All but the shares of single results of a turn of Pig, which the page leaves to its source, and the median's chance."""
    missing = [a.name for a in ANCHORS if a.printed not in TEXT and "brings 2" not in a.name and "median" not in a.name]
    assert not missing
