"""Overrides: constants changed by dotted key, checked against a game's rules, and the assignments `key=value` and `key+=2`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, cast

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from simulator.errors import RulesError, nearest
from simulator.rules.constants import GameRules, ImpossibleError, Rules, Value, field_of, values
from simulator.rules.text import cut, parse_value, readings, slips, straightened, to_text

MAX_DEPTH = 8
"""Tables and lists nested deeper than this are refused."""

MAX_ENTRIES = 5_000
"""A value with more entries than this, those of its inner lists included, is refused before it is looked at."""


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
        raise _first_reason(model, error, overrides) from None


def _unknown(key: str, known: Mapping[str, Any]) -> str:
    within = [k for k in known if k.startswith(f"{key}.")]
    if within:
        return f"Rule '{key}' is a group; set one of its constants, such as '{within[0]}'."
    return f"There is no rule '{cut(key)}'{nearest(key, known) or '; the command `simulate rules` lists them'}."


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


# ---------------------------------------------------------------- what is refused


def _first_reason(model: type[GameRules], error: ValidationError, overrides: Mapping[str, Any]) -> RulesError:
    """What is wrong with the first value that is; where a value may be of several kinds, each says what it wanted."""
    errors = error.errors(include_url=False)
    first = errors[0]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, ImpossibleError):
        key = cause.key if "." in cause.key else ".".join([*map(str, first["loc"]), cause.key])
        return RulesError(f"Rule '{key}' {cause.reason}.", key)
    key, entry = _place(first["loc"], overrides)
    alike = [e for e in errors if _place(e["loc"], overrides) == (key, entry)]
    wanted = " or ".join(dict.fromkeys(_wanted(e["type"], e["msg"], e.get("ctx", {})) for e in alike))
    subject = "it" if entry is None else f"entry {entry + 1}"
    value = overrides.get(key, first["input"])
    offered = _offered(field_of(model, key), value) if key in overrides else None
    hint = "" if offered is None else f"; write {cut(offered)}"
    return RulesError(f"Rule '{key}' cannot be {cut(value) or 'left empty'}: {subject} has to be {wanted}{hint}.", key)


def _place(location: tuple[int | str, ...], overrides: Mapping[str, Any]) -> tuple[str, int | None]:
    """The longest dotted key that an error's location starts with, and which entry of a list it is about, counted from 0.

    Pydantic appends names of union members.
    """
    parts: list[str] = []
    for part in location:
        if isinstance(part, int) or ".".join(parts) in overrides:
            break
        parts.append(part)
    return ".".join(parts), next((part for part in location if isinstance(part, int)), None)


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


# ---------------------------------------------------------------- what is meant


def meant(model: type[GameRules], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Overrides that somebody typed, each value of the kind that its constant is where the meaning is beyond doubt.

    A number may stand in quotes, and yes, on, True and 1 are true. What is no such thing stays, and is refused when rules
    are built of it.
    """
    shipped = values(model())
    return {key: _of_its_kind(field_of(model, key), value) if key in shipped else value for key, value in overrides.items()}


def _of_its_kind(field: FieldInfo, value: Any) -> Any:
    frozen = _frozen(value) if isinstance(value, list) and len(value) <= MAX_ENTRIES else value
    if _accepts(field, frozen, bounds=False):
        return value
    return next((reading for reading in readings(frozen) if _accepts(field, reading, bounds=False)), value)


def _offered(field: FieldInfo, value: Any) -> Value | None:
    """A value that may be meant by one which is none for this constant: a text, or a whole number written as a fraction."""
    if isinstance(value, float) and value.is_integer():
        return int(value) if _accepts(field, int(value), bounds=True) else None
    for slip in slips(value[:_MOST_LOOKED_AT]) if isinstance(value, str) else ():
        try:
            result = _frozen(_of_its_kind(field, parse_value(slip)))
        except ValueError:
            continue
        if _accepts(field, result, bounds=True):
            meant: Value = result
            return meant
    return None


_MOST_LOOKED_AT = 500


def _accepts(field: FieldInfo, value: Any, *, bounds: bool) -> bool:
    """Whether a field takes a value: one of its kind, and with `bounds` one within its limits."""
    try:
        _adapter(cast("Hashable", field.annotation), tuple(field.metadata) if bounds else ()).validate_python(value, strict=True)
    except (ValidationError, RecursionError):
        return False
    return True


@lru_cache(maxsize=256)
def _adapter(annotation: Any, bounds: tuple[Any, ...]) -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[annotation, *bounds] if bounds else annotation)


# ---------------------------------------------------------------- assignments


class Assignment(NamedTuple):
    """What one `key=value` says.

    Attributes:
        key: the constant's dotted key.
        value: what it is to be.
        note: where a change was written, such as `key-=2`, what it comes to.
    """

    key: str
    value: Any
    note: str = ""


_ASSIGNMENT = re.compile(r"\s*([^=]*?)\s*([+*-]?)=(.*)", re.DOTALL)
_SIGNED = re.compile(r"([+-])\s*(\d[\d_]*)")


def parse_assignment(text: str, model: type[GameRules], before: Mapping[str, Any] | None = None) -> Assignment:
    """Read `key=value`, or a change of what the constant is: `key+=2`, `key-=2` or `key*=2`.

    Args:
        text: as it was typed.
        model: a game's rules.
        before: dotted key to value, for what differs from the rules as shipped and is changed from there.

    Raises:
        RulesError: there is no `=`, or what stands behind it is no value, or may mean two things.
    """
    match = _ASSIGNMENT.fullmatch(text)
    if not match or not match[1]:
        message = f"'{cut(text)}' sets nothing; write it as key=value, such as wishes.goal=10."
        raise RulesError(message)
    key, sign, written = match[1], match[2], straightened(match[3]).strip()
    known = key in values(model())
    if known and not sign:
        _refuse_two_meanings(model, key, written)
    try:
        value = parse_value(written)
    except ValueError:
        raise _no_value(model, key, written, known=known) from None
    if not known:
        return Assignment(key, value)
    value = meant(model, {key: value})[key]
    return _changed(model, key, sign, value, dict(before or {})) if sign else Assignment(key, value)


def parse_assignments(texts: Iterable[str], model: type[GameRules], before: Mapping[str, Any] | None = None) -> Iterator[Assignment]:
    """Read assignments one after the other; what one sets is changed by the next.

    Raises:
        RulesError: one of them is none.
    """
    overrides = dict(before or {})
    for text in texts:
        yield (assignment := parse_assignment(text, model, overrides))
        overrides[assignment.key] = assignment.value


def _no_value(model: type[GameRules], key: str, written: str, *, known: bool) -> RulesError:
    offered = _offered(field_of(model, key), written) if known else None
    way_out = "a number, a word, true, false or a list such as [1, 2, feet]" if offered is None else f"{key}={cut(offered)}"
    return RulesError(f"'{cut(written)}' is no value for rule '{cut(key)}'; write {way_out}.", key)


def _refuse_two_meanings(model: type[GameRules], key: str, written: str) -> None:
    """Refuse a sign before a number that cannot be negative: somebody wants so many more, or so many.

    Raises:
        RulesError: there is one.
    """
    signed = _SIGNED.fullmatch(written)
    if signed and not _accepts(field_of(model, key), -1, bounds=True) and _accepts(field_of(model, key), 1, bounds=False):
        sign, number = signed.groups()
        message = f"'{key}={written}' may mean two things, since '{key}' is never negative; write {key}={number} or {key}{sign}={number}."
        raise RulesError(message, key)


def _changed(model: type[GameRules], key: str, sign: str, by: Any, before: dict[str, Any]) -> Assignment:
    """A change of what a constant is, with a note of what it comes to."""
    shipped = values(model())[key]
    try:
        now = values(build_rules(model, before))[key]
    except RulesError:  # what comes later makes it possible
        now = before.get(key, shipped)
    if any(isinstance(number, bool) or not isinstance(number, int | float) for number in (now, by)):
        reason = f"{sign}= changes numbers, and '{key}' is {cut(now)}; write {key}={cut(by) if isinstance(now, bool | str) else cut(now)}"
        message = f"'{key}{sign}={cut(by)}' changes nothing: {reason}."
        raise RulesError(message, key)
    value = {"+": now + by, "-": now - by, "*": now * by}[sign]
    value = int(value) if isinstance(shipped, int) and isinstance(value, float) and value.is_integer() else value
    where = f"shipped: {to_text(shipped)}" if now == shipped else f"before: {to_text(now)}; shipped: {to_text(shipped)}"
    return Assignment(key, value, f"{key} is {cut(value)} ({where}).")
