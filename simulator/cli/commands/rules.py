"""`simulate rules GAME`: the rule constants and where each comes from, and how open cases are settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from simulator.cli import options, show
from simulator.errors import UserError


@click.command("rules", short_help="Show the rule constants of a game.")
@options.game_argument
@options.set_option
@options.rules_option
@click.option("--toml", "as_toml", is_flag=True, help="Print a rules file, to be edited and played with --rules.")
@options.json_option
def command(game: Any, assignments: tuple[str, ...], rules_file: Path | None, *, as_toml: bool, as_json: bool) -> None:
    """Show every rule constant of a game: value, unit, source, plausible range, and what it means.

    Below them stands how the cases are settled that the rulebook leaves open; a constant in brackets can settle one otherwise.
    """
    from simulator import rules as r  # noqa: PLC0415  needs pydantic

    if as_toml and as_json:
        message = "--toml and --json exclude each other; give one of them."
        raise UserError(message)
    rules = r.build_rules(game.rules, options.gather_rules(game, rules_file, assignments))
    if as_toml:
        click.echo(r.write_toml(rules, game.title), nl=False)
        return
    constants = r.constants(rules)
    if as_json:
        fewest, most = game.players
        players = {"fewest": fewest, "most": most, "note": game.players_note}
        rulings = [asdict(ruling) for ruling in game.rulings]
        show.print_json({"game": game.name, "rules": [vars(c) for c in constants], "players": players, "rulings": rulings})
        return
    for sentence in rules.notes():
        show.note(sentence)
    _print_table(constants)
    _print_rulings(game)


def _print_rulings(game: Any) -> None:
    from rich.padding import Padding  # noqa: PLC0415  only where rules are shown
    from rich.text import Text  # noqa: PLC0415

    console = show.console()
    fewest, most = game.players
    note = f"; {game.players_note}" if game.players_note else ""
    console.print(f"Players: {fewest} to {most}{note}.", markup=False, highlight=False)
    if game.rulings:
        console.print("\nCases that the rulebook leaves open")
    for ruling in game.rulings:
        switch = f"[{ruling.switch}] " if ruling.switch else ""
        console.print(Padding(Text(f"{ruling.name}. {switch}{ruling.text}"), (0, 0, 0, 2)))


_WIDE = 118
_NARROW_WIDTHS = (22, 12, 8, 10)
_HEADINGS = ("Key", "Value", "Unit", "Source", "Range")


def _print_table(constants: list[Any]) -> None:
    """Six columns where the terminal has room; else the description stands below the other five."""
    from simulator.rules import brief_text, plausible_text, to_text  # noqa: PLC0415  needs pydantic

    console = show.console()
    rows = []
    for c in constants:
        value = to_text(c.value) + (f" (shipped: {to_text(c.default)})" if c.changed else "")
        about = f"{c.description} {c.source.capitalize()}: {c.note}."
        if isinstance(c.value, tuple) and c.plausible:
            about += f" Plausible: {'; '.join(brief_text(v) for v in c.plausible)}."
        rows.append(((c.key, value, c.unit, c.source, plausible_text(c)), about))
    if console.width >= _WIDE:
        table = show.new_table(*_HEADINGS, "Description")
        for cells, about in rows:
            show.add_row(table, *cells, about)
        console.print(table)
        return
    _print_narrow(console, rows)


def _print_narrow(console: Any, rows: Sequence[tuple[tuple[str, ...], str]]) -> None:
    from rich.padding import Padding  # noqa: PLC0415  only where a table is shown
    from rich.text import Text  # noqa: PLC0415

    key_width = max(len(cells[0]) for cells, _ in rows)
    if console.width < key_width + sum(_NARROW_WIDTHS) + len(_NARROW_WIDTHS):
        _print_below(console, rows)
        return
    console.print(_line(_HEADINGS, "bold", key_width))
    for cells, about in rows:
        console.print(_line(cells, "", key_width))
        console.print(Padding(Text(about, style="dim"), (0, 0, 1, 2)))


def _print_below(console: Any, rows: Sequence[tuple[tuple[str, ...], str]]) -> None:
    """Each constant in a sentence or two."""
    from rich.padding import Padding  # noqa: PLC0415  only where a table is shown
    from rich.text import Text  # noqa: PLC0415

    for (key, value, unit, _, plausible), about in rows:
        console.print(f"{key} = {value} ({unit})", markup=False)
        console.print(Padding(Text(about + (f"\nRange: {plausible}." if plausible else ""), style="dim"), (0, 0, 1, 2)))


def _line(cells: tuple[str, ...], style: str, key_width: int) -> Any:
    from rich.table import Table  # noqa: PLC0415  only where a table is shown
    from rich.text import Text  # noqa: PLC0415

    grid = Table.grid(padding=(0, 1))
    for width in (key_width, *_NARROW_WIDTHS):
        grid.add_column(width=width, overflow="fold")
    grid.add_row(*(Text(cell) for cell in cells), style=style)
    return grid
