"""The rehearsal: a strategy from elsewhere is tried in plain Python before anything is played."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from simulator.errors import MisbehaviourError, StrategyError
from simulator.games.grinchmas.view import SCORE
from simulator.play import rehearsal
from simulator.play.plain_python import decide_in_python
from simulator.play.rehearsal import DECISIONS, rehearse
from simulator.play.run import make_experiment, run_experiment
from simulator.play.stepper import Stepper

HEAD = '{}\nfrom simulator.games.grinchmas.view import *\nfrom strategies import Params, strategy\n\n\n\n@strategy("grinchmas")\n'


def experiment(folder: Path, body: str, *others: str, signature: str = "view, u", imports: str = "import math") -> Any:
    """Merry Grinchmas with a strategy of that body, and others."""
    file = folder / "mine.py"
    file.write_text(f'{HEAD.format(imports)}def play({signature}):\n    """Plays."""\n    {body}\n', encoding="utf-8")
    return make_experiment("grinchmas", players=3, strategies=[f"{file}:play", *others])


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the strategies that would have been compiled; none is, since that takes a second each."""
    names: list[str] = []
    monkeypatch.setattr(rehearsal, "chooser_address", lambda player, _game: names.append(player.strategy.name))
    monkeypatch.setattr(rehearsal, "play_again", lambda *_arguments: None)
    return names


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, float]]:
    """Seat and random number of each decision in plain Python."""
    found: list[tuple[int, float]] = []

    def decide(player: Any, view: Any, u: float) -> Any:
        found.append((int(view.seat), u))
        return decide_in_python(player, view, u)

    monkeypatch.setattr(rehearsal, "decide_in_python", decide)
    return found


def test_a_shipped_strategy_is_not_rehearsed(compiles: list[str]) -> None:
    rehearse(make_experiment("grinchmas", strategies=["uniform", "greedy"]))
    assert compiles == []


def test_a_good_strategy_is_asked_often_and_then_compiled(tmp_path: Path, compiles: list[str], asked: list[tuple[int, float]]) -> None:
    rehearse(experiment(tmp_path, "return 0"))
    assert len(asked) == DECISIONS
    assert all(0 <= u < 1 for _, u in asked)
    assert compiles == ["play"]


def test_a_strategy_at_a_single_seat_is_rehearsed_there(tmp_path: Path, compiles: list[str], asked: list[tuple[int, float]]) -> None:
    rehearse(experiment(tmp_path, "return 0", "uniform", "uniform"))
    assert {seat for seat, _ in asked} == {0}
    assert compiles == ["play"]


def test_the_same_strategy_with_other_parameters_is_rehearsed_as_well(tmp_path: Path, compiles: list[str]) -> None:
    file = tmp_path / "mine.py"
    question = experiment(tmp_path, "return p.first", f"{file}:play:first=99", signature="view, u, p=Params(first=0)")
    with pytest.raises(StrategyError, match=r"'play' is refused .* returns option 99"):
        rehearse(question)
    assert compiles == ["play"]


def test_a_decision_that_runs_too_many_lines_is_refused_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match=r"mine\.py, line 10\): a decision ran more than [\d,]+ lines"):
        rehearse(experiment(tmp_path, "while True: view.turn"))


def test_a_decision_that_waits_without_running_lines_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "check_source", lambda *_arguments: None)
    monkeypatch.setattr(rehearsal, "PATIENCE_S", 1.0)
    with pytest.raises(StrategyError, match=r"line 8\): a decision did not end within 1 second"):
        rehearse(experiment(tmp_path, "sleep(3)", imports="from time import sleep"))


def test_the_time_it_takes_to_get_ready_is_not_the_strategys_fault(
    tmp_path: Path, compiles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiling a game takes long on a slow machine."""

    class SlowTable(rehearsal.Table):
        def __init__(self, *arguments: Any) -> None:
            time.sleep(1.0)
            super().__init__(*arguments)

    monkeypatch.setattr(rehearsal, "Table", SlowTable)
    monkeypatch.setattr(rehearsal, "PATIENCE_S", 0.5)
    rehearse(experiment(tmp_path, "return 0"))
    assert compiles == ["play"]


def test_a_failure_in_a_helper_is_told_with_the_line_of_the_helper(tmp_path: Path) -> None:
    helper = "from simulator.kernel.jit import jit\n\n\n@jit\ndef help_me(view):\n    return (1,)[view.n_options]\n"
    (tmp_path / "helper.py").write_text(helper, encoding="utf-8")
    with pytest.raises(StrategyError, match=r"helper\.py, line 6\): IndexError"):
        rehearse(experiment(tmp_path, "return help_me(view)", imports="from helper import help_me"))


@pytest.mark.parametrize("body", ["return int(view.turn / view.grinch_stars)", "return view.turn // view.grinch_stars"])
def test_a_division_by_zero_is_refused_with_its_line(tmp_path: Path, body: str) -> None:
    with pytest.raises(StrategyError, match=r"mine\.py, line 10\): it divides by zero there; ask first"):
        rehearse(experiment(tmp_path, body))


def test_a_division_by_zero_that_the_rehearsal_does_not_meet_stops_the_run(tmp_path: Path) -> None:
    question = experiment(tmp_path, "return view.turn // view.n_options // int(u > 0.00002) * 0")
    with pytest.raises(MisbehaviourError, match=r"mine\.py, line 10\) failed in playout \d+ .*it divides by zero"):
        run_experiment(question, 3_000)


def test_a_place_beyond_the_end_that_the_rehearsal_does_not_meet_stops_the_run(tmp_path: Path) -> None:
    question = experiment(tmp_path, "return view.spot[2 + int(u < 0.00002)] * 0")
    with pytest.raises(MisbehaviourError, match=r"mine\.py, line 10\) failed in playout \d+ .*it reads place 3 of an array that has 3"):
        run_experiment(question, 3_000)


# ---------------------------------------------------------------- what shows only when it plays
@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets every source pass, as if what is wrong in it could not be told from there, and plain Python as well."""
    monkeypatch.setattr(rehearsal, "check_source", lambda *_arguments: None)
    monkeypatch.setattr(rehearsal, "decide_in_python", lambda *_arguments: (0, 1, None))


@pytest.mark.usefixtures("unseen")
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return int(np.random.random() * view.n_options)", r"line 8\): it decides otherwise when playout \d+ is played alone"),
        ("view.stars += 1; return 0", r"line 8\): it changes its view or its parameters"),
        ("p.at += 1; return int(p.at % 2)", r"line 8\): it changes its view or its parameters"),
    ],
)
def test_what_is_decided_otherwise_alone_than_in_a_row_is_refused(tmp_path: Path, body: str, reason: str) -> None:
    with pytest.raises(StrategyError, match=reason):
        rehearse(experiment(tmp_path, body, signature="view, u, p=Params(at=0)", imports="import numpy as np"))


@pytest.mark.usefixtures("unseen")
def test_a_field_that_holds_what_was_left_before_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that leaves anything in a field, for all decisions but one."""
    question = experiment(tmp_path, "return 0 if view.bag[0] % 2 == 0 else 1")
    observe, anything = Stepper.observe, count()

    def forgetful(stepper: Stepper) -> Any:
        observe(stepper)
        if stepper.table.head["decision"] != SCORE:
            stepper.table.view["bag"] = next(anything)
        return stepper.view

    monkeypatch.setattr(Stepper, "observe", forgetful)
    with pytest.raises(StrategyError, match=r"mine\.py, line 10\): it reads view\.bag at the decision 'take', where nothing stands there"):
        rehearse(question)
