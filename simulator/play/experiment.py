"""Experiments: the frozen question that a run answers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator.rules import values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simulator.game import Game, Metric
    from simulator.registry.lineup import Player
    from simulator.rules import GameRules

BATCH = 8192
"""Playouts in a batch, the unit of work, of memory and of remembering."""

BATCH_AHEAD = 32
"""The same where somebody thinks ahead."""

ALONE = 1024
"""Batches from the first playout on that are no part of a group of several."""


@dataclass(frozen=True)
class Batch:
    """Playouts [first, first + count) of an experiment."""

    first: int
    count: int


@dataclass(frozen=True)
class Experiment:
    """Game, rules, the seats' strategies and the seed: all that the playouts depend on."""

    game: Game
    rules: GameRules
    lineup: tuple[Player, ...]
    seed: int

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.lineup)

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """What every playout leaves behind."""
        return self.game.metrics(self.rules, self.players)

    @property
    def batch(self) -> int:
        """Playouts in a batch of its plan; few where somebody thinks ahead, which takes thousands of times as long."""
        return BATCH_AHEAD if any(player.rollouts for player in self.lineup) else BATCH

    @cached_property
    def id(self) -> str:
        """First 16 hex digits of the SHA-256 over everything the playouts depend on, source code included."""
        question = {
            "game": [self.game.name, self.game.version, self.game.fingerprint],
            "lineup": [p.question for p in self.lineup],
            "rules": values(self.rules),
            "seed": self.seed,
        }
        return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:16]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "id": self.id,
            "game": self.game.name,
            "version": self.game.version,
            "players": self.players,
            "strategies": [player.label for player in self.lineup],
            "seed": self.seed,
            "rules": values(self.rules),
        }


def plan(games: int, batch: int = BATCH, first: int = 0) -> Iterator[Batch]:
    """The batches of `batch` playouts that make up `games` playouts from `first` on, in order; they depend on nothing else."""
    for start in range(first, first + games, batch):
        yield Batch(start, min(batch, first + games - start))


def plan_groups(games: int, batch: int = BATCH, first: int = 0) -> Iterator[Batch]:
    """The same plan in groups of batches that follow one another; `plan` of a group gives its batches.

    The first ALONE batches are groups of one. Then groups grow with what is before them, by powers of two, so that a group
    stays within 2 / ALONE of that and there are only some thousand of them in any run. Where a group begins depends on nothing
    but the number of the batch; those that `games` do not fill are left as groups of one.
    """
    start, end = first, first + games
    while start < end:
        count = _group(start // batch) * batch if start % batch == 0 else batch
        if start % count or start + count > end:
            count = min(batch, end - start)
        yield Batch(start, count)
        start += count


def _group(number: int) -> int:
    """How many batches are in the group of a batch."""
    return max(1, (1 << number.bit_length()) // ALONE)
