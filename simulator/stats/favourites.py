"""Favourites: which seats may win most often, and by how much one leads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from simulator.game import Metric
from simulator.stats.estimate import CONFIDENCE, Estimate
from simulator.stats.paired import PairedTally, PairSums, tango_interval

_WINS = Metric("wins", "Wins", "share", "share", 0, 1)


def leads(wins: Sequence[int], n: int, confidence: float = CONFIDENCE, *, sequential: bool = False) -> tuple[Estimate, ...]:
    """By how much each seat's share of wins exceeds the largest share of the others; below 0 for all but the best.

    Two seats' shares are compared playout by playout, in each of which one wins at most. With probability `confidence` all
    intervals of the comparisons with the best seat hold at once, so that a seat whose interval ends below 0 is shown not to be
    the best, and the best one never is but with what is left.

    Args:
        wins: playouts that each of two or more seats won.
        n: all playouts.
        confidence: see above.
        sequential: whether a stopping rule may have ended the run.

    Source: Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the best", Annals of Statistics
    12, 1984; with Tango's intervals for paired shares, and Bonferroni's correction in place of Dunnett's.

    >>> [lead.high > 0 for lead in leads([300, 290, 200], 1000)]
    [True, True, False]
    """
    each = 1 - (1 - confidence) / (len(wins) - 1)
    results: dict[int, list[Estimate]] = {seat: [] for seat in range(len(wins))}
    for one, other in permutations(results, 2):
        results[one].append(_difference(wins[one], wins[other], n, each, sequential=sequential))
    return tuple(
        Estimate(min(e.best for e in gaps), min(e.low for e in gaps), min(e.high for e in gaps), n, "share") for gaps in results.values()
    )


def may_be_best(wins: Sequence[int], n: int, confidence: float = CONFIDENCE, *, sequential: bool = False) -> tuple[int, ...]:
    """The seats that are not shown to win less often than another, the most wins first; see `leads`."""
    if len(wins) < 2:  # noqa: PLR2004  nobody to compare with
        return tuple(range(len(wins)))
    result = leads(wins, n, confidence, sequential=sequential)
    return tuple(sorted((seat for seat, lead in enumerate(result) if lead.high > 0), key=lambda seat: -wins[seat]))


def _difference(up: int, down: int, n: int, confidence: float, *, sequential: bool) -> Estimate:
    if not sequential:
        return Estimate((up - down) / n, *tango_interval(up, down, n, confidence), n, "share")
    sums = PairSums(down, up, down, up, up + down, up + down)
    return PairedTally((_WINS.name,), n, (sums,)).difference_sequence(_WINS, confidence).estimate
