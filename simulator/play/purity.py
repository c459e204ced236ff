"""What a strategy may name: nothing but the view, its random number, its parameters, constants and compiled helpers.

It is told from the source, before anything is compiled, since compiled code does much of the rest without a word: it draws
from a random generator of its own, prints, and keeps what it once found in a global for ever.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, ClassVar, NoReturn

import numpy as np
from numba.core.dispatcher import Dispatcher

from simulator.errors import nearest
from simulator.kernel.constants import is_constant, is_plain
from simulator.kernel.sources import closure, is_library, is_own
from simulator.registry.source_text import Mistake, Written, check_imports, plain_function, tree_of

CHANCE = ("random", "numpy.random", "secrets", "uuid")
CLOCK = ("time", "datetime")
OUTSIDE = ("os", "posix", "nt", "sys", "io", "_io", "pathlib", "shutil", "subprocess", "socket", "tempfile", "logging", "platform")
_LIBRARIES = ("builtins", "math", "cmath", "operator", "_operator", "numpy", "enum")
_NUMBA = frozenset({"prange", "literal_unroll", "typed", "types"})
_NUMPY_FILES = frozenset(
    {"load", "loadtxt", "fromfile", "genfromtxt", "fromregex", "memmap", "save", "savetxt", "savez", "savez_compressed", "DataSource"}
)
_FILES = (
    "it reads and writes nothing while it plays; what it needs from a file it takes from a table, p=Params(values=lambda: np.load(...))"
)
BUILTINS = {
    "print": "nobody reads what a million games print; take the line out, or watch one game with `simulate replay`",
    "open": _FILES,
    "input": "nobody can answer while it plays; take it from the view, or from a parameter",
    "breakpoint": "it cannot be stopped while it plays; watch one game with `simulate replay`",
    **dict.fromkeys(("eval", "exec", "compile", "__import__"), "write the code itself"),
    **dict.fromkeys(("globals", "locals", "vars", "dir", "getattr", "setattr", "delattr"), "name what it needs"),
    **dict.fromkeys(("id", "hash"), "it is another one in each process; take what it needs from the view"),
    **dict.fromkeys(("exit", "quit", "help"), "return an option"),
}


def check_names(function: FunctionType) -> None:
    """Refuse a strategy that names what it may not, itself or in a helper that it calls.

    Raises:
        Mistake: it does.
    """
    for file in closure(Path(function.__code__.co_filename)):
        if not is_own(file):
            check_imports(file, tree_of(file))
    todo, seen = [function], set()
    while todo:
        current = todo.pop(0)
        if current not in seen and not is_own(Path(current.__code__.co_filename)):
            seen.add(current)
            names = Names(Written(current))
            names.check(helper=current is not function)
            todo += names.helpers


class Names(ast.NodeVisitor):
    """Goes through all that a function names and looks at what stands behind it.

    Attributes:
        whose: what kind of function it is.
        parts: what it may be written with.
        pure: what it may depend on.
        builtins: what to do instead of calling some of Python's own functions.
        elsewhere: what is wrong with naming some modules.
    """

    whose = "strategies"
    parts = "numbers, loops and the helpers of the view"
    pure = "what it does may depend on nothing but the view, u and its parameters"
    builtins: ClassVar[dict[str, str]]
    elsewhere: ClassVar[tuple[tuple[tuple[str, ...], str], ...]]

    def __init__(self, written: Written) -> None:
        """Look at a function with its source."""
        self.written = written
        self.helpers: list[FunctionType] = []
        self._local = set(_locals(written.function.__code__))

    def check(self, *, helper: bool) -> None:
        """Look at the body, and at what a helper's arguments are where nobody gives them."""
        function = self.written.function
        for value in function.__defaults__ or () if helper else ():
            if not is_plain(value):
                self._wrong(
                    self.written.node, f"a default of {function.__name__} is {_a(value)}, which stays the same one from call to call"
                )
        for statement in self.written.node.body:
            self.visit(statement)

    def _wrong(self, node: ast.AST, reason: str) -> NoReturn:
        self.written.wrong(node, reason)

    # ------------------------------------------------------------ statements
    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        """Refuse to keep something between decisions."""
        kind = type(node).__name__.lower()
        self._wrong(node, f"`{kind} {', '.join(node.names)}` keeps something from one decision to the next; {self.pure}")

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        """Refuse to keep something between calls."""
        self.visit_Global(node)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Refuse imports where they cannot be compiled."""
        self._wrong(node, "an import cannot be compiled; move it to the top of the file")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Refuse imports where they cannot be compiled."""
        self.visit_Import(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Pass over the annotation."""
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Pass over annotations and decorators."""
        for part in (*node.args.defaults, *node.body):
            self.visit(part)

    # ------------------------------------------------------------ names
    def visit_Name(self, node: ast.Name) -> None:
        """Look at a name alone."""
        self._look(node, [])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Look at a dotted name as a whole."""
        attributes: list[ast.Attribute] = []
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            attributes.insert(0, base)
            base = base.value
        if isinstance(base, ast.Name):
            self._look(base, attributes)
        else:
            self.visit(base)

    def _look(self, root: ast.Name, attributes: list[ast.Attribute]) -> None:
        if root.id in self._local:
            return
        value, text = self._value_of(root), root.id
        passed = [value]
        for attribute in attributes:
            if not isinstance(value, ModuleType | type):
                break
            text = f"{text}.{attribute.attr}"
            if isinstance(attribute.ctx, ast.Store | ast.Del):
                self._wrong(attribute, f"it changes {text}, which outlives a decision; {PURE}")
            if not hasattr(value, attribute.attr):
                known = nearest(attribute.attr, [n for n in dir(value) if not n.startswith("_")])
                self._wrong(attribute, f"{getattr(value, '__name__', root.id).rpartition('.')[2]} has no '{attribute.attr}'{known}")
            value = getattr(value, attribute.attr)
            passed.append(value)
        self._judge(root, text, passed)

    def _value_of(self, root: ast.Name) -> Any:
        outer = self.written.outer
        if root.id not in outer:
            hint = nearest(root.id, [*self._local, *outer]) or "; give it a value first, or import it"
            self._wrong(root, f"there is no '{root.id}'{hint}")
        return outer[root.id]

    def _judge(self, node: ast.AST, text: str, passed: list[Any]) -> None:
        """Refuse what a name stands for, if need be; `passed` is what each of its parts stands for."""
        value = passed[-1]
        if isinstance(value, Dispatcher):
            self._judge_helper(node, text, value)
        elif isinstance(value, Enum) or is_constant(value):
            return  # part of what tells one experiment from another
        if getattr(builtins, text, None) is value and text in self.builtins:
            self._wrong(node, f"{text} is not for {self.whose}: {self.builtins[text]}")
        for homes, reason in self.elsewhere:
            if any(_within(_home(one), homes) for one in passed):
                self._wrong(node, f"{text} {reason}")
        if _home(value) == "numpy" and text.rpartition(".")[2] in _NUMPY_FILES:
            self._wrong(node, f"{text} is not for {self.whose}: {_FILES}")
        if not isinstance(value, ModuleType | Dispatcher):
            self._judge_object(node, text, value)

    def _judge_helper(self, node: ast.AST, text: str, helper: Any) -> None:
        if helper.targetoptions.get("parallel") or helper.targetoptions.get("fastmath"):
            self._wrong(node, f"{text} is compiled so that it may count otherwise on another machine; {_JIT.format(text)}")
        function = plain_function(helper)
        if function is not None:
            self.helpers.append(function)

    def _judge_object(self, node: ast.AST, text: str, value: Any) -> None:
        home, function = _home(value), plain_function(value)
        if _is_code(value) and (_within(home, _LIBRARIES) or (_within(home, ("numba",)) and not _NUMBA.isdisjoint(text.split(".")))):
            return
        if isinstance(value, type) and issubclass(value, Enum | tuple):
            return
        if function is not None and not is_own(Path(function.__code__.co_filename)) and not is_library(_file_of(function)):
            self._wrong_helper(node, function)
        if _is_code(value):
            self._wrong(node, f"{text} cannot be compiled; write it out with {self.parts}")
        self._wrong(
            node, f"{text} is {_a(value)} outside of it, which may change from one decision to the next; {_constant(value) or self.pure}"
        )

    def _wrong_helper(self, node: ast.AST, function: FunctionType) -> NoReturn:
        file, line, name = _file_of(function), function.__code__.co_firstlineno, function.__name__
        caller = f"line {getattr(node, 'lineno', 0)}" + ("" if file == self.written.file else f" of {self.written.file.name}")
        raise Mistake(file, line, f"the helper {name}, which {caller} calls, is plain Python; {_JIT.format('it')}")


PURE = Names.pure
_JIT = "write `from simulator.kernel.jit import jit` at the top of its file and @jit above {}"
_ELSEWHERE = (
    (CHANCE, "draws numbers that nobody can draw again; use u, the random number that it is given"),
    (CLOCK, f"looks at the clock, so that no game could be played again; {PURE}"),
    (OUTSIDE, f"looks outside the game; {PURE}"),
)


Names.builtins, Names.elsewhere = BUILTINS, _ELSEWHERE


def _constant(value: Any) -> str:
    """How to write something that is there to be looked up."""
    if isinstance(value, list | set):
        return "write constants as a tuple, in round brackets"
    return ""


def _a(value: Any) -> str:
    kind = type(value).__name__
    known = {"ndarray": "an array of things that are no numbers", "dict": "a dictionary", "tuple": "a tuple of things that can be changed"}
    return known.get(kind, f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}")


def _is_code(value: Any) -> bool:
    """Whether something is a function of any kind, or a type."""
    return isinstance(value, type | FunctionType | BuiltinFunctionType | np.ufunc) or type(value).__name__ == "_ArrayFunctionDispatcher"


def _home(value: Any) -> str:
    """Name of the module that something comes from."""
    if isinstance(value, ModuleType):
        return value.__name__
    owner = getattr(value, "__self__", None)
    if isinstance(owner, ModuleType):
        return owner.__name__
    if isinstance(value, np.ufunc):
        return "numpy"
    if owner is not None:
        value = owner
    named = value if _is_code(value) else type(value)
    return str(getattr(named, "__module__", None) or "")


def _within(home: str, modules: tuple[str, ...]) -> bool:
    return any(home == module or home.startswith(f"{module}.") for module in modules)


def _file_of(function: FunctionType) -> Path:
    return Path(function.__code__.co_filename)


def _locals(code: CodeType) -> Iterator[str]:
    """Every name that a function, or a function within it, gives a value."""
    yield from (*code.co_varnames, *code.co_cellvars)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _locals(constant)
