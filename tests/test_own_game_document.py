"""The page that builds a game step by step, and the one on what is compiled, are done as they stand."""

from __future__ import annotations

import ast
import re
import shlex
import warnings
from pathlib import Path

import pytest

import simulator as ludometer
from simulator.cli.commands.new import texts_of
from simulator.cli.main import run
from simulator.registry.neighbours import StrangerWarning

DOCS = Path(__file__).resolve().parents[1] / "docs"
TEXT = (DOCS / "your-own-game.md").read_text(encoding="utf-8")
PARTS = re.findall(r"<!-- (step|file: \S+|python) -->\n```\w+\n(.+?)```|^    simulate ([^\n]+)$", TEXT, re.DOTALL | re.MULTILINE)
LESS = {"tournament": "--games 300", "sensitivity": "--games 500", "compare": "--games 500", "sweep": "--games 500", "check": "--games 20k"}
"""What is typed after a command that would play for long."""


def named(node: ast.stmt) -> tuple[str, ...]:
    """What a statement at the top of a file gives a value."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return (node.name,)
    return tuple(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def with_step(text: str, step: str) -> str:
    """A file in which what a step gives is in the place of what was there, or, if it is new, above the game."""
    if not text:
        return step
    old, new = ast.parse(text), ast.parse(step)
    replaced = {name: node for node in new.body for name in named(node)}
    body = [node for node in old.body if not (set(named(node)) & set(replaced)) or named(node)[0] == "GAME"]
    at = next(i for i, node in enumerate(body) if named(node) == ("TABLE",) or isinstance(node, ast.FunctionDef))
    fresh = [node for node in new.body if named(node) != ("GAME",)]
    game = replaced.get("GAME", body[-1])
    before = [node for node in fresh if isinstance(node, ast.Assign | ast.ClassDef) and named(node) != ("STORY",)]
    after = [node for node in fresh if node not in before]
    table = [node for node in body[at:-1] if named(node) == ("TABLE",)]
    rest = [node for node in body[at:-1] if node not in table]
    return "\n\n".join(ast.unparse(node) for node in (*body[:at], *before, *table, *rest, *after, game))


def test_every_step_of_the_page_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    steps = commands = 0
    for kind, block, command in PARTS:
        if kind == "step":
            game = Path("magpie.py")
            game.write_text(with_step(game.read_text(encoding="utf-8") if steps else "", block), encoding="utf-8")
            steps += 1
        elif kind == "python":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", StrangerWarning)
                exec(block, {})  # noqa: S102  the document's own example
            assert capsys.readouterr().out.endswith("()\n")
        elif kind:
            Path(kind.removeprefix("file: ")).write_text(block, encoding="utf-8")
        else:
            words = shlex.split(command)
            assert run([*words, *LESS.get(words[0], "").split()]) == 0, (command, capsys.readouterr())
            commands += 1
    assert (steps, commands) == (5, 17)
    assert Path("magpie.html").stat().st_size > 10_000


COMPILED = (DOCS / "compiled.md").read_text(encoding="utf-8")
FORBIDDEN = re.findall(r"^\| `(.+?)` \|", COMPILED, re.MULTILINE)
FIRST_LINE = "    table.total = 0\n"


@pytest.mark.parametrize("code", FORBIDDEN)
def test_what_the_page_forbids_is_complained_of(code: str, tmp_path: Path) -> None:
    text = texts_of("mine", "dice")["mine.py"].replace("from enum", "import random\nfrom enum")
    text = text.replace(FIRST_LINE, f"{FIRST_LINE}    n = 0\n    {code}\n")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StrangerWarning)
        found = ludometer.try_game(str(tmp_path / "mine.py"))
    assert [complaint.code for complaint in found.complaints] == [code]
    assert not found.compiled


def test_the_page_forbids_ten_things() -> None:
    assert len(FORBIDDEN) == 10
