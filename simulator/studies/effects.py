"""Effects: what moving a rule constant did, which conclusions that overturns, and what stays open.

All effects are judged together, and a conclusion is overturned only by a move that has an effect which is found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simulator.document.language import listed, plural
from simulator.rules import brief_text
from simulator.stats.digests import joint_digest
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_metric, simultaneous
from simulator.stats.sequences import half_width, sequence_of
from simulator.stats.verdicts import confidence_of_selected, false_discovery
from simulator.studies.conclusions import (
    HOW_OFTEN,
    Aimed,
    Open,
    Overturned,
    Standing,
    aimed_in,
    endings,
    games_to_settle,
    standings,
    target_text,
)

if TYPE_CHECKING:
    from simulator.game import Metric
    from simulator.play.experiment import Experiment
    from simulator.stats.bands import Band
    from simulator.stats.paired import Difference
    from simulator.stats.tally import Tally
    from simulator.studies.interactions import Interactions
    from simulator.studies.moves import LeftOut, Move

FALSE_DISCOVERIES = 0.05
"""Of the effects that are called significant, on average at most this share is none."""

NEGLIGIBLE, NEGLIGIBLE_SPREAD, NEGLIGIBLE_COUNT = 0.01, 0.1, 0.05
"""An effect does not matter that is no larger than this share of games; than this part of the standard deviation from game to
game of what is counted, or this count."""


@dataclass(frozen=True)
class Effect:
    """What a move did to one metric.

    Attributes:
        move: the constant and where it went.
        players: how many sat at the table.
        metric: what was looked at.
        difference: moved less unmoved.
        adjusted: the p-value, adjusted for all effects of the study.
        at: the difference with an interval of another confidence; None where that is not known.
        hidden: whether nothing is known of it, since no game finished.
    """

    move: Move
    players: int
    metric: Metric
    difference: Difference
    adjusted: float = 1.0
    at: Callable[[float], Difference] | None = field(default=None, compare=False, repr=False)
    hidden: bool = False

    @property
    def significant(self) -> bool:
        """Whether it counts as found."""
        return self.adjusted <= FALSE_DISCOVERIES and not self.hidden

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **self.move.as_dict(),
            "players": self.players,
            "metric": self.metric.name,
            "difference": None if self.hidden else self.difference.estimate.as_dict(),
            "significant": self.significant,
        }


@dataclass(frozen=True)
class Measured:
    """What was measured with one number of players.

    Attributes:
        baseline: the rules as they are.
        metrics: what was looked at.
        effects: of each move that was played, on each metric.
        unmoved: what the rules as they are gave, in the longest of the runs.
        moved: for each move what it gave.
        left_out: moves that cannot be compared with the baseline.
        playouts: all that were played.
        elapsed_s: seconds it took.
        interrupted: whether it was stopped before all moves were played as often as asked.
        precise: whether all differences became as precise as was asked for; None where nothing was asked.
        inert: moves that cannot act at this number of players, and were not played.
        digests: hashes of what was counted, one for each move, so that they are the same however moves are grouped for playing.
    """

    baseline: Experiment
    metrics: tuple[Metric, ...]
    effects: tuple[Effect, ...]
    unmoved: Tally
    moved: Mapping[Move, Tally]
    left_out: tuple[LeftOut, ...]
    playouts: int
    elapsed_s: float
    interrupted: bool = False
    precise: bool | None = None
    inert: tuple[Move, ...] = ()
    digests: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Hash of all counts."""
        return joint_digest(self.digests)

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return self.baseline.players

    def negligible(self, metric: Metric) -> float:
        """The largest effect on a metric that does not matter."""
        if metric.kind == "share":
            return NEGLIGIBLE
        total, squares = self.unmoved[metric.name].moments()
        n = self.unmoved.games
        return max(NEGLIGIBLE_SPREAD * math.sqrt(max(0, n * squares - total * total)) / n, NEGLIGIBLE_COUNT)


@dataclass(frozen=True)
class Sensitivity:
    """A whole study.

    Attributes:
        tables: one for each number of players, their effects not judged.
        left_out: constants and values that were not played, with the reasons.
        target: where the designer wants a share to lie.
        sequential: whether a stopping rule ended the runs, so that all intervals are confidence sequences.
        beside: p-values of effects found elsewhere that are judged together with these.
        shared: among how many sets of conclusions the confidence is shared, so that all hold at once.
        together: what moving the numbers together gave, with each number of players, if that was asked for.
    """

    tables: tuple[Measured, ...]
    left_out: tuple[LeftOut, ...]
    target: Band | None = None
    sequential: bool = False
    beside: tuple[float, ...] = ()
    shared: int = 1
    together: tuple[Interactions, ...] = ()

    @property
    def interrupted(self) -> bool:
        """Whether some of the moves were not played as often as asked."""
        return any(table.interrupted for table in self.tables)

    @property
    def elapsed_s(self) -> float:
        """Seconds it took."""
        return sum(table.elapsed_s for table in self.tables) + sum(one.elapsed_s for one in self.together)

    @property
    def digests(self) -> tuple[str, ...]:
        """Hash of all counts of each number of players: of the moves, then of the numbers moved together."""
        return (*(table.digest for table in self.tables), *(one.digest for one in self.together))

    @property
    def digest(self) -> str:
        """The same one after the other."""
        return ", ".join(self.digests)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """All effects, judged together. The intervals of those that count as found are wide enough for having been picked."""
        found = [effect for table in self.tables for effect in table.effects]
        adjusted = false_discovery([*(effect.difference.p_value for effect in found), *self.beside])
        picked = sum(p <= FALSE_DISCOVERIES for p in adjusted)
        confidence = confidence_of_selected(picked, len(adjusted), FALSE_DISCOVERIES) if picked else CONFIDENCE
        judged = (replace(effect, adjusted=p) for effect, p in zip(found, adjusted, strict=False))
        return tuple(replace(e, difference=e.at(confidence)) if e.significant and e.at is not None else e for e in judged)

    @cached_property
    def overturned(self) -> tuple[Overturned, ...]:
        """Conclusions that a move changes: those by constants in doubt first, and of these the largest effects first.

        A move that has no significant effect on what a conclusion rests on overturns nothing.
        """
        found = [o for table in self.tables for o in _overturned(table, self._significant, self)]
        return tuple(sorted(found, key=lambda o: (not o.move.doubtful, -o.size)))

    @cached_property
    def aimed(self) -> tuple[Aimed, ...]:
        """What the target was held against, under the rules as they are; nothing where there is no target."""
        return tuple(aimed for table in self.tables for aimed in aimed_in(table, table.unmoved, self))

    @property
    def target_texts(self) -> tuple[str, ...]:
        """A sentence for each number of players: whose share was to lie where, and where it lies."""
        return tuple(target_text([a for a in self.aimed if a.players == n]) for n in dict.fromkeys(a.players for a in self.aimed))

    @cached_property
    def open(self) -> tuple[Open, ...]:
        """Conclusions that are not settled: first those about the rules as they are, then those under moved constants in doubt."""
        found = [one for table in self.tables for one in _open(table, self)]
        return tuple(sorted(found, key=lambda one: (one.move is not None, one.move is not None and not one.move.doubtful)))

    @property
    def headline(self) -> str:
        """Whether a constant in doubt overturns a conclusion, how much of that is open, and what was not tried."""
        told = [self._doubted, *self.not_tried]
        n = sum(one.move is None for one in self.open)
        in_doubt = sum(one.move is not None and one.move.doubtful for one in self.open)
        if n:
            told.insert(1, f"{n} {_conclusions(n)} open under the rules as they are, so that nothing can overturn {_them(n)}.")
        if in_doubt:
            told.insert(1, f"{in_doubt} more {_conclusions(in_doubt)} open when such a constant is moved.")
        return " ".join(told)

    @property
    def _doubted(self) -> str:
        played = {e.move: e.difference.estimate.n for e in self.effects if e.move.doubtful}
        if not played:
            return "No constant that could be moved is in doubt."
        keys = list(dict.fromkeys(o.move.key for o in self.overturned if o.move.doubtful))
        if keys:
            return f"{plural(len(keys), 'constant')} that nobody is sure of could overturn a conclusion: {', '.join(keys)}."
        return (
            f"Of {len({move.key for move in played})} constants in doubt, moved to {len(played)} values, none is seen to overturn a"
            f" conclusion, by {min(played.values()):,} playouts of each."
        )

    @property
    def not_tried(self) -> tuple[str, ...]:
        """What was left out of constants in doubt, in a sentence; nothing where nothing was."""
        some = [f"{one.key} = {brief_text(one.to)}" for one in self.left_out if one.source == "assumed" and one.to is not None]
        left = [*self.unjudged, *(text for text in some if text.split(" = ")[0] not in self.unjudged)]
        return (f"Assumed, and not tried: {', '.join(left)}; a conclusion may hang on {_them(len(left))}.",) if left else ()

    @property
    def inert_texts(self) -> tuple[str, ...]:
        """Which moves cannot act; a sentence for each number of players where there are any."""
        told = []
        for table in self.tables:
            to: dict[str, list[str]] = {}
            for move in table.inert:
                to.setdefault(move.key, []).append(brief_text(move.to))
            moved = "; ".join(f"{key} to {listed(values, 'or')}" for key, values in to.items())
            told += [f"Moved nowhere, since that cannot act with {table.players} players: {moved}."] * bool(to)
        return tuple(told)

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Assumed constants that were not moved at all."""
        moved = {effect.move.key for effect in self.effects}
        return tuple(dict.fromkeys(one.key for one in self.left_out if one.source == "assumed" and one.key not in moved))

    @cached_property
    def _quiet(self) -> dict[str, int | None]:
        """Constants none of whose moves has a found effect, and how many playouts would show that none matters, about; 0: shown."""
        found: dict[str, int | None] = {}
        margins = {(t.players, m.name): t.negligible(m) for t in self.tables for m in t.metrics}
        moving = {effect.move.key for effect in self.effects if effect.significant}
        for e in self.effects:
            if e.move.key not in moving:
                needed = None if e.hidden else _to_be_sure(e.difference, margins[e.players, e.metric.name])
                before = found.get(e.move.key, 0)
                found[e.move.key] = None if needed is None or before is None else max(needed, before)
        return found

    @property
    def without_effect(self) -> tuple[str, ...]:
        """Constants of which every move is shown to have no effect that matters, with any number of players that it can act at."""
        return tuple(key for key, games in self._quiet.items() if games == 0)

    @property
    def undecided(self) -> dict[str, int | None]:
        """Constants without a found effect of which a move may have one that matters, and how many playouts would tell, about."""
        return {key: games for key, games in self._quiet.items() if games != 0}

    @property
    def quiet_texts(self) -> tuple[str, ...]:
        """Sentences on the constants without a found effect."""
        told = [*self.inert_texts]
        if self.without_effect:
            told.append(f"No effect that matters, shown for every move: {', '.join(self.without_effect)}.")
        if self.undecided:
            named = (f"{key} ({f'about {n:,} playouts' if n else 'hardly any number'} would tell)" for key, n in self.undecided.items())
            told.append(f"Open, no effect found but one that matters not ruled out: {', '.join(named)}.")
        return tuple(told)

    @cached_property
    def _significant(self) -> frozenset[tuple[Move, int, str]]:
        return frozenset((e.move, e.players, e.metric.name) for e in self.effects if e.significant)

    def worth_showing(self, metric: Metric) -> bool:
        """Whether to show the effects on a metric: always, but for one that only tells how games end, where none is found."""
        only = any(metric.name in endings(t.baseline.game, {m.name: m for m in t.metrics}, t.players) for t in self.tables)
        return metric.headline or not only or any(e.significant for e in self.effects if e.metric == metric)

    def ranked(self, metric: str, players: int) -> list[list[Effect]]:
        """For each constant its effects on a metric; the constant with the largest first."""
        by_key: dict[str, list[Effect]] = {}
        for effect in self.effects:
            if effect.metric.name == metric and effect.players == players:
                by_key.setdefault(effect.move.key, []).append(effect)
        return sorted(by_key.values(), key=lambda effects: -max(abs(e.difference.estimate.best) for e in effects))

    @property
    def confidence(self) -> float:
        """At which a conclusion is drawn."""
        return simultaneous(self.shared)

    def estimate(self, metric: Metric, tally: Tally, *, together: bool = False) -> Estimate:
        """A metric's estimate from a tally, for shares of wins with the interval that holds for all seats at once."""
        confidence = simultaneous(len(tally.outcomes) if together else 1, self.confidence)
        return (sequence_of if self.sequential else estimate_metric)(metric, tally[metric.name], confidence)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        inert = [{"key": m.key, "from": m.start, "to": m.to, "players": t.players} for t in self.tables for m in t.inert]
        return {
            "headline": self.headline,
            "effects": [effect.as_dict() for effect in self.effects],
            "overturned": [o.as_dict() for o in self.overturned],
            "open": [one.as_dict() for one in self.open],
            "without_effect": list(self.without_effect),
            "undecided": [{"key": key, "games": games} for key, games in self.undecided.items()],
            "cannot_act": inert,
            "left_out": [one.as_dict() for one in self.left_out],
            "digests": list(self.digests),
            **({"target": [aimed.as_dict() for aimed in self.aimed]} if self.target is not None else {}),
        }


def _to_be_sure(found: Difference, margin: float) -> int | None:
    """About how many playouts would show whether an effect is larger than the margin, or there at all; 0 if it is shown not to matter."""
    difference = found.estimate
    if -margin <= difference.low and difference.high <= margin:
        return 0
    best = abs(difference.best)
    return games_to_settle(difference.n, half_width(difference), max(best, margin - best), 2 if found.moved else 1)


def _conclusions(n: int) -> str:
    return "conclusion is" if n == 1 else "conclusions are"


def _them(n: int) -> str:
    return "it" if n == 1 else "them"


def _kept(was: Standing, now: Standing) -> bool:
    """Whether a conclusion is shown to hold under the moved rules too."""
    return now.settled and now.state <= was.state


def _overturned(table: Measured, significant: frozenset[tuple[Move, int, str]], whole: Sensitivity) -> Iterator[Overturned]:
    size = {(e.move, e.metric.name): _size(e, table) for e in table.effects}
    turned: set[Move] = set()
    for move, was, now in _held_against(table, whole):
        shown = {name for name in {*was.rests_on, *now.rests_on} if (move, table.players, name) in significant}
        if was.contradicts(now) and shown and not (was.about == HOW_OFTEN and move in turned):  # on another side of half says more
            turned.add(move)
            yield Overturned(move, table.players, was.text, now.text, max(size[move, name] for name in shown))


def _open(table: Measured, whole: Sensitivity) -> Iterator[Open]:
    """What is not settled: under the rules as they are, or else under moved ones."""
    for standing in standings(table, table.unmoved, whole, table.unmoved):
        if not standing.settled:
            yield Open(None, table.players, standing.text, standing.games)
    for move, was, now in _held_against(table, whole):
        if was.settled and not _kept(was, now) and not was.contradicts(now):
            yield Open(move, table.players, f"{now.text}; as it is: {was.text}", now.games)


def _held_against(table: Measured, whole: Sensitivity) -> Iterator[tuple[Move, Standing, Standing]]:
    """For each move every conclusion as it is, and under the moved rules."""
    before = standings(table, table.unmoved, whole, table.unmoved)
    for move, tally in table.moved.items():
        for was, now in zip(before, standings(table, tally, whole, table.unmoved), strict=True):
            yield move, was, now


def _size(e: Effect, table: Measured) -> float:
    """An effect as a share: of all games, or of the figure as it is."""
    size = abs(e.difference.estimate.best)
    total, _ = table.unmoved[e.metric.name].moments()
    return size if e.metric.kind == "share" or not total else size * table.unmoved.games / abs(total)
