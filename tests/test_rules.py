"""Rules: read, checked, listed and written; whatever text comes in, only a RulesError comes out."""

from __future__ import annotations

import os
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulator import registry
from simulator.errors import RulesError
from simulator.rules import (
    MAX_TEXT,
    GameRules,
    Named,
    brief_text,
    build_rules,
    constant,
    constants,
    line_of,
    ours,
    parse_assignment,
    parse_assignments,
    parse_value,
    plausible_text,
    read_toml,
    to_text,
    values,
    write_toml,
)

GAMES = registry.game_names()
MODELS = {name: registry.game(name).rules for name in GAMES}
KEYS = {name: list(values(model())) for name, model in MODELS.items()}
ALL_KEYS = [key for keys in KEYS.values() for key in keys]

NASTY = st.one_of(
    st.text(max_size=60),
    st.text("[]{}\"'=,. \t\n#-+_0123456789abefnx", max_size=60),
    st.integers(0, 400).map(lambda n: "[" * n + "]" * n),
    st.integers(0, 3000).map(lambda n: "9" * n),
    st.integers(0, 5000).map(lambda n: "0x" + "F" * n),
    st.integers(0, 3000).map(lambda n: f"[{'1,' * n}]"),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.integers(10, 5000).map(lambda n: 16**n),
        st.floats(),
        st.text(max_size=20),
        st.binary(max_size=5),
        st.sampled_from(["feet", "max", "A", "continue", "any"]),
        st.dates(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=80), st.tuples(inner), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=30,
)


@given(NASTY)
@example("[" * 20_000)
@example("1" * (MAX_TEXT + 1))
def test_any_text_is_a_value_or_a_value_error(text: str) -> None:
    try:
        parse_value(text)
    except ValueError as error:
        assert "\n" not in text or str(error)  # noqa: PT017  what else would be raised fails the test


@given(st.one_of(NASTY, st.tuples(st.sampled_from(KEYS["grinchmas"]), NASTY).map("=".join)))
def test_any_assignment_is_played_or_refused(text: str) -> None:
    try:
        key, value, _ = parse_assignment(text, MODELS["grinchmas"])
        built = build_rules(MODELS["grinchmas"], {key: value})
    except RulesError as error:
        assert len(str(error)) < 400 + len(text.partition("=")[0])  # noqa: PT017  what else would be raised fails the test
    else:
        assert values(built)[key] == (tuple(value) if isinstance(value, list) else value)


@given(st.dictionaries(st.one_of(st.sampled_from(ALL_KEYS), st.text(max_size=20)), VALUES, max_size=3), st.sampled_from(GAMES))
@example({"board.path": ["max"] * 1_000_000}, "grinchmas")
@example({"wishes.goal": 2**100_000}, "grinchmas")
def test_any_overrides_are_played_or_refused(overrides: dict[str, Any], game: str) -> None:
    try:
        build_rules(MODELS[game], overrides)
    except RulesError as error:
        assert str(error).endswith(".")  # noqa: PT017  what else would be raised fails the test


@settings(max_examples=60)
@given(st.one_of(st.binary(max_size=200), NASTY.map(str.encode), NASTY.map(lambda t: f"[wishes]\ngoal = {t}".encode(errors="replace"))))
@example(b"\xef\xbb\xbf")
@example(b"[" + b"a." * 5_000 + b"a]")
def test_any_file_is_read_or_refused(content: bytes) -> None:
    handle, name = tempfile.mkstemp(suffix=".toml")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    try:
        read_toml(Path(name), MODELS["grinchmas"])
    except RulesError as error:
        assert str(error).startswith(f"Rules file {name}")  # noqa: PT017  what else would be raised fails the test
    finally:
        Path(name).unlink()


@given(st.text(), st.text())
def test_looking_for_a_line_never_fails(text: str, key: str) -> None:
    line = line_of(text, key)
    assert line is None or 1 <= line <= text.count("\n") + 1


def test_a_value_nested_without_end_is_refused() -> None:
    deep: Any = 0
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(RulesError, match=r"'wishes\.goal' cannot be so deeply nested"):
        build_rules(MODELS["grinchmas"], {"wishes.goal": deep})


def test_a_path_with_a_null_byte_is_refused() -> None:
    with pytest.raises(RulesError, match="null byte"):
        read_toml(Path("a\0b"), MODELS["grinchmas"])


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_rules_survive_being_written_and_read(game: str, tmp_path: Path) -> None:
    rules = MODELS[game]()
    (tmp_path / "rules.toml").write_text(write_toml(rules, "a game"), encoding="utf-8")
    assert build_rules(MODELS[game], read_toml(tmp_path / "rules.toml", MODELS[game])) == rules


def test_a_list_with_a_name_is_shown_by_it_and_written_in_full() -> None:
    ring = Named("a ring of two", ("max", "feet"))
    assert (brief_text(ring), to_text(ring)) == ("a ring of two", "[max, feet]")
    assert ring == ("max", "feet")
    assert deepcopy(ring).name == ring.name
    board = next(c for c in constants(registry.game("grinchmas").rules()) if c.key == "board.path")
    assert brief_text(board.value) == "as shipped"
    assert all(brief_text(v) != to_text(v) for v in board.plausible)


def others(value: Any, plausible: tuple[Any, ...]) -> list[Any]:
    """Values that a constant may be changed to: plausible ones, else a neighbour."""
    if plausible:
        return [v for v in plausible if v != value]
    if isinstance(value, bool):
        return [not value]
    return [value + 1, value - 1] if isinstance(value, int) else [value[:-1], value * 2] if isinstance(value, tuple) else []


@pytest.mark.parametrize(("game", "key"), [(game, key) for game in GAMES for key in KEYS[game]])
def test_every_constant_that_is_changed_survives_being_written_and_read(game: str, key: str, tmp_path: Path) -> None:
    moved = next(c for c in constants(MODELS[game]()) if c.key == key)
    tried = 0
    for value in others(moved.value, moved.plausible):
        try:
            changed = build_rules(MODELS[game], {key: value})
        except RulesError:
            continue
        tried += 1
        assert values(changed)[key] == value != moved.value
        (tmp_path / "rules.toml").write_text(write_toml(changed, "a game"), encoding="utf-8")
        assert build_rules(MODELS[game], read_toml(tmp_path / "rules.toml", MODELS[game])) == changed
        name, again, _ = parse_assignment(f"{key}={to_text(value)}", MODELS[game])
        assert build_rules(MODELS[game], {name: again}) == changed
    assert tried or isinstance(moved.value, tuple | str)


@pytest.mark.parametrize("game", GAMES)
def test_every_constant_says_what_it_is_and_where_it_comes_from(game: str) -> None:
    for c in constants(MODELS[game]()):
        assert c.description.endswith(".")
        assert c.unit
        assert c.note
        assert not c.note.endswith(".")
        assert bool(plausible_text(c)) == bool(c.plausible)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", 8),
        ("-3", -3),
        ("1_000", 1000),
        ("2.5", 2.5),
        ("true", True),
        ("reshuffle", "reshuffle"),
        ("house 3", "house 3"),
        ('"house 3"', "house 3"),
        ("[]", []),
        ("[1, feet]", [1, "feet"]),
        ("[max,house 1,feet]", ["max", "house 1", "feet"]),
        ("'feet'", "feet"),
    ],
)
def test_values_are_read_as_they_are_typed(text: str, value: Any) -> None:
    assert parse_value(text) == value
    assert type(parse_value(text)) is type(value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[wishes]\ngoal = 1\n", 2),
        ("wishes.goal = 1\n", 1),
        ("# [wishes]\n\nwishes . 'goal' = 1\n", 3),
        ("[stars]\ngoal = 1\n[ wishes ] # here\n  goal=1\n", 4),
        ("wishes = {goal = 1}\n", 1),
        ("[[wishes]]\n", None),
        ("[stars]\ngoal = 1\n", None),
        ("", None),
    ],
)
def test_the_line_of_a_constant_is_found(text: str, line: int | None) -> None:
    assert line_of(text, "wishes.goal") == line


def test_rules_are_immutable() -> None:
    rules = MODELS["grinchmas"]()
    with pytest.raises(ValueError, match="frozen"):
        rules.turn_cap = 5  # type: ignore[misc]  # which is what is tested


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["deck.coal-=2"], [("deck.coal", 6, "deck.coal is 6 (shipped: 8).")]),
        (["deck.coal += 2"], [("deck.coal", 10, "deck.coal is 10 (shipped: 8).")]),
        (["deck.coal*=1.5"], [("deck.coal", 12, "deck.coal is 12 (shipped: 8).")]),
        (["deck.coal*=1.1"], [("deck.coal", 8.8, "deck.coal is 8.8 (shipped: 8).")]),  # refused when rules are built of it
        (
            ["deck.coal=5", "deck.coal-=2", "deck.coal-=1"],
            [
                ("deck.coal", 5, ""),
                ("deck.coal", 3, "deck.coal is 3 (before: 5; shipped: 8)."),
                ("deck.coal", 2, "deck.coal is 2 (before: 3; shipped: 8)."),
            ],
        ),
    ],
)
def test_a_change_is_made_from_what_the_constant_is(texts: list[str], found: list[tuple[str, Any, str]]) -> None:
    assert [tuple(one) for one in parse_assignments(texts, MODELS["crocs"])] == found


def test_a_change_is_made_from_what_follows_from_other_constants() -> None:
    *_, copies = parse_assignments(["presents.colours=4", "presents.copies-=1"], MODELS["grinchmas"])
    assert copies == ("presents.copies", 11, "presents.copies is 11 (before: 12; shipped: 10).")


def test_a_sign_before_a_number_is_read_where_a_constant_may_be_negative() -> None:
    class Cold(GameRules):
        degrees: int = constant(5, ge=-20, le=20, unit="degrees", description="How cold it is.", source=ours("a test"))

    assert [parse_assignment(f"degrees{text}", Cold).value for text in ("=-2", "=+2", "-=2", "-=-2")] == [-2, 2, 3, 7]
    with pytest.raises(RulesError, match=r"write turn_cap=2 or turn_cap\+=2\.$"):
        parse_assignment("turn_cap=+2", Cold)


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("True", True), ("0", False), ('"no"', False), ("off", False)])
def test_yes_and_no_are_read_as_they_are_typed(text: str, value: bool) -> None:
    assert parse_assignment(f"win_on_tie={text}", MODELS["grinchmas"]).value is value


def test_python_is_strict_and_offers_what_may_be_meant() -> None:
    with pytest.raises(RulesError, match=r"cannot be 8: it has to be a whole number; write 8\.$"):
        build_rules(MODELS["grinchmas"], {"wishes.goal": "8"})
    with pytest.raises(RulesError, match=r"cannot be 1: it has to be true or false\.$"):
        build_rules(MODELS["grinchmas"], {"win_on_tie": 1})
