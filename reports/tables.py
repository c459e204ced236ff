"""Saving the counts, and a page's tables, as tables that other programs read."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

from reports.frames import Results, frame
from simulator.document.chapters import Table
from simulator.errors import UserError, install_line
from simulator.files import write_bytes


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


def write_tables(folder: str | Path, name: str, tables: Iterable[Table]) -> list[Path]:
    """Write tables of a page into `folder`, which is made if need be, as NAME-TABLE.csv.

    Raises:
        UserError: the folder cannot be written to.
    """
    made = make_folder(folder)
    return [save_frame(made / f"{slug(name)}-{slug(table.name or table.title)}.csv", page_frame(table)) for table in tables]


def page_frame(table: Table) -> pd.DataFrame:
    """A table of a page as text, a column for each heading; behind it one for its small print, and one for its marks, if it has any."""
    columns: dict[str, list[str]] = {}
    for place, heading in enumerate(table.columns):
        cells = [row[place] for row in table.cells]
        title = heading if heading not in columns else f"{heading} ({place + 1})"
        columns[title] = [cell.text for cell in cells]
        small = table.small if place else "about"
        for what, more in ((small, [cell.small for cell in cells]), ("mark", [cell.mark for cell in cells])):
            if any(more):
                columns[f"{title}: {what}"] = more
    return pd.DataFrame(columns)


def tables_frame(tables: Iterable[Table]) -> pd.DataFrame:
    """The figures of tables, a line each: table, row, column, best, low, high, n and unit."""
    lines = [
        {
            "table": table.title or table.name,
            "row": row[0].text,
            "column": heading,
            **{part: getattr(cell.estimate, part) for part in ("best", "low", "high", "n", "unit")},
        }
        for table in tables
        for row in table.cells
        for heading, cell in zip(table.columns, row, strict=True)
        if cell.estimate is not None
    ]
    return pd.DataFrame(lines)


def make_folder(folder: str | Path) -> Path:
    """A folder to write into, made if need be.

    Raises:
        UserError: it cannot be made.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"Folder {folder} cannot be made: {error.strerror or error}; name another."
        raise UserError(message) from None
    return folder


def slug(text: str) -> str:
    """Letters, digits, dots and dashes of a name; nothing that means something to a file system.

    >>> slug("../a b")
    'a-b'
    """
    return re.sub(r"[^\w.-]+", "-", text).strip("-.") or "chart"


FORMULA = ("=", "+", "-", "@", "\t")
"""What begins with one of these is taken for a formula by programs that show tables."""


def disarmed(value: object) -> object:
    """Text that is no formula to any program, since a quotation mark stands before it; a carriage return in it ends no line.

    >>> disarmed("=1+1"), disarmed("plain"), disarmed(-3)
    ("'=1+1", 'plain', -3)
    """
    if not isinstance(value, str):
        return value
    one_line = value.replace("\r", " ")  # which is not quoted where lines end otherwise
    return f"'{one_line}" if one_line.startswith(FORMULA) else one_line


def _csv(table: pd.DataFrame) -> bytes:
    safe = table.apply(lambda column: column if is_numeric_dtype(column) else column.map(disarmed))
    text: str = safe.rename(columns=disarmed).to_csv(index=False, lineterminator="\n")
    return text.encode("utf-8", "backslashreplace")


def _parquet(table: pd.DataFrame) -> bytes:
    if find_spec("pyarrow") is None:
        message = f"Saving as .parquet needs pyarrow; install it with {install_line('parquet')}, or save as .csv."
        raise UserError(message)
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False, engine="pyarrow")
    return buffer.getvalue()


_WRITERS: dict[str, Callable[[pd.DataFrame], bytes]] = {".csv": _csv, ".parquet": _parquet}
