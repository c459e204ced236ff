"""What the terminal shows: tables on stdout, notes and progress on stderr."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from simulator.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from simulator.document.fitting_table import FittingTable

_REFRESH_S = 0.5

_BAR_WIDTH = 70
"""On a narrower terminal progress is a percentage and a rate."""

_COMMANDS_TO_TERMINALS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, and what turns the direction of writing around; a name may hold them, a terminal would obey them."""


_bars: list[Console] = []
"""Where bars are shown, the innermost last."""


def harmless(text: str) -> str:
    r"""The text without what a terminal would obey instead of showing it.

    >>> harmless("\x1b[31mred\x1b[0m"), harmless("two\nlines")
    ('[31mred[0m', 'two\nlines')
    """
    return _COMMANDS_TO_TERMINALS.sub("", text)


def tell(text: str) -> None:
    """A line on stderr, broken between words on a terminal; that it cannot be written must not cost anything else."""
    with contextlib.suppress(OSError):
        if sys.stderr is not None and sys.stderr.isatty():
            text = textwrap.fill(text, shutil.get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
        if _bars:
            _bars[-1].print(text, markup=False, emoji=False, soft_wrap=True)  # else it would stand behind the bar
        else:
            click.echo(text, err=True)


def note(sentence: str) -> None:
    """A remark on stderr. That nobody reads it any more must not cost the results."""
    tell(f"Note: {harmless(sentence)}")


def interrupted(more: str = "", what: str = "what was finished") -> None:
    """A remark that Ctrl-C was heard, and what is shown nevertheless; `more` are sentences that follow."""
    note(f"Interrupted; {what} is shown.{f' {more}' if more else ''}")


def print_json(document: Any) -> None:
    """Exactly one JSON document on stdout."""
    plain = "utf" not in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    text = json.dumps(document, indent=2, ensure_ascii=plain, allow_nan=False)
    click.echo(_COMMANDS_TO_TERMINALS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


@contextlib.contextmanager
def told_at_the_end() -> Iterator[None]:
    """A file that cannot be written must not cost what is printed after it: the error is raised when the command has ended."""
    try:
        yield
    except UserError as error:
        failure = error
    else:
        return

    def fail() -> None:
        raise failure

    context = click.get_current_context(silent=True)
    if context is None:
        raise failure
    context.call_on_close(fail)


def console() -> Console:
    """Where tables go; what a terminal would obey is left out of all text."""
    return _harmless_console(stderr=False)


def _harmless_console(*, stderr: bool) -> Console:
    from rich.console import Console  # noqa: PLC0415  only where something is shown
    from rich.segment import Segment  # noqa: PLC0415

    class HarmlessConsole(Console):
        def print(self, *objects: Any, soft_wrap: bool | None = None, **given: Any) -> None:
            """Print; with `soft_wrap` lines are broken on a terminal only, and not there if that would break a word."""
            words = (word for thing in objects if isinstance(thing, str) for word in thing.split())
            soft = bool(soft_wrap) and (not self.is_terminal or any(len(word) > self.width for word in words))
            super().print(*objects, soft_wrap=soft, **given)

        def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(harmless(segment.text), segment.style)

    return HarmlessConsole(highlight=False, stderr=stderr)


def lines(text: str) -> None:
    """Lines of results: as they are for a file or a program, broken between words on a terminal that is too narrow for them."""
    out = console()
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        broken = textwrap.wrap(line, out.width, subsequent_indent=f"{indent}  ", break_long_words=False, break_on_hyphens=False)
        out.print("\n".join(broken) if out.is_terminal else line, markup=False, emoji=False, soft_wrap=True)


def new_table(*columns: str, title: str | None = None, right: Sequence[int] = ()) -> FittingTable:
    """An empty table; see there."""
    from simulator.document import fitting_table  # noqa: PLC0415  only where a table is shown

    return fitting_table.new_table(*columns, title=title, right=right)


def add_row(table: FittingTable, *cells: str) -> None:
    """Add cells as they are; see there."""
    from simulator.document import fitting_table  # noqa: PLC0415  only where a table is shown

    fitting_table.add_row(table, *cells)


@functools.cache
def _say_compiling(*, kept: bool) -> None:
    """Say it once, however many parts of a command compile something."""
    how = "once" if kept else "anew each time, since no folder for it can be written; set LUDOMETER_CACHE"
    note(f"Compiling for this machine; this happens {how}.")


@contextlib.contextmanager
def compiling_note() -> Iterator[None]:
    """Say on stderr that the game is being compiled, should that turn out to be necessary."""
    from numba.core import event  # noqa: PLC0415  importing Numba takes a third of a second

    from simulator.kernel.jit import cache_failure, cache_root  # noqa: PLC0415

    class Announce(event.Listener):  # type: ignore[misc]  # Numba has no types
        def on_start(self, event: Any) -> None:
            del event
            _say_compiling(kept=cache_root() is not None)

        def on_end(self, event: Any) -> None:
            del event

    before = cache_failure()
    with event.install_listener("numba:compile", Announce()):
        yield
    failure = cache_failure()
    if failure is not None and before is None:
        note(f"Compiled code could not be kept in {cache_root()}: {failure.strerror}; make room there, or set LUDOMETER_CACHE.")


@contextlib.contextmanager
def stage(label: str, size: int, so_far: Callable[[Any], tuple[str, int]] | None = None, /) -> Iterator[Callable[[int, Any], None] | None]:
    """Where long work stands: a bar for its playouts, and a note where something has to be compiled for it."""
    with compiling_note(), _bar(label, size, so_far or (lambda _part: ("", size))) as progress:
        yield progress


@contextlib.contextmanager
def _above(bar: Console) -> Iterator[None]:
    """What is told meanwhile stands above the bar."""
    _bars.append(bar)
    try:
        yield
    finally:
        _bars.remove(bar)


@contextlib.contextmanager
def _bar(label: str, total: int, so_far: Callable[[Any], tuple[str, int]]) -> Iterator[Callable[[int, Any], None] | None]:
    """A bar to be told what is done, and what came of it; None where it was not played: the clock begins then."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

    out = _harmless_console(stderr=True)
    roomy = out.width >= _BAR_WIDTH
    columns = (
        TextColumn("{task.description}", markup=False),
        *([BarColumn(bar_width=12)] if roomy else []),
        TextColumn("{task.percentage:>3.0f}%"),
        *([TextColumn("{task.fields[left]}")] if roomy else []),
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Progress(*columns, console=out, transient=True) as bar, _above(out):
        task = bar.add_task(label, total=total, state="", left="")
        start = shown = time.monotonic()
        before = 0

        def update(done: int, part: Any) -> None:
            nonlocal start, shown, before
            now = time.monotonic()
            if part is None:
                start, before = now, done
                return
            if now - shown < _REFRESH_S and done < total:
                return
            shown = now
            state, expected = so_far(part)
            rate = (done - before) / max(now - start, 1e-9)
            text = f"{rate:,.0f}/s  {state}" if roomy else f"{rate:,.0f}/s"
            bar.update(task, completed=done, total=expected, state=text, left=time_left(expected - done, rate))

        yield update


def time_left(playouts: int, rate: float) -> str:
    """How long so many more playouts take.

    >>> time_left(6000, 100.0), time_left(4_000_000, 1000.0)
    ('01:00', '1:06:40')
    """
    seconds = math.ceil(max(0, playouts) / max(rate, 1e-9))
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"
