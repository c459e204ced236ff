"""Across strategies: is it the rules or the players? The same question, put to every strategy of a spread.

Weak and strong players are all seated in turn, each kind by itself, on the same draws. A verdict that all of them give is
about the rules. One that flips from one kind of players to another is about the players, and no figure of a single strategy
may be trusted to answer it. All verdicts are judged together, so that asking many strategies finds no flip by chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from simulator import registry
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.figures import GAP_CELL
from simulator.document.language import clean, plural
from simulator.errors import UserError
from simulator.stats.verdicts import SURVIVES, Verdict
from simulator.studies.options import texts

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.stats.estimate import Estimate
    from simulator.studies.moves import Move
    from simulator.studies.study import Setup

ALL = "strategies"
"""The word for all strategies of a game."""

Says = Literal["up", "down", "equivalent", "undecided"]

MARKS = {"holds": "holds", "flips": "FLIPS", "open": "open"}
"""How a status is shown."""

MOST_LISTED = 6
"""Verdicts of a kind that the top of a document names."""


def across_option() -> Any:
    """The field of a study that can be asked under several strategies."""
    what = "Ask under each of the game's strategies, or under each NAME (may be repeated), and flag every verdict that flips."
    return texts(what, "strategies | NAME[:k=v,...]", "--across")


def tables_of(setup: Setup, across: Sequence[str]) -> list[Setup]:
    """What to play: the setup with each number of players, and with each strategy by itself where several are asked.

    Raises:
        UserError: strategies are named twice, one does not exist, or there are fewer than two.
    """
    if across and setup.strategies:
        message = "--across says who plays; leave out --strategy, or write --across NAME for each strategy to ask."
        raise UserError(message)
    seated = [(strategy,) for strategy in spread_of(setup.game, across)] if across else [setup.strategies]
    return [replace(setup, players=(n,), strategies=who) for n in setup.players for who in seated]


def spread_of(game: Game, named: Iterable[str]) -> tuple[str, ...]:
    """The strategies to ask: those named, or with the word "strategies" all of the game's, its default first.

    Raises:
        UserError: one does not exist, or there are fewer than two, so that nothing can be compared.
    """
    every = sorted(registry.strategies(game), key=lambda name: name != game.default_strategy)
    texts = [text for name in named for text in (every if name.strip() == ALL else [name.strip()])]
    distinct = {registry.player(game, text): text for text in reversed(texts)}  # of two names of one, the first is kept
    found = tuple(dict.fromkeys(text for text in texts if text in distinct.values()))
    if len(found) < 2:  # noqa: PLR2004  one strategy cannot disagree with itself
        only = found[0] if found else "none"
        message = f"{game.title} would be asked under one strategy only, {only}; name others with --across NAME or FILE.py:NAME."
        raise UserError(message)
    return found


# ---------------------------------------------------------------- what the strategies say


@dataclass(frozen=True)
class Answer:
    """What one strategy says about a difference.

    Attributes:
        strategy: who played.
        says: which way the difference goes; "equivalent" if it does not matter; judged together with all others.
        difference: changed less baseline.
        beyond: whether it is larger than what does not matter, all judged at once, so that it contradicts "equivalent".
        hidden: whether nothing is known of it, since no game finished.
    """

    strategy: str
    says: Says
    difference: Estimate
    beyond: bool
    hidden: bool = False

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"strategy": self.strategy, "says": self.says, "difference": None if self.hidden else self.difference.as_dict()}


class AskedAll(ABC):
    """What every strategy was asked."""

    @property
    @abstractmethod
    def verdict(self) -> Verdict:
        """Whether all strategies say the same; no if they contradict each other."""

    @property
    @abstractmethod
    def text(self) -> str:
        """Who says what about it."""

    @property
    def status(self) -> str:
        """The verdict in a word."""
        return SURVIVES[self.verdict]

    @property
    def mark(self) -> str:
        """The status as it is shown."""
        return MARKS[self.status]


@dataclass(frozen=True)
class Asked(AskedAll):
    """One question about a difference, put to every strategy.

    Attributes:
        about: the variant, or the constant and where it went.
        players: how many sat at the table.
        metric: what was looked at.
        answers: one for each strategy that was played.
        planned: how many strategies were to be played.
        move: the constant and where it went, if that is the question.
    """

    about: str
    players: int
    metric: Metric
    answers: tuple[Answer, ...]
    planned: int
    move: Move | None = None

    @cached_property
    def verdict(self) -> Verdict:
        """Whether all strategies say the same, contradict each other, or leave it open.

        They contradict each other if one says up and another down, or if the difference does not matter under one and is
        larger than that under another.
        """
        said = {a.says for a in self.answers}
        if {"up", "down"} <= said or ("equivalent" in said and any(a.beyond for a in self.answers)):
            return "no"
        settled = len(said) == 1 and "undecided" not in said and len(self.answers) == self.planned
        return "yes" if settled else "open"

    @property
    def subject(self) -> str:
        """What it is about."""
        return f"{self.metric.label} with {self.about}, {plural(self.players, 'player')}"

    @property
    def text(self) -> str:
        """What it is about and who says what."""
        return f"{self.subject}: {self.verdicts}"

    @property
    def verdicts(self) -> str:
        """Who says what."""
        return by_answer((a.says, a.strategy) for a in self.answers)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        about = {"variant": self.about} if self.move is None else self.move.as_dict()
        where = {"players": self.players, "metric": self.metric.name, "status": self.status}
        return {**about, **where, "answers": [a.as_dict() for a in self.answers]}


def by_answer(answers: Iterable[tuple[Says, str]]) -> str:
    """Who says what.

    >>> by_answer([("up", "bold"), ("down", "timid"), ("up", "greedy")])
    'up under bold, greedy; down under timid'
    """
    who: dict[str, list[str]] = {says: [] for says in get_args(Says)}
    for says, strategy in answers:
        who[says].append(strategy)
    return "; ".join(f"{says} under {', '.join(strategies)}" for says, strategies in who.items() if strategies)


def counts(asked: Sequence[AskedAll]) -> dict[str, int]:
    """How many hold, flip and are open."""
    return {status: sum(a.status == status for a in asked) for status in SURVIVES.values()}


def closing(asked: Sequence[AskedAll], noun: str) -> str:
    """One sentence on how many verdicts, or what else `noun` says, survive a change of players."""
    found = counts(asked)
    held, flipped, undecided = found["holds"], found["flips"], found["open"]
    told = (
        f"{held or 'none'} {'hold' if held > 1 else 'holds'} under every strategy",
        f"{flipped or 'none'} {'flip' if flipped > 1 else 'flips'}",
        f"{undecided or 'none'} {'are' if undecided > 1 else 'is'} open",
    )
    return f"Of {plural(len(asked), noun)}, {', '.join(told)}."


# ---------------------------------------------------------------- what is said of it


def some(sentences: Sequence[str]) -> list[str]:
    """The first of them, and how many more the tables have."""
    rest = len(sentences) - MOST_LISTED
    return [*map(clean, sentences[:MOST_LISTED]), *[f"and {rest} more, which the tables have"] * (rest > 0)]


def survey(asked: Sequence[Asked]) -> tuple[str, ...]:
    """What holds under every strategy, and what is open."""
    held = [f"{one.subject}, {one.answers[0].says}" for one in asked if one.verdict == "yes"]
    undecided = [one.subject for one in asked if one.verdict == "open"]
    told = (("Under every strategy", held), ("Open", undecided))
    return tuple(f"{what}: {'; '.join(some(subjects))}." for what, subjects in told if subjects)


def warnings(flips: Sequence[str], *, interrupted: bool) -> Iterator[str]:
    """What depends on who plays, and that not all strategies were played."""
    yield from (f"{text[:1].upper()}{text[1:]}." for text in some([f"it depends on who plays: {text}" for text in flips]))
    if interrupted:
        yield "The study was interrupted; strategies that were not played leave their verdicts open."


def how_to_read(difference: str, *, sequential: bool) -> str:
    """What the figures under every strategy are; `difference` says of what it is one."""
    kind = "confidence sequence" if sequential else "interval"
    return (
        f"A difference is {difference}, by pairs of playouts on the same draws; below it stands its 95% {kind}."
        " Shares are in percentage points. The verdicts of all strategies are judged together (Holm)."
    )


def by_strategy(asked: Sequence[Asked], *, printed: bool = False) -> Chapter:
    """The differences under every strategy; whether the terminal shows them as well."""
    return Chapter(
        "by-strategy",
        "What changes, and under whom",
        "Look for strategies on either side of zero.",
        charts=tuple(f"across-{name}" for name in dict.fromkeys(one.metric.name for one in asked)),
        tables=(verdicts_table(asked), answers_table(asked, printed=printed)),
    )


def verdicts_table(asked: Sequence[Asked]) -> Table:
    """What every strategy says, a row for each question; those that flip first, then those that are open."""
    order: tuple[Verdict, ...] = ("no", "open", "yes")
    ranked = sorted(asked, key=lambda one: order.index(one.verdict))
    return Table(
        "Verdicts by strategy",
        "A verdict flips if it is up under one strategy and down under another, or of no matter under one and larger than what"
        " does not matter under another. It is open if a strategy leaves it undecided. All are judged together (Holm).",
        ("Across", "Metric", "Players", "Change", "Verdicts"),
        tuple(tuple(map(clean, (a.mark, a.metric.label, str(a.players), a.about, a.verdicts))) for a in ranked),
        frozenset({2}),
        printed=False,
    )


def answers_table(asked: Sequence[Asked], *, printed: bool = True) -> Table:
    """Every difference under every strategy, with its interval."""
    return Table(
        "Differences by strategy",
        "",
        ("Metric", "Players", "Change", "Strategy", "Difference", "Verdict", "Across"),
        tuple(_row(one, answer) for one in asked for answer in one.answers),
        frozenset({1, 4}),
        printed=printed,
        grouped=(2, 1),
    )


def _row(one: Asked, answer: Answer) -> tuple[str | Cell, ...]:
    about = (clean(one.metric.label), str(one.players), clean(one.about), clean(answer.strategy))
    difference = Cell("-", "not known") if answer.hidden else Cell.of(answer.difference, GAP_CELL)
    return (*about, difference, answer.says, one.mark)
