"""Errors that a user can cause: one sentence that names the culprit and the way out."""

from __future__ import annotations

import difflib
import shlex
import sys
from collections.abc import Iterable
from typing import Any


class UserError(Exception):
    """Something the user asked for cannot be done; `str(error)` is the sentence to show, `exit_code` what to exit with."""

    exit_code = 2


class RulesError(UserError):
    """A rule constant is unknown, of the wrong type or impossible; `key` is its dotted key, if it is about one."""

    def __init__(self, message: str, key: str = "") -> None:
        """Take the sentence to show, and the key it is about."""
        super().__init__(message)
        self.key = key


class StrategyError(UserError):
    """A strategy is unknown, or refused before anything is played."""


class GameError(UserError):
    """A game is refused before anything is played: it cannot be loaded or compiled, or is not what a game has to be."""


class MisbehaviourError(UserError):
    """A strategy or a game broke its contract while playing."""

    exit_code = 1


def install_line(extra: str) -> str:
    """What to type to install one of this package's extras, for the Python that runs, whether or not that is activated.

    >>> install_line("parquet").endswith("-m pip install 'ludometer[parquet]'")
    True
    """
    return f"{shlex.quote(sys.executable)} -m pip install 'ludometer[{extra}]'"


def described(error: BaseException) -> str:
    """Kind and message of somebody else's error.

    >>> described(ValueError("too late")), described(ValueError())
    ('ValueError: too late', 'ValueError')
    """
    return ": ".join(filter(None, (type(error).__name__, str(error).rstrip("."))))


def place_of(function: Any) -> str:
    """File and line of a function, compiled or not, to stand in a sentence; empty for what is no function.

    >>> place_of(described).endswith(f"errors.py, line {described.__code__.co_firstlineno}")
    True
    """
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    return f"{code.co_filename}, line {code.co_firstlineno}" if code else ""


_ALIKE = 0.65
"""Share of letters that a slip has in common with what was meant; with fewer it is another word."""


_SOMEWHAT_ALIKE = 0.4


def nearest_few(name: str, known: Iterable[str], most: int = 5) -> list[str]:
    """The known names that are most like `name`, best first, and then those that come first.

    >>> nearest_few("turn", ["wins.0", "score.0", "turns"], 2)
    ['turns', 'wins.0']
    """
    listed = list(known)
    return list(dict.fromkeys([*difflib.get_close_matches(name, listed, n=most, cutoff=_SOMEWHAT_ALIKE), *listed]))[:most]


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that `name` is likely to be a slip for, as a hint to append to a sentence; empty when there is none.

    >>> nearest("wishes.gaol", ["wishes.goal", "turn_cap"]), nearest("goal", ["wishes.goal", "turn_cap"])
    (" (did you mean 'wishes.goal'?)", " (did you mean 'wishes.goal'?)")
    >>> nearest("catan", ["vacation", "crocs"])
    ''
    """
    listed = list(known)
    close = difflib.get_close_matches(name, listed, n=1, cutoff=_ALIKE) or [one for one in listed if one.rpartition(".")[2] == name]
    return f" (did you mean '{close[0]}'?)" if close else ""
