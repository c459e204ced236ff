"""Rules files that are no TOML as they stand: what is read all the same, and the refusal of the rest in plain words."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from simulator.errors import nearest
from simulator.rules.constants import GameRules, values
from simulator.rules.text import cut, parse_value, quoted, straightened, to_text

Keys = Sequence[tuple[int, str]]
"""Line and key of everything that a file sets, as `keys_of` has them."""

_MOST_LETTERS = 1_000
"""A value that is longer than this stays as it is, and is refused as no TOML."""

_CODE = re.compile(r"""((?:"[^"]*"|'[^']*'|[^#])*)(.*)""")
_KEY = re.compile(r"""[\w."' -]+""")


def mended(text: str) -> str:
    """A rules file's text with each value that TOML does not know as `--set` reads it, and as a text where that does not either."""
    lines, within = [], False
    for line in text.split("\n"):
        code, comment = _CODE.fullmatch(line).groups()  # type: ignore[union-attr]  # it matches every line
        code = straightened(code)
        head, equals, written = ("", "", code) if within else code.partition("=")
        goes_on = (within or written.lstrip().startswith("[")) and "]" not in written
        if goes_on or within:
            written = quoted(written)
        elif equals and _KEY.fullmatch(head):
            written = _mended(written)
        within = goes_on
        lines.append(f"{head}{equals}{written}{comment}")
    return "\n".join(lines)


def _mended(written: str) -> str:
    import tomlkit  # noqa: PLC0415  only what is no TOML needs it

    value: Any = written.strip()
    if not value or len(value) > _MOST_LETTERS or value.startswith(('"""', "'''")) or _is_toml(value):
        return written
    with suppress(ValueError):  # it is refused with what the constant has to be
        value = parse_value(value)
    return f" {tomlkit.item(value).as_string()} "


def _is_toml(written: str) -> bool:
    try:
        tomllib.loads(f"value = {written}")
    except (ValueError, RecursionError):
        return False
    return True


def misunderstood(text: str, reason: str, keys: Keys, model: type[GameRules]) -> str:
    """How a refusal goes on behind the file's name: line, reason and what to write; empty where `reason` has to do.

    Args:
        text: what the file holds.
        reason: what the parser says, with the line.
        keys: what the file sets, line by line.
        model: a game's rules.
    """
    shipped = values(model())
    example = next((f"{key} = {value}" for key, value in shipped.items() if type(value) is int), "key = value")
    if text.lstrip().startswith("{"):
        return f" looks like JSON, and a rules file is TOML; write {_from_json(text) or example}."
    place = re.search(r"at line (\d+)", reason)
    if not place and "end of document" not in reason:
        return ""  # it is nested too deeply, say
    if result := repeated(keys) or _unclosed(text, keys):
        return result
    if not place:
        return ""
    number = int(place[1])
    line = text.split("\n")[number - 1].strip()
    key = next((key for at, key in keys if at == number), "")
    if key and re.search(r"=\s*(?:#.*)?$", line):
        return f", line {number}: nothing stands behind the =; write {line.partition('=')[0].strip()} = {to_text(shipped.get(key, 1))}."
    return f", line {number}: {_wrong(line, shipped) or f'{cut(line)!r} sets nothing; write {example}, and comments behind a #'}."


def _unclosed(text: str, keys: Keys) -> str:
    """How a refusal goes on where a list is not closed before something else is set; empty where each is."""
    lines, settings = text.split("\n"), {number for number, _ in keys}
    for number, _ in keys:
        _, equals, written = lines[number - 1].partition("=")
        if equals and written.lstrip().startswith("[") and "]" not in written:
            end = next((n for n in range(number + 1, len(lines) + 1) if "]" in lines[n - 1] or n in settings), 0)
            if not end or end in settings:
                return f", line {number}: the list that begins here is not closed; write ] at its end."
    return ""


_COMMENT = re.compile(r"(?://|/\*|--|;|%|<!--)\s+(.*)")
_TABLE = re.compile(r"[\[(]+\s*([\w.-]+).*|([\w.-]+)\s*:?")
_CHANGE = re.compile(r"([\w.-]+)\s*[+*:-]=.*")
_TYPED = re.compile(r".*--set\s+([\w.-]+)\s*=\s*(.+)")
_PAIR = re.compile(r"""([\w."'-]+)\s*(?::=|->|[:;,|]|\s)\s*([^=]+)""")


def _wrong(line: str, shipped: Mapping[str, Any]) -> str:
    """What is wrong with a line, if it is one of what people write, and what to write."""
    if comment := _COMMENT.fullmatch(line):
        return f"a comment begins with a #; write # {cut(comment[1])}"
    if (table := _TABLE.fullmatch(line)) and (table[1] or any(key.startswith(f"{table[2]}.") for key in shipped)):
        return f"a table begins with its name in brackets, alone on the line; write [{cut(table[1] or table[2])}]"
    if change := _CHANGE.fullmatch(line):
        return f"a rules file says what a constant is, with =; write {cut(change[1])} = {to_text(shipped.get(change[1], 1))}, say"
    pair = _TYPED.fullmatch(line) or _PAIR.fullmatch(line)
    if pair and ("." in pair[1] or pair[1] in shipped or not re.match(r"\w+\s", line)):
        return f"name and value have a = between them, and nothing before; write {cut(pair[1])} = {cut(pair[2])}"
    name, equals, _ = line.partition("=")
    hint = nearest(name.strip(), shipped) if equals else ""
    return f"there is no rule '{cut(name.strip())}'{hint}" if hint else ""


def repeated(keys: Keys) -> str:
    """How a refusal goes on where something is set twice, or a table begins twice; empty where nothing is."""
    before: dict[str, int] = {}
    for number, key in keys:
        first = before.setdefault(key, number)
        if first != number and key.endswith("."):
            table = f"[{cut(key.rstrip('.'))}]"
            return f", line {number}: table {table} begins, and line {first} has set some of it; put all its constants below one {table}."
        if first != number:
            return f", line {number}: '{cut(key)}' is set again, after line {first}; keep one of the two."
        before.setdefault(key.rpartition(".")[0] + ".", number)  # wishes.goal without a table is of the table [wishes]
    return ""


def _from_json(text: str) -> str:
    """The first constant of a JSON document as TOML; empty where there is none."""
    try:
        document, path = json.loads(text), []
        while isinstance(document, dict):
            name, document = next(iter(document.items()))
            path.append(name)
    except (ValueError, StopIteration, RecursionError):
        return ""
    return f"{cut('.'.join(path))} = {cut(document)}, say"
