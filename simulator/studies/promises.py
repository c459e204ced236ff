"""Promises: what a designer says about a game, in a TOML file, read and checked before anything is played.

A file holds `[[promise]]` tables, and above them what they share. Each is about a mean or a share, about a quantile, or
about a difference: between two seats, two strategies, two numbers of players or two sets of rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator import registry
from simulator.document.language import listed, plural
from simulator.errors import nearest
from simulator.files import parse_toml, read_text
from simulator.game import Game, Metric
from simulator.play.experiment import Experiment
from simulator.play.run import make_experiment
from simulator.rules import build_rules, constants, to_text
from simulator.stats.bands import Band
from simulator.studies.promise_file import TARGETS, Defaults, Lines, Minus, Place, PromiseTable, shown

_WHAT = "Promises file"

MAX_PROMISES = 1000
"""A file that makes more promises than this is refused."""


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
    target: Band
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
    return f"{side.metric.name} with {'; '.join(map(shown, changed))}" if changed else side.metric.name


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
    top = Place(path, Lines(text, len(tables)))
    if isinstance(raw, dict):
        raise top.refusal("promise", "a promise is written under [[promise]], with two brackets on each side.")
    defaults = top.validated(Defaults, {k: v for k, v in document.items() if k != "promise"}, also=("promise",))
    if not tables or not all(isinstance(table, dict) for table in tables):
        raise top.refusal("promise", "there is no promise in it; write [[promise]], and game, players, metric and at_least below it.")
    results: list[Promise] = []
    for number, table in enumerate(tables, 1):
        results += _promises_of(Place(path, top.lines, number), table, defaults, games)
        if len(results) > MAX_PROMISES:
            raise top.refusal("", f"it makes more than {MAX_PROMISES} promises; split it into several files.")
    return results


# -- from a table to promises --


def _promises_of(place: Place, table: Mapping[str, Any], defaults: Defaults, games: int | None) -> Iterator[Promise]:
    asked = place.validated(PromiseTable, table)
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


def _target(place: Place, asked: PromiseTable) -> Band:
    given = [name for name in TARGETS if getattr(asked, name) is not None]
    if len(given) != 1:
        key = given[1] if given else ""
        what = f"it has {listed(given)}" if given else "it does not say what is promised"
        raise place.refusal(key, f"{what}; write one of between, at_least and at_most.")
    if asked.between is not None:
        return Band(*asked.between)
    return Band(-math.inf if asked.at_least is None else asked.at_least, math.inf if asked.at_most is None else asked.at_most)


def _side(place: Place, game: Game, players: int, strategies: tuple[str, ...], rules: dict[str, Any], metric: str, seed: int) -> Side:
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
        reason = f"at {players} players there is no metric '{shown(metric)}'{nearest(metric, known)}; there are {', '.join(known)}."
        raise place.refusal("metric", reason)
    return Side(experiment, known[metric])


def _minus(place: Place, asked: PromiseTable, minus: Minus, side: Side, seed: int) -> Side:
    """What is subtracted; where the table does not say otherwise, it is as the promise."""
    inner = Place(place.path, place.lines, place.number, prefix="minus.")
    result = _side(
        inner,
        side.experiment.game,
        minus.players or side.experiment.players,
        minus.strategies or asked.strategies,
        {**asked.rules, **(minus.rules or {})},
        minus.metric or asked.metric,
        seed,
    )
    if result.metric.name == side.metric.name and result.experiment.id == side.experiment.id:
        raise place.refusal("minus", "this is the same once more, so that the difference is always 0; name another metric or strategy.")
    if result.metric.unit != side.metric.unit:
        units = f"'{side.metric.name}' counts {side.metric.unit} and '{result.metric.name}' {result.metric.unit}"
        raise place.refusal("minus", f"{units}; subtract what counts the same.")
    return result


def _check_target(place: Place, asked: PromiseTable, target: Band, metric: Metric) -> None:
    """Refuse what no number of playouts could show.

    Raises:
        UserError: the target lies where a share cannot, or leaves no room.
    """
    key = next(name for name in TARGETS if getattr(asked, name) is not None)
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


def _a_little(metric: Metric, target: Band) -> str:
    step = 0.001 if metric.kind == "share" else 0.1
    if math.isinf(target.low):
        return f"at_most = {target.high + step:g}"
    return f"at_least = {target.low - step:g}" if math.isinf(target.high) else f"between = [{target.low - step:g}, {target.high + step:g}]"
