"""Sensitivity under every strategy: which conclusions survive a change of players, and what could overturn them under whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from simulator.document.language import plural
from simulator.play.rehearsal import rehearse
from simulator.play.resources import Stage, unseen
from simulator.stats.estimate import CONFIDENCE
from simulator.stats.verdicts import Verdict, holm
from simulator.studies.across import Answer, Asked, AskedAll, Says, closing, counts, moved
from simulator.studies.conclusions import standings
from simulator.studies.sensitivity import measure, study

if TYPE_CHECKING:
    from simulator.studies.conclusions import Overturned, Standing
    from simulator.studies.effects import Effect, Measured, Sensitivity
    from simulator.studies.moves import LeftOut, Move
    from simulator.studies.sensitivity import Question


@dataclass(frozen=True)
class Conclusion(AskedAll):
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
        return {**moved(self.move), **where}


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

    def closing(self) -> tuple[str, str]:
        """A sentence on the conclusions and one on the effects."""
        return closing(self.conclusions, "conclusion"), closing(self.asked, "effect")

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
