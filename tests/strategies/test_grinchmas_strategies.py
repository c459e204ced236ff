"""What the strategies for Merry Grinchmas do at the table, and in which order they stand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from simulator.games.grinchmas import GAME
from simulator.games.grinchmas.table import COLOURS
from simulator.games.grinchmas.view import (
    AGREE,
    CONSENT,
    DRAW_FROM_BAG,
    EXCHANGE,
    GIVE_UP,
    GRINCH_SCORES,
    MIXED,
    NOTHING,
    OFFER,
    PAIR,
    REFUSE,
    SCORE,
    TAKE,
    TRIO,
)
from simulator.kit.piles import one
from simulator.play.table import Table
from simulator.registry.lineup import make_player
from simulator.rules import build_rules
from strategies.anygame import uniform
from strategies.declare import Params, Strategy
from strategies.grinchmas import greedy, patient, spoiler, team

PINK, GREEN, PURPLE, YELLOW, RED = range(5)
STARS = {MIXED: 4, PAIR: 3, TRIO: 5}
PLAYOUTS = {2: 24_000, 3: 8_000, 4: 8_000, 5: 8_000, 6: 8_000}  # with two players greedy wins 97 of 100 and team 98
SEED = 2


# ---------------------------------------------------------------- the order, over whole games
@cache
def measure(strategy: Strategy, players: int) -> dict[str, int]:
    """In how many of PLAYOUTS playouts, with `strategy` in all seats, the players won, how many did not end, and so on."""
    return play(Table(GAME, build_rules(GAME.rules), (make_player(strategy),) * players), PLAYOUTS[players])


def play(table: Table, playouts: int) -> dict[str, int]:
    rows = np.zeros((playouts, len(table.metrics)), np.int32)
    done, fault = table.play(SEED, 0, rows, np.zeros(3, np.int64))
    assert done == playouts, fault
    names = [metric.name for metric in table.metrics]
    return {name: int(rows[:, names.index(name)].sum()) for name in ("players_win", "unfinished", "exchanges", "declined")}


def interval(strategy: Strategy, players: int) -> tuple[float, float]:
    """95 % interval of the share of playouts that the players win."""
    found = binomtest(measure(strategy, players)["players_win"], PLAYOUTS[players]).proportion_ci(method="wilson")
    return found.low, found.high


@pytest.mark.parametrize("players", PLAYOUTS)
@pytest.mark.parametrize(("worse", "better"), [(spoiler, uniform), (uniform, greedy), (greedy, team)])
def test_order_of_strength_at_every_player_count(worse: Strategy, better: Strategy, players: int) -> None:
    _, high = interval(worse, players)
    low, _ = interval(better, players)
    assert high < low


@pytest.mark.parametrize("players", PLAYOUTS)
def test_patient_is_sensible(players: int) -> None:
    assert interval(patient, players)[0] > interval(uniform, players)[1]
    assert measure(patient, players)["declined"] > 0


@pytest.mark.parametrize("players", PLAYOUTS)
@pytest.mark.parametrize("strategy", [greedy, patient, team, spoiler])
def test_nearly_all_playouts_end(strategy: Strategy, players: int) -> None:
    assert measure(strategy, players)["unfinished"] < 0.02 * PLAYOUTS[players]


def test_only_team_exchanges_and_only_from_five_players_on() -> None:
    assert measure(team, 4)["exchanges"] == 0
    assert measure(team, 5)["exchanges"] > PLAYOUTS[5] / 2
    assert measure(spoiler, 6)["exchanges"] == measure(greedy, 6)["exchanges"] == 0


@pytest.mark.parametrize("strategy", [patient, team, spoiler])
@pytest.mark.parametrize(
    "changes",
    [
        {"presents.designs": 2, "presents.copies": 5},
        {"presents.designs": 2, "presents.copies": 5, "wishes.pair": "any", "wishes.face_up": 8, "exchange.min_players": 2},
        {"wishes.pair": "any", "wishes.face_up": 1, "wishes.when_exhausted": "reshuffle"},
        {"presents.colours": 6, "presents.copies": 3, "wishes.goal": 30, "turn_cap": 300},
    ],
    ids=["two-designs", "widest", "one-wish", "scarce"],
)
def test_plays_under_every_switch(strategy: Strategy, changes: dict[str, Any]) -> None:
    rules = build_rules(GAME.rules, changes)
    for players in (2, 6):
        play(Table(GAME, rules, (make_player(strategy),) * players), playouts=300)


# ---------------------------------------------------------------- single decisions, on views made by hand
def tokens(*kinds: int) -> Any:
    return sum((one(COLOURS, kind) for kind in kinds), np.uint64(0))


def a_view(decision: int, wishes: list[tuple[int, Any]], mine: Any = (), hoard: Any = (), mates: Any = ((), ()), **fields: Any) -> Any:
    """A view of seat 0 early in a level game, one Present of every colour in the bag."""
    view = np.zeros(1, GAME.view).view(np.recarray)[0]
    view.decision, view.colours, view.designs, view.seats, view.wishes_to_go = decision, 5, 1, 1 + len(mates), 5
    view.stars = view.grinch_stars = 12
    view.mine[0] = view.house[0, 0] = tokens(*mine)
    view.hoard[0] = tokens(*hoard)
    view.bag[0] = tokens(PINK, GREEN, PURPLE, YELLOW, RED)
    for seat, hand in enumerate(mates, start=1):
        view.house[seat, 0] = tokens(*hand)
    view.n_wishes = len(wishes)
    view.wish_kind[:] = NOTHING
    for place, (kind, need) in enumerate(wishes):
        view.wish_kind[place], view.wish_need[place], view.wish_stars[place] = kind, tokens(*need), STARS[kind]
    for name, value in fields.items():
        view[name] = value
    return view


def offer_options(view: Any, options: list[dict[str, int]]) -> Any:
    """Write the options into the view."""
    view.n_options = len(options)
    for i, option in enumerate(options):
        for name, value in option.items():
            view[name][i] = value
    return view


def scoring(view: Any, payments: list[tuple[int, Any]], *, declining: bool = True) -> Any:
    """Options of SCORE or GRINCH_SCORES: place of the Wish and the tokens paid, then none."""
    options: list[dict[str, Any]] = [
        {"wish": place, "scores": view.wish_stars[place], "pay": (tokens(*paid), 0)} for place, paid in payments
    ]
    return offer_options(view, [*options, {"wish": NOTHING, "scores": 0, "pay": (0, 0)}] if declining else options)


def choice(strategy: Strategy, view: Any, **changes: float) -> int:
    """The option taken by the plain Python function."""
    parameters = (Params(**{**strategy.parameters, **changes}),) if strategy.parameters else ()
    return int(strategy.function(view, 0.5, *parameters))


PAIR_OR_TRIO = [(PAIR, (PINK, PINK)), (TRIO, ())]


def test_patient_keeps_a_pair_for_a_trio_that_lacks_one() -> None:
    view = scoring(a_view(SCORE, PAIR_OR_TRIO, mine=(PINK, PINK)), [(0, (PINK, PINK))])
    assert choice(patient, view) == 1
    assert choice(greedy, view) == 0
    assert choice(patient, view, near=0) == 0
    assert choice(patient, view, more=3) == 0


def test_patient_scores_a_pair_that_the_trio_does_not_need() -> None:
    view = scoring(a_view(SCORE, PAIR_OR_TRIO, mine=(PINK, PINK, RED, RED)), [(0, (PINK, PINK))])
    assert choice(patient, view) == 0


def test_patient_fills_the_last_slot_when_that_wins() -> None:
    view = scoring(a_view(SCORE, PAIR_OR_TRIO, mine=(PINK, PINK), wishes_to_go=1), [(0, (PINK, PINK))])
    assert choice(patient, view) == 0
    view.grinch_stars = view.stars + 4
    assert choice(patient, view) == 1


GIVING = [{"lose": PINK}, {"lose": GREEN}, {"lose": RED}]


def test_team_keeps_from_the_grinch_what_completes_a_wish() -> None:
    # pink is worth nothing to the hand itself, but the Grinch lacks just that
    view = offer_options(
        a_view(GIVE_UP, [(PAIR, (PINK, PINK)), (MIXED, (GREEN, PURPLE, RED))], mine=(PINK, GREEN, RED), hoard=(PINK,)),
        GIVING,
    )
    assert choice(team, view) != 0
    assert choice(greedy, view) == 0
    assert choice(spoiler, view) == 0


def test_team_gives_up_what_nobody_needs() -> None:
    view = offer_options(a_view(GIVE_UP, [(PAIR, (PINK, PINK)), (PAIR, (GREEN, GREEN))], mine=(PINK, GREEN, RED)), GIVING)
    assert choice(team, view) == 2


def test_team_lets_the_grinch_score_the_wish_no_player_is_near_to() -> None:
    wishes = [(MIXED, (PINK, GREEN, RED)), (MIXED, (PINK, PURPLE, RED))]
    hoard = (PINK, GREEN, PURPLE, RED)
    view = scoring(
        a_view(GRINCH_SCORES, wishes, hoard=hoard, mates=((PINK, GREEN), ())),
        [(0, (PINK, GREEN, RED)), (1, (PINK, PURPLE, RED))],
        declining=False,
    )
    assert choice(team, view) == 1
    view.house[1, 0] = tokens(PINK, PURPLE)
    assert choice(team, view) == 0


def test_team_leaves_a_wish_to_a_mate_who_is_nearer() -> None:
    spots = [{"action": 0, "gain": PINK}, {"action": 1, "gain": GREEN}]
    wishes = [(MIXED, (PINK, PURPLE, YELLOW)), (MIXED, (GREEN, PURPLE, RED))]
    near_the_first = offer_options(a_view(TAKE, wishes, mine=(PURPLE,), mates=((PINK, YELLOW), ())), spots)
    near_the_second = offer_options(a_view(TAKE, wishes, mine=(PURPLE,), mates=((GREEN, RED), ())), spots)
    assert choice(team, near_the_first) == 1
    assert choice(team, near_the_second) == 0


def test_team_takes_what_the_grinch_would_score_with() -> None:
    spots = [{"action": 0, "gain": GREEN}, {"action": 1, "gain": PINK}, {"action": DRAW_FROM_BAG, "gain": NOTHING}]
    view = offer_options(a_view(TAKE, [(PAIR, (PINK, PINK)), (PAIR, (GREEN, GREEN))], hoard=(PINK,)), spots)
    assert choice(team, view) == 1
    assert choice(team, view, deny=0.0) == 0
    assert choice(spoiler, view) == 0


def swap_view(decision: int) -> Any:
    """Red for pink completes the pink pair of seat 0; seat 1 then has two reds."""
    wishes = [(PAIR, (PINK, PINK)), (PAIR, (RED, RED))]
    return a_view(decision, wishes, mine=(PINK, RED), mates=((PINK, RED), (), (), ()))


def test_team_asks_for_the_swap_that_completes_its_wish() -> None:
    actions = [{"action": 0, "gain": YELLOW}, {"action": DRAW_FROM_BAG, "gain": NOTHING}, {"action": EXCHANGE, "gain": NOTHING}]
    asking = offer_options(swap_view(TAKE), actions)
    assert choice(team, asking) == 2
    assert choice(team, asking, swap_cost=100.0) != 2
    assert choice(greedy, asking) != 2
    offering = offer_options(swap_view(OFFER), [{"partner": 1, "lose": PINK, "gain": RED}, {"partner": 1, "lose": RED, "gain": PINK}])
    offering.wish_kind[1] = NOTHING
    assert choice(team, offering) == 1


def answering(view: Any, gain: int, lose: int) -> Any:
    view.seat, view.active = 1, 0
    view.mine[0] = view.house[1, 0]
    return offer_options(view, [{"action": action, "partner": 0, "gain": gain, "lose": lose} for action in (AGREE, REFUSE)])


def test_team_agrees_to_a_swap_that_helps_both_and_spoiler_does_not() -> None:
    view = answering(swap_view(CONSENT), gain=RED, lose=PINK)
    assert choice(team, view) == 0
    assert choice(spoiler, view) == 1


def test_team_agrees_to_lose_a_little_for_a_mates_wish_but_not_for_nothing() -> None:
    view = swap_view(CONSENT)
    view.house[1, 0] = tokens(PINK, GREEN)
    assert choice(team, answering(view, gain=RED, lose=PINK)) == 0
    view.house[0, 0] = tokens(RED, YELLOW)
    view.house[1, 0] = tokens(PINK, PINK)
    assert choice(team, answering(view, gain=YELLOW, lose=PINK)) == 1


def test_team_leaves_the_last_slot_empty_only_while_the_game_can_be_saved() -> None:
    view = scoring(a_view(SCORE, PAIR_OR_TRIO, mine=(PINK, PINK), wishes_to_go=1), [(0, (PINK, PINK))])
    for behind, declines in ((0, 0), (3, 0), (4, 1), (5, 1), (6, 0)):
        view.grinch_stars = view.stars + behind
        assert choice(team, view) == declines, behind


def test_spoiler_scores_only_behind_a_grinch_far_ahead_and_then_the_least() -> None:
    view = scoring(a_view(SCORE, PAIR_OR_TRIO, mine=(PINK, PINK, PINK)), [(1, (PINK, PINK, PINK)), (0, (PINK, PINK))])
    assert choice(spoiler, view) == 2
    view.grinch_stars = view.stars + 20
    assert choice(spoiler, view) == 1


def test_spoiler_never_fills_the_last_slot_to_win() -> None:
    view = scoring(a_view(SCORE, PAIR_OR_TRIO, mine=(PINK, PINK), wishes_to_go=1), [(0, (PINK, PINK))])
    for behind, declines in ((0, 1), (3, 1), (4, 0)):
        view.grinch_stars = view.stars + behind
        assert choice(spoiler, view) == declines, behind


def test_spoiler_leaves_the_grinch_the_stronger_hoard() -> None:
    wishes = [(MIXED, (PINK, GREEN, RED)), (MIXED, (PINK, PURPLE, RED)), (PAIR, (GREEN, GREEN))]
    hoard = (PINK, GREEN, PURPLE, RED)
    payments = [(0, (PINK, GREEN, RED)), (1, (PINK, PURPLE, RED))]
    view = scoring(a_view(GRINCH_SCORES, wishes, hoard=hoard), payments, declining=False)
    assert choice(spoiler, view) == 1
    assert choice(team, view) == 0


@pytest.mark.parametrize("strategy", [patient, team, spoiler])
@pytest.mark.parametrize("decision", [TAKE, SCORE, OFFER, GRINCH_SCORES, GIVE_UP, CONSENT])
def test_nothing_on_the_table_is_no_trouble(strategy: Strategy, decision: int) -> None:
    view = a_view(decision, [])
    view.n_options = 2
    assert choice(strategy, view) in (0, 1)
