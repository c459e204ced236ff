"""Rules files as people write them: each is read where its meaning is beyond doubt, or refused with the line and what to write."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from simulator import registry
from simulator.errors import RulesError
from simulator.rules import (
    GameRules,
    RuleGroup,
    build_rules,
    constant,
    ours,
    parse_assignment,
    parse_assignments,
    read_toml,
    values,
    write_toml,
)

GRINCHMAS = registry.game("grinchmas").rules
SHIPPED = values(GRINCHMAS())


def file_of(folder: Path, content: str | bytes) -> Path:
    path = folder / "rules.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "overrides"),
    [
        ('wishes.goal = "10"\n', {"wishes.goal": 10}),
        ("[wishes]\ngoal = 10 # was '8'\n", {"wishes.goal": 10}),
        ("[wishes]\ngoal = \N{LEFT DOUBLE QUOTATION MARK}10\N{RIGHT DOUBLE QUOTATION MARK}\n", {"wishes.goal": 10}),
        ("[wishes]\npair = any # no quotes\n", {"wishes.pair": "any"}),
        ("[wishes]\npair = Any\n", {"wishes.pair": "any"}),
        ("wishes.pair = \N{DOUBLE LOW-9 QUOTATION MARK}any\N{LEFT DOUBLE QUOTATION MARK}\n", {"wishes.pair": "any"}),
        ("wishes.goal\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}10\n", {"wishes.goal": 10}),
        ("win_on_tie = True\n", {"win_on_tie": True}),
        ("win_on_tie = no\n", {"win_on_tie": False}),
        ("win_on_tie = Off # x\n[wishes]\ngoal = 9\n", {"win_on_tie": False, "wishes.goal": 9}),
        ("win_on_tie = 0\n", {"win_on_tie": False}),
        ('spinner.faces = ["1", "2", "feet"]\n', {"spinner.faces": (1, 2, "feet")}),
        ("[spinner]\nfaces = [\n  1, # one\n  2,\n  feet,\n]\n", {"spinner.faces": (1, 2, "feet")}),
        ("# only a comment\n", {}),
        (b"\xef\xbb\xbf[wishes]\r\ngoal = 9\r\n", {"wishes.goal": 9}),
        ("[wishes]\ngoal = 9\n".encode("utf-16"), {"wishes.goal": 9}),
        (b"[wishes]\rgoal = 9\r", {"wishes.goal": 9}),
    ],
)
def test_what_can_only_mean_one_thing_is_read(content: str | bytes, overrides: dict[str, Any], tmp_path: Path) -> None:
    read = read_toml(file_of(tmp_path, content), GRINCHMAS)
    assert values(build_rules(GRINCHMAS, read)) == {**SHIPPED, **overrides}


@pytest.mark.parametrize(
    ("content", "line", "sentence"),
    [
        ("wishes.goal = 8,5\n", 1, "cannot be 8,5: it has to be a whole number."),
        ("wishes.goal = 25%\n", 1, "cannot be 25%: it has to be a whole number."),
        ("wishes.goal = 8.0\n", 1, "it has to be a whole number; write 8."),
        ("\nwishes.goal = 8 cards\n", 2, "write 8."),
        ("wishes.goal = 8;\n", 1, "write 8."),
        ("wishes.goal == 8\n", 1, "write 8."),
        ('wishes.goal = "8\n', 1, "write 8."),
        ("wishes.goal = 10 // more\n", 1, "write 10."),
        ("turn_cap = 1,000\n", 1, "write 1000."),
        ("turn_cap = 1.000\n", 1, "'turn_cap' cannot be 1.0"),
        ("turn_cap = 1 000\n", 1, "write 1000."),
        ("wishes.pair = 'any\"\n", 1, "write any."),
        ('spinner.faces = "1, 2, feet"\n', 1, "it has to be a list; write [1, 2, feet]."),
        ("spinner.faces = 1, 2, feet\n", 1, "write [1, 2, feet]."),
        ("spinner.faces = (1; 2; feet)\n", 1, "write [1, 2, feet]."),
        ("spinner.faces = [1 2 feet]\n", 1, "write [1, 2, feet]."),
        ("[spinner]\nfaces = [1, 2, foot]\n", 2, "entry 3 has to be 'feet' or a whole number."),
        ("[spinner]\nfaces = [1, 2,\n[wishes]\ngoal = 9\n", 2, "the list that begins here is not closed; write ] at its end."),
        ("[wishes]\ngoal =\n", 2, "nothing stands behind the =; write goal = 8."),
        ("[wishes]\ngoal = 8\ngoal = 9\n", 3, "'wishes.goal' is set again, after line 2; keep one of the two."),
        ("[wishes]\ngoal=1\n[stars]\n[wishes]\n", 4, "table [wishes] begins, and line 1 has set some of it"),
        ("wishes.goal = 8\n[wishes]\nface_up = 3\n", 2, "table [wishes] begins, and line 1 has set some of it"),
        ('"wishes.goal" = 8\n[wishes]\ngoal = 9\n', 2, "table [wishes] begins, and line 1 has set some of it"),
        ("[wishes\ngoal = 9\n", 1, "write [wishes]."),
        ("wishes:\n  goal: 9\n", 1, "write [wishes]."),
        ("wishes.goal: 10\n", 1, "write wishes.goal = 10."),
        ("wishes.goal;10\n", 1, "write wishes.goal = 10."),
        ("wishes.goal\t10\n", 1, "write wishes.goal = 10."),
        ("simulate grinchmas --set wishes.goal=10\n", 1, "write wishes.goal = 10."),
        ("wishes.goal += 2\n", 1, "write wishes.goal = 8, say."),
        ("; mine\nwishes.goal = 10\n", 1, "a comment begins with a #; write # mine."),
        ("wishes goal = 10\n", 1, "did you mean 'wishes.goal'?"),
        ("I want the goal to be 10.\n", 1, "sets nothing; write presents.colours = 5, and comments behind a #."),
        ("[wishes]\ngoal = 9\n".encode("utf-16-le"), 1, "it may be UTF-16 or no text file at all: save it as UTF-8."),
        ("# Gr\N{LATIN SMALL LETTER U WITH DIAERESIS}n\n".encode("latin-1"), 1, "is not UTF-8 text; save it as UTF-8."),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line_and_what_to_write(
    content: str | bytes, line: int, sentence: str, tmp_path: Path
) -> None:
    path = file_of(tmp_path, content)
    with pytest.raises(RulesError) as refused:
        read_toml(path, GRINCHMAS)
    assert str(refused.value).startswith(f"Rules file {path}, line {line}")
    assert sentence in str(refused.value)
    assert "TOML" not in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"\n" * 1000, b"\xef\xbb\xbf", b" \t\r\n"])
def test_an_empty_file_is_said_to_be_empty(content: bytes, tmp_path: Path) -> None:
    path = file_of(tmp_path, content)
    with pytest.raises(RulesError, match=r"rules\.toml is empty; `simulate rules GAME --toml` prints one"):
        read_toml(path, GRINCHMAS)


def test_a_json_file_is_called_one_and_its_first_constant_written_as_it_has_to_be(tmp_path: Path) -> None:
    for content, way_out in (('{"wishes": {"goal": 10}}', "wishes.goal = 10, say"), ("{1}", "presents.colours = 5")):
        with pytest.raises(RulesError, match=f"looks like JSON, and a rules file is TOML; write {way_out}."):
            read_toml(file_of(tmp_path, content), GRINCHMAS)


class _Wind(RuleGroup):
    share: float = constant(0.5, ge=0, le=1, unit="share", description="How often it blows.", source=ours("a test"))


class _Windy(GameRules):
    wind: _Wind = _Wind()


@pytest.mark.parametrize("written", ["25%", "0,25", '"25 %"', ".25", '"0.25"'])
def test_a_share_may_be_written_in_percent_or_with_a_comma(written: str, tmp_path: Path) -> None:
    assert read_toml(file_of(tmp_path, f"wind.share = {written}\n"), _Windy) == {"wind.share": 0.25}


def test_a_file_is_checked_together_with_what_else_is_set(tmp_path: Path) -> None:
    path = file_of(tmp_path, "[spinner]\nfaces = [1, feet]\n")
    with pytest.raises(RulesError, match=r"'board\.path' has no 'feet' space"):
        read_toml(path, GRINCHMAS, {"board.path": ["max", "A"], "spinner.faces": [1]})


@pytest.mark.parametrize("key", ["presents.colours=4", "presents.designs=2", "wishes.pair_copies=1", "wishes.goal=10"])
def test_what_follows_from_a_constant_follows_it_in_a_written_file_as_with_set(key: str, tmp_path: Path) -> None:
    constant_, _, value = key.partition("=")
    text = write_toml(GRINCHMAS(), "a game")
    name = constant_.rpartition(".")[2]
    lines = [f"{name} = {value}" if line.lstrip("# ").startswith(f"{name} = ") else line for line in text.splitlines()]
    edited = read_toml(file_of(tmp_path, "\n".join(lines)), GRINCHMAS)
    assert build_rules(GRINCHMAS, edited) == build_rules(GRINCHMAS, {constant_: int(value)})


def test_what_was_set_by_hand_is_written_as_set_though_it_could_follow() -> None:
    text = write_toml(build_rules(GRINCHMAS, {"presents.copies": 9}), "a game")
    assert "\ncopies = 9\n" in text
    assert "\n# copies = 10\n" in write_toml(GRINCHMAS(), "a game")
    assert "take the # away" in text
    assert "take the # away" not in write_toml(_Windy(), "a game")


PAGE = (Path(__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")


def test_every_command_of_the_page_about_rules_sets_what_can_be_set() -> None:
    commands = re.findall(r"simulate (?:rules )?(\w+) (.*--set.*)", PAGE)
    assert len(commands) >= 4
    for game, arguments in commands:
        model = registry.game(game).rules
        texts = re.findall(r"--set (\S+)", arguments)
        assert build_rules(model, {a.key: a.value for a in parse_assignments(texts, model)}) != model()
    assert parse_assignment("deck.coal-=2", registry.game("crocs").rules).note.rstrip(".") in PAGE


def test_the_file_of_the_page_about_rules_is_read(tmp_path: Path) -> None:
    text = PAGE.partition("A rules file is TOML:")[2].partition("It needs")[0]
    found = read_toml(file_of(tmp_path, textwrap.dedent(text)), GRINCHMAS)
    assert set(found) == {"win_on_tie", "wishes.goal", "wishes.pair"}
    assert (SHIPPED["presents.copies"], values(build_rules(GRINCHMAS, {"presents.colours": 4}))["presents.copies"]) == (10, 12)
    assert "there are twelve Presents of each in place of ten" in PAGE
