"""Games that did not finish: how many are too many for a verdict, and what to say beside one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.stats.tally import Tally

UNFINISHED = "unfinished"
"""The outcome of a playout that the turn cap ended; every game has it."""

TOLERATED = 0.01
"""A verdict over games of which more than this share did not finish says so beside it."""


@dataclass(frozen=True)
class Unfinished:
    """How many of some games did not finish.

    Attributes:
        count: those that the turn cap ended.
        games: all of them.
    """

    count: int
    games: int

    @property
    def share(self) -> float:
        """As a share of all games."""
        return self.count / self.games

    @property
    def all(self) -> bool:
        """Whether none finished, so that nothing can be said of how they end or how long they last."""
        return self.count == self.games

    def hides(self, metric: str) -> bool:
        """Whether nothing can be said about a metric, since no game finished; how many do not is known all the same."""
        return self.all and metric != UNFINISHED

    def remark(self, where: str = "") -> str:
        """What to say beside a verdict over these games; empty where at most a hundredth did not finish.

        Args:
            where: which games, as it stands behind the word, such as "with 2 players".

        >>> Unfinished(5, 500).remark()
        ''
        >>> Unfinished(36, 1000).remark("with 2 players")
        "The turn cap ended 36 of 1,000 games (3.6%) with 2 players unfinished: nobody's win, with turns counted up to the cap."
        """
        if self.count <= TOLERATED * self.games:
            return ""
        behind = f" {where}" if where else ""
        if self.all:
            return f"No game{behind} finished: the turn cap ended all {self.games:,}, so nothing is known of them; raise turn_cap."
        of = f"{self.count:,} of {self.games:,} games ({100 * self.share:.3g}%){behind}"
        return f"The turn cap ended {of} unfinished: nobody's win, with turns counted up to the cap."


def unfinished_of(*tallies: Tally) -> Unfinished:
    """Of some tallies, how many games of the worst of them did not finish."""
    return max((Unfinished(t[UNFINISHED].moments()[0], t.games) for t in tallies), key=lambda found: found.share)
