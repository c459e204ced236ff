"""Functions as they are written: their syntax tree with the line numbers of their file, and where something is wrong in it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn

from simulator.errors import StrategyError
from simulator.kernel.sources import PROJECT


class Mistake(Exception):  # noqa: N818  it is the user's, and becomes a sentence
    """What somebody's source may not say; carries file, line and a clause that gives the reason and the way out."""

    def __init__(self, file: Path, line: int, reason: str) -> None:
        """Say where and why."""
        super().__init__(reason)
        self.file, self.line, self.reason = file, line, reason


def refusal(name: str, file: Path | str, line: int, reason: str) -> StrategyError:
    """The sentence about a strategy that is not played."""
    return StrategyError(f"Strategy '{name}' is refused ({file}, line {line}): {reason}.")


class Written:
    """A plain Python function and its source.

    Attributes:
        function: the function.
        file: where it is written.
        node: its definition.
    """

    def __init__(self, function: FunctionType) -> None:
        """Find the source of a function.

        Raises:
            Mistake: there is none.
        """
        self.function = function
        code = function.__code__
        self.file = Path(code.co_filename)
        result = _definition(self.file, _stamp(self.file), code.co_firstlineno, code.co_name)
        if result is None:
            raise Mistake(self.file, code.co_firstlineno, f"{code.co_name} has to be a function that is written with def, in a file")
        self.node = result

    @cached_property
    def outer(self) -> dict[str, Any]:
        """What its names stand for that it gives no value itself: builtins, globals and those of functions around it."""
        cells = zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True)
        return {**vars(builtins), **self.function.__globals__, **{name: cell.cell_contents for name, cell in cells if _is_full(cell)}}

    def wrong(self, node: ast.AST, reason: str) -> NoReturn:
        """Raise the mistake that a part of it is."""
        raise Mistake(self.file, getattr(node, "lineno", self.node.lineno), reason)


def tree_of(file: Path) -> ast.Module:
    """The syntax tree of a file."""
    return _tree(file, _stamp(file))


def loop_around(file: Path, line: int) -> int:
    """The line in which the innermost loop begins that a line lies in; the line itself outside of loops."""
    loops = [node for node in ast.walk(tree_of(file)) if isinstance(node, ast.For | ast.While)]
    around = [node.lineno for node in loops if node.lineno <= line <= (node.end_lineno or line)]
    return max(around, default=line)


def check_imports(file: Path, tree: ast.Module) -> None:
    """Refuse a file that imports the table of a game, where everything lies open.

    Raises:
        Mistake: it does.
    """
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
        for name in names:
            parts = name.split(".")
            if parts[:2] == ["simulator", "games"] and _is_hidden(parts[2:4]):
                package = ".".join(parts[:3])
                reason = f"{'.'.join(parts[:4])} holds what no seat can see; import from {package}.view"
                raise Mistake(file, getattr(node, "lineno", 1), reason)


def _is_hidden(place: list[str]) -> bool:
    """Whether a game and one of its modules are such that a strategy may not import from there."""
    return place[1:] != ["view"] and PROJECT.joinpath("simulator", "games", *place).with_suffix(".py").is_file()


def plain_function(value: Any) -> FunctionType | None:
    """The Python function that a compiled or plain one is made of; None for all else."""
    function: Callable[..., Any] = getattr(value, "py_func", value)
    return function if isinstance(function, FunctionType) else None


def _stamp(file: Path) -> tuple[int, int]:
    status = file.stat() if file.is_file() else None
    return (status.st_mtime_ns, status.st_size) if status else (0, 0)


@cache
def _tree(file: Path, _stamp: tuple[int, int]) -> ast.Module:
    return ast.parse(file.read_bytes(), filename=str(file)) if file.is_file() else ast.Module([], [])


@cache
def _definition(file: Path, stamp: tuple[int, int], first_line: int, name: str) -> ast.FunctionDef | None:
    for node in ast.walk(_tree(file, stamp)):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            begins = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if begins == first_line:
                return node
    return None


def _is_full(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:  # it was never given a value
        return False
