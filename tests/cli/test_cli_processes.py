"""The command line as a program of its own: what it imports, signals, pipes, and strategies and games of other packages."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import programs
import pytest

from simulator.play.ledger import Ledger

Program = Callable[..., Any]

HEAVY = {"numpy", "numba", "pandas", "matplotlib", "scipy", "scipy.stats", "pydantic", "rich"}


def imported_by(program: Program, *arguments: str) -> set[str]:
    """Heavy packages that a command imports."""
    code = f"import sys; from simulator.cli.main import run; assert run({list(arguments)}) == 0; print('!', *sys.modules)"
    outcome = program(code=code)
    assert outcome.code == 0, outcome.err
    return HEAVY & set(outcome.out.rpartition("!")[2].split())


def test_help_imports_nothing_heavy(program: Program) -> None:
    assert imported_by(program, "--help") == set()


@pytest.mark.parametrize("arguments", [("games",), ("rules", "grinchmas"), ("strategies", "grinchmas"), ("grinchmas", "--help")])
def test_listings_import_no_statistics_and_no_charts(program: Program, arguments: tuple[str, ...]) -> None:
    assert not imported_by(program, *arguments) & {"pandas", "matplotlib", "scipy.stats"}


def test_playing_imports_no_charts(program: Program) -> None:
    assert not imported_by(program, "grinchmas", "--games", "10", "--strategy", "uniform") & {"pandas", "matplotlib"}


def test_the_version_is_printed(program: Program) -> None:
    assert program("--version").out.startswith("simulate, version ")


def write_package(site: Path, group: str, entry: str, **modules: str) -> None:
    """Something installed in the folder `site` that offers an entry point."""
    info = site / "visitor-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: visitor\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n", encoding="utf-8")
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text, encoding="utf-8")


def test_an_installed_package_brings_strategies(program: Program, tmp_path: Path, visitors: Path) -> None:
    write_package(tmp_path, "ludometer.strategies", f"visitors = {visitors.stem}")
    site = [tmp_path, visitors.parent]
    listed = json.loads(program("strategies", "grinchmas", "--json", site=site).out)["strategies"]
    assert {"settled", "uniform"} <= {s["name"] for s in listed}
    played = program("grinchmas", "--games", "10", "--strategy", "settled:share=0.5", site=site)
    assert played.code == 0
    assert "strategy settled:share=0.5" in played.out


GAME = """
from dataclasses import replace
from simulator.games.grinchmas import GAME
OTHER = replace(GAME, name="other-game", title="Another Game", default_strategy="uniform")
"""


def test_an_installed_package_brings_a_game(program: Program, tmp_path: Path) -> None:
    write_package(tmp_path, "ludometer.games", "other-game = visiting_game:OTHER", visiting_game=GAME)
    assert "Another Game" in program("games", site=[tmp_path]).out
    played = program("other-game", "--games", "10", site=[tmp_path])
    assert played.code == 0
    assert played.out.startswith("Another Game, rules as shipped")


@pytest.mark.parametrize(
    ("group", "entry", "text", "reason"),
    [
        ("strategies", "lost = no_such_module", "", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("strategies", "broken = visitor", "1 / 0", "cannot be loaded ({file}, line 1): ZeroDivisionError: division by zero"),
        ("strategies", "quitter = visitor", "raise SystemExit", "cannot be loaded ({file}, line 1): SystemExit"),
        ("strategies", "number = visitor:N", "N = 5", "is no strategy"),
        ("games", "lost = no_such_module:GAME", "", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("games", "number = visitor:N", "N = 5", "is no game but of type int"),
        ("games", "other = visitor:GAME", "from simulator.games.grinchmas import GAME", "it calls itself 'grinchmas'"),
    ],
)
def test_a_broken_package_is_named_in_one_sentence(
    program: Program, tmp_path: Path, group: str, entry: str, text: str, reason: str
) -> None:
    write_package(tmp_path, f"ludometer.{group}", entry, visitor=text)
    name, _, place = entry.partition(" = ")
    outcome = program(*((name,) if group == "games" else ("strategies", "grinchmas")), site=[tmp_path])
    (sentence,) = outcome.err.splitlines()
    start = f"'{name}' from the installed package visitor ({place}) "
    if group == "games":
        assert (outcome.code, outcome.out) == (2, "")
        assert sentence.startswith(f"Error: {start}")
    else:
        assert outcome.code == 0
        assert sentence.startswith(f"Note: {start}")
        assert sentence.endswith(" It is left out.")
    assert reason.format(file=tmp_path / "visitor.py") in sentence


def test_the_other_games_are_listed_beside_a_broken_package(program: Program, tmp_path: Path) -> None:
    write_package(tmp_path, "ludometer.games", "broken = visitor:GAME", visitor="raise ImportError('two\\nlines ' + 'x' * 5000)")
    for asked in (("games",), ("games", "--json")):
        outcome = program(*asked, site=[tmp_path])
        assert outcome.code == 0
        assert "Merry Grinchmas" in outcome.out
        assert "visitor" not in outcome.out
        (sentence,) = outcome.err.splitlines()
        assert sentence.startswith("Note: 'broken' from the installed package visitor (visitor:GAME) cannot be loaded (")
        assert "visitor.py, line 1): ImportError: two lines xxx" in sentence
        assert sentence.endswith("x. It is left out.")
        assert len(sentence) < 600


@contextmanager
def run_until(shown: bytes, arguments: list[str], folder: Path) -> Iterator[tuple[Any, bytearray, int]]:
    """Start `simulate` with a terminal as its stderr and wait until that shows something; process, what it showed, terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    seen = bytearray()

    def is_shown() -> bool:
        if select.select([ours], [], [], 0)[0]:
            seen.extend(os.read(ours, 65536))
        return shown in seen

    command = [sys.executable, "-m", "simulator", *arguments]
    with programs.started(command, cwd=folder, stderr=theirs, env=os.environ | {"COLUMNS": "80"}) as process:
        os.close(theirs)
        programs.wait_until(is_shown, process)
        yield process, seen, ours
    os.close(ours)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_and_a_request_to_end_keep_what_is_done(tmp_path: Path, number: int, code: int) -> None:
    asked = ["grinchmas", "--games", "1e12", "--strategy", "uniform", "--json", "--save", "table.csv", "--ledger", "l.sqlite"]
    with run_until(b"/s ", asked, tmp_path) as (process, seen, terminal):
        process.send_signal(number)
        if number == signal.SIGTERM:
            process.send_signal(number)  # `timeout` and others send it twice
        out, _ = programs.ended(process)
        seen.extend(programs.shown(terminal))
    assert process.returncode == code
    (result,) = json.loads(out)["results"]
    with Ledger(tmp_path / "l.sqlite") as ledger:
        assert ledger.experiments()[0].games >= result["games"]
    assert 0 < result["games"] < 1e12
    assert f"Interrupted; what was finished is shown. It rests on {result['games']:,} playouts." in seen.decode()
    assert b"The players win" in seen, "the progress names the interval so far"
    assert (tmp_path / "table.csv").exists()


def test_a_pipe_that_is_closed_early_is_no_error_and_costs_no_report(tmp_path: Path) -> None:
    for command in (["grinchmas", "--games", "10", "--strategy", "uniform", "--report", "report.html"], ["replay", "pig"]):
        with programs.started([sys.executable, "-m", "simulator", *command], cwd=tmp_path, text=True) as process:
            process.stdout.close()
            _, said = programs.ended(process)
        complaints = [line for line in said.splitlines() if not line.startswith("Note: ")]
        assert (process.returncode, complaints) == (0, [])
    assert (tmp_path / "report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


def test_a_full_disk_is_said_in_one_sentence(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is none here")
    for command in (["games"], ["games", "--json"], ["rules", "grinchmas", "--toml"]):
        with Path("/dev/full").open("wb") as full:
            done = programs.run([sys.executable, "-m", "simulator", *command], cwd=tmp_path, stdout=full)
        assert done.returncode == 1
        assert done.stderr == "Error: What was to be printed cannot be written: No space left on device; make room for it.\n"


def test_a_strategy_that_stops_answering_late_in_the_run_is_named(program: Program, visitors: Path) -> None:
    # a stuck thread keeps a processor busy until its process ends
    code = "import sys, simulator.play.executors as e; e.PATIENCE_S = 1.0; from simulator.cli import main; main(sys.argv[1:])"
    asked = ("grinchmas", "--workers", "1", "--strategy", "uniform", "--strategy", f"{visitors}:late_endless")
    outcome = program(*asked, "--games", "20k", code=code)
    assert (outcome.code, outcome.out) == (1, "")
    (sentence,) = outcome.errors
    lines = visitors.read_text(encoding="utf-8").splitlines()
    (line,) = (i for i, text in enumerate(lines, 1) if text.startswith("def late_endless("))
    told = re.fullmatch(
        rf"Error: Strategy 'late_endless' \({visitors.name}, line {line}\) has not answered for 5 seconds in playout (\d+) of grinchmas "
        r"\(seat [13], turn (\d+)\); a strategy must end for every view\.",
        sentence,
    )
    assert told, sentence
    assert int(told[2]) > 60, "where it stops answering"
    assert program(*asked, "--games", told[1]).code == 0, "all playouts before it come to an end"
