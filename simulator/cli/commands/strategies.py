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
    """List the strategies of a game, with their parameters; the one marked * plays when none is named.

    Those marked + are laid on top of another strategy: lookahead:rollouts=64,base=NAME. Those with = are other names for something.

    A strategy of your own is played as FILE.py:NAME. Such a file is a Python program and runs with your rights; read it before you
    use a stranger's.
    """
    from simulator.registry.lineup import LAYERS  # noqa: PLC0415  needs NumPy

    offered = registry.strategies(game)
    if as_json:
        entries = [
            {"name": s.name, "default": s.name == game.default_strategy, "parameters": s.parameters, "summary": s.summary}
            for s in offered.values()
        ]
        layers = [{"name": y.name, "parameters": {y.parameter: y.default}, "summary": y.summary} for y in LAYERS.values()]
        nicknames = [{"name": name, "meaning": n.meaning, "summary": n.summary} for name, n in _nicknames(offered)]
        show.print_json({"game": game.name, "strategies": entries, "layers": layers, "nicknames": nicknames})
        return
    table = show.new_table("Strategy", "Parameters", "What it does")
    for s in offered.values():
        parameters = ", ".join([*(f"{k}={v:g}" for k, v in s.parameters.items()), *(f"{k}=table" for k in s.tables)]) or "-"
        show.add_row(table, f"{s.name}{' *' if s.name == game.default_strategy else ''}", parameters, s.summary)
    for layer in LAYERS.values() if game.decisions else ():
        show.add_row(table, f"{layer.name} +", f"{layer.parameter}={layer.default:g}, base={game.default_strategy}", layer.summary)
    for name, nickname in _nicknames(offered) if game.decisions else ():
        show.add_row(table, name, f"= {nickname.meaning}", nickname.summary)
    show.console().print(table)
    show.console().print("* plays when none is named; + is laid on another, its base; = is another name.", style="dim")


def _nicknames(found: Any) -> list[tuple[str, Any]]:
    """Other names, but for those that a strategy of the game has."""
    from simulator.registry.lineup import NICKNAMES  # noqa: PLC0415  needs NumPy

    return [(name, nickname) for name, nickname in NICKNAMES.items() if name not in found]
