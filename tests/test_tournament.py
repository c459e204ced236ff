"""Tournaments: exact answers, fair seats, no order where there is none, and the same result however it is played."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from anchors.exact_answers import emptiest, fullest, orchard, pig_by_lacking, pig_first, pig_hold

from simulator import registry
from simulator.errors import StrategyError, UserError
from simulator.play.resources import Resources
from simulator.play.run import run_experiment
from simulator.rules import values
from simulator.stats.estimate import estimate_share
from simulator.stats.paired import pair_rows
from simulator.studies.meetings import Pairing, TournamentPlan
from simulator.studies.ratings import ELO, chance
from simulator.studies.standings import Tournament
from simulator.studies.study import Setup
from simulator.studies.tournament import TournamentStudy, findings, tournament

TRIO = [f"{Path(__file__).parent / 'intransitive_strategies.py'}:{name}" for name in ("rock", "paper", "scissors")]


@cache
def pig(players: int = 2) -> Tournament:
    return tournament("pig", players=players, games=20_000 if players == 2 else 4_000)


def cell(found: Tournament, one: str, other: str) -> Any:
    return found.wins[found.strategies.index(one)][found.strategies.index(other)]


def duel(rng: Any, first: int, second: int, chances: tuple[float, float], pairs: int) -> Pairing:
    """Two that met at tables for two: chances of the first and of the second to win in the first seat, on the same draws."""
    u = rng.random(pairs)
    rows = [np.stack([u < p, u >= p], axis=1).astype(np.int32) for p in (chances[1], chances[0])]
    seats = pair_rows(rows[0], rows[1], ["wins.0", "wins.1"])
    other = pair_rows(rows[1], rows[0], ["wins.0", "wins.1"])
    return Pairing(first, second, 2, (seats["wins.0"], other["wins.1"]), pairs, (0, 0))


def lone(rng: Any, first: int, second: int, chances: tuple[float, float], pairs: int) -> Pairing:
    """Two that met at tables for three: chances of the first and of the second to win, alone among the other, on the same draws."""
    u = rng.random(pairs)
    one, other = ((u < p).astype(np.int32)[:, None] for p in chances)
    sums = pair_rows(other, one, ["wins"])["wins"]
    return Pairing(first, second, 3, (sums,), pairs, (0, 0))


NAMES = ("rock", "paper", "scissors", "well", "hold")


def made_up(strategies: int, pairings: list[Pairing], names: tuple[str, ...] = NAMES) -> Tournament:
    players = pairings[0].players
    entrants = {name: name for name in names[:strategies]}
    return Tournament(TournamentPlan(Setup(registry.game("pig"), (players,)), players, entrants, pairings[0].n), tuple(pairings))


# ---------------------------------------------------------------- exact answers
def test_the_optimal_strategy_leads_the_tournament_of_pig() -> None:
    found = pig()
    assert found.strategies[found.order[0]] == "optimal"
    assert found.leader == found.strategies.index("optimal")
    assert found.cycles == ()
    assert findings(found)[0] == "optimal beats every other strategy."
    assert found.ratings is not None
    optimal, hold = (found.ratings.values[found.strategies.index(name)] for name in ("optimal", "hold"))
    assert (hold.best, hold.low, hold.high) == (0, 0, 0)
    assert optimal.low > 0


def test_the_matrix_of_pig_holds_the_exact_chances() -> None:
    policy = registry.player(registry.game("pig"), "optimal").record
    assert policy is not None
    stops = {"hold": pig_hold(20), "strict_hold": pig_hold(20, strict=True), "optimal": pig_by_lacking(policy["policy"][0], 1)}
    for one, other in combinations(stops, 2):
        exact = (pig_first(stops[one], stops[other]) + 1 - pig_first(stops[other], stops[one])) / 2
        found = cell(pig(), one, other)
        assert found.low < exact < found.high
        assert found.best + cell(pig(), other, one).best == pytest.approx(1)
        assert found.n == 20_000
        assert found.high - found.low < 0.012  # pairs on the same draws; independent games would need 0.014


def test_tables_of_first_orchard_hold_the_exact_chances() -> None:
    found = tournament("orchard", players=2, games=20_000)
    shipped = values(found.rules)
    size = (shipped["trees.fruit"], shipped["raven.steps"], shipped["basket.fruits"])
    exact = {"fullest": orchard(*size, fullest), "emptiest": orchard(*size, emptiest), "uniform": orchard(*size, None)}
    assert sorted(found.strategies) == sorted(exact)
    for name, wins in exact.items():
        own = cell(found, name, name)
        assert own.low < wins < own.high
    mixed = cell(found, "fullest", "emptiest")
    assert exact["emptiest"] < mixed.low < mixed.high < exact["fullest"]
    assert mixed == cell(found, "emptiest", "fullest")
    assert (found.ratings, found.cycles, found.leader, found.equal_share) == (None, (), None, None)


# ---------------------------------------------------------------- fair seats
def test_each_sits_alone_in_every_seat_as_often() -> None:
    found = tournament("pig", players=3, strategies=["hold", "uniform"], games=1000)
    for one, other in (("hold", "uniform"), ("uniform", "hold")):
        wins = 0
        for seat in range(3):
            lineup = [one if s == seat else other for s in range(3)]
            tally = run_experiment(found.plan.experiment(lineup, f"seat {seat}"), 334).tally
            wins += tally[f"wins.{seat}"].moments()[0]
        assert cell(found, one, other) == estimate_share(wins, 1002)


@pytest.mark.parametrize("players", [2, 3])
def test_strategies_that_play_alike_are_never_told_apart(players: int, tmp_path: Path) -> None:
    file = tmp_path / "twin.py"
    file.write_text(
        "from simulator.games.pig import HOLD, ROLL\nfrom strategies import strategy\n\n\n"
        '@strategy("pig")\ndef twin(view, u):\n    """Holds at 20."""\n'
        "    return HOLD if view.total >= 20 or view.score[view.seat] + view.total >= view.goal else ROLL\n",
        encoding="utf-8",
    )
    found = tournament("pig", players=players, strategies=["hold", f"{file}:twin"], games=3000)
    share = cell(found, "hold", "twin")
    assert share.low <= 1 / players <= share.high
    assert share.best == pytest.approx(cell(found, "twin", "hold").best)
    assert found.pairings[0].difference().best == 0
    assert not found.beats
    assert found.ratings is not None
    twin = found.ratings.values[1]
    assert twin.best == pytest.approx(0, abs=1e-6)
    assert twin.low < 0 < twin.high


@pytest.mark.parametrize("players", [2, 3])
def test_games_without_a_winner_are_nobodys_wins_and_are_told(players: int) -> None:
    found = tournament("pig", players=players, strategies=["hold", "optimal"], games=3000, rules={"turn_cap": 14})
    share, other = cell(found, "hold", "optimal"), cell(found, "optimal", "hold")
    assert 0 < found.without_winner < found.games
    assert share.low < share.best < share.high
    if players == 2:
        assert share.best + other.best + found.without_winner / found.games == pytest.approx(1)
    assert findings(found)[0].startswith(f"The turn cap ended {found.without_winner:,} of {found.games:,} games (")
    few = made_up(2, [replace(found.pairings[0], unfinished=1)])
    assert f"{few.without_winner:,} of {few.games:,} playouts had no winner and count as nobody's win." in findings(few)
    (pairing,) = found.pairings
    assert sum(pairing.contest().first_record) == pairing.n - pairing.nobody[0]


# ---------------------------------------------------------------- order
def test_a_planted_round_of_three_is_reported_as_a_cycle() -> None:
    rng = np.random.default_rng(1)
    found = made_up(4, [duel(rng, a, b, c, 500) for (a, b), c in ROUND.items()])
    assert found.cycles == ((0, 2, 1),)
    assert "Cycle: rock beats scissors beats paper beats rock." in findings(found)
    assert found.as_dict()["cycles"] == [["rock", "scissors", "paper"]]
    assert found.leader == 3


ROUND = {
    (0, 1): (0.3, 0.7),
    (0, 2): (0.7, 0.3),
    (0, 3): (0.3, 0.7),
    (1, 2): (0.3, 0.7),
    (1, 3): (0.3, 0.7),
    (2, 3): (0.3, 0.7),
}
"""Paper beats rock, rock scissors, scissors paper, and the fourth all of them."""


def test_three_strategies_that_beat_each_other_are_found_out_at_the_table() -> None:
    found = tournament("pig", players=2, strategies=[*TRIO, "hold"], games=1000)
    assert [[found.strategies[s] for s in cycle] for cycle in found.cycles] == [["rock", "scissors", "paper"]]
    assert found.ratings is not None
    assert found.ratings.misfit is not None
    assert abs(found.ratings.misfit.seen.best - found.ratings.misfit.expected) > 0.3


def test_strategies_of_equal_strength_are_called_apart_as_seldom_as_promised_and_give_no_cycle() -> None:
    rng = np.random.default_rng(2)
    wrong, rounds, runs = 0, 0, 150
    for _ in range(runs):
        found = made_up(4, [duel_of_equals(rng, a, b) for a, b in combinations(range(4), 2)])
        wrong += bool(found.beats)
        rounds += bool(found.cycles)
    assert 0 < wrong <= 0.05 * runs + 3 * (0.05 * 0.95 * runs) ** 0.5
    assert rounds == 0


def duel_of_equals(rng: Any, a: int, b: int) -> Pairing:
    """Draws that do not go together, so that what differs is luck alone."""
    u, v = rng.random(200) < 0.55, rng.random(200) < 0.55
    rows = [np.stack([w, ~w], axis=1).astype(np.int32) for w in (v, u)]
    one, other = (pair_rows(*pair, ["wins.0", "wins.1"]) for pair in (rows, rows[::-1]))
    return Pairing(a, b, 2, (one["wins.0"], other["wins.1"]), 200, (0, 0))


def test_intervals_of_a_pairing_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        first, second = duel(rng, 0, 1, (0.62, 0.55), 300).shares
        assert first.low + second.high == pytest.approx(1)
        held += first.low <= 0.5 + (0.62 - 0.55) / 2 <= first.high
    assert 0.92 <= held / 400 <= 0.985


@pytest.mark.parametrize("together", [True, False])
def test_shares_hold_the_truth_where_some_games_have_no_winner(together: bool) -> None:
    """Also where the two tables of a pair go the same way, so that two games tell no more than one."""
    rng, runs, pairs = np.random.default_rng(8), 400, 300
    won = np.zeros(2, int)
    for _ in range(runs):
        u, v = rng.random(pairs), rng.random(pairs)
        one_first, other_first = (np.stack([w < 0.6, w >= 0.9], axis=1).astype(np.int32) for w in (u, u if together else v))
        rows = (other_first[:, ::-1], one_first)
        seats, exchanged = (pair_rows(*pair, ["wins.0", "wins.1"]) for pair in (rows, rows[::-1]))
        wins = [int((one_first[:, k] + other_first[:, k]).sum()) for k in range(2)]
        nobody = 2 * pairs - sum(wins)
        sums = (seats["wins.0"], exchanged["wins.1"])
        shares = Pairing(0, 1, 2, sums, pairs, (nobody, nobody)).shares
        assert [e.best for e in shares] == pytest.approx([w / (2 * pairs) for w in wins])
        won += [e.low <= p <= e.high for e, p in zip(shares, (0.6, 0.1), strict=True)]
    assert (won >= (0.925 * runs)).all()


@pytest.mark.parametrize("players", [2, 3])
def test_intervals_of_ratings_hold_the_truth_though_tables_share_their_draws(players: int) -> None:
    rng = np.random.default_rng(5)
    worth, runs, held = (0.0, 0.25, -0.2), 150, 0
    for _ in range(runs):
        met = [
            (duel if players == 2 else lone)(
                rng, a, b, (chance(worth[a], worth[b], players - 1), chance(worth[b], worth[a], players - 1)), 400
            )
            for a, b in combinations(range(3), 2)
        ]
        ratings = made_up(3, met, ("hold", "rock", "paper")).ratings
        assert ratings is not None
        held += sum(e.low <= ELO * w <= e.high for e, w in zip(ratings.values[1:], worth[1:], strict=True))
    assert 0.92 <= held / (2 * runs) <= 0.98


def test_no_two_pairings_and_no_two_seats_share_their_draws() -> None:
    (plan,) = TournamentStudy.of("pig", players=3, games=10).plans
    seeds = {
        plan.experiment([one if s == seat else other for s in range(3)], f"seat {seat}").seed
        for one, other in combinations(plan.entrants, 2)
        for seat in range(3)
    }
    assert len(seeds) == 6 * 3


def test_nobody_is_said_to_lead_where_the_first_two_are_not_apart() -> None:
    rng = np.random.default_rng(4)
    found = made_up(3, [duel(rng, 0, 1, (0.5, 0.49), 50), duel(rng, 0, 2, (0.8, 0.2), 300), duel(rng, 1, 2, (0.8, 0.2), 300)])
    assert found.leader is None
    told = findings(found)
    assert told[0] == "No strategy is shown to beat every other; not shown to be beaten by any: rock, paper."
    assert "Undecided: rock and paper." in told


# ---------------------------------------------------------------- the same however it is played
def test_neither_workers_nor_the_order_nor_who_else_takes_part_matter() -> None:
    found = tournament("pig", players=2, strategies=["hold", "uniform", "optimal"], games=2000, workers=1)
    again = tournament("pig", players=2, strategies=["optimal", "uniform", "hold"], games=2000, workers=3)
    assert found.digest == again.digest
    for one, other in combinations(found.strategies, 2):
        assert cell(found, one, other) == cell(again, one, other)
    alone = tournament("pig", players=2, strategies=["hold", "optimal"], games=2000)
    assert cell(alone, "hold", "optimal") == cell(found, "hold", "optimal")
    assert tournament("pig", players=2, strategies=["hold", "optimal"], games=2000, seed=2).digest != alone.digest


@pytest.mark.parametrize(("game", "players"), [("pig", 2), ("pig", 3), ("orchard", 2), ("orchard", 4)])
def test_as_much_is_played_as_the_plan_says(game: str, players: int) -> None:
    counted: list[int] = []
    found = tournament(game, players=players, games=100, stage=lambda _label, _size: nullcontext(lambda done, _part: counted.append(done)))
    assert found.plan.size == found.games == counted[-1]
    assert counted == sorted(counted)
    assert all(e is None or e.n >= 100 for line in found.wins for e in line)


def test_cooperative_games_of_four_have_tables_half_and_half() -> None:
    found = tournament("orchard", players=4, games=2000)
    assert {frozenset(t.strategies) for t in found.halves} == {frozenset(p) for p in combinations(range(3), 2)}
    assert all(t.win.n == 2000 for t in found.halves)
    assert any(told.startswith("Which table of one strategy is best is open between fullest ") for told in findings(found))
    clear = tournament("orchard", players=2, games=20_000)
    assert any(told.startswith("The best table of one strategy is fullest") for told in findings(clear))


def test_an_interrupted_tournament_keeps_the_pairings_that_are_done() -> None:
    def press(done: int, _part: Any) -> None:
        if done > 4000:
            raise KeyboardInterrupt

    study = TournamentStudy.of("pig", players=(2, 3), games=2000)
    (found,) = study.play(Resources(stage=lambda _label, _size: nullcontext(press))).parts
    assert found.interrupted
    assert len(found.pairings) == 2
    assert found.ratings is None
    assert found.as_dict()["ratings"] == []
    whole = tournament("pig", players=2, games=2000)
    assert found.wins[0][1] == whole.wins[0][1]
    assert found.wins[1][2] is None


def test_interrupted_before_anything_is_done_there_is_nothing_to_keep() -> None:
    def press(_done: int, _part: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament("pig", players=2, games=100, stage=lambda _label, _size: nullcontext(press))


# ---------------------------------------------------------------- refusals and names
def test_what_is_no_tournament_is_refused() -> None:
    with pytest.raises(UserError, match="uniform alone"):
        TournamentStudy.of("ladders", players=(2,)).plans  # noqa: B018  they are what refuses
    with pytest.raises(UserError, match="entered twice"):
        TournamentStudy.of("pig", players=(2,), strategies=["hold", "hold:at=20"]).plans  # noqa: B018  they are what refuses
    with pytest.raises(UserError, match="2 or more"):
        TournamentStudy.of("pig", players=(1, 2)).plans  # noqa: B018  they are what refuses
    with pytest.raises(UserError, match="1 to 6 players, not 7"):
        TournamentStudy.of("pig", players=(2, 7)).plans  # noqa: B018  they are what refuses
    with pytest.raises(StrategyError, match="did you mean 'hold'"):
        TournamentStudy.of("pig", players=(2,), strategies=["hodl", "optimal"]).plans  # noqa: B018  they are what refuses
