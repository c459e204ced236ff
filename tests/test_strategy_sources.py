"""What a strategy may not do is refused by name, with its line, for what is written in it; nothing is compiled."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from simulator import registry
from simulator.errors import StrategyError
from simulator.kernel.sources import PROJECT
from simulator.play.rehearsal import check_source

GAME = registry.game("grinchmas")
HEAD = """from simulator.games.grinchmas.view import *
from simulator.kernel.jit import jit
from strategies import Params, strategy
"""


def table() -> str:
    return "p=Params(at=2, share=0.5, worth=lambda: np.zeros((3, 2)))"


def check(folder: Path, body: str, *, before: str = "", helper: str = "") -> None:
    """Look at a strategy whose body is `body`, with `before` above it; the line of a mistake has `# here` at its end."""
    (folder / "beside.py").write_text(f"import numpy as np\n{HEAD}{helper}", encoding="utf-8")
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f'import numpy as np\n{HEAD}{before}\n\n@strategy("grinchmas")\ndef play(view, u, {table()}):\n    """Plays."""\n{lines}'
    (folder / "mine.py").write_text(text, encoding="utf-8")
    player = registry.player(GAME, f"{folder / 'mine.py'}:play")
    check_source(player.strategy, player.dtype, GAME)


def refused(folder: Path, *arguments: Any, **options: Any) -> str:
    """The sentence, after a look at the file and the line that it names."""
    with pytest.raises(StrategyError) as caught:
        check(folder, *arguments, **options)
    sentence = str(caught.value)
    place = re.search(r"\((\S+), line (\d+)\): ", sentence)
    assert place is not None, sentence
    line = Path(place[1]).read_text(encoding="utf-8").splitlines()[int(place[2]) - 1]
    assert line.endswith("# here"), f"{sentence} is not about: {line}"
    assert sentence.endswith(".")
    return sentence


OWN_CHANCE = "draws numbers that nobody can draw again; use u"
OUTSIDE = {
    "a module of chance": ("import random", "return random.randrange(3)  # here", OWN_CHANCE),
    "a function of chance": ("from random import random", "return int(random() * 2)  # here", OWN_CHANCE),
    "NumPy's chance": ("", "return int(np.random.rand() * 2)  # here", OWN_CHANCE),
    "NumPy's chance by another name": ("import numpy.random as r", "return r.randint(2)  # here", OWN_CHANCE),
    "a function of NumPy's chance": ("from numpy.random import randint", "return randint(2)  # here", OWN_CHANCE),
    "a generator": ("dice = np.random.default_rng(1)", "return dice.integers(2)  # here", OWN_CHANCE),
    "secrets": ("import secrets", "return secrets.randbelow(2)  # here", OWN_CHANCE),
    "the clock": ("import time", "return int(time.time()) % 2  # here", "looks at the clock"),
    "the clock by its function": ("from time import perf_counter as now", "return int(now()) % 2  # here", "looks at the clock"),
    "the date": ("from datetime import datetime", "return datetime.now().day % 2  # here", "looks at the clock"),
    "the environment": ("import os", "return len(os.environ)  # here", "looks outside the game"),
    "the environment by its name": ("from os import environ", "return len(environ)  # here", "looks outside the game"),
    "print": ("", 'print("stars", view.stars)  # here\nreturn 0', "print is not for strategies: nobody reads"),
    "print in a condition": ("", "return 0 if print() is None else 1  # here", "print is not for strategies"),
    "open": ("", 'return len(open("x").read())  # here', "open is not for strategies: it reads and writes nothing"),
    "input": ("", "return int(input())  # here", "input is not for strategies: nobody can answer"),
    "NumPy's files": ("", 'return int(np.load("x.npy")[0])  # here', "np.load is not for strategies"),
    "eval": ("", 'return eval("0")  # here', "eval is not for strategies"),
    "globals": ("", 'return globals()["x"]  # here', "globals is not for strategies"),
    "setattr": ("", 'setattr(view, "stars", 1)  # here\nreturn 0', "setattr is not for strategies"),
    "getattr": ("", 'return getattr(np, "random").randint(2)  # here', "getattr is not for strategies: name what it needs"),
    "hash": ("", 'return hash("a") % 2  # here', "hash is not for strategies: it is another one in each process"),
    "a statement global": ("count = 0", "global count  # here\ncount += 1\nreturn count % 2", "`global count` keeps something"),
    "a list": ("seen = []", "seen.append(1)  # here\nreturn 0", "seen is a list outside of it"),
    "a list that is read": ("order = [2, 1]", "return order[0]  # here", "write constants as a tuple"),
    "an array": ("seen = np.zeros(1)", "seen[0] += 1  # here\nreturn 0", "it changes seen, which outlives a decision"),
    "an array under another name": (
        "seen = np.zeros(1)",
        "s = seen\ns += 1  # here\nreturn 0",
        "it changes seen, which outlives a decision",
    ),
    "an array of a module": (
        "import beside",
        "beside.counts[0] = 1  # here\nreturn 0",
        "it changes beside.counts, which outlives a decision",
    ),
    "a dictionary": ("worth = {1: 2}", "return worth[1]  # here", "worth is a dictionary outside of it"),
    "a set": ("seen = set()", "seen.add(1)  # here\nreturn 0", "seen is a set outside of it"),
    "a tuple of lists": ("seen = ([],)", "seen[0].append(1)  # here\nreturn 0", "seen is a tuple of things that can be changed"),
    "an object": ("class Memory:\n    n = 0\nkept = Memory()", "kept.n += 1  # here\nreturn 0", "kept is a Memory outside of it"),
    "an attribute of its own": ("", "play.calls = 1  # here\nreturn 0", "play is a Strategy outside of it"),
    "an attribute of a module": ("import beside", "beside.number = 2  # here\nreturn 0", "it changes beside.number"),
    "a list of a module": ("import beside", "return len(beside.seen)  # here", "beside.seen is a list outside of it"),
    "a module of Python": ("import bisect", "return bisect.bisect((1, 2), 1)  # here", "bisect.bisect cannot be compiled"),
    "Python from compiled code": ("from numba import objmode", "with objmode():  # here\n    pass\nreturn 0", "objmode"),
    "a name that is none": ("", "return TAK  # here", "there is no 'TAK' (did you mean 'TAKE'?)"),
    "a member that is none": ("", "return np.argmx(view.spot)  # here", "numpy has no 'argmx' (did you mean 'argmax'?)"),
    "an import": ("", "import math  # here\nreturn 0", "move it to the top of the file"),
}


@pytest.mark.parametrize("case", OUTSIDE)
def test_what_lies_outside_of_a_decision_is_refused_by_name(tmp_path: Path, case: str) -> None:
    before, body, reason = OUTSIDE[case]
    assert reason in refused(tmp_path, body, before=before, helper="number = 1\nseen = []\ncounts = np.zeros(2)\n")


@pytest.mark.parametrize("case", ["a module of chance", "print", "a list", "a statement global", "NumPy's files"])
def test_the_same_in_a_helper_is_refused_with_the_line_of_the_helper(tmp_path: Path, case: str) -> None:
    before, body, reason = OUTSIDE[case]
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    helper = f"{before}\n@jit\ndef help_me(view):\n{lines}"
    assert reason in refused(tmp_path, "return help_me(view)", before=helper)
    assert "beside.py, line" in refused(tmp_path, "return help_me(view)", before="from beside import help_me", helper=helper)
    assert reason in refused(tmp_path, "return beside.help_me(view)", before="import beside", helper=helper)


def test_what_a_function_keeps_for_the_strategy_within_it_is_refused(tmp_path: Path) -> None:
    text = f"""{HEAD}
def make():
    seen = []

    @strategy("grinchmas")
    def play(view, u):
        "Plays."
        seen.append(1)  # here
        return 0

    return play


play = make()
"""
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    player = registry.player(GAME, f"{tmp_path / 'mine.py'}:play")
    with pytest.raises(StrategyError, match=r"line 11\): seen is a list outside of it"):
        check_source(player.strategy, player.dtype, GAME)


@pytest.mark.parametrize(
    ("helper", "reason"),
    [
        ("def help_me(view):  # here\n    return 0", "the helper help_me, which line 11 calls, is plain Python; write `from simulator"),
        ("@jit\ndef help_me(view, seen=[]):  # here\n    return 0", "a default of help_me is a list"),
        ("@jit\ndef deeper(view):\n    return help_me(view)\ndef help_me(view):  # here\n    return 0", "is plain Python"),
    ],
)
def test_a_helper_that_is_not_compiled_or_remembers_is_refused(tmp_path: Path, helper: str, reason: str) -> None:
    name = "deeper" if "deeper" in helper else "help_me"
    assert reason in refused(tmp_path, f"return {name}(view)", before=helper)


def test_a_helper_that_is_called_with_too_little_is_told_what_it_takes(tmp_path: Path) -> None:
    assert "lacking takes (view, place, hand), and is called with (view, 0)" in refused(tmp_path, "return lacking(view, 0)  # here")


def test_a_file_that_imports_the_table_of_a_game_is_refused(tmp_path: Path) -> None:
    for line in ("from simulator.games.grinchmas.table import TABLE", "import simulator.games.grinchmas.turn as t"):
        with pytest.raises(StrategyError, match=r"line 5: simulator\.games\.grinchmas\.\w+ holds what no seat can see; import from"):
            check(tmp_path, "return 0", before=line)


# ---------------------------------------------------------------- stores
STORES = {
    "a number of the view": "view.stars = 3  # here",
    "counting up": "view.stars += 1  # here",
    "an element": "view.spot[0] = 3  # here",
    "an element of an element": "view.house[1][0] = 0  # here",
    "by a field's name": 'view["stars"] = 3  # here',
    "a slice": "view.spot[:] = 0  # here",
    "a whole array": "view.spot += 1  # here",
    "a parameter": "p.at += 1  # here",
    "a table": "p.worth[0, 0] = 1  # here",
    "another name": "v = view\nv.stars = 3  # here",
    "another name of an array": "spot = view.spot\nspot[0] = 1  # here",
    "another name counted up": "spot = view.spot\nspot += 1  # here",
    "a slice by another name": "some = view.spot[1:]\nsome[0] = 1  # here",
    "a row by another name": "row = view.house[2]\nrow[0] = 0  # here",
    "two names": "a, b = view.spot, view.mine\nb[0] = 0  # here",
    "a name within an expression": "n = (s := view.spot)[0]\ns[0] = n  # here",
    "one of two": "s = view.spot if view.stars > 1 else view.wish_kind\ns[0] = 1  # here",
    "in one branch": "s = np.zeros(3)\nif view.stars:\n    s = view.spot\ns[0] = 1  # here",
    "in the next round": "s = np.zeros(3)\nfor i in range(2):\n    s[0] = 1  # here\n    s = view.spot",
    "rows of a loop": "for row in view.house:\n    row[0] = 0  # here",
    "rows with their numbers": "for i, row in enumerate(view.house):\n    row[0] = 0  # here",
    "rows side by side": "for a, b in zip(view.pay, view.house):\n    b[0] = 0  # here",
    "in a list": "rows = [view.spot, view.mine]\nrows[0][0] = 1  # here",
    "sorting": "view.spot.sort()  # here",
    "filling": "s = view.spot\ns.fill(0)  # here",
    "a reshaped one": "s = view.house.reshape(-1)\ns[0] = 0  # here",
    "as an array": "s = np.asarray(view.spot)\ns[0] = 0  # here",
    "copying into it": "np.copyto(view.spot, np.zeros(3))  # here",
    "filling its diagonal": "np.fill_diagonal(view.house, 0)  # here",
    "an output": "np.add(view.spot, 1, view.spot)  # here",
    "an output by its name": "np.add(view.spot, 1, out=view.spot)  # here",
    "a variable of a loop": "for view.stars in range(3):  # here\n    pass",
    "within a comprehension": "n = [(s := view.spot) for i in range(2)]\ns[0] = 1  # here",
    "deleting": "del view.stars  # here",
}


@pytest.mark.parametrize("case", STORES)
def test_a_store_to_the_view_or_the_parameters_is_refused_under_any_name(tmp_path: Path, case: str) -> None:
    sentence = refused(tmp_path, f"{STORES[case]}\nreturn 0")
    assert re.search(r": it changes (view\.\w+|p\.\w+|view|p), and that is there to be read alone; change a copy, as in `", sentence)


@pytest.mark.parametrize(
    ("helper", "call"),
    [
        ("def help_me(seen):\n    seen.stars = 1  # here", "help_me(view)"),
        ("def help_me(seen, q):\n    q.at = 1  # here", "help_me(view, q=p)"),
        ("def help_me(spot):\n    spot[0] = 1  # here", "help_me(view.spot)"),
        ("def help_me(v):\n    return v.spot\n@jit\ndef other(v):\n    s = help_me(v)\n    s[0] = 1  # here", "other(view)"),
    ],
)
def test_a_store_in_a_helper_that_is_handed_the_view_is_refused(tmp_path: Path, helper: str, call: str) -> None:
    assert "it changes " in refused(tmp_path, f"{call}\nreturn 0", before=f"@jit\n{helper}")
    name = call.partition("(")[0]
    assert "beside.py" in refused(tmp_path, f"{call}\nreturn 0", before=f"from beside import {name}", helper=f"@jit\n{helper}")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return view.star  # here", "view.star is not there: the view of Merry Grinchmas has no 'star' (did you mean 'stars'?)"),
        ("v = view\nreturn v.scorse[0]  # here", "has no 'scorse' (did you mean 'scores'?)"),
        ("return p.shar > 1  # here", "p.shar is not there: its Params has no 'shar' (did you mean 'share'?)"),
        ("return view.zzz  # here", "has no 'zzz'; it has decision, n_options, seat,"),
        ("return view.copy().stars  # here", "has no 'copy'"),
    ],
)
def test_a_field_or_parameter_that_there_is_not_is_refused_with_the_nearest(tmp_path: Path, body: str, reason: str) -> None:
    assert reason in refused(tmp_path, body)


ALLOWED = {
    "constants": ("import math\nNEAR = 3\nORDER = (1, (2, 'a'))", "return int(math.pi) + NEAR + ORDER[0] + len(ORDER[1][1])"),
    "an array that is read": ("SHARES = np.array([0.2, 0.5])", "return int(SHARES[1] > u)"),
    "an enumeration": ("from enum import IntEnum\nclass Kind(IntEnum):\n    ONE = 1", "return Kind.ONE"),
    "copies": ("", "s = view.spot.copy()\ns[0] = 1\ns += 1\nt = np.sort(view.spot)\nt[0] = 2\nreturn 0"),
    "numbers": ("", "n = view.spot[0]\nn += 1\nm = view.stars\nm += 1\nk = p.at\nk -= 1\nfor x in view.spot:\n    x += 1\nreturn 0"),
    "a name that is given anew": ("", "s = view.spot\ns = np.zeros(3)\ns[0] = 1\nreturn 0"),
    "lists of its own": ("", "n = [view.gain[i] for i in range(3)]\nn[0] = 1\nn.append(2)\nreturn n.index(max(n))"),
    "a dictionary of its own": ("", 'worth = {"low": 3}\nworth["high"] = view.stars\nreturn worth["low"]'),
    "helpers of its own": ("@jit\ndef twice(n, m=2):\n    return n * m", "return twice(view.stars) + twice(m=1, n=2)"),
    "helpers that call each other": (
        "@jit\ndef even(n):\n    return n == 0 or odd(n - 1)\n@jit\ndef odd(n):\n    return n > 0 and even(n - 1)",
        "return int(even(view.stars))",
    ),
    "helpers of the view": ("", "return lacking(view, 0, with_token(view.mine, 1))"),
    "helpers beside it": ("import beside", "return beside.number_of(view)"),
    "NumPy": ("", "return np.argmax(view.gain[: view.n_options]) * np.int64(1)"),
    "a module that is imported and not used": ("import random, os, time", "return 0"),
}


@pytest.mark.parametrize("case", ALLOWED)
def test_all_else_passes(tmp_path: Path, case: str) -> None:
    before, body = ALLOWED[case]
    check(tmp_path, body, before=before, helper="@jit\ndef number_of(view):\n    return view.n_options - 1\n")


@pytest.mark.parametrize("name", registry.game_names())
def test_every_strategy_of_the_program_does_nothing_that_others_may_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.game(name)
    for module in ("purity", "aliases"):
        monkeypatch.setattr(f"simulator.play.{module}.is_own", lambda file: PROJECT / "simulator" in Path(file).parents)
    for strategy in registry.strategies(name).values():
        check_source.__wrapped__(strategy, registry.player(game, strategy.name).dtype, game)
