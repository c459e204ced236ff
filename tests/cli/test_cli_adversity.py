"""The command line where something is missing: room, rights, a reader, a clock, a terminal, letters, other people's care."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import programs
import pytest

from simulator import registry
from simulator.cli import show
from simulator.cli.main import MOST_LETTERS, run, simulate
from simulator.play.run import run as play

Program = Callable[..., Any]

PLAY = ("pig", "--players", "2", "--strategy", "uniform", "--games", "1000")
PYTHON = f"{shlex.quote(sys.executable)} -m simulator"


def digest() -> str:
    """What PLAY finds."""
    return play("pig", players=2, strategies=["uniform"], games=1000).digest


def shell(script: str, folder: Path, **environment: str) -> Any:
    """Run a script in a shell, in which `simulate` is this program."""
    return programs.run(["/bin/sh", "-c", f'simulate() {{ {PYTHON} "$@"; }}\n{script}'], cwd=folder, env=os.environ | environment)


def complaints(text: str) -> list[str]:
    """What stands on stderr apart from notes."""
    return [line for line in text.splitlines() if line and not line.startswith("Note: ")]


# -- no rights --


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[tuple[list[str], Path]]:
    """What to put before a command, and a folder that it cannot write to: not even root can, where that can be had."""
    folder = tmp_path / "fixed"
    folder.mkdir()
    mount = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@"', str(folder)]
    if os.geteuid() != 0:
        folder.chmod(0o500)
        yield [], folder
        folder.chmod(0o700)
    elif _works([*mount, "true"]):
        yield mount, folder
    else:
        yield [], Path("/proc")


def _works(command: list[str]) -> bool:
    try:
        return programs.run(command).returncode == 0
    except OSError:
        return False


@pytest.mark.parametrize(
    ("option", "name"), [("--ledger", "l.sqlite"), ("--report", "r.html"), ("--png", "pictures"), ("--png", ""), ("--save", "a.csv")]
)
def test_a_folder_that_cannot_be_written_to_is_found_out_before_anything_is_played(
    read_only: tuple[list[str], Path], option: str, name: str
) -> None:
    wrapper, folder = read_only
    command = [*wrapper, sys.executable, "-m", "simulator", "pig", "--games", "1e15", option, str(folder / name)]
    done = programs.run(command)
    assert (done.returncode, done.stdout) == (2, "")
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith(f"Error: {option} {folder / name}")
    assert sentence.endswith("; name another place.")


@pytest.mark.parametrize("variable", ["HOME"])
def test_with_no_place_for_compiled_code_it_compiles_in_memory_and_says_so_once(
    read_only: tuple[list[str], Path], variable: str, tmp_path: Path
) -> None:
    wrapper, folder = read_only
    clean = {k: v for k, v in os.environ.items() if k not in {"LUDOMETER_CACHE", "XDG_CACHE_HOME"}}
    command = [*wrapper, sys.executable, "-m", "simulator", *PLAY, "--json"]
    done = programs.run(command, cwd=tmp_path, env=clean | {variable: str(folder)})
    assert done.returncode == 0
    (sentence,) = done.stderr.splitlines()
    assert sentence == (
        "Note: Compiling for this machine; this happens anew each time, since no folder for it can be written; set LUDOMETER_CACHE."
    )
    assert json.loads(done.stdout)["results"][0]["digest"] == digest()


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A run with a report where nothing is compiled yet, and the cache folder that it leaves behind."""
    folder = tmp_path_factory.mktemp("first")
    command = [sys.executable, "-m", "simulator", *PLAY, "--report", "r.html"]
    done = programs.run(command, cwd=folder, env=os.environ | {"LUDOMETER_CACHE": str(folder / "cache")})
    return done, folder / "cache"


@pytest.fixture
def compiled(first_run: tuple[Any, Path], tmp_path: Path) -> Path:
    """A cache folder that holds all that PLAY needs."""
    return Path(shutil.copytree(first_run[1], tmp_path / "cache"))


def test_that_it_compiles_is_said_once_also_where_a_report_compiles_more(first_run: tuple[Any, Path]) -> None:
    done, _ = first_run
    assert done.returncode == 0
    assert done.stderr.splitlines() == ["Note: Compiling for this machine; this happens once.", "Note: Report written to r.html."]


def test_once_it_is_compiled_nothing_is_said(compiled: Path, tmp_path: Path) -> None:
    assert shell(f"simulate {shlex.join(PLAY)}", tmp_path, LUDOMETER_CACHE=str(compiled)).stderr == ""


def test_a_user_without_a_home_gets_no_folder_called_tilde(tmp_path: Path, program: Program) -> None:
    code = """
import os
os.environ.pop("LUDOMETER_CACHE", None); os.environ.pop("XDG_CACHE_HOME", None); os.environ.pop("HOME", None)
import pwd
def getpwuid(number): raise KeyError(number)
pwd.getpwuid = getpwuid
from simulator.kernel.jit import cache_root
print(cache_root())
"""
    assert program(code=code).out == "None\n"
    assert not list(tmp_path.iterdir())


# -- no room: a limit on the size of files stands for the full disk --


def test_a_report_that_finds_no_room_costs_no_result(tmp_path: Path) -> None:
    done = shell(f"ulimit -f 64; simulate {shlex.join(PLAY)} --report r.html", tmp_path)
    assert digest() in done.stdout
    (sentence,) = complaints(done.stderr)
    assert sentence.startswith("Error: File r.html cannot be written: File too large; ")
    assert done.returncode == 2
    assert not list(tmp_path.iterdir()), "half a file was left behind"


@pytest.mark.parametrize("before", ["ulimit -f 16; mkdir cache", "touch cache"])
def test_where_no_cache_folder_can_be_written_there_is_none(tmp_path: Path, before: str) -> None:
    """So what it compiles in memory is said, as above."""
    code = "from simulator.kernel.jit import cache_root; print(cache_root())"
    done = shell(f"{before}; {shlex.quote(sys.executable)} -c {shlex.quote(code)}", tmp_path, LUDOMETER_CACHE="cache")
    assert (done.stdout, done.stderr) == ("None\n", "")


def test_compiled_code_that_finds_no_room_costs_no_result(compiled: Path, tmp_path: Path) -> None:
    large = [file for file in compiled.glob("*-simulator.kernel.reduce/*.nbc") if file.stat().st_size > 64 * 512]
    assert large
    for file in large:
        file.unlink()
    done = shell(f"ulimit -f 64; simulate {shlex.join(PLAY)} --json", tmp_path, LUDOMETER_CACHE="cache")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [
        "Note: Compiling for this machine; this happens once.",
        f"Note: Compiled code could not be kept in {compiled.resolve()}: File too large; make room there, or set LUDOMETER_CACHE.",
    ]
    assert json.loads(done.stdout)["results"][0]["digest"] == digest()


def test_compiled_code_that_is_damaged_is_compiled_again(compiled: Path, tmp_path: Path) -> None:
    files = [file for part in ("games.pig", "kernel.turns") for file in sorted(compiled.glob(f"*-simulator.{part}/*.nb?"))]
    assert {file.suffix for file in files} == {".nbi", ".nbc"}
    for number, file in enumerate(files):
        file.write_bytes(file.read_bytes()[: 40 * (number % 3)])
    notes = []
    for _ in range(2):
        again = shell(f"simulate {shlex.join(PLAY)} --json", tmp_path, LUDOMETER_CACHE=str(compiled))
        assert again.returncode == 0, again.stderr
        assert json.loads(again.stdout)["results"][0]["digest"] == digest()
        notes.append("Compiling" in again.stderr)
    assert notes == [True, False], "what is needed is compiled once more and kept"


# -- nobody who reads --


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_closed_streams_cost_neither_report_nor_ledger(tmp_path: Path, closed: str) -> None:
    done = shell(f"simulate {shlex.join(PLAY)} --ledger l.sqlite --report r.html {closed}; echo $?", tmp_path)
    assert done.stdout.splitlines()[-1] == "0"
    assert complaints(done.stderr) == []
    assert (tmp_path / "r.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    listed = shell("simulate ledger list --ledger l.sqlite --json", tmp_path)
    assert json.loads(listed.stdout)["experiments"][0]["games"] == 1000  # and what was played for the report


def test_a_reader_who_leaves_early_costs_no_report(tmp_path: Path) -> None:
    done = shell(f"simulate {shlex.join(PLAY)} --report r.html 2>&1 | true; simulate rules grinchmas | head -1", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Key ")
    assert (tmp_path / "r.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


# -- a clock that jumps --

JUMPS = """
import itertools, time
hours = itertools.cycle((0, -3600, 7200, -86400))
real = time.time
time.time = lambda: real() + next(hours)
"""


def test_a_clock_that_jumps_disturbs_neither_rate_nor_patience(tmp_path: Path, program: Program) -> None:
    (tmp_path / "sitecustomize.py").write_text(JUMPS, encoding="utf-8")
    outcome = program("pig", "--players", "2", "--games", "200k", "--json", "--ledger", "l.sqlite", site=[tmp_path])
    assert (outcome.code, outcome.errors) == (0, [])
    (result,) = json.loads(outcome.out)["results"]
    assert result["games"] == 200_000
    assert 0 < result["elapsed_s"] < 600
    assert result["games_per_s"] > 0


def test_progress_tells_a_rate_though_the_clock_runs_backwards(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = iter(range(10**9, 0, -1000))
    monkeypatch.setattr(time, "time", lambda: float(next(now)))
    monkeypatch.setattr(show, "_REFRESH_S", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with show.stage("Points", 100) as update:
        assert update is not None
        update(0, None)
        for done in (10, 20, 100):
            update(done, "part")
    shown = capsys.readouterr().err
    assert re.search(r"100%", shown)
    assert re.search(r"[1-9][\d,]*/s", shown)
    assert not re.search(r"-[\d,]+/s", shown)


# -- letters that the terminal does not have --

PLAIN = (
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
)


@pytest.mark.parametrize("environment", PLAIN, ids=lambda e: next(iter(e)))
@pytest.mark.parametrize("arguments", [PLAY, ("games",), ("sweep", "pig", "--vary", "goal=50|60", "--games", "200")])
def test_what_the_terminal_cannot_show_is_shown_in_other_letters(
    program: Program, arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    outcome = program(*arguments, **environment)
    assert (outcome.code, outcome.errors) == (0, [])
    assert "?" not in outcome.out
    if arguments == PLAY:
        assert re.search(r"\d-\d", outcome.out), "the ends of an interval stand apart"


def test_json_says_the_same_in_any_encoding(tmp_path: Path, program: Program) -> None:
    (tmp_path / "naïve.py").write_text(
        'from strategies import strategy\n\n\n@strategy(\'pig\')\ndef first(view, u):\n    """Tàkes the first."""\n    return 0\n',
        encoding="utf-8",
    )
    asked = ("pig", "--players", "1", "--games", "10", "--set", "turn_cap=20", "--strategy", "naïve.py:first", "--json")
    here, there = (program(*asked, PYTHONIOENCODING=encoding) for encoding in ("utf-8", "ascii"))
    assert here.code == there.code == 0, there.err
    assert there.out.isascii()
    first, second = (json.loads(outcome.out)["results"][0]["experiment"] for outcome in (here, there))
    assert first == second


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_a_simple_terminal_gets_no_colours(program: Program, environment: dict[str, str]) -> None:
    outcome = program(*PLAY, **environment)
    assert outcome.code == 0
    assert "\x1b" not in outcome.out + outcome.err


# -- a terminal of 40 columns --

COLUMNS = 40
SMALL = ("--games", "200")
CALLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "check": (("check", "{promises}", "--games", "9000"),),
    "compare": (("compare", "pig", "--variant", "goal=50", "--players", "2", *SMALL), ("compare", "orchard", "--variant", "raven.steps=6")),
    "drama": (("drama", "pig", "--players", "2", "--games", "4", "--rollouts", "10"),),
    "games": (("games",),),
    "ledger": (("ledger", "list", "--ledger", "{ledger}"), ("ledger", "show", "{experiment}", "--ledger", "{ledger}")),
    "new": (("new", "dragons"),),
    "replay": (("replay", "grinchmas", "--strategy", "uniform"), ("replay", "pig", "--find", "longest", *SMALL)),
    "report": (("report", "pig", "--to", "{folder}", *SMALL),),
    "rules": (("rules", "grinchmas"), ("rules", "pig", "--set", "goal=50")),
    "seats": (("seats", "pig", "--players", "2-3", *SMALL),),
    "sensitivity": (("sensitivity", "pig", "--players", "2", *SMALL),),
    "skill": (("skill", "pig", "--players", "2", "--lookahead", "0", *SMALL),),
    "strategies": (("strategies", "grinchmas"), ("strategies", "pig")),
    "sweep": (("sweep", "pig", "--vary", "goal=50|100", "--vary", "die.sides=4:6", "--players", "2", *SMALL),),
    "tournament": (("tournament", "pig", "--players", "2", *SMALL),),
    "try": (("try", "orchard"),),
    "tune": (("tune", "orchard", "--players", "2", "--target", "players_win=0.6", "--vary", "raven.steps=4:6", "--games", "2k"),),
    "tune-strategy": (("tune-strategy", "pig", "hold", "--players", "2", *SMALL),),
    "verify": (("verify", "--quick", "--group", "draws"),),
}
GAMES = registry.game_names()
COMMANDS = tuple(name for name in simulate.list_commands(click.Context(simulate)) if name not in GAMES)

PROMISES = """
[[promise]]
name = "Who begins has an edge, but not one that anybody would notice at a table"
game = "pig"
players = 2
metric = "wins.0"
between = [0.4, 0.7]
"""


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., str]:
    """Calls `simulate` as if on a terminal of 40 columns; what it printed, without colours."""
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": str(COLUMNS), "TERM": "xterm", "TTY_COMPATIBLE": "1", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)

    def call(*arguments: str) -> str:
        code = run(list(arguments))
        printed = capsys.readouterr()
        assert code in {0, 1, 3}, printed.err
        return re.sub(r"\x1b\[[\d;]*m", "", printed.out)

    return call


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """What stands for the names in braces."""
    from simulator.play.ledger import Ledger  # noqa: PLC0415  only here

    (tmp_path / "promises.toml").write_text(PROMISES, encoding="utf-8")
    with Ledger(tmp_path / "l.sqlite") as ledger:
        play("pig", players=2, strategies=["uniform"], games=100, ledger=ledger)
        experiment = ledger.experiments()[0].id
    return {"promises": "promises.toml", "ledger": "l.sqlite", "folder": "pages", "experiment": experiment}


def faults(text: str) -> list[str]:
    """Lines that are too wide though they could be broken, or tear a figure from its interval, or cut something off.

    A command is to be copied, and stays whole.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    return [
        line
        for line, following in zip(lines, [*lines, ""][1:], strict=True)
        if (len(line) > COLUMNS and max(map(len, line.split())) < COLUMNS - 8 and not line.startswith("simulate "))
        or "\N{HORIZONTAL ELLIPSIS}" in line
        or re.search(r"\d%?\N{EN DASH}$|^\s*(\N{EN DASH}|to [-+]?\d[\d.,]*%?$)", line)
        or (re.search(r"\d%? to$", line) and re.match(r"\s*[-+]?\d", following))
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_fits_a_terminal_of_40_columns(narrow: Callable[..., str], places: dict[str, str], command: str) -> None:
    for arguments in CALLS[command]:
        text = narrow(*(word.format_map(places) for word in arguments))
        assert faults(text) == []


@pytest.mark.parametrize("arguments", [("crocs", "--players", "2-4"), ("pig", "--players", "2"), ("grinchmas", "--metric", "all")])
def test_every_run_fits_a_terminal_of_40_columns(narrow: Callable[..., str], arguments: tuple[str, ...]) -> None:
    text = narrow(*arguments, *SMALL, "--strategy", "uniform", "--set", "turn_cap=90")
    assert faults(text) == []
    assert re.search(r"\d\N{EN DASH}\d", text)


@pytest.mark.parametrize("command", ["", *COMMANDS, "grinchmas"])
def test_the_help_fits_a_terminal_of_40_columns(narrow: Callable[..., str], command: str) -> None:
    text = narrow(*filter(None, [command]), "--help")
    wide = [line for line in text.splitlines() if len(line) > COLUMNS and not line.lstrip().startswith("--")]
    assert wide == []


def test_what_counts_as_a_fault_on_a_narrow_terminal_is_noticed() -> None:
    assert faults("a line of many short words that no terminal holds") != []
    assert faults("53% 51\N{EN DASH}\n56") != []
    assert faults("+1 -2 to\n+3") != []
    assert faults("12\N{HORIZONTAL ELLIPSIS}") != []
    assert faults("53% 51\N{EN DASH}56\nmoved from 1 to\nthree") == []


def shown_on_a_terminal(command: list[str], folder: Path) -> str:
    """What a program shows on a terminal of 40 columns, without colours, each line that it wrote over as a line of its own."""
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    import struct  # noqa: PLC0415  only where there are terminals

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    clean = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES"}} | {"TERM": "xterm"}
    with programs.started(command, cwd=folder, stdout=theirs, stderr=theirs, env=clean) as process:
        os.close(theirs)
        shown = programs.shown(ours)
        programs.ended(process)
    os.close(ours)
    assert process.returncode == 0
    return re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", shown.decode()).replace("\r", "\n")


def test_a_real_terminal_of_40_columns_is_kept_to(tmp_path: Path) -> None:
    text = shown_on_a_terminal([sys.executable, "-m", "simulator", *PLAY, "--set", "goal=99"], tmp_path)
    assert "digest" in text
    assert [line for line in text.splitlines() if len(line.rstrip()) > COLUMNS] == []
    assert faults(text) == []


NOTE_BESIDE_A_BAR = """
from simulator.cli import show
with show.stage("Points", 100):
    show.note("Compiling for this machine; this happens once.")
"""


def test_a_note_beside_a_bar_stands_on_lines_of_its_own(tmp_path: Path) -> None:
    lines = [line.rstrip() for line in shown_on_a_terminal([sys.executable, "-c", NOTE_BESIDE_A_BAR], tmp_path).splitlines()]
    assert "Points   0%" in lines
    assert "Note: Compiling for this machine; this" in lines
    assert "happens once." in lines


# -- carelessness of others --


def test_a_sentence_has_an_end_however_much_it_repeats(program: Program) -> None:
    outcome = program("pig", "x" * 100_000)
    assert outcome.code == 2
    (sentence,) = outcome.err.splitlines()
    assert len(sentence) < MOST_LETTERS + 20
    assert sentence.endswith("see `simulate pig --help`.")
