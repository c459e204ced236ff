"""Sensitivity under every strategy: which conclusions survive a change of players, and what could overturn them under whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from simulator.document.chapters import Chapter, Table
from simulator.document.document import Document
from simulator.document.language import clean, plural
from simulator.rules import brief_text
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE
from simulator.stats.verdicts import Verdict, holm
from simulator.studies.across import (
    MOST_LISTED,
    Answer,
    Asked,
    AskedAll,
    Says,
    answers_table,
    by_strategy,
    closing,
    counts,
    how_to_read,
    warnings,
)
from simulator.studies.conclusions import standings

if TYPE_CHECKING:
    from simulator.studies.conclusions import Overturned, Standing
    from simulator.studies.effects import Effect, Sensitivity
    from simulator.studies.moves import Move


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
        return {**self.move.as_dict(), **where}


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

    @property
    def digest(self) -> str:
        """Hash of all that was counted."""
        return joint_digest(table.digest for _, one in self.found for table in one.tables)

    @property
    def elapsed_s(self) -> float:
        """Seconds it took."""
        return sum(one.elapsed_s for _, one in self.found)

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


def across_of(alone: Mapping[str, Sensitivity], strategies: Sequence[str], tables: int, *, interrupted: bool) -> SensitivityAcross:
    """All effects under all strategies judged together, and what the strategies conclude.

    Args:
        alone: strategy to what was found under it.
        strategies: those that were to be asked.
        tables: how many were to be played, of all strategies and numbers of players.
        interrupted: whether some were not.
    """
    target = next(iter(alone.values())).target
    found = _together(alone, tables * (2 if target is not None and target.metric else 1))
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
        says: Says = "undecided" if not surely or e.hidden else "up" if best.best > 0 else "down"
        answer = Answer(strategy, says, best, surely and not e.hidden, e.hidden)
        asked.setdefault((e.move, e.players, e.metric.name), []).append((e, answer))
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


# ---------------------------------------------------------------- what is said of it

MOST_MOVES = 8
"""Moves with effects that flip which stand in a table of their own."""


def document(found: SensitivityAcross) -> Document:
    """What the strategies conclude, what could overturn that and under whom, and the effects that flip."""
    _, first = found.found[0]
    baseline = first.tables[0].baseline
    conclusions, effects = found.closing()
    doubtful = [o for o in found.overturned if o.move.doubtful]
    hanging = [o.text.removesuffix(".") for o in doubtful if o.spared]
    firm = [f"{c.mark}: {c.text}." for c in found.conclusions if c.verdict != "no"]
    sure = "Under no strategy is a conclusion seen to be overturned by a constant that is in doubt, at the values that were tried."
    in_doubt = [f"In doubt: {o.text}" for o in doubtful if not o.spared] if doubtful else [sure]
    flips = [one.text for one in (*found.conclusions, *found.asked) if one.verdict == "no"]
    played = [
        (f"Playouts with {plural(t.players, 'player')} under {clean(s)}", f"{t.playouts:,}") for s, one in found.found for t in one.tables
    ]
    tables = (_conclusions_table(found), *_overturned_table(found))
    if len(flips) + len(hanging) <= MOST_LISTED:
        tables = tuple(replace(table, printed=False) for table in tables)  # the sentences say all of it
    look_for = "Look for a line that says FLIPS: there the answer is about the players and not about the rules."
    changes = by_strategy(found.asked)
    return Document(
        baseline.game,
        "Sensitivity across strategies",
        conclusions,
        tuple(map(clean, (effects, *firm, *in_doubt))),
        (*warnings([*flips, *hanging], interrupted=found.interrupted), *map(clean, _missing(found))),
        rules=baseline.rules,
        facts=(("Strategies", clean(", ".join(found.strategies))), *played),
        chapters=(
            Chapter("conclusions", "What the strategies conclude", look_for, tables=tables),
            replace(changes, sentences=tuple(map(clean, _quiet(found))), tables=(*_flips_table(found), *changes.tables)),
        ),
        opening=f"{baseline.game.title}: every constant moved alone, under {len(found.strategies)} strategies, on the same draws",
        closing=how_to_read("moved less unmoved", sequential=first.sequential) + " The intervals of the conclusions hold for all"
        " strategies at once. For the size of effects under one strategy, ask with --strategy NAME.",
    )


def _missing(found: SensitivityAcross) -> Iterator[str]:
    """What is less precise than it was to be, and what was not moved."""
    if any(table.precise is False for _, one in found.found for table in one.tables):
        yield "Not every difference became as precise as was asked for; ask for more --games."
    _, first = found.found[0]
    yield from (*first.not_tried, *first.inert_texts)


def _quiet(found: SensitivityAcross) -> Iterator[str]:
    """What has no effect, and what could not be moved."""
    if found.without_effect:
        yield f"No effect that matters under any strategy, shown for every move: {', '.join(found.without_effect)}."
    _, first = found.found[0]
    for left in first.left_out:
        yield f"Left out: {left.key}{'' if left.to is None else f' = {brief_text(left.to)}'}. {left.reason}"


def _conclusions_table(found: SensitivityAcross) -> Table:
    rows = [(c.about, str(c.players), strategy, standing.text, c.mark) for c in found.conclusions for strategy, standing in c.answers]
    note = "What the rules as they are come to. The 95% intervals hold for all strategies at once."
    columns = ("Conclusion about", "Players", "Strategy", "What it says", "Across")
    return Table("Conclusions by strategy", note, columns, tuple(tuple(map(clean, row)) for row in rows), frozenset({1}), grouped=(0, 1))


def _overturned_table(found: SensitivityAcross) -> Iterator[Table]:
    rows = [
        (one.move.text, one.move.source, str(one.players), strategy, o.conclusion, o.instead)
        for one in found.overturned
        for strategy, o in one.found
    ]
    note = (
        "What a constant, moved alone, would overturn, and under which strategy; under those not named nothing was seen to be overturned."
    )
    columns = ("Constant", "Source", "Players", "Strategy", "As it is", "Instead")
    if rows:
        cells = tuple(tuple(map(clean, row)) for row in rows)
        yield Table("Overturned conclusions", note, columns, cells, frozenset({2}), grouped=(0, 1, 2))


def _flips_table(found: SensitivityAcross) -> Iterator[Table]:
    """The effects that flip, of the first moves that have any."""
    flips = [one for one in found.asked if one.verdict == "no"]
    moves = list(dict.fromkeys((one.about, one.players) for one in flips))
    left = len(moves) - MOST_MOVES
    note = f"Those of {left} more moves are among all differences below." if left > 0 else ""
    if flips:
        shown = [one for one in flips if (one.about, one.players) in moves[:MOST_MOVES]]
        yield replace(answers_table(shown), title="Effects that flip", note=note)
