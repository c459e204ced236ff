"""The rehearsal: a strategy from elsewhere is tried in plain Python before anything is played."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from simulator import rehearsal
from simulator.errors import StrategyError
from simulator.rehearsal import DECISIONS, rehearse
from simulator.run import make_experiment

HEAD = 'from {} import *\nfrom strategies import Params, strategy\n\ncalls = []\n\n\n@strategy("grinchmas")\n'


def experiment(folder: Path, body: str, *others: str, signature: str = "view, u", module: str = "time") -> Any:
    """Merry Grinchmas with a strategy of that body, and others."""
    file = folder / "mine.py"
    file.write_text(f'{HEAD.format(module)}def play({signature}):\n    """Plays."""\n    {body}\n', encoding="utf-8")
    return make_experiment("grinchmas", players=3, strategies=[f"{file}:play", *others])


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the strategies that would have been compiled; none is, since that takes a second each."""
    names: list[str] = []
    monkeypatch.setattr(rehearsal, "chooser_address", lambda strategy, _game: names.append(strategy.name))
    return names


def test_a_shipped_strategy_is_not_rehearsed(compiles: list[str]) -> None:
    rehearse(make_experiment("grinchmas", strategies=["uniform", "greedy"]))
    assert compiles == []


def test_a_good_strategy_is_asked_often_and_then_compiled(tmp_path: Path, compiles: list[str]) -> None:
    question = experiment(tmp_path, "calls.append(u) or 0; return 0")
    rehearse(question)
    asked = question.lineup[0].strategy.function.__globals__["calls"]
    assert len(asked) == DECISIONS
    assert all(0 <= u < 1 for u in asked)
    assert compiles == ["play"]


def test_a_strategy_at_a_single_seat_is_rehearsed_there(tmp_path: Path, compiles: list[str]) -> None:
    question = experiment(tmp_path, "calls.append(int(view.seat)); return 0", "uniform", "uniform")
    rehearse(question)
    assert set(question.lineup[0].strategy.function.__globals__["calls"]) == {0}
    assert compiles == ["play"]


def test_the_same_strategy_with_other_parameters_is_rehearsed_as_well(tmp_path: Path, compiles: list[str]) -> None:
    file = tmp_path / "mine.py"
    question = experiment(tmp_path, "return p.first", f"{file}:play:first=99", signature="view, u, p=Params(first=0)")
    with pytest.raises(StrategyError, match=r"'play' is refused .* returned option 99"):
        rehearse(question)
    assert compiles == ["play"]


def test_a_decision_that_runs_too_many_lines_is_refused_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match=r"mine\.py, line 10\): a decision ran more than [\d,]+ lines"):
        rehearse(experiment(tmp_path, "while True: view.turn"))


def test_a_decision_that_waits_without_running_lines_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "PATIENCE_S", 1.0)
    with pytest.raises(StrategyError, match=r"line 7\): a decision did not end within 1 second"):
        rehearse(experiment(tmp_path, "sleep(3)"))


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


def test_a_failure_in_a_helper_is_told_with_the_line_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "rehearsed_helper.py").write_text("def help_me(view):\n    return 1 // 0\n", encoding="utf-8")
    with pytest.raises(StrategyError, match=r"mine\.py, line 10\): ZeroDivisionError"):
        rehearse(experiment(tmp_path, "return help_me(view)", module="rehearsed_helper"))
