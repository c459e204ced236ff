"""The chapters of a balance report: a designer's questions in the order in which they are asked, answered from results."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from reports import frames, words
from simulator.document.chapters import (
    HOW_CLOSE,
    HOW_LONG,
    HOW_MADE,
    RULES_AND_SOURCES,
    RULES_THAT_MATTER,
    SKILL,
    SKILL_TITLE,
    WHAT_HAPPENS,
    WHO_WINS,
    Cell,
    Chapter,
    Table,
    arranged,
)
from simulator.document.document import rulings_table
from simulator.document.figures import CELL, in_words, known, number, percent
from simulator.document.language import clean, plural
from simulator.rules import constants, plausible_text, to_text
from simulator.stats.estimate import none_seen
from simulator.stats.unfinished import unfinished_of
from simulator.studies.ladder import PLAYERS_WIN, WEAKEST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.charts import Chart
    from simulator.play.run import Result
    from simulator.studies.ladder import Rung

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
        Chapter(SKILL, SKILL_TITLE, "", (skill,)),
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
        ended = unfinished_of(r.tally)
        if ended.all:
            told.append(f"With {run}: {words.inside(words.NOTHING_KNOWN)}. {plural(r.games, 'playout')}.")
            continue
        remark = f" {ended.remark()}".rstrip()
        told.append(f"{words.sentence(lines)}{words.advantage(r.first_player_advantage)}{remark}")
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
        first = Cell(clean(metric.label), f"{about}Unit: {unit}. Name: {metric.name}.")
        rows.append((first, *(estimate_cell(found.get((run, metric.name))) for run in runs)))
    return Table(title, note, ("Metric", *runs), tuple(rows), frozenset(range(1, len(runs) + 1)), ("", *runs), name="estimates")


def estimate_cell(line: words.Line | None) -> Cell:
    """An estimate with one decimal more than a sentence would have, above its interval."""
    if line is None:
        return Cell.of(line)
    shown = Cell.of(line, words.coarse(line, CELL if 0 < line.best < 1 or line.kind != "share" else replace(CELL, more=0)))
    if not known(line):
        return shown
    if line.kind == "share" and (rare := none_seen(line.best, line.high, line.n, sequential=getattr(line, "sequential", False))):
        return replace(shown, small=rare)
    return replace(shown, small="in every game") if line.low == line.high else shown


def strategies_at_one_table(seated: pd.DataFrame) -> Table:
    """The wins of strategies that sit at one table."""
    rows = []
    for line in words.lines_of(seated):
        sign = "more often" if line.low > line.equal else "less often" if line.high < line.equal else "no difference shows"
        rows.append((line.run, line.strategy, str(line.seats), estimate_cell(line), percent(line.equal), sign))
    note = (
        "All seats of a strategy together, against an equal share of the games that somebody wins. The intervals of a run hold all at once."
    )
    columns = ("Run", "Strategy", "Seats", "Wins", "Equal share", "Wins")
    return Table("By strategy", note, columns, tuple(rows), frozenset({2, 3, 4}), rows_of=tuple(seated["run"]), name="strategies")


def by_lineup(results: Sequence[Result], found: Mapping[str, Sequence[Result]], rungs: Mapping[int, Sequence[Rung]]) -> Chapter:
    """Who wins when everybody plays another strategy, to be added to the chapter on who wins, where one seat wins.

    Args:
        results: those of the report, one for each number of players.
        found: strategy to the results of tables at which everybody plays it, for the same numbers of players; without the
            one that everybody plays in the run itself.
        rungs: number of players to how well each strategy plays.
    """
    openings = [frames.verdict(each).assign(strategy=strategy) for strategy, each in {AS_IN_RUN: results, **found}.items()]
    whole = frames.widened(pd.concat([opening[opening["opens"]] for opening in openings]))
    said, own = answers(whole, cooperative=False), strategy_of(results)
    n = min(r.games for each in found.values() for r in each)
    table = lineups_table(whole, said, own)
    note = f"Everybody at the table plays the strategy, {plural(n, 'playout')} of each; the first row is the run itself."
    table = replace(table, note=f"{note} {table.note}")
    said |= {(own, run): answer for (strategy, run), answer in said.items() if own and strategy == AS_IN_RUN}
    return Chapter(WHO_WINS, "", "", tables=(table,), notes=(asked_of(said, rungs),), warnings=disagreement(said, rungs, table.title))


def strategy_of(results: Sequence[Result]) -> str:
    """The strategy that everybody plays in every run; empty if there is no such one."""
    labels = {player.label for r in results for player in r.experiment.lineup}
    return labels.pop() if len(labels) == 1 else ""


def lineups_table(whole: pd.DataFrame, said: Mapping[Key, str], own: str = "") -> Table:
    """How often the seat that a run favours wins if everybody plays otherwise: a row for each strategy, a column for each run.

    Args:
        whole: the lines of the seats' wins, with strategy and run; those of the runs themselves are of AS_IN_RUN.
        said: what each strategy says of each run.
        own: the strategy that everybody plays in the runs themselves, if there is one.
    """
    lines = {(line.strategy, line.run, line.metric): line for line in words.lines_of(whole)}
    names, runs = (list(dict.fromkeys(whole[column])) for column in ("strategy", "run"))
    shown = {run: shown_seat([lines[key] for key in lines if key[:2] == (AS_IN_RUN, run)], said[AS_IN_RUN, run]) for run in runs}
    rows: list[tuple[str | Cell, ...]] = []
    for name in names:
        cells = [replace(estimate_cell(lines[name, run, shown[run].metric]), mark=different(said, name, run)) for run in runs]
        rows.append((Cell(clean(name), clean(own) if name == AS_IN_RUN else ""), *cells))
    labels = [words.inside(str(shown[run].label)) for run in runs]
    alike = len(set(labels)) == 1
    headings = runs if alike else [f"{shown[run].label}, {run}" for run in runs]
    note = (
        f"Shown is one seat{f' ({labels[0]})' if alike else ''}: the one that wins most often in the run, or the first where that is"
        " not sure. A mark stands where it is sure which seat wins most often and the run does not say so, all tested at once (Bonferroni)."
    )
    about = frozenset(range(1, 1 + len(runs)))
    return Table("If everybody played otherwise", note, ("Strategy", *headings), tuple(rows), about, ("", *runs), name="lineups")


def shown_seat(lines: Sequence[words.Line], answer: str) -> words.Line:
    """The seat whose wins are shown for a run: the one that surely wins most often, or the first."""
    return max(lines, key=lambda line: line.best) if answer else lines[0]


def by_table(results: Sequence[Result], rungs: Mapping[int, Sequence[Rung]]) -> tuple[Chapter, dict[Key, str]]:
    """Where all win or lose together: what to add to the chapter on who wins, and the marks for the one on what skill is worth.

    How often a whole table of each strategy wins stands there, and is not said twice.

    Args:
        results: those of the report, one for each number of players.
        rungs: number of players to how often a table of each strategy wins.
    """
    own = frames.estimated(results)
    own = own[own["metric"] == PLAYERS_WIN].assign(strategy=AS_IN_RUN)
    names = dict(zip(own["players"], own["run"], strict=True))
    others = [
        {"strategy": r.strategy, "run": names[n], "label": own["label"].iloc[0], "best": r.estimate.best, "n": r.estimate.n}
        for n, each in rungs.items()
        for r in each
    ]
    whole = frames.widened(
        pd.concat([own[["strategy", "run", "label", "best", "n", "sequential"]], pd.DataFrame(others)], ignore_index=True)
    )
    said = answers(whole, cooperative=True)
    told = f"If everybody played another strategy: see {SKILL_TITLE}. A mark there says where the answer is sure to be another."
    chapter = Chapter(WHO_WINS, "", "", (told,), notes=(asked_of(said, rungs),), warnings=disagreement(said, rungs, SKILL_TITLE))
    short = {"": "", **{in_half(own["label"].iloc[0], half): sign for half, sign in (("more", "> half"), ("less", "< half"))}}
    return chapter, {key: short[different(said, *key)] for key in said}


AS_IN_RUN = "as in this run"
"""Stands for whoever played in the run itself."""

Key = tuple[str, str]
"""A strategy and a run."""


def answers(whole: pd.DataFrame, *, cooperative: bool) -> dict[Key, str]:
    """What each strategy says of each run about who is favoured, as far as it is sure by the widened intervals; else nothing.

    Args:
        whole: lines with strategy, run, label, wide_low and wide_high: of every seat, or of the one share of all together.
        cooperative: whether all win or lose together.
    """
    parts = whole.groupby(["strategy", "run"], sort=False)
    return {(str(key[0]), str(key[1])): side(words.lines_of(part), cooperative=cooperative) for key, part in parts}


def side(lines: Sequence[words.Line], *, cooperative: bool) -> str:
    """What is sure about one run: the seat that wins most often, or whether the only share is more or less than half."""
    if cooperative:
        (line,) = lines
        half = "more" if line.wide_low > EVEN else "less" if line.wide_high < EVEN else ""
        return half and in_half(line.label, half)
    *others, most = sorted(lines, key=lambda line: line.best)
    clear = others and most.wide_low > max(line.wide_high for line in others)
    return f"{most.label} most often" if clear else ""


def in_half(label: str, half: str) -> str:
    """What is sure of a share that is "more" or "less" than half."""
    return f"{label} in {half} than half of games"


def different(said: Mapping[Key, str], strategy: str, run: str) -> str:
    """What a strategy is sure of and the run does not say; else nothing."""
    answer = said[strategy, run]
    return answer if answer != said[AS_IN_RUN, run] else ""


def better_than_random(rungs: Mapping[int, Sequence[Rung]]) -> set[tuple[str, int]]:
    """The strategies, each with the number of players, that win more often than random play; their intervals do not overlap."""
    random = {n: rung.estimate.high for n, each in rungs.items() for rung in each if rung.strategy == WEAKEST}
    return {(rung.strategy, n) for n, each in rungs.items() for rung in each if rung.estimate.low > random[n]}


def asked_of(said: Mapping[Key, str], rungs: Mapping[int, Sequence[Rung]]) -> str:
    """Which strategies were not asked who is favoured, and why."""
    better = better_than_random(rungs)
    runs = dict(zip(rungs, dict.fromkeys(run for _, run in said), strict=True))
    out: list[str] = []
    for strategy in dict.fromkeys(strategy for strategy, _ in said if strategy != AS_IN_RUN):
        where = [run for n, run in runs.items() if (strategy, n) not in better]
        only = f" with {words.runs_listed(where)}" if 0 < len(where) < len(runs) else ""
        out += [f"{clean(strategy)}{only}"] * bool(where)
    return (
        f"Whether strategies disagree about who is favoured was asked of those that win more often than random play ({WEAKEST}), their"
        f" intervals apart; left out: {', '.join(out)}."
    )


def disagreement(said: Mapping[Key, str], rungs: Mapping[int, Sequence[Rung]], where: str) -> tuple[str, ...]:
    """One sentence if strategies that play better than random ones say different things about who is favoured; else none.

    Args:
        said: what each strategy says of each run.
        rungs: number of players to how well each strategy plays, in the order of the runs.
        where: what to read about it.
    """
    better, splits = better_than_random(rungs), {}
    for n, run in zip(rungs, dict.fromkeys(run for _, run in said), strict=True):
        by_side: dict[str, list[str]] = {}
        for (strategy, other), answer in said.items():
            if other == run and answer and (strategy, n) in better:
                by_side.setdefault(answer, []).append(clean(strategy))
        if len(by_side) > 1:
            splits[run] = "; ".join(f"{words.inside(answer)} with {', '.join(who)}" for answer, who in by_side.items())
    if not splits:
        return ()
    opening, runs = "Who is favoured depends on who plays", words.runs_listed(list(splits))
    if len(set(splits.values())) > 1:
        return (f"{opening}: strategies that play better than at random disagree with {runs}; see {where}.",)
    return (f"{opening}. With {runs}: {next(iter(splits.values()))}.",)


# ---------------------------------------------------------------- how long, how close, what happens


def how_long(results: Sequence[Result], charts: tuple[Chart, ...]) -> Chapter:
    """How long games last, with the long tail."""
    table = frames.durations(results)
    lines = words.lines_of(table)
    game = results[0].experiment.game
    rounds = round_note(results)
    note = f"No pace is known: --pace SECONDS tells how long a turn takes, and the report then speaks of minutes. {rounds}"
    if game.seconds_per_turn is not None:
        note = (
            f"Minutes are turns at {game.seconds_per_turn:g} seconds each ({game.pace_note}); --pace SECONDS states another pace. {rounds}"
        )
    capped = [
        f"With {line.run} the turn cap ended {percent(line.capped)} of games; they count with the turns they had."
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
        (note, *capped, quantiles_note(results)),
    )


def round_note(results: Sequence[Result]) -> str:
    """What a round is: what the game counts as one, or else as many turns as there are players."""
    counted = [m.description for m in results[0].experiment.metrics if m.name == frames.ROUNDS]
    if not counted:
        return "Rounds are turns divided by players."
    return ": ".join(filter(None, ["Rounds are as the game counts them", words.inside(clean(counted[0]))])).rstrip(".") + "."


def quantiles_note(results: Sequence[Result]) -> str:
    """What kind of interval the quantiles have."""
    told = "confidence sequences" if any(r.sequential for r in results) else "order statistics"
    return f"The intervals of lengths that few games exceed are {told}, free of any distribution."


def means_table(lines: Sequence[words.Line], *, minutes: bool) -> Table:
    """Mean lengths in turns, rounds and minutes."""
    rows = []
    for line in lines:
        told = [line, words.rounds_of(line), *([words.minutes_of(line)] if minutes else [])]
        rows.append((line.run, *map(estimate_cell, told)))
    columns = ("Run", "Turns", "Rounds", *(["Minutes"] if minutes else []))
    rows_of = tuple(line.run for line in lines)
    note = pace_note(lines)
    return Table("On average", note, columns, tuple(rows), frozenset(range(1, len(columns))), rows_of=rows_of, name="lengths")


def pace_note(lines: Sequence[words.Line]) -> str:
    """At which pace minutes are told; empty where no pace is known."""
    return f"Minutes are {lines[0].at_pace}." if lines[0].at_pace else ""


def tail_table(lines: Sequence[words.Line]) -> Table:
    """The lengths that half of the games, 1 in 20 and 1 in 100 exceed at most."""
    rows = []
    for line in lines:
        cells = [
            Cell(number(getattr(line, name)), f"{words.turns_between(line, name)}{in_minutes(getattr(line, name), line)}")
            for name in ("median", "q95", "q99")
        ]
        rows.append((line.run, *cells, Cell(number(line.most), in_minutes(line.most, line).removeprefix("; "))))
    columns = ("Run", "Half of the games", "1 game in 20", "1 game in 100", "Longest seen")
    note = f"In turns: at most so many games last longer. {pace_note(lines)}".strip()
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
    told = tuple(f"With {line.run}: {words.inside(line.label)}, {in_words(line)} on average." for line in lines)
    return Chapter(HOW_CLOSE, "How close it is", "Look for how many games are decided by little.", told, charts)


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
    tables = (table, *rulings_table(results[0].experiment.game))
    return Chapter(RULES_AND_SOURCES, "Where the rules come from", look_for, (told,), tables=tables, notes=note)


def how_made(results: Sequence[Result]) -> Chapter:
    """How each run was made."""
    rows = [
        (
            Cell(run, clean(frames.seats_text(r))),
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
