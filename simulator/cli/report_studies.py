"""The small studies that a balance report plays beside the run: other strategies, what skill is worth, drama, the rules.

How many playouts each of them takes is fixed here and said on the page, so that the page is the same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from simulator import registry
from simulator.cli import show
from simulator.errors import UserError

if TYPE_CHECKING:
    from reports.chapters import Chapter
    from simulator.run import Result
    from simulator.studies.sensitivity import Sensitivity

    Study = Callable[[Sequence[Result], "Beside"], Chapter | None]

LINEUP_GAMES = 2_000
"""Playouts of each table at which everybody plays another strategy."""

SKILL_GAMES = 1_000
"""Playouts of each table at which a strategy is tried."""

WATCH_ROLLOUTS = 20
"""Nested playouts before each turn of a playout that is watched for its lead changes."""

WATCH_TURNS = 1_500_000
"""Turns that all those nested playouts together may take, about: as many playouts are watched as that allows."""

MOST_WATCHED, FEWEST_WATCHED = 100, 16
"""Playouts watched at each number of players; where fewer would fit, none is, unless long studies are asked for."""

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
    studies: list[Study] = [lineups, lead_changes, skill]
    if beside.full:
        studies.append(rules_that_matter)
    told: list[Chapter] = []
    try:
        for study in studies:
            chapter = _played(study, results, beside)
            told += [chapter] if chapter is not None else []
    except KeyboardInterrupt:
        show.note("Interrupted; the report is written without the studies that were not finished.")
    return told


def _played(study: Study, results: Sequence[Result], beside: Beside) -> Chapter | None:
    try:
        with show.compiling_note():
            return study(results, beside)
    except UserError as error:
        show.note(f"A chapter of the report is missing: {error}")
        return None


def lineups(results: Sequence[Result], beside: Beside) -> Chapter | None:
    """Who wins if everybody plays another strategy; None where there is only one."""
    from reports.balance import by_lineup  # noqa: PLC0415  pandas comes only where a report is asked for
    from simulator.lineup import make_player  # noqa: PLC0415  needs NumPy
    from simulator.run import run_experiment  # noqa: PLC0415  needs Numba

    experiments = [r.experiment for r in results]
    offered = registry.strategies(experiments[0].game.name)
    if len(offered) < 2:  # noqa: PLR2004  one strategy agrees with itself
        return None
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
    return by_lineup(found)


def lead_changes(results: Sequence[Result], beside: Beside) -> Chapter | None:
    """How often the lead passes; None where nobody has an opponent, a chapter that says how to get it where it takes long."""
    from reports.chapters import HOW_CLOSE, Chapter  # noqa: PLC0415  pandas comes only where a report is asked for
    from reports.dramas import chapter  # noqa: PLC0415
    from simulator.nested import watch_playouts  # noqa: PLC0415  needs Numba
    from simulator.studies.drama import Drama, DramaPlan, curve_of  # noqa: PLC0415

    contested = [r for r in results if r.experiment.game.cooperative or r.experiment.players > 1]
    if not contested:
        return None
    games = MOST_WATCHED if beside.full else watched_games(contested)
    if games < FEWEST_WATCHED:
        name = contested[0].experiment.game.name
        hint = f"Lead changes were not watched for this report, since the games are long: --full does it, and simulate drama {name}."
        return Chapter(HOW_CLOSE, "", "", (hint,))
    found = []
    with show.counting_bar("Lead changes", games * len(contested)) as told:
        for place, experiment in enumerate(r.experiment for r in contested):
            shown = None if told is None else partial(_shifted, told, place * games)
            watched = watch_playouts(experiment, games, WATCH_ROLLOUTS, workers=beside.workers, progress=shown)
            curves = tuple(curve_of(experiment, one, WATCH_ROLLOUTS) for one in watched)
            plan = DramaPlan(experiment, games, WATCH_ROLLOUTS, beside.strategies)
            found.append(Drama(plan, curves, curves[0], 0.0))  # the most dramatic one is not shown, and not looked for
    return chapter(found)


def _shifted(told: Callable[[int, object], None], before: int, done: int) -> None:
    told(before + done, done)


def watched_games(results: Sequence[Result]) -> int:
    """How many playouts can be watched at each number of players.

    A playout of T turns takes about WATCH_ROLLOUTS nested playouts of T / 2 turns before each of them. T squared is known
    from the run, so that the number depends on nothing but what was played.
    """
    squares = [r.tally["turns"].moments()[1] / r.games for r in results]
    each = WATCH_TURNS / len(results)
    return min(MOST_WATCHED, int(each // (WATCH_ROLLOUTS / 2 * max(1.0, *squares))))


def skill(results: Sequence[Result], beside: Beside) -> Chapter | None:
    """What skill is worth: every strategy among players of the default one; None where there is only one."""
    from reports.skills import chapter  # noqa: PLC0415  pandas comes only where a report is asked for
    from simulator.studies.skill import ladder  # noqa: PLC0415  needs Numba

    experiments = [r.experiment for r in results]
    game = experiments[0].game.name
    if len(registry.strategies(game)) < 2:  # noqa: PLR2004  one strategy has nothing to be compared to
        return None
    rungs = {
        e.players: ladder(game, e.players, games=SKILL_GAMES, rules=beside.rules, seed=e.seed, workers=beside.workers) for e in experiments
    }
    return chapter(rungs)


def rules_that_matter(results: Sequence[Result], beside: Beside) -> Chapter:
    """Which rules matter: every constant moved alone."""
    from reports.sensitivities import chapter  # noqa: PLC0415  pandas comes only where a report is asked for
    from simulator.studies.sensitivity import Question, measure, moves_of, study  # noqa: PLC0415  needs Numba

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
    return _for_report(chapter(found), found, verdict)


def _for_report(chapter: Chapter, found: Sensitivity, verdict: str) -> Chapter:
    """The chapter as a report bears it: the tornado of the verdict, and as many warnings as a first screen holds."""
    note = f"Every constant was moved alone; {MOVE_GAMES:,} playouts of each move, on the same draws. simulate sensitivity tells more."
    more = len(chapter.warnings) - MOST_WARNINGS
    shown = [*chapter.warnings[:MOST_WARNINGS], *[f"{more} more conclusions hang on such constants; see which rules matter."] * (more > 0)]
    if found.unjudged:
        shown.append(f"Assumed, and not moved, since there is no range: {', '.join(found.unjudged)}. A conclusion may hang on them.")
    safe = () if any(o.move.doubtful for o in found.overturned) else (found.nothing_overturned,)
    charts = tuple(c for c in chapter.charts if c.name == f"tornado-{verdict}")
    return replace(chapter, charts=charts, sentences=(*safe, *chapter.sentences), notes=(*chapter.notes, note), warnings=tuple(shown))
