"""Games of other packages with a mistake each: one sentence with file and line, and nobody else is disturbed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import programs
import pytest
from installed import TINY, install

from simulator import registry
from simulator.registry import neighbours

Simulate = Callable[..., Any]
Site = Callable[..., Path]

PLAY = ("--players", "2", "--games", "60", "--workers", "1")
CACHES = (registry.game_names, registry._known, registry.strategies, neighbours.offers)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The small game can be imported; it is compiled once for all tests."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.py").write_text(TINY, encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield
    sys.path.remove(str(folder))


@pytest.fixture
def site(tiny: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Installs the module `broken`, which begins with the small game and goes on with the lines given; the folder."""
    del tiny
    folder = tmp_path_factory.mktemp("site")

    def put(lines: str, entry: str = "broken", group: str = "games") -> Path:
        text = f"from tiny import *\n\nHERE = Path(__file__)\n{lines}\n"
        install(folder, "visitor", {"broken": text}, **{group: [f"{entry} = broken:GAME" if group == "games" else f"{entry} = broken"]})
        return folder

    sys.path.insert(0, str(folder))
    for cached in CACHES:
        cached.cache_clear()
    yield put
    sys.path.remove(str(folder))
    sys.modules.pop("broken", None)
    for cached in CACHES:
        cached.cache_clear()


def complaint(simulate: Simulate, *arguments: str, code: int) -> str:
    """The one sentence of a command that has to fail."""
    outcome = simulate(*arguments)
    assert (outcome.code, outcome.out) == (code, ""), outcome
    (sentence,) = outcome.errors
    assert sentence.startswith("Error: ")
    assert sentence.endswith(".")
    return str(sentence)


def changed(what: str) -> str:
    """The small game under its name, with something changed in the line that is wrong."""
    return f'GAME = replace(GAME, name="broken", file=HERE, {what})'


DECLARED = {
    "an import error": ("import no_such_module", "line 4", "No module named 'no_such_module'"),
    "a syntax error": ("def f(:", "line 4", "SyntaxError"),
    "no game": ("GAME = 5", "", "is no game but of type int"),
    "another name": ('GAME = replace(GAME, name="other", file=HERE)', "line 4", "calls itself 'other' and is offered as 'broken'"),
    "a table that is not declared": (
        changed("table=5"),
        "line 4",
        "what lies on its table has to be declared by simulator.kit",
    ),
    "a field of NumPy's": ("table(sum=number())", "line 4", "a field cannot be called 'sum'"),
    "a field of the head's": ("table(turn=number())", "line 4", "a field cannot be called 'turn'"),
    "a metric of nothing on the table": (
        "def more(rules, players):\n    return (*metrics(rules, players), replace(metrics(rules, players)[3], name='extra'))\n\n"
        + changed("metrics=more"),
        "line 4",
        "its table holds no number for the metric 'extra'; declare extra=number()",
    ),
    "a pack that returns a dict": ("def pack(rules):\n    return {}\n" + changed("pack=pack"), "line 4", "its `pack` returns a dict"),
    "a pack that returns a number": ("def pack(rules):\n    return 8\n" + changed("pack=pack"), "line 4", "its `pack` returns a int"),
    "a pack that raises": ("def pack(rules):\n    return 1 / 0\n" + changed("pack=pack"), "line 5", "ZeroDivisionError"),
    "rules that are no class of ours": (changed("rules=dict"), "line 4", "a class made from GameRules"),
    "a constant that says nothing": (
        "class Rules(TinyRules):\n    bonus: int = 4\n\n" + changed("rules=Rules"),
        "line 5",
        "its rule 'bonus' says neither what it is nor where it comes from; declare it with constant",
    ),
    "no metric turns": (changed("metrics=lambda r, p: metrics(r, p)[:2]"), "line 4", "no metric 'turns'"),
    "no outcome": (
        "def without(rules, players):\n    return [replace(m, outcome=False) for m in metrics(rules, players)]\n\n"
        + changed("metrics=without"),
        "line 4",
        "it has no outcome metric",
    ),
    "no metric unfinished": (
        changed("metrics=lambda r, p: (metrics(r, p)[0], *metrics(r, p)[2:])"),
        "line 4",
        "no outcome metric 'unfinished'",
    ),
    "no win of a seat": (changed("cooperative=False"), "line", "it has no outcome metric 'wins.0' with 1 players"),
    "a share above one": (
        "def wide(rules, players):\n    return [replace(m, high=2) for m in metrics(rules, players)]\n\n" + changed("metrics=wide"),
        "line 4",
        "its metric 'players_win' cannot lie between 0 and 2",
    ),
    "metrics that raise": (changed("metrics=lambda r, p: r.gaol"), "line 4", "has no attribute 'gaol'"),
    "a verdict that is none": (changed('verdict=lambda players: ("players_wim",)'), "line 4", "did you mean 'players_win'"),
    "a closeness that is none": (changed('closeness="margin"'), "line 4", "its closeness 'margin' is no metric"),
    "too many players": (changed("players=(1, 99)"), "line 4", "have to lie between 1 and 8"),
    "a function that is not compiled": (
        "def turn(table, rules, seat):\n    pass\n" + changed("turn=turn"),
        "line 4",
        "put @jit",
    ),
    "a story without a question": (changed("story=print"), "line 4", "its story has no function `sentences`"),
    "no default strategy": (changed('default_strategy="clever"'), "line 4", "its default strategy 'clever' does not exist"),
}


@pytest.mark.parametrize("case", DECLARED)
def test_a_game_that_declares_what_cannot_be_is_refused_in_one_sentence_with_the_line(simulate: Simulate, site: Site, case: str) -> None:
    lines, line, reason = DECLARED[case]
    folder = site(lines)
    sentence = complaint(simulate, "broken", *PLAY, code=2)
    assert "visitor" in sentence or "Game 'broken'" in sentence
    assert reason in sentence
    assert not line or f"{folder / 'broken.py'}, {line}" in sentence or (line == "line" and "tiny.py" in sentence)


PLAYED = {
    "a misspelt field": (
        2,
        "@jit\ndef turn(table, rules, seat):\n    option = choose(table, seat, 0, 2)\n    table.totl += option\n\n" + changed("turn=turn"),
        "does not compile in `turn` ({file}, line 7): there is no field 'totl' (did you mean 'total'?).",
    ),
    "plain Python called": (
        2,
        "def double(x):\n    return 2 * x\n\n\n@jit\ndef turn(table, rules, seat):\n    table.total += double(seat)\n\n"
        + changed("turn=turn"),
        "does not compile in `turn` ({file}, line 10): 'double' is plain Python, which compiled code cannot call; put @jit above it",
    ),
    "rules that raise": (
        1,
        "@jit\ndef turn(table, rules, seat):\n    raise ValueError('no')\n\n" + changed("turn=turn"),
        "failed in `turn` ({file}, line 6) in playout 0: ValueError: no.",
    ),
    "a metric out of its range": (
        1,
        "def narrow(rules, players):\n    return (*metrics(rules, players)[:3], replace(metrics(rules, players)[3], high=2))\n\n"
        + changed("metrics=narrow"),
        "broke its promise in playouts 0 to 0 (`metrics` at {file}, line 4): metric 'total' ran from",
    ),
    "two draws from one address": (
        1,
        "purpose = purpose_block(0)\n\n\n@jit\ndef turn(table, rules, seat):\n    table.total += 1 + spin(table, 0, 2)\n"
        "    table.total += below(table.chance, purpose + (table.turn & 3), table.turn >> 2, 2)\n"
        "    if table.total >= 3:\n        end_for_all(table, True)\n\n" + changed("turn=turn"),
        "({file}, line 7) draws purpose_block(0) + 1 on occasion 0 twice, in `turn` (turn 1) and in `turn` (turn 1)",
    ),
    "decisions without end": (
        1,
        "@jit\ndef turn(table, rules, seat):\n    while table.total == 0:\n        choose(table, seat, 0, 2)\n\n" + changed("turn=turn"),
        "asks for decisions without end ({file}, line 4)",
    ),
}


@pytest.mark.parametrize("case", PLAYED)
def test_a_game_that_breaks_its_contract_is_named_with_file_and_line(simulate: Simulate, site: Site, case: str) -> None:
    code, lines, reason = PLAYED[case]
    folder = site(lines)
    sentence = complaint(simulate, "broken", *PLAY, code=code)
    assert reason.format(file=folder / "broken.py") in sentence


def test_the_small_game_itself_is_played_and_told(simulate: Simulate, site: Site) -> None:
    site('GAME = replace(GAME, name="broken", file=HERE)')
    assert simulate("broken", *PLAY).code == 0
    assert "It shows" in simulate("replay", "broken", "--players", "2").out


def test_a_story_that_raises_is_named_with_file_and_line(simulate: Simulate, site: Site) -> None:
    folder = site(
        "class Bad(Story):\n    @staticmethod\n    def option(rules, view, index):\n        return {}[index]\n\n" + changed("story=Bad")
    )
    sentence = complaint(simulate, "replay", "broken", "--players", "2", code=1)
    assert f"The story of game 'broken' fails in `option` ({folder / 'broken.py'}, line 7): KeyError" in sentence


# -- neighbours --


def notes(outcome: Any) -> list[str]:
    """The notes of a command."""
    return [line for line in outcome.err.splitlines() if line.startswith("Note: ")]


@pytest.mark.parametrize("asked", [("orchard", "--games", "20"), ("strategies", "orchard"), ("replay", "orchard")])
def test_a_broken_package_of_strategies_costs_a_note_that_names_it(simulate: Simulate, site: Site, asked: tuple[str, ...]) -> None:
    folder = site("1 / 0", entry="clever", group="strategies")
    outcome = simulate(*asked)
    assert outcome.code == 0
    assert notes(outcome) == [
        (
            f"Note: 'clever' from the installed package visitor (broken) cannot be loaded ({folder / 'broken.py'}, line 4): "
            "ZeroDivisionError: division by zero. It is left out."
        )
    ]


def test_who_asks_for_the_broken_one_itself_is_told_why_it_cannot_play(simulate: Simulate, site: Site) -> None:
    site("1 / 0", entry="clever", group="strategies")
    sentence = complaint(simulate, "orchard", "--games", "20", "--strategy", "clever", code=2)
    assert "'clever' from the installed package visitor (broken) cannot be loaded" in sentence


PROMISE = """
[[promise]]
name = "They win now and then"
game = "orchard"
players = 2
metric = "players_win"
between = [0.2, 0.9]
"""


def test_promises_are_checked_beside_broken_packages(simulate: Simulate, site: Site, tmp_path: Path) -> None:
    site("1 / 0", entry="clever", group="strategies")
    (tmp_path / "promises.toml").write_text(PROMISE, encoding="utf-8")
    outcome = simulate("check", "promises.toml", "--games", "9000")
    assert outcome.code == 0
    assert len(notes(outcome)) == 1


@pytest.mark.parametrize("lines", ["1 / 0", PLAYED["rules that raise"][1]], ids=["that cannot be loaded", "that breaks its contract"])
def test_verify_goes_on_without_a_broken_game(simulate: Simulate, site: Site, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    site(lines)
    monkeypatch.setattr(registry, "_shipped_games", lambda: frozenset({"cherry"}))
    outcome = simulate("verify", "--quick", "--group", "addresses", "--group", "workers")
    assert outcome.code == 0, outcome.err
    assert [n for n in notes(outcome) if "broken" in n and n.endswith("It is left out.")]
    assert "cherry, 1 at the table" in outcome.out


@pytest.mark.parametrize("lines", ["1 / 0", PLAYED["rules that raise"][1]], ids=["that cannot be loaded", "that breaks its contract"])
def test_a_report_on_all_games_goes_on_without_a_broken_one(
    simulate: Simulate, site: Site, lines: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site(lines)
    monkeypatch.setattr(registry, "_shipped_games", lambda: frozenset({"cherry"}))
    outcome = simulate("report", "--all", "--players", "2", "--games", "60", "--to", "pages")
    assert outcome.code == 0, outcome.err
    assert [n for n in notes(outcome) if "broken" in n and n.endswith("It is left out.")]
    assert {p.name for p in (tmp_path / "pages").iterdir()} == {"cherry.html", "index.html"}


def test_a_game_that_is_called_as_one_of_ours_or_as_a_command_leaves_ours_alone(simulate: Simulate, site: Site) -> None:
    folder = site('GAME = replace(GAME, name="pig", file=HERE)', entry="pig")
    install(folder, "second", {"second": ""}, games=["verify = second:GAME"])
    listed = simulate("games")
    assert listed.code == 0
    for name, distribution, owner in (("verify", "second", "command"), ("pig", "visitor", "game")):
        reason = f"cannot be played, since a {owner} of Ludometer is called '{name}'; it needs another name. It is left out."
        assert any(n.startswith(f"Note: '{name}' from the installed package {distribution} ") and n.endswith(reason) for n in notes(listed))
    assert simulate("verify", "--group", "generator").code == 0
    assert simulate("pig", "--games", "20").out.startswith("Pig")


def test_two_packages_that_offer_one_game_are_both_named(simulate: Simulate, site: Site) -> None:
    folder = site('GAME = replace(GAME, name="broken", file=HERE)')
    install(folder, "second", {"second": ""}, games=["broken = second:GAME"])
    sentence = complaint(simulate, "broken", *PLAY, code=2)
    assert sentence == (
        "Error: 'broken' from the installed package visitor (broken:GAME) and 'broken' from the installed package second (second:GAME) "
        "have one name; uninstall all but one of them."
    )
    assert simulate("games").code == 0


# -- a game that does not come back, in a process of its own, which a stuck thread cannot outlive --

ENDLESS = "@jit\ndef turn(table, rules, seat):\n    while table.total < 5:\n        note(table, 0, 0, 0, 0)\n\n" + changed("turn=turn")
SHOWING = """
import sys
from simulator.play import patience
from simulator.cli import main
begin = patience.Clock.begin
def show(clock, step):
    print(f"step {step}", file=sys.stderr, flush=True)
    begin(clock, step)
patience.Clock.begin = show
main(sys.argv[1:])
"""


@pytest.fixture(scope="session")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a game is installed whose turns never end."""
    folder = tmp_path_factory.mktemp("endless")
    text = f"from tiny import *\n\nHERE = Path(__file__)\n{ENDLESS}\n"
    install(folder, "visitor", {"broken": text, "tiny": TINY}, games=["broken = broken:GAME"])
    return folder


def started(folder: Path, code: str, *arguments: str) -> AbstractContextManager[subprocess.Popen[Any]]:
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return programs.started([sys.executable, "-c", code, *arguments], env=os.environ | {"PYTHONPATH": path}, text=True)


@pytest.mark.parametrize("arguments", [("broken", *PLAY), ("replay", "broken", "--players", "2")], ids=["played", "told"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_game_whose_turns_never_end_is_ended_by_one_signal(endless: Path, arguments: tuple[str, ...], number: int, code: int) -> None:
    with started(endless, SHOWING, *arguments) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line == "step turn\n":
                break
        time.sleep(1.0)
        process.send_signal(number)
        out, err = programs.ended(process)
    assert (process.returncode, out) == (code, "")
    assert err.splitlines()[-1] == "Error: Interrupted; nothing was finished."


def test_a_game_whose_turns_never_end_is_named(endless: Path) -> None:
    code = "import sys; import simulator.play.step_faults as s; s.PATIENCE_S = 1.0; from simulator.cli import main; main(sys.argv[1:])"
    with started(endless, code, "replay", "broken", "--players", "2") as process:
        out, err = programs.ended(process)
    assert (process.returncode, out) == (1, "")
    assert re.search(r"Game 'broken' has not come back from `turn` \(.*broken\.py, line 4\) for 1 seconds in playout 0, turn 1; ", err)


LATE = """
rare = purpose_block(1)
as_ever = turn


@jit
def turn(table, rules, seat):
    if table.turn == 2 and below(table.chance, rare, 0, 500) == 7:
        while table.turn == 2:
            note(table, 0, 0, 0, 0)
    as_ever(table, rules, seat)

"""


def test_a_game_that_does_not_come_back_late_in_a_run_is_named_with_line_and_playout(tmp_path: Path) -> None:
    lines = LATE + changed("turn=turn")
    text = f"from tiny import *\n\nHERE = Path(__file__)\n{lines}\n"
    install(tmp_path, "visitor", {"broken": text, "tiny": TINY}, games=["broken = broken:GAME"])

    def played(games: str, patience: str = "") -> tuple[int, str]:
        code = f"import sys, simulator.play.executors as e; {patience or 'pass'}; from simulator.cli import main; main(sys.argv[1:])"
        with started(tmp_path, code, "broken", "--players", "2", "--games", games, "--workers", "2") as process:
            _, err = programs.ended(process)
        return process.returncode, err

    failed, err = played("20k", "e.PATIENCE_S = 1.0")
    assert failed == 1
    line = text.splitlines().index("def turn(table, rules, seat):")  # that of the decorator
    place = rf"`turn` \(.*broken\.py, line {line}\) for 5 seconds in playout (\d+), turn 2; it has to end"
    told = re.search(f"Game 'broken' has not come back from {place}", err)
    assert told, err
    assert int(told[1]) > 10, "none that was rehearsed"
    code, err = played(told[1])
    assert code == 0, f"all playouts before it come to an end: {err}"
