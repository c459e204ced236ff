"""Promises: what a designer says about a game, in a TOML file, read and checked before anything is played.

A file holds `[[promise]]` tables, and above them what they share. Each is about a mean or a share, about a quantile, or
about a difference: between two seats, two strategies, two numbers of players or two sets of rules.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation, Overflow
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError

from simulator import registry
from simulator.document.language import listed, plural
from simulator.errors import RulesError, UserError, nearest
from simulator.files import parse_toml, read_text
from simulator.game import Game, Metric
from simulator.play.experiment import Experiment
from simulator.play.run import MAX_GAMES, MAX_SEED, make_experiment
from simulator.rules import build_rules, constants, flattened, line_of, to_text

CONFIDENCE = 0.99
GAMES = 1_000_000

MAX_PROMISES = 1000
"""A file that makes more promises than this is refused."""

MAX_NAME = 200
"""Texts in a file that are longer than this are refused."""

_WHAT = "Promises file"
_SHOWN = 60
_LEAST_CONFIDENCE, _MOST_CONFIDENCE = 0.5, 1 - 1e-9


@dataclass(frozen=True)
class Target:
    """Where a figure is promised to lie, the ends included; one of them may be infinite."""

    low: float
    high: float

    def text(self, unit: str, *, difference: bool = False) -> str:
        """In words, shares as percent and differences of shares as percentage points.

        >>> Target(0.45, 0.6).text("share"), Target(-math.inf, 40).text("turns")
        ('45% to 60%', 'at most 40 turns')
        """
        factor, sign = (100 if unit == "share" else 1), "+" if difference else ""
        percent = "%" if unit == "share" and not difference else ""
        low, high = (f"{factor * end:{sign}z.6g}{percent}" for end in (self.low, self.high))
        behind = "" if percent else f" {'points' if unit == 'share' else unit}"
        if math.isinf(self.high):
            return f"at least {low}{_counted(behind, factor * self.low)}"
        return f"at most {high}{_counted(behind, factor * self.high)}" if math.isinf(self.low) else f"{low} to {high}{behind}"


_PLURAL = re.compile(r"(?<=[cs]h|[su]s)es\b|s\b")


def _counted(unit: str, number: float) -> str:
    """The unit as it stands behind a number, which is in the singular behind one.

    >>> _counted("turns", 1), _counted("Wishes", -1), _counted("turns", 2)
    ('turn', 'Wish', 'turns')
    """
    return _PLURAL.sub("", unit) if abs(number) == 1 else unit


@dataclass(frozen=True)
class Side:
    """One metric of one experiment."""

    experiment: Experiment
    metric: Metric


@dataclass(frozen=True)
class Promise:
    """What is promised of one game at one number of players.

    Attributes:
        number: of its table in the file, counted from 1; a table for several numbers of players makes several promises.
        title: its name in the file, or nothing.
        alone: whether its table is about a single number of players.
        side: what it is about.
        minus: what is subtracted from that, playout by playout; None where it is not about a difference.
        quantile: which quantile it is about; None where it is about the mean or the share.
        target: where that is promised to lie.
        confidence: that the verdict is right.
        games: how many playouts at most.
    """

    number: int
    title: str
    alone: bool
    side: Side
    minus: Side | None
    quantile: float | None
    target: Target
    confidence: float
    games: int

    @property
    def name(self) -> str:
        """As in the file, with the number of players where its table asks for several; without a title, what it is about."""
        if not self.title:
            return self.subject
        return self.title if self.alone else f"{self.title} ({_at(self.side.experiment)})"

    @property
    def promised(self) -> str:
        """The target in words."""
        return self.target.text(self.side.metric.unit, difference=self.minus is not None)

    @property
    def subject(self) -> str:
        """What it is about, in names: game, players, metric, and what is not as shipped."""
        experiment = self.side.experiment
        about = f"{experiment.game.name}, {_at(experiment)}: {_told(self.side)}"
        if self.minus is not None:
            apart = self.minus.experiment.players != experiment.players
            return f"{about} less {_told(self.minus)}{f' at {_at(self.minus.experiment)}' if apart else ''}"
        return about if self.quantile is None else f"{about}, quantile {self.quantile:g}"


def _at(experiment: Experiment) -> str:
    return plural(experiment.players, "player")


def _told(side: Side) -> str:
    """A metric, with the strategies and the rules that are not as shipped."""
    experiment = side.experiment
    labels = [player.label for player in experiment.lineup]
    changed = [f"{c.key}={to_text(c.value)}" for c in constants(experiment.rules) if c.changed]
    if set(labels) != {experiment.game.default_strategy}:
        changed.insert(0, labels[0] if len(set(labels)) == 1 else ", ".join(labels))
    return f"{side.metric.name} with {'; '.join(map(_shown, changed))}" if changed else side.metric.name


def _shown(text: str) -> str:
    """A text as it can stand in a line."""
    return printable(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")


def printable(text: str) -> str:
    r"""A text without what no terminal shows; XML forbids nothing else.

    >>> printable("a\x1b[31m<b>")
    'a?[31m<b>'
    """
    return "".join(c if c.isprintable() else "?" for c in text)


def read_promises(path: str | Path, *, games: int | None = None) -> list[Promise]:
    """The promises in a file, in its order.

    Args:
        path: a TOML file; `docs/check.md` says what it holds.
        games: how many playouts each gets at most, in place of what the file says.

    Raises:
        UserError: the file cannot be read or is no TOML, or a promise is incomplete or cannot be played; the promise, the
            key and, where it can be told, the line are named.
    """
    path = Path(path)
    text = read_text(path, _WHAT)
    document = parse_toml(path, text, _WHAT)
    raw = document.get("promise")
    tables: list[Any] = raw if isinstance(raw, list) else []
    top = _Place(path, _Lines(text, len(tables)))
    if isinstance(raw, dict):
        raise top.refusal("promise", "a promise is written under [[promise]], with two brackets on each side.")
    defaults = top.validated(_Defaults, {k: v for k, v in document.items() if k != "promise"}, also=("promise",))
    if not tables or not all(isinstance(table, dict) for table in tables):
        raise top.refusal("promise", "there is no promise in it; write [[promise]], and game, players, metric and at_least below it.")
    found: list[Promise] = []
    for number, table in enumerate(tables, 1):
        found += _promises_of(_Place(path, top.lines, number), table, defaults, games)
        if len(found) > MAX_PROMISES:
            raise top.refusal("", f"it makes more than {MAX_PROMISES} promises; split it into several files.")
    return found


# -- the values in a file, each with what it has to be --

T = TypeVar("T")


def _text(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value.strip()) <= MAX_NAME:
        message = f"a text of 1 to {MAX_NAME} characters"
        raise ValueError(message)
    return value.strip()


def _name(value: Any) -> str:
    return printable(" ".join(_text(value).split()))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_GAMES:
        message = "a number, such as 0.45 for 45 percent"
        raise ValueError(message)
    return float(value)


def _two_numbers(value: Any) -> tuple[float, float]:
    message = "two numbers, the lower one first, such as [0.45, 0.60]"
    if not isinstance(value, list) or len(value) != 2:  # noqa: PLR2004  two ends
        raise ValueError(message)
    try:
        low, high = (_number(end) for end in value)
    except ValueError:
        raise ValueError(message) from None
    if low > high:
        raise ValueError(message)
    return low, high


def _within(value: Any, low: float, high: float, message: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low < value < high:
        raise ValueError(message)
    return float(value)


def _players(value: Any) -> tuple[int, ...]:
    message = 'a number of players such as 4, or a range such as "2-6"'
    match = re.fullmatch(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", str(value).strip()) if type(value) in {int, str} and _short(value) else None
    if match is None or int(match[1]) > int(match[2] or match[1]):
        raise ValueError(message)
    return tuple(range(int(match[1]), int(match[2] or match[1]) + 1))


def _short(value: int | str) -> bool:
    return len(value) <= MAX_NAME if isinstance(value, str) else abs(value) <= MAX_GAMES


def _one_player_count(value: Any) -> int:
    message = "a number of players such as 4"
    if type(value) is not int or not 0 < value < MAX_NAME:
        raise ValueError(message)
    return value


_MULTIPLES = {"k": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def _count(value: Any) -> int:
    message = f'a number of playouts from 1 to {MAX_GAMES:,}, such as 1_000_000 or "1e6"'
    if isinstance(value, bool) or not isinstance(value, int | float | str) or (isinstance(value, str) and len(value) > MAX_NAME):
        raise ValueError(message)
    text = value.strip() if isinstance(value, str) else value
    factor = _MULTIPLES.get(text[-1:], 1) if isinstance(text, str) else 1
    try:
        number = Decimal(text[:-1] if factor > 1 and isinstance(text, str) else text) * factor
    except (InvalidOperation, Overflow):
        raise ValueError(message) from None
    if not (number.is_finite() and 1 <= number <= MAX_GAMES and number == number.to_integral_value()):
        raise ValueError(message)
    return int(number)


def _seed(value: Any) -> int:
    message = "a whole number from 0 to 2**64 - 1"
    if type(value) is not int or not 0 <= value <= MAX_SEED:
        raise ValueError(message)
    return value


def _names(value: Any) -> tuple[str, ...]:
    message = 'a list of strategies, such as ["uniform"]'
    if not isinstance(value, list) or not 0 < len(value) <= MAX_NAME:
        raise ValueError(message)
    try:
        return tuple(_text(entry) for entry in value)
    except ValueError:
        raise ValueError(message) from None


def _rules(value: Any) -> dict[str, Any]:
    message = 'a table of rule constants, such as {"wishes.goal" = 10}'
    if not isinstance(value, dict):
        raise ValueError(message)  # noqa: TRY004  pydantic wants this one
    try:
        return flattened(value)
    except ValueError:
        raise ValueError(message) from None


_Text = Annotated[str, PlainValidator(_text)]
_Number = Annotated[float, PlainValidator(_number)]
_Confidence = Annotated[
    float,
    PlainValidator(
        partial(_within, low=_LEAST_CONFIDENCE, high=_MOST_CONFIDENCE, message="a number between 0.5 and 1, such as 0.99"),
    ),
]
_Quantile = Annotated[float, PlainValidator(partial(_within, low=0.0, high=1.0, message="a number between 0 and 1, such as 0.9"))]
_Count = Annotated[int, PlainValidator(_count)]
_Seed = Annotated[int, PlainValidator(_seed)]
_Names = Annotated[tuple[str, ...], PlainValidator(_names)]
_Rules = Annotated[dict[str, Any], PlainValidator(_rules)]


class _Table(BaseModel):
    """Base of all tables: no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Defaults(_Table):
    """What stands above the promises."""

    confidence: _Confidence = CONFIDENCE
    games: _Count = GAMES
    seed: _Seed = 1


class _Minus(_Table):
    """What is subtracted: in what it differs from what the promise is about."""

    metric: _Text | None = None
    strategies: _Names | None = None
    players: Annotated[int, PlainValidator(_one_player_count)] | None = None
    rules: _Rules | None = None


class _PromiseTable(_Table):
    """One `[[promise]]`."""

    game: _Text
    players: Annotated[tuple[int, ...], PlainValidator(_players)]
    metric: _Text
    name: Annotated[str, PlainValidator(_name)] | None = None
    between: Annotated[tuple[float, float], PlainValidator(_two_numbers)] | None = None
    at_least: _Number | None = None
    at_most: _Number | None = None
    quantile: _Quantile | None = None
    strategies: _Names = ()
    rules: _Rules = {}
    minus: _Minus | None = None
    confidence: _Confidence | None = None
    games: _Count | None = None
    seed: _Seed | None = None


_TARGETS = ("between", "at_least", "at_most")

Model = TypeVar("Model", bound=_Table)


# -- where something stands, for saying so --


class _Lines:
    """Finds the line of a key."""

    _HEADER = re.compile(r"""\s*\[\[\s*["']?promise["']?\s*\]\]""")

    def __init__(self, text: str, promises: int) -> None:
        lines = text.split("\n")
        starts = [i for i, line in enumerate(lines) if self._HEADER.match(line)]
        # a header within a text of several lines is none: where their number is another one, nobody knows which
        self._starts = starts if len(starts) == promises else []
        ends = [*self._starts[1:], len(lines)]
        self._segments = ["\n".join(lines[start:end]) for start, end in zip(self._starts, ends, strict=True)] if self._starts else []
        self._top = "\n".join(lines[: starts[0]] if starts else lines)

    def line(self, number: int | None, key: str) -> int | None:
        """Line of a key of promise `number`, or of one above all promises; of the promise where the key is not found."""
        if number is None:
            return line_of(self._top, key) if key else None
        if not self._segments:
            return None
        within = line_of(self._segments[number - 1], f"promise.{key}")
        return self._starts[number - 1] + (within or 1)


@dataclass(frozen=True)
class _Place:
    """A promise in a file, or what stands above all of them."""

    path: Path
    lines: _Lines
    number: int | None = None
    prefix: str = field(default="", kw_only=True)

    def refusal(self, key: str, reason: str) -> UserError:
        """The error that says where something is wrong."""
        line = self.lines.line(self.number, f"{self.prefix}{key}")
        at = f", line {line}" if line else ""
        whose = f", promise {self.number}" if self.number else ""
        return UserError(f"Promises {self.path}{at}{whose}: {reason}")

    @contextmanager
    def about(self, key: str) -> Iterator[None]:
        """Whatever is refused within is about `key`."""
        try:
            yield
        except RulesError as error:
            constant = f"{key}.{error.key}"
            raise self.refusal(constant, str(error)) from None
        except UserError as error:
            raise self.refusal(key, str(error)) from None

    def validated(self, model: type[Model], table: Mapping[str, Any], also: tuple[str, ...] = ()) -> Model:
        """A table as a model of its fields; `also` may stand beside them.

        Raises:
            UserError: a key is unknown or missing, or a value is of the wrong type.
        """
        try:
            return model.model_validate(table)
        except ValidationError as invalid:
            errors = sorted(invalid.errors(include_url=False), key=lambda e: e["type"] != "extra_forbidden")
        first = errors[0]
        parts = [str(part) for part in first["loc"] if isinstance(part, str)]
        inner = _Minus if parts[:1] == ["minus"] and len(parts) > 1 else model
        key = ".".join(parts[: 2 if inner is not model else 1])
        if first["type"] == "extra_forbidden":
            known = [*inner.model_fields, *(also if inner is model else ())]
            name = _shown(parts[-1])
            hint = nearest(name, known) or f"; there are {', '.join(known)}"
            raise self.refusal(key, f"there is no key '{_shown(key)}'{hint}.")
        if first["type"] == "missing":
            example = {"game": 'game = "NAME"', "players": "players = 4", "metric": 'metric = "turns"'}[key]
            raise self.refusal(key, f"it lacks '{key}'; write {example}, say.")
        wanted = first["msg"].removeprefix("Value error, ")
        if first["type"] != "value_error":
            wanted = 'a table such as {metric = "wins.1"}'
        raise self.refusal(key, f"'{key}' cannot be {_shown(to_text(first['input']))}: it has to be {wanted}.")


# -- from a table to promises --


def _promises_of(place: _Place, table: Mapping[str, Any], defaults: _Defaults, games: int | None) -> Iterator[Promise]:
    asked = place.validated(_PromiseTable, table)
    target = _target(place, asked)
    if asked.quantile is not None and asked.minus is not None:
        raise place.refusal("minus", "a quantile of a difference cannot be promised; leave out 'quantile' or 'minus'.")
    with place.about("game"):
        game = registry.game(str(place.path.parent / asked.game) if registry.is_path(asked.game) else asked.game)
    for players in asked.players:
        seed = defaults.seed if asked.seed is None else asked.seed
        side = _side(place, game, players, asked.strategies, asked.rules, asked.metric, seed)
        minus = None if asked.minus is None else _minus(place, asked, asked.minus, side, seed)
        _check_target(place, asked, target, side.metric)
        yield Promise(
            place.number or 0,
            asked.name or "",
            len(asked.players) == 1,
            side,
            minus,
            asked.quantile,
            target,
            asked.confidence or defaults.confidence,
            games or asked.games or defaults.games,
        )


def _target(place: _Place, asked: _PromiseTable) -> Target:
    given = [name for name in _TARGETS if getattr(asked, name) is not None]
    if len(given) != 1:
        key = given[1] if given else ""
        what = f"it has {listed(given)}" if given else "it does not say what is promised"
        raise place.refusal(key, f"{what}; write one of between, at_least and at_most.")
    if asked.between is not None:
        return Target(*asked.between)
    return Target(-math.inf if asked.at_least is None else asked.at_least, math.inf if asked.at_most is None else asked.at_most)


def _side(place: _Place, game: Game, players: int, strategies: tuple[str, ...], rules: dict[str, Any], metric: str, seed: int) -> Side:
    """One metric of one experiment; what is refused is told by key."""
    with place.about("strategies"):
        for strategy in strategies:
            registry.player(game, strategy)
    with place.about("rules"):
        build_rules(game.rules, rules)
    with place.about("players"):
        experiment = make_experiment(game, players=players, strategies=strategies, rules=rules, seed=seed)
    known = {m.name: m for m in experiment.metrics}
    if metric not in known:
        reason = f"at {players} players there is no metric '{_shown(metric)}'{nearest(metric, known)}; there are {', '.join(known)}."
        raise place.refusal("metric", reason)
    return Side(experiment, known[metric])


def _minus(place: _Place, asked: _PromiseTable, minus: _Minus, side: Side, seed: int) -> Side:
    """What is subtracted; where the table does not say otherwise, it is as the promise."""
    inner = _Place(place.path, place.lines, place.number, prefix="minus.")
    found = _side(
        inner,
        side.experiment.game,
        minus.players or side.experiment.players,
        minus.strategies or asked.strategies,
        {**asked.rules, **(minus.rules or {})},
        minus.metric or asked.metric,
        seed,
    )
    if found.metric.name == side.metric.name and found.experiment.id == side.experiment.id:
        raise place.refusal("minus", "this is the same once more, so that the difference is always 0; name another metric or strategy.")
    if found.metric.unit != side.metric.unit:
        units = f"'{side.metric.name}' counts {side.metric.unit} and '{found.metric.name}' {found.metric.unit}"
        raise place.refusal("minus", f"{units}; subtract what counts the same.")
    return found


def _check_target(place: _Place, asked: _PromiseTable, target: Target, metric: Metric) -> None:
    """Refuse what no number of playouts could show.

    Raises:
        UserError: the target lies where a share cannot, or leaves no room.
    """
    key = next(name for name in _TARGETS if getattr(asked, name) is not None)
    if asked.quantile is not None:
        if metric.kind == "share":
            raise place.refusal("quantile", f"'{metric.name}' is a share, which has no quantiles; leave out 'quantile'.")
        return
    ends = [end for end in (target.low, target.high) if math.isfinite(end)]
    lowest = -1 if asked.minus is not None else 0
    if metric.kind == "share" and not all(lowest <= end <= 1 for end in ends):
        raise place.refusal(key, f"'{metric.name}' is a share, between {lowest} and 1; write 0.45 for 45 percent.")
    never = asked.minus is None and metric.low < metric.high and (target.high <= metric.low or target.low >= metric.high)
    if never or target.low == target.high:
        limit = f"'{key}' leaves no room, so that no number of playouts could show it"
        raise place.refusal(key, f"{limit}; allow a little, such as {_a_little(metric, target)}.")


def _a_little(metric: Metric, target: Target) -> str:
    step = 0.001 if metric.kind == "share" else 0.1
    if math.isinf(target.low):
        return f"at_most = {target.high + step:g}"
    return f"at_least = {target.low - step:g}" if math.isinf(target.high) else f"between = [{target.low - step:g}, {target.high + step:g}]"
