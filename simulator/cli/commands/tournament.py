"""`simulate tournament GAME`: which strategy is how strong, and who beats whom?"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from simulator.cli import options, outputs, show
from simulator.cli.exits import EXIT_INTERRUPTED
from simulator.document.figures import Style, estimate_text, figure, interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from simulator.document.fitting_table import FittingTable
    from simulator.play.executors import Workers
    from simulator.play.ledger import Ledger
    from simulator.stats.estimate import Estimate
    from simulator.studies.tournament import Plan, Tournament

    Named = Callable[[str, int], str]

DEFAULT_GAMES = 20_000

NAME = 14
"""Letters that a name takes up on one line in front of others."""


@click.command("tournament", short_help="Let all strategies meet, and rate them.")
@options.table_options("a tournament for each.", DEFAULT_GAMES, "Playouts behind each figure; 20k unless given.")
@options.entrants_option("Who takes part; repeat it for each. All strategies of the game unless given.")
@options.asked_options
@outputs.output_options("all figures")
@options.json_option
def command(
    game: Any,
    players: tuple[int, ...],
    games: int,
    strategies: tuple[str, ...],
    asked: options.Asked,
    outputs: outputs.Outputs,
    *,
    as_json: bool,
) -> int:
    """Let all strategies of a game meet, or those named by --strategy.

    Each sits alone among copies of each other, in every seat in turn; with two players that is one against the other. Its
    share of wins is held against an equal share. In a cooperative game each strategy has a table of its own, and every two
    share tables.
    """
    from simulator.studies.tournament import document, plan_tournament  # noqa: PLC0415  needs Numba

    plan = plan_tournament(game, players=players, strategies=strategies, games=games, rules=asked.rules, seed=asked.seed)
    outputs.check()
    found = _play(plan, asked.workers, asked.open_ledger())
    if outputs.any:
        from reports import tournaments  # noqa: PLC0415  pandas and matplotlib come only where a report is asked for

        outputs.write(lambda: tournaments.page(found, options.command_line()), lambda: tournaments.frame(found), "Figures")
    if as_json:
        show.print_json(document(found))
    else:
        for tournament in found:
            _print(tournament)
    interrupted = found[-1].interrupted or len(found) < len(players)
    return EXIT_INTERRUPTED if interrupted else 0


def _play(plan: Plan, workers: Workers, ledger: Ledger | None) -> tuple[Tournament, ...]:
    from simulator.studies.tournament import play_tournament  # noqa: PLC0415  needs Numba

    with show.stage(f"{len(plan.entrants)} strategies", plan.size) as progress:
        found = play_tournament(plan, workers=workers, ledger=ledger, progress=progress)
    for sentence in found[0].rules.notes():
        show.note(sentence)
    if found[-1].interrupted or len(found) < len(plan.players):
        show.note("Interrupted; the pairings that were finished are shown.")
    return found


def _print(found: Tournament) -> None:
    from simulator.studies.tournament import findings  # noqa: PLC0415  needs Numba

    console = show.console()
    console.print(
        f"{found.game.title}, {found.players} players, {len(found.strategies)} strategies, {found.asked:,} playouts behind each figure",
        markup=False,
        emoji=False,
    )
    if found.game.cooperative:
        _print_together(found)
    else:
        _print_against(found)
    for sentence in findings(found):
        console.print(sentence, markup=False, emoji=False)
    about = f"seed {found.seed}, {found.games:,} playouts, {found.elapsed_s:.1f} s, digest {found.digest}"
    console.print(about, markup=False, emoji=False, soft_wrap=True, style="dim")
    console.print()


def _print_against(found: Tournament) -> None:
    """The tables of a game that one seat wins."""
    console = show.console()
    console.print(_fitting(lambda named: _strengths(found, named), console.width))
    whom = "against the column" if found.players == 2 else f"alone among {found.players - 1} of the column"  # noqa: PLR2004  one other
    _print_matrix(found, f"How often the row's strategy wins, {whom}; an equal share is {100 / found.players:.3g}%", _cell(found))
    about = "95% intervals, each for itself. Who beats whom is judged over all pairings together (Holm)."
    if found.ratings is not None:
        zero = "the mean is 0" if found.ratings.zero is None else f"{found.strategies[found.ratings.zero]}, the default, is 0"
        about += f" Ratings are in Elo points; {zero}."
    console.print(about, style="dim", markup=False, emoji=False)


def _print_together(found: Tournament) -> None:
    """The tables of a cooperative game."""
    console = show.console()
    table = show.new_table("Strategy", "All win", title="Tables of one strategy", right=(1,))
    for s in found.order:
        own = found.shares[s]
        if own is not None:
            show.add_row(table, found.strategies[s], estimate_text(own))
    console.print(table)
    _print_matrix(found, "How often all win, one of the row's strategy among the column's, in every seat in turn", _cell(found))
    if found.halves:
        halves = {frozenset(t.strategies): t.shown for t in found.halves}
        _print_matrix(found, "How often all win, every other seat of either strategy", lambda a, b: halves.get(frozenset((a, b))))
    console.print("95% intervals (Wilson), each for itself.", style="dim", markup=False, emoji=False)


def _cell(found: Tournament) -> Callable[[int, int], Estimate | None]:
    return lambda row, column: found.wins[row][column]


def _strengths(found: Tournament, named: Named) -> FittingTable:
    """Strategies with rating and share of wins, the strongest first."""
    ratings = found.ratings
    columns = ["Strategy", *["Rating"] * (ratings is not None), "Wins on average", "Beats"]
    table = show.new_table(*columns, right=range(1, len(columns)))
    for s in found.order:
        share, beaten = found.shares[s], sum(winner == s for winner, _ in found.beats)
        rated = () if ratings is None else ("\n".join(rating_texts(ratings.values[s])),)
        average = "-" if share is None else estimate_text(share, "\n")
        show.add_row(table, named(found.strategies[s], NAME), *rated, average, f"{beaten} of {len(found.strategies) - 1}")
    return table


def rating_texts(rating: Estimate) -> tuple[str, str]:
    """A rating and its interval; one that nothing bounds to one side is said to be above or below.

    >>> from simulator.stats.estimate import Estimate
    >>> rating_texts(Estimate(-31.24, -33.0, -29.5, 100, "Elo points"))
    ('-31', '-33 to -30')
    """
    low, high = rating.low, rating.high
    if low == high == 0:
        return "0", "fixed"
    if not math.isfinite(low) and not math.isfinite(high):
        return "-", "not known"
    if not math.isfinite(low):
        return "-", f"below {high:+.0f}"
    if not math.isfinite(high):
        return "-", f"above {low:+.0f}"
    style = Style(plain=True, signed=True, once=False)
    return figure(rating, style), interval(rating, style)


def _print_matrix(found: Tournament, title: str, cell: Callable[[int, int], Estimate | None]) -> None:
    """A matrix with a line and a column for each strategy; several tables where the terminal is narrow."""
    console = show.console()
    console.print(title, markup=False, emoji=False, style="bold")
    texts = {(a, b): "-" if (e := cell(a, b)) is None else estimate_text(e, "\n") for a in found.order for b in found.order}
    names = {s: _broken(found.strategies[s], NAME) for s in found.order}
    wide = max(_width(texts.values()), *(_width([_broken(name, 1)]) for name in found.strategies))
    fit = _how_many_fit(wide, console.width - _width(names.values()))

    def table(columns: Sequence[int], named: Named) -> FittingTable:
        made = show.new_table("", *(named(found.strategies[c], wide) for c in columns), right=range(1, len(columns) + 1))
        for row in found.order:
            show.add_row(made, named(found.strategies[row], NAME), *(texts[row, column] for column in columns))
        return made

    for k in range(0, len(found.order), fit):
        console.print(_fitting(partial(table, found.order[k : k + fit]), console.width))


def _how_many_fit(wide: int, room: int) -> int:
    """How many columns of figures stand beside the names; one at least."""
    from simulator.document.fitting_table import GAP  # noqa: PLC0415  only where a table is shown

    return max(1, (room - GAP) // (wide + GAP))


def _fitting(make: Callable[[Named], FittingTable], width: int) -> FittingTable:
    """The table with names in several lines, or with whole ones where it does not fit and its rows are told one by one."""
    table = make(_broken)
    return table if table.fits(width) else make(lambda name, _width: name)


def _width(texts: Iterable[str]) -> int:
    return max(len(line) for text in texts for line in text.split("\n"))


def _broken(name: str, width: int) -> str:
    from simulator.studies.tournament import broken_name  # noqa: PLC0415  needs Numba

    return "\n".join(broken_name(name, width))
