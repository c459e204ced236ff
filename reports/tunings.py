"""Tunings as tables, charts and pages: rules that meet a target, and better values for a strategy's parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.ticker import MaxNLocator

from reports import words
from reports.charts import Chart, legend, letters, mark, percent_axis, short, target, told, wrapped
from reports.style import CATEGORIES, FAINT, GREY, INK, SOLE, ordered
from reports.words import Words
from simulator.document.chapters import Cell, Chapter, Table
from simulator.document.document import Document
from simulator.document.figures import CELL, SIGNED_CELL, figure, in_words, interval
from simulator.document.language import clean, plural, ranged
from simulator.rules import to_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from simulator.stats.estimate import Estimate
    from simulator.studies.strategy_tuning import StrategyTuning
    from simulator.studies.targets import Judged
    from simulator.studies.tuning import Measured, Proposal, Tuning

AS_IT_IS = "as it is"
MOST_CHARTED = 3
"""Proposals whose figures are drawn, beside those of the rules as they are."""

BEST_OF_EACH = "changed, the best for each number of players"
LETTERS = 60
"""Of a change in a legend."""

# ---------------------------------------------------------------- tables


def frame(found: Sequence[Tuning]) -> pd.DataFrame:
    """A line for every figure that was measured: of the rules as they are, of each proposal, and around it.

    `search` says for which numbers of players the rules were looked for; `part` is "as it is", "proposal", "around" for another
    value of one of its constants (`key` and `value`), or "other" for rules that change the same constants otherwise; `number`
    counts the proposals of a search from 1. The first player's advantage, a difference of shares, is in percentage points.
    """
    return pd.DataFrame([line for tuning in found for line in _lines(tuning)])


def _lines(tuning: Tuning) -> Iterator[dict[str, Any]]:
    yield from _measured(tuning, tuning.baseline, AS_IT_IS, 0)
    for place, proposal in enumerate(tuning.proposals, 1):
        yield from _measured(tuning, proposal.measured, "proposal", place)
        for region in proposal.regions:
            for value, measured in region.tested:
                yield from _measured(tuning, measured, "around", place, region.key, to_text(value))
        for measured in proposal.others:
            yield from _measured(tuning, measured, "other", place)


def _measured(tuning: Tuning, measured: Measured, part: str, number: int, key: str = "", value: str = "") -> Iterator[dict[str, Any]]:
    for judged in measured.judged:
        about = {
            "search": ranged(tuning.question.players, "player"),
            "part": part,
            "number": number,
            "change": clean(tuning.question.told(measured.setting)),
            "key": key,
            "value": value,
        }
        yield {**about, **_figure(judged)}


def _figure(judged: Judged) -> dict[str, Any]:
    aim = judged.target
    scale = 100 if aim.signed else 1
    return {
        "players": judged.players,
        "metric": aim.metric,
        "label": clean(aim.label),
        "unit": "percentage points" if aim.signed else aim.unit,
        "kind": "share" if aim.unit == "share" and not aim.signed else "count",
        **_ends(judged.estimate, scale),
        "target_low": scale * aim.band.low,
        "target_high": scale * aim.band.high,
        "verdict": judged.word,
    }


def _ends(estimate: Estimate, scale: int = 1) -> dict[str, Any]:
    return {"best": scale * estimate.best, "low": scale * estimate.low, "high": scale * estimate.high, "n": estimate.n}


# ---------------------------------------------------------------- charts


def charts(found: Sequence[Tuning]) -> list[Chart]:
    """For each target the figures as they are and as proposed, and for each constant of a proposal the values around it."""
    table = frame(found)
    drawn = []
    for metric in dict.fromkeys(table["metric"]):
        part = table[table["metric"] == metric]
        before = before_frame(part, together=len(found) == 1)
        drawn.append(Chart(f"target-{metric}", before, _before_words(before), draw_before, 1, 2.9))
        for key in dict.fromkeys(part.loc[part["part"] == "around", "key"]):
            around = around_frame(part, key)
            drawn.append(Chart(f"around-{metric}-{key}", around, _around_words(around, key), draw_around, 1, 2.6))
    return drawn


def before_frame(part: pd.DataFrame, *, together: bool) -> pd.DataFrame:
    """One target before and after: `series` says which rules, `x` is the number of players, `place` the series' place beside it.

    Args:
        part: the lines of one target.
        together: whether the same rules are for all numbers of players; else the best of each are one series.
    """
    shown = part[(part["part"] == AS_IT_IS) | ((part["part"] == "proposal") & (part["number"] <= (MOST_CHARTED if together else 1)))]
    if together:
        named = zip(shown["number"], shown["change"], strict=True)
        series = [AS_IT_IS if number == 0 else short(f"{number}. {change}", LETTERS) for number, change in named]
    else:
        series = [AS_IT_IS if n == 0 else BEST_OF_EACH for n in shown["number"]]
    places = {name: place for place, name in enumerate(dict.fromkeys([AS_IT_IS, *series]))}
    seats = [plural(int(n), "player") for n in shown["players"]]
    return shown.assign(
        panel="", series=series, place=[places[s] for s in series], of=len(places), x=shown["players"].astype(float), run=seats
    )


def draw_before(frame: pd.DataFrame, ax: Axes) -> None:
    """Points with intervals for each number of players, the target as a band across."""
    _band(frame, ax)
    colours = [GREY, *CATEGORIES]
    step = 0.14
    for name, part in frame.groupby("series", sort=False):
        first = part.iloc[0]
        colour = colours[int(first["place"])]
        x = part["x"] + step * (first["place"] - (first["of"] - 1) / 2)
        ax.plot(x, part["best"], "o", color=colour, markersize=5, label=name)
        ax.vlines(x, part["low"], part["high"], colors=colour, linewidth=1.8)
        for at, line in zip(x, words.lines_of(part), strict=True):
            target(ax, (at, line.low, at, line.high), told(line), line.run)
    ticks = sorted(frame["x"].unique())
    ax.set_xticks(ticks, [f"{n:.0f}" for n in ticks])
    ax.set_xlim(min(ticks) - 0.5, max(ticks) + 0.5)
    _axis(frame, ax)


def around_frame(part: pd.DataFrame, key: str) -> pd.DataFrame:
    """One target along the values of one constant, a panel for each proposal; `x` is the value, or its place in `ticks`."""
    shown = part[(part["part"] == "around") & (part["key"] == key)]
    numeric = bool(shown["value"].map(_is_number).all())
    places = {value: float(place) for place, value in enumerate(dict.fromkeys(shown["value"]))}
    x = shown["value"].astype(float) if numeric else shown["value"].map(places)
    ticks: list[Any] = [tuple(places)] * len(shown)
    proposed = {(line.search, line.number): line.change for line in words.lines_of(part[part["part"] == "proposal"])}
    of_each = list(zip(shown["search"], shown["number"], strict=True))
    several = part["search"].nunique() > 1
    return shown.assign(
        panel=[
            f"{search}: {number}. {proposed[search, number]}" if several else f"{number}. {proposed[search, number]}"
            for search, number in of_each
        ],
        x=x,
        numeric=numeric,
        ticks=ticks,
        chosen=[change == proposed[which] for which, change in zip(of_each, shown["change"], strict=True)],
        series=[plural(int(n), "player") for n in shown["players"]],
        run=[plural(int(n), "player") for n in shown["players"]],
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def draw_around(frame: pd.DataFrame, ax: Axes) -> None:
    """A line for each number of players, the target as a band across, the proposed value marked."""
    _band(frame, ax)
    numeric = bool(frame["numeric"].iloc[0])
    names = list(frame["series"].unique())
    for name, colour in zip(names, ordered(len(names)), strict=True):
        part = frame[frame["series"] == name].sort_values("x")
        (joined,) = ax.plot(part["x"], part["best"], "o-" if numeric else "o", color=colour, linewidth=1.6, markersize=4, label=name)
        mark(joined, run=name)
        mark(ax.vlines(part["x"], part["low"], part["high"], colors=colour, linewidth=1.4), run=name)
        for line in words.lines_of(part):
            target(ax, (line.x, line.low, line.x, line.high), told(line), name)
    ax.axvline(frame.loc[frame["chosen"], "x"].iloc[0], color=INK, linewidth=1.0, linestyle=(0, (3, 2)), zorder=1.2, label="proposed")
    if numeric:
        whole = bool((frame["x"] == frame["x"].round()).all())
        ax.xaxis.set_major_locator(MaxNLocator(10, integer=whole, min_n_ticks=1))
        ax.margins(x=0.08)
    else:
        ticks = frame["ticks"].iloc[0]  # those of all panels, which share the axis
        ax.set_xticks(range(len(ticks)), [wrapped(value, ax, len(ticks)) for value in ticks])
        ax.set_xlim(-0.5, len(ticks) - 0.5)
    ax.set_title(short(frame["panel"].iloc[0], letters(ax)), loc="left", fontweight="bold")
    _axis(frame, ax)


def _band(frame: pd.DataFrame, ax: Axes) -> None:
    first = frame.iloc[0]
    ax.axhspan(first["target_low"], first["target_high"], color=FAINT, zorder=0.5, label="target")


def _axis(frame: pd.DataFrame, ax: Axes) -> None:
    ax.margins(y=0.12)
    if frame["kind"].iloc[0] == "share":
        percent_axis(ax, 6)
    legend(ax)


def _before_words(table: pd.DataFrame) -> Words:
    first = table.iloc[0]
    after = words.lines_of(table[table["place"] == 1])
    title = f"{first['label']}, {after[0].series}: {words.span(after)}" if after else f"{first['label']}, as it is"
    alt = "; ".join(f"{line.series}, {line.run}: {in_words(line)}" for line in words.lines_of(table))
    look_for = "Look for points within the band, which is the target."
    return Words(title, look_for, f"{alt}.", ("The upright lines are 95% intervals.", _playouts(table)), "players", _unit(first))


def _around_words(table: pd.DataFrame, key: str) -> Words:
    first = table.iloc[0]
    alt = "; ".join(f"{key} {line.value}, {line.run}: {in_words(line)}, {line.verdict}" for line in words.lines_of(table))
    title = f"{first['label']} as {key} goes elsewhere"
    look_for = "Look for how far the lines stay within the band: that is how exactly the value matters."
    notes = ("Values were tested outwards from the proposed one, up to the first that does not do.", _playouts(table))
    return Words(title, look_for, f"{alt}.", notes, key, _unit(first))


def _unit(first: Any) -> str:
    return "share of games" if first["kind"] == "share" else str(first["unit"])


def _playouts(table: pd.DataFrame) -> str:
    return f"n = {plural(int(table['n'].min()), 'playout')} of each, none of which had a part in the search."


# ---------------------------------------------------------------- the page of rules


def page(found: Sequence[Tuning], command: str | None = None) -> Document:
    """What the page of a search for rules says."""
    first = found[0]
    sentences = [t.finding for t in found[1:]]
    several = len(found) > 1
    for t in found:
        who = f"With {ranged(t.question.players, 'player')}, " if several else ""
        sentences += [f"{who}{region.text}." for p in t.proposals for region in p.regions]
    sentences += [level.text for level in first.levels]
    drawn = tuple(charts(found))
    note = (
        "Every figure was measured on playouts that had no part in finding these rules; below it stands its 95% interval. Met: the interval"
        " that holds for all figures of the same rules at once (Holm) lies within the target. Missed: it lies outside. Open: neither."
    )
    tables = tuple(_table(t, p, number) for t in found for number, p in enumerate(t.proposals, 1))
    numbers = Chapter("numbers", "The proposals", "Look at the verdicts, and at how little is changed.", tables=tables, notes=(note,))
    before = Chapter("before-and-after", "Before and after", "Look for what lies within the band.", charts=drawn)
    return Document(
        first.question.game,
        "Rules that meet a target",
        first.finding,
        tuple(sentences),
        _warnings(found),
        (),
        (),
        first.baseline.results[0].experiment.rules,
        _facts(found),
        command,
        chapters=(before, numbers),
        runs=tuple(dict.fromkeys(plural(n, "player") for t in found for n in t.question.players)),
    )


def _warnings(found: Sequence[Tuning]) -> tuple[str, ...]:
    seats = [(ranged(t.question.players, "player"), t) for t in found]
    told_of = [f"With {who} it was interrupted; what was finished is shown." for who, t in seats if t.interrupted]
    told_of += [f"With {who} nothing is shown to meet the target." for who, t in seats if not t.met]
    remarks = [f"{_about(t, numbers)}{text}" for t in found for text, numbers in t.remarks.items()]
    return (*told_of, *remarks)


def _about(tuning: Tuning, numbers: Sequence[int]) -> str:
    """The proposals that a remark is about; nothing where it is about several and all of them."""
    if len(numbers) > 1 and len(numbers) == len(tuning.proposals):
        return ""
    return f"{'; '.join(clean(tuning.question.told(tuning.proposals[number - 1].setting)) for number in numbers)}: "


def _facts(found: Sequence[Tuning]) -> tuple[tuple[str, str], ...]:
    experiment = found[0].baseline.results[0].experiment
    return (
        ("Targets", "; ".join(f"{t.label} {t.text}" for t in found[0].question.targets)),
        ("Strategy", ", ".join(dict.fromkeys(p.label for p in experiment.lineup))),
        ("Playouts", f"{sum(t.playouts for t in found):,}"),
        ("Seed", str(found[0].question.seed)),
        ("Elapsed", f"{sum(t.elapsed_s for t in found):.0f} s"),
    )


def _table(tuning: Tuning, proposal: Proposal, number: int) -> Table:
    rows = tuple(_row(a, b) for a, b in zip(tuning.baseline.judged, proposal.measured.judged, strict=True))
    title = f"{ranged(tuning.question.players, 'player')}: {number}. {clean(tuning.question.told(proposal.setting))}"
    return Table(title, "", ("Players", "Figure", "Target", "As it is", "Changed", "Verdict"), rows, frozenset({3, 4}))


def _row(before: Judged, after: Judged) -> tuple[str | Cell, ...]:
    figures = [_cell(j) for j in (before, after)]
    return str(after.players), clean(after.target.label), after.target.text, *figures, after.word


def _cell(judged: Judged) -> Cell:
    (line,) = words.lines_of(pd.DataFrame([_figure(judged)]))
    if judged.target.signed:
        return _signed_cell(line)
    return Cell.of(line, replace(CELL, more=0))


def _signed_cell(line: words.Line) -> Cell:
    """A difference, in points."""
    return Cell.of(line, replace(SIGNED_CELL, more=0))


# ---------------------------------------------------------------- the page of a strategy


def strategy_frame(found: StrategyTuning) -> pd.DataFrame:
    """A line for each number of players, and one for their mean: how often the strategy wins before and after, and the difference."""
    lines = []
    for gain in found.gains:
        figures = {"before": gain.before, "after": gain.after, "difference": gain.difference()}
        lines += [{"players": str(gain.players), "figure": name, **_ends(e), "verdict": gain.word} for name, e in figures.items()]
    if found.gain is not None:
        lines.append({"players": "mean", "figure": "difference", **_ends(found.gain), "verdict": ""})
    return pd.DataFrame(lines, columns=["players", "figure", "best", "low", "high", "n", "verdict"])


def strategy_charts(found: StrategyTuning) -> list[Chart]:
    """What the tuned strategy gains with each number of players; none if nothing was measured again."""
    if not found.gains:
        return []
    table = gain_frame(found)
    alt = "; ".join(f"{line.run}: {interval(line)} percentage points" for line in words.lines_of(table))
    title = f"{clean(found.line)} gains {interval(words.lines_of(table)[-1])} percentage points"
    notes = ("Tuned less as it is, by pairs of playouts that had no part in the search; the lines are 95% intervals.",)
    said = Words(title, "Look for lines that lie above zero.", f"{alt}.", notes, "players", "percentage points")
    return [Chart("gain", table, said, draw_gain, 1, 2.4)]


def gain_frame(found: StrategyTuning) -> pd.DataFrame:
    """The differences, `x` counting the numbers of players, the mean last where there are several."""
    table = strategy_frame(found)
    shown = table[table["figure"] == "difference"]
    if len(found.gains) == 1:
        shown = shown[shown["players"] != "mean"]
    runs = ["the mean" if n == "mean" else plural(int(n), "player") for n in shown["players"]]
    return shown.assign(panel="", x=range(len(shown)), tick=shown["players"], run=runs, label="gain", kind="share", unit="share")


def draw_gain(frame: pd.DataFrame, ax: Axes) -> None:
    """Points with intervals around zero."""
    ax.axhline(0, color=INK, linewidth=1.0)
    ax.plot(frame["x"], 100 * frame["best"], "o", color=SOLE, markersize=5)
    ax.vlines(frame["x"], 100 * frame["low"], 100 * frame["high"], colors=SOLE, linewidth=1.8)
    for line in words.lines_of(frame):
        target(ax, (line.x, 100 * line.low, line.x, 100 * line.high), told(line))
    ax.set_xticks(list(frame["x"]), list(frame["tick"]))
    ax.set_xlim(-0.5, len(frame) - 0.5)
    ax.margins(y=0.15)


def strategy_page(found: StrategyTuning, command: str | None = None) -> Document:
    """What the page of a tuned strategy says."""
    question = found.question
    start = dict(question.start)
    parameters = tuple((name, f"{start[name]:g}", f"{value:g}") for name, value in found.values)
    tables = [Table("Parameters", "", ("Parameter", "Before", "After"), parameters, frozenset({1, 2}))]
    if found.gains:
        tables.append(_gains_table(found))
    facts = (
        ("Strategy", clean(question.line(question.start))),
        ("Against", clean(question.against.label)),
        ("Looked for among", ", ".join(axis.range_text for axis in question.axes)),
        ("Candidates", f"{found.tried:,} ({found.how})"),
        ("Playouts", f"{found.playouts:,} of candidates in the search"),
        ("Seed", str(question.seed)),
        ("Elapsed", f"{found.elapsed_s:.0f} s"),
    )
    use = (f"Play it with --strategy {clean(found.line)}.",) if found.improved else ()
    warnings = ("It was interrupted before anything was measured again.",) if found.interrupted else ()
    numbers = Chapter("numbers", "The numbers", "Look at the intervals of the differences.", tables=tuple(tables))
    gains = Chapter("gain", "What it gains", "Look for lines above zero.", charts=tuple(strategy_charts(found)))
    return Document(
        question.game,
        "Tuning of a strategy",
        clean(found.finding),
        use,
        warnings,
        (),
        (),
        question.experiment(question.tables[0], question.start, question.seed).rules,
        facts,
        command,
        chapters=(gains, numbers) if found.gains else (numbers,),
    )


def _gains_table(found: StrategyTuning) -> Table:
    lines = words.lines_of(strategy_frame(found).assign(kind="share", unit="share"))
    cells = {
        (line.players, line.figure): _signed_cell(line) if line.figure == "difference" else Cell(figure(line), interval(line))
        for line in lines
    }
    names = ("before", "after", "difference")
    rows: tuple[tuple[str | Cell, ...], ...] = tuple(
        (str(g.players), *(cells[str(g.players), name] for name in names), g.word) for g in found.gains
    )
    note = "How often the players win, or the seat that plays it, in percent; the difference in percentage points, by pairs of playouts."
    return Table("Before and after", note, ("Players", "Before", "After", "Difference", "Verdict"), rows, frozenset({1, 2, 3}))
