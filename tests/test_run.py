"""Running an experiment: the same counts however it is done, and interrupted runs keep what is finished."""

from __future__ import annotations

import sys
import threading
from typing import Any

import programs
import pytest

import simulator
from simulator.errors import UserError
from simulator.play.experiment import BATCH
from simulator.play.run import MAX_GAMES, make_experiment, run, run_experiment


def play(games: int, **options: Any) -> Any:
    """A run of random players."""
    return run("grinchmas", players=3, games=games, strategies=["uniform"], **options)


def test_an_interrupted_run_is_the_shorter_run() -> None:
    def press(done: int, _tally: Any) -> None:
        if done >= 2 * BATCH:
            raise KeyboardInterrupt

    result = play(10 * BATCH, progress=press, workers=2)
    assert result.interrupted
    assert (result.asked, result.games) == (10 * BATCH, 2 * BATCH)
    assert result.digest == play(2 * BATCH).digest


def test_an_interruption_before_the_first_batch_is_passed_on() -> None:
    def press(done: int, _tally: Any) -> None:
        assert done == 0
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(10, progress=press)


def test_no_thread_plays_on_after_an_interruption() -> None:
    def press(done: int, _tally: Any) -> None:
        if done:
            raise KeyboardInterrupt

    play(50 * BATCH, progress=press, workers=2)
    assert not [t for t in threading.enumerate() if t.name.startswith("playouts-")]


def test_progress_begins_with_nothing_and_counts_up_to_all() -> None:
    seen: list[tuple[int, int | None]] = []
    play(2 * BATCH + 5, progress=lambda done, tally: seen.append((done, tally.games if tally is not None else None)))
    assert seen == [(0, None), (BATCH, BATCH), (2 * BATCH, 2 * BATCH), (2 * BATCH + 5, 2 * BATCH + 5)]


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_the_number_of_workers_leaves_no_trace(workers: int) -> None:
    assert play(3 * BATCH + 1, workers=workers).digest == play(3 * BATCH + 1).digest


def test_a_short_run_takes_no_longer_than_its_playouts() -> None:
    assert min(play(1).elapsed_s for _ in range(5)) < 0.1


def test_the_counts_of_a_longer_run_contain_those_of_a_shorter() -> None:
    short, long = (play(games).tally["turns"] for games in (500, 1000))
    assert all(long.as_dict()[value] >= n for value, n in short.as_dict().items())


@pytest.mark.parametrize("games", [0, -5, MAX_GAMES + 1])
def test_a_number_of_games_out_of_range_is_refused(games: int) -> None:
    with pytest.raises(UserError, match=f"between 1 and 9,007,199,254,740,992, not {games:,}"):
        play(games)


@pytest.mark.parametrize("workers", [0, -1])
def test_a_number_of_workers_below_one_is_refused(workers: int) -> None:
    with pytest.raises(UserError, match=f"at least 1, not {workers}"):
        play(1, workers=workers)


@pytest.mark.parametrize(
    ("options", "sentence"), [({"players": 9}, "2 to 6 players, not 9"), ({"seed": -1}, "seed"), ({"seed": 2**64}, "seed")]
)
def test_an_impossible_experiment_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        make_experiment("grinchmas", **options)


def test_the_largest_seed_is_played() -> None:
    assert run_experiment(make_experiment("grinchmas", strategies=["uniform"], seed=2**64 - 1), 10).games == 10


def test_the_package_can_be_called_before_and_after_its_module_is_imported() -> None:
    ask = "simulator.run('grinchmas', games=3, strategies=['uniform']).games"
    code = f"import simulator; a, b = {ask}, {ask}; import simulator.play.run; from simulator import run; print(a, b, {ask})"
    done = programs.run([sys.executable, "-c", code], check=True)
    assert done.stdout.split() == ["3", "3", "3"]
    assert simulator.run("grinchmas", games=3, strategies=["uniform"]).games == 3
