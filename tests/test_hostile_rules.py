"""Rules from strangers: whatever a file holds, it is read or refused in one sentence, and whatever it allows can be played."""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import numpy as np
import programs
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from simulator import files, registry
from simulator.errors import RulesError, UserError
from simulator.kernel.turns import PLAYED
from simulator.play.run import make_experiment
from simulator.play.table import Table
from simulator.rules import MAX_ENTRIES, GameRules, build_rules, read_toml
from simulator.stats.tally import tally_rows
from simulator.studies.promises import read_promises

GAMES = registry.game_names()
GRINCHMAS = registry.game("grinchmas").rules
MOST_LETTERS = 600

HOSTILE = {
    "a key of twenty thousand parts": b"a." * 20_000 + b"a = 1",
    "a table of twenty thousand parts": b"[" + b"a." * 20_000 + b"a]",
    "as many parts as a line may have, on every line": b"".join(b"[" + b"a." * 100 + b"b%d]\n" % n for n in range(500)),
    "a long key": b"a" * 150_000 + b" = 1",
    "a long table, twice": 2 * (b"[" + b"a" * 90_000 + b"]\n"),
    "a long key in braces, twice": b"x = {" + b"a" * 90_000 + b" = 1, " + b"a" * 90_000 + b" = 1}",
    "a key twice": b"[wishes]\ngoal = 8\ngoal = 9\n",
    "a key twice, once with dots": b'"wishes.goal" = 8\n[wishes]\ngoal = 9\n',
    "a table and its dotted key": b"wishes.goal = 8\n[wishes]\ngoal = 9\n",
    "a value that is a group": b"wishes = 8\n",
    "a group that is a list": b"[[wishes]]\n" * 5_000,
    "a hundred thousand brackets": b"[wishes]\ngoal = " + b"[" * 100_000,
    "a hundred thousand brackets, closed": b"[wishes]\ngoal = " + b"[" * 90_000 + b"]" * 90_000,
    "fifty thousand braces": b"[wishes]\ngoal = " + b"{a = " * 30_000,
    "lists in lists": b"[wishes]\ngoal = [[[[[[[[[[[8]]]]]]]]]]]\n",
    "a list of a hundred thousand": b"[board]\npath = [" + b"1," * 90_000 + b"]\n",
    "a list of lists": b"[board]\npath = [" + b"[1,1],[1]," * 15_000 + b"]\n",
    "a table of ten thousand": b"[wishes]\ngoal = {" + b", ".join(b"a%d = 1" % n for n in range(10_000)) + b"}\n",
    "ten thousand unknown keys": b"".join(b"k%d = 1\n" % n for n in range(10_000)),
    "a number of many digits": b"[wishes]\ngoal = " + b"9" * 150_000,
    "a hexadecimal number of many digits": b"[wishes]\ngoal = 0x" + b"f" * 150_000,
    "a number with a huge exponent": b"[wishes]\ngoal = 1e999999999\n",
    "a number with an endless exponent": b"[wishes]\ngoal = 1e" + b"9" * 150_000,
    "infinity": b"[wishes]\ngoal = inf\n",
    "no number": b"[wishes]\ngoal = nan\n",
    "a fraction": b"[wishes]\ngoal = 8.5\n",
    "a date": b"[wishes]\ngoal = 2020-01-01T00:00:00Z\n",
    "a time": b"[wishes]\ngoal = 07:32:00\n",
    "a truth": b"[wishes]\ngoal = true\n",
    "a book": b'[wishes]\ngoal = "' + b"x" * 150_000 + b'"\n',
    "commands to the terminal as a value": b'[wishes]\ngoal = "\\u001b[31m\\u202e[bold red]\\u0007"\n',
    "commands to the terminal as a key": b'"\\u001b[2J[link=file:///etc]" = 8\n',
    "half a letter": b'[wishes]\ngoal = "\\ud800"\n',
    "a null byte": b"[wishes]\ngoal = \0\n",
    "no UTF-8": b"[wishes]\ngoal = \xff\n",
    "UTF-16 that does not say so": "[wishes]\ngoal = 9\n".encode("utf-16-le"),
    "half of UTF-16": "[wishes]\ngoal = 9\n".encode("utf-16")[:-1],
    "two byte order marks": 2 * b"\xef\xbb\xbf" + b"[wishes]\ngoal = 9\n",
    "a program": b"import os\nos.system('true')\n",
    "a template": b"[wishes]\ngoal = \"{{ ''.__class__ }}${HOME}%(goal)s\"\n",
    "another file": b'include = "/etc/passwd"\n',
    "too much": b"#" * (files.MAX_FILE_BYTES + 1),
}


def refusal(path: Path) -> str:
    """The one sentence that a rules file is refused with."""
    with pytest.raises(RulesError) as refused:
        read_toml(path, GRINCHMAS)
    return str(refused.value)


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_in_a_short_sentence_without_commands_to_the_terminal(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(content)
    sentence = refusal(path)
    assert sentence.startswith(f"Rules file {path}")
    assert sentence.endswith(".")
    assert len(sentence) < MOST_LETTERS
    assert sentence.isprintable()


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_of_promises_is_refused_in_a_short_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "promises.toml"
    for text in (content, b'[[promise]]\ngame = "grinchmas"\nplayers = 2\nmetric = "turns"\nat_most = 99\n[promise.rules]\n' + content):
        path.write_bytes(text)
        with pytest.raises(UserError) as refused:
            read_promises(path)
        assert len(str(refused.value)) < MOST_LETTERS
        assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf[wishes]\r\ngoal = 9\r\n",
        "[wishes]\ngoal = 9\n".encode("utf-16"),
        b"[wishes]\rgoal = 9\r",
        b'wishes = {goal = 9}\n"stars.trio" = 6\n',
    ],
)
def test_an_odd_file_is_read(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(content)
    read_toml(path, GRINCHMAS)


def test_values_that_no_file_could_hold_are_refused_before_they_are_looked_at() -> None:
    for value in ([1] * (MAX_ENTRIES + 1), [[1] * 100] * 100, {"a": [1] * 10_000}):
        with pytest.raises(RulesError, match="at most 5,000 entries are read"):
            build_rules(GRINCHMAS, {"board.path": value})
    own: list[Any] = []
    own.append(own)
    with pytest.raises(RulesError, match="deeply nested"):
        build_rules(GRINCHMAS, {"board.path": own})
    for odd in (object(), {1, 2}, b"x", None, lambda: 1, {("a", "b"): 1}):
        with pytest.raises(RulesError):
            build_rules(GRINCHMAS, {"wishes.goal": odd})


FRAGMENTS = st.sampled_from(
    [
        *(key.encode() for key in ("wishes", "goal", "board", "path", "turn_cap", "max", "feet")),
        *(b"[]{}=,.'\"\n#\\ \t\0\xff-+_:eEnaifxob0123456789TZ"),
    ]
).map(lambda piece: piece if isinstance(piece, bytes) else bytes([piece]))
TEXTS = st.lists(
    st.one_of(FRAGMENTS, st.sampled_from([b"= [", b"]\n", b"[[", b"]]\n", b'"""', b"'''", b" = ", b"\\u", b"\xef\xbb\xbf"])), max_size=40
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=TEXTS)
@example(pieces=[b"[", b"wishes", b"]\n", b"goal", b"=", b"8"])
def test_any_file_made_of_what_files_are_made_of_is_read_or_refused(pieces: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(b"".join(pieces))
    try:
        read_toml(path, GRINCHMAS)
    except RulesError as error:
        assert len(str(error)) < MOST_LETTERS  # noqa: PT017  what else would be raised fails the test
        assert str(error).isprintable()  # noqa: PT017
    try:
        read_promises(path)
    except UserError as error:
        assert str(error).isprintable()  # noqa: PT017


# -- what is no file --


def test_a_device_without_an_end_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is none here")
    assert "larger than" in refusal(Path("/dev/zero"))


def test_a_link_to_a_device_is_no_way_around(tmp_path: Path) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is none here")
    (tmp_path / "rules.toml").symlink_to("/dev/zero")
    assert "larger than" in refusal(tmp_path / "rules.toml")
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    assert "cannot be read" in refusal(tmp_path / "loop.toml")


def test_a_pipe_that_nobody_writes_to_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SILENCE_S", 0.3)
    os.mkfifo(tmp_path / "pipe")
    assert "cannot be read: nothing came for" in refusal(tmp_path / "pipe")
    keeper = os.open(tmp_path / "pipe", os.O_RDWR)  # somebody who could write, and does not
    assert "cannot be read: nothing came for" in refusal(tmp_path / "pipe")
    os.close(keeper)


def test_a_pipe_that_takes_its_time_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SILENCE_S", programs.PATIENCE_S)
    os.mkfifo(tmp_path / "pipe")

    def write() -> None:
        with (tmp_path / "pipe").open("wb", buffering=0) as pipe:
            pipe.write(b"[wishes]\n")
            time.sleep(0.3)
            pipe.write(b"goal = 9\n")

    writer = threading.Thread(target=write)
    writer.start()
    assert read_toml(tmp_path / "pipe", GRINCHMAS) == {"wishes.goal": 9}
    writer.join()


def test_rules_may_come_through_standard_input() -> None:
    command = [sys.executable, "-m", "simulator", "rules", "grinchmas", "--json", "--rules", "/dev/stdin"]
    done = programs.run(command, said="[wishes]\ngoal = 9\n", check=True)
    assert '"value": 9' in done.stdout


# -- values within what is declared --


def bounds(metadata: tuple[Any, ...]) -> dict[str, Any]:
    """The limits that pydantic keeps to."""
    found: dict[str, Any] = {}
    for entry in metadata:
        if isinstance(entry, FieldInfo):
            found |= bounds(tuple(entry.metadata))
        found |= {name: getattr(entry, name) for name in ("ge", "le", "min_length", "max_length") if hasattr(entry, name)}
    return found


def values_of(kind: Any, metadata: tuple[Any, ...] = ()) -> st.SearchStrategy[Any]:  # noqa: PLR0911  one for each kind of field
    """Values of a field, its ends and small numbers more often than others."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return values_of(arguments[0], (*metadata, *arguments[1:]))
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in {typing.Union, types.UnionType}:
        return st.one_of(*(values_of(inner) for inner in arguments))
    limits = bounds(metadata)
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(values_of(arguments[0]), min_size=limits.get("min_length", 0), max_size=min(limits.get("max_length", 60), 60))
    if origin is tuple:
        return st.tuples(*(values_of(inner) for inner in arguments)).map(list)
    if kind is bool:
        return st.booleans()
    assert kind is int
    low, high = limits.get("ge"), limits.get("le")
    few = st.integers(-20 if low is None else low, 20 if low is None else min(high, low + 20))
    return st.one_of(few, st.integers(low, high), *(st.just(end) for end in (low, high) if end is not None))


def fields_of(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, st.SearchStrategy[Any]]]:
    """Every constant of a game's rules by its dotted key, with its values."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from fields_of(field.annotation, f"{prefix}{name}.")
        elif name == "turn_cap":
            yield f"{prefix}{name}", st.integers(1, 200)  # so that a playout is short
        else:
            yield f"{prefix}{name}", values_of(field.annotation, tuple(field.metadata))


def overrides_of(model: type[GameRules]) -> st.SearchStrategy[dict[str, Any]]:
    """Some constants changed within what is declared."""
    fields = dict(fields_of(model))
    some = st.lists(st.sampled_from(list(fields)), max_size=len(fields), unique=True)
    return some.flatmap(lambda keys: st.fixed_dictionaries({key: fields[key] for key in keys}))


@pytest.mark.parametrize("name", GAMES)
def test_every_number_has_ends_so_that_no_rule_can_ask_for_memory_without_end(name: str) -> None:
    game = registry.game(name)
    for _, field in _numbers(game.rules):
        assert {"ge", "le"} <= bounds(tuple(field.metadata)).keys()
    assert game.table.dtype.itemsize + game.pack(game.rules()).nbytes < 1_000_000


def _numbers(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _numbers(field.annotation, f"{prefix}{name}.")
        elif field.annotation is int:
            yield f"{prefix}{name}", field
        elif get_origin(field.annotation) is tuple:
            assert "max_length" in bounds(tuple(field.metadata)), f"{prefix}{name}"


@pytest.mark.parametrize("name", GAMES)
def test_whatever_the_declared_limits_allow_is_refused_in_a_sentence_or_played_as_declared(name: str) -> None:
    game = registry.game(name)
    packed = game.pack(game.rules())
    seen: list[bool] = []

    @settings(max_examples=30, suppress_health_check=list(HealthCheck))
    @given(overrides_of(game.rules), st.integers(*game.players))
    def play(overrides: dict[str, Any], players: int) -> None:
        try:
            asked = make_experiment(name, players=players, rules=overrides, strategies=["uniform"])
            metrics = asked.metrics
        except UserError as error:
            assert len(str(error)) < MOST_LETTERS  # noqa: PT017  what else would be raised fails the test
            seen.append(False)
            return
        table = Table(asked.game, asked.rules, asked.lineup)
        assert (table.rules.dtype, table.rules.shape) == (packed.dtype, packed.shape)
        rows = np.zeros((50, len(metrics)), np.int32)
        done, fault = table.play(asked.seed, 0, rows, np.zeros(3, np.int64))
        assert (done, int(fault["status"])) == (50, PLAYED)
        assert tally_rows(rows, metrics).games == 50
        assert all(sentence.endswith(".") for sentence in asked.rules.notes())
        seen.append(True)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    play()
    assert any(seen)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000, "a gigabyte for a few playouts"
