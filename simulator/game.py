"""What a game declares about itself, and what a metric is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from simulator.errors import UserError, nearest, nearest_few
from simulator.kernel.sources import fingerprint, is_own

if TYPE_CHECKING:
    import numpy as np

    from simulator.kit.declare import TableDeclaration
    from simulator.rules import GameRules

MetricKind = Literal["share", "count"]


@dataclass(frozen=True)
class Metric:
    """One integer that every playout leaves behind, and what it means.

    Attributes:
        name: how the command line and the JSON call it; ends in `.0`, `.1`, ... when there is one per seat.
        label: how a person calls it.
        unit: what one is one of; "share" metrics are 0 or 1 in each playout and a share of playouts over many.
        kind: "share" or "count".
        low: the smallest value it can have under the rules at hand.
        high: the largest; a playout that leaves the range is an error and not a surprise in the tail.
        headline: whether it belongs into the short table.
        description: how it is counted, where the label does not say it all.
        outcome: whether it tells how the playout ended; of these exactly one is 1 in each playout, and together they
            are what every other metric is counted against.
        noticeable: the smallest difference of its mean, or its share, that a table would notice; two points of a share and a
            tenth of a count unless given.
    """

    name: str
    label: str
    unit: str
    kind: MetricKind
    low: int
    high: int
    headline: bool = False
    description: str = ""
    outcome: bool = False
    noticeable: float | None = None


def first_outcome(metrics: Sequence[Metric]) -> Metric:
    """The outcome that is meant where none is named: that the players win, or the first seat."""
    return next(m for m in metrics if m.outcome)


def chosen_metrics(metrics: Sequence[Metric], names: Sequence[str]) -> list[Metric]:
    """Those that are named, all if one of the names is 'all', or the headlines where none is named.

    Raises:
        UserError: one that is named does not exist.
    """
    chosen = [metric_named(metrics, name) for name in names if name != "all"]
    if "all" in names:
        return list(metrics)
    return chosen if names else [m for m in metrics if m.headline]


def metric_named(metrics: Sequence[Metric], name: str) -> Metric:
    """The metric of a name.

    Raises:
        UserError: there is none.
    """
    known = {m.name: m for m in metrics}
    if name not in known:
        few = nearest_few(name, sorted(known, key=lambda one: not known[one].headline))
        message = f"There is no metric '{name}'{nearest(name, known)}; nearest are {', '.join(few)}, and `--metric all` shows every one."
        raise UserError(message)
    return known[name]


@dataclass(frozen=True)
class Breakdown:
    """Metrics that a chart shows side by side: bars within series.

    Attributes:
        name: identifier, for file names.
        title: what the chart shows, as a heading.
        look_for: one sentence that says what to look for.
        bars: labels of the bars.
        series: label of the series and, for each bar, the metric; a single series may have an empty label.
    """

    name: str
    title: str
    look_for: str
    bars: tuple[str, ...]
    series: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Influence:
    """Numbers of a seat's own that a chart sets against how often that seat wins, in a game that one seat wins.

    Attributes:
        name: identifier, for file names.
        title: what the chart shows, as a heading.
        look_for: one sentence that says what to look for.
        unit: what the numbers count, to stand behind them: "cards drawn".
        members: for each panel its label and the metrics' prefix; `prefix.0` is the number of seat 0, and so on.
    """

    name: str
    title: str
    look_for: str
    unit: str
    members: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Ruling:
    """How a case is settled that the rulebook leaves open.

    Attributes:
        name: how documents, sources and tests cite it: "G4".
        text: what holds, in the project's own words.
        switch: the constant that can be set the other way; empty where no switch covers it.
    """

    name: str
    text: str
    switch: str = ""


def rulings(text: str) -> tuple[Ruling, ...]:
    r"""Rulings written one after the other, the switch of each behind its name and its further lines indented.

    >>> rulings("C2 deck.cards: One card is\n    played.")[0]
    Ruling(name='C2', text='One card is played.', switch='deck.cards')
    """
    rulings = []
    for ruling in text.replace("\n    ", " ").strip().splitlines():
        head, _, said = ruling.partition(": ")
        name, _, switch = head.partition(" ")
        rulings.append(Ruling(name, said, switch))
    return tuple(rulings)


@dataclass(frozen=True)
class BoxLength:
    """How long a game of what is in a box could last at most and at least; an average beyond points at an assumption.

    Attributes:
        rounds: fewest and most turns of each player.
        minutes: shortest and longest, at `seconds_per_turn`.
        why: where the bounds come from.
    """

    rounds: tuple[float, float]
    minutes: tuple[float, float]
    why: str


class Story(Protocol):
    """How a playout is told in plain sentences; a game's `story` module provides these functions."""

    def sentences(self, rules: Any, events: list[tuple[int, int, int, int]], /) -> list[str]:
        """One sentence for each event worth telling; an event is (code, a, b, c) as the game noted it."""
        ...

    def question(self, rules: Any, view: Any, /) -> str:
        """What the deciding seat is asked, in one phrase."""
        ...

    def option(self, rules: Any, view: Any, index: int, /) -> str:
        """What option `index` of a view would do, in one phrase."""
        ...


UNFINISHED = Metric("unfinished", "Unfinished", "share", "share", 0, 1, outcome=True, description="The turn cap ended the playout.")


def seat_wins(players: int) -> tuple[Metric, ...]:
    """For every seat, that it wins; then, that the playout is unfinished: the outcomes of a game that one seat wins."""
    wins = (Metric(f"wins.{i}", f"Seat {i} wins", "share", "share", 0, 1, headline=True, outcome=True) for i in range(players))
    return (*wins, UNFINISHED)


ALL_TOGETHER = (
    Metric("players_win", "Players win", "share", "share", 0, 1, headline=True, outcome=True),
    Metric("players_lose", "Players lose", "share", "share", 0, 1, outcome=True),
    UNFINISHED,
)
"""The outcomes of a game that all win or lose together."""


def turns(most: int) -> Metric:
    """How many turns all seats took together, at most `most`."""
    return Metric("turns", "Turns", "turns", "count", 0, most, headline=True, description="Turns of all seats together.")


def seats_win(players: int) -> tuple[str, ...]:
    """The outcomes that a report opens with where each plays for themselves: that a seat wins, for every seat."""
    return tuple(f"wins.{seat}" for seat in range(players))


def introduction(file: Path, name: str) -> tuple[str, str]:
    """Title and summary of a game, from the first line of its file's docstring, "Title: summary."; its name stands in for the title."""
    try:
        line = (ast.get_docstring(ast.parse(file.read_bytes())) or name).splitlines()[0]
    except (OSError, SyntaxError):
        line = name
    title, colon, summary = line.partition(": ")
    return (title, summary[0].upper() + summary[1:]) if colon else (name, line)


def all_win(_players: int) -> tuple[str, ...]:
    """The outcome that a report opens with where all win or lose together: that they win."""
    return ("players_win",)


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: its rules, its table, its compiled functions, its metrics and its story.

    Attributes:
        name: how the command line calls it.
        title: how a person calls it; unless given, what stands before the colon in the docstring of `file`.
        version: raised with every change of behaviour.
        players: fewest and most.
        cooperative: whether all seats win or lose together.
        rules: the pydantic model of its rules.
        pack: the rules as an array of one record for the kernel.
        table: what lies on the table, and who sees it.
        turn: the compiled function that plays one turn.
        deal: the compiled function that sets a playout up on a cleared table; None where nothing has to be done.
        payoff: the compiled function that says what the end is worth to a seat; if None, 1.0 to a seat that wins, or to all.
        score: the compiled function that fills in what is known only at the end; None where nothing is.
        show: the compiled function that lays out for a seat what it sees and the table does not hold; None where there is nothing.
        redeal: the compiled function that deals afresh what a seat cannot see; if None, the hidden piles are mixed and dealt again.
        metrics: what a row holds, given rules and players; if None, who wins, the turns, and all that the table counts.
        decisions: names of the decisions, in the order of their numbers.
        default_strategy: the strategy that is played when none is named.
        verdict: the outcome metrics that a report opens with, such as the Grinch's win; if not given, that seats or all players win.
        closeness: the metric whose values nearest to zero make a close game, if the game has one.
        breakdowns: what a report shows of the game's own events.
        summary: one sentence about the game; unless given, what follows that colon.
        story: the game's `story` module.
        file: the game's `__init__.py`.
        classic: whether it is one of the small games with known answers that prove the machine right.
        influences: what a report sets against how often a seat wins.
        seconds_per_turn: how long a turn takes at the table, to tell a game's length in minutes; None where nobody says.
        pace_note: where that number comes from.
        box_length: how long a game could last on average if the box holds what is assumed.
        players_note: where the fewest and the most players come from.
        rulings: what the rulebook leaves open and how it is settled, in order.
        path: as it was written, if the game was named by the path of its file.
    """

    name: str
    title: str = ""
    version: str = "1"
    players: tuple[int, int]
    cooperative: bool = False
    rules: type[GameRules]
    pack: Callable[[Any], np.ndarray[Any, Any]] = None  # type: ignore[assignment]  # the rules as they are unless given
    table: TableDeclaration
    turn: Any
    deal: Any = None
    score: Any = None
    payoff: Any = None
    show: Any = None
    redeal: Any = None
    metrics: Callable[[Any, int], tuple[Metric, ...]] = None  # type: ignore[assignment]  # those of the table unless given
    decisions: tuple[str, ...] = ()
    default_strategy: str = "uniform"
    verdict: Callable[[int], tuple[str, ...]] = seats_win
    closeness: str | None = None
    breakdowns: tuple[Breakdown, ...] = ()
    summary: str = ""
    story: Story
    file: Path = None  # type: ignore[assignment]  # that of `turn` unless given
    classic: bool = False
    influences: tuple[Influence, ...] = ()
    seconds_per_turn: float | None = None
    pace_note: str = ""
    box_length: BoxLength | None = None
    players_note: str = ""
    rulings: tuple[Ruling, ...] = ()
    path: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """What follows from the rest where it is not given."""
        if self.pack is None:
            from simulator.rules.packing import packer  # noqa: PLC0415  the help is printed before NumPy is loaded

            object.__setattr__(self, "pack", packer())
        if self.metrics is None:
            object.__setattr__(self, "metrics", self._metrics)
        if self.cooperative and self.verdict is seats_win:
            object.__setattr__(self, "verdict", all_win)
        if self.redeal is None:
            object.__setattr__(self, "redeal", getattr(self.table, "redeal", None))  # what is no table is refused with its line
        if self.file is None:
            object.__setattr__(self, "file", Path(getattr(self.turn, "py_func", self.turn).__code__.co_filename))
        title, summary = introduction(self.file, self.name)
        object.__setattr__(self, "title", self.title or title)
        object.__setattr__(self, "summary", self.summary or summary)

    @property
    def called(self) -> str:
        """How the command line calls it."""
        return self.path or self.name

    def _metrics(self, rules: GameRules, players: int) -> tuple[Metric, ...]:
        outcomes = ALL_TOGETHER if self.cooperative else seat_wins(players)
        return (*outcomes, turns(rules.turn_cap), *self.table.metrics(rules, players))

    @property
    def view(self) -> np.dtype[Any]:
        """What a strategy gets; it follows from what lies on the table."""
        return self.table.view

    @cached_property
    def fingerprint(self) -> str:
        """Hash of all sources that the game is made of, and of what one from elsewhere builds into its code from other places."""
        if is_own(self.file):
            return fingerprint(self.file)
        from simulator.kernel.constants import constants  # noqa: PLC0415  needs NumPy

        compiled = (self.deal, self.turn, self.show, self.score, self.payoff, self.redeal)
        return "-".join([fingerprint(self.file), *map(constants, compiled)])
