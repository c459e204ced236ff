"""What a game's functions are written with, told from the source before anything runs: compiled code knows numbers and nothing else."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

from simulator.kernel.sources import is_own
from simulator.play import purity
from simulator.registry.source_text import Mistake, Written, plain_function

if TYPE_CHECKING:
    from simulator.game import Game

ARGUMENTS = {"deal": 2, "turn": 3, "score": 2, "show": 3, "payoff": 3, "redeal": 3}
"""How many of `table, rules, seat` each of a game's functions takes."""

_TUPLE = "write it in round brackets, or keep it on the table with kit.numbers(...)"
_NO_END = "games never raise; end the turn with return, or the game with kit.win(table, seat)"
_INNER = "a function within a function cannot be compiled; write it with def and @kit.jit beside the others"
_FORBIDDEN: dict[type[ast.AST], str] = {
    ast.List: f"a list cannot be compiled well; {_TUPLE}",
    ast.ListComp: f"a list cannot be compiled well; {_TUPLE}",
    ast.Dict: "a dictionary cannot be compiled; keep its numbers on the table, with kit.numbers(...), and look them up by place",
    ast.DictComp: "a dictionary cannot be compiled; keep its numbers on the table, with kit.numbers(...), and look them up by place",
    ast.Set: f"a set cannot be compiled well; {_TUPLE}",
    ast.SetComp: f"a set cannot be compiled well; {_TUPLE}",
    ast.JoinedStr: "a text cannot be compiled; note an event with kit.note, and give it a sentence in the story",
    ast.Raise: _NO_END,
    ast.Assert: _NO_END,
    ast.GeneratorExp: "a generator cannot be compiled; write it as a loop",
    ast.Match: "`match` cannot be compiled; write it with if and elif",
    ast.Try: "nothing can be caught; ask first whether it is possible",
    ast.With: "`with` cannot be compiled; leave it out",
    **dict.fromkeys((ast.Lambda, ast.FunctionDef), _INNER),
    ast.ClassDef: "a class within a function cannot be compiled; keep its numbers on the table",
    ast.Yield: "`yield` cannot be compiled; return, or write it as a loop",
    ast.Await: "`await` cannot be compiled; leave it out",
}
_TEXT = "a text cannot be compiled; give it a number with a name, such as RED = 0, or compare with its place among the choices"


class _Names(purity.Names):
    whose = "games"
    parts = "numbers, loops, the kit and functions with @kit.jit above them"
    pure = "what happens may depend on nothing but table and rules"
    builtins: ClassVar[dict[str, str]] = {
        **purity.BUILTINS,
        "print": "nobody reads what a million games print; note an event with kit.note, and read it in `simulate replay`",
        **dict.fromkeys(("exit", "quit"), "end the game with kit.win(table, seat) or kit.end_for_all(table, won)"),
    }
    elsewhere = (
        (
            purity.CHANCE,
            "draws numbers that nobody can draw again; throw with kit.roll(table, DIE, sides)",
        ),
        (purity.CLOCK, "looks at the clock, so that no game could be played again"),
        (purity.OUTSIDE, "looks outside the game, which may depend on nothing but table and rules"),
    )

    def visit(self, node: ast.AST) -> None:
        """Refuse what cannot be compiled, and pass over docstrings."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        reason = _FORBIDDEN.get(type(node))
        if reason is None and isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            reason = _TEXT
        if reason is not None:
            self.written.wrong(node, reason)
        super().visit(node)


def mistakes_in(game: Game) -> Iterator[Mistake]:
    """The first mistake of each function that a game is made of."""
    todo = []
    for name, count in ARGUMENTS.items():
        function = plain_function(getattr(game, name))
        if function is None or is_own(Path(function.__code__.co_filename)):
            continue
        wrong = _arguments(name, function, count)
        if wrong is not None:
            yield wrong
        todo.append(function)
    own, seen = set(todo), set[Any]()
    while todo:
        current = todo.pop(0)
        if current in seen or is_own(Path(current.__code__.co_filename)):
            continue
        seen.add(current)
        try:
            names = _Names(Written(current))
            names.check(helper=current not in own)
        except Mistake as mistake:
            yield mistake
        else:
            todo += names.helpers


def _arguments(name: str, function: FunctionType, count: int) -> Mistake | None:
    """Complain where a function does not take what it is called with."""
    taken = len(inspect.signature(function).parameters)
    if taken == count:
        return None
    wanted = f"{name}({', '.join(('table', 'rules', 'seat')[:count])})"
    code = function.__code__
    return Mistake(Path(code.co_filename), code.co_firstlineno, f"`{name}` takes {taken} arguments, and is called as {wanted}")
