"""Questions that are played one after the other, and Ctrl-C in the middle of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Asked = TypeVar("Asked")
Found = TypeVar("Found")


def play_in_turn(asked: Iterable[Asked], play: Callable[[Asked], Found], interrupted: Callable[[Found], bool]) -> list[Found]:
    """Play one question after the other; what is done when Ctrl-C comes is kept, and nothing more is begun.

    Args:
        asked: the questions, usually one for each number of players.
        play: plays one of them.
        interrupted: whether Ctrl-C ended one that nevertheless found something.
    """
    found: list[Found] = []
    for question in asked:
        try:
            found.append(play(question))
        except KeyboardInterrupt:
            break
        if interrupted(found[-1]):
            break
    return found
