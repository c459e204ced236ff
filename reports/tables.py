"""Saving the counts, and a page's tables, as tables that other programs read."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from reports.frames import Results, frame
from simulator.document.chapters import Cell, Table
from simulator.errors import UserError, install_line
from simulator.files import write_bytes


def save_table(path: str | Path, results: Results) -> Path:
    """Save `frame(results)`; the path's ending says how, `.csv` or `.parquet`.

    Raises:
        UserError: the ending is neither, pyarrow is missing, or the file cannot be written.
    """
    return save_frame(path, frame(results))


def save_frame(path: str | Path, table: pd.DataFrame, decimal: str = ".") -> Path:
    """Save any table; the path's ending says how, `.csv` or `.parquet`.

    Args:
        path: of the file.
        table: what to save.
        decimal: what stands before decimals in a `.csv`; with a comma there, semicolons stand between columns.

    Raises:
        UserError: the ending is neither, pyarrow is missing, or the file cannot be written.
    """
    path = Path(path)
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        message = f"File {path} has no ending that says how to save the table; name it {path.stem or 'table'}.csv or .parquet."
        raise UserError(message)
    return write_bytes(path, _csv(table, decimal) if writer is _csv else writer(table))


def write_tables(folder: str | Path, name: str, tables: Iterable[Table], decimal: str = ".") -> list[Path]:
    """Write tables of a page into `folder`, which is made if need be, as NAME-TABLE.csv.

    Raises:
        UserError: the folder cannot be written to.
    """
    made = make_folder(folder)
    return [save_frame(made / f"{slug(name)}-{slug(table.name or table.title)}.csv", page_frame(table), decimal) for table in tables]


def page_frame(table: Table) -> pd.DataFrame:
    """A table of a page for programs: figures as numbers, with the ends of their interval, n and unit in columns of their own.

    A share is between 0 and 1. Behind any other column stands one for its small print, and behind any one for its marks, if it has any.
    """
    columns: dict[str, list[Any]] = {}
    for place, heading in enumerate(table.columns):
        cells = [row[place] for row in table.cells]
        title = heading if heading not in columns else f"{heading} ({place + 1})"
        columns |= _figures(title, cells) if any(cell.estimate is not None for cell in cells) else _texts(title, cells, table, place)
        if any(cell.mark for cell in cells):
            columns[f"{title}: mark"] = [cell.mark for cell in cells]
    return pd.DataFrame(columns)


def _figures(title: str, cells: Sequence[Cell]) -> dict[str, list[Any]]:
    """Estimates as numbers; what is none is left empty."""
    made = {title: [_number(cell.text) if cell.estimate is None else cell.estimate.best for cell in cells]}
    for end in ("low", "high", "n", "unit"):
        made[f"{title}: {end}"] = [getattr(cell.estimate, end, None) for cell in cells]
    return made


def _texts(title: str, cells: Sequence[Cell], table: Table, place: int) -> dict[str, list[Any]]:
    """Cells as they are, or as numbers where all of them are some, and their small print."""
    values: list[Any] = [cell.text for cell in cells]
    numbers = [_number(text) for text in values]
    if place in table.numeric and all(number is not None or text in MISSING for number, text in zip(numbers, values, strict=True)):
        values = numbers
    made = {title: values}
    if any(cell.small for cell in cells):
        made[f"{title}: {table.small if place else 'about'}"] = [cell.small for cell in cells]
    return made


MISSING = ("", "-", "\N{EN DASH}", "not known")
"""What stands where there is no figure."""


def _number(text: str) -> float | None:
    """A figure that was written for people; a percentage becomes a share.

    >>> _number("1,234.5"), _number("12.5%"), _number("\N{MINUS SIGN}3"), _number("about 3")
    (1234.5, 0.125, -3.0, None)
    """
    plain = text.replace(",", "").replace("\N{MINUS SIGN}", "-")
    try:
        return int(plain) if plain.isdecimal() else float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        return None


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


def _csv(table: pd.DataFrame, decimal: str = ".") -> bytes:
    safe = table.apply(lambda column: column if is_numeric_dtype(column) else column.map(disarmed))
    text: str = safe.rename(columns=disarmed).to_csv(index=False, lineterminator="\n", decimal=decimal, sep=";" if decimal == "," else ",")
    return text.encode("utf-8", "backslashreplace")


def _parquet(table: pd.DataFrame) -> bytes:
    if find_spec("pyarrow") is None:
        message = f"Saving as .parquet needs pyarrow; install it with {install_line('parquet')}, or save as .csv."
        raise UserError(message)
    buffer = io.BytesIO()
    table.to_parquet(buffer, index=False, engine="pyarrow")
    return buffer.getvalue()


_WRITERS: dict[str, Callable[[pd.DataFrame], bytes]] = {".csv": _csv, ".parquet": _parquet}
