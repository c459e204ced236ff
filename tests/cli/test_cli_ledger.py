"""`--ledger` with every study: what it played is remembered, and listed, shown and forgotten."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from simulator.stats.digests import joint_digest

if TYPE_CHECKING:
    from conftest import Outcome, Simulate

STUDIES = {
    "compare": "compare pig --variant goal=50 --players 2 --games 500",
    "compare across": "compare pig --variant goal=50 --players 2 --games 500 --across hold --across uniform",
    "sweep": "sweep pig --vary goal=50,60 --players 2 --games 500",
    "sensitivity": "sensitivity pig --players 2 --games 500 --interactions",
    "sensitivity across": "sensitivity pig --players 2 --games 500 --across hold --across uniform",
    "check": "check promises.toml",
    "tournament": "tournament pig --players 2 --games 500 --strategy hold --strategy uniform",
    "skill": "skill pig --players 2 --games 300 --lookahead 0 --strategy hold --strategy uniform",
    "drama": "drama pig --players 2 --games 9 --rollouts 10",
    "tune": "tune orchard --target players_win=0.6 --within 0.1 --vary raven.steps=4:6 --players 2 --games 800",
    "tune-strategy": "tune-strategy pig hold --vary at=19:21 --players 2 --games 3000",
}
PROMISE = "[[promise]]\ngame = 'pig'\nplayers = 2\nmetric = 'turns'\nat_most = 90\ngames = 500\n"


def found(outcome: Outcome) -> Any:
    """What was printed as JSON, without how long it took."""
    return json.loads(outcome.out, object_hook=lambda one: {key: value for key, value in one.items() if key != "elapsed_s"})


@pytest.fixture
def ledger(tmp_path: Path) -> tuple[str, str]:
    """Has a ledger used; there are promises to check."""
    (tmp_path / "promises.toml").write_text(PROMISE)
    return "--ledger", "l.sqlite"


@pytest.mark.parametrize("name", STUDIES)
def test_what_a_study_played_is_not_played_again(
    name: str, simulate: Simulate, ledger: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [*STUDIES[name].split(), "--json"]
    without = simulate(*words)
    first = simulate(*words, *ledger)
    monkeypatch.setattr("simulator.play.executors.Threads", None)  # nobody is there who could play
    again = simulate(*words, *ledger)
    assert found(without) == found(first) == found(again)
    assert without.code == first.code == again.code


def digests_in(document: Any) -> list[str]:
    """The digests of a whole study."""
    if "results" in document:
        return [one["digest"] for one in document["results"]]
    return [document["digest"]] if "digest" in document else document["digests"]


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_prints_a_digest_of_what_it_counted(name: str, simulate: Simulate, ledger: tuple[str, str], tmp_path: Path) -> None:
    words = [*STUDIES[name].split(), *ledger]
    digests = digests_in(found(simulate(*words, "--json")))
    assert digests
    assert all(re.fullmatch("[0-9a-f]{16}", digest) for digest in digests)
    shown = " ".join(simulate(*words).out.split())
    assert joint_digest(digests) in shown if "across" in name else all(digest in shown for digest in digests)
    if name == "check":
        (tmp_path / "promises.toml").write_text(PROMISE + "seed = 2\n")
    else:
        words += ["--seed", "2"]
    other = digests_in(found(simulate(*words, "--json")))
    assert not {*digests} & {*other}


def test_what_studies_played_is_listed_shown_and_forgotten(simulate: Simulate, ledger: tuple[str, str]) -> None:
    simulate(*STUDIES["compare"].split(), *ledger)
    simulate("pig", "--players", "2", "--games", "100", *ledger)
    pairs, run = found(simulate("ledger", "list", *ledger, "--json"))["experiments"]
    assert (pairs["games"], run["games"]) == (500, 100)
    assert pairs["question"]["kind"] == "pairs"
    (changed,) = pairs["question"]["others"]
    assert changed["rules"] == {"goal": 50}
    assert "kind" not in run["question"]
    listed = " ".join(simulate("ledger", "list", *ledger).out.split())
    assert "pairs of 2" in listed
    assert "goal" in simulate("ledger", "show", pairs["id"], *ledger).out
    assert simulate("ledger", "forget", pairs["id"], *ledger).out == f"Forgot {pairs['id']}, 500 playouts.\n"
    assert [one["id"] for one in found(simulate("ledger", "list", *ledger, "--json"))["experiments"]] == [run["id"]]


def test_a_ledgers_file_alone_lists_it(simulate: Simulate, ledger: tuple[str, str]) -> None:
    simulate("pig", "--players", "2", "--games", "100", *ledger)
    assert simulate("ledger", "l.sqlite") == simulate("ledger", "list", *ledger)
    assert simulate("ledger", "l.sqlite", "--json") == simulate("ledger", "list", *ledger, "--json")
    assert simulate("ledger", "lost.sqlite").err.startswith("Error: There is no ledger lost.sqlite;")
    assert "No such command 'lits'" in simulate("ledger", "lits").err


def test_a_refused_study_makes_no_ledger(simulate: Simulate, ledger: tuple[str, str], tmp_path: Path) -> None:
    assert simulate("compare", "pig", "--variant", "goals=50", *ledger).code == 2
    assert not (tmp_path / "l.sqlite").exists()
