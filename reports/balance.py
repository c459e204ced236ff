"""The chapters of a balance report: a designer's questions in the order in which they are asked, answered from results."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from reports import frames, words
from reports.chapters import (
    HOW_CLOSE,
    HOW_LONG,
    HOW_MADE,
    RULES_AND_SOURCES,
    RULES_THAT_MATTER,
    SKILL,
    WHAT_HAPPENS,
    WHO_WINS,
    Cell,
    Chapter,
    Table,
    arranged,
)
from simulator.rules import constants, plausible_text, to_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.charts import Chart
    from simulator.run import Result

HEADLINE = "verdict"
"""Name of the chart that stands on the first screen."""

EVEN = 0.5


def chapters(results: Sequence[Result], charts: Sequence[Chart], more: Sequence[Chapter] = ()) -> tuple[Chapter, ...]:
    """All chapters of a report, with what studies add to them.

    Args:
        results: of one game, by number of players.
        charts: those of the results.
        more: chapters made by studies; one of an id that is known is added to the chapter of that id.
    """
    shown = {name: tuple(c for c in charts if c.chapter == name and c.name != HEADLINE) for name in {c.chapter for c in charts}}
    own = [
        who_wins(results, shown.get(WHO_WINS, ())),
        how_long(results, shown.get(HOW_LONG, ())),
        how_close(results, shown.get(HOW_CLOSE, ())),
        what_happens(results, shown.get(WHAT_HAPPENS, ())),
        rules_and_sources(results),
        how_made(results),
    ]
    known = {c.id for c in more}
    return arranged((*own, *(c for c in unanswered(results) if c.id not in known), *more))


def unanswered(results: Sequence[Result]) -> list[Chapter]:
    """The chapters that need a study of their own, saying how to get it."""
    game = results[0].experiment.game.name
    skill = f"Not measured for this report: simulate skill {game} does it."
    rules = f"Not measured for this report: simulate {game} --report FILE.html --full plays it, and simulate sensitivity {game} tells more."
    return [
        Chapter(SKILL, "What skill is worth", "", (skill,)),
        Chapter(RULES_THAT_MATTER, "Which rules matter", "", (rules,)),
    ]


# ---------------------------------------------------------------- who wins


def who_wins(results: Sequence[Result], charts: tuple[Chart, ...]) -> Chapter:
    """Who wins, by number of players, seat and strategy."""
    game = results[0].experiment.game
    alone = game.cooperative
    look_for = "Look for a number of players at which the answer is another." if alone else "Look for a seat that stands out."
    seated = frames.by_strategy(results)
    tables = [outcomes(results), *([strategies_at_one_table(seated)] if len(seated) else [])]
    return Chapter(WHO_WINS, "Who wins", look_for, tuple(sentences(results)), charts, tuple(tables))


def sentences(results: Sequence[Result]) -> list[str]:
    """How every run ended, in plain words."""
    opening = frames.verdict(results)
    opening = opening[opening["opens"]]
    table = frames.estimated(results)
    told = []
    for run, r in zip(frames.run_names(results), results, strict=True):
        lines = opening[opening["run"] == run]
        if r.experiment.game.cooperative:
            lines = table[(table["run"] == run) & table["metric"].isin(r.tally.outcomes) & (table["best"] > 0)].assign(equal=math.nan)
        told.append(words.sentence(lines) + words.advantage(r.first_player_advantage))
    return told


def outcomes(results: Sequence[Result]) -> Table:
    """How playouts ended: the outcomes of every run, which sum to all of them."""
    widest = max(results, key=lambda r: len(r.tally.outcomes))
    table = estimates_table(results, "How the games end", "", widest.tally.outcomes)
    return replace(table, note="In percent of games; the shares of a run sum to 100.", name="outcomes")


def estimates_table(results: Sequence[Result], title: str, note: str, metrics: Sequence[str]) -> Table:
    """Metrics as rows, runs as columns, each estimate above its interval."""
    table = frames.estimated(results)
    found = {(line.run, line.metric): line for line in words.lines_of(table)}
    runs = frames.run_names(results)
    known = {m.name: m for r in results for m in r.experiment.metrics}
    rows = []
    for metric in (known[name] for name in metrics):
        unit = "percent of games" if metric.kind == "share" else metric.unit
        about = f"{metric.description} " if metric.description else ""
        first = Cell(frames.clean(metric.label), f"{about}Unit: {unit}. Name: {metric.name}.")
        rows.append((first, *(estimate_cell(found.get((run, metric.name))) for run in runs)))
    return Table(title, note, ("Metric", *runs), tuple(rows), frozenset(range(1, len(runs) + 1)), ("", *runs), name="estimates")


def estimate_cell(line: words.Line | None) -> Cell:
    """An estimate with one decimal more than a sentence would have, above its interval."""
    if line is None:
        return Cell("\N{EN DASH}")
    digits = words.digits_of(line, 1 if 0 < line.best < 1 or line.kind != "share" else 0)
    best = f"{words.figures(line, digits)[0]}{'%' if line.kind == 'share' else ''}"
    if not words.known(line):
        return Cell(best, "interval unknown")
    return Cell(best, "in every game" if line.low == line.high else words.ends(line, digits))


def strategies_at_one_table(seated: pd.DataFrame) -> Table:
    """The wins of strategies that sit at one table."""
    rows = []
    for line in words.lines_of(seated):
        sign = "more often" if line.low > line.equal else "less often" if line.high < line.equal else "no difference shows"
        rows.append((line.run, line.strategy, str(line.seats), estimate_cell(line), words.percent(line.equal), sign))
    note = (
        "All seats of a strategy together, against an equal share of the games that somebody wins. The intervals of a run hold all at once."
    )
    columns = ("Run", "Strategy", "Seats", "Wins", "Equal share", "Wins")
    return Table("By strategy", note, columns, tuple(rows), frozenset({2, 3, 4}), rows_of=tuple(seated["run"]), name="strategies")


def by_lineup(found: Mapping[str, Sequence[Result]]) -> Chapter:
    """Who wins when everybody plays another strategy, to be added to the chapter on who wins.

    Args:
        found: strategy to the results of tables at which everybody plays it.
    """
    openings = [frames.verdict(results).assign(strategy=strategy) for strategy, results in found.items()]
    whole = frames.widened(pd.concat([opening[opening["opens"]] for opening in openings]))
    cooperative = next(iter(found.values()))[0].experiment.game.cooperative
    rows: list[tuple[str | Cell, ...]] = []
    sides: dict[tuple[str, str], str] = {}
    for _, part in whole.groupby(["strategy", "run"], sort=False):
        lines = words.lines_of(part)
        strategy, run = str(lines[0].strategy), str(lines[0].run)
        sides[strategy, run] = side(lines, cooperative=cooperative)
        shown = max(lines, key=lambda line: line.best)
        rows.append((run, frames.clean(strategy), Cell(shown.label), estimate_cell(shown), sides[strategy, run] or "not sure"))
    n = {r.games for results in found.values() for r in results}
    about = "how often that happens" if cooperative else "the seat that wins most often, and how often"
    note = (
        f"Everybody at the table plays the strategy; shown is {about}. {words.plural(min(n), 'playout')} of each."
        " What it means is said only where it holds when all of these are tested together (Bonferroni)."
    )
    columns = ("Run", "Strategy", "What happens", "Share of games", "Which means")
    rows_of = tuple(run for _, run in sides)
    table = Table("If everybody played otherwise", note, columns, tuple(rows), frozenset({3}), rows_of=rows_of, name="lineups")
    return Chapter(WHO_WINS, "", "", tables=(table,), warnings=tuple(disagreement(sides)))


def side(lines: Sequence[words.Line], *, cooperative: bool) -> str:
    """What a run says about who is favoured, as far as it is sure by the widened intervals; empty where it is not."""
    if cooperative:
        line = lines[0]
        half = "more" if line.wide_low > EVEN else "less" if line.wide_high < EVEN else ""
        return half and f"{line.label} in {half} than half of the games"
    *others, most = sorted(lines, key=lambda line: line.best)
    clear = others and most.wide_low > max(line.wide_high for line in others)
    return f"{most.label} most often" if clear else ""


def disagreement(sides: Mapping[tuple[str, str], str]) -> list[str]:
    """A sentence for each way in which strategies say different things about who is favoured, with the runs in which they do."""
    runs: dict[str, list[str]] = {}
    for run in dict.fromkeys(run for _, run in sides):
        by_side: dict[str, list[str]] = {}
        for (strategy, other), said in sides.items():
            if other == run and said:
                by_side.setdefault(said, []).append(frames.clean(strategy))
        if len(by_side) > 1:
            each = "; ".join(f"{said} with {', '.join(who)}" for said, who in by_side.items())
            runs.setdefault(each, []).append(run)
    return [f"Who is favoured depends on who plays. With {words.listed(where)}: {each}." for each, where in runs.items()]


# ---------------------------------------------------------------- how long, how close, what happens


def how_long(results: Sequence[Result], charts: tuple[Chart, ...]) -> Chapter:
    """How long games last, with the long tail."""
    table = frames.durations(results)
    lines = words.lines_of(table)
    game = results[0].experiment.game
    note = f"No pace is known: --pace SECONDS tells how long a turn takes, and the report then speaks of minutes. {ROUND}"
    if game.seconds_per_turn is not None:
        note = (
            f"Minutes are turns at {game.seconds_per_turn:g} seconds each ({game.pace_note}); --pace SECONDS states another pace. {ROUND}"
        )
    capped = [
        f"With {line.run} the turn cap ended {words.percent(line.capped)} of games; they count with the turns they had."
        for line in lines
        if line.capped
    ]
    tables = (means_table(lines, minutes=words.paced(table)), tail_table(lines))
    look_for = "Look for the games that nobody would finish: what 1 table in 20 sits through."
    return Chapter(
        HOW_LONG,
        "How long it lasts",
        look_for,
        tuple(words.duration_sentence(line) for line in lines),
        charts,
        tables,
        (note, *capped, QUANTILES),
    )


ROUND = "A round is as many turns as there are players."

QUANTILES = "The intervals of lengths that few games exceed are order statistics, free of any distribution."


def means_table(lines: Sequence[words.Line], *, minutes: bool) -> Table:
    """Mean lengths in turns, rounds and minutes."""
    rows = []
    for line in lines:
        scales = [1, 1 / line.players, *([line.pace / 60] if minutes else [])]
        scaled = [line._replace(low=k * line.low, best=k * line.best, high=k * line.high) for k in scales]
        rows.append((line.run, *(estimate_cell(one) for one in scaled)))
    columns = ("Run", "Turns", "Rounds", *(["Minutes"] if minutes else []))
    rows_of = tuple(line.run for line in lines)
    return Table("On average", "", columns, tuple(rows), frozenset(range(1, len(columns))), rows_of=rows_of, name="lengths")


def tail_table(lines: Sequence[words.Line]) -> Table:
    """The lengths that half of the games, 1 in 20 and 1 in 100 exceed at most."""
    rows = []
    for line in lines:
        cells = [
            Cell(words.number(getattr(line, name)), f"{words.turns_between(line, name)}{in_minutes(getattr(line, name), line)}")
            for name in ("median", "q95", "q99")
        ]
        rows.append((line.run, *cells, Cell(words.number(line.most), in_minutes(line.most, line).removeprefix("; "))))
    columns = ("Run", "Half of the games", "1 game in 20", "1 game in 100", "Longest seen")
    note = "In turns: at most so many games last longer."
    rows_of = tuple(line.run for line in lines)
    return Table("The long tail", note, columns, tuple(rows), frozenset({1, 2, 3, 4}), rows_of=rows_of, name="long-tail")


def in_minutes(turns: float, line: words.Line) -> str:
    """A length in minutes to stand behind one in turns; empty where no pace is known."""
    return f"; {words.minutes(turns, line)} minutes" if math.isfinite(line.pace) else ""


def how_close(results: Sequence[Result], charts: tuple[Chart, ...]) -> Chapter:
    """How close games are at their end."""
    game = results[0].experiment.game
    metric = game.closeness
    if metric is None:
        return Chapter(HOW_CLOSE, "How close it is", "", (f"{game.title} counts nothing that tells a close game from a clear one.",))
    table = frames.estimated(results)
    lines = words.lines_of(table[table["metric"] == metric])
    told = tuple(f"With {line.run}: {frames.clean(line.label)} {words.interval(line)} on average." for line in lines)
    about = [m.description for m in results[0].experiment.metrics if m.name == metric and m.description]
    look_for = "Look for how many games are decided by little."
    return Chapter(HOW_CLOSE, "How close it is", look_for, told, charts, notes=tuple(about))


def what_happens(results: Sequence[Result], charts: tuple[Chart, ...]) -> Chapter:
    """The game's own events, and every metric."""
    widest = sorted(results, key=lambda r: -len(r.experiment.metrics))
    every = tuple(dict.fromkeys(m.name for r in widest for m in r.experiment.metrics))
    table = estimates_table(results, "Everything that was counted", "Below each estimate stands its interval.", every)
    look_for = "Look for cards and events that hardly ever come up, or that decide too much."
    return Chapter(WHAT_HAPPENS, "What happens", look_for, (), charts, (table,))


# ---------------------------------------------------------------- the rules, and how it was made


def rules_and_sources(results: Sequence[Result]) -> Chapter:
    """The constants of the rules with their sources; where runs differ, the value of each."""
    runs = frames.run_names(results)
    lists = [constants(r.experiment.rules) for r in results]
    rows = []
    for same in zip(*lists, strict=True):
        first, values = same[0], [to_text(c.value) for c in same]
        value = values[0] if len(set(values)) == 1 else "; ".join(f"{v} with {run}" for v, run in zip(values, runs, strict=True))
        shipped = f"; shipped: {to_text(first.default)}" if any(c.changed for c in same) else ""
        plausible = f"; plausible: {plausible_text(first)}" if plausible_text(first) else ""
        key = Cell(first.key, first.description, code=True)
        shown = Cell(value, f"{first.unit}{shipped}".removeprefix("; "), "changed" if shipped else "")
        source = Cell(
            "" if first.source == "assumed" else first.source, f"{first.note}{plausible}", "assumed" if first.source == "assumed" else ""
        )
        rows.append((key, shown, source))
    assumed = [c.key for c in lists[0] if c.source == "assumed"]
    told = f"Assumed, because the rulebook does not print them: {', '.join(assumed)}." if assumed else "Every constant has a source."
    table = Table("Constants", "", ("Constant", "Value", "Source"), tuple(rows), small="detail", name="rules")
    note = ("A constant marked assumed is not printed in the rulebook; its plausible range says between what the truth may lie.",) * bool(
        assumed
    )
    look_for = "Look for assumed constants that you know better."
    return Chapter(RULES_AND_SOURCES, "Where the rules come from", look_for, (told,), tables=(table,), notes=note)


def how_made(results: Sequence[Result]) -> Chapter:
    """How each run was made."""
    rows = [
        (
            Cell(run, frames.clean(frames.seats_text(r))),
            f"{r.games:,}",
            f"{r.unfinished:,}",
            f"{r.elapsed_s:.2f} s",
            str(r.experiment.seed),
            Cell(r.digest, code=True),
            Cell(r.experiment.id, code=True),
        )
        for run, r in zip(frames.run_names(results), results, strict=True)
    ]
    columns = ("Run", "Playouts", "Unfinished", "Elapsed", "Seed", "Digest", "Experiment")
    rows_of = tuple(frames.run_names(results))
    table = Table("Runs", "", columns, tuple(rows), frozenset({1, 2, 3, 4}), rows_of=rows_of, small="strategies", name="runs")
    note = "The digest is a hash of all counts: the same experiment gives the same digest on any machine, with any number of workers."
    return Chapter(HOW_MADE, "How this was made", "", tables=(table,), notes=(note,))
