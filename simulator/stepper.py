"""Playing a playout step by step from Python, with the same compiled parts as the playout loop.

The story, the rehearsal of a strategy and the tests use it; where every choice comes from the seats' strategies it goes
exactly the way of the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.kernel import playout as kernel
from simulator.kernel.chance import unit
from simulator.kernel.lookahead import choose_option
from simulator.kernel.pointers import RAISED
from simulator.kernel.records import MAX_EVENTS, OVER

if TYPE_CHECKING:
    from simulator.table import Table

Event = tuple[int, int, int, int]

TOO_MANY = -2
"""Code of an event that stands for those that were too many to note; its first number says how many."""


class Stepper:
    """One playout of a table, a decision at a time."""

    def __init__(self, table: Table, seed: int) -> None:
        """Step through playouts of `seed` on `table`."""
        self.table = table
        self.seed = np.uint64(seed)
        self.seat = OVER
        self._fault = np.zeros(1, kernel.FAULT)[0]
        self.view: Any = table.view.view(np.recarray)[0]
        self.state: Any = table.state.view(np.recarray)[0]

    def deal(self, playout: int) -> None:
        """Set up playout number `playout`."""
        t = self.table
        self._check(kernel.deal_playout(t.record, t.head, t.chance[0], self.seed, np.uint64(playout)))

    def advance(self) -> bool:
        """Play on to the next decision; False at the end."""
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
        self._check(kernel.observe_playout(t.record, t.head, t.view_start, self.seat))
        return self.view

    def choose(self) -> int:
        """The option that the seat's strategy takes; `observe` must have been called."""
        t = self.table
        return int(choose_option(t.record, t.head, t.chance[0], self.seat, self._fault, t.nested))

    def random_number(self) -> float:
        """The random number that the deciding seat is given."""
        head = self.table.head
        occasion = kernel.choice_occasion(int(head["turn"]), self.seat, int(head["step"]))
        return float(unit(self.table.chance[0], int(head["decision"]), occasion))

    def apply(self, option: int) -> None:
        """Carry the choice out."""
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
        """The finished playout's metrics, int32, shape (metrics,)."""
        row = np.zeros(len(self.table.metrics), np.int32)
        self._check(kernel.score_playout(self.table.record, row.ctypes.data))
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

    @staticmethod
    def _check(status: int) -> None:
        if status == RAISED:
            message = "a compiled transition raised"
            raise RuntimeError(message)
