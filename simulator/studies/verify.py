"""`verify`: does this program tell the truth on this machine?

Every check compares something found here with something known. Those that rest on chance have a p-value and are judged
together under Holm, so that a right build passes practically always and a wrong one does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator import registry
from simulator.errors import GameError, MisbehaviourError, UserError, nearest
from simulator.kernel import trials
from simulator.kernel.chance import CHANCE, begin_playout, philox
from simulator.play.digests import found_digests, recorded_digests
from simulator.play.draws import follow_draws
from simulator.play.nested import watch_playouts
from simulator.play.run import make_experiment, run, run_experiment
from simulator.registry.neighbours import leave_out
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_advantage, estimate_mean, estimate_share, estimate_values, simultaneous
from simulator.stats.sequences import share_sequence
from simulator.studies.anchors import ANCHORS, DRAMA_ANCHORS, estimated
from simulator.studies.curves import curve_of
from simulator.studies.drama import Drama, DramaStudy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from simulator.game import Game
    from simulator.stats.tally import Tally

FAMILY_ERROR = 1e-4
"""Chance that a right build fails any check at all."""

TOLD_APART = 1e-6
"""A mutation is told apart if its exact value would give what was measured with less than this probability."""

COVERAGE_PROMISE = CONFIDENCE - 0.01
"""An interval that covers less often than this breaks its promise; intervals for counts cannot cover exactly as often as they say."""

PROBABILITIES = (0.0003, 0.02, 0.5, 0.9)
RARE = PROBABILITIES[0]
RARE_VALUE = 501


@dataclass(frozen=True)
class Effort:
    """How much is played.

    Attributes:
        share_of_anchors: which part of the playouts that settle an anchor.
        draws: draws for each chi-square test.
        experiments: experiments for each coverage.
        worker_games: playouts for the comparison of numbers of workers.
        followed: playouts of each game of which every draw is looked at.
    """

    share_of_anchors: float
    draws: int
    experiments: int
    worker_games: int
    followed: int


FULL = Effort(share_of_anchors=1.0, draws=4_000_000, experiments=2000, worker_games=60_000, followed=200)
QUICK = Effort(share_of_anchors=0.3, draws=400_000, experiments=400, worker_games=20_000, followed=20)


@dataclass(frozen=True)
class Check:
    """One comparison.

    Attributes:
        group: what kind of check it is.
        name: what was checked.
        expected: what is known, as text.
        found: what was found here, as text.
        p_value: how likely something at least as far off is for a right build; None where chance plays no part.
        held: whether it holds; None as long as the whole set has not been judged.
    """

    group: str
    name: str
    expected: str
    found: str
    p_value: float | None = None
    held: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "group": self.group,
            "name": self.name,
            "expected": self.expected,
            "found": self.found,
            "p_value": self.p_value,
            "held": self.held,
        }


def verify(effort: Effort = FULL, seed: int = 1, groups: Sequence[str] = (), tell: Callable[[str], None] | None = None) -> list[Check]:
    """Run the checks and judge them.

    Args:
        effort: how much is played.
        seed: key of all draws.
        groups: names of the groups to run; none means all.
        tell: called with the name of each group before it is run.

    Raises:
        UserError: there is no such group.
    """
    for name in groups:
        if name not in GROUPS:
            message = f"There is no group of checks '{name}'{nearest(name, GROUPS)}; there are {', '.join(GROUPS)}."
            raise UserError(message)
    results: list[Check] = []
    for title in groups or GROUPS:
        group = GROUPS[title]
        if tell is not None:
            tell(title)
        results += [replace(check, group=title) for check in group(effort, seed)]
    return judged(results)


def judged(checks: Sequence[Check]) -> list[Check]:
    """Settle the checks that rest on chance, all together under Holm.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
    """
    pending = sorted((i for i, c in enumerate(checks) if c.held is None), key=lambda i: checks[i].p_value or 0.0)
    settled = list(checks)
    rejecting = True
    for rank, i in enumerate(pending):
        rejecting = rejecting and (checks[i].p_value or 0.0) < FAMILY_ERROR / (len(pending) - rank)
        settled[i] = replace(checks[i], held=not rejecting)
    return settled


# ---------------------------------------------------------------- the generator and its draws
# Known answers of Random123, kat_vectors: counter, key, words.
_ONES = (0xFFFFFFFF,) * 4
_PI = ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0))
KNOWN_WORDS = (
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    (_ONES, _ONES[:2], "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (*_PI, "d16cfe09 94fdcceb 5001e420 24126ea1"),
)


def check_generator(_effort: Effort, _seed: int) -> Iterator[Check]:
    """Philox4x32-10 gives the words its authors published."""
    for counter, key, words in KNOWN_WORDS:
        result = " ".join(f"{int(w):08x}" for w in philox(*(np.uint64(x) for x in (*counter, *key))))
        yield Check("", f"counter {counter[0]:08x}..., key {key[0]:08x}...", words, result, held=result == words)


def _chance(seed: int, playout: int) -> Any:
    record = np.zeros(1, CHANCE)[0]
    begin_playout(record, np.uint64(seed), np.uint64(playout))
    return record


def check_draws(effort: Effort, seed: int) -> Iterator[Check]:
    """Bounded integers and the orders of shuffled piles are even."""
    for playout, n in enumerate((2, 3, 6, 7, 50)):
        counts = np.zeros(n, np.int64)
        trials.count_values(_chance(seed, playout), n, effort.draws, counts)
        yield _evenness(f"integers below {n}", counts)
    for playout, cards in enumerate((3, 4, 5), 100):
        counts = np.zeros(cards**cards, np.int64)
        trials.count_orders(_chance(seed, playout), cards, effort.draws // cards, np.zeros(cards, np.int64), counts)
        yield _evenness(f"orders of {cards} shuffled cards", counts[_orders(cards)], int(counts.sum()))


def _orders(cards: int) -> list[int]:
    """The numbers that stand for the orders of a pile."""
    from itertools import permutations  # noqa: PLC0415  only here

    return [sum(card * cards ** (cards - 1 - i) for i, card in enumerate(order)) for order in permutations(range(cards))]


def _evenness(name: str, counts: Any, total: int | None = None) -> Check:
    from scipy.stats import chisquare  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    if total is not None and total != int(counts.sum()):
        return Check("", name, "every shuffle is an order", f"{total - int(counts.sum()):,} were none", held=False)
    result = chisquare(counts)
    return Check("", name, f"chi-square near {len(counts) - 1}", f"{result.statistic:.1f}", float(result.pvalue))


# ---------------------------------------------------------------- intervals
TRIALS, LOOKS = 250, 12


def check_intervals(effort: Effort, seed: int) -> Iterator[Check]:
    """Each kind of interval that the program prints holds the truth as often as it says."""
    for i, p in enumerate(PROBABILITIES):
        successes = _successes(effort, seed, 1000 + i, p)
        n = TRIALS * LOOKS
        last = successes[:, -1]
        intervals = {int(k): estimate_share(int(k), n) for k in np.unique(last)}
        yield _coverage(f"Wilson's interval, p = {p}", [intervals[int(k)].low <= p <= intervals[int(k)].high for k in last])
        means = {int(k): estimate_mean(int(k), int(k), n, "x") for k in np.unique(last)}
        yield _coverage(f"Student's interval, p = {p}", [means[int(k)].low <= p <= means[int(k)].high for k in last])
        yield _coverage(f"confidence sequence, {LOOKS} looks, p = {p}", _always_inside(successes, p))
    yield from _rare_coverage(effort, seed)
    yield _goodman_coverage(effort, seed)


def _rare_coverage(effort: Effort, seed: int) -> Iterator[Check]:
    """A mean that few values carry, and the advantage of a seat that hardly ever loses."""
    n = TRIALS * LOOKS
    seen = _successes(effort, seed, 2000, RARE)[:, -1]
    truths = {"a mean by betting": RARE * RARE_VALUE, "an advantage": 1 / 2 - RARE}
    results = {int(k): (_mean_of_rare(int(k), n), estimate_advantage(n - int(k), n, n, 2)) for k in np.unique(seen)}
    for i, (name, truth) in enumerate(truths.items()):
        yield _coverage(f"interval of {name}, p = {RARE}", [results[int(k)][i].low <= truth <= results[int(k)][i].high for k in seen])


def _mean_of_rare(seen: int, n: int) -> Estimate:
    return estimate_values({0: n - seen, RARE_VALUE: seen} if seen else {0: n}, (0, RARE_VALUE), "x")


def _successes(effort: Effort, seed: int, playout: int, p: float) -> Any:
    successes = np.zeros((effort.experiments, LOOKS), np.int64)
    trials.count_successes(_chance(seed, playout), round(p * 1_000_000), 1_000_000, TRIALS, LOOKS, successes)
    return successes


def _always_inside(successes: Any, p: float) -> list[bool]:
    inside = np.ones(len(successes), bool)
    for look in range(LOOKS):
        n = TRIALS * (look + 1)
        sequences = {int(k): share_sequence(int(k), n) for k in np.unique(successes[:, look])}
        inside &= np.array([sequences[int(k)].low <= p <= sequences[int(k)].high for k in successes[:, look]])
    return [bool(x) for x in inside]


def _goodman_coverage(effort: Effort, seed: int) -> Check:
    """Three shares that sum to one: of ten even values, five, two and three."""
    shares, n = (0.5, 0.2, 0.3), TRIALS * LOOKS
    hits = []
    for experiment in range(effort.experiments):
        values = np.zeros(10, np.int64)
        trials.count_values(_chance(seed, 10_000 + experiment), 10, n, values)
        counts = (int(values[:5].sum()), int(values[5:7].sum()), int(values[7:].sum()))
        results = [estimate_share(c, n, confidence=simultaneous(3)) for c in counts]
        hits.append(all(e.low <= p <= e.high for e, p in zip(results, shares, strict=True)))
    return _coverage("Goodman's intervals, three shares at once", hits)


def _coverage(name: str, hits: list[bool]) -> Check:
    from scipy.stats import binom  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    held = sum(hits)
    p_value = float(binom.cdf(held, len(hits), COVERAGE_PROMISE))
    return Check("", name, f"covers {CONFIDENCE:.0%}", f"{held / len(hits):.2%} of {len(hits):,}", p_value)


# ---------------------------------------------------------------- anchors
def check_anchors(effort: Effort, seed: int) -> Iterator[Check]:
    """Games whose answers are known exactly give those answers, and not those of a changed rule."""
    from scipy.stats import norm  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    played: dict[str, Tally] = {}  # several anchors look at the same playouts
    for anchor in ANCHORS:
        question = anchor.question
        games = max(1, int(question.games * effort.share_of_anchors))
        key = f"{question.experiment} {games}"
        if key not in played:
            played[key] = run(**question.experiment, games=games, seed=seed).tally
        histogram = played[key][question.metric]
        estimate, _ = estimated(question, histogram, anchor.exact)
        z = anchor.z(histogram)
        yield Check("", anchor.name, anchor.printed, f"{estimate:.6g} (z = {z:+.2f})", float(2 * norm.sf(abs(z))))
        for mutation in anchor.mutations:
            off = mutation.z(histogram)
            apart = bool(2 * norm.sf(abs(off)) < TOLD_APART)
            yield Check("", f"not as with {mutation.name}", f"not {mutation.printed}", f"{estimate:.6g} (z = {off:+.1f})", held=apart)


# ---------------------------------------------------------------- how chances move
DRAMA_GAMES = {2: 2_000, 3: 1_500}
"""Playouts that are watched, by the number of players: as many as it takes to tell the mutations apart with a third of them."""

DRAMA_ROLLOUTS = 200


def check_drama(effort: Effort, seed: int) -> Iterator[Check]:
    """How chances move in Pig, by nested playouts, is as it is exactly, as far as the intervals say, and not as with another mark."""
    from scipy.stats import norm  # noqa: PLC0415  importing SciPy's statistics takes most of a second

    watched: dict[tuple[int, int], Drama] = {}  # several anchors look at the same playouts
    for anchor in DRAMA_ANCHORS:
        key = (anchor.players, anchor.goal)
        if key not in watched:
            watched[key] = _watched(*key, int(DRAMA_GAMES[anchor.players] * effort.share_of_anchors), seed)
        estimate = watched[key].estimates[anchor.name]
        error = max(estimate.high - estimate.best, estimate.best - estimate.low) / float(norm.ppf((1 + CONFIDENCE) / 2))
        z, off = ((estimate.best - float(value)) / error for value in (anchor.printed, anchor.other))
        yield Check("", anchor.title, anchor.printed, f"{estimate.best:.6g} (z = {z:+.2f})", float(2 * norm.sf(abs(z))))
        apart = bool(2 * norm.sf(abs(off)) < TOLD_APART)
        yield Check("", f"not as with {anchor.mutation}", f"not {anchor.other}", f"{estimate.best:.6g} (z = {off:+.1f})", held=apart)


def _watched(players: int, goal: int, games: int, seed: int) -> Drama:
    question: dict[str, Any] = {"games": games, "rollouts": DRAMA_ROLLOUTS, "rules": {"goal": goal}}
    (plan,) = DramaStudy.of("pig", players=players, strategies=["hold:at=20"], seed=seed, **question).plans
    curves = tuple(curve_of(plan.experiment, one) for one in watch_playouts(plan.experiment, games, DRAMA_ROLLOUTS))
    return Drama(plan, curves, curves[0], 0.0)


# ---------------------------------------------------------------- the same everywhere
def _of_each_game(check: Callable[[Game], Iterable[Check]]) -> Iterator[Check]:
    """The checks of all games; one from another package that cannot be played to the end is left out with a note."""
    for game in registry.games():
        try:
            yield from check(game)
        except (GameError, MisbehaviourError) as error:
            if registry.is_shipped(game.name):
                raise
            leave_out(error)


def check_digests(_effort: Effort, _seed: int) -> Iterator[Check]:
    """The games play what was recorded for their version; for one from another package nothing may be recorded."""

    def check(game: Game) -> Iterator[Check]:
        known = recorded_digests(game)
        if known or registry.is_shipped(game.name):
            for case, digest in found_digests(game).items():
                expected = known.get(case, "none recorded")
                yield Check("", f"{game.name}, {case}", expected, digest, held=digest == expected)

    yield from _of_each_game(check)


def check_workers(effort: Effort, seed: int) -> Iterator[Check]:
    """Any number of workers counts the same."""

    def check(game: Game) -> Iterator[Check]:
        asked = make_experiment(game, players=game.players[1], strategies=["uniform"], seed=seed)
        alone = run_experiment(asked, effort.worker_games, workers=1).digest
        for workers in (2, 5):
            digest = run_experiment(asked, effort.worker_games, workers=workers).digest
            yield Check("", f"{game.name}, {workers} workers", alone, digest, held=digest == alone)

    yield from _of_each_game(check)


def check_addresses(effort: Effort, seed: int) -> Iterator[Check]:
    """No game draws twice from one address in a playout, which would give it the same number twice."""

    def check(game: Game) -> Iterator[Check]:
        for players in sorted(set(game.players)):
            followed = follow_draws(make_experiment(game, players=players, strategies=["uniform"], seed=seed), effort.followed)
            result = followed.fault or f"none in {followed.draws:,} draws"
            yield Check("", f"{game.name}, {players} at the table", "no address used twice", result, held=followed.fault is None)

    yield from _of_each_game(check)


GROUPS: dict[str, Callable[[Effort, int], Iterator[Check]]] = {
    "generator": check_generator,
    "draws": check_draws,
    "intervals": check_intervals,
    "answers": check_anchors,
    "drama": check_drama,
    "digests": check_digests,
    "workers": check_workers,
    "addresses": check_addresses,
}
"""All checks, in the order in which they are run and shown."""
