"""Saving the counts as a table that other programs read."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from reports.frames import frame
from simulator.errors import UserError
from simulator.files import write_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from reports.frames import Results


def save_table(path: str | Path, results: Results) -> Path:
    """Save `frame(results)`; the path's ending says how, `.csv` or `.parquet`.

    Raises:
        UserError: the ending is neither, pyarrow is missing, or the file cannot be written.
    """
    return save_frame(path, frame(results))


def save_frame(path: str | Path, table: pd.DataFrame) -> Path:
    """Save any table; the path's ending says how, `.csv` or `.parquet`.

    Raises:
        UserError: the ending is neither, pyarrow is missing, or the file cannot be written.
    """
    path = Path(path)
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        message = f"File {path} has no ending that says how to save the table; name it {path.stem or 'table'}.csv or .parquet."
        raise UserError(message)
    return write_bytes(path, writer(table))


def _csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, lineterminator="\n").encode("utf-8", "backslashreplace")


def _parquet(table: pd.DataFrame) -> bytes:
    if find_spec("pyarrow") is None:
        message = "Saving as .parquet needs pyarrow; install it with pip install 'ludometer[parquet]', or save as .csv."
        raise UserError(message)
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False, engine="pyarrow")
    return buffer.getvalue()


_WRITERS: dict[str, Callable[[pd.DataFrame], bytes]] = {".csv": _csv, ".parquet": _parquet}
