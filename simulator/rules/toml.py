"""Rules files: read with the line of what is wrong, and written with the description and the source of each constant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from simulator.errors import RulesError
from simulator.files import parse_toml, read_text
from simulator.rules.alternatives import alternatives, carried
from simulator.rules.constants import Constant, GameRules, constants, values
from simulator.rules.mending import mended, misunderstood, repeated
from simulator.rules.overrides import MAX_DEPTH, build_rules, meant
from simulator.rules.text import cut, plausible_text

_WHAT = "Rules file"


def read_toml(path: Path, model: type[GameRules], baseline: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Overrides by dotted key from a rules file.

    Words need no quotes in it, and a value of the wrong kind is read where its meaning is beyond doubt; see `meant`.

    Args:
        path: the file.
        model: a game's rules, to check the overrides against.
        baseline: dotted key to value, for what else differs from the rules as shipped.

    Raises:
        RulesError: the file cannot be read, is empty, too large or no TOML, holds deeper tables than rules have, or does not suit
            `model`; the line is named where it can be told.
    """
    text = read_text(path, _WHAT, RulesError)
    if not text.strip():
        message = (
            f"{_WHAT} {path} is empty; `simulate rules GAME --toml` prints one to begin with, and without --rules a game is as shipped."
        )
        raise RulesError(message)
    overrides = meant(model, _overrides(path, text, model))
    try:
        build_rules(model, {**(baseline or {}), **overrides})
    except RulesError as error:
        line = line_of(text, error.key)
        message = f"{_WHAT} {path}{f', line {line}' if line else ''}: {error}"
        raise RulesError(message, error.key) from None
    return overrides


def _overrides(path: Path, text: str, model: type[GameRules]) -> dict[str, Any]:
    """Dotted key to value as the file has it, read leniently where it is no TOML as it stands."""
    try:
        try:
            document = parse_toml(path, text, _WHAT, RulesError)
        except RulesError:
            document = parse_toml(path, mended(text), _WHAT, RulesError)
        return flattened(document)
    except ValueError as error:
        reason = repeated(list(keys_of(text))) or f" is not valid TOML: {error}."
    except RulesError as error:
        reason = misunderstood(text, str(error), list(keys_of(text)), model)
        if not reason:
            raise
    message = f"{_WHAT} {path}{reason}"
    raise RulesError(message)


def flattened(table: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted key to value, of a table of tables.

    >>> flattened({"wishes": {"goal": 8}, "stars.trio": 5})
    {'wishes.goal': 8, 'stars.trio': 5}

    Raises:
        ValueError: it is nested too deeply, or sets a key twice, once as wishes.goal and once as "wishes.goal".
    """
    results: dict[str, Any] = {}
    for key, value in _flatten(table, "", 0):
        if key in results:
            message = f"it sets '{cut(key)}' twice"
            raise ValueError(message)
        results[key] = value
    return results


def _flatten(table: Mapping[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > MAX_DEPTH:
        message = "it is nested too deeply"
        raise ValueError(message)
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.", depth + 1)
        else:
            yield f"{prefix}{name}", value


# ---------------------------------------------------------------- where a constant stands

_NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]")
_SETTING = re.compile(rf"\s*({_DOTTED})\s*=")


def keys_of(text: str) -> Iterator[tuple[int, str]]:
    """What is set on which line of a rules file's text, counted from 1: a constant's dotted key, or `wishes.` where a table begins."""
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = f"{_joined(header[1])}."
            yield number, table
        elif setting := _SETTING.match(line):
            yield number, table + _joined(setting[1])


def line_of(text: str, key: str) -> int | None:
    """Line of a rules file's text on which `key` is set, where that can be told.

    It is also the line of [[wishes]] where wishes is a group, and of wishes = {goal = 8}.
    """
    return next((number for number, result in keys_of(text) if result == f"{key}." or f"{key}.".startswith(f"{result}.")), None)


def _joined(dotted: str) -> str:
    """A key as TOML writes it, without quotes and blanks."""
    return ".".join(name.strip("\"'") for name in re.findall(_NAME, dotted))


# ---------------------------------------------------------------- writing


def write_toml(rules: GameRules, title: str) -> str:
    """The rules as a TOML document that `read_toml` takes back, each constant under its description and source.

    What follows from other constants stands behind a #, so that it follows them when they are edited.
    """
    import tomlkit  # noqa: PLC0415  only this function needs it

    document = tomlkit.document()
    document.add(tomlkit.comment(f"Rules of {title}. Edit, and play them with --rules."))
    following = _following(rules)
    if following:
        document.add(tomlkit.comment("A constant behind a # follows from others; take the # away to set it yourself."))
    tables: dict[str, Any] = {"": document}
    # TOML wants the constants that stand alone before the first group
    for c in sorted(constants(rules), key=lambda c: "." in c.key):
        group, _, name = c.key.rpartition(".")
        if group not in tables:
            tables[group] = tomlkit.table()
            document.add(group, tables[group])
        tables[group].add(tomlkit.comment(f"{c.description} [{c.unit}; {c.source}: {c.note}{_range_note(c)}]"))
        value = tomlkit.item(list(c.value) if isinstance(c.value, tuple) else c.value)
        if c.key in following:
            tables[group].add(tomlkit.comment(f"{name} = {value.as_string()}"))
        else:
            tables[group].add(name, value)
    return tomlkit.dumps(document)


def _following(rules: GameRules) -> set[str]:
    """Which constants follow others, and are as they follow."""
    model, every = type(rules), values(rules)
    if not _derives(model):
        return set()
    movable = {key for c in constants(model()) for to in alternatives(c, model) for key in _carried(model, c.key, to)}
    kept = dict(every)
    for key in sorted(movable):
        rest = {k: v for k, v in kept.items() if k != key}
        kept = rest if _builds(rest, rules) else kept
    return every.keys() - kept.keys()


def _derives(model: type[BaseModel]) -> bool:
    """Whether rules complete what they are given, so that a constant can follow others; a table of cards has too many to try."""
    fields = (field.annotation for field in model.model_fields.values())
    groups = [kind for kind in fields if isinstance(kind, type) and issubclass(kind, BaseModel)]
    validators = model.__pydantic_decorators__.model_validators.values()
    return any(validator.info.mode != "after" for validator in validators) or any(map(_derives, groups))


def _carried(model: type[GameRules], key: str, to: Any) -> set[str]:
    try:
        return set(carried(model, {}, key, to))
    except RulesError:
        return set()  # it cannot go there alone


def _builds(overrides: Mapping[str, Any], rules: GameRules) -> bool:
    try:
        return build_rules(type(rules), overrides) == rules
    except RulesError:
        return False


def _range_note(c: Constant) -> str:
    return f"; plausible {plausible_text(c)}" if c.plausible else ""
