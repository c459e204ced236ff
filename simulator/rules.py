"""Rules: all constants of a game, validated, immutable, each with its source.

A game's rules are a pydantic model built from `RuleGroup`; its fields are declared with `constant`, which asks for a
description, a unit and a source. This file overrides them by dotted key, lists them, and reads and writes them as TOML.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simulator.errors import RulesError, nearest

Rules = TypeVar("Rules", bound="GameRules")
SourceKind = Literal["rulebook", "derived", "assumed", "ours"]
Value = int | float | bool | str | tuple[Any, ...]

MAX_TURNS = 1_000_000
"""Largest turn cap: a turn is part of the address of every draw."""

MAX_FILE_BYTES = 1_000_000
"""A rules file larger than this is refused unread."""


@dataclass(frozen=True)
class Source:
    """Where a constant comes from: `kind`, and the section of the rulebook, the derivation or the reason."""

    kind: SourceKind
    note: str


def rulebook(section: str) -> Source:
    """Printed in the rulebook, in the section named."""
    return Source("rulebook", section)


def derived(how: str) -> Source:
    """Follows from what is printed."""
    return Source("derived", how)


def assumed(why: str) -> Source:
    """Not printed anywhere; chosen here, so its plausible range matters."""
    return Source("assumed", why)


def ours(why: str) -> Source:
    """A limit of the simulation and no rule of the game."""
    return Source("ours", why)


def constant(default: Any, *, description: str, unit: str, source: Source, plausible: Sequence[Any] = (), **bounds: Any) -> Any:
    """Declare a rule constant as a pydantic field.

    Args:
        default: the value the game ships with.
        description: one sentence for a designer.
        unit: what one is one of ("stars", "cards"), or what the value is ("list of spaces").
        source: where the default comes from.
        plausible: for the assumed, the values or the two ends between which the truth may lie.
        **bounds: pydantic's ge, le, min_length, max_length.
    """
    extra: Any = {"unit": unit, "source": source.kind, "note": source.note, "plausible": list(plausible)}
    return Field(default, description=description, json_schema_extra=extra, **bounds)


class RuleGroup(BaseModel):
    """Base of a game's rules and of the groups in them: immutable, strict, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    def notes(self) -> list[str]:
        """What a designer should know about these values, though they are allowed; one sentence each."""
        return []


class GameRules(RuleGroup):
    """Base of a game's rules as a whole."""

    turn_cap: int = constant(
        1000,
        ge=1,
        le=MAX_TURNS,
        unit="turns",
        description="Turns after which a playout counts as unfinished.",
        source=ours("a game may stall"),
    )


class ImpossibleError(ValueError):
    """To be raised in a validator: the value at `key` cannot be played, for `reason`."""

    def __init__(self, key: str, reason: str) -> None:
        """Name the constant by its dotted key and say in a clause why and what would do."""
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


@dataclass(frozen=True)
class Constant:
    """One rule constant as a designer sees it."""

    key: str
    value: Value
    default: Value
    unit: str
    source: SourceKind
    note: str
    plausible: tuple[Value, ...]
    description: str

    @property
    def changed(self) -> bool:
        """Whether the value differs from the shipped one."""
        return self.value != self.default


def constants(rules: RuleGroup) -> list[Constant]:
    """All constants of `rules` in the order of declaration."""
    return list(_walk(rules, type(rules)(), ""))


def _walk(rules: BaseModel, shipped: BaseModel, prefix: str) -> Iterator[Constant]:
    fields = type(rules).model_fields
    # what every game has stands behind what is its own
    for name in sorted(fields, key=GameRules.model_fields.__contains__):
        field = fields[name]
        key, value, default = f"{prefix}{name}", getattr(rules, name), getattr(shipped, name)
        if isinstance(value, BaseModel):
            yield from _walk(value, default, f"{key}.")
        else:
            extra: Any = field.json_schema_extra
            yield Constant(
                key, value, default, extra["unit"], extra["source"], extra["note"], tuple(extra["plausible"]), field.description or ""
            )


def values(rules: RuleGroup) -> dict[str, Value]:
    """Dotted key to value, for all constants."""
    return {c.key: c.value for c in constants(rules)}


def build_rules(model: type[Rules], overrides: Mapping[str, Any] | None = None) -> Rules:
    """The rules of `model` with some constants changed.

    Args:
        model: a game's rules.
        overrides: dotted key to value.

    Raises:
        RulesError: a key is unknown, or a value has the wrong type or cannot be played.
    """
    overrides = dict(overrides or {})
    known = values(model())
    nested: dict[str, Any] = {}
    for key, value in overrides.items():
        if key not in known:
            raise RulesError(_unknown(key, known))
        place = nested
        *groups, name = key.split(".")
        for group in groups:
            place = place.setdefault(group, {})
        place[name] = _frozen(value)
    try:
        return model.model_validate(nested)
    except ValidationError as error:
        raise RulesError(_first_reason(error, overrides)) from None


def _unknown(key: str, known: Mapping[str, Any]) -> str:
    within = [k for k in known if k.startswith(f"{key}.")]
    if within:
        return f"Rule '{key}' is a group; set one of its constants, such as '{within[0]}'."
    hint = nearest(key, known)
    return f"Unknown rule '{key}'{hint or '; the command `simulate rules` lists them.'}"


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value


def _first_reason(error: ValidationError, overrides: Mapping[str, Any]) -> str:
    first = error.errors()[0]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, ImpossibleError):
        return f"Rule '{cause.key}' {cause.reason}."
    key = _key_of(first["loc"], overrides)
    value = overrides.get(key, first["input"])
    message = first["msg"].removeprefix("Value error, ")
    place = [p for p in first["loc"] if isinstance(p, int)]
    where = f" (entry {place[0] + 1}: {first['input']!r})" if place else ""
    return f"Rule '{key}' cannot be {_shown(value)}{where}: {message[:1].lower()}{message[1:]}."


def _key_of(location: tuple[int | str, ...], overrides: Mapping[str, Any]) -> str:
    """The longest dotted key that an error's location starts with; pydantic appends names of union members."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int) or ".".join(parts) in overrides:
            break
        parts.append(part)
    return ".".join(parts)


def _shown(value: Any, limit: int = 60) -> str:
    text = to_text(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def to_text(value: Any) -> str:
    """A value as it is written after `--set key=`.

    >>> to_text((1, 2, "feet")), to_text(True)
    ('[1, 2, feet]', 'true')
    """
    if isinstance(value, list | tuple):
        return f"[{', '.join(to_text(v) for v in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


_BARE_WORD = re.compile(r""""[^"]*"|'[^']*'|(?<![\w.+-])[A-Za-z_]\w*(?: +\w+)*""")
_NOT_WORDS = {"true", "false", "inf", "nan"}


def parse_value(text: str) -> Any:
    """Read a value as TOML, except that words need no quotes.

    >>> parse_value("[1, 2, feet]"), parse_value("8"), parse_value("reshuffle"), parse_value("true")
    ([1, 2, 'feet'], 8, 'reshuffle', True)

    Raises:
        ValueError: the text is no value.
    """

    def quoted(match: re.Match[str]) -> str:
        word = match.group()
        return word if word[0] in "\"'" or word in _NOT_WORDS else f'"{word}"'

    document = f"value = {_BARE_WORD.sub(quoted, text)}"
    if "\n" in text or "\r" in text:
        message = "a value is one line"
        raise ValueError(message)
    parsed = tomllib.loads(document)
    if set(parsed) != {"value"}:
        message = "not a single value"
        raise ValueError(message)
    return parsed["value"]


def parse_assignment(text: str) -> tuple[str, Any]:
    """Read `key=value`.

    Raises:
        RulesError: there is no `=`, or what stands behind it is no value.
    """
    key, separator, value = text.partition("=")
    key = key.strip()
    if not separator or not key:
        message = f"'{text}' sets nothing; write it as key=value, such as wishes.goal=10."
        raise RulesError(message)
    try:
        return key, parse_value(value.strip())
    except ValueError:
        message = f"'{value.strip()}' is no value for rule '{key}'; write a number, a word, true, false or a list such as [1, 2, feet]."
        raise RulesError(message) from None


def read_toml(path: Path) -> dict[str, Any]:
    """Overrides by dotted key from a rules file.

    Raises:
        RulesError: the file cannot be read, is too large, is no TOML (the line is named), or holds deeper tables than rules have.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            message = f"Rules file {path} is larger than {MAX_FILE_BYTES:,} bytes; rules are a few kilobytes."
            raise RulesError(message)
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"Rules file {path} cannot be read: {error.strerror or error}."
        raise RulesError(message) from None
    except UnicodeDecodeError as error:
        message = f"Rules file {path} is not UTF-8 text (byte {error.start}); save it as UTF-8."
        raise RulesError(message) from None
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        message = f"Rules file {path} is not valid TOML: {error}."
        raise RulesError(message) from None
    return dict(_flatten(document, ""))


def _flatten(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def line_of(path: Path, key: str) -> int | None:
    """Line of a rules file on which `key` is set, counted from 1, where that can be told."""
    *groups, name = key.split(".")
    wanted, table = ".".join(groups), ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        header = re.match(r"\s*\[\s*([\w.]+)\s*\]", line)
        if header:
            table = header.group(1)
        elif table == wanted and re.match(rf"""\s*["']?{re.escape(name)}["']?\s*=""", line):
            return number
    return None


def write_toml(rules: RuleGroup, title: str) -> str:
    """The rules as a TOML document that `read_toml` takes back, each constant under its description and source."""
    import tomlkit  # noqa: PLC0415  only this function needs it

    document = tomlkit.document()
    document.add(tomlkit.comment(f"Rules of {title}. Edit, and play them with --rules."))
    tables: dict[str, Any] = {"": document}
    # TOML wants the constants that stand alone before the first group
    for c in sorted(constants(rules), key=lambda c: "." in c.key):
        group, _, name = c.key.rpartition(".")
        if group not in tables:
            tables[group] = tomlkit.table()
            document.add(group, tables[group])
        tables[group].add(tomlkit.comment(f"{c.description} [{c.unit}; {c.source}: {c.note}{_range_note(c)}]"))
        tables[group].add(name, list(c.value) if isinstance(c.value, tuple) else c.value)
    return tomlkit.dumps(document)


def _range_note(c: Constant) -> str:
    return f"; plausible {plausible_text(c)}" if c.plausible else ""


def plausible_text(c: Constant) -> str:
    """The plausible range of an assumed constant in words; empty for the others."""
    if not c.plausible:
        return ""
    if len(c.plausible) == 2 and all(type(v) is int for v in c.plausible):  # noqa: PLR2004  the two ends
        return f"{c.plausible[0]} to {c.plausible[1]}"
    return " or ".join(to_text(v) for v in c.plausible)
