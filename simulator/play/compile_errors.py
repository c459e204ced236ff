"""What went wrong when something did not compile: file, line and one plain reason, out of Numba's hundreds of lines."""

from __future__ import annotations

import linecache
import re
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from simulator.errors import described, nearest


@dataclass(frozen=True)
class CompileError:
    """Why a function does not compile.

    Attributes:
        file, line: where, as far as it can be told; else where the function begins.
        reason: a clause.
    """

    file: str
    line: int
    reason: str


def explained(error: Exception, function: Any, fields: tuple[str, ...] = ()) -> CompileError:
    """What an error of the compiler says.

    Args:
        error: it.
        function: what was to be compiled, plain or jitted.
        fields: names of fields that the function may read, to name the nearest where there is none of a name.
    """
    code = getattr(function, "py_func", function).__code__
    file, line = _place(error) or (code.co_filename, code.co_firstlineno)
    return CompileError(file, line, _plain_function(str(error), function, file, line) or _reason(error, fields))


_AT = re.compile(r"(?:During: .* at (?P<file>\S.*?) \((?P<line>\d+)\)|^File \"(?P<other>.+)\", line (?P<number>\d+))", re.MULTILINE)


def _place(error: Exception) -> tuple[str, int] | None:
    """The innermost place that is named, which is the first in the message; else that of the error, or of the compiler at work."""
    for match in _AT.finditer(str(error)):
        if match["file"] and Path(match["file"]).is_absolute():
            return match["file"], int(match["line"])
    place = getattr(error, "loc", None) or _at_work(error)
    return (str(place.filename), int(place.line)) if place is not None and place.filename else None


def _at_work(error: Exception) -> Any:
    """Where the compiler was when something else than an error of its own came up, from its innermost frame that knows."""
    from numba.core.ir import Loc  # noqa: PLC0415  importing Numba takes a third of a second

    result, trace = None, error.__traceback__
    while trace is not None:
        owner = trace.tb_frame.f_locals.get("self")
        place = getattr(owner, "loc", None)
        if isinstance(place, Loc):
            result = place
        trace = trace.tb_next
    return result


def _plain_function(text: str, function: Any, file: str, line: int) -> str | None:
    """What to say where compiled code calls a function that is not compiled; the source has to tell which, as Numba does not always."""
    if "<class 'function'>" not in text:
        return None
    plain = getattr(function, "py_func", function)
    known = {name: what for name, what in plain.__globals__.items() if name not in plain.__code__.co_varnames}
    named = [name for name in re.findall(r"\w+", linecache.getline(file, line)) if isinstance(known.get(name), FunctionType)]
    subject = f"'{named[0]}'" if named else "a function that is called here"
    return f"{subject} is plain Python, which compiled code cannot call; put @jit above it (from simulator.kernel.jit import jit)"


def _reason(error: Exception, fields: tuple[str, ...]) -> str:
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        return f"there is no field '{error.args[0]}'{nearest(error.args[0], fields)}"
    text = _telling(str(getattr(error, "msg", None) or error))
    unknown = re.search(r"NameError: (?:global )?name '(\w+)' is not defined", text)
    if unknown:
        return f"there is no '{unknown[1]}'"
    if not hasattr(error, "msg"):
        return _without_records(described(error))
    return _without_records(text)


def _telling(text: str) -> str:
    """The first line of a long message that tells something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:", "File ", "[1] During", "-", "<"))]
    return (telling or lines or ["unknown reason"])[0].partition(". Raised from")[0].rstrip(".")


def _without_records(text: str) -> str:
    """A reason without the long lists of all fields that Numba shows for a record."""
    return re.sub(r"Record\(\[.*?\], \d+, (?:True|False)\)|Record\((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*\)", "a record", text)
