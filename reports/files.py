"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from simulator.errors import UserError


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
