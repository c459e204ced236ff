"""Rules: all constants of a game, validated, immutable, each with its source.

A game's rules are a pydantic model built from `RuleGroup`; its fields are declared with `constant`, which asks for a
description, a unit and a source. This file overrides them by dotted key, lists them, and reads and writes them as TOML.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simulator.errors import RulesError, nearest
from simulator.files import parse_toml, read_text, shortened

Rules = TypeVar("Rules", bound="GameRules")
SourceKind = Literal["rulebook", "derived", "assumed", "ours"]
Value = int | float | bool | str | tuple[Any, ...]

MAX_TURNS = 1_000_000
"""Largest turn cap: a turn is part of the address of every draw."""

_WHAT = "Rules file"

MAX_TEXT = 10_000
"""A value after `--set key=` that is longer than this is refused."""

MAX_DEPTH = 8
"""Tables and lists nested deeper than this are refused."""

MAX_ENTRIES = 5_000
"""A value with more entries than this, those of its inner lists included, is refused before it is looked at."""


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


class Named(tuple[Any, ...]):  # noqa: SLOT001  a tuple has no slot for a name
    """A list with a name: a board or a set of dice, which would be too long to tell from the next one."""

    name: str

    def __new__(cls, name: str, entries: Iterable[Any]) -> Self:
        """The list, equal to any other list of the same entries."""
        named = super().__new__(cls, entries)
        named.name = name
        return named

    def __getnewargs__(self) -> tuple[str, tuple[Any, ...]]:
        """For copies."""
        return self.name, tuple(self)


def constant(
    default: Any,
    *,
    description: str,
    unit: str,
    source: Source,
    plausible: Sequence[Any] = (),
    left_out: Any = None,
    at_most: str | None = None,
    **bounds: Any,
) -> Any:
    """Declare a rule constant as a pydantic field.

    Args:
        default: the value the game ships with.
        description: one sentence for a designer.
        unit: what one is one of ("stars", "cards"), or what the value is ("list of spaces").
        source: where the default comes from.
        plausible: for the assumed, the values or the two ends between which the truth may lie.
        left_out: the value with which the rule is left out of the game, at any number of players.
        at_most: another constant of the same group, which it cannot exceed.
        **bounds: pydantic's ge, le, min_length, max_length.
    """
    extra: Any = {"unit": unit, "source": source.kind, "note": source.note, "plausible": list(plausible), "left_out": left_out}
    extra["at_most"] = at_most
    return Field(default, description=description, json_schema_extra=extra, **bounds)


def turn_cap(default: int, why: str) -> Any:
    """Declare the constant that every game has: after so many turns a playout is ended, since it may not end by itself."""
    text = "Turns after which a playout counts as unfinished."
    return constant(default, ge=1, le=MAX_TURNS, unit="turns", description=text, source=ours(why))


class RuleGroup(BaseModel):
    """Base of a game's rules and of the groups in them: immutable, strict, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="after")
    def _within_one_another(self) -> Self:
        for name, field in type(self).model_fields.items():
            other = field.json_schema_extra.get("at_most") if isinstance(field.json_schema_extra, dict) else None
            if other and getattr(self, name) > getattr(self, str(other)):
                raise ImpossibleError(name, f"cannot be {getattr(self, name)}, more than '{other}', which is {getattr(self, str(other))}")
        return self

    def notes(self) -> list[str]:
        """What a designer should know about these values, though they are allowed; one sentence each."""
        return []


class GameRules(RuleGroup):
    """Base of a game's rules as a whole."""

    turn_cap: int = turn_cap(1000, "a game may stall")

    def acting(self, players: int) -> Self:  # noqa: ARG002  games whose rules hang on the number of players override it
        """The same rules with every constant that cannot act at so many players set to one and the same value."""
        return self


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
    left_out: Value | None = None

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
            plausible, meaning = tuple(extra["plausible"]), field.description or ""
            value = next((p for p in plausible if isinstance(p, Named) and p == value), value)
            yield Constant(key, value, default, extra["unit"], extra["source"], extra["note"], plausible, meaning, extra["left_out"])


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
            raise RulesError(_unknown(key, known), key)
        _check_size(key, value)
        place = nested
        *groups, name = key.split(".")
        for group in groups:
            place = place.setdefault(group, {})
        place[name] = _frozen(value)
    try:
        return model.model_validate(nested)
    except ValidationError as error:
        raise _first_reason(error, overrides) from None


def _unknown(key: str, known: Mapping[str, Any]) -> str:
    within = [k for k in known if k.startswith(f"{key}.")]
    if within:
        return f"Rule '{key}' is a group; set one of its constants, such as '{within[0]}'."
    return f"There is no rule '{_shown(key)}'{nearest(key, known) or '; the command `simulate rules` lists them'}."


def _check_size(key: str, value: Any) -> None:
    """Refuse a value that is too large or too deep for any rule, before anything is made of it.

    Raises:
        RulesError: it is.
    """
    entries, level = 0, [value]
    for _ in range(MAX_DEPTH + 1):
        level = [inner for outer in level for inner in _entries(outer)]
        entries += len(level)
        if entries > MAX_ENTRIES:
            message = f"Rule '{key}' cannot be so long: at most {MAX_ENTRIES:,} entries are read; write a shorter list."
            raise RulesError(message, key)
    if level:
        message = f"Rule '{key}' cannot be so deeply nested; write a number, a word, true, false or a list such as [1, 2, feet]."
        raise RulesError(message, key)


def _entries(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _frozen(v) for k, v in value.items()}
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value


def _first_reason(error: ValidationError, overrides: Mapping[str, Any]) -> RulesError:
    """What is wrong with the first value that is; where a value may be of several kinds, each says what it wanted."""
    errors = error.errors(include_url=False)
    first = errors[0]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, ImpossibleError):
        key = cause.key if "." in cause.key else ".".join([*map(str, first["loc"]), cause.key])
        return RulesError(f"Rule '{key}' {cause.reason}.", key)
    key, entry = _key_of(first["loc"], overrides), _entry_of(first["loc"])
    alike = [e for e in errors if _key_of(e["loc"], overrides) == key and _entry_of(e["loc"]) == entry]
    wanted = " or ".join(dict.fromkeys(_wanted(e["type"], e["msg"], e.get("ctx", {})) for e in alike))
    subject = "it" if entry is None else f"entry {entry + 1}"
    return RulesError(f"Rule '{key}' cannot be {_shown(overrides.get(key, first['input']))}: {subject} has to be {wanted}.", key)


def _key_of(location: tuple[int | str, ...], overrides: Mapping[str, Any]) -> str:
    """The longest dotted key that an error's location starts with; pydantic appends names of union members."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int) or ".".join(parts) in overrides:
            break
        parts.append(part)
    return ".".join(parts)


def _entry_of(location: tuple[int | str, ...]) -> int | None:
    """Which entry of a list an error is about, counted from 0."""
    return next((part for part in location if isinstance(part, int)), None)


_WANTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "string_type": "a word",
    "tuple_type": "a list",
    "literal_error": "{expected}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "too_short": "a list of {min_length} or more entries",
    "too_long": "a list of {max_length} entries at most",
}


def _wanted(kind: str, message: str, context: Mapping[str, Any]) -> str:
    """What a value has to be, in a designer's words, from pydantic's error."""
    if kind in _WANTED:
        return _WANTED[kind].format_map(context)
    return message.removeprefix("Value error, ").removeprefix("Input should be ")


def _shown(value: Any, limit: int = 60) -> str:
    text = to_text(value)
    return shortened(text if len(text) <= limit else text[: limit - 3] + "...", limit)


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


_LONG_BITS = 256


_BARE_WORD = re.compile(r""""[^"]*"|'[^']*'|(?<![\w.+-])[A-Za-z_]\w*(?: +\w+)*""")
_NOT_WORDS = {"true", "false", "inf", "nan"}


def brief_text(value: Any) -> str:
    """A value as it is shown: by its name where it has one, else as it is written.

    >>> brief_text(Named("a ring of two", ("max", "feet"))), brief_text((1, "feet"))
    ('a ring of two', '[1, feet]')
    """
    return value.name if isinstance(value, Named) else to_text(value)


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

    if len(text) > MAX_TEXT or "\n" in text or "\r" in text:
        message = "a value is one line, and no book"
        raise ValueError(message)
    try:
        parsed = tomllib.loads(f"value = {_BARE_WORD.sub(quoted, text)}")
    except RecursionError:
        message = "nested too deeply"
        raise ValueError(message) from None
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
        message = f"'{_shown(text)}' sets nothing; write it as key=value, such as wishes.goal=10."
        raise RulesError(message)
    value = value.strip()
    try:
        return key, parse_value(value)
    except ValueError:
        message = (
            f"'{_shown(value)}' is no value for rule '{_shown(key)}'; write a number, a word, true, false or a list such as [1, 2, feet]."
        )
        raise RulesError(message, key) from None


def read_toml(path: Path, model: type[GameRules] | None = None) -> dict[str, Any]:
    """Overrides by dotted key from a rules file.

    Args:
        path: the file.
        model: a game's rules, to check the overrides against.

    Raises:
        RulesError: the file cannot be read, is too large, is no TOML or holds deeper tables than rules have, or does not suit
            `model`; the line is named where it can be told.
    """
    text = read_text(path, _WHAT, RulesError)
    overrides = _parse_toml(path, text)
    if model is not None:
        try:
            build_rules(model, overrides)
        except RulesError as error:
            line = line_of(text, error.key)
            message = f"Rules file {path}{f', line {line}' if line else ''}: {error}"
            raise RulesError(message, error.key) from None
    return overrides


def _parse_toml(path: Path, text: str) -> dict[str, Any]:
    document = parse_toml(path, text, _WHAT, RulesError)
    try:
        return flattened(document)
    except ValueError as error:
        message = f"{_WHAT} {path} is not valid TOML: {error}."
        raise RulesError(message) from None


def flattened(table: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted key to value, of a table of tables.

    >>> flattened({"wishes": {"goal": 8}, "stars.trio": 5})
    {'wishes.goal': 8, 'stars.trio': 5}

    Raises:
        ValueError: it is nested too deeply, or sets a key twice, once as wishes.goal and once as "wishes.goal".
    """
    found: dict[str, Any] = {}
    for key, value in _flatten(table, "", 0):
        if key in found:
            message = f"it sets '{_shown(key)}' twice"
            raise ValueError(message)
        found[key] = value
    return found


def _flatten(table: Mapping[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > MAX_DEPTH:
        message = "it is nested too deeply"
        raise ValueError(message)
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.", depth + 1)
        else:
            yield f"{prefix}{name}", value


_NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]")
_SETTING = re.compile(rf"\s*({_DOTTED})\s*=")


def line_of(text: str, key: str) -> int | None:
    """Line of a rules file's text on which `key` is set, counted from 1, where that can be told."""
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = f"{_joined(header[1])}."
            if table == f"{key}.":  # [[wishes]], where wishes is a group
                return number
        elif setting := _SETTING.match(line):
            found = table + _joined(setting[1])
            if key == found or key.startswith(f"{found}."):  # the latter in wishes = {goal = 8}
                return number
    return None


def _joined(dotted: str) -> str:
    """A key as TOML writes it, without quotes and blanks."""
    return ".".join(name.strip("\"'") for name in re.findall(_NAME, dotted))


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
    if any(isinstance(v, list | tuple) for v in c.plausible):
        return f"{len(c.plausible)} lists"
    return " or ".join(to_text(v) for v in c.plausible)
