"""Whatever the rules: nothing is lost or made, no decision has a single option, and the metrics keep to their ranges."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from grinchmas_positions import OVER, TableTop
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator import registry
from simulator.games.grinchmas import GAME
from simulator.games.grinchmas.rules import HOUSES, SPACE_CODES, TRIO, GrinchmasRules
from simulator.play.table import Table
from simulator.rules import build_rules

ALWAYS_THE_SAME = settings(max_examples=150, suppress_health_check=list(HealthCheck))
NAMES = [metric.name for metric in GAME.metrics(GrinchmasRules(), 4)]


@st.composite
def odd_rules(draw: st.DrawFn) -> GrinchmasRules:
    """Rules that can be played, mostly small and strange."""
    colours = draw(st.integers(3, 8))
    path = draw(st.lists(st.sampled_from(sorted(SPACE_CODES)), min_size=0, max_size=9))
    path.insert(draw(st.integers(0, len(path))), "max")
    faces: list[Any] = draw(st.lists(st.integers(1, 12), min_size=1, max_size=4))
    if "feet" in path and draw(st.booleans()):
        faces.append("feet")
    built = build_rules(
        GrinchmasRules,
        {
            "presents.colours": colours,
            "presents.designs": draw(st.sampled_from([1, 2])),
            "presents.copies": draw(st.integers(1, 127 // colours)),
            "wishes.mixed_copies": draw(st.integers(0, 2)),
            "wishes.pair_copies": draw(st.integers(0, 3)),
            "wishes.trio_cards": draw(st.integers(1, 8)),
            "wishes.face_up": draw(st.integers(1, 8)),
            "wishes.goal": draw(st.integers(1, 25)),
            "wishes.pair": draw(st.sampled_from(["pictured", "any"])),
            "wishes.when_exhausted": draw(st.sampled_from(["continue", "reshuffle"])),
            "stars.mixed": draw(st.integers(0, 9)),
            "stars.pair": draw(st.integers(0, 9)),
            "stars.trio": draw(st.integers(0, 100)),
            "board.path": path,
            "spinner.faces": faces,
            "exchange.min_players": draw(st.integers(2, 7)),
            "exchange.on_max": draw(st.booleans()),
            "win_on_tie": draw(st.booleans()),
            "turn_cap": draw(st.integers(1, 40)),
        },
    )
    assert isinstance(built, GrinchmasRules)
    return built


class Checked(TableTop):
    """A table under rules that are built already."""

    def __init__(self, rules: GrinchmasRules, players: int, playout: int) -> None:
        """Deal."""
        self.rules = rules
        self.sit_down(Table(GAME, rules, (registry.player(GAME, "uniform"),) * players), seed=8, playout=playout)


@ALWAYS_THE_SAME
@given(rules=odd_rules(), players=st.integers(2, 6), playout=st.integers(0, 2**40))
def test_tokens_and_cards_are_conserved_at_every_decision(rules: GrinchmasRules, players: int, playout: int) -> None:
    table = Checked(rules, players, playout)
    tokens, cards = table.tokens, table.cards
    assert tokens.total() == rules.presents.total
    assert set(tokens.values()) == {rules.presents.copies}
    assert cards == Counter(rules.pile())
    while table.advance() != OVER:
        assert (table.tokens, table.cards) == (tokens, cards)
        view = table.stepper.observe()
        assert int(view.n_options) >= 2
        table.stepper.apply(table.stepper.choose())
    assert (table.tokens, table.cards) == (tokens, cards)


@ALWAYS_THE_SAME
@given(rules=odd_rules(), players=st.integers(2, 6), playout=st.integers(0, 2**40))
def test_options_of_a_decision_differ_and_the_view_is_what_lies_on_the_table(rules: GrinchmasRules, players: int, playout: int) -> None:
    table = Checked(rules, players, playout)
    while (decision := table.advance()) != OVER:
        view, state = table.stepper.observe(), table.state
        n = int(view.n_options)
        effects = {_effect(view, decision, i) for i in range(n)}
        assert len(effects) == n
        assert int(view.active) == int(state.mover)
        assert view.mine.tolist() == state.house[table.seat].tolist()
        assert view.house.tolist() == state.house.tolist()
        assert (view.hoard.tolist(), view.bag.tolist(), view.spot.tolist()) == (
            state.hoard.tolist(),
            state.bag.tolist(),
            state.spot.tolist(),
        )
        assert (decision in ("give_up", "consent")) or table.seat == int(state.mover)
        table.stepper.apply(table.stepper.choose())


def _effect(view: Any, decision: str, i: int) -> tuple[int, ...]:
    """All that tells one option from another; two Wishes of one type are one."""
    if decision in ("score", "grinch_scores"):
        place = int(view.wish[i])
        need = (-1, 0, 0) if place < 0 else (int(view.wish_kind[place]), int(view.wish_need[place]), int(view.wish_design[place]))
        return (*need, int(view.pay[i, 0]), int(view.pay[i, 1]))
    if decision == "take":
        return (int(view.action[i]),)
    if decision == "consent":
        return (int(view.action[i]),)
    if decision == "give_up":
        return (int(view.lose[i]),)
    return int(view.partner[i]), int(view.lose[i]), int(view.gain[i])


def test_a_seat_sees_all_that_lies_open_and_nothing_of_the_pile_or_of_what_will_be_drawn() -> None:
    assert GAME.table is not None
    hidden = {"pile", "pile_size", "turned_up", "scored", "n_scored", "wish_type", "count", "chance"}
    seen = set(GAME.view.names or ())
    assert seen.isdisjoint(hidden)
    assert seen >= set(GAME.table.fields) - hidden


@ALWAYS_THE_SAME
@given(rules=odd_rules(), players=st.integers(2, 6), strategy=st.sampled_from(["uniform", "greedy"]))
def test_metrics_keep_to_their_ranges_and_add_up(rules: GrinchmasRules, players: int, strategy: str) -> None:
    table = Table(GAME, rules, (registry.player(GAME, strategy),) * players)
    rows = np.zeros((50, len(table.metrics)), np.int32)
    done, fault = table.play(3, 0, rows, np.zeros(3, np.int64))
    assert done == len(rows), fault
    for column, metric in enumerate(table.metrics):
        low, high = int(rows[:, column].min()), int(rows[:, column].max())
        assert metric.low <= low <= high <= metric.high, metric.name
    _check_sums(rules, players, dict(zip(NAMES, rows.T.astype(int), strict=True)))


def _check_sums(rules: GrinchmasRules, players: int, rows: dict[str, Any]) -> None:
    ended = rows["players_win"] + rows["grinch_wins"] + rows["unfinished"]
    assert (ended == 1).all()
    assert (rows["margin"] == rows["stars.players"] - rows["stars.grinch"]).all()
    for side in ("players", "grinch"):
        stars = sum(rows[f"wishes.{side}.{kind}"] * getattr(rules.stars, kind) for kind in ("mixed", "pair", "trio"))
        assert (rows[f"stars.{side}"] == stars).all()
    won = (rows["margin"] > 0) | ((rows["margin"] == 0) & rules.win_on_tie)
    finished = rows["unfinished"] == 0
    assert (rows["players_win"][finished] == won[finished]).all()
    if players < rules.exchange.min_players:
        assert not rows["exchanges"].any()
        assert not rows["refusals"].any()
    if players == HOUSES:
        assert not rows["stolen.free_house"].any()
    scored = sum(rows[f"wishes.{side}.{kind}"] for side in ("players", "grinch") for kind in ("mixed", "pair", "trio"))
    if rules.wishes.when_exhausted == "continue":
        assert (scored <= len(rules.pile())).all()
        assert (rows["wishes.players.trio"] + rows["wishes.grinch.trio"] <= rules.wish_types()[-1][2]).all()
    assert rules.wish_types()[-1][0] == TRIO
    by_players = sum(rows[f"wishes.players.{kind}"] for kind in ("mixed", "pair", "trio"))
    assert (by_players <= rules.wishes.goal).all()
    assert (rows["unfinished"][by_players == rules.wishes.goal] == 0).all()
    assert (rows["turns"][~finished] == rules.turn_cap).all()
