"""What several changes of rules would do together, by what each did alone: a guess, for an order in which to try them.

Effects add up on the scale of log odds for shares, and as they are for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from simulator.studies.axes import settings_of
from simulator.studies.search import FRESH

if TYPE_CHECKING:
    from simulator.stats.tally import Tally
    from simulator.studies.axes import Setting
    from simulator.studies.targets import Target
    from simulator.studies.tune import TuningQuestion


class Prediction:
    """What several changes would do together if each did what it did alone."""

    def __init__(self, question: TuningQuestion, tallies: Mapping[Setting, Mapping[int, Tally]]) -> None:
        """Take what was played of the rules as they are, with every number of players, and of single changes.

        Raises:
            KeyError: the rules as they are were not played.
        """
        self.question, self.tallies = question, tallies
        self.cases = [(players, target) for players in question.players for target in question.targets]
        self.base = self._figures(())
        played = (s for s in settings_of(question.axes, 1) if len(tallies.get(s, {})) == len(question.players))
        self.effects = {s[0]: [a - b for a, b in zip(self._figures(s), self.base, strict=True)] for s in played}

    def _figures(self, setting: Setting) -> list[float]:
        """Every target's figure with every number of players, on the scale on which effects add up."""
        found = []
        for players, target in self.cases:
            estimate = target.figure(self.question.experiment(setting, players, FRESH), self.tallies[setting][players])
            found.append(_stretched(estimate.best, target, estimate.n))
        return found

    def miss(self, setting: Setting) -> float:
        """The largest miss of any target with any number of players."""
        together = list(self.base)
        for change in setting:
            for place, effect in enumerate(self.effects.get(change, ())):
                together[place] += effect
        return max(target.band.miss(_shrunk(x, target)) for x, (_, target) in zip(together, self.cases, strict=True))


def _stretched(best: float, target: Target, n: int) -> float:
    """A share as log odds, kept away from 0 and 1 by half a playout; anything else as it is."""
    if not target.adds_as_odds:
        return best
    kept = min(max(best, 0.5 / n), 1 - 0.5 / n)
    return math.log(kept / (1 - kept))


def _shrunk(x: float, target: Target) -> float:
    return 1 / (1 + math.exp(-x)) if target.adds_as_odds else x
