"""First Orchard keeps its rules: every playout is refereed event by event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulator import registry
from simulator.games.orchard import GAME, Event
from simulator.kernel.events import TURN_BEGINS
from simulator.play.plain_python import decide_in_python
from simulator.play.replay import tell
from simulator.play.run import make_experiment, run
from simulator.play.stepper import Stepper
from simulator.play.table import Table

BIG_SISTER = {"trees.fruit": 10, "raven.steps": 9, "basket.fruits": 2}


class Referee:
    """Follows the events of a playout, and objects."""

    def __init__(self, rules: dict[str, int]) -> None:
        self.trees = [rules.get("trees.fruit", 4)] * rules.get("trees.count", 4)
        self.raven, self.picks = rules.get("raven.steps", 5), rules.get("basket.fruits", 1)
        self.turn = self.owed = self.baskets = self.bare = 0

    def see(self, code: int, a: int, b: int, c: int) -> None:
        if code in {Event.WON, Event.LOST}:
            return
        if code == TURN_BEGINS:
            assert self.owed == 0
            self.turn += 1
            self.owed = 1  # a roll, or the fruit of a basket
            return
        assert a == (self.turn - 1) % 3
        self.owed -= 1
        follow: dict[int, Callable[[int, int], None]] = {
            Event.PICKED: self.picked,
            Event.BARE: self.rolled_in_vain,
            Event.BASKET: self.basket,
            Event.RAVEN: self.stepped,
        }
        follow[code](b, c)

    def picked(self, tree: int, left: int) -> None:
        self.trees[tree] -= 1
        assert self.trees[tree] == left >= 0

    def rolled_in_vain(self, tree: int, _: int) -> None:
        self.bare += 1
        assert self.trees[tree] == 0

    def basket(self, _: int, __: int) -> None:
        self.baskets += 1
        self.owed = min(self.picks, sum(self.trees))

    def stepped(self, left: int, _: int) -> None:
        self.raven -= 1
        assert self.raven == left


@pytest.mark.parametrize("rules", [{}, BIG_SISTER, {"trees.count": 7, "basket.fruits": 0}, {"trees.count": 1, "basket.fruits": 10}])
def test_every_pick_basket_and_raven_follows_the_rules(rules: dict[str, int]) -> None:
    asked = make_experiment("orchard", players=3, strategies=["uniform"], rules=rules)
    stepper = Stepper(Table(asked.game, asked.rules, asked.lineup), asked.seed)
    stepper.listen()
    for playout in range(40):
        stepper.deal(playout)
        referee, on = Referee(rules), True
        while on:
            on = stepper.advance()
            for event in stepper.events():
                referee.see(*event)
            if on:
                view = stepper.observe()
                assert sorted(view.fruit[: view.n_options]) == sorted(n for n in referee.trees if n)
                assert view.raven == referee.raven
                assert min(view.picks, sum(referee.trees)) == referee.owed
                stepper.apply(stepper.choose())
        row = dict(zip((m.name for m in asked.metrics), stepper.row().tolist(), strict=True))
        won = not any(referee.trees)
        assert (row["players_win"], row["raven_wins"]) == (int(won), int(referee.raven == 0))
        assert (row["turns"], row["baskets"], row["bare"]) == (referee.turn, referee.baskets, referee.bare)
        assert row["margin"] == (referee.raven if won else -sum(referee.trees))


def test_who_picks_does_not_matter() -> None:
    digests = {run("orchard", players=players, strategies=["fullest"], games=2000).digest for players in (1, 2, 3, 4)}
    assert len(digests) == 1


def test_fullest_and_emptiest_take_the_first_of_equals() -> None:
    view: Any = np.zeros(1, GAME.view).view(np.recarray)[0]
    view.n_options = 4
    view.fruit[:4] = (2, 3, 1, 3)
    found = [decide_in_python(registry.player(GAME, name), view, 0.0) for name in ("fullest", "emptiest")]
    assert [(option, mistake) for option, _, mistake in found] == [(1, None), (2, None)]


def test_the_turn_cap_ends_a_playout_as_unfinished() -> None:
    assert run("orchard", players=2, rules={"turn_cap": 3}, games=100).unfinished == 100


def test_a_playout_is_told_in_full() -> None:
    told = tell(make_experiment("orchard", players=2), 0).text()
    assert told.startswith("Set up\n  Each of 4 trees bears 4; the raven is 5 steps away.\n")
    assert "Seat 0 chooses a tree to pick from (the raven is 5 steps away): one that bears 4." in told
    assert told.rstrip().endswith((": the players win.", ": the players lose."))
