"""Options that several commands share, and the types of their values."""

from __future__ import annotations

import functools
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from simulator.document.language import listed, plural
from simulator.errors import UserError, install_line
from simulator.numbers import read_count

F = TypeVar("F", bound=Callable[..., Any])


class Whole(click.ParamType[int]):
    """A whole number in a range, written 1e6, 1_000_000, 250k or 2M."""

    name = "number"

    def __init__(self, low: int, high: int, high_text: str | None = None) -> None:
        """Take the ends of the range, and how the upper one is to be written."""
        self.low, self.high, self.high_text = low, high, high_text or f"{high:,}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number."""
        if isinstance(value, int):
            return value
        number = read_count(str(value))
        if number.is_nan():
            self.fail(f"'{value}' is no number; write it as 1000, 1e6, 250k or 2M", param, ctx)
        if not self.low <= number <= self.high:
            self.fail(f"'{value}' is out of range; it has to be between {self.low} and {self.high_text}", param, ctx)
        if number != number.to_integral_value():
            self.fail(f"'{value}' is no whole number; write it as 1000, 1e6, 250k or 2M", param, ctx)
        return int(number)


def count() -> Whole:
    """The type of a number of playouts."""
    return Whole(1, 2**53)


class Players(click.ParamType[tuple[int, ...]]):
    """A number of players, or a range such as 2-6."""

    name = "N | N-M"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Read a number or a range."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", str(value).strip())
        if not match:
            self.fail(f"'{value}' is no number of players; write 4, or 2-6 for each of them", param, ctx)
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            self.fail(f"'{value}' runs backwards; write {last}-{first}", param, ctx)
        return tuple(range(first, last + 1))


class Read(click.ParamType[Any]):
    """A text that something else reads."""

    name = "text"

    def __init__(self, read: Callable[[str], Any]) -> None:
        """Take what makes a value of it."""
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it, unless that was done."""
        del param, ctx
        return self.read(value) if isinstance(value, str) else value


class GameName(click.ParamType[Any]):
    """A game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Look the game up."""
        del param, ctx
        from simulator import registry  # noqa: PLC0415  importing a game needs NumPy and Numba

        return registry.game(str(value))


def add(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Put several options on a command, to be listed in the given order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def several(*names: str, of: str, what: str, required: bool = False) -> Callable[[F], F]:
    """An option that may be repeated: its names, how a value is written, and what it is for."""
    return click.option(*names, multiple=True, required=required, metavar=of, help=what)


def entrants_option(what: str) -> Callable[[F], F]:
    """Strategies that are to be compared with each other."""
    return several("--strategy", "strategies", of="NAME[:k=v,...]", what=f"{what} Also FILE.py:NAME.")


def ledger_file_option(name: str, what: str, *, required: bool = False) -> Callable[[F], F]:
    """The file of a ledger, which may be named once and for all in the environment."""
    variable, kind = "SIMULATE_LEDGER", click.Path(path_type=Path)
    return click.option("--ledger", name, type=kind, envvar=variable, show_envvar=True, required=required, metavar="FILE", help=what)


game_argument = click.argument("game", type=GameName())
seed_option = click.option(
    "--seed", type=Whole(0, 2**64 - 1, "2**64 - 1"), default=1, show_default=True, help="Key of all random draws; another seed, other luck."
)
strategy_option = several(
    "--strategy",
    "strategies",
    of="NAME[:k=v,...]",
    what="Who plays: one for everybody, or several, seated in turn. Also FILE.py:NAME; such a file is a program and runs with your rights.",
)
set_option = several("--set", "assignments", of="KEY=VALUE", what="Change a rule constant; may be repeated.")
rules_option = click.option(
    "--rules",
    "rules_file",
    type=click.Path(path_type=Path),
    metavar="FILE.toml",
    help="Rule constants from a TOML file, as `simulate rules GAME --toml` prints it.",
)
ledger_option = ledger_file_option("ledger_file", "Remember finished batches in this file, and play only what it lacks.")
_threads_option = click.option("--workers", type=Whole(1, 1024), help="Threads; all processors unless given. The result is the same.")
_cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the workers of a Dask scheduler, or of local:N, N processes here. The result is the same.",
)


def workers_option(command: F) -> F:
    """Who plays, as a single argument `workers` of the command: a number of threads, None for all processors, or a cluster."""

    @functools.wraps(command)
    def with_workers(*arguments: Any, workers: int | None, cluster: str | None, **chosen: Any) -> Any:
        if cluster is None:
            return command(*arguments, workers=workers, **chosen)
        if workers is not None:
            message = f"--workers {workers} is about threads of this process, and --cluster {cluster} plays elsewhere; give one of them."
            raise UserError(message)
        with opened_cluster(cluster) as opened:
            return command(*arguments, workers=opened, **chosen)

    return _threads_option(_cluster_option(cast("F", with_workers)))


@contextmanager
def opened_cluster(address: str) -> Iterator[Any]:
    """A cluster that is connected to when it is needed, and closed at the end whatever happens."""
    from simulator.cli import show  # noqa: PLC0415  only where it has something to say
    from simulator.cluster import Cluster, silence  # noqa: PLC0415  needs Numba

    with Cluster(address, tell=show.note) as cluster:
        silence()
        yield cluster


def tell_unseated(strategies: Sequence[str], players: Sequence[int]) -> None:
    """A note if strategies that were named for the seats find none, with some number of players."""
    from simulator.cli import show  # noqa: PLC0415  only where it has something to say

    if min(players) >= len(strategies):
        return
    if len(players) > 1:
        sentence = f"with fewer than {len(strategies)} players there is no seat for all of them"
    else:
        sentence = f"with {plural(players[0], 'player')} there is no seat for {listed(strategies[players[0] :])}"
    show.note(f"Strategies are seated in turn; {sentence}.")


def players_option(what: str) -> Callable[[F], F]:
    """How many play; `what` says what is done with each number of a range."""
    return click.option("--players", type=Players(), default="4", show_default=True, help=f"How many, or a range: {what}")


def games_option(default: int, what: str) -> Callable[[F], F]:
    """How many playouts; `what` says of what, and how many unless given."""
    return click.option("--games", type=count(), default=default, help=what)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def gather_rules(game: Any, rules_file: Path | None, assignments: tuple[str, ...]) -> dict[str, Any]:
    """Overrides from a rules file and from --set, the latter winning; both are checked.

    Raises:
        RulesError: an unknown key or an impossible value; for the file its line is named where it can be told.
    """
    from simulator import rules  # noqa: PLC0415  needs pydantic
    from simulator.cli import show  # noqa: PLC0415  only where it has something to say

    overrides: dict[str, Any] = {}
    if rules_file is not None:
        overrides = rules.read_toml(rules_file, game.rules)
    for assignment in rules.parse_assignments(assignments, game.rules, overrides):
        overrides[assignment.key] = assignment.value
        if assignment.note:
            show.note(assignment.note)
    rules.build_rules(game.rules, overrides)
    return overrides


@contextmanager
def opened_ledger(file: Path | None) -> Iterator[Any]:
    """The ledger of a file, or None where no file is named."""
    if file is None:
        yield None
        return
    from simulator.play.ledger import Ledger  # noqa: PLC0415  needs NumPy

    check_writable(file, "--ledger")
    with Ledger(file) as ledger:
        yield ledger


def open_ledger(file: Path | None) -> Any:
    """The ledger of a file, or None where no file is named; it is closed when the command ends."""
    return click.get_current_context().with_resource(opened_ledger(file))


def check_writable(path: Path | None, option: str, endings: tuple[str, ...] = ()) -> None:
    """Find out before the run whether a file can be written; its folder is made if need be.

    Raises:
        UserError: it cannot be.
    """
    if path is None:
        return
    if endings and path.suffix.lower() not in endings:
        message = f"{option} {path} has to end in {listed(endings, 'or')}."
        raise UserError(message)
    if os.path.isdir(path):  # noqa: PTH112  Path.is_dir raises where the name is too long
        message = f"{option} {path} is a folder; name a file in it."
        raise UserError(message)
    check_folder(path.parent, f"{option} {path}")
    try:
        path.exists()  # which finds a name that is too long
    except OSError as error:
        what = f"{option} {path}"
        raise _unwritable(what, error) from None


NEEDED = {".parquet": ("pyarrow", "parquet"), ".xlsx": ("xlsxwriter", "excel")}
"""Ending of a table's file to the package that writes it, and the extra that brings that."""


def check_table(path: Path | None) -> None:
    """Find out before the run whether a table can be saved, as .csv or, where the package for it is installed, as .xlsx or .parquet.

    Raises:
        UserError: it cannot be.
    """
    check_writable(path, "--save", (".csv", ".xlsx", ".parquet"))
    package, extra = NEEDED.get(path.suffix.lower(), ("", "")) if path is not None else ("", "")
    if package and find_spec(package) is None:
        message = f"--save {path} needs {package}; install it with {install_line(extra)}, or save as .csv."
        raise UserError(message)


def command_line() -> str:
    """The command as it was typed, for a report."""
    return shlex.join(["simulate", *sys.argv[1:]])


def check_folder(folder: Path | None, what: str) -> None:
    """Find out before the run whether a folder can be written to; it is made if need be.

    Raises:
        UserError: it cannot be.
    """
    import tempfile  # noqa: PLC0415  only where something is written

    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (FileExistsError, NotADirectoryError):
        message = f"{what} cannot be written: there is a file where it needs a folder; name another place."
        raise UserError(message) from None
    except OSError as error:
        raise _unwritable(what, error) from None


def _unwritable(what: str, error: OSError) -> UserError:
    return UserError(f"{what} cannot be written: {error.strerror or error}; name another place.")
