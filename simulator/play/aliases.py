"""What a strategy may not change: its view and its parameters, under whatever name it holds them.

Compiled code works on the memory itself. A store there would change what the next decision, or another worker, gets to see.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from simulator.errors import nearest
from simulator.kernel.sources import is_own
from simulator.play.purity import PURE
from simulator.registry.source_text import Written, plain_function

if TYPE_CHECKING:
    from simulator.game import Game

_CHANGING_METHODS = frozenset({"sort", "fill", "put", "partition", "itemset", "resize", "setfield", "setflags", "byteswap", "__setitem__"})
_CHANGING_FUNCTIONS = frozenset({"copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis", "shuffle"})
_SAME_MEMORY = frozenset(
    {"view", "reshape", "ravel", "transpose", "squeeze", "swapaxes", "diagonal", "T", "flat", "real"}
    | {"asarray", "ascontiguousarray", "atleast_1d", "atleast_2d", "expand_dims", "flip", "broadcast_to", "nan_to_num"}
)
_COLLECTING = frozenset({"enumerate", "zip", "reversed", "list", "tuple", "iter", "sorted"})


@dataclass(frozen=True)
class _Memory:
    """Something whose memory belongs to the view or the parameters: `text` says what, `dtype` how it goes on; None for unknown."""

    text: str
    dtype: np.dtype[Any] | None

    def within(self, name: str = "") -> _Value:
        """A field of a record, or an element of an array."""
        if self.dtype is None:
            return None
        if name:
            return _memory(f"{self.text}.{name}", self.dtype.fields[name][0]) if self.dtype.fields else None
        base, shape = self.dtype.subdtype or (self.dtype, ())
        return _memory(self.text, np.dtype((base, shape[1:]))) if len(shape) > 1 else None


_Value = _Memory | tuple[Any, ...] | None
_Names = dict[str, _Value]


def _memory(text: str, dtype: np.dtype[Any]) -> _Memory | None:
    return _Memory(text, dtype) if dtype.fields or dtype.subdtype else None


def _constant(text: str, value: Any) -> _Value:
    """An array outside of the function, which compiled code finds read-only."""
    return _memory(text, np.dtype((value.dtype, value.shape))) if isinstance(value, np.ndarray) else None


def check_stores(function: FunctionType, game: Game, parameters: np.dtype[Any]) -> None:
    """Refuse a strategy that changes its view, its parameters or a constant, or asks them for what they do not have.

    Args:
        function: the strategy, as plain Python.
        game: the game that it plays.
        parameters: record of its parameters.

    Raises:
        Mistake: it does.
    """
    view, _, *more = function.__code__.co_varnames[: function.__code__.co_argcount]
    _Walk(Written(function), game, {}).run((_Memory(view, game.view), None, *(_Memory(name, parameters) for name in more)))


class _Walk:
    """Goes through a function in the order in which it runs, and keeps for each name what memory it stands for."""

    def __init__(self, written: Written, game: Game, known: dict[Any, _Value]) -> None:
        """Prepare; `known` holds what other functions gave back, by function and arguments."""
        self.written, self.game, self.known = written, game, known
        self.returned: _Value = None

    def run(self, given: tuple[_Value, ...]) -> _Value:
        """What the function gives back where its arguments are these."""
        arguments = self.written.node.args
        self._block(self.written.node.body, dict(zip((a.arg for a in (*arguments.posonlyargs, *arguments.args)), given, strict=False)))
        return self.returned

    # ------------------------------------------------------------ statements
    def _block(self, statements: list[ast.stmt], names: _Names) -> None:
        for statement in statements:
            self._statement(statement, names)

    def _statement(self, s: ast.stmt, names: _Names) -> None:
        if isinstance(s, ast.Assign | ast.AnnAssign):
            value = self._value(s.value, names) if s.value is not None else None
            for target in s.targets if isinstance(s, ast.Assign) else [s.target]:
                self._bind(target, value, names)
        elif isinstance(s, ast.AugAssign):
            self._value(s.value, names)
            self._change(s.target, names)
        elif isinstance(s, ast.Delete):
            for target in s.targets:
                self._bind(target, None, names)
        elif isinstance(s, ast.Return) and s.value is not None:
            self.returned = _either(self.returned, self._value(s.value, names))
        elif isinstance(s, ast.FunctionDef):
            self._block(s.body, dict(names) | {a.arg: None for a in s.args.args})
        else:
            self._compound(s, names)

    def _compound(self, s: ast.stmt, names: _Names) -> None:
        if isinstance(s, ast.For | ast.While):
            self._loop(s, names)
        elif isinstance(s, ast.If):
            self._value(s.test, names)
            self._branches([s.body, s.orelse], names)
        elif isinstance(s, ast.Try):
            self._branches([[*s.body, *s.orelse], *(h.body for h in s.handlers)], names)
            self._block(s.finalbody, names)
        else:
            self._parts(s, names)

    def _loop(self, s: ast.For | ast.While, names: _Names) -> None:
        for _ in range(2):  # what a round leaves behind, the next one finds
            if isinstance(s, ast.For):
                self._bind(s.target, _element(self._value(s.iter, names)), names)
            else:
                self._value(s.test, names)
            self._branches([s.body, []], names)
        self._block(s.orelse, names)

    def _branches(self, branches: list[list[ast.stmt]], names: _Names) -> None:
        ends = []
        for branch in branches:
            ends.append(dict(names))
            self._block(branch, ends[-1])
        for name in {n for end in ends for n in end}:
            values = [end.get(name) for end in ends]
            names[name] = next((v for v in values if v is not None), None)

    def _bind(self, target: ast.expr, value: _Value, names: _Names) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            parts = value if isinstance(value, tuple) and len(value) == len(target.elts) else (_element(value),) * len(target.elts)
            for one, part in zip(target.elts, parts, strict=True):
                self._bind(one, part, names)
        elif isinstance(target, ast.Starred):
            self._bind(target.value, (value,), names)
        else:
            self._change(target, names)

    def _change(self, target: ast.expr, names: _Names) -> None:
        """Refuse a store to the view or the parameters; an array under a name of its own is one as well."""
        if isinstance(target, ast.Attribute | ast.Subscript):
            base = self._value(target.value, names)
            self._parts(target, names)
            if isinstance(base, _Memory) and isinstance(target, ast.Attribute):
                self._refuse(target, f"{base.text}.{target.attr}", array=self._attribute(target, base) is not None)
            elif isinstance(base, _Memory):
                self._refuse(target, base.text, array=base.dtype is None or not base.dtype.fields)
        elif isinstance(target, ast.Name):
            value = names.get(target.id)
            if isinstance(value, _Memory):
                self._refuse(target, value.text, array=True)

    def _refuse(self, node: ast.AST, text: str, *, array: bool) -> NoReturn:
        root = text.partition(".")[0]
        if isinstance(self.written.outer.get(root), np.ndarray | ModuleType) and root not in self.written.function.__code__.co_varnames:
            self.written.wrong(node, f"it changes {text}, which outlives a decision; {PURE}")
        own = text.rpartition(".")[2]
        remedy = f"change a copy, as in `{own} = {text}{'.copy()' if array else ''}`"
        self.written.wrong(node, f"it changes {text}, and that is there to be read alone; {remedy}")

    # ------------------------------------------------------------ expressions
    def _value(self, e: ast.expr, names: _Names) -> _Value:  # noqa: C901, PLR0911  one case for each kind of expression
        if isinstance(e, ast.Name):
            return names[e.id] if e.id in names else _constant(e.id, self.written.outer.get(e.id))
        if isinstance(e, ast.Attribute):
            return self._attribute(e, self._value(e.value, names))
        if isinstance(e, ast.Subscript):
            return self._item(e, self._value(e.value, names), names)
        if isinstance(e, ast.Call):
            return self._call(e, names)
        if isinstance(e, ast.NamedExpr):
            value = self._value(e.value, names)
            self._bind(e.target, value, names)
            return value
        if isinstance(e, ast.IfExp):
            self._value(e.test, names)
            return _either(self._value(e.body, names), self._value(e.orelse, names))
        if isinstance(e, ast.BoolOp):
            return _either(*[self._value(one, names) for one in e.values])
        if isinstance(e, ast.Tuple | ast.List | ast.Set):
            values = tuple(self._value(one, names) for one in e.elts)
            return values if any(v is not None for v in values) else None
        if isinstance(e, ast.Starred):
            return self._value(e.value, names)
        if isinstance(e, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            return self._comprehension(e, names)
        if isinstance(e, ast.Lambda):
            self._value(e.body, dict(names) | {a.arg: None for a in e.args.args})
            return None
        self._parts(e, names)
        return None

    def _parts(self, node: ast.AST, names: _Names) -> None:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self._value(part, names)
            elif isinstance(part, ast.stmt):
                self._statement(part, names)
            else:
                self._parts(part, names)

    def _comprehension(self, e: Any, outer: _Names) -> _Value:
        names = dict(outer)
        for one in e.generators:
            self._bind(one.target, _element(self._value(one.iter, names)), names)
            for condition in one.ifs:
                self._value(condition, names)
        values = [self._value(part, names) for part in ([e.key, e.value] if isinstance(e, ast.DictComp) else [e.elt])]
        outer |= {n.target.id: names.get(n.target.id) for n in ast.walk(e) if isinstance(n, ast.NamedExpr)}
        return None if values[-1] is None else (values[-1],)

    def _attribute(self, e: ast.Attribute, base: _Value) -> _Value:
        if not isinstance(base, _Memory):
            return _constant(ast.unparse(e), self._called(e))
        if base.dtype is not None and base.dtype.names is not None:
            self._field(e, base, e.attr)
            return base.within(e.attr)
        return _Memory(base.text, None) if e.attr in _SAME_MEMORY else None

    def _field(self, node: ast.AST, base: _Memory, name: str) -> None:
        """Refuse a field that there is not."""
        assert base.dtype is not None  # noqa: S101  the caller has looked
        known = base.dtype.names or ()
        if name not in known:
            what = f"the view of {self.game.title}" if base.dtype == self.game.view else "its Params"
            listed = f"; it has {', '.join(known)}" if known else "; name it there with its default, as in p=Params(near=2)"
            self.written.wrong(node, f"{base.text}.{name} is not there: {what} has no '{name}'{nearest(name, known) or listed}")

    def _item(self, e: ast.Subscript, base: _Value, names: _Names) -> _Value:
        self._parts(e.slice, names)
        index = e.slice
        if isinstance(base, tuple):
            whole = isinstance(index, ast.Constant) and isinstance(index.value, int) and -len(base) <= index.value < len(base)
            return base[index.value] if whole else _element(base)  # type: ignore[attr-defined]
        if not isinstance(base, _Memory):
            return None
        if isinstance(index, ast.Constant) and isinstance(index.value, str):
            self._field(e, base, index.value)
            return base.within(index.value)
        for one in index.elts if isinstance(index, ast.Tuple) else [index]:
            if not isinstance(one, ast.Slice) and isinstance(base, _Memory):
                base = base.within() if base.dtype is not None else None
        return base

    # ------------------------------------------------------------ calls
    def _call(self, e: ast.Call, names: _Names) -> _Value:
        given = [self._value(a, names) for a in e.args]
        by_name = {k.arg: self._value(k.value, names) for k in e.keywords}
        owner = self._value(e.func.value, names) if isinstance(e.func, ast.Attribute) else None
        if isinstance(e.func, ast.Attribute) and isinstance(owner, _Memory):
            if e.func.attr in _CHANGING_METHODS:
                self._refuse(e, owner.text, array=True)
            return self._attribute(e.func, owner)
        called = self._called(e.func)
        name = getattr(called, "__name__", "")
        for value in (*given[:1], *by_name.values()) if name in _CHANGING_FUNCTIONS else (by_name.get("out"), *_outputs(called, given)):
            if isinstance(value, _Memory):
                self._refuse(e, value.text, array=True)
        if name in _COLLECTING:
            return _collected(name, given)
        if name in _SAME_MEMORY and given and isinstance(given[0], _Memory):
            return _Memory(given[0].text, None)
        return self._helper(e, called, given, by_name)

    def _called(self, function: ast.expr) -> Any:
        """What a call calls, as far as it is a global or a member of one."""
        if isinstance(function, ast.Attribute):
            return getattr(self._called(function.value), function.attr, None)
        if isinstance(function, ast.Name):
            return self.written.outer.get(function.id)
        return None

    def _helper(self, e: ast.Call, called: Any, given: list[_Value], by_name: dict[str | None, _Value]) -> _Value:
        """What a compiled helper gives back; refuse what it changes, and a call that does not fit it."""
        function = plain_function(called)
        if function is None or not hasattr(called, "py_func") or any(isinstance(a, ast.Starred) for a in e.args) or None in by_name:
            return None
        try:
            bound = inspect.signature(function).bind(*given, **{k: v for k, v in by_name.items() if k is not None})
        except TypeError:
            wanted = ", ".join(inspect.signature(function).parameters)
            self.written.wrong(
                e, f"{function.__name__} takes ({wanted}), and is called with ({', '.join(map(ast.unparse, [*e.args, *e.keywords]))})"
            )
        if is_own(Path(function.__code__.co_filename)):
            return None
        arguments = tuple(bound.arguments.get(name) for name in inspect.signature(function).parameters)
        key = (function, arguments)
        if key not in self.known:
            self.known[key] = None
            self.known[key] = _Walk(Written(function), self.game, self.known).run(arguments)
        return self.known[key]


def _either(*values: _Value) -> _Value:
    return next((v for v in values if v is not None), None)


def _element(value: _Value) -> _Value:
    """What a loop over something gives."""
    if isinstance(value, tuple):
        return _either(*value)
    return value.within() if isinstance(value, _Memory) else None


def _collected(name: str, given: list[_Value]) -> _Value:
    """What functions give that hand on what they are given, so that a loop over it finds it."""
    if name == "enumerate":
        part = _element(given[0]) if given else None
        return None if part is None else ((None, part),)
    if name == "zip":
        parts = tuple(_element(one) for one in given)
        return (parts,) if any(p is not None for p in parts) else None
    part = _element(given[0]) if given else None
    return None if part is None else (part,)


def _outputs(called: Any, given: list[_Value]) -> list[_Value]:
    """The arguments that a NumPy function writes its results to."""
    return given[called.nin :] if isinstance(called, np.ufunc) else []
