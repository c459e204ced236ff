"""The reports that the browser opens: a run of every registered game, and every study.

To have another page opened, add a line to STUDIES.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from simulator import registry
from simulator.cli.main import run

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "grinchmas.toml"

PROMISES = """
games = 2000
[[promise]]
name = "The players win at random"
game = "grinchmas"
players = 2
strategies = ["uniform"]
metric = "players_win"
at_least = 0.5
[[promise]]
game = "pig"
players = 2
metric = "turns"
at_least = 5
[[promise]]
name = "Too close to call"
game = "pig"
players = 2
metric = "wins.0"
at_most = 0.52
"""


@dataclass(frozen=True)
class Opened:
    """A report to open.

    Attributes:
        name: what the test calls it, and its file.
        build: writes the report into a folder and returns its file.
    """

    name: str
    build: Callable[[Path], Path]


def written(name: str, arguments: str, folder: Path) -> Path:
    """The report that `simulate ARGUMENTS --report FILE` writes."""
    file = folder / f"{name}.html"
    code = run([*arguments.split(), "--report", str(file)])
    assert code in {0, 1, 3}, f"simulate {arguments} exits with {code}"
    return file


def promises(folder: Path) -> Path:
    """The report on promises of which one holds, one is broken and one is undecided."""
    (folder / "promises.toml").write_text(PROMISES, encoding="utf-8")
    return written("check", f"check {folder / 'promises.toml'}", folder)


def index(folder: Path) -> Path:
    """The page that lists the reports of several games."""
    assert run(["report", "pig", "orchard", "--players", "2", "--games", "300", "--to", str(folder / "listed")]) == 0
    return folder / "listed" / "index.html"


def command(name: str, arguments: str) -> Opened:
    """A report by its command line."""
    return Opened(name, partial(written, name, arguments))


def players_of(game: str) -> str:
    """Two numbers of players, or the only one."""
    fewest, most = registry.game(game).players
    return str(fewest) if fewest == most else f"{fewest}-{min(most, fewest + 1)}"


RUNS = [command(f"run-{game}", f"{game} --players {players_of(game)} --games 1000") for game in registry.game_names()]
"""A run of every registered game."""

STUDIES = [
    command("compare", "compare grinchmas --variant stars.trio=6 --variant wishes.goal=10;stars.trio=7 --players 2-3 --games 1000"),
    command("compare-one", "compare grinchmas --variant stars.trio=6 --players 2-3 --games 1000"),
    command("compare-across", "compare pig --variant goal=50 --players 2 --games 300 --across strategies"),
    command("sweep-one", "sweep grinchmas --vary wishes.goal=8:11 --players 3-4 --games 500"),
    command("sweep-two", "sweep grinchmas --vary wishes.goal=8:11 --vary stars.trio=4:6 --players 2 --games 500"),
    command("sensitivity", "sensitivity orchard --players 2 --games 2000 --interactions"),
    command("sensitivity-across", "sensitivity pig --players 2 --games 300 --metric wins.0 --across hold --across uniform"),
    Opened("check", promises),
    command("check-example", f"check {EXAMPLE} --games 2000"),
    command("seats", "seats pig --players 2-3 --games 500"),
    command("skill", "skill pig --players 2-3 --games 300 --lookahead 0"),
    command("tournament", "tournament pig --players 2-3 --games 300"),
    command("tune", "tune orchard --target players_win=0.5 --players 2 --games 500 --changes 1 --vary raven.steps=3:8"),
    command("tune-strategy", "tune-strategy pig hold --players 2 --games 1000 --trials 6"),
    Opened("index", index),
]
"""Every study, and the page that lists several games."""

REPORTS = [*RUNS, *STUDIES]
