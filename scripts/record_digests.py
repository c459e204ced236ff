"""Record the digests that a game's version is known by; run it in the commit that raises the version.

Usage: python scripts/record_digests.py [GAME ...]
"""

from __future__ import annotations

import sys

from simulator import registry
from simulator.play.digests import record_digests


def main() -> None:
    """Play the named games, or all of them, and write their digests beside their sources."""
    for name in sys.argv[1:] or registry.game_names():
        game = registry.game(name)
        print(name, game.version, *record_digests(game).values())


if __name__ == "__main__":
    main()
