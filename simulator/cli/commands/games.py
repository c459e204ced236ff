"""`simulate games`: what there is to play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from simulator import registry
from simulator.cli import options, show

if TYPE_CHECKING:
    from simulator.game import Game


@click.command("games", short_help="List the games.")
@options.json_option
def command(*, as_json: bool) -> None:
    """List the games."""
    games = list(registry.games())
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
                        "classic": g.classic,
                        "default_strategy": g.default_strategy,
                        "summary": g.summary,
                    }
                    for g in games
                ]
            }
        )
        return
    for title, listed in (
        ("Games", [g for g in games if not g.classic]),
        ("Classics, whose answers are known", [g for g in games if g.classic]),
    ):
        if listed:
            _print_table(title, listed)


def _print_table(title: str, games: list[Game]) -> None:
    table = show.new_table("Game", "Title", "Players", "Kind", "About", title=title)
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
