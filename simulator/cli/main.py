"""The command `simulate`: finds its commands and games, and turns every error into a sentence and an exit code."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import click

from simulator import registry
from simulator.errors import UserError, nearest

EXIT_DONE = 0
EXIT_BROKEN = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

_COMMANDS = Path(__file__).parent / "commands"


@cache
def _command_names() -> tuple[str, ...]:
    return tuple(sorted(p.stem for p in _COMMANDS.glob("[!_]*.py")))


class Commands(click.Group):
    """A group whose commands are the files in `commands/` and the games."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names for the help; nothing is imported."""
        del ctx
        return [*registry.game_names(), *_command_names()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a file, or the run of a game."""
        del ctx
        if name in _command_names():
            found: click.Command = importlib.import_module(f"simulator.cli.commands.{name}").command
            return found
        if name in registry.game_names():
            from simulator.cli.run_game import game_command  # noqa: PLC0415  only for the games

            return game_command(name)
        return None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = self.list_commands(ctx)
            message = f"There is no game or command '{args[0]}'{nearest(args[0], known)}; there are {', '.join(known)}."
            raise UserError(message)
        return super().resolve_command(ctx, args)


_HELP = """Measure whether the rules of a tabletop game are balanced, by playing it a million times.

\b
simulate grinchmas --players 4 --games 1e6   play a game, print what happened
simulate rules grinchmas                     its rules, and their sources
simulate grinchmas --set wishes.goal=10      change one and look again
simulate grinchmas --report grinchmas.html   write a report with charts
"""


@click.command(
    cls=Commands,
    help=_HELP,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="ludometer", prog_name="simulate")
@click.pass_context
def simulate(context: click.Context) -> int:
    """Show the help where no command is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
    return EXIT_USAGE


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 something promised did not hold, 2 wrong usage, 3 undecided, 130 interrupted."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code."""
    try:
        code: Any = simulate.main(args=arguments, prog_name="simulate", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UserError as error:
        return _fail(str(error), error.exit_code)
    except click.ClickException as error:
        return _fail(_sentence(error), EXIT_USAGE)
    except (KeyboardInterrupt, click.Abort):
        return _fail("Interrupted; nothing was finished.", EXIT_INTERRUPTED)
    except (BrokenPipeError, SystemExit):  # Click and Rich make an exit of the former
        _discard_output()
        return EXIT_DONE
    except OSError as error:
        _discard_output()
        return _fail(f"What was to be printed cannot be written: {error.strerror or error}; make room for it.", EXIT_BROKEN)
    return code if isinstance(code, int) else EXIT_DONE


def _discard_output() -> None:
    """Nobody reads our output any more; keep Python from complaining when it flushes once more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)


def _fail(sentence: str, code: int) -> int:
    """One line on stderr, whatever the names in it contain."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(sentence.split()))
    click.echo(f"Error: {line}", err=True)
    return code


def _sentence(error: click.ClickException) -> str:
    text = error.format_message()
    if isinstance(error, click.NoSuchOption):
        known = [name for p in error.ctx.command.params for name in p.opts] if error.ctx else []
        text = f"There is no option '{error.option_name}'{nearest(error.option_name, known)}"
    if isinstance(error, click.BadParameter) and error.param is not None and not isinstance(error, click.MissingParameter):
        return f"{text.rstrip('.')}."  # says itself what would do
    context = getattr(error, "ctx", None)
    return f"{text.rstrip('.')}; see `{context.command_path if context else 'simulate'} --help`."
