"""A race over arms: who plays next, who is left, and when it ends.

Everybody gets few playouts, and whoever is surely out leaves: whoever misses what is wanted by more than somebody else does at
the most, if every interval is as unkind as it can be. Who may miss nothing never leaves that way. Those that are left get more.

Source: Even-Dar, Mannor and Mansour, "Action elimination and stopping conditions for the multi-armed bandit and reinforcement
learning problems", Journal of Machine Learning Research 7, 2006.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from simulator.errors import RulesError

if TYPE_CHECKING:
    from simulator.stats.tally import Tally

Arm = TypeVar("Arm", bound=Hashable)


class Miss(NamedTuple):
    """By how much an arm misses what is wanted, by what it has played: at the least, as it looks, and at the most; 0 is within."""

    low: float
    best: float
    high: float


@dataclass
class Race(Generic[Arm]):
    """The arms of all races so far, and what they have played.

    Attributes:
        players: numbers of players, in the order in which an arm plays with them.
        totals: how many playouts an arm has with each of them after each round.
        kept: how many arms enter the second round at the most, the third, and so on.
        judge: by how much an arm misses, by its tallies.
        size: what orders arms that miss alike, the smallest first.
        kind: what arms have in common of which one may stand for all.
        play: plays an arm with so many players, so many playouts more, in a round counted from 0; RulesError says that it cannot be.
        tallies: for each arm those with each number of players.
        rounds: the last round that an arm went through.
        impossible: why an arm cannot be played.
    """

    players: Sequence[int]
    totals: Sequence[int]
    kept: Sequence[int]
    judge: Callable[[Arm, Mapping[int, Tally]], Miss]
    size: Callable[[Arm], Any]
    kind: Callable[[Arm], Hashable]
    play: Callable[[Arm, int, int, int], Tally]
    tallies: dict[Arm, dict[int, Tally]] = field(default_factory=dict)
    rounds: dict[Arm, int] = field(default_factory=dict)
    impossible: dict[Arm, str] = field(default_factory=dict)
    _misses: dict[Arm, Miss] = field(default_factory=dict)

    def misses(self, arm: Arm) -> Miss:
        """By how much an arm misses so far."""
        if arm not in self._misses:
            self._misses[arm] = self.judge(arm, self.tallies[arm])
        return self._misses[arm]

    def finished(self, arm: Arm) -> bool:
        """Whether an arm went through all rounds."""
        return self.rounds.get(arm) == len(self.totals) - 1

    def most_playouts(self, number: int) -> int:
        """How many playouts a round has for each arm at the most."""
        return len(self.players) * (self.totals[number] - (self.totals[number - 1] if number else 0))

    def run(self, arm: Arm, number: int, ceiling: float = math.inf) -> bool:
        """Have one arm play a round, no further than is seen whether it misses by more than `ceiling`; whether it got through."""
        known = self.tallies.setdefault(arm, {})
        for players in self.players:
            games = self.totals[number] - (known[players].games if players in known else 0)
            if not games:  # played before it left the race in the midst of this round
                continue
            try:
                tally = self.play(arm, players, games, number)
            except RulesError as error:
                self.impossible[arm] = str(error)
                del self.tallies[arm]
                return False
            known[players] = known[players] + tally if players in known else tally
            self._misses.pop(arm, None)
            if self.misses(arm).low > ceiling:
                return False
        self.rounds[arm] = number
        return True

    def round(self, arms: Sequence[Arm], number: int, *, whole: bool) -> list[Arm]:
        """Have all play a round; who still may be the best. With `whole` everybody plays with every number of players."""
        ceiling = math.inf
        through = []
        for arm in sorted(arms, key=lambda arm: self.misses(arm).best) if number else arms:
            if self.run(arm, number, math.inf if whole else ceiling):
                through.append(arm)
                ceiling = min(ceiling, self.misses(arm).high)
        left = [arm for arm in through if self.misses(arm).low <= ceiling]
        return self._preferred(left)[: self.kept[number]] if number < len(self.kept) else left

    def _preferred(self, arms: Sequence[Arm]) -> list[Arm]:
        """Those that may miss nothing first; of these the smallest of each kind, then the second smallest, and so on."""
        place: dict[Hashable, int] = {}
        ranked = {}
        for arm in sorted(arms, key=lambda arm: (self.misses(arm).low > 0, self.size(arm), self.misses(arm).best)):
            kind, miss = self.kind(arm), self.misses(arm)
            place[kind] = place.get(kind, 0) + 1
            ranked[arm] = (miss.low > 0, miss.best if miss.low > 0 else 0.0, place[kind], self.size(arm))
        return sorted(ranked, key=ranked.__getitem__)

    # who stands how

    def good(self, arms: Iterable[Arm]) -> list[Arm]:
        """Those that look as if they missed nothing, the smallest first."""
        return sorted((arm for arm in arms if self.misses(arm).best == 0), key=lambda arm: (self.size(arm), self.misses(arm).high))

    def picked(self, arms: Iterable[Arm]) -> list[Arm]:
        """The smallest of each kind that looks good; one that misses nothing even at the most if there is one."""
        good = self.good(arms)
        return sorted(self.one_of_each_kind([*(arm for arm in good if self.misses(arm).high == 0), *good]), key=self.size)

    def open(self) -> list[Arm]:
        """Those that may miss nothing, the likeliest first."""
        results = (arm for arm in self.tallies if self.misses(arm).low == 0)
        return sorted(results, key=lambda arm: (self.misses(arm).best, self.size(arm)))

    def closest(self) -> list[Arm]:
        """One of each kind, the nearest first."""
        return self.one_of_each_kind(sorted(self.tallies, key=lambda arm: (self.misses(arm).best, self.size(arm))))

    def one_of_each_kind(self, arms: Iterable[Arm]) -> list[Arm]:
        """The first of each."""
        results: dict[Hashable, Arm] = {}
        for arm in arms:
            results.setdefault(self.kind(arm), arm)
        return list(results.values())


# ---------------------------------------------------------------- a knock-out


def rounds_of_halving(arms: int, games: int) -> Iterator[tuple[int, int]]:
    """How many arms play each round of a knock-out, and how many playouts: after each the better half goes on, with twice as many.

    >>> list(rounds_of_halving(5, 10)), list(rounds_of_halving(1, 10))
    ([(5, 10), (3, 20), (2, 40)], [(1, 10)])

    Source: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013 (sequential halving).
    """
    yield arms, games
    while (arms := -(-arms // 2)) > 1:
        games *= 2
        yield arms, games


def knock_out(arms: Sequence[Arm], games: int, means: Callable[[list[Arm], int], list[float]]) -> tuple[Arm, float]:
    """The winner of a knock-out, and its mean of all playouts; all so far count.

    Args:
        arms: who enters.
        games: playouts of each in the first round.
        means: plays a round of those that are left, the best first, with so many playouts of each; gives the mean of each.
    """
    left = list(arms)
    total = dict.fromkeys(left, 0.0)
    played = 0
    for _, each in rounds_of_halving(len(left), games):
        for arm, mean in zip(left, means(left, each), strict=True):
            total[arm] += each * mean
        played += each
        left = sorted(left, key=lambda arm: -total[arm])[: -(-len(left) // 2)]
    return left[0], total[left[0]] / played
