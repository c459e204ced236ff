"""Rehearsing games that did not come with the program, before anything of them is counted.

Some playouts are played step by step, so that a step that does not end is noticed and Ctrl-C is heeded, and played again on
fresh memory, where they have to come out the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from simulator import registry
from simulator.errors import MisbehaviourError, place_of
from simulator.kernel.records import MAX_CHOICES
from simulator.play.draws import check_draws
from simulator.play.step_faults import step_patiently
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.registry.lineup import make_player

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment

PLAYOUTS = 10
DECISIONS = MAX_CHOICES + 1
"""Of a longer playout no more than so many decisions are rehearsed."""

_SHIPPED = Path(__file__).resolve().parents[1] / "games"

Shown = list[dict[str, bytes]]
"""All that a playout shows, one after the other: every view by its fields, at last the row."""

_rehearsed: set[tuple[str, str, int]] = set()


def rehearse_game(experiment: Experiment) -> None:
    """Refuse a game from elsewhere that breaks its contract in the first playouts; each number of players is looked at once.

    Raises:
        GameError: it does not compile.
        MisbehaviourError: a step does not end or raises an error, a row is not written as declared, a playout depends on the one
            before it, a view shows what is left of another decision, or two draws have one address.
    """
    game = experiment.game
    key = (game.name, game.fingerprint, experiment.players)
    if game.file.is_relative_to(_SHIPPED) or key in _rehearsed:
        return
    uniform = make_player(registry.strategies(game)["uniform"])
    asked = replace(experiment, lineup=(uniform,) * experiment.players)
    in_a_row = Table(game, asked.rules, asked.lineup)
    for playout in range(PLAYOUTS):
        _check_alike(asked, _shown(asked, playout, in_a_row), _shown(asked, playout, None))
    check_draws(asked, PLAYOUTS)
    _rehearsed.add(key)


def _shown(asked: Experiment, playout: int, table: Table | None) -> Shown:
    """What a playout shows on a table, or if none is given on one of its own, of which the view is wiped before each decision."""
    stepper = Stepper(table or Table(asked.game, asked.rules, asked.lineup), asked.seed)
    return step_patiently(asked, playout, stepper, lambda: list(_step(stepper, playout, wipe=table is None)))


def _step(stepper: Stepper, playout: int, *, wipe: bool) -> Iterator[dict[str, bytes]]:
    table, names = stepper.table, stepper.table.view.dtype.names or ()
    stepper.deal(playout)
    for _ in range(DECISIONS):
        if wipe:
            table.forget_view()
        if not stepper.advance():
            break
        option = 0
        if stepper.asked:
            stepper.observe()
            yield {name: table.view[name].tobytes() for name in names}
            option = stepper.choose()
        stepper.apply(option)
    yield {"": stepper.row().tobytes()}


def _check_alike(asked: Experiment, in_a_row: Shown, alone: Shown) -> None:
    game = asked.game
    for one, other in zip(in_a_row, alone, strict=False):
        differing = [name for name, result in one.items() if result != other.get(name)]
        if differing:
            message = (
                f"Game '{game.name}' leaves in '{differing[0]}' of a view what an earlier decision showed ({place_of(game.turn)}); "
                "`turn` has to write it for every option before it asks."
            )
            raise MisbehaviourError(message)
