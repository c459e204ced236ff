"""What to say when a game or a strategy fails in plain Python: the line of its own at which it did, and what to write instead."""

from __future__ import annotations

import inspect
import re
import traceback
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from simulator import registry
from simulator.errors import nearest
from simulator.play.plain_games import LINES, PlainTable
from simulator.play.plain_python import NeverEndsError, reason_of
from simulator.play.watched_records import MisuseError
from simulator.registry.game_checks import declared_at
from simulator.registry.source_text import Mistake, loop_around

if TYPE_CHECKING:
    from simulator.game import Game


class StoryError(Exception):
    """The story of a game fails; the message is a clause."""


def located(error: Exception, table: PlainTable) -> Mistake:
    """What went wrong, in the innermost line of the game or of a strategy."""
    if isinstance(error, StoryError) and error.__cause__ is None:
        file, _, number = declared_at(table.game, "story").partition(", line ")
        return Mistake(Path(file), int(number or 1), str(error))
    frames = [f for f in traceback.extract_tb((error.__cause__ or error).__traceback__) if f.filename in table.own_files]
    place, line = (Path(frames[-1].filename), frames[-1].lineno or 1) if frames else (table.game.file, 1)
    if isinstance(error, NeverEndsError):
        reason = f"this has not come to its end after {LINES:,} lines; every turn has to end, whoever plays"
        return Mistake(place, loop_around(place, line), reason)
    return Mistake(place, line, _reason(error, table.game))


def _reason(error: Exception, game: Game) -> str:
    text = str(error)
    if isinstance(error, MisuseError | StoryError):
        return text
    called = re.match(r"(\w+)\(\) (?:missing|takes|got)", text) if isinstance(error, TypeError) else None
    if called:
        return f"{text}{_signature(called[1], game)}"
    if isinstance(error, TypeError) and "NoneType" in text:
        return "it calculates with None: what is called there comes to its end without a return"
    if isinstance(error, AttributeError | TypeError | IndexError) and ("'numpy.uint64'" in text or "'Packed'" in text):
        return "packed cards are one number: add and take with + and -, and look at them with the functions of piles"
    lacking = re.match(r"module '([\w.]+)' has no attribute '(\w+)'", text) if isinstance(error, AttributeError) else None
    if lacking:
        modules = {getattr(m, "__name__", ""): m for m in vars(registry.home_of(game)).values()}
        known = vars(modules[lacking[1]]) if lacking[1] in modules else {}
        return f"{lacking[1]} has no '{lacking[2]}'{nearest(lacking[2], known)}"
    return reason_of(error)


def _signature(name: str, game: Game) -> str:
    """How a function of the game or the kit is called."""
    home = vars(registry.home_of(game))
    for names in (home, *(vars(m) for m in home.values() if isinstance(m, ModuleType))):
        function = getattr(names.get(name), "py_func", names.get(name))
        if inspect.isfunction(function):
            return f"; it is {name}({', '.join(inspect.signature(function).parameters)})"
    return ""
