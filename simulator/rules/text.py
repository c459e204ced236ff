"""How a value is written: after `--set key=`, in a rules file and in a sentence, and what somebody may mean who writes it otherwise."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from simulator.files import shortened
from simulator.rules.constants import Constant, Named

MAX_TEXT = 10_000
"""A value after `--set key=` that is longer than this is refused."""

_LONG_BITS = 256


def to_text(value: Any) -> str:
    """A value as it is written after `--set key=`.

    >>> to_text((1, 2, "feet")), to_text(True)
    ('[1, 2, feet]', 'true')
    """
    if isinstance(value, list | tuple):
        return f"[{', '.join(to_text(v) for v in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k} = {to_text(v)}' for k, v in value.items())}}}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > _LONG_BITS:
        return hex(value)  # Python refuses to write numbers of thousands of digits in decimal
    return str(value)


def cut(value: Any, limit: int = 60) -> str:
    """A value as it can stand in a sentence, cut where it is long."""
    text = to_text(value)
    return shortened(text if len(text) <= limit else text[: limit - 3] + "...", limit)


def brief_text(value: Any) -> str:
    """A value as it is shown: by its name where it has one, else as it is written.

    >>> brief_text(Named("a ring of two", ("max", "feet"))), brief_text((1, "feet"))
    ('a ring of two', '[1, feet]')
    """
    return value.name if isinstance(value, Named) else to_text(value)


def plausible_text(c: Constant) -> str:
    """The plausible range of an assumed constant in words; empty for the others."""
    if not c.plausible:
        return ""
    if len(c.plausible) == 2 and all(type(v) is int for v in c.plausible):  # noqa: PLR2004  the two ends
        return f"{c.plausible[0]} to {c.plausible[1]}"
    if any(isinstance(v, list | tuple) for v in c.plausible):
        return f"{len(c.plausible)} lists"
    return " or ".join(to_text(v) for v in c.plausible)


# ---------------------------------------------------------------- reading

_STRAIGHT = str.maketrans(
    {
        **dict.fromkeys("\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{DOUBLE LOW-9 QUOTATION MARK}", '"'),
        **dict.fromkeys("\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{SINGLE LOW-9 QUOTATION MARK}", "'"),
        **dict.fromkeys("\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}", '"'),
        "\N{NO-BREAK SPACE}": " ",
        "\N{NARROW NO-BREAK SPACE}": " ",
        "\N{MINUS SIGN}": "-",
    }
)

_BARE_WORD = re.compile(r""""[^"]*"|'[^']*'|(?<![\w.+-])[A-Za-z_]\w*(?: +\w+)*""")
_NOT_WORDS = {"true", "false", "inf", "nan"}


def straightened(text: str) -> str:
    """A text as it was typed, before a text processor made its quotes curly and its blanks and dashes special."""
    return text.translate(_STRAIGHT)


def quoted(text: str) -> str:
    r"""A text with quotes around the words that have none.

    >>> quoted("[1, feet, 'house 1']")
    '[1, "feet", \'house 1\']'
    """
    return _BARE_WORD.sub(lambda match: f'"{match[0]}"' if match[0][0] not in "\"'" and match[0] not in _NOT_WORDS else match[0], text)


def parse_value(text: str) -> Any:
    """Read a value as TOML, except that words need no quotes, and that quotes may be curly.

    >>> parse_value("[1, 2, feet]"), parse_value("8"), parse_value("reshuffle"), parse_value("true")
    ([1, 2, 'feet'], 8, 'reshuffle', True)

    Raises:
        ValueError: the text is no value.
    """
    if len(text) > MAX_TEXT or "\n" in text or "\r" in text:
        message = "a value is one line, and no book"
        raise ValueError(message)
    try:
        parsed = tomllib.loads(f"value = {quoted(straightened(text))}")
    except RecursionError:
        message = "nested too deeply"
        raise ValueError(message) from None
    if set(parsed) != {"value"}:
        message = "not a single value"
        raise ValueError(message)
    return parsed["value"]


_YES_OR_NO = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_COMMA = re.compile(r"[+-]?\d+,(\d{1,2}|\d{4,})")  # with three digits behind it the comma may as well part thousands
_MOST_DIGITS = 30


def readings(value: Any) -> Iterator[Any]:
    """What a value can only mean where it is of the wrong kind: a number in quotes, yes for true, 1 for true.

    It is not 8 that 8.0 can only mean, since some write 1.000 for a thousand.

    >>> list(readings("8")), list(readings("Yes")), list(readings(1)), list(readings("25%")), list(readings("8,5"))
    ([8], [True, 'yes'], [True], [0.25], [8.5])
    """
    if isinstance(value, str) and value.strip().lower() in _YES_OR_NO:
        yield _YES_OR_NO[value.strip().lower()]
    if isinstance(value, str):
        number = _number(value)
        yield value.strip().lower() if number is None else number
    elif type(value) is int and value in {0, 1}:
        yield bool(value)
    elif isinstance(value, tuple):
        yield tuple(entry if not isinstance(entry, str) or (number := _number(entry)) is None else number for entry in value)


def _number(text: str) -> int | float | None:
    written = straightened(text).strip()
    if len(written) > _MOST_DIGITS:
        return None
    number = written.removesuffix("%").rstrip()
    number = number.replace(",", ".") if _COMMA.fullmatch(number) else number
    if not _NUMBER.fullmatch(number):
        return None
    if written.endswith("%"):
        return float(number) / 100
    return int(number) if number.lstrip("+-").isdigit() else float(number)


_ELSEWHERE = re.compile(r"\s*(?://|/\*|--|;|\bREM\b)")
_WITH_UNIT = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*[^\W\d][\w ]*")


def slips(text: str) -> Iterator[str]:
    """What may be meant by a text that is no value as it stands; not beyond doubt, so it is only offered."""
    written = straightened(text).strip()
    yield _ELSEWHERE.split(written)[0]  # a comment as other languages have it
    yield written.rstrip(",.;")
    yield written.lstrip("=: ")
    yield written.strip("\"'")
    if unit := _WITH_UNIT.fullmatch(written):
        yield unit[1]
    yield re.sub(r"(?<=\d)[ ',_](?=\d{3}\b)", "", written)
    yield written.lstrip("0")
    listed = written.strip("[](){}<>\"' ")
    for between in (",", ";", "|", None):
        yield f"[{', '.join(part.strip() for part in listed.split(between))}]"
