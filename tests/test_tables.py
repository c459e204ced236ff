"""Cards from a table: each number is a rule constant, and what is wrong with the file is told with its line."""

from __future__ import annotations

import re
import shlex
import warnings
from pathlib import Path
from typing import Any

import pytest

import simulator as ludometer
from simulator import registry
from simulator.cli.main import run
from simulator.cluster.travel import packed, unpacked
from simulator.errors import RulesError, UserError
from simulator.registry.neighbours import StrangerWarning
from simulator.rules import assumed, build_rules, constants, read_toml, values, write_toml
from simulator.rules.packing import packer
from simulator.rules.tables import cards_from

TEXT = (Path(__file__).resolve().parents[1] / "docs" / "tables.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.+?)```", TEXT, re.DOTALL))
COMMANDS = re.findall(r"^    simulate (.+)$", TEXT, re.MULTILINE)


@pytest.fixture(autouse=True)
def _named_for_the_first_time() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StrangerWarning)
        yield


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """The game of the document, with its table beside it."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "duel.py"


def rewrite(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


def played(duel: Path, **question: Any) -> Any:
    return ludometer.run(str(duel), players=2, games=400, workers=1, **question)


def test_the_game_of_the_document_is_one_and_its_commands_run(duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(duel.parent)
    assert ludometer.try_game("duel.py").complaints == ()
    for command in COMMANDS:
        more = [] if command.startswith("rules") else ["--games", "300"]
        assert run([*shlex.split(command), *more]) == 0


def test_every_number_is_a_constant_with_file_and_line_as_its_source(duel: Path) -> None:
    found = {c.key: c for c in constants(registry.game(str(duel)).rules())}
    assert [key for key in found if key.startswith("cards.copies")] == [
        "cards.copies.Dragon",
        "cards.copies.Knight",
        "cards.copies.Fire_Witch",
        "cards.copies.Peasant",
    ]
    dragon = found["cards.strength.Dragon"]
    assert (dragon.value, dragon.unit, dragon.source, dragon.note) == (7, "strength", "rulebook", "cards.csv, line 2")
    assert not any("text" in key or "name" in key for key in found)


def test_compiled_code_finds_each_column_as_an_array(duel: Path) -> None:
    game = registry.game(str(duel))
    record = game.pack(build_rules(game.rules, {"cards.copies.Dragon": 2}))[0]
    assert record["cards"]["copies"].tolist() == [2, 4, 3, 6]
    assert record["cards"]["price"].tolist() == [5, 2, 1, 0]


def test_setting_one_number_changes_what_is_played(duel: Path) -> None:
    usual, more, none = (played(duel, rules={"cards.copies.Dragon": n}).estimates["dragons"].best for n in (1, 4, 0))
    assert more > usual > none == 0


def test_a_change_of_the_file_is_a_change_of_the_rules(duel: Path) -> None:
    before = played(duel)
    rewrite(duel.with_name("cards.csv"), "Dragon,1", "Dragon,4")
    after = played(duel)
    assert after.experiment.id != before.experiment.id
    assert after.estimates["dragons"].best > before.estimates["dragons"].best
    assert after.digest == played(duel, rules={}).digest


def test_rules_with_a_table_are_written_to_toml_and_read_again(duel: Path, tmp_path: Path) -> None:
    rules = registry.game(str(duel)).rules
    changed = build_rules(rules, {"cards.copies.Dragon": 2})
    (tmp_path / "mine.toml").write_text(write_toml(changed, "Duel"), encoding="utf-8")
    assert values(build_rules(rules, read_toml(tmp_path / "mine.toml", rules))) == values(changed)


def test_the_table_travels_with_the_game(duel: Path) -> None:
    asked = ludometer.make_experiment(str(duel), players=2)
    parcel = packed(asked)
    duel.unlink()
    duel.with_name("cards.csv").unlink()
    assert unpacked(parcel).id == asked.id


WRONG = {
    "no column of names": ("name,copies", "title,copies", "line 1, has no column 'name'; it has title, copies, strength, price, text"),
    "no column of copies": (",copies,", ",copy,", "line 1, has no column 'copies'"),
    "a number left out": ("Knight,4,4", "Knight,4,", "line 3, has no number in the column 'strength', where other lines have one"),
    "half a card": ("Knight,4,", "Knight,4.5,", "line 3, has 4.5 copies; write a whole number from 0 to 10,000"),
    "fewer than none": ("Knight,4,", "Knight,-1,", "line 3, has -1 copies"),
    "one name twice": ("Peasant", "Knight", "line 5, has 'Knight' a second time, after line 3; give it another name"),
    "a cell too many": ("Is brave.", "Is brave, and strong.", "line 3, has 6 cells, where the first line has 5 headings"),
    "a name that no constant can have": ("Dragon", "copy", "line 2, has the name 'copy', which no constant can have"),
    "a number for a name": ("Dragon", "7", "line 2, has the name '7', which no constant can have"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_table_is_one_sentence_with_its_line(duel: Path, case: str) -> None:
    before, after, reason = WRONG[case]
    rewrite(duel.with_name("cards.csv"), before, after)
    with pytest.raises(UserError) as refused:
        registry.game(str(duel))
    assert str(refused.value).startswith(f"Game file {duel}, line 10: Card table cards.csv, ")
    assert reason in str(refused.value)
    assert str(refused.value).endswith(".")


def test_a_table_that_is_not_there_is_told(duel: Path) -> None:
    duel.with_name("cards.csv").unlink()
    with pytest.raises(UserError, match=r"line 10: Card table .*cards\.csv cannot be read: No such file"):
        registry.game(str(duel))


def test_semicolons_fractions_and_assumptions(tmp_path: Path) -> None:
    file = tmp_path / "c.csv"
    file.write_text("name;copies;worth\nA;1;1.5\nB;2;2\n", encoding="utf-8")
    made = cards_from(file, source=assumed)
    assert made().worth.listed() == (1.5, 2.0)  # type: ignore[attr-defined]  # a column of the table
    assert {c.source for c in constants(made())} == {"assumed"}
    assert packer()(made())["worth"][0].dtype == "f8"


def test_cards_are_found_by_their_names(duel: Path) -> None:
    made = cards_from(duel.with_name("cards.csv"))
    assert made.kind("Fire Witch") == 2
    with pytest.raises(RulesError, match=r"There is no card 'Dragn' in the table \(did you mean 'Dragon'\?\)\."):
        made.kind("Dragn")
