"""Trying a game out: what is wrong with it is a sentence with its line, and all of it is seen in plain Python where it can be."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import simulator as ludometer
from simulator import registry
from simulator.cli.commands.new import STARTS, texts_of
from simulator.errors import UserError
from simulator.play.plain_games import PlainTable
from simulator.play.table import Table
from simulator.registry.lineup import make_player
from simulator.registry.neighbours import StrangerWarning
from simulator.studies.trial import Trial


@pytest.fixture(autouse=True)
def _named_for_the_first_time() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StrangerWarning)
        yield


def begun(folder: Path, start: str = "cards", *changes: tuple[str, str]) -> Path:
    """The file of a game as it is begun, with something changed in it."""
    text = texts_of("mine", start)["mine.py"]
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return file


def tried(folder: Path, *changes: tuple[str, str], start: str = "cards") -> Trial:
    return ludometer.try_game(str(begun(folder, start, *changes)))


@pytest.mark.parametrize("start", STARTS)
def test_every_start_is_a_game_without_a_complaint_in_ninety_lines(tmp_path: Path, start: str) -> None:
    file = begun(tmp_path, start)
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 90
    found = ludometer.try_game(str(file))
    assert (found.complaints, found.notes) == ((), ())
    assert found.compiled
    assert found.playouts > 30


TURN = "    table.die, n = kit.roll(table, DIE, KINDS), 0\n"
DRAW = "@kit.jit\ndef draw(table, seat):"
HIGHEST = '    """Plays its highest card."""\n    return view.n_options - 1'
HELPER = "@kit.jit\ndef double(value):\n    value * 2\n\n\n@kit.jit\ndef turn("

MISTAKES: dict[str, tuple[list[tuple[str, str]], str, str]] = {
    "a misspelt field": (
        [("table.missed += 0", "table.mised += 0")],
        "table.mised += 0",
        "there is no field 'mised' (did you mean 'missed'?), which kit.table(...) has to declare",
    ),
    "a misspelt rule": ([("rules.goal:", "rules.gaol:")], "rules.gaol", "there is no field 'gaol' (did you mean 'goal'?) among the rules"),
    "a list": ([(TURN, TURN + "    found = [0, 0]\n")], "found = [0, 0]", "a list cannot be compiled well; write it in round brackets"),
    "a dictionary": ([(TURN, TURN + "    found = {}\n")], "found = {}", "a dictionary cannot be compiled; keep its numbers on the table"),
    "a fraction where a whole number is wanted": (
        [("+= value if beats", "+= value / 2 if beats")],
        "value / 2",
        "and holds whole numbers; divide with //, or write int(...)",
    ),
    "a helper that is not compiled": ([(DRAW, "def draw(table, seat):")], "def draw", "write `from simulator.kernel.jit import jit`"),
    "Python's random numbers": (
        [
            ("from enum import IntEnum\n", "import random\nfrom enum import IntEnum\n"),
            (TURN, TURN + "    table.die = random.randint(1, 6)\n"),
        ],
        "random.randint",
        "draws numbers that nobody can draw again; throw with kit.roll(table, DIE, sides)",
    ),
    "NumPy's random numbers": (
        [
            ("from enum import IntEnum\n", "from enum import IntEnum\n\nimport numpy as np\n"),
            (TURN, TURN + "    table.die = np.random.randint(1, 7)\n"),
        ],
        "np.random.randint",
        "draws numbers that nobody can draw again",
    ),
    "an exception": (
        [(TURN, TURN + "    if n > 9:\n        raise ValueError\n")],
        "raise ValueError",
        "games never raise; end the turn with return, or the game with kit.win(table, seat)",
    ),
    "a text": ([(TURN, TURN + '    mood = "good"\n')], 'mood = "good"', "a text cannot be compiled; give it a number with a name"),
    "a print": ([(TURN, TURN + "    print(n)\n")], "print(n)", "print is not for games: nobody reads what a million games print"),
    "a missing return": (
        [("@kit.jit\ndef turn(", HELPER), ("+= value if beats", "+= double(value) if beats"), ("beats else 0", "beats else 1")],
        "+= double(value)",
        "it calculates with None: what is called there comes to its end without a return",
    ),
    "a strategy without a return": ([(HIGHEST, HIGHEST.replace("return ", ""))], "value = table.value[kit.choose", "without a return"),
    "a turn without an end": (
        [(TURN, TURN + "    while n == 0:\n        table.die = 3\n")],
        "while n == 0:",
        "this has not come to its end after 50,000 lines; every turn has to end, whoever plays",
    ),
    "an option out of range": (
        [(HIGHEST, HIGHEST.replace(" - 1", ""))],
        "kit.choose",
        "strategy 'highest' returns option 2 at the decision 'card', where it has to be 0 to 1",
    ),
    "a strategy that reads what is hidden": (
        [(HIGHEST, HIGHEST.replace("view.n_options - 1", "int(view.deck) % 1"))],
        "int(view.deck)",
        "'deck' is seen by nobody, so that no strategy can read it",
    ),
    "two draws from one address": (
        [(TURN, TURN + "    table.die = 1 + min(kit.spin(table, DIE, KINDS), kit.spin(table, DIE, KINDS))\n")],
        "kit.spin",
        "it draws what was drawn there before; each die needs a number of its own, and kit.spin is for one use in a turn",
    ),
    "a metric that is never written": (
        [("    table.missed += 0 if beats else 1\n", "")],
        "missed=kit.counted",
        "'missed' is counted and never written; write table.missed += 1 where it happens",
    ),
    "a wrong number of arguments": (
        [("kit.roll(table, DIE, KINDS)", "kit.roll(table, DIE)")],
        "kit.roll(table, DIE)",
        "roll() missing 1 required positional argument: 'sides'; it is roll(table, die, sides)",
    ),
    "a turn with a wrong number of arguments": (
        [("def turn(table, rules, seat):", "def turn(table, rules):")],
        "@kit.jit",
        "`turn` takes 2 arguments, and is called as turn(table, rules, seat)",
    ),
    "a decorator forgotten": (
        [("@kit.jit\ndef turn(", "def turn(")],
        "def turn(",
        "its `turn` is not compiled; put @jit above it (from simulator.kernel.jit import jit)",
    ),
    "a place beyond the end": (
        [(TURN, TURN + "    table.value[KINDS] = 1\n")],
        "table.value[KINDS] = 1",
        "it reads place 6 of an array that has 6, counted from 0; ask first",
    ),
    "a seat that nobody sits at": (
        [("table.score[seat] += value", "table.score[seat + 1] += value")],
        "table.score[seat + 1]",
        "'score' is written for seat 2, where 2 sit at the table, counted from 0",
    ),
    "a card that is not there": (
        [("-= piles.one(DECK, value - 1)", "-= piles.one(DECK, 5)")],
        "-= piles.one(DECK, 5)",
        "'hand' would hold fewer than none of a kind, or too many; look with piles.count before a card is taken",
    ),
    "a card among numbers": (
        [(TURN, TURN + "    table.deck += 1\n")],
        "table.deck += 1",
        "1 is added to packed cards or taken from them; write piles.one(DECK, kind) for a card of a kind",
    ),
    "a kind that there is not": (
        [("-= piles.one(DECK, value - 1)", "-= piles.one(DECK, value + 6)")],
        "-= piles.one(DECK, value + 6)",
        "where the kinds are 0 to 5",
    ),
    "a hand as a list": (
        [(TURN, TURN + "    table.hand[seat].append(3)\n")],
        "table.hand[seat].append(3)",
        "packed cards are one number: add and take with + and -, and look at them with the functions of piles",
    ),
    "a die without sides": ([("DIE, KINDS), 0", "DIE, 0), 0")], "kit.roll(table, DIE, 0)", "it draws one of 0 numbers"),
    "an array as a number": ([(TURN, TURN + "    table.score = 5\n")], "table.score = 5", "write them one by one, as in score[0] = 1"),
    "a global": ([(TURN, "    global GAME\n" + TURN)], "global GAME", "what happens may depend on nothing but table and rules"),
    "no options at all": ([("WHICH_CARD, n)]", "WHICH_CARD, n * 0)]")], "n * 0", "it asks for one of 0 options at the decision 'card'"),
    "a decision without a name": ([('("card",)', "()")], "kit.choose", "it asks for decision 0, and the game names 0 in decisions=(...)"),
    "a decision that is never asked": ([('("card",)', '("card", "extra")')], "decisions=", "the decision 'extra' never left a choice"),
    "rules that change": (
        [("        kit.win(table, seat)", "        rules.goal = 1\n        kit.win(table, seat)")],
        "rules.goal = 1",
        "rules stay as they are while a game is played; keep what changes on the table, and 'goal' is written",
    ),
    "a strategy that writes": (
        [(HIGHEST, HIGHEST.replace("    return", "    view.die = 6\n    return"))],
        "view.die = 6",
        "a strategy reads its view, and changes nothing, and 'die' is written",
    ),
    "two winners": (
        [("kit.win(table, seat)", "kit.win(table, seat)\n        kit.win(table, (seat + 1) % table.seats)")],
        "@kit.jit",
        "a playout ended with wins.0=1, wins.1=1, unfinished=0, and exactly one of these has to be 1",
    ),
    "no end": (
        [("        kit.win(table, seat)", "        table.die = 0"), ("rules.goal + KINDS", "9999")],
        "@kit.jit",
        "no playout came to an end before the turn cap; end it with kit.win(table, seat)",
    ),
    "a metric beyond its range": (
        [("rules.goal + KINDS", "rules.goal - 9")],
        "score=kit.per_seat",
        "and is declared to lie between 0 and 6",
    ),
    "an event without a sentence": (
        [(', Event.WON: "Seat {a} wins."', "")],
        "story=",
        "event 2 has no sentence in the story",
    ),
    "a story that fails": (
        [("view.value[option]", "view.vallue[option]")],
        "view.vallue[option]",
        "the story fails with AttributeError",
    ),
    "a name of the kit's that is none": ([("kit.roll(", "kit.rol(")], "kit.rol(", "rol"),
    "a strategy of another game": (
        [('@strategy("mine")\ndef thrifty', '@strategy("other")\ndef thrifty')],
        "@strategy",
        "declared for 'other'",
    ),
    "a rule without a source": (
        [("    copies: int", "    extra: int = 3\n    copies: int")],
        "extra: int = 3",
        "its rule 'extra' says neither what it is nor where it comes from; declare it with constant(...)",
    ),
    "a field that cannot be called so": ([("die=kit.number()", "turn=kit.number()")], "", "a field cannot be called 'turn'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_with_its_line_and_seen_before_anything_is_compiled(tmp_path: Path, mistake: str) -> None:
    changes, code, reason = MISTAKES[mistake]
    found = tried(tmp_path, *changes)
    assert not found.compiled
    complaint = found.complaints[0]
    assert reason in complaint.reason
    assert code in complaint.code
    assert complaint.sentence.startswith(f"mine.py, line {complaint.line}: ")
    assert complaint.sentence.endswith(".")
    assert "\n" not in complaint.sentence


def test_a_constant_that_does_nothing_is_told_with_its_line(tmp_path: Path) -> None:
    extra = '    extra: int = constant(3, ge=0, le=9, unit="cards", description="For nothing.", source=rulebook("Nowhere"))\n'
    found = tried(tmp_path, ("    copies: int", extra + "    copies: int"))
    (complaint,) = found.complaints
    assert "the constant 'extra' does nothing: with 3 and with other values 400 playouts came out the same" in complaint.reason
    assert complaint.code.startswith("extra: int")


def with_function(folder: Path, name: str, body: str) -> Trial:
    """A trial of the game with one more function."""
    code = f"@kit.jit\ndef {name}(table, rules, seat):\n    {body}\n\n\nWORDS = "
    return tried(folder, ("WORDS = ", code), ("turn=turn,", f"turn=turn, {name}={name},"))


PAYOFFS = {
    "return 1.0 - table.wins[seat]": "does not agree with who won: seat 0 did, and the seats get 0, 1",
    "return 1.0": "does not agree with who won: seat 0 did, and the seats get 1, 1",
    "return None": "gives seat 0 nothing",
}


@pytest.mark.parametrize("body", PAYOFFS)
def test_payoffs_have_to_agree_with_who_won(tmp_path: Path, body: str) -> None:
    complaint = with_function(tmp_path, "payoff", body).complaints[0]
    assert PAYOFFS[body] in complaint.reason


def test_a_view_that_tells_what_is_hidden_is_told(tmp_path: Path) -> None:
    """A tell is planted: what a seat is shown is how many sixes lie in the deck."""
    complaint = with_function(tmp_path, "show", "table.die = piles.count(DECK, table.deck, 5)").complaints[0]
    assert "sees another 'die' once all that it cannot see is dealt afresh; its view tells what is hidden" in complaint.reason


def test_what_is_hidden_and_not_dealt_afresh_is_noted(tmp_path: Path) -> None:
    found = tried(
        tmp_path,
        ("    die=kit.number(),", "    die=kit.number(),\n    secret=kit.number(seen_by=kit.NOBODY),"),
        ("    table.discards += piles.one", "    table.secret += 1\n    table.discards += piles.one"),
    )
    assert found.complaints == ()
    (note,) = found.notes
    assert note.startswith("'secret' is hidden and not dealt afresh, so that `lookahead` knows it")


def test_a_file_that_is_not_there_is_no_complaint_but_an_error() -> None:
    with pytest.raises(UserError, match="cannot be read"):
        ludometer.try_game("nowhere.py")


@pytest.mark.parametrize("name", registry.game_names())
def test_plain_python_plays_what_is_compiled(name: str) -> None:
    game = registry.game(name)
    seats = min(3, game.players[1])
    players = (
        make_player(registry.strategies(game)[game.default_strategy]),
        *[make_player(registry.strategies(game)["uniform"])] * (seats - 1),
    )
    plain, rows = PlainTable(game, game.rules(), players), []
    for playout in range(2):
        plain.deal(5, playout)
        while plain.begin():
            plain.take_turn()
        rows.append(plain.row())
    compiled, wanted = Table(game, game.rules(), players), np.zeros((2, len(plain.metrics)), np.int32)
    assert compiled.play(5, 0, wanted, np.zeros(2, np.int64))[0] == 2
    assert np.array_equal(rows, wanted)
