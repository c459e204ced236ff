"""Pig keeps its rules: every playout is refereed event by event, and the corners are played on purpose."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from simulator.errors import RulesError
from simulator.games import pig
from simulator.kernel.events import TURN_BEGINS
from simulator.play.replay import tell
from simulator.play.run import make_experiment, run
from simulator.play.stepper import Event, Stepper
from simulator.play.table import Table
from simulator.rules import build_rules


def refereed(players: int, playout: int, strategy: str = "uniform", /, **rules: Any) -> tuple[list[Event], dict[str, int]]:
    """The events of a playout and its row."""
    asked = make_experiment("pig", players=players, strategies=[strategy], rules={k.replace("__", "."): v for k, v in rules.items()})
    stepper = Stepper(Table(asked.game, asked.rules, asked.lineup), asked.seed)
    stepper.listen()
    stepper.deal(playout)
    events = stepper.events()
    while stepper.advance():
        stepper.observe()
        stepper.apply(stepper.choose())
        events += stepper.events()
    return events + stepper.events(), dict(zip((m.name for m in asked.metrics), stepper.row().tolist(), strict=True))


@pytest.mark.parametrize("players", [1, 2, 5])
@pytest.mark.parametrize("rules", [{}, {"die__bust": 4, "die__sides": 5, "goal": 37}, {"die__bust": 0, "goal": 60}])
def test_every_roll_bust_hold_and_win_follows_the_rules(players: int, rules: dict[str, int]) -> None:
    bust, sides, goal = rules.get("die__bust", 1), rules.get("die__sides", 6), rules.get("goal", 100)
    for playout in range(30):
        events, row = refereed(players, playout, **rules)
        score, total, turn, seen = [0] * players, 0, 0, Counter[int]()
        for code, a, b, c in events:
            seen[code] += 1
            if code == TURN_BEGINS:
                turn, total = turn + 1, 0
                assert a == turn
                assert max(score) < goal
                continue
            assert a == (turn - 1) % players
            if code == pig.Event.ROLLED:
                total += b
                assert 1 <= b <= sides
                assert b != bust
                assert c == total
            elif code == pig.Event.BUSTED:
                assert (b, c) == (bust, total)
            elif code == pig.Event.HELD:
                score[a] += total
                assert (b, c) == (total, score[a])
        assert seen[pig.Event.BUSTED] + seen[pig.Event.HELD] == turn == row["turns"]
        assert (seen[pig.Event.BUSTED], seen[pig.Event.BUSTED] + seen[pig.Event.ROLLED]) == (row["busts"], row["rolls"])
        assert score == [row[f"score.{seat}"] for seat in range(players)]
        assert [int(points >= goal) for points in score] == [row[f"wins.{seat}"] for seat in range(players)]
        first, second = sorted([0, *score])[:-3:-1]
        assert row["margin"] == first - second


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 20, 100])
def test_all_faces_are_alike_and_each_roll_is_independent_of_the_one_before(sides: int) -> None:
    """Chi-square of faces and of pairs that follow one another, with the bust far off."""
    faces: list[int] = []
    for playout in range(60):
        events, _ = refereed(1, playout, "strict_hold:at=100000", die__sides=sides, die__bust=0, goal=10_000, turn_cap=2)
        faces += [b for code, _, b, _ in events if code == pig.Event.ROLLED]
    assert len(faces) >= 60 * pig.MAX_ROLLS
    counts = np.bincount(faces, minlength=sides + 1)[1:]
    expected = len(faces) / sides
    assert ((counts - expected) ** 2 / expected).sum() < sides - 1 + 5 * np.sqrt(2 * sides)
    if sides <= 20:
        pairs = np.bincount([(x - 1) * sides + y - 1 for x, y in pairwise(faces)], minlength=sides**2)
        expected = len(faces) / sides**2
        assert ((pairs - expected) ** 2 / expected).sum() < sides**2 + 5 * np.sqrt(2 * sides**2)


def test_a_turn_has_to_hold_after_so_many_rolls() -> None:
    _, row = refereed(1, 0, "strict_hold:at=100000", die__bust=0, goal=10_000)
    assert row["rolls"] > pig.MAX_ROLLS * (row["turns"] - 1)
    assert row["rolls"] == pig.MAX_ROLLS * row["turns"]


def test_whoever_rolls_on_for_ever_is_stopped_by_the_turn_cap() -> None:
    _, row = refereed(2, 0, "strict_hold:at=100000", turn_cap=50)
    assert (row["unfinished"], row["turns"], row["busts"], row["margin"]) == (1, 50, 50, 0)


def test_a_goal_of_one_point_is_won_by_the_first_roll_that_counts() -> None:
    result = run("pig", players=1, strategies=["hold"], rules={"goal": 1}, games=20_000)
    assert result.estimates["turns"].low < 6 / 5 < result.estimates["turns"].high


def test_a_bust_face_that_the_die_lacks_is_refused() -> None:
    with pytest.raises(RulesError, match=r"'die.bust' cannot be 7, more than 'sides', which is 6"):
        build_rules(pig.GAME.rules, {"die.bust": 7})


def test_the_view_shows_the_rules_the_turn_and_all_scores() -> None:
    asked = make_experiment("pig", players=3, strategies=["hold"], rules={"goal": 50})
    stepper = Stepper(Table(asked.game, asked.rules, asked.lineup), 1)
    stepper.deal(0)
    while stepper.advance():
        view, state = stepper.observe(), stepper.state
        assert (view.goal, view.sides, view.bust) == (50, 6, 1)
        assert (view.seat, view.total, list(view.score[:3])) == (stepper.seat, state.total, list(state.score[:3]))
        stepper.apply(stepper.choose())


def test_a_playout_is_told_roll_by_roll() -> None:
    told = tell(make_experiment("pig", players=2, rules={"goal": 20}), 0).text()
    assert told.startswith("Set up\n  The first to hold 20 points wins.\n")
    assert "Seat 0 rolls 5; the turn is worth 5.\n  Seat 0 chooses whether to hold 5 on top of 0: roll. [not: hold]" in told
    assert told.rstrip().endswith("wins.")
