"""Jobs that travel: an experiment goes as names and values, and is put together again where it is played.

Nothing compiled travels. A game goes by its name, rules as values, a strategy by its name, and one from a user's file as the
contents of that file and of what it imports from beside it. Where it arrives, an experiment has to have the same id again;
as this covers the source code of game and strategies, whoever has other code cannot play it.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.errors import StrategyError, UserError
from simulator.game import Game
from simulator.kernel.jit import cache_root
from simulator.kernel.sources import closure, fingerprint, is_own, package_root
from simulator.play.experiment import Experiment
from simulator.registry.lineup import Player
from simulator.registry.strategy_files import files_read
from simulator.rules import build_rules, values

if TYPE_CHECKING:
    from strategies.declare import Strategy

    Reduced = tuple[Callable[..., Any], tuple[Any, ...]]

SOURCES = "source files"
"""Name under which `versions_of` gives the hash of the source files."""

_FOLDER = "strategy-files"


class UnfitError(Exception):
    """What arrived cannot be played here; the message is a clause that says why: "lacks the game 'chess'"."""


@dataclass(frozen=True)
class StrategySource:
    """Where a strategy is found again.

    Attributes:
        name: its name.
        file: its file, relative to the folder of its package; empty if the name is enough.
        contents: relative path and contents of its file and of every file that it imports from beside it or its own package.
    """

    name: str
    file: str = ""
    contents: tuple[tuple[str, bytes], ...] = ()


def versions_of(function: Any) -> dict[str, str]:
    """All that has to be the same wherever `function` is called: versions of what it runs on, and the hash of its source files."""
    module = sys.modules[function.__module__]
    file = getattr(module, "__file__", None)
    versions = {"Python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    versions |= {package: _version(package) for package in ("ludometer", "numba", "numpy")}
    return versions | {SOURCES: fingerprint(Path(file)) if file else ""}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def check_versions(wanted: dict[str, str], found: dict[str, str]) -> None:
    """Find out whether two machines run the same.

    Raises:
        UnfitError: they do not.
    """
    for name, there in wanted.items():
        here = found.get(name, "not installed")
        if here != there:
            known = name == SOURCES
            raise UnfitError(f"has other {SOURCES} of ludometer" if known else f"has {name} {here} where {there} is wanted")


def packed(thing: Any) -> bytes:
    """Anything picklable as bytes, with the experiments and games in it as names and values.

    Raises:
        UserError: there is a strategy or a game in it that nobody else could find.
    """
    buffer = io.BytesIO()
    _Packer(buffer, protocol=5).dump(thing)
    return buffer.getvalue()


def unpacked(parcel: bytes) -> Any:
    """What `packed` packed, put together from what there is here.

    Raises:
        UnfitError: something is not there, or is not the same.
    """
    try:
        return pickle.loads(parcel)  # noqa: S301  a cluster runs whatever it is sent, and its documentation says so
    except (ImportError, AttributeError) as error:
        reason = f"lacks something that is played: {error}"
    raise UnfitError(reason)


class _Packer(pickle.Pickler):
    def reducer_override(self, thing: Any) -> Reduced | Any:
        """How experiments and games travel; everything else as usual."""
        if isinstance(thing, Experiment):
            lineup = tuple(_packed_player(thing.game, player) for player in thing.lineup)
            return _experiment_here, (thing.id, thing.game, thing.game.fingerprint, values(thing.rules), lineup, thing.seed)
        if isinstance(thing, Game):
            if thing.path:
                return _game_unfolded, _file_and_contents(thing.file)
            if registry.game(thing.name) is not thing:
                message = f"Game '{thing.name}' is not the one that is installed under this name, so a cluster cannot play it."
                raise UserError(message)
            return _game_here, (thing.name,)
        return NotImplemented


def _packed_player(game: Game, player: Player) -> dict[str, Any]:
    """The fields of a player, with its strategy as a source, and the fingerprint that it has to have where it arrives."""
    packed: dict[str, Any] = {f.name: getattr(player, f.name) for f in fields(Player)}
    return {**packed, "strategy": _source_of(game, player.strategy), "fingerprint": player.fingerprint}


def _source_of(game: Game, strategy: Strategy) -> StrategySource:
    if registry.strategies(game).get(strategy.name) is strategy:
        return StrategySource(strategy.name)
    file = Path(strategy.file)
    if not file.is_file():
        message = f"Strategy '{strategy.name}' stands in no file, so it cannot be sent to a cluster; put it into one."
        raise UserError(message)
    return StrategySource(strategy.name, *_file_and_contents(file))


def _file_and_contents(file: Path) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """A file, relative to the folder of its package, and relative path and contents of all that it needs from there."""
    root = package_root(file.resolve())
    needed = {*closure(file), *files_read(file)}
    theirs = [source for source in needed if source.is_relative_to(root) and not is_own(source)]
    packages = {p for source in theirs for p in _package_files(source, root)}
    contents = tuple((p.relative_to(root).as_posix(), p.read_bytes()) for p in sorted({*theirs, *packages}))
    return file.resolve().relative_to(root).as_posix(), contents


def _package_files(source: Path, root: Path) -> list[Path]:
    """What makes the folders above a file packages."""
    packages = [folder / "__init__.py" for folder in source.parents if folder != root and folder.is_relative_to(root)]
    return [file for file in packages if file.is_file()]


# ---------------------------------------------------------------- where it arrives


def _game_here(name: str) -> Game:
    if name not in registry.game_names():
        message = f"lacks the game '{name}'"
        raise UnfitError(message)
    try:
        return registry.game(name)
    except UserError as error:
        message = f"cannot load the game '{name}': {str(error).rstrip('.')}"
        raise UnfitError(message) from None


def _game_unfolded(file: str, contents: tuple[tuple[str, bytes], ...]) -> Game:
    try:
        return registry.game(str(_unfolded(contents) / file))
    except UserError as error:
        message = f"cannot load the game in {file}: {str(error).rstrip('.')}"
        raise UnfitError(message) from None


def _experiment_here(
    experiment_id: str, game: Game, game_fingerprint: str, rules: dict[str, Any], lineup: tuple[dict[str, Any], ...], seed: int
) -> Experiment:
    if game.fingerprint != game_fingerprint:
        message = f"has other source files of the game '{game.name}'"
        raise UnfitError(message)
    players = tuple(_player_here(game, fingerprint=fields.pop("fingerprint"), **fields) for fields in map(dict, lineup))
    try:
        experiment = Experiment(game, build_rules(game.rules, rules), players, seed)
    except UserError as error:
        message = f"cannot play these rules: {str(error).rstrip('.')}"
        raise UnfitError(message) from None
    if experiment.id != experiment_id:
        message = f"makes another experiment of what it was sent to play of '{game.name}'"
        raise UnfitError(message)
    return experiment


def _player_here(game: Game, fingerprint: str, strategy: StrategySource, **others: Any) -> Player:
    strategy_here = _strategy_here(game, strategy)
    player = Player(strategy_here, **others)
    if player.fingerprint != fingerprint:
        message = f"has other source files of the strategy '{strategy.name}'"
        raise UnfitError(message)
    return player


def _strategy_here(game: Game, source: StrategySource) -> Strategy:
    text = source.name
    if source.contents:
        folder = _unfolded(source.contents)
        text = f"{folder / source.file}:{source.name}"
    elif source.name not in registry.strategies(game):
        message = f"lacks the strategy '{source.name}' of '{game.name}'"
        raise UnfitError(message)
    try:
        return registry.player(game, text).strategy
    except StrategyError as error:
        message = f"cannot use the strategy '{source.name}': {str(error).rstrip('.')}"
        raise UnfitError(message) from None


def _unfolded(contents: tuple[tuple[str, bytes], ...]) -> Path:
    """The folder that holds the files of a strategy, written if it is not there; its name is the hash of what is in it."""
    digest = hashlib.sha256()
    for name, content in contents:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    folder = _files_root() / digest.hexdigest()[:16]
    if not folder.is_dir():
        made = Path(tempfile.mkdtemp(dir=folder.parent))
        for name, content in contents:
            file = made / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        try:
            os.replace(made, folder)  # noqa: PTH105  several processes may do so at once: all or nothing
        except OSError:
            shutil.rmtree(made)
    return folder


@cache
def _files_root() -> Path:
    root = cache_root()
    folder = root / _FOLDER if root is not None else Path(tempfile.mkdtemp(prefix=_FOLDER))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
