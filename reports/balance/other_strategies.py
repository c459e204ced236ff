"""Who wins if everybody plays another strategy, and whether strategies disagree about it; part of the chapter on who wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from reports import frames
from reports.balance.cells import estimate_cell
from reports.balance.who_wins import opening, widened
from reports.words import Line, inside, lines_of, runs_listed
from simulator.document.chapters import SKILL_TITLE, WHO_WINS, Cell, Chapter, Table
from simulator.document.language import clean, plural
from simulator.play.run import Result
from simulator.studies.ladder import PLAYERS_WIN, WEAKEST, Rung

AS_IN_RUN = "as in this run"
"""Stands for whoever played in the run itself."""

Key = tuple[str, str]
"""A strategy and a run."""

Rungs = Mapping[int, Sequence[Rung]]
"""Number of players to how well each strategy plays, in the order of the runs."""

EVEN = 0.5
MARKS = {"more": "> half", "less": "< half"}


def by_lineup(results: Sequence[Result], lineups: Mapping[str, Sequence[Result]], rungs: Rungs) -> Chapter:
    """Who wins when everybody plays another strategy, to be added to the chapter on who wins, where one seat wins.

    Args:
        results: those of the report, one for each number of players.
        lineups: strategy to the results of tables at which everybody plays it, for the same numbers of players; without the
            one that everybody plays in the run itself.
        rungs: how often each strategy wins against the others.
    """
    whole = widened(pd.concat([opening(each).assign(strategy=name) for name, each in {AS_IN_RUN: results, **lineups}.items()]))
    said, own = answers(whole, most_often), strategy_of(results)
    n = min(r.games for each in lineups.values() for r in each)
    note = f"Everybody at the table plays the strategy, {plural(n, 'playout')} of each; the first row is the run itself."
    table = lineups_table(whole, said, note, own)
    said |= {(own, run): answer for (strategy, run), answer in said.items() if own and strategy == AS_IN_RUN}
    return Chapter(WHO_WINS, "", "", tables=(table,), notes=(asked_of(said, rungs),), warnings=disagreement(said, rungs, table.title))


def strategy_of(results: Sequence[Result]) -> str:
    """The strategy that everybody plays in every run; empty if there is no such one."""
    labels = {player.label for r in results for player in r.experiment.lineup}
    return labels.pop() if len(labels) == 1 else ""


def lineups_table(whole: pd.DataFrame, said: Mapping[Key, str], note: str, own: str) -> Table:
    """How often the seat that a run favours wins if everybody plays otherwise: a row for each strategy, a column for each run.

    Args:
        whole: the lines of the seats' wins, with strategy and run; those of the runs themselves are of AS_IN_RUN.
        said: what each strategy says of each run.
        note: begins what is said above it.
        own: the strategy that everybody plays in the runs themselves, if there is one.
    """
    lines = {(line.strategy, line.run, line.metric): line for line in lines_of(whole)}
    names, runs = (list(dict.fromkeys(whole[column])) for column in ("strategy", "run"))
    shown = {}  # the seat that surely wins most often, or the first
    for run in runs:
        seats = [line for line in lines.values() if (line.strategy, line.run) == (AS_IN_RUN, run)]
        shown[run] = max(seats, key=lambda line: line.best) if said[AS_IN_RUN, run] else seats[0]
    rows: list[tuple[str | Cell, ...]] = []
    for name in names:
        cells = [replace(estimate_cell(lines[name, run, shown[run].metric]), mark=different(said, name, run)) for run in runs]
        rows.append((Cell(clean(name), clean(own) if name == AS_IN_RUN else ""), *cells))
    labels = [inside(str(shown[run].label)) for run in runs]
    alike = len(set(labels)) == 1
    headings = runs if alike else [f"{shown[run].label}, {run}" for run in runs]
    note = (
        f"{note} Shown is one seat{f' ({labels[0]})' if alike else ''}: the one that wins most often in the run, or the first where that is"
        " not sure. A mark stands where it is sure which seat wins most often and the run does not say so, all tested at once (Bonferroni)."
    )
    about = frozenset(range(1, 1 + len(runs)))
    return Table("If everybody played otherwise", note, ("Strategy", *headings), tuple(rows), about, ("", *runs), name="lineups")


def by_table(results: Sequence[Result], rungs: Rungs) -> tuple[Chapter, dict[Key, str]]:
    """Where all win or lose together: what to add to the chapter on who wins, and the marks for the one on what skill is worth.

    How often a whole table of each strategy wins stands there, and is not said twice.

    Args:
        results: those of the report, one for each number of players.
        rungs: how often a table of each strategy wins.
    """
    own = frames.estimated(results)
    own = own[own["metric"] == PLAYERS_WIN].assign(strategy=AS_IN_RUN)
    names = dict(zip(own["players"], own["run"], strict=True))
    about = {"label": own["label"].iloc[0], "sequential": False}
    others = [
        {"strategy": r.strategy, "run": names[n], **about, "best": r.estimate.best, "n": r.estimate.n}
        for n, each in rungs.items()
        for r in each
    ]
    said = answers(widened(pd.concat([own[list(others[0])], pd.DataFrame(others)], ignore_index=True)), more_than_half)
    sentence = f"If everybody played another strategy: see {SKILL_TITLE}. A mark there says where the answer is sure to be another."
    chapter = Chapter(WHO_WINS, "", "", (sentence,), notes=(asked_of(said, rungs),), warnings=disagreement(said, rungs, SKILL_TITLE))
    marks = {key: [sign for half, sign in MARKS.items() if f"in {half} than half" in different(said, *key)] for key in said}
    return chapter, {key: "".join(mark) for key, mark in marks.items()}


def answers(whole: pd.DataFrame, favoured: Callable[[Sequence[Line]], str]) -> dict[Key, str]:
    """What each strategy says of each run about who is favoured, as far as it is sure by the widened intervals; else nothing.

    Args:
        whole: lines with strategy, run, label, wide_low and wide_high: of every seat, or of the one share of all together.
        favoured: what is sure by such lines of one strategy and run.
    """
    return {(str(name), str(run)): favoured(lines_of(part)) for (name, run), part in whole.groupby(["strategy", "run"], sort=False)}


def more_than_half(lines: Sequence[Line]) -> str:
    """Whether the one share of all together is surely more or less than half."""
    (line,) = lines
    half = "more" if line.wide_low > EVEN else "less" if line.wide_high < EVEN else ""
    return half and f"{line.label} in {half} than half of games"


def most_often(lines: Sequence[Line]) -> str:
    """The seat that surely wins most often."""
    *others, most = sorted(lines, key=lambda line: line.best)
    return f"{most.label} most often" if others and most.wide_low > max(line.wide_high for line in others) else ""


def different(said: Mapping[Key, str], strategy: str, run: str) -> str:
    """What a strategy is sure of and the run does not say; else nothing."""
    answer = said[strategy, run]
    return answer if answer != said[AS_IN_RUN, run] else ""


def better_than_random(rungs: Rungs) -> set[tuple[str, int]]:
    """The strategies, each with the number of players, that win more often than random play; their intervals do not overlap."""
    random = {n: rung.estimate.high for n, each in rungs.items() for rung in each if rung.strategy == WEAKEST}
    return {(rung.strategy, n) for n, each in rungs.items() for rung in each if rung.estimate.low > random[n]}


def asked_of(said: Mapping[Key, str], rungs: Rungs) -> str:
    """Which strategies were not asked who is favoured, and why."""
    better = better_than_random(rungs)
    runs = dict(zip(rungs, dict.fromkeys(run for _, run in said), strict=True))
    out: list[str] = []
    for strategy in dict.fromkeys(strategy for strategy, _ in said if strategy != AS_IN_RUN):
        where = [run for n, run in runs.items() if (strategy, n) not in better]
        only = f" with {runs_listed(where)}" if 0 < len(where) < len(runs) else ""
        out += [f"{clean(strategy)}{only}"] * bool(where)
    return (
        f"Whether strategies disagree about who is favoured was asked of those that win more often than random play ({WEAKEST}), their"
        f" intervals apart; left out: {', '.join(out)}."
    )


def disagreement(said: Mapping[Key, str], rungs: Rungs, where: str) -> tuple[str, ...]:
    """One sentence if strategies that play better than random ones say different things about who is favoured; else none.

    Args:
        said: what each strategy says of each run.
        rungs: how well each strategy plays.
        where: what to read about it.
    """
    better, splits = better_than_random(rungs), {}
    for n, run in zip(rungs, dict.fromkeys(run for _, run in said), strict=True):
        by_side: dict[str, list[str]] = {}
        for (strategy, other), answer in said.items():
            if other == run and answer and (strategy, n) in better:
                by_side.setdefault(answer, []).append(clean(strategy))
        if len(by_side) > 1:
            splits[run] = "; ".join(f"{inside(answer)} with {', '.join(who)}" for answer, who in by_side.items())
    if not splits:
        return ()
    runs, alike = runs_listed(list(splits)), len(set(splits.values())) == 1
    how = (
        f". With {runs}: {next(iter(splits.values()))}"
        if alike
        else f": strategies that play better than at random disagree with {runs}; see {where}"
    )
    return (f"Who is favoured depends on who plays{how}.",)
