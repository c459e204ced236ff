"""Conclusions: what can be said of some rules, and whether other rules overturn it.

Who wins, whether a share lies where the designer wants it, how long a game lasts, and whether games end, and with a winner. A
conclusion is settled where its intervals leave no doubt. Of two settled ones that cannot both be true one overturns the other;
where one is open nothing is overturned, and it is said how many playouts would settle it, about.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from simulator.document.figures import Style, figure, interval, number, with_interval
from simulator.document.language import plural
from simulator.game import first_outcome
from simulator.stats.estimate import Estimate
from simulator.stats.favourites import leads
from simulator.stats.unfinished import TOLERATED, UNFINISHED, unfinished_of
from simulator.stats.verdicts import LIES

if TYPE_CHECKING:
    from simulator.game import Game, Metric
    from simulator.stats.bands import Band
    from simulator.stats.tally import Tally
    from simulator.stats.verdicts import Verdict
    from simulator.studies.effects import Measured, Sensitivity
    from simulator.studies.moves import Move

EVEN = 0.5

LEAD = 0.02
"""Where no seat leads the next by more than this share of wins there is no favourite."""

LONGER = 0.25
"""A game lasts longer, or shorter, if its average length differs by more than this part of it."""

SHIFT = 0.1
"""The players win otherwise if their share of wins differs by more than this."""

TIES = 0.05
"""More games than this share that end without a winner are many."""

TURNS = "turns"
HOW_OFTEN = "how often"

MOST_NEEDED = 10**9
"""A number of playouts beyond this is not worth naming."""


@dataclass(frozen=True)
class Aimed:
    """A share under the rules as they are, and the target it was held against.

    Attributes:
        target: where the designer wants it to lie.
        players: how many sat at the table.
        metric: whose share it is.
        estimate: where it lies.
        hidden: whether nothing can be said, since no game finished.
    """

    target: Band
    players: int
    metric: Metric
    estimate: Estimate
    hidden: bool = False

    @property
    def lies(self) -> Verdict:
        """Whether the interval lies in the target; open where no game finished."""
        return "open" if self.hidden else self.target.judge(self.estimate)

    @property
    def where(self) -> str:
        """The same in a word."""
        return LIES[self.lies]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        aimed = {"players": self.players, "metric": self.metric.name, "low": self.target.low, "high": self.target.high}
        return {**aimed, "estimate": self.estimate.as_dict(), "lies": self.where}


@dataclass(frozen=True)
class Standing:
    """A conclusion.

    Attributes:
        about: what tells it from conclusions of other kinds.
        state: what may be true: one of several states, or the seats that may be the favourite.
        rests_on: the metrics it rests on.
        text: how it is said.
        rules_out: what cannot be true if the intervals hold.
        settled: whether it says something; otherwise the intervals leave it open.
        games: how many playouts would settle it, about; None where it is settled, or hardly any number would.
    """

    about: str
    state: frozenset[str]
    rests_on: tuple[str, ...]
    text: str
    rules_out: frozenset[str] = frozenset()
    settled: bool = True
    games: int | None = None

    def contradicts(self, other: Standing) -> bool:
        """Whether both are settled and cannot both be true."""
        return self.settled and other.settled and self.state <= other.rules_out and other.state <= self.rules_out


@dataclass(frozen=True)
class Overturned:
    """A conclusion that a move changes.

    Attributes:
        move: the constant and where it went.
        players: how many sat at the table.
        conclusion: what holds under the rules as they are.
        instead: what holds under the moved ones.
        size: of the effect against its interval, for an order.
    """

    move: Move
    players: int
    conclusion: str
    instead: str
    size: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self.move.as_dict(), "players": self.players, "conclusion": self.conclusion, "instead": self.instead}


def by_conclusion(overturned: Iterable[Overturned]) -> list[list[Overturned]]:
    """What overturns the same conclusion at the same number of players together, in the order of the first of each."""
    found: dict[tuple[int, str], list[Overturned]] = {}
    for one in overturned:
        found.setdefault((one.players, one.conclusion), []).append(one)
    return list(found.values())


@dataclass(frozen=True)
class Open:
    """A conclusion that is not settled, so that nothing can be said to overturn it.

    Attributes:
        move: the constant and where it went; None for the rules as they are.
        players: how many sat at the table.
        conclusion: what is known.
        games: how many playouts would settle it, about; None where hardly any number would.
    """

    move: Move | None
    players: int
    conclusion: str
    games: int | None

    @property
    def text(self) -> str:
        """What is open, and how many playouts would settle it."""
        where = "as it is" if self.move is None else self.move.text
        seated = plural(self.players, "player")
        more = f"about {self.games:,} playouts would settle it" if self.games else "hardly any number of playouts would settle it"
        return f"{where}, {seated}: {self.conclusion}; {more}."

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        move = {"key": None, "from": None, "to": None, "source": None} if self.move is None else self.move.as_dict()
        return {**move, "players": self.players, "conclusion": self.conclusion, "games": self.games}


def conclusion_metrics(game: Game, players: int) -> tuple[str, ...]:
    """What tells who wins: how often the players win together, or every seat's share of wins."""
    return (first_outcome(game.metrics(game.rules(), players)).name,) if game.cooperative else game.verdict(players)


def endings(game: Game, metrics: Mapping[str, Metric], players: int) -> tuple[str, ...]:
    """What tells how long a game lasts, and whether it ends, and with a winner."""
    wins = set(game.verdict(players))
    tied = [m.name for m in metrics.values() if m.outcome and m.name not in {UNFINISHED, *wins}] if not game.cooperative else []
    return tuple(name for name in (TURNS, UNFINISHED, *tied) if name in metrics)


def standings(table: Measured, tally: Tally, whole: Sensitivity, against: Tally | None = None) -> list[Standing]:
    """What a tally says.

    Args:
        table: what was measured with one number of players.
        tally: of some rules.
        whole: the study.
        against: the tally of the rules as they are, which says how often the players are to win and how long a game is to last;
            without one nothing is said of that.
    """
    known = {m.name: m for m in table.metrics}
    game = table.baseline.game
    about = [known[name] for name in conclusion_metrics(game, table.players)]
    estimates = {m.name: whole.estimate(m, tally, together=not game.cooperative) for m in about}
    found: list[Standing] = []
    if game.cooperative:
        (wins,) = about
        found.append(_side(wins, estimates[wins.name]))
        if against is not None:
            found.append(_shift(wins, estimates[wins.name], whole.estimate(wins, against)))
    elif len(about) > 1:
        won = [tally[m.name].moments()[0] for m in about]
        found.append(_favourite(about, estimates, leads(won, tally.games, whole.confidence, sequential=whole.sequential)))
    found += map(_aim, aimed_in(table, tally, whole))
    for name in endings(game, known, table.players):
        if name != TURNS:
            found.append(_rare(known[name], whole.estimate(known[name], tally)))
        elif against is not None:
            found.append(_length(*(_mean(known[name], each, whole) for each in (tally, against))))
    if not unfinished_of(tally).all:
        return found
    return [s if s.about == UNFINISHED else replace(s, text="no game finished", settled=False, games=None) for s in found]


def aimed_in(table: Measured, tally: Tally, whole: Sensitivity) -> list[Aimed]:
    """The shares that the target is about, as a tally has them; nothing where there is no target."""
    if whole.target is None:
        return []
    rest = conclusion_metrics(table.baseline.game, table.players)
    names = [whole.target.metric] if whole.target.metric else rest
    together = not table.baseline.game.cooperative
    known = {m.name: m for m in table.metrics}
    ended = unfinished_of(tally)
    return [
        Aimed(
            whole.target,
            table.players,
            known[name],
            whole.estimate(known[name], tally, together=together and name in rest),
            ended.hides(name),
        )
        for name in names
    ]


def target_text(aimed: Sequence[Aimed]) -> str:
    """Whose share was to lie where, and where it lies."""
    first, n = aimed[0], aimed[0].players
    found = [f"{with_interval(a.estimate)}, {a.where}" for a in aimed]
    whose = first.metric.label
    if len(aimed) > 1:
        whose = "every seat's share of wins"
        found = [f"{a.metric.label} {text}" for a, text in zip(aimed, found, strict=True)]
    return f"Target, {plural(n, 'player')}: {whose} {first.target.text('share')}; as it is {'; '.join(found)}."


def games_to_settle(n: int, half: float, distance: float, power: int = 2) -> int | None:
    """About how many playouts make an interval of half-width `half` at `n` as short as `distance`, with two digits.

    Args:
        n: playouts so far.
        half: of the interval.
        distance: to what it has to keep clear of.
        power: how the playouts grow with one over the width; 1 where nothing varied so far.

    >>> games_to_settle(5000, 0.0138, 0.005), games_to_settle(5000, 0.0138, 0.0)
    (39000, None)
    """
    if not 0 < distance < math.inf or not math.isfinite(half):
        return None
    needed = n * max(1.0, half / distance) ** power
    step: float = 10 ** max(0, math.floor(math.log10(needed)) - 1) if needed > 1 else 1
    return math.ceil(needed / step) * int(step) if needed <= MOST_NEEDED else None


def _between(estimate: Estimate, *edges: float) -> int | None:
    """How many playouts would tell on which side of each edge a figure lies."""
    return games_to_settle(estimate.n, (estimate.high - estimate.low) / 2, min(abs(estimate.best - edge) for edge in edges))


def _standing(about: str, state: str, others: set[str], rests_on: str, text: str, games: int | None) -> Standing:
    """A conclusion that is one of several states, or none of them and open."""
    settled = state in others
    return Standing(about, frozenset({state}), (rests_on,), text, frozenset(others - {state}), settled, None if settled else games)


def _side(metric: Metric, estimate: Estimate) -> Standing:
    """On which side of one half a share lies."""
    more, less = "more than half", "less than half"
    state = more if estimate.low > EVEN else less if estimate.high < EVEN else "about half"
    text = f"{metric.label} {with_interval(estimate)}, {state}"
    return _standing(metric.label, state, {more, less}, metric.name, text, _between(estimate, EVEN))


def _shift(metric: Metric, moved: Estimate, as_it_is: Estimate) -> Standing:
    """Whether the players win about as often as they do under the rules as they are."""
    points = f"{100 * SHIFT:g} percentage points"
    same, more, less = f"within {points} of it", f"more often by more than {points}", f"less often by more than {points}"
    state = "open"
    if moved == as_it_is or (as_it_is.high - SHIFT <= moved.low and moved.high <= as_it_is.low + SHIFT):
        state = same
    elif moved.low > as_it_is.high + SHIFT or moved.high < as_it_is.low - SHIFT:
        state = more if moved.low > as_it_is.high else less
    half = (moved.high - moved.low + as_it_is.high - as_it_is.low) / 2
    games = games_to_settle(moved.n, half, abs(abs(moved.best - as_it_is.best) - SHIFT))
    text = f"{metric.label} {with_interval(moved)}" + (f", {state}" if state in {more, less} else "")
    return _standing(HOW_OFTEN, state, {same, more, less}, metric.name, text, games)


def _favourite(metrics: Sequence[Metric], estimates: Mapping[str, Estimate], ahead: Sequence[Estimate]) -> Standing:
    """The seats that may win most often; `ahead` is by how much each leads all others."""
    names = [m.name for m in metrics]
    found = dict(zip(names, ahead, strict=True))
    best = [m for m in sorted(metrics, key=lambda m: -estimates[m.name].best) if found[m.name].high > 0]
    state, rest = frozenset(m.name for m in best), frozenset(names)
    told = " or ".join(f"{m.label} {with_interval(estimates[m.name])}" for m in best)
    rests_on = tuple(m.name for m in best)
    if len(best) == 1:
        level = {"level"} if found[best[0].name].low > LEAD else set[str]()
        return Standing("the favourite", state, rests_on, f"{told}, the most", (rest - state) | level)
    if max(lead.high for lead in found.values()) <= LEAD:
        text = f"no seat leads the next by more than {100 * LEAD:g} percentage points"
        return Standing("the favourite", frozenset({"level"}), rests_on, text, rest)
    first = found[best[0].name]
    told = told if len(best) < len(names) else f"no seat is shown to win less than another (at most: {told.split(' or ')[0]})"
    apart = games_to_settle(first.n, (first.high - first.low) / 2, first.best)
    text = f"{told}, the most" if len(best) < len(names) else told
    return Standing("the favourite", state, rests_on, text, rest - state, len(best) < len(names), apart)


def _aim(aimed: Aimed) -> Standing:
    """Whether a share lies within the target."""
    states = {"yes": "within the target", "no": "outside the target", "open": "on the edge of the target"}
    state, firm = states[aimed.lies], {states["yes"], states["no"]}
    text = f"{aimed.metric.label} {with_interval(aimed.estimate)}, {state} of {aimed.target.text('share')}"
    games = _between(aimed.estimate, aimed.target.low, aimed.target.high)
    return _standing(f"{aimed.metric.label}: the target", state, firm, aimed.metric.name, text, games)


def _rare(metric: Metric, estimate: Estimate) -> Standing:
    """Whether few games are unfinished, or tied."""
    most = TOLERATED if metric.name == UNFINISHED else TIES
    few, many = f"at most {100 * most:g}%", f"more than {100 * most:g}%"
    state = few if estimate.high <= most else many if estimate.low > most else f"about {100 * most:g}%"
    about = UNFINISHED if metric.name == UNFINISHED else metric.label
    return _standing(about, state, {few, many}, metric.name, f"{metric.label} {with_interval(estimate)}, {state}", _between(estimate, most))


def _mean(metric: Metric, tally: Tally, whole: Sensitivity) -> Estimate:
    """The average length; without an upper end where many games did not finish, for they would have gone on."""
    found = whole.estimate(metric, tally)
    return replace(found, high=math.inf) if unfinished_of(tally).share > TOLERATED else found


def _length(moved: Estimate, as_it_is: Estimate) -> Standing:
    """Whether a game lasts about as long as it does under the rules as they are."""
    same, longer, shorter = f"within {100 * LONGER:g}% of it", "longer", "shorter"
    up, down = 1 + LONGER, 1 - LONGER
    state = "open"
    if moved == as_it_is or (down * as_it_is.high <= moved.low and moved.high <= up * as_it_is.low):
        state = same
    elif moved.low > up * as_it_is.high or moved.high < down * as_it_is.low:
        state = longer if moved.low > as_it_is.high else shorter
    half = (min(moved.high, 2 * moved.best - moved.low) - moved.low) / 2 + up * (as_it_is.best - as_it_is.low)
    distance = min(abs(moved.best - edge * as_it_is.best) for edge in (up, down))
    style = Style(digits=1, dash=True, once=False, unknown=f"{number(moved.low, 1)} or more")
    text = f"a game lasts {figure(moved, style)} turns ({interval(moved, style)}) on average"
    if state in {longer, shorter}:
        text += f", {state} by more than {100 * LONGER:g}%"
    return _standing("the length", state, {same, longer, shorter}, TURNS, text, games_to_settle(moved.n, half, distance))
