"""Playing a playout step by step from Python, with the same compiled parts as the playout loop.

The story, the rehearsal of a strategy and the tests use it; where every choice comes from the seats' strategies it goes
exactly the way of the loop. A turn is played again from its start for every choice, with those made so far given.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.errors import MisbehaviourError, place_of
from simulator.kernel import turns as kernel
from simulator.kernel.chance import MOST_NOTED, unit
from simulator.kernel.records import MAX_EVENTS, NOBODY, POSITION_AT
from simulator.kernel.thinking import decide, payoff_of, play_again
from simulator.play.patience import Clock

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.table import Table

Event = tuple[int, int, int, int]

CHOOSE = "choose"
"""The one step of a playout that is no function of the game."""

TOO_MANY = -2
"""Code of an event that stands for those that were too many to note; its first number says how many."""


class RaisedError(RuntimeError):
    """A compiled function of the game raised; `step` is its name."""

    def __init__(self, step: str) -> None:
        """Name it."""
        super().__init__(f"the game's `{step}` raised an error")
        self.step = step


def endless(game: Game, where: str) -> str:
    """One sentence about a turn that asks for more choices than any turn can need."""
    return f"Game '{game.name}' asks for decisions without end ({place_of(game.turn)}) in {where}."


class Stepper:
    """One playout of a table, a decision at a time.

    Attributes:
        table: what it is played on.
        seat: who decides.
        view: what the deciding seat sees, a record.
        state: all that lies on the table, a record on the same memory.
        clock: how long the step under way has taken, for whoever watches.
    """

    def __init__(self, table: Table, seed: int) -> None:
        """Step through playouts of `seed` on `table`."""
        self.table = table
        self.seed = np.uint64(seed)
        self.seat = NOBODY
        self.clock = Clock()
        self.view: Any = table.view.view(np.recarray)[0]
        self.state: Any = table.memory.view(np.recarray)[0]
        self._events: list[Event] = []
        self._made, self._begun = 0, False
        self._heard = self._drawn = 0  # events and draws of the turn at hand that are known already
        table.be_careful()

    def deal(self, playout: int) -> None:
        """Set up playout number `playout`."""
        self._events, self._begun = [], False
        with self._step("deal"):
            self._check(kernel.deal_playout(self.table.at, self.seed, np.uint64(playout)))
        self._listen_from(0)

    def advance(self) -> bool:
        """Play on to the next decision; False at the end."""
        head, start_at = self.table.head, self.table.start.ctypes.data
        while True:
            if not self._begun:
                if not kernel.begin(self.table.at, start_at):
                    return False
                self._listen_from(0)
                self._made, self._begun, self._heard, self._drawn = 0, True, 0, 0
            drawn_before = int(self.table.notes["count"][0])
            head["pausing"] = 1
            with self._step("turn"):
                status = play_again(self.table.at, start_at, self._made)
                head["pausing"] = 0
                self._check(kernel.PLAYED if status == kernel.PAUSED else status)
            self._heard = self._listen_from(self._heard)
            self._keep_new_draws(drawn_before)
            if status == kernel.PAUSED:
                self.seat = int(head["seat"])
                return True
            self._begun = False

    def rewind(self) -> tuple[Any, Any, int]:
        """Go back to the start of the turn at hand, with the choices made so far given: what the game's `turn` is called with."""
        table, head = self.table, self.table.head
        table.memory.view(np.uint8)[POSITION_AT : POSITION_AT + len(table.start)] = table.start
        head["n_given"], head["pausing"] = self._made, 0
        return table.memory[0], table.rules[0], int(head["mover"])

    @property
    def asked(self) -> bool:
        """Whether the decision at hand leaves a choice; the kernel asks nobody where there is one option."""
        return self.n_options > 1

    @property
    def n_options(self) -> int:
        """How many options the decision at hand has."""
        return int(self.table.head["n_options"])

    def observe(self) -> Any:
        """The deciding seat's view, a record on the table itself."""
        with self._step("show"):
            self._check(kernel.show(self.table.at))
        return self.view

    def choose(self) -> int:
        """The option that the seat's strategy takes; `observe` must have been called."""
        head = self.table.head
        shows, head["shows"] = int(head["shows"]), 0
        with self._step(CHOOSE):
            option = int(decide(self.table.at))
        head["shows"] = shows
        return option

    def random_number(self) -> float:
        """The random number that the deciding seat is given."""
        head = self.table.head
        occasion = kernel.choice_occasion(int(head["turn"]), self.seat, int(head["step"]))
        return float(unit(self.table.chance[0], int(head["decision"]), occasion))

    def apply(self, option: int) -> None:
        """Make the choice; it is carried out when the playout goes on."""
        self.table.head["choices"][self._made] = option
        self._made += 1

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
        if t.game.redeal is not None:
            t.game.redeal(t.memory[0], t.rules[0], seat)

    def payoff(self, seat: int) -> float:
        """What the finished playout is worth to `seat`."""
        self.table.prepare_nested()
        return float(payoff_of(self.table.at, seat))

    def row(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The finished playout's metrics, int32, shape (metrics,)."""
        row = np.empty(len(self.table.metrics), np.int32)
        with self._step("score"):
            self._check(kernel.score_playout(self.table.at, row.ctypes.data))
        return row

    def listen(self) -> None:
        """Have events noted from now on."""
        self.table.head["telling"] = 1

    def events(self) -> list[Event]:
        """What happened since the last call; an event with the code TOO_MANY says how many there were that could not be noted."""
        events, self._events = self._events, []
        return events

    def _listen_from(self, heard: int) -> int:
        """Take up what was noted, but for the first `heard` events, which are known; how many there were."""
        head = self.table.head
        n = int(head["n_events"])
        self._events += [(int(code), int(a), int(b), int(c)) for code, a, b, c in head["events"][heard:n]]
        if n > max(heard, MAX_EVENTS):
            self._events.append((TOO_MANY, n - max(heard, MAX_EVENTS), 0, 0))
        head["n_events"] = 0
        return n

    def _keep_new_draws(self, before: int) -> None:
        """Leave in the notes, after the first `before` draws, those of the turn that were not made when it was last played."""
        notes, known = self.table.notes[0], before + self._drawn
        end = min(int(notes["count"]), MOST_NOTED)
        new = notes["draw"][known:end].copy()
        notes["draw"][before : before + len(new)] = new
        notes["count"], self._drawn = before + len(new), end - before

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        self.clock.begin(name)
        yield
        self.clock.end()

    def _check(self, status: int) -> None:
        if status == kernel.NEVER_ENDS:
            raise MisbehaviourError(endless(self.table.game, f"playout {int(self.table.head['fault']['playout'])}"))
        if status != kernel.PLAYED:
            raise RaisedError(self.clock.step or "")
