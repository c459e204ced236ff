"""Rehearsing strategies that did not come with the program, in plain Python, before anything is played.

Compiled code cannot say in which line it went wrong, and reads beyond an array's end give garbage. In plain Python over
real views the same function raises with a line number.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator import registry
from simulator.errors import StrategyError, described
from simulator.lineup import chooser_address, make_player
from simulator.plain_python import plain
from simulator.stepper import Stepper
from simulator.table import Table

if TYPE_CHECKING:
    from simulator.experiment import Experiment
    from simulator.lineup import Player

PATIENCE_S = 20.0
"""A decision that takes longer than this never ends."""

_POLL_S = 0.2

DECISIONS = 400
"""Decisions of a strategy that are rehearsed."""

PLAYOUTS = 40
LINES = 200_000
"""A decision that runs more lines than this never ends."""

_SHIPPED = Path(__file__).resolve().parents[1] / "strategies"


class _NeverEndsError(Exception):
    """A decision ran too many lines."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


def rehearse(experiment: Experiment) -> None:
    """Refuse a strategy from elsewhere that fails on any of some hundred real views.

    Raises:
        StrategyError: it raises, returns what is no option, does not end, or does not compile; file, line and reason are named.
    """
    for player in dict.fromkeys(experiment.lineup):
        if player.strategy.file.parent != _SHIPPED:
            _rehearse_player(experiment, player)


class _Clock:
    """How long the decision under way has taken. Compiling the game and slow machines are not the strategy's fault."""

    def __init__(self) -> None:
        self._since: float | None = None

    def __enter__(self) -> None:
        self._since = time.monotonic()

    def __exit__(self, *_error: object) -> None:
        self._since = None

    @property
    def waited_s(self) -> float:
        """Seconds since the decision began; 0 where none is under way."""
        since = self._since
        return 0.0 if since is None else time.monotonic() - since


def _rehearse_player(experiment: Experiment, player: Player) -> None:
    failures: list[BaseException] = []
    clock = _Clock()

    def work() -> None:
        try:
            _play(experiment, player, clock)
        except BaseException as error:  # noqa: BLE001  raised again below, in the thread that asked
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True, name="rehearsal")
    thread.start()
    while thread.is_alive():
        thread.join(_POLL_S)
        if clock.waited_s > PATIENCE_S:
            raise _refusal(player, player.strategy.line, f"a decision did not end within {PATIENCE_S:.0f} seconds")
    if failures:
        raise failures[0]
    chooser_address(player.strategy, experiment.game)


def _play(experiment: Experiment, player: Player, clock: _Clock) -> None:
    """Play some playouts in which the seats of `player` choose in plain Python and the others at random."""
    uniform = make_player(registry.strategies(experiment.game.name)["uniform"])
    table = Table(experiment.game, experiment.rules, (uniform,) * experiment.players)
    stepper = Stepper(table, experiment.seed)
    seats = {seat for seat, p in enumerate(experiment.lineup) if p == player}
    left = DECISIONS
    for playout in range(PLAYOUTS):
        stepper.deal(playout)
        while stepper.advance():
            option = 0
            if stepper.asked:
                view = stepper.observe()
                option = stepper.choose()
                if stepper.seat in seats:
                    with clock:
                        option = _decide(player, view, stepper.random_number(), stepper.n_options)
                    left -= 1
            if left <= 0:
                return
            stepper.apply(option)


def _decide(player: Player, view: Any, u: float, n_options: int) -> int:
    strategy = player.strategy
    option, failure = decide_in_python(player, view, u)
    if failure is not None:
        raise _refusal(player, *failure)
    if isinstance(option, bool | np.bool_) or not isinstance(option, int | np.integer):
        raise _refusal(player, strategy.line, f"it returned {option!r}, which is no whole number")
    if not 0 <= option < n_options:
        raise _refusal(player, strategy.line, f"it returned option {option} where there are {n_options}; it has to be 0 to {n_options - 1}")
    return int(option)


def decide_in_python(player: Player, view: Any, u: float) -> tuple[Any, tuple[int, str] | None]:
    """What a strategy returns as plain Python, or the line and the reason of its failure."""
    arguments = [view, u]
    if player.record is not None:
        arguments.append(player.record.view(np.recarray)[0])
    try:
        with np.errstate(all="ignore"):
            return _limited(plain(player.strategy.function), arguments), None
    except _NeverEndsError as error:
        return None, (error.line, f"a decision ran more than {LINES:,} lines; it has to end for every view")
    except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a user's strategy raises
        return None, (_line(player, error), described(error))


def _limited(function: Any, arguments: list[Any]) -> Any:
    """Call a function, and give up when it has run too many lines of its own file."""
    left = LINES
    file = function.__code__.co_filename

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            left -= 1
            if left < 0:
                raise _NeverEndsError(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)


def _line(player: Player, error: BaseException) -> int:
    file = str(player.strategy.file)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return (lines[-1] if lines else player.strategy.line) or player.strategy.line


def _refusal(player: Player, line: int, reason: str) -> StrategyError:
    return StrategyError(f"Strategy '{player.strategy.name}' is refused ({player.strategy.file}, line {line}): {reason}.")
