"""Runs whose playouts have large numbers: counted as the plain C twin counts them, kept in a ledger, and taken up again."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import SEED, needs_gcc
from twin import TWINS, built

from simulator.play.experiment import BATCH, plan
from simulator.play.ledger import Ledger
from simulator.play.run import MAX_GAMES, make_experiment, run_experiment
from simulator.stats.tally import tally_rows

GAMES = 2 * BATCH
ACROSS_2_TO_32, UP_TO_2_TO_53 = 2**32 - BATCH - 5, MAX_GAMES - GAMES


@needs_gcc
@pytest.mark.parametrize("first", [ACROSS_2_TO_32, UP_TO_2_TO_53])
@pytest.mark.parametrize("game", TWINS)
def test_a_late_run_counts_what_the_twin_counts(game: str, first: int) -> None:
    strategy = TWINS[game].strategies[1]
    asked = make_experiment(game, players=3, strategies=[strategy], seed=SEED)
    rows = built(game).rows(asked.rules, [strategy] * 3, SEED, first, GAMES)
    assert run_experiment(asked, GAMES, first=first).digest == tally_rows(rows, asked.metrics).digest


@pytest.mark.parametrize("first", [ACROSS_2_TO_32, UP_TO_2_TO_53])
def test_a_ledger_remembers_late_batches(tmp_path: Path, first: int) -> None:
    asked = make_experiment("grinchmas", players=2, strategies=["uniform"])
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        whole = run_experiment(asked, GAMES, first=first, ledger=ledger)
        assert ledger.batches(asked) == frozenset(plan(GAMES, first=first))
        assert run_experiment(asked, GAMES, first=first, ledger=ledger).digest == whole.digest
    assert whole.digest != run_experiment(asked, GAMES).digest, "other playouts, not the first ones again"
