"""No test rests on how fast or how busy the machine is: none has a deadline, and what one waits for has ten minutes to come."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).resolve().parent
ALONE = "programs.py"
"""Where programs are run and waited for."""

CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time"}
WAITS = {"run", "call", "check_call", "check_output", "communicate"}
LIMITED = {"wait", "join", "result"}
"""What takes a limit as its only argument."""


def patient(limit: str) -> bool:
    """Whether a limit is none, or the one that all tests share."""
    return limit == "None" or "PATIENCE" in limit


def impatience(source: str) -> list[str]:
    """What in a file has an end of its own making: limits of time, clocks that are looked at, programs waited for elsewhere."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg in {"deadline", "timeout"} and not patient(ast.unparse(node.value)):
            found.append(f"line {node.value.lineno}: {ast.unparse(node)}")
        if isinstance(node, ast.ImportFrom) and {name.name for name in node.names} & {"time": CLOCKS, "subprocess": WAITS}.get(
            node.module or "", set()
        ):
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LIMITED:
            given = [ast.unparse(one) for one in node.args if isinstance(one, ast.Constant | ast.BinOp) and "'" not in ast.unparse(one)]
            found += [f"line {node.lineno}: {ast.unparse(node)}" for limit in given if not patient(limit)]
        if isinstance(node, ast.Attribute):
            of = ast.unparse(node.value)
            if (of == "time" and node.attr in CLOCKS) or (of == "subprocess" and node.attr in WAITS) or node.attr == "communicate":
                found.append(f"line {node.lineno}: {of}.{node.attr}")
    return found


@pytest.mark.parametrize("file", sorted(TESTS.rglob("*.py")), ids=lambda f: str(f.relative_to(TESTS)))
def test_no_test_has_a_limit_of_time_of_its_own(file: Path) -> None:
    assert file.name == ALONE or impatience(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "process.wait(timeout=60)",
        "process.wait(60)",
        "thread.join(2 * 60)",
        "settings(deadline=200)",
        "end = time.monotonic() + 60",
        "end = time.time() + 60",
        "from time import monotonic",
        "subprocess.run(['true'])",
        "from subprocess import run",
        "p.communicate()",
    ],
)
def test_a_limit_of_time_is_noticed(source: str) -> None:
    assert len(impatience(source)) == 1


def test_no_property_has_a_deadline_and_none_is_given_up_for_being_slow() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check
