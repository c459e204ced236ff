"""Which step of a playout does not end or raises an error, found by playing it step by step."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from simulator.errors import MisbehaviourError, described, place_of
from simulator.play.patience import PATIENCE_S, OverdueError, attended
from simulator.play.stepper import CHOOSE, RaisedError, Stepper
from simulator.play.table import Table

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment

Result = TypeVar("Result")

STEP_S = 5.0
"""Where a playout is played once more since it did not end, a step that takes longer than this is the one to blame."""


def explain_stuck(experiment: Experiment, playout: int, waited_s: float) -> str:
    """One sentence about who does not come back in a playout, found by playing it once more step by step.

    Args:
        experiment: the question.
        playout: its number.
        waited_s: how long somebody has waited already, in seconds.
    """
    stepper = Stepper(Table(experiment.game, experiment.rules, experiment.lineup), experiment.seed)

    def play() -> None:
        stepper.deal(playout)
        stepper.play_out()
        stepper.row()

    try:
        step_patiently(experiment, playout, stepper, play, STEP_S, waited_s)
    except MisbehaviourError as error:
        return str(error)
    return f"Playout {playout} of {experiment.game.name} has not ended for {waited_s:.0f} seconds, and nobody knows why."


def step_patiently(
    experiment: Experiment,
    playout: int,
    stepper: Stepper,
    work: Callable[[], Result],
    patience_s: float | None = None,
    waited_s: float = 0.0,
) -> Result:
    """What `work` returns, which steps through a playout. Ctrl-C is heeded.

    Args:
        experiment: the question.
        playout: its number.
        stepper: what `work` steps with.
        work: runs on a thread of its own.
        patience_s: a step that takes longer, in seconds, does not end; PATIENCE_S if not given.
        waited_s: how long somebody has waited before, in seconds.

    Raises:
        MisbehaviourError: a step does not end, or the game fails in it.
    """
    game = experiment.game
    patience_s = PATIENCE_S if patience_s is None else patience_s
    try:
        return attended(work, stepper.clock.complaint(patience_s))
    except OverdueError as error:
        seconds, turn = max(patience_s, waited_s), int(stepper.table.head["turn"])
        if error.step == CHOOSE:
            player = experiment.lineup[stepper.seat]
            message = (
                f"Strategy '{player.label}' ({player.strategy.file.name}, line {player.strategy.line}) has not answered for "
                f"{seconds:.0f} seconds in playout {playout} of {game.name} "
                f"(seat {stepper.seat}, turn {turn}); a strategy must end for every view."
            )
        else:
            place = place_of(getattr(game, error.step))
            message = (
                f"Game '{game.name}' has not come back from `{error.step}` ({place}) for {seconds:.0f} seconds in playout {playout}, "
                f"turn {turn}; it has to end."
            )
    except RaisedError as error:
        message = failure(experiment, playout, error)
    raise MisbehaviourError(message)


def failure(experiment: Experiment, playout: int, error: RaisedError) -> str:
    """One sentence about a game that raised an error while somebody stepped through a playout."""
    place, reason = explain_raised(experiment, playout)
    return f"Game '{experiment.game.name}' failed in `{error.step}` ({place}) in playout {playout}: {reason}."


def explain_raised(experiment: Experiment, playout: int) -> tuple[str, str]:
    """Where in a game a playout raises an error, and which; found by playing up to it and calling the transition from Python."""
    game, table = experiment.game, Table(experiment.game, experiment.rules, experiment.lineup)
    stepper = Stepper(table, experiment.seed)
    try:
        stepper.deal(playout)
        stepper.play_out()
        stepper.row()
    except RaisedError as error:
        at_hand = stepper.rewind() if error.step == "turn" else (table.memory[0], table.rules[0], stepper.seat)
        return _from_python(getattr(game, error.step), at_hand[: 2 if error.step in {"deal", "score"} else 3])
    return str(game.file), "it raised an error, and does not when it is played step by step"


def _from_python(function: Any, arguments: tuple[Any, ...]) -> tuple[str, str]:
    """File and line, and what a compiled function raises."""
    try:
        function(*arguments)
    except Exception as error:  # noqa: BLE001  whatever a game raises
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__ and Path(f.filename).exists()]
        place = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else place_of(function)
        return place, described(error)
    return place_of(function), "it raised an error"
