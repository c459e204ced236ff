"""How a strategy is declared. Nothing here compiles or plays anything."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

from simulator.kernel.sources import fingerprint

ANY_GAME = "*"
"""The game of a strategy that reads only what every view has."""


TableFunction = Callable[[], Any]
"""Computes a table: a NumPy array of numbers, the same one on every call."""


class MisuseError(TypeError):
    """`Params` or `strategy` was given what it cannot take; the message is a clause that says what to write."""


class Params:
    """Named parameters of a strategy with their defaults; inside the strategy they are read as attributes.

    A default is a number, or a function without arguments that returns a NumPy array: a table. A table is computed when
    somebody is about to play the strategy, and read as `p.policy[i, j]`. It cannot be set on the command line, and it
    knows no rules: what a strategy looks up in it has to follow from the view.

    >>> vars(Params(stop_at=6))
    {'stop_at': 6}
    """

    def __init__(self, **defaults: float | TableFunction) -> None:
        """Take name and default of each parameter.

        Raises:
            MisuseError: a default is neither a finite number nor a function, or a name means something else in NumPy's records.
        """
        from simulator.kernel.records import refuse_owned  # noqa: PLC0415  needs NumPy

        for name, value in defaults.items():
            number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            if not number and (isinstance(value, type) or not callable(value)):
                message = f"parameter {name} must have a finite number, or a function that returns a table, as its default, not {value!r}"
                raise MisuseError(message)
            try:
                refuse_owned(name)
            except ValueError as error:
                raise MisuseError(str(error)) from None
        self.__dict__.update(defaults)


@dataclass(frozen=True)
class Strategy:
    """A declared strategy.

    Attributes:
        game: name of the game it plays, or ANY_GAME.
        name: the function's name.
        function: the plain Python function (view, u) or (view, u, parameters) -> option index.
        parameters: names and defaults of those that are numbers; an integer default makes an integer parameter.
        summary: first line of the docstring: what it does at the table.
        uses_chance: whether it reads its random number; if not, none is drawn for it.
        file, line: where its definition begins.
        tables: names of the parameters that are tables, and the functions that compute them.
    """

    game: str
    name: str
    function: Callable[..., Any]
    parameters: dict[str, int | float] = field(hash=False)
    summary: str
    uses_chance: bool
    file: Path
    line: int
    tables: dict[str, TableFunction] = field(default_factory=dict, hash=False)

    @property
    def decorated(self) -> int:
        """The line in which it is declared to be one, above its definition."""
        return self.function.__code__.co_firstlineno

    @cached_property
    def fingerprint(self) -> str:
        """Hash of all sources that it is made of, as they were when it was first asked for."""
        return fingerprint(self.file)


class DeclarationError(TypeError):
    """A function is not what `strategy` can take; carries file and line."""

    def __init__(self, reason: str, file: Path, line: int) -> None:
        """Say why in a clause."""
        super().__init__(reason)
        self.reason, self.file, self.line = reason, file, line


def strategy(game: str) -> Callable[[Callable[..., Any]], Strategy]:
    """Declare the decorated function as a strategy for `game`.

    The function takes the view and a uniform random number u in [0, 1), and its parameters, if any, as a third
    argument whose default is `Params(...)`. It returns the index of the option it takes, 0 to view.n_options - 1. It is
    compiled by Numba, so it keeps to numbers, loops and the helpers of the game's view. It must not raise.
    """
    if not isinstance(game, str):
        message = 'strategy needs the name of a game: @strategy("grinchmas")'
        raise MisuseError(message)
    return lambda function: _declare(game, getattr(function, "py_func", function))


def _declare(game: str, function: Callable[..., Any]) -> Strategy:
    if not isinstance(function, FunctionType):
        message = f'@strategy("{game}") belongs above a function that is written with def'
        raise MisuseError(message)
    file, tree = Path(function.__code__.co_filename), _parsed(function)
    line = function.__code__.co_firstlineno + tree.lineno - 1
    arguments = list(inspect.signature(function).parameters.values())
    if len(arguments) not in (2, 3):
        count = f"{len(arguments)} argument{'' if len(arguments) == 1 else 's'}"
        reason = f"{function.__name__} takes {count}; a strategy takes (view, u) or (view, u, p=Params(...))"
        raise DeclarationError(reason, file, line)
    defaults: dict[str, Any] = {}
    if len(arguments) == 3:
        default, name = arguments[2].default, arguments[2].name
        if not isinstance(default, Params):
            named = isinstance(default, int | float) and not isinstance(default, bool)
            remedy = f"; write p=Params({name}={default!r}) and read p.{name}" if named else ", such as p=Params(near=2)"
            reason = f"the third argument of {function.__name__} needs Params(...) as its default{remedy}"
            raise DeclarationError(reason, file, line)
        defaults = vars(default)
    summary = (inspect.getdoc(function) or "").strip().split("\n")[0]
    if not summary:
        reason = f"{function.__name__} has no docstring; say in one sentence below this line what it does at the table"
        raise DeclarationError(reason, file, line)
    numbers = {name: value for name, value in defaults.items() if not callable(value)}
    tables = {name: value for name, value in defaults.items() if callable(value)}
    return Strategy(game, function.__name__, function, numbers, summary, _reads(tree, arguments[1].name), file, line, tables)


def _parsed(function: Callable[..., Any]) -> ast.FunctionDef:
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    except (OSError, ValueError, SyntaxError):
        tree = ast.Pass()
    if not isinstance(tree, ast.FunctionDef):
        reason = "a strategy has to be a function that is written with def, in a file"
        raise DeclarationError(reason, Path(function.__code__.co_filename), function.__code__.co_firstlineno)
    return tree


def _reads(tree: ast.AST, name: str) -> bool:
    """Whether a function's body reads one of its arguments."""
    return any(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) for node in ast.walk(tree))
