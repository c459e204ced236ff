"""Across strategies: is it the rules or the players? The same question, put to every strategy of a spread.

Weak and strong players are all seated in turn, each kind by itself, on the same draws. A verdict that all of them give is
about the rules. One that flips from one kind of players to another is about the players, and no figure of a single strategy
may be trusted to answer it. All verdicts are judged together, so that asking many strategies finds no flip by chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

from simulator import registry
from simulator.document.language import plural
from simulator.errors import UserError
from simulator.play.rehearsal import rehearse
from simulator.play.resources import Stage, unseen
from simulator.stats.estimate import CONFIDENCE, Estimate, simultaneous
from simulator.stats.verdicts import SURVIVES, Verdict, holm
from simulator.studies.compare import chosen_metrics, compare, intervals_of, judged_together, margin_of
from simulator.studies.conclusions import standings
from simulator.studies.pairs import experiments_of
from simulator.studies.sensitivity import measure, study

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.studies.compare import Compared, Comparison
    from simulator.studies.conclusions import Overturned, Standing
    from simulator.studies.effects import Effect, Measured, Sensitivity
    from simulator.studies.moves import LeftOut, Move
    from simulator.studies.pairs import Variant
    from simulator.studies.sensitivity import Question

ALL = "strategies"
"""The word for all strategies of a game."""

MOST_NAMED = 3
"""Flips that a closing sentence names."""

Says = Literal["up", "down", "equivalent", "undecided"]

MARKS = {"holds": "holds", "flips": "FLIPS", "open": "open"}
"""How a status is shown."""


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
        return {"strategy": self.strategy, "says": self.says, "difference": self.difference.as_dict()}


class _AskedAll(ABC):
    """What every strategy was asked."""

    @property
    @abstractmethod
    def verdict(self) -> Verdict:
        """Whether all strategies say the same; no if they contradict each other."""

    @property
    def status(self) -> str:
        """The verdict in a word."""
        return SURVIVES[self.verdict]

    @property
    def mark(self) -> str:
        """The status as it is shown."""
        return MARKS[self.status]


@dataclass(frozen=True)
class Asked(_AskedAll):
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
        about = {"variant": self.about} if self.move is None else _moved(self.move)
        where = {"players": self.players, "metric": self.metric.name, "status": self.status}
        return {**about, **where, "answers": [a.as_dict() for a in self.answers]}


def _moved(move: Move) -> dict[str, Any]:
    return {"key": move.key, "from": move.start, "to": move.to, "source": move.source}


@dataclass(frozen=True)
class Conclusion(_AskedAll):
    """A conclusion about the rules as they are, drawn under every strategy.

    Attributes:
        about: what it is about.
        players: how many sat at the table.
        answers: strategy and what it says, for each that was played.
        planned: how many strategies were to be played.
    """

    about: str
    players: int
    answers: tuple[tuple[str, Standing], ...]
    planned: int

    @cached_property
    def verdict(self) -> Verdict:
        """Whether all strategies say the same, contradict each other, or leave it open.

        They contradict each other if what either says cannot be true under the other.
        """
        firm = [standing for _, standing in self.answers if standing.settled]
        if any(a.contradicts(b) for a, b in combinations(firm, 2)):
            return "no"
        agreed = len({s.state for s in firm}) == 1 and len(firm) == self.planned
        return "yes" if agreed else "open"

    @property
    def text(self) -> str:
        """What each strategy says."""
        parts = "; ".join(f"{strategy}: {standing.text}" for strategy, standing in self.answers)
        return f"{plural(self.players, 'player')}, {parts}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        answers = [{"strategy": strategy, "says": standing.text} for strategy, standing in self.answers]
        return {"about": self.about, "players": self.players, "status": self.status, "answers": answers}


def by_answer(answers: Iterable[tuple[Says, str]]) -> str:
    """Who says what.

    >>> by_answer([("up", "bold"), ("down", "timid"), ("up", "greedy")])
    'up under bold, greedy; down under timid'
    """
    who: dict[str, list[str]] = {says: [] for says in get_args(Says)}
    for says, strategy in answers:
        who[says].append(strategy)
    return "; ".join(f"{says} under {', '.join(strategies)}" for says, strategies in who.items() if strategies)


def counts(asked: Sequence[Asked | Conclusion]) -> dict[str, int]:
    """How many hold, flip and are open."""
    return {status: sum(a.status == status for a in asked) for status in SURVIVES.values()}


def closing(asked: Sequence[Asked | Conclusion], noun: str, most_named: int = MOST_NAMED) -> str:
    """One sentence on how many verdicts, or what else `noun` says, survive a change of players; `most_named` flips are named."""
    found = counts(asked)
    held, flipped, undecided = found["holds"], found["flips"], found["open"]
    flips = [a.text for a in asked if a.status == "flips"]
    more = [f"and {len(flips) - most_named} more"] if len(flips) > most_named else []
    named = f" ({' | '.join([*flips[:most_named], *more])})" if flips and most_named else ""
    told = (
        f"{held or 'none'} {'hold' if held > 1 else 'holds'} under every strategy",
        f"{flipped or 'none'} {'flip' if flipped > 1 else 'flips'}{named}",
        f"{undecided or 'none'} {'are' if undecided > 1 else 'is'} open",
    )
    return f"Of {plural(len(asked), noun)}, {', '.join(told)}."


# ---------------------------------------------------------------- compare


@dataclass(frozen=True)
class ComparedAcross:
    """A comparison of rules under every strategy.

    Attributes:
        strategies: those that were to be asked.
        found: strategy and what it gave, for each number of players in turn; the verdicts are judged together.
        asked: for each number of players, variant and metric what the strategies say.
        interrupted: whether it was stopped before all was played.
    """

    strategies: tuple[str, ...]
    found: tuple[tuple[str, Compared], ...]
    asked: tuple[Asked, ...]
    interrupted: bool

    def closing(self, most_named: int = MOST_NAMED) -> str:
        """One sentence, which names as many that flip."""
        return closing(self.asked, "verdict", most_named)

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many games did not finish, where that is more than a few, and under which strategies."""
        told: dict[str, list[str]] = {}
        for strategy, compared in self.found:
            for remark in compared.remarks:
                told.setdefault(remark, []).append(strategy)
        return tuple(f"Under {', '.join(strategies)}: {remark}" for remark, strategies in told.items())

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        comparisons = [{"strategy": s, **c.as_dict()} for s, compared in self.found for c in compared.comparisons]
        verdicts = [a.as_dict() for a in self.asked]
        digests = [compared.digest for _, compared in self.found]
        return {
            "comparisons": comparisons,
            "digests": digests,
            "across": {"strategies": list(self.strategies), "verdicts": verdicts, **counts(self.asked)},
        }


def compare_across(  # noqa: PLR0913  what a comparison takes, and what a spread adds
    game: Game,
    variants: Sequence[Variant],
    strategies: Sequence[str],
    *,
    players: Sequence[int] = (4,),
    games: int = 100_000,
    rules: Mapping[str, Any] | None = None,
    metrics: Sequence[str] = (),
    margins: Mapping[str, float] | None = None,
    seed: int = 1,
    watch: Stage = unseen,
    **how: Any,
) -> ComparedAcross:
    """Compare rules under every strategy, and judge all verdicts together. Ctrl-C keeps what is done.

    Args:
        game: the game.
        variants: what to compare with the baseline; none may have strategies of its own.
        strategies: see `spread_of`.
        players: numbers of players; each is compared under each strategy.
        games: how many playouts of each.
        rules: overrides that make the baseline.
        metrics: what to compare; none means the game's headlines.
        margins: as in `compare`.
        seed: key of all random draws, the same for all strategies.
        watch: for showing progress.
        **how: what else `compare` takes: until_decided, workers, ledger.

    Raises:
        UserError: something of it does not exist or cannot be played; nothing has been played then.
        KeyboardInterrupt: interrupted before anything was finished.
    """
    own = next((v.name for v in variants if v.strategies), None)
    if own is not None:
        message = f"'{own}' names who plays it, and --across seats each strategy on both sides; leave out what stands behind the @."
        raise UserError(message)
    tables = [(n, strategy) for n in players for strategy in strategies]
    for n, strategy in tables:
        first, *_ = experiments_of(game, dict(rules or {}), variants, players=n, strategies=(strategy,), seed=seed)
        chosen_metrics(first.metrics, metrics, margins or {})
        rehearse(first)
    question = {"games": games, "rules": rules, "metrics": metrics, "margins": margins, "seed": seed, "together": len(tables), **how}

    def one(n: int, strategy: str, progress: Any) -> Compared:
        return compare(game, variants, players=n, strategies=(strategy,), progress=progress, **question)

    found, interrupted = _each(tables, one, lambda c: c.run.interrupted, games, watch)
    judged = judged_together([compared for _, compared in found], margins or {})
    named = tuple((strategy, compared) for (strategy, _), compared in zip(found, judged, strict=True))
    return ComparedAcross(tuple(strategies), named, tuple(_asked(named, len(strategies), margins or {})), interrupted)


def _each(
    tables: Sequence[tuple[int, str]],
    play: Callable[[int, str, Any], Any],
    stopped: Callable[[Any], bool],
    games: int,
    watch: Stage,
) -> tuple[list[tuple[str, Any]], bool]:
    """What each strategy gives at each table, and whether it was interrupted."""
    found: list[tuple[str, Any]] = []
    for n, strategy in tables:
        try:
            with watch(f"{strategy}, {n} players", games) as progress:
                found.append((strategy, play(n, strategy, progress)))
        except KeyboardInterrupt:
            break
        if stopped(found[-1][1]):
            return found, True
    if not found:
        raise KeyboardInterrupt
    return found, len(found) < len(tables)


def _asked(found: Sequence[tuple[str, Compared]], planned: int, margins: Mapping[str, float]) -> list[Asked]:
    """The comparisons of all strategies, by what they are about."""
    level = simultaneous(sum(len(compared.comparisons) for _, compared in found))
    asked: dict[tuple[Any, ...], list[tuple[Comparison, Answer]]] = {}
    for strategy, compared in found:
        for c, interval in zip(compared.comparisons, intervals_of(compared), strict=True):
            answer = Answer(strategy, _says(c), c.difference, _beyond(interval(level), margin_of(c.metric, margins)), any(c.hidden))
            asked.setdefault((c.players, c.variant, c.metric.name), []).append((c, answer))
    return [Asked(variant, n, answers[0][0].metric, tuple(a for _, a in answers), planned) for (n, variant, _), answers in asked.items()]


def _says(c: Comparison) -> Says:
    if c.verdict == "yes":
        return "up" if c.difference.best > 0 else "down"
    return "equivalent" if c.verdict == "no" else "undecided"


def _beyond(difference: Estimate, margin: float | None) -> bool:
    reach = margin or 0.0
    return difference.low > reach or difference.high < -reach


# ---------------------------------------------------------------- sensitivity


@dataclass(frozen=True)
class Overturns:
    """A move that overturns a conclusion, and under which strategies.

    Attributes:
        move: the constant and where it went.
        players: how many sat at the table.
        found: strategy and what is overturned.
        spared: the strategies under which nothing was seen to be overturned.
    """

    move: Move
    players: int
    found: tuple[tuple[str, Overturned], ...]
    spared: tuple[str, ...]

    @property
    def text(self) -> str:
        """What it overturns, and where."""
        parts = "; ".join(f"under {strategy}: {o.instead}; as it is, {o.conclusion}" for strategy, o in self.found)
        rest = f"; not seen under {', '.join(self.spared)}" if self.spared else ""
        return f"{self.move.text} ({self.move.source}), {plural(self.players, 'player')}, {parts}{rest}."

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        where = {"players": self.players, "under": list(dict.fromkeys(s for s, _ in self.found)), "not_under": list(self.spared)}
        return {**_moved(self.move), **where}


@dataclass(frozen=True)
class SensitivityAcross:
    """A sensitivity study under every strategy.

    Attributes:
        strategies: those that were to be asked.
        found: strategy and its study; all effects of all studies are judged together.
        conclusions: for each number of players what the strategies conclude about the rules as they are.
        asked: for each number of players, move and metric which way the strategies say it goes.
        overturned: conclusions that a move overturns; those by constants in doubt first.
        interrupted: whether it was stopped before all was played.
    """

    strategies: tuple[str, ...]
    found: tuple[tuple[str, Sensitivity], ...]
    conclusions: tuple[Conclusion, ...]
    asked: tuple[Asked, ...]
    overturned: tuple[Overturns, ...]
    interrupted: bool

    def closing(self, most_named: int = MOST_NAMED) -> tuple[str, str]:
        """A sentence on the conclusions and one on the effects; each names as many that flip."""
        return closing(self.conclusions, "conclusion", most_named), closing(self.asked, "effect", most_named)

    @property
    def without_effect(self) -> tuple[str, ...]:
        """Constants of which every move is shown to have no effect that matters, under every strategy."""
        quiet = [set(one.without_effect) for _, one in self.found]
        return tuple(key for key in self.found[0][1].without_effect if all(key in keys for keys in quiet))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "effects": [{"strategy": s, **e.as_dict()} for s, one in self.found for e in one.effects],
            "overturned": [{"strategy": s, **o.as_dict()} for s, one in self.found for o in one.overturned],
            "open": [{"strategy": s, **o.as_dict()} for s, one in self.found for o in one.open],
            "without_effect": list(self.without_effect),
            "left_out": [one.as_dict() for one in self.found[0][1].left_out],
            "digests": [table.digest for _, one in self.found for table in one.tables],
            "across": {
                "strategies": list(self.strategies),
                "conclusions": [c.as_dict() for c in self.conclusions],
                "verdicts": [a.as_dict() for a in self.asked],
                "overturned": [o.as_dict() for o in self.overturned],
                **counts(self.asked),
            },
        }


def sensitivity_across(
    question: Question,
    strategies: Sequence[str],
    moves: Sequence[Move],
    left_out: Sequence[LeftOut],
    players: Sequence[int] = (4,),
    watch: Stage = unseen,
) -> SensitivityAcross:
    """Move every constant under every strategy, and judge all effects together. Ctrl-C keeps what is done.

    Args:
        question: what to measure; its strategies are replaced.
        strategies: see `spread_of`.
        moves: which constants go where; see `moves_of`.
        left_out: constants that cannot be moved.
        players: numbers of players; each is studied under each strategy.
        watch: for showing progress.

    Raises:
        UserError: something of it does not exist or cannot be played; nothing has been played then.
        KeyboardInterrupt: interrupted before anything was finished.
    """
    questions = {strategy: replace(question, strategies=(strategy,)) for strategy in strategies}
    tables = [(n, strategy) for n in players for strategy in strategies]
    for n, strategy in tables:
        questions[strategy].chosen(n)
        rehearse(questions[strategy].experiments([], n)[0])

    def one(n: int, strategy: str, progress: Any) -> Measured:
        return measure(questions[strategy], moves, n, progress)

    measured, interrupted = _each(tables, one, lambda m: m.interrupted, len(moves) * question.games, watch)
    of: dict[str, list[Measured]] = {}
    for strategy, table in measured:
        of.setdefault(strategy, []).append(table)
    alone = {strategy: study(questions[strategy], moves, left_out, found) for strategy, found in of.items()}
    found = _together(alone, len(tables) * (2 if question.target is not None and question.target.metric else 1))
    return SensitivityAcross(
        tuple(strategies),
        tuple(found.items()),
        tuple(_conclusions(found, len(strategies))),
        tuple(_directions(found, len(strategies))),
        tuple(_overturns(found)),
        interrupted,
    )


def _together(alone: Mapping[str, Sensitivity], shared: int) -> dict[str, Sensitivity]:
    """Studies whose effects are judged with those of all others, and whose conclusions hold all at once."""
    p_values = {s: tuple(e.difference.p_value for t in one.tables for e in t.effects) for s, one in alone.items()}
    beside = {s: tuple(p for other, found in p_values.items() if other != s for p in found) for s in alone}
    return {s: replace(one, beside=beside[s], shared=shared) for s, one in alone.items()}


def _conclusions(found: Mapping[str, Sensitivity], planned: int) -> list[Conclusion]:
    drawn: dict[tuple[int, int, str], list[tuple[str, Standing]]] = {}
    for strategy, whole in found.items():
        for table in whole.tables:
            for place, standing in enumerate(standings(table, table.unmoved, whole)):
                drawn.setdefault((table.players, place, standing.about), []).append((strategy, standing))
    return [Conclusion(about, n, tuple(answers), planned) for (n, _, about), answers in sorted(drawn.items())]


def _directions(found: Mapping[str, Sensitivity], planned: int) -> list[Asked]:
    """Which way each effect goes; with 95 percent confidence none is said to go a way that it does not go."""
    every = [(strategy, effect) for strategy, whole in found.items() for effect in whole.effects]
    looked_at = {e.metric.name for whole in found.values() for e in whole.effects if whole.worth_showing(e.metric)}
    effects = [(strategy, e) for strategy, e in every if e.metric.name in looked_at]
    shown = [p <= 1 - CONFIDENCE for p in holm([e.difference.p_value for _, e in effects])]
    asked: dict[tuple[Move, int, str], list[tuple[Effect, Answer]]] = {}
    for (strategy, e), surely in zip(effects, shown, strict=True):
        best = e.difference.estimate
        says: Says = "undecided" if not surely else "up" if best.best > 0 else "down"
        asked.setdefault((e.move, e.players, e.metric.name), []).append((e, Answer(strategy, says, best, surely)))
    listed = sorted(asked.items(), key=lambda item: item[0][1])  # stable: by players, then as the constants come
    return [Asked(move.text, n, answers[0][0].metric, tuple(a for _, a in answers), planned, move) for (move, n, _), answers in listed]


def _overturns(found: Mapping[str, Sensitivity]) -> list[Overturns]:
    """Who sees what overturned, by move."""
    by_move: dict[tuple[Move, int], list[tuple[str, Overturned]]] = {}
    for strategy, whole in found.items():
        for o in whole.overturned:
            by_move.setdefault((o.move, o.players), []).append((strategy, o))
    listed = [
        Overturns(move, n, tuple(seen), tuple(s for s in found if s not in {strategy for strategy, _ in seen}))
        for (move, n), seen in by_move.items()
    ]
    return sorted(listed, key=lambda one: (not one.move.doubtful, -max(o.size for _, o in one.found)))
