"""What a question is played with: nothing of it changes the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.play.collect import Progress
    from simulator.play.executors import Workers
    from simulator.play.ledger import Ledger

Stage = Callable[[str, int], AbstractContextManager["Progress | None"]]
"""Shows where long work stands: opened with a label and with how many playouts it is, at most, it gives the callback for `collect`."""


def unseen(_label: str, _size: int) -> AbstractContextManager[None]:
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
    def collecting(self, label: str, size: int) -> Iterator[dict[str, Any]]:
        """The keywords of `collect`, while a stage of so many playouts is open."""
        with self.stage(label, size) as progress:
            yield {"workers": self.workers, "ledger": self.ledger, "progress": progress}
