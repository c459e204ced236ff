"""Rehearsing strategies that did not come with the program, before anything is played.

First their source is looked at, without running it. Then they decide in plain Python over real views: compiled code cannot
say in which line it went wrong. Last, compiled, they play playouts one after the other and each of them alone, and have to
decide alike.
"""

from __future__ import annotations

import threading
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator import registry
from simulator.kernel.sources import is_own
from simulator.play.aliases import check_stores
from simulator.play.game_rehearsal import rehearse_game
from simulator.play.patience import PATIENCE_S
from simulator.play.plain_python import decide_in_python
from simulator.play.purity import check_names
from simulator.play.repeating import play_again
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.registry.lineup import chooser_address, make_player
from simulator.registry.source_text import Mistake, refusal

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.experiment import Experiment
    from simulator.registry.lineup import Player
    from strategies.declare import Strategy

_POLL_S = 0.2

DECISIONS = 400
"""Decisions of a strategy that are rehearsed in plain Python."""

PLAYOUTS = 40


def rehearse(experiment: Experiment) -> None:
    """Refuse a strategy from elsewhere that does what strategies may not do, or fails on any of some hundred real views.

    A game from elsewhere is looked at before that.

    Raises:
        GameError, MisbehaviourError: the game does not compile, or breaks its contract; see `rehearse_game`.
        StrategyError: it names or changes what it may not, raises, returns what is no option, does not end, does not compile,
            or decides otherwise when a playout is played again; file, line and reason are named.
    """
    rehearse_game(experiment)
    for player in dict.fromkeys(experiment.lineup):
        if not is_own(player.strategy.file):
            check_source(player.strategy, player.dtype, experiment.game)
            _rehearse_player(experiment, player)


@cache
def check_source(strategy: Strategy, parameters: np.dtype[Any], game: Game) -> None:
    """Refuse a strategy for what is written in it, before it is compiled.

    Raises:
        StrategyError: it names or changes what it may not; file, line and reason are named.
    """
    function: Any = strategy.function
    try:
        check_names(function)
        check_stores(function, game, parameters)
    except Mistake as mistake:
        raise refusal(strategy.name, mistake.file, mistake.line, mistake.reason) from None


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
            chooser_address(player, experiment.game)
            play_again(experiment, player, clock)
        except BaseException as error:  # noqa: BLE001  raised again below, in the thread that asked
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True, name="rehearsal")
    thread.start()
    while thread.is_alive():
        thread.join(_POLL_S)
        if clock.waited_s > PATIENCE_S:
            strategy = player.strategy
            raise refusal(strategy.name, strategy.file, strategy.line, f"a decision did not end within {PATIENCE_S:.0f} seconds")
    for failure in failures:
        if isinstance(failure, Mistake):
            raise refusal(player.strategy.name, failure.file, failure.line, failure.reason)
        raise failure


def _play(experiment: Experiment, player: Player, clock: _Clock) -> None:
    """Play some playouts in which the seats of `player` choose in plain Python and the others at random."""
    uniform = make_player(registry.strategies(experiment.game)["uniform"])
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
                        option = _decide(player, view, stepper.random_number(), experiment.game)
                    left -= 1
            if left <= 0:
                return
            stepper.apply(option)


def _decide(player: Player, view: Any, u: float, game: Game) -> int:
    """The option that it takes, where that is one.

    Raises:
        Mistake: it is none, or it fails.
    """
    option, line, mistake = decide_in_python(player, view, u)
    if mistake is not None:
        raise mistake
    wrong = _no_option(option, int(view.n_options))
    if wrong:
        decision = game.decisions[int(view.decision)]
        raise Mistake(
            player.strategy.file, line, f"{wrong}, at the decision '{decision}'; return the index of an option, 0 to {view.n_options - 1}"
        )
    return int(option)


def _no_option(option: Any, n_options: int) -> str:
    """What is wrong with what was returned; empty for nothing."""
    if option is None:
        return "it comes to its end without a return"
    if isinstance(option, bool | np.bool_) or not isinstance(option, int | np.integer):
        shown = option.item() if isinstance(option, np.generic) else option
        return f"it returns {shown!r}, which is no whole number"
    return "" if 0 <= option < n_options else f"it returns option {option} where there are {n_options}"
