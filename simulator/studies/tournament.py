"""`tournament`: all strategies against all, and how strong each is.

What is played is in `simulator.studies.meetings`. In a game that one seat wins, either's share of wins is held against an
equal share; all pairings are judged together, and the ratings sum them up. In a game that all win or lose together there is
nobody to beat: tables are compared instead.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from simulator import registry
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import GAP, SPELT, number, percent, with_interval
from simulator.document.language import clean, listed, ranged
from simulator.errors import UserError
from simulator.rules import values
from simulator.studies.meetings import DUEL, Mixed, Pairing, TournamentPlan, meet, sit
from simulator.studies.options import count
from simulator.studies.standings import Tournament
from simulator.studies.study import Study

if TYPE_CHECKING:
    from simulator.game import Game
    from simulator.play.resources import Resources
    from simulator.stats.estimate import Estimate

GAMES = 20_000

FEWEST = 2
"""Of strategies, and of players."""


@dataclass(frozen=True)
class TournamentStudy(Study[TournamentPlan, Tournament]):
    """Let all strategies meet, and rate them.

    All strategies of a game take part, or those named by --strategy. Each sits alone among copies of each other, in every seat
    in turn; with two players that is one against the other. Its share of wins is held against an equal share. In a cooperative
    game each strategy has a table of its own, and every two share tables.
    """

    games: int = count(GAMES, "Playouts behind each figure; 20k unless given.")

    each_number: ClassVar[str] = "a tournament for each."
    strategies_are: ClassVar[str] = "Who takes part; repeat it for each. All strategies of the game unless given."

    @cached_property
    def plans(self) -> tuple[TournamentPlan, ...]:
        """What will be played at each number of players.

        Raises:
            UserError: something of it does not exist or cannot be played, or there are too few strategies or players.
        """
        setup = self.setup
        entrants = _entrants(setup.game, setup.strategies)
        for players in (min(setup.players), max(setup.players)):
            setup.experiment(players, [*entrants.values()])
        if min(setup.players) < FEWEST:
            message = f"Nobody meets anybody with {min(setup.players)} player; let 2 or more sit at a table."
            raise UserError(message)
        return tuple(TournamentPlan(setup, players, entrants, self.games) for players in setup.players)

    def play_part(self, plan: TournamentPlan, resources: Resources) -> Tournament:
        """Play the tournament at one number of players. Ctrl-C keeps the pairings that are done.

        Raises:
            UserError: a strategy is refused.
            KeyboardInterrupt: interrupted before the first pairing was complete.
        """
        start = time.perf_counter()
        pairings: list[Pairing] = []
        tables: list[Mixed] = []
        together, interrupted = plan.setup.game.cooperative, False
        with resources.in_turn(f"{plan.players} players, {len(plan.names)} strategies", plan.size) as how:
            try:
                for seating in plan.seatings if together else ():
                    tables.append(sit(plan, seating, how))  # noqa: PERF401  what is done has to survive Ctrl-C
                for first, second in () if together else plan.pairs:
                    pairings.append(meet(plan, first, second, how))
            except KeyboardInterrupt:
                interrupted = True
                if not (pairings or tables):
                    raise
        return Tournament(plan, tuple(pairings), tuple(tables), time.perf_counter() - start, interrupted)

    def document(self, parts: Sequence[Tournament]) -> Document:
        """Who beats whom, how strong each is, and the numbers."""
        return _document(parts)

    def as_dict(self, parts: Sequence[Tournament]) -> dict[str, Any]:
        """For JSON: what was asked, and a tournament for each number of players."""
        game = self.setup.game
        about = {"game": game.name, "version": game.version, "seed": self.setup.seed, "rules": values(parts[0].rules)}
        return {"experiment": about, "results": [part.as_dict() for part in parts]}

    def notes(self) -> Sequence[str]:
        """What the rules have to say of themselves."""
        return self.setup.experiment(self.setup.players[0], ()).rules.notes()


tournament = TournamentStudy.ask
"""Let all strategies meet at one number of players.

>>> tournament("pig", players=2, strategies=["optimal", "uniform"], games=1000).leader
0
"""


def _entrants(game: Game, strategies: Sequence[str]) -> dict[str, str]:
    """Name and text of each strategy that takes part."""
    found: dict[str, str] = {}
    players: list[Any] = []
    for text in strategies or list(registry.strategies(game)):
        player = registry.player(game, text)
        if player in players:
            message = f"Strategy '{text}' is entered twice; enter each once."
            raise UserError(message)
        players.append(player)
        found[text if player.label in found else player.label] = text
    if len(found) < FEWEST:
        message = (
            f"A tournament needs two strategies at least; {game.title} would have {', '.join(found)} alone, so name others with --strategy."
        )
        raise UserError(message)
    return found


# ---------------------------------------------------------------- what is said of it
MOST_NAMED = 5
"""As many pairings or cycles are named in a sentence."""

LOOK_AGAINST = "Look for rows that are dark throughout, and for a dark cell in a row that is light."
LOOK_TOGETHER = "Look down a column: how much depends on whom a table takes in."
LOOK_RATINGS = "Look for gaps: between strategies at one height it hardly matters which is played."


def findings(part: Tournament) -> tuple[str, ...]:
    """What a tournament found, in plain sentences; how many games did not finish comes first where that is more than a few."""
    return (*remarks_of(part), *answers(part))


def answers(part: Tournament) -> tuple[str, ...]:
    """The same without what is to be said of games that did not finish, where that is more than a few."""
    if part.ended.all:
        return ()
    sentences = _of_tables(part) if part.game.cooperative else _of_pairings(part)
    if part.without_winner and not remarks_of(part):
        ended = "were ended by the turn cap" if part.game.cooperative else "had no winner and count as nobody's win"
        sentences.append(f"{part.without_winner:,} of {part.games:,} playouts {ended}.")
    return tuple(sentences)


def remarks_of(part: Tournament) -> list[str]:
    """How many games did not finish: of all together, or else of those meetings where it is more than a few."""
    if whole := part.ended.remark(f"with {part.players} players"):
        return [whole]
    names = part.strategies
    met = [(p.ended, p.first, p.second) for p in part.pairings] + [(t.ended, *t.strategies) for t in part.tables]
    remarks = [text for ended, a, b in met if (text := ended.remark(f"of {names[a]} and {names[b]}"))]
    return [*remarks[:MOST_NAMED], *[f"So it is with {len(remarks) - MOST_NAMED} more meetings."] * (len(remarks) > MOST_NAMED)]


def _of_pairings(part: Tournament) -> list[str]:
    names = part.strategies
    undecided = [f"{names[p.first]} and {names[p.second]}" for p in part.undecided]
    sentences = [_leader(part)]
    if undecided:
        sentences.append(f"Undecided: {listed(undecided, '', between='; ', most=MOST_NAMED)}.")
    sentences += [f"Cycle: {cycle_text(part, cycle)}." for cycle in part.cycles[:MOST_NAMED]]
    if len(part.cycles) > MOST_NAMED:
        sentences.append(f"There are {len(part.cycles) - MOST_NAMED} more cycles.")
    if not part.cycles and not part.interrupted:
        where = "nowhere among what is decided" if undecided else "nowhere"
        sentences.append(f"No cycle shows: {where} do strategies beat each other in a round.")
    return sentences + _misfit(part)


def _leader(part: Tournament) -> str:
    if part.leader is not None:
        return f"{part.strategies[part.leader]} beats every other strategy."
    if part.interrupted:
        return "Not all strategies have met."
    unbeaten = [part.strategies[s] for s in part.unbeaten]
    which = f"not shown to be beaten by any: {listed(unbeaten, '', most=MOST_NAMED)}" if unbeaten else "each is beaten by another"
    return f"No strategy is shown to beat every other; {which}."


def cycle_text(part: Tournament, cycle: Sequence[int]) -> str:
    """A cycle in words: rock beats scissors beats paper beats rock."""
    return " beats ".join(part.strategies[s] for s in (*cycle, cycle[0]))


def _misfit(part: Tournament) -> list[str]:
    """How far to trust a single number for strength."""
    worst = None if part.ratings is None else part.ratings.misfit
    if worst is None or not worst.is_more_than_luck:
        return []
    among = "against" if part.plan.duel else "among"
    sentence = (
        f"A rating is one number and tells less than the matrix: it is off the most for {part.strategies[worst.strategy]} {among} "
        f"{part.strategies[worst.rival]}, with {100 * worst.seen.best:.1f}% of the wins where the ratings say {100 * worst.expected:.1f}%."
    )
    return [sentence]


def _of_tables(part: Tournament) -> list[str]:
    names = part.strategies
    if not part.best_tables:
        return []
    (best, estimate), *others = part.best_tables
    highest = max(e.high for e in part.shares if e is not None)
    first = f"The best table of one strategy is {names[best]}: all win {with_interval(estimate, SPELT)}."
    if others:
        tables = [f"{names[s]} {with_interval(e, SPELT)}" for s, e in part.best_tables]
        first = f"Which table of one strategy is best is open between {listed(tables, '', between='; ', most=MOST_NAMED)}."
    better = [t for t in part.tables if t.strategies[0] != t.strategies[1] and t.win.low > highest]
    pairs = [(names[t.strategies[0]], names[t.strategies[1]], with_interval(t.win, SPELT)) for t in better[:MOST_NAMED]]
    return [first, *(f"Better still is {one} with {other}: {share}." for one, other, share in pairs), *_guests(part)]


def _guests(part: Tournament) -> list[str]:
    """Which single guest helps most, and which harms most."""
    moves = []
    for t in part.tables:
        for guest, host in (t.strategies, t.strategies[::-1])[: 2 if part.plan.duel else 1]:  # two are guests of each other
            before = part.wins[host][host]
            if not t.halves and guest != host and before is not None:
                moves.append((t.win.best - before.best, guest, host, before, t.win))
    helps = [m for m in moves if m[4].low > m[3].high]
    harms = [m for m in moves if m[4].high < m[3].low]
    chosen = [("helps", max(helps, key=lambda m: m[0]))] if helps else []
    chosen += [("harms", min(harms, key=lambda m: m[0]))] if harms else []
    return [
        f"A single guest {does} most where {part.strategies[guest]} joins {part.strategies[host]}: "
        f"{with_interval(after, SPELT)} in place of {with_interval(before, SPELT)}."
        for does, (_, guest, host, before, after) in chosen
    ]


# ---------------------------------------------------------------- the document
def _document(parts: Sequence[Tournament]) -> Document:
    first, several = parts[0], len(parts) > 1
    opening = f"{first.game.title}, {ranged((part.players for part in parts), 'player')}, {len(first.strategies)} strategies"
    said = [_told(part, text, several=several) for part in parts for text in findings(part)]
    return Document(
        first.game,
        "Tournament of strategies",
        said[0],
        tuple(said[1:]),
        _warnings(parts),
        rules=first.rules,
        facts=(
            ("Strategies", ", ".join(map(clean, first.strategies))),
            ("Playouts behind each figure", f"{first.plan.games:,}"),
            ("Playouts", f"{sum(part.games for part in parts):,}"),
        ),
        chapters=tuple(_chapters(parts)),
        runs=tuple(part.run for part in parts) if several else (),
        opening=f"{opening}, {first.plan.games:,} playouts behind each figure",
        closing=" ".join(filter(None, ("95% intervals, each for itself.", _note(first), equal_note(parts), zero_note(first)))),
    )


def _warnings(parts: Sequence[Tournament]) -> tuple[str, ...]:
    stopped = [
        f"The tournament with {part.run} was interrupted; the finished pairings are shown, and nobody is rated."
        for part in parts
        if part.interrupted
    ]
    return (*stopped, *(_told(part, text, several=len(parts) > 1) for part in parts for text in remarks_of(part)))


def _told(part: Tournament, text: str, *, several: bool) -> str:
    """A sentence beside those on other numbers of players, if there are several."""
    return clean(f"With {part.run}: {text}" if several and part.run not in text else text)


def _chapters(parts: Sequence[Tournament]) -> Iterator[Chapter]:
    together = parts[0].game.cooperative
    title, look_for = ("Who wins with whom", LOOK_TOGETHER) if together else ("Who beats whom", LOOK_AGAINST)
    yield Chapter("who-beats-whom", title, look_for, charts=("tournament",), notes=(_note(parts[0]),))
    charts, look_for = (("tournament-halves",), LOOK_TOGETHER) if together else (("ratings",), LOOK_RATINGS)
    yield Chapter("strength", "How strong each is", look_for, charts=charts, tables=(strength_table(parts),))
    tables = tuple(table for part in parts for table in matrix_tables(part, several=len(parts) > 1))
    notes = (f"Below each figure stands its 95% interval. {equal_note(parts)}".strip(),)
    yield Chapter("numbers", "The numbers", "Look at the interval before the figure.", tables=tables, notes=notes)


def _note(part: Tournament) -> str:
    if part.game.cooperative:
        return "All seats of a table win or lose together in a cooperative game."
    return "Who beats whom is judged over all pairings together (Holm)."


def zero_note(part: Tournament) -> str:
    """What the ratings are in, and whose is 0."""
    if part.ratings is None:
        return ""
    zero = part.ratings.zero
    return f"Ratings are in Elo points; {'the mean' if zero is None else f'{clean(part.strategies[zero])}, the default strategy,'} is 0."


def equal_note(parts: Sequence[Tournament]) -> str:
    """What one wins who is neither better nor worse than the others; nothing where all win together."""
    if parts[0].game.cooperative:
        return ""
    return f"An equal share is {', '.join(f'{percent(1 / part.players)} with {part.run}' for part in parts)}."


def what_a_cell_says(players: int, *, together: bool) -> str:
    """What a cell of a matrix is a share of."""
    if players == DUEL and not together:
        return "how often the row's strategy wins against the column's, from both seats"
    if together:
        return "how often all win where one of the row's strategy sits among the column's, in every seat in turn"
    return "how often the row's strategy wins, alone among the column's, in every seat in turn"


def strength_table(parts: Sequence[Tournament]) -> Table:
    """Every strategy at every number of players."""
    together, rated = parts[0].game.cooperative, any(part.ratings is not None for part in parts)
    more = ("Its own table wins",) if together else (*["Rating"] * rated, "Wins on average", "Beats")
    columns = ("Strategy", "Players", *more)
    note = "" if together else f"{zero_note(parts[0])} Wins on average: the mean over all others, whoever is met as often.".strip()
    rows = [_strength(part, s, rated=rated) for part in parts for s in part.order]
    runs = tuple(part.run for part in parts for _ in part.order) if len(parts) > 1 else ()
    return Table("Strategies", note, columns, tuple(rows), frozenset(range(1, len(columns))), rows_of=runs)


def _strength(part: Tournament, s: int, *, rated: bool) -> tuple[str | Cell, ...]:
    about = (clean(part.strategies[s]), str(part.players))
    if part.game.cooperative:
        return *about, share_cell(part.shares[s])
    rating = rating_cell(part.ratings.values[s]) if part.ratings is not None else Cell("")
    beaten = sum(winner == s for winner, _ in part.beats)
    return *about, *[rating] * rated, share_cell(part.shares[s]), f"{beaten} of {len(part.strategies) - 1}"


def rating_cell(rating: Estimate) -> Cell:
    """A rating above its interval; one that nothing bounds to one side is said to be above or below."""
    low, high = rating.low, rating.high
    if not math.isfinite(low) and not math.isfinite(high):
        return Cell("not known", "no game was won")
    if not math.isfinite(high - low):
        return Cell(f"below {number(high)}" if math.isfinite(high) else f"above {number(low)}", "one end is open")
    return Cell(number(rating.best), "by definition") if low == high else Cell.of(rating, GAP)


def share_cell(share: Estimate | None) -> Cell:
    """A share above its interval; nothing where there is none."""
    return Cell("") if share is None else Cell.of(share)


def matrix_tables(part: Tournament, *, several: bool) -> Iterator[Table]:
    """The matrix of one number of players, and in a cooperative game that of the tables half and half."""
    halves = {pair: t.shown for t in part.halves for pair in (t.strategies, t.strategies[::-1])}
    says = what_a_cell_says(part.players, together=part.game.cooperative)
    wins = {(a, b): share for a, line in enumerate(part.wins) for b, share in enumerate(line)}
    for name, what, shares in (("Matrix", says, wins), ("Halves", "how often all win, every other seat of either strategy", halves)):
        title = f"{part.run}: {what}" if several else f"{what[:1].upper()}{what[1:]}"
        rows = tuple((Cell(clean(part.strategies[a])), *(share_cell(shares.get((a, b))) for b in part.order)) for a in part.order)
        columns = ("", *(clean(part.strategies[s]) for s in part.order))
        runs, called = ((part.run,) * len(rows), f"{name}, {part.run}") if several else ((), name)
        if any(shares.values()):
            yield Table(title, "", columns, rows, frozenset(range(1, len(columns))), rows_of=runs, name=called)
