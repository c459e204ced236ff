"""Rules as compiled code reads them."""

from __future__ import annotations

from simulator.rules import GameRules, RuleGroup, constant, ours
from simulator.rules.packing import packer


class Board(RuleGroup):
    """A group of lists alone."""

    path: tuple[str, ...] = constant(("a", "b"), unit="list of spaces", description="Path.", source=ours("a test"))


class Game(RuleGroup):
    """A group in which a group holds lists alone."""

    board: Board = Board()
    goal: int = constant(3, unit="points", description="Goal.", source=ours("a test"))


class Rules(GameRules):
    """Rules with both."""

    board: Board = Board()
    game: Game = Game()


def test_a_group_of_lists_alone_stays_out() -> None:
    packed = packer(lambda rules: {"spaces": len(rules.board.path)})(Rules())[0]
    assert packed.dtype.names == ("turn_cap", "game", "spaces")
    assert packed["game"].dtype.names == ("goal",)
    assert (packed["game"]["goal"], packed["spaces"]) == (3, 2)
