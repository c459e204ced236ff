"""The command `simulate`: finds its commands and games, and turns every error into a sentence and an exit code."""

from __future__ import annotations

import codecs
import contextlib
import importlib
import io
import keyword
import os
import shutil
import signal
import sys
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator import registry
from simulator.cli import show
from simulator.cli.exits import EXIT_BROKEN, EXIT_DONE, EXIT_INTERRUPTED, EXIT_TERMINATED, EXIT_USAGE
from simulator.errors import UserError, nearest
from simulator.registry.neighbours import LeftOutWarning, StrangerWarning

if TYPE_CHECKING:
    from types import TracebackType

MOST_LETTERS = 1000
"""A sentence about an error is cut to this length."""


class _Formatter(click.HelpFormatter):
    """Help that fits a narrow terminal too."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Names and what they mean, side by side where there is room."""
        super().write_dl(rows, col_max if self.width > _NARROW else 2, col_spacing)


_NARROW = 60
"""Help of fewer columns than this has what a name means below it; Click itself never goes below 50."""


class _Context(click.Context):
    formatter_class = _Formatter

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool | None:
        """Tell an error of the parser, which does not know it, whose arguments were parsed."""
        if isinstance(error, click.UsageError) and error.ctx is None:
            error.ctx = self
        return super().__exit__(kind, error, trace)


def _with_our_help(command: click.Command) -> click.Command:
    command.context_class = _Context
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _with_our_help(inner)
    return command


class Commands(click.Group):
    """A group whose commands are the files in `commands/` and the games."""

    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names for the help; nothing is imported."""
        del ctx
        return [*registry.game_names(), *sorted(registry.command_names())]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a file, or the run of a game."""
        del ctx
        if name in registry.studies():
            from simulator.cli.study_command import study_command  # noqa: PLC0415  needs Numba

            module, study, _ = registry.studies()[name]
            return _with_our_help(study_command(name, getattr(importlib.import_module(module), study)))
        if name in registry.command_names():
            module = f"{name}_" if keyword.iskeyword(name) else name.replace("-", "_")
            command: click.Command = importlib.import_module(f"simulator.cli.commands.{module}").command
            return _with_our_help(command)
        if name in registry.game_names() or registry.is_path(name):
            from simulator.cli.study_command import study_command  # noqa: PLC0415  needs Numba
            from simulator.studies.run import Run  # noqa: PLC0415

            return _with_our_help(study_command(name, Run, game=name))
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What each command is for; a study is not imported for it."""
        listed = {name: about for name, (_, _, about) in registry.studies().items()}
        listed |= {name: registry.game_summary(name) for name in registry.game_names()}
        rows = []
        for name in self.list_commands(ctx):
            command = None if name in listed else self.get_command(ctx, name)
            rows.append((name, command.get_short_help_str(formatter.width) if command else listed[name]))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What the program is for, and some examples."""
        super().format_help_text(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl(_EXAMPLES, col_max=_NARROW)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = self.list_commands(ctx)
            way = "; a game of your own is named by its file, which ends in .py" if "/" in args[0] else ""
            message = f"There is no game or command '{args[0]}'{nearest(args[0], known)}; there are {', '.join(known)}{way}."
            raise UserError(message)
        return super().resolve_command(ctx, args)


_HELP = "Measure whether the rules of a tabletop game are balanced, by playing it a million times."
_EXAMPLES = (
    ("simulate grinchmas --games 1e6", "play a game, print what happened"),
    ("simulate rules grinchmas", "its rules, and their sources"),
    ("simulate grinchmas --set stars.trio=6", "change one and look again"),
    ("simulate grinchmas --report my.html", "write a report with charts"),
)


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
    """Run the command line and exit.

    0 done, 1 something promised did not hold, 2 wrong usage, 3 undecided, 130 interrupted by Ctrl-C, 143 by a request to end.
    """
    _open_closed_streams()
    _make_everything_printable()
    asked_to_end = _interrupt_when_asked_to_end()
    code = run(arguments)
    sys.exit(EXIT_TERMINATED if asked_to_end and code == EXIT_INTERRUPTED else code)


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code."""
    columns = shutil.get_terminal_size().columns
    with _told_what_is_left_out():
        return _run(arguments, columns)


def _run(arguments: list[str] | None, columns: int) -> int:
    try:
        code: Any = simulate.main(
            args=arguments, prog_name="simulate", standalone_mode=False, terminal_width=columns if columns < _NARROW else None
        )
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
    except (OSError, MemoryError) as error:
        return _fail_for_want_of_room(error)
    return code if isinstance(code, int) else EXIT_DONE


_NOTES = (LeftOutWarning, StrangerWarning)


@contextlib.contextmanager
def _told_what_is_left_out() -> Iterator[None]:
    """Print a note, once a command, about each thing of other packages that is left out, and each file that runs for the first time."""
    told: set[str] = set()

    def show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, _NOTES):
            otherwise(message, category, *place, **more)
        elif str(message) not in told:
            told.add(str(message))
            show.note(str(message))

    with warnings.catch_warnings():
        for category in _NOTES:
            warnings.simplefilter("always", category)
        otherwise, warnings.showwarning = warnings.showwarning, show_warning
        yield


def _open_closed_streams() -> None:
    """Connect what was closed before we began with nothing; the next file to be opened would take its place else."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  it stays open


_PLAIN = {
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "\u00d7": "x",
    "\u2026": "...",
    "\u2500": "-",
    "\u00b1": "+/-",
    "\u2264": "<=",
    "\u2265": ">=",
}
_PLAINLY = "simulate.plainly"


def _make_everything_printable() -> None:
    """Have what a terminal's encoding lacks printed as something like it."""

    def plainly(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(map(_plain, error.object[error.start : error.end])), error.end

    codecs.register_error(_PLAINLY, plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_PLAINLY)


def _plain(letter: str) -> str:
    """A letter as ASCII.

    >>> "".join(map(_plain, "50\u201352 \u00e9 \u5b57"))
    '50-52 e ?'
    """
    return _PLAIN.get(letter) or unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


def _interrupt_when_asked_to_end() -> list[int]:
    """Let a request to end (SIGTERM) do what Ctrl-C does; the list returned is no longer empty then.

    Only the first counts: some send it twice, and what is done is being written then.
    """
    asked: list[int] = []

    def interrupt(number: int, _frame: Any) -> None:
        signal.signal(number, signal.SIG_IGN)
        asked.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    return asked


def _discard_output() -> None:
    """Nobody reads our output any more; keep Python from complaining when it flushes once more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)


def _fail_for_want_of_room(error: OSError | MemoryError) -> int:
    if isinstance(error, MemoryError):
        return _fail("There is not enough memory for this; ask for less at once, such as fewer values or players.", EXIT_BROKEN)
    reason = error.strerror or error
    if error.filename is not None:
        return _fail(f"File {error.filename} cannot be read or written: {reason}.", EXIT_BROKEN)
    _discard_output()
    return _fail(f"What was to be printed cannot be written: {reason}; make room for it.", EXIT_BROKEN)


def _fail(sentence: str, code: int) -> int:
    """One line on stderr, whatever the names in it contain."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(sentence.split()))
    if len(line) > MOST_LETTERS:
        line = f"{line[: MOST_LETTERS // 2]} ... {line[-MOST_LETTERS // 2 :]}"
    show.tell(f"Error: {line}")
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
