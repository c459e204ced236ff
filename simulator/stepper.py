"""Playing a playout step by step from Python, with the same compiled parts as the playout loop.

The story, the rehearsal of a strategy and the tests use it; where every choice comes from the seats' strategies it goes
exactly the way of the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.kernel import playout as kernel
from simulator.kernel.chance import unit
from simulator.kernel.lookahead import choose_option
from simulator.kernel.pointers import RAISED
from simulator.kernel.records import MAX_EVENTS, OVER
from simulator.patience import Clock
from simulator.rows import RowMemory

if TYPE_CHECKING:
    from simulator.table import Table

Event = tuple[int, int, int, int]

CHOOSE = "choose"
"""The one step of a playout that is no function of the game."""

TOO_MANY = -2
"""Code of an event that stands for those that were too many to note; its first number says how many."""


class RaisedError(RuntimeError):
    """A compiled transition raised; `step` is its name."""

    def __init__(self, step: str) -> None:
        """Name it."""
        super().__init__(f"the game's `{step}` raised an error")
        self.step = step


class Stepper:
    """One playout of a table, a decision at a time.

    Attributes:
        table: what it is played on.
        seat: who decides.
        view, state: as records.
        clock: how long the step under way has taken, for whoever watches.
    """

    def __init__(self, table: Table, seed: int) -> None:
        """Step through playouts of `seed` on `table`."""
        self.table = table
        self.seed = np.uint64(seed)
        self.seat = OVER
        self.clock = Clock()
        self._fault = np.zeros(1, kernel.FAULT)[0]
        self.view: Any = table.view.view(np.recarray)[0]
        self.state: Any = table.state.view(np.recarray)[0]

    def deal(self, playout: int) -> None:
        """Set up playout number `playout`."""
        t = self.table
        with self._step("deal"):
            self._check(kernel.deal_playout(t.record, t.head, t.chance[0], self.seed, np.uint64(playout)))

    def advance(self) -> bool:
        """Play on to the next decision; False at the end."""
        with self._step("advance"):
            self.seat = int(kernel.advance_playout(self.table.record))
            if self.seat != OVER:
                self._check(self.seat)
        return self.seat != OVER

    @property
    def asked(self) -> bool:
        """Whether the decision at hand leaves a choice; the kernel asks nobody where there is one option."""
        return self.n_options > 1

    @property
    def n_options(self) -> int:
        """How many options the decision at hand has."""
        return int(self.table.head["n_options"])

    def observe(self) -> Any:
        """The deciding seat's view, a record on memory that the next call overwrites."""
        t = self.table
        with self._step("observe"):
            self._check(kernel.observe_playout(t.record, t.head, t.view_start, self.seat))
        return self.view

    def choose(self) -> int:
        """The option that the seat's strategy takes; `observe` must have been called."""
        t = self.table
        with self._step(CHOOSE):
            return int(choose_option(t.record, t.head, t.chance[0], self.seat, self._fault, t.nested))

    def random_number(self) -> float:
        """The random number that the deciding seat is given."""
        head = self.table.head
        occasion = kernel.choice_occasion(int(head["turn"]), self.seat, int(head["step"]))
        return float(unit(self.table.chance[0], int(head["decision"]), occasion))

    def apply(self, option: int) -> None:
        """Carry the choice out."""
        with self._step("apply"):
            self._check(kernel.apply_option(self.table.record, option))

    def play_out(self) -> None:
        """Let the strategies play to the end."""
        while self.advance():
            option = 0
            if self.asked:
                self.observe()
                option = self.choose()
            self.apply(option)

    def redeal(self, seat: int) -> None:
        """Deal afresh everything that `seat` cannot see."""
        t = self.table
        t.game.redeal(t.state[0], t.rules[0], t.chance[0], seat)

    def payoff(self, seat: int) -> float:
        """What the finished playout is worth to `seat`."""
        t = self.table
        return float(t.game.payoff(t.state[0], t.rules[0], seat))

    def row(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The finished playout's metrics, int32, shape (metrics,).

        Raises:
            MisbehaviourError: the game writes less or more than its row.
        """
        memory = RowMemory(self.table.game, self.table.metrics)
        rows = memory.take(1)
        with self._step("score"):
            self._check(kernel.score_playout(self.table.record, rows.ctypes.data))
        memory.check(rows)
        row: np.ndarray[Any, np.dtype[np.int32]] = rows[0]
        return row

    def listen(self) -> None:
        """Have events noted from now on."""
        self.table.head["telling"] = 1

    def events(self) -> list[Event]:
        """What happened since the last call; a last event with the code TOO_MANY says how many more there were."""
        head = self.table.head
        n = int(head["n_events"])
        noted = [(int(code), int(a), int(b), int(c)) for code, a, b, c in head["events"][:n]]
        head["n_events"] = 0
        return noted if n <= MAX_EVENTS else [*noted, (TOO_MANY, n - MAX_EVENTS, 0, 0)]

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        self.clock.begin(name)
        yield
        self.clock.end()

    def _check(self, status: int) -> None:
        if status == RAISED:
            raise RaisedError(self.clock.step or "")
