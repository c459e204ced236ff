"""Reading files that somebody else wrote, and writing a file whole or not at all."""

from __future__ import annotations

import os
import secrets
import tomllib
from pathlib import Path
from typing import Any

from simulator.errors import UserError

MAX_FILE_BYTES = 1_000_000
"""A file of settings larger than this is refused; it is read no further."""


def read_text(path: Path, what: str, error: type[UserError] = UserError) -> str:
    """The text of a file of settings, UTF-8 with or without a byte order mark.

    Args:
        path: the file.
        what: what to call it in a sentence, such as "Rules file".
        error: what to raise.

    Raises:
        UserError: it cannot be read, is too large, or is not UTF-8; the line is named.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)  # of what may have no end, such as a pipe
    except (OSError, ValueError) as problem:
        message = f"{what} {path} cannot be read: {getattr(problem, 'strerror', None) or problem}."
        raise error(message) from None
    if len(content) > MAX_FILE_BYTES:
        message = f"{what} {path} is larger than {MAX_FILE_BYTES:,} bytes; a few kilobytes are enough for any game."
        raise error(message)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        message = f"{what} {path}, line {line}, is not UTF-8 text; save it as UTF-8."
        raise error(message) from None


def parse_toml(path: Path, text: str, what: str, error: type[UserError] = UserError) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        UserError: it is no TOML, named with its line, or nested too deeply, or a number in it is too long.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        reason = str(problem)
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
