"""The bar that a long run shows: its rate, the time left, and how many playouts there will be."""

from __future__ import annotations

import io
from typing import Any, Self

import pytest

from simulator.cli import show
from simulator.document.figures import estimate_text
from simulator.play.experiment import BATCH
from simulator.play.run import Precision, make_experiment, run_experiment
from simulator.studies import run as study


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


class Bar:
    """In place of Rich's: remembers what it was told."""

    def __init__(self, *_columns: Any, **_options: Any) -> None:
        self.told: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def add_task(self, *_: Any, **_options: Any) -> int:
        return 0

    def update(self, _task: int, **told: Any) -> None:
        self.told.append(told)


def watched(monkeypatch: pytest.MonkeyPatch) -> Bar:
    """What the bar is told from now on."""
    made, clock = Bar(), iter(range(0, 1000, 10))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("rich.progress.Progress", lambda *_columns, **_options: made)
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))  # ten seconds pass between any two looks at it
    return made


def test_the_rate_counts_what_was_played_and_not_what_a_ledger_had(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = watched(monkeypatch)
    with show.stage("4 players", 1_002_000, lambda _tally: ("so far", 1_002_000)) as update:
        assert update is not None
        update(0, None)
        update(1_000_000, None)
        update(1_001_000, object())  # type: ignore[arg-type]  # any tally will do
    assert bar.told[-1]["state"].startswith("100/s  so far")
    assert bar.told[-1]["left"] == "00:10"
    assert bar.told[-1]["completed"] == 1_001_000


def test_the_time_left_goes_by_the_playouts_that_will_be_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = watched(monkeypatch)
    with show.stage("4 players", 10**9, lambda _tally: ("so far", 7000)) as update:
        assert update is not None
        update(0, None)
        update(1000, object())  # type: ignore[arg-type]  # any tally will do
    assert bar.told[-1]["total"] == 7000
    assert bar.told[-1]["left"] == "01:00"


@pytest.mark.parametrize("width", [None, 0.01])
def test_what_the_bar_says_of_a_run_is_what_is_shown_in_the_end(width: float | None) -> None:
    asked, most = make_experiment("pig", players=3), 100 * BATCH
    precision = None if width is None else Precision(width)

    def press(done: int, _tally: Any) -> None:
        if precision is None and done >= 2 * BATCH:
            raise KeyboardInterrupt

    begun = run_experiment(asked, BATCH).tally
    ended = run_experiment(asked, most, precision=precision, progress=press)
    told, expected = study._so_far(asked, most, precision, ended.tally)
    assert told == f"Seat 0 wins {estimate_text(ended.estimates['wins.0'])}"
    assert expected == (most if precision is None else ended.games)
    _, foreseen = study._so_far(asked, most, precision, begun)
    assert 0.5 * expected < foreseen < 2 * expected
