"""`simulate verify`: see on your own machine that the program tells the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from simulator.cli import options, show
from simulator.cli.exits import EXIT_BROKEN

if TYPE_CHECKING:
    from simulator.studies.verify import Check


@click.command("verify", short_help="See on your own machine that the program tells the truth.")
@click.option("--quick", is_flag=True, help="A third of the playouts, or fewer: ten seconds in place of a minute.")
@options.several("--group", "groups", of="NAME", what="Only this group of checks; may be repeated.")
@options.seed_option
@options.json_option
def command(*, quick: bool, groups: tuple[str, ...], seed: int, as_json: bool) -> int:
    """Check the random draws, the intervals, games whose answers are known exactly, and that results are the same everywhere.

    Exits with 0 if everything held and with 1 if not. docs/trust.md explains each check.
    """
    from simulator.studies.verify import FULL, QUICK, verify  # noqa: PLC0415  needs Numba

    with show.compiling_note():
        checks = verify(QUICK if quick else FULL, seed, groups, tell=lambda title: show.note(f"Checking {title}."))
    held = sum(c.held is True for c in checks)
    if as_json:
        show.print_json({"checks": [c.as_dict() for c in checks], "held": held, "total": len(checks)})
    else:
        _print(checks)
        click.echo(f"{held} of {len(checks)} checks held.")
    return 0 if held == len(checks) else EXIT_BROKEN


def _print(checks: list[Check]) -> None:
    console = show.console()
    for group in dict.fromkeys(c.group for c in checks):
        table = show.new_table("Check", "Expected", "Found", "", title=group.capitalize())
        for c in checks:
            if c.group == group:
                show.add_row(table, c.name, c.expected, c.found, "held" if c.held else "BROKEN")
        console.print(table)
