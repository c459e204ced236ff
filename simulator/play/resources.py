"""What a question is played with: nothing of it changes the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from simulator.play.collect import Progress
    from simulator.play.executors import Workers
    from simulator.play.ledger import Ledger

SoFar = Callable[[Any], tuple[str, int]]
"""What to say of what was collected so far, and how many playouts there will be as far as can be told."""


class Stage(Protocol):
    """Shows where long work stands."""

    def __call__(self, label: str, size: int, so_far: SoFar | None = None, /) -> AbstractContextManager[Progress | None]:
        """Open it for so many playouts, at most; it gives the callback for `collect`, or None if there is nothing to show."""


def unseen(_label: str, _size: int, _so_far: SoFar | None = None, /) -> AbstractContextManager[None]:
    """A stage that shows nothing."""
    return nullcontext()


@dataclass(frozen=True)
class Resources:
    """Who plays, what is remembered, and where progress shows.

    Attributes:
        workers: a number of threads, None for all processors, or a cluster.
        ledger: where what was played is remembered; what it holds is not played again.
        stage: shows where long work stands.
    """

    workers: Workers = None
    ledger: Ledger | None = None
    stage: Stage = unseen

    @contextmanager
    def collecting(self, label: str, size: int, so_far: SoFar | None = None) -> Iterator[dict[str, Any]]:
        """The keywords of `collect`, while a stage of so many playouts is open."""
        with self.stage(label, size) if so_far is None else self.stage(label, size, so_far) as progress:
            yield {"workers": self.workers, "ledger": self.ledger, "progress": progress}

    @contextmanager
    def in_turn(self, label: str, size: int) -> Iterator[Callable[[int], dict[str, Any]]]:
        """As `collecting`, for what is collected part after part; called with how many tables each part plays side by side."""
        with self.stage(label, size) as progress:
            reached = 0

            def part(tables: int = 1) -> dict[str, Any]:
                before = reached

                def onward(done: int, came: Any) -> None:
                    nonlocal reached
                    reached = before + done * tables
                    if progress is not None and (done or not before):
                        progress(reached, came)

                return {"workers": self.workers, "ledger": self.ledger, "progress": onward}

            yield part
