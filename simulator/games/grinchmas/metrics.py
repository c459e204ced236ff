"""What each playout of Merry Grinchmas leaves behind."""

from __future__ import annotations

from typing import Any

from simulator.game import Breakdown, Metric
from simulator.games.grinchmas.rules import HOUSES, GrinchmasRules
from simulator.games.grinchmas.state import COUNTERS, GAME_OVER_PHASE
from simulator.games.grinchmas.turn import players_have_won
from simulator.kernel.jit import jit
from simulator.kernel.records import Record

_FIRST_COUNTER = 7


def metrics(rules: GrinchmasRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row: those that `score` computes, then the state's counters in their own order."""
    cap, goal = rules.turn_cap, rules.wishes.goal
    most = max(rules.stars.mixed, rules.stars.pair, rules.stars.trio)
    by_players = min(goal, cap)
    by_grinch = cap if rules.wishes.when_exhausted == "reshuffle" else min(cap, len(rules.pile()))
    steals = "Present tokens"
    empties = cap * (3 + (HOUSES - players) + 2) + 3 + HOUSES - players  # per turn: refills, a steal and a take
    return (
        Metric(
            "players_win",
            "The players win",
            "share",
            "share",
            0,
            1,
            headline=True,
            outcome=True,
            description="The players have as many stars as the Grinch, or more.",
        ),
        Metric(
            "grinch_wins", "The Grinch wins", "share", "share", 0, 1, headline=True, outcome=True, description="The Grinch has more stars."
        ),
        Metric(
            "unfinished",
            "Unfinished",
            "share",
            "share",
            0,
            1,
            outcome=True,
            description="The turn cap ended the playout; it is neither side's win.",
        ),
        Metric("turns", "Turns", "turns", "count", 0, cap, headline=True, description="Turns of all seats together."),
        Metric(
            "margin",
            "Margin",
            "stars",
            "count",
            -by_grinch * most,
            by_players * most,
            headline=True,
            description="The players' stars less the Grinch's.",
        ),
        Metric("stars.players", "Stars of the players", "stars", "count", 0, by_players * most),
        Metric("stars.grinch", "Stars of the Grinch", "stars", "count", 0, by_grinch * most),
        Metric("wishes.players.mixed", "Mixed Wishes of the players", "Wishes", "count", 0, by_players),
        Metric("wishes.players.pair", "Pair Wishes of the players", "Wishes", "count", 0, by_players),
        Metric("wishes.players.trio", "Trio Wishes of the players", "Wishes", "count", 0, by_players),
        Metric("wishes.grinch.mixed", "Mixed Wishes of the Grinch", "Wishes", "count", 0, by_grinch),
        Metric("wishes.grinch.pair", "Pair Wishes of the Grinch", "Wishes", "count", 0, by_grinch),
        Metric("wishes.grinch.trio", "Trio Wishes of the Grinch", "Wishes", "count", 0, by_grinch),
        Metric("stolen.spot", "Stolen from A, B or C", steals, "count", 0, cap),
        Metric("stolen.max", "Stolen on Max", steals, "count", 0, 3 * cap),
        Metric("stolen.bag", "Stolen from the bag", steals, "count", 0, cap, description="On a Present space."),
        Metric("stolen.player", "Stolen from a player's house", steals, "count", 0, cap),
        Metric("stolen.free_house", "Stolen from a free house", steals, "count", 0, cap),
        Metric("exchanges", "Gifts exchanged", "exchanges", "count", 0, cap),
        Metric("refusals", "Exchanges refused", "exchanges", "count", 0, cap),
        Metric(
            "declined", "Wishes declined", "turns", "count", 0, cap, description="Turns on which the player could have scored and did not."
        ),
        Metric(
            "empty_bag",
            "Empty bag",
            "draws",
            "count",
            0,
            empties,
            description="Draws that the rules called for and an empty bag did not give.",
        ),
    )


BREAKDOWNS = (
    Breakdown(
        "steals",
        "What the Grinch steals where",
        "Look for a place that feeds the Grinch more than the players can influence.",
        ("A, B or C", "Max", "the bag", "a player's house", "a free house"),
        (("", ("stolen.spot", "stolen.max", "stolen.bag", "stolen.player", "stolen.free_house")),),
    ),
    Breakdown(
        "wishes",
        "Which Wishes each side scores",
        "Look for a kind of Wish that one side can hardly use.",
        ("mixed", "pair", "trio"),
        (
            ("players", ("wishes.players.mixed", "wishes.players.pair", "wishes.players.trio")),
            ("Grinch", ("wishes.grinch.mixed", "wishes.grinch.pair", "wishes.grinch.trio")),
        ),
    ),
)


@jit
def score(state: Record, rules: Record, row: Any) -> None:
    """Write the row, int32, in the order of `metrics`."""
    finished = state.phase == GAME_OVER_PHASE
    won = players_have_won(state, rules)
    row[0] = 1 if won else 0
    row[1] = 1 if finished and not won else 0
    row[2] = 0 if finished else 1
    row[3] = state.turn
    row[4] = state.stars - state.grinch_stars
    row[5] = state.stars
    row[6] = state.grinch_stars
    for i in range(COUNTERS):
        row[_FIRST_COUNTER + i] = state.count[i]
