"""Record the digests that `tests/contract` compares with; run it in the commit that raises a game's version.

Usage: python scripts/record_digests.py [GAME ...]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from simulator import registry
from simulator.run import run

FILE = Path(__file__).resolve().parents[1] / "tests" / "contract" / "digests.json"
GAMES = 3000


def main() -> None:
    """Replay the named games, or all of them, and write their digests."""
    recorded = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for name in sys.argv[1:] or registry.game_names():
        game = registry.game(name)
        digests = {
            f"{players} {strategy}": run(name, players=players, strategies=[strategy], games=GAMES).digest
            for players in game.players
            for strategy in ("uniform", game.default_strategy)
        }
        recorded[name] = {"version": game.version, "digests": digests}
        print(name, game.version, *digests.values())
    FILE.write_text(json.dumps(recorded, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
