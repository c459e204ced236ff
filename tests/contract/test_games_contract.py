"""What every registered game promises, whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from simulator import registry
from simulator.game import Game
from simulator.play.digests import found_digests, recorded_digests
from simulator.play.experiment import Experiment
from simulator.play.plain_python import plain
from simulator.play.replay import tell
from simulator.play.run import Result, make_experiment, run, run_experiment
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.registry.lineup import make_player
from simulator.rules import GameRules, constants
from simulator.stats.tally import tally_rows

GAMES = registry.game_names()
CASES = [(name, players) for name in GAMES for players in range(registry.game(name).players[0], registry.game(name).players[1] + 1)]
STRATEGIES = [(name, strategy) for name in GAMES for strategy in registry.strategies(name)]


@cache
def game_of(name: str) -> Game:
    return registry.game(name)


@cache
def played(name: str, players: int, strategy: str, games: int) -> Result:
    return run(name, players=players, strategies=[strategy], games=games, workers=1)


def experiment(name: str, players: int, *strategies: str) -> Experiment:
    return make_experiment(name, players=players, strategies=strategies)


def rows_of(asked: Experiment, first: int, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    rows = np.zeros((count, len(asked.metrics)), np.int32)
    done, _ = Table(asked.game, asked.rules, asked.lineup).play(asked.seed, first, rows, np.zeros(3, np.int64))
    assert done == count
    return rows


def decisions(stepper: Stepper, playouts: int) -> Iterator[object]:
    """Every decision that leaves a choice, in the first playouts, with its view; all seats choose by their strategies."""
    for playout in range(playouts):
        stepper.deal(playout)
        while stepper.advance():
            option = 0
            if stepper.asked:
                yield stepper.observe()
                stepper.observe()
                option = stepper.choose()
            stepper.apply(option)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(name: str, players: int) -> None:
    asked = experiment(name, players, "uniform")
    first = rows_of(asked, 0, 500)
    assert rows_of(asked, 0, 500).tobytes() == first.tobytes()
    other = make_experiment(name, players=players, strategies=["uniform"], seed=2)
    assert rows_of(other, 0, 500).tobytes() != first.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_any_number_of_workers_gives_the_same_digest(name: str) -> None:
    asked = experiment(name, game_of(name).players[0], "uniform")
    digests = {run_experiment(asked, 30_000, workers=workers).digest for workers in (1, 2, 7)}
    assert len(digests) == 1


@pytest.mark.parametrize(("name", "players"), CASES)
def test_halves_merge_to_the_whole(name: str, players: int) -> None:
    asked = experiment(name, players, "uniform")
    whole = tally_rows(rows_of(asked, 0, 600), asked.metrics)
    first = tally_rows(rows_of(asked, 0, 251), asked.metrics)
    second = tally_rows(rows_of(asked, 251, 349), asked.metrics)
    assert (first + second).digest == (second + first).digest == whole.digest
    assert first.digest != whole.digest


@pytest.mark.parametrize("name", GAMES)
def test_a_playout_does_not_depend_on_the_one_before_it(name: str) -> None:
    asked = experiment(name, game_of(name).players[1])
    in_a_row = rows_of(asked, 0, 40)
    alone = np.concatenate([rows_of(asked, k, 1) for k in range(40)])
    assert (in_a_row == alone).all()


@pytest.mark.parametrize(("name", "strategy"), STRATEGIES)
def test_every_strategy_plays_legally_at_every_number_of_players_and_ends_within_the_cap(name: str, strategy: str) -> None:
    low, high = game_of(name).players
    for players in range(low, high + 1):
        result = played(name, players, strategy, 400)
        assert result.games == 400
        turns = result.tally["turns"]
        assert turns.values.max() <= result.experiment.rules.turn_cap
        capped = int(turns.totals[turns.values == result.experiment.rules.turn_cap].sum())
        assert result.unfinished <= capped


@pytest.mark.parametrize(("name", "strategy"), STRATEGIES)
def test_stepping_goes_the_way_of_the_loop(name: str, strategy: str) -> None:
    asked = experiment(name, game_of(name).players[1], strategy)
    rows = rows_of(asked, 0, 5)
    stepper = Stepper(Table(asked.game, asked.rules, asked.lineup), asked.seed)
    for playout in range(5):
        stepper.deal(playout)
        stepper.play_out()
        assert stepper.row().tolist() == rows[playout].tolist()


@pytest.mark.parametrize(("name", "strategy"), STRATEGIES)
def test_a_strategy_in_plain_python_chooses_as_the_compiled_one(name: str, strategy: str) -> None:
    found = registry.strategies(name)[strategy]
    asked = experiment(name, game_of(name).players[1], strategy)
    stepper = Stepper(Table(asked.game, asked.rules, asked.lineup), asked.seed)
    record = make_player(found).record
    more = [] if record is None else [record.view(np.recarray)[0]]
    for seen, view in enumerate(decisions(stepper, 3)):
        with np.errstate(all="ignore"):
            assert plain(found.function)(view, stepper.random_number(), *more) == stepper.choose()
        if seen > 150:
            break


@pytest.mark.parametrize(("name", "strategy"), STRATEGIES)
def test_a_strategy_that_draws_no_random_number_ignores_it(name: str, strategy: str) -> None:
    found = registry.strategies(name)[strategy]
    asked = experiment(name, game_of(name).players[1], strategy)
    stepper = Stepper(Table(asked.game, asked.rules, asked.lineup), asked.seed)
    record = make_player(found).record
    more = [] if record is None else [record.view(np.recarray)[0]]
    differs = asked_anything = False
    for seen, view in enumerate(decisions(stepper, 5)):
        asked_anything = True
        with np.errstate(all="ignore"):
            differs |= plain(found.function)(view, 0.0, *more) != plain(found.function)(view, 1 - 2**-32, *more)
        if seen > 150:
            break
    assert differs == (found.uses_chance and asked_anything)


def seen_by(stepper: Stepper) -> list[object]:
    """All that a strategy may read."""
    view = stepper.observe()
    return [np.asarray(view[name]).tolist() for name in view.dtype.names]


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_view_stays_the_same_when_what_is_hidden_is_dealt_afresh(name: str, players: int) -> None:
    asked = experiment(name, players, "uniform")
    table = Table(asked.game, asked.rules, asked.lineup)
    stepper = Stepper(table, asked.seed)
    for _ in decisions(stepper, 12):
        before = seen_by(stepper)
        stepper.redeal(stepper.seat)
        assert seen_by(stepper) == before


@pytest.mark.parametrize(("name", "players"), CASES)
def test_addresses_of_choices_stay_in_bounds(name: str, players: int) -> None:
    asked = experiment(name, players, "uniform")
    table = Table(asked.game, asked.rules, asked.lineup)
    for _ in decisions(Stepper(table, asked.seed), 20):
        head = table.head
        assert 0 <= head["decision"] < len(asked.game.decisions) <= 16
        assert 0 <= head["step"] < 256
        assert 1 <= head["turn"] < 2**20
        assert head["n_options"] >= 2


@pytest.mark.parametrize(("name", "players"), CASES)
def test_no_two_choices_of_a_playout_share_a_random_number(name: str, players: int) -> None:
    asked = experiment(name, players, "uniform")
    table = Table(asked.game, asked.rules, asked.lineup)
    stepper = Stepper(table, asked.seed)
    seen: set[tuple[int, ...]] = set()
    for _ in decisions(stepper, 15):
        head = table.head
        address = (int(table.chance["playout"][0]), int(head["turn"]), stepper.seat, int(head["decision"]), int(head["step"]))
        assert address not in seen
        seen.add(address)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_playout_that_is_stopped_before_each_turn_ends_as_it_does_in_one_go(name: str, players: int) -> None:
    asked = experiment(name, players, "uniform")
    rows = rows_of(asked, 0, 6)
    table = Table(asked.game, asked.rules, asked.lineup)
    for playout in range(6):
        sums, row = np.zeros((asked.rules.turn_cap + 1, 1, players)), np.zeros((1, len(asked.metrics)), np.int32)
        turns, _ = table.watch(asked.seed, playout, 2, sums=sums, row=row, control=np.zeros(3, np.int64))
        assert row[0].tolist() == rows[playout].tolist()
        assert turns == rows[playout, [m.name for m in asked.metrics].index("turns")]
        assert (sums >= 0).all()
        assert (sums == sums[..., :1]).all() if asked.game.cooperative else (sums.sum(axis=2) <= 2 + 1e-9).all()


@pytest.mark.parametrize("name", [name for name in GAMES if registry.game(name).decisions])
def test_a_seat_that_thinks_ahead_plays_legally_and_the_same_with_any_number_of_workers(name: str) -> None:
    asked = experiment(name, game_of(name).players[1], "lookahead:rollouts=2,base=uniform", "uniform")
    assert len({run_experiment(asked, 40, workers=workers).digest for workers in (1, 2)}) == 1
    rows = rows_of(asked, 0, 2)
    stepper = Stepper(Table(asked.game, asked.rules, asked.lineup), asked.seed)
    for playout in range(2):
        stepper.deal(playout)
        stepper.play_out()
        assert stepper.row().tolist() == rows[playout].tolist()


@pytest.mark.parametrize(("name", "players"), CASES)
def test_payoffs_follow_the_outcome(name: str, players: int) -> None:
    asked = experiment(name, players)
    stepper = Stepper(Table(asked.game, asked.rules, asked.lineup), asked.seed)
    for playout in range(60):
        stepper.deal(playout)
        stepper.play_out()
        row = dict(zip((m.name for m in asked.metrics), stepper.row().tolist(), strict=True))
        payoffs = [stepper.payoff(seat) for seat in range(players)]
        assert all(0 <= p <= 1 for p in payoffs)
        if asked.game.cooperative:
            assert payoffs == [row["players_win"]] * players
        elif not row["unfinished"]:
            assert sum(payoffs) == pytest.approx(1)
            assert all(payoffs[seat] == 1 for seat in range(players) if row[f"wins.{seat}"])


@pytest.mark.parametrize(("name", "players"), CASES)
def test_metrics_are_declared_in_full(name: str, players: int) -> None:
    game = game_of(name)
    metrics = game.metrics(game.rules(), players)
    names = [m.name for m in metrics]
    assert len(set(names)) == len(names)
    assert {"turns", "unfinished"} <= set(names)
    assert ("players_win" in names) == game.cooperative
    assert all(f"wins.{seat}" in names for seat in range(players)) or game.cooperative
    assert all(m.label and m.unit and m.low <= m.high for m in metrics)
    assert all(m.low == 0 and m.high <= 1 and m.unit == "share" for m in metrics if m.kind == "share")
    assert any(m.headline for m in metrics)
    assert set(game.verdict(players)) <= {m.name for m in metrics if m.outcome}
    assert game.closeness is None or game.closeness in names
    for shown in game.breakdowns:
        for _, members in shown.series:
            assert len(members) == len(shown.bars)
            assert set(members) <= set(names)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_influences_are_numbers_of_every_seat_in_a_game_that_one_seat_wins(name: str, players: int) -> None:
    game = game_of(name)
    counts = {m.name for m in game.metrics(game.rules(), players) if not m.outcome}
    for shown in game.influences:
        assert not game.cooperative
        assert shown.title
        assert shown.look_for.endswith(".")
        assert shown.unit
        assert len({label for label, _ in shown.members}) == len(shown.members) > 0
        for _, prefix in shown.members:
            assert {f"{prefix}.{seat}" for seat in range(players)} <= counts


@pytest.mark.parametrize("name", GAMES)
def test_every_constant_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    game = game_of(name)
    rules = game.rules()
    assert isinstance(rules, GameRules)
    for constant in constants(rules):
        assert constant.description.endswith(".")
        assert constant.unit
        assert constant.note
        assert constant.source in {"rulebook", "derived", "assumed", "ours"}
        if constant.source == "assumed":
            assert constant.plausible, f"{constant.key} is assumed and has no plausible range"
        if constant.plausible and type(constant.value) is int:
            assert constant.plausible[0] <= constant.value <= constant.plausible[-1]  # type: ignore[operator]  # numbers


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_range_of_play(name: str) -> None:
    game = game_of(name)
    found = registry.strategies(name)
    assert {"uniform", game.default_strategy} <= set(found)
    assert len(found) >= (1 if not game.decisions else 3 if game.classic else 4)
    assert all(s.summary.endswith(".") for s in found.values())


@pytest.mark.parametrize("name", GAMES)
def test_a_playout_is_told_in_full_sentences(name: str) -> None:
    for strategy in ("uniform", game_of(name).default_strategy):
        asked = experiment(name, game_of(name).players[1], strategy)
        told = tell(asked, 3)
        turns = [heading for heading, _ in told.turns if heading.startswith("Turn")]
        assert turns == [f"Turn {n + 1}" for n in range(told.row["turns"])]
        for _, lines in told.turns[:-1]:
            assert lines
        for line in (line for _, lines in told.turns for line in lines):
            assert line[0].isupper() or line[0].isdigit()
            assert line.endswith((".", "]", "!"))


@pytest.mark.parametrize("name", GAMES)
def test_the_recorded_digest_holds_for_this_version(name: str) -> None:
    """A change of behaviour raises the game's version and the recorded digests in the same commit."""
    game = game_of(name)
    assert found_digests(game) == recorded_digests(game)
