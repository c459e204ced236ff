"""The small studies that a balance report plays beside the run: other strategies, what skill is worth, drama, the rules.

How many playouts each of them takes is fixed here and said on the page, so that the page is the same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reports import drama, sensitivity
from reports.balance import other_strategies
from reports.skill import ladder_chart
from simulator.document.chapters import HOW_CLOSE, Chapter
from simulator.errors import UserError
from simulator.play.nested import watch_playouts
from simulator.play.run import Result
from simulator.studies import drama as dramas
from simulator.studies.curves import curve_of
from simulator.studies.drama import Drama, DramaPlan
from simulator.studies.effects import Sensitivity
from simulator.studies.ladder import Rung, ladder, report_chapter
from simulator.studies.lineups import has_alternatives, lineups
from simulator.studies.sensitivity import SensitivityStudy
from simulator.studies.sensitivity import report_chapter as rules_chapter

if TYPE_CHECKING:
    from simulator.play.resources import Resources
    from simulator.studies.run import Run

    Small = Callable[[Run, Sequence[Result], Resources], Iterator[Chapter]]

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


def chapters(study: Run, parts: Sequence[Result], resources: Resources, note: Callable[[str], None]) -> list[Chapter]:
    """What the studies add to the report of a run. Ctrl-C keeps the chapters that are done.

    Args:
        study: what was asked.
        parts: what was found at each number of players.
        resources: who plays, what is remembered, and where progress shows.
        note: tells which study could not be played, and why, or was interrupted.
    """
    studies: list[Small] = [strategies, lead_changes]
    if study.full:
        studies.append(rules_that_matter)
    made: list[Chapter] = []
    try:
        for small in studies:
            try:
                for chapter in small(study, parts, resources):
                    made.append(chapter)  # noqa: PERF402  what was made before an interruption stays
            except UserError as error:
                note(f"A chapter of the report is missing: {error}")
    except KeyboardInterrupt:
        note("Interrupted; the report is written without the studies that were not finished.")
    return made


def strategies(study: Run, parts: Sequence[Result], resources: Resources) -> Iterator[Chapter]:
    """What skill is worth, and who wins if everybody plays another strategy; nothing where there is only one."""
    game = study.setup.game
    if not has_alternatives(game):
        return
    rungs = ladders(study, parts, resources)
    measured, marks = [*rungs.values()], None
    if game.cooperative:
        who_wins, marks = other_strategies.by_table(parts, rungs)
        yield who_wins
    yield replace(report_chapter(measured, marks), charts=(ladder_chart(measured),))
    if not game.cooperative:
        yield other_strategies.by_lineup(parts, _lineups(parts, resources), rungs)


def ladders(study: Run, parts: Sequence[Result], resources: Resources) -> dict[int, tuple[Rung, ...]]:
    """Number of players to every strategy's wins: of a whole table where all win together, else among players of the default one."""
    setup = study.setup
    games = LINEUP_GAMES if setup.game.cooperative else SKILL_GAMES
    seated = [part.experiment.players for part in parts]
    return {n: ladder(setup.game, n, games=games, rules=setup.rules, seed=setup.seed, resources=resources) for n in seated}


def _lineups(parts: Sequence[Result], resources: Resources) -> dict[str, tuple[Result, ...]]:
    own = other_strategies.strategy_of(parts)
    return lineups([part.experiment for part in parts], own, LINEUP_GAMES, resources)


def lead_changes(study: Run, parts: Sequence[Result], resources: Resources) -> Iterator[Chapter]:
    """How often the lead passes; nothing where nobody has an opponent, a chapter that says how to get it where it takes long."""
    setup = study.setup
    contested = [part for part in parts if setup.game.cooperative or part.experiment.players > 1]
    if not contested:
        return
    games = max(watched_games(contested), FULL_WATCHED if study.full else 0)
    if games < FEWEST_WATCHED:
        name = setup.game.called
        hint = f"Lead changes were not watched for this report, since the games are long: --full does it, and simulate drama {name}."
        yield Chapter(HOW_CLOSE, "", "", (hint,))
        return
    watched_parts = []
    for experiment in (part.experiment for part in contested):
        with resources.collecting(f"Lead changes, {experiment.players} players", games) as how:
            watched = watch_playouts(experiment, games, WATCH_ROLLOUTS, **how)
        curves = tuple(curve_of(experiment, one) for one in watched)
        plan = DramaPlan(experiment, games, WATCH_ROLLOUTS, setup.strategies)
        watched_parts.append(Drama(plan, curves, curves[0], 0.0))  # the most dramatic one is not shown, and not looked for
    yield replace(dramas.report_chapter(watched_parts), charts=(drama.changes_chart(watched_parts),))


def watched_games(results: Sequence[Result]) -> int:
    """How many playouts can be watched at each number of players.

    A playout of T turns takes about WATCH_ROLLOUTS nested playouts of T / 2 turns before each of them. T squared is known
    from the run, so that the number depends on nothing but what was played.
    """
    squares = [r.tally["turns"].moments()[1] / r.games for r in results]
    each = WATCH_TURNS / len(results)
    return min(MOST_WATCHED, int(each // (WATCH_ROLLOUTS / 2 * max(1.0, *squares))))


def rules_that_matter(study: Run, parts: Sequence[Result], resources: Resources) -> Iterator[Chapter]:
    """Which rules matter: every constant moved alone."""
    seated = tuple(part.experiment.players for part in parts)
    (name, *_) = study.setup.game.verdict(seated[0])
    asked = SensitivityStudy(replace(study.setup, players=seated), games=MOVE_GAMES, metrics=(name,))  # and what conclusions rest on
    finding = asked.play(replace(resources, stage=lambda label, *more: resources.stage(f"Rules, {label}", *more)))
    result = finding.parts[0]
    if isinstance(result, Sensitivity):
        metric = next(e.metric for e in result.effects if e.metric.name == name)
        yield replace(_for_report(rules_chapter(result), result), charts=(sensitivity.tornado_chart(result, metric),))
    if finding.interrupted:
        raise KeyboardInterrupt


def _for_report(chapter: Chapter, found: Sensitivity) -> Chapter:
    """The chapter as a report bears it: with as many warnings as a first screen holds."""
    note = f"Every constant was moved alone; {MOVE_GAMES:,} playouts of each move, on the same draws. simulate sensitivity tells more."
    more = len(chapter.warnings) - MOST_WARNINGS
    shown = [*chapter.warnings[:MOST_WARNINGS], *[f"{more} more conclusions hang on such constants; see which rules matter."] * (more > 0)]
    shown += found.not_tried
    sentences, notes = (found.headline, *chapter.sentences), (*chapter.notes, note)
    return replace(chapter, sentences=sentences, notes=notes, warnings=tuple(shown))
