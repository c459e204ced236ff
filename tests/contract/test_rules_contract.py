"""What every game declares about its rules: alternatives, what moves together, what acts at a table, rulings, lengths."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simulator import registry
from simulator.errors import RulesError
from simulator.game import Ruling
from simulator.play.run import run
from simulator.rules import Constant, build_rules, constants, values
from simulator.rules.alternatives import acts, alternatives, carried, loosened

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(registry.game_names())
FEWEST_LISTS = 5
"""So many other boards, spinners or sets of dice at least, spread over what a publisher would print."""

CONSTANTS = [(name, c) for name in GAMES for c in constants(registry.game(name).rules())]
ASSUMED = [(name, c) for name, c in CONSTANTS if c.source == "assumed"]
MOVES = [(name, c.key, to) for name, c in CONSTANTS for to in alternatives(c, registry.game(name).rules)]
RULINGS = [(name, ruling) for name in GAMES for ruling in registry.game(name).rulings]


@pytest.mark.parametrize(("name", "constant"), ASSUMED, ids=lambda v: getattr(v, "key", v))
def test_every_assumed_constant_has_alternatives_that_can_be_played(name: str, constant: Constant) -> None:
    model = registry.game(name).rules
    wanted = alternatives(constant, model)
    assert len(wanted) >= (FEWEST_LISTS if isinstance(constant.value, tuple) else 1)
    for to in wanted:
        assert values(build_rules(model, {constant.key: to}))[constant.key] == to != constant.value


@pytest.mark.parametrize("name", GAMES)
def test_what_is_derived_moves_only_with_what_it_is_derived_from(name: str) -> None:
    for constant in constants(registry.game(name).rules()):
        if constant.source == "derived":
            assert not alternatives(constant, registry.game(name).rules)


@pytest.mark.parametrize("name", GAMES)
def test_a_move_carries_the_same_along_from_a_file_that_says_every_constant(name: str) -> None:
    model = registry.game(name).rules
    whole = values(model())
    assert loosened(model, whole) == {}
    for _, key, to in (move for move in MOVES if move[0] == name):
        try:
            moved = build_rules(model, {key: to})
        except RulesError:
            continue
        everything = {key: to} | {k: end for k, (_, end) in carried(model, whole, key, to).items()}
        assert build_rules(model, {**whole, **everything}) == moved


def test_a_rule_that_can_be_left_out_is_left_out_at_every_number_of_players() -> None:
    for name, constant in CONSTANTS:
        if constant.left_out is not None:
            assert constant.left_out in alternatives(constant, registry.game(name).rules)


@pytest.mark.parametrize("name", GAMES)
def test_a_move_that_cannot_act_changes_no_playout(name: str) -> None:
    game = registry.game(name)
    for players in range(game.players[0], game.players[1] + 1):
        for _, key, to in (move for move in MOVES if move[0] == name):
            try:
                moved = build_rules(game.rules, {key: to})
            except RulesError:
                continue
            if not acts(game.rules(), moved, players):
                same = run(name, players=players, games=200, workers=1)
                assert run(name, players=players, games=200, rules={key: to}, workers=1).digest == same.digest, (key, to, players)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_says_how_long_it_could_last_and_where_its_players_come_from(name: str) -> None:
    game = registry.game(name)
    assert game.players_note
    assert game.box_length is not None
    for low, high in (game.box_length.rounds, game.box_length.minutes):
        assert 0 < low < high
    assert game.box_length.why


# ---------------------------------------------------------------- rulings: one list for documents, sources, tests, reports


def test_the_three_games_of_the_rulebooks_have_rulings() -> None:
    assert {name for name, _ in RULINGS} == {name for name in GAMES if not registry.game(name).classic}


@pytest.mark.parametrize("name", GAMES)
def test_rulings_are_numbered_and_switches_exist(name: str) -> None:
    rulings = registry.game(name).rulings
    letters = {re.sub(r"\d", "", ruling.name) for ruling in rulings}
    assert len(letters) == bool(rulings)
    assert [int(ruling.name[1:]) for ruling in rulings] == list(range(1, len(rulings) + 1))
    known = {c.key: c for c in constants(registry.game(name).rules())}
    for ruling in rulings:
        assert ruling.text.endswith(".")
        assert "`" not in ruling.text
        assert not ruling.switch or alternatives(known[ruling.switch], registry.game(name).rules)


@pytest.mark.parametrize(("name", "ruling"), RULINGS, ids=lambda v: getattr(v, "name", v))
def test_every_ruling_stands_word_for_word_in_the_document_with_its_switch(name: str, ruling: Ruling) -> None:
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if line.startswith(f"| {ruling.name} |")]
    _, _, told, constant, _ = (cell.strip() for cell in line.split("|"))
    assert told == f"*Switch.* {ruling.text}" if ruling.switch else told == ruling.text
    assert ruling.switch in constant


@pytest.mark.parametrize(("name", "ruling"), RULINGS, ids=lambda v: getattr(v, "name", v))
def test_every_ruling_has_a_test_named_after_it(name: str, ruling: Ruling) -> None:
    tests = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests" / "games" / name).glob("test_*.py"))
    number = int(ruling.name[1:])
    named = {int(n) for span in re.findall(rf"def test_{ruling.name[0].lower()}(\d+(?:_to_[a-z]\d+)?)_", tests) for n in numbers_of(span)}
    assert number in named


def numbers_of(span: str) -> range:
    """The numbers of `07` or of `10_to_n12`."""
    first, _, last = span.partition("_to_")
    return range(int(first), int(last[1:] if last else first) + 1)


@pytest.mark.parametrize("name", [name for name in GAMES if registry.game(name).rulings])
def test_every_ruling_that_is_cited_exists(name: str) -> None:
    known = {ruling.name for ruling in registry.game(name).rulings}
    letter = next(iter(known))[0]
    sources = [*(ROOT / "simulator" / "games" / name).glob("*.py"), ROOT / "strategies" / f"{name}.py", ROOT / "docs" / f"{name}.md"]
    for file in sources:
        cited = set(re.findall(rf"\b{letter}\d+\b", file.read_text(encoding="utf-8")))
        assert cited <= known, f"{file.name}: {cited - known}"
