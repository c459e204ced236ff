"""How chances move in Pig, exactly: by iteration over all scores, turns and leaders, without the kernel and without any chance.

Tables are indexed by every seat's score, in the order of `scores`, and hold what is to be expected before a turn of a seat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LEAD = 0.2
NONE = -1
_ALMOST = 1e-13


@dataclass(frozen=True)
class PigDrama:
    """Pig with every seat holding at the same points or at the goal.

    Attributes:
        players: seats at the table.
        at: points at which they hold.
        goal: points that win.
    """

    players: int
    at: int = 20
    goal: int = 100

    @cached_property
    def turn(self) -> dict[int, tuple[float, dict[int, float], float]]:
        """By score: the chances to bust, to hold so many points, and to win in this turn."""
        found: dict[int, tuple[float, dict[int, float], float]] = {}
        todo = [0]
        while todo:
            score = todo.pop()
            if score not in found:
                found[score] = self._turn_from(score)
                todo += [score + points for points in found[score][1]]
        return found

    def _turn_from(self, score: int) -> tuple[float, dict[int, float], float]:
        reached, stop = {0: 1.0}, min(self.at, self.goal - score)
        bust = 0.0
        for total in range(stop):
            roll = reached.pop(total, 0.0) / 6
            bust += roll
            for face in range(2, 7):
                reached[total + face] = reached.get(total + face, 0.0) + roll
        held = {points: chance for points, chance in reached.items() if score + points < self.goal and chance}
        return bust, held, 1 - bust - sum(held.values())

    @cached_property
    def scores(self) -> list[int]:
        return sorted(self.turn)

    @cached_property
    def moves(self) -> Array:
        """Chances of the score after a turn, by the score before it; busts included, wins not."""
        place = {score: i for i, score in enumerate(self.scores)}
        found = np.zeros((len(place), len(place)))
        for score, (bust, held, _) in self.turn.items():
            found[place[score], place[score]] += bust
            for points, chance in held.items():
                found[place[score], place[score + points]] += chance
        return found

    def after(self, worth: Array, mover: int) -> Array:
        """What a table of worths after the mover's turn is worth before it, if a win is worth nothing."""
        return np.moveaxis(np.tensordot(self.moves, worth, (1, mover)), 0, mover)

    def before(self, chance: Array, mover: int) -> Array:
        """The chances of the positions after the mover's turn, from those before it."""
        return np.moveaxis(np.tensordot(self.moves, chance, (0, mover)), 0, mover)

    def wins(self, mover: int) -> Array:
        """The chance that the mover wins in this turn."""
        shape = [1] * self.players
        shape[mover] = -1
        table = np.array([self.turn[score][2] for score in self.scores]).reshape(shape)
        return np.broadcast_to(table, (len(self.scores),) * self.players)

    def settled(self, of: Callable[[int, Array], Array], *shape: int) -> list[Array]:
        """For each mover the tables that do not change any more under `of`, which makes them from those of the next mover.

        Args:
            of: of a mover and the tables of the next one.
            shape: of the tables, before that of a position.
        """
        found = [np.zeros((*shape, *(len(self.scores),) * self.players)) for _ in range(self.players)]
        change = 1.0
        while change > _ALMOST:
            change = 0.0
            for mover in reversed(range(self.players)):
                new = of(mover, found[(mover + 1) % self.players])
                change = max(change, float(np.abs(new - found[mover]).max()))
                found[mover] = new
        return found

    @cached_property
    def chances(self) -> list[Array]:
        """For each mover every seat's chance to win, the seats first."""

        def of(mover: int, later: Array) -> Array:
            return np.stack([self.after(later[seat], mover) + (self.wins(mover) if seat == mover else 0) for seat in range(self.players)])

        return self.settled(of, self.players)

    @cached_property
    def leads(self) -> list[list[Array]]:
        """For each mover and leader so far, none last: who leads before the turn."""
        return [[self._lead(chances, leader) for leader in (*range(self.players), NONE)] for chances in self.chances]

    def _lead(self, chances: Array, leader: int) -> Array:
        first, ordered = chances.argmax(axis=0), np.sort(chances, axis=0)
        rival = ordered[-2] if leader == NONE else chances[leader]
        return np.where(ordered[-1] - rival >= LEAD - 1e-9, first, leader)

    def _over_leaders(self, reward: Callable[[int, int, Array], Array | float], allowed: tuple[int, ...] | None = None) -> list[Array]:
        """Sums of rewards to be expected until the end, by mover and by the leader so far; nothing once nobody allowed leads."""
        leaders = (*range(self.players), NONE)

        def of(mover: int, later: Array) -> Array:
            goes_on = [self.after(later[leader], mover) for leader in leaders]
            found = []
            for before in leaders:
                now = self.leads[mover][before]
                total = reward(mover, before, now) + np.choose(now % len(leaders), goes_on)
                found.append(total if allowed is None else np.where(np.isin(now, allowed), total, 0.0))
            return np.stack(found)

        return self.settled(of, len(leaders))

    def _start(self, tables: list[Array]) -> float:
        return float(tables[0][(NONE, *(0,) * self.players)])

    @cached_property
    def never_behind(self) -> list[list[Array]]:
        """For each seat: its chance to win without another leading from now on, by mover and leader so far."""
        return [
            self._over_leaders(lambda mover, _before, _now, seat=seat: self.wins(mover) if mover == seat else 0.0, (seat, NONE))  # type: ignore[misc]
            for seat in range(self.players)
        ]

    @property
    def lead_changes(self) -> float:
        return self._start(self._over_leaders(lambda _mover, before, now: (now != before) * float(before != NONE)))

    @property
    def led_throughout(self) -> float:
        return sum(self._start(tables) for tables in self.never_behind)

    @property
    def turns(self) -> float:
        """How many turns a game takes."""
        return self._start(self._over_leaders(lambda _mover, _before, _now: 1.0))

    @property
    def nobody_led(self) -> float:
        """The share of games in which nobody ever had the lead."""
        return self._start(self._over_leaders(lambda mover, _before, _now: self.wins(mover), (NONE,)))

    @property
    def never_behind_from(self) -> float:
        """One more than the turns at whose beginning the winner still is to be behind, now or later."""
        safe = [sum(seat[mover] for seat in self.never_behind) for mover in range(self.players)]
        return 1 + self.turns - self._start(self._over_leaders(lambda mover, before, _now: safe[mover][before]))

    def below(self, mark: float) -> float:
        """The share of games whose winner once had less than such a chance."""
        never = 0.0
        for seat in range(self.players):

            def of(mover: int, later: Array, seat: int = seat) -> Array:
                total = self.after(later, mover) + (self.wins(mover) if seat == mover else 0)
                return np.where(self.chances[mover][seat] >= mark - 1e-9, total, 0.0)

            never += float(self.settled(of)[0][(0,) * self.players])
        return 1 - never

    def decided_early(self, mark: float = 0.9) -> float:
        """Positions before turn t from which the winner stays at the mark for as many turns more as went before, or one fewer."""
        here = np.zeros((len(self.scores),) * self.players)
        here[(0,) * self.players] = 1.0
        found, turn = 0.0, 0
        firm = [[np.zeros(1)] * self.players, self._firm(mark, None)]
        while here.sum() > _ALMOST:
            for left in (turn, turn - 1) if turn else (1,):
                found += float((here * firm[left][turn % self.players]).sum())
            here = self.before(here, turn % self.players)
            turn += 1
            if turn == len(firm):
                firm.append(self._firm(mark, firm[-1]))
        return found

    def _firm(self, mark: float, sooner: list[Array] | None) -> list[Array]:
        """For each mover and seat: the chance to win in so many turns from the mark or above, from that for one turn fewer."""
        found = []
        for mover, chances in enumerate(self.chances):
            if sooner is None:
                ends = [self.wins(mover) * float(seat == mover) for seat in range(self.players)]
            else:
                ends = [self.after(table, mover) for table in sooner[(mover + 1) % self.players]]
            found.append(np.where(chances >= mark - 1e-9, np.stack(ends), 0.0))
        return found

    @property
    def figures(self) -> dict[str, float]:
        """All of them, by the names that the study of drama gives them."""
        return {
            "lead_changes": self.lead_changes,
            "led_throughout": self.led_throughout,
            "never_behind_from": self.never_behind_from,
            "below.10": self.below(0.10),
            "below.25": self.below(0.25),
            "decided_early": self.decided_early(),
        }
