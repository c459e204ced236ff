"""A document as a workbook for spreadsheets: a sheet for each table, one for all figures, and the charts as pictures."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pandas as pd

from reports.html_pages import day
from reports.pictures import png
from reports.tables import page_frame
from simulator.files import write_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from simulator.document.document import Document

MOST_LETTERS = 31
"""No sheet's name is longer; a limit of the format."""

FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\", "-"))
"""Letters that no sheet's name has."""

OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
"""Text stays text, whatever it looks like."""

PICTURE_SCALE = 0.5


def write_workbook(path: str | Path, document: Document, figures: pd.DataFrame) -> Path:
    """Write a workbook, whole or not at all.

    Args:
        path: of the file.
        document: whose tables and charts it holds.
        figures: all figures, unrounded; they are the first sheet.

    Raises:
        UserError: the file cannot be written.
    """
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer, engine="xlsxwriter", engine_kwargs={"options": OPTIONS}) as writer:
        names: set[str] = set()
        for title, frame in (("Figures", figures), *((table.title or table.name, page_frame(table)) for table in document.every_table)):
            name = _sheet(title, names)
            frame.to_excel(writer, sheet_name=name, index=False)
            writer.sheets[name].autofit()
        book: Any = writer.book
        book.set_properties({"title": document.heading, "comments": document.command or "", "created": day()})
        if document.every_chart:
            sheet = book.add_worksheet(_sheet("Charts", names))
            row = 0
            for chart in document.every_chart:
                sheet.write_string(row, 0, chart.words.title)
                picture = {"image_data": io.BytesIO(png(chart, document.footer)), "x_scale": PICTURE_SCALE, "y_scale": PICTURE_SCALE}
                sheet.insert_image(row + 1, 0, f"{chart.name}.png", picture)
                row += ROWS_OF_A_PICTURE
    return write_bytes(path, buffer.getvalue())


ROWS_OF_A_PICTURE = 34
"""Rows of a sheet that a picture and its title take up."""


def _sheet(title: str, names: set[str]) -> str:
    """A name that no other sheet has; two that differ in capitals only are one to spreadsheets."""
    plain = title.translate(FORBIDDEN).strip("'") or "Table"
    number, name = 1, plain[:MOST_LETTERS]
    while name.lower() in names:
        number += 1
        name = f"{plain[: MOST_LETTERS - 4]} {number}"
    names.add(name.lower())
    return name
