"""Three strategies for Pig with two players that beat each other in a round: each can tell one of the others, and gives in to it.

What a player holds, divided by three, leaves a remainder: that of rock is 0, of paper 1, of scissors 2.
"""

from __future__ import annotations

from typing import Any

from simulator.games.pig import HOLD, ROLL
from simulator.kernel.jit import jit
from strategies import strategy

AT = 12


@jit
def _signal(view: Any, mine: Any, feared: Any) -> Any:
    """Hold only where the remainder is one's own; roll for ever once the other shows the one that is feared."""
    own, other = view.score[view.seat] + view.total, view.score[1 - view.seat]
    if other > 0 and other % 3 == feared:
        return ROLL
    return HOLD if own >= view.goal or (view.total >= AT and own % 3 == mine) else ROLL


@strategy("pig")
def rock(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Gives in to paper."""
    return int(_signal(view, 0, 1))


@strategy("pig")
def paper(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Gives in to scissors."""
    return int(_signal(view, 1, 2))


@strategy("pig")
def scissors(view: Any, u: float) -> int:  # noqa: ARG001  it leaves nothing to chance
    """Gives in to rock."""
    return int(_signal(view, 2, 0))
