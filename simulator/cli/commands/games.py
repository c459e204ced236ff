"""`simulate games`: what there is to play."""

from __future__ import annotations

import click

from simulator import registry
from simulator.cli import options, show


@click.command("games", short_help="List the games.")
@options.json_option
def command(*, as_json: bool) -> None:
    """List the games."""
    games = [registry.game(name) for name in registry.game_names()]
    if as_json:
        show.print_json(
            {
                "games": [
                    {
                        "name": g.name,
                        "title": g.title,
                        "version": g.version,
                        "players": list(g.players),
                        "cooperative": g.cooperative,
                        "default_strategy": g.default_strategy,
                        "summary": g.summary,
                    }
                    for g in games
                ]
            }
        )
        return
    table = show.new_table("Game", "Title", "Players", "Kind", "About")
    for g in games:
        show.add_row(
            table,
            g.name,
            g.title,
            f"{g.players[0]} to {g.players[1]}",
            "cooperative" if g.cooperative else "each for themselves",
            g.summary,
        )
    show.console().print(table)
