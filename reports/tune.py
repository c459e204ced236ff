"""Rules that meet a target, as charts and as a frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.ticker import MaxNLocator

from reports import words
from reports.charts import DASHED, Chart, legend, letters, mark, percent_axis, target, told, wrapped
from reports.style import CATEGORIES, FAINT, GREY, INK, ordered
from reports.words import Words
from simulator.document.figures import in_words
from simulator.document.language import clean, plural, short
from simulator.rules import to_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from simulator.studies.targets import Judged
    from simulator.studies.tuning import Measured, Tuning

AS_IT_IS = "as it is"
MOST_CHARTED = 3
"""Proposals whose figures are drawn, beside those of the rules as they are."""

BEST_OF_EACH = "changed, the best for each number of players"
LETTERS = 60
"""Of a change in a legend."""

# ---------------------------------------------------------------- tables


def frame(parts: Sequence[Tuning]) -> pd.DataFrame:
    """A line for every figure that was measured: of the rules as they are, of each proposal, and around it.

    `search` says for which numbers of players the rules were looked for; `part` is "as it is", "proposal", "around" for another
    value of one of its constants (`key` and `value`), or "other" for rules that change the same constants otherwise; `number`
    counts the proposals of a search from 1. The first player's advantage, a difference of shares, is in percentage points.
    """
    return pd.DataFrame([line for part in parts for line in _lines(part)])


def _lines(tuning: Tuning) -> Iterator[dict[str, Any]]:
    search = tuning.plan.seated
    for part, number, key, value, measured in _measured(tuning):
        change = clean(tuning.plan.text(measured.setting))
        about = {"search": search, "part": part, "number": number, "change": change, "key": key, "value": value}
        yield from (about | _figure(judged) for judged in measured.judged)


def _measured(tuning: Tuning) -> Iterator[tuple[str, int, str, str, Measured]]:
    """All rules that were measured: what part they have, of which proposal, and which constant of it goes where."""
    yield AS_IT_IS, 0, "", "", tuning.baseline
    for number, proposal in enumerate(tuning.proposals, 1):
        yield "proposal", number, "", "", proposal.measured
        yield from (("around", number, r.key, to_text(value), measured) for r in proposal.regions for value, measured in r.tested)
        yield from (("other", number, "", "", measured) for measured in proposal.others)


def _figure(judged: Judged) -> dict[str, Any]:
    aim, estimate = judged.target, judged.estimate
    scale = 100 if aim.signed else 1
    return {
        "players": judged.players,
        "metric": aim.metric,
        "label": clean(aim.label),
        "unit": "percentage points" if aim.signed else aim.unit,
        "kind": "share" if aim.unit == "share" and not aim.signed else "count",
        "best": scale * estimate.best,
        "low": scale * estimate.low,
        "high": scale * estimate.high,
        "n": estimate.n,
        "target_low": scale * aim.band.low,
        "target_high": scale * aim.band.high,
        "verdict": judged.word,
    }


# ---------------------------------------------------------------- charts


def charts(parts: Sequence[Tuning]) -> list[Chart]:
    """For each target the figures as they are and as proposed, and for each constant of a proposal the values around it.

    Figures of which nothing is known, since no game finished, are left out.
    """
    table = frame(parts)
    table = table[[not judged.hidden for part in parts for *_, measured in _measured(part) for judged in measured.judged]]
    drawn = []
    for metric in dict.fromkeys(table["metric"]):
        part = table[table["metric"] == metric]
        before = before_frame(part, together=len(parts) == 1)
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
    ax.axvline(frame.loc[frame["chosen"], "x"].iloc[0], color=INK, linewidth=1.0, linestyle=DASHED, zorder=1.2, label="proposed")
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
