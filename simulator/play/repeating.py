"""Whether a strategy decides by what it sees alone: playouts played in a row, and each of them on memory that holds nothing yet."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.kernel.sources import closure, is_own
from simulator.play.purity import PURE
from simulator.play.stepper import Stepper
from simulator.play.table import Table
from simulator.registry.lineup import make_player
from simulator.registry.source_text import Mistake, tree_of

if TYPE_CHECKING:
    from simulator.play.experiment import Experiment
    from simulator.registry.lineup import Player

REPEATED = 50
"""Playouts that are played in a row and alone."""

REPEATED_DECISIONS = 10_000
"""Decisions after which that is enough."""


def play_again(experiment: Experiment, player: Player, clock: AbstractContextManager[Any]) -> None:
    """Play some playouts side by side: one after the other on one table, and alone on another, which is emptied before each.

    The seats of `player` choose by its compiled strategy, the others at random.

    Args:
        experiment: the question.
        player: one of its players.
        clock: entered while a decision is under way.

    Raises:
        Mistake: its choices differ, or it changes what it is given.
    """
    _Twice(experiment, player, clock).play()


class _Twice:
    def __init__(self, experiment: Experiment, player: Player, clock: AbstractContextManager[Any]) -> None:
        uniform = make_player(registry.strategies(experiment.game)["uniform"])
        bare = replace(player, rollouts=0, blunders=0.0)  # what is laid on top reads no view
        lineup = tuple(bare if p == player else uniform for p in experiment.lineup)
        self.game, self.player, self.clock = experiment.game, bare, clock
        self.in_a_row, self.alone = (Stepper(Table(experiment.game, experiment.rules, lineup), experiment.seed) for _ in range(2))
        self.left = REPEATED_DECISIONS

    def play(self) -> None:
        for playout in range(REPEATED):
            self.alone.table.forget()
            self.in_a_row.deal(playout)
            self.alone.deal(playout)
            if not self._play_out(playout):
                return

    def _play_out(self, playout: int) -> bool:
        """Whether to go on with the next playout."""
        while self.in_a_row.advance() and self.alone.advance():
            option = 0
            if self.in_a_row.asked:
                option, other = self._choose(self.in_a_row), self._choose(self.alone)
                if option != other:
                    self._differs(playout)
                self.left -= 1
                if self.left <= 0 or not 0 <= option < self.in_a_row.n_options:
                    return False  # what is no option is explained where it is played
            self.in_a_row.apply(option)
            self.alone.apply(option)
        return True

    def _choose(self, stepper: Stepper) -> int:
        """The option that is taken.

        Raises:
            Mistake: something else is changed on the way.
        """
        stepper.observe()
        given = [stepper.table.view, *([self.player.record] if self.player.record is not None else [])]
        before = _bytes_of(given)
        with self.clock:
            option = stepper.choose()
        if _bytes_of(given) != before:
            reason = "it changes its view or its parameters, and that is there to be read alone; change a copy"
            raise Mistake(self.player.strategy.file, self.player.strategy.line, reason)
        return option

    def _differs(self, playout: int) -> None:
        """Say why the choices differ, as far as that can be seen."""
        decision = self.game.decisions[int(self.alone.table.head["decision"])]
        one, other = self.in_a_row.table.view, self.alone.table.view
        for name in self.game.view.names or ():
            place = _place_of(self.player, name)
            if place is not None and one[name].tobytes() != other[name].tobytes():
                view = self.player.strategy.function.__code__.co_varnames[0]
                reason = f"it reads {view}.{name} at the decision '{decision}', where nothing stands there but what was left from before"
                raise Mistake(*place, f"{reason}; ask first what {view}.decision is")
        reason = f"it decides otherwise when playout {playout} is played alone, at the decision '{decision}'; {PURE}"
        raise Mistake(self.player.strategy.file, self.player.strategy.line, reason)


def _bytes_of(records: list[Any]) -> list[bytes]:
    """What the fields of some arrays of records hold; a view is no copy of a table and has gaps between them."""
    return [array[name].tobytes() for array in records for name in array.dtype.names]


def _place_of(player: Player, field: str) -> tuple[Path, int] | None:
    """File and line in which a strategy, or what it imports from elsewhere, first reads a field."""
    for file in sorted(closure(player.strategy.file), key=lambda file: file != player.strategy.file.resolve()):
        nodes = ast.walk(tree_of(file)) if not is_own(file) else ()
        lines = [node.lineno for node in nodes if isinstance(node, ast.Attribute) and node.attr == field]
        if lines:
            return file, min(lines)
    return None
