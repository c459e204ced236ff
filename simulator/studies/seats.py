"""`seats`: does it matter where one sits?

For each number of players everybody plays one strategy after the other. Each seat's share of wins is held against an equal
share, and all of them, with every strategy and number of players, are judged together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from simulator import registry
from simulator.document.chapters import Cell, Chapter, Table, by_players
from simulator.document.document import Document
from simulator.document.figures import GAP_CELL, interval, percent
from simulator.document.language import listed
from simulator.errors import UserError
from simulator.stats.estimate import CONFIDENCE, Estimate, estimate_advantage
from simulator.stats.unfinished import unfinished_of
from simulator.stats.verdicts import Verdict, verdicts_together
from simulator.studies.lineups import Results, Tables, play_in_turn, strategy_of
from simulator.studies.options import count, option
from simulator.studies.study import Study

if TYPE_CHECKING:
    from simulator.play.resources import Resources
    from simulator.play.run import Result

MATTERS = {"yes": "matters", "no": "does not matter", "open": "open"}
"""Does the seat matter?"""


def seats_of(result: Result) -> tuple[str, ...]:
    """The metrics that say which seat wins."""
    return tuple(result.experiment.game.verdict(result.experiment.players))


def advantage(result: Result, seat: int, confidence: float = CONFIDENCE) -> Estimate:
    """By how much a seat's share of wins exceeds an equal share of the games that somebody wins."""
    wins = [result.tally[name].moments()[0] for name in seats_of(result)]
    return estimate_advantage(wins[seat], sum(wins), result.games, len(wins), confidence)


@dataclass(frozen=True)
class SeatsStudy(Study[Tables, Results]):
    """Show whether it matters where one sits.

    Everybody plays one strategy after the other. A seat's share of wins is held against an equal share; that it matters, or
    that it does not, is judged over all seats, strategies and numbers of players together.
    """

    games: int = count(20_000, "Playouts of each table; 20k unless given.")
    margin: float = option(0.02, "number", "An advantage that does not matter; 0.02, which is two points, unless given.", ends=(0, 1))

    each_number: ClassVar[str] = "each is looked at."
    strategies_are: ClassVar[str] = "What everybody plays, once for each; all strategies of the game unless given."

    @cached_property
    def plans(self) -> tuple[Tables, ...]:
        """A table of each strategy, for each number of players.

        Raises:
            UserError: something of it does not exist or is not possible, or nobody sits against anybody.
        """
        game = self.setup.game
        if game.cooperative or min(self.setup.players) == 1:
            message = f"No seat is better where nobody plays against others; ask about {game.title} with two players or more."
            raise UserError(f"In {game.title} all win or lose together, so that no seat is better." if game.cooperative else message)
        names = self.setup.strategies or tuple(registry.strategies(game))
        return tuple(Tables(tuple(self.setup.experiment(n, [name]) for name in names), self.games) for n in self.setup.players)

    def play_part(self, plan: Tables, resources: Resources) -> Results:
        """Play the tables of one number of players."""
        return play_in_turn(plan, resources)

    def as_dict(self, parts: Sequence[Results]) -> dict[str, Any]:
        """For JSON."""
        judged = self.verdicts(parts)
        return {
            "results": [
                part.as_dict() | {"seat_matters": {strategy_of(r): judged[part.run, strategy_of(r)] for r in part.results}}
                for part in parts
            ]
        }

    def verdicts(self, parts: Sequence[Results]) -> dict[tuple[str, str], Verdict]:
        """Run and strategy to whether the seat matters there, all judged together."""
        cases = [(part.run, result, seat) for part in parts for result in part.results for seat in range(len(seats_of(result)))]
        verdicts = verdicts_together([partial(advantage, result, seat) for _, result, seat in cases], self.margin)
        results: dict[tuple[str, str], list[Verdict]] = {}
        for (run, result, _), verdict in zip(cases, verdicts, strict=True):
            results.setdefault((run, strategy_of(result)), []).append(verdict)
        return {case: "yes" if "yes" in seats else "open" if "open" in seats else "no" for case, seats in results.items()}

    def document(self, parts: Sequence[Results]) -> Document:
        """The verdict for each number of players, every seat's wins, and what going first is worth."""
        first, judged, runs = parts[0].experiment, self.verdicts(parts), [part.run for part in parts]
        worth = [{strategy_of(result): advantage(result, 0) for result in part.results} for part in parts]
        going_first = by_players("Going first, in points above an equal share", "All play", runs, worth, cell=_gap, name="first")
        sentence, *more = (_sentence(part, judged) for part in parts)
        return Document(
            first.game,
            "Where one sits",
            sentence,
            tuple(more),
            tuple(filter(None, (unfinished_of(r.tally).remark(f"({strategy_of(r)}, {p.run})") for p in parts for r in p.results))),
            rules=first.rules,
            facts=(("Playouts of each table", f"{self.games:,}"),),
            chapters=(
                Chapter("seats", "Every strategy, every seat", LOOK_FOR, charts=("seats",), tables=tuple(_table(p, judged) for p in parts)),
                Chapter("first", "Who goes first", "Look for how it changes with more players.", tables=(going_first,)),
            ),
            runs=tuple(runs) if len(runs) > 1 else (),
            opening=f"{first.game.title}: everybody plays {listed([strategy_of(result) for result in parts[0].results], 'or')}",
            closing="95% intervals, those of the seats of a table all at once. A seat matters where its share is shown to differ from an"
            f" equal one, and does not where it differs by at most {100 * self.margin:g} points; all are judged together (Holm).",
        )


seats = SeatsStudy.ask
LOOK_FOR = "Look for a seat that stands apart whatever is played."


def _gap(estimate: Estimate | None) -> Cell:
    return Cell.of(estimate, GAP_CELL)


def _table(part: Results, judged: dict[tuple[str, str], Verdict]) -> Table:
    """Every strategy against every seat."""
    seats = seats_of(part.results[0])
    cells = {strategy_of(r): tuple(Cell.of(r.estimates[name]) for name in seats) for r in part.results}
    rows = tuple((Cell(played), *shares, Cell(MATTERS[judged[part.run, played]])) for played, shares in cells.items())
    columns = ("All play", *(f"Seat {seat}" for seat in range(len(seats))), "The seat")
    title = f"Wins by seat, {part.run}; an equal share is {percent(1 / len(seats))}"
    return Table(title, "", columns, rows, frozenset(range(1, len(seats) + 1)), rows_of=(part.run,) * len(rows), name=f"seats-{len(seats)}")


def _sentence(part: Results, judged: dict[tuple[str, str], Verdict]) -> str:
    """Whether the seat matters with so many players, and where it does most."""
    biased = [r for r in part.results if judged[part.run, strategy_of(r)] == "yes"]
    if not biased:
        known = all(judged[part.run, strategy_of(r)] == "no" for r in part.results)
        return f"With {part.run}: where one sits {'does not matter, whatever is played' if known else 'is not shown to matter'}."
    cases = [(result, seat) for result in biased for seat in range(len(seats_of(result)))]
    result, seat = max(cases, key=lambda case: abs(advantage(*case).best))
    share, even = result.estimates[seats_of(result)[seat]], percent(1 / len(seats_of(result)))
    most = f"seat {seat} wins {interval(share)} percent if all play {strategy_of(result)}, where {even} would be even"
    return f"With {part.run}: where one sits matters; {most}."
