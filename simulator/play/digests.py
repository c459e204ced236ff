"""The digests that a version of a game is known by, kept beside its sources.

A change of behaviour raises the game's version and these digests in the same commit; `scripts/record_digests.py` writes
them. Whoever finds others on their machine has another game before them, or a broken one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from simulator.play.run import run

if TYPE_CHECKING:
    from pathlib import Path

    from simulator.game import Game

GAMES = 3000
"""Playouts behind a digest."""


def digests_file(game: Game) -> Path:
    """Where a game's digests are kept."""
    return game.file.parent / "digests.json"


def recorded_digests(game: Game) -> dict[str, str]:
    """What was recorded for the game's version, by number of players and strategy; empty if nothing was."""
    file = digests_file(game)
    if not file.exists():
        return {}
    recorded = json.loads(file.read_text(encoding="utf-8"))
    digests: dict[str, str] = recorded["digests"]
    return digests if recorded["version"] == game.version else {}


def found_digests(game: Game) -> dict[str, str]:
    """What this machine plays: fewest and most players, at random and with the default strategy."""
    return {
        f"{players} {strategy}": run(game, players=players, strategies=[strategy], games=GAMES).digest
        for players in game.players
        for strategy in dict.fromkeys(("uniform", game.default_strategy))
    }


def record_digests(game: Game) -> dict[str, str]:
    """Play, and write down what was found."""
    played = found_digests(game)
    document = {"version": game.version, "digests": played}
    digests_file(game).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return played
