"""How a study declares its fields: each is an option of its command and a keyword in Python, with one default and one help."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from simulator.play.run import Precision

Kind = Literal["count", "whole", "number", "flag", "text", "texts", "file"]

_OPTION = "option"


@dataclass(frozen=True)
class Option:
    """What the command line has to know of a field.

    Attributes:
        kind: what is given: a number of playouts, a whole number, any number, nothing (a flag), a text, several texts, or a
            file that will be written, or read where it is an argument.
        help: what it is for.
        name: as it is typed; made from the field's name unless given. Without dashes it is how an argument is written.
        written: how a value is written, for the help.
        ends: the least and the most that a number may be.
        required: whether it has to be given.
        shown: whether the help names the default by itself.
        read: makes a text what the study wants; may raise UserError.
        endings: those that the file may have.
        page_only: whether it is about the page alone, and refused where none is asked for.
    """

    kind: Kind
    help: str
    name: str = ""
    written: str = ""
    ends: tuple[float, float] = (1, 2**53)
    required: bool = False
    shown: bool = False
    read: Callable[[str], Any] | None = None
    endings: tuple[str, ...] = ()
    page_only: bool = False


def option(default: Any, kind: Kind, text: str, **more: Any) -> Any:
    """A field of a study: its default, what is given, what it is for, and what else an `Option` has."""
    return field(default=default, metadata={_OPTION: Option(kind, text, **more)})


def count(default: int | None, text: str, **more: Any) -> Any:
    """A number of playouts."""
    return option(default, "count", text, **more)


def flag(text: str, **more: Any) -> Any:
    """Something that is asked for or not."""
    return option(False, "flag", text, **more)  # noqa: FBT003  the default of a flag


def texts(text: str, written: str, name: str, **more: Any) -> Any:
    """An option that may be repeated; `written` says how a value is written."""
    return option((), "texts", text, written=written, name=name, **more)


def precision(text: str) -> Any:
    """A half-width at which to stop, and the metric behind a colon."""
    return option(None, "text", text, written="WIDTH[:METRIC]", read=Precision.read)


def options_of(study: type[Any]) -> Iterator[tuple[str, Any, Option]]:
    """Name, default and option of each field that has one, in the order of their declaration."""
    for one in fields(study):
        if _OPTION in one.metadata:
            yield one.name, one.default, one.metadata[_OPTION]
