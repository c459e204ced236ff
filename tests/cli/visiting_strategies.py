"""Strategies as somebody might bring them along: one that plays well, and some that pass the rehearsal and fail later."""

from __future__ import annotations

from typing import Any

import numpy as np

from strategies import Params, strategy

LATE = 60
"""A turn that few playouts reach, and none of those that are rehearsed."""


@strategy("grinchmas")
def settled(view: Any, u: float, p: Any = Params(share=0.0)) -> Any:  # noqa: B008  how parameters are declared
    """Takes the option at `share` of the list."""
    return int((p.share + u * 0.0) * view.n_options)


@strategy("grinchmas")
def late_illegal(view: Any, u: float) -> Any:  # noqa: ARG001  a strategy takes both
    """Takes an option that there is not, when it is late."""
    return 99 if view.turn > LATE else 0


@strategy("grinchmas")
def late_raising(view: Any, u: float) -> Any:  # noqa: ARG001  a strategy takes both
    """Raises when it is late."""
    if view.turn > LATE:
        raise ValueError("tired")
    return 0


@strategy("grinchmas")
def late_endless(view: Any, u: float) -> Any:  # noqa: ARG001  a strategy takes both
    """Counts without end when it is late."""
    i = 0
    while view.turn > LATE:
        i += 1
    return i


@strategy("grinchmas")
def uncompilable(view: Any, u: float) -> Any:  # noqa: ARG001  a strategy takes both
    """Sorts as compiled code cannot."""
    return int(np.lexsort((view.action[: view.n_options],))[0])


def undeclared(view: Any, u: float) -> Any:  # noqa: ARG001  a strategy takes both
    """Is no strategy."""
    return 0
