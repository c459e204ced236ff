"""What to say when a strategy or a game broke its contract in the middle of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.kernel import turns as kernel
from simulator.play.plain_python import decide_in_python
from simulator.play.step_faults import explain_raised
from simulator.play.stepper import Stepper, endless
from simulator.play.table import Table
from simulator.registry.source_text import Mistake

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment


def explain_fault(experiment: Experiment, fault: Any) -> str:
    """One sentence about what went wrong in which playout.

    Args:
        experiment: the question.
        fault: the kernel's FAULT record.
    """
    game = experiment.game
    where = f"playout {int(fault['playout'])} of {game.name}, decision '{game.decisions[int(fault['decision'])]}'"
    if fault["nested"]:
        where = f"a nested playout of {where}"
    player = experiment.lineup[int(fault["seat"])]
    strategy = f"Strategy '{player.label}' ({player.strategy.file.name}, line"
    if fault["status"] == kernel.ILLEGAL_OPTION:
        last = int(fault["n_options"]) - 1
        return f"{strategy} {player.strategy.line}) returned option {int(fault['option'])} in {where}; it has to be 0 to {last}."
    if fault["status"] == kernel.STRATEGY_RAISED:
        mistake = _mistake(experiment, fault)
        return f"Strategy '{player.label}' ({mistake.file.name}, line {mistake.line}) failed in {where}: {mistake.reason}."
    if fault["status"] == kernel.NEVER_ENDS:
        return endless(game, where)
    if fault["nested"]:
        return f"Game '{game.name}' ({game.file}) failed in {where}; it raised an error."
    place, reason = explain_raised(experiment, int(fault["playout"]))
    return f"Game '{game.name}' failed ({place}) in {where}: {reason}."


def _mistake(experiment: Experiment, fault: Any) -> Mistake:
    """Line and reason of a strategy's failure, found by deciding once more in plain Python.

    The decisions before it are taken by the compiled strategies, which did not fail there.
    """
    player = experiment.lineup[int(fault["seat"])]
    unknown = Mistake(player.strategy.file, player.strategy.line, "it raised an error there; it has to return an option for every view")
    if fault["nested"]:
        return unknown
    stepper = Stepper(Table(experiment.game, experiment.rules, experiment.lineup), experiment.seed)
    stepper.deal(int(fault["playout"]))
    for _ in range(int(fault["nth"])):
        _to_choice(stepper)
        stepper.observe()
        stepper.apply(stepper.choose())
    _to_choice(stepper)
    _, _, mistake = decide_in_python(player, stepper.observe(), stepper.random_number())
    return mistake or unknown


def _to_choice(stepper: Stepper) -> None:
    """Go on to the next decision that leaves a choice."""
    while stepper.advance() and not stepper.asked:
        stepper.apply(0)
