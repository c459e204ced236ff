"""The options of a study that write files: its page, its pictures and its tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import options, show

if TYPE_CHECKING:
    import pandas as pd

    from simulator.document.document import Document


@dataclass(frozen=True)
class Outputs:
    """What is to be written, and where; None is nothing.

    Attributes:
        report: the page.
        png, svg: folders for its pictures.
        csv: a folder for its tables.
        save: the file for all figures, unrounded.
        decimal: what stands before decimals in .csv files.
    """

    report: Path | None = None
    png: Path | None = None
    svg: Path | None = None
    csv: Path | None = None
    save: Path | None = None
    decimal: str = "."

    @property
    def any(self) -> bool:
        """Whether anything is to be written."""
        return self.paged or self.save is not None

    @property
    def paged(self) -> bool:
        """Whether a page, its pictures or its tables are to be written."""
        return any((self.report, self.png, self.svg, self.csv))

    def check(self) -> None:
        """Find out before the run whether all of it can be written.

        Raises:
            UserError: something cannot be.
        """
        options.check_writable(self.report, "--report", (".html", ".htm"))
        options.check_table(self.save)
        for name, folder in (("png", self.png), ("svg", self.svg), ("csv", self.csv)):
            options.check_folder(folder, f"--{name} {folder}")

    @show.told_at_the_end()
    def write(self, page: Callable[[], Document], table: Callable[[], pd.DataFrame], things: str) -> None:
        """Write what was asked for and say so.

        Args:
            page: makes the page.
            table: makes the table of all figures.
            things: what that table lists, such as "Comparisons".

        Raises:
            UserError: a file cannot be written.
        """
        from reports import tables  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for
        from reports.html_pages import write_csv_files, write_html, write_pictures  # noqa: PLC0415

        workbook = self.save is not None and self.save.suffix.lower() == ".xlsx"
        made = page() if self.paged or workbook else None
        if made is not None:
            if self.report:
                write_html(self.report, made)
                show.note(f"Report written to {self.report}.")
            for folder, write, thing in (
                (self.png, write_pictures, "Picture"),
                (self.svg, partial(write_pictures, kind="svg"), "Picture"),
                (self.csv, partial(write_csv_files, decimal=self.decimal), "Table"),
            ):
                for path in write(folder, made) if folder else ():
                    show.note(f"{thing} written to {path}.")
        if self.save:
            if made is not None and workbook:
                from reports.workbook import write_workbook  # noqa: PLC0415  only where one is asked for

                write_workbook(self.save, made, table())
            else:
                tables.save_frame(self.save, table(), self.decimal)
            show.note(f"{things} written to {self.save}.")


def output_options(things: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Options that write files, given to the command as one argument `outputs`; `things` is what --save lists."""
    path = click.Path(path_type=Path)
    saved = f"Write {things}, unrounded: .csv, .parquet, or .xlsx with a sheet for each table, and the charts."
    decimal = "What stands before decimals in .csv files; a comma brings semicolons between the columns."
    listed = options.add(
        click.option("--report", type=path, metavar="FILE.html", help="Write a page about it."),
        click.option("--png", type=path, metavar="FOLDER", help="Write its pictures as PNG files."),
        click.option("--svg", type=path, metavar="FOLDER", help="Write its pictures as SVG files."),
        click.option("--csv", type=path, metavar="FOLDER", help="Write the page's tables as CSV files."),
        click.option("--save", type=path, metavar="FILE.csv|.xlsx", help=saved),
        click.option("--decimal", type=click.Choice([".", ","]), default=".", help=decimal),
    )

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def packed(*arguments: Any, **given: Any) -> Any:
            outputs = Outputs(**{field.name: given.pop(field.name) for field in fields(Outputs)})
            return command(*arguments, outputs=outputs, **given)

        return listed(packed)

    return decorate
