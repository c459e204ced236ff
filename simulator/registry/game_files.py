"""Games in a file that is named where a game's name would do. The file is loaded like one of strategies, and afresh after an edit."""

from __future__ import annotations

import ast
import hashlib
import warnings
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from simulator.errors import GameError, nearest
from simulator.game import Game
from simulator.registry.game_checks import check_game
from simulator.registry.neighbours import StrangerWarning
from simulator.registry.strategy_files import load

WHAT = "Game file"
_SEEN = "game-files"
"""Folder in the cache that remembers which files were named before."""

_games: dict[Path, Game] = {}
_modules: dict[Game, ModuleType] = {}


def summary(path: str) -> str:
    """The first line of a file's docstring, without running it; its name where there is none."""
    try:
        docstring = ast.get_docstring(ast.parse(Path(path).read_bytes()))
    except (OSError, SyntaxError, ValueError):
        docstring = None  # whoever plays it will be told
    return (docstring or Path(path).stem).splitlines()[0]


def load_game(path: str) -> Game:
    """The game in a file, called as the path is written; the same one as long as nothing that it is made of has changed.

    Raises:
        GameError: the file cannot be read, fails when it is run, or holds no game that can be played.
    """
    file = Path(path)
    _warn_of_a_stranger(file)
    module = load(file, WHAT, GameError)
    place = file.resolve()
    known = _games.get(place)
    if known is None or _modules[known] is not module:
        result = getattr(module, "GAME", None)
        if result is None:
            message = f"{WHAT} {path} has no GAME; end it with GAME = Game(name=..., ...){_alike(module)}."
            raise GameError(message)
        if isinstance(result, Game):
            result = replace(result, file=place, path=path)
        known = check_game(result, f"{WHAT} {path}", getattr(result, "name", ""))
        _games[place], _modules[known] = known, module
    return replace(known, path=path)


def module_of(game: Game) -> ModuleType:
    """The module that a game from a file stands in, as it was when the game was loaded."""
    return _modules[game]


def _alike(module: ModuleType) -> str:
    """A hint at a game under another name."""
    named = [name for name, value in vars(module).items() if isinstance(value, Game)]
    return f"; '{named[0]}' is one, call it GAME" if named else nearest("GAME", vars(module))


def _warn_of_a_stranger(file: Path) -> None:
    """Say once for each file that it is a program."""
    from simulator.kernel.jit import cache_root  # noqa: PLC0415  needs Numba

    root = cache_root()
    mark = None if root is None else root / _SEEN / hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:16]
    if not file.is_file() or (mark is not None and mark.exists()):
        return
    message = f"{file} is a program and runs with your rights; read it before you play a stranger's."
    warnings.warn(message, StrangerWarning, stacklevel=2)
    if mark is not None:
        mark.parent.mkdir(exist_ok=True)
        mark.touch()
