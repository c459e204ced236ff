"""What a game has to be before anything of it is played: every declared fact is looked at, and nothing is compiled.

Games from other packages are checked when they are loaded, so that each mistake is one sentence with file and line.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import traceback
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.registry import CPUDispatcher
from pydantic import BaseModel

from simulator.errors import GameError, described, nearest, place_of
from simulator.game import Game, Metric
from simulator.kernel.records import MAX_SEATS
from simulator.kit.declare import TableDeclaration
from simulator.rules import GameRules

MOST_DECISIONS = 16
NEEDED = ("turn",)
OPTIONAL = ("deal", "score", "payoff", "show", "redeal")

Complaint = tuple[str, str]
"""Where, as file and line, and what is wrong there, as a clause."""


def check_game(found: object, source: str, name: str) -> Game:
    """What was found under a name, once it is known to be a game.

    Args:
        found: anything.
        source: where it comes from, to begin a sentence with.
        name: what it is offered as.

    Raises:
        GameError: it is no game, or one of the facts that it declares cannot be.
    """
    if not isinstance(found, Game):
        message = f"{source} is no game but of type {type(found).__name__}; it has to be a simulator.game.Game."
        raise GameError(message)
    for place, reason in _complaints(found, name):
        message = f"{source} cannot be played ({place}): {reason}."
        raise GameError(message)
    return found


def check_default_strategy(game: Game, strategies: Container[str]) -> None:
    """Refuse a game that nobody plays unless a strategy is named.

    Raises:
        GameError: its default strategy is none of `strategies`.
    """
    if game.default_strategy not in strategies:
        message = (
            f"Game '{game.name}' cannot be played ({declared_at(game, 'default_strategy')}): its default strategy "
            f"'{game.default_strategy}' does not exist; declare it with @strategy(\"{game.name}\") in {_home_of_strategies(game)}, or "
            "name 'uniform'."
        )
        raise GameError(message)


def _home_of_strategies(game: Game) -> str:
    return "this file" if game.path else "a package that offers it under ludometer.strategies"


def _complaints(game: Game, name: str) -> Iterator[Complaint]:
    """Everything that is wrong, from the plainest on; what comes later may rest on what was looked at before."""
    if game.name != name:
        yield declared_at(game, "name"), f"it calls itself '{game.name}' and is offered as '{name}'; both have to be one name"
    yield from _of_facts(game)
    if not isinstance(game.table, TableDeclaration):
        yield declared_at(game, "table"), "what lies on its table has to be declared by simulator.kit.declare.table(...)"
        return
    yield from _of_functions(game)
    yield from _of_rules(game)
    for players in range(game.players[0], game.players[1] + 1):
        yield from _of_metrics(game, players)


def _of_facts(game: Game) -> Iterator[Complaint]:
    if not game.name.replace("-", "_").isidentifier():
        yield declared_at(game, "name"), f"its name '{game.name}' has to be one word of letters, such as 'dragons' or 'sea-dragons'"
    low, high = game.players
    if not 1 <= low <= high <= MAX_SEATS:
        yield declared_at(game, "players"), f"its numbers of players have to lie between 1 and {MAX_SEATS}, not be {low} to {high}"
    if len(game.decisions) > MOST_DECISIONS:
        yield declared_at(game, "decisions"), f"it has {len(game.decisions)} decisions, and there can be {MOST_DECISIONS}"
    for needed in ("sentences", *(("question", "option") if game.decisions else ())):
        if not callable(getattr(game.story, needed, None)):
            yield declared_at(game, "story"), f"its story has no function `{needed}`"


def _of_functions(game: Game) -> Iterator[Complaint]:
    for name in (*NEEDED, *(name for name in OPTIONAL if getattr(game, name) is not None)):
        function = getattr(game, name)
        if not isinstance(function, CPUDispatcher):
            yield _place(function, game, name), f"its `{name}` is not compiled; put @jit above it (from simulator.kernel.jit import jit)"


def _of_rules(game: Game) -> Iterator[Complaint]:
    model = game.rules
    if not (isinstance(model, type) and issubclass(model, GameRules)):
        yield declared_at(game, "rules"), "its rules have to be a class made from GameRules"
        return
    yield from _of_constants(model)
    try:
        rules = model.model_validate({})
        packed = game.pack(rules)
    except Exception as error:  # noqa: BLE001  whatever somebody else's rules raise
        yield _raised_in(error, game) or _place(model, game, "rules"), f"its rules as shipped fail with {described(error)}"
        return
    if not isinstance(packed, np.ndarray) or packed.dtype.names is None or packed.shape != (1,):
        what = f"a {type(packed).__name__}" if not isinstance(packed, np.ndarray) else f"an array of shape {packed.shape} of {packed.dtype}"
        yield (
            _place(game.pack, game, "pack"),
            f"its `pack` returns {what}; it has to return an array of one record, such as np.array([(8,)], PACKED)",
        )


def _of_constants(model: type[BaseModel]) -> Iterator[Complaint]:
    """Every rule has to say what it is and where it comes from."""
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _of_constants(inner)
        elif not isinstance(field.json_schema_extra, dict) or "source" not in field.json_schema_extra:
            yield (
                line_of_constant(model, name),
                f"its rule '{name}' says neither what it is nor where it comes from; declare it with constant(...)",
            )


def _of_metrics(game: Game, players: int) -> Iterator[Complaint]:
    place = _place(game.metrics, game, "metrics")
    try:
        metrics = tuple(game.metrics(game.rules(), players))
        verdict = game.verdict(players)
    except Exception as error:  # noqa: BLE001  whatever somebody else's functions raise
        yield _raised_in(error, game) or place, f"its metrics for {players} players fail with {described(error)}"
        return
    if not all(isinstance(m, Metric) for m in metrics):
        yield place, "its metrics have to be simulator.game.Metric, all of them"
        return
    yield from ((place, reason) for reason in _wrong_metrics(game, players, metrics))
    for name in (m.name for m in metrics if not game.table.holds(m.name)):
        yield place, f"its table holds no number for the metric '{name}'; declare {name.partition('.')[0]}=number() or per_seat()"
    known, outcomes = [m.name for m in metrics], [m.name for m in metrics if m.outcome]
    for name in verdict:
        if name not in outcomes:
            yield declared_at(game, "verdict"), f"its verdict '{name}' is no outcome metric{nearest(name, outcomes)}"
    if game.closeness is not None and game.closeness not in known:
        yield declared_at(game, "closeness"), f"its closeness '{game.closeness}' is no metric{nearest(game.closeness, known)}"
    for shown in game.breakdowns:
        for name in (name for _, members in shown.series for name in members):
            if name not in known:
                yield (
                    declared_at(game, "breakdowns"),
                    f"its breakdown '{shown.name}' shows '{name}', which is no metric{nearest(name, known)}",
                )


def _wrong_metrics(game: Game, players: int, metrics: tuple[Metric, ...]) -> Iterator[str]:
    names = [m.name for m in metrics]
    for name in names:
        if names.count(name) > 1:
            yield f"it has two metrics called '{name}'"
    wins = ("players_win",) if game.cooperative else tuple(f"wins.{seat}" for seat in range(players))
    outcomes = {m.name for m in metrics if m.outcome}
    if not outcomes:
        yield "it has no outcome metric; mark with outcome=True those of which exactly one is 1 in each playout"
    for needed in (*wins, "unfinished"):
        if needed not in outcomes:
            kind = "cooperative game" if game.cooperative else "game that seats win"
            yield f"it has no outcome metric '{needed}' with {players} players, which every {kind} has"
    if "turns" not in names:
        yield "it has no metric 'turns', which every game has"
    for m in metrics:
        if m.low > m.high or (m.kind == "share" and not 0 <= m.low <= m.high <= 1):
            yield f"its metric '{m.name}' cannot lie between {m.low} and {m.high}"
    if not any(m.headline for m in metrics):
        yield "none of its metrics is a headline; mark with headline=True what belongs into the short table"


# ---------------------------------------------------------------- where it stands
def _place(thing: Any, game: Game, field: str) -> str:
    """File and line of a function or class, or of what declares it where it has none."""
    if isinstance(thing, type):
        try:
            return f"{inspect.getsourcefile(thing)}, line {inspect.getsourcelines(thing)[1]}"
        except (OSError, TypeError):
            return declared_at(game, field)
    return place_of(thing) or declared_at(game, field)


def declared_at(game: Game, field: str) -> str:
    """File and line at which a game declares one of its facts; the file alone where that cannot be told."""
    try:
        tree = ast.parse(Path(game.file).read_bytes())
    except (OSError, SyntaxError, TypeError):
        return str(game.file)
    keywords = [k for node in ast.walk(tree) if isinstance(node, ast.Call) for k in node.keywords if k.arg == field]
    return f"{game.file}, line {keywords[0].value.lineno}" if keywords else str(game.file)


def line_of_constant(model: type[BaseModel], name: str) -> str:
    """File and line at which a class of rules declares a constant."""
    try:
        lines, first = inspect.getsourcelines(model)
    except (OSError, TypeError):
        return model.__name__
    results = [
        n
        for n in ast.walk(ast.parse(textwrap.dedent("".join(lines))))
        if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name) and n.target.id == name
    ]
    return f"{inspect.getsourcefile(model)}, line {first + (results[0].lineno - 1 if results else 0)}"


def _raised_in(error: BaseException, game: Game) -> str | None:
    """File and line of the game at which an error came up."""
    folder = Path(game.file).parent
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(folder)]
    return f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else None
