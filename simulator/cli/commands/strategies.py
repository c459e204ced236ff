"""`simulate strategies GAME`: who can play a game."""

from __future__ import annotations

from typing import Any

import click

from simulator import registry
from simulator.cli import options, show


@click.command("strategies", short_help="List the strategies of a game.")
@options.game_argument
@options.json_option
def command(game: Any, *, as_json: bool) -> None:
    """List the strategies of a game, with their parameters; the one marked * plays when none is named."""
    found = registry.strategies(game.name)
    if as_json:
        entries = [
            {"name": s.name, "default": s.name == game.default_strategy, "parameters": s.parameters, "summary": s.summary}
            for s in found.values()
        ]
        show.print_json({"game": game.name, "strategies": entries})
        return
    table = show.new_table("Strategy", "Parameters", "What it does")
    for s in found.values():
        parameters = ", ".join([*(f"{k}={v:g}" for k, v in s.parameters.items()), *(f"{k}=table" for k in s.tables)]) or "-"
        show.add_row(table, f"{s.name}{' *' if s.name == game.default_strategy else ''}", parameters, s.summary)
    show.console().print(table)
