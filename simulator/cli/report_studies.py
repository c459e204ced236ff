"""The small studies that a balance report plays beside the run: other strategies, what skill is worth, drama, the rules.

How many playouts each of them takes is fixed here and said on the page, so that the page is the same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.cli import show
from simulator.errors import UserError

if TYPE_CHECKING:
    from simulator.document.chapters import Chapter
    from simulator.play.run import Result
    from simulator.studies.effects import Sensitivity
    from simulator.studies.ladder import Rung

    Study = Callable[[Sequence[Result], "Beside"], Iterator[Chapter]]

LINEUP_GAMES = 2_000
"""Playouts of each table at which everybody plays another strategy."""

SKILL_GAMES = 1_000
"""Playouts of each table at which one player tries a strategy, in every seat in turn."""

WATCH_ROLLOUTS = 200
"""Nested playouts before each turn of a playout that is watched for its lead changes: few, as few playouts are watched."""

WATCH_TURNS = 3_500_000
"""Turns that all those nested playouts together may take, about: as many playouts are watched as that allows."""

MOST_WATCHED, FEWEST_WATCHED = 400, 16
"""Playouts watched at each number of players; where fewer would fit, none is, unless long studies are asked for."""

FULL_WATCHED = 100
"""As many playouts are watched at least if long studies are asked for."""

MOVE_GAMES = 5_000
"""Playouts of each rule constant that is moved, if that is asked for."""

MOST_WARNINGS = 4
"""A first screen names as many conclusions that hang on a constant."""


@dataclass(frozen=True)
class Beside:
    """What the run was asked, as far as the studies beside it have to know.

    Attributes:
        strategies: as they were named on the command line.
        rules: dotted key to value, for what differs from the rules as shipped.
        full: whether to play the long studies as well.
        workers: as in `run_experiment`.
    """

    strategies: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    full: bool = False
    workers: Any = None


def chapters(results: Sequence[Result], beside: Beside) -> list[Chapter]:
    """What the studies add to a report on these results. Ctrl-C keeps the chapters that are done.

    A study that cannot be played is left out, and a note says why.
    """
    studies: list[Study] = [strategies, lead_changes]
    if beside.full:
        studies.append(rules_that_matter)
    told: list[Chapter] = []
    try:
        for study in studies:
            _play(study, results, beside, told)
    except KeyboardInterrupt:
        show.note("Interrupted; the report is written without the studies that were not finished.")
    return told


def _play(study: Study, results: Sequence[Result], beside: Beside, told: list[Chapter]) -> None:
    """Play a study and add its chapters as they are done."""
    try:
        with show.compiling_note():
            for chapter in study(results, beside):
                told.append(chapter)  # noqa: PERF402  what was told before an interruption stays
    except UserError as error:
        show.note(f"A chapter of the report is missing: {error}")


def strategies(results: Sequence[Result], beside: Beside) -> Iterator[Chapter]:
    """What skill is worth, and who wins if everybody plays another strategy; nothing where there is only one."""
    from reports import balance  # noqa: PLC0415  pandas comes only where a report is asked for
    from reports.skill import ladder_chart  # noqa: PLC0415
    from simulator.studies.ladder import report_chapter  # noqa: PLC0415  needs Numba

    game = results[0].experiment.game
    if len(registry.strategies(game)) < 2:  # noqa: PLR2004  one strategy has nothing to be compared to
        return
    rungs = ladders(results, beside)
    measured, marks = [*rungs.values()], None
    if game.cooperative:
        who_wins, marks = balance.by_table(results, rungs)
        yield who_wins
    yield replace(report_chapter(measured, marks), charts=(ladder_chart(measured),))
    if not game.cooperative:
        yield balance.by_lineup(results, lineups(results, beside), rungs)


def ladders(results: Sequence[Result], beside: Beside) -> dict[int, tuple[Rung, ...]]:
    """Number of players to every strategy's wins: of a whole table where all win together, else among players of the default one."""
    from simulator.studies.ladder import ladder  # noqa: PLC0415  needs Numba

    game = results[0].experiment.game
    games = LINEUP_GAMES if game.cooperative else SKILL_GAMES
    asked: dict[str, Any] = {"games": games, "rules": beside.rules, "workers": beside.workers}
    return {e.players: ladder(game, e.players, seed=e.seed, **asked) for e in (r.experiment for r in results)}


def lineups(results: Sequence[Result], beside: Beside) -> dict[str, list[Result]]:
    """Strategy to what comes of the tables of the results if everybody plays it, but for one that everybody plays there already."""
    from reports.balance import strategy_of  # noqa: PLC0415  pandas comes only where a report is asked for
    from simulator.play.run import run_experiment  # noqa: PLC0415  needs Numba
    from simulator.registry.lineup import make_player  # noqa: PLC0415  needs NumPy

    experiments = [r.experiment for r in results]
    own = strategy_of(results)
    offered = {name: one for name, one in registry.strategies(experiments[0].game).items() if name != own}
    found: dict[str, list[Result]] = {}
    with show.counting_bar("Other strategies", LINEUP_GAMES * len(offered) * len(experiments)) as told:
        done = 0
        for name, strategy in offered.items():
            for one in experiments:
                experiment = replace(one, lineup=(make_player(strategy),) * one.players)
                found.setdefault(name, []).append(run_experiment(experiment, LINEUP_GAMES, workers=beside.workers))
                done += LINEUP_GAMES
                if told is not None:
                    told(done, found)
    return found


def lead_changes(results: Sequence[Result], beside: Beside) -> Iterator[Chapter]:
    """How often the lead passes; nothing where nobody has an opponent, a chapter that says how to get it where it takes long."""
    from reports.drama import changes_chart  # noqa: PLC0415
    from simulator.document.chapters import HOW_CLOSE, Chapter  # noqa: PLC0415  pandas comes only where a report is asked for
    from simulator.play.nested import watch_playouts  # noqa: PLC0415  needs Numba
    from simulator.studies.curves import curve_of  # noqa: PLC0415
    from simulator.studies.drama import Drama, DramaPlan, report_chapter  # noqa: PLC0415

    contested = [r for r in results if r.experiment.game.cooperative or r.experiment.players > 1]
    if not contested:
        return
    games = max(watched_games(contested), FULL_WATCHED if beside.full else 0)
    if games < FEWEST_WATCHED:
        name = contested[0].experiment.game.called
        hint = f"Lead changes were not watched for this report, since the games are long: --full does it, and simulate drama {name}."
        yield Chapter(HOW_CLOSE, "", "", (hint,))
        return
    found = []
    with show.counting_bar("Lead changes", games * len(contested)) as told:
        for place, experiment in enumerate(r.experiment for r in contested):
            shown = None if told is None else partial(_shifted, told, place * games)
            watched = watch_playouts(experiment, games, WATCH_ROLLOUTS, workers=beside.workers, progress=shown)
            curves = tuple(curve_of(experiment, one) for one in watched)
            plan = DramaPlan(experiment, games, WATCH_ROLLOUTS, beside.strategies)
            found.append(Drama(plan, curves, curves[0], 0.0))  # the most dramatic one is not shown, and not looked for
    yield replace(report_chapter(found), charts=(changes_chart(found),))


def _shifted(told: Callable[[int, object], None], before: int, done: int, watched: object) -> None:
    if watched is not None:
        told(before + done, watched)


def watched_games(results: Sequence[Result]) -> int:
    """How many playouts can be watched at each number of players.

    A playout of T turns takes about WATCH_ROLLOUTS nested playouts of T / 2 turns before each of them. T squared is known
    from the run, so that the number depends on nothing but what was played.
    """
    squares = [r.tally["turns"].moments()[1] / r.games for r in results]
    each = WATCH_TURNS / len(results)
    return min(MOST_WATCHED, int(each // (WATCH_ROLLOUTS / 2 * max(1.0, *squares))))


def rules_that_matter(results: Sequence[Result], beside: Beside) -> Iterator[Chapter]:
    """Which rules matter: every constant moved alone."""
    from reports.sensitivities import chapter  # noqa: PLC0415  pandas comes only where a report is asked for
    from simulator.studies.moves import moves_of  # noqa: PLC0415  needs Numba
    from simulator.studies.sensitivity import Question, measure, study  # noqa: PLC0415  needs Numba

    experiments = [r.experiment for r in results]
    first = experiments[0]
    (verdict, *_) = first.game.verdict(first.players)
    question = Question(
        first.game, beside.rules, beside.strategies, first.seed, MOVE_GAMES, metrics=(verdict,), workers=beside.workers
    )  # and whatever else conclusions rest on
    moves, left_out = moves_of(first.game, beside.rules)
    measured = []
    for experiment in experiments:
        with show.counting_bar(f"Rules, {experiment.players} players", len(moves) * MOVE_GAMES) as told:
            measured.append(measure(question, moves, experiment.players, told))
    found = study(question, moves, left_out, measured)
    yield _for_report(chapter(found), found, verdict)


def _for_report(chapter: Chapter, found: Sensitivity, verdict: str) -> Chapter:
    """The chapter as a report bears it: the tornado of the verdict, and as many warnings as a first screen holds."""
    note = f"Every constant was moved alone; {MOVE_GAMES:,} playouts of each move, on the same draws. simulate sensitivity tells more."
    more = len(chapter.warnings) - MOST_WARNINGS
    shown = [*chapter.warnings[:MOST_WARNINGS], *[f"{more} more conclusions hang on such constants; see which rules matter."] * (more > 0)]
    shown += found.not_tried
    charts = tuple(c for c in chapter.charts if c.name == f"tornado-{verdict}")
    return replace(
        chapter, charts=charts, sentences=(found.headline, *chapter.sentences), notes=(*chapter.notes, note), warnings=tuple(shown)
    )
