"""`simulate ledger`: what a ledger remembers."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import options, show
from simulator.cli.exits import EXIT_USAGE
from simulator.errors import UserError

if TYPE_CHECKING:
    from simulator.play.ledger import Remembered

ledger_file_option = options.ledger_file_option("file", "The ledger.", required=True)


class _Ledger(click.Group):
    """Its subcommands, and the file of a ledger as a short way to list it."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that is meant, and its arguments."""
        if args[0] not in self.commands and (Path(args[0]).suffix or Path(args[0]).exists()):
            args = ["list", "--ledger", *args]
        return super().resolve_command(ctx, args)


@click.group("ledger", cls=_Ledger, short_help="List, show or forget what a ledger remembers.", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> int:
    """List, show or forget what a ledger remembers; `simulate ledger FILE` lists it too."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
    return EXIT_USAGE


@command.command("list")
@ledger_file_option
@options.json_option
def list_command(file: Path, *, as_json: bool) -> None:
    """List the experiments in a ledger, and what studies played of several together, the oldest first."""
    entries = _entries(file)
    if as_json:
        show.print_json({"experiments": [_as_dict(e) for e in entries]})
        return
    table = show.new_table("Experiment", "Kind", "Game", "Players", "Strategies", "Seed", "Playouts", "Since", right=(3, 6))
    table.columns[0].no_wrap = True  # to be copied
    for e in entries:
        q = e.question
        strategies = ", ".join(dict.fromkeys(q["strategies"]))
        show.add_row(table, e.id, _kind(q), q["game"], str(q["players"]), strategies, str(q["seed"]), f"{e.games:,}", _day(e.since))
    show.console().print(table)


@command.command("show")
@click.argument("experiment")
@ledger_file_option
@options.json_option
def show_command(experiment: str, file: Path, *, as_json: bool) -> None:
    """Show one experiment: what was asked, and how much of it is played."""
    entries = [e for e in _entries(file) if e.id == experiment]
    if not entries:
        message = f"{file} holds no experiment '{experiment}'; `simulate ledger list` shows what it holds."
        raise UserError(message)
    if as_json:
        show.print_json(_as_dict(entries[0]))
        return
    for name, value in _as_dict(entries[0]).items():
        show.lines(f"{name:12s} {value}")


@command.command("forget")
@click.argument("experiment")
@ledger_file_option
def forget_command(experiment: str, file: Path) -> None:
    """Remove one experiment and all that was played of it."""
    with options.opened_ledger(_existing(file)) as ledger:
        gone = ledger.forget(experiment)
    click.echo(f"Forgot {experiment}, {gone:,} playouts.")


def _kind(question: dict[str, Any]) -> str:
    """What became of the playouts, and of how many experiments."""
    if "kind" not in question:
        return "run"
    return f"{question['kind']} of {1 + len(question['others'])}" if question["others"] else str(question["kind"])


def _entries(file: Path) -> list[Remembered]:
    with options.opened_ledger(_existing(file)) as ledger:
        result: list[Remembered] = ledger.experiments()
        return result


def _existing(file: Path) -> Path:
    if not file.exists():
        message = f"There is no ledger {file}; a run with --ledger {file} makes it."
        raise UserError(message)
    return file


def _as_dict(entry: Remembered) -> dict[str, Any]:
    return {"id": entry.id, "question": entry.question, "rows": entry.rows, "games": entry.games, "since": _day(entry.since)}


def _day(since: float) -> str:
    return f"{datetime.fromtimestamp(since).astimezone():%Y-%m-%d %H:%M}"
