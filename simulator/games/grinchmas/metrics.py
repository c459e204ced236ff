"""What each playout of Merry Grinchmas leaves behind."""

from __future__ import annotations

from simulator.game import Breakdown, Metric, turns
from simulator.games.grinchmas.rules import HOUSES, SPOTS, GrinchmasRules

KINDS = ("mixed", "pair", "trio")
SOURCES = {"spot": "A, B or C", "max": "Max", "bag": "the bag", "player": "a player's house", "free_house": "a free house"}


def metrics(rules: GrinchmasRules, players: int) -> tuple[Metric, ...]:
    """The metrics in the order of a row; the table counts under their names."""
    cap, free, tokens = rules.turn_cap, HOUSES - players, "Present tokens"
    by_players = min(rules.wishes.goal, cap)
    by_grinch = cap if rules.wishes.when_exhausted == "reshuffle" else min(cap, len(rules.pile()))
    most = max(rules.stars.mixed, rules.stars.pair, rules.stars.trio)
    draws = (cap + 1) * (SPOTS + free) + 2 * cap  # when dealing and in each turn the refills, and in a turn a theft and a take
    level, capped = "The players have as many stars as the Grinch, or more.", "The turn cap ended the playout; it is neither side's win."
    ahead = "The players' stars less the Grinch's."
    could, empty = (
        "Turns on which the player could have scored and did not.",
        "Draws that the rules called for and an empty bag did not give.",
    )
    scored = [
        Metric(f"wishes.{side}.{kind}", f"{kind.capitalize()} Wishes of the {label}", "Wishes", "count", 0, limit)
        for side, label, limit in (("players", "players", by_players), ("grinch", "Grinch", by_grinch))
        for kind in KINDS
    ]
    return (
        Metric("players_win", "The players win", "share", "share", 0, 1, headline=True, outcome=True, description=level),
        Metric(
            "grinch_wins", "The Grinch wins", "share", "share", 0, 1, headline=True, outcome=True, description="The Grinch has more stars."
        ),
        Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True, description=capped),
        turns(cap),
        Metric("margin", "Margin", "stars", "count", -by_grinch * most, by_players * most, headline=True, description=ahead),
        Metric("stars.players", "Stars of the players", "stars", "count", 0, by_players * most),
        Metric("stars.grinch", "Stars of the Grinch", "stars", "count", 0, by_grinch * most),
        *scored,
        Metric("stolen.spot", "Stolen from A, B or C", tokens, "count", 0, cap),
        Metric("stolen.max", "Stolen on Max", tokens, "count", 0, SPOTS * cap),
        Metric("stolen.bag", "Stolen from the bag", tokens, "count", 0, cap, description="On a Present space."),
        Metric("stolen.player", "Stolen from a player's house", tokens, "count", 0, cap),
        Metric("stolen.free_house", "Stolen from a free house", tokens, "count", 0, cap),
        Metric("exchanges", "Gifts exchanged", "exchanges", "count", 0, cap),
        Metric("refusals", "Exchanges refused", "exchanges", "count", 0, cap),
        Metric("declined", "Wishes declined", "turns", "count", 0, cap, description=could),
        Metric("empty_bag", "Empty bag", "draws", "count", 0, draws, description=empty),
    )


BREAKDOWNS = (
    Breakdown(
        "steals",
        "What the Grinch steals where",
        "Look for a place that feeds the Grinch more than the players can influence.",
        tuple(SOURCES.values()),
        (("", tuple(f"stolen.{source}" for source in SOURCES)),),
    ),
    Breakdown(
        "wishes",
        "Which Wishes each side scores",
        "Look for a kind of Wish that one side can hardly use.",
        KINDS,
        tuple((label, tuple(f"wishes.{side}.{kind}" for kind in KINDS)) for side, label in (("players", "players"), ("grinch", "Grinch"))),
    ),
)
