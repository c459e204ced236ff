"""What there is: games and strategies, found by looking, shipped or from other packages or from a file.

Games are the packages in `simulator/games`, the entry points of the group `ludometer.games`, and `path/to/file.py`.
Strategies are those declared in `strategies/anygame.py` and in the file named after the game, or in the game's own file, and
the entry points of the group `ludometer.strategies`; on the command line also `path/to/file.py:name`.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from simulator.errors import GameError, StrategyError, UserError, nearest
from simulator.game import Game
from simulator.registry.neighbours import Offer, leave_out, offers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from simulator.registry.lineup import Player
    from strategies.declare import Strategy

GAMES_GROUP = "ludometer.games"
STRATEGIES_GROUP = "ludometer.strategies"

_GAMES_FOLDER = Path(__file__).parents[1] / "games"
_COMMANDS_FOLDER = Path(__file__).parents[1] / "cli" / "commands"
_STUDIES_FOLDER = Path(__file__).parents[1] / "studies"
_STUDY = re.compile(r'^class (\w+Study)\((?:Study|Question)\[.*\n    r?"""(.+?)(?:"""|\n)', re.MULTILINE)
"""How a file declares a study, and what its help begins with."""


@cache
def game_names() -> tuple[str, ...]:
    """Names of all games, sorted; nothing is imported, so that some of them may turn out to be broken."""
    return tuple(sorted({*_shipped_games(), *(o.name for o in offers(GAMES_GROUP) if o.name not in command_names())}))


@cache
def command_names() -> frozenset[str]:
    """Names that no game can have, since the command line has commands that are called so."""
    return frozenset(p.stem.rstrip("_").replace("_", "-") for p in _COMMANDS_FOLDER.glob("[!_]*.py")) | studies().keys()


@cache
def studies() -> dict[str, tuple[str, str, str]]:
    """Name of a study's command to its module, its class and what it answers, in a sentence; nothing is imported."""
    declared = ((p.stem, _STUDY.search(p.read_text(encoding="utf-8"))) for p in sorted(_STUDIES_FOLDER.glob("[!_]*.py")))
    return {name.replace("_", "-"): (f"simulator.studies.{name}", one[1], one[2]) for name, one in declared if one}


def games() -> Iterator[Game]:
    """All games that can be played, by name; what another package offers and does not bring is left out with a note."""
    for offer in offers(GAMES_GROUP):
        if offer.name in command_names():
            leave_out(_name_is_taken(offer))
    for name in game_names():
        try:
            yield game(name)
        except UserError as error:
            leave_out(error)


def _name_is_taken(offer: Offer) -> str:
    owner = "a game" if offer.name in _shipped_games() else "a command"
    return f"{offer} cannot be played, since {owner} of Ludometer is called '{offer.name}'; it needs another name."


@cache
def _shipped_games() -> frozenset[str]:
    return frozenset(p.parent.name for p in _GAMES_FOLDER.glob("*/__init__.py"))


def is_shipped(name: str) -> bool:
    """Whether a game came with the program."""
    return name in _shipped_games()


def game_summary(name: str) -> str:
    """One line about a game, from its file's docstring without importing it; its name for one from another package."""
    if is_path(name):
        from simulator.registry.game_files import summary  # noqa: PLC0415  needs NumPy

        return summary(name)
    if name not in _shipped_games():
        return name
    file = _GAMES_FOLDER / name / "__init__.py"
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or name).splitlines()[0]


def is_path(name: str) -> bool:
    """Whether a game is named by the path of its file."""
    return name.endswith(".py")


def game(name: str | Game) -> Game:
    """The game called `name`, or in the file that is named; a game is given back as it is.

    Raises:
        UserError: there is none.
        GameError: the package or file that offers it cannot be imported, or brings no game that can be played.
    """
    if isinstance(name, Game):
        return name
    return _in_file(name) if is_path(name) else _known(name)


def _in_file(path: str) -> Game:
    from simulator.registry.game_checks import check_default_strategy  # noqa: PLC0415  needs NumPy
    from simulator.registry.game_files import load_game  # noqa: PLC0415

    result = load_game(path)
    if result.name in _shipped_games() | command_names():
        what = "a game" if result.name in _shipped_games() else "a command"
        message = f"Game file {path} calls its game '{result.name}', as {what} of Ludometer is called; give it another name."
        raise GameError(message)
    check_default_strategy(result, strategies(result))
    return result


@cache
def _known(name: str) -> Game:
    offered = [o for o in offers(GAMES_GROUP) if o.name == name]
    if name in _shipped_games():
        for offer in offered:
            leave_out(_name_is_taken(offer))
        result: Game = importlib.import_module(f"simulator.games.{name}").GAME
        return result
    if not offered:
        way = "" if "/" not in name else "; a game of your own is named by its file, which ends in .py"
        message = f"There is no game '{name}'{nearest(name, game_names())}; the games are {', '.join(game_names())}{way}."
        raise UserError(message)
    if name in command_names():
        raise GameError(_name_is_taken(offered[0]))
    if len(offered) > 1:
        message = f"{' and '.join(map(str, offered))} have one name; uninstall all but one of them."
        raise GameError(message)
    return _checked(offered[0])


def _checked(offer: Offer) -> Game:
    """The game that a package offers, once it is what a game has to be."""
    from simulator.registry.game_checks import check_default_strategy, check_game  # noqa: PLC0415  needs NumPy

    result = check_game(offer.load(), str(offer), offer.name)
    check_default_strategy(result, strategies(offer.name))
    return result


@cache
def strategies(game: str | Game) -> dict[str, Strategy]:
    """The strategies that play a game, by name, those for any game last; one that was named by a file has to be given itself."""
    game_name = game.name if isinstance(game, Game) else game
    offered: dict[str, Strategy] = {}
    for module in _modules_with_strategies(game):
        offered |= _declared(module, game_name)
    for offer in offers(STRATEGIES_GROUP):
        try:
            offered = {**_offered(offer, game_name), **offered}
        except UserError as error:
            leave_out(error)
    return offered


def home_of(game: Game) -> ModuleType:
    """The module that a game stands in."""
    from simulator.registry.game_files import module_of  # noqa: PLC0415  needs NumPy

    return module_of(game) if game.path else importlib.import_module(game.turn.py_func.__module__)


def _modules_with_strategies(game: str | Game) -> Iterator[ModuleType]:
    name = game.name if isinstance(game, Game) else game
    if isinstance(game, Game) and game.path:
        yield home_of(game)
    elif name.isidentifier() and importlib.util.find_spec(f"strategies.{name}") is not None:
        yield importlib.import_module(f"strategies.{name}")
    yield importlib.import_module("strategies.anygame")


def _offered(offer: Offer, game_name: str) -> dict[str, Strategy]:
    from strategies.declare import Strategy  # noqa: PLC0415  the strategies come after the registry

    loaded = offer.load()
    if isinstance(loaded, ModuleType):
        return _declared(loaded, game_name)
    if not isinstance(loaded, Strategy):
        message = f'{offer} is no strategy; put @strategy("{game_name}") above it.'
        raise StrategyError(message)
    return _suiting([loaded], game_name)


def _declared(module: ModuleType, game_name: str) -> dict[str, Strategy]:
    return _suiting(vars(module).values(), game_name)


def _suiting(things: Iterable[Any], game_name: str) -> dict[str, Strategy]:
    from strategies.declare import ANY_GAME, Strategy  # noqa: PLC0415  the strategies come after the registry

    return {s.name: s for s in things if isinstance(s, Strategy) and s.game in (game_name, ANY_GAME)}


def player(game: Game, text: str) -> Player:
    """The player that `text` describes: NAME or FILE.py:NAME, and parameters behind another colon as key=value,...

    NAME may be a layer, `lookahead` or `blunder`, whose last parameter `base` is again such a text, or a nickname of something.

    Raises:
        StrategyError: there is no such strategy, it is not for this game, its file has an error, or a parameter is wrong.
    """
    from simulator.registry.lineup import LAYERS, NICKNAMES, lay, make_player  # noqa: PLC0415  needs NumPy

    name, _, tail = text.partition(":")
    if name.strip() in NICKNAMES and name.strip() not in strategies(game):
        meaning = NICKNAMES[name.strip()].meaning
        return player(game, f"{meaning}{',' if ':' in meaning else ':'}{tail}" if tail else meaning)
    if name.strip() in LAYERS:
        own, _, base = tail.partition("base=") if tail.startswith("base=") else tail.partition(",base=")
        return lay(LAYERS[name.strip()], player(game, base or game.default_strategy), _settings(text, name.strip(), own))
    file, name, settings = _parse(text)
    strategy = _from_file(Path(file), name, game) if file else _by_name(name, game)
    return make_player(strategy, settings)


def _parse(text: str) -> tuple[str, str, dict[str, str]]:
    file, ending, rest = text.rpartition(".py:")
    name, _, tail = rest.partition(":")
    if not name:
        message = f"'{text}' names no strategy; write NAME, NAME:key=value or FILE.py:NAME."
        raise StrategyError(message)
    return (f"{file}.py" if ending else ""), name.strip(), _settings(text, name, tail)


def _settings(text: str, name: str, tail: str) -> dict[str, str]:
    """Parameters from `key=value,...`."""
    settings: dict[str, str] = {}
    for part in tail.split(",") if tail else []:
        key, separator, value = part.partition("=")
        if not separator:
            message = f"'{part}' sets no parameter of strategy '{name}'; write {name}:key=value."
            raise StrategyError(message)
        key = key.strip()
        if key in settings:
            message = f"'{text}' sets '{key}' twice; set it once."
            raise StrategyError(message)
        settings[key] = value.strip()
    return settings


def _by_name(name: str, game: Game) -> Strategy:
    from simulator.registry.lineup import LAYERS, NICKNAMES  # noqa: PLC0415  needs NumPy

    known = strategies(game)
    if name not in known:
        for offer in offers(STRATEGIES_GROUP):
            if offer.name == name:
                _offered(offer, game.name)  # whoever asks for a broken one is told what is wrong with it
        if is_path(name):
            message = f"'{name}' is a file; name the strategy in it as {name}:NAME."
            raise StrategyError(message)
        beside = vars(home_of(game)).get(name) if game.path else None
        if beside is not None:
            raise StrategyError(_lacking(game.file, name, beside, game, []))
        hint, there = nearest(name, [*known, *LAYERS, *NICKNAMES]), ", ".join([*known, *LAYERS])
        message = f"{game.title} has no strategy '{name}'{hint}; it has {there}."
        raise StrategyError(message)
    return known[name]


def _from_file(file: Path, name: str, game: Game) -> Strategy:
    from simulator.registry.strategy_files import load  # noqa: PLC0415  only where there is a file

    module = load(file)
    result = _suiting(vars(module).values(), game.name)
    if name in result:
        return result[name]
    raise StrategyError(_lacking(file, name, getattr(module, name, None), game, list(result)))


def _lacking(file: Path, name: str, thing: Any, game: Game, found: list[str]) -> str:
    """Why a file holds no strategy of that name for this game."""
    from strategies.declare import Strategy  # noqa: PLC0415  the strategies come after the registry

    if isinstance(thing, Strategy):
        unknown = "" if thing.game in game_names() else f", which is no game{nearest(thing.game, game_names())}"
        remedy = f'; write @strategy("{game.name}") to play it here'
        return f"Strategy '{name}' ({file}, line {thing.decorated}) is declared for '{thing.game}'{unknown}, not for '{game.name}'{remedy}."
    if thing is not None:
        line = getattr(getattr(thing, "__code__", None), "co_firstlineno", 1)
        return f"'{name}' ({file}, line {line}) is no strategy; put @strategy(\"{game.name}\") above it."
    hint = f"; it has {', '.join(found)}" if found else f'; put @strategy("{game.name}") above a function'
    return f"File {file} declares no strategy '{name}'{nearest(name, found) or hint}."
