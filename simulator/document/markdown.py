"""A document as Markdown, to paste into a wiki or an issue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.document.chapters import Cell, Chapter, Table
    from simulator.document.document import Document


def markdown(document: Document) -> str:
    """The document: what was found, its chapters with their tables, and how it was made; its charts are left out."""
    return "\n".join(_lines(document)).rstrip("\n") + "\n"


def _lines(document: Document) -> Iterator[str]:
    yield from (f"# {_plain(document.heading)}: {document.kind[:1].lower()}{document.kind[1:]}", "")
    if document.finding:
        yield from (_plain(document.finding), "")
    yield from _listed(document.sentences)
    if document.warnings:
        yield from ("**Know this first**", "")
        yield from _listed(document.warnings)
    for chapter in document.chapters:
        if chapter.sentences or chapter.tables or chapter.notes:
            yield from _chapter(chapter)
    for table in document.tables:
        yield from _table(table)
    yield from ("## How this was made", "")
    yield from _listed((document.closing,) if document.closing else ())
    yield from _listed(tuple(f"{name}: {value}" for name, value in (*document.facts, *document.made)))
    if document.command:
        yield from ("```", document.command, "```")


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield from (f"## {_plain(chapter.title)}", "")
    yield from _listed(chapter.sentences)
    for table in chapter.tables:
        yield from _table(table)
    yield from _listed(chapter.notes)


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield from (f"### {_plain(table.title)}", "")
    if table.note:
        yield from (_plain(table.note), "")
    yield f"| {' | '.join(map(_plain, table.columns))} |"
    yield f"|{'|'.join('---:' if place in table.numeric else '---' for place in range(len(table.columns)))}|"
    for row in table.cells:
        yield f"| {' | '.join(map(_cell, row))} |"
    yield ""


def _cell(cell: Cell) -> str:
    text = f"`{cell.text}`" if cell.code and cell.text else _plain(cell.text)
    return " ".join(filter(None, (text, f"({_plain(cell.small)})" if cell.small else "", f"*{cell.mark}*" if cell.mark else "")))


def _listed(sentences: tuple[str, ...]) -> Iterator[str]:
    yield from (f"- {_plain(sentence)}" for sentence in sentences)
    if sentences:
        yield ""


def _plain(text: str) -> str:
    r"""Text in which nothing is taken for a mark of Markdown.

    >>> print(_plain("a|b <c> *d* _e_"))
    a\|b \<c> \*d\* \_e\_
    """
    return "".join(f"\\{letter}" if letter in "\\|<*_`[]#" else letter for letter in " ".join(text.split()))
