"""Reading files that somebody else wrote, and writing a file whole or not at all."""

from __future__ import annotations

import codecs
import errno
import os
import secrets
import select
import stat
import time
import tomllib
from pathlib import Path
from typing import Any

from simulator.errors import UserError

MAX_FILE_BYTES = 200_000
"""A file of settings larger than this is refused; it is read no further."""

MAX_DOTS = 100
"""A line with more dots is refused: it takes Python's parser hours to read a key of many thousand parts."""

MAX_REASON = 200
"""What the parser says is cut to this length; it repeats keys as they are."""

SILENCE_S = 10.0
"""How long to wait for a pipe that says nothing."""

_PIECE = 65_536
_WAIT_S = 0.05


def read_text(path: Path, what: str, error: type[UserError] = UserError) -> str:
    """The text of a file of settings, UTF-8 or, with a byte order mark, UTF-16, and whatever ends its lines.

    Args:
        path: the file.
        what: what to call it in a sentence, such as "Rules file".
        error: what to raise.

    Raises:
        UserError: it cannot be read, is too large, or is no such text; the line is named.
    """
    try:
        content = _read_bytes(path, MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as problem:
        message = f"{what} {path} cannot be read: {getattr(problem, 'strerror', None) or problem}."
        raise error(message) from None
    if len(content) > MAX_FILE_BYTES:
        message = f"{what} {path} is larger than {MAX_FILE_BYTES:,} bytes; a few kilobytes are enough for any game."
        raise error(message)
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        message = f"{what} {path}, line {line}, is not {'UTF-16' if wide else 'UTF-8'} text; save it as UTF-8."
        raise error(message) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        message = f"{what} {path}, line {line}, holds bytes that are no text; it may be UTF-16 or no text file at all: save it as UTF-8."
        raise error(message)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def shortened(text: str, most: int) -> str:
    """The beginning and the end of a long text, in one line, of which nothing is unprintable.

    >>> shortened("a" * 30 + "z", 20)
    'aaaaaaaa ... aaaaaaz'
    """
    if len(text) > most:
        half = (most - 5) // 2
        text = f"{text[: most - 5 - half]} ... {text[-half:]}"
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))


def _read_bytes(path: Path, most: int) -> bytes:
    """The first bytes of a file that may be a device or a pipe: without an end, or with nobody at its other end.

    Raises:
        OSError: it cannot be read, or nothing came for SILENCE_S seconds.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    content = b""
    try:
        deadline = time.monotonic() + SILENCE_S
        while len(content) < most:
            piece = _piece(number, min(_PIECE, most - len(content)), begun=bool(content), deadline=deadline)
            if not piece:
                break
            content += piece
            deadline = time.monotonic() + SILENCE_S
    finally:
        os.close(number)
    return content


def _piece(number: int, most: int, *, begun: bool, deadline: float) -> bytes:
    """What a file has next; nothing at its end. A pipe that nobody has written to yet looks as if it were at its end."""
    pipe = stat.S_ISFIFO(os.fstat(number).st_mode)
    while True:
        try:
            piece = os.read(number, most)
        except BlockingIOError:
            piece = None
        if piece or (piece is not None and (begun or not pipe)):
            return piece
        if time.monotonic() > deadline:
            raise TimeoutError(errno.ETIMEDOUT, f"nothing came for {SILENCE_S:.0f} seconds")
        select.select([number], [], [], _WAIT_S)


def parse_toml(path: Path, text: str, what: str, error: type[UserError] = UserError) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        UserError: it is no TOML, named with its line, or nested too deeply, or a number in it is too long.
    """
    crowded = next((number for number, line in enumerate(text.split("\n"), 1) if line.count(".") > MAX_DOTS), None)
    if crowded is not None:
        message = f"{what} {path}, line {crowded}, is nested too deeply: it has more than {MAX_DOTS} dots."
        raise error(message)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        reason = shortened(str(problem), MAX_REASON)
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError:
        reason = "a number in it has too many digits"
    message = f"{what} {path} is not valid TOML: {reason}."
    raise error(message)


def write_bytes(path: str | Path, content: bytes) -> Path:
    """Write `content` to `path` through a temporary file beside it, so that no half-written file is ever seen.

    What is no regular file, such as /dev/stdout, is written directly.

    Raises:
        UserError: the file cannot be written.
    """
    path = Path(path)
    try:
        target = path.resolve()
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(content)
        else:
            _replace(target, content)
    except OSError as error:
        message = f"File {path} cannot be written: {error.strerror or error}; name a file in a folder that exists and may be written to."
        raise UserError(message) from None
    return path


def _replace(target: Path, content: bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    beside = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(content)
        os.replace(beside, target)  # noqa: PTH105  it is this very function that is atomic
    finally:
        beside.unlink(missing_ok=True)
