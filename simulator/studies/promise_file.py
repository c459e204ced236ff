"""A file of promises: what may stand in it, and where in it something is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError

from simulator.errors import RulesError, UserError, nearest
from simulator.numbers import read_count
from simulator.play.run import MAX_GAMES, MAX_SEED
from simulator.rules import flattened, line_of, to_text

CONFIDENCE = 0.99
GAMES = 1_000_000

MAX_NAME = 200
"""Texts in a file that are longer than this are refused."""

_SHOWN = 60
_LEAST_CONFIDENCE, _MOST_CONFIDENCE = 0.5, 1 - 1e-9


def shown(text: str) -> str:
    """A text as it can stand in a line."""
    return printable(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")


def printable(text: str) -> str:
    r"""A text without what no terminal shows; XML forbids nothing else.

    >>> printable("a\x1b[31m<b>")
    'a?[31m<b>'
    """
    return "".join(c if c.isprintable() else "?" for c in text)


# -- the values in a file, each with what it has to be --


def _wanted(what: str, read: Callable[[Any], Any]) -> PlainValidator:
    """A value as `read` has it; refused with what it has to be where that is nothing, or fails."""

    def value_of(value: Any) -> Any:
        try:
            result = read(value)
        except (ValueError, TypeError, ArithmeticError):
            result = None
        if result is None:
            raise ValueError(what)
        return result

    return PlainValidator(value_of)


def _text(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) and 0 < len(value.strip()) <= MAX_NAME else None


def _number(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MAX_GAMES
    return float(value) if known else None


def _two_numbers(value: Any) -> tuple[float, float] | None:
    low, high = (_number(end) for end in value)
    return (low, high) if low is not None and high is not None and low <= high else None


def _between(low: float, high: float) -> Callable[[Any], float | None]:
    return lambda value: float(value) if _number(value) is not None and low < value < high else None


def _whole(low: int, high: int) -> Callable[[Any], int | None]:
    return lambda value: value if type(value) is int and low <= value <= high else None


def _players(value: Any) -> tuple[int, ...] | None:
    text = str(value).strip() if type(value) in {int, str} and (_number(value) is not None or _text(value)) else ""
    match = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    return tuple(range(first, last + 1)) or None


def _count(value: Any) -> int | None:
    number = read_count(str(_text(value) or (_number(value) and value)))
    return int(number) if 1 <= number <= MAX_GAMES and number == number.to_integral_value() else None


def _names(value: Any) -> tuple[str, ...] | None:
    names = [_text(entry) for entry in value] if isinstance(value, list) and 0 < len(value) <= MAX_NAME else [None]
    return tuple(name for name in names if name) if all(names) else None


def _rules(value: Any) -> dict[str, Any] | None:
    return flattened(value) if isinstance(value, dict) else None


_TEXT = f"a text of 1 to {MAX_NAME} characters"
_PLAYERS = 'a number of players such as 4, or a range such as "2-6"'
_Text = Annotated[str, _wanted(_TEXT, _text)]
_Name = Annotated[str, _wanted(_TEXT, lambda value: printable(" ".join(value.split())) if _text(value) else None)]
_Number = Annotated[float, _wanted("a number, such as 0.45 for 45 percent", _number)]
_TwoNumbers = Annotated[tuple[float, float], _wanted("two numbers, the lower one first, such as [0.45, 0.60]", _two_numbers)]
_Confidence = Annotated[float, _wanted("a number between 0.5 and 1, such as 0.99", _between(_LEAST_CONFIDENCE, _MOST_CONFIDENCE))]
_Quantile = Annotated[float, _wanted("a number between 0 and 1, such as 0.9", _between(0.0, 1.0))]
_Count = Annotated[int, _wanted(f'a number of playouts from 1 to {MAX_GAMES:,}, such as 1_000_000 or "1e6"', _count)]
_Seed = Annotated[int, _wanted("a whole number from 0 to 2**64 - 1", _whole(0, MAX_SEED))]
_Players = Annotated[tuple[int, ...], _wanted(_PLAYERS, _players)]
_OnePlayerCount = Annotated[int, _wanted("a number of players such as 4", _whole(1, MAX_NAME - 1))]
_Names = Annotated[tuple[str, ...], _wanted('a list of strategies, such as ["uniform"]', _names)]
_Rules = Annotated[dict[str, Any], _wanted('a table of rule constants, such as {"wishes.goal" = 10}', _rules)]


class _Table(BaseModel):
    """Base of all tables: no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Defaults(_Table):
    """What stands above the promises."""

    confidence: _Confidence = CONFIDENCE
    games: _Count = GAMES
    seed: _Seed = 1


class Minus(_Table):
    """What is subtracted: in what it differs from what the promise is about."""

    metric: _Text | None = None
    strategies: _Names | None = None
    players: _OnePlayerCount | None = None
    rules: _Rules | None = None


class PromiseTable(_Table):
    """One `[[promise]]`."""

    game: _Text
    players: _Players
    metric: _Text
    name: _Name | None = None
    between: _TwoNumbers | None = None
    at_least: _Number | None = None
    at_most: _Number | None = None
    quantile: _Quantile | None = None
    strategies: _Names = ()
    rules: _Rules = {}
    minus: Minus | None = None
    confidence: _Confidence | None = None
    games: _Count | None = None
    seed: _Seed | None = None


TARGETS = ("between", "at_least", "at_most")

Model = TypeVar("Model", bound=_Table)


# -- where something stands, for saying so --


class Lines:
    """Finds the line of a key."""

    _HEADER = re.compile(r"""\s*\[\[\s*["']?promise["']?\s*\]\]""")

    def __init__(self, text: str, promises: int) -> None:
        """Take the text, and how many promises were read from it."""
        lines = text.split("\n")
        starts = [i for i, line in enumerate(lines) if self._HEADER.match(line)]
        # a header within a text of several lines is none: where their number is another one, nobody knows which
        self._starts = starts if len(starts) == promises else []
        ends = [*self._starts[1:], len(lines)]
        self._segments = ["\n".join(lines[start:end]) for start, end in zip(self._starts, ends, strict=True)] if self._starts else []
        self._top = "\n".join(lines[: starts[0]] if starts else lines)

    def line(self, number: int | None, key: str) -> int | None:
        """Line of a key of promise `number`, or of one above all promises; of the promise where the key is not found."""
        if number is None:
            return line_of(self._top, key) if key else None
        if not self._segments:
            return None
        within = line_of(self._segments[number - 1], f"promise.{key}")
        return self._starts[number - 1] + (within or 1)


@dataclass(frozen=True)
class Place:
    """A promise in a file, or what stands above all of them."""

    path: Path
    lines: Lines
    number: int | None = None
    prefix: str = field(default="", kw_only=True)

    def refusal(self, key: str, reason: str) -> UserError:
        """The error that says where something is wrong."""
        line = self.lines.line(self.number, f"{self.prefix}{key}")
        at = f", line {line}" if line else ""
        whose = f", promise {self.number}" if self.number else ""
        return UserError(f"Promises {self.path}{at}{whose}: {reason}")

    @contextmanager
    def about(self, key: str) -> Iterator[None]:
        """Whatever is refused within is about `key`."""
        try:
            yield
        except RulesError as error:
            constant = f"{key}.{error.key}"
            raise self.refusal(constant, str(error)) from None
        except UserError as error:
            raise self.refusal(key, str(error)) from None

    def validated(self, model: type[Model], table: Mapping[str, Any], also: tuple[str, ...] = ()) -> Model:
        """A table as a model of its fields; `also` may stand beside them.

        Raises:
            UserError: a key is unknown or missing, or a value is of the wrong type.
        """
        try:
            return model.model_validate(table)
        except ValidationError as invalid:
            errors = sorted(invalid.errors(include_url=False), key=lambda e: e["type"] != "extra_forbidden")
        first = errors[0]
        parts = [str(part) for part in first["loc"] if isinstance(part, str)]
        inner = Minus if parts[:1] == ["minus"] and len(parts) > 1 else model
        key = ".".join(parts[: 2 if inner is not model else 1])
        if first["type"] == "extra_forbidden":
            known = [*inner.model_fields, *(also if inner is model else ())]
            name = shown(parts[-1])
            hint = nearest(name, known) or f"; there are {', '.join(known)}"
            raise self.refusal(key, f"there is no key '{shown(key)}'{hint}.")
        if first["type"] == "missing":
            example = {"game": 'game = "NAME"', "players": "players = 4", "metric": 'metric = "turns"'}[key]
            raise self.refusal(key, f"it lacks '{key}'; write {example}, say.")
        wanted = first["msg"].removeprefix("Value error, ")
        if first["type"] != "value_error":
            wanted = 'a table such as {metric = "wins.1"}'
        raise self.refusal(key, f"'{key}' cannot be {shown(to_text(first['input']))}: it has to be {wanted}.")
